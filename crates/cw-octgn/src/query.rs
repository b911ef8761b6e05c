//! Finding cards by words: `type:action sp>=2 or (name:king and not set:"Core")`.

use cw_text::{Span, nearest};

use crate::booster::fold;
use crate::{Alternate, Card, Definition, Package, Set};

/// What to look for; see [`Query::parse`].
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    root: Node,
}

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
enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    /// Folded text somewhere in the card.
    Text(String),
    Field {
        field: Field,
        test: Test,
    },
    Alternate,
    Hidden,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Field {
    Name,
    Id,
    Set,
    Form,
    Property(String),
}

#[derive(Clone, Debug, PartialEq)]
enum Test {
    /// A word of it, or several, begin with the folded text.
    Begins(String),
    /// The folded text is all of it; empty: it is missing or blank (P103).
    Is(String),
    IsNot(String),
    Number(Order, f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Less,
    AtMost,
    More,
    AtLeast,
}

/// Parentheses inside parentheses, and `not` before `not`.
const MAX_DEPTH: usize = 64;

/// One form of one card, with where it belongs.
#[derive(Clone, Copy, Debug)]
pub struct Form<'p> {
    /// The set.
    pub set: &'p Set,
    /// The card.
    pub card: &'p Card,
    /// The form; the base form if none.
    pub alternate: Option<&'p Alternate>,
}

impl<'p> Form<'p> {
    /// The form's own name (P73).
    pub fn name(&self) -> &'p str {
        self.alternate
            .map_or(&self.card.name, |alternate| &alternate.name)
    }

    /// The form's value of a property as plain text (P72).
    pub fn text(&self, property: &str) -> Option<&'p str> {
        self.card
            .form_value(self.alternate, property)
            .and_then(crate::Value::plain)
    }
}

/// All forms of all cards, each card's base form first (P77).
pub fn forms(package: &Package) -> impl Iterator<Item = Form<'_>> {
    package.sets.iter().flat_map(|set| {
        set.cards.iter().flat_map(move |card| {
            let base = std::iter::once(None);
            base.chain(card.alternates.iter().map(Some))
                .map(move |alternate| Form { set, card, alternate })
        })
    })
}

impl Query {
    /// Understands a query: words stand for text anywhere in a card; `property:value` looks for words that
    /// begin so in a property, `property=value` for the whole value, `<`, `<=`, `>`, `>=`, `!=` compare; `name:`,
    /// `id:`, `set:` and `form:` are always there; `is:alternate`, `is:hidden`. Terms beside each other
    /// must all hold; `or`, `and`, `not` (or `-`) and parentheses join them; quotes keep blanks together.
    ///
    /// # Errors
    /// When a parenthesis or quote is not closed, a value is missing, or there is no such property.
    pub fn parse(text: &str, definition: &Definition) -> Result<Query, QueryError> {
        let tokens = tokens(text)?;
        let mut parser = Parser {
            tokens: &tokens,
            at: 0,
            end: text.len(),
            definition,
        };
        if tokens.is_empty() {
            return Ok(Query {
                root: Node::All(Vec::new()),
            });
        }
        let root = parser.any(0)?;
        if let Some(token) = parser.tokens.get(parser.at) {
            return Err(error(token.span, "this `)` closes nothing"));
        }
        Ok(Query { root })
    }

    /// Whether a form is looked for.
    pub fn matches(&self, form: &Form<'_>) -> bool {
        self.root.matches(form)
    }
}

