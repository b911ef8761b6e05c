//! The free table behind HTTP: its addresses, and what is sent while somebody follows it.

pub(crate) mod routes;
mod stream;
