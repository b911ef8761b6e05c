//! What an option would do, found out on a guess at what the seat cannot see: never on the duel
//! itself, and no further than to the first thing that the guess made up.

use cw_duel::{CardId, Choice, Duel, Event, Outcome, Seat, ZoneKind};
use cw_program::PileName;
use cw_words::Reader;

/// Decisions that are passed on the way to the end of a fight.
const STEPS: usize = 12;

/// What came of trying an option.
#[derive(Debug, Default)]
struct Outlook {
    /// HP lost by the seat and by the opponent; gains are negative.
    lost: [i32; 2],
    /// SP of the seat, gained or paid.
    sp: i32,
    knocked_out: Vec<CardId>,
    /// Whether the duel would end, and who would win it.
    won: Option<bool>,
    /// Something came up that only the real duel knows.
    unknown: bool,
}

/// The option's consequence in words; `None` if there is none worth saying.
pub(crate) fn consequence(reader: Reader<'_>, guess: &Duel, seat: Seat, choice: Choice) -> Option<String> {
    let fights = matches!(
        choice,
        Choice::Attack(_) | Choice::Join(_) | Choice::Block(_) | Choice::Pass
    );
    let acts = matches!(
        choice,
        Choice::Play(_) | Choice::Activate(_) | Choice::BackUp(_) | Choice::Card(_)
    );
    if !fights && !acts {
        return None;
    }
    let outlook = look(guess, seat, choice, fights);
    let mut said = Vec::new();
    match outlook.won {
        Some(true) => said.push("you win".to_owned()),
        Some(false) => said.push("you lose".to_owned()),
        None => {}
    }
    let names: Vec<String> = outlook
        .knocked_out
        .iter()
        .map(|card| reader.card(*card))
        .collect();
    match &names[..] {
        [] => {}
        [one] => said.push(format!("{one} is KOed")),
        [one, two] => said.push(format!("{one} and {two} are KOed")),
        many => said.push(format!("{} are KOed", many.len())),
    }
    let [mine, theirs] = outlook.lost;
    if theirs > 0 {
        said.push(format!("{theirs} to the opponent"));
    }
    if mine > 0 {
        said.push(format!("{mine} to you"));
    }
    if outlook.sp != 0 && !matches!(choice, Choice::Play(_)) {
        said.push(format!("{} SP", cw_words::signed(outlook.sp)));
    }
    if said.is_empty() {
        return None;
    }
    let attack = matches!(choice, Choice::Attack(_) | Choice::Join(_));
    let doubt = if outlook.unknown { ", then ?" } else { "" };
    let unless = if attack { " unless countered" } else { "" };
    Some(format!("{}{unless}{doubt}", said.join(", ")))
}

fn look(guess: &Duel, seat: Seat, choice: Choice, to_the_end_of_the_fight: bool) -> Outlook {
    let mut duel = guess.clone();
    let mut outlook = Outlook::default();
    let turn = duel.turn();
    let mut next = choice;
    for _ in 0..STEPS {
        let mut events: Vec<Event> = Vec::new();
        if duel.answer(next, &mut events).is_err() {
            break;
        }
        for event in &events {
            outlook.note(guess, seat, event);
            // What happens after the fight is another story.
            if outlook.unknown || matches!(event, Event::TurnBegan { .. }) {
                return outlook;
            }
        }
        let passes = duel
            .pending()
            .filter(|decision| decision.options.contains(&Choice::Pass));
        if !to_the_end_of_the_fight || passes.is_none() || duel.turn() != turn {
            break;
        }
        next = Choice::Pass;
    }
    outlook
}

impl Outlook {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a preview tells of few kinds of events"
    )]
    fn note(&mut self, guess: &Duel, seat: Seat, event: &Event) {
        match *event {
            Event::Hp {
                seat: whose,
                from,
                to,
                ..
            } => self.lost[usize::from(whose != seat)] += from - to,
            Event::Sp {
                seat: whose,
                from,
                to,
                ..
            } if whose == seat => self.sp += to - from,
            Event::Ended {
                outcome: Outcome::Won { winner, .. },
            } => self.won = Some(winner == seat),
            Event::KnockedOut { card } => self.knocked_out.push(card),
            Event::Moved { card, from, .. } => {
                let from_deck = from.zone == ZoneKind::Pile(PileName::Deck);
                self.unknown |= from_deck || guess.known_model(seat, card.card).is_none();
            }
            Event::Shown { card } | Event::Played { card, .. } => {
                self.unknown |= guess.known_model(seat, card.card).is_none();
            }
            Event::Rolled { .. } | Event::Looked { .. } => self.unknown = true,
            _ => {}
        }
    }
}

/// Why the seat cannot use one of its cards now, in a sentence; found out on a guess, so that it
/// says nothing about what is hidden.
pub(crate) fn why_not(guess: &Duel, name: &str, choices: &[Choice]) -> Option<String> {
    let refusals = choices.iter().map(|choice| guess.why_not(*choice, None));
    let refusals: Option<Vec<_>> = refusals.collect();
    // A refusal that speaks of the card itself says more than one that speaks of the moment.
    let refusal = refusals?.into_iter().next()?;
    Some(format!("{name} {}.", refusal.why))
}
