//! The front page: who may see it, what it leads to, and what it never shows.

use std::sync::Arc;

use axum::http::{StatusCode, header};
use cw_players::Level;
use cw_serve::{DuelHost, DuelStore, HostLimits, Memory, Opponent, SeatPlayer, Serve as _};

use crate::opened::opened;
use crate::play::*;

fn host_with_decks(store: Arc<dyn DuelStore>) -> DuelHost {
    let decks = start(&game(), [SeatPlayer::Person; 2], 7).decks;
    let names = ["Quarts", "Velours"].map(str::to_owned);
    let mut made = setting(store, HostLimits::default());
    made.package.get_mut().decks = names.into_iter().zip(decks.0).collect();
    DuelHost::new(made)
}

/// The cookies that an answer gives.
fn cookies(answer: &axum::http::Response<axum::body::Body>) -> Vec<String> {
    let all = answer.headers().get_all(header::SET_COOKIE).iter();
    all.map(|value| value.to_str().unwrap().split(';').next().unwrap().to_owned())
        .collect()
}

pub(crate) async fn owner(host: &DuelHost) -> String {
    let answer = send(&host.router(), get(&host.front_page(), "")).await;
    assert_eq!(answer.headers()[header::LOCATION], "/front/");
    cookies(&answer).remove(0)
}

/// Only whoever runs the host sees the page; it leads to duels against the computer and into new ones,
/// and to no seat of two people.
#[test]
fn the_front_page_leads_to_ones_own_duels_and_to_no_others() {
    run(async {
        let host = host_with_decks(Arc::new(Memory::new(cw_serve::fresh_secret())));
        let people = host.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
        let computer = SeatPlayer::Computer(Level::Random);
        let mine = host
            .open(start(&game(), [computer, SeatPlayer::Person], 7))
            .unwrap();
        let router = host.router();
        for cookie in ["", "home=00"] {
            let answer = send(&router, get("/front/", cookie)).await;
            assert_eq!(answer.status(), StatusCode::FORBIDDEN);
        }
        // A seat of two people gives no way to the page, a seat against the computer does.
        let joined = send(&router, get(&people[0].path, "")).await;
        assert!(cookies(&joined).iter().all(|cookie| cookie.starts_with("seat=")));
        let joined = send(&router, get(&mine[1].path, "")).await;
        assert!(cookies(&joined).contains(&owner(&host).await));

        let cookie = owner(&host).await;
        let page = text(send(&router, get("/front/", &cookie)).await).await;
        assert!(!page.contains("/front/enter/"), "nothing was done in any duel");
        // A form from elsewhere begins nothing.
        let forged = send(
            &router,
            post("/front/new", &cookie, "k=0&own=0&other=1&level=random"),
        )
        .await;
        assert!(text(forged).await.contains("not made for this page"));
        let form = format!("k={}&own=1&other=0&level=random&first=me", hidden(&page, "k"));
        let begun = send(&router, post("/front/new", &cookie, &form)).await;
        assert_eq!(begun.status(), StatusCode::SEE_OTHER);
        let seat = Browser {
            router: router.clone(),
            cookie: cookies(&begun).remove(0),
            base: begun.headers()[header::LOCATION].to_str().unwrap().to_owned(),
        };
        let table = seat.page().await;
        assert!(table.contains("“Velours” against “Quarts”"));
        seat.take_when_asked().await;

        let page = text(send(&router, get("/front/", &cookie)).await).await;
        assert_eq!(page.matches("/front/enter/").count(), 1);
        for seat in people.iter().chain(&mine) {
            assert!(!page.contains(seat.path.rsplit('/').next().unwrap()), "no secret");
        }
        let way = format!(
            "/front/enter{}",
            seat.base.trim_start_matches("/s").trim_end_matches('/')
        );
        let entered = send(&router, get(&way, &cookie)).await;
        assert!(cookies(&entered).contains(&seat.cookie));
        assert_eq!(
            send(&router, get(&way, &seat.cookie)).await.status(),
            StatusCode::FORBIDDEN
        );
    });
}

