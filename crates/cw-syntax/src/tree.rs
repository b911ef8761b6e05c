//! The typed tree: plain structs that borrow the text and lie in one arena.

use std::borrow::Cow;

use cw_text::Span;

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Word<'a> {
    /// As written.
    pub text: &'a str,
    /// Where.
    pub span: Span,
}

impl Word<'_> {
    /// Whether it is this word, in any case (R104). `lower` is written in lower case.
    pub fn is(&self, lower: &str) -> bool {
        is_word(self.text, lower)
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// Whether a text is this word, in any case of ASCII letters (R104). Most words are written as the
/// manual writes them, so bytes that are equal come first.
///
/// ```
/// assert!(cw_syntax::is_word("DRAW", "draw"));
/// ```
#[inline]
pub fn is_word(text: &str, known: &str) -> bool {
    let same = |(a, b): (u8, u8)| a == b || a ^ b == 0x20 && a.is_ascii_alphabetic();
    text.len() == known.len() && text.bytes().zip(known.bytes()).all(same)
}

/// A text in lower case, as names are looked up; most are written so.
///
/// ```
/// assert_eq!(cw_syntax::lower("DRAW"), "draw");
/// ```
pub fn lower(text: &str) -> Cow<'_, str> {
    let is_lower = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    if text.bytes().all(is_lower) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.to_lowercase())
    }
}

/// One card's rule: its lines that are properties, in order (R102, R110).
#[derive(Clone, Copy, Debug, Default)]
pub struct Rule<'a> {
    /// From the first to the last line of the rule.
    pub span: Span,
    /// Every line with a known key.
    pub properties: &'a [Property<'a>],
}

/// The values of a rule by their keys: of those that count once, the first (R109).
#[derive(Clone, Copy, Debug, Default)]
pub struct Keys<'a> {
    /// `target =`, `target? =`.
    pub target: Option<&'a TargetClause<'a>>,
    /// `requisite =`.
    pub requisite: Option<&'a Property<'a>>,
    /// `abilities =`.
    pub abilities: Option<&'a [Word<'a>]>,
    /// `vars =`.
    pub vars: Option<&'a [Assign<'a>]>,
    /// `auto =`.
    pub auto: Option<&'a [Statement<'a>]>,
    /// How many there are.
    pub actions: usize,
    /// How many there are.
    pub labels: usize,
}

impl<'a> Rule<'a> {
    /// Its values by their keys.
    pub fn keys(&self) -> Keys<'a> {
        let mut keys = Keys::default();
        for property in self.properties {
            match &property.value {
                Value::Target(clause) => _ = keys.target.get_or_insert(clause),
                Value::Requisite(_) => _ = keys.requisite.get_or_insert(property),
                Value::Abilities(words) => _ = keys.abilities.get_or_insert(words),
                Value::Vars(assigns) => _ = keys.vars.get_or_insert(assigns),
                Value::Auto(statements) => _ = keys.auto.get_or_insert(statements),
                Value::Action(_) => keys.actions += 1,
                Value::Label(_) => keys.labels += 1,
            }
        }
        keys
    }
}

/// One line `key = value` (R107).
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    /// The key with its `?`.
    pub key: Word<'a>,
    /// Key, `=` and value; no comment.
    pub span: Span,
    /// The text after `=`, trimmed, without comment.
    pub text: Word<'a>,
    /// What the value says.
    pub value: Value<'a>,
    /// `# …` behind the value.
    pub comment: Option<Span>,
}

/// The value of a property, by its key (R108).
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// `target =`, `target? =`.
    Target(TargetClause<'a>),
    /// `requisite =`, parted by `&&`.
    Requisite(&'a [Target<'a>]),
    /// `vars =`.
    Vars(&'a [Assign<'a>]),
    /// `abilities =`.
    Abilities(&'a [Word<'a>]),
    /// `action =`, parted by `;`.
    Action(&'a [Statement<'a>]),
    /// `auto =`, parted by `;`.
    Auto(&'a [Statement<'a>]),
    /// `label =`.
    Label(Label<'a>),
}

/// A label (R111).
#[derive(Clone, Copy, Debug)]
pub struct Label<'a> {
    /// Without its quotes.
    pub text: Word<'a>,
    /// Whether it stood in quotes.
    pub quoted: bool,
}

/// `name := expression` (R114).
#[derive(Clone, Copy, Debug)]
pub struct Assign<'a> {
    /// The variable.
    pub name: Word<'a>,
    /// The expression's text.
    pub value: Word<'a>,
    /// Both.
    pub span: Span,
}

