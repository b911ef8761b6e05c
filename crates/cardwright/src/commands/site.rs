//! `cardwright site`: the table of a game as a folder of files, for any file host.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use cw_browser::files::SiteModules;
use cw_octgn::export;
use cw_text::Severity;
use lzma_rust2::LzmaReader;

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

/// The modules that this program was built with, packed by the build script; nothing in a program that was
/// built without them.
static MODULES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/modules.lzma"));

/// How large the window may be through which they are unpacked, in KiB: the build script makes it as large as
/// they are in all.
const MOST_MEMORY: u32 = 1 << 17;

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
        if MODULES.is_empty() {
            bail!(
                "this program was built without the module of the page. \
                 Where Cardwright is built, `cargo xtask module` makes it, and --module FILE takes it"
            );
        }
        return unpacked(MODULES).map_err(|why| {
            anyhow::anyhow!("the module in this program is damaged ({why}): install it anew")
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

/// The modules as they were before they came into the program: each behind its length (32 bits, lowest
/// first).
fn unpacked(packed: &[u8]) -> std::io::Result<SiteModules> {
    let mut reader = LzmaReader::new_mem_limit(packed, MOST_MEMORY, None)?;
    let mut next = || {
        let mut length = [0; 4];
        reader.read_exact(&mut length)?;
        let length = u64::from(u32::from_le_bytes(length));
        let mut bytes = Vec::new();
        match reader.by_ref().take(length).read_to_end(&mut bytes)? as u64 == length {
            true => Ok(bytes),
            false => Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof)),
        }
    };
    let (whole, play, rest) = (next()?, next()?, next()?);
    let some = |bytes: Vec<u8>| (!bytes.is_empty()).then_some(bytes);
    Ok(SiteModules {
        whole,
        play: some(play),
        rest: some(rest),
    })
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
    use std::io::Write;

    use lzma_rust2::{LzmaOptions, LzmaWriter};

    use super::*;

    /// As the build script packs them.
    fn packed(modules: [&[u8]; 3]) -> Vec<u8> {
        let mut all = Vec::new();
        for module in modules {
            all.extend((module.len() as u32).to_le_bytes());
            all.extend(module);
        }
        let mut options = LzmaOptions::with_preset(1);
        options.dict_size = all.len() as u32;
        let size = Some(all.len() as u64);
        let mut writer = LzmaWriter::new_use_header(Vec::new(), &options, size).unwrap();
        writer.write_all(&all).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn modules_come_out_of_the_program_as_they_went_in() {
        let whole: Vec<u8> = (0..60_000u32).flat_map(|at| (at * at).to_le_bytes()).collect();
        let all = packed([&whole, b"\0asm play", b"\0asm rest"]);
        let modules = unpacked(&all).unwrap();
        assert_eq!(modules.whole, whole);
        assert_eq!(modules.play.as_deref(), Some(&b"\0asm play"[..]));
        assert_eq!(modules.rest.as_deref(), Some(&b"\0asm rest"[..]));
        let alone = unpacked(&packed([&whole, b"", b""])).unwrap();
        assert_eq!((alone.whole, alone.play, alone.rest), (whole, None, None));
        // What is cut off is not taken for a shorter module.
        for end in (0..all.len() - 20).step_by(997) {
            assert!(unpacked(&all[..end]).is_err(), "{end}");
        }
    }
}
