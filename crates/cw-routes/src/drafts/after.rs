//! When all cards are taken: looking back, decks, duels among the drafters.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Form, Path};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use cw_duel::{PerSeat, Seat};
use cw_hall::drafts::DraftFault;
use cw_hall::duels::{DuelHall, DuelHost, Invitation, TableOpener};
use cw_octgn::Deck;
use cw_pages::decks::{KeptDeck, deck_of_lines, lines_of, lines_of_deck, rules_of, text_of};
use cw_pages::drafts::{CannotDraft, KeptMatch, OpenedDraft};
use cw_pages::listed::WantedDuel;
use cw_pages::markup::{self, Drafter, ResultsPage};
use cw_pages::room::ChosenDeck;
use cw_pages::secret::Secret;
use cw_pages::table::SeatPlayer;
use cw_players::{Level, SearchBudget};
use cw_sim::{DuelPlan, Exchange, Matchup, StopRule};

use super::{DraftVisitor, name_of, refused, words_of};
use crate::decks::{DeckDesk, Desk, FOREIGN, SentFields};
use crate::visitor::{lead_to_seat, not_found};
use crate::ways::lead_to_duel;

pub(super) async fn review(visitor: DraftVisitor, axum::Extension(desk): Desk) -> Response {
    let made = visitor.work(move |own| {
        let now = own.room.now();
        // Before the end it would tell what others took; in a sealed game there are no picks.
        (now.record.draft().is_over() && !now.kept.sealed).then(|| {
            let picks = now.record.review(own.seat);
            markup::draft_review(&desk.library, &now.kept, own.seat, &own.base(), &picks)
        })
    });
    match made.await {
        Ok(Some(page)) => Html(page).into_response(),
        Ok(None) => Redirect::to(&visitor.base()).into_response(),
        Err(refusal) => refusal,
    }
}

/// The builder, with the suggested deck in it when it is opened for the first time.
pub(super) async fn deck(
    visitor: DraftVisitor,
    axum::Extension(desk): Desk,
    holder: crate::decks::DeckHolder,
) -> Response {
    let own = desk.clone();
    let ready = visitor.work(move |visitor| {
        let now = visitor.room.now();
        if !now.record.draft().is_over() {
            return Ok(false);
        }
        let id = visitor.name();
        if own.open(&visitor.hall, &id)?.is_none() {
            let package = &own.loaded.project.package;
            let pool = now.record.draft().pool(visitor.seat);
            let suggested = now.deck(&own.loaded.project, visitor.seat);
            let deck = KeptDeck {
                name: if now.kept.sealed {
                    "Sealed deck"
                } else {
                    "Drafted deck"
                }
                .to_owned(),
                cards: text_of(package, &lines_of_deck(package, &suggested, Some(pool))),
                draft: Some((visitor.room.id.clone(), visitor.seat)),
                order: own.next(&visitor.hall)?,
                ..KeptDeck::default()
            };
            own.keep(&visitor.hall, &id, &deck)?;
        }
        Ok(true)
    });
    match ready.await {
        Ok(Ok(true)) => crate::decks::builder(holder, axum::Extension(desk)).await,
        Ok(Ok(false)) => Redirect::to(&visitor.base()).into_response(),
        Ok(Err(fault)) => refused(&DraftFault::Store(fault)),
        Err(refusal) => refusal,
    }
}

/// The deck that a seat plays.
pub(super) struct SeatDeck {
    pub(super) deck: Deck,
    /// Whether a person has built it; else it is the suggested one.
    pub(super) is_built: bool,
}

/// The deck of a seat. In a draft it is the one that they have built if it is legal, else the suggested one;
/// in a sealed game what they have built is theirs, legal or not.
pub(super) fn deck_of_seat(
    own: &DraftVisitor,
    desk: &DeckDesk,
    now: &OpenedDraft,
    seat: usize,
) -> Result<SeatDeck, DraftFault> {
    let project = &desk.loaded.project;
    if let Some(built) = desk.open(&own.hall, &name_of(&own.room, seat))? {
        let (lines, _) = lines_of(&project.package, &built.deck.cards);
        let deck = deck_of_lines(&project.package, &now.kept.seats[seat].name, &lines);
        if now.kept.sealed || judged(desk, now, seat, &deck).is_none() {
            return Ok(SeatDeck { deck, is_built: true });
        }
    }
    Ok(SeatDeck {
        deck: now.deck(project, seat),
        is_built: false,
    })
}

