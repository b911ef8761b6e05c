//! What can be said about an expression without evaluating it.

use cw_expr::ast::{CallExpr, CompareOp, ConstantWord, Expr, ExprKind, ExprVisitor, Literal, UnaryOp, walk};
use cw_text::Span;

use crate::keep::{MOST_BYTES, MOST_ITEMS};
use crate::rewrite::Own;
use crate::words::{
    ATTRIBUTES, AttributeWord, EngineFunction, FUNCTIONS, FunctionWord, KEYWORDS, NAMES, NameSet, REFUSED,
    WordKind,
};

/// Something about an expression that a checker reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaFinding {
    /// Where, in the text given to `compile`.
    pub span: Span,
    /// What.
    pub fault: FormulaFindingKind,
}

/// Kinds of [`FormulaFinding`], each with the code that section 12 gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormulaFindingKind {
    /// RS038: the text is no expression; why.
    Syntax(String),
    /// RS038: nothing has this name; perhaps the nearest that something has.
    UnknownName {
        /// As written, in lower case.
        name: String,
        /// What was perhaps meant.
        nearest: Option<&'static str>,
    },
    /// RS039: no value has this attribute.
    UnknownAttribute {
        /// As written, in lower case.
        name: String,
        /// What was perhaps meant.
        nearest: Option<&'static str>,
    },
    /// RS039: this kind of value lacks the attribute.
    WrongAttribute {
        /// As written, in lower case.
        name: String,
        /// What it was asked of.
        of: WordKind,
    },
    /// RS038: a function stands where its result is meant; how it is called.
    NotCalled(&'static FunctionWord),
    /// RS007: a function of the language is called with something else.
    WrongCall(&'static FunctionWord),
    /// RS072: values of two kinds are compared.
    Compared(WordKind, WordKind),
    /// The attribute `type`, `subtype` or `name` is compared with this text: to be looked up.
    Text {
        /// Which attribute.
        attribute: &'static str,
        /// As written.
        text: String,
    },
    /// RS040: `in` is membership here, where older engines map.
    Membership,
    /// RS040: a group form whose list goes on behind `and` or a comparison.
    Swallowed,
    /// RS082: it fails in every game; Python's words for it.
    Fails(String),
    /// RS042: the sandbox refuses the name.
    Refused(String),
    /// RS043: a limit of the sandbox; which.
    Limit(String),
}

/// All that [`inspect`] found.
#[derive(Debug, Default)]
pub(crate) struct Inspection {
    pub(crate) findings: Vec<FormulaFinding>,
    pub(crate) uses: NameSet,
    /// Whether it may ask or draw.
    pub(crate) asks: bool,
    /// Whether it names something that may differ from game to game.
    varies: bool,
    /// What it gives, as far as its words tell.
    pub(crate) kind: WordKind,
    /// Whether it can never be a number.
    pub(crate) no_number: bool,
    /// Whether it is worked out of nothing but numbers and texts.
    pub(crate) constant: bool,
    /// What it makes that no variable can hold (D103).
    pub(crate) unkept: Option<&'static str>,
}

/// Looks an expression over, as read and not yet rewritten.
pub(crate) fn inspect<'a>(expr: &'a Expr<'a>, own: Own<'_>, in_each: bool) -> Inspection {
    let mut inspector = Inspector {
        own,
        groups: usize::from(in_each),
        handed: false,
        out: Inspection::default(),
    };
    let kind = inspector.kind(expr);
    let mut out = inspector.out;
    out.kind = kind;
    out.no_number = holds(expr)
        || matches!(
            kind,
            WordKind::Card | WordKind::Player | WordKind::Cards | WordKind::Text
        );
    let plain = matches!(
        expr.kind,
        ExprKind::Literal(Literal::Int(_) | Literal::Long(_) | Literal::Constant(_))
    );
    out.constant = !out.varies && !plain;
    out.unkept = unkept(expr);
    out
}

struct Inspector<'o> {
    own: Own<'o>,
    /// Group forms around this place: only there is `card` defined.
    groups: usize,
    /// Whether the next expression is called, or handed to a call.
    handed: bool,
    out: Inspection,
}

impl<'a> ExprVisitor<'a> for Inspector<'_> {
    fn expr(&mut self, expr: &'a Expr<'a>) {
        self.kind(expr);
    }
}

