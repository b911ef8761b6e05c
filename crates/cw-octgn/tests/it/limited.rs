//! Sealed pools, drafts, and decks made of them.

use std::collections::BTreeMap;

use cw_octgn::{
    Booster, CardRef, Deck, Package, PackageLimits, Pool, PoolCard, Ratings, build, chance_to_draw, counted,
    sealed, write_deck,
};
use cw_text::Sources;

use crate::support::{GAME, files, set};

fn package() -> Package {
    let card = |n: u32| {
        let rarity = if n.is_multiple_of(10) { "Rare" } else { "Common" };
        format!(
            "<card id=\"0b000000-0000-4000-8000-{n:012}\" name=\"c{n}\">\
             <property name=\"Rarity\" value=\"{rarity}\"/><property name=\"Power\" value=\"{n}\"/></card>"
        )
    };
    let land = "<card id=\"0b000000-0000-4000-8000-000000000099\" name=\"land\">\
                <property name=\"Rarity\" value=\"Land\"/></card>";
    let cards: String = (0..40).map(card).collect();
    let pack = "<pack id=\"0a000000-0000-4000-8000-000000000006\" name=\"p\">\
                <pick qty=\"1\" key=\"Rarity\" value=\"Rare\"/>\
                <pick qty=\"9\" key=\"Rarity\" value=\"Common\"/>\
                <pick qty=\"unlimited\" key=\"Rarity\" value=\"Land\"/></pack>";
    Package::read(&files(&set(&format!(
        "<packaging>{pack}</packaging><cards>{cards}{land}</cards>"
    ))))
    .unwrap()
}

fn booster(package: &Package) -> Booster {
    Booster::new(package, 0, 0)
}

/// P110, P111: everybody opens the whole list; a player's pool does not depend on how many play.
#[test]
fn sealed_pools_are_the_players_own() {
    let package = package();
    let boosters = vec![booster(&package); 6];
    let pools = sealed(&boosters, 4, 7);
    assert_eq!(
        pools.iter().map(|pool| pool.cards.len()).collect::<Vec<_>>(),
        [60; 4]
    );
    assert_eq!(pools[0].unlimited.len(), 1);
    assert_ne!(pools[0], pools[1]);
    assert_eq!(sealed(&boosters, 2, 7), pools[..2]);
    assert_ne!(sealed(&boosters, 1, 8)[0], pools[0]);
}

/// P112, P115: a pool is saved as a deck and loaded as the same pool.
#[test]
fn pools_are_saved_and_loaded() {
    let package = package();
    let mut pool = sealed(&vec![booster(&package); 3], 1, 1).remove(0);
    let text = write_deck(&pool.to_deck(&package, "pool"));
    let (deck, found) = Deck::read(
        "pool.o8d",
        text.into_bytes(),
        &PackageLimits::default(),
        &mut Sources::new(),
    );
    assert_eq!(found, []);
    let mut loaded = Pool::of_deck(&package, &deck.unwrap());
    pool.cards.sort();
    loaded.cards.sort();
    assert_eq!(loaded, pool);
}

