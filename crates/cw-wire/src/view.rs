//! A duel as one player sees it, as JSON: what `cardwright replay --view` prints.

use cw_duel::{CardView, CharacterView, Duel, PlayerView, Seat, View};
use cw_program::{ModelId, Word};
use cw_words::Reader;
use serde_json::{Value, json};

/// The view of a seat, with cards by name; `null` is a card that the seat does not know. Players are
/// 1 and 2. With the decision, if the seat is asked: its question and every option in words.
pub fn view_json(duel: &Duel, seat: Seat) -> Value {
    let view = duel.view(seat);
    let reader = Reader {
        duel,
        seat: Some(seat),
    };
    let number = |seat: Seat| seat.index() + 1;
    let card = |card: cw_duel::CardId| reader.card(card);
    let decision = view.decision.as_ref().map(|decision| {
        let options = decision.options.iter();
        json!({
            "question": cw_words::question(reader, decision),
            "options": options.map(|choice| cw_words::choice(reader, decision, *choice)).collect::<Vec<_>>(),
        })
    });
    let blocks = view.blocks.iter();
    json!({
        "seat": number(seat),
        "turn": view.turn,
        "phase": view.phase.name().to_lowercase(),
        "active": number(view.active),
        "first": number(view.first),
        "players": Seat::BOTH.map(|whose| player(reader, &view, whose)),
        "united": view.united.iter().map(|member| card(*member)).collect::<Vec<_>>(),
        "blocks": blocks
            .map(|(attacker, blocker)| json!({ "attacker": card(*attacker), "blocker": card(*blocker) }))
            .collect::<Vec<_>>(),
        "table": names(reader, &view.table),
        "asked": view.to_decide.map(number),
        "decision": decision,
        "over": view.outcome.is_some(),
    })
}

fn player(reader: Reader<'_>, view: &View, whose: Seat) -> Value {
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
    let deck: Vec<Value> = deck.iter().map(|model| name(reader, *model)).collect();
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
        "ring": ring.map(|fighter| fighter.as_ref().map(|fighter| character(reader, fighter))).collect::<Vec<_>>(),
        "hand": names(reader, hand),
        "deck": deck,
        "discards": names(reader, discards),
        "removed": names(reader, removed),
    })
}

fn character(reader: Reader<'_>, fighter: &CharacterView) -> Value {
    json!({
        "card": reader.model(fighter.model),
        "number": fighter.card.0,
        "bp": fighter.bp,
        "ability": name(reader, fighter.ability),
        "fresh": fighter.fresh,
        "frozen": fighter.frozen,
        "activated": fighter.activated,
        "attacks": fighter.attacks,
        "follows": fighter.follows,
        "blocks": fighter.blocks,
        "abilities": fighter.keywords.iter().map(|keyword| keyword.word()).collect::<Vec<_>>(),
        "backups": names(reader, &fighter.backups),
    })
}

fn names(reader: Reader<'_>, cards: &[CardView]) -> Vec<Value> {
    cards.iter().map(|card| name(reader, card.model)).collect()
}

fn name(reader: Reader<'_>, model: Option<ModelId>) -> Value {
    model.map_or(Value::Null, |model| reader.model(model).into())
}
