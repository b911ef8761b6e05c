//! Recorded duels: run again, changed by a byte, walked along, left in the middle.

use std::path::Path;
use std::sync::Arc;

use cw_duel::{CardId, Choice, Duel, Game, PerSeat, Seat, Silent};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::RandomPlayer;
use cw_program::ModelId;
use cw_wire::{DuelTimeline, Recorder, Replay, ReplayError, TimelineAct, notation, read_notation};

fn saltmarsh() -> (Arc<Game>, PerSeat<Vec<ModelId>>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let decks = PerSeat([loaded.decks[0].cards.clone(), loaded.decks[1].cards.clone()]);
    (loaded.game.expect("the demo game can be played"), decks)
}

/// How many to run: more where somebody wants more.
fn count(usual: u64) -> u64 {
    std::env::var("CARDWRIGHT_DUELS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(usual)
}

/// A duel of two players by chance, and its record.
fn recorded(game: &Arc<Game>, decks: &PerSeat<Vec<ModelId>>, seed: u64) -> (DuelTimeline, Replay) {
    let mut duel = Duel::new(Arc::clone(game), decks, seed).expect("the decks are legal");
    let mut timeline = DuelTimeline::new(duel.clone());
    let mut recorder = Recorder::new(game, decks, seed, None);
    let mut random = RandomPlayer::new(seed);
    while let Some(decision) = duel.pending().cloned() {
        let choice = random.pick(&decision);
        timeline.answer(choice).expect("it is offered");
        recorder
            .answer(&mut duel, choice, &mut Silent)
            .expect("it is offered");
    }
    (timeline, recorder.replay().clone())
}

/// G275: every record runs again to the same hash after each choice, read from its text; made on
/// several threads it is the same text.
#[test]
fn records_run_again_on_any_number_of_threads() {
    let (game, decks) = saltmarsh();
    let duels = count(60);
    let run = |threads: u64| -> Vec<(u64, String)> {
        let mut all: Vec<(u64, String)> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|thread| {
                    let (game, decks) = (&game, &decks);
                    scope.spawn(move || {
                        let seeds = (thread..duels).step_by(threads as usize);
                        seeds
                            .map(|seed| (seed, recorded(game, decks, seed).1.write()))
                            .collect::<Vec<_>>()
                    })
                })
                .collect();
            let done = workers.into_iter().map(|worker| worker.join().expect("it ends"));
            done.flatten().collect()
        });
        all.sort();
        all
    };
    let one = run(1);
    assert_eq!(one.len() as u64, duels);
    assert!(one == run(3), "threads make a difference");
    compare_with_another_build(&one);
    let mut choices = 0;
    for (seed, text) in one {
        let replay = Replay::read(&text).expect("it was just written");
        let duel = replay
            .play(&game, usize::MAX, &mut Silent)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert!(duel.outcome().is_some());
        choices += replay.moves.len();
    }
    assert!(choices as u64 > 20 * duels, "only {choices} choices");
}

