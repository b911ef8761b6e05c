//! Drafts: packs go round, nothing is lost, nobody sees what has not come to them, records lead back.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests: what is missing ends the test"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cw_chance::Chance;
use cw_draft::{
    CardFigures, Draft, DraftAct, DraftPack, DraftPacks, DraftPlayer, DraftRecord, DraftRefused, DraftView,
    PassSide, PickTimer,
};
use cw_octgn::{Booster, CardRef, MemoryFiles, Package, Pool, PoolCard, Ratings, build, counted, sealed};

const GAME: &str = "6ac0a9aa-437c-4074-8135-5f1bef8a6dca";
const SET: &str = "0a000000-0000-4000-8000-000000000001";

/// Forty cards, four of them rare, one in any number; a pack has a rare and nine commons.
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
    read(&format!(
        "<packaging>{pack}</packaging><cards>{cards}{land}</cards>"
    ))
}

fn read(content: &str) -> Package {
    let definition = format!(
        "<game id=\"{GAME}\" name=\"g\"><card>\
         <property name=\"Rarity\" type=\"String\"/><property name=\"Power\" type=\"Integer\"/></card>\
         <deck><section name=\"Main\"/></deck></game>"
    );
    let set = format!("<set name=\"T\" id=\"{SET}\" gameId=\"{GAME}\">{content}</set>");
    let files = MemoryFiles::new()
        .with("definition.xml", definition)
        .with(format!("Sets/{SET}/set.xml"), set);
    Package::read(&files).unwrap()
}

fn boosters(package: &Package, many: usize) -> Vec<Booster> {
    vec![Booster::new(package, 0, 0); many]
}

/// The cards need no package: each is told from every other one.
fn numbered(rounds: usize, seats: usize, size: usize, first: u32) -> Vec<Vec<DraftPack>> {
    let mut next = first;
    let mut card = || {
        next += 1;
        PoolCard::plain(CardRef { set: 0, card: next })
    };
    let mut pack = || DraftPack {
        cards: (0..size).map(|_| card()).collect(),
        unlimited: vec![card()],
    };
    (0..rounds)
        .map(|_| (0..seats).map(|_| pack()).collect())
        .collect()
}

fn chance(seed: u64) -> Chance {
    Chance::seeded(seed)
}

/// Everybody takes the first card of what lies before them, in turn.
fn take_the_first(draft: &mut Draft) {
    while !draft.is_over() {
        for seat in 0..draft.seats() {
            let view = draft.view(seat);
            if !view.pack.is_empty() {
                draft
                    .act(DraftAct::Pick {
                        seat,
                        number: view.number,
                        place: 0,
                    })
                    .unwrap();
            }
        }
    }
}

/// Every card of every pack is taken by exactly one seat, and packs go round: to the left, then to the
/// right (P110, P113).
#[test]
fn a_draft_hands_out_every_card_once() {
    let package = package();
    let boosters = boosters(&package, 3);
    for seats in [2, 3, 8, 12] {
        let all = sealed(&boosters, u32::try_from(seats).unwrap(), 5);
        let mut draft = Draft::new(Arc::new(DraftPacks::of_boosters(&boosters, seats, 5)), &[]);
        assert_eq!((draft.round(), draft.view(0).side), (1, PassSide::Left));
        let first = draft.before(0);
        draft
            .act(DraftAct::Pick {
                seat: 0,
                number: 0,
                place: 0,
            })
            .unwrap();
        draft
            .act(DraftAct::Pick {
                seat: 1,
                number: 0,
                place: 0,
            })
            .unwrap();
        // What was before seat 0 is before seat 1.
        assert_eq!(draft.before(1), &first[1..]);
        take_the_first(&mut draft);
        let count = |pools: Vec<&Pool>| {
            let mut counts = BTreeMap::new();
            for (card, count) in pools.iter().flat_map(|pool| counted(pool.cards.iter().copied())) {
                *counts.entry(card).or_insert(0) += count;
            }
            counts
        };
        let drafted = (0..seats).map(|seat| draft.pool(seat)).collect();
        assert_eq!(count(drafted), count(all.iter().collect()));
        assert_eq!(
            (draft.pool(0).cards.len(), draft.pool(0).unlimited.len()),
            (30, 1)
        );
    }
}

