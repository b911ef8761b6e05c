//! A scene as markup, cut into regions with keys. The first request gets all of them in a document;
//! later messages bring those that changed.

mod arena;
mod board;
mod card;
mod collect;
mod compare;
mod decks;
mod document;
mod drafts;
mod ending;
mod feats;
mod foes;
mod front;
mod gallery;
mod holds;
mod insight;
mod log;
mod notice;
mod own;
mod prompt;
mod review;
mod runs;
mod share;
mod shown;
mod workbench;

pub use maud::Markup;

use crate::scene::SeatScene;

pub use arena::{ArenaPage, arena, arena_now};
pub use compare::{AskedDeck, ComparePage, DeckChoice, PASTED_LIST, compare};
pub use decks::{
    BuilderPage, DeckListPage, DeckOrigin, SealedPage, builder, builder_found, builder_rows, cards_in_words,
    deck_list, opening, panel, reasons, sealed_page,
};
use document::reveal_form;
pub use document::{
    Gathered, Invited, ROOMS, aside, document, gathering, help_words, message, moment, rest_of_shelf,
};
pub use drafts::{
    DraftPage, Drafter, NewDraftPage, ResultsPage, SealedShown, SeatShown, draft_document, draft_invitation,
    draft_region, draft_results, draft_review, new_draft, packs_of,
};
pub use foes::LadderDeck;
pub use front::{FrontWays, Untaken, decks_of_guest, front};
pub use gallery::{FIRST_CARDS, GalleryPlace, Searched, WayBack, card_page, cards, completions, found, rows};
pub use insight::{NOW, explanation, trace, value};
pub(crate) use log::{LogLine, aloud};
pub use own::{Stamped, home};
pub use review::{review, review_to_come, thoughts};
pub use runs::{ListedRun, RunDesk, run_list, run_page};
pub use share::{LinkPage, about, link_field, link_page, link_refused, not_shared, share, share_page};
pub use workbench::{WorkbenchPage, workbench};

/// A part of the page that is replaced as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageRegion {
    /// The id of its element.
    pub(crate) id: String,
    /// The id of the element it is appended to when it is new.
    pub(crate) parent: &'static str,
    /// Its element.
    pub(crate) markup: String,
}

fn region(id: impl Into<String>, parent: &'static str, markup: Markup) -> PageRegion {
    PageRegion {
        id: id.into(),
        parent,
        markup: markup.into_string(),
    }
}

/// Everything that a seat sees.
pub(crate) fn regions(scene: &SeatScene<'_>) -> Vec<PageRegion> {
    let mut out = Vec::new();
    board::board(&mut out, scene);
    out.push(region("prompt", "table", prompt::prompt(scene)));
    out.push(region("shown", "table", shown::panel(scene)));
    if prompt::has_ending(scene) {
        out.push(region("ending", "table", prompt::ending(scene)));
    }
    if let Some(notice) = scene.notice {
        out.push(region("work", "table", notice::work(notice)));
    }
    log::log(&mut out, scene);
    out
}
