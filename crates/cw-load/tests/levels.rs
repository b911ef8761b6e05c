//! The computer's levels on the demo game: how well they play, and that they play by nothing but what
//! they see.
#![expect(clippy::print_stderr, reason = "a campaign tells its figures")]

use std::path::Path;
use std::sync::Arc;

use cw_duel::{CardId, Choice, Duel, DuelEvent, DuelOutcome, Game, PerSeat, Question, Seat};
use cw_load::{Loaded, load};
use cw_octgn::Folder;
use cw_players::{Ask, Guess, Level, Lists, RandomPlayer, SearchBudget, SeatEyes, mix, seed_of, sight};
use rayon::prelude::*;

fn saltmarsh() -> (Loaded, Arc<Game>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let game = loaded.game.clone().expect("the demo game can be played");
    (loaded, game)
}

fn begin(loaded: &Loaded, game: &Arc<Game>, seed: u64) -> Duel {
    let swap = (seed % 2) as usize;
    let decks = [swap, 1 - swap].map(|deck| loaded.decks[deck].cards.clone());
    Duel::new(Arc::clone(game), &PerSeat(decks), seed).expect("the decks are legal")
}

/// The seat's choice at a level.
fn choice(level: Level, budget: SearchBudget, duel: &Duel, seed: u64) -> Option<Choice> {
    let eyes = SeatEyes::of_who_is_asked(duel)?;
    Some(level.choose(&Ask {
        budget,
        ..eyes.ask(seed)
    }))
}

/// How far chooses a player of whom this is known by what it cannot see: decisions that were put
/// again with the unknown dealt anew, and those of them answered otherwise.
struct Honesty {
    compared: u64,
    inside_effects: u64,
    dealt_otherwise: u64,
    differed: u64,
}

impl Honesty {
    /// The player's choices do not depend on what it cannot see.
    #[track_caller]
    fn shows_none(&self, name: &str) {
        let Honesty {
            compared,
            inside_effects,
            dealt_otherwise,
            differed,
        } = self;
        eprintln!(
            "{name}: {compared} compared, {inside_effects} inside effects, \
             {dealt_otherwise} dealt otherwise, {differed} differed"
        );
        assert_eq!(*differed, 0, "{name}");
        assert!(
            inside_effects * 20 >= *compared,
            "too few inside effects to say anything"
        );
        assert!(dealt_otherwise * 10 > compared * 9);
    }
}

/// Makes another duel that looks the same to a seat, by a seed.
type Redeal = fn(&Duel, Seat, u64) -> Option<Duel>;

/// Puts decisions of many duels to a player, each four times again in another duel that looks the
/// same, until `enough` are compared.
fn honesty(enough: u64, redeal: Redeal, player: impl Fn(&Duel, u64) -> Option<Choice>) -> Honesty {
    let (loaded, game) = saltmarsh();
    let mut found = Honesty {
        compared: 0,
        inside_effects: 0,
        dealt_otherwise: 0,
        differed: 0,
    };
    for seed in 0.. {
        let mut duel = begin(&loaded, &game, seed);
        let mut random = RandomPlayer::new(seed);
        let mut number = 0;
        while let Some(decision) = duel.pending().cloned() {
            number += 1;
            let own = mix(&[seed, number]);
            let chosen = player(&duel, own);
            // Forced answers tell nothing; decisions inside effects are rare, so all are put.
            let inside = decision.place.is_some();
            if decision.options.len() > 1 && (inside || number % 3 == seed % 3) {
                for deal in 0..4 {
                    let Some(other) = redeal(&duel, decision.seat, mix(&[own, deal])) else {
                        continue;
                    };
                    found.compared += 1;
                    found.inside_effects += u64::from(inside);
                    found.dealt_otherwise += u64::from(other.hash() != duel.hash());
                    found.differed += u64::from(player(&other, own) != chosen);
                    let seen = |duel: &Duel| sight(&duel.view(decision.seat));
                    assert_eq!(seen(&other), seen(&duel), "seed {seed}: {decision:?}");
                    if found.compared == enough {
                        return found;
                    }
                }
            }
            // Chance leads to more positions than good play.
            let good = chosen.filter(|_| number % 2 == 0);
            let next = good.unwrap_or_else(|| random.pick(&decision));
            duel.answer_silently(next).expect("it was offered");
        }
    }
    found
}

