//! A player that tries each option once on a few guesses about what it cannot see, and takes the
//! one after which it likes the table best.

use cw_duel::{Choice, Decision, Duel, Event, Outcome, Phase, Question, Seat, View};

use crate::Random;

/// Looks one step ahead; the same seed gives the same choices everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sensible {
    random: Random,
    /// Guesses for each decision.
    samples: u32,
}

impl Sensible {
    /// A player with this seed.
    pub fn new(seed: u64) -> Sensible {
        Sensible {
            random: Random::new(seed),
            samples: 3,
        }
    }

    /// Chooses for the seat that is asked. `guess` gives a duel that looks the same to that seat and
    /// has a chance of its own ([`Duel::sample`]), another one for each number, or none where nothing
    /// can be tried out (D50).
    pub fn choose(
        &mut self,
        decision: &Decision,
        view: &View,
        guess: &dyn Fn(u64) -> Option<Duel>,
    ) -> Choice {
        if let [only] = decision.options[..] {
            return only;
        }
        let seed = self.random.below(1 << 30) as u64;
        let guesses: Vec<Duel> = (0..self.samples)
            .filter_map(|at| guess(seed + u64::from(at)))
            .collect();
        let mut best = (i64::MIN, decision.options[0]);
        // What was declared was declared for a reason; only who cannot go on takes it back.
        let may_pass = decision.options.contains(&Choice::Pass);
        let takes_back =
            |option: &&Choice| matches!(option, Choice::CancelAttack(_) | Choice::CancelBlock(_));
        for option in decision
            .options
            .iter()
            .filter(|option| !(may_pass && takes_back(option)))
        {
            let liking = if guesses.is_empty() {
                by_habit(decision, view, *option)
            } else {
                let tried = guesses.iter().map(|duel| outlook(duel, decision.seat, *option));
                tried.sum::<i64>() / guesses.len() as i64
            };
            // Equal options come up equally often.
            let liking = liking * 8 + self.random.below(8) as i64;
            if liking > best.0 {
                best = (liking, *option);
            }
        }
        best.1
    }
}

/// Decisions answered after the option, until its consequences are there.
const DEPTH: usize = 24;

/// How much the seat likes what comes of an option: its own further choices are made by habit, and
/// so are the other's, up to the end of the fight if there is one.
fn outlook(duel: &Duel, seat: Seat, option: Choice) -> i64 {
    let mut duel = duel.clone();
    let before = liking(&duel, seat);
    let mut events: Vec<Event> = Vec::new();
    if duel.answer(option, &mut events).is_err() {
        return i64::MIN / 16;
    }
    // A coin or a random pick on a guess is as good as any other: only that it happens counts.
    if events.iter().any(|event| matches!(event, Event::Rolled { .. })) {
        return before + 20;
    }
    let turn = duel.turn();
    for _ in 0..DEPTH {
        let Some(decision) = duel.pending().cloned() else {
            break;
        };
        let fights = matches!(duel.phase(), Phase::Attack | Phase::CounterAttack | Phase::End);
        let in_action = !matches!(
            decision.question,
            Question::Main | Question::Attack | Question::CounterAttack
        );
        if duel.turn() != turn || !(fights || in_action) {
            break;
        }
        let view = duel.view(decision.seat);
        let next = habitual(&decision, &view);
        events.clear();
        if duel.answer(next, &mut events).is_err() {
            break;
        }
    }
    liking(&duel, seat)
}

fn habitual(decision: &Decision, view: &View) -> Choice {
    let liked = decision
        .options
        .iter()
        .max_by_key(|option| by_habit(decision, view, **option));
    liked.copied().unwrap_or(decision.options[0])
}

/// What a player does without trying it out: blocks what it can beat, takes offers, aims at the
/// opponent's strongest.
fn by_habit(decision: &Decision, view: &View, option: Choice) -> i64 {
    let me = decision.seat;
    let bp = |card| {
        let of = |seat: Seat| {
            let found = view.players[seat].ring.iter().flatten();
            let mut found = found.filter(|fighter| fighter.card == card);
            found.next().map(|fighter| (seat, i64::from(fighter.bp)))
        };
        of(me).or_else(|| of(me.other()))
    };
    match option {
        Choice::Card(card) => match bp(card) {
            Some((seat, bp)) if seat == me => 1000 - bp,
            Some((_, bp)) => 2000 + bp,
            None => 1500,
        },
        Choice::Yes | Choice::Top | Choice::Heads => 10,
        Choice::Pass | Choice::Done => 5,
        Choice::No | Choice::Bottom | Choice::Tails => 3,
        Choice::Decline => 0,
        Choice::Player(seat) | Choice::Zone(seat) => i64::from(seat != me) * 5 + 5,
        Choice::Play(_)
        | Choice::BackUp(_)
        | Choice::Activate(_)
        | Choice::Attack(_)
        | Choice::Join(_)
        | Choice::CancelAttack(_)
        | Choice::Block(_)
        | Choice::CancelBlock(_)
        | Choice::Slot(_)
        | Choice::Copy(_)
        | Choice::Type(_)
        | Choice::Action(_) => 2,
    }
}

