//! What holds for any verbs: invariants, determinism, records, and that nothing hidden shows.

mod support;

use cw_table::{CardId, Looker, Record, Seat, Settings, State, Table, Verb};
use support::random::{self, Dice};
use support::{ANN, People, kit};

/// How many verbs: an ordinary test does a slice of what the campaign does.
fn verbs(name: &str, usual: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(usual)
}

fn start(seed: u64) -> People {
    let names = ["Ann", "Ben", "Cay", "Dan"];
    let seats = 1 + (seed % 4) as usize;
    let mut settings = Settings::for_people(&names[..seats]);
    settings.rights = if seed.is_multiple_of(3) {
        cw_table::Rights::Open
    } else {
        cw_table::Rights::Own
    };
    settings.spectators_see_hands = seed.is_multiple_of(5);
    settings.solo = seed.is_multiple_of(11);
    let mut people = People::of(kit(), settings, seed);
    for seat in 0..seats as u8 {
        people.load(Seat(seat), 1 + (seed % 2) as u32);
        people.does(Seat(seat), "draw 4");
    }
    people
}

/// A game of so many verbs; says how many were accepted.
fn play(people: &mut People, dice: &mut Dice, count: u64) -> u64 {
    let mut accepted = 0;
    for _ in 0..count {
        let seat = Seat(dice.below(people.table.state().seats.len() as u64) as u8);
        let verb = random::verb(dice, &people.table, seat);
        match people.table.act(seat, verb.clone()) {
            Ok(_) => accepted += 1,
            Err(cw_table::Refusal::Broken(why)) => panic!("{}: {why}", people.table.write(&verb)),
            Err(_) => {}
        }
    }
    accepted
}

/// F206: whatever is asked for, the invariants hold; `FREE_TABLE_VERBS` says for how many verbs.
#[test]
fn random_verbs_keep_the_invariants() {
    let total = verbs("FREE_TABLE_VERBS", 20_000);
    let mut dice = Dice::new(verbs("FREE_TABLE_SEED", 1));
    let (mut done, mut accepted) = (0, 0);
    while done < total {
        let mut people = start(dice.next() % 1000);
        let count = 500.min(total - done);
        accepted += play(&mut people, &mut dice, count);
        done += count;
        // The verb's own check found nothing; this one is of the state at the end.
        assert_eq!(people.table.state().broken(people.table.kit()), None);
    }
    assert!(
        accepted * 4 > total,
        "only {accepted} of {total} verbs were possible"
    );
}

/// F40: equal seed and equal verbs give equal states; a copy goes on like the original.
#[test]
fn a_copy_goes_on_like_the_original() {
    for seed in 0..6 {
        let mut people = start(seed);
        play(&mut people, &mut Dice::new(seed), 150);
        let mut copy = People {
            table: people.table.clone(),
            told: Vec::new(),
        };
        play(&mut people, &mut Dice::new(seed + 99), 150);
        play(&mut copy, &mut Dice::new(seed + 99), 150);
        assert_eq!(people.table.hash(), copy.table.hash());
        assert_eq!(people.table.state(), copy.table.state());
    }
}

/// F40, F137: a record is played again to the same states, and written again it is the same text.
#[test]
fn records_replay_to_the_byte() {
    for seed in 0..8 {
        let mut people = start(seed);
        play(&mut people, &mut Dice::new(seed), 400);
        let text = Record::write(&people.table);
        let record = Record::read(&text).expect("it was just written");
        let again = record
            .play(people.table.kit())
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(Record::write(&again), text);
        assert_eq!(again.state(), people.table.state());
    }
}

/// Every verb's line is read as the same verb.
#[test]
fn the_notation_is_read_as_it_was_written() {
    for seed in 0..4 {
        let mut people = start(seed);
        let mut dice = Dice::new(seed);
        for _ in 0..1500 {
            let seat = Seat(dice.below(people.table.state().seats.len() as u64) as u8);
            let verb = random::verb(&mut dice, &people.table, seat);
            let accepted = people.table.clone().act(seat, verb.clone()).is_ok();
            let line = people.table.write(&verb);
            if accepted {
                assert_eq!(people.table.parse(seat, &line), Ok(verb.clone()), "{line}");
                let _ = people.table.act(seat, verb);
            }
        }
    }
}

