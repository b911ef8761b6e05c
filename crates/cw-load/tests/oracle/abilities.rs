//! A second reading of abilities that change hands: copied, stolen, swapped, lost, transformed,
//! granted and taken away, with what a keyword does on arrival (G118–G122, G141, G148, G243,
//! G257–G259, R801, D35, D65, D79). Slow, obvious, and written from the specification alone.

use std::sync::Arc;

use cw_duel::{
    AbilityKind, Chance, CharacterPosition, Choice, Duel, DuelPosition, Game, PerSeat, Phase, PlayerPosition,
    Seat,
};
use cw_program::{CardType, ClosedWord, Keyword, ModelId};

use crate::Dice;
use cw_stage::{game_of, model, named};

const NAMES: [&str; 8] = ["Ada", "Bea", "Cid", "Dan", "Eve", "Fay", "Gil", "Hob"];
const PRINTED: [Keyword; 6] = [
    Keyword::Rush,
    Keyword::CantAttack,
    Keyword::CantBlock,
    Keyword::Pierce,
    Keyword::Frosted,
    Keyword::Unblockable,
];

/// What is done to characters, told by their places in `NAMES`.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Copy { from: usize, to: usize },
    Steal { thief: usize, victim: usize },
    Swap(usize, usize),
    Lose(usize),
    Transform { like: usize, card: usize },
    Give(Keyword, usize),
    Take(Keyword, usize),
}

impl Deed {
    fn random(dice: &mut Dice) -> Deed {
        let (a, b) = (dice.below(8), dice.below(8));
        match dice.below(8) {
            0 | 1 => Deed::Copy { from: a, to: b },
            // From oneself more often than chance would have it.
            2 => Deed::Steal {
                thief: a,
                victim: if dice.one_in(3) { a } else { b },
            },
            3 => Deed::Swap(a, b),
            4 => Deed::Lose(a),
            5 => Deed::Transform { like: a, card: b },
            6 => Deed::Give(dice.pick(&PRINTED), a),
            _ => Deed::Take(dice.pick(&PRINTED), a),
        }
    }

    fn text(self) -> String {
        let var = |at: usize| format!("_{}", NAMES[at].to_lowercase());
        match self {
            Deed::Copy { from, to } => format!("copyAbility({}) to({})", var(from), var(to)),
            Deed::Steal { thief, victim } => format!("steal({}) from({})", var(thief), var(victim)),
            Deed::Swap(a, b) => format!("swapAbilities() to({}; {})", var(a), var(b)),
            Deed::Lose(card) => format!("loseAbility() to({})", var(card)),
            Deed::Transform { like, card } => format!("transform({}) to({})", var(like), var(card)),
            Deed::Give(keyword, card) => format!("+{keyword} to({})", var(card)),
            Deed::Take(keyword, card) => format!("-{keyword} to({})", var(card)),
        }
    }
}

/// One character as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Character {
    /// Which card it is now; the printed keywords are those of this number.
    is: usize,
    /// Whose ability it has.
    ability: Option<usize>,
    granted: Vec<Keyword>,
    suppressed: Vec<Keyword>,
    fresh: bool,
    attacks: bool,
    follows: bool,
    blocks: bool,
}

/// The table: characters by their places in `NAMES`.
#[derive(Clone, Debug)]
struct Reading {
    /// The keyword printed on each card, where it has a rule at all.
    printed: [Option<Keyword>; 8],
    characters: Vec<Character>,
    /// Lead first.
    united: Vec<usize>,
}

impl Reading {
    fn has(&self, at: usize, keyword: Keyword) -> bool {
        let one = &self.characters[at];
        let printed = one.ability.and_then(|ability| self.printed[ability]) == Some(keyword);
        one.granted.contains(&keyword) || printed && !one.suppressed.contains(&keyword)
    }

    /// The ability that can be copied from a character: it must have a text (G119).
    fn copyable(&self, at: usize) -> Option<usize> {
        let ability = self.characters[at].ability?;
        self.printed[ability].map(|_| ability)
    }

