//! What one run says about a whole game, as data.

use std::collections::BTreeMap;

use cw_duel::{Game, Seat};
use cw_players::{RandomPlayer, mix};
use cw_program::{CardType, ModelId};
use cw_sim::{CardCount, CardSums, DuelPlan, Oddity, Sums, Total, Wins, Written};
use cw_stats::{Apart, Changes, Corrected, Correction, Interval, Pairs, bh, e_bh, equilibrium, wilson};
use serde::Serialize;

use crate::together::Combination;

/// How sure intervals are, each for itself.
pub const CONFIDENCE: f64 = 0.95;
/// Of the answers to many questions so large a share may be wrong.
const WRONG: f64 = 0.05;
/// How often the blocks are drawn again, to see how sure the equilibrium is.
const RESAMPLES: usize = 400;
/// A deck with less than this share is not in the mixture.
const SUPPORT: f64 = 0.01;

/// A number with where it may lie and out of how many it was made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// The value.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Out of how many: pairs, duels or copies, as the table says.
    pub n: u64,
}

fn rounded(number: f64) -> f64 {
    // Minus nothing is nothing.
    (number * 1e6).round() / 1e6 + 0.0
}

/// Chances are told apart down to a thousand-millionth.
fn chance(chance: f64) -> f64 {
    (chance * 1e9).round() / 1e9
}

impl Figure {
    /// Made of a value and its interval.
    pub fn new(value: f64, interval: Interval, n: u64) -> Figure {
        Figure {
            value: rounded(value),
            low: rounded(interval.low),
            high: rounded(interval.high),
            n,
        }
    }

    fn of_pairs(pairs: &Pairs) -> Figure {
        Figure::new(pairs.score(), pairs.interval(CONFIDENCE), pairs.number())
    }

    fn of_corrected(corrected: &Corrected) -> Figure {
        // What chance leaves may carry a score of nearly all points beyond.
        let score = corrected.score.clamp(0.0, 1.0);
        Figure::new(score, corrected.interval(CONFIDENCE), corrected.number)
    }

    fn of_wins(wins: Wins) -> Figure {
        let score = if wins.number == 0 {
            0.5
        } else {
            wins.halves as f64 / 2.0 / wins.number as f64
        };
        Figure::new(
            score,
            wilson(wins.halves as f64 / 2.0, wins.number as f64, CONFIDENCE),
            wins.number,
        )
    }

    fn of_share(part: u64, of: u64) -> Figure {
        let share = if of == 0 { 0.0 } else { part as f64 / of as f64 };
        Figure::new(share, wilson(part as f64, of as f64, CONFIDENCE), of)
    }

    fn of_changes(changes: &Changes) -> Figure {
        Figure::new(changes.mean(), changes.interval(CONFIDENCE), changes.number())
    }

    /// The same seen from the other side.
    #[must_use]
    pub fn reversed(self) -> Figure {
        Figure {
            value: rounded(1.0 - self.value),
            low: rounded(1.0 - self.high),
            high: rounded(1.0 - self.low),
            n: self.n,
        }
    }

