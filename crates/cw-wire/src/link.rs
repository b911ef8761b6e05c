//! Links that carry a thing: a duel at a moment, a puzzle, a deck, a scenario, a run, a small game.
//!
//! What a link carries stands in the link itself, behind the `#` of an address, which browsers do not send.
//! It is a few bytes, written as letters:
//!
//! | bytes | what |
//! | --- | --- |
//! | 1 | the version of this format |
//! | 1 | which kind of thing; the highest bit: what follows is deflated |
//! |…|the game (name, digest of its id, digest of its cards and rules, version of the rules), then the thing|
//! | 4 | a digest of all of it: a link that was cut or mistyped is recognised |
//!
//! Numbers are written in groups of seven bits, texts after their length. A duel is its seed, its decks and
//! one byte for each choice: the place of the chosen option in the list of options, which every platform
//! lists in the same order. Its highest bit says that nobody was asked. After every 32nd choice and after the
//! last one a part of the state's hash shows whether the duel went as it was meant.

mod bytes;

use std::sync::Arc;

use cw_duel::{Chance, Choice, Duel, DuelSetup, Game, PerSeat, RULES_VERSION, Seat, Seed, Silent};
use cw_program::ModelId;

use crate::{DuelTimeline, TimelineAct};
use bytes::{ByteReader, ByteWriter, from_letters, letters};

/// The version of the format.
const FORMAT: u8 = 1;
/// What stands before the letters in an address.
pub const LINK_MARK: &str = "#open=";
/// The largest game that a link carries, in bytes of its archive.
pub const MOST_PACKAGE: usize = 32 << 10;
/// The longest scenario file that a link carries, in bytes.
pub const MOST_SCENARIO: usize = 16 << 10;
/// The longest record of a run that a link carries, in bytes.
pub const MOST_RUN: usize = 1000;
/// The longest text in which a link is looked for, in bytes.
pub const MOST_LINK: usize = 64 << 10;
/// Choices of a duel that a link carries.
const MOST_STEPS: usize = 4096;
/// Bytes of a name.
const MOST_NAME: usize = 120;
/// Bytes of what is otherwise in a duel than in the game.
const MOST_TWIST: usize = 1000;
/// Lines of a deck.
const MOST_LINES: usize = 400;
/// After so many choices a link says how the duel stands.
const CHECKED_EVERY: usize = 32;
/// What stands before the number of all versions of the rules so far.
const RULES_PREFIX: &str = "cardwright duel ";
/// The kinds of things, as bytes.
const DUEL: u8 = 1;
const STAGE: u8 = 2;
const SCENARIO: u8 = 3;
const DECK: u8 = 4;
const PACKAGE: u8 = 5;
const RUN: u8 = 6;
/// The thing is deflated.
const DEFLATED: u8 = 0x80;
/// A choice that nobody was asked for.
const UNASKED: u8 = 0x80;
/// What stands for an option's place: those below are places.
const GAVE_UP: u8 = 120;
const DRAW: u8 = 122;
const RESEED: u8 = 124;
const LARGE: u8 = 126;

/// What a link carries, and for which game.
///
/// ```
/// use cw_wire::{GameLink, LinkContent, LinkedGame};
///
/// let game = cw_stage::start("", "phase attack; me Rook").duel.game().clone();
/// let link = GameLink { game: LinkedGame::of(&game), what: LinkContent::Stage("Low tide".into()) };
/// let written = link.write()?;
/// assert_eq!(GameLink::read(&format!("Can you? https://example.org/game/#open={written}"))?, link);
/// # Ok::<(), cw_wire::LinkRefused>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLink {
    /// The game.
    pub game: LinkedGame,
    /// The thing.
    pub what: LinkContent,
}

/// What a link carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkContent {
    /// A duel, to be watched or played on from a moment.
    Duel(Box<SharedDuel>),
    /// A lesson or puzzle of the game, by its name.
    Stage(String),
    /// Somebody's own scenario.
    Scenario {
        /// The text of its file.
        text: String,
        /// Which one of the file, from 0.
        index: usize,
    },
    /// A deck.
    Deck(SharedDeck),
    /// A whole game, as the bytes of its archive.
    Package(Vec<u8>),
    /// A run: the text of all that was done in it.
    Run(String),
}

