//! D108 over random edits of the demo game: after each a duel goes on from the same position or says why not,
//! and what is hidden does not show.

use std::collections::BTreeMap;
use std::path::Path;

use cw_duel::{CardId, CarryFault, Decks, Duel, Game, GameChange, PerSeat, Seat, SeatSet, Snapshot};
use cw_load::{Loaded, load};
use cw_octgn::{Folder, MemoryFiles, PackageFiles as _};
use cw_players::RandomPlayer;
use cw_program::ModelId;
use cw_text::Severity;
use cw_wire::DuelTimeline;

const RULES: &str = "Rules/core.rules";
const SET: &str = "Sets/48bbf5e7-da58-470c-b58b-b642cac888f3/set.xml";

/// How many edits are tried; `CARDWRIGHT_EDITS=500` runs the campaign.
fn edits() -> u64 {
    let wanted = std::env::var("CARDWRIGHT_EDITS").ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(40)
}

#[derive(Debug, Default)]
struct CarryTally {
    /// The package had errors: the duel goes on with the game as it was.
    errors: u64,
    /// Nothing that counts has changed.
    alike: u64,
    goes_on: u64,
    /// Of these, from a step before an effect.
    back: u64,
    /// Where something had come to light since.
    reshuffled: u64,
    noted: u64,
    refused: BTreeMap<String, u64>,
    pairs: u64,
    /// Pairs inside of effects.
    inside: u64,
}

/// D108, D50: two random players and a random edit after a few choices, over and over; see the module.
#[test]
fn after_random_edits_a_duel_goes_on_or_says_why_not() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let original = MemoryFiles::copy_of(&Folder::new(root), 1 << 24).expect("the demo game can be read");
    let (mut files, mut loaded) = (original.clone(), load(original.clone()).expect("it is there"));
    let mut chance = RandomPlayer::new(43);
    let mut timeline = begin(&loaded, &mut chance);
    let mut tally = CarryTally::default();
    let mut edit = 0;
    while edit < edits() {
        for _ in 0..chance.below(14) {
            match timeline.now().pending().map(|decision| chance.pick(decision)) {
                Some(choice) => timeline.answer(choice).expect("it was offered"),
                None => timeline = begin(&loaded, &mut chance),
            }
        }
        if timeline.now().outcome().is_some() {
            continue;
        }
        edit += 1;
        let (edited, what) = edited(&files, &mut chance);
        let next = load(edited.clone()).expect("it is in memory");
        // A broken deck keeps nobody from playing on.
        let is_deck = |found: &cw_text::Diagnostic| {
            let source = next.project.package.sources.find(found.file);
            source.is_some_and(|source| source.name.ends_with(".o8d"))
        };
        let is_wrong = |found: &cw_text::Diagnostic| found.severity == Severity::Error && !is_deck(found);
        let Some(new) = next
            .game
            .clone()
            .filter(|_| !next.project.check().found.iter().any(is_wrong))
        else {
            tally.errors += 1;
            continue;
        };
        let change = GameChange::between(timeline.now().game(), &new);
        tally.alike += u64::from(change.is_empty());
        hides_what_is_hidden(timeline.now(), &change, edit, &what, &mut tally);
        match timeline.carried(&change) {
            Ok(carried) => {
                let from = timeline.at(timeline.len() - carried.back);
                let now = carried.timeline.now();
                now.check_invariants()
                    .unwrap_or_else(|why| panic!("edit {edit}, {what}: {why}"));
                assert!(
                    now.outcome().is_some()
                        || now.pending().is_some_and(|decision| !decision.options.is_empty()),
                    "edit {edit}, {what}: nobody is asked"
                );
                if !carried.reshuffled {
                    assert_eq!(
                        position(&from, Some(&change)),
                        position(now, None),
                        "edit {edit}, {what}"
                    );
                }
                for note in &carried.notes {
                    let words = cw_words::carry_note(*note, now.game());
                    names_nothing_hidden(&words, &from, &format!("edit {edit}, {what}"));
                }
                tally.goes_on += 1;
                tally.back += u64::from(carried.back > 0);
                tally.reshuffled += u64::from(carried.reshuffled);
                tally.noted += u64::from(!carried.notes.is_empty());
                timeline = carried.timeline;
                (files, loaded) = (edited, next);
            }
            Err(fault) => {
                let words = cw_words::carry_fault(&fault, &change);
                assert!(!words.is_empty());
                names_nothing_hidden(&words, timeline.now(), &format!("edit {edit}, {what}"));
                *tally.refused.entry(kind(&fault)).or_default() += 1;
                // It would go on with the old rules; the author begins again with the new ones, and so that
                // cards do not run out, with the game as it was at first.
                (files, loaded) = (original.clone(), load(original.clone()).expect("it is there"));
                timeline = begin(&loaded, &mut chance);
            }
        }
    }
    let summary = format!("{tally:?}");
    eprintln!("{summary}");
    assert!(tally.goes_on * 2 > edits(), "{summary}");
    assert!(
        tally.pairs > edits() && tally.inside > 0 && tally.back > 0,
        "{summary}"
    );
    assert!(
        edits() < 400 || tally.reshuffled > 0 && tally.noted > 0,
        "{summary}"
    );
    assert!(edits() < 400 || tally.refused.len() > 1, "{summary}");
}

