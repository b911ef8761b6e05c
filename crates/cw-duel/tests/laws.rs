//! Whole duels by chance: laws that hold in all of them.

mod common;

use std::sync::Arc;

use common::{Dice, decks, games, plain_game, start, start_in, step};
use cw_duel::{
    AnswerError, CardId, Choice, Duel, DuelEvent, DuelOutcome, Game, Seat, SeatSet, Seed, Silent, Sink,
    WinReason, ZoneKind,
};
use cw_program::{ModelId, PileName};

/// Duels of the largest law, and threads that share them.
const DUELS: u64 = 10_000;

/// G38, G39, G41, D2, D14: random duels end, nothing illegal on the way, and all kinds of ends come
/// up.
#[test]
fn random_duels_obey_the_invariants() {
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let ends: Vec<Ends> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    let games = games();
                    let mut ends = Ends::default();
                    for seed in (thread..DUELS).step_by(threads as usize) {
                        let game = &games[seed as usize % games.len()];
                        ends.count(play_with_care(game, seed));
                    }
                    ends
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("no law is broken"))
            .collect()
    });
    let sum = |field: fn(&Ends) -> u64| ends.iter().map(field).sum::<u64>();
    let (by_hp, by_deck, drawn) = (
        sum(|ends| ends.by_hp),
        sum(|ends| ends.by_deck),
        sum(|ends| ends.drawn),
    );
    assert_eq!(by_hp + by_deck + drawn, DUELS);
    assert!(
        by_hp > 0 && by_deck > 0,
        "by HP {by_hp}, by the deck {by_deck}, drawn {drawn}"
    );
}

#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    by_hp: u64,
    by_deck: u64,
    drawn: u64,
}

impl Ends {
    fn count(&mut self, outcome: DuelOutcome) {
        match outcome {
            DuelOutcome::Won {
                reason: WinReason::Hp,
                ..
            } => self.by_hp += 1,
            DuelOutcome::Won {
                reason: WinReason::DeckOut,
                ..
            } => self.by_deck += 1,
            DuelOutcome::Won {
                reason: WinReason::Forfeit,
                ..
            } => panic!("nobody gave up"),
            DuelOutcome::Drawn => self.drawn += 1,
        }
    }
}

/// Plays to the end; every invariant is checked at every decision.
fn play_with_care(game: &Arc<Game>, seed: u64) -> DuelOutcome {
    let mut duel = start_in(game, seed);
    let mut dice = Dice(seed + 1);
    let mut decisions = 0;
    loop {
        if let Err(broken) = duel.check_invariants() {
            panic!("seed {seed}, decision {decisions}: {broken}");
        }
        if step(&mut duel, &mut dice).is_none() {
            return duel.outcome().expect("a duel without decision is over");
        }
        decisions += 1;
        assert!(decisions < 100_000, "seed {seed} does not end");
    }
}

/// G275: the same game, decks, seed and choices give the same state after every choice.
#[test]
fn the_same_seed_gives_the_same_duel() {
    for seed in 0..200 {
        let [mut one, mut two] = [start(seed), start(seed)];
        let mut dice = [Dice(seed + 1), Dice(seed + 1)];
        loop {
            assert_eq!(one.hash(), two.hash(), "seed {seed}");
            let choices = [step(&mut one, &mut dice[0]), step(&mut two, &mut dice[1])];
            assert_eq!(choices[0], choices[1], "seed {seed}");
            if choices[0].is_none() {
                break;
            }
        }
        assert_ne!(start(seed).hash(), start(seed + 1).hash());
    }
}

/// A copy taken at any decision goes on exactly like the original.
#[test]
fn a_copy_goes_on_like_the_original() {
    for seed in 0..100 {
        let mut duel = start(seed);
        let mut dice = Dice(seed + 99);
        for _ in 0..dice.below(300) {
            if step(&mut duel, &mut dice).is_none() {
                break;
            }
        }
        let mut copy = duel.clone();
        let mut same_dice = dice.clone();
        while step(&mut duel, &mut dice).is_some() {
            step(&mut copy, &mut same_dice);
            assert_eq!(duel.hash(), copy.hash(), "seed {seed}");
        }
        assert_eq!(duel.outcome(), copy.outcome());
    }
}

