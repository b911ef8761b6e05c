//! What computers of a draft go by in this game.

use cw_draft::CardFigures;
use cw_octgn::{CardRef, Ratings};

use crate::Project;

/// Where a package may have figures of its cards: a report of `cardwright balance --json`.
pub const FIGURES: &str = "Rules/balance.json";
/// Bytes of it.
const MOST: u64 = 64 << 20;

impl Project {
    /// The figures of its cards, if the package brings some.
    ///
    /// # Errors
    /// What is wrong with them, in words.
    pub fn card_figures(&self) -> Result<Option<CardFigures>, String> {
        let names = self.files.list().map_err(|fault| fault.to_string())?;
        if !names.iter().any(|name| name == FIGURES) {
            return Ok(None);
        }
        let bytes = self
            .files
            .read(FIGURES, MOST)
            .map_err(|fault| format!("{FIGURES}: {fault}"))?;
        let figures = CardFigures::read(&String::from_utf8_lossy(&bytes));
        figures
            .map(Some)
            .map_err(|fault| format!("{FIGURES} cannot be used: {fault}"))
    }

    /// What computers of a draft hold cards to be worth: the package's figures, if it has some of most of
    /// these cards, else what is printed.
    ///
    /// # Errors
    /// What is wrong with the figures, in words.
    pub fn draft_ratings(&self, printed: Ratings) -> Result<Ratings, String> {
        let by_figures = self
            .card_figures()?
            .and_then(|figures| figures.ratings(&self.package, &printed));
        Ok(by_figures.unwrap_or(printed))
    }

    /// How many of a card a deck of limited play may hold: a computer takes no more.
    pub fn most_in_draft(&self) -> impl Fn(CardRef) -> u32 + Send + Sync + 'static {
        let rules = self.deck_rules().map(|rules| rules.limited(self, |_| u32::MAX));
        move |card| rules.as_ref().map_or(u32::MAX, |rules| rules.copies_of(card))
    }
}
