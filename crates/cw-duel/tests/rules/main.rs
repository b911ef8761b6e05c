//! The rules of the game that need no card texts, each stated as a position, choices, and what is
//! so afterwards; see [`scene`].

mod attack;
mod backups;
mod block;
mod cards;
mod combat;
mod scene;
mod setup;
mod turn;
