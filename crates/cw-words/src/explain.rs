//! Where a number comes from, line by line.

use cw_duel::{Base, ChangeCause, ChangeReason, ExplainedNumber, Explanation, Share};
use cw_program::{ClosedWord, PileName};

use crate::{EventReader, signed};

/// An explanation in words: the base, then a line for each change, as `+300, back-up Wren`. The
/// statement of an effect is said as what it does; whoever has the rule's text may show that.
pub fn explanation(reader: EventReader<'_>, explained: &Explanation) -> Vec<String> {
    let mut lines = vec![base(reader, explained)];
    lines.extend(
        explained
            .shares
            .iter()
            .map(|share| line(reader, share, explained)),
    );
    lines
}

fn base(reader: EventReader<'_>, explained: &Explanation) -> String {
    let number = explained.base;
    match explained.from {
        Base::Start => format!("{number} at the start"),
        Base::Rule(rule) => format!("{number} {}", by_rule(rule)),
        Base::Printed(model) => format!("{number} printed on {}", reader.model(model)),
        Base::Character(card) => format!("{number} BP of {}", reader.card(card)),
    }
}

fn line(reader: EventReader<'_>, share: &Share, explained: &Explanation) -> String {
    let mut by = signed(share.by);
    if matches!(
        explained.of,
        ExplainedNumber::Cost(_) | ExplainedNumber::UnitedCost(_)
    ) {
        // D73: a cost is what is added to SP.
        by.push_str(if share.by > 0 {
            " (cheaper)"
        } else {
            " (more expensive)"
        });
    }
    let card = |card| reader.seen(card);
    let why = match share.why {
        ChangeReason::Cause(ChangeCause::Combat(by)) => format!("combat with {}", card(by)),
        ChangeReason::Cause(ChangeCause::Piercing(by)) => format!("piercing by {}", card(by)),
        ChangeReason::Cause(ChangeCause::Effect(by)) | ChangeReason::InForce(by) => card(by),
        ChangeReason::Cause(ChangeCause::Play(played)) => format!("playing {}", card(played)),
        ChangeReason::Cause(ChangeCause::UnitedAttack) => "the United Attack".to_owned(),
        ChangeReason::Cause(ChangeCause::BackUp(by)) => format!("back-up {}", card(by)),
        ChangeReason::Cause(ChangeCause::Expiry) => "an effect ended".to_owned(),
        ChangeReason::Follower(follower) => format!("follower {}", card(follower)),
        ChangeReason::Rule("G82") if explained.value == -1 => {
            "a card that costs SP never costs less than 1".to_owned()
        }
        ChangeReason::Rule("G82") => "the SP that a card gives are never raised".to_owned(),
        ChangeReason::Rule(rule) => by_rule(rule).to_owned(),
        ChangeReason::Unrecorded => "not recorded".to_owned(),
    };
    let mut words = format!("{by}, {why}");
    if let Some(what) = share
        .statement
        .and_then(|statement| reader.game().command_at(statement.place))
    {
        words.push_str(": ");
        words.push_str(&what);
    }
    let playing = matches!(
        share.why,
        ChangeReason::Cause(ChangeCause::Play(_) | ChangeCause::BackUp(_))
    );
    if let Some(seen) = share.card.filter(|_| !playing) {
        let name = seen
            .model
            .map_or_else(|| "a card".to_owned(), |model| reader.model(model).to_owned());
        words.push_str(", ");
        words.push_str(&name);
    }
    if share.turn > 0 {
        words.push_str(&format!(" (turn {})", share.turn));
    }
    words
}

/// What a rule of the game does to a number, for people who do not know the rules by their ids.
fn by_rule(rule: &str) -> &'static str {
    match rule {
        "G1" => "allowed each turn",
        "G6" => "at the beginning of the turn",
        "G44" => "a turn begins",
        "G52" => "an extra turn is taken",
        "G80" => "a card that has left",
        "G137" => "for the followers of a United Attack",
        _ => "by the rules",
    }
}

/// What a number is, with whose it is: `your HP`, `BP of Wren`.
pub fn value(reader: EventReader<'_>, value: ExplainedNumber) -> String {
    let name = value.name();
    match value {
        ExplainedNumber::Turn | ExplainedNumber::UnitedCost(_) => name.to_owned(),
        ExplainedNumber::Hp(seat)
        | ExplainedNumber::Sp(seat)
        | ExplainedNumber::CharactersPlayed(seat)
        | ExplainedNumber::CharactersPerTurn(seat)
        | ExplainedNumber::Backups(seat)
        | ExplainedNumber::ExtraTurns(seat) => format!("{} {name}", reader.players(seat)),
        ExplainedNumber::Cards(seat, pile) => match pile {
            PileName::Hand | PileName::Deck | PileName::Discards | PileName::Removed => {
                format!("cards in {} {}", reader.players(seat), pile.word())
            }
        },
        ExplainedNumber::Bp(card) | ExplainedNumber::Cost(card) | ExplainedNumber::Attack(card) => {
            format!("{name} of {}", reader.card(card))
        }
    }
}
