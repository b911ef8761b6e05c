//! A program as a player, and what happens when it does not behave.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cw_duel::{Choice, Decision, DuelOutcome, Game, Seat};
use cw_players::{Ask, Player, PlayerAnswer};
use serde_json::Value;

use crate::command::Command;
use crate::message::{self, BotLimits, Ready, Reply};
use crate::process::{Process, Received};

/// Faults in one duel after which the seat gives up.
const MOST_FAULTS: u32 = 3;
/// How long a bot may take to end after `bye`.
const FAREWELL: Duration = Duration::from_secs(1);
/// The longest part of a line that a message quotes.
const QUOTED: usize = 80;

/// A program that plays.
#[derive(Debug)]
pub struct Bot {
    command: Command,
    game: Arc<Game>,
    limits: BotLimits,
    process: Option<Process>,
    name: String,
    deterministic: bool,
    /// Questions asked so far; the number of the last one.
    asked: u64,
    /// Duels begun so far; the number of the last one.
    duel: u64,
    in_this_duel: InDuel,
    faults: Faults,
    timing: Timing,
}

#[derive(Clone, Copy, Debug, Default)]
struct InDuel {
    faults: u32,
    restarted: bool,
}

/// What a bot has done wrong.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Faults {
    /// It did not answer in time.
    pub late: u64,
    /// What it wrote was no answer, or too long.
    pub unreadable: u64,
    /// It chose what was not offered.
    pub not_offered: u64,
    /// It was not there.
    pub dead: u64,
    /// It answered the same question in two ways, though it says that it does not.
    pub differed: u64,
    /// The last one, in words.
    pub last: String,
}

impl Faults {
    /// How many; [`Faults::differed`] is none, as it spoils only what can be repeated.
    pub fn number(&self) -> u64 {
        self.late + self.unreadable + self.not_offered + self.dead
    }
}

/// How long answers took.
#[derive(Clone, Debug, Default)]
pub struct Timing {
    micros: Vec<u32>,
}

impl Timing {
    /// The time that this share of the answers did not exceed; nothing was answered, no time.
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let mut micros = self.micros.clone();
        micros.sort_unstable();
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a share of a length, without its fraction"
        )]
        let at = (share * micros.len() as f64) as usize;
        let micros = micros.get(at.min(micros.len().checked_sub(1)?))?;
        Some(Duration::from_micros(u64::from(*micros)))
    }
}

/// Why there is no bot.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program does not start.
    #[error("the bot “{command}” cannot be started")]
    Program {
        /// Its command line.
        command: String,
        /// Why.
        source: io::Error,
    },
    /// It did not say that it is ready.
    #[error("the bot “{command}” does not say that it is ready: {why}")]
    NotReady {
        /// Its command line.
        command: String,
        /// What it did instead.
        why: String,
    },
}

/// What went wrong with one question.
enum BotFault {
    Late,
    Unreadable(String),
    NotOffered(String),
    Dead(String),
}

impl Bot {
    /// Starts the program and waits until it is ready.
    ///
    /// # Errors
    /// If it does not start, or does not say in time that it is ready.
    pub fn start(command: Command, game: Arc<Game>, limits: BotLimits) -> Result<Bot, StartError> {
        let mut bot = Bot {
            command,
            game,
            limits,
            process: None,
            name: String::new(),
            deterministic: false,
            asked: 0,
            duel: 0,
            in_this_duel: InDuel::default(),
            faults: Faults::default(),
            timing: Timing::default(),
        };
        bot.run()?;
        Ok(bot)
    }

    /// What it calls itself; its command line if nothing.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it says that the same question always gets the same answer.
    pub fn is_deterministic(&self) -> bool {
        self.deterministic
    }

    /// Questions that it was asked.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// What it has done wrong so far.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// How long its answers took.
    pub fn timing(&self) -> &Timing {
        &self.timing
    }

    /// What it wrote to standard error, cut off after a page.
    pub fn errors(&self) -> String {
        self.process.as_ref().map(Process::errors).unwrap_or_default()
    }

    /// Says good-bye; whether the program ended by itself within a second.
    pub fn leave(mut self) -> bool {
        self.process
            .take()
            .is_none_or(|mut process| say_bye(&mut process))
    }

    fn run(&mut self) -> Result<(), StartError> {
        let command = self.command.to_string();
        let process =
            Process::start(&self.command, self.limits.bytes).map_err(|source| StartError::Program {
                command: command.clone(),
                source,
            })?;
        process.send(message::hello(&self.game, self.limits).to_string());
        let until = Instant::now() + Duration::from_millis(self.limits.start_ms);
        let not_ready = |why: String| {
            let errors = process.errors();
            let why = if errors.is_empty() {
                why
            } else {
                format!("{why}; it says: {errors}")
            };
            StartError::NotReady {
                command: command.clone(),
                why,
            }
        };
        let ready: Ready = match process.receive(until) {
            Received::Line(line) => {
                let read = serde_json::from_str(&line);
                read.map_err(|_| not_ready(format!("it wrote {}", quoted(&line))))?
            }
            Received::TooLong => return Err(not_ready("its line is too long".to_owned())),
            Received::Gone => return Err(not_ready("it has ended".to_owned())),
            Received::Late => return Err(not_ready(format!("{} ms went by", self.limits.start_ms))),
        };
        if ready.ready != message::PROTOCOL {
            let why = format!("it speaks version {} of the protocol", ready.ready);
            return Err(not_ready(why));
        }
        self.name = if ready.name.is_empty() {
            command
        } else {
            ready.name
        };
        self.deterministic = ready.deterministic;
        self.process = Some(process);
        Ok(())
    }

