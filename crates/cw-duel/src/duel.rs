//! The front door: a duel as a value.

pub(crate) mod carried;
pub(crate) mod explain;
pub(crate) mod glance;
pub(crate) mod hash;
pub(crate) mod idle;
pub(crate) mod invariants;
pub(crate) mod lookahead;
pub(crate) mod position;
pub(crate) mod sample;
pub(crate) mod snapshot;
pub(crate) mod view;
pub(crate) mod why_not;

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use cw_program::{ModelId, PileName};
use smallvec::SmallVec;

use crate::base::card::{CardId, DuelCard, ZoneKind};
use crate::base::list::DuelObject;
use crate::event::{DuelEvent, EventLog, Sink};
use crate::game::{DeckFault, Game, MAX_BACKUPS, MAX_CARDS, MAX_FOLLOWERS, MAX_SLOTS};
use crate::machine::{ByChance, Machine};
use crate::state::copy;
use crate::state::decision::{Choice, Decision};
use crate::state::facts::DuelFacts;
use crate::state::{
    AgendaTask, CardTable, ChangeKind, DuelOutcome, DuelState, LOST, Life, StateChange, WinReason,
};
use crate::{PerSeat, Phase, Seat};
use cw_chance::{Chance, Seed};

/// A duel at one of its decisions, or at its end.
///
/// Copying it is cheap and copies everything; the copies go on independently.
pub struct Duel {
    game: Arc<Game>,
    /// Outcomes of scripted chance, if it is scripted.
    script: Option<Arc<[u32]>>,
    #[cfg(feature = "oracle")]
    moves_cards: bool,
    /// What changes, in one block: boxed, so that a copy is written where it stays.
    pub(crate) state: Box<DuelState>,
}

impl Clone for Duel {
    fn clone(&self) -> Duel {
        Duel {
            game: Arc::clone(&self.game),
            script: self.script.clone(),
            #[cfg(feature = "oracle")]
            moves_cards: self.moves_cards,
            state: copy::boxed(&self.state),
        }
    }

    /// A copy into the memory of a duel that is no longer needed: nothing is allocated.
    fn clone_from(&mut self, source: &Duel) {
        if !Arc::ptr_eq(&self.game, &source.game) {
            self.game = Arc::clone(&source.game);
        }
        self.script.clone_from(&source.script);
        #[cfg(feature = "oracle")]
        {
            self.moves_cards = source.moves_cards;
        }
        copy::over(&mut self.state, &source.state);
    }
}

/// Counts what is told.
struct TellCount<'a>(&'a Cell<usize>);

impl Sink for TellCount<'_> {
    fn event(&mut self, _: &DuelEvent) {
        self.0.set(self.0.get() + 1);
    }
}

/// The decks of both players: a model for each card.
pub type Decks = PerSeat<Vec<ModelId>>;

/// How a duel starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuelSetup {
    /// Where random outcomes come from.
    pub chance: Chance,
    /// Outcomes for [`Chance::List`].
    pub script: Vec<u32>,
    /// Who goes first; `None` draws it (D10).
    pub first: Option<Seat>,
    /// Plays decks that are not legal (D9).
    pub allow_illegal_decks: bool,
}

impl From<u64> for DuelSetup {
    /// A seed, and nothing special.
    fn from(seed: u64) -> DuelSetup {
        DuelSetup::from(Seed::from(seed))
    }
}

impl From<Seed> for DuelSetup {
    /// A seed, and nothing special.
    fn from(seed: Seed) -> DuelSetup {
        DuelSetup {
            chance: Chance::seeded(seed),
            script: Vec::new(),
            first: None,
            allow_illegal_decks: false,
        }
    }
}

/// Why a duel cannot start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// A deck is not legal (G33).
    IllegalDeck {
        /// Whose.
        seat: Seat,
        /// The first fault.
        fault: DeckFault,
    },
    /// More cards than a duel can hold (D9).
    TooManyCards {
        /// In both decks.
        cards: usize,
    },
    /// A number of the game is beyond what the engine can hold (D9).
    TooLarge {
        /// Which.
        what: &'static str,
        /// At most.
        limit: usize,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::IllegalDeck { seat, fault } => {
                write!(
                    f,
                    "the deck of player {} is not legal: {fault:?}",
                    seat.index() + 1
                )
            }
            SetupError::TooManyCards { cards } => {
                write!(
                    f,
                    "the decks have {cards} cards together, a duel holds at most {MAX_CARDS} (D9)"
                )
            }
            SetupError::TooLarge { what, limit } => write!(f, "{what}: at most {limit} (D9)"),
        }
    }
}

