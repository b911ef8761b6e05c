//! What an option would do, and why something cannot be done, in words: found out on a guess at what
//! the seat cannot see, never on the duel itself.

use std::cmp::Reverse;

use cw_duel::{
    CardId, ChangeCause, CharacterView, Choice, Decision, Duel, DuelEvent, DuelView, Question, Seat,
    StepResult,
};
use cw_players::Preview;
use cw_program::{Keyword, PileName, RuleCost, TargetQuantity};
use cw_words::EventReader;

/// The option's consequence in words; `None` if there is none worth saying. `more` are other guesses: what
/// they do not agree about is not told (D50).
pub(crate) fn consequence<'g>(
    reader: EventReader<'_>,
    guess: &Duel,
    more: impl Fn() -> &'g [Duel],
    decision: &Decision,
    seat: Seat,
    choice: Choice,
) -> Option<String> {
    if let Choice::Action(index) = choice {
        return effect(reader, guess, more, decision, seat, index);
    }
    if let Choice::BackUp(_) = choice {
        return back_up(reader, guess, seat, choice);
    }
    let fights = matches!(
        choice,
        Choice::Attack(_) | Choice::Join(_) | Choice::Block(_) | Choice::Pass
    );
    let acts = matches!(
        choice,
        Choice::Play(_)
            | Choice::Activate(_)
            | Choice::Card(_)
            | Choice::Player(_)
            | Choice::Type(_)
            | Choice::Zone(_)
            | Choice::Yes
            | Choice::Done
    );
    if !fights && !acts {
        return None;
    }
    if matches!(choice, Choice::Block(_)) && asks_whom(guess, choice) {
        return Some("you choose the target next".to_owned());
    }
    let defends = matches!(
        decision.question,
        Question::CounterAttack | Question::BlockWhom(_)
    ) && !matches!(choice, Choice::Pass);
    if defends {
        return defence(guess, more, decision, seat, choice)?.told(reader);
    }
    let outlook = surely(guess, more, |duel| cw_players::preview(duel, seat, choice));
    // What an attack costs does not hang on a counter: it stands first, and what does hang on one after it,
    // with its if.
    let (mut certain, mut said) = (Vec::new(), Vec::new());
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
    said.extend(leave(reader, &outlook, choice));
    let (mine, theirs) = (outlook.lost, outlook.dealt);
    // What one attack more adds to is told as the sum that it is.
    let more =
        matches!(choice, Choice::Attack(_) | Choice::Join(_)) && attacks_already(&guess.view(seat), seat);
    // Who wins needs no sum.
    if theirs > 0 && outlook.won != Some(true) {
        said.push(match more {
            true => format!("{theirs} in all"),
            false => format!("{theirs} to the opponent"),
        });
    }
    if mine > 0 {
        said.push(format!("{mine} to you"));
    }
    let attack = matches!(choice, Choice::Attack(_) | Choice::Join(_));
    let strikes = attack || decision.question == Question::Attack && outlook.dealt > 0;
    let at_once = strikes && outlook.sp != 0 && outlook.sp == gained_at_once(guess, seat, choice);
    match outlook.sp {
        0 => {}
        _ if matches!(choice, Choice::Play(_)) => {}
        cost if matches!(choice, Choice::Join(_)) && cost < 0 => {
            let rest = if pierces(guess, choice) {
                ", the rest pierces"
            } else {
                ""
            };
            certain.push(format!("costs {} SP: one counter at most{rest}", -cost));
        }
        cost if cost < 0 && (attack || at_once) => certain.push(format!("costs {} SP", -cost)),
        gain if at_once => certain.push(format!("{} SP", cw_words::signed(gain))),
        sp => said.push(format!("{} SP", cw_words::signed(sp))),
    }
    if let Some(last) = said.last_mut().filter(|_| strikes) {
        last.push_str(&match cannot_be_countered(&guess.view(seat), seat, choice) {
            true => "; cannot be countered".to_owned(),
            false => unless_countered(reader, guess, decision, choice),
        });
    }
    if said.is_empty() && matches!(choice, Choice::Card(_)) && !outlook.unknown {
        said.extend(change(guess, seat, choice));
    }
    // Who pays reads what is bought.
    if said.is_empty() && is_price(decision.question) && !outlook.unknown {
        let changes = outlook.bp.iter().filter(|(_, from, to)| from != to);
        said.extend(changes.map(|(card, from, to)| format!("{} {from} → {to} BP", reader.card(*card))));
        said.truncate(2);
    }
    let parts = [certain.join(", "), said.join(", ")];
    let parts: Vec<&str> = parts
        .iter()
        .map(String::as_str)
        .filter(|part| !part.is_empty())
        .collect();
    if parts.is_empty() {
        return None;
    }
    let doubt = if outlook.unknown { ", then ?" } else { "" };
    Some(format!("{}{doubt}", parts.join("; ")))
}

