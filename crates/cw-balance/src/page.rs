//! The report as one page that needs nothing else: no script is needed to read it, the script only sorts.

use std::collections::BTreeMap;

use cw_program::ModelId;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::plots;
use crate::report::{BalanceReport, CardReport, Figure, MatchupChange, Opening, Shift, Suggestion, WhatIf};
use crate::together::LEAST;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// What drawn scores reach from and to: all of them, on one scale.
fn scale(figures: impl Iterator<Item = Figure>) -> (f64, f64) {
    let mut figures = figures.filter(|figure| figure.n > 0);
    let narrow = figures.all(|figure| (0.2..=0.8).contains(&figure.value));
    if narrow { (0.2, 0.8) } else { (0.0, 1.0) }
}

/// The scale's ends and middle, over the drawn intervals of a column.
fn scale_words((low, high): (f64, f64)) -> Markup {
    html! {
        span.scale {
            span { (format!("{:.0}", low * 100.0)) }
            " " span { "50" }
            " " span { (format!("{:.0} %", high * 100.0)) }
        }
    }
}
/// Where the book explains every figure.
const BOOK: &str = "docs/balance.md";

fn percent(value: f64) -> String {
    format!("{:.1}", value * 100.0)
}

/// With its sign, but for nothing.
fn signed(value: f64) -> String {
    let tenths = (value * 1000.0).round();
    if tenths == 0.0 {
        return "0.0".to_owned();
    }
    // A minus that is as wide as a plus.
    format!("{:+.1}", tenths / 10.0).replace('-', "−")
}

/// 1 pair, 2 pairs.
fn pairs(number: u64) -> String {
    let unit = if number == 1 { "pair" } else { "pairs" };
    format!("{} {unit}", grouped(number))
}

/// A score with its interval and n.
fn score(figure: Figure) -> Markup {
    html! {
        span.value { (percent(figure.value)) }
        span.range { " [" (percent(figure.low)) ", " (percent(figure.high)) "]" }
    }
}

fn difference(figure: Figure) -> Markup {
    html! {
        span.value { (signed(figure.value)) }
        span.range { " [" (signed(figure.low)) ", " (signed(figure.high)) "]" }
    }
}

/// A cell that can be sorted by; what is made of nothing says nothing. Pointing at it tells how many of which
/// `unit` it is made of.
fn cell_of(figure: Figure, unit: &str, shown: &Markup) -> Markup {
    html! {
        @if figure.n == 0 { td data-value="-9" { "–" } }
        @else { td data-value=(figure.value) title={ "n = " (grouped(figure.n)) " " (unit) } { (shown) } }
    }
}

/// A cell that is made of pairs.
fn cell(figure: Figure, shown: &Markup) -> Markup {
    cell_of(figure, if figure.n == 1 { "pair" } else { "pairs" }, shown)
}

/// A number of things, sorted as a number.
fn count(number: u64) -> Markup {
    html! { td data-value=(number) { (grouped(number)) } }
}

/// The chance that so much is luck, for this figure alone.
fn luck(chance: f64) -> String {
    if chance < 0.0001 {
        return "p < 0.0001".to_owned();
    }
    format!("p = {chance:.4}")
}

/// What a copy in the opening hand does, if it is known.
fn opening(opening: Option<Opening>) -> Markup {
    match opening {
        None => html! { td data-value="-9" { "–" } },
        Some(opening) => html! {
            td data-value=(opening.change.value)
                title={ "n = " (pairs(opening.change.n)) " with a copy there; " (luck(opening.chance)) } {
                @if opening.holds { span.holds title="holds among all cards" { "●" } " " }
                (difference(opening.change))
            }
        },
    }
}

/// What replacing a card does; `by` is what stood in its place.
fn maybe(shift: Option<&Shift>, by: &str, reach: f64) -> Markup {
    match shift {
        None => html! { td data-value="-9" { "–" } },
        Some(shift) => html! {
            td data-value=(shift.change.value)
                title={
                    "replaced by " (by) "; n = " (pairs(shift.change.n))
                    "; better in " (shift.better) ", worse in " (shift.worse)
                    ", alike in " (percent(shift.same)) " %; " (luck(shift.chance))
                } {
                (plots::interval(shift.change, -reach, reach, 0.0, shift.holds))
                @if shift.holds { span.holds title="holds among all cards" { "●" } " " }
                (difference(shift.change))
            }
        },
    }
}