/// One `;`-separated part of an `action` or `auto`.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    /// `{…}` in front of a colon; allowed in every statement (D23).
    pub costs: &'a [Cost<'a>],
    /// `~…~` or `?…?`; opens a new group in an `auto` (D23).
    pub trigger: Option<Trigger<'a>>,
    /// Condition and effects.
    pub body: Body<'a>,
    /// All of it, trimmed.
    pub span: Span,
}

/// One `{…}` (section 7 of the language).
#[derive(Clone, Copy, Debug)]
pub struct Cost<'a> {
    /// The letter; `F`, `S` or `D` unless reported.
    pub letter: Word<'a>,
    /// What stands in parentheses.
    pub argument: CostArgument<'a>,
    /// With its braces.
    pub span: Span,
}

/// What stands in the parentheses of a cost.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "lies in an arena; boxing would cost more than the bytes"
)]
pub enum CostArgument<'a> {
    /// No parentheses.
    None,
    /// A number of cards.
    Count(u16),
    /// A target filter.
    Target(Target<'a>),
}

/// `~event, event~` or `?hook?` (R233: interchangeable).
#[derive(Clone, Copy, Debug)]
pub struct Trigger<'a> {
    /// Whether `?` was used.
    pub hook: bool,
    /// In order.
    pub events: &'a [Event<'a>],
    /// With its delimiters.
    pub span: Span,
}

/// One event of a trigger.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// The name with its prefix.
    pub name: Word<'a>,
    /// What follows colons.
    pub suffixes: &'a [Word<'a>],
    /// Both.
    pub span: Span,
}

/// The condition of a statement and what it guards (R234–R237).
#[derive(Clone, Copy, Debug)]
pub enum Body<'a> {
    /// No condition.
    Plain(Branch<'a>),
    /// `[[may …]]`.
    May {
        /// The mark with its brackets.
        mark: Span,
        /// The question without quotes, if there is one.
        question: Option<Word<'a>>,
        /// What happens on yes.
        branch: Branch<'a>,
    },
    /// `[[if …]] … [[elif …]] … [[else]] …`.
    If {
        /// The `if` and every `elif`; never empty.
        arms: &'a [Condition<'a>],
        /// The `else`: its mark and its branch.
        otherwise: Option<(Span, Branch<'a>)>,
    },
}

/// `[[if e]]` or `[[elif e]]` with its branch.
#[derive(Clone, Copy, Debug)]
pub struct Condition<'a> {
    /// The mark with its brackets.
    pub mark: Span,
    /// The expression's text.
    pub test: Word<'a>,
    /// What it guards.
    pub branch: Branch<'a>,
}

/// Effects that share targets and restriction (R237).
#[derive(Clone, Copy, Debug, Default)]
pub struct Branch<'a> {
    /// In order.
    pub effects: &'a [Effect<'a>],
    /// The first `to(…)`.
    pub to: Option<TargetClause<'a>>,
    /// The first restriction.
    pub restriction: Option<Word<'a>>,
    /// All of it; empty where there is nothing.
    pub span: Span,
}

/// Targets of a property or a to-clause.
#[derive(Clone, Copy, Debug)]
pub struct TargetClause<'a> {
    /// The keyword, without its `?`.
    pub keyword: Word<'a>,
    /// `target?`, `to?`: finding nothing is no failure (R309).
    pub optional: bool,
    /// Parted by `;`.
    pub targets: &'a [Target<'a>],
    /// With keyword and parentheses; of a property the value.
    pub span: Span,
}

/// How an effect hangs on the one before (R603).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joiner {
    /// `&`, and in front of the first.
    Then,
    /// `&&`.
    AndThen,
    /// `||`.
    OrElse,
}

/// A command call or an ability.
#[derive(Clone, Copy, Debug)]
pub struct Effect<'a> {
    /// How it hangs on the effect before it.
    pub joiner: Joiner,
    /// Where the joiner stands, if one was written.
    pub joiner_span: Option<Span>,
    /// What it is.
    pub kind: EffectKind<'a>,
    /// Without the joiner.
    pub span: Span,
}

/// The two kinds of effect.
#[derive(Clone, Copy, Debug)]
pub enum EffectKind<'a> {
    /// `name(…)`, `name?(…)`.
    Call {
        /// The command.
        name: Word<'a>,
        /// Whether `?` follows (R245).
        optional: bool,
        /// The arguments; empty ones are left out (R246).
        arguments: &'a [Argument<'a>],
        /// The parentheses.
        parentheses: Span,
    },
    /// `+name`, `-name`.
    Ability {
        /// Given or taken.
        sign: Sign,
        /// The ability.
        name: Word<'a>,
    },
}

