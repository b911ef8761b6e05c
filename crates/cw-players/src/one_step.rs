//! Players that try each option once on a few guesses about what they cannot see, and judge the table
//! that comes of it.
//!
//! An option that comes to nothing is left out while another is there (D68): otherwise an ability
//! that can be used again and again looks no worse than going on, and is used until the game stops it.

use cw_duel::{CardId, Choice, Duel, DuelEvent, Phase, Question, Seat, Sink, Wants};

use crate::door::{Ask, Guess};
use crate::habit::{HabitTable, by_habit, habitual, liking};
use crate::random::{RandomPlayer, mix};
use crate::ways::ways;

/// Guesses for each decision, if the budget allows.
const GUESSES: usize = 3;
/// Decisions answered after the option, until its consequences are there.
const DEPTH: usize = 24;
/// How far apart two options are, in the units of [`liking`], if a novice takes the better one e times
/// as often.
const NOVICE: f64 = 250.0;
/// What a coin or a random pick is worth: on a guess it is as good as any other, so only that it
/// happens counts.
const CHANCE: i64 = 20;

/// The best option; of equals any.
pub(crate) fn best(ask: &Ask<'_>) -> Choice {
    let mut random = RandomPlayer::new(mix(&[ask.seed]));
    let ranked = tried(ask, GUESSES).into_iter();
    let ranked = ranked.map(|tried| (tried.liking * 8 + random.below(8) as i64, tried.choice));
    let best = ranked.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or(ask.decision.options[0], |(_, choice)| choice)
}

/// The options that do not come to nothing; all if all do.
pub(crate) fn worth_trying(ask: &Ask<'_>) -> Vec<Choice> {
    tried(ask, GUESSES)
        .into_iter()
        .map(|tried| tried.choice)
        .collect()
}

/// Any option, each as often as its liking says: `exp(liking / NOVICE)` (Boltzmann's choice).
pub(crate) fn mostly_good(ask: &Ask<'_>) -> Choice {
    let tried = tried(ask, 1);
    let most = tried.iter().map(|tried| tried.liking).max().unwrap_or(0);
    let weights: Vec<f64> = tried
        .iter()
        .map(|tried| libm::exp((tried.liking - most) as f64 / NOVICE))
        .collect();
    const PARTS: usize = 1 << 30;
    let drawn = RandomPlayer::new(mix(&[ask.seed])).below(PARTS) as f64 / PARTS as f64;
    let mut left = drawn * weights.iter().sum::<f64>();
    for (tried, weight) in tried.iter().zip(&weights) {
        left -= weight;
        if left < 0.0 {
            return tried.choice;
        }
    }
    tried.last().map_or(ask.decision.options[0], |tried| tried.choice)
}

/// The first option after which the table is liked better than now; if there is none, what is done by
/// habit, and nothing at all if that is possible.
pub(crate) fn first_good(ask: &Ask<'_>) -> Choice {
    let table = HabitTable::seen(&ask.view());
    let now = liking(&table, ask.decision.seat);
    let tried = tried(ask, 1);
    let good = tried.iter().find(|tried| tried.liking > now);
    let nothing = || tried.iter().find(|tried| tried.choice == Choice::Pass);
    match good.or_else(nothing) {
        Some(tried) => tried.choice,
        None => habitual(ask.decision, &table),
    }
}

/// An option and what came of it.
struct TriedOption {
    choice: Choice,
    /// How much the seat likes the table after it, on average over the guesses.
    liking: i64,
}