/// The table from one side, in units of one BP on it.
///
/// HP count most when few are left; a character counts its BP and its being there; a card in the
/// hand is a character to be; SP are cards that can be paid.
fn liking(duel: &Duel, seat: Seat) -> i64 {
    if let Some(outcome) = duel.outcome() {
        return match outcome {
            Outcome::Won { winner, .. } if winner == seat => 1_000_000,
            Outcome::Won { .. } => -1_000_000,
            Outcome::Drawn => 0,
        };
    }
    let view = duel.view(seat);
    side(&view, seat) - side(&view, seat.other())
}

fn side(view: &View, seat: Seat) -> i64 {
    let player = &view.players[seat];
    let hp = i64::from(player.hp.max(0));
    let few = 1500 - hp.min(1500);
    let ring: i64 = player
        .ring
        .iter()
        .flatten()
        .map(|fighter| {
            let frozen = if fighter.frozen { 120 } else { 0 };
            let ability = if fighter.ability.is_some() { 60 } else { 0 };
            i64::from(fighter.bp) + 150 + ability - frozen
        })
        .sum();
    let sp = i64::from(player.sp.min(12)) * 25 + i64::from(player.sp.max(12) - 12) * 5;
    hp - few / 2 + ring + player.hand.len() as i64 * 220 + sp
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cw_duel::{Game, Model, PerSeat};
    use cw_program::{CardType, ModelId, NameId, SubtypeId};

    use super::*;

    fn fighter(number: u16) -> Model {
        Model {
            id: format!("{number:08}-0000-4000-8000-000000000000").into(),
            name: format!("Fighter {number}").into(),
            name_id: NameId(number),
            card_type: Some(CardType::Character),
            subtype: Some(SubtypeId(number % 2)),
            bp: 200 + 100 * i32::from(number % 7),
            sp: 6 - i32::from(number % 7) * 2,
            ability: None,
            text: "".into(),
            backups: vec![SubtypeId(number % 2)],
            program: None,
        }
    }

    fn duel(seed: u64) -> Duel {
        let game = Game {
            name: "Test".into(),
            models: (0..25).map(fighter).collect(),
            subtypes: vec!["One".into(), "Two".into()],
            names: (0..25).map(|number| format!("fighter {number}").into()).collect(),
            ..Game::default()
        };
        let deck: Vec<ModelId> = (0..50).map(|at| ModelId(at / 2)).collect();
        Duel::new(Arc::new(game), &PerSeat([deck.clone(), deck]), seed).unwrap()
    }

    /// One step of look-ahead beats chance nearly always, from either seat.
    #[test]
    fn looking_ahead_beats_chance() {
        let mut won = 0;
        for seed in 0..12 {
            let mut duel = duel(seed);
            let me = Seat::from_index(seed as usize % 2);
            let (mut sensible, mut random) = (Sensible::new(seed), Random::new(seed));
            while let Some(decision) = duel.pending().cloned() {
                let choice = if decision.seat == me {
                    let guess = |seed| duel.sample(me, seed);
                    sensible.choose(&decision, &duel.view(me), &guess)
                } else {
                    random.pick(&decision)
                };
                duel.answer_silently(choice).unwrap();
            }
            won += usize::from(matches!(duel.outcome(), Some(Outcome::Won { winner, .. }) if winner == me));
        }
        assert!(won >= 11, "{won} of 12");
    }

    /// The same seed and the same duel give the same choice, and always one that is offered; so
    /// they do where nothing can be tried out.
    #[test]
    fn choices_are_offered_and_repeat() {
        let mut duel = duel(3);
        for step in 0..60 {
            let Some(decision) = duel.pending().cloned() else {
                break;
            };
            let seat = decision.seat;
            let view = duel.view(seat);
            let guess = |seed| duel.sample(seat, seed).filter(|_| step % 3 != 0);
            let choice = Sensible::new(step).choose(&decision, &view, &guess);
            assert_eq!(choice, Sensible::new(step).choose(&decision, &view, &guess));
            assert!(decision.options.contains(&choice));
            duel.answer_silently(choice).unwrap();
        }
    }
}
