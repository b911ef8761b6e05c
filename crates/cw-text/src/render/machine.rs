//! For programs: JSON, one line each, GitHub's workflow commands.

use std::fmt::Write;

use serde::Serialize;

use super::{Places, SeverityCounts};
use crate::{Diagnostic, FileId, LineColumn, Safety, Severity, Span};

pub(super) fn short(places: &mut Places<'_>, found: &[Diagnostic]) -> String {
    let mut out = String::new();
    for one in found {
        let (at, _) = places.range(one.file, one.span);
        let _ = writeln!(
            out,
            "{}:{}:{}: {}[{}]: {}",
            places.name(one.file),
            at.line,
            at.column,
            one.severity.word(),
            one.code,
            one.message
        );
    }
    out
}

pub(super) fn github(places: &mut Places<'_>, found: &[Diagnostic]) -> String {
    let mut out = String::new();
    for one in found {
        let (start, end) = places.range(one.file, one.span);
        let command = match one.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "notice",
        };
        let message = match &one.help {
            Some(help) => format!("{}\n{help}", one.message),
            None => one.message.clone(),
        };
        let _ = write!(out, "::{command} ");
        // What concerns no file annotates the run.
        let name = places.name(one.file);
        if !name.is_empty() {
            let _ = write!(out, "file={},line={},", escape_property(name), start.line);
            // GitHub takes columns only within one line.
            let _ = if start.line == end.line {
                write!(
                    out,
                    "col={},endLine={},endColumn={},",
                    start.column, end.line, end.column
                )
            } else {
                write!(out, "endLine={},", end.line)
            };
        }
        let _ = writeln!(out, "title={}::{}", one.code, escape(&message));
    }
    out
}

fn escape(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape(text).replace(':', "%3A").replace(',', "%2C")
}

#[derive(Serialize)]
struct JsonReport<'a> {
    findings: Vec<JsonFinding<'a>>,
    errors: usize,
    warnings: usize,
    hints: usize,
}

#[derive(Serialize)]
struct JsonFinding<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    #[serde(flatten)]
    place: JsonPlace<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<JsonLabel<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<JsonFix<'a>>,
}

#[derive(Serialize)]
struct JsonPlace<'a> {
    file: &'a str,
    start: JsonPosition,
    end: JsonPosition,
}

#[derive(Serialize)]
struct JsonPosition {
    line: u32,
    column: u32,
    byte: u32,
}

#[derive(Serialize)]
struct JsonLabel<'a> {
    text: &'a str,
    #[serde(flatten)]
    place: JsonPlace<'a>,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    title: &'a str,
    safe: bool,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize)]
struct JsonEdit<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    text: &'a str,
}

pub(super) fn json<'a>(places: &mut Places<'a>, found: &'a [Diagnostic]) -> String {
    let counts = SeverityCounts::of(found);
    let report = JsonReport {
        findings: found.iter().map(|one| finding(places, one)).collect(),
        errors: counts.errors,
        warnings: counts.warnings,
        hints: counts.hints,
    };
    let mut out = serde_json::to_string_pretty(&report).expect("strings and numbers always serialise");
    out.push('\n');
    out
}

fn finding<'a>(places: &mut Places<'a>, one: &'a Diagnostic) -> JsonFinding<'a> {
    JsonFinding {
        code: one.code.0,
        severity: one.severity.word(),
        message: &one.message,
        place: place(places, one.file, one.span),
        labels: one
            .labels
            .iter()
            .map(|label| JsonLabel {
                text: &label.text,
                place: place(places, label.file, label.span),
            })
            .collect(),
        help: one.help.as_deref(),
        fix: one.fix.as_ref().map(|fix| JsonFix {
            title: &fix.title,
            safe: fix.safety == Safety::Safe,
            edits: fix
                .edits
                .iter()
                .map(|edit| JsonEdit {
                    place: place(places, edit.file, edit.span),
                    text: &edit.text,
                })
                .collect(),
        }),
    }
}

fn place<'a>(places: &mut Places<'a>, file: FileId, span: Span) -> JsonPlace<'a> {
    let (start, end) = places.range(file, span);
    let position = |at: LineColumn, byte: u32| JsonPosition {
        line: at.line,
        column: at.column,
        byte,
    };
    JsonPlace {
        file: places.name(file),
        start: position(start, span.start),
        end: position(end, span.end),
    }
}
