//! Verbs as lines of text: for the prompt, the record and `Rules/table.toml`.
//!
//! A line is the verb's word and its arguments. Cards are `GROUP:REF,REF`; a reference is a handle of the seat's own
//! view, or `@n` for the n-th card from the top of an ordered pile. Groups are `table`, `Name` (one's own
//! pile), `2/Name` (seat 2's), `*/Name` (shared). A name with other characters stands in quotes. What is written
//! by [`Table::write`] is read by [`Table::parse`] as the same verb.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::{
    CardAt, CardId, Cards, Change, Colour, Created, DeckList, DeckPart, End, Eyes, Face, Group, Kit, Looker,
    Model, Part, PileId, Protection, Refusal, Rotation, Seat, Spot, State, Table, Then, Turning, Verb,
    Viewers,
};

/// A deck as a line has it: a pile by its number among the kinds of piles.
const DECK: &str = "NAME section SECTION own|shared N|- N*CARD …";

/// How the verbs that only the host may say are told ([`Verb::is_of_host`]).
pub const OF_HOST: &str = "the host: ";

/// Words that begin a line, with what follows and what it does. What is not here cannot be asked for, so that no list
/// of what can be asked for lacks anything.
pub const VERBS: &[(&str, &str, &str)] = &[
    (
        "move",
        "CARDS to GROUP [top|bottom|at N] [up|down]",
        "moves cards",
    ),
    (
        "place",
        "CARDS X,Y [up|down]",
        "puts cards on the table, or moves them there",
    ),
    ("draw", "[PILE] [N] [bottom]", "draws cards"),
    (
        "moveall",
        "PILE to GROUP [top|bottom|at N] [random]",
        "moves a whole pile",
    ),
    (
        "movetop",
        "PILE N to GROUP [top|bottom|at N] [up|down]",
        "moves the top cards",
    ),
    (
        "movebottom",
        "PILE N to GROUP [top|bottom|at N] [up|down]",
        "moves the bottom cards",
    ),
    ("until", "PILE PROPERTY TEXT", "turns cards over until one fits"),
    (
        "shuffle",
        "[PILE] [top N|bottom N]",
        "shuffles a pile, or a part of it",
    ),
    ("look", "PILE [top N|bottom N]", "looks into a pile"),
    ("search", "[PILE]", "searches a pile"),
    ("close", "PILE [shuffle]", "ends looking"),
    ("leave", "PILE", "ends looking, and is no step to take back"),
    ("reorder", "CARDS to N,N", "puts looked-at cards at these places"),
    ("peek", "CARDS", "peeks at cards"),
    ("reveal", "CARDS to EYES", "shows cards"),
    ("hide", "CARDS", "ends showing them"),
    ("random", "[PILE] [N] show|to GROUP", "takes random cards"),
    (
        "viewers",
        "PILE nobody|everybody|byface|EYES",
        "says who sees a pile",
    ),
    ("keeptop", "PILE EYES|nobody", "keeps its top card shown"),
    ("protect", "PILE free|ask|never", "says who else may look into it"),
    ("turn", "CARDS [up|down|over]", "turns cards over"),
    ("rotate", "CARDS [to|by 90|180|270]", "rotates cards"),
    ("straighten", "", "straightens one's cards"),
    ("lock", "CARDS", "keeps cards from being straightened"),
    ("unlock", "CARDS", "ends that"),
    ("form", "CARDS [N]", "switches to another form"),
    ("marker", "CARDS NAME +N|-N|=N", "changes markers"),
    ("movemarker", "CARDS to CARDS NAME N", "moves markers"),
    ("copymarker", "CARDS to CARDS NAME N", "copies markers"),
    ("highlight", "CARDS #RRGGBB|none", "colours the edge"),
    ("filter", "CARDS #RRGGBB|none", "tints the face"),
    ("counter", "NAME +N|-N|=N", "changes a counter"),
    ("anchor", "CARDS", "keeps cards where they are"),
    ("unanchor", "CARDS", "ends that"),
    (
        "create",
        "NAME [N] [at X,Y] [down] [kept]",
        "makes cards or tokens",
    ),
    ("copy", "CARDS", "makes another of a known card"),
    ("delete", "CARDS", "takes tokens away"),
    ("target", "CARDS", "targets cards"),
    ("untarget", "CARDS", "ends that"),
    ("arrow", "CARDS to CARDS", "draws an arrow"),
    ("clearmarks", "", "clears one's targets and arrows"),
    ("point", "CARDS", "points at cards"),
    ("shake", "CARDS", "shakes cards"),
    ("front", "CARDS", "puts cards above all others"),
    ("back", "CARDS", "puts cards below all others"),
    ("arrange", "CARDS row|stack|N", "arranges cards"),
    ("attach", "CARDS to CARDS", "lets cards follow another"),
    ("detach", "CARDS", "ends that"),
    ("give", "CARDS to SEAT", "gives cards away"),
    ("givepile", "PILE to SEAT", "gives a pile away"),
    ("take", "CARDS", "takes control"),
    ("takepile", "PILE", "takes control of a pile"),
    ("note", "[X,Y] [private] TEXT", "writes a note"),
    ("editnote", "N TEXT", "changes a note"),
    ("movenote", "N X,Y", "puts a note elsewhere"),
    ("removenote", "N", "removes a note"),
    ("cardnote", "CARDS TEXT", "writes on cards"),
    ("roll", "[N]dS[+K]", "rolls dice"),
    ("coin", "[N]", "flips coins"),
    ("number", "A B", "draws a number"),
    ("order", "", "draws the seats' order"),
    ("seal", "TEXT", "seals a value"),
    ("open", "", "opens one's sealed value"),
    ("openall", "", "opens all once all have sealed"),
    ("phase", "N|NAME [force]", "goes to a phase"),
    ("stop", "N|NAME|end", "stops there"),
    ("unstop", "N|NAME|end", "ends that"),
    ("pass", "[SEAT] [force]", "passes the turn"),
    ("active", "SEAT|none", "says whose turn it is"),
    ("ready", "", "is ready"),
    ("unready", "", "is not"),
    ("mulligan", "[N]", "puts the hand back and draws again"),
    ("hand", "N [everyone]", "draws an opening hand"),
    ("board", "N|NAME|none", "chooses a board"),
    ("background", "", "turns the background"),
    ("say", "TEXT", "says something"),
    ("me", "TEXT", "says something about oneself"),
    ("announce", "TEXT", "says a menu entry"),
    ("whisper", "SEAT TEXT", "says something to one seat"),
    ("sound", "NAME", "plays a sound"),
    ("concede", "", "gives up"),
    ("reset", "[hard]", "begins again"),
    ("load", DECK, "loads a deck"),
    ("sideboard", DECK, "exchanges cards between the deck's sections"),
    ("build", DECK, "builds a deck of one's pool"),
    ("packs", "SET.PACK …", "opens packs"),
    ("clear", "", "takes one's cards away"),
    ("showdeck", "EYES", "shows one's deck list"),
    (
        "together",
        "\"LINE\" \"LINE\" …",
        "does several lines as one step, or none of them",
    ),
    ("undo", "[N]", "takes one's last steps back"),
    ("propose", "N", "proposes to go back to the state after step N"),
    ("redo", "", "restores what was taken back"),
    (
        "answer",
        "N yes|no|always",
        "answers a question; no withdraws your own",
    ),
    ("endgame", "", "says that the game is over"),
    ("showhidden", "", "shows one's hidden cards after the end"),
    ("addseat", "NAME", "adds a seat"),
    ("rename", "NAME", "says what one is called"),
    ("away", "SEAT", "the host: nobody is there"),
    ("present", "SEAT", "the host: somebody is back"),
    ("timeout", "N", "the host: the time for an answer is over"),
];

