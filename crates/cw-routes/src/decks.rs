//! Decks that whoever runs the host builds, and the packs of sealed games. They lie in the host's store.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, FromRequestParts, Path, Query};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use cw_hall::drafts::DraftFault;
use cw_hall::duels::{DuelHall, DuelHost};
use cw_hall::store::StoreError;
use cw_load::{Loaded, Project};
use cw_octgn::{CardRef, Pool, Ratings};
use cw_pages::decks::{
    self, KeptDeck, MOST_PACKS, SealedGame, clean_name, deck_of_lines, lines_of, lines_of_deck, text_of,
};
use cw_pages::drafts::{self, OpenedDraft};
use cw_pages::labels;
use cw_pages::library::CardLibrary;
use cw_pages::linked;
use cw_pages::listed::WantedDuel;
use cw_pages::markup::{self, BuilderPage, DeckListPage, DeckOrigin, SealedPage};
use cw_pages::room::ChosenDeck;
use cw_pages::table::SeatPlayer;
use cw_players::Level;

use crate::arena;
use crate::asked_cards::AskedCards;
use crate::compare;
use crate::drafts::DraftVisitor;
use crate::front::{HostOwner, begin};
use crate::visitor::not_found;

/// The routes; `library` has the cards of the host's package.
pub(crate) fn routes(host: &DuelHost, library: &Arc<CardLibrary>) -> Router<DuelHost> {
    let Some(loaded) = host.hall.setting.package.now().loaded.clone() else {
        return Router::new();
    };
    let desk = DeckDesk {
        library: Arc::clone(library),
        loaded,
    };
    Router::new()
        .route("/front/decks", get(list))
        .route("/front/decks/new", post(new))
        .route("/front/decks/{id}", get(builder))
        .route("/front/decks/{id}/found", get(found))
        .route("/front/decks/{id}/rows", get(rows))
        .route("/front/decks/{id}/keep", post(keep))
        .route("/front/decks/{id}/suggest", get(suggest))
        .route("/front/decks/{id}/forget", post(forget))
        .route("/front/decks/{id}/duel", post(duel))
        .route("/front/decks/{id}/challenge", post(challenge))
        .route("/front/decks/{id}/arena", get(arena::page).post(arena::begin))
        .route("/front/decks/{id}/arena/now", get(arena::now))
        .route("/front/decks/{id}/arena/stop", post(arena::stop))
        .route("/front/decks/{id}/arena/stop-other", post(arena::stop_other))
        .route("/front/decks/{id}/arena/go-on", post(arena::go_on))
        .route("/front/decks/{id}/deck.o8d", get(as_o8d))
        .route("/front/decks/{id}/deck.txt", get(as_text))
        .route("/front/decks/{id}/link", get(as_link))
        .route(
            "/front/decks/{id}/compare",
            get(compare::of_builder).post(compare::of_builder),
        )
        .route("/front/decks/{id}/opening", get(opening))
        .route("/front/sealed", get(sealed))
        .route("/front/sealed/open", post(open_packs))
        .merge(crate::drafts::routes())
        .merge(crate::runs::routes())
        .layer(axum::Extension(desk))
}

/// The routes of the deck of a draft's seat, below its address.
pub(crate) fn of_seat() -> Router<DuelHost> {
    Router::new()
        .route("/deck/found", get(found))
        .route("/deck/rows", get(rows))
        .route("/deck/keep", post(keep))
        .route("/deck/suggest", get(suggest))
        .route("/deck/deck.o8d", get(as_o8d))
        .route("/deck/deck.txt", get(as_text))
        .route(
            "/deck/compare",
            get(compare::of_builder).post(compare::of_builder),
        )
}

/// What is needed to build decks.
#[derive(Clone)]
pub(crate) struct DeckDesk {
    pub(crate) library: Arc<CardLibrary>,
    pub(crate) loaded: Arc<Loaded>,
}

