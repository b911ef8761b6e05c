//! Players by name: the program's own levels, and programs of other people's.

use std::str::FromStr;
use std::sync::Arc;

use cw_bot::{Bot, Command, Limits};
use cw_duel::Game;
use cw_players::{Level, Player};

/// Somebody who can be named on the command line to play.
#[derive(Clone, Debug)]
pub(crate) enum Contestant {
    /// One of the program's levels.
    Level(Level),
    /// A program that speaks the bot protocol.
    Bot(Command),
}

impl FromStr for Contestant {
    type Err = String;

    fn from_str(name: &str) -> Result<Contestant, String> {
        if let Some(command) = name.strip_prefix("cmd:") {
            return Command::read(command).map(Contestant::Bot);
        }
        Level::named(name).map(Contestant::Level).ok_or_else(|| {
            let levels = Level::ALL.map(Level::name).join(", ");
            format!("a player is {levels}, computer, or cmd:PROGRAM")
        })
    }
}

impl Contestant {
    /// Its name in reports.
    pub(crate) fn name(&self) -> String {
        match self {
            Contestant::Level(level) => level.name().to_owned(),
            Contestant::Bot(command) => command.to_string(),
        }
    }

    /// Lets it sit down: a bot's process starts.
    pub(crate) fn seat(&self, game: &Arc<Game>, limits: Limits) -> anyhow::Result<Seated> {
        Ok(match self {
            Contestant::Level(level) => Seated::Level(*level),
            Contestant::Bot(command) => {
                Seated::Bot(Box::new(Bot::start(command.clone(), Arc::clone(game), limits)?))
            }
        })
    }
}

/// A player that is there.
pub(crate) enum Seated {
    Level(Level),
    Bot(Box<Bot>),
}

impl Seated {
    pub(crate) fn player(&mut self) -> &mut dyn Player {
        match self {
            Seated::Level(level) => level,
            Seated::Bot(bot) => &mut **bot,
        }
    }

    /// Lets it go, and tells how many faults it made.
    pub(crate) fn leave(self) -> u64 {
        match self {
            Seated::Level(_) => 0,
            Seated::Bot(bot) => bot.faults().number(),
        }
    }
}
