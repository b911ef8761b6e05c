//! `cardwright export`: packs a game for OCTGN.

use std::path::PathBuf;
use std::process::ExitCode;

use cw_load::ReadOptions;
use cw_octgn::export;
use cw_text::Severity;

use crate::limits::limits;
use crate::output::say;
use crate::progress::busy;
use crate::{game, output, package};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder or .o8g of the game [default: the one you are in]
    game: Option<PathBuf>,
    /// The same as the argument, as in other commands
    #[arg(long = "game", value_name = "PATH", conflicts_with = "game")]
    named: Option<PathBuf>,
    /// File to write [default: the game's name and version]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    /// Pack a game even if it has errors
    #[arg(long)]
    allow_errors: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let named = args.game.or(args.named);
    game::standing_in(named.clone())?;
    let opened = package::open(named.as_deref())?;
    let mut errors = busy("checking", || opened.check()).found;
    errors.retain(|finding| finding.severity == Severity::Error);
    if !errors.is_empty() && !args.allow_errors {
        output::findings(&opened.package.sources, &errors);
        output::note("the game is not packed until this is fixed; --allow-errors packs it anyway");
        return Ok(ExitCode::FAILURE);
    }
    let exported = busy("packing", || export(&*opened.files, &opened.package, &limits()))?;
    for name in &exported.left_out {
        output::note(&format!(
            "left out: {name} (only folders and definition.xml belong in a package)"
        ));
    }
    if !args.allow_errors {
        refuse_faulty(exported.bytes.clone(), &exported.file_name)?;
    }
    let path = args.output.unwrap_or_else(|| PathBuf::from(&exported.file_name));
    package::write_new(&path, &exported.bytes, args.force)?;
    say!(
        "wrote {} ({})",
        path.display(),
        output::count(exported.bytes.len(), "byte")
    );
    Ok(ExitCode::SUCCESS)
}

/// What `check` would refuse is not handed out: whatever packing left out or renamed shows here.
fn refuse_faulty(bytes: Vec<u8>, name: &str) -> anyhow::Result<()> {
    let reading = ReadOptions {
        limits: limits(),
        at: name,
        ..ReadOptions::default()
    };
    let packed = busy("checking", || cw_lab::open_bytes(bytes, &reading))?;
    let mut errors = packed.check().found;
    errors.retain(|finding| finding.severity == Severity::Error);
    if errors.is_empty() {
        return Ok(());
    }
    output::findings(&packed.package.sources, &errors);
    anyhow::bail!("the game has errors; fix them, or pack it anyway with --allow-errors")
}
