//! What commands about cards, packs and decks share.

use std::ops::Deref;
use std::path::Path;

use anyhow::{Context, bail};
use cw_load::{DeckRules, Project};
use cw_octgn::{Booster, Deck, Package, PackageCard, Pool, SearchedForm};
use cw_text::SeverityCounts;

use crate::{game, output};

/// A game, and what the command line calls things in it.
#[derive(Debug)]
pub(crate) struct OpenedGame(Project);

impl Deref for OpenedGame {
    type Target = Project;

    fn deref(&self) -> &Project {
        &self.0
    }
}

/// Reads a game: a folder, an archive, or the demo game. Errors in the package are counted on stderr.
pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<OpenedGame> {
    opened(path, game::project(path)?)
}

/// As [`open`], with the definition and the cards alone.
pub(crate) fn open_cards(path: Option<&Path>) -> anyhow::Result<OpenedGame> {
    opened(path, game::cards(path)?)
}

fn opened(path: Option<&Path>, project: Project) -> anyhow::Result<OpenedGame> {
    game::say_which(path, &project);
    let errors = SeverityCounts::of(&project.package.diagnostics).errors;
    if errors > 0 {
        let shown = path.map_or_else(|| "the demo game".to_owned(), |path| path.display().to_string());
        let errors = output::count(errors, "error");
        output::note(&format!("{errors} in {shown}; `cardwright check` shows them"));
    }
    Ok(OpenedGame(project))
}

impl OpenedGame {
    /// The project itself, for who shares its package.
    pub(crate) fn into_project(self) -> Project {
        self.0
    }

    /// Takes a project that was read already.
    #[cfg(test)]
    pub(crate) fn of(project: Project) -> OpenedGame {
        OpenedGame(project)
    }

    /// A deck by the path of a file, or by its name in the package; what is wrong with a file is shown.
    pub(crate) fn deck(&self, wanted: &str) -> anyhow::Result<Deck> {
        let read = cw_lab::find_deck(self, wanted)?;
        read.deck.clone().map_or_else(
            || {
                output::findings(&read.sources, &read.errors());
                bail!("the deck “{wanted}” cannot be read")
            },
            Ok,
        )
    }

    /// The rules of decks that are made of this pool.
    pub(crate) fn limited(&self, pool: &Pool) -> Option<DeckRules> {
        let rules = self.deck_rules()?;
        let rules = rules.limited(self, |rules| pool.playable(&|card| rules.copies_of(card)));
        Some(rules.of_pool(pool))
    }

    /// A pack by its id, its name, or its set's name and its name.
    pub(crate) fn pack(&self, wanted: &str) -> anyhow::Result<Booster> {
        let (set, pack) = self.find_pack(wanted)?;
        let booster = Booster::new(&self.package, set, pack);
        let mut any = false;
        booster.picks(&mut |pick| any |= !pick.candidates.is_empty());
        if !any {
            output::note(&format!(
                "“{}” can yield no card; `cardwright check` says why",
                self.pack_name(set, pack)
            ));
        }
        Ok(booster)
    }

    /// The set and the place in it of a pack.
    pub(crate) fn find_pack(&self, wanted: &str) -> anyhow::Result<(usize, usize)> {
        cw_lab::find_pack(&self.package, wanted)
    }

    /// The display name of a pack (P31).
    pub(crate) fn pack_name(&self, set: usize, pack: usize) -> String {
        cw_lab::pack_name(&self.package, set, pack)
    }
}

/// Writes a file that is not there yet, unless `force`.
pub(crate) fn write_new(path: &Path, bytes: &[u8], force: bool) -> anyhow::Result<()> {
    refuse_old(path, force)?;
    let written = match force {
        true => cw_files::write(path, bytes),
        false if is_device(path) => cw_files::write(path, bytes),
        false => cw_files::write_new(path, bytes),
    };
    written.with_context(|| format!("cannot write “{}”", path.display()))
}

/// Refuses to write over what is there, unless `force`: who has worked long for a result is told before the
/// work.
pub(crate) fn refuse_old(path: &Path, force: bool) -> anyhow::Result<()> {
    if path.symlink_metadata().is_ok() && !force && !is_device(path) {
        bail!("“{}” already exists; --force replaces it", path.display());
    }
    Ok(())
}

/// A place that takes everything and loses nothing, as `/dev/stdout` or a pipe.
fn is_device(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|about| !about.is_file() && !about.is_dir())
}

/// The seed that was given, or a fresh one.
pub(crate) fn seed(given: Option<u64>) -> u64 {
    given.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        // Short enough to be typed again.
        now.map_or(0, |time| {
            u64::from(time.subsec_nanos()) ^ (time.as_secs() << 8) & 0xffff_ffff
        })
    })
}

/// A card's properties as one line: those that are not hidden, long texts left out.
pub(crate) fn card_line(package: &Package, card: &PackageCard) -> String {
    line_of(package, |property| card.text(property))
}

/// As [`card_line`], for one form of a card: an alternate is shown by its own values (P72).
pub(crate) fn form_line(package: &Package, form: &SearchedForm<'_>) -> String {
    line_of(package, |property| form.text(property))
}

fn line_of<'p>(package: &Package, text: impl Fn(&str) -> Option<&'p str>) -> String {
    let shown = package
        .definition
        .properties
        .iter()
        .filter(|property| !property.hidden);
    let values = shown.filter_map(|property| text(&property.name));
    let short = values.filter(|value| !value.trim().is_empty() && value.chars().count() <= 24);
    short.take(6).collect::<Vec<_>>().join(" · ")
}

/// A field of a CSV line.
pub(crate) fn csv(field: &str) -> String {
    // A spreadsheet takes a field that begins so for a formula.
    let formula = field.starts_with(['=', '+', '-', '@']) && field.parse::<f64>().is_err();
    let field = if formula {
        format!("'{field}")
    } else {
        field.to_owned()
    };
    if field.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    field
}
