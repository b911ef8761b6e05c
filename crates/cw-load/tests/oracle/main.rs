//! The engine against a second reading of the rules: what may be played, joined and blocked, what it
//! costs, and what combat does, on random positions made up and taken from demo duels.

mod abilities;
mod defaults;
mod reading;

use std::path::Path;
use std::sync::Arc;

use cw_duel::{
    CardId, Chance, ChangeCause, CharacterPosition, Choice, CostChange, Decision, Duel, DuelEvent,
    DuelOutcome, DuelPosition, Game, PerSeat, Phase, PlayerPosition, Question, Seat,
};
use cw_load::load;
use cw_octgn::Folder;
use cw_program::{CardType, ClosedWord, CostKind, EventName, Keyword, ModelId, RuleFlag, SubtypeId};
use cw_stage::{game_of, model};
use reading::{Blow, Table};

/// G65, G70, G72, G76, G79–G86, G125, G130–G141, G144, G149–G160, GQ14: made-up tables, played on at
/// random.
#[test]
fn made_up_tables_agree() {
    let game = plain_game();
    let mut seen = Seen::default();
    let tables = count("CARDWRIGHT_TABLES", 2_000);
    for seed in 0..tables {
        let mut dice = Dice(seed);
        let position = made_up(&game, &mut dice);
        let duel = Duel::from_position(Arc::clone(&game), &position).expect("a possible position");
        play(duel, &mut dice, 40, &mut seen, &format!("made-up table {seed}"));
    }
    eprintln!("{tables} made-up tables: {seen:?}");
    let at_least = |compared: usize, each: usize| compared > tables as usize * each / 10;
    assert!(
        at_least(seen.options, 60) && at_least(seen.payments, 10),
        "{seen:?}"
    );
    assert!(
        at_least(seen.united, 1) && at_least(seen.fights, 5) && at_least(seen.blocked, 2),
        "{seen:?}"
    );
}

/// The same on the tables of demo duels, where no card has a say in what is compared.
#[test]
fn tables_of_demo_duels_agree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let game = loaded.game.clone().expect("the demo game can be played");
    let mut seen = Seen::default();
    let duels = count("CARDWRIGHT_DUELS", 100);
    for seed in 0..duels {
        let swap = (seed % 2) as usize;
        let decks = PerSeat([
            loaded.decks[swap].cards.clone(),
            loaded.decks[1 - swap].cards.clone(),
        ]);
        let duel = Duel::new(Arc::clone(&game), &decks, seed).expect("the decks are legal");
        let mut dice = Dice(seed);
        play(
            duel,
            &mut dice,
            usize::MAX,
            &mut seen,
            &format!("demo duel {seed}"),
        );
    }
    eprintln!("{duels} demo duels: {seen:?}");
    let at_least = |compared: usize, each: usize| compared > duels as usize * each;
    assert!(
        at_least(seen.options, 30) && at_least(seen.payments, 5),
        "{seen:?}"
    );
    assert!(at_least(seen.fights, 1) && seen.blocked > 20, "{seen:?}");
}

/// How many to play: more where somebody wants more.
fn count(name: &str, usual: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(usual)
}

/// How much was compared.
#[derive(Debug, Default)]
struct Seen {
    options: usize,
    payments: usize,
    united: usize,
    fights: usize,
    blocked: usize,
}

/// The only randomness of these tests.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

#[track_caller]
fn play(mut duel: Duel, dice: &mut Dice, decisions: usize, seen: &mut Seen, name: &str) {
    for _ in 0..decisions {
        let Some(decision) = duel.pending().cloned() else {
            return;
        };
        if decision.place.is_none() {
            compare_options(&duel, &decision, seen, name);
        }
        // Fights are rare at random: attack, block and pass rather than anything else.
        let eager: Vec<Choice> = decision
            .options
            .iter()
            .copied()
            .filter(|choice| matches!(choice, Choice::Attack(_) | Choice::Join(_) | Choice::Block(_)))
            .collect();
        let choice = if !eager.is_empty() && !dice.one_in(4) {
            dice.pick(&eager)
        } else if decision.options.contains(&Choice::Pass) && dice.one_in(3) {
            Choice::Pass
        } else {
            dice.pick(&decision.options)
        };
        let before = duel.clone();
        let mut events: Vec<DuelEvent> = Vec::new();
        duel.answer(choice, &mut events).expect("it was offered");
        if decision.place.is_none() {
            compare_outcome(&before, &decision, choice, &duel, &events, seen, name);
        }
    }
}

