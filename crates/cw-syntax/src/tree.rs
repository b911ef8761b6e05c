//! The typed tree: plain structs that borrow the text and lie in one arena.

use std::borrow::Cow;

use cw_text::Span;

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct WordSyntax<'a> {
    /// As written.
    pub text: &'a str,
    /// Where.
    pub span: Span,
}

impl WordSyntax<'_> {
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
pub struct RuleSyntax<'a> {
    /// From the first to the last line of the rule.
    pub span: Span,
    /// Every line with a known key.
    pub properties: &'a [PropertySyntax<'a>],
}

/// The values of a rule by their keys: of those that count once, the first (R109).
#[derive(Clone, Copy, Debug, Default)]
pub struct Keys<'a> {
    /// `target =`, `target? =`.
    pub target: Option<&'a TargetClauseSyntax<'a>>,
    /// `requisite =`.
    pub requisite: Option<&'a PropertySyntax<'a>>,
    /// `abilities =`.
    pub abilities: Option<&'a [WordSyntax<'a>]>,
    /// `vars =`.
    pub vars: Option<&'a [Assign<'a>]>,
    /// `auto =`.
    pub auto: Option<&'a [StatementSyntax<'a>]>,
    /// How many there are.
    pub actions: usize,
    /// How many there are.
    pub labels: usize,
}

impl<'a> RuleSyntax<'a> {
    /// Its values by their keys.
    pub fn keys(&self) -> Keys<'a> {
        let mut keys = Keys::default();
        for property in self.properties {
            match &property.value {
                PropertyValueSyntax::Target(clause) => _ = keys.target.get_or_insert(clause),
                PropertyValueSyntax::Requisite(_) => _ = keys.requisite.get_or_insert(property),
                PropertyValueSyntax::Abilities(words) => _ = keys.abilities.get_or_insert(words),
                PropertyValueSyntax::Vars(assigns) => _ = keys.vars.get_or_insert(assigns),
                PropertyValueSyntax::Auto(statements) => _ = keys.auto.get_or_insert(statements),
                PropertyValueSyntax::Action(_) => keys.actions += 1,
                PropertyValueSyntax::Label(_) => keys.labels += 1,
            }
        }
        keys
    }
}

/// One line `key = value` (R107).
#[derive(Clone, Copy, Debug)]
pub struct PropertySyntax<'a> {
    /// The key with its `?`.
    pub key: WordSyntax<'a>,
    /// Key, `=` and value; no comment.
    pub span: Span,
    /// The text after `=`, trimmed, without comment.
    pub text: WordSyntax<'a>,
    /// What the value says.
    pub value: PropertyValueSyntax<'a>,
    /// `# …` behind the value.
    pub comment: Option<Span>,
}

/// The value of a property, by its key (R108).
#[derive(Clone, Copy, Debug)]
pub enum PropertyValueSyntax<'a> {
    /// `target =`, `target? =`.
    Target(TargetClauseSyntax<'a>),
    /// `requisite =`, separated by `&&`.
    Requisite(&'a [Target<'a>]),
    /// `vars =`.
    Vars(&'a [Assign<'a>]),
    /// `abilities =`.
    Abilities(&'a [WordSyntax<'a>]),
    /// `action =`, separated by `;`.
    Action(&'a [StatementSyntax<'a>]),
    /// `auto =`, separated by `;`.
    Auto(&'a [StatementSyntax<'a>]),
    /// `label =`.
    Label(LabelSyntax<'a>),
}

/// A label (R111).
#[derive(Clone, Copy, Debug)]
pub struct LabelSyntax<'a> {
    /// Without its quotes.
    pub text: WordSyntax<'a>,
    /// Whether it stood in quotes.
    pub quoted: bool,
}

/// `name := expression` (R114).
#[derive(Clone, Copy, Debug)]
pub struct Assign<'a> {
    /// The variable.
    pub name: WordSyntax<'a>,
    /// The expression's text.
    pub value: WordSyntax<'a>,
    /// Both.
    pub span: Span,
}

/// One `;`-separated part of an `action` or `auto`.
#[derive(Clone, Copy, Debug)]
pub struct StatementSyntax<'a> {
    /// `{…}` in front of a colon; allowed in every statement (D23).
    pub costs: &'a [CostSyntax<'a>],
    /// `~…~` or `?…?`; opens a new group in an `auto` (D23).
    pub trigger: Option<Trigger<'a>>,
    /// Condition and effects.
    pub body: StatementBody<'a>,
    /// All of it, trimmed.
    pub span: Span,
}

/// One `{…}` (section 7 of the language).
#[derive(Clone, Copy, Debug)]
pub struct CostSyntax<'a> {
    /// The letter; `F`, `S` or `D` unless reported.
    pub letter: WordSyntax<'a>,
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
    pub events: &'a [EventSyntax<'a>],
    /// With its delimiters.
    pub span: Span,
}

/// One event of a trigger.
#[derive(Clone, Copy, Debug)]
pub struct EventSyntax<'a> {
    /// The name with its prefix.
    pub name: WordSyntax<'a>,
    /// What follows colons.
    pub suffixes: &'a [WordSyntax<'a>],
    /// Both.
    pub span: Span,
}