    /// G119, G118: another ability, or none; its keyword arrives (G104.1).
    fn receive(&mut self, at: usize, ability: Option<usize>) {
        self.characters[at].ability = ability;
        if let Some(keyword) = ability.and_then(|ability| self.printed[ability]) {
            self.arrive(at, keyword);
        }
    }

    /// Does what happens when a character gets a keyword (G257, G258).
    fn arrive(&mut self, at: usize, keyword: Keyword) {
        if !self.has(at, keyword) {
            return;
        }
        let one = &mut self.characters[at];
        if keyword == Keyword::Rush {
            one.fresh = false;
        } else if keyword == Keyword::CantBlock {
            one.blocks = false;
        } else if keyword == Keyword::CantAttack {
            one.attacks = false;
            one.follows = false;
            self.part(at);
        }
    }

    /// Takes a character out of the United Attack, and rearranges it (G141).
    fn part(&mut self, at: usize) {
        let Some(place) = self.united.iter().position(|member| *member == at) else {
            return;
        };
        self.united.remove(place);
        if place > 0 && self.united.len() > 1 {
            return;
        }
        for member in std::mem::take(&mut self.united) {
            let alone = !self.has(member, Keyword::CantAttack) && !self.characters[member].fresh;
            self.characters[member].attacks = alone;
            self.characters[member].follows = false;
        }
    }

    fn apply(&mut self, deed: Deed) {
        match deed {
            Deed::Copy { from, to } => {
                if let Some(ability) = self.copyable(from) {
                    self.receive(to, Some(ability));
                }
            }
            // The thief gets a copy, then the victim loses the ability (G121, D65).
            Deed::Steal { thief, victim } => {
                if let Some(ability) = self.copyable(victim) {
                    self.receive(thief, Some(ability));
                    self.receive(victim, None);
                }
            }
            // D33: both need an ability.
            Deed::Swap(a, b) => {
                if let (Some(of_a), Some(of_b)) = (self.copyable(a), self.copyable(b)) {
                    self.receive(a, Some(of_b));
                    self.receive(b, Some(of_a));
                }
            }
            Deed::Lose(card) => {
                if self.copyable(card).is_some() {
                    self.receive(card, None);
                }
            }
            // G243, D79: nothing that was on it is kept but its place in the fight.
            Deed::Transform { like, card } => {
                let is = self.characters[like].is;
                let one = &mut self.characters[card];
                one.is = is;
                one.granted.clear();
                one.suppressed.clear();
                self.receive(card, Some(is));
            }
            Deed::Give(keyword, card) => {
                if !self.characters[card].granted.contains(&keyword) {
                    self.characters[card].granted.push(keyword);
                }
                self.arrive(card, keyword);
            }
            // D35: grants go; what is printed is suppressed.
            Deed::Take(keyword, card) => {
                self.characters[card].granted.retain(|other| *other != keyword);
                if self.has(card, keyword) {
                    self.characters[card].suppressed.push(keyword);
                }
            }
        }
    }
}

/// Cards with a keyword each or without a rule, and one card that does the deeds.
fn game(printed: &[Option<Keyword>; 8], deeds: &[Deed], card_type: CardType) -> Arc<Game> {
    let mut cards = Vec::new();
    for (at, name) in NAMES.iter().enumerate() {
        let mut card = model(at, name, CardType::Character, 300);
        card.ability = printed[at].map(|_| named(AbilityKind::Auto));
        let rule = printed[at].map_or_else(String::new, |keyword| format!("abilities = {keyword}"));
        cards.push((card, rule));
    }
    let vars: Vec<String> = NAMES
        .iter()
        .map(|name| format!("_{} := getTargets('\"{name}\"s')", name.to_lowercase()))
        .collect();
    let deeds: Vec<String> = deeds.iter().map(|deed| deed.text()).collect();
    let rule = format!("vars = {}\naction = {}", vars.join("; "), deeds.join("; "));
    cards.push((model(8, "Moot", card_type, 0), rule));
    game_of(vec!["Rope".into(), "Bell".into()], cards)
}

