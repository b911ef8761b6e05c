//! Ways in: one rule, one file, the rules of a package.

use std::collections::BTreeMap;

use cw_program::{Names, Rule as Program, compile};
use cw_syntax::{Arena, RuleFile, rs};
use cw_text::{Diagnostic, FileId, Severity, Span};

use crate::cards::{Card, Cards, guid};
use crate::lints::{self, Context};
use crate::settings::{Settings, apply_comments, has_comments};

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
    let arena = Arena::new();
    let context = Context {
        names,
        card,
        arena: &arena,
    };
    checked(file, text, rule, &context)
}

fn checked(file: FileId, text: &str, rule: &cw_syntax::Rule<'_>, context: &Context<'_>) -> Checked {
    let compiled = compile(file, text, rule, context.names);
    let mut out = compiled.diagnostics;
    let broken = out.iter().any(|found| found.severity == Severity::Error);
    lints::run(file, text, rule, context, broken, &mut out);
    out.sort_by_key(|found| found.span);
    Checked {
        program: compiled.rule,
        diagnostics: out,
    }
}

/// The rules of a file that was checked.
#[derive(Clone, Debug)]
pub struct CheckedFile {
    /// In order of place.
    pub rules: Vec<CheckedRule>,
    /// All that is wrong in the file, the parser's findings included, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

/// One rule of a file.
#[derive(Clone, Debug)]
pub struct CheckedRule {
    /// The id of its card as a number, unless it is malformed.
    pub card: Option<u128>,
    /// Where its header stands.
    pub header: Span,
    /// What it means.
    pub program: Program,
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
    let mut out = CheckedFile {
        rules: Vec::with_capacity(parsed.rules.len()),
        diagnostics: Vec::new(),
    };
    let mut arena = Arena::new();
    let commented = has_comments(text);
    // What the parser found about a rule lies between its header and the next one.
    let mut of_parser = parsed.diagnostics.into_iter().peekable();
    for rule in &parsed.rules {
        let (header, body) = (rule.header.span, rule.header.body);
        let mut take_until = |end: u32, out: &mut Vec<Diagnostic>| {
            while let Some(found) = of_parser.next_if(|found| found.span.start < end) {
                out.push(found);
            }
        };
        take_until(header.start, &mut out.diagnostics);
        let from = out.diagnostics.len();
        take_until(body.end, &mut out.diagnostics);
        let id = guid(rule.card.text);
        let card = id.and_then(|id| cards.with_id(id));
        let context = Context {
            names: cards,
            card,
            arena: &arena,
        };
        let mut checked = checked(file, text, &rule.rule, &context);
        if rule.rule.properties.is_empty() {
            let finding = rs::RS008.at(file, header, "this card has no rule");
            checked.diagnostics.push(finding);
        }
        match card {
            None if id.is_some() && cards.is_complete() => {
                let message = "no card of the package has this id";
                checked
                    .diagnostics
                    .push(rs::RS051.at(file, rule.card.span, message));
            }
            None => {}
            Some(card) => lints::card_text(file, &rule.rule, card, &mut checked.diagnostics),
        }
        let mut here = if from < out.diagnostics.len() {
            out.diagnostics.split_off(from)
        } else {
            Vec::new()
        };
        here.append(&mut checked.diagnostics);
        if !here.is_empty() {
            settings.apply(&mut here);
        }
        if commented {
            apply_comments(file, text, header.to(body), &mut here);
        }
        out.diagnostics.append(&mut here);
        out.rules.push(CheckedRule {
            card: id,
            header,
            program: checked.program,
        });
        arena.reset();
    }
    let mut rest: Vec<Diagnostic> = of_parser.collect();
    settings.apply(&mut rest);
    out.diagnostics.append(&mut rest);
    out.diagnostics.sort_by_key(|found| found.span);
    out
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
    let mut first: BTreeMap<u128, (FileId, Span)> = BTreeMap::new();
    for (file, checked) in files {
        for rule in &checked.rules {
            let Some(id) = rule.card else { continue };
            match first.get(&id) {
                Some((first_file, first_span)) => out.push(
                    rs::RS075
                        .at(
                            *file,
                            rule.header,
                            "this card has a rule already; this one is not used",
                        )
                        .label(*first_file, *first_span, "the rule that counts"),
                ),
                None => {
                    first.insert(id, (*file, rule.header));
                }
            }
        }
    }
    for card in cards.all() {
        if card.text.trim().is_empty() || guid(&card.id).is_some_and(|id| first.contains_key(&id)) {
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
