//! `sim` at the command line: plans, shares, tables.

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::output;

#[derive(Debug)]
struct Run {
    code: i32,
    out: String,
    err: String,
}

fn run(arguments: &[&str]) -> Run {
    let output = output(arguments, b"");
    Run {
        code: output.status.code().expect("no signal ended it"),
        out: String::from_utf8(output.stdout).expect("it prints UTF-8"),
        err: String::from_utf8(output.stderr).expect("it prints UTF-8"),
    }
}

#[track_caller]
fn done(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!(run.code, 0, "{run:#?}");
    run.out
}

#[track_caller]
fn refused(arguments: &[&str], why: &str) {
    let run = run(arguments);
    assert!(run.code != 0 && run.err.contains(why), "{why}: {run:#?}");
}

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

const DECKS: [&str; 4] = ["--deck", "Harbour Lights", "--deck", "Night School"];

/// One object, to the byte, for any number of threads; two players or one.
#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    for players in ["random,plain", "random"] {
        let of = |threads: &str| {
            let what = [
                "sim",
                "--players",
                players,
                "--pairs",
                "70",
                "--seed",
                "4",
                "--json",
            ];
            done(&[&what[..], &DECKS, &["--threads", threads]].concat())
        };
        let alone = of("1");
        assert_eq!(alone, of("3"));
        let result: Value = serde_json::from_str(&alone).expect("it is JSON");
        assert_eq!((&result["pairs"], &result["duels"]), (&70.into(), &140.into()));
        let matchups = if players == "random" { 1 } else { 3 };
        assert_eq!(result["matchups"].as_array().map(Vec::len), Some(matchups));
    }
}

/// Shares in any order, some twice, one interrupted: the same files as a run in one piece.
#[test]
fn shares_join_to_the_same_bytes() {
    let folder = tempfile::tempdir().expect("there is room");
    let (plan, parts) = (path(&folder, "plan.json"), path(&folder, "parts"));
    let what = ["--players", "random", "--pairs", "300", "--seed", "8"];
    done(&[&["sim", "plan"], &what[..], &DECKS, &["-o", &plan]].concat());
    let whole = path(&folder, "whole");
    let files = ["--json", "--choices", "5", "--output", &whole];
    let direct = done(&[&["sim"], &what[..], &DECKS, &files].concat());
    for shard in ["2/4", "0/4", "3/4", "2/4", "1/3"] {
        done(&["sim", "run", &plan, "--shard", shard, "-o", &parts]);
    }
    let joined = path(&folder, "joined");
    let merge = [
        "sim",
        "merge",
        &plan,
        &parts,
        "--json",
        "--choices",
        "5",
        "--output",
        &joined,
        "--force",
    ];
    // Of ten blocks, 0/4, 2/4, 3/4 and 1/3 have all but the third, and some twice.
    refused(&merge, "are missing: 64–95;");
    let partial = run(&[&merge[..], &["--partial"]].concat());
    assert_eq!(partial.code, 4);
    assert!(partial.err.contains("are missing: 64–95;"), "{}", partial.err);
    assert!(
        partial.out.contains("\"pairs\":"),
        "what is there is summed up: {}",
        partial.out
    );
    done(&["sim", "run", &plan, "--shard", "1/4", "-o", &parts]);
    assert_eq!(done(&merge), direct);
    // Parts have no choices: the pairs that are looked into are played again.
    for name in [
        "summary.json",
        "duels.parquet",
        "cards.parquet",
        "choices.parquet",
    ] {
        let [one, two] = [&whole, &joined].map(|folder| fs::read(Path::new(folder).join(name)));
        assert_eq!(
            one.expect("it was written"),
            two.expect("it was written"),
            "{name}"
        );
    }

    // Cut off in the middle of a line, as by a kill; and a digit that was changed.
    let part = Path::new(&parts).join("part-3-of-4.jsonl");
    let text = fs::read_to_string(&part).expect("it is there");
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    fs::write(&part, &text[..ends[1] + 100]).expect("it can be written");
    refused(&merge, "pairs of plan");
    assert!(run(&merge).err.contains("256–"), "the missing pairs are named");
    done(&["sim", "run", &plan, "--shard", "3/4", "-o", &parts]);
    assert_eq!(done(&merge), direct);
    let part = Path::new(&parts).join("part-0-of-4.jsonl");
    let mut bytes = fs::read(&part).expect("it is there");
    let middle = bytes.len() / 2;
    let digit = (middle..)
        .find(|at| bytes[*at].is_ascii_digit())
        .expect("numbers");
    bytes[digit] = if bytes[digit] == b'1' { b'2' } else { b'1' };
    fs::write(&part, bytes).expect("it can be written");
    let damaged = run(&merge);
    assert!(
        damaged.code == 1 && damaged.err.contains("part-0-of-4.jsonl” is damaged"),
        "{damaged:#?}"
    );
    done(&["sim", "run", &plan, "--shard", "0/4", "-o", &parts]);
    assert_eq!(done(&merge), direct);
}

