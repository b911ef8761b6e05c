//! Finding cards by words: `type:action sp>=2 or (name:king and not set:"Core") order:-sp`.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use cw_text::{Span, nearest};
use rayon::prelude::*;

use crate::booster;
use crate::fold::loose;
use crate::pattern::Pattern;
use crate::{Alternate, Definition, Package, PackageCard, PackageSet};

/// What to look for; see [`CardQuery::parse`].
#[derive(Clone, Debug, PartialEq)]
pub struct CardQuery {
    pub(crate) root: QueryNode,
    pub(crate) unique: Option<Field>,
    pub(crate) order: Vec<(Field, Direction)>,
    /// Words of ours in it that the game has a property of.
    shadowing: BTreeSet<String>,
}

/// Short names of properties, by the short name: `[search.aliases]` of a game.
pub type Aliases = BTreeMap<String, String>;

/// A query that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    /// The bytes of the query that are wrong.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum QueryNode {
    All(Vec<QueryNode>),
    Any(Vec<QueryNode>),
    Not(Box<QueryNode>),
    /// Folded text somewhere in the card.
    Text(String),
    /// A pattern somewhere in the card.
    Pattern(Pattern),
    Field {
        field: Field,
        test: Test,
    },
    Alternate,
    Hidden,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Field {
    Name,
    Id,
    Set,
    Form,
    Property(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Test {
    /// A word of it, or several, begin with the folded text.
    Begins(String),
    /// The folded text is all of it; empty: it is missing or blank (P103).
    Is(String),
    IsNot(String),
    Matches(Pattern),
    Number(QueryComparison, f64),
    /// Against another property of the same card.
    Against(QueryComparison, Field),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryComparison {
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
    Different,
}

impl QueryComparison {
    fn of(operator: &str) -> QueryComparison {
        match operator {
            "<" => QueryComparison::Less,
            "<=" => QueryComparison::AtMost,
            ">" => QueryComparison::More,
            ">=" => QueryComparison::AtLeast,
            "!=" => QueryComparison::Different,
            _ => QueryComparison::Equal,
        }
    }

    fn holds(self, order: Ordering) -> bool {
        match self {
            QueryComparison::Less => order.is_lt(),
            QueryComparison::AtMost => order.is_le(),
            QueryComparison::More => order.is_gt(),
            QueryComparison::AtLeast => order.is_ge(),
            QueryComparison::Equal => order.is_eq(),
            QueryComparison::Different => order.is_ne(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Up,
    Down,
}

/// Parentheses inside parentheses, and `not` before `not`.
const MAX_DEPTH: usize = 64;
/// How many forms one core looks through at least; fewer are looked through sooner than a second core is
/// there.
const LEAST_AT_ONCE: usize = 1_000;

/// One form of one card, with where it belongs.
#[derive(Clone, Copy, Debug)]
pub struct SearchedForm<'p> {
    /// The set.
    pub set: &'p PackageSet,
    /// The card.
    pub card: &'p PackageCard,
    /// The form; the base form if none.
    pub alternate: Option<&'p Alternate>,
}

impl<'p> SearchedForm<'p> {
    /// The base form of a card and its alternates. The card may be what a pool has made of one of the set's.
    pub fn all_of(set: &'p PackageSet, card: &'p PackageCard) -> impl Iterator<Item = SearchedForm<'p>> {
        std::iter::once(None)
            .chain(card.alternates.iter().map(Some))
            .map(move |alternate| SearchedForm { set, card, alternate })
    }

    /// The form's own name (P73).
    pub fn name(&self) -> &'p str {
        self.alternate
            .map_or(&self.card.name, |alternate| &alternate.name)
    }

    /// The form's value of a property as plain text (P72).
    pub fn text(&self, property: &str) -> Option<&'p str> {
        self.card
            .form_value(self.alternate, property)
            .and_then(crate::PropertyValue::plain)
    }
}

/// All forms of all cards, each card's base form first (P77).
pub fn forms(package: &Package) -> impl Iterator<Item = SearchedForm<'_>> {
    let sets = package.sets.iter();
    sets.flat_map(|set| set.cards.iter().flat_map(|card| SearchedForm::all_of(set, card)))
}

impl CardQuery {
    /// Understands a query: words stand for text anywhere in a card; `property:value` looks for words that
    /// begin so in a property, `property=value` for the whole value, `<`, `<=`, `>`, `>=`, `!=` compare;
    /// `name:`, `id:`, `set:` and `form:` are always there; `is:alternate`, `is:hidden`. A value may be a
    /// regular expression, `/…/`, and for comparisons another property. Terms beside each other must all
    /// hold; `or`, `and`, `not` (or `-`) and parentheses join them; quotes keep blanks together; `!` before a
    /// name takes the whole name. `unique:` and `order:` say what [`select`](CardQuery::select) does.
    /// Properties have their names in any case, without blanks if one likes.
    ///
    /// # Errors
    /// When a parenthesis or quote is not closed, a value is missing, there is no such property, or a regular
    /// expression is wrong or too large.
    ///
    /// ```
    /// use cw_octgn::{MemoryFiles, Package, CardQuery};
    ///
    /// let files = MemoryFiles::new().with("definition.xml", "<game/>");
    /// let package = Package::read(&files)?;
    /// assert!(CardQuery::parse("name:crumb or !Rye", &package.definition).is_ok());
    /// let wrong = CardQuery::parse("colour:red", &package.definition).map(|_| ());
    /// assert!(wrong.is_err(), "this game has no such property");
    /// # Ok::<(), cw_octgn::FilesError>(())
    /// ```
    pub fn parse(text: &str, definition: &Definition) -> Result<CardQuery, QueryError> {
        CardQuery::parse_with(text, definition, &Aliases::new())
    }

    /// As [`parse`](CardQuery::parse), where properties have short names, too.
    ///
    /// # Errors
    /// As there.
    pub fn parse_with(
        text: &str,
        definition: &Definition,
        aliases: &Aliases,
    ) -> Result<CardQuery, QueryError> {
        // Tokens first: whether a `-` excludes a term or belongs to a word is known by the blank before it.
        let tokens = tokens(text)?;
        let mut parser = QueryParser {
            tokens: &tokens,
            at: 0,
            end: text.len(),
            definition,
            aliases,
            unique: None,
            order: Vec::new(),
            shadowing: BTreeSet::new(),
        };
        let root = match tokens.is_empty() {
            true => QueryNode::All(Vec::new()),
            false => parser.any(0)?,
        };
        // The grammar stops before nothing but a `)`, since any two terms beside each other are joined.
        if let Some(token) = parser.tokens.get(parser.at) {
            return Err(error(token.span, "this `)` closes nothing"));
        }
        Ok(CardQuery {
            root,
            unique: parser.unique,
            order: parser.order,
            shadowing: parser.shadowing,
        })
    }

    /// Whether a form is looked for.
    pub fn matches(&self, form: &SearchedForm<'_>) -> bool {
        self.root.matches(form)
    }

    /// The forms that are looked for: of those that `unique:` calls the same only the first, in the order
    /// that `order:` says. Numbers come in their order before texts, and what a card lacks last.
    pub fn select<'p>(&self, forms: impl IntoIterator<Item = SearchedForm<'p>>) -> Vec<SearchedForm<'p>> {
        let all: Vec<SearchedForm<'p>> = forms.into_iter().collect();
        let all = all.into_par_iter().with_min_len(LEAST_AT_ONCE);
        let mut found: Vec<SearchedForm<'p>> = all.filter(|form| self.matches(form)).collect();
        // Before sorting: of several prints the first in the package stands for all, whatever the order.
        if let Some(field) = &self.unique {
            let mut seen = BTreeSet::new();
            found.retain(|form| seen.insert(booster::fold(&field.text(form).unwrap_or_default())));
        }
        // The last one first: sorting keeps what was equal in its order.
        for (field, direction) in self.order.iter().rev() {
            let key = |form: &SearchedForm<'_>| SortKey::of(&field.text(form).unwrap_or_default());
            match direction {
                Direction::Up => found.sort_by_cached_key(key),
                Direction::Down => found.sort_by_cached_key(|form| key(form).reversed()),
            }
        }
        found
    }

    /// What to know about these forms, which the query found: a word that means something of ours and not the
    /// game's property of that name, and cards that `!=` finds because they lack the property.
    pub fn remarks(&self, found: &[SearchedForm<'_>]) -> Vec<String> {
        let shadowing = self.shadowing.iter().map(|word| {
            format!("`{word}:` is not the game's property of this name; that is written `\"{word}\":`")
        });
        let mut tests = Vec::new();
        self.root.fields(&mut tests);
        // `cost!=3` finds also what has no cost, which whoever writes it rarely means. `cost!=` alone leaves
        // just that out.
        let is_different = |test: &Test| match test {
            Test::IsNot(wanted) => !wanted.is_empty(),
            Test::Against(compare, _) => *compare == QueryComparison::Different,
            Test::Begins(_) | Test::Is(_) | Test::Matches(_) | Test::Number(..) => false,
        };
        let different = tests.into_iter().filter(|(_, test)| is_different(test));
        let lacking = different.filter_map(|(field, _)| {
            let lacks = |form: &&SearchedForm<'_>| field.text(form).unwrap_or_default().trim().is_empty();
            let name = field.name().replace(' ', "");
            match found.iter().filter(lacks).count() {
                0 => None,
                1 => Some(format!(
                    "1 of these has no `{name}`; add `{name}!=` to exclude it"
                )),
                many => Some(format!(
                    "{many} of these have no `{name}`; add `{name}!=` to exclude them"
                )),
            }
        });
        shadowing.chain(lacking).collect()
    }

    /// What the query may have meant, for each value that no card of the package has.
    pub fn near_misses(&self, package: &Package) -> Vec<String> {
        self.misses(
            |field, test| forms(package).any(|form| test.matches(field, &form)),
            |field| {
                let values: BTreeSet<String> = forms(package).filter_map(|form| field.text(&form)).collect();
                let values = values.into_iter();
                values
                    .map(|raw| (loose(&raw).into(), raw.into()))
                    .map(|(folded, raw)| ValueText { raw, folded })
                    .collect()
            },
        )
    }

    /// The same, where somebody else knows whether any card has a value, and which values there are.
    pub(crate) fn misses<'v>(
        &self,
        is_there: impl Fn(&Field, &Test) -> bool,
        values: impl Fn(&Field) -> Vec<ValueText<'v>>,
    ) -> Vec<String> {
        let mut tests = Vec::new();
        self.root.fields(&mut tests);
        let misses = tests.into_iter().filter_map(|(field, test)| {
            // Comparisons and patterns find nothing without any slip of the pen.
            let (Test::Begins(wanted) | Test::Is(wanted)) = test else {
                return None;
            };
            // A number is not nearly another one.
            if wanted.is_empty() || number(wanted).is_some() || is_there(field, test) {
                return None;
            }
            let values = values(field);
            let near = near_value(wanted, &values)?;
            Some(format!(
                "no card has {} `{}`; did you mean `{}`?",
                field.name(),
                crate::read::clipped(wanted),
                crate::read::clipped(near)
            ))
        });
        misses.collect()
    }
}

