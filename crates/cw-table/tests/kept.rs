//! A table that goes on from what was kept of it is the one that never slept.

mod support;

use std::sync::Arc;

use cw_table::{Actor, FreeRecord, FreeTable, Looker, TableSettings, TableVerb, VerbRefusal};
use support::random::{self, Dice};
use support::{People, kit};

/// The record of the steps after a number, as a host reads it back.
fn rest(table: &FreeTable, from: usize) -> FreeRecord {
    let mut text = FreeRecord::header(table);
    for at in from..table.len() {
        text.push_str(&FreeRecord::line(table, at));
    }
    FreeRecord::read(&text).expect("it is a record")
}

/// A game by chance of two people with decks; wherever it can be kept it is, with the number of its steps.
fn game(seed: u64, steps: usize) -> (FreeTable, Vec<(usize, Vec<u8>)>) {
    let mut table = People::with_decks().table;
    let mut dice = Dice::new(seed);
    let mut kept = Vec::new();
    for _ in 0..steps {
        let actor = match dice.below(12) {
            0 => Actor::Host,
            n => Actor::Seat(cw_table::TableSeat((n % 2) as u8)),
        };
        let verb = match actor {
            Actor::Host => random::of_host(&mut dice, &table),
            Actor::Seat(seat) => random::verb(&mut dice, &table, seat),
        };
        if let Ok(next) = table.prepare(actor, verb) {
            table.commit(next);
            kept.extend(table.kept().map(|state| (table.len(), state)));
        }
    }
    (table, kept)
}

/// F40, F137: from every moment that can be kept the rest leads to the same state, the same views and the
/// same way back, unless the rest itself goes back further: then it is refused, and nothing else.
#[test]
fn what_was_kept_goes_on_as_if_it_never_slept() {
    let (mut went_on, mut went_back) = (0, 0);
    for seed in 0..8 {
        let (table, kept) = game(seed, 160);
        assert!(kept.len() > 10, "seed {seed}: {} moments", kept.len());
        for (number, state) in kept.iter().step_by(5) {
            let record = rest(&table, *number);
            let digest = table.became(number - 1).expect("it is there").hash.to_string();
            let mut late = record
                .going_on(table.kit(), *number, state, &digest)
                .expect("it is what the digest says");
            let past = (*number..table.len()).any(|at| table.went_back_to(at).is_some_and(|to| to < *number));
            let proposed = record
                .lines
                .iter()
                .any(|(_, line, _)| line.starts_with("propose"));
            match record.play_on(&mut late, |_, _, _| ()) {
                Ok(()) => assert!(!past, "seed {seed}, from {number}"),
                Err(why) => {
                    assert!(past || proposed, "seed {seed}, from {number}: {why}");
                    assert!(why.to_string().contains("too far back"), "{why}");
                    went_back += 1;
                    continue;
                }
            }
            went_on += 1;
            assert_eq!((late.len(), late.first()), (table.len(), *number));
            assert_eq!((late.state(), late.hash()), (table.state(), table.hash()));
            assert_eq!(late.taken(), &table.taken()[*number..]);
            assert_eq!(late.settings(), table.settings());
            for seat in table.state().seat_ids() {
                assert_eq!(late.view(seat), table.view(seat));
                assert_eq!(late.has_acted(seat), table.has_acted(seat), "seat {seat}");
            }
            assert_eq!(late.view(Looker::Spectators), table.view(Looker::Spectators));
            for at in *number..=table.len() {
                assert_eq!(late.after(at), table.after(at), "state {at}");
            }
        }
    }
    assert!(
        went_on > 40 && went_back > 0,
        "{went_on} went on, {went_back} went back"
    );
}

/// F131, F132: who goes back further than what is at hand is told so; the same on the whole table is
/// possible.
#[test]
fn what_is_not_at_hand_is_not_taken_back() {
    let mut table = FreeTable::new(kit(), TableSettings::for_seats(1), 7.into());
    let luck = |table: &mut FreeTable| {
        let verb = table
            .parse(cw_table::TableSeat(0), "counter Luck +1")
            .expect("a verb");
        table.act(cw_table::TableSeat(0), verb).expect("it is possible");
    };
    (0..9).for_each(|_| luck(&mut table));
    let state = table.kept().expect("nothing waits");
    let digest = table.hash();
    let going_on = |state: &[u8], hash| {
        let settings = table.settings().clone();
        FreeTable::going_on(Arc::clone(table.kit()), settings, table.seed(), 9, state, hash)
    };
    let mut late = going_on(&state, digest).expect("it is that state");
    luck(&mut late);
    let undo = |steps| TableVerb::Undo { steps };
    assert_eq!(
        late.act(cw_table::TableSeat(0), undo(2)),
        Err(VerbRefusal::FurtherBack)
    );
    assert_eq!(
        late.act(cw_table::TableSeat(0), TableVerb::Propose { step: 4 }),
        Err(VerbRefusal::FurtherBack)
    );
    assert!(late.act(cw_table::TableSeat(0), undo(1)).is_ok());
    assert_eq!(late.state().seats, table.state().seats);
    // What is damaged or of another moment is nothing.
    assert!(going_on(&state[1..], digest).is_none());
    assert!(going_on(&[&state[..], &[0]].concat(), digest).is_none());
    luck(&mut table);
    let later = table.hash();
    let settings = table.settings().clone();
    assert!(FreeTable::going_on(Arc::clone(table.kit()), settings, table.seed(), 9, &state, later).is_none());
    for at in (0..state.len()).step_by(7) {
        let mut damaged = state.clone();
        damaged[at] ^= 0x11;
        let settings = table.settings().clone();
        let found = FreeTable::going_on(
            Arc::clone(table.kit()),
            settings,
            table.seed(),
            9,
            &damaged,
            digest,
        );
        // Only who has acted stands beside the digest, and some bytes mean nothing.
        let same = found.is_none_or(|found| found.state() == &table.after(9));
        assert!(same, "byte {at}");
    }
}
