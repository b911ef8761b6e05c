//! The same duels with something changed.

use std::sync::Arc;

use cw_duel::{Game, PerSeat, Seat};
use cw_players::Player;
use cw_program::{CardType, ModelId};
use cw_sim::{DuelPlan, Exchange, Matchup, Pair};

/// Two plans that differ in the game or its decks, played pair by pair on the same seeds.
#[derive(Clone, Debug)]
pub struct Versus {
    /// The game as it is.
    pub without: DuelPlan,
    /// With the change.
    pub with: DuelPlan,
}

impl Versus {
    /// Plays a pair both ways.
    pub fn play(&self, number: u64, one: &mut dyn Player, two: &mut dyn Player) -> [Pair; 2] {
        [
            self.without.play(number, one, two),
            self.with.play_dealt_as(&self.without, number, one, two),
        ]
    }
}

/// What stands where a card stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardReplacement {
    /// The same card without its text.
    Blank,
    /// Another card.
    Other(ModelId),
}

/// A card of a deck and what it is compared with: the deck has the card in one plan, and something else
/// in its place in the other. The opponent's copies stay as they are.
#[derive(Clone, Debug)]
pub struct CardComparison {
    versus: Versus,
}

impl CardComparison {
    /// Compares the card in every deck that holds it, against every other deck; `None` if no deck does. A
    /// single deck is played against itself. The plan's matchups name the decks.
    pub fn of(plan: &DuelPlan, card: ModelId, against: CardReplacement) -> Option<CardComparison> {
        let (game, other) = match against {
            CardReplacement::Other(other) => (Arc::clone(&plan.game), other),
            CardReplacement::Blank => {
                let mut game = Game::clone(&plan.game);
                let mut blank = game.model(card).clone();
                blank.program = None;
                blank.ability = None;
                blank.text = Box::default();
                let other = ModelId(u16::try_from(game.models.len()).ok()?);
                game.models.push(blank);
                (Arc::new(game), other)
            }
        };
        let mut matchups = Vec::new();
        for matchup in &plan.matchups {
            for seat in Seat::BOTH {
                let has = matchup.decks[seat].contains(&card);
                let same = matchup.decks[seat] == matchup.decks[seat.other()];
                if has && !(same && seat == Seat::Two) {
                    matchups.push(Matchup {
                        names: PerSeat([matchup.names[seat].clone(), matchup.names[seat.other()].clone()]),
                        decks: PerSeat([matchup.decks[seat].clone(), matchup.decks[seat.other()].clone()]),
                    });
                }
            }
        }
        if matchups.is_empty() {
            return None;
        }
        let without = DuelPlan {
            matchups,
            exchange: Exchange::Turns,
            ..plan.clone()
        };
        let mut with = DuelPlan {
            game,
            ..without.clone()
        };
        for matchup in &mut with.matchups {
            for model in &mut matchup.decks[Seat::One] {
                if *model == card {
                    *model = other;
                }
            }
        }
        Some(CardComparison {
            versus: Versus { without, with },
        })
    }

    /// Plays a pair with the card: quarters of points of the deck that has it. It is the same for whatever
    /// the card is compared with.
    pub fn with_card(&self, number: u64, one: &mut dyn Player, two: &mut dyn Player) -> u8 {
        self.versus.without.play(number, one, two).quarters()
    }

    /// Plays the same pair with what stands in its place, dealt as if it were the card.
    pub fn with_other(&self, number: u64, one: &mut dyn Player, two: &mut dyn Player) -> u8 {
        let dealt = &self.versus.without;
        self.versus.with.play_dealt_as(dealt, number, one, two).quarters()
    }
}

/// The card of these decks that stands for the others of its type: the one whose BP and SP are nearest to
/// their medians, copies counted; not the card itself. `None` if the card is the only one of its type.
pub fn ordinary(game: &Game, decks: &[&[ModelId]], card: ModelId) -> Option<ModelId> {
    let of_type =
        |model: &ModelId| *model != card && game.model(*model).card_type == game.model(card).card_type;
    let others: Vec<ModelId> = decks
        .iter()
        .filter(|deck| deck.contains(&card))
        .flat_map(|deck| deck.iter().copied().filter(of_type))
        .collect();
    let median = |of: fn(&cw_duel::CardModel) -> i32| {
        let mut values: Vec<i32> = others.iter().map(|model| of(game.model(*model))).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied()
    };
    let (bp, sp) = (median(|model| model.bp)?, median(|model| model.sp)?);
    let far = |model: &ModelId| {
        let it = game.model(*model);
        // A step of SP is worth about a hundred BP in printed cards.
        let bp = match it.card_type {
            Some(CardType::Character) => (it.bp - bp).abs(),
            _ => 0,
        };
        (bp + 100 * (it.sp - sp).abs(), *model)
    };
    others.into_iter().min_by_key(far)
}
