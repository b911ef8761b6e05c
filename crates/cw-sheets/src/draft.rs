//! A game made of a sheet: a definition with the columns as properties, the sets, a starter deck.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cw_octgn::{Deck, DeckCard, DeckSection, Guid, LocatedValue, MemoryFiles, Package, Str, write_deck};

use crate::plan::{ImportRequest, plan};
use crate::xml::escaped;
use crate::{
    ColumnUse, ImportPlan, KnownColumns, SheetBook, SheetColumns, SheetFinding, SheetPlace, columns_with,
    unmarked, with_columns,
};

/// A game to be made.
#[derive(Clone, Copy, Debug)]
pub struct DraftRequest<'r> {
    /// What the game is called.
    pub name: &'r str,
    /// The game's id.
    pub id: Guid,
    /// What it is made of.
    pub book: &'r SheetBook,
    /// What the user says of columns, by heading.
    pub said: &'r BTreeMap<String, String>,
}

/// A game made of a sheet.
#[derive(Clone, Debug, Default)]
pub struct DraftedGame {
    /// Its files but for pictures of cards.
    pub files: Vec<(String, Vec<u8>)>,
    /// What is done besides: changes, pictures, the base of the next import.
    pub plan: ImportPlan,
    /// What the columns mean, by heading.
    pub columns: Vec<(String, String)>,
    /// How many cards it has.
    pub cards: usize,
    /// How many cards its starter deck has.
    pub deck: usize,
    /// What the sheet says and hardly means.
    pub doubts: Vec<SheetFinding>,
}

const BACK: &str = "Resources/card-back.png";
const FRONT: &str = "Resources/card-front.png";

macro_rules! resources {
    ($($name:literal)*) => {
        [$((
            concat!("Resources/", $name, ".png"),
            include_bytes!(concat!("../../../games/saltmarsh/Resources/", $name, ".png")),
        )),*]
    };
}

/// The pictures of the demo game that every drafted game has, too: its definition names them.
const RESOURCES: [(&str, &[u8]); 8] =
    resources!("card-front" "card-back" "table" "hp" "hand" "deck" "discards" "removed");

/// Cards of a starter deck, if no column says how many of each.
const DECK: usize = 60;

/// Makes a game of a sheet.
///
/// # Errors
/// Everything that is wrong with the sheet.
pub fn draft_game(request: &DraftRequest<'_>) -> Result<DraftedGame, Vec<SheetFinding>> {
    let book = request.book;
    let known = KnownColumns {
        definition: None,
        said: request.said,
    };
    let mut columns: Vec<SheetColumns> = Vec::new();
    let mut found = Vec::new();
    for table in &book.tables {
        match columns_with(&book.file, table, known) {
            Ok(of_table) => columns.push(of_table),
            Err(wrong) => found.extend(wrong),
        }
    }
    if !found.is_empty() {
        return Err(found);
    }
    let mut properties: Vec<(String, DraftedKind)> = Vec::new();
    let mut meanings: Vec<(String, String)> = Vec::new();
    for (table, columns) in book.tables.iter().zip(&mut columns) {
        for (at, meaning) in columns.uses.iter_mut().enumerate() {
            if let ColumnUse::Property(name) = meaning {
                let kind = DraftedKind::of((0..table.rows.len()).map(|row| table.text(row, at)));
                let same = properties
                    .iter_mut()
                    .find(|(other, _)| other.to_lowercase() == name.to_lowercase());
                match same {
                    Some((other, old)) => {
                        *old = (*old).max(kind);
                        other.clone_into(name);
                    }
                    None => properties.push((name.clone(), kind)),
                }
            }
            let heading = table.headings[at].clone();
            if !heading.is_empty() && !meanings.iter().any(|(other, _)| *other == heading) {
                meanings.push((heading, meaning.written()));
            }
        }
    }
    let settings = format!(
        "# What Cardwright has to know of the game beside its cards.\n\n[game]\nname = {}\n",
        toml_edit::value(request.name)
    );
    let by_heading: BTreeMap<String, String> = meanings.iter().cloned().collect();
    let settings = match with_columns(&settings, &by_heading) {
        Ok(Some(text)) => text,
        Ok(None) => settings,
        Err(why) => return Err(vec![SheetFinding::new(&book.file, SheetPlace::default(), why)]),
    };
    let definition = definition(request, &properties);
    let files = MemoryFiles::new().with("definition.xml", definition.as_bytes());
    let read = |files: &MemoryFiles| {
        let wrong = |why: cw_octgn::FilesError| {
            vec![SheetFinding::new(
                &book.file,
                SheetPlace::default(),
                why.to_string(),
            )]
        };
        Package::read(files).map_err(wrong)
    };
    let package = read(&files)?;
    let plan = plan(&ImportRequest {
        package: &package,
        files: &files,
        book,
        columns: &columns,
        base: None,
        delete: false,
        prefer: None,
    })?;
    let with_sets = plan
        .files
        .iter()
        .fold(files, |files, (name, bytes)| files.with(name, bytes.clone()));
    let package = read(&with_sets)?;
    let deck = deck(&package, &plan.counts);
    let mut drafted = DraftedGame {
        cards: package.sets.iter().map(|set| set.cards.len()).sum(),
        columns: meanings,
        doubts: crate::doubts::of_draft(book, &columns),
        ..DraftedGame::default()
    };
    drafted
        .files
        .push(("definition.xml".to_owned(), definition.into_bytes()));
    drafted
        .files
        .push(("Rules/game.toml".to_owned(), settings.into_bytes()));
    drafted
        .files
        .push(("Proxy/proxydef.xml".to_owned(), proxies(&properties).into_bytes()));
    let resources = RESOURCES
        .iter()
        .map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec()));
    drafted.files.extend(resources);
    drafted.files.extend(plan.files.iter().cloned());
    drafted.plan = plan;
    if let Some(deck) = deck {
        let cards = deck.sections.iter().flat_map(|section| &section.cards);
        drafted.deck = cards.map(|card| card.quantity.value as usize).sum();
        drafted
            .files
            .push(("Decks/Starter.o8d".to_owned(), write_deck(&deck).into_bytes()));
    }
    Ok(drafted)
}