/// A value that cards have.
#[derive(Debug)]
pub(crate) struct ValueText<'v> {
    /// As it is written.
    pub(crate) raw: Cow<'v, str>,
    /// As it is compared.
    pub(crate) folded: Cow<'v, str>,
}

/// The value that begins so, has a word like it, or is like it; of several the first in the alphabet.
///
/// A large package has 80,000 names, and somebody waits for the answer. So nothing is sorted before something
/// is found.
fn near_value<'v>(wanted: &str, values: &'v [ValueText<'_>]) -> Option<&'v str> {
    // `=` wants the whole value, and somebody wrote its beginning: that is nearer than any other spelling.
    let begin = values.iter().filter(|value| word_begins(&value.folded, wanted));
    if let Some(value) = begin.map(|value| &*value.raw).min() {
        return Some(value);
    }
    // Then a slip in a whole value, as in `name:"Harbor Lights"`. The first pass only asks whether there is
    // one.
    let whole = || values.iter().map(|value| &*value.raw);
    if nearest(wanted, whole()).is_some() {
        let mut sorted: Vec<&str> = whole().collect();
        sorted.sort_unstable();
        return nearest(wanted, sorted);
    }
    // Last a slip in one of its words: the value is told that has the word.
    nearest(wanted, whole().flat_map(str::split_whitespace))?;
    let words = whole().flat_map(|value| value.split_whitespace().map(move |word| (word, value)));
    let mut words: Vec<(&str, &str)> = words.collect();
    words.sort_unstable();
    let near = nearest(wanted, words.iter().map(|(word, _)| *word))?;
    let with = words.iter().filter(|(word, _)| *word == near);
    with.map(|(_, value)| *value).max()
}

/// A value in the order of sorting.
#[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord)]
pub(crate) enum SortKey {
    /// Bits that are in the order of the number.
    Number(i64),
    Text(String),
    ReversedNumber(std::cmp::Reverse<i64>),
    ReversedText(std::cmp::Reverse<String>),
    Missing,
}

impl SortKey {
    pub(crate) fn of(text: &str) -> SortKey {
        let text = text.trim();
        if text.is_empty() {
            return SortKey::Missing;
        }
        match number(text) {
            Some(number) => {
                // The bits of positive floats are in their order as whole numbers; those of negative ones are
                // turned round, so that both together are.
                let bits = number.to_bits() as i64;
                SortKey::Number(if bits < 0 { i64::MIN - bits } else { bits })
            }
            None => SortKey::Text(loose(text)),
        }
    }

    pub(crate) fn reversed(self) -> SortKey {
        match self {
            SortKey::Number(number) => SortKey::ReversedNumber(std::cmp::Reverse(number)),
            SortKey::Text(text) => SortKey::ReversedText(std::cmp::Reverse(text)),
            // What a card lacks comes last in both directions, so it is not reversed.
            other => other,
        }
    }
}

/// A value as a number; a real minus is one, too.
pub(crate) fn number(text: &str) -> Option<f64> {
    let number = text.trim().replace('−', "-").parse::<f64>().ok();
    number.filter(|number| number.is_finite())
}

fn pattern(text: &str, span: Span) -> Result<Pattern, QueryError> {
    Pattern::new(text).map_err(|message| error(span, message))
}

fn error(span: Span, message: impl Into<String>) -> QueryError {
    QueryError {
        span,
        message: message.into(),
        help: None,
    }
}

#[derive(Clone, Debug, PartialEq)]
enum QueryTokenKind {
    Open,
    Close,
    Minus,
    /// The whole name follows.
    Exactly,
    /// What stood between two slashes.
    Pattern(String),
    Operator(&'static str),
    /// Whether it stood in quotes.
    Word {
        text: String,
        quoted: bool,
    },
}

#[derive(Clone, Debug)]
struct QueryToken {
    kind: QueryTokenKind,
    span: Span,
    /// Whether it follows the one before without a blank.
    touches: bool,
}

const OPERATORS: [&str; 7] = ["<=", ">=", "!=", ":", "=", "<", ">"];

fn tokens(text: &str) -> Result<Vec<QueryToken>, QueryError> {
    let mut tokens: Vec<QueryToken> = Vec::new();
    let mut at = 0;
    let mut touches = false;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            touches = false;
            continue;
        }
        let start = at;
        // The list has `<=` before `<`: the longest one that stands here.
        let operator = OPERATORS
            .into_iter()
            .find(|operator| text[at..].starts_with(operator));
        let kind = match (first, operator) {
            (_, Some(operator)) => {
                at += operator.len();
                QueryTokenKind::Operator(operator)
            }
            ('(' | ')', _) => {
                at += 1;
                if first == '(' {
                    QueryTokenKind::Open
                } else {
                    QueryTokenKind::Close
                }
            }
            // Inside a word it is a hyphen: `back-up` is one word.
            ('-', _) if !touches => {
                at += 1;
                QueryTokenKind::Minus
            }
            // Before a blank it is a mark like others, as people end sentences with it.
            ('!', _) if !touches && text[at + 1..].starts_with(|next: char| !next.is_whitespace()) => {
                at += 1;
                QueryTokenKind::Exactly
            }
            // A slash that nothing closes is an ordinary letter.
            ('/', _) if closing(&text[at + 1..]).is_some() => {
                let length = closing(&text[at + 1..]).unwrap_or_default();
                let inner = text[at + 1..at + 1 + length].replace("\\/", "/");
                at += length + 2;
                QueryTokenKind::Pattern(inner)
            }
            ('"', _) => {
                let Some(length) = text[at + 1..].find('"') else {
                    return Err(error(Span::new(at, at + 1), "this quote is not closed"));
                };
                let word = text[at + 1..at + 1 + length].to_owned();
                at += length + 2;
                QueryTokenKind::Word {
                    text: word,
                    quoted: true,
                }
            }
            _ => {
                // The first letter is taken whatever it is, so that each turn of the loop gets on.
                let stop = |c: char| c.is_whitespace() || "()\":=<>!".contains(c);
                let rest = &text[at..];
                let skip = first.len_utf8();
                let length = rest[skip..].find(stop).map_or(rest.len(), |length| length + skip);
                at += length;
                QueryTokenKind::Word {
                    text: rest[..length].to_owned(),
                    quoted: false,
                }
            }
        };
        tokens.push(QueryToken {
            kind,
            span: Span::new(start, at),
            touches,
        });
        touches = true;
    }
    Ok(tokens)
}