    /// Whether this value is inside the interval.
    pub fn allows(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// What was run.
#[derive(Clone, Debug, Serialize)]
pub struct RunSummary {
    /// The game's name.
    pub game: String,
    /// Its identity and content.
    pub fingerprint: String,
    /// Whether any card has rules.
    pub scripted: bool,
    /// Who played both sides.
    pub player: String,
    /// What it could try out for an answer.
    pub playouts: u32,
    /// The plan's identity.
    pub plan: String,
    /// The seed.
    pub seed: u64,
    /// Pairs of duels for the matrix.
    pub pairs: u64,
    /// Duels for the matrix.
    pub duels: u64,
    /// Pairs of duels for each card.
    pub card_pairs: u64,
    /// How sure intervals are.
    pub confidence: f64,
    /// The command that gives this report again.
    pub command: String,
}

/// A deck.
#[derive(Clone, Debug, Serialize)]
pub struct DeckReport {
    /// Its name.
    pub name: String,
    /// Its score against all others.
    pub score: Option<Figure>,
    /// Whether that differs from ½, corrected for how many decks there are, as [`BalanceReport::decided`].
    pub decided: bool,
    /// Its share in the mixture that nobody beats.
    pub share: f64,
    /// In how many of the resampled matrices it is part of that mixture, from 0 to 1.
    pub support: f64,
}

/// The scores of decks once the luck of the draw is taken out.
#[derive(Clone, Debug, Serialize)]
pub struct WithoutLuck {
    /// So many times as many duels would be needed for intervals as narrow, with luck left in.
    pub saves: f64,
    /// As [`BalanceReport::matrix`].
    pub matrix: Vec<Vec<Option<Figure>>>,
    /// As [`BalanceReport::decided`].
    pub decided: Vec<Vec<bool>>,
    /// By deck: its score against all others.
    pub scores: Vec<Option<Figure>>,
    /// By deck: whether that differs from ½, as [`DeckReport::decided`].
    pub scores_decided: Vec<bool>,
}

/// How things stand at the beginning of a turn.
#[derive(Clone, Debug, Serialize)]
pub struct TurnLeads {
    /// The turn, from 1.
    pub turn: usize,
    /// Duels that got there.
    pub duels: u64,
    /// By how many HP the one ahead is ahead, on average.
    pub ahead: f64,
    /// By how many HP who went first is ahead, on average.
    pub first: f64,
    /// How often the one ahead wins in the end.
    pub kept: Figure,
}

/// What replacing a card does.
#[derive(Clone, Debug, Serialize)]
pub struct Shift {
    /// How much of the score the card wins over what replaces it.
    pub change: Figure,
    /// Blocks in which it won more, and less.
    pub better: u64,
    /// See [`Shift::better`].
    pub worse: u64,
    /// The share of blocks that came out alike.
    pub same: f64,
    /// How often so much comes of chance alone, for this number of blocks: below 5 % exactly where the
    /// interval excludes none.
    pub chance: f64,
    /// The e-value of “better as often as worse”, which may be looked at at any time.
    pub evidence: f64,
    /// Whether it holds among all questions of the table: of cards by their chances (Benjamini and Hochberg),
    /// of the matchups of a what-if by their evidence (e-BH).
    pub holds: bool,
}

impl Shift {
    /// Of these blocks; whether it holds is found out later.
    pub fn of(changes: &Changes) -> Shift {
        let (better, worse) = changes.better_and_worse();
        let number = changes.number();
        Shift {
            change: Figure::of_changes(changes),
            better,
            worse,
            same: rounded((number - better - worse) as f64 / number.max(1) as f64),
            chance: chance(changes.chance_of_none()),
            evidence: rounded(changes.evidence().min(1e12)),
            holds: false,
        }
    }
}

/// What a copy in the opening hand does.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Opening {
    /// The score with it less the score without; `n` is the pairs with it.
    #[serde(flatten)]
    pub change: Figure,
    /// How often so much comes of chance alone: below 5 % exactly where the interval excludes none.
    pub chance: f64,
    /// Whether it holds among all cards of which it is known (Benjamini and Hochberg).
    pub holds: bool,
}

impl Opening {
    /// By deck, the pairs with a copy there and those without; `None` of fewer than ten of either.
    fn of(decks: &[[Pairs; 2]]) -> Option<Opening> {
        let apart = Apart::of(decks);
        let [with, without] = apart.numbers;
        (with >= 10 && without >= 10).then(|| Opening {
            change: Figure::new(apart.value(), apart.interval(CONFIDENCE), with),
            chance: chance(apart.chance_of_none()),
            holds: false,
        })
    }
}

/// What was tried with a card.
#[derive(Clone, Debug, Default)]
pub struct TriedCard {
    /// Against the card without its text.
    pub blank: Option<Changes>,
    /// Against the ordinary card of its type, and which that is.
    pub ordinary: Option<(ModelId, Changes)>,
}

/// A card.
#[derive(Clone, Debug, Serialize)]
pub struct CardReport {
    /// Its id in the package.
    pub id: String,
    /// Its number in the game.
    #[serde(skip)]
    pub model: ModelId,
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: &'static str,
    /// Printed BP; none but for characters.
    pub bp: Option<i32>,
    /// Printed SP.
    pub sp: i32,
    /// How many decks have it.
    pub decks: usize,
    /// Score with a copy in the opening hand less the score without one, each deck compared with itself:
    /// chance decides it, so this is caused by it.
    pub opening: Option<Opening>,
    /// Score when drawn, opening hand or later (17Lands: GIH WR).
    pub in_hand: Figure,
    /// Score when in the opening hand (OH WR).
    pub opened: Figure,
    /// Score when drawn later (GD WR).
    pub drawn: Figure,
    /// Score when never drawn (GNS WR).
    pub unseen: Figure,
    /// GIH less GNS (IWD).
    pub improvement: f64,
    /// Score when played.
    pub played: Figure,
    /// Score when still in the hand in the end.
    pub stuck: Figure,
    /// Of the times that a deck drew it, one for each duel and deck that did, the share in which it was
    /// played or backed up with.
    pub use_rate: Figure,
    /// HP that it took from the opponent, a copy and duel.
    pub damage: f64,
    /// What its text wins.
    pub text: Option<Shift>,
    /// What it wins over the ordinary card of its type.
    pub over_ordinary: Option<Shift>,
    /// Which that is.
    pub ordinary: Option<String>,
    /// A card that is never worse on paper: the same text, or none, and as much BP, SP and back-up icons.
    pub dominated_by: Option<String>,
}

/// What a change does to a matchup.
#[derive(Clone, Debug, Serialize)]
pub struct MatchupChange {
    /// The decks.
    pub decks: [String; 2],
    /// The first deck's score before.
    pub before: Figure,
    /// And after.
    pub after: Figure,
    /// The change, from the same seeds.
    pub shift: Shift,
}

/// What a patch does.
#[derive(Clone, Debug, Serialize)]
pub struct WhatIf {
    /// The changes in words.
    pub changes: Vec<String>,
    /// By matchup.
    pub matchups: Vec<MatchupChange>,
    /// The score of who goes first, before, after, and the change.
    pub first: MatchupChange,
    /// Turns of a duel, before and after.
    pub turns: [f64; 2],
    /// Equilibrium shares by deck, before and after.
    pub shares: Vec<(String, f64, f64)>,
    /// By deck: in how many of the resampled matrices it is part of the equilibrium, before and after.
    pub supports: Vec<[f64; 2]>,
}

/// A change that brings what was wanted.
#[derive(Clone, Debug, Serialize)]
pub struct Suggestion {
    /// How far from ½ the figures may be.
    pub wanted: f64,
    /// How many changes were tried in the search.
    pub tried: usize,
    /// The changes in words.
    pub changes: Vec<String>,
    /// How far the worst figure was from what is wanted, and how far it is with the change.
    pub worst: [f64; 2],
    /// Whether everything is within what is wanted, as far as the fresh duels tell.
    pub reached: bool,
    /// What it does, on fresh seeds.
    pub proof: WhatIf,
}

/// What one run says about a whole game.
#[derive(Clone, Debug, Serialize)]
pub struct BalanceReport {
    /// What was run.
    pub ran: RunSummary,
    /// The decks.
    pub decks: Vec<DeckReport>,
    /// The score of each deck against each, in the order of the decks; none of a deck against itself.
    pub matrix: Vec<Vec<Option<Figure>>>,
    /// Which scores of the matrix differ from ½, corrected for how many there are (Benjamini and Hochberg, 5
    /// %).
    pub decided: Vec<Vec<bool>>,
    /// The same without the luck of the draw; none of too few pairs to know what luck is worth.
    pub without_luck: Option<WithoutLuck>,
    /// The score of who goes first.
    pub first: Figure,
    /// The same by matchup: the decks and the score.
    pub first_by_matchup: Vec<(String, String, Figure)>,
    /// Which of these differ from ½, corrected for how many there are (Benjamini and Hochberg, 5 %).
    pub first_decided: Vec<bool>,
    /// Turns: the mean, and within which a tenth, half, nine tenths of the duels end.
    pub mean_turns: f64,
    /// See [`BalanceReport::mean_turns`].
    pub quantiles: [u16; 3],
    /// Duels by the turn in which they ended.
    pub lengths: Vec<(u16, u64)>,
    /// Choices a duel.
    pub choices: f64,
    /// By turn.
    pub turns: Vec<TurnLeads>,
    /// Duels by how they ended.
    pub endings: BTreeMap<&'static str, u64>,
    /// Oddities: their names and in how many duels.
    pub oddities: Vec<(&'static str, u64)>,
    /// The cards that are in a deck.
    pub cards: Vec<CardReport>,
    /// How many combinations were looked at.
    pub combinations_tried: usize,
    /// Those that win more or less than their parts: deck, cards, how much.
    pub combinations: Vec<(String, [String; 2], Figure)>,
    /// What a patch does, if one was asked about.
    pub what_if: Option<WhatIf>,
    /// What would bring the figures to where they are wanted, if that was asked.
    pub target: Option<Suggestion>,
    /// What the figures do not say.
    pub caveats: Vec<String>,
}

impl WhatIf {
    /// Of two totals over the same pairs, and the changes by matchup; `first` is the change for who goes
    /// first.
    pub fn of(
        plan: &DuelPlan,
        totals: [&Total; 2],
        matchups: &[Changes],
        first: &Changes,
        changes: Vec<String>,
    ) -> WhatIf {
        let [before, after] = totals;
        let mut by_matchup: Vec<MatchupChange> = plan
            .matchups
            .iter()
            .enumerate()
            .map(|(at, matchup)| MatchupChange {
                decks: matchup.names.0.clone(),
                before: Figure::of_pairs(&before.matchups[at].results.pairs),
                after: Figure::of_pairs(&after.matchups[at].results.pairs),
                shift: Shift::of(&matchups[at]),
            })
            .collect();
        let evidence: Vec<f64> = by_matchup.iter().map(|one| one.shift.evidence).collect();
        for (one, holds) in by_matchup.iter_mut().zip(e_bh(&evidence, WRONG)) {
            one.shift.holds = holds;
        }
        let mut first_shift = Shift::of(first);
        first_shift.holds = first_shift.evidence >= 1.0 / WRONG;
        let mean_turns = |total: &Total| {
            rounded(total.results.turns as f64 / total.results.number_of_duels().max(1) as f64)
        };
        let names = names(plan);
        let [old, new] = totals.map(|total| equilibrium(&ahead(&names, plan, &scores(total))));
        let [was, is] = totals.map(|total| {
            support(&names, plan, |random| {
                let sums = total.matchups.iter();
                sums.map(|sums| resampled(&sums.results.pairs, random)).collect()
            })
        });
        WhatIf {
            changes,
            matchups: by_matchup,
            first: MatchupChange {
                decks: ["who goes first".to_owned(), "who goes second".to_owned()],
                before: Figure::of_pairs(&before.firsts),
                after: Figure::of_pairs(&after.firsts),
                shift: first_shift,
            },
            turns: [mean_turns(before), mean_turns(after)],
            shares: names
                .into_iter()
                .zip(old.into_iter().zip(new))
                .map(|(name, (old, new))| (name, rounded(old), rounded(new)))
                .collect(),
            supports: was.into_iter().zip(is).map(|(was, is)| [was, is]).collect(),
        }
    }

