//! A card's text, written from its rule in the words of its game.

mod commands;
mod conditions;
mod effects;
mod filters;
mod keywords;
mod lists;
mod moments;
mod phrases;
mod sentences;
mod style;
mod targets;
mod teller;
mod values;

use cw_duel::{CardModel, Game};
use cw_program::{Auto, AutoKind, ModelId, Target, TargetKind};

use phrases::{NounPhrase, joined, sentence};
use sentences::StatementPlace;
pub use style::TextStyle;
use teller::{NoWords, ReadPlayer, ReadTurn, RuleTeller, Worded};

/// What a rule says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleText {
    /// The text; empty if nothing of the rule could be put into words.
    pub text: String,
    /// The parts that could not be put into words: the text says nothing of them.
    pub unsaid: Vec<UnsaidPart>,
}

/// A part of a rule that there are no words for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsaidPart {
    /// Which line of the rule: `action`, `auto 2`.
    pub part: String,
    /// What in it, as it is written or in words.
    pub what: String,
}

impl RuleText {
    /// Whether all of the rule is in the text.
    pub fn is_whole(&self) -> bool {
        self.unsaid.is_empty()
    }
}

/// Writes the text of a card from its rule, in the words that the game's texts prefer; nothing for a card
/// without a rule. It is written without looking at the printed text, and says nothing that the rule does not
/// do: an action or an auto for which there are no words is left out as a whole and listed.
///
/// ```
/// use cw_words::{TextStyle, rule_text};
///
/// let play = cw_stage::start(
///     "Bell triggered: target = character@oppRing;; action = {F}: damage(200)",
///     "me Bell",
/// );
/// let game = play.duel.game();
/// let bell = game.named("Bell").next().expect("it is staged");
/// let said = rule_text(game, bell, &TextStyle::of(game)).expect("it has a rule");
/// assert_eq!(said.text, "Freeze this character: an enemy character takes 200 damage.");
/// ```
pub fn rule_text(game: &Game, model: ModelId, style: &TextStyle) -> Option<RuleText> {
    let card = game.model(model);
    let program = card.program.as_ref()?;
    let arena = cw_formula::Arena::new();
    let teller = || RuleTeller {
        game,
        card,
        rule: &program.rule,
        style,
        arena: &arena,
        me: ReadPlayer::You,
        turn: match card.card_type {
            Some(cw_program::CardType::Reaction) => ReadTurn::Opponents,
            _ => ReadTurn::Yours,
        },
        main: None,
        last: None,
        trigger: None,
        attacker: None,
        blocker: None,
        element: None,
        argument: None,
        is_late: false,
        settled: Vec::new(),
    };
    let mut out = RuleText::default();
    let mut parts: Vec<String> = Vec::new();
    let mut take = |part: String, said: Worded<String>| match said {
        Ok(text) if text.is_empty() => {}
        Ok(text) => parts.push(text),
        Err(NoWords(what)) => out.unsaid.push(UnsaidPart { part, what }),
    };
    if !program.rule.abilities.is_empty() {
        take("abilities".to_owned(), Ok(abilities(&teller())));
    }
    take("requisite".to_owned(), requisites(&mut teller()));
    let several = program.rule.actions.len() > 1;
    let mut actions = Vec::new();
    for (number, _) in program.rule.actions.iter().enumerate() {
        match action(&mut teller(), number) {
            Ok(text) => actions.push(text),
            Err(NoWords(what)) => take(numbered("action", number, several), Err(NoWords(what))),
        }
    }
    match &actions[..] {
        [] => {}
        [only] if !several => take("action".to_owned(), Ok(only.clone())),
        all => {
            let shown: Vec<String> = all.iter().map(|text| lower_first(text)).collect();
            take(
                "action".to_owned(),
                Ok(format!("Choose one: {}", shown.join(" Or: "))),
            );
        }
    }
    let several = program.rule.autos.len() > 1;
    for (number, part) in program.rule.autos.iter().enumerate() {
        take(numbered("auto", number, several), auto(&mut teller(), card, part));
    }
    out.text = parts.join(" ");
    Some(out)
}

fn numbered(word: &str, number: usize, several: bool) -> String {
    match several {
        true => format!("{word} {}", number + 1),
        false => word.to_owned(),
    }
}

/// A sentence as a part of another one.
fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        // Words that are all capitals stay.
        Some(first) if !letters.clone().next().is_some_and(char::is_uppercase) => {
            first.to_lowercase().collect::<String>() + letters.as_str()
        }
        _ => text.to_owned(),
    }
}

fn abilities(teller: &RuleTeller<'_>) -> String {
    let this = teller.this();
    let all: Vec<String> = teller
        .rule
        .abilities
        .iter()
        .map(|keyword| teller.keyword(*keyword, &this))
        .collect();
    sentence(&format!("{} {}", this.text, joined(&all, "and")))
}

