//! Rules per second on one core, stage by stage: a table, then one JSON line per row. Words on the
//! command line choose the rows that hold them; `--once` runs each a single time, for profilers.
//!
//! Two corpora: `demo`, the rules of the demo game, which use the whole language; and `usual`, what
//! most cards have: one line. Nothing is remembered from one rule to the next, nor from one round to
//! the next, except buffers.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a benchmark reads the clock and files, and prints"
)]

use std::hint::black_box;
use std::time::Instant;

use cw_check::{KnownCard, KnownCards, SeveritySettings, check_text};
use cw_program::{CardType, Compiled, compile_into};
use cw_syntax::{Arena, AsWritten, format_rules, parse_rules};
use cw_text::FileId;

const DEMO: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../games/saltmarsh/Rules/core.rules"
);

/// Rules as cards have them: most are one line.
const USUAL: [&str; 16] = [
    "action = {F}: damage(300) to(opp,character@oppRing)",
    "action = draw(2) & discard()",
    "action = moveTo(ctrlHand) to(character[frozen]@oppRing)",
    "abilities = unblockable",
    "auto = ~myEndPhase~ [[if me.hand.size >= 7]] sp(+1) to(me)",
    "action = {D}{F}: bp(+300) to(^character[powerful]@myRing)",
    "target = action<1>@deck\naction = {F}: moveTo(hand, true) & shuffle()",
    "action = {S}: destroy() to(<r>character[bp<=500]@oppRing)",
    "action = each(card.bp >= 500 in opp.ring => draw())",
    "auto = ?canBlock:this? [[if blocker.bp >= 600]]",
    "action = {D}: [[if discarded.0.sp > 1]] bp(+500) to(this) [[else]] hp(+200) to(me)",
    "action = +cantblock to(characters@oppRing) oppUeot",
    "auto = disableRule(piercing)",
    "vars = _low := getTargets('characters[bp<=200]@oppRing')\naction = damage(_low.size * 100) to(opp)",
    "action = {D(<2>)}{F}: draw(3) & loseLife(200)",
    "requisite = warrior<1>[fresh]@oppRing\naction = freeze() to(warrior[fresh]@oppRing)",
];

/// Rules of a set: as many as the game of the specification has.
const SET: usize = 320;
/// Rules of the large file.
const COUNT: usize = 100_000;
/// What is done with it.
const LARGE: [&str; 3] = [
    "100,000 in one file: read",
    "100,000 in one file: checked",
    "100,000 in one file: laid out",
];
/// Rules per round: short, so that some rounds are not disturbed by whatever else the machine does.
const ROUND: usize = 5_000;

struct Table {
    wanted: Vec<String>,
    once: bool,
    rows: Vec<(String, f64)>,
}

fn main() {
    let wanted = std::env::args().skip(1).filter(|word| !word.starts_with("--"));
    let mut table = Table {
        wanted: wanted.collect(),
        once: std::env::args().any(|word| word == "--once"),
        rows: Vec::new(),
    };
    let card = |index| KnownCard {
        id: id(index),
        name: format!("Rook {index}"),
        card_type: Some(CardType::Character),
        subtype: Some("Warrior".to_string()),
        ..KnownCard::default()
    };
    let cards = KnownCards::new((0..SET).map(card).collect());
    let printed = |index| KnownCard {
        text: format!(
            "If you have {} SP or more, draw a card. In your Activate Phase, you gain 50 HP.",
            index % 7 + 1
        ),
        ..card(index)
    };
    let printed = KnownCards::new((0..SET).map(printed).collect());
    let demo = std::fs::read_to_string(DEMO).expect("the demo's rules are in the repository");
    stages(&mut table, "demo", &demo, &KnownCards::default());
    stages(&mut table, "usual", &sections(SET), &cards);
    stages(&mut table, "with texts", &sections(SET), &printed);

    if LARGE.iter().any(|name| table.wants(name)) {
        large_file(&mut table);
    }
    table.print();
}

fn large_file(table: &mut Table) {
    let large = sections(COUNT);
    table.row(LARGE[0], COUNT, || {
        let arena = Arena::new();
        black_box(parse_rules(&arena, FileId(0), &large));
    });
    table.row(LARGE[1], COUNT, || {
        let (cards, settings) = (KnownCards::default(), SeveritySettings::default());
        black_box(check_text(FileId(0), &large, &cards, &settings));
    });
    table.row(LARGE[2], COUNT, || {
        black_box(format_rules(&large, &AsWritten));
    });
}

fn id(index: usize) -> String {
    format!("0f8fad5b-d9cb-469f-a165-{index:012x}")
}

/// The usual rules again and again, each under a card's id.
fn sections(count: usize) -> String {
    let mut file = String::new();
    for (index, rule) in USUAL.iter().cycle().take(count).enumerate() {
        file.push_str(&format!("[{}]\n{rule}\n\n", id(index)));
    }
    file
}

/// Reads, compiles and checks the rules of one file, round after round.
fn stages(table: &mut Table, corpus: &str, text: &str, cards: &KnownCards) {
    let mut arena = Arena::new();
    let rules = parse_rules(&arena, FileId(0), text).rules.len();
    let rounds = ROUND / rules;
    table.row(&format!("{corpus}: parse"), rounds * rules, || {
        for _ in 0..rounds {
            black_box(parse_rules(&arena, FileId(0), text));
            arena.reset();
        }
    });
    let (mut arena, mut other, mut compiled) = (Arena::new(), Arena::new(), Compiled::default());
    table.row(&format!("{corpus}: parse + compile"), rounds * rules, || {
        for _ in 0..rounds {
            let parsed = parse_rules(&arena, FileId(0), text);
            for rule in &parsed.rules {
                compile_into(&mut compiled, &other, FileId(0), text, &rule.rule, cards);
                black_box(&compiled);
                other.reset();
            }
            drop(parsed);
            arena.reset();
        }
    });
    let settings = SeveritySettings::default();
    table.row(
        &format!("{corpus}: parse + compile + check"),
        rounds * rules,
        || {
            for _ in 0..rounds {
                black_box(check_text(FileId(0), text, cards, &settings));
            }
        },
    );
}

impl Table {
    fn wants(&self, name: &str) -> bool {
        let mut words = self.wanted.iter();
        self.wanted.is_empty() || words.any(|word| name.contains(word.as_str()))
    }

    /// The best of some rounds of `count` rules.
    fn row(&mut self, name: &str, count: usize, mut round: impl FnMut()) {
        if !self.wants(name) {
            return;
        }
        let rounds = if self.once {
            1
        } else {
            (3 * COUNT / count).clamp(5, 40)
        };
        let best = (0..rounds)
            .map(|_| {
                let start = Instant::now();
                round();
                start.elapsed()
            })
            .min()
            .unwrap_or_default();
        self.rows
            .push((name.to_string(), count as f64 / best.as_secs_f64()));
    }

    fn print(&self) {
        for (name, rate) in &self.rows {
            let time = COUNT as f64 / rate * 1000.0;
            println!("{name:36} {rate:>12.0} rules/s {time:>8.1} ms per 100,000");
        }
        for (name, rate) in &self.rows {
            println!("{{\"bench\":\"{name}\",\"rules_per_second\":{rate:.0}}}");
        }
    }
}
