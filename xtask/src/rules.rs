//! Which rules of `docs/spec` are proved by a test, and whether every citation has its rule.
//!
//! A rule is defined where its id stands in bold or begins a line, a list item or a table row of
//! the specifications; a finding also where it has a page in `docs/findings`. It is cited wherever its id
//! stands in a comment or a string of a Rust file, or anywhere in a rule, scenario or corpus file. A citation
//! counts as a test's if it stands in a test file, or below `#[cfg(test)]`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::{bail, ensure};

use crate::repository;

/// How much to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// A line per family.
    Counts,
    /// Also every id without a test.
    Ids,
}

/// Families of ids and what they are, longest prefix first among those that share a letter.
const FAMILIES: [(&str, &str); 13] = [
    ("RS", "diagnostics of RuleScript"),
    ("RQ", "quirks of RuleScript"),
    ("R", "RuleScript"),
    ("GQ", "quirks of the game"),
    ("G", "the game"),
    ("PK", "diagnostics of packages"),
    ("P", "packages"),
    ("D", "decisions"),
    ("F", "the free table"),
    ("S", "scripts of packages"),
    ("C", "choices of players"),
    ("T", "scenarios worth a test"),
    ("O", "open points"),
];

/// Stands in tests for a code that does not exist.
const NO_CODE: u32 = 999;

/// An id: family, number, and a letter where the specification has one (`P59b`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Id {
    family: usize,
    number: u32,
    letter: Option<char>,
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let family = FAMILIES[self.family].0;
        let width = if matches!(family, "RS" | "PK") { 3 } else { 0 };
        write!(f, "{family}{:0width$}", self.number)?;
        self.letter.map_or(Ok(()), |letter| write!(f, "{letter}"))
    }
}

/// Prints what is proved and what is not.
///
/// # Errors
/// If something is cited that no specification defines.
pub(crate) fn report(detail: Detail) -> anyhow::Result<()> {
    let mut defined = BTreeSet::new();
    let mut tested = BTreeSet::new();
    let mut cited = BTreeSet::new();
    let mut unknown = BTreeMap::new();
    let files = repository::files()?;
    for file in &files {
        let defines = file.starts_with("docs/spec/") || file.starts_with("docs/findings/");
        if defines && file.ends_with(".md") {
            let text = repository::text(file)?.unwrap_or_default();
            text.lines().for_each(|line| define(line, &mut defined));
        }
    }
    ensure!(
        !defined.is_empty(),
        "docs/spec defines no rules: is this the whole repository?"
    );
    for file in &files {
        let Some(kind) = Kind::of(file) else { continue };
        let Some(text) = repository::text(file)? else {
            continue;
        };
        for citation in citations(&text, kind) {
            if citation.id.number == NO_CODE || (citation.within && !defined.contains(&citation.id)) {
                continue;
            }
            if !defined.contains(&citation.id) {
                unknown
                    .entry(citation.id)
                    .or_insert_with(|| format!("{file}:{}", citation.line));
            } else if citation.in_test {
                tested.insert(citation.id);
            } else {
                cited.insert(citation.id);
            }
        }
    }
    print(detail, &defined, &tested, &cited);
    if unknown.is_empty() {
        return Ok(());
    }
    for (id, place) in &unknown {
        eprintln!("{place}: {id} is no rule of docs/spec");
    }
    bail!("rules: {} citations without a rule", unknown.len())
}

/// Prints every place that cites a rule, ranges included: its definitions, code, tests and scenarios.
///
/// # Errors
/// If nothing cites it.
pub(crate) fn citations_of(wanted: &str) -> anyhow::Result<()> {
    let mut count = 0;
    for file in &repository::files()? {
        let Some(kind) = Kind::of(file) else { continue };
        let Some(text) = repository::text(file)? else {
            continue;
        };
        let mut seen = BTreeSet::new();
        for citation in citations(&text, kind) {
            let is_it = citation.id.to_string().eq_ignore_ascii_case(wanted);
            if !is_it || !seen.insert(citation.line) {
                continue;
            }
            let line = text.lines().nth(citation.line - 1).unwrap_or_default().trim();
            let what = if citation.in_test { "test" } else { "code" };
            println!("{what}  {file}:{}  {line}", citation.line);
            count += 1;
        }
    }
    ensure!(count > 0, "nothing cites {wanted}: is it a rule of docs/spec?");
    Ok(())
}

