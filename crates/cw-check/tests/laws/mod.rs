//! The laws of reader, checker and formatter that any text obeys. Tests and fuzz targets share them.

use cw_check::{AbilityType, CheckedFile, KnownCard, KnownCards, SeveritySettings, check_file, check_text};
use cw_program::{CardType, Manual};
use cw_syntax::{Arena, dump, format_rules, parse_python, parse_rules};
use cw_text::{Diagnostic, FileId, FindingFormat, NoCatalog, Safety, Sources, Span, apply_fixes, render};

const FILE: FileId = FileId(0);

/// A text is checked without panic; every place lies in it; findings can be shown in every form;
/// reading it in parts finds the same; and its fixes can be applied until none is left.
pub(crate) fn checking(text: &str) {
    let known = cards(text);
    let unknown = KnownCards::default();
    for (cards, settings) in [(&unknown, SeveritySettings::default()), (&known, settings())] {
        let arena = Arena::new();
        let parsed = parse_rules(&arena, FILE, text);
        let whole = check_file(FILE, text, parsed, cards, &settings);
        whole.diagnostics.iter().for_each(|found| in_text(text, found));
        let parts = check_text(FILE, text, cards, &settings);
        assert_eq!(parts.diagnostics, whole.diagnostics, "{text:?}");
        shown(text, &whole);
        mended(text, cards, &settings, Safety::Safe);
        mended(text, cards, &settings, Safety::Unsafe);
    }
}

/// Laying out twice is laying out once; the tree stays, and no letter is lost.
pub(crate) fn formatting(text: &str) {
    let formatted = format_rules(text, &Manual);
    assert_eq!(format_rules(&formatted, &Manual), formatted, "{text:?}");
    assert_eq!(tree(&formatted), tree(text), "{text:?}");
    assert_eq!(
        letters(&formatted),
        letters(text),
        "{text:?} became {formatted:?}"
    );
}

/// A script is read without panic, and every place lies in it.
pub(crate) fn scripts(text: &str) -> usize {
    let arena = Arena::new();
    let parsed = parse_python(&arena, FILE, text);
    for rule in &parsed.rules {
        assert!(text.get(rule.header.body.range()).is_some(), "{text:?}");
        assert!(text.get(rule.header.span.range()).is_some(), "{text:?}");
    }
    let rules = parsed.rules.len();
    let checked = check_file(FILE, text, parsed, &cards(text), &settings());
    checked.diagnostics.iter().for_each(|found| in_text(text, found));
    rules
}

/// A card for every id in the text: each type and ability in turn.
fn cards(text: &str) -> KnownCards {
    let arena = Arena::new();
    let rules = parse_rules(&arena, FILE, text).rules;
    let types = [CardType::Character, CardType::Action, CardType::Reaction];
    let abilities = [AbilityType::Instant, AbilityType::Triggered, AbilityType::Auto];
    let card = |(index, rule): (usize, &cw_syntax::CardRule<'_>)| KnownCard {
        id: rule.card.text.to_string(),
        name: format!("Rook {index}"),
        card_type: Some(types[index % types.len()]),
        subtype: Some("Warrior".to_string()),
        ability: Some(abilities[index % abilities.len()]),
        text: "Deal 300 damage, then draw 2 cards.".to_string(),
    };
    KnownCards::new(rules.iter().enumerate().map(card).collect())
}

fn settings() -> SeveritySettings {
    let mut settings = SeveritySettings::default();
    for (code, level) in [("RS003", "hint"), ("RS058", "error"), ("RS061", "allow")] {
        settings.set(code, cw_check::SeverityLevel::find(level).expect("it is a level"));
    }
    settings
}

fn in_text(text: &str, found: &Diagnostic) {
    let has = |span: Span| text.get(span.range()).is_some();
    assert!(has(found.span), "{found:?} in {text:?}");
    assert!(
        found.labels.iter().all(|label| has(label.span)),
        "{found:?} in {text:?}"
    );
    let edits = found.fix.iter().flat_map(|fix| &fix.edits);
    assert!(edits.clone().all(|edit| has(edit.span)), "{found:?} in {text:?}");
    // A fix that changes nothing would be offered for ever.
    let changes = |edit: &cw_text::TextEdit| text[edit.span.range()] != edit.text;
    assert!(
        found.fix.is_none() || edits.clone().any(changes),
        "{found:?} in {text:?}"
    );
}

fn shown(text: &str, checked: &CheckedFile) {
    let mut sources = Sources::new();
    sources.add("a.rules", text);
    for format in [
        FindingFormat::Text,
        FindingFormat::Short,
        FindingFormat::Json,
        FindingFormat::Sarif,
        FindingFormat::Github,
    ] {
        let shown = render(format, &sources, &checked.diagnostics, true, &NoCatalog);
        assert!(checked.diagnostics.is_empty() || !shown.is_empty());
    }
}

/// Applies fixes again and again, as `cardwright check --fix` does: each is one finding less to mend, or
/// at least a text that can be read.
fn mended(text: &str, cards: &KnownCards, settings: &SeveritySettings, allowed: Safety) {
    let mut text = text.to_string();
    for _ in 0..4 {
        let found = check_text(FILE, &text, cards, settings).diagnostics;
        found.iter().for_each(|one| in_text(&text, one));
        let (next, count) = apply_fixes(FILE, &text, &found, allowed);
        assert_eq!(count == 0, next == text, "{text:?}");
        if count == 0 {
            break;
        }
        text = next;
    }
}

/// The trees without case and blanks.
fn tree(text: &str) -> String {
    let arena = Arena::new();
    let file = parse_rules(&arena, FILE, text);
    let dumps: String = file.rules.iter().map(|rule| dump(&rule.rule)).collect();
    let words: Vec<&str> = dumps.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Letters, comments included, without case and order.
fn letters(text: &str) -> Vec<char> {
    let lower = text.to_lowercase();
    let mut letters: Vec<char> = lower.chars().filter(|letter| letter.is_alphabetic()).collect();
    letters.sort_unstable();
    letters
}
