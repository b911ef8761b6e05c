//! Reports of the demo game: what they find, and what they do not.

use std::collections::BTreeMap;
use std::path::Path;

use cw_balance::{
    BalanceReport, CardComparison, CardReplacement, Figure, Patch, Suggestion, Together, TriedCard, Versus,
    WhatIf, ordinary, page,
};
use cw_duel::{Game, PerSeat};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::{Level, SearchBudget};
use cw_program::{CompiledRule, ModelId};
use cw_sim::{DuelPlan, Exchange, Matchup, StopRule, Total, Written};
use cw_stats::Changes;

fn plan(pairs: u64) -> DuelPlan {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let deck = |name: &str| {
        let deck = loaded.decks.iter().find(|deck| deck.name == name);
        deck.expect("the demo game has it").cards.clone()
    };
    let names = ["Harbour Lights", "Night School", "Shore Party"];
    let mut matchups = Vec::new();
    for (at, one) in names.iter().enumerate() {
        for two in &names[at + 1..] {
            matchups.push(Matchup {
                names: PerSeat([(*one).to_owned(), (*two).to_owned()]),
                decks: PerSeat([deck(one), deck(two)]),
            });
        }
    }
    DuelPlan {
        matchups,
        game: loaded.game.expect("the demo game can be played"),
        seed: 3,
        budgets: [SearchBudget::default(); 2],
        exchange: Exchange::Turns,
        stop: StopRule::After(pairs),
    }
}

fn total(plan: &DuelPlan, together: &mut Together) -> Total {
    let mut total = Total::of(plan);
    for number in 0..plan.stop.most() {
        let pair = plan.play(number, &mut Level::Random, &mut Level::Random);
        let [one, two] = plan.matchup(number).names.0.each_ref();
        together.add(&pair, [one, two]);
        total.add(plan, &pair);
    }
    total
}

fn no_rules(_: &Game, _: ModelId, _: &str) -> Result<CompiledRule, String> {
    Err("no rules here".to_owned())
}

/// Plays pairs with and without a patch.
fn changes(plan: &DuelPlan, patch: &str) -> (Changes, u64) {
    let patch = Patch::read(patch).expect("it is a patch");
    let with = patch.apply(plan, &no_rules).expect("it fits");
    let versus = Versus {
        without: plan.clone(),
        with,
    };
    let (mut changes, mut alike) = (Changes::default(), 0);
    for number in 0..plan.stop.most() {
        let [without, with] = versus.play(number, &mut Level::Random, &mut Level::Random);
        changes.add(without.quarters(), with.quarters());
        alike += u64::from(without.duels == with.duels);
    }
    (changes, alike)
}

/// A patch that changes nothing changes no duel; one that matters is seen on the same seeds.
#[test]
fn a_patch_is_seen_against_the_same_duels() {
    let mut plan = plan(60);
    plan.matchups.truncate(1);
    let (none, alike) = changes(
        &plan,
        "[[change]]\ncard = \"Crumb\"\nproperty = \"bp\"\nto = 200\n",
    );
    assert_eq!((none.number(), none.better_and_worse(), alike), (60, (0, 0), 60));
    assert_eq!(none.evidence(), 1.0);
    // Three copies of a card with ten times its BP.
    let (some, alike) = changes(
        &plan,
        "[[change]]\ncard = \"crumb\"\nproperty = \"BP\"\nto = 2000\n",
    );
    let (better, worse) = some.better_and_worse();
    assert!(better > 3 * worse && some.mean() > 0.0, "{better} {worse}");
    assert!((1..60).contains(&alike), "some duels never see the card: {alike}");
    let (hp, _) = changes(&plan, "[[change]]\nconstant = \"hp\"\nto = 500\n");
    assert_eq!(hp.number(), 60);
    let (fewer, _) = changes(
        &plan,
        "[[change]]\ndeck = \"Harbour Lights\"\ncard = \"Crumb\"\ncopies = 0\n",
    );
    assert_eq!(fewer.number(), 60);
}

