//! Sheets with a mistake: each is refused at its cell, with what helps.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::BTreeMap;

use cw_octgn::{Guid, MemoryFiles, Package};
use cw_sheets::{
    DraftRequest, ImportRequest, SheetBook, SheetForm, SheetLimits, SheetTable, columns_of, draft_game,
    left_out, plan, read, write_xlsx,
};

const DEFINITION: &str = "\
    <game name='G' id='0a000000-0000-4000-8000-000000000001' version='1.0.0.0'>\
        <card front='f.png' back='b.png' width='63' height='88'>\
            <size name='Wide' width='88' height='63'/>\
            <property name='Cost' type='Integer'/>\
            <property name='Text' type='RichText'/>\
            <property name='Kind' type='String'/>\
        </card>\
    </game>";

const SETS: &str = "\
    <set name='Core' id='0a000000-0000-4000-8000-000000000002' \
        gameId='0a000000-0000-4000-8000-000000000001'>\
        <cards><card name='Rook' id='0a000000-0000-4000-8000-000000000003'>\
            <property name='Cost' value='2'/>\
        </card></cards>\
    </set>";

const OTHER: &str = "<set name='Other' id='0a000000-0000-4000-8000-000000000004' \
    gameId='0a000000-0000-4000-8000-000000000001'/>";

/// What comes of importing the bytes: all findings, or nothing.
fn imported(bytes: &[u8], limits: &SheetLimits) -> Vec<String> {
    let files = MemoryFiles::new()
        .with("definition.xml", DEFINITION.as_bytes())
        .with("Sets/a/set.xml", SETS.as_bytes())
        .with("Sets/b/set.xml", OTHER.as_bytes());
    let package = Package::read(&files).unwrap();
    let form = SheetForm::of("cards.csv", bytes);
    let book = match read("cards.csv", bytes, form, limits) {
        Ok(book) => book,
        Err(found) => return vec![found.to_string()],
    };
    let said = BTreeMap::new();
    let mut columns = Vec::new();
    for table in &book.tables {
        match columns_of(&book.file, table, &package.definition, &said) {
            Ok(of_table) => columns.push(of_table),
            Err(found) => return found.iter().map(ToString::to_string).collect(),
        }
    }
    let request = ImportRequest {
        package: &package,
        files: &files,
        book: &book,
        columns: &columns,
        base: None,
        delete: false,
        prefer: None,
    };
    match plan(&request) {
        Ok(_) => Vec::new(),
        Err(found) => found.iter().map(ToString::to_string).collect(),
    }
}

const ROOK: &str = "0a000000-0000-4000-8000-000000000003";

