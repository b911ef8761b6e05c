//! A duel with its history, and who sits at it: a [`DuelTimeline`], two seats, and the entries that tell a
//! store what was done.
//!
//! A table is a value. What changes it is done to a copy, whose new entries are stored before anybody
//! sees it (`server`). Each entry makes its number one larger, so a table that is read back has the
//! number that it had, and a form that was sent before the program ended still fits, or is known.

mod carried;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use cw_duel::{
    Choice, Decision, Duel, DuelEvent, DuelOutcome, DuelSetup, Game, PerSeat, Question, RulePlace, Seat,
    Seed, SetupError,
};
use cw_faces::Catalogue;
pub use cw_players::PhaseStop;
use cw_players::{Habit, Level, SeatPolicy};
use cw_program::ModelId;
use cw_wire::{Agreeing, Agreement, DuelTimeline, Move, PartRefused, Recorder, TimelineAct};
use serde::{Deserialize, Serialize};

use crate::entry::DuelEntry;
use crate::ladder::Opponent;
use crate::markup::LogLine;
use crate::secret::Secret;
use crate::several::Collection;
use crate::stage::ScenarioStage;
use crate::unasked::unasked;

pub use carried::CarriedTable;

/// Who decides for a seat. It is kept by name: “person”, “computer” or a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum SeatPlayer {
    /// Somebody with a browser and the seat's invitation.
    Person,
    /// The computer, at this level.
    Computer(Level),
}

impl SeatPlayer {
    /// The computer, as well as it can.
    pub const COMPUTER: SeatPlayer = SeatPlayer::Computer(Level::BEST);

    /// How the computer plays for the seat; `None` for a person.
    pub(crate) fn level(self) -> Option<Level> {
        match self {
            SeatPlayer::Person => None,
            SeatPlayer::Computer(level) => Some(level),
        }
    }
}

impl From<SeatPlayer> for String {
    fn from(who: SeatPlayer) -> String {
        who.level().map_or("person", Level::name).to_owned()
    }
}

impl TryFrom<String> for SeatPlayer {
    type Error = String;

    fn try_from(name: String) -> Result<SeatPlayer, String> {
        match Level::named(&name) {
            Some(level) => Ok(SeatPlayer::Computer(level)),
            None if name == "person" => Ok(SeatPlayer::Person),
            None => Err(format!("nobody plays as “{name}”")),
        }
    }
}

/// How a duel is to begin.
#[derive(Clone, Debug)]
pub struct DuelStart {
    /// The game.
    pub game: Arc<Game>,
    /// What is printed on its cards.
    pub catalogue: Arc<Catalogue>,
    /// The decks.
    pub decks: PerSeat<Vec<ModelId>>,
    /// The decks' names, for people.
    pub names: PerSeat<String>,
    /// Who plays.
    pub who: PerSeat<SeatPlayer>,
    /// The seed of all chance; drawn by the operating system, or agreed on by two people, if
    /// `None` (D70).
    pub seed: Option<Seed>,
    /// Who goes first; drawn if `None` (D10).
    pub first: Option<Seat>,
    /// Plays decks that are not legal (D9).
    pub allow_illegal_decks: bool,
    /// Where it begins, if not with the decks at the start of a game.
    pub stage: Option<Arc<ScenarioStage>>,
    /// The seat whose page has the invitation for the other one, before the duel begins.
    pub invites: Option<Seat>,
    /// For whom the computer plays, if it is somebody with a name and a face.
    pub opponent: Option<Arc<Opponent>>,
}

impl DuelStart {
    /// Whether it is a duel of a run.
    pub fn is_of_run(&self) -> bool {
        self.opponent
            .as_ref()
            .is_some_and(|opponent| opponent.run.is_some())
    }

    /// Whether both seats are people's.
    pub fn between_people(&self) -> bool {
        self.who == PerSeat([SeatPlayer::Person; 2])
    }
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
    /// It cannot be kept now, so it does not count.
    NotKept,
    /// The duel cannot be read from where it is kept now.
    NotRead,
    /// Another program has taken over this table.
    Elsewhere,
    /// More than a seat may ask for at once.
    Busy,
    /// It took longer than anything may.
    TooLong,
    /// More settings and takebacks than a duel keeps.
    TooMuch,
    /// The shuffle is not agreed on yet.
    NotBegun,
    /// The page did not say what binds it in the shuffle.
    NoCommitment,
    /// Not everybody is bound in the shuffle.
    NotBound,
    /// The page revealed another part than the one to which it was bound.
    DoesNotFit,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::Stale => {
                "That question has been answered already. \
                 Here is the current state of the duel."
            }
            Refused::Repeated => "That answer was already taken.",
            Refused::NotYours => "It is not your turn to decide.",
            Refused::NotOffered => "That is not one of the options.",
            Refused::Over => "The duel is over.",
            Refused::NoUndo => "That cannot be taken back: something has been revealed or drawn since.",
            Refused::Forged => "That form was not made for this seat.",
            Refused::Lesson => "A good idea for later. For now, try what the coach says.",
            Refused::NoStage => "There is no such lesson or puzzle.",
            Refused::NotKept => {
                "That cannot be saved: the disk is full or cannot be written to. \
                 Nothing is lost, and the question stays open. Trying again."
            }
            Refused::NotRead => {
                "This duel cannot be read from the disk right now. \
                 Nothing is lost. Trying again."
            }
            Refused::Elsewhere => {
                "Another program has taken over this table. \
                 Open the link to your seat again."
            }
            Refused::Busy => "Too many requests at once. Trying again in a second.",
            Refused::TooLong => "That is taking too long. Trying again.",
            Refused::TooMuch => "No more changes can be saved until the duel continues.",
            Refused::NotBegun => "The duel has not begun.",
            Refused::NoCommitment => {
                "The digest of your part of the shuffle is missing. The page's script makes both by itself; \
                 without it, type the BLAKE3 digest of 64 hexadecimal digits of your own choice."
            }
            Refused::NotBound => "Not everybody has sent the digest of their part of the shuffle yet.",
            Refused::DoesNotFit => {
                "That part of the shuffle does not match its digest. The shuffle has failed and starts over."
            }
        })
    }
}

impl std::error::Error for Refused {}

/// Finds cards' names in sentences.
#[derive(Debug, Default)]
pub(crate) struct SentenceNames {
    /// Models by the first word of their name, longest names first; each name once.
    by_word: BTreeMap<String, Vec<ModelId>>,
}