/// What a patch cannot do is said, with the place.
#[test]
fn patches_that_do_not_fit_are_refused() {
    let plan = plan(1);
    for (patch, why) in [
        ("", "there is no [[change]]"),
        ("[[change]]\ncard = 3", "invalid type"),
        ("[[change]]\ncolour = 3", "unknown field"),
        ("[[change]]\ncard = \"Crumb\"", "change 1: a change has"),
        (
            "[[change]]\ncard = \"Crum\"\nproperty = \"bp\"\nto = 1",
            "did you mean “Crumb”",
        ),
        (
            "[[change]]\ncard = \"Crumb\"\nproperty = \"hp\"\nto = 1",
            "bp and sp",
        ),
        (
            "[[change]]\ncard = \"Crumb\"\nproperty = \"bp\"\nto = -1",
            "BP is from 0",
        ),
        ("[[change]]\nconstant = \"hp\"\nto = 0", "above 0"),
        (
            "[[change]]\nconstant = \"hp\"\nto = 2147483647",
            "1000000 at most",
        ),
        (
            "[[change]]\nconstant = \"backup-bp\"\nto = -2147483648",
            "from -100000 to",
        ),
        ("[[change]]\nconstant = \"luck\"\nto = 1", "none of the numbers"),
        ("[[change]]\nconstant = \"ring-slots\"\nto = 9", "from 0 to 8"),
        (
            "[[change]]\ndeck = \"No\"\ncard = \"Crumb\"\ncopies = 1",
            "no deck that is played",
        ),
        ("[[change]]\ncard = \"Crumb\"\nrules = \"x\"", "no rules here"),
    ] {
        let applied = Patch::read(patch).and_then(|patch| patch.apply(&plan, &no_rules).map(drop));
        let said = applied.expect_err(patch).to_string();
        assert!(said.contains(why), "{patch}: {said}");
    }
}

/// A card is replaced in one deck only; the rest of both decks lies where it lay.
#[test]
fn a_card_is_compared_with_what_stands_in_its_place() {
    let plan = plan(1);
    let card = plan.game.find("The Loaf").expect("it is in the game");
    let decks: Vec<&[ModelId]> = plan.matchups[0].decks.0.iter().map(Vec::as_slice).collect();
    let other = ordinary(&plan.game, &decks, card).expect("there are other characters");
    assert_ne!(other, card);
    assert!(plan.game.model(other).is_character() && (200..=700).contains(&plan.game.model(other).bp));
    // A strong card replaced by a weak one.
    let weak = plan.game.find("Apprentice Drip").expect("it is in the game");
    let stand = CardComparison::of(&plan, card, CardReplacement::Other(weak)).expect("a deck has it");
    let mut found = Changes::default();
    for number in 0..200 {
        let with = stand.with_card(number, &mut Level::Random, &mut Level::Random);
        let without = stand.with_other(number, &mut Level::Random, &mut Level::Random);
        found.add(without, with);
    }
    let (better, worse) = found.better_and_worse();
    assert!(better > worse && found.counts[4] > 60, "{found:?}");
    let absent = plan.game.find("Town Meeting").expect("it is in the game");
    let alone = DuelPlan {
        matchups: vec![plan.matchups[1].clone()],
        ..plan.clone()
    };
    assert!(
        CardComparison::of(&alone, absent, CardReplacement::Blank).is_none(),
        "no deck of the matchup has it"
    );
}

