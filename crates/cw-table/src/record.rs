//! A game as a text: what it began with, then one line for each accepted verb.
//!
//! ```text
//! cardwright free table 3
//! package 00…00
//! game 00000000-0000-0000-0000-000000000000 1.0.0.0 "Orchard"
//! seed 7
//! seat "Ann"
//! set rights open
//! ---
//! 1 draw 1/Deck 3 = 0123456789abcdef0123456789abcdef
//! ```
//!
//! Lines are appended as the game goes, so nothing that was accepted is lost with the program. A last line
//! that was not written to its end is dropped.

use std::fmt::Write as _;
use std::sync::Arc;

use cw_chance::Seed;

use crate::hash::VERSION;
use crate::{
    Actor, FreeTable, Kit, PreparedVerb, RemoteRule, Rights, ScriptReach, ScriptRule, Sides, StateHash,
    TableEvent, TableSeat, TableSettings, TakeRule, VerbEntry,
};

/// A game that was written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeRecord {
    /// Version of the verbs' meaning.
    pub version: u32,
    /// Content of the package.
    pub package: [u8; 32],
    /// The game's identity, its version and its name, for people (F205).
    pub game: (String, String, String),
    /// Where chance came from.
    pub seed: Seed,
    /// What was fixed before.
    pub settings: TableSettings,
    /// The lines: who, what, and the state's digest after it.
    pub lines: Vec<(Actor, String, String)>,
}

/// Why a record cannot be read or played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// It is no record of a free table.
    #[error("line {0}: {1}")]
    Line(usize, String),
    /// It was made by another version.
    #[error("this record is of version {0}; this program plays version {VERSION}")]
    Version(u32),
    /// The package is another (F205).
    #[error("{0}")]
    Package(String),
    /// A verb is not possible, or leads elsewhere.
    #[error("step {0}: {1}")]
    Diverged(usize, String),
}

const TITLE: &str = "cardwright free table";

impl FreeRecord {
    /// The lines that stand before all verbs.
    pub fn header(table: &FreeTable) -> String {
        let settings = table.settings();
        let mut out = format!("{TITLE} {VERSION}\npackage ");
        for byte in table.kit().hash {
            let _ = write!(out, "{byte:02x}");
        }
        let (id, version, name) = game_of(table.kit());
        let _ = write!(out, "\ngame {id} {version} \"{name}\"");
        let _ = writeln!(out, "\nseed {}", table.seed());
        for name in &settings.names {
            let _ = writeln!(out, "seat {}", crate::notation::writer::quoted(name));
        }
        let mut set = |what: &str| {
            let _ = writeln!(out, "set {what}");
        };
        match settings.sides {
            None => {}
            Some(Sides::One) => set("sides one"),
            Some(Sides::Two) => set("sides two"),
            Some(Sides::Four) => set("sides four"),
        }
        let flags = [
            (settings.rights == Rights::Open, "rights open"),
            (settings.take == TakeRule::Ask, "take ask"),
            (settings.spectators_see_hands, "spectators hands"),
            (!settings.shuffle_after_loading, "shuffle off"),
            (settings.solo, "solo"),
            (settings.custom_sleeves, "sleeves custom"),
            (settings.referee, "referee"),
            (settings.scripts == ScriptRule::Off, "scripts off"),
            (settings.scripts == ScriptRule::Ask, "scripts ask"),
            (settings.remote == RemoteRule::Free, "remote free"),
            (settings.reach == ScriptReach::Own, "reach own"),
        ];
        for (is_set, what) in flags {
            if is_set {
                set(what);
            }
        }
        out.push_str("---\n");
        out
    }

    /// The line of one entry, with its end.
    ///
    /// # Panics
    /// If the table has no such entry.
    pub fn line(table: &FreeTable, at: usize) -> String {
        let entry = table.entry(at).expect("the table has such an entry");
        let taken = table.became(at).expect("the table has such an entry");
        line(table, entry, taken.hash)
    }

    /// The line of what is about to be done: written down first, nothing that was shown is lost.
    pub fn next_line(table: &FreeTable, next: &PreparedVerb) -> String {
        line(table, next.entry(), next.hash())
    }

