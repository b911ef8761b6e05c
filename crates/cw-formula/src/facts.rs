//! What the engine answers, and the bridge from there to `cw_expr::ExprHost`.

use cw_expr::{AttributeId, Error, ExceptionKind, ExprHost, FunctionId, HostNameId, HostObject, Value};

use crate::words::{ATTRIBUTES, AttributeWord, EngineName, ValueAttribute, VarId};

/// Types of cards that words test for (R1022).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CardKind {
    /// `char`
    Character,
    /// `action`
    Action,
    /// `reaction`
    Reaction,
}

/// The argument of `getTargets`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetTargetsFilter<'a> {
    /// A literal, compiled beforehand: its number among those of the rule.
    Literal(u16),
    /// Text that the expression computed.
    Text(&'a str),
}

/// The state of a game as expressions see it. Cards, players and lists of the game are [`HostObject`]s
/// whose numbers mean something to the engine alone; the same thing always has the same number.
///
/// Every method may return [`Error::suspend`] (D42): the evaluation ends at once with that error, and
/// the engine evaluates again when it has the answer. Questions come in order of evaluation (R1047).
pub trait GameFacts {
    /// The value of a name; an error if it has none now.
    ///
    /// # Errors
    /// Any; the expression is nil then (R1004).
    fn name(&mut self, name: EngineName) -> Result<Value, Error>;

    /// An attribute; `None` if this object has none of that name. `.size` of lists is not asked for.
    ///
    /// # Errors
    /// Any.
    fn attribute(&mut self, object: HostObject, attribute: ValueAttribute) -> Result<Option<Value>, Error>;

    /// Whether a card is of a type; `None` if the object is no card.
    fn is_kind(&mut self, card: HostObject, kind: CardKind) -> Option<bool>;

    /// Whether a card takes part in the united attack.
    fn in_united_attack(&mut self, card: HostObject) -> bool;

    /// Asks for heads or tails, draws, and tells whether the guess was right.
    ///
    /// # Errors
    /// [`Error::suspend`] while the guess is not there.
    fn flip_coin(&mut self) -> Result<bool, Error>;

    /// The list of things that match a filter; an empty one if there are none (R1015).
    ///
    /// # Errors
    /// [`Error::suspend`] while a choice is not there.
    fn targets(&mut self, filter: GetTargetsFilter<'_>) -> Result<Value, Error>;

    /// How many elements a list of the game has; `None` for cards and players.
    fn len(&mut self, object: HostObject) -> Option<usize>;

    /// Element `index` of a list, with `index` below its length.
    ///
    /// # Errors
    /// Any.
    fn item(&mut self, object: HostObject, index: usize) -> Result<Value, Error>;

    /// `card`, `player` or `list`, for messages.
    fn type_name(&self, object: HostObject) -> &'static str;
}

/// Numbers of the names that a formula asks the engine for.
pub(crate) fn name_id(name: EngineName) -> HostNameId {
    HostNameId(match name {
        EngineName::This => 0,
        EngineName::Me => 1,
        EngineName::Opp => 2,
        EngineName::Targets => 3,
        EngineName::FirstTarget => 4,
        EngineName::PrevTargets => 5,
        EngineName::Discarded => 6,
        EngineName::Trashed => 7,
        EngineName::Destroyed => 8,
        EngineName::Moved => 9,
        EngineName::Sacrificed => 10,
        EngineName::Attacker => 11,
        EngineName::Blocker => 12,
        EngineName::Trigger => 13,
        EngineName::UaBp => 14,
        EngineName::Alone => 15,
        EngineName::SoloAttack => 16,
        EngineName::Card => 17,
        EngineName::Var(VarId(number)) => number.saturating_add(FIRST_VAR),
    })
}

const FIRST_VAR: u16 = 256;

fn name_of(id: HostNameId) -> Option<EngineName> {
    Some(match id.0 {
        0 => EngineName::This,
        1 => EngineName::Me,
        2 => EngineName::Opp,
        3 => EngineName::Targets,
        4 => EngineName::FirstTarget,
        5 => EngineName::PrevTargets,
        6 => EngineName::Discarded,
        7 => EngineName::Trashed,
        8 => EngineName::Destroyed,
        9 => EngineName::Moved,
        10 => EngineName::Sacrificed,
        11 => EngineName::Attacker,
        12 => EngineName::Blocker,
        13 => EngineName::Trigger,
        14 => EngineName::UaBp,
        15 => EngineName::Alone,
        16 => EngineName::SoloAttack,
        17 => EngineName::Card,
        number => EngineName::Var(VarId(number.checked_sub(FIRST_VAR)?)),
    })
}

pub(crate) fn attribute_id(attribute: ValueAttribute) -> AttributeId {
    AttributeId(attribute as u16)
}

/// Functions as the compiled code numbers them.
pub(crate) mod function {
    use cw_expr::FunctionId;