impl std::error::Error for SetupError {}

/// Why an answer was refused; the duel is as before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerError {
    /// The choice is not among the options of the pending decision.
    NotOffered {
        /// What was answered.
        got: Choice,
    },
    /// The duel is over.
    Over,
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerError::NotOffered { got } => write!(f, "{got:?} is not among the options"),
            AnswerError::Over => f.write_str("the duel is over"),
        }
    }
}

impl std::error::Error for AnswerError {}

impl Duel {
    /// Starts a duel and runs it to its first decision (G35).
    ///
    /// # Errors
    /// If a deck is not legal, or something is beyond the engine's limits (D9).
    pub fn new(game: Arc<Game>, decks: &Decks, setup: impl Into<DuelSetup>) -> Result<Duel, SetupError> {
        Duel::new_logged(game, decks, setup, None)
    }

    /// Like [`Duel::new`]; tells `sink` what happens on the way to the first decision.
    ///
    /// # Errors
    /// As [`Duel::new`].
    pub fn new_with(
        game: Arc<Game>,
        decks: &Decks,
        setup: impl Into<DuelSetup>,
        sink: &mut dyn Sink,
    ) -> Result<Duel, SetupError> {
        Duel::new_logged(game, decks, setup, Some(sink))
    }

    fn new_logged(
        game: Arc<Game>,
        decks: &Decks,
        setup: impl Into<DuelSetup>,
        sink: Option<&mut dyn Sink>,
    ) -> Result<Duel, SetupError> {
        let setup = setup.into();
        check_limits(&game)?;
        for seat in Seat::BOTH {
            if !setup.allow_illegal_decks
                && let Some(fault) = game.deck_faults(&decks[seat]).into_iter().next()
            {
                return Err(SetupError::IllegalDeck { seat, fault });
            }
        }
        let deck = ZoneKind::Pile(PileName::Deck);
        let mut cards = CardTable::EMPTY;
        for seat in Seat::BOTH {
            for model in &decks[seat] {
                cards
                    .push(DuelCard::new(*model, seat, deck))
                    .map_err(|_| SetupError::TooManyCards {
                        cards: decks.0[0].len() + decks.0[1].len(),
                    })?;
            }
        }
        let mut duel = Duel {
            script: scripted(setup.script),
            #[cfg(feature = "oracle")]
            moves_cards: false,
            state: Box::new(DuelState::new(cards, setup.chance)),
            game,
        };
        duel.set_up(setup.first, sink)?;
        Ok(duel)
    }

    /// A duel with this state and nothing decided yet.
    pub(crate) fn assemble(game: Arc<Game>, script: Vec<u32>, state: DuelState) -> Duel {
        Duel {
            script: scripted(script),
            #[cfg(feature = "oracle")]
            moves_cards: false,
            state: Box::new(state),
            game,
        }
    }

    /// Sets up the duel; who goes first is drawn unless it is given (G35, D10).
    fn set_up(&mut self, first: Option<Seat>, sink: Option<&mut dyn Sink>) -> Result<(), SetupError> {
        let mut machine = self.machine(sink);
        let first =
            first.unwrap_or_else(|| Seat::from_index(machine.s.chance.below(2, machine.script) as usize));
        machine.s.first = first;
        machine.s.active = first;
        machine.log.tell(|| DuelEvent::Began { first });
        for seat in Seat::BOTH {
            machine.s.players[seat].hp = machine.game.hp_of(seat);
            machine.s.players[seat].sp = machine.game.sp_of(seat);
            machine.shuffle(seat, PileName::Deck);
        }
        for (flag, whose, holds) in &machine.game.twist.rules {
            let change = StateChange {
                kind: ChangeKind::Flag(*flag, *holds),
                subject: whose.map_or(DuelObject::GAME, DuelObject::player),
                source: CardId::NONE,
                named: LOST,
                life: Life::Forever,
            };
            machine.s.changes.push(change).map_err(|_| SetupError::TooLarge {
                what: "rules that are otherwise",
                limit: machine.s.changes.len(),
            })?;
        }
        for seat in [first, first.other()] {
            let hand = usize::from(machine.game.opening_hand_of(seat));
            machine.draw(seat, hand).expect("the opening hand needs no room");
        }
        machine.s.queue.clear(); // nobody listens yet
        machine
            .s
            .tasks
            .push(AgendaTask::Turn)
            .expect("the agenda is empty");
        machine.run();
        Ok(())
    }