    /// The whole game.
    pub fn write(table: &FreeTable) -> String {
        let mut out = FreeRecord::header(table);
        for at in 0..table.len() {
            out.push_str(&FreeRecord::line(table, at));
        }
        out
    }

    /// Whether a text is the record of a free table, of whatever version.
    pub fn is_one(text: &str) -> bool {
        text.starts_with(TITLE)
    }

    /// Reads a record.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(text: &str) -> Result<FreeRecord, RecordError> {
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = whole.lines().enumerate().map(|(at, line)| (at + 1, line));
        let bad = |at: usize, why: &str| RecordError::Line(at, why.to_owned());
        let (_, title) = lines.next().ok_or_else(|| bad(1, "the record is empty"))?;
        let version = title
            .strip_prefix(TITLE)
            .and_then(|version| version.trim().parse().ok());
        let version = version.ok_or_else(|| bad(1, "this is not a record of a free table"))?;
        if version != VERSION {
            return Err(RecordError::Version(version));
        }
        let mut record = FreeRecord {
            version,
            package: [0; 32],
            game: Default::default(),
            seed: Seed::from(0),
            settings: TableSettings::for_seats(1),
            lines: Vec::new(),
        };
        record.settings.names.clear();
        for (at, line) in lines.by_ref() {
            if line == "---" {
                break;
            }
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let known = match word {
                "package" => hexadecimal(rest).map(|hash| record.package = hash).is_some(),
                "game" => {
                    let mut words = rest.splitn(3, ' ').map(|word| word.trim_matches('"').to_owned());
                    let mut next = || words.next().unwrap_or_default();
                    record.game = (next(), next(), next());
                    true
                }
                "seed" => rest.parse().map(|seed| record.seed = seed).is_ok(),
                "seat" => match crate::notation::reader::name(rest) {
                    Ok(name) => {
                        record.settings.names.push(Arc::from(name));
                        record.settings.names.len() <= crate::eyes::MOST_SEATS
                    }
                    Err(_) => false,
                },
                "set" => setting(&mut record.settings, rest),
                _ => false,
            };
            if !known {
                return Err(bad(at, "this line is not understood"));
            }
        }
        if record.settings.names.is_empty() {
            return Err(bad(1, "the record has no seats"));
        }
        for (at, line) in lines {
            let parsed = line.split_once(' ').and_then(|(who, rest)| {
                let (verb, hash) = rest.rsplit_once(" = ")?;
                let actor = match who {
                    "host" => Actor::Host,
                    seat => Actor::Seat(TableSeat(seat.parse::<u8>().ok()?.checked_sub(1)?)),
                };
                Some((actor, verb.to_owned(), hash.to_owned()))
            });
            record
                .lines
                .push(parsed.ok_or_else(|| bad(at, "this line is not a step"))?);
        }
        Ok(record)
    }

    /// How the package differs from the record's.
    fn other(&self, kit: &Kit) -> String {
        let (id, version, name) = game_of(kit);
        let (own_id, own_version, own_name) = &self.game;
        if *own_id != id {
            return format!("this record is of the game “{own_name}”, and this is “{name}”");
        }
        if *own_version != version {
            return format!("this record is of “{name}” {own_version}, and this is {version}");
        }
        format!("this record is of “{name}” {version} before its files were changed; go back to those files")
    }

    /// The table before all lines.
    ///
    /// # Errors
    /// If the package is another.
    pub fn begin(&self, kit: &Arc<Kit>) -> Result<FreeTable, RecordError> {
        match kit.hash == self.package {
            true => Ok(FreeTable::new(Arc::clone(kit), self.settings.clone(), self.seed)),
            false => Err(RecordError::Package(self.other(kit))),
        }
    }

    /// Plays it; every state is compared.
    ///
    /// # Errors
    /// If the package is another, or a step leads elsewhere.
    pub fn play(&self, kit: &Arc<Kit>) -> Result<FreeTable, RecordError> {
        self.play_telling(kit, |_, _| ())
    }

    /// As [`FreeRecord::play`]; what happens is told, with the number of its step, counted from 0.
    ///
    /// # Errors
    /// As [`FreeRecord::play`].
    pub fn play_telling(
        &self,
        kit: &Arc<Kit>,
        mut tell: impl FnMut(usize, Vec<TableEvent>),
    ) -> Result<FreeTable, RecordError> {
        let mut table = self.begin(kit)?;
        self.play_on(&mut table, |_, at, events| tell(at, events))?;
        Ok(table)
    }

    /// The table after so many entries, as it [was kept](FreeTable::kept): the lines of this record come
    /// after those. `None` if it is not what the digest says, which stands at the end of the line before.
    pub fn going_on(&self, kit: &Arc<Kit>, entries: usize, kept: &[u8], digest: &str) -> Option<FreeTable> {
        let hash = StateHash(hexadecimal(digest)?);
        let found = FreeTable::going_on(
            Arc::clone(kit),
            self.settings.clone(),
            self.seed,
            entries,
            kept,
            hash,
        );
        found.filter(|_| kit.hash == self.package)
    }

    /// Plays the lines on from a table; every state is compared. What happens is told, with the table as it
    /// then stands and the number of the step, counted from 0.
    ///
    /// # Errors
    /// If a step leads elsewhere, or goes back further than what is at hand.
    pub fn play_on(
        &self,
        table: &mut FreeTable,
        mut tell: impl FnMut(&FreeTable, usize, Vec<TableEvent>),
    ) -> Result<(), RecordError> {
        let first = table.len();
        for (at, (actor, line, hash)) in (first..).zip(&self.lines) {
            let diverged = |why: String| RecordError::Diverged(at + 1, why);
            let seat = match actor {
                Actor::Seat(seat) => *seat,
                Actor::Host => TableSeat(0),
            };
            if seat.index() >= table.state().seats.len() {
                return Err(diverged("there is no such seat".to_owned()));
            }
            let verb = table
                .parse(seat, line)
                .map_err(|refusal| diverged(refusal.to_string()))?;
            let next = table.prepare(*actor, verb);
            let next = next.map_err(|refusal| diverged(refusal.to_string()))?;
            let events = table.commit(next);
            let now = table.hash().to_string();
            if now != *hash {
                return Err(diverged(format!("the state is {now}, the record says {hash}")));
            }
            tell(table, at, events);
        }
        Ok(())
    }
}

