//! A player that looks further: a tree of what its seat observes, over many guesses at what it cannot
//! see (single-observer information-set search: Cowling, Powley, Whitehouse 2012), cut off after a few
//! phases and judged there.

use cw_duel::{Choice, Decision, Duel, Question, Seat};

use crate::door::{Ask, Guess};
use crate::habit::habitual;
use crate::leaf::{LOST, WON, hasty, takes_back, worth};
use crate::one_step;
use crate::random::{Random, mix};

/// Guesses at what is hidden, the same ones for all options.
const POOL: usize = 64;
/// Answers in one playout, in the tree and after it.
const LONGEST: u32 = 60;
/// Turns after the one of the question in which options are still told apart.
const HORIZON: u16 = 2;
/// Turns that a playout goes on for after the first quiet position.
const TURNS: u16 = 1;
/// How much an option is tried because it was tried seldom (PUCT, with all options equally promising).
const CURIOSITY: f64 = 0.9;
/// How much worse than its position an option is taken to be before it was tried.
const FIRST_PLAY: f64 = 0.1;

/// The best option that can be found with the budget: the one that was tried most.
pub(crate) fn best(ask: &Ask<'_>) -> Choice {
    // A slot is chosen by what it shows at once.
    if matches!(
        ask.decision.question,
        Question::SlotFor(_) | Question::MoveToSlot(_)
    ) {
        return one_step::best(ask);
    }
    let mut worth_trying = one_step::worth_trying(ask);
    // What was begun is gone on with as long as there is a way: who takes it back begins it again.
    if worth_trying.iter().any(|choice| !takes_back(*choice)) {
        worth_trying.retain(|choice| !takes_back(*choice));
    }
    if let [only] = worth_trying[..] {
        return only;
    }
    let size = POOL.min(ask.budget.playouts as usize).max(1);
    let pool: Vec<Guess> = (0..size as u64).filter_map(|number| ask.guess(number)).collect();
    let Some(first) = pool.first() else {
        return habitual(ask.decision, &ask.view());
    };
    let sum: i64 = pool.iter().map(|guess| worth(guess, ask.decision.seat)).sum();
    let mut tree = Tree {
        seat: ask.decision.seat,
        worth_trying: &worth_trying,
        nodes: vec![Node::default()],
        duel: first.fork(),
        random: Random::new(mix(&[ask.seed])),
        before: sum / i64::try_from(pool.len()).unwrap_or(1),
        playout: 0,
    };
    let guesses = pool.iter().cycle().take(ask.budget.playouts.max(1) as usize);
    guesses.for_each(|guess| tree.play(guess));
    let tried = tree.nodes[0].edges.iter();
    let most = tried.reduce(|best, next| if next.visits > best.visits { next } else { best });
    most.map_or(worth_trying[0], |edge| edge.choice)
}

/// An option as its player tells it apart, in any guess: cards in the ring by what they are on the table,
/// others by what they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key {
    kind: u8,
    /// A number, a card of the ring, a card by what it is, or one that the player does not know.
    about: u8,
    which: u16,
}

struct Edge {
    key: Key,
    /// What stands for it in the guess that was tried last.
    choice: Choice,
    /// The playout in which it was offered last.
    offered: u32,
    /// The node that it leads to, once it was tried.
    child: Option<u32>,
    visits: u32,
    available: u32,
    /// Of the values for the seat that searches.
    sum: f64,
}

#[derive(Default)]
struct Node {
    edges: Vec<Edge>,
    visits: u32,
    sum: f64,
}

struct Tree<'a> {
    seat: Seat,
    /// The options of the question that are looked at.
    worth_trying: &'a [Choice],
    nodes: Vec<Node>,
    /// The guess that is being played.
    duel: Duel,
    random: Random,
    /// What the position is worth before anything is done, over all guesses.
    before: i64,
    playout: u32,
}

