//! One duel with its history, and who sits at it.

use std::fmt;
use std::sync::Arc;

use cw_duel::{Choice, Decision, Duel, Event, Game, PerSeat, Phase, Question, Seat, Setup, SetupError};
use cw_faces::Catalogue;
use cw_players::Random;
use cw_program::ModelId;
use cw_wire::Recorder;
use cw_words::Reader;
use serde::{Deserialize, Serialize};

use crate::Secret;

/// Who decides for a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Who {
    /// Somebody with a browser and the seat's invitation.
    Person,
    /// The computer, by one step of look-ahead on guesses about what it cannot see.
    Computer,
    /// The computer, by chance.
    Random,
}

/// How a duel is to begin.
#[derive(Clone, Debug)]
pub struct Start {
    /// The game.
    pub game: Arc<Game>,
    /// What is printed on its cards.
    pub catalogue: Arc<Catalogue>,
    /// The decks.
    pub decks: PerSeat<Vec<ModelId>>,
    /// The decks' names, for people.
    pub names: PerSeat<String>,
    /// Who plays.
    pub who: PerSeat<Who>,
    /// The seed of all chance.
    pub seed: u64,
    /// Who goes first; drawn if `None` (D10).
    pub first: Option<Seat>,
    /// Plays decks that are not legal (D9).
    pub allow_illegal_decks: bool,
}

/// A phase in which a seat wants to be asked even if it can only pass (D50: a policy of the seat).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// In its own Main phase.
    Main,
    /// In its own Attack phase.
    Attack,
    /// In the opponent's turn.
    Counter,
}

impl Stop {
    /// All, as the page shows them.
    pub const ALL: [Stop; 3] = [Stop::Main, Stop::Attack, Stop::Counter];

    /// Its name in forms.
    pub fn word(self) -> &'static str {
        match self {
            Stop::Main => "main",
            Stop::Attack => "attack",
            Stop::Counter => "counter",
        }
    }

    fn of(phase: Phase) -> Option<Stop> {
        match phase {
            Phase::Main => Some(Stop::Main),
            Phase::Attack => Some(Stop::Attack),
            Phase::CounterAttack => Some(Stop::Counter),
            Phase::Setup | Phase::Activate | Phase::Draw | Phase::End | Phase::Cleanup => None,
        }
    }
}

/// A request that changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The decision was answered already, or taken back.
    Stale,
    /// The same form was sent twice; the first one counts.
    Repeated,
    /// It is not this seat's decision.
    NotYours,
    /// The option does not exist.
    NotOffered,
    /// The duel is over.
    Over,
    /// There is nothing that may be taken back.
    NoUndo,
    /// The form was not made for this seat.
    Forged,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::Stale => "That question has been answered already. This is how things stand now.",
            Refused::Repeated => "That answer was already taken.",
            Refused::NotYours => "It is not your turn to decide.",
            Refused::NotOffered => "That is not one of the options.",
            Refused::Over => "The duel is over.",
            Refused::NoUndo => "Something was revealed or drawn since: that cannot be taken back.",
            Refused::Forged => "That form was not made for this seat.",
        })
    }
}

impl std::error::Error for Refused {}

/// The duel after one choice, and what happened on the way there.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub duel: Duel,
    pub events: Vec<Event>,
    /// Who chose; nobody at the beginning.
    pub by: Option<Seat>,
    /// Chosen by the seat's policy rather than by hand.
    pub auto: bool,
}

/// Somebody's place at the table.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub who: Who,
    pub secret: Secret,
    pub stops: Vec<Stop>,
    pub full_control: bool,
    pub wants_rematch: bool,
    /// The number of the last decision that was answered by a form.
    accepted: Option<u64>,
}

