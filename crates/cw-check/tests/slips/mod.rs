//! Slips of authors and what is right beside them, as tests tell them.

use cw_check::{AbilityType, KnownCard, KnownCards, SeveritySettings, check_file};
use cw_program::CardType;
use cw_syntax::{Arena, parse_rules};
use cw_text::{Diagnostic, FileId, Safety, apply_fixes};

pub(crate) const CARD: &str = "0f8fad5b-d9cb-469f-a165-70867728950e";

/// The kinds of cards that rules are written for here.
#[allow(dead_code, reason = "each file of tests uses some of them")]
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Action,
    Reaction,
    /// An ability that is used in the Main phase, once it is not fresh.
    Triggered,
    /// One that works by itself.
    Auto,
    /// One that runs when its character enters.
    Instant,
}

use Kind::{Action, Auto, Instant, Reaction, Triggered};

fn cards(kind: Kind, text: &str) -> KnownCards {
    let (card_type, ability) = match kind {
        Action => (CardType::Action, None),
        Reaction => (CardType::Reaction, None),
        Instant => (CardType::Character, Some(AbilityType::Instant)),
        Triggered => (CardType::Character, Some(AbilityType::Triggered)),
        Auto => (CardType::Character, Some(AbilityType::Auto)),
    };
    let subtype = (card_type == CardType::Character).then(|| "Student".to_owned());
    let card = |id: &str, name: &str, subtype: &str| KnownCard {
        id: id.to_owned(),
        name: name.to_owned(),
        card_type: Some(CardType::Character),
        subtype: Some(subtype.to_owned()),
        ability: None,
        text: String::new(),
    };
    KnownCards::new(vec![
        KnownCard {
            id: CARD.to_owned(),
            name: "Rook".to_owned(),
            card_type: Some(card_type),
            subtype,
            ability,
            text: text.to_owned(),
        },
        card("16fd2706-8baf-433b-82eb-8c7fada847da", "Crumb", "Student"),
        card("16fd2706-8baf-433b-82eb-8c7fada847db", "Gate", "Guard"),
    ])
}

pub(crate) fn found(kind: Kind, text: &str, rule: &str) -> Vec<Diagnostic> {
    let file = format!("[{CARD}]\n{rule}\n");
    let arena = Arena::new();
    let parsed = parse_rules(&arena, FileId(0), &file);
    let settings = SeveritySettings::default();
    check_file(FileId(0), &file, parsed, &cards(kind, text), &settings).diagnostics
}

pub(crate) fn lines(found: &[Diagnostic]) -> String {
    let line = |one: &Diagnostic| {
        let fix = one.fix.as_ref().map_or("", |fix| fix.title.as_str());
        let help = one.help.as_deref().unwrap_or_default();
        format!("{} {} / {help} / {fix}\n", one.code, one.message)
    };
    found.iter().map(line).collect()
}

/// A card, its text, its rule, the code and words of what must be found, and the rule once it is mended;
/// empty where no mend is offered.
pub(crate) type Slip = (
    Kind,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

#[track_caller]
pub(crate) fn told(slips: &[Slip]) {
    let mut out = String::new();
    for (kind, text, rule, code, words, mended) in slips {
        let all = found(*kind, text, rule);
        let lines = lines(&all);
        let is_told = lines
            .lines()
            .any(|line| line.starts_with(code) && line.contains(words));
        if !is_told {
            out += &format!("{kind:?} {rule:?} {text:?}\n  wanted {code} {words}\n  said   {lines}\n");
            continue;
        }
        let of_code: Vec<Diagnostic> = all
            .into_iter()
            .filter(|one| one.code.0 == *code && one.fix.is_some())
            .collect();
        let file = format!("[{CARD}]\n{rule}\n");
        let (after, _) = apply_fixes(FileId(0), &file, &of_code, Safety::Unsafe);
        let after = after.trim_start_matches(&format!("[{CARD}]\n")).trim_end();
        let got = if of_code.is_empty() { "" } else { after };
        if got != *mended {
            out += &format!("{kind:?} {rule:?}\n  mended {mended:?}\n  got    {got:?}\n");
            continue;
        }
        let left = found(*kind, text, after);
        if !mended.is_empty() && !left.is_empty() {
            out += &format!("{kind:?} mended {after:?}\n  said {}\n", self::lines(&left));
        }
    }
    assert_eq!(out, "", "{out}");
}

#[track_caller]
pub(crate) fn silent(right: &[(Kind, &str, &str)]) {
    let mut out = String::new();
    for (kind, text, rule) in right {
        let all = found(*kind, text, rule);
        if !all.is_empty() {
            out += &format!("{kind:?} {rule:?} {text:?}\n  said {}\n", lines(&all));
        }
    }
    assert_eq!(out, "", "{out}");
}