/// A card is worse than another one with the same text, of any type, and never for a better number.
#[test]
fn a_card_of_the_same_text_and_worse_numbers_is_told() {
    let mut plan = plan(9);
    let total = total(&plan, &mut Together::default());
    let game = std::sync::Arc::make_mut(&mut plan.game);
    let [pin, floor, crumb, rye] = ["Rolling Pin", "Wet Floor", "Crumb", "Auntie Rye"]
        .map(|name| usize::from(game.find(name).expect("it is in the game").0));
    // Wet Floor becomes a Rolling Pin that costs 1 SP more; Crumb has less BP than Auntie Rye, and more SP.
    let (text, program) = (game.models[pin].text.clone(), game.models[pin].program.clone());
    let sp = game.models[pin].sp;
    let model = &mut game.models[floor];
    (model.text, model.program, model.sp) = (text, program, sp - 1);
    assert!(game.models[crumb].bp < game.models[rye].bp && game.models[crumb].sp > game.models[rye].sp);
    let written = Written::of(&plan, ["random".to_owned(), "random".to_owned()]);
    let told = |plan: &DuelPlan| {
        let found = Together::default().found(0.95);
        let tried = BTreeMap::new();
        let report = BalanceReport::of(plan, &written, &total, &tried, 0, found, String::new());
        let worse = report.cards.into_iter();
        let worse = worse.filter_map(|card| Some((card.name, card.dominated_by?)));
        worse.collect::<BTreeMap<String, String>>()
    };
    let worse = told(&plan);
    assert_eq!(worse.get("Wet Floor").map(String::as_str), Some("Rolling Pin"));
    assert!(
        !worse.contains_key("Rolling Pin") && !worse.contains_key("Crumb"),
        "{worse:?}"
    );
    // With the same numbers neither is worse.
    std::sync::Arc::make_mut(&mut plan.game).models[floor].sp = sp;
    assert!(!told(&plan).contains_key("Wet Floor"));
}

/// With enough pairs the luck of the draw is taken out: scores near the plain ones, in narrower intervals,
/// and the page says so. With few pairs nothing is taken out.
#[test]
fn a_report_of_enough_pairs_is_without_luck() {
    let report = |pairs: u64| {
        let plan = plan(pairs);
        let mut together = Together::default();
        let total = total(&plan, &mut together);
        let written = Written::of(&plan, ["random".to_owned(), "random".to_owned()]);
        let none = (0, Vec::new());
        BalanceReport::of(
            &plan,
            &written,
            &total,
            &BTreeMap::new(),
            0,
            none,
            "again".to_owned(),
        )
    };
    let few = report(30);
    assert!(few.without_luck.is_none() && few.best_matrix() == few.matrix.as_slice());
    let report = report(600);
    let without = report.without_luck.as_ref().expect("there are enough pairs");
    assert!(without.saves > 1.0, "{}", without.saves);
    let mut widths = [0.0; 2];
    for (at, row) in report.matrix.iter().enumerate() {
        for (other, plain) in row.iter().enumerate() {
            let corrected = report.best_matrix()[at][other];
            assert_eq!(plain.is_some(), corrected.is_some());
            let (Some(plain), Some(corrected)) = (plain, corrected) else {
                continue;
            };
            assert_eq!(plain.n, corrected.n);
            // Narrower on the whole; where chance has it, one of few pairs is not.
            let wide = |of: Figure| of.high - of.low;
            widths = [widths[0] + wide(corrected), widths[1] + wide(*plain)];
            assert!(
                (corrected.value - plain.value).abs() < 0.06,
                "{plain:?} {corrected:?}"
            );
            let back = report.best_matrix()[other][at].expect("it has two sides");
            assert!((back.value + corrected.value - 1.0).abs() < 1e-9);
        }
        let (plain, corrected) = (report.decks[at].score, report.best_score(at));
        assert_eq!(plain.map(|plain| plain.n), corrected.map(|corrected| corrected.n));
    }
    assert!(
        PAGE_SAYS
            .iter()
            .all(|words| page(&report, &BTreeMap::new()).contains(words))
    );
    assert!(!page(&few, &BTreeMap::new()).contains(PAGE_SAYS[0]));
}

/// What the page says of luck.
const PAGE_SAYS: [&str; 2] = ["The luck of the draw is taken out", "times the duels"];

