//! What computers take: by measured figures of cards where there are some, else by what is printed.

use std::collections::BTreeMap;

use cw_octgn::{CardRef, Guid, Package, Ratings};
use serde::Deserialize;

use crate::DraftView;

/// What a card was worth in duels: the figures of a report of `cardwright balance --json`.
///
/// Of each card it takes the score of decks that had drawn it (17Lands: GIH WR). Few duels say little, so the
/// score is drawn towards one half as if a hundred more duels had ended evenly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CardFigures {
    by_id: BTreeMap<Guid, f64>,
}

/// A text is no report of `balance`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is no report of `cardwright balance --json`: {0}")]
pub struct NoFigures(String);

/// Duels that ended evenly, as far as a figure is concerned.
const EVEN_DUELS: f64 = 100.0;

#[derive(Deserialize)]
struct ReadReport {
    cards: Vec<ReadCard>,
}

#[derive(Deserialize)]
struct ReadCard {
    id: String,
    in_hand: ReadFigure,
}

#[derive(Deserialize)]
struct ReadFigure {
    value: f64,
    n: u64,
}

impl CardFigures {
    /// Reads a report. Cards that were never drawn have no figure.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(text: &str) -> Result<CardFigures, NoFigures> {
        let report: ReadReport = serde_json::from_str(text).map_err(|fault| NoFigures(fault.to_string()))?;
        let mut by_id = BTreeMap::new();
        for card in report.cards {
            let id: Guid = card
                .id
                .parse()
                .map_err(|_| NoFigures(format!("“{}” is no id of a card", card.id)))?;
            let figure = card.in_hand;
            if !(0.0..=1.0).contains(&figure.value) {
                return Err(NoFigures(format!(
                    "the score {} of {id} is not from 0 to 1",
                    figure.value
                )));
            }
            #[expect(clippy::cast_precision_loss, reason = "counts of duels are far below 2^52")]
            let many = figure.n as f64;
            if figure.n > 0 {
                let drawn = (figure.value * many + 0.5 * EVEN_DUELS) / (many + EVEN_DUELS);
                by_id.insert(id, drawn);
            }
        }
        match by_id.is_empty() {
            true => Err(NoFigures("it has no figure of any card".to_owned())),
            false => Ok(CardFigures { by_id }),
        }
    }

    /// The figure of a card.
    pub fn of(&self, package: &Package, card: CardRef) -> Option<f64> {
        self.by_id.get(&package.card(card).id.value).copied()
    }

    /// Ratings by these figures, in thousandths of a duel. A card without a figure is held to be worth what a
    /// card with one is worth that stands at the same place by what is `printed`. Nothing if fewer than half
    /// of the cards have one.
    pub fn ratings(&self, package: &Package, printed: &Ratings) -> Option<Ratings> {
        let cards: Vec<CardRef> = printed.cards().collect();
        let mut known: Vec<(i64, CardRef, f64)> = Vec::new();
        for card in &cards {
            if let Some(figure) = self.of(package, *card) {
                known.push((printed.of(*card), *card, figure));
            }
        }
        if known.is_empty() || known.len() * 2 < cards.len() {
            return None;
        }
        let mut figures: Vec<f64> = known.iter().map(|one| one.2).collect();
        figures.sort_by(f64::total_cmp);
        known.sort_by_key(|one| (one.0, one.1));
        #[expect(
            clippy::cast_possible_truncation,
            reason = "from 0 to 1000, without its fraction"
        )]
        let thousandths = |figure: f64| (figure * 1000.0) as i64;
        let worth = cards.iter().map(|card| {
            let figure = self.of(package, *card).unwrap_or_else(|| {
                let below = known.partition_point(|one| one.0 < printed.of(*card));
                figures[below.min(figures.len() - 1)]
            });
            (*card, thousandths(figure))
        });
        Some(Ratings::of_numbers(worth.collect()))
    }
}

/// The place of the card that a computer takes out of the pack before a seat: the one that is rated best, the
/// first of equals; a card of which the seat has as many as a deck may hold is worth nothing. It knows what
/// the seat knows.
pub fn pick_of_computer(view: &DraftView, ratings: &Ratings, most: &dyn Fn(CardRef) -> u32) -> usize {
    let worth = |card: CardRef| {
        let held = view.pool.cards.iter().filter(|other| other.card == card).count();
        if held >= most(card) as usize {
            -1
        } else {
            ratings.of(card)
        }
    };
    let places =
        (0..view.pack.len()).max_by_key(|place| (worth(view.pack[*place].card), std::cmp::Reverse(*place)));
    places.unwrap_or(0)
}
