//! Two people who play each other by invitation: the link, the names under which the tables answer, who is
//! there, and what one may ask the other for.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, Response, StatusCode, header};
use cw_serve::{DuelHost, DuelStart, DuelStore, HostLimits, Memory, Opponent, SeatPlayer, Serve as _};
use http_body_util::BodyExt as _;

use crate::opened::opened;
use crate::play::*;

fn host_with_decks(store: Arc<dyn DuelStore>, reach: Option<&str>) -> DuelHost {
    let decks = start(&game(), [SeatPlayer::Person; 2], 7).decks;
    let names = ["Quarts", "Velours"].map(str::to_owned);
    {
        let mut made = setting(store, HostLimits::default());
        made.package.get_mut().decks = names.into_iter().zip(decks.0).collect();
        made.reach = reach.map(str::to_owned);
        DuelHost::new(made)
    }
}

fn cookie_of(answer: &Response<Body>, name: &str) -> Option<String> {
    let all = answer.headers().get_all(header::SET_COOKIE).iter();
    let all = all.map(|value| value.to_str().unwrap().split(';').next().unwrap().to_owned());
    all.into_iter().find(|cookie| cookie.starts_with(name))
}

fn seated(host: &DuelHost, answer: &Response<Body>) -> Browser {
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    Browser {
        router: host.router(),
        cookie: cookie_of(answer, "seat=").unwrap(),
        base: answer.headers()[header::LOCATION].to_str().unwrap().to_owned(),
    }
}

/// Whoever runs the host, with the cookie of the front page.
async fn owner(host: &DuelHost) -> String {
    let answer = send(&host.router(), get(&host.front_page(), "")).await;
    cookie_of(&answer, "home=").unwrap()
}

/// The seat of who invites, from the form of the front page.
async fn invite(host: &DuelHost, owner: &str, reach: &str) -> Browser {
    let page = text(send(&host.router(), get("/front/", owner)).await).await;
    let form = format!("k={}&own=1&other=0&first=me&reach={reach}", hidden(&page, "k"));
    seated(
        host,
        &send(&host.router(), post("/front/invite", owner, &form)).await,
    )
}

/// The link on a page, without its origin.
fn link(page: &str) -> Option<String> {
    let value = page.split("readonly value=\"").nth(1)?.split('"').next()?;
    Some(value[value.find("/invite/")?..].to_owned())
}

async fn sit_down(browser: &Browser, name: &str) -> StatusCode {
    let form = format!(
        "k={}&commit={}&name={name}",
        hidden(&browser.page().await, "k"),
        bound_to("x")
    );
    browser.post("sit", &form).await.status()
}