/// Identity, version and name of a game, each as a part of a line.
fn game_of(kit: &Kit) -> (String, String, String) {
    let definition = &kit.package.definition;
    let version = definition.version.as_ref();
    let version = version.map_or_else(|| "0".to_owned(), |version| version.value.to_string());
    let name = crate::state::plain(&definition.name, 80, "a game").replace('"', "'");
    (definition.id.value.to_string(), version, name)
}

fn line(table: &FreeTable, entry: &VerbEntry, hash: StateHash) -> String {
    let who = match entry.actor {
        Actor::Seat(seat) => seat.to_string(),
        Actor::Host => "host".to_owned(),
    };
    format!("{who} {} = {hash}\n", table.write(&entry.verb))
}

fn setting(settings: &mut TableSettings, what: &str) -> bool {
    match what {
        "sides one" => settings.sides = Some(Sides::One),
        "sides two" => settings.sides = Some(Sides::Two),
        "sides four" => settings.sides = Some(Sides::Four),
        "rights open" => settings.rights = Rights::Open,
        "take ask" => settings.take = TakeRule::Ask,
        "spectators hands" => settings.spectators_see_hands = true,
        "shuffle off" => settings.shuffle_after_loading = false,
        "solo" => settings.solo = true,
        "sleeves custom" => settings.custom_sleeves = true,
        "referee" => settings.referee = true,
        "scripts off" => settings.scripts = ScriptRule::Off,
        "scripts ask" => settings.scripts = ScriptRule::Ask,
        "remote free" => settings.remote = RemoteRule::Free,
        "reach own" => settings.reach = ScriptReach::Own,
        _ => return false,
    }
    true
}

fn hexadecimal<const SIZE: usize>(text: &str) -> Option<[u8; SIZE]> {
    let mut bytes = [0; SIZE];
    if text.len() != 2 * SIZE || !text.is_ascii() {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}
