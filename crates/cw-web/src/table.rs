//! One duel with its history, and who sits at it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use cw_duel::{
    Choice, Decision, Duel, Event, Game, Outcome, PerSeat, Question, RulePlace, Seat, Setup, SetupError,
};
use cw_faces::Catalogue;
pub use cw_players::Stop;
use cw_players::{Habit, Level, Policy};
use cw_program::ModelId;
use cw_wire::Recorder;
use cw_words::Reader;
use serde::{Deserialize, Serialize};

use crate::pages::Told;
use crate::{Secret, Stage};

/// Who decides for a seat. It is kept by name: “person”, “computer” or a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Who {
    /// Somebody with a browser and the seat's invitation.
    Person,
    /// The computer, at this level.
    Computer(Level),
}

impl Who {
    /// The computer, as well as it can.
    pub const COMPUTER: Who = Who::Computer(Level::BEST);

    /// How the computer plays for the seat; `None` for a person.
    pub fn level(self) -> Option<Level> {
        match self {
            Who::Person => None,
            Who::Computer(level) => Some(level),
        }
    }
}

impl From<Who> for String {
    fn from(who: Who) -> String {
        who.level().map_or("person", Level::name).to_owned()
    }
}

impl TryFrom<String> for Who {
    type Error = String;

    fn try_from(name: String) -> Result<Who, String> {
        match Level::named(&name) {
            Some(level) => Ok(Who::Computer(level)),
            None if name == "person" => Ok(Who::Person),
            None => Err(format!("nobody plays as “{name}”")),
        }
    }
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
    /// Where it begins, if not with the decks at the start of a game.
    pub stage: Option<Arc<Stage>>,
}

/// Why there is no duel.
#[derive(Debug, thiserror::Error)]
pub enum CannotBegin {
    /// The decks cannot be played.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The scenario's position makes no sense in this game.
    #[error("the scenario cannot be set up: {0}")]
    Stage(String),
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
    /// The coach asks for something else.
    Lesson,
    /// A lesson or puzzle that does not exist.
    NoStage,
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
            Refused::Lesson => "A good idea for later. For now, try what the coach says.",
            Refused::NoStage => "There is no such lesson or puzzle.",
        })
    }
}

impl std::error::Error for Refused {}

/// Finds cards' names in sentences.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Models by the first word of their name, longest names first; each name once.
    by_word: BTreeMap<String, Vec<ModelId>>,
}

impl Names {
    fn of(game: &Game) -> Names {
        let mut names = Names::default();
        let mut seen = BTreeSet::new();
        for (at, model) in (0u16..).zip(&game.models) {
            if !model.name.is_empty() && seen.insert(&model.name) {
                let word = first_word(&model.name).to_owned();
                names.by_word.entry(word).or_default().push(ModelId(at));
            }
        }
        for models in names.by_word.values_mut() {
            models.sort_by_key(|model| std::cmp::Reverse(game.model(*model).name.len()));
        }
        names
    }

    /// The name that the text begins with: its length in bytes, and whose it is.
    pub(crate) fn at_the_start_of(&self, text: &str, game: &Game) -> Option<(usize, ModelId)> {
        let models = self.by_word.get(first_word(text))?;
        let begins = |model: &&ModelId| {
            let name: &str = &game.model(**model).name;
            let rest = text.strip_prefix(name);
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        let model = models.iter().find(begins)?;
        Some((game.model(*model).name.len(), *model))
    }
}

fn first_word(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric());
    &text[..end.unwrap_or(text.len())]
}

/// The duel after one choice, and what happened on the way there.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub duel: Duel,
    pub events: Vec<Event>,
    /// Who chose; nobody at the beginning.
    pub by: Option<Seat>,
    /// What; nothing at the beginning, and where somebody gave up.
    pub choice: Option<Choice>,
    /// Chosen by the seat's policy rather than by hand.
    pub auto: bool,
    /// What each seat reads of it; made when somebody first does.
    pub told: PerSeat<OnceLock<Vec<Told>>>,
}

/// Somebody's place at the table.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub who: Who,
    pub secret: Secret,
    /// What it leaves to its settings (D50).
    pub policy: Policy,
    pub wants_rematch: bool,
    /// What was shown up to this step has been put away.
    pub dismissed: usize,
    /// The number of the last decision that was answered by a form.
    accepted: Option<u64>,
}

/// How a puzzle stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Puzzle {
    Open,
    Solved,
    Failed,
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
    /// A seat changed what it is asked about; this is what holds since.
    Settled { seat: u8, settings: Settings },
    /// A seat put away what was shown to it up to this step.
    PutAway { seat: u8, to: usize },
}