/// P82, P114, P115: a copy that an include brought has the include's properties in a pool, also in a saved
/// one; the card itself, and what it is in a deck, stays as printed.
#[test]
fn pools_know_what_includes_change() {
    let far = "0b000000-0000-4000-8000-0000000000f1";
    let other = "0a000000-0000-4000-8000-000000000003";
    let own = "<card id=\"0b000000-0000-4000-8000-000000000001\" name=\"own\">\
               <property name=\"Rarity\" value=\"Rare\"/></card>";
    let include = format!(
        "<include id=\"{far}\" set=\"{other}\">\
         <property name=\"Rarity\" value=\"Rare\"/><property name=\"Kind\"/></include>"
    );
    let pack = format!(
        "<pack id=\"0a000000-0000-4000-8000-000000000006\" name=\"p\">\
         {include}<pick qty=\"2\" key=\"Rarity\" value=\"Rare\"/></pack>"
    );
    let printed = format!(
        "<set name=\"T\" id=\"{other}\" gameId=\"{GAME}\"><cards><card id=\"{far}\" name=\"far\">\
         <property name=\"Rarity\" value=\"Common\"/><property name=\"Kind\" value=\"Elf\"/>\
         <property name=\"Power\" value=\"4\"/></card></cards></set>"
    );
    let content = set(&format!("<packaging>{pack}</packaging><cards>{own}</cards>"));
    let package = Package::read(&files(&content).with(format!("Sets/{other}/set.xml"), printed)).unwrap();
    let pool = sealed(&[Booster::new(&package, 0, 0)], 1, 1).remove(0);
    let seen = |pool: &Pool| {
        let card = pool
            .cards
            .iter()
            .find(|card| card.include.is_some())
            .copied()
            .unwrap();
        let text = |name: &str| card.text(&package, name).unwrap_or("-").to_owned();
        format!("{} {} {}", text("Rarity"), text("Kind"), text("Power"))
    };
    assert_eq!(seen(&pool), "Rare - 4");
    let printed = package.card(package.card_by_name("far").unwrap());
    assert_eq!(printed.text("Rarity"), Some("Common"));
    let saved = write_deck(&pool.to_deck(&package, "pool"));
    assert!(!saved.contains("Rare"), "{saved}");
    let read = |text: String| {
        Deck::read(
            "p.o8d",
            text.into_bytes(),
            &PackageLimits::default(),
            &mut Sources::new(),
        )
        .0
    };
    let mut loaded = Pool::of_deck(&package, &read(saved.clone()).unwrap());
    loaded.cards.sort();
    let mut before = pool.clone();
    before.cards.sort();
    assert_eq!(loaded, before);
    // A line about a pack that has gone, or a wrong one, leaves the card as printed.
    let gone = saved.replace("included 1", "included x");
    assert!(
        Pool::of_deck(&package, &read(gone).unwrap())
            .cards
            .iter()
            .all(|card| card.include.is_none())
    );
    let huge = saved.replace("included 1", "included 4000000000");
    assert_eq!(Pool::of_deck(&package, &read(huge).unwrap()).cards.len(), 2);
}

/// P82, P86, P113: a card that an include changes and a pick gives in any number is both in a pool, also in a
/// saved one; beside it the whole card can be had as the pack has it.
#[test]
fn what_comes_in_any_number_may_be_changed_too() {
    let far = "0b000000-0000-4000-8000-0000000000f1";
    let other = "0a000000-0000-4000-8000-000000000003";
    let own = "<card id=\"0b000000-0000-4000-8000-000000000001\" name=\"own\">\
               <property name=\"Rarity\" value=\"Land\"/></card>";
    let include = format!(
        "<include id=\"{far}\" set=\"{other}\"><property name=\"Rarity\" value=\"Land\"/>\
         <property name=\"Power\"/><property name=\"Letter\" value=\"x\"/></include>"
    );
    let pack = format!(
        "<pack id=\"0a000000-0000-4000-8000-000000000006\" name=\"p\">{include}\
         <pick qty=\"unlimited\" key=\"Rarity\" value=\"Land\"/></pack>"
    );
    let printed = format!(
        "<set name=\"T\" id=\"{other}\" gameId=\"{GAME}\"><cards>\
         <card id=\"{far}\" name=\"far\"><property name=\"Rarity\" value=\"Common\"/>\
         <property name=\"Power\" value=\"4\"/></card></cards></set>"
    );
    let content = set(&format!("<packaging>{pack}</packaging><cards>{own}</cards>"));
    let package = Package::read(&files(&content).with(format!("Sets/{other}/set.xml"), printed)).unwrap();
    let boosters = vec![Booster::new(&package, 0, 0); 2];
    let pool = sealed(&boosters, 1, 1).remove(0);
    assert!(pool.cards.is_empty(), "what comes in any number is not counted");
    assert_eq!(pool.unlimited.len(), 2, "the whole selection, each card once");
    let changed = *pool.unlimited.iter().find(|card| card.include.is_some()).unwrap();
    let card = changed.effective(&package);
    assert_eq!(
        [card.text("Rarity"), card.text("Power"), card.text("Letter")],
        [Some("Land"), None, Some("x")]
    );
    assert_eq!(&**card.name, "far", "names cannot be overridden (P34)");
    assert_eq!(card.id.value, far.parse().unwrap());
    let saved = write_deck(&pool.to_deck(&package, "pool"));
    let (deck, _) = Deck::read(
        "p.o8d",
        saved.into_bytes(),
        &PackageLimits::default(),
        &mut Sources::new(),
    );
    assert_eq!(Pool::of_deck(&package, &deck.unwrap()), pool);
    // A deck of any number of them is full; those that no deck may have are in none.
    assert_eq!(pool.playable(&|_| 3), u32::MAX);
    assert_eq!(pool.playable(&|_| 0), 0);
    let built = build(&pool, &Ratings::default(), Some(41), &|_| 3);
    assert_eq!(
        built.iter().map(|(_, count)| *count).collect::<Vec<_>>(),
        [21, 20]
    );
    assert_eq!(build(&pool, &Ratings::default(), Some(41), &|_| 0), []);
}

