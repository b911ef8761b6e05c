use cw_duel::{Cause, Event, Location, Outcome, Reason, Seat, Seen, ZoneKind};
use cw_program::PileName;

use crate::Reader;
use crate::choices::pile_words;
use crate::names::signed;

/// An event as a sentence; `None` for what people do not want to read.
pub fn event(reader: Reader<'_>, event: &Event) -> Option<String> {
    let card = |card| reader.card(card);
    let seen = |seen: Seen| match reader.seat {
        None => reader.model(seen.true_model()).to_owned(),
        Some(seat) => seen
            .model(seat)
            .map_or_else(|| "a card".to_owned(), |model| reader.model(model).to_owned()),
    };
    let words = match *event {
        Event::Began { first } => format!(
            "{} {} first.",
            reader.player(first),
            verb(reader, first, "go", "goes")
        ),
        Event::TurnBegan { turn, seat } => format!("── Turn {turn}: {} ──", reader.player(seat)),
        Event::PhaseBegan { .. } | Event::Passed { .. } | Event::Step { .. } | Event::PlayLimit { .. } => {
            return None;
        }
        Event::PhaseSkipped { phase } => format!("The {phase} phase is skipped."),
        Event::Moved { card, from, to, .. } => moved(reader, &seen(card), from, to)?,
        Event::Played { card, seat, slot } => {
            let who = reader.player(seat);
            let plays = verb(reader, seat, "play", "plays");
            match slot {
                Some(slot) => format!("{who} {plays} {} in slot {}.", seen(card), slot + 1),
                None => format!("{who} {plays} {}.", seen(card)),
            }
        }
        Event::Activated { card: source, .. } => format!("{} acts.", card(source)),
        Event::Unresolved { card: source } => format!("{} comes to nothing.", card(source)),
        Event::Triggered { card: source, .. } => format!("{} is triggered.", card(source)),
        Event::BackedUp { card: backup, host } => format!("{} backs up {}.", card(backup), card(host)),
        Event::AttackDeclared { card: who } => format!("{} attacks.", card(who)),
        Event::Joined { card: who, lead } => format!("{} joins the attack of {}.", card(who), card(lead)),
        Event::AttackCancelled { card: who } => format!("{} does not attack any more.", card(who)),
        Event::BlockDeclared { card: who, attacker } => format!("{} counters {}.", card(who), card(attacker)),
        Event::BlockCancelled { card: who } => format!("{} does not counter any more.", card(who)),
        Event::Fought {
            attacker,
            blocker: Some(blocker),
            damage,
        } => {
            format!("{} strikes {} for {damage}.", card(attacker), card(blocker))
        }
        Event::Fought {
            attacker,
            blocker: None,
            damage,
        } => format!("{} strikes for {damage}.", card(attacker)),
        Event::Hp {
            seat,
            from,
            to,
            cause,
            ..
        } => {
            format!(
                "{} HP: {from} → {to} ({}{}).",
                whose(reader, seat),
                signed(to - from),
                because(reader, cause)
            )
        }
        Event::Sp {
            seat,
            from,
            to,
            cause,
            ..
        } => {
            format!(
                "{} SP: {from} → {to} ({}{}).",
                whose(reader, seat),
                signed(to - from),
                because(reader, cause)
            )
        }
        Event::Bp {
            card: who,
            from,
            to,
            cause,
            ..
        } => {
            format!(
                "{}: {from} → {to} BP ({}{}).",
                card(who),
                signed(to - from),
                because(reader, cause)
            )
        }
        Event::Frozen {
            card: who,
            frozen: true,
        } => format!("{} freezes.", card(who)),
        Event::Frozen {
            card: who,
            frozen: false,
        } => format!("{} unfreezes.", card(who)),
        Event::KnockedOut { card: who } => format!("{} is KOed.", card(who)),
        Event::Shuffled { seat, pile } => {
            format!("{} {} is shuffled.", whose(reader, seat), pile_words(pile))
        }
        Event::Shown { card: shown } => format!("{} is shown.", seen(shown)),
        Event::Rolled {
            outcome, coin: true, ..
        } => {
            format!("The coin shows {}.", if outcome == 0 { "heads" } else { "tails" })
        }
        Event::Rolled { .. } => return None,
        Event::Keyword {
            subject,
            keyword,
            gained,
            ..
        } => {
            let who = match (subject.as_card(), subject.as_player()) {
                (Some(who), _) => card(who),
                (None, Some(seat)) => reader.player(seat).to_owned(),
                (None, None) => return None,
            };
            format!(
                "{who} {} “{keyword}”.",
                if gained { "has" } else { "no longer has" }
            )
        }
        Event::Ability {
            card: who,
            of: Some(model),
        } => format!("{} has the ability of {}.", card(who), reader.model(model)),
        Event::Ability { card: who, of: None } => format!("{} loses its ability.", card(who)),
        Event::Transformed { card: _, into } => format!("A card becomes {}.", reader.model(into)),
        Event::Rule {
            flag,
            value: Some(value),
            source,
        } => format!("{}: rule {flag} is {value} now.", card(source)),
        Event::Rule {
            flag, value: None, ..
        } => format!("The change of rule {flag} ends."),
        Event::Cost {
            kind,
            source,
            made: true,
            ..
        } => format!("{} changes the cost of {kind}.", card(source)),
        Event::Cost {
            kind, made: false, ..
        } => format!("The change of the cost of {kind} ends."),
        Event::WillSkip { seat, phase } => format!("{} will skip a {phase} phase.", reader.player(seat)),
        Event::ExtraTurns { seat, turns, .. } => format!("{}: {turns} more turns.", reader.player(seat)),
        Event::SlotChanged { card: who, slot } => format!("{} moves to slot {}.", card(who), slot + 1),
        Event::Looked { seat, deck, cards } => {
            let looks = verb(reader, seat, "look", "looks");
            format!(
                "{} {looks} at the top {cards} of {} deck.",
                reader.player(seat),
                reader.players(deck)
            )
        }
        Event::PileView { .. } => return None,
        Event::Failed { source, .. } => format!(
            "An expression of {} could not be evaluated (RS038).",
            card(source)
        ),
        Event::Guarded { source, place } => {
            let what = source.map_or_else(
                || "the unit".to_owned(),
                |source| format!("what {} began", card(source)),
            );
            let place = place.map_or_else(String::new, |place| {
                let model = reader.game().model(place.model);
                let program = model.program.as_ref();
                match program.and_then(|program| program.statement_at(place.step)) {
                    Some(statement) => format!(", at “{statement}” of {}", model.name),
                    None => format!(", at step {} of {}", place.step, model.name),
                }
            });
            format!("The loop guard ends {what} (D13, D14){place}.")
        }
        Event::Ended {
            outcome: Outcome::Drawn,
        } => "The duel is a draw.".to_owned(),
        Event::Ended {
            outcome: Outcome::Won { winner, reason },
        } => {
            let loser = winner.other();
            let why = match reason {
                Reason::Hp => format!("{} HP is 0", whose(reader, loser)),
                Reason::DeckOut => format!("{} deck is empty", whose(reader, loser)),
                Reason::Forfeit => format!(
                    "{} {} up",
                    reader.player(loser),
                    verb(reader, loser, "give", "gives")
                ),
            };
            format!(
                "{} {}: {why}.",
                reader.player(winner),
                verb(reader, winner, "win", "wins")
            )
        }
    };
    Some(words)
}

