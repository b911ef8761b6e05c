//! What players are asked, and what they answer.

use cw_program::{ModelId, PileName};
use smallvec::SmallVec;

use crate::base::card::CardId;
use crate::base::place::RulePlace;
use crate::{Phase, Seat};

/// One answer. Small and without meaning outside its decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choice {
    /// Ends the phase, or passes (C6, C20).
    Pass,
    /// Plays a card from the hand or the removed pile.
    Play(CardId),
    /// Uses it as a back-up (G125).
    BackUp(CardId),
    /// Uses the character's ability (G96).
    Activate(CardId),
    /// Declares a solo attack (G130).
    Attack(CardId),
    /// Joins a United Attack (G132).
    Join(CardId),
    /// Takes an attacker out again (G136).
    CancelAttack(CardId),
    /// Counter-attacks (G144).
    Block(CardId),
    /// Takes a blocker out again (G144.5).
    CancelBlock(CardId),
    /// A slot of the ring, from 0.
    Slot(u8),
    /// A card, to be added to those chosen.
    Card(CardId),
    /// A copy of this card in a deck: which copy, and where it lies, is nobody's business (D29).
    Copy(ModelId),
    /// A player.
    Player(Seat),
    /// Whose zone (R405, R419).
    Zone(Seat),
    /// One of several types (R401), by its place in the filter.
    Type(u8),
    /// One of several actions (C9), by its place in the rule.
    Action(u8),
    /// Yes (C10, C17).
    Yes,
    /// No.
    No,
    /// To the top (C15, C16).
    Top,
    /// To the bottom.
    Bottom,
    /// The side of a coin (C18).
    Heads,
    /// The other side.
    Tails,
    /// No further card (D29).
    Done,
    /// Not at all: what was begun is taken back (D3).
    Decline,
}

impl Choice {
    /// What kind of choice it is, in the one word that records, bots, scenarios and Python use.
    ///
    /// ```
    /// use cw_duel::{CardId, Choice};
    ///
    /// assert_eq!(Choice::CancelAttack(CardId(12)).word(), "cancel-attack");
    /// ```
    pub fn word(self) -> &'static str {
        match self {
            Choice::Pass => "pass",
            Choice::Play(_) => "play",
            Choice::BackUp(_) => "back-up",
            Choice::Activate(_) => "activate",
            Choice::Attack(_) => "attack",
            Choice::Join(_) => "join",
            Choice::CancelAttack(_) => "cancel-attack",
            Choice::Block(_) => "block",
            Choice::CancelBlock(_) => "cancel-block",
            Choice::Slot(_) => "slot",
            Choice::Card(_) => "card",
            Choice::Copy(_) => "copy",
            Choice::Player(_) => "player",
            Choice::Zone(_) => "zone",
            Choice::Type(_) => "type",
            Choice::Action(_) => "action",
            Choice::Yes => "yes",
            Choice::No => "no",
            Choice::Top => "top",
            Choice::Bottom => "bottom",
            Choice::Heads => "heads",
            Choice::Tails => "tails",
            Choice::Done => "done",
            Choice::Decline => "decline",
        }
    }

    /// The card that the choice is about, if it is about one.
    pub fn card(self) -> Option<CardId> {
        match self {
            Choice::Play(card)
            | Choice::BackUp(card)
            | Choice::Activate(card)
            | Choice::Attack(card)
            | Choice::Join(card)
            | Choice::CancelAttack(card)
            | Choice::Block(card)
            | Choice::CancelBlock(card)
            | Choice::Card(card) => Some(card),
            Choice::Pass
            | Choice::Slot(_)
            | Choice::Copy(_)
            | Choice::Player(_)
            | Choice::Zone(_)
            | Choice::Type(_)
            | Choice::Action(_)
            | Choice::Yes
            | Choice::No
            | Choice::Top
            | Choice::Bottom
            | Choice::Heads
            | Choice::Tails
            | Choice::Done
            | Choice::Decline => None,
        }
    }
}

