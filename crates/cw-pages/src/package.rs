//! What a package brings to its duels: the game, its decks, whom to play against, what to learn.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use cw_duel::{Game, RulePlace};
use cw_faces::Catalogue;
use cw_players::Values;
use cw_program::ModelId;

use crate::ladder::Opponent;
use crate::stage::Stage;

/// What a package brings to its duels. [`DuelPackage::new`] gives a game alone; the fields may be set.
#[derive(Clone)]
pub struct DuelPackage {
    /// The game of all its tables.
    pub game: Arc<Game>,
    /// What is printed on the game's cards.
    pub catalogue: Arc<Catalogue>,
    /// The rules' texts, to show which statement ran.
    pub rules: BTreeMap<ModelId, RuleText>,
    /// The package's decks: what a computer expects of a person.
    pub lists: Vec<Vec<ModelId>>,
    /// What positions are worth to the computer, where the package says so itself.
    pub values: Option<Arc<Values>>,
    /// The package's decks by name: a new duel may be played with them.
    pub decks: Vec<(String, Vec<ModelId>)>,
    /// Whom one can play against besides the bare levels, the easiest first.
    pub opponents: Vec<Opponent>,
    /// Lessons and puzzles that every seat may open.
    pub shelf: Vec<Arc<Stage>>,
}

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
pub struct RuleText {
    /// Where it begins in its file: places in rules are counted from there.
    pub(crate) start: usize,
    /// What stands there.
    pub(crate) text: String,
}

impl RuleText {
    /// Where in this text a place of the rule is.
    pub(crate) fn span(&self, game: &Game, place: RulePlace) -> Option<Range<usize>> {
        let span = game.span_at(place)?;
        Some(span.start.checked_sub(self.start)?..span.end.checked_sub(self.start)?)
    }
}

/// The texts of a package's rules, to show which statement ran.
pub fn rule_texts(loaded: &cw_load::Loaded) -> BTreeMap<ModelId, RuleText> {
    let text = |rule: &cw_load::RuleText| {
        let file = &loaded.project.package.sources.get(rule.file).text;
        RuleText {
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