/// A game as a link names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedGame {
    /// Its name; for people.
    pub name: String,
    /// A digest of the package's id.
    id: [u8; 6],
    /// A digest of the package's id and its content.
    content: [u8; 6],
    /// [`RULES_VERSION`] of who wrote the link.
    rules: String,
}

/// A duel in a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedDuel {
    /// How it began.
    pub start: SharedStart,
    /// Through whose eyes it is shown.
    pub seat: Seat,
    /// The step at which it is opened.
    pub at: usize,
    /// Whether it is to be played on from there.
    pub plays_on: bool,
    steps: Vec<SharedStep>,
    /// The beginnings of the hashes after every 32nd step and after the last one.
    checks: Vec<[u8; 4]>,
}

/// How a duel in a link began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedStart {
    /// The seed of all chance.
    pub seed: Seed,
    /// Who goes first; drawn from the seed if `None`.
    pub first: Option<Seat>,
    /// Whether decks that are not legal are played.
    pub illegal_decks: bool,
    /// What is otherwise than in the game, as the text of a twist (D109); empty if nothing is.
    pub twist: String,
    /// The decks.
    pub decks: PerSeat<LinkedDeck>,
    /// What they are called.
    pub names: PerSeat<String>,
    /// Who played, in one word: “person”, or a level of the computer.
    pub who: PerSeat<String>,
}

/// A deck of a duel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkedDeck {
    /// One of the game's own, by the digest of its cards in their order.
    OfGame([u8; 8]),
    /// Any other: numbers of cards in the game, each with its copies, in order.
    Cards(Vec<(u16, u8)>),
}

/// One step of a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SharedStep {
    act: SharedAct,
    /// Chosen by settings rather than by hand.
    auto: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SharedAct {
    /// The place of the chosen option.
    Option(u16),
    GaveUp(Seat),
    AgreedDraw(Seat),
    Reseeded(Seat, Seed),
}

/// A deck in a link. Its cards are found in later versions of the game, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedDeck {
    /// What it is called.
    pub name: String,
    /// Digests of ids and names of cards, each with its copies, in order.
    lines: Vec<([u8; 5], u8)>,
}

/// Why a link is not made, or not opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkRefused {
    /// There is no link in the text.
    #[error("this is not a link of Cardwright's, or a part of it is missing")]
    NoLink,
    /// It is of another version of this format.
    #[error("the link is of format {0}, and this program reads format {FORMAT}")]
    Format(u8),
    /// It is for another game.
    #[error("the link is for “{linked}”, and this table has “{own}”")]
    OtherGame {
        /// The game of the link.
        linked: String,
        /// The game of the table.
        own: String,
    },
    /// It is for another game of the same name.
    #[error("the link is for another game that is called “{0}”, too")]
    Namesake(String),
    /// The duel was played by other rules.
    #[error("the duel was played by the rules “{linked}”, and this table plays by “{own}”")]
    OtherRules {
        /// The rules of the link.
        linked: String,
        /// The rules of this program.
        own: String,
    },
    /// The duel was played with another version of the cards.
    #[error(
        "the duel was played with another version of “{name}” ({linked}) than this table has ({own}): \
         its cards or rules have changed"
    )]
    OtherCards {
        /// The game.
        name: String,
        /// The digest in the link.
        linked: String,
        /// The digest of the game at the table.
        own: String,
    },
    /// Cards of a deck are not in the game.
    #[error(
        "the deck “{name}” has cards that this version of the game does not have: {missing} of its {lines}"
    )]
    UnknownCards {
        /// The deck.
        name: String,
        /// Kinds of cards that are missing.
        missing: usize,
        /// Kinds of cards in all.
        lines: usize,
    },
    /// A deck of a duel is not in the game.
    #[error("the game has no such deck “{0}”")]
    UnknownDeck(String),
    /// A lesson or puzzle is not in the game.
    #[error("this version of the game has no lesson or puzzle “{0}”")]
    UnknownStage(String),
    /// The duel does not go as the link says.
    #[error("the duel in the link goes another way here, from choice {0} on")]
    Diverged(usize),
    /// A link cannot carry it.
    #[error("a link carries {what} of at most {most} bytes, and this has {has}")]
    TooLarge {
        /// Which kind of thing.
        what: &'static str,
        /// How much it may have.
        most: usize,
        /// How much it has.
        has: usize,
    },
    /// A duel has too many choices for a link.
    #[error("a link carries duels of at most {MOST_STEPS} choices")]
    TooLong,
    /// What it carries makes no sense here.
    #[error("what the link carries cannot be opened: {0}")]
    Unreadable(String),
}