/// What does not fit is refused by name.
#[test]
fn what_does_not_fit_is_named() {
    let folder = tempfile::tempdir().expect("there is room");
    let [one, two, parts] = ["one.json", "two.json", "parts"].map(|name| path(&folder, name));
    for (plan, seed) in [(&one, "1"), (&two, "2")] {
        let what = [
            "sim",
            "plan",
            "--players",
            "random",
            "--pairs",
            "20",
            "--seed",
            seed,
            "-o",
            plan,
        ];
        done(&[&what[..], &DECKS].concat());
    }
    done(&["sim", "run", &one, "-o", &parts]);
    refused(&["sim", "merge", &two, &parts], "is a part of plan");
    refused(&["sim", "merge", &one, &two], "is no part of a plan");
    refused(&["sim", "run", &parts], "cannot read the plan");
    refused(&["sim", "run", &one, "--shard", "4/4"], "counted from 0/40");
    // A folder is wanted where there is a file.
    for place in ["--output", "--oddities"] {
        let more = ["sim", "--players", "random", "--pairs", "1", place, &one];
        refused(&more, "it is a file; name a folder");
    }
    refused(&["sim", "run", &one, "-o", &one], "it is a file; name a folder");
    refused(&["sim"], "--players");
    refused(&["sim", "--players", "random,easy,plain"], "one player or two");
    refused(&["sim", "--players", "nobody"], "a player is");
    let old = fs::read_to_string(&one)
        .expect("it is there")
        .replace("\"levels\": ", "\"levels\": 9");
    fs::write(&two, old).expect("it can be written");
    refused(&["sim", "run", &two], "another version of Cardwright");
}

/// It stops as soon as the question is answered, at the same pair for any number of threads.
#[test]
fn it_stops_when_the_question_is_answered() {
    let of = |threads: &str, how: &[&str]| {
        let what = [
            "sim",
            "--players",
            "plain,random",
            "--pairs",
            "2000",
            "--json",
            "--threads",
            threads,
        ];
        let text = done(&[&what[..], &DECKS, how].concat());
        serde_json::from_str::<Value>(&text).expect("it is JSON")
    };
    for (how, verdict) in [
        (&["--ahead"][..], "ahead"),
        (&["--width", "9"][..], "known"),
        (&["--sprt", "0.5:0.7"][..], "accepted"),
    ] {
        let [one, three] = ["1", "3"].map(|threads| of(threads, how));
        assert_eq!(one, three);
        assert_eq!(one["verdict"], verdict);
        let pairs = one["pairs"].as_u64().expect("a number");
        assert!((16..200).contains(&pairs) && pairs % 16 == 0, "{pairs}");
    }
}

/// One player on both sides of several matchups: each is played until its own score is known, to the same
/// bytes for any number of threads, and joined of shares. Where the pairs do not suffice that is said.
#[test]
fn each_matchup_is_played_until_it_is_known() {
    let folder = tempfile::tempdir().expect("there is room");
    let what = [
        "--players",
        "random",
        "--width",
        "6",
        "--seed",
        "3",
        "--deck",
        "Shore Party",
    ];
    let what = [&what[..], &DECKS].concat();
    let (whole, joined) = (path(&folder, "whole"), path(&folder, "joined"));
    let alone = done(&[&["sim"], &what[..], &["--threads", "1", "--json", "-o", &whole]].concat());
    assert_eq!(
        alone,
        done(&[&["sim"], &what[..], &["--threads", "3", "--json"]].concat())
    );
    let result: Value = serde_json::from_str(&alone).expect("it is JSON");
    assert_eq!(
        (&result["verdict"], &result["most"]),
        (&"known".into(), &6000.into())
    );
    let matchups = result["matchups"].as_array().expect("they are listed");
    let mut pairs = Vec::new();
    for matchup in matchups {
        let known = match &matchup["without_luck"] {
            Value::Null => matchup,
            without => without,
        };
        let [low, high] = ["low", "high"].map(|end| known[end].as_f64().expect("a number"));
        assert!(high - low <= 0.12 + 1e-6, "{matchup}");
        pairs.push(matchup["pairs"].as_u64().expect("a number"));
    }
    assert_eq!(pairs.len(), 3);
    assert!(pairs.iter().any(|number| *number != pairs[0]), "{pairs:?}");
    assert_eq!(result["pairs"], pairs.iter().sum::<u64>());

    let (plan, parts) = (path(&folder, "plan.json"), path(&folder, "parts"));
    let most = (pairs.iter().max().expect("there are some") * 3 + 40).to_string();
    let what = [&what[..], &["--pairs", &most]].concat();
    let direct = done(&[&["sim"], &what[..], &["--json"]].concat());
    done(&[&["sim", "plan"], &what[..], &["-o", &plan]].concat());
    for shard in ["2/3", "0/3", "1/3"] {
        done(&["sim", "run", &plan, "--shard", shard, "-o", &parts]);
    }
    assert_eq!(
        done(&["sim", "merge", &plan, &parts, "--json", "-o", &joined]),
        direct
    );
    // More pairs than are needed change the plan's name, and nothing that was played.
    let rows = |folder: &str| {
        fs::metadata(Path::new(folder).join("duels.parquet"))
            .expect("it is there")
            .len()
    };
    assert_eq!(rows(&whole), rows(&joined));

    let few = [&["sim"], &what[..what.len() - 2], &["--pairs", "100"]].concat();
    let told = done(&few);
    assert!(
        told.contains("are not yet known to 6 % either way: give --pairs more than 100"),
        "{told}"
    );
    refused(
        &[&few[..few.len() - 2], &["--ahead"]].concat(),
        "cannot be used with",
    );
    refused(
        &["sim", "--players", "random", "--ahead"],
        "--ahead and --sprt ask one question, and there are 45 matchups",
    );
}

