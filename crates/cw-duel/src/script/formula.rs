//! Expressions over the state: the game's values, as the language sees them (section 10).

use cw_formula::{
    CardKind, EngineName, Error, ExprLimits, GameFacts as Door, GetTargetsFilter, HostObject as Handle,
    KeptValue, Value, ValueAttribute, VarId,
};
use cw_formula::{Item, keep, whole_number};
use cw_program::{CardType, ClosedWord, FormulaId, NumberArgument, PileName, Var};
use smallvec::SmallVec;

use crate::Seat;
use crate::base::card::CardId;
use crate::base::count::{byte, saturated, word};
use crate::base::list::Objects;
use crate::base::list::{ArenaList, DuelObject};
use crate::event::trace::TraceValue;
use crate::game::{AbilityKind, CardModel};
use crate::script::query::{FoundTargets, Purpose, QueryStop, TargetQuery};
use crate::state::Marks;
use crate::state::decision::{Choice, Question};
use crate::state::variables::{BOOL, FLOAT, INT, LIST, MIXED, OBJECT, TEXT, UNDEFINED, encoded_len};

/// What a handle stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    /// A card or player.
    One(DuelObject),
    /// The source of the run as it was last known (D87).
    LastKnown,
    /// A pile.
    Pile(Seat, PileName),
    /// The characters of a ring, in slot order.
    Ring(Seat),
    /// A list of the running program.
    Kept(ArenaList),
    /// A list inside the encoded variables: where its objects begin, and how many there are.
    Stored { at: u16, len: u8 },
    /// A list made by `getTargets` in this evaluation.
    Found(u16),
}

impl Thing {
    fn handle(self) -> Handle {
        let (kind, payload) = match self {
            Thing::One(object) => (0, u64::from(object.0)),
            Thing::Pile(seat, pile) => (1, seat as u64 * 4 + pile as u64),
            Thing::Ring(seat) => (2, seat as u64),
            Thing::Kept(list) => (3, u64::from(list.raw())),
            Thing::LastKnown => (4, 0),
            Thing::Stored { at, len } => (5, u64::from(at) << 8 | u64::from(len)),
            Thing::Found(index) => (6, u64::from(index)),
        };
        Handle(kind << 32 | payload)
    }

    fn of(handle: Handle) -> Thing {
        let payload = handle.0 & 0xFFFF_FFFF;
        let seat = |bits: u64| Seat::from_index(usize::from(low(bits) & 1));
        match handle.0 >> 32 {
            0 => Thing::One(DuelObject(low(payload))),
            1 => Thing::Pile(seat(payload / 4), PileName::ALL[payload as usize % 4]),
            2 => Thing::Ring(seat(payload)),
            3 => Thing::Kept(ArenaList::from_raw(low_word(payload))),
            4 => Thing::LastKnown,
            5 => Thing::Stored {
                at: low_word(payload >> 8),
                len: low(payload),
            },
            _ => Thing::Found(low_word(payload)),
        }
    }
}

/// The lowest byte of a handle, where a part of it stands.
fn low(payload: u64) -> u8 {
    payload.to_le_bytes()[0]
}

/// The lowest two.
fn low_word(payload: u64) -> u16 {
    let [first, second, ..] = payload.to_le_bytes();
    u16::from_le_bytes([first, second])
}

fn value_of(object: DuelObject) -> Value {
    Value::Host(Thing::One(object).handle())
}

/// Why an expression gave no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoValue {
    /// A question was put; the evaluation is repeated when it is answered (D42).
    Asks,
    /// It failed: nil (R1004).
    Nil,
}

/// What one evaluation asks.
struct Asker<'q, 'a> {
    query: &'q mut TargetQuery<'a>,
    /// Lists that `getTargets` found in this evaluation.
    found: Vec<Objects>,
}