impl SentenceNames {
    fn of(game: &Game) -> SentenceNames {
        let mut names = SentenceNames::default();
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

/// What one step brought: the first is the beginning, each other one a choice, somebody giving up, or
/// another shuffle.
#[derive(Debug)]
pub(crate) struct TableStep {
    pub(crate) events: Vec<DuelEvent>,
    /// Who chose; nobody at the beginning.
    pub(crate) by: Option<Seat>,
    /// What; nothing where nobody chose.
    pub(crate) choice: Option<Choice>,
    /// Something was taken back before: what nobody had seen was shuffled anew.
    pub(crate) reseeded: bool,
    /// The turn after it.
    pub(crate) turn: u16,
    /// What each seat reads of it; made when somebody first does.
    pub(crate) told: PerSeat<OnceLock<Vec<LogLine>>>,
}

/// Somebody's place at the table.
#[derive(Clone, Debug)]
pub struct TablePlace {
    /// Who decides there.
    pub who: SeatPlayer,
    /// Proves that a browser sits there.
    pub secret: Secret,
    /// What the person is called, if they have said so.
    pub name: Option<String>,
    /// What it leaves to its settings (D50).
    pub policy: SeatPolicy,
    /// How the seat would play again, if it would.
    pub(crate) wants_rematch: Option<Rematch>,
    /// Whether the other person would not, when this seat last asked.
    pub(crate) rematch_refused: bool,
    /// What was shown up to this step has been put away.
    pub(crate) dismissed: usize,
    /// The step at which the other player would rather play on than let this seat take back.
    pub(crate) refused: Option<usize>,
    /// The last decision that was answered by a form.
    accepted: Option<Accepted>,
    /// Entries that carry no answer.
    remarks: usize,
}

/// A decision that was answered by a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Accepted {
    number: u64,
    /// With which of its options; none for giving up and the like.
    option: Option<usize>,
}

impl TablePlace {
    /// A seat where nothing was done yet.
    pub fn new(who: SeatPlayer, secret: Secret) -> TablePlace {
        TablePlace {
            who,
            secret,
            name: None,
            policy: SeatPolicy::default(),
            wants_rematch: None,
            rematch_refused: false,
            dismissed: 0,
            refused: None,
            accepted: None,
            remarks: 0,
        }
    }
}

/// How a seat would play again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rematch {
    /// What binds it in the next shuffle.
    pub(crate) commitment: String,
    /// Whether decks are exchanged.
    pub(crate) swap: bool,
}

/// Characters of a person's name.
const MOST_NAME: usize = 24;

/// What a person wants to be called: one line without blanks at its ends, not too long; `None` if nothing
/// is left.
pub(crate) fn name_of(written: &str) -> Option<String> {
    let name: String = cw_text::one_line(written)?.chars().take(MOST_NAME).collect();
    Some(name.trim_end().to_owned())
}

/// Where the chance of a duel comes from (D70).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChanceOrigin {
    /// Somebody chose the seed.
    Given(Seed),
    /// The operating system did.
    Drawn(Seed),
    /// Host and seats did together.
    Agreed(Agreement),
}

impl ChanceOrigin {
    /// The seed from which all chance of the duel follows.
    pub fn seed(&self) -> Seed {
        match self {
            ChanceOrigin::Given(seed) | ChanceOrigin::Drawn(seed) => *seed,
            ChanceOrigin::Agreed(agreement) => agreement.seed(),
        }
    }

    /// The seed of a secret that nobody knows.
    pub fn drawn(secret: &Secret) -> ChanceOrigin {
        ChanceOrigin::Drawn(Seed(secret.bytes()))
    }
}

/// The cards with these ids.
pub fn models_of(ids: &[String], game: &Game) -> Result<Vec<ModelId>, String> {
    let model = |id: &String| {
        let at = game.models.iter().position(|model| *model.id == **id);
        let number = at.and_then(|at| u16::try_from(at).ok());
        number
            .map(ModelId)
            .ok_or_else(|| format!("the game has no card {id}"))
    };
    ids.iter().map(model).collect()
}

/// What became of a part that a page has revealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revealed {
    /// It is the one to which the page was bound.
    Fits,
    /// It is not: nothing of this beginning counts.
    Spoilt,
}

/// Attacks that are declared at once: more than any ring has characters.
const MOST_ATTACKS: usize = 32;

/// How a puzzle stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Puzzle {
    /// It can still be solved.
    Open,
    /// Its goal is reached.
    Solved,
    /// Its goal can no longer be reached.
    Failed,
}

/// What was done at a table, as an entry of its log keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LoggedAct {
    /// A choice, or giving up, as a record keeps it.
    Moved {
        #[serde(flatten)]
        made: Move,
        /// Chosen by the seat's settings rather than by hand.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        auto: bool,
    },
    /// Everything after this step was taken back.
    TookBack { seat: u8, to: usize },
    /// A seat asks the other one whether it may take back everything after this step.
    AsksBack {
        seat: u8,
        to: usize,
        /// What binds it in another shuffle, should one be needed.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        commitment: String,
    },
    /// The other seat lets it. Where something had come to light, the cards nobody had seen are shuffled
    /// again once both have revealed their parts; `shuffle` was written where pages did not commit first.
    LetsBack {
        seat: u8,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        commitment: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shuffle: Option<Agreement>,
    },
    /// The other seat does not let it or accepts no draw, or the one that asked asks no longer.
    PlaysOn { seat: u8 },
    /// A seat offers the other one a draw.
    OffersDraw { seat: u8 },
    /// A seat would not play again, though the other one asked.
    NoRematch { seat: u8 },
    /// A seat changed what it is asked about; this is what holds since.
    Settled { seat: u8, settings: SeatSettings },
    /// A seat put away what was shown to it up to this step.
    PutAway { seat: u8, to: usize },
    /// A seat would play again, and this binds it in the next shuffle.
    WantsRematch {
        seat: u8,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        commitment: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        swap: bool,
    },
    /// A seat sat down, and this binds it in the shuffle; `nonce` was written where pages did not commit
    /// first.
    SatDown {
        seat: u8,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        nonce: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        commitment: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The name and the cards of the deck that it chose, if not the one that was meant for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deck: Option<(String, Vec<String>)>,
    },
    /// A seat revealed its part of a shuffle, when all were bound.
    Reveals { seat: u8, nonce: String },
    /// A seat revealed a part that was not the one to which it was bound: the shuffle came to nothing.
    Spoils { seat: u8 },
}

/// What a seat asks the other one for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asking {
    pub(crate) by: Seat,
    pub(crate) what: ConsentRequest,
}

/// What somebody may be asked for by the other person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ConsentRequest {
    /// To go back to a step.
    Back {
        to: usize,
        /// What binds who asks in another shuffle.
        commitment: String,
    },
    /// To reveal its part of the other shuffle, as who asked must: all three are bound.
    Shuffle { to: usize, agreeing: Agreeing },
    /// To leave it at a draw.
    Draw,
}

/// A seat as entries count them.
pub fn number_of(seat: Seat) -> u8 {
    match seat {
        Seat::One => 1,
        Seat::Two => 2,
    }
}

