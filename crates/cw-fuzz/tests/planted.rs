//! Faults that were planted in the rules and the cards of the demo game are found, and shown by short
//! scenarios.

use std::path::Path;
use std::sync::Arc;

use cw_duel::{Decks, Game, PerSeat};
use cw_fuzz::{FindKind, FuzzFind, FuzzOptions, FuzzReport, fuzz};
use cw_load::Loaded;
use cw_octgn::{Folder, MemoryFiles, PackageFiles};
use cw_scenario::RunOptions;

/// A character that works by itself, and an action.
const CHARACTER: &str = "Brioche Bruno";
const ACTION: &str = "Potluck";

/// Whether all faults are planted, each with a quarter of the positions that the command tries; otherwise a
/// few, with fewer.
fn is_whole() -> bool {
    std::env::var_os("CARDWRIGHT_PLANTED").is_some()
}

fn positions() -> usize {
    if is_whole() { 500 } else { 400 }
}

fn demo() -> MemoryFiles {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    MemoryFiles::copy_of(&Folder::new(root), 1 << 24).expect("the demo game can be read")
}

fn text(files: &MemoryFiles, name: &str) -> String {
    String::from_utf8(files.read(name, u64::MAX).expect("it is there")).expect("it is text")
}

fn loaded(files: MemoryFiles) -> (Loaded, Arc<Game>) {
    let loaded = cw_load::load(files).expect("memory can be read");
    let game = loaded.game.clone().expect("it can be played");
    (loaded, game)
}

/// The demo game with another rule for a card.
fn planted(name: &str, rule: &str) -> (Loaded, Arc<Game>) {
    let files = demo();
    let (loaded_demo, game) = loaded(files.clone());
    let model = game.named(name).next().expect("the demo game has this card");
    let id = game.model(model).id.to_string();
    drop(loaded_demo);
    let file = "Rules/core.rules";
    let old = text(&files, file);
    let new = match old.find(&format!("[{id}]")) {
        Some(at) => {
            let body = at + old[at..].find('\n').expect("a header ends its line");
            let end = old[body..].find("\n\n").map_or(old.len(), |end| body + end);
            format!("{}\n{rule}{}", &old[..body], &old[end..])
        }
        None => format!("{old}\n[{id}]\n{rule}\n"),
    };
    loaded(files.with(file, new))
}

fn campaign(game: &Arc<Game>, name: &str) -> FuzzReport {
    let options = FuzzOptions {
        cards: game.named(name).collect(),
        duels: 0,
        positions: positions(),
        ..FuzzOptions::default()
    };
    fuzz(game, &[], &options)
}

