//! What a card is must not depend on how the engine shuffles: exchanging what the cards are (D50), with
//! every reference carried along (D64), against moving the cards.

use cw_duel::{CardId, Choice, Duel, DuelEvent, PlayerSnapshot, Question, Seat, Snapshot};
use cw_stage::{ByteSource, RandomGame};

/// D64, D6, R601: random scripts with shuffles lead to the same states, questions, options and events in
/// both, up to the names of the cards.
#[test]
fn references_survive_shuffles() {
    let (mut compared, mut shuffles, mut inside) = (0_u64, 0_u64, 0_u64);
    for seed in 0..500 {
        let mut bytes = ByteSource::of_seed(seed);
        let random = RandomGame::read(&mut bytes);
        let text = || random.texts.join("\n--\n");
        let mut duel = Duel::new(random.game.clone(), &random.decks, seed).expect("legal decks");
        let mut oracle = duel.clone();
        oracle.move_cards();
        while let (Some(decision), Some(others)) = (duel.pending(), oracle.pending()) {
            let names = names(&oracle.snapshot(), &duel.snapshot());
            let renamed = |choice: &Choice| renamed_choice(*choice, &names);
            let options: Vec<Choice> = others.options.iter().map(renamed).collect();
            assert_eq!(
                decision.options[..],
                options[..],
                "seed {seed}: {decision:?}\n{}",
                text()
            );
            assert_eq!(
                plain_question(decision.question),
                plain_question(others.question),
                "seed {seed}\n{}",
                text()
            );
            inside += u64::from(decision.place.is_some());
            let at = bytes.below(options.len());
            let (one, other) = (decision.options[at], others.options[at]);
            let mut told = [Vec::<DuelEvent>::new(), Vec::new()];
            duel.answer(one, &mut told[0]).expect("it is offered");
            oracle.answer(other, &mut told[1]).expect("it is offered");
            let [told, others] = told.map(|events| masked(&format!("{events:?}")));
            assert_eq!(told, others, "seed {seed}, {one:?}\n{}", text());
            shuffles += u64::from(told.contains("Shuffled"));
            compare(&duel, &oracle, seed, &text);
            compared += 1;
        }
        assert_eq!(duel.outcome(), oracle.outcome(), "seed {seed}");
    }
    assert!(
        compared > 40_000 && shuffles > 400 && inside > 4_000,
        "{compared} choices, {inside} inside effects, {shuffles} with shuffles"
    );
}

fn compare(duel: &Duel, oracle: &Duel, seed: u64, text: &dyn Fn() -> String) {
    let (snapshot, mut other) = (duel.snapshot(), oracle.snapshot());
    let names = names(&other, &snapshot);
    for (card, name) in names.iter().enumerate() {
        let card = CardId(u8::try_from(card).expect("few cards"));
        if let Some(name) = name {
            assert_eq!(
                oracle.true_model(card),
                duel.true_model(*name),
                "seed {seed}\n{}",
                text()
            );
            for seat in Seat::BOTH {
                assert_eq!(
                    oracle.known_model(seat, card),
                    duel.known_model(seat, *name),
                    "seed {seed}"
                );
            }
        }
    }
    rename(&mut other, &names);
    other.hash = snapshot.hash;
    assert_eq!(snapshot, other, "seed {seed}\n{}", text());
}

/// A text without the names of cards.
fn masked(text: &str) -> String {
    let mut parts = text.split("CardId(");
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_, rest) = part.split_once(')').expect("a number and the end");
        all += "CardId(_)";
        all += rest;
    }
    all
}

/// The question without the cards in it.
fn plain_question(question: Question) -> String {
    masked(&format!("{question:?}"))
}

/// Cards in the order of their places.
fn places(snapshot: &Snapshot) -> Vec<CardId> {
    let mut all = snapshot.table.clone();
    for seat in Seat::BOTH {
        let PlayerSnapshot {
            hand,
            deck,
            discards,
            removed,
            ring,
            ..
        } = &snapshot.players[seat];
        for pile in [hand, deck, discards, removed] {
            all.extend(pile);
        }
        for character in ring.iter().flatten() {
            all.push(character.card);
            all.extend(&character.backups);
        }
    }
    all
}

/// What each card of one duel is called in the other one.
fn names(of: &Snapshot, like: &Snapshot) -> Vec<Option<CardId>> {
    let mut names = vec![None; 256];
    let (of, like) = (places(of), places(like));
    assert_eq!(of.len(), like.len());
    for (card, name) in of.into_iter().zip(like) {
        names[usize::from(card.0)] = Some(name);
    }
    names
}

fn renamed(card: CardId, names: &[Option<CardId>]) -> CardId {
    names[usize::from(card.0)].unwrap_or(card)
}

fn renamed_choice(choice: Choice, names: &[Option<CardId>]) -> Choice {
    let name = |card| renamed(card, names);
    match choice {
        Choice::Play(card) => Choice::Play(name(card)),
        Choice::BackUp(card) => Choice::BackUp(name(card)),
        Choice::Activate(card) => Choice::Activate(name(card)),
        Choice::Attack(card) => Choice::Attack(name(card)),
        Choice::Join(card) => Choice::Join(name(card)),
        Choice::CancelAttack(card) => Choice::CancelAttack(name(card)),
        Choice::Block(card) => Choice::Block(name(card)),
        Choice::CancelBlock(card) => Choice::CancelBlock(name(card)),
        Choice::Card(card) => Choice::Card(name(card)),
        other => other,
    }
}

fn rename(snapshot: &mut Snapshot, names: &[Option<CardId>]) {
    let name = |card: &mut CardId| *card = renamed(*card, names);
    let Snapshot {
        players,
        united,
        blocks,
        table,
        listeners,
        changes,
        queue,
        ..
    } = snapshot;
    for player in &mut players.0 {
        for pile in [
            &mut player.hand,
            &mut player.deck,
            &mut player.discards,
            &mut player.removed,
        ] {
            pile.iter_mut().for_each(name);
        }
        player.knows_of_opposing_hand.iter_mut().for_each(name);
        for character in player.ring.iter_mut().flatten() {
            name(&mut character.card);
            character.backups.iter_mut().for_each(name);
        }
    }
    united.iter_mut().chain(table).for_each(name);
    for (attacker, blocker) in blocks {
        name(attacker);
        name(blocker);
    }
    for listener in listeners {
        name(&mut listener.card);
    }
    for change in changes {
        change.source.iter_mut().for_each(name);
        let subject = change.subject.and_then(cw_duel::DuelObject::as_card);
        if let Some(mut card) = subject {
            name(&mut card);
            change.subject = Some(cw_duel::DuelObject::card(card));
        }
    }
    for queued in queue {
        queued.card.iter_mut().for_each(name);
    }
}