/// The condition of a statement and what it guards (R234–R237).
#[derive(Clone, Copy, Debug)]
pub enum StatementBody<'a> {
    /// No condition.
    Plain(BranchSyntax<'a>),
    /// `[[may …]]`.
    May {
        /// The mark with its brackets.
        mark: Span,
        /// The question without quotes, if there is one.
        question: Option<WordSyntax<'a>>,
        /// What happens on yes.
        branch: BranchSyntax<'a>,
    },
    /// `[[if …]] … [[elif …]] … [[else]] …`.
    If {
        /// The `if` and every `elif`; never empty.
        arms: &'a [Condition<'a>],
        /// The `else`: its mark and its branch.
        otherwise: Option<(Span, BranchSyntax<'a>)>,
    },
}

/// `[[if e]]` or `[[elif e]]` with its branch.
#[derive(Clone, Copy, Debug)]
pub struct Condition<'a> {
    /// The mark with its brackets.
    pub mark: Span,
    /// The expression's text.
    pub test: WordSyntax<'a>,
    /// What it guards.
    pub branch: BranchSyntax<'a>,
}

/// Effects that share targets and restriction (R237).
#[derive(Clone, Copy, Debug, Default)]
pub struct BranchSyntax<'a> {
    /// In order.
    pub effects: &'a [EffectSyntax<'a>],
    /// The first `to(…)`.
    pub to: Option<TargetClauseSyntax<'a>>,
    /// The first restriction.
    pub restriction: Option<WordSyntax<'a>>,
    /// All of it; empty where there is nothing.
    pub span: Span,
}

/// Targets of a property or a to-clause.
#[derive(Clone, Copy, Debug)]
pub struct TargetClauseSyntax<'a> {
    /// The keyword, without its `?`.
    pub keyword: WordSyntax<'a>,
    /// `target?`, `to?`: finding nothing is no failure (R309).
    pub optional: bool,
    /// Parted by `;`.
    pub targets: &'a [Target<'a>],
    /// With keyword and parentheses; of a property the value.
    pub span: Span,
}

/// How an effect hangs on the one before (R603).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinerSyntax {
    /// `&`, and in front of the first.
    Then,
    /// `&&`.
    AndThen,
    /// `||`.
    OrElse,
}

/// A command call or an ability.
#[derive(Clone, Copy, Debug)]
pub struct EffectSyntax<'a> {
    /// How it hangs on the effect before it.
    pub joiner: JoinerSyntax,
    /// Where the joiner stands, if one was written.
    pub joiner_span: Option<Span>,
    /// What it is.
    pub kind: EffectSyntaxKind<'a>,
    /// Without the joiner.
    pub span: Span,
}

/// The two kinds of effect.
#[derive(Clone, Copy, Debug)]
pub enum EffectSyntaxKind<'a> {
    /// `name(…)`, `name?(…)`.
    Call {
        /// The command.
        name: WordSyntax<'a>,
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
        sign: NumberSign,
        /// The ability.
        name: WordSyntax<'a>,
    },
}

/// `+` or `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberSign {
    /// `+`
    Plus,
    /// `-`
    Minus,
}

/// One argument: what it means is the command's business, so it is kept as text.
#[derive(Clone, Copy, Debug)]
pub struct Argument<'a> {
    /// As written, trimmed.
    pub text: WordSyntax<'a>,
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
    Each(EachSyntax<'a>),
    /// Anything else: an expression or a target.
    Text,
}

/// `over => effect { joiner effect }` (D30).
#[derive(Clone, Copy, Debug)]
pub struct EachSyntax<'a> {
    /// What is repeated over: `X in L` or a target.
    pub over: WordSyntax<'a>,
    /// What is repeated.
    pub effects: &'a [EffectSyntax<'a>],
}

/// One target filter (R202–R243).
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// As written, trimmed.
    pub text: WordSyntax<'a>,
    /// `<…>` in front (R203).
    pub quantity: Option<QuantitySyntax>,
    /// The types; empty stands for `*` (R202).
    pub types: &'a [TypeSyntax<'a>],
    /// What joins them.
    pub joiner: TypeJoiner,
    /// `<n>` behind (R203).
    pub pick: Option<PickSyntax>,
    /// OR of ANDs (R214).
    pub filters: &'a [&'a [FilterSyntax<'a>]],
    /// The brackets of the filters.
    pub brackets: Option<Span>,
    /// What follows `@`.
    pub zone: Option<WordSyntax<'a>>,
    /// `::not(…)`.
    pub selector: Option<Selector<'a>>,
    /// The text of an expression target (R230), which then has no types.
    pub expression: Option<WordSyntax<'a>>,
}

/// `<…>` in front of the types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuantitySyntax {
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
pub struct TypeSyntax<'a> {
    /// `^` or `!` (R211).
    pub prefix: Option<Prefix>,
    /// The name as written; without the quotes of a card name; `*` for any card.
    pub name: WordSyntax<'a>,
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
pub struct PickSyntax {
    /// Negative: from the bottom.
    pub count: i16,
    /// With its brackets.
    pub span: Span,
}

/// One condition of a filter (R214–R217).
#[derive(Clone, Copy, Debug)]
pub struct FilterSyntax<'a> {
    /// `-`, `^` or `+`.
    pub prefix: Option<Prefix>,
    /// What is tested.
    pub name: WordSyntax<'a>,
    /// The comparison and its right side.
    pub compare: Option<(Operator, WordSyntax<'a>)>,
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
    pub name: WordSyntax<'a>,
    /// The expression's text; empty excludes nothing (D44).
    pub argument: WordSyntax<'a>,
    /// With `::` and parentheses.
    pub span: Span,
}
