//! `balance` at the command line.

mod support;

use std::fs;

use serde_json::Value;
use support::output;

#[track_caller]
fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = output(arguments, b"");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints UTF-8");
    let code = output.status.code().expect("no signal ended it");
    (code, text(output.stdout), text(output.stderr))
}

const SMALL: [&str; 11] = [
    "balance",
    "--players",
    "random",
    "--pairs",
    "40",
    "--card-pairs",
    "3",
    "--deck",
    "Harbour Lights",
    "--deck",
    "Night School",
];

/// The same report, to the byte, for any number of threads; a page beside it, and words.
#[test]
fn a_report_does_not_depend_on_the_number_of_threads() {
    let folder = tempfile::tempdir().expect("there is room");
    let [patch, one, two] = ["patch.toml", "one.html", "two.html"].map(|name| folder.path().join(name));
    let text = "[[change]]\ncard = \"Crumb\"\nproperty = \"bp\"\nto = 900\n\n\
                [[change]]\ncard = \"Gasket\"\nrules = \"abilities = rush\"\n";
    fs::write(&patch, text).expect("it can be written");
    let of = |threads: &str, out: &std::path::Path| {
        let (patch, out) = (patch.display().to_string(), out.display().to_string());
        let more = ["--json", "--threads", threads, "--what-if", &patch, "--out", &out];
        let (code, text, error) = run(&[&SMALL[..], &more].concat());
        assert_eq!(code, 0, "{error}");
        text
    };
    let alone = of("1", &one);
    assert_eq!(alone, of("3", &two));
    let [one, two] = [one, two].map(|file| fs::read_to_string(file).expect("it was written"));
    assert_eq!(one, two);
    assert!(one.contains("Saltmarsh") && one.contains("data:image/svg+xml") && one.contains("Crumb: BP 900"));
    let report: Value = serde_json::from_str(&alone).expect("it is JSON");
    assert_eq!(report["ran"]["duels"], 80);
    // The command gives this report again, with all that was asked.
    let command = report["ran"]["command"].as_str().expect("it is text");
    let what_if = format!("--what-if '{}'", patch.display());
    assert!(
        command.contains(&what_if) && command.contains("--deck 'Night School'"),
        "{command}"
    );
    assert_eq!(report["cards"].as_array().map(Vec::len), Some(72));
    assert_eq!(report["what_if"]["matchups"][0]["shift"]["change"]["n"], 40);
    let (code, words, _) = run(&SMALL);
    assert_eq!(code, 0);
    for word in [
        "who goes first scores",
        "half of the duels end by turn",
        "Harbour Lights",
        "note:",
    ] {
        assert!(words.contains(word), "{word}: {words}");
    }
}

/// A target is looked for and proved on fresh seeds; where nothing is wanted there is nothing to do.
#[test]
fn a_target_is_looked_for() {
    let (code, text, error) = run(&[&SMALL[..], &["--json", "--target", "50±45"]].concat());
    assert_eq!(code, 0, "{error}");
    let report: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(report["target"]["changes"].as_array().map(Vec::len), Some(0));
    assert_eq!(report["target"]["proof"]["matchups"][0]["shift"]["same"], 1.0);
    // Both figures are of the fresh duels: where nothing was changed they are the same.
    let worst = &report["target"]["worst"];
    assert!(worst[0].is_number() && worst[0] == worst[1], "{worst}");
}

/// What is wrong with the command line or a patch is said, with a remedy.
#[test]
fn mistakes_are_named() {
    let folder = tempfile::tempdir().expect("there is room");
    let patch = folder.path().join("patch.toml");
    fs::write(
        &patch,
        "[[change]]\ncard = \"Crumb\"\nrules = \"action = nonsense(1)\"\n",
    )
    .expect("it can be written");
    let patch = patch.display().to_string();
    for (more, why) in [
        (&["--target", "60±3"][..], "only 50 can be wanted"),
        (&["--target", "3"], "as in 50±3"),
        (&["--what-if", "no-such-file"], "cannot read"),
        (&["--what-if", &patch], "the rule has an error"),
        (&["--out", "no/such/folder/x.html"], "there is no such folder"),
        (&["--deck", "Nobody's"], "there is no deck"),
    ] {
        let (code, _, error) = run(&[&SMALL[..], more].concat());
        assert!(code != 0 && error.contains(why), "{why}: {error}");
    }
}

/// A page that cannot be written costs no duels: the figures are shown, and the fault is told.
#[test]
fn what_was_played_is_shown_though_the_page_cannot_be_written() {
    let folder = tempfile::tempdir().expect("there is room");
    let (code, _, error) = run(&[&SMALL[..], &["--out", &folder.path().display().to_string()]].concat());
    assert!(code != 0 && error.contains("it is a folder"), "{error}");
    if std::path::Path::new("/dev/full").exists() {
        let (code, words, error) = run(&[&SMALL[..], &["--out", "/dev/full"]].concat());
        assert!(code != 0 && error.contains("cannot write"), "{error}");
        assert!(words.contains("who goes first scores"), "{words}");
    }
}
