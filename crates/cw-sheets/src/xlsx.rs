//! Workbooks: sheets are tables; formatted pieces of a cell become simple marks.

use std::collections::BTreeMap;

use cw_octgn::{Archive, PackageFiles, PackageLimits};

use crate::table::TableBuilder;
use crate::xml::{XmlPart, XmlParts, attribute};
use crate::{SheetBook, SheetFinding, SheetLimits, SheetPlace};

/// Reads an `.xlsx` file.
pub(crate) fn read_xlsx(file: &str, bytes: &[u8], limits: &SheetLimits) -> Result<SheetBook, SheetFinding> {
    let wrong = |message: String| SheetFinding::new(file, SheetPlace::default(), message);
    if bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) {
        let wrong = wrong("this is a workbook of an old Excel, or one with a password".to_owned());
        return Err(wrong.help("save it as .xlsx, without a password"));
    }
    let unpacking = PackageLimits {
        unpacked: limits.bytes as u64,
        file: limits.bytes as u64,
        ..PackageLimits::default()
    };
    let archive =
        Archive::new(bytes, &unpacking).map_err(|why| wrong(format!("this is not a workbook: {why}")))?;
    let mut reading = WorkbookReading {
        file,
        limits,
        archive,
        left: limits.bytes,
        strings: Vec::new(),
        dates: Vec::new(),
        from_1904: false,
    };
    reading.book()
}

struct WorkbookReading<'l> {
    file: &'l str,
    limits: &'l SheetLimits,
    archive: Archive,
    /// Bytes that may still be unpacked.
    left: usize,
    /// Texts that cells name by number.
    strings: Vec<String>,
    /// Which formats of cells show a date.
    dates: Vec<bool>,
    from_1904: bool,
}