/// A seat as entries count them.
pub fn seat_of(number: u8) -> Option<Seat> {
    Seat::BOTH.into_iter().find(|seat| number_of(*seat) == number)
}

/// Entries that are on their way to the store.
#[derive(Clone, Debug)]
pub(crate) struct PendingLog {
    /// The number of the table before the first entry.
    first: u64,
    /// How many there are in all.
    len: u64,
    /// Those that the store does not have.
    fresh: Vec<DuelEntry>,
}

impl PendingLog {
    pub(crate) fn new(first: u64) -> PendingLog {
        PendingLog {
            first,
            len: 0,
            fresh: Vec::new(),
        }
    }

    /// Names the pending question; every entry makes it one larger.
    pub(crate) fn number(&self) -> u64 {
        self.first + self.len
    }

    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    pub(crate) fn enter(&mut self, question: u64, done: &LoggedAct) {
        self.fresh.push(DuelEntry {
            version: DuelEntry::VERSION,
            number: self.len,
            question,
            choice: serde_json::to_string(done).expect("texts and numbers are always JSON"),
        });
        self.len += 1;
    }

    /// The entries since the last call.
    pub(crate) fn take_fresh(&mut self) -> Vec<DuelEntry> {
        std::mem::take(&mut self.fresh)
    }

    /// What an entry says, if it is the next one and can be read.
    pub(crate) fn read(&self, entry: &DuelEntry) -> Result<LoggedAct, String> {
        if entry.version != DuelEntry::VERSION {
            return Err(format!("is of version {}", entry.version));
        }
        if entry.number != self.len {
            return Err(format!("follows entry {}", self.len));
        }
        serde_json::from_str(&entry.choice).map_err(|fault| fault.to_string())
    }
}

/// A seat's [`SeatPolicy`], as the store keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct SeatSettings {
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

impl SeatSettings {
    pub(crate) fn of(policy: &SeatPolicy, game: &Game) -> SeatSettings {
        let always = policy.habits.iter().map(|(place, habit)| Always {
            card: game.model(place.model).id.to_string(),
            step: place.step,
            yes: *habit == Habit::Yes,
        });
        SeatSettings {
            stops: policy.stops.iter().map(|stop| stop.word().to_owned()).collect(),
            full_control: policy.full_control,
            always: always.collect(),
        }
    }

    /// Cards that the game no longer has are asked for again.
    pub(crate) fn policy(&self, game: &Game) -> SeatPolicy {
        let stop = |word: &String| PhaseStop::ALL.into_iter().find(|stop| stop.word() == word);
        let habit = |always: &Always| {
            let at = game.models.iter().position(|model| *model.id == *always.card)?;
            let place = RulePlace {
                model: ModelId(u16::try_from(at).ok()?),
                step: always.step,
            };
            Some((place, if always.yes { Habit::Yes } else { Habit::No }))
        };
        SeatPolicy {
            stops: self.stops.iter().filter_map(stop).collect(),
            full_control: self.full_control,
            habits: self.always.iter().filter_map(habit).collect(),
        }
    }
}

/// Entries without an answer that a seat may add, unless the host says otherwise.
const USUAL_REMARKS: usize = 64;

/// One duel with its history and its seats.
#[derive(Clone, Debug)]
pub struct DuelTable {
    /// How it began.
    pub start: Arc<DuelStart>,
    /// Who sits where.
    pub seats: PerSeat<TablePlace>,
    /// Where its chance comes from.
    pub origin: ChanceOrigin,
    timeline: DuelTimeline,
    // Invariant: one more than the timeline has steps; step 0 is the beginning.
    steps: Vec<Arc<TableStep>>,
    /// The step at which people begin: behind those that a stage has taken for them.
    beginning: usize,
    pub(crate) names: Arc<SentenceNames>,
    log: PendingLog,
    /// What one person asks the other one for. It ends with the next choice.
    asking: Option<Asking>,
    /// How what nobody had seen was shuffled anew when something was taken back, in order.
    reshuffles: Vec<Agreement>,
    /// Entries that a seat may add without an answer, beside two for each choice.
    pub remarks: usize,
    /// The host's part of the next shuffle, shown as a commitment when the duel is over.
    pub(crate) next_secret: Secret,
    /// It began with a position that was carried over from another version of the game.
    is_carried: bool,
}

impl DuelTable {
    /// Begins a duel: nothing was done in it yet, nobody has passed. `first` is the number of its first
    /// question, `next_secret` the host's part of the shuffle that follows this duel.
    pub fn set_up(
        start: Arc<DuelStart>,
        seats: PerSeat<TablePlace>,
        origin: ChanceOrigin,
        first: u64,
        next_secret: Secret,
    ) -> Result<DuelTable, CannotBegin> {
        let mut events = Vec::new();
        let duel = match &start.stage {
            Some(stage) => {
                let begun = stage.begin(&start.game);
                let (duel, on_the_way) = begun.map_err(|fault| CannotBegin::Stage(fault.message))?;
                events = on_the_way;
                duel
            }
            None => {
                let setup = DuelSetup {
                    first: start.first,
                    allow_illegal_decks: start.allow_illegal_decks,
                    ..DuelSetup::from(origin.seed())
                };
                Duel::new_with(Arc::clone(&start.game), &start.decks, setup, &mut events)?
            }
        };
        let beginning = TableStep {
            events,
            by: None,
            choice: None,
            reseeded: false,
            turn: duel.turn(),
            told: PerSeat::default(),
        };
        let mut table = DuelTable {
            names: Arc::new(SentenceNames::of(&start.game)),
            seats,
            origin,
            timeline: DuelTimeline::new(duel),
            steps: vec![Arc::new(beginning)],
            beginning: 0,
            log: PendingLog::new(first),
            asking: None,
            reshuffles: Vec::new(),
            remarks: USUAL_REMARKS,
            next_secret,
            is_carried: false,
            start,
        };
        let stage = table.start.stage.clone();
        for choice in stage.iter().flat_map(|stage| stage.choices()) {
            // A script that its own rules refuse ends where they do.
            if table.advance(TimelineAct::Chose(choice), false).is_none() {
                break;
            }
        }
        table.beginning = table.last();
        Ok(table)
    }

    /// A table of its own that has gone as this one has up to a step, against the computer: its start,
    /// and what was chosen.
    pub fn start_of_fork(&self, seat: Seat) -> DuelStart {
        let mut start = (*self.start).clone();
        start.who = PerSeat::from_fn(|whose| {
            if whose == seat {
                SeatPlayer::Person
            } else {
                SeatPlayer::COMPUTER
            }
        });
        start.seed = Some(self.origin.seed());
        start.invites = None;
        // Nobody is beaten from the middle of a duel.
        start.opponent = None;
        // The steps it has taken are among those that are kept.
        start.stage = start.stage.map(|stage| match stage.played {
            true => Arc::new(stage.before_its_steps()),
            false => stage,
        });
        start
    }

