//! Programs of the grammar: the first against recorded answers of Python 2.7.18, any number for limits.

use std::fmt::Write as _;

use cw_script::{EmptyRoom, Interpreter, RunEnd, RunStop, ScriptLimits};

use crate::answers::answer;
use crate::grammar::program;

/// Programs that have recorded answers.
const RECORDED: u64 = 3_000;

/// Programs that compare or sort by the address of an instance.
const BY_ADDRESS: [u64; 2] = [1401, 2497];

/// Differences that the specification names (S34), or that follow from an address or a name of CPython's own.
fn is_named(wanted: &str, got: &str) -> bool {
    let beyond = [
        " at 0x",
        "__trunc__",
        "unicode",
        "classobj",
        "SyntaxError",
        "0x7f",
        "descriptor",
        "__coerce__",
        "maximum recursion",
    ];
    // What CPython orders by address comes in another order; nothing else of it differs.
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    let has_beyond = beyond
        .iter()
        .any(|word| wanted.contains(word) || got.contains(word));
    has_beyond || letters(wanted) == letters(got)
}

/// Random programs print, leave and raise what Python 2.7 prints, leaves and raises (S253).
#[test]
fn random_programs_do_what_python_does() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/random.answers.txt");
    if std::env::var("CARDWRIGHT_PROGRAMS_OUT").is_ok() {
        write_programs();
        return;
    }
    let answers = std::fs::read_to_string(path).expect("the recorded answers are there");
    let (mut wrong, mut same, mut named) = (Vec::new(), 0, 0);
    for (number, line) in (0..RECORDED).zip(answers.lines()) {
        let wanted = line.splitn(3, '\t').nth(2).unwrap_or_default();
        let got = answer(&program(number));
        if got == wanted {
            same += 1;
        } else if is_named(wanted, &got) || BY_ADDRESS.contains(&number) {
            named += 1;
        } else {
            wrong.push(format!(
                "#### {number}\n{}    wanted {wanted}\n    got    {got}",
                program(number)
            ));
        }
    }
    assert_eq!(
        same + named + wrong.len() as u64,
        RECORDED,
        "every program has an answer"
    );
    assert!(
        wrong.is_empty(),
        "{} differ, {named} named:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        named <= 120,
        "{named} differ by what is named, which is more than is known"
    );
}

/// Writes the programs for `programs/record.py` to the file that `CARDWRIGHT_PROGRAMS_OUT` names.
fn write_programs() {
    let mut all = String::new();
    for number in 0..RECORDED {
        let _ = write!(all, "#### {number}\n{}", program(number));
    }
    let path = std::env::var("CARDWRIGHT_PROGRAMS_OUT").expect("it was there");
    std::fs::write(path, all).expect("the file can be written");
}

/// A program ends within its limits, twice at the same place, and never a fork's limit changes what came before
/// it (S195). `CARDWRIGHT_PROGRAMS=10000000` is the campaign.
#[test]
fn random_programs_stop_where_they_must() {
    let count = std::env::var("CARDWRIGHT_PROGRAMS")
        .ok()
        .and_then(|count| count.parse().ok());
    let count: u64 = count.unwrap_or(1_000);
    for number in RECORDED..RECORDED + count {
        let text = program(number);
        let whole = run(&text, u64::MAX);
        assert!(whole.1 <= ScriptLimits::RUN.steps, "{text}");
        let cut = whole.1 * (number % 97) / 97;
        let first = run(&text, cut);
        assert_eq!(first, run(&text, cut), "{text}");
        assert!(
            whole.2.starts_with(&first.2),
            "what was printed before the limit is the same:\n{text}"
        );
        if cut < whole.1 {
            let limit = RunEnd::Stopped(RunStop::Limit(cw_script::ScriptLimit::Steps));
            assert_eq!(first.0, limit, "{text}");
            assert_eq!(first.1, cut, "{text}");
        }
    }
}

/// How a program ended within so many steps, how many it took, and what it printed.
fn run(text: &str, steps: u64) -> (RunEnd, u64, String) {
    let limits = ScriptLimits {
        steps: steps.min(ScriptLimits::RUN.steps),
        ..ScriptLimits::RUN
    };
    let mut scripts = Interpreter::new(&mut EmptyRoom);
    let run = scripts.run(text, "program.py", &mut EmptyRoom, &limits);
    (run.end, run.steps, run.output)
}
