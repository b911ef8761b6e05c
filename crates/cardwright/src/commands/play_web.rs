//! The table in the browser: a server on this machine, and the browser that shows it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use anyhow::{Context, bail};
use cw_serve::{
    DuelHost, DuelPackage, DuelStart, DuelStore, HostSettings, Invitation, LinkedThing, Memory, Resumed,
    ScenarioStage, SeatPlayer, Serve as _, Sqlite, StoreError, WantedDuel,
};

use crate::output::{note, say};

/// What the command line says about the table.
pub(super) struct PlayWebOptions {
    pub open: bool,
    pub port: Option<u16>,
    /// Under which name others in the network reach the table, if they do.
    pub host: Option<String>,
    pub store: Option<PathBuf>,
    /// Where the record of a finished duel goes.
    pub record: Option<PathBuf>,
    /// Where the game is, for free tables of it.
    pub game: Option<PathBuf>,
    /// The package, for the texts of its rules.
    pub loaded: Arc<cw_load::Loaded>,
    /// The game's files, for its pictures.
    pub files: Box<dyn cw_octgn::PackageFiles + Send>,
    /// Lessons and puzzles.
    pub shelf: Vec<Arc<ScenarioStage>>,
    /// The address of a page of the game, for links that are shared.
    pub page: Option<String>,
}

/// What a package brings to the table in the browser.
pub(super) fn package_of(
    game: &Arc<cw_duel::Game>,
    catalogue: &Arc<cw_faces::Catalogue>,
    loaded: &Arc<cw_load::Loaded>,
    shelf: Vec<Arc<ScenarioStage>>,
) -> DuelPackage {
    DuelPackage {
        rules: cw_serve::rule_texts(loaded),
        lists: crate::game::lists(loaded),
        values: cw_lab::values(game),
        decks: loaded
            .decks
            .iter()
            .map(|deck| (deck.name.clone(), deck.cards.clone()))
            .collect(),
        opponents: cw_serve::Opponent::of(loaded),
        loaded: Some(Arc::clone(loaded)),
        shelf,
        ..DuelPackage::new(Arc::clone(game), Arc::clone(catalogue))
    }
}

/// Serves a duel until the program is ended.
pub(super) fn run(start: DuelStart, mut options: PlayWebOptions) -> anyhow::Result<ExitCode> {
    let shelf = std::mem::take(&mut options.shelf);
    let package = package_of(&start.game, &start.catalogue, &options.loaded, shelf);
    // Who asked for nothing in particular may want to go on with a duel that waits.
    let plain = start.seed.is_none() && start.stage.is_none() && start.who.0.contains(&SeatPlayer::COMPUTER);
    let first = ServedFirst { plain, run: None };
    serve(package, options, first, |host| Ok(host.open_or_find(start)?))
}

/// Serves what a link carries.
pub(super) fn run_linked(
    package: DuelPackage,
    thing: LinkedThing,
    options: PlayWebOptions,
) -> anyhow::Result<ExitCode> {
    let against = WantedDuel {
        decks: [0, 1],
        own: None,
        against: None,
        opponent: SeatPlayer::COMPUTER,
        first: None,
    };
    let run = match &thing {
        LinkedThing::Run(linked) => Some(linked.run.seed()),
        _ => None,
    };
    serve(
        package,
        options,
        ServedFirst {
            run,
            ..ServedFirst::default()
        },
        |host| match thing {
            LinkedThing::Run(linked) => {
                if let Some(own) = host.hall.replaced_by(&linked.run) {
                    bail!(
                        "you have a run {} of your own, which would be lost; open the link on the front page \
                         of `cardwright play` (Open a link), which asks first",
                        own.seed()
                    );
                }
                host.hall.take_run(&linked.run)?;
                Ok(Vec::new())
            }
            thing => Ok(vec![host.hall.open_linked(thing, &against)?]),
        },
    )
}