impl GameLink {
    /// The letters of the link: what stands behind [`LINK_MARK`], and what `cardwright open` takes.
    ///
    /// # Errors
    /// If it carries too much.
    pub fn write(&self) -> Result<String, LinkRefused> {
        let (kind, body) = self.body()?;
        let small = miniz_oxide::deflate::compress_to_vec(&body, 9);
        Ok(letters(&match small.len() < body.len() {
            true => sealed(kind | DEFLATED, &small),
            false => sealed(kind, &body),
        }))
    }

    /// The bytes of the link, not deflated.
    ///
    /// # Errors
    /// If it carries too much.
    pub fn write_plain(&self) -> Result<Vec<u8>, LinkRefused> {
        let (kind, body) = self.body()?;
        Ok(sealed(kind, &body))
    }

    fn body(&self) -> Result<(u8, Vec<u8>), LinkRefused> {
        let mut body = ByteWriter::default();
        self.game.write(&mut body);
        let kind = self.what.write(&mut body)?;
        Ok((kind, body.bytes))
    }

    /// Finds the link in a text: the letters alone, an address with them, or a whole message.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn read(text: &str) -> Result<GameLink, LinkRefused> {
        if text.len() > MOST_LINK {
            return Err(LinkRefused::NoLink);
        }
        let behind = text.rsplit_once(LINK_MARK).map_or(text, |(_, behind)| behind);
        let words = behind.split(|letter: char| !letter.is_ascii_alphanumeric() && !"-_".contains(letter));
        let word = match text.contains(LINK_MARK) {
            true => words.into_iter().next(),
            false => words.max_by_key(|word| word.len()),
        };
        GameLink::of_bytes(&word.and_then(from_letters).ok_or(LinkRefused::NoLink)?)
    }

    /// As [`GameLink::read`], of the bytes that the letters stand for.
    ///
    /// # Errors
    /// If they are damaged.
    pub fn of_bytes(all: &[u8]) -> Result<GameLink, LinkRefused> {
        let (said, check) = all.split_last_chunk::<4>().ok_or(LinkRefused::NoLink)?;
        if blake3::hash(said).as_bytes()[..4] != *check {
            return Err(LinkRefused::NoLink);
        }
        let [format, kind, body @ ..] = said else {
            return Err(LinkRefused::NoLink);
        };
        if *format != FORMAT {
            return Err(LinkRefused::Format(*format));
        }
        let inflated;
        let body = match kind & DEFLATED {
            0 => body,
            _ => {
                let most = MOST_LINK;
                let found = miniz_oxide::inflate::decompress_to_vec_with_limit(body, most);
                inflated = found.map_err(|_| LinkRefused::NoLink)?;
                &inflated
            }
        };
        let mut from = ByteReader::new(body);
        let found = GameLink::of_body(kind & !DEFLATED, &mut from);
        found.filter(|_| from.is_at_end()).ok_or(LinkRefused::NoLink)
    }

    fn of_body(kind: u8, from: &mut ByteReader<'_>) -> Option<GameLink> {
        let game = LinkedGame::read(from)?;
        let what = match kind {
            DUEL => LinkContent::Duel(Box::new(SharedDuel::read(from)?)),
            STAGE => LinkContent::Stage(from.text(MOST_NAME)?),
            SCENARIO => LinkContent::Scenario {
                index: from.number(usize::from(u16::MAX))?,
                text: from.text(MOST_SCENARIO)?,
            },
            DECK => LinkContent::Deck(SharedDeck::read(from)?),
            PACKAGE => LinkContent::Package(from.block(MOST_PACKAGE)?.to_vec()),
            RUN => LinkContent::Run(from.text(MOST_RUN)?),
            _ => return None,
        };
        Some(GameLink { game, what })
    }
}