    /// Puts a question, and helps with what is tried until there is an answer.
    fn consult(&mut self, ask: &Ask<'_>) -> Result<Choice, BotFault> {
        if self.process.is_none() {
            if self.in_this_duel.restarted {
                return Err(BotFault::Dead("it has ended again".to_owned()));
            }
            self.in_this_duel.restarted = true;
            self.run().map_err(|error| BotFault::Dead(error.to_string()))?;
        }
        let Some(process) = &self.process else {
            return Err(BotFault::Dead("it has ended".to_owned()));
        };
        self.asked += 1;
        let began = Instant::now();
        let until = began + Duration::from_millis(self.limits.ms);
        process.send(message::ask(&self.game, self.asked, self.duel, ask).to_string());
        let mut left = ask.budget.playouts;
        loop {
            let line = match process.receive(until) {
                Received::Line(line) => line,
                Received::Late => return Err(BotFault::Late),
                Received::TooLong => {
                    self.process = None;
                    return Err(BotFault::Unreadable("a line that is too long".to_owned()));
                }
                Received::Gone => {
                    self.process = None;
                    return Err(BotFault::Dead("it has ended".to_owned()));
                }
            };
            match serde_json::from_str(&line) {
                // An answer to an earlier question comes too late, and counted as that already.
                Ok(Reply::Answer { answer, .. }) if answer < self.asked => {}
                Ok(Reply::Try { asked, .. }) if asked < self.asked => {}
                Ok(Reply::Answer { answer, option }) if answer == self.asked => {
                    let micros = u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX);
                    self.timing.micros.push(micros);
                    let choice = ask.decision.options.get(option);
                    return choice.copied().ok_or(BotFault::NotOffered(line));
                }
                Ok(Reply::Try { asked, option, guess }) if asked == self.asked => {
                    let within = left > 0;
                    left = left.saturating_sub(1);
                    let tried = self.tried(ask, option, guess).filter(|_| within);
                    process.send(tried.unwrap_or_else(|| self.nothing(option, guess)).to_string());
                }
                Ok(Reply::Answer { .. } | Reply::Try { .. }) | Err(_) => {
                    return Err(BotFault::Unreadable(line));
                }
            }
        }
    }

    /// What the seat sees after an option on one of its guesses.
    fn tried(&self, ask: &Ask<'_>, option: usize, guess: u64) -> Option<Value> {
        let choice = ask.decision.options.get(option)?;
        let mut duel = ask.guess(guess)?.fork();
        duel.answer_silently(*choice).ok()?;
        let view = duel.view(ask.decision.seat);
        Some(message::tried(&self.game, self.asked, option, guess, Some(&view)))
    }

    fn nothing(&self, option: usize, guess: u64) -> Value {
        message::tried(&self.game, self.asked, option, guess, None)
    }

    fn note(&mut self, fault: BotFault) {
        self.in_this_duel.faults += 1;
        let faults = &mut self.faults;
        let (number, words) = match fault {
            BotFault::Late => (&mut faults.late, format!("no answer in {} ms", self.limits.ms)),
            BotFault::Unreadable(line) => (&mut faults.unreadable, format!("it wrote {}", quoted(&line))),
            BotFault::NotOffered(line) => (&mut faults.not_offered, format!("it chose {}", quoted(&line))),
            BotFault::Dead(why) => (&mut faults.dead, why),
        };
        *number += 1;
        faults.last = words;
    }

    /// Puts a question once more; another answer belies what the bot says of itself.
    fn ask_again(&mut self, ask: &Ask<'_>, choice: Choice) {
        if let Ok(again) = self.consult(ask)
            && again != choice
        {
            self.faults.differed += 1;
        }
    }
}

impl Player for Bot {
    fn answer(&mut self, ask: &Ask<'_>) -> PlayerAnswer {
        // Nothing is asked where nothing can be chosen.
        if let [only] = ask.decision.options[..] {
            return PlayerAnswer::Choice(only);
        }
        let fault = match self.consult(ask) {
            Ok(choice) => {
                if self.deterministic && self.asked.is_multiple_of(self.limits.twice) {
                    self.ask_again(ask, choice);
                }
                return PlayerAnswer::Choice(choice);
            }
            Err(fault) => fault,
        };
        self.note(fault);
        if self.in_this_duel.faults >= MOST_FAULTS {
            // Whatever it still writes belongs to no duel: the next one has a fresh process.
            self.process = None;
            return PlayerAnswer::GiveUp;
        }
        PlayerAnswer::Choice(safe(ask.decision))
    }

    fn begins(&mut self, _seat: Seat) {
        self.duel += 1;
        self.in_this_duel = InDuel::default();
        if self.process.is_none()
            && let Err(error) = self.run()
        {
            self.in_this_duel.restarted = true;
            self.faults.last = error.to_string();
        }
    }

    fn ends(&mut self, outcome: Option<DuelOutcome>) {
        if let Some(process) = &self.process {
            process.send(message::over(self.duel, outcome).to_string());
        }
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            say_bye(process);
        }
    }
}

fn say_bye(process: &mut Process) -> bool {
    process.send(message::bye().to_string());
    process.ends_within(FAREWELL)
}

/// What is answered for a bot that does not: the first of these that is offered, so that nothing is
/// begun and nothing given away.
fn safe(decision: &Decision) -> Choice {
    let safe = [Choice::Pass, Choice::Done, Choice::Decline, Choice::No];
    let offered = safe.into_iter().find(|choice| decision.options.contains(choice));
    offered.unwrap_or(decision.options[0])
}

fn quoted(line: &str) -> String {
    let beginning: String = line.chars().take(QUOTED).collect();
    let dots = if beginning.len() < line.len() { "…" } else { "" };
    format!("“{beginning}{dots}”")
}
