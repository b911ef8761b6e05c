//! One cell that a sheet and a package both have: which of them changed it since the sheet was last imported.

/// What becomes of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellMerge {
    /// Both say the same.
    Same,
    /// The sheet changed it: its value comes into the package.
    Take,
    /// The package changed it, or it only looks changed: the package keeps its value.
    Keep,
    /// The spreadsheet shows the value otherwise, as a number that lost its zeros: the package keeps it.
    Looks,
    /// Both changed it, each otherwise.
    Conflict,
}

/// Merges a cell. Without a base, whatever the sheet says otherwise is its change.
///
/// ```
/// use cw_sheets::{CellMerge, merge_cell};
///
/// assert_eq!(merge_cell("3", "2", Some("2")), CellMerge::Take);
/// assert_eq!(merge_cell("2", "3", Some("2")), CellMerge::Keep);
/// assert_eq!(merge_cell("4", "3", Some("2")), CellMerge::Conflict);
/// assert_eq!(merge_cell("7", "007", None), CellMerge::Looks);
/// ```
pub fn merge_cell(sheet: &str, package: &str, base: Option<&str>) -> CellMerge {
    if is_same(sheet, package) {
        return CellMerge::Same;
    }
    match base {
        Some(base) if is_same(sheet, base) => CellMerge::Keep,
        Some(base) if looks_same(sheet, base) => CellMerge::Looks,
        _ if looks_same(sheet, package) => CellMerge::Looks,
        Some(base) if !is_same(package, base) => CellMerge::Conflict,
        Some(_) | None => CellMerge::Take,
    }
}

/// Line ends are a matter of the system.
fn is_same(one: &str, other: &str) -> bool {
    let lines = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    one == other || (one.contains('\r') || other.contains('\r')) && lines(one) == lines(other)
}

/// Whether a spreadsheet made one of the other: `007` is 7 to it, and `1.50` is 1.5.
fn looks_same(sheet: &str, kept: &str) -> bool {
    let number = |text: &str| {
        let begins = text.starts_with(|letter: char| letter.is_ascii_digit() || "+-.".contains(letter));
        text.parse::<f64>().ok().filter(|_| begins)
    };
    match (number(sheet), number(kept)) {
        (Some(one), Some(other)) => one == other && one.to_string() == sheet,
        _ => false,
    }
}
