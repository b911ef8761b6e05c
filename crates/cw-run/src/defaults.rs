//! What a run is in a package that says nothing of it.

use cw_duel::Game;
use cw_load::{Loaded, RuleTwist, TwistChange, TwistLine, TwistNumber, TwistSide};
use cw_program::{ModelId, RuleFlag};

use crate::way::{RunCharm, RunFoe, RunStep};

pub(crate) const ABOUT: &str = "Seven duels, each stronger than the one before.";

/// Cards of a starter.
const STARTER: usize = 15;
/// Places on the way.
const STEPS: usize = 7;
/// Where bosses wait.
const BOSSES: [usize; 3] = [2, 4, 6];

/// The first copies of a deck's cards, then the second ones, and so on.
pub(crate) fn starter(deck: &[ModelId]) -> Vec<ModelId> {
    let mut left = deck.to_vec();
    let mut cards = Vec::new();
    while !left.is_empty() && cards.len() < STARTER {
        let mut later = Vec::new();
        let mut round: Vec<ModelId> = Vec::new();
        for card in left {
            if round.contains(&card) {
                later.push(card);
            } else {
                round.push(card);
            }
        }
        cards.extend(round);
        left = later;
    }
    cards.truncate(STARTER);
    cards
}

/// The level of a foe at a step who has none of their own.
pub(crate) fn level(step: usize, steps: usize) -> &'static str {
    const LEVELS: [&str; 7] = ["plain", "plain", "novice", "novice", "easy", "easy", "normal"];
    let last = steps.saturating_sub(1).max(1);
    LEVELS[(step * (LEVELS.len() - 1) / last).min(LEVELS.len() - 1)]
}

/// The opponents of the package; without any, one for each deck.
pub(crate) fn foes(loaded: &Loaded, decks: &[(&str, &[ModelId])]) -> Vec<RunFoe> {
    let opponents = loaded.project.config.opponents.iter().map(|one| {
        let wanted = one.deck.as_ref().map_or("", |deck| &*deck.name);
        let deck = decks.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        let (name, cards) = deck.copied().unwrap_or(decks[0]);
        RunFoe {
            name: one.name.clone(),
            card: one
                .card
                .as_ref()
                .map(|card| card.name.clone())
                .unwrap_or_default(),
            deck_name: name.to_owned(),
            deck: cards.to_vec(),
            about: one.about.clone(),
            lines: one.lines.clone(),
            ..RunFoe::default()
        }
    });
    let opponents: Vec<RunFoe> = opponents.collect();
    if opponents.len() >= 2 {
        return opponents;
    }
    let of_decks = decks.iter().map(|(name, cards)| RunFoe {
        name: (*name).to_owned(),
        deck_name: (*name).to_owned(),
        deck: cards.to_vec(),
        ..RunFoe::default()
    });
    of_decks.collect()
}

fn twist(lines: &[(TwistSide, TwistChange)]) -> RuleTwist {
    let lines = lines.iter().map(|(whose, what)| TwistLine {
        whose: *whose,
        what: *what,
    });
    RuleTwist {
        lines: lines.collect(),
    }
}

/// Seven places; at three of them everybody has a rule of their own.
pub(crate) fn steps(game: &Game, foes: &mut Vec<RunFoe>) -> Vec<RunStep> {
    let plain: Vec<usize> = (0..foes.len()).collect();
    let fifth = game.constants.hp / 5;
    let rules = [
        (
            format!("begins with {fifth} more HP"),
            twist(&[(TwistSide::Foe, TwistChange::Number(TwistNumber::Hp, fifth))]),
        ),
        (
            "begins with two more cards".to_owned(),
            twist(&[(TwistSide::Foe, TwistChange::Number(TwistNumber::OpeningHand, 2))]),
        ),
        (
            "attackers do not freeze, on either side".to_owned(),
            twist(&[(TwistSide::Both, TwistChange::Rule(RuleFlag::AttackFreeze, false))]),
        ),
        (
            "may make a back-up more in each turn".to_owned(),
            twist(&[(
                TwistSide::Foe,
                TwistChange::Number(TwistNumber::BackupsPerTurn, 1),
            )]),
        ),
    ];
    let mut bosses = 0;
    let step = |at: usize| {
        let own = if BOSSES.contains(&at) {
            let two = [0, 1].map(|other| {
                let (rule, twist) = rules[(bosses + other) % rules.len()].clone();
                let foe = &foes[(bosses + other) % plain.len()];
                RunFoe {
                    rule,
                    twist,
                    ..foe.clone()
                }
            });
            bosses += 2;
            let first = foes.len();
            foes.extend(two);
            vec![first, first + 1]
        } else {
            plain.clone()
        };
        RunStep {
            place: match BOSSES.contains(&at) {
                true => format!("Gate {}", at + 1),
                false => format!("Door {}", at + 1),
            },
            foes: own,
            ..RunStep::default()
        }
    };
    (0..STEPS).map(step).collect()
}

/// Charms out of the numbers of any game.
pub(crate) fn charms(game: &Game) -> Vec<RunCharm> {
    let tenth = (game.constants.hp / 10).max(1);
    let number = |number, more| twist(&[(TwistSide::You, TwistChange::Number(number, more))]);
    let charm = |name: &str, about: String, twist| RunCharm {
        name: name.to_owned(),
        about,
        twist,
    };
    vec![
        charm(
            "A thick coat",
            format!("You begin each duel with {tenth} more HP."),
            number(TwistNumber::Hp, tenth),
        ),
        charm(
            "A long breath",
            "You begin each duel with 3 more SP.".to_owned(),
            number(TwistNumber::Sp, 3),
        ),
        charm(
            "A deep pocket",
            "You begin each duel with one more card.".to_owned(),
            number(TwistNumber::OpeningHand, 1),
        ),
        charm(
            "A second chair",
            "You may make one more back-up in each turn.".to_owned(),
            number(TwistNumber::BackupsPerTurn, 1),
        ),
        charm(
            "A pebble in their shoe",
            format!("Your opponents begin with {tenth} fewer HP."),
            twist(&[(TwistSide::Foe, TwistChange::Number(TwistNumber::Hp, -tenth))]),
        ),
        charm(
            "An early start",
            "Your characters may be backed up in the turn in which they come.".to_owned(),
            twist(&[(TwistSide::You, TwistChange::Rule(RuleFlag::BackupFresh, true))]),
        ),
        charm(
            "A short queue",
            "Your opponents begin with one card less.".to_owned(),
            twist(&[(TwistSide::Foe, TwistChange::Number(TwistNumber::OpeningHand, -1))]),
        ),
    ]
}
