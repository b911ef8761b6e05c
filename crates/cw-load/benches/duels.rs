//! How fast duels are: `cargo bench -p cw-load --bench duels`. See `docs/benchmarks.md`.
//!
//! One thread, one run, every figure the median of several rounds. Prints a table for people, then
//! one JSON object per line and figure. With `-- plays` only play is measured, to be profiled.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cw_duel::{Decks, Duel, Game, PerSeat};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::RandomPlayer;

/// Rounds of each measurement; the median counts.
const ROUNDS: usize = 7;
/// The least time of a round.
const ROUND: Duration = Duration::from_millis(300);
/// Positions that copies are taken of.
const POSITIONS: usize = 256;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game is there");
    let scripted = loaded.game.expect("the demo game can be played");
    let mut plain = Game::clone(&scripted);
    for model in &mut plain.models {
        model.program = None;
    }
    let decks = PerSeat([loaded.decks[0].cards.clone(), loaded.decks[1].cards.clone()]);
    let only_plays = std::env::args().any(|argument| argument == "plays");
    let mut figures = Vec::new();
    for (name, game) in [("plain", Arc::new(plain)), ("scripted", scripted)] {
        measure_play(name, &game, &decks, &mut figures);
        if !only_plays {
            measure_copies(name, &game, &decks, &mut figures);
        }
    }
    print(&figures);
}

/// One number.
struct Figure {
    game: &'static str,
    name: &'static str,
    value: f64,
    unit: &'static str,
}

fn measure_play(game_name: &'static str, game: &Arc<Game>, decks: &Decks, figures: &mut Vec<Figure>) {
    let mut add = adder(game_name, figures);
    let play = played(game, decks);
    add("duels", play.duels, "1/s");
    add("choices", play.choices, "1/s");
    add("choices_per_duel", play.choices / play.duels, "");
    add("decisions_with_one_option", play.forced, "%");
    let by_chance = played_by_chance(game, decks);
    add("duels_by_chance", by_chance, "1/s");
    // The same choices, equally likely: as many a duel.
    add("choices_by_chance", by_chance * play.choices / play.duels, "1/s");
}

fn measure_copies(game_name: &'static str, game: &Arc<Game>, decks: &Decks, figures: &mut Vec<Figure>) {
    let mut add = adder(game_name, figures);
    let start = ns_per(&mut (0..), |seed| {
        black_box(Duel::new(Arc::clone(game), decks, seed).expect("legal decks"));
    });
    add("start", start, "ns");

    // Inside effects wherever there are any: running programs are a part of the state, too.
    let inside = game.models.iter().any(|model| model.program.is_some());
    let positions = positions(game, decks, inside);
    let bytes = positions[0].size_in_bytes();
    add("state", bytes as f64, "bytes");
    let mut cycle = positions.iter().cycle();
    let copy = ns_per(&mut cycle, |duel| {
        black_box(duel.clone());
    });
    let blocks: Vec<Vec<u8>> = (0..POSITIONS).map(|index| vec![index as u8; bytes]).collect();
    let memcpy = ns_per(&mut blocks.iter().cycle(), |block| {
        black_box(block.clone().into_boxed_slice());
    });
    add("copy", copy, "ns");
    let mut place = positions[0].clone();
    let copy_over = ns_per(&mut cycle, |duel| place.clone_from(black_box(duel)));
    add("copy_into_old_memory", copy_over, "ns");
    add("memcpy_of_as_many_bytes", memcpy, "ns");
    add("copy_over_memcpy", copy / memcpy, "");

    let mut random = RandomPlayer::new(1);
    let copy_and_choose = ns_per(&mut positions.iter().cycle(), |duel| {
        let mut copy = duel.clone();
        let choice = random.pick(copy.pending().expect("it waits for a decision"));
        copy.answer_silently(choice).expect("it was offered");
        black_box(copy);
    });
    add("copy_and_choice", copy_and_choose, "ns");
}

