//! The complete state of a duel as JSON: what `scenario run --json` prints and what `expect` is
//! compared with.

use cw_duel::{
    CardId, Chance, ChangeSnapshot, ChangedThing, CharacterSnapshot, CostChange, Decision, Duel, DuelObject,
    DuelOutcome, Lasts, PlayerSnapshot, Seat, Snapshot, WinReason,
};
use cw_program::ClosedWord;
use cw_words::EventReader;
use serde_json::{Map, Value, json};

/// `me` is the first player, `opponent` the second.
pub(crate) fn seat_word(seat: Seat) -> &'static str {
    match seat {
        Seat::One => "me",
        Seat::Two => "opponent",
    }
}

fn phase_word(phase: cw_duel::Phase) -> String {
    phase.name().to_lowercase()
}

/// The complete true state as JSON, with the question that waits: what `scenario run --json` prints.
///
/// # Panics
/// Never.
pub fn state(duel: &Duel) -> Value {
    let snapshot = duel.snapshot();
    let names = StateNames {
        duel,
        snapshot: &snapshot,
    };
    let (winner, won_by) = outcome(snapshot.outcome);
    let mut state = json!({
        "turn": snapshot.turn,
        "phase": phase_word(snapshot.phase),
        "active": seat_word(snapshot.active),
        "first": seat_word(snapshot.first),
        "winner": winner,
        "won-by": won_by,
        "united": names.all(&snapshot.united),
        "blocks": blocks(names),
        "table": names.all(&snapshot.table),
        "listeners": listeners(names),
        "changes": snapshot.changes.iter().map(|change| self::change(names, change)).collect::<Vec<_>>(),
        "queue": queue(names),
        "chance": chance(snapshot.chance),
        "hash": snapshot.hash.to_string(),
    });
    let entries = state.as_object_mut().expect("made as an object");
    for seat in Seat::BOTH {
        entries.insert(seat_word(seat).into(), player(names, &snapshot.players[seat]));
    }
    entries.extend(question(duel));
    state
}

#[derive(Clone, Copy)]
struct StateNames<'a> {
    duel: &'a Duel,
    snapshot: &'a Snapshot,
}

impl StateNames<'_> {
    fn model(self, model: cw_program::ModelId) -> String {
        self.duel.game().model(model).name.to_string()
    }

    fn card(self, card: CardId) -> String {
        let model = self.duel.true_model(card);
        model.map_or_else(String::new, |model| self.model(model))
    }

    fn all(self, cards: &[CardId]) -> Vec<String> {
        cards.iter().map(|card| self.card(*card)).collect()
    }

    /// The name, with the slot where two characters of the ring have it.
    fn character(self, card: CardId) -> String {
        let name = self.card(card);
        for seat in Seat::BOTH {
            let ring = &self.snapshot.players[seat].ring;
            let stands = |other: &Option<CharacterSnapshot>| {
                other.as_ref().is_some_and(|other| self.card(other.card) == name)
            };
            let at = ring
                .iter()
                .position(|other| other.as_ref().is_some_and(|other| other.card == card));
            if let Some(slot) = at
                && ring.iter().filter(|other| stands(other)).count() > 1
            {
                return format!("{name} in slot {}", slot + 1);
            }
        }
        name
    }

    fn object(self, object: DuelObject) -> String {
        match (object.as_card(), object.as_player()) {
            (Some(card), _) => self.card(card),
            (None, Some(seat)) => seat_word(seat).to_owned(),
            (None, None) => String::new(),
        }
    }
}

fn outcome(outcome: Option<DuelOutcome>) -> (Value, Value) {
    match outcome {
        None => (Value::Null, Value::Null),
        Some(DuelOutcome::Drawn) => ("draw".into(), Value::Null),
        Some(DuelOutcome::Won { winner, reason }) => {
            let reason = match reason {
                WinReason::Hp => "hp",
                WinReason::DeckOut => "deck-out",
                WinReason::Forfeit => "giving up",
            };
            (seat_word(winner).into(), reason.into())
        }
    }
}

fn blocks(names: StateNames<'_>) -> Value {
    let blocks = names.snapshot.blocks.iter();
    let entries = blocks.map(|(attacker, blocker)| {
        let attacker = names.character(*attacker);
        (names.character(*blocker), Value::from(attacker))
    });
    Value::Object(entries.collect())
}

fn player(names: StateNames<'_>, player: &PlayerSnapshot) -> Value {
    let ring: Vec<Value> = player
        .ring
        .iter()
        .map(|character| {
            character
                .as_ref()
                .map_or(Value::Null, |character| self::character(names, character))
        })
        .collect();
    let skips: Vec<String> = player.skips.iter().map(|phase| phase_word(*phase)).collect();
    json!({
        "hp": player.hp,
        "sp": player.sp,
        "ring": ring,
        "ring-size": player.ring.iter().flatten().count(),
        "hand": names.all(&player.hand),
        "hand-size": player.hand.len(),
        "deck": names.all(&player.deck),
        "deck-size": player.deck.len(),
        "discards": names.all(&player.discards),
        "discards-size": player.discards.len(),
        "removed": names.all(&player.removed),
        "removed-size": player.removed.len(),
        "characters-played": player.characters_played,
        "characters-per-turn": player.characters_per_turn,
        "backups-played": player.backups_played,
        "non-combat-damaged": player.nc_damaged,
        "lost-sp": player.lost_sp,
        "skips": skips,
        "extra-turns": player.extra_turns,
        "abilities": words(&player.keywords),
        "knows": names.all(&player.knows_of_opposing_hand),
    })
}