/// Two other programs read the tables and count what the summary counts. They are Python's; where they
/// are not installed this is skipped, and says so.
#[test]
fn other_programs_read_the_tables() {
    let folder = tempfile::tempdir().expect("there is room");
    let out = path(&folder, "out");
    let what = [
        "sim",
        "--players",
        "plain,random",
        "--pairs",
        "40",
        "--json",
        "--choices",
        "100",
        "--output",
        &out,
    ];
    let summary: Value = serde_json::from_str(&done(&[&what[..], &DECKS].concat())).expect("it is JSON");
    let python = std::env::var("CARDWRIGHT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let queries = [
        (
            "duckdb",
            "import duckdb\n\
             q = lambda s: duckdb.sql(s).fetchall()[0][0]\n\
             d, c = \"'duels.parquet'\", \"'cards.parquet'\"\n\
             print(q(f'select count(*) from {d}'), q(f'select sum(turns) from {d}'), \
             q(f'select count(*) from {d} where winner = measured'), q(f'select sum(opening) from {c}'), \
             q(f'select count(distinct card) from {c}'), q(\"select count(*) from 'choices.parquet'\"))",
        ),
        (
            "polars",
            "import polars as pl\n\
             d, c = pl.read_parquet('duels.parquet'), pl.read_parquet('cards.parquet')\n\
             print(d.height, d['turns'].sum(), d.filter(pl.col('winner') == pl.col('measured')).height, \
             c['opening'].sum(), c['card'].n_unique(), pl.read_parquet('choices.parquet').height)",
        ),
        (
            "pandas",
            "import pandas as pd\n\
             d, c = pd.read_parquet('duels.parquet'), pd.read_parquet('cards.parquet')\n\
             print(len(d), d['turns'].sum(), (d['winner'] == d['measured']).sum(), \
             c['opening'].sum(), c['card'].nunique(), len(pd.read_parquet('choices.parquet')))",
        ),
    ];
    // Every card of the set is in one of the two decks; opening hands have five cards.
    let expected = format!(
        "80 {} {} {} 72 {}",
        summary["turns"],
        summary["won"],
        80 * 10,
        summary["choices"]
    );
    for (module, query) in queries {
        let there = std::process::Command::new(&python)
            .args(["-c", &format!("import {module}")])
            .output();
        if !there.is_ok_and(|there| there.status.success()) {
            eprintln!("SKIPPED: {module} is not installed, so it has not read the tables");
            continue;
        }
        let read = std::process::Command::new(&python)
            .args(["-c", query])
            .current_dir(&out)
            .output();
        let read = read.expect("Python runs");
        let text = String::from_utf8_lossy(&read.stdout);
        assert_eq!(
            text.trim(),
            expected,
            "{module}: {}",
            String::from_utf8_lossy(&read.stderr)
        );
    }
}