fn error(span: Span, message: impl Into<String>) -> QueryError {
    QueryError {
        span,
        message: message.into(),
        help: None,
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Open,
    Close,
    Minus,
    Operator(&'static str),
    /// Whether it stood in quotes.
    Word {
        text: String,
        quoted: bool,
    },
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    span: Span,
    /// Whether it follows the one before without a blank.
    touches: bool,
}

const OPERATORS: [&str; 7] = ["<=", ">=", "!=", ":", "=", "<", ">"];

fn tokens(text: &str) -> Result<Vec<Token>, QueryError> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    let mut touches = false;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            touches = false;
            continue;
        }
        let start = at;
        let operator = OPERATORS
            .into_iter()
            .find(|operator| text[at..].starts_with(operator));
        let kind = match (first, operator) {
            (_, Some(operator)) => {
                at += operator.len();
                Kind::Operator(operator)
            }
            ('(' | ')', _) => {
                at += 1;
                if first == '(' { Kind::Open } else { Kind::Close }
            }
            ('-', _) if !touches => {
                at += 1;
                Kind::Minus
            }
            ('"', _) => {
                let Some(length) = text[at + 1..].find('"') else {
                    return Err(error(Span::new(at, at + 1), "this quote is not closed"));
                };
                let word = text[at + 1..at + 1 + length].to_owned();
                at += length + 2;
                Kind::Word {
                    text: word,
                    quoted: true,
                }
            }
            _ => {
                let stop = |c: char| c.is_whitespace() || "()\":=<>!".contains(c);
                let rest = &text[at..];
                let skip = first.len_utf8();
                let length = rest[skip..].find(stop).map_or(rest.len(), |length| length + skip);
                at += length;
                Kind::Word {
                    text: rest[..length].to_owned(),
                    quoted: false,
                }
            }
        };
        tokens.push(Token {
            kind,
            span: Span::new(start, at),
            touches,
        });
        touches = true;
    }
    Ok(tokens)
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    end: usize,
    definition: &'a Definition,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn is_word(&self, word: &str) -> bool {
        let token = self.peek().map(|token| &token.kind);
        matches!(token, Some(Kind::Word { text, quoted: false }) if text.eq_ignore_ascii_case(word))
    }

    fn any(&mut self, depth: usize) -> Result<Node, QueryError> {
        let mut alternatives = vec![self.all(depth)?];
        while self.is_word("or") {
            self.at += 1;
            alternatives.push(self.all(depth)?);
        }
        Ok(match alternatives.len() {
            1 => alternatives.remove(0),
            _ => Node::Any(alternatives),
        })
    }

    fn all(&mut self, depth: usize) -> Result<Node, QueryError> {
        let mut terms = vec![self.negation(depth)?];
        loop {
            if self.is_word("and") {
                self.at += 1;
            } else if self.peek().is_none_or(|token| token.kind == Kind::Close) || self.is_word("or") {
                break;
            }
            terms.push(self.negation(depth)?);
        }
        Ok(match terms.len() {
            1 => terms.remove(0),
            _ => Node::All(terms),
        })
    }

    fn negation(&mut self, depth: usize) -> Result<Node, QueryError> {
        if depth > MAX_DEPTH {
            let span = self.peek().map_or(Span::at(self.end), |token| token.span);
            return Err(error(span, format!("nested deeper than {MAX_DEPTH}")));
        }
        let minus = self.peek().is_some_and(|token| token.kind == Kind::Minus);
        if minus || self.is_word("not") {
            self.at += 1;
            return Ok(Node::Not(Box::new(self.negation(depth + 1)?)));
        }
        self.term(depth)
    }

    fn term(&mut self, depth: usize) -> Result<Node, QueryError> {
        let Some(token) = self.peek().cloned() else {
            return Err(error(Span::at(self.end), "something to look for is missing here"));
        };
        self.at += 1;
        match token.kind {
            Kind::Open => {
                let inner = self.any(depth + 1)?;
                if self.peek().is_none_or(|token| token.kind != Kind::Close) {
                    return Err(error(token.span, "this `(` is not closed"));
                }
                self.at += 1;
                Ok(inner)
            }
            Kind::Close => Err(error(
                token.span,
                "something to look for is missing before this `)`",
            )),
            Kind::Minus | Kind::Operator(_) => Err(error(token.span, "a property is missing before this")),
            Kind::Word { text, .. } => match self.peek().map(|next| (next.kind.clone(), next.touches)) {
                Some((Kind::Operator(operator), true)) => {
                    self.at += 1;
                    self.field(&text, token.span, operator)
                }
                _ => Ok(Node::Text(fold(&text))),
            },
        }
    }

    fn field(&mut self, name: &str, span: Span, operator: &'static str) -> Result<Node, QueryError> {
        let operator_end = self.tokens[self.at - 1].span.end as usize;
        let mut negative = "";
        if let Some(Token {
            kind: Kind::Minus, ..
        }) = self.peek()
        {
            negative = "-";
            self.at += 1;
        }
        let value = match self.peek() {
            Some(Token {
                kind: Kind::Word { text, .. },
                touches: true,
                span,
            }) => (format!("{negative}{text}"), *span),
            // `property=` alone: the property is missing or blank.
            _ if matches!(operator, "=" | "!=") => (String::new(), Span::at(operator_end)),
            _ => return Err(error(Span::at(operator_end), "a value is missing here")),
        };
        if !value.1.is_empty() {
            self.at += 1;
        }
        let (value, value_span) = value;
        if name.eq_ignore_ascii_case("is") {
            return match value.to_ascii_lowercase().as_str() {
                "alternate" => Ok(Node::Alternate),
                "hidden" => Ok(Node::Hidden),
                _ => Err(QueryError {
                    help: Some("`is:alternate` and `is:hidden` are known".to_owned()),
                    ..error(
                        value_span,
                        format!("a card is never `{}`", crate::read::clipped(&value)),
                    )
                }),
            };
        }
        let field = self.known_field(name, span)?;
        let number = |order| {
            let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
            number.map(|number| Test::Number(order, number)).ok_or_else(|| {
                error(
                    value_span,
                    format!("`{}` is not a number", crate::read::clipped(&value)),
                )
            })
        };
        let test = match operator {
            ":" => Test::Begins(fold(&value)),
            "=" => Test::Is(fold(value.trim())),
            "!=" => Test::IsNot(fold(value.trim())),
            "<" => number(Order::Less)?,
            "<=" => number(Order::AtMost)?,
            ">" => number(Order::More)?,
            _ => number(Order::AtLeast)?,
        };
        Ok(Node::Field { field, test })
    }

    fn known_field(&self, name: &str, span: Span) -> Result<Field, QueryError> {
        let properties = || {
            self.definition
                .properties
                .iter()
                .map(|property| property.name.as_str())
        };
        // A property of the game comes before a word of ours.
        let plain = |text: &str| fold(&text.replace(' ', ""));
        let exact = properties().find(|property| plain(property) == plain(name));
        if let Some(property) = exact {
            return Ok(Field::Property(property.to_owned()));
        }
        match name.to_ascii_lowercase().as_str() {
            "name" => Ok(Field::Name),
            "id" => Ok(Field::Id),
            "set" => Ok(Field::Set),
            "form" => Ok(Field::Form),
            _ => Err(QueryError {
                help: Some(
                    match nearest(name, properties().chain(["name", "id", "set", "form", "is"])) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!(
                            "its properties are {}",
                            properties().collect::<Vec<_>>().join(", ")
                        ),
                    },
                ),
                ..error(
                    span,
                    format!("the game has no property `{}`", crate::read::clipped(name)),
                )
            }),
        }
    }
}

