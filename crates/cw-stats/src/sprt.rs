//! Wald's sequential test on pairs: as few duels as a question needs.

use crate::interval::bisect;
use crate::pairs::{Pairs, SCORES};

/// A question: is the player's score at least `better`, or no more than `worse`?
///
/// The generalized sequential probability ratio test: the likelihood of the five counts under the
/// most likely distribution with the one mean, against the most likely one with the other (Van den
/// Bergh's form of it). Look at it as often as you like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The score that is not worth having.
    pub worse: f64,
    /// The score that is looked for.
    pub better: f64,
    /// The chance to accept what is only `worse`.
    pub alpha: f64,
    /// The chance to reject what is `better`.
    pub beta: f64,
}

/// What a test came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The score is the better one, or above it.
    Accepted,
    /// It is the worse one, or below it.
    Rejected,
}

/// What an empty cell counts: a score that never came up may come yet.
const EMPTY: f64 = 0.001;

impl Sprt {
    /// The usual test, wrong in one case of twenty either way.
    pub fn new(worse: f64, better: f64) -> Sprt {
        Sprt {
            worse,
            better,
            alpha: 0.05,
            beta: 0.05,
        }
    }

    /// The logarithm of the likelihood ratio: positive speaks for the better score.
    pub fn llr(&self, pairs: &Pairs) -> f64 {
        let counts = pairs.counts.map(|count| (count as f64).max(EMPTY));
        log_likelihood(&counts, self.better) - log_likelihood(&counts, self.worse)
    }

    /// Between which values of [`Sprt::llr`] it is open: ±2.94 for one case of twenty.
    pub fn bounds(&self) -> (f64, f64) {
        (
            libm::log(self.beta / (1.0 - self.alpha)),
            libm::log((1.0 - self.beta) / self.alpha),
        )
    }

    /// The answer, as soon as there is one.
    pub fn verdict(&self, pairs: &Pairs) -> Option<Verdict> {
        let (rejected, accepted) = self.bounds();
        let llr = self.llr(pairs);
        if llr >= accepted {
            Some(Verdict::Accepted)
        } else if llr <= rejected {
            Some(Verdict::Rejected)
        } else {
            None
        }
    }
}

/// The log-likelihood of the counts under the most likely distribution with this mean, but for what
/// does not depend on the mean.
///
/// That distribution is `p[i] = count[i] / (n · (1 + λ·(score[i] − mean)))`, with the λ that gives the
/// mean (Owen's empirical likelihood).
fn log_likelihood(counts: &[f64; 5], mean: f64) -> f64 {
    let cells = || counts.iter().zip(SCORES.map(|score| score - mean));
    let slope = |lambda: f64| {
        cells()
            .map(|(count, far)| count * far / (1.0 + lambda * far))
            .sum::<f64>()
    };
    let lambda = bisect(-1.0 / (1.0 - mean), 1.0 / mean, slope);
    -cells()
        .map(|(count, far)| count * libm::log(1.0 + lambda * far))
        .sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Near the middle it is the well-known approximation by a normal distribution,
    /// `n·(s₁−s₀)·(2ŝ−s₀−s₁) / 2σ²`.
    #[test]
    fn the_likelihood_is_nearly_normal_in_the_middle() {
        let pairs = Pairs {
            counts: [210, 30, 480, 40, 240],
        };
        let test = Sprt::new(0.50, 0.53);
        let n = pairs.number() as f64;
        let normal = n * 0.03 * (2.0 * pairs.score() - 1.03) / (2.0 * pairs.variance());
        let llr = test.llr(&pairs);
        assert!(
            (llr - normal).abs() < 0.05 * normal.abs().max(1.0),
            "{llr} instead of {normal}"
        );
    }

    #[test]
    fn bounds_are_walds() {
        let (rejected, accepted) = Sprt::new(0.5, 0.55).bounds();
        assert!((accepted - 2.944_439).abs() < 1e-6 && (rejected + 2.944_439).abs() < 1e-6);
    }

    /// Nothing decides nothing; what never happened does not make a number infinite.
    #[test]
    fn extreme_counts_have_finite_ratios() {
        let test = Sprt::new(0.95, 0.98);
        assert_eq!(test.verdict(&Pairs::default()), None);
        for at in 0..5 {
            let mut pairs = Pairs::default();
            pairs.counts[at] = 500;
            let llr = test.llr(&pairs);
            assert!(llr.is_finite(), "{at}: {llr}");
            let expected = if at == 4 {
                Verdict::Accepted
            } else {
                Verdict::Rejected
            };
            assert_eq!(test.verdict(&pairs), Some(expected));
        }
    }
}