/// The second round goes the other way.
#[test]
fn rounds_go_left_and_right() {
    let packs = DraftPacks::of_rounds(numbered(2, 3, 2, 0), 3);
    let mut draft = Draft::new(Arc::new(packs), &[]);
    for number in 0..2 {
        for seat in 0..3 {
            draft
                .act(DraftAct::Pick {
                    seat,
                    number,
                    place: 0,
                })
                .unwrap();
        }
    }
    assert_eq!((draft.round(), draft.view(2).side), (2, PassSide::Right));
    let rest = draft.before(0)[1..].to_vec();
    draft
        .act(DraftAct::Pick {
            seat: 0,
            number: 2,
            place: 0,
        })
        .unwrap();
    draft
        .act(DraftAct::Pick {
            seat: 2,
            number: 2,
            place: 0,
        })
        .unwrap();
    assert_eq!(draft.before(2), rest);
}

/// A cube's cards come as often as it has them; what is too much for it is no draft, and says how many are
/// missing.
#[test]
fn a_cube_is_dealt_out_once() {
    let package = package();
    let cube: Vec<CardRef> = package.cards().map(|(card, _)| card).take(24).collect();
    let mut draft = Draft::new(Arc::new(DraftPacks::of_cube(&cube, 4, 2, 3, 7).unwrap()), &[]);
    assert_eq!(
        (0..4).map(|seat| draft.before(seat).len()).collect::<Vec<_>>(),
        [3; 4]
    );
    take_the_first(&mut draft);
    let pools = (0..4).flat_map(|seat| &draft.pool(seat).cards);
    let mut dealt: Vec<CardRef> = pools.map(|card| card.card).collect();
    dealt.sort_unstable();
    assert_eq!(dealt, cube);
    let short = DraftPacks::of_cube(&cube, 4, 2, 4, 7).unwrap_err();
    assert_eq!(short.to_string(), "the cube has 24 cards, and the packs need 32");
    assert!(DraftPacks::of_cube(&[], 2, 0, 1, 7).is_err());
}

/// P82, P113, P114: a card taken from a pack goes to one seat, with what the pack made of it.
#[test]
fn drafted_cards_keep_what_the_pack_made_of_them() {
    let card = "0b000000-0000-4000-8000-000000000001";
    let include =
        format!("<include id=\"{card}\" set=\"{SET}\"><property name=\"Rarity\" value=\"Rare\"/></include>");
    let package = read(&format!(
        "<packaging><pack id=\"0a000000-0000-4000-8000-000000000006\" name=\"p\">{include}\
         <pick qty=\"1\" key=\"Rarity\" value=\"Rare\"/></pack></packaging><cards>\
         <card id=\"{card}\" name=\"A\"><property name=\"Rarity\" value=\"Common\"/></card></cards>"
    ));
    let packs = DraftPacks::of_boosters(&[Booster::new(&package, 0, 0)], 2, 1);
    let mut draft = Draft::new(Arc::new(packs), &[]);
    assert_eq!(draft.before(1)[0].text(&package, "Rarity"), Some("Rare"));
    take_the_first(&mut draft);
    let taken = draft.pool(0).cards[0];
    assert_eq!(taken.text(&package, "Rarity"), Some("Rare"));
    assert_eq!(package.card(taken.card).text("Rarity"), Some("Common"));
}

