//! Achievements and the puzzle of the day: on the front page all of them, after a duel those that were earned
//! in it. Which were done before is known to the reader's browser alone; its script marks them.

use maud::{Markup, html};

use crate::feats::{ACHIEVEMENTS, earned};
use crate::package::DuelPackage;
use crate::scene::SeatScene;

/// What there is to do today and once, in few words: the browser says how far its reader has come.
pub(super) fn today(package: &DuelPackage, stamp: &str, today: &str) -> Markup {
    let name = &package.game.name;
    html! {
        section.today {
            h2.sr { "Today" }
            div.pair {
                form method="post" action="/front/daily" data-plain data-daily=(name) data-day=(today) {
                    input type="hidden" name="k" value=(stamp);
                    button.way type="submit" {
                        b { "Puzzle of the day" }
                        span.quiet data-streak { "Win in one turn. New each day." }
                    }
                }
                button.way type="button" popovertarget="all-feats" data-feats=(name)
                    data-say=(format!("of {} done.", ACHIEVEMENTS.len())) {
                    b { "Achievements" }
                    span.quiet {
                        span data-feats-count { (ACHIEVEMENTS.len()) " things to do once." } " "
                        span.next-feat data-feats-next hidden { "Next: " span {} }
                    }
                }
            }
        }
    }
}

/// The list of all, one click behind the page, with the line to share about today's puzzle.
pub(super) fn list(package: &DuelPackage, today: &str) -> Markup {
    html! {
        div data-daily=(package.game.name) data-day=(today) {
            (line(&format!("{}, puzzle of {today}: ●", package.game.name)))
        }
        p.hint { "They are kept in this browser. Duels count, lessons do not." }
        ol.plain.feat-list {
            @for one in &ACHIEVEMENTS {
                li data-feat=(one.id) data-task=(one.task) data-hint=(one.hint) {
                    span.mark aria-hidden="true" { "☆" }
                    b { (one.name) }
                    span.sr data-done hidden { "(done)" }
                    span { (one.task) }
                    span.quiet { (one.hint) }
                }
            }
        }
    }
}

/// A line about the puzzle of a day; it is shown once that was solved.
fn line(words: &str) -> Markup {
    html! {
        label.named data-line hidden {
            span { "A line to share: it gives nothing away" }
            input.result-line type="text" readonly value=(words);
        }
    }
}

/// What was earned in a duel that is over.
pub(super) fn of_duel(scene: &SeatScene<'_>) -> Markup {
    let earned = earned(scene.table, scene.seat);
    html! {
        @if !earned.is_empty() {
            div.earned data-earned=(scene.table.start.game.name) data-duel=(scene.table.first_number()) {
                h3 { "Achievements" }
                ul.plain {
                    @for one in &earned {
                        li data-feat=(one.id) {
                            span.mark aria-hidden="true" { "★" }
                            b { (one.name) } " " span.new data-new hidden { "new" } " "
                            span.quiet { (one.task) }
                        }
                    }
                }
            }
        }
        // What comes next is said by the browser, which knows what was done.
        @if scene.table.start.stage.is_none() {
            p.next-feat data-feats-next data-of=(scene.table.start.game.name) data-all=(ids()) hidden {
                b { "Try next: " } span {} " " span.quiet {}
            }
        }
    }
}

/// Ids, tasks and hints of all, for the script.
fn ids() -> String {
    let all = ACHIEVEMENTS.iter().map(|one| [one.id, one.task, one.hint]);
    serde_json::to_string(&all.collect::<Vec<_>>()).unwrap_or_default()
}

/// How the puzzle of a day went, at its table: the browser counts the tries.
pub(super) fn daily_result(scene: &SeatScene<'_>) -> Markup {
    let day = scene
        .table
        .start
        .stage
        .as_deref()
        .and_then(|stage| stage.day().filter(|_| !stage.played));
    let name = &scene.table.start.game.name;
    html! {
            @if let Some(day) = day {
                div.daily-result data-daily=(name) data-day=(day) data-attempt=(scene.table.first_number()) {
                    p.streak data-streak hidden {}
    (line(&format!("{name}, puzzle of {day}: ●")))
                }
            }
        }
}