    /// Goes the way of another table up to a step, as choices of this one.
    pub fn follow(&mut self, other: &DuelTable, to: usize) {
        for taken in other.timeline.taken().iter().take(to).skip(self.last()) {
            let question = self.number();
            if self.enact(question, taken.act, taken.auto).is_none() {
                return;
            }
        }
    }

    /// Takes steps that were taken elsewhere, as choices of this table; those that do not fit end it.
    pub fn take_steps(&mut self, steps: &[(TimelineAct, bool)]) {
        for (act, auto) in steps {
            if self.enact(self.number(), *act, *auto).is_none() {
                return;
            }
        }
    }

    pub(crate) fn timeline(&self) -> &DuelTimeline {
        &self.timeline
    }

    /// The turn after a step.
    pub(crate) fn turn_at(&self, step: usize) -> u16 {
        self.steps.get(step).map_or(0, |step| step.turn)
    }

    /// The duel as it stands.
    pub fn duel(&self) -> &Duel {
        self.timeline.now()
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.duel().outcome().is_some()
    }

    /// The duel after a step.
    pub(crate) fn duel_at(&self, step: usize) -> Duel {
        self.timeline.at(step)
    }

    pub(crate) fn steps(&self) -> &[Arc<TableStep>] {
        &self.steps
    }

    /// The newest step.
    pub fn last(&self) -> usize {
        self.steps.len() - 1
    }

    /// Names the pending decision; every change makes it larger.
    pub fn number(&self) -> u64 {
        self.log.number()
    }

    /// Where its numbers begin: those below are of an earlier duel of the same seats.
    pub fn first_number(&self) -> u64 {
        self.log.first()
    }

    /// Whether a person has chosen or settled anything.
    pub(crate) fn is_touched(&self) -> bool {
        let mut people = self
            .seats
            .0
            .iter()
            .filter(|place| place.who == SeatPlayer::Person);
        people.any(|place| place.accepted.is_some() || place.remarks > 0)
    }

    /// The entries since the last call, to be kept.
    pub(crate) fn take_fresh(&mut self) -> Vec<DuelEntry> {
        self.log.take_fresh()
    }

    /// Whether the seat has made a choice by hand after a step.
    pub(crate) fn has_chosen_since(&self, seat: Seat, step: usize) -> bool {
        let later = self.timeline.taken().iter().skip(step);
        let by_hand = |taken: &cw_wire::DuelStep| {
            taken.seat == seat && !taken.auto && matches!(taken.act, TimelineAct::Chose(_))
        };
        later.into_iter().any(by_hand)
    }

    /// Whether the seat has made a choice by hand at a step.
    pub(crate) fn chose_by_hand(&self, seat: Seat, step: usize) -> bool {
        let taken = step
            .checked_sub(1)
            .and_then(|before| self.timeline.taken().get(before));
        taken.is_some_and(|taken| {
            taken.seat == seat && !taken.auto && matches!(taken.act, TimelineAct::Chose(_))
        })
    }

    /// Whether the seat has chosen nothing by hand up to a step.
    pub(crate) fn is_before_choices_of(&self, seat: Seat, step: usize) -> bool {
        !(0..=step).any(|at| self.chose_by_hand(seat, at))
    }

    /// Whether nobody has ended the turn that a step ended: the seat whose turn it was had nothing left to do
    /// and was not asked.
    pub(crate) fn ended_by_itself(&self, seat: Seat, step: usize) -> bool {
        let began = |at: &usize| {
            let events = &self.steps[*at].events;
            events
                .iter()
                .any(|event| matches!(event, DuelEvent::TurnBegan { .. }))
        };
        let from = (0..step).rev().find(began).unwrap_or(0);
        let passed = |taken: &cw_wire::DuelStep| {
            let pass = taken.seat == seat && taken.act == TimelineAct::Chose(Choice::Pass);
            pass.then_some(taken.auto)
        };
        let of_turn = self.timeline.taken().iter().take(step).skip(from);
        let mut passes = of_turn.filter_map(passed).peekable();
        passes.peek().is_some() && passes.all(|auto| auto)
    }

    /// How the computer plays that must choose now.
    pub fn computer_to_move(&self) -> Option<Level> {
        if self.puzzle() == Some(Puzzle::Failed) {
            return None;
        }
        let seat = self.duel().pending()?.seat;
        self.seats[seat].who.level()
    }

    /// Whether somebody plays a duel from its beginning against the computer: puzzles and lessons show
    /// what they are made of.
    pub fn computer_plays_a_person(&self) -> bool {
        let people = Seat::BOTH
            .into_iter()
            .any(|seat| self.seats[seat].who == SeatPlayer::Person);
        people && self.start.stage.is_none()
    }

    /// A seat answers the decision `number` with one of its options by a form with this stamp.
    ///
    /// # Errors
    /// If that is not possible; then nothing has changed.
    pub fn answer(&mut self, seat: Seat, number: u64, stamp: &str, option: usize) -> Result<(), Refused> {
        self.accept(seat, number, stamp, option)?;
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
        self.seats[seat].accepted = Some(Accepted {
            number,
            option: Some(option),
        });
        self.enact(number, TimelineAct::Chose(choice), false)
            .ok_or(Refused::NotOffered)?;
        self.pass_for_the_idle();
        Ok(())
    }

    /// A seat answers a question for several cards at once: with some of its candidates, in any order. They
    /// are taken one by one in the engine's order, and then the choice is ended (D29). All is tried on a copy
    /// first, so that either all are taken or none is. Undo takes all of it back.
    ///
    /// # Errors
    /// If that is not possible; then nothing has changed.
    pub fn answer_several(
        &mut self,
        seat: Seat,
        number: u64,
        stamp: &str,
        chosen: &[usize],
    ) -> Result<(), Refused> {
        // The same set sent again is a repetition; another one comes too late.
        let mut sorted = chosen.to_vec();
        sorted.sort_unstable();
        let set = sorted.iter().fold(sorted.len(), |sum, at| {
            sum.wrapping_mul(usize::MAX / 3).wrapping_add(*at)
        });
        let option = set | 1 << (usize::BITS - 1);
        self.accept(seat, number, stamp, option)?;
        let Some(decision) = self.duel().pending() else {
            return Err(Refused::Over);
        };
        if decision.seat != seat {
            return Err(Refused::NotYours);
        }
        if self.puzzle() == Some(Puzzle::Failed) {
            return Err(Refused::Over);
        }
        if self.cue().is_some() {
            return Err(Refused::Lesson);
        }
        let collection = Collection::of(self.duel()).ok_or(Refused::NotOffered)?;
        let answers = collection
            .answers(self.duel(), chosen)
            .ok_or(Refused::NotOffered)?;
        self.seats[seat].accepted = Some(Accepted {
            number,
            option: Some(option),
        });
        for (at, choice) in answers.into_iter().enumerate() {
            let question = if at == 0 { number } else { self.number() };
            self.enact(question, TimelineAct::Chose(choice), at > 0)
                .ok_or(Refused::NotOffered)?;
        }
        self.pass_for_the_idle();
        Ok(())
    }