impl Done {
    /// Whether the duel itself went on.
    pub(crate) fn moves_the_duel(&self) -> bool {
        match self {
            Done::Chose { .. } | Done::Forfeited { .. } | Done::TookBack { .. } => true,
            Done::Settled { .. } | Done::PutAway { .. } => false,
        }
    }
}

/// A seat's [`Policy`], as the store keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Settings {
    stops: Vec<String>,
    full_control: bool,
    always: Vec<Always>,
}

/// What a seat always answers to a question of a card's rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Always {
    card: String,
    step: u16,
    yes: bool,
}

impl Settings {
    fn of(policy: &Policy, game: &Game) -> Settings {
        let always = policy.habits.iter().map(|(place, habit)| Always {
            card: game.model(place.model).id.to_string(),
            step: place.step,
            yes: *habit == Habit::Yes,
        });
        Settings {
            stops: policy.stops.iter().map(|stop| stop.word().to_owned()).collect(),
            full_control: policy.full_control,
            always: always.collect(),
        }
    }

    /// Cards that the game no longer has are asked for again.
    fn policy(&self, game: &Game) -> Policy {
        let stop = |word: &String| Stop::ALL.into_iter().find(|stop| stop.word() == word);
        let habit = |always: &Always| {
            let at = game.models.iter().position(|model| *model.id == *always.card)?;
            let place = RulePlace {
                model: ModelId(u16::try_from(at).ok()?),
                step: always.step,
            };
            Some((place, if always.yes { Habit::Yes } else { Habit::No }))
        };
        Policy {
            stops: self.stops.iter().filter_map(stop).collect(),
            full_control: self.full_control,
            habits: self.always.iter().filter_map(habit).collect(),
        }
    }
}

/// One duel with its history and its seats.
#[derive(Debug)]
pub struct Table {
    pub(crate) start: Start,
    pub(crate) seats: PerSeat<Place>,
    // Invariant: never empty; step 0 is the beginning.
    pub(crate) steps: Vec<Step>,
    /// The step at which people begin: behind those that a stage has taken for them.
    beginning: usize,
    pub(crate) names: Arc<Names>,
    /// Grows with everything that changes what somebody sees; names the pending decision.
    number: u64,
    /// What was done, to be kept; the server takes it.
    done: Vec<Done>,
}

impl Table {
    /// Begins a duel.
    ///
    /// # Errors
    /// If the duel cannot start.
    pub fn new(start: Start, secrets: PerSeat<Secret>) -> Result<Table, CannotBegin> {
        Table::with_settings(start, secrets, &PerSeat::default())
    }

    /// Begins a duel of seats that have made their settings already.
    pub(crate) fn with_settings(
        start: Start,
        secrets: PerSeat<Secret>,
        settings: &PerSeat<Policy>,
    ) -> Result<Table, CannotBegin> {
        let mut events = Vec::new();
        let duel = match &start.stage {
            Some(stage) => {
                let begun = stage.begin(&start.game);
                let (duel, on_the_way) = begun.map_err(|fault| CannotBegin::Stage(fault.message))?;
                events = on_the_way;
                duel
            }
            None => {
                let setup = Setup {
                    first: start.first,
                    allow_illegal_decks: start.allow_illegal_decks,
                    ..Setup::from(start.seed)
                };
                Duel::new_with(Arc::clone(&start.game), &start.decks, setup, &mut events)?
            }
        };
        let first = Step {
            duel,
            events,
            by: None,
            choice: None,
            auto: false,
            told: PerSeat::default(),
        };
        let choices: Vec<Choice> = start
            .stage
            .iter()
            .flat_map(|stage| stage.choices().collect::<Vec<_>>())
            .collect();
        let mut table = Table::of_steps(start, secrets, vec![first]);
        for choice in choices {
            table.choose(choice, false);
        }
        // Whoever brings the table back begins where its stage ends.
        table.done.clear();
        table.beginning = table.steps.len() - 1;
        for seat in Seat::BOTH {
            table.take_settings(seat, settings[seat].clone());
        }
        table.pass_for_the_idle();
        Ok(table)
    }

    fn of_steps(start: Start, secrets: PerSeat<Secret>, steps: Vec<Step>) -> Table {
        let PerSeat([one, two]) = secrets;
        let place = |secret, who| Place {
            who,
            secret,
            policy: Policy::default(),
            wants_rematch: false,
            dismissed: 0,
            accepted: None,
        };
        let seats = PerSeat([place(one, start.who[Seat::One]), place(two, start.who[Seat::Two])]);
        Table {
            names: Arc::new(Names::of(&start.game)),
            start,
            seats,
            steps,
            beginning: 0,
            number: 1,
            done: Vec::new(),
        }
    }

