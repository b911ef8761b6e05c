//! What a player may not know does not show, also inside effects: other duels with the same view
//! give the same view, options and log, until the player is shown what differs (D50, G267–G274).

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use cw_duel::{
    CardId, Choice, Decision, Duel, DuelEvent, DuelObject, Game, PerSeat, Question, Seat, SeatSet, Sink,
    StepResult, TraceValue, Traced, ZoneKind,
};
use cw_load::{Loaded, load};
use cw_octgn::Folder;
use cw_players::RandomPlayer;
use cw_program::PileName;
use cw_words::EventReader;

/// D50, G205, G267–G274: at more than ten thousand random positions of demo duels, inside effects
/// too, what a seat cannot know is dealt anew: its view and options are the same, and so is its log
/// as both duels go on; every kind of looking, searching and shuffling is met on the way.
#[test]
fn what_is_hidden_does_not_show() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let game = loaded.game.clone().expect("the demo game can be played");
    let mut found = Found::default();
    let mut seed = 0;
    while found.positions < positions() {
        play_and_compare(&game, &loaded, seed, &mut found);
        seed += 1;
    }
    let Found {
        positions,
        inside,
        differed,
        differed_inside,
        failed,
        answers,
        shown,
        variables,
        kinds,
    } = &found;
    let summary = format!("{found:?}");
    eprintln!("{summary}");
    assert!(*inside * 10 > *positions, "{summary}");
    assert!(*differed * 2 > *positions, "{summary}");
    assert!(*differed_inside * 4 > *inside, "{summary}");
    assert!(*failed * 50 < *inside, "{summary}");
    assert!(*answers > *positions && *shown > 0, "{summary}");
    assert!(*variables > 1000, "{summary}");
    for kind in KINDS {
        assert!(kinds.contains_key(kind), "no {kind}: {summary}");
    }
}

/// The ways to learn something hidden, or to unlearn it, as the demo's cards have them.
const KINDS: [&str; 11] = [
    "draw",
    "discard",
    "look at the hand",
    "look at the top of the deck",
    "move the revealed cards",
    "reveal",
    "reveal the pile",
    "shuffle",
    "discard from the deck",
    "search a deck",
    "choose from a hand",
];

#[derive(Debug, Default)]
struct Found {
    /// Positions at which the hidden was dealt anew.
    positions: u64,
    /// Of these, inside an effect.
    inside: u64,
    /// Where it really was another duel.
    differed: u64,
    differed_inside: u64,
    /// Inside effects: nothing was found that looks the same.
    failed: u64,
    /// Answers given to both.
    answers: u64,
    /// Comparisons that ended because the seat was shown a card.
    shown: u64,
    /// Values of variables that were compared.
    variables: u64,
    /// What was compared.
    kinds: BTreeMap<String, u64>,
}

fn play_and_compare(game: &Arc<Game>, loaded: &Loaded, seed: u64, found: &mut Found) {
    let swap = (seed % 2) as usize;
    let decks = PerSeat([
        loaded.decks[swap].cards.clone(),
        loaded.decks[1 - swap].cards.clone(),
    ]);
    let mut duel = Duel::new(Arc::clone(game), &decks, seed).expect("the decks are legal");
    let mut random = RandomPlayer::new(seed);
    let mut turn = 0;
    while let Some(decision) = duel.pending().cloned() {
        let inside = decision.place.is_some();
        turn += 1;
        // All positions inside effects, and some of the others.
        if inside || turn % 3 == 0 {
            let seat = Seat::from_index((seed as usize + turn) % 2);
            found.positions += 1;
            found.inside += u64::from(inside);
            match duel.with_unknown_redealt(seat, seed + turn as u64) {
                Some(other) => {
                    let differs = u64::from(other.hash() != duel.hash());
                    found.differed += differs;
                    found.differed_inside += u64::from(inside) * differs;
                    let mut same = RandomPlayer::new(seed + turn as u64);
                    go_on_alike(&duel, other, seat, &mut same, found);
                }
                None => {
                    assert!(inside, "outside effects there is always another deal");
                    found.failed += 1;
                }
            }
        }
        duel.answer_silently(random.pick(&decision))
            .expect("an option is accepted");
    }
}

