//! Players that look further: a tree of what the seat observes, over many guesses at what it cannot see
//! (single-observer information-set search: Cowling, Powley, Whitehouse 2012), from whose leaves the duel
//! is played on in a hurry and judged at a quiet position.

use cw_duel::{Choice, Decision, Duel, Lookahead, Question, Seat};
use cw_program::ModelId;

use crate::door::{Ask, Guess};
use crate::habit::{HabitTable, habitual};
use crate::hurry::{Chosen, Hurry, fights};
use crate::insight::{HandGuess, LeftOut, SearchInsight, Weighed};
use crate::one_step;
use crate::proof;
use crate::random::{RandomPlayer, mix};
use crate::values::{LOST, PositionWeights, WON};
use crate::ways::takes_back;

/// How a level searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SearchStyle {
    /// Guesses at what is hidden, the same ones for all options.
    pub pool: usize,
    /// Trees of their own, whose counts are added up: as many threads may grow them.
    pub lanes: usize,
    /// Turns after the one of the question in which options are still told apart.
    pub horizon: u16,
    /// Turns that a playout goes on for after the first quiet position, and how much that position counts
    /// against the one there.
    pub turns: u16,
    pub here: f64,
}

/// Answers in one playout, in the tree and after it.
const LONGEST: usize = 60;
/// How much an option is tried because it was tried seldom (PUCT).
const CURIOSITY: f64 = 0.9;
/// How much worse than its position an option is taken to be before it was tried.
const FIRST_PLAY: f64 = 0.1;
/// How much better an option looks at first sight, in thousandths of log odds, that is tried e times as
/// often at first.
const TEMPERATURE: f64 = 500.0;

/// The best option that can be found with the budget: the one that was tried most.
pub(crate) fn best(ask: &Ask<'_>, style: SearchStyle, threads: usize) -> Choice {
    // Each step here may answer without a tree: a slot is never searched, a proven win needs no
    // estimate, and a single option that is left needs no comparison.
    if is_about_slots(ask.decision) {
        return proven(ask).unwrap_or_else(|| one_step::best(ask));
    }
    if let Some(wins) = proven(ask) {
        return wins;
    }
    let worth_trying = worth_trying(ask);
    if let [only] = worth_trying[..] {
        return only;
    }
    // Without a guess nothing can be tried out (`None`), so habit answers.
    let found = grown(ask, style, threads, &worth_trying, false);
    let chosen = found.and_then(|insight| insight.options.first().map(|weighed| weighed.choice));
    chosen.unwrap_or_else(|| habitual(ask.decision, &HabitTable::seen(&ask.view())))
}

/// Guesses on which a win has to be proven.
const PROOFS: u64 = 32;
/// Answers that a proof may take for each playout of the budget.
const ANSWERS: u32 = 100;
/// The same for each option that may lose.
const ANSWERS_TO_LOSE: u32 = 25;

/// What wins in this very turn, as far as that can be proven.
fn proven(ask: &Ask<'_>) -> Option<Choice> {
    if ask.values.is_some_and(PositionWeights::is_blind) {
        return None;
    }
    proof::proven(ask, PROOFS, ask.budget.playouts.saturating_mul(ANSWERS))
}

/// A slot is chosen by what it shows at once: that is not searched.
fn is_about_slots(decision: &Decision) -> bool {
    matches!(decision.question, Question::SlotFor(_) | Question::MoveToSlot(_))
}

