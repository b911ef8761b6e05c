//! What a seat may ask for: lines of notation, chat, menu entries of the package, decks.

use std::collections::BTreeMap;
use std::sync::Arc;

use cw_octgn::Deck;
use cw_table::{ChatLine, DeckList, EntryMark, Kit, Mapped, PackageAction, TableSeat, TableVerb};
use serde::Deserialize;
use serde_json::{Value, json};

use super::hand::TableHand;
use super::room::No;
use super::{FreeHall, FreeRoom, bring, deck_list};
use crate::lock::locked;

/// What a page asks for.
#[derive(Debug, Deserialize)]
pub struct FreeRequest {
    /// The stamp of its page.
    pub k: String,
    /// Its number, after the name that the table has since it was woken.
    #[serde(default)]
    pub(crate) n: Option<String>,
    #[serde(flatten)]
    pub(crate) what: FreeRequestKind,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FreeRequestKind {
    /// Lines of notation: all of them, or none.
    Lines(Vec<String>),
    /// A line of chat, or a `/` command, with the cards that are selected.
    Chat {
        line: String,
        #[serde(default)]
        selected: String,
    },
    /// An entry of the package's menus, by its number, on these cards or this pile.
    Entry {
        number: usize,
        #[serde(default)]
        cards: String,
        #[serde(default)]
        pile: String,
        #[serde(default)]
        answers: BTreeMap<String, String>,
        /// Said yes to what it probably means.
        #[serde(default)]
        sure: bool,
        /// Without the package's own script (S197).
        #[serde(default)]
        plain: bool,
    },
    /// How the package's entries look that say so themselves, on these cards or this pile (S201).
    Menu {
        #[serde(default)]
        cards: String,
        #[serde(default)]
        pile: String,
    },
    /// A deck of the package, by its number.
    Deck(usize),
    /// A deck that the seat brings: an OCTGN deck, or a list of cards.
    DeckText {
        name: String,
        text: String,
        #[serde(default)]
        how: Brought,
    },
}

/// What a list of cards is brought for.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Brought {
    /// It is a deck of its own.
    #[default]
    Load,
    /// It is made of the seat's pool (F217).
    Build,
    /// It is the seat's deck, with other cards in its sections (F124).
    Sideboard,
}

/// Does what a page asks for, once for each number; says what it has to know.
pub fn answer(hall: &FreeHall, room: &FreeRoom, seat: TableSeat, asked: FreeRequest) -> Result<Value, No> {
    let Some(number) = asked.n else {
        return act(hall, room, seat, asked.what);
    };
    let own = number.strip_prefix(&room.beside.born);
    if !own.is_some_and(|rest| rest.starts_with('-')) {
        let words = "the table was reloaded in the meantime: check whether it was done before you try again";
        return Err(words.to_owned().into());
    }
    let answered = Arc::clone(locked(&room.beside.answered).entry(seat).or_default());
    locked(&answered).once(number, || act(hall, room, seat, asked.what))
}

/// Does what is asked for.
fn act(hall: &FreeHall, room: &FreeRoom, seat: TableSeat, asked: FreeRequestKind) -> Result<Value, No> {
    let kit = &hall.setting.kit;
    match asked {
        FreeRequestKind::Lines(lines) => TableHand::take(hall, room)?.all(seat, &lines),
        FreeRequestKind::Chat { line, selected } => {
            let mut hand = TableHand::take(hall, room)?;
            let said = hand.live().table.chat(seat, line.trim(), &selected)?;
            match said {
                ChatLine::Help(text) => Ok(json!({ "help": text })),
                ChatLine::Verb(verb) => {
                    hand.commit(seat, *verb)?;
                    Ok(json!({}))
                }
            }
        }
        FreeRequestKind::Entry {
            number,
            cards,
            pile,
            answers,
            sure,
            plain,
        } => {
            let action = kit
                .actions
                .get(number)
                .filter(|action| !action.definition.separator);
            let action = action.ok_or_else(|| "the package has no such entry".to_owned())?;
            let chosen = EntrySelection {
                cards: &cards,
                pile: &pile,
                answers: &answers,
                sure,
                plain,
            };
            TableHand::take(hall, room)?.entry(seat, (number, action), &chosen)
        }
        FreeRequestKind::Menu { cards, pile } => Ok(menu(room, kit, seat, &cards, &pile)),
        FreeRequestKind::Deck(number) => {
            let deck = hall.setting.decks.get(number);
            let deck = deck.ok_or_else(|| "the package has no such deck".to_owned())?;
            Ok(json!({ "remarks": load_deck(hall, room, seat, deck)? }))
        }
        FreeRequestKind::DeckText { name, text, how } => {
            let (mut list, remarks) = bring::read(kit, &name, &text)?;
            let mut hand = TableHand::take(hall, room)?;
            let live = hand.live();
            let own = live.table.state().seat(seat);
            let verb = match how {
                Brought::Load => |deck| TableVerb::Load { deck },
                Brought::Build => {
                    bring::of_these(kit, &mut list, own.pool.clone());
                    |deck| TableVerb::BuildDeck { deck }
                }
                Brought::Sideboard => {
                    bring::of_these(kit, &mut list, bring::cards_of(own));
                    |deck| TableVerb::Sideboard { deck }
                }
            };
            drop(live);
            hand.commit(seat, verb(Arc::new(list)))?;
            Ok(json!({ "remarks": remarks }))
        }
    }
}

/// Lets a seat load a deck; says what of it did not fit.
pub(crate) fn load_deck(
    hall: &FreeHall,
    room: &FreeRoom,
    seat: TableSeat,
    deck: &Deck,
) -> Result<Vec<String>, No> {
    let (list, remarks): (DeckList, _) = deck_list(&hall.setting.kit, deck, None)?;
    let verb = TableVerb::Load { deck: Arc::new(list) };
    TableHand::take(hall, room)?.commit(seat, verb)?;
    Ok(remarks)
}

