//! The test vectors of P118: exact odds as fractions, opened packs within the statistical bound.

use cw_octgn::{Booster, MemoryFiles, Odds, OpenedBooster, Opener, PackChance, Package, to_f64};

use crate::support::{DEFINITION, GAME, SET};

/// R1 R2 (Rare), U1..U3 (Uncommon), C1..C5 (Common), and a card X of another set (Kind K, Rarity Common).
fn package(pack: &str) -> Package {
    let mut cards = String::new();
    let named = [("R", 2, "Rare"), ("U", 3, "Uncommon"), ("C", 5, "Common")];
    for (group, (letter, count, rarity)) in named.iter().enumerate() {
        for number in 1..=*count {
            cards.push_str(&format!(
                "<card id=\"0c000000-0000-4000-8000-0000000000{group}{number}\" name=\"{letter}{number}\">\
                 <property name=\"Rarity\" value=\"{rarity}\"/></card>"
            ));
        }
    }
    let set = format!(
        "<set name=\"S\" id=\"{SET}\" gameId=\"{GAME}\"><packaging>\
         <pack name=\"P\" id=\"0a000000-0000-4000-8000-000000000006\">{pack}</pack>\
         </packaging><cards>{cards}</cards></set>"
    );
    let other = format!(
        "<set name=\"T\" id=\"0a000000-0000-4000-8000-000000000003\" gameId=\"{GAME}\">\
         <cards><card id=\"0d000000-0000-4000-8000-000000000001\" name=\"X\">\
         <property name=\"Rarity\" value=\"Common\"/>\
         <property name=\"Kind\" value=\"K\"/></card></cards></set>"
    );
    let files = MemoryFiles::new()
        .with("definition.xml", DEFINITION)
        .with(format!("Sets/{SET}/set.xml"), set)
        .with("Sets/0a000000-0000-4000-8000-000000000003/set.xml", other);
    Package::read(&files).unwrap()
}

fn name(package: &Package, booster: &Booster, entry: u32) -> String {
    package.card(booster.pool[entry as usize].card).name.to_string()
}

/// Checks `card chance-of-at-least-one`, comma-separated, in the odds exactly and in 40,000 opened packs.
#[track_caller]
fn check(pack: &str, expected: &str) {
    let package = package(pack);
    let booster = Booster::new(&package, 0, 0);
    let odds = Odds::new(&booster);
    for one in expected.split(", ") {
        let (card, chance) = one.split_once(' ').unwrap();
        let wanted = |entry: u32| name(&package, &booster, entry) == card;
        let exact = odds.at_least_one(&wanted, 1).unwrap();
        assert_eq!(exact.to_string(), chance, "{card} of {pack}");
        let opened = opened_share(&booster, &wanted, 40_000);
        // Four standard deviations at most.
        let chance = to_f64(&exact);
        let bound = 4.0 * (chance * (1.0 - chance) / 40_000.0).sqrt() + 1e-9;
        assert!(
            (opened - chance).abs() <= bound,
            "{card}: {opened} against {chance} of {pack}"
        );
    }
    let size = odds.size().unwrap();
    assert_eq!(size.at_least(0).to_string(), "1");
}

fn opened_share(booster: &Booster, wanted: &dyn Fn(u32) -> bool, packs: u32) -> f64 {
    let mut opener = Opener::new(booster);
    let mut chance = PackChance::new(1);
    let mut out = OpenedBooster::default();
    let mut found = 0;
    for _ in 0..packs {
        opener.open(&mut chance, &mut out);
        found += u32::from(out.limited.iter().any(|drawn| wanted(drawn.entry)));
    }
    f64::from(found) / f64::from(packs)
}

fn pick(quantity: &str, rarity: &str) -> String {
    format!("<pick qty=\"{quantity}\" key=\"Rarity\" value=\"{rarity}\"/>")
}

fn option(probability: &str, content: &str) -> String {
    format!("<option probability=\"{probability}\">{content}</option>")
}

/// P118 (a), P87.
#[test]
fn a_pick_takes_each_card_at_most_once() {
    check(&pick("2", "Uncommon"), "U1 2/3, U2 2/3, U3 2/3, R1 0");
    let package = package(&pick("2", "Uncommon"));
    let booster = Booster::new(&package, 0, 0);
    let mut opener = Opener::new(&booster);
    let (mut chance, mut out) = (PackChance::new(3), OpenedBooster::default());
    for _ in 0..1000 {
        opener.open(&mut chance, &mut out);
        assert_eq!(out.limited.len(), 2);
        assert_ne!(out.limited[0].entry, out.limited[1].entry);
    }
}

