//! Who tells: the rule, the side it is told from, and what has been named so far.

use cw_duel::{CardModel, Game};
use cw_program::{CardNameId, CompiledRule, FormulaId, SubtypeId, Whose};

use super::phrases::{NounNumber, NounPhrase};
use super::style::{StyleSlot, TextStyle};

/// A part of a rule that could not be put into words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NoWords(pub(super) String);

/// Words, or the part that there are none for.
pub(super) type Worded<T> = Result<T, NoWords>;

/// A player, seen by who reads the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadPlayer {
    /// Who has the card.
    You,
    Opponent,
    /// Whoever raised an event of both players.
    That,
    /// The other one of these.
    Other,
}

impl ReadPlayer {
    pub(super) fn other(self) -> ReadPlayer {
        match self {
            ReadPlayer::You => ReadPlayer::Opponent,
            ReadPlayer::Opponent => ReadPlayer::You,
            ReadPlayer::That => ReadPlayer::Other,
            ReadPlayer::Other => ReadPlayer::That,
        }
    }
}

/// In whose turn a part of a rule runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadTurn {
    Yours,
    Opponents,
    Either,
}

/// What a list of the rule stands for where it has been named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedCards {
    /// One for each part of its target clause.
    pub(super) parts: Vec<NounPhrase>,
    /// Whether it is cards.
    pub(super) is_cards: bool,
}

/// Tells a rule. What it has named may be called "it" later.
#[derive(Clone)]
pub(super) struct RuleTeller<'a> {
    pub(super) game: &'a Game,
    pub(super) card: &'a CardModel,
    pub(super) rule: &'a CompiledRule,
    pub(super) style: &'a TextStyle,
    pub(super) arena: &'a cw_formula::Arena,
    /// Who runs it.
    pub(super) me: ReadPlayer,
    pub(super) turn: ReadTurn,
    /// The rule's own targets.
    pub(super) main: Option<NamedCards>,
    /// What the statement before acted on.
    pub(super) last: Option<NamedCards>,
    /// The cards that an event brings along.
    pub(super) trigger: Option<NounPhrase>,
    pub(super) attacker: Option<NounPhrase>,
    pub(super) blocker: Option<NounPhrase>,
    /// `card`: the element of a group or of a repetition.
    pub(super) element: Option<NounPhrase>,
    /// What a statement acts on, while the arguments of its effects are told (R1104).
    pub(super) argument: Option<NamedCards>,
    /// Behind the first statement: what variables hold is from before.
    pub(super) is_late: bool,
    /// Variables with something that is settled once: how it is called afterwards.
    pub(super) settled: Vec<(String, NounPhrase)>,
}

impl<'a> RuleTeller<'a> {
    pub(super) fn player(&self, who: ReadPlayer) -> NounPhrase {
        match who {
            ReadPlayer::You => NounPhrase {
                text: "you".to_owned(),
                number: NounNumber::You,
            },
            ReadPlayer::Opponent => NounPhrase::one(self.style.word(StyleSlot::Opponent)),
            ReadPlayer::That => NounPhrase::one("that player"),
            ReadPlayer::Other => NounPhrase::one("the other player"),
        }
    }

    /// The card itself, as a text calls it.
    pub(super) fn this(&self) -> NounPhrase {
        NounPhrase::one(match self.card.is_character() {
            true => "this character",
            false => "this card",
        })
    }

    pub(super) fn pile_owner(&self, whose: Whose) -> Option<ReadPlayer> {
        match whose {
            Whose::Mine => Some(self.me),
            Whose::Opponent => Some(self.me.other()),
            Whose::Controller => None,
        }
    }

    pub(super) fn subtype(&self, subtype: SubtypeId) -> Worded<String> {
        let known = self.game.subtypes.get(usize::from(subtype.0));
        known
            .map(ToString::to_string)
            .ok_or_else(|| NoWords("a subtype that no card has".to_owned()))
    }

    /// A name as it is printed.
    pub(super) fn card_name(&self, name: CardNameId) -> Worded<String> {
        let card = self.game.models.iter().find(|card| card.name_id == name);
        card.map(|card| card.name.to_string())
            .ok_or_else(|| NoWords("a name that no card has".to_owned()))
    }

    pub(super) fn formula(&self, formula: FormulaId) -> &'a str {
        let formula = self.rule.formulas.get(usize::from(formula.0));
        formula.map_or("", |formula| &formula.text)
    }

    /// An expression that has no words.
    pub(super) fn no_words<T>(&self, formula: FormulaId) -> Worded<T> {
        Err(NoWords(format!("`{}`", self.formula(formula))))
    }
}
