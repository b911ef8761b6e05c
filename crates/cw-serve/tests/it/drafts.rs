//! Drafts at a host: who may see which seat, what pages name, what is kept, friends by link, decks and duels
//! afterwards.

use std::sync::Arc;

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Response, StatusCode, header};
use cw_hall::drafts::DraftFault;
use cw_serve::{DuelHost, DuelStore, Memory, Serve as _};
use http_body_util::BodyExt as _;

use crate::front::owner;
use crate::invite::host_of_package;
use crate::opened::opened;
use crate::play::*;

fn memory() -> Arc<dyn DuelStore> {
    Arc::new(Memory::new(cw_serve::fresh_secret()))
}

fn way(answer: &Response<Body>) -> String {
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    answer.headers()[header::LOCATION].to_str().unwrap().to_owned()
}

fn cookie_of(answer: &Response<Body>) -> String {
    let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap();
    cookie.split(';').next().unwrap().to_owned()
}

/// A browser at a seat of a draft.
#[derive(Clone)]
struct Drafter {
    host: DuelHost,
    cookie: String,
    base: String,
}

impl Drafter {
    fn seated(host: &DuelHost, answer: &Response<Body>) -> Drafter {
        Drafter {
            host: host.clone(),
            cookie: cookie_of(answer),
            base: way(answer),
        }
    }

    async fn page(&self, below: &str) -> String {
        text(
            send(
                &self.host.router(),
                get(&format!("{}{below}", self.base), &self.cookie),
            )
            .await,
        )
        .await
    }

    async fn post(&self, below: &str, form: &str) -> Response<Body> {
        let stamp = hidden(&self.page("").await, "k").to_owned();
        self.post_with(below, &format!("k={stamp}&{form}")).await
    }

    async fn post_with(&self, below: &str, form: &str) -> Response<Body> {
        let address = format!("{}{below}", self.base);
        send(&self.host.router(), post(&address, &self.cookie, form)).await
    }

    /// Keeps a deck in the builder of the seat; what is said of it.
    async fn keep(&self, form: &str) -> String {
        let page = self.page("deck").await;
        let stamp = page
            .split("data-stamp=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        text(self.post_with("deck/keep", &format!("k={stamp}&{form}")).await).await
    }

    /// Says of a sealed game whether the seat is ready, from the builder.
    async fn be_ready(&self, word: &str) -> Response<Body> {
        let stamp = hidden(&self.page("deck").await, "k").to_owned();
        self.post_with("ready", &format!("k={stamp}&ready={word}")).await
    }

    /// Where a way to a table of this seat leads.
    async fn table(&self, to: &str) -> String {
        assert!(to.starts_with(&format!("{}table/", self.base)), "{to}");
        way(&send(&self.host.router(), get(to, &self.cookie)).await)
    }

    /// Takes the first card of the pack; its name.
    async fn take(&self) -> Option<String> {
        let page = self.page("").await;
        if !page.contains("class=\"picking\"") {
            return None;
        }
        let name = offered(&page).remove(0);
        let form = format!("k={}&n={}&at=0", hidden(&page, "k"), hidden(&page, "n"));
        assert_eq!(
            self.post_with("pick", &form).await.status(),
            StatusCode::SEE_OTHER
        );
        Some(name)
    }
}

/// The names of the cards in the pack on a page.
fn offered(page: &str) -> Vec<String> {
    let cards = page.split("<li data-name=\"").skip(1);
    cards
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect()
}

/// Whoever runs the host begins a draft.
async fn begin(host: &DuelHost, form: &str) -> Response<Body> {
    let home = owner(host).await;
    let page = text(send(&host.router(), get("/front/draft", &home)).await).await;
    let pack = page.split("name=\"p.").nth(1).unwrap().split('"').next().unwrap();
    let form = form.replace("PACK", pack);
    let form = format!("k={}&{form}", hidden(&page, "k"));
    send(&host.router(), post("/front/draft", &home, &form)).await
}

/// Alone against computers: a draft to its end, with the program ended after each round; the same picks are
/// there. Then each pick is looked back at, a deck is built, and duels begin; computers play theirs.
#[test]
fn a_draft_is_kept_looked_back_at_and_played() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let host = host_of_package(Arc::new(opened(&path).await)).0;
        let begun = begin(&host, "p.PACK=2&seats=4").await;
        let mut own = Drafter::seated(&host, &begun);
        drop(host);
        let mut taken = Vec::new();
        assert!(
            own.page("review").await.is_empty(),
            "what others took is not told before the end"
        );
        while let Some(name) = own.take().await {
            taken.push(name);
            if taken.len() % 7 == 0 {
                // The end of the program: only the store remains.
                let Drafter { cookie, base, host } = own;
                drop(host);
                let host = host_of_package(Arc::new(opened(&path).await)).0;
                own = Drafter { host, cookie, base };
                let page = own.page("").await;
                assert!(
                    page.contains(&format!("data-total=\"{}\"", taken.len())),
                    "{page}"
                );
            }
        }
        assert_eq!(taken.len(), 24, "two packs of twelve");
        let page = own.page("").await;
        assert!(page.contains("All cards are taken"), "{page}");

