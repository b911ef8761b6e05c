//! The rules of the game as cards meet them, rule by rule: tiny cards, a position, choices, facts.

mod abilities;
mod amendments;
mod arrivals;
mod carried;
mod choices;
mod combat;
mod commands;
mod defaults;
mod excluded;
mod expression_targets;
mod flags;
mod hard;
mod huge;
mod listeners;
mod log;
mod objects;
mod overlaps;
mod piles;
mod quirks;
mod references;
mod rulescript_quirks;
mod runaways;
mod trace;
mod turn;
mod why;
