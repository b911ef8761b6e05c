//! Wins that can be proven: what wins in the very turn, whatever the other does and holds.
//!
//! A search for fights that is no sampling: all of the seat's own options, all of the other's answers, on
//! guesses that look the same to the seat. The seat does the same on all of them until it sees a difference,
//! so that nothing is proven by what it could not know.

use std::collections::BTreeSet;
use std::hash::BuildHasher;

use cw_duel::{Choice, Duel, DuelOutcome, Phase, Question, Seat};
use foldhash::fast::FixedState;

use crate::door::{Ask, Guess};
use crate::search::{OptionKey, forced, key};
use crate::sight::sight;
use crate::ways::takes_back;

/// Cards and abilities used in one turn at most; the shortest win is looked for first.
const USES: u32 = 4;
/// What looking at a position of several guesses costs, in answers.
const LOOK: u32 = 3;

/// What wins in this very turn, whatever the other does and holds: on the first `number` guesses, as far as
/// `answers` suffice to find it. `None` if there is no such option.
pub(crate) fn proven(ask: &Ask<'_>, number: u64, answers: u32) -> Option<Choice> {
    wins_on(ask, number, answers, false)
}

fn wins_on(ask: &Ask<'_>, number: u64, answers: u32, all_at_once: bool) -> Option<Choice> {
    let guesses = || (0..number).map_while(|number| ask.guess(number));
    // One guess mostly says that there is no such thing.
    let first: Vec<Guess> = guesses().take(1).collect();
    let choice = winning(&first, answers, all_at_once)?;
    let all: Vec<Guess> = guesses().collect();
    match all.len() {
        1 => Some(choice),
        _ => winning(&all, answers.saturating_mul(4), all_at_once),
    }
}

fn winning(guesses: &[Guess], answers: u32, all_at_once: bool) -> Option<Choice> {
    let first = guesses.first()?;
    let seat = first.pending()?.seat;
    if !is_in_reach(first, seat) {
        return None;
    }
    let mut prover = Prover::new(seat, first.turn(), answers);
    prover.all_at_once = all_at_once;
    let all: Vec<Duel> = guesses.iter().map(Guess::fork).collect();
    for uses in 0..=USES {
        if let Some(choice) = prover.option(&all, uses) {
            return Some(choice);
        }
        // Cards are used in the Main phase.
        if prover.left == 0 || first.phase() != Phase::Main {
            break;
        }
    }
    None
}

/// Guesses on which an attack has to win, and playouts of the budget for each answer that looking for it on
/// one of them may take.
const ATTACKS: u64 = 3;
const PLAYOUTS_FOR_AN_ANSWER: u32 = 3;

/// What wins in the Attack phase, whatever the other does and holds: the little that somebody proves who does
/// not search. It is looked for only where all who can attack are strong enough together.
pub(crate) fn attack(ask: &Ask<'_>) -> Option<Choice> {
    if !matches!(ask.decision.question, Question::Attack | Question::JoinWhom(_)) {
        return None;
    }
    let first = ask.guess(0)?;
    let seat = ask.decision.seat;
    let own = first.glance(seat);
    let able = own
        .fighters()
        .filter(|own| !own.frozen || own.attacks || own.follows);
    if able.map(|own| own.bp).sum::<i32>() < first.glance(seat.other()).hp() {
        return None;
    }
    let answers = ask.budget.playouts.div_ceil(PLAYOUTS_FOR_AN_ANSWER);
    wins_on(ask, ATTACKS, answers, true)
}

/// Whether a win in this turn is worth looking for: it is the seat's own, and all that it has at hand could
/// be enough.
fn is_in_reach(duel: &Duel, seat: Seat) -> bool {
    if duel.active() != seat {
        return false;
    }
    let own = duel.glance(seat);
    let strength: i32 = own.fighters().filter(|own| !own.frozen).map(|own| own.bp).sum();
    let more = own.hand().count().min(3);
    duel.glance(seat.other()).hp() <= strength + 300 * i32::try_from(more).unwrap_or(0) + 300
}

/// Guesses on all of which the other has to win for an option to be given up.
const LOSSES: u64 = 4;

/// The options after which the other wins by the end of its turn, on each of a few guesses and whatever the
/// seat does then: in a fight those that lose it, in one's own Attack phase those that leave too few at home.
/// The other is taken to use at most one more card, and `answers` may be given for each option.
pub(crate) fn losing(ask: &Ask<'_>, options: &[Choice], answers: u32) -> Vec<Choice> {
    let guesses: Vec<Guess> = (0..LOSSES).map_while(|number| ask.guess(number)).collect();
    let Some(first) = guesses.first() else {
        return Vec::new();
    };
    let seat = ask.decision.seat;
    let fights = matches!(first.phase(), Phase::Attack | Phase::CounterAttack);
    let strength: i32 = first.glance(seat.other()).fighters().map(|other| other.bp).sum();
    if !fights || strength < first.glance(seat).hp() {
        return Vec::new();
    }
    let last = first.turn() + u16::from(first.active() == seat);
    let loses = |option: &Choice| {
        guesses.iter().all(|guess| {
            let mut prover = Prover::new(seat.other(), last, answers);
            let guess = [guess.fork()];
            (0..=1).any(|uses| prover.wins(&guess, *option, uses))
        })
    };
    options.iter().copied().filter(loses).collect()
}

/// The BP of all of the seat's characters that attack.
fn strikes(duel: &Duel, seat: Seat) -> i32 {
    let own = duel.glance(seat);
    let attack = own.fighters().filter(|own| own.attacks || own.follows);
    attack.map(|own| own.bp).sum()
}

