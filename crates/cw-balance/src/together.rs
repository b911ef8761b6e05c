//! Cards that win more together than each of them alone.

use std::collections::BTreeMap;

use cw_duel::Seat;
use cw_program::ModelId;
use cw_sim::{CardCount, Pair, Wins};
use cw_stats::{Interval, normal_quantile, two_sided};

/// Duels of the deck with both cards, with the one, with the other and with none: fewer of any of these say
/// nothing.
pub const LEAST: u64 = 100;

/// Duels by which cards of a deck were drawn.
#[derive(Clone, Debug, Default)]
pub struct Together {
    all: BTreeMap<String, Wins>,
    one: BTreeMap<(String, ModelId), Wins>,
    two: BTreeMap<(String, ModelId, ModelId), Wins>,
}

/// Two cards of a deck, and what came of drawing both.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    /// The deck.
    pub deck: String,
    /// The cards.
    pub cards: [ModelId; 2],
    /// How much higher the score is with both than what each adds alone gives.
    pub more: f64,
    /// Where that may lie, if the duels of a pair had all their luck in common: it is rather too wide.
    pub interval: Interval,
    /// Duels in which both were drawn.
    pub duels: u64,
    /// The chance of so much by luck, for this combination alone.
    pub chance: f64,
}

fn add(into: &mut Wins, halves: u8) {
    into.join(Wins {
        number: 1,
        halves: u64::from(halves),
    });
}

impl Together {
    /// Counts the duels of a pair between these decks.
    pub fn add(&mut self, pair: &Pair, names: [&str; 2]) {
        for duel in &pair.duels {
            for seat in Seat::BOTH {
                let (halves, deck) = (duel.halves(seat), names[seat.index()]);
                let drawn: Vec<ModelId> = duel.cards[seat]
                    .iter()
                    .filter(|row| row.get(CardCount::Opening) + row.get(CardCount::Drawn) > 0)
                    .map(|row| row.model)
                    .collect();
                add(self.all.entry(deck.to_owned()).or_default(), halves);
                for (at, one) in drawn.iter().enumerate() {
                    add(self.one.entry((deck.to_owned(), *one)).or_default(), halves);
                    for two in &drawn[at + 1..] {
                        add(self.two.entry((deck.to_owned(), *one, *two)).or_default(), halves);
                    }
                }
            }
        }
    }

    /// How many combinations there are, and those that win more (or less) than their parts, after a
    /// correction for how many were looked at (Benjamini and Hochberg at 5 %).
    pub fn found(&self, confidence: f64) -> (usize, Vec<Combination>) {
        let mut all: Vec<Combination> = Vec::new();
        for ((deck, one, two), both) in &self.two {
            let of = |model: &ModelId| self.one.get(&(deck.clone(), *model)).copied().unwrap_or_default();
            let (first, second, every) = (of(one), of(two), self.all.get(deck).copied().unwrap_or_default());
            let less = |from: Wins, what: Wins| Wins {
                number: from.number - what.number,
                halves: from.halves - what.halves,
            };
            let neither = Wins {
                number: every.number + both.number - first.number - second.number,
                halves: every.halves + both.halves - first.halves - second.halves,
            };
            let cells = [*both, less(first, *both), less(second, *both), neither];
            if cells.iter().any(|cell| cell.number < LEAST) {
                continue;
            }
            let share = |cell: &Wins| cell.halves as f64 / 2.0 / cell.number as f64;
            let [a, b, c, d] = cells.each_ref().map(share);
            let more = a - b - c + d;
            // The score at least one half point away from 0 and 1.
            let variance = |cell: &Wins| {
                let score = (cell.halves as f64 / 2.0 + 0.5) / (cell.number as f64 + 1.0);
                score * (1.0 - score) / cell.number as f64
            };
            // The duels of a pair may have all their luck in common: then two say as much as one.
            let deviation = (2.0 * cells.iter().map(variance).sum::<f64>()).sqrt();
            let half = normal_quantile(0.5 + confidence / 2.0) * deviation;
            all.push(Combination {
                deck: deck.clone(),
                cards: [*one, *two],
                more,
                interval: Interval {
                    low: more - half,
                    high: more + half,
                },
                duels: both.number,
                chance: two_sided(more / deviation),
            });
        }
        let number = all.len();
        all.sort_by(|one, two| one.chance.total_cmp(&two.chance));
        let held = (1..=number)
            .rev()
            .find(|rank| all[rank - 1].chance <= 0.05 * *rank as f64 / number as f64)
            .unwrap_or(0);
        all.truncate(held);
        (number, all)
    }
}
