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

/// A run is drafted and played with the program ended in between; what was done is there, a duel that was begun goes
/// on, and its end costs a life or leads on.
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
        drop((own, duel, host));

        let host = host_of_package(Arc::new(opened(&path).await)).0;
        host.resume().unwrap();
        let own = Runner::begin(&host, "2026-11-27").await;
        let page = own.page().await;
        assert!(
            page.contains("aria-label=\"2 lives\"") && page.contains("has beaten you"),
            "{page}"
        );
        // The next attempt is another duel.
        let next = own.seated(&own.act("f1").await);
        assert!(next.page().await.contains("HP"));
    });
}

/// A place, a boss and charms change the duel's game, and a duel that goes on after a restart goes on with it.
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