/// What the previews of all guesses agree about (D50). If the first one says nothing, the others are not
/// made.
fn surely<'g>(guess: &Duel, more: impl Fn() -> &'g [Duel], preview: impl Fn(&Duel) -> Preview) -> Preview {
    let mut outlook = preview(guess);
    if outlook != Preview::default() {
        for other in more() {
            outlook.agree_with(&preview(other));
        }
    }
    outlook
}

/// Answers on the way from a counter to the end of its fight.
const STEPS: usize = 12;

/// Whether damage goes past one of the characters that could counter a United Attack after this choice.
fn pierces(guess: &Duel, choice: Choice) -> bool {
    let mut duel = guess.clone();
    let mut answer = choice;
    let counters = loop {
        if duel.answer_silently(answer).is_err() {
            return false;
        }
        let Some(asked) = duel.pending() else { return false };
        answer = match (asked.question, &asked.options[..]) {
            (Question::JoinWhom(_), [lead, ..]) => *lead,
            (Question::Attack, _) if answer != Choice::Pass => Choice::Pass,
            (Question::CounterAttack, options) => break options.to_vec(),
            _ => return false,
        };
    };
    let mut counters = counters
        .into_iter()
        .filter(|option| matches!(option, Choice::Block(_)));
    counters.any(|counter| goes_past(duel.clone(), counter))
}

/// Whether damage goes past this counter to a United Attack, if nobody does anything more.
fn goes_past(mut duel: Duel, counter: Choice) -> bool {
    let mut answer = counter;
    for _ in 0..STEPS {
        let mut events: Vec<DuelEvent> = Vec::new();
        if duel.answer(answer, &mut events).is_err() {
            return false;
        }
        for event in &events {
            match event {
                DuelEvent::Hp {
                    cause: ChangeCause::Piercing(_),
                    ..
                } => return true,
                DuelEvent::TurnBegan { .. } => return false,
                _ => {}
            }
        }
        let Some(asked) = duel.pending() else { return false };
        let lead = duel.view(asked.seat).united.first().copied();
        answer = match asked.question {
            Question::BlockWhom(_) => lead.map_or(Choice::Decline, Choice::Card),
            _ => Choice::Pass,
        };
    }
    false
}

/// What attacking with all who can deals in all if nobody counters; `None` if that is not known.
pub(crate) fn all_attack(guess: &Duel, decision: &Decision) -> Option<i32> {
    let attacks = decision.options.iter();
    let attacks: Vec<Choice> = attacks
        .filter(|option| matches!(option, Choice::Attack(_)))
        .copied()
        .collect();
    let outlook = cw_players::preview_line(guess, decision.seat, &attacks);
    (!outlook.unknown && outlook.dealt > 0).then_some(outlook.dealt)
}

/// Which characters leave the rings without being KOed, and where they go: of several that go the same way in
/// one sentence. Of the one that is chosen the button gives the name.
fn leave(reader: EventReader<'_>, outlook: &Preview, choice: Choice) -> Vec<String> {
    let ways = [
        (PileName::Hand, "returns to hand", "return to hand"),
        (PileName::Deck, "goes into the deck", "go into the deck"),
        (PileName::Discards, "is discarded", "are discarded"),
        (PileName::Removed, "is removed", "are removed"),
    ];
    let gone = |pile: PileName| {
        let left = outlook.left.iter().filter(move |(_, to)| *to == pile);
        let left = left.map(|(card, _)| *card);
        left.filter(|card| !outlook.knocked_out.contains(card))
            .collect::<Vec<CardId>>()
    };
    ways.into_iter()
        .filter_map(|(pile, goes, go)| match gone(pile)[..] {
            [] => None,
            [one] if choice.card() == Some(one) => Some(goes.to_owned()),
            [one] => Some(format!("{} {goes}", reader.card(one))),
            [one, two] => Some(format!("{} and {} {go}", reader.card(one), reader.card(two))),
            ref many => Some(format!("{} characters {go}", many.len())),
        })
        .collect()
}