pub(crate) type Desk = axum::Extension<DeckDesk>;
type AskedFields = Query<BTreeMap<String, String>>;
pub(crate) type SentFields = Form<BTreeMap<String, String>>;

/// A deck that is kept, with the pool it is made of.
pub(crate) struct OpenedDeck {
    pub(crate) deck: KeptDeck,
    pools: Vec<Pool>,
    /// The draft that it comes from.
    draft: Option<Arc<OpenedDraft>>,
}

impl OpenedDeck {
    pub(crate) fn pool(&self) -> Option<&Pool> {
        self.pools.first()
    }

    /// In a sealed game the deck that the computer makes of its own packs.
    pub(crate) fn against(&self, project: &Project) -> Option<ChosenDeck> {
        let (game, pool) = self.deck.sealed.as_ref().zip(self.pools.get(1))?;
        let (cards, _) = game.suggested(project, pool);
        let deck = cw_octgn::deck_of(&project.package, "The computer's packs", &cards);
        Some(ChosenDeck {
            name: "The computer's packs".to_owned(),
            cards: project.deck_cards(&deck),
        })
    }

    /// The deck that the computer would make of the pool, and by what it goes.
    fn suggested(&self, project: &Project) -> Option<(Vec<(CardRef, u32)>, Ratings)> {
        let pool = self.pool()?;
        if let Some(game) = &self.deck.sealed {
            return Some(game.suggested(project, pool));
        }
        let draft = self.draft.as_ref()?;
        Some((
            drafts::suggested(project, pool, &draft.ratings),
            Ratings::clone(&draft.ratings),
        ))
    }
}

/// Who builds a deck, and which: whoever runs the host one of theirs, or a drafter that of their seat.
#[derive(Clone)]
pub(crate) struct DeckHolder {
    pub(crate) host: DuelHost,
    /// The name under which the deck is kept.
    pub(crate) id: String,
    /// Its address.
    pub(crate) base: String,
    /// What forms must carry.
    pub(crate) stamp: String,
    /// The seat of the draft or the sealed game, with its address.
    pub(crate) draft: Option<(DraftVisitor, String)>,
}

impl DeckHolder {
    fn page<'a>(&'a self, opened: &'a OpenedDeck, second: bool) -> BuilderPage<'a> {
        BuilderPage {
            base: &self.base,
            draft: self.draft.as_ref().map(|(seat, base)| DeckOrigin {
                base,
                sealed: seat.is_sealed(),
            }),
            deck: &opened.deck,
            pool: opened.pool(),
            stamp: &self.stamp,
            second,
            notice: None,
            ladder: None,
        }
    }
}

impl FromRequestParts<DuelHost> for DeckHolder {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, host: &DuelHost) -> Result<DeckHolder, Response> {
        let path = Path::<BTreeMap<String, String>>::from_request_parts(parts, host).await;
        let Path(mut path) = path.map_err(IntoResponse::into_response)?;
        if path.contains_key("seat") {
            let drafter = DraftVisitor::from_request_parts(parts, host).await?;
            return Ok(DeckHolder {
                host: host.clone(),
                id: drafter.name(),
                base: format!("{}deck", drafter.base()),
                stamp: drafter.stamp(),
                draft: Some((drafter.clone(), drafter.base())),
            });
        }
        let HostOwner(host) = HostOwner::from_request_parts(parts, host).await?;
        let id = path.remove("id").ok_or_else(not_found)?;
        if is_of_draft(&id) {
            return Err(gone());
        }
        Ok(DeckHolder {
            base: format!("/front/decks/{id}"),
            stamp: host.hall.home.stamp(0),
            draft: None,
            id,
            host,
        })
    }
}

/// Whether the deck of this name is that of a draft's seat, whose name it has: its drafter alone comes to it,
/// by the address of that seat.
fn is_of_draft(id: &str) -> bool {
    id.contains('-')
}

/// Under which names the store keeps the decks of a game.
fn prefix(loaded: &Loaded) -> String {
    format!("deck {} ", loaded.project.package.definition.id.value)
}