/// What a column's cells have in common; of two, the greater one fits both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum DraftedKind {
    /// There are none.
    Empty,
    Integer,
    Text,
    Rich,
}

/// Whether a cell is a whole number. One that would be written otherwise is a text: a code, a telephone.
pub(crate) fn is_number(cell: &str) -> bool {
    cell.parse::<i32>().is_ok_and(|number| number.to_string() == cell)
}

impl DraftedKind {
    fn of<'c>(cells: impl Iterator<Item = &'c str>) -> DraftedKind {
        let one = |cell: &str| match cell {
            "" => DraftedKind::Empty,
            _ if is_number(cell) => DraftedKind::Integer,
            _ => match unmarked(cell, &|_| None) {
                Ok(rich) if rich.pieces.len() == 1 && *rich.plain == *cell => DraftedKind::Text,
                Ok(_) => DraftedKind::Rich,
                Err(_) => DraftedKind::Text,
            },
        };
        cells.map(one).max().unwrap_or(DraftedKind::Empty)
    }

    fn name(self) -> &'static str {
        match self {
            DraftedKind::Integer => "Integer",
            DraftedKind::Rich => "RichText",
            DraftedKind::Empty | DraftedKind::Text => "String",
        }
    }
}

fn definition(request: &DraftRequest<'_>, properties: &[(String, DraftedKind)]) -> String {
    let (name, id) = (escaped(request.name), request.id);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>\n\
         <!-- What the game is called, what its cards have, and where its files are. -->\n\
         <game name=\"{name}\"\n      id=\"{id}\"\n      \
         version=\"1.0.0.0\"\n      octgnVersion=\"3.4.350.0\"\n      \
         scriptVersion=\"3.1.0.2\"\n      authors=\"you\"\n      tags=\"cards\"\n      \
         description=\"{name}, a game made with Cardwright.\"\n      \
         gameurl=\"https://example.org/game\"\n      \
         setsurl=\"https://example.org/game/sets\"\n      iconurl=\"https://example.org/game/icon.png\">\n  \
         <!-- Every property that a card can have: the columns of the sheet. -->\n  \
         <card front=\"{FRONT}\" back=\"{BACK}\" width=\"63\" height=\"88\" cornerRadius=\"3\">\n"
    );
    for (name, kind) in properties {
        let _ = writeln!(
            out,
            "    <property name=\"{}\" type=\"{}\" />",
            escaped(name),
            kind.name()
        );
    }
    out.push_str(
        "  </card>\n  <proxygen definitionsrc=\"Proxy/proxydef.xml\" />\n  \
         <table name=\"Table\" visibility=\"undefined\" ordered=\"False\" width=\"640\" height=\"400\" \
         background=\"Resources/table.png\" backgroundStyle=\"uniformToFill\" />\n  \
         <player summary=\"Hand: {#Hand}\">\n    \
         <counter name=\"Life\" icon=\"Resources/hp.png\" default=\"20\" reset=\"True\" />\n    \
         <group name=\"Hand\" visibility=\"me\" viewState=\"expanded\" \
         ordered=\"False\" icon=\"Resources/hand.png\" />\n    \
         <group name=\"Deck\" visibility=\"none\" viewState=\"pile\" icon=\"Resources/deck.png\" />\n    \
         <group name=\"Discard pile\" visibility=\"all\" \
         viewState=\"pile\" icon=\"Resources/discards.png\" />\n    \
         <group name=\"Removed pile\" visibility=\"all\" \
         viewState=\"collapsed\" icon=\"Resources/removed.png\" />\n  \
         </player>\n  <!-- The sections of a deck, and the pile that each goes into. -->\n  \
         <deck>\n    <section name=\"Main\" group=\"Deck\" />\n  </deck>\n</game>\n",
    );
    out
}