/// How what an attack deals is said to depend on a counter, by who could counter it as things stand: that is
/// in the open, cards that the other may still play are not. Who it is is told where there is room for it.
fn unless_countered(reader: EventReader<'_>, guess: &Duel, decision: &Decision, choice: Choice) -> String {
    let seat = decision.seat;
    let many = |is: fn(&Choice) -> bool| decision.options.iter().filter(|option| is(option)).count();
    let attackers = many(|option| matches!(option, Choice::Attack(_)));
    let joiners = many(|option| matches!(option, Choice::Join(_)));
    let has_room = choice == Choice::Pass || attackers < 3;
    // Both outcomes take two lines of a phone.
    let has_more = attackers + joiners < 3;
    match who_counters(guess, seat, choice).as_deref() {
        Some([]) => "; nobody there can counter".to_owned(),
        Some([one]) if has_room => {
            let name = reader.card(*one);
            let bp = fighter(&guess.view(seat), *one).map_or(0, |one| one.bp);
            let then = has_more.then(|| if_countered(reader, guess, seat, choice, *one));
            match then.flatten() {
                Some(then) => format!(" if not countered; {then}"),
                None => format!(" if not countered by {name} ({bp})"),
            }
        }
        _ => " if not countered".to_owned(),
    }
}

/// The SP that the seat gains by declaring an attack, before anybody can counter it.
fn gained_at_once(guess: &Duel, seat: Seat, choice: Choice) -> i32 {
    let mut duel = guess.clone();
    let sp = |duel: &Duel| duel.view(seat).players[seat].sp;
    let before = sp(&duel);
    duel.answer_silently(choice).map_or(0, |()| sp(&duel) - before)
}

/// What comes of the attack if this character counters and nobody does anything more: who falls, and what
/// pierces. `None` if that is not known, or if it is not plain whom the character would counter.
fn if_countered(
    reader: EventReader<'_>,
    guess: &Duel,
    seat: Seat,
    choice: Choice,
    counter: CardId,
) -> Option<String> {
    let mut line = vec![choice];
    line.extend((choice != Choice::Pass).then_some(Choice::Pass));
    line.push(Choice::Block(counter));
    let mut duel = guess.clone();
    for choice in &line {
        duel.answer_silently(*choice).ok()?;
    }
    let whom = |decision: &Decision| matches!(decision.question, Question::BlockWhom(_));
    if duel.pending().is_some_and(whom) {
        return None;
    }
    let outlook = cw_players::preview_line(guess, seat, &line);
    if outlook.unknown {
        return None;
    }
    let bp = fighter(&guess.view(seat), counter).map_or(0, |one| one.bp);
    let (name, attacker) = (reader.card(counter), choice.card());
    if let Some(won) = outlook.won {
        let ends = if won { "you win, too" } else { "you lose" };
        return Some(format!("if {name} ({bp}) counters: {ends}"));
    }
    let falls = match outlook.knocked_out[..] {
        [] => "nobody is KOed".to_owned(),
        [one] if one == counter && attacker.is_some() => "KOs it".to_owned(),
        [one] if one == counter => "it is KOed".to_owned(),
        // The button names the attacker.
        [one] if Some(one) == attacker => "is KOed".to_owned(),
        [one] => format!("{} is KOed", reader.card(one)),
        [one, other] if one == counter || other == counter => "both are KOed".to_owned(),
        _ => return None,
    };
    let through = (outlook.dealt > 0).then(|| format!(", {} to the opponent", outlook.dealt));
    let through = through.unwrap_or_default();
    Some(format!("if {name} ({bp}) counters: {falls}{through}"))
}

/// Who of the other ring could counter if the attack began with this choice; `None` if something else is
/// asked first.
fn who_counters(guess: &Duel, seat: Seat, choice: Choice) -> Option<Vec<CardId>> {
    let mut duel = guess.clone();
    duel.answer_silently(choice).ok()?;
    if choice != Choice::Pass {
        duel.pending()
            .filter(|asked| asked.question == Question::Attack)?;
        duel.answer_silently(Choice::Pass).ok()?;
    }
    let asked = duel
        .pending()
        .filter(|asked| asked.question == Question::CounterAttack && asked.seat != seat)?;
    let counters = asked.options.iter().filter_map(|option| match option {
        Choice::Block(card) => Some(*card),
        _ => None,
    });
    Some(counters.collect())
}

