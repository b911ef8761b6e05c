//! SARIF 2.1.0, as code-scanning services read it.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Catalog, Places};
use crate::{Diagnostic, Edit, FileId, Severity, Span};

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    column_kind: &'static str,
    results: Vec<Outcome<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    short_description: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Help>,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [Location<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixForm<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: Physical<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical<'a> {
    artifact_location: Artifact<'a>,
    region: Region,
}

#[derive(Serialize)]
struct Artifact<'a> {
    uri: std::borrow::Cow<'a, str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FixForm<'a> {
    description: Text,
    artifact_changes: Vec<Change<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change<'a> {
    artifact_location: Artifact<'a>,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Text,
}

pub(super) fn render<'a>(places: &mut Places<'a>, found: &'a [Diagnostic], catalog: &dyn Catalog) -> String {
    let codes: BTreeSet<&str> = found.iter().map(|one| one.code.0).collect();
    let rules = codes.iter().copied().map(|id| Rule {
        id,
        short_description: catalog.title(id).map(|text| Text { text }),
        help: catalog.page(id).map(|markdown| Help {
            text: markdown.clone(),
            markdown,
        }),
    });
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "cardwright",
                    version: env!("CARGO_PKG_VERSION"),
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    rules: rules.collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            results: found
                .iter()
                .map(|one| {
                    let index = codes.iter().position(|code| *code == one.code.0);
                    outcome(places, one, index.unwrap_or_default())
                })
                .collect(),
        }],
    };
    let mut out = serde_json::to_string_pretty(&log).expect("strings and numbers always serialise");
    out.push('\n');
    out
}

fn outcome<'a>(places: &mut Places<'a>, one: &'a Diagnostic, rule_index: usize) -> Outcome<'a> {
    let text = match &one.help {
        Some(help) => format!("{}. Help: {help}", one.message),
        None => one.message.clone(),
    };
    let related = one.labels.iter().map(|label| Location {
        physical_location: physical(places, label.file, label.span),
        message: Some(Text {
            text: label.text.clone(),
        }),
    });
    Outcome {
        rule_id: one.code.0,
        rule_index,
        level: match one.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "note",
        },
        message: Text { text },
        related_locations: related.collect(),
        locations: [Location {
            physical_location: physical(places, one.file, one.span),
            message: None,
        }],
        fixes: one.fix.iter().map(|fix| fix_form(places, fix)).collect(),
    }
}

fn fix_form<'a>(places: &mut Places<'a>, fix: &'a crate::Fix) -> FixForm<'a> {
    // One change per file: a reader applies its replacements to the text as it is.
    let files: BTreeSet<FileId> = fix.edits.iter().map(|edit| edit.file).collect();
    let changes = files.into_iter().map(|file| {
        let edits = fix.edits.iter().filter(|edit| edit.file == file);
        Change {
            artifact_location: artifact(places, file),
            replacements: edits.map(|edit| replacement(places, edit)).collect(),
        }
    });
    FixForm {
        description: Text {
            text: fix.title.clone(),
        },
        artifact_changes: changes.collect(),
    }
}

fn replacement(places: &mut Places<'_>, edit: &Edit) -> Replacement {
    Replacement {
        deleted_region: region(places, edit.file, edit.span),
        inserted_content: Text {
            text: edit.text.clone(),
        },
    }
}

fn physical<'a>(places: &mut Places<'a>, file: FileId, span: Span) -> Physical<'a> {
    Physical {
        artifact_location: artifact(places, file),
        region: region(places, file, span),
    }
}

/// A URI reference: relative for a relative path, else `file:`; what may not stand in one is escaped.
fn artifact<'a>(places: &Places<'a>, file: FileId) -> Artifact<'a> {
    let name = places.name(file);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let drive = matches!(name.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    if name.bytes().all(plain) && !name.starts_with('/') {
        return Artifact { uri: name.into() };
    }
    let mut uri = match (drive, name.starts_with('/')) {
        (true, _) => "file:///".to_string(),
        (false, true) => "file://".to_string(),
        (false, false) => String::new(),
    };
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            byte if plain(byte) || (drive && at == 1) => uri.push(char::from(byte)),
            b'\\' => uri.push('/'),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Artifact { uri: uri.into() }
}

fn region(places: &mut Places<'_>, file: FileId, span: Span) -> Region {
    let (start, end) = places.range(file, span);
    Region {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}