impl Tree<'_> {
    /// Plays one guess to where it is judged.
    fn play(&mut self, guess: &Guess) {
        self.playout += 1;
        self.duel.clone_from(guess);
        let last = self.duel.turn() + HORIZON;
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut node = 0;
        for _ in 0..LONGEST {
            let Some(decision) = self.duel.pending() else {
                break;
            };
            if self.duel.turn() > last {
                break;
            }
            if let Some(forced) = forced(decision) {
                if self.duel.answer_silently(forced).is_err() {
                    break;
                }
                continue;
            }
            let edge = self.select(node);
            path.push((node, edge));
            let at = &self.nodes[node].edges[edge];
            let (choice, child) = (at.choice, at.child);
            if self.duel.answer_silently(choice).is_err() {
                break;
            }
            match child {
                Some(child) => node = child as usize,
                None => {
                    self.nodes[node].edges[edge].child = u32::try_from(self.nodes.len()).ok();
                    self.nodes.push(Node::default());
                    break;
                }
            }
        }
        let value = self.judge();
        for (node, edge) in path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.sum += value;
            let edge = &mut node.edges[edge];
            edge.visits += 1;
            edge.sum += value;
        }
    }

    /// The option to be tried next in this node, by its place there.
    fn select(&mut self, at: usize) -> usize {
        let Some(decision) = self.duel.pending() else {
            return 0;
        };
        let mine = decision.seat == self.seat;
        let node = &mut self.nodes[at];
        let only_back = decision.options.iter().all(|option| takes_back(*option));
        let mut offered = 0u32;
        for option in &decision.options {
            let left_out = match at {
                0 => !self.worth_trying.contains(option),
                _ => takes_back(*option) && !only_back,
            };
            if left_out {
                continue;
            }
            let key = key(&self.duel, decision.seat, *option);
            let place = node.edges.iter().position(|edge| edge.key == key);
            let place = place.unwrap_or_else(|| {
                node.edges.push(Edge {
                    key,
                    choice: *option,
                    offered: 0,
                    child: None,
                    visits: 0,
                    available: 0,
                    sum: 0.0,
                });
                node.edges.len() - 1
            });
            let edge = &mut node.edges[place];
            if edge.offered != self.playout {
                edge.offered = self.playout;
                edge.choice = *option;
                edge.available += 1;
                offered += 1;
            }
        }
        let own = |sum: f64, visits: u32| {
            let mean = sum / f64::from(visits);
            if mine { mean } else { 1.0 - mean }
        };
        let mean = match node.visits {
            0 => 0.5,
            visits => own(node.sum, visits),
        };
        let score = |edge: &Edge| {
            let value = match edge.visits {
                0 => mean - FIRST_PLAY,
                visits => own(edge.sum, visits),
            };
            let seldom = f64::from(edge.available).sqrt() / f64::from(1 + edge.visits);
            value + CURIOSITY / f64::from(offered) * seldom
        };
        let mut best = (f64::NEG_INFINITY, 0);
        for (place, edge) in node.edges.iter().enumerate() {
            if edge.offered == self.playout && score(edge) > best.0 {
                best = (score(edge), place);
            }
        }
        best.1
    }

    /// The chance of winning, for the seat that searches: half of it that of the next quiet position, half
    /// that of the one a turn later. Positions alone do not see what comes at once; playouts alone see
    /// what players in a hurry do.
    fn judge(&mut self) -> f64 {
        let turn = self.duel.turn();
        let mut here = None;
        for _ in 0..LONGEST {
            let Some(decision) = self.duel.pending() else {
                break;
            };
            let main = decision.question == Question::Main;
            if here.is_none() && (main || decision.question == Question::Attack && !fights(&self.duel)) {
                here = Some(self.chance());
            }
            if main && here.is_some() && self.duel.turn() >= turn + TURNS {
                break;
            }
            let choice = hasty(&self.duel, decision, &mut self.random);
            if self.duel.answer_silently(choice).is_err() {
                break;
            }
        }
        let there = self.chance();
        here.map_or(there, |here| f64::midpoint(here, there))
    }

    /// Against the position of the question: where somebody is far ahead, differences count all the same.
    fn chance(&self) -> f64 {
        match worth(&self.duel, self.seat) {
            WON => 1.0,
            LOST => 0.0,
            worth => 1.0 / (1.0 + libm::exp((self.before - worth) as f64 / 1000.0)),
        }
    }
}

/// What is answered on the way without a choice being made: the only option; any slot.
fn forced(decision: &Decision) -> Option<Choice> {
    match decision.options[..] {
        [only] => Some(only),
        [first, ..] if matches!(decision.question, Question::SlotFor(_)) => Some(first),
        _ => None,
    }
}

/// Whether somebody attacks already.
fn fights(duel: &Duel) -> bool {
    let active = duel.glance(duel.active());
    active
        .fighters()
        .any(|fighter| fighter.attacks || fighter.follows)
}

fn key(duel: &Duel, seat: Seat, option: Choice) -> Key {
    let kind = match option {
        Choice::Pass => 0,
        Choice::Play(_) => 1,
        Choice::BackUp(_) => 2,
        Choice::Activate(_) => 3,
        Choice::Attack(_) => 4,
        Choice::Join(_) => 5,
        Choice::CancelAttack(_) => 6,
        Choice::Block(_) => 7,
        Choice::CancelBlock(_) => 8,
        Choice::Slot(_) => 9,
        Choice::Card(_) => 10,
        Choice::Copy(_) => 11,
        Choice::Player(_) => 12,
        Choice::Zone(_) => 13,
        Choice::Type(_) => 14,
        Choice::Action(_) => 15,
        Choice::Yes => 16,
        Choice::No => 17,
        Choice::Top => 18,
        Choice::Bottom => 19,
        Choice::Heads => 20,
        Choice::Tails => 21,
        Choice::Done => 22,
        Choice::Decline => 23,
    };
    let of = |about, which| Key { kind, about, which };
    if let Some(card) = option.card() {
        return match duel.known_model(seat, card) {
            None => of(3, 0),
            Some(_) if duel.slot_of(card).is_some() => of(1, u16::from(card.0)),
            Some(model) => of(2, model.0),
        };
    }
    let number = match option {
        Choice::Slot(at) | Choice::Type(at) | Choice::Action(at) => u16::from(at),
        Choice::Player(seat) | Choice::Zone(seat) => u16::from(seat.index() == 1),
        Choice::Copy(model) => model.0,
        _ => 0,
    };
    of(0, number)
}
