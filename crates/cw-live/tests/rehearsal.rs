//! Which scenarios run again after a change.

use std::collections::BTreeMap;
use std::sync::Arc;

use cw_duel::{Game, GameChange};
use cw_live::{Rehearsal, RehearsalReport};

const CARDS: &str = "Spur action: action = sp(+1) to(me)";

const SCENARIOS: &str = r#"
[[scenario]]
name = "Spur"
me = { hand = ["Spur"] }
steps = [{ play = "Spur", expect.me.sp = 1 }]

[[scenario]]
name = "Rook stands"
me = { ring = ["Rook"] }
steps = [{ do = "pass", expect.me.sp = 0 }]
"#;

fn game(cards: &str) -> Arc<Game> {
    Arc::clone(cw_stage::start(cards, "").duel.game())
}

fn files(text: &str) -> BTreeMap<String, String> {
    BTreeMap::from([("a.toml".to_owned(), text.to_owned())])
}

fn names(report: &RehearsalReport) -> Vec<&str> {
    report.failed.iter().map(|failed| failed.name.as_str()).collect()
}

/// Only scenarios with a card that has changed run again, and those that failed; a file that is edited runs
/// as a whole.
#[test]
fn only_what_a_change_touches_runs_again() {
    let (old, new) = (game(CARDS), game(&CARDS.replace("+1", "+2")));
    let mut rehearsal = Rehearsal::default();
    let first = rehearsal.run(&files(SCENARIOS), &old, None);
    assert_eq!((first.run, first.all, names(&first)), (2, 2, vec![]), "{first:?}");

    let same = GameChange::between(&old, &old);
    assert_eq!(rehearsal.run(&files(SCENARIOS), &old, Some(&same)).run, 0);

    let change = GameChange::between(&old, &new);
    let after = rehearsal.run(&files(SCENARIOS), &new, Some(&change));
    assert_eq!((after.run, names(&after)), (1, vec!["Spur"]));
    assert_eq!(
        (after.failed[0].file.as_str(), after.failed[0].line),
        ("a.toml", 2)
    );
    let spur = &new.model(new.find("Spur").expect("it is there")).id;
    let told = rehearsal.of_card(spur);
    assert_eq!(told.len(), 1);
    assert!(!told[0].why.is_empty());

    let back = rehearsal.run(&files(SCENARIOS), &old, Some(&GameChange::between(&new, &old)));
    assert_eq!((back.run, names(&back)), (1, vec![]));

    let edited = SCENARIOS.replace("expect.me.sp = 0", "expect.me.sp = 3");
    let report = rehearsal.run(&files(&edited), &old, Some(&same));
    assert_eq!((report.run, names(&report)), (2, vec!["Rook stands"]));

    let broken = rehearsal.run(&files("[[scenario]]\nnme = 1\n"), &old, Some(&same));
    assert_eq!(names(&broken), ["the file cannot be read"]);
    assert_eq!(rehearsal.run(&BTreeMap::new(), &old, Some(&same)).all, 0);
}
