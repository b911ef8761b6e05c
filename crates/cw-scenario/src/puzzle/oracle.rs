//! What is right, found out by trying everything: the measure of players and of puzzles, and nothing that
//! players use.

use std::collections::BTreeMap;

use cw_duel::{Choice, Duel, DuelOutcome, DuelView, Question, Seat, StateHash};

/// What `me` has to achieve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleGoal {
    /// The duel is won before the turn ends.
    Win,
    /// The duel is not lost before the turn ends.
    Hold,
    /// The duel is not lost before the turn after this one ends.
    Last,
}

impl PuzzleGoal {
    /// As puzzles word it.
    pub fn words(self) -> &'static str {
        match self {
            PuzzleGoal::Win => "Win this turn.",
            PuzzleGoal::Hold => "Do not lose this turn.",
            PuzzleGoal::Last => "Do not lose before your next turn.",
        }
    }

    /// The goal of these words.
    pub fn of(words: &str) -> Option<PuzzleGoal> {
        let all = [PuzzleGoal::Win, PuzzleGoal::Hold, PuzzleGoal::Last];
        all.into_iter().find(|goal| goal.words() == words)
    }

    fn last(self, duel: &Duel) -> u16 {
        duel.turn() + u16::from(self == PuzzleGoal::Last)
    }
}

/// Tries everything that both sides can do, knowing all cards. Only slots are not told apart, and what was
/// begun is not taken back.
#[derive(Debug)]
pub struct PuzzleOracle {
    me: Seat,
    goal: PuzzleGoal,
    last: u16,
    /// Positions that may still be looked at.
    pub left: u32,
    known: BTreeMap<StateHash, bool>,
    /// What `me` does not do, to find out what is needed.
    without: fn(Choice) -> bool,
}

impl PuzzleOracle {
    /// Of what `me` is to achieve from here, looking at so many positions at most.
    pub fn new(duel: &Duel, me: Seat, goal: PuzzleGoal, left: u32) -> PuzzleOracle {
        PuzzleOracle {
            me,
            goal,
            last: goal.last(duel),
            left,
            known: BTreeMap::new(),
            without: |_| false,
        }
    }

    /// The same, where `me` never does certain things.
    #[must_use]
    pub fn without(self, without: fn(Choice) -> bool) -> PuzzleOracle {
        PuzzleOracle { without, ..self }
    }

    /// Whether the goal is reached whatever the other does; `None` if that takes too long to say.
    pub fn holds(&mut self, duel: &Duel) -> Option<bool> {
        if let Some(outcome) = duel.outcome() {
            let winner = match outcome {
                DuelOutcome::Won { winner, .. } => Some(winner),
                DuelOutcome::Drawn => None,
            };
            return Some(match self.goal {
                PuzzleGoal::Win => winner == Some(self.me),
                PuzzleGoal::Hold | PuzzleGoal::Last => winner != Some(self.me.other()),
            });
        }
        if duel.turn() > self.last {
            return Some(self.goal != PuzzleGoal::Win);
        }
        let decision = duel.pending()?;
        let mine = decision.seat == self.me;
        let options = puzzle_options(duel);
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

    /// Whether one plan reaches the goal on all of these, which look the same to `me`: it does the same on
    /// all of them until it sees a difference. `None` if that takes too long to say.
    pub fn is_planned(&mut self, all: &[Duel]) -> Option<bool> {
        // Where it is not reached by who knows all cards, no plan helps.
        for duel in all {
            if !self.holds(duel)? {
                return Some(false);
            }
        }
        if all.len() < 2 {
            return Some(true);
        }
        for option in puzzle_options(&all[0]) {
            if !(self.without)(option) && self.is_planned_after(all, option)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The same, after this option on all of them.
    pub fn is_planned_after(&mut self, all: &[Duel], option: Choice) -> Option<bool> {
        let mut asked = Vec::new();
        for duel in all {
            let mut next = duel.clone();
            // What looks the same has the same options.
            next.answer_silently(option).ok()?;
            if !self.replies(next, &mut asked)? {
                return Some(false);
            }
        }
        let mut groups: Vec<(DuelView, Vec<Duel>)> = Vec::new();
        for duel in asked {
            let view = duel.view(self.me);
            match groups.iter_mut().find(|(other, _)| *other == view) {
                Some((_, group)) => group.push(duel),
                None => groups.push((view, vec![duel])),
            }
        }
        for (_, group) in groups {
            if !self.is_planned(&group)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Gives all answers of the other, until `me` is `asked` again; whether the goal is reached where that
    /// does not come to pass.
    fn replies(&mut self, duel: Duel, asked: &mut Vec<Duel>) -> Option<bool> {
        if duel.outcome().is_some() || duel.turn() > self.last {
            return self.holds(&duel);
        }
        let seat = duel.pending()?.seat;
        let options = puzzle_options(&duel);
        if seat == self.me && options.len() > 1 {
            asked.push(duel);
            return Some(true);
        }
        self.left = self.left.checked_sub(1)?;
        for option in options {
            let mut next = duel.clone();
            next.answer_silently(option).ok()?;
            if !self.replies(next, asked)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether the goal is reached after this option.
    pub fn after(&mut self, duel: &Duel, option: Choice) -> Option<bool> {
        let mut next = duel.clone();
        next.answer_silently(option).ok()?;
        self.holds(&next)
    }
}

/// The options that are looked at.
pub fn puzzle_options(duel: &Duel) -> Vec<Choice> {
    let Some(decision) = duel.pending() else {
        return Vec::new();
    };
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