/// What a browser is shown first.
#[derive(Clone, Copy, Debug, Default)]
struct ServedFirst {
    /// The front page, if an unfinished duel waits there.
    plain: bool,
    /// A run.
    run: Option<cw_run::RunSeed>,
}

fn serve(
    package: DuelPackage,
    mut options: PlayWebOptions,
    first: ServedFirst,
    begin: impl FnOnce(&DuelHost) -> anyhow::Result<Vec<Invitation>>,
) -> anyhow::Result<ExitCode> {
    let (store, lasts) = store(options.store.as_deref())?;
    let (kept, game, drawn) = (Arc::clone(&store), options.game.take(), Arc::clone(&package.game));
    let catalogue = Arc::clone(&package.catalogue);
    let plain_setting = HostSettings::new(
        Arc::clone(&package.game),
        Arc::clone(&package.catalogue),
        store,
        cw_serve::fresh_secret,
    );
    let mut setting = HostSettings {
        free: Some(Box::new(move || {
            super::free_web::of_duels(game.as_deref(), &drawn, &catalogue, &kept)
        })),
        files: Some(options.files),
        package: package.into(),
        reach: options.host.take(),
        note: Some(Box::new(note_once())),
        page: options.page.take(),
        ..plain_setting
    };
    if let Some(path) = options.record.take() {
        setting.over = Some(Box::new(move |record| {
            // A rematch writes over the duel before it.
            if let Err(error) = cw_files::write(&path, record.as_bytes()) {
                note(&format!(
                    "cannot write the record to “{}”: {error}",
                    path.display()
                ));
            }
        }));
    }
    let host = DuelHost::new(setting);
    let mut earlier = host.resume()?;
    let front = first.plain && !earlier.going.is_empty();
    let invitations = begin(&host)?;
    earlier.going.retain(|table| *table != invitations);
    let mine = invitations.iter().find(|seat| seat.who == SeatPlayer::Person);
    // The link itself does not stand in the list of processes, where others could read it.
    let ticket = match first.run {
        Some(seed) => Some(host.ticket_to_run(seed)),
        None => mine.map(|mine| match front {
            true => host.ticket_to_front_page(),
            false => host.ticket(mine),
        }),
    };
    let ticket = ticket.filter(|_| options.open);
    let front_page = host.front_page();
    let reached = host.clone();
    host.serve(options.port, |address| {
        if let Some(seed) = first.run {
            say!("The run is at http://{address}{}", reached.way_to_run(seed));
        }
        announce(&reached, address, &invitations, &earlier, &front_page);
        say!("{}", lasts.at_the_end("duel"));
        if let Some(origin) = reached.reached_at() {
            say!(
                "Devices in your network reach the table at {origin}, with an invitation from the front page."
            );
        }
        if let Some(ticket) = ticket {
            open_browser(&format!("http://{address}{ticket}"));
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Says each sentence once: a disk that is full is full for a while.
pub(super) fn note_once() -> impl Fn(&str) + Send + Sync {
    let said = std::sync::Mutex::new(std::collections::BTreeSet::new());
    move |words| {
        let mut said = said.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if said.insert(words.to_owned()) {
            note(words);
        }
    }
}

fn announce(
    host: &DuelHost,
    address: SocketAddr,
    invitations: &[Invitation],
    earlier: &Resumed,
    front_page: &str,
) {
    let people: Vec<&Invitation> = invitations
        .iter()
        .filter(|seat| seat.who == SeatPlayer::Person)
        .collect();
    match people[..] {
        [only] => say!("The table is at {}", link(address, only)),
        [own, guest] => {
            say!("Player {}: {}", own.seat.index() + 1, link(address, own));
            let path = host.link_for_guest(guest);
            // Only an invitation is for the network, too.
            let reached = host.reached_at().filter(|_| path.starts_with("/invite/"));
            let origin = reached.unwrap_or_else(|| format!("http://{address}"));
            let number = guest.seat.index() + 1;
            say!("Player {number}: {origin}{path} (good for one person, once)");
        }
        _ => {}
    }
    say!("All duels, lessons and cards: http://{address}{front_page}");
    for sentence in &earlier.aside {
        note(sentence);
    }
    if !earlier.changed.is_empty() {
        note(&format!(
            "{} cannot be continued, because the cards or rules have changed: {}. \
             Once the game's files are as they were, they can; the page above can forget them",
            crate::output::count(earlier.changed.len(), "unfinished duel"),
            earlier.changed.join(", ")
        ));
    }
    list(address, "Unfinished duels:", &earlier.going);
    list(address, "Finished duels to watch:", &earlier.over);
}

/// The newest of the tables.
fn list(address: SocketAddr, title: &str, tables: &[Vec<Invitation>]) {
    let newest = tables.iter().take(3).flatten();
    for (at, seat) in newest.filter(|seat| seat.who == SeatPlayer::Person).enumerate() {
        if at == 0 {
            say!("{title}");
        }
        say!("  {}", link(address, seat));
    }
}

fn link(address: SocketAddr, seat: &Invitation) -> String {
    format!("http://{address}{}", seat.path)
}

/// How long what is played lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lasting {
    /// Until it is forgotten.
    Kept,
    /// As long as the program runs.
    Lost,
}

impl Lasting {
    /// What closing the table means.
    pub(super) fn at_the_end(self, what: &str) -> String {
        match self {
            Lasting::Kept => format!("Press Ctrl+C to close the table; a {what} in progress is kept."),
            Lasting::Lost => format!("Press Ctrl+C to close the table; a {what} in progress is then lost."),
        }
    }
}

/// Duels are kept in a file; where none can be had they are kept as long as the program runs.
pub(super) fn store(path: Option<&Path>) -> anyhow::Result<(Arc<dyn DuelStore>, Lasting)> {
    if let Some(path) = path {
        let store =
            Sqlite::open(path).with_context(|| format!("cannot keep duels in “{}”", path.display()))?;
        return Ok((Arc::new(store), Lasting::Kept));
    }
    let why = match data_folder().map(|folder| usual_store(&folder)) {
        Some(Ok(store)) => return Ok((Arc::new(store), Lasting::Kept)),
        Some(Err(StoreError::InUse(_))) => {
            "another table is open and keeps the duels; with --store FILE this one can have its own"
                .to_owned()
        }
        Some(Err(fault)) => fault.to_string(),
        None => "there is no folder to keep duels in".to_owned(),
    };
    note(&format!("{why}. What is played is lost when the program ends"));
    Ok((Arc::new(Memory::new(cw_serve::fresh_secret())), Lasting::Lost))
}

/// The store in the user's folder. One that cannot be read is moved out of the way.
fn usual_store(folder: &Path) -> Result<Sqlite, StoreError> {
    let path = folder.join("duels.db");
    let fault = |source| StoreError::File {
        path: folder.to_owned(),
        source,
    };
    private_folder(folder).map_err(fault)?;
    match Sqlite::open(&path) {
        Err(why @ (StoreError::Version { .. } | StoreError::Database(_) | StoreError::Cut { .. })) => {
            let names = (1..).map(|number| match number {
                1 => "duels.old.db".to_owned(),
                number => format!("duels.old-{number}.db"),
            });
            // What was put aside before stays.
            let mut paths = names.map(|name| folder.join(name));
            let aside = paths
                .find(|path| !path.exists())
                .unwrap_or_else(|| folder.join("duels.old.db"));
            note(&format!(
                "{why}. It is kept as “{}”, and a new one is started",
                aside.display()
            ));
            std::fs::rename(&path, &aside).map_err(fault)?;
            Sqlite::open(&path)
        }
        opened => opened,
    }
}

/// The folder, made if it is missing, for its owner only.
fn private_folder(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
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
pub(super) fn open_browser(link: &str) {
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