/// The report has every figure with its interval and n, and the page has it all without a script.
#[test]
fn a_report_is_complete() {
    let plan = plan(90);
    let mut together = Together::default();
    let total = total(&plan, &mut together);
    let written = Written::of(&plan, ["random".to_owned(), "random".to_owned()]);
    let mut changes = Changes::default();
    (0..30).for_each(|_| changes.add(0, 4));
    let crumb = plan.game.find("Crumb").expect("it is in the game");
    let tried = BTreeMap::from([(
        crumb,
        TriedCard {
            blank: None,
            ordinary: Some((crumb, changes)),
        },
    )]);
    let mut report = BalanceReport::of(
        &plan,
        &written,
        &total,
        &tried,
        30,
        together.found(0.95),
        "again".to_owned(),
    );
    let alike = vec![Changes::default(); plan.matchups.len()];
    report.what_if = Some(WhatIf::of(
        &plan,
        [&total, &total],
        &alike,
        &Changes::default(),
        vec!["nothing".to_owned()],
    ));
    assert_eq!(
        (report.ran.duels, report.ran.pairs, report.decks.len()),
        (180, 90, 3)
    );
    for (at, row) in report.matrix.iter().enumerate() {
        for (other, cell) in row.iter().enumerate() {
            match cell {
                None => assert_eq!(at, other),
                Some(cell) => {
                    assert!(cell.n == 30 && cell.low <= cell.value && cell.value <= cell.high);
                    let back = report.matrix[other][at].expect("it has two sides");
                    assert!((back.value + cell.value - 1.0).abs() < 1e-9);
                }
            }
        }
    }
    let shares: f64 = report.decks.iter().map(|deck| deck.share).sum();
    assert!((shares - 1.0).abs() < 1e-4);
    assert_eq!(report.lengths.iter().map(|(_, duels)| duels).sum::<u64>(), 180);
    let held: Vec<&str> = report
        .cards
        .iter()
        .filter(|card| card.over_ordinary.as_ref().is_some_and(|shift| shift.holds))
        .map(|card| card.name.as_str())
        .collect();
    assert_eq!(held, ["Crumb"]);
    for card in &report.cards {
        for figure in [card.in_hand, card.unseen, card.played, card.use_rate] {
            assert!(
                figure.low <= figure.value && figure.value <= figure.high,
                "{}",
                card.name
            );
        }
    }
    let html = page(&report, &BTreeMap::new());
    let won = |card: &&cw_balance::CardReport| card.over_ordinary.as_ref().map(|shift| shift.change.value);
    let best = (report.cards.iter().filter(|card| won(card).is_some()))
        .max_by(|one, two| won(one).partial_cmp(&won(two)).expect("numbers"))
        .expect("there are cards");
    let rows = html
        .split("<table class=\"sortable cards\">")
        .nth(1)
        .expect("the table");
    let first = rows.split("scope=\"row\"").nth(1).expect("a row");
    assert!(
        first.starts_with(&format!(" tabindex=\"0\">{}", best.name)),
        "{first:.60}"
    );
    for word in [
        "Harbour Lights",
        "Crumb",
        "What this does not say",
        "What if",
        "beats",
        "<svg",
        "Times drawn<span class=\"code\">decks\u{a0}×\u{a0}duels</span>",
        " times that a deck drew it\">",
        "<b>1</b> wins more than the ordinary card of its type: Crumb.",
        "<b>0</b> win less.",
        "Strongest and weakest deck",
        "60 pairs each", // a deck's, against two others
        "0 pairs a matchup, 0 in all",
        "0 of 3 do",
    ] {
        assert!(html.contains(word), "{word}");
    }
    let what_if = report.what_if.as_ref().expect("it was asked");
    assert_eq!(what_if.supports.len(), what_if.shares.len());
    for (supports, deck) in what_if.supports.iter().zip(&report.decks) {
        assert_eq!(supports[0], supports[1], "nothing changed: {}", deck.name);
    }
    // Each duel has two decks: a card that both have is counted for each of them.
    for card in &report.cards {
        let by_deck = total.matchups.iter().flat_map(|sums| &sums.cards.0);
        let seen = by_deck.filter_map(|cards| Some(cards.get(&card.model)?.duels_seen));
        assert_eq!(card.use_rate.n, seen.sum::<u64>(), "{}", card.name);
    }
    // However many cards lie idle, the glance stays one: the table marks the rest.
    let mut idle = report.clone();
    for card in &mut idle.cards {
        card.use_rate.high = 0.05;
    }
    let more = idle.cards.iter().filter(|card| card.use_rate.n > 0).count() - 6;
    assert!(page(&idle, &BTreeMap::new()).contains(&format!(" and {more} more<")));
    for outside in ["http://", "https://", "src=\"/", "@import"] {
        assert!(!html.contains(outside), "the page needs nothing else: {outside}");
    }
}