impl<'a> TargetQuery<'a> {
    fn formula(&self, expr: FormulaId) -> Option<&'a cw_formula::Formula> {
        let program = self.facts.game.model(self.frame.model).program.as_deref()?;
        program.rule.formulas.get(usize::from(expr.0))?.code.as_ref()
    }

    /// Evaluates; then `read` takes what it needs of the value, while its lists are there.
    fn evaluate<T>(
        &mut self,
        expr: FormulaId,
        read: impl FnOnce(&mut Asker<'_, 'a>, &Value) -> T,
    ) -> Result<T, NoValue> {
        let Some(formula) = self.formula(expr) else {
            self.failed = true;
            return Err(NoValue::Nil);
        };
        let mut asker = Asker {
            query: self,
            found: Vec::new(),
        };
        match formula.eval(&mut asker, &ExprLimits::CARD) {
            Ok(value) => Ok(read(&mut asker, &value)),
            Err(error) if error.is_suspend() => Err(NoValue::Asks),
            Err(_) => {
                self.failed = true;
                Err(NoValue::Nil)
            }
        }
    }

    /// R502: Python's truth; what fails counts as false.
    pub fn truth(&mut self, expr: FormulaId) -> FoundTargets<bool> {
        let Some(formula) = self.formula(expr) else {
            self.failed = true;
            return Ok(false);
        };
        let mut asker = Asker {
            query: self,
            found: Vec::new(),
        };
        match formula.truth(&mut asker, &ExprLimits::CARD) {
            Ok(truth) => Ok(truth),
            Err(error) if error.is_suspend() => Err(QueryStop::Ask),
            Err(_) => {
                self.failed = true;
                Ok(false)
            }
        }
    }

    /// Cards and players of an expression; a list is flattened (R412).
    pub fn objects_of(&mut self, expr: FormulaId) -> FoundTargets<Objects> {
        let found = self.evaluate(expr, |asker, value| {
            let mut objects = Objects::new();
            asker.query.collect(value, &asker.found, &mut objects);
            objects
        });
        match found {
            Ok(objects) => Ok(objects),
            Err(NoValue::Asks) => Err(QueryStop::Ask),
            Err(NoValue::Nil) => Ok(Objects::new()),
        }
    }

    fn collect(&self, value: &Value, found: &[Objects], objects: &mut Objects) {
        match value {
            Value::Host(handle) => {
                let thing = Thing::of(*handle);
                match self.things(thing, found) {
                    Some(count) => {
                        objects.extend((0..count).filter_map(|at| self.thing_at(thing, at, found)));
                    }
                    None => {
                        if let Thing::One(object) = thing {
                            objects.push(object);
                        }
                    }
                }
            }
            Value::List(list) | Value::Tuple(list) => {
                for item in &list.items {
                    self.collect(item, found, objects);
                }
            }
            _ => {}
        }
    }

    /// R606: truncated; what fails is 0.
    pub fn number(&mut self, number: NumberArgument) -> FoundTargets<i32> {
        let expr = match number {
            NumberArgument::Literal(value) => return Ok(value),
            NumberArgument::Computed(expr) => expr,
        };
        match self.evaluate(expr, |_, value| whole_number(value)) {
            Ok(Some(value)) => Ok(saturated(value)),
            Ok(None) => {
                self.failed = true;
                Ok(0)
            }
            Err(NoValue::Asks) => Err(QueryStop::Ask),
            Err(NoValue::Nil) => Ok(0),
        }
    }

    /// R304.5, D43, D103: the values of all variables, one after another; each sees those before it.
    pub fn variables(&mut self, vars: &[Var]) -> FoundTargets<SmallVec<[u8; 64]>> {
        let mut bytes: SmallVec<[u8; 64]> = SmallVec::new();
        for var in vars {
            self.making = Some(bytes.clone());
            let made = self.evaluate(var.value, |asker, value| keep(value, asker));
            self.making = None;
            match made {
                Ok(Some(kept)) if !is_last_known(&kept) => encode(&kept, &mut bytes),
                Ok(Some(_) | None) => {
                    self.failed = true; // D103: told in the run's trace
                    bytes.push(UNDEFINED);
                }
                Err(NoValue::Asks) => return Err(QueryStop::Ask),
                Err(NoValue::Nil) => bytes.push(UNDEFINED),
            }
        }
        Ok(bytes)
    }

    /// The value of a variable; `None` if it is undefined.
    fn variable(&self, variable: VarId) -> Option<Value> {
        let kept = self.facts.s.arena.get(self.frame.vars);
        let bytes: &[u8] = self.making.as_deref().unwrap_or(kept);
        let mut at = 0;
        for _ in 0..variable.0 {
            at += encoded_len(bytes.get(at..)?)?;
        }
        decode(bytes, at)
    }
}

