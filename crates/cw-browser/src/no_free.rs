//! No free tables: this module holds duels alone, and a page asks the whole one for anything else.

use cw_hall::duels::FreeMaker;
use cw_octgn::MemoryFiles;

use crate::open::{HallParts, PackageHall};

/// None: a page that has cards without rules loads the whole module first.
pub(crate) fn hall(_: String, _: String, _: &MemoryFiles, _: &HallParts) -> Result<PackageHall, String> {
    Err("no duel can be played with it".to_owned())
}

/// The front page offers free tables, as it does everywhere. Whoever wants one is sent to the whole module
/// before this is asked for one.
pub(crate) fn maker(_: &MemoryFiles, _: &HallParts) -> FreeMaker {
    Box::new(|| None)
}