/// What comes of a counter or a reaction, and what would come of letting the attack through.
struct Defence {
    outlook: Preview,
    through: Preview,
    /// Whether there are several ways to go on, of which this is the best.
    several: bool,
    /// Whether a character counters: what comes of that, it comes of in this fight.
    fights: bool,
}

impl Defence {
    /// Who falls, whose BP change to what, what is stopped and what is not; `None` if a reaction changes
    /// nothing of this fight.
    fn told(&self, reader: EventReader<'_>) -> Option<String> {
        let (outlook, through) = (&self.outlook, &self.through);
        let falls = outlook
            .knocked_out
            .iter()
            .filter(|card| !through.knocked_out.contains(card));
        let mut said: Vec<String> = falls
            .map(|card| format!("{} is KOed", reader.card(*card)))
            .collect();
        let changes = outlook
            .bp
            .iter()
            .filter(|bp| bp.1 != bp.2 && !through.bp.contains(bp) && !outlook.knocked_out.contains(&bp.0));
        said.extend(changes.map(|(card, from, to)| match to {
            // The duel may be over before it falls.
            ..=0 => format!("{} is KOed", reader.card(*card)),
            _ => format!("{} {from} → {to} BP", reader.card(*card)),
        }));
        let stops = through.lost - outlook.lost;
        if stops > 0 {
            said.push(format!("stops {stops}"));
        }
        if outlook.dealt > through.dealt {
            said.push(format!("{} to the opponent", outlook.dealt - through.dealt));
        }
        match outlook.won {
            Some(true) => said.insert(0, "you win".to_owned()),
            Some(false) if !said.is_empty() || self.fights => said.push("you still lose".to_owned()),
            None if said.is_empty() && self.fights => {
                said.push("stops nothing".to_owned());
                said.extend((outlook.lost > 0).then(|| format!("{} to you", outlook.lost)));
            }
            _ if said.is_empty() => return None,
            None if outlook.lost > 0 => {
                let to_you = format!("{} to you", outlook.lost);
                // Two numbers side by side read as a list.
                match said.last_mut().filter(|last| last.starts_with("stops ")) {
                    Some(last) => last.push_str(&format!("; {to_you}")),
                    None => said.push(to_you),
                }
            }
            _ => {}
        }
        let best = if self.several { "at best " } else { "" };
        let doubt = if outlook.unknown { ", then ?" } else { "" };
        Some(format!("{best}{}{doubt}", said.join(", ")))
    }
}

/// Ways to go on with a reaction that are tried; of one with more nothing is told.
const WAYS: usize = 24;

/// The best that can come of a counter or a reaction, if nobody does anything more: most HP kept, then fewest
/// of the seat's own characters and most of the others KOed.
fn defence<'g>(
    guess: &Duel,
    more: impl Fn() -> &'g [Duel],
    decision: &Decision,
    seat: Seat,
    choice: Choice,
) -> Option<Defence> {
    let passing = match decision.question {
        Question::BlockWhom(_) => Choice::Decline,
        _ => Choice::Pass,
    };
    // All are followed equally far: else what a counter stops would be what was not looked at.
    let line = |duel: &Duel, way: &[Choice]| cw_players::preview_line(duel, seat, way);
    let through = surely(guess, &more, |duel| line(duel, &[passing]));
    let fights = !matches!(choice, Choice::Play(_) | Choice::Activate(_));
    let ways = if fights {
        vec![vec![choice]]
    } else {
        ways(guess, choice)?
    };
    let several = ways.len() > 1;
    let view = guess.view(seat);
    let is_own = |card: &CardId| {
        view.players[seat]
            .ring
            .iter()
            .flatten()
            .any(|one| one.card == *card)
    };
    let worth = |outlook: &Preview| {
        let own = outlook.knocked_out.iter().filter(|card| is_own(card)).count();
        let theirs = outlook.knocked_out.len() - own;
        let weakened: i32 = (outlook
            .bp
            .iter()
            .filter(|bp| !is_own(&bp.0))
            .map(|bp| bp.1 - bp.2))
        .sum();
        (
            outlook.won != Some(false),
            -outlook.lost,
            Reverse(own),
            theirs,
            weakened,
        )
    };
    let best = ways.iter().max_by_key(|way| worth(&line(guess, way)))?;
    let outlook = surely(guess, &more, |duel| line(duel, best));
    Some(Defence {
        outlook,
        through,
        several,
        fights,
    })
}