fn adder(game: &'static str, figures: &mut Vec<Figure>) -> impl FnMut(&'static str, f64, &'static str) {
    move |name, value, unit| {
        figures.push(Figure {
            game,
            name,
            value,
            unit,
        });
    }
}

/// Random play from start to end.
struct Played {
    duels: f64,
    /// Decisions with more than one option.
    choices: f64,
    /// Per cent of all decisions.
    forced: f64,
}

fn played(game: &Arc<Game>, decks: &Decks) -> Played {
    let mut seed = 0;
    let mut rounds: Vec<Played> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            let (mut duels, mut choices, mut forced) = (0u64, 0u64, 0u64);
            while began.elapsed() < ROUND {
                for _ in 0..20 {
                    seed += 1;
                    duels += 1;
                    let mut duel = Duel::new(Arc::clone(game), decks, seed).expect("legal decks");
                    let mut random = RandomPlayer::new(seed);
                    while let Some(decision) = duel.pending() {
                        let real = u64::from(decision.options.len() > 1);
                        choices += real;
                        forced += 1 - real;
                        let choice = random.pick(decision);
                        duel.answer_silently(choice).expect("it was offered");
                    }
                    black_box(duel.outcome());
                }
            }
            let seconds = began.elapsed().as_secs_f64();
            Played {
                duels: duels as f64 / seconds,
                choices: choices as f64 / seconds,
                forced: 100.0 * forced as f64 / (choices + forced) as f64,
            }
        })
        .collect();
    rounds.sort_by(|a, b| a.choices.total_cmp(&b.choices));
    rounds.swap_remove(ROUNDS / 2)
}

/// Whole duels that chance plays without a list of the options, a second.
fn played_by_chance(game: &Arc<Game>, decks: &Decks) -> f64 {
    let mut seeds = 0..;
    let ns = ns_per(&mut seeds, |seed| {
        let mut duel = Duel::new(Arc::clone(game), decks, seed).expect("legal decks");
        let mut random = RandomPlayer::new(seed);
        duel.play_by_chance(u32::MAX, &mut |bound| random.below(bound));
        black_box(duel.outcome());
    });
    1e9 / ns
}

/// Positions from all over many duels, or those of them in which a running rule asks.
fn positions(game: &Arc<Game>, decks: &Decks, inside: bool) -> Vec<Duel> {
    let mut positions = Vec::new();
    for seed in 1.. {
        let mut duel = Duel::new(Arc::clone(game), decks, seed).expect("legal decks");
        let mut random = RandomPlayer::new(seed);
        let mut decisions = 0;
        while let Some(decision) = duel.pending() {
            if (inside || decisions % 32 == seed % 32)
                && decision.options.len() > 1
                && decision.place.is_some() == inside
            {
                positions.push(duel.clone());
                if positions.len() == POSITIONS {
                    return positions;
                }
            }
            decisions += 1;
            let choice = random.pick(decision);
            duel.answer_silently(choice).expect("it was offered");
        }
    }
    positions
}

/// Nanoseconds per call, the median of the rounds.
fn ns_per<T>(items: &mut impl Iterator<Item = T>, mut run: impl FnMut(T)) -> f64 {
    let mut rounds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            let mut calls = 0u64;
            while began.elapsed() < ROUND {
                for item in items.by_ref().take(64) {
                    run(item);
                }
                calls += 64;
            }
            began.elapsed().as_nanos() as f64 / calls as f64
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    rounds[ROUNDS / 2]
}

#[expect(clippy::print_stdout, reason = "a benchmark tells its figures")]
fn print(figures: &[Figure]) {
    println!("{:<10} {:<28} {:>14}", "game", "figure", "value");
    for Figure {
        game,
        name,
        value,
        unit,
    } in figures
    {
        let digits = if *value < 100.0 { 2 } else { 0 };
        println!(
            "{game:<10} {:<28} {value:>14.digits$} {unit}",
            name.replace('_', " ")
        );
    }
    for Figure {
        game,
        name,
        value,
        unit,
    } in figures
    {
        println!(r#"{{"game":"{game}","figure":"{name}","value":{value:.3},"unit":"{unit}"}}"#);
    }
}
