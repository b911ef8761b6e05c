//! What is printed on a card beside what its rule does: hints, each with a scenario in which the card is
//! played once.

use std::sync::Arc;

use cw_duel::{CardModel, Game};
use cw_program::{AutoKind, EventName, Keyword, ModelId, RuleEffectKind, RuleStatement, StatementKind};
use cw_words::{RuleText, TextStyle, rule_text};

use rayon::prelude::*;

use crate::FuzzHint;
use crate::shrink::played;

/// All hints about these cards, in the order of the game.
pub(crate) fn hints(game: &Arc<Game>, wanted: impl Fn(ModelId) -> bool, shows: bool) -> Vec<FuzzHint> {
    let style = TextStyle::of(game);
    let models = game
        .numbered()
        .map(|(model, _)| model)
        .filter(|model| wanted(*model));
    let hinted = models.map(|model| (model, of_card(game, model, &style)));
    let hinted: Vec<(ModelId, Vec<String>)> = hinted.filter(|(_, all)| !all.is_empty()).collect();
    let of_cards = hinted.into_par_iter().enumerate().map(|(at, (model, all))| {
        let is_shown = shows && at < MOST_SHOWN;
        let scenario = all
            .first()
            .filter(|_| is_shown)
            .and_then(|what| played(game, model, what));
        let hint = |what| FuzzHint {
            model,
            what,
            scenario: scenario.clone(),
        };
        all.into_iter().map(hint).collect::<Vec<_>>()
    });
    of_cards.flatten_iter().collect()
}

/// So many cards with hints get a scenario.
const MOST_SHOWN: usize = 500;

/// All hints about a card.
fn of_card(game: &Game, model: ModelId, style: &TextStyle) -> Vec<String> {
    let card = game.model(model);
    let mut out = Vec::new();
    let mut hint = |what: String| out.push(what);
    nothing_behind(card, &mut hint);
    icons(game, card, &mut hint);
    let is_both = card.program.is_some() && !card.text.is_empty();
    if let Some(said) = rule_text(game, model, style).filter(|_| is_both) {
        numbers(card, &said, &mut hint);
        keywords(card, &mut hint);
    }
    out
}

/// Texts without rules, rules without texts, and characters that cannot stay.
fn nothing_behind(card: &CardModel, hint: &mut dyn FnMut(String)) {
    match (&card.program, card.text.is_empty()) {
        (None, false) => hint("it has a text and no rule, so it does nothing".to_owned()),
        (Some(_), true) => hint("it has a rule and no text, so nobody can know what it does".to_owned()),
        (None, true) if card.ability.is_some() => {
            hint("it has an ability without a text and without a rule".to_owned());
        }
        _ => {}
    }
    if card.is_character() && card.bp == 0 && card.program.is_none() {
        hint("it has 0 BP, so it leaves the ring at once".to_owned());
    }
}

/// Back-up icons that no character fits.
fn icons(game: &Game, card: &CardModel, hint: &mut dyn FnMut(String)) {
    for icon in &card.backups {
        let fits = game.models.iter().any(|other| other.subtype == Some(*icon));
        if let (false, Some(name)) = (fits, game.subtypes.get(usize::from(icon.0))) {
            hint(format!(
                "no character is a {name}, so nobody can back it up by that icon"
            ));
        }
    }
}

/// Numbers of the printed text that the rule does not have.
fn numbers(card: &CardModel, said: &RuleText, hint: &mut dyn FnMut(String)) {
    // What has no words may be where the number is.
    if !said.is_whole() {
        return;
    }
    let known: Vec<u32> = words(&said.text).iter().filter_map(|word| number(word)).collect();
    let printed = words(&card.text);
    for pair in printed.windows(2) {
        let [count, unit] = pair else { continue };
        let is_unit = matches!(unit.as_str(), "bp" | "sp" | "hp" | "damage" | "cards");
        if let Some(value) = number(count).filter(|value| is_unit && !known.contains(value)) {
            let unit = if unit.len() == 2 {
                unit.to_uppercase()
            } else {
                unit.clone()
            };
            hint(format!(
                "its text says {value} {unit}, and no part of its rule does: “{}”",
                said.text
            ));
        }
    }
}

/// Keywords that only the rule has, or only the text.
fn keywords(card: &CardModel, hint: &mut dyn FnMut(String)) {
    let Some(program) = &card.program else { return };
    let mut given = program.rule.abilities.clone();
    let autos = program.rule.autos.iter().map(|auto| &auto.statements);
    let actions = program.rule.actions.iter().map(|action| &action.statements);
    for statement in autos.chain(actions).flatten() {
        given.extend(granted(statement));
    }
    let text = card.text.to_lowercase();
    for keyword in &given {
        let stems = stems(*keyword);
        if !stems.iter().any(|stem| text.contains(stem)) {
            let what = cw_words::keyword(*keyword);
            hint(format!(
                "its rule gives `{keyword}` ({what}); its text says nothing of that"
            ));
        }
    }
    let hears = |wanted: EventName| {
        program.rule.autos.iter().any(|auto| match &auto.kind {
            AutoKind::Events(events) => events.iter().any(|event| event.name == wanted),
            AutoKind::Entering | AutoKind::Continuous => false,
        })
    };
    let phrases = [
        ("cannot be countered", Keyword::Unblockable, EventName::CanBlock),
        ("cannot counter", Keyword::CantBlock, EventName::BeforeBlock),
    ];
    for (phrase, keyword, hook) in phrases {
        if text.contains(phrase) && !given.contains(&keyword) && !hears(hook) {
            hint(format!(
                "its text says “{phrase}”, and its rule does not give `{keyword}`"
            ));
        }
    }
}

/// The keywords that a statement gives.
fn granted(statement: &RuleStatement) -> Vec<Keyword> {
    let branches = match &statement.kind {
        StatementKind::Plain(branch) | StatementKind::May { body: branch, .. } => vec![branch],
        StatementKind::If { arms, otherwise } => {
            arms.iter().map(|(_, branch)| branch).chain(otherwise).collect()
        }
    };
    let effects = branches.into_iter().flat_map(|branch| &branch.effects);
    effects
        .filter_map(|effect| match effect.kind {
            RuleEffectKind::Grant(keyword) => Some(keyword),
            RuleEffectKind::Remove(_) | RuleEffectKind::Command(_) => None,
        })
        .collect()
}

/// Parts of words, one of which a text has that speaks of a keyword.
fn stems(keyword: Keyword) -> &'static [&'static str] {
    match keyword {
        Keyword::Unblockable | Keyword::CantBlock => &["counter", "block"],
        Keyword::CantAttack => &["attack"],
        Keyword::UnlimitedBackup => &["back"],
        Keyword::Unfreezable => &["freeze", "frozen"],
        Keyword::Pierce | Keyword::PreventPierce => &["pierc", "damage beyond", "excess"],
        Keyword::Rush => &["fresh", "rush", "at once"],
        Keyword::Frosted => &["freeze", "frozen", "frost"],
        Keyword::CantPlayAc => &["action"],
        Keyword::CantPlayRe => &["reaction"],
    }
}

/// The words of a text in lower case.
fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// A number in digits or as a word.
fn number(word: &str) -> Option<u32> {
    const WORDS: [&str; 9] = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let known = WORDS.iter().zip(2..).find(|(known, _)| **known == word);
    known.map(|(_, number)| number).or_else(|| word.parse().ok())
}
