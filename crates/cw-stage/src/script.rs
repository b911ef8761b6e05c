//! Cards, a position, choices and facts in a few words each.
//!
//! A card is a line: `Name kind BP SP subtype: rule`. Kinds: `plain`, `auto`, `instant`, `triggered`
//! are characters, then `action` and `reaction`; BP (300), SP (0) and subtype (`rope`) may be left
//! out. Lines of a rule are separated by `;;`. Every game has plain characters as well: `filler` of
//! 100, and `EXTRAS` of 300. Characters have icons for two `rope` and a `bell`.
//!
//! A position is a list of lines separated by `;`: `phase attack; me Rook Wall=200^ . Foe*!;
//! opp.hand Spark; me.sp 10`. In a ring `=` is BP now, `*` fresh, `^` frozen, `!` attacks, `~` a
//! keyword, `(…)` its back-ups, with `/` between them. It is player 1's third turn; the decks are ten
//! fillers. `random` lists outcomes.
//!
//! A plain card need not be listed: a position may say what it is where it first stands. `k700-4:r{rb}`
//! is the character `k` of 700 BP that costs 4 SP, of subtype `r`, with back-up icons for `r` and `b`
//! (without them it has none, and the subtype `z`); `act-2` is an Action, `rea+1` a Reaction: their names
//! begin with these letters. In the same position `k` is that card.
//!
//! Choices are separated by `,`: `play X`, `back X`, `use X`, `attack X`, `join X`, `cancel X`,
//! `block X`, `unblock X`, `to X`, `slot 2`, `me`, `opp`, `action 1`, `type 1`, `yes`, `no`, `top`,
//! `bottom`, `heads`, `tails`, `done`, `decline`, `pass`. With `?` a choice must be offered, with
//! `!` it must not; neither is taken.
//!
//! Facts are separated by `;`: `me.hp 2900`, `opp.ring Rook500 . Wall200^`, `asks Coin`. A character
//! shows its name and BP, then `*` fresh, `^` frozen, `!` attacks, `&` follows, `#` counters, `%`
//! activated, `+` per back-up, `-` ability lost, `@X` the ability of X, `~x` a keyword.

use std::collections::BTreeMap;

use cw_duel::{
    AbilityKind, CardId, CardModel, CardView, Chance, CharacterPosition, Choice, Constants, CostChange,
    DuelEvent, DuelOutcome, Phase, Seat, WinReason,
};
use cw_program::{CardNameId, CardType, ClosedWord, CostKind, Keyword, ModelId, RuleFlag, SubtypeId};

use crate::scene::{DuelScene, Play, game_with, model, named, small};

/// The subtypes of characters that are listed; the letters of others follow them.
const SUBTYPES: [&str; 3] = ["rope", "bell", "sail"];

/// Plain characters of 300 that are in every game, unless a card with the name is.
const EXTRAS: [&str; 9] = [
    "Rook", "Knave", "Foe", "Fiend", "Wall", "Lead", "Fol", "Solo", "Aid",
];

/// Plays the choices and compares the facts; gives the duel, for more.
#[track_caller]
pub fn check(cards: &str, position: &str, choices: &str, facts: &str) -> Play {
    check_with(Constants::default(), cards, position, choices, facts)
}

/// As [`check`], in a game with other numbers.
#[track_caller]
pub fn check_with(constants: Constants, cards: &str, position: &str, choices: &str, facts: &str) -> Play {
    let mut play = start_with(constants, cards, position);
    go(&mut play, choices);
    holds(&play, facts);
    play
}

/// A duel that stands in the position.
#[track_caller]
pub fn start(cards: &str, position: &str) -> Play {
    start_with(Constants::default(), cards, position)
}

/// As [`start`], in a game with other numbers.
#[track_caller]
pub fn start_with(constants: Constants, cards: &str, position: &str) -> Play {
    let mut models = vec![(model(0, "filler", CardType::Character, 100), String::new())];
    for line in cards.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let card = card(models.len(), line);
        models.push(card);
    }
    for name in EXTRAS {
        if models.iter().all(|(model, _)| &*model.name != name) {
            let plain = card(models.len(), &format!("{name} plain"));
            models.push(plain);
        }
    }
    for line in items(position, ';') {
        plain_cards(&mut models, line);
    }
    // As a game has them (D29).
    models.sort_by_cached_key(|(model, _)| model.name.to_lowercase());
    for (at, (model, _)) in models.iter_mut().enumerate() {
        model.name_id = CardNameId(small(at));
    }
    let letters = ('a'..='z').map(|letter| letter.to_string().into());
    let subtypes = SUBTYPES.map(Into::into).into_iter().chain(letters).collect();
    let game = game_with(constants, subtypes, models);
    let filler = game.find("filler").expect("the first card");
    let mut scene = DuelScene::empty(game);
    for seat in Seat::BOTH {
        scene.position.players[seat].deck = vec![filler; 10];
    }
    for line in items(position, ';') {
        set(&mut scene, line);
    }
    scene.start()
}