/// A link is good for one person, and gives nothing before somebody sits down by it: who has sent it
/// cannot keep a key to the friend's seat. No page of one seat holds a secret of the other.
#[test]
fn a_friend_sits_down_by_a_link_that_is_good_once() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let store = async || Arc::new(opened(&path).await);
        let host = host_with_decks(store().await, None);
        let owner = owner(&host).await;
        let one = invite(&host, &owner, "here").await;
        let page = one.page().await;
        let way = link(&page).unwrap();
        assert!(page.contains("<svg class=\"qr\"") && page.contains("“Velours” against “Quarts”"));
        // A wrong token, and a seat that invites nobody, are nothing.
        for wrong in [
            format!("{}0", &way[..way.len() - 1]),
            way.replace("/invite/", "/invite/0"),
        ] {
            if wrong != way {
                let answer = send(&host.router(), get(&wrong, "")).await;
                assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{wrong}");
            }
        }
        let open = send(&host.router(), get(&way, "")).await;
        assert!(
            open.headers().get(header::SET_COOKIE).is_none(),
            "looking gives no seat"
        );
        let open = text(open).await;
        assert!(open.contains("Sit down") && open.contains("“Quarts” against “Velours”"));
        let foreign = Request::post(&way)
            .header(header::HOST, "127.0.0.1:7313")
            .header(header::ORIGIN, "http://elsewhere.example")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from("name=Eve"))
            .unwrap();
        assert_eq!(
            send(&host.router(), foreign).await.status(),
            StatusCode::FORBIDDEN
        );
        let sat = send(
            &host.router(),
            post(
                &way,
                "",
                &format!("commit={}&name=%20Ann%20%E2%80%AE%0ALee%20", bound_to("y")),
            ),
        )
        .await;
        let two = seated(&host, &sat);
        for answer in [
            send(&host.router(), get(&way, "")).await,
            send(
                &host.router(),
                post(&way, "", &format!("commit={}&name=Eve", bound_to("z"))),
            )
            .await,
        ] {
            assert_eq!(answer.status(), StatusCode::GONE);
            assert!(answer.headers().get(header::SET_COOKIE).is_none());
        }
        let page = one.page().await;
        assert!(page.contains("Ann Lee has sat down.") && link(&page).is_none());
        assert_eq!(sit_down(&one, "Bo").await, StatusCode::SEE_OTHER);
        // A beginning that comes to nothing opens no way to the friend's seat.
        assert_eq!(reveal(&one, "other").await, StatusCode::CONFLICT);
        assert!(link(&one.page().await).is_none());
        let open = send(&host.router(), get(&way, "")).await;
        assert_eq!(open.status(), StatusCode::GONE);
        assert_eq!(sit_down(&one, "Bo").await, StatusCode::SEE_OTHER);
        assert_eq!(commit(&two, "y").await, StatusCode::SEE_OTHER);
        assert_eq!(reveal(&one, "x").await, StatusCode::SEE_OTHER);
        assert_eq!(reveal(&two, "y").await, StatusCode::SEE_OTHER);
        let pages = [one.page().await, two.page().await];
        assert!(pages[0].contains("class=\"who\">Ann Lee<") && pages[1].contains("class=\"who\">Bo<"));
        let secrets = [&one, &two].map(|browser| browser.cookie["seat=".len()..].to_owned());
        assert!(!pages[0].contains(&secrets[1]) && !pages[1].contains(&secrets[0]));
        // The front page leads to the seat of who invites only, and names the friend.
        let front = text(send(&host.router(), get("/front/", &owner)).await).await;
        let name = |browser: &Browser| browser.base.trim_matches('/').trim_start_matches("s/").to_owned();
        assert!(
            front.contains(&name(&one)) && !front.contains(&name(&two)) && front.contains("against Ann Lee")
        );
        let key = send(&host.router(), get("/front/", &two.cookie)).await;
        assert_eq!(key.status(), StatusCode::FORBIDDEN);

        let seats = [one, two].map(|browser| (browser.cookie, browser.base));
        drop(host);
        let again = host_with_decks(store().await, None);
        again.resume().unwrap();
        for ((cookie, base), page) in seats.into_iter().zip(&pages) {
            let back = Browser {
                router: again.router(),
                cookie,
                base,
            };
            assert_eq!(&back.page().await, page, "as before the restart");
        }
        let used = send(&again.router(), get(&way, "")).await;
        assert_eq!(used.status(), StatusCode::GONE);
    });
}

