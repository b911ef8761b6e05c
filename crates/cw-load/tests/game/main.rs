//! The rules of the game as cards meet them, rule by rule: tiny cards, a position, choices, facts.

mod abilities;
mod arrivals;
mod choices;
mod combat;
mod commands;
mod flags;
mod listeners;
mod log;
mod objects;
mod piles;
mod quirks;
mod references;
mod runaways;
mod script;
#[path = "../stage/mod.rs"]
mod stage;
mod trace;
mod turn;
mod why;
