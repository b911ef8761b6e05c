//! What one person takes back because the other one lets it.

use std::sync::Arc;

use axum::http::StatusCode;
use cw_serve::{DuelHost, SeatPlayer};

use crate::opened::opened;
use crate::play::*;

const ANEW: &str = "the cards nobody had seen are shuffled again";

/// Two people at a table that is kept in this file.
async fn sit(host: &DuelHost, ways: &[String; 2]) -> [Browser; 2] {
    [
        Browser::join(host, &ways[0]).await,
        Browser::join(host, &ways[1]).await,
    ]
}

/// The hand and the question of a page, without what changes with every number.
fn stands(page: &str) -> (Vec<String>, String) {
    let question = page.split("id=\"question\"").nth(1).unwrap_or_default();
    let question = question.split("</h2>").next().unwrap_or_default();
    (hand(page), question.to_owned())
}

fn ask_form(page: &str, act: &str, part: &str) -> String {
    format!(
        "n={}&k={}&act={act}&commit={}",
        hidden(page, "n"),
        hidden(page, "k"),
        bound_to(part)
    )
}

/// D105: a part of another shuffle that does not fit takes nothing back, and the duel goes on.
#[test]
fn a_part_that_does_not_fit_takes_nothing_back() {
    run(async {
        let (_host, one, two) = two_people().await;
        let people = [one, two];
        for step in 0..60 {
            let page = people[0].page().await;
            let asked = usize::from(form(&page, 0).is_none());
            assert!(people[asked].take(&people[asked].page().await, step).await);
            let page = people[asked].page().await;
            if !page.contains("value=\"ask-back\"") || !page.contains("has been revealed since") {
                continue;
            }
            let other = &people[1 - asked];
            let asked = &people[asked];
            let unbound = asked.act("ask-back").await;
            assert_eq!(
                unbound.status(),
                StatusCode::CONFLICT,
                "who is not bound cannot ask"
            );
            let stood = stands(&page);
            asked.post("act", &ask_form(&page, "ask-back", "apples")).await;
            let unbound = other.act("let-back").await;
            assert_eq!(unbound.status(), StatusCode::CONFLICT);
            let form = ask_form(&other.page().await, "let-back", "pears");
            assert_eq!(other.post("act", &form).await.status(), StatusCode::SEE_OTHER);
            assert_eq!(reveal(asked, "apples").await, StatusCode::SEE_OTHER);
            assert_eq!(reveal(other, "plums").await, StatusCode::CONFLICT);
            let page = asked.page().await;
            assert_eq!(stands(&page), stood, "nothing was taken back");
            assert_eq!(revealing(&page, ""), None);
            return;
        }
        panic!("nothing came to light");
    });
}