/// Whether a card has a say in one of these events.
fn is_heard(duel: &Duel, events: &[EventName]) -> bool {
    duel.snapshot()
        .listeners
        .iter()
        .any(|listener| listener.events.iter().any(|event| events.contains(event)))
}

const PLAYING: [EventName; 6] = [
    EventName::BeforePayCostCharacter,
    EventName::BeforePayCostAction,
    EventName::BeforePayCostReaction,
    EventName::BeforePlayAc,
    EventName::BeforePlayRe,
    EventName::BackupLimit,
];
const ATTACKING: [EventName; 3] = [
    EventName::BeforeAttack,
    EventName::BeforePayCostUa2,
    EventName::BeforePayCostUa3,
];
const BLOCKING: [EventName; 2] = [EventName::CanBlock, EventName::BeforeBlock];
const FIGHTING: [EventName; 5] = [
    EventName::Blocks,
    EventName::Blocked,
    EventName::PlayerCombatDamaged,
    EventName::CancelCombatDamage,
    EventName::PreventPierce,
];

#[track_caller]
fn compare_options(duel: &Duel, decision: &Decision, seen: &mut Seen, name: &str) {
    let table = Table::new(duel);
    let cards = |which: fn(Choice) -> Option<CardId>| -> Vec<CardId> {
        decision
            .options
            .iter()
            .filter_map(|choice| which(*choice))
            .collect()
    };
    let models = |which: fn(Choice) -> Option<CardId>| -> Vec<ModelId> {
        let mut models: Vec<ModelId> = cards(which)
            .into_iter()
            .filter_map(|card| duel.true_model(card))
            .collect();
        models.sort();
        // Equal cards of which one is known to the opponent are options of their own.
        models.dedup();
        models
    };
    let play = |choice| {
        matches!(choice, Choice::Play(_))
            .then_some(choice)
            .and_then(Choice::card)
    };
    match decision.question {
        Question::Main if !is_heard(duel, &PLAYING) => {
            assert_eq!(models(play), table.plays(decision.seat), "{name}: plays");
            let back_ups = models(|choice| match choice {
                Choice::BackUp(card) => Some(card),
                _ => None,
            });
            assert_eq!(back_ups, table.back_ups(decision.seat), "{name}: back-ups");
        }
        Question::BackUpWhom(card) if !is_heard(duel, &PLAYING) => {
            let hosts = cards(|choice| match choice {
                Choice::Card(card) => Some(card),
                _ => None,
            });
            assert_eq!(hosts, table.hosts(decision.seat, card), "{name}: hosts");
        }
        Question::Attack if !is_heard(duel, &ATTACKING) => {
            let attackers = cards(|choice| match choice {
                Choice::Attack(card) => Some(card),
                _ => None,
            });
            assert_eq!(attackers, table.attackers(), "{name}: attackers");
            let joiners = cards(|choice| match choice {
                Choice::Join(card) => Some(card),
                _ => None,
            });
            let expected: Vec<CardId> = table.joiners().into_iter().map(|(card, _)| card).collect();
            assert_eq!(joiners, expected, "{name}: joiners");
            let cancellable = cards(|choice| match choice {
                Choice::CancelAttack(card) => Some(card),
                _ => None,
            });
            assert_eq!(cancellable, table.cancellable(), "{name}: attacks to cancel");
            assert_eq!(
                decision.options.contains(&Choice::Pass),
                table.may_end_attacks(),
                "{name}: ending the phase"
            );
        }
        Question::JoinWhom(card) if !is_heard(duel, &ATTACKING) => {
            let whom = cards(|choice| match choice {
                Choice::Card(card) => Some(card),
                _ => None,
            });
            let joiners = table.joiners();
            let expected = joiners.into_iter().find(|(joiner, _)| *joiner == card);
            assert_eq!(Some(whom), expected.map(|(_, whom)| whom), "{name}: whom to join");
        }
        Question::CounterAttack => {
            if !is_heard(duel, &PLAYING) {
                assert_eq!(models(play), table.plays(decision.seat), "{name}: reactions");
            }
            if !is_heard(duel, &BLOCKING) {
                let blockers = cards(|choice| match choice {
                    Choice::Block(card) => Some(card),
                    _ => None,
                });
                let expected: Vec<CardId> = table.blockers().into_iter().map(|(card, _)| card).collect();
                assert_eq!(blockers, expected, "{name}: blockers");
            }
            let blocking = cards(|choice| match choice {
                Choice::CancelBlock(card) => Some(card),
                _ => None,
            });
            assert_eq!(blocking, table.blocking(), "{name}: blocks to cancel");
        }
        Question::BlockWhom(card) if !is_heard(duel, &BLOCKING) => {
            let whom = cards(|choice| match choice {
                Choice::Card(card) => Some(card),
                _ => None,
            });
            let blockers = table.blockers();
            let expected = blockers.into_iter().find(|(blocker, _)| *blocker == card);
            assert_eq!(
                Some(whom),
                expected.map(|(_, whom)| whom),
                "{name}: whom to block"
            );
        }
        _ => return,
    }
    seen.options += 1;
}