/// Why a player is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// What to do in the Main phase (G51).
    Main,
    /// What to do in the Attack phase (C3).
    Attack,
    /// What to do in the Counter-attack phase (C6).
    CounterAttack,
    /// Which slot a played character takes (C1).
    SlotFor(CardId),
    /// C2: which character the card backs up.
    BackUpWhom(CardId),
    /// C4: whose attack the character joins.
    JoinWhom(CardId),
    /// C5: which attacker the character blocks.
    BlockWhom(CardId),
    /// C8, C11: a target, one at a time.
    Target {
        /// How many are chosen already.
        chosen: u8,
        /// How many there must be.
        min: u8,
        /// How many there may be.
        max: u8,
        /// Where the cards are, if all are in one pile.
        pile: Option<(Seat, PileName)>,
    },
    /// C12: a card of one's own hand to pay with.
    DiscardCost {
        /// How many are chosen already.
        chosen: u8,
        /// How many there must be.
        min: u8,
        /// How many there may be.
        max: u8,
    },
    /// C13: a character of one's own ring to pay with.
    SacrificeCost {
        /// How many are chosen already.
        chosen: u8,
        /// How many there must be.
        min: u8,
        /// How many there may be.
        max: u8,
    },
    /// C14: a card of a player's hand.
    Discard {
        /// Whose hand.
        hand: Seat,
        /// How many are chosen already.
        chosen: u8,
        /// How many there must be.
        min: u8,
        /// How many there may be.
        max: u8,
    },
    /// Which player (R409).
    Player,
    /// Whose zone (R405, R419).
    Zone,
    /// Which of several types (R401).
    Type,
    /// Which of several actions is run (C9).
    WhichAction,
    /// C10: the number of the question in the program.
    May(u16),
    /// C17: whether to run an optional command.
    Optional,
    /// Whether cards go to the top or to the bottom of a pile (C15).
    TopOrBottom,
    /// C16: the next card to put back, of so many.
    Prophecy {
        /// Put back so far.
        chosen: u8,
        /// In all.
        of: u8,
    },
    /// Heads or tails (C18).
    Coin,
    /// Which empty slot the character moves to (C19).
    MoveToSlot(CardId),
}

impl Question {
    /// Where cards are chosen one at a time: how many are chosen, and how many there must and may be.
    pub fn counts(self) -> Option<(u8, u8, u8)> {
        match self {
            Question::Target { chosen, min, max, .. }
            | Question::DiscardCost { chosen, min, max }
            | Question::SacrificeCost { chosen, min, max }
            | Question::Discard { chosen, min, max, .. } => Some((chosen, min, max)),
            Question::Prophecy { chosen, of } => Some((chosen, of, of)),
            Question::Main
            | Question::Attack
            | Question::CounterAttack
            | Question::SlotFor(_)
            | Question::BackUpWhom(_)
            | Question::JoinWhom(_)
            | Question::BlockWhom(_)
            | Question::Player
            | Question::Zone
            | Question::Type
            | Question::WhichAction
            | Question::May(_)
            | Question::Optional
            | Question::TopOrBottom
            | Question::Coin
            | Question::MoveToSlot(_) => None,
        }
    }
}

/// A question to a player, with every answer that is allowed.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// Who decides.
    pub seat: Seat,
    /// What about.
    pub question: Question,
    /// The card on whose behalf it is asked.
    pub source: Option<CardId>,
    /// Whose rule asks, and at which step of it.
    pub place: Option<RulePlace>,
    /// The phase it is asked in.
    pub phase: Phase,
    /// Whether [`Choice::Decline`] is among the options: nothing was committed yet (D3).
    pub declinable: bool,
    /// All legal answers, in a fixed order; never empty.
    pub options: SmallVec<[Choice; INLINE_OPTIONS]>,
}

impl Decision {
    /// Nobody is asked anything.
    pub(crate) fn none() -> Decision {
        Decision {
            seat: Seat::One,
            question: Question::Main,
            source: None,
            place: None,
            phase: Phase::Setup,
            declinable: false,
            options: SmallVec::new(),
        }
    }
}

impl Clone for Decision {
    /// Copies the options as one block of memory.
    fn clone(&self) -> Decision {
        Decision {
            options: SmallVec::from_slice(&self.options),
            ..*self
        }
    }
}

/// Options that need no allocation.
pub const INLINE_OPTIONS: usize = 32;
