//! `cardwright rules`: the stages of a rule, readably, and its text.

mod say;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use cw_lab::package_above;
use cw_load::{Language, RuleSource};
use cw_program::{Labels, PackageNames as _, compile, listing};
use cw_syntax::{Arena, CardRule, RuleFile, dump, parse_python, parse_rules, tokens};
use cw_text::{FileId, Severity, Sources, nearest};

use crate::game;
use crate::input::{self, Input, shown};
use crate::output::{count, note};

/// Show how a rule is read (tokens, tree, program), or write its text
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    stage: RuleStage,
}

#[derive(Debug, Subcommand)]
enum RuleStage {
    /// The pieces of each line.
    Tokens(RulesPath),
    /// The tree, with names as written.
    Tree(RulesPath),
    /// The program, with every name resolved.
    Program(RulesPath),
    /// The card's text, written from its rule in the style of the game's texts
    ///
    /// The text says only what the rule does; the printed text is not looked at. Parts of a rule that there
    /// are no words for are left out and listed, and the exit code is 1.
    Say(say::SayArgs),
}

#[derive(Debug, clap::Args)]
struct RulesPath {
    /// A rules file, a script with RulesDict, a package, or a card of the package you are in
    path: PathBuf,
    /// Show only the rule of this card: its id or its name
    card: Option<String>,
}

impl RulesPath {
    /// What is no path names a card of the package around the working folder.
    fn or_here(self) -> RulesPath {
        let here = package_above(Path::new("definition.xml"));
        match (here, self.card) {
            (Some(path), None) if !self.path.exists() => RulesPath {
                path,
                card: Some(self.path.display().to_string()),
            },
            (_, card) => RulesPath { card, ..self },
        }
    }
}

/// Writes one stage of one rule.
type StageWriter = fn(&str, &CardRule<'_>, &cw_check::KnownCards) -> String;

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let (wanted, show): (RulesPath, StageWriter) = match args.stage {
        RuleStage::Tokens(wanted) => (wanted, show_tokens),
        RuleStage::Tree(wanted) => (wanted, |_, rule, _| dump(&rule.rule)),
        RuleStage::Program(wanted) => (wanted, show_program),
        RuleStage::Say(args) => return say::run(args),
    };
    let wanted = wanted.or_here();
    let mut out = String::new();
    let mut names: Vec<String> = Vec::new();
    let mut mistakes = 0;
    let input = Input::find(std::slice::from_ref(&wanted.path))?;
    for root in &input.packages {
        let project = game::project(Some(root))?;
        for source in project
            .rules
            .iter()
            .filter(|source| source.language == Language::Rules)
        {
            names.extend(one_text(
                source,
                project.cards(),
                &wanted,
                show,
                &mut out,
                &mut mistakes,
            ));
        }
    }
    for (path, root) in &input.files {
        let project = root.as_ref().map(|root| game::project(Some(root))).transpose()?;
        let none = cw_check::KnownCards::default();
        let cards = project.as_ref().map_or(&none, |project| project.cards());
        let bytes = input::read(path).with_context(|| format!("cannot read `{}`", shown(path)))?;
        let name = shown(path);
        let language = Language::of_file(&name);
        let source = RuleSource::new(bytes, &name, language, &mut Sources::new(), &mut Vec::new());
        names.extend(one_text(&source, cards, &wanted, show, &mut out, &mut mistakes));
    }
    if out.is_empty() {
        let path = shown(&wanted.path);
        let Some(card) = &wanted.card else {
            bail!("there is no rule in `{path}`; a rule goes under a line `[card-guid]`");
        };
        match nearest(card, names.iter().map(String::as_str)) {
            Some(near) => bail!("no rule in `{path}` is for `{card}`; did you mean `{near}`?"),
            None => bail!("no rule in `{path}` is for `{card}`"),
        }
    }
    crate::output::raw(&out);
    if mistakes == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    let mistakes = count(mistakes, "mistake");
    note(&format!(
        "{mistakes} in what is shown; `cardwright check` explains them"
    ));
    Ok(ExitCode::FAILURE)
}

/// Shows the rules that are wanted, and counts their mistakes; returns the names of all cards with a rule.
fn one_text(
    source: &RuleSource,
    cards: &cw_check::KnownCards,
    wanted: &RulesPath,
    show: StageWriter,
    out: &mut String,
    mistakes: &mut usize,
) -> Vec<String> {
    let text = &*source.text;
    let mut names = Vec::new();
    let arena = Arena::new();
    let file: RuleFile<'_> = match source.language {
        Language::Python => parse_python(&arena, source.file, text),
        Language::Rules => parse_rules(&arena, source.file, text),
    };
    for rule in &file.rules {
        let known = cards.find(rule.card.text);
        let name = known.map_or("", |card| card.name.as_str());
        names.push(name.to_string());
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
            let header = format!("[{}] {name}", rule.card.text);
            let _ = writeln!(out, "{}", header.trim_end());
            out.push_str(&show(text, rule, cards));
            out.push('\n');
            *mistakes += errors_in(&file, rule, text, cards);
        }
    }
    names
}

/// How many errors the text of one rule has, be it in its form or in what its words mean.
fn errors_in(file: &RuleFile<'_>, rule: &CardRule<'_>, text: &str, cards: &cw_check::KnownCards) -> usize {
    let body = rule.header.body.range();
    let of_form = file
        .diagnostics
        .iter()
        .filter(|found| body.contains(&found.span.range().start));
    let of_words = compile(FileId(0), text, &rule.rule, cards).diagnostics;
    of_form
        .chain(&of_words)
        .filter(|found| found.severity == Severity::Error)
        .count()
}

fn show_tokens(text: &str, rule: &CardRule<'_>, _cards: &cw_check::KnownCards) -> String {
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

fn show_program(text: &str, rule: &CardRule<'_>, cards: &cw_check::KnownCards) -> String {
    let compiled = compile(FileId(0), text, &rule.rule, cards);
    let subtypes = cards.subtypes();
    let names = cards.card_names();
    let models: Vec<String> = cards.all().iter().map(|card| card.name.clone()).collect();
    let labels = Labels {
        subtypes: &subtypes,
        names: &names,
        models: &models,
    };
    listing(&compiled.rule, labels)
}