/// The value that begins at a byte.
fn decode(bytes: &[u8], at: usize) -> Option<Value> {
    let payload = bytes.get(at + 1..);
    Some(match *bytes.get(at)? {
        MIXED => {
            let end = at + encoded_len(bytes.get(at..)?)?;
            let mut items = Vec::new();
            let mut item = at + 3;
            while item < end {
                items.push(decode(bytes, item).unwrap_or(Value::None));
                item += encoded_len(bytes.get(item..)?)?;
            }
            Value::list(items)
        }
        BOOL => Value::Bool(*payload?.first()? != 0),
        INT => Value::Int(i64::from_le_bytes(payload?.get(..8)?.try_into().ok()?)),
        FLOAT => Value::Float(f64::from_le_bytes(payload?.get(..8)?.try_into().ok()?)),
        OBJECT => value_of(DuelObject(*payload?.first()?)),
        LIST => Value::Host(
            Thing::Stored {
                at: word(at + 2),
                len: *payload?.first()?,
            }
            .handle(),
        ),
        TEXT => {
            let len = usize::from(*payload?.first()?);
            Value::str(std::str::from_utf8(payload?.get(1..1 + len)?).ok()?)
        }
        _ => return None,
    })
}

impl TargetQuery<'_> {
    /// R622: once per element for which X is truthy. D30: nil elements do not repeat.
    pub fn group(&mut self, value: FormulaId, list: FormulaId) -> FoundTargets<Objects> {
        let elements = self.objects_of(list)?;
        let outer = self.element;
        let mut kept = Objects::new();
        for element in elements {
            self.element = Some(element);
            let holds = self.truth(value);
            self.element = outer;
            if holds? {
                kept.push(element);
            }
        }
        Ok(kept)
    }

    /// How many objects a list holds; `None` for a single card or player.
    fn things(&self, thing: Thing, found: &[Objects]) -> Option<usize> {
        let state = self.facts.s;
        match thing {
            Thing::One(_) | Thing::LastKnown => None,
            Thing::Pile(seat, pile) => Some(state.pile_count(seat, pile)),
            Thing::Ring(seat) => Some(state.ring_size(seat)),
            Thing::Kept(list) => Some(state.arena.get(list).len()),
            Thing::Stored { len, .. } => Some(usize::from(len)),
            Thing::Found(index) => Some(found.get(usize::from(index)).map_or(0, smallvec::SmallVec::len)),
        }
    }

    fn thing_at(&self, thing: Thing, index: usize, found: &[Objects]) -> Option<DuelObject> {
        let state = self.facts.s;
        match thing {
            Thing::One(object) => (index == 0).then_some(object),
            Thing::LastKnown => None,
            Thing::Pile(seat, pile) => self
                .facts
                .listed(seat, pile)
                .get(index)
                .copied()
                .map(DuelObject::card),
            Thing::Ring(seat) => state
                .ring(seat)
                .nth(index)
                .map(|slot| DuelObject::card(slot.card)),
            Thing::Kept(list) => state.arena.get(list).get(index).map(|byte| DuelObject(*byte)),
            Thing::Stored { at, .. } => {
                let kept = state.arena.get(self.frame.vars);
                let bytes: &[u8] = self.making.as_deref().unwrap_or(kept);
                bytes.get(usize::from(at) + index).map(|byte| DuelObject(*byte))
            }
            Thing::Found(list) => found.get(usize::from(list))?.get(index).copied(),
        }
    }
}

/// Whether it is a source that is gone, which no variable can hold (D87).
fn is_last_known(kept: &KeptValue) -> bool {
    matches!(kept, KeptValue::Item(Item::Object(handle)) if Thing::of(*handle) == Thing::LastKnown)
}