/// Where the regular expression ends: at a slash without a backslash before it.
fn closing(text: &str) -> Option<usize> {
    let mut escaped = false;
    let end = text.char_indices().find(|(_, letter)| {
        let ends = *letter == '/' && !escaped;
        escaped = *letter == '\\' && !escaped;
        ends
    });
    end.map(|(at, _)| at).filter(|at| *at > 0)
}

struct QueryParser<'a> {
    tokens: &'a [QueryToken],
    at: usize,
    end: usize,
    definition: &'a Definition,
    aliases: &'a Aliases,
    unique: Option<Field>,
    order: Vec<(Field, Direction)>,
    shadowing: BTreeSet<String>,
}

impl QueryParser<'_> {
    fn peek(&self) -> Option<&QueryToken> {
        self.tokens.get(self.at)
    }

    fn is_word(&self, word: &str) -> bool {
        let token = self.peek().map(|token| &token.kind);
        matches!(token, Some(QueryTokenKind::Word { text, quoted: false }) if text.eq_ignore_ascii_case(word))
    }

    fn any(&mut self, depth: usize) -> Result<QueryNode, QueryError> {
        let mut alternatives = vec![self.all(depth)?];
        while self.is_word("or") {
            self.at += 1;
            alternatives.push(self.all(depth)?);
        }
        // `order:cost or type:action`: what only sorts is no condition that all cards would meet.
        alternatives.retain(|node| !node.says_nothing());
        Ok(match alternatives.len() {
            0 => QueryNode::All(alternatives),
            1 => alternatives.remove(0),
            _ => QueryNode::Any(alternatives),
        })
    }

    fn all(&mut self, depth: usize) -> Result<QueryNode, QueryError> {
        // `and` binds closer than `or`, and so do two terms beside each other.
        let mut terms = vec![self.negation(depth)?];
        loop {
            if self.is_word("and") {
                self.at += 1;
            } else if self
                .peek()
                .is_none_or(|token| token.kind == QueryTokenKind::Close)
                || self.is_word("or")
            {
                break;
            }
            terms.push(self.negation(depth)?);
        }
        terms.retain(|node| !node.says_nothing());
        Ok(match terms.len() {
            1 => terms.remove(0),
            _ => QueryNode::All(terms),
        })
    }

    fn negation(&mut self, depth: usize) -> Result<QueryNode, QueryError> {
        // Each parenthesis and each `not` calls this again, and a text from anywhere may have thousands.
        if depth > MAX_DEPTH {
            let span = self.peek().map_or(Span::at(self.end), |token| token.span);
            return Err(error(span, format!("nested deeper than {MAX_DEPTH}")));
        }
        let minus = self
            .peek()
            .is_some_and(|token| token.kind == QueryTokenKind::Minus);
        if minus || self.is_word("not") {
            self.at += 1;
            let inner = self.negation(depth + 1)?;
            // `-order:cost` sorts as well: no card is excluded by it.
            return Ok(match inner.says_nothing() {
                true => inner,
                false => QueryNode::Not(Box::new(inner)),
            });
        }
        self.term(depth)
    }

    fn term(&mut self, depth: usize) -> Result<QueryNode, QueryError> {
        let Some(token) = self.peek().cloned() else {
            return Err(error(Span::at(self.end), "a search term is missing here"));
        };
        self.at += 1;
        match token.kind {
            QueryTokenKind::Open => {
                let inner = self.any(depth + 1)?;
                if self
                    .peek()
                    .is_none_or(|token| token.kind != QueryTokenKind::Close)
                {
                    return Err(error(token.span, "this `(` is not closed"));
                }
                self.at += 1;
                Ok(inner)
            }
            QueryTokenKind::Close => Err(error(token.span, "a search term is missing before this `)`")),
            QueryTokenKind::Minus | QueryTokenKind::Operator(_) => {
                Err(error(token.span, "a property is missing before this"))
            }
            QueryTokenKind::Exactly => self.exactly(token.span),
            QueryTokenKind::Pattern(text) => Ok(QueryNode::Pattern(pattern(&text, token.span)?)),
            QueryTokenKind::Word { text, quoted } => {
                match self.peek().map(|next| (next.kind.clone(), next.touches)) {
                    // Only right behind a word: `king : 3` are three terms, the second of them a mistake.
                    Some((QueryTokenKind::Operator(operator), true)) => {
                        self.at += 1;
                        self.field(
                            &FieldName {
                                text: &text,
                                quoted,
                                span: token.span,
                            },
                            operator,
                        )
                    }
                    _ => Ok(QueryNode::Text(loose(&text))),
                }
            }
        }
    }

    /// `!name` or `!"whole name"`.
    fn exactly(&mut self, span: Span) -> Result<QueryNode, QueryError> {
        let Some(QueryToken {
            kind: QueryTokenKind::Word { text, .. },
            touches: true,
            ..
        }) = self.peek().cloned()
        else {
            return Err(error(span, "a name is missing after this"));
        };
        self.at += 1;
        Ok(QueryNode::Field {
            field: Field::Name,
            test: Test::Is(loose(text.trim())),
        })
    }

    fn field(&mut self, name: &FieldName<'_>, operator: &'static str) -> Result<QueryNode, QueryError> {
        let operator_end = self.tokens[self.at - 1].span.end as usize;
        // In `sp>= -2` a blank stands before the minus, which is a token of its own then.
        let mut negative = "";
        if let Some(QueryToken {
            kind: QueryTokenKind::Minus,
            ..
        }) = self.peek()
        {
            negative = "-";
            self.at += 1;
        }
        if let Some(QueryToken {
            kind: QueryTokenKind::Pattern(text),
            touches: true,
            span: place,
        }) = self.peek().cloned()
        {
            self.at += 1;
            if !matches!(operator, ":" | "=") {
                return Err(error(place, "a regular expression comes after `:`"));
            }
            let field = self.known_field(name)?;
            let test = Test::Matches(pattern(&text, place)?);
            return Ok(QueryNode::Field { field, test });
        }
        let (value, value_span, quoted) = match self.peek() {
            Some(QueryToken {
                kind: QueryTokenKind::Word { text, quoted },
                touches: true,
                span,
            }) => (format!("{negative}{text}"), *span, *quoted),
            // `property=` alone: the property is missing or blank.
            _ if matches!(operator, "=" | "!=") => (String::new(), Span::at(operator_end), true),
            _ => return Err(error(Span::at(operator_end), "a value is missing here")),
        };
        // Of an empty value there is no token to pass.
        if !value_span.is_empty() {
            self.at += 1;
        }
        let behind = FieldName {
            text: &value,
            quoted,
            span: value_span,
        };
        if let Some(node) = self.directive(name, &behind)? {
            return Ok(node);
        }
        let field = self.known_field(name)?;
        let test = match operator {
            ":" => Test::Begins(loose(&value)),
            // `sp=bp` compares two properties of a card; a value that is written as a property's name stands
            // in quotes.
            "=" | "!=" => match self.property(&value).filter(|_| !quoted) {
                Some(other) => Test::Against(QueryComparison::of(operator), other),
                None if operator == "=" => Test::Is(loose(value.trim())),
                None => Test::IsNot(loose(value.trim())),
            },
            // For `<` and its like a number comes first, though a game may call a property `2`.
            _ => match (number(&value), self.known_field(&behind)) {
                (Some(number), _) => Test::Number(QueryComparison::of(operator), number),
                (None, Ok(other)) if !quoted => Test::Against(QueryComparison::of(operator), other),
                _ => {
                    let clipped = crate::read::clipped(&value);
                    return Err(error(
                        value_span,
                        format!("`{clipped}` is neither a number nor a property"),
                    ));
                }
            },
        };
        Ok(QueryNode::Field { field, test })
    }

    /// `is:`, and what is no test of a card: `unique:`, `order:` and their like.
    fn directive(
        &mut self,
        name: &FieldName<'_>,
        value: &FieldName<'_>,
    ) -> Result<Option<QueryNode>, QueryError> {
        let word = name.text.to_ascii_lowercase();
        if !DIRECTIVES.contains(&word.as_str()) || !self.is_ours(name) {
            return Ok(None);
        }
        // What is said about the list leaves a condition behind that all cards meet: `any` and `all` take it
        // out again.
        let nothing = Ok(Some(QueryNode::All(Vec::new())));
        let said = value.text.to_ascii_lowercase();
        match word.as_str() {
            "is" => match said.as_str() {
                "alternate" => Ok(Some(QueryNode::Alternate)),
                "hidden" => Ok(Some(QueryNode::Hidden)),
                _ => Err(QueryError {
                    help: Some("`is:alternate` and `is:hidden` are known".to_owned()),
                    ..error(
                        value.span,
                        format!("a card is never `{}`", crate::read::clipped(value.text)),
                    )
                }),
            },
            "unique" => {
                self.unique = match said.as_str() {
                    "cards" => Some(Field::Name),
                    "prints" => None,
                    _ => Some(self.known_field(value)?),
                };
                nothing
            }
            "order" | "sort" => {
                let (text, direction) = match value.text.strip_prefix('-') {
                    Some(text) => (text, Direction::Down),
                    None => (value.text, Direction::Up),
                };
                let field = self.known_field(&FieldName { text, ..*value })?;
                self.order.push((field, direction));
                nothing
            }
            // `direction:desc` turns all orders before it, as card databases on the web have it.
            _ => {
                let down = said.starts_with("desc");
                let direction = if down { Direction::Down } else { Direction::Up };
                self.order.iter_mut().for_each(|(_, of)| *of = direction);
                nothing
            }
        }
    }

    /// Whether a word of ours is meant by a name: not where it stands in quotes and the game has such a
    /// property, nor where the game gives the name to something else.
    fn is_ours(&mut self, name: &FieldName<'_>) -> bool {
        let is_property = self.property(name.text).is_some();
        if name.quoted && is_property || self.alias(name.text).is_some() {
            return false;
        }
        if is_property {
            self.shadowing.insert(name.text.to_ascii_lowercase());
        }
        true
    }

    /// What the game's short name stands for.
    fn alias(&self, name: &str) -> Option<(&str, &str)> {
        let (alias, meant) = self
            .aliases
            .iter()
            .find(|(alias, _)| alias.eq_ignore_ascii_case(name))?;
        (!meant.eq_ignore_ascii_case(name)).then_some((alias, meant))
    }

    /// The game's property of this name, whatever its case and blanks.
    fn property(&self, name: &str) -> Option<Field> {
        // Nobody can write a blank in front of `:` without quotes.
        let plain = |text: &str| loose(&text.replace(' ', ""));
        let mut properties = self.definition.properties.iter();
        let found = properties.find(|property| plain(&property.name) == plain(name))?;
        Some(Field::Property(found.name.to_string()))
    }

    /// A word of ours comes first, so that every game has them; the game's property of that name is written
    /// in quotes. Of other names a property comes before a short name.
    fn known_field(&mut self, name: &FieldName<'_>) -> Result<Field, QueryError> {
        let FieldName { text, span, .. } = *name;
        if let Some(field) = own_field(text)
            && self.is_ours(name)
        {
            return Ok(field);
        }
        if let Some(property) = self.property(text) {
            return Ok(property);
        }
        if let Some((alias, meant)) = self.alias(text) {
            return match (self.property(meant), meant.to_ascii_lowercase().as_str()) {
                (Some(property), _) => Ok(property),
                (None, "name") => Ok(Field::Name),
                (None, "set") => Ok(Field::Set),
                (None, _) => Err(error(
                    span,
                    format!(
                        "`{alias}` stands for `{}`, which is no property",
                        crate::read::clipped(meant)
                    ),
                )),
            };
        }
        let properties = || {
            let all = self.definition.properties.iter();
            all.map(|property| property.name.as_str())
        };
        let ours = ["name", "id", "set", "form", "is", "unique", "order"];
        let aliases = self.aliases.keys().map(String::as_str);
        Err(QueryError {
            help: Some(match nearest(text, properties().chain(ours).chain(aliases)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "its properties are {}",
                    properties().collect::<Vec<_>>().join(", ")
                ),
            }),
            ..error(
                span,
                format!("the game has no property `{}`", crate::read::clipped(text)),
            )
        })
    }
}