impl LinkContent {
    /// Writes it; which kind it is.
    fn write(&self, out: &mut ByteWriter) -> Result<u8, LinkRefused> {
        let fits = |what, has, most| match has <= most {
            true => Ok(()),
            false => Err(LinkRefused::TooLarge { what, most, has }),
        };
        Ok(match self {
            LinkContent::Duel(duel) => {
                duel.write(out)?;
                DUEL
            }
            LinkContent::Stage(name) => {
                fits("the name of a puzzle", name.len(), MOST_NAME)?;
                out.text(name);
                STAGE
            }
            LinkContent::Scenario { text, index } => {
                fits("a scenario file", text.len(), MOST_SCENARIO)?;
                out.number((*index).min(usize::from(u16::MAX)));
                out.text(text);
                SCENARIO
            }
            LinkContent::Deck(deck) => {
                fits("a deck in lines", deck.lines.len(), MOST_LINES)?;
                deck.write(out);
                DECK
            }
            LinkContent::Package(archive) => {
                fits("a game", archive.len(), MOST_PACKAGE)?;
                out.block(archive);
                PACKAGE
            }
            LinkContent::Run(record) => {
                fits("the record of a run", record.len(), MOST_RUN)?;
                out.text(record);
                RUN
            }
        })
    }
}

/// All bytes of a link.
fn sealed(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut all = vec![FORMAT, kind];
    all.extend(body);
    let check = blake3::hash(&all);
    all.extend(&check.as_bytes()[..4]);
    all
}

/// The beginning of a digest.
fn digest<const MANY: usize>(parts: &[&[u8]]) -> [u8; MANY] {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut out = [0; MANY];
    hasher.finalize_xof().fill(&mut out);
    out
}

/// A name as a link has it: not longer than it may be.
fn shortened(name: &str) -> String {
    let mut end = name.len().min(MOST_NAME);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name[..end].to_owned()
}

impl LinkedGame {
    /// This game, as this program plays it.
    pub fn of(game: &Game) -> LinkedGame {
        LinkedGame::named(&game.name, &game.fingerprint)
    }

    /// A game by its name and its fingerprint, which begins with the package's id.
    pub fn named(name: &str, fingerprint: &str) -> LinkedGame {
        let id = fingerprint.split(' ').next().unwrap_or_default();
        LinkedGame {
            name: shortened(name),
            id: digest(&[id.to_ascii_lowercase().as_bytes()]),
            content: digest(&[fingerprint.as_bytes()]),
            rules: RULES_VERSION.to_owned(),
        }
    }

    /// The same game, played by other rules.
    #[must_use]
    pub fn with_rules(self, rules: &str) -> LinkedGame {
        let rules = shortened(rules);
        LinkedGame { rules, ..self }
    }

    /// Refuses what is of another game than the table's.
    ///
    /// # Errors
    /// With a sentence that names both.
    pub fn must_be(&self, own: &LinkedGame) -> Result<(), LinkRefused> {
        if self.id == own.id {
            return Ok(());
        }
        Err(match self.name == own.name {
            true => LinkRefused::Namesake(own.name.clone()),
            false => LinkRefused::OtherGame {
                linked: self.name.clone(),
                own: own.name.clone(),
            },
        })
    }

    /// As [`LinkedGame::must_be`]; cards and rules must be the same, too: a duel goes another way with
    /// others.
    ///
    /// # Errors
    /// With a sentence that names both.
    pub fn must_play_alike(&self, own: &LinkedGame) -> Result<(), LinkRefused> {
        self.must_be(own)?;
        if self.rules != own.rules {
            return Err(LinkRefused::OtherRules {
                linked: self.rules.clone(),
                own: own.rules.clone(),
            });
        }
        if self.content != own.content {
            let digits = |content: &[u8; 6]| content.iter().map(|byte| format!("{byte:02x}")).collect();
            return Err(LinkRefused::OtherCards {
                name: own.name.clone(),
                linked: digits(&self.content),
                own: digits(&own.content),
            });
        }
        Ok(())
    }

