//! The game as its files are now, and what the table is told of it.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use cw_duel::GameChange;
use cw_live::{Rehearsal, RehearsalReport};
use cw_load::{Loaded, Project, ReadOptions};
use cw_octgn::Folder;
use cw_serve::{
    DuelHost, DuelPackage, NoticeLine, RenewedTables, UnfitTable, WorkNotice, WorkNoticeKind, WorkScenario,
    Workbench,
};
use cw_text::{Diagnostic, LineIndex, Severity, Sources, count};

use crate::output::{self, note, say};

/// A file that is just being written may be whole a moment later.
const AGAIN: Duration = Duration::from_millis(50);
/// Letters of a file that a board is kept in.
const MOST_NAME: usize = 60;
/// Lines that the page shows.
const MOST_LINES: usize = 40;

/// A game that was read from its folder.
pub(super) struct ReadWork {
    /// What its tables use; nothing if it cannot be played.
    pub(super) package: Option<DuelPackage>,
    /// What keeps a table from going on with it.
    errors: Vec<Diagnostic>,
    /// What is wrong in decks: who plays already is not kept from it.
    in_decks: Vec<Diagnostic>,
    sources: Sources,
}

impl ReadWork {
    /// Reads a folder.
    ///
    /// # Errors
    /// If its files cannot be read.
    pub(super) fn of(folder: &Path) -> anyhow::Result<ReadWork> {
        let read = || {
            let reading = ReadOptions {
                limits: super::reading(),
                ..ReadOptions::default()
            };
            Project::read_with(Box::new(Folder::new(folder)), &reading, &|_| {})
        };
        let project = read().or_else(|_| {
            thread::sleep(AGAIN);
            read()
        });
        let project = project.with_context(|| format!("cannot read “{}”", folder.display()))?;
        let mut errors: Vec<Diagnostic> = project.findings().found;
        errors.retain(|found| found.severity == Severity::Error);
        let sources = project.package.sources.clone();
        let is_deck = |found: &Diagnostic| {
            let source = sources.find(found.file);
            source.is_some_and(|source| source.name.to_ascii_lowercase().ends_with(".o8d"))
        };
        let (in_decks, errors) = errors.into_iter().partition(is_deck);
        let loaded = Loaded::of(project).with_context(|| format!("cannot read “{}”", folder.display()))?;
        let package = DuelPackage::of(Arc::new(loaded)).context("cannot read the game's lessons")?;
        let package = package.map(|(package, left_out)| {
            left_out.iter().for_each(|words| note(words));
            package
        });
        Ok(ReadWork {
            package,
            errors,
            in_decks,
            sources,
        })
    }

    /// Prints its errors.
    pub(super) fn say(&self) {
        let all = [&self.errors[..], &self.in_decks].concat();
        if !all.is_empty() {
            output::findings(&self.sources, &all);
        }
    }

    fn lines(&self) -> Vec<NoticeLine> {
        let lines = self.errors.iter().chain(&self.in_decks).map(|found| {
            let place = self.sources.find(found.file).map(|source| {
                let at = LineIndex::new(&source.text).line_column(&source.text, found.span.start);
                format!("{}:{}:{}", source.name, at.line, at.column)
            });
            let help = found
                .help
                .as_ref()
                .map_or(String::new(), |help| format!(" ({help})"));
            NoticeLine {
                place,
                words: format!("{} [{}]{help}", found.message, found.code),
                wrong: true,
            }
        });
        lines.collect()
    }
}

/// The work on a game: its files, its table, its scenarios.
pub(super) struct Work {
    folder: PathBuf,
    host: OnceLock<DuelHost>,
    now: Mutex<WorkNow>,
}

/// How the work stands.
#[derive(Default)]
struct WorkNow {
    /// The number of the last notice.
    serial: u64,
    /// What the last notice told, without scenarios.
    told: Option<WorkNotice>,
    /// A version that the table could not go on with.
    waiting: Option<(DuelPackage, GameChange)>,
    /// What the last change has touched, until the scenarios ran.
    touched: Option<GameChange>,
    rehearsal: Rehearsal,
    /// The scenarios that failed when they last ran.
    failed: Vec<cw_live::FailedScenario>,
}

impl Work {
    /// The work on this folder, which has been read.
    pub(super) fn new(folder: PathBuf, read: ReadWork) -> Work {
        let told = match read.errors.is_empty() {
            true => notice(
                WorkNoticeKind::Watching,
                "Watching: save a file of the game, and this table goes on with it.",
                Vec::new(),
            ),
            false => errors(&read),
        };
        Work {
            folder,
            host: OnceLock::new(),
            now: Mutex::new(WorkNow {
                told: Some(told),
                ..WorkNow::default()
            }),
        }
    }

    /// This host serves its tables.
    pub(super) fn serve(&self, host: DuelHost) {
        // It is served once.
        let _ = self.host.set(host);
        self.show(&mut self.now());
    }

