//! Results of pairs of duels: the same seed and decks, the players' seats exchanged.

use crate::interval::{Interval, wilson};

/// How many pairs gave 0, ¼, ½, ¾ and all of the points to the player that is measured.
///
/// The pair is the unit, never the duel: both duels of a pair have their luck in common, so counting
/// them one by one claims to know more than it does, or less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Pairs {
    /// By the score in quarters.
    pub counts: [u64; 5],
}

/// The scores of a pair.
pub(crate) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Pairs {
    /// Counts a pair; `quarters` is its score in quarters of a pair: 2 for a win in one of two duels.
    ///
    /// # Panics
    /// If there are more than four.
    pub fn add(&mut self, quarters: u8) {
        self.counts[usize::from(quarters)] += 1;
    }

    /// Pairs counted.
    pub fn number(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean score, from 0 to 1; ½ of nothing.
    pub fn score(&self) -> f64 {
        match self.number() {
            0 => 0.5,
            number => self.sum(|score| score) / number as f64,
        }
    }

    /// The variance of a pair's score.
    pub fn variance(&self) -> f64 {
        let mean = self.score();
        match self.number() {
            0 => 0.0,
            number => self.sum(|score| (score - mean) * (score - mean)) / number as f64,
        }
    }

    /// Elo points per game by which the player is ahead.
    pub fn elo(&self) -> f64 {
        elo(self.score())
    }

    /// Normalized Elo: how many Elo points ahead it would be if a duel were a coin's toss. Unlike
    /// Elo it says how many duels are needed to see a difference. Infinite
    /// where all pairs are equal, but 0 where all are split.
    pub fn normalized_elo(&self) -> f64 {
        let deviation = (2.0 * self.variance()).sqrt();
        // 800 / ln 10: Elo points a unit of score at ½, for the deviation ½ of one duel.
        const POINTS: f64 = 347.435_585_522_6;
        let ahead = self.score() - 0.5;
        if ahead == 0.0 {
            0.0
        } else {
            ahead / deviation * POINTS
        }
    }

    /// Where the true score lies, if the number of pairs was fixed beforehand: Wilson's interval for
    /// as many trials as have the variance that the pairs have.
    pub fn interval(&self, confidence: f64) -> Interval {
        let trials = self.trials();
        wilson(self.score() * trials, trials, confidence)
    }

    /// How often a score as far from ½ comes of chance alone: the test whose acceptance is
    /// [`Pairs::interval`], so that it is below 5 % exactly where the interval of 95 % excludes ½
    /// (Wilson 1927).
    pub fn chance_of_even(&self) -> f64 {
        crate::two_sided((self.score() - 0.5) * 2.0 * self.trials().sqrt())
    }

    /// How many independent duels, each won or lost, have the variance that the pairs have.
    pub(crate) fn trials(&self) -> f64 {
        trials(self.number() as f64, self.score(), self.variance())
    }

    /// The points in all, in quarters of a pair.
    pub(crate) fn quarters(&self) -> i64 {
        let cells = self.counts.iter().zip(0..);
        cells
            .map(|(count, quarters)| i64::try_from(*count).unwrap_or(i64::MAX).saturating_mul(quarters))
            .fold(0, i64::saturating_add)
    }

    /// Where the true score lies, whenever one looks and whatever made one stop: an asymptotic
    /// confidence sequence (Waudby-Smith et al. 2021), narrowest at `planned` pairs.
    ///
    /// `confidence` is the chance that it never misses, at any look.
    pub fn sequence(&self, planned: u64, confidence: f64) -> Interval {
        let number = self.number() as f64;
        if number == 0.0 {
            return Interval { low: 0.0, high: 1.0 };
        }
        let alpha = 1.0 - confidence;
        let log = -2.0 * libm::log(alpha);
        let rho2 = (log + libm::log(log + 1.0)) / planned.max(1) as f64;
        let grown = number * rho2 + 1.0;
        let width = (2.0 * grown / (number * number * rho2) * libm::log(grown.sqrt() / alpha)).sqrt();
        // Asymptotic means that the first pairs prove little about the variance: two pairs that were won
        // and two that were lost are added.
        let variance = (self.variance() * number + 1.0) / (number + 4.0);
        let half = variance.sqrt() * width;
        let score = self.score();
        Interval {
            low: (score - half).max(0.0),
            high: (score + half).min(1.0),
        }
    }

    fn sum(&self, value: impl Fn(f64) -> f64) -> f64 {
        let cells = self.counts.iter().zip(SCORES);
        cells.map(|(count, score)| *count as f64 * value(score)).sum()
    }
}

/// How many independent duels, each won or lost, have the variance that these pairs have.
pub(crate) fn trials(number: f64, score: f64, variance: f64) -> f64 {
    // A quarter of a pair stands for what was never seen, so that few equal pairs prove nothing.
    const UNSEEN: f64 = 0.25;
    let of_a_coin = score * (1.0 - score) * number + UNSEEN;
    number * of_a_coin / (variance * number + UNSEEN)
}

/// Elo points for a score between 0 and 1; infinite at both ends.
pub fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if score >= 1.0 {
        return f64::INFINITY;
    }
    -400.0 * libm::log10(1.0 / score - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test is the interval's: it says 5 % where the interval's end meets ½, and the same of both
    /// sides of a matchup.
    #[test]
    fn a_test_agrees_with_its_interval() {
        let mut decided = 0;
        for number in 0..6_u64.pow(5) {
            let counts = std::array::from_fn(|place| number / 6_u64.pow(place as u32) % 6);
            let pairs = Pairs { counts };
            let Interval { low, high } = pairs.interval(0.95);
            let excludes = low > 0.5 || high < 0.5;
            let chance = pairs.chance_of_even();
            assert_eq!(chance < 0.05, excludes, "{counts:?}: {chance} of [{low}, {high}]");
            let mut turned = counts;
            turned.reverse();
            let other = Pairs { counts: turned }.chance_of_even();
            assert!((chance - other).abs() < 1e-9, "{counts:?}");
            decided += u32::from(excludes);
        }
        assert!(decided > 500, "{decided}");
    }

    #[test]
    fn scores_add_up() {
        let mut pairs = Pairs::default();
        assert_eq!((pairs.number(), pairs.score(), pairs.variance()), (0, 0.5, 0.0));
        for quarters in [0, 2, 2, 3, 4, 4] {
            pairs.add(quarters);
        }
        assert_eq!(pairs.counts, [1, 0, 2, 1, 2]);
        assert_eq!(pairs.score(), 3.75 / 6.0);
    }

    #[test]
    fn elo_of_well_known_scores() {
        assert!((elo(0.76) - 200.24).abs() < 0.01);
        assert_eq!(elo(0.5), 0.0);
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        // Independent coins: both kinds of Elo agree near ½.
        let coins = Pairs {
            counts: [245, 0, 500, 0, 255],
        };
        assert!((coins.elo() - coins.normalized_elo()).abs() < 0.05);
        let of = |counts| Pairs { counts }.normalized_elo();
        assert_eq!((of([0, 0, 9, 0, 0]), of([0, 0, 0, 0, 9])), (0.0, f64::INFINITY));
    }

    /// A player against itself: the score is known for certain, and every pair makes it more so.
    #[test]
    fn a_mirror_has_a_narrow_interval() {
        let mirror = Pairs {
            counts: [0, 0, 200, 0, 0],
        };
        let interval = mirror.interval(0.95);
        assert!(interval.low > 0.49 && interval.high < 0.51, "{interval:?}");
    }
}
