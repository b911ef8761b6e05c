//! Links that carry things: what is written is read back, what is damaged is recognised, what is for another
//! game is refused.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use cw_duel::{Chance, Duel, DuelSetup, Game, PerSeat, Seat, Seed, Silent};
use cw_load::{Loaded, load};
use cw_octgn::Folder;
use cw_players::RandomPlayer;
use cw_program::ModelId;
use cw_wire::{
    DuelTimeline, GameLink, LinkContent, LinkRefused, LinkedDeck, LinkedGame, MOST_PACKAGE, SharedDeck,
    SharedDuel, SharedStart, TimelineAct,
};

static SALTMARSH: LazyLock<Loaded> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    load(Folder::new(root)).expect("the demo game can be read")
});

fn game() -> &'static Arc<Game> {
    SALTMARSH.game.as_ref().expect("the demo game can be played")
}

fn lists() -> Vec<Vec<ModelId>> {
    SALTMARSH.decks.iter().map(|deck| deck.cards.clone()).collect()
}

/// How many to run: more where somebody wants more.
fn count(usual: u64) -> u64 {
    let count = std::env::var("CARDWRIGHT_DUELS").ok();
    count.and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// A duel by chance with any decks; some are none of the game's, some have a seed that is no number.
fn played(number: u64) -> (SharedStart, DuelTimeline) {
    let lists = lists();
    let many = lists.len() as u64;
    let at = |number: u64| lists[usize::try_from(number % many).expect("a few decks")].clone();
    let mut decks = PerSeat([at(number), at(number / many)]);
    if number.is_multiple_of(5) {
        // Another order is another deck.
        decks.0[0].rotate_left(1);
    }
    let seed = match number % 2 {
        0 => Seed::from(number),
        _ => Seed([u8::try_from(number % 251).expect("it is small"); 32]),
    };
    let first = [None, Some(Seat::One), Some(Seat::Two)][usize::try_from(number % 3).expect("it is small")];
    let setup = DuelSetup {
        chance: Chance::seeded(seed),
        first,
        script: Vec::new(),
        allow_illegal_decks: number.is_multiple_of(7),
    };
    let duel = Duel::new_with(Arc::clone(game()), &decks, setup, &mut Silent).expect("the decks are legal");
    let mut timeline = DuelTimeline::new(duel);
    let mut random = RandomPlayer::new(number);
    while let Some(decision) = timeline.now().pending().cloned() {
        let act = match (number % 11, timeline.len()) {
            (1, 40) => TimelineAct::GaveUp(decision.seat),
            (2, 30) => TimelineAct::AgreedDraw(decision.seat),
            (3, 20) => TimelineAct::Reseeded(decision.seat, Seed([9; 32])),
            _ => TimelineAct::Chose(random.pick(&decision)),
        };
        let auto = decision.options.len() == 1;
        timeline.take(act, auto, &mut Silent).expect("it is offered");
    }
    let start = SharedStart {
        seed,
        first,
        illegal_decks: number.is_multiple_of(7),
        twist: String::new(),
        decks: PerSeat::from_fn(|seat| LinkedDeck::of(&decks[seat], game(), &lists)),
        names: PerSeat(["Quarts".to_owned(), "Velours".to_owned()]),
        who: PerSeat(["person".to_owned(), "normal".to_owned()]),
    };
    (start, timeline)
}

fn link(what: LinkContent) -> GameLink {
    let game = LinkedGame::of(game());
    GameLink { game, what }
}

fn duel_link(start: &SharedStart, timeline: &DuelTimeline, at: usize, plays_on: bool) -> GameLink {
    let shared =
        SharedDuel::of(start.clone(), timeline, Seat::Two, at, plays_on).expect("it is not too long");
    link(LinkContent::Duel(Box::new(shared)))
}

/// Duels of chance take up to a few hundred choices. A link with one is not longer than this, nor is the
/// mean.
const LONGEST: usize = 700;
const USUAL: usize = 350;

/// What a link carries is read back from any message around it, and a duel in it goes as it went.
#[test]
fn a_duel_comes_back_from_its_link() {
    let lists = lists();
    let (mut sum, mut longest, mut choices) = (0, 0, 0);
    let duels = count(60);
    for number in 0..duels {
        let (start, timeline) = played(number);
        for (at, plays_on) in [
            (0, false),
            (timeline.len() / 2, false),
            (timeline.len() / 2, true),
        ] {
            let made = duel_link(&start, &timeline, at, plays_on);
            let letters = made.write().expect("it has room");
            let message = format!("Look:\nhttps://example.org/games/mine/?x=1#open={letters}\n(it is long)");
            for text in [&*letters, &message, &format!("cardwright open {letters}\n")] {
                assert_eq!(GameLink::read(text).as_ref(), Ok(&made), "{text}");
            }
            let LinkContent::Duel(duel) = made.what else {
                panic!("a duel")
            };
            let many = if plays_on { at } else { timeline.len() };
            assert_eq!((duel.len(), duel.at), (many, at));
            let opened = duel.play(game(), &lists).expect("it goes the same way");
            let steps: Vec<(TimelineAct, bool)> = timeline
                .taken()
                .iter()
                .take(many)
                .map(|step| (step.act, step.auto))
                .collect();
            assert_eq!(opened.steps, steps);
            if at == 0 {
                sum += letters.len();
                choices += many;
                longest = longest.max(letters.len());
            }
        }
    }
    let mean = sum / usize::try_from(duels).expect("a few");
    assert!(
        choices > 0 && mean <= USUAL && longest <= LONGEST,
        "{mean} letters, {longest} at most, {choices} choices"
    );
}

/// Whichever letter of a link is changed, left out or doubled: it is recognised, and nothing is opened.
#[test]
fn a_damaged_link_is_recognised() {
    let (start, timeline) = played(5);
    let deck = SharedDeck::of("Mine", &lists()[0], game());
    let scenario = LinkContent::Scenario {
        text: "[[scenario]]\n".repeat(9),
        index: 1,
    };
    let whole = [
        duel_link(&start, &timeline, 3, false),
        link(LinkContent::Deck(deck)),
        link(LinkContent::Stage("Low tide".into())),
        link(scenario),
        link(LinkContent::Package(vec![7; 40])),
    ];
    for made in whole {
        let letters = made.write().expect("it has room");
        assert_eq!(GameLink::read(&letters), Ok(made));
        for at in 0..letters.len() {
            let other = if letters.as_bytes()[at] == b'A' { "B" } else { "A" };
            let changed = format!("{}{other}{}", &letters[..at], &letters[at + 1..]);
            for text in [
                &*changed,
                &letters[..at],
                &format!("{}{}", &letters[..at], &letters[at + 1..]),
            ] {
                assert_eq!(GameLink::read(text), Err(LinkRefused::NoLink), "{text}");
            }
        }
    }
}

/// Bytes as nobody writes them, under a digest that fits: they are refused, or make something that can be
/// written and read again; nothing panics, also when it is played.
#[test]
fn nothing_in_a_link_can_do_harm() {
    let (start, timeline) = played(10);
    let lists = lists();
    let deck = SharedDeck::of("Mine", &lists[0], game());
    let stage = link(LinkContent::Stage("Low tide".into()));
    for made in [
        duel_link(&start, &timeline, 3, false),
        link(LinkContent::Deck(deck)),
        stage,
    ] {
        let plain = made.write_plain().expect("it has room");
        assert_eq!(GameLink::of_bytes(&plain).as_ref(), Ok(&made));
        let said = &plain[..plain.len() - 4];
        for at in 0..said.len() {
            for value in [
                0,
                1,
                119,
                120,
                123,
                125,
                126,
                127,
                128,
                254,
                255,
                said[at].wrapping_add(1),
            ] {
                let mut bytes = said.to_vec();
                bytes[at] = value;
                let digest = blake3::hash(&bytes);
                bytes.extend(&digest.as_bytes()[..4]);
                let Ok(read) = GameLink::of_bytes(&bytes) else {
                    continue;
                };
                assert_eq!(
                    GameLink::read(&read.write().expect("it was read")).as_ref(),
                    Ok(&read)
                );
                match read.what {
                    LinkContent::Duel(duel) => drop(duel.play(game(), &lists)),
                    LinkContent::Deck(deck) => drop(deck.cards(game())),
                    LinkContent::Stage(_)
                    | LinkContent::Scenario { .. }
                    | LinkContent::Package(_)
                    | LinkContent::Run(_) => {}
                }
            }
        }
    }
}

/// A link for another game, of other rules or with other cards is refused in one sentence that names both.
#[test]
fn what_is_not_of_this_game_is_refused_with_both_names() {
    let own = LinkedGame::of(game());
    assert_eq!(own.must_play_alike(&own), Ok(()));
    let other = LinkedGame::named("Harbour", "0000 abc");
    let why = other.must_be(&own).unwrap_err().to_string();
    assert_eq!(why, "the link is for “Harbour”, and this table has “Saltmarsh”");
    let namesake = LinkedGame::named("Saltmarsh", "0000 abc");
    let why = namesake.must_be(&own).unwrap_err().to_string();
    assert_eq!(
        why,
        "the link is for another game that is called “Saltmarsh”, too"
    );
    let id = game().fingerprint.split(' ').next().expect("an id");
    let changed = LinkedGame::named("Saltmarsh", &format!("{id} changed"));
    assert_eq!(
        changed.must_be(&own),
        Ok(()),
        "decks and puzzles go on with other versions"
    );
    let why = changed.must_play_alike(&own).unwrap_err().to_string();
    assert!(
        why.starts_with("the duel was played with another version of “Saltmarsh” ("),
        "{why}"
    );
    let why = own
        .clone()
        .with_rules("cardwright duel 1")
        .must_play_alike(&own)
        .unwrap_err()
        .to_string();
    let rules = cw_duel::RULES_VERSION;
    assert_eq!(
        why,
        format!("the duel was played by the rules “cardwright duel 1”, and this table plays by “{rules}”")
    );
}

/// A deck is found again by what its cards are, not by where they stand; what is missing is counted.
#[test]
fn a_deck_comes_back_with_its_cards() {
    for (deck, loaded) in lists().iter().zip(&SALTMARSH.decks) {
        let shared = SharedDeck::of(&loaded.name, deck, game());
        let letters = link(LinkContent::Deck(shared.clone()))
            .write()
            .expect("it has room");
        assert!(letters.len() < 400, "{}", letters.len());
        assert_eq!(shared.cards(game()).as_ref(), Ok(deck));
        assert_eq!(shared.len(), deck.len());
    }
    let mut renamed = Game::clone(game());
    let mut models = renamed.models.clone();
    let taken = usize::from(lists()[0][0].0);
    models[taken].name = "Nobody".into();
    renamed.models = models;
    let why = SharedDeck::of("Mine", &lists()[0], game())
        .cards(&renamed)
        .unwrap_err();
    assert!(
        matches!(why, LinkRefused::UnknownCards { missing: 1, .. }),
        "{why}"
    );
}

/// What is too large is refused with both sizes before anything is written.
#[test]
fn a_link_has_its_limits() {
    let archive = vec![0; MOST_PACKAGE + 1];
    let why = link(LinkContent::Package(archive))
        .write()
        .unwrap_err()
        .to_string();
    assert_eq!(
        why,
        "a link carries a game of at most 32768 bytes, and this has 32769"
    );
    let why = GameLink::read(&"A".repeat(70_000)).unwrap_err();
    assert_eq!(why, LinkRefused::NoLink);
    assert_eq!(GameLink::read("").unwrap_err(), LinkRefused::NoLink);
    assert_eq!(
        GameLink::read("cardwright open").unwrap_err(),
        LinkRefused::NoLink
    );
}

/// A run is its record in a link of less than a kilobyte, however long it is; a longer one is refused.
#[test]
fn a_run_comes_back_from_its_link() {
    let record = format!("2026-11-27.{}", "p0p1p2f0lf1wcf1wmr12".repeat(30));
    let made = link(LinkContent::Run(record));
    let letters = made.write().expect("it has room");
    assert!(letters.len() < 1000, "{}", letters.len());
    assert_eq!(GameLink::read(&letters).as_ref(), Ok(&made));
    let long = link(LinkContent::Run("p".repeat(1001)));
    assert!(matches!(long.write(), Err(LinkRefused::TooLarge { .. })));
}
