//! The notice of whoever works on the game, on the page of a table.

use maud::{Markup, html};

use crate::labels;
use crate::notice::{WorkNotice, WorkNoticeKind};

/// Lines of a notice that are shown at once.
const FIRST: usize = 3;

/// The notice: a line, and what it tells in detail. Errors are shown without being asked for.
pub(super) fn work(notice: &WorkNotice) -> Markup {
    let is_told = matches!(notice.kind, WorkNoticeKind::Errors | WorkNoticeKind::Stays);
    let line = |line: &crate::notice::NoticeLine| {
        html! {
            li.wrong[line.wrong] {
                @if let Some(place) = &line.place { code { (place) } " " }
                (line.words)
            }
        }
    };
    let rest = notice.lines.get(FIRST..).unwrap_or_default();
    html! {
        section id="work" class=(format!("work {}", notice.kind.word())) data-serial=(notice.serial)
            aria-label=(labels::WORK) {
            p role=(if is_told { "alert" } else { "status" }) { (notice.title) }
            @if !notice.lines.is_empty() {
                ul { @for one in notice.lines.iter().take(FIRST) { (line(one)) } }
                @if !rest.is_empty() {
                    details {
                        summary { (labels::more_lines(rest.len())) }
                        ul { @for one in rest { (line(one)) } }
                    }
                }
            }
            p.ways {
                a.small href="/front/dev/" { (labels::WORKBENCH) }
                @if notice.again {
                    form method="post" action="/front/dev/again" data-plain {
                        button.small type="submit" { (labels::AGAIN) }
                    }
                }
            }
        }
    }
}
