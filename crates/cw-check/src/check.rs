//! Ways in: one rule, one file, the rules of a package.

use std::collections::BTreeMap;

use cw_program::{Names, Rule as Program, compile};
use cw_syntax::{CardRule, RuleFile, rs};
use cw_text::{Diagnostic, FileId, Severity, Span};

use crate::cards::{Card, Cards, bare_id};
use crate::lints;
use crate::settings::{Settings, apply_comments};

/// A rule that was checked.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What it means; without the parts that could not be understood.
    pub program: Program,
    /// What is wrong with it, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    /// Whether an error was found: `play` refuses such a rule (D38).
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|found| found.severity == Severity::Error)
    }
}

/// Compiles and checks one rule. `text` is the whole file; what the parser found is not repeated.
pub fn check_rule(
    file: FileId,
    text: &str,
    rule: &cw_syntax::Rule<'_>,
    names: &dyn Names,
    card: Option<&Card>,
) -> Checked {
    let compiled = compile(file, text, rule, names);
    let mut out = compiled.diagnostics;
    let broken = out.iter().any(|found| found.severity == Severity::Error);
    lints::run(file, text, rule, names, card, broken, &mut out);
    out.sort_by_key(|found| found.span);
    Checked {
        program: compiled.rule,
        diagnostics: out,
    }
}

/// The rules of a file that was checked.
#[derive(Clone, Debug)]
pub struct CheckedFile {
    /// In order of place: the card's id as written, where, and its program.
    pub rules: Vec<(String, Span, Program)>,
    /// All that is wrong in the file, the parser's findings included, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks all rules of a file. Comments in it may change severities; the game's settings are
/// applied where comments say nothing.
pub fn check_file(
    file: FileId,
    text: &str,
    parsed: RuleFile<'_>,
    cards: &Cards,
    settings: &Settings,
) -> CheckedFile {
    let mut diagnostics = parsed.diagnostics;
    settings.apply(&mut diagnostics);
    let mut rules = Vec::with_capacity(parsed.rules.len());
    for rule in &parsed.rules {
        let card = cards.find(rule.card.text);
        let checked = check_rule(file, text, &rule.rule, cards, card);
        let mut found = checked.diagnostics;
        whole_rule(file, rule, card, cards, &mut found);
        settings.apply(&mut found);
        let from = diagnostics.len();
        diagnostics.append(&mut found);
        if text[rule.header.body.range()].contains("cardwright:") {
            // Findings of the parser about this rule obey its comments too.
            let mut here: Vec<Diagnostic> = diagnostics.split_off(from);
            let body = rule.header.body;
            let (mut parser, rest): (Vec<_>, Vec<_>) = diagnostics
                .into_iter()
                .partition(|one| body.start <= one.span.start && one.span.end <= body.end);
            diagnostics = rest;
            here.append(&mut parser);
            apply_comments(
                file,
                text,
                Span {
                    start: rule.header.span.start,
                    end: body.end,
                },
                &mut here,
            );
            diagnostics.append(&mut here);
        }
        rules.push((rule.card.text.to_string(), rule.header.span, checked.program));
    }
    diagnostics.sort_by_key(|found| found.span);
    CheckedFile { rules, diagnostics }
}

/// What concerns a rule as a whole: RS008 for an empty section, RS051, RS071.
fn whole_rule(
    file: FileId,
    rule: &CardRule<'_>,
    card: Option<&Card>,
    cards: &Cards,
    out: &mut Vec<Diagnostic>,
) {
    if rule.rule.properties.is_empty() {
        out.push(rs::RS008.at(file, rule.header.span, "this card has no rule"));
    }
    if card.is_none() && cards.is_complete() && bare_id(rule.card.text).len() == 32 {
        let message = "no card of the package has this id";
        out.push(rs::RS051.at(file, rule.card.span, message));
    }
    if let Some(card) = card {
        lints::card_text(file, &rule.rule, card, out);
    }
}

/// What concerns all files of a package: rules given twice (RS075) and cards with rules text but
/// without rule (RS051). `files` are in order of force; `text_of` tells where a card is printed.
pub fn check_package(
    files: &[(FileId, &CheckedFile)],
    cards: &Cards,
    text_of: &dyn Fn(&Card) -> Option<(FileId, Span)>,
    settings: &Settings,
) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut first: BTreeMap<String, (FileId, Span)> = BTreeMap::new();
    for (file, checked) in files {
        for (id, span, _) in &checked.rules {
            let id = bare_id(id);
            if id.len() != 32 {
                continue;
            }
            match first.get(&id) {
                Some((first_file, first_span)) => out.push(
                    rs::RS075
                        .at(*file, *span, "this card has a rule already; this one is not used")
                        .label(*first_file, *first_span, "the rule that counts"),
                ),
                None => {
                    first.insert(id, (*file, *span));
                }
            }
        }
    }
    for card in cards.all() {
        if card.text.trim().is_empty() || first.contains_key(&bare_id(&card.id)) {
            continue;
        }
        if let Some((file, span)) = text_of(card) {
            let message = format!("`{}` has rules text but no rule", card.name);
            out.push(
                rs::RS051
                    .at(file, span, message)
                    .help("players will be told to apply it by hand"),
            );
        }
    }
    settings.apply(&mut out);
    out
}