fn kind(fault: &CarryFault) -> String {
    let words = format!("{fault:?}");
    words.split([' ', '(']).next().unwrap_or_default().to_owned()
}

fn begin(loaded: &Loaded, chance: &mut RandomPlayer) -> DuelTimeline {
    let game = loaded.game.clone().expect("it can be played");
    let deck = |at: usize| loaded.decks[at].cards.clone();
    let decks: Decks = PerSeat::from_fn(|_| deck(chance.below(loaded.decks.len())));
    let setup = cw_duel::DuelSetup {
        allow_illegal_decks: true,
        ..cw_duel::DuelSetup::from(chance.below(1 << 30) as u64)
    };
    DuelTimeline::new(Duel::new(game, &decks, setup).expect("the decks can be played"))
}

/// Another deal of what a seat does not know is carried alike, as far as the seat can see; and what is
/// refused is refused in the same words.
fn hides_what_is_hidden(duel: &Duel, change: &GameChange, edit: u64, what: &str, tally: &mut CarryTally) {
    for seat in Seat::BOTH {
        let Some(other) = duel.with_unknown_redealt(seat, edit) else {
            continue;
        };
        tally.pairs += 1;
        tally.inside += u64::from(duel.pending().is_some_and(|decision| decision.place.is_some()));
        match (duel.carried(change), other.carried(change)) {
            (Ok(one), Ok(two)) => {
                assert_eq!(
                    one.duel.view(seat),
                    two.duel.view(seat),
                    "edit {edit}, {what}, {seat:?}"
                );
                assert_eq!(one.notes, two.notes, "edit {edit}, {what}, {seat:?}");
            }
            (one, two) => assert_eq!(one.err(), two.err(), "edit {edit}, {what}, {seat:?}"),
        }
    }
}

/// No sentence names a card that only lies where not everybody can see it.
fn names_nothing_hidden(words: &str, duel: &Duel, when: &str) {
    let cards = duel.snapshot();
    let mut all = Vec::new();
    for seat in Seat::BOTH {
        let player = &cards.players[seat];
        all.extend(player.hand.iter().chain(&player.deck).copied());
    }
    let known = |model: ModelId| {
        let everywhere = (0..250).map(CardId);
        let mut same = everywhere.filter(|card| duel.true_model(*card) == Some(model));
        let everybody = |card| {
            let knows = |seat| duel.known_model(seat, card).is_some();
            match (knows(Seat::One), knows(Seat::Two)) {
                (true, true) => SeatSet::BOTH,
                _ => SeatSet::NONE,
            }
        };
        same.any(|card| everybody(card) == SeatSet::BOTH)
    };
    let told: Vec<ModelId> = cards.listeners.iter().map(|listener| listener.model).collect();
    for card in all {
        let model = duel.true_model(card).expect("it is a card of the duel");
        let name = &duel.game().model(model).name;
        assert!(
            known(model) || told.contains(&model) || !words.contains(&format!("“{name}”")),
            "{when}: “{words}” names {name}"
        );
    }
}

/// The position by ids of cards; with a change, as it is to stand after it.
fn position(duel: &Duel, change: Option<&GameChange>) -> Vec<String> {
    let (cards, game): (Snapshot, &Game) = (duel.snapshot(), duel.game());
    let model = |card: CardId| duel.true_model(card).expect("it is a card of the duel");
    let ids = |cards: &[CardId]| -> Vec<&str> {
        let ids = cards.iter().map(|card| &*game.model(model(*card)).id);
        ids.collect()
    };
    let bp = |card: CardId, bp: i32| {
        let printed = change.map(|change| {
            let now = change.number(model(card)).expect("it is not gone");
            change.new_game().model(now).bp - game.model(model(card)).bp
        });
        let moved = bp + printed.unwrap_or(0);
        if moved > 0 { moved } else { bp }
    };
    let mut told = vec![format!(
        "{} {:?} {:?} {:?} {:?} {:?}",
        cards.turn, cards.phase, cards.active, cards.united, cards.blocks, cards.chance
    )];
    for seat in Seat::BOTH {
        let player = &cards.players[seat];
        told.push(format!(
            "{} {} {} {} {:?}",
            player.hp, player.sp, player.characters_played, player.backups_played, player.skips
        ));
        for pile in [&player.hand, &player.deck, &player.discards, &player.removed] {
            told.push(format!("{pile:?} {:?}", ids(pile)));
        }
        for fighter in player.ring.iter().flatten() {
            let (card, bp) = (fighter.card, bp(fighter.card, fighter.bp));
            told.push(format!(
                "{card:?} {:?} {bp} {} {} {} {:?}",
                ids(&[card]),
                fighter.fresh,
                fighter.frozen,
                fighter.activated,
                fighter.backups
            ));
        }
    }
    told
}

