//! Tables of cells, with the place of each, and what can be wrong with one.

use std::fmt;

/// What a file holds: a table, or several.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SheetBook {
    /// The file's name, as findings say it.
    pub file: String,
    /// Its tables in order; of a workbook its sheets.
    pub tables: Vec<SheetTable>,
    /// What was noticed while reading, and does no harm.
    pub notes: Vec<String>,
}

/// One table.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SheetTable {
    /// The name of the sheet; empty where a file has one table only.
    pub name: String,
    /// Whether rows are those that a spreadsheet counts; else they are cards, and columns have names alone.
    pub counted: bool,
    /// The number of the row of headings.
    pub heading_row: usize,
    /// The headings.
    pub headings: Vec<String>,
    /// The rows below, those without any text left out.
    pub rows: Vec<SheetRow>,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SheetRow {
    /// Its number, from 1.
    pub number: usize,
    /// Its cells, from the first column on; those behind the last are empty.
    pub cells: Vec<String>,
}

impl SheetTable {
    /// The text of a cell by the places of row and column; empty where there is none.
    pub fn text(&self, row: usize, column: usize) -> &str {
        let cell = self.rows.get(row).and_then(|row| row.cells.get(column));
        cell.map_or("", String::as_str)
    }

    /// The place of a cell in a row with this number.
    pub fn place(&self, row: usize, column: usize) -> SheetPlace {
        SheetPlace {
            sheet: (!self.name.is_empty()).then(|| self.name.as_str().into()),
            row: Some(row),
            column: Some((column, self.headings.get(column).cloned().unwrap_or_default())),
            counted: self.counted,
        }
    }

    /// The place of a row.
    pub fn row_place(&self, row: usize) -> SheetPlace {
        SheetPlace {
            column: None,
            ..self.place(row, 0)
        }
    }

    /// The place of the whole table.
    pub fn whole(&self) -> SheetPlace {
        SheetPlace {
            row: None,
            ..self.row_place(0)
        }
    }
}

/// Where something stands.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SheetPlace {
    /// The sheet, where there are several.
    pub sheet: Option<Box<str>>,
    /// The number of the row.
    pub row: Option<usize>,
    /// The column, from 0, and its heading.
    pub column: Option<(usize, String)>,
    /// Whether rows and columns are those of a spreadsheet.
    pub counted: bool,
}

impl fmt::Display for SheetPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(sheet) = &self.sheet {
            parts.push(format!("sheet \"{sheet}\""));
        }
        if let Some(row) = self.row {
            parts.push(format!("{} {row}", if self.counted { "row" } else { "card" }));
        }
        match &self.column {
            Some((column, heading)) if self.counted && heading.is_empty() => {
                parts.push(format!("column {}", excel_letters(*column)));
            }
            Some((column, heading)) if self.counted => {
                parts.push(format!("column {} (\"{heading}\")", excel_letters(*column)));
            }
            Some((_, heading)) => parts.push(format!("\"{heading}\"")),
            None => {}
        }
        f.write_str(&parts.join(", "))
    }
}

/// The letters of a column, as spreadsheets have them: 0 is A, 26 is AA.
pub fn excel_letters(column: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        let letter = u8::try_from((rest - 1) % 26).unwrap_or(0);
        letters.push(char::from(b'A' + letter));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

/// What is wrong with a sheet, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", told(file, place, message, help.as_deref()))]
pub struct SheetFinding {
    /// The file.
    pub file: Box<str>,
    /// The place in it.
    pub place: SheetPlace,
    /// What is wrong: one sentence without its full stop.
    pub message: Box<str>,
    /// What helps, if that can be said.
    pub help: Option<Box<str>>,
}

fn told(file: &str, place: &SheetPlace, message: &str, help: Option<&str>) -> String {
    let place = place.to_string();
    let at = if place.is_empty() {
        place
    } else {
        format!(" {place}:")
    };
    let help = help.map_or_else(String::new, |help| format!("; {help}"));
    format!("{file}:{at} {message}{help}")
}

impl SheetFinding {
    /// A finding at a place.
    pub fn new(file: &str, place: SheetPlace, message: impl Into<String>) -> SheetFinding {
        SheetFinding {
            file: file.into(),
            place,
            message: message.into().into_boxed_str(),
            help: None,
        }
    }

    /// The finding with what helps.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> SheetFinding {
        self.help = Some(help.into().into_boxed_str());
        self
    }
}