/// What is thought about the question, all options told apart as far as the seat can; `None` where nothing
/// can be said without looking.
pub(crate) fn thought(ask: &Ask<'_>, style: SearchStyle, threads: usize) -> Option<SearchInsight> {
    // A single option needs no thought. The tree would skip it and weigh the next question instead, which
    // may be the other seat's.
    if is_about_slots(ask.decision) || ask.decision.options.len() < 2 {
        return None;
    }
    // The proof also looks at options that were left out because they seemed to do nothing. The winner
    // needs an edge in the tree, or it would be missing from the insight.
    let mut worth_trying = worth_trying(ask);
    let proven = proven(ask);
    if let Some(wins) = proven
        && !worth_trying.contains(&wins)
    {
        worth_trying.push(wins);
    }
    let mut found = grown(ask, style, threads, &worth_trying, true)?;
    let position = ask.guess(0)?;
    // The tree keeps one edge for all options that the player cannot tell apart. Its choice may be
    // another copy of the proven card, so the two are compared by their keys.
    let key_of = |option: Choice| key(&position, ask.decision.seat, option);
    if let Some(wins) = proven
        && let Some(at) = found
            .options
            .iter()
            .position(|weighed| key_of(weighed.choice) == key_of(wins))
    {
        let weighed = found.options.remove(at);
        let proven = Weighed {
            choice: wins,
            proven: true,
            win: 1.0,
            low: 1.0,
            high: 1.0,
            ..weighed
        };
        found.options.insert(0, proven);
        // What the playouts came to is nothing against a proof.
        found.against.clear();
    }
    for weighed in &mut found.options {
        let own = key_of(weighed.choice);
        let alike = worth_trying.iter().copied();
        let alike = alike.filter(|other| *other != weighed.choice && key_of(*other) == own);
        weighed.alike = alike.collect();
    }
    // What neither takes back nor loses was idle on every guess (D68), or begins something that could
    // only be taken back.
    let losing = losing(ask);
    for option in &ask.decision.options {
        if !worth_trying.contains(option) {
            let why = match takes_back(*option) {
                true => LeftOut::TakesBack,
                false if losing.contains(option) => LeftOut::Loses,
                false => LeftOut::ComesToNothing,
            };
            found.left_out.push((*option, why));
        }
    }
    Some(found)
}

fn worth_trying(ask: &Ask<'_>) -> Vec<Choice> {
    without_losses(ask, one_step::worth_trying(ask))
}

/// All that does not take something back.
fn forward(ask: &Ask<'_>) -> Vec<Choice> {
    let all = ask.decision.options.iter().copied();
    all.filter(|option| !takes_back(*option)).collect()
}

/// What loses, as far as that can be proven.
fn losing(ask: &Ask<'_>) -> Vec<Choice> {
    if ask.values.is_some_and(PositionWeights::is_blind) {
        return Vec::new();
    }
    let answers = ask.budget.playouts.saturating_mul(ANSWERS_TO_LOSE);
    proof::losing(ask, &forward(ask), answers)
}

/// Without those that are proven to lose; what looked like nothing is worth a try where nothing else helps.
fn without_losses(ask: &Ask<'_>, worth_trying: Vec<Choice>) -> Vec<Choice> {
    let all = forward(ask);
    let losing = losing(ask);
    let safe = |options: Vec<Choice>| -> Vec<Choice> {
        let safe = options.into_iter();
        safe.filter(|option| !losing.contains(option)).collect()
    };
    // If every option loses, the usual choice stays: the loss is proven on a few guesses only, and the
    // other may fail to find it.
    if losing.is_empty() || losing.len() == all.len() {
        return worth_trying;
    }
    let best = safe(worth_trying);
    if best.is_empty() { safe(all) } else { best }
}