/// Plays both on by the same choices, and compares all that the seat sees. It ends when the seat is
/// shown a card it did not know, or the other player decides by what it knows.
fn go_on_alike(duel: &Duel, mut other: Duel, seat: Seat, random: &mut RandomPlayer, found: &mut Found) {
    let mut duel = duel.clone();
    for _ in 0..6 {
        if searches_otherwise(&duel, &other, seat) {
            found.shown += 1;
            return;
        }
        assert_same_view(&duel, &other, seat);
        let (Some(decision), Some(others)) = (duel.pending().cloned(), other.pending().cloned()) else {
            assert_eq!(duel.outcome(), other.outcome());
            return;
        };
        assert_eq!(decision.seat, others.seat);
        let choice = if decision.seat == seat {
            assert_eq!(decision, others);
            assert_eq!(
                cw_words::question(reader(&duel, seat), &decision),
                cw_words::question(reader(&other, seat), &others)
            );
            count_question(&decision, found);
            random.pick(&decision)
        } else {
            let open = |decision: &Decision| -> Option<Choice> {
                let options = decision.options.iter().copied();
                options.rev().find(|choice| is_open(*choice))
            };
            match open(&decision) {
                Some(choice) if others.options.contains(&choice) && decision.place.is_none() => choice,
                _ => return,
            }
        };
        found.answers += 1;
        let reordered = by_name(&duel, seat.other()) != by_name(&other, seat.other());
        let mut logs = [&duel, &other].map(|duel| SeenBy::new(duel, seat, reordered));
        duel.answer(choice, &mut logs[0]).expect("it was offered");
        other
            .answer(choice, &mut logs[1])
            .expect("it was offered to both");
        let [one, two] = logs;
        let until = one
            .shown
            .unwrap_or(usize::MAX)
            .min(two.shown.unwrap_or(usize::MAX));
        let common = one.lines.len().min(two.lines.len()).min(until);
        assert_eq!(one.lines[..common], two.lines[..common]);
        found.variables += one.variables;
        for kind in one.kinds {
            *found.kinds.entry(kind).or_default() += 1;
        }
        if until != usize::MAX {
            found.shown += 1;
            return;
        }
        assert_eq!(one.lines, two.lines, "after {choice:?}");
        assert_eq!(words(&duel, seat, &one.events), words(&other, seat, &two.events));
    }
}

/// The cards of a hand in the order in which chance counts them: by name (D77).
fn by_name(duel: &Duel, seat: Seat) -> Vec<CardId> {
    let mut hand: Vec<_> = duel.glance(seat).hand().collect();
    hand.sort_by_key(|(_, model)| *model);
    hand.into_iter().map(|(card, _)| card).collect()
}

/// D77, D50: chance counts the cards of a hand by name, so which number takes a card that a player knows
/// depends on cards that it does not know. That tells nothing: whatever they are, one number of those
/// that are equally likely takes it, and nobody reads the number.
#[test]
fn what_chance_takes_tells_nothing_of_the_rest() {
    let cards = "
        Loss action: action = rndDiscard() to(opp)
        Bounce action: action = moveTo(ctrlHand) to(character@oppRing)
    ";
    let mut numbers = std::collections::BTreeSet::new();
    for rest in ["Aid Foe", "Aid Wall", "Foe Aid", "Rook Wall", "Wall Aid"] {
        let takers: Vec<u32> = (0..3)
            .filter(|number| {
                let position =
                    format!("me.sp 10; me.hand Loss Bounce; opp Knave; opp.hand {rest}; random {number}");
                let mut play = cw_stage::start(cards, &position);
                cw_stage::go(&mut play, "play Bounce, play Loss");
                let rolls = play
                    .events
                    .iter()
                    .filter(|event| matches!(event, DuelEvent::Rolled { .. }));
                let mut rolls = rolls.inspect(|roll| {
                    for seat in Seat::BOTH {
                        assert_eq!(cw_words::event(reader(&play.duel, seat), roll), None);
                    }
                });
                assert_eq!(rolls.by_ref().count(), 1, "one number of three");
                let hand: Vec<_> = play.duel.glance(Seat::Two).hand().collect();
                assert_eq!(hand.len(), 2);
                hand.iter().all(|(card, _)| play.name(*card) != "Knave")
            })
            .collect();
        let [number] = takers[..] else {
            panic!("{takers:?} of 0, 1, 2 take the Knave beside {rest}");
        };
        numbers.insert(number);
    }
    assert_eq!(numbers.len(), 3, "it is another number beside other cards");
}