fn all(loaded: &Loaded, hall: &DuelHall) -> Result<Vec<(String, KeptDeck)>, StoreError> {
    let prefix = prefix(loaded);
    let texts = hall.setting.store.kept_texts(&prefix)?;
    // What cannot be read is left where it is.
    let read = |(key, text): (String, String)| {
        Some((
            key.strip_prefix(&prefix)?.to_owned(),
            serde_json::from_str(&text).ok()?,
        ))
    };
    let mut decks: Vec<(String, KeptDeck)> = texts.into_iter().filter_map(read).collect();
    decks.sort_by_key(|(_, deck)| std::cmp::Reverse(deck.order));
    Ok(decks)
}

fn built(loaded: &Loaded, hall: &DuelHall) -> Result<Vec<(String, KeptDeck)>, StoreError> {
    let mut decks = all(loaded, hall)?;
    decks.retain(|(_, deck)| deck.draft.is_none());
    Ok(decks)
}

/// A deck as somebody sits down with it, and why it may not be played.
pub(crate) struct SittingDeck {
    pub(crate) brought: ChosenDeck,
    reasons: Vec<String>,
}

impl SittingDeck {
    pub(crate) fn of(project: &Project, deck: &KeptDeck, pool: Option<&Pool>) -> SittingDeck {
        let (lines, _) = lines_of(&project.package, &deck.cards);
        let made = deck_of_lines(&project.package, &deck.name, &lines);
        SittingDeck {
            reasons: project.reasons(&made, decks::rules_of(project, pool).as_ref()),
            brought: ChosenDeck {
                name: deck.name.clone(),
                cards: project.deck_cards(&made),
            },
        }
    }

    /// Words where it may not be played.
    pub(crate) fn refused(&self) -> Option<String> {
        let why = self.reasons.first()?;
        Some(format!("“{}” cannot be played: {why}.", self.brought.name))
    }
}

/// Decks that are judged where the ladder offers them.
const MOST_OFFERED: usize = 20;

/// The decks that whoever runs the host has built and may climb the ladder with, the newest first; and what
/// they chose the last time.
pub(crate) fn ladder_decks(hall: &DuelHall) -> (Vec<(String, String)>, Option<String>) {
    let Some(loaded) = hall.setting.package.now().loaded.clone() else {
        return Default::default();
    };
    let kept = built(&loaded, hall).unwrap_or_default().into_iter();
    let kept = kept.filter(|(_, deck)| deck.sealed.is_none()).take(MOST_OFFERED);
    let legal = kept.filter(|(_, deck)| SittingDeck::of(&loaded.project, deck, None).reasons.is_empty());
    let legal = legal.map(|(id, deck)| (id, deck.name)).collect();
    let key = last_of_ladder(&loaded);
    let last = hall
        .setting
        .store
        .kept_texts(&key)
        .unwrap_or_default()
        .remove(&key);
    (legal, last)
}

/// Under which name the store keeps with which deck the ladder was climbed the last time.
fn last_of_ladder(loaded: &Loaded) -> String {
    format!("ladder deck {}", loaded.project.package.definition.id.value)
}

/// Notes with which deck the ladder is climbed, and finds it: none if it is one of the package's.
///
/// # Errors
/// Words for whoever chose it, if it is not there or may not be played.
pub(crate) fn climbing(hall: &DuelHall, own: &str) -> Result<Option<ChosenDeck>, String> {
    let Some(loaded) = hall.setting.package.now().loaded.clone() else {
        return Ok(None);
    };
    let sitting = match own.strip_prefix("kept:") {
        None => None,
        Some(id) => {
            let decks =
                built(&loaded, hall).map_err(|fault| format!("Your decks cannot be read: {fault}."))?;
            let deck = decks
                .into_iter()
                .find(|(own, deck)| own == id && deck.sealed.is_none());
            let (_, deck) = deck.ok_or(labels::DECK_IS_GONE)?;
            Some(SittingDeck::of(&loaded.project, &deck, None))
        }
    };
    if let Some(refused) = sitting.as_ref().and_then(SittingDeck::refused) {
        return Err(refused);
    }
    // What cannot be noted is chosen again the next time.
    let _ = hall.setting.store.keep_text(&last_of_ladder(&loaded), Some(own));
    Ok(sitting.map(|sitting| sitting.brought))
}

