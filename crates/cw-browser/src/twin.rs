//! The same duels, and the same free tables with scripts, on two platforms: what proves that the engine and
//! the computer's players are as deterministic in a page as anywhere else.
//!
//! A batch is a list of duels by their numbers; each number says the decks, the seed and who plays. What
//! comes back is one digest over the hashes of all states that the duels pass through, so that nothing that
//! differs for a moment is missed.

use std::sync::Arc;

use cw_duel::{Duel, DuelSetup, PerSeat, Seed};
use cw_load::Loaded;
#[cfg(feature = "whole")]
use cw_octgn::PackageFiles as _;
use cw_octgn::{Archive, MemoryFiles, PackageLimits};
use cw_players::{Ask, Level, SeatEyes, mix};
#[cfg(feature = "whole")]
use cw_table::{FreeRecord, Kit};

/// What became of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Duels that came to their end, or to as many choices as are looked at.
    pub duels: u64,
    /// Choices in all.
    pub choices: u64,
    /// The digest of all states, in hexadecimal.
    pub digest: String,
}

/// A duel is left after so many choices.
const MOST_CHOICES: u64 = 2000;

/// Plays these duels of the game in an archive: every deck against every other one in turn, by a level.
///
/// # Errors
/// If the archive holds no game that can be played, or it has no decks.
pub fn play(archive: Vec<u8>, level: Level, numbers: std::ops::Range<u64>) -> Result<Batch, String> {
    let limits = PackageLimits::default();
    let archive = Archive::new(archive, &limits).map_err(|why| why.to_string())?;
    let files = MemoryFiles::copy_of(&archive.package(), limits.file).map_err(|why| why.to_string())?;
    let project = crate::open::read(&files)?;
    let loaded = Loaded::of(project).map_err(|why| why.to_string())?;
    let game = loaded.game.clone().ok_or("the game cannot be played")?;
    let decks = loaded.decks.len() as u64;
    if decks == 0 {
        return Err("the game has no decks".to_owned());
    }
    let deck = |number: u64| {
        let at = usize::try_from(number % decks).unwrap_or_default();
        loaded.decks[at].cards.clone()
    };
    let mut hasher = blake3::Hasher::new();
    let (mut duels, mut choices) = (0, 0);
    for number in numbers {
        let setup = DuelSetup {
            allow_illegal_decks: true,
            ..DuelSetup::from(Seed::from(number))
        };
        let both = PerSeat([deck(number), deck(number / decks)]);
        let mut duel = Duel::new(Arc::clone(&game), &both, setup).map_err(|why| why.to_string())?;
        let mut step = 0;
        while let Some(eyes) = SeatEyes::of_who_is_asked(&duel) {
            let ask = Ask {
                budget: level.budget(),
                ..eyes.ask(mix(&[number, step]))
            };
            let choice = level.choose(&ask);
            duel.answer_silently(choice).map_err(|why| why.to_string())?;
            hasher.update(duel.hash().to_string().as_bytes());
            step += 1;
            if step == MOST_CHOICES {
                break;
            }
        }
        duels += 1;
        choices += step;
    }
    Ok(Batch {
        duels,
        choices,
        digest: hasher.finalize().to_hex().to_string(),
    })
}

/// What became of a free table that was played again from its record.
#[cfg(feature = "whole")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedTable {
    /// How many entries its log has.
    pub entries: u64,
    /// The digest of the record as it is written again, of the state after every entry, and of what each seat
    /// sees at the end, in hexadecimal.
    pub digest: String,
}

/// Plays the record of a free table again, with the scripts of the package in an archive (S209).
///
/// # Errors
/// If the archive holds no package, or the record is of another one, or comes to another state.
#[cfg(feature = "whole")]
pub fn replay(archive: Vec<u8>, record: &str) -> Result<ReplayedTable, String> {
    let limits = PackageLimits::default();
    let archive = Archive::new(archive, &limits).map_err(|why| why.to_string())?;
    let files = MemoryFiles::copy_of(&archive.package(), limits.file).map_err(|why| why.to_string())?;
    let project = crate::open::read(&files)?;
    let kit = Kit::read(&*project.files, project.package, &limits).map_err(|why| why.to_string())?;
    let record = FreeRecord::read(record).map_err(|why| why.to_string())?;
    let table = record.play(&Arc::new(kit.kit)).map_err(|why| why.to_string())?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(FreeRecord::write(&table).as_bytes());
    for taken in table.taken() {
        hasher.update(taken.hash.to_string().as_bytes());
    }
    for seat in table.state().seat_ids() {
        hasher.update(format!("{:?}", table.view(seat)).as_bytes());
    }
    Ok(ReplayedTable {
        entries: table.len() as u64,
        digest: hasher.finalize().to_hex().to_string(),
    })
}

/// What is found in a package, as one line a finding: its code and its message.
///
/// # Errors
/// If the archive cannot be read at all.
#[cfg(feature = "whole")]
pub fn findings(archive: Vec<u8>) -> Result<Vec<String>, String> {
    let limits = PackageLimits::default();
    let archive = Archive::new(archive, &limits).map_err(|why| why.to_string())?;
    let files = MemoryFiles::copy_of(&archive.package(), limits.file).map_err(|why| why.to_string())?;
    files.list().map_err(|why| why.to_string())?;
    let project = crate::open::read(&files)?;
    let found = project.check().found;
    Ok(found
        .iter()
        .map(|one| format!("{} {}", one.code, one.message))
        .collect())
}
