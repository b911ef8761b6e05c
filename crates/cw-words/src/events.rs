use cw_duel::{
    CardId, ChangeCause, CostChange, Duel, DuelEvent, DuelOutcome, Seat, SeatSet, Seen, Subject, WinReason,
    ZoneKind, ZoneLocation,
};
use cw_program::{ClosedWord as _, ModelId, PileName, RuleFlag};

use crate::EventReader;
use crate::choices::pile_words;
use crate::names::{keyword as meaning, rule, signed, with_article};

/// What happened on the way to one answer, as sentences; each with the place of its event. What is
/// the same for the reader several times in a row is said once, with how often.
pub fn story(reader: EventReader<'_>, events: &[DuelEvent]) -> Vec<(usize, String)> {
    let mut told: Vec<(usize, String)> = Vec::new();
    // The last sentence as it is of one event, and of how many it is said.
    let (mut once, mut times) = (String::new(), 1);
    let twins = twins(reader, events);
    let mut shown: Vec<Seen> = Vec::new();
    for (at, one) in events.iter().enumerate() {
        if let DuelEvent::Shown { card } = *one {
            // A pile is shown to one player and then to the other, or for every card that is asked for.
            if shown.contains(&card) {
                continue;
            }
            shown.push(card);
        }
        if let DuelEvent::Moved { card, from, to, .. } = *one {
            let told = shown.len();
            shown.retain(|seen| seen.card != card.card);
            // What was shown from a pile and stays in it has gone nowhere.
            if from == to && shown.len() < told {
                continue;
            }
        }
        let Some(words) = sentence(reader, one, &events[at + 1..], &twins) else {
            continue;
        };
        match told.last_mut() {
            Some((_, last)) if once == words => {
                times += 1;
                *last = several(reader, one, times)
                    .unwrap_or_else(|| format!("{} ({times}×).", words.trim_end_matches('.')));
            }
            _ => {
                told.push((at, words.clone()));
                (once, times) = (words, 1);
            }
        }
    }
    told
}

/// The same about several cards that the reader does not know.
fn several(reader: EventReader<'_>, event: &DuelEvent, times: usize) -> Option<String> {
    let many = |card: Seen| knows(reader, card).is_none().then(|| format!("{times} cards"));
    match *event {
        DuelEvent::Moved { card, from, to, .. } => moved(reader, &many(card)?, from, to, true),
        DuelEvent::Shown { card } => looks(reader, card.to, &many(card)?),
        _ => None,
    }
}

/// An event as a sentence; `None` for what people do not want to read. Cards are called what they
/// were when it happened, by those who knew it then.
pub fn event(reader: EventReader<'_>, event: &DuelEvent) -> Option<String> {
    sentence(reader, event, &[], &[])
}

/// An event as a sentence, with what happened after it on the way to `reader.duel`.
fn sentence(
    reader: EventReader<'_>,
    event: &DuelEvent,
    later: &[DuelEvent],
    twins: &[ModelId],
) -> Option<String> {
    told(reader, event, later, twins).map(|words| capital(&words))
}

/// Where a card lay when it was shown, by what happened after that on the way to `duel`; `None` if the duel
/// has no such card. For cards only that the reader of it knows.
pub fn place_when_shown(duel: &Duel, later: &[DuelEvent], card: CardId) -> Option<ZoneLocation> {
    let moved = later.iter().find_map(|event| match *event {
        DuelEvent::Moved {
            card: other, from, ..
        } if other.card == card => Some(from),
        _ => None,
    });
    moved.or_else(|| duel.zone_of(card))
}

/// Cards that both players have in these events of a fight: only their name does not say whose is meant.
fn twins(reader: EventReader<'_>, events: &[DuelEvent]) -> Vec<ModelId> {
    let mut seen: [Vec<ModelId>; 2] = [Vec::new(), Vec::new()];
    for event in events {
        let fighters = match *event {
            DuelEvent::AttackDeclared { card }
            | DuelEvent::Joined { card, .. }
            | DuelEvent::Bp { card, .. }
            | DuelEvent::KnockedOut { card } => [Some(card), None],
            DuelEvent::BlockDeclared { card, attacker } => [Some(card), Some(attacker)],
            DuelEvent::Fought {
                attacker, blocker, ..
            } => [Some(attacker), blocker],
            _ => [None, None],
        };
        for fighter in fighters.into_iter().flatten() {
            if let (Some(place), Some(model)) = (reader.duel.zone_of(fighter.card), knows(reader, fighter)) {
                seen[place.seat.index()].push(model);
            }
        }
    }
    let [one, two] = seen;
    one.into_iter().filter(|model| two.contains(model)).collect()
}