/// What was done at a table, as the store keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Done {
    /// A choice, in the words of `cw_words::choice`, and the state after it.
    Chose {
        seat: u8,
        choice: String,
        auto: bool,
        hash: String,
    },
    /// A player gave up.
    Forfeited { seat: u8 },
    /// Everything after this step was taken back.
    TookBack { to: usize },
}

/// One duel with its history and its seats.
#[derive(Debug)]
pub struct Table {
    pub(crate) start: Start,
    pub(crate) seats: PerSeat<Place>,
    // Invariant: never empty; step 0 is the beginning.
    pub(crate) steps: Vec<Step>,
    /// Grows with everything that changes what somebody sees; names the pending decision.
    number: u64,
    random: Random,
    /// What was done, to be kept; the server takes it.
    done: Vec<Done>,
}

impl Table {
    /// Begins a duel.
    ///
    /// # Errors
    /// If the duel cannot start.
    pub fn new(start: Start, secrets: PerSeat<Secret>) -> Result<Table, SetupError> {
        let setup = Setup {
            first: start.first,
            allow_illegal_decks: start.allow_illegal_decks,
            ..Setup::from(start.seed)
        };
        let mut events = Vec::new();
        let duel = Duel::new_with(Arc::clone(&start.game), &start.decks, setup, &mut events)?;
        let first = Step {
            duel,
            events,
            by: None,
            auto: false,
        };
        let PerSeat([one, two]) = secrets;
        let place = |secret, who| Place {
            who,
            secret,
            stops: Vec::new(),
            full_control: false,
            wants_rematch: false,
            accepted: None,
        };
        let seats = PerSeat([place(one, start.who[Seat::One]), place(two, start.who[Seat::Two])]);
        let random = Random::new(start.seed ^ 0x0c0f_fee0);
        let mut table = Table {
            start,
            seats,
            steps: vec![first],
            number: 1,
            random,
            done: Vec::new(),
        };
        table.pass_for_the_idle();
        Ok(table)
    }

    /// The duel as it stands.
    pub fn duel(&self) -> &Duel {
        &self.steps.last().expect("a table has a first step").duel
    }

    /// Names the pending decision; every change makes it larger.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// What was done since the last call, to be kept.
    pub(crate) fn take_done(&mut self) -> Vec<Done> {
        std::mem::take(&mut self.done)
    }

    /// Whose computer must choose now.
    pub(crate) fn computer_to_move(&self) -> Option<(Seat, Who)> {
        let seat = self.duel().pending()?.seat;
        let who = self.seats[seat].who;
        (who != Who::Person).then_some((seat, who))
    }

    /// A seat answers the decision `number` with one of its options by a form with this stamp.
    ///
    /// # Errors
    /// If that is not possible; then nothing has changed.
    pub fn answer(&mut self, seat: Seat, number: u64, stamp: &str, option: usize) -> Result<(), Refused> {
        self.accept(seat, number, stamp)?;
        let Some(decision) = self.duel().pending() else {
            return Err(Refused::Over);
        };
        if decision.seat != seat {
            return Err(Refused::NotYours);
        }
        let choice = *decision.options.get(option).ok_or(Refused::NotOffered)?;
        self.seats[seat].accepted = Some(number);
        self.choose(choice, false);
        self.pass_for_the_idle();
        Ok(())
    }

    /// Tests the number and the stamp of a form.
    fn accept(&self, seat: Seat, number: u64, stamp: &str) -> Result<(), Refused> {
        let place = &self.seats[seat];
        if place.secret.stamp(number) != stamp {
            return Err(Refused::Forged);
        }
        if place.accepted == Some(number) {
            return Err(Refused::Repeated);
        }
        if number != self.number {
            return Err(Refused::Stale);
        }
        Ok(())
    }