/// Whether the seat is shown cards of a deck to choose from, and they are not the same ones: the
/// question is the moment at which it gets to know them.
fn searches_otherwise(duel: &Duel, other: &Duel, seat: Seat) -> bool {
    let searched = |duel: &Duel| -> Option<Decision> {
        let decision = duel.pending().filter(|decision| decision.seat == seat)?;
        let Question::Target {
            pile: Some((_, PileName::Deck)),
            ..
        } = decision.question
        else {
            return None;
        };
        Some(decision.clone())
    };
    match (searched(duel), searched(other)) {
        (Some(one), Some(two)) => one.options != two.options && one.place == two.place,
        _ => false,
    }
}

/// Part by part, so that a difference can be read.
#[track_caller]
fn assert_same_view(duel: &Duel, other: &Duel, seat: Seat) {
    let (one, two) = (duel.view(seat), other.view(seat));
    assert_eq!(one.to_decide, two.to_decide);
    assert_eq!(one.decision, two.decision);
    for whose in Seat::BOTH {
        let (one, two) = (&one.players[whose], &two.players[whose]);
        assert_eq!(one.hand, two.hand);
        assert_eq!(one.deck, two.deck);
        assert_eq!(one.discards, two.discards);
        assert_eq!(one.ring, two.ring);
    }
    assert_eq!(one, two);
}

fn reader(duel: &Duel, seat: Seat) -> EventReader<'_> {
    EventReader {
        duel,
        seat: Some(seat),
    }
}

fn words(duel: &Duel, seat: Seat, events: &[DuelEvent]) -> Vec<String> {
    events
        .iter()
        .filter_map(|event| cw_words::event(reader(duel, seat), event))
        .collect()
}

/// Choices of the other player that do not depend on hidden cards.
fn is_open(choice: Choice) -> bool {
    match choice {
        Choice::Pass
        | Choice::Decline
        | Choice::Attack(_)
        | Choice::Join(_)
        | Choice::CancelAttack(_)
        | Choice::Block(_)
        | Choice::CancelBlock(_)
        | Choice::Slot(_) => true,
        Choice::Play(_)
        | Choice::BackUp(_)
        | Choice::Activate(_)
        | Choice::Card(_)
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
        | Choice::Done => false,
    }
}

fn count_question(decision: &Decision, found: &mut Found) {
    let kind = match decision.question {
        Question::Target {
            pile: Some((_, PileName::Deck)),
            ..
        } => "search a deck",
        Question::Discard { .. }
        | Question::Target {
            pile: Some((_, PileName::Hand)),
            ..
        } => "choose from a hand",
        Question::Prophecy { .. } => "look at the top of the deck",
        _ => return,
    };
    *found.kinds.entry(kind.to_owned()).or_default() += 1;
}