/// Why a deck of what the seat has taken cannot be played.
pub(super) fn judged(desk: &DeckDesk, now: &OpenedDraft, seat: usize, deck: &Deck) -> Option<String> {
    let project = &desk.loaded.project;
    let rules = rules_of(project, Some(now.record.draft().pool(seat)));
    let mut reasons = project.reasons(deck, rules.as_ref()).into_iter();
    reasons.next().map(|reason| reason.to_string())
}

/// The deck as it lies at the table.
pub(super) fn chosen_deck(desk: &DeckDesk, now: &OpenedDraft, seat: usize, deck: &Deck) -> ChosenDeck {
    let how = if now.kept.sealed { "sealed" } else { "drafted" };
    ChosenDeck {
        name: format!("{}: {how}", now.kept.seats[seat].name),
        cards: desk.loaded.project.deck_cards(deck),
    }
}

/// A table for two people, with the ways of both to it.
pub(super) fn duel_of_people(
    hall: &Arc<DuelHall>,
    seats: [usize; 2],
    decks: [ChosenDeck; 2],
) -> Result<KeptMatch, DraftFault> {
    let begun = hall
        .duel_of_two(decks)
        .map_err(|fault| DraftFault::NoDuel(format!("that duel cannot begin: {fault}")))?;
    let name = |way: &Invitation| {
        let secret = Secret::read(way.path.trim_start_matches("/join/"));
        secret.map(|secret| secret.public()).unwrap_or_default()
    };
    Ok(KeptMatch {
        seats,
        table: Some([name(&begun[0]), name(&begun[1])]),
        won: None,
    })
}

/// The way to the duel of a seat that goes on.
pub(super) fn way_to_duel(own: &DraftVisitor, now: &OpenedDraft) -> Option<String> {
    let duel = now.kept.open_duel(own.seat)?;
    let other = duel.seats.iter().find(|seat| **seat != own.seat)?;
    Some(format!("{}table/{other}", own.base()))
}

pub(super) async fn results(visitor: DraftVisitor, axum::Extension(desk): Desk) -> Response {
    shown_results(&visitor, desk, None).await
}

async fn shown_results(visitor: &DraftVisitor, desk: DeckDesk, notice: Option<String>) -> Response {
    let made = visitor.work(move |own| {
        // What cannot be noted now is noted the next time.
        let _ = own.hall.see_how_duels_ended(&own.room);
        let now = own.room.now();
        // A sealed game has no others to play: its page says how the duels ended.
        if !now.record.draft().is_over() || now.kept.sealed {
            return Ok(None);
        }
        let project = &desk.loaded.project;
        let decks: Result<Vec<Drafter>, DraftFault> = (0..now.kept.seats.len())
            .map(|seat| {
                let SeatDeck { deck, is_built } = deck_of_seat(own, &desk, &now, seat)?;
                let rules = rules_of(project, Some(now.record.draft().pool(seat)));
                Ok(Drafter {
                    cards: deck.count(),
                    is_legal: rules
                        .as_ref()
                        .map(|rules| project.reasons(&deck, Some(rules)).is_empty()),
                    is_built,
                    is_person: plays_itself(&now, seat),
                })
            })
            .collect();
        let (base, stamp) = (own.base(), own.stamp());
        let page = ResultsPage {
            kept: &now.kept,
            decks: &decks?,
            seat: own.seat,
            base: &base,
            stamp: &stamp,
            notice: notice.as_deref(),
        };
        Ok(Some(markup::draft_results(&desk.library, page)))
    });
    match made.await {
        Ok(Ok(Some(page))) => Html(page).into_response(),
        Ok(Ok(None)) => Redirect::to(&visitor.base()).into_response(),
        Ok(Err(fault)) => refused(&fault),
        Err(refusal) => refusal,
    }
}