fn print(detail: Detail, defined: &BTreeSet<Id>, tested: &BTreeSet<Id>, cited: &BTreeSet<Id>) {
    println!("family  rules  tested  only in code  nowhere");
    for (index, (family, what)) in FAMILIES.iter().enumerate() {
        let of_family = |id: &&Id| id.family == index;
        let all: Vec<Id> = defined.iter().filter(of_family).copied().collect();
        let (in_tests, untested): (Vec<Id>, Vec<Id>) = all.iter().partition(|id| tested.contains(id));
        let (in_code, nowhere): (Vec<Id>, Vec<Id>) = untested.iter().partition(|id| cited.contains(id));
        println!(
            "{family:<6} {:>6} {:>7} {:>13} {:>8}  {what}",
            all.len(),
            in_tests.len(),
            in_code.len(),
            nowhere.len()
        );
        if detail == Detail::Ids {
            if !in_code.is_empty() {
                println!("    only in code: {}", ranges(&in_code));
            }
            if !nowhere.is_empty() {
                println!("    nowhere: {}", ranges(&nowhere));
            }
        }
    }
}

/// Sorted ids in words: neighbours become `G1–G4`.
fn ranges(ids: &[Id]) -> String {
    let follows = |a: &Id, b: &Id| a.letter.is_none() && b.letter.is_none() && b.number == a.number + 1;
    let mut words = String::new();
    for group in ids.chunk_by(follows) {
        if !words.is_empty() {
            words.push(' ');
        }
        match group {
            [only] => write!(words, "{only}"),
            [first, .., last] => write!(words, "{first}–{last}"),
            [] => Ok(()),
        }
        .expect("a string takes everything");
    }
    words
}

/// Ids that a line of a specification defines.
fn define(line: &str, defined: &mut BTreeSet<Id>) {
    let start = line.trim_start_matches(['-', '|', '*', '`', ' ']);
    if let Some((id, rest)) = id_at(start)
        && rest.starts_with(['.', ' ', '*', '`'])
    {
        defined.insert(id);
    }
    for (before, after) in [("**", "**"), ("## ", ":")] {
        for (at, mark) in line.match_indices(before) {
            if let Some((id, rest)) = id_at(&line[at + mark.len()..])
                && rest.starts_with(after)
            {
                defined.insert(id);
            }
        }
    }
}

/// The id that a text begins with, and what follows it.
fn id_at(text: &str) -> Option<(Id, &str)> {
    let (family, (prefix, _)) = FAMILIES
        .iter()
        .enumerate()
        .find(|(_, (prefix, _))| text.starts_with(prefix))?;
    let digits = &text[prefix.len()..];
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let number = digits[..end].parse().ok()?;
    if digits.starts_with('0') && !matches!(*prefix, "RS" | "PK") {
        return None; // as in `D0`: no rule is written so
    }
    let rest = &digits[end..];
    if matches!(*prefix, "R" | "RS" | "PK") && end < 3 {
        return None; // a section, as in `R10.1`, or the beginning of a code
    }
    let mut letters = rest.chars();
    let letter = letters
        .next()
        .filter(|c| *prefix == "P" && ('a'..='f').contains(c));
    let rest = if letter.is_some() { letters.as_str() } else { rest };
    let id = Id {
        family,
        number,
        letter,
    };
    let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    ends.then_some((id, rest))
}

/// How a file cites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// In comments and strings.
    Rust {
        /// The whole file is a test.
        test: bool,
    },
    /// Anywhere.
    Test,
}

