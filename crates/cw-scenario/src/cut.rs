//! A scenario file cut out of a duel: the position at the last decision that can be written down, and
//! the choices from there on.

use std::fmt::Write as _;

use cw_duel::{
    Chance, ChangedThing, CharacterSnapshot, Choice, CostChange, Duel, Lasts, Question, Seat, Snapshot,
};
use cw_program::{ClosedWord, ModelId};
use serde_json::Value;

use crate::expect::quoted;
use crate::run::{RunOptions, run};
use crate::state::{labels, seat_word, state};
use crate::{bless, names, read};

/// Why a duel cannot be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CutError {
    /// Nothing that was tried leads to the same state.
    #[error(
        "this cannot be written as a scenario: \
         effects are in force that no position can say, from the first turn on"
    )]
    Inexpressible,
    /// There are no choices to write down.
    #[error("there is no choice to write down")]
    Empty,
}

/// A scenario file that begins at the latest decision from which it leads to the last state, and
/// makes all choices from there. `states` are the duel before each choice and after the last one.
/// What the last choice changes is expected.
///
/// The text has been run: it passes, and ends in the last state.
///
/// # Errors
/// If there is nothing to cut, or no position before leads to the same state.
pub fn cut(states: &[Duel], choices: &[Choice], name: &str) -> Result<String, CutError> {
    let count = choices.len().min(states.len().saturating_sub(1));
    let Some(goal) = states.get(count).filter(|_| count > 0) else {
        return Err(CutError::Empty);
    };
    let goal = comparable(&state(goal));
    for from in (0..count).rev() {
        let begins = states[from]
            .pending()
            .is_some_and(|decision| matches!(decision.question, Question::Main | Question::Attack));
        if !begins {
            continue;
        }
        let Some(text) = written(&states[from..count], &choices[from..count], name) else {
            continue;
        };
        if let Some(text) = verified(&text, &states[from], &goal) {
            return Ok(text);
        }
    }
    Err(CutError::Inexpressible)
}

/// The text with what happens filled in, if it passes and leads to the goal.
fn verified(text: &str, duel: &Duel, goal: &Value) -> Option<String> {
    let options = RunOptions {
        record: true,
        bless: true,
    };
    let scenario = read(text).ok()?.scenarios.into_iter().next()?;
    let report = run(&scenario, duel.game(), options);
    let end = report.steps.last()?.state.as_ref()?;
    if report.failure.is_some() || comparable(end) != *goal {
        return None;
    }
    let (filled, _) = bless(text, [&report]);
    // A choice may change nothing but what is asked next.
    let asked = end.get("asked").and_then(Value::as_str).unwrap_or("me");
    let filled = filled.replace(
        "expect = {} }",
        &format!("expect = {{ asked = {} }} }}", quoted(asked)),
    );
    let scenario = read(&filled).ok()?.scenarios.into_iter().next()?;
    let again = run(&scenario, duel.game(), RunOptions::default());
    again.failure.is_none().then_some(filled)
}

/// The state without what no position can say and no rule looks at: its digest, the order of
/// listeners, who made a change that outlives its maker, and what a player remembers.
fn comparable(state: &Value) -> Value {
    let mut state = state.clone();
    let Some(entries) = state.as_object_mut() else {
        return state;
    };
    entries.remove("hash");
    for seat in Seat::BOTH {
        if let Some(player) = entries.get_mut(seat_word(seat)).and_then(Value::as_object_mut) {
            player.remove("knows");
        }
    }
    for key in ["listeners", "changes"] {
        let Some(list) = entries.get_mut(key).and_then(Value::as_array_mut) else {
            continue;
        };
        for change in list.iter_mut() {
            let lasts = change.get("lasts").and_then(Value::as_str);
            let outlives = matches!(lasts, Some("for the rest of the duel" | "with its subject"));
            if let Some(change) = change.as_object_mut().filter(|_| outlives) {
                change.remove("source");
            }
        }
        list.sort_by_key(ToString::to_string);
    }
    state
}

