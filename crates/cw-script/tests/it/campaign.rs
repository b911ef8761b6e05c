//! Programs of the grammar: the first against recorded answers of Python 2.7.18, any number for limits.

use std::fmt::Write as _;

use cw_script::{EmptyRoom, Interpreter, RunEnd, RunStop, ScriptLimits, ScriptPackage};

use crate::answers::answer;
use crate::grammar::program;

/// Programs that have recorded answers.
const RECORDED: u64 = 3_000;

/// Programs whose outcome hangs on an address in CPython: two compare or sort by it, the others print a dict
/// or a set with None or an instance among its keys, which hash by it.
const BY_ADDRESS: [u64; 22] = [
    241, 259, 388, 443, 519, 537, 828, 1116, 1255, 1401, 1694, 1835, 1961, 2047, 2114, 2497, 2607, 2708,
    2767, 2866, 2915, 2922,
];

/// The answer with every address in it taken out: those of CPython's process are nobody's.
fn without_addresses(answer: &str) -> String {
    let mut parts = answer.split("0x");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("0x…");
        out.push_str(part.trim_start_matches(|digit: char| digit.is_ascii_hexdigit()));
    }
    out
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
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (number, line) in (0..RECORDED).zip(answers.lines()) {
        compared += 1;
        let wanted = without_addresses(line.splitn(3, '\t').nth(2).unwrap_or_default());
        let got = without_addresses(&answer(&program(number)));
        if (got == wanted) == BY_ADDRESS.contains(&number) {
            wrong.push(format!(
                "#### {number}\n{}    wanted {wanted}\n    got    {got}",
                program(number)
            ));
        }
    }
    assert_eq!(compared, RECORDED, "every program has an answer");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
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

/// A program ends within its limits, twice at the same place, and never a fork's limit changes what came
/// before it (S195). `CARDWRIGHT_PROGRAMS=10000000` is the campaign; `CARDWRIGHT_PROGRAMS_FROM` is the number
/// of its first program, so that it can be run in parts.
#[test]
fn random_programs_stop_where_they_must() {
    let number = |name: &str, usual: u64| {
        let set = std::env::var(name).ok();
        set.map_or(usual, |set| set.parse().expect("a number"))
    };
    let count = number("CARDWRIGHT_PROGRAMS", 1_000);
    let from = number("CARDWRIGHT_PROGRAMS_FROM", RECORDED);
    let fresh = Interpreter::new(&mut EmptyRoom);
    for number in from..from + count {
        let text = program(number);
        let package = ScriptPackage::new(&[("program.py", text.as_str())]);
        let run = |steps| run(&fresh, &package, steps);
        let whole = run(u64::MAX);
        assert!(whole.1 <= ScriptLimits::RUN.steps, "{text}");
        let cut = whole.1 * (number % 97) / 97;
        let first = run(cut);
        assert_eq!(first, run(cut), "{text}");
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
fn run(fresh: &Interpreter, package: &ScriptPackage, steps: u64) -> (RunEnd, u64, String) {
    let limits = ScriptLimits {
        steps: steps.min(ScriptLimits::RUN.steps),
        ..ScriptLimits::RUN
    };
    let mut scripts = fresh.clone();
    let mut runs = scripts.load(package, &mut EmptyRoom, &limits);
    let (_, run) = runs.pop().expect("the package is one file");
    (run.end, run.steps, run.output)
}
