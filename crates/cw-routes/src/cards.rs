//! The cards of a package, for whoever looks for one: what is printed is no secret. The same routes stand
//! beside duels and beside free tables.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use cw_hall::duels::DuelHost;
use cw_hall::free::FreeHost;
use cw_hall::runtime::Tasks;
use cw_pages::library::CardLibrary;
use cw_pages::markup::{self, GalleryPlace, Searched, WayBack};

use crate::asked_cards::AskedCards;
use crate::compare::CompareFields;
use crate::visitor::not_found;

/// Whose cards they are.
#[derive(Clone)]
struct CardShelf {
    library: Arc<CardLibrary>,
    tasks: Tasks,
    /// The duels that are played with them.
    duels: Option<DuelHost>,
}

/// The routes of the cards of a host of duels, beside the files of their pages; none where its package was
/// not read from files.
pub(crate) fn of_duels(host: &DuelHost) -> Router<DuelHost> {
    let package = &host.hall.setting.package.now();
    let Some(loaded) = &package.loaded else {
        return Router::new();
    };
    let library = CardLibrary::of_duels(Arc::clone(loaded), Arc::clone(&package.catalogue));
    let library = Arc::new(library);
    let decks = crate::decks::routes(host, &library);
    let shelf = CardShelf {
        library,
        tasks: host.hall.tasks.clone(),
        duels: Some(host.clone()),
    };
    routes::<DuelHost>(shelf).merge(decks)
}

/// The routes of the cards of free tables.
pub(crate) fn of_free<S: Clone + Send + Sync + 'static>(host: &FreeHost) -> Router<S> {
    let setting = &host.hall.setting;
    let package = Arc::clone(&setting.kit.package);
    let shelf = CardShelf {
        library: Arc::new(CardLibrary::of_free(package, setting.aliases.clone())),
        tasks: host.hall.tasks.clone(),
        duels: None,
    };
    routes(shelf).merge(crate::page_files::of_cards())
}

fn routes<S: Clone + Send + Sync + 'static>(shelf: CardShelf) -> Router<S> {
    Router::new()
        .route("/cards", get(cards))
        .route("/cards/found", get(found))
        .route("/cards/rows", get(rows))
        .route("/cards/complete", get(complete))
        .route("/cards/compare", get(compare).post(compare))
        .route("/cards/{number}", get(card))
        .with_state(shelf)
}

type AskedFields = Query<BTreeMap<String, String>>;

impl CardShelf {
    fn place<'a>(&self, asked: &'a AskedCards) -> GalleryPlace<'a> {
        GalleryPlace {
            back: WayBack(asked.back.as_deref()),
            home: self.duels.as_ref().map(|_| "/front/"),
        }
    }

    /// Makes a page where that holds nobody up.
    async fn made(&self, make: impl FnOnce(&CardShelf) -> Option<String> + Send + 'static) -> Response {
        let shelf = self.clone();
        match self.tasks.work(move || make(&shelf)).await {
            Ok(Some(page)) => Html(page).into_response(),
            Ok(None) => not_found(),
            Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        }
    }

    async fn searched(
        &self,
        asked: AskedCards,
        make: impl FnOnce(&CardShelf, &AskedCards, &Searched<'_>) -> String + Send + 'static,
    ) -> Response {
        self.made(move |shelf| {
            let found = shelf.library.find(&asked.wish);
            let searched = Searched {
                wish: &asked.wish,
                found: found.as_deref(),
                from: asked.from,
            };
            Some(make(shelf, &asked, &searched))
        })
        .await
    }
}

/// All cards of the game.
async fn cards(State(shelf): State<CardShelf>, Query(fields): AskedFields) -> Response {
    let make = |shelf: &CardShelf, asked: &AskedCards, searched: &Searched<'_>| {
        markup::cards(&shelf.library, searched, shelf.place(asked))
    };
    shelf.searched(AskedCards::of(fields), make).await
}

/// What stands below the search field.
async fn found(State(shelf): State<CardShelf>, Query(fields): AskedFields) -> Response {
    let make = |shelf: &CardShelf, asked: &AskedCards, searched: &Searched<'_>| {
        markup::found(&shelf.library, searched, shelf.place(asked)).into_string()
    };
    shelf.searched(AskedCards::of(fields), make).await
}

/// Some of the cards that were found.
async fn rows(State(shelf): State<CardShelf>, Query(fields): AskedFields) -> Response {
    let make = |shelf: &CardShelf, asked: &AskedCards, searched: &Searched<'_>| match searched.found {
        Ok(found) => {
            let back = WayBack(asked.back.as_deref());
            markup::rows(&shelf.library, found, asked.from, asked.many, back).into_string()
        }
        Err(_) => String::new(),
    };
    shelf.searched(AskedCards::of(fields), make).await
}

/// What can be written where a query is being typed.
async fn complete(State(shelf): State<CardShelf>, Query(fields): AskedFields) -> Response {
    let asked = AskedCards::of(fields);
    let make = move |shelf: &CardShelf| {
        Some(markup::completions(&shelf.library.complete(&asked.wish.text)).into_string())
    };
    shelf.made(make).await
}

/// Two decks beside each other.
async fn compare(State(shelf): State<CardShelf>, Form(fields): Form<CompareFields>) -> Response {
    let make = move |shelf: &CardShelf| crate::compare::of_cards(&shelf.library, fields);
    shelf.made(make).await
}

/// One card, with everything that is printed on it.
async fn card(
    State(shelf): State<CardShelf>,
    Path(number): Path<u32>,
    Query(fields): AskedFields,
) -> Response {
    let asked = AskedCards::of(fields);
    let make = move |shelf: &CardShelf| {
        let duels = shelf.duels.as_ref().map(|host| host.hall.setting.package.now());
        markup::card_page(&shelf.library, number, duels.as_deref(), shelf.place(&asked))
    };
    shelf.made(make).await
}