/// How many redeals are compared: a slice of the campaign, which `CARDWRIGHT_REDEALS=100000` runs.
fn redeals() -> u64 {
    let asked = std::env::var("CARDWRIGHT_REDEALS").ok();
    asked.and_then(|asked| asked.parse().ok()).unwrap_or(1_200)
}

/// The levels that are asked: all, or those that `CARDWRIGHT_LEVELS="hard expert"` names.
fn levels() -> Vec<Level> {
    let Ok(asked) = std::env::var("CARDWRIGHT_LEVELS") else {
        return Level::ALL.to_vec();
    };
    let levels = asked.split_whitespace();
    let levels = levels.map(|name| Level::named(name).unwrap_or_else(|| panic!("no level is called {name}")));
    levels.collect()
}

/// What a level may try for an answer: 64 playouts, for what it sees does not depend on their number; its
/// own budget with `CARDWRIGHT_PLAYOUTS=full`.
fn budget(level: Level) -> SearchBudget {
    match std::env::var("CARDWRIGHT_PLAYOUTS").as_deref() {
        Ok("full") => level.budget(),
        Ok(other) => panic!("CARDWRIGHT_PLAYOUTS is “full” or not set, not “{other}”"),
        Err(_) => SearchBudget { playouts: 64 },
    }
}

/// D50: what the seat cannot know, and what chance will bring, change nothing in what a level does:
/// two duels that differ only in that get the same answer, at every decision and inside effects.
#[test]
fn levels_choose_by_what_they_see() {
    levels().into_par_iter().for_each(|level| {
        let found = honesty(redeals(), Duel::sample, |duel, seed| {
            choice(level, budget(level), duel, seed)
        });
        found.shows_none(level.name());
    });
}

/// D50: with closed lists the deck of the other changes nothing, either: the unseen cards are exchanged
/// for any cards of the game, and not even a player that looks at nothing but a guess sees it.
#[test]
fn with_closed_lists_the_others_deck_is_unknown() {
    let (loaded, _) = saltmarsh();
    let lists: Vec<_> = loaded.decks.iter().map(|deck| deck.cards.clone()).collect();
    let other_cards: Redeal = |duel, seat, seed| duel.sample_from(seat, &[], seed);
    let by_a_guess = |duel: &Duel, lists: Lists<'_>, seed: u64| {
        let eyes = SeatEyes::of_who_is_asked(duel)?.knowing(lists);
        let decision = eyes.decision();
        let guess = eyes.ask(seed).guess(0)?;
        let seen = sight(&guess.view(decision.seat.other()));
        Some(decision.options[(seen % decision.options.len() as u64) as usize])
    };
    // What an effect has touched once showed in three guesses of a thousand.
    let closed = honesty(redeals().max(5_000), other_cards, |duel, seed| {
        by_a_guess(duel, Lists::Closed(&lists), seed)
    });
    closed.shows_none("a guess with closed lists");
    let open = honesty(400, other_cards, |duel, seed| by_a_guess(duel, Lists::Open, seed));
    assert!(
        open.differed * 4 > open.compared,
        "with open lists it is no secret: {} differed",
        open.differed
    );
    let of_levels = [Level::Easy, Level::Normal];
    of_levels.into_par_iter().for_each(|level| {
        let found = honesty(redeals(), other_cards, |duel, seed| {
            let eyes = SeatEyes::of_who_is_asked(duel)?.knowing(Lists::Closed(&lists));
            Some(level.choose(&Ask {
                budget: SearchBudget { playouts: 64 },
                ..eyes.ask(seed)
            }))
        });
        found.shows_none(&format!("{} with closed lists", level.name()));
    });
}

/// D50: the comparison above sees a player that peeks: one that tries its options on the true duel.
#[test]
fn a_player_that_peeks_is_caught() {
    let peeks = |truth: &Duel, seed: u64| {
        let decision = truth.pending()?;
        let outlook = |option: &Choice| {
            let mut duel = truth.clone();
            let mut random = RandomPlayer::new(seed);
            duel.answer_silently(*option).expect("it is offered");
            for _ in 0..30 {
                let Some(next) = duel.pending().map(|decision| random.pick(decision)) else {
                    break;
                };
                duel.answer_silently(next).expect("it is offered");
            }
            let view = duel.view(decision.seat);
            view.players[decision.seat].hp - view.players[decision.seat.other()].hp
        };
        decision.options.iter().copied().max_by_key(outlook)
    };
    let found = honesty(1_000, Duel::sample, peeks);
    eprintln!("{} of {} differed", found.differed, found.compared);
    assert!(found.differed >= 10, "{} of {}", found.differed, found.compared);
}