/// Who is invited chooses a deck when they sit down, learns first if they like, and comes back to the
/// invitation by *Home*; the deck stays chosen when the program starts again.
#[test]
fn a_guest_learns_first_and_chooses_a_deck() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let made = async || {
            let decks = start(&game(), [SeatPlayer::Person; 2], 7).decks;
            let names = ["Quarts", "Velours"].map(str::to_owned);
            let store = Arc::new(opened(&path).await);
            let lesson = format!(
                "[[scenario]]\nname = \"The first lesson\"\nme = {{ ring = [\"{}\"] }}\n\
                 steps = [{{ note = \"On.\", do = \"end phase\" }}]\n",
                name(0, 0)
            );
            {
                let mut made = setting(store, HostLimits::default());
                made.package.get_mut().decks = names.into_iter().zip(decks.0).collect();
                made.package.get_mut().shelf = cw_serve::ScenarioStage::read(&lesson, &game()).unwrap();
                DuelHost::new(made)
            }
        };
        let host = made().await;
        let owner = owner(&host).await;
        let one = invite(&host, &owner, "here").await;
        let way = link(&one.page().await).unwrap();
        let open = text(send(&host.router(), get(&way, "")).await).await;
        assert!(open.contains("Learn first") && open.contains("name=\"deck\" value=\"0\" checked"));

        let learn = format!("{way}/learn");
        let lesson = send(&host.router(), post(&learn, "", "")).await;
        let came = cookie_of(&lesson, "came=").unwrap();
        assert!(
            cookie_of(&lesson, "home=").is_none(),
            "a guest gets no front page"
        );
        let lesson = seated(&host, &lesson);
        assert!(lesson.page().await.contains("href=\"home\""));
        let home = async |cookie: &str| {
            let home = format!("{}home", lesson.base);
            let answer = send(&host.router(), get(&home, cookie)).await;
            answer.headers()[header::LOCATION].to_str().unwrap().to_owned()
        };
        assert_eq!(home(&format!("{}; {came}", lesson.cookie)).await, way);
        assert_eq!(home(&lesson.cookie).await, "/front/");
        let evil = format!("{}; came=//elsewhere.example/", lesson.cookie);
        assert_eq!(home(&evil).await, "/front/", "only to ways of our own");
        let forged = format!("{}0/learn", &way[..way.len() - 1]);
        if forged != learn {
            let answer = send(&host.router(), post(&forged, "", "")).await;
            assert_eq!(answer.status(), StatusCode::NOT_FOUND);
        }

        let sit = async |deck: &str| {
            let form = format!("commit={}&name=Ann&deck={deck}", bound_to("y"));
            send(&host.router(), post(&way, "", &form)).await
        };
        let none = text(sit("7").await).await;
        assert!(none.contains("That is not one of the options.") && none.contains("Sit down"));
        let two = seated(&host, &sit("1").await);
        assert!(two.page().await.contains("“Velours” against “Velours”"));
        let used = send(&host.router(), post(&learn, "", "")).await;
        assert_eq!(used.status(), StatusCode::GONE);
        assert_eq!(sit_down(&one, "Bo").await, StatusCode::SEE_OTHER);
        assert_eq!(reveal(&one, "x").await, StatusCode::SEE_OTHER);
        assert_eq!(reveal(&two, "y").await, StatusCode::SEE_OTHER);
        let pages = [one.page().await, two.page().await];
        assert!(
            pages
                .iter()
                .all(|page| page.contains("Velvet") && !page.contains("Quartz"))
        );

        let seats = [one, two].map(|browser| (browser.cookie, browser.base));
        drop((host, lesson));
        let again = made().await;
        again.resume().unwrap();
        for ((cookie, base), page) in seats.into_iter().zip(&pages) {
            let back = Browser {
                router: again.router(),
                cookie,
                base,
            };
            assert_eq!(&back.page().await, page, "as before the restart");
        }
    });
}

/// The link for somebody else's seat seats one person: an invitation before the shuffle, else a way that
/// leads there once.
#[test]
fn a_link_for_a_guest_is_good_once() {
    run(async {
        let host = host(Arc::new(Memory::new(cw_serve::fresh_secret())));
        let begin = DuelStart {
            invites: Some(cw_duel::Seat::One),
            ..start(&game(), [SeatPlayer::Person; 2], 7)
        };
        let seeded = host.open(begin.clone()).unwrap();
        let way = host.link_for_guest(&seeded[1]);
        seated(&host, &send(&host.router(), get(&way, "")).await);
        let again = send(&host.router(), get(&way, "")).await;
        assert_eq!(again.status(), StatusCode::GONE);
        assert!(again.headers().get(header::SET_COOKIE).is_none());
        let gathering = host.open(DuelStart { seed: None, ..begin }).unwrap();
        let way = host.link_for_guest(&gathering[1]);
        assert!(way.starts_with("/invite/"), "{way}");
        assert_eq!(send(&host.router(), get(&way, "")).await.status(), StatusCode::OK);
    });
}