fn requisites(teller: &mut RuleTeller<'_>) -> Worded<String> {
    let rule = teller.rule;
    if rule.requisites.is_empty() {
        return Ok(String::new());
    }
    let mut all = Vec::new();
    for target in &rule.requisites {
        // It has to find something, whichever is the first of it.
        let mut any: Target = target.clone();
        any.pick = None;
        any.quantity = match any.quantity {
            cw_program::TargetQuantity::Random(_) => cw_program::TargetQuantity::Default,
            quantity => quantity,
        };
        if matches!(any.kind, TargetKind::Computed(_)) {
            return Err(NoWords("a requisite that is computed".to_owned()));
        }
        all.push(teller.target(&any)?.text);
    }
    Ok(sentence(&format!("this needs {}", joined(&all, "and"))))
}

fn action(teller: &mut RuleTeller<'_>, number: usize) -> Worded<String> {
    let rule = teller.rule;
    if let Some(clause) = &rule.target {
        teller.main = Some(teller.clause(clause)?);
        teller.last.clone_from(&teller.main);
    }
    let chosen = teller.main.clone();
    let intro = settle(teller)?;
    let said = teller.statements(&rule.actions[number].statements, "", StatementPlace::default())?;
    // Without its targets an action does nothing (R304), even where nothing happens to them.
    let first = chosen
        .as_ref()
        .filter(|main| main.is_cards)
        .and_then(|main| main.parts.first());
    let is_named = |text: &str| said.to_lowercase().contains(&text.to_lowercase()) || said.contains("hoose ");
    if first.is_some_and(|first| !is_named(&first.text)) {
        return Err(NoWords("targets that nothing happens to".to_owned()));
    }
    Ok(match intro.is_empty() {
        true => said,
        false => format!("{intro} {said}"),
    })
}

/// Variables that ask or draw are settled first.
fn settle(teller: &mut RuleTeller<'_>) -> Worded<String> {
    let mut out: Vec<String> = Vec::new();
    for var in &teller.rule.vars {
        let text = teller.formula(var.value).trim().to_lowercase();
        let formula = teller.rule.formulas.get(usize::from(var.value.0));
        let asks = formula
            .and_then(|formula| formula.code.as_ref())
            .is_some_and(|code| code.asks);
        if text == "flipcoin()" {
            teller
                .settled
                .push((var.name.to_string(), NounPhrase::one("the toss")));
            out.push("Flip a coin.".to_owned());
        } else if asks {
            let tree = teller.tree(var.value)?;
            let known = teller.filters_of(tree, var.value);
            if !known.is_some_and(targets::is_settled_by_itself) {
                return teller.no_words(var.value);
            }
        }
    }
    Ok(out.join(" "))
}

fn auto(teller: &mut RuleTeller<'_>, card: &CardModel, auto: &Auto) -> Worded<String> {
    let place = StatementPlace {
        is_auto: true,
        is_heard: matches!(auto.kind, AutoKind::Events(_)),
    };
    match &auto.kind {
        AutoKind::Entering => {
            let intro = settle(teller)?;
            // Changes of rules say themselves how long they last.
            let is_rule = |statement: &cw_program::RuleStatement| match &statement.kind {
                cw_program::StatementKind::Plain(branch) => {
                    branch.effects.iter().all(|effect| match &effect.kind {
                        cw_program::RuleEffectKind::Command(command) => {
                            command.name().signature().acts_on == cw_program::ActsOn::Rules
                        }
                        _ => false,
                    })
                }
                _ => false,
            };
            let opening = match (auto.statements.iter().all(is_rule), card.is_character()) {
                (true, _) => String::new(),
                (false, true) => "when this character enters the ring".to_owned(),
                (false, false) => "when this card is played".to_owned(),
            };
            let said = teller.statements(&auto.statements, &opening, place)?;
            Ok(format!("{intro} {said}").trim().to_owned())
        }
        AutoKind::Continuous => teller.continuous(&auto.statements),
        AutoKind::Events(events) => {
            if let [event, ..] = &events[..]
                && RuleTeller::is_hook(*event)
            {
                let mut all = Vec::new();
                for event in events {
                    all.push(sentence(&teller.hook(*event, &auto.statements)?));
                }
                return Ok(all.join(" "));
            }
            let is_if = |statement: &cw_program::RuleStatement| {
                matches!(
                    statement.kind,
                    cw_program::StatementKind::If { .. } | cw_program::StatementKind::May { .. }
                )
            };
            let opening = teller.moment(events, auto.statements.iter().any(is_if))?;
            if let Some(clause) = &teller.rule.target {
                teller.main = Some(teller.clause(clause)?);
            }
            let intro = settle(teller)?;
            if !intro.is_empty() {
                return Err(NoWords("a coin that is flipped on an event".to_owned()));
            }
            teller.statements(&auto.statements, &opening, place)
        }
    }
}