/// D43: what a variable keeps, as bytes of the arena.
fn encode(kept: &KeptValue, bytes: &mut SmallVec<[u8; 64]>) {
    match kept {
        KeptValue::Item(Item::Nil) => bytes.push(UNDEFINED), // R304.5
        KeptValue::Item(Item::Bool(holds)) => bytes.extend([BOOL, u8::from(*holds)]),
        KeptValue::Item(Item::Int(number)) => {
            bytes.push(INT);
            bytes.extend(number.to_le_bytes());
        }
        KeptValue::Item(Item::Float(number)) => {
            bytes.push(FLOAT);
            bytes.extend(number.to_le_bytes());
        }
        KeptValue::Item(Item::Text(text)) => {
            bytes.extend([TEXT, byte(text.len())]);
            bytes.extend(text.bytes());
        }
        KeptValue::Item(Item::Object(handle)) => match Thing::of(*handle) {
            Thing::One(object) => bytes.extend([OBJECT, object.0]),
            _ => bytes.push(UNDEFINED),
        },
        KeptValue::List(items) => {
            let objects: Option<Objects> = items
                .iter()
                .map(|item| match item {
                    Item::Object(handle) => match Thing::of(*handle) {
                        Thing::One(object) => Some(object),
                        _ => None,
                    },
                    Item::Nil | Item::Bool(_) | Item::Int(_) | Item::Float(_) | Item::Text(_) => None,
                })
                .collect();
            match objects {
                Some(objects) => {
                    bytes.extend([LIST, byte(objects.len())]);
                    bytes.extend(objects.iter().map(|object| object.0));
                }
                None => encode_mixed(items, bytes),
            }
        }
    }
}

/// A list with other things than cards and players in it: its length in bytes, then its items.
fn encode_mixed(items: &[Item], bytes: &mut SmallVec<[u8; 64]>) {
    let mut inner = SmallVec::new();
    for item in items {
        encode(&KeptValue::Item(item.clone()), &mut inner);
    }
    bytes.push(MIXED);
    bytes.extend(word(inner.len()).to_le_bytes());
    bytes.extend(inner);
}

fn ability_word(kind: Option<AbilityKind>) -> Value {
    match kind {
        None => Value::None,
        Some(AbilityKind::Instant) => Value::str("instant"),
        Some(AbilityKind::Triggered) => Value::str("triggered"),
        Some(AbilityKind::Auto) => Value::str("auto"),
    }
}

fn undefined() -> Error {
    Error::not_available("a value that is not there")
}

impl Asker<'_, '_> {
    fn card_or(card: CardId) -> Result<Value, Error> {
        card.some()
            .map(|card| value_of(DuelObject::card(card)))
            .ok_or_else(undefined)
    }

    fn list_or(list: ArenaList) -> Result<Value, Error> {
        if list.is_defined() {
            Ok(Value::Host(Thing::Kept(list).handle()))
        } else {
            Err(undefined())
        }
    }

    fn card_attribute(&self, card: CardId, attribute: ValueAttribute) -> Option<Value> {
        let facts = self.query.facts;
        let model = facts.model(card);
        let number =
            |value: Option<i32>| value.map_or(Value::Float(f64::NAN), |value| Value::Int(value.into()));
        Some(match attribute {
            ValueAttribute::Bp => number(facts.bp(card)),
            ValueAttribute::LastBp => number(facts.last_bp(card)),
            ValueAttribute::Ability => ability_word(facts.ability_kind(card)),
            ValueAttribute::Controller => value_of(DuelObject::player(facts.controller(card))),
            ValueAttribute::Owner => value_of(DuelObject::player(facts.s.cards[card.index()].owner())),
            ValueAttribute::Sp
            | ValueAttribute::CardName
            | ValueAttribute::Type
            | ValueAttribute::Subtype => {
                return self.printed(model, attribute);
            }
            ValueAttribute::Hp
            | ValueAttribute::Hand
            | ValueAttribute::Deck
            | ValueAttribute::Discards
            | ValueAttribute::Removed
            | ValueAttribute::Ring
            | ValueAttribute::Size
            | ValueAttribute::NcDamaged
            | ValueAttribute::LostSp => return None,
        })
    }