/// All answers that lead from a choice to the end of what it does, without taking it back.
fn ways(guess: &Duel, choice: Choice) -> Option<Vec<Vec<Choice>>> {
    let mut done = Vec::new();
    let mut open = vec![vec![choice]];
    while let Some(way) = open.pop() {
        let mut duel = guess.clone();
        for choice in &way {
            duel.answer_silently(*choice).ok()?;
        }
        let asked = duel.pending()?;
        if matches!(asked.question, Question::CounterAttack) {
            done.push(way);
        } else {
            let options = asked.options.iter().filter(|option| **option != Choice::Decline);
            open.extend(options.map(|option| [&way[..], &[*option]].concat()));
        }
        if done.len() + open.len() > WAYS {
            return None;
        }
    }
    Some(done)
}

/// What one of several effects of a card asks for, and what becomes of HP, SP and characters.
fn effect<'g>(
    reader: EventReader<'_>,
    guess: &Duel,
    more: impl Fn() -> &'g [Duel],
    decision: &Decision,
    seat: Seat,
    index: u8,
) -> Option<String> {
    let mut said = prices(reader, decision, index);
    let choice = Choice::Action(index);
    let (duel, unpaid) = try_effect(guess, decision, choice)?;
    if unpaid {
        said.push("cannot be paid, so nothing happens".to_owned());
        return Some(said.join(": "));
    }
    let outlook = surely(guess, more, |duel| cw_players::preview(duel, seat, choice));
    match outlook.won {
        Some(true) => said.push("you win".to_owned()),
        Some(false) => said.push("you lose".to_owned()),
        None => {}
    }
    said.extend(
        outlook
            .knocked_out
            .iter()
            .map(|card| format!("{} is KOed", reader.card(*card))),
    );
    let (mine, theirs) = (outlook.lost, outlook.dealt);
    let lost = |hp: i32, whom: &str| match hp {
        0 => None,
        1.. => Some(format!("{hp} to {whom}")),
        _ => Some(format!("{} HP for {whom}", cw_words::signed(-hp))),
    };
    said.extend(lost(theirs, "the opponent"));
    said.extend(lost(mine, "you"));
    if !outlook.unknown {
        let (before, after) = (guess.view(seat), duel.view(seat));
        let sp = |whose: Seat| (before.players[whose].sp, after.players[whose].sp);
        let (mine, theirs) = (sp(seat), sp(seat.other()));
        let changes = |(before, after): (i32, i32)| before != after;
        if changes(mine) {
            said.push(format!("your SP {} → {}", mine.0, mine.1));
        }
        if changes(theirs) {
            let what = if changes(mine) { "" } else { " SP" };
            said.push(format!("the opponent's{what} {} → {}", theirs.0, theirs.1));
        }
    }
    let doubt = if outlook.unknown && !said.is_empty() {
        ", then ?"
    } else {
        ""
    };
    (!said.is_empty()).then(|| format!("{}{doubt}", said.join(", ")))
}

/// Guesses that have to agree before something is told of an option.
pub(crate) const GUESSES: u64 = 3;

/// Whether nothing would come of the choice but its price, as far as the seat can know: an effect that cannot
/// be paid, or one that finds nothing to do. `more` are other guesses.
pub(crate) fn is_wasted<'g>(
    guess: &Duel,
    more: impl Fn() -> &'g [Duel],
    decision: &Decision,
    choice: Choice,
) -> bool {
    let asked = match choice {
        Choice::Card(_) => is_price(decision.question),
        _ => true,
    };
    let in_all = |more: &[Duel]| !more.is_empty() && more.iter().all(|guess| guess.is_wasted(choice));
    asked && guess.is_wasted(choice) && in_all(more())
}

/// Whether it is asked what to pay an effect with.
pub(crate) fn is_price(question: Question) -> bool {
    matches!(
        question,
        Question::DiscardCost { .. } | Question::SacrificeCost { .. }
    )
}

/// The duel after one of several effects was chosen, and whether its price could not be paid.
fn try_effect(guess: &Duel, decision: &Decision, choice: Choice) -> Option<(Duel, bool)> {
    let mut duel = guess.clone();
    let mut events: Vec<DuelEvent> = Vec::new();
    duel.answer(choice, &mut events).ok()?;
    let model = decision.place.map(|place| place.model);
    let unpaid = events.iter().any(|event| {
        matches!(
            *event,
            DuelEvent::Step { place, result: StepResult::Unpaid, .. } if Some(place.model) == model
        )
    });
    Some((duel, unpaid))
}