        let review = own.page("review").await;
        assert_eq!(review.matches("class=\"pick-review\"").count(), 24);
        assert_eq!(review.matches("<b>Taken</b>").count(), 24);
        assert!(!review.contains("Nobody"), "every card was taken by somebody");

        let builder = own.page("deck").await;
        assert!(
            builder.contains("A legal deck."),
            "the suggested deck is in it: {builder}"
        );
        let suggested = own.page("deck/suggest").await;
        assert!(suggested.contains("rated"), "{suggested}");
        let results = own.page("results").await;
        assert_eq!(results.matches("<th scope=\"row\">").count(), 4, "{results}");
        let stamp = hidden(&results, "k").to_owned();
        assert_eq!(
            own.post_with("others", &format!("k={stamp}")).await.status(),
            StatusCode::SEE_OTHER
        );
        let results = own.page("results").await;
        assert!(
            results.contains("The computers have played each other."),
            "{results}"
        );
        let duel = own
            .post_with("duel", &format!("k={stamp}&other=2&level=random"))
            .await;
        let duel = own.table(&way(&duel)).await;
        assert!(duel.starts_with("/s/"), "{duel}");
        let results = own.page("results").await;
        assert!(
            results.contains("Go to your duel") && results.contains("table/2"),
            "{results}"
        );
        let back = send(
            &own.host.router(),
            get(&format!("{}table/2", own.base), &own.cookie),
        )
        .await;
        assert_eq!(way(&back), duel);

        // The draft stands on the page of decks, and can be forgotten.
        let home = owner(&own.host).await;
        let decks = text(send(&own.host.router(), get("/front/decks", &home)).await).await;
        assert!(
            decks.contains("24 cards taken") && !decks.contains("Drafted deck"),
            "{decks}"
        );
        let id = decks
            .split("/front/drafts/")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        let form = format!("k={}", hidden(&decks, "k"));
        let forget = send(
            &own.host.router(),
            post(&format!("/front/drafts/{id}/forget"), &home, &form),
        )
        .await;
        assert_eq!(way(&forget), "/front/decks");
        assert!(own.page("").await.contains("Nothing here"));
    });
}