    /// What stands on a card.
    fn printed(&self, model: &CardModel, attribute: ValueAttribute) -> Option<Value> {
        let game = self.query.facts.game;
        Some(match attribute {
            ValueAttribute::Bp | ValueAttribute::LastBp if model.is_character() => {
                Value::Int(model.bp.into())
            }
            ValueAttribute::Bp | ValueAttribute::LastBp => Value::Float(f64::NAN),
            ValueAttribute::Sp => Value::Int(model.sp.into()),
            ValueAttribute::Ability => ability_word(model.ability_kind()),
            ValueAttribute::CardName => Value::str(&game.names[usize::from(model.name_id.0)]),
            ValueAttribute::Type => model
                .card_type
                .map_or(Value::None, |kind| Value::str(kind.word())),
            ValueAttribute::Subtype => match model.subtype {
                Some(subtype) => Value::str(&game.subtypes[usize::from(subtype.0)].to_lowercase()),
                None => Value::str(""),
            },
            ValueAttribute::Controller
            | ValueAttribute::Owner
            | ValueAttribute::Hp
            | ValueAttribute::Hand
            | ValueAttribute::Deck
            | ValueAttribute::Discards
            | ValueAttribute::Removed
            | ValueAttribute::Ring
            | ValueAttribute::Size
            | ValueAttribute::NcDamaged
            | ValueAttribute::LostSp => return None,
        })
    }

    /// D87: what is known of a source that has entered a deck.
    fn last_known(&self, attribute: ValueAttribute) -> Option<Value> {
        let (facts, frame) = (self.query.facts, self.query.frame);
        match attribute {
            ValueAttribute::Controller => Some(value_of(DuelObject::player(facts.source_controller(frame)))),
            ValueAttribute::Owner => Some(value_of(DuelObject::player(
                facts.s.cards[frame.source.index()].owner(),
            ))),
            ValueAttribute::Bp
            | ValueAttribute::LastBp
            | ValueAttribute::Sp
            | ValueAttribute::Ability
            | ValueAttribute::CardName
            | ValueAttribute::Type
            | ValueAttribute::Subtype
            | ValueAttribute::Hp
            | ValueAttribute::Hand
            | ValueAttribute::Deck
            | ValueAttribute::Discards
            | ValueAttribute::Removed
            | ValueAttribute::Ring
            | ValueAttribute::Size
            | ValueAttribute::NcDamaged
            | ValueAttribute::LostSp => self.printed(facts.game.model(frame.named), attribute),
        }
    }

    fn player_attribute(&self, seat: Seat, attribute: ValueAttribute) -> Option<Value> {
        let player = &self.query.facts.s.players[seat];
        let pile = |pile| Value::Host(Thing::Pile(seat, pile).handle());
        Some(match attribute {
            ValueAttribute::Hp => Value::Int(player.hp.into()),
            ValueAttribute::Sp => Value::Int(player.sp.into()),
            ValueAttribute::Hand => pile(PileName::Hand),
            ValueAttribute::Deck => pile(PileName::Deck),
            ValueAttribute::Discards => pile(PileName::Discards),
            ValueAttribute::Removed => pile(PileName::Removed),
            ValueAttribute::Ring => Value::Host(Thing::Ring(seat).handle()),
            ValueAttribute::NcDamaged => Value::Bool(player.nc_damaged),
            ValueAttribute::LostSp => Value::Int(player.lost_sp.into()),
            ValueAttribute::Bp
            | ValueAttribute::LastBp
            | ValueAttribute::Ability
            | ValueAttribute::Controller
            | ValueAttribute::Owner
            | ValueAttribute::CardName
            | ValueAttribute::Type
            | ValueAttribute::Subtype
            | ValueAttribute::Size => return None,
        })
    }
}

