//! What is different between two versions of a game.

use std::collections::BTreeMap;
use std::sync::Arc;

use cw_program::{AutoKind, CompiledRule, Labels, ModelId, auto_listing, listing, trigger_listing};

use crate::game::{CardModel, Game};

/// What is different between two versions of a game: which card of the one is which card of the other, and
/// what has changed on it. Cards are the same if they have the same id, or, where an id is gone, the same
/// name.
#[derive(Clone, Debug)]
pub struct GameChange {
    old: Arc<Game>,
    new: Arc<Game>,
    /// What became of each card of the old version.
    numbers: Vec<Option<ModelId>>,
    /// By the number in the old version.
    cards: BTreeMap<ModelId, CardChange>,
    /// By the number in the new version.
    added: Vec<ModelId>,
    labels: [GameLabels; 2],
}

/// What has changed on a card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardChange {
    /// What its rule does.
    pub rule: bool,
    /// What is printed on it.
    pub printed: Vec<PrintedChange>,
}

/// Something printed on a card that has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintedChange {
    /// Its name.
    Name,
    /// Its type.
    Type,
    /// Its subtype.
    Subtype,
    /// Its BP.
    Bp {
        /// Before.
        from: i32,
        /// Now.
        to: i32,
    },
    /// Its SP.
    Sp {
        /// Before.
        from: i32,
        /// Now.
        to: i32,
    },
    /// The symbol or the name of its ability.
    Ability,
    /// Its back-up icons.
    Backups,
    /// Its text, which decides nothing.
    Text,
}

/// The names behind the numbers of a version.
#[derive(Clone, Debug)]
struct GameLabels {
    subtypes: Vec<String>,
    names: Vec<String>,
    models: Vec<String>,
}

impl GameLabels {
    fn of(game: &Game) -> GameLabels {
        let texts = |all: &[Box<str>]| all.iter().map(ToString::to_string).collect();
        GameLabels {
            subtypes: texts(&game.subtypes),
            names: texts(&game.names),
            // Two cards may have one name; two with one id are the same card.
            models: game.models.iter().map(|model| model.id.to_string()).collect(),
        }
    }

    fn shown(&self) -> Labels<'_> {
        Labels {
            subtypes: &self.subtypes,
            names: &self.names,
            models: &self.models,
        }
    }
}

impl GameChange {
    /// Compares two versions of a game.
    pub fn between(old: &Arc<Game>, new: &Arc<Game>) -> GameChange {
        let numbers = numbers(old, new);
        let mut is_known = vec![false; new.models.len()];
        for number in numbers.iter().flatten() {
            is_known[usize::from(number.0)] = true;
        }
        let added = new.numbered().map(|(number, _)| number);
        let mut change = GameChange {
            added: added.filter(|number| !is_known[usize::from(number.0)]).collect(),
            labels: [GameLabels::of(old), GameLabels::of(new)],
            cards: BTreeMap::new(),
            old: Arc::clone(old),
            new: Arc::clone(new),
            numbers,
        };
        for (number, before) in old.numbered() {
            let Some(now) = change.number(number) else {
                continue;
            };
            let found = CardChange {
                rule: change.rule_differs(before, new.model(now)),
                printed: printed(old, before, new, new.model(now)),
            };
            if found != CardChange::default() {
                change.cards.insert(number, found);
            }
        }
        change
    }

    /// The version before.
    pub fn old(&self) -> &Arc<Game> {
        &self.old
    }

    /// The version after.
    pub fn new_game(&self) -> &Arc<Game> {
        &self.new
    }

    /// The card's number in the new version; `None` if the card is gone.
    pub fn number(&self, old: ModelId) -> Option<ModelId> {
        *self.numbers.get(usize::from(old.0))?
    }

    /// The cards that have changed, by their numbers in the old version.
    pub fn cards(&self) -> impl Iterator<Item = (ModelId, &CardChange)> {
        self.cards.iter().map(|(number, change)| (*number, change))
    }

    /// What has changed on this card of the old version.
    pub fn card(&self, old: ModelId) -> Option<&CardChange> {
        self.cards.get(&old)
    }

    /// Cards that only the new version has, by their numbers there.
    pub fn added(&self) -> &[ModelId] {
        &self.added
    }