/// The whole page. `faces` are pictures of cards, as SVG, by card.
pub fn page(report: &BalanceReport, faces: &BTreeMap<ModelId, String>) -> String {
    let ran = &report.ran;
    let title = format!("{}: balance", ran.game);
    let body = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    p.kicker { "Balance report" }
                    h1 { (ran.game) @if !ran.scripted { " " span.label { "unscripted" } } }
                    p {
                        "The player " b { (ran.player) } " has both sides in " (report.first_by_matchup.len())
                        (if report.first_by_matchup.len() == 1 { " matchup of " } else { " matchups of " })
                        (report.decks.len()) (if report.decks.len() == 1 { " deck: " } else { " decks: " })
                        (grouped(ran.duels)) " duels in " (pairs(ran.pairs)) ". "
                        @if ran.card_pairs > 0 {
                            "Each card was replaced in " (grouped(ran.card_pairs)) " further "
                            (if ran.card_pairs == 1 { "pair" } else { "pairs" }) "."
                        }
                    }
                    @if !ran.scripted {
                        p {
                            b { "Unscripted:" }
                            " no card here has rules, so all are played without their texts. \
                             Characters are their numbers; actions and reactions only cost. \
                             What a card is “worth” below leaves out all that is written on it."
                        }
                    }
                    p.quiet {
                        "Seed " (ran.seed) ", plan " code { (ran.plan) } ". The same again: "
                        (command(&ran.command))
                    }
                    nav {
                        a href="#decks" { "Decks" }
                        a href="#first" { "Going first" }
                        a href="#lengths" { "Length" }
                        a href="#cards" { "Cards" }
                        a href="#together" { "Combinations" }
                        @if report.what_if.is_some() { a href="#what-if" { "What if" } }
                        @if report.target.is_some() { a href="#target" { "Target" } }
                        a href="#caveats" { "What this does not say" }
                    }
                }
                main {
                    (glance(report))
                    (decks(report))
                    (first(report))
                    (length(report))
                    (cards(report, faces))
                    (together(report))
                    @if let Some(what_if) = &report.what_if { (changed(what_if, "what-if", "What if")) }
                    @if let Some(target) = &report.target { (suggested(target)) }
                    section #caveats {
                        h2 { "What this does not say" }
                        ul { @for caveat in &report.caveats { li { (caveat) } } }
                        p { "The book explains every figure: " code { (BOOK) } "." }
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    body.into_string()
}

/// A command that breaks between its options, never inside one.
fn command(command: &str) -> Markup {
    html! {
        code.command {
            @for (at, part) in command.split(" --").enumerate() {
                @if at == 0 { span { (part) } } @else { " " span { "--" (part) } }
            }
        }
    }
}

