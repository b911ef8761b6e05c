use std::hash::Hash;

use cw_history::{StateHash, StateHasher};

use crate::{Kit, TableState};

/// Raised whenever equal verbs may lead to other states than before: old records are not replayed by new
/// code.
pub(crate) const VERSION: u32 = 9;

/// Digest of a state's canonical form (F40).
pub(crate) fn of(kit: &Kit, state: &TableState) -> StateHash {
    let mut digest = StateHasher::new();
    VERSION.hash(&mut digest);
    kit.hash.hash(&mut digest);
    state.hash(&mut digest);
    digest.hash()
}
