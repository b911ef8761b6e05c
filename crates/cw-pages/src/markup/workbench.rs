//! The workbench: a card with its rule and its scenarios, and a board to lay out and try.

use maud::{DOCTYPE, Markup, html};

use cw_program::ModelId;

use crate::labels;
use crate::notice::{WorkNotice, WorkScenario};
use crate::package::DuelPackage;

/// What the workbench shows.
#[derive(Debug)]
pub struct WorkbenchPage<'a> {
    /// The game.
    pub package: &'a DuelPackage,
    /// The card on the bench, if there is one.
    pub card: Option<ModelId>,
    /// The scenarios that it is in.
    pub scenarios: &'a [WorkScenario],
    /// How the files stand.
    pub notice: Option<&'a WorkNotice>,
}

/// The page of the workbench.
pub fn workbench(shown: &WorkbenchPage<'_>) -> String {
    let game = &shown.package.game;
    let title = shown
        .card
        .map_or(labels::WORKBENCH, |card| &game.model(card).name);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="color-scheme" content="dark light";
                title { (title) " · " (game.name) }
                link rel="icon" href="/face/back.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/table.css";
                link rel="stylesheet" href="/assets/front.css";
                link rel="stylesheet" href="/assets/work.css";
                script type="module" src="/assets/work.js" {}
            }
            body.front.bench {
                @if let Some(notice) = shown.notice { (super::notice::work(notice)) }
                header.masthead.low {
                    div {
                        h1 { (title) }
                        p {
                            a href="/front/" { (game.name) } " · "
                            a href="/front/dev/" { (labels::WORKBENCH) }
                        }
                    }
                }
                main {
                    (cards(shown))
                    div.middle {
                        @if let Some(card) = shown.card { (one_card(shown, card)) }
                        (board(shown))
                    }
                }
            }
        }
    }
    .into_string()
}

/// All cards: each leads to its bench, and can be laid on the board.
fn cards(shown: &WorkbenchPage<'_>) -> Markup {
    html! {
        section.room.palette aria-label=(labels::CARDS) {
            label { (labels::FIND_A_CARD) " " input type="search" id="find" autocomplete="off"; }
            ul id="palette" {
                @for (card, model) in shown
                    .package
                    .game
                    .numbered()
                    .filter(|(_, model)| model.card_type.is_some())
                {
                    li draggable="true" data-card=(model.id) data-name=(model.name) data-model=(card.0)
                        data-character[model.is_character()] {
                        button type="button" data-take aria-pressed="false" { (model.name) }
                        a href=(format!("/front/dev/card/{}", card.0))
                            aria-label=(labels::bench_of(&model.name)) { "→" }
                    }
                }
            }
        }
    }
}

/// The card: its face, its texts, its rule, its scenarios.
fn one_card(shown: &WorkbenchPage<'_>, card: ModelId) -> Markup {
    let model = shown.package.game.model(card);
    html! {
        section.room.card-bench {
            img.face src=(super::card::source(&shown.package.catalogue, card, "full")) alt=(model.name);
            div {
                @if !model.text.is_empty() { p { (model.text) } }
                h2 { (labels::BENCH_RULE) }
                @match shown.package.rules.get(&card) {
                    Some(rule) => { pre { (rule.text) } }
                    None => { p.quiet { (labels::BENCH_NO_RULE) } }
                }
                h2 { (labels::BENCH_SCENARIOS) }
                @if shown.scenarios.is_empty() { p.quiet { (labels::BENCH_NO_SCENARIO) } }
                ul.scenarios {
                    @for one in shown.scenarios {
                        li.wrong[!one.why.is_empty()] {
                            (if one.why.is_empty() { "✓ " } else { "✗ " }) (one.name) " " code { (one.file) }
                            @for line in &one.why { br; (line) }
                        }
                    }
                }
            }
        }
    }
}

/// A board: cards are dragged onto it, or taken with a click and laid with another one.
fn board(shown: &WorkbenchPage<'_>) -> Markup {
    let constants = &shown.package.game.constants;
    let side = |who: &str, title: &str| {
        html! {
            fieldset data-side=(who) {
                legend { (title) }
                label { "HP " input type="number" name="hp" value=(constants.hp) min="1"; }
                label { "SP " input type="number" name="sp" value=(constants.sp) min="0"; }
                ol.slots {
                    @for slot in 0..constants.ring_slots {
                        li data-slot=(slot) {
                            button type="button" data-lay { (labels::BENCH_SLOT) " " (slot + 1) }
                        }
                    }
                }
                @for (pile, name) in [
                    ("hand", labels::BENCH_HAND),
                    ("discards", labels::BENCH_DISCARDS),
                    ("deck", labels::BENCH_TOP_OF_DECK),
                ] {
                    div.pile data-pile=(pile) { button type="button" data-lay { (name) } ul {} }
                }
            }
        }
    };
    html! {
        section.room.board id="board" {
            h2 { (labels::BENCH_BOARD) }
            p.quiet { (labels::BENCH_BOARD_HINT) }
            (side("opponent", labels::BENCH_OPPONENT))
            (side("me", labels::BENCH_ME))
            p.ways {
                label {
                    (labels::BENCH_PHASE) " "
                    select id="phase" {
                        @for phase in ["main", "attack"] { option value=(phase) { (phase) } }
                    }
                }
                button type="button" id="play" { (labels::BENCH_PLAY_BOARD) }
                label {
                    (labels::BENCH_NAME) " "
                    input type="text" id="name" maxlength="60"
                        value=(shown.card.map_or_else(
                            String::new,
                            |card| shown.package.game.model(card).name.to_string(),
                        ));
                }
                button type="button" id="keep" { (labels::BENCH_KEEP_BOARD) }
                button type="button" id="clear" { (labels::BENCH_CLEAR_BOARD) }
            }
            p.notice id="notice" role="status" {}
        }
    }
}
