//! What the crate promises, seen from outside.
#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test may fail loudly")]

mod archives;
mod changed;
mod hostile;
mod large;
mod limited;
#[cfg(unix)]
mod links;
mod lists;
mod packs;
mod pages;
mod query;
mod reading;
mod real_data;
mod real_queries;
mod rules;
mod schema;
mod support;
mod xml;
