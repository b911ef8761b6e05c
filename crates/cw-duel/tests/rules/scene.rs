//! Positions, choices and facts in a few words.
//!
//! A position is a list of lines separated by `;`:
//!
//! ```text
//! phase attack; me a500 b300* . c200^; me.sp 10; opp x400; me.hand k700-4:r act-3
//! ```
//!
//! `me` is the first player, whose turn it is unless `active opp` is said; `opp` the other one. `me`
//! and `opp` list the ring by slots, `.` is an empty one; `me.hand`, `me.deck`, `me.discards` and
//! `me.removed` list cards. A card is a name of letters, printed BP, `+` or `-` SP, `:` and its
//! subtype (a letter), `{…}` its back-up icons. In a ring, `=` and BP now, `*` fresh, `^` frozen,
//! `!` attacks, `(…)` its back-ups, `~` and a keyword. Names that begin with `act` are Actions, with
//! `rea` Reactions. The decks have ten characters called `filler` unless they are listed.
//!
//! Choices are separated by `,`: `play k`, `slot 2`, `back k`, `attack a`, `join b`, `cancel b`,
//! `block x`, `unblock x`, `to a`, `pass`, `decline`. With `?` in front a choice must be offered,
//! with `!` it must not be; neither is taken.
//!
//! Facts are separated by `;`: `me.hp 3000`, `opp.ring x400* . y0^!`, `phase Main`, `winner me`. A
//! character shows its name and BP, then `*` fresh, `^` frozen, `!` attacks, `&` follows, `#`
//! counters, `+` per back-up.

use std::collections::BTreeMap;
use std::sync::Arc;

use cw_duel::{
    CardId, CharacterPosition, Choice, Constants, CostChange, Duel, Game, Model, Outcome, PerSeat, Phase,
    PlayerPosition, Position, Reason, Seat, Silent,
};
use cw_program::{CardType, CostKind, Keyword, ModelId, NameId, RuleFlag, SubtypeId, Word};

/// Plays the choices from the position and compares the facts.
#[track_caller]
pub fn check(position: &str, choices: &str, facts: &str) {
    check_with(Constants::default(), position, choices, facts);
}

/// As [`check`], in a game with other numbers.
#[track_caller]
pub fn check_with(constants: Constants, position: &str, choices: &str, facts: &str) {
    let mut duel = start(constants, position);
    for choice in items(choices, ',') {
        take(&mut duel, choice);
        if let Err(broken) = duel.check_invariants() {
            panic!("after `{choice}`: {broken}");
        }
    }
    let found = facts_of(&duel);
    for fact in items(facts, ';') {
        let (name, expected) = fact.split_once(' ').unwrap_or((fact, ""));
        let actual = found
            .get(name)
            .unwrap_or_else(|| panic!("no fact is called `{name}`"));
        assert_eq!(actual, expected, "{name}");
    }
}

fn items(text: &str, separator: char) -> impl Iterator<Item = &str> {
    text.split(separator)
        .map(str::trim)
        .filter(|item| !item.is_empty())
}

