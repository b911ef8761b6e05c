//! Duels as tables: one row a duel, one for each card of each deck and duel, and one for each choice of
//! some of them, in Parquet files.
//!
//! Knows the rows of [`cw_sim`] and the Parquet format; does not know files: it writes to any
//! [`Write`]. The same pairs in the same order give the same bytes. [`DUELS`], [`CARDS`] and `choices.rs`
//! name the columns; the book describes them.
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod choices;
mod rows;

use std::io::{self, Write};

use cw_duel::{DuelOutcome, Game, Seat, WinReason};
use cw_program::ModelId;
use cw_sim::{CardCount, CardCounts, DuelPlan, Oddity, Pair};

use self::rows::{ColumnKind, ColumnSpec, RowTable, seated, small};

/// The columns of the table of duels.
pub(crate) const DUELS: [ColumnSpec; 27] = [
    ("matchup", ColumnKind::I32),
    ("pair", ColumnKind::I64),
    ("duel", ColumnKind::I32),
    ("seed", ColumnKind::I64),
    ("deck1", ColumnKind::Text),
    ("deck2", ColumnKind::Text),
    ("player1", ColumnKind::Text),
    ("player2", ColumnKind::Text),
    ("first", ColumnKind::I32),
    ("winner", ColumnKind::I32),
    ("reason", ColumnKind::Text),
    ("turns", ColumnKind::I32),
    ("choices", ColumnKind::I32),
    ("hp1", ColumnKind::I32),
    ("hp2", ColumnKind::I32),
    ("sp1", ColumnKind::I32),
    ("sp2", ColumnKind::I32),
    ("hand1", ColumnKind::I32),
    ("hand2", ColumnKind::I32),
    ("deck1_left", ColumnKind::I32),
    ("deck2_left", ColumnKind::I32),
    ("playouts1", ColumnKind::I64),
    ("playouts2", ColumnKind::I64),
    ("guarded", ColumnKind::I32),
    ("oddity", ColumnKind::MaybeText),
    ("measured", ColumnKind::I32),
    ("end_hash", ColumnKind::Text),
];

/// The columns of the table of cards before those of [`CardCount`], and [`SURPRISE`].
pub(crate) const CARDS: [ColumnSpec; 8] = [
    ("matchup", ColumnKind::I32),
    ("pair", ColumnKind::I64),
    ("duel", ColumnKind::I32),
    ("seat", ColumnKind::I32),
    ("model", ColumnKind::Text),
    ("card", ColumnKind::Text),
    ("copies", ColumnKind::I32),
    ("half_points", ColumnKind::I32),
];

/// The last column of the table of cards: by how many millionths of a card more was drawn than was to be
/// expected, [`cw_sim::CardRow::surprise`].
pub(crate) const SURPRISE: ColumnSpec = ("surprise", ColumnKind::I32);

/// Both tables of a plan, being written.
#[derive(Debug)]
pub(crate) struct Tables<'a, W: Write + Send> {
    plan: &'a DuelPlan,
    players: [String; 2],
    /// By matchup and seat: the deck's cards and how many copies.
    copies: Vec<[Vec<(ModelId, i32)>; 2]>,
    duels: RowTable<W>,
    cards: RowTable<W>,
}