impl Kind {
    fn of(file: &str) -> Option<Kind> {
        if file.starts_with("docs/") || file.starts_with("xtask/") {
            return None;
        }
        let in_tests = file.contains("tests/");
        if file.ends_with(".rs") {
            return Some(Kind::Rust {
                test: in_tests || file.ends_with("/tests.rs"),
            });
        }
        let corpus = file.starts_with("tests/") || file.contains("-tests/");
        (corpus && (file.ends_with(".md") || file.ends_with(".toml"))).then_some(Kind::Test)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Citation {
    id: Id,
    line: usize,
    in_test: bool,
    /// Not written out, but within a range.
    within: bool,
}

fn citations(text: &str, kind: Kind) -> Vec<Citation> {
    let mut found = Vec::new();
    let (prose, mut in_test) = match kind {
        Kind::Rust { test } => (comments_and_strings(text), test),
        Kind::Test => (text.to_owned(), true),
    };
    for (index, (line, words)) in text.lines().zip(prose.lines()).enumerate() {
        in_test |= line.trim_start().starts_with("#[cfg(test)]");
        cite(words, |id, within| {
            found.push(Citation {
                id,
                line: index + 1,
                in_test,
                within,
            });
        });
    }
    found
}

/// Every id in a line; `G149–G155` cites all that it spans.
fn cite(line: &str, mut tell: impl FnMut(Id, bool)) {
    let mut before = None;
    let mut range_from: Option<Id> = None;
    let mut rest = line;
    while let Some(next) = rest.chars().next() {
        let starts = before.is_none_or(|c: char| !(c.is_alphanumeric() || "_-+#\\{.<".contains(c)));
        let id = if starts { id_at(rest) } else { None };
        let Some((id, after)) = id else {
            range_from = None;
            before = Some(next);
            rest = &rest[next.len_utf8()..];
            continue;
        };
        if let Some(first) = range_from.take().filter(|first| first.family == id.family) {
            for number in first.number + 1..id.number {
                tell(Id { number, ..first }, true);
            }
        }
        tell(id, false);
        before = Some('0');
        rest = after;
        if let Some(after) = rest.strip_prefix('–') {
            range_from = Some(id);
            before = Some('–');
            rest = after;
        }
    }
}

/// A Rust text with everything but comments and strings blanked; lines stay.
fn comments_and_strings(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let prose = prose_at(rest);
        if prose > 0 {
            out.push_str(&rest[..prose]);
            rest = &rest[prose..];
        } else {
            out.push(if next == '\n' { '\n' } else { ' ' });
            rest = &rest[next.len_utf8()..];
        }
    }
    out
}

/// Bytes of the comment or string that a text begins with; 0 if it begins with neither.
fn prose_at(text: &str) -> usize {
    let to = |end: &str, from: usize| {
        text[from..]
            .find(end)
            .map_or(text.len(), |at| from + at + end.len())
    };
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return to("*/", 2);
    }
    if text.starts_with("'\"'") {
        return 3;
    }
    if let Some(raw) = text.strip_prefix('r') {
        let marks = raw.len() - raw.trim_start_matches('#').len();
        if raw[marks..].starts_with('"') {
            return to(&format!("\"{}", "#".repeat(marks)), marks + 2);
        }
    }
    if text.starts_with('"') {
        let mut escaped = false;
        for (at, c) in text.char_indices().skip(1) {
            match c {
                '"' if !escaped => return at + 1,
                '\\' => escaped = !escaped,
                _ => escaped = false,
            }
        }
        return text.len();
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(ids: impl IntoIterator<Item = Id>) -> String {
        let words: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
        words.join(" ")
    }

    #[track_caller]
    fn check_defined(line: &str, expected: &str) {
        let mut defined = BTreeSet::new();
        define(line, &mut defined);
        assert_eq!(words(defined), expected, "{line}");
    }

    #[test]
    fn rules_are_defined_at_the_start_and_in_bold() {
        check_defined("G141. Rearranging after G130", "G141");
        check_defined("| GQ26 | as C5 |", "GQ26");
        check_defined("- **D7** Attackers. **D8** The game ends (GQ1)", "D7 D8");
        check_defined("- **P59b** Integer", "P59b");
        check_defined("| RS005 | E | wrong number", "RS005");
        check_defined("- T1 Fresh", "T1");
        check_defined("| F72 | move(cards) | F66–F68", "F72");
        check_defined("## PK139: a page of a finding", "PK139");
        check_defined("Then **G1 is not** a rule, nor is `R2`", "");
    }

    #[track_caller]
    fn check_cited(text: &str, expected: &str) {
        let found = citations(text, Kind::Rust { test: false });
        assert_eq!(
            words(found.iter().map(|citation| citation.id)),
            expected,
            "{text}"
        );
    }

    #[test]
    fn comments_and_strings_cite() {
        check_cited("// G106: costs stay; (D4, RS003)", "G106 D4 RS003");
        check_cited("fn f<T1>(r: R609) { \"see G7\" }", "G7");
        check_cited("/* P1–P3 */ let c = '\"'; let d = \"P9\";", "P1 P2 P3 P9");
        check_cited("r#\"say \"D1\"\"# G2", "D1");
        check_cited("// G125.8, but not 1G2, xD60 or U+C10", "G125");
    }

    #[test]
    fn citations_below_cfg_test_are_of_tests() {
        let found = citations(
            "// G1\n#[cfg(test)]\nmod tests {\n// G2\n}\n",
            Kind::Rust { test: false },
        );
        let of_tests: Vec<bool> = found.iter().map(|citation| citation.in_test).collect();
        assert_eq!(of_tests, [false, true]);
    }

    #[test]
    fn neighbours_are_told_as_ranges() {
        let id = |number| Id {
            family: 4,
            number,
            letter: None,
        };
        assert_eq!(ranges(&[id(1), id(2), id(3), id(9)]), "G1–G3 G9");
    }
}
