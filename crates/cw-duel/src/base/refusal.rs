//! Why something is not allowed, with its rule.

use std::fmt;

/// Why a choice is not among the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChoiceRefusal {
    /// The rules that forbid it, the nearest first.
    pub rules: &'static [&'static str],
    /// The reason in words: a clause without subject, as “is fresh”.
    pub why: &'static str,
}

impl ChoiceRefusal {
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
    pub(crate) fn is_later_than(&self, other: &ChoiceRefusal) -> bool {
        self.rules.first() > other.rules.first()
    }
}

impl fmt::Display for ChoiceRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why)?;
        if !self.rules.is_empty() {
            write!(f, " ({})", self.rules.join(", "))?;
        }
        Ok(())
    }
}

pub(crate) const fn by(rules: &'static [&'static str], why: &'static str) -> ChoiceRefusal {
    ChoiceRefusal { rules, why }
}

/// Whether something is allowed; if not, the first rule that forbids it, or only that one does.
pub(crate) type Legal<R = ChoiceRefusal> = Result<(), R>;

/// What is to be known of a refusal: each test is written once, and made twice by the compiler.
pub(crate) trait RefusalReason: Copy {
    /// These rules forbid it.
    fn by(rules: &'static [&'static str], why: &'static str) -> Self;

    /// As [`ChoiceRefusal::is_later_than`].
    fn is_later_than(&self, other: &Self) -> bool;
}

impl RefusalReason for ChoiceRefusal {
    fn by(rules: &'static [&'static str], why: &'static str) -> ChoiceRefusal {
        by(rules, why)
    }

    fn is_later_than(&self, other: &ChoiceRefusal) -> bool {
        ChoiceRefusal::is_later_than(self, other)
    }
}

/// A refusal of which nobody asks the reason: options are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Untold;

impl RefusalReason for Untold {
    #[inline]
    fn by(_: &'static [&'static str], _: &'static str) -> Untold {
        Untold
    }

    #[inline]
    fn is_later_than(&self, _: &Untold) -> bool {
        false
    }
}

/// Whether something is allowed that nobody asks the reason of.
#[inline]
pub(crate) fn holds(legal: Legal<Untold>) -> bool {
    legal.is_ok()
}

/// One condition of a rule.
#[inline]
pub(crate) fn require<R: RefusalReason>(
    holds: bool,
    rules: &'static [&'static str],
    why: &'static str,
) -> Legal<R> {
    if holds { Ok(()) } else { Err(R::by(rules, why)) }
}