impl<'a, W: Write + Send> Tables<'a, W> {
    /// Begins both tables of a plan with this identity between these players.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn begin(
        plan: &'a DuelPlan,
        id: &str,
        players: [String; 2],
        duels: W,
        cards: W,
    ) -> io::Result<Tables<'a, W>> {
        let columns: Vec<ColumnSpec> = CARDS
            .into_iter()
            .chain(CardCount::ALL.map(|count| (count.name(), ColumnKind::I32)))
            .chain([SURPRISE])
            .collect();
        let copies = plan.matchups.iter().map(|matchup| {
            [Seat::One, Seat::Two].map(|seat| {
                let mut cards = matchup.decks[seat].clone();
                cards.sort_unstable();
                let runs = cards.chunk_by(|one, two| one == two);
                runs.map(|run| (run[0], small(run.len()))).collect()
            })
        });
        Ok(Tables {
            plan,
            players,
            copies: copies.collect(),
            duels: RowTable::begin(&DUELS, id, duels)?,
            cards: RowTable::begin(&columns, id, cards)?,
        })
    }

    /// Writes the rows of a pair.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn pair(&mut self, pair: &Pair) -> io::Result<()> {
        let matchups = self.plan.matchups.len() as u64;
        let matchup = usize::try_from(pair.number % matchups).unwrap_or_default();
        let seed = i64::from_le_bytes(pair.seed.to_le_bytes());
        let number = i64::try_from(pair.number).unwrap_or(i64::MAX);
        let [one, two] = &self.plan.matchups[matchup].names.0;
        for (half, duel) in (1..).zip(&pair.duels) {
            let (winner, reason) = match duel.outcome {
                DuelOutcome::Won { winner, reason } => {
                    let reason = match reason {
                        WinReason::Hp => "hp",
                        WinReason::DeckOut => "deck",
                        WinReason::Forfeit => "gave up",
                    };
                    (i32::from(winner.number()), reason)
                }
                DuelOutcome::Drawn => (0, "drawn"),
            };
            let [player1, player2] = seated(&self.players, duel.measured);
            let budgets = self.plan.budgets.map(|budget| i64::from(budget.playouts));
            let [playouts1, playouts2] = match duel.measured {
                Seat::One => budgets,
                Seat::Two => [budgets[1], budgets[0]],
            };
            let [end1, end2] = duel.ends.0;
            let oddity = Oddity::ALL.into_iter().find(|oddity| oddity.is_in(duel));
            let mut row = self.duels.row();
            row.i32(small(matchup)).i64(number).i32(half).i64(seed);
            row.text(one).text(two).text(player1).text(player2);
            row.i32(i32::from(duel.first.number())).i32(winner).text(reason);
            row.i32(i32::from(duel.turns))
                .i32(i32::try_from(duel.decisions).unwrap_or(i32::MAX));
            row.i32(end1.hp).i32(end2.hp).i32(end1.sp).i32(end2.sp);
            row.i32(end1.hand).i32(end2.hand).i32(end1.deck).i32(end2.deck);
            row.i64(playouts1).i64(playouts2);
            row.i32(i32::try_from(duel.guarded).unwrap_or(i32::MAX));
            row.maybe(oddity.map(Oddity::name));
            row.i32(i32::from(duel.measured.number()))
                .text(&duel.hash.to_string());
            self.duels.end_row()?;
            for seat in Seat::BOTH {
                let game: &Game = &self.plan.game;
                let mut rows = duel.cards[seat].iter().peekable();
                for (model, copies) in &self.copies[matchup][seat.index()] {
                    while rows.peek().is_some_and(|row| row.model < *model) {
                        rows.next();
                    }
                    let noted = rows.peek().filter(|row| row.model == *model);
                    let (counts, surprise) =
                        noted.map_or((CardCounts::default(), 0), |row| (row.counts, row.surprise));
                    let mut row = self.cards.row();
                    row.i32(small(matchup))
                        .i64(number)
                        .i32(half)
                        .i32(i32::from(seat.number()));
                    row.text(&game.model(*model).id).text(&game.model(*model).name);
                    row.i32(*copies).i32(i32::from(duel.halves(seat)));
                    for count in counts {
                        row.i32(count);
                    }
                    row.i32(surprise);
                    self.cards.end_row()?;
                }
            }
        }
        Ok(())
    }

    /// Finishes both, and gives back what they were written to.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn finish(self) -> io::Result<[W; 2]> {
        Ok([self.duels.finish()?, self.cards.finish()?])
    }
}

pub(crate) use self::choices::Choices;
