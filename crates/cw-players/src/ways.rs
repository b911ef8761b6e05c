//! Options that lead on. What was begun is gone on with as long as there is a way: who takes it back begins
//! it again, and goes round in circles (D68). A United Attack that cannot be paid is no way: who joins it can
//! only take it back.

use cw_duel::{Choice, Decision, Duel, Question, Seat};

use crate::door::Guess;

/// Declarations that are tried in looking for a way on: more than can follow each other in a ring.
const DECLARATIONS: usize = 64;

/// What was begun is taken back.
pub(crate) fn takes_back(option: Choice) -> bool {
    matches!(
        option,
        Choice::CancelAttack(_) | Choice::CancelBlock(_) | Choice::Decline
    )
}

/// The options that lead on. Where there is none, those that take back what bars the way; all where there is
/// none of these either.
pub(crate) fn ways(decision: &Decision, guess: &Guess) -> Vec<Choice> {
    let options = decision.options.iter().copied();
    // One more that attacks alone costs nothing.
    let may_pass = decision.options.contains(&Choice::Pass);
    let on = |choice: &Choice| {
        let is_dead_end = || {
            let alone = may_pass && matches!(choice, Choice::Attack(_));
            let may_be = !alone && declares(decision.question, *choice);
            may_be && after(guess, *choice).is_some_and(|duel| !has_way_on(duel, decision.seat))
        };
        !takes_back(*choice) && !is_dead_end()
    };
    let on: Vec<Choice> = options.clone().filter(on).collect();
    if !on.is_empty() {
        return on;
    }
    let frees = |choice: &Choice| {
        takes_back(*choice) && after(guess, *choice).is_some_and(|duel| has_way_on(duel, decision.seat))
    };
    let back: Vec<Choice> = options.clone().filter(frees).collect();
    if back.is_empty() { options.collect() } else { back }
}

fn after(guess: &Guess, choice: Choice) -> Option<Duel> {
    let mut duel = guess.fork();
    duel.answer_silently(choice).ok()?;
    Some(duel)
}

/// Whether the seat comes to something else than declaring and taking back.
fn has_way_on(duel: Duel, seat: Seat) -> bool {
    let (mut open, mut tried) = (vec![duel], 0);
    while let Some(duel) = open.pop() {
        let Some(next) = duel.pending().filter(|next| next.seat == seat) else {
            return true;
        };
        let options = || {
            let options = next.options.iter().copied();
            options.filter(|option| !takes_back(*option))
        };
        let mut others = options().filter(|option| !declares(next.question, *option));
        if others.any(|option| !duel.is_idle(option)) {
            return true;
        }
        for option in options().filter(|option| declares(next.question, *option)) {
            tried += 1;
            if tried > DECLARATIONS {
                return true;
            }
            let mut after = duel.clone();
            if after.answer_silently(option).is_ok() {
                open.push(after);
            }
        }
    }
    false
}

/// Whether the option declares an attack or a counter-attack, or says whom it joins or counters.
fn declares(question: Question, choice: Choice) -> bool {
    match choice {
        Choice::Attack(_) | Choice::Join(_) | Choice::Block(_) => true,
        Choice::Card(_) => matches!(question, Question::JoinWhom(_) | Question::BlockWhom(_)),
        _ => false,
    }
}
