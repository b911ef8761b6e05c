//! A scenario's beginning becomes a position of the engine.

use std::sync::Arc;

use cw_duel::{
    AbilityNow, CardModel, Chance, CharacterPosition, Duel, DuelEvent, DuelPosition, Game, PlayerPosition,
    PositionFault, Seat,
};
use cw_program::ModelId;
use cw_text::Span;

use crate::names::{self, NamePlace};
use crate::node::{Fields, KIND, POSITION, ScenarioFault, ScenarioNode};
use crate::read::{PlayerSetup, Scenario, ScenarioRandom, ScenarioSetup, keywords};

/// Sets the duel up; events on the way to the first decision go to `events`.
pub(crate) fn start(
    scenario: &Scenario,
    game: &Arc<Game>,
    events: &mut Vec<DuelEvent>,
) -> Result<Duel, ScenarioFault> {
    let position = position(scenario, game)?;
    Duel::from_position_with(Arc::clone(game), &position, events).map_err(|error| {
        let setup = &scenario.setup;
        let span = match error.seat {
            None => scenario.span,
            Some(seat) => {
                let player = &setup.players[seat];
                let slot = error.slot.and_then(|slot| player.ring.get(usize::from(slot)));
                slot.map_or(player.span, |node| node.span)
            }
        };
        let span = if span == Span::default() {
            scenario.span
        } else {
            span
        };
        let whose = match error.seat {
            None => "",
            Some(Seat::One) => "me: ",
            Some(Seat::Two) => "opponent: ",
        };
        let slot = error
            .slot
            .map_or_else(String::new, |slot| format!("slot {}: ", slot + 1));
        let fault = ScenarioFault::new(POSITION, span, format!("{whose}{slot}{}", error.fault));
        if error.fault == PositionFault::TooEarly {
            fault.help("say in which phase the scenario begins: phase = \"attack\"")
        } else if error.fault == PositionFault::NotActive {
            fault.help("say whose turn it is: active = \"opponent\"")
        } else {
            fault
        }
    })
}

fn position(scenario: &Scenario, game: &Game) -> Result<DuelPosition, ScenarioFault> {
    let setup = &scenario.setup;
    let mut position = DuelPosition {
        players: cw_duel::PerSeat([PlayerPosition::new(game), PlayerPosition::new(game)]),
        // The third turn: nobody's first, and of the player who began.
        turn: setup
            .turn
            .unwrap_or(if setup.active == setup.first { 3 } else { 4 }),
        phase: setup.phase,
        active: setup.active,
        first: setup.first,
        united: Vec::new(),
        blocks: Vec::new(),
        rules: setup.flags.clone(),
        costs: setup.costs.clone(),
        chance: Chance::First {
            shuffle: setup.shuffle,
        },
        script: Vec::new(),
    };
    match &setup.random {
        ScenarioRandom::First => {}
        ScenarioRandom::Seed { seed, drawn } => {
            position.chance = Chance::Seeded {
                seed: *seed,
                position: *drawn,
            };
        }
        ScenarioRandom::List(outcomes) => {
            position.chance = Chance::List {
                position: 0,
                shuffle: setup.shuffle,
            };
            position.script.clone_from(outcomes);
        }
    }
    for seat in Seat::BOTH {
        fill_player(&mut position.players[seat], &setup.players[seat], game)?;
    }
    place_fight(&mut position, setup, game)?;
    Ok(position)
}

fn fill_player(player: &mut PlayerPosition, setup: &PlayerSetup, game: &Game) -> Result<(), ScenarioFault> {
    let models = |names: &[(String, Span)]| -> Result<Vec<ModelId>, ScenarioFault> {
        names
            .iter()
            .map(|(name, span)| names::card(game, name, NamePlace::Pile, *span))
            .collect()
    };
    player.hp = setup.hp.unwrap_or(player.hp);
    player.sp = setup.sp.unwrap_or(player.sp);
    player.hand = models(&setup.hand)?;
    player.deck = match &setup.deck {
        Some(deck) => models(deck)?,
        None => filler(game),
    };
    player.discards = models(&setup.discards)?;
    player.removed = models(&setup.removed)?;
    player.characters_played = setup.characters_played.unwrap_or(0);
    player.characters_per_turn = setup.characters_per_turn.unwrap_or(player.characters_per_turn);
    player.backups_played = setup.backups_played.unwrap_or(0);
    player.nc_damaged = setup.nc_damaged;
    player.lost_sp = setup.lost_sp.unwrap_or(0);
    player.skips.clone_from(&setup.skips);
    player.extra_turns = setup.extra_turns.unwrap_or(0);
    player.keywords.clone_from(&setup.keywords);
    for node in &setup.ring {
        place_character(player, node, game)?;
    }
    Ok(())
}