/// P178: every mistake is told at its cell, and nothing comes of the sheet.
#[test]
fn mistakes_are_told_at_their_cells() {
    let id = |rows: &str| rows.replace("ROOK", ROOK);
    let cases = [
        (
            "",
            "cards.csv: there is no card in it; the first row holds the headings, each further row a card",
        ),
        (
            "name,Cost\n",
            "cards.csv: there is no card in it; the first row holds the headings, each further row a card",
        ),
        (
            "name,Cost\n\"Rook,2\nB,3\n",
            "cards.csv: row 2, column A (\"name\"): \
             the quote at the beginning of the cell is never closed; \
             write the missing `\"`; one inside a cell is written twice",
        ),
        (
            "name,Cost\nB,\"3\"4\n",
            "cards.csv: row 2, column B (\"Cost\"): there is text behind the closing quote; \
             a quote inside a cell is written twice",
        ),
        (
            "Cost,Kind\n1,b\n",
            "cards.csv: row 1: no column holds the cards' names; \
             call one \"name\", or say which with --column 'HEADING=@name'",
        ),
        (
            "name,Cost,cost\nB,1,2\n",
            "cards.csv: row 1, column C (\"cost\"): this column means the same as column B (\"Cost\"); \
             give one of them another heading",
        ),
        (
            "name,,Cost\nB,x,2\n",
            "cards.csv: row 1, column B: the column has cells but no heading; \
             write a heading, or empty the column",
        ),
        (
            "name,set,Cost\nB,Core,2,3\n",
            "cards.csv: row 2, column D: the cell has no heading above it; \
             a separator too many, or a text without quotes, moves cells to the right",
        ),
        (
            "name,set,Cost\nB,Core,two\n",
            "cards.csv: row 2, column C (\"Cost\"): `two` is not a whole number; \
             `Cost` is a property of numbers; write one, or leave the cell empty",
        ),
        (
            "name,set,Cost\nB,Core,99999999999\n",
            "cards.csv: row 2, column C (\"Cost\"): `99999999999` is not a whole number; \
             `Cost` is a property of numbers; write one, or leave the cell empty",
        ),
        (
            "name,set,Cost\n\n\nB,Core,1\n,Core,2\n",
            "cards.csv: row 5, column A (\"name\"): the card has no name; write one, or empty the whole row",
        ),
        (
            "name,Cost\nB,1\n",
            "cards.csv: row 2: nobody knows which set the card is of; add a column \"set\"",
        ),
        (
            "id,name,set\nROOK,Rook,Other\n",
            "cards.csv: row 2, column C (\"set\"): the card is in the set \"Core\", not in \"Other\"; \
             a card stays in its set; give it a new id to make another card of it",
        ),
        (
            "id,name,set\nROOK,Rook,Core\nROOK,Two,Core\n",
            "cards.csv: row 3, column A (\"id\"): this card stands twice, first in row 2; \
             delete one of the rows, or give one another id",
        ),
        (
            "id,name,set\nROOK,Rook,Core\n17,Two,Core\n",
            "cards.csv: row 3, column A (\"id\"): `17` is not an id, as the others here are; \
             leave it empty for a new card",
        ),
        (
            "id,name,set\n1E+05,Rook,Core\n",
            "cards.csv: row 2, column A (\"id\"): the spreadsheet has made a number of this id (1E+05); \
             format the column as text, and write the id again",
        ),
        (
            "name,form,set\nBack,back,Core\n",
            "cards.csv: row 2, column B (\"form\"): the form `back` stands below no card; \
             write it below the card's own row, or give it the card's id",
        ),
        (
            "name,form,set\nA,,Core\nA2,back,Core\nA3,back,Core\n",
            "cards.csv: row 4, column B (\"form\"): the form `back` of this card stands twice, \
             first in row 3; delete one of the rows, or give one another id",
        ),
        (
            "name,size,set\nB,Huge,Core\n",
            "cards.csv: row 2, column B (\"size\"): the game has no size `Huge`; \
             sizes are `Wide`, or nothing",
        ),
        (
            "name,Text,set\nB,<b>fast,Core\n",
            "cards.csv: row 2, column B (\"Text\"): `<b>` is never closed: `</b>` is missing; \
             write `\\<` for the sign itself",
        ),
        (
            "name,Text,set\nB,<s sun>Sun</s>,Core\n",
            "cards.csv: row 2, column B (\"Text\"): the game has no symbol `sun`; \
             write `\\<` for the sign itself",
        ),
        (
            "name,set,count\nB,Core,many\n",
            "cards.csv: row 2, column C (\"count\"): `many` is not a number of cards; \
             write a whole number from 0 to 1000",
        ),
        (
            "name,set,Kind\nB,Core,a\u{1}b\n",
            "cards.csv: row 2, column C (\"Kind\"): there is a control character (U+0001); delete it",
        ),
        (
            "<cards/>",
            "cards.csv: the outermost element is not `cockatrice_carddatabase`",
        ),
        (
            "{\"data\": {}}",
            "cards.csv: there is no list `data.cards`, so this is not a set of MTGJSON; \
             take the file of one set, as ABC.json",
        ),
        (
            "{\"data\": {\"cards\": [{\"name\": \"A\"}, {}]}}",
            "cards.csv: card 2: the card has no `name`",
        ),
    ];
    for (text, wanted) in cases {
        assert_eq!(
            imported(id(text).as_bytes(), &SheetLimits::default()),
            [wanted],
            "{text}"
        );
    }
    let bytes: [(&[u8], &str); 4] = [
        (
            b"\xef\xbb\xbfname\n\xff\n",
            "cards.csv: the file begins as UTF-8, but byte 9 is not; save it again as UTF-8",
        ),
        (
            b"\xff\xfea\x00\x00\xd8",
            "cards.csv: the file begins as UTF-16, but is none; save it again as UTF-8",
        ),
        (
            b"\xd0\xcf\x11\xe0 old",
            "cards.csv: this is a workbook of an old Excel, or one with a password; \
             save it as .xlsx, without a password",
        ),
        (
            b"PK\x03\x04 cut",
            "cards.csv: this is not a workbook: not a zip archive",
        ),
    ];
    for (bytes, wanted) in bytes {
        let found = imported(bytes, &SheetLimits::default());
        assert!(found.len() == 1 && found[0].starts_with(wanted), "{found:?}");
    }
}

