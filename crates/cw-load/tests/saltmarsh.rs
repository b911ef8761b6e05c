//! Whole duels of the demo game, with all its rules.

use std::path::Path;
use std::sync::Arc;

use cw_duel::{AbilityKind, Choice, Duel, DuelEvent, Game, PerSeat, Silent, Sink, Wants};
use cw_load::{Loaded, load};
use cw_octgn::{Folder, MemoryFiles, PackageFiles as _};
use cw_players::RandomPlayer;
use cw_text::Severity;

fn saltmarsh() -> Loaded {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    load(Folder::new(root)).expect("the demo game can be read")
}

fn start(game: &Arc<Game>, loaded: &Loaded, seed: u64) -> Duel {
    let swap = (seed % 2) as usize;
    let decks = PerSeat([
        loaded.decks[swap].cards.clone(),
        loaded.decks[1 - swap].cards.clone(),
    ]);
    Duel::new(Arc::clone(game), &decks, seed).expect("the decks are legal")
}

/// D38: every rule of the demo game is understood.
#[test]
fn every_rule_compiles() {
    let loaded = saltmarsh();
    let errors: Vec<_> = loaded
        .project
        .check()
        .found
        .into_iter()
        .filter(|found| found.severity == Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let game = loaded.game.expect("the demo game can be played");
    let unscripted: Vec<_> = game
        .models
        .iter()
        .filter(|model| model.is_unscripted())
        .map(|model| &model.name)
        .collect();
    assert!(unscripted.is_empty(), "{unscripted:?}");
}

/// G8, G9: the printed properties of every card are what the set's file says; the symbols of abilities
/// are `¢` (▲), `£` (■) and `¤` (●).
#[test]
fn printed_properties_are_read() {
    let loaded = saltmarsh();
    let game = loaded.game.expect("the demo game can be played");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh/Sets");
    let sets = std::fs::read_dir(folder).expect("the demo game has sets");
    let mut seen = 0;
    for set in sets {
        let path = set.expect("can be listed").path().join("set.xml");
        let text = std::fs::read_to_string(path).expect("a set has a file");
        for card in text.split("<card ").skip(1) {
            let after = |start: &str| {
                let (_, rest) = card.split_once(start)?;
                Some(rest.split_once('"')?.0.replace("&amp;", "&"))
            };
            let property =
                |name: &str| after(&format!("<property name=\"{name}\" value=\"")).unwrap_or_default();
            let name = after("name=\"").expect("a name");
            let model = game.model(game.find(&name).expect("every card is loaded"));
            seen += 1;
            let number = |name: &str| property(name).parse().unwrap_or(0);
            assert_eq!((model.bp, model.sp), (number("BP"), number("SP")), "{name}");
            let is_character = property("Kind") == "Character";
            assert_eq!(model.is_character(), is_character, "{name}");
            assert_eq!(model.bp > 0 && model.bp % 100 == 0, is_character, "{name}");
            let subtype = model
                .subtype
                .map(|subtype| &*game.subtypes[usize::from(subtype.0)]);
            assert_eq!(
                subtype.unwrap_or_default().to_lowercase(),
                property("Subtype").to_lowercase()
            );
            let symbol = match model.ability.as_ref().map(|ability| ability.kind) {
                None => "",
                Some(AbilityKind::Instant) => "\u{a2}",
                Some(AbilityKind::Triggered) => "\u{a3}",
                Some(AbilityKind::Auto) => "\u{a4}",
            };
            assert_eq!(symbol, property("Ability Type"), "{name}");
            assert!(property("Ability").starts_with(symbol), "{name}");
        }
    }
    assert!(seen >= 60, "only {seen} cards");
}

/// D2, D3, D13: random duels with card programs obey the invariants at every decision, also inside
/// effects; a copy goes on like the original.
#[test]
fn random_duels_obey_the_invariants() {
    let loaded = saltmarsh();
    let game = loaded.game.clone().expect("the demo game can be played");
    let (mut decisions, mut inside) = (0, 0);
    let mut failed = std::collections::BTreeMap::new();
    for seed in 0..duels(300) {
        let mut duel = start(&game, &loaded, seed);
        let mut random = RandomPlayer::new(seed);
        let mut events: Vec<DuelEvent> = Vec::new();
        while let Some(decision) = duel.pending().cloned() {
            if let Err(broken) = duel.check_invariants() {
                panic!("seed {seed}, decision {decisions}: {broken}\n{decision:?}");
            }
            decisions += 1;
            inside += usize::from(decision.place.is_some());
            let choice = random.pick(&decision);
            let mut copy = duel.clone();
            events.clear();
            let mut counting = Counting {
                events: &mut events,
                seed,
                choice,
            };
            duel.answer(choice, &mut counting).expect("an option is accepted");
            copy.answer(choice, &mut Silent).expect("an option is accepted");
            assert_eq!(duel.hash(), copy.hash(), "seed {seed}");
            for event in &events {
                if let DuelEvent::Failed { source, .. } = event {
                    *failed
                        .entry(game.model(source.true_model()).name.to_string())
                        .or_insert(0) += 1;
                }
            }
        }
    }
    assert!(
        inside > 100,
        "only {inside} of {decisions} decisions were asked by programs"
    );
    assert!(
        failed.is_empty(),
        "expressions that could not be evaluated: {failed:?}"
    );
}

/// The demo game with its cards in other files, and in another order there.
fn rearranged() -> MemoryFiles {
    const SET: &str = "Sets/48bbf5e7-da58-470c-b58b-b642cac888f3/set.xml";
    const OTHER: &str = "0a8bbf5e-da58-470c-b58b-b642cac888f3";
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let files = MemoryFiles::copy_of(&Folder::new(root), 1 << 24).expect("the demo game can be read");
    let set = files.read(SET, 1 << 24).expect("it has this set");
    let set = String::from_utf8(set).expect("XML is text");
    let (head, rest) = set.split_once("<cards>").expect("a set has cards");
    let (cards, tail) = rest.split_once("</cards>").expect("a set has cards");
    let mut cards: Vec<&str> = cards
        .split_inclusive("</card>")
        .filter(|card| card.contains("<card "))
        .collect();
    cards.reverse();
    let other = cards.split_off(cards.len() / 3);
    let write = |cards: &[&str]| format!("{head}<cards>{}</cards>{tail}", cards.concat());
    let second = write(&other).replacen("48bbf5e7-da58-470c-b58b-b642cac888f3", OTHER, 1);
    files
        .with(SET, write(&cards))
        .with(format!("Sets/{OTHER}/set.xml"), second)
}

/// D29, D77: how the files of the sets are arranged changes nothing in a duel: not the order of
/// options, not what the same choices lead to, not what a player is left to think.
#[test]
fn arranging_the_sets_differently_changes_nothing() {
    let loaded = saltmarsh();
    let other = load(rearranged()).expect("it can be read");
    let game = loaded.game.clone().expect("the demo game can be played");
    let second = other.game.clone().expect("the demo game can be played");
    let in_files = |loaded: &Loaded| {
        let cards = loaded.project.package.cards();
        cards
            .map(|(_, card)| card.id.value.to_string())
            .collect::<Vec<_>>()
    };
    assert_ne!(in_files(&loaded), in_files(&other));
    let names = |game: &Game| {
        game.models
            .iter()
            .map(|model| model.id.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&game), names(&second));
    for seed in 0..duels(6) {
        let mut duel = start(&game, &loaded, seed);
        let mut twin = start(&second, &other, seed);
        let mut random = RandomPlayer::new(seed);
        while let Some(decision) = duel.pending() {
            assert_eq!(Some(decision), twin.pending(), "seed {seed}");
            let (seat, choice) = (decision.seat, random.pick(decision));
            let (mut events, mut same) = (Vec::new(), Vec::new());
            duel.answer(choice, &mut events).expect("an option is accepted");
            twin.answer(choice, &mut same).expect("an option is accepted");
            assert_eq!(events, same, "seed {seed}");
            assert_eq!(duel.hash(), twin.hash(), "seed {seed}");
            let (sample, guess) = (duel.sample(seat, seed), twin.sample(seat, seed));
            assert_eq!(
                sample.map(|duel| duel.hash()),
                guess.map(|duel| duel.hash()),
                "seed {seed}"
            );
        }
    }
}

/// R1402, D24: who does not want steps is told everything else, in the same order, and the duel is the same.
#[test]
fn whoever_wants_no_steps_is_told_everything_else() {
    let loaded = saltmarsh();
    let game = loaded.game.clone().expect("the demo game can be played");
    let mut steps = 0;
    for seed in 0..duels(40) {
        let mut duel = start(&game, &loaded, seed);
        let mut twin = duel.clone();
        let mut random = RandomPlayer::new(seed);
        while let Some(decision) = duel.pending() {
            assert_eq!(Some(decision), twin.pending(), "seed {seed}");
            let choice = random.pick(decision);
            let (mut events, mut fewer) = (Vec::new(), NoSteps(Vec::new()));
            duel.answer(choice, &mut events).expect("an option is accepted");
            twin.answer(choice, &mut fewer).expect("an option is accepted");
            let all = events.len();
            events.retain(|event| !matches!(event, DuelEvent::Step { .. }));
            steps += all - events.len();
            assert_eq!(events, fewer.0, "seed {seed}");
            assert_eq!(duel.hash(), twin.hash(), "seed {seed}");
        }
        assert_eq!(duel.outcome(), twin.outcome(), "seed {seed}");
    }
    assert!(steps > 1_000, "only {steps} steps");
}

/// Wants no steps.
struct NoSteps(Vec<DuelEvent>);

impl Sink for NoSteps {
    fn event(&mut self, event: &DuelEvent) {
        self.0.push(*event);
    }

    fn wants(&self) -> Wants {
        Wants::Events
    }
}

/// No answer causes more than the loop guard lets happen (D13).
struct Counting<'a> {
    events: &'a mut Vec<DuelEvent>,
    seed: u64,
    choice: Choice,
}

impl Sink for Counting<'_> {
    fn event(&mut self, event: &DuelEvent) {
        let (seed, choice) = (self.seed, self.choice);
        self.events.push(*event);
        assert!(
            self.events.len() < 500_000,
            "seed {seed}: {choice:?} does not end; last {:?}",
            &self.events[self.events.len() - 40..]
        );
    }
}

/// How many duels to play: more where somebody wants more.
fn duels(usual: u64) -> u64 {
    std::env::var("CARDWRIGHT_DUELS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(usual)
}