impl DeckDesk {
    /// Under which names the store keeps the decks of this game.
    fn prefix(&self) -> String {
        prefix(&self.loaded)
    }

    fn all(&self, hall: &DuelHall) -> Result<Vec<(String, KeptDeck)>, StoreError> {
        all(&self.loaded, hall)
    }

    /// The decks that whoever runs the host has built, the newest first. Those of drafts are reached by their
    /// drafts, some are other people's.
    pub(crate) fn built(&self, hall: &DuelHall) -> Result<Vec<(String, KeptDeck)>, StoreError> {
        built(&self.loaded, hall)
    }

    pub(crate) fn open(&self, hall: &Arc<DuelHall>, id: &str) -> Result<Option<OpenedDeck>, StoreError> {
        let deck = self.all(hall)?.into_iter().find(|(own, _)| own == id);
        let Some((_, deck)) = deck else {
            return Ok(None);
        };
        let mut pools = deck
            .sealed
            .as_ref()
            .map_or_else(Vec::new, |game| game.pools(&self.loaded.project.package));
        let mut draft = None;
        if let Some((of, seat)) = &deck.draft {
            let room = match hall.draft_room(of) {
                Err(DraftFault::Store(fault)) => return Err(fault),
                room => room.ok().flatten(),
            };
            // A draft that has gone leaves no pool: nothing tells which cards the deck may have.
            let Some(room) = room else {
                return Ok(None);
            };
            let now = room.now();
            pools = vec![now.record.draft().pool(*seat).clone()];
            draft = Some(now);
        }
        Ok(Some(OpenedDeck { deck, pools, draft }))
    }

    pub(crate) fn keep(&self, hall: &DuelHall, id: &str, deck: &KeptDeck) -> Result<(), StoreError> {
        let text = serde_json::to_string(deck).unwrap_or_default();
        hall.setting
            .store
            .keep_text(&format!("{}{id}", self.prefix()), Some(&text))
    }

    /// The place of a new deck in their order.
    pub(crate) fn next(&self, hall: &DuelHall) -> Result<u64, StoreError> {
        Ok(self.all(hall)?.first().map_or(0, |(_, deck)| deck.order) + 1)
    }

    /// Keeps a new deck; its name in addresses.
    fn begin(&self, hall: &DuelHall, mut deck: KeptDeck) -> Result<String, StoreError> {
        deck.order = self.next(hall)?;
        let id: String = (hall.setting.chance)().public().chars().take(12).collect();
        self.keep(hall, &id, &deck)?;
        Ok(id)
    }
}

