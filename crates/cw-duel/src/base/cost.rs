//! Changes of what something costs.

/// A change of a cost (G80).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostChange {
    /// The amount is replaced.
    Set(i32),
    /// Added to the amount; positive is cheaper (G75).
    Add(i32),
}