impl Table {
    /// Reads a line as a verb of a seat.
    ///
    /// # Errors
    /// If it is none; with the nearest word.
    pub fn parse(&self, seat: Seat, line: &str) -> Result<Verb, Refusal> {
        parse(self.kit(), self.state(), seat, line)
    }

    /// Reads several lines as one step: all of them are done, or none (F63).
    ///
    /// # Errors
    /// If one of them is no verb, or is not possible where those before it lead.
    pub fn parse_together(&self, seat: Seat, lines: &[String]) -> Result<Verb, Refusal> {
        match lines {
            [line] => self.parse(seat, line),
            _ => {
                let quoted: Vec<String> = lines.iter().map(|line| quoted(line)).collect();
                self.parse(seat, &format!("together {}", quoted.join(" ")))
            }
        }
    }

    /// A verb of a seat as a line, in the present state.
    pub fn write(&self, verb: &Verb) -> String {
        write(self.kit(), self.state(), verb)
    }
}

// ---- reading ------------------------------------------------------------------------------------

/// Reads a line as a verb.
pub(crate) fn parse(kit: &Kit, state: &State, seat: Seat, line: &str) -> Result<Verb, Refusal> {
    if line.len() > kit.limits.request {
        return Err(Refusal::Limit("bytes of a request"));
    }
    let mut p = Parser {
        kit,
        state,
        seat,
        rest: line.trim(),
    };
    let word = p.word().to_lowercase();
    if !VERBS.iter().any(|(known, ..)| *known == word) {
        return Err(unknown(&word));
    }
    let verb = p.verb(&word)?;
    if !p.rest.trim().is_empty() {
        return Err(wrong(p.rest.trim(), ""));
    }
    Ok(verb)
}

fn wrong(what: &str, help: &str) -> Refusal {
    if what.is_empty() {
        let missing = help.trim_start_matches("; ");
        return Refusal::Incomplete(missing.to_owned());
    }
    let shown: String = what.chars().take(60).collect();
    Refusal::NotUnderstood(shown, help.to_owned())
}

/// No verb begins so; with the nearest word.
fn unknown(word: &str) -> Refusal {
    let near = cw_text::nearest(word, VERBS.iter().map(|(word, ..)| *word));
    let help = near.map_or(String::new(), |near| format!("; did you mean “{near}”?"));
    wrong(word, &help)
}

struct Parser<'a> {
    kit: &'a Kit,
    state: &'a State,
    seat: Seat,
    rest: &'a str,
}

type Read<T> = Result<T, Refusal>;