    /// Answers the question for a slot that follows a character that was played: with the wanted slot if
    /// it is free, else with the first one. Undo takes both back.
    pub fn take_slot(&mut self, seat: Seat, wanted: Option<u8>) {
        let Some(decision) = self.duel().pending() else {
            return;
        };
        let asks = decision.seat == seat && matches!(decision.question, Question::SlotFor(_));
        if !asks || self.cue().is_some() {
            return;
        }
        let slot = wanted
            .map(Choice::Slot)
            .filter(|slot| decision.options.contains(slot));
        let first = decision
            .options
            .iter()
            .find(|option| matches!(option, Choice::Slot(_)));
        if let Some(choice) = slot.or(first.copied())
            && self
                .enact(self.number(), TimelineAct::Chose(choice), true)
                .is_some()
        {
            self.pass_for_the_idle();
        }
    }

    /// All characters of the seat attack that can. Undo takes all of it back.
    ///
    /// # Errors
    /// If the seat is not asked who attacks, or nobody can.
    pub fn attack_with_all(&mut self, seat: Seat) -> Result<(), Refused> {
        let mut declared = 0;
        while let Some(decision) = self.duel().pending() {
            let asks = decision.seat == seat && decision.question == Question::Attack;
            let next = decision
                .options
                .iter()
                .find(|option| matches!(option, Choice::Attack(_)));
            let Some(choice) = next
                .copied()
                .filter(|_| asks && self.cue().is_none() && declared < MOST_ATTACKS)
            else {
                break;
            };
            self.enact(self.number(), TimelineAct::Chose(choice), declared > 0)
                .ok_or(Refused::NotOffered)?;
            declared += 1;
        }
        if declared == 0 {
            return Err(Refused::NotOffered);
        }
        self.pass_for_the_idle();
        Ok(())
    }

    /// Tests the number and the stamp of a form.
    fn accept(&self, seat: Seat, number: u64, stamp: &str, option: usize) -> Result<(), Refused> {
        let place = &self.seats[seat];
        if place.secret.stamp(number) != stamp {
            return Err(Refused::Forged);
        }
        let accepted = Accepted {
            number,
            option: Some(option),
        };
        // Only the same answer was taken: another one to the same question comes too late.
        if place.accepted == Some(accepted) {
            return Err(Refused::Repeated);
        }
        if number != self.number() {
            return Err(Refused::Stale);
        }
        Ok(())
    }

    /// Takes a step that is offered and enters it into the log.
    fn enact(&mut self, question: u64, act: TimelineAct, auto: bool) -> Option<()> {
        let choice = Move::words(act, &self.start.game);
        let by = self.advance(act, auto)?;
        let made = Move {
            seat: number_of(by),
            choice,
            hash: self.duel().hash().to_string(),
        };
        self.log.enter(question, &LoggedAct::Moved { made, auto });
        Some(())
    }

    /// Takes a step; who took it.
    fn advance(&mut self, act: TimelineAct, auto: bool) -> Option<Seat> {
        let mut events = Vec::new();
        self.timeline.take(act, auto, &mut events).ok()?;
        let by = self.timeline.taken().last()?.seat;
        // A draw is offered until the other one does something by hand.
        let open = |asking: &Asking| {
            let answered = by != asking.by && !auto || self.timeline.now().outcome().is_some();
            asking.what == ConsentRequest::Draw && !answered
        };
        self.asking = self.asking.take().filter(open);
        self.steps.push(Arc::new(TableStep {
            events,
            by: Some(by),
            choice: match act {
                TimelineAct::Chose(choice) => Some(choice),
                TimelineAct::GaveUp(_) | TimelineAct::AgreedDraw(_) | TimelineAct::Reseeded(..) => None,
            },
            reseeded: matches!(act, TimelineAct::Reseeded(..)),
            turn: self.duel().turn(),
            told: PerSeat::default(),
        }));
        Some(by)
    }

    /// Everything after a step is taken back for who asked; what nobody has seen may be shuffled anew.
    fn go_back(&mut self, to: usize, by: Seat, shuffle: Option<Agreement>) {
        self.truncate(to);
        if let Some(agreement) = shuffle {
            // The duel goes on, or nobody could have asked.
            self.advance(TimelineAct::Reseeded(by, agreement.seed()), true);
            self.reshuffles.push(agreement);
        }
    }

    fn truncate(&mut self, to: usize) {
        self.timeline.truncate(to);
        self.steps.truncate(to + 1);
        self.asking = None;
        for place in &mut self.seats.0 {
            place.dismissed = place.dismissed.min(to);
            place.refused = None;
        }
    }

    /// Whether two people play a duel from its beginning: what is hidden comes from what they agree on.
    pub(crate) fn people_shuffle(&self) -> bool {
        self.start.between_people() && self.start.stage.is_none()
    }

    /// The step to which this seat may ask another person to let it go back: its last choice by hand.
    pub(crate) fn step_to_ask_for(&self, seat: Seat) -> Option<usize> {
        let free =
            self.people_shuffle() && self.asking.is_none() && self.seats[seat].refused != Some(self.last());
        let to = self.timeline.undo_step_by_consent(seat).filter(|_| free)?;
        (to >= self.beginning).then_some(to)
    }

    /// Whether something came to light after a step: who goes back there goes on by another shuffle.
    pub(crate) fn needs_another_shuffle(&self, to: usize) -> bool {
        self.timeline.revealed_since(to)
    }

    /// What one person asks the other one for now.
    pub(crate) fn asking(&self) -> Option<&Asking> {
        self.asking.as_ref()
    }

    /// The shuffles after things that were taken back.
    pub(crate) fn reshuffles(&self) -> &[Agreement] {
        &self.reshuffles
    }

    /// The host's part of the next shuffle of this duel. It is decided before anybody sends another one.
    fn part_in_reshuffle(&self) -> Secret {
        let times = self.reshuffles.len();
        self.next_secret
            .child(&format!("cardwright shuffle {times} of the duel before"))
    }

    /// That shuffle, in which the host is bound and nobody else is.
    fn next_shuffle(&self) -> Agreeing {
        Agreeing::new(self.part_in_reshuffle().reveal())
    }

    /// What binds the host in it.
    pub(crate) fn reshuffle_commitment(&self) -> String {
        self.next_shuffle().commitment_of_host()
    }