/// Oracle and engine agree about abilities that are lost, copied, stolen, swapped or
/// changed (G118–G122, G141, G148, G243, G257–G259, R801, D35, D65, D79).
#[test]
fn abilities_that_change_hands_agree() {
    let tables = crate::count("CARDWRIGHT_TABLES", 2_000);
    let (mut robbed, mut arrived) = (0_u64, 0_u64);
    for seed in 0..tables {
        let mut dice = Dice(seed ^ 0xAB1E);
        let fighting = dice.one_in(2);
        let mut printed = [None; 8];
        for one in &mut printed {
            // The first three act on arrival.
            let keyword = if dice.one_in(3) {
                dice.pick(&PRINTED)
            } else {
                dice.pick(&PRINTED[..3])
            };
            *one = (!dice.one_in(4)).then_some(keyword);
        }
        let deeds: Vec<Deed> = (0..1 + dice.below(4)).map(|_| Deed::random(&mut dice)).collect();
        let mut reading = Reading {
            printed,
            characters: (0..8)
                .map(|at| Character {
                    is: at,
                    ability: Some(at),
                    granted: Vec::new(),
                    suppressed: Vec::new(),
                    fresh: !fighting && dice.one_in(2),
                    attacks: false,
                    follows: false,
                    blocks: false,
                })
                .collect(),
            united: Vec::new(),
        };
        let mut blocks = Vec::new();
        if fighting {
            start_fight(&mut reading, &mut blocks, &mut dice);
        }
        // Keywords were there before the marks of the position.
        for (at, keyword) in printed.iter().enumerate() {
            if let Some(keyword) = *keyword {
                reading.arrive(at, keyword);
            }
        }
        blocks.retain(|(_, blocker)| reading.characters[*blocker].blocks);
        if fighting && !reading.characters[..4].iter().any(|one| one.attacks) {
            continue;
        }
        let card_type = if fighting {
            CardType::Reaction
        } else {
            CardType::Action
        };
        let game = game(&printed, &deeds, card_type);
        let mut duel = position(&game, &reading, &blocks, fighting);
        compare(&duel, &reading, &format!("table {seed} at the start"));
        let before = reading.clone();
        for deed in &deeds {
            reading.apply(*deed);
            robbed += u64::from(matches!(deed, Deed::Steal { thief, victim } if thief == victim));
        }
        let marks = |reading: &Reading| -> Vec<_> {
            let all = reading.characters.iter();
            all.map(|one| (one.fresh, one.attacks, one.follows, one.blocks))
                .collect()
        };
        arrived += u64::from(marks(&before) != marks(&reading));
        let options = &duel.pending().expect("somebody decides").options;
        let play = *options
            .iter()
            .find(|choice| matches!(choice, Choice::Play(_)))
            .expect("playable");
        duel.answer_silently(play).expect("it is offered");
        compare(&duel, &reading, &format!("table {seed} after {deeds:?}"));
    }
    assert!(robbed > tables / 20, "{robbed} of {tables}");
    assert!(arrived > tables / 10, "{arrived} of {tables}");
}

/// Attackers stand in places 0 to 3, blockers in 4 to 7.
fn start_fight(reading: &mut Reading, blocks: &mut Vec<(usize, usize)>, dice: &mut Dice) {
    let may = |reading: &Reading, at: usize| reading.printed[at] != Some(Keyword::CantAttack);
    let attackers: Vec<usize> = (0..4).filter(|at| may(reading, *at) && !dice.one_in(4)).collect();
    let united = if attackers.len() > 1 && !dice.one_in(3) {
        2 + dice.below(2).min(attackers.len() - 2)
    } else {
        0
    };
    reading.united = attackers[..united].to_vec();
    for (index, at) in attackers.iter().enumerate() {
        let follows = index > 0 && index < united;
        reading.characters[*at].follows = follows;
        reading.characters[*at].attacks = !follows;
    }
    for attacker in attackers {
        if !reading.characters[attacker].attacks {
            continue;
        }
        let blocker = 4 + blocks.len();
        if reading.printed[blocker] != Some(Keyword::CantBlock) && !dice.one_in(3) {
            reading.characters[blocker].blocks = true;
            blocks.push((attacker, blocker));
        }
    }
}