/// What cannot be is refused with words, and nothing changes: foreign forms, picks that were made, other
/// people's seats.
#[test]
fn what_cannot_be_done_in_a_draft_is_refused() {
    run(async {
        let host = host_of_package(memory()).0;
        for (form, words) in [
            ("p.PACK=0&seats=4", "choose from 1 to 12 packs"),
            ("p.PACK=50&seats=4", "choose from 1 to 12 packs"),
            ("p.PACK=1&seats=1", "2 to 8 seats"),
            ("p.PACK=1&seats=9", "2 to 8 seats"),
            ("cube=all&seats=8&rounds=3&size=60", "packs need 1440"),
            ("cube=list&list=nonsense+of+mine", "cannot be drafted"),
            ("cube=77", "does not have that deck"),
        ] {
            let answer = begin(&host, form).await;
            assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{form}");
            let page = text(answer).await.to_lowercase();
            assert!(page.contains(words), "{form}: {page}");
        }
        let own = Drafter::seated(&host, &begin(&host, "p.PACK=1&seats=3").await);
        assert_eq!(
            own.post_with("pick", "k=0&n=0&at=0").await.status(),
            StatusCode::CONFLICT
        );
        let picked = |form: &'static str| own.post("pick", form);
        assert_eq!(picked("n=0&at=99").await.status(), StatusCode::CONFLICT);
        assert_eq!(picked("n=0").await.status(), StatusCode::BAD_REQUEST);
        assert_eq!(picked("n=0&at=1").await.status(), StatusCode::SEE_OTHER);
        // A browser sends a request again whose answer was lost: that is no fault of the person's.
        let again = picked("n=0&at=1").await;
        assert_eq!(again.status(), StatusCode::SEE_OTHER, "sent twice, made once");
        assert!(own.page("").await.contains("data-total=\"1\""));
        let other = picked("n=0&at=0").await;
        assert_eq!(
            other.status(),
            StatusCode::CONFLICT,
            "another card is another pick"
        );
        assert!(text(other).await.contains("That pick has been made already."));
        for cookie in ["", "seat=00", &own.cookie.replace(&own.cookie[5..13], "00000000")] {
            let answer = send(&host.router(), get(&own.base, cookie)).await;
            assert_eq!(answer.status(), StatusCode::FORBIDDEN);
        }
        // Another seat's cookie opens this one no more than none.
        let other = own.base.replace("-0/", "-1/");
        assert_eq!(
            send(&host.router(), get(&other, &own.cookie)).await.status(),
            StatusCode::FORBIDDEN
        );
        for address in ["/d/x/", "/d/-/", "/d/abc-99/", "/draft/abc-1/00"] {
            let status = send(&host.router(), get(address, &own.cookie)).await.status();
            assert!(
                [StatusCode::FORBIDDEN, StatusCode::NOT_FOUND].contains(&status),
                "{address}: {status}"
            );
        }
    });
}