/// After a restart the page is still there for the same browser, with the duels.
#[test]
fn the_front_page_survives_a_restart() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let host = host_with_decks(Arc::new(opened(&path).await));
        let computer = SeatPlayer::Computer(Level::Random);
        let seats = host
            .open(start(&game(), [SeatPlayer::Person, computer], 7))
            .unwrap();
        let seat = Browser::join(&host, &seats[0].path).await;
        seat.take_when_asked().await;
        let cookie = owner(&host).await;
        drop((seat, host));
        let host = host_with_decks(Arc::new(opened(&path).await));
        host.resume().unwrap();
        let page = text(send(&host.router(), get("/front/", &cookie)).await).await;
        assert_eq!(page.matches("/front/enter/").count(), 1, "{page}");
    });
}

/// A duel that was not finished before the game's rules were changed is told, with why, and can be forgotten;
/// it goes on with the game as it was.
#[test]
fn unfinished_duels_of_a_changed_game_are_told() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let open = async |fingerprint: &str| {
            let mut game = (*game()).clone();
            game.fingerprint = fingerprint.to_owned();
            let decks = start(&Arc::new(game.clone()), [SeatPlayer::Person; 2], 7).decks;
            let names = ["Quarts", "Velours"].map(str::to_owned);
            let mut made = setting(Arc::new(opened(&path).await), HostLimits::default());
            made.package.get_mut().game = Arc::new(game);
            made.package.get_mut().decks = names.into_iter().zip(decks.0).collect();
            DuelHost::new(made)
        };
        let host = open("as it was").await;
        let computer = SeatPlayer::Computer(Level::Random);
        let mine = host
            .open(start(&game(), [SeatPlayer::Person, computer], 7))
            .unwrap();
        let seat = Browser::join(&host, &mine[0].path).await;
        seat.take_when_asked().await;
        drop((seat, host));

        let host = open("changed").await;
        let resumed = host.resume().unwrap();
        assert_eq!((resumed.going.len(), resumed.changed.len()), (0, 1));
        drop(host);
        let host = open("as it was").await;
        let resumed = host.resume().unwrap();
        assert_eq!((resumed.going.len(), resumed.changed.len()), (1, 0));
        drop(host);

        let host = open("changed").await;
        host.resume().unwrap();
        let (router, cookie) = (host.router(), owner(&host).await);
        let page = text(send(&router, get("/front/", &cookie)).await).await;
        assert!(page.contains("cannot be continued"), "{page}");
        let id = hidden(&page, "duel");
        let forged = format!("k=0&duel={id}");
        let answer = send(&router, post("/front/forget", &cookie, &forged)).await;
        assert!(text(answer).await.contains("not made for this page"));
        let form = format!("k={}&duel={id}", hidden(&page, "k"));
        let answer = send(&router, post("/front/forget", &cookie, &form)).await;
        let page = text(answer).await;
        assert!(
            page.contains("has been forgotten") && !page.contains("cannot be continued"),
            "{page}"
        );
        assert!(host.resume().unwrap().changed.is_empty());
    });
}

