//! Whole pages around the regions.

use std::sync::Arc;

use cw_duel::Seat;
use cw_wire::Agreeing;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use qrcode::{Color, EcLevel, QrCode};

use super::{PageRegion, own, regions};
use crate::beats::beats;
use crate::effects::effects;
use crate::labels;
use crate::room::Gathering;
use crate::scene::SeatScene;
use crate::stage::ScenarioStage;
use crate::stage::{ShelfGroup, in_groups};
use crate::story;

pub(super) fn page(title: &str, base: &str, body: Markup) -> String {
    page_with(title, base, html! {}, body)
}

#[expect(clippy::needless_pass_by_value, reason = "markup is made for the call")]
pub(super) fn page_with(title: &str, base: &str, head: Markup, body: Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="color-scheme" content="dark light";
                title { (title) }
                base href=(base);
                link rel="icon" href="/face/back.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/table.css";
                link rel="stylesheet" href="/assets/cards.css";
                script type="module" src="/assets/table.js" {}
                (head)
            }
            (body)
        }
    }
    .into_string()
}

/// The modules that the script of a table imports at its start. The page names them ahead, so that they are
/// asked for at once and not one import after the other.
pub const ROOMS: [&str; 15] = [
    "answers", "drag", "ending", "forms", "frames", "hints", "keyboard", "layout", "motion", "pace", "page",
    "settings", "sheets", "stream", "zoom",
];

/// The table of a seat. `base` is the seat's address, with a slash at its end.
pub fn document(
    scene: &SeatScene<'_>,
    base: &str,
    notice: Option<&str>,
    shelf: &[Arc<ScenarioStage>],
) -> String {
    let body = html! {
        body data-say-lost=(labels::LOST) data-say-again=(labels::CONNECTED) data-say-dead=(labels::NO_ANSWER)
            data-say-changed=(labels::QUESTION_CHANGED) data-say-turn=(labels::ASKED)
            data-say-silent=(labels::SILENT) data-say-unread=(labels::UNREAD) {
            @if let Some(told) = scene.notice {
                link rel="stylesheet" href="/assets/work.css";
                (super::notice::work(told))
            }
            (table(scene, notice))
            (tools(scene, !shelf.is_empty()))
            @if !shelf.is_empty() { (learn(shelf, scene.goal().is_some())) }
            (settings())
            (help())
            div.sheet.narrow popover id="insight" role="dialog" aria-label=(labels::EXPLAINED) {}
        }
    };
    let ahead =
        html! { @for room in ROOMS { link rel="modulepreload" href=(format!("/assets/duel/{room}.js")); } };
    page_with(&scene.game().name, base, ahead, body)
}

