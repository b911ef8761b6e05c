//! `cardwright explain`: what a finding means.

use std::process::ExitCode;

use anyhow::Result;
use cw_text::{Severity, nearest};

use crate::output;

mod settings;

/// Show what a finding means, or every key of game.toml
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Codes such as RS021 or PK003, or game.toml for all its keys [default: list all codes]
    codes: Vec<String>,
    /// Print the JSON schema of game.toml, for editors
    #[arg(long)]
    schema: bool,
}

#[expect(clippy::needless_pass_by_value, reason = "every command is run the same way")]
pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let mut out = String::new();
    let mut unknown = false;
    if args.codes.is_empty() {
        for (code, severity, title) in all() {
            out.push_str(&format!("{code}  {severity:7}  {title}\n"));
        }
    }
    if args.schema && args.codes != [SETTINGS] {
        let message = "only game.toml has a schema: cardwright explain game.toml --schema";
        super::play::usage(clap::error::ErrorKind::ArgumentConflict, message);
    }
    for code in &args.codes {
        if code == SETTINGS {
            out.push_str(&match args.schema {
                true => settings::schema(),
                false => settings::tables(),
            });
            continue;
        }
        match markdown(&usual(code)) {
            Some(page) => out.push_str(&page),
            None => {
                unknown = true;
                let known = all();
                let near = nearest(&usual(code), known.iter().map(|(known, _, _)| *known));
                let hint = match near {
                    Some(near) => format!("; did you mean `{near}`?"),
                    None => "; `cardwright explain` lists them all".to_string(),
                };
                output::note(&format!("no finding has the code `{code}`{hint}"));
            }
        }
    }
    output::raw(&out);
    Ok(if unknown {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

/// The file of a game's settings.
const SETTINGS: &str = "game.toml";

/// `RS021` for `rs21` and the like.
fn usual(code: &str) -> String {
    let digits = code.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let family = code[..code.len() - digits.len()].to_ascii_uppercase();
    match digits.parse::<u16>() {
        Ok(number) => format!("{family}{number:03}"),
        Err(_) => code.to_string(),
    }
}

fn all() -> Vec<(&'static str, &'static str, &'static str)> {
    let rules = cw_syntax::LINTS
        .iter()
        .map(|lint| (lint.code, word(lint.severity), lint.title));
    let packages = cw_octgn::PAGES
        .iter()
        .map(|page| (page.code.0, word(page.severity), page.title));
    let games = cw_load::PAGES
        .iter()
        .map(|page| (page.code.0, word(page.severity), page.title));
    let scenarios = cw_scenario::PAGES
        .iter()
        .map(|page| (page.code.0, "error", page.title));
    let tables = cw_table::PAGES
        .iter()
        .map(|page| (page.code.0, "error", page.title));
    games
        .chain(packages)
        .chain(rules)
        .chain(scenarios)
        .chain(tables)
        .collect()
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}

/// What a code is about.
pub(crate) fn title(code: &str) -> Option<String> {
    all()
        .into_iter()
        .find(|(known, _, _)| known.eq_ignore_ascii_case(code))
        .map(|(_, _, title)| title.to_string())
}

/// The page of a code as Markdown.
pub(crate) fn markdown(code: &str) -> Option<String> {
    if let Some(page) = cw_check::page(code) {
        return Some(page.markdown());
    }
    let plain = |code, title, severity, text, wrong, right| {
        format!(
            "# {code}: {title}\n\nSeverity: {severity}\n\n{text}\n\nWrong:\n\n```\n{wrong}\n```\n\nRight:\n\n```\n{right}\n```\n"
        )
    };
    if let Some(page) = cw_load::page(code) {
        let severity = word(page.severity);
        return Some(plain(
            page.code, page.title, severity, page.text, page.wrong, page.right,
        ));
    }
    if let Some(page) = cw_scenario::page(code) {
        return Some(plain(
            page.code, page.title, "error", page.text, page.wrong, page.right,
        ));
    }
    if let Some(page) = cw_table::page(code) {
        return Some(plain(
            page.code, page.title, "error", page.text, page.wrong, page.right,
        ));
    }
    let page = cw_octgn::page(code)?;
    Some(format!(
        "# {}: {}\n\nSeverity: {}; {}.\n\n{}\n\nWrong:\n\n```xml\n{}\n```\n\nRight:\n\n```xml\n{}\n```\n",
        page.code,
        page.title,
        word(page.severity),
        page.who_trips(),
        page.text,
        page.wrong,
        page.right
    ))
}