    /// The seat asks the other person whether it may take its last choice back.
    ///
    /// # Errors
    /// If there is none, or something is asked for already.
    pub fn ask_back(&mut self, seat: Seat, commitment: &str) -> Result<(), Refused> {
        let to = self.step_to_ask_for(seat).ok_or(Refused::NotOffered)?;
        if self.needs_another_shuffle(to) {
            // It is looked at now, not when the other one has agreed.
            self.next_shuffle().commit(seat, commitment)?;
        }
        let asks = LoggedAct::AsksBack {
            seat: number_of(seat),
            to,
            commitment: commitment.trim().to_ascii_lowercase(),
        };
        self.remark(seat, &asks)?;
        self.redo_asking(seat, &asks);
        Ok(())
    }

    /// The seat answers what the other one asks it for, or asks no longer itself.
    ///
    /// # Errors
    /// If nothing is asked for.
    pub fn answer_asking(&mut self, seat: Seat, lets: bool, commitment: &str) -> Result<(), Refused> {
        let asking = self.asking.clone().ok_or(Refused::NotOffered)?;
        if lets && asking.by == seat {
            return Err(Refused::NotOffered);
        }
        let number = number_of(seat);
        let answer = if lets {
            let ConsentRequest::Back { to, .. } = asking.what else {
                return Err(Refused::NotOffered);
            };
            let commitment = match self.needs_another_shuffle(to) {
                true => {
                    self.next_shuffle().commit(seat, commitment)?;
                    commitment.trim().to_ascii_lowercase()
                }
                false => String::new(),
            };
            LoggedAct::LetsBack {
                seat: number,
                commitment,
                shuffle: None,
            }
        } else {
            LoggedAct::PlaysOn { seat: number }
        };
        self.remark(seat, &answer)?;
        self.redo_asking(seat, &answer);
        Ok(())
    }

    /// The seat reveals its part of the shuffle that is agreed on. With the second one the duel goes back;
    /// one that does not fit ends the asking, and nothing is taken back (D105).
    ///
    /// # Errors
    /// If nobody waits for it.
    pub fn reveal(&mut self, seat: Seat, nonce: &str) -> Result<Revealed, Refused> {
        let shuffle = self.asking.as_ref().map(|asking| &asking.what);
        let Some(ConsentRequest::Shuffle { agreeing, .. }) = shuffle else {
            return Err(Refused::NotOffered);
        };
        let number = number_of(seat);
        let (done, revealed) = match agreeing.clone().reveal(seat, nonce) {
            Ok(()) => {
                let nonce = Agreement::nonce(nonce);
                (LoggedAct::Reveals { seat: number, nonce }, Revealed::Fits)
            }
            Err(PartRefused::DoesNotFit) => (LoggedAct::Spoils { seat: number }, Revealed::Spoilt),
            Err(fault) => return Err(fault.into()),
        };
        self.remark(seat, &done)?;
        self.redo_asking(seat, &done);
        Ok(revealed)
    }

    /// What binds a seat in the shuffle that is agreed on now.
    pub fn bound_by(&self, seat: Seat) -> Option<&str> {
        match self.asking.as_ref().map(|asking| &asking.what) {
            Some(ConsentRequest::Shuffle { agreeing, .. }) => agreeing.commitment(seat),
            Some(ConsentRequest::Back { .. } | ConsentRequest::Draw) | None => None,
        }
    }

    /// Whether the seat may offer the other person a draw.
    pub(crate) fn may_offer_draw(&self, seat: Seat) -> bool {
        self.people_shuffle()
            && !self.is_over()
            && self.asking.is_none()
            && self.seats[seat].refused != Some(self.last())
    }

    /// The seat offers the other person a draw.
    ///
    /// # Errors
    /// If something is asked for already, or the same was refused just now.
    pub fn offer_draw(&mut self, seat: Seat) -> Result<(), Refused> {
        if !self.may_offer_draw(seat) {
            return Err(Refused::NotOffered);
        }
        let offers = LoggedAct::OffersDraw {
            seat: number_of(seat),
        };
        self.remark(seat, &offers)?;
        self.redo_asking(seat, &offers);
        Ok(())
    }

    /// The seat accepts the draw that the other one offers: the duel is over.
    ///
    /// # Errors
    /// If none is offered.
    pub fn accept_draw(&mut self, seat: Seat, number: u64) -> Result<(), Refused> {
        let offered = |asking: &Asking| asking.by != seat && asking.what == ConsentRequest::Draw;
        if !self.asking.as_ref().is_some_and(offered) {
            return Err(Refused::NotOffered);
        }
        self.enact(number, TimelineAct::AgreedDraw(seat), false)
            .ok_or(Refused::Over)?;
        self.seats[seat].accepted = Some(Accepted { number, option: None });
        Ok(())
    }

    /// Whether the duel ended because somebody accepted a draw.
    pub(crate) fn was_agreed_draw(&self) -> bool {
        let last = self.timeline.taken().last();
        last.is_some_and(|taken| matches!(taken.act, TimelineAct::AgreedDraw(_)))
    }

    /// What follows from what was asked for or answered, when it is done and when it is read back.
    fn redo_asking(&mut self, seat: Seat, done: &LoggedAct) {
        match done {
            LoggedAct::AsksBack { to, commitment, .. } => {
                let (to, commitment) = (*to, commitment.clone());
                self.asking = Some(Asking {
                    by: seat,
                    what: ConsentRequest::Back { to, commitment },
                });
            }
            LoggedAct::OffersDraw { .. } => {
                self.asking = Some(Asking {
                    by: seat,
                    what: ConsentRequest::Draw,
                });
            }
            LoggedAct::LetsBack {
                commitment, shuffle, ..
            } => {
                let Some(asking) = self.asking.take() else {
                    return;
                };
                let ConsentRequest::Back {
                    to,
                    commitment: theirs,
                } = asking.what
                else {
                    return;
                };
                let mut agreeing = self.next_shuffle();
                let bound = [(asking.by, &theirs), (seat, commitment)]
                    .map(|(seat, commitment)| agreeing.commit(seat, commitment));
                match shuffle {
                    Some(agreement) => self.go_back(to, asking.by, Some(agreement.clone())),
                    None if bound.iter().all(Result::is_ok) && self.needs_another_shuffle(to) => {
                        self.asking = Some(Asking {
                            by: asking.by,
                            what: ConsentRequest::Shuffle { to, agreeing },
                        });
                    }
                    None => self.go_back(to, asking.by, None),
                }
            }
            LoggedAct::Reveals { nonce, .. } => {
                let Some(Asking {
                    by,
                    what: ConsentRequest::Shuffle { to, agreeing },
                }) = &mut self.asking
                else {
                    return;
                };
                let (by, to) = (*by, *to);
                // It was tried before it was written down.
                let _ = agreeing.reveal(seat, nonce);
                if let Some(agreement) = agreeing.agreement() {
                    self.go_back(to, by, Some(agreement));
                }
            }
            LoggedAct::Spoils { .. } => self.asking = None,
            LoggedAct::PlaysOn { .. } => {
                let by = self.asking.take().map(|asking| asking.by);
                if let Some(by) = by.filter(|by| *by != seat) {
                    self.seats[by].refused = Some(self.last());
                }
            }
            _ => {}
        }
    }