/// The first message of a seat's stream.
async fn frame(drafter: &Drafter) -> String {
    let answer = send(
        &drafter.host.router(),
        get(&format!("{}events", drafter.base), &drafter.cookie),
    )
    .await;
    let mut body = answer.into_body();
    let bytes = body.frame().await.unwrap().unwrap().into_data().unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Two people and computers: a friend sits down by a link that is good once, each sees only cards that have
/// come to them, and at the end both have decks and play each other; whoever runs the host gets no way to the
/// friend's duels.
#[test]
fn a_friend_drafts_by_a_link_and_nobody_sees_more_than_has_come_to_them() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let host = host_of_package(Arc::new(opened(&path).await)).0;
        let one = Drafter::seated(&host, &begin(&host, "p.PACK=1&seats=4&friends=1").await);
        let page = one.page("").await;
        let link = page
            .split("readonly value=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        let link = link[link.find("/draft/").unwrap()..].to_owned();
        let shown = text(send(&host.router(), get(&link, "")).await).await;
        assert!(
            shown.contains("invites you to a draft") && offered(&shown).is_empty(),
            "{shown}"
        );
        let two = Drafter::seated(&host, &send(&host.router(), post(&link, "", "name=Ben")).await);
        assert_eq!(
            send(&host.router(), post(&link, "", "name=Eve")).await.status(),
            StatusCode::GONE
        );
        assert_eq!(
            send(&host.router(), get(&link, "")).await.status(),
            StatusCode::GONE
        );
        assert!(one.page("").await.contains("<b>Ben</b>"));

        let mut seen = [BTreeSet::new(), BTreeSet::new()];
        let mut made = [0, 0];
        for _ in 0..40 {
            for (at, drafter) in [&one, &two].into_iter().enumerate() {
                let sent = frame(drafter).await;
                // The stream brings the page's own part, nothing else.
                assert_eq!(offered(&sent), offered(&drafter.page("").await));
                let names: BTreeSet<String> = offered(&sent).into_iter().collect();
                seen[at].extend(names);
                let named: Vec<String> = sent
                    .split("class=\"called\">")
                    .skip(1)
                    .map(|rest| rest.split('<').next().unwrap().to_owned())
                    .collect();
                for name in named {
                    assert!(seen[at].contains(&name), "{name} has not come to this seat");
                }
                made[at] += usize::from(drafter.take().await.is_some());
            }
        }
        assert_eq!(made, [12, 12]);
        for drafter in [&one, &two] {
            assert!(drafter.page("deck").await.contains("A legal deck."));
            assert_eq!(
                drafter
                    .page("results")
                    .await
                    .matches("<th scope=\"row\">")
                    .count(),
                4
            );
        }
        // The friend plays a computer: no way leads from the front page there.
        let begun = two
            .post_with(
                "duel",
                &format!(
                    "k={}&other=1&level=random",
                    hidden(&two.page("results").await, "k")
                ),
            )
            .await;
        let table = two.table(&way(&begun)).await;
        let home = owner(&host).await;
        let name = table.trim_start_matches("/s/").trim_end_matches('/').to_owned();
        let front = text(send(&host.router(), get("/front/", &home)).await).await;
        assert!(!front.contains(&name), "{front}");
        let entered = send(&host.router(), get(&format!("/front/enter/{name}"), &home)).await;
        assert_eq!(entered.status(), StatusCode::NOT_FOUND);
        // One asks the other for a duel, who sits down by the link on their own page.
        let other = two
            .base
            .trim_end_matches('/')
            .rsplit('-')
            .next()
            .unwrap()
            .to_owned();
        let form = format!("k={}&other={other}", hidden(&one.page("results").await, "k"));
        let to = way(&one.post_with("duel", &form).await);
        assert!(one.table(&to).await.starts_with("/s/"));
        let theirs = two.page("results").await;
        assert!(
            theirs.contains("They wait for you: to the duel") && !theirs.contains("/invite/"),
            "nobody brings another deck than the drafted one: {theirs}"
        );
        let to = format!("{}table/0", two.base);
        assert!(two.table(&to).await.starts_with("/s/"));
    });
}

