//! Colours of rules by what each word means there. The tree and the tables of words are those of the
//! compiler, so a word that it would not know gets none.

use cw_formula::{ATTRIBUTES, FUNCTIONS, NAMES};
use cw_load::Language;
use cw_program::{ClosedWord as _, CommandName, Keyword, event_name};
use cw_syntax::{SyntaxKind, SyntaxNode, lossless};
use cw_text::{FileId, Span};
use serde_json::{Value, json};

use crate::told::GamePlaces;

/// What a token can be, in the order of the numbers that are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenClass {
    Card,
    Key,
    Event,
    Keyword,
    Command,
    Variable,
    Type,
    Word,
    Zone,
    Text,
    Number,
    Comment,
}

/// The names of the classes in the protocol, in their order.
pub(crate) const LEGEND: [&str; 12] = [
    "class",
    "property",
    "event",
    "keyword",
    "function",
    "variable",
    "type",
    "enumMember",
    "namespace",
    "string",
    "number",
    "comment",
];

/// The tokens of a file of rules, or of a stretch of it, as the protocol packs them.
pub(crate) fn tokens(places: &GamePlaces<'_>, file: FileId, within: Option<Span>) -> Option<Value> {
    let source = places.read.sources.find(file)?;
    if Language::in_package(&source.name) != Some(Language::Rules) {
        return None;
    }
    let mut data: Vec<u32> = Vec::new();
    let (mut line, mut column) = (0, 0);
    for (span, class) in classes(&source.text) {
        if within.is_some_and(|within| !span.touches(within)) {
            continue;
        }
        let range = places.range(file, span);
        // Each begins and ends in one line.
        let length = range.end.character.saturating_sub(range.start.character);
        let down = range.start.line.saturating_sub(line);
        let from = if down == 0 { column } else { 0 };
        let right = range.start.character.saturating_sub(from);
        (line, column) = (range.start.line, range.start.character);
        data.extend([down, right, length, class as u32, 0]);
    }
    Some(json!({ "data": data }))
}

/// The tokens of a text with what each is, in order.
fn classes(text: &str) -> Vec<(Span, TokenClass)> {
    let mut all = Vec::new();
    // The sign before a word, and the words before it that belong to it.
    let mut before = "";
    let root = SyntaxNode::new_root(lossless(text));
    for token in root
        .descendants_with_tokens()
        .filter_map(|element| element.as_token().cloned())
    {
        let range = token.text_range();
        let span = Span::between(range.start().into(), range.end().into());
        let written = text.get(span.range()).unwrap_or_default();
        let rest = text.get(span.end as usize..).unwrap_or_default();
        let within = |kind: SyntaxKind| token.parent_ancestors().any(|node| node.kind() == kind);
        let kind = token.kind();
        let class = if kind == SyntaxKind::Comment {
            Some(TokenClass::Comment)
        } else if matches!(kind, SyntaxKind::Blank | SyntaxKind::NewLine | SyntaxKind::Sign) {
            None
        } else if within(SyntaxKind::Header) {
            Some(TokenClass::Card)
        } else if kind == SyntaxKind::Number {
            Some(TokenClass::Number)
        } else if kind == SyntaxKind::Quoted {
            Some(TokenClass::Text)
        } else {
            let parent = token.parent().map_or(SyntaxKind::File, |node| node.kind());
            word(parent, written, before, rest)
        };
        all.extend(class.map(|class| (span, class)));
        if !matches!(token.kind(), SyntaxKind::Blank) {
            before = written;
        }
    }
    all
}

fn word(parent: SyntaxKind, written: &str, before: &str, rest: &str) -> Option<TokenClass> {
    let is = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(written));
    let is_called = rest.starts_with('(') || rest.starts_with("?(");
    match (parent, before) {
        (SyntaxKind::Property, _) if rest.trim_start_matches(' ').starts_with('=') => Some(TokenClass::Key),
        (SyntaxKind::Mark, _) if is(&["if", "elif", "else", "may"]) => Some(TokenClass::Keyword),
        (_, "@") => Some(TokenClass::Zone),
        (_, ".") => known(ATTRIBUTES.iter().map(|one| one.word), written).map(|()| TokenClass::Word),
        (SyntaxKind::Event, _) => event_name(written).map(|_| TokenClass::Event),
        (SyntaxKind::Type, _) => Some(TokenClass::Type),
        (SyntaxKind::Filter, _) => Some(TokenClass::Word),
        (SyntaxKind::Clause, _) if is(&["to"]) => Some(TokenClass::Keyword),
        (SyntaxKind::Effect, _) if is_called => CommandName::find(written).map(|_| TokenClass::Command),
        _ if written.starts_with('_') => Some(TokenClass::Variable),
        _ if is_called => known(FUNCTIONS.iter().map(|one| one.word), written).map(|()| TokenClass::Command),
        _ if is(&["and", "or", "not", "in", "for"]) => Some(TokenClass::Keyword),
        _ if known(NAMES.iter().map(|one| one.word), written).is_some() => Some(TokenClass::Variable),
        (SyntaxKind::Effect | SyntaxKind::Property, _) => Keyword::find(written).map(|_| TokenClass::Word),
        _ => None,
    }
}

fn known(mut words: impl Iterator<Item = &'static str>, written: &str) -> Option<()> {
    words.any(|word| word.eq_ignore_ascii_case(written)).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, TokenClass)]) {
        let all = classes(text);
        let all: Vec<(&str, TokenClass)> = all
            .iter()
            .map(|(span, class)| (&text[span.range()], *class))
            .collect();
        assert_eq!(all, expected);
    }

    /// Each word of a rule is what the compiler takes it for.
    #[test]
    fn words_are_what_the_compiler_takes_them_for() {
        use TokenClass::{Card, Command, Comment, Event, Key, Keyword, Number, Text, Variable, Word, Zone};
        let id = "0f8fad5b-d9cb-469f-a165-70867728950e";
        let parts = ["0f8fad5b", "d9cb", "469f", "a165", "70867728950e"].map(|part| (part, Card));
        let text = format!(
            "# Rook\n[{id}]\nabilities = cantblock\nvars = _n := 2\n\
             auto = ~myActivatePhase~ [[if this.bp > _n]] draw(3) & bp(+1) to(character[frozen]@oppRing)\n\
             action = transform(\"{id}\"); drow()\n"
        );
        let quoted = format!("\"{id}\"");
        let mut expected = vec![("# Rook", Comment)];
        expected.extend(parts);
        expected.extend([
            ("abilities", Key),
            ("cantblock", Word),
            ("vars", Key),
            ("_n", Variable),
            ("2", Number),
            ("auto", Key),
            ("myActivatePhase", Event),
            ("if", Keyword),
            ("this", Variable),
            ("bp", Word),
            ("_n", Variable),
            ("draw", Command),
            ("3", Number),
            ("bp", Command),
            ("1", Number),
            ("to", Keyword),
            ("character", TokenClass::Type),
            ("frozen", Word),
            ("oppRing", Zone),
            ("action", Key),
            ("transform", Command),
            (&quoted, Text),
        ]);
        check(&text, &expected);
    }

    /// Broken texts have colours, too.
    #[test]
    fn any_text_has_tokens() {
        check("", &[]);
        check("[x\n", &[("x", TokenClass::Card)]);
        check("draw(", &[]);
    }
}