/// Grows the trees. With `all` the whole budget is used; else a tree stops when no more can change what is
/// tried most.
fn grown(
    ask: &Ask<'_>,
    style: SearchStyle,
    threads: usize,
    worth_trying: &[Choice],
    all: bool,
) -> Option<SearchInsight> {
    // The steps: deal the guesses, value the position as it is, grow one tree a lane, add up the roots,
    // and read the insight off the sum.
    let playouts = ask.budget.playouts.max(1);
    let size = style.pool.min(playouts as usize);
    // Options are compared on the same guesses: with guesses of their own a lucky deal would look like a
    // good option.
    let pool: Vec<Guess> = (0..size as u64).filter_map(|number| ask.guess(number)).collect();
    let first = pool.first()?;
    let shared;
    let values = match ask.values {
        Some(values) => values,
        None => {
            shared = PositionWeights::shared(first.game());
            &shared
        }
    };
    let seat = ask.decision.seat;
    let sum: i64 = pool.iter().map(|guess| values.worth(guess, seat)).sum();
    let before = sum / i64::try_from(pool.len()).unwrap_or(1);
    // A lane of a few playouts sees nothing.
    let lanes = style.lanes.min(playouts as usize / 64).max(1);
    // What a lane finds depends on the question and on its number, never on the thread that runs it. So
    // any number of threads gives the same answer.
    let seed = ask.seed;
    let grow = |lane: usize| {
        let mut tree = SearchTree {
            seat,
            worth_trying,
            nodes: vec![SearchNode::default()],
            duel: Lookahead::new(first),
            random: RandomPlayer::new(mix(&[seed, lane as u64])),
            hurry: Hurry::new(values, first),
            style,
            before,
            playout: 0,
            guess: 0,
        };
        // The lanes share the playouts: of 258, four lanes take 65, 65, 64 and 64. No two lanes have a
        // guess in common (lane 1 of 4 plays 1, 5, 9 …), and each goes through its own in turn.
        let number = (playouts as usize + lanes - 1 - lane) / lanes;
        let guesses = (lane..pool.len()).step_by(lanes).cycle().take(number);
        let mut left = number;
        for guess in guesses {
            tree.play(guess, &pool[guess]);
            left -= 1;
            // A lane does not see the counts of others, so only a single one can be known to be decided.
            if !all && lanes == 1 && tree.is_decided(left) {
                break;
            }
        }
        let SearchNode { edges, .. } = tree.nodes.swap_remove(0);
        edges
    };
    // Only the roots are added up: their options have the same keys in every lane, while each tree has
    // nodes of its own below them.
    let mut root: Vec<Edge> = Vec::new();
    for edges in side_by_side(lanes, threads, grow) {
        for edge in edges {
            match root.iter_mut().find(|known| known.key == edge.key) {
                Some(known) => known.add(&edge),
                None => root.push(edge),
            }
        }
    }
    // The first of equals stays the first.
    root.sort_by_key(|edge| std::cmp::Reverse(edge.visits));
    let best = root.first()?;
    let against = best.against(&pool, seat.other());
    // Priors become shares of a whole. The best option has the weight 1, so the sum is never 0.
    let most = root.iter().map(|edge| edge.prior).max().unwrap_or(0);
    let priors: f64 = root.iter().map(|edge| edge.weight(most)).sum();
    Some(SearchInsight {
        options: root
            .iter()
            .map(|edge| edge.weighed(edge.weight(most) / priors))
            .collect(),
        left_out: Vec::new(),
        against,
        playouts: root.iter().map(|edge| edge.visits).sum(),
    })
}

/// Does all lanes, by so many threads; what they come to, in the lanes' order.
fn side_by_side<T: Send>(lanes: usize, threads: usize, lane: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = threads.clamp(1, lanes);
    if threads == 1 {
        return (0..lanes).map(lane).collect();
    }
    let mine = |thread: usize| -> Vec<(usize, T)> {
        let lanes = (thread..lanes).step_by(threads);
        lanes.map(|at| (at, lane(at))).collect()
    };
    let mine = &mine;
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map(|thread| scope.spawn(move || mine(thread)))
            .collect();
        let mut done = mine(0);
        for other in others {
            match other.join() {
                Ok(found) => done.extend(found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    // Sums of floats depend on their order, and of equal options the first wins. The results must come
    // in the order of the lanes, or the answer would depend on the number of threads.
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, found)| found).collect()
}

/// An option as its player tells it apart, in any guess: cards in the ring by what they are on the table,
/// others by what they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OptionKey {
    kind: u8,
    /// A number, a card of the ring, a card by what it is, or one that the player does not know.
    about: u8,
    which: u16,
}