    /// Plays a choice that the pending decision offers.
    pub(crate) fn choose(&mut self, choice: Choice, auto: bool) {
        let mut duel = self.duel().clone();
        let decision = duel.pending().expect("somebody is asked").clone();
        let words = cw_words::choice(
            Reader {
                duel: &duel,
                seat: None,
            },
            &decision,
            choice,
        );
        let mut events = Vec::new();
        duel.answer(choice, &mut events)
            .expect("an offered option is accepted");
        self.done.push(Done::Chose {
            seat: decision.seat.index() as u8 + 1,
            choice: words,
            auto,
            hash: duel.hash().to_string(),
        });
        self.steps.push(Step {
            duel,
            events,
            by: Some(decision.seat),
            auto,
        });
        self.number += 1;
    }

    /// Lets the computer that must choose choose by chance.
    pub(crate) fn choose_by_chance(&mut self) {
        if let Some(decision) = self.duel().pending().cloned() {
            let choice = self.random.pick(&decision);
            self.choose(choice, false);
            self.pass_for_the_idle();
        }
    }

    /// Lets a computer's choice take effect, if the duel is where it was when it was made.
    pub(crate) fn choose_for_computer(&mut self, number: u64, choice: Choice) {
        if number == self.number && self.computer_to_move().is_some() {
            self.choose(choice, false);
            self.pass_for_the_idle();
        }
    }

    /// D50: who can only pass and has not asked to be asked is not asked.
    fn pass_for_the_idle(&mut self) {
        while let Some(decision) = self.duel().pending() {
            let place = &self.seats[decision.seat];
            let stopped = Stop::of(decision.phase).is_some_and(|stop| place.stops.contains(&stop));
            let idle = decision.options.len() == 1 && free(decision);
            if place.who != Who::Person || !idle || stopped || place.full_control {
                return;
            }
            let only = decision.options[0];
            self.choose(only, true);
        }
    }

    /// A seat gives up.
    ///
    /// # Errors
    /// If the duel is over.
    pub fn forfeit(&mut self, seat: Seat) -> Result<(), Refused> {
        let mut duel = self.duel().clone();
        if duel.outcome().is_some() {
            return Err(Refused::Over);
        }
        let mut events = Vec::new();
        duel.forfeit(seat, &mut events);
        self.done.push(Done::Forfeited {
            seat: seat.index() as u8 + 1,
        });
        self.steps.push(Step {
            duel,
            events,
            by: Some(seat),
            auto: false,
        });
        self.number += 1;
        Ok(())
    }

    /// The step to which this seat may go back: its last choice by hand, if the opponent is the
    /// computer, nobody else chose since, and nothing hidden came to light.
    pub(crate) fn undo_step(&self, seat: Seat) -> Option<usize> {
        if self.seats[seat.other()].who == Who::Person || self.duel().outcome().is_some() {
            return None;
        }
        for (at, step) in self.steps.iter().enumerate().rev() {
            if at == 0 || step.by != Some(seat) || step.events.iter().any(reveals) {
                return None;
            }
            if !step.auto {
                return Some(at - 1);
            }
        }
        None
    }

    /// Takes the seat's last choice back.
    ///
    /// # Errors
    /// If something was revealed since.
    pub fn undo(&mut self, seat: Seat) -> Result<(), Refused> {
        let to = self.undo_step(seat).ok_or(Refused::NoUndo)?;
        self.steps.truncate(to + 1);
        self.done.push(Done::TookBack { to });
        self.number += 1;
        Ok(())
    }

    /// The seat would play again.
    pub(crate) fn want_rematch(&mut self, seat: Seat) {
        self.seats[seat].wants_rematch = true;
        self.number += 1;
    }

    /// Whether everybody would; computers always would.
    pub(crate) fn agree_on_rematch(&self) -> bool {
        let agrees = |seat: Seat| self.seats[seat].who != Who::Person || self.seats[seat].wants_rematch;
        Seat::BOTH.into_iter().all(agrees)
    }

    /// The table of the next duel counts on from here, so that old forms stay stale.
    pub(crate) fn continue_numbers(&mut self, from: u64) {
        self.number += from + 1;
    }

