//! Links at the table: who may share what, and what a link from elsewhere opens.

use std::sync::Arc;

use axum::http::{StatusCode, header};
use cw_serve::{
    DuelHost, DuelPackage, HostLimits, HostSettings, Memory, ScenarioStage, SeatPlayer, Serve as _,
};
use cw_wire::{GameLink, LinkContent, LinkedGame, SharedDeck};

use crate::play::*;

/// A host with two decks, one puzzle and a page of its own.
fn sharing_host() -> DuelHost {
    let game = game();
    let decks = start(&game, [SeatPlayer::Person; 2], 7).decks;
    let puzzle = format!(
        "[[scenario]]\nname = \"Low tide\"\ngoal = \"Win this turn.\"\nphase = \"attack\"\n\
         [[scenario.me.ring]]\ncard = \"{}\"\n",
        name(0, 0)
    );
    let shelf = ScenarioStage::read(&puzzle, &game).expect("the puzzle makes sense");
    let made = setting(
        Arc::new(Memory::new(cw_serve::fresh_secret())),
        HostLimits::default(),
    );
    let names = ["Quarts", "Velours"].map(str::to_owned);
    DuelHost::new(HostSettings {
        package: DuelPackage {
            decks: names.into_iter().zip(decks.0.clone()).collect(),
            lists: decks.0.to_vec(),
            shelf,
            ..DuelPackage::clone(&made.package.now())
        }
        .into(),
        page: Some("https://example.org/games/test/".to_owned()),
        ..made
    })
}

async fn owner(host: &DuelHost) -> String {
    let answer = send(&host.router(), get(&host.front_page(), "")).await;
    let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap();
    cookie.split(';').next().unwrap().to_owned()
}

/// The message in a text field.
fn shared(page: &str) -> String {
    let (_, field) = page.split_once("data-share").expect("a text to be shared");
    let (_, text) = field.split_once('>').expect("the field begins");
    let (text, _) = text.split_once("</textarea>").expect("the field ends");
    text.replace("&quot;", "\"")
}

/// The page of the link, then what it opens: the address of that, and the cookie for it.
async fn opened(host: &DuelHost, owner: &str, message: &str) -> Browser {
    let router = host.router();
    let letters = message.rsplit(['=', ' ']).next().unwrap().trim();
    let page = text(send(&router, get(&format!("/front/link?link={letters}"), owner)).await).await;
    let form = format!("k={}&link={}", hidden(&page, "k"), hidden(&page, "link"));
    let answer = send(&router, post("/front/link", owner, &form)).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap();
    Browser {
        router,
        cookie: cookie.split(';').next().unwrap().to_owned(),
        base: answer.headers()[header::LOCATION].to_str().unwrap().to_owned(),
    }
}

/// Before its end a duel is not shared: the link would show both hands. Then it is opened at the moment that
/// was meant, as it went, or played on from there.
#[test]
fn a_duel_is_shared_when_it_is_over_and_opened_at_its_moment() {
    run(async {
        let host = sharing_host();
        let seats = host.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
        let seat = Browser::join(&host, &seats[0].path).await;
        let other = Browser::join(&host, &seats[1].path).await;
        for _ in 0..6 {
            let page = seat.page().await;
            assert!(seat.take(&page, 0).await || other.take(&other.page().await, 0).await);
        }
        let early = text(send(&seat.router, get(&format!("{}share", seat.base), &seat.cookie)).await).await;
        assert!(
            !early.contains("data-share") && early.contains("when the duel is over"),
            "{early}"
        );
        let form = seat.form("concede").await;
        assert!(seat.post("act", &form).await.status().is_redirection());
        let at = |query: &str| get(&format!("{}share{query}", seat.base), &seat.cookie);
        let whole = shared(&text(send(&seat.router, at("")).await).await);
        assert!(
            whole.starts_with("Test: “One” against “Two”, a duel of "),
            "{whole}"
        );
        assert!(whole.contains("https://example.org/games/test/#open="), "{whole}");
        for result in ["won", "lost", "win", "lose", "gave up"] {
            assert!(!whole.contains(result), "the line tells the result: {whole}");
        }

        let owner = owner(&host).await;
        let watched = opened(&host, &owner, &whole).await;
        assert!(watched.base.ends_with("/moment/0"), "{}", watched.base);
        let page = watched.page().await;
        assert!(page.contains("class=\"replay\""), "{page}");

        let moment = text(send(&seat.router, at("?step=3")).await).await;
        let moment_shown = shared(&moment);
        let watched = opened(&host, &owner, &moment_shown).await;
        assert!(watched.base.ends_with("/moment/3"), "{}", watched.base);
        let (_, rest) = moment.split_once("data-share").unwrap();
        let position = shared(rest);
        assert!(position.contains("What would you do?"), "{position}");
        let played = opened(&host, &owner, &position).await;
        assert!(!played.base.contains("moment"), "{}", played.base);
        let page = played.page().await;
        assert!(
            page.contains("You play “One” against “Two”.") && page.contains("id=\"prompt\""),
            "{page}"
        );
    });
}

