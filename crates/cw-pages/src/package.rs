//! What a package brings to its duels: the game, its decks, whom to play against, what to learn.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use cw_duel::{Game, RulePlace};
use cw_faces::Catalogue;
use cw_octgn::FilesError;
use cw_players::{PositionWeights, VALUES};
use cw_program::ModelId;
use cw_text::LineIndex;

use crate::labels;
use crate::ladder::Opponent;
use crate::room::ChosenDeck;
use crate::stage::{self, ScenarioStage};

/// What a package brings to its duels. [`DuelPackage::new`] gives a game alone; the fields may be set.
#[derive(Clone)]
pub struct DuelPackage {
    /// The game of all its tables.
    pub game: Arc<Game>,
    /// What is printed on the game's cards.
    pub catalogue: Arc<Catalogue>,
    /// The rules' texts, to show which statement ran.
    pub rules: BTreeMap<ModelId, ShownRule>,
    /// The package's decks: what a computer expects of a person.
    pub lists: Vec<Vec<ModelId>>,
    /// What positions are worth to the computer, where the package says so itself.
    pub values: Option<Arc<PositionWeights>>,
    /// The package's decks by name: a new duel may be played with them.
    pub decks: Vec<(String, Vec<ModelId>)>,
    /// Whom one can play against besides the bare levels, the easiest first.
    pub opponents: Vec<Opponent>,
    /// Lessons and puzzles that every seat may open.
    pub shelf: Vec<Arc<ScenarioStage>>,
    /// The package as it was read, for decks that somebody brings; without it nobody can.
    pub loaded: Option<Arc<cw_load::Loaded>>,
}

/// How long the text of a deck that somebody brings may be, in bytes.
pub const MOST_PASTED: usize = 16 << 10;

/// Bytes of that file.
const MOST_VALUES: u64 = 1 << 22;

/// How many findings in it are told at once.
const MOST_TOLD: usize = 5;

impl DuelPackage {
    /// A game without texts of rules, decks and lessons.
    pub fn new(game: Arc<Game>, catalogue: Arc<Catalogue>) -> DuelPackage {
        DuelPackage {
            game,
            catalogue,
            rules: BTreeMap::new(),
            lists: Vec::new(),
            values: None,
            decks: Vec::new(),
            opponents: Vec::new(),
            shelf: Vec::new(),
            loaded: None,
        }
    }

    /// All that a package brings. The words say what is left out, and why. Nothing if its cards make no game.
    ///
    /// # Errors
    /// If its files cannot be had any more.
    pub fn of(loaded: Arc<cw_load::Loaded>) -> Result<Option<(DuelPackage, Vec<String>)>, FilesError> {
        let Some(game) = loaded.game.clone() else {
            return Ok(None);
        };
        let files = &*loaded.project.files;
        let (shelf, mut left_out) = stage::shelf(files, &game)?;
        let mut values = None;
        if files.list()?.iter().any(|name| name == VALUES) {
            let bytes = files.read(VALUES, MOST_VALUES)?;
            match PositionWeights::read(&String::from_utf8_lossy(&bytes), &game) {
                Ok(read) => values = Some(Arc::new(read)),
                Err(why) => left_out.push(format!("{VALUES} is left out: {why}")),
            }
        }
        let package = DuelPackage {
            rules: rule_texts(&loaded),
            lists: loaded.decks.iter().map(|deck| deck.cards.clone()).collect(),
            values,
            decks: loaded
                .decks
                .iter()
                .map(|deck| (deck.name.clone(), deck.cards.clone()))
                .collect(),
            opponents: Opponent::of(&loaded),
            shelf,
            ..DuelPackage::new(game, Arc::new(Catalogue::of(&loaded.project)))
        };
        Ok(Some((
            DuelPackage {
                loaded: Some(loaded),
                ..package
            },
            left_out,
        )))
    }

    /// Reads the deck that somebody brings: an OCTGN deck, or a list of cards as people paste it. It must be
    /// one that can be played.
    ///
    /// # Errors
    /// Words for the person who brings it, with the lines.
    pub fn brought_deck(&self, text: &str) -> Result<ChosenDeck, String> {
        let Some(loaded) = &self.loaded else {
            return Err("no deck can be brought to this table".to_owned());
        };
        if text.len() > MOST_PASTED {
            return Err(format!("a deck may have {} kB of text", MOST_PASTED >> 10));
        }
        let text = text.trim_start_matches('\u{feff}');
        let file = if text.trim_start().starts_with('<') {
            "list.o8d"
        } else {
            "list.txt"
        };
        let read = loaded.project.read_deck(file, text.as_bytes().to_vec());
        let index = LineIndex::new(text);
        let errors = read.errors();
        let told = errors.iter().take(MOST_TOLD).map(|one| {
            let line = index.line_column(text, one.span.start).line;
            let help = one
                .help
                .as_ref()
                .map_or(String::new(), |help| format!(" ({help})"));
            match one.span.is_empty() {
                true => format!("{}{help}", one.message),
                false => format!("line {line}: {}{help}", one.message),
            }
        });
        let mut told: Vec<String> = told.collect();
        if errors.len() > MOST_TOLD {
            told.push(format!("{} more lines cannot be taken", errors.len() - MOST_TOLD));
        }
        match read.deck.filter(|_| told.is_empty()) {
            Some(deck) => Ok(ChosenDeck {
                name: labels::BROUGHT_DECK.to_owned(),
                cards: loaded.project.deck_cards(&deck),
            }),
            None if told.is_empty() => Err("this is not a deck".to_owned()),
            None => Err(told.join("; ")),
        }
    }
}

impl std::fmt::Debug for DuelPackage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DuelPackage")
            .field("game", &self.game.name)
            .finish_non_exhaustive()
    }
}

/// The text of a card's rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownRule {
    /// Where it begins in its file: places in rules are counted from there.
    pub(crate) start: usize,
    /// What stands there.
    pub(crate) text: String,
}

impl ShownRule {
    /// Where in this text a place of the rule is.
    pub(crate) fn span(&self, game: &Game, place: RulePlace) -> Option<Range<usize>> {
        let span = game.span_at(place)?;
        Some(span.start.checked_sub(self.start)?..span.end.checked_sub(self.start)?)
    }
}

/// The texts of a package's rules, to show which statement ran.
pub fn rule_texts(loaded: &cw_load::Loaded) -> BTreeMap<ModelId, ShownRule> {
    let text = |rule: &cw_load::RuleText| {
        let file = &loaded.project.package.sources.get(rule.file).text;
        ShownRule {
            start: rule.body.range().start,
            text: without_what_follows(file.get(rule.body.range()).unwrap_or("")).to_owned(),
        }
    };
    let rules = loaded.rules.iter();
    rules.map(|(model, rule)| (*model, text(rule))).collect()
}

/// A rule without the comments and empty lines at its end: they speak of the next card.
fn without_what_follows(text: &str) -> &str {
    let mut end = text.trim_end().len();
    while let Some(line) = text[..end]
        .lines()
        .next_back()
        .filter(|line| line.starts_with('#'))
    {
        end = text[..end - line.len()].trim_end().len();
    }
    &text[..end]
}