/// A sealed pool ends in a legal deck.
#[test]
fn computers_build_legal_decks() {
    let package = package();
    let boosters = vec![booster(&package); 3];
    let ratings = Ratings::new(&package, &boosters, None);
    for pool in sealed(&boosters, 2, 3) {
        let built = build(&pool, &ratings, Some(20), &|_| 3);
        assert_eq!(built.iter().map(|(_, count)| count).sum::<u32>(), 20);
        assert!(built.iter().all(|(_, count)| *count <= 3), "{built:?}");
        assert!(pool.playable(&|_| 3) >= 20);
        // Nothing is used that the pool does not have.
        let present: BTreeMap<CardRef, u32> = counted(pool.cards.iter().map(|card| card.card))
            .into_iter()
            .collect();
        for (card, count) in built {
            assert!(pool.unlimited.contains(&PoolCard::plain(card)) || count <= present[&card]);
        }
    }
}

/// Rare cards and strong cards are rated higher.
#[test]
fn ratings_are_scarcity_and_strength() {
    let package = package();
    let ratings = Ratings::new(&package, &[booster(&package)], None);
    let of = |name: &str| ratings.of(package.card_by_name(name).unwrap());
    assert!(of("c10") > of("c9") && of("c39") > of("c9"));
    let by_power = Ratings::new(&package, &[booster(&package)], Some("power"));
    let of = |name: &str| by_power.of(package.card_by_name(name).unwrap());
    assert!(of("c39") > of("c30"));
}

/// The chance to hold one of 3 copies among 5 of 50 cards: 1 - C(47,5)/C(50,5).
#[test]
fn chances_to_draw_are_exact() {
    assert_eq!(chance_to_draw(50, 3, 5, 1).to_string(), "541/1960");
    assert_eq!(chance_to_draw(50, 0, 5, 1).to_string(), "0");
    assert_eq!(chance_to_draw(3, 9, 9, 3).to_string(), "1");
}

/// P110, D72: "any number" of a card fills a deck up to its size, and is never taken for a number.
#[test]
fn any_number_is_not_a_number() {
    let content = "<cards><card id=\"0c000000-0000-4000-8000-000000000001\" name=\"A\"/>\
                   <card id=\"0c000000-0000-4000-8000-000000000002\" name=\"Land\"/></cards>";
    let package = Package::read(&crate::support::files(&crate::support::set(content))).unwrap();
    let cards: Vec<CardRef> = package.cards().map(|(card, _)| card).collect();
    let pool = Pool {
        cards: vec![cw_octgn::PoolCard::plain(cards[0])],
        unlimited: vec![cw_octgn::PoolCard::plain(cards[1])],
    };
    let ratings = Ratings::default();
    assert_eq!(build(&pool, &ratings, None, &|_| u32::MAX), [(cards[0], 1)]);
    assert_eq!(
        build(&pool, &ratings, Some(9), &|_| u32::MAX),
        [(cards[0], 1), (cards[1], 8)]
    );
}

/// P83, P117: a card with several entries in a pack is as common as its entries are together.
#[test]
fn a_card_is_as_common_as_all_its_entries() {
    let id = "0b000000-0000-4000-8000-000000000001";
    let card = format!("<card id=\"{id}\" name=\"c\"><property name=\"Rarity\" value=\"Common\"/></card>");
    let pack = |include: &str| {
        let pack = format!(
            "<pack id=\"0a000000-0000-4000-8000-000000000006\" name=\"p\">{include}\
             <pick qty=\"1\" key=\"Rarity\" value=\"Common\"/>\
             <options><option probability=\"0.01\">\
             <pick qty=\"1\" key=\"Rarity\" value=\"Foil\"/></option></options></pack>"
        );
        let text = set(&format!("<packaging>{pack}</packaging><cards>{card}</cards>"));
        let package = Package::read(&files(&text)).unwrap();
        let booster = booster(&package);
        let card = booster.pool[0].card;
        Ratings::new(&package, &[booster], None).of(card)
    };
    let own = crate::support::SET;
    let include =
        format!("<include id=\"{id}\" set=\"{own}\"><property name=\"Rarity\" value=\"Foil\"/></include>");
    // A further entry makes a card no rarer.
    assert!(pack(&include) <= pack(""), "{} {}", pack(&include), pack(""));
}
