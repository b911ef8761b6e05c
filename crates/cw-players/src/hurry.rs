//! How a duel goes on in a hurry: what both sides do in the positions of a guess, good enough that the
//! end of it says something, and cheap enough for thousands of them.

use cw_duel::{CardId, Choice, Decision, Duel, GlanceFighter, Lookahead, MAX_SLOTS, Question, Seat};

use crate::random::RandomPlayer;
use crate::search::forced;
use crate::values::{LOST, PositionWeights};
use crate::ways::takes_back;

/// Answers until what was begun has its consequences.
const CONSEQUENCES: usize = 24;
/// Options that are tried for one answer, if there are more.
const TRIES: usize = 3;
/// By how much a worse option may be taken for a better one, in thousandths of log odds: a fixed way to
/// play would say the same again and again.
const NOISE: usize = 200;

/// Somebody in a hurry, with room to try things out.
pub(crate) struct Hurry<'a> {
    pub values: &'a PositionWeights,
    /// The option that is tried, and the best one so far.
    tried: Lookahead,
    best: Lookahead,
}

/// An answer that was chosen after trying it.
pub(crate) struct Chosen {
    pub choice: Choice,
    /// Answers that lead to where it was tried to, itself included, if whoever goes on can only give the
    /// same: then [`Hurry::go_on`] need not give them again.
    pub settled: Option<usize>,
}

