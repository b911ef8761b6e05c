//! What can be folded: a card's rule, a run of comments, a table or a list of TOML, an element of XML.

use cw_load::Language;
use cw_syntax::{Arena, parse_rules};
use cw_text::FileId;
use serde_json::{Value, json};

use crate::told::GamePlaces;

/// Lines from the first to the last, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FoldedLines {
    first: usize,
    last: usize,
    is_comment: bool,
}

/// The stretches of a text that can be folded. Lines count as the editor's do: no text of a game ends them by
/// a lone `\r`.
pub(crate) fn folds(places: &GamePlaces<'_>, file: FileId) -> Option<Value> {
    let source = places.read.sources.find(file)?;
    let text: &str = &source.text;
    let lower = source.name.to_ascii_lowercase();
    let mut all = match () {
        () if Language::in_package(&source.name) == Some(Language::Rules) => rules(text, file),
        () if lower.ends_with(".toml") => tables(text),
        () if lower.ends_with(".xml") || lower.ends_with(".o8d") => elements(text),
        () => return None,
    };
    all.retain(|fold| fold.first < fold.last);
    all.sort();
    let told = all.into_iter().map(|fold| {
        let kind = if fold.is_comment { "comment" } else { "region" };
        json!({ "startLine": fold.first, "endLine": fold.last, "kind": kind })
    });
    Some(told.collect())
}

fn fold(first: usize, last: usize) -> FoldedLines {
    FoldedLines {
        first,
        last,
        is_comment: false,
    }
}

/// The line of a byte; bytes come in order.
struct LineCounter<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl<'t> LineCounter<'t> {
    fn new(text: &'t str) -> LineCounter<'t> {
        LineCounter { text, at: 0, line: 0 }
    }

    fn line(&mut self, at: usize) -> usize {
        let between = self.text.as_bytes().get(self.at..at).unwrap_or_default();
        self.line += between.iter().filter(|byte| **byte == b'\n').count();
        self.at = self.at.max(at);
        self.line
    }
}

fn rules(text: &str, file: FileId) -> Vec<FoldedLines> {
    let mut all = comments(text);
    let arena = Arena::new();
    let mut lines = LineCounter::new(text);
    for rule in parse_rules(&arena, file, text).rules {
        let whole = rule.header.span.to(rule.header.body);
        // Comments in front of the next rule belong to that one.
        let body = text.get(whole.range()).unwrap_or_default();
        let mut length = body.len();
        for line in body.split_inclusive('\n').rev() {
            if !line.trim().is_empty() && !line.starts_with('#') {
                break;
            }
            length -= line.len();
        }
        let first = lines.line(whole.start as usize);
        let last = lines.line((whole.start as usize + length).saturating_sub(1));
        all.push(fold(first, last));
    }
    all
}

/// Runs of lines that are comments.
fn comments(text: &str) -> Vec<FoldedLines> {
    let mut all: Vec<FoldedLines> = Vec::new();
    for (number, line) in text.split('\n').enumerate() {
        if !line.trim_start().starts_with('#') {
            continue;
        }
        match all.last_mut().filter(|fold| fold.last + 1 == number) {
            Some(fold) => fold.last = number,
            None => all.push(FoldedLines {
                first: number,
                last: number,
                is_comment: true,
            }),
        }
    }
    all
}

/// Tables of TOML to the line before the next, and lists and tables in brackets.
fn tables(text: &str) -> Vec<FoldedLines> {
    let mut all = comments(text);
    let mut open: Vec<usize> = Vec::new();
    let mut table: Option<usize> = None;
    // The last line that is part of a table: comments and empty lines at its end are not.
    let mut content = 0;
    let mut long_quote: Option<&str> = None;
    for (number, line) in text.split('\n').enumerate() {
        let is_inside = long_quote.is_some() || !open.is_empty();
        if !is_inside && line.starts_with('[') {
            all.extend(table.map(|first| fold(first, content)));
            table = Some(number);
            content = number;
            continue;
        }
        if is_inside || !(line.trim().is_empty() || line.trim_start().starts_with('#')) {
            content = number;
        }
        let mut rest = line;
        loop {
            if let Some(quote) = long_quote {
                let Some((_, behind)) = rest.split_once(quote) else {
                    break;
                };
                (rest, long_quote) = (behind, None);
                continue;
            }
            let Some(at) = rest.find(['"', '\'', '[', ']', '{', '}', '#']) else {
                break;
            };
            let sign = rest.get(at..=at).unwrap_or_default();
            let behind = rest.get(at + 1..).unwrap_or_default();
            match sign {
                "#" => break,
                "[" | "{" => open.push(number),
                "]" | "}" => {
                    if let Some(first) = open.pop() {
                        all.push(fold(first, number));
                    }
                }
                quote => {
                    let long = if quote == "\"" { "\"\"\"" } else { "'''" };
                    if rest.get(at..).is_some_and(|rest| rest.starts_with(long)) {
                        long_quote = Some(long);
                        rest = rest.get(at + long.len()..).unwrap_or_default();
                        continue;
                    }
                    rest = behind_quote(behind, quote);
                    continue;
                }
            }
            rest = behind;
        }
    }
    all.extend(table.map(|first| fold(first, content)));
    all
}

/// What stands behind the end of a text in quotes; in double quotes `\` keeps the next letter from ending it.
fn behind_quote<'t>(text: &'t str, quote: &str) -> &'t str {
    let mut is_kept = false;
    for (at, letter) in text.char_indices() {
        match letter {
            _ if is_kept => is_kept = false,
            '\\' if quote == "\"" => is_kept = true,
            letter if quote.starts_with(letter) => return text.get(at + 1..).unwrap_or_default(),
            _ => {}
        }
    }
    ""
}