struct Edge {
    key: OptionKey,
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
    /// What it looked like at first sight, to who decides.
    prior: i64,
    /// Of the root only: the chance of winning, its square, and by guess with the number of playouts.
    wins: f64,
    squares: f64,
    by_guess: Vec<(usize, f64, u32)>,
}

impl Edge {
    fn weight(&self, most: i64) -> f64 {
        // A lost duel lies about a million below the best option, and e^-2000 is 0 as a float. The limit
        // makes it e^-40, so no weight is 0. `libm` gives the same digits on every platform.
        libm::exp((self.prior - most).max(-20_000) as f64 / TEMPERATURE)
    }

    /// Adds what another lane found out about the same option.
    fn add(&mut self, other: &Edge) {
        self.visits += other.visits;
        self.available += other.available;
        self.sum += other.sum;
        self.wins += other.wins;
        self.squares += other.squares;
        self.by_guess.extend(&other.by_guess);
    }

    fn weighed(&self, prior: f64) -> Weighed {
        let visits = f64::from(self.visits.max(1));
        let win = self.wins / visits;
        // Rounding can make the variance of equal results slightly negative, and its root would be NaN.
        let variance = (self.squares / visits - win * win).max(0.0);
        let half = 1.96 * (variance / visits).sqrt();
        Weighed {
            choice: self.choice,
            alike: Vec::new(),
            visits: self.visits,
            proven: false,
            win,
            low: (win - half).max(0.0),
            high: (win + half).min(1.0),
            prior,
        }
    }

    /// The guesses on which it does worst and best.
    fn against(&self, pool: &[Guess], other: Seat) -> Vec<HandGuess> {
        // A single playout says more about luck than about the hand, so such guesses do not count.
        let means = self.by_guess.iter().filter(|(_, _, number)| *number > 1);
        let means = means.map(|(guess, sum, number)| (*guess, sum / f64::from(*number)));
        let by_mean = |a: &(usize, f64), b: &(usize, f64)| a.1.total_cmp(&b.1);
        let (Some(worst), Some(best)) = (means.clone().min_by(by_mean), means.max_by(by_mean)) else {
            return Vec::new();
        };
        if worst.0 == best.0 {
            return Vec::new();
        }
        let told = [worst, best].into_iter().map(|(guess, win)| {
            let hand = pool[guess].glance(other).hand();
            HandGuess {
                hand: hand.map(|(_, model)| model).collect::<Vec<ModelId>>(),
                win,
            }
        });
        told.collect()
    }
}

#[derive(Default)]
struct SearchNode {
    edges: Vec<Edge>,
    visits: u32,
    sum: f64,
}

struct SearchTree<'a> {
    seat: Seat,
    /// The options of the question that are looked at.
    worth_trying: &'a [Choice],
    nodes: Vec<SearchNode>,
    /// The guess that is being played, and its number.
    duel: Lookahead,
    guess: usize,
    random: RandomPlayer,
    hurry: Hurry<'a>,
    style: SearchStyle,
    /// What the position is worth before anything is done, over all guesses.
    before: i64,
    playout: u32,
}

