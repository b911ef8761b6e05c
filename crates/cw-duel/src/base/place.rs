//! Places in the rules of cards.

use cw_program::ModelId;

/// A place in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RulePlace {
    /// The card whose rule it is.
    pub model: ModelId,
    /// The step; the game tells its text.
    pub step: u16,
}