    fn write(&self, out: &mut ByteWriter) {
        out.text(&self.name);
        out.raw(&self.id);
        out.raw(&self.content);
        // A number stands for the usual words before it.
        let number = self.rules.strip_prefix(RULES_PREFIX);
        let number = number.filter(|rest| !rest.is_empty());
        out.text(number.unwrap_or(""));
        if number.is_none() {
            out.text(&shortened(&self.rules));
        }
    }

    fn read(from: &mut ByteReader<'_>) -> Option<LinkedGame> {
        Some(LinkedGame {
            name: from.text(MOST_NAME)?,
            id: from.array()?,
            content: from.array()?,
            rules: match from.text(MOST_NAME)? {
                number if number.is_empty() => from.text(MOST_NAME)?,
                number => format!("{RULES_PREFIX}{number}"),
            },
        })
    }
}

/// Equal neighbours once, with how many there are; what is more than a byte counts goes on as another group.
fn runs<T: Copy + PartialEq>(all: &[T]) -> impl Iterator<Item = (T, u8)> {
    let groups = all.chunk_by(PartialEq::eq).flat_map(|same| same.chunks(255));
    groups.map(|same| {
        (
            same[0],
            u8::try_from(same.len()).expect("a chunk has at most 255"),
        )
    })
}

impl LinkedDeck {
    /// This deck; shorter if it is one of the game's own.
    pub fn of(cards: &[ModelId], game: &Game, known: &[Vec<ModelId>]) -> LinkedDeck {
        match known.iter().any(|deck| deck == cards) {
            true => LinkedDeck::OfGame(deck_digest(cards, game)),
            false => LinkedDeck::Cards(runs(cards).map(|(model, copies)| (model.0, copies)).collect()),
        }
    }

    /// Its cards, in a game with these decks.
    fn cards(&self, game: &Game, known: &[Vec<ModelId>]) -> Option<Vec<ModelId>> {
        match self {
            LinkedDeck::OfGame(digest) => {
                let mut known = known.iter();
                known.find(|deck| deck_digest(deck, game) == *digest).cloned()
            }
            LinkedDeck::Cards(lines) => {
                let mut cards = Vec::new();
                for (model, copies) in lines {
                    (usize::from(*model) < game.models.len()).then_some(())?;
                    cards.extend(std::iter::repeat_n(ModelId(*model), usize::from(*copies)));
                }
                Some(cards)
            }
        }
    }

    fn write(&self, out: &mut ByteWriter) {
        match self {
            LinkedDeck::OfGame(digest) => {
                out.number(0);
                out.raw(digest);
            }
            LinkedDeck::Cards(lines) => {
                out.number(lines.len() + 1);
                for (model, copies) in lines {
                    out.number(usize::from(*model));
                    out.raw(&[*copies]);
                }
            }
        }
    }

    fn read(from: &mut ByteReader<'_>) -> Option<LinkedDeck> {
        let lines = from.number(MOST_LINES + 1)?;
        let Some(lines) = lines.checked_sub(1) else {
            return Some(LinkedDeck::OfGame(from.array()?));
        };
        let line = |from: &mut ByteReader<'_>| {
            let model = u16::try_from(from.number(usize::from(u16::MAX))?).ok()?;
            Some((model, from.byte()?))
        };
        let lines: Option<Vec<_>> = (0..lines).map(|_| line(from)).collect();
        Some(LinkedDeck::Cards(lines?))
    }
}

fn deck_digest(cards: &[ModelId], game: &Game) -> [u8; 8] {
    let ids: Vec<&[u8]> = cards.iter().map(|card| game.model(*card).id.as_bytes()).collect();
    digest(&ids)
}

