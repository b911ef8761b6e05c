//! Runs at a host: what is kept, how a duel's end comes into the run, who may see it.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Response, StatusCode, header};
use cw_serve::{DuelHost, Serve as _};

use crate::front::owner;
use crate::invite::host_of_package;
use crate::opened::opened;
use crate::play::*;

fn way(answer: &Response<Body>) -> String {
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    answer.headers()[header::LOCATION].to_str().unwrap().to_owned()
}

/// Whoever runs the host, at one run.
struct Runner {
    host: DuelHost,
    home: String,
    at: String,
}

impl Runner {
    async fn begin(host: &DuelHost, seed: &str) -> Runner {
        let home = owner(host).await;
        let page = text(send(&host.router(), get("/front/runs", &home)).await).await;
        let form = format!("k={}&seed={seed}", hidden(&page, "k"));
        let answer = send(&host.router(), post("/front/runs", &home, &form)).await;
        Runner {
            host: host.clone(),
            home,
            at: way(&answer),
        }
    }

    async fn page(&self) -> String {
        text(send(&self.host.router(), get(&self.at, &self.home)).await).await
    }

    async fn act(&self, act: &str) -> Response<Body> {
        let page = self.page().await;
        let form = format!("k={}&n={}&act={act}", hidden(&page, "k"), hidden(&page, "n"));
        send(&self.host.router(), post(&self.at, &self.home, &form)).await
    }

    /// The duel that begins when one of the opponents is challenged.
    fn seated(&self, answer: &Response<Body>) -> Browser {
        let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        Browser {
            router: self.host.router(),
            cookie,
            base: way(answer),
        }
    }
}

/// A run is drafted and played with the program ended in between; what was done is there, a duel that was
/// begun goes on, and its end costs a life or leads on.
#[test]
fn a_run_is_kept_and_its_duels_count() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let host = host_of_package(Arc::new(opened(&path).await)).0;
        let own = Runner::begin(&host, "2026-11-27").await;
        assert_eq!(own.at, "/front/run/2026-11-27");
        for _ in 0..15 {
            assert_eq!(way(&own.act("p0").await), own.at);
        }
        assert_eq!(own.act("p0").await.status(), StatusCode::CONFLICT);
        let page = own.page().await;
        assert!(
            page.contains("The Fish Steps") && page.contains("Your deck: 30 cards"),
            "{page}"
        );
        drop((own, host));

        // The end of the program: only the store remains.
        let host = host_of_package(Arc::new(opened(&path).await)).0;
        let own = Runner::begin(&host, "2026-11-27").await;
        assert!(own.page().await.contains("Your deck: 30 cards"));
        // Duels are played, not told.
        assert_eq!(own.act("w").await.status(), StatusCode::CONFLICT);
        let duel = own.seated(&own.act("f0").await);
        assert!(duel.page().await.contains("HP"));
        assert!(own.page().await.contains("Go to your duel"));
        let again = send(&host.router(), get(&format!("{}/duel", own.at), &own.home)).await;
        assert_eq!(way(&again), duel.base, "the same table");
        assert_eq!(duel.act("concede").await.status(), StatusCode::SEE_OTHER);
        let page = duel.page().await;
        assert!(
            page.contains("Back to the run") && !page.contains("value=\"rematch\""),
            "{page}"
        );
        // What a form could ask for all the same is refused: the duel counts as it was played.
        assert_eq!(duel.act("rematch").await.status(), StatusCode::CONFLICT);
        drop((own, duel, host));

        let host = host_of_package(Arc::new(opened(&path).await)).0;
        host.resume().unwrap();
        let own = Runner::begin(&host, "2026-11-27").await;
        let page = own.page().await;
        assert!(
            page.contains("aria-label=\"2 lives\"") && page.contains("has beaten you"),
            "{page}"
        );
        // The duel that was lost can be watched.
        let (_, watched) = page
            .split_once("href=\"/front/watch/")
            .expect("a way to watch it");
        let watched = format!("/front/watch/{}", watched.split('"').next().unwrap());
        let moment = way(&send(&host.router(), get(&watched, &own.home)).await);
        assert!(moment.ends_with("/moment/0"), "{moment}");
        // The next attempt is another duel.
        let next = own.seated(&own.act("f1").await);
        assert!(next.page().await.contains("HP"));
    });
}

/// A place, a boss and charms change the duel's game, and a duel that goes on after a restart goes on with
/// it.
#[test]
fn a_duel_of_a_run_keeps_its_twist() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let host = host_of_package(Arc::new(opened(&path).await)).0;
        let own = Runner::begin(&host, "7").await;
        for _ in 0..15 {
            own.act("p0").await;
        }
        let duel = own.seated(&own.act("f0").await);
        // At the first place opponents begin with more HP.
        let hp = |page: &str| page.contains("3600");
        let page = duel.page().await;
        assert!(hp(&page), "{page}");
        let touched = duel.take(&page, 0).await;
        assert!(touched);
        // A page's router holds the store, too.
        let Browser { cookie, base, router } = duel;
        drop((own, host, router));
        let host = host_of_package(Arc::new(opened(&path).await)).0;
        host.resume().unwrap();
        let duel = Browser {
            router: host.router(),
            cookie,
            base,
        };
        let page = duel.page().await;
        assert!(page.contains("HP") && !page.contains("Not now"), "{page}");
    });
}

