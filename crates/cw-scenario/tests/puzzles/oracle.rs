//! What is right, found out by trying everything: the measure of players, and nothing that they use.

use std::collections::BTreeMap;

use cw_duel::{Choice, Duel, Outcome, Question, Seat, StateHash};

/// What `me` has to achieve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The duel is won before the turn ends.
    Win,
    /// The duel is not lost before the turn ends.
    Hold,
    /// The duel is not lost before the turn after this one ends.
    Last,
}

impl Goal {
    /// As puzzles word it.
    pub fn words(self) -> &'static str {
        match self {
            Goal::Win => "Win this turn.",
            Goal::Hold => "Do not lose this turn.",
            Goal::Last => "Do not lose before your next turn.",
        }
    }

    pub fn of(words: &str) -> Goal {
        let all = [Goal::Win, Goal::Hold, Goal::Last];
        let known = all.into_iter().find(|goal| goal.words() == words);
        known.unwrap_or_else(|| panic!("no such goal: {words}"))
    }

    fn last(self, duel: &Duel) -> u16 {
        duel.turn() + u16::from(self == Goal::Last)
    }
}

/// Tries everything that both sides can do, knowing all cards. Only slots are not told apart, and what was
/// begun is not taken back.
pub struct Oracle {
    me: Seat,
    goal: Goal,
    last: u16,
    /// Positions that may still be looked at.
    pub left: u32,
    known: BTreeMap<StateHash, bool>,
    /// What `me` does not do, to find out what is needed.
    without: fn(Choice) -> bool,
}

impl Oracle {
    pub fn new(duel: &Duel, me: Seat, goal: Goal, left: u32) -> Oracle {
        Oracle {
            me,
            goal,
            last: goal.last(duel),
            left,
            known: BTreeMap::new(),
            without: |_| false,
        }
    }

    pub fn without(self, without: fn(Choice) -> bool) -> Oracle {
        Oracle { without, ..self }
    }

    /// Whether the goal is reached whatever the other does; `None` if that takes too long to say.
    pub fn holds(&mut self, duel: &Duel) -> Option<bool> {
        if let Some(outcome) = duel.outcome() {
            let winner = match outcome {
                Outcome::Won { winner, .. } => Some(winner),
                Outcome::Drawn => None,
            };
            return Some(match self.goal {
                Goal::Win => winner == Some(self.me),
                Goal::Hold | Goal::Last => winner != Some(self.me.other()),
            });
        }
        if duel.turn() > self.last {
            return Some(self.goal != Goal::Win);
        }
        let decision = duel.pending()?;
        let mine = decision.seat == self.me;
        let options = options(duel);
        if let [only] = options[..] {
            return self.after(duel, only);
        }
        let hash = duel.hash();
        if let Some(known) = self.known.get(&hash) {
            return Some(*known);
        }
        self.left = self.left.checked_sub(1)?;
        let mut found = !mine;
        for option in options {
            if mine && (self.without)(option) {
                continue;
            }
            if self.after(duel, option)? == mine {
                found = mine;
                break;
            }
        }
        self.known.insert(hash, found);
        Some(found)
    }

    /// Whether the goal is reached after this option.
    pub fn after(&mut self, duel: &Duel, option: Choice) -> Option<bool> {
        let mut next = duel.clone();
        next.answer_silently(option).expect("it is offered");
        self.holds(&next)
    }
}

/// The options that are looked at.
pub fn options(duel: &Duel) -> Vec<Choice> {
    let decision = duel.pending().expect("somebody is asked");
    let takes_back = |option: &Choice| {
        matches!(
            option,
            Choice::CancelAttack(_) | Choice::CancelBlock(_) | Choice::Decline
        )
    };
    let mut options: Vec<Choice> = decision.options.iter().copied().collect();
    if options.iter().any(|option| !takes_back(option)) {
        options.retain(|option| !takes_back(option));
    }
    if matches!(decision.question, Question::SlotFor(_)) {
        options.truncate(1);
    }
    options
}
