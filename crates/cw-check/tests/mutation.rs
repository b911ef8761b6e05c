//! A thousand slips of the pen in the demo rules: how many are reported, and where.

use std::path::Path;

use cw_check::{AbilityType, KnownCard, KnownCards, SeveritySettings, check_file};
use cw_octgn::{Folder, Package};
use cw_program::{
    CardType, ClosedWord, CommandName, CostKind, EventName, FilterFlag, Keyword, PhaseName, RuleFlag,
    compile, zone_words,
};
use cw_syntax::{Arena, RuleTokenKind, parse_rules, tokens};
use cw_text::{Diagnostic, FileId, Span};

const SLIPS: usize = 1000;

/// A small generator of our own: the same slips on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        // Steele and Vigna's splitmix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}

fn demo() -> Option<(String, KnownCards)> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/saltmarsh"));
    let text = std::fs::read_to_string(root.join("Rules/core.rules")).ok()?;
    let package = Package::read(&Folder::new(root)).ok()?;
    let value = |card: &cw_octgn::PackageCard, name: &str| match card.value(name) {
        Some(cw_octgn::PropertyValue::Text(text)) => text.to_string(),
        _ => String::new(),
    };
    let cards = package.cards().map(|(_, card)| KnownCard {
        id: card.id.value.to_string(),
        name: card.name.value.to_string(),
        card_type: CardType::find(&value(card, "Kind")),
        subtype: Some(value(card, "Subtype")).filter(|subtype| !subtype.is_empty()),
        ability: Some(AbilityType::Triggered),
        text: value(card, "Rules"),
    });
    Some((text, KnownCards::new(cards.collect())))
}

fn findings(text: &str, cards: &KnownCards) -> Vec<Diagnostic> {
    let arena = Arena::new();
    check_file(
        FileId(0),
        text,
        parse_rules(&arena, FileId(0), text),
        cards,
        &SeveritySettings::default(),
    )
    .diagnostics
}

