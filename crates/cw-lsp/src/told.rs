//! Findings and places of a game, as an editor is told of them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use cw_text::{Diagnostic, FileId, Severity, Span, offset};
use serde_json::{Value, json};

use crate::documents::{OpenText, OpenTexts, uri_of};
use crate::pages;
use crate::places::{LineTable, PositionEncoding};
use crate::protocol::{TextPosition, TextRange};
use crate::world::ReadGame;

/// The places of a game's texts.
pub(crate) struct GamePlaces<'a> {
    pub(crate) root: &'a str,
    pub(crate) read: &'a ReadGame,
    pub(crate) encoding: PositionEncoding,
    /// Open texts by their paths, with the names that the client gives them.
    open: BTreeMap<&'a str, (&'a str, &'a OpenText)>,
    /// The same by their numbers in the game, for those that were asked for.
    opened: RefCell<BTreeMap<FileId, Option<(&'a str, &'a OpenText)>>>,
    lines: RefCell<BTreeMap<FileId, Rc<LineTable>>>,
}

/// A mark that says how a file is coded, where it is part of the text.
const MARK: char = '\u{feff}';

impl<'a> GamePlaces<'a> {
    pub(crate) fn new(
        root: &'a str,
        read: &'a ReadGame,
        open: &'a OpenTexts,
        encoding: PositionEncoding,
    ) -> GamePlaces<'a> {
        let open = open.iter();
        GamePlaces {
            root,
            read,
            encoding,
            open: open.map(|(uri, text)| (&*text.path, (&**uri, text))).collect(),
            opened: RefCell::default(),
            lines: RefCell::default(),
        }
    }

    fn path(&self, file: FileId) -> String {
        let name = self.read.sources.find(file).map_or("", |source| &*source.name);
        let is_whole = name.starts_with('/') || name.as_bytes().get(1) == Some(&b':');
        match is_whole {
            true => name.to_owned(),
            false => format!("{}/{name}", self.root),
        }
    }

    fn opened(&self, file: FileId) -> Option<(&'a str, &'a OpenText)> {
        let mut known = self.opened.borrow_mut();
        let text = known
            .entry(file)
            .or_insert_with(|| self.open.get(&*self.path(file)).copied());
        *text
    }

    /// The name of a text: the client's own, if it is open there.
    pub(crate) fn uri(&self, file: FileId) -> String {
        match self.opened(file) {
            Some((uri, _)) => uri.to_owned(),
            None => uri_of(&self.path(file)),
        }
    }

    /// The version of an open text.
    pub(crate) fn version(&self, file: FileId) -> Option<i64> {
        self.opened(file).map(|(_, text)| text.version)
    }

    /// How many bytes the editor's text has before what the game reads: files are read without
    /// their marks (P3).
    fn shift(&self, file: FileId) -> usize {
        let Some((_, open)) = self.opened(file) else {
            return 0;
        };
        let source = self.read.sources.find(file).map_or("", |source| &*source.text);
        match open.text.starts_with(MARK) && !source.starts_with(MARK) {
            true => MARK.len_utf8(),
            false => 0,
        }
    }

    /// The bytes of the game's text at a place of the editor's.
    pub(crate) fn offset(&self, file: FileId, place: TextPosition) -> usize {
        let at = match self.opened(file) {
            Some((_, open)) => open.lines.offset(&open.text, place, self.encoding),
            None => 0,
        };
        at.saturating_sub(self.shift(file))
    }

    /// As [`GamePlaces::offset`], for both ends.
    pub(crate) fn span(&self, file: FileId, range: TextRange) -> Span {
        let (start, end) = (self.offset(file, range.start), self.offset(file, range.end));
        Span::new(start.min(end), start.max(end))
    }

    pub(crate) fn range(&self, file: FileId, span: Span) -> TextRange {
        if let Some((_, open)) = self.opened(file) {
            let shift = self.shift(file);
            let Range { start, end } = span.range();
            let span = Span::new(start.saturating_add(shift), end.saturating_add(shift));
            return open.lines.range(&open.text, span, self.encoding);
        }
        let Some(source) = self.read.sources.find(file) else {
            return TextRange::default();
        };
        let mut all = self.lines.borrow_mut();
        let lines = all
            .entry(file)
            .or_insert_with(|| Rc::new(LineTable::new(&source.text)));
        lines.range(&source.text, span, self.encoding)
    }

    pub(crate) fn location(&self, file: FileId, span: Span) -> Value {
        json!({ "uri": self.uri(file), "range": self.range(file, span) })
    }

    /// A finding as the protocol has it.
    pub(crate) fn finding(&self, one: &Diagnostic, has_pages: bool) -> Value {
        let severity = match one.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
            Severity::Hint => 3,
        };
        let message = match &one.help {
            Some(help) => format!("{}\nhelp: {help}", one.message),
            None => one.message.clone(),
        };
        let mut told = json!({
            "range": self.range(one.file, one.span),
            "severity": severity,
            "code": one.code.0,
            "source": "cardwright",
            "message": message,
        });
        if has_pages {
            told["codeDescription"] = json!({ "href": pages::address(one.code.0) });
        }
        if !one.labels.is_empty() {
            let related = one.labels.iter().map(|label| {
                let location = self.location(label.file, label.span);
                json!({ "location": location, "message": label.text })
            });
            told["relatedInformation"] = related.collect();
        }
        told
    }

    /// All notifications about findings, by the names of the texts; those that are open get one without any,
    /// too.
    pub(crate) fn notifications(&self, has_pages: bool) -> BTreeMap<String, Value> {
        let mut by_file: BTreeMap<FileId, Vec<Value>> = BTreeMap::new();
        for one in &self.read.found {
            by_file
                .entry(one.file)
                .or_default()
                .push(self.finding(one, has_pages));
        }
        for (file, _) in self.read.sources.iter() {
            if self.opened(file).is_some() {
                by_file.entry(file).or_default();
            }
        }
        let all = by_file.into_iter().map(|(file, found)| {
            let uri = self.uri(file);
            let mut params = json!({ "uri": uri, "diagnostics": found });
            if let Some(version) = self.version(file) {
                params["version"] = json!(version);
            }
            (uri, params)
        });
        all.collect()
    }
}

