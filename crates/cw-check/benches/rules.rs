//! Rules per second on one core, stage by stage: a table, then one JSON line per row.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_types,
    reason = "a benchmark reads the clock and prints"
)]

use std::hint::black_box;
use std::time::Instant;

use cw_check::{Card, Cards, Settings, check_file, check_rule};
use cw_program::{CardType, compile};
use cw_syntax::{Arena, AsWritten, format_rules, parse, parse_rules};
use cw_text::{FileId, Span};

/// Rules as cards have them: most are one line.
const RULES: [&str; 16] = [
    "action = {F}: damage(300) to(opp,character@oppRing)",
    "action = draw(2) & discard()",
    "action = moveTo(ctrlHand) to(character[frozen]@oppRing)",
    "abilities = unblockable",
    "auto = ~myEndPhase~ [[if me.hand.size >= 7]] sp(+1) to(me)",
    "action = {D}{F}: bp(+300) to(^character[powerful]@myRing)",
    "target = character@deck\naction = {F}: moveTo(hand, true) & shuffle()",
    "action = {S}: destroy() to(<r>character[bp<=500]@oppRing)",
    "action = each(card.bp >= 500 in opp.ring => draw())",
    "auto = ?oppCanBlock:this? [[if blocker.bp >= 600]]",
    "action = [[if discarded.size > 1]] bp(+500) to(this) [[else]] hp(+200) to(me)",
    "action = +cantblock to(characters@oppRing) oppUeot",
    "auto = disableRule(piercing)",
    "vars = _low := getTargets('characters[bp<=200]@oppRing')\naction = damage(_low.size * 100) to(opp)",
    "action = {D(<2>)}{F}: draw(3) & loseLife(200)",
    "requisite = warrior<1>[fresh]@oppRing\naction = freeze() to(warrior[fresh]@oppRing)",
];

const COUNT: usize = 100_000;

fn main() {
    let cards = Cards::new(vec![Card {
        id: "0f8fad5b-d9cb-469f-a165-70867728950e".to_string(),
        name: "Rook".to_string(),
        card_type: Some(CardType::Character),
        subtype: Some("Warrior".to_string()),
        ..Card::default()
    }]);
    let whole: Vec<&str> = RULES.iter().copied().cycle().take(COUNT).collect();
    let mut file = String::new();
    for (index, rule) in whole.iter().enumerate() {
        file.push_str(&format!("[0f8fad5b-d9cb-469f-a165-{index:012x}]\n{rule}\n\n"));
    }
    let mut rows: Vec<(&str, f64)> = Vec::new();
    let mut arena = Arena::new();

    rows.push((
        "parse",
        per_second(|| {
            for text in &whole {
                black_box(parse(&arena, FileId(0), text, Span::new(0, text.len())));
                arena.reset();
            }
        }),
    ));
    let mut arena = Arena::new();
    rows.push((
        "parse + compile",
        per_second(|| {
            for text in &whole {
                let parsed = parse(&arena, FileId(0), text, Span::new(0, text.len()));
                black_box(compile(FileId(0), text, &parsed.rule, &cards));
                drop(parsed);
                arena.reset();
            }
        }),
    ));
    let mut arena = Arena::new();
    rows.push((
        "parse + compile + check",
        per_second(|| {
            for text in &whole {
                let parsed = parse(&arena, FileId(0), text, Span::new(0, text.len()));
                black_box(check_rule(FileId(0), text, &parsed.rule, &cards, None));
                drop(parsed);
                arena.reset();
            }
        }),
    ));
    rows.push((
        "one file of 100,000 rules, read",
        per_second(|| {
            let arena = Arena::new();
            black_box(parse_rules(&arena, FileId(0), &file));
        }),
    ));
    rows.push((
        "one file of 100,000 rules, checked",
        per_second(|| {
            let arena = Arena::new();
            let parsed = parse_rules(&arena, FileId(0), &file);
            black_box(check_file(
                FileId(0),
                &file,
                parsed,
                &Cards::default(),
                &Settings::default(),
            ));
        }),
    ));
    rows.push((
        "one file of 100,000 rules, laid out",
        per_second(|| {
            black_box(format_rules(&file, &AsWritten));
        }),
    ));
    for (name, rate) in &rows {
        println!(
            "{name:36} {rate:>12.0} rules/s {:>8.1} ms per 100,000",
            COUNT as f64 / rate * 1000.0
        );
    }
    for (name, rate) in &rows {
        println!("{{\"bench\":\"{name}\",\"rules_per_second\":{rate:.0}}}");
    }
}

/// The best of five rounds of [`COUNT`] rules.
fn per_second(mut round: impl FnMut()) -> f64 {
    let best = (0..5)
        .map(|_| {
            let start = Instant::now();
            round();
            start.elapsed()
        })
        .min()
        .unwrap_or_default();
    COUNT as f64 / best.as_secs_f64()
}
