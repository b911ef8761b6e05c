//! What a player should never do: the levels play duels of the demo game against themselves, and what they
//! did is looked through.
#![expect(clippy::print_stderr, reason = "a campaign tells its figures")]

use std::path::Path;
use std::sync::Arc;

use cw_duel::{Choice, Duel, DuelEvent, DuelOutcome, PerSeat, Question, Seat};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::{Ask, Level, SeatEyes, mix, seed_of};
use cw_scenario::{PuzzleGoal as Goal, PuzzleOracle as Oracle};

const SALTMARSH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/saltmarsh");
/// Deals of what a seat does not see on which an attack has to win.
const DEALS: u64 = 16;
/// Positions that are looked at for each question.
const LEFT: u32 = 200_000;

#[derive(Default)]
struct Silly {
    /// What came to nothing was used again in the same turn.
    repeated: Vec<u64>,
    /// A card was played, and nothing came of it.
    for_nothing: Vec<String>,
    /// Of attacks that win whatever the other does and holds.
    lethal: u64,
    missed: Vec<u64>,
}

/// Whether some attack wins in this turn, on the truth and on all deals: by one plan, that does the same on
/// all of them until the seat sees a difference.
fn is_lethal(duel: &Duel, seat: Seat) -> bool {
    let mut all = vec![duel.clone()];
    all.extend((0..DEALS).filter_map(|deal| duel.sample(seat, mix(&[deal]))));
    let mut oracle = Oracle::new(duel, seat, Goal::Win, LEFT);
    oracle.is_planned(&all) == Some(true)
}

/// The option used a card, which did nothing, and nothing else answered to it.
fn came_to_nothing(choice: Choice, events: &[DuelEvent]) -> bool {
    let Some(card) = choice.card() else { return false };
    let unresolved = |event: &DuelEvent| match event {
        DuelEvent::Unresolved { card: of, worked } => of.card == card && !worked,
        _ => false,
    };
    events.iter().any(unresolved)
        && !events
            .iter()
            .any(|event| matches!(event, DuelEvent::Triggered { .. }))
}

fn looked_through(level: Level, duels: u64) -> Silly {
    let loaded = load(Folder::new(Path::new(SALTMARSH))).expect("the demo game can be read");
    let game = loaded.game.clone().expect("the demo game can be played");
    let mut silly = Silly::default();
    for seed in 0..duels {
        let swap = (seed % 2) as usize;
        let decks = [swap, 1 - swap].map(|deck| loaded.decks[deck].cards.clone());
        let mut duel = Duel::new(Arc::clone(&game), &PerSeat(decks), seed).expect("the decks are legal");
        let mut number = 0;
        let mut wins: Option<(u16, Seat)> = None;
        let mut idle: Vec<(u16, Choice)> = Vec::new();
        let mut begun: Option<Choice> = None;
        while let Some(eyes) = SeatEyes::of_who_is_asked(&duel) {
            let decision = eyes.decision().clone();
            let (turn, seat) = (duel.turn(), decision.seat);
            if wins.is_some_and(|(of, _)| of != turn) {
                silly.missed.push(seed);
                wins = None;
            }
            let fresh = decision.question == Question::Attack
                && !decision
                    .options
                    .iter()
                    .any(|option| matches!(option, Choice::CancelAttack(_)));
            let bp: i32 = duel.glance(seat).fighters().map(|own| own.bp).sum();
            if fresh && bp >= duel.glance(seat.other()).hp() && is_lethal(&duel, seat) {
                silly.lethal += 1;
                wins = Some((turn, seat));
            }
            number += 1;
            let choice = level.choose(&Ask {
                budget: level.budget(),
                ..eyes.ask(seed_of(!seed, seat, number))
            });
            if matches!(choice, Choice::Play(_) | Choice::Activate(_)) {
                begun = Some(choice);
            }
            let mut events: Vec<DuelEvent> = Vec::new();
            duel.answer(choice, &mut events).expect("it is offered");
            if let Some(used) = begun.filter(|used| came_to_nothing(*used, &events)) {
                let card = used.card().and_then(|card| duel.true_model(card));
                if let Some(model) = card.map(|model| game.model(model))
                    && !model.is_character()
                {
                    silly.for_nothing.push(format!("{} in duel {seed}", model.name));
                }
                if idle.contains(&(turn, used)) {
                    silly.repeated.push(seed);
                }
                idle.push((turn, used));
                begun = None;
            }
        }
        let winner = match duel.outcome() {
            Some(DuelOutcome::Won { winner, .. }) => Some(winner),
            _ => None,
        };
        if wins.is_some_and(|(_, seat)| winner != Some(seat)) {
            silly.missed.push(seed);
        }
    }
    let Silly {
        repeated,
        for_nothing,
        lethal,
        missed,
    } = &silly;
    eprintln!(
        "{} in {duels} duels: repeated without effect {repeated:?}, \
         paid for nothing {for_nothing:?}, missed {missed:?} of {lethal} attacks that win",
        level.name()
    );
    silly
}

/// How many duels are looked through: a slice of the campaign, which `CARDWRIGHT_DUELS=200` runs.
fn duels() -> u64 {
    let asked = std::env::var("CARDWRIGHT_DUELS").ok();
    asked.and_then(|asked| asked.parse().ok()).unwrap_or(5)
}

/// D68: nothing is used again in the same turn that came to nothing, no card is played for nothing, and no
/// attack is missed that is proven to win. `CARDWRIGHT_LEVELS="hard expert"` asks other levels.
#[test]
fn no_silly_moments() {
    let asked = std::env::var("CARDWRIGHT_LEVELS").unwrap_or_else(|_| "easy normal".to_owned());
    for level in asked.split(' ') {
        let level = Level::named(level).expect("the name of a level");
        let silly = looked_through(level, duels());
        assert_eq!(silly.repeated, [0; 0], "{}", level.name());
        assert_eq!(silly.for_nothing, [""; 0], "{}", level.name());
        assert_eq!(silly.missed, [0; 0], "{}", level.name());
        assert!(silly.lethal > 0, "{}", level.name());
    }
}
