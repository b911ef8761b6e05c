//! What pages hold, and what requests do.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Response, StatusCode, header};
use cw_serve::{Memory, SeatPlayer};

use crate::opened::opened;
use crate::play::*;
use cw_players::Level;
use http_body_util::BodyExt as _;

/// G267–G274, D50: over a whole duel no page of a seat names a card that only the other seat or
/// nobody knows. Names of the other deck appear only when their card is in the open.
#[test]
fn no_page_names_what_its_seat_does_not_know() {
    run(async {
        let (_, one, two) = two_people().await;
        for (own, other, foreign) in [(&one, &two, "Velvet"), (&two, &one, "Quartz")] {
            let page = own.page().await;
            assert!(
                !page.contains(foreign),
                "the opponent's hand before the first move"
            );
            assert!(
                other.page().await.contains(foreign),
                "who holds the cards sees them"
            );
        }
        let mut steps = 0;
        loop {
            let pages = [one.page().await, two.page().await];
            let hands = pages.each_ref().map(|page| hand(page));
            for (seat, page) in pages.iter().enumerate() {
                let log = page.split("id=\"log\"").nth(1).unwrap();
                for held in &hands[1 - seat] {
                    let shown = page.matches(held.as_str()).count();
                    // Another copy may lie in the open: then the log told how it came there.
                    assert!(
                        shown == 0 || log.contains(held.as_str()),
                        "seat {seat} sees {held}"
                    );
                }
            }
            let [first, second] = &pages;
            if first.contains("class=\"result\"") {
                break;
            }
            steps += 1;
            assert!(steps < 2000, "the duel ends");
            if !one.take(first, steps).await {
                assert!(two.take(second, steps).await, "somebody is asked");
            }
        }
        assert!(steps > 20);
    });
}

/// A stale, repeated, foreign or made-up answer changes nothing and says so.
#[test]
fn wrong_answers_change_nothing() {
    run(async {
        let (_, one, two) = two_people().await;
        let page = one.page().await;
        let form = form(&page, 0).unwrap();
        let (n, k) = (hidden(&page, "n"), hidden(&page, "k"));
        let refused = |answer: Response<Body>, words: &'static str| async move {
            assert_eq!(answer.status(), StatusCode::CONFLICT);
            let page = text(answer).await;
            assert!(page.contains(words), "{words}");
        };
        refused(
            one.post("answer", &format!("n={n}&k=0&o=0")).await,
            "not made for this seat",
        )
        .await;
        refused(
            one.post("answer", &format!("n={n}&k={k}&o=99")).await,
            "not one of the options",
        )
        .await;
        refused(two.post("answer", &form).await, "not made for this seat").await;
        let other = two.page().await;
        let foreign = format!("n={}&k={}&o=0", hidden(&other, "n"), hidden(&other, "k"));
        refused(two.post("answer", &foreign).await, "not your turn").await;
        assert_eq!(one.page().await, page);
        // The first one counts; the same form once more is no error and does nothing.
        assert_eq!(one.post("answer", &form).await.status(), StatusCode::SEE_OTHER);
        let after = one.page().await;
        assert_eq!(one.post("answer", &form).await.status(), StatusCode::SEE_OTHER);
        assert_eq!(one.page().await, after);
        assert_eq!(
            one.post("answer", "nonsense").await.status(),
            StatusCode::UNPROCESSABLE_ENTITY
        );
    });
}

/// Other names, other sites, other cookies and forged forms are refused; every page carries the policy.
#[test]
fn strangers_are_refused() {
    run(async {
        let (_, one, two) = two_people().await;
        let status = |request| async { send(&one.router, request).await.status() };
        assert_eq!(status(get(&one.base, "")).await, StatusCode::FORBIDDEN);
        assert_eq!(status(get(&one.base, &two.cookie)).await, StatusCode::FORBIDDEN);
        assert_eq!(status(get("/join/0000", "")).await, StatusCode::NOT_FOUND);
        let mut rebound = get(&one.base, &one.cookie);
        rebound
            .headers_mut()
            .insert(header::HOST, "evil.example:7313".parse().unwrap());
        assert_eq!(status(rebound).await, StatusCode::FORBIDDEN);
        let form = form(&one.page().await, 0).unwrap();
        for (name, value) in [
            ("origin", "http://evil.example"),
            ("sec-fetch-site", "cross-site"),
            ("origin", "null"),
        ] {
            let mut forged = post(&format!("{}answer", one.base), &one.cookie, &form);
            forged.headers_mut().insert(name, value.parse().unwrap());
            assert_eq!(status(forged).await, StatusCode::FORBIDDEN, "{name}: {value}");
        }
        let answer = send(&one.router, get(&one.base, &one.cookie)).await;
        let policy = answer.headers()[header::CONTENT_SECURITY_POLICY]
            .to_str()
            .unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"));
        let page = text(answer).await;
        assert!(!page.contains("<script>") && !page.contains("style=") && !page.contains("onclick"));
        assert!(page.len() < 60_000, "{} bytes", page.len());
        let secret = one.cookie.trim_start_matches("seat=");
        assert!(!page.contains(secret), "the secret stays in the cookie");
        let record = send(&one.router, get(&format!("{}record.json", one.base), &one.cookie)).await;
        assert_eq!(
            record.status(),
            StatusCode::FORBIDDEN,
            "a record shows both hands"
        );
    });
}

