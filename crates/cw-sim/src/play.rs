//! One pair of duels.

use cw_duel::{Choice, Duel, Event, Outcome, PerSeat, Reason, Seat, Sink};
use cw_players::{Answer, Ask, Eyes, Player, seed_of};

use crate::plan::{Beginning, Plan};

/// A pair that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Its number in the plan.
    pub number: u64,
    /// The seed of the cards, in both duels.
    pub seed: u64,
    /// Who went first, in both.
    pub first: Seat,
    /// With the first player in seat 1, and in seat 2.
    pub duels: [Played; 2],
}

/// A duel that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// How it ended.
    pub outcome: Outcome,
    /// Every choice, in order.
    pub choices: Vec<Choice>,
    /// The turn in which it ended.
    pub turns: u16,
    /// Decisions with more than one option.
    pub decisions: u32,
    /// Units that the loop guard ended (D13).
    pub guarded: u32,
}

impl Pair {
    /// The first player's score in quarters, 0 to 4.
    pub fn quarters(&self) -> u8 {
        let [one, two] = &self.duels;
        one.halves(Seat::One) + two.halves(Seat::Two)
    }
}

impl Played {
    /// Half points of a seat: 2 for a win, 1 for a draw.
    pub fn halves(&self, seat: Seat) -> u8 {
        match self.outcome {
            Outcome::Won { winner, .. } => u8::from(winner == seat) * 2,
            Outcome::Drawn => 1,
        }
    }

    /// Who gave up, if somebody did.
    pub fn gave_up(&self) -> Option<Seat> {
        match self.outcome {
            Outcome::Won {
                winner,
                reason: Reason::Forfeit,
            } => Some(winner.other()),
            Outcome::Won { .. } | Outcome::Drawn => None,
        }
    }
}

impl Plan {
    /// Plays a pair of the plan.
    ///
    /// # Panics
    /// If a duel cannot start: [`Plan::check`] tells beforehand; or if a player chooses what is not
    /// offered.
    pub fn play(&self, number: u64, one: &mut dyn Player, two: &mut dyn Player) -> Pair {
        let beginning = self.beginning(number);
        let duels = [
            self.play_duel(&beginning, PerSeat([one, two]), self.budgets),
            self.play_duel(
                &beginning,
                PerSeat([two, one]),
                [self.budgets[1], self.budgets[0]],
            ),
        ];
        Pair {
            number,
            seed: beginning.seed,
            first: beginning.first,
            duels,
        }
    }

    fn play_duel(
        &self,
        beginning: &Beginning<'_>,
        mut players: PerSeat<&mut dyn Player>,
        budgets: [cw_players::Budget; 2],
    ) -> Played {
        let mut duel = self.start(beginning).expect("the plan was checked");
        for seat in Seat::BOTH {
            players[seat].begins(seat);
        }
        let (mut choices, mut decisions, mut guards) = (Vec::new(), 0, Guards(0));
        let mut asked = PerSeat([0, 0]);
        while let Some(eyes) = Eyes::of_who_is_asked(&duel) {
            let seat = eyes.decision().seat;
            let is_choice = eyes.decision().options.len() > 1;
            let ask = Ask {
                budget: budgets[seat.index()],
                ..eyes.ask(seed_of(beginning.players, seat, asked[seat]))
            };
            asked[seat] += 1;
            decisions += u32::from(is_choice);
            match players[seat].answer(&ask) {
                Answer::Choice(choice) => {
                    choices.push(choice);
                    let taken = duel.answer(choice, &mut guards);
                    taken.expect("players choose what is offered");
                }
                Answer::GiveUp => duel.forfeit(seat, &mut guards),
            }
        }
        for seat in Seat::BOTH {
            players[seat].ends(duel.outcome());
        }
        finished(&duel, choices, decisions, guards.0)
    }
}

fn finished(duel: &Duel, choices: Vec<Choice>, decisions: u32, guarded: u32) -> Played {
    Played {
        outcome: duel.outcome().expect("it was played to its end"),
        choices,
        turns: duel.turn(),
        decisions,
        guarded,
    }
}

/// Counts what the loop guard ended.
struct Guards(u32);

impl Sink for Guards {
    fn event(&mut self, event: &Event) {
        self.0 += u32::from(matches!(event, Event::Guarded { .. }));
    }
}