#[track_caller]
fn start(constants: Constants, text: &str) -> Duel {
    let mut cards = Cards::default();
    let filler = cards.model("filler100");
    let mut game = Game {
        constants,
        ..Game::default()
    };
    let mut position = Position {
        players: PerSeat::from_fn(|_| PlayerPosition {
            deck: vec![filler; 10],
            ..PlayerPosition::new(&game)
        }),
        turn: 5,
        phase: Phase::Main,
        active: Seat::One,
        first: Seat::One,
        united: Vec::new(),
        blocks: Vec::new(),
        rules: Vec::new(),
        costs: Vec::new(),
        chance: cw_duel::Chance::First {
            shuffle: cw_duel::Shuffle::Keep,
        },
        script: Vec::new(),
    };
    for line in items(text, ';') {
        set(&mut position, &mut cards, line);
    }
    game.subtypes = ('a'..='z').map(|c| c.to_string().into()).collect();
    game.names = cards.models.iter().map(|model| model.name.clone()).collect();
    game.models = cards.models;
    Duel::from_position(Arc::new(game), &position).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// One line of a position.
#[track_caller]
fn set(position: &mut Position, cards: &mut Cards, line: &str) {
    let (what, value) = line.split_once(' ').unwrap_or((line, ""));
    let number = || value.parse::<i32>().expect("a number");
    let words: Vec<&str> = value.split_whitespace().collect();
    if let Some((seat, what)) = what
        .split_once('.')
        .or(matches!(what, "me" | "opp").then_some((what, "ring")))
    {
        let player = &mut position.players[seat_of(seat)];
        match what {
            "ring" => player.ring = words.iter().map(|word| cards.character(word)).collect(),
            "hand" => player.hand = cards.models(value),
            "deck" => player.deck = cards.models(value),
            "discards" => player.discards = cards.models(value),
            "removed" => player.removed = cards.models(value),
            "hp" => player.hp = number(),
            "sp" => player.sp = number(),
            "played" => player.characters_played = number() as u8,
            "backed" => player.backups_played = number() as u8,
            "skips" => player.skips = words.iter().map(|word| phase_of(word)).collect(),
            "turns" => player.extra_turns = number() as u8,
            "keyword" => player.keywords = words.iter().filter_map(|word| Keyword::find(word)).collect(),
            _ => panic!("`{line}` sets nothing"),
        }
        return;
    }
    match what {
        "phase" => position.phase = phase_of(value),
        "turn" => position.turn = number() as u16,
        "active" => position.active = seat_of(value),
        "rule" => {
            let flag = RuleFlag::find(words[0]).expect("a rule");
            position
                .rules
                .push((flag, None, words[1].parse().expect("a number")));
        }
        "cost" => {
            let kind = CostKind::find(words[0]).expect("a kind of cost");
            let change = match words[1].strip_prefix('=') {
                Some(amount) => CostChange::Set(amount.parse().expect("a number")),
                None => CostChange::Add(words[1].parse().expect("a number")),
            };
            position.costs.push((kind, change));
        }
        _ => panic!("`{line}` sets nothing"),
    }
}

fn seat_of(name: &str) -> Seat {
    match name {
        "me" => Seat::One,
        "opp" => Seat::Two,
        _ => panic!("`{name}` is neither `me` nor `opp`"),
    }
}

fn phase_of(name: &str) -> Phase {
    let phase = Phase::ALL
        .into_iter()
        .find(|phase| phase.name().eq_ignore_ascii_case(name));
    phase.unwrap_or_else(|| panic!("`{name}` is no phase"))
}

/// The cards that a position names.
#[derive(Default)]
struct Cards {
    models: Vec<Model>,
    known: BTreeMap<String, ModelId>,
}

impl Cards {
    fn models(&mut self, text: &str) -> Vec<ModelId> {
        text.split_whitespace().map(|word| self.model(word)).collect()
    }

    /// The card of a word such as `k700-4:r{rb}`; the same name is the same card.
    fn model(&mut self, word: &str) -> ModelId {
        let (name, mut rest) = take_while(word, char::is_alphabetic);
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        let number = |digits: &str| digits.parse::<i32>().unwrap_or(0);
        let (bp, after) = take_while(rest, |c| c.is_ascii_digit());
        rest = after;
        let mut sp = 0;
        if rest.starts_with(['+', '-']) {
            let (digits, after) = take_while(&rest[1..], |c| c.is_ascii_digit());
            sp = number(digits) * if rest.starts_with('-') { -1 } else { 1 };
            rest = after;
        }
        let letter = |c: char| SubtypeId(c as u16 - 'a' as u16);
        let subtype = rest.strip_prefix(':').and_then(|rest| rest.chars().next());
        let icons = rest
            .split_once('{')
            .and_then(|(_, rest)| rest.split_once('}'))
            .map_or("", |(icons, _)| icons);
        let card_type = match name {
            action if action.starts_with("act") => CardType::Action,
            reaction if reaction.starts_with("rea") => CardType::Reaction,
            _ => CardType::Character,
        };
        let id = ModelId(self.models.len() as u16);
        self.models.push(Model {
            id: name.into(),
            name: name.into(),
            name_id: NameId(id.0),
            card_type: Some(card_type),
            subtype: (card_type == CardType::Character).then(|| letter(subtype.unwrap_or('z'))),
            bp: number(bp),
            sp,
            ability: None,
            text: "".into(),
            backups: icons.chars().map(letter).collect(),
            program: None,
        });
        self.known.insert(name.to_owned(), id);
        id
    }

    fn character(&mut self, word: &str) -> Option<CharacterPosition> {
        if word == "." {
            return None;
        }
        let mut character = CharacterPosition::new(self.model(word));
        let inside = |open: char, close: char| {
            let (_, rest) = word.split_once(open)?;
            Some(rest.split_once(close)?.0)
        };
        if let Some((_, now)) = word.split_once('=') {
            character.bp = Some(take_while(now, |c| c.is_ascii_digit()).0.parse().expect("BP now"));
        }
        character.fresh = word.contains('*');
        character.frozen = word.contains('^');
        character.attacks = word.contains('!');
        if let Some(backups) = inside('(', ')') {
            character.backups = backups.split('/').map(|backup| self.model(backup)).collect();
        }
        character.keywords = word.split('~').skip(1).filter_map(Keyword::find).collect();
        Some(character)
    }
}

fn take_while(text: &str, takes: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !takes(c)).unwrap_or(text.len()))
}

