//! What holds whatever cards do: read off events and states, not off the engine's ways.

use std::fmt::Write as _;
use std::sync::Arc;

use cw_duel::{
    CardId, Chance, Choice, Duel, DuelEvent, DuelPosition, Game, PerSeat, Phase, PlayerPosition, Question,
    Seat, Snapshot, ZoneKind,
};
use cw_program::{Keyword, ModelId, PileName};
use cw_stage::{ByteSource, RandomGame};

/// Plays duels of random rules; `look` sees every decision, and each answer with what it brought.
fn duels(count: u64, mut look: impl FnMut(&Duel, Choice, &[DuelEvent], &Duel)) {
    for seed in 0..count {
        let mut bytes = ByteSource::of_seed(seed.wrapping_add(7_000));
        let random = RandomGame::read(&mut bytes);
        let mut duel = Duel::new(random.game, &random.decks, seed).expect("the decks are legal");
        let mut events = Vec::new();
        while let Some(decision) = duel.pending() {
            let choice = *bytes.pick(&decision.options);
            let before = duel.clone();
            events.clear();
            duel.answer(choice, &mut events).expect("it is offered");
            look(&before, choice, &events, &duel);
        }
    }
}

fn characters(state: &Snapshot) -> impl Iterator<Item = &cw_duel::CharacterSnapshot> {
    Seat::BOTH
        .into_iter()
        .flat_map(|seat| state.players[seat].ring.iter().flatten())
}

/// G104.1, G148, G257, G258, G259, R801, D25: however a keyword has arrived, nobody with `rush` is
/// fresh, nobody with `cantattack` attacks alone or leads, nobody with `cantblock` blocks.
#[test]
fn a_keyword_has_done_its_work_on_arrival() {
    let mut seen = [0_u32; 3];
    duels(250, |_, choice, _, duel| {
        let state = duel.snapshot();
        for character in characters(&state) {
            for (at, (keyword, wrong)) in [
                (Keyword::Rush, character.fresh),
                (Keyword::CantAttack, character.attacks),
                (Keyword::CantBlock, character.blocks),
            ]
            .into_iter()
            .enumerate()
            {
                let has = character.keywords.contains(&keyword);
                seen[at] += u32::from(has);
                assert!(!(has && wrong), "{choice:?}: {keyword} on {character:?}");
            }
        }
    });
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
}

/// G128, G172, G173: a character that leaves the ring goes before its back-ups, and lies below them
/// where all of them went to the same discards and stayed there.
#[test]
fn a_back_up_follows_its_character_and_lies_above_it() {
    let (mut followed, mut above) = (0, 0);
    duels(250, |before, choice, events, after| {
        // A back-up's host: as it was before the answer, or as it was attached on the way.
        let state = before.snapshot();
        let mut hosts: Vec<(CardId, CardId)> = characters(&state)
            .flat_map(|host| host.backups.iter().map(|backup| (*backup, host.card)))
            .collect();
        let moves_of = |wanted: CardId| {
            let moved = move |event: &&DuelEvent| match event {
                DuelEvent::Moved { card, .. } => card.card == wanted,
                _ => false,
            };
            events.iter().filter(moved).count()
        };
        let now = after.snapshot();
        let place = |card: CardId| {
            Seat::BOTH.into_iter().find_map(|seat| {
                let at = now.players[seat]
                    .discards
                    .iter()
                    .position(|other| *other == card)?;
                Some((seat, at))
            })
        };
        for (at, event) in events.iter().enumerate() {
            if let DuelEvent::BackedUp { card, host } = event {
                hosts.push((card.card, host.card));
            }
            let DuelEvent::Moved { card, from, .. } = event else {
                continue;
            };
            if from.zone != ZoneKind::Backup {
                continue;
            }
            let host = hosts.iter().rev().find(|(backup, _)| *backup == card.card);
            let host = host.expect("every back-up has a character").1;
            let left = events[..at].iter().any(|event| {
                matches!(
                    event,
                    DuelEvent::Moved { card, from, .. } if card.card == host && from.zone == ZoneKind::Ring
                )
            });
            let changed = events[at..]
                .iter()
                .any(|event| matches!(event, DuelEvent::Transformed { card, .. } if card.card == host));
            assert!(
                left || changed,
                "{choice:?}: a back-up left before its character: {events:?}"
            );
            followed += 1;
            // Nothing moved either of them again.
            if left
                && (moves_of(card.card), moves_of(host)) == (1, 1)
                && let (Some((of, backup)), Some((seat, character))) = (place(card.card), place(host))
                && of == seat
            {
                assert!(backup < character, "{choice:?}: {events:?}");
                above += 1;
            }
        }
    });
    assert!(
        followed > 100 && above > 100,
        "{followed} back-ups left, {above} lie above"
    );
}

/// The name and id of what an option from a hidden pile is about.
fn face(duel: &Duel, choice: Choice) -> Option<(String, String)> {
    let model = match choice {
        Choice::Copy(model) => model,
        Choice::Card(card) | Choice::Play(card) | Choice::BackUp(card) => duel.true_model(card)?,
        _ => return None,
    };
    let model = duel.game().model(model);
    Some((model.name.to_lowercase(), model.id.to_string()))
}

