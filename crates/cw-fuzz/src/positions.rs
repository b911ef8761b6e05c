//! Positions around a card: in hand, in the ring, among cards that its rule speaks of.

use cw_duel::{
    CardModel, Chance, CharacterPosition, DuelPosition, Game, PerSeat, Phase, PlayerPosition, Seat, Seed,
};
use cw_players::RandomPlayer;
use cw_program::{CardType, ModelId};

/// SP that a player may have, at most.
const MOST_SP: i32 = 30;

/// The cards of a game, as positions around one of them need them.
#[derive(Debug)]
pub(crate) struct CardPool {
    focus: ModelId,
    /// Characters; the rule speaks of the first [`CardPool::near_characters`].
    characters: Vec<ModelId>,
    near_characters: usize,
    /// All cards; the rule speaks of the first [`CardPool::near`].
    all: Vec<ModelId>,
    near: usize,
}

impl CardPool {
    pub(crate) fn new(game: &Game, focus: ModelId) -> CardPool {
        let said = said(game, focus);
        let is_near = |card: &CardModel| {
            let subtype = card
                .subtype
                .and_then(|subtype| game.subtypes.get(usize::from(subtype.0)));
            said.contains(&card.name.to_lowercase())
                || subtype.is_some_and(|subtype| said.contains(&subtype.to_lowercase()))
        };
        let mut all: Vec<(bool, ModelId)> = game
            .numbered()
            .map(|(model, card)| (!is_near(card), model))
            .collect();
        all.sort_by_key(|(is_far, _)| *is_far);
        let near = all.iter().filter(|(is_far, _)| !is_far).count();
        let all: Vec<ModelId> = all.into_iter().map(|(_, model)| model).collect();
        let is_character = |model: &ModelId| game.model(*model).is_character();
        let near_characters = all[..near].iter().filter(|model| is_character(model)).count();
        CardPool {
            focus,
            characters: all.iter().copied().filter(is_character).collect(),
            near_characters,
            all,
            near,
        }
    }

    fn character(&self, random: &mut RandomPlayer) -> Option<ModelId> {
        pick(&self.characters, self.near_characters, random)
    }

    fn card(&self, random: &mut RandomPlayer) -> Option<ModelId> {
        pick(&self.all, self.near, random)
    }

    fn cards(&self, most: usize, random: &mut RandomPlayer) -> Vec<ModelId> {
        let count = random.below(most + 1);
        (0..count).filter_map(|_| self.card(random)).collect()
    }
}

/// One of a list; every other time one of its first `near`.
fn pick(list: &[ModelId], near: usize, random: &mut RandomPlayer) -> Option<ModelId> {
    let bound = match near {
        0 => list.len(),
        near if random.below(2) == 0 => near,
        _ => list.len(),
    };
    list.get(random.below(bound)).copied()
}

/// All words of a card's rule and text, in lower case.
fn said(game: &Game, model: ModelId) -> String {
    let card = game.model(model);
    let mut said = card.text.to_lowercase();
    if let Some(program) = &card.program {
        for formula in &program.rule.formulas {
            said.push_str(&formula.text.to_lowercase());
        }
        // Names and subtypes of targets stand there as numbers; as text they are found here.
        said.push_str(&format!("{:?}", program.rule.target).to_lowercase());
        said.push_str(&format!("{:?}", program.clauses).to_lowercase());
    }
    said
}

/// A position in which the card may do something: the player who has it is [`Seat::First`] or
/// [`Seat::Second`].
pub(crate) fn around(game: &Game, pool: &CardPool, random: &mut RandomPlayer) -> DuelPosition {
    let one_of = |random: &mut RandomPlayer, odds: usize| random.below(odds) == 0;
    let mut players = PerSeat([PlayerPosition::new(game), PlayerPosition::new(game)]);
    for seat in Seat::BOTH {
        let player = &mut players[seat];
        if one_of(random, 2) {
            player.hp =
                100 * (1 + small(random.below(usize::try_from(game.constants.hp / 100).unwrap_or(1).max(1))));
        }
        player.sp = small(random.below(16));
        let slots = usize::from(game.constants.ring_slots);
        let filled = random.below(slots + 1);
        player.ring = (0..slots)
            .map(|slot| (slot < filled).then(|| fighter(pool, random)).flatten())
            .collect();
        player.hand = pool.cards(6, random);
        player.deck = pool.cards(12, random);
        player.discards = pool.cards(5, random);
        player.removed = pool.cards(2, random);
        player.nc_damaged = one_of(random, 6);
    }
    let active = if one_of(random, 2) { Seat::One } else { Seat::Two };
    let owner = place(game, pool, &mut players, active, random);
    let phase = match game.model(pool.focus).card_type {
        Some(CardType::Reaction) => Phase::Attack,
        _ if owner != active && one_of(random, 2) => Phase::Attack,
        _ => [
            Phase::Main,
            Phase::Main,
            Phase::Main,
            Phase::Attack,
            Phase::Activate,
        ][random.below(5)],
    };
    let seed = random.below(1 << 20) as u64;
    DuelPosition {
        players,
        turn: 2 + u16::try_from(random.below(6)).unwrap_or_default(),
        phase,
        active,
        first: if one_of(random, 2) { Seat::One } else { Seat::Two },
        united: Vec::new(),
        blocks: Vec::new(),
        rules: Vec::new(),
        costs: Vec::new(),
        chance: Chance::Seeded {
            seed: Seed::from(seed),
            position: 0,
        },
        script: Vec::new(),
    }
}

fn small(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn fighter(pool: &CardPool, random: &mut RandomPlayer) -> Option<CharacterPosition> {
    let mut fighter = CharacterPosition::new(pool.character(random)?);
    marks(&mut fighter, random);
    Some(fighter)
}

fn marks(fighter: &mut CharacterPosition, random: &mut RandomPlayer) {
    if random.below(3) == 0 {
        fighter.bp = Some(100 * (1 + small(random.below(9))));
    }
    fighter.frozen = random.below(5) == 0;
    fighter.fresh = random.below(6) == 0;
}

/// Puts the card where it may be used, and gives its player the means. Whose it is.
fn place(
    game: &Game,
    pool: &CardPool,
    players: &mut PerSeat<PlayerPosition>,
    active: Seat,
    random: &mut RandomPlayer,
) -> Seat {
    let card = game.model(pool.focus);
    let owner = match card.card_type {
        Some(CardType::Action) => active,
        Some(CardType::Reaction) => active.other(),
        _ if random.below(3) == 0 => active.other(),
        _ => active,
    };
    let player = &mut players[owner];
    // A card that costs more than anybody has is a find, not a reason to be rich.
    player.sp = player
        .sp
        .max((-card.sp).min(MOST_SP))
        .max(small(random.below(12)));
    let in_ring = card.is_character() && random.below(3) > 0;
    if in_ring {
        let mut fighter = CharacterPosition::new(pool.focus);
        if random.below(2) == 0 {
            marks(&mut fighter, random);
        }
        let slot = random.below(player.ring.len().max(1));
        if let Some(place) = player.ring.get_mut(slot) {
            *place = Some(fighter);
        }
    } else {
        // There must be room for a character that is played.
        if card.is_character()
            && player.ring.iter().all(Option::is_some)
            && let Some(place) = player.ring.last_mut()
        {
            *place = None;
        }
        player.hand.insert(0, pool.focus);
    }
    owner
}