/// The tables answer under this machine's own names, and under the one that was offered, to nobody else;
/// the front page is for this machine alone.
#[cfg(target_os = "linux")]
#[test]
fn the_tables_answer_under_exactly_the_names_that_are_offered() {
    run(async {
        let host = host_with_decks(Arc::new(Memory::new(cw_serve::fresh_secret())), Some("127.0.0.2"));
        let named = |path: &str, name: &str| {
            let request = Request::get(path).header(header::HOST, name);
            request.body(Body::empty()).unwrap()
        };
        let answers = async |path: &str, name: &str| send(&host.router(), named(path, name)).await.status();
        assert_eq!(
            answers("/assets/table.css", "127.0.0.2:7313").await,
            StatusCode::FORBIDDEN,
            "not yet"
        );
        let owner = owner(&host).await;
        let one = invite(&host, &owner, "network").await;
        let page = one.page().await;
        assert!(page.contains("value=\"http://127.0.0.2:"), "{page}");
        for name in [
            "127.0.0.1:7313",
            "localhost",
            "[::1]:1",
            "[::1]",
            "127.0.0.2",
            "127.0.0.2:9",
            "LocalHost:7313",
        ] {
            assert_eq!(answers("/assets/table.css", name).await, StatusCode::OK, "{name}");
        }
        for name in [
            "",
            "127.0.0.3",
            "127.0.0.2.example",
            "127.0.0.2:9:9",
            "example",
            "192.168.0.1",
        ] {
            assert_eq!(
                answers("/assets/table.css", name).await,
                StatusCode::FORBIDDEN,
                "{name}"
            );
        }
        // What says two things of its host says nothing.
        let twice = Request::get("/cards")
            .header(header::HOST, "127.0.0.1")
            .header(header::HOST, "127.0.0.2")
            .body(Body::empty())
            .unwrap();
        assert_eq!(
            send(&host.router(), twice).await.status(),
            StatusCode::BAD_REQUEST
        );
        for (absolute, status) in [
            ("http://example/assets/table.css", StatusCode::BAD_REQUEST),
            ("http://127.0.0.1:7313/assets/table.css", StatusCode::BAD_REQUEST),
            ("http://LOCALHOST/assets/table.css", StatusCode::OK),
        ] {
            assert_eq!(answers(absolute, "localhost").await, status, "{absolute}");
        }
        for path in ["/", "/front/", "/front/open/00", "/open/00"] {
            assert_eq!(answers(path, "127.0.0.2").await, StatusCode::FORBIDDEN, "{path}");
        }
        // A form from the network is one from the page that the network sees.
        let way = link(&page).unwrap();
        for (origin, status) in [
            ("http://127.0.0.1:7313", StatusCode::FORBIDDEN),
            ("http://127.0.0.2:7313", StatusCode::SEE_OTHER),
        ] {
            let request = Request::post(&way)
                .header(header::HOST, "127.0.0.2:7313")
                .header(header::ORIGIN, origin)
                .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
                .body(Body::from(format!("commit={}&name=Ann", bound_to("x"))))
                .unwrap();
            assert_eq!(send(&host.router(), request).await.status(), status, "{origin}");
        }
    });
}

/// Who comes from the network finds the tables under the name that was offered, and not under this machine's
/// own: those lead to more.
#[cfg(target_os = "linux")]
#[test]
fn the_network_finds_no_names_of_this_machine() {
    use std::io::{Read as _, Write as _};
    let mut setting = setting(
        Arc::new(Memory::new(cw_serve::fresh_secret())),
        HostLimits::default(),
    );
    setting.reach = Some("127.0.0.2".to_owned());
    let host = DuelHost::new(setting);
    let served = host.clone();
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || served.serve(Some(0), |address| sender.send(address).unwrap()));
    let own = receiver.recv().unwrap().to_string();
    let network = host.reached_at().unwrap().replace("http://", "");
    let ask = |address: &str, name: &str| {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        let request = format!("GET /assets/table.css HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(ask(&own, "localhost"), "200");
    assert_eq!(ask(&network, "127.0.0.2"), "200");
    for name in ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"] {
        assert_eq!(ask(&network, name), "403", "{name}");
    }
}