/// What a seat's choices cost is told after the duel, and to nobody but the seat; it comes when it is ready,
/// and so does what a computer would have done where this seat was asked.
#[test]
fn a_duel_is_looked_through_once_it_is_over() {
    run(async {
        let (_host, one, two) = two_people().await;
        for step in 0..16 {
            if !one.take(&one.page().await, step).await {
                two.take(&two.page().await, step).await;
            }
        }
        let ask = |browser: &Browser, path: &str, cookie: &str| {
            let request = get(&format!("{}{path}", browser.base), cookie);
            let router = browser.router.clone();
            async move { send(&router, request).await }
        };
        for path in ["review", "think/0"] {
            let early = ask(&one, path, &one.cookie).await;
            assert_eq!(early.status(), StatusCode::NOT_FOUND, "{path} before the end");
        }
        one.act("concede").await;
        let foreign = ask(&one, "review", &two.cookie).await;
        assert_eq!(foreign.status(), StatusCode::FORBIDDEN);
        assert!(one.page().await.contains("data-review=\"review\""));
        let first = ask(&one, "review", &one.cookie).await;
        assert_eq!(first.status(), StatusCode::ACCEPTED);
        let mut page = text(first).await;
        assert!(
            page.contains("http-equiv=\"refresh\""),
            "a page without a script asks again"
        );
        for _ in 0..600 {
            let answer = ask(&one, "review", &one.cookie).await;
            let done = answer.status() == StatusCode::OK;
            page = text(answer).await;
            if done {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        assert!(page.contains("Your chance of winning before each of"), "{page}");
        // Only one of the two was asked at the beginning of a turn.
        let mut told = 0;
        for browser in [&one, &two] {
            let thoughts = ask(browser, "think/0", &browser.cookie).await;
            if thoughts.status() == StatusCode::OK {
                let words = text(thoughts).await;
                assert!(words.contains("chosen here") && words.contains(" %"), "{words}");
                told += 1;
            }
        }
        assert_eq!(told, 1);
    });
}

/// A duel goes on at the same prompt after the program ended in the middle of it.
#[test]
fn a_duel_survives_a_restart() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let store = async || Arc::new(opened(&path).await);
        let before = host(store().await);
        let seats = before.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
        let [one, two] = [
            Browser::join(&before, &seats[0].path).await,
            Browser::join(&before, &seats[1].path).await,
        ];
        for step in 0..30 {
            let page = one.page().await;
            if !one.take(&page, step).await {
                two.take(&two.page().await, step).await;
            }
        }
        let shown = [one.page().await, two.page().await];
        drop((before, one, two));

        let after = host(store().await);
        let resumed = after.resume().unwrap();
        assert_eq!(resumed.going, std::slice::from_ref(&seats));
        for (at, seat) in seats.iter().enumerate() {
            let browser = Browser::join(&after, &seat.path).await;
            let question = |page: &str| {
                page.split("id=\"question\"")
                    .nth(1)
                    .map(|rest| rest[..80].to_owned())
            };
            let page = browser.page().await;
            assert_eq!(question(&page), question(&shown[at]));
            let board = |page: &str| {
                let board = page.split("id=\"them-bar\"").nth(1).unwrap();
                board.split("id=\"prompt\"").next().unwrap().to_owned()
            };
            assert_eq!(board(&page), board(&shown[at]));
        }
    });
}

