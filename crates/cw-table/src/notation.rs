//! Verbs as lines of text: for the prompt, the record and `Rules/table.toml`.
//!
//! A line is the verb's word and its arguments. Cards are `GROUP:REF,REF`; a reference is a handle of the seat's own
//! view, or `@n` for the n-th card from the top of an ordered pile. Groups are `table`, `Name` (one's own
//! pile), `2/Name` (seat 2's), `*/Name` (shared). A name with other characters stands in quotes. What is written
//! by [`FreeTable::write`] is read by [`FreeTable::parse`] as the same verb.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::{
    ArrivalSpot, CardAt, CardGroup, CardSide, Colour, Created, DeckList, DeckPart, FreeTable, Kit, Looker,
    LookerSet, NumberChange, PileEnd, PileId, PilePart, Protection, Rotation, TableCardId, TableModel,
    TableSeat, TableState, TableVerb, Then, Turning, VerbCards, VerbRefusal, Viewers,
};

/// A deck as a line has it: a pile by its number among the kinds of piles.
const DECK: &str = "NAME section SECTION own|shared N|- N*CARD …";

/// How the verbs that only the host may say are told ([`TableVerb::is_of_host`]).
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

impl FreeTable {
    /// Reads a line as a verb of a seat.
    ///
    /// # Errors
    /// If it is none; with the nearest word.
    pub fn parse(&self, seat: TableSeat, line: &str) -> Result<TableVerb, VerbRefusal> {
        parse(self.kit(), self.state(), seat, line)
    }

    /// Reads several lines as one step: all of them are done, or none (F63).
    ///
    /// # Errors
    /// If one of them is no verb, or is not possible where those before it lead.
    pub fn parse_together(&self, seat: TableSeat, lines: &[String]) -> Result<TableVerb, VerbRefusal> {
        match lines {
            [line] => self.parse(seat, line),
            _ => {
                let quoted: Vec<String> = lines.iter().map(|line| quoted(line)).collect();
                self.parse(seat, &format!("together {}", quoted.join(" ")))
            }
        }
    }

    /// A verb of a seat as a line, in the present state.
    pub fn write(&self, verb: &TableVerb) -> String {
        write(self.kit(), self.state(), verb)
    }
}

// ---- reading ------------------------------------------------------------------------------------