/// Takes a choice, or looks whether it is offered.
#[track_caller]
fn take(duel: &mut Duel, choice: &str) {
    let decision = duel
        .pending()
        .unwrap_or_else(|| panic!("the duel is over before `{choice}`"));
    let offered: Vec<String> = decision
        .options
        .iter()
        .map(|option| words(duel, *option))
        .collect();
    let wanted = choice.trim_start_matches(['?', '!']);
    let at = offered.iter().position(|option| option == wanted);
    match (choice.starts_with('!'), choice.starts_with('?'), at) {
        (true, _, Some(_)) => panic!("`{wanted}` is offered"),
        (true, _, None) | (_, true, Some(_)) => {}
        (false, _, None) => panic!("`{wanted}` is not offered; offered are {offered:?}"),
        (false, false, Some(at)) => {
            let option = decision.options[at];
            duel.answer(option, &mut Silent).expect("it was offered");
        }
    }
}

fn name(duel: &Duel, card: CardId) -> String {
    let model = duel.true_model(card).expect("a card of this duel");
    duel.game().model(model).name.to_string()
}

fn words(duel: &Duel, choice: Choice) -> String {
    match choice {
        Choice::Play(card) => format!("play {}", name(duel, card)),
        Choice::BackUp(card) => format!("back {}", name(duel, card)),
        Choice::Attack(card) => format!("attack {}", name(duel, card)),
        Choice::Join(card) => format!("join {}", name(duel, card)),
        Choice::CancelAttack(card) => format!("cancel {}", name(duel, card)),
        Choice::Block(card) => format!("block {}", name(duel, card)),
        Choice::CancelBlock(card) => format!("unblock {}", name(duel, card)),
        Choice::Card(card) => format!("to {}", name(duel, card)),
        Choice::Slot(slot) => format!("slot {}", slot + 1),
        Choice::Pass => "pass".into(),
        Choice::Decline => "decline".into(),
        Choice::Activate(_)
        | Choice::Copy(_)
        | Choice::Player(_)
        | Choice::Zone(_)
        | Choice::Type(_)
        | Choice::Action(_)
        | Choice::Yes
        | Choice::No
        | Choice::Top
        | Choice::Bottom
        | Choice::Heads
        | Choice::Tails
        | Choice::Done => format!("{choice:?}"),
    }
}

fn facts_of(duel: &Duel) -> BTreeMap<String, String> {
    let seats = [("me", Seat::One), ("opp", Seat::Two)];
    let seat_name = |seat: Seat| seats[seat.index()].0.to_owned();
    let mut facts = BTreeMap::new();
    let mut tell = |name: String, value: String| facts.insert(name, value);
    tell("phase".into(), duel.phase().name().into());
    tell("turn".into(), duel.turn().to_string());
    tell("active".into(), seat_name(duel.active()));
    let decides = duel.pending().map(|decision| seat_name(decision.seat));
    tell("decides".into(), decides.unwrap_or_default());
    let (winner, reason) = match duel.outcome() {
        Some(Outcome::Won { winner, reason }) => (
            seat_name(winner),
            match reason {
                Reason::Hp => "hp",
                Reason::DeckOut => "deck",
                Reason::Forfeit => "forfeit",
            },
        ),
        Some(Outcome::Drawn) => ("nobody".into(), "turns"),
        None => (String::new(), ""),
    };
    tell("winner".into(), winner);
    tell("by".into(), reason.into());
    for (who, seat) in seats {
        let view = duel.view(seat);
        let player = &view.players[seat];
        let ring: Vec<String> = player
            .ring
            .iter()
            .map(|slot| slot.as_ref().map_or(".".into(), |slot| character(duel, slot)))
            .collect();
        let ring = ring.join(" ");
        tell(
            format!("{who}.ring"),
            ring.trim_end_matches([' ', '.']).to_owned(),
        );
        let pile = |cards: &[cw_duel::CardView]| -> String {
            let names: Vec<String> = cards.iter().map(|card| name(duel, card.card)).collect();
            names.join(" ")
        };
        tell(format!("{who}.hand"), pile(&player.hand));
        tell(format!("{who}.deck"), player.deck.len().to_string());
        tell(format!("{who}.discards"), pile(&player.discards));
        tell(format!("{who}.removed"), pile(&player.removed));
        tell(format!("{who}.hp"), player.hp.to_string());
        tell(format!("{who}.sp"), player.sp.to_string());
        tell(format!("{who}.played"), player.characters.0.to_string());
        tell(format!("{who}.backed"), player.backups.to_string());
        tell(format!("{who}.hurt"), player.nc_damaged.to_string());
    }
    facts
}

fn character(duel: &Duel, slot: &cw_duel::CharacterView) -> String {
    let mut words = format!("{}{}", name(duel, slot.card), slot.bp);
    for (holds, mark) in [
        (slot.fresh, "*"),
        (slot.frozen, "^"),
        (slot.attacks, "!"),
        (slot.follows, "&"),
        (slot.blocks, "#"),
    ] {
        if holds {
            words.push_str(mark);
        }
    }
    words + &"+".repeat(slot.backups.len())
}
