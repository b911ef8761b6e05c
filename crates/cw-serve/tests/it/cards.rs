//! The cards of a package, on pages: searched, explained, read; the same beside duels and beside free tables.

use std::sync::Arc;

use axum::http::StatusCode;
use cw_serve::{Memory, Serve as _};

use crate::invite::host_of_package;
use crate::play::*;

/// What stands at an address of a host of Saltmarsh.
async fn page(address: &str) -> String {
    let (host, _) = host_of_package(Arc::new(Memory::new(cw_serve::fresh_secret())));
    text(send(&host.router(), get(address, "")).await).await
}

fn cards_on(page: &str) -> usize {
    page.matches("data-number=").count()
}

/// What is printed is no secret: the gallery is there for everybody, leads back to where it was opened, and
/// to no page of anybody else.
#[test]
fn the_gallery_leads_back_to_where_it_was_opened() {
    run(async {
        let plain = page("/cards").await;
        assert!(
            plain.contains("href=\"/front/\"") && plain.contains("data-count=\"72\""),
            "{plain}"
        );
        assert_eq!(cards_on(&plain), 48, "the first of them stand on the page");
        assert!(
            plain.contains("href=\"/cards?q=&amp;from=48\""),
            "the others are one link away"
        );
        let back = page("/cards?back=/s/abc/home").await;
        assert!(back.contains("href=\"/s/abc/home\"") && !back.contains("href=\"/front/\""));
        assert!(back.contains("href=\"/cards/1?back=/s/abc/home\""));
        let one = page("/cards/1?back=/s/abc/home").await;
        assert!(
            one.contains("href=\"/cards?back=/s/abc/home\"")
                && one.contains("href=\"/cards/2?back=/s/abc/home\"")
        );
        let elsewhere = page("/cards?back=//elsewhere.example/").await;
        assert!(
            !elsewhere.contains("elsewhere"),
            "only a page of this table is led back to"
        );
    });
}

/// A page asks for a window of what was found; values of properties leave those that have them.
#[test]
fn a_search_is_answered_in_windows() {
    run(async {
        let found = page("/cards/found?q=kind%3Areaction").await;
        let many = cards_on(&found);
        assert!(
            many > 3 && many < 40 && found.contains(&format!("<b>{many} cards</b>")),
            "{found}"
        );
        let some = page("/cards/rows?q=kind%3Areaction&from=2&many=3").await;
        assert_eq!(cards_on(&some), 3);
        let all = page("/cards/rows?q=kind%3Areaction&from=0&many=9999").await;
        assert!(all.contains(&*some), "a window is a part of the whole list");
        let facet = page("/cards/found?q=&f.Kind=Reaction").await;
        assert_eq!(cards_on(&facet), many);
        assert!(facet.contains("<option value=\"Reaction\" selected>"));
        assert!(
            facet.contains("<option value=\"Action\">"),
            "another value can be chosen instead"
        );
    });
}

/// What is wrong with a query is said with its place and what to do; what no card has, with what may have
/// been meant.
#[test]
fn what_is_wrong_with_a_query_is_explained() {
    run(async {
        for (query, wanted) in [
            ("knd%3Aaction", "<mark>knd</mark>"),
            ("knd%3Aaction", "Did you mean `Kind`?"),
            ("(rook", "<mark>(</mark>rook"),
            ("kind%3Aactoin", "did you mean `Action`?"),
            ("%3Cscript%3E", "A property is missing before this"),
            ("bp%3E%3D", "<mark>␣</mark>"),
        ] {
            let found = page(&format!("/cards/found?q={query}")).await;
            assert!(found.contains(wanted), "{query}: {found}");
            assert!(!found.contains("<script"), "{found}");
        }
        let offered = page("/cards/complete?q=ki").await;
        assert!(offered.contains("data-query=\"Kind:\""), "{offered}");
        let offered = page("/cards/complete?q=Kind%3Are").await;
        assert!(offered.contains("data-query=\"Kind:Reaction \""), "{offered}");
    });
}

/// One card's page has what is printed on it, its rule, its decks, and the packs with exact odds (P117).
#[test]
fn a_card_has_a_page_with_exact_odds() {
    run(async {
        let one = page("/cards/3").await;
        for wanted in [
            "<dt>Kind</dt>",
            "In packs",
            "Booster",
            "of packs have it (<span class=\"exact\">",
            "In these decks",
            "Its rule",
        ] {
            assert!(one.contains(wanted), "{wanted}: {one}");
        }
        let (host, _) = host_of_package(Arc::new(Memory::new(cw_serve::fresh_secret())));
        for gone in ["/cards/99999", "/cards/-1", "/cards/abc"] {
            let answer = send(&host.router(), get(gone, "")).await;
            assert!(answer.status().is_client_error(), "{gone}");
        }
        assert_eq!(
            send(&host.router(), get("/cards/71", "")).await.status(),
            StatusCode::OK
        );
    });
}

/// A list as long as its field takes is compared.
#[test]
fn a_long_list_is_compared() {
    run(async {
        let (host, _) = host_of_package(Arc::new(Memory::new(cw_serve::fresh_secret())));
        let list = "1+Crumb%0A".repeat(600);
        let form = format!("a=list&b=list&list-a={list}&list-b={list}");
        let answer = send(&host.router(), post("/cards/compare", "", &form)).await;
        assert_eq!(answer.status(), StatusCode::OK);
    });
}
