//! Verbs as lines of text: for the prompt, the record and `Rules/table.toml`.
//!
//! A line is the verb's word and its arguments. Cards are `GROUP:REF,REF`; a reference is a handle of the
//! seat's own view, or `@n` for the n-th card from the top of an ordered pile. Groups are `table`, `Name`
//! (one's own pile), `2/Name` (seat 2's), `*/Name` (shared). A name with other characters stands in quotes.
//! What is written by [`FreeTable::write`] is read by [`FreeTable::parse`] as the same verb. The words and
//! their arguments stand in the table of `verb.rs`, how an argument is read and written in `parts.rs`.

pub(crate) mod parts;
pub(crate) mod reader;
pub(crate) mod writer;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::act::VerbAct;
use crate::verb::verb_table;
use crate::{FreeTable, Kit, PileEnd, TableSeat, TableState, TableVerb, VerbRefusal};
use parts::{
    ANGLE, BOARD, Behind, CARDS, CHANGE, COLOUR_NAME, COLUMNS, COUNTER_NAME, Count, DICE, EYES, FACE,
    FROM_END, Flag, GROUP, Given, HAND_SIZE, HeldValue, MARKER, MAY_LOOK, MAYBE_SEAT, MENU_ENTRY, Maybe,
    NAME, NEW_CARDS, Number, NumberBehind, OrWord, PACKS, PART, PHASE, PILE, PILE_OR_DECK, PILE_OR_HAND,
    PLACES, POINT, POINT_OR_MIDDLE, REPLY, SCRIPT_REPLY, SEAT, SPOT, TEXT, TEXT_OR_NONE, TO_EYES, TURNED_HOW,
    Unless, VerbPart, WHAT_THEN, WHO_SEES, WHOLE_DECK,
};
use reader::{LineReader, Read, unknown, wrong};
use writer::{LineWriter, quoted};

impl FreeTable {
    /// Reads a line as a verb of a seat.
    ///
    /// # Errors
    /// If it is none; with the nearest word.
    pub fn parse(&self, seat: TableSeat, line: &str) -> Result<TableVerb, VerbRefusal> {
        parse(self.kit(), self.state(), seat, line)
    }

    /// Reads several lines as one step: all of them are done, or none (F63).
    ///
    /// # Errors
    /// If one of them is no verb, or is not possible where those before it lead.
    pub fn parse_together(&self, seat: TableSeat, lines: &[String]) -> Result<TableVerb, VerbRefusal> {
        match lines {
            [line] => self.parse(seat, line),
            _ => {
                let quoted: Vec<String> = lines.iter().map(|line| quoted(line)).collect();
                self.parse(seat, &format!("together {}", quoted.join(" ")))
            }
        }
    }

    /// A verb of a seat as a line, in the present state.
    pub fn write(&self, verb: &TableVerb) -> String {
        write(self.kit(), self.state(), verb)
    }
}

/// Reads a line as a verb.
pub(crate) fn parse(
    kit: &Kit,
    state: &TableState,
    seat: TableSeat,
    line: &str,
) -> Result<TableVerb, VerbRefusal> {
    if line.len() > kit.limits.request {
        return Err(VerbRefusal::Limit("bytes of a request"));
    }
    let mut reader = LineReader {
        kit,
        state,
        seat,
        rest: line.trim(),
    };
    let word = reader.word().to_lowercase();
    let verb = verb_after(&word, &mut reader)?;
    if !reader.rest.trim().is_empty() {
        return Err(wrong(reader.rest.trim(), ""));
    }
    Ok(verb)
}

/// A verb as a line.
pub(crate) fn write(kit: &Kit, state: &TableState, verb: &TableVerb) -> String {
    line_of(verb, &LineWriter { kit, state })
}

