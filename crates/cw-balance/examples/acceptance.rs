//! Whether the statistics of duels keep their promises, on real duels of the demo game:
//! `cargo run --release -p cw-balance --example acceptance -- planted|nulls|rate [PLAYER] [NUMBER]`.
//!
//! - `planted`: +100 BP on each of 12 cards in turn, found with looks after every pair, at 1 %; beside it
//!   the same test without common seeds, given five times as many pairs, and 12 patches that change nothing.
//! - `nulls`: 1,000 comparisons of the game with itself on other seeds, with looks after every pair: how
//!   many give an alarm at 1 %.
//! - `rate`: duels a second of plans, with all that is counted, beside bare duels.
#![allow(clippy::print_stdout, reason = "it is a program for the terminal")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use cw_balance::{Change, Patch};
use cw_duel::{Duel, PerSeat, Setup};
use cw_load::{Loaded, load};
use cw_octgn::Folder;
use cw_players::{Budget, Level, Random};
use cw_program::ModelId;
use cw_sim::{Detail, Exchange, Matchup, Pair, Plan, Stop};
use cw_stats::Changes;

/// An alarm at 1 %.
const ALARM: f64 = 100.0;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let player = arguments.get(1).map_or("random", String::as_str);
    let level = Level::named(player).expect("a level");
    let number = arguments.get(2).map(|number| number.parse().expect("a number"));
    match arguments.first().map(String::as_str) {
        Some("planted") => planted(level, number.unwrap_or(20_000)),
        Some("nulls") => nulls(level, usize::try_from(number.unwrap_or(1000)).unwrap_or(1000)),
        Some("rate") => rate(number.unwrap_or(5000)),
        _ => println!("planted, nulls or rate"),
    }
}

fn plan(seed: u64) -> Plan {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let Loaded { game, decks, .. } = load(Folder::new(root)).expect("the demo game is there");
    let deck = |name: &str| {
        decks
            .iter()
            .find(|deck| deck.name == name)
            .expect("it is there")
            .cards
            .clone()
    };
    let names = ["Harbour Lights", "Night School"];
    Plan {
        matchups: vec![Matchup {
            names: PerSeat(names.map(str::to_owned)),
            decks: PerSeat(names.map(deck)),
        }],
        game: game.expect("the demo game can be played"),
        seed,
        budgets: [Budget::default(); 2],
        exchange: Exchange::Turns,
        stop: Stop::After(1),
    }
}

/// Does the work on all cores and gives the results in order.
fn on_all_cores<T: Send>(number: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all: Vec<(usize, T)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut done = Vec::new();
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at >= number {
                            return done;
                        }
                        done.push((at, work(at)));
                    }
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("it went well"))
            .collect()
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}

/// Plays pairs until the evidence is enough, or so many: the blocks, and whether it was.
fn until_known(without: &Plan, with: &Plan, level: Level, most: u64) -> (Changes, bool) {
    let mut changes = Changes::default();
    let play = |plan: &Plan, number| -> Pair { plan.play(number, &mut level.clone(), &mut level.clone()) };
    for number in 0..most {
        changes.add(play(without, number).quarters(), play(with, number).quarters());
        if changes.evidence() >= ALARM {
            return (changes, true);
        }
    }
    (changes, false)
}

/// Characters of the first deck with two copies at least, those with the most first.
fn characters(plan: &Plan) -> Vec<ModelId> {
    let [deck, _] = &plan.matchups[0].decks.0;
    let mut cards = deck.clone();
    cards.sort_unstable();
    cards.dedup();
    let copies = |card: &ModelId| deck.iter().filter(|other| *other == card).count();
    cards.retain(|card| copies(card) >= 2 && plan.game.model(*card).is_character());
    cards.sort_by_key(|card| (std::cmp::Reverse(copies(card)), *card));
    cards
}