/// F63: what is refused has changed nothing, in no view.
#[test]
fn refused_verbs_change_nothing() {
    for seed in 0..4 {
        let mut people = start(seed);
        let mut dice = Dice::new(seed + 5);
        for _ in 0..800 {
            let seat = Seat(dice.below(people.table.state().seats.len() as u64) as u8);
            let verb = random::verb(&mut dice, &people.table, seat);
            let before = people.table.state().clone();
            let entries = people.table.entries().len();
            if people.table.act(seat, verb).is_err() {
                assert_eq!(*people.table.state(), before);
                assert_eq!(people.table.entries().len(), entries);
            }
        }
    }
}

/// F163, F164: two states that differ only in what somebody does not know stay the same for them, whatever
/// anybody asks for. `FREE_TABLE_PAIRS` says for how many verbs.
#[test]
fn what_is_hidden_does_not_show() {
    let total = verbs("FREE_TABLE_PAIRS", 10_000);
    let mut dice = Dice::new(verbs("FREE_TABLE_SEED", 3));
    let mut people = start(1);
    let (mut compared, mut revealed) = (0u64, 0u64);
    for done in 0..total {
        if done % 400 == 0 {
            people = start(dice.next() % 1000);
        }
        let seats = people.table.state().seats.len() as u64;
        let actor = Seat(dice.below(seats) as u8);
        let verb = random::verb(&mut dice, &people.table, actor);
        if let Some((looker, a, b)) = hidden_pair(&people.table, &mut dice) {
            match same_for(&people.table, looker, a, b, actor, &verb) {
                Verdict::Same => compared += 1,
                Verdict::Revealed => revealed += 1,
                Verdict::Leaked(how) => {
                    panic!(
                        "{} of seat {actor} shows {looker:?} what {a:?} and {b:?} are: {how}",
                        people.table.write(&verb)
                    )
                }
            }
        }
        let _ = people.table.act(actor, verb);
    }
    assert!(
        compared > total / 4,
        "only {compared} verbs were compared, {revealed} revealed something"
    );
}

/// Two cards of different faces that a looker cannot tell apart by anything but their faces.
fn hidden_pair(table: &Table, dice: &mut Dice) -> Option<(Looker, CardId, CardId)> {
    let (kit, state) = (table.kit(), table.state());
    let index = dice.below(state.seats.len() as u64 + 1) as usize;
    let looker = if index == state.seats.len() {
        Looker::Spectators
    } else {
        Looker::Seat(Seat(index as u8))
    };
    let unknown: Vec<CardId> = state
        .cards()
        .map(|(id, _)| id)
        .filter(|id| !state.knows(kit, looker, *id))
        .collect();
    if unknown.len() < 2 {
        return None;
    }
    for _ in 0..8 {
        let a = unknown[dice.below(unknown.len() as u64) as usize];
        let b = unknown[dice.below(unknown.len() as u64) as usize];
        let (one, other) = (state.card(a), state.card(b));
        let same_back = kit.measures(&one.model, 0).name == kit.measures(&other.model, 0).name;
        if one.model != other.model && same_back {
            return Some((looker, a, b));
        }
    }
    None
}

enum Verdict {
    Same,
    Revealed,
    Leaked(String),
}

