//! Whether the statistics of duels keep their promises, on real duels of the demo game:
//! `cargo run --release -p cw-balance --example acceptance -- planted|nulls|rate|luck [PLAYER] [NUMBER]`.
//!
//! - `planted`: +100 BP on each of 12 cards in turn, found with looks after every pair, at 1 %; beside it
//!   the same test without common seeds, given five times as many pairs, and 12 patches that change nothing.
//! - `nulls`: 1,000 comparisons of the game with itself on other seeds, with looks after every pair: how
//!   many give an alarm at 1 %.
//! - `luck`: the matrix of all decks with the luck of the draw taken out: whether the mean of luck is
//!   nothing, how many pairs it saves, whether small reports contain the score of all pairs.
//! - `rate`: duels a second of plans, with all that is counted, beside bare duels.
#![allow(clippy::print_stdout, reason = "it is a program for the terminal")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use cw_balance::{Patch, PatchChange};
use cw_duel::{Duel, DuelSetup, PerSeat};
use cw_load::{Loaded, load};
use cw_octgn::Folder;
use cw_players::{Level, RandomPlayer, SearchBudget};
use cw_program::ModelId;
use cw_sim::{Detail, DuelPlan, Exchange, Matchup, Pair, StopRule, Total};
use cw_stats::{Changes, Correction};

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
        Some("luck") => luck(level, number.unwrap_or(50_000)),
        _ => println!("planted, nulls, rate or luck"),
    }
}

