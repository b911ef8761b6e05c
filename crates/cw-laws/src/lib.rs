//! What holds for any input: one law for each door through which bytes of strangers come in.
//!
//! Knows all readers; does not know where the bytes come from. The tests of this crate replay what
//! `fuzz/seeds` keeps, the fuzz targets go on from there. A law that is broken panics.
//!
//! ```
//! let law = cw_laws::law("octgn_deck").expect("there is such a law");
//! (law.holds)(b"<deck/>");
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]

mod expressions;
mod games;
mod packages;
#[path = "../../cw-check/tests/laws/mod.rs"]
mod rules;
mod scripts;
mod sheets;
mod table;

/// One law.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// Its name, which is that of its fuzz target and of its folder of seeds.
    pub name: &'static str,
    /// Panics where the law is broken.
    pub holds: fn(&[u8]),
}

impl Law {
    /// What comes before the first `_` of its name: laws of one family share their seeds.
    pub fn family(&self) -> &'static str {
        self.name.split('_').next().unwrap_or_default()
    }
}

macro_rules! laws {
    ($($(#[$doc:meta])* $name:ident = $holds:path;)*) => {
        $($(#[$doc])* pub fn $name(bytes: &[u8]) {
            $holds(bytes);
        })*

        /// All of them.
        pub const LAWS: &[Law] = &[$(Law { name: stringify!($name), holds: $name }),*];
    };
}

laws! {
    /// An expression is read, or refused at a place in it, as plain Python and as RuleScript.
    expr_parse = expressions::read;
    /// An expression ends within the limits of a card, twice with the same answer.
    expr_eval = expressions::end;
    /// The compiled form of an expression answers as the evaluator that walks the tree.
    expr_oracle = expressions::agree;
    /// A file of scripts is loaded and run, or refused at a line of it; it stops within its limits, twice at
    /// the same place.
    script_run = scripts::run;
    /// A rule file is checked, its findings are shown and mended.
    rules_check = check_rules;
    /// Laying out a rule file twice is laying it out once; the tree stays, and nothing is lost.
    rules_format = format_rules;
    /// A script is read and checked.
    rules_python = check_script;
    /// A `definition.xml` is read and checked.
    octgn_definition = packages::definition;
    /// A `set.xml` is read and checked; what is made of it is written and read back.
    octgn_set = packages::set;
    /// The packs of a set are opened, and their odds add up.
    octgn_packs = packages::packs;
    /// A deck is read; what is made of it is written and read back.
    octgn_deck = packages::deck;
    /// A list of cards is read; what is made of it is written and read back.
    octgn_list = packages::list;
    /// A query finds cards, or is refused at a place in it.
    octgn_query = packages::query;
    /// Nothing unsafe is listed by an archive, and all that is listed is read within the limits.
    octgn_archive = packages::archive;
    /// A table of text is read, or refused at a cell; what is read is written and read back, and makes a
    /// game.
    sheet_delimited = sheets::delimited;
    /// A workbook is read within its limits, or refused at a cell.
    sheet_xlsx = sheets::xlsx;
    /// Cards of Cockatrice are read, or refused.
    sheet_cockatrice = sheets::cockatrice;
    /// A set of MTGJSON is read, or refused.
    sheet_mtgjson = sheets::mtgjson;
    /// A `game.toml` makes a game in which a duel goes on, or is refused at a place in it.
    game_toml = games::settings;
    /// A scenario file is run to its end, or its fault stands at a place in it.
    scenario = games::scenario;
    /// A duel of random rules keeps every invariant, and its views and choices are what they should be.
    duel = games::duel;
    /// A record is played again, or diverges at one of its choices.
    record = games::record;
    /// A link is refused, or carries something that can be written again and opened.
    link = games::link;
    /// A table answers every request of a seat.
    table_requests = table::requests;
    /// A log of a store brings its duel back, or is set aside.
    table_log = table::log;
}

/// The law with this name.
pub fn law(name: &str) -> Option<&'static Law> {
    LAWS.iter().find(|law| law.name == name)
}

fn check_rules(bytes: &[u8]) {
    rules::checking(&String::from_utf8_lossy(bytes));
}

fn format_rules(bytes: &[u8]) {
    rules::formatting(&String::from_utf8_lossy(bytes));
}

fn check_script(bytes: &[u8]) {
    rules::scripts(&String::from_utf8_lossy(bytes));
}
