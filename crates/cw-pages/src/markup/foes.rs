//! The opponents of a package on the front page, and what is in its decks.

use cw_program::ModelId;
use maud::{Markup, html};

use super::card;
use crate::labels;
use crate::ladder::{LadderProgress, Opponent};
use crate::package::DuelPackage;

/// With which deck somebody climbs the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LadderDeck<'a> {
    /// One of the package's, or one of those that somebody has built; `last` was taken the last time.
    Chosen {
        /// Their names in addresses and for people.
        built: &'a [(String, String)],
        /// What the form sent for it.
        last: Option<&'a str>,
    },
    /// The deck of the page at this address.
    This(&'a str),
}

/// Whom to challenge next, and all others on the ladder.
pub(super) fn ladder(
    package: &DuelPackage,
    progress: &LadderProgress,
    stamp: &str,
    deck: LadderDeck<'_>,
) -> Markup {
    let all = &package.opponents;
    let Some((next, foe)) = progress.next().and_then(|at| Some((at, all.get(at)?))) else {
        return html! {};
    };
    let beaten = progress.beaten.iter().filter(|beaten| **beaten).count();
    html! {
        section.room.foe id="next-opponent" {
            h2 { (if beaten == all.len() { labels::ALL_BEATEN } else { labels::NEXT_OPPONENT }) }
            form method="post"
                action=(match deck {
                    LadderDeck::This(base) => format!("{base}/challenge"),
                    LadderDeck::Chosen { .. } => "/front/challenge".to_owned(),
                })
                data-plain {
                input type="hidden" name="k" value=(stamp);
                div.challenger {
                    (portrait(package, foe))
                    div {
                        b.name-of { (foe.name) } " "
                        span.quiet { (foe.about) }
                        @if !foe.lines[0].is_empty() { blockquote { "“" (foe.lines[0]) "”" } }
                    }
                }
                div.start-row {
                    @if let LadderDeck::Chosen { built, last } = deck { (own_deck(package, built, last)) }
                    button.go type="submit" name="foe" value=(next) { (labels::challenge(&foe.name)) }
                }
                ol.rungs aria-label=(labels::LADDER) {
                    @for (at, foe) in all.iter().enumerate() {
                        li { (rung(package, progress, at, foe, at == next)) }
                    }
                }
            }
            p.quiet.tally { (labels::beaten_of(beaten, all.len())) }
        }
    }
}

/// The choice of one's own deck.
fn own_deck(package: &DuelPackage, built: &[(String, String)], last: Option<&str>) -> Markup {
    let option =
        |value: &str, name: &str| html! { option value=(value) selected[last == Some(value)] { (name) } };
    let of_package = html! {
        @for (at, (deck, _)) in package.decks.iter().enumerate() { (option(&at.to_string(), deck)) }
    };
    html! {
        label.own {
            span { (labels::OWN_DECK) } " "
            select name="own" {
                @if built.is_empty() {
                    (of_package)
                } @else {
                    optgroup label=(labels::DECKS_OF_THE_GAME) { (of_package) }
                    optgroup label=(labels::YOUR_DECKS) {
                        @for (id, name) in built { (option(&format!("kept:{id}"), name)) }
                    }
                }
            }
        }
    }
}

fn rung(package: &DuelPackage, progress: &LadderProgress, at: usize, foe: &Opponent, next: bool) -> Markup {
    let beaten = progress.beaten.get(at).copied().unwrap_or(false);
    let open = progress.is_open(at);
    let words = match (beaten, open) {
        (true, _) => format!("{} ({})", labels::challenge(&foe.name), labels::BEATEN),
        (false, true) => labels::challenge(&foe.name),
        (false, false) => format!("{}: {}", foe.name, labels::OPENS_LATER),
    };
    html! {
        button.rung type="submit" name="foe" value=(at) disabled[!open] data-beaten[beaten] data-next[next]
            title=(words) aria-label=(words) { (portrait(package, foe)) }
    }
}

fn portrait(package: &DuelPackage, foe: &Opponent) -> Markup {
    let face = foe.face(&package.game);
    html! {
        span.portrait aria-hidden="true" {
            @if let Some(model) = face {
                img src=(card::source(&package.catalogue, model, "small")) alt="" width="63" height="88";
            }
        }
    }
}

/// Opens all opponents, or one after another again: a button of the settings.
pub(super) fn open_all(progress: &LadderProgress, stamp: &str) -> Markup {
    let (words, open) = match progress.all_open {
        true => (labels::OPEN_IN_TURN, "no"),
        false => (labels::OPEN_ALL, "yes"),
    };
    html! {
        form.package method="post" action="/front/open-all" data-plain {
            input type="hidden" name="k" value=(stamp);
            button.way type="submit" name="open" value=(open) { (words) }
        }
    }
}

/// What is in the decks, to be read before one chooses.
pub(super) fn deck_lists(package: &DuelPackage) -> Markup {
    html! {
        div.sheet popover id="decks" role="dialog" aria-label=(labels::READ_THE_DECKS) {
            div.heading {
                h3 { (labels::READ_THE_DECKS) }
                button type="button" popovertarget="decks" popovertargetaction="hide" { (labels::CLOSE) }
            }
            @for (at, (name, cards)) in package.decks.iter().enumerate() {
                details.deck-list {
                    summary { (name) }
                    p { a.small href=(format!("/front/share/deck/{at}")) { (labels::SHARE) } }
                    ul {
                        @for (model, copies) in counted(cards) {
                            li {
                                (labels::copies(copies, &package.game.model(model).name)) " "
                                span.quiet { (card::summary(&package.game, package.game.model(model))) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Each card once with its copies, as the deck has them.
pub(super) fn counted(cards: &[ModelId]) -> Vec<(ModelId, usize)> {
    let mut counted: Vec<(ModelId, usize)> = Vec::new();
    for card in cards {
        match counted.iter_mut().find(|(model, _)| model == card) {
            Some((_, copies)) => *copies += 1,
            None => counted.push((*card, 1)),
        }
    }
    counted
}
