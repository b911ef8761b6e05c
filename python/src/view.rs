//! What a seat sees, as objects that cannot be changed.

use cw_duel::{AbilityKind, CardView, CharacterView, PlayerView, Seat};
use cw_program::{ClosedWord, ModelId};
use pyo3::prelude::*;

use crate::game::Game;

/// A card as it is printed; all copies share it.
#[pyclass(module = "cardwright", frozen, get_all, eq, hash)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Model {
    /// Its place among the game's cards; encodings name it by this number and one.
    pub(crate) number: u16,
    /// Its identity in the package.
    pub(crate) id: String,
    pub(crate) name: String,
    /// character, action or reaction; None: the game does not know its type.
    pub(crate) kind: Option<String>,
    pub(crate) subtype: Option<String>,
    pub(crate) bp: i32,
    /// Positive is gained, negative is paid.
    pub(crate) sp: i32,
    pub(crate) text: String,
    /// The ability's symbol and name.
    pub(crate) ability: Option<(String, String)>,
    /// Types that it takes as back-ups.
    pub(crate) backups: Vec<String>,
    /// Whether its text is played by the program.
    pub(crate) scripted: bool,
}

impl Model {
    pub(crate) fn of(game: &cw_duel::Game, id: ModelId) -> Model {
        let model = game.model(id);
        let subtype = |id: cw_program::SubtypeId| game.subtypes[usize::from(id.0)].to_string();
        Model {
            number: id.0,
            id: model.id.to_string(),
            name: model.name.to_string(),
            kind: model.card_type.map(|kind| kind.word().to_lowercase()),
            subtype: model.subtype.map(subtype),
            bp: model.bp,
            sp: model.sp,
            text: model.text.to_string(),
            ability: model.ability.as_ref().map(|ability| {
                let symbol = match ability.kind {
                    AbilityKind::Instant => "▲",
                    AbilityKind::Triggered => "■",
                    AbilityKind::Auto => "●",
                };
                (symbol.to_owned(), ability.name.to_string())
            }),
            backups: model.backups.iter().map(|id| subtype(*id)).collect(),
            scripted: model.program.is_some(),
        }
    }
}

#[pymethods]
impl Model {
    fn __repr__(&self) -> String {
        crate::short(format!("<Model {:?}>", self.name))
    }

    fn _repr_html_(slf: &Bound<'_, Model>) -> PyResult<String> {
        crate::html("of_model", slf.as_any())
    }
}

/// A card: which, and what, if the seat knows.
#[pyclass(module = "cardwright", frozen, get_all)]
pub(crate) struct Card {
    pub(crate) card: u8,
    pub(crate) model: Option<Py<Model>>,
}

/// A character in a ring.
#[pyclass(module = "cardwright", frozen, get_all)]
#[expect(clippy::struct_excessive_bools, reason = "each is one mark of the rules")]
pub(crate) struct Character {
    card: u8,
    model: Py<Model>,
    bp: i32,
    /// Whose ability it has now; None is lost.
    ability: Option<Py<Model>>,
    /// Entered this turn.
    fresh: bool,
    frozen: bool,
    /// Its ability was used.
    activated: bool,
    /// Attacks alone or leads.
    attacks: bool,
    /// Follows in the United Attack.
    follows: bool,
    /// Counter-attacks.
    blocks: bool,
    keywords: Vec<String>,
    backups: Vec<Py<Card>>,
}

/// What is known of a player.
#[pyclass(module = "cardwright", frozen, get_all)]
pub(crate) struct Player {
    hp: i32,
    sp: i32,
    /// Characters played this turn, and how many may be.
    characters: (u8, u8),
    /// Back-ups made this turn.
    backups: u8,
    extra_turns: u8,
    skips: Vec<String>,
    keywords: Vec<String>,
    /// The slots; None is empty.
    ring: Vec<Option<Py<Character>>>,
    hand: Vec<Py<Card>>,
    /// Top first; None is unknown.
    deck: Vec<Option<Py<Model>>>,
    /// Top first.
    discards: Vec<Py<Card>>,
    removed: Vec<Py<Card>>,
}

/// A duel as one seat sees it.
#[pyclass(module = "cardwright", frozen)]
pub(crate) struct View {
    #[pyo3(get)]
    seat: u8,
    #[pyo3(get)]
    turn: u16,
    #[pyo3(get)]
    phase: String,
    /// Whose turn it is.
    #[pyo3(get)]
    active: u8,
    /// Who began.
    #[pyo3(get)]
    first: u8,
    /// The seat itself.
    #[pyo3(get)]
    me: Py<Player>,
    /// The other one.
    #[pyo3(get)]
    other: Py<Player>,
    /// The cards of the United Attack, lead first.
    #[pyo3(get)]
    united: Vec<u8>,
    /// Attackers and their blockers.
    #[pyo3(get)]
    blocks: Vec<(u8, u8)>,
    /// Actions and reactions in play.
    #[pyo3(get)]
    table: Vec<Py<Card>>,
    /// Who must decide now.
    #[pyo3(get)]
    asked: Option<u8>,
    /// All of it, as the engine has it.
    seen: cw_duel::DuelView,
    /// The game's.
    fingerprint: String,
}