/// A draft is a value: the same seed and the same acts give the same states, byte for byte, on every
/// platform; another card anywhere gives another digest.
#[test]
fn seed_and_picks_decide_every_state() {
    let package = package();
    let boosters = boosters(&package, 3);
    let ratings = Ratings::new(&package, &boosters, None);
    let run = |seed: u64| {
        let packs = Arc::new(DraftPacks::of_boosters(&boosters, 8, seed));
        let mut record = DraftRecord::new(packs, &[]);
        record.run_computers(&ratings, &|_| 3);
        record
    };
    let (one, other) = (run(11), run(11));
    assert_eq!(
        (one.write(), one.draft().hash()),
        (other.write(), other.draft().hash())
    );
    assert_eq!(one.draft().hash().to_string(), "d190d8d9b5df316cc13680f59c219460");
    assert_ne!(run(12).draft().hash(), one.draft().hash());
    // Every state along the way is told from every other one.
    let mut draft = Draft::new(Arc::new(DraftPacks::of_boosters(&boosters, 8, 11)), &[]);
    let mut seen = BTreeSet::from([draft.hash()]);
    for act in one.acts() {
        draft.act(*act).unwrap();
        assert!(seen.insert(draft.hash()));
    }
    assert_eq!(draft.hash(), one.draft().hash());
}

/// What was written leads back to the same draft, from any point, and a line that cannot be done is named.
#[test]
fn a_record_is_read_back_and_goes_on() {
    let packs = Arc::new(DraftPacks::of_rounds(numbered(3, 4, 5, 0), 4));
    let players = [DraftPlayer::Person, DraftPlayer::Computer, DraftPlayer::Person];
    let mut record = DraftRecord::new(Arc::clone(&packs), &players);
    let mut chance = chance(3);
    let ratings = Ratings::of_numbers(
        (1..100)
            .map(|card| (CardRef { set: 0, card }, i64::from(card * 37 % 50)))
            .collect(),
    );
    while !record.draft().is_over() {
        record.run_computers(&ratings, &|_| 9);
        let again = DraftRecord::read(Arc::clone(&packs), &players, &record.write()).unwrap();
        assert_eq!((&again, again.draft().hash()), (&record, record.draft().hash()));
        for seat in [0, 2] {
            let view = record.draft().view(seat);
            if !view.pack.is_empty() {
                let place = chance.below(u32::try_from(view.pack.len()).unwrap(), &[]) as usize;
                let pick = DraftAct::Pick {
                    seat,
                    number: view.number,
                    place,
                };
                record.act(pick).unwrap();
            }
        }
    }
    let text = record.write();
    for (spoilt, words) in [
        (
            text.replacen("pick", "peck", 1),
            "line 1 of the draft cannot be done: “peck",
        ),
        (
            format!("{text}pick 0 15 0\n"),
            "cannot be done: the draft is over",
        ),
        (
            format!("leave 9\n{text}"),
            "line 1 of the draft cannot be done: there is no such seat",
        ),
    ] {
        let refused = DraftRecord::read(Arc::clone(&packs), &players, &spoilt).unwrap_err();
        assert!(refused.to_string().contains(words), "{refused}");
    }
}

/// What cannot be done changes nothing, and says why.
#[test]
fn refused_acts_change_nothing() {
    let packs = Arc::new(DraftPacks::of_rounds(numbered(1, 2, 2, 0), 2));
    let mut draft = Draft::new(packs, &[DraftPlayer::Person, DraftPlayer::Computer]);
    let pick = |seat, number, place| DraftAct::Pick { seat, number, place };
    let refused = |draft: &mut Draft, act| {
        let before = draft.hash();
        let why = draft.act(act).unwrap_err();
        assert_eq!(draft.hash(), before, "{why}");
        why
    };
    assert_eq!(refused(&mut draft, pick(5, 0, 0)), DraftRefused::NoSeat);
    assert_eq!(refused(&mut draft, pick(0, 0, 2)), DraftRefused::NoPlace);
    assert_eq!(
        refused(&mut draft, pick(0, 1, 0)),
        DraftRefused::Stale { next: 0 }
    );
    assert_eq!(
        refused(&mut draft, DraftAct::Return { seat: 0 }),
        DraftRefused::NotAway
    );
    assert_eq!(
        refused(&mut draft, DraftAct::Leave { seat: 1 }),
        DraftRefused::NoPerson
    );
    draft.act(pick(0, 0, 1)).unwrap();
    assert_eq!(
        refused(&mut draft, pick(0, 0, 1)),
        DraftRefused::Stale { next: 1 },
        "sent twice, done once"
    );
    assert_eq!(refused(&mut draft, pick(0, 1, 0)), DraftRefused::NoPack);
    take_the_first(&mut draft);
    assert_eq!(refused(&mut draft, pick(0, 2, 0)), DraftRefused::Over);
}