/// Every duel is in a bar, the longest ones in the last.
#[test]
fn the_bars_of_lengths_are_all_duels() {
    let plan = plan(300);
    let mut total = total(&plan, &mut Together::default());
    total.matchups[0].turns.insert(90, 1);
    total.matchups[0].turns.insert(99, 1);
    let written = Written::of(&plan, ["random".to_owned(), "random".to_owned()]);
    let (none, tried) = ((0, Vec::new()), BTreeMap::new());
    let report = BalanceReport::of(&plan, &written, &total, &tried, 0, none, String::new());
    let html = page(&report, &BTreeMap::new());
    let plot = html
        .split("aria-label=\"Duels by the turn")
        .nth(1)
        .expect("the plot");
    let plot = plot.split("</svg>").next().expect("its end");
    let numbers = plot.split("<title>").skip(1).filter_map(|bar| {
        let (_, number) = bar.split(" duel").next()?.rsplit_once(": ")?;
        number.parse::<u64>().ok()
    });
    assert_eq!(numbers.sum::<u64>(), 602);
    assert!(plot.contains(" to 99: ") && plot.contains(">≥ "), "{plot}");
}

/// The widest matchup is the one that is known to be farthest off, not the one of two pairs that were both
/// won; how many are as wide is told, and where none could be decided none is named.
#[test]
fn the_widest_matchup_is_known_to_be_wide() {
    let plan = plan(90);
    let mut total = total(&plan, &mut Together::default());
    let written = Written::of(&plan, ["random".to_owned(), "random".to_owned()]);
    let mut tile = |counts: [[u64; 5]; 3]| {
        for (sums, counts) in total.matchups.iter_mut().zip(counts) {
            sums.results.pairs.counts = counts;
        }
        let (none, tried) = ((0, Vec::new()), BTreeMap::new());
        let report = BalanceReport::of(&plan, &written, &total, &tried, 0, none, String::new());
        let html = page(&report, &BTreeMap::new());
        let tile = html.split("<h3>Widest matchup</h3>").nth(1).expect("the tile");
        tile.split("</div>").next().expect("its end").to_owned()
    };
    let (even, all) = ([9, 0, 12, 0, 9], [0, 0, 0, 0, 2]);
    let wide = tile([even, all, [20, 0, 8, 0, 2]]);
    assert!(
        wide.contains("80.0 %") && wide.contains("Shore Party against Night School"),
        "{wide}"
    );
    assert!(
        !wide.contains("others") && wide.contains("1 of them is decided"),
        "{wide}"
    );
    let tied = tile([[2, 0, 8, 0, 20], even, [20, 0, 8, 0, 2]]);
    assert!(tied.contains(", as 1 other is; 2 of them are decided"), "{tied}");
    let hopeless = tile([all, all, [0, 0, 0, 0, 3]]);
    let said = "3 matchups of at most 3 pairs: so few decide none, whatever the score";
    assert!(
        hopeless.contains(said) && !hopeless.contains("100.0"),
        "{hopeless}"
    );
    let enough = tile([all, all, [0, 0, 0, 0, 4]]);
    assert!(enough.contains("100.0 %"), "four can: {enough}");
}