impl WorkbookReading<'_> {
    fn wrong(&self, part: &str, why: impl std::fmt::Display) -> SheetFinding {
        SheetFinding::new(self.file, SheetPlace::default(), format!("{part}: {why}"))
    }

    /// The text of a part; nothing if there is none.
    fn part(&mut self, name: &str) -> Result<Option<String>, SheetFinding> {
        let most = self.left as u64;
        let bytes = match self.archive.read(name, most) {
            Ok(bytes) => bytes,
            Err(cw_octgn::FilesError::NotFound { .. }) => return Ok(None),
            Err(cw_octgn::FilesError::TooLarge { .. }) => {
                let message = format!("unpacked, the workbook has more than {} bytes", self.limits.bytes);
                return Err(SheetFinding::new(self.file, SheetPlace::default(), message));
            }
            Err(why) => return Err(self.wrong(name, why)),
        };
        self.left = self.left.saturating_sub(bytes.len());
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(
                text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text),
            )),
            Err(_) => Err(self.wrong(name, "this is not UTF-8")),
        }
    }

    fn book(&mut self) -> Result<SheetBook, SheetFinding> {
        const WORKBOOK: &str = "xl/workbook.xml";
        let mut book = SheetBook {
            file: self.file.to_owned(),
            ..SheetBook::default()
        };
        let Some(workbook) = self.part(WORKBOOK)? else {
            return Err(self.wrong(
                WORKBOOK,
                "there is no such part, so this is not a workbook of Excel",
            ));
        };
        let targets = self.targets()?;
        self.read_strings()?;
        self.read_styles()?;
        let mut sheets = Vec::new();
        for part in XmlParts::new(&workbook) {
            match part.map_err(|why| self.wrong(WORKBOOK, why))? {
                XmlPart::Open(name, attributes) if name == "sheet" => {
                    let title = attribute(&attributes, "name").unwrap_or_default().to_owned();
                    let hidden = attribute(&attributes, "state").is_some_and(|state| state != "visible");
                    let relation = attributes.iter().find(|(key, _)| key.ends_with(":id"));
                    let target = relation.and_then(|(_, id)| targets.get(id)).cloned();
                    sheets.push((title, hidden, target));
                }
                XmlPart::Open(name, attributes) if name == "workbookPr" => {
                    self.from_1904 = matches!(attribute(&attributes, "date1904"), Some("1" | "true"));
                }
                XmlPart::Open(..) | XmlPart::Close(_) | XmlPart::Text(_) => {}
            }
        }
        if sheets.len() > self.limits.tables {
            return Err(self.wrong(
                WORKBOOK,
                format!("there are more than {} sheets", self.limits.tables),
            ));
        }
        let mut taken = (0, 0);
        for (title, hidden, target) in sheets {
            if hidden {
                book.notes
                    .push(format!("the hidden sheet \"{title}\" is left out"));
                continue;
            }
            let Some(path) = target else { continue };
            let Some(text) = self.part(&path)? else {
                return Err(self.wrong(&path, "there is no such part"));
            };
            let builder = TableBuilder::new(self.file, &title, self.limits).after(taken);
            let table;
            (table, taken) = self.sheet(&text, &path, builder)?.finish();
            if !table.headings.is_empty() {
                book.tables.push(table);
            }
        }
        Ok(book)
    }

    /// Where the sheets are, by the id of their relation.
    fn targets(&mut self) -> Result<BTreeMap<String, String>, SheetFinding> {
        const RELATIONS: &str = "xl/_rels/workbook.xml.rels";
        let mut targets = BTreeMap::new();
        let text = self.part(RELATIONS)?.unwrap_or_default();
        for part in XmlParts::new(&text) {
            if let XmlPart::Open(_, attributes) = part.map_err(|why| self.wrong(RELATIONS, why))?
                && let (Some(id), Some(target)) =
                    (attribute(&attributes, "Id"), attribute(&attributes, "Target"))
            {
                let path = match target.strip_prefix('/') {
                    Some(whole) => whole.to_owned(),
                    None => format!("xl/{target}"),
                };
                targets.insert(id.to_owned(), path);
            }
        }
        Ok(targets)
    }

    fn read_strings(&mut self) -> Result<(), SheetFinding> {
        const STRINGS: &str = "xl/sharedStrings.xml";
        let text = self.part(STRINGS)?.unwrap_or_default();
        let mut one = RichCell::default();
        for part in XmlParts::new(&text) {
            let part = part.map_err(|why| self.wrong(STRINGS, why))?;
            let ends = matches!(&part, XmlPart::Close(name) if name == "si");
            one.take(part);
            if ends {
                self.strings.push(std::mem::take(&mut one).text());
            }
        }
        Ok(())
    }

    fn read_styles(&mut self) -> Result<(), SheetFinding> {
        const STYLES: &str = "xl/styles.xml";
        let text = self.part(STYLES)?.unwrap_or_default();
        let mut own: BTreeMap<u32, bool> = BTreeMap::new();
        let mut in_cells = false;
        for part in XmlParts::new(&text) {
            match part.map_err(|why| self.wrong(STYLES, why))? {
                XmlPart::Open(name, attributes) => {
                    let number = attribute(&attributes, "numFmtId").and_then(|id| id.parse::<u32>().ok());
                    match name.as_str() {
                        "numFmt" => {
                            let code = attribute(&attributes, "formatCode").unwrap_or_default();
                            own.insert(number.unwrap_or(0), shows_date(code));
                        }
                        "cellXfs" => in_cells = true,
                        "xf" if in_cells => {
                            let number = number.unwrap_or(0);
                            let built_in = matches!(number, 14..=22 | 27..=36 | 45..=47 | 50..=58);
                            self.dates.push(own.get(&number).copied().unwrap_or(built_in));
                        }
                        _ => {}
                    }
                }
                XmlPart::Close(name) if name == "cellXfs" => in_cells = false,
                XmlPart::Close(_) | XmlPart::Text(_) => {}
            }
        }
        Ok(())
    }

    fn sheet<'b>(
        &self,
        text: &str,
        path: &str,
        mut builder: TableBuilder<'b>,
    ) -> Result<TableBuilder<'b>, SheetFinding> {
        let mut row: Vec<String> = Vec::new();
        let (mut number, mut column) = (0_usize, 0_usize);
        let mut cell = BookCell::default();
        for part in XmlParts::new(text) {
            match part.map_err(|why| self.wrong(path, why))? {
                XmlPart::Open(name, attributes) if name == "row" => {
                    let given = attribute(&attributes, "r").and_then(|row| row.parse().ok());
                    number = given.unwrap_or(number.saturating_add(1));
                    column = 0;
                    row.clear();
                }
                XmlPart::Open(name, attributes) if name == "c" => {
                    if let Some(place) = attribute(&attributes, "r") {
                        column = column_of(place).unwrap_or(column);
                    }
                    let style = attribute(&attributes, "s").and_then(|style| style.parse::<usize>().ok());
                    cell = BookCell {
                        kind: attribute(&attributes, "t").unwrap_or("n").to_owned(),
                        is_date: style.and_then(|style| self.dates.get(style).copied()) == Some(true),
                        ..BookCell::default()
                    };
                }
                XmlPart::Close(name) if name == "c" => {
                    if column > self.limits.columns {
                        let message = format!("there are more than {} columns", self.limits.columns);
                        return Err(builder.wrong(number, Some(column), message));
                    }
                    let text = self.value(&cell, number, column, &builder)?;
                    if !text.is_empty() {
                        row.resize(row.len().max(column + 1), String::new());
                        row[column] = text;
                    }
                    column += 1;
                }
                XmlPart::Close(name) if name == "row" => builder.row(number, std::mem::take(&mut row))?,
                part => cell.take(part),
            }
        }
        Ok(builder)
    }

    fn value(
        &self,
        cell: &BookCell,
        row: usize,
        column: usize,
        builder: &TableBuilder<'_>,
    ) -> Result<String, SheetFinding> {
        let value = cell.value.trim();
        match cell.kind.as_str() {
            "s" => {
                let text = value.parse::<usize>().ok().and_then(|at| self.strings.get(at));
                text.cloned().ok_or_else(|| {
                    builder.wrong(
                        row,
                        Some(column),
                        format!("the workbook has no text number {value}"),
                    )
                })
            }
            "inlineStr" => Ok(cell.rich.clone().text()),
            "str" => Ok(cell.value.clone()),
            "b" => Ok(if value == "1" { "TRUE" } else { "FALSE" }.to_owned()),
            "e" => {
                let wrong = builder.wrong(
                    row,
                    Some(column),
                    format!("the formula ends with an error ({value})"),
                );
                Err(wrong.help("write a value instead"))
            }
            _ => {
                let heading = builder.table.headings.get(column);
                let Ok(number) = value.parse::<f64>() else {
                    return Ok(value.to_owned());
                };
                if !cell.is_date {
                    return Ok(number_text(number));
                }
                let date = date_text(number, self.from_1904);
                if heading.is_some_and(|heading| heading.to_lowercase().contains("date")) {
                    return Ok(date);
                }
                let wrong = builder.wrong(
                    row,
                    Some(column),
                    format!("the spreadsheet has made a date of this ({date})"),
                );
                Err(wrong.help("format the column as text, and write the cell again"))
            }
        }
    }
}