impl Node {
    fn matches(&self, form: &Form<'_>) -> bool {
        match self {
            Node::All(nodes) => nodes.iter().all(|node| node.matches(form)),
            Node::Any(nodes) => nodes.iter().any(|node| node.matches(form)),
            Node::Not(node) => !node.matches(form),
            Node::Alternate => form.alternate.is_some(),
            Node::Hidden => form.set.hidden,
            Node::Text(text) => {
                let has = |value: &str| fold(value).contains(text.as_str());
                has(form.name())
                    || form
                        .card
                        .effective(form.alternate)
                        .iter()
                        .any(|(_, value)| value.plain().is_some_and(has))
            }
            Node::Field { field, test } => match field {
                Field::Name => test.matches(Some(form.name())),
                Field::Id => test.matches(Some(&form.card.id.value.to_string())),
                Field::Set => test.matches(Some(&form.set.name)),
                Field::Form => test.matches(form.alternate.map(|alternate| alternate.kind.as_str())),
                Field::Property(name) => test.matches(form.text(name)),
            },
        }
    }
}

impl Test {
    fn matches(&self, value: Option<&str>) -> bool {
        let text = value.unwrap_or_default();
        match self {
            Test::Begins(wanted) => word_begins(&fold(text), wanted),
            Test::Is(wanted) => fold(text.trim()) == *wanted,
            Test::IsNot(wanted) => fold(text.trim()) != *wanted,
            Test::Number(order, wanted) => text.trim().parse::<f64>().is_ok_and(|number| match order {
                Order::Less => number < *wanted,
                Order::AtMost => number <= *wanted,
                Order::More => number > *wanted,
                Order::AtLeast => number >= *wanted,
            }),
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
    text.match_indices(wanted)
        .any(|(at, _)| !text[..at].ends_with(joins))
}