/// How links know a card: by its id and its name, since the sides of a card share their id.
fn card_digest(model: &cw_duel::CardModel) -> [u8; 5] {
    digest(&[model.id.as_bytes(), model.name.as_bytes()])
}

impl SharedDeck {
    /// This deck.
    pub fn of(name: &str, cards: &[ModelId], game: &Game) -> SharedDeck {
        let line = |(model, copies)| (card_digest(game.model(model)), copies);
        SharedDeck {
            name: shortened(name),
            lines: runs(cards).map(line).collect(),
        }
    }

    /// Cards in it.
    pub fn len(&self) -> usize {
        self.lines.iter().map(|(_, copies)| usize::from(*copies)).sum()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its cards in this game.
    ///
    /// # Errors
    /// If some are not there.
    pub fn cards(&self, game: &Game) -> Result<Vec<ModelId>, LinkRefused> {
        let known: Vec<([u8; 5], ModelId)> = game
            .numbered()
            .map(|(number, model)| (card_digest(model), number))
            .collect();
        let found = |digest: &[u8; 5]| known.iter().find(|(other, _)| other == digest);
        let (mut cards, mut missing) = (Vec::new(), 0);
        for (digest, copies) in &self.lines {
            match found(digest) {
                Some((_, model)) => cards.extend(std::iter::repeat_n(*model, usize::from(*copies))),
                None => missing += 1,
            }
        }
        match missing {
            0 => Ok(cards),
            missing => Err(LinkRefused::UnknownCards {
                name: self.name.clone(),
                missing,
                lines: self.lines.len(),
            }),
        }
    }

    fn write(&self, out: &mut ByteWriter) {
        out.text(&self.name);
        out.number(self.lines.len());
        for (digest, copies) in &self.lines {
            out.raw(digest);
            out.raw(&[*copies]);
        }
    }

    fn read(from: &mut ByteReader<'_>) -> Option<SharedDeck> {
        let name = from.text(MOST_NAME)?;
        let lines = from.number(MOST_LINES)?;
        let line = |from: &mut ByteReader<'_>| Some((from.array()?, from.byte()?));
        let lines: Option<Vec<_>> = (0..lines).map(|_| line(from)).collect();
        Some(SharedDeck { name, lines: lines? })
    }
}

/// What a duel in a link is made of here.
#[derive(Clone, Debug)]
pub struct OpenedDuel {
    /// The decks.
    pub decks: PerSeat<Vec<ModelId>>,
    /// Every step, and whether nobody was asked for it.
    pub steps: Vec<(TimelineAct, bool)>,
}

impl SharedDuel {
    /// The duel of this timeline, opened at a step. One that is to be played on ends there.
    ///
    /// # Errors
    /// If it has too many choices.
    pub fn of(
        mut start: SharedStart,
        timeline: &DuelTimeline,
        seat: Seat,
        at: usize,
        plays_on: bool,
    ) -> Result<SharedDuel, LinkRefused> {
        let at = at.min(timeline.len());
        let many = if plays_on { at } else { timeline.len() };
        if many > MOST_STEPS {
            return Err(LinkRefused::TooLong);
        }
        for name in start.names.0.iter_mut().chain(&mut start.who.0) {
            *name = shortened(name);
        }
        let (mut steps, mut checks) = (Vec::new(), Vec::new());
        let mut duel = timeline.at(0);
        for (number, taken) in timeline.taken().iter().take(many).enumerate() {
            let act = match taken.act {
                TimelineAct::Chose(choice) => {
                    SharedAct::Option(place_of(&duel, choice).ok_or(LinkRefused::Diverged(number + 1))?)
                }
                TimelineAct::GaveUp(seat) => SharedAct::GaveUp(seat),
                TimelineAct::AgreedDraw(seat) => SharedAct::AgreedDraw(seat),
                TimelineAct::Reseeded(seat, seed) => SharedAct::Reseeded(seat, seed),
            };
            steps.push(SharedStep {
                act,
                auto: taken.auto,
            });
            taken.act.repeat(&mut duel, &mut Silent);
            if is_checked(number, many) {
                checks.push(check_of(&duel));
            }
        }
        Ok(SharedDuel {
            start,
            seat,
            at,
            plays_on,
            steps,
            checks,
        })
    }