impl<'a> Parser<'a> {
    /// The next token: up to a blank outside quotes; empty at the end.
    fn word(&mut self) -> &'a str {
        let word = self.peek();
        self.rest = &self.rest.trim_start()[word.len()..];
        word
    }

    fn peek(&self) -> &'a str {
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

    fn eat(&mut self, word: &str) -> bool {
        let found = self.peek().eq_ignore_ascii_case(word);
        if found {
            self.word();
        }
        found
    }

    fn need(&mut self, word: &str) -> Read<()> {
        if self.eat(word) {
            Ok(())
        } else {
            Err(wrong(self.peek(), &format!("; “{word}” should stand here")))
        }
    }

    /// The rest of the line, quoted or as it stands.
    fn text(&mut self) -> Read<String> {
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

    fn name(&mut self) -> Read<String> {
        let word = self.word();
        if word.is_empty() {
            return Err(wrong("", "; a name is missing"));
        }
        name(word)
    }

    /// The next token, which must be there.
    fn given(&mut self, what: &str) -> Read<&'a str> {
        match self.word() {
            "" => Err(wrong("", &format!("; {what}"))),
            word => Ok(word),
        }
    }

    fn number<N: std::str::FromStr>(&mut self) -> Read<N> {
        let word = self.given("a number should stand here")?;
        word.parse().map_err(|_| match word.starts_with('-') {
            true => wrong(word, "; a number above zero should stand here"),
            false => wrong(word, "; a number should stand here"),
        })
    }

    fn number_or<N: std::str::FromStr>(&mut self, default: N) -> Read<N> {
        let digits = self
            .peek()
            .trim_start_matches('-')
            .starts_with(|c: char| c.is_ascii_digit());
        if digits { self.number() } else { Ok(default) }
    }

    fn point(&mut self) -> Read<(i32, i32)> {
        let word = self.word();
        let parsed = word
            .split_once(',')
            .and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
        parsed.ok_or_else(|| wrong(word, "; a place X,Y should stand here"))
    }

    fn is_point(&self) -> bool {
        let word = self.peek();
        let number = |text: &str| text.parse::<i32>().is_ok();
        word.split_once(',').is_some_and(|(x, y)| number(x) && number(y))
    }

    fn seat(&mut self) -> Read<Seat> {
        let word = self.given("a seat should stand here")?;
        self.seat_of(word)
    }

    fn seat_of(&self, word: &str) -> Read<Seat> {
        if let Ok(number) = word.parse::<u8>() {
            return number.checked_sub(1).map(Seat).ok_or(Refusal::NoSuchSeat);
        }
        let wanted = name(word)?;
        let found = self
            .state
            .seat_ids()
            .find(|seat| self.state.seat(*seat).name.eq_ignore_ascii_case(&wanted));
        found.ok_or(Refusal::NoSuchSeat)
    }

    fn is_seat(&self) -> bool {
        let word = self.peek();
        !word.is_empty() && self.seat_of(word).is_ok()
    }

    fn group(&mut self) -> Read<Group> {
        let word = self.given("a pile or `table` should stand here")?;
        self.group_of(word)
    }

    fn group_of(&self, word: &str) -> Read<Group> {
        if word.eq_ignore_ascii_case("table") {
            return Ok(Group::Table);
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
                Ok(Group::Pile(PileId(number)))
            } else {
                Err(Refusal::NoSuchPile)
            };
        }
        let wanted = name(rest)?;
        if let Some(owner) = owner
            && owner.index() >= self.state.seats.len()
        {
            return Err(Refusal::NoSuchSeat);
        }
        let find = |owner: Option<Seat>, same: &dyn Fn(&str) -> bool| {
            let mut piles = self.state.piles.iter().enumerate();
            let found = piles.find(|(_, pile)| {
                let kind = pile.kind(self.kit);
                pile.owner == owner && (same(&kind.name) || same(&kind.written))
            });
            found.map(|(at, _)| Group::Pile(PileId::at(at)))
        };
        let exact = |name: &str| name == wanted;
        let folded = |name: &str| name.eq_ignore_ascii_case(&wanted);
        find(owner, &exact)
            .or_else(|| find(owner, &folded))
            .or_else(|| find(None, &folded))
            .ok_or(Refusal::NoSuchPile)
    }

    fn pile(&mut self) -> Read<PileId> {
        match self.group()? {
            Group::Pile(pile) => Ok(pile),
            Group::Table => Err(Refusal::NoSuchPile),
        }
    }

    /// A pile if one is named here, else the seat's deck.
    fn pile_or_deck(&mut self) -> Read<PileId> {
        let word = self.peek();
        let other = ["", "top", "bottom", "show", "to"]
            .iter()
            .any(|other| word.eq_ignore_ascii_case(other));
        let number = word.strip_prefix('-').unwrap_or(word);
        if other || number.starts_with(|c: char| c.is_ascii_digit()) && slash(word).is_none() {
            return self.state.deck(self.kit, self.seat).ok_or(Refusal::NoDeck);
        }
        self.pile()
    }

    /// `GROUP:REF,REF`; a group that is left out is where the first handle lies.
    fn cards(&mut self) -> Read<Cards> {
        let word = self.word();
        if word.is_empty() {
            return Err(Refusal::NoCards);
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
                        .map_err(|_| wrong(part, "; a place should stand here"))?;
                    CardAt::Place(place.checked_sub(1).ok_or(Refusal::Moved)?)
                }
                None => CardAt::Handle(
                    part.parse()
                        .map_err(|_| wrong(part, "; cards should stand here"))?,
                ),
            };
            cards.push(card);
            if cards.len() > self.kit.limits.at_once {
                return Err(Refusal::Limit("cards at once"));
            }
        }
        let group = match (group, cards.first()) {
            (Some(group), _) => group,
            (None, Some(CardAt::Handle(handle))) => {
                let id = self.state.by_handle(Looker::Seat(self.seat), *handle);
                self.state.card(id.ok_or(Refusal::NoSuchCard(*handle))?).group
            }
            (None, _) => Group::Pile(self.state.deck(self.kit, self.seat).ok_or(Refusal::NoDeck)?),
        };
        Ok(Cards { group, cards })
    }

    /// `table:mine` are the cards that the seat controls there, `table:targeted` those that it targets, `table:all` all.
    fn cards_meant(&self, group: Group, word: &str) -> Read<Cards> {
        let Group::Table = group else {
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
        let handle = |card: &CardId| CardAt::Handle(self.state.handle(Looker::Seat(self.seat), *card));
        let cards: Vec<CardAt> = meant.map(handle).collect();
        match cards.len() {
            0 => Err(Refusal::NoCards),
            many if many > self.kit.limits.at_once => Err(Refusal::Limit("cards at once")),
            _ => Ok(Cards { group, cards }),
        }
    }

    fn spot(&mut self) -> Read<Spot> {
        if self.eat("top") {
            return Ok(Spot::Top);
        }
        if self.eat("bottom") {
            return Ok(Spot::Bottom);
        }
        if self.eat("at") {
            let word = self.peek();
            let place: i32 = self.number()?;
            return match place {
                0 => Err(wrong(word, "; places count from 1, from the end from -1")),
                1.. => Ok(Spot::At(place - 1)),
                _ => Ok(Spot::At(place)),
            };
        }
        Ok(Spot::Usual)
    }

    fn face(&mut self) -> Option<Face> {
        if self.eat("up") {
            return Some(Face::Up);
        }
        self.eat("down").then_some(Face::Down)
    }

    /// `top N` or `bottom N`.
    fn end(&mut self) -> Read<Option<(End, u32)>> {
        let end = if self.eat("top") {
            End::Top
        } else if self.eat("bottom") {
            End::Bottom
        } else {
            return Ok(None);
        };
        Ok(Some((end, self.number_or(1)?)))
    }

    fn eyes(&mut self) -> Read<Eyes> {
        let word = self.given("seats, `everybody` or `nobody` should stand here")?;
        let mut eyes = Eyes::NONE;
        for part in word.split(',') {
            eyes |= match part.to_lowercase().as_str() {
                "everybody" | "all" => Eyes::ALL,
                "nobody" => Eyes::NONE,
                "spectators" => Eyes::SPECTATORS,
                "me" => Eyes::of(self.seat),
                _ => {
                    let seat = self.seat_of(part)?;
                    if seat.index() >= crate::eyes::MOST_SEATS {
                        return Err(Refusal::NoSuchSeat);
                    }
                    Eyes::of(seat)
                }
            };
        }
        Ok(eyes)
    }

    fn change(&mut self) -> Read<Change> {
        let word = self.given("+N, -N or =N should stand here")?;
        let number = |text: &str| {
            text.parse::<i64>()
                .map_err(|_| wrong(word, "; +N, -N or =N should stand here"))
        };
        match word.strip_prefix('=') {
            Some(to) => Ok(Change::To(number(to)?)),
            None => Ok(Change::By(number(word)?)),
        }
    }

    fn marker(&mut self) -> Read<u16> {
        let word = self.given("the name of a marker should stand here")?;
        if let Some(number) = word.strip_prefix('#').and_then(|number| number.parse().ok()) {
            return Ok(number);
        }
        let wanted = name(word)?;
        self.kit.marker(&wanted).ok_or(Refusal::NoSuchMarker)
    }

    fn phase(&mut self) -> Read<u8> {
        let word = self.given("a phase should stand here, by number or name")?;
        if let Ok(number) = word.parse() {
            return Ok(number);
        }
        let wanted = name(word)?.to_lowercase();
        let named = |number: &u8| {
            let name = self.kit.phase(*number).unwrap_or("").to_lowercase();
            name.starts_with(&wanted)
        };
        (1..=self.kit.phases()).find(named).ok_or(Refusal::NoSuchPhase)
    }

    fn colour(&mut self) -> Read<Option<Colour>> {
        if self.eat("none") {
            return Ok(None);
        }
        let word = self.word();
        let colour = Colour::parse(word).ok_or_else(|| wrong(word, "; #RRGGBB or none should stand here"))?;
        Ok(Some(colour))
    }

    /// `=GUID`, `=#N` or a name: a card of the package, else a blank.
    fn model(&self, word: &str) -> Read<Model> {
        if let Some(exact) = word.strip_prefix('=') {
            if let Some(number) = exact.strip_prefix('#') {
                let model = number
                    .parse()
                    .map(Model::Card)
                    .map_err(|_| Refusal::NoSuchModel)?;
                return if self.kit.knows(&model) {
                    Ok(model)
                } else {
                    Err(Refusal::NoSuchModel)
                };
            }
            if exact.starts_with('"') {
                return Ok(Model::Blank(Arc::from(name(exact)?)));
            }
            let id = exact.parse().map_err(|_| Refusal::NoSuchModel)?;
            return self.kit.by_id(id).ok_or(Refusal::NoSuchModel);
        }
        let wanted = name(word)?;
        Ok(self
            .kit
            .by_name(&wanted)
            .unwrap_or_else(|| Model::Blank(Arc::from(wanted))))
    }

    /// `NAME [sleeve NAME] { SECTION own|shared PILE|- N*MODEL … ; }`
    fn deck(&mut self) -> Read<Arc<DeckList>> {
        let mut deck = DeckList {
            name: self.name()?,
            ..DeckList::default()
        };
        if self.eat("sleeve") {
            deck.sleeve = Some(self.name()?);
        }
        while self.eat("section") {
            let section = self.name()?;
            let shared = self.eat("shared");
            if !shared {
                self.need("own")?;
            }
            let pile = if self.eat("-") { None } else { Some(self.number()?) };
            let mut cards = Vec::new();
            while self.peek().contains('*') {
                let word = self.word();
                let (count, model) = word.split_once('*').ok_or_else(|| wrong(word, ""))?;
                let count = count
                    .parse()
                    .map_err(|_| wrong(word, "; N*CARD should stand here"))?;
                cards.push((self.model(model)?, count));
            }
            deck.parts.push(DeckPart {
                section,
                shared,
                pile,
                cards,
            });
        }
        if deck.parts.is_empty() {
            return Err(Refusal::EmptyDeck(deck.name));
        }
        Ok(Arc::new(deck))
    }

    fn roll(&mut self) -> Read<Verb> {
        let word = self.word();
        let bad = || wrong(word, "; dice like 2d6+1 should stand here");
        let (dice, rest) = word.split_once(['d', 'D']).ok_or_else(bad)?;
        let dice = if dice.is_empty() {
            1
        } else {
            dice.parse().map_err(|_| bad())?
        };
        let at = rest.find(['+', '-']).unwrap_or(rest.len());
        let sides = rest[..at].parse().map_err(|_| bad())?;
        let add = if at < rest.len() {
            rest[at..].parse().map_err(|_| bad())?
        } else {
            0
        };
        Ok(Verb::Roll { dice, sides, add })
    }

    fn counter(&mut self) -> Read<Verb> {
        let word = self.given("the name of a counter should stand here")?;
        let (of, rest) = match slash(word) {
            Some(("*", rest)) => (None, rest),
            Some((seat, rest)) => match self.seat_of(seat) {
                Ok(seat) => (Some(seat), rest),
                Err(_) => (Some(self.seat), word),
            },
            None => (Some(self.seat), word),
        };
        let counter = match rest.strip_prefix('#').and_then(|number| number.parse().ok()) {
            Some(number) => number,
            None => {
                let wanted = name(rest)?;
                let kinds = if of.is_some() {
                    self.kit.counters()
                } else {
                    self.kit.shared_counters()
                };
                let found = kinds
                    .iter()
                    .position(|kind| kind.name.eq_ignore_ascii_case(&wanted));
                found
                    .and_then(|at| u16::try_from(at).ok())
                    .ok_or(Refusal::NoSuchCounter)?
            }
        };
        Ok(Verb::Counter {
            of,
            counter,
            change: self.change()?,
        })
    }

    fn create(&mut self) -> Read<Verb> {
        let word = self.given("the name of a card should stand here")?;
        let model = self.model(word)?;
        let count = self.number_or(1)?;
        let at = if self.eat("at") { Some(self.point()?) } else { None };
        let face = self.face().unwrap_or(Face::Up);
        let kept = self.eat("kept");
        Ok(Verb::Create(Created {
            model,
            count,
            at,
            face,
            kept,
        }))
    }

    /// The table of contents.
    /// Each line is read where the ones before it lead.
    fn together(&mut self) -> Read<Verb> {
        let mut verbs: Vec<Verb> = Vec::new();
        let mut act = crate::act::Act::new(self.kit, self.state.clone(), self.seat);
        while !self.peek().is_empty() {
            if verbs.len() >= self.kit.limits.together {
                return Err(Refusal::Limit("verbs of one step"));
            }
            let line = self.name()?;
            if let Some(last) = verbs.last() {
                // F206: a fault of ours ends the step, not the table.
                let tried = catch_unwind(AssertUnwindSafe(|| act.part(last)));
                tried.unwrap_or_else(|_| Err(Refusal::Broken("a fault of ours".to_owned())))?;
            }
            if line
                .trim_start()
                .get(..8)
                .is_some_and(|word| word.eq_ignore_ascii_case("together"))
            {
                return Err(Refusal::Impossible("that as a part of a step"));
            }
            verbs.push(parse(self.kit, &act.s, self.seat, &line)?);
        }
        if verbs.is_empty() {
            return Err(wrong("", "; a line in quotes should stand here"));
        }
        Ok(Verb::Together { verbs: verbs.into() })
    }

    fn verb(&mut self, word: &str) -> Read<Verb> {
        Ok(match word {
            "move" => {
                let cards = self.cards()?;
                self.need("to")?;
                Verb::Move {
                    cards,
                    to: self.group()?,
                    spot: self.spot()?,
                    face: self.face(),
                }
            }
            "place" => {
                let cards = self.cards()?;
                let (x, y) = self.point()?;
                Verb::Place {
                    cards,
                    x,
                    y,
                    face: self.face(),
                }
            }
            "draw" => {
                let pile = self.pile_or_deck()?;
                let count = self.number_or(1)?;
                Verb::Draw {
                    pile,
                    count,
                    end: if self.eat("bottom") { End::Bottom } else { End::Top },
                }
            }
            "moveall" => {
                let from = self.pile()?;
                self.need("to")?;
                Verb::MoveAll {
                    from,
                    to: self.group()?,
                    spot: self.spot()?,
                    random: self.eat("random"),
                }
            }
            "movetop" | "movebottom" => {
                let pile = self.pile_or_deck()?;
                let count = self.number_or(1)?;
                self.need("to")?;
                let end = if word == "movetop" { End::Top } else { End::Bottom };
                Verb::MoveTop {
                    pile,
                    end,
                    count,
                    to: self.group()?,
                    spot: self.spot()?,
                    face: self.face(),
                }
            }
            "until" => Verb::MoveUntil {
                pile: self.pile()?,
                property: self.name()?,
                text: self.text()?,
            },
            "shuffle" => {
                let pile = self.pile_or_deck()?;
                match self.end()? {
                    None => Verb::Shuffle { pile },
                    Some((end, count)) => Verb::ShufflePart { pile, end, count },
                }
            }
            "look" => {
                let pile = self.pile_or_deck()?;
                let part = self
                    .end()?
                    .map_or(Part::All, |(end, count)| Part::End(end, count));
                Verb::Look { pile, part }
            }
            "search" => Verb::Search {
                pile: self.pile_or_deck()?,
            },
            "close" => Verb::Close {
                pile: self.pile_or_deck()?,
                shuffle: self.eat("shuffle"),
            },
            "leave" => Verb::Leave {
                pile: self.pile_or_deck()?,
            },
            "reorder" => {
                let cards = self.cards()?;
                self.need("to")?;
                let word = self.word();
                let places: Option<Vec<u32>> = word
                    .split(',')
                    .map(|place| place.parse::<u32>().ok()?.checked_sub(1))
                    .collect();
                Verb::Reorder {
                    cards,
                    places: places.ok_or_else(|| wrong(word, "; places should stand here"))?,
                }
            }
            "peek" => Verb::Peek { cards: self.cards()? },
            "reveal" => {
                let cards = self.cards()?;
                let to = if self.eat("to") { self.eyes()? } else { Eyes::ALL };
                Verb::Reveal { cards, to }
            }
            "hide" => Verb::Hide { cards: self.cards()? },
            "random" => {
                let hand = self.state.hand(self.kit, self.seat);
                let named =
                    !self.peek().starts_with(|c: char| c.is_ascii_digit()) || slash(self.peek()).is_some();
                let short = ["show", "to", ""]
                    .iter()
                    .any(|other| self.peek().eq_ignore_ascii_case(other));
                let pile = if named && !short {
                    self.pile()?
                } else {
                    hand.ok_or(Refusal::NoHand)?
                };
                let count = self.number_or(1)?;
                let then = if self.eat("to") {
                    Then::Move(self.group()?)
                } else if self.eat("target") {
                    Then::Target
                } else {
                    self.eat("show");
                    Then::Show
                };
                Verb::Random { pile, count, then }
            }
            "viewers" => {
                let pile = self.pile()?;
                let viewers = if self.eat("nobody") {
                    Viewers::Nobody
                } else if self.eat("everybody") {
                    Viewers::Everybody
                } else if self.eat("byface") {
                    Viewers::ByFace
                } else {
                    Viewers::List(self.eyes()?)
                };
                Verb::SetViewers { pile, viewers }
            }
            "keeptop" => Verb::KeepTop {
                pile: self.pile()?,
                to: self.eyes()?,
            },
            "protect" => {
                let pile = self.pile()?;
                let word = self.word();
                let protection = match word {
                    "free" => Protection::Free,
                    "ask" => Protection::Ask,
                    "never" => Protection::Never,
                    _ => return Err(wrong(word, "; free, ask or never should stand here")),
                };
                Verb::Protect { pile, protection }
            }
            "turn" => {
                let cards = self.cards()?;
                let how = match self.face() {
                    Some(Face::Up) => Turning::Up,
                    Some(Face::Down) => Turning::Down,
                    None => {
                        self.eat("over");
                        Turning::Other
                    }
                };
                Verb::Turn { cards, how }
            }
            "rotate" => {
                let cards = self.cards()?;
                let to = self.eat("to");
                let by = !to && self.eat("by");
                let how = if to || by {
                    let degrees: u16 = self.number()?;
                    if !degrees.is_multiple_of(90) || degrees >= 360 {
                        return Err(Refusal::Impossible("that angle"));
                    }
                    let quarters =
                        u8::try_from(degrees / 90).map_err(|_| Refusal::Impossible("that angle"))?;
                    if to {
                        Rotation::To(quarters)
                    } else {
                        Rotation::By(quarters)
                    }
                } else {
                    Rotation::Toggle
                };
                Verb::Rotate { cards, how }
            }
            "straighten" => Verb::Straighten,
            "lock" | "unlock" => Verb::Lock {
                cards: self.cards()?,
                on: word == "lock",
            },
            "form" => {
                let cards = self.cards()?;
                let form = if self.peek().is_empty() {
                    None
                } else {
                    Some(self.number()?)
                };
                Verb::SwitchForm { cards, form }
            }
            "marker" => Verb::Marker {
                cards: self.cards()?,
                marker: self.marker()?,
                change: self.change()?,
            },
            "movemarker" | "copymarker" => {
                let from = self.cards()?;
                self.need("to")?;
                let to = self.cards()?;
                let marker = self.marker()?;
                Verb::MoveMarker {
                    from,
                    to,
                    marker,
                    count: self.number_or(1)?,
                    copy: word == "copymarker",
                }
            }
            "highlight" => Verb::Highlight {
                cards: self.cards()?,
                colour: self.colour()?,
            },
            "filter" => Verb::Filter {
                cards: self.cards()?,
                colour: self.colour()?,
            },
            "counter" => self.counter()?,
            "anchor" | "unanchor" => Verb::Anchor {
                cards: self.cards()?,
                on: word == "anchor",
            },
            "create" => self.create()?,
            "copy" => Verb::Copy { cards: self.cards()? },
            "delete" => Verb::Delete { cards: self.cards()? },
            "target" | "untarget" => Verb::Target {
                cards: self.cards()?,
                on: word == "target",
            },
            "arrow" => {
                let from = self.cards()?;
                self.need("to")?;
                Verb::Arrow {
                    from,
                    to: self.cards()?,
                }
            }
            "together" => self.together()?,
            "clearmarks" => Verb::ClearMarks,
            "point" => Verb::Point { cards: self.cards()? },
            "shake" => Verb::Shake { cards: self.cards()? },
            "front" => Verb::Front { cards: self.cards()? },
            "back" => Verb::Back { cards: self.cards()? },
            "arrange" => {
                let cards = self.cards()?;
                let columns = if self.eat("stack") {
                    0
                } else if self.eat("row") {
                    u32::MAX
                } else {
                    self.number()?
                };
                Verb::Arrange { cards, columns }
            }
            "attach" => {
                let cards = self.cards()?;
                self.need("to")?;
                Verb::Attach {
                    cards,
                    to: Some(self.cards()?),
                }
            }
            "detach" => Verb::Attach {
                cards: self.cards()?,
                to: None,
            },
            "give" => {
                let cards = self.cards()?;
                self.need("to")?;
                Verb::Give {
                    cards,
                    to: self.seat()?,
                }
            }
            "givepile" => {
                let pile = self.pile()?;
                self.need("to")?;
                Verb::GivePile {
                    pile,
                    to: self.seat()?,
                }
            }
            "take" => Verb::Take { cards: self.cards()? },
            "takepile" => Verb::TakePile { pile: self.pile()? },
            "note" => {
                let (x, y) = if self.is_point() { self.point()? } else { (0, 0) };
                let private = self.eat("private");
                Verb::Note {
                    text: self.text()?,
                    x,
                    y,
                    private,
                }
            }
            "editnote" => Verb::EditNote {
                note: self.number()?,
                text: self.text()?,
            },
            "movenote" => {
                let note = self.number()?;
                let (x, y) = self.point()?;
                Verb::MoveNote { note, x, y }
            }
            "removenote" => Verb::RemoveNote { note: self.number()? },
            "cardnote" => {
                let cards = self.cards()?;
                let empty = self.rest.trim().is_empty();
                Verb::CardNote {
                    cards,
                    text: if empty { String::new() } else { self.text()? },
                }
            }
            "roll" => self.roll()?,
            "coin" => Verb::Coin {
                count: self.number_or(1)?,
            },
            "number" => Verb::Number {
                from: self.number()?,
                to: self.number()?,
            },
            "order" => Verb::Order,
            "seal" => Verb::Seal { text: self.text()? },
            "open" => Verb::Open,
            "openall" => Verb::OpenAll,
            "phase" => Verb::Phase {
                phase: self.phase()?,
                force: self.eat("force"),
            },
            "stop" | "unstop" => {
                let phase = if self.eat("end") {
                    None
                } else {
                    Some(self.phase()?)
                };
                Verb::Stop {
                    phase,
                    on: word == "stop",
                }
            }
            "pass" => {
                let to = if self.is_seat() { Some(self.seat()?) } else { None };
                Verb::PassTurn {
                    to,
                    force: self.eat("force"),
                }
            }
            "active" => Verb::SetActive {
                seat: if self.eat("none") {
                    None
                } else {
                    Some(self.seat()?)
                },
            },
            "ready" | "unready" => Verb::Ready { on: word == "ready" },
            "mulligan" => {
                let count = if self.peek().is_empty() {
                    None
                } else {
                    Some(self.number()?)
                };
                Verb::Mulligan { count }
            }
            "hand" => {
                let usual = self
                    .state
                    .seats
                    .get(self.seat.index())
                    .map_or(7, |seat| seat.opening_hand);
                Verb::OpeningHand {
                    count: self.number_or(usual)?,
                    everyone: self.eat("everyone"),
                }
            }
            "board" => self.board()?,
            "background" => Verb::Background,
            "say" => Verb::Say { text: self.text()? },
            "me" => Verb::Me { text: self.text()? },
            "announce" => Verb::Announce { text: self.text()? },
            "whisper" => Verb::Whisper {
                to: self.seat()?,
                text: self.text()?,
            },
            "sound" => Verb::Sound { name: self.text()? },
            "concede" => Verb::Concede,
            "reset" => Verb::Reset {
                soft: !self.eat("hard"),
            },
            "load" => Verb::Load { deck: self.deck()? },
            "sideboard" => Verb::Sideboard { deck: self.deck()? },
            "build" => Verb::BuildDeck { deck: self.deck()? },
            "packs" => {
                let mut packs = Vec::new();
                while !self.peek().is_empty() {
                    let word = self.word();
                    let pack = word
                        .split_once('.')
                        .and_then(|(set, pack)| Some((set.parse().ok()?, pack.parse().ok()?)));
                    packs.push(pack.ok_or_else(|| wrong(word, "; SET.PACK should stand here"))?);
                }
                Verb::OpenPacks { packs }
            }
            "clear" => Verb::Clear,
            "showdeck" => Verb::ShowDeck { to: self.eyes()? },
            "undo" => Verb::Undo {
                steps: self.number_or(1)?,
            },
            "propose" => Verb::Propose { step: self.number()? },
            "redo" => Verb::Redo,
            "answer" => {
                let question = self.number()?;
                let always = self.eat("always");
                let yes = always || self.eat("yes");
                if !yes && !self.eat("no") {
                    return Err(wrong(self.peek(), "; yes, no or always should stand here"));
                }
                Verb::Answer {
                    question,
                    yes,
                    always,
                }
            }
            "endgame" => Verb::EndGame,
            "showhidden" => Verb::ShowHidden,
            "addseat" => Verb::AddSeat { name: self.text()? },
            "rename" => Verb::Rename { name: self.text()? },
            "away" => Verb::Away { seat: self.seat()? },
            "present" => Verb::Present { seat: self.seat()? },
            "timeout" => Verb::TimeOut {
                question: self.number()?,
            },
            _ => return Err(unknown(word)),
        })
    }

    fn board(&mut self) -> Read<Verb> {
        if self.eat("none") {
            return Ok(Verb::Board { board: None });
        }
        let word = self.given("a board should stand here, by number or name, or `none`")?;
        if let Ok(number) = word.parse() {
            return Ok(Verb::Board { board: Some(number) });
        }
        let wanted = name(word)?;
        let boards = &self.kit.package.definition.tabletop.boards;
        let found = boards
            .iter()
            .position(|board| board.name.eq_ignore_ascii_case(&wanted));
        let at = found
            .and_then(|at| u16::try_from(at).ok())
            .ok_or(Refusal::NoSuchBoard)?;
        Ok(Verb::Board { board: Some(at) })
    }
}