    /// How far from ½ the farthest matchup or first-player score is with the change, by the values alone.
    pub fn worst(&self) -> f64 {
        let matchups = self.matchups.iter().filter(|one| one.decks[0] != one.decks[1]);
        let all = matchups
            .map(|one| one.after.value)
            .chain([self.first.after.value]);
        all.map(|score| (score - 0.5).abs()).fold(0.0, f64::max)
    }
}

/// The decks of a plan, each once, in the order in which they come up.
fn names(plan: &DuelPlan) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in plan.matchups.iter().flat_map(|matchup| &matchup.names.0) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Which cells differ from ½, corrected for how many there are (Benjamini and Hochberg 1995). Each
/// matchup is asked once: both its cells have the same answer, and none that holds has an interval
/// with ½ in it.
fn decided(chances: &[Vec<Option<f64>>]) -> Vec<Vec<bool>> {
    let asked = chances
        .iter()
        .enumerate()
        .flat_map(|(at, row)| row.iter().skip(at + 1).flatten());
    let asked: Vec<f64> = asked.copied().collect();
    let held = asked.iter().zip(bh(&asked, WRONG)).filter(|(_, holds)| *holds);
    let most = held.map(|(chance, _)| *chance).fold(-1.0, f64::max);
    let row = |row: &Vec<Option<f64>>| {
        let cells = row.iter();
        cells
            .map(|chance| chance.is_some_and(|chance| chance <= most))
            .collect()
    };
    chances.iter().map(row).collect()
}

/// The decks of a plan, those with the most points first.
fn ranked(plan: &DuelPlan, total: &Total) -> Vec<String> {
    let mut names = names(plan);
    let points = |name: &String| {
        let mut quarters = 0;
        for (matchup, sums) in plan.matchups.iter().zip(&total.matchups) {
            let pairs = &sums.results.pairs;
            let counts = pairs
                .counts
                .iter()
                .zip(0..)
                .map(|(count, quarters)| count * quarters);
            let won: u64 = counts.sum();
            let [one, two] = &matchup.names.0;
            quarters += if one == name { won } else { 0 };
            quarters += if two == name { 4 * pairs.number() - won } else { 0 };
        }
        quarters
    };
    names.sort_by_key(|name| std::cmp::Reverse(points(name)));
    names
}

fn scores(total: &Total) -> Vec<f64> {
    let sums = total.matchups.iter();
    sums.map(|sums| sums.results.pairs.score()).collect()
}

/// By how much each deck is ahead of each.
fn ahead(names: &[String], plan: &DuelPlan, scores: &[f64]) -> Vec<Vec<f64>> {
    let place = |name: &String| names.iter().position(|known| known == name).unwrap_or(0);
    let mut ahead = vec![vec![0.0; names.len()]; names.len()];
    for (matchup, score) in plan.matchups.iter().zip(scores) {
        let [one, two] = matchup.names.0.each_ref().map(place);
        if one != two {
            ahead[one][two] = score - 0.5;
            ahead[two][one] = 0.5 - score;
        }
    }
    ahead
}

/// The same pairs drawn again, with replacement, and one of unknown result beside them: a matchup of one or
/// two pairs would always come out alike, and look certain.
fn resampled(pairs: &Pairs, random: &mut RandomPlayer) -> f64 {
    let number = pairs.number();
    let Ok(bound) = usize::try_from(number) else {
        return pairs.score();
    };
    let mut quarters = random.below(pairs.counts.len()) as u64;
    for _ in 0..number {
        let mut drawn = random.below(bound) as u64;
        for (at, count) in (0..).zip(pairs.counts) {
            if drawn < count {
                quarters += at;
                break;
            }
            drawn -= count;
        }
    }
    quarters as f64 / 4.0 / (number + 1) as f64
}

/// In how many of the resampled matrices each deck is part of the equilibrium.
fn support(
    names: &[String],
    plan: &DuelPlan,
    mut drawn: impl FnMut(&mut RandomPlayer) -> Vec<f64>,
) -> Vec<f64> {
    let mut random = RandomPlayer::new(mix(&[plan.seed, 0x6261_6c61]));
    let mut support = vec![0_usize; names.len()];
    for _ in 0..RESAMPLES {
        let shares = equilibrium(&ahead(names, plan, &drawn(&mut random)));
        for (count, share) in support.iter_mut().zip(shares) {
            *count += usize::from(share > SUPPORT);
        }
    }
    let share = |count| rounded(count as f64 / RESAMPLES as f64);
    support.into_iter().map(share).collect()
}

impl BalanceReport {
    /// What a run of a plan in which one player plays both sides came to.
    pub fn of(
        plan: &DuelPlan,
        written: &Written,
        total: &Total,
        tried: &BTreeMap<ModelId, TriedCard>,
        card_pairs: u64,
        combinations: (usize, Vec<Combination>),
        command: String,
    ) -> BalanceReport {
        let names = ranked(plan, total);
        let correction = total.corrected();
        let best: Vec<f64> = match &correction {
            Some(correction) => correction.groups.iter().map(|group| group.score).collect(),
            None => scores(total),
        };
        let shares = equilibrium(&ahead(&names, plan, &best));
        let support = support(&names, plan, |random| {
            (0..)
                .zip(&total.matchups)
                .map(|(at, sums): (usize, _)| {
                    let pairs = &sums.results.pairs;
                    let drawn = resampled(pairs, random);
                    // Without luck it deviates as much less as the pairs' scores do.
                    correction.as_ref().map_or(drawn, |correction| {
                        let Corrected { score, variance, .. } = correction.groups[at];
                        let narrower = (variance / pairs.variance().max(1e-9)).min(1.0).sqrt();
                        score + (drawn - pairs.score()) * narrower
                    })
                })
                .collect()
        });
        let mut matrix = vec![vec![None; names.len()]; names.len()];
        let mut chances = vec![vec![None; names.len()]; names.len()];
        let mut against = vec![Pairs::default(); names.len()];
        for (matchup, sums) in plan.matchups.iter().zip(&total.matchups) {
            let places = matchup
                .names
                .0
                .each_ref()
                .map(|name| names.iter().position(|known| known == name));
            let [Some(one), Some(two)] = places else { continue };
            if one == two {
                continue;
            }
            let pairs = &sums.results.pairs;
            let chance = pairs.chance_of_even();
            (chances[one][two], chances[two][one]) = (Some(chance), Some(chance));
            matrix[one][two] = Some(Figure::of_pairs(pairs));
            matrix[two][one] = Some(Figure::of_pairs(pairs).reversed());
            for (quarters, count) in pairs.counts.iter().enumerate() {
                against[one].counts[quarters] += count;
                against[two].counts[4 - quarters] += count;
            }
        }
        let uneven = |pairs: &Pairs| pairs.chance_of_even();
        let deck_chances: Vec<f64> = against.iter().map(uneven).collect();
        let deck_decided = bh(&deck_chances, WRONG);
        let first_chances: Vec<f64> = total.matchups.iter().map(|sums| uneven(&sums.firsts)).collect();
        let decks = names.iter().enumerate().map(|(at, name)| DeckReport {
            name: name.clone(),
            score: (against[at].number() > 0).then(|| Figure::of_pairs(&against[at])),
            decided: deck_decided[at],
            share: rounded(shares[at]),
            support: support[at],
        });
        let decks: Vec<DeckReport> = decks.collect();
        let decided = decided(&chances);
        let without_luck = correction
            .as_ref()
            .map(|correction| WithoutLuck::of(plan, &names, correction));
        let duels = total.results.number_of_duels();
        let mut lengths: BTreeMap<u16, u64> = BTreeMap::new();
        let mut endings = [0; 4];
        for sums in &total.matchups {
            for (turn, number) in &sums.turns {
                *lengths.entry(*turn).or_default() += number;
            }
            endings
                .iter_mut()
                .zip(sums.endings)
                .for_each(|(into, from)| *into += from);
        }
        let scripted = plan
            .matchups
            .iter()
            .flat_map(|matchup| matchup.decks.0.iter().flatten())
            .any(|model| plan.game.model(*model).program.is_some());
        let game = &*plan.game;
        let named = |model: ModelId| game.model(model).name.to_string();
        let mut report = BalanceReport {
            ran: RunSummary {
                game: game.name.clone(),
                fingerprint: game.fingerprint.clone(),
                scripted,
                player: written.players[0].clone(),
                playouts: plan.budgets[0].playouts,
                plan: written.id(),
                seed: plan.seed,
                pairs: total.results.pairs.number(),
                duels,
                card_pairs,
                confidence: CONFIDENCE,
                command,
            },
            decks,
            matrix,
            decided,
            without_luck,
            first: Figure::of_pairs(&total.firsts),
            first_by_matchup: plan
                .matchups
                .iter()
                .zip(&total.matchups)
                .map(|(matchup, sums)| {
                    let [one, two] = matchup.names.0.clone();
                    (one, two, Figure::of_pairs(&sums.firsts))
                })
                .collect(),
            first_decided: bh(&first_chances, WRONG),
            mean_turns: rounded(total.results.turns as f64 / duels.max(1) as f64),
            quantiles: [10, 50, 90].map(|percent| quantile(&lengths, percent)),
            lengths: lengths.into_iter().collect(),
            choices: rounded(total.results.decisions as f64 / duels.max(1) as f64),
            turns: standings(&total.matchups),
            endings: ["hp", "deck", "gave up", "drawn"]
                .into_iter()
                .zip(endings)
                .collect(),
            oddities: Oddity::ALL
                .into_iter()
                .zip(&total.oddities)
                .map(|(oddity, (number, _))| (oddity.name(), *number))
                .collect(),
            cards: cards(plan, total, tried),
            combinations_tried: combinations.0,
            combinations: combinations
                .1
                .into_iter()
                .map(|found| {
                    let figure = Figure::new(found.more, found.interval, found.duels);
                    (found.deck, found.cards.map(named), figure)
                })
                .collect(),
            what_if: None,
            target: None,
            caveats: Vec::new(),
        };
        report.caveats = report.caveats();
        report
    }