/// P123: where the package draws no marker of its own, one of those that every game has lies on the
/// card, and there is a picture of it.
#[test]
fn a_marker_without_picture_is_drawn() {
    run(async {
        let (_, one, two) = two_people().await;
        let mut pictures = Vec::new();
        for step in 0..12 {
            let page = one.page().await;
            if page.contains("src=\"/marker/") {
                let paths = page
                    .split("src=\"")
                    .skip(1)
                    .filter_map(|rest| rest.split('"').next());
                let markers = paths.filter(|path| path.starts_with("/marker/"));
                pictures = markers.map(str::to_owned).collect();
                break;
            }
            if !one.take(&page, step % 2).await {
                two.take(&two.page().await, 0).await;
            }
        }
        assert!(!pictures.is_empty(), "somebody is fresh");
        for path in pictures {
            let answer = send(&one.router, get(&path, &one.cookie)).await;
            assert_eq!(answer.headers()[header::CONTENT_TYPE], "image/svg+xml");
            assert!(text(answer).await.contains("<path"));
        }
    });
}

/// Undo takes back the last choice, against a computer only, and not what was seen.
#[test]
fn undo_takes_back_what_revealed_nothing() {
    run(async {
        let host = host(Arc::new(Memory::new(cw_serve::fresh_secret())));
        let seats = host
            .open(start(
                &game(),
                [SeatPlayer::Person, SeatPlayer::Computer(Level::Random)],
                7,
            ))
            .unwrap();
        let one = Browser::join(&host, &seats[0].path).await;
        let before = one.page().await;
        assert!(!before.contains("value=\"undo\""));
        assert!(one.take(&before, 0).await);
        let page = one.page().await;
        // One button takes back, not two: where the question itself can be taken back, Undo would be the
        // second.
        assert!(
            page.contains("value=\"undo\"")
                != page.contains("<button class=\"back\" type=\"submit\" form=\"answer\"")
        );
        let form = format!("n={}&k={}&act=undo", hidden(&page, "n"), hidden(&page, "k"));
        assert_eq!(one.post("act", &form).await.status(), StatusCode::SEE_OTHER);
        let board = |page: &str| {
            page.split("id=\"them-bar\"")
                .nth(1)
                .unwrap()
                .split("id=\"prompt\"")
                .next()
                .unwrap()
                .to_owned()
        };
        assert_eq!(board(&one.page().await), board(&before));
    });
}

/// A moment of the past shows the seat's own view of it, and has no answers.
#[test]
fn an_earlier_moment_can_be_looked_at() {
    run(async {
        let (_, one, _) = two_people().await;
        let page = one.page().await;
        one.take(&page, 0).await;
        let moment = text(send(&one.router, get(&format!("{}moment/0", one.base), &one.cookie)).await).await;
        assert!(moment.contains("An earlier moment") && !moment.contains("name=\"o\""));
        assert!(!moment.contains("Velvet"));
    });
}

