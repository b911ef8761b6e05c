//! What the crate promises, seen from outside.
#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test may fail loudly")]

mod real_data;
mod support;
mod xml;
