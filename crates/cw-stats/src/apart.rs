//! How far two scores are apart, of pairs that chance has put on one side or the other.

use crate::interval::{Interval, bisect, normal_quantile, two_sided, wilson_by};
use crate::pairs::{Pairs, trials};

/// The difference between the scores of pairs with something and of pairs without it.
///
/// Chance decides within a group which pairs are with it; how often, may differ from group to group. So the
/// sides are compared group by group, each with the weight of what it tells (Cochran 1954): where a strong
/// deck has three copies of a card and a weak one has one, its strength is not put down to the card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// The scores with and without, each of the same mixture of groups.
    pub scores: [f64; 2],
    /// Pairs with and without, in the groups that have both.
    pub numbers: [u64; 2],
    /// How many independent duels have the variance of each score.
    trials: [f64; 2],
}

impl Apart {
    /// Of groups of pairs with and without. A group that has only the ones or the others tells nothing.
    pub fn of(groups: &[[Pairs; 2]]) -> Apart {
        let both = || {
            groups
                .iter()
                .filter(|group| group.iter().all(|pairs| pairs.number() > 0))
        };
        let weight = |group: &[Pairs; 2]| {
            let [with, without] = group.each_ref().map(|pairs| pairs.number() as f64);
            with * without / (with + without)
        };
        let weights: f64 = both().map(weight).sum();
        if weights == 0.0 {
            return Apart {
                scores: [0.5; 2],
                numbers: [0; 2],
                trials: [0.0; 2],
            };
        }
        let side = |at: usize| {
            let score: f64 = both().map(|group| weight(group) * group[at].score()).sum();
            let number: u64 = both().map(|group| group[at].number()).sum();
            let parts = |group: &[Pairs; 2]| weight(group) * weight(group) / group[at].number() as f64;
            // As many pairs of one group would know the score as well.
            let worth = weights * weights / both().map(parts).sum::<f64>();
            let squares: f64 = both()
                .map(|group| group[at].variance() * group[at].number() as f64)
                .sum();
            // Each group's mean is taken off its own pairs.
            let free = number.saturating_sub(both().count() as u64).max(1);
            let score = score / weights;
            (score, number, trials(worth, score, squares / free as f64))
        };
        let [(with, n_with, t_with), (without, n_without, t_without)] = [side(0), side(1)];
        Apart {
            scores: [with, without],
            numbers: [n_with, n_without],
            trials: [t_with, t_without],
        }
    }

    /// The score with it less the score without.
    pub fn value(&self) -> f64 {
        self.scores[0] - self.scores[1]
    }

    /// Where the true difference lies, for numbers of pairs that were fixed beforehand: Wilson's two
    /// intervals put together (Newcombe 1998, method 10). With few pairs, and with scores near 0 and 1, it
    /// keeps its promise where the sum of two variances does not.
    pub fn interval(&self, confidence: f64) -> Interval {
        self.within(normal_quantile(0.5 + confidence / 2.0))
    }

    /// How often scores as far apart come of chance alone: below 5 % exactly where the interval of 95 %
    /// excludes none.
    pub fn chance_of_none(&self) -> f64 {
        if self.value() == 0.0 {
            return 1.0;
        }
        // The interval grows with z until it holds none.
        let outside = |z: f64| {
            let Interval { low, high } = self.within(z);
            if low > 0.0 || high < 0.0 { 1.0 } else { -1.0 }
        };
        two_sided(bisect(0.0, 40.0, outside))
    }

    fn within(&self, z: f64) -> Interval {
        if self.numbers[0] == 0 {
            return Interval { low: -1.0, high: 1.0 };
        }
        let [with, without] = self.scores;
        let [of_with, of_without] = [0, 1].map(|at| wilson_by(self.scores[at], self.trials[at], z));
        Interval {
            low: (self.value() - libm::hypot(with - of_with.low, of_without.high - without)).max(-1.0),
            high: (self.value() + libm::hypot(of_with.high - with, without - of_without.low)).min(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(lost: u64, split: u64, won: u64) -> Pairs {
        Pairs {
            counts: [lost, 0, split, 0, won],
        }
    }

    /// The test is the interval's, in either order.
    #[test]
    fn a_test_of_two_scores_agrees_with_its_interval() {
        let mut excluded = 0;
        let one_of = |number: u64| {
            let at = |place: u32| number / 3_u64.pow(place) % 3;
            pairs(9 * at(0), 5 * at(1), 4 * at(2) + 10)
        };
        for (one, two) in (0..27).flat_map(|one| (0..27).map(move |two| (one, two))) {
            let (one, two) = (one_of(one), one_of(two));
            let apart = Apart::of(&[[one, two]]);
            assert!((apart.value() - (one.score() - two.score())).abs() < 1e-12);
            let Interval { low, high } = apart.interval(0.95);
            assert!(low <= apart.value() && apart.value() <= high);
            let (chance, excludes) = (apart.chance_of_none(), low > 0.0 || high < 0.0);
            assert_eq!(chance < 0.05, excludes, "{chance} of [{low}, {high}]");
            let turned = Apart::of(&[[two, one]]);
            assert!((chance - turned.chance_of_none()).abs() < 1e-9);
            excluded += u32::from(excludes);
        }
        assert!(excluded > 50, "{excluded}");
    }

    /// Ten of ten won, where half of many are: once in 500 with a coin, not never.
    #[test]
    fn a_few_pairs_that_agree_are_not_sure() {
        let chance = Apart::of(&[[pairs(0, 0, 10), pairs(5000, 0, 5000)]]).chance_of_none();
        assert!(chance > 0.001 && chance < 0.004, "{chance}");
        let nothing = Apart::of(&[[pairs(0, 0, 10), pairs(0, 0, 0)]]);
        assert_eq!((nothing.value(), nothing.chance_of_none()), (0.0, 1.0));
        assert_eq!(nothing.interval(0.95), Interval { low: -1.0, high: 1.0 });
    }

    /// A strong deck opens with the card more often than a weak one: the decks' strength is not the card's.
    #[test]
    fn groups_are_compared_each_with_itself() {
        let (strong, weak) = (
            [pairs(20, 0, 80), pairs(60, 0, 240)],
            [pairs(24, 0, 6), pairs(320, 0, 80)],
        );
        let apart = Apart::of(&[strong, weak]);
        assert!(apart.value().abs() < 1e-12, "{apart:?}");
        // All in one heap they would seem to be 20 points apart.
        let heap = [0, 1].map(|side| Pairs {
            counts: std::array::from_fn(|at| strong[side].counts[at] + weak[side].counts[at]),
        });
        let chance = Apart::of(&[heap]).chance_of_none();
        assert!(chance < 1e-3, "{chance}");
    }
}
