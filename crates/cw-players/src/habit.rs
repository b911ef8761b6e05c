//! What a player does without trying it out, and how much it likes a table.

use cw_duel::{CardId, Choice, Decision, Duel, DuelOutcome, DuelView, PerSeat, Seat};
use cw_program::PileName;

/// The little of a table that is looked at here. It is read off a view, or off a guess without a view being
/// made: that is most of what trying an option out would cost.
pub(crate) struct HabitTable {
    outcome: Option<DuelOutcome>,
    sides: PerSeat<HabitSide>,
}

struct HabitSide {
    hp: i32,
    sp: i32,
    hand: usize,
    fighters: Vec<HabitFighter>,
}

struct HabitFighter {
    card: CardId,
    bp: i32,
    frozen: bool,
    has_ability: bool,
}

impl HabitTable {
    /// Of a guess.
    pub fn of(guess: &Duel) -> HabitTable {
        HabitTable {
            outcome: guess.outcome(),
            sides: PerSeat::from_fn(|seat| {
                let glance = guess.glance(seat);
                let fighters = glance.fighters().map(|fighter| HabitFighter {
                    card: fighter.card,
                    bp: fighter.bp,
                    frozen: fighter.frozen,
                    has_ability: fighter.ability.is_some(),
                });
                HabitSide {
                    hp: glance.hp(),
                    sp: glance.sp(),
                    hand: glance.pile(PileName::Hand),
                    fighters: fighters.collect(),
                }
            }),
        }
    }

    /// Of what a player sees.
    pub fn seen(view: &DuelView) -> HabitTable {
        HabitTable {
            outcome: view.outcome,
            sides: PerSeat::from_fn(|seat| {
                let player = &view.players[seat];
                let fighters = player.ring.iter().flatten().map(|fighter| HabitFighter {
                    card: fighter.card,
                    bp: fighter.bp,
                    frozen: fighter.frozen,
                    has_ability: fighter.ability.is_some(),
                });
                HabitSide {
                    hp: player.hp,
                    sp: player.sp,
                    hand: player.hand.len(),
                    fighters: fighters.collect(),
                }
            }),
        }
    }
}

/// The option that is liked best without trying any out; the last of equals.
pub(crate) fn habitual(decision: &Decision, table: &HabitTable) -> Choice {
    let liked = decision
        .options
        .iter()
        .max_by_key(|option| by_habit(decision, table, **option));
    liked.copied().unwrap_or(decision.options[0])
}

/// What a player does without trying it out: blocks what it can beat, takes offers, aims at the
/// opponent's strongest.
pub(crate) fn by_habit(decision: &Decision, table: &HabitTable, option: Choice) -> i64 {
    let me = decision.seat;
    let bp = |card| {
        let of = |seat: Seat| {
            let mut fighters = table.sides[seat].fighters.iter();
            let found = fighters.find(|fighter| fighter.card == card);
            found.map(|fighter| (seat, i64::from(fighter.bp)))
        };
        of(me).or_else(|| of(me.other()))
    };
    match option {
        Choice::Card(card) => match bp(card) {
            Some((seat, bp)) if seat == me => 1000 - bp,
            Some((_, bp)) => 2000 + bp,
            None => 1500,
        },
        Choice::Yes | Choice::Top | Choice::Heads => 10,
        Choice::Pass | Choice::Done => 5,
        Choice::No | Choice::Bottom | Choice::Tails => 3,
        Choice::Decline => 0,
        Choice::Player(seat) | Choice::Zone(seat) => i64::from(seat != me) * 5 + 5,
        Choice::Play(_)
        | Choice::BackUp(_)
        | Choice::Activate(_)
        | Choice::Attack(_)
        | Choice::Join(_)
        | Choice::CancelAttack(_)
        | Choice::Block(_)
        | Choice::CancelBlock(_)
        | Choice::Slot(_)
        | Choice::Copy(_)
        | Choice::Type(_)
        | Choice::Action(_) => 2,
    }
}

/// The table from the side of this seat, in units of one BP on it.
///
/// HP count most when few are left; a character counts its BP and its being there; a card in the
/// hand is a character to be; SP are cards that can be paid.
pub(crate) fn liking(table: &HabitTable, seat: Seat) -> i64 {
    match table.outcome {
        Some(DuelOutcome::Won { winner, .. }) if winner == seat => 1_000_000,
        Some(DuelOutcome::Won { .. }) => -1_000_000,
        Some(DuelOutcome::Drawn) => 0,
        None => side(&table.sides[seat]) - side(&table.sides[seat.other()]),
    }
}

fn side(side: &HabitSide) -> i64 {
    let hp = i64::from(side.hp.max(0));
    let few = 1500 - hp.min(1500);
    let ring: i64 = side
        .fighters
        .iter()
        .map(|fighter| {
            let frozen = if fighter.frozen { 120 } else { 0 };
            let ability = if fighter.has_ability { 60 } else { 0 };
            i64::from(fighter.bp) + 150 + ability - frozen
        })
        .sum();
    let sp = i64::from(side.sp.min(12)) * 25 + i64::from(side.sp.max(12) - 12) * 5;
    hp - few / 2 + ring + side.hand as i64 * 220 + sp
}
