//! `cardwright images`: keeps pictures of cards.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use cw_octgn::{Archive, Files, image_pack};
use cw_text::{Severity, Sources};

use crate::limits::limits;
use crate::output::say;
use crate::progress::Progress;
use crate::{game, input, output, package};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Check an image pack (.o8c) and copy its pictures into the folders of their sets
    Add {
        /// The image pack
        file: PathBuf,
        /// Folder of the game; if left out, the one you are in
        #[arg(long, value_name = "PATH")]
        game: Option<PathBuf>,
        /// Only check
        #[arg(long)]
        dry_run: bool,
    },
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let Command::Add { file, game, dry_run } = args.command;
    let named = game;
    let game = game::standing_in(named.clone())?;
    if !game.is_dir() {
        bail!(
            "pictures are kept in a game's folder, and “{}” is none",
            game.display()
        );
    }
    let opened = package::open(named.as_deref())?;
    let shown = file.display().to_string();
    let bytes = input::read_archive(&file).with_context(|| format!("cannot read “{shown}”"))?;
    let archive = Archive::new(bytes, &limits()).with_context(|| format!("cannot use “{shown}”"))?;
    let mut sources = Sources::new();
    let (pictures, found) = image_pack(&archive, &shown, &opened.package, &limits(), &mut sources)?;
    if !found.is_empty() {
        output::findings(&sources, &found);
    }
    let mut written = 0;
    let progress = Progress::of(pictures.len() as u64, "pictures");
    for picture in &pictures {
        let Some(set) = opened.package.set_by_id(picture.set) else {
            continue;
        };
        let target = game.join("Sets").join(&*set.folder).join(&picture.path);
        if !dry_run {
            let folder = target.parent().context("a picture lies in a folder")?;
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make “{}”", folder.display()))?;
            let bytes = archive.read(&picture.entry, limits().file)?;
            cw_files::write(&target, &bytes)
                .with_context(|| format!("cannot write “{}”", target.display()))?;
        }
        written += 1;
        progress.add(1);
    }
    drop(progress);
    let verb = if dry_run { "could be added" } else { "added" };
    say!("{} {verb}", output::count(written, "picture"));
    let wrong = found.iter().any(|finding| finding.severity == Severity::Error);
    Ok(if wrong {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