impl Door for Asker<'_, '_> {
    fn name(&mut self, name: EngineName) -> Result<Value, Error> {
        let facts = self.query.facts;
        let frame = self.query.frame;
        let me = frame.executor;
        match name {
            EngineName::This if frame.lost.is_some() => Ok(Value::Host(Thing::LastKnown.handle())),
            EngineName::This => Asker::card_or(frame.source),
            EngineName::Me => Ok(value_of(DuelObject::player(me))),
            EngineName::Opp => Ok(value_of(DuelObject::player(me.other()))),
            // In an argument: the statement's (R1104).
            EngineName::Targets if self.query.preparing => {
                Ok(Value::Host(Thing::Kept(frame.targets).handle()))
            }
            // R304.4: nil if there is no `target`.
            EngineName::Targets if frame.main.is_defined() => {
                Ok(Value::Host(Thing::Kept(frame.main).handle()))
            }
            EngineName::Targets => Ok(Value::None),
            EngineName::FirstTarget => Ok(self.first_target()),
            EngineName::PrevTargets => Asker::list_or(frame.previous),
            EngineName::Discarded => Asker::list_or(frame.discarded),
            EngineName::Trashed => Asker::list_or(frame.trashed),
            EngineName::Destroyed => Asker::list_or(frame.destroyed),
            EngineName::Moved => Asker::list_or(frame.moved),
            EngineName::Sacrificed => Asker::list_or(frame.sacrificed),
            EngineName::Attacker => Asker::card_or(frame.attacker),
            EngineName::Blocker => Asker::card_or(frame.blocker),
            EngineName::Trigger => Asker::card_or(frame.trigger),
            EngineName::UaBp => Ok(Value::Int(frame.ua_bp.into())),
            // D35: the source is the only character in its controller's ring.
            EngineName::Alone => {
                let alone = frame.present_source().is_some_and(|card| {
                    facts.in_ring(card) && facts.s.ring_size(facts.controller(card)) == 1
                });
                Ok(Value::Bool(alone))
            }
            // D35: the source attacks and nobody else does.
            EngineName::SoloAttack => {
                let attackers = facts
                    .s
                    .ring(facts.s.active)
                    .filter(|slot| slot.marks.has(Marks::ATTACKING));
                let solo =
                    attackers.count() == 1 && frame.present_source().is_some_and(|card| facts.attacks(card));
                Ok(Value::Bool(solo))
            }
            EngineName::Card => self.query.element.map(value_of).ok_or_else(undefined),
            EngineName::Var(variable) => self.query.variable(variable).ok_or_else(undefined),
        }
    }

    fn attribute(&mut self, object: Handle, attribute: ValueAttribute) -> Result<Option<Value>, Error> {
        let object = match Thing::of(object) {
            Thing::One(object) => object,
            Thing::LastKnown => return Ok(self.last_known(attribute)),
            Thing::Pile(..) | Thing::Ring(_) | Thing::Kept(_) | Thing::Stored { .. } | Thing::Found(_) => {
                return Ok(None);
            }
        };
        Ok(match (object.as_card(), object.as_player()) {
            (Some(card), _) => self.card_attribute(card, attribute),
            (None, Some(seat)) => self.player_attribute(seat, attribute),
            (None, None) => None,
        })
    }

    fn is_kind(&mut self, card: Handle, kind: CardKind) -> Option<bool> {
        let card_type = match kind {
            CardKind::Character => CardType::Character,
            CardKind::Action => CardType::Action,
            CardKind::Reaction => CardType::Reaction,
        };
        let object = match Thing::of(card) {
            Thing::One(object) => object,
            Thing::LastKnown => {
                let named = self.query.facts.game.model(self.query.frame.named);
                return Some(named.card_type == Some(card_type));
            }
            Thing::Pile(..) | Thing::Ring(_) | Thing::Kept(_) | Thing::Stored { .. } | Thing::Found(_) => {
                return None;
            }
        };
        Some(
            object
                .as_card()
                .is_some_and(|card| self.query.facts.is_type(card, card_type)),
        )
    }

    fn in_united_attack(&mut self, card: Handle) -> bool {
        let Thing::One(object) = Thing::of(card) else {
            return false;
        };
        object
            .as_card()
            .is_some_and(|card| self.query.facts.in_united(card))
    }

    /// C18, G264: the executor calls.
    fn flip_coin(&mut self) -> Result<bool, Error> {
        let heads = match self
            .query
            .takes_first(Question::Coin, Choice::Heads, Choice::Tails)
        {
            Ok(heads) => heads,
            Err(QueryStop::Ask) => return Err(Error::suspend()),
            Err(QueryStop::Fail) => return Err(undefined()),
        };
        match self.query.toss() {
            Ok(outcome) => Ok((outcome == 0) == heads),
            Err(QueryStop::Ask) => Err(Error::suspend()),
            Err(QueryStop::Fail) => Err(undefined()),
        }
    }