/// P178: all mistakes of a sheet are told at once.
#[test]
fn all_mistakes_are_told() {
    let found = imported(
        b"name,set,Cost\nA,Core,x\nB,Core,y\n,Core,1\n",
        &SheetLimits::default(),
    );
    assert_eq!(found.len(), 3, "{found:?}");
}

/// P178: limits are told with their number, at the place where they are reached.
#[test]
fn limits_are_told() {
    let small = SheetLimits {
        bytes: 200,
        rows: 3,
        columns: 4,
        cells: 10,
        cell: 20,
        ..SheetLimits::default()
    };
    let cases = [
        (
            "name\n1\n2\n3\n4\n",
            "cards.csv: row 5: there are more than 3 rows; split the file",
        ),
        (
            "a,b,c,d,e\n",
            "cards.csv: row 1, column E: there are more than 4 columns",
        ),
        (
            "name,b,c,d\n1,2,3,4\n1,2,3,4\n",
            "cards.csv: row 3: there are more than 10 cells; split the file",
        ),
        (
            "name\n123456789012345678901\n",
            "cards.csv: row 2, column A (\"name\"): the text is longer than 20 bytes; shorten it",
        ),
    ];
    for (text, wanted) in cases {
        assert_eq!(imported(text.as_bytes(), &small), [wanted], "{text}");
    }
    let found = imported("x".repeat(201).as_bytes(), &small);
    assert_eq!(found, ["cards.csv: the file has more than 200 bytes"]);
}

/// P178: a workbook that is small when packed and large when not is refused.
#[test]
fn packed_workbooks_have_the_same_limits() {
    let text = "x".repeat(30_000);
    let rows = vec![vec![text; 3]; 100];
    let table = cw_sheets::SheetTable {
        name: "Core".into(),
        counted: true,
        heading_row: 1,
        headings: ["name", "Kind", "Text"].map(Into::into).to_vec(),
        rows: (2..)
            .zip(rows)
            .map(|(number, cells)| cw_sheets::SheetRow { number, cells })
            .collect(),
    };
    let bytes = write_xlsx(&[table], &[]).unwrap();
    let limits = SheetLimits {
        bytes: 1 << 20,
        ..SheetLimits::default()
    };
    assert!(bytes.len() < limits.bytes, "{}", bytes.len());
    let found = imported(&bytes, &limits);
    assert!(
        found.len() == 1 && found[0].contains("1048576 bytes") || found[0].contains("no such part"),
        "{found:?}"
    );
}

/// A sheet with a mistake makes no game either.
#[test]
fn no_game_is_made_of_a_broken_sheet() {
    let book = read(
        "a.csv",
        b"name,form\nX,back\n",
        SheetForm::Delimited,
        &SheetLimits::default(),
    )
    .unwrap();
    let request = DraftRequest {
        name: "G",
        id: Guid::of_bytes(b"g"),
        book: &book,
        said: &BTreeMap::new(),
    };
    let found = draft_game(&request).unwrap_err();
    assert_eq!(found.len(), 1);
    assert!(
        found[0]
            .to_string()
            .starts_with("a.csv: row 2, column B (\"form\"):"),
        "{}",
        found[0]
    );
}

fn table(name: &str, text: &str) -> SheetTable {
    let book = read(
        "a.csv",
        text.as_bytes(),
        SheetForm::Delimited,
        &SheetLimits::default(),
    )
    .unwrap();
    SheetTable {
        name: name.to_owned(),
        ..book.tables[0].clone()
    }
}