impl Inspector<'_> {
    fn find(&mut self, span: Span, fault: FormulaFindingKind) {
        self.out.findings.push(FormulaFinding { span, fault });
    }

    /// Looks an expression over; what it gives, as far as its words tell.
    fn kind<'a>(&mut self, expr: &'a Expr<'a>) -> WordKind {
        let handed = std::mem::take(&mut self.handed);
        match expr.kind {
            ExprKind::Name(name) => return self.name(name, expr.span, handed),
            ExprKind::Literal(literal) => return literal_kind(literal),
            ExprKind::Unary(UnaryOp::Not, operand) => {
                self.kind(operand);
                return WordKind::Truth;
            }
            ExprKind::Attribute {
                object,
                name,
                name_span,
            } => {
                let of = self.kind(object);
                return self.attribute(of, is_targets(object), name, name_span);
            }
            ExprKind::DotIndex { object, .. } => {
                // Targets may be players.
                if self.kind(object) == WordKind::Cards && !is_targets(object) {
                    return WordKind::Card;
                }
            }
            ExprKind::Call(call) => return self.call(call, expr.span),
            ExprKind::Compare(first, rest) => {
                self.comparison(expr.span, first, rest);
                return WordKind::Truth;
            }
            ExprKind::Group { element, list, .. } => {
                self.groups += 1;
                self.kind(element);
                self.groups -= 1;
                self.kind(list);
                let is_more = matches!(
                    list.kind,
                    ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Compare(..)
                );
                // In brackets of its own it is meant.
                if is_more && expr.span.end == list.span.end {
                    self.find(list.span, FormulaFindingKind::Swallowed);
                }
            }
            _ => walk(self, expr),
        }
        WordKind::Any
    }

    /// What is called, and what is handed to a call, may be functions (R1041: `map(isChar, moved)`).
    fn call<'a>(&mut self, call: &CallExpr<'a>, span: Span) -> WordKind {
        self.handed = true;
        self.kind(call.function);
        let mut first = WordKind::Any;
        for (index, argument) in call.args.iter().enumerate() {
            self.handed = true;
            let kind = self.kind(argument);
            if index == 0 {
                first = kind;
            }
        }
        let keywords = call.keywords.iter().map(|(_, value)| *value);
        for more in keywords.chain(call.star).chain(call.star_star) {
            self.handed = true;
            self.kind(more);
        }
        self.handed = false;
        let ExprKind::Name(name) = call.function.kind else {
            return WordKind::Any;
        };
        let Some(word) = FunctionWord::find(name).filter(|_| !self.own.has(name)) else {
            return WordKind::Any;
        };
        // R1015.
        let fits = match (word.function, call.args) {
            (EngineFunction::FlipCoin, []) => true,
            (EngineFunction::GetTargets, [_]) => matches!(first, WordKind::Any | WordKind::Text),
            (EngineFunction::IsChar | EngineFunction::InUnitedAttack, [only]) => {
                matches!(first, WordKind::Any | WordKind::Card) || is_targets(only)
            }
            _ => call.star.is_some(),
        };
        if !fits {
            self.find(span, FormulaFindingKind::WrongCall(word));
        }
        word.kind
    }

    fn comparison<'a>(&mut self, span: Span, first: &'a Expr<'a>, rest: &'a [(CompareOp, &'a Expr<'a>)]) {
        if rest
            .iter()
            .any(|(op, _)| matches!(op, CompareOp::In | CompareOp::NotIn))
        {
            self.find(span, FormulaFindingKind::Membership);
        }
        let (mut left, mut left_kind) = (first, self.kind(first));
        for (op, right) in rest {
            let right_kind = self.kind(right);
            let is_in = matches!(op, CompareOp::In | CompareOp::NotIn);
            if !is_in && differ(left_kind, right_kind) && !is_targets(left) && !is_targets(right) {
                self.find(
                    left.span.to(right.span),
                    FormulaFindingKind::Compared(left_kind, right_kind),
                );
            }
            self.compared_text(left, right);
            self.compared_text(right, left);
            (left, left_kind) = (right, right_kind);
        }
    }

    /// `trigger.type == 'character'`, `trigger.subtype in ['baker', 'sailor']`.
    fn compared_text(&mut self, attribute: &Expr<'_>, text: &Expr<'_>) {
        let ExprKind::Attribute { name, .. } = attribute.kind else {
            return;
        };
        let Some(attribute) = ["type", "subtype", "name"]
            .into_iter()
            .find(|known| *known == name)
        else {
            return;
        };
        let texts = match text.kind {
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) => items,
            _ => &[text],
        };
        for one in texts {
            if let ExprKind::Literal(Literal::Str(bytes)) = one.kind
                && let Ok(text) = std::str::from_utf8(bytes)
            {
                let text = text.to_string();
                self.find(one.span, FormulaFindingKind::Text { attribute, text });
            }
        }
    }

    fn name(&mut self, name: &str, span: Span, handed: bool) -> WordKind {
        let varied = std::mem::replace(&mut self.out.varies, true);
        if self.own.has(name) {
            return WordKind::Any;
        }
        let outside_group = name == "card" && self.groups == 0;
        if !outside_group && let Some(word) = self.out.uses.add(name) {
            return word.kind;
        }
        if let Some(word) = FunctionWord::find(name) {
            self.out.asks |= matches!(
                word.function,
                EngineFunction::GetTargets | EngineFunction::FlipCoin
            );
            if !handed {
                self.find(span, FormulaFindingKind::NotCalled(word));
            }
            return WordKind::Any;
        }
        if KEYWORDS.contains(&name) || is_python_name(name) {
            self.out.varies = varied;
            return WordKind::Any;
        }
        if REFUSED.contains(&name) || cw_expr::refused(name) {
            self.find(span, FormulaFindingKind::Refused(name.to_owned()));
            return WordKind::Any;
        }
        let nearest = if outside_group {
            None
        } else {
            let names = NAMES.iter().map(|word| word.word);
            cw_text::nearest(name, names.chain(FUNCTIONS.iter().map(|word| word.word)))
        };
        let name = name.to_owned();
        self.find(span, FormulaFindingKind::UnknownName { name, nearest });
        if outside_group {
            WordKind::Card
        } else {
            WordKind::Any
        }
    }

    fn attribute(&mut self, of: WordKind, of_targets: bool, name: &str, span: Span) -> WordKind {
        let Some(word) = AttributeWord::find(name) else {
            let pythons = match of {
                WordKind::Any | WordKind::Text | WordKind::Number | WordKind::Truth => {
                    cw_expr::has_attribute_named(name)
                }
                WordKind::Cards => matches!(name, "count" | "index"),
                WordKind::Card | WordKind::Player => false,
            };
            if !pythons {
                let nearest = cw_text::nearest(name, ATTRIBUTES.iter().map(|word| word.word));
                let name = name.to_owned();
                self.find(span, FormulaFindingKind::UnknownAttribute { name, nearest });
            }
            return WordKind::Any;
        };
        let fits = match (of, word.on) {
            // `.sp` is on both; `tgt.bp` in an argument goes to the first target (R1104).
            (WordKind::Any, _) | (WordKind::Card | WordKind::Player, WordKind::Any) => true,
            (WordKind::Cards, on) => on == WordKind::Cards || of_targets,
            (of, on) => of == on,
        };
        if !fits {
            let name = name.to_owned();
            self.find(span, FormulaFindingKind::WrongAttribute { name, of });
        }
        word.kind
    }
}