/// What one part of a verb's line reads, whether it fits a value, and what it writes.
macro_rules! part {
    (read $line:ident $word:literal) => {
        $line.need($word)?;
    };
    (read $line:ident $field:ident = $value:expr) => {
        let $field = $value;
    };
    (read $line:ident $field:tt $part:expr) => {
        let $field = VerbPart::read(&$part, $line)?;
    };
    (holds $word:literal) => {
        true
    };
    (holds $field:ident = $value:expr) => {
        *$field == $value
    };
    (holds $field:tt $part:expr) => {
        VerbPart::holds(&$part, &HeldValue::held($field))
    };
    (write $line:ident $word:literal) => {
        $word.to_owned()
    };
    (write $line:ident $field:ident = $value:expr) => {
        String::new()
    };
    (write $line:ident $field:tt $part:expr) => {
        VerbPart::write(&$part, $line, &HeldValue::held($field))
    };
}

/// The word of a verb and what its parts have written, if they have.
fn joined(word: &str, parts: &[String]) -> String {
    let mut out = word.to_owned();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        out.push(' ');
        out.push_str(part);
    }
    out
}

/// If the line begins with one of the words of a verb, its value out of what follows.
macro_rules! after {
    ($given:ident $line:ident ($verb:expr) $($word:literal [$({ $($part:tt)+ })*])+) => {
        $(if $given == $word {
            $(part!(read $line $($part)+);)*
            return Ok($verb);
        })+
    };
}

/// From the table: how a line is read and written.
macro_rules! lines {
    ($(
        $(#[$about:meta])*
        $verb:ident $({ $($field:ident: $type:ty),+ })? $kind:ident
        $($word:literal $usage:tt $what:literal = $({ $($part:tt)+ })*;)+
    )*) => {
        /// Reads what follows the word of a verb.
        fn verb_after(word: &str, line: &mut LineReader<'_>) -> Read<TableVerb> {
            $(after! {
                word line (TableVerb::$verb $({ $($field),+ })?)
                $($word [$({ $($part)+ })*])+
            })*
            Err(unknown(word))
        }

        /// A verb with the first of its words that fits it.
        fn line_of(verb: &TableVerb, line: &LineWriter<'_>) -> String {
            match verb {
                $(TableVerb::$verb $({ $($field),+ })? => {
                    $(if true $(&& part!(holds $($part)+))* {
                        return joined($word, &[$(part!(write line $($part)+)),*]);
                    })+
                    unreachable!("one of the words of a verb fits each of its values")
                })*
            }
        }
    };
}
verb_table!(lines);

/// Lines in quotes that are one step. Each is read where the ones before it lead.
struct Lines;

impl VerbPart<Arc<[TableVerb]>> for Lines {
    fn read(&self, line: &mut LineReader<'_>) -> Read<Arc<[TableVerb]>> {
        let mut verbs: Vec<TableVerb> = Vec::new();
        let mut act = VerbAct::new(line.kit, line.state.clone(), line.seat);
        while !line.peek().is_empty() {
            if verbs.len() >= line.kit.limits.together {
                return Err(VerbRefusal::Limit("verbs of one step"));
            }
            let part = line.name()?;
            if let Some(last) = verbs.last() {
                // A fault of ours ends the step, not the table (F206).
                let tried = catch_unwind(AssertUnwindSafe(|| act.part(last)));
                tried.unwrap_or_else(|_| Err(VerbRefusal::Broken("a fault of ours".to_owned())))?;
            }
            let nested = part.trim_start().get(..8);
            if nested.is_some_and(|word| word.eq_ignore_ascii_case("together")) {
                return Err(VerbRefusal::Impossible("that as a part of a step"));
            }
            verbs.push(parse(line.kit, &act.s, line.seat, &part)?);
        }
        if verbs.is_empty() {
            return Err(wrong("", "; a line in quotes is expected here"));
        }
        Ok(verbs.into())
    }
    fn write(&self, line: &LineWriter<'_>, value: &Arc<[TableVerb]>) -> String {
        let lines: Vec<String> = value.iter().map(|verb| quoted(&line_of(verb, line))).collect();
        lines.join(" ")
    }
}