/// Somebody who is not there is stood in for when another one asks for it, and has their place back when they
/// come.
#[test]
fn a_computer_stands_in_and_gives_the_place_back() {
    run(async {
        let host = host_of_package(memory()).0;
        let one = Drafter::seated(&host, &begin(&host, "p.PACK=1&seats=2&friends=1").await);
        let link = one.page("").await;
        let link = link
            .split("readonly value=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        let link = link[link.find("/draft/").unwrap()..].to_owned();
        one.take().await.unwrap();
        assert!(one.take().await.is_none(), "the friend holds the other pack");
        assert_eq!(
            one.post_with("stand-in", &format!("k={}&seat=1", stamp_of(&one).await))
                .await
                .status(),
            StatusCode::SEE_OTHER
        );
        assert!(one.take().await.is_some());
        assert!(one.page("").await.contains("away: a computer picks"));
        let two = Drafter::seated(&host, &send(&host.router(), post(&link, "", "name=Ben")).await);
        one.take().await.unwrap();
        let page = two.page("").await;
        assert!(
            !page.contains("away: a computer picks") && page.contains("class=\"picking\""),
            "{page}"
        );
        let taken = page
            .split("data-total=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        assert_eq!(taken, "3", "the computer's picks are theirs");
    });
}

/// A sealed game with a friend begins; the owner's seat, the friend's link.
async fn begin_sealed(host: &DuelHost, many: u32) -> (Drafter, String) {
    let home = owner(host).await;
    let page = text(send(&host.router(), get("/front/sealed", &home)).await).await;
    let pack = page.split("name=\"p.").nth(1).unwrap().split('"').next().unwrap();
    let form = format!("k={}&p.{pack}={many}&with=friend", hidden(&page, "k"));
    let one = Drafter::seated(
        host,
        &send(&host.router(), post("/front/sealed/open", &home, &form)).await,
    );
    let page = one.page("").await;
    let link = page.split("readonly value=\"").nth(1).unwrap();
    let link = link.split('"').next().unwrap();
    let link = link[link.find("/draft/").unwrap()..].to_owned();
    (one, link)
}

/// The lines of the deck in the builder of a seat, as they can be sent again.
async fn lines_of(drafter: &Drafter) -> String {
    let page = drafter.page("deck").await;
    let lines = page
        .split("data-lines=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    lines.replace('\n', "%0A").replace(' ', "+")
}

/// The cards of a seat's pool, as its page lists them.
fn pool_on(page: &str) -> Vec<String> {
    let cards = page.split("class=\"called\">").skip(1);
    cards
        .map(|rest| rest.split('<').next().unwrap().to_owned())
        .collect()
}

/// A sealed game of two people (P110, P111): a friend comes by a link, both open the same packs, each their
/// own, and see nothing of the other's. A deck that is not legal is refused; one that is changed is not ready
/// any more; the duel begins once, when both are ready, and both find the way to their seats, also after the
/// program was ended.
#[test]
fn a_sealed_game_is_played_with_a_friend() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let host = host_of_package(Arc::new(opened(&path).await)).0;
        let (one, link) = begin_sealed(&host, 6).await;
        let shown = text(send(&host.router(), get(&link, "")).await).await;
        assert!(shown.contains("invites you to a sealed game"), "{shown}");
        let two = Drafter::seated(&host, &send(&host.router(), post(&link, "", "name=Ben")).await);
        let taken = send(&host.router(), post(&link, "", "name=Eve")).await;
        assert_eq!(taken.status(), StatusCode::GONE);

        // Both have as many cards, and each sees only their own.
        let pages = [one.page("").await, two.page("").await];
        let pools = pages.each_ref().map(|page| pool_on(page));
        assert_ne!(pools[0], pools[1]);
        for page in &pages {
            assert!(page.contains("data-total=\"72\""), "six packs of twelve: {page}");
            assert!(page.contains("builds a deck"), "{page}");
        }
        let only: BTreeSet<&String> = pools[1].iter().filter(|name| !pools[0].contains(name)).collect();
        assert!(!only.is_empty());
        for below in ["", "opening", "deck", "deck/found?q=", "deck/suggest"] {
            let page = one.page(below).await;
            for name in &only {
                assert!(!page.contains(name.as_str()), "{below} tells of {name}");
            }
        }
        let opening = two.page("opening").await;
        assert_eq!(opening.matches("A card, face down").count(), 72);
        // What drafts have, and sealed games have not.
        for below in ["results", "review"] {
            let address = format!("{}{below}", one.base);
            let answer = send(&host.router(), get(&address, &one.cookie)).await;
            assert_eq!(way(&answer), one.base);
        }
        let asked = one.post("duel", "other=1").await;
        assert_eq!(asked.status(), StatusCode::NOT_FOUND);
        // The friend's seat opens to nobody else.
        let foreign = send(&host.router(), get(&two.base, &one.cookie)).await;
        assert_eq!(foreign.status(), StatusCode::FORBIDDEN);
        assert_eq!(
            one.post_with("ready", "k=0&ready=yes").await.status(),
            StatusCode::CONFLICT
        );

        // A deck that is too small is refused in words, and nobody is ready.
        let lines = lines_of(&one).await;
        let (head, _) = lines.split_once("%0A").unwrap();
        one.keep(&format!("name=Mine&cards={head}")).await;
        let refused = one.be_ready("yes").await;
        assert_eq!(refused.status(), StatusCode::CONFLICT);
        let words = text(refused).await;
        assert!(words.contains("Your deck cannot be played"), "{words}");
        assert!(!words.contains("✓ ready"), "{words}");
        one.keep(&format!("name=Mine&cards={lines}")).await;

        // Ready, and not any more when the deck changes; the name alone is no change.
        assert_eq!(way(&one.be_ready("yes").await), one.base);
        assert!(two.page("").await.contains("✓ ready"));
        one.keep(&format!("name=Other&cards={lines}")).await;
        assert!(two.page("").await.contains("✓ ready"));
        one.keep(&format!("name=Other&cards={head}")).await;
        assert!(!two.page("").await.contains("✓ ready"));
        one.keep(&format!("name=Other&cards={lines}")).await;
        assert_eq!(way(&one.be_ready("yes").await), one.base);
        assert_eq!(way(&one.be_ready("no").await), one.base);
        assert!(!two.page("").await.contains("✓ ready"));
        assert_eq!(way(&one.be_ready("yes").await), one.base);

        // The end of the program: only the store remains. Who was ready is.
        let keep = |drafter: Drafter| (drafter.cookie, drafter.base);
        let seats = [keep(one), keep(two)];
        drop(host);
        let host = host_of_package(Arc::new(opened(&path).await)).0;
        let [one, two] = seats.map(|(cookie, base)| Drafter {
            host: host.clone(),
            cookie,
            base,
        });
        assert_eq!(pool_on(&one.page("").await), pools[0]);
        assert_eq!(pool_on(&two.page("").await), pools[1]);
        assert!(two.page("").await.contains("✓ ready"));

        // The friend plays the suggested deck: they have built none. The duel begins, and once only.
        let to = way(&two.be_ready("yes").await);
        let theirs = two.table(&to).await;
        assert_eq!(two.table(&way(&two.be_ready("yes").await)).await, theirs);
        let page = one.page("").await;
        assert!(page.contains("The duel has begun"), "{page}");
        let sent = frame(&one).await;
        assert!(sent.contains("The duel has begun"), "{sent}");
        for name in &only {
            assert!(!sent.contains(name.as_str()), "the stream tells of {name}");
        }
        let ours = one.table(&format!("{}table/1", one.base)).await;
        assert!(ours.starts_with("/s/") && theirs.starts_with("/s/") && ours != theirs);
        // The front page leads whoever runs the host to no friend's seat.
        let home = owner(&host).await;
        let name = theirs.trim_start_matches("/s/").trim_end_matches('/');
        let entered = send(&host.router(), get(&format!("/front/enter/{name}"), &home)).await;
        assert_eq!(entered.status(), StatusCode::NOT_FOUND);
        let decks = text(send(&host.router(), get("/front/decks", &home)).await).await;
        assert!(
            decks.contains("Sealed game") && decks.contains("with Ben"),
            "{decks}"
        );
    });
}