    fn now(&self) -> MutexGuard<'_, WorkNow> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn host(&self) -> &DuelHost {
        self.host.get().expect("it is served before anything is saved")
    }

    /// Shows what was told last, with the scenarios that fail.
    fn show(&self, now: &mut WorkNow) {
        let Some(told) = &now.told else { return };
        let mut told = told.clone();
        now.serial += 1;
        told.serial = now.serial;
        told.lines.extend(now.failed.iter().map(|failed| NoticeLine {
            place: Some(format!("{}:{}", failed.file, failed.line)),
            words: format!("scenario “{}”: {}", failed.name, failed.why.join("; ")),
            wrong: true,
        }));
        if told.lines.len() > MOST_LINES {
            let more = told.lines.len() - MOST_LINES;
            told.lines.truncate(MOST_LINES);
            told.lines.push(NoticeLine {
                place: None,
                words: format!("and {more} more; the terminal has all of them"),
                wrong: false,
            });
        }
        self.host().hall.notify(told);
    }

    /// Files were saved: the table goes on with them, or says why not.
    pub(super) fn reload(&self, saved: &[PathBuf], begun: Instant) {
        let names = names(&self.folder, saved);
        let read = match ReadWork::of(&self.folder) {
            Ok(read) => read,
            Err(fault) => {
                output::error(&fault);
                let mut now = self.now();
                let title = format!("{fault:#}. The table goes on with the game as it was.");
                now.told = Some(notice(WorkNoticeKind::Errors, &title, Vec::new()));
                return self.show(&mut now);
            }
        };
        let mut now = self.now();
        now.waiting = None;
        let package = match (&read.package, read.errors.is_empty()) {
            (Some(package), true) => package.clone(),
            (_, is_right) => {
                read.say();
                say!("{names}: the table goes on with the game as it was.");
                now.told = Some(match is_right {
                    true => notice(
                        WorkNoticeKind::Errors,
                        "There are no cards that can be played. The table goes on with the game as it was.",
                        Vec::new(),
                    ),
                    false => errors(&read),
                });
                return self.show(&mut now);
            }
        };
        let change = GameChange::between(&self.host().hall.setting.package.now().game, &package.game);
        if !read.in_decks.is_empty() {
            read.say();
        }
        if change.is_empty() {
            // Comments, pictures, decks: new tables have them, and nobody at the old one is disturbed.
            self.host().hall.take_package(package);
            say!("{names}: no card has changed.");
            let is_watching = now
                .told
                .as_ref()
                .is_some_and(|told| told.kind == WorkNoticeKind::Changed);
            if !is_watching {
                now.told = Some(notice(
                    WorkNoticeKind::Watching,
                    "The files have no errors.",
                    Vec::new(),
                ));
                self.show(&mut now);
            }
            return;
        }
        let changes = cw_words::changes(&change);
        match self
            .host()
            .hall
            .renew(package.clone(), &change, UnfitTable::KeepsAll)
        {
            Ok(renewed) => {
                let took = begun.elapsed().as_millis();
                let mut told = goes_on(&names, &changes, &renewed, &package);
                told.lines.extend(read.lines());
                now.told = Some(told);
                self.show(&mut now);
                say!(
                    "{names}: the table goes on with the new rules ({took} ms). {}",
                    changes.join("; ")
                );
                for note in &renewed.notes {
                    say!("  {}", cw_words::carry_note(*note, &package.game));
                }
                now.touched = Some(change);
            }
            Err(fault) => {
                let why = cw_words::carry_fault(&fault, &change);
                say!("{names}: the table stays with the game as it was: {why}.");
                let title = format!("This table cannot go on with the new rules: {why}.");
                let lines = plain(changes);
                now.told = Some(notice(WorkNoticeKind::Stays, &title, lines));
                now.waiting = Some((package, change));
                self.show(&mut now);
            }
        }
    }

    /// Runs the scenarios that the last change can touch; the first time all.
    pub(super) fn rehearse(&self, files: &[PathBuf]) {
        let mut now = self.now();
        let report = self.run_scenarios(&mut now, files);
        if report.run > 0 {
            say!("{}", summary(&report));
        }
        self.tell_failed(&mut now, report);
    }

    fn run_scenarios(&self, now: &mut WorkNow, files: &[PathBuf]) -> RehearsalReport {
        let game = Arc::clone(&self.host().hall.setting.package.now().game);
        let mut texts = BTreeMap::new();
        for path in files {
            if let Ok(text) = cw_files::read_text(path, cw_files::SCENARIO)
                && text.contains("scenario")
            {
                texts.insert(short(&self.folder, path), text);
            }
        }
        // Where nothing has changed, only files that are new or were edited run.
        let unchanged = GameChange::between(&game, &game);
        let change = now.touched.take().unwrap_or(unchanged);
        now.rehearsal.run(&texts, &game, Some(&change))
    }

    /// Says which scenarios fail that did not before, and shows all that do.
    fn tell_failed(&self, now: &mut WorkNow, report: RehearsalReport) {
        for failed in report.failed.iter().filter(|failed| !now.failed.contains(failed)) {
            say!("  FAILED {}:{} {}", failed.file, failed.line, failed.name);
            for line in &failed.why {
                say!("    {line}");
            }
        }
        if report.failed != now.failed {
            now.failed = report.failed;
            self.show(now);
        }
    }
}

