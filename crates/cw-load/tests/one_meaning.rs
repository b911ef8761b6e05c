//! `check` and `play` read a package in one way: packages with one mistake each, compared.

mod mistakes;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use cw_duel::{Duel, PerSeat};
use cw_load::{Language, Loaded, Project};
use cw_octgn::{
    Booster, Folder, MemoryFiles, PackChance, PackageFiles as _, Ratings, build, deck_of, sealed,
};
use cw_program::{PackageNames as _, compile};
use cw_syntax::{Arena, parse_python, parse_rules};
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
        let (files, mistake) = mistaken(&demo, &mut PackChance::new(seed));
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
        rules_are_those_without_errors(&loaded, &checked, &format!("{seed}, {mistake}"));
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
            let setup = cw_duel::DuelSetup {
                allow_illegal_decks: true,
                ..cw_duel::DuelSetup::from(seed)
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

/// D38, D60: the first rule of each card is played as it is compiled, if `check` finds no error in it, and
/// not at all if it does. Written apart from the judge: texts are read and compiled again.
fn rules_are_those_without_errors(loaded: &Loaded, checked: &[Diagnostic], context: &str) {
    let Some(game) = &loaded.game else { return };
    let mut expected: BTreeMap<u16, Option<String>> = BTreeMap::new();
    for source in &loaded.project.rules {
        let arena = Arena::new();
        let parsed = match source.language {
            Language::Rules => parse_rules(&arena, source.file, &source.text),
            Language::Python => parse_python(&arena, source.file, &source.text),
        };
        for rule in &parsed.rules {
            let Some(model) = loaded.project.cards().model(rule.card.text) else {
                continue;
            };
            let (from, to) = (rule.header.span.start, rule.header.body.end);
            let is_error = |found: &&Diagnostic| {
                found.severity == Severity::Error
                    && found.file == source.file
                    && (from..=to).contains(&found.span.start)
            };
            let meaning = match checked.iter().find(is_error) {
                Some(_) => None,
                None => {
                    let compiled = compile(source.file, &source.text, &rule.rule, loaded.project.cards());
                    Some(format!("{:?}", compiled.rule))
                }
            };
            expected.entry(model.0).or_insert(meaning);
        }
    }
    for (model, card) in game.numbered() {
        let played = card.program.as_ref().map(|program| format!("{:?}", program.rule));
        let wanted = expected.remove(&model.0).flatten();
        assert!(
            played == wanted,
            "{context}: `{}` is played by\n{played:?}\nnot by\n{wanted:?}",
            card.name
        );
    }
}

/// D38: what a game or a comment says about a code counts where rules are played, too. An error that is
/// allowed no longer keeps the rule from being played; a warning that is made an error does.
#[test]
fn severities_count_where_rules_are_played() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let demo = MemoryFiles::copy_of(&Folder::new(root), 1 << 24).expect("the demo game can be read");
    let plain = Loaded::of(Project::read(demo.clone()).expect("memory can be read")).expect("the same");
    let game = plain.game.expect("the demo game can be played");
    let bare = game.numbered().find(|(_, model)| model.program.is_none());
    let id = bare.expect("a card without rule").1.id.clone();
    let cases: [(&str, &str, bool); 6] = [
        ("action = drow(1) & hp(100)", "", false),
        ("action = drow(1) & hp(100)", "\nRS003 = \"allow\"\n", true),
        ("# cardwright: allow RS003\naction = drow(1) & hp(100)", "", true),
        ("action = destroy() to(opp)", "", false),
        ("action = draw(0)", "", true),
        ("action = draw(0)", "\nRS076 = \"error\"\n", false),
    ];
    for (rule, settings, is_played) in cases {
        let toml = demo
            .read("Rules/game.toml", u64::MAX)
            .expect("the demo game has settings");
        let toml = String::from_utf8(toml).expect("it is text");
        let toml = match toml.contains("[severities]") {
            true => toml.replace("[severities]", &format!("[severities]{settings}")),
            false => format!("{toml}\n[severities]\n{settings}"),
        };
        let files = demo
            .clone()
            .with("Rules/game.toml", toml)
            .with("Rules/zz.rules", format!("[{id}]\n{rule}\n"));
        let loaded = Loaded::of(Project::read(files).expect("memory can be read")).expect("the same");
        let found = loaded.project.check().found;
        let game = loaded.game.as_ref().expect("the game can be played");
        let model = game
            .numbered()
            .find(|(_, model)| model.id == id)
            .expect("the card")
            .1;
        assert_eq!(model.program.is_some(), is_played, "{rule} {settings}");
        assert_eq!(
            loaded.project.rule_errors().is_empty(),
            is_played,
            "{rule} {settings}"
        );
        let is_refused = found.iter().any(|found| found.severity == Severity::Error);
        assert_eq!(is_refused, !is_played, "{rule} {settings}");
    }
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