impl<'a> Hurry<'a> {
    pub(crate) fn new(values: &'a PositionWeights, duel: &Duel) -> Hurry<'a> {
        Hurry {
            values,
            tried: Lookahead::new(duel),
            best: Lookahead::new(duel),
        }
    }

    /// What a seat is left with after an option, where nothing is going on any more: an attack is followed
    /// to the end of the fight.
    pub(crate) fn after(
        &mut self,
        duel: &Duel,
        seat: Seat,
        option: Choice,
        random: &mut RandomPlayer,
    ) -> i64 {
        self.attempt(duel, seat, option, random).0
    }

    /// As [`Hurry::after`]; also counts the answers on the way if all of them were [`forced`]. Everybody who
    /// takes the option comes to such a position.
    fn attempt(
        &mut self,
        duel: &Duel,
        seat: Seat,
        option: Choice,
        random: &mut RandomPlayer,
    ) -> (i64, Option<usize>) {
        let tried = &mut self.tried;
        tried.restart(duel);
        if tried.answer(option).is_err() {
            return (LOST, None);
        }
        let (turn, in_fight) = (tried.position().turn(), fights(tried.position()));
        let mut settled = Some(1);
        for _ in 0..CONSEQUENCES {
            let Some((asked, question)) = tried.question() else {
                break;
            };
            let next = match question {
                Question::Main => break,
                Question::Attack if !in_fight || tried.position().turn() != turn => break,
                Question::Attack => Choice::Pass,
                Question::CounterAttack if asked == seat => Choice::Pass,
                Question::CounterAttack => asked_by(tried.listed(), block),
                _ => asked_by(tried.listed(), |duel, decision| {
                    match forced(decision) {
                        Some(_) => settled = settled.map(|answers| answers + 1),
                        None => settled = None,
                    }
                    at_a_glance(duel, decision, random)
                }),
            };
            if matches!(question, Question::Attack | Question::CounterAttack) {
                settled = None;
            }
            if tried.answer(next).is_err() {
                settled = None;
                break;
            }
        }
        (self.values.worth(tried.position(), seat), settled)
    }

    /// The answer of somebody in a hurry: the best of a few options that are tried once, and of passing.
    pub(crate) fn choose(&mut self, duel: &Duel, decision: &Decision, random: &mut RandomPlayer) -> Chosen {
        let options = &decision.options;
        let (Question::Main | Question::Attack | Question::CounterAttack) = decision.question else {
            return Chosen {
                choice: at_a_glance(duel, decision, random),
                settled: None,
            };
        };
        let begins = |option: &Choice| *option != Choice::Pass && !takes_back(*option);
        let mut best: Option<(i64, Chosen)> = None;
        let mut consider = |choice: Choice, random: &mut RandomPlayer| {
            let noise = random.below(NOISE) as i64;
            let (worth, settled) = self.attempt(duel, decision.seat, choice, random);
            let worth = worth + noise;
            if best.as_ref().is_none_or(|(other, _)| worth > *other) {
                best = Some((worth, Chosen { choice, settled }));
                std::mem::swap(&mut self.tried, &mut self.best);
            }
        };
        if options.contains(&Choice::Pass) {
            consider(Choice::Pass, random);
        }
        if options.iter().filter(|option| begins(option)).count() <= TRIES {
            for option in options.iter().filter(|option| begins(option)) {
                consider(*option, random);
            }
        } else {
            for _ in 0..TRIES {
                let option = options[random.below(options.len())];
                if begins(&option) {
                    consider(option, random);
                }
            }
        }
        best.map_or(
            Chosen {
                choice: options[0],
                settled: None,
            },
            |(_, chosen)| chosen,
        )
    }

    /// Goes on to where the option leads that was chosen last, as [`Chosen::settled`] tells.
    pub(crate) fn go_on(&mut self, duel: &mut Lookahead) {
        std::mem::swap(duel, &mut self.best);
    }
}

/// What is answered to the pending decision; passing where there is none.
fn asked_by(duel: &Duel, answer: impl FnOnce(&Duel, &Decision) -> Choice) -> Choice {
    duel.pending()
        .map_or(Choice::Pass, |decision| answer(duel, decision))
}

/// Whether somebody attacks already.
pub(crate) fn fights(duel: &Duel) -> bool {
    let active = duel.glance(duel.active());
    active
        .fighters()
        .any(|fighter| fighter.attacks || fighter.follows)
}

/// The block that looks best at first sight, or none: the weakest character that stops the strongest attack
/// which is not blocked yet; where none can, one that is worth little against it, or any if the HP would
/// not last.
fn block(duel: &Duel, decision: &Decision) -> Choice {
    let seat = decision.seat;
    let (mut attacks, mut number) = ([0; MAX_SLOTS], 0);
    let attackers = duel.glance(seat.other()).fighters();
    for fighter in attackers.filter(|fighter| fighter.attacks || fighter.follows) {
        attacks[number] = fighter.bp;
        number += 1;
    }
    attacks[..number].sort_unstable_by(|one, other| other.cmp(one));
    let own = duel.glance(seat);
    let blocked = own.fighters().filter(|fighter| fighter.blocks).count();
    let open = attacks[..number].get(blocked..).unwrap_or(&[]);
    let lasts = open.iter().sum::<i32>() < own.hp();
    let rank = |option: &Choice| {
        let Choice::Block(card) = *option else { return None };
        let bp = fighter(duel, seat, card)?.bp;
        let strongest = *open.first()?;
        let stops = bp >= strongest;
        (stops || !lasts || strongest >= 2 * bp).then_some((stops, -bp))
    };
    let blocks = decision
        .options
        .iter()
        .filter_map(|option| Some((rank(option)?, *option)));
    let pass = decision.options.contains(&Choice::Pass);
    let none = if pass { Choice::Pass } else { decision.options[0] };
    blocks
        .max_by_key(|(rank, _)| *rank)
        .map_or(none, |(_, option)| option)
}

/// What is answered within an effect.
pub(crate) fn at_a_glance(duel: &Duel, decision: &Decision, random: &mut RandomPlayer) -> Choice {
    let options = &decision.options;
    if let [only] = options[..] {
        return only;
    }
    if matches!(decision.question, Question::SlotFor(_)) {
        return options[0];
    }
    let mut best = (i64::MIN, options[0]);
    for option in options {
        let worth = by_glance(duel, decision.seat, *option, random);
        if worth > best.0 {
            best = (worth, *option);
        }
    }
    best.1
}

fn fighter(duel: &Duel, seat: Seat, card: CardId) -> Option<GlanceFighter> {
    duel.glance(seat).fighters().find(|fighter| fighter.card == card)
}

fn by_glance(duel: &Duel, seat: Seat, option: Choice, random: &mut RandomPlayer) -> i64 {
    let noise = random.below(400) as i64;
    match option {
        Choice::Card(card) => {
            if let Some(own) = fighter(duel, seat, card) {
                1000 - i64::from(own.bp) + noise
            } else if let Some(other) = fighter(duel, seat.other(), card) {
                1400 + i64::from(other.bp) + noise
            } else {
                1200 + noise
            }
        }
        Choice::Yes | Choice::Top | Choice::Heads => 500 + noise,
        Choice::Pass | Choice::Done => 300 + noise,
        Choice::No | Choice::Bottom | Choice::Tails => 250 + noise,
        Choice::Decline => -1000,
        _ => 200 + noise,
    }
}
