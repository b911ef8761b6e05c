//! `check` and `play` read a package in one way: packages with one mistake each, compared.

mod mistakes;

use std::path::Path;
use std::sync::Arc;

use cw_duel::{Duel, PerSeat};
use cw_load::{Loaded, Project};
use cw_octgn::{Booster, Chance, Folder, MemoryFiles, Ratings, build, deck_of, sealed};
use cw_text::{Diagnostic, Severity};
use mistakes::mistaken;

/// How many packages are tried where nobody says otherwise; `MISTAKES=10000` is a campaign.
const MISTAKES: u64 = 60;

/// What `play` says no for: the findings it would show.
fn refused(loaded: &Loaded) -> Vec<Diagnostic> {
    let project = &loaded.project;
    let mut refused = project.obstacles();
    assert_eq!(refused.is_empty(), loaded.game.is_some(), "no game, no reason");
    refused.extend(project.rule_errors());
    let decks = project.package.decks.iter().take(2);
    refused.extend(decks.flat_map(|deck| project.deck_of_package(deck).errors()));
    refused
}

/// D38, D60, D71, D72: a package with rules in which nothing is found that is an error is never refused, and
/// whatever is refused is found, at its place.
#[test]
fn what_play_refuses_check_finds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let demo = MemoryFiles::copy_of(&Folder::new(root), 1 << 24).expect("the demo game can be read");
    let wanted = std::env::var("MISTAKES")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(MISTAKES);
    let (mut sound, mut broken) = (0, 0);
    for seed in 0..wanted {
        let (files, mistake) = mistaken(&demo, &mut Chance::new(seed));
        let project = Project::read(files).expect("memory can be read");
        let loaded = Loaded::of(project).expect("memory can be read");
        let project = &loaded.project;
        let checked = project.check().found;
        for one in refused(&loaded) {
            let same = |found: &&Diagnostic| {
                (found.code, found.severity, found.file, found.span)
                    == (one.code, one.severity, one.file, one.span)
            };
            assert!(
                checked.iter().any(|found| same(&found)),
                "{seed}, {mistake}: play alone says {one:#?}"
            );
        }
        if checked.iter().any(|found| found.severity == Severity::Error) || !project.has_rules() {
            broken += 1;
            continue;
        }
        sound += 1;
        let context = || format!("{seed}, {mistake}: nothing is wrong");
        let game = loaded
            .game
            .as_ref()
            .unwrap_or_else(|| panic!("{}, and there is no game", context()));
        if let [first, second, ..] = &loaded.decks[..] {
            let decks = PerSeat([first.cards.clone(), second.cards.clone()]);
            // Whether decks are legal the project has said; the engine may still have limits.
            let setup = cw_duel::Setup {
                allow_illegal_decks: true,
                ..cw_duel::Setup::from(seed)
            };
            let duel = Duel::new(Arc::clone(game), &decks, setup);
            assert!(
                duel.is_ok(),
                "{}, and the duel does not begin: {duel:?}",
                context()
            );
        }
        for (set, found) in project.package.sets.iter().enumerate() {
            for pack in 0..found.packs.len() {
                limited_decks_are_legal(project, &Booster::new(&project.package, set, pack), &context());
            }
        }
    }
    println!("{wanted} packages: {sound} sound, {broken} with errors, 0 differences");
    assert!(sound > 0 && broken > 0, "the mistakes are too grave or too small");
}

/// D72, P110: pools of any number of packs end in legal decks.
fn limited_decks_are_legal(project: &Project, booster: &Booster, context: &str) {
    for packs in [1, 6] {
        let boosters = vec![booster.clone(); packs];
        let pool = sealed(&boosters, 1, 7).remove(0);
        let rules = project
            .deck_rules()
            .expect("a game with rules has rules of decks");
        let rules = rules.limited(project, |rules| pool.playable(&|card| rules.copies_of(card)));
        let ratings = Ratings::new(&project.package, &[], None);
        let cards = build(&pool, &ratings, Some(*rules.size.start()), &|card| {
            rules.copies_of(card)
        });
        let deck = deck_of(&project.package, "pool", &cards);
        let reasons = project.reasons(&deck, Some(&rules));
        assert_eq!(reasons, Vec::<String>::new(), "{context}, {packs} packs");
    }
}
