//! The JSON of the protocol. Both sides ignore fields that they do not know.

use cw_duel::{CardId, Choice, Decision, DuelOutcome, DuelView, Game, Question, Seat, WinReason};
use cw_players::Ask;
use cw_program::ModelId;
use serde::Deserialize;
use serde_json::{Value, json};

/// The protocol's version, the value of `cardwright` in the first line.
pub const PROTOCOL: u32 = 1;

/// What a bot may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BotLimits {
    /// Milliseconds for an answer, with everything that is tried on the way.
    pub ms: u64,
    /// Milliseconds from its start until it says that it is ready.
    pub start_ms: u64,
    /// Bytes of a line that it writes.
    pub bytes: usize,
    /// Of so many questions one is asked twice, if the bot says that its answers are always the same;
    /// 0 asks nothing twice.
    pub twice: u64,
}

impl Default for BotLimits {
    fn default() -> BotLimits {
        BotLimits {
            ms: 2_000,
            start_ms: 10_000,
            bytes: 65_536,
            twice: 100,
        }
    }
}

/// The first line to a bot.
pub(crate) fn hello(game: &Game, limits: BotLimits) -> Value {
    json!({
        "cardwright": PROTOCOL,
        "game": { "name": game.name, "digest": game.fingerprint },
        "cards": game.models.iter().map(|model| json!({
            "id": &*model.id,
            "name": &*model.name,
            "type": model.card_type.map(cw_program::ClosedWord::word),
            "subtype": model.subtype.map(|subtype| &*game.subtypes[usize::from(subtype.0)]),
            "bp": model.bp,
            "sp": model.sp,
            "backups": model
                .backups
                .iter()
                .map(|subtype| &*game.subtypes[usize::from(subtype.0)])
                .collect::<Vec<_>>(),
            "text": &*model.text,
        })).collect::<Vec<_>>(),
        "limits": { "ms": limits.ms, "start_ms": limits.start_ms, "bytes": limits.bytes },
    })
}

/// A question.
pub(crate) fn ask(game: &Game, number: u64, duel: u64, ask: &Ask<'_>) -> Value {
    let view = ask.view();
    json!({
        "ask": number,
        "duel": duel,
        "seat": view.seat.index() + 1,
        // Numbers of JSON are exact up to 53 bits only.
        "seed": ask.seed >> 11,
        "playouts": ask.budget.playouts,
        "view": cw_wire::seen_json(&view, game),
        "decision": decision(game, &view, ask.decision),
    })
}

/// What came of an option on a guess; nothing where nothing can be said.
pub(crate) fn tried(game: &Game, number: u64, option: usize, guess: u64, after: Option<&DuelView>) -> Value {
    let own = after.and_then(|view| Some((view, view.decision.as_ref()?)));
    json!({
        "tried": number,
        "option": option,
        "guess": guess,
        "view": after.map(|view| cw_wire::seen_json(view, game)),
        "decision": own.map(|(view, asked)| decision(game, view, asked)),
    })
}

/// The end of a duel.
pub(crate) fn over(duel: u64, outcome: Option<DuelOutcome>) -> Value {
    let (winner, reason) = match outcome {
        Some(DuelOutcome::Won { winner, reason }) => (winner.index() + 1, Some(reason)),
        Some(DuelOutcome::Drawn) | None => (0, None),
    };
    json!({
        "over": duel,
        "winner": winner,
        "reason": reason.map(|reason| match reason {
            WinReason::Hp => "hp",
            WinReason::DeckOut => "deck-out",
            WinReason::Forfeit => "forfeit",
        }),
    })
}

/// The last line.
pub(crate) fn bye() -> Value {
    json!({ "bye": 1 })
}

/// The first line of a bot.
#[derive(Debug, Deserialize)]
pub(crate) struct Ready {
    pub ready: u32,
    #[serde(default)]
    pub name: String,
    /// The same question always gets the same answer.
    #[serde(default)]
    pub deterministic: bool,
}