/// How OCTGN draws cards without a picture: the name, and below it all that the card has.
fn proxies(properties: &[(String, DraftedKind)]) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>\n<templates>\n  <blocks>\n    \
         <block id=\"name\" type=\"text\">\n      <location x=\"20\" y=\"18\" />\n      \
         <text color=\"#11131a\" size=\"22\" />\n      \
         <wordwrap height=\"32\" width=\"275\" align=\"near\" valign=\"center\" />\n    </block>\n    \
         <block id=\"rest\" type=\"text\">\n      <location x=\"20\" y=\"250\" />\n      \
         <text color=\"#11131a\" size=\"13\" />\n      \
         <wordwrap height=\"170\" width=\"275\" align=\"near\" valign=\"near\" />\n    \
         </block>\n  </blocks>\n  \
         <template src=\"{FRONT}\" default=\"True\">\n    <textblocks>\n      \
         <link block=\"name\">\n        <property name=\"Name\" />\n      </link>\n"
    );
    if !properties.is_empty() {
        out.push_str("      <link block=\"rest\" separator=\" / \">\n");
        for (name, _) in properties {
            let _ = writeln!(out, "        <property name=\"{}\" />", escaped(name));
        }
        out.push_str("      </link>\n");
    }
    out.push_str("    </textblocks>\n  </template>\n</templates>\n");
    out
}

/// A deck of as many of each card as the sheet says; else of up to three of each.
fn deck(package: &Package, counts: &[(String, u32)]) -> Option<Deck> {
    let cards: Vec<(&Guid, &Str)> = package
        .cards()
        .map(|(_, card)| (&card.id.value, &card.name.value))
        .collect();
    let each = (DECK / cards.len().max(1)).clamp(1, 3);
    let said: BTreeMap<&str, u32> = counts.iter().map(|(id, count)| (id.as_str(), *count)).collect();
    let mut lines = Vec::new();
    for (at, (id, name)) in cards.iter().enumerate() {
        let count = match said.is_empty() {
            false => said.get(id.to_string().as_str()).copied().unwrap_or(0),
            true if at < DECK => u32::try_from(each).unwrap_or(1),
            true => 0,
        };
        if count > 0 {
            lines.push(DeckCard {
                id: LocatedValue::from(**id),
                name: LocatedValue::from((*name).clone()),
                quantity: LocatedValue::from(i32::try_from(count).unwrap_or(1)),
                ..DeckCard::default()
            });
        }
    }
    if lines.is_empty() {
        return None;
    }
    Some(Deck {
        game: LocatedValue::from(package.definition.id.value),
        sections: vec![DeckSection {
            name: LocatedValue::from(Str::from("Main")),
            shared: false,
            cards: lines,
        }],
        ..Deck::default()
    })
}
