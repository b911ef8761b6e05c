//! Two decks beside each other: decks of the game, decks that somebody has built, and lists that are pasted.
//! It changes nothing, so addresses may name the decks.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::Form;
use axum::response::Response;
use cw_hall::duels::DuelHall;
use cw_hall::store::StoreError;
use cw_octgn::{Deck, Package, Pool};
use cw_pages::compare::{ComparedDeck, pasted_deck};
use cw_pages::decks::{deck_of_lines, lines_of};
use cw_pages::labels;
use cw_pages::library::CardLibrary;
use cw_pages::markup::{self, AskedDeck, ComparePage, DeckChoice, PASTED_LIST};

use crate::decks::{DeckDesk, DeckHolder, Desk, OpenedDeck, html, made};

/// The fields of the form.
pub(crate) type CompareFields = BTreeMap<String, String>;

/// What a deck is before it is judged.
struct ChosenSide {
    name: String,
    deck: Deck,
    pool: Option<Pool>,
}

const GONE_FROM_GAME: &str = "This deck is not in the game any more. Choose another one.";
const FORGOTTEN: &str =
    "This deck is not kept any more: perhaps it was forgotten in another tab. Choose another one.";
const NO_LIST: &str = "Paste a list of cards first.";
const NO_CARD: &str = "The list names no card of this game.";
const NO_CHOICE: &str = "Choose a deck to compare.";

/// Finds a deck that somebody has built, by its name in addresses.
type KeptFinder<'a> = &'a dyn Fn(&str) -> Result<Option<ChosenSide>, StoreError>;

/// Reads what was asked for on one side. `kept` finds a deck that somebody has built.
fn chosen(
    package: &Package,
    asked: &mut AskedDeck,
    kept: KeptFinder<'_>,
) -> Result<Option<ChosenSide>, StoreError> {
    let found = match asked.choice.split_once(':') {
        Some(("deck", at)) => {
            let deck = at.parse().ok().and_then(|at: usize| package.decks.get(at));
            deck.map(|deck| ChosenSide {
                name: deck.name.to_string(),
                deck: deck.clone(),
                pool: None,
            })
            .ok_or(GONE_FROM_GAME)
        }
        Some(("kept", id)) => kept(id)?.ok_or(FORGOTTEN),
        _ if asked.choice == PASTED_LIST => pasted(package, asked),
        _ => Err(NO_CHOICE),
    };
    Ok(match found {
        Ok(side) => Some(side),
        Err(fault) => {
            asked.fault = Some(fault.to_owned());
            None
        }
    })
}

/// Reads a list that was pasted; what of it could not be read is noted.
fn pasted(package: &Package, asked: &mut AskedDeck) -> Result<ChosenSide, &'static str> {
    let text = asked.list.trim();
    if text.is_empty() {
        return Err(NO_LIST);
    }
    let (deck, remarks) = pasted_deck(package, text);
    asked.remarks = remarks;
    Ok(ChosenSide {
        name: labels::PASTED_LIST.to_owned(),
        deck: deck.ok_or(NO_CARD)?,
        pool: None,
    })
}

/// Where a comparison stands, and which decks that somebody has built it knows.
struct CompareWay<'a> {
    address: &'a str,
    back: (&'a str, &'a str),
    /// The first deck, where only the other one is chosen.
    own: Option<ChosenSide>,
    /// Decks that somebody has built: their names in addresses and for people.
    built: Vec<(String, String)>,
    kept: KeptFinder<'a>,
}

/// The page for what was asked.
fn shown(
    library: &CardLibrary,
    mut fields: CompareFields,
    way: CompareWay<'_>,
) -> Result<String, StoreError> {
    let package = library.package();
    let was_asked = !fields.is_empty();
    let mut asked = ["a", "b"].map(|side| AskedDeck {
        choice: fields.remove(side).unwrap_or_default(),
        list: fields.remove(&format!("list-{side}")).unwrap_or_default(),
        ..AskedDeck::default()
    });
    let own = way.own.as_ref().map(|own| own.name.clone());
    let mut sides = [way.own, None];
    for (side, asked) in sides.iter_mut().zip(&mut asked) {
        if side.is_none() && was_asked {
            *side = chosen(package, asked, way.kept)?;
        }
    }
    let built = way.built.into_iter().map(|(id, name)| DeckChoice {
        value: format!("kept:{id}"),
        name,
        is_kept: true,
    });
    let of_game = package.decks.iter().enumerate().map(|(at, deck)| DeckChoice {
        value: format!("deck:{at}"),
        name: deck.name.to_string(),
        is_kept: false,
    });
    let choices: Vec<DeckChoice> = built.chain(of_game).collect();
    let project = library.loaded().map(|loaded| &loaded.project);
    let judged = sides.map(|side| {
        side.map(|side| ComparedDeck::new(package, project, &side.name, side.deck, side.pool.as_ref()))
    });
    let decks = match &judged {
        [Some(one), Some(other)] => Some([one, other]),
        _ => None,
    };
    Ok(markup::compare(
        library,
        ComparePage {
            address: way.address,
            back: way.back,
            own: own.as_deref(),
            choices: &choices,
            asked: &asked,
            decks,
        },
    ))
}

/// Decks of the game and pasted lists beside each other, for whoever looks at its cards.
pub(crate) fn of_cards(library: &CardLibrary, fields: CompareFields) -> Option<String> {
    let way = CompareWay {
        address: "/cards/compare",
        back: ("/cards", library.name()),
        own: None,
        built: Vec::new(),
        kept: &|_| Ok(None),
    };
    shown(library, fields, way).ok()
}

impl ChosenSide {
    fn of(package: &Package, opened: &OpenedDeck) -> ChosenSide {
        let (lines, _) = lines_of(package, &opened.deck.cards);
        ChosenSide {
            name: opened.deck.name.clone(),
            deck: deck_of_lines(package, &opened.deck.name, &lines),
            pool: opened.pool().cloned(),
        }
    }
}

/// A deck that is being built beside another one.
pub(crate) async fn of_builder(
    holder: DeckHolder,
    axum::Extension(desk): Desk,
    Form(fields): Form<CompareFields>,
) -> Response {
    let host = holder.host.clone();
    made(&host, &desk, move |hall: &Arc<DuelHall>, desk: &DeckDesk| {
        let Some(opened) = desk.open(hall, &holder.id)? else {
            return Ok(None);
        };
        let package = &desk.loaded.project.package;
        let built = match holder.draft {
            // A drafter sees no deck but their own.
            Some(_) => Vec::new(),
            None => desk.built(hall)?,
        };
        let built = built.into_iter().filter(|(id, _)| *id != holder.id);
        let built: Vec<(String, String)> = built.map(|(id, deck)| (id, deck.name)).collect();
        let kept = |id: &str| {
            let may = built.iter().any(|(own, _)| own == id);
            let opened = if may { desk.open(hall, id)? } else { None };
            Ok(opened.map(|opened| ChosenSide::of(package, &opened)))
        };
        let way = CompareWay {
            address: &format!("{}/compare", holder.base),
            back: (&holder.base, &opened.deck.name),
            own: Some(ChosenSide::of(package, &opened)),
            built: built.clone(),
            kept: &kept,
        };
        Ok(html(shown(&desk.library, fields, way)?))
    })
    .await
}