/// Card, rule, and what is found; `None`: a statement that never runs, with these words of the reason.
type Fault = (&'static str, &'static str, Option<FindKind>, &'static str);

/// R1004, D13, R505: expressions that fail in some games, loops, effects on nothing, and statements out of
/// reach.
const FAULTS: [Fault; 20] = [
    (
        "action",
        "action = hp(+100 / (me.sp - 3))",
        Some(FindKind::FailedExpression),
        "hit points",
    ),
    (
        "action",
        "action = draw(me.hand[2].sp)",
        Some(FindKind::FailedExpression),
        "",
    ),
    (
        "action",
        "action = hp(me.ring[0].bp)",
        Some(FindKind::FailedExpression),
        "",
    ),
    (
        "action",
        "action = hp(opp.discards[-1].bp)",
        Some(FindKind::FailedExpression),
        "",
    ),
    (
        "action",
        "vars = _n := 600 / me.ring.size\naction = hp(_n)",
        Some(FindKind::FailedExpression),
        "",
    ),
    (
        "action",
        "action = hp(100 % opp.hand.size)",
        Some(FindKind::FailedExpression),
        "",
    ),
    (
        "action",
        "action = hp(max(card.bp for card in me.ring))",
        Some(FindKind::FailedExpression),
        "",
    ),
    (
        "action",
        "action = [[if me.deck[0].bp > 300]] draw(1)",
        Some(FindKind::FailedExpression),
        "",
    ),
    (
        "action",
        "action = draw(1); hp([100, 200, 300][me.ring.size])",
        Some(FindKind::FailedExpression),
        "",
    ),
    (
        "action",
        "action = hp(int(me.ring.0.bp / opp.sp))",
        Some(FindKind::FailedExpression),
        "",
    ),
    (
        "auto",
        "auto = ~myHandChanges~ moveTo(hand) to(*<1>@myDiscards); rndDiscard(1)",
        Some(FindKind::GuardedLoop),
        "",
    ),
    (
        "auto",
        "auto = ~myHandChanges~ discard(1); moveTo(hand) to(*<1>@myDiscards)",
        Some(FindKind::GuardedLoop),
        "",
    ),
    (
        "action",
        "action = bp(+0) to(character@myRing)",
        Some(FindKind::IdleEffect),
        "",
    ),
    ("action", "action = hp(+0)", Some(FindKind::IdleEffect), ""),
    (
        "action",
        "action = swapPiles(myHand, myHand)",
        Some(FindKind::IdleEffect),
        "",
    ),
    (
        "action",
        "action = [[if me.hp > 99999]] draw(1)",
        None,
        "was false",
    ),
    (
        "action",
        "action = [[if me.ring.size > 4]] draw(2) [[else]] draw(1)",
        None,
        "was false",
    ),
    ("action", "action = [[if opp.sp < 0]] sp(+1)", None, "was false"),
    (
        "action",
        "action = [[if me.hand.size >= 0]] draw(1) [[else]] draw(2)",
        None,
        "was true",
    ),
    (
        "action",
        "target = character[bp>=5000]@oppRing\naction = destroy()",
        None,
        "",
    ),
];

fn finds_of(report: &FuzzReport, kind: FindKind) -> Vec<&FuzzFind> {
    report.finds.iter().filter(|find| find.kind == kind).collect()
}

#[test]
fn faults_in_rules_are_found_and_shown() {
    let mut out = String::new();
    let (mut shown, mut found) = (0, 0);
    // One fault of each kind, and some more of the first.
    let planted_now = FAULTS
        .into_iter()
        .enumerate()
        .filter(|(at, _)| is_whole() || at % 5 == 0 || *at == 13);
    for (_, (kind, rule, wanted, words)) in planted_now {
        let name = if kind == "auto" { CHARACTER } else { ACTION };
        let (_, game) = planted(name, rule);
        let report = campaign(&game, name);
        let Some(wanted) = wanted else {
            let missing = report.cards.iter().flat_map(|card| &card.missing);
            let is_told = missing.clone().any(|one| one.why.contains(words));
            if !is_told && report.finds.is_empty() {
                out += &format!("{rule}: {:?}\n", missing.collect::<Vec<_>>());
            }
            continue;
        };
        let finds = finds_of(&report, wanted);
        let Some(find) = finds.first() else {
            out += &format!("{rule}: no {wanted:?}: {:?}\n", report.finds);
            continue;
        };
        found += 1;
        if let Some(text) = &find.scenario {
            shown += 1;
            let lines = text.lines().filter(|line| !line.is_empty()).count();
            if lines > 12 {
                out += &format!("{rule}: {lines} lines\n{text}\n");
            }
            let file = cw_scenario::read(text).expect("a find is a scenario");
            let again = cw_scenario::run(&file.scenarios[0], &game, RunOptions::default());
            assert!(again.failure.is_none(), "{rule}: {:?}\n{text}", again.failure);
        } else {
            out += &format!("{rule}: no scenario\n");
        }
    }
    assert_eq!(out, "", "{found} found, {shown} shown\n{out}");
}

/// The same seed gives the same report, also on other threads.
#[test]
fn a_campaign_is_the_same_again() {
    let (_, game) = planted(ACTION, "action = hp(+100 / (me.sp - 3))");
    let words = |report: FuzzReport| format!("{report:?}");
    assert_eq!(words(campaign(&game, ACTION)), words(campaign(&game, ACTION)));
}

/// Every statement of the demo game runs, or what kept it from running is said.
#[test]
fn the_demo_game_is_reached_or_explained() {
    let (loaded, game) = loaded(demo());
    let decks: Vec<Decks> = vec![PerSeat([
        loaded.decks[0].cards.clone(),
        loaded.decks[1].cards.clone(),
    ])];
    let (positions, duels, least) = if is_whole() { (600, 20, 50) } else { (150, 4, 20) };
    let options = FuzzOptions {
        positions,
        duels,
        ..FuzzOptions::default()
    };
    let report = fuzz(&game, &decks, &options);
    let total: usize = report.cards.iter().map(|card| card.total).sum();
    let missing: Vec<_> = report.cards.iter().flat_map(|card| &card.missing).collect();
    assert!(missing.iter().all(|one| !one.why.is_empty()), "{missing:?}");
    assert!(
        missing.len() * least <= total,
        "{} of {total}: {missing:?}",
        missing.len()
    );
    assert!(report.finds.is_empty(), "{:#?}", report.finds);
}