/// `CARDWRIGHT_DIGESTS=FILE` keeps the digests of all records, or compares them with those that a build
/// of another profile or platform has kept.
fn compare_with_another_build(records: &[(u64, String)]) {
    let Some(file) = std::env::var_os("CARDWRIGHT_DIGESTS") else {
        return;
    };
    // FNV-1a.
    let digest = |text: &str| {
        text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    let lines: Vec<String> = records
        .iter()
        .map(|(seed, text)| format!("{seed} {:016x}\n", digest(text)))
        .collect();
    match std::fs::read_to_string(&file) {
        Ok(kept) => assert!(kept == lines.concat(), "another build made other records"),
        Err(_) => std::fs::write(&file, lines.concat()).expect("the file can be written"),
    }
}

/// A changed byte is found at its choice: in who chose, what, and the state after it; a changed
/// result at the last one.
#[test]
fn a_changed_byte_is_found_at_its_choice() {
    let (game, decks) = saltmarsh();
    let (_, replay) = recorded(&game, &decks, 5);
    let text = replay.write();
    let mut random = RandomPlayer::new(9);
    let (mut found, mut unreadable) = (0, 0);
    for _ in 0..1_500 {
        let at = random.below(text.len());
        let mut bytes = text.clone().into_bytes();
        let old = bytes[at];
        bytes[at] = if old.is_ascii_digit() {
            b'0' + (old - b'0' + 1 + random.below(8) as u8) % 10
        } else {
            b'a' + random.below(26) as u8
        };
        let Some(changed) = String::from_utf8(bytes)
            .ok()
            .and_then(|text| Replay::read(&text).ok())
        else {
            unreadable += 1; // no JSON any more, or no player of this number
            continue;
        };
        if changed == replay {
            continue;
        }
        let step = replay.moves.iter().zip(&changed.moves).position(|(a, b)| a != b);
        let error = changed.play(&game, usize::MAX, &mut Silent);
        let error = error.expect_err("a changed record does not run as before");
        match (step, error) {
            (Some(step), ReplayError::Diverged(diverged)) => {
                assert_eq!(diverged.choice, step + 1, "{diverged}");
                assert!(diverged.to_string().contains(&format!("choice {}", step + 1)));
                found += 1;
            }
            (Some(step), error) => panic!("choice {}: {error}", step + 1),
            // Something of the head: another game, deck, seed or result.
            (None, _) => {}
        }
    }
    assert!(
        found > 100 && unreadable > 0,
        "{found} found, {unreadable} unreadable"
    );
    let mut result = replay.clone();
    result.result = Some("player 3 wins".into());
    let error = result
        .play(&game, usize::MAX, &mut Silent)
        .expect_err("nobody of the kind won");
    assert!(
        error
            .to_string()
            .contains(&format!("choice {}", replay.moves.len())),
        "{error}"
    );
}

/// Going on from any choice, inside effects too, with the same choices is the same duel; with others
/// it is another one, and the first is as it was.
#[test]
fn a_branch_goes_on_like_the_straight_run() {
    let (game, decks) = saltmarsh();
    let (mut branches, mut inside, mut others) = (0, 0, 0);
    let wanted = count(300);
    for seed in 0.. {
        if branches >= wanted {
            break;
        }
        let (timeline, _) = recorded(&game, &decks, seed);
        let mut random = RandomPlayer::new(seed + 1);
        for _ in 0..25 {
            let at = random.below(timeline.len());
            let before = timeline.at(at);
            inside += u64::from(before.pending().is_some_and(|decision| decision.place.is_some()));
            assert_eq!(
                before.hash(),
                at.checked_sub(1)
                    .map_or(timeline.at(0).hash(), |last| timeline.taken()[last].hash)
            );
            let mut branch = timeline.branch(at);
            for taken in &timeline.taken()[at..] {
                branch
                    .take(taken.act, false, &mut Silent)
                    .expect("the same is offered");
                assert_eq!(branch.taken().last(), Some(taken), "seed {seed}, from {at}");
            }
            assert_eq!(branch.now().hash(), timeline.now().hash());
            branches += 1;
            let decision = before.pending().expect("it was answered").clone();
            let other = random.pick(&decision);
            if TimelineAct::Chose(other) != timeline.taken()[at].act {
                let mut branch = timeline.branch(at);
                branch.answer(other).expect("it is offered");
                assert_eq!(branch.len(), at + 1);
                assert_eq!(timeline.at(at).hash(), before.hash());
                others += 1;
            }
        }
    }
    assert!(
        inside > 10 && others > 50,
        "{inside} inside effects, {others} other ways"
    );
}

/// A timeline and its record are the same duel; forwards and backwards, all states are the recorded
/// ones, and a record that went on from the middle is a record.
#[test]
fn a_record_is_walked_along() {
    let (game, decks) = saltmarsh();
    let (timeline, replay) = recorded(&game, &decks, 3);
    let walked = DuelTimeline::of(&replay, &game).expect("it runs again");
    assert_eq!(walked.len(), replay.moves.len());
    for at in (0..walked.len()).rev() {
        assert_eq!(walked.at(at + 1).hash().to_string(), replay.moves[at].hash);
        assert_eq!(walked.taken()[at].hash, timeline.taken()[at].hash);
    }
    let half = walked.len() / 2;
    let mut branch = walked.branch(half);
    let mut random = RandomPlayer::new(77);
    while let Some(decision) = branch.now().pending().cloned() {
        branch.answer(random.pick(&decision)).expect("it is offered");
    }
    let record = Recorder::resume(&replay, 0).replay_of(&branch);
    assert_eq!(record.moves[..half], replay.moves[..half]);
    let again = DuelTimeline::of(&record, &game).expect("it is a record");
    assert_eq!(again.now().hash(), branch.now().hash());
    let mut events = Vec::new();
    (0..walked.len()).for_each(|at| walked.events_of(at, &mut events));
    let mut told = Vec::new();
    let straight = replay.play(&game, usize::MAX, &mut told).expect("it runs again");
    assert_eq!(straight.hash(), walked.now().hash());
    // The record tells of the beginning as well.
    assert_eq!(events[..], told[told.len() - events.len()..]);
}

/// G267, G268: one's own last choice may be taken back while nothing came to light for the player and
/// nobody else has chosen; a draw, a coin, a look or the next turn ends that.
#[test]
fn undo_ends_where_something_comes_to_light() {
    let (game, decks) = saltmarsh();
    let (mut allowed, mut refused) = (0, 0);
    for seed in 0..20 {
        let mut duel = DuelTimeline::new(Duel::new(Arc::clone(&game), &decks, seed).expect("legal decks"));
        assert_eq!(duel.undo_step(Seat::One), None);
        let mut random = RandomPlayer::new(seed);
        while let Some(decision) = duel.now().pending().cloned() {
            let seat = decision.seat;
            let known = |duel: &Duel| -> Vec<bool> {
                let cards = (0..100).map(cw_duel::CardId);
                cards.map(|card| duel.known_model(seat, card).is_some()).collect()
            };
            let (before, knew, turn) = (duel.now().hash(), known(duel.now()), duel.now().turn());
            duel.answer(random.pick(&decision)).expect("it is offered");
            assert_eq!(duel.undo_step(seat.other()), None);
            match duel.undo_step(seat) {
                Some(at) => {
                    // What the player knows now it knew before.
                    let learned = known(duel.now())
                        .iter()
                        .zip(&knew)
                        .any(|(now, before)| *now && !before);
                    assert!(!learned && duel.now().turn() == turn, "seed {seed}");
                    let mut back = duel.clone();
                    back.truncate(at);
                    assert_eq!(back.now().hash(), before);
                    allowed += 1;
                }
                None => refused += 1,
            }
        }
        assert_eq!(duel.undo_step(Seat::One), None);
    }
    assert!(
        allowed > 200 && refused > 200,
        "{allowed} allowed, {refused} refused"
    );
}

/// D70: what is taken back by consent after a draw does not come again: the deck and all later chance
/// follow from the new seed alone, what the players know of the moment they go back to stays, and the
/// record of it is a record.
#[test]
fn what_is_taken_back_after_a_draw_comes_from_another_seed() {
    let (game, decks) = saltmarsh();
    let (mut over_a_draw, mut other_draws, mut refused) = (0, 0, 0);
    for number in 0..40 {
        let (straight, replay) = recorded(&game, &decks, number);
        let mut random = RandomPlayer::new(number + 1);
        let played = 1 + random.below(straight.len() - 1);
        let mut timeline = straight.branch(played);
        let seat = Seat::from_index(random.below(2));
        let Some(to) = timeline.undo_step_by_consent(seat) else {
            refused += 1;
            continue;
        };
        assert!(timeline.taken()[to].seat == seat && !timeline.taken()[to].auto);
        let later = timeline.taken()[to..].to_vec();
        if !timeline.revealed_since(to) {
            assert!(later.iter().all(|taken| taken.revealed == [false; 2]));
            continue;
        }
        let seed = cw_duel::Seed([number as u8 + 1; 32]);
        timeline.truncate(to);
        let views = |duel: &Duel| Seat::BOTH.map(|seat| duel.view(seat));
        let seen = views(timeline.now());
        timeline
            .take(TimelineAct::Reseeded(seat, seed), true, &mut Silent)
            .expect("the duel goes on");
        assert_eq!(views(timeline.now()), seen, "seed {number}");
        assert_eq!(timeline.undo_step(seat), None, "not behind it without asking");
        assert!(timeline.undo_step_by_consent(seat).is_none_or(|at| at < to));
        over_a_draw += 1;
        // The same choices, as far as they are there, lead elsewhere now and then.
        for taken in later {
            if timeline.take(taken.act, false, &mut Silent).is_err() {
                break;
            }
        }
        let shown = |after: &Duel, before: &Duel| views(after) != views(before);
        let mut common = to + 1..=timeline.len().min(straight.len() + 1);
        other_draws += usize::from(common.any(|at| shown(&timeline.at(at), &straight.at(at - 1))));
        while let Some(decision) = timeline.now().pending().cloned() {
            timeline.answer(random.pick(&decision)).expect("it is offered");
        }
        let text = Recorder::resume(&replay, 0).replay_of(&timeline).write();
        assert!(text.contains(&format!("reseed:{seed}")), "{text}");
        let record = Replay::read(&text).expect("it is a record");
        let again = DuelTimeline::of(&record, &game).expect("it runs again");
        assert_eq!(again.now().hash(), timeline.now().hash());
        assert_eq!(again.at(to + 1).hash(), timeline.at(to + 1).hash());
        let played = record.play(&game, usize::MAX, &mut Silent).expect("straight on");
        assert_eq!(played.hash(), timeline.now().hash());
        let wrong = text.replacen(&format!("reseed:{seed}"), "reseed:nothing", 1);
        let wrong = Replay::read(&wrong)
            .expect("it is read")
            .play(&game, usize::MAX, &mut Silent);
        assert!(matches!(wrong, Err(ReplayError::Diverged(_))));
    }
    assert!(
        over_a_draw > 15 && other_draws * 2 > over_a_draw && refused < 20,
        "{over_a_draw} over a draw, {other_draws} went elsewhere, {refused} refused"
    );
}

/// Choices of a policy go back together with the choice by hand before them.
#[test]
fn undo_skips_automatic_choices() {
    let (game, decks) = saltmarsh();
    let mut duel = DuelTimeline::new(Duel::new(game, &decks, 1).expect("legal decks"));
    let seat = duel.now().pending().expect("it begins").seat;
    let play = duel.now().pending().expect("it begins").options.iter().copied();
    let play = play
        .filter(|choice| matches!(choice, Choice::Play(_)))
        .find(|choice| {
            let mut copy = duel.clone();
            copy.answer(*choice).is_ok() && copy.undo_step(seat) == Some(0)
        })
        .expect("a card that tells nothing new");
    duel.answer(play).expect("it is offered");
    let next = duel.now().pending().expect("it goes on").options[0];
    let mut auto = duel.clone();
    auto.take(TimelineAct::Chose(next), true, &mut Silent)
        .expect("it is offered");
    let by_hand = auto.taken()[1];
    if by_hand.seat == seat && !by_hand.revealed[seat.index()] {
        assert_eq!(auto.undo_step(seat), Some(0));
    }
}

/// Every option of every decision of random duels is read back from its notation as itself, no two of a
/// decision are written alike, and what is not written by it is no choice.
#[test]
fn every_option_is_read_back_as_itself() {
    let (game, decks) = saltmarsh();
    let (mut options, mut words) = (0, std::collections::BTreeSet::new());
    for seed in 0..count(60) {
        let mut duel = Duel::new(Arc::clone(&game), &decks, seed).expect("the decks are legal");
        let mut random = RandomPlayer::new(seed);
        while let Some(decision) = duel.pending().cloned() {
            let mut texts: Vec<String> = Vec::new();
            for option in &decision.options {
                let text = notation(&game, *option);
                assert_eq!(read_notation(&game, &text), Some(*option), "{text}");
                assert!(text.len() <= 48 && !text.contains(char::is_whitespace), "{text}");
                words.insert(text.split(':').next().unwrap_or("").to_owned());
                texts.push(text);
            }
            options += texts.len();
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), decision.options.len(), "{:?}", decision.options);
            duel.answer_silently(random.pick(&decision))
                .expect("it is offered");
        }
    }
    assert!(
        options > 10_000 && words.len() >= 20,
        "{options} options, {words:?}"
    );
    // Records of older versions have other words for three choices.
    for (old, now) in [
        ("backup:12", Choice::BackUp(CardId(12))),
        ("unattack:12", Choice::CancelAttack(CardId(12))),
        ("unblock:12", Choice::CancelBlock(CardId(12))),
    ] {
        assert_eq!(read_notation(&game, old), Some(now), "{old}");
        assert_ne!(notation(&game, now), old);
    }
    for wrong in [
        "",
        ":",
        "play",
        "play:",
        "play:012",
        "play:+1",
        "play:256",
        "play:1:1",
        "play: 1",
        "Play:1",
        "pass:1",
        "slot:0",
        "player:0",
        "player:3",
        "copy:",
        "copy:nobody",
        "copy:nobody/2",
        "forfeit",
        "draw",
        "play:1\n",
        "zone:1 ",
        "slot:-1",
        "é:1",
    ] {
        assert_eq!(read_notation(&game, wrong), None, "{wrong}");
    }
    let id = &game.models[0].id;
    for wrong in [
        format!("copy:{id}/1"),
        format!("copy:{id}/2"),
        format!("copy:{id}/02"),
        format!("copy:{id}/"),
    ] {
        assert_eq!(read_notation(&game, &wrong), None, "{wrong}");
    }
}