fn literal_kind(literal: Literal<'_>) -> WordKind {
    match literal {
        Literal::Int(_) | Literal::Long(_) | Literal::Float(_) | Literal::Imaginary(_) => WordKind::Number,
        Literal::Str(_) | Literal::Unicode(_) => WordKind::Text,
        Literal::Constant(ConstantWord::True | ConstantWord::False) => WordKind::Truth,
        Literal::Constant(ConstantWord::None) => WordKind::Any,
    }
}

/// Whether values of these kinds are never equal. True and false are numbers too.
fn differ(one: WordKind, other: WordKind) -> bool {
    let number = |kind| {
        if kind == WordKind::Truth {
            WordKind::Number
        } else {
            kind
        }
    };
    one != WordKind::Any && other != WordKind::Any && number(one) != number(other)
}

/// Whether an expression makes something that holds others, or does something.
fn holds(expr: &Expr<'_>) -> bool {
    matches!(
        expr.kind,
        ExprKind::List(_)
            | ExprKind::Tuple(_)
            | ExprKind::Set(_)
            | ExprKind::Dict(_)
            | ExprKind::Lambda(_)
            | ExprKind::Comprehension(_)
            | ExprKind::Repr(_)
    )
}

/// What an expression makes, if no variable can hold it whatever the game is like (D103).
fn unkept(expr: &Expr<'_>) -> Option<&'static str> {
    let literal = |kind: &ExprKind<'_>| match kind {
        ExprKind::Lambda(_) => Some("a function"),
        ExprKind::Dict(_) => Some("a dict"),
        ExprKind::Set(_) => Some("a set"),
        ExprKind::Literal(Literal::Imaginary(_)) => Some("a complex number"),
        ExprKind::Literal(Literal::Str(bytes)) if bytes.len() > MOST_BYTES => Some("so long a text"),
        _ => None,
    };
    match expr.kind {
        ExprKind::List(items) | ExprKind::Tuple(items) if items.len() > MOST_ITEMS => Some("so long a list"),
        ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().find_map(|item| match item.kind {
            ExprKind::List(_) | ExprKind::Tuple(_) => Some("a list of lists"),
            kind => literal(&kind),
        }),
        kind => literal(&kind),
    }
}

fn is_targets(expr: &Expr<'_>) -> bool {
    matches!(expr.kind, ExprKind::Name("tgt" | "prevtgt"))
}

pub(crate) fn is_python_name(name: &str) -> bool {
    !name.starts_with('_') && cw_expr::builtin_names().any(|known| known.eq_ignore_ascii_case(name))
}
