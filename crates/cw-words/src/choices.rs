use cw_duel::{CardId, Choice, Decision, Question, Seat};
use cw_program::{Auto, CardType, PileName, RuleAction, RuleCost, TargetKind, TargetType};

use crate::EventReader;
use crate::names::with_article;

/// A choice in words. Within one decision no two choices have the same words; a record of a duel
/// keeps these words.
pub fn choice(reader: EventReader<'_>, decision: &Decision, choice: Choice) -> String {
    let named = |verb: &str, card: CardId| format!("{verb} {} #{}", reader.card(card), card.0);
    match choice {
        Choice::Pass => match decision.question {
            Question::Main => "end the Main phase".into(),
            Question::Attack => "end the Attack phase".into(),
            _ => "pass".into(),
        },
        Choice::Play(card) => named("play", card),
        Choice::BackUp(card) => named("back up with", card),
        Choice::Activate(card) => named("activate", card),
        Choice::Attack(card) => named("attack with", card),
        Choice::Join(card) => named("join with", card),
        Choice::CancelAttack(card) => named("cancel the attack of", card),
        Choice::Block(card) => named("counter with", card),
        Choice::CancelBlock(card) => named("cancel the counter of", card),
        Choice::Slot(slot) => format!("slot {}", slot + 1),
        Choice::Card(card) => format!("{} #{}", reader.card(card), card.0),
        Choice::Copy(model) => reader.model(model).to_owned(),
        Choice::Player(seat) => relative(decision.seat, seat, "yourself", "the opponent").into(),
        Choice::Zone(seat) => relative(decision.seat, seat, "your own", "the opponent's").into(),
        Choice::Type(index) => type_words(reader, decision, index),
        Choice::Action(index) => action_words(reader, decision, index),
        Choice::Yes => "yes".into(),
        Choice::No => "no".into(),
        Choice::Top => "top".into(),
        Choice::Bottom => "bottom".into(),
        Choice::Heads => "heads".into(),
        Choice::Tails => "tails".into(),
        Choice::Done => "done".into(),
        Choice::Decline => "decline".into(),
    }
}

fn relative<'a>(me: Seat, seat: Seat, mine: &'a str, theirs: &'a str) -> &'a str {
    if me == seat { mine } else { theirs }
}

/// The alternative of a `,` list as the author would call it (R401).
fn type_words(reader: EventReader<'_>, decision: &Decision, index: u8) -> String {
    let fallback = || format!("alternative {}", index + 1);
    let Some(place) = decision.place else {
        return fallback();
    };
    let Some(target) = reader.game().target_at(place, usize::from(index)) else {
        return fallback();
    };
    let (TargetKind::Either(items) | TargetKind::Each(items)) = &target.kind else {
        return fallback();
    };
    let Some(item) = items.get(usize::from(index)) else {
        return fallback();
    };
    match item.what {
        TargetType::Player => "a player".into(),
        TargetType::Me => "yourself".into(),
        TargetType::Opp => "the opponent".into(),
        TargetType::This => "this card".into(),
        TargetType::Card(test) => match (test.card_type, test.subtype, test.name) {
            (Some(card_type), ..) => with_article(card_type),
            (None, Some(subtype), _) => {
                let name = reader.game().subtypes.get(usize::from(subtype.0));
                name.map_or_else(fallback, with_article)
            }
            (None, None, Some(_)) => fallback(),
            (None, None, None) => "a card".into(),
        },
    }
}

fn action_words(reader: EventReader<'_>, decision: &Decision, index: u8) -> String {
    let program = decision
        .place
        .and_then(|place| reader.game().model(place.model).program.as_ref());
    let actions = program.map_or(&[][..], |program| &program.rule.actions[..]);
    let label = actions
        .get(usize::from(index))
        .map(|action| &*action.label)
        .filter(|label| !label.is_empty());
    let Some(label) = label else {
        return format!("action {}", index + 1);
    };
    // Labels may repeat; then the number keeps the words apart.
    match actions.iter().filter(|action| *action.label == *label).count() {
        0 | 1 => label.to_owned(),
        _ => format!("{label} ({})", index + 1),
    }
}