/// The file; `None` without a state.
fn written(states: &[Duel], choices: &[Choice], name: &str) -> Option<String> {
    let duel = states.first()?;
    let snapshot = duel.snapshot();
    let mut out = String::new();
    let phase = snapshot.phase.name().to_lowercase();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "[[scenario]]\nname = {}", quoted(name));
    let _ = writeln!(out, "turn = {}\nphase = {}", snapshot.turn, quoted(&phase));
    let _ = writeln!(out, "active = {}", quoted(seat_word(snapshot.active)));
    let _ = writeln!(out, "first = {}", quoted(seat_word(snapshot.first)));
    if let Chance::Seeded { seed, position } = snapshot.chance {
        // A number of TOML has 63 bits.
        let small = seed.number().and_then(|number| i64::try_from(number).ok());
        let seed = small.map_or_else(|| quoted(&seed.to_string()), |number| number.to_string());
        let _ = writeln!(out, "seed = {seed}\ndrawn = {position}");
    }
    for seat in Seat::BOTH {
        player(&mut out, duel, &snapshot, seat);
    }
    changes(&mut out, &snapshot);
    if !snapshot.united.is_empty() {
        let names: Vec<String> = snapshot
            .united
            .iter()
            .map(|card| quoted(&in_the_ring(duel, &snapshot, *card)))
            .collect();
        let _ = writeln!(out, "united = [{}]", names.join(", "));
    }
    let _ = writeln!(out, "steps = [");
    for (at, (duel, choice)) in states.iter().zip(choices).enumerate() {
        let expect = if at + 1 == choices.len() {
            ", expect = {}"
        } else {
            ""
        };
        let (answer, comment) = answer(duel, *choice)?;
        let _ = writeln!(out, "  {{ choose = {answer}{expect} }},{comment}");
    }
    let _ = writeln!(out, "]");
    Some(out)
}

/// An option in words, or by its place with the words behind it where they fit several.
fn answer(duel: &Duel, choice: Choice) -> Option<(String, String)> {
    let decision = duel.pending()?;
    let labels = labels(duel, decision);
    let at = decision.options.iter().position(|option| *option == choice)?;
    let label = &labels[at];
    let same = labels
        .iter()
        .filter(|other| other.to_lowercase() == label.to_lowercase());
    if same.count() == 1 {
        Some((quoted(label), String::new()))
    } else {
        Some(((at + 1).to_string(), format!(" # {label}")))
    }
}