impl Workbench for Work {
    fn begin_again(&self) -> Result<(), String> {
        let mut now = self.now();
        let Some((package, change)) = now.waiting.take() else {
            self.host().hall.begin_again();
            return Ok(());
        };
        let hall = &self.host().hall;
        let renewed = hall.renew(package.clone(), &change, UnfitTable::BeginsAgain);
        renewed.map_err(|fault| cw_words::carry_fault(&fault, &change))?;
        let title = "The duel has begun again with the new rules.";
        now.told = Some(notice(
            WorkNoticeKind::Changed,
            title,
            plain(cw_words::changes(&change)),
        ));
        now.touched = Some(change);
        self.show(&mut now);
        Ok(())
    }

    fn scenarios_of(&self, card: &str) -> Vec<WorkScenario> {
        let told = self.now().rehearsal.of_card(card).into_iter();
        let told = told.map(|one| WorkScenario {
            file: one.file,
            name: one.name,
            why: one.why,
        });
        told.collect()
    }

    fn keep_scenario(&self, name: &str, text: &str) -> Result<String, String> {
        let letters = name.chars().map(|letter| match letter.is_alphanumeric() {
            true => letter.to_lowercase().next().unwrap_or('-'),
            false => '-',
        });
        let words: String = letters.take(MOST_NAME).collect();
        let words: Vec<&str> = words.split('-').filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            return Err("give the board a name with a letter or a digit in it".to_owned());
        }
        let file = format!("Tests/{}.toml", words.join("-"));
        let path = self.folder.join(&file);
        let folder = self.folder.join("Tests");
        let made = std::fs::create_dir_all(&folder);
        let written = made.and_then(|()| cw_files::write_new(&path, text.as_bytes()));
        written.map_err(|why| match why.kind() {
            ErrorKind::AlreadyExists => {
                format!("there is a file “{file}” already; give the board another name")
            }
            _ => format!("“{file}” cannot be written: {why}"),
        })?;
        Ok(file)
    }
}

fn notice(kind: WorkNoticeKind, title: &str, lines: Vec<NoticeLine>) -> WorkNotice {
    WorkNotice {
        serial: 0,
        kind,
        title: title.to_owned(),
        lines,
        again: matches!(kind, WorkNoticeKind::Changed | WorkNoticeKind::Stays),
    }
}

fn errors(read: &ReadWork) -> WorkNotice {
    let many = count(read.errors.len(), "error");
    let title = format!("{many}: the table goes on with the game as it was.");
    notice(WorkNoticeKind::Errors, &title, read.lines())
}

fn goes_on(names: &str, changes: &[String], renewed: &RenewedTables, package: &DuelPackage) -> WorkNotice {
    let mut title = format!("{names} saved: same position, new rules.");
    match renewed.back {
        0 => {}
        back => {
            let many = count(back, "choice");
            let verb = if back == 1 { "was" } else { "were" };
            title =
                format!("{names} saved: new rules. An effect was in progress, so {many} {verb} taken back.");
        }
    }
    if renewed.reshuffled {
        title.push_str(" What nobody knows was shuffled again.");
    }
    let mut lines = plain(changes.to_vec());
    let notes = renewed.notes.iter();
    lines.extend(plain(
        notes
            .map(|note| cw_words::carry_note(*note, &package.game))
            .collect(),
    ));
    notice(WorkNoticeKind::Changed, &title, lines)
}

fn plain(sentences: Vec<String>) -> Vec<NoticeLine> {
    let lines = sentences.into_iter().map(|words| NoticeLine {
        place: None,
        words,
        wrong: false,
    });
    lines.collect()
}

fn summary(report: &RehearsalReport) -> String {
    let failed = match report.failed.len() {
        0 => "all pass".to_owned(),
        failed => format!("{failed} failed"),
    };
    format!(
        "{} of {} run: {failed}.",
        report.run,
        count(report.all, "scenario")
    )
}

/// Files as people call them: below the game's folder, or whole.
fn short(folder: &Path, path: &Path) -> String {
    path.strip_prefix(folder)
        .unwrap_or(path)
        .to_string_lossy()
        .replace('\\', "/")
}

/// The files that were saved, the first few by name.
fn names(folder: &Path, saved: &[PathBuf]) -> String {
    const FIRST: usize = 3;
    let names: Vec<String> = saved.iter().take(FIRST).map(|path| short(folder, path)).collect();
    match saved.len() - names.len() {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
