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
        "def go():\n\
         \x20   n, i = 0, 0\n\
         \x20   while i < 300000:\n\
         \x20       n += i % 7\n\
         \x20       i += 1\n\
         \x20   return n\n",
    ),
    (
        "calls",
        "def f(a, b=1): return a + b\n\
         def go():\n\
         \x20   n = 0\n\
         \x20   for i in xrange(100000): n = f(n, i)\n\
         \x20   return n\n",
    ),
    (
        "lists and dicts",
        "def go():\n\
         \x20   d = {}\n\
         \x20   for i in xrange(100000):\n\
         \x20       k = 'k%d' % (i % 50)\n\
         \x20       d[k] = d.get(k, 0) + len([i, k])\n\
         \x20   return len(d)\n",
    ),
    (
        "instances",
        "class C(object):\n\
         \x20   def __init__(self): self.n = 0\n\
         \x20   def add(self, x): self.n += x\n\
         def go():\n\
         \x20   c = C()\n\
         \x20   for i in xrange(100000): c.add(i)\n\
         \x20   return c.n\n",
    ),
];

fn main() {
    let one = "\
        def entry_%(group, x = 0, y = 0):\n\
        \x20   mute()\n\
        \x20   for card in group:\n\
        \x20       if card.Type == 'Hero' and x > 0:\n\
        \x20           card.moveTo(me.hand)\n\
        \x20           notify('{} draws {}.'.format(me, card))\n\
        \x20   return [c for c in group if c.name]\n\n";
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
        "{text}import time\n\
         best = 1e9\n\
         for _ in range(5):\n\
         \x20   begin = time.time()\n\
         \x20   go()\n\
         \x20   best = min(best, time.time() - begin)\n\
         print best * 1e3\n"
    );
    let out = Command::new("python2.7").args(["-c", &timed]).output().ok()?;
    String::from_utf8(out.stdout).ok()?.trim().parse().ok()
}