#[track_caller]
fn compare_outcome(
    before: &Duel,
    decision: &Decision,
    choice: Choice,
    after: &Duel,
    events: &[DuelEvent],
    seen: &mut Seen,
    name: &str,
) {
    let table = Table::new(before);
    match choice {
        Choice::CancelAttack(card) if !is_heard(before, &ATTACKING) => {
            let expected = table.after_cancelling(card);
            assert_eq!(Table::new(after).standing(), expected, "{name}: cancelling");
        }
        // What playing a card adds to SP (G76).
        Choice::Play(_) | Choice::Slot(_) if !is_heard(before, &PLAYING) => {
            let played = events.iter().find_map(|event| match event {
                DuelEvent::Played { card, .. } => Some(card.card),
                _ => None,
            });
            let Some(card) = played else { return };
            let paid = events.iter().find_map(|event| match event {
                DuelEvent::Sp {
                    from,
                    to,
                    cause: ChangeCause::Play(_),
                    ..
                } => Some(to - from),
                _ => None,
            });
            assert_eq!(
                paid.unwrap_or(0),
                table.card_amount(card),
                "{name}: the cost of a card"
            );
            seen.payments += 1;
        }
        Choice::Pass if decision.question == Question::Attack && !is_heard(before, &ATTACKING) => {
            let (_, united) = table.standing();
            let paid = events.iter().find_map(|event| match event {
                DuelEvent::Sp {
                    from,
                    to,
                    cause: ChangeCause::UnitedAttack,
                    ..
                } => Some(to - from),
                _ => None,
            });
            let expected = if united.is_empty() {
                0
            } else {
                table.united_amount(united.len())
            };
            assert_eq!(
                paid.unwrap_or(0),
                expected,
                "{name}: the cost of the United Attack"
            );
            seen.united += usize::from(!united.is_empty());
        }
        Choice::Pass if decision.question == Question::CounterAttack && !is_heard(before, &FIGHTING) => {
            assert_eq!(blows(events), table.combat(), "{name}: combat");
            seen.fights += 1;
            seen.blocked += usize::from(!before.snapshot().blocks.is_empty());
        }
        _ => {}
    }
}

/// Combat as the engine tells it, until something else happens.
fn blows(events: &[DuelEvent]) -> Vec<Blow> {
    let mut blows = Vec::new();
    for event in events {
        match *event {
            DuelEvent::Triggered { .. } | DuelEvent::TurnBegan { .. } => break,
            DuelEvent::PhaseBegan {
                phase: Phase::Cleanup,
            } => break,
            DuelEvent::Frozen { card, frozen: true } => blows.push(Blow::Freezes(card.card)),
            DuelEvent::Bp {
                card,
                from,
                to,
                cause: ChangeCause::Combat(_),
                ..
            } => blows.push(Blow::Bp(card.card, from, to)),
            DuelEvent::Hp {
                seat,
                from,
                to,
                cause: ChangeCause::Combat(_) | ChangeCause::Piercing(_),
                ..
            } => blows.push(Blow::Hp(seat, from, to)),
            DuelEvent::KnockedOut { card } => blows.push(Blow::Falls(card.card)),
            DuelEvent::Ended {
                outcome: DuelOutcome::Won { winner, .. },
            } => blows.push(Blow::Wins(winner)),
            _ => {}
        }
    }
    blows
}