/// An earlier moment, with a scrub bar.
pub fn moment(scene: &SeatScene<'_>, base: &str) -> String {
    let own = scene.own;
    let last = scene.table.last();
    let me = scene.at;
    let over = scene.table.duel().outcome().is_some();
    let eyes = if scene.seat == own { "" } else { "?other=true" };
    let at = |step: usize| format!("moment/{step}{eyes}");
    // A fight has moments of its own, which are gone through one by one.
    let in_fight = |step: usize, beat: usize| {
        let eyes = eyes.replace('?', "&");
        format!("moment/{step}?beat={beat}{eyes}")
    };
    let parts = beats(scene.table, me);
    let here = parts.iter().position(|beat| beat.events == scene.moment);
    let other_eyes = format!(
        "moment/{me}{}",
        if scene.seat == own { "?other=true" } else { "" }
    );
    // What shows nothing is passed over.
    let steps = scene.table.steps();
    let shows = |step: &usize| story::shows(&steps[*step], scene.seat);
    let before = (0..me).rev().find(shows).unwrap_or(0);
    let after = (me + 1..=last).find(shows).unwrap_or(last);
    let earlier = match (here, beats(scene.table, before).len()) {
        (Some(beat @ 1..), _) => in_fight(me, beat - 1),
        (_, 0) => at(before),
        (_, many) => in_fight(before, many - 1),
    };
    let later = match here {
        Some(beat) if beat + 1 < parts.len() => in_fight(me, beat + 1),
        _ if me < after && !beats(scene.table, after).is_empty() => in_fight(after, 0),
        _ => at(after),
    };
    let body = html! {
        body.replay {
            (table(scene, None))
            nav.scrub id="scrub" aria-label=(labels::REPLAY) {
                (super::ending::turns(scene, eyes))
                a.small href=(base) { (labels::BACK_TO_TABLE) }
                a.small href=(at(0)) rel="first" { (labels::FIRST) }
                a.small href=(earlier) rel="prev" { (labels::EARLIER) }
                button.small type="button" data-act="run" aria-pressed="false" hidden { (labels::RUN) }
                a.small href=(later) rel="next" { (labels::LATER) }
                a.small href=(at(last)) rel="last" { (labels::LAST) }
                label {
                    (labels::SPEED) " "
                    select data-speed {
                        @for (words, pause) in labels::SPEEDS {
                            option value=(pause) selected[pause == 1000] { (words) }
                        }
                    }
                }
                form method="get" action="moment" {
                    input type="range" name="step" min="0" max=(last) value=(me) aria-label=(labels::MOMENT)
                        data-scrub=(eyes);
                    @if scene.seat != own { input type="hidden" name="other" value="true"; }
                    noscript { button type="submit" { (labels::GO) } }
                }
                output { (labels::step_of(me, last)) }
                (super::review::question_here(scene))
                @if over {
                    a.small href=(other_eyes) rel="alternate" {
                        (if scene.seat == own { labels::OTHER_SIDE } else { labels::OWN_SIDE })
                    }
                    button.small type="submit" form="act" name="act" value=(format!("from-{me}")) {
                        (labels::PLAY_FROM_HERE)
                    }
                    a.small href=(format!("share?step={me}")) data-insight { (labels::SHARE) }
                }
            }
            div.sheet.narrow popover id="insight" role="dialog" aria-label=(labels::EXPLAINED) {}
        }
    };
    page(&scene.game().name, base, body)
}

/// What a seat sees before the shuffle.
#[derive(Debug)]
pub struct Gathered<'a> {
    /// Who has sat down, and what binds them.
    pub gathering: &'a Gathering,
    /// Whose page it is.
    pub seat: Seat,
    /// The link by which a friend sits down at the other seat, if this one invites.
    pub invitation: Option<&'a str>,
    /// For somebody who has no seat yet.
    pub by_invitation: Option<Invited<'a>>,
}

/// What an invitation offers before somebody sits down.
#[derive(Debug)]
pub struct Invited<'a> {
    /// The address of the invitation: where its forms go.
    pub path: &'a str,
    /// Decks from which to choose, with the one that was meant.
    pub decks: Markup,
    /// Whether there is a lesson to begin with.
    pub teaches: bool,
}