    /// Sets or clears a stop.
    pub fn toggle_stop(&mut self, seat: Seat, stop: Stop) {
        let stops = &mut self.seats[seat].stops;
        match stops.iter().position(|other| *other == stop) {
            Some(at) => drop(stops.remove(at)),
            None => stops.push(stop),
        }
        self.number += 1;
        self.pass_for_the_idle();
    }

    /// Asks to be asked everywhere, or no longer.
    pub fn toggle_full_control(&mut self, seat: Seat) {
        self.seats[seat].full_control ^= true;
        self.number += 1;
        self.pass_for_the_idle();
    }

    /// Does again what the store remembers.
    ///
    /// # Errors
    /// If the log does not fit the game: the number of the entry.
    pub(crate) fn redo(&mut self, log: &[String]) -> Result<(), usize> {
        self.steps.truncate(1);
        for (at, entry) in log.iter().enumerate() {
            let done: Done = serde_json::from_str(entry).map_err(|_| at)?;
            self.redo_one(&done).ok_or(at)?;
        }
        self.done.clear();
        self.number += log.len() as u64 + 1;
        Ok(())
    }

    fn redo_one(&mut self, done: &Done) -> Option<()> {
        match done {
            Done::Chose {
                seat,
                choice,
                auto,
                hash,
            } => {
                let duel = self.duel();
                let decision = duel.pending()?;
                let reader = Reader { duel, seat: None };
                let found = decision.options.iter().copied();
                let found = found.filter(|option| cw_words::choice(reader, decision, *option) == *choice);
                let found = found
                    .take(1)
                    .next()
                    .filter(|_| decision.seat.index() as u8 + 1 == *seat)?;
                self.choose(found, *auto);
                (self.duel().hash().to_string() == *hash).then_some(())
            }
            Done::Forfeited { seat } => self.forfeit(Seat::from_index(usize::from(*seat) - 1)).ok(),
            Done::TookBack { to } => {
                self.steps.truncate(to + 1);
                self.number += 1;
                Some(())
            }
        }
    }

    /// The record of the duel so far, for `cardwright replay`.
    pub fn record(&self) -> Recorder {
        let start = &self.start;
        let mut recorder = Recorder::new(&start.game, &start.decks, start.seed, start.first);
        let mut duel = self.steps[0].duel.clone();
        for pair in self.steps.windows(2) {
            // The choice between two steps is the one that leads from one to the other.
            let target = pair[1].duel.hash();
            let options = duel
                .pending()
                .map(|decision| decision.options.clone())
                .unwrap_or_default();
            let found = options.into_iter().find(|option| {
                let mut fork = duel.clone();
                fork.answer_silently(*option).is_ok() && fork.hash() == target
            });
            match (found, pair[1].by) {
                (Some(choice), _) => {
                    recorder
                        .answer(&mut duel, choice, &mut cw_duel::Silent)
                        .expect("an offered option");
                }
                (None, Some(seat)) => recorder.forfeit(&mut duel, seat, &mut cw_duel::Silent),
                (None, None) => break,
            }
        }
        recorder
    }
}

/// Whether the decision is one of the phases' own: to pass commits to nothing.
fn free(decision: &Decision) -> bool {
    matches!(
        decision.question,
        Question::Main | Question::Attack | Question::CounterAttack
    )
}

/// Whether an event brought something hidden to light, or was chance.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "few events bring something to light"
)]
fn reveals(event: &Event) -> bool {
    match event {
        Event::Moved { card, from, .. } => {
            let hidden = matches!(from.zone, cw_duel::ZoneKind::Pile(cw_program::PileName::Deck));
            hidden && card.to != cw_duel::Seats::NONE
        }
        Event::Shown { .. }
        | Event::Rolled { .. }
        | Event::Shuffled { .. }
        | Event::Looked { .. }
        | Event::TurnBegan { .. } => true,
        _ => false,
    }
}