/// Packs that cannot be are refused before anybody is invited.
#[test]
fn a_sealed_game_with_a_friend_needs_packs() {
    run(async {
        let host = host_of_package(memory()).0;
        let home = owner(&host).await;
        let page = text(send(&host.router(), get("/front/sealed", &home)).await).await;
        let stamp = hidden(&page, "k").to_owned();
        for (form, words) in [
            ("with=friend", "Choose from 1 to 60 packs."),
            (
                "with=friend&p.0a000000-0000-4000-8000-000000000001=3",
                "This game does not have these packs.",
            ),
        ] {
            let form = format!("k={stamp}&{form}");
            let answer = send(&host.router(), post("/front/sealed/open", &home, &form)).await;
            let page = text(answer).await;
            assert!(page.contains(words), "{form}: {page}");
        }
        let decks = text(send(&host.router(), get("/front/decks", &home)).await).await;
        assert!(!decks.contains("Sealed game"), "{decks}");
    });
}

/// The stamp of the forms on a page that waits.
async fn stamp_of(drafter: &Drafter) -> String {
    hidden(&drafter.page("").await, "k").to_owned()
}

/// A friend who has sat down to a draft of whoever runs the host, by the link on the owner's page.
async fn friend_of(one: &Drafter) -> Drafter {
    let page = one.page("").await;
    let link = page.split("readonly value=\"").nth(1).unwrap();
    let link = link.split('"').next().unwrap();
    let link = &link[link.find("/draft/").unwrap()..];
    Drafter::seated(
        &one.host,
        &send(&one.host.router(), post(link, "", "name=Ben")).await,
    )
}