/// D50: a guess at the opening hand of the other is right as often as chance makes it so, no more and no
/// less. A sampler that leaves something as it is would be right too often.
#[test]
fn guesses_are_right_as_often_as_chance() {
    let (loaded, game) = saltmarsh();
    let (mut right, mut expected, mut variance) = (0.0, 0.0, 0.0);
    for seed in 0..6_000 {
        let duel = begin(&loaded, &game, seed);
        let eyes = SeatEyes::of_who_is_asked(&duel).expect("somebody begins");
        let (me, other) = (eyes.decision().seat, eyes.decision().seat.other());
        let truth = duel.view(other).players[other].hand[0];
        let guess = Guess::of(&duel, me, Lists::Open, mix(&[seed])).expect("nothing has happened yet");
        right += f64::from(guess.true_model(truth.card) == truth.model);
        // All of the other's cards are unknown, so a model comes up as often as the deck has it.
        let swap = (seed % 2) as usize;
        let deck = &loaded.decks[(other.index() + swap) % 2].cards;
        let copies = |model| deck.iter().filter(|other| **other == model).count() as f64;
        let size = deck.len() as f64;
        let chance: f64 = deck.iter().map(|model| copies(*model) / (size * size)).sum();
        expected += chance;
        variance += chance * (1.0 - chance);
    }
    let far = (right - expected) / variance.sqrt();
    eprintln!("{right} of 6000 right, {expected:.1} expected: {far:.2} standard deviations");
    assert!(far.abs() < 4.0, "{right} right, {expected:.1} expected");
}

/// How a duel went.
struct Played {
    outcome: Option<DuelOutcome>,
    /// Decisions with more than one option.
    choices: usize,
    /// The loop guard ended something (D13).
    guarded: bool,
    /// Choices from a position that looked as one did from which the same seat had chosen in this turn.
    repeats: usize,
    /// What was asked and chosen in the last of them.
    last: Vec<(Question, Option<CardId>, Choice)>,
}

/// So many positions of a turn are remembered.
const REMEMBERED: usize = 32;

/// What a seat can point at in a position, as a number: whether an ability was used is no difference.
fn look(duel: &Duel, seat: Seat) -> u64 {
    let mut view = duel.view(seat);
    for player in &mut view.players.0 {
        for fighter in player.ring.iter_mut().flatten() {
            fighter.activated = false;
        }
    }
    sight(&view)
}

fn play(
    mut duel: Duel,
    levels: PerSeat<Level>,
    seed: u64,
    playouts: impl Fn(Level) -> SearchBudget,
) -> Played {
    let mut events: Vec<DuelEvent> = Vec::new();
    let (mut number, mut choices, mut guarded, mut repeats) = (0, 0, false, 0);
    let (mut turn, mut looks, mut last) = (0, Vec::new(), Vec::new());
    while let Some(eyes) = SeatEyes::of_who_is_asked(&duel) {
        let decision = eyes.decision();
        number += 1;
        let mut again = false;
        if decision.options.len() > 1 {
            choices += 1;
            if turn != duel.turn() {
                (turn, looks) = (duel.turn(), Vec::new());
            }
            let now = (decision.seat, look(&duel, decision.seat));
            again = looks.iter().rev().take(REMEMBERED).any(|look| *look == now);
            repeats += usize::from(again);
            looks.push(now);
        }
        let choice = levels[decision.seat].choose(&Ask {
            budget: playouts(levels[decision.seat]),
            ..eyes.ask(seed_of(seed, decision.seat, number))
        });
        if again {
            last.push((decision.question, decision.source, choice));
        }
        events.clear();
        duel.answer(choice, &mut events).expect("it was offered");
        guarded |= events
            .iter()
            .any(|event| matches!(event, DuelEvent::Guarded { .. }));
    }
    Played {
        outcome: duel.outcome(),
        choices,
        guarded,
        repeats,
        last: last.split_off(last.len().saturating_sub(8)),
    }
}

/// Few playouts, for tests that are to be quick.
fn few(_: Level) -> SearchBudget {
    SearchBudget { playouts: 80 }
}