fn position(game: &Arc<Game>, reading: &Reading, blocks: &[(usize, usize)], fighting: bool) -> Duel {
    let number = |name: &str| game.find(name).expect("a card of the game");
    let mut players = PerSeat([PlayerPosition::new(game), PlayerPosition::new(game)]);
    for (at, character) in reading.characters.iter().enumerate() {
        let mut one = CharacterPosition::new(number(NAMES[at]));
        one.fresh = character.fresh;
        one.attacks = character.attacks;
        players[Seat::from_index(at / 4)].ring.push(Some(one));
    }
    for seat in Seat::BOTH {
        players[seat].sp = 50;
        players[seat].deck = vec![number("Ada"); 5];
    }
    let doer = if fighting { Seat::Two } else { Seat::One };
    players[doer].hand = vec![number("Moot")];
    let slot = |at: usize| u8::try_from(at % 4).expect("a small number");
    let position = DuelPosition {
        players,
        turn: 3,
        phase: if fighting {
            Phase::CounterAttack
        } else {
            Phase::Main
        },
        active: Seat::One,
        first: Seat::One,
        united: reading.united.iter().map(|at| slot(*at)).collect(),
        blocks: blocks
            .iter()
            .map(|(attacker, blocker)| (slot(*attacker), slot(*blocker)))
            .collect(),
        rules: Vec::new(),
        costs: Vec::new(),
        chance: Chance::First {
            shuffle: cw_duel::Shuffle::Keep,
        },
        script: Vec::new(),
    };
    Duel::from_position(Arc::clone(game), &position).expect("a possible position")
}

#[track_caller]
fn compare(duel: &Duel, reading: &Reading, name: &str) {
    let state = duel.snapshot();
    let game = duel.game();
    let is = |model: Option<ModelId>| {
        let name = &*game.model(model?).name;
        NAMES.iter().position(|other| *other == name)
    };
    let all = Seat::BOTH
        .into_iter()
        .flat_map(|seat| state.players[seat].ring.iter().flatten());
    let mut cards = Vec::new();
    for (at, one) in all.enumerate() {
        cards.push(one.card);
        let expected = &reading.characters[at];
        let found = (
            is(duel.true_model(one.card)),
            is(one.ability),
            one.fresh,
            one.attacks,
            one.follows,
            one.blocks,
        );
        let wanted = (
            Some(expected.is),
            expected.ability,
            expected.fresh,
            expected.attacks,
            expected.follows,
            expected.blocks,
        );
        assert_eq!(
            found, wanted,
            "{name}: {} (card, ability, fresh, attacks, follows, blocks)",
            NAMES[at]
        );
        let keywords: Vec<Keyword> = Keyword::ALL
            .iter()
            .copied()
            .filter(|word| reading.has(at, *word))
            .collect();
        assert_eq!(one.keywords, keywords, "{name}: {}", NAMES[at]);
    }
    assert_eq!(cards.len(), 8, "{name}");
    let united: Vec<_> = reading.united.iter().map(|at| cards[*at]).collect();
    assert_eq!(state.united, united, "{name}");
    let blockers: Vec<_> = state.blocks.iter().map(|(_, blocker)| *blocker).collect();
    let blocking = (4..8)
        .filter(|at| reading.characters[*at].blocks)
        .map(|at| cards[at]);
    assert!(blocking.clone().all(|card| blockers.contains(&card)), "{name}");
    assert_eq!(blockers.len(), blocking.count(), "{name}");
}