fn words<W: ClosedWord>(words: &[W]) -> Vec<&'static str> {
    words.iter().map(|word| word.word()).collect()
}

fn character(names: StateNames<'_>, character: &CharacterSnapshot) -> Value {
    json!({
        "card": names.card(character.card),
        "bp": character.bp,
        "last-bp": character.last_bp,
        "ability": character.ability.map_or_else(|| "none".to_owned(), |model| names.model(model)),
        "printed": character.printed.map(|model| names.model(model)),
        "fresh": character.fresh,
        "frozen": character.frozen,
        "activated": character.activated,
        "attacks": character.attacks,
        "follows": character.follows,
        "blocks": character.blocks,
        "unfreezable": character.unfreezable,
        "pierces": character.pierces,
        "may-retry": character.may_retry,
        "abilities": words(&character.keywords),
        "backups": names.all(&character.backups),
    })
}

fn listeners(names: StateNames<'_>) -> Vec<Value> {
    let listeners = names.snapshot.listeners.iter();
    listeners
        .map(|listener| {
            json!({
                "card": names.model(listener.named),
                "rule-of": names.model(listener.model),
                "auto": listener.auto + 1,
                "controller": seat_word(listener.controller),
                "events": words(&listener.events),
                "outlives-source": listener.outlives_source,
            })
        })
        .collect()
}

fn change(names: StateNames<'_>, change: &ChangeSnapshot) -> Value {
    let mut entries = Map::new();
    let mut add = |key: &str, value: Value| entries.insert(key.to_owned(), value);
    match change.what {
        ChangedThing::Given(keyword) => add("gives", keyword.word().into()),
        ChangedThing::Suppressed(keyword) => add("takes", keyword.word().into()),
        ChangedThing::Rule(flag, value) => {
            add("flag", flag.word().into());
            add("value", value.into())
        }
        ChangedThing::Cost(kind, CostChange::Set(value)) => {
            add("cost", kind.word().into());
            add("set", value.into())
        }
        ChangedThing::Cost(kind, CostChange::Add(value)) => {
            add("cost", kind.word().into());
            add("add", value.into())
        }
        ChangedThing::Bp(gained) => add("bp", gained.into()),
        ChangedThing::AbilityBefore(model) => {
            let name = model.map_or_else(|| "none".to_owned(), |model| names.model(model));
            add("ability-before", name.into())
        }
        ChangedThing::FormBefore(model) => add("form-before", names.model(model).into()),
    };
    add(
        "on",
        change
            .subject
            .map_or_else(|| "game".to_owned(), |object| names.object(object))
            .into(),
    );
    add("source", change.named.map(|model| names.model(model)).into());
    let lasts = match change.lasts {
        Lasts::WithSource => "with its source".to_owned(),
        Lasts::WhileConditionHolds => "while its condition holds".to_owned(),
        Lasts::WithSubject => "with its subject".to_owned(),
        Lasts::Forever => "for the rest of the duel".to_owned(),
        Lasts::UntilCleanup(seat) => format!("until the cleanup of {}", seat_word(seat)),
        Lasts::UntilActivate(seat) => format!("until the activate phase of {}", seat_word(seat)),
        Lasts::UntilNextAction(seat) => format!("until the next action of {}", seat_word(seat)),
    };
    add("lasts", lasts.into());
    Value::Object(entries)
}

fn queue(names: StateNames<'_>) -> Vec<Value> {
    let queue = names.snapshot.queue.iter();
    queue
        .map(|queued| {
            json!({
                "event": queued.event.word(),
                "player": seat_word(queued.seat),
                "card": queued.card.map(|card| names.card(card)),
                "times": queued.times,
            })
        })
        .collect()
}

fn chance(chance: Chance) -> Value {
    match chance {
        Chance::Seeded { seed, position } => match seed.number() {
            Some(number) => json!({ "seed": number, "drawn": position }),
            None => json!({ "seed": seed.to_string(), "drawn": position }),
        },
        Chance::First { .. } => json!({ "random": "first" }),
        Chance::List { position, .. } => json!({ "random": "list", "drawn": position }),
    }
}

fn question(duel: &Duel) -> Map<String, Value> {
    let mut entries = Map::new();
    let mut add = |key: &str, value: Value| entries.insert(key.to_owned(), value);
    match duel.pending() {
        Some(decision) => {
            let reader = EventReader { duel, seat: None };
            add("asked", seat_word(decision.seat).into());
            add("question", cw_words::question(reader, decision).into());
            add("options", labels(duel, decision).into());
        }
        None => {
            add("asked", Value::Null);
            add("question", Value::Null);
            add("options", Vec::<String>::new().into());
        }
    }
    entries
}

/// The options in words, without the numbers that tell equal cards apart in records.
pub(crate) fn labels(duel: &Duel, decision: &Decision) -> Vec<String> {
    let reader = EventReader { duel, seat: None };
    decision
        .options
        .iter()
        .map(|choice| {
            let words = cw_words::choice(reader, decision, *choice);
            match words.rsplit_once(" #") {
                Some((label, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => label.to_owned(),
                _ => words,
            }
        })
        .collect()
}