/// 12,345.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The answers in a few lines.
fn glance(report: &BalanceReport) -> Markup {
    let mut cells: Vec<(&String, &String, Figure)> = Vec::new();
    for (at, (one, row)) in report.decks.iter().zip(report.best_matrix()).enumerate() {
        for (two, figure) in report.decks.iter().zip(row).skip(at + 1) {
            cells.extend(
                figure
                    .filter(|figure| figure.n > 0)
                    .map(|figure| match figure.value >= 0.5 {
                        true => (&one.name, &two.name, figure),
                        false => (&two.name, &one.name, figure.reversed()),
                    }),
            );
        }
    }
    // By the end of the interval that is nearest to 50: so far it is known to be off. Of several the first.
    let farthest = cells.iter().rev().max_by(|one, two| {
        let known = one.2.low.total_cmp(&two.2.low);
        known.then(one.2.value.total_cmp(&two.2.value))
    });
    let tied = farthest.map_or(0, |(_, _, farthest)| {
        let alike = |figure: &Figure| figure.low == farthest.low && figure.value == farthest.value;
        cells.iter().filter(|(_, _, figure)| alike(figure)).count()
    });
    let most = cells.iter().map(|(_, _, figure)| figure.n).max().unwrap_or(0);
    let decided = report
        .best_decided()
        .iter()
        .flatten()
        .filter(|decided| **decided)
        .count()
        / 2;
    let holding = |pick: fn(&CardReport) -> &Option<Shift>, up: bool| {
        let mut found: Vec<&CardReport> = report
            .cards
            .iter()
            .filter(|card| {
                pick(card)
                    .as_ref()
                    .is_some_and(|shift| shift.holds && (shift.change.value > 0.0) == up)
            })
            .collect();
        let value = |card: &CardReport| pick(card).as_ref().map_or(0.0, |shift| shift.change.value.abs());
        found.sort_by(|one, two| value(two).total_cmp(&value(one)));
        let names: Vec<&str> = found.iter().take(6).map(|card| card.name.as_str()).collect();
        (found.len(), names.join(", "))
    };
    let (strong, strong_names) = holding(|card| &card.over_ordinary, true);
    let (weak, weak_names) = holding(|card| &card.over_ordinary, false);
    let unused: Vec<String> = report
        .cards
        .iter()
        .filter(|card| card.use_rate.n > 0 && card.use_rate.high < 0.1)
        .map(|card| {
            let used = card.use_rate.value * card.use_rate.n as f64;
            let share = card.use_rate.value * 100.0;
            format!(
                "{} ({share:.0} %, {used:.0} of {})",
                card.name,
                grouped(card.use_rate.n)
            )
        })
        .collect();
    // The table below marks them all.
    let named_unused = &unused[..unused.len().min(6)];
    // Two decks are one matchup, which has a tile.
    let mut ranked: Vec<(&str, Figure)> = Vec::new();
    let off = (0..report.decks.len())
        .filter(|deck| report.best_score_decided(*deck))
        .count();
    if report.decks.len() > 2 {
        let decks = report.decks.iter().enumerate();
        ranked.extend(decks.filter_map(|(at, deck)| Some((deck.name.as_str(), report.best_score(at)?))));
        ranked.sort_by(|one, two| two.1.value.total_cmp(&one.1.value));
    }
    let compared = report
        .cards
        .iter()
        .filter(|card| card.over_ordinary.is_some())
        .count();
    let wins = |cards: usize| if cards == 1 { " wins" } else { " win" };
    html! {
        section.glance {
            div.tile {
                h3 { "Going first" }
                p.big { (percent(report.first.value)) " %" }
                p.quiet {
                    "[" (percent(report.first.low)) ", " (percent(report.first.high)) "], "
                    (pairs(report.first.n))
                }
            }
            @if let [(most, high), .., (least, low)] = ranked.as_slice() {
                div.tile {
                    h3 { "Strongest and weakest deck" }
                    p { b { (most) } " " (score(*high)) }
                    p { b { (least) } " " (score(*low)) }
                    p.quiet {
                        "score in per cent against all others, " (pairs(high.n)) " each; "
                        (off) " of " (ranked.len()) " decks " (if off == 1 { "differs" } else { "differ" })
                        " from 50, corrected for how many decks there are"
                    }
                }
            }
            div.tile {
                h3 { "Widest matchup" }
                @match farthest {
                    Some(_) if report.is_undecidable() => {
                        p.big { "–" }
                        p.quiet {
                            (cells.len())
                            (if cells.len() == 1 { " matchup of " } else { " matchups of at most " })
                            (pairs(most))
                            ": so few decide none, whatever the score. It takes a run of more pairs"
                        }
                    }
                    Some((one, two, figure)) => {
                        p.big { (percent(figure.value)) " %" }
                        p.quiet {
                            (one) " against " (two)
                            ", [" (percent(figure.low)) ", " (percent(figure.high)) "], " (pairs(figure.n))
                            @if let [_] = cells.as_slice() {
                                "; " @if decided == 0 { "not " } "decided"
                            } @else {
                                ", the widest of " (cells.len())
                                " by the end of its interval that is nearest to 50"
                                @if tied > 1 {
                                    ", as " (tied - 1) (if tied == 2 { " other is" } else { " others are" })
                                }
                                "; " (decided)
                                (if decided == 1 { " of them is decided" } else { " of them are decided" })
                            }
                        }
                    }
                    None => {
                        p.big { "–" }
                        p.quiet {
                            @if report.decks.len() > 1 {
                                "no matchup was played"
                            } @else {
                                "there is one deck"
                            }
                        }
                    }
                }
            }
            div.tile {
                h3 { "Length" }
                p.big { (report.quantiles[1]) " turns" }
                p.quiet {
                    "8 of 10 duels last " (report.quantiles[0]) " to " (report.quantiles[2]) ", with "
                    (format!("{:.0}", report.choices)) " choices on average; "
                    (grouped(report.ran.duels)) " duels"
                }
            }
            @if report.ran.card_pairs > 0 {
                div.tile {
                    h3 { "Cards" }
                    p {
                        b { (strong) } (wins(strong)) " more than the ordinary card of "
                        (if strong == 1 { "its" } else { "their" }) " type"
                        @if strong > 0 { ": " (strong_names) } "."
                    }
                    p { b { (weak) } (wins(weak)) " less" @if weak > 0 { ": " (weak_names) } "." }
                    p.quiet {
                        (compared) " cards compared, " (pairs(report.ran.card_pairs))
                        " each; this run is too short to judge the others"
                    }
                }
            }
            @if report.cards.iter().any(|card| card.use_rate.n > 0) {
                div.tile {
                    h3 { "Hardly ever used" }
                    @if unused.is_empty() {
                        p.big { "None" }
                    } @else {
                        p {
                            (named_unused.join(", "))
                            @if unused.len() > named_unused.len() {
                                " and " (unused.len() - named_unused.len()) " more"
                            }
                        }
                    }
                    p.quiet {
                        @if unused.is_empty() {
                            "no card is known to be used in less than 10 % of the times that a deck drew it"
                        } @else {
                            "how often a deck that drew it used it, at most once a duel and deck; \
                             the whole interval is below 10 %"
                        }
                        @if !report.ran.scripted {
                            ". Without their texts actions and reactions only cost"
                        }
                    }
                }
            }
        }
    }
}

/// Per cent, halves away from 50: the two sides of a matchup add up to 100.
fn whole(share: f64) -> f64 {
    50.0 + (share * 100.0 - 50.0).round()
}