/// What an entry was chosen on.
struct EntrySelection<'a> {
    cards: &'a str,
    pile: &'a str,
    answers: &'a BTreeMap<String, String>,
    sure: bool,
    plain: bool,
}

/// What a seat's menu shows of the entries that say so themselves: false, or another name (S201).
fn menu(room: &FreeRoom, kit: &Kit, seat: TableSeat, cards: &str, pile: &str) -> Value {
    let mut numbers = Vec::new();
    // What scripts say is found on a copy: the table is held for as long as the lines are read.
    let menu = {
        let live = locked(&room.live);
        let mut runs = Vec::new();
        for (number, action) in kit.actions.iter().enumerate() {
            let own = &action.definition;
            let on = if own.of_card { cards } else { pile };
            if (own.show_if.is_empty() && own.get_name.is_empty()) || (own.of_card && on.is_empty()) {
                continue;
            }
            if let Ok(verb) = live.table.parse(seat, &run_line(number, own.of_card, on)) {
                numbers.push(number);
                runs.push(verb);
            }
        }
        live.table.menu(seat, runs)
    };
    let looks: serde_json::Map<String, Value> = numbers
        .into_iter()
        .zip(menu.looks())
        .filter_map(|(number, look)| match look {
            (false, _) => Some((number.to_string(), json!(false))),
            (true, Some(name)) => Some((number.to_string(), json!(name))),
            (true, None) => None,
        })
        .collect();
    json!({ "looks": looks })
}

/// The line that runs an entry on cards or a pile.
fn run_line(number: usize, of_card: bool, on: &str) -> String {
    match (on, of_card) {
        ("", _) => format!("run #{number}"),
        (on, true) => format!("run #{number} on {on}"),
        (on, false) => format!("run #{number} in {on}"),
    }
}

impl TableHand<'_> {
    /// F33–F36, D74: at once, filled in to be confirmed, said, or explained.
    fn entry(
        &mut self,
        seat: TableSeat,
        (number, action): (usize, &PackageAction),
        on: &EntrySelection<'_>,
    ) -> Result<Value, No> {
        let kit = &self.hall.setting.kit;
        let path = action.definition.path();
        if let Some(rule) = kit.mapping.rule(&path, action.definition.of_card) {
            let numbers = on
                .answers
                .iter()
                .filter_map(|(name, value)| Some((name.clone(), value.parse().ok()?)));
            let numbers: BTreeMap<String, i64> = numbers.collect();
            let open = rule.ask.iter().filter(|(name, _)| !numbers.contains_key(name));
            let ask: Vec<Value> = open
                .map(|(name, words)| json!({ "name": name, "words": words }))
                .collect();
            if !ask.is_empty() {
                return Ok(json!({ "ask": ask }));
            }
            let mapped = rule.lines(&self.live().table, seat, on.cards, on.pile, &numbers)?;
            return match mapped {
                Mapped::NotNow(when) => Err(format!("not now: it needs {when}").into()),
                Mapped::Lines(lines) => self.all(seat, &lines),
            };
        }
        if !on.plain && self.live().table.runs(number) {
            let what = if action.definition.of_card {
                on.cards
            } else {
                on.pile
            };
            let mut line = run_line(number, action.definition.of_card, what);
            line.push_str(&format!(" time {}", crate::clock::today()));
            let verb = self.live().table.parse(seat, &line)?;
            let events = self.commit(seat, verb)?;
            let failed = events.iter().find(|event| event.kind == "failed");
            return Ok(match failed.and_then(|event| event.read_by(seat.into())) {
                // S197: what can be done without the script is offered with the words.
                Some(words) => json!({
                    "script": words, "offers": action.offers, "plain": action.mark != EntryMark::Script,
                }),
                None => json!({}),
            });
        }
        match action.mark {
            EntryMark::Exact | EntryMark::Likely => match action.filled(on.cards, on.pile, on.answers) {
                Ok(lines) if action.mark == EntryMark::Exact || on.sure => self.all(seat, &lines),
                Ok(_) | Err(_) => Ok(form(action, on)),
            },
            EntryMark::Says => {
                let text = action.definition.menu.to_string();
                self.commit(seat, TableVerb::Announce { text })?;
                Ok(json!({}))
            }
            EntryMark::Script => Ok(json!({ "script": script(kit, action), "offers": action.offers })),
        }
    }
}

/// F34: the form of an entry, filled in as far as it was recognised and answered.
fn form(action: &PackageAction, on: &EntrySelection<'_>) -> Value {
    let chosen = |name: &str| match name {
        "cards" => !on.cards.is_empty(),
        "pile" => !on.pile.is_empty(),
        _ => false,
    };
    let fields = action.fields().into_iter();
    let fields = fields.filter(|(name, known)| known.is_some() || !chosen(name));
    let fields: Vec<Value> = fields
        .map(|(name, known)| {
            let value = on.answers.get(&name).cloned().or(known);
            json!({ "name": name, "value": value })
        })
        .collect();
    json!({ "form": fields, "lines": action.shown(), "likely": action.mark == EntryMark::Likely })
}

/// F36: which function of which file is not run.
fn script(kit: &Kit, action: &PackageAction) -> String {
    let function = action.definition.execute.as_str();
    let mut scripts = kit.package.scripts.iter().rev();
    let place = scripts.find(|(_, script)| script.names.contains(function));
    let place = place.map_or(String::new(), |(file, _)| {
        format!(" of {}", kit.package.sources.get(*file).name)
    });
    format!(
        "The table runs no scripts: “{}” would call {function}{place}.",
        action.definition.menu
    )
}
