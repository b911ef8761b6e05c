//! `cardwright site`: the table of a game as a folder of files, for any file host.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use cw_browser::files::SiteModules;
use cw_octgn::export;
use cw_text::Severity;

use crate::limits::limits;
use crate::output::{self, say};
use crate::package;
use crate::progress::busy;

/// Build a web page of a game: a folder of files for any file host
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    game: Option<PathBuf>,
    /// The same as the argument, as in other commands
    #[arg(long = "game", value_name = "PATH", conflicts_with = "game")]
    named: Option<PathBuf>,
    /// Folder to write; one that this command wrote before is replaced
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// The WebAssembly module of the page, with its `play*.wasm` beside it [default: those built into this
    /// program]
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
    /// Balance report (from `cardwright balance`) that the page links to
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Build the page even if the game has errors
    #[arg(long)]
    allow_errors: bool,
}

/// The module that this program was built with, deflated; nothing in a program that was built without one.
static MODULE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/module.wasm"));

/// The module of duels alone that lay beside it; nothing if none did.
static PLAY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/play.wasm"));

/// The rest of that module; nothing if it was not split.
static REST: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/play-rest.wasm"));

/// What a folder has that this command wrote.
const MARK: &str = "files.json";

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let modules = modules(args.module.as_deref())?;
    let report = args.report.as_deref().map(report).transpose()?;
    refuse_foreign(&args.out)?;
    let opened = package::open(args.game.or(args.named).as_deref())?;
    let mut errors = busy("checking", || opened.check()).found;
    errors.retain(|finding| finding.severity == Severity::Error);
    if !errors.is_empty() && !args.allow_errors {
        output::findings(&opened.package.sources, &errors);
        output::note("no page is made until this is fixed; --allow-errors makes it anyway");
        return Ok(ExitCode::FAILURE);
    }
    let exported = busy("packing", || export(&*opened.files, &opened.package, &limits()))?;
    let files = busy("drawing", || {
        cw_browser::files::site(exported.bytes, modules, report, cw_serve::fresh_secret)
    });
    let files = files.map_err(|why| anyhow::anyhow!("no page can be made: {why}"))?;
    write(&args.out, &files)?;
    let size: usize = files.values().map(Vec::len).sum();
    say!(
        "wrote {} with {} ({:.1} MB)",
        args.out.display(),
        output::count(files.len(), "file"),
        size as f64 / 1e6
    );
    say!(
        "Any file server can show it; to look at it here: python3 -m http.server --directory {}",
        args.out.display()
    );
    Ok(ExitCode::SUCCESS)
}

fn modules(path: Option<&Path>) -> anyhow::Result<SiteModules> {
    let Some(path) = path else {
        if MODULE.is_empty() {
            bail!(
                "this program was built without the module of the page. \
                 Where Cardwright is built, `cargo xtask module` makes it, and --module FILE takes it"
            );
        }
        return Ok(SiteModules {
            whole: inflated(MODULE)?.unwrap_or_default(),
            play: inflated(PLAY)?,
            rest: inflated(REST)?,
        });
    };
    let beside = |name: &str| {
        let file = path.with_file_name(name);
        (file != path && file.is_file())
            .then(|| module(&file))
            .transpose()
    };
    let modules = SiteModules {
        whole: module(path)?,
        play: beside("play.wasm")?,
        rest: beside("play-rest.wasm")?,
    };
    if modules.is_torn() {
        bail!(
            "the files beside “{}” are of different modules: `cargo xtask module` makes them anew",
            path.display()
        );
    }
    Ok(modules)
}

/// A module as it was before it came into the program, if there is one.
fn inflated(packed: &[u8]) -> anyhow::Result<Option<Vec<u8>>> {
    if packed.is_empty() {
        return Ok(None);
    }
    let limit = usize::try_from(cw_files::MODULE.most)?;
    miniz_oxide::inflate::decompress_to_vec_with_limit(packed, limit)
        .map(Some)
        .map_err(|why| anyhow::anyhow!("the module in this program is damaged ({why}): install it anew"))
}

fn module(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = cw_files::read(path, cw_files::MODULE)
        .with_context(|| format!("cannot read “{}”", path.display()))?;
    if !bytes.starts_with(b"\0asm") {
        bail!("“{}” is not a WebAssembly module", path.display());
    }
    Ok(bytes)
}

fn report(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = cw_files::read(path, cw_files::REPORT)
        .with_context(|| format!("cannot read “{}”", path.display()))?;
    if !bytes.trim_ascii_start().starts_with(b"<!") {
        bail!(
            "“{}” is not a page; `cardwright balance --out balance.html` writes one",
            path.display()
        );
    }
    Ok(bytes)
}

/// A folder with something else in it is left alone.
fn refuse_foreign(out: &Path) -> anyhow::Result<()> {
    let shown = out.display();
    let about = match fs::metadata(out) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        about => about.with_context(|| format!("cannot look at “{shown}”"))?,
    };
    if !about.is_dir() {
        bail!("“{shown}” is a file; name a folder");
    }
    let mut entries = fs::read_dir(out).with_context(|| format!("cannot look into “{shown}”"))?;
    if entries.next().is_some() && !(out.join(MARK).is_file() && out.join("cardwright.wasm").is_file()) {
        bail!("“{shown}” contains something else; name a new folder, or one that this command made");
    }
    Ok(())
}

/// Writes the folder beside its place, then puts it there: the one that was there is whole until the new one
/// is.
fn write(out: &Path, files: &cw_browser::files::SiteFiles) -> anyhow::Result<()> {
    let place = out.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = place.with_context(|| format!("“{}” names no folder", out.display()))?;
    let (fresh, old) = (
        out.with_file_name(format!(".{name}.new")),
        out.with_file_name(format!(".{name}.old")),
    );
    for rest in [&fresh, &old] {
        if rest.exists() {
            fs::remove_dir_all(rest).with_context(|| format!("cannot remove “{}”", rest.display()))?;
        }
    }
    let made = || -> anyhow::Result<()> {
        for (name, bytes) in files {
            let path = fresh.join(name);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            cw_files::write(&path, bytes).with_context(|| format!("cannot write “{}”", path.display()))?;
        }
        if out.exists() {
            fs::rename(out, &old)?;
        }
        fs::rename(&fresh, out)?;
        Ok(())
    };
    made()
        .inspect_err(|_| {
            // What was begun is of no use; that it stays harms nobody.
            let _ = fs::remove_dir_all(&fresh);
            if !out.exists() {
                let _ = fs::rename(&old, out);
            }
        })
        .with_context(|| format!("cannot write the folder “{}”", out.display()))?;
    if old.exists() {
        // The new one is in its place: what is left of the old one harms nobody.
        let _ = fs::remove_dir_all(&old);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_comes_out_of_the_program_as_it_went_in() {
        let module = [&b"\0asm"[..], &[7; 5000]].concat();
        let packed = miniz_oxide::deflate::compress_to_vec(&module, 10);
        assert_eq!(inflated(&packed).ok(), Some(Some(module)));
        assert_eq!(inflated(&[]).ok(), Some(None));
        let damaged = inflated(&packed[..packed.len() / 2]).expect_err("half of it is missing");
        assert!(damaged.to_string().contains("install it anew"), "{damaged}");
    }
}
