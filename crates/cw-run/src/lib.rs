//! Runs as values: a few cards of one's own, a way of duels with a choice at each step, rewards, bosses,
//! lives.
//!
//! Knows cards, packs, foes, charms and the order of things; does not know how a duel is played, nor files,
//! clocks, threads or screens. Whoever plays the duels of a run (a prompt, a page, a simulation) asks for the
//! [`RunDuel`] that waits and says how it ended. Seed and acts decide everything: everybody who begins with
//! the seed of a day has the same packs, the same way and the same shuffles, and a whole run is a short text.
//!
//! In reading order: [`RunBook`] is what a package has for its runs, from `Rules/run.toml` or by default;
//! [`RunSeed`] says which run it is; [`Run`] is the run as it stands, which a [`RunAct`] changes;
//! [`RunHabit`] is how a computer decides between its duels.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod act;
mod book;
mod defaults;
mod habit;
mod run;
mod seed;
mod way;

pub use act::{NoRunAct, RunAct, RunRefused};
pub use book::{NoRun, RunBook};
pub use habit::RunHabit;
pub use run::{FoughtDuel, MOST_RECORD, NotThisRun, Run, RunDuel, RunPhase};
pub use seed::{NoRunSeed, RunSeed};
pub use way::{RunCharm, RunFoe, RunStep};
