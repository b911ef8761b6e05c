//! Intervals.

/// From where to where a value may lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Wilson's interval of a share: `successes` of `n` trials, both of them real numbers, for trials of
/// less or more variance than a coin's. Everything is possible where nothing was tried (Wilson 1927).
///
/// ```
/// let share = cw_stats::wilson(90.0, 200.0, 0.95);
/// assert!(share.low < 0.383 && share.high > 0.518, "{share:?}");
/// ```
pub fn wilson(successes: f64, n: f64, confidence: f64) -> Interval {
    if n <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    wilson_by(successes / n, n, normal_quantile(0.5 + confidence / 2.0))
}

/// As [`wilson`], of a share, so many deviations wide.
pub(crate) fn wilson_by(share: f64, n: f64, z: f64) -> Interval {
    if n <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n)
        * (share * (1.0 - share) / n + z * z / (4.0 * n * n))
            .max(0.0)
            .sqrt();
    Interval {
        low: (middle - half).max(0.0),
        high: (middle + half).min(1.0),
    }
}

/// The value below which a standard normal variable stays with this chance: `normal_quantile(0.975)`
/// is 1.96. Infinite at 0 and 1. Bisection over the error function, exact to about 1e-12.
///
/// ```
/// assert!((cw_stats::normal_quantile(0.975) - 1.96).abs() < 1e-4);
/// ```
pub fn normal_quantile(chance: f64) -> f64 {
    if chance <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if chance >= 1.0 {
        return f64::INFINITY;
    }
    let below = |x: f64| 0.5 * libm::erfc(-x / std::f64::consts::SQRT_2);
    bisect(-40.0, 40.0, |x| chance - below(x))
}

/// The chance that a standard normal variable is at least so far from 0, on either side.
///
/// ```
/// assert!((cw_stats::two_sided(1.96) - 0.05).abs() < 1e-4);
/// ```
pub fn two_sided(far: f64) -> f64 {
    libm::erfc(far.abs() / std::f64::consts::SQRT_2)
}

/// Where a falling function crosses 0.
pub(crate) fn bisect(mut low: f64, mut high: f64, falling: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if falling(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(got: f64, expected: f64) {
        assert!((got - expected).abs() < 1e-6, "{got} instead of {expected}");
    }

    /// Values from tables.
    #[test]
    fn quantiles_of_the_normal_distribution() {
        near(normal_quantile(0.5), 0.0);
        near(normal_quantile(0.975), 1.959_963_985);
        near(normal_quantile(0.95), 1.644_853_627);
        near(normal_quantile(1e-9), -5.997_807_015);
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
    }

    /// 81 of 263 at 95 %: Newcombe 1998, table I.
    #[test]
    fn wilson_agrees_with_the_literature() {
        let interval = wilson(81.0, 263.0, 0.95);
        assert!((interval.low - 0.2553).abs() < 5e-5 && (interval.high - 0.3662).abs() < 5e-5);
        let none = wilson(0.0, 20.0, 0.95);
        assert!(none.low == 0.0 && (none.high - 0.1611).abs() < 5e-5);
        assert_eq!(wilson(0.0, 0.0, 0.95), Interval { low: 0.0, high: 1.0 });
    }
}
