//! Loading 16,000 lines, and loops beside the same loops in CPython 2.7, where that is at hand, measured in
//! the same run.
#![expect(clippy::print_stdout, reason = "a benchmark reports on standard output")]
#![expect(clippy::disallowed_types, reason = "a benchmark looks at the clock")]

use std::process::Command;
use std::time::Instant;

use cw_script::{EmptyRoom, Interpreter, ScriptLimits, ScriptPackage};

/// Each prints its own time where Python runs it.
const LOOPS: [(&str, &str); 4] = [
    (
        "while, whole numbers",
        "def go():\n    n, i = 0, 0\n    while i < 300000:\n        n += i % 7\n        i += 1\n    return n\n",
    ),
    (
        "calls",
        "def f(a, b=1): return a + b\ndef go():\n    n = 0\n    for i in xrange(100000): n = f(n, i)\n    return n\n",
    ),
    (
        "lists and dicts",
        "def go():\n    d = {}\n    for i in xrange(100000):\n        k = 'k%d' % (i % 50)\n        d[k] = d.get(k, 0) + len([i, k])\n    return len(d)\n",
    ),
    (
        "instances",
        "class C(object):\n    def __init__(self): self.n = 0\n    def add(self, x): self.n += x\ndef go():\n    c = C()\n    for i in xrange(100000): c.add(i)\n    return c.n\n",
    ),
];

fn main() {
    let one = "def entry_%(group, x = 0, y = 0):\n    mute()\n    for card in group:\n        if card.Type == 'Hero' and x > 0:\n            card.moveTo(me.hand)\n            notify('{} draws {}.'.format(me, card))\n    return [c for c in group if c.name]\n\n";
    let text: String = (0..2_000)
        .map(|number| one.replace('%', &format!("{number}")))
        .collect();
    let begin = Instant::now();
    let package = ScriptPackage::new(&[("large.py", &text)]);
    let read = begin.elapsed();
    let mut scripts = Interpreter::new(&mut EmptyRoom);
    scripts.load(&package, &mut EmptyRoom, &ScriptLimits::LOAD);
    let whole = begin.elapsed();
    println!(
        "16,000 lines: read {:.1} ms, read and loaded {:.1} ms",
        read.as_secs_f64() * 1e3,
        whole.as_secs_f64() * 1e3
    );
    let begin = Instant::now();
    for _ in 0..1_000 {
        std::hint::black_box(scripts.clone());
    }
    println!(
        "a copy of {} objects: {:.1} µs",
        scripts.objects(),
        begin.elapsed().as_secs_f64() * 1e3
    );
    for (name, text) in LOOPS {
        let mut scripts = Interpreter::new(&mut EmptyRoom);
        scripts.run(text, "loop.py", &mut EmptyRoom, &ScriptLimits::LOAD);
        let ours = (0..5).map(|_| {
            let begin = Instant::now();
            std::hint::black_box(scripts.call("go", &[], &mut EmptyRoom, &ScriptLimits::RUN));
            begin.elapsed().as_secs_f64() * 1e3
        });
        let ours = ours.fold(f64::INFINITY, f64::min);
        let theirs = python(text).map_or_else(
            || "no python2.7 here".to_owned(),
            |time| format!("CPython 2.7 {time:.1} ms, {:.2} times as long", ours / time),
        );
        println!("{name}: {ours:.1} ms; {theirs}");
    }
}

/// The least of five times that CPython 2.7 takes, in milliseconds.
fn python(text: &str) -> Option<f64> {
    let timed = format!(
        "{text}import time\nbest = 1e9\nfor _ in range(5):\n    begin = time.time()\n    go()\n    best = min(best, time.time() - begin)\nprint best * 1e3\n"
    );
    let out = Command::new("python2.7").args(["-c", &timed]).output().ok()?;
    String::from_utf8(out.stdout).ok()?.trim().parse().ok()
}