/// Whether a person plays the deck of a seat.
fn plays_itself(now: &OpenedDraft, seat: usize) -> bool {
    now.kept
        .seats
        .get(seat)
        .is_some_and(|seat| seat.is_person && seat.has_come)
}

/// A duel against another drafter: a computer plays the deck that it has drafted, a person is waited for.
pub(super) async fn duel(
    visitor: DraftVisitor,
    axum::Extension(desk): Desk,
    Form(form): SentFields,
) -> Response {
    if !visitor.is_ours(&form) {
        return (StatusCode::CONFLICT, FOREIGN).into_response();
    }
    let other = form.get("other").and_then(|seat| seat.parse::<usize>().ok());
    let level = form
        .get("level")
        .and_then(|name| Level::named(name))
        .unwrap_or(Level::BEST);
    let own_desk = desk.clone();
    let begun = visitor.work(move |own| begin_duel(own, &own_desk, other?, level));
    match begun.await {
        Ok(Some(Ok(way))) => Redirect::to(&way).into_response(),
        Ok(Some(Err(words))) => shown_results(&visitor, desk, Some(words)).await,
        Ok(None) => not_found(),
        Err(refusal) => refusal,
    }
}

/// The way to one's seat at the duel; words if there is none.
fn begin_duel(
    own: &DraftVisitor,
    desk: &DeckDesk,
    other: usize,
    level: Level,
) -> Option<Result<String, String>> {
    let now = own.room.now();
    let is_open = now.record.draft().is_over() && !now.kept.sealed;
    if other == own.seat || other >= now.kept.seats.len() || !is_open {
        return None;
    }
    let chosen = |seat: usize| {
        let found = deck_of_seat(own, desk, &now, seat)?;
        Ok::<_, DraftFault>(chosen_deck(desk, &now, seat, &found.deck))
    };
    let open = || -> Result<String, DraftFault> {
        let decks = [chosen(own.seat)?, chosen(other)?];
        let duel = match plays_itself(&now, other) {
            true => duel_of_people(&own.hall, [own.seat, other], decks)?,
            false => {
                let [ours, theirs] = decks;
                let wanted = WantedDuel {
                    decks: [0, 0],
                    own: Some(ours),
                    against: Some(theirs),
                    opponent: SeatPlayer::Computer(level),
                    first: None,
                };
                let by = TableOpener {
                    seat: None,
                    is_guest: own.seat != now.kept.owner(),
                };
                let begun = own
                    .hall
                    .duel_for(&wanted, by)
                    .map_err(|fault| DraftFault::NoDuel(format!("that duel cannot begin: {fault}")))?;
                let secret = Secret::read(begun.path.trim_start_matches("/join/"));
                let name = secret.map(|secret| secret.public()).unwrap_or_default();
                let second = own.hall.find(&name);
                let second = second.map(|(cell, seat)| cell.secret(seat.other()).public());
                KeptMatch {
                    seats: [own.seat, other],
                    table: Some([name, second.unwrap_or_default()]),
                    won: None,
                }
            }
        };
        own.hall.note_duels(&own.room, |duels| duels.push(duel))?;
        Ok(format!("{}table/{other}", own.base()))
    };
    Some(open().map_err(|fault| words_of(&fault)))
}