/// Duels that `one` wins against `other`, with either deck and from either seat.
fn wins(duels: u64, one: Level, other: Level) -> u64 {
    let (loaded, game) = saltmarsh();
    let won = (0..duels).filter(|seed| {
        let me = Seat::from_index((seed / 2 % 2) as usize);
        let levels = PerSeat::from_fn(|seat| if seat == me { one } else { other });
        let played = play(begin(&loaded, &game, *seed), levels, !seed, few);
        matches!(played.outcome, Some(DuelOutcome::Won { winner, .. }) if winner == me)
    });
    won.count() as u64
}

/// One step of look-ahead beats chance nearly always.
#[test]
fn easy_beats_chance() {
    let won = wins(24, Level::Easy, Level::Random);
    assert!(won >= 22, "{won} of 24");
}

/// A search with less than half of its usual budget beats one step of look-ahead.
#[test]
fn normal_beats_easy() {
    let won = wins(40, Level::Normal, Level::Easy);
    assert!(won >= 24, "{won} of 40");
}

/// The lanes of a large search give the same answer on any number of threads, and what it thinks is what it
/// does: the first option is the one that it chooses.
#[test]
fn threads_change_nothing_and_thoughts_are_those_of_the_choice() {
    let (loaded, game) = saltmarsh();
    let mut compared = 0;
    for seed in 0..6 {
        let mut duel = begin(&loaded, &game, seed);
        let mut random = RandomPlayer::new(seed);
        let mut number = 0;
        while let Some(decision) = duel.pending().cloned() {
            number += 1;
            if decision.options.len() > 1 && number % 19 == seed % 19 {
                let eyes = SeatEyes::of_who_is_asked(&duel).expect("somebody is asked");
                let ask = Ask {
                    budget: SearchBudget { playouts: 300 },
                    ..eyes.ask(mix(&[seed, number]))
                };
                for level in [Level::Normal, Level::Hard, Level::Expert] {
                    let chosen = level.choose_on(&ask, 1);
                    assert_eq!(level.choose_on(&ask, 2), chosen, "seed {seed}, {decision:?}");
                    assert_eq!(level.choose_on(&ask, 8), chosen, "seed {seed}, {decision:?}");
                    compared += 1;
                    if matches!(decision.question, Question::SlotFor(_) | Question::MoveToSlot(_)) {
                        assert_eq!(level.think(&ask, 1), None, "slots are not searched");
                        continue;
                    }
                    let insight = level.think(&ask, 2).expect("it searches");
                    assert_eq!(level.think(&ask, 1).as_ref(), Some(&insight));
                    for weighed in &insight.options {
                        assert!(decision.options.contains(&weighed.choice));
                        assert!((0.0..=1.0).contains(&weighed.win), "{weighed:?}");
                        assert!(
                            weighed.low <= weighed.win && weighed.win <= weighed.high,
                            "{weighed:?}"
                        );
                        // Of what was not tried nothing is said.
                        let is_known = weighed.visits > 0 || weighed.proven;
                        let cost = insight.cost(weighed.choice);
                        assert_eq!(cost.is_some(), is_known, "{weighed:?}");
                        assert!(cost.is_none_or(|cost| (0.0..=1.0).contains(&cost)));
                    }
                    assert!(
                        insight.of(chosen).is_some(),
                        "seed {seed}: {chosen:?} of {insight:?}"
                    );
                    assert_eq!(insight.options[0].choice, chosen, "seed {seed}, {decision:?}");
                    let told: usize = insight
                        .options
                        .iter()
                        .map(|weighed| 1 + weighed.alike.len())
                        .sum();
                    assert_eq!(
                        told + insight.left_out.len(),
                        decision.options.len(),
                        "{insight:?}"
                    );
                }
            }
            duel.answer_silently(random.pick(&decision))
                .expect("it was offered");
        }
    }
    eprintln!("{compared} questions compared on 1, 2 and 8 threads");
    assert!(compared > 50, "{compared}");
}