/// Does something where it holds nobody up. What a store cannot do is said.
pub(crate) async fn made(
    host: &DuelHost,
    desk: &DeckDesk,
    make: impl FnOnce(&Arc<DuelHall>, &DeckDesk) -> Result<Option<Response>, StoreError> + Send + 'static,
) -> Response {
    let (hall, desk) = (Arc::clone(&host.hall), desk.clone());
    match host.hall.tasks.work(move || make(&hall, &desk)).await {
        Ok(Ok(Some(response))) => response,
        Ok(Ok(None)) => not_found(),
        Ok(Err(fault)) => (
            StatusCode::SERVICE_UNAVAILABLE,
            format!("The deck cannot be kept: {fault}."),
        )
            .into_response(),
        Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

pub(crate) fn html(page: String) -> Option<Response> {
    Some(Html(page).into_response())
}

async fn list(HostOwner(host): HostOwner, axum::Extension(desk): Desk) -> Response {
    shown(&host, &desk, None, String::new()).await
}

async fn shown(host: &DuelHost, desk: &DeckDesk, notice: Option<String>, pasted: String) -> Response {
    made(host, desk, move |hall, desk| {
        let decks = desk.built(hall)?;
        let drafts = hall.drafts().unwrap_or_default();
        let page = DeckListPage {
            drafts: &drafts,
            decks: &decks,
            stamp: &hall.home.stamp(0),
            notice: notice.as_deref(),
            pasted: &pasted,
        };
        Ok(html(markup::deck_list(
            &desk.library,
            &hall.setting.package.now(),
            page,
        )))
    })
    .await
}

/// Whether a form was made for this host's pages.
pub(crate) fn is_ours(host: &DuelHost, form: &BTreeMap<String, String>) -> bool {
    form.get("k").map(String::as_str) == Some(&*host.hall.home.stamp(0))
}

pub(crate) const FOREIGN: &str = "That form was not made for this page.";

/// A deck begins: empty, as one of the package's, or as it was pasted.
async fn new(HostOwner(host): HostOwner, axum::Extension(desk): Desk, Form(form): SentFields) -> Response {
    if !is_ours(&host, &form) {
        return shown(&host, &desk, Some(FOREIGN.to_owned()), String::new()).await;
    }
    let pasted = form
        .get("list")
        .map(|text| text.trim().to_owned())
        .unwrap_or_default();
    let package = &desk.loaded.project.package;
    let mut deck = KeptDeck {
        name: clean_name(""),
        ..KeptDeck::default()
    };
    if let Some(own) = form
        .get("from")
        .and_then(|at| package.decks.get(at.parse::<usize>().ok()?))
    {
        deck.name = clean_name(&own.name);
        deck.cards = text_of(package, &lines_of_deck(package, own, None));
    } else if !pasted.is_empty() {
        let file = if pasted.starts_with('<') {
            "list.o8d"
        } else {
            "list.txt"
        };
        let read = desk.loaded.project.read_deck(file, pasted.clone().into_bytes());
        let lines = read
            .deck
            .as_ref()
            .map(|deck| lines_of_deck(package, deck, None))
            .unwrap_or_default();
        if lines.is_empty() {
            let why = read
                .errors()
                .first()
                .map_or("it names no card of this game".to_owned(), |one| {
                    one.message.clone()
                });
            return shown(
                &host,
                &desk,
                Some(format!("That cannot be taken: {why}.")),
                pasted,
            )
            .await;
        }
        deck.cards = text_of(package, &lines);
    }
    made(&host, &desk, move |hall, desk| {
        let id = desk.begin(hall, deck)?;
        Ok(Some(Redirect::to(&format!("/front/decks/{id}")).into_response()))
    })
    .await
}

pub(crate) async fn builder(holder: DeckHolder, axum::Extension(desk): Desk) -> Response {
    builder_with(holder, desk, None).await
}

/// The builder, with words for whoever builds.
pub(crate) async fn builder_with(holder: DeckHolder, desk: DeckDesk, notice: Option<String>) -> Response {
    let DeckHolder { host, id, .. } = holder.clone();
    made(&host, &desk, move |hall, desk| {
        let Some(opened) = desk.open(hall, &id)? else {
            return Ok(Some(gone()));
        };
        let found = desk.library.find_rows(&Default::default(), opened.pool());
        let progress = hall.progress();
        let page = BuilderPage {
            notice: notice.as_deref(),
            ladder: (opened.pool().is_none() && holder.draft.is_none()).then_some(&progress),
            ..holder.page(&opened, false)
        };
        let package = &hall.setting.package.now();
        Ok(html(markup::builder(
            &desk.library,
            &desk.loaded,
            package,
            page,
            found.as_ref(),
        )))
    })
    .await
}

/// What stands below the builder's search field.
async fn found(holder: DeckHolder, axum::Extension(desk): Desk, Query(fields): AskedFields) -> Response {
    let DeckHolder { host, id, .. } = holder.clone();
    let asked = AskedCards::of(fields);
    made(&host, &desk, move |hall, desk| {
        let Some(opened) = desk.open(hall, &id)? else {
            return Ok(None);
        };
        let found = desk.library.find_rows(&asked.wish, opened.pool());
        let found = markup::builder_found(&desk.library, &holder.base, &asked.wish.text, found.as_ref());
        Ok(html(found.into_string()))
    })
    .await
}

async fn rows(holder: DeckHolder, axum::Extension(desk): Desk, Query(fields): AskedFields) -> Response {
    let DeckHolder { host, id, .. } = holder.clone();
    let asked = AskedCards::of(fields);
    made(&host, &desk, move |hall, desk| {
        let Some(opened) = desk.open(hall, &id)? else {
            return Ok(None);
        };
        let found = desk.library.find_rows(&asked.wish, opened.pool());
        let rows = found.map(|found| markup::builder_rows(&desk.library, &found, asked.from, asked.many));
        Ok(html(rows.map(markup::Markup::into_string).unwrap_or_default()))
    })
    .await
}

/// The deck as it is now: it is kept, and what there is to say of it comes back.
async fn keep(holder: DeckHolder, axum::Extension(desk): Desk, Form(form): SentFields) -> Response {
    let DeckHolder { host, id, .. } = holder.clone();
    if form.get("k") != Some(&holder.stamp) {
        return (StatusCode::CONFLICT, FOREIGN).into_response();
    }
    made(&host, &desk, move |hall, desk| {
        let Some(mut opened) = desk.open(hall, &id)? else {
            return Ok(None);
        };
        let package = &desk.loaded.project.package;
        let text = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
        let deck = KeptDeck {
            name: clean_name(text("name")),
            cards: text_of(package, &lines_of(package, text("cards")).0),
            ..opened.deck.clone()
        };
        if deck.cards != opened.deck.cards
            && let Some((seat, _)) = &holder.draft
            && let Err(fault) = seat.is_not_ready()
        {
            return Ok(Some(
                (
                    StatusCode::SERVICE_UNAVAILABLE,
                    format!("The deck cannot be kept: {fault}."),
                )
                    .into_response(),
            ));
        }
        if deck != opened.deck {
            desk.keep(hall, &id, &deck)?;
            opened.deck = deck;
        }
        let page = holder.page(&opened, text("second") == "yes");
        Ok(html(
            markup::panel(&desk.library, &desk.loaded, page).into_string(),
        ))
    })
    .await
}

/// The deck that the computer would make of the pool, line by line, and behind an empty line why.
async fn suggest(holder: DeckHolder, axum::Extension(desk): Desk) -> Response {
    let DeckHolder { host, id, .. } = holder.clone();
    made(&host, &desk, move |hall, desk| {
        let Some(opened) = desk.open(hall, &id)? else {
            return Ok(None);
        };
        let project = &desk.loaded.project;
        let (Some((cards, ratings)), Some(pool)) = (opened.suggested(project), opened.pool()) else {
            return Ok(None);
        };
        let deck = cw_octgn::deck_of(&project.package, "", &cards);
        let lines = text_of(
            &project.package,
            &lines_of_deck(&project.package, &deck, Some(pool)),
        );
        let why = markup::reasons(&desk.library, &cards, &ratings, pool).into_string();
        Ok(html(format!("{lines}\n{why}")))
    })
    .await
}

async fn forget(
    HostOwner(host): HostOwner,
    axum::Extension(desk): Desk,
    Path(id): Path<String>,
    Form(form): SentFields,
) -> Response {
    if !is_ours(&host, &form) {
        return shown(&host, &desk, Some(FOREIGN.to_owned()), String::new()).await;
    }
    if is_of_draft(&id) {
        return gone();
    }
    made(&host, &desk, move |hall, desk| {
        hall.setting
            .store
            .keep_text(&format!("{}{id}", desk.prefix()), None)?;
        hall.arena.forget(&id);
        Ok(Some(Redirect::to("/front/decks").into_response()))
    })
    .await
}

/// A duel with the deck; in a sealed game against a deck of the same packs.
async fn duel(holder: DeckHolder, axum::Extension(desk): Desk, Form(form): SentFields) -> Response {
    let DeckHolder { host, id, .. } = holder.clone();
    let (hall, own) = (Arc::clone(&host.hall), desk.clone());
    let found = host.hall.tasks.work(move || {
        let opened = own.open(&hall, &id).ok()??;
        let project = &own.loaded.project;
        Some((
            SittingDeck::of(project, &opened.deck, opened.pool()),
            opened.against(project),
        ))
    });
    let Ok(Some((sitting, against))) = found.await else {
        return gone();
    };
    if let Some(refused) = sitting.refused() {
        return builder_with(holder, desk, Some(refused)).await;
    }
    let field = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
    let wanted = WantedDuel {
        decks: [0, field("other").parse().unwrap_or(0)],
        own: Some(sitting.brought),
        against,
        opponent: SeatPlayer::Computer(Level::named(field("level")).unwrap_or(Level::BEST)),
        first: None,
    };
    let stamp = field("k").to_owned();
    begin(host, stamp, move |hall| hall.new_duel(&wanted)).await
}

/// A duel with the deck against somebody on the ladder.
async fn challenge(
    HostOwner(host): HostOwner,
    holder: DeckHolder,
    axum::Extension(desk): Desk,
    Form(form): SentFields,
) -> Response {
    let (hall, own) = (Arc::clone(&host.hall), format!("kept:{}", holder.id));
    if !is_ours(&host, &form) {
        return builder_with(holder, desk, Some(FOREIGN.to_owned())).await;
    }
    match host.hall.tasks.work(move || climbing(&hall, &own)).await {
        Ok(Ok(brought)) => {
            let field = |name: &str| form.get(name).cloned().unwrap_or_default();
            let (at, stamp) = (field("foe").parse().unwrap_or(0), field("k"));
            begin(host, stamp, move |hall| hall.challenge(at, 0, brought)).await
        }
        Ok(Err(words)) if words == labels::DECK_IS_GONE => gone(),
        Ok(Err(words)) => builder_with(holder, desk, Some(words)).await,
        Err(_) => not_found(),
    }
}

/// The page for whoever wants something of a deck that is not there.
pub(crate) fn gone() -> Response {
    let page = markup::message("This deck is gone", labels::DECK_IS_GONE);
    (StatusCode::NOT_FOUND, Html(page)).into_response()
}

/// The deck as a file of this kind.
async fn file(
    host: DuelHost,
    desk: DeckDesk,
    id: String,
    kind: &'static str,
    write: fn(&CardLibrary, &cw_octgn::Deck) -> String,
) -> Response {
    made(&host, &desk, move |hall, desk| {
        let Some(opened) = desk.open(hall, &id)? else {
            return Ok(None);
        };
        let package = &desk.loaded.project.package;
        let (lines, _) = lines_of(package, &opened.deck.cards);
        let text = write(&desk.library, &deck_of_lines(package, &opened.deck.name, &lines));
        Ok(Some(([(header::CONTENT_TYPE, kind)], text).into_response()))
    })
    .await
}

async fn as_o8d(holder: DeckHolder, axum::Extension(desk): Desk) -> Response {
    let DeckHolder { host, id, .. } = holder.clone();
    file(host, desk, id, "application/xml", |_, deck| {
        cw_octgn::write_deck(deck)
    })
    .await
}

async fn as_text(holder: DeckHolder, axum::Extension(desk): Desk) -> Response {
    let DeckHolder { host, id, .. } = holder.clone();
    file(host, desk, id, "text/plain; charset=utf-8", |library, deck| {
        cw_octgn::deck_text(library.package(), deck)
    })
    .await
}

async fn as_link(holder: DeckHolder, axum::Extension(desk): Desk) -> Response {
    let DeckHolder { host, id, .. } = holder.clone();
    made(&host, &desk, move |hall, desk| {
        let Some(opened) = desk.open(hall, &id)? else {
            return Ok(None);
        };
        let project = &desk.loaded.project;
        let (lines, _) = lines_of(&project.package, &opened.deck.cards);
        let cards = project.deck_cards(&deck_of_lines(&project.package, &opened.deck.name, &lines));
        let setting = &hall.setting;
        let shared = linked::of_deck(
            &opened.deck.name,
            &cards,
            &setting.package.now(),
            setting.page.as_deref(),
        );
        Ok(html(match shared {
            Ok(shared) => markup::share_page(&[shared], &format!("/front/decks/{id}")),
            Err(why) => markup::message(
                "Not as a link",
                &format!("This deck cannot be shared by a link: {why}."),
            ),
        }))
    })
    .await
}

async fn sealed(HostOwner(host): HostOwner, axum::Extension(desk): Desk) -> Response {
    made(&host, &desk, |hall, desk| {
        let page = SealedPage {
            stamp: &hall.home.stamp(0),
            notice: None,
            friends: hall.setting.has_friends,
        };
        Ok(html(markup::sealed_page(&desk.library, page)))
    })
    .await
}

/// Packs are opened: a deck begins that is made of them.
async fn open_packs(
    HostOwner(host): HostOwner,
    axum::Extension(desk): Desk,
    Form(form): SentFields,
) -> Response {
    let is_ours = is_ours(&host, &form);
    made(&host, &desk, move |hall, desk| {
        let wanted = form.iter().filter_map(|(name, count)| {
            let count: u32 = count.trim().parse().ok()?;
            (count > 0).then_some((name.strip_prefix("p.")?.to_owned(), count))
        });
        let packs: Vec<(String, u32)> = wanted.collect();
        let many = packs
            .iter()
            .fold(0u32, |sum, (_, count)| sum.saturating_add(*count));
        let again = |words: &str| {
            let page = SealedPage {
                stamp: &hall.home.stamp(0),
                notice: Some(words),
                friends: hall.setting.has_friends,
            };
            Ok(html(markup::sealed_page(&desk.library, page)))
        };
        if !is_ours {
            return again(FOREIGN);
        }
        if many == 0 || many > MOST_PACKS {
            return again(&format!("Choose from 1 to {MOST_PACKS} packs."));
        }
        if hall.setting.has_friends && form.get("with").is_some_and(|with| with == "friend") {
            return match crate::drafts::begin_sealed(hall, packs) {
                Ok(response) => Ok(Some(response)),
                Err(words) => again(&words),
            };
        }
        let secret = (hall.setting.chance)().reveal();
        let seed = secret
            .get(..16)
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .unwrap_or_default();
        let game = SealedGame { packs, seed };
        if game.boosters(&desk.loaded.project.package).is_empty() {
            return again("This game does not have these packs.");
        }
        let deck = KeptDeck {
            name: "Sealed deck".to_owned(),
            sealed: Some(game),
            ..KeptDeck::default()
        };
        let id = desk.begin(hall, deck)?;
        Ok(Some(
            Redirect::to(&format!("/front/decks/{id}/opening")).into_response(),
        ))
    })
    .await
}

async fn opening(holder: DeckHolder, axum::Extension(desk): Desk) -> Response {
    let DeckHolder { host, id, .. } = holder.clone();
    made(&host, &desk, move |hall, desk| {
        let Some(opened) = desk.open(hall, &id)? else {
            return Ok(None);
        };
        Ok(opened.deck.sealed.as_ref().and_then(|game| {
            let packs = game.opened(&desk.loaded.project.package, 0);
            html(markup::opening(
                &desk.library,
                &packs,
                &format!("/front/decks/{id}"),
            ))
        }))
    })
    .await
}