/// Where a card lies idle the glance names it with its share; where none does it says so. An interval that
/// goes on beyond the scale has an arrow at its end; the plot of leads has a line at 50 %.
#[test]
fn a_page_says_what_is_not_there() {
    let plan = plan(90);
    let total = total(&plan, &mut Together::default());
    let written = Written::of(&plan, ["random".to_owned(), "random".to_owned()]);
    let (none, tried) = ((0, Vec::new()), BTreeMap::new());
    let mut report = BalanceReport::of(&plan, &written, &total, &tried, 0, none, String::new());
    let tile = |report: &BalanceReport| {
        let html = page(report, &BTreeMap::new());
        let tile = html.split("<h3>Hardly ever used</h3>").nth(1).expect("the tile");
        tile.split("</div>").next().expect("its end").to_owned()
    };
    for card in &mut report.cards {
        card.use_rate.high = card.use_rate.high.max(0.5);
    }
    assert!(tile(&report).contains(">None<"));
    let card = &mut report.cards[0];
    card.use_rate = Figure {
        value: 0.05,
        low: 0.02,
        high: 0.09,
        n: 1040,
    };
    let said = format!("{} (5 %, 52 of 1,040)", card.name);
    assert!(tile(&report).contains(&said), "{said}");
    let arrows = |report: &BalanceReport| page(report, &BTreeMap::new()).matches("class=\"beyond\"").count();
    assert!(report.without_luck.is_none());
    let before = arrows(&report);
    report.decks[0].score = Some(Figure {
        value: 0.75,
        low: 0.7,
        high: 0.85,
        n: 60,
    });
    assert_eq!(arrows(&report), before + 1);
    let html = page(&report, &BTreeMap::new());
    assert!(html.contains("class=\"axis even\"") && html.contains("The dots begin in turn 2"));
}

