//! A duel as one player sees it, as JSON: what `cardwright replay --view` prints.

use cw_duel::{CardId, CardView, CharacterView, Duel, DuelView, Game, PlayerView, Seat};
use cw_program::{ClosedWord, ModelId};
use cw_words::EventReader;
use serde_json::{Value, json};

/// The view of a seat, as [`seen_json`]; with the decision, if the seat is asked: its question and
/// every option in words.
pub fn view_json(duel: &Duel, seat: Seat) -> Value {
    let view = duel.view(seat);
    let reader = EventReader {
        duel,
        seat: Some(seat),
    };
    let mut value = seen_json(&view, duel.game());
    value["decision"] = view.decision.as_ref().map_or(Value::Null, |decision| {
        let options = decision.options.iter();
        json!({
            "question": cw_words::question(reader, decision),
            "options": options.map(|choice| cw_words::choice(reader, decision, *choice)).collect::<Vec<_>>(),
        })
    });
    value
}

/// What a view holds, with cards by name; `null` is a card that the seat does not know. Players are
/// 1 and 2.
pub fn seen_json(view: &DuelView, game: &Game) -> Value {
    let number = |seat: Seat| seat.index() + 1;
    // Whoever attacks or blocks stands in a ring.
    let fighter = |card: CardId| {
        let rings = view
            .players
            .0
            .iter()
            .flat_map(|player| player.ring.iter().flatten());
        let mut fighters = rings.filter(|fighter| fighter.card == card);
        name(game, fighters.next().map(|fighter| fighter.model))
    };
    let blocks = view.blocks.iter();
    json!({
        "seat": number(view.seat),
        "turn": view.turn,
        "phase": view.phase.name().to_lowercase(),
        "active": number(view.active),
        "first": number(view.first),
        "players": Seat::BOTH.map(|whose| player(game, view, whose)),
        "united": view.united.iter().map(|member| fighter(*member)).collect::<Vec<_>>(),
        "blocks": blocks
            .map(|(attacker, blocker)| json!({
                "attacker": fighter(*attacker),
                "blocker": fighter(*blocker),
            }))
            .collect::<Vec<_>>(),
        "table": names(game, &view.table),
        "asked": view.to_decide.map(number),
        "over": view.outcome.is_some(),
    })
}

fn player(game: &Game, view: &DuelView, whose: Seat) -> Value {
    let PlayerView {
        hp,
        sp,
        characters,
        backups,
        nc_damaged,
        extra_turns,
        skips,
        keywords,
        ring,
        hand,
        deck,
        discards,
        removed,
    } = &view.players[whose];
    let deck: Vec<Value> = deck.iter().map(|model| name(game, *model)).collect();
    let ring = ring.iter();
    json!({
        "hp": hp,
        "sp": sp,
        "characters-played": characters.0,
        "characters-per-turn": characters.1,
        "backups-played": backups,
        "non-combat-damaged": nc_damaged,
        "extra-turns": extra_turns,
        "skips": skips.iter().map(|phase| phase.name().to_lowercase()).collect::<Vec<_>>(),
        "abilities": keywords.iter().map(|keyword| keyword.word()).collect::<Vec<_>>(),
        "ring": ring
            .map(|fighter| fighter.as_ref().map(|fighter| character(game, fighter)))
            .collect::<Vec<_>>(),
        "hand": names(game, hand),
        "deck": deck,
        "discards": names(game, discards),
        "removed": names(game, removed),
    })
}

fn character(game: &Game, fighter: &CharacterView) -> Value {
    json!({
        "card": name(game, Some(fighter.model)),
        "number": fighter.card.0,
        "bp": fighter.bp,
        "ability": name(game, fighter.ability),
        "fresh": fighter.fresh,
        "frozen": fighter.frozen,
        "activated": fighter.activated,
        "attacks": fighter.attacks,
        "follows": fighter.follows,
        "blocks": fighter.blocks,
        "abilities": fighter.keywords.iter().map(|keyword| keyword.word()).collect::<Vec<_>>(),
        "backups": names(game, &fighter.backups),
    })
}

fn names(game: &Game, cards: &[CardView]) -> Vec<Value> {
    cards.iter().map(|card| name(game, card.model)).collect()
}

fn name(game: &Game, model: Option<ModelId>) -> Value {
    model.map_or(Value::Null, |model| (*game.model(model).name).into())
}