/// Duels that end oddly are counted, and written down to be looked at.
#[test]
fn oddities_are_counted_and_kept() {
    let folder = tempfile::tempdir().expect("there is room");
    let game = path(&folder, "short");
    copy(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh"),
        Path::new(&game),
    );
    let toml = Path::new(&game).join("Rules/game.toml");
    let text = fs::read_to_string(&toml).expect("it is there");
    let short = text.replace("# max-turns = 200", "max-turns = 12");
    assert_ne!(short, text);
    fs::write(&toml, short).expect("it can be written");
    let kept = path(&folder, "kept");
    let what = [
        "sim",
        "--players",
        "random",
        "--pairs",
        "30",
        "--json",
        "--game",
        &game,
        "--oddities",
        &kept,
    ];
    let result: Value = serde_json::from_str(&done(&[&what[..], &DECKS].concat())).expect("it is JSON");
    let drawn = &result["oddities"][1];
    assert_eq!(drawn["kind"], "drawn");
    let number = drawn["duels"].as_u64().expect("a number");
    assert!(number > 0 && result["drawn"] == number);
    let files = fs::read_dir(&kept).expect("it is there").count() as u64;
    assert_eq!(files, number.min(20));
    let first = &drawn["first"][0];
    let file = Path::new(&kept).join(format!("drawn-pair-{}-{}.json", first["pair"], first["duel"]));
    done(&["replay", &file.display().to_string(), "--game", &game]);

    // Joined from shares: the same records.
    let (plan, parts) = (path(&folder, "plan.json"), path(&folder, "parts"));
    let again = path(&folder, "again");
    let what = [
        "--players",
        "random",
        "--pairs",
        "30",
        "--game",
        &game,
        "-o",
        &plan,
    ];
    done(&[&["sim", "plan"], &what[..], &DECKS].concat());
    done(&["sim", "run", &plan, "--game", &game, "-o", &parts]);
    done(&[
        "sim",
        "merge",
        &plan,
        &parts,
        "--game",
        &game,
        "--oddities",
        &again,
    ]);
    let records = |folder: &str| {
        let mut records: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
            .expect("it is there")
            .map(|entry| {
                let path = entry.expect("it can be read").path();
                let bytes = fs::read(&path).expect("it can be read");
                (
                    path.file_name().expect("a name").to_string_lossy().into_owned(),
                    bytes,
                )
            })
            .collect();
        records.sort();
        records
    };
    assert!(records(&kept) == records(&again), "merge writes the same records");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("it can be made");
    for entry in fs::read_dir(from).expect("it is a folder") {
        let entry = entry.expect("it can be read");
        let into = to.join(entry.file_name());
        if entry.file_type().expect("it has a type").is_dir() {
            copy(&entry.path(), &into);
        } else {
            fs::copy(entry.path(), into).expect("it can be copied");
        }
    }
}

/// A deck is named once: results go by names. Of nothing but one deck twice there is no matchup.
#[test]
fn a_deck_that_is_named_twice_is_refused() {
    let twice = ["--deck", "Night School", "--deck", "Night School"];
    for command in ["sim", "balance"] {
        let asked = [&[command, "--players", "random", "--pairs", "2"][..], &twice].concat();
        refused(&asked, "two of the decks are called “Night School”");
    }
}

/// A bot may play what `sim` plays: a plan names it so that it is found again.
#[test]
fn a_plan_names_a_bot_as_it_is_read() {
    let folder = tempfile::tempdir().expect("there is room");
    let plan = path(&folder, "plan.json");
    let bot = "cmd:no-such-program-here 'my bot.py'";
    let players = format!("random,{bot}");
    done(
        &[
            &["sim", "plan", "--players", &players, "--pairs", "2", "-o", &plan][..],
            &DECKS,
        ]
        .concat(),
    );
    let written: Value =
        serde_json::from_str(&fs::read_to_string(&plan).expect("it is there")).expect("JSON");
    assert_eq!(written["players"][1], "cmd:no-such-program-here \"my bot.py\"");
    let parts = path(&folder, "parts");
    refused(&["sim", "run", &plan, "-o", &parts], "no-such-program-here");
}

/// One deck against all others, as one table.
#[test]
fn a_deck_meets_all_others_in_one_table() {
    let asked = [
        "sim",
        "--players",
        "random",
        "--pairs",
        "8",
        "--csv",
        "--deck",
        "Night School",
    ];
    let all = done(&[&asked[..], &["--against", "all"]].concat());
    let rows: Vec<&str> = all.lines().collect();
    assert_eq!(rows[0], "deck,against,pairs,score,low,high,turns");
    assert!(rows.len() > 2, "{all}");
    for row in &rows[1..] {
        let fields: Vec<&str> = row.split(',').collect();
        assert_eq!((fields[0], fields.len()), ("Night School", 7), "{row}");
        assert_ne!(fields[1], "Night School", "{row}");
        let score: f64 = fields[3].parse().expect("a number");
        assert!((0.0..=1.0).contains(&score), "{row}");
    }
    let itself = [&asked[..], &["--against", "Night School"]].concat();
    refused(&itself, "names no deck that --deck does not");
}