/// What an effect asks for first, in few words.
fn prices(reader: EventReader<'_>, decision: &Decision, index: u8) -> Vec<String> {
    let program = decision
        .place
        .and_then(|place| reader.game().model(place.model).program.as_ref());
    let action = program.and_then(|program| program.rule.actions.get(usize::from(index)));
    let many = |quantity: &TargetQuantity| match quantity {
        TargetQuantity::Default => 1,
        TargetQuantity::Between(count) => count.min,
        TargetQuantity::Random(count) => *count,
    };
    let price = |cost: &RuleCost| match cost {
        RuleCost::Freeze => "freeze it".to_owned(),
        RuleCost::SacrificeSelf => "sacrifice it".to_owned(),
        RuleCost::Sacrifice(target) => format!("sacrifice {}", many(&target.quantity)),
        RuleCost::Discard(target) => format!("discard {}", many(&target.quantity)),
    };
    action.map_or_else(Vec::new, |action| action.costs().iter().map(price).collect())
}

/// Whether nobody can counter what the seat attacks with by this choice.
fn cannot_be_countered(view: &DuelView, seat: Seat, choice: Choice) -> bool {
    let surely = |fighter: &CharacterView| fighter.keywords.contains(&Keyword::Unblockable);
    match choice {
        Choice::Attack(card) => fighter(view, card).is_some_and(surely),
        Choice::Pass => {
            let own = view.players[seat].ring.iter().flatten();
            own.filter(|fighter| fighter.attacks || fighter.follows)
                .all(surely)
        }
        _ => false,
    }
}

/// Whether somebody in the seat's ring attacks.
fn attacks_already(view: &DuelView, seat: Seat) -> bool {
    let own = view.players[seat].ring.iter().flatten();
    own.into_iter().any(|fighter| fighter.attacks)
}

/// Whether there are several attackers to choose from.
fn asks_whom(guess: &Duel, choice: Choice) -> bool {
    let mut duel = guess.clone();
    let asked = duel.answer(choice, &mut Vec::new()).is_ok();
    let whom = |decision: &Decision| matches!(decision.question, Question::BlockWhom(_));
    asked && duel.pending().is_some_and(whom)
}

/// Whom a card can back up, and what it gives.
fn back_up(reader: EventReader<'_>, guess: &Duel, seat: Seat, choice: Choice) -> Option<String> {
    let mut duel = guess.clone();
    duel.answer(choice, &mut Vec::new()).ok()?;
    let asked = duel.pending()?;
    let Question::BackUpWhom(_) = asked.question else {
        let (before, after) = (guess.view(seat), duel.view(seat));
        let hosts = before.players[seat].ring.iter().flatten();
        let grown = |host: &CharacterView| {
            let new = fighter(&after, host.card).filter(|new| new.backups.len() > host.backups.len())?;
            Some(format!("{} {} → {} BP", reader.card(host.card), host.bp, new.bp))
        };
        return hosts.filter_map(grown).next();
    };
    let hosts: Vec<CardId> = asked.options.iter().filter_map(|option| option.card()).collect();
    let name = |card: &CardId| reader.card(*card);
    let gives = |whom: &str| format!("{whom}, +{} BP", reader.game().constants.backup_bp);
    Some(match &hosts[..] {
        [] => return None,
        [one] => format!("{} {}", name(one), change(&duel, seat, Choice::Card(*one))?),
        [one, two] => gives(&format!("{} or {}", name(one), name(two))),
        many => gives(&format!("one of {}", many.len())),
    })
}

/// What becomes at once of the character that is chosen.
fn change(guess: &Duel, seat: Seat, choice: Choice) -> Option<String> {
    let card = choice.card()?;
    let before = guess.view(seat);
    let mut duel = guess.clone();
    duel.answer(choice, &mut Vec::new()).ok()?;
    let after = duel.view(seat);
    let old = fighter(&before, card)?;
    let Some(new) = fighter(&after, card) else {
        return Some("leaves the ring".to_owned());
    };
    let mut said = Vec::new();
    if old.bp != new.bp {
        said.push(format!("{} → {} BP", old.bp, new.bp));
    }
    if old.frozen != new.frozen {
        said.push(if new.frozen { "freezes" } else { "unfreezes" }.to_owned());
    }
    let gained = new
        .keywords
        .iter()
        .filter(|keyword| !old.keywords.contains(keyword));
    said.extend(gained.map(|keyword| crate::labels::keyword_mark(*keyword).to_owned()));
    (!said.is_empty()).then(|| said.join(", "))
}

