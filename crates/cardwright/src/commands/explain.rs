//! `cardwright explain`: what a finding means.

use std::process::ExitCode;

use anyhow::Result;
use cw_text::{FindingPage, nearest};

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
        for page in pages() {
            let (code, severity, title) = (page.code, page.severity.word(), page.title);
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
                let near = nearest(&usual(code), pages().map(|page| page.code.0));
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

/// The pages of every finding: of games, packages, rules, scenario files and tables.
fn pages() -> impl Iterator<Item = &'static FindingPage> {
    let families = [
        &cw_load::PAGES,
        &cw_octgn::PAGES,
        &cw_check::PAGES,
        &cw_scenario::PAGES,
        &cw_table::PAGES,
    ];
    families.into_iter().flat_map(|family| family.iter())
}

/// The page of a code, in any letter case.
fn page(code: &str) -> Option<&'static FindingPage> {
    pages().find(|page| page.code.0.eq_ignore_ascii_case(code))
}

/// What a code is about.
pub(crate) fn title(code: &str) -> Option<String> {
    page(code).map(|page| page.title.to_string())
}

/// The page of a code as Markdown.
pub(crate) fn markdown(code: &str) -> Option<String> {
    let page = page(code)?;
    let is_package = cw_octgn::PAGES.find(code).is_some();
    let who = if is_package {
        format!("; {}.", cw_octgn::Trips::sentence(page))
    } else {
        String::new()
    };
    Some(page.markdown(&who))
}