/// D3: every option is accepted, everything else is refused and changes nothing.
#[test]
fn only_what_is_offered_is_accepted() {
    let cards = || (0..100).map(CardId);
    let all: Vec<Choice> = [
        Choice::Pass,
        Choice::Yes,
        Choice::No,
        Choice::Done,
        Choice::Decline,
        Choice::Top,
    ]
    .into_iter()
    .chain(cards().map(Choice::Play))
    .chain(cards().map(Choice::BackUp))
    .chain(cards().map(Choice::Attack))
    .chain(cards().map(Choice::Join))
    .chain(cards().map(Choice::Block))
    .chain(cards().map(Choice::Card))
    .chain((0..9).map(Choice::Slot))
    .collect();
    for seed in 0..20 {
        let mut duel = start(seed);
        let mut dice = Dice(seed + 7);
        while let Some(decision) = duel.pending().cloned() {
            let hash = duel.hash();
            for choice in &all {
                let mut copy = duel.clone();
                let answer = copy.answer(*choice, &mut Silent);
                if decision.options.contains(choice) {
                    assert_eq!(answer, Ok(()));
                } else {
                    assert_eq!(answer, Err(AnswerError::NotOffered { got: *choice }));
                    assert_eq!(copy.hash(), hash);
                    assert_eq!(copy.pending(), Some(&decision));
                }
            }
            step(&mut duel, &mut dice);
        }
    }
}

/// D14: giving up loses at once.
#[test]
fn forfeit_is_a_loss() {
    let mut duel = start(1);
    duel.forfeit(Seat::One, &mut Silent);
    assert_eq!(
        duel.outcome(),
        Some(DuelOutcome::Won {
            winner: Seat::Two,
            reason: WinReason::Forfeit
        })
    );
    assert!(duel.pending().is_none());
    assert_eq!(duel.answer(Choice::Pass, &mut Silent), Err(AnswerError::Over));
}

/// D14: a draw that both players agree on ends the duel at once, and once.
#[test]
fn a_draw_that_is_agreed_on_is_a_draw() {
    let mut duel = start(1);
    let before = duel.hash();
    duel.agree_on_draw(&mut Silent);
    assert_eq!(duel.outcome(), Some(DuelOutcome::Drawn));
    assert_ne!(duel.hash(), before);
    assert!(duel.pending().is_none());
    assert_eq!(duel.answer(Choice::Pass, &mut Silent), Err(AnswerError::Over));
    let mut lost = start(1);
    lost.forfeit(Seat::Two, &mut Silent);
    let ended = lost.outcome();
    lost.agree_on_draw(&mut Silent);
    assert_eq!(lost.outcome(), ended, "what is over stays as it ended");
}

/// G33: an illegal deck is refused, unless an author wants it (D9).
#[test]
fn illegal_decks_are_refused() {
    let mut illegal = decks();
    illegal.0[1].pop();
    let refused = Duel::new(plain_game(), &illegal, 1).unwrap_err();
    assert!(
        matches!(refused, cw_duel::SetupError::IllegalDeck { seat: Seat::Two, .. }),
        "{refused}"
    );
    let setup = cw_duel::DuelSetup {
        allow_illegal_decks: true,
        ..cw_duel::DuelSetup::from(1)
    };
    assert!(Duel::new(plain_game(), &illegal, setup).is_ok());
}

