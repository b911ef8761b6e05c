//! What `cardwright help`, completions and man pages are made of: the one table of commands, in groups.

use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;

use crate::CommandLine;
use crate::output::{raw, say};

/// The commands by what people want of them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["play", "run", "open", "replay", "duel", "table", "bot"]),
    ("Measure", &["balance", "sim", "arena", "players"]),
    (
        "Make",
        &[
            "new", "dev", "cards", "deck", "images", "export", "site", "fmt", "lsp",
        ],
    ),
    (
        "Check",
        &["check", "explain", "test", "fuzz", "scenario", "rules", "eval"],
    ),
    ("Collect", &["packs", "sealed", "draft"]),
];

/// What stands below the help of a command.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "play",
        "  cardwright play\n  cardwright play --game mygame --deck1 Starter --plain",
    ),
    (
        "open",
        "  cardwright open 'https://example.org/game/#open=…'\n  cardwright open --show -",
    ),
    ("replay", "  cardwright replay duel.json --at -5 --continue"),
    (
        "duel",
        "  cardwright duel trace duel.json\n  cardwright duel why-not duel.json --at 12",
    ),
    (
        "arena",
        "  cardwright arena easy novice\n  cardwright arena easy 'cmd:python3 mybot.py' --pairs 50",
    ),
    (
        "balance",
        "  cardwright balance --players easy --out balance.html\n  \
         cardwright balance --players random --pairs 9000 --what-if patch.toml",
    ),
    (
        "sim",
        "  cardwright sim --players easy,novice --pairs 500\n  \
         cardwright sim --players easy --pairs 900 --output result\n  \
         cardwright sim plan --players easy -o plan.json; \
         cardwright sim run plan.json --shard 3/40; \
         cardwright sim merge plan.json parts",
    ),
    (
        "players",
        "  cardwright players\n  cardwright players fit --game mygame",
    ),
    ("bot", "  cardwright bot check python3 mybot.py"),
    ("table", "  cardwright table mygame --actions"),
    (
        "new",
        "  cardwright new mygame\n  cardwright new --from cards.xlsx mygame",
    ),
    (
        "cards",
        "  cardwright cards 'kind:action sp>=2'\n  \
         cardwright cards render --sheet a4 --output sheets\n  \
         cardwright cards export cards.xlsx\n  \
         cardwright cards import cards.xlsx --dry-run",
    ),
    (
        "deck",
        "  cardwright deck check Starter\n  \
         cardwright deck check mine.o8d yours.o8d --json\n  \
         cardwright deck edit mine.o8d",
    ),
    (
        "dev",
        "  cardwright dev mygame\n  cardwright dev mygame --p2 human --no-open",
    ),
    ("images", "  cardwright images add pictures.o8c --game mygame"),
    ("export", "  cardwright export mygame"),
    ("site", "  cardwright site mygame --out public"),
    ("fmt", "  cardwright fmt --diff mygame"),
    ("lsp", "  cardwright lsp    # editors start it: docs/editor.md"),
    (
        "check",
        "  cardwright check mygame\n  \
         cardwright check mygame --fix\n  \
         cardwright check --without-media --strict .",
    ),
    ("explain", "  cardwright explain RS021 PK003"),
    ("test", "  cardwright test --coverage"),
    (
        "fuzz",
        "  cardwright fuzz mygame\n  cardwright fuzz --card \"Old Fencer\" --positions 20000 -o finds.toml",
    ),
    ("scenario", "  cardwright scenario new \"Fop\" > fop.toml"),
    (
        "rules",
        "  cardwright rules program mygame \"Old Fencer\"\n  cardwright rules say \"Old Fencer\" mygame\n  \
         cardwright rules say --all",
    ),
    ("eval", "  cardwright eval '7 / 2'"),
    ("packs", "  cardwright packs odds Booster --of 'rarity:S'"),
    (
        "run",
        "  cardwright run\n  \
         cardwright run 2026-11-27 --keep run.txt\n  \
         cardwright run --simulate 1000 --player normal",
    ),
    ("sealed", "  cardwright sealed 6:Booster --players 2"),
    ("draft", "  cardwright draft 3:Booster --seat 1"),
];

/// The whole command line, with groups in its help and an example below each command.
pub(crate) fn command() -> Command {
    let mut command = CommandLine::command();
    for (name, example) in EXAMPLES {
        command = command.mut_subcommand(*name, |one| one.after_help(format!("Examples:\n{example}")));
    }
    let help = groups(&command);
    command
        .help_template(
            "{about}\n\n\
             {usage-heading} {usage}\n\
             {before-help}\n\
             Options:\n{options}\n\
             {after-help}",
        )
        .before_help(help)
        .after_help(
            "`cardwright COMMAND --help` says more. \
             Commands use the game that `--game` names, \
             or the one whose folder you are in, or the demo game.",
        )
}

fn groups(command: &Command) -> String {
    let mut out = String::new();
    let mut told: Vec<&str> = Vec::new();
    for (group, names) in GROUPS {
        let _ = writeln!(out, "\n{group}:");
        for name in names {
            told.push(name);
            line(command, name, &mut out);
        }
    }
    let rest = command
        .get_subcommands()
        .filter(|one| !one.is_hide_set())
        .map(Command::get_name);
    let rest: Vec<&str> = rest
        .filter(|name| !told.contains(name) && *name != "help")
        .collect();
    let _ = writeln!(out, "\nMore:");
    for name in rest {
        line(command, name, &mut out);
    }
    out
}

fn line(command: &Command, name: &str, out: &mut String) {
    if let Some(one) = command.find_subcommand(name) {
        let about = one.get_about().map(ToString::to_string).unwrap_or_default();
        let first = about.split(": `").next().unwrap_or_default();
        let _ = writeln!(out, "  {name:<12} {first}");
    }
}

/// Print a shell completion script
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// For which shell
    shell: Shell,
}

pub(crate) fn completions(args: CompletionsArgs) -> anyhow::Result<ExitCode> {
    let mut out = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "cardwright", &mut out);
    raw(&String::from_utf8_lossy(&out));
    Ok(ExitCode::SUCCESS)
}

/// Print the manual page, or write the pages of all commands to a folder
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// Folder to write them into
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(crate) fn man(args: ManArgs) -> anyhow::Result<ExitCode> {
    let command = command();
    let Some(folder) = args.output else {
        raw(&String::from_utf8_lossy(&page(command)?));
        return Ok(ExitCode::SUCCESS);
    };
    let shown = folder.display();
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make “{shown}”"))?;
    let one = |name: String, command: Command| {
        let path = folder.join(format!("{name}.1"));
        cw_files::write(&path, &page(command)?).with_context(|| format!("cannot write “{}”", path.display()))
    };
    let mut pages = 1;
    for inner in command.get_subcommands().filter(|one| !one.is_hide_set()) {
        let name = format!("cardwright-{}", inner.get_name());
        one(name.clone(), inner.clone().display_name(name))?;
        pages += 1;
    }
    one("cardwright".to_owned(), command)?;
    say!("wrote {pages} pages into {shown}");
    Ok(ExitCode::SUCCESS)
}

fn page(command: Command) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    clap_mangen::Man::new(command).render(&mut out)?;
    Ok(out)
}
