//! Exit codes, as the README promises them: 0 if all is well, 1 if something in the user's files is wrong, 2
//! if the command line is wrong. Every command is run with each kind of input that it can meet.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_cardwright");

const GUID: &str = "01234567-89ab-cdef-0123-456789abcdef";

/// Files that the commands below name.
fn files() -> Vec<(&'static str, String)> {
    let deck = |inner: &str| {
        format!(
            "<deck game=\"7d6b8f7e-6f2c-4f3f-9a35-0f8d4e1b2c3a\">\
             <section name=\"Main\">{inner}</section></deck>"
        )
    };
    let unknown = format!("<card qty=\"1\" id=\"{GUID}\">Nobody</card>");
    vec![
        ("good.rules", format!("[{GUID}]\naction = draw(2)\n")),
        ("bad.rules", format!("[{GUID}]\naction = drow(2)\n")),
        ("cut.rules", format!("[{GUID}]\naction = draw(\n")),
        ("script.py", "print 1\n".into()),
        ("unknown.o8d", deck(&unknown)),
        ("cut.o8d", "<deck><section".into()),
        ("cut.json", "{\"seed\": 1,".into()),
        ("cut.toml", "[scenario\n".into()),
        ("empty/readme.txt", "nothing to play\n".into()),
        ("broken/definition.xml", "<game".into()),
        ("module.wasm", "\0asm".into()),
        ("cards.csv", "name,Cost\nRook,2\n".into()),
        ("cut.csv", "name,Cost\n\"Rook,2\n".into()),
    ]
}