/// Words before a `:` that are no test of a card.
pub(crate) const DIRECTIVES: [&str; 6] = ["is", "unique", "order", "sort", "direction", "dir"];

/// What every card has beside its properties.
fn own_field(name: &str) -> Option<Field> {
    match name.to_ascii_lowercase().as_str() {
        "name" => Some(Field::Name),
        "id" => Some(Field::Id),
        "set" => Some(Field::Set),
        "form" => Some(Field::Form),
        _ => None,
    }
}

/// The name of a field as it stands in a query.
#[derive(Clone, Copy, Debug)]
struct FieldName<'t> {
    text: &'t str,
    quoted: bool,
    span: Span,
}

impl QueryNode {
    pub(crate) fn matches(&self, form: &SearchedForm<'_>) -> bool {
        match self {
            QueryNode::All(nodes) => nodes.iter().all(|node| node.matches(form)),
            QueryNode::Any(nodes) => nodes.iter().any(|node| node.matches(form)),
            QueryNode::Not(node) => !node.matches(form),
            QueryNode::Alternate => form.alternate.is_some(),
            QueryNode::Hidden => form.set.hidden,
            QueryNode::Text(text) => {
                let has = |value: &str| loose(value).contains(text.as_str());
                has(form.name())
                    || form
                        .card
                        .effective(form.alternate)
                        .iter()
                        .any(|(_, value)| value.plain().is_some_and(has))
            }
            QueryNode::Pattern(pattern) => {
                let found = |value: &str| pattern.is_match(value);
                found(form.name())
                    || form
                        .card
                        .effective(form.alternate)
                        .iter()
                        .any(|(_, value)| value.plain().is_some_and(found))
            }
            QueryNode::Field { field, test } => test.matches(field, form),
        }
    }

