//! What probabilities of options really amount to (P90).

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::Probability;

/// An exact fraction of whole numbers of any size.
pub type BigRational = Ratio<BigInt>;

/// The exact chances of a group of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Of each option.
    pub options: Vec<BigRational>,
    /// That none is chosen.
    pub nothing: BigRational,
    /// The sum as written.
    pub sum: BigRational,
}

/// P90: running sums, clamped to 0 and 1; what a later option adds to the highest so far is its chance.
pub fn shares(probabilities: impl IntoIterator<Item = Probability>) -> Shares {
    let mut sum = BigRational::zero();
    let mut reached = BigRational::zero();
    let mut options = Vec::new();
    for probability in probabilities {
        sum += rational(probability);
        let clamped = sum.clone().clamp(BigRational::zero(), BigRational::one());
        if clamped > reached {
            options.push(&clamped - &reached);
            reached = clamped;
        } else {
            options.push(BigRational::zero());
        }
    }
    Shares {
        options,
        nothing: BigRational::one() - reached,
        sum,
    }
}

/// The probability as an exact fraction.
pub fn rational(probability: Probability) -> BigRational {
    let (digits, scale) = probability.decimal();
    BigRational::new(BigInt::from(digits), BigInt::from(10).pow(scale))
}

/// The nearest floating-point number, or close to it; numbers of any size are fine.
pub fn to_f64(fraction: &BigRational) -> f64 {
    let (numerator, denominator) = (fraction.numer(), fraction.denom());
    let bits = |number: &BigInt| i64::try_from(number.abs().bits()).unwrap_or(i64::MAX);
    // The quotient is computed with at least 64 bits and scaled back.
    let shift = 64 + bits(denominator) - bits(numerator);
    let quotient = if shift >= 0 {
        (numerator << shift as u64) / denominator
    } else {
        numerator / (denominator << shift.unsigned_abs())
    };
    let number = quotient.to_f64().unwrap_or_default();
    let exponent = i32::try_from(-shift).unwrap_or(if shift > 0 { -5000 } else { 5000 });
    scale(number, exponent)
}

/// `number` times two to the power of `exponent`.
fn scale(number: f64, exponent: i32) -> f64 {
    let step = if exponent < 0 { 0.5 } else { 2.0 };
    (0..exponent.unsigned_abs().min(5000)).fold(number, |number, _| number * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, expected: &str) {
        let shares = shares(written.split(' ').map(|text| Probability::parse(text).unwrap()));
        let options: Vec<String> = shares.options.iter().map(ToString::to_string).collect();
        assert_eq!(format!("{} | {}", options.join(" "), shares.nothing), expected);
        let all: BigRational = shares
            .options
            .into_iter()
            .fold(shares.nothing, |sum, share| sum + share);
        assert!(all.is_one());
    }

    /// P90, P118 (d) (e).
    #[test]
    fn later_options_are_cut_and_gaps_are_nothing() {
        check("0.25 0.5", "1/4 1/2 | 1/4");
        check("0.8 0.8", "4/5 1/5 | 0");
        check("1 0.5", "1 0 | 0");
        check("-0.5 1", "0 1/2 | 1/2");
        check("0.6 -0.3 0.5", "3/5 0 1/5 | 1/5");
        check("0", "0 | 1");
        check("0.33 0.33 0.33", "33/100 33/100 33/100 | 1/100");
    }
}
