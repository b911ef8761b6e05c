//! Tokens of a line, and what they name at the table: seats, piles, cards, models.

use std::sync::Arc;

use crate::verb::VERBS;
use crate::{
    CardAt, CardGroup, Kit, Looker, LookerSet, PileId, TableCardId, TableModel, TableSeat, TableState,
    VerbCards, VerbRefusal,
};

/// A line of a seat that is being read, and the table it is about.
pub(crate) struct LineReader<'a> {
    pub(super) kit: &'a Kit,
    pub(super) state: &'a TableState,
    pub(super) seat: TableSeat,
    /// What was not read yet.
    pub(super) rest: &'a str,
}

/// What was read, or why it cannot be.
pub(crate) type Read<T> = Result<T, VerbRefusal>;

impl<'a> LineReader<'a> {
    /// The next token: up to a blank outside quotes; empty at the end.
    pub(super) fn word(&mut self) -> &'a str {
        let word = self.peek();
        self.rest = &self.rest.trim_start()[word.len()..];
        word
    }

    pub(super) fn peek(&self) -> &'a str {
        let rest = self.rest.trim_start();
        let (mut quoted, mut escaped) = (false, false);
        for (at, c) in rest.char_indices() {
            match c {
                '\\' if quoted && !escaped => {
                    escaped = true;
                    continue;
                }
                '"' if !escaped => quoted = !quoted,
                c if c.is_whitespace() && !quoted => return &rest[..at],
                _ => {}
            }
            escaped = false;
        }
        rest
    }

    pub(super) fn eat(&mut self, word: &str) -> bool {
        let found = self.peek().eq_ignore_ascii_case(word);
        if found {
            self.word();
        }
        found
    }

    pub(super) fn need(&mut self, word: &str) -> Read<()> {
        if self.eat(word) {
            Ok(())
        } else {
            Err(wrong(self.peek(), &format!("; “{word}” is expected here")))
        }
    }

    /// The rest of the line, quoted or as it stands.
    pub(super) fn text(&mut self) -> Read<String> {
        let rest = self.rest.trim();
        if rest.starts_with('"') && self.peek() == rest {
            self.rest = "";
            return name(rest);
        }
        self.rest = "";
        if rest.is_empty() {
            Err(wrong("", "; a text is missing"))
        } else {
            Ok(rest.to_owned())
        }
    }

    pub(super) fn name(&mut self) -> Read<String> {
        let word = self.word();
        if word.is_empty() {
            return Err(wrong("", "; a name is missing"));
        }
        name(word)
    }

    /// The next token, which must be there.
    pub(super) fn given(&mut self, what: &str) -> Read<&'a str> {
        match self.word() {
            "" => Err(wrong("", &format!("; {what}"))),
            word => Ok(word),
        }
    }

    pub(super) fn number<N: std::str::FromStr>(&mut self) -> Read<N> {
        let word = self.given("a number is expected here")?;
        word.parse().map_err(|_| match word.starts_with('-') {
            true => wrong(word, "; a number above zero is expected here"),
            false => wrong(word, "; a number is expected here"),
        })
    }

    pub(super) fn number_or<N: std::str::FromStr>(&mut self, default: N) -> Read<N> {
        let digits = self
            .peek()
            .trim_start_matches('-')
            .starts_with(|c: char| c.is_ascii_digit());
        if digits { self.number() } else { Ok(default) }
    }

    pub(super) fn point(&mut self) -> Read<(i32, i32)> {
        let word = self.word();
        let parsed = word
            .split_once(',')
            .and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
        parsed.ok_or_else(|| wrong(word, "; a place X,Y is expected here"))
    }

    pub(super) fn is_point(&self) -> bool {
        let word = self.peek();
        let number = |text: &str| text.parse::<i32>().is_ok();
        word.split_once(',').is_some_and(|(x, y)| number(x) && number(y))
    }

    pub(super) fn seat(&mut self) -> Read<TableSeat> {
        let word = self.given("a seat is expected here")?;
        self.seat_of(word)
    }

    pub(super) fn seat_of(&self, word: &str) -> Read<TableSeat> {
        if let Ok(number) = word.parse::<u8>() {
            return number
                .checked_sub(1)
                .map(TableSeat)
                .ok_or(VerbRefusal::NoSuchSeat);
        }
        let wanted = name(word)?;
        let found = self
            .state
            .seat_ids()
            .find(|seat| self.state.seat(*seat).name.eq_ignore_ascii_case(&wanted));
        found.ok_or(VerbRefusal::NoSuchSeat)
    }

    pub(super) fn is_seat(&self) -> bool {
        let word = self.peek();
        !word.is_empty() && self.seat_of(word).is_ok()
    }

    pub(super) fn group(&mut self) -> Read<CardGroup> {
        let word = self.given("a pile or `table` is expected here")?;
        self.group_of(word)
    }

    pub(super) fn group_of(&self, word: &str) -> Read<CardGroup> {
        if word.eq_ignore_ascii_case("table") {
            return Ok(CardGroup::Table);
        }
        let (owner, rest) = match slash(word) {
            Some(("*", rest)) => (None, rest),
            Some((seat, rest)) => match self.seat_of(seat) {
                Ok(seat) => (Some(seat), rest),
                Err(_) => (Some(self.seat), word),
            },
            None => (Some(self.seat), word),
        };
        if let Some(number) = rest
            .strip_prefix('#')
            .and_then(|number| number.parse::<u16>().ok())
        {
            let exists = usize::from(number) < self.state.piles.len();
            return if exists {
                Ok(CardGroup::Pile(PileId(number)))
            } else {
                Err(VerbRefusal::NoSuchPile)
            };
        }
        let wanted = name(rest)?;
        if let Some(owner) = owner
            && owner.index() >= self.state.seats.len()
        {
            return Err(VerbRefusal::NoSuchSeat);
        }
        let find = |owner: Option<TableSeat>, same: &dyn Fn(&str) -> bool| {
            let mut piles = self.state.piles.iter().enumerate();
            let found = piles.find(|(_, pile)| {
                let kind = pile.kind(self.kit);
                pile.owner == owner && (same(&kind.name) || same(&kind.written))
            });
            found.map(|(at, _)| CardGroup::Pile(PileId::at(at)))
        };
        let exact = |name: &str| name == wanted;
        let folded = |name: &str| name.eq_ignore_ascii_case(&wanted);
        find(owner, &exact)
            .or_else(|| find(owner, &folded))
            .or_else(|| find(None, &folded))
            .ok_or(VerbRefusal::NoSuchPile)
    }

    pub(super) fn pile(&mut self) -> Read<PileId> {
        match self.group()? {
            CardGroup::Pile(pile) => Ok(pile),
            CardGroup::Table => Err(VerbRefusal::NoSuchPile),
        }
    }

    /// A pile if one is named here, else the seat's deck.
    pub(super) fn pile_or_deck(&mut self) -> Read<PileId> {
        let word = self.peek();
        let other = ["", "top", "bottom", "show", "to"]
            .iter()
            .any(|other| word.eq_ignore_ascii_case(other));
        let number = word.strip_prefix('-').unwrap_or(word);
        if other || number.starts_with(|c: char| c.is_ascii_digit()) && slash(word).is_none() {
            return self.state.deck(self.kit, self.seat).ok_or(VerbRefusal::NoDeck);
        }
        self.pile()
    }

    /// `GROUP:REF,REF`; a group that is left out is where the first handle lies.
    pub(super) fn cards(&mut self) -> Read<VerbCards> {
        let word = self.word();
        if word.is_empty() {
            return Err(VerbRefusal::NoCards);
        }
        let (group, refs) = match colon(word) {
            Some((group, refs)) => (Some(self.group_of(group)?), refs),
            None => (None, word),
        };
        if let (Some(group), "mine" | "targeted" | "all") = (group, refs) {
            return self.cards_meant(group, refs);
        }
        let mut cards = Vec::new();
        for part in refs.split(',') {
            let card = match part.strip_prefix('@') {
                Some(place) => {
                    let place: u32 = place
                        .parse()
                        .map_err(|_| wrong(part, "; a place is expected here"))?;
                    CardAt::Place(place.checked_sub(1).ok_or(VerbRefusal::Moved)?)
                }
                None => CardAt::Handle(
                    part.parse()
                        .map_err(|_| wrong(part, "; cards is expected here"))?,
                ),
            };
            cards.push(card);
            if cards.len() > self.kit.limits.at_once {
                return Err(VerbRefusal::Limit("cards at once"));
            }
        }
        let group = match (group, cards.first()) {
            (Some(group), _) => group,
            (None, Some(CardAt::Handle(handle))) => {
                let id = self.state.by_handle(Looker::Seat(self.seat), *handle);
                self.state.card(id.ok_or(VerbRefusal::NoSuchCard(*handle))?).group
            }
            (None, _) => CardGroup::Pile(self.state.deck(self.kit, self.seat).ok_or(VerbRefusal::NoDeck)?),
        };
        Ok(VerbCards { group, cards })
    }

    /// `table:mine` are the cards that the seat controls there, `table:targeted` those that it targets,
    /// `table:all` all.
    pub(super) fn cards_meant(&self, group: CardGroup, word: &str) -> Read<VerbCards> {
        let CardGroup::Table = group else {
            return Err(wrong(word, "; that can be said of the table only"));
        };
        let me = Some(self.seat);
        let meant = self.state.table.iter().filter(|card| {
            let card = self.state.card(**card);
            match word {
                "mine" => card.controller == me,
                "targeted" => card.target == me,
                _ => true,
            }
        });
        let handle = |card: &TableCardId| CardAt::Handle(self.state.handle(Looker::Seat(self.seat), *card));
        let cards: Vec<CardAt> = meant.map(handle).collect();
        match cards.len() {
            0 => Err(VerbRefusal::NoCards),
            many if many > self.kit.limits.at_once => Err(VerbRefusal::Limit("cards at once")),
            _ => Ok(VerbCards { group, cards }),
        }
    }

    pub(super) fn eyes(&mut self) -> Read<LookerSet> {
        let word = self.given("seats, `everybody` or `nobody` is expected here")?;
        let mut eyes = LookerSet::NONE;
        for part in word.split(',') {
            eyes |= match part.to_lowercase().as_str() {
                "everybody" | "all" => LookerSet::ALL,
                "nobody" => LookerSet::NONE,
                "spectators" => LookerSet::SPECTATORS,
                "me" => LookerSet::of(self.seat),
                _ => {
                    let seat = self.seat_of(part)?;
                    if seat.index() >= crate::eyes::MOST_SEATS {
                        return Err(VerbRefusal::NoSuchSeat);
                    }
                    LookerSet::of(seat)
                }
            };
        }
        Ok(eyes)
    }

    /// `=GUID`, `=#N` or a name: a card of the package, else a blank.
    pub(super) fn model(&self, word: &str) -> Read<TableModel> {
        if let Some(exact) = word.strip_prefix('=') {
            if let Some(number) = exact.strip_prefix('#') {
                let model = number
                    .parse()
                    .map(TableModel::Card)
                    .map_err(|_| VerbRefusal::NoSuchModel)?;
                return if self.kit.knows(&model) {
                    Ok(model)
                } else {
                    Err(VerbRefusal::NoSuchModel)
                };
            }
            if exact.starts_with('"') {
                return Ok(TableModel::Blank(Arc::from(name(exact)?)));
            }
            let id = exact.parse().map_err(|_| VerbRefusal::NoSuchModel)?;
            return self.kit.by_id(id).ok_or(VerbRefusal::NoSuchModel);
        }
        let wanted = name(word)?;
        Ok(self
            .kit
            .by_name(&wanted)
            .unwrap_or_else(|| TableModel::Blank(Arc::from(wanted))))
    }
}