    /// The matrix as well as it is known: without the luck of the draw, where it could be taken out.
    pub fn best_matrix(&self) -> &[Vec<Option<Figure>>] {
        self.without_luck
            .as_ref()
            .map_or(&self.matrix, |without| &without.matrix)
    }

    /// Which scores of [`BalanceReport::best_matrix`] differ from ½, as [`BalanceReport::decided`].
    pub fn best_decided(&self) -> &[Vec<bool>] {
        self.without_luck
            .as_ref()
            .map_or(&self.decided, |without| &without.decided)
    }

    /// Whether so few pairs were played of each matchup that none could be decided, whatever came of them:
    /// all of them won, the interval would still hold ½.
    pub fn is_undecidable(&self) -> bool {
        let figures = self.matrix.iter().flatten().flatten();
        let mut won = Pairs::default();
        won.counts[4] = figures.map(|figure| figure.n).max().unwrap_or(0);
        self.without_luck.is_none() && Figure::of_pairs(&won).allows(0.5)
    }

    /// Whether [`BalanceReport::best_score`] differs from ½, as [`DeckReport::decided`].
    pub fn best_score_decided(&self, deck: usize) -> bool {
        match &self.without_luck {
            Some(without) => without.scores_decided.get(deck).copied().unwrap_or(false),
            None => self.decks.get(deck).is_some_and(|deck| deck.decided),
        }
    }