/// All of them take cards until none are left.
async fn take_all(drafters: &[&Drafter]) {
    let mut takes = true;
    while takes {
        takes = false;
        for drafter in drafters {
            takes |= drafter.take().await.is_some();
        }
    }
}

/// A duel against the computer of this seat; its page, without what else the way there gives.
async fn duel_against(drafter: &Drafter, seat: usize) -> Browser {
    let stamp = hidden(&drafter.page("results").await, "k").to_owned();
    let form = format!("k={stamp}&other={seat}&level=random");
    let to = way(&drafter.post_with("duel", &form).await);
    at_table(drafter, &to).await.0
}

/// A drafter at their table; and whether the way there gave them the front page.
async fn at_table(drafter: &Drafter, to: &str) -> (Browser, bool) {
    let answer = send(&drafter.host.router(), get(to, &drafter.cookie)).await;
    let browser = Browser {
        router: drafter.host.router(),
        cookie: cookie_of(&answer),
        base: way(&answer),
    };
    (browser, gives_home(&answer))
}

/// Whether an answer gives the cookie of the front page.
fn gives_home(answer: &Response<Body>) -> bool {
    let mut cookies = answer.headers().get_all(header::SET_COOKIE).iter();
    cookies.any(|cookie| cookie.to_str().unwrap().starts_with("home="))
}

/// A draft that somebody has begun, by its name.
fn name_of(drafter: &Drafter) -> String {
    let name = drafter.base.trim_start_matches("/d/");
    name.split('-').next().unwrap().to_owned()
}

/// The front page leads to all duels of whoever runs the host: a friend who drafts, and plays against a
/// computer, gets no way to it, also not by the secret of their own seat, and after the program was ended.
/// Their duel is not listed there, also not when the draft is forgotten.
#[test]
fn a_friend_who_drafts_gets_no_way_to_the_front_page() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let host = host_of_package(Arc::new(opened(&path).await)).0;
        let one = Drafter::seated(&host, &begin(&host, "p.PACK=1&seats=4&friends=1").await);
        let two = friend_of(&one).await;
        take_all(&[&one, &two]).await;
        duel_against(&one, 1).await;
        let (_, has_home) = at_table(&one, &format!("{}table/1", one.base)).await;
        assert!(has_home, "whoever runs the host goes on from there");

        let table = duel_against(&two, 1).await;
        let (_, has_home) = at_table(&two, &format!("{}table/1", two.base)).await;
        assert!(!has_home, "a friend does not");
        assert_eq!(table.act("control").await.status(), StatusCode::SEE_OTHER);
        let join = format!("/join/{}", table.cookie.trim_start_matches("seat="));
        assert!(!gives_home(&send(&host.router(), get(&join, "")).await));

        let name = table
            .base
            .trim_start_matches("/s/")
            .trim_end_matches('/')
            .to_owned();
        let hides = async |host: &DuelHost| {
            let home = owner(host).await;
            let front = text(send(&host.router(), get("/front/", &home)).await).await;
            assert!(!front.contains(&name), "{front}");
            let entered = send(&host.router(), get(&format!("/front/enter/{name}"), &home)).await;
            assert_eq!(entered.status(), StatusCode::NOT_FOUND);
        };
        hides(&host).await;
        host.hall.forget_draft(&name_of(&one)).unwrap();
        hides(&host).await;
        drop((host, one, two, table));
        let host = host_of_package(Arc::new(opened(&path).await)).0;
        host.resume().unwrap();
        hides(&host).await;
        assert!(!gives_home(&send(&host.router(), get(&join, "")).await));
    });
}

