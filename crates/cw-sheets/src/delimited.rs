//! CSV and TSV: read with the separator guessed, written as spreadsheets want it.

use crate::decode::decode;
use crate::table::TableBuilder;
use crate::{SheetBook, SheetFinding, SheetLimits, SheetPlace, SheetTable};

/// Reads a table of text. `quoted` is false where quotes are letters as any other, as Lackey has it.
pub(crate) fn read_delimited(
    file: &str,
    bytes: &[u8],
    quoted: bool,
    limits: &SheetLimits,
) -> Result<SheetBook, SheetFinding> {
    let (text, encoding) =
        decode(bytes).map_err(|why| SheetFinding::new(file, SheetPlace::default(), why))?;
    let mut notes = Vec::new();
    if encoding == "Windows-1252" {
        notes.push(format!("{file} is taken for Windows-1252, since it is not UTF-8"));
    }
    let (text, separator) = match quoted {
        true => separator(&text),
        false => (text.as_str(), '\t'),
    };
    let mut reading = DelimitedReading {
        builder: TableBuilder::new(file, "", limits),
        separator,
        quoted,
    };
    reading.rows(text)?;
    let (table, _) = reading.builder.finish();
    Ok(SheetBook {
        file: file.to_owned(),
        tables: vec![table],
        notes,
    })
}

/// What separates cells: what a first line `sep=` says, else the one that stands most often outside of quotes
/// in the line of headings.
fn separator(text: &str) -> (&str, char) {
    if let Some(rest) = text.strip_prefix("sep=") {
        let mut letters = rest.chars();
        let found = letters.next().filter(|letter| ",;\t|".contains(*letter));
        let line = letters.as_str();
        let after = line.strip_prefix("\r\n").or_else(|| line.strip_prefix('\n'));
        if let (Some(found), Some(after)) = (found, after) {
            return (after, found);
        }
    }
    let mut counts = [('\t', 0), (';', 0), (',', 0), ('|', 0)];
    let mut inside = false;
    for letter in text.trim_start_matches(['\r', '\n']).chars() {
        match letter {
            '"' => inside = !inside,
            '\n' | '\r' if !inside => break,
            _ if inside => {}
            _ => {
                if let Some((_, count)) = counts.iter_mut().find(|(separator, _)| *separator == letter) {
                    *count += 1;
                }
            }
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let found = counts.iter().find(|(_, count)| *count == most && most > 0);
    (text, found.map_or(',', |(separator, _)| *separator))
}

struct DelimitedReading<'l> {
    builder: TableBuilder<'l>,
    separator: char,
    quoted: bool,
}

impl DelimitedReading<'_> {
    fn rows(&mut self, text: &str) -> Result<(), SheetFinding> {
        let mut rest = text;
        let mut number = 0;
        while !rest.is_empty() {
            number += 1;
            let mut cells = Vec::new();
            loop {
                let (cell, after, ends) = self.cell(rest, number, cells.len())?;
                if cells.len() > self.builder.limits.columns {
                    let message = format!("there are more than {} columns", self.builder.limits.columns);
                    return Err(self.builder.wrong(number, Some(cells.len() - 1), message));
                }
                cells.push(cell);
                rest = after;
                if ends {
                    break;
                }
            }
            self.builder.row(number, cells)?;
        }
        Ok(())
    }

    /// The next cell, what stands behind it, and whether it ends its row.
    fn cell<'t>(
        &self,
        text: &'t str,
        row: usize,
        column: usize,
    ) -> Result<(String, &'t str, bool), SheetFinding> {
        let ends = |letter: char| letter == self.separator || letter == '\n' || letter == '\r';
        let Some(quoted) = text.strip_prefix('"').filter(|_| self.quoted) else {
            let end = text.find(ends).unwrap_or(text.len());
            let (cell, rest) = text.split_at(end);
            let (rest, last) = self.after(rest);
            return Ok((unescaped(cell), rest, last));
        };
        let mut cell = String::new();
        let mut rest = quoted;
        loop {
            let Some(at) = rest.find('"') else {
                let wrong = self.builder.wrong(
                    row,
                    Some(column),
                    "the quote at the beginning of the cell is never closed",
                );
                return Err(wrong.help("write the missing `\"`; one inside a cell is written twice"));
            };
            cell.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            match rest.strip_prefix('"') {
                Some(after) => {
                    cell.push('"');
                    rest = after;
                }
                None => break,
            }
        }
        if !(rest.is_empty() || rest.starts_with(ends)) {
            let wrong = self
                .builder
                .wrong(row, Some(column), "there is text behind the closing quote");
            return Err(wrong.help("a quote inside a cell is written twice"));
        }
        let (rest, last) = self.after(rest);
        Ok((unescaped(&cell), rest, last))
    }

    /// Takes off the separator or the end of the line.
    fn after<'t>(&self, rest: &'t str) -> (&'t str, bool) {
        match rest.strip_prefix(self.separator) {
            Some(rest) => (rest, false),
            None => {
                let after = rest
                    .strip_prefix("\r\n")
                    .or_else(|| rest.strip_prefix(['\n', '\r']));
                (after.unwrap_or(rest), true)
            }
        }
    }
}

