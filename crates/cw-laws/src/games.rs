//! Settings, scenarios and records: what a game is made of, and what is played in it.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use cw_duel::{Duel, Game, PerSeat, Silent};
use cw_load::{Loaded, load};
use cw_octgn::{Files, Folder, MemoryFiles};
use cw_scenario::{Failure, RunOptions};
use cw_wire::{Replay, ReplayError, Timeline};

/// The demo game; its files in memory.
static FILES: LazyLock<MemoryFiles> = LazyLock::new(|| {
    let folder = Folder::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh"));
    let names = folder.list().expect("the demo game is in the repository");
    names.iter().fold(MemoryFiles::new(), |files, name| {
        files.with(name, folder.read(name, u64::MAX).expect("it can be read"))
    })
});

static SALTMARSH: LazyLock<Loaded> = LazyLock::new(|| load(&*FILES).expect("memory can be read"));

fn saltmarsh() -> &'static Arc<Game> {
    SALTMARSH.game.as_ref().expect("the demo game can be played")
}

/// Answers that are taken in a duel at most.
const ANSWERS: usize = 40;

pub(crate) fn settings(bytes: &[u8]) {
    let mut files = MemoryFiles::new();
    for name in FILES.list().expect("memory can be listed") {
        let small = !name.starts_with("Rules/") || name == "Rules/game.toml";
        if small && (name.ends_with(".xml") || name.ends_with(".o8d")) {
            files = files.with(&name, FILES.read(&name, u64::MAX).expect("memory can be read"));
        }
    }
    let loaded = load(&files.with("Rules/game.toml", bytes)).expect("memory can be read");
    let sources = &loaded.package.sources;
    for found in &loaded.diagnostics {
        let text = &sources.get(found.file).text;
        assert!(text.get(found.span.range()).is_some(), "{found:?}");
    }
    let (Some(game), [mine, theirs, ..]) = (&loaded.game, &loaded.decks[..]) else {
        return;
    };
    let decks = PerSeat([mine.cards.clone(), theirs.cards.clone()]);
    let Ok(mut duel) = Duel::new(Arc::clone(game), &decks, 7) else {
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
            Some(Failure::Fault(fault)) => fault.span,
            Some(Failure::Stuck { span, .. } | Failure::Unexpected { span, .. }) => span,
        };
        assert!(text.get(span.range()).is_some(), "{span:?}");
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
    match (&played, Timeline::of(&replay, game)) {
        (Ok(duel), Ok(timeline)) => assert_eq!(duel.hash(), timeline.now().hash()),
        (Err(_), Err(ReplayError::Diverged(diverged))) => {
            assert!(diverged.choice <= replay.moves.len() + 1, "{diverged:?}");
        }
        (Err(_), Err(_)) => {}
        (played, timeline) => panic!("one way goes on, the other not: {played:?} {timeline:?}"),
    }
}
