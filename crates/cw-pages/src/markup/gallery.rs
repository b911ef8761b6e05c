//! All cards of the game, to be searched, sorted out and read; what is printed is no secret.

use std::collections::BTreeSet;

use cw_duel::{CardModel, Game};
use cw_faces::Catalogue;
use cw_program::ModelId;
use maud::{Markup, html};

use super::card;
use super::document::page_with;
use super::front::style;
use crate::labels;
use crate::package::DuelPackage;

/// By what the cards can be sorted out: the name in the address of the page's fields, and its words.
const FILTERS: [(&str, &str); 4] = [
    ("type", labels::CARD_TYPE),
    ("school", labels::SCHOOL),
    ("cost", labels::COST),
    ("rarity", labels::RARITY),
];

/// What a card is, in the order of [`FILTERS`].
fn kinds(game: &Game, catalogue: &Catalogue, at: ModelId, model: &CardModel) -> [String; 4] {
    let school = model
        .subtype
        .and_then(|subtype| game.subtypes.get(usize::from(subtype.0)));
    [
        labels::card_type(model.card_type).to_owned(),
        school.map_or_else(String::new, ToString::to_string),
        labels::cost_kind(model.sp).to_owned(),
        catalogue
            .printed(at)
            .map_or_else(String::new, |printed| printed.rarity.clone()),
    ]
}

/// The cards that have a name.
fn named(game: &Game) -> impl Iterator<Item = (ModelId, &CardModel)> {
    (0..)
        .map(ModelId)
        .zip(&game.models)
        .filter(|(_, model)| !model.name.is_empty())
}

/// Where the gallery leads back to: the page that it was opened from, carried along from card to card.
#[derive(Clone, Copy, Debug)]
pub struct WayBack<'a>(pub Option<&'a str>);

impl WayBack<'_> {
    fn home(self) -> String {
        self.0.unwrap_or("/front/").to_owned()
    }

    /// The address of a page of the gallery that leads back the same way.
    pub(crate) fn along(self, page: &str) -> String {
        match self.0 {
            Some(back) => format!("{page}?back={back}"),
            None => page.to_owned(),
        }
    }
}

/// All cards of the game.
pub fn cards(game: &Game, catalogue: &Catalogue, back: WayBack<'_>) -> String {
    let body = html! {
        body.front {
            header.masthead.low { div { h1 { (labels::CARDS) } p { a href=(back.home()) { (game.name) } } } }
            main.gallery {
                div.sheet-like {
                    (filters(game, catalogue))
                    ul.grid.large {
                        @for (at, model) in named(game) {
                            @let [of_type, school, cost, rarity] = kinds(game, catalogue, at, model);
                            li data-name=(format!("{} {}", model.name, model.text).to_lowercase())
                                data-type=(of_type) data-school=(school) data-cost=(cost) data-rarity=(rarity) {
                                a.card href=(back.along(&format!("/cards/{}", at.0))) aria-label=(format!("{}, {}", model.name, card::summary(game, model))) {
                                    img src=(card::source(catalogue, at, "full")) alt="" width="63" height="88" loading="lazy";
                                }
                            }
                        }
                    }
                    p.quiet data-nothing hidden { (labels::NO_SUCH_CARD) }
                }
            }
        }
    };
    page_with(labels::CARDS, "/", style(), body)
}

/// A field for words and one for each kind of which there are several.
fn filters(game: &Game, catalogue: &Catalogue) -> Markup {
    let all: Vec<[String; 4]> = named(game)
        .map(|(at, model)| kinds(game, catalogue, at, model))
        .collect();
    html! {
        div.filters {
            input.find type="search" placeholder=(labels::FIND_A_CARD) aria-label=(labels::FIND_A_CARD) data-search;
            @for (place, (name, words)) in FILTERS.iter().enumerate() {
                @let values: BTreeSet<&str> = all.iter().map(|kinds| &*kinds[place]).filter(|value| !value.is_empty()).collect();
                @if values.len() > 1 {
                    label { span { (words) } " "
                        select data-filter=(name) {
                            option value="" { (labels::ANY) }
                            @for value in values { option value=(value) { (labels::capital(value)) } }
                        }
                    }
                }
            }
        }
    }
}

/// The page of one card; nothing if there is no such card.
pub fn card_page(package: &DuelPackage, at: ModelId, back: WayBack<'_>) -> Option<String> {
    let (game, catalogue) = (&package.game, &package.catalogue);
    let model = game
        .models
        .get(usize::from(at.0))
        .filter(|model| !model.name.is_empty())?;
    let [of_type, school, _, rarity] = kinds(game, catalogue, at, model);
    let printed = catalogue.printed(at);
    let backups: Vec<&str> = card::backups(game, model).collect();
    let decks = package.decks.iter().filter_map(|(deck, cards)| {
        let copies = cards.iter().filter(|card| **card == at).count();
        (copies > 0).then_some((copies, deck))
    });
    let decks: Vec<_> = decks.collect();
    let lines: [(&str, String); 7] = [
        (labels::CARD_TYPE, labels::capital(&of_type)),
        (labels::SCHOOL, school),
        (
            "BP",
            if model.is_character() {
                model.bp.to_string()
            } else {
                String::new()
            },
        ),
        ("SP", cw_words::signed(model.sp)),
        (labels::BACKS_UP, backups.join(", ")),
        (labels::RARITY, rarity),
        (
            labels::SET,
            printed.map_or_else(String::new, |printed| printed.set.clone()),
        ),
    ];
    let beside = |step: i32| {
        let all: Vec<ModelId> = named(game).map(|(at, _)| at).collect();
        let place = all.iter().position(|other| *other == at)?;
        all.get(place.checked_add_signed(isize::try_from(step).ok()?)?)
            .copied()
    };
    let body = html! {
        body.front {
            header.masthead.low { div { h1 { (model.name) } p { a href=(back.along("/cards")) { (labels::CARDS) } } } }
            main.gallery.one-card {
                img src=(card::source(catalogue, at, "full")) alt=(format!("{}, {}", model.name, card::summary(game, model))) width="63" height="88";
                div.room {
                    dl.printed { @for (name, value) in &lines { @if !value.is_empty() { dt { (name) } dd { (value) } } } }
                    @if !model.text.is_empty() { p { (model.text) } }
                    @if let Some(words) = printed.map(|printed| &printed.flavour).filter(|words| !words.is_empty()) { p.quiet { (words) } }
                    @if !decks.is_empty() {
                        h2 { (labels::IN_DECKS) }
                        ul { @for (copies, deck) in &decks { li { (labels::copies(*copies, deck)) } } }
                    }
                    nav.ways aria-label=(labels::OTHER_CARDS) {
                        @for (step, rel, words) in [(-1, "prev", labels::CARD_BEFORE), (1, "next", labels::CARD_AFTER)] {
                            @if let Some(other) = beside(step) {
                                a.way rel=(rel) href=(back.along(&format!("/cards/{}", other.0))) { (words) ": " (game.model(other).name) }
                            }
                        }
                    }
                }
            }
        }
    };
    Some(page_with(&model.name, "/", style(), body))
}