/// A cell while it is read.
#[derive(Default)]
struct BookCell {
    kind: String,
    is_date: bool,
    value: String,
    in_value: bool,
    rich: RichCell,
}

impl BookCell {
    fn take(&mut self, part: XmlPart) {
        match &part {
            XmlPart::Open(name, _) if name == "v" => self.in_value = true,
            XmlPart::Close(name) if name == "v" => self.in_value = false,
            XmlPart::Text(text) if self.in_value => self.value.push_str(text),
            XmlPart::Open(..) | XmlPart::Close(_) | XmlPart::Text(_) => {}
        }
        self.rich.take(part);
    }
}

/// A text of runs, of which some are bold or italic.
#[derive(Clone, Default)]
struct RichCell {
    runs: Vec<(bool, bool, String)>,
    bold: bool,
    italic: bool,
    in_text: bool,
    /// Inside of what is only said beside the text.
    phonetic: bool,
}

impl RichCell {
    fn take(&mut self, part: XmlPart) {
        match part {
            XmlPart::Open(name, attributes) => {
                let on = !matches!(attribute(&attributes, "val"), Some("0" | "false"));
                match name.as_str() {
                    "r" => (self.bold, self.italic) = (false, false),
                    "b" => self.bold = on,
                    "i" => self.italic = on,
                    "rPh" => self.phonetic = true,
                    "t" if !self.phonetic => {
                        self.in_text = true;
                        self.runs.push((self.bold, self.italic, String::new()));
                    }
                    _ => {}
                }
            }
            XmlPart::Close(name) => match name.as_str() {
                "t" => self.in_text = false,
                "rPh" => self.phonetic = false,
                _ => {}
            },
            XmlPart::Text(text) => {
                if self.in_text
                    && let Some((_, _, run)) = self.runs.last_mut()
                {
                    run.push_str(&text);
                }
            }
        }
    }

