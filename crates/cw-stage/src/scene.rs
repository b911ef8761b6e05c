//! Cards of a rule each, and a duel that stands where it is wanted.

use std::sync::Arc;

use cw_check::KnownCards;
use cw_duel::{
    Ability, AbilityKind, CardId, CardModel, Chance, CharacterPosition, Choice, Constants, Duel, DuelEvent,
    DuelPosition, Game, PerSeat, Phase, PlayerPosition, Question, Seat, Shuffle,
};
use cw_program::{CardNameId, CardType, CompiledRule, ModelId, SubtypeId, compile};
use cw_syntax::{Arena, parse};
use cw_text::{FileId, Severity, Span};

/// A card: its name, and what it is.
#[derive(Debug)]
pub struct SceneCard(pub &'static str, pub SceneCardKind);

/// What a [`SceneCard`] is, and its rule.
#[derive(Debug)]
pub enum SceneCardKind {
    /// BP, ability symbol, rule.
    Character(i32, Option<AbilityKind>, &'static str),
    /// An Action card.
    Action(&'static str),
    /// A Reaction card.
    Reaction(&'static str),
}

/// The symbol of an auto ability.
pub const AUTO: Option<AbilityKind> = Some(AbilityKind::Auto);
/// The symbol of an instant ability.
pub const INSTANT: Option<AbilityKind> = Some(AbilityKind::Instant);
/// The symbol of a triggered ability.
pub const TRIGGERED: Option<AbilityKind> = Some(AbilityKind::Triggered);

/// Makes a game of the cards; a rule with any error ends the test.
#[track_caller]
pub fn game(cards: &[SceneCard]) -> Arc<Game> {
    let cards = cards.iter().enumerate().map(|(index, SceneCard(name, kind))| {
        let (card_type, bp, ability, rule) = match kind {
            SceneCardKind::Character(bp, ability, rule) => (CardType::Character, *bp, *ability, *rule),
            SceneCardKind::Action(rule) => (CardType::Action, 0, None, *rule),
            SceneCardKind::Reaction(rule) => (CardType::Reaction, 0, None, *rule),
        };
        let mut model = model(index, name, card_type, bp);
        model.ability = ability.map(named);
        (model, rule.to_owned())
    });
    game_of(vec!["Rope".into(), "Bell".into()], cards.collect())
}

/// A card without cost and text.
pub fn model(index: usize, name: &str, card_type: CardType, bp: i32) -> CardModel {
    CardModel {
        id: format!("00000000-0000-0000-0000-{index:012}").into(),
        name: name.into(),
        name_id: CardNameId(small(index)),
        card_type: Some(card_type),
        subtype: (card_type == CardType::Character).then_some(SubtypeId(small(index % 2))),
        bp,
        sp: 0,
        ability: None,
        text: "".into(),
        backups: vec![SubtypeId(0), SubtypeId(1)],
        program: None,
    }
}

/// An ability of this kind.
pub fn named(kind: AbilityKind) -> Ability {
    Ability {
        kind,
        name: "TEST".into(),
    }
}

/// A number of a card or a subtype.
#[track_caller]
pub(crate) fn small<N: TryFrom<T>, T>(number: T) -> N {
    N::try_from(number).unwrap_or_else(|_| panic!("a number that is too large for its place"))
}

/// Makes a game of models and their rules; a rule with any error ends the test.
#[track_caller]
pub fn game_of(subtypes: Vec<Box<str>>, cards: Vec<(CardModel, String)>) -> Arc<Game> {
    game_with(Constants::default(), subtypes, cards)
}

/// As [`game_of`], with other numbers.
#[track_caller]
pub fn game_with(
    constants: Constants,
    subtypes: Vec<Box<str>>,
    cards: Vec<(CardModel, String)>,
) -> Arc<Game> {
    let mut game = Game {
        name: "stage".into(),
        constants,
        subtypes,
        ..Game::default()
    };
    let (models, texts): (Vec<CardModel>, Vec<String>) = cards.into_iter().unzip();
    game.names = models
        .iter()
        .map(|model| model.name.to_lowercase().into())
        .collect();
    game.models = models;
    let mut rules = Vec::new();
    {
        let names = cw_load::names(&game);
        for (index, text) in texts.iter().enumerate() {
            if text.is_empty() {
                continue;
            }
            let name = &game.models[index].name;
            let (rule, errors) = read_rule(text, &names);
            assert!(errors.is_empty(), "{name}: {errors:?}");
            rules.push((index, rule));
        }
    }
    for (index, rule) in rules {
        game.models[index].set_rule(rule);
    }
    Arc::new(game)
}

/// A rule and the errors in it, each with its code.
pub fn read_rule(text: &str, names: &KnownCards) -> (CompiledRule, Vec<String>) {
    let arena = Arena::new();
    let parsed = parse(&arena, FileId(0), text, Span::new(0, text.len()));
    let compiled = compile(FileId(0), text, &parsed.rule, names);
    let errors = parsed
        .diagnostics
        .into_iter()
        .chain(compiled.diagnostics)
        .filter(|found| found.severity == Severity::Error)
        .map(|found| format!("{} {}", found.code, found.message))
        .collect();
    (compiled.rule, errors)
}

/// A duel that stands at the beginning of a phase of player 1's third turn, with scripted chance.
#[derive(Debug)]
pub struct DuelScene {
    /// The game.
    pub game: Arc<Game>,
    /// Where the duel stands.
    pub position: DuelPosition,
}

impl DuelScene {
    /// The beginning of a phase, with decks of ten of the card that is called `Filler`.
    #[track_caller]
    pub fn new(game: Arc<Game>, phase: Phase) -> DuelScene {
        let mut scene = DuelScene::empty(game);
        scene.position.phase = phase;
        // A deck that lasts.
        for seat in Seat::BOTH {
            let filler = scene.model("Filler");
            scene.position.players[seat].deck = vec![filler; 10];
        }
        scene
    }

    /// Player 1's Main phase, with no cards anywhere.
    pub fn empty(game: Arc<Game>) -> DuelScene {
        let players = PerSeat([PlayerPosition::new(&game), PlayerPosition::new(&game)]);
        let position = DuelPosition {
            players,
            turn: 3,
            phase: Phase::Main,
            active: Seat::One,
            first: Seat::One,
            united: Vec::new(),
            blocks: Vec::new(),
            rules: Vec::new(),
            costs: Vec::new(),
            chance: Chance::First {
                shuffle: Shuffle::Keep,
            },
            script: Vec::new(),
        };
        DuelScene { game, position }
    }

    /// The card with this name.
    #[track_caller]
    pub fn model(&self, name: &str) -> ModelId {
        self.game.find(name).unwrap_or_else(|| panic!("no card {name}"))
    }

    /// Whom a seat has in its ring, by slots.
    #[track_caller]
    pub fn ring(mut self, seat: Seat, names: &[&str]) -> DuelScene {
        let ring = names
            .iter()
            .map(|name| Some(CharacterPosition::new(self.model(name))))
            .collect();
        self.position.players[seat].ring = ring;
        self
    }

    /// A seat's hand.
    #[track_caller]
    pub fn hand(mut self, seat: Seat, names: &[&str]) -> DuelScene {
        self.position.players[seat].hand = names.iter().map(|name| self.model(name)).collect();
        self
    }

    /// A seat's deck, its top first.
    #[track_caller]
    pub fn deck(mut self, seat: Seat, names: &[&str]) -> DuelScene {
        self.position.players[seat].deck = names.iter().map(|name| self.model(name)).collect();
        self
    }

    /// A seat's discards.
    #[track_caller]
    pub fn discards(mut self, seat: Seat, names: &[&str]) -> DuelScene {
        self.position.players[seat].discards = names.iter().map(|name| self.model(name)).collect();
        self
    }

    /// The duel that stands there.
    #[track_caller]
    pub fn start(self) -> Play {
        let duel = Duel::from_position(self.game, &self.position).expect("a possible position");
        Play {
            duel,
            events: Vec::new(),
        }
    }
}

/// A duel being played, with all that happened.
#[derive(Clone, Debug)]
pub struct Play {
    /// The duel.
    pub duel: Duel,
    /// What happened, in order.
    pub events: Vec<DuelEvent>,
}

impl Play {
    /// Answers, and looks that everything still fits together.
    #[track_caller]
    pub fn answer(&mut self, choice: Choice) -> &mut Play {
        let pending = self.duel.pending().cloned();
        if let Err(refused) = self.duel.answer(choice, &mut self.events) {
            panic!("{refused}; offered: {pending:?}");
        }
        if let Err(broken) = self.duel.check_invariants() {
            panic!("{broken}");
        }
        self
    }

    /// Chooses the card with this name from what is offered.
    #[track_caller]
    pub fn choose(&mut self, make: impl Fn(CardId) -> Choice, name: &str) -> &mut Play {
        let decision = self.duel.pending().expect("the duel goes on").clone();
        let named = |card: &CardId| self.name(*card) == name;
        let found = (0..250u8)
            .map(CardId)
            .filter(|card| decision.options.contains(&make(*card)))
            .find(named);
        let Some(card) = found else {
            panic!("{name} is not offered: {decision:?}")
        };
        self.answer(make(card))
    }

    /// Passes.
    #[track_caller]
    pub fn pass(&mut self) -> &mut Play {
        self.answer(Choice::Pass)
    }

    /// What is asked.
    #[track_caller]
    pub fn question(&self) -> Question {
        self.duel.pending().expect("the duel goes on").question
    }

    /// The name of a card as its front says it, whoever may know it.
    pub fn name(&self, card: CardId) -> &str {
        self.duel
            .true_model(card)
            .map_or("", |model| &self.duel.game().model(model).name)
    }

    /// BP of the character with this name in any ring.
    #[track_caller]
    pub fn bp(&self, name: &str) -> Option<i32> {
        let view = self.duel.view(Seat::One);
        let rings = Seat::BOTH
            .into_iter()
            .flat_map(|seat| view.players[seat].ring.clone())
            .flatten();
        rings
            .into_iter()
            .find(|character| self.name(character.card) == name)
            .map(|character| character.bp)
    }

    /// A seat's HP.
    pub fn hp(&self, seat: Seat) -> i32 {
        self.duel.view(seat).players[seat].hp
    }

    /// How many cards a seat has in its hand.
    pub fn hand(&self, seat: Seat) -> usize {
        self.duel.view(seat).players[seat].hand.len()
    }

    /// Whether a choice is offered.
    pub fn offers(&self, choice: Choice) -> bool {
        self.duel
            .pending()
            .is_some_and(|decision| decision.options.contains(&choice))
    }

    /// How often something happened.
    pub fn count(&self, what: impl Fn(&DuelEvent) -> bool) -> usize {
        self.events.iter().filter(|event| what(event)).count()
    }
}
