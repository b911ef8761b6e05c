//! What a player does without trying it out, and how much it likes a table.

use cw_duel::{Choice, Decision, Outcome, Seat, View};

/// The option that is liked best without trying any out; the last of equals.
pub(crate) fn habitual(decision: &Decision, view: &View) -> Choice {
    let liked = decision
        .options
        .iter()
        .max_by_key(|option| by_habit(decision, view, **option));
    liked.copied().unwrap_or(decision.options[0])
}

/// What a player does without trying it out: blocks what it can beat, takes offers, aims at the
/// opponent's strongest.
pub(crate) fn by_habit(decision: &Decision, view: &View, option: Choice) -> i64 {
    let me = decision.seat;
    let bp = |card| {
        let of = |seat: Seat| {
            let found = view.players[seat].ring.iter().flatten();
            let mut found = found.filter(|fighter| fighter.card == card);
            found.next().map(|fighter| (seat, i64::from(fighter.bp)))
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

/// The table from the side of who sees it, in units of one BP on it.
///
/// HP count most when few are left; a character counts its BP and its being there; a card in the
/// hand is a character to be; SP are cards that can be paid.
pub(crate) fn liking(view: &View) -> i64 {
    let seat = view.seat;
    match view.outcome {
        Some(Outcome::Won { winner, .. }) if winner == seat => 1_000_000,
        Some(Outcome::Won { .. }) => -1_000_000,
        Some(Outcome::Drawn) => 0,
        None => side(view, seat) - side(view, seat.other()),
    }
}

fn side(view: &View, seat: Seat) -> i64 {
    let player = &view.players[seat];
    let hp = i64::from(player.hp.max(0));
    let few = 1500 - hp.min(1500);
    let ring: i64 = player
        .ring
        .iter()
        .flatten()
        .map(|fighter| {
            let frozen = if fighter.frozen { 120 } else { 0 };
            let ability = if fighter.ability.is_some() { 60 } else { 0 };
            i64::from(fighter.bp) + 150 + ability - frozen
        })
        .sum();
    let sp = i64::from(player.sp.min(12)) * 25 + i64::from(player.sp.max(12) - 12) * 5;
    hp - few / 2 + ring + player.hand.len() as i64 * 220 + sp
}