    /// Whether it holds for every card because nothing is asked.
    fn says_nothing(&self) -> bool {
        matches!(self, QueryNode::All(nodes) if nodes.is_empty())
    }

    /// Every test of a field that is not negated.
    fn fields<'q>(&'q self, out: &mut Vec<(&'q Field, &'q Test)>) {
        match self {
            QueryNode::All(nodes) | QueryNode::Any(nodes) => nodes.iter().for_each(|node| node.fields(out)),
            QueryNode::Field { field, test } => out.push((field, test)),
            QueryNode::Not(_)
            | QueryNode::Text(_)
            | QueryNode::Pattern(_)
            | QueryNode::Alternate
            | QueryNode::Hidden => {}
        }
    }
}

impl Field {
    pub(crate) fn text(&self, form: &SearchedForm<'_>) -> Option<String> {
        match self {
            Field::Name => Some(form.name().to_owned()),
            Field::Id => Some(form.card.id.value.to_string()),
            Field::Set => Some(form.set.name.to_string()),
            Field::Form => form.alternate.map(|alternate| alternate.kind.to_string()),
            Field::Property(name) => form.text(name).map(str::to_owned),
        }
    }

    /// What the query calls it.
    fn name(&self) -> &str {
        match self {
            Field::Name => "name",
            Field::Id => "id",
            Field::Set => "set",
            Field::Form => "form",
            Field::Property(name) => name,
        }
    }
}

