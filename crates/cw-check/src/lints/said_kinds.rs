//! The printed text and the kinds that a rule names: subtypes, types of cards, piles and whose they are.
//! Where the rule names one that the text does not, and the text one that the rule does not, one of them is
//! wrong (RS093).

use std::borrow::Cow;

use cw_program::{ClosedWord as _, Keyword};
use cw_syntax::{PropertyValueSyntax, rs};
use cw_text::Span;
use memchr::memchr_iter;

use super::Lints;
use super::said::{SaidText, singular};
use crate::groups::StatementGroup;

pub(super) fn run(lints: &mut Lints<'_, '_>, said: &SaidText) {
    // Of several choices nobody knows which one the words are about.
    if lints.keys.actions > 1 {
        return;
    }
    let words = rule_words(lints);
    subtypes(lints, &words, said);
    card_types(lints, &words, said);
    piles(lints, &words, said);
    pile_sides(lints, &words, said);
    keywords(lints, &words, said);
}

/// A word of a rule in lower case.
struct RuleWord<'a> {
    lower: Cow<'a, str>,
    span: Span,
    /// Whether `@` stands before it.
    is_zone: bool,
    /// Whether a dot does: what an expression asks of something, as in `me.hand`.
    is_member: bool,
    /// Whether it stands in double quotes.
    is_quoted: bool,
}

/// The words behind the keys, without labels and variables.
fn rule_words<'a>(lints: &Lints<'a, '_>) -> Vec<RuleWord<'a>> {
    let mut words = Vec::new();
    let (rule, first) = (lints.lower, lints.rule.span.start as usize);
    for property in lints.rule.properties {
        // A variable may be used for nothing that the text tells.
        if matches!(
            property.value,
            PropertyValueSyntax::Label(_) | PropertyValueSyntax::Vars(_)
        ) {
            continue;
        }
        let from = property.text.span.start as usize;
        let text = &lints.text[property.text.span.range()];
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
        let (mut at, mut quotes) = (0, 0);
        while let Some(start) = text[at..].find(is_part).map(|found| at + found) {
            let length = text[start..].find(|letter| !is_part(letter));
            let end = length.map_or(text.len(), |length| start + length);
            quotes += memchr_iter(b'"', &text.as_bytes()[at..start]).count();
            let place = from - first + start..from - first + end;
            let lower = match text[start..end].is_ascii() {
                true => Cow::Borrowed(rule[place].trim_start_matches('-')),
                false => Cow::Owned(text[start..end].trim_start_matches('-').to_lowercase()),
            };
            words.push(RuleWord {
                lower,
                span: Span::new(from + start, from + end),
                is_zone: text[..start].ends_with('@'),
                is_member: text[..start].ends_with('.'),
                is_quoted: quotes % 2 == 1,
            });
            at = end;
        }
    }
    words
}

/// Tells of a word for which the text has another.
fn tell(lints: &mut Lints<'_, '_>, span: Span, message: String, text: &str) {
    lints.rewrite(rs::RS093, span, message, text);
}