/// Two people before the shuffle: each page commits to its part, and reveals it when all three
/// are bound (D70, D105).
pub fn gathering(gathered: &Gathered<'_>, base: &str, notice: Option<&str>) -> String {
    let Gathered { gathering, seat, .. } = *gathered;
    let invited = gathered.by_invitation.as_ref();
    let here = gathering.has_sat_down(seat);
    let agreeing = gathering.agreeing();
    let reveals = agreeing.is_bound() && !agreeing.has_revealed(seat);
    let stamp = gathering.seats[seat].secret.stamp(0);
    // Without a script the page looks for news by itself.
    let head =
        html! { (own::style()) @if here && !reveals { noscript { meta http-equiv="refresh" content="3"; } } };
    let body = html! {
        body data-say-lost=(labels::LOST) data-say-again=(labels::CONNECTED)
            data-say-dead=(labels::NO_ANSWER) {
            main.message.gathering id=(if invited.is_some() { "invited" } else { "table" })
                data-number=(gathering.number()) {
                h1 { (gathering.start.game.name) }
                (own::fan(&gathering.start, seat))
                @let names = &gathering.start.names;
                p.quiet { (labels::versus(&names[seat], &names[seat.other()])) }
                @if let Some(link) = gathered.invitation { (invitation(link)) }
                @if let Some(by) = gathering.spoilt_by() {
                    p role="status" { (labels::shuffle_spoilt(by == seat)) }
                }
                @if gathering.has_sat_down(seat.other()) {
                    p { (labels::has_sat_down(gathering.seats[seat.other()].name.as_deref())) }
                }
                @if reveals {
                    p { (labels::ALL_ARE_BOUND) }
                    (reveal_form(agreeing, seat, &stamp))
                } @else if here {
                    p { (labels::WAITING_FOR_SHUFFLE) }
                } @else {
                    p { (labels::SIT_DOWN_TO_SHUFFLE) }
                    form id="sit" method="post" action=(invited.map_or("sit", |invited| invited.path))
                        data-plain[invited.is_some()] {
                        @match invited {
                            Some(invited) => (invited.decks),
                            None => { input type="hidden" name="k" value=(stamp); }
                        }
                        label.called {
                            (labels::YOUR_NAME) " "
                            input type="text" name="name" maxlength="24" autocomplete="nickname"
                                data-name-kept;
                        }
                        details {
                            summary { (labels::HOW_IT_IS_SHUFFLED) }
                            p { (labels::SHUFFLE_EXPLAINED) }
                            p { (labels::COMMITMENT) " " code.digest { (agreeing.commitment_of_host()) } }
                            label {
                                (labels::OWN_DIGEST) " "
                                input type="text" name="commit" maxlength="64" autocomplete="off" data-commit;
                            }
                        }
                        // The script makes this player's part of the shuffle: before it listens there is
                        // nothing to press.
                        button.go type="submit" data-scripted { (labels::SIT_DOWN) }
                        noscript { button.go type="submit" { (labels::SIT_DOWN) } }
                    }
                    @if let Some(invited) = invited.filter(|invited| invited.teaches) {
                        (learn_first(invited.path))
                    }
                }
                details.more {
                    summary { (labels::HOW_TO_PLAY) } (own::how_to_play(&gathering.start.game.constants))
                }
                p.notice id="notice" role="status" { @if let Some(words) = notice { (words) } }
            }
        }
    };
    page_with(&gathering.start.game.name, base, head, body)
}

/// A lesson for who was invited; the invitation stays good meanwhile.
fn learn_first(path: &str) -> Markup {
    html! {
        form.first method="post" action=(format!("{path}/learn")) data-plain {
            button.way type="submit" { b { (labels::LEARN_FIRST) } span.quiet { (labels::LEARN_FIRST_HINT) } }
        }
    }
}

/// All three are bound: the page's script sends this by itself once it has looked at the digests.
pub(crate) fn reveal_form(agreeing: &Agreeing, seat: Seat, stamp: &str) -> Markup {
    let digest = |seat: Seat| agreeing.commitment(seat).unwrap_or_default();
    let (own, other, host) = (digest(seat), digest(seat.other()), agreeing.commitment_of_host());
    html! {
        form id="reveal" method="post" action="reveal" data-reveal data-own=(own) data-other=(other)
            data-host=(host) data-say-lost=(labels::OWN_PART_IS_LOST)
            data-say-changed=(labels::DIGESTS_CHANGED) {
            input type="hidden" name="k" value=(stamp);
            input type="hidden" name="c" value=(own);
            details {
                summary { (labels::HOW_IT_IS_SHUFFLED) }
                dl {
                    dt { (labels::COMMITMENT) } dd { code.digest { (host) } }
                    dt { (labels::DIGEST_OF_YOURS) } dd { code.digest { (own) } }
                    dt { (labels::DIGEST_OF_OTHER) } dd { code.digest { (other) } }
                }
                label {
                    (labels::OWN_PART) " " input type="text" name="nonce" maxlength="64" autocomplete="off";
                }
            }
            button.small type="submit" { (labels::SHOW_OWN_PART) }
        }
    }
}

