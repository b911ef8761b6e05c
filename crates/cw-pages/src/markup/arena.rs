//! The page of the arena: how a deck does against the others of the game, played by computers.

use maud::{Markup, html};

use super::gallery::card_document;
use crate::arena::{ArenaRun, ArenaScore, ArenaState, LEVELS, PAIRS, SEED, USUAL_PAIRS};
use crate::labels;

use cw_players::Level;

/// What the page of the arena shows.
#[derive(Clone, Copy, Debug)]
pub struct ArenaPage<'a> {
    /// The address of the deck.
    pub base: &'a str,
    /// What the deck is called.
    pub name: &'a str,
    /// Its lines as they are now.
    pub lines: &'a str,
    /// What forms must carry.
    pub stamp: &'a str,
    /// Words for the person.
    pub notice: Option<&'a str>,
    /// The last run of this host, of this deck or of another one.
    pub run: Option<&'a ArenaRun>,
    /// Whether the run is one of this deck.
    pub is_own: bool,
}

/// The arena of a deck.
pub fn arena(page: ArenaPage<'_>) -> String {
    let base = page.base;
    let chosen = page.run.filter(|_| page.is_own);
    let level = chosen.map_or(Level::BEST, |run| run.level);
    let pairs = chosen.map_or(USUAL_PAIRS, ArenaRun::pairs);
    let body = html! {
        body.front.cards {
            header.masthead.low { div { h1 { (labels::ARENA) } p { a href=(base) { (page.name) } } } }
            main.gallery.try-out {
                @if let Some(words) = page.notice { p.fault role="alert" { (words) } }
                p { (labels::ABOUT_ARENA) }
                form.arena-form method="post" action=(format!("{base}/arena")) data-plain {
                    input type="hidden" name="k" value=(page.stamp);
                    label.named {
                        span { (labels::ARENA_LEVEL) }
                        select name="level" {
                            @for one in LEVELS {
                                option value=(one.name()) selected[one == level] {
                                    (labels::capital(one.name())) ": " (one.manner())
                                }
                            }
                        }
                    }
                    label.named {
                        span { (labels::ARENA_PAIRS) }
                        select name="pairs" {
                            @for one in PAIRS { option value=(one) selected[one == pairs] { (one) } }
                        }
                    }
                    button.go type="submit" { (labels::ARENA_START) }
                }
                div id="arena" data-from=(format!("{base}/arena/now")) data-gone=(labels::DECK_IS_GONE) {
                    (arena_now(page))
                }
            }
        }
    };
    card_document(labels::ARENA, Some("arena"), &body)
}

/// What of the arena changes while computers play.
pub fn arena_now(page: ArenaPage<'_>) -> Markup {
    let Some(run) = page.run else {
        return html! {};
    };
    let form = |act: &str, words: &str| {
        html! {
            form method="post" action=(format!("{}/arena/{act}", page.base)) data-plain {
                input type="hidden" name="k" value=(page.stamp);
                button.small type="submit" id=(act) { (words) }
            }
        }
    };
    if !page.is_own {
        return html! {
            @if run.state == ArenaState::Running {
                p { (labels::arena_is_busy(&run.name)) }
                (form("stop-other", labels::ARENA_STOP_OTHER))
            }
        };
    }
    let [played, all] = run.progress();
    let is_running = run.state == ArenaState::Running;
    html! {
        section.room.arena-run data-running[is_running] {
            p.arena-state role=[(!is_running).then_some("status")] {
                (match run.state {
                    ArenaState::Running => labels::ARENA_RUNNING,
                    ArenaState::Stopped => labels::ARENA_STOPPED,
                    ArenaState::Done => labels::ARENA_DONE,
                    ArenaState::Broken => labels::ARENA_BROKEN,
                })
                " " span.quiet { (labels::pairs_played(played, all)) }
            }
            progress value=(played) max=(all) aria-label=(labels::ARENA_PROGRESS) {}
            p.acts {
                @if is_running { (form("stop", labels::ARENA_STOP)) }
                @if run.state == ArenaState::Stopped { (form("go-on", labels::ARENA_GO_ON)) }
            }
            @if run.lines != page.lines { p.quiet { (labels::ARENA_CHANGED) } }
            (table(run))
            p.quiet {
                (labels::about_intervals(run.state == ArenaState::Done))
                @if let Some(first) = run.first() { " " (labels::first_won(first)) }
            }
            details { summary { (labels::ARENA_COMMAND) } p { code { (command(run)) } } }
        }
    }
}

/// The command that plays as much. Its decks are those of the game, also one with the same cards.
fn command(run: &ArenaRun) -> String {
    let [_, all] = run.progress();
    format!(
        "cardwright sim --players {} --deck DECK.o8d --against all --pairs {all} --seed {SEED}",
        run.level.name()
    )
}

fn table(run: &ArenaRun) -> Markup {
    let scores = run.scores();
    html! {
        table.arena-table {
            caption.sr { (labels::ARENA_TABLE) }
            thead {
                tr {
                    th scope="col" { (labels::ARENA_AGAINST) }
                    th scope="col" { (labels::ARENA_WON) }
                    th scope="col" { (labels::ARENA_DRAWN) }
                    th scope="col" { (labels::ARENA_LOST) }
                    th scope="col" { (labels::ARENA_SCORE) }
                    th.span-of scope="col" {
                        span.ends aria-hidden="true" { span { "0" } span { "50" } span { "100 %" } }
                        span.sr { (labels::ARENA_INTERVAL) }
                    }
                }
            }
            tbody { @for (name, score) in &scores { (row(name, score)) } }
            @if scores.len() > 1 { tfoot { (row(labels::ARENA_ALL, &run.total())) } }
        }
    }
}

fn row(name: &str, score: &ArenaScore) -> Markup {
    let [won, drawn, lost] = score.duels;
    let is_known = won + drawn + lost > 0;
    let (low, high) = (
        score.interval.low.max(0.0) * 100.0,
        score.interval.high.min(1.0) * 100.0,
    );
    let middle = score.score * 100.0;
    let ahead = score.ahead().filter(|_| is_known);
    html! {
        tr data-ahead=[ahead] {
            th scope="row" { (name) }
            @for count in [won, drawn, lost] { td.exact { (count) } }
            td.exact.share { @if is_known { b { (format!("{middle:.0} %")) } } @else { "–" } }
            td.span-of {
                @if is_known {
                    svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
                        rect.track x="0" y="3" width="100" height="2" {}
                        rect.known x=(format!("{low:.2}")) y="1" width=(format!("{:.2}", high - low))
                            height="6" {}
                        rect.even x="49.8" y="0" width="0.4" height="8" {}
                        rect.middle x=(format!("{:.2}", middle - 0.6)) y="0" width="1.2" height="8" {}
                    }
                    span.quiet {
                        (labels::interval(low, high))
                        @match ahead {
                            Some(true) => { ", " (labels::AHEAD) }
                            Some(false) => { ", " (labels::BEHIND) }
                            None => {}
                        }
                    }
                }
            }
        }
    }
}
