//! Chance: where it comes from, who may know it when, and what a rematch does with it.

use std::sync::Arc;

use axum::http::{StatusCode, header};
use cw_serve::{DuelHost, DuelStart, Invitation, Memory, SeatPlayer, Serve as _};
use cw_wire::{Agreement, Replay};

use crate::opened::opened;
use crate::play::*;
use cw_players::Level;

fn open_start(who: [SeatPlayer; 2]) -> DuelStart {
    DuelStart {
        seed: None,
        ..start(&game(), who, 0)
    }
}

fn digest(page: &str) -> String {
    let code = page.split("<code class=\"digest\">").nth(1).unwrap();
    code.split('<').next().unwrap().to_owned()
}

async fn gathered(host: &DuelHost) -> (Vec<Invitation>, Browser, Browser) {
    let seats = host.open(open_start([SeatPlayer::Person; 2])).unwrap();
    let one = Browser::join(host, &seats[0].path).await;
    let two = Browser::join(host, &seats[1].path).await;
    (seats, one, two)
}

async fn concede(browser: &Browser) {
    let status = browser.act("concede").await.status();
    assert_eq!(status, StatusCode::SEE_OTHER);
}

async fn record(browser: &Browser) -> Replay {
    let address = format!("{}record.json", browser.base);
    let answer = send(&browser.router, get(&address, &browser.cookie)).await;
    assert_eq!(answer.status(), StatusCode::OK);
    Replay::read(&text(answer).await).unwrap()
}

/// D70, D105: between people all three are bound before anybody sends a part; the seed follows from all
/// parts, and every one is told when the duel is over, not before.
#[test]
fn between_people_the_shuffle_is_agreed_on() {
    run(async {
        let host = host(Arc::new(Memory::new(cw_serve::fresh_secret())));
        let (_, one, two) = gathered(&host).await;
        let commitment = digest(&one.page().await);
        assert_eq!(digest(&two.page().await), commitment, "both see the same");
        let (mine, yours) = ("a1".repeat(32), "some words");
        let bare = format!("k={}", hidden(&one.page().await, "k"));
        assert_eq!(
            one.post("sit", &bare).await.status(),
            StatusCode::CONFLICT,
            "nobody is bound by nothing"
        );
        assert_eq!(commit(&one, &mine).await, StatusCode::SEE_OTHER);
        let waiting = one.page().await;
        assert!(waiting.contains("Waiting for the other player"));
        assert_eq!(revealing(&waiting, &mine), None, "the other one is not bound yet");
        let early = format!(
            "k={}&c={}&nonce={mine}",
            hidden(&two.page().await, "k"),
            bound_to(&mine)
        );
        assert_eq!(one.post("reveal", &early).await.status(), StatusCode::CONFLICT);
        assert!(!two.page().await.contains("id=\"prompt\""), "nobody plays yet");
        assert_eq!(commit(&two, yours).await, StatusCode::SEE_OTHER);
        let parts = [mine.clone(), Agreement::nonce(yours)];
        for browser in [&one, &two] {
            let page = browser.page().await;
            let digests = [commitment.clone(), bound_to(&mine), bound_to(yours)];
            assert!(
                digests.iter().all(|digest| page.contains(digest.as_str())),
                "all three are shown"
            );
            assert!(parts.iter().all(|part| !page.contains(part)) && !page.contains("id=\"prompt\""));
        }
        assert_eq!(reveal(&one, &mine).await, StatusCode::SEE_OTHER);
        assert!(!two.page().await.contains(&mine));
        assert_eq!(reveal(&two, yours).await, StatusCode::SEE_OTHER);
        for browser in [&one, &two] {
            let page = browser.page().await;
            assert!(page.contains("id=\"prompt\"") && !page.contains("class=\"digest\""));
            assert!(parts.iter().all(|part| !page.contains(part)));
            let address = format!("{}record.json", browser.base);
            let early = send(&browser.router, get(&address, &browser.cookie)).await;
            assert_eq!(early.status(), StatusCode::FORBIDDEN);
        }
        concede(&one).await;
        let played = record(&two).await;
        let made = played.shuffle.clone().expect("it was agreed on");
        assert_eq!(made.commitment(), commitment);
        assert_eq!(made.nonces, parts);
        assert_eq!(made.seed(), played.seed);
        let page = two.page().await;
        let digests = made.commitments();
        for told in [
            &made.secret,
            &commitment,
            &played.seed.to_string(),
            &digests[0],
            &digests[1],
        ] {
            assert!(page.contains(told.as_str()), "{told} is told at the end");
        }
        // The record plays again, and a part that was changed is found.
        played.play(&game(), usize::MAX, &mut cw_duel::Silent).unwrap();
        let mut forged = played.clone();
        forged.shuffle.as_mut().unwrap().nonces[0] = "b2".repeat(32);
        assert!(Replay::read(&forged.write()).is_err());
    });
}

