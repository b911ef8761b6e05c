//! Players by name: the program's own levels, and programs of other people's.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cw_bot::{Bot, BotLimits, Command};
use cw_duel::{DuelOutcome, Game, Seat};
use cw_players::{Ask, Level, Player, PlayerAnswer, PositionWeights, SearchBudget};

use crate::open::values;

/// Somebody who can be named to play: by the name of a level, as `easy` or `easy@500`, or as `cmd:PROGRAM`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// Who it is.
    pub kind: ContestantKind,
    /// What it may try out for one answer, where it has a budget of its own.
    playouts: Option<u32>,
}

/// Who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContestantKind {
    /// One of the program's levels.
    Level(Level),
    /// A program that speaks the bot protocol.
    Bot(Command),
    /// A player of the program's own, that is no level.
    Guest(GuestPlayer),
}

/// How a guest sits down at a duel.
type Sits = dyn Fn(&Arc<Game>) -> Box<dyn Player> + Send + Sync;

/// A player that whoever uses this crate brings along: it has a name, and sits down as often as it is asked
/// to.
#[derive(Clone)]
pub struct GuestPlayer {
    name: Arc<str>,
    sit: Arc<Sits>,
}

impl GuestPlayer {
    /// Names a player and says how it sits down at a duel of the game.
    pub fn new(
        name: &str,
        sit: impl Fn(&Arc<Game>) -> Box<dyn Player> + Send + Sync + 'static,
    ) -> GuestPlayer {
        GuestPlayer {
            name: name.into(),
            sit: Arc::new(sit),
        }
    }
}

/// Two guests are the same if both sit down in the same way.
impl PartialEq for GuestPlayer {
    fn eq(&self, other: &GuestPlayer) -> bool {
        self.name == other.name && Arc::ptr_eq(&self.sit, &other.sit)
    }
}

impl Eq for GuestPlayer {}

impl fmt::Debug for GuestPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Guest").field(&self.name).finish()
    }
}

impl From<GuestPlayer> for Contestant {
    fn from(guest: GuestPlayer) -> Contestant {
        Contestant {
            kind: ContestantKind::Guest(guest),
            playouts: None,
        }
    }
}

impl From<Level> for Contestant {
    fn from(level: Level) -> Contestant {
        Contestant {
            kind: ContestantKind::Level(level),
            playouts: None,
        }
    }
}

impl FromStr for Contestant {
    type Err = String;

    fn from_str(text: &str) -> Result<Contestant, String> {
        if let Some(command) = text.strip_prefix("cmd:") {
            return Ok(Contestant {
                kind: ContestantKind::Bot(Command::read(command)?),
                playouts: None,
            });
        }
        let (name, playouts) = match text.split_once('@') {
            Some((name, number)) => {
                let read = number.parse().ok().filter(|number| *number > 0);
                let why = "after @ comes how many playouts it has for one answer, as in easy@500";
                (name, Some(read.ok_or(why)?))
            }
            None => (text, None),
        };
        let level = Level::named(name).ok_or_else(|| {
            let levels = Level::ALL.map(Level::name).join(", ");
            format!("a player is {levels}, computer, or cmd:PROGRAM")
        })?;
        Ok(Contestant {
            kind: ContestantKind::Level(level),
            playouts,
        })
    }
}

/// Its name in reports.
impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ContestantKind::Level(level) => f.write_str(level.name())?,
            ContestantKind::Bot(command) => write!(f, "{command}")?,
            ContestantKind::Guest(guest) => f.write_str(&guest.name)?,
        }
        match self.playouts {
            Some(playouts) => write!(f, "@{playouts}"),
            None => Ok(()),
        }
    }
}

impl Contestant {
    /// As it is named to play, and read again: what a plan or a command says.
    pub fn named(&self) -> String {
        match &self.kind {
            ContestantKind::Level(_) | ContestantKind::Guest(_) => self.to_string(),
            ContestantKind::Bot(command) => format!("cmd:{}", command.quoted()),
        }
    }

