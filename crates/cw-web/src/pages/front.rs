//! The front page, and the page of all cards.

use cw_duel::Game;
use cw_faces::Catalogue;
use cw_players::Level;
use cw_program::ModelId;
use maud::{Markup, html};

use super::card;
use super::document::{page, settings};
use crate::labels;
use crate::server::{Changed, Listed, Setting};

/// Duels that are over and offered to be watched.
const MOST_OVER: usize = 8;

/// The front page. `stamp` is what its forms must carry.
pub(crate) fn front(
    setting: &Setting,
    duels: &[Listed],
    changed: &[Changed],
    stamp: &str,
    notice: Option<&str>,
) -> String {
    let going = duels.iter().filter(|duel| !duel.over);
    let over = duels.iter().filter(|duel| duel.over).take(MOST_OVER);
    let (mut going, mut over) = (going.peekable(), over.peekable());
    let body = html! {
        body.front {
            header.masthead {
                div { h1 { (setting.game.name) } p { (labels::FRONT_HINT) } }
                div.fan aria-hidden="true" { @for model in show_pieces(setting) { (face(setting, model)) } }
            }
            main.rooms id="table-of-contents" {
                p.notice id="notice" role="status" { @if let Some(words) = notice { (words) } }
                @if going.peek().is_some() {
                    section.room {
                        h2 { (labels::CONTINUE) }
                        ul.duels { @for duel in going { li { (self::duel(duel, "enter")) } } }
                    }
                }
                @if !changed.is_empty() { (cannot_go_on(changed, stamp)) }
                @if !setting.decks.is_empty() { (new_duel(setting, stamp)) }
                @if !setting.shelf.is_empty() { (learn(setting, stamp)) }
                section.room {
                    h2 { (labels::CARDS) }
                    a.way href="/cards" { (labels::all_cards(setting.game.models.len())) }
                }
                @if over.peek().is_some() {
                    section.room {
                        h2 { (labels::WATCH_A_DUEL) }
                        ul.duels { @for duel in over { li { (self::duel(duel, "watch")) } } }
                    }
                }
                @if !setting.decks.is_empty() { (invite(setting, stamp)) }
                @if setting.free.is_some() { (free(stamp)) }
                section.room {
                    h2 { (labels::SETTINGS) }
                    p { button.small type="button" popovertarget="settings" { (labels::SETTINGS) } }
                }
            }
            (settings())
        }
    };
    page(&setting.game.name, "/front/", body)
}

fn duel(duel: &Listed, way: &str) -> Markup {
    let [own, other] = &duel.decks;
    html! {
        a.way href=(format!("/front/{way}/{}", duel.seat.public())) {
            b { (labels::decks(own, other)) }
            span.quiet {
                (labels::against(duel.opponent, duel.name.as_deref()))
                @if let Some(turn) = duel.turn { " · " (labels::in_turn(turn)) }
                @if let Some(won) = duel.won { " · " (labels::result(won)) }
                @if duel.begun > 0 { " · " time data-seconds=(duel.begun) {} }
            }
        }
    }
}

/// Duels that were not finished before the game was changed.
fn cannot_go_on(changed: &[Changed], stamp: &str) -> Markup {
    html! {
        section.room {
            h2 { (labels::CANNOT_GO_ON) }
            p { (labels::WHY_NOT_ON) }
            ul.duels {
                @for one in changed {
                    li {
                        form method="post" action="/front/forget" data-plain {
                            input type="hidden" name="k" value=(stamp);
                            input type="hidden" name="duel" value=(one.id);
                            b { (labels::decks(&one.decks[0], &one.decks[1])) }
                            " "
                            @if one.begun > 0 { span.quiet { time data-seconds=(one.begun) {} } " " }
                            button.small type="submit" { (labels::FORGET) }
                        }
                    }
                }
            }
        }
    }
}

/// The decks of the package, one of which is chosen.
fn decks(setting: &Setting, name: &str, words: &str, chosen: usize) -> Markup {
    html! {
        fieldset {
            legend { (words) }
            @for (at, (deck, cards)) in setting.decks.iter().enumerate() {
                label.deck {
                    input type="radio" name=(name) value=(at) checked[at == chosen.min(setting.decks.len() - 1)];
                    span.fan aria-hidden="true" { @for model in best_of(setting, cards, 3) { (face(setting, model)) } }
                    span { (deck) }
                }
            }
        }
    }
}

