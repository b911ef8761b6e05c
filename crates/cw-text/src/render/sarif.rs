//! SARIF 2.1.0, as code-scanning services read it.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Catalog, Places};
use crate::{Diagnostic, FileId, Severity, Span, TextEdit};

#[derive(Serialize)]
struct SarifLog<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [SarifRun<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRun<'a> {
    tool: Tool<'a>,
    column_kind: &'static str,
    results: Vec<SarifResult<'a>>,
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
    rules: Vec<SarifRule<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRule<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    short_description: Option<SarifText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Help>,
}

#[derive(Serialize)]
struct SarifText {
    text: String,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: &'static str,
    message: SarifText,
    locations: [SarifLocation<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<SarifLocation<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixForm<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifLocation<'a> {
    physical_location: Physical<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<SarifText>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical<'a> {
    artifact_location: Artifact<'a>,
    region: SarifRegion,
}

#[derive(Serialize)]
struct Artifact<'a> {
    uri: std::borrow::Cow<'a, str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRegion {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FixForm<'a> {
    description: SarifText,
    artifact_changes: Vec<SarifChange<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifChange<'a> {
    artifact_location: Artifact<'a>,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: SarifRegion,
    inserted_content: SarifText,
}

pub(super) fn render<'a>(places: &mut Places<'a>, found: &'a [Diagnostic], catalog: &dyn Catalog) -> String {
    let codes: BTreeSet<&str> = found.iter().map(|one| one.code.0).collect();
    let rules = codes.iter().copied().map(|id| SarifRule {
        id,
        short_description: catalog.title(id).map(|text| SarifText { text }),
        help: catalog.page(id).map(|markdown| Help {
            text: markdown.clone(),
            markdown,
        }),
    });
    let log = SarifLog {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [SarifRun {
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

fn outcome<'a>(places: &mut Places<'a>, one: &'a Diagnostic, rule_index: usize) -> SarifResult<'a> {
    let text = match &one.help {
        Some(help) => format!("{}. Help: {help}", one.message),
        None => one.message.clone(),
    };
    let related = one.labels.iter().map(|label| SarifLocation {
        physical_location: physical(places, label.file, label.span),
        message: Some(SarifText {
            text: label.text.clone(),
        }),
    });
    SarifResult {
        rule_id: one.code.0,
        rule_index,
        level: match one.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "note",
        },
        message: SarifText { text },
        related_locations: related.collect(),
        locations: [SarifLocation {
            physical_location: physical(places, one.file, one.span),
            message: None,
        }],
        fixes: one.fix.iter().map(|fix| fix_form(places, fix)).collect(),
    }
}

fn fix_form<'a>(places: &mut Places<'a>, fix: &'a crate::FindingFix) -> FixForm<'a> {
    // One change per file: a reader applies its replacements to the text as it is.
    let files: BTreeSet<FileId> = fix.edits.iter().map(|edit| edit.file).collect();
    let changes = files.into_iter().map(|file| {
        let edits = fix.edits.iter().filter(|edit| edit.file == file);
        SarifChange {
            artifact_location: artifact(places, file),
            replacements: edits.map(|edit| replacement(places, edit)).collect(),
        }
    });
    FixForm {
        description: SarifText {
            text: fix.title.clone(),
        },
        artifact_changes: changes.collect(),
    }
}

fn replacement(places: &mut Places<'_>, edit: &TextEdit) -> Replacement {
    Replacement {
        deleted_region: region(places, edit.file, edit.span),
        inserted_content: SarifText {
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

fn region(places: &mut Places<'_>, file: FileId, span: Span) -> SarifRegion {
    let (start, end) = places.range(file, span);
    SarifRegion {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}