    /// A deck's score against all others as well as it is known.
    pub fn best_score(&self, deck: usize) -> Option<Figure> {
        match &self.without_luck {
            Some(without) => without.scores.get(deck).copied().flatten(),
            None => self.decks.get(deck).and_then(|deck| deck.score),
        }
    }

    fn caveats(&self) -> Vec<String> {
        let RunSummary { player, scripted, .. } = &self.ran;
        let mut caveats = vec![
            format!(
                "Everything holds for these decks in the hands of {player}, a program. \
                 It says nothing about people, and a card that {player} plays badly looks weak. \
                 Run it again with another player: where they disagree, that is a finding."
            ),
            "An interval holds in 95 of 100 cases, each for itself; of many intervals some are wrong. \
             Marks (●, ▲, ▼) and full dots are corrected for how many questions a table or column asks, \
             so a figure whose interval leaves out 0, \
             or a score whose interval leaves out 50, may be unmarked."
                .to_owned(),
            "What is not marked is not thereby balanced: \
             the interval says how large an effect may still be."
                .to_owned(),
        ];
        if !scripted {
            caveats.insert(
                0,
                "Unscripted: no card here has rules, so all are played without their texts. \
                 Characters are their numbers, actions and reactions only cost. \
                 The figures say nothing about what is written on cards."
                    .to_owned(),
            );
        }
        if self.ran.card_pairs == 0 {
            caveats.push(
                "No card was replaced in this run (--card-pairs 0): \
                 of the cards there is only what is descriptive, and the opening hand."
                    .to_owned(),
            );
        }
        caveats
    }
}

impl WithoutLuck {
    fn of(plan: &DuelPlan, names: &[String], correction: &Correction) -> WithoutLuck {
        let mut matrix = vec![vec![None; names.len()]; names.len()];
        let mut chances = vec![vec![None; names.len()]; names.len()];
        let mut against: Vec<Vec<Corrected>> = vec![Vec::new(); names.len()];
        for (matchup, corrected) in plan.matchups.iter().zip(&correction.groups) {
            let place = |name: &String| names.iter().position(|known| known == name);
            let [Some(one), Some(two)] = matchup.names.0.each_ref().map(place) else {
                continue;
            };
            if one == two {
                continue;
            }
            let chance = corrected.chance_of_even();
            (chances[one][two], chances[two][one]) = (Some(chance), Some(chance));
            let figure = Figure::of_corrected(corrected);
            (matrix[one][two], matrix[two][one]) = (Some(figure), Some(figure.reversed()));
            against[one].push(*corrected);
            against[two].push(corrected.reversed());
        }
        let against: Vec<Corrected> = against.iter().map(|all| Corrected::of_all(all)).collect();
        let score = |all: &Corrected| (all.number > 0).then(|| Figure::of_corrected(all));
        let deck_chances: Vec<f64> = against.iter().map(Corrected::chance_of_even).collect();
        WithoutLuck {
            saves: rounded(correction.saves),
            matrix,
            decided: decided(&chances),
            scores: against.iter().map(score).collect(),
            scores_decided: bh(&deck_chances, WRONG),
        }
    }
}

fn quantile(lengths: &BTreeMap<u16, u64>, percent: u64) -> u16 {
    let all: u64 = lengths.values().sum();
    let wanted = (all * percent).div_ceil(100);
    let mut seen = 0;
    for (turn, number) in lengths {
        seen += number;
        if seen >= wanted {
            return *turn;
        }
    }
    0
}

fn standings(all: &[Sums]) -> Vec<TurnLeads> {
    let longest = all.iter().map(|sums| sums.standings.len()).max().unwrap_or(0);
    let mut turns = Vec::new();
    for turn in 0..longest {
        let (mut duels, mut ahead, mut first, mut led, mut kept) = (0, 0, 0, 0, 0);
        for standing in all.iter().filter_map(|sums| sums.standings.get(turn)) {
            duels += standing.duels;
            ahead += standing.ahead;
            first += standing.first;
            led += standing.led;
            kept += standing.kept;
        }
        // A handful of long duels says nothing about a turn.
        if duels < 20 {
            break;
        }
        turns.push(TurnLeads {
            turn: turn + 1,
            duels,
            ahead: rounded(ahead as f64 / duels as f64),
            first: rounded(first as f64 / duels as f64),
            kept: Figure::of_share(kept, led),
        });
    }
    turns
}

fn cards(plan: &DuelPlan, total: &Total, tried: &BTreeMap<ModelId, TriedCard>) -> Vec<CardReport> {
    let game = &*plan.game;
    let mut sums: BTreeMap<ModelId, CardSums> = BTreeMap::new();
    // By card and deck: the pairs with a copy in the opening hand, and without.
    let mut decks: BTreeMap<ModelId, BTreeMap<&str, [Pairs; 2]>> = BTreeMap::new();
    for (matchup, of) in plan.matchups.iter().zip(&total.matchups) {
        for seat in Seat::BOTH {
            for (model, card) in &of.cards[seat] {
                sums.entry(*model).or_default().join(card);
                let decks = decks.entry(*model).or_default();
                let opened = decks.entry(matchup.names[seat].as_str()).or_default();
                for (into, from) in opened.iter_mut().zip([card.with, card.without]) {
                    into.counts
                        .iter_mut()
                        .zip(from.counts)
                        .for_each(|(into, from)| *into += from);
                }
            }
        }
    }
    let mut cards: Vec<CardReport> = sums
        .iter()
        .map(|(model, sums)| {
            let decks: Vec<[Pairs; 2]> = decks
                .get(model)
                .map_or_else(Vec::new, |decks| decks.values().copied().collect());
            card(game, *model, sums, &decks, tried.get(model))
        })
        .collect();
    let playable: Vec<ModelId> = sums.keys().copied().collect();
    for card in &mut cards {
        let better = playable.iter().find(|other| dominates(game, **other, card.model));
        card.dominated_by = better.map(|other| game.model(*other).name.to_string());
    }
    hold(&mut cards, |card| &mut card.text);
    hold(&mut cards, |card| &mut card.over_ordinary);
    let opened = cards.iter_mut().filter_map(|card| card.opening.as_mut());
    let (chances, marks): (Vec<f64>, _) = opened.map(|opening| (opening.chance, &mut opening.holds)).unzip();
    mark(&chances, marks);
    cards
}

/// Marks what holds among all the questions of a column. Their number of pairs was fixed beforehand, so they
/// are tested by what their intervals are made of: a figure farther from none, in deviations, is never the
/// unmarked one.
fn hold(cards: &mut [CardReport], of: fn(&mut CardReport) -> &mut Option<Shift>) {
    let shifts = cards.iter_mut().filter_map(|card| of(card).as_mut());
    let (chances, marks): (Vec<f64>, _) = shifts.map(|shift| (shift.chance, &mut shift.holds)).unzip();
    mark(&chances, marks);
}

fn mark(chances: &[f64], marks: Vec<&mut bool>) {
    for (mark, holds) in marks.into_iter().zip(bh(chances, WRONG)) {
        *mark = holds;
    }
}

/// Whether a card is worse than another one of its kind on paper, and in nothing better: the same text, or
/// none, and no number or icon that is better.
fn dominates(game: &Game, better: ModelId, than: ModelId) -> bool {
    let (better_model, than_model) = (game.model(better), game.model(than));
    let kind = |model: &cw_duel::CardModel| {
        let steps = model.program.as_ref().map(|program| program.ops.len());
        (
            model.card_type,
            model.subtype,
            model.ability_kind(),
            steps,
            model.text.trim().to_lowercase(),
        )
    };
    let numbers = |model: &cw_duel::CardModel| (model.bp, model.sp, model.backups.len());
    let (one, two) = (numbers(better_model), numbers(than_model));
    // A rule without a printed text may do anything, and so may an action without one, whose text is
    // elsewhere.
    let is_plain =
        than_model.is_character() && than_model.program.is_none() && better_model.program.is_none();
    let is_known = is_plain || !than_model.text.trim().is_empty();
    better != than
        && than_model.card_type.is_some()
        && is_known
        && kind(better_model) == kind(than_model)
        && one.0 >= two.0
        && one.1 >= two.1
        && than_model
            .backups
            .iter()
            .all(|style| better_model.backups.contains(style))
        && one != two
}

fn card(
    game: &Game,
    model: ModelId,
    sums: &CardSums,
    decks: &[[Pairs; 2]],
    tried: Option<&TriedCard>,
) -> CardReport {
    let it = game.model(model);
    let mut in_hand = sums.opening;
    in_hand.join(sums.drawn);
    let (hand, unseen) = (Figure::of_wins(in_hand), Figure::of_wins(sums.unseen));
    let shown = in_hand.number.max(1) as f64;
    CardReport {
        id: it.id.to_string(),
        model,
        name: it.name.to_string(),
        kind: match it.card_type {
            Some(CardType::Character) => "character",
            Some(CardType::Action) => "action",
            Some(CardType::Reaction) => "reaction",
            None => "unknown",
        },
        bp: it.is_character().then_some(it.bp),
        sp: it.sp,
        decks: decks.len(),
        opening: Opening::of(decks),
        in_hand: hand,
        opened: Figure::of_wins(sums.opening),
        drawn: Figure::of_wins(sums.drawn),
        unseen,
        improvement: rounded(hand.value - unseen.value),
        played: Figure::of_wins(sums.played),
        stuck: Figure::of_wins(sums.stuck),
        use_rate: Figure::of_share(sums.duels_seen - sums.duels_idle, sums.duels_seen),
        damage: rounded(sums.counts[CardCount::Damage as usize] as f64 / shown),
        text: tried.and_then(|tried| tried.blank.as_ref()).map(Shift::of),
        over_ordinary: tried
            .and_then(|tried| tried.ordinary.as_ref())
            .map(|(_, changes)| Shift::of(changes)),
        ordinary: tried
            .and_then(|tried| tried.ordinary.as_ref())
            .map(|(other, _)| game.model(*other).name.to_string()),
        dominated_by: None,
    }
}