    /// Choices that it carries.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether nothing was chosen yet.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Plays it in a game with these decks, and looks whether it goes as it was meant. The game has the
    /// duel's twist.
    ///
    /// # Errors
    /// If it does not.
    pub fn play(&self, game: &Arc<Game>, known: &[Vec<ModelId>]) -> Result<OpenedDuel, LinkRefused> {
        let start = &self.start;
        let deck = |seat: Seat| {
            let cards = start.decks[seat].cards(game, known);
            cards.ok_or_else(|| LinkRefused::UnknownDeck(start.names[seat].clone()))
        };
        let decks = PerSeat([deck(Seat::One)?, deck(Seat::Two)?]);
        let setup = DuelSetup {
            chance: Chance::seeded(start.seed),
            script: Vec::new(),
            first: start.first,
            allow_illegal_decks: start.illegal_decks,
        };
        let duel = Duel::new_with(Arc::clone(game), &decks, setup, &mut Silent);
        let duel = duel.map_err(|fault| LinkRefused::Unreadable(fault.to_string()))?;
        let mut timeline = DuelTimeline::new(duel);
        let mut checks = self.checks.iter();
        let mut steps = Vec::new();
        for (number, step) in self.steps.iter().enumerate() {
            let diverged = || LinkRefused::Diverged(number + 1);
            let act = match step.act {
                SharedAct::Option(place) => {
                    let options = timeline.now().pending().map(|decision| &decision.options);
                    let choice = options.and_then(|options| options.get(usize::from(place)));
                    TimelineAct::Chose(*choice.ok_or_else(diverged)?)
                }
                SharedAct::GaveUp(seat) => TimelineAct::GaveUp(seat),
                SharedAct::AgreedDraw(seat) => TimelineAct::AgreedDraw(seat),
                SharedAct::Reseeded(seat, seed) => TimelineAct::Reseeded(seat, seed),
            };
            let taken = timeline.take(act, step.auto, &mut Silent);
            taken.map_err(|_| diverged())?;
            if is_checked(number, self.steps.len()) && checks.next() != Some(&check_of(timeline.now())) {
                return Err(diverged());
            }
            steps.push((act, step.auto));
        }
        Ok(OpenedDuel { decks, steps })
    }

    fn write(&self, out: &mut ByteWriter) -> Result<(), LinkRefused> {
        let start = &self.start;
        let flags = [
            start.seed.number().is_some(),
            start.illegal_decks,
            self.plays_on,
            self.seat == Seat::Two,
            start.first.is_some(),
            start.first == Some(Seat::Two),
            !start.twist.is_empty(),
        ];
        let flags = (0u8..)
            .zip(flags)
            .map(|(at, set)| u8::from(set) << at)
            .sum::<u8>();
        out.raw(&[flags]);
        match start.seed.number() {
            Some(number) => out.wide(number),
            None => out.raw(&start.seed.0),
        }
        if !start.twist.is_empty() {
            let (what, most, has) = ("changes of the rules", MOST_TWIST, start.twist.len());
            if has > most {
                return Err(LinkRefused::TooLarge { what, most, has });
            }
            out.text(&start.twist);
        }
        for seat in Seat::BOTH {
            if let LinkedDeck::Cards(lines) = &start.decks[seat]
                && lines.len() > MOST_LINES
            {
                let (what, has) = ("a deck in lines", lines.len());
                return Err(LinkRefused::TooLarge {
                    what,
                    most: MOST_LINES,
                    has,
                });
            }
            start.decks[seat].write(out);
            out.text(&start.names[seat]);
            out.text(&start.who[seat]);
        }
        out.number(self.at);
        out.number(self.steps.len());
        for step in &self.steps {
            step.write(out);
        }
        for check in &self.checks {
            out.raw(check);
        }
        Ok(())
    }

