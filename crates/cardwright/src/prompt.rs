//! A duel by a line prompt: at the terminal, or through a pipe.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use anyhow::Context;
use cw_duel::{Choice, Decision, Duel, Outcome, PerSeat, Reason, Seat, Seed};
use cw_players::{Eyes, Lists, mix, seed_of};
use cw_program::ModelId;
use cw_wire::{Act, Timeline};
use cw_words::Reader;

use crate::commands::play::Who;
use crate::log::Log;
use crate::output::{self, note, say};

/// Whose eyes the log has: the one person's, or everybody's.
fn reader_seat(seats: PerSeat<Who>) -> Option<Seat> {
    let people: Vec<Seat> = Seat::BOTH
        .into_iter()
        .filter(|seat| seats[*seat] == Who::Human)
        .collect();
    if let [only] = people[..] { Some(only) } else { None }
}

/// Who sits where, and what they see.
pub(crate) struct Table {
    seats: PerSeat<Who>,
    /// Of the computers' own chance.
    seed: u64,
    /// What a computer expects of a person: the package's decks.
    lists: Vec<Vec<ModelId>>,
    reader: Option<Seat>,
    quiet: bool,
}

impl Table {
    /// A table for these players; computers choose by this seed, and expect these decks of people.
    pub(crate) fn new(seats: PerSeat<Who>, seed: Seed, quiet: bool, lists: Vec<Vec<ModelId>>) -> Table {
        // What comes out has nothing to do with the deal any more.
        let words = seed.0.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
        let seed = mix(&words.collect::<Vec<_>>());
        Table {
            lists,
            reader: reader_seat(seats),
            seats,
            seed,
            quiet,
        }
    }

    /// Plays on to the end; false if the input ended before.
    pub(crate) fn play(&mut self, timeline: &mut Timeline, log: &mut Log) -> anyhow::Result<bool> {
        loop {
            let duel = timeline.now();
            if self.quiet {
                log.clear();
            } else {
                log.print(duel, self.reader);
            }
            let Some(decision) = duel.pending().cloned() else {
                return Ok(true);
            };
            let seat = decision.seat;
            let answer = match (self.seats[seat], Eyes::of_who_is_asked(duel)) {
                (Who::Computer(level), Some(eyes)) => {
                    let seed = seed_of(self.seed, seat, timeline.len() as u64);
                    let lists = match self.seats[seat.other()] {
                        Who::Human => Lists::Closed(&self.lists),
                        Who::Computer(_) => Lists::Open,
                    };
                    Answer::Choice(level.choose(&eyes.knowing(lists).ask(seed)))
                }
                _ => ask(duel, &decision)?,
            };
            let act = match answer {
                Answer::Choice(choice) => Act::Chose(choice),
                Answer::GiveUp => Act::GaveUp(seat),
                Answer::TakeBack => {
                    take_back(timeline, seat);
                    continue;
                }
                Answer::EndOfInput => return Ok(false),
            };
            timeline
                .take(act, false, log)
                .expect("an offered option is accepted");
        }
    }
}

fn take_back(timeline: &mut Timeline, seat: Seat) {
    match timeline.undo_step(seat) {
        Some(at) => {
            timeline.truncate(at);
            say!("Taken back.");
        }
        None => {
            say!("That cannot be taken back: something came to light since, or somebody else has chosen.");
        }
    }
}

/// Says how it ended.
pub(crate) fn end(timeline: &Timeline, finished: bool) -> ExitCode {
    if !finished {
        note("the input ended before the duel did");
        return ExitCode::FAILURE;
    }
    summary(timeline.now(), timeline.len());
    ExitCode::SUCCESS
}

enum Answer {
    Choice(Choice),
    GiveUp,
    TakeBack,
    EndOfInput,
}

