//! What every face of the program does with games and many duels: opens packages, names players, plays plans
//! on threads, keeps shares of them in files, and sums up.
//!
//! Knows folders, archives, threads and files; does not know the command line, the terminal or Python. Who is
//! told how far it is, and may end it, is a [`ProgressWatch`]. What comes out of a plan depends on nothing
//! here: the command line, a Python program and a cluster write the same bytes.
//!
//! ```
//! use cw_lab::{Contestant, MachineSettings, Nobody, matchups, play};
//! # use cw_sim::{Detail, Exchange, DuelPlan, StopRule};
//!
//! // Who is better on the demo game, in four pairs of duels?
//! let project = cw_lab::open(None, &Default::default(), &|_| {})?;
//! let loaded = cw_load::Loaded::of(project)?;
//! let decks = loaded.decks.iter().map(|deck| (deck.name.clone(), deck.cards.clone()));
//! let players: [Contestant; 2] = ["novice", "random"].map(|name| name.parse().expect("they are levels"));
//! let plan = DuelPlan {
//!     game: loaded.game.clone().expect("the demo game can be played"),
//!     matchups: matchups(&decks.take(1).collect::<Vec<_>>()),
//!     seed: 1,
//!     budgets: players.each_ref().map(|player| player.budget(None)),
//!     exchange: Exchange::Players,
//!     stop: StopRule::After(4),
//! };
//! let total = play(&plan, players.each_ref(), &MachineSettings::alone(&Nobody), Detail::Cards, None, |_|
//! Ok(()))?; assert!(total.results.pairs.score() > 0.5);
//! # Ok::<(), anyhow::Error>(())
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]

mod again;
mod balance;
mod changes;
mod contestant;
mod crew;
mod matches;
mod matchups;
mod open;
mod packs;
mod parts;
mod play;
mod runs;
mod stands;
mod summary;
mod tables;
mod target;
mod watch;

pub use again::{Again, write_oddities, write_oddity};
pub use balance::{BalanceRequest, balance, balance_command, card_pairs, shell_quoted};
pub use changes::changed;
pub use contestant::{Contestant, ContestantKind, GuestPlayer, Seated};
pub use crew::{Behaviour, Crew, MachineSettings};
pub use matches::{Finished, How, MatchFile, PLANNED, match_json, rounded, times};
pub use matchups::{against, different, matchups};
pub use open::{
    VALUES, find_deck, find_game, keep_values, open, open_bytes, open_files, package_above, place_of, values,
};
pub use packs::{find_pack, pack_name};
pub use parts::{Came, Merged, is_whole, merge, part, run, share};
pub use play::{detail, play, record};
pub use runs::{RunSurvival, StepSurvival, simulate_runs};
pub use stands::replace_cards;
pub use summary::{
    CARDS, CHOICES, CONFIDENCE, DUELS, Rows, SUMMARY, interval, is_scripted, summary, verdict, write_summary,
};
pub use target::wanted;
pub use watch::{Nobody, ProgressWatch};

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};

/// Makes a folder that results are written into, with those above it; it may be there already.
///
/// # Errors
///
/// It cannot be made, or what is there is a file.
pub fn make_folder(path: &Path) -> anyhow::Result<()> {
    if path.is_file() {
        bail!("{}: it is a file; name a folder", cannot_write(path));
    }
    fs::create_dir_all(path).with_context(|| cannot_write(path))
}

/// What is said of a place that cannot be written to.
pub fn cannot_write(path: &Path) -> String {
    format!("cannot write to “{}”", path.display())
}
