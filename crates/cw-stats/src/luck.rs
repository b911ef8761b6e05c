//! Scores out of which luck is taken that was seen.
//!
//! Of each pair it is known how much of everything chance brought, more or less than was to be expected. On
//! average that is nothing, so any multiple of it may be taken off the scores: they stay right on average,
//! and those multiples with which they vary least need the fewest pairs (control variates). What a card more
//! is worth is estimated from other pairs than those that are corrected with it: whatever that estimate, it
//! is a fixed number for them, and cannot pull their mean anywhere.

use crate::interval::{Interval, two_sided, wilson};
use crate::pairs::{Pairs, SCORES};

/// What chance brought of a card is given in these parts of it.
pub const PARTS: i64 = 10_000;
/// So many shares have the pairs; each is corrected with what the others say.
const FOLDS: usize = 4;
/// The estimate of what a card is worth begins with so many pairs in which a card more changed nothing.
const DOUBT: f64 = 20.0;
/// With fewer pairs for each kind of luck, nothing is corrected.
const PAIRS_FOR_EACH: u64 = 5;

/// Sums over pairs and the luck in them, by group of pairs with the same true score. Integers: they add up to
/// the same in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LuckSums {
    kinds: usize,
    groups: Vec<LuckGroup>,
}

/// A group.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LuckGroup {
    /// The kinds of luck that there are in this group.
    kinds: Vec<usize>,
    folds: [MomentSums; FOLDS],
}

/// Sums of a share of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MomentSums {
    pairs: Pairs,
    /// By kind.
    luck: Vec<i64>,
    /// By kind: times the score in quarters.
    scored: Vec<i64>,
    /// By kind and kind up to it: one times the other.
    products: Vec<i64>,
}

impl MomentSums {
    fn of(kinds: usize) -> MomentSums {
        MomentSums {
            pairs: Pairs::default(),
            luck: vec![0; kinds],
            scored: vec![0; kinds],
            products: vec![0; kinds * (kinds + 1) / 2],
        }
    }
}

/// A group's score without the luck that was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corrected {
    /// Pairs.
    pub number: u64,
    /// The mean score, from 0 to 1 but for what chance still leaves in it.
    pub score: f64,
    /// The variance of what is left of a pair's score.
    pub variance: f64,
}

/// What came of taking luck out of all groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    /// By group.
    pub groups: Vec<Corrected>,
    /// So many times as many pairs would be needed for intervals as narrow, with luck left in.
    pub saves: f64,
}

impl LuckSums {
    /// Of no pairs yet. Each group names the kinds of luck that there are in it, all of them below `kinds`.
    pub fn new(kinds: usize, groups: impl IntoIterator<Item = Vec<usize>>) -> LuckSums {
        let groups = groups.into_iter().map(|mut of| {
            of.retain(|kind| *kind < kinds);
            LuckGroup {
                folds: std::array::from_fn(|_| MomentSums::of(of.len())),
                kinds: of,
            }
        });
        LuckSums {
            kinds,
            groups: groups.collect(),
        }
    }

    /// Adds the `number`th pair of a group, with its score in quarters, and by how many [`PARTS`] chance
    /// brought more of each kind of the group than was to be expected.
    ///
    /// # Panics
    /// If there is no such group, there are more than four quarters, or not as many numbers as kinds.
    pub fn add(&mut self, group: usize, number: u64, quarters: u8, luck: &[i64]) {
        let fold = usize::try_from(number % FOLDS as u64).unwrap_or(0);
        let MomentSums {
            pairs,
            luck: sums,
            scored,
            products,
        } = &mut self.groups[group].folds[fold];
        assert_eq!(luck.len(), sums.len(), "a number for each kind");
        pairs.add(quarters);
        let mut products = products.iter_mut();
        for (at, one) in luck.iter().enumerate() {
            sums[at] += one;
            scored[at] += one * i64::from(quarters);
            for (other, product) in luck[..=at].iter().zip(products.by_ref()) {
                *product += one * other;
            }
        }
    }

    /// Pairs.
    pub fn number(&self) -> u64 {
        let folds = self.groups.iter().flat_map(|group| &group.folds);
        folds.map(|fold| fold.pairs.number()).sum()
    }