/// What the rule means, without places.
fn meaning(text: &str, cards: &KnownCards) -> String {
    let arena = Arena::new();
    let file = parse_rules(&arena, FileId(0), text);
    let mut out = String::new();
    for rule in &file.rules {
        let program = format!("{:?}", compile(FileId(0), text, &rule.rule, cards).rule);
        // Places differ; what they point at does not.
        let mut parts = program.split("span: ");
        out.push_str(parts.next().unwrap_or_default());
        for part in parts {
            out.push_str(part.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.'));
        }
    }
    out
}

/// A slip: the new text, the place in it, and what stood and stands there.
struct Slip {
    text: String,
    span: Span,
    before: String,
    after: String,
}

fn slip(text: &str, lines: &[(usize, usize)], random: &mut Random) -> Option<Slip> {
    let (start, end) = lines[random.below(lines.len())];
    let line = &text[start..end];
    let pieces: Vec<_> = tokens(line)
        .into_iter()
        .filter(|token| token.kind != RuleTokenKind::Comment)
        .collect();
    let token = pieces[random.below(pieces.len())];
    // Quoted text is the author's own: a question, a name, a label.
    if matches!(token.kind, RuleTokenKind::Quoted | RuleTokenKind::StrayQuote) || line.starts_with("label") {
        return None;
    }
    let old = &line[token.span().range()];
    let at = start + token.start as usize;
    let letters: Vec<char> = old.chars().collect();
    let place = random.below(letters.len());
    let mut changed = letters.clone();
    match random.below(6) {
        0 => {
            changed.remove(place);
        }
        1 => changed.insert(place, letters[random.below(letters.len())]),
        2 if letters.len() > 1 => {
            let other = (place + 1).min(letters.len() - 1);
            changed.swap(place, other);
        }
        3 => changed[place] = char::from(b'a' + random.below(26) as u8),
        4 => changed.clear(),
        _ => changed.insert(place, char::from(b"()[]{};,&:@~?=<>#\""[random.below(18)])),
    }
    let new: String = changed.into_iter().collect();
    if new == old {
        return None;
    }
    let mut text = text.to_string();
    text.replace_range(at..at + old.len(), &new);
    Some(Slip {
        text,
        span: Span::new(at, at + new.len()),
        before: old.to_string(),
        after: new,
    })
}

fn is_number_or_operator(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
        || [
            "&", "&&", "||", "+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!=", "~", "?", "^", "!", "",
            ",", ";", ".", "%",
        ]
        .contains(&text)
}

fn is_name(text: &str, cards: &KnownCards) -> bool {
    fn has<W: ClosedWord>(text: &str) -> bool {
        W::find(text).is_some()
    }
    let lower = text.to_lowercase();
    let others = [
        "me",
        "opp",
        "this",
        "tgt",
        "card",
        "all",
        "any",
        "player",
        "players",
        "characters",
        "actions",
        "reactions",
        "to",
        "from",
        "target",
        "s",
        "r",
        "f",
        "d",
        "x",
        "bp",
        "sp",
        "hp",
        "in",
        "or",
        "and",
        "not",
        "if",
        "is",
        "char",
        "once",
        "ring",
        "hand",
        "deck",
        "discards",
        "auto",
        "action",
        "actions",
        "label",
        "vars",
        "abs",
        "max",
        "min",
        "int",
        "id",
        "set",
        "map",
        "moved",
        "top",
        "bottom",
        "true",
        "false",
        "size",
    ];
    use cw_program::PackageNames;
    others.contains(&lower.as_str())
        || has::<CommandName>(text)
        || has::<Keyword>(text)
        || has::<EventName>(text)
        || has::<FilterFlag>(text)
        || has::<PhaseName>(text)
        || has::<RuleFlag>(text)
        || has::<CostKind>(text)
        || zone_words().iter().any(|zone| zone.eq_ignore_ascii_case(text))
        || cards.subtype(&lower).is_some()
        || cw_program::event_name(text).is_some()
}

/// The demo rules have no error; their warnings are explained by comments in them.
#[test]
fn demo_rules_have_no_error() {
    let Some((text, cards)) = demo() else {
        eprintln!("SKIPPED: the demo package is not here");
        return;
    };
    let severe = |one: &&Diagnostic| one.severity == cw_text::Severity::Error;
    let found = findings(&text, &cards);
    assert_eq!(
        found.iter().filter(severe).collect::<Vec<_>>(),
        Vec::<&Diagnostic>::new()
    );
}

#[test]
fn slips_are_reported_where_they_are() {
    let Some((text, cards)) = demo() else {
        eprintln!("SKIPPED: the demo package is not here");
        return;
    };
    let errors = |found: &[Diagnostic]| found.len();
    let before = findings(&text, &cards);
    let known: Vec<(&str, String)> = before
        .iter()
        .map(|one| (one.code.0, one.message.clone()))
        .collect();
    let original = meaning(&text, &cards);
    let mut lines = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_end();
        if !body.is_empty() && !body.starts_with(['#', '[']) {
            lines.push((at, at + body.len()));
        }
        at += line.len();
    }
    let mut random = Random(7);
    let (mut tried, mut excused, mut reported, mut placed) = (0, 0, 0, 0);
    let mut missed = Vec::new();
    while tried < SLIPS {
        let Some(slip) = slip(&text, &lines, &mut random) else {
            continue;
        };
        tried += 1;
        let new: Vec<Diagnostic> = findings(&slip.text, &cards)
            .into_iter()
            .filter(|one| {
                !known
                    .iter()
                    .any(|(code, message)| *code == one.code.0 && *message == one.message)
            })
            .collect();
        let overlaps = new.iter().any(|one| {
            let labels = one.labels.iter().map(|label| label.span);
            std::iter::once(one.span)
                .chain(labels)
                .any(|span| span.touches(slip.span))
        });
        if errors(&new) > 0 {
            reported += 1;
            placed += usize::from(overlaps);
            if !overlaps && missed.len() < 60 {
                missed.push(format!(
                    "misplaced {:?} -> {:?} at {:?}: {} {:?} {}",
                    slip.before, slip.after, slip.span, new[0].code, new[0].span, new[0].message
                ));
            }
            continue;
        }
        // One valid name, number or operator turned into another, or nothing changed.
        let valid = |text: &str| is_number_or_operator(text) || is_name(text, &cards);
        let excusable =
            (valid(&slip.before) && valid(&slip.after)) || meaning(&slip.text, &cards) == original;
        if excusable {
            excused += 1;
        } else if missed.len() < 60 {
            let from = slip.text[..slip.span.start as usize]
                .rfind('\n')
                .map_or(0, |at| at + 1);
            let line = slip.text[from..].lines().next().unwrap_or_default();
            missed.push(format!("silent {:?} -> {:?}: {line}", slip.before, slip.after));
        }
    }
    let share = placed as f64 / (tried - excused) as f64;
    let summary = format!(
        "{tried} slips, {excused} excused, {reported} reported, {placed} at their place: {:.1} %",
        share * 100.0
    );
    eprintln!("{summary}\n{}", missed.join("\n"));
    assert!(share >= 0.95, "{summary}\n{}", missed.join("\n"));
}
