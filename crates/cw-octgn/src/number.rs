use std::fmt;

/// How likely an option is, exactly as written: a decimal number (P18).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Probability {
    // Invariant: |digits| < 10^28 and scale <= 28, so that sums of many still fit.
    digits: i128,
    /// Decimal places.
    scale: u32,
}

/// Why a probability could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a number")]
pub struct NotANumber;

impl Probability {
    /// Certain; what is meant where none is given.
    pub const ONE: Probability = Probability { digits: 1, scale: 0 };

    /// Reads a number as OCTGN's client does: blanks, sign, commas as thousands separators, exponent.
    ///
    /// # Errors
    /// When it is no finite number, or has more than 28 digits.
    pub fn parse(text: &str) -> Result<Probability, NotANumber> {
        let text = text.trim();
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            None => (text, 0),
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().map_err(|_| NotANumber)?),
        };
        let (negative, unsigned) = match mantissa.as_bytes().first() {
            Some(b'-') => (true, &mantissa[1..]),
            Some(b'+') => (false, &mantissa[1..]),
            _ => (false, mantissa),
        };
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let whole: String = whole.chars().filter(|character| *character != ',').collect();
        if !is_digits(&whole) || !is_digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
            return Err(NotANumber);
        }
        let fraction = fraction.trim_end_matches('0');
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0');
        if significant.is_empty() {
            return Ok(Probability { digits: 0, scale: 0 });
        }
        let scale = i32::try_from(fraction.len()).map_err(|_| NotANumber)?;
        let scale = scale.checked_sub(exponent).ok_or(NotANumber)?;
        let padding = usize::try_from(-scale).unwrap_or(0);
        if significant.len() + padding > 28 || scale > 28 {
            return Err(NotANumber);
        }
        let digits: i128 = significant.parse().map_err(|_| NotANumber)?;
        let digits = digits * 10i128.pow(u32::try_from(padding).map_err(|_| NotANumber)?);
        Ok(Probability {
            digits: if negative { -digits } else { digits },
            scale: u32::try_from(scale).unwrap_or(0),
        })
    }

    /// Numerator and power of ten of the denominator.
    pub fn decimal(self) -> (i128, u32) {
        (self.digits, self.scale)
    }

    /// As a floating-point number, for display.
    pub fn to_f64(self) -> f64 {
        let power = (0..self.scale).fold(1.0, |power, _| power * 10.0);
        self.digits as f64 / power
    }
}

impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.digits < 0 { "-" } else { "" };
        let text = self.digits.unsigned_abs().to_string();
        let scale = self.scale as usize;
        if scale == 0 {
            return write!(f, "{sign}{text}");
        }
        let padded = format!("{text:0>width$}", width = scale + 1);
        let (whole, fraction) = padded.split_at(padded.len() - scale);
        write!(f, "{sign}{whole}.{fraction}")
    }
}

impl fmt::Debug for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// How many cards a pick takes (P17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickQuantity {
    /// So many.
    Count(u32),
    /// All that match, any number of each for a deck (P86).
    Unlimited,
}

/// A whole number as OCTGN's client reads it: blanks around, a sign, 32 bits (P17, P134).
pub(crate) fn whole_number(text: &str) -> Option<i32> {
    let text = text.trim();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let got =
            Probability::parse(text).map_or_else(|error| error.to_string(), |number| number.to_string());
        assert_eq!(got, expected, "{text:?}");
    }

    /// Probabilities are read as exact decimals, and other texts are refused (P18, PK081, PK082).
    #[test]
    fn probabilities_are_exact_decimals() {
        check("0.125", "0.125");
        check(" +.5 ", "0.5");
        check("1.", "1");
        check("-0.25", "-0.25");
        check("25e-2", "0.25");
        check("1E2", "100");
        check("0,25", "25");
        check("0.10", "0.1");
        check("000", "0");
        check("25%", "not a number");
        check("NaN", "not a number");
        check("Infinity", "not a number");
        check("", "not a number");
        check(".", "not a number");
        check("1e999999999999", "not a number");
        check("1e-2000000000", "not a number");
        check("1e-2147483648", "not a number");
        check("0.33333333333333333333333333333", "not a number");
    }

    /// Whole numbers have 32 bits, and may have a sign and blanks around them (P17).
    #[test]
    fn whole_numbers_have_32_bits() {
        assert_eq!(whole_number(" -3 "), Some(-3));
        assert_eq!(whole_number("+2147483647"), Some(i32::MAX));
        assert_eq!(whole_number("2147483648"), None);
        assert_eq!(whole_number("1.0"), None);
        assert_eq!(whole_number("- 1"), None);
        assert_eq!(whole_number(""), None);
    }
}
