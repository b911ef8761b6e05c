//! Programs against Python 2.7, limits, hosts.

mod answers;
mod campaign;
mod grammar;
mod limits;
mod programs;
