//! Promises of chances of error, kept in simulation.

use crate::{Apart, Changes, LuckSums, PARTS, Pairs, Sprt, Verdict, bh};

/// SplitMix64 (Steele, Lea, Flood 2014).
struct SimulatedChance(u64);

impl SimulatedChance {
    /// From 0 to 1.
    fn draw(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((word ^ (word >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn pair(&mut self, shares: &[f64; 5]) -> u8 {
        let mut left = self.draw();
        for (quarters, share) in (0..).zip(shares) {
            left -= share;
            if left < 0.0 {
                return quarters;
            }
        }
        4
    }
}

/// Shares of the five outcomes with this mean. `tied` pairs are split, the others won or lost twice;
/// a few duels are drawn.
fn shares(mean: f64, tied: f64) -> [f64; 5] {
    let drawn = 0.02 * (1.0 - mean);
    let low = drawn / 2.0;
    let rest = 1.0 - tied - drawn;
    // mean = low·0.25 + tied·0.5 + low·0.75 + won
    let won = mean - low - tied * 0.5;
    [rest - won, low, tied, low, won]
}

fn mean(shares: &[f64; 5]) -> f64 {
    shares
        .iter()
        .zip([0.0, 0.25, 0.5, 0.75, 1.0])
        .map(|(share, score)| share * score)
        .sum()
}

/// How often a test of `sprt` on pairs like these is accepted, and pairs used on average.
fn accepted(sprt: Sprt, shares: &[f64; 5], runs: u64, look: u64) -> (f64, f64) {
    let (mut accepted, mut used) = (0u64, 0u64);
    for run in 0..runs {
        let mut chance = SimulatedChance(run * 7919);
        let mut pairs = Pairs::default();
        let verdict = loop {
            for _ in 0..look {
                pairs.add(chance.pair(shares));
            }
            if let Some(verdict) = sprt.verdict(&pairs) {
                break verdict;
            }
        };
        accepted += u64::from(verdict == Verdict::Accepted);
        used += pairs.number();
    }
    (accepted as f64 / runs as f64, used as f64 / runs as f64)
}

/// Wrong in one case of twenty, either way, at most: in the middle, with split pairs and without, and
/// near the end of the scale. Looking only now and then makes it less, never more.
#[test]
fn sequential_tests_keep_their_error_rates() {
    let runs = 1_000;
    for (worse, better, tied) in [
        (0.50, 0.55, 0.0),
        (0.50, 0.55, 0.5),
        (0.50, 0.55, 0.76),
        (0.70, 0.75, 0.4),
        (0.95, 0.98, 0.03),
    ] {
        for look in [16, 64] {
            let sprt = Sprt::new(worse, better);
            let (wrong, used0) = accepted(sprt, &shares(worse, tied), runs, look);
            let (right, used1) = accepted(sprt, &shares(better, tied), runs, look);
            eprintln!(
                "{worse}:{better}, {tied} split, every {look}: \
                 {:.1} % and {:.1} % wrong, {used0:.0} and {used1:.0} pairs",
                wrong * 100.0,
                (1.0 - right) * 100.0
            );
            // Two standard deviations of a thousand runs are 1.4 points.
            assert!(
                wrong <= 0.064 && right >= 0.936,
                "{worse}:{better}: {wrong} {right}"
            );
        }
    }
}

/// The interval of a fixed number of pairs holds the truth as often as it says.
#[test]
fn intervals_cover_what_they_promise() {
    for (score, tied) in [
        (0.5, 0.0),
        (0.5, 0.5),
        (0.5, 0.76),
        (0.64, 0.4),
        (0.8, 0.2),
        (0.97, 0.03),
    ] {
        let shares = shares(score, tied);
        assert!((mean(&shares) - score).abs() < 1e-12);
        for number in [50, 400] {
            let runs = 2_000u64;
            let covered = (0..runs).filter(|run| {
                let mut chance = SimulatedChance(run * 104_729 + number);
                let mut pairs = Pairs::default();
                (0..number).for_each(|_| pairs.add(chance.pair(&shares)));
                let interval = pairs.interval(0.95);
                interval.low <= score && score <= interval.high
            });
            let share = covered.count() as f64 / runs as f64;
            eprintln!(
                "{score}, {tied} split, {number} pairs: {:.1} % covered",
                share * 100.0
            );
            assert!(share >= 0.935, "{score}, {tied}, {number}: {share}");
        }
    }
}

/// The sequence holds the truth at all looks together as often as it says, and is at most 1.7 times
/// as wide as the interval of a fixed number.
#[test]
fn sequences_may_be_looked_at_any_time() {
    for (score, tied) in [(0.5, 0.0), (0.5, 0.6), (0.8, 0.2), (0.97, 0.03)] {
        let shares = shares(score, tied);
        let (runs, planned) = (500u64, 1_000u64);
        let (mut missed, mut wide) = (0u64, 0.0);
        for run in 0..runs {
            let mut chance = SimulatedChance(run * 15_485_863 + 3);
            let mut pairs = Pairs::default();
            let mut ever = false;
            for number in 1..=planned {
                pairs.add(chance.pair(&shares));
                if number % 16 == 0 {
                    let interval = pairs.sequence(planned, 0.95);
                    ever |= !(interval.low <= score && score <= interval.high);
                }
            }
            missed += u64::from(ever);
            let (sequence, fixed) = (pairs.sequence(planned, 0.95), pairs.interval(0.95));
            wide += (sequence.high - sequence.low) / (fixed.high - fixed.low);
        }
        let (missed, wide) = (missed as f64 / runs as f64, wide / runs as f64);
        eprintln!(
            "{score}, {tied} split: {:.1} % missed at any look, {wide:.2} times as wide",
            missed * 100.0
        );
        assert!(missed <= 0.05 && wide <= 1.7, "{score}, {tied}: {missed}, {wide}");
    }
}

/// The interval of a matchup that is played until it is narrow enough holds the truth nearly as often as it
/// says: the variance ends it, not the score (Chow and Robbins 1965). Looked at after every fourth pair, from
/// 32 on.
#[test]
fn stopping_at_a_width_keeps_the_promise() {
    for (score, tied) in [
        (0.5, 0.0),
        (0.5, 0.5),
        (0.5, 0.76),
        (0.64, 0.4),
        (0.8, 0.2),
        (0.97, 0.03),
    ] {
        let shares = shares(score, tied);
        let (runs, mut covered, mut used) = (2_000_u64, 0_u64, 0_u64);
        for run in 0..runs {
            let mut chance = SimulatedChance(run * 86_028_121 + 11);
            let mut pairs = Pairs::default();
            let interval = loop {
                (0..4).for_each(|_| pairs.add(chance.pair(&shares)));
                let interval = pairs.interval(0.95);
                if pairs.number() >= 32 && interval.high - interval.low <= 0.08 {
                    break interval;
                }
            };
            covered += u64::from(interval.low <= score && score <= interval.high);
            used += pairs.number();
        }
        let (share, used) = (covered as f64 / runs as f64, used as f64 / runs as f64);
        eprintln!(
            "{score}, {tied} split: {:.1} % covered after {used:.0} pairs",
            share * 100.0
        );
        assert!(share >= 0.935, "{score}, {tied}: {share}");
    }
}

/// A block with and without a change: most come out alike, `better` and `worse` of them do not.
fn block(chance: &mut SimulatedChance, better: f64, worse: f64) -> (u8, u8) {
    let draw = chance.draw();
    // Half of the blocks that move do so by one duel, half by both.
    let by = if chance.draw() < 0.5 { 2 } else { 4 };
    if draw < better {
        (0, by)
    } else if draw < better + worse {
        (by, 0)
    } else {
        (2, 2)
    }
}

/// In 2,000 reports of each kind the intervals contain the truth in 95 ± 1 % (±1.5 % where a report has few
/// blocks).
#[test]
fn intervals_of_changes_contain_the_truth() {
    for (better, worse, blocks, far) in [
        (0.2, 0.1, 60, 0.015),
        (0.1, 0.1, 200, 0.01),
        (0.09, 0.03, 400, 0.01),
    ] {
        let truth = (better - worse) * 0.75;
        let inside = (0..2000_u64).filter(|run| {
            let mut chance = SimulatedChance(run * 104_729);
            let mut changes = Changes::default();
            for _ in 0..blocks {
                let (without, with) = block(&mut chance, better, worse);
                changes.add(without, with);
            }
            let interval = changes.interval(0.95);
            interval.low <= truth && truth <= interval.high
        });
        let share = inside.count() as f64 / 2000.0;
        assert!(
            (share - 0.95).abs() <= far,
            "{better}, {worse}, {blocks}: {share}"
        );
    }
}

/// In 2,000 whole reports of pairs the scores' intervals contain the truth in 95 ± 1 %.
#[test]
fn intervals_of_reports_contain_the_truth() {
    let (mut inside, mut all) = (0_u64, 0_u64);
    for run in 0..2000_u64 {
        let mut chance = SimulatedChance(run * 15_485_863);
        // The cells of a matrix, each with a truth of its own.
        for cell in 0..6_u64 {
            let shares = shares(0.35 + 0.06 * cell as f64, 0.4);
            let mut pairs = Pairs::default();
            (0..120).for_each(|_| pairs.add(chance.pair(&shares)));
            let interval = pairs.interval(0.95);
            inside += u64::from(interval.low <= mean(&shares) && mean(&shares) <= interval.high);
            all += 1;
        }
    }
    let share = inside as f64 / all as f64;
    assert!((share - 0.95).abs() <= 0.01, "{share}");
}

/// Of 1,000 tables of a hundred cards that win nothing over what replaces them, one in twenty at most marks
/// any, also where all cards of a table have the duels with the card in common; cards that win something are
/// marked.
#[test]
fn tables_of_changes_are_hardly_ever_marked_by_chance() {
    for (better, worse, blocks, common) in [
        (0.1, 0.1, 20, false),
        (0.2, 0.2, 90, false),
        (0.2, 0.2, 90, true),
        (0.05, 0.05, 90, false),
        (0.1, 0.1, 400, true),
    ] {
        let tables = 1000_u64;
        let marked = (0..tables).filter(|run| {
            let mut chance = SimulatedChance(run * 86_028_157);
            let mut cards = vec![Changes::default(); 100];
            for _ in 0..blocks {
                // Of a win by luck all cards have the same: what replaces any of them would mostly win, too.
                let with = chance.pair(&shares(0.5, 0.4));
                for changes in &mut cards {
                    if common {
                        let moved = chance.draw() < better + worse;
                        let without = chance.pair(&shares(0.5, 0.4));
                        changes.add(if moved { without } else { with }, with);
                    } else {
                        let (without, with) = block(&mut chance, better, worse);
                        changes.add(without, with);
                    }
                }
            }
            let chances: Vec<f64> = cards.iter().map(Changes::chance_of_none).collect();
            bh(&chances, 0.05).contains(&true)
        });
        let share = marked.count() as f64 / tables as f64;
        eprintln!("{better}, {blocks} blocks, common {common}: {share} of tables marked");
        // Two standard deviations of a thousand tables are 1.4 points.
        assert!(share <= 0.064, "{better}, {blocks}, {common}: {share}");
    }
    // One card of a hundred wins seven points and a half in 400 pairs: it is found, and hardly another.
    let (mut found, mut wrong) = (0, 0);
    for run in 0..200_u64 {
        let mut chance = SimulatedChance(run * 86_028_157);
        let mut cards = vec![Changes::default(); 100];
        for (at, changes) in cards.iter_mut().enumerate() {
            let (better, worse) = if at == 0 { (0.16, 0.06) } else { (0.1, 0.1) };
            for _ in 0..400 {
                let (without, with) = block(&mut chance, better, worse);
                changes.add(without, with);
            }
        }
        let marks = bh(
            &cards.iter().map(Changes::chance_of_none).collect::<Vec<f64>>(),
            0.05,
        );
        found += u64::from(marks[0]);
        wrong += marks[1..].iter().filter(|mark| **mark).count();
    }
    eprintln!("{found} of 200 found, {wrong} wrong");
    assert!(found >= 100 && wrong <= 25, "{found} found, {wrong} wrong");
}

/// The difference between pairs with a card in the opening hand and without holds the truth as often as it
/// says, and a table of cards that make none is hardly ever marked, also where the card's decks differ in
/// strength.
#[test]
fn differences_of_scores_keep_their_promise() {
    for (scores, opened, number, effect) in [
        ([0.5, 0.5], [0.1, 0.1], 100, 0.0),
        ([0.35, 0.6], [0.1, 0.27], 150, 0.0),
        ([0.35, 0.6], [0.1, 0.27], 150, 0.08),
    ] {
        let (mut inside, mut marked) = (0, 0);
        let (tables, cards) = (200_u64, 30);
        for run in 0..tables {
            let mut chance = SimulatedChance(run * 49_979_693);
            let table: Vec<Apart> = (0..cards)
                .map(|_| {
                    let groups = [0, 1].map(|deck| {
                        let mut sides = [Pairs::default(); 2];
                        for _ in 0..number {
                            let opens = chance.draw() < opened[deck];
                            let score = scores[deck] + if opens { effect } else { 0.0 };
                            sides[usize::from(!opens)].add(chance.pair(&shares(score, 0.4)));
                        }
                        sides
                    });
                    Apart::of(&groups)
                })
                .collect();
            for apart in &table {
                let interval = apart.interval(0.95);
                inside += u32::from(interval.low <= effect && effect <= interval.high);
            }
            let chances: Vec<f64> = table.iter().map(Apart::chance_of_none).collect();
            marked += u32::from(bh(&chances, 0.05).contains(&true));
        }
        let share = f64::from(inside) / (tables as f64 * f64::from(cards));
        let marked = f64::from(marked) / tables as f64;
        eprintln!("{scores:?}, {effect}: {share:.4} covered, {marked} of tables marked");
        assert!((share - 0.95).abs() <= 0.012, "{scores:?}, {effect}: {share}");
        // Two standard deviations of 200 tables are 3.1 points.
        assert!(effect > 0.0 || marked <= 0.08, "{scores:?}: {marked}");
    }
}

/// Of 1,000 comparisons without a difference, looked at after every pair, hardly one in a hundred gives
/// an alarm at 1 %; a real difference is found.
#[test]
fn evidence_may_be_looked_at() {
    let alarms = |better: f64, worse: f64, blocks: u64| {
        let runs = (0..1000_u64).filter(|run| {
            let mut chance = SimulatedChance(run * 32_452_843);
            let mut changes = Changes::default();
            (0..blocks).any(|_| {
                let (without, with) = block(&mut chance, better, worse);
                changes.add(without, with);
                changes.evidence() >= 100.0
            })
        });
        runs.count()
    };
    let without = alarms(0.12, 0.12, 1500);
    assert!(without <= 17, "{without} alarms of 1000");
    let found = alarms(0.12, 0.05, 1500);
    assert!(found >= 990, "{found} of 1000");
}

/// In 1,000 whole reports the intervals without luck contain the truth in 95 ± 1 %, are as much narrower as
/// luck explains, and the scores are right on average.
#[test]
fn intervals_without_luck_contain_the_truth() {
    const WORTH: [f64; 8] = [0.22, -0.13, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let (mut inside, mut all, mut saves, mut off) = (0_u64, 0_u64, 0.0, 0.0);
    let runs = 1_000_u64;
    for run in 0..runs {
        let mut chance = SimulatedChance(run * 49_979_687);
        // In each group there are other kinds of luck, as other decks have other cards.
        let kinds = |group: usize| vec![0, 1, 2 + group, 3 + group];
        let mut luck = LuckSums::new(WORTH.len(), (0..4).map(kinds));
        let truth = |group: usize| 0.44 + 0.04 * group as f64;
        for group in 0..4 {
            for number in 0..100 {
                let brought: [i64; 4] = std::array::from_fn(|_| match chance.draw() {
                    low if low < 0.3 => -PARTS,
                    high if high > 0.7 => PARTS,
                    _ => 0,
                });
                let taken = kinds(group).into_iter().zip(brought);
                let by_luck: f64 = taken
                    .map(|(kind, luck)| WORTH[kind] * (luck / PARTS) as f64)
                    .sum();
                let quarters = chance.pair(&shares(truth(group) + by_luck, 0.1));
                luck.add(group, number, quarters, &brought);
            }
        }
        let correction = luck.corrected().expect("there are enough pairs");
        saves += correction.saves / runs as f64;
        for (group, corrected) in correction.groups.iter().enumerate() {
            let interval = corrected.interval(0.95);
            inside += u64::from(interval.low <= truth(group) && truth(group) <= interval.high);
            off += corrected.score - truth(group);
            all += 1;
        }
    }
    let (share, off) = (inside as f64 / all as f64, off / all as f64);
    eprintln!("{share:.4} covered, {saves:.3} saved, {off:.5} off");
    assert!((share - 0.95).abs() <= 0.01, "{share}");
    // Of a variance of 0.22 luck explains 0.039.
    assert!(saves > 1.15 && saves < 1.25, "{saves}");
    // One standard deviation of the mean of so many is 0.0007.
    assert!(off.abs() < 0.0025, "{off}");
}