/// The question of a decision in words.
pub fn question(reader: EventReader<'_>, decision: &Decision) -> String {
    let name = |card: CardId| reader.card(card);
    let source = decision
        .source
        .map_or_else(String::new, |card| format!("{}: ", reader.card(card)));
    match decision.question {
        Question::Main => "Main phase. What do you do?".into(),
        Question::Attack => "Attack phase. Who attacks?".into(),
        Question::CounterAttack => "Counter-attack phase. How do you answer?".into(),
        Question::SlotFor(card) => format!("Which slot do you put {} in?", name(card)),
        Question::BackUpWhom(card) => format!("Which character does {} back up?", name(card)),
        Question::JoinWhom(card) => format!("Whose attack does {} join?", name(card)),
        Question::BlockWhom(card) => format!("Which attacker does {} counter?", name(card)),
        Question::Target {
            chosen,
            min,
            max,
            pile,
        } => {
            let place = pile.map_or_else(String::new, |(seat, pile)| {
                format!(" from {} {}", reader.players(seat), pile_words(pile))
            });
            format!("{source}choose a target{place}{}.", progress(chosen, min, max))
        }
        Question::DiscardCost { chosen, min, max } => {
            format!(
                "{source}choose a {} from your hand to discard as cost{}.",
                kind_to_discard(reader, decision),
                progress(chosen, min, max)
            )
        }
        Question::SacrificeCost { chosen, min, max } => {
            format!(
                "{source}choose a character from your ring to sacrifice{}.",
                progress(chosen, min, max)
            )
        }
        Question::Discard {
            hand,
            chosen,
            min,
            max,
        } => {
            let whose = reader.players(hand);
            format!(
                "{source}choose a card from {whose} hand to discard{}.",
                progress(chosen, min, max)
            )
        }
        Question::Player => format!("{source}choose a player."),
        Question::Zone => format!("{source}whose?"),
        Question::Type => format!("{source}what do you choose?"),
        Question::WhichAction => format!("{source}which effect?"),
        Question::May(index) => {
            let asked = decision
                .place
                .and_then(|place| reader.game().question_at(place, index));
            format!("{source}{}", asked.unwrap_or("do you want to use the effect?"))
        }
        Question::Optional => {
            let what = decision.place.and_then(|place| reader.game().command_at(place));
            match what {
                Some(what) => format!("{source}{what}?"),
                None => format!("{source}do you want to?"),
            }
        }
        Question::TopOrBottom => format!("{source}to the top or to the bottom?"),
        Question::Prophecy { chosen, of } => {
            format!(
                "{source}which card do you put back next? ({} of {of})",
                chosen + 1
            )
        }
        Question::Coin => format!("{source}heads or tails?"),
        Question::MoveToSlot(card) => format!("{source}which slot does {} move to?", name(card)),
    }
}

/// What kind of card the costs of the rule that asks want discarded: if all want the same, its name.
fn kind_to_discard(reader: EventReader<'_>, decision: &Decision) -> &'static str {
    let program = decision
        .place
        .and_then(|place| reader.game().model(place.model).program.as_ref());
    let rule = program.map(|program| &program.rule);
    let costs = rule.into_iter().flat_map(|rule| {
        let actions = rule.actions.iter().flat_map(RuleAction::costs);
        actions.chain(rule.autos.iter().flat_map(Auto::costs))
    });
    let mut kinds = costs.filter_map(|cost| match cost {
        RuleCost::Discard(target) => Some(match &target.kind {
            TargetKind::Either(items) => match &items[..] {
                [item] if !item.negated => match item.what {
                    TargetType::Card(test) => test.card_type,
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }),
        _ => None,
    });
    let first = kinds.next().flatten();
    match first.filter(|kind| kinds.all(|other| other == Some(*kind))) {
        Some(CardType::Character) => "character",
        Some(CardType::Action) => "action card",
        Some(CardType::Reaction) => "reaction card",
        None => "card",
    }
}

fn progress(chosen: u8, min: u8, max: u8) -> String {
    match (min, max) {
        (1, 1) => String::new(),
        (0, 1) if chosen == 0 => " (or none)".to_owned(),
        _ if min == max => format!(" ({} of {max})", chosen + 1),
        _ => format!(" ({chosen} so far, {min} to {max})"),
    }
}

pub(crate) fn pile_words(pile: PileName) -> &'static str {
    match pile {
        PileName::Hand => "hand",
        PileName::Deck => "deck",
        PileName::Discards => "discard pile",
        PileName::Removed => "removed pile",
    }
}