/// Cards without rules: their numbers are what matters.
fn plain_game() -> Arc<Game> {
    let mut dice = Dice(7);
    let mut cards = Vec::new();
    for index in 0..60 {
        let (card_type, name) = match index {
            0..36 => (CardType::Character, format!("character {index}")),
            36..48 => (CardType::Action, format!("action {index}")),
            _ => (CardType::Reaction, format!("reaction {index}")),
        };
        let is_character = card_type == CardType::Character;
        let bp = if is_character {
            100 * (1 + dice.below(15) as i32)
        } else {
            0
        };
        let mut model = model(index, &name, card_type, bp);
        model.sp = dice.below(12) as i32 - if is_character { 4 } else { 9 };
        model.subtype = is_character.then(|| SubtypeId(dice.below(3) as u16));
        model.backups = (0..dice.below(4))
            .map(|_| SubtypeId(dice.below(3) as u16))
            .collect();
        cards.push((model, String::new()));
    }
    game_of(vec!["rope".into(), "bell".into(), "sail".into()], cards)
}

fn made_up(game: &Game, dice: &mut Dice) -> DuelPosition {
    let players = PerSeat::from_fn(|_| player(game, dice));
    let mut rules = Vec::new();
    for flag in RuleFlag::ALL {
        while dice.one_in(7) {
            let whose = [None, Some(Seat::One), Some(Seat::Two)][dice.below(3)];
            let value = match flag {
                RuleFlag::PlayCharBpLimit => 100 * dice.below(16) as i32,
                _ => dice.below(2) as i32,
            };
            rules.push((*flag, whose, value));
        }
    }
    let mut costs = Vec::new();
    while !dice.one_in(3) && costs.len() < 5 {
        let kind = CostKind::ALL[dice.below(CostKind::ALL.len())];
        let value = dice.below(13) as i32 - 6;
        costs.push((
            kind,
            if dice.one_in(3) {
                CostChange::Set(value)
            } else {
                CostChange::Add(value)
            },
        ));
    }
    let active = Seat::from_index(dice.below(2));
    DuelPosition {
        players,
        turn: 5 + active.index() as u16,
        phase: [Phase::Main, Phase::Attack, Phase::Attack][dice.below(3)],
        active,
        first: Seat::One,
        united: Vec::new(),
        blocks: Vec::new(),
        rules,
        costs,
        chance: Chance::seeded(dice.0),
        script: Vec::new(),
    }
}

fn player(game: &Game, dice: &mut Dice) -> PlayerPosition {
    let any = |dice: &mut Dice, count: usize| -> Vec<ModelId> {
        (0..dice.below(count))
            .map(|_| ModelId(dice.below(60) as u16))
            .collect()
    };
    let mut ring = Vec::new();
    for _ in 0..4 {
        ring.push((!dice.one_in(4)).then(|| character(game, dice)));
    }
    let mut keywords = Vec::new();
    for keyword in [Keyword::CantPlayAc, Keyword::CantPlayRe] {
        if dice.one_in(8) {
            keywords.push(keyword);
        }
    }
    PlayerPosition {
        hp: 100 * (1 + dice.below(30) as i32),
        sp: dice.below(16) as i32,
        ring,
        hand: any(dice, 8),
        deck: (0..12).map(|_| ModelId(dice.below(60) as u16)).collect(),
        discards: any(dice, 4),
        removed: any(dice, 4),
        characters_played: dice.below(3) as u8,
        characters_per_turn: 1 + dice.below(2) as u8,
        backups_played: dice.below(2) as u8,
        keywords,
        ..PlayerPosition::new(game)
    }
}

fn character(game: &Game, dice: &mut Dice) -> CharacterPosition {
    let model = ModelId(dice.below(36) as u16);
    let mut character = CharacterPosition::new(model);
    if dice.one_in(2) {
        character.bp = Some(1 + dice.below(1500) as i32);
    }
    character.fresh = dice.one_in(5);
    character.frozen = dice.one_in(5);
    for keyword in Keyword::ALL {
        let on_players = matches!(keyword, Keyword::CantPlayAc | Keyword::CantPlayRe);
        if !on_players && dice.one_in(10) {
            character.keywords.push(*keyword);
        }
    }
    if let Some(icon) = game.model(model).backups.first()
        && dice.one_in(3)
    {
        let fitting = (0..36u16)
            .map(ModelId)
            .find(|model| game.model(*model).subtype == Some(*icon));
        character.backups.extend(fitting);
    }
    character
}
