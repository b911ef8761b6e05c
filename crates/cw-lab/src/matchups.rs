//! Who meets whom.

use cw_duel::PerSeat;
use cw_program::ModelId;
use cw_sim::Matchup;

/// Every deck against every deck, itself included.
pub fn matchups(decks: &[(String, Vec<ModelId>)]) -> Vec<Matchup> {
    let mut matchups = Vec::new();
    for (at, one) in decks.iter().enumerate() {
        for two in &decks[at..] {
            matchups.push(Matchup {
                names: PerSeat([one.0.clone(), two.0.clone()]),
                decks: PerSeat([one.1.clone(), two.1.clone()]),
            });
        }
    }
    matchups
}

/// Every deck against every other one; a single deck against itself.
pub fn different(decks: &[(String, Vec<ModelId>)]) -> Vec<Matchup> {
    let mut matchups = matchups(decks);
    if matchups.len() > 1 {
        matchups.retain(|matchup| matchup.names.0[0] != matchup.names.0[1]);
    }
    matchups
}

/// Each of these decks against each of the others, in this order; none against itself, unless the players
/// differ and `mirrors` are wanted.
pub fn against(
    decks: &[(String, Vec<ModelId>)],
    others: &[(String, Vec<ModelId>)],
    mirrors: bool,
) -> Vec<Matchup> {
    let pairs = decks
        .iter()
        .flat_map(|one| others.iter().map(move |two| (one, two)));
    let wanted = pairs.filter(|(one, two)| mirrors || one.0 != two.0);
    wanted
        .map(|(one, two)| Matchup {
            names: PerSeat([one.0.clone(), two.0.clone()]),
            decks: PerSeat([one.1.clone(), two.1.clone()]),
        })
        .collect()
}
