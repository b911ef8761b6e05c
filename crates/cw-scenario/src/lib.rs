//! Scenario files: a position, what happens, and what is expected of it.
//!
//! Knows the engine, the names of cards and the form of the files (TOML or JSON); does not know
//! folders, packages or terminals: the caller brings texts and games.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod bless;
mod coverage;
mod cut;
mod expect;
mod names;
mod node;
mod pages;
mod read;
mod run;
mod setup;
mod skeleton;
mod state;

pub use bless::bless;
pub use coverage::{CardCoverage, Taken, coverage};
pub use cut::{CutError, cut};
pub use expect::Mismatch;
pub use node::{Fault, Key, Node, Value};
pub use pages::{PAGES, Page, page};
pub use read::{Policy, Scenario, ScenarioFile, Step, read};
pub use run::{Answered, Failure, Report, RunOptions, StepReport, begin, check, run};
pub use skeleton::skeleton;
pub use state::state;
