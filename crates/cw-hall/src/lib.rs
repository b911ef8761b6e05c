//! Who sits where: duels and free tables behind the names of seats, with their secrets, invitations and
//! presence.
//!
//! One [`hall::Hall`] holds tables of one kind, lets seats change them, and keeps what was done in a
//! [`DuelStore`] before anybody sees it. It knows no protocol and has no thread of its own: a server or a
//! page asks it, and gives it a [`Runtime`] for what runs beside requests. Chance is handed in, too, and time
//! comes from one [`clock`].
//!
//! **What the hall does for every kind of table.** Doors: each has a secret that follows from the store's
//! key, and its public name finds the table. Invitations and tickets lead to a door for good, or once. A
//! seat's quota and its presence belong to its door. A change is made to a copy, stored, and then shown;
//! where the store does not say whether it has written, its log decides. Tables that nobody follows go to
//! sleep, those first that were not used for longest, and wake when somebody comes; one that a seat has
//! opened, and at which nothing was done, is forgotten.
//!
//! **What a kind of table says**, by implementing [`hall::Hosted`]: who comes to it, how it is brought back
//! from what is kept, what of it is shown and how a change is shown, how much memory it takes and whether it
//! may sleep now, which computers go on after a change, and what is looked after by the clock. There are two:
//! [`duels`] and [`free`]. [`drafts`] are kept as texts beside the duels of their host.
//!
//! In reading order: [`store`] says what keeps tables; [`hall`] hosts them; [`quota`] counts what a seat uses
//! up, [`presence`] who is there; [`bell`] wakes whoever follows a table; [`duels`] and [`free`] are what is
//! hosted, [`drafts`] lead to duels, [`reviews`] judges duels that are over, and [`arena`] lets computers try
//! out decks.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]

pub mod arena;
pub mod bell;
pub mod clock;
pub mod drafts;
pub mod duels;
pub mod free;
pub mod hall;
mod keys;
pub mod lock;
pub mod presence;
pub mod quota;
pub mod reach;
pub mod reviews;
pub mod runs;
pub mod runtime;
pub mod shared;
pub mod store;
pub mod tickets;

pub use runtime::Runtime;
pub use store::DuelStore;