/// The log of one player.
struct SeenBy {
    seat: Seat,
    before: Duel,
    lines: Vec<String>,
    events: Vec<DuelEvent>,
    kinds: Vec<String>,
    /// Variables that the seat may know.
    variables: u64,
    /// The line at which the seat was shown a card that it did not know, or which of the other's cards
    /// chance took, where their order is another one.
    shown: Option<usize>,
    /// Whether chance has decided something by a number that no player is told.
    rolled: bool,
    /// Whether the cards of the other's hand stand in another order in the duel that is compared. Chance
    /// counts them by name (D77), so that the same number takes another one.
    reordered: bool,
}

impl SeenBy {
    fn new(before: &Duel, seat: Seat, reordered: bool) -> SeenBy {
        SeenBy {
            reordered,
            seat,
            before: before.clone(),
            lines: Vec::new(),
            events: Vec::new(),
            kinds: Vec::new(),
            variables: 0,
            shown: None,
            rolled: false,
        }
    }

    fn card(&mut self, card: cw_duel::Seen) {
        let model = card.model(self.seat);
        if model.is_some() && self.before.known_model(self.seat, card.card).is_none() {
            self.shown.get_or_insert(self.lines.len());
        }
    }
}

impl Sink for SeenBy {
    fn event(&mut self, event: &DuelEvent) {
        match event {
            // Traces are for authors; what they did is among the other events.
            DuelEvent::Step {
                place,
                result: StepResult::Effect(_),
                ..
            } => {
                let model = self.before.game().model(place.model);
                let program = model.program.as_ref();
                self.kinds
                    .extend(program.and_then(|program| program.statement_at(place.step)));
                return;
            }
            DuelEvent::Step { .. } | DuelEvent::Failed { .. } => return,
            DuelEvent::Rolled { coin: false, .. } => self.rolled = true,
            DuelEvent::Moved { card, from, .. }
                if self.rolled
                    && self.reordered
                    && from.seat != self.seat
                    && from.zone == ZoneKind::Pile(PileName::Hand)
                    && card.model(self.seat).is_some() =>
            {
                self.shown.get_or_insert(self.lines.len());
            }
            DuelEvent::Moved { card, to, .. } => {
                self.card(*card);
                let hand = ZoneKind::Pile(PileName::Hand);
                self.reordered |= to.seat != self.seat && to.zone == hand;
            }
            DuelEvent::Played { card, .. } | DuelEvent::Shown { card } => self.card(*card),
            _ => {}
        }
        self.events.push(*event);
        self.lines.push(as_known_to(self.seat, event));
    }

    fn wants_trace(&self) -> bool {
        true
    }

    /// The variables of what runs for the seat, as far as they are for its eyes.
    fn traced(&mut self, line: &Traced) {
        if line.executor != self.seat || line.depth == 0 {
            return;
        }
        let known = |object: &DuelObject| match object.as_card().and_then(|card| line.seen(card)) {
            Some(seen) => format!("{:?}", seen.model(self.seat)),
            None => format!("{object:?}"),
        };
        for variable in line
            .variables
            .iter()
            .filter(|variable| variable.to.contains(self.seat))
        {
            self.variables += 1;
            self.lines.push(match &variable.value {
                TraceValue::Text(text) => format!("{} = {text}", variable.name),
                TraceValue::Objects(objects) => {
                    let objects: Vec<String> = objects.iter().map(known).collect();
                    format!("{} = {objects:?}", variable.name)
                }
            });
        }
    }
}

/// An event with of each card only what the seat knew.
fn as_known_to(seat: Seat, event: &DuelEvent) -> String {
    let text = format!("{event:?}");
    let mut parts = text.split("Seen { card: ");
    let mut known = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (card, part) = part.split_once(", model: ").expect("a model");
        let (model, part) = part.split_once(", to: SeatSet(").expect("who knows it");
        let (to, rest) = part.split_once(") }").expect("the end");
        let knows = SeatSet(to.parse().expect("a set of players")).contains(seat);
        known += &format!("{card} {}{rest}", if knows { model } else { "?" });
    }
    known
}

/// How many positions to look at: more where somebody wants more.
fn positions() -> u64 {
    std::env::var("CARDWRIGHT_POSITIONS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(10_000)
}
