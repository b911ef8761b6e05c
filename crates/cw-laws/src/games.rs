//! Settings, scenarios and records: what a game is made of, and what is played in it.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use cw_duel::{Decks, Duel, DuelSetup, Game, PerSeat, Silent};
use cw_load::{Loaded, load};
use cw_octgn::{Folder, MemoryFiles, PackageFiles};
use cw_scenario::{RunOptions, ScenarioFailure};
use cw_stage::{ByteSource, RandomGame};
use cw_wire::{DuelTimeline, GameLink, LinkContent, LinkRefused, Replay, ReplayError};

/// The demo game; its files in memory.
static FILES: LazyLock<MemoryFiles> = LazyLock::new(|| {
    let folder = Folder::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh"));
    let names = folder.list().expect("the demo game is in the repository");
    names.iter().fold(MemoryFiles::new(), |files, name| {
        files.with(name, folder.read(name, u64::MAX).expect("it can be read"))
    })
});

static SALTMARSH: LazyLock<Loaded> = LazyLock::new(|| load(FILES.clone()).expect("memory can be read"));

pub(crate) fn loaded() -> &'static Loaded {
    &SALTMARSH
}

/// The demo game's own decks.
pub(crate) fn decks() -> Decks {
    PerSeat([0, 1].map(|deck| SALTMARSH.decks[deck].cards.clone()))
}

pub(crate) fn saltmarsh() -> &'static Arc<Game> {
    SALTMARSH.game.as_ref().expect("the demo game can be played")
}

/// Answers that are taken in a duel at most.
const ANSWERS: usize = 40;

/// Decisions of a duel of random rules at most.
const DECISIONS: usize = 150;