/// Tries every option that is worth a try: at least one is.
fn tried(ask: &Ask<'_>, most_guesses: usize) -> Vec<TriedOption> {
    let options = &ask.decision.options;
    let seat = ask.decision.seat;
    let may_pass = options.contains(&Choice::Pass);
    let guesses = (ask.budget.playouts as usize / options.len()).clamp(1, most_guesses);
    let guesses: Vec<Before> = (0..guesses as u64)
        .filter_map(|number| ask.guess(number))
        .map(|guess| Before::new(guess, seat))
        .collect();
    if guesses.is_empty() {
        let table = HabitTable::seen(&ask.view());
        let by_habit = |choice| TriedOption {
            choice,
            liking: by_habit(ask.decision, &table, choice),
        };
        let on = options.iter().copied().filter(|option| match option {
            Choice::CancelAttack(_) | Choice::CancelBlock(_) => !may_pass,
            Choice::Decline => options.len() == 1,
            _ => true,
        });
        return on.map(by_habit).collect();
    }
    let options = ways(ask.decision, &guesses[0].guess);
    let mut idle = Vec::new();
    let mut tried: Vec<TriedOption> = Vec::new();
    for choice in options {
        let outlooks: Vec<Outlook> = guesses.iter().map(|guess| guess.outlook(seat, choice)).collect();
        let sum: i64 = outlooks.iter().map(|outlook| outlook.liking).sum();
        let liking = sum / outlooks.len() as i64;
        // On guesses where the table looks better it does something: that need not be asked.
        let comes_to_nothing = |(guess, outlook): (&Before, &Outlook)| {
            outlook.declined
                || outlook.liking <= guess.liking && guess.guess.is_idle(choice)
                || outlook.failed && outlook.liking <= guess.nothing(seat, may_pass)
        };
        let is_idle = begins_something(choice) && guesses.iter().zip(&outlooks).all(comes_to_nothing);
        let into = if is_idle { &mut idle } else { &mut tried };
        into.push(TriedOption { choice, liking });
    }
    if tried.is_empty() { idle } else { tried }
}

/// Whether the option uses a card of one's own free will.
fn begins_something(choice: Choice) -> bool {
    matches!(choice, Choice::Play(_) | Choice::BackUp(_) | Choice::Activate(_))
}

/// A guess, and how much the seat likes its table before anything is tried on it.
struct Before {
    guess: Guess,
    liking: i64,
}

/// What came of an option on one guess.
struct Outlook {
    liking: i64,
    /// It would do harm, and be declined on the way.
    declined: bool,
    /// It came to nothing: whatever has changed besides was not worth the card.
    failed: bool,
}

impl Before {
    fn new(guess: Guess, seat: Seat) -> Before {
        Before {
            liking: liking(&HabitTable::of(&guess), seat),
            guess,
        }
    }

    /// How much the seat likes the table if nothing is done: at once, or after the fight that goes on.
    fn nothing(&self, seat: Seat, may_pass: bool) -> i64 {
        match may_pass {
            true => self.liking.max(self.outlook(seat, Choice::Pass).liking),
            false => self.liking,
        }
    }

    /// Tries an option: the seat's further choices are made by habit, and so are the other's, up to
    /// the end of the fight if there is one.
    fn outlook(&self, seat: Seat, option: Choice) -> Outlook {
        let mut duel = self.guess.fork();
        let mut noted = Noted {
            card: option.card(),
            rolled: false,
            failed: false,
        };
        if duel.answer(option, &mut noted).is_err() {
            return Outlook {
                liking: i64::MIN / 16,
                declined: false,
                failed: false,
            };
        }
        // Whatever comes after passing is no chance that was taken.
        if noted.rolled && option != Choice::Pass {
            return Outlook {
                liking: self.liking + CHANCE,
                declined: false,
                failed: false,
            };
        }
        let could_decline = follow(&mut duel, seat, &mut noted);
        let after = liking(&HabitTable::of(&duel), seat);
        // What may still be declined does no harm: it has no effect. A fight goes on all the same.
        let declined = could_decline && begins_something(option) && after < self.liking;
        Outlook {
            liking: if declined { self.liking } else { after },
            declined,
            failed: noted.failed,
        }
    }
}

/// What is to be known of what happens on the way.
struct Noted {
    /// The card that is tried.
    card: Option<CardId>,
    /// A coin or a die was thrown, or something was picked at random.
    rolled: bool,
    /// What the card was to do came to nothing.
    failed: bool,
}