impl SearchTree<'_> {
    /// Whether so many more playouts cannot change what was tried most.
    fn is_decided(&self, left: usize) -> bool {
        let (mut first, mut second) = (0, 0);
        for edge in &self.nodes[0].edges {
            if edge.visits > first {
                (first, second) = (edge.visits, first);
            } else {
                second = second.max(edge.visits);
            }
        }
        // With as many visits left as the lead the second may draw level, and may then come first.
        (first - second) as usize > left
    }

    /// Plays one guess to where it is judged.
    fn play(&mut self, number: usize, guess: &Guess) {
        // The steps of a playout: follow known options down the tree, add one node where it ends, let
        // hurried players go on until the position is judged, and add the value to the path.
        self.playout += 1;
        self.guess = number;
        self.duel.restart(guess);
        let last = guess.turn() + self.style.horizon;
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut node = 0;
        for _ in 0..LONGEST {
            if self.duel.position().turn() > last {
                break;
            }
            // Listing the options is a third of the work of an answer, so the turn was looked at first.
            let Some(decision) = self.duel.listed().pending() else {
                break;
            };
            if let Some(forced) = forced(decision) {
                if self.duel.answer(forced).is_err() {
                    break;
                }
                continue;
            }
            let Some(edge) = self.select(node) else {
                break;
            };
            path.push((node, edge));
            let at = &self.nodes[node].edges[edge];
            let (choice, child) = (at.choice, at.child);
            if self.duel.answer(choice).is_err() {
                break;
            }
            match child {
                Some(child) => node = child as usize,
                None => {
                    // The tree grows by one node a playout, so the budget bounds its size.
                    self.nodes[node].edges[edge].child = u32::try_from(self.nodes.len()).ok();
                    self.nodes.push(SearchNode::default());
                    break;
                }
            }
        }
        // `value` guides the tree and is measured against the position of the question. `win` is the
        // plain chance of winning: it is shown, so only the edges of the root need it.
        let (value, win) = self.judge();
        if let Some((0, edge)) = path.first() {
            let edge = &mut self.nodes[0].edges[*edge];
            edge.wins += win;
            edge.squares += win * win;
            match edge.by_guess.iter_mut().find(|(of, _, _)| *of == number) {
                Some((_, sum, times)) => {
                    *sum += win;
                    *times += 1;
                }
                None => edge.by_guess.push((number, win, 1)),
            }
        }
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
    fn select(&mut self, at: usize) -> Option<usize> {
        // The steps: enter the options of this guess into the node, score those that are offered now
        // (PUCT, with a count of how often each was offered), and take the best.
        let duel = self.duel.listed();
        let decision = duel.pending()?;
        let mine = decision.seat == self.seat;
        let node = &mut self.nodes[at];
        let only_back = decision.options.iter().all(|option| takes_back(*option));
        // A node stands for a row of choices, not for one position: other guesses come here with other
        // cards. So options are matched to the known edges by their keys, and an edge may be absent in
        // this guess.
        for option in &decision.options {
            // At the root the list was made once for all guesses. Further down only what takes back is
            // left out: it leads to where the playout was before.
            let left_out = match at {
                0 => !self.worth_trying.contains(option),
                _ => takes_back(*option) && !only_back,
            };
            if left_out {
                continue;
            }
            let key = key(duel, decision.seat, *option);
            let place = node.edges.iter().position(|edge| edge.key == key);
            let place = place.unwrap_or_else(|| {
                // The first guess that offers the option settles its prior for all guesses: to find it
                // the option is followed to a quiet position, which is slow.
                let prior = self.hurry.after(duel, decision.seat, *option, &mut self.random);
                node.edges.push(Edge {
                    key,
                    choice: *option,
                    offered: 0,
                    child: None,
                    visits: 0,
                    available: 0,
                    sum: 0.0,
                    prior,
                    wins: 0.0,
                    squares: 0.0,
                    by_guess: Vec::new(),
                });
                node.edges.len() - 1
            });
            let edge = &mut node.edges[place];
            // Playouts count from 1, so a new edge (0) always comes in here. Of several options with one
            // key the first stands for all of them, and the playout counts once.
            if edge.offered != self.playout {
                edge.offered = self.playout;
                edge.choice = *option;
                edge.available += 1;
            }
        }
        // Sums are kept for the seat that searches. Where the other decides, it prefers low ones.
        let own = |sum: f64, visits: u32| {
            let mean = sum / f64::from(visits);
            if mine { mean } else { 1.0 - mean }
        };
        let mean = match node.visits {
            0 => 0.5,
            visits => own(node.sum, visits),
        };
        // Weights are shares of what is offered now: edges of other guesses must not take any.
        let offered = || node.edges.iter().filter(|edge| edge.offered == self.playout);
        let most = offered().map(|edge| edge.prior).max().unwrap_or(0);
        let all: f64 = offered().map(|edge| edge.weight(most)).sum();
        let score = |edge: &Edge| {
            let value = match edge.visits {
                // An untried option counts as slightly worse than its node. So a node of many options
                // need not try each of them before it looks deeper.
                0 => mean - FIRST_PLAY,
                visits => own(edge.sum, visits),
            };
            // The usual formula takes the root of the node’s visits. An option that few guesses offer
            // would seem neglected then, so only the playouts that offered it count.
            let seldom = f64::from(edge.available).sqrt() / f64::from(1 + edge.visits);
            value + CURIOSITY * edge.weight(most) / all * seldom
        };
        let mut best = (f64::NEG_INFINITY, None);
        for (place, edge) in node.edges.iter().enumerate() {
            if edge.offered == self.playout {
                let score = score(edge);
                if score > best.0 {
                    best = (score, Some(place));
                }
            }
        }
        best.1
    }

    /// How good the position is for the seat that searches, 0 to 1, against that of the question, and its
    /// chance of winning: partly that of the next quiet position, partly that of one some turns later.
    fn judge(&mut self) -> (f64, f64) {
        // `here` is the first quiet position: a Main phase, or an Attack phase in which nobody attacks
        // yet. In the middle of a fight it is still open who is hit. `there` is the Main phase `turns`
        // turns later, the end of the duel, or wherever the answers run out.
        let turn = self.duel.position().turn();
        let mut here = None;
        let mut answers = 0;
        while answers < LONGEST {
            let Some((_, question)) = self.duel.question() else {
                break;
            };
            let main = question == Question::Main;
            let quiet = main || question == Question::Attack && !fights(self.duel.position());
            if here.is_none() && quiet {
                if self.style.here > 0.0 {
                    here = Some(self.chances());
                }
                if self.style.turns == 0 {
                    break;
                }
            }
            if main && self.duel.position().turn() >= turn + self.style.turns {
                break;
            }
            let duel = self.duel.listed();
            let Some(decision) = duel.pending() else {
                break;
            };
            let Chosen { choice, settled } = self.hurry.choose(duel, decision, &mut self.random);
            // The choice was tried on a copy. If only forced answers followed, the copy already stands
            // where they lead, and it is taken over. They count as if they had been given here.
            match settled {
                Some(more) if answers + more <= LONGEST => {
                    self.hurry.go_on(&mut self.duel);
                    answers += more;
                }
                _ => {
                    if self.duel.answer(choice).is_err() {
                        break;
                    }
                    answers += 1;
                }
            }
        }
        let there = self.chances();
        let Some(here) = here else { return there };
        let mix = |here: f64, there: f64| here * self.style.here + there * (1.0 - self.style.here);
        (mix(here.0, there.0), mix(here.1, there.1))
    }

    /// Against the position of the question, so that differences count where somebody is far ahead; and the
    /// chance of winning.
    fn chances(&self) -> (f64, f64) {
        match self.hurry.values.worth(self.duel.position(), self.seat) {
            WON => (1.0, 1.0),
            LOST => (0.0, 0.0),
            worth => {
                let chance = |odds: i64| 1.0 / (1.0 + libm::exp(-odds as f64 / 1000.0));
                (chance(worth - self.before), chance(worth))
            }
        }
    }
}

/// What is answered on the way without a choice being made: the only option; any slot.
pub(crate) fn forced(decision: &Decision) -> Option<Choice> {
    match decision.options[..] {
        [only] => Some(only),
        [first, ..] if matches!(decision.question, Question::SlotFor(_)) => Some(first),
        _ => None,
    }
}

pub(crate) fn key(duel: &Duel, seat: Seat, option: Choice) -> OptionKey {
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
    let of = |about, which| OptionKey { kind, about, which };
    // A hidden card’s index means another card in each guess (D50), so the model counts, and copies of a
    // card are one option. Two copies in the ring differ (one may be frozen), and those that are there
    // when the question is asked have the same index in all guesses.
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
