//! Achievements: each is given where it is due, and not where little is missing.

use std::collections::BTreeSet;
use std::sync::Arc;

use cw_duel::{Game, PerSeat, Seat};
use cw_pages::feats::{ACHIEVEMENTS, done, earned};
use cw_pages::ladder::{Opponent, RunPlace};
use cw_pages::stage::ScenarioStage;
use cw_pages::table::{ChanceOrigin, DuelStart, DuelTable, SeatPlayer, TablePlace};
use cw_serve::Secret;

const SCENARIOS: &str = include_str!("feats.toml");

fn game() -> Arc<Game> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/saltmarsh");
    let loaded = cw_load::load(cw_octgn::Folder::new(folder)).unwrap();
    loaded.game.unwrap()
}

fn table(game: &Arc<Game>, stage: Option<Arc<ScenarioStage>>, opponent: Option<Opponent>) -> DuelTable {
    let deck = || {
        game.numbered()
            .take(25)
            .map(|(number, _)| number)
            .collect::<Vec<_>>()
    };
    let start = DuelStart {
        game: Arc::clone(game),
        catalogue: Arc::new(cw_faces::Catalogue::blank(game)),
        decks: PerSeat([deck(), deck()]),
        names: PerSeat::default(),
        who: PerSeat([SeatPlayer::Person, SeatPlayer::COMPUTER]),
        seed: Some(1.into()),
        first: None,
        allow_illegal_decks: true,
        stage,
        invites: None,
        opponent: opponent.map(Arc::new),
    };
    let seats = PerSeat::from_fn(|seat| TablePlace::new(start.who[seat], Secret::of([1; 32])));
    let origin = ChanceOrigin::Given(1.into());
    DuelTable::set_up(Arc::new(start), seats, origin, 1, Secret::of([2; 32])).unwrap()
}

#[test]
fn achievements_are_given_where_they_are_due() {
    let game = game();
    let known: BTreeSet<&str> = ACHIEVEMENTS.iter().map(|one| one.id).collect();
    assert_eq!(known.len(), ACHIEVEMENTS.len(), "each has an id of its own");
    let (mut given, mut kept_back, mut wrong) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for stage in ScenarioStage::read(SCENARIOS, &game).unwrap_or_else(|fault| panic!("{fault:?}")) {
        let name = stage.name().to_owned();
        let played = table(&game, Some(Arc::new(stage.after_its_steps())), None);
        let found = done(&played, Seat::One);
        let (due, not) = name.split_once("not").unwrap_or((&name, ""));
        for id in due.split_whitespace().chain(not.split_whitespace()) {
            assert!(known.contains(id), "{id} in “{name}”");
        }
        let missing: Vec<&str> = due.split_whitespace().filter(|id| !found.contains(id)).collect();
        let undue: Vec<&str> = not.split_whitespace().filter(|id| found.contains(id)).collect();
        if !missing.is_empty() || !undue.is_empty() {
            wrong.push(format!("{name}: {found:?}"));
        }
        given.extend(due.split_whitespace().map(str::to_owned));
        kept_back.extend(not.split_whitespace().map(str::to_owned));
        // The other seat has done none of it.
        let theirs = done(&played, Seat::Two);
        assert!(
            due.split_whitespace().all(|id| !theirs.contains(id)),
            "{name}: {theirs:?}"
        );
        // A lesson or a position of somebody's own counts for nothing.
        assert!(earned(&played, Seat::One).is_empty(), "{name}");
    }
    assert_eq!(wrong, [""; 0]);
    let beside = ["puzzle", "boss"].map(str::to_owned);
    let all: BTreeSet<String> = known.iter().map(|id| (*id).to_owned()).collect();
    given.extend(beside.clone());
    kept_back.extend(beside);
    assert_eq!((given, kept_back), (all.clone(), all), "each has both");
}

/// A puzzle counts if it is of a day and was solved by hand; its solution that is shown does not.
#[test]
fn a_puzzle_of_a_day_counts_once_it_is_solved() {
    let game = game();
    let puzzle = |name: &str| {
        let text = format!(
            "[[scenario]]\nname = \"{name}\"\ngoal = \"Win this turn.\"\nphase = \"attack\"\n\
             me = {{ ring = [\"Gasket 500\"] }}\nopponent = {{ hp = 500 }}\n\
             steps = [{{ attack = \"Gasket\" }}, \"end phase\", \"pass\"]\n"
        );
        ScenarioStage::read(&text, &game).unwrap().remove(0)
    };
    let solved = |name: &str, steps: usize| {
        let stage = puzzle(name);
        let shown = table(&game, Some(Arc::new(stage.after_its_steps())), None);
        let mut own = table(&game, Some(stage), None);
        own.follow(&shown, steps);
        let ids = |table: &DuelTable| {
            earned(table, Seat::One)
                .iter()
                .map(|one| one.id)
                .collect::<Vec<_>>()
        };
        (ids(&own), ids(&shown))
    };
    assert_eq!(solved("Puzzle of 2026-11-27", 3), (vec!["puzzle"], vec![]));
    assert_eq!(solved("Puzzle of 2026-11-27", 1), (vec![], vec![]));
    assert_eq!(solved("Puzzle of 2026-02-30", 3), (vec![], vec![]));
    assert_eq!(solved("Low tide", 3), (vec![], vec![]));
}

#[test]
fn a_boss_counts_who_was_beaten_in_a_run() {
    let game = game();
    let beaten = |rule: &str, run: bool, loser: Seat| {
        let opponent = Opponent {
            name: "Somebody".to_owned(),
            rule: rule.to_owned(),
            run: run.then(RunPlace::default),
            ..Opponent::default()
        };
        let mut table = table(&game, None, Some(opponent));
        table.forfeit(loser, table.number()).unwrap();
        earned(&table, Seat::One).iter().any(|one| one.id == "boss")
    };
    assert!(beaten("no rain", true, Seat::Two));
    assert!(!beaten("no rain", true, Seat::One));
    assert!(!beaten("no rain", false, Seat::Two));
    assert!(!beaten("", true, Seat::Two));
}
