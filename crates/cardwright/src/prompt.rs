//! A duel by a line prompt: at the terminal, or through a pipe.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use cw_bot::BotLimits;
use cw_duel::{Choice, Decision, Duel, DuelOutcome, Game, PerSeat, Question, Seat, Seed, WinReason};
use cw_lab::Seated;
use cw_players::{Ask, Lists, Player as _, SearchBudget, SeatEyes, players_seed, seed_of};
use cw_program::ModelId;
use cw_wire::{DuelTimeline, TimelineAct};
use cw_words::EventReader;

use crate::commands::play::SeatPlayerArg;
use crate::log::AnswerLog;
use crate::output::{self, count, note, say};

/// Whose eyes the log has: the one person's, or everybody's.
fn reader_seat(seats: &PerSeat<SeatPlayerArg>) -> Option<Seat> {
    let people: Vec<Seat> = Seat::BOTH
        .into_iter()
        .filter(|seat| seats[*seat] == SeatPlayerArg::Human)
        .collect();
    if let [only] = people[..] { Some(only) } else { None }
}

/// Who sits where, and what they see.
pub(crate) struct PromptTable {
    /// `None` for a person.
    players: PerSeat<Option<Seated>>,
    budgets: PerSeat<SearchBudget>,
    /// Of the players' own chance.
    seed: u64,
    /// What a player that is no person expects of one: the package's decks.
    lists: Vec<Vec<ModelId>>,
    reader: Option<Seat>,
    quiet: bool,
}

impl PromptTable {
    /// A table for these; a bot's process starts. Who is no person chooses by this seed.
    pub(crate) fn new(
        seats: &PerSeat<SeatPlayerArg>,
        seed: Seed,
        quiet: bool,
        lists: Vec<Vec<ModelId>>,
        game: &Arc<Game>,
    ) -> anyhow::Result<PromptTable> {
        let seed = players_seed(seed);
        let (mut players, mut budgets) = (PerSeat([None, None]), PerSeat([SearchBudget::default(); 2]));
        for seat in Seat::BOTH {
            if let SeatPlayerArg::Player(player) = &seats[seat] {
                players[seat] = Some(player.seat(game, BotLimits::default())?);
                budgets[seat] = player.budget(None);
            }
        }
        Ok(PromptTable {
            players,
            budgets,
            lists,
            reader: reader_seat(seats),
            seed,
            quiet,
        })
    }

    /// What bots did wrong, for who wants to mend them.
    pub(crate) fn tell_faults(&self) {
        let bots = Seat::BOTH.into_iter().filter_map(|seat| {
            let bot = self.players[seat].as_ref()?.bot()?;
            Some((seat, bot.faults()))
        });
        for (seat, faults) in bots.filter(|(_, faults)| faults.number() > 0) {
            note(&format!(
                "the bot of player {} made {}; the last: {}",
                seat.index() + 1,
                count(faults.number(), "fault"),
                faults.last
            ));
        }
    }

    /// Plays on to the end; false if the input ended before.
    pub(crate) fn play(&mut self, timeline: &mut DuelTimeline, log: &mut AnswerLog) -> anyhow::Result<bool> {
        for seat in Seat::BOTH {
            if let Some(player) = &mut self.players[seat] {
                player.begins(seat);
            }
        }
        loop {
            let duel = timeline.now();
            if self.quiet {
                log.clear();
            } else {
                log.print(duel, self.reader);
            }
            let Some(decision) = duel.pending().cloned() else {
                for seat in Seat::BOTH {
                    if let Some(player) = &mut self.players[seat] {
                        player.ends(duel.outcome());
                    }
                }
                return Ok(true);
            };
            let seat = decision.seat;
            let against_a_person = self.players[seat.other()].is_none();
            let answer = match (&mut self.players[seat], SeatEyes::of_who_is_asked(duel)) {
                (Some(player), Some(eyes)) => {
                    let seed = seed_of(self.seed, seat, timeline.len() as u64);
                    let lists = match against_a_person {
                        true => Lists::Closed(&self.lists),
                        false => Lists::Open,
                    };
                    let eyes = eyes.knowing(lists);
                    let ask = Ask {
                        budget: self.budgets[seat],
                        ..eyes.ask(seed)
                    };
                    match player.answer(&ask) {
                        cw_players::PlayerAnswer::Choice(choice) => PromptAnswer::Choice(choice),
                        cw_players::PlayerAnswer::GiveUp => PromptAnswer::GiveUp,
                    }
                }
                _ => ask(duel, &decision)?,
            };
            let act = match answer {
                PromptAnswer::Choice(choice) => TimelineAct::Chose(choice),
                PromptAnswer::GiveUp => TimelineAct::GaveUp(seat),
                PromptAnswer::TakeBack => {
                    take_back(timeline, seat);
                    continue;
                }
                PromptAnswer::Choices(choices) => {
                    // One answer of a person, and one to take back.
                    for (at, choice) in choices.into_iter().enumerate() {
                        timeline
                            .take(TimelineAct::Chose(choice), at > 0, log)
                            .expect("what was tried on a copy is accepted");
                    }
                    continue;
                }
                PromptAnswer::EndOfInput => return Ok(false),
            };
            timeline
                .take(act, false, log)
                .expect("an offered option is accepted");
        }
    }
}

