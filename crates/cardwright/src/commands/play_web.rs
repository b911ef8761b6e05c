//! The table in the browser: a server on this machine, and the browser that shows it.

use std::fs::File;
use std::io::{Seek, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use anyhow::Context;
use cw_web::{Host, Invitation, Memory, Sqlite, Stage, Start, Store, Who};

use crate::output::{note, say};

/// What the command line says about the table.
pub(super) struct Options<'a> {
    pub open: bool,
    pub port: Option<u16>,
    pub store: Option<PathBuf>,
    /// Where the record of a finished duel goes.
    pub record: Option<(File, PathBuf)>,
    /// The package, for the texts of its rules.
    pub loaded: &'a cw_load::Loaded,
    /// The game's files, for its pictures.
    pub files: Box<dyn cw_octgn::Files + Send>,
    /// Lessons and puzzles.
    pub shelf: Vec<Arc<Stage>>,
}

/// Serves until the program is ended.
pub(super) fn run(start: Start, mut options: Options<'_>) -> anyhow::Result<ExitCode> {
    let mut host = Host::new(
        start.game.clone(),
        start.catalogue.clone(),
        store(options.store.as_deref())?,
    )
    .with_pictures(options.files)
    .with_rules(options.loaded)
    .with_shelf(options.shelf);
    if let Some((file, path)) = options.record.take() {
        host = host.when_over(Box::new(move |record| {
            // A rematch writes over the duel before it.
            let written = (&file)
                .rewind()
                .and_then(|()| file.set_len(0))
                .and_then(|()| (&file).write_all(record.as_bytes()));
            if written.is_err() {
                note(&format!("cannot write the record to “{}”", path.display()));
            }
        }));
    }
    let earlier = host.resume()?;
    let invitations = host.open(start)?;
    host.serve(options.port, |address| {
        announce(address, &invitations, &earlier);
        let mine = invitations.iter().find(|seat| seat.who == Who::Person);
        if let Some(mine) = mine.filter(|_| options.open) {
            open_browser(&link(address, mine));
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

fn announce(address: SocketAddr, invitations: &[Invitation], earlier: &[Vec<Invitation>]) {
    let people: Vec<&Invitation> = invitations
        .iter()
        .filter(|seat| seat.who == Who::Person)
        .collect();
    match people[..] {
        [only] => say!("The table is at {}", link(address, only)),
        _ => {
            for person in people {
                say!("Player {}: {}", person.seat.index() + 1, link(address, person));
            }
        }
    }
    let unfinished = earlier.iter().take(3).flatten();
    for (at, seat) in unfinished.filter(|seat| seat.who == Who::Person).enumerate() {
        if at == 0 {
            say!("Unfinished duels:");
        }
        say!("  {}", link(address, seat));
    }
    say!("Press Ctrl+C to close the table; a duel in progress is kept.");
}

fn link(address: SocketAddr, seat: &Invitation) -> String {
    format!("http://{address}{}", seat.path)
}

/// Duels are kept in a file; where none can be had they are kept as long as the program runs.
fn store(path: Option<&Path>) -> anyhow::Result<Box<dyn Store>> {
    if let Some(path) = path {
        let store =
            Sqlite::open(path).with_context(|| format!("cannot keep duels in “{}”", path.display()))?;
        return Ok(Box::new(store));
    }
    let kept = data_folder().and_then(|folder| {
        std::fs::create_dir_all(&folder).ok()?;
        Sqlite::open(&folder.join("duels.db")).ok()
    });
    Ok(match kept {
        Some(store) => Box::new(store),
        None => {
            note("there is no folder to keep duels in; this one ends with the program");
            Box::new(Memory::default())
        }
    })
}

/// The user's folder for programs' data.
fn data_folder() -> Option<PathBuf> {
    let set = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let folder = if cfg!(windows) {
        set("LOCALAPPDATA")?
    } else if cfg!(target_os = "macos") {
        set("HOME")?.join("Library/Application Support")
    } else {
        set("XDG_DATA_HOME").or_else(|| Some(set("HOME")?.join(".local/share")))?
    };
    Some(Path::new(&folder).join("cardwright"))
}

/// Where no browser opens, the printed link remains.
fn open_browser(link: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(program)
        .args(arguments)
        .arg(link)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if started.is_err() {
        note("no browser could be opened; open the link yourself");
    }
}