/// R205, RS093: another subtype than the text's.
fn subtypes(lints: &mut Lints<'_, '_>, words: &[RuleWord<'_>], said: &SaidText) {
    let known = |word: &str| {
        let whole = lints.names.subtype(word).map(|_| word.to_owned());
        whole.or_else(|| {
            lints
                .names
                .subtype(singular(word))
                .map(|_| singular(word).to_owned())
        })
    };
    let in_rule: Vec<(&RuleWord<'_>, String)> = words
        .iter()
        .filter(|word| !word.is_quoted && card_type(&word.lower).is_none())
        .filter_map(|word| Some((word, known(&word.lower)?)))
        .collect();
    if in_rule.is_empty() {
        return;
    }
    let mut in_text: Vec<String> = said.words().into_iter().filter_map(known).collect();
    in_text.sort_unstable();
    in_text.dedup();
    let odd: Vec<&(&RuleWord<'_>, String)> = in_rule
        .iter()
        .filter(|(_, name)| !in_text.contains(name))
        .collect();
    let missing: Vec<&String> = in_text
        .iter()
        .filter(|name| in_rule.iter().all(|(_, other)| other != *name) && card_type(name).is_none())
        .collect();
    let ([(word, _)], [name]) = (&odd[..], &missing[..]) else {
        return;
    };
    let is_plural = known(&word.lower).is_some_and(|known| known != word.lower);
    let text = if is_plural {
        format!("{name}s")
    } else {
        (*name).clone()
    };
    let (span, message) = (
        word.span,
        format!("the rule says `{}`, the card's text {name}", word.lower),
    );
    tell(lints, span, message, &text);
}

/// The type of a card, in the singular.
fn card_type(word: &str) -> Option<&'static str> {
    ["action", "reaction", "character"]
        .into_iter()
        .find(|known| word == *known || word.strip_suffix('s') == Some(known))
}

/// R204, RS093: cards of another type than the text's.
fn card_types(lints: &mut Lints<'_, '_>, words: &[RuleWord<'_>], said: &SaidText) {
    let in_rule: Vec<(&RuleWord<'_>, &str)> = words
        .iter()
        .filter_map(|word| Some((word, card_type(&word.lower)?)))
        .collect();
    let mut in_text: Vec<&str> = Vec::new();
    let text_words = said.words();
    for (at, word) in text_words.iter().enumerate() {
        // `this character` is the card itself, and an action of the opponent's may be anything.
        let before = at.checked_sub(1).map_or("", |at| text_words[at]);
        if let Some(one) = card_type(word)
            && !["this", "that", "the", "each", "enemy"].contains(&before)
            && !in_text.contains(&one)
        {
            in_text.push(one);
        }
    }
    let any_said = |name: &str| said.words().into_iter().any(|word| card_type(word) == Some(name));
    let odd: Vec<&(&RuleWord<'_>, &str)> = in_rule.iter().filter(|(_, name)| !any_said(name)).collect();
    let missing: Vec<&str> = in_text
        .iter()
        .copied()
        .filter(|name| in_rule.iter().all(|(_, other)| other != name))
        .collect();
    let ([(word, _)], [name]) = (&odd[..], &missing[..]) else {
        return;
    };
    let text = if word.lower.ends_with('s') {
        format!("{name}s")
    } else {
        (*name).to_owned()
    };
    let (span, message) = (
        word.span,
        format!("the rule says `{}`, the card's text {name}", word.lower),
    );
    tell(lints, span, message, &text);
}

const PILES: [&str; 4] = ["hand", "deck", "discards", "removed"];

/// Whose pile a word of a rule names, and which.
fn pile(word: &str) -> Option<(&str, &'static str)> {
    PILES
        .into_iter()
        .find_map(|pile| word.strip_suffix(pile).map(|side| (side, pile)))
        .filter(|(side, _)| ["", "my", "opp", "ctrl", "any", "same"].contains(side))
}

/// Whether a text speaks of a pile.
fn speaks_of(said: &SaidText, pile: &str) -> bool {
    match pile {
        "hand" => said.says_one(&["hand|hands", "take|takes|draw|draws|holds|holding"]),
        "deck" => said.says_one(&["deck|decks|library", "top|bottom"]),
        "discards" => said.says_one(&[
            "discard|discards pile|piles",
            "discards|discarded|graveyard|trash",
        ]),
        _ => said.says_one(&["removed|remove|removes|exile|exiled"]),
    }
}

/// What texts say for the keyword abilities.
const KEYWORDS: &[(Keyword, &[&str])] = &[
    (
        Keyword::Unblockable,
        &[
            "cannot|can't|never be ?ever countered|blocked|counter-attacked",
            "nobody|none .. can counter|block ?it",
            "is unblockable",
        ],
    ),
    (
        Keyword::CantAttack,
        &["cannot|can't|never ?ever attack|attacks", "can neither attack"],
    ),
    (
        Keyword::CantBlock,
        &[
            "cannot|can't|never ?ever counter|counters|block|blocks|counter-attack|counter-attacks",
            "can neither|not counter|block",
            "nor counter|block|counter-attack",
        ],
    ),
    (
        Keyword::UnlimitedBackup,
        &["backed up any|several|unlimited|more", "backed up .. times|often"],
    ),
    (
        Keyword::Unfreezable,
        &[
            "not|doesn't|don't|never|without freeze|freezes|freezing",
            "cannot|can't be frozen",
        ],
    ),
    (Keyword::Pierce, &["pierce|pierces|piercing"]),
    (
        Keyword::PreventPierce,
        &["no|not|nothing|never|neither|without .. pierce|pierces|piercing|pierced"],
    ),
    (
        Keyword::Rush,
        &[
            "not|never|isn't|aren't fresh",
            "turn .. played|enters|comes",
            "at once",
        ],
    ),
    (
        Keyword::Frosted,
        &[
            "not|doesn't|don't|cannot|never unfreeze|unfreezes",
            "stays|stay|remain|remains|keeps|kept frozen",
        ],
    ),
    (
        Keyword::CantPlayAc,
        &["cannot|can't|not|or|and|nor ?play ?any action|actions"],
    ),
    (
        Keyword::CantPlayRe,
        &["cannot|can't|not|or|and|nor ?play ?any reaction|reactions"],
    ),
];

/// R801, RS093: another keyword ability than the text's.
fn keywords(lints: &mut Lints<'_, '_>, words: &[RuleWord<'_>], said: &SaidText) {
    let known = |word: &RuleWord<'_>| Keyword::find(&word.lower);
    let in_rule: Vec<(&RuleWord<'_>, Keyword)> = words
        .iter()
        .filter_map(|word| Some((word, known(word)?)))
        .collect();
    // Hooks and rules of the game say such things in other ways.
    if in_rule.is_empty() || lints.groups.iter().any(StatementGroup::is_hook) {
        return;
    }
    let says = |keyword: Keyword| {
        let mut rows = KEYWORDS.iter();
        rows.any(|(one, words)| *one == keyword && said.says_one(words))
    };
    let odd: Vec<&(&RuleWord<'_>, Keyword)> = in_rule.iter().filter(|(_, keyword)| !says(*keyword)).collect();
    let missing: Vec<Keyword> = KEYWORDS
        .iter()
        .map(|(keyword, _)| *keyword)
        .filter(|keyword| says(*keyword) && in_rule.iter().all(|(_, other)| other != keyword))
        .collect();
    let ([(word, keyword)], [right]) = (&odd[..], &missing[..]) else {
        return;
    };
    let message = format!(
        "`{}` is \u{201c}{}\u{201d}; the card's text says \u{201c}{}\u{201d}",
        word.lower,
        keyword.meaning(),
        right.meaning()
    );
    tell(lints, word.span, message, right.word());
}

/// R206, R617, RS093: another pile than the text's.
fn piles(lints: &mut Lints<'_, '_>, words: &[RuleWord<'_>], said: &SaidText) {
    // `deck` without a zone may be an argument, as in `shuffle(deck)`, and stands beside what the text says.
    let in_rule: Vec<(&RuleWord<'_>, &str, &str)> = words
        .iter()
        .filter(|word| !word.is_member)
        .filter_map(|word| pile(&word.lower).map(|(side, pile)| (word, side, pile)))
        .collect();
    let odd: Vec<_> = in_rule
        .iter()
        .filter(|(_, _, pile)| !speaks_of(said, pile))
        .collect();
    let named = |pile: &str| match pile {
        "hand" => said.says("hand|hands"),
        "deck" => said.says("deck|decks"),
        "discards" => said.says("discard|discards pile|piles"),
        _ => said.says_one(&["removed pile|piles"]),
    };
    let missing: Vec<&str> = PILES
        .into_iter()
        .filter(|pile| named(pile) && in_rule.iter().all(|(_, _, other)| other != pile))
        .collect();
    let ([(word, side, _)], [name]) = (&odd[..], &missing[..]) else {
        return;
    };
    let text = with_side(side, name);
    let said_name = if *name == "discards" { "discard pile" } else { name };
    let (span, message) = (
        word.span,
        format!("the rule says `{}`, the card's text {said_name}", word.lower),
    );
    tell(lints, span, message, &text);
}

/// `oppDiscards`, or `discards` without a side.
fn with_side(side: &str, pile: &str) -> String {
    if side.is_empty() {
        return pile.to_owned();
    }
    let (first, rest) = pile.split_at(1);
    format!("{side}{}{rest}", first.to_uppercase())
}

/// R219, RS093: the pile of the other player.
fn pile_sides(lints: &mut Lints<'_, '_>, words: &[RuleWord<'_>], said: &SaidText) {
    if lints.groups.iter().any(|group| !group.action) {
        return;
    }
    let yours = said.says("your hand|deck|discard|removed");
    let theirs = said.says_one(&[
        "opponent's|opponents|opponent|their|player's|players'|its|owner|owner's|either|both|each|any",
    ]);
    let only_theirs = said.says("opponent's hand|deck|discard|removed")
        && !said.says_one(&["your hand|deck|discard|removed|own"]);
    let zones: Vec<&RuleWord<'_>> = words
        .iter()
        .filter(|word| word.is_zone && pile(&word.lower).is_some())
        .collect();
    let [word] = zones[..] else { return };
    let Some((side, name)) = pile(&word.lower) else {
        return;
    };
    let (right, says) = match side {
        "opp" if yours && !theirs => ("my", "yours"),
        "" | "my" if only_theirs => ("opp", "the opponent's"),
        _ => return,
    };
    let text = with_side(right, name);
    let (span, message) = (word.span, format!("the card's text says {says}"));
    let message = format!("`{}` is the other player's pile; {message}", word.lower);
    tell(lints, span, message, &text);
}
