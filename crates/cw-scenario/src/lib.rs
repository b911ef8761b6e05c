//! Scenario files: a position, what happens, and what is expected of it.
//!
//! Knows the engine, the names of cards and the form of the files (TOML or JSON); does not know
//! folders, packages or terminals: the caller brings texts and games.
//!
//! ```
//! let game = cw_stage::start("", "me").duel.game().clone();
//! let file = cw_scenario::read(
//!     r#"
//!     [[scenario]]
//!     name = "nobody blocks"
//!     phase = "attack"
//!     me = { ring = ["Rook"] }
//!     opponent = { hp = 1000 }
//!     steps = [{ attack = "Rook" }, "end phase", { do = "pass", expect.opponent.hp = 700 }]
//!     "#,
//! )?;
//! let report = cw_scenario::run(&file.scenarios[0], &game, cw_scenario::RunOptions::default());
//! assert!(report.failure.is_none(), "{:?}", report.failure);
//! # Ok::<(), cw_scenario::ScenarioFault>(())
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod bless;
mod coverage;
mod cut;
mod expect;
mod free;
mod matching;
mod names;
mod node;
mod puzzle;
mod read;
mod run;
mod setup;
mod skeleton;
mod state;

pub use bless::bless;
pub use coverage::{CardCoverage, TakenStep, coverage};
pub use cut::{CutError, cut};
pub use expect::Mismatch;
pub use free::{FreeFile, FreeScenario, check_free, read_free, run_free};
pub use names::unambiguous_name;
pub use node::{ScenarioFault, ScenarioKey, ScenarioNode, ScenarioValue};
pub use puzzle::{
    MadePuzzle, PUZZLE_KINDS, PuzzleGoal, PuzzleKind, PuzzleOracle, PuzzlePosition, PuzzleWay, puzzle_for,
    puzzle_options, right_choices,
};
pub use read::{AnyScenarios, Scenario, ScenarioFile, ScenarioPolicy, ScenarioStep, read, read_any};
pub use run::{AnsweredQuestion, RunOptions, ScenarioFailure, ScenarioReport, StepReport, begin, check, run};
pub use skeleton::{in_hand, skeleton};
pub use state::state;

/// The pages of the findings about scenario files.
pub static PAGES: cw_text::FindingPages =
    cw_text::FindingPages::new(include_str!("../../../docs/findings/scenarios.md"));