/// D70, D105: between people a choice goes back if the other one lets it. Over a draw the rest of the chance
/// is made of fresh parts of all three, under a commitment that was shown before; the log keeps it, so a
/// restart gives the same duel, and the record can be played again.
#[test]
fn people_take_back_by_consent_and_nothing_seen_comes_again() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        let store = async || Arc::new(opened(&path).await);
        let first = host(store().await);
        let seats = first.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
        let ways = [seats[0].path.clone(), seats[1].path.clone()];
        let people = sit(&first, &ways).await;
        let (mut plain, mut over_a_draw, mut refused, mut before) = (0, 0, 0, Vec::new());
        let mut commitments = Vec::new();
        for step in 0..60 {
            let mut pages = [people[0].page().await, people[1].page().await];
            let asked = usize::from(form(&pages[0], 0).is_none());
            let other = 1 - asked;
            assert!(people[asked].take(&pages[asked], step).await);
            before.push((asked, stands(&pages[asked])));
            pages = [people[0].page().await, people[1].page().await];
            // Who has chosen last and may ask, now and then.
            if step % 3 == 2 || !pages[asked].contains("value=\"ask-back\"") {
                continue;
            }
            let anew = pages[asked].contains("has been revealed since");
            let answer = people[asked]
                .post("act", &ask_form(&pages[asked], "ask-back", "apples"))
                .await;
            assert_eq!(answer.status(), StatusCode::SEE_OTHER);
            let again = people[asked].act("let-back").await;
            assert_eq!(again.status(), StatusCode::CONFLICT, "nobody lets itself");
            pages = [people[0].page().await, people[1].page().await];
            assert!(
                pages[other].contains("would like to take this back"),
                "{}",
                pages[other]
            );
            assert!(pages[asked].contains("Waiting for the other player"));
            assert!(!pages[other].contains("value=\"ask-back\""));
            let late = ask_form(&pages[other], "let-back", "pears");
            if step % 2 == 0 {
                let answer = people[other].act("play-on").await;
                assert_eq!(answer.status(), StatusCode::SEE_OTHER);
                let page = people[asked].page().await;
                assert!(page.contains("would rather play on") && !page.contains("value=\"ask-back\""));
                let answer = people[asked].act("ask-back").await;
                assert_eq!(answer.status(), StatusCode::CONFLICT, "not twice for one choice");
                let answer = people[other].post("act", &late).await;
                assert_eq!(answer.status(), StatusCode::CONFLICT, "what was refused is over");
                refused += 1;
                continue;
            }
            if anew {
                let shown = pages[other].split("Digest of the host's secret:").nth(1).unwrap();
                let digest = shown
                    .split("digest\">")
                    .nth(1)
                    .unwrap()
                    .split('<')
                    .next()
                    .unwrap();
                assert!(pages[asked].contains("Waiting"));
                commitments.push(digest.to_owned());
            }
            let answer = people[other].post("act", &late).await;
            assert_eq!(answer.status(), StatusCode::SEE_OTHER);
            if anew {
                // All three are bound; nothing has gone back before both parts are there.
                let shown = people[asked].page().await;
                assert!(shown.contains(&bound_to("apples")) && shown.contains(&bound_to("pears")));
                assert_eq!(reveal(&people[other], "pears").await, StatusCode::SEE_OTHER);
                assert_eq!(reveal(&people[asked], "apples").await, StatusCode::SEE_OTHER);
            }
            let page = people[asked].page().await;
            let (_, stood) = before.pop().unwrap();
            assert_eq!(stands(&page), stood, "the same hand, the same question");
            assert_eq!(page.contains(ANEW), anew || over_a_draw > 0, "step {step}");
            if anew { over_a_draw += 1 } else { plain += 1 }
        }
        assert!(
            over_a_draw > 1 && plain > 1 && refused > 1,
            "{over_a_draw}, {plain}, {refused}"
        );
        let shown = [people[0].page().await, people[1].page().await];
        drop((first, people));

        let after = host(store().await);
        assert_eq!(after.resume().unwrap().going, std::slice::from_ref(&seats));
        let people = sit(&after, &ways).await;
        for at in 0..2 {
            assert_eq!(
                stands(&people[at].page().await),
                stands(&shown[at]),
                "as before the restart"
            );
        }
        assert_eq!(people[0].act("concede").await.status(), StatusCode::SEE_OTHER);
        let page = people[1].page().await;
        let digests: Vec<&str> = page.split("printf %s ").skip(1).map(|rest| &rest[..64]).collect();
        for commitment in &commitments {
            let kept = |secret: &&str| blake3::hash(secret.as_bytes()).to_hex().as_str() == commitment;
            assert!(digests.iter().any(kept), "{commitment} in {digests:?}");
        }
        let record = send(
            &people[1].router,
            get(&format!("{}record.json", people[1].base), &people[1].cookie),
        )
        .await;
        let record = cw_wire::Replay::read(&text(record).await).unwrap();
        let reseeded = record
            .moves
            .iter()
            .filter(|made| made.choice.starts_with("reseed:"))
            .count();
        assert!(reseeded > 0 && reseeded <= over_a_draw, "{reseeded}");
        record.play(&game(), usize::MAX, &mut cw_duel::Silent).unwrap();
    });
}