/// Nobody but the drafter comes to the deck of a seat: whoever runs the host neither reads it by its name,
/// nor changes or forgets it.
#[test]
fn the_deck_of_a_friend_is_theirs_alone() {
    run(async {
        let host = host_of_package(memory()).0;
        let one = Drafter::seated(&host, &begin(&host, "p.PACK=1&seats=2&friends=1").await);
        let two = friend_of(&one).await;
        take_all(&[&one, &two]).await;
        let lines = lines_of(&two).await;
        assert!(!lines.is_empty());

        let home = owner(&host).await;
        let decks = text(send(&host.router(), get("/front/decks", &home)).await).await;
        let stamp = hidden(&decks, "k");
        let name = two.base.trim_start_matches("/d/").trim_end_matches('/');
        let address = format!("/front/decks/{name}");
        for below in [
            "",
            "/found",
            "/rows",
            "/suggest",
            "/deck.o8d",
            "/deck.txt",
            "/link",
            "/compare",
            "/arena",
        ] {
            let answer = send(&host.router(), get(&format!("{address}{below}"), &home)).await;
            assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{below}");
        }
        for below in ["/keep", "/forget", "/duel", "/challenge", "/arena"] {
            let form = format!("k={stamp}&name=Mine&cards=");
            let answer = send(&host.router(), post(&format!("{address}{below}"), &home, &form)).await;
            assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{below}");
        }
        assert_eq!(lines_of(&two).await, lines, "it is as it was");
    });
}

/// A draft that is forgotten stays so, whoever still holds it: a timer, a page that follows it.
#[test]
fn a_forgotten_draft_does_not_come_back() {
    run(async {
        let host = host_of_package(memory()).0;
        let one = Drafter::seated(&host, &begin(&host, "p.PACK=1&seats=2").await);
        let id = name_of(&one);
        let held = host.hall.draft_room(&id).unwrap().unwrap();
        host.hall.forget_draft(&id).unwrap();
        let picked = host.hall.pick(&held, 0, 0, 0);
        assert!(matches!(picked, Err(DraftFault::Forgotten)), "{picked:?}");
        assert!(host.hall.stand_in(&held, 0).is_err());
        assert!(host.hall.drafts().unwrap().is_empty());
        assert!(host.hall.draft_room(&id).unwrap().is_none());
        assert!(one.page("").await.contains("Nothing here"));
    });
}

/// Nothing was done in a duel of a draft before the program ended, so it is forgotten: the draft forgets it,
/// too, and the same opponent can be played.
#[test]
fn a_duel_that_was_forgotten_makes_room_for_another_one() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let host = host_of_package(Arc::new(opened(&path).await)).0;
        let one = Drafter::seated(&host, &begin(&host, "p.PACK=1&seats=2").await);
        take_all(&[&one]).await;
        let before = duel_against(&one, 1).await.base;
        let (cookie, base) = (one.cookie.clone(), one.base.clone());
        drop((host, one));
        let host = host_of_package(Arc::new(opened(&path).await)).0;
        host.resume().unwrap();
        let one = Drafter { host, cookie, base };
        let to = format!("{}table/1", one.base);
        let answer = send(&one.host.router(), get(&to, &one.cookie)).await;
        assert_eq!(way(&answer), format!("{}results", one.base));
        assert!(!one.page("results").await.contains("Go to your duel"));
        let after = duel_against(&one, 1).await;
        assert_ne!(before, after.base);
        assert!(one.page("results").await.contains("Go to your duel"));
    });
}

/// How a duel of a draft ended counts, also if its seats play again before anybody looks at the results.
#[test]
fn a_duel_counts_before_it_is_played_again() {
    run(async {
        let host = host_of_package(memory()).0;
        let one = Drafter::seated(&host, &begin(&host, "p.PACK=1&seats=2").await);
        take_all(&[&one]).await;
        let table = duel_against(&one, 1).await;
        assert_eq!(table.act("concede").await.status(), StatusCode::SEE_OTHER);
        assert_eq!(table.act("rematch").await.status(), StatusCode::SEE_OTHER);
        assert!(
            !table.page().await.contains("class=\"result\""),
            "they play again"
        );
        let room = host.hall.draft_room(&name_of(&one)).unwrap().unwrap();
        let ended: Vec<Option<usize>> = room.now().kept.duels.iter().map(|duel| duel.won).collect();
        assert_eq!(ended, [Some(1)], "the other one has won");
    });
}