/// D105: a part that does not fit ends the beginning, which is told, and not the table; a form of an earlier
/// beginning spoils no later one, and a beginning that came to nothing survives a restart.
#[test]
fn a_part_that_does_not_fit_ends_the_beginning_only() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let store = async || Arc::new(opened(&path).await);
        let before = host(store().await);
        let (seats, one, two) = gathered(&before).await;
        assert_eq!(commit(&one, "x").await, StatusCode::SEE_OTHER);
        assert_eq!(commit(&two, "y").await, StatusCode::SEE_OTHER);
        let old = revealing(&two.page().await, "other").unwrap();
        assert_eq!(reveal(&one, "x").await, StatusCode::SEE_OTHER);
        // Who knows the other part would rather have had another one.
        assert_eq!(two.post("reveal", &old).await.status(), StatusCode::CONFLICT);
        assert!(
            one.page().await.contains("The other player&#39;s part")
                || one.page().await.contains("The other player's part")
        );
        assert!(
            two.page()
                .await
                .contains("Your part of the shuffle did not match")
        );
        drop((before, one, two));
        let after = host(store().await);
        after.resume().unwrap();
        let one = Browser::join(&after, &seats[0].path).await;
        let two = Browser::join(&after, &seats[1].path).await;
        assert_eq!(two.post("reveal", &old).await.status(), StatusCode::CONFLICT);
        assert_eq!(commit(&two, "z").await, StatusCode::SEE_OTHER);
        assert_eq!(commit(&one, "w").await, StatusCode::SEE_OTHER);
        assert_eq!(two.post("reveal", &old).await.status(), StatusCode::CONFLICT);
        assert_eq!(reveal(&two, "z").await, StatusCode::SEE_OTHER);
        assert_eq!(reveal(&one, "w").await, StatusCode::SEE_OTHER);
        concede(&one).await;
        let made = record(&one).await.shuffle.unwrap();
        assert_eq!(made.nonces, ["w", "z"].map(Agreement::nonce));
    });
}

/// D70: for a rematch the host is bound before the seats send new parts with their wishes.
#[test]
fn a_rematch_between_people_is_agreed_on_anew() {
    run(async {
        let host = host(Arc::new(Memory::new(cw_serve::fresh_secret())));
        let (_, one, two) = gathered(&host).await;
        shuffle([&one, &two], ["x", "y"]).await;
        concede(&one).await;
        let first = record(&one).await;
        let page = one.page().await;
        let next = page.split("<code class=\"digest\">").last().unwrap();
        let next = next.split('<').next().unwrap().to_owned();
        for (browser, part) in [(&one, "p"), (&two, "q")] {
            let unbound = browser.act("rematch").await;
            assert_eq!(unbound.status(), StatusCode::CONFLICT);
            let form = format!("{}&commit={}", browser.form("rematch").await, bound_to(part));
            assert_eq!(browser.post("act", &form).await.status(), StatusCode::SEE_OTHER);
        }
        for (browser, part) in [(&one, "p"), (&two, "q")] {
            assert_eq!(reveal(browser, part).await, StatusCode::SEE_OTHER);
        }
        assert!(
            !one.page().await.contains("class=\"result\""),
            "the next duel goes on"
        );
        // What conceded the first duel does nothing in the next.
        let old = format!("n={}&k={}&act=concede", hidden(&page, "n"), hidden(&page, "k"));
        assert_eq!(one.post("act", &old).await.status(), StatusCode::CONFLICT);
        concede(&two).await;
        let second = record(&one).await;
        let made = second.shuffle.clone().unwrap();
        assert_eq!(made.commitment(), next);
        assert_eq!(made.nonces, ["p", "q"].map(Agreement::nonce));
        assert_ne!(first.seed, second.seed);
    });
}

/// D70: a rematch against the computer is shuffled by the operating system; nothing follows from the
/// duel before it.
#[test]
fn no_seed_of_a_rematch_follows_from_the_one_before() {
    run(async {
        let mut seeds = Vec::new();
        for _ in 0..2 {
            let host = host(Arc::new(Memory::new(cw_serve::fresh_secret())));
            let seats = host
                .open(start(
                    &game(),
                    [SeatPlayer::Person, SeatPlayer::Computer(Level::Random)],
                    7,
                ))
                .unwrap();
            let one = Browser::join(&host, &seats[0].path).await;
            concede(&one).await;
            assert_eq!(record(&one).await.seed, 7.into());
            one.act("rematch").await;
            concede(&one).await;
            seeds.push(record(&one).await.seed);
        }
        assert_ne!(seeds[0], seeds[1]);
        assert!(seeds.iter().all(|seed| seed.number().is_none()), "{seeds:?}");
    });
}