/// A duel with somebody who gets a link.
fn invite(setting: &Setting, stamp: &str) -> Markup {
    html! {
        section.room.wide {
            h2 { (labels::INVITE) }
            p { (labels::HOW_TO_INVITE) }
            details.more {
                summary { (labels::CHOOSE_AND_INVITE) }
                form method="post" action="/front/invite" data-plain {
                    input type="hidden" name="k" value=(stamp);
                    (decks(setting, "own", labels::OWN_DECK, 0))
                    (decks(setting, "other", labels::FRIENDS_DECK, 1))
                    fieldset {
                        legend { (labels::WHO_BEGINS) }
                        @for (value, words) in labels::FIRSTS_OF_FRIENDS {
                            label.choice { input type="radio" name="first" value=(value) checked[value.is_empty()]; span { (words) } }
                        }
                    }
                    fieldset {
                        legend { (labels::WHERE_IS_FRIEND) }
                        @for (value, words) in labels::PLACES {
                            label.choice { input type="radio" name="reach" value=(value) checked[value == "network"]; span { (words) } }
                        }
                    }
                    button.go type="submit" { (labels::MAKE_LINK) }
                }
            }
        }
    }
}

/// A table without rules, for the same cards.
fn free(stamp: &str) -> Markup {
    html! {
        section.room {
            h2 { (labels::FREE_TABLE) }
            p { (labels::ABOUT_FREE_TABLE) }
            form method="post" action="/front/free" data-plain {
                input type="hidden" name="k" value=(stamp);
                fieldset {
                    legend { (labels::HOW_MANY) }
                    @for (value, words) in labels::SEATS {
                        label.choice { input type="radio" name="seats" value=(value) checked[value == 2]; span { (words) } }
                    }
                }
                button.go type="submit" { (labels::OPEN_FREE_TABLE) }
            }
        }
    }
}

fn new_duel(setting: &Setting, stamp: &str) -> Markup {
    html! {
        section.room.wide {
            h2 { (labels::NEW_DUEL) }
            form method="post" action="/front/new" data-plain {
                input type="hidden" name="k" value=(stamp);
                (decks(setting, "own", labels::OWN_DECK, 0))
                (decks(setting, "other", labels::OTHER_DECK, 1))
                fieldset {
                    legend { (labels::OPPONENT) }
                    @for level in Level::ALL.into_iter().rev() {
                        label.choice { input type="radio" name="level" value=(level.name()) checked[level == Level::BEST];
                            span { b { (labels::capital(level.name())) } " " (level.manner()) } }
                    }
                }
                fieldset {
                    legend { (labels::WHO_BEGINS) }
                    @for (value, words) in labels::FIRSTS {
                        label.choice { input type="radio" name="first" value=(value) checked[value.is_empty()]; span { (words) } }
                    }
                }
                button.go type="submit" { (labels::BEGIN_DUEL) }
            }
        }
    }
}

fn learn(setting: &Setting, stamp: &str) -> Markup {
    html! {
        section.room {
            h2 { (labels::LEARN) }
            form method="post" action="/front/learn" data-plain {
                input type="hidden" name="k" value=(stamp);
                @for (at, stage) in setting.shelf.iter().enumerate() {
                    button.way type="submit" name="stage" value=(at) data-stage=(stage.name()) {
                        b { (stage.name()) } @if let Some(goal) = stage.goal() { span.quiet { (goal) } }
                    }
                }
            }
        }
    }
}

/// A card of its own for each school that is shown at the top.
fn show_pieces(setting: &Setting) -> Vec<ModelId> {
    let all: Vec<ModelId> = setting
        .decks
        .iter()
        .flat_map(|(_, cards)| cards.iter().copied())
        .collect();
    best_of(setting, &all, 5)
}

/// The strongest characters of a deck, each of another subtype.
fn best_of(setting: &Setting, cards: &[ModelId], many: usize) -> Vec<ModelId> {
    let mut cards = cards.to_vec();
    cards.sort_by_key(|model| (std::cmp::Reverse(setting.game.model(*model).bp), *model));
    cards.dedup();
    let (mut chosen, mut seen) = (Vec::new(), Vec::new());
    for model in cards {
        let subtype = setting.game.model(model).subtype;
        if chosen.len() < many && !seen.contains(&subtype) {
            seen.push(subtype);
            chosen.push(model);
        }
    }
    chosen
}

fn face(setting: &Setting, model: ModelId) -> Markup {
    html! { img src=(card::source(&setting.catalogue, model, "small")) alt="" width="63" height="88" loading="lazy"; }
}

/// All cards of the game, to be searched and read.
pub(crate) fn cards(game: &Game, catalogue: &Catalogue) -> String {
    let body = html! {
        body.front {
            header.masthead.low { div { h1 { (labels::CARDS) } p { a href="/front/" { (game.name) } } } }
            main.gallery {
                div.sheet-like {
                    input.find type="search" placeholder=(labels::FIND_A_CARD) aria-label=(labels::FIND_A_CARD) data-search;
                    ul.grid.large {
                        @for (at, model) in (0..).map(ModelId).zip(&game.models) {
                            @if !model.name.is_empty() {
                                li data-name=(format!("{} {}", model.name, model.text).to_lowercase()) {
                                    a.card href=(card::source(catalogue, at, "full")) aria-label=(format!("{}, {}", model.name, card::summary(game, model))) {
                                        img src=(card::source(catalogue, at, "full")) alt="" width="63" height="88" loading="lazy";
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    page(labels::CARDS, "/", body)
}