/// Who does not run the host sees no run; forms of others do nothing; a run can be forgotten.
#[test]
fn a_run_is_its_owners() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let host = host_of_package(Arc::new(opened(&folder.path().join("duels.db")).await)).0;
        let own = Runner::begin(&host, "12").await;
        let answer = send(&host.router(), get(&own.at, "")).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN);
        let answer = send(&host.router(), post(&own.at, &own.home, "k=wrong&n=0&act=p0")).await;
        assert_eq!(answer.status(), StatusCode::CONFLICT);
        let page = own.page().await;
        let stale = format!("k={}&n=5&act=p0", hidden(&page, "k"));
        let answer = send(&host.router(), post(&own.at, &own.home, &stale)).await;
        assert_eq!(answer.status(), StatusCode::CONFLICT);
        let wrong = send(&host.router(), get("/front/run/2026-02-30", &own.home)).await;
        assert_eq!(wrong.status(), StatusCode::NOT_FOUND);
        let form = format!("k={}", hidden(&page, "k"));
        let forgotten = send(
            &host.router(),
            post(&format!("{}/forget", own.at), &own.home, &form),
        )
        .await;
        assert_eq!(way(&forgotten), "/front/runs");
        let gone = send(&host.router(), get(&own.at, &own.home)).await;
        assert_eq!(gone.status(), StatusCode::NOT_FOUND);
    });
}

/// The page of a run's duel says what holds in it: the place, a boss's rule, the charms in force.
#[test]
fn a_duel_of_a_run_says_what_holds() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let host = host_of_package(Arc::new(opened(&folder.path().join("duels.db")).await)).0;
        let own = Runner::begin(&host, "7").await;
        for _ in 0..15 {
            own.act("p0").await;
        }
        let page = own.seated(&own.act("f0").await).page().await;
        assert!(
            page.contains("What holds in this duel")
                && page.contains("The opponent begins with 600 more HP."),
            "{page}"
        );
        assert!(
            page.contains("Place 1/7") && page.contains("place 1 of 7") && page.contains("None yet."),
            "{page}"
        );
    });
}

/// D109: a run goes on by its link elsewhere; one's own run of the same seed is not lost unasked; what is no
/// run of this game is refused; a duel of a run is shared with its twist.
#[test]
fn a_run_and_its_duels_are_opened_by_their_links() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let host = host_of_package(Arc::new(opened(&folder.path().join("a.db")).await)).0;
        let own = Runner::begin(&host, "7").await;
        for _ in 0..15 {
            own.act("p0").await;
        }
        let letters = |page: &str| {
            let text = page.split("cardwright open ").nth(1).expect("a link").to_owned();
            text.split('<').next().unwrap().trim().to_owned()
        };
        let shared = text(send(&host.router(), get(&format!("{}/link", own.at), &own.home)).await).await;
        let link = letters(&shared);
        assert!(link.len() < 1000 && !shared.contains("Fish"), "{shared}");

        // At another host it goes on.
        let other = host_of_package(Arc::new(opened(&folder.path().join("b.db")).await)).0;
        let home = owner(&other).await;
        let open = async |host: &DuelHost, home: &str, link: &str| {
            let about =
                text(send(&host.router(), get(&format!("/front/link?link={link}"), home)).await).await;
            let form = format!("k={}&link={link}", hidden(&about, "k"));
            (
                about,
                send(&host.router(), post("/front/link", home, &form)).await,
            )
        };
        let (about, answer) = open(&other, &home, &link).await;
        assert!(
            about.contains("Open this run") && about.contains("data-opens"),
            "{about}"
        );
        assert_eq!(way(&answer), "/front/run/7");
        let there = Runner {
            host: other.clone(),
            home: home.clone(),
            at: "/front/run/7".to_owned(),
        };
        assert!(there.page().await.contains("Your deck: 30 cards"));

        // A step further there, the link asks before it takes that away.
        let duel = there.seated(&there.act("f0").await);
        let (about, _) = open(&host, &own.home, &link).await;
        assert!(
            about.contains("Open this run"),
            "the same run loses nothing: {about}"
        );
        let about = text(send(&other.router(), get(&format!("/front/link?link={link}"), &home)).await).await;
        assert!(
            about.contains("Replace my run with this one") && !about.contains("data-opens"),
            "{about}"
        );

        // Its duel, which is over, is watched elsewhere by the rules of its place.
        assert_eq!(duel.act("concede").await.status(), StatusCode::SEE_OTHER);
        let shared =
            text(send(&other.router(), get(&format!("{}share", duel.base), &duel.cookie)).await).await;
        let (_, answer) = open(&host, &own.home, &letters(&shared)).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        assert!(way(&answer).ends_with("/moment/0"), "{}", way(&answer));
    });
}