    /// A table of its own that goes on from an earlier step, against the computer.
    pub(crate) fn going_on_at(&self, at: usize, seat: Seat, secrets: PerSeat<Secret>) -> Table {
        let mut start = self.start.clone();
        start.who = PerSeat::from_fn(|whose| if whose == seat { Who::Person } else { Who::COMPUTER });
        // The steps it has taken are among those that are kept.
        start.stage = start.stage.map(|stage| match stage.played {
            true => Arc::new(stage.before_its_steps()),
            false => stage,
        });
        let steps = self.steps[..=at.min(self.steps.len() - 1)].to_vec();
        let mut table = Table::of_steps(start, secrets, steps);
        let done = |pair: &[Step]| {
            let (before, after) = (&pair[0], &pair[1]);
            Some(match after.choice {
                Some(choice) => chose(&before.duel, choice, &after.duel, after.auto)?,
                None => Done::Forfeited {
                    seat: after.by?.index() as u8 + 1,
                },
            })
        };
        table.done = table.steps.windows(2).filter_map(done).collect();
        table.take_settings(seat, self.seats[seat].policy.clone());
        table
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

    /// How the computer plays that must choose now.
    pub(crate) fn computer_to_move(&self) -> Option<Level> {
        if self.puzzle() == Some(Puzzle::Failed) {
            return None;
        }
        let seat = self.duel().pending()?.seat;
        self.seats[seat].who.level()
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
        if self.puzzle() == Some(Puzzle::Failed) {
            return Err(Refused::Over);
        }
        if self.cue().is_some_and(|cue| cue != choice) {
            return Err(Refused::Lesson);
        }
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
        let by = duel.pending().expect("somebody is asked").seat;
        let mut events = Vec::new();
        duel.answer(choice, &mut events)
            .expect("an offered option is accepted");
        self.done.extend(chose(self.duel(), choice, &duel, auto));
        self.steps.push(Step {
            duel,
            events,
            by: Some(by),
            choice: Some(choice),
            auto,
            told: PerSeat::default(),
        });
        self.number += 1;
    }

    /// What the lesson's script wants to be chosen now.
    pub(crate) fn cue(&self) -> Option<Choice> {
        let cue = self.start.stage.as_ref()?.cue(self.steps.len() - 1)?;
        let offered = self.duel().pending()?.options.contains(&cue.choice);
        offered.then_some(cue.choice)
    }

    /// How the puzzle stands, if it is one: it must be solved before the turn ends.
    pub(crate) fn puzzle(&self) -> Option<Puzzle> {
        self.start.stage.as_ref()?.goal()?;
        Some(match self.duel().outcome() {
            Some(Outcome::Won { winner, .. }) if winner == Stage::SEAT => Puzzle::Solved,
            Some(_) => Puzzle::Failed,
            None if self.duel().turn() != self.steps[0].duel.turn() => Puzzle::Failed,
            None => Puzzle::Open,
        })
    }

    /// Begins the lesson or the puzzle again.
    pub(crate) fn again(&mut self) {
        self.steps.truncate(self.beginning + 1);
        self.done.push(Done::TookBack { to: self.beginning });
        self.number += 1;
        self.pass_for_the_idle();
    }

    /// Lets a computer's choice take effect, if the duel is where it was when it was made.
    pub(crate) fn choose_for_computer(&mut self, number: u64, choice: Choice) {
        if number == self.number && self.computer_to_move().is_some() {
            self.choose(choice, false);
            self.pass_for_the_idle();
        }
    }

    /// D50: who can only pass and has not asked to be asked is not asked; nor is who answers a
    /// card's question the same way every time.
    fn pass_for_the_idle(&mut self) {
        while let Some(decision) = self.duel().pending() {
            if self.puzzle() == Some(Puzzle::Failed) {
                return;
            }
            let place = &self.seats[decision.seat];
            let asked = place.who != Who::Person || self.cue().is_some();
            let Some(choice) = place.policy.answer(decision).filter(|_| !asked) else {
                return;
            };
            self.choose(choice, true);
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
            choice: None,
            auto: false,
            told: PerSeat::default(),
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
            if at == 0 || step.by != Some(seat) || step.events.iter().any(|event| event.reveals_to(seat)) {
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

    /// The seat answers the pending yes-or-no question, and the same way whenever this card asks it.
    ///
    /// # Errors
    /// If no such question waits for the seat.
    pub(crate) fn answer_always(&mut self, seat: Seat, yes: bool) -> Result<(), Refused> {
        let decision = self.duel().pending().ok_or(Refused::Over)?;
        let place = decision.place.filter(|_| is_yes_or_no(decision));
        let place = place.ok_or(Refused::NotOffered)?;
        if decision.seat != seat {
            return Err(Refused::NotYours);
        }
        let habit = if yes { Habit::Yes } else { Habit::No };
        self.seats[seat].policy.set_habit(place, Some(habit));
        self.settled(seat);
        self.pass_for_the_idle();
        Ok(())
    }

    /// The seat wants to be asked again by the card of this number in its list.
    pub(crate) fn ask_again(&mut self, seat: Seat, at: usize) -> Result<(), Refused> {
        let habits = &mut self.seats[seat].policy.habits;
        if at >= habits.len() {
            return Err(Refused::NotOffered);
        }
        habits.remove(at);
        self.settled(seat);
        self.number += 1;
        Ok(())
    }

    /// Puts away what was shown to the seat so far.
    pub(crate) fn dismiss(&mut self, seat: Seat) {
        let to = self.steps.len() - 1;
        self.seats[seat].dismissed = to;
        self.done.push(Done::PutAway {
            seat: seat.index() as u8 + 1,
            to,
        });
        self.number += 1;
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
        self.seats[seat].policy.toggle(stop);
        self.settled(seat);
        self.number += 1;
        self.pass_for_the_idle();
    }

    /// Asks to be asked everywhere, or no longer.
    pub fn toggle_full_control(&mut self, seat: Seat) {
        self.seats[seat].policy.full_control ^= true;
        self.settled(seat);
        self.number += 1;
        self.pass_for_the_idle();
    }

    /// The seat goes on with settings that it made elsewhere.
    pub(crate) fn take_settings(&mut self, seat: Seat, policy: Policy) {
        if self.seats[seat].policy != policy {
            self.seats[seat].policy = policy;
            self.settled(seat);
        }
    }

    /// The seat's settings are to be kept.
    fn settled(&mut self, seat: Seat) {
        self.done.push(Done::Settled {
            seat: seat.index() as u8 + 1,
            settings: Settings::of(&self.seats[seat].policy, &self.start.game),
        });
    }

    /// All that holds besides the duel is to be kept: what was done since the last call has gone
    /// elsewhere.
    pub(crate) fn settle_anew(&mut self) {
        for seat in Seat::BOTH {
            if self.seats[seat].policy != Policy::default() {
                self.settled(seat);
            }
        }
    }

    /// Does again what the store remembers.
    ///
    /// # Errors
    /// If the log does not fit the game: the number of the entry.
    pub(crate) fn redo(&mut self, log: &[String]) -> Result<(), usize> {
        self.steps.truncate(self.beginning + 1);
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
            Done::Forfeited { seat } => self.forfeit(seat_of(*seat)?).ok(),
            Done::TookBack { to } => {
                self.steps.truncate(to + 1);
                self.number += 1;
                Some(())
            }
            Done::Settled { seat, settings } => {
                let seat = seat_of(*seat)?;
                self.seats[seat].policy = settings.policy(&self.start.game);
                self.number += 1;
                Some(())
            }
            Done::PutAway { seat, to } => {
                self.seats[seat_of(*seat)?].dismissed = *to;
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
        for step in &self.steps[1..] {
            match (step.choice, step.by) {
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

/// A seat as the store counts them.
fn seat_of(number: u8) -> Option<Seat> {
    Seat::BOTH
        .into_iter()
        .find(|seat| seat.index() + 1 == usize::from(number))
}

/// A choice as the store keeps it.
fn chose(before: &Duel, choice: Choice, after: &Duel, auto: bool) -> Option<Done> {
    let decision = before.pending()?;
    let reader = Reader {
        duel: before,
        seat: None,
    };
    Some(Done::Chose {
        seat: decision.seat.index() as u8 + 1,
        choice: cw_words::choice(reader, decision, choice),
        auto,
        hash: after.hash().to_string(),
    })
}

/// Whether a card asks whether something is to be done (C10, C17).
pub(crate) fn is_yes_or_no(decision: &Decision) -> bool {
    matches!(decision.question, Question::May(_) | Question::Optional)
        && decision.options.contains(&Choice::Yes)
        && decision.options.contains(&Choice::No)
}