    /// Cards that only the old version has, by their numbers there.
    pub fn gone(&self) -> impl Iterator<Item = ModelId> + '_ {
        let numbered = self.old.numbered().map(|(number, _)| number);
        numbered.filter(|number| self.number(*number).is_none())
    }

    /// Whether the numbers of the game have changed, such as the cards of an opening hand.
    pub fn has_other_numbers(&self) -> bool {
        self.old.constants != self.new.constants
    }

    /// Whether both versions are the same game to whoever plays or reads it.
    pub fn is_empty(&self) -> bool {
        self.cards.is_empty() && self.is_unfelt() && self.old.name == self.new.name
    }

    /// Whether a duel goes on in the new version exactly as it would have in the old one: only texts that
    /// decide nothing have changed, and every card has kept its number.
    pub(crate) fn is_unfelt(&self) -> bool {
        let is_text = |change: &CardChange| {
            !change.rule && change.printed.iter().all(|what| *what == PrintedChange::Text)
        };
        self.added.is_empty()
            && !self.has_other_numbers()
            && self.cards.values().all(is_text)
            && self
                .old
                .numbered()
                .all(|(number, _)| self.number(number) == Some(number))
    }

    /// The rule of a card of the old version, and its rule now.
    pub(crate) fn rules(&self, old: ModelId) -> [Option<&CompiledRule>; 2] {
        let of_old = self.old.models.get(usize::from(old.0));
        let of_new = self.number(old).map(|new| self.new.model(new));
        [of_old, of_new].map(|model| Some(&model?.program.as_deref()?.rule))
    }

    /// Whether the auto of this number begins on the same events in both versions of a rule.
    pub(crate) fn has_same_trigger(&self, old: ModelId, auto: usize) -> bool {
        let [Some(before), Some(now)] = self.rules(old) else {
            return false;
        };
        let exists = auto < before.autos.len() && auto < now.autos.len();
        let [first, second] = &self.labels;
        exists && trigger_listing(before, auto, first.shown()) == trigger_listing(now, auto, second.shown())
    }

    /// Whether a card does the same on entering in both versions.
    pub(crate) fn enters_alike(&self, old: ModelId) -> bool {
        let [before, now] = self.rules(old);
        let [first, second] = &self.labels;
        let entering = |rule: Option<&CompiledRule>, labels: &GameLabels| -> Vec<String> {
            let Some(rule) = rule else { return Vec::new() };
            let autos = rule.autos.iter().enumerate();
            autos
                .filter(|(_, auto)| matches!(auto.kind, AutoKind::Entering))
                .map(|(at, _)| auto_listing(rule, at, labels.shown()))
                .collect()
        };
        entering(before, first) == entering(now, second)
    }

    /// Whether what a rule does differs; how it is written does not count.
    fn rule_differs(&self, before: &CardModel, now: &CardModel) -> bool {
        let [first, second] = &self.labels;
        match (before.program.as_deref(), now.program.as_deref()) {
            (None, None) => false,
            (Some(before), Some(now)) => {
                listing(&before.rule, first.shown()) != listing(&now.rule, second.shown())
            }
            (Some(_), None) | (None, Some(_)) => true,
        }
    }
}

/// What became of each card: the card with its id, and where ids are given twice the one in the same place
/// among them; else the only new card with its name.
fn numbers(old: &Game, new: &Game) -> Vec<Option<ModelId>> {
    let mut by_id: BTreeMap<(&str, usize), ModelId> = BTreeMap::new();
    let mut copies: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, model) in new.numbered() {
        let copy = copies.entry(&model.id).or_default();
        by_id.insert((&model.id, *copy), number);
        *copy += 1;
    }
    copies.clear();
    let mut numbers: Vec<Option<ModelId>> = Vec::with_capacity(old.models.len());
    for model in &old.models {
        let copy = copies.entry(&model.id).or_default();
        numbers.push(by_id.remove(&(&*model.id, *copy)));
        *copy += 1;
    }
    // An id was written anew: the card keeps its name.
    let mut by_name: BTreeMap<&str, Option<ModelId>> = BTreeMap::new();
    for number in by_id.into_values() {
        let name = &*new.model(number).name;
        let several = by_name.contains_key(name);
        by_name.insert(name, (!several).then_some(number));
    }
    for (number, model) in numbers.iter_mut().zip(&old.models) {
        if number.is_none() {
            *number = by_name.remove(&*model.name).flatten();
        }
    }
    numbers
}

fn printed(old: &Game, before: &CardModel, new: &Game, now: &CardModel) -> Vec<PrintedChange> {
    let subtype = |game: &Game, model: &CardModel| -> Option<String> {
        Some(game.subtypes[usize::from(model.subtype?.0)].to_lowercase())
    };
    let icons = |game: &Game, model: &CardModel| -> Vec<String> {
        let icons = model.backups.iter();
        icons
            .map(|icon| game.subtypes[usize::from(icon.0)].to_lowercase())
            .collect()
    };
    let found = [
        (before.name != now.name, PrintedChange::Name),
        (before.card_type != now.card_type, PrintedChange::Type),
        (subtype(old, before) != subtype(new, now), PrintedChange::Subtype),
        (
            before.bp != now.bp,
            PrintedChange::Bp {
                from: before.bp,
                to: now.bp,
            },
        ),
        (
            before.sp != now.sp,
            PrintedChange::Sp {
                from: before.sp,
                to: now.sp,
            },
        ),
        (
            // Whether a card has an ability is also read off its text.
            before.ability != now.ability || before.text.is_empty() != now.text.is_empty(),
            PrintedChange::Ability,
        ),
        (icons(old, before) != icons(new, now), PrintedChange::Backups),
        (before.text != now.text, PrintedChange::Text),
    ];
    let found = found.into_iter().filter(|(differs, _)| *differs);
    found.map(|(_, what)| what).collect()
}