    pub(crate) const IS_CHAR: FunctionId = FunctionId(0);
    pub(crate) const IN_UNITED_ATTACK: FunctionId = FunctionId(1);
    pub(crate) const FLIP_COIN: FunctionId = FunctionId(2);
    pub(crate) const GET_TARGETS: FunctionId = FunctionId(3);
    /// `getTargets` with the number of a literal.
    pub(crate) const GET_LITERAL: FunctionId = FunctionId(4);
    /// The card if it is a character, else nil.
    pub(crate) const AS_CHARACTER: FunctionId = FunctionId(5);
    /// The card if it is an action, else nil.
    pub(crate) const AS_ACTION: FunctionId = FunctionId(6);
    /// The card if it is a reaction, else nil.
    pub(crate) const AS_REACTION: FunctionId = FunctionId(7);
}

/// Lets an expression ask a [`GameFacts`].
pub(crate) struct Bridge<'f, F: GameFacts + ?Sized>(pub(crate) &'f mut F);

impl<F: GameFacts + ?Sized> ExprHost for Bridge<'_, F> {
    #[inline]
    fn name(&mut self, id: HostNameId) -> Result<Value, Error> {
        match name_of(id) {
            Some(name) => self.0.name(name),
            None => Err(Error::raise(ExceptionKind::NameError, "name is not defined")),
        }
    }

    // A call here for each `this.bp` is half a per cent of a duel (the `duels` benchmark).
    #[inline(always)]
    fn attribute(&mut self, object: HostObject, id: AttributeId) -> Result<Option<Value>, Error> {
        let Some(attribute) = ValueAttribute::ALL.get(usize::from(id.0)) else {
            return Ok(None);
        };
        if *attribute == ValueAttribute::Size
            && let Some(len) = self.0.len(object)
        {
            return Ok(Some(Value::Int(cw_expr::length(len))));
        }
        self.0.attribute(object, *attribute)
    }

    fn attribute_named(&self, name: &str) -> Option<AttributeId> {
        AttributeWord::find(&name.to_ascii_lowercase()).map(|word| attribute_id(word.attribute))
    }

    fn value_attribute(&mut self, value: &Value, id: AttributeId) -> Result<Option<Value>, Error> {
        // Lists that an expression made have a size too.
        Ok(match (ValueAttribute::ALL.get(usize::from(id.0)), value) {
            (Some(ValueAttribute::Size), Value::List(items) | Value::Tuple(items)) => {
                Some(Value::Int(cw_expr::length(items.items.len())))
            }
            _ => None,
        })
    }

    fn call(&mut self, id: FunctionId, args: &[Value]) -> Result<Value, Error> {
        use function as f;
        match (id, args) {
            (f::FLIP_COIN, []) => self.0.flip_coin().map(Value::Bool),
            (f::GET_LITERAL, [Value::Int(number)]) => self.0.targets(GetTargetsFilter::Literal(
                u16::try_from(*number).unwrap_or(u16::MAX),
            )),
            (f::GET_TARGETS, [Value::Str(text)]) => match std::str::from_utf8(text) {
                Ok(text) => self.0.targets(GetTargetsFilter::Text(text)),
                Err(_) => Err(wrong_type("getTargets() wants a text")),
            },
            (f::IS_CHAR, [value]) => match self.kind_of(value, CardKind::Character) {
                Some(answer) => Ok(Value::Bool(answer)),
                None => Err(wrong_type("isChar() wants a card")),
            },
            (f::IN_UNITED_ATTACK, [Value::Host(card)])
                if self.0.is_kind(*card, CardKind::Character).is_some() =>
            {
                Ok(Value::Bool(self.0.in_united_attack(*card)))
            }
            (f::IN_UNITED_ATTACK, [_]) => Err(wrong_type("inUAttack() wants a card")),
            (f::AS_CHARACTER, [value]) => Ok(self.only(value, CardKind::Character)),
            (f::AS_ACTION, [value]) => Ok(self.only(value, CardKind::Action)),
            (f::AS_REACTION, [value]) => Ok(self.only(value, CardKind::Reaction)),
            (id, args) => {
                let name = self.function_name(id);
                Err(wrong_type(format!(
                    "{name}() does not take these {} arguments",
                    args.len()
                )))
            }
        }
    }

    fn len(&mut self, object: HostObject) -> Option<usize> {
        self.0.len(object)
    }

    fn item(&mut self, object: HostObject, index: usize) -> Result<Value, Error> {
        self.0.item(object, index)
    }

    fn type_name(&self, object: HostObject) -> &'static str {
        self.0.type_name(object)
    }

    fn function_name(&self, id: FunctionId) -> &'static str {
        match id {
            function::IS_CHAR => "isChar",
            function::IN_UNITED_ATTACK => "inUAttack",
            function::FLIP_COIN => "flipCoin",
            _ => "getTargets",
        }
    }
}

impl<F: GameFacts + ?Sized> Bridge<'_, F> {
    fn kind_of(&mut self, value: &Value, kind: CardKind) -> Option<bool> {
        match value {
            Value::Host(card) => self.0.is_kind(*card, kind),
            _ => None,
        }
    }

    fn only(&mut self, value: &Value, kind: CardKind) -> Value {
        match self.kind_of(value, kind) {
            Some(true) => value.clone(),
            Some(false) | None => Value::None,
        }
    }
}

fn wrong_type(message: impl Into<String>) -> Error {
    Error::raise(ExceptionKind::TypeError, message)
}

const _: () = assert!(ATTRIBUTES.len() == ValueAttribute::ALL.len(), "one row each");
