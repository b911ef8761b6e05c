//! What never changes during a duel: the cards that exist and the numbers of the game.

pub(crate) mod change;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use cw_program::{CardNameId, CardType, CompiledRule, ModelId, Program, RuleFlag, SubtypeId};

use crate::base::count::word;
use crate::base::place::RulePlace;
use crate::base::seat::{PerSeat, Seat};

/// The symbol of an ability (G9, G92–G94).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AbilityKind {
    /// ▲: runs once when the character is played.
    Instant,
    /// ■: used by its controller in the Main phase.
    Triggered,
    /// ●: works by itself.
    Auto,
}

/// A character's or card's ability as printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ability {
    /// Its symbol, where the card has one.
    pub kind: AbilityKind,
    /// Its name.
    pub name: Box<str>,
}

/// A card as printed (G8): what all copies share.
#[derive(Clone, Debug)]
pub struct CardModel {
    /// The identity in the package, as text: a GUID in canonical spelling.
    pub id: Box<str>,
    /// The whole name.
    pub name: Box<str>,
    /// The name's number, for name filters.
    pub name_id: CardNameId,
    /// `None`: a type the game does not know; the card cannot be played (D60).
    pub card_type: Option<CardType>,
    /// Characters only.
    pub subtype: Option<SubtypeId>,
    /// Printed BP; 0 where there is none.
    pub bp: i32,
    /// Printed SP: positive is gained, negative is paid (G75).
    pub sp: i32,
    /// Characters: the symbol and name; `None` is powerless.
    pub ability: Option<Ability>,
    /// The English text, empty if none.
    pub text: Box<str>,
    /// Back-up icons (G8).
    pub backups: Vec<SubtypeId>,
    /// The card's program; `None`: no rule, or one that could not be compiled.
    pub program: Option<Box<Program>>,
}

impl CardModel {
    /// Whether it fights in the ring.
    pub fn is_character(&self) -> bool {
        self.card_type == Some(CardType::Character)
    }

    /// Whether the card has a text but no program: the player applies it by hand (R120, D17).
    pub fn is_unscripted(&self) -> bool {
        !self.text.is_empty() && self.program.is_none()
    }

    /// The ability's symbol.
    pub fn ability_kind(&self) -> Option<AbilityKind> {
        self.ability.as_ref().map(|ability| ability.kind)
    }

    /// Whether its ability works as an instant does. In a game without ability types that is a character's
    /// ability whose actions cost nothing (D37).
    pub fn is_instant(&self) -> bool {
        match self.ability_kind() {
            Some(kind) => kind == AbilityKind::Instant,
            None => self.is_character() && self.program.as_deref().is_some_and(Program::actions_are_free),
        }
    }

    /// Attaches a rule.
    pub fn set_rule(&mut self, rule: CompiledRule) {
        self.program = Some(Box::new(Program::new(rule)));
    }

    /// The keywords printed in the rule, as bits.
    pub(crate) fn keywords(&self) -> u16 {
        self.program.as_deref().map_or(0, |program| program.keywords)
    }
}

/// The numbers of the game (G1, D13, D14); all are data of the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constants {
    /// Slots in a ring, at most [`MAX_SLOTS`].
    pub ring_slots: u8,
    /// Characters a player may play in a turn.
    pub characters_per_turn: u8,
    /// Back-ups a player may make in a turn.
    pub backups_per_turn: u8,
    /// BP gained by a back-up.
    pub backup_bp: i32,
    /// Followers of a United Attack, at most [`MAX_FOLLOWERS`].
    pub united_followers: u8,
    /// SP of a United Attack per follower; negative is paid.
    pub united_sp: i32,
    /// Copies of a card in a deck.
    pub copies: u8,
    /// Cards drawn at the start.
    pub opening_hand: u8,
    /// HP at the start.
    pub hp: i32,
    /// SP at the start.
    pub sp: i32,
    /// Cards in a deck.
    pub deck_size: u8,
    /// The duel is a draw after so many turns.
    pub max_turns: u16,
    /// After so many free actions in one phase only ending it is offered.
    pub max_free_actions: u16,
    /// Steps of one unit before the loop guard ends it.
    pub max_steps: u16,
    /// Nested dispatches before the loop guard ends the unit, at most 16.
    pub max_depth: u8,
    /// Entries of an expression's tape (D42).
    pub max_asks: u8,
}

/// The most slots a ring may have (D9).
pub const MAX_SLOTS: usize = 8;
/// The most followers of a United Attack.
pub const MAX_FOLLOWERS: usize = 7;
/// The most cards in a duel (D9).
pub const MAX_CARDS: usize = 250;
/// The most back-up icons of a character.
pub const MAX_BACKUPS: usize = 4;