/// Asks a person: a number, or the beginning of an option's words.
fn ask(duel: &Duel, decision: &Decision) -> anyhow::Result<Answer> {
    let reader = Reader {
        duel,
        seat: Some(decision.seat),
    };
    let words: Vec<String> = decision
        .options
        .iter()
        .map(|choice| cw_words::choice(reader, decision, *choice))
        .collect();
    show_table(duel, decision.seat);
    say!("{}", cw_words::question(reader, decision));
    for (index, option) in words.iter().enumerate() {
        say!("  {:>2}  {option}", index + 1);
    }
    loop {
        output::raw("> ");
        let mut line = String::new();
        if io::stdin()
            .lock()
            .read_line(&mut line)
            .context("cannot read the answer")?
            == 0
        {
            return Ok(Answer::EndOfInput);
        }
        let line = line.trim();
        if line.eq_ignore_ascii_case("give up") || line == "q" {
            return Ok(Answer::GiveUp);
        }
        if line.eq_ignore_ascii_case("undo") {
            return Ok(Answer::TakeBack);
        }
        match pick(line, &words) {
            Some(index) => return Ok(Answer::Choice(decision.options[index])),
            None => {
                say!(
                    "Type the number of an option or the beginning of its words; “undo” takes the last choice back, “give up” ends the duel."
                );
            }
        }
        io::stdout().flush().ok();
    }
}

fn pick(line: &str, words: &[String]) -> Option<usize> {
    if let Ok(number) = line.parse::<usize>() {
        return (1..=words.len()).contains(&number).then(|| number - 1);
    }
    if line.is_empty() {
        return None;
    }
    let line = line.to_lowercase();
    let mut matching = words
        .iter()
        .enumerate()
        .filter(|(_, option)| option.to_lowercase().starts_with(&line));
    match (matching.next(), matching.next()) {
        (Some((index, _)), None) => Some(index),
        _ => words.iter().position(|option| option.to_lowercase() == line),
    }
}

/// Both rings, hands and numbers, as the seat sees them.
fn show_table(duel: &Duel, seat: Seat) {
    let view = duel.view(seat);
    let game = duel.game();
    let name =
        |model: Option<cw_program::ModelId>| model.map_or("?", |model| &game.model(model).name).to_owned();
    say!("");
    for whose in [seat.other(), seat] {
        let player = &view.players[whose];
        let title = if whose == seat { "You" } else { "Opponent" };
        say!(
            "{title}: {} HP, {} SP, hand {}, deck {}, discards {}",
            player.hp,
            player.sp,
            player.hand.len(),
            player.deck.len(),
            player.discards.len()
        );
        for (slot, character) in player.ring.iter().enumerate() {
            let Some(character) = character else { continue };
            let mut notes = Vec::new();
            for (holds, word) in [
                (character.fresh, "fresh"),
                (character.frozen, "frozen"),
                (character.attacks, "attacks"),
                (character.follows, "joins the attack"),
                (character.blocks, "counters"),
            ] {
                if holds {
                    notes.push(word.to_owned());
                }
            }
            if !character.backups.is_empty() {
                notes.push(format!("{} back-ups", character.backups.len()));
            }
            notes.extend(character.keywords.iter().map(ToString::to_string));
            let notes = if notes.is_empty() {
                String::new()
            } else {
                format!(" ({})", notes.join(", "))
            };
            say!(
                "  {}  {} {}{notes}",
                slot + 1,
                name(Some(character.model)),
                character.bp
            );
        }
    }
    let hand: Vec<String> = view.players[seat]
        .hand
        .iter()
        .map(|card| match card.model.map(|model| game.model(model)) {
            Some(model) if model.is_character() => {
                format!("{} {} {}", model.name, model.bp, cw_words::signed(model.sp))
            }
            Some(model) => format!("{} {}", model.name, cw_words::signed(model.sp)),
            None => "?".to_owned(),
        })
        .collect();
    say!("Hand: {}", hand.join(" · "));
}

fn summary(duel: &Duel, choices: usize) {
    let Some(outcome) = duel.outcome() else { return };
    let view = duel.view(Seat::One);
    let hp = [Seat::One, Seat::Two].map(|seat| view.players[seat].hp);
    let how = match outcome {
        Outcome::Drawn => "The duel is a draw".to_owned(),
        Outcome::Won { winner, reason } => {
            let why = match reason {
                Reason::Hp => "by knock-out",
                Reason::DeckOut => "because the opponent's deck is empty",
                Reason::Forfeit => "because the opponent gave up",
            };
            format!("Player {} wins {why}", winner.index() + 1)
        }
    };
    say!(
        "{how} in turn {}, after {choices} choices; HP {} to {}.",
        duel.turn(),
        hp[0],
        hp[1]
    );
}
