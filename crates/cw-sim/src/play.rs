//! One pair of duels.

use cw_duel::{Choice, Duel, DuelOutcome, PerSeat, Seat, StateHash, WinReason};
use cw_players::{Ask, Player, PlayerAnswer, SeatEyes, seed_of};
use cw_program::PileName;

use crate::plan::{Beginning, DuelPlan};
use crate::tally::{CardRow, Detail, Tally};

/// A pair that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Its number in the plan.
    pub number: u64,
    /// The seed of the cards, in both duels.
    pub seed: u64,
    /// Its two duels; [`Exchange`](crate::Exchange) says what they differ in.
    pub duels: [Played; 2],
}

/// A duel that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who went first.
    pub first: Seat,
    /// The seat that is measured: the first player's.
    pub measured: Seat,
    /// How it ended.
    pub outcome: DuelOutcome,
    /// Every choice, in order; none where the row was read back from a file.
    pub choices: Vec<Choice>,
    /// The turn in which it ended.
    pub turns: u16,
    /// Decisions with more than one option.
    pub decisions: u32,
    /// Units that the loop guard ended (D13).
    pub guarded: u32,
    /// What each seat had in the end.
    pub ends: PerSeat<SeatResult>,
    /// At the beginning of each turn, by how many HP seat 1 was ahead.
    pub leads: Vec<i32>,
    /// What each seat's cards did, by card; those that did nothing, and of which nothing was expected, are
    /// left out. Empty where it was not noted.
    pub cards: PerSeat<Vec<CardRow>>,
    /// The digest of the last position.
    pub hash: StateHash,
}

/// What a seat has at the end of a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SeatResult {
    /// Hit points.
    pub hp: i32,
    /// Skill points.
    pub sp: i32,
    /// Cards in the hand.
    pub hand: i32,
    /// Cards in the deck.
    pub deck: i32,
}

impl Pair {
    /// The first player's score in quarters, 0 to 4.
    pub fn quarters(&self) -> u8 {
        let [one, two] = &self.duels;
        one.halves(one.measured) + two.halves(two.measured)
    }

    /// The score of who went first, in quarters, 0 to 4.
    pub fn quarters_of_first(&self) -> u8 {
        let [one, two] = &self.duels;
        one.halves(one.first) + two.halves(two.first)
    }
}

impl Played {
    /// Half points of a seat: 2 for a win, 1 for a draw.
    pub fn halves(&self, seat: Seat) -> u8 {
        match self.outcome {
            DuelOutcome::Won { winner, .. } => u8::from(winner == seat) * 2,
            DuelOutcome::Drawn => 1,
        }
    }

    /// Who gave up, if somebody did.
    pub fn gave_up(&self) -> Option<Seat> {
        match self.outcome {
            DuelOutcome::Won {
                winner,
                reason: WinReason::Forfeit,
            } => Some(winner.other()),
            DuelOutcome::Won { .. } | DuelOutcome::Drawn => None,
        }
    }
}

impl DuelPlan {
    /// Plays a pair of the plan.
    ///
    /// # Panics
    /// If a duel cannot start: [`DuelPlan::check`] tells beforehand; or if a player chooses what is not
    /// offered.
    pub fn play(&self, number: u64, one: &mut dyn Player, two: &mut dyn Player) -> Pair {
        self.play_noting(Detail::Cards, number, one, two)
    }

    /// As [`DuelPlan::play`]; without the cards it is faster, and comes out the same.
    ///
    /// # Panics
    /// As [`DuelPlan::play`].
    pub fn play_noting(
        &self,
        detail: Detail,
        number: u64,
        one: &mut dyn Player,
        two: &mut dyn Player,
    ) -> Pair {
        self.play_from(&self.beginning(number), detail, number, [one, two])
    }

    /// As [`DuelPlan::play`], with the seeds of another plan: that of the decks as they were before a change.
    ///
    /// # Panics
    /// As [`DuelPlan::play`]; or if the other plan has fewer matchups.
    pub fn play_dealt_as(
        &self,
        other: &DuelPlan,
        number: u64,
        one: &mut dyn Player,
        two: &mut dyn Player,
    ) -> Pair {
        let dealt = other.beginning(number);
        let beginning = Beginning {
            matchup: self.matchup(number),
            ..dealt
        };
        self.play_from(&beginning, Detail::Cards, number, [one, two])
    }

    fn play_from(
        &self,
        beginning: &Beginning<'_>,
        detail: Detail,
        number: u64,
        [one, two]: [&mut dyn Player; 2],
    ) -> Pair {
        let duels = [0, 1].map(|half| self.play_duel(beginning, half, detail, [&mut *one, &mut *two]));
        Pair {
            number,
            seed: beginning.seed,
            duels,
        }
    }

    fn play_duel(
        &self,
        beginning: &Beginning<'_>,
        half: usize,
        detail: Detail,
        players: [&mut dyn Player; 2],
    ) -> Played {
        let (first, measured) = (beginning.halves[half].first, beginning.halves[half].seat);
        let [one, two] = players;
        let (mut players, budgets) = match measured {
            Seat::One => (PerSeat([one, two]), self.budgets),
            Seat::Two => (PerSeat([two, one]), [self.budgets[1], self.budgets[0]]),
        };
        let mut tally = Tally::new(&self.game, &beginning.matchup.decks, detail);
        let mut duel = self
            .start(beginning, half, &mut tally)
            .expect("the plan was checked");
        for seat in Seat::BOTH {
            players[seat].begins(seat);
        }
        let (mut choices, mut decisions) = (Vec::with_capacity(256), 0);
        let mut asked = PerSeat([0, 0]);
        while let Some(eyes) = SeatEyes::of_who_is_asked(&duel) {
            let seat = eyes.decision().seat;
            tally.is_asked(&eyes.decision().question);
            let is_choice = eyes.decision().options.len() > 1;
            let ask = Ask {
                budget: budgets[seat.index()],
                ..eyes.ask(seed_of(beginning.players, seat, asked[seat]))
            };
            asked[seat] += 1;
            decisions += u32::from(is_choice);
            match players[seat].answer(&ask) {
                PlayerAnswer::Choice(choice) => {
                    choices.push(choice);
                    let taken = duel.answer(choice, &mut tally);
                    taken.expect("players choose what is offered");
                }
                PlayerAnswer::GiveUp => duel.forfeit(seat, &mut tally),
            }
        }
        for seat in Seat::BOTH {
            players[seat].ends(duel.outcome());
        }
        for seat in Seat::BOTH.into_iter().filter(|_| detail == Detail::Cards) {
            duel.glance(seat)
                .hand()
                .for_each(|(card, model)| tally.left_in_hand(card, model));
        }
        Played {
            first,
            measured,
            outcome: duel.outcome().expect("it was played to its end"),
            choices,
            turns: duel.turn(),
            decisions,
            guarded: tally.guarded,
            ends: PerSeat::from_fn(|seat| SeatResult::of(&duel, seat)),
            leads: std::mem::take(&mut tally.leads),
            cards: tally.cards(),
            hash: duel.hash(),
        }
    }
}

impl SeatResult {
    fn of(duel: &Duel, seat: Seat) -> SeatResult {
        let glance = duel.glance(seat);
        let pile = |pile| i32::try_from(glance.pile(pile)).unwrap_or(i32::MAX);
        SeatResult {
            hp: glance.hp(),
            sp: glance.sp(),
            hand: pile(PileName::Hand),
            deck: pile(PileName::Deck),
        }
    }
}