fn take_back(timeline: &mut DuelTimeline, seat: Seat) {
    match timeline.undo_step(seat) {
        Some(at) => {
            timeline.truncate(at);
            say!("Taken back.");
        }
        None => {
            say!(
                "That cannot be taken back: \
                 something has been revealed since, or somebody else has made a choice."
            );
        }
    }
}

/// Says how it ended.
pub(crate) fn end(timeline: &DuelTimeline, finished: bool) -> ExitCode {
    if !finished {
        note("the input ended before the duel was over");
        return ExitCode::FAILURE;
    }
    summary(timeline.now(), timeline.len());
    ExitCode::SUCCESS
}

enum PromptAnswer {
    Choice(Choice),
    /// Several cards at once.
    Choices(Vec<Choice>),
    GiveUp,
    TakeBack,
    EndOfInput,
}

/// Asks a person: a number, or the beginning of an option's words.
fn ask(duel: &Duel, decision: &Decision) -> anyhow::Result<PromptAnswer> {
    let reader = EventReader {
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
        let mut line = Vec::new();
        let read = cw_files::read_line(&mut io::stdin().lock(), &mut line, cw_files::ANSWER);
        if read.context("cannot read the answer")? == 0 {
            return Ok(PromptAnswer::EndOfInput);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.eq_ignore_ascii_case("give up") || line == "q" {
            return Ok(PromptAnswer::GiveUp);
        }
        if line.eq_ignore_ascii_case("undo") {
            return Ok(PromptAnswer::TakeBack);
        }
        if let Some(choices) = several(line, &words).and_then(|picks| in_order(duel, decision, &picks)) {
            return Ok(PromptAnswer::Choices(choices));
        }
        match pick(line, &words) {
            Some(index) => return Ok(PromptAnswer::Choice(decision.options[index])),
            None => {
                say!(
                    "Type the number of an option or the beginning of its text; \
                     for several cards, type their numbers with spaces between them. \
                     “undo” takes back the last choice, “give up” ends the duel."
                );
            }
        }
    }
}

/// Two or more numbers of options, with blanks or commas between them, as indexes in the
/// engine's order (D29).
fn several(line: &str, words: &[String]) -> Option<Vec<usize>> {
    let numbers = line.split([' ', ',']).filter(|number| !number.is_empty());
    let picks: Result<Vec<usize>, _> = numbers.map(str::parse).collect();
    let mut picks = picks.ok()?;
    picks.sort_unstable();
    picks.dedup();
    let known = picks.iter().all(|number| (1..=words.len()).contains(number));
    (known && picks.len() > 1).then(|| picks.iter().map(|number| number - 1).collect())
}

/// These options as answers to one question for several cards: each as it comes up, then *done* if more are
/// asked for. Nothing if they are no answer; they are tried on a copy.
fn in_order(duel: &Duel, decision: &Decision, picks: &[usize]) -> Option<Vec<Choice>> {
    let cards = |choice: &Choice| matches!(choice, Choice::Card(_) | Choice::Copy(_));
    let mut copy = duel.clone();
    let mut answers = Vec::new();
    for pick in picks {
        let choice = decision.options.get(*pick).copied().filter(cards)?;
        let Some(next) = copy
            .pending()
            .filter(|next| goes_on(decision, next, answers.len()))
        else {
            break;
        };
        // The one that is left where so many are needed is taken unasked.
        if !next.options.contains(&choice) {
            return None;
        }
        copy.answer_silently(choice).ok()?;
        answers.push(choice);
    }
    let rest = copy.pending().filter(|next| goes_on(decision, next, picks.len()));
    if let Some(next) = rest {
        let done = next.options.iter().find(|option| **option == Choice::Done)?;
        answers.push(*done);
    }
    Some(answers)
}

/// Whether a question asks for more cards of the same choice, with so many more chosen.
fn goes_on(first: &Decision, next: &Decision, more: usize) -> bool {
    let chosen = |question: Question| question.counts().map(|(chosen, _, _)| usize::from(chosen));
    let before = chosen(first.question);
    next.seat == first.seat
        && next.source == first.source
        && before.is_some()
        && chosen(next.question) == before.map(|before| before + more)
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
        DuelOutcome::Drawn => "The duel is a draw".to_owned(),
        DuelOutcome::Won { winner, reason } => {
            let why = match reason {
                WinReason::Hp => "by knock-out",
                WinReason::DeckOut => "because the opponent's deck is empty",
                WinReason::Forfeit => "because the opponent gave up",
            };
            format!("Player {} wins {why}", winner.index() + 1)
        }
    };
    say!(
        "{how} in turn {}, after {}; HP {} to {}.",
        duel.turn(),
        crate::output::count(choices, "choice"),
        hp[0],
        hp[1]
    );
}