/// Ten cards that do nothing: the first character without a rule. So nobody loses for want of cards.
fn filler(game: &Game) -> Vec<ModelId> {
    let plain = |model: &&(ModelId, &CardModel)| {
        model.1.is_character() && model.1.program.is_none() && model.1.text.is_empty()
    };
    let all: Vec<(ModelId, &CardModel)> = game.numbered().collect();
    let model = all.iter().find(plain).or(all.first());
    model.map_or_else(Vec::new, |(model, _)| vec![*model; 10])
}

fn place_character(
    player: &mut PlayerPosition,
    node: &ScenarioNode,
    game: &Game,
) -> Result<(), ScenarioFault> {
    let Some(table) = names::character(game, node)? else {
        player.ring.push(None);
        return Ok(());
    };
    let (slot, character) = character(&table, game)?;
    let Some(slot) = slot else {
        player.ring.push(Some(character));
        return Ok(());
    };
    // An explicit slot: those before it that are still missing are empty.
    while player.ring.len() <= slot {
        player.ring.push(None);
    }
    if let Some(other) = &player.ring[slot] {
        let name = &game.model(other.model).name;
        let message = format!("slot {} already holds “{name}”", slot + 1);
        return Err(ScenarioFault::new(POSITION, node.span, message));
    }
    player.ring[slot] = Some(character);
    Ok(())
}

fn character(table: &ScenarioNode, game: &Game) -> Result<(Option<usize>, CharacterPosition), ScenarioFault> {
    let mut fields = Fields::of(table)?;
    let Some(card) = fields.get("card") else {
        return Err(ScenarioFault::new(
            KIND,
            table.span,
            "which card? `card` is missing",
        ));
    };
    let mut character = CharacterPosition::new(names::card(game, card.text()?, NamePlace::Ring, card.span)?);
    let slot = match fields.get("slot") {
        None => None,
        Some(node) => {
            let slot: usize = node.number()?;
            let limit = usize::from(game.constants.ring_slots);
            if slot == 0 || slot > limit {
                let message = format!("a ring has the slots 1 to {limit}");
                return Err(ScenarioFault::new(POSITION, node.span, message));
            }
            Some(slot - 1)
        }
    };
    character.bp = fields.get("bp").map(ScenarioNode::number).transpose()?;
    for (key, mark) in [
        ("fresh", &mut character.fresh),
        ("frozen", &mut character.frozen),
        ("activated", &mut character.activated),
        ("attacks", &mut character.attacks),
    ] {
        if let Some(node) = fields.get(key) {
            *mark = node.bool()?;
        }
    }
    if let Some(node) = fields.get("abilities") {
        character.keywords = keywords(node)?;
    }
    if let Some(node) = fields.get("backups") {
        let names = crate::read::cards(node)?;
        character.backups = names
            .iter()
            .map(|(name, span)| names::card(game, name, NamePlace::Ring, *span))
            .collect::<Result<_, _>>()?;
    }
    if let Some(node) = fields.get("ability") {
        character.ability = match node.text()? {
            "none" | "" => AbilityNow::Lost,
            name => AbilityNow::Of(names::card(game, name, NamePlace::Ring, node.span)?),
        };
    }
    fields.finish()?;
    Ok((slot, character))
}

/// `united` and `blocks` name characters of the rings.
fn place_fight(position: &mut DuelPosition, setup: &ScenarioSetup, game: &Game) -> Result<(), ScenarioFault> {
    let active = setup.active;
    let find =
        |position: &DuelPosition, seat: Seat, (name, span): &(String, Span)| -> Result<u8, ScenarioFault> {
            let (name, wanted_slot) = split_slot(name);
            let models = names::cards(game, name, *span)?;
            let ring = &position.players[seat].ring;
            let found = (0_u8..).zip(ring).find(|(slot, character)| {
                character
                    .as_ref()
                    .is_some_and(|character| models.contains(&character.model))
                    && wanted_slot.is_none_or(|wanted| wanted == usize::from(*slot))
            });
            found.map(|(slot, _)| slot).ok_or_else(|| {
                let message = format!("“{name}” is not in the ring");
                ScenarioFault::new(POSITION, *span, message)
            })
        };
    for name in &setup.united {
        let slot = find(position, active, name)?;
        position.united.push(slot);
    }
    for (blocker, attacker) in &setup.blocks {
        let attacker = find(position, active, attacker)?;
        let blocker = find(position, active.other(), blocker)?;
        position.blocks.push((attacker, blocker));
    }
    Ok(())
}

/// `Name in slot 2` is the name and the slot, from 0.
pub(crate) fn split_slot(text: &str) -> (&str, Option<usize>) {
    let split = text.rsplit_once(" in slot ").and_then(|(name, slot)| {
        let slot: usize = slot.trim().parse().ok()?;
        Some((name, Some(slot.checked_sub(1)?)))
    });
    split.unwrap_or((text, None))
}