pub(super) fn wrong(what: &str, help: &str) -> VerbRefusal {
    if what.is_empty() {
        let missing = help.trim_start_matches("; ");
        return VerbRefusal::Incomplete(missing.to_owned());
    }
    let shown: String = what.chars().take(60).collect();
    VerbRefusal::NotUnderstood(shown, help.to_owned())
}

/// No verb begins so; with the nearest word.
pub(super) fn unknown(word: &str) -> VerbRefusal {
    let near = cw_text::nearest(word, VERBS.iter().map(|(word, ..)| *word));
    let help = near.map_or(String::new(), |near| format!("; did you mean “{near}”?"));
    wrong(word, &help)
}

/// A name, without its quotes if it has some.
pub(crate) fn name(word: &str) -> Read<String> {
    let Some(inner) = word.strip_prefix('"') else {
        return Ok(word.to_owned());
    };
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                let rest: String = chars.collect();
                return if rest.is_empty() {
                    Ok(out)
                } else {
                    Err(wrong(word, ""))
                };
            }
            '\\' => out.extend(chars.next().map(|c| match c {
                'n' => '\n',
                'r' => '\r',
                c => c,
            })),
            c => out.push(c),
        }
    }
    Err(wrong(word, "; a quote is not closed"))
}

/// What stands before and after the first slash outside quotes.
pub(super) fn slash(word: &str) -> Option<(&str, &str)> {
    outside(word, '/')
}

pub(super) fn colon(word: &str) -> Option<(&str, &str)> {
    outside(word, ':')
}

pub(super) fn outside(word: &str, wanted: char) -> Option<(&str, &str)> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in word.char_indices() {
        match c {
            '\\' if quoted && !escaped => {
                escaped = true;
                continue;
            }
            '"' if !escaped => quoted = !quoted,
            c if c == wanted && !quoted => return Some((&word[..at], &word[at + c.len_utf8()..])),
            _ => {}
        }
        escaped = false;
    }
    None
}