fn decks(report: &BalanceReport) -> Markup {
    let number = |at: usize| at + 1;
    let numbers = report
        .best_matrix()
        .iter()
        .flatten()
        .flatten()
        .map(|figure| figure.n);
    let per_cell = match (numbers.clone().min(), numbers.max()) {
        (Some(least), Some(most)) if least == most => pairs(least),
        (Some(least), Some(most)) => format!("{} to {}", grouped(least), pairs(most)),
        _ => "no pairs".to_owned(),
    };
    let matchups = report
        .first_by_matchup
        .iter()
        .filter(|(one, two, _)| one != two)
        .count();
    // One of twenty intervals.
    let by_chance = (matchups + 10) / 20;
    let drawn = scale((0..report.decks.len()).filter_map(|at| report.best_score(at)));
    html! {
        section #decks {
            h2 { "Which deck beats which" }
            p {
                "The score of the deck in the row against the deck in the column, \
                 in per cent of the points. Below it the interval of 95 %. "
                b { "▲" } " and " b { "▼" }
                ": decided, also after a correction for how many cells there are. \
                 A cell is coloured as far as its whole interval lies on one side of 50; each is made of "
                (per_cell) "."
                @if matchups >= 20 && !report.is_undecidable() {
                    " If all " (matchups) " matchups were even, about " (by_chance)
                    " would be coloured by chance alone."
                }
            }
            @if let Some(without) = &report.without_luck {
                p {
                    b { "The luck of the draw is taken out: " }
                    "what each deck drew more or less of than was to be expected is known of every duel, \
                     and what it was worth is taken off. \
                     The scores stay what they are on average, and their intervals get narrower: \
                     as narrow with luck left in, they would need "
                    (format!("{:.1}", without.saves)) " times the duels."
                }
            }
            div.scroll.whole {
                table.matrix {
                    thead {
                        tr {
                            th { "" }
                            th { "" }
                            @for at in 0..report.decks.len() {
                                th scope="col" title=(report.decks[at].name) { (number(at)) }
                            }
                        }
                    }
                    tbody {
                        @for (at, (deck, row)) in report.decks.iter().zip(report.best_matrix()).enumerate() {
                            tr {
                                th.number { (number(at)) }
                                th scope="row" { (deck.name) }
                                @for (figure, decided) in row.iter().zip(&report.best_decided()[at]) {
                                    @match figure.filter(|figure| figure.n > 0) {
                                        None => td.none { "–" },
                                        Some(figure) => {
                                            // As far as the whole interval lies on one side: what may be even
                                            // stays plain.
                                            @let strength = (
                                                (figure.low - 0.5).max(0.5 - figure.high).max(0.0) * 250.0
                                                    + f64::from(u8::from(*decided)) * 12.0
                                            ).min(60.0);
                                            td.cell.ahead[figure.value > 0.5].behind[figure.value < 0.5]
                                                style={ "--strength:" (format!("{strength:.0}")) "%" }
                                                title={ "n = " (pairs(figure.n)) } {
                                                span.value {
                                                    (format!("{:.0}", whole(figure.value)))
                                                    @if *decided && figure.value > 0.5 {
                                                        " ▲"
                                                    } @else if *decided {
                                                        " ▼"
                                                    }
                                                }
                                                span.range {
                                                    (format!(
                                                        "{:.0}–{:.0}",
                                                        figure.low * 100.0,
                                                        figure.high * 100.0
                                                    ))
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            h3 { "Which mixture nobody beats" }
            p {
                "If both players choose their deck knowing this matrix, \
                 this is how often each deck is played (the equilibrium; of several the most even one). "
                "The bar is this share; the frame around it tells in how many of 400 resampled matrices \
                 the deck is part of the mixture: \
                 a short frame around a bar, or a long one around none, means that the runs do not say."
            }
            div.scroll {
                table.sortable {
                    thead {
                        tr {
                            th { "Deck" }
                            th { "Share" }
                            th { "In the mixture" }
                            th { "0 to 100 %" }
                            th { "Score against all others" }
                            th { (scale_words(drawn)) }
                            th { "Pairs" }
                        }
                    }
                    tbody {
                        @for (at, deck) in report.decks.iter().enumerate() {
                            tr {
                                th scope="row" { (deck.name) }
                                td data-value=(deck.share) { (format!("{:.0}", deck.share * 100.0)) " %" }
                                td data-value=(deck.support) {
                                    (format!("{:.0} %", deck.support * 100.0)) " of resamples"
                                }
                                td { (plots::share(deck.share, deck.support)) }
                                @match report.best_score(at) {
                                    Some(figure) => {
                                        (cell(figure, &score(figure)))
                                        td {
                                            (plots::interval(
                                                figure,
                                                drawn.0,
                                                drawn.1,
                                                0.5,
                                                report.best_score_decided(at),
                                            ))
                                        }
                                        (count(figure.n))
                                    }
                                    None => { td data-value="-9" { "–" } td {} (count(0)) }
                                }
                            }
                        }
                    }
                }
            }
            p.quiet {
                "The drawn intervals are on a scale from "
                (format!("{:.0} to {:.0}", drawn.0 * 100.0, drawn.1 * 100.0))
                " %, the line is 50; an arrow: the interval goes on. \
                 A full dot: the score differs from 50, \
                 also after a correction for how many decks there are. \
                 An interval is for one deck alone: it may leave out 50 beside an empty dot."
            }
        }
    }
}

/// HP by which one is ahead, or behind.
fn hp_ahead(hp: f64) -> String {
    let hp = hp.round();
    if hp == 0.0 {
        return "0".to_owned();
    }
    format!("{hp:+.0}").replace('-', "−")
}

fn first(report: &BalanceReport) -> Markup {
    let drawn = scale(report.first_by_matchup.iter().map(|(_, _, figure)| *figure));
    let decided = report.first_decided.iter().filter(|decided| **decided).count();
    html! {
        section #first {
            h2 { "Going first" }
            p {
                "The score of who goes first, over all matchups: " (score(report.first)) " %, "
                (pairs(report.first.n))
                ". In a pair each deck goes first once, with the same cards in the same order."
            }
            details {
                summary { "By matchup" }
                div.scroll {
                    table.sortable {
                        thead {
                            tr {
                                th { "Matchup" }
                                th { "Score of who goes first" }
                                th { (scale_words(drawn)) }
                                th { "Pairs" }
                            }
                        }
                        tbody {
                            @for ((one, two, figure), decided) in
                                report.first_by_matchup.iter().zip(&report.first_decided)
                            {
                                tr {
                                    th scope="row" { (one) " – " (two) }
                                    (cell(*figure, &score(*figure)))
                                    td {
                                        @if figure.n > 0 {
                                            (plots::interval(*figure, drawn.0, drawn.1, 0.5, *decided))
                                        }
                                    }
                                    (count(figure.n))
                                }
                            }
                        }
                    }
                }
                p.quiet {
                    "A full dot: the score differs from 50, \
                     also after a correction for how many matchups there are: "
                    (decided) " of " (report.first_decided.len())
                    (if decided == 1 { " does." } else { " do." })
                }
            }
        }
    }
}

fn length(report: &BalanceReport) -> Markup {
    html! {
        section #lengths {
            h2 { "Length and lead" }
            div.two {
                figure {
                    (plots::lengths(&report.lengths, report.quantiles))
                    p.axis-words {
                        "Up: duels. Across: the turn in which they ended; the full bar is the median. \
                         A last bar with ≥ is all duels that were longer."
                    }
                    figcaption {
                        "A tenth of the duels end by turn " (report.quantiles[0]) ", half by turn "
                        (report.quantiles[1]) ", nine tenths by turn " (report.quantiles[2]) "; the mean is "
                        (format!("{:.1}", report.mean_turns)) ". n = " (grouped(report.ran.duels)) " duels."
                    }
                }
                figure {
                    (plots::leads(&report.turns))
                    p.axis-words {
                        "Dots, left: how often the one ahead wins, with its interval of 95 %; \
                         the line is 50\u{a0}%, a coin's toss. Dashes, right: the lead. Across: turns"
                        @if let [first, .., last] = report.turns.as_slice() {
                            ", of " (grouped(first.duels)) " duels in turn 1, "
                            (grouped(last.duels)) " in turn " (last.turn)
                        }
                        "."
                        @if let Some(dots) = report.turns.iter().find(|turn| turn.kept.n > 0) {
                            " The dots begin in turn " (dots.turn) ", with the " (grouped(dots.kept.n))
                            " duels in which one is ahead and one wins in the end."
                        }
                    }
                    figcaption {
                        "A duel whose early lead always wins leaves nothing to play for; \
                         one in which no lead matters is a coin's toss."
                    }
                }
            }
            p {
                "How they ended: "
                @for (at, (ending, number)) in
                    report.endings.iter().filter(|(_, number)| **number > 0).enumerate()
                {
                    @if at > 0 { ", " }
                    (grouped(*number)) " "
                    @match *ending {
                        "hp" => "with 0 HP",
                        "deck" => "for want of a card to draw",
                        "gave up" => "given up",
                        other => (other)
                    }
                }
                ". Oddities: "
                @if report.oddities.iter().all(|(_, number)| *number == 0) { "none" }
                @for (at, (oddity, number)) in
                    report.oddities.iter().filter(|(_, number)| *number > 0).enumerate()
                {
                    @if at > 0 { ", " }
                    (grouped(*number)) " "
                    @match *oddity {
                        "loop-guard" => "in which the loop guard ended something",
                        "gave-up" => "given up",
                        other => (other)
                    }
                }
                "."
            }
            details {
                summary { "By turn" }
                div.scroll {
                    table.sortable {
                        thead {
                            tr {
                                th { "Turn" }
                                th { "Duels" }
                                th { "Lead in HP" }
                                th { "Lead of who went first" }
                                th { "The one ahead wins" }
                            }
                        }
                        tbody {
                            @for turn in &report.turns {
                                tr {
                                    td { (turn.turn) }
                                    (count(turn.duels))
                                    td data-value=(turn.ahead) { (format!("{:.0}", turn.ahead)) }
                                    td data-value=(turn.first) { (hp_ahead(turn.first)) }
                                    (cell_of(turn.kept, "duels with a lead", &score(turn.kept)))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What the rows of cards are ordered by: what each wins over an ordinary card, and where that was not asked,
/// what a copy in the opening hand wins. Cards of which it is not known come last.
fn worth(card: &CardReport, asked: bool) -> f64 {
    let known = match asked {
        true => card.over_ordinary.as_ref().map(|shift| shift.change),
        false => card.opening.map(|opening| opening.change),
    };
    known.map_or(f64::NEG_INFINITY, |figure| figure.value)
}

fn cards(report: &BalanceReport, faces: &BTreeMap<ModelId, String>) -> Markup {
    let points: Vec<(String, Figure, Figure, bool)> = report
        .cards
        .iter()
        .filter_map(|card| {
            let shift = card.over_ordinary.as_ref()?;
            Some((card.name.clone(), card.in_hand, shift.change, shift.holds))
        })
        .collect();
    let pairs = report.ran.card_pairs;
    let texts = pairs > 0 && report.cards.iter().any(|card| card.text.is_some());
    // One scale for all, wide enough for the widest interval.
    let shifts = |card: &CardReport| {
        [card.over_ordinary.as_ref(), card.text.as_ref()].map(|shift| shift.map(|shift| shift.change))
    };
    let mut ranked: Vec<&CardReport> = report.cards.iter().collect();
    ranked.sort_by(|one, two| worth(two, pairs > 0).total_cmp(&worth(one, pairs > 0)));
    let ends = report.cards.iter().flat_map(shifts).flatten();
    let reach = ends.fold(0.05, |reach: f64, figure| reach.max(-figure.low).max(figure.high));
    html! {
        section #cards {
            h2 { "Cards" }
            p {
                b { "Wins over an ordinary card" }
                " is what the card is worth: the same duels are played again \
                 with the deck's most ordinary card of that type in its place. "
                @if texts { b { "Its text wins" } " compares it with the same card without text. " }
                @if texts { "Both are differences" } @else { "It is a difference" }
                " in the deck's score in percentage points, for all copies together. "
                "Drawn beside a figure is its interval of 95 %, in all rows to one scale, from "
                (signed(-reach)) " to " (signed(reach)) "; the line is nothing won or lost."
            }
            p {
                b { "In the opening hand" }
                " is the effect of a copy there in percentage points, each deck compared with itself. \
                 Chance alone decides the opening hand, so the card causes the effect. "
                b { "●" }
                " in these columns takes all cards of the column into account: \
                 at most 5 % of the marked ones are expected to be wrong (Benjamini and Hochberg). \
                 Mark and interval are computed from the same pairs, but an interval is for one card alone: \
                 of a hundred cards without effect, about five have an interval without 0. \
                 A mark needs more than that. \
                 The columns after these only describe: \
                 cards that are drawn late or kept for winning positions look better or worse than they are."
            }
            @if !points.is_empty() {
                figure {
                    (plots::scatter(&points))
                    p.axis-words {
                        "Across: score when drawn, in per cent. \
                         Up: wins over an ordinary card, in percentage points. \
                         Filled dots are marked cards, named if there is room."
                    }
                    figcaption {
                        (points.len()) " cards, " (self::pairs(pairs))
                        " each. The bars below and at the right are as long as the usual interval \
                         of 95 % either way: half of the cards have a shorter one."
                        span.by-pointer { " Point at a dot to see its name and interval." }
                    }
                }
            }
            p.quiet {
                (report.cards.len()) " cards"
                @if pairs > 0 { ", " (self::pairs(pairs)) " for each of the first columns" }
                ", the strongest first."
                span.on-screen {
                    " The table is wider and longer than its window"
                    span.by-pointer { "; click a heading to sort it" } "."
                }
            }
            div.scroll {
                table.sortable.cards {
                    thead {
                        tr {
                            th { "Card" }
                            @if pairs > 0 { th { "Wins over an ordinary card" } }
                            @if texts { th { "Its text wins" } }
                            th { "In the opening hand" }
                            th { "Used when drawn" }
                            th { "Times drawn" span.code { "decks\u{a0}×\u{a0}duels" } }
                            th { "Type" }
                            th { "BP" }
                            th { "SP" }
                            th { "Decks" }
                            th { "Drawn" span.code { "GIH" } }
                            th { "Never drawn" span.code { "GNS" } }
                            th { "Difference" span.code { "IWD" } }
                            th { "Opening" span.code { "OH" } }
                            th { "Later" span.code { "GD" } }
                            th { "Played" }
                            th { "Stuck in hand" }
                            th { "HP taken" }
                        }
                    }
                    tbody {
                        @for card in ranked {
                            tr {
                                th.card scope="row" tabindex="0" {
                                    (card.name)
                                    @if card.use_rate.n > 0 && card.use_rate.high < 0.1 {
                                        " " span.label { "hardly used" }
                                    }
                                    @if card.use_rate.n > 0 && card.use_rate.low > 0.95 {
                                        " " span.label { "always used" }
                                    }
                                    @if let Some(other) = &card.dominated_by {
                                        " " span.label
                                            title={
                                                (other)
                                                " has the same text, or none, as much of everything, \
                                                 and more of something"
                                            } {
                                            "worse than " (other)
                                        }
                                    }
                                    @if let Some(face) = faces.get(&card.model) {
                                        span.face { (PreEscaped(face.as_str())) }
                                    }
                                }
                                @if pairs > 0 {
                                    (maybe(
                                        card.over_ordinary.as_ref(),
                                        card.ordinary.as_deref().unwrap_or("another card"),
                                        reach,
                                    ))
                                }
                                @if texts {
                                    (maybe(card.text.as_ref(), "itself without text", reach))
                                }
                                (opening(card.opening))
                                (cell_of(card.use_rate, "times that a deck drew it", &score(card.use_rate)))
                                (count(card.use_rate.n))
                                td { (card.kind) }
                                td data-value=(card.bp.unwrap_or(-1)) {
                                    (card.bp.map_or("–".to_owned(), |bp| bp.to_string()))
                                }
                                td data-value=(card.sp) { (card.sp.to_string().replace('-', "−")) }
                                td { (card.decks) }
                                (cell_of(card.in_hand, "copies", &score(card.in_hand)))
                                (cell_of(card.unseen, "copies", &score(card.unseen)))
                                td data-value=(card.improvement) { (signed(card.improvement)) }
                                (cell_of(card.opened, "copies", &score(card.opened)))
                                (cell_of(card.drawn, "copies", &score(card.drawn)))
                                (cell_of(card.played, "copies", &score(card.played)))
                                (cell_of(card.stuck, "copies", &score(card.stuck)))
                                td data-value=(card.damage) { (format!("{:.0}", card.damage)) }
                            }
                        }
                    }
                }
            }
            p.quiet {
                b { "Times drawn" }
                " counts each deck in each duel in which it drew a copy. \
                 Each duel has two decks, so the number can be larger than the number of duels. "
                b { "Used when drawn" }
                " is the share of these in which a copy was played or put under another card; "
                b { "always used" } ": the whole interval is above 95 %, "
                b { "hardly used" }
                ": below 10 %. “–” means unknown, because of too few pairs or because it was not asked. \
                 The numbers of cards in the hand count copies, one or more a duel"
                span.by-pointer { " (point at one to see how many)" }
                ". “Ordinary” is the card of the same type whose numbers are nearest to the medians \
                 of the decks that have the card; its name is in the data (JSON)"
                span.by-pointer { ", and appears when you point at a figure" }
                "."
            }
        }
    }
}

fn together(report: &BalanceReport) -> Markup {
    html! {
        section #together {
            h2 { "Combinations" }
            p {
                "Two cards that were both drawn win more (or less) than what each adds alone, \
                 in percentage points. "
                (grouped(report.combinations_tried as u64))
                " combinations could be tested: \
                 their deck drew both, only the one, only the other and neither in "
                (LEAST)
                " duels each, at least. \
                 The table shows those that hold among all (Benjamini and Hochberg, 5 %). \
                 It only describes: test a finding with a what-if."
            }
            @if report.combinations_tried == 0 {
                p { b { "None could be tested." } " Run more pairs." }
            } @else if report.combinations.is_empty() {
                p {
                    b { "None holds." }
                    " There may be combinations with an effect too small for this run."
                }
            } @else {
                div.scroll {
                    table.sortable {
                        thead {
                            tr {
                                th { "Deck" }
                                th { "Cards" }
                                th { "More than their parts" }
                                th { "Times both drawn" span.code { "decks\u{a0}×\u{a0}duels" } }
                            }
                        }
                        tbody {
                            @for (deck, [one, two], figure) in report.combinations.iter().take(40) {
                                tr {
                                    td { (deck) }
                                    th scope="row" { (one) " + " (two) }
                                    (cell_of(*figure, "decks × duels", &difference(*figure)))
                                    (count(figure.n))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn slope(change: &MatchupChange) -> Markup {
    let y = |value: f64| format!("{:.1}", 24.0 - (value.clamp(0.2, 0.8) - 0.2) / 0.6 * 20.0);
    html! {
        svg.interval viewBox="0 0 90 28" width="90" height="28" aria-hidden="true" {
            line.axis x1="10" x2="80" y1=(y(0.5)) y2=(y(0.5)) {}
            line.line x1="14" x2="76" y1=(y(change.before.value)) y2=(y(change.after.value)) {}
            circle.ring cx="14" cy=(y(change.before.value)) r="3" {}
            circle.dot cx="76" cy=(y(change.after.value)) r="3.5" {}
        }
    }
}

fn changed(what_if: &WhatIf, id: &str, title: &str) -> Markup {
    let numbers = what_if.matchups.iter().map(|one| one.shift.change.n);
    let each = match (numbers.clone().min(), numbers.max()) {
        (Some(least), Some(most)) if least != most => format!("{} to {}", grouped(least), pairs(most)),
        (_, most) => pairs(most.unwrap_or(0)),
    };
    let hold = what_if.matchups.iter().filter(|one| one.shift.holds).count();
    // What moved most is what was asked for.
    let mut matchups: Vec<&MatchupChange> = what_if.matchups.iter().collect();
    matchups.sort_by(|one, two| {
        let moved = |one: &MatchupChange| one.shift.change.value.abs();
        let held = two.shift.holds.cmp(&one.shift.holds);
        held.then(moved(two).total_cmp(&moved(one)))
    });
    html! {
        section id=(id) {
            h2 { (title) }
            ul { @for change in &what_if.changes { li { (change) } } }
            p {
                "The same pairs were played with and without the change: " (each) " a matchup, "
                (grouped(what_if.first.shift.change.n))
                " in all. Scores are the first deck's, in per cent, changes in percentage points, \
                 with the luck of the draw left in, so that “before” may differ from the matrix above. "
                b { "●" } " holds among all matchups: " (hold) " of " (matchups.len())
                " do. It counts the pairs that came out better and those that came out worse, \
                 and may be looked at while they are played (e-BH): \
                 it asks for more than an interval that leaves out 0. Duels last "
                (format!("{:.1}", what_if.turns[0])) " turns before and "
                (format!("{:.1}", what_if.turns[1])) " after."
            }
            p.quiet {
                "Marked ones come first, then what moved most. \
                 A line goes from before to after, between 20 and 80 %, the thin one is 50. \
                 Alike: pairs that came out the same both ways."
                @if what_if.matchups.len() > 12 {
                    span.on-screen { " The table is longer than its window." }
                }
            }
            div.scroll {
                table.sortable {
                    thead {
                        tr {
                            th { "Matchup" }
                            th { "Before" }
                            th { "After" }
                            th { "Change" }
                            th { "" }
                            th { "Alike" }
                            th { "Pairs" }
                        }
                    }
                    tbody {
                        @for change in std::iter::once(&what_if.first).chain(matchups) {
                            tr {
                                th scope="row" { (change.decks[0]) " – " (change.decks[1]) }
                                (cell(change.before, &score(change.before)))
                                (cell(change.after, &score(change.after)))
                                @if change.shift.change.n == 0 {
                                    td data-value="-9" { "–" }
                                    td {}
                                    td data-value="-9" { "–" }
                                } @else {
                                    td data-value=(change.shift.change.value)
                                        title={
                                            "n = " (change.shift.change.n)
                                            "; better in " (change.shift.better)
                                            ", worse in " (change.shift.worse)
                                        } {
                                        @if change.shift.holds { span.holds { "●" } " " }
                                        (difference(change.shift.change))
                                    }
                                    td { (slope(change)) }
                                    td data-value=(change.shift.same) {
                                        (format!("{:.0} %", change.shift.same * 100.0))
                                    }
                                }
                                (count(change.shift.change.n))
                            }
                        }
                    }
                }
            }
            h3 { "The mixture that nobody beats" }
            p {
                "With luck left in, too. \
                 The frame tells in how many of 400 resampled matrices the deck is part of it: \
                 where both frames are long, a share that moves says little."
            }
            div.scroll.whole {
                table.sortable {
                    thead {
                        tr {
                            th { "Deck" }
                            th { "Before" }
                            th { "In the mixture" }
                            th { "0 to 100 %" }
                            th { "After" }
                            th { "In the mixture" }
                            th { "0 to 100 %" }
                        }
                    }
                    tbody {
                        @for ((deck, before, after), supports) in
                            what_if.shares.iter().zip(&what_if.supports)
                        {
                            tr {
                                th scope="row" { (deck) }
                                @for (share, support) in [before, after].into_iter().zip(supports) {
                                    td data-value=(share) { (format!("{:.0} %", share * 100.0)) }
                                    td data-value=(support) {
                                        (format!("{:.0} %", support * 100.0)) " of resamples"
                                    }
                                    td { (plots::share(*share, *support)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn suggested(target: &Suggestion) -> Markup {
    let wanted = format!("50 ± {} %", (target.wanted * 1000.0).round() / 10.0);
    let far = |at: usize| percent(target.worst[at]);
    let after = || target.proof.matchups.iter().map(|one| one.after);
    let known = after()
        .map(|figure| (figure.high - figure.low) / 2.0)
        .sum::<f64>()
        / after().count().max(1) as f64;
    html! {
        section #target {
            h2 { "What would bring it to " (wanted) }
            @if target.changes.is_empty() {
                p {
                    @if target.tried == 0 {
                        b { "Nothing was looked for: " }
                        "in the duels above, with luck left in, every matchup and going first are within "
                        (wanted) "."
                    } @else {
                        b {
                            "None of the " (target.tried)
                            " small changes that were tried brings the figures nearer."
                        }
                    }
                    " On duels that had no part in the search the figure farthest from 50 is off by "
                    (far(1)) " percentage points."
                }
            } @else {
                p {
                    @if target.reached {
                        b { "These changes bring every matchup and going first to where they are wanted." }
                    } @else if target.worst[1] < target.worst[0] {
                        b { "These changes come nearer, but not all the way." }
                    } @else {
                        b {
                            "These changes looked good in the search, \
                             and bring the farthest figure no nearer."
                        }
                    }
                    " The figure farthest from 50 was off by " (far(0)) " percentage points, and is off by "
                    (far(1)) " with them, on duels that had no part in the search."
                }
            }
            @if known > target.wanted {
                p {
                    "A matchup is known to ± " (percent(known)) " % here, which is more than ± "
                    (percent(target.wanted))
                    ": the farthest of so many figures is mostly chance. A run of more pairs knows better."
                }
            }
            @if !target.changes.is_empty() {
                (changed(&target.proof, "target-proof", "Proof on fresh seeds"))
            }
        }
    }
}