fn told(
    reader: EventReader<'_>,
    event: &DuelEvent,
    later: &[DuelEvent],
    twins: &[ModelId],
) -> Option<String> {
    let whose = |card: Seen| {
        let seat = reader.duel.zone_of(card.card)?.seat;
        let twin = knows(reader, card).is_some_and(|model| twins.contains(&model));
        twin.then(|| reader.owner(seat))
    };
    // Where a card goes, and who plays it, is said with it anyhow.
    let says_it = matches!(
        event,
        DuelEvent::Moved { .. } | DuelEvent::Played { .. } | DuelEvent::Shown { .. }
    );
    let card = |card: Seen| match whose(card).filter(|_| !says_it) {
        Some(whose) => format!("{} ({whose})", reader.seen(card)),
        None => reader.seen(card),
    };
    let words = match *event {
        DuelEvent::Began { first } => format!(
            "{} {} first.",
            reader.player(first),
            verb(reader, first, "go", "goes")
        ),
        DuelEvent::TurnBegan { turn, seat } => format!("── Turn {turn}: {} ──", reader.player(seat)),
        DuelEvent::PhaseBegan { .. }
        | DuelEvent::Passed { .. }
        | DuelEvent::Step { .. }
        | DuelEvent::PlayLimit { .. } => {
            return None;
        }
        DuelEvent::PhaseSkipped { phase } => format!("The {phase} phase is skipped."),
        DuelEvent::Moved {
            card: what, from, to, ..
        } => moved(reader, &card(what), from, to, false)?,
        DuelEvent::Played {
            card: what,
            seat,
            slot,
        } => {
            let who = reader.player(seat);
            let plays = verb(reader, seat, "play", "plays");
            match slot {
                Some(slot) => format!("{who} {plays} {} in slot {}.", card(what), slot + 1),
                None => format!("{who} {plays} {}.", card(what)),
            }
        }
        DuelEvent::Activated { card: source, .. } => format!("{} acts.", card(source)),
        // What hit and found nothing more to do has not come to nothing.
        DuelEvent::Unresolved { worked: true, .. } => return None,
        DuelEvent::Unresolved {
            card: source,
            worked: false,
        } => format!("{} has no effect.", card(source)),
        DuelEvent::Triggered { card: source, .. } => format!("{} is triggered.", card(source)),
        DuelEvent::NotFresh { card: who } => format!("{} is not fresh: it can attack at once.", card(who)),
        DuelEvent::BackedUp { card: backup, host } => format!("{} backs up {}.", card(backup), card(host)),
        DuelEvent::AttackDeclared { card: who } => format!("{} attacks.", card(who)),
        DuelEvent::Joined { card: who, lead } => format!("{} joins the attack of {}.", card(who), card(lead)),
        DuelEvent::AttackCancelled { card: who, by } => match by.map(|by| by.source) {
            Some(source) if source.card == who.card => {
                format!("{} stops attacking because of its own effect.", card(who))
            }
            // What stops an attack is named: it may be a card that nobody watched.
            Some(source) => format!("{} ended the attack of {}.", card(source), card(who)),
            None => format!("{} no longer attacks.", card(who)),
        },
        DuelEvent::BlockDeclared { card: who, attacker } => {
            format!("{} counters {}.", card(who), card(attacker))
        }
        DuelEvent::BlockCancelled { card: who } => format!("{} no longer counters.", card(who)),
        DuelEvent::Fought {
            attacker,
            blocker: Some(blocker),
            damage,
        } => {
            format!("{} strikes {} for {damage}.", card(attacker), card(blocker))
        }
        DuelEvent::Fought {
            attacker,
            blocker: None,
            damage,
        } => format!("{} strikes for {damage}.", card(attacker)),
        DuelEvent::Hp {
            seat,
            from,
            to,
            cause,
            ..
        } => {
            format!(
                "{} HP: {from} → {to} ({}{}).",
                reader.players(seat),
                signed(to - from),
                because(cause, card)
            )
        }
        DuelEvent::Sp {
            seat,
            from,
            to,
            cause,
            ..
        } => {
            format!(
                "{} SP: {from} → {to} ({}{}).",
                reader.players(seat),
                signed(to - from),
                because(cause, card)
            )
        }
        DuelEvent::Bp {
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
                because(cause, card)
            )
        }
        DuelEvent::Frozen {
            card: who,
            frozen: true,
        } => format!("{} freezes.", card(who)),
        DuelEvent::Frozen {
            card: who,
            frozen: false,
        } => format!("{} unfreezes.", card(who)),
        DuelEvent::KnockedOut { card: who } => format!("{} is KOed.", card(who)),
        DuelEvent::Shuffled { seat, pile } => {
            format!("{} {} is shuffled.", reader.players(seat), pile_words(pile))
        }
        DuelEvent::Shown { card: shown } => match knows(reader, shown) {
            Some(_) => showing(reader, shown, place_when_shown(reader.duel, later, shown.card)),
            None => looks(reader, shown.to, "a card")?,
        },
        DuelEvent::Rolled {
            outcome, coin: true, ..
        } => {
            format!("The coin shows {}.", if outcome == 0 { "heads" } else { "tails" })
        }
        DuelEvent::Rolled { .. } => return None,
        DuelEvent::Keyword {
            subject,
            keyword,
            gained,
            ..
        } => {
            let who = match subject {
                Subject::Card(who) => card(who),
                Subject::Player(seat) => reader.player(seat).to_owned(),
            };
            let since = if gained { "from now on" } else { "no longer" };
            format!("{who}, {since}: {}.", meaning(keyword))
        }
        DuelEvent::Ability {
            card: who,
            of: Some(model),
        } => format!("{} has the ability of {}.", card(who), reader.model(model)),
        DuelEvent::Ability { card: who, of: None } => format!("{} loses its ability.", card(who)),
        DuelEvent::Transformed { card: who, into } => {
            knows(reader, into)?;
            format!("{} becomes {}.", card(who), card(into))
        }
        DuelEvent::Rule {
            flag,
            value: Some(value),
            source,
        } => {
            let source = card(source);
            match (flag, value) {
                (RuleFlag::PlayCharBpLimit, value) => {
                    format!(
                        "{source} sets a rule: characters with {value} BP or more, \
                         as printed, cannot be played."
                    )
                }
                (flag, 0) => format!("{source} lifts a rule: {}.", rule(flag)),
                (flag, _) => format!("{source} sets a rule: {}.", rule(flag)),
            }
        }
        DuelEvent::Rule {
            flag, value: None, ..
        } => format!("A rule change ends: {}.", rule(flag)),
        DuelEvent::Cost {
            kind,
            source,
            made: true,
            how,
            ..
        } => {
            let costs = match how {
                CostChange::Set(sp @ ..=0) => format!("costs {} SP", sp.saturating_neg()),
                CostChange::Set(sp) => format!("gives {sp} SP"),
                CostChange::Add(sp @ ..0) => format!("costs {} SP more", sp.saturating_neg()),
                CostChange::Add(sp) => format!("costs {sp} SP less"),
            };
            format!("{}: {} {costs}.", card(source), kind.meaning())
        }
        DuelEvent::Cost {
            kind, made: false, ..
        } => format!("The cost change for {} ends.", kind.meaning()),
        // It is the other player who counters in it.
        DuelEvent::WillSkip {
            seat,
            phase: cw_duel::Phase::CounterAttack,
        } => format!(
            "{} next Counter-attack phase is skipped: {} attacks in that turn cannot be countered.",
            capital(reader.players(seat)),
            reader.players(seat)
        ),
        DuelEvent::WillSkip { seat, phase } => {
            format!("{} will skip {} phase.", reader.player(seat), with_article(phase))
        }
        DuelEvent::ExtraTurns { seat, turns, .. } => {
            let takes = verb(reader, seat, "take", "takes");
            let noun = if turns == 1 { "turn" } else { "turns" };
            format!("{} {takes} {turns} more {noun}.", reader.player(seat))
        }
        DuelEvent::SlotChanged { card: who, slot } => format!("{} moves to slot {}.", card(who), slot + 1),
        DuelEvent::Looked { seat, deck, cards } => {
            let looks = verb(reader, seat, "look", "looks");
            format!(
                "{} {looks} at the top {cards} of {} deck.",
                reader.player(seat),
                reader.players(deck)
            )
        }
        DuelEvent::PileView { .. } => return None,
        DuelEvent::Failed { source, .. } => format!(
            "Part of the rule of {} cannot be worked out and is skipped.",
            card(source)
        ),
        DuelEvent::Guarded { source, place } => {
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
            format!("The loop guard ends {what}{place}.")
        }
        DuelEvent::Ended {
            outcome: DuelOutcome::Drawn,
        } => "The duel is a draw.".to_owned(),
        DuelEvent::Ended {
            outcome: DuelOutcome::Won { winner, reason },
        } => {
            let loser = winner.other();
            let why = match reason {
                WinReason::Hp => format!("{} HP is 0", reader.players(loser)),
                WinReason::DeckOut => format!("{} deck is empty", reader.players(loser)),
                WinReason::Forfeit => format!(
                    "{} {} up",
                    reader.player(loser).to_lowercase(),
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

fn verb<'a>(reader: EventReader<'_>, seat: Seat, you: &'a str, they: &'a str) -> &'a str {
    if reader.seat == Some(seat) { you } else { they }
}

/// With a capital letter at the beginning.
fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn because(cause: ChangeCause, card: impl Fn(Seen) -> String) -> String {
    match cause {
        ChangeCause::Combat(by) | ChangeCause::Effect(by) | ChangeCause::BackUp(by) => {
            format!(", {}", card(by))
        }
        ChangeCause::Piercing(by) => format!(", piercing by {}", card(by)),
        ChangeCause::Play(by) => format!(", for {}", card(by)),
        ChangeCause::UnitedAttack => ", for the United Attack".to_owned(),
        ChangeCause::Expiry => ", an effect ends".to_owned(),
    }
}

/// What the card was, as far as the reader knew.
fn knows(reader: EventReader<'_>, card: Seen) -> Option<ModelId> {
    match reader.seat {
        None => Some(card.true_model()),
        Some(seat) => card.model(seat),
    }
}

/// A known card is shown: a hand is shown by its player, of a deck it is said whose.
fn showing(reader: EventReader<'_>, shown: Seen, from: Option<ZoneLocation>) -> String {
    let card = reader.seen(shown);
    match from.map(|from| (from.seat, from.zone)) {
        Some((seat, ZoneKind::Pile(PileName::Hand))) if shown.to.contains(seat.other()) => {
            format!(
                "{} {} {card}.",
                reader.player(seat),
                verb(reader, seat, "show", "shows")
            )
        }
        Some((seat, ZoneKind::Pile(PileName::Deck))) => {
            format!("{card} is shown from {} deck.", reader.players(seat))
        }
        _ => format!("{card} is shown."),
    }
}

/// Somebody sees what the reader does not.
fn looks(reader: EventReader<'_>, to: SeatSet, what: &str) -> Option<String> {
    let seat = Seat::BOTH.into_iter().find(|seat| to.contains(*seat))?;
    let looks = verb(reader, seat, "look", "looks");
    Some(format!("{} {looks} at {what}.", reader.player(seat)))
}

fn moved(
    reader: EventReader<'_>,
    card: &str,
    from: ZoneLocation,
    to: ZoneLocation,
    many: bool,
) -> Option<String> {
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
    let goes = if many { "go" } else { "goes" };
    Some(format!(
        "{card} {goes} to {} {}.",
        reader.players(to.seat),
        pile_words(pile)
    ))
}
