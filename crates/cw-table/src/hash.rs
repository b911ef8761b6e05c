use std::hash::Hash;

use cw_history::{Digest, StateHash};

use crate::{Kit, State};

/// Raised whenever equal verbs may lead to other states than before: old records are not replayed by new code.
pub(crate) const VERSION: u32 = 5;

/// Digest of a state's canonical form (F40).
pub(crate) fn of(kit: &Kit, state: &State) -> StateHash {
    let mut digest = Digest::new();
    VERSION.hash(&mut digest);
    kit.hash.hash(&mut digest);
    state.hash(&mut digest);
    digest.hash()
}