/// A draw is offered, declined, offered again and accepted; who offers cannot accept. It survives a
/// restart, and the record leads to the same end.
#[test]
fn people_agree_on_a_draw() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let store = async || Arc::new(opened(&path).await);
        let first = host(store().await);
        let seats = first.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
        let join = async |host: &DuelHost| {
            [
                Browser::join(host, &seats[0].path).await,
                Browser::join(host, &seats[1].path).await,
            ]
        };
        let people = join(&first).await;
        for step in 0..6 {
            for person in &people {
                person.take(&person.page().await, step).await;
            }
        }
        let status = async |person: &Browser, act: &str| person.act(act).await.status();
        assert_eq!(
            status(&people[1], "accept-draw").await,
            StatusCode::CONFLICT,
            "none is offered"
        );
        assert_eq!(status(&people[0], "offer-draw").await, StatusCode::SEE_OTHER);
        for act in ["accept-draw", "offer-draw", "let-back"] {
            assert_eq!(status(&people[0], act).await, StatusCode::CONFLICT, "{act}");
        }
        assert_eq!(
            status(&people[1], "let-back").await,
            StatusCode::CONFLICT,
            "it is no takeback"
        );
        assert!(people[1].page().await.contains("offers a draw"));
        assert_eq!(status(&people[1], "play-on").await, StatusCode::SEE_OTHER);
        assert!(people[0].page().await.contains("would rather play on"));
        assert_eq!(
            status(&people[0], "offer-draw").await,
            StatusCode::CONFLICT,
            "not twice at once"
        );
        // It stays while who offers it plays on, and goes when the other one does.
        assert_eq!(status(&people[1], "offer-draw").await, StatusCode::SEE_OTHER);
        let mut shown = Vec::new();
        for step in 0..40 {
            let asked = usize::from(form(&people[0].page().await, 0).is_none());
            let page = people[asked].page().await;
            assert!(people[asked].take(&page, step).await);
            shown.push((asked, people[0].page().await.contains("offers a draw")));
            if asked == 0 {
                break;
            }
        }
        let (last, before) = shown.split_last().unwrap();
        assert_eq!(*last, (0, false));
        assert!(
            before.iter().all(|(asked, offered)| *asked == 1 && *offered),
            "{shown:?}"
        );
        assert_eq!(status(&people[1], "offer-draw").await, StatusCode::SEE_OTHER);
        drop((first, people));

        let second = host(store().await);
        second.resume().unwrap();
        let people = join(&second).await;
        assert!(people[0].page().await.contains("offers a draw"));
        assert_eq!(status(&people[0], "accept-draw").await, StatusCode::SEE_OTHER);
        for person in &people {
            assert!(person.page().await.contains("You agreed to a draw."));
        }
        drop((second, people));
        let third = host(store().await);
        let resumed = third.resume().unwrap();
        assert!(resumed.aside.is_empty() && resumed.over.len() == 1, "{resumed:?}");
        let one = Browser::join(&third, &seats[0].path).await;
        assert!(one.page().await.contains("You agreed to a draw."));
        let record = send(&one.router, get(&format!("{}record.json", one.base), &one.cookie)).await;
        let record = cw_wire::Replay::read(&text(record).await).unwrap();
        assert_eq!(record.moves.last().map(|made| made.choice.as_str()), Some("draw"));
        assert_eq!(record.result.as_deref(), Some("draw"));
        let duel = record.play(&game(), usize::MAX, &mut cw_duel::Silent).unwrap();
        assert_eq!(duel.outcome(), Some(cw_duel::DuelOutcome::Drawn));
    });
}

/// One asks for a rematch, the other sees which and answers; they play again when both want the same.
#[test]
fn a_rematch_is_asked_for_and_answered() {
    run(async {
        let (_host, one, two) = two_people().await;
        let wish = async |browser: &Browser, act: &str| {
            let form = format!("{}&commit={}", browser.form(act).await, bound_to("x"));
            browser.post("act", &form).await.status()
        };
        assert_eq!(one.act("concede").await.status(), StatusCode::SEE_OTHER);
        assert_eq!(
            two.act("no-rematch").await.status(),
            StatusCode::CONFLICT,
            "nobody asks"
        );
        assert_eq!(wish(&one, "swap").await, StatusCode::SEE_OTHER);
        assert!(one.page().await.contains("Waiting for the opponent to agree"));
        assert!(
            two.page()
                .await
                .contains("would like to play again, with the decks swapped")
        );
        assert_eq!(two.act("no-rematch").await.status(), StatusCode::SEE_OTHER);
        assert!(one.page().await.contains("does not want to play again now"));
        // Another wish is a question back, not consent.
        assert_eq!(wish(&one, "swap").await, StatusCode::SEE_OTHER);
        assert_eq!(wish(&two, "rematch").await, StatusCode::SEE_OTHER);
        let page = one.page().await;
        assert!(page.contains("would like to play again.") && page.contains("class=\"result\""));
        assert_eq!(wish(&one, "rematch").await, StatusCode::SEE_OTHER);
        for browser in [&one, &two] {
            assert_eq!(reveal(browser, "x").await, StatusCode::SEE_OTHER);
        }
        let page = one.page().await;
        assert!(!page.contains("class=\"result\"") && page.contains("“One” against “Two”"));
    });
}

