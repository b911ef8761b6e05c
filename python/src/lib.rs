//! The engine as a Python module, `cardwright._engine`.
//!
//! Knows Python's objects and how ours are shown as such; does not know rules, players or plans: it asks the
//! crates that do, and says their words. The package around it, with what needs nothing but Python, is in
//! `cardwright/`.
//!
//! Work that may take long runs without the interpreter's lock, and ends when a signal's handler raises.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![expect(
    clippy::needless_pass_by_value,
    reason = "what Python hands over is owned by the function that gets it"
)]

mod duel;
mod encode;
mod errors;
mod game;
mod given;
mod lab;
mod packs;
mod players;
mod threads;
mod vector;
mod view;

use pyo3::prelude::*;

#[pymodule]
mod _engine {
    #[pymodule_export]
    use crate::duel::{Choice, Decision, Duel, Replay};
    #[pymodule_export]
    use crate::encode::{encoding, numbers, observe};
    #[pymodule_export]
    use crate::game::{Game, check, evaluate};
    #[pymodule_export]
    use crate::given::{path_of, whole_of, wrong_of};
    #[pymodule_export]
    use crate::lab::{Plan, arena, balance, is_whole, merge, share, simulate};
    #[pymodule_export]
    use crate::packs::{Pack, cards, packs};
    #[pymodule_export]
    use crate::players::{Level, levels};
    #[pymodule_export]
    use crate::vector::VecDuels;
    #[pymodule_export]
    use crate::view::{Card, Character, Model, Player, View};

    use pyo3::prelude::*;

    /// The version of what `encoding` tells: numbers of another one mean something else.
    #[pymodule_export]
    const ENCODING: u32 = crate::encode::ENCODING;

    /// What this engine is: its version, that of the rules, and that of the levels. Workers of another one
    /// are refused.
    #[pyfunction]
    fn engine() -> (&'static str, &'static str, u32) {
        (
            env!("CARGO_PKG_VERSION"),
            cw_duel::RULES_VERSION,
            cw_players::VERSION,
        )
    }
}

/// A `repr`, cut off where it would be longer than one may be.
fn short(text: String) -> String {
    /// In characters, as `cardwright._html` has it.
    const LONGEST: usize = 200;
    match text.chars().count() > LONGEST {
        true => text.chars().take(LONGEST - 2).chain("…>".chars()).collect(),
        false => text,
    }
}

/// An object in HTML, by a function of `cardwright._html`.
fn html(function: &str, object: &Bound<'_, PyAny>) -> PyResult<String> {
    let module = object.py().import("cardwright._html")?;
    module.call_method1(function, (object,))?.extract()
}

/// Seats are 1 and 2 in Python.
fn seat_of(number: u8) -> PyResult<cw_duel::Seat> {
    match number {
        1 => Ok(cw_duel::Seat::One),
        2 => Ok(cw_duel::Seat::Two),
        _ => Err(pyo3::exceptions::PyValueError::new_err(format!(
            "there is no seat {number}: seats are 1 and 2"
        ))),
    }
}
