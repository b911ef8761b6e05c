//! Runs at a host: how they are kept, and what is otherwise in their duels, in words.

use cw_load::{TwistChange, TwistLine, TwistNumber, TwistSide};
use cw_run::{Run, RunAct};
use serde::{Deserialize, Serialize};

/// A run as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptRun {
    /// The run, as `cw_run::Run::record` writes it.
    pub record: String,
    /// The game that it was begun with.
    #[serde(default)]
    pub fingerprint: String,
    /// The seats of its duels, by their public names, each with the number of acts before that duel.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<(usize, String)>,
    /// Counts what was kept, so that the newest run comes first.
    #[serde(default)]
    pub order: u64,
}

impl KeptRun {
    /// The seat of the duel that waits, or waited, after so many acts.
    pub fn table_of(&self, acts: usize) -> Option<&str> {
        let found = self.tables.iter().find(|(known, _)| *known == acts);
        found.map(|(_, name)| name.as_str())
    }

    /// The same run after this many of its acts only: what was played later is another run's.
    #[must_use]
    pub fn until(&self, acts: usize) -> KeptRun {
        let mut kept = self.clone();
        kept.tables.retain(|(known, _)| *known <= acts);
        kept
    }

    /// The seats of the duels that were fought, in their order; none where the duel was played elsewhere.
    pub fn seats(&self, run: &Run) -> Vec<Option<&str>> {
        let acts = run.acts().iter().enumerate();
        let ends = acts.filter(|(_, act)| matches!(act, RunAct::Won | RunAct::Lost));
        ends.map(|(at, _)| self.table_of(at)).collect()
    }
}

/// A run as its page shows it.
#[derive(Clone, Debug)]
pub struct RunStanding {
    /// The run.
    pub run: Run,
    /// For each duel that was fought the seat at which it can be watched, by its public name.
    pub watched: Vec<Option<String>>,
}

/// One change of the rules as a sentence for the player whose run it is.
pub(crate) fn twist_in_words(line: &TwistLine) -> String {
    let (who, begins, may) = match line.whose {
        TwistSide::You => ("You", "begin", "may"),
        TwistSide::Foe => ("The opponent", "begins", "may"),
        TwistSide::Both => ("Both players", "begin", "may"),
    };
    let (number, more) = match line.what {
        TwistChange::Number(number, more) => (number, more),
        TwistChange::Rule(flag, holds) => {
            let whose = match line.whose {
                TwistSide::You => "For you",
                TwistSide::Foe => "For the opponent",
                TwistSide::Both => "For both players",
            };
            let holds = if holds {
                "a rule holds"
            } else {
                "a rule does not hold"
            };
            return format!("{whose} {holds}: {}.", cw_words::rule(flag));
        }
    };
    let many = more.unsigned_abs();
    let how = if more < 0 { "fewer" } else { "more" };
    let cards = if many == 1 { "card" } else { "cards" };
    match number {
        TwistNumber::Hp => format!("{who} {begins} with {many} {how} HP."),
        TwistNumber::Sp => format!("{who} {begins} with {many} {how} SP."),
        TwistNumber::OpeningHand => format!("{who} {begins} with {many} {how} {cards}."),
        TwistNumber::CharactersPerTurn => {
            format!(
                "{who} {may} play {many} {how} {} in each turn.",
                of(many, "character")
            )
        }
        TwistNumber::BackupsPerTurn => {
            format!(
                "{who} {may} make {many} {how} {} in each turn.",
                of(many, "back-up")
            )
        }
        TwistNumber::BackupBp => format!(
            "A back-up gives {many} BP {}.",
            if more < 0 { "less" } else { "more" }
        ),
        // The number is what is added to SP, so more of it costs less.
        TwistNumber::UnitedSp => {
            let how = if more < 0 { "more" } else { "less" };
            format!("To join a United Attack costs {many} SP {how}.")
        }
        TwistNumber::UnitedFollowers => {
            format!("{many} {how} {} may join an attack.", of(many, "character"))
        }
        TwistNumber::RingSlots => format!("Each ring has {many} {how} {}.", of(many, "place")),
    }
}

fn of(many: u32, what: &str) -> String {
    match many {
        1 => what.to_owned(),
        _ => format!("{what}s"),
    }
}

#[cfg(test)]
mod tests {
    use cw_load::RuleTwist;

    use super::*;

    /// Every change of the rules is a sentence; a number that costs less says so (D109).
    #[test]
    fn twists_are_sentences() {
        let twist: RuleTwist = "foe hp +600, you opening-hand -1, both united-sp +1, both ring-slots -1, \
            you backups-per-turn +1, both attack_freeze off"
            .parse()
            .unwrap();
        let said: Vec<String> = twist.lines.iter().map(twist_in_words).collect();
        assert_eq!(
            said[..5],
            [
                "The opponent begins with 600 more HP.",
                "You begin with 1 fewer card.",
                "To join a United Attack costs 1 SP less.",
                "Each ring has 1 fewer place.",
                "You may make 1 more back-up in each turn.",
            ]
        );
        assert!(
            said[5].starts_with("For both players a rule does not hold: "),
            "{}",
            said[5]
        );
    }
}