/// Each of two people sees whether the other one is there, and is told when that changes.
#[test]
fn people_see_whether_the_other_one_is_there() {
    run(async {
        let (_host, one, two) = two_people().await;
        let follow = async |browser: &Browser| {
            let page = browser.page().await;
            let address = format!("{}events?number={}", browser.base, hidden(&page, "n"));
            send(&browser.router, get(&address, &browser.cookie))
                .await
                .into_body()
        };
        assert!(one.page().await.contains("data-presence=\"not-yet\""));
        let mut watched = follow(&one).await;
        let mut told = async |words: &str| {
            let told = async {
                while let Some(Ok(frame)) = watched.frame().await {
                    let data = frame.into_data().unwrap_or_default();
                    if String::from_utf8_lossy(&data).contains(words) {
                        return true;
                    }
                }
                false
            };
            tokio::time::timeout(std::time::Duration::from_secs(20), told).await
        };
        assert_eq!(told("not-yet").await, Ok(true));
        let page = follow(&two).await;
        assert_eq!(told("data-presence=\\\"here").await, Ok(true));
        assert!(one.page().await.contains("data-presence=\"here\""));
        drop(page);
        assert_eq!(told("data-presence=\\\"reconnecting").await, Ok(true));
        assert!(
            two.page().await.contains("data-presence=\"here\""),
            "the other one watches"
        );
    });
}

/// What the host itself starts with two people and a network waits for a friend in the same way.
#[test]
fn a_seat_that_does_not_invite_has_no_link() {
    run(async {
        let host = host(Arc::new(Memory::new(cw_serve::fresh_secret())));
        let begin = DuelStart {
            seed: None,
            ..start(&game(), [SeatPlayer::Person; 2], 0)
        };
        let invites = Some(cw_duel::Seat::One);
        let plain = host.open(begin.clone()).unwrap();
        let inviting = host.open(DuelStart { invites, ..begin }).unwrap();
        for (seat, has) in [
            (&plain[0], false),
            (&plain[1], false),
            (&inviting[0], true),
            (&inviting[1], false),
        ] {
            let browser = Browser::join(&host, &seat.path).await;
            assert_eq!(link(&browser.page().await).is_some(), has);
        }
    });
}

/// A package as it is read from its files, and a host of its duels.
pub(crate) fn host_of_package(store: Arc<dyn DuelStore>) -> (DuelHost, Vec<(String, String)>) {
    host_of_package_with(store, &|_| Vec::new())
}

/// As [`host_of_package`], with these opponents on its ladder.
pub(crate) fn host_of_package_with(
    store: Arc<dyn DuelStore>,
    opponents: &dyn Fn(&cw_load::Loaded) -> Vec<cw_pages::ladder::Opponent>,
) -> (DuelHost, Vec<(String, String)>) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/saltmarsh");
    let loaded = Arc::new(cw_load::load(cw_octgn::Folder::new(folder)).unwrap());
    let game = loaded.game.clone().unwrap();
    let catalogue = Arc::new(cw_faces::Catalogue::of(&loaded.project));
    let as_list = |cards: &[cw_program::ModelId]| {
        let mut counts = std::collections::BTreeMap::new();
        for card in cards {
            *counts.entry(game.model(*card).name.to_string()).or_insert(0) += 1;
        }
        let lines = counts
            .iter()
            .map(|(name, count)| format!("{count}x {}\n", name.to_uppercase()));
        format!("// what I play\n{}", lines.collect::<String>())
    };
    let lists = loaded
        .decks
        .iter()
        .map(|deck| (deck.name.clone(), as_list(&deck.cards)))
        .collect();
    let mut made = cw_serve::HostSettings::new(Arc::clone(&game), catalogue, store, cw_serve::fresh_secret);
    made.package.get_mut().opponents = opponents(&loaded);
    made.package.get_mut().decks = loaded
        .decks
        .iter()
        .map(|deck| (deck.name.clone(), deck.cards.clone()))
        .collect();
    made.package.get_mut().rules = cw_serve::rule_texts(&loaded);
    made.package.get_mut().loaded = Some(loaded);
    (DuelHost::new(made), lists)
}

