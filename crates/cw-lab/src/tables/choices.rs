//! One row for every choice of some of the pairs.

use std::io::{self, Write};

use cw_duel::{DuelOutcome, Silent};
use cw_players::{mix, sight};
use cw_sim::{DuelPlan, Pair};
use cw_words::EventReader;

use super::rows::{ColumnKind, ColumnSpec, RowTable, seated, small};

/// The columns of the table of choices.
pub(crate) const CHOICES: [ColumnSpec; 16] = [
    ("matchup", ColumnKind::I32),
    ("pair", ColumnKind::I64),
    ("duel", ColumnKind::I32),
    ("number", ColumnKind::I32),
    ("seat", ColumnKind::I32),
    ("player", ColumnKind::Text),
    ("turn", ColumnKind::I32),
    ("phase", ColumnKind::Text),
    ("question", ColumnKind::Text),
    ("source", ColumnKind::MaybeText),
    ("options", ColumnKind::Text),
    ("number_of_options", ColumnKind::I32),
    ("chosen", ColumnKind::I32),
    ("answer", ColumnKind::Text),
    ("half_points", ColumnKind::I32),
    ("sight", ColumnKind::I64),
];

/// The table of choices of a plan, being written. A row tells only what the player who chose could know.
#[derive(Debug)]
pub(crate) struct Choices<'a, W: Write + Send> {
    plan: &'a DuelPlan,
    players: [String; 2],
    millionths: u64,
    table: RowTable<W>,
}