/// The link for a friend, as text to copy and as a code for a phone's camera.
fn invitation(link: &str) -> Markup {
    html! {
        section.invitation aria-label=(labels::INVITE) {
            h2 { (labels::INVITE) }
            p { (labels::SEND_THIS_LINK) }
            p.link {
                input type="text" readonly value=(link) aria-label=(labels::LINK_FOR_FRIEND) data-copy;
                button.small type="button" data-act="copy" data-done=(labels::COPIED) hidden {
                    (labels::COPY)
                }
            }
            @if let Some(code) = code(link) { (code) }
            p.hint { (labels::LINK_IS_GOOD_ONCE) }
        }
    }
}

/// A QR code: one path, dark on light in every theme, with the quiet zone that cameras need.
fn code(link: &str) -> Option<Markup> {
    let code = QrCode::with_error_correction_level(link, EcLevel::M).ok()?;
    let wide = code.width();
    let mut path = String::new();
    for (row, line) in code.to_colors().chunks(wide).enumerate() {
        let mut at = 0;
        for same in line.chunk_by(PartialEq::eq) {
            if same.first() == Some(&Color::Dark) {
                let (x, y, long) = (at + QUIET, row + QUIET, same.len());
                path.push_str(&format!("M{x} {y}h{long}v1h-{long}z"));
            }
            at += same.len();
        }
    }
    let all = wide + 2 * QUIET;
    Some(html! {
        svg.qr viewBox=(format!("0 0 {all} {all}")) role="img" aria-label=(labels::CODE_OF_LINK) {
            rect width=(all) height=(all) fill="#fff" {}
            path d=(path) fill="#000" {}
        }
    })
}

/// Modules around a code that stay light (ISO/IEC 18004).
const QUIET: usize = 4;

/// A page that only says something.
pub fn message(title: &str, words: &str) -> String {
    page(
        title,
        "/",
        html! { body { main.message { h1 { (title) } p { (words) } } } },
    )
}

/// An explanation as a page of its own, for those without a script.
pub fn aside(words: &Markup, base: &str) -> String {
    let body = html! { body { main.message { (words) p { a href=(base) { (labels::BACK_TO_TABLE) } } } } };
    page(labels::EXPLAINED, base, body)
}

/// What moves when a replay goes on to this moment.
fn effects_of_past(scene: &SeatScene<'_>) -> Option<String> {
    let effects = effects(scene.news(), scene.seat);
    let moves = !scene.is_played() && !effects.is_empty();
    moves.then(|| serde_json::to_string(&effects).expect("texts and numbers are always JSON"))
}

fn table(scene: &SeatScene<'_>, notice: Option<&str>) -> Markup {
    let all = regions(scene);
    let of = |id: &str| -> Markup {
        let found: Vec<&PageRegion> = all.iter().filter(|region| region.id == id).collect();
        PreEscaped(found.iter().map(|region| region.markup.as_str()).collect())
    };
    let under = |parent: &str| -> Markup {
        let found = all.iter().filter(|region| region.parent == parent);
        PreEscaped(found.map(|region| region.markup.as_str()).collect())
    };
    html! {
        main.table id="table" data-stage=[scene.table.start.stage.as_deref().map(ScenarioStage::name)]
            data-at=(scene.at) data-from=(scene.moment.start) data-effects=[effects_of_past(scene)]
            data-turn=(scene.view.turn) data-number=(scene.table.number()) {
            h1.sr { (scene.game().name) }
            (of("them-bar"))
            div.felt {
                ol.ring.them id="them-ring" aria-label=(labels::their_ring(&scene.other())) {
                    (under("them-ring"))
                }
                (of("ribbon"))
                ol.ring.me id="me-ring" aria-label=(labels::OWN_RING) { (under("me-ring")) }
                svg.lines id="lines" aria-hidden="true" {}
            }
            (of("me-bar"))
            div.near { (of("arena")) (of("hand")) (of("prompt")) }
            div.side id="side" {
                aside.zoom id="zoom" aria-label=(labels::ENLARGED) data-close=(labels::CLOSE) {
                    (welcome(scene))
                }
                (of("shown"))
                (under("side"))
            }
            (of("ending"))
            aside.log id="log" aria-label=(labels::LOG) {
                header { h2 { (labels::LOG) } button.small type="button" data-act="log" { (labels::CLOSE) } }
                div id="log-turns" { (under("log-turns")) }
            }
            div.notice id="notice" role="status" { @if let Some(notice) = notice { (notice) } }
            div.sr id="aloud" aria-live="polite" {}
        }
    }
}

