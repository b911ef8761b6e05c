//! `cardwright replay`: runs a recorded duel again and verifies it.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use cw_wire::Replay;

use crate::game;
use crate::log::Log;
use crate::output::say;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The record, as `cardwright play --record` wrote it
    file: PathBuf,
    /// Folder of the game that was played; the demo game if left out
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Prints the log of the duel
    #[arg(long)]
    log: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let path = args.file.display();
    let text =
        std::fs::read_to_string(&args.file).with_context(|| format!("cannot read the record “{path}”"))?;
    let replay = Replay::read(&text).with_context(|| format!("cannot use “{path}”"))?;
    let (_, game) = game::open(args.game.as_deref())?;
    let mut log = Log::default();
    let played = replay.play(&game, usize::MAX, &mut log);
    if args.log
        && let Ok(duel) = &played
    {
        log.print(duel, None);
    }
    let duel = played.with_context(|| format!("cannot replay “{path}”"))?;
    let result = replay.result.as_deref().unwrap_or("not finished");
    say!(
        "{} choices verified, state {}, {result}",
        replay.moves.len(),
        duel.hash()
    );
    Ok(ExitCode::SUCCESS)
}
