//! Why something is not allowed, with its rule.

use std::fmt;

/// Why a choice is not among the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The rules that forbid it, the nearest first.
    pub rules: &'static [&'static str],
    /// The reason in words: a clause without subject, as “is fresh”.
    pub why: &'static str,
}

impl Refusal {
    /// Whether the refusal is by this rule, as `G130` or `G130.6`. A number without a part stands
    /// for all its parts.
    pub fn is_by(&self, rule: &str) -> bool {
        self.rules.iter().any(|own| {
            own.strip_prefix(rule)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }

    /// Whether more was in order before this refusal than before the other one of the same rule, whose
    /// parts are numbered in the order in which they are asked.
    pub(crate) fn is_later_than(&self, other: &Refusal) -> bool {
        self.rules.first() > other.rules.first()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why)?;
        if !self.rules.is_empty() {
            write!(f, " ({})", self.rules.join(", "))?;
        }
        Ok(())
    }
}

pub(crate) const fn by(rules: &'static [&'static str], why: &'static str) -> Refusal {
    Refusal { rules, why }
}

/// Whether something is allowed; if not, the first rule that forbids it.
pub(crate) type Legal = Result<(), Refusal>;

/// One condition of a rule.
#[inline]
pub(crate) fn require(holds: bool, rules: &'static [&'static str], why: &'static str) -> Legal {
    if holds { Ok(()) } else { Err(by(rules, why)) }
}