impl<'a, W: Write + Send> Choices<'a, W> {
    /// Begins the table of a plan with this identity between these players. It holds `share` of the
    /// pairs, 0 to 1, picked by their seeds: the same ones in any order and on any machine.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn begin(
        plan: &'a DuelPlan,
        id: &str,
        players: [String; 2],
        share: f64,
        to: W,
    ) -> io::Result<Choices<'a, W>> {
        // Millionths, as whole numbers: the same everywhere.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0 to a million"
        )]
        let millionths = (share.clamp(0.0, 1.0) * 1e6).round() as u64;
        Ok(Choices {
            plan,
            players,
            millionths,
            table: RowTable::begin(&CHOICES, id, to)?,
        })
    }

    /// Whether the choices of a pair are wanted.
    pub(crate) fn wants(&self, pair: &Pair) -> bool {
        mix(&[pair.seed, pair.number]) % 1_000_000 < self.millionths
    }

    /// Writes the rows of a pair, if it is wanted. Decisions with one option are no choices.
    ///
    /// # Errors
    /// If it cannot be written.
    ///
    /// # Panics
    /// If the pair is none of the plan.
    pub(crate) fn pair(&mut self, pair: &Pair) -> io::Result<()> {
        if !self.wants(pair) {
            return Ok(());
        }
        let matchups = self.plan.matchups.len() as u64;
        let matchup = small(usize::try_from(pair.number % matchups).unwrap_or_default());
        let number = i64::try_from(pair.number).unwrap_or(i64::MAX);
        for (half, played) in pair.duels.iter().enumerate() {
            let players = seated(&self.players, played.measured);
            let mut duel = self.plan.duel(pair.number, half);
            let mut asked = 0;
            for choice in &played.choices {
                let decision = duel
                    .pending()
                    .expect("these are the choices of this duel")
                    .clone();
                if decision.options.len() > 1 {
                    let seat = decision.seat;
                    let reader = EventReader {
                        duel: &duel,
                        seat: Some(seat),
                    };
                    let options: Vec<String> = decision
                        .options
                        .iter()
                        .map(|option| cw_words::choice(reader, &decision, *option))
                        .collect();
                    let chosen = decision.options.iter().position(|option| option == choice);
                    let chosen = chosen.expect("it was offered");
                    let mut row = self.table.row();
                    row.i32(matchup).i64(number).i32(small(half + 1)).i32(asked);
                    row.i32(i32::from(seat.number()))
                        .text(players[seat.index()])
                        .i32(i32::from(duel.turn()))
                        .text(&decision.phase.to_string());
                    row.text(&cw_words::question(reader, &decision));
                    row.maybe(decision.source.map(|card| reader.card(card)).as_deref());
                    row.text(&serde_json::to_string(&options).map_err(io::Error::other)?);
                    row.i32(small(options.len()))
                        .i32(small(chosen))
                        .text(&options[chosen]);
                    row.i32(match played.outcome {
                        DuelOutcome::Won { winner, .. } if winner == seat => 2,
                        DuelOutcome::Won { .. } => 0,
                        DuelOutcome::Drawn => 1,
                    });
                    row.i64(i64::from_le_bytes(sight(&duel.view(seat)).to_le_bytes()));
                    self.table.end_row()?;
                    asked += 1;
                }
                duel.answer(*choice, &mut Silent)
                    .expect("these are the choices of this duel");
            }
        }
        Ok(())
    }

    /// Finishes it, and gives back what it was written to.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn finish(self) -> io::Result<W> {
        self.table.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cw_duel::PerSeat;
    use cw_players::{Level, SearchBudget};
    use cw_sim::{Exchange, Matchup, StopRule};

    use super::*;

    fn plan() -> DuelPlan {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
        let loaded = cw_load::load(cw_octgn::Folder::new(root)).expect("the demo game is there");
        let decks = [0, 1].map(|at| &loaded.decks[at]);
        DuelPlan {
            matchups: vec![Matchup {
                names: PerSeat(decks.map(|deck| deck.name.clone())),
                decks: PerSeat(decks.map(|deck| deck.cards.clone())),
            }],
            game: Arc::clone(loaded.game.as_ref().expect("the demo game can be played")),
            seed: 5,
            budgets: [SearchBudget::default(); 2],
            exchange: Exchange::Turns,
            stop: StopRule::After(40),
        }
    }

    /// A share of the pairs is picked by seed, more with a larger share and all of a smaller one; every
    /// choice of those is a row: as many as were counted while playing.
    #[test]
    fn every_choice_of_the_picked_pairs_is_a_row() {
        let plan = plan();
        let pairs: Vec<Pair> = (0..40)
            .map(|number| plan.play(number, &mut Level::Random, &mut Level::Random))
            .collect();
        let names = || ["random".to_owned(), "random".to_owned()];
        let picked = |share: f64| -> Vec<u64> {
            let choices = Choices::begin(&plan, "plan", names(), share, Vec::new()).expect("into memory");
            pairs
                .iter()
                .filter(|pair| choices.wants(pair))
                .map(|pair| pair.number)
                .collect()
        };
        let (none, some, all) = (picked(0.0), picked(0.4), picked(1.0));
        assert!(none.is_empty() && all.len() == 40);
        assert!((6..=26).contains(&some.len()) && some != (0..some.len() as u64).collect::<Vec<_>>());
        assert!(picked(0.2).iter().all(|number| some.contains(number)));

        let mut choices = Choices::begin(&plan, "plan", names(), 0.4, Vec::new()).expect("into memory");
        for pair in &pairs {
            choices.pair(pair).expect("into memory");
        }
        let bytes = choices.finish().expect("into memory");
        let reader =
            parquet::file::reader::SerializedFileReader::new(parquet_bytes(&bytes)).expect("it is Parquet");
        let rows = parquet::file::reader::FileReader::metadata(&reader)
            .file_metadata()
            .num_rows();
        let counted: u32 = pairs
            .iter()
            .filter(|pair| some.contains(&pair.number))
            .flat_map(|pair| &pair.duels)
            .map(|duel| duel.decisions)
            .sum();
        assert_eq!(rows, i64::from(counted));
    }

    /// What a row says is a function of what the player who chose could know (D50): of a duel in which
    /// the unknown cards are dealt anew the same words and the same sight come.
    #[test]
    fn a_row_tells_only_what_the_player_could_know() {
        let plan = plan();
        let pair = plan.play(3, &mut Level::Random, &mut Level::Random);
        let mut duel = plan.duel(3, 0);
        let (mut compared, mut differed) = (0, 0);
        for choice in &pair.duels[0].choices {
            let decision = duel.pending().expect("it goes on").clone();
            let seat = decision.seat;
            if let Some(other) = duel.with_unknown_redealt(seat, 7) {
                let words = |duel: &cw_duel::Duel| {
                    let decision = duel.pending().expect("it goes on");
                    let reader = EventReader {
                        duel,
                        seat: Some(seat),
                    };
                    let options = decision.options.iter();
                    let options: Vec<String> = options
                        .map(|option| cw_words::choice(reader, decision, *option))
                        .collect();
                    let source = decision.source.map(|card| reader.card(card));
                    (
                        cw_words::question(reader, decision),
                        source,
                        options,
                        sight(&duel.view(seat)),
                    )
                };
                assert_eq!(words(&duel), words(&other));
                compared += 1;
                differed += usize::from(duel.hash() != other.hash());
            }
            duel.answer(*choice, &mut Silent).expect("these are its choices");
        }
        assert!(compared > 50 && differed > 40, "{compared} {differed}");
    }

    fn parquet_bytes(bytes: &[u8]) -> std::fs::File {
        use std::io::{Seek as _, SeekFrom};
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("it is written");
        file.seek(SeekFrom::Start(0)).expect("to its beginning");
        file
    }
}