    /// What the lesson's script wants to be chosen now.
    pub fn cue(&self) -> Option<Choice> {
        let cue = self.start.stage.as_ref()?.cue(self.last())?;
        let offered = self.duel().pending()?.options.contains(&cue.choice);
        offered.then_some(cue.choice)
    }

    /// How the puzzle stands, if it is one: it must be solved before the turn ends.
    pub fn puzzle(&self) -> Option<Puzzle> {
        self.start.stage.as_ref()?.goal()?;
        Some(match self.duel().outcome() {
            Some(DuelOutcome::Won { winner, .. }) if winner == ScenarioStage::SEAT => Puzzle::Solved,
            Some(_) => Puzzle::Failed,
            None if self.duel().turn() != self.steps[0].turn => Puzzle::Failed,
            None => Puzzle::Open,
        })
    }

    /// Lets a computer's choice take effect, if the duel is where it was when it was made.
    pub fn choose_for_computer(&mut self, number: u64, choice: Choice) {
        if number == self.number()
            && self.computer_to_move().is_some()
            && self.enact(number, TimelineAct::Chose(choice), false).is_some()
        {
            self.pass_for_the_idle();
        }
    }

    /// D50: who can only pass and has not asked to be asked is not asked; nor is who answers a
    /// card's question the same way every time.
    pub fn pass_for_the_idle(&mut self) {
        while let Some(decision) = self.duel().pending() {
            if self.puzzle() == Some(Puzzle::Failed) || self.cue().is_some() {
                return;
            }
            let place = &self.seats[decision.seat];
            let against_a_person = self.seats[decision.seat.other()].who == SeatPlayer::Person;
            let choice = unasked(self.duel(), &place.policy, against_a_person);
            let Some(choice) = choice.filter(|_| place.who == SeatPlayer::Person) else {
                return;
            };
            if self
                .enact(self.number(), TimelineAct::Chose(choice), true)
                .is_none()
            {
                return;
            }
        }
    }

    /// A seat gives up.
    ///
    /// # Errors
    /// If the duel is over, or the form is of an earlier one.
    pub fn forfeit(&mut self, seat: Seat, number: u64) -> Result<(), Refused> {
        if number < self.first_number() {
            return Err(Refused::Stale);
        }
        self.enact(number, TimelineAct::GaveUp(seat), false)
            .ok_or(Refused::Over)?;
        self.seats[seat].accepted = Some(Accepted { number, option: None });
        Ok(())
    }

    /// The step to which this seat may go back: its last choice by hand, if the opponent is the
    /// computer, nobody else chose since, and nothing hidden came to light.
    pub(crate) fn undo_step(&self, seat: Seat) -> Option<usize> {
        if self.seats[seat.other()].who == SeatPlayer::Person {
            return None;
        }
        self.timeline.undo_step(seat).filter(|at| *at >= self.beginning)
    }

    /// Takes the seat's last choice back.
    ///
    /// # Errors
    /// If something was revealed since.
    pub fn undo(&mut self, seat: Seat) -> Result<(), Refused> {
        let to = self.undo_step(seat).ok_or(Refused::NoUndo)?;
        let took_back = LoggedAct::TookBack {
            seat: number_of(seat),
            to,
        };
        self.remark(seat, &took_back)?;
        self.truncate(to);
        Ok(())
    }

    /// Enters something that is no answer; there is an end to that.
    fn remark(&mut self, seat: Seat, done: &LoggedAct) -> Result<(), Refused> {
        let place = &mut self.seats[seat];
        if place.remarks >= self.remarks + 2 * self.timeline.len() {
            return Err(Refused::TooMuch);
        }
        place.remarks += 1;
        self.log.enter(self.log.number(), done);
        Ok(())
    }

    /// The seat answers the pending yes-or-no question, and the same way whenever this card asks it.
    ///
    /// # Errors
    /// If no such question waits for the seat.
    pub fn answer_always(&mut self, seat: Seat, yes: bool) -> Result<(), Refused> {
        let decision = self.duel().pending().ok_or(Refused::Over)?;
        let place = decision.place.filter(|_| is_yes_or_no(decision));
        let place = place.ok_or(Refused::NotOffered)?;
        if decision.seat != seat {
            return Err(Refused::NotYours);
        }
        let habit = if yes { Habit::Yes } else { Habit::No };
        self.change_settings(seat, |policy| policy.set_habit(place, Some(habit)))
    }

    /// The seat wants to be asked again by the card of this number in its list.
    pub fn ask_again(&mut self, seat: Seat, at: usize) -> Result<(), Refused> {
        if at >= self.seats[seat].policy.habits.len() {
            return Err(Refused::NotOffered);
        }
        self.change_settings(seat, |policy| {
            policy.habits.remove(at);
        })
    }

    /// Puts away what was shown to the seat so far.
    pub fn dismiss(&mut self, seat: Seat) -> Result<(), Refused> {
        let to = self.last();
        let put_away = LoggedAct::PutAway {
            seat: number_of(seat),
            to,
        };
        self.remark(seat, &put_away)?;
        self.seats[seat].dismissed = to;
        Ok(())
    }

    /// The seat would play again, with the decks as they are or exchanged, and this binds it in the next
    /// shuffle.
    pub fn want_rematch(&mut self, seat: Seat, commitment: &str, swap: bool) -> Result<(), Refused> {
        if self.start.between_people() {
            // It is looked at now, not when the other one wants it, too.
            Agreeing::new(String::new()).commit(seat, commitment)?;
        }
        let wants = LoggedAct::WantsRematch {
            seat: number_of(seat),
            commitment: commitment.trim().to_ascii_lowercase(),
            swap,
        };
        self.remark(seat, &wants)?;
        self.redo_rematch(seat, &wants);
        Ok(())
    }

    /// The seat would not play again as the other one asks.
    ///
    /// # Errors
    /// If the other one does not ask.
    pub fn decline_rematch(&mut self, seat: Seat) -> Result<(), Refused> {
        if self.seats[seat.other()].wants_rematch.is_none() {
            return Err(Refused::NotOffered);
        }
        let declines = LoggedAct::NoRematch {
            seat: number_of(seat),
        };
        self.remark(seat, &declines)?;
        self.redo_rematch(seat, &declines);
        Ok(())
    }

