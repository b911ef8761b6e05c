//! What commands about cards, packs and decks share.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use cw_octgn::{Booster, Card, Deck, DeckRules, Files, FilesError, Limits, Package};
use cw_text::{Counts, FileId, Severity, Sources, nearest};
use indicatif::{ProgressBar, ProgressStyle};

use crate::limits::limits;
use crate::{game, output};

/// A package with where it came from.
pub(crate) struct Opened {
    pub(crate) files: Box<dyn Files>,
    pub(crate) package: Package,
}

/// Reads a package: a folder, an archive, or the demo game. Errors in it are counted on stderr.
pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<Opened> {
    let files = game::files(path)?;
    let package = read(&*files)?;
    let errors = Counts::of(&package.diagnostics).errors;
    if errors > 0 {
        let shown = path.map_or_else(|| "the demo game".to_owned(), |path| path.display().to_string());
        output::note(&format!(
            "{errors} errors in {shown}; `cardwright check` shows them"
        ));
    }
    Ok(Opened { files, package })
}

/// Reads a package; a bar on standard error shows how far it is where that takes longer than a moment.
pub(crate) fn read(files: &dyn Files) -> Result<Package, FilesError> {
    let started = Instant::now();
    let bar: OnceLock<ProgressBar> = OnceLock::new();
    let progress = |bytes: u64| {
        // Only what takes longer than a moment shows a bar.
        if started.elapsed() > Duration::from_millis(300) {
            bar.get_or_init(spinner).inc(bytes);
        }
    };
    let package = Package::read_with(files, &limits(), &progress);
    if let Some(bar) = bar.get() {
        bar.finish_and_clear();
    }
    package
}

fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} reading {bytes}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new_spinner().with_style(style)
}

impl Opened {
    /// What a deck has to be, and how many cards a hand begins with: from `Rules/game.toml` (D60).
    pub(crate) fn deck_rules(&self) -> (DeckRules, u32) {
        let text = self
            .files
            .read("Rules/game.toml", Limits::default().file)
            .unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let config = cw_load::Config::read(&text, FileId::default()).unwrap_or_default();
        let constants = config.constants();
        let rules = DeckRules {
            size: constants.deck_size.into(),
            copies: constants.copies.into(),
        };
        (rules, constants.opening_hand.into())
    }

    /// A deck by the path of a file, or by its name in the package.
    pub(crate) fn deck(&self, wanted: &str) -> anyhow::Result<Deck> {
        if Path::new(wanted).is_file() {
            return read_deck(wanted);
        }
        let decks = &self.package.decks;
        if let Some(deck) = decks.iter().find(|deck| deck.name.eq_ignore_ascii_case(wanted)) {
            return Ok(deck.clone());
        }
        match nearest(wanted, decks.iter().map(|deck| deck.name.as_str())) {
            Some(near) => bail!("there is no deck “{wanted}”; did you mean “{near}”?"),
            None => bail!("there is no deck “{wanted}”, neither as a file nor in the game"),
        }
    }

    /// A pack by its id, its name, or its set's name and its name.
    pub(crate) fn pack(&self, wanted: &str) -> anyhow::Result<Booster> {
        let (set, pack) = self.find_pack(wanted)?;
        let booster = Booster::new(&self.package, set, pack);
        let mut any = false;
        booster.picks(&mut |pick| any |= !pick.candidates.is_empty());
        if !any {
            bail!(
                "“{}” can yield no card; `cardwright check` tells why",
                self.pack_name(set, pack)
            );
        }
        Ok(booster)
    }

    /// The set and the place in it of a pack.
    pub(crate) fn find_pack(&self, wanted: &str) -> anyhow::Result<(usize, usize)> {
        let all = || {
            let sets = self.package.sets.iter().enumerate();
            sets.flat_map(|(set, found)| (0..found.packs.len()).map(move |pack| (set, pack)))
        };
        if let Ok(id) = wanted.parse() {
            let by_id = all().find(|(set, pack)| self.package.sets[*set].packs[*pack].id.value == id);
            return by_id.with_context(|| format!("there is no pack {wanted}"));
        }
        let same = |name: &str| name.to_lowercase() == wanted.to_lowercase();
        let by_whole: Vec<_> = all()
            .filter(|(set, pack)| same(&self.pack_name(*set, *pack)))
            .collect();
        let by_name = || {
            let own = |(set, pack): &(usize, usize)| same(&self.package.sets[*set].packs[*pack].name);
            all().filter(own).collect::<Vec<_>>()
        };
        let by_set = || {
            all()
                .filter(|(set, _)| same(&self.package.sets[*set].name))
                .collect::<Vec<_>>()
        };
        let found = [by_whole, by_name(), by_set()]
            .into_iter()
            .find(|found| !found.is_empty());
        match found.as_deref() {
            Some([one]) => Ok(*one),
            Some(several) => {
                let names: Vec<String> = several
                    .iter()
                    .take(8)
                    .map(|(set, pack)| format!("“{}”", self.pack_name(*set, *pack)))
                    .collect();
                bail!(
                    "“{wanted}” may be {}; name the set too, or use the id",
                    names.join(" or ")
                )
            }
            None => {
                let names: Vec<String> = all().map(|(set, pack)| self.pack_name(set, pack)).collect();
                let words = names.iter().map(String::as_str);
                let own = all().map(|(set, pack)| &*self.package.sets[set].packs[pack].name.value);
                match nearest(wanted, words.chain(own)) {
                    Some(near) => bail!("there is no pack “{wanted}”; did you mean “{near}”?"),
                    None if names.is_empty() => bail!("the game has no packs"),
                    None => bail!("there is no pack “{wanted}”; `cardwright packs list` shows them all"),
                }
            }
        }
    }

    /// The display name of a pack (P31).
    pub(crate) fn pack_name(&self, set: usize, pack: usize) -> String {
        let set = &self.package.sets[set];
        format!("{}, {}", *set.name, *set.packs[pack].name)
    }
}

/// Reads a deck from a file; what is wrong with it is shown.
pub(crate) fn read_deck(path: &str) -> anyhow::Result<Deck> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read the deck “{path}”"))?;
    let mut sources = Sources::new();
    let (deck, found) = Deck::read(path, bytes, &Limits::default(), &mut sources);
    if found.iter().any(|finding| finding.severity == Severity::Error) {
        output::findings(&sources, &found);
    }
    deck.with_context(|| format!("the deck “{path}” cannot be read"))
}

/// Writes a file that is not there yet, unless `force`.
pub(crate) fn write_new(path: &Path, bytes: &[u8], force: bool) -> anyhow::Result<()> {
    if path.exists() && !force {
        bail!("“{}” is there already; --force replaces it", path.display());
    }
    std::fs::write(path, bytes).with_context(|| format!("cannot write “{}”", path.display()))
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
pub(crate) fn card_line(package: &Package, card: &Card) -> String {
    let shown = package
        .definition
        .properties
        .iter()
        .filter(|property| !property.hidden);
    let values = shown.filter_map(|property| card.text(&property.name));
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