/// Any other line of a bot.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Reply {
    Answer {
        answer: u64,
        option: usize,
    },
    Try {
        #[serde(rename = "try")]
        asked: u64,
        option: usize,
        #[serde(default)]
        guess: u64,
    },
}

fn decision(game: &Game, view: &DuelView, decision: &Decision) -> Value {
    let options = decision.options.iter().enumerate();
    let mut value = json!({
        "question": question(decision.question),
        "card": decision.source.and_then(|card| name_of(game, view, card)),
        "declinable": decision.declinable,
        "options": options.map(|(id, choice)| option(game, view, id, *choice)).collect::<Vec<_>>(),
    });
    if let Some((chosen, min, max)) = decision.question.counts() {
        value["chosen"] = chosen.into();
        value["min"] = min.into();
        value["max"] = max.into();
    }
    value
}

fn option(game: &Game, view: &DuelView, id: usize, choice: Choice) -> Value {
    let kind = choice.word();
    let name = match choice {
        Choice::Copy(model) => Some(name(game, model)),
        other => other.card().and_then(|card| name_of(game, view, card)),
    };
    let number = if let Choice::Slot(at) | Choice::Type(at) | Choice::Action(at) = choice {
        Some(usize::from(at) + 1)
    } else if let Choice::Player(seat) | Choice::Zone(seat) = choice {
        Some(seat.index() + 1)
    } else {
        None
    };
    let key = match (name, number, choice.card()) {
        (Some(name), ..) => format!("{kind}:{name}"),
        (None, Some(number), _) => format!("{kind}:{number}"),
        (None, None, Some(_)) => format!("{kind}:?"),
        (None, None, None) => kind.to_owned(),
    };
    json!({
        "id": id,
        "key": key,
        "kind": kind,
        "card": choice.card().map(|card| card.0),
        "name": name,
        "number": number,
    })
}

/// What is asked, in one word.
fn question(question: Question) -> &'static str {
    match question {
        Question::Main => "main",
        Question::Attack => "attack",
        Question::CounterAttack => "counter-attack",
        Question::SlotFor(_) => "slot",
        Question::BackUpWhom(_) => "back-up-whom",
        Question::JoinWhom(_) => "join-whom",
        Question::BlockWhom(_) => "block-whom",
        Question::Target { .. } => "target",
        Question::DiscardCost { .. } => "discard-cost",
        Question::SacrificeCost { .. } => "sacrifice-cost",
        Question::Discard { .. } => "discard",
        Question::Player => "player",
        Question::Zone => "zone",
        Question::Type => "type",
        Question::WhichAction => "which-action",
        Question::May(_) => "may",
        Question::Optional => "optional",
        Question::TopOrBottom => "top-or-bottom",
        Question::Prophecy { .. } => "prophecy",
        Question::Coin => "coin",
        Question::MoveToSlot(_) => "move-to-slot",
    }
}

fn name(game: &Game, model: ModelId) -> &str {
    &game.model(model).name
}

/// The card's name, if the seat knows it: a look at the view, never at the duel.
fn name_of<'a>(game: &'a Game, view: &DuelView, card: CardId) -> Option<&'a str> {
    let in_sight = |seat: Seat| {
        let player = &view.players[seat];
        let fighters = player.ring.iter().flatten();
        let ring = fighters
            .clone()
            .map(|fighter| (fighter.card, Some(fighter.model)));
        let backups = fighters.flat_map(|fighter| &fighter.backups);
        let piles = player
            .hand
            .iter()
            .chain(&player.discards)
            .chain(&player.removed)
            .chain(backups);
        let mut all = ring.chain(piles.chain(&view.table).map(|seen| (seen.card, seen.model)));
        all.find(|(other, _)| *other == card)
    };
    let found = Seat::BOTH.into_iter().find_map(in_sight);
    found.and_then(|(_, model)| Some(name(game, model?)))
}