    #[inline]
    pub(crate) fn machine<'a>(&'a mut self, sink: Option<&'a mut (dyn Sink + '_)>) -> Machine<'a> {
        // A new borrow, so that the sink may outlive the machine.
        let sink = sink.map(|sink| -> &'a mut dyn Sink { sink });
        Machine {
            game: &self.game,
            script: self.script.as_deref().unwrap_or(&[]),
            s: &mut self.state,
            log: EventLog::new(sink),
            last: None,
            held: SmallVec::new(),
            #[cfg(feature = "oracle")]
            moves_cards: self.moves_cards,
            #[cfg(not(feature = "oracle"))]
            moves_cards: false,
            probe: None,
            verdict: None,
            looks: None,
            by_chance: None,
            watch: None,
            unlisted: false,
            settled: false,
            may_fall: true,
        }
    }

    /// From now on a shuffle moves the cards of this duel instead of exchanging what they are: slow,
    /// obvious and indiscreet, for tests to compare with.
    #[cfg(feature = "oracle")]
    pub fn move_cards(&mut self) {
        self.moves_cards = true;
    }

    pub(crate) fn facts(&self) -> DuelFacts<'_> {
        DuelFacts {
            game: &self.game,
            s: &self.state,
        }
    }

    /// The duel goes on in another version of its game.
    pub(crate) fn use_game(&mut self, game: Arc<Game>) {
        self.game = game;
    }

    /// The game that is played.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The decision that waits; `None` when the duel is over.
    pub fn pending(&self) -> Option<&Decision> {
        self.state.outcome.is_none().then_some(&self.state.decision)
    }

    /// How the duel ended, if it has.
    pub fn outcome(&self) -> Option<DuelOutcome> {
        self.state.outcome
    }

    /// Answers the pending decision and runs to the next one.
    ///
    /// # Errors
    /// If the choice was not offered, or the duel is over; then nothing has changed.
    pub fn answer(&mut self, choice: Choice, sink: &mut dyn Sink) -> Result<(), AnswerError> {
        self.answer_logged(choice, Some(sink))
    }

    /// Like [`Duel::answer`], with nobody listening: the fastest way on.
    ///
    /// # Errors
    /// As [`Duel::answer`].
    pub fn answer_silently(&mut self, choice: Choice) -> Result<(), AnswerError> {
        self.answer_logged(choice, None)
    }

    /// Answers with the option of this number, counted from 0, and runs to the next decision with nobody
    /// listening: it need not be looked for among the others. Tells which it was; `None` if there is none,
    /// and then nothing has changed.
    pub fn take_option(&mut self, number: usize) -> Option<Choice> {
        let choice = *self.pending()?.options.get(number)?;
        self.state.reply = Some(choice);
        self.machine(None).run();
        Some(choice)
    }

    fn answer_logged(&mut self, choice: Choice, sink: Option<&mut dyn Sink>) -> Result<(), AnswerError> {
        self.check_offered(choice)?;
        self.state.reply = Some(choice);
        self.machine(sink).run();
        Ok(())
    }

    #[inline]
    fn check_offered(&self, choice: Choice) -> Result<(), AnswerError> {
        if self.state.outcome.is_some() {
            return Err(AnswerError::Over);
        }
        if !self.state.decision.options.contains(&choice) {
            return Err(AnswerError::NotOffered { got: choice });
        }
        Ok(())
    }

    /// The states through which an answer to the pending decision leads, in order, each with how many
    /// events were told until then; the last one is that of [`Duel::answer`]. Between two changes of a
    /// player's HP, two of a character's BP and two KOs there is always a state. In those on the way nobody
    /// is asked anything: they are there to be looked at.
    ///
    /// # Errors
    /// As [`Duel::answer`].
    pub fn course(&self, choice: Choice) -> Result<Vec<(usize, Duel)>, AnswerError> {
        let told = Cell::new(0);
        let mut states: Vec<(usize, Duel)> = Vec::new();
        let mut watch = |state: &DuelState| {
            let on_the_way = Duel {
                game: Arc::clone(&self.game),
                script: self.script.clone(),
                #[cfg(feature = "oracle")]
                moves_cards: self.moves_cards,
                state: copy::boxed(state),
            };
            match states.last_mut() {
                Some(last) if last.0 == told.get() => last.1 = on_the_way,
                _ => states.push((told.get(), on_the_way)),
            }
        };
        let mut duel = self.clone();
        let mut count = TellCount(&told);
        duel.check_offered(choice)?;
        duel.state.reply = Some(choice);
        let mut machine = duel.machine(Some(&mut count));
        machine.watch = Some(&mut watch);
        machine.run();
        match states.last_mut() {
            Some(last) if last.0 == told.get() => last.1 = duel,
            _ => states.push((told.get(), duel)),
        }
        Ok(states)
    }

    /// Plays on without a player: answers the pending decision and the next ones by chance, up to so
    /// many, and says how many it answered. Fewer than `most` are answered if the duel ends.
    ///
    /// Of all options of a decision each is as likely as any other, as if `below` picked from
    /// [`Decision::options`]; but where a player may do this or that in a phase, only as many are looked
    /// at as it takes to find one that is allowed. `below` gives a number from 0 to below its argument,
    /// all equally likely. After that the next decision waits, with all its options.
    ///
    /// # Panics
    /// If `below` gives a number that is not below its argument.
    pub fn play_by_chance(&mut self, most: u32, below: &mut dyn FnMut(usize) -> usize) -> u32 {
        let Some(decision) = self.pending().filter(|_| most > 0) else {
            return 0;
        };
        let choice = decision.options[below(decision.options.len())];
        self.state.reply = Some(choice);
        let mut machine = self.machine(None);
        machine.by_chance = Some(ByChance {
            below,
            left: most - 1,
        });
        machine.run();
        most - machine.by_chance.map_or(0, |chance| chance.left)
    }

    /// The player gives up (D14); nothing happens if the duel is over.
    pub fn forfeit(&mut self, loser: Seat, sink: &mut dyn Sink) {
        let mut machine = self.machine(Some(sink));
        machine.lose(loser, WinReason::Forfeit);
        machine.s.decision.options.clear();
    }

    /// The players agree on a draw, which ends the duel as the last turn does (D14); nothing happens if it
    /// is over.
    pub fn agree_on_draw(&mut self, sink: &mut dyn Sink) {
        let mut machine = self.machine(Some(sink));
        machine.end(DuelOutcome::Drawn);
        machine.s.decision.options.clear();
    }

    /// The turn's number, from 1.
    pub fn turn(&self) -> u16 {
        self.state.turn
    }

    /// The phase.
    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// The player whose turn it is.
    pub fn active(&self) -> Seat {
        self.state.active
    }

    /// What a card is, whoever may know it. For logs that hide nothing, and for tests.
    pub fn true_model(&self, card: CardId) -> Option<ModelId> {
        self.state.cards.get(card.index()).map(|card| card.model)
    }

    /// What a card is, as far as this player knows.
    #[inline]
    pub fn known_model(&self, seat: Seat, card: CardId) -> Option<ModelId> {
        let card = self.state.cards.get(card.index())?;
        card.known().contains(seat).then_some(card.model)
    }

    /// Asks the processor to have this duel at hand soon: for who goes through many duels in turn, one or two
    /// steps before it is this one's. It changes nothing but the time that takes.
    #[inline]
    pub fn fetch(&self) {
        copy::fetch(&self.state);
    }

    /// Bytes that a copy copies: the state, its cards and the pending decision.
    pub fn size_in_bytes(&self) -> usize {
        size_of::<Duel>() + size_of::<DuelState>() + self.state.spilled_bytes()
    }
}

impl fmt::Debug for Duel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Duel")
            .field("game", &self.game.name)
            .field("turn", &self.state.turn)
            .field("phase", &self.state.phase)
            .field("hash", &self.hash())
            .finish_non_exhaustive()
    }
}

fn scripted(outcomes: Vec<u32>) -> Option<Arc<[u32]>> {
    (!outcomes.is_empty()).then(|| outcomes.into())
}

/// D9: what the state has room for.
pub(crate) fn check_limits(game: &Game) -> Result<(), SetupError> {
    let constants = &game.constants;
    let limits = [
        ("slots in a ring", usize::from(constants.ring_slots), MAX_SLOTS),
        (
            "followers of a United Attack",
            usize::from(constants.united_followers),
            MAX_FOLLOWERS,
        ),
        ("nested dispatches", usize::from(constants.max_depth), 16),
    ];
    for (what, value, limit) in limits {
        if value > limit {
            return Err(SetupError::TooLarge { what, limit });
        }
    }
    if game.models.iter().any(|model| model.backups.len() > MAX_BACKUPS) {
        return Err(SetupError::TooLarge {
            what: "back-up icons of a character",
            limit: MAX_BACKUPS,
        });
    }
    Ok(())
}