/// What stands where the enlarged card will be.
fn welcome(scene: &SeatScene<'_>) -> Markup {
    let stage = scene.table.start.stage.as_deref();
    html! {
        @match stage {
            Some(stage) => {
                h2 { (stage.name()) }
                @if let Some(goal) = stage.goal() { p { b { (goal) } } }
                @if let Some(note) = stage.note() { p { (note) } }
            },
            None => {
                h2 { (scene.game().name) }
                p {
                    (labels::versus(
                        &scene.table.start.names[scene.seat],
                        &scene.table.start.names[scene.seat.other()],
                    ))
                }
                (super::holds::beside(scene))
            }
        }
        p.hint { (labels::POINT_AT_A_CARD) }
    }
}

/// Where *Home* leads, from the seat's address: whoever runs the host goes on to the front page, others get a
/// page of their own, or back to where they opened a lesson.
pub(super) const HOME: &str = "home";

fn tools(scene: &SeatScene<'_>, learn: bool) -> Markup {
    html! {
        nav.tools aria-label=(labels::TOOLS) {
            a.small href=(HOME) { (labels::HOME) }
            @if learn { button.small type="button" popovertarget="learn" { (labels::LEARN) } }
            button.small type="button" popovertarget="settings" { (labels::SETTINGS) }
            button.small type="button" popovertarget="help" { (labels::HELP) }
            button.small.sound type="button" data-act="sound" aria-pressed="true" title=(labels::SOUND_HINT)
                aria-label=(labels::SOUND) hidden { (labels::SOUND_SIGN) }
            button.small.tab type="button" data-act="log" { (labels::LOG) }
            @if scene.view.outcome.is_none() {
                button.small type="button" popovertarget="concede" { (labels::CONCEDE) }
            }
        }
        div.sheet.narrow popover id="concede" role="dialog" aria-label=(labels::CONCEDE) {
            h3 { (labels::CONCEDE_QUESTION) }
            p { (labels::concede_means(&scene.other())) }
            button.back type="submit" form="act" name="act" value="concede" { (labels::CONCEDE_YES) }
            @if scene.table.people_shuffle() && scene.view.outcome.is_none() {
                p { (labels::DRAW_MEANS) }
                button.option type="submit" form="act" name="act" value="offer-draw" { (labels::OFFER_DRAW) }
            }
            button.go type="button" popovertarget="concede" popovertargetaction="hide" {
                (labels::CONCEDE_NO)
            }
        }
    }
}

/// Lessons and puzzles; each opens a table of its own. The puzzles are sent when somebody looks for them.
fn learn(shelf: &[Arc<ScenarioStage>], is_puzzle: bool) -> Markup {
    html! {
        div.sheet.narrow popover id="learn" role="dialog" aria-label=(labels::LEARN) {
            h3 { (labels::LEARN_TITLE) }
            p.hint { (labels::LEARN_HINT) }
            @if is_puzzle { a.option href="share" data-insight { (labels::SHARE_PUZZLE) } }
            (shelf_groups(shelf, |group| group == ShelfGroup::Lessons))
            div data-load="shelf" { noscript { a href=(HOME) { (labels::LESSONS_AND_PUZZLES) } } }
            button.back type="button" popovertarget="learn" popovertargetaction="hide" { (labels::CLOSE) }
        }
    }
}

/// What a shelf holds beside its lessons.
pub fn rest_of_shelf(shelf: &[Arc<ScenarioStage>]) -> Markup {
    shelf_groups(shelf, |group| group != ShelfGroup::Lessons)
}