/// Plays a duel against the computer to its end; the page then.
pub(crate) async fn play_by_chance(seat: &Browser, dice: &mut u64) -> String {
    let mut page = seat.page().await;
    for _ in 0..2000 {
        if page.contains("class=\"result\"") {
            return page;
        }
        // By chance: who always takes the first option declares and calls back for ever.
        *dice = dice
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let option = usize::try_from(*dice >> 40).expect("24 bits");
        if !seat.take(&page, option).await {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        page = seat.page().await;
    }
    panic!("the duel ends")
}

/// Opponents stand on a ladder: who beats one may challenge the next, and that is kept; all can be opened.
#[test]
fn who_beats_an_opponent_may_challenge_the_next() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let open = async || {
            let decks = start(&game(), [SeatPlayer::Person; 2], 7).decks;
            let names = ["Quarts", "Velours"].map(str::to_owned);
            let opponents = ["Ada", "Bob", "Cat"].map(|name| Opponent {
                name: name.to_owned(),
                deck: "Velours".to_owned(),
                level: "random".to_owned(),
                lines: ["Well met.", "Take that!", "Well played."].map(|line| format!("{name}: {line}")),
                ..Opponent::default()
            });
            let mut made = setting(Arc::new(opened(&path).await), HostLimits::default());
            made.package.get_mut().decks = names.into_iter().zip(decks.0).collect();
            made.package.get_mut().opponents = opponents.into();
            DuelHost::new(made)
        };
        let host = open().await;
        let (router, cookie) = (host.router(), owner(&host).await);
        let front = |router: axum::Router, cookie: String| async move {
            text(send(&router, get("/front/", &cookie)).await).await
        };
        let page = front(router.clone(), cookie.clone()).await;
        assert!(
            page.contains("Challenge Ada") && !page.contains("Challenge Bob"),
            "{page}"
        );
        let stamp = hidden(&page, "k").to_owned();
        let (mut won, mut dice) = (false, 7u64);
        // The third cannot be challenged yet: the first one comes instead.
        for _ in 0..12 {
            let form = format!("k={stamp}&foe=2&own=0");
            let begun = send(&router, post("/front/challenge", &cookie, &form)).await;
            assert_eq!(begun.status(), StatusCode::SEE_OTHER);
            let seat = Browser {
                router: router.clone(),
                cookie: cookies(&begun).remove(0),
                base: begun.headers()[header::LOCATION].to_str().unwrap().to_owned(),
            };
            let page = seat.page().await;
            assert!(
                page.contains("Ada: Well met.") && !page.contains("the computer"),
                "{page}"
            );
            let page = play_by_chance(&seat, &mut dice).await;
            assert!(page.contains("Ada: Well played."), "the last word");
            won = page.contains("data-won=\"true\"");
            if won {
                break;
            }
        }
        assert!(won, "chance is beaten once in twelve duels");
        let page = front(router.clone(), cookie.clone()).await;
        assert_eq!(page.matches("data-beaten").count(), 1);
        assert!(page.contains("Challenge Bob") && !page.contains("Challenge Cat"));
        drop((host, router));

        let host = open().await;
        host.resume().unwrap();
        let page = front(host.router(), cookie.clone()).await;
        assert_eq!(page.matches("data-beaten").count(), 1, "it is kept");
        let form = format!("k={}&open=yes", hidden(&page, "k"));
        let opened = send(&host.router(), post("/front/open-all", &cookie, &form)).await;
        assert_eq!(opened.status(), StatusCode::SEE_OTHER);
        let page = front(host.router(), cookie.clone()).await;
        assert!(page.contains("Challenge Cat") && page.matches("data-beaten").count() == 1);
        let forged = send(&host.router(), post("/front/open-all", &cookie, "k=0&open=no")).await;
        assert!(text(forged).await.contains("not made for this page"));
    });
}

/// *Home* leads people who do not run the host to a page of their own: their seat, how to play, the lessons.
#[test]
fn people_have_a_page_of_their_own() {
    run(async {
        let (_, one, two) = two_people().await;
        for (own, foreign) in [(&one, &two), (&two, &one)] {
            let table = own.page().await;
            assert!(table.contains("href=\"home\"") && !table.contains("href=\"/front/"));
            let address = format!("{}home", own.base);
            let page = text(send(&own.router, get(&address, &own.cookie)).await).await;
            assert!(
                page.contains("How to play") && page.contains(&format!("href=\"{}\"", own.base)),
                "{page}"
            );
            let stranger = send(&own.router, get(&address, &foreign.cookie)).await;
            assert_eq!(stranger.status(), StatusCode::FORBIDDEN);
        }
    });
}