/// A cell that a spreadsheet would take for a formula is written with `'` before it.
const FORMULA: [char; 5] = ['=', '+', '-', '@', '\''];

fn unescaped(cell: &str) -> String {
    let inner = cell.strip_prefix('\'').filter(|inner| inner.starts_with(FORMULA));
    inner.unwrap_or(cell).to_owned()
}

fn escaped(cell: &str) -> String {
    let is_number = || cell.parse::<f64>().is_ok();
    let formula = cell.starts_with(['=', '+', '-', '@']) && !is_number();
    match formula || unescaped(cell) != cell {
        true => format!("'{cell}"),
        false => cell.to_owned(),
    }
}

/// Writes a table as text: with a byte-order mark, and lines that end as RFC 4180 wants it. What it writes is
/// read back as the same.
pub fn write_delimited(table: &SheetTable, separator: char) -> Vec<u8> {
    let mut out = String::from("\u{feff}");
    let rows = table.rows.iter().map(|row| &row.cells);
    for (number, cells) in std::iter::once(&table.headings).chain(rows).enumerate() {
        for at in 0..table.headings.len() {
            if at > 0 {
                out.push(separator);
            }
            let cell = escaped(cells.get(at).map_or("", String::as_str));
            // By the line of headings readers guess the separator: no other one may stand free in it.
            let others = if number == 0 { ",;\t|" } else { "" };
            let special =
                |letter: char| letter == separator || "\"\n\r".contains(letter) || others.contains(letter);
            if cell.contains(special) {
                out.push_str(&format!("\"{}\"", cell.replace('"', "\"\"")));
            } else {
                out.push_str(&cell);
            }
        }
        out.push_str("\r\n");
    }
    out.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, wanted: &[&[&str]]) {
        let book = read_delimited("a.csv", text.as_bytes(), true, &SheetLimits::default()).unwrap();
        let table = &book.tables[0];
        let rows = table.rows.iter().map(|row| row.cells.clone());
        let all: Vec<Vec<String>> = std::iter::once(table.headings.clone()).chain(rows).collect();
        assert_eq!(all, wanted, "{text}");
    }

    #[test]
    fn separators_quotes_and_line_ends() {
        check("a,b\n1,2", &[&["a", "b"], &["1", "2"]]);
        check("a;b,c\r\n1;2\r\n", &[&["a", "b,c"], &["1", "2"]]);
        check("a;b\r1;2", &[&["a", "b"], &["1", "2"]]);
        check("sep=|\na,b|c\n", &[&["a,b", "c"]]);
        check(
            "a\tb\n\"x\n\"\"y\"\"\"\t'=2\n",
            &[&["a", "b"], &["x\n\"y\"", "=2"]],
        );
        check("\n\na,b\n,\n,x\n", &[&["a", "b"], &["", "x"]]);
        check("a,b\n'tis,''x\n", &[&["a", "b"], &["'tis", "'x"]]);
    }
}