    /// R1015: an empty list where nothing is found.
    fn targets(&mut self, filter: GetTargetsFilter<'_>) -> Result<Value, Error> {
        let GetTargetsFilter::Literal(number) = filter else {
            return Err(undefined()); // only literal filters were compiled
        };
        let program = self
            .query
            .facts
            .game
            .model(self.query.frame.model)
            .program
            .as_deref();
        let filters = program.and_then(|program| program.rule.filters.get(usize::from(number)));
        let mut all = Objects::new();
        for target in filters.into_iter().flatten() {
            match self.query.target(target, Purpose::Target) {
                Ok(found) => all.extend(found),
                Err(QueryStop::Ask) => return Err(Error::suspend()),
                Err(QueryStop::Fail) => {}
            }
        }
        self.found.push(all);
        Ok(Value::Host(Thing::Found(word(self.found.len() - 1)).handle()))
    }

    fn len(&mut self, object: Handle) -> Option<usize> {
        self.query.things(Thing::of(object), &self.found)
    }

    fn item(&mut self, object: Handle, index: usize) -> Result<Value, Error> {
        let found = self.query.thing_at(Thing::of(object), index, &self.found);
        found.map(value_of).ok_or_else(undefined)
    }

    fn type_name(&self, object: Handle) -> &'static str {
        match Thing::of(object) {
            Thing::One(object) if object.as_player().is_some() => "player",
            Thing::One(_) | Thing::LastKnown => "card",
            _ => "list",
        }
    }
}

impl Asker<'_, '_> {
    /// R1104: the first target. D31: if that is a player and the rule has `target =`, it is the main
    /// list.
    fn first_target(&self) -> Value {
        let frame = self.query.frame;
        let first = self.query.facts.s.arena.objects(frame.targets).next();
        let program = self.query.facts.game.model(frame.model).program.as_deref();
        let has_target = program.is_some_and(|program| program.rule.target.is_some());
        match first {
            Some(object) if object.as_player().is_some() && has_target => {
                Value::Host(Thing::Kept(frame.main).handle())
            }
            Some(object) => value_of(object),
            None => Value::None,
        }
    }
}

/// The values of encoded variables, for the trace; `None` is undefined.
pub(crate) fn traced_values(bytes: &[u8]) -> Vec<Option<TraceValue>> {
    let mut values = Vec::new();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(len) = encoded_len(rest) else { break };
        values.push(traced_value(rest.get(..len).unwrap_or(rest)));
        at += len;
    }
    values
}

fn traced_value(bytes: &[u8]) -> Option<TraceValue> {
    let objects = |bytes: &[u8]| TraceValue::Objects(bytes.iter().copied().map(DuelObject).collect());
    Some(match *bytes.first()? {
        BOOL => TraceValue::Text(if bytes.get(1) == Some(&0) { "False" } else { "True" }.into()),
        INT => {
            let number: [u8; 8] = bytes.get(1..9)?.try_into().ok()?;
            TraceValue::Text(i64::from_le_bytes(number).to_string())
        }
        FLOAT => {
            let number: [u8; 8] = bytes.get(1..9)?.try_into().ok()?;
            TraceValue::Text(cw_formula::float_repr(f64::from_le_bytes(number)))
        }
        OBJECT => objects(bytes.get(1..)?),
        LIST => objects(bytes.get(2..)?),
        TEXT => TraceValue::Text(format!("{:?}", std::str::from_utf8(bytes.get(2..)?).ok()?)),
        MIXED => {
            let items = traced_values(bytes.get(3..)?);
            let words: Vec<String> = items.iter().map(item_words).collect();
            TraceValue::Text(format!("[{}]", words.join(", ")))
        }
        _ => return None,
    })
}

fn item_words(item: &Option<TraceValue>) -> String {
    match item {
        None => "None".to_owned(),
        Some(TraceValue::Text(text)) => text.clone(),
        Some(TraceValue::Objects(objects)) => {
            let words = objects.iter().map(|object| match object.as_card() {
                Some(card) => format!("#{}", card.0),
                None => "a player".to_owned(),
            });
            words.collect::<Vec<_>>().join(" ")
        }
    }
}
