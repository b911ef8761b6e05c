//! Decks that whoever runs the host builds: who may see them, that they are kept, how they are judged, sealed
//! games.

use std::sync::Arc;

use axum::http::{StatusCode, header};
use cw_serve::{DuelHost, DuelStore, Memory, Serve as _};

use crate::front::owner;
use crate::invite::host_of_package_with;
use crate::opened::opened;
use crate::play::*;

fn host_of(store: Arc<dyn DuelStore>) -> DuelHost {
    host_of_package_with(store, &cw_pages::ladder::Opponent::of).0
}

/// Where an answer leads.
fn way(answer: &axum::http::Response<axum::body::Body>) -> String {
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    answer.headers()[header::LOCATION].to_str().unwrap().to_owned()
}

/// The value of an attribute of a page.
fn attribute<'p>(page: &'p str, name: &str) -> &'p str {
    let start = page
        .find(&format!("{name}=\""))
        .unwrap_or_else(|| panic!("no {name} in {page}"));
    let value = &page[start + name.len() + 2..];
    &value[..value.find('"').unwrap()]
}

struct Owner {
    host: DuelHost,
    cookie: String,
}

impl Owner {
    async fn of(store: Arc<dyn DuelStore>) -> Owner {
        let host = host_of(store);
        let cookie = owner(&host).await;
        Owner { host, cookie }
    }

    async fn page(&self, address: &str) -> String {
        text(send(&self.host.router(), get(address, &self.cookie)).await).await
    }

    async fn post(&self, address: &str, form: &str) -> axum::http::Response<axum::body::Body> {
        let stamp = hidden(&self.page("/front/decks").await, "k").to_owned();
        send(
            &self.host.router(),
            post(address, &self.cookie, &format!("k={stamp}&{form}")),
        )
        .await
    }

    /// Keeps lines as the deck of this address; what is said of it.
    async fn keep(&self, address: &str, lines: &str) -> String {
        let form = format!("name=Mine&cards={}", lines.replace('\n', "%0A").replace(' ', "+"));
        text(self.post(&format!("{address}/keep"), &form).await).await
    }
}

/// A deck that is built is judged as `deck check` judges it at every step, is kept over a restart, and goes
/// out as it came in. Nobody but whoever runs the host sees it.
#[test]
fn a_deck_is_judged_kept_and_taken_along() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let own = Owner::of(Arc::new(opened(&path).await)).await;
        let address = way(&own.post("/front/decks/new", "from=0").await);
        let page = own.page(&address).await;
        assert!(
            page.contains("A legal deck.") && page.contains("<b>50</b> of 50 cards"),
            "{page}"
        );
        let lines = attribute(&page, "data-lines").to_owned();
        let (first, rest) = lines.split_once('\n').unwrap();

        let less = own.keep(&address, rest).await;
        assert!(less.contains("data-legal=\"false\""), "{less}");
        let key = first.split(' ').nth(2).unwrap();
        let many = own.keep(&address, &format!("{rest}0 9 {key}\n")).await;
        assert!(
            many.contains("data-legal=\"false\"") && many.contains("at most 3"),
            "{many}"
        );
        // What is no line of a deck of this game is left out; nothing else is.
        let odd = own
            .keep(&address, &format!("{lines}7 1 {key}\n0 x y\n0 1 nothing\n"))
            .await;
        assert!(
            odd.contains("<b>50</b>") && odd.contains("A legal deck."),
            "{odd}"
        );
        assert!(odd.contains("Chance to have drawn a card"));

        let o8d = own.page(&format!("{address}/deck.o8d")).await;
        assert!(o8d.contains("<deck game=") && o8d.contains(key), "{o8d}");
        let list = own.page(&format!("{address}/deck.txt")).await;
        let pasted = list
            .bytes()
            .map(|byte| format!("%{byte:02X}"))
            .collect::<String>();
        let again = way(&own.post("/front/decks/new", &format!("list={pasted}")).await);
        let mut both = [own.page(&again).await, own.page(&address).await].map(|page| {
            attribute(&page, "data-lines")
                .lines()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        });
        both.iter_mut().for_each(|lines| lines.sort());
        assert_eq!(
            both[0], both[1],
            "what goes out as text comes in as the same deck"
        );
        assert!(
            own.page(&format!("{address}/link"))
                .await
                .contains("cardwright open")
        );
        drop(own);

        let own = Owner::of(Arc::new(opened(&path).await)).await;
        assert!(
            own.page("/front/decks").await.contains("<b>Mine</b>"),
            "it is kept"
        );
        let stranger = send(&own.host.router(), get(&address, "")).await;
        assert_eq!(stranger.status(), StatusCode::FORBIDDEN);
        let forged = post(&format!("{address}/keep"), &own.cookie, "k=0&cards=");
        assert_eq!(
            send(&own.host.router(), forged).await.status(),
            StatusCode::CONFLICT
        );
        assert!(
            own.page(&address).await.contains("A legal deck."),
            "a foreign form changes nothing"
        );
        way(&own.post(&format!("{address}/forget"), "").await);
        assert!(!own.page("/front/decks").await.contains("<b>Mine</b>"));
    });
}

