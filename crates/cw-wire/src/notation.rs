//! Choices in a short notation that does not change when somebody rewords a button: what records and
//! logs keep, as chess keeps `e2e4` apart from what its players say.
//!
//! | Notation | Choice |
//! | --- | --- |
//! | `pass` `done` `decline` `yes` `no` `top` `bottom` `heads` `tails` | that |
//! | `play:12` `back-up:12` `activate:12` | plays card 12, uses it as a back-up, uses its ability |
//! | `attack:12` `join:12` `block:12` | attacks, joins the United Attack, counter-attacks |
//! | `cancel-attack:12` `cancel-block:12` | takes the attacker or the blocker out again |
//! | `card:12` | adds card 12 to those chosen |
//! | `copy:ID` | a copy of the card with this GUID; `copy:ID/2` is the second card of the game with it |
//! | `slot:1` `type:1` `action:1` | counted from 1 |
//! | `player:1` `zone:2` | a player, or whose zone |
//!
//! The words are those of [`Choice::word`]; `backup`, `unattack` and `unblock` of older records are read,
//! too.
//!
//! Cards are counted from 0, as the duel counts them: `card:12` is the card that logs call `#12`.

use std::fmt::Write;

use cw_duel::{CardId, Choice, Game, Seat};
use cw_program::ModelId;

/// The notation of a choice in this game.
///
/// ```
/// use cw_wire::{notation, read_notation};
///
/// let duel = cw_stage::start("", "phase attack; me Rook").duel;
/// for option in &duel.pending().expect("the duel goes on").options {
///     let written = notation(duel.game(), *option);
///     assert_eq!(read_notation(duel.game(), &written), Some(*option));
/// }
/// ```
pub fn notation(game: &Game, choice: Choice) -> String {
    let word = choice.word();
    let number = |number: usize| format!("{word}:{number}");
    match choice {
        Choice::Play(card)
        | Choice::BackUp(card)
        | Choice::Activate(card)
        | Choice::Attack(card)
        | Choice::Join(card)
        | Choice::CancelAttack(card)
        | Choice::Block(card)
        | Choice::CancelBlock(card)
        | Choice::Card(card) => number(usize::from(card.0)),
        Choice::Slot(from_0) | Choice::Type(from_0) | Choice::Action(from_0) => {
            number(usize::from(from_0) + 1)
        }
        Choice::Player(seat) | Choice::Zone(seat) => number(seat.index() + 1),
        Choice::Copy(model) => {
            let id = &game.model(model).id;
            let mut text = format!("{word}:{id}");
            let earlier = game.models.iter().take(usize::from(model.0));
            let twins = earlier.filter(|other| other.id == *id).count();
            if twins > 0 {
                write!(text, "/{}", twins + 1).expect("writing to a String works");
            }
            text
        }
        Choice::Pass
        | Choice::Yes
        | Choice::No
        | Choice::Top
        | Choice::Bottom
        | Choice::Heads
        | Choice::Tails
        | Choice::Done
        | Choice::Decline => word.to_owned(),
    }
}

/// Reads what [`notation`] writes, today or in older versions, and nothing else. Whether the choice is
/// offered is another matter.
pub fn read_notation(game: &Game, text: &str) -> Option<Choice> {
    let (word, argument) = match text.split_once(':') {
        Some((word, argument)) => (word, Some(argument)),
        None => (text, None),
    };
    let Some(argument) = argument else {
        return [
            Choice::Pass,
            Choice::Yes,
            Choice::No,
            Choice::Top,
            Choice::Bottom,
            Choice::Heads,
            Choice::Tails,
            Choice::Done,
            Choice::Decline,
        ]
        .into_iter()
        .find(|choice| choice.word() == word);
    };
    let card = || Some(CardId(number(argument)?));
    let from_1 = || number(argument)?.checked_sub(1);
    let seat = || {
        let seats = Seat::BOTH.into_iter().zip(["1", "2"]);
        let mut seats = seats.filter(|(_, name)| *name == argument);
        seats.next().map(|(seat, _)| seat)
    };
    Some(match word {
        "play" => Choice::Play(card()?),
        "back-up" | "backup" => Choice::BackUp(card()?),
        "activate" => Choice::Activate(card()?),
        "attack" => Choice::Attack(card()?),
        "join" => Choice::Join(card()?),
        "cancel-attack" | "unattack" => Choice::CancelAttack(card()?),
        "block" => Choice::Block(card()?),
        "cancel-block" | "unblock" => Choice::CancelBlock(card()?),
        "card" => Choice::Card(card()?),
        "slot" => Choice::Slot(from_1()?),
        "type" => Choice::Type(from_1()?),
        "action" => Choice::Action(from_1()?),
        "player" => Choice::Player(seat()?),
        "zone" => Choice::Zone(seat()?),
        "copy" => Choice::Copy(model(game, argument)?),
        _ => return None,
    })
}

/// A number in its one form: no sign, no zeros before it.
fn number(text: &str) -> Option<u8> {
    let number: u8 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

fn model(game: &Game, text: &str) -> Option<ModelId> {
    let (id, which) = match text.rsplit_once('/') {
        Some((id, which)) => {
            let number: usize = which.parse().ok().filter(|number| *number > 1)?;
            (id, Some(number).filter(|number| number.to_string() == which)?)
        }
        None => (text, 1),
    };
    let same = game
        .models
        .iter()
        .enumerate()
        .filter(|(_, model)| *model.id == *id);
    let (at, _) = { same }.nth(which - 1)?;
    u16::try_from(at).ok().map(ModelId)
}