fn shelf_groups(shelf: &[Arc<ScenarioStage>], wanted: impl Fn(ShelfGroup) -> bool) -> Markup {
    html! {
        @for (group, stages) in in_groups(shelf).into_iter().filter(|(group, _)| wanted(*group)) {
            h4 { (labels::shelf_group(group)) }
            @for (nth, (at, stage)) in stages.iter().enumerate() {
                button.option type="submit" form="act" name="act" value=(format!("stage-{at}"))
                    data-stage=(stage.name()) data-lesson[group == ShelfGroup::Lessons] {
                    span { (labels::in_order(group, nth, stage.name())) }
                }
            }
        }
    }
}

/// What the browser keeps for its reader: none of it concerns the duel.
pub(super) fn settings() -> Markup {
    settings_with(html! {})
}

/// The same, and what only some pages have.
#[expect(clippy::needless_pass_by_value, reason = "markup is made for the call")]
pub(super) fn settings_with(more: Markup) -> Markup {
    let choice = |name: &str, words: &str, options: &[(&str, &str)], usual: &str| {
        html! {
            label.setting {
                span { (words) }
                select data-setting=(name) {
                    @for (value, words) in options {
                        option value=(value) selected[*value == usual] { (words) }
                    }
                }
            }
        }
    };
    html! {
        div.sheet.narrow popover id="settings" role="dialog" aria-label=(labels::SETTINGS) {
            h3 { (labels::SETTINGS) }
            (choice("speed", labels::SHOW_SPEED, &labels::SHOW_SPEEDS, "normal"))
            (choice("theme", labels::THEME, &labels::THEMES, ""))
            (choice("text", labels::TEXT_SIZE, &labels::TEXT_SIZES, ""))
            label.setting { span { (labels::SOUND) } input type="checkbox" data-setting="sound" checked; }
            label.setting {
                span { (labels::VOLUME_OF_TABLE) }
                input type="range" min="0" max="100" step="5" value="60" data-setting="volume-table";
            }
            label.setting {
                span { (labels::VOLUME) }
                input type="range" min="0" max="100" step="5" value="60" data-setting="volume";
            }
            (more)
            button.go type="button" popovertarget="settings" popovertargetaction="hide" { (labels::CLOSE) }
        }
    }
}

/// How to play at the table: sent when somebody looks for it. The trace is a part of the page, since a key
/// opens it.
fn help() -> Markup {
    html! {
        div.sheet.narrow popover id="help" role="dialog" aria-label=(labels::HELP) {
            div.heading {
                h3 { (labels::HELP) }
                button type="button" popovertarget="help" popovertargetaction="hide" { (labels::CLOSE) }
            }
            div data-load="help" { noscript { a href="help" { (labels::HELP) } } }
            h3 { (labels::FOR_AUTHORS) }
            p { a href="trace" data-insight { (labels::TRACE_LINK) } }
        }
    }
}

/// What *Help* says.
pub fn help_words(scene: &SeatScene<'_>) -> Markup {
    html! {
        div {
            // What a newcomer needs most stands first.
            h3 { (labels::THE_GAME) }
            p { (labels::THE_GAME_IN_SHORT) }
            @for (heading, words) in labels::fights(&scene.game().constants) {
                h3 { (heading) } p { (words) }
            }
            // What fits the device comes next: fingers are told only where there is a screen to touch.
            section.by-touch {
                h3 { (labels::WITH_A_FINGER) }
                dl { @for (act, what) in labels::HELP_TOUCH { dt { kbd { (act) } } dd { (what) } } }
            }
            section.by-mouse {
                h3 { (labels::WITH_A_MOUSE) }
                dl {
                    @for (act, what) in labels::HELP_MOUSE.iter().chain(&labels::HELP_KEYS) {
                        dt { kbd { (act) } } dd { (what) }
                    }
                }
            }
            h3 { (labels::MARKS_ON_CARDS) }
            (super::card::legend(scene))
        }
    }
}