/// A deck that is not legal is not played, and the reason is said; a legal one begins a duel.
#[test]
fn a_duel_begins_with_a_legal_deck_only() {
    run(async {
        let own = Owner::of(Arc::new(Memory::new(cw_serve::fresh_secret()))).await;
        let address = way(&own.post("/front/decks/new", "from=1").await);
        let begun = own.post(&format!("{address}/duel"), "other=0&level=novice").await;
        assert!(way(&begun).starts_with("/s/"));
        let page = own.page(&address).await;
        let lines = attribute(&page, "data-lines")
            .lines()
            .skip(2)
            .collect::<Vec<_>>()
            .join("\n");
        own.keep(&address, &lines).await;
        let refused = text(own.post(&format!("{address}/duel"), "other=0&level=novice").await).await;
        assert!(refused.contains("cannot be played"), "{refused}");
    });
}

/// In a sealed game a deck is made of what lay in the packs, as often as it lay there, by the rules of
/// limited play (P110 to P114); the computer plays a deck of its own packs.
#[test]
fn a_sealed_game_is_played_with_what_lay_in_the_packs() {
    run(async {
        let own = Owner::of(Arc::new(Memory::new(cw_serve::fresh_secret()))).await;
        let page = own.page("/front/sealed").await;
        let field = page
            .split("name=\"p.")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .to_owned();
        let none = text(own.post("/front/sealed/open", &format!("p.{field}=0")).await).await;
        assert!(none.contains("Choose from 1 to"), "{none}");
        let opening = way(&own.post("/front/sealed/open", &format!("p.{field}=6")).await);
        let packs = own.page(&opening).await;
        assert_eq!(packs.matches("class=\"pack\"").count(), 6);
        let cards = packs.matches("A card, face down").count();
        let address = opening.trim_end_matches("/opening").to_owned();
        let page = own.page(&address).await;
        let there: usize = page
            .split("data-there=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap().parse::<usize>().unwrap())
            .sum();
        assert!(
            there <= cards && there > 0,
            "the builder has what lay in the packs"
        );
        let suggested = own.page(&format!("{address}/suggest")).await;
        let (lines, why) = suggested.split_once("\n\n").unwrap();
        assert!(why.contains("rated"), "{why}");
        let judged = own.keep(&address, lines).await;
        assert!(judged.contains("A legal deck."), "{judged}");
        // One copy more than the packs had is too many.
        let (head, rest) = lines.split_once('\n').unwrap();
        let mut words = head.split(' ');
        let (section, key) = (words.next().unwrap(), words.nth(1).unwrap());
        let more = own.keep(&address, &format!("{section} 40 {key}\n{rest}")).await;
        assert!(more.contains("data-legal=\"false\""), "{more}");
        own.keep(&address, lines).await;
        let begun = own.post(&format!("{address}/duel"), "level=random").await;
        assert!(way(&begun).starts_with("/s/"));
    });
}

/// What stands in a list of a page below a title, line by line.
fn pile(page: &str, title: &str) -> Vec<String> {
    let Some(start) = page.find(&format!("<h3>{title} ")) else {
        return Vec::new();
    };
    let list = &page[start..];
    let list = &list[..list.find("</section>").unwrap()];
    let lines = list.split("<li>").skip(1).map(|line| {
        let many = line
            .split("class=\"many\">")
            .nth(1)
            .unwrap()
            .split('<')
            .next()
            .unwrap();
        let called = line.split("class=\"called\"").nth(1).unwrap();
        let called = called.split('>').nth(1).unwrap().split('<').next().unwrap();
        format!("{many} {called}")
    });
    lines.collect()
}

/// A deck lies beside another one: what each has more of, what both share, and each is judged as `deck check`
/// judges it. What cannot be compared is said in a sentence, and the page stands.
#[test]
fn a_deck_is_compared_with_another_one() {
    run(async {
        let own = Owner::of(Arc::new(Memory::new(cw_serve::fresh_secret()))).await;
        let address = way(&own.post("/front/decks/new", "from=0").await);
        let page = own.page(&format!("{address}/compare")).await;
        assert!(
            page.contains("Choose two decks") && !page.contains("fault"),
            "{page}"
        );
        let same = own.page(&format!("{address}/compare?b=deck:0")).await;
        assert!(same.contains("Both decks have the same cards."), "{same}");
        assert_eq!(same.matches("A legal deck.").count(), 2);

        // A kept deck with one copy less of a card, and without another one.
        let other = way(&own.post("/front/decks/new", "from=0").await);
        let lines = attribute(&own.page(&other).await, "data-lines").to_owned();
        let mut lines: Vec<String> = lines.lines().map(str::to_owned).collect();
        let thrice = lines.iter().position(|line| line.starts_with("0 3 ")).unwrap();
        lines[thrice] = lines[thrice].replacen("0 3 ", "0 2 ", 1);
        let once = lines.iter().position(|line| line.starts_with("0 1 ")).unwrap();
        lines.remove(once);
        own.keep(&other, &lines.join("\n")).await;
        let id = other.rsplit('/').next().unwrap().to_owned();
        let page = own.page(&format!("{address}/compare?b=kept:{id}")).await;
        let more = pile(&page, "More in Harbour Lights");
        assert_eq!(more.len(), 2, "{more:?}");
        assert!(more.iter().all(|line| line.starts_with("+1 ")), "{more:?}");
        assert!(page.contains("3 to 2") && pile(&page, "More in Mine").is_empty());
        assert!(page.contains("In common: <b>48 cards</b>"), "{page}");
        assert!(page.contains("data-legal=\"true\"") && page.contains("data-legal=\"false\""));

        // A pasted list; a line that names no card is said, the others count.
        let form = "b=list&list-b=2+Crumb%0A1+Nobody+at+all";
        let page = text(own.post(&format!("{address}/compare"), form).await).await;
        assert!(page.contains("No card is called `Nobody at all`"), "{page}");
        assert_eq!(pile(&page, "In both"), ["2 Crumb"]);

        for (asked, words) in [
            ("b=deck:99", "not in the game any more"),
            ("b=deck:x", "not in the game any more"),
            ("b=kept:nobody", "not kept any more"),
            ("b=list", "Paste a list of cards first."),
            ("b=list&list-b=nonsense", "names no card of this game"),
            ("b=", "Choose a deck to compare."),
            ("b=%00%3Cb%3E", "Choose a deck to compare."),
        ] {
            let page = own.page(&format!("{address}/compare?{asked}")).await;
            assert!(
                page.contains(words) && !page.contains("class=\"sides\""),
                "{asked}: {page}"
            );
        }
        way(&own.post(&format!("{other}/forget"), "").await);
        let page = own.page(&format!("{address}/compare?b=kept:{id}")).await;
        assert!(page.contains("forgotten in another tab"), "{page}");

        // The game's own decks lie beside each other for everybody who sees its cards; nobody's own decks do.
        let router = own.host.router();
        let page = text(send(&router, get("/cards/compare?a=deck:0&b=deck:1", "")).await).await;
        assert!(page.contains("More in Harbour Lights"), "{page}");
        let id = address.rsplit('/').next().unwrap();
        let page = text(send(&router, get(&format!("/cards/compare?a=kept:{id}&b=deck:1"), "")).await).await;
        assert!(page.contains("not kept any more"), "{page}");
        let stranger = send(&router, get(&format!("{address}/compare"), "")).await;
        assert_eq!(stranger.status(), StatusCode::FORBIDDEN);
    });
}

/// The ladder of the game is climbed with a deck that somebody has built: from the builder, and from the
/// front page, which remembers the deck. A deck that may not be played, or is gone, is refused in a sentence.
#[test]
fn the_ladder_is_climbed_with_a_deck_of_ones_own() {
    run(async {
        let own = Owner::of(Arc::new(Memory::new(cw_serve::fresh_secret()))).await;
        let address = way(&own.post("/front/decks/new", "from=1").await);
        let id = address.rsplit('/').next().unwrap().to_owned();
        let page = own.page(&address).await;
        assert!(
            page.contains(&format!("action=\"{address}/challenge\"")),
            "{page}"
        );
        let front = own.page("/front/").await;
        assert!(
            front.contains(&format!("<option value=\"kept:{id}\">Night School</option>")),
            "{front}"
        );

        let begun = own.post(&format!("{address}/challenge"), "foe=0").await;
        assert!(way(&begun).starts_with("/s/"));
        let front = own.page("/front/").await;
        assert!(
            front.contains(&format!("<option value=\"kept:{id}\" selected>")),
            "{front}"
        );
        let begun = own
            .post("/front/challenge", &format!("foe=0&own=kept:{id}"))
            .await;
        assert!(way(&begun).starts_with("/s/"));
        let begun = own.post("/front/challenge", "foe=0&own=1").await;
        assert!(way(&begun).starts_with("/s/"));
        let front = own.page("/front/").await;
        assert!(front.contains("<option value=\"1\" selected>"), "{front}");

        let forged = post(&format!("{address}/challenge"), &own.cookie, "k=0&foe=0");
        let refused = text(send(&own.host.router(), forged).await).await;
        assert!(refused.contains("not made for this page"), "{refused}");
        let lines = attribute(&page, "data-lines").lines().skip(2).collect::<Vec<_>>();
        own.keep(&address, &lines.join("\n")).await;
        for (way, form) in [
            (format!("{address}/challenge"), "foe=0".to_owned()),
            ("/front/challenge".to_owned(), format!("foe=0&own=kept:{id}")),
            (format!("{address}/arena"), "level=random&pairs=1".to_owned()),
        ] {
            let refused = text(own.post(&way, &form).await).await;
            assert!(refused.contains("“Mine” cannot be played: "), "{way}: {refused}");
        }
        let front = own.page("/front/").await;
        assert!(
            !front.contains("kept:"),
            "what may not be played is not offered: {front}"
        );
        way(&own.post(&format!("{address}/forget"), "").await);
        for (way, form) in [
            (format!("{address}/challenge"), "foe=0".to_owned()),
            (format!("{address}/duel"), "other=0".to_owned()),
            (format!("{address}/arena"), "pairs=1".to_owned()),
            ("/front/challenge".to_owned(), format!("foe=0&own=kept:{id}")),
        ] {
            let refused = text(own.post(&way, &form).await).await;
            assert!(refused.contains("forgotten in another tab"), "{way}: {refused}");
        }
    });
}

impl Owner {
    /// The arena of a deck, once these words stand there.
    async fn arena(&self, address: &str, words: &str) -> String {
        let mut page = String::new();
        for _ in 0..600 {
            page = self.page(&format!("{address}/arena/now")).await;
            if page.contains(words) {
                return page;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("no {words} in {page}")
    }
}

/// Computers play a deck against the others of the game, one deck at a time. A run can be stopped and goes
/// on; it comes to what the command line comes to.
#[test]
fn computers_try_out_a_deck() {
    run(async {
        let own = Owner::of(Arc::new(Memory::new(cw_serve::fresh_secret()))).await;
        let address = way(&own.post("/front/decks/new", "from=1").await);
        let other = way(&own.post("/front/decks/new", "from=0").await);
        assert!(
            own.page(&format!("{address}/arena"))
                .await
                .contains("Start the run")
        );
        assert_eq!(own.page(&format!("{address}/arena/now")).await, "");

        let begun = own
            .post(&format!("{address}/arena"), "level=random&pairs=2")
            .await;
        assert_eq!(way(&begun), format!("{address}/arena"));
        let done = own.arena(&address, "All pairs have been played.").await;
        assert!(done.contains("18 of 18 pairs played"), "nine other decks: {done}");
        assert!(
            !done.contains("Night School"),
            "a deck does not play itself: {done}"
        );
        assert!(done.contains("--players random --deck DECK.o8d --against all --pairs 18 --seed 1"));

        // A long run: the other deck has to wait, until it is stopped there.
        way(&own
            .post(&format!("{address}/arena"), "level=normal&pairs=9999")
            .await);
        let running = own.arena(&address, "Computers are playing.").await;
        assert!(
            running.contains("of 1800 pairs"),
            "no more than 200 of each: {running}"
        );
        let busy = text(own.post(&format!("{other}/arena"), "level=random&pairs=1").await).await;
        assert!(
            busy.contains("Computers are playing “Night School” in the arena now"),
            "{busy}"
        );
        way(&own.post(&format!("{other}/arena/stop-other"), "").await);
        own.arena(&address, "The run was stopped.").await;
        way(&own.post(&format!("{address}/arena/go-on"), "").await);
        own.arena(&address, "Computers are playing.").await;
        // Another tab wants the same once more.
        way(&own.post(&format!("{address}/arena/go-on"), "").await);
        way(&own.post(&format!("{address}/arena/stop"), "").await);
        own.arena(&address, "The run was stopped.").await;
        way(&own.post(&format!("{other}/arena"), "level=nobody&pairs=x").await);
        own.arena(&other, "of 225 pairs").await;

        // A deck that is changed keeps its run, and it is said; one that is forgotten ends it.
        let lines = attribute(&own.page(&other).await, "data-lines").to_owned();
        own.keep(
            &other,
            lines.lines().skip(1).collect::<Vec<_>>().join("\n").as_str(),
        )
        .await;
        own.arena(&other, "The deck has changed since this run began.")
            .await;
        way(&own.post(&format!("{other}/forget"), "").await);
        let gone = own.page(&format!("{other}/arena")).await;
        assert!(gone.contains("forgotten in another tab"), "{gone}");
        let begun = own
            .post(&format!("{address}/arena"), "level=random&pairs=1")
            .await;
        assert_eq!(way(&begun), format!("{address}/arena"));
        own.arena(&address, "All pairs have been played.").await;

        let stranger = send(&own.host.router(), get(&format!("{address}/arena"), "")).await;
        assert_eq!(stranger.status(), StatusCode::FORBIDDEN);
        let forged = post(&format!("{address}/arena/stop"), &own.cookie, "k=0");
        assert!(
            text(send(&own.host.router(), forged).await)
                .await
                .contains("not made for this page")
        );
    });
}
