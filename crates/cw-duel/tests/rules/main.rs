//! The rules of the game that need no card texts, each stated as a position, choices, and what is
//! so afterwards; see [`cw_stage::script`].

mod attack;
mod backups;
mod block;
mod cards;
mod combat;
mod setup;
mod turn;

use cw_duel::Constants;

/// Plays the choices from the position and compares the facts.
#[track_caller]
fn check(position: &str, choices: &str, facts: &str) {
    cw_stage::check("", position, choices, facts);
}

/// As [`check`], in a game with other numbers.
#[track_caller]
fn check_with(constants: Constants, position: &str, choices: &str, facts: &str) {
    cw_stage::check_with(constants, "", position, choices, facts);
}
