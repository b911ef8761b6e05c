//! Weights from duels: a logistic regression of who won on what was read off positions.

use std::fmt::Write as _;

use cw_duel::{Duel, DuelOutcome, Game, Seat};

use crate::values::{SHARED, columns, row};

/// Positions of one duel with its result.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    positions: Vec<FitPosition>,
}

#[derive(Clone, Debug)]
struct FitPosition {
    active: Seat,
    won: bool,
    row: Vec<(u16, i32)>,
}

impl Positions {
    /// Notes a position, best one in which nothing is going on.
    pub fn note(&mut self, duel: &Duel) {
        self.positions.push(FitPosition {
            active: duel.active(),
            won: false,
            row: row(duel),
        });
    }

    /// The duel is over. One that was drawn tells nothing.
    pub fn end(&mut self, outcome: Option<DuelOutcome>) {
        match outcome {
            Some(DuelOutcome::Won { winner, .. }) => {
                for position in &mut self.positions {
                    position.won = position.active == winner;
                }
            }
            Some(DuelOutcome::Drawn) | None => self.positions.clear(),
        }
    }

    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

/// Weights, and how well they foretell who wins.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The file's tables.
    pub tables: String,
    /// Positions in all, and those of duels that were held out to measure it.
    pub positions: [usize; 2],
    /// Mean of −ln(the chance that was given to what came), on the duels held out: by the weights, and if
    /// every position is taken to be even, ln 2.
    pub loss: f64,
    /// The same without weights of single cards.
    pub loss_of_shared: f64,
    /// By tenths of the chance that was given: how many positions were held out, how often they were won.
    pub calibration: [(usize, f64); 10],
}

/// One duel in ten is held out to measure the loss.
const HELD: usize = 10;
/// How many positions' worth of doubt there is that a number counts at all (ridge regression).
const DOUBT: f64 = 5.0;
const DOUBT_OF_CARDS: f64 = 40.0;
/// Positions in which a card has been, if it has a weight at all.
const SEEN: usize = 30;
/// Newton's steps; three or four are enough.
const STEPS: usize = 12;

/// Finds the weights under which what came of these duels is most likely. The same duels in the same order
/// give the same weights.
pub fn fit(game: &Game, duels: &[Positions]) -> Fitted {
    let columns = columns(game);
    let mut times = vec![0; columns.len()];
    for position in duels.iter().flat_map(|duel| &duel.positions) {
        for (at, _) in &position.row {
            times[usize::from(*at)] += 1;
        }
    }
    // `None` stays 0.
    let doubts = |of_cards: Option<f64>| -> Vec<Option<f64>> {
        let doubt = |at: usize| if at < SHARED { Some(DOUBT) } else { of_cards };
        let of = |(at, times): (usize, &usize)| doubt(at).filter(|_| *times >= SEEN);
        times.iter().enumerate().map(of).collect()
    };
    let held = |at: &usize| at.is_multiple_of(HELD);
    let of = |wanted: bool| -> Vec<&FitPosition> {
        let duels = duels.iter().enumerate().filter(|(at, _)| held(at) == wanted);
        duels.flat_map(|(_, duel)| &duel.positions).collect()
    };
    let (test, training) = (of(true), of(false));
    let weights = regress(&training, &doubts(Some(DOUBT_OF_CARDS)));
    let shared = regress(&training, &doubts(None));
    let all: Vec<&FitPosition> = duels.iter().flat_map(|duel| &duel.positions).collect();
    let last = regress(&all, &doubts(Some(DOUBT_OF_CARDS)));
    Fitted {
        tables: tables(game, &columns, &last),
        positions: [all.len(), test.len()],
        loss: loss(&test, &weights),
        loss_of_shared: loss(&test, &shared),
        calibration: calibration(&test, &weights),
    }
}

fn tables(game: &Game, columns: &[(&'static str, String)], weights: &[f64]) -> String {
    let mut text = String::new();
    let mut table = "";
    for (at, (of, name)) in columns.iter().enumerate() {
        let weight = whole(weights[at] * 1000.0);
        if *of != table {
            table = of;
            let _ = write!(text, "\n[{table}]\n");
        }
        if weight != 0 {
            let model = at
                .checked_sub(SHARED)
                .map(|at| &game.models[at % game.models.len()]);
            let comment = model.map_or_else(String::new, |model| format!(" # {}", model.name));
            let _ = writeln!(text, "{name:?} = {weight}{comment}");
        }
    }
    text
}

#[expect(clippy::cast_possible_truncation, reason = "it is clamped")]
fn whole(weight: f64) -> i32 {
    weight.round().clamp(-30_000.0, 30_000.0) as i32
}

fn odds(position: &FitPosition, weights: &[f64]) -> f64 {
    let terms = position.row.iter();
    terms
        .map(|(at, number)| weights[usize::from(*at)] * f64::from(*number))
        .sum::<f64>()
        / 1000.0
}

fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-odds))
}

fn loss(positions: &[&FitPosition], weights: &[f64]) -> f64 {
    let each = positions.iter().map(|position| {
        let odds = odds(position, weights);
        libm::log1p(libm::exp(if position.won { -odds } else { odds }))
    });
    each.sum::<f64>() / (positions.len().max(1)) as f64
}