/// Marks are made of what the intervals are made of, and ask for more the more is asked: what is farther from
/// none in deviations is never the unmarked one, and an interval that leaves out none is not yet a mark.
#[test]
fn marks_agree_with_intervals() {
    let plan = plan(90);
    let mut total = total(&plan, &mut Together::default());
    let card = |name: &str| plan.game.find(name).expect("it is in the game");
    let of = |counts| Changes { counts };
    // By the signs alone the first says little: 20 better, 14 worse.
    let far = of([0, 0, 0, 14, 56, 0, 0, 0, 20]);
    let signs = of([0, 0, 0, 1, 71, 18, 0, 0, 0]);
    let alone = of([0, 0, 4, 0, 73, 0, 13, 0, 0]);
    let nothing = of([0, 0, 5, 0, 80, 0, 5, 0, 0]);
    assert!(far.chance_of_none() < signs.chance_of_none() && far.evidence() < signs.evidence());
    let names = ["Crumb", "Gasket", "The Loaf", "Town Meeting"];
    let tried = names.map(card).into_iter().zip([far, signs, alone, nothing]);
    let tried = tried.map(|(card, changes)| {
        let tried = TriedCard {
            blank: Some(changes),
            ordinary: Some((card, changes)),
        };
        (card, tried)
    });
    let tried: BTreeMap<ModelId, TriedCard> = tried.collect();
    // A card that makes winners of those who open with it; decks of which two differ from 50, each alone.
    let crumb = card("Crumb");
    for sums in &mut total.matchups {
        for cards in &mut sums.cards.0 {
            if let Some(card) = cards.get_mut(&crumb) {
                (card.with.counts, card.without.counts) = ([0, 0, 2, 0, 18], [20, 0, 20, 0, 20]);
            }
        }
    }
    let even = [9, 0, 12, 0, 9];
    for (sums, counts) in total.matchups.iter_mut().zip([even, even, [3, 0, 12, 0, 15]]) {
        (sums.results.pairs.counts, sums.firsts.counts) = (counts, counts);
    }
    let written = Written::of(&plan, ["random".to_owned(), "random".to_owned()]);
    let none = (0, Vec::new());
    let report = BalanceReport::of(&plan, &written, &total, &tried, 90, none, String::new());
    let marked = |pick: fn(&cw_balance::CardReport) -> Option<&cw_balance::Shift>| {
        let cards = report.cards.iter();
        let shifts = cards.filter_map(|card| Some((card.name.as_str(), pick(card)?)));
        let shifts: BTreeMap<&str, &cw_balance::Shift> = shifts.collect();
        let excludes = shifts["The Loaf"].change;
        assert!(excludes.low > 0.0 && !shifts["The Loaf"].holds, "{excludes:?}");
        assert!(shifts["Town Meeting"].change.allows(0.0));
        names.map(|name| shifts[name].holds)
    };
    let expected = [true, true, false, false];
    assert_eq!(marked(|card| card.over_ordinary.as_ref()), expected);
    assert_eq!(marked(|card| card.text.as_ref()), expected);
    let opened = report
        .cards
        .iter()
        .filter_map(|card| card.opening.map(|it| (card, it)));
    let (held, not): (Vec<_>, Vec<_>) = opened.partition(|(_, opening)| opening.holds);
    assert!(held.iter().any(|(card, _)| card.name == "Crumb"));
    assert!(held.iter().all(|(_, opening)| !opening.change.allows(0.0)) && !not.is_empty());
    let least = not.iter().map(|(_, opening)| opening.chance).fold(1.0, f64::min);
    assert!(held.iter().all(|(_, opening)| opening.chance < least));
    // Two of three decks differ from 50 by their intervals, and none of three questions is answered.
    let excluded = |figure: Option<Figure>| figure.is_some_and(|figure| !figure.allows(0.5));
    let decks = || report.decks.iter();
    assert_eq!(decks().filter(|deck| excluded(deck.score)).count(), 2);
    assert!(report.without_luck.is_none() && decks().all(|deck| !deck.decided));
    assert_eq!(report.first_decided, [false, false, true]);
    let html = page(&report, &BTreeMap::new());
    assert!(html.contains("0 of 3 decks differ from 50, corrected for how many decks there are"));
    let mark = "<span class=\"holds\" title=\"holds among all cards\">●</span>";
    assert_eq!(html.matches(mark).count(), 4 + held.len());
}

/// A run of one pair says what it does not know, and says “1 pair”.
#[test]
fn a_report_of_hardly_any_duels_is_honest() {
    let plan = plan(1);
    let mut together = Together::default();
    let total = total(&plan, &mut together);
    let written = Written::of(&plan, ["random".to_owned(), "random".to_owned()]);
    let mut report = BalanceReport::of(
        &plan,
        &written,
        &total,
        &BTreeMap::new(),
        0,
        together.found(0.95),
        "again".to_owned(),
    );
    let none = vec![Changes::default(); plan.matchups.len()];
    let nothing = || WhatIf::of(&plan, [&total, &total], &none, &Changes::default(), Vec::new());
    report.what_if = Some(nothing());
    let suggestion = |tried, reached| Suggestion {
        wanted: 0.04,
        tried,
        changes: Vec::new(),
        worst: [0.0, 0.01],
        reached,
        proof: nothing(),
    };
    report.target = Some(suggestion(0, true));
    let html = page(&report, &BTreeMap::new());
    assert!(html.contains("1 pair") && !html.contains(" 1 pairs") && !html.contains(">1 pairs"));
    let shown = html.split("<script>").next().unwrap_or_default();
    assert!(
        !shown.contains("NaN") && !html.contains("[0.0, 100.0]"),
        "of nothing nothing is told"
    );
    assert!(html.contains("Nothing was looked for") && html.contains("50\u{a0}±\u{a0}4\u{a0}%"));
    report.target = Some(suggestion(22, false));
    assert!(page(&report, &BTreeMap::new()).contains("None of the 22 small changes"));
}