/// A puzzle is named in its link, and what a link opened is there after a restart, also if nothing was done
/// in it yet.
#[test]
fn a_puzzle_and_a_deck_are_opened_by_their_links() {
    run(async {
        let host = sharing_host();
        let owner = owner(&host).await;
        let game = LinkedGame::of(&host.hall.setting.package.now().game);
        let puzzle = GameLink {
            game: game.clone(),
            what: LinkContent::Stage("Low tide".into()),
        };
        let seat = opened(&host, &owner, &puzzle.write().unwrap()).await;
        let page = seat.page().await;
        assert!(
            page.contains("Low tide") && page.contains("Win this turn."),
            "{page}"
        );
        let again =
            shared(&text(send(&seat.router, get(&format!("{}share", seat.base), &seat.cookie)).await).await);
        assert!(
            again.starts_with("Test, puzzle “Low tide”: Win this turn. Can you solve it?\n"),
            "{again}"
        );
        host.resume().unwrap();
        assert!(seat.page().await.contains("Low tide"), "the table stays");

        let deck = text(send(&host.router(), get("/front/share/deck/1", &owner)).await).await;
        let message = shared(&deck);
        assert!(
            message.starts_with("Test: the deck “Velours”. Try it:\n"),
            "{message}"
        );
        let seat = opened(&host, &owner, &message).await;
        let page = seat.page().await;
        assert!(page.contains("You play “Velours” against “Quarts”."), "{page}");
        let missing = send(&host.router(), get("/front/share/deck/9", &owner)).await;
        assert_eq!(missing.status(), StatusCode::NOT_FOUND);
    });
}

/// Nothing is opened by whoever is not the owner, by a form from elsewhere, or by a link for something else;
/// the page says why, and what the link says of itself.
#[test]
fn what_cannot_be_opened_says_why() {
    run(async {
        let host = sharing_host();
        let router = host.router();
        let owner = owner(&host).await;
        let tables = host.awake();
        let own = LinkedGame::of(&host.hall.setting.package.now().game);
        let letters = |game: &LinkedGame, what| {
            GameLink {
                game: game.clone(),
                what,
            }
            .write()
            .unwrap()
        };
        let stage = || LinkContent::Stage("Low tide".into());
        let page = text(send(&router, get("/front/link", &owner)).await).await;
        assert!(page.contains("name=\"link\""), "{page}");

        let foreign = letters(&LinkedGame::named("Harbour", "0 1"), stage());
        let unknown = letters(&own, LinkContent::Stage("High tide".into()));
        let package = letters(&own, LinkContent::Package(vec![1]));
        let scenario = letters(
            &own,
            LinkContent::Scenario {
                text: "[[scenario]]\nnme = 1\n".into(),
                index: 0,
            },
        );
        let cases = [
            (
                foreign.as_str(),
                "The link is for “Harbour”, and this table has “Test”.",
            ),
            (&unknown, "has no lesson or puzzle “High tide”"),
            (&package, "A whole game of 1 kB."),
            (&scenario, "what the link carries cannot be opened"),
            (
                "nothing",
                "This is not a link of Cardwright&#39;s, or a part of it is missing.",
            ),
        ];
        for (link, words) in cases {
            let answer = send(&router, get(&format!("/front/link?link={link}"), &owner)).await;
            assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
            let page = text(answer).await;
            let plain = page.to_lowercase().replace("&#39;", "'");
            assert!(
                plain.contains(&words.to_lowercase().replace("&#39;", "'")),
                "{words}: {page}"
            );
            let form = format!("k={}&link={link}", host.hall.home.stamp(0));
            assert_eq!(
                send(&router, post("/front/link", &owner, &form)).await.status(),
                StatusCode::UNPROCESSABLE_ENTITY
            );
        }
        let good = letters(&own, stage());
        let deck = SharedDeck::of(
            "Mine",
            &host.hall.setting.package.now().lists[0],
            &host.hall.setting.package.now().game,
        );
        let good_deck = letters(&own, LinkContent::Deck(deck));
        for link in [good, good_deck] {
            let forged = send(&router, post("/front/link", &owner, &format!("k=0&link={link}"))).await;
            assert!(text(forged).await.contains("not made for this page"));
            let stranger = send(&router, get(&format!("/front/link?link={link}"), "")).await;
            assert_eq!(stranger.status(), StatusCode::FORBIDDEN);
        }
        assert_eq!(host.awake(), tables, "no table was opened");
        drop(Arc::clone(&host.hall));
    });
}
