//! Everything that is asked of a game's balance, from one set of duels.

use cw_balance::{BalanceReport, CONFIDENCE, Patch, Together};
use cw_sim::{Detail, DuelPlan, Written};

use crate::contestant::Contestant;
use crate::crew::MachineSettings;
use crate::stands::replace_cards;
use crate::{changes, play, target};

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct BalanceRequest<'a> {
    /// The duels of all matchups.
    pub plan: &'a DuelPlan,
    /// Who plays both sides.
    pub player: &'a Contestant,
    /// How many pairs each card is replaced in; 0 replaces none.
    pub card_pairs: u64,
    /// What would this change do?
    pub what_if: Option<&'a Patch>,
    /// Small changes are wanted that bring every matchup, and going first, this near to even: a share, as
    /// 0.03.
    pub target: Option<f64>,
    /// The command that gives this report again.
    pub command: &'a str,
}

/// How many pairs each card is replaced in where nobody says it: a tenth of all, 20 to 400.
pub fn card_pairs(pairs: u64) -> u64 {
    (pairs / 10).clamp(20, 400)
}

/// The command that gives a report again.
pub fn balance_command(plan: &DuelPlan, player: &Contestant, card_pairs: u64, decks: &[String]) -> String {
    let (pairs, seed) = (plan.stop.most(), plan.seed);
    let mut player = player.named();
    // The shell would take what has spaces or quotes apart.
    if player.contains(|letter: char| !letter.is_alphanumeric() && !"-_.,:/=".contains(letter)) {
        player = shell_quoted(&player);
    }
    let mut text = format!(
        "cardwright balance --players {player} --pairs {pairs} --card-pairs {card_pairs} --seed {seed}"
    );
    for deck in decks {
        text.push_str(&format!(" --deck {}", shell_quoted(deck)));
    }
    text
}

/// The text as one word of a shell, in which nothing is replaced and no command runs: names of decks come
/// from other people's packages.
pub fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Plays the duels, replaces cards, tries changes, and tells what came of it.
///
/// # Errors
/// If a change cannot be made, a player cannot be started, or who looks on ends it.
pub fn balance(asked: &BalanceRequest<'_>, here: &MachineSettings<'_>) -> anyhow::Result<BalanceReport> {
    let BalanceRequest {
        plan,
        player,
        card_pairs,
        what_if,
        target: wanted,
        command,
    } = *asked;
    if let Some(patch) = what_if {
        // What cannot be done is said before anything is played.
        changes::changed(plan, patch)?;
    }
    let (name, players) = (player.to_string(), [player; 2]);
    let written = Written::of(plan, [name.clone(), name]);
    let mut together = Together::default();
    let total = play::play(plan, players, here, Detail::Cards, None, |pair| {
        let [one, two] = plan.matchup(pair.number).names.0.each_ref();
        together.add(pair, [one, two]);
        Ok(())
    })?;
    let tried = replace_cards(plan, players, here, card_pairs)?;
    let mut report = BalanceReport::of(
        plan,
        &written,
        &total,
        &tried,
        card_pairs,
        together.found(CONFIDENCE),
        command.to_owned(),
    );
    if let Some(patch) = what_if {
        report.what_if = Some(changes::play(player, here, plan, &total, patch)?);
    }
    if let Some(tolerance) = wanted {
        report.target = Some(target::search(player, here, plan, &total, tolerance)?);
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::shell_quoted;

    #[test]
    fn names_of_decks_are_one_word_of_a_shell() {
        assert_eq!(shell_quoted("Night School"), "'Night School'");
        assert_eq!(shell_quoted("$HOME `id` \"x\""), "'$HOME `id` \"x\"'");
        assert_eq!(shell_quoted("Auntie's"), "'Auntie'\\''s'");
    }
}