/// Back to one's own seat at a duel against another drafter.
pub(super) async fn own_table(visitor: DraftVisitor, Path(path): Path<BTreeMap<String, String>>) -> Response {
    let other = path.get("other").and_then(|seat| seat.parse::<usize>().ok());
    let found = visitor.work(move |own| {
        let now = own.room.now();
        let duel = now.kept.duel_of(own.seat, other?)?;
        let at = duel.seats.iter().position(|seat| *seat == own.seat)?;
        // The seat of the draft shows who it is: nobody else has its cookie.
        let Some((cell, seat)) = own.hall.wake(duel.table.as_ref()?.get(at)?).ok()? else {
            // Nothing was done at the table before the program ended: the draft forgets it, too.
            let _ = own.hall.see_how_duels_ended(&own.room);
            return Some(None);
        };
        Some(Some((cell.secret(seat).reveal(), own.seat == now.kept.owner())))
    });
    let host = DuelHost {
        hall: Arc::clone(&visitor.hall),
    };
    match found.await {
        // Only whoever runs the host goes on from there to the front page.
        Ok(Some(Some((secret, true)))) => lead_to_duel(&host, &secret),
        Ok(Some(Some((secret, false)))) => lead_to_seat(&host, &secret),
        Ok(Some(None)) => Redirect::to(&format!("{}results", visitor.base())).into_response(),
        Ok(None) => not_found(),
        Err(refusal) => refusal,
    }
}

/// How long computers play each other before the page is shown again.
const PLAYED_AT_ONCE: std::time::Duration = std::time::Duration::from_millis(1500);

/// Computers play out the matches among each other, each in two duels with the same cards, both going first
/// once.
pub(super) async fn others(
    visitor: DraftVisitor,
    axum::Extension(desk): Desk,
    Form(form): SentFields,
) -> Response {
    if !visitor.is_ours(&form) {
        return (StatusCode::CONFLICT, FOREIGN).into_response();
    }
    let permit_of = Arc::clone(&visitor.hall);
    let permit = permit_of.thinkers.acquire().await;
    let own_desk = desk.clone();
    let played = visitor.work(move |own| play_computers(own, &own_desk)).await;
    drop(permit);
    match played {
        Ok(Ok(())) => Redirect::to(&format!("{}results", visitor.base())).into_response(),
        Ok(Err(fault)) => refused(&fault),
        Err(refusal) => refusal,
    }
}

fn play_computers(own: &DraftVisitor, desk: &DeckDesk) -> Result<(), DraftFault> {
    let now = own.room.now();
    if !now.record.draft().is_over() || now.kept.sealed {
        return Ok(());
    }
    let begun = cw_hall::clock::Moment::now();
    let seats: Vec<usize> = (0..now.kept.seats.len())
        .filter(|seat| !plays_itself(&now, *seat))
        .collect();
    let project = &desk.loaded.project;
    let mut played: Vec<KeptMatch> = Vec::new();
    let matches = seats
        .iter()
        .flat_map(|one| seats.iter().map(move |other| [*one, *other]));
    for [one, other] in matches.filter(|[one, other]| one < other) {
        if now.kept.duel_of(one, other).is_some() {
            continue;
        }
        let cards = |seat: usize| {
            let found = deck_of_seat(own, desk, &now, seat)?;
            Ok::<_, DraftFault>(project.deck_cards(&found.deck))
        };
        let decks = PerSeat([cards(one)?, cards(other)?]);
        let plan = DuelPlan {
            game: Arc::clone(&own.hall.setting.package.now().game),
            matchups: vec![Matchup {
                names: PerSeat::from_fn(|_: Seat| String::new()),
                decks,
            }],
            seed: now.kept.seed,
            budgets: [SearchBudget::default(); 2],
            exchange: Exchange::Turns,
            stop: StopRule::After(1),
        };
        if plan.check().is_err() {
            return Err(DraftFault::Cannot(CannotDraft::Changed(
                "its decks cannot be played".to_owned(),
            )));
        }
        let (mut first, mut second) = (Level::Plain, Level::Plain);
        let quarters = plan.play(0, &mut first, &mut second).quarters();
        played.push(KeptMatch {
            seats: [one, other],
            table: None,
            won: Some(match quarters {
                0 | 1 => 1,
                2 => 2,
                _ => 0,
            }),
        });
        if begun.elapsed() > PLAYED_AT_ONCE {
            break;
        }
    }
    own.hall.note_duels(&own.room, |duels| {
        for duel in played {
            // Another page may have let them play at the same time.
            if !duels.iter().any(|known| known.seats == duel.seats) {
                duels.push(duel);
            }
        }
    })
}
