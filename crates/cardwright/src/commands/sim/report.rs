//! What a plan came to, for people.

use cw_lab::{CONFIDENCE, interval, is_scripted, verdict};
use cw_sim::{DuelPlan, Exchange, Oddity, StopRule, Total, Written};
use cw_stats::{Interval, Pairs};

use crate::output::say;
use crate::package;

/// 1 matchup, 2 matchups.
pub(crate) fn matchups(number: usize) -> String {
    format!("{number} matchup{}", if number == 1 { "" } else { "s" })
}

/// A row for each matchup, for spreadsheets: the score is the first deck's.
pub(crate) fn csv(plan: &DuelPlan, total: &Total) {
    say!("deck,against,pairs,score,low,high,turns");
    for (matchup, sums) in plan.matchups.iter().zip(&total.matchups) {
        let [one, two] = matchup.names.0.each_ref().map(|name| package::csv(name));
        let (results, pairs) = (&sums.results, &sums.results.pairs);
        let Interval { low, high } = pairs.interval(CONFIDENCE);
        let turns = results.turns as f64 / results.number_of_duels().max(1) as f64;
        say!(
            "{one},{two},{},{:.4},{low:.4},{high:.4},{turns:.2}",
            pairs.number(),
            pairs.score()
        );
    }
}

/// For people.
pub(crate) fn print(plan: &DuelPlan, written: &Written, total: &Total) {
    let results = &total.results;
    let [one, two] = &written.players;
    let who = match plan.exchange {
        Exchange::Players => format!("{one} against {two}"),
        Exchange::Turns => format!("{one} plays both sides"),
    };
    let duels = results.number_of_duels();
    say!(
        "{who}: {}{}, {} pairs of duels, {} of decks, seed {}, plan {}",
        plan.game.name,
        if is_scripted(plan) {
            ""
        } else {
            " (unscripted: cards are played without their texts)"
        },
        results.pairs.number(),
        matchups(plan.matchups.len()),
        plan.seed,
        written.id()
    );
    let line = |pairs: &Pairs, interval: Interval| {
        format!("{:.3} [{:.3}, {:.3}]", pairs.score(), interval.low, interval.high)
    };
    if plan.exchange == Exchange::Players || plan.matchups.len() == 1 {
        let whose = match plan.exchange {
            Exchange::Players => one,
            Exchange::Turns => &plan.matchups[0].names.0[0],
        };
        let known = interval(plan, &results.pairs);
        let verdict = verdict(plan, total).map_or(String::new(), |verdict| format!("; {verdict}"));
        say!("  score of {whose} {}{verdict}", line(&results.pairs, known));
    }
    say!(
        "  who goes first scores {}",
        line(&total.firsts, total.firsts.interval(CONFIDENCE))
    );
    say!(
        "  {:.1} turns and {:.0} choices a duel, at most {}",
        results.turns as f64 / duels.max(1) as f64,
        results.decisions as f64 / duels.max(1) as f64,
        results.most_decisions
    );
    for (oddity, (number, first)) in Oddity::ALL.into_iter().zip(&total.oddities) {
        if let Some((pair, half)) = first.first() {
            let what = match oddity {
                Oddity::LoopGuard => "the loop guard ended something in",
                Oddity::Drawn => "drawn:",
                Oddity::GaveUp => "given up:",
            };
            say!(
                "  {what} {number} of {duels} duels, first in pair {pair}, duel {}",
                half + 1
            );
        }
    }
    if plan.matchups.len() > 1 {
        let names = || plan.matchups.iter().map(|matchup| matchup.names.0.join(" – "));
        let width = names().map(|name| name.chars().count()).max().unwrap_or(0);
        let correction = total.corrected();
        for (at, (name, sums)) in names().zip(&total.matchups).enumerate() {
            let pairs = &sums.results.pairs;
            let without = correction.as_ref().map_or(String::new(), |correction| {
                let (corrected, known) = (&correction.groups[at], correction.groups[at].interval(CONFIDENCE));
                format!(
                    "; without luck {:.3} [{:.3}, {:.3}]",
                    corrected.score, known.low, known.high
                )
            });
            say!(
                "  {name:width$}  {}{without}",
                line(pairs, pairs.interval(CONFIDENCE))
            );
        }
        say!(
            "  the score is the first deck's{}; intervals hold 95 of 100 times, each for itself",
            match plan.exchange {
                Exchange::Players => ", in the hands of the first player",
                Exchange::Turns => "",
            }
        );
        if let StopRule::Each { half, most } = plan.stop {
            let per_cent = half * 100.0;
            match total.unknown(half) {
                0 => say!("  every matchup is known to {per_cent} % either way"),
                unknown => say!(
                    "  {unknown} of {} matchups are not yet known to {per_cent} % either way: \
                     give --pairs more than {most}",
                    plan.matchups.len()
                ),
            }
        }
        if let Some(luck) = &total.luck {
            match correction {
                Some(correction) => say!(
                    "  without luck: the same score once the luck of the draw is taken out; \
                     with it, intervals as narrow would need {:.1} times the duels",
                    correction.saves
                ),
                None => say!(
                    "  the luck of the draw is taken out from {} pairs on: \
                     before that, its worth is not known",
                    luck.least()
                ),
            }
        }
    }
}