/// What is allowed and hardly meant is told with its cell: a heading spelled otherwise on a second sheet, and
/// a cell that makes a text of a column of numbers. Headings of one sheet may be alike, and columns of texts
/// may have numbers.
#[test]
fn what_is_hardly_meant_is_told() {
    let mut book = read(
        "a.csv",
        b"name\nX\n",
        SheetForm::Delimited,
        &SheetLimits::default(),
    )
    .unwrap();
    book.tables = vec![
        table(
            "One",
            "name,Rarity,Cost 1,Cost 2,Code\nA,Rare,1,1,A1\nB,Rare,2,1,2\nC,Rare,3,1,B2\n",
        ),
        table("Two", "name,Rarety,Cost 1\nD,Rare,4\nE,Rare,two\nF,Rare,5\n"),
    ];
    let drafted = |book: &SheetBook| {
        let request = DraftRequest {
            name: "G",
            id: Guid::of_bytes(b"g"),
            book,
            said: &BTreeMap::new(),
        };
        let doubts = draft_game(&request).unwrap().doubts;
        doubts.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        drafted(&book),
        [
            "a.csv: sheet \"Two\", row 1, column B (\"Rarety\"): \"Rarety\" becomes a property of its own; \
             did you mean \"Rarity\", as on another sheet?",
            "a.csv: sheet \"Two\", row 3, column C (\"Cost 1\"): \
             \"two\" is no whole number, so \"Cost 1\" is a text on every card; \
             write a whole number there, and make the game again; or leave it, if any text is meant",
        ]
    );
    book.tables = vec![
        table("One", "name,Cost 1,Cost 2,Code\nA,1,1,A1\nB,2,1,2\n"),
        table("Two", "name\nD\n"),
    ];
    assert_eq!(drafted(&book), [""; 0]);
}

/// A column that a game does not have is left out, and the property that is spelled nearly so is named.
#[test]
fn a_column_left_out_may_be_a_slip() {
    let definition = "\
        <game id=\"11111111-1111-4111-8111-111111111111\" name=\"G\" version=\"1.0.0.0\">\
            <card back=\"b.png\" front=\"f.png\" width=\"63\" height=\"88\">\
                <property name=\"Power\" type=\"String\"/>\
            </card>\
        </game>";
    let package = Package::read(&MemoryFiles::new().with("definition.xml", definition)).unwrap();
    let book = read(
        "a.csv",
        b"name,Pwer,Notes\nX,3,x\n",
        SheetForm::Delimited,
        &SheetLimits::default(),
    )
    .unwrap();
    let columns = columns_of("a.csv", &book.tables[0], &package.definition, &BTreeMap::new()).unwrap();
    let told = left_out(&book, &[columns], &package.definition);
    let told: Vec<String> = told.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "a.csv: row 1, column B (\"Pwer\"): the game has no property \"Pwer\", \
             so this column is left out; did you mean \"Power\"?"
        ]
    );
}

/// Blanks around the name of a sheet make no other set of it, and no card takes the place of another (P145).
#[test]
fn blanks_around_the_names_of_sheets_mean_nothing() {
    let mut book = read(
        "a.csv",
        b"name\nX\n",
        SheetForm::Delimited,
        &SheetLimits::default(),
    )
    .unwrap();
    book.tables = vec![
        table("Core ", "name,Cost\nRook,1\nCrow,2\n"),
        table(" core", "name,Cost\nWren,3\n"),
    ];
    let request = DraftRequest {
        name: "G",
        id: Guid::of_bytes(b"g"),
        book: &book,
        said: &BTreeMap::new(),
    };
    let drafted = draft_game(&request).unwrap();
    assert_eq!(
        drafted.plan.changes,
        [
            "+ set \"Core\"",
            "+ Rook (Core)",
            "+ Crow (Core)",
            "+ Wren (Core)"
        ]
    );
    assert_eq!(drafted.cards, 3);
    // The same book again finds them.
    let files = drafted.files.into_iter();
    let files = files.fold(MemoryFiles::new(), |files, (name, bytes)| files.with(name, bytes));
    let package = Package::read(&files).unwrap();
    let columns: Vec<_> = book
        .tables
        .iter()
        .map(|table| columns_of("a.csv", table, &package.definition, &BTreeMap::new()).unwrap())
        .collect();
    let again = plan(&ImportRequest {
        package: &package,
        files: &files,
        book: &book,
        columns: &columns,
        base: Some(&drafted.plan.base),
        delete: false,
        prefer: None,
    });
    assert_eq!(again.unwrap().changes, [""; 0]);
}