/// The package with one thing changed, and what.
fn edited(files: &MemoryFiles, chance: &mut RandomPlayer) -> (MemoryFiles, String) {
    let read = |name: &str| {
        let bytes = files.read(name, u64::MAX).expect("it is there");
        String::from_utf8(bytes).expect("it is text")
    };
    let (rules, set) = (read(RULES), read(SET));
    let (name, text, what) = match chance.below(12) {
        0 => with_number(SET, &set, chance, &["name=\"BP\"", "name=\"SP\""]),
        1 => with_number(SET, &set, chance, &["name=\"BP\""]),
        2 => {
            let name = "name=\"Kind\" value=\"Character\"";
            let all: Vec<usize> = set.match_indices(name).map(|(at, _)| at).collect();
            let at = all[chance.below(all.len())];
            let text = format!(
                "{}name=\"Kind\" value=\"Action\"{}",
                &set[..at],
                &set[at + name.len()..]
            );
            (SET, text, "a character becomes an action".to_owned())
        }
        3 => {
            let cards: Vec<(usize, usize)> = parts(&set, "    <card id=", "    </card>\n");
            let (start, end) = cards[chance.below(cards.len())];
            let text = format!("{}{}", &set[..start], &set[end..]);
            (SET, text, "a card is gone".to_owned())
        }
        4 => {
            let sections = sections(&rules);
            let (start, end) = sections[chance.below(sections.len())];
            let text = format!("{}{}", &rules[..start], &rules[end..]);
            (RULES, text, "a rule is gone".to_owned())
        }
        5 | 6 => with_number(RULES, &rules, chance, &["action", "auto"]),
        7 => with_word(
            &rules,
            chance,
            &[
                "~myBackedUp",
                "~myActivatePhase",
                "~myCleanupPhase",
                "~anyRingChanges",
            ],
        ),
        8 => with_word(&rules, chance, &["+pierce", "+rush", "+unblockable", "+frosted"]),
        9 => with_word(&rules, chance, &["freeze(", "draw(", "destroy(", "unfreeze("]),
        10 => {
            // The rule of one card for another one.
            let sections = sections(&rules);
            let one = sections[chance.below(sections.len())];
            let two = sections[chance.below(sections.len())];
            let body = |(start, end): (usize, usize)| {
                let after = rules[start..end].find('\n').map_or(end, |line| start + line + 1);
                (after, end)
            };
            let (from, to) = (body(one), body(two));
            let mut text = rules.clone();
            text.replace_range(to.0..to.1, &rules[from.0..from.1]);
            (RULES, text, "the rule of another card".to_owned())
        }
        _ => {
            let lines: Vec<&str> = rules.lines().collect();
            let at = chance.below(lines.len());
            let mut kept = lines.clone();
            kept.remove(at);
            (RULES, kept.join("\n") + "\n", format!("without “{}”", lines[at]))
        }
    };
    (files.clone().with(name, text), what)
}

fn parts(text: &str, from: &str, to: &str) -> Vec<(usize, usize)> {
    let starts = text.match_indices(from).map(|(at, _)| at);
    starts
        .filter_map(|start| Some((start, start + text[start..].find(to)? + to.len())))
        .collect()
}

/// The sections of a file of rules, from the id on.
fn sections(rules: &str) -> Vec<(usize, usize)> {
    let starts: Vec<usize> = rules.match_indices("\n[").map(|(at, _)| at + 1).collect();
    let ends = starts.iter().skip(1).copied().chain([rules.len()]);
    starts.iter().copied().zip(ends).collect()
}

/// Another number in a line that contains one of these words.
fn with_number(
    name: &'static str,
    text: &str,
    chance: &mut RandomPlayer,
    words: &[&str],
) -> (&'static str, String, String) {
    let mut at = 0;
    let mut places: Vec<(usize, usize)> = Vec::new();
    for line in text.split_inclusive('\n') {
        if words.iter().any(|word| line.contains(word)) {
            let from = words.iter().filter_map(|word| line.find(word)).min().unwrap_or(0);
            let digits = |letter: char| letter.is_ascii_digit();
            if let Some(start) = line[from..].find(digits).map(|found| from + found) {
                let length = line[start..].find(|letter| !digits(letter)).unwrap_or(1);
                places.push((at + start, at + start + length));
            }
        }
        at += line.len();
    }
    let (start, end) = places[chance.below(places.len())];
    let number = match text[start..end].parse::<u32>() {
        Ok(number) if number >= 100 => (1 + chance.below(12)) * 100,
        _ => chance.below(9),
    };
    let what = format!("{} becomes {number} in {name}", &text[start..end]);
    (name, format!("{}{number}{}", &text[..start], &text[end..]), what)
}

/// One of these words for another one.
fn with_word(text: &str, chance: &mut RandomPlayer, words: &[&str]) -> (&'static str, String, String) {
    let places: Vec<(usize, &str)> = words.iter().flat_map(|word| text.match_indices(word)).collect();
    let Some((at, was)) = (!places.is_empty()).then(|| places[chance.below(places.len())]) else {
        return (RULES, text.to_owned(), "nothing".to_owned());
    };
    let other = words[chance.below(words.len())];
    let text = format!("{}{other}{}", &text[..at], &text[at + was.len()..]);
    (RULES, text, format!("{was} becomes {other}"))
}