/// How much of a file is read at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetLimits {
    /// Bytes of the file, and of a workbook's parts together when they are unpacked.
    pub bytes: usize,
    /// Rows of a table.
    pub rows: usize,
    /// Columns of a table.
    pub columns: usize,
    /// Cells of all tables together.
    pub cells: usize,
    /// Bytes of one cell.
    pub cell: usize,
    /// Tables.
    pub tables: usize,
    /// Findings that are reported.
    pub findings: usize,
}

impl Default for SheetLimits {
    fn default() -> SheetLimits {
        SheetLimits {
            bytes: 64 << 20,
            rows: 100_000,
            columns: 500,
            cells: 4_000_000,
            cell: 32_768,
            tables: 1_000,
            findings: 100,
        }
    }
}

/// Puts rows together, within the limits.
pub(crate) struct TableBuilder<'l> {
    pub(crate) file: String,
    pub(crate) limits: &'l SheetLimits,
    pub(crate) table: SheetTable,
    /// Cells and bytes so far, those of earlier tables too.
    taken: (usize, usize),
    has_headings: bool,
}

impl<'l> TableBuilder<'l> {
    pub(crate) fn new(file: &str, name: &str, limits: &'l SheetLimits) -> TableBuilder<'l> {
        TableBuilder {
            file: file.to_owned(),
            limits,
            table: SheetTable {
                name: name.to_owned(),
                counted: true,
                ..SheetTable::default()
            },
            taken: (0, 0),
            has_headings: false,
        }
    }

    /// Begins with the cells and bytes that other tables have already.
    pub(crate) fn after(mut self, taken: (usize, usize)) -> TableBuilder<'l> {
        self.taken = taken;
        self
    }

    pub(crate) fn finish(self) -> (SheetTable, (usize, usize)) {
        (self.table, self.taken)
    }

    /// A finding at a cell.
    pub(crate) fn wrong(
        &self,
        row: usize,
        column: Option<usize>,
        message: impl Into<String>,
    ) -> SheetFinding {
        let place = match column {
            Some(column) => self.table.place(row, column),
            None => self.table.row_place(row),
        };
        SheetFinding::new(&self.file, place, message)
    }

    /// Takes a row; the first with any text holds the headings.
    pub(crate) fn row(&mut self, number: usize, mut cells: Vec<String>) -> Result<(), SheetFinding> {
        while cells.last().is_some_and(String::is_empty) {
            cells.pop();
        }
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            return Ok(());
        }
        let SheetLimits {
            rows, columns, cell, ..
        } = *self.limits;
        if cells.len() > columns {
            let message = format!("there are more than {columns} columns");
            return Err(self.wrong(number, Some(columns), message));
        }
        if let Some(at) = cells.iter().position(|text| text.len() > cell) {
            let message = format!("the text is longer than {cell} bytes");
            return Err(self.wrong(number, Some(at), message).help("shorten it"));
        }
        let bad = |letter: char| {
            letter < ' ' && !matches!(letter, '\n' | '\t' | '\r')
                || ('\u{fffe}'..='\u{ffff}').contains(&letter)
        };
        for (at, text) in cells.iter_mut().enumerate() {
            if text.contains('\r') {
                *text = text.replace("\r\n", "\n").replace('\r', "\n");
            }
            if let Some(letter) = text.chars().find(|letter| bad(*letter)) {
                let message = format!("there is a control character (U+{:04X})", u32::from(letter));
                return Err(self.wrong(number, Some(at), message).help("delete it"));
            }
        }
        self.taken.0 += cells.len();
        // A workbook may name one long text in very many cells.
        self.taken.1 += cells.iter().map(String::len).sum::<usize>();
        if self.taken.1 > self.limits.bytes {
            let message = format!("the cells have more than {} bytes", self.limits.bytes);
            return Err(self.wrong(number, None, message).help("split the file"));
        }
        if self.taken.0 > self.limits.cells {
            let message = format!("there are more than {} cells", self.limits.cells);
            return Err(self.wrong(number, None, message).help("split the file"));
        }
        if !self.has_headings {
            self.has_headings = true;
            self.table.heading_row = number;
            self.table.headings = cells.iter().map(|cell| cell.trim().to_owned()).collect();
            return Ok(());
        }
        if self.table.rows.len() >= rows {
            let message = format!("there are more than {rows} rows");
            return Err(self.wrong(number, None, message).help("split the file"));
        }
        self.table.rows.push(SheetRow { number, cells });
        Ok(())
    }
}