    fn read(from: &mut ByteReader<'_>) -> Option<SharedDuel> {
        let flags = from.byte()?;
        let is = |at: u8| flags & 1 << at != 0;
        if flags >> 7 != 0 || is(5) && !is(4) {
            return None;
        }
        let seat = |two: bool| if two { Seat::Two } else { Seat::One };
        let seed = match is(0) {
            true => Seed::from(from.wide()?),
            false => Some(Seed(from.array()?)).filter(|seed| seed.number().is_none())?,
        };
        let twist = match is(6) {
            true => from.text(MOST_TWIST).filter(|twist| !twist.is_empty())?,
            false => String::new(),
        };
        let mut side = || {
            Some((
                LinkedDeck::read(from)?,
                from.text(MOST_NAME)?,
                from.text(MOST_NAME)?,
            ))
        };
        let [one, two] = [side()?, side()?];
        let at = from.number(MOST_STEPS)?;
        let many = from.number(MOST_STEPS)?;
        let steps: Option<Vec<_>> = (0..many).map(|_| SharedStep::read(from)).collect();
        let checked = (0..many).filter(|number| is_checked(*number, many));
        let checks: Option<Vec<_>> = checked.map(|_| from.array()).collect();
        Some(SharedDuel {
            start: SharedStart {
                seed,
                first: is(4).then(|| seat(is(5))),
                illegal_decks: is(1),
                twist,
                decks: PerSeat([one.0, two.0]),
                names: PerSeat([one.1, two.1]),
                who: PerSeat([one.2, two.2]),
            },
            seat: seat(is(3)),
            at: Some(at).filter(|at| *at <= many)?,
            plays_on: is(2),
            steps: steps?,
            checks: checks?,
        })
    }
}

impl SharedStep {
    fn write(self, out: &mut ByteWriter) {
        let auto = if self.auto { UNASKED } else { 0 };
        let two = |seat: Seat| u8::from(seat == Seat::Two);
        match self.act {
            SharedAct::Option(place) => match u8::try_from(place).ok().filter(|place| *place < GAVE_UP) {
                Some(place) => out.raw(&[auto | place]),
                None => {
                    out.raw(&[auto | LARGE]);
                    out.raw(&place.to_le_bytes());
                }
            },
            SharedAct::GaveUp(seat) => out.raw(&[auto | (GAVE_UP + two(seat))]),
            SharedAct::AgreedDraw(seat) => out.raw(&[auto | (DRAW + two(seat))]),
            SharedAct::Reseeded(seat, seed) => {
                out.raw(&[auto | (RESEED + two(seat))]);
                out.raw(&seed.0);
            }
        }
    }

    fn read(from: &mut ByteReader<'_>) -> Option<SharedStep> {
        let byte = from.byte()?;
        let code = byte & !UNASKED;
        let seat = |first: u8| Seat::from_index(usize::from(code - first));
        let act = match code {
            place if place < GAVE_UP => SharedAct::Option(u16::from(place)),
            GAVE_UP..DRAW => SharedAct::GaveUp(seat(GAVE_UP)),
            DRAW..RESEED => SharedAct::AgreedDraw(seat(DRAW)),
            RESEED..LARGE => SharedAct::Reseeded(seat(RESEED), Seed(from.array()?)),
            LARGE => {
                let place = u16::from_le_bytes(from.array()?);
                SharedAct::Option(Some(place).filter(|place| *place >= u16::from(GAVE_UP))?)
            }
            _ => return None,
        };
        let auto = byte & UNASKED != 0;
        Some(SharedStep { act, auto })
    }
}

fn place_of(duel: &Duel, choice: Choice) -> Option<u16> {
    let options = &duel.pending()?.options;
    let place = options.iter().position(|option| *option == choice)?;
    u16::try_from(place).ok()
}

/// Whether a link says how the duel stands after this step of so many.
fn is_checked(number: usize, many: usize) -> bool {
    (number + 1).is_multiple_of(CHECKED_EVERY) || number + 1 == many
}

fn check_of(duel: &Duel) -> [u8; 4] {
    let hash = duel.hash();
    [hash.0[0], hash.0[1], hash.0[2], hash.0[3]]
}