fn verb<'a>(reader: Reader<'_>, seat: Seat, you: &'a str, they: &'a str) -> &'a str {
    if reader.seat == Some(seat) { you } else { they }
}

fn whose(reader: Reader<'_>, seat: Seat) -> String {
    let words = reader.players(seat);
    let mut letters = words.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn because(reader: Reader<'_>, cause: Cause) -> String {
    match cause {
        Cause::Combat(card) | Cause::Effect(card) | Cause::BackUp(card) => format!(", {}", reader.card(card)),
        Cause::Piercing(card) => format!(", piercing by {}", reader.card(card)),
        Cause::Play(card) => format!(", for {}", reader.card(card)),
        Cause::UnitedAttack => ", for the United Attack".to_owned(),
        Cause::Expiry => ", an effect ends".to_owned(),
    }
}

fn moved(reader: Reader<'_>, card: &str, from: Location, to: Location) -> Option<String> {
    let hand = ZoneKind::Pile(PileName::Hand);
    let deck = ZoneKind::Pile(PileName::Deck);
    if from.zone == deck && to.zone == hand && from.seat == to.seat {
        let draws = verb(reader, to.seat, "draw", "draws");
        return Some(format!("{} {draws} {card}.", reader.player(to.seat)));
    }
    let ZoneKind::Pile(pile) = to.zone else {
        return None;
    };
    // A played card that is done goes without a word.
    if from.zone == ZoneKind::Table && pile == PileName::Discards {
        return None;
    }
    let mut letters = card.chars();
    let subject: String = letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect());
    Some(format!(
        "{subject} goes to {} {}.",
        reader.players(to.seat),
        pile_words(pile)
    ))
}