/// P118 (b), P88: two picks are independent.
#[test]
fn two_picks_can_take_the_same_card() {
    let package = package(&(pick("1", "Uncommon") + &pick("1", "Uncommon")));
    let booster = Booster::new(&package, 0, 0);
    let u1 = |entry: u32| name(&package, &booster, entry) == "U1";
    let copies = Odds::new(&booster).copies(&u1).unwrap();
    // U1 twice with 1/9, and so with the other two: the same card twice with 1/3.
    assert_eq!(copies.exactly(2).to_string(), "1/9");
    assert_eq!(copies.mean().to_string(), "2/3");
}

/// P118 (c), P87.
#[test]
fn a_pick_of_more_than_there_are_is_short() {
    let package = package(&pick("4", "Uncommon"));
    let booster = Booster::new(&package, 0, 0);
    let mut out = OpenedBooster::default();
    Opener::new(&booster).open(&mut PackChance::new(1), &mut out);
    assert_eq!((out.limited.len(), out.short), (3, vec![(0, 1)]));
    assert_eq!(Odds::new(&booster).size().unwrap().exactly(3).to_string(), "1");
}

/// P118 (d), P89, P90: what is missing to 1 yields nothing.
#[test]
fn a_gap_in_the_probabilities_yields_nothing() {
    let pack = format!(
        "<options>{}{}</options>",
        option("0.25", &pick("1", "Rare")),
        option("0.5", &pick("1", "Common"))
    );
    check(&pack, "R1 1/8, C1 1/10, U1 0");
    let package = package(&pack);
    let booster = Booster::new(&package, 0, 0);
    assert_eq!(Odds::new(&booster).size().unwrap().exactly(0).to_string(), "1/4");
}

/// P118 (e), P90: a later option is cut.
#[test]
fn later_options_are_cut() {
    let one = |name: &str| format!("<pick qty=\"1\" key=\"Name\" value=\"{name}\"/>");
    check(
        &format!(
            "<options>{}{}</options>",
            option("0.8", &one("R1")),
            option("0.8", &one("R2"))
        ),
        "R1 4/5, R2 1/5",
    );
}

/// P118 (f), P36, P101, P105: keys are exact, values and names ignore case.
#[test]
fn values_ignore_case_and_keys_do_not() {
    check(&pick("1", "RARE"), "R1 1/2");
    check("<pick qty=\"1\" key=\"rarity\" value=\"Rare\"/>", "R1 0");
    check("<pick qty=\"1\" key=\"nAmE\" value=\"r1\"/>", "R1 1");
}

/// P118 (g), P83: a card of the own set that is included is in the pool twice.
#[test]
fn an_include_of_the_own_set_doubles_the_card() {
    let include = format!("<include id=\"0c000000-0000-4000-8000-000000000021\" set=\"{SET}\"/>");
    check(&(include + &pick("1", "Common")), "C1 1/3, C2 1/6, C5 1/6");
}

/// P118 (h), P82: an include is a copy with changed properties; the others stay.
#[test]
fn an_include_changes_properties_of_a_copy() {
    let include = "<include id=\"0d000000-0000-4000-8000-000000000001\" \
                   set=\"0a000000-0000-4000-8000-000000000003\">\
                   <property name=\"Rarity\" value=\"Rare\"/></include>";
    check(&(include.to_owned() + &pick("1", "Rare")), "X 1/3, R1 1/3");
    check(
        &(include.to_owned() + "<pick qty=\"1\" key=\"Kind\" value=\"K\"/>"),
        "X 1",
    );
    check(&(include.to_owned() + &pick("1", "Common")), "X 0, C1 1/5");
}

/// P118 (i), P103: an empty filter takes cards without the property.
#[test]
fn an_empty_value_is_a_missing_one() {
    check("<pick qty=\"1\" key=\"Kind\" value=\" \"/>", "R1 1/10, C5 1/10");
}

/// P118 (j), P86.
#[test]
fn negative_is_unlimited_and_zero_is_nothing() {
    for quantity in ["-1", "unlimited"] {
        let package = package(&pick(quantity, "Rare"));
        let booster = Booster::new(&package, 0, 0);
        let mut out = OpenedBooster::default();
        Opener::new(&booster).open(&mut PackChance::new(1), &mut out);
        assert_eq!((out.limited.len(), out.unlimited.len()), (0, 2));
    }
    check(&pick("0", "Rare"), "R1 0");
}

/// P118 (k), P38.
#[test]
fn options_inside_options_multiply() {
    let inner = format!("<options>{}</options>", option("0.5", &pick("1", "Rare")));
    check(&format!("<options>{}</options>", option("0.5", &inner)), "R1 1/8");
}