fn calibration(positions: &[&FitPosition], weights: &[f64]) -> [(usize, f64); 10] {
    let mut tenths = [(0, 0.0); 10];
    for position in positions {
        let chance = chance(odds(position, weights));
        let tenth = (0..9)
            .find(|tenth| chance < f64::from(tenth + 1) / 10.0)
            .unwrap_or(9);
        let (number, won) = &mut tenths[tenth as usize];
        *number += 1;
        *won += f64::from(u8::from(position.won));
    }
    for (number, won) in &mut tenths {
        *won /= (*number).max(1) as f64;
    }
    tenths
}

/// Newton's method on the likelihood with a ridge, by Cholesky's decomposition. Columns without a doubt
/// keep the weight 0.
fn regress(positions: &[&FitPosition], doubts: &[Option<f64>]) -> Vec<f64> {
    let free: Vec<usize> = (0..doubts.len()).filter(|at| doubts[*at].is_some()).collect();
    let mut place = vec![None; doubts.len()];
    free.iter()
        .enumerate()
        .for_each(|(at, column)| place[*column] = Some(at));
    let rows: Vec<(bool, Vec<(usize, f64)>)> = positions
        .iter()
        .map(|position| {
            let row = position.row.iter().filter_map(|(column, number)| {
                Some((place[usize::from(*column)]?, f64::from(*number) / 1000.0))
            });
            (position.won, row.collect())
        })
        .collect();
    let size = free.len();
    let mut found = vec![0.0; size];
    for _ in 0..STEPS {
        let mut slope = vec![0.0; size];
        let mut bend = vec![0.0; size * size];
        for (won, row) in &rows {
            let chance = chance(row.iter().map(|(at, number)| found[*at] * number).sum());
            let missed = f64::from(u8::from(*won)) - chance;
            let sure = chance * (1.0 - chance);
            for (one, number) in row {
                slope[*one] += missed * number;
                let line = &mut bend[one * size..][..size];
                for (two, other) in row {
                    line[*two] += sure * number * other;
                }
            }
        }
        for (at, column) in free.iter().enumerate() {
            let doubt = doubts[*column].unwrap_or(0.0);
            slope[at] -= doubt * found[at];
            bend[at * size + at] += doubt;
        }
        let step = solved(bend, slope);
        let mut longest: f64 = 0.0;
        for (weight, step) in found.iter_mut().zip(&step) {
            *weight += step;
            longest = longest.max(step.abs());
        }
        if longest < 1e-6 {
            break;
        }
    }
    let mut weights = vec![0.0; doubts.len()];
    free.iter()
        .zip(found)
        .for_each(|(column, weight)| weights[*column] = weight);
    weights
}

/// Solves `matrix · x = right`; the matrix is symmetric, and positive because of the ridge.
fn solved(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for row in 0..size {
        for column in 0..=row {
            let mut sum = matrix[row * size + column];
            for at in 0..column {
                sum -= matrix[row * size + at] * matrix[column * size + at];
            }
            matrix[row * size + column] = if row == column {
                sum.max(1e-12).sqrt()
            } else {
                sum / matrix[column * size + column]
            };
        }
    }
    for row in 0..size {
        for at in 0..row {
            right[row] -= matrix[row * size + at] * right[at];
        }
        right[row] /= matrix[row * size + row];
    }
    for row in (0..size).rev() {
        for at in row + 1..size {
            right[row] -= matrix[at * size + row] * right[at];
        }
        right[row] /= matrix[row * size + row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two numbers that decide by a known law are found again.
    #[test]
    fn weights_of_a_known_law_are_found() {
        let mut random = crate::RandomPlayer::new(3);
        let positions: Vec<FitPosition> = (0..20_000)
            .map(|_| {
                let numbers = [0, 1].map(|_| i32::try_from(random.below(2001)).unwrap() - 1000);
                let odds = 2.0 * f64::from(numbers[0]) / 1000.0 - f64::from(numbers[1]) / 1000.0;
                let drawn = random.below(1_000_000) as f64 / 1e6;
                FitPosition {
                    active: Seat::One,
                    won: drawn < chance(odds),
                    row: vec![(0, numbers[0]), (1, numbers[1])],
                }
            })
            .collect();
        let all: Vec<&FitPosition> = positions.iter().collect();
        let found = regress(&all, &[Some(1.0), Some(1.0), None]);
        assert!(
            (found[0] - 2.0).abs() < 0.1 && (found[1] + 1.0).abs() < 0.1,
            "{found:?}"
        );
        assert!(found[2].abs() < 1e-12);
        assert!(loss(&all, &found) < loss(&all, &[0.0; 3]));
        for (number, won) in calibration(&all, &found) {
            assert!(number == 0 || (0.0..=1.0).contains(&won));
        }
    }

    #[test]
    fn equations_are_solved() {
        let found = solved(vec![4.0, 2.0, 2.0, 3.0], vec![10.0, 8.0]);
        assert!(
            (found[0] - 1.75).abs() < 1e-12 && (found[1] - 1.5).abs() < 1e-12,
            "{found:?}"
        );
    }
}