fn planted(level: Level, most: u64) {
    let plan = plan(11);
    let mut cards: Vec<(Plan, ModelId)> = characters(&plan)
        .into_iter()
        .map(|card| (plan.clone(), card))
        .collect();
    // The other deck's, as the first deck of its own plan.
    let mut turned = plan.clone();
    turned.matchups[0].decks.0.reverse();
    turned.matchups[0].names.0.reverse();
    cards.extend(characters(&turned).into_iter().map(|card| (turned.clone(), card)));
    cards.truncate(12);
    let found = on_all_cores(cards.len(), |at| {
        let (plan, card) = &cards[at];
        let model = plan.game.model(*card);
        let patch = |more: i32| Patch {
            changes: vec![Change {
                card: Some(model.name.to_string()),
                property: Some("bp".to_owned()),
                to: Some(model.bp + more),
                ..Change::default()
            }],
        };
        let apply = |patch: Patch| {
            let compile = |_: &cw_duel::Game, _: ModelId, _: &str| Err("no rules".to_owned());
            patch.apply(plan, &compile).expect("it fits")
        };
        let paired = until_known(plan, &apply(patch(100)), level, most);
        let other_seeds = Plan {
            seed: plan.seed + 1000 + at as u64,
            ..apply(patch(100))
        };
        // Five times as many pairs are given to the test without common seeds.
        let unpaired = until_known(plan, &other_seeds, level, paired.0.number() * 5);
        let nothing = until_known(plan, &apply(patch(0)), level, 300);
        (model.name.to_string(), paired, unpaired, nothing)
    });
    let (mut hits, mut unpaired_hits, mut false_alarms, mut sums) = (0, 0, 0, [0, 0]);
    for (name, (changes, known), (other, other_known), (nothing, alarm)) in found {
        hits += u64::from(known);
        unpaired_hits += u64::from(other_known);
        false_alarms += u64::from(alarm);
        let (better, worse) = changes.better_and_worse();
        let alike = changes.counts[4] as f64 / changes.number() as f64;
        let blocks = [changes.number(), other.number()];
        sums.iter_mut()
            .zip(blocks)
            .for_each(|(sum, blocks)| *sum += blocks);
        println!(
            "{name:20} +100 BP: {} after {} pairs ({better} better, {worse} worse, {:.0} % alike); without common seeds {} after {}; no change: {:?} of {}",
            if known { "found" } else { "not found" },
            blocks[0],
            alike * 100.0,
            if other_known { "found" } else { "not found" },
            blocks[1],
            nothing.better_and_worse(),
            nothing.number(),
        );
    }
    println!(
        "{hits} of 12 found, {false_alarms} of 12 without a change; {} pairs; with five times as many without common seeds {unpaired_hits} of 12 found",
        sums[0]
    );
}

fn nulls(level: Level, number: usize) {
    let alarms = on_all_cores(number, |at| {
        let without = plan(2 * at as u64);
        let with = Plan {
            seed: without.seed + 1,
            ..without.clone()
        };
        until_known(&without, &with, level, 100).1
    });
    let alarms = alarms.into_iter().filter(|alarm| *alarm).count();
    println!("{alarms} alarms at 1 % in {number} comparisons of 100 pairs without a difference");
}

/// Rounds whose median counts.
const ROUNDS: usize = 5;

fn rate(duels: u64) {
    let plan = plan(5);
    let decks = &plan.matchups[0].decks;
    let mut rates = [Vec::new(), Vec::new(), Vec::new()];
    for round in 0..ROUNDS as u64 {
        let began = Instant::now();
        let mut random = Random::new(round);
        for seed in 0..duels {
            let setup = Setup::from(seed + round * duels);
            let mut duel = Duel::new(Arc::clone(&plan.game), decks, setup).expect("legal decks");
            while let Some(decision) = duel.pending() {
                let choice = random.pick(decision);
                duel.answer_silently(choice).expect("it was offered");
            }
        }
        rates[0].push(duels as f64 / began.elapsed().as_secs_f64());
        for (detail, rates) in [Detail::Duel, Detail::Cards].into_iter().zip(&mut rates[1..]) {
            let began = Instant::now();
            let mut total = cw_sim::Total::of(&plan);
            for number in 0..duels / 2 {
                let (mut one, mut two) = (Level::Random, Level::Random);
                let pair = plan.play_noting(detail, number + round * duels, &mut one, &mut two);
                total.add(&plan, &pair);
            }
            rates.push(duels as f64 / began.elapsed().as_secs_f64());
        }
    }
    let [bare, planned, counted] = rates.map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        rates[ROUNDS / 2]
    });
    println!(
        "bare duels {bare:.0}/s; duels of a plan {planned:.0}/s: {:.2}; with what each card did {counted:.0}/s: {:.2}",
        planned / bare,
        counted / bare
    );
}
