//! `cardwright open`: what a link carries, at a table on this machine.

use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::error::ErrorKind;
use cw_load::{Loaded, Project, ReadOptions};
use cw_octgn::{Archive, MemoryFiles, PackageFiles};
use cw_wire::{GameLink, LinkContent, MOST_LINK};

use super::{play, play_web};
use crate::game;
use crate::limits::limits;
use crate::output::say;

/// Open a link that carries a duel, a puzzle, a deck, a scenario, a run or a small game
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The link, or a message that contains it; `-` reads standard input
    link: String,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Print what the link contains, without opening it
    #[arg(long)]
    show: bool,
    /// Write the game in the link to this file, without opening it
    #[arg(long, value_name = "FILE", conflicts_with = "show")]
    save: Option<PathBuf>,
    /// Print the table's address without opening a browser
    #[arg(long)]
    no_open: bool,
    /// Port of the table [default: 7313 if it is free, otherwise any]
    #[arg(long)]
    port: Option<u16>,
    /// Keep duels in this file [default: duels.db in your data folder]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Address of a public page of the game; shared links point to it
    #[arg(long, value_name = "URL")]
    page: Option<String>,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let link = GameLink::read(&text(&args.link)?)?;
    say!("{}: {}", link.game.name, cw_serve::about_link(&link));
    if let Some(path) = &args.save {
        let LinkContent::Package(archive) = &link.what else {
            play::usage(
                ErrorKind::ArgumentConflict,
                "the link carries no game that could be saved",
            );
        };
        if path.exists() {
            bail!("“{}” already exists and is not overwritten", path.display());
        }
        cw_files::write(path, archive).with_context(|| format!("cannot write “{}”", path.display()))?;
        say!("wrote {}", path.display());
        return Ok(ExitCode::SUCCESS);
    }
    if args.show {
        return Ok(ExitCode::SUCCESS);
    }
    match link.what {
        LinkContent::Package(archive) => {
            let files = own_files(archive)?;
            let reading = ReadOptions {
                limits: limits(),
                ..ReadOptions::default()
            };
            let project = Project::read_with(Box::new(files.clone()), &reading, &|_| {})?;
            let (loaded, game) = game::load(project)?;
            game::refuse_without_rules(&loaded, false)?;
            game::refuse_rule_errors(&loaded)?;
            let shelf = play::shelf(&files, &game)?;
            let (name1, deck1) = game::deck(&loaded, None, 0, false)?;
            let (name2, deck2) = game::deck(&loaded, None, 1, false)?;
            let start = cw_serve::DuelStart {
                catalogue: Arc::new(cw_faces::Catalogue::of(&loaded.project)),
                game,
                decks: cw_duel::PerSeat([deck1, deck2]),
                names: cw_duel::PerSeat([name1, name2]),
                who: cw_duel::PerSeat([cw_serve::SeatPlayer::Person, cw_serve::SeatPlayer::COMPUTER]),
                seed: None,
                first: None,
                allow_illegal_decks: true,
                stage: None,
                invites: None,
                opponent: None,
            };
            let options = options(args, loaded, Box::new(files), shelf);
            play_web::run(start, options)
        }
        _ => {
            let (loaded, game) = game::load(game::read(args.game.as_deref())?)?;
            game::refuse_rule_errors(&loaded)?;
            let files = game::files(args.game.as_deref())?;
            let shelf = play::shelf(&*files, &game)?;
            let catalogue = Arc::new(cw_faces::Catalogue::of(&loaded.project));
            let options = options(args, loaded, files, Vec::new());
            let package = play_web::package_of(&game, &catalogue, &options.loaded, shelf);
            let thing = cw_serve::meaning_of_link(link, &package)?;
            play_web::run_linked(package, thing, options)
        }
    }
}

fn options(
    args: Args,
    loaded: Loaded,
    files: Box<dyn PackageFiles + Send>,
    shelf: Vec<Arc<cw_serve::ScenarioStage>>,
) -> play_web::PlayWebOptions {
    play_web::PlayWebOptions {
        game: args.game,
        open: !args.no_open,
        port: args.port,
        host: None,
        store: args.store,
        record: None,
        loaded: Arc::new(loaded),
        files,
        shelf,
        page: args.page,
    }
}

fn text(link: &str) -> anyhow::Result<String> {
    if link != "-" {
        return Ok(link.to_owned());
    }
    let mut text = String::new();
    let most = MOST_LINK as u64 + 1;
    std::io::stdin()
        .take(most)
        .read_to_string(&mut text)
        .context("cannot read the link")?;
    Ok(text)
}

/// The files of a game in memory.
fn own_files(archive: Vec<u8>) -> anyhow::Result<MemoryFiles> {
    let archive = Archive::new(archive, &limits()).context("the link carries no game")?;
    Ok(MemoryFiles::copy_of(&archive.package(), limits().file)?)
}