/// A computer takes a lost player's place, and gives it back: picks go on where they stand.
#[test]
fn a_place_is_taken_by_a_computer_and_given_back() {
    let packs = Arc::new(DraftPacks::of_rounds(numbered(2, 3, 4, 0), 3));
    let ratings = Ratings::default();
    let mut record = DraftRecord::new(packs, &[DraftPlayer::Person]);
    record.run_computers(&ratings, &|_| 9);
    assert_eq!(record.draft().view(0).number, 0, "the person is waited for");
    record
        .act(DraftAct::Pick {
            seat: 0,
            number: 0,
            place: 2,
        })
        .unwrap();
    record.run_computers(&ratings, &|_| 9);
    let own = record.draft().pool(0).cards.clone();
    record.act(DraftAct::Leave { seat: 0 }).unwrap();
    assert_eq!(record.draft().player(0), Some(DraftPlayer::StandIn));
    let act = record.computers_pick(0, &ratings, &|_| 9).unwrap();
    record.act(act).unwrap();
    record.act(DraftAct::Return { seat: 0 }).unwrap();
    record.run_computers(&ratings, &|_| 9);
    let view = record.draft().view(0);
    assert_eq!((view.seats[0].player, view.number), (DraftPlayer::Person, 2));
    assert_eq!(view.pool.cards[..1], own[..]);
    assert!(!view.pack.is_empty(), "the person is asked again");
    record.act(DraftAct::Leave { seat: 0 }).unwrap();
    record.run_computers(&ratings, &|_| 9);
    assert!(record.draft().is_over());
}

/// Everything a seat is shown along a way.
fn shown(packs: &Arc<DraftPacks>, acts: &[DraftAct], seat: usize) -> Vec<DraftView> {
    let mut draft = Draft::new(Arc::clone(packs), &[DraftPlayer::Person; 12]);
    let mut views = vec![draft.view(seat)];
    for act in acts {
        draft.act(*act).unwrap();
        views.push(draft.view(seat));
    }
    views
}