fn same_for(table: &Table, looker: Looker, a: CardId, b: CardId, actor: Seat, verb: &Verb) -> Verdict {
    let mut one = table.clone();
    let mut other = table.clone();
    other.exchange_faces(a, b);
    if one.view(looker) != other.view(looker) {
        return Verdict::Leaked("the views differ before".to_owned());
    }
    // Going back restores other states than the one that was changed.
    if matches!(
        verb,
        Verb::Undo { .. } | Verb::Redo | Verb::Propose { .. } | Verb::Answer { .. } | Verb::Reset { .. }
    ) {
        return Verdict::Revealed;
    }
    let (first, second) = (one.act(actor, verb.clone()), other.act(actor, verb.clone()));
    let actor_looks = looker == Looker::Seat(actor);
    let knows = |table: &Table| {
        [a, b].iter().any(|id| {
            let card = table.state().cards().find(|(own, _)| own == id);
            card.is_none_or(|_| table.state().knows(table.kit(), looker, *id))
        })
    };
    // Reveals: one of both came to light in one of the states, or a sentence names it.
    let named = |events: &[cw_table::Event]| {
        events
            .iter()
            .flat_map(|event| &event.pieces)
            .any(|piece| match piece {
                cw_table::Piece::Card { to, card, .. } => (*card == a || *card == b) && to.has(looker),
                cw_table::Piece::Only(eyes, text) => {
                    eyes.has(looker)
                        && [a, b]
                            .iter()
                            .any(|id| text.contains(name_of(table.kit(), table.state(), *id)))
                }
                cw_table::Piece::Text(_) => false,
            })
    };
    if knows(&one) || knows(&other) {
        return Verdict::Revealed;
    }
    if [&first, &second]
        .into_iter()
        .flatten()
        .any(|events| named(events))
    {
        return Verdict::Revealed;
    }
    let read = |events: &Result<Vec<cw_table::Event>, cw_table::Refusal>| match events {
        Ok(events) => events
            .iter()
            .filter_map(|event| event.message(looker))
            .map(|message| message.text)
            .collect(),
        // A refusal is told to the actor alone.
        Err(refusal) if actor_looks => vec![refusal.to_string()],
        Err(_) => Vec::new(),
    };
    let (left, right): (Vec<String>, Vec<String>) = (read(&first), read(&second));
    if left != right {
        return Verdict::Leaked(format!("{left:?} or {right:?}"));
    }
    if one.view(looker) != other.view(looker) {
        return Verdict::Leaked("the views differ after".to_owned());
    }
    Verdict::Same
}

fn name_of<'k>(kit: &'k cw_table::Kit, state: &'k State, id: CardId) -> &'k str {
    kit.name(&state.card(id).model, state.card(id).form)
}

/// F40: pinned, so that another platform or another meaning of a verb would show.
#[test]
fn golden_hash() {
    let mut people = start(2);
    play(&mut people, &mut Dice::new(2), 200);
    assert_eq!(people.table.hash().to_string(), GOLDEN);
}

const GOLDEN: &str = "e42a134a98e60c874ed0a84b2ad12b4a";

/// F150: a view holds no face that its looker does not know, in any position.
#[test]
fn views_hold_no_unknown_face() {
    for seed in 0..4 {
        let mut people = start(seed);
        let mut dice = Dice::new(seed);
        for _ in 0..60 {
            play(&mut people, &mut dice, 10);
            let (kit, state) = (people.table.kit(), people.table.state());
            for seat in state.seat_ids() {
                let view = people.table.view(seat);
                for (group, card) in view.cards() {
                    let id = state
                        .by_handle(seat.into(), card.handle)
                        .expect("handles of a view name cards");
                    assert_eq!(state.card(id).group, group);
                    assert_eq!(card.face.is_some(), state.knows(kit, seat, id));
                }
            }
        }
    }
}

/// F151: seats share no handles that would join their views, and one that is given up never comes again.
#[test]
fn handles_never_come_again() {
    let mut people = start(1);
    let mut dice = Dice::new(4);
    let mut last: std::collections::BTreeMap<u32, CardId> = std::collections::BTreeMap::new();
    let mut gone: std::collections::BTreeSet<u32> = std::collections::BTreeSet::new();
    for _ in 0..400 {
        let rewound = people.table.entries().len();
        play(&mut people, &mut dice, 1);
        if people
            .table
            .taken()
            .get(rewound..)
            .is_some_and(|new| new.iter().any(|taken| taken.undone))
        {
            continue;
        }
        let state = people.table.state();
        let now: std::collections::BTreeMap<u32, CardId> = state
            .cards()
            .map(|(id, _)| (state.handle(ANN.into(), id), id))
            .filter(|(handle, _)| *handle != 0)
            .collect();
        if people.table.entries().last().is_some_and(|entry| {
            matches!(
                entry.verb,
                Verb::Undo { .. } | Verb::Redo | Verb::Answer { .. } | Verb::Propose { .. }
            )
        }) {
            // Going back brings the old view back, with its handles.
            gone.clear();
        }
        for handle in now.keys() {
            assert!(!gone.contains(handle), "{handle} came again");
        }
        gone.extend(last.keys().filter(|handle| !now.contains_key(handle)));
        last = now;
    }
}