/// An option that is taken by its number is the answer that it is, and a number that names none changes
/// nothing.
#[test]
fn an_option_is_taken_by_its_number() {
    for (seed, game) in (0..).zip(games()) {
        let mut duel = start_in(&game, seed);
        let mut other = duel.clone();
        let mut dice = Dice(seed);
        while let Some(decision) = duel.pending() {
            let options = decision.options.len();
            let number = dice.below(options);
            let choice = decision.options[number];
            assert_eq!(other.take_option(options), None);
            assert_eq!(other.hash(), duel.hash());
            other.fetch();
            assert_eq!(other.take_option(number), Some(choice));
            duel.answer_silently(choice).expect("it was offered");
            assert_eq!(other.hash(), duel.hash());
        }
        assert_eq!((other.outcome(), other.take_option(0)), (duel.outcome(), None));
    }
}

/// D50, G267: two duels that differ only in what a player may not know give that player the same
/// views and the same decisions, now and along the same choices, until one of the cards that differ
/// is drawn.
#[test]
fn a_view_does_not_depend_on_what_it_hides() {
    let mut compared = 0;
    let mut differed = 0;
    for seed in 0..300 {
        let games = games();
        let mut duel = start_in(&games[seed as usize % games.len()], seed);
        let mut dice = Dice(seed + 5);
        let seat = Seat::from_index(seed as usize % 2);
        while duel.outcome().is_none() {
            if dice.below(8) == 0
                && let Some(other) = duel.with_unknown_redealt(seat, seed)
            {
                differed += usize::from(other.hash() != duel.hash());
                compared += go_on_alike(&duel, other, seat, &mut dice);
            }
            step(&mut duel, &mut dice);
        }
    }
    assert!(compared > 10_000, "only {compared} decisions were compared");
    assert!(differed > 1_000, "only {differed} duels were another duel");
}

/// Plays both on by the same choices: the seat's by chance, the other player only passes and
/// declines, since what else it may do depends on its cards. Gives the number of comparisons.
fn go_on_alike(duel: &Duel, mut other: Duel, seat: Seat, dice: &mut Dice) -> usize {
    let mut duel = duel.clone();
    let mut dice = dice.clone();
    let mut compared = 0;
    loop {
        assert_eq!(duel.view(seat), other.view(seat));
        compared += 1;
        let (Some(decision), Some(others)) = (duel.pending(), other.pending()) else {
            assert_eq!(duel.outcome(), other.outcome());
            return compared;
        };
        assert_eq!(decision.seat, others.seat);
        let options = &decision.options;
        let choice = if decision.seat == seat {
            assert_eq!(decision, others);
            options[dice.below(options.len())]
        } else if options.contains(&Choice::Pass) {
            Choice::Pass
        } else {
            *options.last().expect("a decision has options")
        };
        let mut seen = [SeenBy::new(seat), SeenBy::new(seat)];
        duel.answer(choice, &mut seen[0]).expect("it was offered");
        other
            .answer(choice, &mut seen[1])
            .expect("it was offered to both");
        if seen.iter().any(|seen| seen.drew) {
            return compared;
        }
        assert_eq!(seen[0].events, seen[1].events);
    }
}

/// Events as one player sees them.
struct SeenBy {
    seat: Seat,
    events: Vec<String>,
    /// The player got to know a card that nobody knew.
    drew: bool,
}

impl SeenBy {
    fn new(seat: Seat) -> SeenBy {
        SeenBy {
            seat,
            events: Vec::new(),
            drew: false,
        }
    }
}

impl Sink for SeenBy {
    fn event(&mut self, event: &DuelEvent) {
        if let DuelEvent::Moved { to, .. } = event {
            let hand = to.zone == ZoneKind::Pile(PileName::Hand);
            self.drew |= hand && to.seat == self.seat;
        }
        self.events.push(as_known_to(self.seat, event));
    }
}

/// An event with of each card only what the seat knew.
fn as_known_to(seat: Seat, event: &DuelEvent) -> String {
    let text = format!("{event:?}");
    let mut parts = text.split("Seen { card: ");
    let mut known = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (card, part) = part.split_once(", model: ").expect("a model");
        let (model, part) = part.split_once(", to: SeatSet(").expect("who knows it");
        let (to, rest) = part.split_once(") }").expect("the end");
        let knows = SeatSet(to.parse().expect("a set of players")).contains(seat);
        known += &format!("{card} {}{rest}", if knows { model } else { "?" });
    }
    known
}

