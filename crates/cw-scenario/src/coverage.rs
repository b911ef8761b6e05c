//! Which steps of which cards' programs were taken.

use cw_duel::StepResult;
use cw_program::ModelId;

/// A step of a program that was taken, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Taken {
    /// Whose rule.
    pub model: ModelId,
    /// Which step of its program.
    pub step: u16,
    /// What came of it.
    pub result: StepResult,
}
