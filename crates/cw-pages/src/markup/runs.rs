//! The pages of runs: all of them, and one as it stands.

use cw_load::Loaded;
use cw_program::ModelId;
use cw_run::{Run, RunBook, RunFoe, RunPhase, RunSeed};
use maud::{Markup, html};

use super::card;
use super::gallery::card_document;
use crate::labels;
use crate::library::CardLibrary;
use crate::package::DuelPackage;
use crate::runs::RunStanding;

/// What the pages of runs are made with.
#[derive(Clone, Copy, Debug)]
pub struct RunDesk<'a> {
    /// What the host's duels have in common.
    pub package: &'a DuelPackage,
    /// The cards.
    pub library: &'a CardLibrary,
    /// The package.
    pub loaded: &'a Loaded,
    /// What forms must carry.
    pub stamp: &'a str,
    /// Words for the person.
    pub notice: Option<&'a str>,
}

/// A run in the list of all.
#[derive(Clone, Debug)]
pub struct ListedRun {
    /// Which.
    pub seed: RunSeed,
    /// The run; none if it cannot go on.
    pub run: Option<Run>,
}

/// The way from the front page to the run of today.
pub(super) fn invitation() -> Markup {
    html! { a.way href="/front/runs" { "A run" } }
}

/// All runs, and where a new one begins.
pub fn run_list(desk: RunDesk<'_>, book: &RunBook, runs: &[ListedRun], today: RunSeed) -> String {
    let has_today = runs.iter().any(|one| one.seed == today);
    let hidden = html! { input type="hidden" name="k" value=(desk.stamp); };
    let body = html! {
        body.front.cards {
            header.masthead.low {
                div { h1 { (book.name) } p { a href="/front/" { (desk.library.name()) } } }
            }
            main.gallery.decks-page {
                @if let Some(words) = desk.notice { p.notice.fault role="status" { (words) } }
                section.room {
                    h2 { "Today’s run" }
                    p { (book.about) }
                    p.quiet {
                        "You begin with a small deck and draft " (book.picks)
                        " cards more. Then beat one of two opponents at each of " (book.steps.len())
                        " places. You have " (labels::lives(book.lives))
                        ". The levels of their computers are, from the weakest: " (levels())
                        ". The run of a day is the same for everybody, down to the shuffles."
                    }
                    form method="post" action="/front/runs" data-plain {
                        (hidden)
                        input type="hidden" name="seed" value=(today);
                        button.go type="submit" {
                            @if has_today { "Go on with the run of " } @else { "Begin the run of " }
                            (today)
                        }
                    }
                }
                section.room {
                    h2 { "Another run" }
                    form method="post" action="/front/runs" data-plain {
                        (hidden)
                        label.named {
                            span { "A day, such as 2026-11-27, or any number" }
                            input type="text" name="seed" maxlength="20" required inputmode="text"
                                autocomplete="off";
                        }
                        button.small type="submit" { "Begin" }
                    }
                    @if !runs.is_empty() {
                        h2 { "Your runs" }
                        ul.plain.own-decks {
                            @for one in runs {
                                li {
                                    a.way href=(format!("/front/run/{}", one.seed)) {
                                        b { (one.seed) }
                                        span.quiet { @match &one.run {
                                            Some(run) => (standing_in_words(run)),
                                            None => "The game has changed since; it cannot go on",
                                        } }
                                    }
                                    form method="post" action=(format!("/front/run/{}/forget", one.seed))
                                        data-plain {
                                        (hidden)
                                        button.small type="submit"
                                            aria-label=(format!("Forget the run {}", one.seed)) {
                                            (labels::FORGET)
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    card_document(&book.name, None, &body)
}

/// All levels, from the weakest.
fn levels() -> String {
    cw_players::Level::ALL.map(cw_players::Level::name).join(", ")
}

pub(super) fn standing_in_words(run: &Run) -> String {
    match run.phase() {
        RunPhase::Over { won: true } => "Won".to_owned(),
        RunPhase::Over { won: false } => format!("Over, {} of {} won", run.step(), run.way().len()),
        RunPhase::Draft { .. } => "The draft goes on".to_owned(),
        RunPhase::Way | RunPhase::Duel { .. } | RunPhase::Reward { .. } => {
            format!("{} of {} won", run.step(), run.way().len())
        }
    }
}

/// A run as it stands: its way, what it waits for, the deck.
pub fn run_page(desk: RunDesk<'_>, standing: &RunStanding) -> String {
    let run = &standing.run;
    let book = run.book();
    let body = html! {
        body.front.cards.running {
            header.masthead.low {
                div { h1 { (book.name) } p { a href="/front/runs" { "All runs" } " · " (run.seed()) } }
            }
            main.gallery.run {
                @if let Some(words) = desk.notice { p.notice.fault role="status" { (words) } }
                (way(desk, run))
                section.room.now aria-label="What comes now" { (now(desk, run)) }
                aside.room.own aria-label="What you have" { (own(desk, standing)) }
            }
        }
    };
    card_document(&book.name, Some("run"), &body)
}

fn hearts(run: &Run) -> Markup {
    let lost = run.book().lives.saturating_sub(run.lives());
    html! {
        p.hearts role="img" aria-label=(labels::lives(run.lives())) {
            @for _ in 0..run.lives() { span { "♥" } }
            @for _ in 0..lost { span.lost { "♡" } }
        }
    }
}

fn way(desk: RunDesk<'_>, run: &Run) -> Markup {
    let book = run.book();
    html! {
        nav.run-way aria-label="The way" tabindex="0" {
            ol {
                @for (at, (step, two)) in book.steps.iter().zip(run.way()).enumerate() {
                    @let beaten = run
                        .fought()
                        .iter()
                        .find(|duel| duel.step == at && duel.won)
                        .map(|duel| duel.foe);
                    li data-past[at < run.step()] data-here[at == run.step() && !run.is_over()]
                        aria-current=[(at == run.step() && !run.is_over()).then_some("step")] {
                        b { (step.place) }
                        div.two {
                            @for foe in two {
                                @let found = &book.foes[*foe];
                                span.met data-beaten[beaten == Some(*foe)] data-boss[found.is_boss()]
                                    title=(met_in_words(found, beaten == Some(*foe))) {
                                    (portrait(desk, found))
                                }
                            }
                        }
                        span.sr {
                            @for (other, foe) in two.iter().enumerate() {
                                @if other > 0 { ", " }
                                (met_in_words(&book.foes[*foe], beaten == Some(*foe)))
                            }
                        }
                    }
                }
            }
        }
    }
}

fn met_in_words(foe: &RunFoe, beaten: bool) -> String {
    let boss = if foe.is_boss() { ", boss" } else { "" };
    let beaten = if beaten { ", beaten" } else { "" };
    format!("{}{boss}{beaten}", foe.name)
}

fn portrait(desk: RunDesk<'_>, foe: &RunFoe) -> Markup {
    let face = desk.package.game.find(&foe.card).filter(|_| !foe.card.is_empty());
    html! {
        span.portrait aria-hidden="true" {
            @match face {
                Some(model) => img src=(card::source(&desk.package.catalogue, model, "small"))
                    alt="" width="63" height="88";,
                None => span.letter { (foe.name.chars().next().unwrap_or('?')) },
            }
        }
    }
}

fn form(desk: RunDesk<'_>, run: &Run, inside: &Markup) -> Markup {
    html! {
        form method="post" action=(format!("/front/run/{}", run.seed())) data-plain {
            input type="hidden" name="k" value=(desk.stamp);
            input type="hidden" name="n" value=(run.acts().len());
            (inside)
        }
    }
}

fn now(desk: RunDesk<'_>, run: &Run) -> Markup {
    let book = run.book();
    match run.phase() {
        RunPhase::Draft { pack, cards, left } => html! {
            h2 {
                "Pack " (pack + 1) " of " (book.packs()) ": take " (left)
                @if *left == 1 { " card" } @else { " cards" }
            }
            p.quiet { "Your deck has " (run.deck().len()) " cards now. What you take cannot be put back." }
            (form(desk, run, &html! {
                ul.grid.pack-cards.offered { @for (at, model) in cards.iter().enumerate() {
                    li { (pressed(desk, *model, &format!("p{at}"), "Take")) }
                } }
            }))
        },
        RunPhase::Way => {
            let step = &book.steps[run.step()];
            html! {
                h2 { (step.place) }
                p { (step.about) }
                @if let Some(last) = run.fought().last().filter(|duel| !duel.won) {
                    p.fault {
                        (book.foes[last.foe].name) " has beaten you. " (labels::lives(run.lives())) " left."
                    }
                }
                (form(desk, run, &html! {
                    div.choices {
                        @for (at, foe) in run.way()[run.step()].iter().enumerate() {
                            (choice(desk, run, &book.foes[*foe], at))
                        }
                    }
                }))
            }
        }
        RunPhase::Duel { .. } => {
            let foe = run.foe_now().map(|foe| &book.foes[foe]);
            html! {
                @if let Some(foe) = foe {
                    h2 { "Your duel against " (foe.name) }
                    div.challenger {
                        (portrait(desk, foe))
                        div {
                            (introduced(run, foe))
                            a.go.option href=(format!("/front/run/{}/duel", run.seed())) { "Go to your duel" }
                        }
                    }
                }
            }
        }
        RunPhase::Reward { card, charm } => rewards(desk, run, *card, *charm),
        RunPhase::Over { won } => html! {
            h2 { @if *won { "You have won the run" } @else { "The run is over" } }
            (end_picture(desk, run, *won))
            p { (book.endings[usize::from(!*won)]) }
            (played(run))
            label.named {
                span { "A line to share: it names nobody" }
                input.result-line type="text" readonly value=(run.result_line());
            }
            p { a.way href="/front/runs" { b { "Another run" } } }
        },
    }
}

/// The face of whom the last duel was against.
fn end_picture(desk: RunDesk<'_>, run: &Run, won: bool) -> Markup {
    let last = run.fought().last().map(|duel| &run.book().foes[duel.foe]);
    let words = |foe: &RunFoe| foe.lines[if won { 2 } else { 1 }].clone();
    html! {
        @if let Some(foe) = last {
            div.last-of-run {
                (portrait(desk, foe))
                @if !words(foe).is_empty() { blockquote { "“" (words(foe)) "” " span.quiet { (foe.name) } } }
            }
        }
    }
}

/// What was done in a run, in numbers.
fn played(run: &Run) -> Markup {
    let duels = run.fought();
    let won = duels.iter().filter(|duel| duel.won).count();
    let bosses = duels
        .iter()
        .filter(|duel| duel.won && run.book().foes[duel.foe].is_boss())
        .count();
    html! {
        p.quiet {
            (won) " of " (duels.len()) " duels won, " (bosses) " bosses beaten, " (labels::lives(run.lives()))
            " left, " (run.charms().len()) " charms, a deck of " (run.deck().len()) " cards."
        }
    }
}

/// Who they are, their rule, and what they say.
fn introduced(run: &Run, foe: &RunFoe) -> Markup {
    let step = &run.book().steps[run.step().min(run.way().len() - 1)];
    html! {
        b.name-of { (foe.name) } " " span.quiet { (foe.about) }
        p.quiet { "Deck: " (foe.deck_name) " · computer: " (foe.level.as_deref().unwrap_or(step.level)) }
        @for line in &step.twist.lines { p { (crate::runs::twist_in_words(line)) } }
        @if foe.is_boss() { p.boss-rule { b { "Boss " } (foe.rule) } }
        @if !foe.lines[0].is_empty() { blockquote { "“" (foe.lines[0]) "”" } }
    }
}

fn choice(desk: RunDesk<'_>, run: &Run, foe: &RunFoe, at: usize) -> Markup {
    html! {
        div.challenger.choice-of-run {
            (portrait(desk, foe))
            div {
                (introduced(run, foe))
                button.go type="submit" name="act" value=(format!("f{at}")) { (labels::challenge(&foe.name)) }
            }
        }
    }
}

fn rewards(desk: RunDesk<'_>, run: &Run, card: Option<ModelId>, charm: Option<usize>) -> Markup {
    let beaten = run.fought().last().map(|duel| &run.book().foes[duel.foe]);
    html! {
        h2 { "Choose a reward" }
        @if let Some(foe) = beaten.filter(|foe| !foe.lines[2].is_empty()) {
            blockquote { "“" (foe.lines[2]) "” " span.quiet { (foe.name) } }
        }
        (form(desk, run, &html! {
            div.rewards {
                @if let Some(model) = card {
                    div.reward { h3 { "A card" } (pressed(desk, model, "c", "Take")) }
                }
                @if let Some(charm) = charm.map(|at| &run.book().charms[at]) {
                    div.reward {
                        h3 { "A charm" }
                        button.charm type="submit" name="act" value="m" {
                            b { (charm.name) } span { (charm.about) }
                        }
                    }
                }
                @if run.can_remove() {
                    div.reward {
                        h3 { "A card less" }
                        p.quiet { "Your deck is better without its worst card." }
                        ul.plain.leaving {
                            @for (at, (model, copies)) in run.cards().into_iter().enumerate() {
                                li {
                                    button.small type="submit" name="act" value=(format!("r{at}"))
                                        aria-label=(format!(
                                            "Take {} out of your deck",
                                            desk.package.game.model(model).name,
                                        )) {
                                        (desk.package.game.model(model).name)
                                        @if copies > 1 { " (one of " (copies) ")" }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }))
    }
}

/// A card as a button, and the way to its page.
fn pressed(desk: RunDesk<'_>, model: ModelId, act: &str, verb: &str) -> Markup {
    let card = RunBook::card_of(desk.loaded, model).card;
    let number = desk.library.number(card);
    let name = &desk.package.game.model(model).name;
    html! {
        div.pressed {
            button.card type="submit" name="act" value=(act) aria-label=(format!("{verb} {name}")) {
                img src=(desk.library.picture(card, number, 0, "full")) alt="" width="63" height="88"
                    decoding="async";
            }
            a.more href=(format!("/cards/{number}")) target="_blank" rel="noopener"
                aria-label=(format!("About {name}")) { "i" }
        }
    }
}

/// The duels that were fought, each to be watched again where its host still has it.
fn fought(standing: &RunStanding) -> Markup {
    let book = standing.run.book();
    let watched = standing.watched.iter().map(Option::as_deref);
    html! {
        @if !standing.run.fought().is_empty() {
            h3 { "Your duels" }
            ol.plain.fought {
                @for (duel, seat) in standing
                    .run
                    .fought()
                    .iter()
                    .zip(watched.chain(std::iter::repeat(None)))
                {
                    li {
                        span.mark aria-hidden="true" { @if duel.won { "●" } @else { "○" } }
                        span {
                            (book.foes[duel.foe].name)
                            span.quiet { ", " @if duel.won { "won" } @else { "lost" } }
                        }
                        @if let Some(seat) = seat {
                            a.small href=(format!("/front/watch/{seat}"))
                                aria-label=(format!("Watch the duel against {}", book.foes[duel.foe].name)) {
                                "Watch"
                            }
                        }
                    }
                }
            }
        }
    }
}

fn own(desk: RunDesk<'_>, standing: &RunStanding) -> Markup {
    let run = &standing.run;
    let game = &desk.package.game;
    html! {
        (hearts(run))
        @if !run.charms().is_empty() {
            h3 { "Charms" }
            dl.charms {
                @for charm in run.charms() {
                    @let charm = &run.book().charms[*charm];
                    dt { (charm.name) }
                    dd { (charm.about) }
                }
            }
        }
        (fought(standing))
        p {
            a.way href=(format!("/front/run/{}/link", run.seed())) {
                b { "Share this run" } span.quiet { "A link with all of it" }
            }
        }
        h3 { "Your deck: " (run.deck().len()) " cards" }
        ul.lines-of-deck {
            @for (model, copies) in run.cards() {
                li {
                    span.many { (copies) }
                    span.called { (game.model(model).name) }
                    span.quiet { (card::summary(game, game.model(model))) }
                }
            }
        }
        p.quiet { "What you decide here counts at once and cannot be taken back." }
        @if !run.is_over() {
            details {
                summary { "Give up" }
                (form(desk, run, &html! {
                    button.small type="submit" name="act" value="x" { "End this run" }
                }))
            }
        }
    }
}