/// A number for a position, which is looked up and never kept: other numbers would give the same answers.
fn number_of(duel: &Duel) -> u64 {
    FixedState::with_seed(0).hash_one(duel)
}

/// Somebody who has to win before a turn ends.
struct Prover {
    seat: Seat,
    last: u16,
    /// Whether attacks that are too weak by themselves are not looked at.
    all_at_once: bool,
    /// Answers that may still be given.
    left: u32,
    /// Positions of single guesses from which nothing was found with as many uses.
    failed: BTreeSet<(u64, u32)>,
    /// Positions in which the other decides, since the seat's last choice.
    seen: BTreeSet<u64>,
}

impl Prover {
    fn new(seat: Seat, last: u16, left: u32) -> Prover {
        Prover {
            seat,
            last,
            all_at_once: false,
            left,
            failed: BTreeSet::new(),
            seen: BTreeSet::new(),
        }
    }

    /// An option that wins on all of these, which look the same to the seat.
    fn option(&mut self, all: &[Duel], uses: u32) -> Option<Choice> {
        let first = &all[0];
        let decision = first.pending()?;
        let question = decision.question;
        let is_main = question == Question::Main;
        let too_weak = self.all_at_once
            && question == Question::Attack
            && strikes(first, self.seat) < first.glance(self.seat.other()).hp();
        let memory = (all.len() == 1).then(|| (number_of(first), uses));
        if memory.is_some_and(|at| self.failed.contains(&at)) {
            return None;
        }
        let mut tried: Vec<OptionKey> = Vec::new();
        // At the end of a phase everything is ready: in the Main phase that is tried first, in the Attack
        // phase last, when all attack.
        let mut options: Vec<Choice> = decision.options.iter().copied().collect();
        if is_main {
            options.sort_by_key(|option| *option != Choice::Pass);
        } else {
            options.sort_by_key(|option| *option == Choice::Pass);
        }
        for option in options {
            if takes_back(option) {
                continue;
            }
            let spent = u32::from(is_main && option != Choice::Pass);
            if spent > uses || too_weak && option == Choice::Pass {
                continue;
            }
            let alike = key(first, self.seat, option);
            if tried.contains(&alike) {
                continue;
            }
            tried.push(alike);
            // Where one guess refutes it the others need not be asked.
            if all.len() > 2 && !self.wins(&all[..1], option, uses - spent) {
                continue;
            }
            if self.wins(all, option, uses - spent) {
                return Some(option);
            }
            if self.left == 0 {
                return None;
            }
        }
        if let Some(at) = memory {
            self.failed.insert(at);
        }
        None
    }

    /// Whether the option wins on all of these.
    fn wins(&mut self, all: &[Duel], option: Choice, uses: u32) -> bool {
        let mut open: Vec<Duel> = Vec::new();
        for duel in all {
            let mut duel = duel.clone();
            if !self.answer(&mut duel, option) {
                return false;
            }
            self.seen.clear();
            if !self.follow(duel, &mut open) {
                return false;
            }
        }
        // From here on it may tell them apart by what it sees.
        if let [only] = &open[..] {
            let only = std::slice::from_ref(only);
            return self.option(only, uses).is_some();
        }
        let mut groups: Vec<(u64, Vec<Duel>)> = Vec::new();
        for duel in open {
            if self.left < LOOK {
                self.left = 0;
                return false;
            }
            self.left -= LOOK;
            let seen = sight(&duel.view(self.seat));
            match groups.iter_mut().find(|(other, _)| *other == seen) {
                Some((_, group)) => group.push(duel),
                None => groups.push((seen, vec![duel])),
            }
        }
        groups
            .into_iter()
            .all(|(_, group)| self.option(&group, uses).is_some())
    }

    /// Tries all that the other can do until the seat is asked again; those positions are `open`. Whether
    /// none of it ends otherwise than by the seat's winning in this turn.
    fn follow(&mut self, mut duel: Duel, open: &mut Vec<Duel>) -> bool {
        loop {
            if let Some(outcome) = duel.outcome() {
                return matches!(outcome, DuelOutcome::Won { winner, .. } if winner == self.seat);
            }
            let Some(decision) = duel.pending() else {
                return false;
            };
            if duel.turn() > self.last {
                return false;
            }
            if let Some(only) = forced(decision) {
                if !self.answer(&mut duel, only) {
                    return false;
                }
                continue;
            }
            if decision.seat == self.seat {
                open.push(duel);
                return true;
            }
            if !self.seen.insert(number_of(&duel)) {
                return true;
            }
            // Doing nothing refutes attacks that are too weak, and blocking the strongest most others.
            let mut options: Vec<Choice> = decision.options.iter().copied().collect();
            if strikes(&duel, self.seat) < duel.glance(self.seat.other()).hp() {
                options.sort_by_key(|option| *option != Choice::Pass);
            } else {
                let own = duel.glance(self.seat);
                let bp = |option: &Choice| {
                    let mut fighters = own.fighters();
                    let fighter = fighters.find(|fighter| option.card() == Some(fighter.card));
                    fighter.map_or(0, |fighter| -fighter.bp)
                };
                options.sort_by_key(|option| (!matches!(option, Choice::Block(_)), bp(option)));
            }
            for option in options {
                // What is taken back leads to where the other was before.
                if takes_back(option) {
                    continue;
                }
                let mut next = duel.clone();
                if !self.answer(&mut next, option) || !self.follow(next, open) {
                    return false;
                }
            }
            return true;
        }
    }

    fn answer(&mut self, duel: &mut Duel, option: Choice) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        duel.answer_silently(option).is_ok()
    }
}
