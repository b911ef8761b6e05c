//! Which mixture of decks nobody beats.

/// The equilibrium of a symmetric game in which `ahead[i][j]` is by how much `i` is ahead of `j`, with
/// `ahead[j][i] = −ahead[i][j]`: the share in which each is to be played so that no deck is ahead of the
/// mixture. Of several such mixtures it is the one with the most entropy, which is unique, so that
/// equal decks get equal shares (Balduzzi et al. 2018).
///
/// It is followed from the even mixture: players who make small mistakes play one mixture only (the
/// logit equilibrium), and here the mistakes get smaller and smaller.
///
/// ```
/// // Rock, paper, scissors, and a deck that loses to all of them.
/// let ahead = [
///     vec![0.0, -0.3, 0.3, 0.2],
///     vec![0.3, 0.0, -0.3, 0.2],
///     vec![-0.3, 0.3, 0.0, 0.2],
///     vec![-0.2, -0.2, -0.2, 0.0],
/// ];
/// let shares = cw_stats::equilibrium(&ahead);
/// assert!((shares[0] - 1.0 / 3.0).abs() < 1e-6 && shares[3] < 1e-6);
/// ```
pub fn equilibrium(ahead: &[Vec<f64>]) -> Vec<f64> {
    let number = ahead.len();
    // Exact symmetry is what makes every step solvable.
    let game: Vec<Vec<f64>> = (0..number)
        .map(|i| (0..number).map(|j| (ahead[i][j] - ahead[j][i]) / 2.0).collect())
        .collect();
    let mut logs = vec![0.0; number];
    let mut mistakes = 1.0;
    while mistakes > LEAST {
        let mut next = logs.iter().map(|log| log / STEP).collect::<Vec<f64>>();
        if !solve(&game, mistakes, &mut next) {
            next.clone_from(&logs);
            if !solve(&game, mistakes, &mut next) {
                break;
            }
        }
        logs = next;
        mistakes *= STEP;
    }
    shares(&logs)
}

/// How much smaller mistakes get in a step, and where it ends.
const STEP: f64 = 0.8;
const LEAST: f64 = 0.000_5;

fn shares(logs: &[f64]) -> Vec<f64> {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| libm::exp(log - most)).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// How far these logarithms are from `x = game · shares(x) / mistakes`.
fn far(game: &[Vec<f64>], mistakes: f64, logs: &[f64]) -> Vec<f64> {
    let shares = shares(logs);
    let rows = game.iter().zip(logs);
    rows.map(|(row, log)| {
        let gain: f64 = row.iter().zip(&shares).map(|(ahead, share)| ahead * share).sum();
        log - gain / mistakes
    })
    .collect()
}

/// Newton's method with shorter steps where a whole one leads astray. The matrix `I − A·D/τ`, with `A`
/// antisymmetric and `D` positive semidefinite, is never singular.
fn solve(game: &[Vec<f64>], mistakes: f64, logs: &mut Vec<f64>) -> bool {
    let size = |far: &[f64]| far.iter().map(|far| far * far).sum::<f64>().sqrt();
    for _ in 0..60 {
        let away = far(game, mistakes, logs);
        let now = size(&away);
        if now < 1e-10 {
            return true;
        }
        let shares = shares(logs);
        let mut matrix: Vec<Vec<f64>> = game
            .iter()
            .enumerate()
            .map(|(i, row)| {
                let mean: f64 = row.iter().zip(&shares).map(|(ahead, share)| ahead * share).sum();
                let cells = row.iter().zip(&shares).enumerate();
                let mut line: Vec<f64> = cells
                    .map(|(j, (ahead, share))| {
                        f64::from(u8::from(i == j)) - share * (ahead - mean) / mistakes
                    })
                    .collect();
                line.push(away[i]);
                line
            })
            .collect();
        let step = eliminate(&mut matrix);
        let mut length = 1.0;
        loop {
            let tried: Vec<f64> = logs
                .iter()
                .zip(&step)
                .map(|(log, step)| log - length * step)
                .collect();
            if size(&far(game, mistakes, &tried)) < now {
                *logs = tried;
                break;
            }
            length /= 2.0;
            if length < 1e-6 {
                return now < 1e-6;
            }
        }
    }
    size(&far(game, mistakes, logs)) < 1e-6
}

/// Solves linear equations, the right side being the last column.
fn eliminate(matrix: &mut [Vec<f64>]) -> Vec<f64> {
    let number = matrix.len();
    for at in 0..number {
        let pivot = (at..number).max_by(|one, two| matrix[*one][at].abs().total_cmp(&matrix[*two][at].abs()));
        matrix.swap(at, pivot.unwrap_or(at));
        let line = matrix[at].clone();
        for (row, other) in matrix.iter_mut().enumerate() {
            if row != at && line[at] != 0.0 {
                let factor = other[at] / line[at];
                other
                    .iter_mut()
                    .zip(&line)
                    .for_each(|(into, from)| *into -= factor * from);
            }
        }
    }
    let solved = matrix.iter().enumerate();
    solved
        .map(|(at, row)| {
            if row[at] == 0.0 {
                0.0
            } else {
                row[number] / row[at]
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[&[f64]]) -> Vec<f64> {
        equilibrium(&rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>())
    }

    /// Two equal decks share evenly what a single one would get: the mixture with the most entropy.
    #[test]
    fn equal_decks_get_equal_shares() {
        let shares = of(&[&[0.0, 0.0, 0.1], &[0.0, 0.0, 0.1], &[-0.1, -0.1, 0.0]]);
        assert!(
            (shares[0] - 0.5).abs() < 1e-3 && (shares[1] - 0.5).abs() < 1e-3,
            "{shares:?}"
        );
        assert!(
            of(&[&[0.0; 4][..]; 4])
                .iter()
                .all(|share| (share - 0.25).abs() < 1e-9)
        );
        assert_eq!(of(&[&[0.0]]), [1.0]);
    }

    /// Nobody is ahead of the mixture, whatever the game.
    #[test]
    fn nobody_is_ahead_of_the_mixture() {
        let mut state = 7_u64;
        let mut draw = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 24) - 0.5
        };
        for number in 2..14 {
            let drawn: Vec<Vec<f64>> = (0..number)
                .map(|_| (0..number).map(|_| draw()).collect())
                .collect();
            let cell = |i: usize, j: usize| (drawn[i][j] - drawn[j][i]) / 2.0;
            let row = |i: usize| (0..number).map(|j| cell(i, j)).collect();
            let game: Vec<Vec<f64>> = (0..number).map(row).collect();
            let shares = equilibrium(&game);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            for row in &game {
                let ahead: f64 = row.iter().zip(&shares).map(|(ahead, share)| ahead * share).sum();
                assert!(ahead < 0.005, "{number} decks: ahead by {ahead}");
            }
        }
    }
}