/// Two cards of a game with the same GUID are told apart.
#[test]
fn cards_with_the_same_id_are_told_apart() {
    let (game, _) = saltmarsh();
    let mut twins = Game::clone(&game);
    let twin = twins.models[3].clone();
    twins.models.push(twin);
    let last = Choice::Copy(ModelId(u16::try_from(twins.models.len() - 1).expect("few cards")));
    let text = notation(&twins, last);
    assert!(text.ends_with("/2"), "{text}");
    assert_eq!(read_notation(&twins, &text), Some(last));
    assert_ne!(read_notation(&twins, text.trim_end_matches("/2")), Some(last));
}

/// A record of the first format, which kept the words of buttons, is refused with a sentence.
#[test]
fn a_record_of_another_version_is_refused() {
    let (game, decks) = saltmarsh();
    let (_, replay) = recorded(&game, &decks, 1);
    let old = replay
        .write()
        .replacen("cardwright-replay-2", "cardwright-replay-1", 1);
    let words = Replay::read(&old)
        .expect_err("it is of another format")
        .to_string();
    assert!(
        words.contains("cardwright-replay-1") && words.contains("cardwright-replay-2"),
        "{words}"
    );
    let other = Replay {
        rules: "of another day".to_owned(),
        ..replay
    };
    let refused = other.play(&game, usize::MAX, &mut Silent);
    assert!(matches!(refused, Err(ReplayError::OtherRules { .. })));
}
