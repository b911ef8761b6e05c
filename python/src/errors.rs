//! What goes wrong, as Python's exceptions, in the program's own words.

use pyo3::prelude::*;

mod python {
    pyo3::import_exception!(cardwright._errors, ArgumentError);
    pyo3::import_exception!(cardwright._errors, GameError);
    pyo3::import_exception!(cardwright._errors, ChoiceError);
    pyo3::import_exception!(cardwright._errors, ReplayError);
    pyo3::import_exception!(cardwright._errors, EvalError);
    pyo3::import_exception!(cardwright._errors, PlanError);
}

pub(crate) use python::{ArgumentError, ChoiceError, EvalError, GameError, PlanError, ReplayError};

/// An error with its causes, as the command line writes it.
fn told(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1) {
        // Causes that the message repeats are left out.
        if !text.contains(&cause.to_string()) {
            text.push_str(&format!("\n  because: {cause}"));
        }
    }
    text
}

/// What Python raised on the way, or else what `make` makes of the words.
fn raised(error: anyhow::Error, make: impl FnOnce(String) -> PyErr) -> PyErr {
    let words = told(&error);
    for cause in error.chain() {
        if let Some(cause) = cause.downcast_ref::<std::io::Error>() {
            // So that who catches OSError finds a full disk.
            if let Some(code) = cause.raw_os_error() {
                return pyo3::exceptions::PyOSError::new_err((code, words));
            }
        }
    }
    match error.downcast::<PyErr>() {
        Ok(error) => error,
        Err(_) => make(words),
    }
}

/// Something about a game, without findings.
pub(crate) fn game(error: anyhow::Error) -> PyErr {
    raised(error, |words| GameError::new_err((words, "")))
}

/// Something about a plan or its parts.
pub(crate) fn plan(error: anyhow::Error) -> PyErr {
    raised(error, PlanError::new_err)
}