impl Test {
    /// Whether it holds for a value, of which the folded form and the number are known where the test looks
    /// at them.
    pub(crate) fn holds(&self, text: &str, folded: &str, number: Option<f64>) -> bool {
        match self {
            Test::Begins(wanted) => word_begins(folded, wanted),
            Test::Is(wanted) => folded.trim() == wanted,
            Test::IsNot(wanted) => folded.trim() != wanted,
            Test::Matches(pattern) => pattern.is_match(text),
            Test::Number(compare, wanted) => {
                let order = number.and_then(|number| number.partial_cmp(wanted));
                order.is_some_and(|order| compare.holds(order))
            }
            // It looks at two values.
            Test::Against(..) => false,
        }
    }

    fn matches(&self, field: &Field, form: &SearchedForm<'_>) -> bool {
        let value = match field {
            Field::Name => Some(Cow::Borrowed(form.name())),
            Field::Set => Some(Cow::Borrowed(form.set.name.as_str())),
            Field::Property(name) => form.text(name).map(Cow::Borrowed),
            Field::Id | Field::Form => field.text(form).map(Cow::Owned),
        };
        let text = value.as_deref().unwrap_or_default();
        match self {
            Test::Begins(_) | Test::Is(_) | Test::IsNot(_) => self.holds(text, &loose(text), None),
            Test::Matches(_) => self.holds(text, "", None),
            Test::Number(..) => self.holds(text, "", number(text)),
            Test::Against(compare, other) => {
                let other = other.text(form).unwrap_or_default();
                match (number(text), number(&other), compare) {
                    (Some(one), Some(two), _) => {
                        one.partial_cmp(&two).is_some_and(|order| compare.holds(order))
                    }
                    (_, _, QueryComparison::Equal) => loose(text.trim()) == loose(other.trim()),
                    (_, _, QueryComparison::Different) => loose(text.trim()) != loose(other.trim()),
                    _ => false,
                }
            }
        }
    }
}

/// Whether the wanted text stands in a text where a word begins: `action` does not in `reaction`.
fn word_begins(text: &str, wanted: &str) -> bool {
    // Letters without case are of scripts that do not part words with blanks.
    let joins = |c: char| c.is_numeric() || c.is_lowercase() || c.is_uppercase();
    if !wanted.starts_with(joins) {
        return text.contains(wanted);
    }
    // A number is a whole one: 3 is not the beginning of 30.
    let whole = wanted.ends_with(|c: char| c.is_ascii_digit());
    text.match_indices(wanted).any(|(at, _)| {
        let goes_on = text[at + wanted.len()..].starts_with(|c: char| c.is_ascii_digit());
        !(text[..at].ends_with(joins) || whole && goes_on)
    })
}