impl Default for Constants {
    /// Gives the usual numbers of the game (G1, D13, D14).
    fn default() -> Constants {
        Constants {
            ring_slots: 4,
            characters_per_turn: 1,
            backups_per_turn: 1,
            backup_bp: 300,
            united_followers: 2,
            united_sp: -5,
            copies: 3,
            opening_hand: 5,
            hp: 3000,
            sp: 0,
            deck_size: 50,
            max_turns: 200,
            max_free_actions: 200,
            max_steps: 10_000,
            max_depth: 16,
            max_asks: 32,
        }
    }
}

/// What is otherwise in a duel than the numbers and rules of its game say, from the beginning and without any
/// card (D109): the charms and bosses of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DuelTwist {
    /// What each seat has more, or less.
    pub seats: PerSeat<SeatTwist>,
    /// Rules of the game that hold, or do not, for a seat or for both (G249), as if no card could end that.
    pub rules: Vec<(RuleFlag, Option<Seat>, bool)>,
}

/// What a seat has more than the [`Constants`] say; less where it is negative. No number falls below the
/// least that a game can be played with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatTwist {
    /// HP at the start.
    pub hp: i32,
    /// SP at the start.
    pub sp: i32,
    /// Cards drawn at the start.
    pub opening_hand: i32,
    /// Characters in a turn.
    pub characters_per_turn: i32,
    /// Back-ups in a turn.
    pub backups_per_turn: i32,
}

/// What a deck has to be, where that differs from [`Constants::deck_size`] and [`Constants::copies`] (D72).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeckLimits {
    /// How many cards.
    pub size: Option<RangeInclusive<u32>>,
    /// How many of one card at most.
    pub copies: Option<u32>,
    /// Cards of which there may be another number.
    pub exceptions: BTreeMap<ModelId, u32>,
}

/// All cards and numbers of a game. Shared by all its duels.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// The name of the game.
    pub name: String,
    /// Identity and content, for records: the same text means the same game.
    pub fingerprint: String,
    /// The numbers.
    pub constants: Constants,
    /// What is otherwise in its duels; nothing in most games.
    pub twist: DuelTwist,
    /// What a deck has to be.
    pub deck: DeckLimits,
    /// The cards; [`ModelId`] is an index. In order of (name, id), as options are listed (D29);
    /// capitals do not count.
    pub models: Vec<CardModel>,
    /// The subtypes as printed; [`SubtypeId`] is an index.
    pub subtypes: Vec<Box<str>>,
    /// The names, lower-cased; [`CardNameId`] is an index.
    pub names: Vec<Box<str>>,
}

impl Game {
    /// A seat's HP at the start (G1, D109).
    pub fn hp_of(&self, seat: Seat) -> i32 {
        let hp = self.constants.hp.saturating_add(self.twist.seats[seat].hp);
        // A duel that is over before it begins is none.
        hp.max(self.constants.hp.min(1))
    }

    /// A seat's SP at the start (G1, D109).
    pub fn sp_of(&self, seat: Seat) -> i32 {
        let sp = self.constants.sp.saturating_add(self.twist.seats[seat].sp);
        // SP are never below 0 (G3).
        sp.max(self.constants.sp.min(0))
    }

    /// Cards that a seat draws at the start (G1, D109).
    pub fn opening_hand_of(&self, seat: Seat) -> u8 {
        with(self.constants.opening_hand, self.twist.seats[seat].opening_hand)
    }

    /// Characters that a seat may play in a turn (G1, D109).
    pub fn characters_per_turn_of(&self, seat: Seat) -> u8 {
        with(
            self.constants.characters_per_turn,
            self.twist.seats[seat].characters_per_turn,
        )
    }

    /// Back-ups that a seat may make in a turn (G125.6, D109).
    pub fn backups_per_turn_of(&self, seat: Seat) -> u8 {
        with(
            self.constants.backups_per_turn,
            self.twist.seats[seat].backups_per_turn,
        )
    }

    /// The card with this number.
    ///
    /// # Panics
    /// If the number is of another game.
    #[inline]
    pub fn model(&self, id: ModelId) -> &CardModel {
        &self.models[usize::from(id.0)]
    }