/// D29: options from hidden piles, the own hand included, stand by (name, id).
#[test]
fn options_from_hidden_piles_stand_by_name() {
    let mut compared = 0;
    duels(150, |duel, _, _, _| {
        let decision = duel.pending().expect("it was answered");
        let hidden = match decision.question {
            Question::Target { pile, .. } => pile.is_some(),
            Question::DiscardCost { .. }
            | Question::Discard { .. }
            | Question::Main
            | Question::CounterAttack => true,
            _ => false,
        };
        let from_removed = |choice: &&Choice| {
            let at = choice.card().and_then(|card| duel.zone_of(card));
            at.is_some_and(|at| at.zone == ZoneKind::Pile(PileName::Removed))
        };
        let options = decision.options.iter().filter(|choice| !from_removed(choice));
        let faces: Vec<_> = options.filter_map(|choice| face(duel, *choice)).collect();
        if hidden {
            compared += usize::from(faces.len() > 1);
            assert!(faces.is_sorted(), "{:?}: {faces:?}", decision.question);
        }
    });
    assert!(compared > 1000, "{compared}");
}

/// A position with these hands; all else is the same.
fn with_hands(
    game: &Arc<Game>,
    decks: &PerSeat<Vec<ModelId>>,
    hands: &PerSeat<Vec<ModelId>>,
    seed: u64,
) -> Duel {
    let mut players = PerSeat([PlayerPosition::new(game), PlayerPosition::new(game)]);
    for seat in Seat::BOTH {
        players[seat].deck = decks[seat].clone();
        players[seat].hand = hands[seat].clone();
        players[seat].sp = 6;
    }
    let position = DuelPosition {
        players,
        turn: 1,
        phase: Phase::Main,
        active: Seat::One,
        first: Seat::One,
        united: Vec::new(),
        blocks: Vec::new(),
        rules: Vec::new(),
        costs: Vec::new(),
        chance: Chance::seeded(seed),
        script: Vec::new(),
    };
    Duel::from_position(Arc::clone(game), &position).expect("a possible position")
}

/// All that lies open and all piles, with hands as sets: what may not depend on a hand's order.
fn told(duel: &Duel) -> String {
    let state = duel.snapshot();
    let models = |cards: &[CardId]| -> Vec<_> { cards.iter().map(|card| duel.true_model(*card)).collect() };
    let mut out = format!(
        "{} {:?} {:?} {:?}",
        state.turn, state.phase, state.outcome, state.chance
    );
    for seat in Seat::BOTH {
        let player = &state.players[seat];
        let mut hand = models(&player.hand);
        hand.sort_unstable();
        let _ = write!(
            out,
            "\n{} {} {hand:?} {:?} {:?} {:?}",
            player.hp,
            player.sp,
            models(&player.deck),
            models(&player.discards),
            models(&player.removed),
        );
        for character in player.ring.iter().flatten() {
            let _ = write!(
                out,
                " [{:?} {} {:?} {:?} {} {} {}]",
                models(&[character.card]),
                character.bp,
                character.ability,
                character.keywords,
                character.fresh,
                character.frozen,
                character.activated,
            );
        }
    }
    let options = duel
        .pending()
        .map(|decision| &decision.options[..])
        .unwrap_or_default();
    for choice in options {
        let card = choice
            .card()
            .map(|card| (duel.true_model(card), duel.zone_of(card), duel.slot_of(card)));
        let kind = std::mem::discriminant(choice);
        let _ = match card {
            Some(card) => write!(out, "\n{kind:?} {card:?}"),
            None => write!(out, "\n{choice:?}"),
        };
    }
    out
}

/// D77, D29: two duels that differ only in the order of the hands go alike, whatever cards do.
#[test]
fn the_order_of_a_hand_changes_nothing() {
    let mut compared = 0;
    for seed in 0..200 {
        let mut bytes = ByteSource::of_seed(seed + 90_000);
        let RandomGame { game, decks, .. } = RandomGame::read(&mut bytes);
        let (mut piles, mut hands) = (PerSeat::from_fn(|_| Vec::new()), PerSeat::from_fn(|_| Vec::new()));
        for seat in Seat::BOTH {
            let (hand, deck) = decks[seat].split_at(decks[seat].len().min(7));
            hands[seat] = hand.to_vec();
            piles[seat] = deck.to_vec();
        }
        let mut other_hands = hands.clone();
        for seat in Seat::BOTH {
            let hand = &mut other_hands[seat];
            for at in (1..hand.len()).rev() {
                hand.swap(at, bytes.below(at + 1));
            }
        }
        let mut duel = with_hands(&game, &piles, &hands, seed);
        let mut twin = with_hands(&game, &piles, &other_hands, seed);
        for step in 0..400 {
            assert_eq!(told(&duel), told(&twin), "seed {seed}, step {step}");
            let Some(decision) = duel.pending() else { break };
            let at = bytes.below(decision.options.len());
            let (one, other) = (
                decision.options[at],
                twin.pending().expect("they go alike").options[at],
            );
            duel.answer_silently(one).expect("it is offered");
            twin.answer_silently(other).expect("it is offered");
            compared += 1;
        }
    }
    assert!(compared > 5_000, "{compared}");
}