impl Sink for Noted {
    fn event(&mut self, event: &DuelEvent) {
        match event {
            DuelEvent::Rolled { .. } => self.rolled = true,
            DuelEvent::Unresolved { card, worked: false } if Some(card.card) == self.card => {
                self.failed = true;
            }
            _ => {}
        }
    }

    fn wants(&self) -> Wants {
        Wants::Events
    }
}

/// Answers by habit until the consequences are there; whether the seat could have declined on the way.
fn follow(duel: &mut Duel, seat: Seat, noted: &mut Noted) -> bool {
    let turn = duel.turn();
    let mut could_decline = false;
    for _ in 0..DEPTH {
        let Some(decision) = duel.pending() else { break };
        let fights = matches!(duel.phase(), Phase::Attack | Phase::CounterAttack | Phase::End);
        let in_action = !matches!(
            decision.question,
            Question::Main | Question::Attack | Question::CounterAttack
        );
        if duel.turn() != turn || !(fights || in_action) {
            break;
        }
        could_decline |= decision.declinable && decision.seat == seat;
        let next = habitual(decision, &HabitTable::of(duel));
        if duel.answer(next, noted).is_err() {
            break;
        }
    }
    could_decline
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cw_duel::{CardModel, DuelOutcome, DuelView, Game, PerSeat};
    use cw_program::{CardNameId, CardType, ModelId, SubtypeId};

    use super::*;
    use crate::{Level, SeatEyes, Sight, seed_of};

    fn fighter(number: u16) -> CardModel {
        CardModel {
            id: format!("{number:08}-0000-4000-8000-000000000000").into(),
            name: format!("Fighter {number}").into(),
            name_id: CardNameId(number),
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

    /// Plays a duel to its end.
    fn played(duel: &mut Duel, levels: PerSeat<Level>) {
        let mut number = 0;
        while let Some(eyes) = SeatEyes::of_who_is_asked(duel) {
            let seat = eyes.decision().seat;
            let choice = levels[seat].choose(&eyes.ask(seed_of(5, seat, number)));
            duel.answer_silently(choice).unwrap();
            number += 1;
        }
    }

    /// One step of look-ahead beats chance nearly always, from either seat.
    #[test]
    fn looking_ahead_beats_chance() {
        let mut won = 0;
        for seed in 0..12 {
            let mut duel = duel(seed);
            let me = Seat::from_index(seed as usize % 2);
            let level = |seat| if seat == me { Level::Easy } else { Level::Random };
            played(&mut duel, PerSeat::from_fn(level));
            won +=
                usize::from(matches!(duel.outcome(), Some(DuelOutcome::Won { winner, .. }) if winner == me));
        }
        assert!(won >= 11, "{won} of 12");
    }

    /// Sees, but cannot guess.
    struct NoGuesses<'a>(SeatEyes<'a>);

    impl Sight for NoGuesses<'_> {
        fn view(&self) -> DuelView {
            self.0.view()
        }

        fn guess(&self, _: u64) -> Option<Guess> {
            None
        }
    }

    /// The same question gives the same choice, and always one that is offered; so it does where
    /// nothing can be tried out.
    #[test]
    fn choices_are_offered_and_repeat() {
        let mut duel = duel(3);
        for step in 0..90 {
            let Some(eyes) = SeatEyes::of_who_is_asked(&duel) else {
                break;
            };
            let blind = NoGuesses(eyes);
            let ask = match step % 3 {
                0 => Ask {
                    sight: &blind,
                    ..eyes.ask(step)
                },
                _ => eyes.ask(step),
            };
            for level in Level::ALL {
                let choice = level.choose(&ask);
                assert_eq!(choice, level.choose(&ask), "{level:?}");
                assert!(ask.decision.options.contains(&choice), "{level:?}");
            }
            let next = Level::Easy.choose(&ask);
            duel.answer_silently(next).unwrap();
        }
    }
}