fn form_of(list: &str) -> String {
    let mut out = String::new();
    for byte in list.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// A list of cards that is pasted is a deck at each seat of a duel: what cannot be played is told with its
/// line and stands in the form again; what can is what the front page names, also when only the store holds
/// the duel.
#[test]
fn a_seat_brings_a_deck_as_a_pasted_list() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let store = async || Arc::new(opened(&path).await);
        let (host, lists) = host_of_package(store().await);
        let owner = owner(&host).await;
        let front = async |host: &DuelHost| text(send(&host.router(), get("/front/", &owner)).await).await;
        let one = invite(&host, &owner, "here").await;
        let way = link(&one.page().await).unwrap();
        let open = text(send(&host.router(), get(&way, "")).await).await;
        assert!(open.contains("<textarea name=\"list\"") && !open.contains("<details class=\"brings\" open"));

        let sit = async |list: &str| {
            let form = format!("commit={}&name=Ann&deck=0&list={}", bound_to("y"), form_of(list));
            send(&host.router(), post(&way, "", &form)).await
        };
        let wrong = format!("{}3 Nobody of this name\n", lists[2].1);
        let refused = text(sit(&wrong).await).await;
        let line = wrong.lines().count();
        assert!(
            refused.contains(&format!("That deck cannot be played: line {line}: ")),
            "{refused}"
        );
        assert!(
            refused.contains("<details class=\"brings\" open") && refused.contains("3 Nobody of this name")
        );
        let short = text(sit("3 Crumb").await).await;
        assert!(
            short.contains("That deck cannot be played: the deck has 3 cards instead of 50"),
            "{short}"
        );
        let long = |bytes| format!("// {}\n{}", "~".repeat(bytes), lists[2].1);
        let refused = text(sit(&long(17_000)).await).await;
        assert!(refused.contains("That deck cannot be played: a deck may have 16 kB of text."));
        // All that is less fits into the form, however it is sent.
        let two = seated(&host, &sit(&long(15_000)).await);
        let words = format!("“A deck of your own” against “{}”", lists[1].0);
        assert!(two.page().await.contains(&words));
        assert_eq!(sit_down(&one, "Bo").await, StatusCode::SEE_OTHER);
        assert_eq!(reveal(&one, "x").await, StatusCode::SEE_OTHER);
        assert_eq!(reveal(&two, "y").await, StatusCode::SEE_OTHER);
        let listed = format!("{} against A deck of your own", lists[1].0);
        assert!(front(&host).await.contains(&listed));
        let pages = [one.page().await, two.page().await];

        let seats = [one, two].map(|browser| (browser.cookie, browser.base));
        drop(host);
        let (again, _) = host_of_package(store().await);
        again.resume().unwrap();
        assert!(front(&again).await.contains(&listed), "as its own pages say");
        for ((cookie, base), page) in seats.into_iter().zip(&pages) {
            let back = Browser {
                router: again.router(),
                cookie,
                base,
            };
            assert_eq!(&back.page().await, page, "as before the restart");
        }

        // Who runs the host brings one, too.
        let page = front(&again).await;
        let key = hidden(&page, "k");
        let new = async |list: &str| {
            let form = format!("k={key}&own=0&other=1&level=random&list={}", form_of(list));
            send(&again.router(), post("/front/new", &owner, &form)).await
        };
        let refused = text(new("50 Crumb").await).await;
        assert!(refused.contains("That deck cannot be played: ") && refused.contains(">50 Crumb</textarea>"));
        let refused = text(new(&long(17_000)).await).await;
        assert!(refused.contains("a deck may have 16 kB of text"));
        let alone = seated(&again, &new(&lists[2].1).await);
        assert!(alone.page().await.contains("“A deck of your own” against"));
    });
}