    /// The models with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (ModelId, &CardModel)> {
        (0..=u16::MAX).map(ModelId).zip(&self.models)
    }

    /// All cards whose whole name is this, in any case.
    pub fn named(&self, name: &str) -> impl Iterator<Item = ModelId> {
        self.numbered()
            .filter(move |(_, model)| model.name.eq_ignore_ascii_case(name))
            .map(|(number, _)| number)
    }

    /// The card with this whole name, in any case; of several the first that can be played (D60).
    pub fn find(&self, name: &str) -> Option<ModelId> {
        let playable = |number: &ModelId| self.model(*number).card_type.is_some();
        self.named(name)
            .find(playable)
            .or_else(|| self.named(name).next())
    }

    /// What is wrong with a deck (G33, D9, D60, D72), in order of the rules; nothing if it is legal.
    pub fn deck_faults(&self, deck: &[ModelId]) -> Vec<DeckFault> {
        self.deck_faults_by(&self.deck, deck)
    }

    /// As [`Game::deck_faults`], by other rules of decks: those of a sealed game, for instance.
    pub fn deck_faults_by(&self, rules: &DeckLimits, deck: &[ModelId]) -> Vec<DeckFault> {
        let mut faults = Vec::new();
        let usual = u32::from(self.constants.deck_size);
        let size = rules.size.clone().unwrap_or(usual..=usual);
        let (least, most) = (*size.start() as usize, *size.end() as usize);
        if !(least..=most).contains(&deck.len()) {
            faults.push(DeckFault::Size {
                cards: deck.len(),
                least,
                most,
            });
        }
        let mut seen = deck.to_vec();
        // Lists of decks are mostly in order.
        if !seen.is_sorted() {
            seen.sort_unstable();
        }
        for group in seen.chunk_by(|a, b| a == b) {
            let usual = rules.copies.unwrap_or(self.constants.copies.into());
            let allowed = *rules.exceptions.get(&group[0]).unwrap_or(&usual) as usize;
            if group.len() > allowed {
                faults.push(DeckFault::Copies {
                    model: group[0],
                    copies: group.len(),
                    allowed,
                });
            }
            if self.model(group[0]).card_type.is_none() {
                faults.push(DeckFault::UnknownType { model: group[0] });
            }
        }
        faults
    }
}

/// A small number with what is added to it.
fn with(number: u8, more: i32) -> u8 {
    let sum = i32::from(number).saturating_add(more);
    u8::try_from(sum.clamp(0, i32::from(u8::MAX))).unwrap_or(number)
}

/// Why a deck is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeckFault {
    /// Not the number of cards that a deck has (G33).
    Size {
        /// Cards in it.
        cards: usize,
        /// Cards it should have, at least.
        least: usize,
        /// And at most.
        most: usize,
    },
    /// Too many copies of a card (G33).
    Copies {
        /// Which.
        model: ModelId,
        /// How many.
        copies: usize,
        /// How many are allowed.
        allowed: usize,
    },
    /// A card that cannot be played (D60).
    UnknownType {
        /// Which.
        model: ModelId,
    },
}

impl DeckFault {
    /// The fault in words.
    pub fn describe<'a>(&'a self, game: &'a Game) -> impl fmt::Display + 'a {
        struct Described<'a>(&'a DeckFault, &'a Game);
        impl fmt::Display for Described<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let Described(fault, game) = self;
                match fault {
                    DeckFault::Size { cards, least, most } => {
                        let s = if *cards == 1 { "" } else { "s" };
                        write!(f, "the deck has {cards} card{s} instead of ")?;
                        if least == most {
                            write!(f, "{least}")
                        } else {
                            write!(f, "{least} to {most}")
                        }
                    }
                    DeckFault::Copies {
                        model,
                        copies,
                        allowed,
                    } => {
                        let verb = if *allowed == 1 { "is" } else { "are" };
                        let name = &game.model(*model).name;
                        write!(f, "{copies} copies of “{name}”, at most {allowed} {verb} allowed")
                    }
                    DeckFault::UnknownType { model } => write!(
                        f,
                        "“{}” is of a type that this game does not know and cannot be played",
                        game.model(*model).name
                    ),
                }
            }
        }
        Described(self, game)
    }
}

/// What the steps of a program are called, for questions and traces.
impl Game {
    fn program_at(&self, place: RulePlace) -> Option<&Program> {
        self.models.get(usize::from(place.model.0))?.program.as_deref()
    }

    /// The question of a `may` (R501).
    pub fn question_at(&self, place: RulePlace, index: u16) -> Option<&str> {
        self.program_at(place)?
            .questions
            .get(usize::from(index))?
            .as_deref()
    }

    /// The text of the effect at a place: its name as written out.
    pub fn command_at(&self, place: RulePlace) -> Option<String> {
        self.program_at(place)?.describe(place.step)
    }

    /// The target filter in force at a place that has more than `index` alternatives.
    pub fn target_at(&self, place: RulePlace, index: usize) -> Option<&cw_program::Target> {
        self.program_at(place)?.target_with(place.step, index)
    }

    /// Where in the card's rule a place is: the bytes of its text.
    pub fn span_at(&self, place: RulePlace) -> Option<std::ops::Range<usize>> {
        self.program_at(place)?.span_of(place.step)
    }

    /// As [`Game::span_at`]; for a step without a text of its own, the next one of the program that
    /// has one.
    pub fn statement_at(&self, place: RulePlace) -> Option<std::ops::Range<usize>> {
        let program = self.program_at(place)?;
        let last = word(program.ops.len());
        (place.step..last).find_map(|step| program.span_of(step))
    }
}
