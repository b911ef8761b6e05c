//! Evaluations per second of five typical card expressions, beside the same five as compiled functions
//! of the machine's CPython 3, measured in the same run. Prints a table, then one JSON object per line.
#![expect(clippy::print_stdout, reason = "a benchmark reports on standard output")]

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use cw_formula::{
    Arena, CardKind, EngineName, Error, ExprLimits, FormulaPlace, FormulaScope, GameFacts, GetTargetsFilter,
    HostObject, Value, ValueAttribute, compile,
};

/// As a card says it, and as a Python programmer would.
const CASES: [(&str, &str); 5] = [
    ("me.hand.size >= 7", "len(me.hand) >= 7"),
    ("tgt.0.bp + 100", "tgt[0].bp + 100"),
    ("not alone and opp.sp > 3", "not alone() and opp.sp > 3"),
    (
        "all card.bp <= 300 in me.ring",
        "all(card.bp <= 300 for card in me.ring)",
    ),
    (
        "abs(this.sp) * 2 if blocker.bp >= 600 else 0",
        "abs(this.sp) * 2 if blocker.bp >= 600 else 0",
    ),
];

const PYTHON: &str = r"
import sys, time
class Card:
    def __init__(self, bp, sp): self.bp, self.sp = bp, sp
class Player:
    def __init__(self, sp, hand, ring): self.sp, self.hand, self.ring = sp, hand, ring
cards = [Card(100 * i, -i) for i in range(1, 9)]
me = Player(4, cards[:5], cards[:3]); opp = Player(6, [], cards[3:6])
this, blocker, tgt = cards[1], cards[7], cards[2:4]
def alone(): return len(me.ring) == 1
for source in sys.argv[1:]:
    f = eval('lambda: ' + source)
    best, rounds = 1e9, 20000
    for _ in range(15):
        start = time.perf_counter()
        for _ in range(rounds): f()
        best = min(best, time.perf_counter() - start)
    empty = 1e9
    for _ in range(15):
        start = time.perf_counter()
        for _ in range(rounds): pass
        empty = min(empty, time.perf_counter() - start)
    print((best - empty) / rounds)
";

/// The same little game: cards 100 to 107, lists 10 to 12, players 1 and 2.
struct Table {
    bp: [i64; 8],
    sp: [i64; 8],
}

fn list(object: u64) -> Option<std::ops::Range<u64>> {
    match object {
        10 => Some(100..105),
        11 => Some(100..103),
        12 => Some(102..104),
        _ => None,
    }
}

impl GameFacts for Table {
    fn name(&mut self, name: EngineName) -> Result<Value, Error> {
        Ok(match name {
            EngineName::Me => Value::Host(HostObject(1)),
            EngineName::Opp => Value::Host(HostObject(2)),
            EngineName::This => Value::Host(HostObject(101)),
            EngineName::Blocker => Value::Host(HostObject(107)),
            EngineName::Targets => Value::Host(HostObject(12)),
            EngineName::Alone => Value::Bool(list(11).is_some_and(|ring| ring.end - ring.start == 1)),
            _ => Value::None,
        })
    }

    fn attribute(&mut self, object: HostObject, attribute: ValueAttribute) -> Result<Option<Value>, Error> {
        let card = object.0.wrapping_sub(100) as usize;
        Ok(match attribute {
            ValueAttribute::Bp => self.bp.get(card).map(|bp| Value::Int(*bp)),
            ValueAttribute::Sp if object.0 < 3 => Some(Value::Int(2 + 2 * object.0 as i64)),
            ValueAttribute::Sp => self.sp.get(card).map(|sp| Value::Int(*sp)),
            ValueAttribute::Hand => Some(Value::Host(HostObject(10))),
            ValueAttribute::Ring => Some(Value::Host(HostObject(11))),
            _ => None,
        })
    }

    fn is_kind(&mut self, _: HostObject, kind: CardKind) -> Option<bool> {
        Some(kind == CardKind::Character)
    }

    fn in_united_attack(&mut self, _: HostObject) -> bool {
        false
    }

    fn flip_coin(&mut self) -> Result<bool, Error> {
        Err(Error::suspend())
    }

    fn targets(&mut self, _: GetTargetsFilter<'_>) -> Result<Value, Error> {
        Err(Error::suspend())
    }

    fn len(&mut self, object: HostObject) -> Option<usize> {
        list(object.0).map(|list| (list.end - list.start) as usize)
    }

    fn item(&mut self, object: HostObject, index: usize) -> Result<Value, Error> {
        Ok(list(object.0).map_or(Value::None, |list| {
            Value::Host(HostObject(list.start + index as u64))
        }))
    }

    fn type_name(&self, _: HostObject) -> &'static str {
        "card"
    }
}

/// Seconds per evaluation, the best of several rounds.
fn measure(text: &str) -> f64 {
    const ROUNDS: u32 = 50_000;
    let formula = compile(text, &FormulaScope::new(FormulaPlace::Condition), &Arena::new())
        .expect("a card's expression");
    let mut table = Table {
        bp: std::array::from_fn(|at| 100 * (at as i64 + 1)),
        sp: std::array::from_fn(|at| -(at as i64) - 1),
    };
    let limits = ExprLimits::CARD;
    let mut best = Duration::MAX;
    for _ in 0..15 {
        let start = Instant::now();
        for _ in 0..ROUNDS {
            let value = black_box(&formula).eval(&mut table, &limits);
            assert!(black_box(value).is_ok(), "{text}");
        }
        best = best.min(start.elapsed());
    }
    best.as_secs_f64() / f64::from(ROUNDS)
}

/// The same by CPython 3, if there is one.
fn python() -> Option<Vec<f64>> {
    let sources = CASES.map(|(_, python)| python);
    let output = Command::new("python3")
        .arg("-c")
        .arg(PYTHON)
        .args(sources)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let times: Vec<f64> = text.lines().filter_map(|line| line.trim().parse().ok()).collect();
    (times.len() == CASES.len()).then_some(times)
}

fn main() {
    // `cargo test --benches` only wants to see it start.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let ours: Vec<f64> = CASES.iter().map(|(text, _)| measure(text)).collect();
    let theirs = python();
    if theirs.is_none() {
        println!("no python3 here: no comparison");
    }
    println!(
        "{:<48} {:>12} {:>12} {:>6}",
        "expression", "per second", "CPython 3", "times"
    );
    for (at, (text, _)) in CASES.iter().enumerate() {
        let python = theirs.as_ref().map(|times| times[at]);
        let (rate, ratio) = match python {
            Some(python) => (
                format!("{:.0}", 1.0 / python),
                format!("{:.1}", python / ours[at]),
            ),
            None => ("-".to_owned(), "-".to_owned()),
        };
        println!("{text:<48} {:>12.0} {rate:>12} {ratio:>6}", 1.0 / ours[at]);
    }
    for (at, (text, _)) in CASES.iter().enumerate() {
        let python = theirs
            .as_ref()
            .map_or("null".to_owned(), |times| format!("{:.1}", 1.0 / times[at]));
        println!(
            "{{\"expression\": \"{text}\", \"per_second\": {:.1}, \"cpython3_per_second\": {python}}}",
            1.0 / ours[at]
        );
    }
}