    /// What it may try out for one answer: its own budget, or that of all, or the usual one.
    pub fn budget(&self, of_all: Option<u32>) -> SearchBudget {
        let usual = || match &self.kind {
            ContestantKind::Level(level) => level.budget(),
            ContestantKind::Bot(_) | ContestantKind::Guest(_) => SearchBudget::default(),
        };
        self.playouts
            .or(of_all)
            .map_or_else(usual, |playouts| SearchBudget { playouts })
    }

    /// Lets it sit down: a bot's process starts.
    ///
    /// # Errors
    /// If the bot cannot be started, or does not get ready.
    pub fn seat(&self, game: &Arc<Game>, limits: BotLimits) -> anyhow::Result<Seated> {
        let player = match &self.kind {
            ContestantKind::Level(level) => Sitting::Level(*level),
            ContestantKind::Bot(command) => {
                Sitting::Bot(Box::new(Bot::start(command.clone(), Arc::clone(game), limits)?))
            }
            ContestantKind::Guest(guest) => Sitting::Guest((guest.sit)(game)),
        };
        Ok(Seated {
            player,
            values: values(game),
            micros: None,
            over: None,
        })
    }
}

/// A player that is there.
#[derive(Debug)]
pub struct Seated {
    player: Sitting,
    /// What positions are worth, where the game says so itself.
    values: Option<Arc<PositionWeights>>,
    /// Microseconds of each answer to a question with more than one option, if they are wanted.
    micros: Option<Vec<u32>>,
    /// Whether nobody wants to know any more: it gives up at once.
    over: Option<Arc<AtomicBool>>,
}

enum Sitting {
    Level(Level),
    Bot(Box<Bot>),
    Guest(Box<dyn Player>),
}

impl fmt::Debug for Sitting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sitting::Level(level) => level.fmt(f),
            Sitting::Bot(bot) => bot.fmt(f),
            Sitting::Guest(_) => f.write_str("Guest"),
        }
    }
}

impl Seated {
    /// Gives up as soon as this is set: what it came to is of no use to anybody.
    pub(crate) fn until(self, over: Arc<AtomicBool>) -> Seated {
        Seated {
            over: Some(over),
            ..self
        }
    }

    /// Whether nobody wants to know any more what it answers.
    pub(crate) fn is_over(&self) -> bool {
        let over = self.over.as_ref();
        over.is_some_and(|over| over.load(Ordering::Relaxed))
    }

    /// Notes how long its answers take.
    pub(crate) fn timed(self) -> Seated {
        Seated {
            micros: Some(Vec::new()),
            ..self
        }
    }

    /// The bot, if it is one.
    pub fn bot(&self) -> Option<&Bot> {
        match &self.player {
            Sitting::Level(_) | Sitting::Guest(_) => None,
            Sitting::Bot(bot) => Some(bot),
        }
    }

    /// Lets it go, and tells how many faults it made and how long its answers took.
    pub fn leave(self) -> (u64, Vec<u32>) {
        let faults = self.bot().map_or(0, |bot| bot.faults().number());
        (faults, self.micros.unwrap_or_default())
    }
}

impl Sitting {
    fn player(&mut self) -> &mut dyn Player {
        match self {
            Sitting::Level(level) => level,
            Sitting::Bot(bot) => &mut **bot,
            Sitting::Guest(guest) => &mut **guest,
        }
    }
}

impl Player for Seated {
    fn answer(&mut self, ask: &Ask<'_>) -> PlayerAnswer {
        if self.is_over() {
            return PlayerAnswer::GiveUp;
        }
        // The clock is read only where somebody wants the times: a random answer takes less than that.
        let began = self.micros.as_ref().map(|_| Instant::now());
        let answer = self.player.player().answer(&Ask {
            values: self.values.as_deref(),
            ..*ask
        });
        if let (Some(micros), Some(began)) = (&mut self.micros, began)
            && ask.decision.options.len() > 1
        {
            micros.push(u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX));
        }
        answer
    }

    fn begins(&mut self, seat: Seat) {
        self.player.player().begins(seat);
    }

    fn ends(&mut self, outcome: Option<DuelOutcome>) {
        self.player.player().ends(outcome);
    }
}