fn items(text: &str, separator: char) -> impl Iterator<Item = &str> {
    text.split(separator)
        .map(str::trim)
        .filter(|item| !item.is_empty())
}

#[track_caller]
fn card(index: usize, line: &str) -> (CardModel, String) {
    let (head, rule) = line.split_once(':').unwrap_or((line, ""));
    let mut words = head.split_whitespace();
    let name = words.next().expect("a name");
    let kind = words.next().expect("a kind");
    let numbers: Vec<&str> = words.collect();
    let (card_type, ability) = match kind {
        "plain" => (CardType::Character, None),
        "auto" => (CardType::Character, Some(AbilityKind::Auto)),
        "instant" => (CardType::Character, Some(AbilityKind::Instant)),
        "triggered" => (CardType::Character, Some(AbilityKind::Triggered)),
        "action" => (CardType::Action, None),
        "reaction" => (CardType::Reaction, None),
        _ => panic!("`{kind}` is no kind of card"),
    };
    let is_character = card_type == CardType::Character;
    let mut parsed = numbers.iter().filter_map(|word| word.parse::<i32>().ok());
    let bp = if is_character {
        parsed.next().unwrap_or(300)
    } else {
        0
    };
    let mut model = model(index, name, card_type, bp);
    model.sp = parsed.next().unwrap_or(0);
    model.ability = ability.map(named);
    model.backups = vec![SubtypeId(0), SubtypeId(0), SubtypeId(1)];
    let subtype = SUBTYPES.iter().position(|subtype| numbers.contains(subtype));
    model.subtype = is_character.then_some(SubtypeId(small(subtype.unwrap_or(0))));
    let rule = rule.split(";;").map(str::trim).collect::<Vec<_>>().join("\n");
    (model, rule)
}

/// Makes the plain cards that a line of a position describes where they stand.
fn plain_cards(models: &mut Vec<(CardModel, String)>, line: &str) {
    let (place, cards) = line.split_once(' ').unwrap_or((line, ""));
    let place = place.rsplit_once('.').map_or(place, |(_, pile)| pile);
    if !["me", "opp", "hand", "deck", "discards", "removed"].contains(&place) {
        return;
    }
    for word in cards.split([' ', '(', ')', '/']) {
        let known = |name: &str| models.iter().any(|(model, _)| &*model.name == name);
        if !known(listed_name(word)) && !known(letters(word).0) {
            models.extend(plain_card(models.len(), word).map(|model| (model, String::new())));
        }
    }
}

/// The card of a word such as `k700-4:r{rb}`.
fn plain_card(index: usize, word: &str) -> Option<CardModel> {
    let (name, rest) = letters(word);
    let card_type = match name {
        action if action.starts_with("act") => CardType::Action,
        reaction if reaction.starts_with("rea") => CardType::Reaction,
        _ => CardType::Character,
    };
    let is_character = card_type == CardType::Character;
    let (bp, rest) = take_while(rest, |c| c.is_ascii_digit());
    if name.is_empty() || is_character == bp.is_empty() {
        return None;
    }
    let mut model = model(index, name, card_type, bp.parse().unwrap_or(0));
    let signed = rest.starts_with(['+', '-']);
    if signed {
        let digits = 1 + take_while(&rest[1..], |c| c.is_ascii_digit()).0.len();
        model.sp = rest[..digits].parse().unwrap_or(0);
    }
    let letter = |c: char| u8::try_from(c).ok().and_then(|c| c.checked_sub(b'a'));
    let subtype = |c: char| letter(c).map(|c| SubtypeId(small(SUBTYPES.len() + usize::from(c))));
    let printed = word.split_once(':').and_then(|(_, rest)| rest.chars().next());
    model.subtype = subtype(printed.unwrap_or('z')).filter(|_| is_character);
    let icons = word.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
    model.backups = icons
        .map_or("", |(icons, _)| icons)
        .chars()
        .filter_map(subtype)
        .collect();
    Some(model)
}