    /// With fewer pairs than this nothing is corrected: what a card is worth would be guessed.
    pub fn least(&self) -> u64 {
        (self.kinds as u64).saturating_mul(PAIRS_FOR_EACH).max(1)
    }

    /// The scores without luck; none of so few pairs that nobody knows what luck is worth.
    pub fn corrected(&self) -> Option<Correction> {
        if self.number() < self.least() {
            return None;
        }
        let worth: [Vec<f64>; FOLDS] = std::array::from_fn(|fold| self.worth(fold));
        let (mut before, mut after) = (0.0, 0.0);
        let groups = self.groups.iter().map(|group| {
            let (mut all, mut sum, mut squares) = (Pairs::default(), 0.0, 0.0);
            for (fold, worth) in group.folds.iter().zip(&worth) {
                for (into, count) in all.counts.iter_mut().zip(fold.pairs.counts) {
                    *into += count;
                }
                let (of_fold, of_squares) = fold.rest(&group.kinds, worth);
                sum += of_fold;
                squares += of_squares;
            }
            let number = all.number();
            let of = number.max(1) as f64;
            let score = if number == 0 { 0.5 } else { sum / of };
            let variance = (squares / of - score * score).max(0.0);
            before += all.variance() * of;
            after += variance * of;
            Corrected {
                number,
                score,
                variance,
            }
        });
        let groups = groups.collect();
        // A matrix of mirrors has no luck, and nothing to save.
        let saves = if after > 0.0 { before / after } else { 1.0 };
        Some(Correction { groups, saves })
    }

    /// What a card more of each kind is worth, as a score, from all pairs but those of one share.
    fn worth(&self, but: usize) -> Vec<f64> {
        let kinds = self.kinds;
        let mut matrix = vec![0.0; kinds * kinds];
        let mut worth = vec![0.0; kinds];
        for group in &self.groups {
            let folds = || (0..).zip(&group.folds).filter(|(at, _)| *at != but);
            let sum = |of: &dyn Fn(&MomentSums) -> i64| -> f64 {
                folds().map(|(_, fold)| of(fold)).sum::<i64>() as f64
            };
            let number = sum(&|fold| i64::try_from(fold.pairs.number()).unwrap_or(0));
            if number == 0.0 {
                continue;
            }
            let quarters = sum(&|fold| fold.pairs.quarters());
            let means: Vec<f64> = (0..group.kinds.len())
                .map(|at| sum(&|fold| fold.luck[at]) / number)
                .collect();
            let mut product = 0;
            for (at, kind) in group.kinds.iter().enumerate() {
                worth[*kind] += (sum(&|fold| fold.scored[at]) - quarters * means[at]) / 4.0 / PARTS as f64;
                for (before, other) in group.kinds[..=at].iter().enumerate() {
                    let (high, low) = (*kind.max(other), *kind.min(other));
                    let centred = sum(&|fold| fold.products[product]) - number * means[at] * means[before];
                    matrix[high * kinds + low] += centred / (PARTS * PARTS) as f64;
                    product += 1;
                }
            }
        }
        for kind in 0..kinds {
            matrix[kind * kinds + kind] += DOUBT;
        }
        solve(&mut matrix, &mut worth);
        worth
    }
}

impl MomentSums {
    /// The sum of what is left of scores without luck of this worth, and the sum of its squares.
    fn rest(&self, kinds: &[usize], worth: &[f64]) -> (f64, f64) {
        let scores = |of: fn(f64) -> f64| -> f64 {
            let cells = self.pairs.counts.iter().zip(SCORES);
            cells.map(|(count, score)| *count as f64 * of(score)).sum()
        };
        let (mut sum, mut squares) = (scores(|score| score), scores(|score| score * score));
        let mut products = self.products.iter();
        for (at, kind) in kinds.iter().enumerate() {
            let own = worth[*kind] / PARTS as f64;
            sum -= own * self.luck[at] as f64;
            squares -= 2.0 * own * self.scored[at] as f64 / 4.0;
            for ((before, other), product) in kinds[..=at].iter().enumerate().zip(products.by_ref()) {
                let twice = if before == at { 1.0 } else { 2.0 };
                squares += twice * own * worth[*other] / PARTS as f64 * *product as f64;
            }
        }
        (sum, squares)
    }
}

