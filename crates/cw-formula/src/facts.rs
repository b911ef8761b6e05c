//! What the engine answers, and the bridge from there to `cw_expr::Host`.

use cw_expr::{AttributeId, Error, ExceptionKind, FunctionId, Host, NameId, Object, Value};

use crate::words::{ATTRIBUTES, Attribute, AttributeWord, Name, VarId};

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
pub enum Filter<'a> {
    /// A literal, compiled beforehand: its number among those of the rule.
    Literal(u16),
    /// Text that the expression computed.
    Text(&'a str),
}

/// The state of a game as expressions see it. Cards, players and lists of the game are [`Object`]s
/// whose numbers mean something to the engine alone; the same thing always has the same number.
///
/// Every method may return [`Error::suspend`] (D42): the evaluation ends at once with that error, and
/// the engine evaluates again when it has the answer. Questions come in order of evaluation (R1047).
pub trait Facts {
    /// The value of a name; an error if it has none now.
    ///
    /// # Errors
    /// Any; the expression is nil then (R1004).
    fn name(&mut self, name: Name) -> Result<Value, Error>;

    /// An attribute; `None` if this object has none of that name. `.size` of lists is not asked for.
    ///
    /// # Errors
    /// Any.
    fn attribute(&mut self, object: Object, attribute: Attribute) -> Result<Option<Value>, Error>;

    /// Whether a card is of a type; `None` if the object is no card.
    fn is_kind(&mut self, card: Object, kind: CardKind) -> Option<bool>;

    /// Whether a card takes part in the united attack.
    fn in_united_attack(&mut self, card: Object) -> bool;

    /// Asks for heads or tails, draws, and tells whether the guess was right.
    ///
    /// # Errors
    /// [`Error::suspend`] while the guess is not there.
    fn flip_coin(&mut self) -> Result<bool, Error>;

    /// The list of things that match a filter; an empty one if there are none (R1015).
    ///
    /// # Errors
    /// [`Error::suspend`] while a choice is not there.
    fn targets(&mut self, filter: Filter<'_>) -> Result<Value, Error>;

    /// How many elements a list of the game has; `None` for cards and players.
    fn len(&mut self, object: Object) -> Option<usize>;

    /// Element `index` of a list, with `index` below its length.
    ///
    /// # Errors
    /// Any.
    fn item(&mut self, object: Object, index: usize) -> Result<Value, Error>;

    /// `card`, `player` or `list`, for messages.
    fn type_name(&self, object: Object) -> &'static str;
}

/// Numbers of the names that a formula asks the engine for.
pub(crate) fn name_id(name: Name) -> NameId {
    NameId(match name {
        Name::This => 0,
        Name::Me => 1,
        Name::Opp => 2,
        Name::Targets => 3,
        Name::FirstTarget => 4,
        Name::PrevTargets => 5,
        Name::Discarded => 6,
        Name::Trashed => 7,
        Name::Destroyed => 8,
        Name::Moved => 9,
        Name::Sacrificed => 10,
        Name::Attacker => 11,
        Name::Blocker => 12,
        Name::Trigger => 13,
        Name::UaBp => 14,
        Name::Alone => 15,
        Name::SoloAttack => 16,
        Name::Card => 17,
        Name::Var(VarId(number)) => number.saturating_add(FIRST_VAR),
    })
}

const FIRST_VAR: u16 = 256;

fn name_of(id: NameId) -> Option<Name> {
    Some(match id.0 {
        0 => Name::This,
        1 => Name::Me,
        2 => Name::Opp,
        3 => Name::Targets,
        4 => Name::FirstTarget,
        5 => Name::PrevTargets,
        6 => Name::Discarded,
        7 => Name::Trashed,
        8 => Name::Destroyed,
        9 => Name::Moved,
        10 => Name::Sacrificed,
        11 => Name::Attacker,
        12 => Name::Blocker,
        13 => Name::Trigger,
        14 => Name::UaBp,
        15 => Name::Alone,
        16 => Name::SoloAttack,
        17 => Name::Card,
        number => Name::Var(VarId(number.checked_sub(FIRST_VAR)?)),
    })
}

pub(crate) fn attribute_id(attribute: Attribute) -> AttributeId {
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

/// Lets an expression ask a [`Facts`].
pub(crate) struct Bridge<'f, F: Facts + ?Sized>(pub(crate) &'f mut F);

impl<F: Facts + ?Sized> Host for Bridge<'_, F> {
    #[inline]
    fn name(&mut self, id: NameId) -> Result<Value, Error> {
        match name_of(id) {
            Some(name) => self.0.name(name),
            None => Err(Error::raise(ExceptionKind::NameError, "name is not defined")),
        }
    }

    #[inline]
    fn attribute(&mut self, object: Object, id: AttributeId) -> Result<Option<Value>, Error> {
        let Some(attribute) = Attribute::ALL.get(usize::from(id.0)) else {
            return Ok(None);
        };
        if *attribute == Attribute::Size
            && let Some(len) = self.0.len(object)
        {
            return Ok(Some(Value::Int(i64::try_from(len).unwrap_or(i64::MAX))));
        }
        self.0.attribute(object, *attribute)
    }

    fn attribute_named(&self, name: &str) -> Option<AttributeId> {
        AttributeWord::find(&name.to_ascii_lowercase()).map(|word| attribute_id(word.attribute))
    }

    fn value_attribute(&mut self, value: &Value, id: AttributeId) -> Result<Option<Value>, Error> {
        // Lists that an expression made have a size too.
        Ok(match (Attribute::ALL.get(usize::from(id.0)), value) {
            (Some(Attribute::Size), Value::List(items) | Value::Tuple(items)) => {
                Some(Value::Int(i64::try_from(items.items.len()).unwrap_or(i64::MAX)))
            }
            _ => None,
        })
    }

    fn call(&mut self, id: FunctionId, args: &[Value]) -> Result<Value, Error> {
        use function as f;
        match (id, args) {
            (f::FLIP_COIN, []) => self.0.flip_coin().map(Value::Bool),
            (f::GET_LITERAL, [Value::Int(number)]) => self
                .0
                .targets(Filter::Literal(u16::try_from(*number).unwrap_or(u16::MAX))),
            (f::GET_TARGETS, [Value::Str(text)]) => match std::str::from_utf8(text) {
                Ok(text) => self.0.targets(Filter::Text(text)),
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

    fn len(&mut self, object: Object) -> Option<usize> {
        self.0.len(object)
    }

    fn item(&mut self, object: Object, index: usize) -> Result<Value, Error> {
        self.0.item(object, index)
    }

    fn type_name(&self, object: Object) -> &'static str {
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

impl<F: Facts + ?Sized> Bridge<'_, F> {
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

const _: () = assert!(ATTRIBUTES.len() == Attribute::ALL.len(), "one row each");