/// What each command line ends with. `SCENARIOS` stands for the demo game's folder of them.
const CASES: &[(&str, i32)] = &[
    // All is well.
    ("help", 0),
    ("--version", 0),
    ("arena random random --pairs 2", 0),
    (
        "balance --players random --pairs 6 --card-pairs 0 --out b.html",
        0,
    ),
    ("bot --help", 0),
    ("cards fop", 0),
    ("cards render Fop -o faces", 0),
    ("check good.rules", 0),
    ("completions bash", 0),
    ("deck show Procedure", 0),
    ("deck check Procedure", 0),
    ("dev --help", 0),
    ("draft 1:Booster -o drafted", 0),
    ("duel explain --help", 0),
    ("eval 7/2", 0),
    ("explain RS021", 0),
    ("export --help", 0),
    ("fmt good.rules", 0),
    ("fuzz --card Potluck --positions 5 --duels 0 -o finds.toml", 0),
    ("images --help", 0),
    ("lsp --help", 0),
    ("man -o pages", 0),
    ("new Harbour", 0),
    ("new --from cards.csv Rookery", 0),
    ("cards import cards.csv --game Rookery", 0),
    ("cards export out.xlsx --game Rookery", 0),
    // A link to a puzzle.
    (
        "open --show AQIJU2FsdG1hcnNoW5FhAou0N5HkOKAhATQQVGhlIGZpcnN0IHB1enpsZZIfs3Y",
        0,
    ),
    ("packs list", 0),
    ("players", 0),
    (
        "play --plain --quiet --seat1 random --seat2 random --record duel.json",
        0,
    ),
    ("replay duel.json", 0),
    ("rules program good.rules", 0),
    ("rules tree good.rules", 0),
    ("rules say Fop", 0),
    ("rules say --all", 0),
    ("run 2026-11-27 --show", 0),
    ("run 7 --keep run.txt", 0),
    ("run --from 7.p0p1", 0),
    ("run --simulate 2 --player random --threads 1", 0),
    ("scenario new Fop", 0),
    ("sealed 2:Booster --players 2 -o pools", 0),
    ("sim --players random --pairs 6", 0),
    ("site --module module.wasm --out page", 0),
    ("table --help", 0),
    ("test SCENARIOS", 0),
    // Something in a file is wrong, or it cannot be read.
    ("arena random random --pairs 2 --game broken", 1),
    ("balance --players random --pairs 6 --game broken", 1),
    ("balance --players random --pairs 6 --game empty", 1),
    ("bot check ./there-is-no-such-program", 1),
    ("cards fop --game broken", 1),
    ("cards fop --game empty", 1),
    ("cards render Nobodyatall -o faces", 1),
    ("cards export out.csv --game broken", 1),
    ("cards export out.nothing", 1),
    ("cards export out.xlsx --game Rookery", 1),
    ("cards import cut.csv --game Rookery", 1),
    ("cards import missing.csv --game Rookery", 1),
    ("check bad.rules", 1),
    ("check cut.rules", 1),
    ("check broken", 1),
    ("check empty", 1),
    ("check missing", 1),
    ("deck check unknown.o8d", 1),
    ("deck check cut.o8d", 1),
    ("deck show cut.o8d", 1),
    ("deck show missing.o8d", 1),
    ("draft 1:Booster -o out --game broken", 1),
    ("draft 1:Booster --figures missing.json", 1),
    ("duel trace cut.json", 1),
    ("duel trace missing.json", 1),
    ("eval 1/0", 1),
    ("dev missing", 1),
    ("dev Harbour --p2 nobody", 1),
    ("explain RS999", 1),
    ("export broken -o out.o8g", 1),
    ("export empty -o out.o8g", 1),
    ("fmt cut.rules", 1),
    ("fmt script.py", 1),
    ("fmt missing.rules", 1),
    ("fuzz broken", 1),
    ("fuzz empty", 1),
    ("fuzz --card Nobody", 1),
    // No editor greets it: its input is at its end.
    ("lsp", 1),
    ("new Harbour", 1),
    ("new --from cut.csv Cut", 1),
    ("new --from cards.csv Rookery", 1),
    ("open nonsense", 1),
    (
        "open AQIJU2FsdG1hcnNoW5FhAou0N5HkOKAhATQQVGhlIGZpcnN0IHB1enpsZZIfs3Y --game broken",
        1,
    ),
    ("packs list --game broken", 1),
    (
        "play --plain --quiet --seat1 random --seat2 random --game empty",
        1,
    ),
    (
        "play --plain --quiet --seat1 random --seat2 random --deck1 cut.o8d",
        1,
    ),
    (
        "play --plain --quiet --seat1 random --seat2 random --deck1 Nobody",
        1,
    ),
    ("replay cut.json", 1),
    ("replay missing.json", 1),
    ("rules program bad.rules", 1),
    ("rules tree cut.rules", 1),
    ("rules tree missing.rules", 1),
    ("rules say Nobody", 1),
    ("rules say Crumb", 1),
    ("rules say --all broken", 1),
    ("run --show --game broken", 1),
    ("run --show --game empty", 1),
    ("run --from 7.w", 1),
    ("run 8 --keep run.txt", 1),
    ("run --keep good.rules", 1),
    ("run --simulate 2 --player cmd:true", 1),
    ("run 2026-11-27 --simulate 2", 1),
    ("scenario new Nobody", 1),
    ("sealed 2:Booster --players 2 -o out --game broken", 1),
    ("sim --players random --pairs 6 --game broken", 1),
    ("site broken --module module.wasm --out page2", 1),
    ("site --module good.rules --out page3", 1),
    ("site --module module.wasm --report good.rules --out page5", 1),
    ("site --module module.wasm --report missing --out page6", 1),
    ("site --module module.wasm --out Harbour", 1),
    ("site missing --module module.wasm --out page4", 1),
    ("test Harbour", 1),
    ("test cut.toml", 1),
    ("test missing.toml", 1),
    // The command line is wrong.
    ("", 2),
    ("arena random", 2),
    ("arena random nobody --pairs 2", 2),
    ("arena --ladder random random", 2),
    ("balance --players nobody", 2),
    ("bot", 2),
    ("cards import cards.csv --column Cost", 2),
    ("cards import cards.csv", 2),
    ("cards --sort", 2),
    ("check --format nothing", 2),
    ("completions tcsh-but-newer", 2),
    ("deck", 2),
    ("draft", 2),
    ("duel", 2),
    ("eval", 2),
    ("explain RS021 --schema", 2),
    ("export", 2),
    ("fmt", 2),
    ("images", 2),
    ("images list missing", 2),
    ("man --nothing", 2),
    ("new", 2),
    ("open", 2),
    ("packs", 2),
    ("play --seat1 nobody", 2),
    ("replay", 2),
    ("rules", 2),
    ("rules say", 2),
    ("run 2026-02-30", 2),
    ("run --player easy", 2),
    ("scenario", 2),
    ("sealed", 2),
    ("fuzz --positions none", 2),
    ("sim --pairs none", 2),
    ("site", 2),
    ("sim --players easy,random,plain", 2),
    ("nothing-of-ours", 2),
    ("players --nothing", 2),
    ("table --nothing", 2),
    ("test --nothing", 2),
];

/// A case for each subcommand that help lists and for each code; and each ends as the README says, with a
/// message where it is not 0.
#[test]
fn exit_codes_are_as_promised() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files() {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut wrong = Vec::new();
    for (arguments, code) in CASES {
        let output = Command::new(PROGRAM)
            .args(arguments.split_whitespace().map(|word| match word {
                "SCENARIOS" => concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/saltmarsh-tests"),
                word => word,
            }))
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(*code) {
            let last = said.lines().last().unwrap_or_default();
            wrong.push(format!(
                "`{arguments}`: {:?}, not {code}: {last}",
                output.status.code()
            ));
        } else if *code != 0 && said.trim().is_empty() && output.stdout.is_empty() {
            wrong.push(format!("`{arguments}` fails without a word"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The table above leaves out no command.
#[test]
fn every_command_has_its_cases() {
    let help = Command::new(PROGRAM).arg("help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands: BTreeSet<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("Usage"))
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() >= 20, "{commands:?}");
    let words: BTreeSet<&str> = CASES
        .iter()
        .filter_map(|(line, _)| line.split_whitespace().next())
        .collect();
    let missing: Vec<&&str> = commands.difference(&words).collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}