    /// The text; where its pieces are formatted differently, with marks. Excel writes some letters as
    /// `_x000D_`.
    fn text(self) -> String {
        let first = self.runs.first().map(|(bold, italic, _)| (*bold, *italic));
        let is_one = self
            .runs
            .iter()
            .all(|(bold, italic, _)| Some((*bold, *italic)) == first);
        let mut out = String::new();
        for (bold, italic, text) in &self.runs {
            let inner = text.trim();
            if is_one || inner.is_empty() || !(*bold || *italic) {
                out.push_str(text);
                continue;
            }
            let start = text.len() - text.trim_start().len();
            out.push_str(&text[..start]);
            let mut marked = inner.to_owned();
            if *italic {
                marked = format!("_{marked}_");
            }
            if *bold {
                marked = format!("*{marked}*");
            }
            out.push_str(&marked);
            out.push_str(&text[start + inner.len()..]);
        }
        out.replace("_x000D_", "")
    }
}

/// The column of `AB12`, from 0.
fn column_of(place: &str) -> Option<usize> {
    let letters = place.bytes().take_while(u8::is_ascii_uppercase);
    let number = letters
        .take(4)
        .fold(0, |sum, letter| sum * 26 + usize::from(letter - b'A') + 1);
    number.checked_sub(1)
}

/// Whether a format has day, month, year or hour outside of quotes and brackets.
fn shows_date(code: &str) -> bool {
    let (mut quoted, mut bracketed, mut escaped) = (false, false, false);
    for letter in code.chars() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            '[' if !quoted => bracketed = true,
            ']' if !quoted => bracketed = false,
            'd' | 'D' | 'm' | 'M' | 'y' | 'Y' | 'h' | 'H' if !quoted && !bracketed => return true,
            _ => {}
        }
    }
    false
}

/// A number as a person would write it.
fn number_text(number: f64) -> String {
    // Whole numbers up to here are exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match number.fract() == 0.0 && number.abs() < EXACT {
        true => format!("{number:.0}"),
        false => number.to_string(),
    }
}

/// The day of a number of days.
fn date_text(number: f64, from_1904: bool) -> String {
    if !(0.0..3_000_000.0).contains(&number) {
        return number_text(number);
    }
    // Days since 1 March of the year 0: 30 December 1899 is day 693 899.
    #[expect(clippy::cast_possible_truncation, reason = "it lies within the range above")]
    let days = number.floor() as i64 + if from_1904 { 693_901 + 1460 } else { 693_899 };
    let era = days / 146_097;
    let day = days % 146_097;
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let rest = day - (365 * year + year / 4 - year / 100);
    let month = (5 * rest + 2) / 153;
    let date = rest - (153 * month + 2) / 5 + 1;
    let (year, month) = match month < 10 {
        true => (year + era * 400, month + 3),
        false => (year + era * 400 + 1, month - 9),
    };
    format!("{year:04}-{month:02}-{date:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_spreadsheets() {
        for (number, wanted) in [
            (60.0, "1900-02-28"),
            (25_569.0, "1970-01-01"),
            (46_024.5, "2026-01-02"),
        ] {
            // Excel's own day 60 never was; the day before it is meant.
            let number = if number == 60.0 { 60.0 } else { number };
            assert_eq!(date_text(number, false), wanted);
        }
        assert_eq!(date_text(0.0, true), "1904-01-01");
        assert!(shows_date("yyyy\\-mm") && !shows_date("0.00\" days\"") && !shows_date("[Red]0"));
        assert_eq!(
            (column_of("A1"), column_of("AB12"), column_of("7")),
            (Some(0), Some(27), None)
        );
        assert_eq!(
            (number_text(3.0), number_text(1.1)),
            ("3".to_owned(), "1.1".to_owned())
        );
    }
}
