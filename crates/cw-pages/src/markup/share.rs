//! What is ready to be shared, and what a link from elsewhere carries.

use cw_players::Level;
use cw_wire::{GameLink, LinkContent};
use maud::{Markup, html};

use super::card;
use super::document::page_with;
use super::foes::counted;
use super::front::{decks, style};
use crate::labels;
use crate::linked::{LinkedThing, SharedText};
use crate::package::DuelPackage;

/// Texts to be copied. `share.js` adds what the browser can do; without it they are selected by hand.
pub fn share(texts: &[SharedText]) -> Markup {
    html! {
        div.sharing {
            h3 { (labels::SHARE) }
            p.hint { (labels::SHARE_HINT) }
            @for shared in texts {
                section.shared {
                    @if texts.len() > 1 { h4 { (shared.heading) } }
                    textarea readonly rows="6" spellcheck="false" data-share aria-label=(shared.heading) {
                        (shared.text)
                    }
                    p {
                        button.option type="button" data-send hidden { (labels::SHARE_BY) } " "
                        button.go type="button" data-take data-done=(labels::COPIED) hidden { (labels::COPY) }
                    }
                }
            }
        }
    }
}

/// Why nothing can be shared.
pub fn not_shared(why: &str) -> Markup {
    html! { h3 { (labels::SHARE_CANNOT) } p { (sentence(why)) } }
}

/// As [`share`], as a page of its own.
pub fn share_page(texts: &[SharedText], base: &str) -> String {
    let head = html! { (style()) script type="module" src="/assets/share.js" {} };
    let body = html! { body { main.message { (share(texts)) p { a href=(base) { (labels::HOME) } } } } };
    page_with(labels::SHARE, base, head, body)
}

/// What a link from elsewhere carries, with a button that opens it; or where to paste one.
#[derive(Debug)]
pub struct LinkPage<'a> {
    /// The letters of the link.
    pub letters: &'a str,
    /// What it says of itself.
    pub link: &'a GameLink,
    /// What it means here.
    pub thing: &'a LinkedThing,
}

/// The page of a link that can be opened.
pub fn link_page(shown: &LinkPage<'_>, package: &DuelPackage, stamp: &str) -> String {
    let opens = |words: &str| {
        html! {
            form method="post" action="/front/link" data-plain data-opens {
                input type="hidden" name="k" value=(stamp);
                input type="hidden" name="link" value=(shown.letters);
                button.go type="submit" { (words) }
            }
        }
    };
    let inside = html! {
        @match shown.thing {
            LinkedThing::Stage(stage) => {
                h2 { (stage.name()) }
                @if let Some(goal) = stage.goal() { p { b { (goal) } } }
                (opens(labels::OPEN))
            },
            LinkedThing::Duel(duel) => {
                p { (about(shown.link)) }
                (opens(if duel.plays_on { labels::PLAY_ON_FROM_HERE } else { labels::WATCH_IT }))
            },
            LinkedThing::Run(linked) => {
                h2 { (linked.run.book().name) " " (linked.run.seed()) }
                p { (super::runs::standing_in_words(&linked.run)) }
                p.quiet { (labels::RUN_OF_ANOTHER) }
                @match &linked.replaces {
                    None => (opens(labels::GO_ON_WITH_RUN)),
                    Some(own) => {
                        p.fault {
                            (labels::replaces_run(
                                &own.seed().to_string(),
                                &super::runs::standing_in_words(own),
                            ))
                        }
                        form method="post" action="/front/link" data-plain {
                            input type="hidden" name="k" value=(stamp);
                            input type="hidden" name="link" value=(shown.letters);
                            button.option type="submit" { (labels::REPLACE_RUN) }
                        }
                        p { a.way href=(format!("/front/run/{}", own.seed())) { b { "Go to my own run" } } }
                    },
                }
            },
            LinkedThing::Deck(deck) => {
                h2 { (labels::linked_deck(&deck.name, deck.cards.len())) }
                form method="post" action="/front/link" data-plain {
                    input type="hidden" name="k" value=(stamp);
                    input type="hidden" name="link" value=(shown.letters);
                    details.deck-list {
                        summary { (labels::ITS_CARDS) }
                        ul {
                            @for (model, copies) in counted(&deck.cards) {
                                li {
                                    (labels::copies(copies, &package.game.model(model).name)) " "
                                    span.quiet { (card::summary(&package.game, package.game.model(model))) }
                                }
                            }
                        }
                    }
                    @if !package.decks.is_empty() { (decks(package, "other", labels::OTHER_DECK, 1)) }
                    fieldset {
                        legend { (labels::OPPONENT) }
                        @for level in Level::ALL {
                            label.choice {
                                input type="radio" name="level" value=(level.name())
                                    checked[level == Level::BEST];
                                span { b { (labels::capital(level.name())) } " " (level.manner()) }
                            }
                        }
                    }
                    button.go type="submit" { (labels::PLAY_THIS_DECK) }
                }
            },
        }
    };
    page_of_link(labels::LINK_TITLE, &inside)
}

/// The page of a link that cannot be opened: why, and what it says of itself.
pub fn link_refused(link: Option<&GameLink>, why: &str) -> String {
    let inside = html! {
        p role="status" { (sentence(why)) }
        @if let Some(link) = link { p { (link.game.name) ": " (about(link)) } }
    };
    page_of_link(labels::LINK_NOT_OPENED, &inside)
}

/// Where a link is pasted.
pub fn link_field() -> String {
    let inside = html! {
        form.brings method="get" action="/front/link" data-plain {
            label { (labels::PASTE_A_LINK)
                textarea name="link" rows="5" required spellcheck="false" {}
            }
            button.go type="submit" { (labels::OPEN) }
        }
    };
    page_of_link(labels::OPEN_A_LINK, &inside)
}

fn page_of_link(title: &str, inside: &Markup) -> String {
    let body = html! {
        body { main.message.linked { h1 { (title) } (inside) p { a href="/front/" { (labels::HOME) } } } }
    };
    page_with(title, "/front/", style(), body)
}

/// What a link says of itself.
pub fn about(link: &GameLink) -> String {
    match &link.what {
        LinkContent::Duel(duel) => {
            let names = &duel.start.names.0;
            labels::linked_duel([&names[0], &names[1]], duel.len(), duel.at, duel.plays_on)
        }
        LinkContent::Stage(name) => labels::linked_stage(name),
        LinkContent::Scenario { .. } => labels::LINKED_SCENARIO.to_owned(),
        LinkContent::Deck(deck) => labels::linked_deck(&deck.name, deck.len()),
        LinkContent::Package(archive) => labels::linked_package(archive.len()),
        LinkContent::Run(record) => labels::linked_run(record),
    }
}

/// A message as a sentence.
fn sentence(why: &str) -> String {
    format!("{}.", labels::capital(why))
}