/// Solves a symmetric, positive definite system of which the lower half is there (Cholesky), in place.
fn solve(matrix: &mut [f64], right: &mut [f64]) {
    let size = right.len();
    for row in 0..size {
        for column in 0..=row {
            let (upper, lower) = (column * size, row * size);
            let done = matrix[lower..lower + column]
                .iter()
                .zip(&matrix[upper..upper + column]);
            let rest = matrix[lower + column] - done.map(|(one, other)| one * other).sum::<f64>();
            matrix[lower + column] = if row == column {
                // What rounding takes away from below DOUBT is not missed.
                rest.max(1e-9).sqrt()
            } else {
                rest / matrix[upper + column]
            };
        }
    }
    for row in 0..size {
        let done: f64 = (0..row).map(|at| matrix[row * size + at] * right[at]).sum();
        right[row] = (right[row] - done) / matrix[row * size + row];
    }
    for row in (0..size).rev() {
        let done: f64 = (row + 1..size)
            .map(|at| matrix[at * size + row] * right[at])
            .sum();
        right[row] = (right[row] - done) / matrix[row * size + row];
    }
}

impl Corrected {
    /// Where the true score lies, if the number of pairs was fixed beforehand: as [`Pairs::interval`], for
    /// the variance that is left.
    pub fn interval(&self, confidence: f64) -> Interval {
        let (score, trials) = (self.score.clamp(0.0, 1.0), self.trials());
        wilson(score * trials, trials, confidence)
    }

    /// As [`Pairs::chance_of_even`].
    pub fn chance_of_even(&self) -> f64 {
        two_sided((self.score.clamp(0.0, 1.0) - 0.5) * 2.0 * self.trials().sqrt())
    }

    /// The same from the other side.
    #[must_use]
    pub fn reversed(self) -> Corrected {
        Corrected {
            score: 1.0 - self.score,
            ..self
        }
    }

    /// Several groups as one: the mean over all their pairs.
    pub fn of_all(parts: &[Corrected]) -> Corrected {
        let number: u64 = parts.iter().map(|part| part.number).sum();
        let mean = |of: fn(&Corrected) -> f64| {
            let sum: f64 = parts.iter().map(|part| part.number as f64 * of(part)).sum();
            sum / number.max(1) as f64
        };
        Corrected {
            number,
            score: if number == 0 { 0.5 } else { mean(|part| part.score) },
            variance: mean(|part| part.variance),
        }
    }

    fn trials(&self) -> f64 {
        crate::pairs::trials(self.number as f64, self.score.clamp(0.0, 1.0), self.variance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_solved() {
        // Lower half; the upper one is not looked at.
        let mut matrix = [4.0, 9.0, 9.0, 2.0, 5.0, 9.0, -2.0, 3.0, 10.0];
        let mut right = [4.0 + 4.0 - 6.0, 2.0 + 10.0 + 9.0, -2.0 + 6.0 + 30.0];
        solve(&mut matrix, &mut right);
        for (got, expected) in right.iter().zip([1.0, 2.0, 3.0]) {
            assert!((got - expected).abs() < 1e-12, "{right:?}");
        }
    }

    /// Sums and squares of what is left, computed from the moments, are those of the pairs themselves.
    #[test]
    fn moments_say_what_the_pairs_say() {
        let kinds = [0, 2, 3];
        let worth = [0.03, 7.0, -0.05, 0.01];
        let mut luck = LuckSums::new(4, [kinds.to_vec()]);
        let (mut sum, mut squares) = (0.0, 0.0);
        for number in 0..40_i64 {
            let brought = [
                3_000 - 700 * (number % 9),
                100 * (number % 13) - 500,
                90 * number - 2_000,
            ];
            let quarters = u8::try_from(number * 7 % 5).expect("below 5");
            luck.add(0, 4 * number.unsigned_abs(), quarters, &brought);
            let taken = kinds
                .iter()
                .zip(brought)
                .map(|(kind, luck)| worth[*kind] * luck as f64 / PARTS as f64);
            let rest = f64::from(quarters) / 4.0 - taken.sum::<f64>();
            sum += rest;
            squares += rest * rest;
        }
        let (of, of_squares) = luck.groups[0].folds[0].rest(&kinds, &worth);
        assert!((of - sum).abs() < 1e-9 && (of_squares - squares).abs() < 1e-9);
    }
}