/// A name, without its quotes if it has some.
fn name(word: &str) -> Read<String> {
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
            '\\' => out.extend(chars.next()),
            c => out.push(c),
        }
    }
    Err(wrong(word, "; a quote is not closed"))
}

/// What stands before and after the first slash outside quotes.
fn slash(word: &str) -> Option<(&str, &str)> {
    outside(word, '/')
}

fn colon(word: &str) -> Option<(&str, &str)> {
    outside(word, ':')
}

fn outside(word: &str, wanted: char) -> Option<(&str, &str)> {
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

// ---- writing ------------------------------------------------------------------------------------

/// A verb as a line.
pub(crate) fn write(kit: &Kit, state: &State, verb: &Verb) -> String {
    let w = Writer { kit, state };
    w.verb(verb)
}

struct Writer<'a> {
    kit: &'a Kit,
    state: &'a State,
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A name that needs no quotes stands without.
fn bare(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
    let starts = text.starts_with(char::is_alphabetic);
    if plain && starts {
        text.to_owned()
    } else {
        quoted(text)
    }
}

impl Writer<'_> {
    fn pile(&self, pile: PileId) -> String {
        let Some(found) = self.state.piles.get(pile.index()) else {
            return format!("#{}", pile.0);
        };
        let owner = found
            .owner
            .map_or_else(|| "*".to_owned(), |owner| owner.to_string());
        let name = &found.kind(self.kit).name;
        let first = self.state.piles.iter().position(|other| {
            let kind = other.kind(self.kit);
            other.owner == found.owner && (kind.name == *name || kind.written == *name)
        });
        if first == Some(pile.index()) {
            return format!("{owner}/{}", bare(name));
        }
        format!("{owner}/#{}", pile.0)
    }

    fn group(&self, group: Group) -> String {
        match group {
            Group::Table => "table".to_owned(),
            Group::Pile(pile) => self.pile(pile),
        }
    }

    fn cards(&self, cards: &Cards) -> String {
        let refs: Vec<String> = cards
            .cards
            .iter()
            .map(|card| match card {
                CardAt::Handle(handle) => handle.to_string(),
                CardAt::Place(place) => format!("@{}", u64::from(*place) + 1),
            })
            .collect();
        format!("{}:{}", self.group(cards.group), refs.join(","))
    }

    fn model(&self, model: &Model) -> String {
        match model {
            Model::Blank(name) => format!("={}", quoted(name)),
            Model::Card(index) => {
                let id = self.kit.card(model).map(|card| card.id.value);
                match id.filter(|id| self.kit.by_id(*id).as_ref() == Some(model)) {
                    Some(id) => format!("={id}"),
                    None => format!("=#{index}"),
                }
            }
        }
    }

    fn deck(&self, deck: &DeckList) -> String {
        let mut out = quoted(&deck.name);
        if let Some(sleeve) = &deck.sleeve {
            let _ = write!(out, " sleeve {}", quoted(sleeve));
        }
        for part in &deck.parts {
            let kind = if part.shared { "shared" } else { "own" };
            let pile = part.pile.map_or("-".to_owned(), |pile| pile.to_string());
            let _ = write!(out, " section {} {kind} {pile}", quoted(&part.section));
            for (model, count) in &part.cards {
                let _ = write!(out, " {count}*{}", self.model(model));
            }
        }
        out
    }

    #[expect(clippy::too_many_lines, reason = "a table: one line for each verb")]
    fn verb(&self, verb: &Verb) -> String {
        match verb {
            Verb::Move {
                cards,
                to,
                spot,
                face,
            } => {
                format!(
                    "move {} to {}{}{}",
                    self.cards(cards),
                    self.group(*to),
                    spot_text(*spot),
                    face_text(*face)
                )
            }
            Verb::Place { cards, x, y, face } => {
                format!("place {} {x},{y}{}", self.cards(cards), face_text(*face))
            }
            Verb::Draw { pile, count, end } => {
                format!("draw {} {count}{}", self.pile(*pile), bottom_text(*end))
            }
            Verb::MoveAll {
                from,
                to,
                spot,
                random,
            } => {
                let random = if *random { " random" } else { "" };
                format!(
                    "moveall {} to {}{}{random}",
                    self.pile(*from),
                    self.group(*to),
                    spot_text(*spot)
                )
            }
            Verb::MoveTop {
                pile,
                end,
                count,
                to,
                spot,
                face,
            } => {
                let word = if *end == End::Top { "movetop" } else { "movebottom" };
                let (pile, to) = (self.pile(*pile), self.group(*to));
                format!(
                    "{word} {pile} {count} to {to}{}{}",
                    spot_text(*spot),
                    face_text(*face)
                )
            }
            Verb::MoveUntil { pile, property, text } => {
                format!("until {} {} {}", self.pile(*pile), quoted(property), quoted(text))
            }
            Verb::Shuffle { pile } => format!("shuffle {}", self.pile(*pile)),
            Verb::ShufflePart { pile, end, count } => {
                format!("shuffle {} {} {count}", self.pile(*pile), end_text(*end))
            }
            Verb::Look {
                pile,
                part: Part::All,
            } => format!("look {}", self.pile(*pile)),
            Verb::Look {
                pile,
                part: Part::End(end, count),
            } => {
                format!("look {} {} {count}", self.pile(*pile), end_text(*end))
            }
            Verb::Search { pile } => format!("search {}", self.pile(*pile)),
            Verb::Close { pile, shuffle } => {
                format!(
                    "close {}{}",
                    self.pile(*pile),
                    if *shuffle { " shuffle" } else { "" }
                )
            }
            Verb::Leave { pile } => format!("leave {}", self.pile(*pile)),
            Verb::Reorder { cards, places } => {
                let places: Vec<String> = places
                    .iter()
                    .map(|place| (u64::from(*place) + 1).to_string())
                    .collect();
                format!("reorder {} to {}", self.cards(cards), places.join(","))
            }
            Verb::Peek { cards } => format!("peek {}", self.cards(cards)),
            Verb::Reveal { cards, to } => format!("reveal {} to {}", self.cards(cards), eyes_text(*to)),
            Verb::Hide { cards } => format!("hide {}", self.cards(cards)),
            Verb::Random { pile, count, then } => {
                let then = match then {
                    Then::Show => "show".to_owned(),
                    Then::Target => "target".to_owned(),
                    Then::Move(to) => format!("to {}", self.group(*to)),
                };
                format!("random {} {count} {then}", self.pile(*pile))
            }
            Verb::SetViewers { pile, viewers } => {
                let viewers = match viewers {
                    Viewers::Nobody => "nobody".to_owned(),
                    Viewers::Everybody => "everybody".to_owned(),
                    Viewers::ByFace => "byface".to_owned(),
                    Viewers::List(eyes) => eyes_list(*eyes),
                };
                format!("viewers {} {viewers}", self.pile(*pile))
            }
            Verb::KeepTop { pile, to } => format!("keeptop {} {}", self.pile(*pile), eyes_text(*to)),
            Verb::Protect { pile, protection } => {
                let how = match protection {
                    Protection::Free => "free",
                    Protection::Ask => "ask",
                    Protection::Never => "never",
                };
                format!("protect {} {how}", self.pile(*pile))
            }
            Verb::Turn { cards, how } => {
                let how = match how {
                    Turning::Up => "up",
                    Turning::Down => "down",
                    Turning::Other => "over",
                };
                format!("turn {} {how}", self.cards(cards))
            }
            Verb::Rotate { cards, how } => {
                let how = match how {
                    Rotation::To(quarters) => format!(" to {}", u16::from(quarters % 4) * 90),
                    Rotation::By(quarters) => format!(" by {}", u16::from(quarters % 4) * 90),
                    Rotation::Toggle => String::new(),
                };
                format!("rotate {}{how}", self.cards(cards))
            }
            Verb::Straighten => "straighten".to_owned(),
            Verb::Lock { cards, on } => {
                format!("{} {}", if *on { "lock" } else { "unlock" }, self.cards(cards))
            }
            Verb::SwitchForm { cards, form } => {
                let form = form.map_or(String::new(), |form| format!(" {form}"));
                format!("form {}{form}", self.cards(cards))
            }
            Verb::Marker {
                cards,
                marker,
                change,
            } => {
                format!("marker {} #{marker} {}", self.cards(cards), change_text(*change))
            }
            Verb::MoveMarker {
                from,
                to,
                marker,
                count,
                copy,
            } => {
                let word = if *copy { "copymarker" } else { "movemarker" };
                format!(
                    "{word} {} to {} #{marker} {count}",
                    self.cards(from),
                    self.cards(to)
                )
            }
            Verb::Highlight { cards, colour } => {
                format!("highlight {} {}", self.cards(cards), colour_text(*colour))
            }
            Verb::Filter { cards, colour } => {
                format!("filter {} {}", self.cards(cards), colour_text(*colour))
            }
            Verb::Counter { of, counter, change } => {
                let of = of.map_or_else(|| "*".to_owned(), |seat| seat.to_string());
                format!("counter {of}/#{counter} {}", change_text(*change))
            }
            Verb::Anchor { cards, on } => format!(
                "{} {}",
                if *on { "anchor" } else { "unanchor" },
                self.cards(cards)
            ),
            Verb::Create(Created {
                model,
                count,
                at,
                face,
                kept,
            }) => {
                let at = at.map_or(String::new(), |(x, y)| format!(" at {x},{y}"));
                let kept = if *kept { " kept" } else { "" };
                let down = if *face == Face::Down { " down" } else { "" };
                format!("create {} {count}{at}{down}{kept}", self.model(model))
            }
            Verb::Copy { cards } => format!("copy {}", self.cards(cards)),
            Verb::Delete { cards } => format!("delete {}", self.cards(cards)),
            Verb::Target { cards, on } => format!(
                "{} {}",
                if *on { "target" } else { "untarget" },
                self.cards(cards)
            ),
            Verb::Arrow { from, to } => format!("arrow {} to {}", self.cards(from), self.cards(to)),
            Verb::Together { verbs } => {
                let lines = verbs.iter().map(|verb| quoted(&self.verb(verb)));
                format!("together {}", lines.collect::<Vec<_>>().join(" "))
            }
            Verb::ClearMarks => "clearmarks".to_owned(),
            Verb::Point { cards } => format!("point {}", self.cards(cards)),
            Verb::Shake { cards } => format!("shake {}", self.cards(cards)),
            Verb::Front { cards } => format!("front {}", self.cards(cards)),
            Verb::Back { cards } => format!("back {}", self.cards(cards)),
            Verb::Arrange { cards, columns } => format!("arrange {} {columns}", self.cards(cards)),
            Verb::Attach { cards, to: Some(to) } => {
                format!("attach {} to {}", self.cards(cards), self.cards(to))
            }
            Verb::Attach { cards, to: None } => format!("detach {}", self.cards(cards)),
            Verb::Give { cards, to } => format!("give {} to {to}", self.cards(cards)),
            Verb::GivePile { pile, to } => format!("givepile {} to {to}", self.pile(*pile)),
            Verb::Take { cards } => format!("take {}", self.cards(cards)),
            Verb::TakePile { pile } => format!("takepile {}", self.pile(*pile)),
            Verb::Note { text, x, y, private } => {
                format!(
                    "note {x},{y}{} {}",
                    if *private { " private" } else { "" },
                    quoted(text)
                )
            }
            Verb::EditNote { note, text } => format!("editnote {note} {}", quoted(text)),
            Verb::MoveNote { note, x, y } => format!("movenote {note} {x},{y}"),
            Verb::RemoveNote { note } => format!("removenote {note}"),
            Verb::CardNote { cards, text } => format!("cardnote {} {}", self.cards(cards), quoted(text)),
            Verb::Roll { dice, sides, add } => format!("roll {dice}d{sides}{add:+}"),
            Verb::Coin { count } => format!("coin {count}"),
            Verb::Number { from, to } => format!("number {from} {to}"),
            Verb::Order => "order".to_owned(),
            Verb::Seal { text } => format!("seal {}", quoted(text)),
            Verb::Open => "open".to_owned(),
            Verb::OpenAll => "openall".to_owned(),
            Verb::Phase { phase, force } => format!("phase {phase}{}", force_text(*force)),
            Verb::Stop { phase, on } => {
                let phase = phase.map_or("end".to_owned(), |phase| phase.to_string());
                format!("{} {phase}", if *on { "stop" } else { "unstop" })
            }
            Verb::PassTurn { to, force } => {
                let to = to.map_or(String::new(), |seat| format!(" {seat}"));
                format!("pass{to}{}", force_text(*force))
            }
            Verb::SetActive { seat } => {
                format!(
                    "active {}",
                    seat.map_or("none".to_owned(), |seat| seat.to_string())
                )
            }
            Verb::Ready { on } => if *on { "ready" } else { "unready" }.to_owned(),
            Verb::Mulligan { count } => {
                format!(
                    "mulligan{}",
                    count.map_or(String::new(), |count| format!(" {count}"))
                )
            }
            Verb::OpeningHand { count, everyone } => {
                format!("hand {count}{}", if *everyone { " everyone" } else { "" })
            }
            Verb::Board { board } => {
                format!(
                    "board {}",
                    board.map_or("none".to_owned(), |board| board.to_string())
                )
            }
            Verb::Background => "background".to_owned(),
            Verb::Say { text } => format!("say {}", quoted(text)),
            Verb::Me { text } => format!("me {}", quoted(text)),
            Verb::Announce { text } => format!("announce {}", quoted(text)),
            Verb::Whisper { to, text } => format!("whisper {to} {}", quoted(text)),
            Verb::Sound { name } => format!("sound {}", quoted(name)),
            Verb::Concede => "concede".to_owned(),
            Verb::Reset { soft } => if *soft { "reset" } else { "reset hard" }.to_owned(),
            Verb::Sideboard { deck } => format!("sideboard {}", self.deck(deck)),
            Verb::Load { deck } => format!("load {}", self.deck(deck)),
            Verb::Clear => "clear".to_owned(),
            Verb::OpenPacks { packs } => {
                let packs: Vec<String> = packs.iter().map(|(set, pack)| format!("{set}.{pack}")).collect();
                format!("packs {}", packs.join(" "))
            }
            Verb::BuildDeck { deck } => format!("build {}", self.deck(deck)),
            Verb::ShowDeck { to } => format!("showdeck {}", eyes_text(*to)),
            Verb::Undo { steps } => format!("undo {steps}"),
            Verb::Propose { step } => format!("propose {step}"),
            Verb::Redo => "redo".to_owned(),
            Verb::Answer {
                question,
                yes,
                always,
            } => {
                let word = match (yes, always) {
                    (true, true) => "always",
                    (true, false) => "yes",
                    (false, _) => "no",
                };
                format!("answer {question} {word}")
            }
            Verb::EndGame => "endgame".to_owned(),
            Verb::ShowHidden => "showhidden".to_owned(),
            Verb::AddSeat { name } => format!("addseat {}", quoted(name)),
            Verb::Rename { name } => format!("rename {}", quoted(name)),
            Verb::Away { seat } => format!("away {seat}"),
            Verb::Present { seat } => format!("present {seat}"),
            Verb::TimeOut { question } => format!("timeout {question}"),
        }
    }
}