/// P91: a seed gives the same packs everywhere, whatever was opened before with another seed.
#[test]
fn packs_of_a_seed_never_change() {
    let package = package(&(pick("1", "Rare") + &pick("3", "Common")));
    let booster = Booster::new(&package, 0, 0);
    let mut opener = Opener::new(&booster);
    let mut open = |seed| {
        let (mut chance, mut out) = (PackChance::new(seed), OpenedBooster::default());
        let mut packs = Vec::new();
        for _ in 0..2 {
            opener.open(&mut chance, &mut out);
            let names: Vec<String> = out
                .limited
                .iter()
                .map(|drawn| name(&package, &booster, drawn.entry))
                .collect();
            packs.push(names.join(" "));
        }
        packs.join(" | ")
    };
    assert_eq!(open(1), "R1 C3 C1 C4 | R2 C3 C2 C1");
    let again = open(1);
    open(2);
    assert_eq!(open(1), again);
}

/// P195: without repeats, as an option of our own.
#[test]
fn unique_packs_hold_no_card_twice() {
    let package = package(&(pick("2", "Uncommon") + &pick("2", "Uncommon")));
    let booster = Booster::new(&package, 0, 0);
    let mut out = OpenedBooster::default();
    for seed in 0..100 {
        Opener::new(&booster).open_unique(&package, &booster, &mut PackChance::new(seed), &mut out);
        let mut cards: Vec<u32> = out.limited.iter().map(|drawn| drawn.entry).collect();
        cards.sort_unstable();
        cards.dedup();
        assert_eq!((cards.len(), out.short.as_slice()), (3, [(1, 1)].as_slice()));
    }
}

/// P117: expected packs, exact for copies and bounded for a whole set.
#[test]
fn packs_until_something_came() {
    let package = package(&pick("1", "Uncommon"));
    let booster = Booster::new(&package, 0, 0);
    let odds = Odds::new(&booster);
    let u1 = |entry: u32| name(&package, &booster, entry) == "U1";
    assert_eq!(odds.packs_until(&u1, 1).unwrap().unwrap().to_string(), "3");
    assert_eq!(odds.packs_until(&u1, 4).unwrap().unwrap().to_string(), "12");
    assert_eq!(odds.packs_until(&|_| false, 1).unwrap(), None);
    // Three coupons: 3 (1 + 1/2 + 1/3) packs; one class, so the bounds meet.
    let bounds = odds.packs_until_complete(&package).unwrap();
    assert!(
        bounds.low <= 5.5 && 5.5 <= bounds.high && bounds.high - bounds.low < 1e-6,
        "{bounds:?}"
    );
}

/// P90: what stands in an option that never happens is no card that can come, and a whole set does not wait
/// for it.
#[test]
fn an_option_that_never_happens_has_no_cards() {
    let options = format!(
        "<options><option probability=\"1\">{}</option><option probability=\"0.5\">{}</option></options>",
        pick("1", "Uncommon"),
        pick("1", "Rare")
    );
    let package = package(&options);
    let booster = Booster::new(&package, 0, 0);
    let odds = Odds::new(&booster);
    let bounds = odds.packs_until_complete(&package).unwrap();
    assert!(
        bounds.low <= 5.5 && 5.5 <= bounds.high && bounds.high < 5.6,
        "{bounds:?}"
    );
    assert_eq!(odds.per_card(&package).unwrap().len(), 3);
}

/// P90: nor does an option that never happens make a pack too large to compute with.
#[test]
fn an_option_that_never_happens_has_no_size() {
    let options = format!(
        "<options><option probability=\"1\">{}</option><option probability=\"0.5\">{}</option></options>",
        pick("1", "Uncommon"),
        pick("1", "Rare").repeat(600)
    );
    let package = package(&options);
    let booster = Booster::new(&package, 0, 0);
    assert_eq!(Odds::new(&booster).size().unwrap().mean().to_string(), "1");
}

/// P101: letter case is taken out by simple folding, in which both small sigmas are one letter.
#[test]
fn case_is_folded_letter_by_letter() {
    let set = |rarity: &str, wanted: &str| {
        let set = format!(
            "<set name=\"S\" id=\"{SET}\" gameId=\"{GAME}\"><packaging>\
             <pack name=\"P\" id=\"0a000000-0000-4000-8000-000000000006\">\
             <pick qty=\"1\" key=\"Rarity\" value=\"{wanted}\"/></pack></packaging><cards>\
             <card id=\"0c000000-0000-4000-8000-000000000001\" name=\"A\">\
             <property name=\"Rarity\" value=\"{rarity}\"/></card></cards></set>"
        );
        let files = MemoryFiles::new()
            .with("definition.xml", DEFINITION)
            .with(format!("Sets/{SET}/set.xml"), set);
        let package = Package::read(&files).unwrap();
        let mut found = 0;
        Booster::new(&package, 0, 0).picks(&mut |pick| found += pick.candidates.len());
        found
    };
    for (rarity, wanted, found) in [
        ("οδος", "ΟΔΟΣ", 1),
        ("ſilver", "SILVER", 1),
        ("Über", "ÜBER", 1),
        ("straße", "STRASSE", 0),
    ] {
        assert_eq!(set(rarity, wanted), found, "{rarity} and {wanted}");
    }
}