/// Drafts that differ only in what a seat has not seen look the same to it at every step: cards of other
/// packs, what others took of packs before they came, rounds that are not open yet. Computers that pick for
/// it take the same.
#[test]
fn a_view_does_not_depend_on_what_it_hides() {
    let campaign = std::env::var("CARDWRIGHT_DRAFTS")
        .ok()
        .and_then(|many| many.parse().ok());
    let (mut differed, mut hidden) = (0, 0);
    for seed in 0..campaign.unwrap_or(300) {
        let mut chance = chance(seed);
        let seats = 2 + chance.below(7, &[]) as usize;
        let (rounds, size) = (
            1 + chance.below(3, &[]) as usize,
            1 + chance.below(9, &[]) as usize,
        );
        let packs = Arc::new(DraftPacks::of_rounds(numbered(rounds, seats, size, 0), seats));
        // A way through part of the draft.
        let mut draft = Draft::new(Arc::clone(&packs), &[DraftPlayer::Person; 12]);
        let mut acts = Vec::new();
        for _ in 0..chance.below(u32::try_from(rounds * seats * size).unwrap() + 1, &[]) {
            let able: Vec<usize> = (0..seats)
                .filter(|seat| !draft.before(*seat).is_empty())
                .collect();
            let seat = able[chance.below(u32::try_from(able.len()).unwrap(), &[]) as usize];
            let view = draft.view(seat);
            let place = chance.below(u32::try_from(view.pack.len()).unwrap(), &[]) as usize;
            let act = DraftAct::Pick {
                seat,
                number: view.number,
                place,
            };
            draft.act(act).unwrap();
            acts.push(act);
        }
        let seat = chance.below(u32::try_from(seats).unwrap(), &[]) as usize;
        let views = shown(&packs, &acts, seat);
        let seen: BTreeSet<PoolCard> = views
            .iter()
            .flat_map(|view| {
                view.pack
                    .iter()
                    .chain(&view.pool.cards)
                    .chain(&view.pool.unlimited)
            })
            .copied()
            .collect();
        // All other cards are other ones.
        let mut other = |card: &mut PoolCard| {
            if !seen.contains(card) {
                card.card.card += 100_000;
                hidden += 1;
            }
        };
        let mut changed: Vec<Vec<DraftPack>> = packs.rounds().to_vec();
        for pack in changed.iter_mut().flatten() {
            pack.cards
                .iter_mut()
                .chain(&mut pack.unlimited)
                .for_each(&mut other);
        }
        let twin = Arc::new(DraftPacks::of_rounds(changed, seats));
        assert_eq!(shown(&twin, &acts, seat), views, "seed {seed}");
        // The law would catch somebody who peeks: another seat's view does differ.
        let neighbour = (seat + 1) % seats;
        differed += usize::from(shown(&twin, &acts, neighbour) != shown(&packs, &acts, neighbour));
        let [one, two] = [&packs, &twin].map(|packs| {
            let mut record = DraftRecord::new(Arc::clone(packs), &[DraftPlayer::Person; 12]);
            acts.iter().for_each(|act| record.act(*act).unwrap());
            record.computers_pick(seat, &Ratings::default(), &|_| 1)
        });
        assert_eq!(one, two);
    }
    assert!(hidden > 1000 && differed > 200, "{hidden} {differed}");
}

/// Afterwards each pick is seen again with its pack, and who took every other card of it.
#[test]
fn picks_are_looked_back_at() {
    let packs = Arc::new(DraftPacks::of_rounds(numbered(2, 3, 3, 0), 3));
    let mut record = DraftRecord::new(packs, &[DraftPlayer::Person; 3]);
    let mut taken: BTreeMap<PoolCard, (usize, usize)> = BTreeMap::new();
    for number in 0..6 {
        for seat in 0..3 {
            let view = record.draft().view(seat);
            let place = (seat + number) % view.pack.len();
            taken.insert(view.pack[place], (seat, number % 3 + 1));
            record.act(DraftAct::Pick { seat, number, place }).unwrap();
        }
    }
    for seat in 0..3 {
        let review = record.review(seat);
        assert_eq!(review.len(), 6);
        for (number, pick) in review.iter().enumerate() {
            assert_eq!((pick.round, pick.number), (number / 3 + 1, number % 3 + 1));
            assert_eq!(pick.pack[pick.taken], record.draft().pool(seat).cards[number]);
            for (card, fate) in pick.pack.iter().zip(&pick.fates) {
                let fate = fate.unwrap();
                assert_eq!((fate.seat, fate.number), taken[card]);
            }
        }
    }
}

/// A sealed pool and a draft of computers end in decks by the rules of limited play (P110).
#[test]
fn computers_build_legal_decks() {
    let package = package();
    let boosters = boosters(&package, 3);
    let ratings = Ratings::new(&package, &boosters, None);
    let packs = DraftPacks::of_boosters(&boosters, 4, 11);
    let mut record = DraftRecord::new(Arc::new(packs), &[]);
    record.run_computers(&ratings, &|_| 3);
    assert!(record.draft().is_over());
    let drafted = (0..4).map(|seat| record.draft().pool(seat).clone());
    for pool in drafted.chain(sealed(&boosters, 2, 3)) {
        let built = build(&pool, &ratings, Some(20), &|_| 3);
        assert_eq!(built.iter().map(|(_, count)| count).sum::<u32>(), 20);
        assert!(built.iter().all(|(_, count)| *count <= 3), "{built:?}");
        assert!(pool.playable(&|_| 3) >= 20);
        let present: BTreeMap<CardRef, u32> = counted(pool.cards.iter().map(|card| card.card))
            .into_iter()
            .collect();
        for (card, count) in built {
            assert!(pool.unlimited.contains(&PoolCard::plain(card)) || count <= present[&card]);
        }
    }
}