/// D70: after a takeback across a draw both players see and are asked what they saw and were asked, each
/// side has the cards it had, and what nobody knows follows from the new seed alone, not from what it
/// was before.
#[test]
fn a_reseeded_duel_keeps_what_is_known_and_nothing_else() {
    let (mut reseeded, mut differed) = (0, 0);
    for seed in 0..60 {
        let games = games();
        let mut duel = start_in(&games[seed as usize % games.len()], seed);
        let mut dice = Dice(seed + 3);
        while duel.outcome().is_none() {
            if dice.below(12) == 0 {
                let fresh = Seed([seed as u8 + 1; 32]);
                let mut other = duel.clone();
                other.reseed(fresh);
                for seat in Seat::BOTH {
                    assert_eq!(other.view(seat), duel.view(seat), "seed {seed}");
                }
                assert_eq!(sides(&other), sides(&duel), "seed {seed}");
                other.check_invariants().expect("it is a duel like any other");
                let mut apart = duel.clone();
                apart.reseed(Seed::from(seed));
                differed += usize::from(apart.hash() != duel.hash());
                apart.reseed(fresh);
                assert_eq!(apart.hash(), other.hash(), "seed {seed}: the past shows");
                reseeded += 1;
            }
            step(&mut duel, &mut dice);
        }
    }
    assert!(
        reseeded > 300 && differed * 2 > reseeded,
        "{differed} of {reseeded}"
    );
}

/// What the cards of each deck are, however they lie.
fn sides(duel: &Duel) -> [Vec<ModelId>; 2] {
    [0..50, 50..100].map(|cards| {
        let mut models: Vec<ModelId> = cards.filter_map(|card| duel.true_model(CardId(card))).collect();
        models.sort_unstable();
        models
    })
}

/// What a copy costs: a few cache lines, one allocation for the cards (D9, D13: full tables end the
/// unit, they do not grow).
#[test]
fn the_state_is_small() {
    let duel = start(1);
    let bytes = duel.size_in_bytes();
    assert!(bytes <= 4 * 1024, "a copy copies {bytes} bytes");
}

/// A glance shows in short what the view of somebody who knows all of it shows (G14, G21).
#[test]
fn a_glance_agrees_with_the_view() {
    for (game, seed) in games().iter().cycle().zip(0..60) {
        let mut duel = start_in(game, seed);
        let mut dice = Dice(seed + 1);
        while duel.pending().is_some() {
            for seat in Seat::BOTH {
                let (view, glance) = (duel.view(seat), duel.glance(seat));
                let seen = &view.players[seat];
                assert_eq!((glance.hp(), glance.sp()), (seen.hp, seen.sp));
                assert_eq!(glance.pile(PileName::Deck), seen.deck.len());
                let hand = seen.hand.iter().map(|card| (card.card, card.model));
                assert!(glance.hand().map(|(card, model)| (card, Some(model))).eq(hand));
                let fighters: Vec<_> = seen.ring.iter().flatten().collect();
                assert_eq!(glance.fighters().count(), fighters.len());
                for (short, long) in glance.fighters().zip(fighters) {
                    assert_eq!(
                        (short.card, short.model, short.bp, short.ability),
                        (long.card, long.model, long.bp, long.ability)
                    );
                    assert_eq!(
                        (short.fresh, short.frozen, short.activated),
                        (long.fresh, long.frozen, long.activated)
                    );
                    assert_eq!(
                        (short.attacks, short.follows, short.blocks),
                        (long.attacks, long.follows, long.blocks)
                    );
                    assert_eq!(glance.backups(short.card), long.backups.len());
                    for keyword in &long.keywords {
                        assert!(glance.has_keyword(short.card, *keyword));
                    }
                }
            }
            step(&mut duel, &mut dice);
        }
    }
}