/// Everything that is sent too large, too often or too many times at once is refused, and the table
/// goes on.
#[test]
fn floods_are_refused() {
    run(async {
        let (host, one, two) = two_people().await;
        let large = format!("n=1&k=0&o=0&x={}", "x".repeat(5000));
        assert_eq!(
            one.post("answer", &large).await.status(),
            StatusCode::PAYLOAD_TOO_LARGE
        );
        // Connections that follow a table are counted, and free their place when they end.
        let events = format!("{}events?number=0", one.base);
        let mut open = Vec::new();
        loop {
            let answer = send(&one.router, get(&events, &one.cookie)).await;
            if answer.status() == StatusCode::TOO_MANY_REQUESTS {
                break;
            }
            open.push(answer);
            assert!(open.len() < 1000, "there is an end to connections");
        }
        assert!(open.len() > 4, "a few windows are fine");
        open.clear();
        for tries in 0.. {
            let again = send(&one.router, get(&events, &one.cookie)).await;
            if again.status() == StatusCode::OK {
                break;
            }
            assert!(tries < 500, "places become free");
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        // Requests are counted for each seat.
        let mut refused = 0;
        for _ in 0..3000 {
            let record = format!("{}record.json", one.base);
            let answer = send(&one.router, get(&record, &one.cookie)).await;
            refused += usize::from(answer.status() == StatusCode::TOO_MANY_REQUESTS);
        }
        assert!(refused > 500, "{refused} of 3000");
        assert!(
            two.page().await.contains("id=\"prompt\""),
            "the other seat does not suffer"
        );
        let elsewhere = host.open(start(&game(), [SeatPlayer::Person; 2], 8)).unwrap();
        let other = Browser::join(&host, &elsewhere[0].path).await;
        assert!(
            other.page().await.contains("id=\"prompt\""),
            "nor do other tables"
        );
    });
}

/// A slow reader gets what it missed in one message when it takes it; nothing is queued for it.
#[test]
fn a_slow_reader_misses_nothing_and_holds_nobody_up() {
    run(async {
        let (_, one, two) = two_people().await;
        let page = one.page().await;
        let events = format!("{}events?number={}", one.base, hidden(&page, "n"));
        let slow = send(&one.router, get(&events, &one.cookie)).await;
        for step in 0..40 {
            let page = one.page().await;
            if !one.take(&page, step).await {
                two.take(&two.page().await, step).await;
            }
        }
        let mut body = slow.into_body();
        let mut messages = 0;
        let mut last = String::new();
        let wanted = hidden(&one.page().await, "n").to_owned();
        while !last.contains(&format!("\"number\":{wanted}")) || last.contains("\"more\":true") {
            let frame = body.frame().await.unwrap().unwrap();
            last = String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap();
            messages += 1;
            assert!(messages < 100, "it gets to the end");
        }
        assert!(!last.contains("Velvet") || one.page().await.contains("Velvet"));
    });
}

/// Each answer, undo and giving up needs the seat's own cookie, its own stamp and our own page.
#[test]
fn every_act_needs_cookie_stamp_and_origin() {
    run(async {
        let (_, one, two) = two_people().await;
        let page = one.page().await;
        let (n, k) = (hidden(&page, "n").to_owned(), hidden(&page, "k").to_owned());
        for act in [
            "concede",
            "undo",
            "control",
            "stop-main",
            "dismiss",
            "always-yes",
            "ask-0",
            "again",
            "rematch",
            "stage-0",
            "from-0",
            "nonsense",
        ] {
            let good = format!("n={n}&k={k}&act={act}");
            let status = |request| async { send(&one.router, request).await.status() };
            let address = format!("{}act", one.base);
            assert_eq!(
                status(post(&address, "", &good)).await,
                StatusCode::FORBIDDEN,
                "{act}"
            );
            let stolen = post(&address, &two.cookie, &good);
            assert_eq!(status(stolen).await, StatusCode::FORBIDDEN, "{act}");
            let mut foreign = post(&address, &one.cookie, &good);
            let evil = "http://evil.example".parse().unwrap();
            foreign.headers_mut().insert(header::ORIGIN, evil);
            assert_eq!(status(foreign).await, StatusCode::FORBIDDEN, "{act}");
            let forged = format!("n={n}&k=000000000000000000000000&act={act}");
            assert_eq!(
                one.post("act", &forged).await.status(),
                StatusCode::CONFLICT,
                "{act}"
            );
            let by_address = get(&format!("{address}?{good}"), &one.cookie);
            assert_eq!(status(by_address).await, StatusCode::METHOD_NOT_ALLOWED, "{act}");
        }
        assert_eq!(one.page().await, page, "nothing has changed");
    });
}

/// G267, G271: before the end nobody sees through the other seat's eyes, forks the duel, or reads
/// what ran for the other seat; numbers are explained, hidden cards are not.
#[test]
fn looking_behind_the_table_shows_nothing_hidden() {
    run(async {
        let (_, one, two) = two_people().await;
        for step in 0..12 {
            let page = one.page().await;
            if !one.take(&page, step).await {
                two.take(&two.page().await, step).await;
            }
        }
        let own = async |path: &str| {
            let answer = send(&one.router, get(&format!("{}{path}", one.base), &one.cookie)).await;
            (answer.status(), text(answer).await)
        };
        for path in ["explain/12/sp-me", "explain/now/sp-me"] {
            let (status, explained) = own(path).await;
            assert_eq!(status, StatusCode::OK, "{path}");
            assert!(explained.contains("SP"), "{path}");
        }
        for path in [
            "explain/12/hand-them",
            "explain/now/hand-them",
            "explain/now/deck-them",
            "explain/12/deck-them",
            "explain/3/deck-me",
            "trace",
        ] {
            let (status, words) = own(path).await;
            assert_eq!(status, StatusCode::OK, "{path}");
            let log = one.page().await;
            let unknown = hand(&two.page().await)
                .into_iter()
                .find(|name| words.contains(name));
            assert!(unknown.is_none_or(|name| log.contains(&name)), "{path}: {words}");
        }
        for path in [
            "explain/12/bp-9999",
            "explain/12/bp-x",
            "explain/12/",
            "explain/never/sp-me",
            "explain/-1/sp-me",
            "explain/0/what-me",
        ] {
            assert_eq!(own(path).await.0, StatusCode::NOT_FOUND, "{path}");
        }
        let (_, moment) = own("moment/12?other=true").await;
        let hand_of_two = hand(&two.page().await);
        let log = one.page().await;
        let leaked = hand_of_two
            .iter()
            .find(|name| moment.contains(*name) && !log.contains(*name));
        assert_eq!(leaked, None);
        let page = one.page().await;
        let fork = format!("n={}&k={}&act=from-3", hidden(&page, "n"), hidden(&page, "k"));
        assert_eq!(one.post("act", &fork).await.status(), StatusCode::CONFLICT);
    });
}

/// After the end both sides may be watched, and any moment played on: at a table of its own, against
/// the computer, which the old links do not lead to.
#[test]
fn a_finished_duel_can_be_watched_and_played_on() {
    run(async {
        let (host, one, two) = two_people().await;
        for step in 0..10 {
            let page = one.page().await;
            if !one.take(&page, step).await {
                two.take(&two.page().await, step).await;
            }
        }
        let page = one.page().await;
        let act =
            |page: &str, act: &str| format!("n={}&k={}&act={act}", hidden(page, "n"), hidden(page, "k"));
        one.post("act", &act(&page, "concede")).await;
        let other = send(
            &one.router,
            get(&format!("{}moment/2?other=true", one.base), &one.cookie),
        )
        .await;
        assert!(text(other).await.contains("Velvet"));
        let page = one.page().await;
        // At the beginning and later: somebody else than the person may be asked there.
        for step in 0..8 {
            let answer = one.post("act", &act(&page, &format!("from-{step}"))).await;
            let path = answer.headers()[header::LOCATION].to_str().unwrap();
            let forked = Browser::join(&host, path).await;
            for tries in 0.. {
                let page = forked.page().await;
                if form(&page, 0).is_some() || page.contains("class=\"result\"") {
                    break;
                }
                assert!(tries < 600, "the computer goes on from step {step}");
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
        }
        let answer = one.post("act", &act(&page, "from-4")).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        let path = answer.headers()[header::LOCATION].to_str().unwrap();
        let forked = Browser::join(&host, path).await;
        assert_ne!(forked.base, one.base);
        assert!(!forked.page().await.contains("class=\"result\""));
        let moment = text(send(&one.router, get(&format!("{}moment/4", one.base), &one.cookie)).await).await;
        // The same board at the same moment.
        let board = |page: &str| {
            let rings = page.split("id=\"them-ring\"").nth(1).unwrap();
            let rings = rings.split("id=\"me-bar\"").next().unwrap();
            rings.matches("data-model=").count()
        };
        // The computer may have gone on already: the moment is the same.
        let address = format!("{}moment/4", forked.base);
        let there = text(send(&forked.router, get(&address, &forked.cookie)).await).await;
        assert_eq!(board(&there), board(&moment));
    });
}

/// The same answer twice is one answer; another answer to a question that was answered meanwhile is told so,
/// also after a restart.
#[test]
fn another_answer_to_an_answered_question_comes_too_late() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let store = async || Arc::new(opened(&path).await);
        let first = host(store().await);
        let seats = first.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
        let one = Browser::join(&first, &seats[0].path).await;
        let page = one.page().await;
        let taken = form(&page, 0).unwrap();
        let mut others = (1..20).filter_map(|option| form(&page, option));
        let other = others.find(|other| *other != taken).unwrap();
        assert_eq!(one.post("answer", &taken).await.status(), StatusCode::SEE_OTHER);
        let ask = async |browser: &Browser, form: &str| {
            let mut request = post(&format!("{}answer", browser.base), &browser.cookie, form);
            request.headers_mut().insert("x-table", "1".parse().unwrap());
            let answer = send(&browser.router, request).await;
            (answer.status(), text(answer).await)
        };
        assert_eq!(ask(&one, &taken).await.0, StatusCode::NO_CONTENT);
        let (status, words) = ask(&one, &other).await;
        assert_eq!(status, StatusCode::CONFLICT);
        assert!(words.contains("answered already"), "{words}");
        drop((first, one));
        let again = host(store().await);
        again.resume().unwrap();
        let one = Browser::join(&again, &seats[0].path).await;
        assert_eq!(ask(&one, &taken).await.0, StatusCode::NO_CONTENT);
        assert_eq!(ask(&one, &other).await.0, StatusCode::CONFLICT);
    });
}