    fn redo_rematch(&mut self, seat: Seat, done: &LoggedAct) {
        match done {
            LoggedAct::WantsRematch { commitment, swap, .. } => {
                let place = &mut self.seats[seat];
                place.rematch_refused = false;
                place.wants_rematch = Some(Rematch {
                    commitment: commitment.clone(),
                    swap: *swap,
                });
            }
            LoggedAct::NoRematch { .. } => {
                self.seats[seat].wants_rematch = None;
                let asked = &mut self.seats[seat.other()];
                asked.rematch_refused = asked.wants_rematch.take().is_some();
            }
            _ => {}
        }
    }

    /// What binds both seats, if everybody would play again in the same way; computers always would, and are
    /// bound by nothing.
    pub fn rematch_commitments(&self) -> Option<[String; 2]> {
        let wish = |seat: Seat| self.seats[seat].wants_rematch.as_ref();
        if let (Some(one), Some(two)) = (wish(Seat::One), wish(Seat::Two))
            && one.swap != two.swap
        {
            return None;
        }
        let part = |seat: Seat| match self.seats[seat].who {
            SeatPlayer::Person => wish(seat).map(|rematch| rematch.commitment.clone()),
            SeatPlayer::Computer(_) => Some(String::new()),
        };
        Some([part(Seat::One)?, part(Seat::Two)?])
    }

    /// Sets or clears a stop.
    ///
    /// # Errors
    /// If too much was changed already.
    pub fn toggle_stop(&mut self, seat: Seat, stop: PhaseStop) -> Result<(), Refused> {
        self.change_settings(seat, |policy| policy.toggle(stop))
    }

    /// Asks to be asked everywhere, or no longer.
    ///
    /// # Errors
    /// If too much was changed already.
    pub fn toggle_full_control(&mut self, seat: Seat) -> Result<(), Refused> {
        self.change_settings(seat, |policy| policy.full_control ^= true)
    }

    /// The seat goes on with settings that it made elsewhere.
    pub fn take_settings(&mut self, seat: Seat, policy: &SeatPolicy) {
        if self.seats[seat].policy != *policy {
            // A duel that begins has room for them.
            let _ = self.change_settings(seat, |own| own.clone_from(policy));
        }
    }

    fn change_settings(&mut self, seat: Seat, change: impl FnOnce(&mut SeatPolicy)) -> Result<(), Refused> {
        let mut policy = self.seats[seat].policy.clone();
        change(&mut policy);
        let settled = LoggedAct::Settled {
            seat: number_of(seat),
            settings: SeatSettings::of(&policy, &self.start.game),
        };
        self.remark(seat, &settled)?;
        self.seats[seat].policy = policy;
        self.pass_for_the_idle();
        Ok(())
    }

    /// Does again what the store remembers.
    ///
    /// # Errors
    /// If the log does not fit the game: which entry, and why.
    pub fn redo(&mut self, log: &[DuelEntry]) -> Result<(), String> {
        for entry in log {
            let done = self.log.read(entry);
            let redone = done.and_then(|done| self.redo_one(entry.question, &done));
            redone.map_err(|why| format!("entry {} of its log {why}", entry.number))?;
        }
        self.log.take_fresh();
        Ok(())
    }

    fn redo_one(&mut self, question: u64, done: &LoggedAct) -> Result<(), String> {
        let nobody = || "is of a player that there is not".to_owned();
        match done {
            LoggedAct::Moved { made, auto } => {
                let act = made.read(self.duel()).map_err(|fault| fault.to_string())?;
                let option = self.duel().pending().and_then(|decision| {
                    let mut options = decision.options.iter();
                    options.position(|option| act == TimelineAct::Chose(*option))
                });
                let again = self.enact(question, act, *auto);
                again.ok_or_else(|| "is an answer that nobody asked for".to_owned())?;
                made.check(self.duel()).map_err(|fault| fault.to_string())?;
                if !auto && let Some(seat) = seat_of(made.seat) {
                    self.seats[seat].accepted = Some(Accepted {
                        number: question,
                        option,
                    });
                }
                return Ok(());
            }
            LoggedAct::TookBack { seat, to } => {
                self.count_remark(seat_of(*seat).ok_or_else(nobody)?, done);
                self.truncate(*to);
            }
            LoggedAct::Settled { seat, settings } => {
                let seat = seat_of(*seat).ok_or_else(nobody)?;
                self.count_remark(seat, done);
                self.seats[seat].policy = settings.policy(&self.start.game);
            }
            LoggedAct::PutAway { seat, to } => {
                let seat = seat_of(*seat).ok_or_else(nobody)?;
                self.count_remark(seat, done);
                self.seats[seat].dismissed = *to;
            }
            LoggedAct::WantsRematch { seat, .. } | LoggedAct::NoRematch { seat } => {
                let seat = seat_of(*seat).ok_or_else(nobody)?;
                self.count_remark(seat, done);
                self.redo_rematch(seat, done);
            }
            LoggedAct::AsksBack { seat, .. }
            | LoggedAct::LetsBack { seat, .. }
            | LoggedAct::OffersDraw { seat }
            | LoggedAct::Reveals { seat, .. }
            | LoggedAct::Spoils { seat }
            | LoggedAct::PlaysOn { seat } => {
                let seat = seat_of(*seat).ok_or_else(nobody)?;
                self.count_remark(seat, done);
                self.redo_asking(seat, done);
            }
            LoggedAct::SatDown { .. } => return Err("comes after the beginning".to_owned()),
        }
        Ok(())
    }

    fn count_remark(&mut self, seat: Seat, done: &LoggedAct) {
        self.seats[seat].remarks += 1;
        self.log.enter(self.log.number(), done);
    }

    /// The log goes on from what was done before the duel began.
    pub(crate) fn continue_log(&mut self, log: PendingLog) {
        self.log = log;
    }

    /// What binds the host in the shuffle of the next duel.
    pub(crate) fn next_commitment(&self) -> String {
        Agreement::commitment_to(&self.next_secret.reveal())
    }

    /// The record of the duel so far, for `cardwright replay`.
    pub fn record(&self) -> cw_wire::Replay {
        let start = &self.start;
        let recorder = Recorder::new(&start.game, &start.decks, self.origin.seed(), start.first);
        let mut replay = recorder.replay_of(&self.timeline);
        if let ChanceOrigin::Agreed(agreement) = &self.origin {
            replay.shuffle = Some(agreement.clone());
        }
        replay
    }
}

/// Whether a card asks whether something is to be done (C10, C17).
pub(crate) fn is_yes_or_no(decision: &Decision) -> bool {
    matches!(decision.question, Question::May(_) | Question::Optional)
        && decision.options.contains(&Choice::Yes)
        && decision.options.contains(&Choice::No)
}
