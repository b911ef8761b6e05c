//! Positions of duels, for weights to be fitted to.

use cw_duel::{Duel, Question, Seat, Silent};
use cw_players::{Ask, Level, Positions, RandomPlayer, SeatEyes, mix, seed_of};

use crate::plan::DuelPlan;

/// One answer in so many is any: good play alone does not show what bad positions are worth.
const ASTRAY: usize = 10;
/// One quiet position in so many is noted, and no more than so many of a duel.
const NOTED: usize = 4;
const MOST: usize = 16;

impl DuelPlan {
    /// Plays the first duel of a pair between a level and itself, one answer in ten being any, and notes
    /// positions in which nothing is going on.
    ///
    /// # Panics
    /// If the duel cannot start: [`DuelPlan::check`] tells beforehand.
    pub fn positions(&self, number: u64, level: Level) -> Positions {
        let beginning = self.beginning(number);
        let begun = self.start(&beginning, 0, &mut Silent);
        let mut duel = begun.expect("the plan was checked");
        let mut random = RandomPlayer::new(mix(&[beginning.players, 1]));
        let mut noted = Positions::default();
        let mut asked = 0;
        while let Some(eyes) = SeatEyes::of_who_is_asked(&duel) {
            let decision = eyes.decision();
            let ask = Ask {
                budget: self.budgets[decision.seat.index()],
                ..eyes.ask(seed_of(beginning.players, decision.seat, asked))
            };
            asked += 1;
            if is_quiet(&duel, decision.question) && random.below(NOTED) == 0 && noted.len() < MOST {
                noted.note(&duel);
            }
            let choice = match random.below(ASTRAY) {
                0 => random.pick(decision),
                _ => level.choose(&ask),
            };
            duel.answer_silently(choice)
                .expect("levels choose what is offered");
        }
        noted.end(duel.outcome());
        noted
    }
}

fn is_quiet(duel: &Duel, question: Question) -> bool {
    let attacks = |seat| duel.glance(seat).fighters().any(|fighter| fighter.attacks);
    match question {
        Question::Main => true,
        Question::Attack => !Seat::BOTH.into_iter().any(attacks),
        _ => false,
    }
}