/// A sealed game is over as it begins: everybody has what they opened, as `sealed` opens it, sees no pack and
/// no card of anybody else, and no computer picks for anybody (P110, P111).
#[test]
fn a_sealed_game_is_a_draft_in_which_nothing_goes_round() {
    let package = package();
    let boosters = boosters(&package, 3);
    let packs = Arc::new(DraftPacks::of_boosters(&boosters, 3, 9));
    let players = [DraftPlayer::Person, DraftPlayer::Person, DraftPlayer::Computer];
    let mut record = DraftRecord::sealed(Arc::clone(&packs), &players);
    let draft = record.draft();
    assert!(draft.is_over());
    assert_eq!(draft.computer_to_pick(), None);
    for (seat, pool) in sealed(&boosters, 3, 9).iter().enumerate() {
        assert_eq!(draft.pool(seat), pool);
        let view = draft.view(seat);
        assert!(view.pack.is_empty() && view.is_over);
        assert_eq!(&view.pool, pool);
    }
    assert_ne!(draft.pool(0), draft.pool(1));
    let pick = DraftAct::Pick {
        seat: 0,
        number: 0,
        place: 0,
    };
    assert!(record.act(pick).is_err() && record.acts().is_empty());
    assert!(record.review(0).is_empty());
}

/// Figures of `balance` come before what is printed, few duels count for little, and where most cards have
/// none they are left alone.
#[test]
fn figures_come_before_what_is_printed() {
    let package = package();
    let printed = Ratings::new(&package, &boosters(&package, 1), None);
    let report = |cards: &[(u32, f64, u64)]| {
        let card = |(n, value, duels): &(u32, f64, u64)| {
            format!(
                "{{\"id\":\"0b000000-0000-4000-8000-{n:012}\",\
                 \"in_hand\":{{\"value\":{value},\"low\":0,\"high\":1,\"n\":{duels}}}}}"
            )
        };
        let cards: Vec<String> = cards.iter().map(card).collect();
        CardFigures::read(&format!("{{\"cards\":[{}]}}", cards.join(",")))
    };
    let card = |n: u32| package.card_by_name(&format!("c{n}")).unwrap();
    let mut all: Vec<(u32, f64, u64)> = (0..30).map(|n| (n, 0.5, 1000)).collect();
    all[3].1 = 0.7;
    all[4] = (4, 1.0, 2);
    let rated = report(&all).unwrap().ratings(&package, &printed).unwrap();
    assert!(rated.of(card(3)) > rated.of(card(4)) && rated.of(card(4)) > rated.of(card(10)));
    assert!(
        rated.of(card(39)) >= rated.of(card(5)),
        "it has no figure of its own"
    );
    let few = report(&all[..3]).unwrap();
    assert_eq!(few.of(&package, card(0)), Some(0.5));
    assert!(few.ratings(&package, &printed).is_none());
    for (text, words) in [
        ("{}", "missing field `cards`"),
        ("{\"cards\":[]}", "no figure of any card"),
        (
            "{\"cards\":[{\"id\":\"x\",\"in_hand\":{\"value\":0.5,\"n\":1}}]}",
            "“x” is no id",
        ),
    ] {
        let refused = CardFigures::read(text).unwrap_err().to_string();
        assert!(refused.contains(words), "{refused}");
    }
    assert!(report(&[(1, 7.0, 3)]).is_err());
}

#[test]
fn a_timer_gives_more_for_more_cards() {
    let timer = PickTimer {
        base: 10,
        per_card: 5,
    };
    assert_eq!((timer.seconds(1), timer.seconds(15)), (15, 85));
}
