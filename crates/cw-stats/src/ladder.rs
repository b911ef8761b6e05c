//! Ratings of many players out of the results between them.

use crate::interval::{Interval, normal_quantile};
use crate::pairs::Pairs;

/// The result of one player against another.
#[derive(Clone, Copy, Debug)]
pub struct Match {
    /// The player that is measured, by its place in the list.
    pub one: usize,
    /// The other.
    pub two: usize,
    /// What came of it.
    pub pairs: Pairs,
}

/// How strong a player is, in Elo points above the first player of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The most likely value.
    pub elo: f64,
    /// Where it may lie.
    pub interval: Interval,
}

/// Elo points a unit of the natural logarithm of the odds.
const POINTS: f64 = 173.717_792_761_3;
/// Beyond this many Elo points a difference is not told apart from a larger one.
const FARTHEST: f64 = 4_000.0;

/// Rates players by all matches between them: the ratings under which the scores are most likely, if
/// the odds of two players are the ratio of their strengths (Bradley and Terry 1952; Elo's scale), with
/// intervals by profile likelihood. The first player has 0.
///
/// A match counts as many independent duels as have the variance of its pairs. Players of whom each
/// beats the next in a circle are all rated alike: show the matches beside the ratings.
///
/// ```
/// use cw_stats::{Match, Pairs, rate};
///
/// let counts = |won| Pairs { counts: [100 - won, 0, 0, 0, won] };
/// let matches = [
///     Match { one: 1, two: 0, pairs: counts(76) },
///     Match { one: 2, two: 1, pairs: counts(76) },
/// ];
/// let ratings = rate(3, &matches, 0.95);
/// assert!((ratings[1].elo - 200.0).abs() < 3.0 && (ratings[2].elo - 400.0).abs() < 5.0);
/// ```
pub fn rate(players: usize, matches: &[Match], confidence: f64) -> Vec<Rating> {
    let likelihood = Likelihood::of(players, matches);
    let best = likelihood.best(vec![0.0; players], &[0]);
    let most = likelihood.of_strengths(&best);
    let z = normal_quantile(0.5 + confidence / 2.0);
    (0..players)
        .map(|player| {
            let value = best[player];
            // How much less likely the best ratings are that give this player this strength.
            let lost = |at: f64| {
                let mut strengths = best.clone();
                strengths[player] = at;
                let strengths = likelihood.best(strengths, &[0, player]);
                2.0 * (most - likelihood.of_strengths(&strengths)) - z * z
            };
            let end = |farthest: f64| {
                let (mut inside, mut outside) = (value, farthest);
                for _ in 0..50 {
                    let middle = f64::midpoint(inside, outside);
                    if lost(middle) < 0.0 {
                        inside = middle;
                    } else {
                        outside = middle;
                    }
                }
                inside * POINTS
            };
            let interval = if player == 0 {
                Interval { low: 0.0, high: 0.0 }
            } else {
                Interval {
                    low: end(value - FARTHEST / POINTS),
                    high: end(value + FARTHEST / POINTS),
                }
            };
            Rating {
                elo: value * POINTS,
                interval,
            }
        })
        .collect()
}

/// How likely the matches are, by the strengths of the players.
struct Likelihood {
    players: usize,
    /// Who against whom, duels that count, and the share that the first of them won.
    matches: Vec<(usize, usize, f64, f64)>,
}

impl Likelihood {
    fn of(players: usize, matches: &[Match]) -> Likelihood {
        let counted = matches.iter().map(|one| {
            let trials = one.pairs.trials();
            // Half a duel each way, so that nobody is infinitely strong.
            const UNSEEN: f64 = 0.5;
            let share = (one.pairs.score() * trials + UNSEEN) / (trials + 2.0 * UNSEEN);
            (one.one, one.two, trials + 2.0 * UNSEEN, share)
        });
        Likelihood {
            players,
            matches: counted.collect(),
        }
    }

    fn of_strengths(&self, strengths: &[f64]) -> f64 {
        let one = |&(one, two, number, share): &(usize, usize, f64, f64)| {
            let ahead = strengths[one] - strengths[two];
            // ln p and ln (1 − p), without losing the small one.
            let (won, lost) = (-libm::log1p(libm::exp(-ahead)), -libm::log1p(libm::exp(ahead)));
            number * (share * won + (1.0 - share) * lost)
        };
        self.matches.iter().map(one).sum()
    }