/// Reads a line as a verb.
pub(crate) fn parse(
    kit: &Kit,
    state: &TableState,
    seat: TableSeat,
    line: &str,
) -> Result<TableVerb, VerbRefusal> {
    if line.len() > kit.limits.request {
        return Err(VerbRefusal::Limit("bytes of a request"));
    }
    let mut p = NotationParser {
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

fn wrong(what: &str, help: &str) -> VerbRefusal {
    if what.is_empty() {
        let missing = help.trim_start_matches("; ");
        return VerbRefusal::Incomplete(missing.to_owned());
    }
    let shown: String = what.chars().take(60).collect();
    VerbRefusal::NotUnderstood(shown, help.to_owned())
}

/// No verb begins so; with the nearest word.
fn unknown(word: &str) -> VerbRefusal {
    let near = cw_text::nearest(word, VERBS.iter().map(|(word, ..)| *word));
    let help = near.map_or(String::new(), |near| format!("; did you mean “{near}”?"));
    wrong(word, &help)
}

struct NotationParser<'a> {
    kit: &'a Kit,
    state: &'a TableState,
    seat: TableSeat,
    rest: &'a str,
}

type Read<T> = Result<T, VerbRefusal>;

impl<'a> NotationParser<'a> {
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

    fn seat(&mut self) -> Read<TableSeat> {
        let word = self.given("a seat should stand here")?;
        self.seat_of(word)
    }

    fn seat_of(&self, word: &str) -> Read<TableSeat> {
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

    fn is_seat(&self) -> bool {
        let word = self.peek();
        !word.is_empty() && self.seat_of(word).is_ok()
    }

    fn group(&mut self) -> Read<CardGroup> {
        let word = self.given("a pile or `table` should stand here")?;
        self.group_of(word)
    }

    fn group_of(&self, word: &str) -> Read<CardGroup> {
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

    fn pile(&mut self) -> Read<PileId> {
        match self.group()? {
            CardGroup::Pile(pile) => Ok(pile),
            CardGroup::Table => Err(VerbRefusal::NoSuchPile),
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
            return self.state.deck(self.kit, self.seat).ok_or(VerbRefusal::NoDeck);
        }
        self.pile()
    }

    /// `GROUP:REF,REF`; a group that is left out is where the first handle lies.
    fn cards(&mut self) -> Read<VerbCards> {
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
                        .map_err(|_| wrong(part, "; a place should stand here"))?;
                    CardAt::Place(place.checked_sub(1).ok_or(VerbRefusal::Moved)?)
                }
                None => CardAt::Handle(
                    part.parse()
                        .map_err(|_| wrong(part, "; cards should stand here"))?,
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

    /// `table:mine` are the cards that the seat controls there, `table:targeted` those that it targets, `table:all` all.
    fn cards_meant(&self, group: CardGroup, word: &str) -> Read<VerbCards> {
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

    fn spot(&mut self) -> Read<ArrivalSpot> {
        if self.eat("top") {
            return Ok(ArrivalSpot::Top);
        }
        if self.eat("bottom") {
            return Ok(ArrivalSpot::Bottom);
        }
        if self.eat("at") {
            let word = self.peek();
            let place: i32 = self.number()?;
            return match place {
                0 => Err(wrong(word, "; places count from 1, from the end from -1")),
                1.. => Ok(ArrivalSpot::At(place - 1)),
                _ => Ok(ArrivalSpot::At(place)),
            };
        }
        Ok(ArrivalSpot::Usual)
    }

    fn face(&mut self) -> Option<CardSide> {
        if self.eat("up") {
            return Some(CardSide::Up);
        }
        self.eat("down").then_some(CardSide::Down)
    }

    /// `top N` or `bottom N`.
    fn end(&mut self) -> Read<Option<(PileEnd, u32)>> {
        let end = if self.eat("top") {
            PileEnd::Top
        } else if self.eat("bottom") {
            PileEnd::Bottom
        } else {
            return Ok(None);
        };
        Ok(Some((end, self.number_or(1)?)))
    }

    fn eyes(&mut self) -> Read<LookerSet> {
        let word = self.given("seats, `everybody` or `nobody` should stand here")?;
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

    fn change(&mut self) -> Read<NumberChange> {
        let word = self.given("+N, -N or =N should stand here")?;
        let number = |text: &str| {
            text.parse::<i64>()
                .map_err(|_| wrong(word, "; +N, -N or =N should stand here"))
        };
        match word.strip_prefix('=') {
            Some(to) => Ok(NumberChange::To(number(to)?)),
            None => Ok(NumberChange::By(number(word)?)),
        }
    }

    fn marker(&mut self) -> Read<u16> {
        let word = self.given("the name of a marker should stand here")?;
        if let Some(number) = word.strip_prefix('#').and_then(|number| number.parse().ok()) {
            return Ok(number);
        }
        let wanted = name(word)?;
        self.kit.marker(&wanted).ok_or(VerbRefusal::NoSuchMarker)
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
        (1..=self.kit.phases())
            .find(named)
            .ok_or(VerbRefusal::NoSuchPhase)
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
    fn model(&self, word: &str) -> Read<TableModel> {
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
            return Err(VerbRefusal::EmptyDeck(deck.name));
        }
        Ok(Arc::new(deck))
    }

    fn roll(&mut self) -> Read<TableVerb> {
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
        Ok(TableVerb::Roll { dice, sides, add })
    }

    fn counter(&mut self) -> Read<TableVerb> {
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
                    .ok_or(VerbRefusal::NoSuchCounter)?
            }
        };
        Ok(TableVerb::Counter {
            of,
            counter,
            change: self.change()?,
        })
    }

    fn create(&mut self) -> Read<TableVerb> {
        let word = self.given("the name of a card should stand here")?;
        let model = self.model(word)?;
        let count = self.number_or(1)?;
        let at = if self.eat("at") { Some(self.point()?) } else { None };
        let face = self.face().unwrap_or(CardSide::Up);
        let kept = self.eat("kept");
        Ok(TableVerb::Create(Created {
            model,
            count,
            at,
            face,
            kept,
        }))
    }

    /// The table of contents.
    /// Each line is read where the ones before it lead.
    fn together(&mut self) -> Read<TableVerb> {
        let mut verbs: Vec<TableVerb> = Vec::new();
        let mut act = crate::act::VerbAct::new(self.kit, self.state.clone(), self.seat);
        while !self.peek().is_empty() {
            if verbs.len() >= self.kit.limits.together {
                return Err(VerbRefusal::Limit("verbs of one step"));
            }
            let line = self.name()?;
            if let Some(last) = verbs.last() {
                // F206: a fault of ours ends the step, not the table.
                let tried = catch_unwind(AssertUnwindSafe(|| act.part(last)));
                tried.unwrap_or_else(|_| Err(VerbRefusal::Broken("a fault of ours".to_owned())))?;
            }
            if line
                .trim_start()
                .get(..8)
                .is_some_and(|word| word.eq_ignore_ascii_case("together"))
            {
                return Err(VerbRefusal::Impossible("that as a part of a step"));
            }
            verbs.push(parse(self.kit, &act.s, self.seat, &line)?);
        }
        if verbs.is_empty() {
            return Err(wrong("", "; a line in quotes should stand here"));
        }
        Ok(TableVerb::Together { verbs: verbs.into() })
    }

    fn verb(&mut self, word: &str) -> Read<TableVerb> {
        Ok(match word {
            "move" => {
                let cards = self.cards()?;
                self.need("to")?;
                TableVerb::Move {
                    cards,
                    to: self.group()?,
                    spot: self.spot()?,
                    face: self.face(),
                }
            }
            "place" => {
                let cards = self.cards()?;
                let (x, y) = self.point()?;
                TableVerb::Place {
                    cards,
                    x,
                    y,
                    face: self.face(),
                }
            }
            "draw" => {
                let pile = self.pile_or_deck()?;
                let count = self.number_or(1)?;
                TableVerb::Draw {
                    pile,
                    count,
                    end: if self.eat("bottom") {
                        PileEnd::Bottom
                    } else {
                        PileEnd::Top
                    },
                }
            }
            "moveall" => {
                let from = self.pile()?;
                self.need("to")?;
                TableVerb::MoveAll {
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
                let end = if word == "movetop" {
                    PileEnd::Top
                } else {
                    PileEnd::Bottom
                };
                TableVerb::MoveTop {
                    pile,
                    end,
                    count,
                    to: self.group()?,
                    spot: self.spot()?,
                    face: self.face(),
                }
            }
            "until" => TableVerb::MoveUntil {
                pile: self.pile()?,
                property: self.name()?,
                text: self.text()?,
            },
            "shuffle" => {
                let pile = self.pile_or_deck()?;
                match self.end()? {
                    None => TableVerb::Shuffle { pile },
                    Some((end, count)) => TableVerb::ShufflePart { pile, end, count },
                }
            }
            "look" => {
                let pile = self.pile_or_deck()?;
                let part = self
                    .end()?
                    .map_or(PilePart::All, |(end, count)| PilePart::End(end, count));
                TableVerb::Look { pile, part }
            }
            "search" => TableVerb::Search {
                pile: self.pile_or_deck()?,
            },
            "close" => TableVerb::Close {
                pile: self.pile_or_deck()?,
                shuffle: self.eat("shuffle"),
            },
            "leave" => TableVerb::Leave {
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
                TableVerb::Reorder {
                    cards,
                    places: places.ok_or_else(|| wrong(word, "; places should stand here"))?,
                }
            }
            "peek" => TableVerb::Peek { cards: self.cards()? },
            "reveal" => {
                let cards = self.cards()?;
                let to = if self.eat("to") {
                    self.eyes()?
                } else {
                    LookerSet::ALL
                };
                TableVerb::Reveal { cards, to }
            }
            "hide" => TableVerb::Hide { cards: self.cards()? },
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
                    hand.ok_or(VerbRefusal::NoHand)?
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
                TableVerb::Random { pile, count, then }
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
                TableVerb::SetViewers { pile, viewers }
            }
            "keeptop" => TableVerb::KeepTop {
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
                TableVerb::Protect { pile, protection }
            }
            "turn" => {
                let cards = self.cards()?;
                let how = match self.face() {
                    Some(CardSide::Up) => Turning::Up,
                    Some(CardSide::Down) => Turning::Down,
                    None => {
                        self.eat("over");
                        Turning::Other
                    }
                };
                TableVerb::Turn { cards, how }
            }
            "rotate" => {
                let cards = self.cards()?;
                let to = self.eat("to");
                let by = !to && self.eat("by");
                let how = if to || by {
                    let degrees: u16 = self.number()?;
                    if !degrees.is_multiple_of(90) || degrees >= 360 {
                        return Err(VerbRefusal::Impossible("that angle"));
                    }
                    let quarters =
                        u8::try_from(degrees / 90).map_err(|_| VerbRefusal::Impossible("that angle"))?;
                    if to {
                        Rotation::To(quarters)
                    } else {
                        Rotation::By(quarters)
                    }
                } else {
                    Rotation::Toggle
                };
                TableVerb::Rotate { cards, how }
            }
            "straighten" => TableVerb::Straighten,
            "lock" | "unlock" => TableVerb::Lock {
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
                TableVerb::SwitchForm { cards, form }
            }
            "marker" => TableVerb::Marker {
                cards: self.cards()?,
                marker: self.marker()?,
                change: self.change()?,
            },
            "movemarker" | "copymarker" => {
                let from = self.cards()?;
                self.need("to")?;
                let to = self.cards()?;
                let marker = self.marker()?;
                TableVerb::MoveMarker {
                    from,
                    to,
                    marker,
                    count: self.number_or(1)?,
                    copy: word == "copymarker",
                }
            }
            "highlight" => TableVerb::Highlight {
                cards: self.cards()?,
                colour: self.colour()?,
            },
            "filter" => TableVerb::Filter {
                cards: self.cards()?,
                colour: self.colour()?,
            },
            "counter" => self.counter()?,
            "anchor" | "unanchor" => TableVerb::Anchor {
                cards: self.cards()?,
                on: word == "anchor",
            },
            "create" => self.create()?,
            "copy" => TableVerb::Copy { cards: self.cards()? },
            "delete" => TableVerb::Delete { cards: self.cards()? },
            "target" | "untarget" => TableVerb::Target {
                cards: self.cards()?,
                on: word == "target",
            },
            "arrow" => {
                let from = self.cards()?;
                self.need("to")?;
                TableVerb::Arrow {
                    from,
                    to: self.cards()?,
                }
            }
            "together" => self.together()?,
            "clearmarks" => TableVerb::ClearMarks,
            "point" => TableVerb::Point { cards: self.cards()? },
            "shake" => TableVerb::Shake { cards: self.cards()? },
            "front" => TableVerb::Front { cards: self.cards()? },
            "back" => TableVerb::Back { cards: self.cards()? },
            "arrange" => {
                let cards = self.cards()?;
                let columns = if self.eat("stack") {
                    0
                } else if self.eat("row") {
                    u32::MAX
                } else {
                    self.number()?
                };
                TableVerb::Arrange { cards, columns }
            }
            "attach" => {
                let cards = self.cards()?;
                self.need("to")?;
                TableVerb::Attach {
                    cards,
                    to: Some(self.cards()?),
                }
            }
            "detach" => TableVerb::Attach {
                cards: self.cards()?,
                to: None,
            },
            "give" => {
                let cards = self.cards()?;
                self.need("to")?;
                TableVerb::Give {
                    cards,
                    to: self.seat()?,
                }
            }
            "givepile" => {
                let pile = self.pile()?;
                self.need("to")?;
                TableVerb::GivePile {
                    pile,
                    to: self.seat()?,
                }
            }
            "take" => TableVerb::Take { cards: self.cards()? },
            "takepile" => TableVerb::TakePile { pile: self.pile()? },
            "note" => {
                let (x, y) = if self.is_point() { self.point()? } else { (0, 0) };
                let private = self.eat("private");
                TableVerb::Note {
                    text: self.text()?,
                    x,
                    y,
                    private,
                }
            }
            "editnote" => TableVerb::EditNote {
                note: self.number()?,
                text: self.text()?,
            },
            "movenote" => {
                let note = self.number()?;
                let (x, y) = self.point()?;
                TableVerb::MoveNote { note, x, y }
            }
            "removenote" => TableVerb::RemoveNote { note: self.number()? },
            "cardnote" => {
                let cards = self.cards()?;
                let empty = self.rest.trim().is_empty();
                TableVerb::CardNote {
                    cards,
                    text: if empty { String::new() } else { self.text()? },
                }
            }
            "roll" => self.roll()?,
            "coin" => TableVerb::Coin {
                count: self.number_or(1)?,
            },
            "number" => TableVerb::Number {
                from: self.number()?,
                to: self.number()?,
            },
            "order" => TableVerb::Order,
            "seal" => TableVerb::Seal { text: self.text()? },
            "open" => TableVerb::Open,
            "openall" => TableVerb::OpenAll,
            "phase" => TableVerb::Phase {
                phase: self.phase()?,
                force: self.eat("force"),
            },
            "stop" | "unstop" => {
                let phase = if self.eat("end") {
                    None
                } else {
                    Some(self.phase()?)
                };
                TableVerb::Stop {
                    phase,
                    on: word == "stop",
                }
            }
            "pass" => {
                let to = if self.is_seat() { Some(self.seat()?) } else { None };
                TableVerb::PassTurn {
                    to,
                    force: self.eat("force"),
                }
            }
            "active" => TableVerb::SetActive {
                seat: if self.eat("none") {
                    None
                } else {
                    Some(self.seat()?)
                },
            },
            "ready" | "unready" => TableVerb::Ready { on: word == "ready" },
            "mulligan" => {
                let count = if self.peek().is_empty() {
                    None
                } else {
                    Some(self.number()?)
                };
                TableVerb::Mulligan { count }
            }
            "hand" => {
                let usual = self
                    .state
                    .seats
                    .get(self.seat.index())
                    .map_or(7, |seat| seat.opening_hand);
                TableVerb::OpeningHand {
                    count: self.number_or(usual)?,
                    everyone: self.eat("everyone"),
                }
            }
            "board" => self.board()?,
            "background" => TableVerb::Background,
            "say" => TableVerb::Say { text: self.text()? },
            "me" => TableVerb::Me { text: self.text()? },
            "announce" => TableVerb::Announce { text: self.text()? },
            "whisper" => TableVerb::Whisper {
                to: self.seat()?,
                text: self.text()?,
            },
            "sound" => TableVerb::Sound { name: self.text()? },
            "concede" => TableVerb::Concede,
            "reset" => TableVerb::Reset {
                soft: !self.eat("hard"),
            },
            "load" => TableVerb::Load { deck: self.deck()? },
            "sideboard" => TableVerb::Sideboard { deck: self.deck()? },
            "build" => TableVerb::BuildDeck { deck: self.deck()? },
            "packs" => {
                let mut packs = Vec::new();
                while !self.peek().is_empty() {
                    let word = self.word();
                    let pack = word
                        .split_once('.')
                        .and_then(|(set, pack)| Some((set.parse().ok()?, pack.parse().ok()?)));
                    packs.push(pack.ok_or_else(|| wrong(word, "; SET.PACK should stand here"))?);
                }
                TableVerb::OpenPacks { packs }
            }
            "clear" => TableVerb::Clear,
            "showdeck" => TableVerb::ShowDeck { to: self.eyes()? },
            "undo" => TableVerb::Undo {
                steps: self.number_or(1)?,
            },
            "propose" => TableVerb::Propose { step: self.number()? },
            "redo" => TableVerb::Redo,
            "answer" => {
                let question = self.number()?;
                let always = self.eat("always");
                let yes = always || self.eat("yes");
                if !yes && !self.eat("no") {
                    return Err(wrong(self.peek(), "; yes, no or always should stand here"));
                }
                TableVerb::Answer {
                    question,
                    yes,
                    always,
                }
            }
            "endgame" => TableVerb::EndGame,
            "showhidden" => TableVerb::ShowHidden,
            "addseat" => TableVerb::AddSeat { name: self.text()? },
            "rename" => TableVerb::Rename { name: self.text()? },
            "away" => TableVerb::Away { seat: self.seat()? },
            "present" => TableVerb::Present { seat: self.seat()? },
            "timeout" => TableVerb::TimeOut {
                question: self.number()?,
            },
            _ => return Err(unknown(word)),
        })
    }

    fn board(&mut self) -> Read<TableVerb> {
        if self.eat("none") {
            return Ok(TableVerb::Board { board: None });
        }
        let word = self.given("a board should stand here, by number or name, or `none`")?;
        if let Ok(number) = word.parse() {
            return Ok(TableVerb::Board { board: Some(number) });
        }
        let wanted = name(word)?;
        let boards = &self.kit.package.definition.tabletop.boards;
        let found = boards
            .iter()
            .position(|board| board.name.eq_ignore_ascii_case(&wanted));
        let at = found
            .and_then(|at| u16::try_from(at).ok())
            .ok_or(VerbRefusal::NoSuchBoard)?;
        Ok(TableVerb::Board { board: Some(at) })
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
pub(crate) fn write(kit: &Kit, state: &TableState, verb: &TableVerb) -> String {
    let w = NotationWriter { kit, state };
    w.verb(verb)
}

struct NotationWriter<'a> {
    kit: &'a Kit,
    state: &'a TableState,
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

impl NotationWriter<'_> {
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

    fn group(&self, group: CardGroup) -> String {
        match group {
            CardGroup::Table => "table".to_owned(),
            CardGroup::Pile(pile) => self.pile(pile),
        }
    }

    fn cards(&self, cards: &VerbCards) -> String {
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

    fn model(&self, model: &TableModel) -> String {
        match model {
            TableModel::Blank(name) => format!("={}", quoted(name)),
            TableModel::Card(index) => {
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
    fn verb(&self, verb: &TableVerb) -> String {
        match verb {
            TableVerb::Move {
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
            TableVerb::Place { cards, x, y, face } => {
                format!("place {} {x},{y}{}", self.cards(cards), face_text(*face))
            }
            TableVerb::Draw { pile, count, end } => {
                format!("draw {} {count}{}", self.pile(*pile), bottom_text(*end))
            }
            TableVerb::MoveAll {
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
            TableVerb::MoveTop {
                pile,
                end,
                count,
                to,
                spot,
                face,
            } => {
                let word = if *end == PileEnd::Top {
                    "movetop"
                } else {
                    "movebottom"
                };
                let (pile, to) = (self.pile(*pile), self.group(*to));
                format!(
                    "{word} {pile} {count} to {to}{}{}",
                    spot_text(*spot),
                    face_text(*face)
                )
            }
            TableVerb::MoveUntil { pile, property, text } => {
                format!("until {} {} {}", self.pile(*pile), quoted(property), quoted(text))
            }
            TableVerb::Shuffle { pile } => format!("shuffle {}", self.pile(*pile)),
            TableVerb::ShufflePart { pile, end, count } => {
                format!("shuffle {} {} {count}", self.pile(*pile), end_text(*end))
            }
            TableVerb::Look {
                pile,
                part: PilePart::All,
            } => format!("look {}", self.pile(*pile)),
            TableVerb::Look {
                pile,
                part: PilePart::End(end, count),
            } => {
                format!("look {} {} {count}", self.pile(*pile), end_text(*end))
            }
            TableVerb::Search { pile } => format!("search {}", self.pile(*pile)),
            TableVerb::Close { pile, shuffle } => {
                format!(
                    "close {}{}",
                    self.pile(*pile),
                    if *shuffle { " shuffle" } else { "" }
                )
            }
            TableVerb::Leave { pile } => format!("leave {}", self.pile(*pile)),
            TableVerb::Reorder { cards, places } => {
                let places: Vec<String> = places
                    .iter()
                    .map(|place| (u64::from(*place) + 1).to_string())
                    .collect();
                format!("reorder {} to {}", self.cards(cards), places.join(","))
            }
            TableVerb::Peek { cards } => format!("peek {}", self.cards(cards)),
            TableVerb::Reveal { cards, to } => format!("reveal {} to {}", self.cards(cards), eyes_text(*to)),
            TableVerb::Hide { cards } => format!("hide {}", self.cards(cards)),
            TableVerb::Random { pile, count, then } => {
                let then = match then {
                    Then::Show => "show".to_owned(),
                    Then::Target => "target".to_owned(),
                    Then::Move(to) => format!("to {}", self.group(*to)),
                };
                format!("random {} {count} {then}", self.pile(*pile))
            }
            TableVerb::SetViewers { pile, viewers } => {
                let viewers = match viewers {
                    Viewers::Nobody => "nobody".to_owned(),
                    Viewers::Everybody => "everybody".to_owned(),
                    Viewers::ByFace => "byface".to_owned(),
                    Viewers::List(eyes) => eyes_list(*eyes),
                };
                format!("viewers {} {viewers}", self.pile(*pile))
            }
            TableVerb::KeepTop { pile, to } => format!("keeptop {} {}", self.pile(*pile), eyes_text(*to)),
            TableVerb::Protect { pile, protection } => {
                let how = match protection {
                    Protection::Free => "free",
                    Protection::Ask => "ask",
                    Protection::Never => "never",
                };
                format!("protect {} {how}", self.pile(*pile))
            }
            TableVerb::Turn { cards, how } => {
                let how = match how {
                    Turning::Up => "up",
                    Turning::Down => "down",
                    Turning::Other => "over",
                };
                format!("turn {} {how}", self.cards(cards))
            }
            TableVerb::Rotate { cards, how } => {
                let how = match how {
                    Rotation::To(quarters) => format!(" to {}", u16::from(quarters % 4) * 90),
                    Rotation::By(quarters) => format!(" by {}", u16::from(quarters % 4) * 90),
                    Rotation::Toggle => String::new(),
                };
                format!("rotate {}{how}", self.cards(cards))
            }
            TableVerb::Straighten => "straighten".to_owned(),
            TableVerb::Lock { cards, on } => {
                format!("{} {}", if *on { "lock" } else { "unlock" }, self.cards(cards))
            }
            TableVerb::SwitchForm { cards, form } => {
                let form = form.map_or(String::new(), |form| format!(" {form}"));
                format!("form {}{form}", self.cards(cards))
            }
            TableVerb::Marker {
                cards,
                marker,
                change,
            } => {
                format!("marker {} #{marker} {}", self.cards(cards), change_text(*change))
            }
            TableVerb::MoveMarker {
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
            TableVerb::Highlight { cards, colour } => {
                format!("highlight {} {}", self.cards(cards), colour_text(*colour))
            }
            TableVerb::Filter { cards, colour } => {
                format!("filter {} {}", self.cards(cards), colour_text(*colour))
            }
            TableVerb::Counter { of, counter, change } => {
                let of = of.map_or_else(|| "*".to_owned(), |seat| seat.to_string());
                format!("counter {of}/#{counter} {}", change_text(*change))
            }
            TableVerb::Anchor { cards, on } => format!(
                "{} {}",
                if *on { "anchor" } else { "unanchor" },
                self.cards(cards)
            ),
            TableVerb::Create(Created {
                model,
                count,
                at,
                face,
                kept,
            }) => {
                let at = at.map_or(String::new(), |(x, y)| format!(" at {x},{y}"));
                let kept = if *kept { " kept" } else { "" };
                let down = if *face == CardSide::Down { " down" } else { "" };
                format!("create {} {count}{at}{down}{kept}", self.model(model))
            }
            TableVerb::Copy { cards } => format!("copy {}", self.cards(cards)),
            TableVerb::Delete { cards } => format!("delete {}", self.cards(cards)),
            TableVerb::Target { cards, on } => format!(
                "{} {}",
                if *on { "target" } else { "untarget" },
                self.cards(cards)
            ),
            TableVerb::Arrow { from, to } => format!("arrow {} to {}", self.cards(from), self.cards(to)),
            TableVerb::Together { verbs } => {
                let lines = verbs.iter().map(|verb| quoted(&self.verb(verb)));
                format!("together {}", lines.collect::<Vec<_>>().join(" "))
            }
            TableVerb::ClearMarks => "clearmarks".to_owned(),
            TableVerb::Point { cards } => format!("point {}", self.cards(cards)),
            TableVerb::Shake { cards } => format!("shake {}", self.cards(cards)),
            TableVerb::Front { cards } => format!("front {}", self.cards(cards)),
            TableVerb::Back { cards } => format!("back {}", self.cards(cards)),
            TableVerb::Arrange { cards, columns } => format!("arrange {} {columns}", self.cards(cards)),
            TableVerb::Attach { cards, to: Some(to) } => {
                format!("attach {} to {}", self.cards(cards), self.cards(to))
            }
            TableVerb::Attach { cards, to: None } => format!("detach {}", self.cards(cards)),
            TableVerb::Give { cards, to } => format!("give {} to {to}", self.cards(cards)),
            TableVerb::GivePile { pile, to } => format!("givepile {} to {to}", self.pile(*pile)),
            TableVerb::Take { cards } => format!("take {}", self.cards(cards)),
            TableVerb::TakePile { pile } => format!("takepile {}", self.pile(*pile)),
            TableVerb::Note { text, x, y, private } => {
                format!(
                    "note {x},{y}{} {}",
                    if *private { " private" } else { "" },
                    quoted(text)
                )
            }
            TableVerb::EditNote { note, text } => format!("editnote {note} {}", quoted(text)),
            TableVerb::MoveNote { note, x, y } => format!("movenote {note} {x},{y}"),
            TableVerb::RemoveNote { note } => format!("removenote {note}"),
            TableVerb::CardNote { cards, text } => format!("cardnote {} {}", self.cards(cards), quoted(text)),
            TableVerb::Roll { dice, sides, add } => format!("roll {dice}d{sides}{add:+}"),
            TableVerb::Coin { count } => format!("coin {count}"),
            TableVerb::Number { from, to } => format!("number {from} {to}"),
            TableVerb::Order => "order".to_owned(),
            TableVerb::Seal { text } => format!("seal {}", quoted(text)),
            TableVerb::Open => "open".to_owned(),
            TableVerb::OpenAll => "openall".to_owned(),
            TableVerb::Phase { phase, force } => format!("phase {phase}{}", force_text(*force)),
            TableVerb::Stop { phase, on } => {
                let phase = phase.map_or("end".to_owned(), |phase| phase.to_string());
                format!("{} {phase}", if *on { "stop" } else { "unstop" })
            }
            TableVerb::PassTurn { to, force } => {
                let to = to.map_or(String::new(), |seat| format!(" {seat}"));
                format!("pass{to}{}", force_text(*force))
            }
            TableVerb::SetActive { seat } => {
                format!(
                    "active {}",
                    seat.map_or("none".to_owned(), |seat| seat.to_string())
                )
            }
            TableVerb::Ready { on } => if *on { "ready" } else { "unready" }.to_owned(),
            TableVerb::Mulligan { count } => {
                format!(
                    "mulligan{}",
                    count.map_or(String::new(), |count| format!(" {count}"))
                )
            }
            TableVerb::OpeningHand { count, everyone } => {
                format!("hand {count}{}", if *everyone { " everyone" } else { "" })
            }
            TableVerb::Board { board } => {
                format!(
                    "board {}",
                    board.map_or("none".to_owned(), |board| board.to_string())
                )
            }
            TableVerb::Background => "background".to_owned(),
            TableVerb::Say { text } => format!("say {}", quoted(text)),
            TableVerb::Me { text } => format!("me {}", quoted(text)),
            TableVerb::Announce { text } => format!("announce {}", quoted(text)),
            TableVerb::Whisper { to, text } => format!("whisper {to} {}", quoted(text)),
            TableVerb::Sound { name } => format!("sound {}", quoted(name)),
            TableVerb::Concede => "concede".to_owned(),
            TableVerb::Reset { soft } => if *soft { "reset" } else { "reset hard" }.to_owned(),
            TableVerb::Sideboard { deck } => format!("sideboard {}", self.deck(deck)),
            TableVerb::Load { deck } => format!("load {}", self.deck(deck)),
            TableVerb::Clear => "clear".to_owned(),
            TableVerb::OpenPacks { packs } => {
                let packs: Vec<String> = packs.iter().map(|(set, pack)| format!("{set}.{pack}")).collect();
                format!("packs {}", packs.join(" "))
            }
            TableVerb::BuildDeck { deck } => format!("build {}", self.deck(deck)),
            TableVerb::ShowDeck { to } => format!("showdeck {}", eyes_text(*to)),
            TableVerb::Undo { steps } => format!("undo {steps}"),
            TableVerb::Propose { step } => format!("propose {step}"),
            TableVerb::Redo => "redo".to_owned(),
            TableVerb::Answer {
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
            TableVerb::EndGame => "endgame".to_owned(),
            TableVerb::ShowHidden => "showhidden".to_owned(),
            TableVerb::AddSeat { name } => format!("addseat {}", quoted(name)),
            TableVerb::Rename { name } => format!("rename {}", quoted(name)),
            TableVerb::Away { seat } => format!("away {seat}"),
            TableVerb::Present { seat } => format!("present {seat}"),
            TableVerb::TimeOut { question } => format!("timeout {question}"),
        }
    }
}

fn spot_text(spot: ArrivalSpot) -> String {
    match spot {
        ArrivalSpot::Usual => String::new(),
        ArrivalSpot::Top => " top".to_owned(),
        ArrivalSpot::Bottom => " bottom".to_owned(),
        ArrivalSpot::At(at) if at < 0 => format!(" at {at}"),
        ArrivalSpot::At(at) => format!(" at {}", i64::from(at) + 1),
    }
}

fn face_text(face: Option<CardSide>) -> &'static str {
    match face {
        None => "",
        Some(CardSide::Up) => " up",
        Some(CardSide::Down) => " down",
    }
}

fn end_text(end: PileEnd) -> &'static str {
    match end {
        PileEnd::Top => "top",
        PileEnd::Bottom => "bottom",
    }
}

fn bottom_text(end: PileEnd) -> &'static str {
    match end {
        PileEnd::Top => "",
        PileEnd::Bottom => " bottom",
    }
}

fn force_text(force: bool) -> &'static str {
    if force { " force" } else { "" }
}

fn change_text(change: NumberChange) -> String {
    match change {
        NumberChange::By(by) => format!("{by:+}"),
        NumberChange::To(to) => format!("={to}"),
    }
}

fn colour_text(colour: Option<Colour>) -> String {
    colour.map_or_else(|| "none".to_owned(), |colour| colour.to_string())
}

fn eyes_text(eyes: LookerSet) -> String {
    match eyes {
        LookerSet::ALL => "everybody".to_owned(),
        LookerSet::NONE => "nobody".to_owned(),
        eyes => eyes_list(eyes),
    }
}

fn eyes_list(eyes: LookerSet) -> String {
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
