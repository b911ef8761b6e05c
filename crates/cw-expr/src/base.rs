//! What everything else stands on.

pub(crate) mod error;
pub(crate) mod id;
pub(crate) mod limits;
pub(crate) mod syntax;
pub(crate) mod work;