/// A seat that has sent its part, and one that has not, find the same state after a restart.
#[test]
fn a_shuffle_that_is_half_agreed_on_survives_a_restart() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let store = async || Arc::new(opened(&path).await);
        let before = host(store().await);
        let (seats, one, two) = gathered(&before).await;
        let commitment = digest(&two.page().await);
        assert_eq!(commit(&one, "x").await, StatusCode::SEE_OTHER);
        drop((before, one, two));
        let after = host(store().await);
        assert_eq!(after.resume().unwrap().going, std::slice::from_ref(&seats));
        let one = Browser::join(&after, &seats[0].path).await;
        let two = Browser::join(&after, &seats[1].path).await;
        assert_eq!(digest(&two.page().await), commitment);
        assert!(one.page().await.contains("Waiting for the other player"));
        assert_eq!(commit(&two, "y").await, StatusCode::SEE_OTHER);
        assert_eq!(reveal(&two, "y").await, StatusCode::SEE_OTHER);
        drop((after, one, two));
        let after = host(store().await);
        assert_eq!(after.resume().unwrap().going, std::slice::from_ref(&seats));
        let one = Browser::join(&after, &seats[0].path).await;
        let two = Browser::join(&after, &seats[1].path).await;
        assert_eq!(revealing(&two.page().await, "y"), None, "it has shown its part");
        assert_eq!(reveal(&one, "x").await, StatusCode::SEE_OTHER);
        let page = one.page().await;
        assert!(page.contains("id=\"prompt\""));
        // The duel itself survives one, too, with the shuffle that was agreed on.
        drop((after, one, two));
        let last = host(store().await);
        assert_eq!(last.resume().unwrap().going, std::slice::from_ref(&seats));
        let one = Browser::join(&last, &seats[0].path).await;
        assert_eq!(one.page().await, page);
    });
}

/// Whoever starts the program again and again for two people leaves no empty duels behind.
#[test]
fn two_people_find_the_duel_that_waits_for_them() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let store = async || Arc::new(opened(&path).await);
        for seed in [None, Some(7.into())] {
            let wanted = || DuelStart {
                seed,
                ..open_start([SeatPlayer::Person; 2])
            };
            let mut found = Vec::new();
            for _ in 0..3 {
                let host = host(store().await);
                host.resume().unwrap();
                found.push(host.open_or_find(wanted()).unwrap());
            }
            assert!(found.iter().all(|seats| *seats == found[0]), "{found:?}");
            let host = host(store().await);
            host.resume().unwrap();
            let one = Browser::join(&host, &found[0][0].path).await;
            match seed {
                None => assert_eq!(commit(&one, "x").await, StatusCode::SEE_OTHER),
                Some(_) => concede(&one).await,
            }
            assert_ne!(
                host.open_or_find(wanted()).unwrap(),
                found[0],
                "something was done in it"
            );
        }
    });
}

/// The link that a browser is started with leads to the seat once: it stands in the list of processes.
#[test]
fn a_ticket_is_good_for_one_browser() {
    run(async {
        let host = host(Arc::new(Memory::new(cw_serve::fresh_secret())));
        let seats = host
            .open(start(
                &game(),
                [SeatPlayer::Person, SeatPlayer::Computer(Level::Random)],
                7,
            ))
            .unwrap();
        let ticket = host.ticket(&seats[0]);
        let secret = seats[0].path.rsplit('/').next().unwrap();
        assert!(!ticket.contains(secret));
        let browser = Browser::join(&host, &ticket).await;
        assert!(browser.page().await.contains("id=\"prompt\""));
        let again = send(&host.router(), get(&ticket, "")).await;
        assert_eq!(again.status(), StatusCode::GONE);
        assert!(again.headers().get(header::SET_COOKIE).is_none());
    });
}

/// A seat whose hand the other player does not know is asked wherever it could have an answer: that it
/// passed at once would tell that it has none. Against the computer it is spared the question.
#[test]
fn a_pass_without_being_asked_tells_nothing_about_the_hand() {
    run(async {
        for (opponent, asked) in [
            (SeatPlayer::Person, true),
            (SeatPlayer::Computer(Level::Random), false),
        ] {
            let host = host(Arc::new(Memory::new(cw_serve::fresh_secret())));
            let seats = host
                .open(start(&game(), [SeatPlayer::Person, opponent], 7))
                .unwrap();
            let one = Browser::join(&host, &seats[0].path).await;
            let mut lone_passes = 0;
            for step in 0..40 {
                let page = one.page().await;
                let kind = page
                    .split("data-kind=\"")
                    .nth(1)
                    .map(|rest| rest.split('"').next().unwrap());
                let window = kind.is_some_and(|kind| ["main", "attack", "counter"].contains(&kind));
                lone_passes += usize::from(window && page.matches("form=\"answer\" name=\"o\"").count() == 1);
                if !one.take(&page, step).await {
                    if opponent == SeatPlayer::Person {
                        let two = Browser::join(&host, &seats[1].path).await;
                        two.take(&two.page().await, 0).await;
                    } else {
                        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                    }
                }
            }
            assert_eq!(lone_passes > 0, asked, "{opponent:?}: {lone_passes}");
        }
    });
}