/// The changes that make one text of another: line by line where there are as many, so that a caret stays
/// where it is.
pub(crate) fn changes(old: &str, new: &str) -> Vec<(Span, String)> {
    if old == new {
        return Vec::new();
    }
    let (olds, news): (Vec<&str>, Vec<&str>) = (
        old.split_inclusive('\n').collect(),
        new.split_inclusive('\n').collect(),
    );
    if olds.len() == news.len() {
        let mut at = 0;
        let mut all = Vec::new();
        for (old, new) in olds.iter().zip(news) {
            if *old != new {
                all.push((Span::new(at, at + old.len()), new.to_owned()));
            }
            at += old.len();
        }
        return all;
    }
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let first = olds.iter().zip(&news).take_while(same).count();
    let most = olds.len().min(news.len()) - first;
    let last = olds.iter().rev().zip(news.iter().rev()).take(most);
    let last = last.take_while(same).count();
    let length = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
    let start = length(&olds[..first]);
    let end = old.len() - length(&olds[olds.len() - last..]);
    let text = news[first..news.len() - last].concat();
    vec![(Span::between(offset(start), offset(end)), text)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, count: usize) {
        let mut text = old.to_owned();
        let changes = changes(old, new);
        assert_eq!(changes.len(), count);
        for (span, by) in changes.iter().rev() {
            text.replace_range(span.range(), by);
        }
        assert_eq!(text, new);
    }

    #[test]
    fn changes_make_the_new_text_of_the_old_one() {
        check("a\nb\nc\n", "a\nb\nc\n", 0);
        check("a\nb\nc\n", "A\nb\nC\n", 2);
        check("a\nb\nc\n", "a\nc\n", 1);
        check("a\n\n\n", "a\n", 1);
        check("", "x", 1);
        check("x", "x\n", 1);
    }
}
