//! A small game of plain cards, and players that choose by chance.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::sync::Arc;

use cw_duel::{CardModel, Choice, Constants, Decks, Duel, Game, PerSeat, Silent};
use cw_program::{CardNameId, CardType, ModelId, SubtypeId};

/// A generator for tests (xorshift64*, Marsaglia 2003).
#[derive(Clone)]
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let word = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D);
        (((word >> 32) * bound as u64) >> 32) as usize
    }
}

pub fn model(name: &str, card_type: CardType, bp: i32, sp: i32, subtype: u16, backups: &[u16]) -> CardModel {
    CardModel {
        id: name.to_lowercase().into(),
        name: name.into(),
        name_id: CardNameId(0),
        card_type: Some(card_type),
        subtype: (card_type == CardType::Character).then_some(SubtypeId(subtype)),
        bp,
        sp,
        ability: None,
        text: "".into(),
        backups: backups.iter().map(|subtype| SubtypeId(*subtype)).collect(),
        program: None,
    }
}

/// Twenty plain cards, with the numbers of G1.
pub fn plain_game() -> Arc<Game> {
    game_with(Constants::default())
}

/// Games that differ in their numbers, so that every kind of end and every limit comes up: as in
/// G1; so many HP that decks run out; a small ring; a large ring with long United Attacks.
pub fn games() -> [Arc<Game>; 4] {
    let usual = Constants::default;
    [
        usual(),
        Constants {
            hp: 60_000,
            opening_hand: 12,
            ..usual()
        },
        Constants {
            ring_slots: 3,
            united_followers: 1,
            united_sp: -1,
            backups_per_turn: 2,
            ..usual()
        },
        Constants {
            ring_slots: 8,
            united_followers: 7,
            united_sp: 1,
            characters_per_turn: 3,
            hp: 9_000,
            sp: 20,
            ..usual()
        },
    ]
    .map(game_with)
}

/// Twenty plain cards, with these numbers.
pub fn game_with(constants: Constants) -> Arc<Game> {
    let mut models = Vec::new();
    for index in 0..14i32 {
        let (bp, sp) = (100 + index * 100, 6 - index);
        let icons: &[u16] = match index % 3 {
            0 => &[0],
            1 => &[0, 1],
            _ => &[1, 2, 2],
        };
        let name = format!("Fighter {index}");
        models.push(model(
            &name,
            CardType::Character,
            bp,
            sp,
            (index % 3) as u16,
            icons,
        ));
    }
    for index in 0..3 {
        models.push(model(
            &format!("Plan {index}"),
            CardType::Action,
            0,
            -2 * index,
            0,
            &[],
        ));
        models.push(model(
            &format!("Answer {index}"),
            CardType::Reaction,
            0,
            -index,
            0,
            &[],
        ));
    }
    for (index, model) in models.iter_mut().enumerate() {
        model.name_id = CardNameId(index as u16);
    }
    let names = models
        .iter()
        .map(|model| model.name.to_lowercase().into())
        .collect();
    let subtypes = ["Rope", "Bell", "Ladle"].map(Into::into).to_vec();
    Arc::new(Game {
        name: "plain".into(),
        constants,
        models,
        names,
        subtypes,
        ..Game::default()
    })
}

/// Fifty cards, no more than three of each.
pub fn deck(offset: usize) -> Vec<ModelId> {
    (0..50)
        .map(|index| ModelId(((index + offset) % 20) as u16))
        .collect()
}

pub fn decks() -> Decks {
    PerSeat([deck(0), deck(7)])
}

pub fn start(seed: u64) -> Duel {
    start_in(&plain_game(), seed)
}

pub fn start_in(game: &Arc<Game>, seed: u64) -> Duel {
    Duel::new(Arc::clone(game), &decks(), seed).expect("the decks are legal")
}

/// Answers by chance; `None` when the duel is over.
pub fn step(duel: &mut Duel, dice: &mut Dice) -> Option<Choice> {
    let options = &duel.pending()?.options;
    let choice = options[dice.below(options.len())];
    duel.answer(choice, &mut Silent)
        .expect("every option offered is accepted");
    Some(choice)
}
