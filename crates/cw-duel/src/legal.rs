//! What is allowed: the tests of the rules, each with its number.

pub(crate) mod actions;
pub(crate) mod answers;
pub(crate) mod offers;
