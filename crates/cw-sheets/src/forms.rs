//! Which kind of file it is, and the one door through which all of them are read.

use crate::cockatrice::read_cockatrice;
use crate::delimited::read_delimited;
use crate::mtgjson::read_mtgjson;
use crate::xlsx::read_xlsx;
use crate::{SheetBook, SheetFinding, SheetLimits, SheetPlace};

/// A kind of file that cards are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetForm {
    /// CSV, TSV and what is like them.
    Delimited,
    /// A workbook of Excel.
    Xlsx,
    /// `carddata.txt` of Lackey: tabs, quotes are letters.
    Lackey,
    /// Cards of Cockatrice, in XML.
    Cockatrice,
    /// A set of MTGJSON.
    Mtgjson,
}

impl SheetForm {
    /// The form of a file, by its first bytes, and by its name where these say nothing.
    pub fn of(name: &str, bytes: &[u8]) -> SheetForm {
        let lower = name.to_lowercase();
        let file = lower.rsplit(['/', '\\']).next().unwrap_or(&lower);
        let body = bytes
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(bytes)
            .trim_ascii_start();
        match body {
            [b'P', b'K', 3 | 5, ..] | [0xd0, 0xcf, 0x11, 0xe0, ..] => SheetForm::Xlsx,
            [b'<', ..] => SheetForm::Cockatrice,
            [b'{', ..] => SheetForm::Mtgjson,
            _ if file.starts_with("carddata") && file.ends_with(".txt") => SheetForm::Lackey,
            _ => match file.rsplit_once('.').map(|(_, ending)| ending) {
                Some("xlsx" | "xlsm") => SheetForm::Xlsx,
                Some("xml") => SheetForm::Cockatrice,
                Some("json") => SheetForm::Mtgjson,
                _ => SheetForm::Delimited,
            },
        }
    }
}

/// Reads a file of this form; `file` is its name in findings.
///
/// # Errors
/// The first thing that keeps it from being read, at its place.
pub fn read(
    file: &str,
    bytes: &[u8],
    form: SheetForm,
    limits: &SheetLimits,
) -> Result<SheetBook, SheetFinding> {
    if bytes.len() > limits.bytes {
        let message = format!("the file has more than {} bytes", limits.bytes);
        return Err(SheetFinding::new(file, SheetPlace::default(), message));
    }
    let book = match form {
        SheetForm::Delimited => read_delimited(file, bytes, true, limits),
        SheetForm::Lackey => read_delimited(file, bytes, false, limits),
        SheetForm::Xlsx => read_xlsx(file, bytes, limits),
        SheetForm::Cockatrice => read_cockatrice(file, bytes, limits),
        SheetForm::Mtgjson => read_mtgjson(file, bytes, limits),
    }?;
    if book.tables.iter().all(|table| table.rows.is_empty()) {
        let wrong = SheetFinding::new(file, SheetPlace::default(), "there is no card in it");
        return Err(wrong.help("the first row holds the headings, each further row a card"));
    }
    Ok(book)
}