    /// The most likely strengths, but for those that are `fixed`: Newton's steps, no longer than 1.
    fn best(&self, mut strengths: Vec<f64>, fixed: &[usize]) -> Vec<f64> {
        for _ in 0..200 {
            let mut slope = vec![0.0; self.players];
            let mut bend = vec![vec![0.0; self.players]; self.players];
            for &(one, two, number, share) in &self.matches {
                let p = 1.0 / (1.0 + libm::exp(strengths[two] - strengths[one]));
                slope[one] += number * (share - p);
                slope[two] -= number * (share - p);
                let curve = number * p * (1.0 - p) + 1e-9;
                bend[one][one] += curve;
                bend[two][two] += curve;
                bend[one][two] -= curve;
                bend[two][one] -= curve;
            }
            for at in 0..self.players {
                // Who is fixed, or has played nobody, stays.
                if fixed.contains(&at) || bend[at][at] == 0.0 {
                    slope[at] = 0.0;
                    bend[at].fill(0.0);
                    bend.iter_mut().for_each(|row| row[at] = 0.0);
                    bend[at][at] = 1.0;
                }
            }
            let steps = solve(bend, slope);
            let longest = steps
                .iter()
                .fold(0.0_f64, |longest, step| longest.max(step.abs()));
            let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
            strengths
                .iter_mut()
                .zip(&steps)
                .for_each(|(value, step)| *value += step * scale);
            if longest < 1e-10 {
                break;
            }
        }
        strengths
    }
}

/// Solves a system of linear equations that has one solution, by elimination.
fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for at in 0..size {
        let pivot = (at..size).fold(at, |best, row| {
            if rows[row][at].abs() > rows[best][at].abs() {
                row
            } else {
                best
            }
        });
        rows.swap(at, pivot);
        right.swap(at, pivot);
        if rows[at][at].abs() < 1e-300 {
            continue;
        }
        let (above, below) = rows.split_at_mut(at + 1);
        let top = &above[at];
        for (row, value) in below.iter_mut().zip(at + 1..) {
            let share = row[at] / top[at];
            if share != 0.0 {
                row.iter_mut()
                    .zip(top)
                    .for_each(|(cell, other)| *cell -= share * other);
                right[value] -= share * right[at];
            }
        }
    }
    for at in (0..size).rev() {
        let known: f64 = (at + 1..size).map(|other| rows[at][other] * right[other]).sum();
        right[at] = if rows[at][at].abs() < 1e-300 {
            0.0
        } else {
            (right[at] - known) / rows[at][at]
        };
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coins(won: u64, split: u64, lost: u64) -> Pairs {
        Pairs {
            counts: [lost, 0, split, 0, won],
        }
    }

    /// Two players: Elo of the score, and about the interval of the pair alone.
    #[test]
    fn two_players_are_rated_as_their_match_says() {
        let pairs = coins(300, 400, 100);
        let [first, second] = rate(
            2,
            &[Match {
                one: 1,
                two: 0,
                pairs,
            }],
            0.95,
        )[..] else {
            panic!("two are rated")
        };
        assert_eq!(first.elo, 0.0);
        assert!((second.elo - pairs.elo()).abs() < 0.5, "{second:?}");
        let alone = pairs.interval(0.95);
        let (low, high) = (crate::elo(alone.low), crate::elo(alone.high));
        let Interval {
            low: found,
            high: top,
        } = second.interval;
        assert!(
            (found - low).abs() < 2.0 && (top - high).abs() < 2.0,
            "{second:?} {low} {high}"
        );
    }

    /// Stone, paper, scissors: all alike.
    #[test]
    fn a_circle_rates_all_alike() {
        let pairs = coins(80, 20, 0);
        let circle = [(0, 1), (1, 2), (2, 0)].map(|(one, two)| Match { one, two, pairs });
        for rating in rate(3, &circle, 0.95) {
            assert!(rating.elo.abs() < 1e-6, "{rating:?}");
        }
    }

    /// Who never lost is far ahead, but not infinitely; a match tells of players that never met.
    #[test]
    fn extremes_have_finite_ratings() {
        let matches = [
            Match {
                one: 1,
                two: 0,
                pairs: coins(200, 0, 0),
            },
            Match {
                one: 2,
                two: 1,
                pairs: coins(60, 20, 20),
            },
        ];
        let ratings = rate(4, &matches, 0.95);
        assert!(ratings[1].elo > 700.0 && ratings[2].elo > ratings[1].elo + 100.0);
        assert!(ratings.iter().all(|rating| rating.elo.is_finite()));
        assert!(ratings[1].interval.low > 400.0 && ratings[1].interval.high < FARTHEST + 2_000.0);
        assert_eq!(ratings[3].elo, 0.0);
    }
}