/// The character in either ring.
fn fighter(view: &DuelView, card: CardId) -> Option<&CharacterView> {
    let rings = Seat::BOTH.into_iter().flat_map(|seat| &view.players[seat].ring);
    rings.flatten().find(|fighter| fighter.card == card)
}

/// Why the seat cannot use one of its cards now, in a sentence; found out on a guess, so that it
/// says nothing about what is hidden.
pub(crate) fn why_not(guess: &Duel, name: &str, choices: &[Choice]) -> Option<String> {
    let refusals = choices.iter().map(|choice| guess.why_not(*choice, None));
    let refusals: Option<Vec<_>> = refusals.collect();
    // A refusal that speaks of the card itself says more than one that speaks of the moment.
    let refusal = refusals?.into_iter().next()?;
    Some(format!(
        "{name} {}.",
        refusal.why.replace("one's own", "your own")
    ))
}

#[cfg(test)]
mod tests {
    use cw_stage::{Play, go, offered, start};

    use super::*;

    /// What is told of an option that is offered.
    fn told(play: &Play, option: &str) -> Option<String> {
        let duel = &play.duel;
        let decision = duel.pending().expect("the duel goes on");
        let offered = offered(play);
        let at = offered.iter().position(|offer| offer == option);
        let at = at.unwrap_or_else(|| panic!("`{option}` is not offered: {offered:?}"));
        let sample = |seed: u64| duel.sample(decision.seat, seed).expect("a guess");
        let more: Vec<Duel> = (1..8).map(sample).collect();
        let reader = EventReader {
            duel,
            seat: Some(decision.seat),
        };
        let choice = decision.options[at];
        consequence(reader, &sample(0), || &more[..], decision, decision.seat, choice)
    }

    /// D50: a counter and letting the attack through are followed equally far: both to the end of the turn,
    /// also past a card that the seat does not know.
    #[test]
    fn a_counter_stops_what_it_stops() {
        let cards = "
            Lamp auto: auto = ~myActivatePhase~ hp(+200) to(me)
            Guard auto 600: auto = ~blocks~ draw(1) to(opp)
        ";
        let mut play = start(cards, "phase attack; me a500; opp b600 Lamp");
        go(&mut play, "attack a, pass");
        let words = "a is KOed, b 600 → 100 BP, stops 500";
        assert_eq!(told(&play, "block b").as_deref(), Some(words));
        let mut play = start(cards, "phase attack; me a500 c300; opp Guard");
        go(&mut play, "attack a, attack c, pass, block Guard");
        let words = told(&play, "to a").expect("something is told");
        assert!(words.contains("stops 500; 300 to you"), "{words}");
        assert!(words.ends_with(", then ?"), "a card was drawn: {words}");
    }

    /// G155: damage that goes past a counter to a United Attack is announced where there would be some, and
    /// not where piercing is off.
    #[test]
    fn piercing_is_told_where_there_is_any() {
        let cards = "Flat action: action = disableRule(piercing) ueot";
        let position = "me a500 b300; me.hand Flat; me.sp 10; opp c200";
        let joins = |choices: &str| {
            let mut play = start(cards, position);
            go(&mut play, choices);
            told(&play, "join b").expect("something is told")
        };
        let words = joins("pass, attack a");
        assert!(
            words.contains("one counter at most, the rest pierces; "),
            "{words}"
        );
        let words = joins("play Flat, pass, attack a");
        assert!(words.contains("one counter at most; "), "{words}");
    }

    /// D50: damage by the cards of a hand that nobody sees is not told as if it were known.
    #[test]
    fn what_hangs_on_hidden_cards_is_not_told() {
        let cards = "
            Wind action: action = damage(100*[c for c in opp.hand if c.type=='character'].size) to(opp)
            Bolt action: action = damage(300) to(opp)
        ";
        let position = "me.hand Wind Bolt; opp.hand act-1 Rook; opp.deck act-1 act-1 Rook Rook Rook act-1";
        let play = start(cards, position);
        assert_eq!(told(&play, "play Wind"), None);
        assert_eq!(told(&play, "play Bolt").as_deref(), Some("300 to the opponent"));
    }
}
