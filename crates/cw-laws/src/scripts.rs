//! Scripts of packages.

use cw_script::{EmptyRoom, Interpreter, ScriptLimits, ScriptPackage, ScriptRun};

/// Small enough to try many.
const LIMITS: ScriptLimits = ScriptLimits {
    steps: 50_000,
    bytes: 4 << 20,
    ..ScriptLimits::RUN
};

/// Loads the bytes as a file twice, and sweeps between.
pub(crate) fn run(bytes: &[u8]) {
    let package = ScriptPackage::new(&[("fuzz.py", bytes)]);
    let load = |scripts: &mut Interpreter| -> Vec<ScriptRun> {
        let runs = scripts.load(&package, &mut EmptyRoom, &LIMITS);
        runs.into_iter().map(|(_, run)| run).collect()
    };
    let mut scripts = Interpreter::new(&mut EmptyRoom);
    let mut copy = scripts.clone();
    let first = load(&mut scripts);
    assert_eq!(first, load(&mut copy), "a copy does the same");
    scripts.sweep();
    copy.sweep();
    assert_eq!(scripts.objects(), copy.objects(), "and keeps the same");
    for run in &first {
        assert!(run.steps <= LIMITS.steps && run.bytes <= LIMITS.bytes);
    }
}