/// D68: an option that comes to nothing is not taken again and again: before, one duel of ten went on
/// for a thousand choices until the loop guard ended it. The whole campaign is
/// `CARDWRIGHT_DUELS=100000 cargo test --release -p cw-load --test levels -- --nocapture no_duel`, and
/// `CARDWRIGHT_LEVELS=normal` asks another level, with its own budget; `CARDWRIGHT_FIRST` is the first seed.
#[test]
fn no_duel_of_easy_goes_round_in_circles() {
    let (loaded, game) = saltmarsh();
    let duels: u64 = std::env::var("CARDWRIGHT_DUELS").map_or(200, |asked| asked.parse().expect("a number"));
    let first: u64 = std::env::var("CARDWRIGHT_FIRST").map_or(0, |asked| asked.parse().expect("a number"));
    let asked = std::env::var("CARDWRIGHT_LEVELS").is_ok();
    for level in if asked { levels() } else { vec![Level::Easy] } {
        let threads = std::thread::available_parallelism().map_or(1, |number| number.get() as u64);
        let mut longest = [0, 0, 0];
        std::thread::scope(|scope| {
            let some = |thread: u64| {
                let (loaded, game) = (&loaded, &game);
                scope.spawn(move || {
                    let mut longest = [0, 0, 0];
                    for seed in (first + thread..first + duels).step_by(threads as usize) {
                        let budget = Level::budget;
                        let played = play(begin(loaded, game, seed), PerSeat([level; 2]), !seed, budget);
                        assert!(!played.guarded, "{level:?}, seed {seed}: the loop guard");
                        let (repeats, last) = (played.repeats, &played.last);
                        assert!(
                            repeats <= 20,
                            "{level:?}, seed {seed}: {repeats} repeats, as {last:?}"
                        );
                        longest[0] = longest[0].max(played.choices);
                        longest[1] = longest[1].max(played.repeats);
                        longest[2] += usize::from(played.repeats > 0);
                    }
                    longest
                })
            };
            let running: Vec<_> = (0..threads).map(some).collect();
            for thread in running {
                let [choices, repeats, number] = thread.join().expect("no duel went wrong");
                longest = [
                    longest[0].max(choices),
                    longest[1].max(repeats),
                    longest[2] + number,
                ];
            }
        });
        let [choices, repeats, number] = longest;
        eprintln!(
            "{duels} duels of {level:?}: {choices} choices and {repeats} repeats at most, {number} with any"
        );
        assert!(choices <= 400 || duels > 200, "{choices} choices");
    }
}

/// D68: duels in which United Attacks that cannot be paid were joined and taken back nearly 200 times.
#[test]
fn what_leads_nowhere_is_not_begun() {
    let (loaded, game) = saltmarsh();
    for (level, seed) in [(Level::Easy, 4967), (Level::Easy, 7404), (Level::Normal, 91)] {
        let played = play(
            begin(&loaded, &game, seed),
            PerSeat([level; 2]),
            !seed,
            Level::budget,
        );
        assert!(
            played.repeats <= 1,
            "{level:?}, seed {seed}: {} repeats, as {:?}",
            played.repeats,
            played.last
        );
    }
}

/// D50: not only the answers, the guesses themselves are the same whatever the seat cannot see, in the
/// middle of every effect that asks something. Where they were not, 3 of 100,000 answers of `normal` were
/// others: copies of a card that had been taken from a deck told where they lay in it.
#[test]
fn guesses_are_the_same_whatever_is_hidden() {
    let (loaded, game) = saltmarsh();
    let enough = redeals();
    let mut compared = 0;
    for seed in 0.. {
        let mut duel = begin(&loaded, &game, seed);
        let mut random = RandomPlayer::new(seed);
        let mut number = 0;
        while let Some(decision) = duel.pending().cloned() {
            number += 1;
            let own = mix(&[seed, number]);
            if decision.options.len() > 1 && decision.place.is_some() {
                let guesses = |duel: &Duel| -> Vec<_> {
                    let guess = |number| duel.sample(decision.seat, mix(&[own, number]));
                    (0..8)
                        .map(|number| guess(number).map(|guess| guess.hash()))
                        .collect()
                };
                let expected = guesses(&duel);
                for deal in 0..4 {
                    let Some(other) = duel.sample(decision.seat, mix(&[own, deal, 1])) else {
                        continue;
                    };
                    assert_eq!(guesses(&other), expected, "seed {seed}: {decision:?}");
                    compared += 1;
                }
            }
            // Chance leads to more positions than good play; good play to longer duels.
            let good = (number % 2 == 0)
                .then(|| SeatEyes::of_who_is_asked(&duel))
                .flatten();
            let next = good.map(|eyes| Level::Plain.choose(&eyes.ask(own)));
            let next = next.unwrap_or_else(|| random.pick(&decision));
            duel.answer_silently(next).expect("it was offered");
        }
        if compared >= enough {
            eprintln!("{compared} compared in {} duels", seed + 1);
            return;
        }
    }
}
