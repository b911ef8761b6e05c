//! What a change does, seen on the same seeds with and without it.

use crate::interval::{Interval, normal_quantile, two_sided};

/// One block more and one less by half a point stand for what was never seen.
const UNSEEN: f64 = 0.5;

/// Blocks by how much the change moved their score: from 4 quarters less to 4 quarters more.
///
/// The block is a pair of duels played twice on the same seed, without and with the change. Most blocks
/// come out alike, which is what makes so few of them enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Changes {
    /// By the difference in quarters, from −4.
    pub counts: [u64; 9],
}

impl Changes {
    /// Counts a block that had so many quarters without the change, and so many with it.
    ///
    /// # Panics
    /// If there are more than four.
    pub fn add(&mut self, without: u8, with: u8) {
        self.counts[usize::from(4 + with - without)] += 1;
    }

    /// Adds others.
    pub fn join(&mut self, other: &Changes) {
        for (into, from) in self.counts.iter_mut().zip(other.counts) {
            *into += from;
        }
    }

    /// Blocks.
    pub fn number(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Blocks with a better score, and with a worse one.
    pub fn better_and_worse(&self) -> (u64, u64) {
        (self.counts[5..].iter().sum(), self.counts[..4].iter().sum())
    }

    /// By how much the score went up, from −1 to 1.
    pub fn mean(&self) -> f64 {
        self.moment(|change| change) / self.number().max(1) as f64
    }

    /// Where the true change lies, for a number of blocks that was fixed beforehand: all changes that
    /// [`Changes::chance_of_none`], asked about them instead of about none, does not rule out. So few
    /// blocks that nothing can be ruled out leave everything possible.
    pub fn interval(&self, confidence: f64) -> Interval {
        let number = self.number() as f64;
        let mean = self.mean();
        let z = normal_quantile(0.5 + confidence / 2.0);
        if number <= z * z {
            return Interval { low: -1.0, high: 1.0 };
        }
        let squares = self.moment(|change| (change - mean) * (change - mean)) + UNSEEN;
        let half = z * (squares / number / (number - z * z)).sqrt();
        Interval {
            low: (mean - half).max(-1.0),
            high: (mean + half).min(1.0),
        }
    }

    /// How often a mean as far from none comes of chance alone, for a number of blocks that was fixed
    /// beforehand. The sum of the changes is measured by the root of the sum of their squares, which is
    /// its deviation if there is no change: a few blocks that all moved alike do not make it small. Where
    /// a block moves one way as often as the other, so much is hardly rarer at any number of blocks than
    /// the normal distribution says (Efron 1969). It is below 5 % exactly where the interval of 95 %
    /// excludes none.
    pub fn chance_of_none(&self) -> f64 {
        let squares = self.moment(|change| change * change) + UNSEEN;
        two_sided(self.moment(|change| change) / squares.sqrt())
    }

    /// How strongly the blocks speak against “better as often as worse”: the e-value of the sign test
    /// with an even prior. It may be looked at at any time: without an effect it ever reaches `1 / α`
    /// with a chance of `α` at most (Ville 1939).
    pub fn evidence(&self) -> f64 {
        let (better, worse) = self.better_and_worse();
        evidence(better, worse)
    }

    fn moment(&self, of: impl Fn(f64) -> f64) -> f64 {
        let cells = (-4..=4).zip(self.counts);
        cells
            .map(|(quarters, count)| count as f64 * of(f64::from(quarters) / 4.0))
            .sum()
    }
}

/// The e-value of `better` against `worse` blocks: `2^n · b! · w! / (n + 1)!`.
///
/// ```
/// assert_eq!(cw_stats::evidence(0, 0), 1.0);
/// assert!(cw_stats::evidence(20, 2) > 100.0 && cw_stats::evidence(11, 11) < 1.0);
/// ```
pub fn evidence(better: u64, worse: u64) -> f64 {
    let factorial = |number: f64| libm::lgamma(number + 1.0);
    let (better, worse) = (better as f64, worse as f64);
    let number = better + worse;
    let log =
        number * std::f64::consts::LN_2 + factorial(better) + factorial(worse) - factorial(number + 1.0);
    // What rounding leaves of nothing is nothing.
    if number == 0.0 { 1.0 } else { libm::exp(log) }
}

/// Which of many questions are answered, by their e-values: of those that are, a share of `alpha` at
/// most is expected to be wrong, however they depend on each other (e-BH: Wang and Ramdas 2022).
///
/// ```
/// assert_eq!(cw_stats::e_bh(&[500.0, 1.0, 30.0, 0.2], 0.05), [true, false, false, false]);
/// ```
pub fn e_bh(evidence: &[f64], alpha: f64) -> Vec<bool> {
    let mut sorted = evidence.to_vec();
    sorted.sort_by(|one, two| two.total_cmp(one));
    let all = evidence.len() as f64;
    let enough = |(at, value): (usize, &f64)| *value >= all / ((at + 1) as f64 * alpha);
    let last = sorted.iter().enumerate().rev().find(|found| enough(*found));
    let least = last.map_or(f64::INFINITY, |(_, value)| *value);
    evidence.iter().map(|value| *value >= least).collect()
}

/// Which of many questions are answered, by the chance that each answer is luck: of those that are, a
/// share of `alpha` at most is expected to be wrong, where the questions are independent or rather go up
/// and down together (Benjamini and Hochberg 1995; Benjamini and Yekutieli 2001).
///
/// ```
/// assert_eq!(cw_stats::bh(&[0.03, 0.9, 0.001, 0.02], 0.05), [true, false, true, true]);
/// // The same 3 % among more questions is nothing.
/// assert_eq!(cw_stats::bh(&[0.03, 0.9], 0.05), [false, false]);
/// ```
pub fn bh(chances: &[f64], alpha: f64) -> Vec<bool> {
    let mut sorted = chances.to_vec();
    sorted.sort_by(f64::total_cmp);
    let all = chances.len() as f64;
    let enough = |(at, chance): (usize, &f64)| *chance <= alpha * (at + 1) as f64 / all;
    let last = sorted.iter().enumerate().rev().find(|found| enough(*found));
    let most = last.map_or(-1.0, |(_, chance)| *chance);
    chances.iter().map(|chance| *chance <= most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test is the interval's: it says 5 % where the interval's end meets no change, and the same of
    /// a change to the better and one to the worse.
    #[test]
    fn a_test_agrees_with_its_interval() {
        let mut excluded = 0;
        for number in 0..5_u64.pow(5) {
            let at = |place: u32| number / 5_u64.pow(place) % 5;
            let counts = [at(0), 0, at(1), 0, 8 * at(2), 0, 2 * at(3), 0, 3 * at(4)];
            let changes = Changes { counts };
            let Interval { low, high } = changes.interval(0.95);
            let excludes = low > 0.0 || high < 0.0;
            let chance = changes.chance_of_none();
            assert_eq!(chance < 0.05, excludes, "{counts:?}: {chance} of [{low}, {high}]");
            let mut turned = counts;
            turned.reverse();
            assert!((chance - Changes { counts: turned }.chance_of_none()).abs() < 1e-12);
            excluded += u32::from(excludes);
        }
        assert!(excluded > 500, "{excluded}");
    }

    /// Blocks that all moved the same way do not make the test surer than the exact test of signs, except
    /// where there are so few that neither says anything.
    #[test]
    fn a_few_blocks_that_agree_prove_no_more_than_their_signs() {
        for moved in 6..=20_i32 {
            for (place, alike) in [(6, 0), (6, 70), (8, 0), (8, 70)] {
                let mut changes = Changes::default();
                changes.counts[place] = moved as u64;
                changes.counts[4] = alike;
                let (chance, exact) = (changes.chance_of_none(), libm::ldexp(1.0, 1 - moved));
                assert!(chance > exact * 0.5, "{moved} of {alike}: {chance} and {exact}");
            }
        }
        let three = Changes {
            counts: [0, 0, 0, 0, 0, 0, 0, 0, 3],
        };
        assert_eq!(three.interval(0.95), Interval { low: -1.0, high: 1.0 });
    }

    #[test]
    fn changes_add_up() {
        let mut changes = Changes::default();
        for (without, with) in [(2, 2), (2, 4), (4, 2), (0, 4), (1, 2)] {
            changes.add(without, with);
        }
        assert_eq!((changes.number(), changes.better_and_worse()), (5, (3, 1)));
        assert_eq!(changes.mean(), (2.0 - 2.0 + 4.0 + 1.0) / 4.0 / 5.0);
        assert_eq!(
            Changes::default().interval(0.95),
            Interval { low: -1.0, high: 1.0 }
        );
        let alike = Changes {
            counts: [0, 0, 0, 0, 400, 0, 0, 0, 0],
        };
        let interval = alike.interval(0.95);
        assert!(
            interval.low < 0.0 && interval.high > 0.0 && interval.high < 0.01,
            "{interval:?}"
        );
    }

    /// Exact values of small tests.
    #[test]
    fn evidence_is_exact() {
        for (better, worse, value) in [
            (1, 0, 1.0),
            (2, 0, 4.0 / 3.0),
            (1, 1, 2.0 / 3.0),
            (10, 0, 1024.0 / 11.0),
        ] {
            assert!(
                (evidence(better, worse) - value).abs() < 1e-9,
                "{better}, {worse}"
            );
        }
    }
}
