//! `cardwright rules`: the stages of a rule, readably.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Subcommand;
use cw_program::compile;
use cw_syntax::{Arena, CardRule, RuleFile, dump, parse_python, parse_rules, tokens};
use cw_text::{FileId, Sources};

use crate::input::{Input, load};

/// Shows how a rule is read: its tokens, its tree, its program.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    stage: Stage,
}

#[derive(Debug, Subcommand)]
enum Stage {
    /// The pieces of each line.
    Tokens(Wanted),
    /// The tree, with names as written.
    Tree(Wanted),
    /// The program, with every name resolved.
    Program(Wanted),
}

#[derive(Debug, clap::Args)]
struct Wanted {
    /// A rules file, a script with RulesDict, or a package.
    path: PathBuf,
    /// Only the rule of this card: its id or its name.
    card: Option<String>,
}

/// Writes one stage of one rule.
type Show = fn(&str, &CardRule<'_>, &cw_check::Cards) -> String;

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let (wanted, show): (Wanted, Show) = match args.stage {
        Stage::Tokens(wanted) => (wanted, show_tokens),
        Stage::Tree(wanted) => (wanted, |_, rule, _| dump(&rule.rule)),
        Stage::Program(wanted) => (wanted, show_program),
    };
    let mut out = String::new();
    let input = Input::find(std::slice::from_ref(&wanted.path))?;
    for root in &input.packages {
        let loaded = load(root, &mut Sources::new())?;
        for name in loaded
            .package
            .files
            .iter()
            .filter(|name| name.starts_with("Rules/") && name.ends_with(".rules"))
        {
            one_file(&root.join(name), &loaded.cards, &wanted, show, &mut out)?;
        }
    }
    for (path, root) in &input.files {
        let cards = match root {
            Some(root) => load(root, &mut Sources::new())?.cards,
            None => cw_check::Cards::default(),
        };
        one_file(path, &cards, &wanted, show, &mut out)?;
    }
    if out.is_empty() {
        bail!(
            "no rule found{}",
            wanted
                .card
                .map_or_else(String::new, |card| format!(" for `{card}`"))
        );
    }
    std::io::stdout()
        .write_all(out.as_bytes())
        .or_else(super::ignore_closed_pipe)?;
    Ok(ExitCode::SUCCESS)
}

fn one_file(
    path: &Path,
    cards: &cw_check::Cards,
    wanted: &Wanted,
    show: Show,
    out: &mut String,
) -> Result<()> {
    let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
    let arena = Arena::new();
    let script = path.extension().is_some_and(|extension| extension == "py");
    let file: RuleFile<'_> = if script {
        parse_python(&arena, FileId(0), &text)
    } else {
        parse_rules(&arena, FileId(0), &text)
    };
    for rule in &file.rules {
        let known = cards.find(rule.card.text);
        let name = known.map_or("", |card| card.name.as_str());
        let is_wanted = wanted.card.as_ref().is_none_or(|card| {
            let bare = |id: &str| {
                id.chars()
                    .filter(char::is_ascii_alphanumeric)
                    .collect::<String>()
                    .to_lowercase()
            };
            name.eq_ignore_ascii_case(card) || bare(card) == bare(rule.card.text)
        });
        if is_wanted {
            let _ = writeln!(out, "[{}] {name}", rule.card.text);
            out.push_str(&show(&text, rule, cards));
            out.push('\n');
        }
    }
    Ok(())
}

fn show_tokens(text: &str, rule: &CardRule<'_>, _cards: &cw_check::Cards) -> String {
    let mut out = String::new();
    for line in text[rule.header.body.range()]
        .lines()
        .filter(|line| !line.trim().is_empty())
    {
        let pieces = tokens(line)
            .into_iter()
            .map(|token| format!("{:?} {:?}", token.kind, &line[token.span().range()]));
        let _ = writeln!(out, "{}", pieces.collect::<Vec<_>>().join(" | "));
    }
    out
}

fn show_program(text: &str, rule: &CardRule<'_>, cards: &cw_check::Cards) -> String {
    let compiled = compile(FileId(0), text, &rule.rule, cards);
    format!("{:#?}\n", compiled.rule)
}