/// `+` or `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `+`
    Plus,
    /// `-`
    Minus,
}

/// One argument: what it means is the command's business, so it is kept as text.
#[derive(Clone, Copy, Debug)]
pub struct Argument<'a> {
    /// As written, trimmed.
    pub text: Word<'a>,
    /// What it looks like.
    pub form: ArgForm<'a>,
}

/// What an argument looks like (R117).
#[derive(Clone, Copy, Debug)]
pub enum ArgForm<'a> {
    /// An integer with or without sign, beyond 64 bits the nearest.
    Int(i64),
    /// One word, or words joined by `-`.
    Word,
    /// A quoted text; here without its quotes.
    Quoted(&'a str),
    /// `?`
    Question,
    /// `… => …`
    Each(Each<'a>),
    /// Anything else: an expression or a target.
    Text,
}

/// `over => effect { joiner effect }` (D30).
#[derive(Clone, Copy, Debug)]
pub struct Each<'a> {
    /// What is repeated over: `X in L` or a target.
    pub over: Word<'a>,
    /// What is repeated.
    pub effects: &'a [Effect<'a>],
}

/// One target filter (R202–R243).
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// As written, trimmed.
    pub text: Word<'a>,
    /// `<…>` in front (R203).
    pub quantity: Option<Quantity>,
    /// The types; empty stands for `*` (R202).
    pub types: &'a [Type<'a>],
    /// What joins them.
    pub joiner: TypeJoiner,
    /// `<n>` behind (R203).
    pub pick: Option<Pick>,
    /// OR of ANDs (R214).
    pub filters: &'a [&'a [Filter<'a>]],
    /// The brackets of the filters.
    pub brackets: Option<Span>,
    /// What follows `@`.
    pub zone: Option<Word<'a>>,
    /// `::not(…)`.
    pub selector: Option<Selector<'a>>,
    /// The text of an expression target (R230), which then has no types.
    pub expression: Option<Word<'a>>,
}

/// `<…>` in front of the types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// How many.
    pub form: QuantityForm,
    /// With its brackets.
    pub span: Span,
}

/// The forms of a quantity (R204).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantityForm {
    /// `<n>`
    Exactly(u16),
    /// `<a,b>`, `<,b>`
    Between(u16, u16),
    /// `<**>`
    Any,
    /// `<r>`, `<rN>`
    Random(u16),
}

/// What joins the types of a target (R208).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TypeJoiner {
    /// `,`, or a single type.
    #[default]
    Or,
    /// `&`
    And,
}

/// One type of a target.
#[derive(Clone, Copy, Debug)]
pub struct Type<'a> {
    /// `^` or `!` (R211).
    pub prefix: Option<Prefix>,
    /// The name as written; without the quotes of a card name; `*` for any card.
    pub name: Word<'a>,
    /// Whether it is a card name in quotes (R212).
    pub quoted: bool,
    /// Whether a plural `s` follows `*` or the closing quote. On other names it is part of the
    /// name, because only the one who knows all names can tell (R210).
    pub plural: bool,
    /// With prefix, quotes and plural.
    pub span: Span,
}

/// A prefix of a type or filter (R211, R215).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// `^`
    Caret,
    /// `!`
    Bang,
    /// `-`
    Minus,
    /// `+`
    Plus,
}

/// `<n>` behind the types: the first or last n (R206).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// Negative: from the bottom.
    pub count: i16,
    /// With its brackets.
    pub span: Span,
}

/// One condition of a filter (R214–R217).
#[derive(Clone, Copy, Debug)]
pub struct Filter<'a> {
    /// `-`, `^` or `+`.
    pub prefix: Option<Prefix>,
    /// What is tested.
    pub name: Word<'a>,
    /// The comparison and its right side.
    pub compare: Option<(Operator, Word<'a>)>,
    /// All of it.
    pub span: Span,
}

/// The operator of a filter (R216).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `==`, and `=` with a report
    Equal,
    /// `!=`, `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `:`
    Colon,
}

/// `::not(e)` (R243).
#[derive(Clone, Copy, Debug)]
pub struct Selector<'a> {
    /// `not` unless reported.
    pub name: Word<'a>,
    /// The expression's text; empty excludes nothing (D44).
    pub argument: Word<'a>,
    /// With `::` and parentheses.
    pub span: Span,
}