fn plan(seed: u64) -> DuelPlan {
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
    DuelPlan {
        matchups: vec![Matchup {
            names: PerSeat(names.map(str::to_owned)),
            decks: PerSeat(names.map(deck)),
        }],
        game: game.expect("the demo game can be played"),
        seed,
        budgets: [SearchBudget::default(); 2],
        exchange: Exchange::Turns,
        stop: StopRule::After(1),
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
fn until_known(without: &DuelPlan, with: &DuelPlan, level: Level, most: u64) -> (Changes, bool) {
    let mut changes = Changes::default();
    let play =
        |plan: &DuelPlan, number| -> Pair { plan.play(number, &mut level.clone(), &mut level.clone()) };
    for number in 0..most {
        changes.add(play(without, number).quarters(), play(with, number).quarters());
        if changes.evidence() >= ALARM {
            return (changes, true);
        }
    }
    (changes, false)
}

/// Characters of the first deck with two copies at least, those with the most first.
fn characters(plan: &DuelPlan) -> Vec<ModelId> {
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
    let mut cards: Vec<(DuelPlan, ModelId)> = characters(&plan)
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
            changes: vec![PatchChange {
                card: Some(model.name.to_string()),
                property: Some("bp".to_owned()),
                to: Some(model.bp + more),
                ..PatchChange::default()
            }],
        };
        let apply = |patch: Patch| {
            let compile = |_: &cw_duel::Game, _: ModelId, _: &str| Err("no rules".to_owned());
            patch.apply(plan, &compile).expect("it fits")
        };
        let paired = until_known(plan, &apply(patch(100)), level, most);
        let other_seeds = DuelPlan {
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
            "{name:20} +100 BP: {} after {} pairs ({better} better, {worse} worse, {:.0} % alike); \
             without common seeds {} after {}; no change: {:?} of {}",
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
        "{hits} of 12 found, {false_alarms} of 12 without a change; {} pairs; \
         with five times as many without common seeds {unpaired_hits} of 12 found",
        sums[0]
    );
}

fn nulls(level: Level, number: usize) {
    let alarms = on_all_cores(number, |at| {
        let without = plan(2 * at as u64);
        let with = DuelPlan {
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
        let mut random = RandomPlayer::new(round);
        for seed in 0..duels {
            let setup = DuelSetup::from(seed + round * duels);
            let mut duel = Duel::new(Arc::clone(&plan.game), decks, setup).expect("legal decks");
            while let Some(decision) = duel.pending() {
                let choice = random.pick(decision);
                duel.answer_silently(choice).expect("it was offered");
            }
        }
        rates[0].push(duels as f64 / began.elapsed().as_secs_f64());
        for (detail, rates) in [Detail::Duel, Detail::Cards].into_iter().zip(&mut rates[1..]) {
            let began = Instant::now();
            let mut total = Total::of(&plan);
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
        "bare duels {bare:.0}/s; duels of a plan {planned:.0}/s: {:.2}; \
         with what each card did {counted:.0}/s: {:.2}",
        planned / bare,
        counted / bare
    );
}

/// Pairs of a matchup in a small report.
const SMALL: u64 = 50;

/// So many pairs of duels between all decks.
fn luck(level: Level, pairs: u64) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let Loaded { game, decks, .. } = load(Folder::new(root)).expect("the demo game is there");
    let decks: Vec<_> = decks.iter().map(|deck| (&deck.name, &deck.cards)).collect();
    let matchups = decks.iter().enumerate().flat_map(|(at, one)| {
        decks[at + 1..].iter().map(|two| Matchup {
            names: PerSeat([one.0.clone(), two.0.clone()]),
            decks: PerSeat([one.1.clone(), two.1.clone()]),
        })
    });
    let plan = DuelPlan {
        matchups: matchups.collect(),
        game: game.expect("the demo game can be played"),
        seed: 1,
        budgets: [level.budget(); 2],
        exchange: Exchange::Turns,
        stop: StopRule::After(pairs),
    };
    let small = SMALL * plan.matchups.len() as u64;
    let reports = (pairs / small).max(1);
    let mut total = Total::of(&plan);
    let mut small_ones: Vec<Correction> = Vec::new();
    // By card and seat: the sum of luck and of its squares, by pair.
    let mut brought: BTreeMap<(usize, ModelId), (f64, f64)> = BTreeMap::new();
    for report in 0..reports {
        let first = report * small;
        let played = on_all_cores(usize::try_from(small).unwrap_or(0), |at| {
            plan.play(first + at as u64, &mut level.clone(), &mut level.clone())
        });
        let mut one = Total::of(&plan);
        for pair in &played {
            total.add(&plan, pair);
            one.add(&plan, pair);
            let mut both: BTreeMap<(usize, ModelId), f64> = BTreeMap::new();
            for (seat, rows) in pair.duels.iter().flat_map(|duel| duel.cards.0.iter().enumerate()) {
                for row in rows {
                    *both.entry((seat, row.model)).or_default() += f64::from(row.surprise) / 1e6;
                }
            }
            for (key, luck) in both {
                let sum = brought.entry(key).or_default();
                *sum = (sum.0 + luck, sum.1 + luck * luck);
            }
        }
        small_ones.extend(one.corrected());
    }
    let far = |(sum, squares): &(f64, f64)| sum.abs() / squares.sqrt().max(1e-9);
    let farthest = brought.values().map(far).fold(0.0, f64::max);
    println!(
        "{} duels of {} matchups: \
         the mean of luck is at most {farthest:.2} standard deviations from 0, of {} cards and seats",
        total.results.number_of_duels(),
        plan.matchups.len(),
        brought.len()
    );
    let Some(all) = total.corrected() else {
        println!("too few pairs for a correction");
        return;
    };
    let wide = |of: cw_stats::Interval| (of.high - of.low) / 2.0;
    let of_all = |of: &dyn Fn(usize) -> f64| -> f64 {
        let sum: f64 = (0..plan.matchups.len()).map(of).sum();
        sum / plan.matchups.len() as f64
    };
    let pairs_of = |at: usize| &total.matchups[at].results.pairs;
    let (raw, corrected) = (
        of_all(&|at| wide(pairs_of(at).interval(0.95))),
        of_all(&|at| wide(all.groups[at].interval(0.95))),
    );
    let off = of_all(&|at| {
        let saved = (pairs_of(at).variance() - all.groups[at].variance).max(1e-9);
        (pairs_of(at).score() - all.groups[at].score).powi(2) * pairs_of(at).number() as f64 / saved
    });
    println!(
        "a matchup of {} pairs: ±{:.2} % with luck, ±{:.2} % without; \
         luck taken out saves {:.2} times the duels",
        pairs_of(0).number(),
        raw * 100.0,
        corrected * 100.0,
        all.saves
    );
    println!("what was taken out is as large as luck should be: {off:.2} of 1 in squares");
    let (mut inside, mut intervals, mut saves) = (0, 0, 0.0);
    for one in &small_ones {
        saves += one.saves / small_ones.len() as f64;
        for (group, truth) in one.groups.iter().zip(&all.groups) {
            let interval = group.interval(0.95);
            inside += u32::from(interval.low <= truth.score && truth.score <= interval.high);
            intervals += 1;
        }
    }
    println!(
        "{} reports of {SMALL} pairs a matchup: {saves:.2} times the duels saved, \
         {inside} of {intervals} intervals contain the score of all pairs ({:.1} %)",
        small_ones.len(),
        f64::from(inside) / f64::from(intervals.max(1)) * 100.0
    );
}