fn player(out: &mut String, duel: &Duel, snapshot: &Snapshot, seat: Seat) {
    let who = seat_word(seat);
    let player = &snapshot.players[seat];
    let name = |model: ModelId| quoted(names::unambiguous_name(duel.game(), model));
    let cards = |cards: &[cw_duel::CardId]| -> String {
        let models = cards.iter().filter_map(|card| duel.true_model(*card));
        models.map(name).collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(out, "{who}.hp = {}\n{who}.sp = {}", player.hp, player.sp);
    let ring = player.ring.iter().enumerate();
    let ring: Vec<String> = ring
        .filter_map(|(slot, fighter)| Some(character(duel, snapshot, slot, fighter.as_ref()?)))
        .collect();
    if !ring.is_empty() {
        let _ = writeln!(out, "{who}.ring = [\n  {},\n]", ring.join(",\n  "));
    }
    let piles = [
        ("hand", &player.hand),
        ("deck", &player.deck),
        ("discards", &player.discards),
        ("removed", &player.removed),
    ];
    for (pile, list) in piles {
        // A deck that is left out would be filled up.
        if !list.is_empty() || pile == "deck" {
            let _ = writeln!(out, "{who}.{pile} = [{}]", cards(list));
        }
    }
    let usual = i32::from(duel.game().constants.characters_per_turn);
    let numbers = [
        ("characters-played", i32::from(player.characters_played), 0),
        (
            "characters-per-turn",
            i32::from(player.characters_per_turn),
            usual,
        ),
        ("backups-played", i32::from(player.backups_played), 0),
        ("lost-sp", player.lost_sp, 0),
        ("extra-turns", i32::from(player.extra_turns), 0),
    ];
    for (key, number, usual) in numbers {
        if number != usual {
            let _ = writeln!(out, "{who}.{key} = {number}");
        }
    }
    if player.nc_damaged {
        let _ = writeln!(out, "{who}.non-combat-damaged = true");
    }
    if !player.skips.is_empty() {
        let skips: Vec<String> = player
            .skips
            .iter()
            .map(|phase| quoted(&phase.name().to_lowercase()))
            .collect();
        let _ = writeln!(out, "{who}.skips = [{}]", skips.join(", "));
    }
    let given = given(snapshot, cw_duel::DuelObject::player(seat));
    if !given.is_empty() {
        let _ = writeln!(out, "{who}.abilities = [{}]", given.join(", "));
    }
}

/// Keywords that were given to a card or player and stay with it.
fn given(snapshot: &Snapshot, subject: cw_duel::DuelObject) -> Vec<String> {
    let of_subject = snapshot.changes.iter().filter(|change| {
        change.subject == Some(subject) && matches!(change.lasts, Lasts::WithSubject | Lasts::Forever)
    });
    of_subject
        .filter_map(|change| match change.what {
            ChangedThing::Given(keyword) => Some(quoted(keyword.word())),
            ChangedThing::Suppressed(_)
            | ChangedThing::Rule(..)
            | ChangedThing::Cost(..)
            | ChangedThing::Bp(_)
            | ChangedThing::AbilityBefore(_)
            | ChangedThing::FormBefore(_) => None,
        })
        .collect()
}

fn character(duel: &Duel, snapshot: &Snapshot, slot: usize, fighter: &CharacterSnapshot) -> String {
    let game = duel.game();
    let model = duel.true_model(fighter.card);
    let name = |model: ModelId| quoted(names::unambiguous_name(game, model));
    let own = model.map(name).unwrap_or_default();
    let mut parts = vec![
        format!("card = {own}"),
        format!("slot = {}", slot + 1),
        format!("bp = {}", fighter.bp),
    ];
    let in_united = snapshot.united.contains(&fighter.card);
    for (holds, word) in [
        (fighter.fresh, "fresh"),
        (fighter.frozen, "frozen"),
        (fighter.activated, "activated"),
        (fighter.attacks && !in_united, "attacks"),
    ] {
        if holds {
            parts.push(format!("{word} = true"));
        }
    }
    let given = given(snapshot, cw_duel::DuelObject::card(fighter.card));
    if !given.is_empty() {
        parts.push(format!("abilities = [{}]", given.join(", ")));
    }
    if !fighter.backups.is_empty() {
        let backups: Vec<String> = fighter
            .backups
            .iter()
            .filter_map(|card| duel.true_model(*card))
            .map(name)
            .collect();
        parts.push(format!("backups = [{}]", backups.join(", ")));
    }
    if fighter.ability != model {
        let ability = fighter.ability.map_or_else(|| quoted("none"), name);
        parts.push(format!("ability = {ability}"));
    }
    format!("{{ {} }}", parts.join(", "))
}

/// Rules and costs that are changed for good.
fn changes(out: &mut String, snapshot: &Snapshot) {
    for change in &snapshot.changes {
        if change.lasts != Lasts::Forever {
            continue;
        }
        match change.what {
            ChangedThing::Rule(flag, value) => {
                let whose = change.subject.and_then(cw_duel::DuelObject::as_player);
                let whose = whose.map_or_else(String::new, |seat| format!("{}.", seat_word(seat)));
                let value = match flag {
                    cw_program::RuleFlag::PlayCharBpLimit => value.to_string(),
                    _ => (value != 0).to_string(),
                };
                let _ = writeln!(out, "{whose}flags.{} = {value}", flag.word());
            }
            ChangedThing::Cost(kind, CostChange::Set(value)) => {
                let _ = writeln!(out, "costs.{} = \"={value}\"", kind.word());
            }
            ChangedThing::Cost(kind, CostChange::Add(value)) => {
                let _ = writeln!(out, "costs.{} = {value}", kind.word());
            }
            ChangedThing::Given(_)
            | ChangedThing::Suppressed(_)
            | ChangedThing::Bp(_)
            | ChangedThing::AbilityBefore(_)
            | ChangedThing::FormBefore(_) => {}
        }
    }
}

/// The name, with the slot where two characters of the active player's ring have it.
fn in_the_ring(duel: &Duel, snapshot: &Snapshot, card: cw_duel::CardId) -> String {
    let model = duel.true_model(card);
    let name = model.map_or("", |model| names::unambiguous_name(duel.game(), model));
    let ring = snapshot.players[snapshot.active].ring.iter().flatten();
    let same = ring.filter(|other| duel.true_model(other.card) == model).count();
    match duel.slot_of(card).filter(|_| same > 1) {
        Some(slot) => format!("{name} in slot {}", slot + 1),
        None => name.to_owned(),
    }
}