/// A package of four cards and two decks, but for its settings.
static SMALL: LazyLock<MemoryFiles> = LazyLock::new(|| {
    let definition = FILES
        .read("definition.xml", u64::MAX)
        .expect("every game has one");
    let id = |number: u32| format!("0a000000-0000-4000-8000-{number:012}");
    let kinds = ["Character", "Character", "Action", "Reaction"];
    let card = |(number, kind): (u32, &str)| {
        format!(
            "<card id=\"{}\" name=\"C{number}\"><property name=\"Type\" value=\"{kind}\"/>\
             <property name=\"BP\" value=\"{number}00\"/><property name=\"SP\" value=\"{number}\"/></card>",
            id(number)
        )
    };
    let cards: String = (1..).zip(kinds).map(card).collect();
    let lines: String = (1..=4)
        .map(|number| format!(r#"<card qty="3" id="{}">C{number}</card>"#, id(number)))
        .collect();
    let text = String::from_utf8_lossy(&definition);
    let game = text
        .split("id=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .unwrap_or_default();
    let set = format!(
        r#"<set name="S" id="{}" gameId="{game}"><cards>{cards}</cards></set>"#,
        id(9)
    );
    let deck = format!(r#"<deck game="{game}"><section name="Main">{lines}</section></deck>"#);
    MemoryFiles::new()
        .with("definition.xml", definition.clone())
        .with("Sets/s/set.xml", set)
        .with("Decks/a.o8d", deck.clone())
        .with("Decks/b.o8d", deck)
});

pub(crate) fn settings(bytes: &[u8]) {
    let files = SMALL.clone();
    let loaded = load(files.with("Rules/game.toml", bytes)).expect("memory can be read");
    let sources = &loaded.project.package.sources;
    for found in &loaded.project.check().found {
        let text = &sources.get(found.file).text;
        assert!(text.get(found.span.range()).is_some(), "{found:?}");
    }
    let (Some(game), [mine, theirs, ..]) = (&loaded.game, &loaded.decks[..]) else {
        return;
    };
    let decks = PerSeat([mine.cards.clone(), theirs.cards.clone()]);
    let setup = DuelSetup {
        allow_illegal_decks: true,
        ..DuelSetup::from(7)
    };
    let Ok(mut duel) = Duel::new_with(Arc::clone(game), &decks, setup, &mut Silent) else {
        return;
    };
    for answer in 0..ANSWERS {
        let Some(decision) = duel.pending() else {
            return;
        };
        let choice = decision.options[answer % decision.options.len()];
        duel.answer_silently(choice).expect("it is offered");
    }
}

pub(crate) fn duel(bytes: &[u8]) {
    let mut bytes = ByteSource::new(bytes);
    let random = RandomGame::read(&mut bytes);
    let mut duel = Duel::new(Arc::clone(&random.game), &random.decks, 1).expect("the decks are legal");
    for _ in 0..DECISIONS {
        let Some(decision) = duel.pending() else { return };
        let choice = *bytes.pick(&decision.options);
        let fork = duel.clone();
        duel.answer_silently(choice).expect("it is offered");
        if let Err(broken) = duel.check_invariants() {
            panic!("{broken}\n{}", random.texts.join("\n--\n"));
        }
        let mut again = fork;
        again.answer_silently(choice).expect("it is offered");
        assert_eq!(again.hash(), duel.hash(), "a copy goes another way");
    }
}

pub(crate) fn scenario(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let file = match cw_scenario::read(&text) {
        Ok(file) => file,
        Err(fault) => {
            assert!(text.get(fault.span.range()).is_some(), "{fault:?}");
            return;
        }
    };
    for scenario in file.scenarios.iter().take(3) {
        let report = cw_scenario::run(scenario, saltmarsh(), RunOptions::default());
        let span = match report.failure {
            None => report.span,
            Some(ScenarioFailure::Fault(fault)) => fault.span,
            Some(ScenarioFailure::Stuck { span, .. } | ScenarioFailure::Unexpected { span, .. }) => span,
        };
        assert!(text.get(span.range()).is_some(), "{span:?}");
    }
}

/// The bytes are what a link says, without its digest; or a text in which there is one.
pub(crate) fn link(bytes: &[u8]) {
    let digest = blake3::hash(bytes);
    let sealed = [bytes, &digest.as_bytes()[..4]].concat();
    let found = [
        GameLink::of_bytes(&sealed),
        GameLink::read(&String::from_utf8_lossy(bytes)),
    ];
    for link in found.into_iter().flatten() {
        let letters = link.write().expect("what was read has room");
        assert_eq!(GameLink::read(&letters).as_ref(), Ok(&link), "{letters}");
        match link.what {
            LinkContent::Duel(duel) => {
                let lists = decks().0;
                match duel.play(saltmarsh(), &lists) {
                    Ok(opened) => assert_eq!(opened.steps.len(), duel.len()),
                    Err(LinkRefused::Diverged(step)) => assert!(step <= duel.len(), "{step}"),
                    Err(_) => {}
                }
            }
            LinkContent::Deck(deck) => {
                if let Ok(cards) = deck.cards(saltmarsh()) {
                    assert_eq!(cards.len(), deck.len());
                }
            }
            LinkContent::Stage(_)
            | LinkContent::Scenario { .. }
            | LinkContent::Package(_)
            | LinkContent::Run(_) => {}
        }
    }
}

pub(crate) fn record(bytes: &[u8]) {
    let Ok(mut replay) = Replay::read(&String::from_utf8_lossy(bytes)) else {
        return;
    };
    let game = saltmarsh();
    replay.game.name.clone_from(&game.name);
    replay.game.fingerprint.clone_from(&game.fingerprint);
    let played = replay.play(game, usize::MAX, &mut Silent);
    match (&played, DuelTimeline::of(&replay, game)) {
        (Ok(duel), Ok(timeline)) => assert_eq!(duel.hash(), timeline.now().hash()),
        (Err(_), Err(ReplayError::Diverged(diverged))) => {
            assert!(diverged.choice <= replay.moves.len() + 1, "{diverged:?}");
        }
        (Err(_), Err(_)) => {}
        (played, timeline) => panic!("one way goes on, the other not: {played:?} {timeline:?}"),
    }
}