/// What a guest opens from their seat is no table of whoever runs the host: it is not listed, whoever wins
/// there climbs no ladder, and no way leads from it to the front page, also after the program was ended.
#[test]
fn what_a_guest_opens_is_no_table_of_the_hosts() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let made = async || {
            let decks = start(&game(), [SeatPlayer::Person; 2], 7).decks;
            let names = ["Quarts", "Velours"].map(str::to_owned);
            let lesson = format!(
                "[[scenario]]\nname = \"The first lesson\"\nme = {{ ring = [\"{}\"] }}\n\
                 steps = [{{ note = \"On.\", do = \"end phase\" }}]\n",
                name(0, 0)
            );
            let ada = Opponent {
                name: "Ada".to_owned(),
                deck: "Velours".to_owned(),
                level: "random".to_owned(),
                ..Opponent::default()
            };
            let mut made = setting(Arc::new(opened(&path).await), HostLimits::default());
            made.package.get_mut().decks = names.into_iter().zip(decks.0).collect();
            made.package.get_mut().shelf = cw_serve::ScenarioStage::read(&lesson, &game()).unwrap();
            made.package.get_mut().opponents = [ada].into();
            DuelHost::new(made)
        };
        let host = made().await;
        let owner = owner(&host).await;
        let one = invite(&host, &owner, "here").await;
        let way = link(&one.page().await).unwrap();
        let lesson = seated(
            &host,
            &send(&host.router(), post(&format!("{way}/learn"), "", "")).await,
        );
        let (mut guests, mut won, mut dice) = (Vec::new(), false, 7u64);
        for _ in 0..12 {
            let opened = lesson.act("real-duel").await;
            assert_eq!(opened.status(), StatusCode::SEE_OTHER);
            let path = opened.headers()[header::LOCATION].to_str().unwrap().to_owned();
            let answer = send(&host.router(), get(&path, "")).await;
            assert!(cookie_of(&answer, "home=").is_none());
            let duel = seated(&host, &answer);
            let page = crate::front::play_by_chance(&duel, &mut dice).await;
            won = page.contains("data-won=\"true\"");
            guests.push((path, duel.base));
            if won {
                break;
            }
        }
        assert!(won, "chance is beaten once in twelve duels");
        // From the end of it they go on to another one.
        let (_, base) = guests.last().unwrap();
        let secret = guests.last().unwrap().0.trim_start_matches("/join/");
        let duel = Browser {
            router: host.router(),
            cookie: format!("seat={secret}"),
            base: base.clone(),
        };
        let opened = duel.act("from-0").await;
        let path = opened.headers()[header::LOCATION].to_str().unwrap().to_owned();
        let forked = seated(&host, &send(&host.router(), get(&path, "")).await);
        assert_eq!(forked.act("control").await.status(), StatusCode::SEE_OTHER);
        guests.push((path, forked.base.clone()));

        let is_hidden = async |host: &DuelHost| {
            let front = text(send(&host.router(), get("/front/", &owner)).await).await;
            assert!(
                !front.contains("data-beaten"),
                "whoever runs the host has beaten nobody"
            );
            for (path, base) in &guests {
                let name = base.trim_start_matches("/s/").trim_end_matches('/');
                assert!(!front.contains(name), "{front}");
                let entered = send(&host.router(), get(&format!("/front/enter/{name}"), &owner)).await;
                assert_eq!(entered.status(), StatusCode::NOT_FOUND);
                let joined = send(&host.router(), get(path, "")).await;
                assert!(cookie_of(&joined, "seat=").is_some() && cookie_of(&joined, "home=").is_none());
            }
        };
        is_hidden(&host).await;
        drop((host, one, lesson, duel, forked));
        let again = made().await;
        again.resume().unwrap();
        is_hidden(&again).await;
        // Also when they are woken.
        for (path, base) in &guests {
            let secret = path.trim_start_matches("/join/");
            send(&again.router(), get(base, &format!("seat={secret}"))).await;
        }
        is_hidden(&again).await;
    });
}
