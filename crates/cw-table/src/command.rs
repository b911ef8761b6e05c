//! Lines of chat that begin with `/` (F125).

use crate::{FreeTable, TableSeat, TableVerb, VerbRefusal};

/// The commands of F125: the word, what follows, and the line of notation that it stands for. `$` is all
/// that follows.
pub const COMMANDS: &[(&str, &str, &str)] = &[
    ("draw", "N", "draw $"),
    ("bottom", "N", "draw $ bottom"),
    ("look", "N [pile]", ""),
    ("mill", "N", ""),
    ("shuffle", "[pile]", "shuffle $"),
    ("search", "[pile]", "search $"),
    ("reveal", "[hand|top N]", ""),
    ("random", "[hand]", "random $ show"),
    ("mulligan", "[N]", "mulligan $"),
    ("roll", "2d6+1", "roll $"),
    ("coin", "", "coin $"),
    ("number", "A B", "number $"),
    ("counter", "NAME +N|-N|=N", "counter $"),
    ("marker", "[CARDS] NAME +N|-N|=N", ""),
    ("token", "TEXT", ""),
    ("move", "[CARDS] PILE [bottom]", ""),
    ("phase", "N|NAME [force]", ""),
    ("turn", "[seat]", "pass $"),
    ("note", "TEXT", "note $"),
    ("seal", "TEXT", "seal $"),
    ("undo", "[N]", "undo $"),
    ("name", "TEXT", "rename $"),
    ("w", "SEAT TEXT", "whisper $"),
    ("me", "TEXT", "me $"),
    ("sound", "NAME", "sound $"),
    ("concede", "", "concede"),
    ("help", "", ""),
];

/// What a line of chat asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChatLine {
    /// A verb.
    Verb(Box<TableVerb>),
    /// The list of commands; for the seat alone.
    Help(String),
}

impl FreeTable {
    /// Reads a line of chat of a seat: a command after `/`, a plain slash after `//`, else something said.
    /// `selected` is the seat's selection as notation, for the commands that act on it; where it is empty,
    /// these take the cards as their first word.
    ///
    /// # Errors
    /// If the command is unknown, with the nearest name (F125), or its arguments are.
    pub fn chat(&self, seat: TableSeat, line: &str, selected: &str) -> Result<ChatLine, VerbRefusal> {
        let say = |text: &str| {
            Ok(ChatLine::Verb(Box::new(TableVerb::Say {
                text: text.to_owned(),
            })))
        };
        let Some(command) = line.strip_prefix('/') else {
            return say(line);
        };
        if command.starts_with('/') {
            return say(command);
        }
        let (word, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        let (word, rest) = (word.to_lowercase(), rest.trim());
        if word == "help" {
            let lines = COMMANDS
                .iter()
                .map(|(word, arguments, _)| format!("/{word} {arguments}").trim_end().to_owned());
            return Ok(ChatLine::Help(lines.collect::<Vec<_>>().join("\n")));
        }
        let Some((.., template)) = COMMANDS.iter().find(|(known, ..)| *known == word) else {
            let near = cw_text::nearest(&word, COMMANDS.iter().map(|(word, ..)| *word));
            let help = near.map_or(String::new(), |near| format!("; did you mean /{near}?"));
            let shown: String = word.chars().take(40).collect();
            return Err(VerbRefusal::NotUnderstood(format!("/{shown}"), help));
        };
        let notation = match word.as_str() {
            "look" => {
                let (count, pile) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                format!("look {pile} top {count}")
            }
            "mill" => format!("movetop {rest} to {}", self.discard(seat)?),
            "reveal" => return self.reveal_line(seat, rest),
            "random" => format!("random {rest} show"),
            "marker" | "move" => {
                let (cards, rest) = if selected.is_empty() {
                    let (cards, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                    let number =
                        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
                    if !(cards.contains([':', '@']) || cards.split(',').all(number)) {
                        let help = format!("no cards are chosen: name them, as in /{word} 417 …");
                        return Err(VerbRefusal::Incomplete(help));
                    }
                    (cards, rest)
                } else {
                    (selected, rest)
                };
                let to = if word == "move" { "to " } else { "" };
                format!("{word} {cards} {to}{rest}")
            }
            "phase" => {
                // People write names of two words without quotes.
                let (name, force) = match rest.strip_suffix(" force") {
                    Some(name) => (name.trim(), " force"),
                    None => (rest, ""),
                };
                let as_it_is = name.is_empty() || name.starts_with('"') || name.parse::<u8>().is_ok();
                let quoted = format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
                format!("phase {}{force}", if as_it_is { name } else { &quoted })
            }
            "token" if rest.is_empty() => "create".to_owned(),
            "token" => format!("create =\"{}\"", rest.replace('\\', "\\\\").replace('"', "\\\"")),
            _ => template.replace('$', rest),
        };
        self.parse(seat, &notation)
            .map(|verb| ChatLine::Verb(Box::new(verb)))
    }

    /// The pile that discards go to: the one with the key Del, else the first that all see (F196).
    fn discard(&self, seat: TableSeat) -> Result<String, VerbRefusal> {
        let kit = self.kit();
        let with_key = kit.piles.iter().position(|pile| {
            let key = pile.definition.shortcut.as_deref().unwrap_or("");
            key.eq_ignore_ascii_case("del")
        });
        let open = || {
            kit.piles
                .iter()
                .position(|pile| pile.visibility == crate::Visibility::All)
        };
        let kind = with_key.or_else(open).ok_or(VerbRefusal::NoSuchPile)?;
        Ok(format!("#{}", self.state().pile_of(kit, seat, kind).0))
    }

    fn reveal_line(&self, seat: TableSeat, rest: &str) -> Result<ChatLine, VerbRefusal> {
        let state = self.state();
        let verb = match rest.strip_prefix("top") {
            Some(count) => {
                let count = count.trim();
                let count: u32 = if count.is_empty() {
                    1
                } else {
                    count.parse().map_err(|_| VerbRefusal::NoCards)?
                };
                let deck = state.deck(self.kit(), seat).ok_or(VerbRefusal::NoDeck)?;
                let there = crate::count::short(state.pile(deck).cards.len());
                let cards = (0..count.min(there)).map(crate::CardAt::Place).collect();
                let cards = crate::VerbCards {
                    group: crate::CardGroup::Pile(deck),
                    cards,
                };
                TableVerb::Reveal {
                    cards,
                    to: crate::LookerSet::ALL,
                }
            }
            None => {
                let hand = state.hand(self.kit(), seat).ok_or(VerbRefusal::NoHand)?;
                let cards = state
                    .pile(hand)
                    .cards
                    .iter()
                    .map(|id| crate::CardAt::Handle(state.handle(seat.into(), *id)));
                let cards = crate::VerbCards {
                    group: crate::CardGroup::Pile(hand),
                    cards: cards.collect(),
                };
                TableVerb::Reveal {
                    cards,
                    to: crate::LookerSet::ALL,
                }
            }
        };
        Ok(ChatLine::Verb(Box::new(verb)))
    }
}