/// The name of a listed card at the beginning of a word.
fn listed_name(word: &str) -> &str {
    take_while(word, |c| c.is_alphanumeric() || c == '-').0
}

/// The name of a plain card at the beginning of a word, and what follows it.
fn letters(word: &str) -> (&str, &str) {
    take_while(word, char::is_alphabetic)
}

fn take_while(text: &str, takes: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !takes(c)).unwrap_or(text.len()))
}

/// The card that a word of a position means.
#[track_caller]
fn meant(scene: &DuelScene, word: &str) -> ModelId {
    let found = [listed_name(word), letters(word).0]
        .into_iter()
        .find_map(|name| scene.game.find(name));
    found.unwrap_or_else(|| panic!("no card `{word}`"))
}

/// One line of a position.
#[track_caller]
fn set(scene: &mut DuelScene, line: &str) {
    let (what, value) = line.split_once(' ').unwrap_or((line, ""));
    let number = || value.parse::<i32>().expect("a number");
    let words: Vec<&str> = value.split_whitespace().collect();
    let models: Vec<ModelId> = match what.rsplit_once('.') {
        Some((_, "hand" | "deck" | "discards" | "removed")) => {
            words.iter().map(|word| meant(scene, word)).collect()
        }
        _ => Vec::new(),
    };
    let ring: Vec<Option<CharacterPosition>> = match what {
        "me" | "opp" => words.iter().map(|word| character(scene, word)).collect(),
        _ => Vec::new(),
    };
    let position = &mut scene.position;
    if let Some((seat, what)) = what
        .split_once('.')
        .or(matches!(what, "me" | "opp").then_some((what, "ring")))
    {
        let player = &mut position.players[seat_of(seat)];
        match what {
            "ring" => player.ring = ring,
            "hand" => player.hand = models,
            "deck" => player.deck = models,
            "discards" => player.discards = models,
            "removed" => player.removed = models,
            "hp" => player.hp = number(),
            "sp" => player.sp = number(),
            "played" => player.characters_played = small(number()),
            "backed" => player.backups_played = small(number()),
            "turns" => player.extra_turns = small(number()),
            "skips" => player.skips = words.iter().map(|word| phase(word)).collect(),
            "keyword" => player.keywords = words.iter().filter_map(|word| Keyword::find(word)).collect(),
            _ => panic!("`{line}` sets nothing"),
        }
        return;
    }
    match what {
        "phase" => position.phase = phase(value),
        "turn" => position.turn = small(number()),
        "active" => position.active = seat_of(value),
        "random" => {
            position.chance = Chance::List {
                shuffle: cw_duel::Shuffle::Keep,
                position: 0,
            };
            position.script = words.iter().map(|word| word.parse().expect("a number")).collect();
        }
        "seed" => position.chance = Chance::seeded(small::<u64, _>(number())),
        "united" => position.united = words.iter().map(|word| word.parse().expect("a slot")).collect(),
        "rule" => {
            let flag = RuleFlag::find(words[0]).expect("a rule");
            let value = words[1].parse().expect("a number");
            position.rules.push((flag, None, value));
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

#[track_caller]
fn character(scene: &DuelScene, word: &str) -> Option<CharacterPosition> {
    if word == "." {
        return None;
    }
    let mut character = CharacterPosition::new(meant(scene, word));
    if let Some((_, now)) = word.split_once('=') {
        let digits = take_while(now, |c| c.is_ascii_digit()).0;
        character.bp = Some(digits.parse().expect("BP now"));
    }
    character.fresh = word.contains('*');
    character.frozen = word.contains('^');
    character.attacks = word.contains('!');
    if let Some((_, rest)) = word.split_once('(') {
        let (names, _) = rest.split_once(')').expect("closed");
        character.backups = names.split('/').map(|name| meant(scene, name)).collect();
    }
    character.keywords = word.split('~').skip(1).filter_map(Keyword::find).collect();
    Some(character)
}

#[track_caller]
fn seat_of(name: &str) -> Seat {
    match name {
        "me" => Seat::One,
        "opp" => Seat::Two,
        _ => panic!("`{name}` is neither `me` nor `opp`"),
    }
}

#[track_caller]
fn phase(name: &str) -> Phase {
    let phase = Phase::ALL
        .into_iter()
        .find(|phase| phase.name().eq_ignore_ascii_case(name));
    phase.unwrap_or_else(|| panic!("`{name}` is no phase"))
}

/// Takes the choices, one after another.
#[track_caller]
pub fn go(play: &mut Play, choices: &str) {
    for choice in items(choices, ',') {
        take(play, choice);
    }
}

/// Takes a choice, or looks whether it is offered.
#[track_caller]
fn take(play: &mut Play, choice: &str) {
    let offered = offered(play);
    let wanted = choice.trim_start_matches(['?', '!']);
    let at = offered.iter().position(|option| option == wanted);
    match (choice.starts_with('!'), choice.starts_with('?'), at) {
        (true, _, Some(_)) => panic!("`{wanted}` is offered"),
        (true, _, None) | (_, true, Some(_)) => {}
        (false, _, None) => panic!(
            "`{wanted}` is not offered; offered are {offered:?} for {:?}",
            play.duel.pending()
        ),
        (false, false, Some(at)) => {
            let option = play.duel.pending().expect("the duel goes on").options[at];
            play.answer(option);
        }
    }
}

/// The options of the pending decision, in words.
#[track_caller]
pub fn offered(play: &Play) -> Vec<String> {
    let decision = play.duel.pending().expect("the duel goes on");
    decision
        .options
        .iter()
        .map(|option| words(play, *option))
        .collect()
}

fn words(play: &Play, choice: Choice) -> String {
    let seat = |seat: Seat| ["me", "opp"][seat.index()].to_owned();
    let verb = match choice {
        Choice::Play(_) => "play",
        Choice::BackUp(_) => "back",
        Choice::Activate(_) => "use",
        Choice::Attack(_) => "attack",
        Choice::Join(_) => "join",
        Choice::CancelAttack(_) => "cancel",
        Choice::Block(_) => "block",
        Choice::CancelBlock(_) => "unblock",
        Choice::Card(_) => "to",
        Choice::Copy(model) => return format!("to {}", play.duel.game().model(model).name),
        Choice::Slot(slot) => return format!("slot {}", slot + 1),
        Choice::Player(of) | Choice::Zone(of) => return seat(of),
        Choice::Type(index) => return format!("type {}", index + 1),
        Choice::Action(index) => return format!("action {}", index + 1),
        Choice::Pass
        | Choice::Yes
        | Choice::No
        | Choice::Top
        | Choice::Bottom
        | Choice::Heads
        | Choice::Tails
        | Choice::Done
        | Choice::Decline => return format!("{choice:?}").to_lowercase(),
    };
    let card = choice.card().expect("these choices are about a card");
    format!("{verb} {}", play.name(card))
}

/// Compares what is so with what is expected.
#[track_caller]
pub fn holds(play: &Play, facts: &str) {
    let found = facts_of(play);
    for fact in items(facts, ';') {
        let (name, expected) = fact.split_once(' ').unwrap_or((fact, ""));
        let actual = found
            .get(name)
            .unwrap_or_else(|| panic!("no fact is called `{name}`"));
        assert_eq!(actual, expected, "{name}");
    }
}

fn facts_of(play: &Play) -> BTreeMap<String, String> {
    let duel = &play.duel;
    let seats = [("me", Seat::One), ("opp", Seat::Two)];
    let seat_name = |seat: Seat| seats[seat.index()].0.to_owned();
    let mut facts = BTreeMap::new();
    let mut tell = |name: String, value: String| facts.insert(name, value);
    tell("phase".into(), duel.phase().name().into());
    tell("turn".into(), duel.turn().to_string());
    tell("active".into(), seat_name(duel.active()));
    let decision = duel.pending();
    tell(
        "decides".into(),
        decision
            .map(|decision| seat_name(decision.seat))
            .unwrap_or_default(),
    );
    let question = decision.map(|decision| format!("{:?}", decision.question));
    let asks = question.map(|question| question.split([' ', '(']).next().unwrap_or_default().to_owned());
    tell("asks".into(), asks.unwrap_or_default());
    let (winner, by) = match duel.outcome() {
        Some(DuelOutcome::Won { winner, reason }) => {
            let by = match reason {
                WinReason::Hp => "hp",
                WinReason::DeckOut => "deck",
                WinReason::Forfeit => "forfeit",
            };
            (seat_name(winner), by)
        }
        Some(DuelOutcome::Drawn) => ("nobody".into(), "turns"),
        None => (String::new(), ""),
    };
    tell("winner".into(), winner);
    tell("by".into(), by.into());
    let truth = duel.snapshot();
    tell("listeners".into(), truth.listeners.len().to_string());
    tell("changes".into(), truth.changes.len().to_string());
    tell("united".into(), names(play, &truth.united));
    let blocks = truth
        .blocks
        .iter()
        .map(|(attacker, blocker)| format!("{}<{}", play.name(*attacker), play.name(*blocker)));
    tell("blocks".into(), blocks.collect::<Vec<_>>().join(" "));
    for (who, seat) in seats {
        let player = &truth.players[seat];
        let view = duel.view(seat);
        let ring: Vec<String> = player
            .ring
            .iter()
            .map(|slot| slot.as_ref().map_or(".".into(), |slot| in_ring(play, slot)))
            .collect();
        let ring = ring.join(" ");
        tell(
            format!("{who}.ring"),
            ring.trim_end_matches([' ', '.']).to_owned(),
        );
        tell(format!("{who}.hand"), names(play, &player.hand));
        tell(format!("{who}.decksize"), player.deck.len().to_string());
        tell(format!("{who}.deck"), names(play, &player.deck));
        tell(format!("{who}.discards"), names(play, &player.discards));
        tell(format!("{who}.removed"), names(play, &player.removed));
        tell(format!("{who}.hp"), player.hp.to_string());
        tell(format!("{who}.sp"), player.sp.to_string());
        tell(format!("{who}.lost"), player.lost_sp.to_string());
        tell(format!("{who}.hurt"), player.nc_damaged.to_string());
        tell(
            format!("{who}.played"),
            format!("{}/{}", player.characters_played, player.characters_per_turn),
        );
        tell(format!("{who}.backed"), player.backups_played.to_string());
        tell(format!("{who}.turns"), player.extra_turns.to_string());
        let skips: Vec<&str> = player.skips.iter().map(|phase| phase.name()).collect();
        tell(format!("{who}.skips"), skips.join(" "));
        // What this player knows of the other one's hand and of both decks.
        let known = |cards: &[CardView]| -> Vec<String> {
            cards
                .iter()
                .filter(|card| card.model.is_some())
                .map(|card| play.name(card.card).to_owned())
                .collect()
        };
        tell(
            format!("{who}.knows"),
            known(&view.players[seat.other()].hand).join(" "),
        );
        let deck = |seat: Seat| -> String {
            let top = view.players[seat].deck.iter();
            let names: Vec<&str> = top
                .map(|model| model.map_or("?", |model| &*duel.game().model(model).name))
                .collect();
            names.join(" ")
        };
        tell(format!("{who}.sees.me.deck"), deck(Seat::One));
        tell(format!("{who}.sees.opp.deck"), deck(Seat::Two));
    }
    facts
}

fn names(play: &Play, cards: &[CardId]) -> String {
    let names: Vec<&str> = cards.iter().map(|card| play.name(*card)).collect();
    names.join(" ")
}

fn in_ring(play: &Play, slot: &cw_duel::CharacterSnapshot) -> String {
    let own = play.duel.true_model(slot.card);
    let mut words = format!("{}{}", play.name(slot.card), slot.bp);
    for (holds, mark) in [
        (slot.fresh, "*"),
        (slot.frozen, "^"),
        (slot.attacks, "!"),
        (slot.follows, "&"),
        (slot.blocks, "#"),
        (slot.activated, "%"),
    ] {
        if holds {
            words.push_str(mark);
        }
    }
    words.push_str(&"+".repeat(slot.backups.len()));
    match slot.ability {
        None => words.push('-'),
        Some(model) if Some(model) != own => {
            words.push('@');
            words.push_str(&play.duel.game().model(model).name);
        }
        Some(_) => {}
    }
    for keyword in &slot.keywords {
        words.push('~');
        words.push_str(keyword.word());
    }
    words
}

/// How often an auto of this card ran.
pub fn triggered(play: &Play, name: &str) -> usize {
    play.count(|event| matches!(event, DuelEvent::Triggered { card, .. } if play.name(card.card) == name))
}