/// Makes objects of a game's views.
struct Maker<'a, 'py> {
    py: Python<'py>,
    game: &'a Game,
}

impl Maker<'_, '_> {
    fn model(&self, id: ModelId) -> Py<Model> {
        self.game.model(self.py, id)
    }

    fn card(&self, card: &CardView) -> PyResult<Py<Card>> {
        Py::new(
            self.py,
            Card {
                card: card.card.0,
                model: card.model.map(|model| self.model(model)),
            },
        )
    }

    fn cards(&self, cards: &[CardView]) -> PyResult<Vec<Py<Card>>> {
        cards.iter().map(|card| self.card(card)).collect()
    }

    fn character(&self, one: &CharacterView) -> PyResult<Py<Character>> {
        Py::new(
            self.py,
            Character {
                card: one.card.0,
                model: self.model(one.model),
                bp: one.bp,
                ability: one.ability.map(|model| self.model(model)),
                fresh: one.fresh,
                frozen: one.frozen,
                activated: one.activated,
                attacks: one.attacks,
                follows: one.follows,
                blocks: one.blocks,
                keywords: words(&one.keywords),
                backups: self.cards(&one.backups)?,
            },
        )
    }

    fn player(&self, player: &PlayerView) -> PyResult<Py<Player>> {
        let ring = player.ring.iter();
        let ring = ring.map(|slot| slot.as_ref().map(|one| self.character(one)).transpose());
        Py::new(
            self.py,
            Player {
                hp: player.hp,
                sp: player.sp,
                characters: player.characters,
                backups: player.backups,
                extra_turns: player.extra_turns,
                skips: player.skips.iter().map(|phase| phase.name().to_owned()).collect(),
                keywords: words(&player.keywords),
                ring: ring.collect::<PyResult<_>>()?,
                hand: self.cards(&player.hand)?,
                deck: player
                    .deck
                    .iter()
                    .map(|model| model.map(|model| self.model(model)))
                    .collect(),
                discards: self.cards(&player.discards)?,
                removed: self.cards(&player.removed)?,
            },
        )
    }
}

fn words(keywords: &[cw_program::Keyword]) -> Vec<String> {
    keywords.iter().map(|keyword| keyword.word().to_owned()).collect()
}

impl View {
    pub(crate) fn of(py: Python<'_>, game: &Game, duel: &cw_duel::Duel, seat: Seat) -> PyResult<View> {
        let view = duel.view(seat);
        let make = Maker { py, game };
        Ok(View {
            seat: seat.number(),
            turn: view.turn,
            phase: view.phase.name().to_owned(),
            active: view.active.number(),
            first: view.first.number(),
            me: make.player(&view.players[seat])?,
            other: make.player(&view.players[seat.other()])?,
            united: view.united.iter().map(|card| card.0).collect(),
            blocks: view.blocks.iter().map(|(one, two)| (one.0, two.0)).collect(),
            table: make.cards(&view.table)?,
            asked: view.to_decide.map(Seat::number),
            fingerprint: duel.game().fingerprint.to_string(),
            seen: view,
        })
    }
}

#[pymethods]
impl View {
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<View>() else {
            return false;
        };
        let other = other.get();
        self.fingerprint == other.fingerprint && self.seat == other.seat && self.seen == other.seen
    }

    fn __copy__(slf: Py<View>) -> Py<View> {
        slf
    }

    fn __repr__(&self) -> String {
        crate::short(format!(
            "<View of seat {}, turn {}, {}>",
            self.seat, self.turn, self.phase
        ))
    }

    fn _repr_html_(slf: &Bound<'_, View>) -> PyResult<String> {
        crate::html("of_view", slf.as_any())
    }
}

#[pymethods]
impl Card {
    fn __repr__(&self) -> String {
        let name = self.model.as_ref().map_or("unknown", |model| &model.get().name);
        crate::short(format!("<Card #{} {name}>", self.card))
    }

    fn _repr_html_(slf: &Bound<'_, Card>) -> PyResult<String> {
        crate::html("of_card", slf.as_any())
    }
}

#[pymethods]
impl Character {
    fn __repr__(&self) -> String {
        crate::short(format!(
            "<Character #{} {} {}>",
            self.card,
            self.model.get().name,
            self.bp
        ))
    }

    fn _repr_html_(slf: &Bound<'_, Character>) -> PyResult<String> {
        crate::html("of_character", slf.as_any())
    }
}

#[pymethods]
impl Player {
    fn __repr__(&self) -> String {
        crate::short(format!(
            "<Player {} HP, {} SP, {} cards in hand>",
            self.hp,
            self.sp,
            self.hand.len()
        ))
    }
}