/// Elements of XML, and its comments, from the line of the start tag to the line before the end tag.
fn elements(text: &str) -> Vec<FoldedLines> {
    let mut all = Vec::new();
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut lines = LineCounter::new(text);
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('<')) {
        let start = at + found;
        let rest = text.get(start..).unwrap_or_default();
        let special = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        if let Some((begin, end)) = special.into_iter().find(|(begin, _)| rest.starts_with(begin)) {
            let length = rest.find(end).map_or(rest.len(), |at| at + end.len());
            let (first, last) = (lines.line(start), lines.line(start + length));
            if begin == "<!--" {
                all.push(FoldedLines {
                    first,
                    last,
                    is_comment: true,
                });
            }
            at = start + length;
            continue;
        }
        let length = tag_length(rest);
        let tag = rest.get(..length).unwrap_or_default();
        let name = tag.trim_start_matches(['<', '/']);
        let name = name
            .split(|letter: char| letter.is_whitespace() || matches!(letter, '>' | '/'))
            .next()
            .unwrap_or_default();
        let line = lines.line(start);
        if tag.starts_with("</") {
            // Tags that nothing ends are forgotten with the element around them.
            if let Some(place) = open.iter().rposition(|(open, _)| *open == name) {
                let first = open.get(place).map_or(line, |(_, first)| *first);
                all.push(fold(first, line.saturating_sub(1)));
                open.truncate(place);
            }
        } else if !tag.ends_with("/>") && !name.is_empty() && !tag.starts_with("<!") {
            open.push((name, line));
        }
        at = start + length;
    }
    all
}

/// How long the tag is that a text begins with: to the `>` that is not in quotes.
fn tag_length(text: &str) -> usize {
    let mut quote = None;
    for (at, letter) in text.char_indices().skip(1) {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '>') => return at + 1,
            (None, '<') => return at,
            (None, _) => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(found: &[FoldedLines], expected: &[(usize, usize)]) {
        let mut all: Vec<(usize, usize)> = found
            .iter()
            .filter(|fold| fold.first < fold.last)
            .map(|fold| (fold.first, fold.last))
            .collect();
        all.sort_unstable();
        assert_eq!(all, expected);
    }

    const ID: &str = "[0f8fad5b-d9cb-469f-a165-70867728950e]";

    /// A rule ends before the comment of the next.
    #[test]
    fn rules_fold_without_what_leads_to_the_next() {
        let text = format!("# One\n# Two\n{ID}\naction = draw()\nabilities = rush\n\n# Next\n{ID}\n");
        check(&rules(&text, FileId(0)), &[(0, 1), (2, 4)]);
        check(&rules("", FileId(0)), &[]);
    }

    #[test]
    fn tables_and_lists_fold() {
        let text = "game = 'x'\n\n[[scenario]]\nname = \"a [ # \\\" b\"\n\
                    steps = [\n  { do = 'x' },\n]\n\n# next\n[[scenario]]\n";
        check(&tables(text), &[(2, 6), (4, 6)]);
        check(&tables("a = '''\n[x]\n'''\n[b]\nc = 1"), &[(3, 4)]);
        check(&tables("]\n[\n[\n"), &[]);
    }

    #[test]
    fn elements_fold_to_the_line_before_their_end() {
        let text =
            "<set>\n<cards>\n<card a='>'\n b=\"<\">\n<property/>\n</card>\n</cards>\n<!-- a\n<b> -->\n</set>";
        check(&elements(text), &[(0, 8), (1, 5), (2, 4), (7, 8)]);
        check(&elements("<a>\n<b>\n</a>\n</b>\n<"), &[(0, 1)]);
        check(&elements("<!-- a\n\n"), &[(0, 2)]);
    }
}