fn spot_text(spot: Spot) -> String {
    match spot {
        Spot::Usual => String::new(),
        Spot::Top => " top".to_owned(),
        Spot::Bottom => " bottom".to_owned(),
        Spot::At(at) if at < 0 => format!(" at {at}"),
        Spot::At(at) => format!(" at {}", i64::from(at) + 1),
    }
}

fn face_text(face: Option<Face>) -> &'static str {
    match face {
        None => "",
        Some(Face::Up) => " up",
        Some(Face::Down) => " down",
    }
}

fn end_text(end: End) -> &'static str {
    match end {
        End::Top => "top",
        End::Bottom => "bottom",
    }
}

fn bottom_text(end: End) -> &'static str {
    match end {
        End::Top => "",
        End::Bottom => " bottom",
    }
}

fn force_text(force: bool) -> &'static str {
    if force { " force" } else { "" }
}

fn change_text(change: Change) -> String {
    match change {
        Change::By(by) => format!("{by:+}"),
        Change::To(to) => format!("={to}"),
    }
}

fn colour_text(colour: Option<Colour>) -> String {
    colour.map_or_else(|| "none".to_owned(), |colour| colour.to_string())
}

fn eyes_text(eyes: Eyes) -> String {
    match eyes {
        Eyes::ALL => "everybody".to_owned(),
        Eyes::NONE => "nobody".to_owned(),
        eyes => eyes_list(eyes),
    }
}

fn eyes_list(eyes: Eyes) -> String {
    let mut parts: Vec<String> = eyes.seats().map(|seat| seat.to_string()).collect();
    if eyes.has(Looker::Spectators) {
        parts.push("spectators".to_owned());
    }
    if parts.is_empty() {
        "nobody".to_owned()
    } else {
        parts.join(",")
    }
}
