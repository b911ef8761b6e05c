//! `cardwright images`: keeps pictures of cards.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use cw_octgn::{Archive, ImagePackPicture, PackageFiles, image_pack};
use cw_text::{Severity, Sources};

use crate::limits::limits;
use crate::output::say;
use crate::progress::WorkProgress;
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
        /// Folder of the game [default: the one you are in]
        #[arg(long, value_name = "PATH")]
        game: Option<PathBuf>,
        /// Check the image pack and do not copy anything
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
            "pictures are kept in a game's folder, and “{}” is not one",
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
    let target_of = |picture: &ImagePackPicture| {
        let set = opened.package.set_by_id(picture.set)?;
        Some(game.join("Sets").join(&*set.folder).join(&picture.path))
    };
    // Before anything is written: a pack is to change nothing outside of the game.
    let root = game
        .canonicalize()
        .with_context(|| format!("cannot open “{}”", game.display()))?;
    if let Some(out) = pictures
        .iter()
        .filter_map(target_of)
        .find(|target| leads_out(&root, target))
    {
        bail!(
            "“{}” lies behind a link that leads out of the game's folder, \
             so nothing is added: make it a folder there",
            out.display()
        );
    }
    let mut written = 0;
    let progress = WorkProgress::of(pictures.len() as u64, "pictures");
    for picture in &pictures {
        let Some(target) = target_of(picture) else {
            continue;
        };
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

/// Whether what would be written there would lie outside of a folder, because of links; one that leads
/// nowhere may lead anywhere tomorrow.
fn leads_out(root: &Path, target: &Path) -> bool {
    let there = target.ancestors().find(|path| path.symlink_metadata().is_ok());
    let real = there.map(Path::canonicalize);
    !matches!(real, Some(Ok(real)) if real.starts_with(root))
}
