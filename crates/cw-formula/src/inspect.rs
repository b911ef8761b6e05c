//! What can be said about an expression without evaluating it.

use cw_expr::ast::{
    BinaryOp, CallExpr, CompareOp, ConstantWord, Expr, ExprKind, ExprVisitor, Literal, Subscript, UnaryOp,
    walk,
};
use cw_text::Span;

use crate::keep::{MOST_BYTES, MOST_ITEMS};
use crate::rewrite::Own;
use crate::words::{
    ATTRIBUTES, AttributeWord, EngineFunction, FUNCTIONS, FunctionWord, KEYWORDS, NAMES, NameSet, NameWord,
    REFUSED, WordKind,
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
    /// RS072: `<` or `>` between values that have no order.
    Ordered(WordKind),
    /// RS039: a method of Python stands where its result is meant.
    Method(String),
    /// RS082: what is no function is called; its name.
    Called(String),
    /// RS082: a card, a player or a list is added or multiplied as if it were a number.
    Reckoned(WordKind),
    /// RS040: `is` between a value and a number or text, where `==` is meant.
    Identity,
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
    /// A number or text that stands where a condition is meant.
    pub(crate) idle: Option<IdleOperand>,
}

/// A number or text as one of several conditions: `600` in `me.hp == 500 or 600`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdleOperand {
    /// Where it stands.
    pub span: Span,
    /// What the comparison beside it compares, as `me.hp ==`.
    pub compared: Option<Span>,
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
    out.idle = idle(expr);
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
            ExprKind::Unary(_, operand) => return self.kind(operand).of_sign(),
            ExprKind::Binary(op, left, right) => {
                let kinds = [self.kind(left), self.kind(right)];
                // `'%d' % 3` is a text, and lists may be added.
                let is_number = kinds.iter().all(|kind| kind.of_sign() == WordKind::Number);
                let has_targets = [left, right].map(is_targets).contains(&true);
                if let Some(kind) = reckoned(op, kinds).filter(|_| !has_targets) {
                    self.find(expr.span, FormulaFindingKind::Reckoned(kind));
                }
                let is_text = op == BinaryOp::Add && kinds == [WordKind::Text; 2];
                return match (is_number, is_text) {
                    (true, _) => WordKind::Number,
                    (_, true) => WordKind::Text,
                    _ => WordKind::Any,
                };
            }
            ExprKind::And(items) | ExprKind::Or(items) => return self.same_kind(items),
            ExprKind::IfElse {
                test,
                then,
                otherwise,
            } => {
                self.kind(test);
                return self.same_kind(&[then, otherwise]);
            }
            ExprKind::Attribute {
                object,
                name,
                name_span,
            } => {
                let of = self.kind(object);
                return self.attribute(of, is_targets(object), handed, name, name_span);
            }
            ExprKind::Subscript { object, index } => {
                let is_list = self.kind(object) == WordKind::Cards && !is_targets(object);
                let kind = self.subscript(index);
                return if is_list { kind } else { WordKind::Any };
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

    /// Looks an index over; what it gives of a list.
    fn subscript(&mut self, index: &Subscript<'_>) -> WordKind {
        match *index {
            Subscript::Index(index) => {
                self.kind(index);
                WordKind::Card
            }
            Subscript::Slice {
                start, stop, step, ..
            } => {
                for part in [start, stop, step].into_iter().flatten() {
                    self.kind(part);
                }
                WordKind::Cards
            }
            Subscript::Tuple(parts) => {
                for part in parts {
                    self.subscript(part);
                }
                WordKind::Any
            }
            Subscript::Ellipsis => WordKind::Any,
        }
    }

    /// What several expressions give, one of which is the value.
    fn same_kind<'a>(&mut self, items: &[&'a Expr<'a>]) -> WordKind {
        let mut kinds = items.iter().map(|item| self.kind(item));
        let first = kinds.next().unwrap_or_default();
        let others: Vec<WordKind> = kinds.collect();
        match others.iter().all(|kind| *kind == first) {
            true => first,
            false => WordKind::Any,
        }
    }

    /// What is called, and what is handed to a call, may be functions (R1041: `map(isChar, moved)`).
    fn call<'a>(&mut self, call: &CallExpr<'a>, span: Span) -> WordKind {
        self.handed = true;
        self.kind(call.function);
        let mut first = WordKind::Any;
        let mut mixed = None;
        for (index, argument) in call.args.iter().enumerate() {
            self.handed = true;
            let kind = self.kind(argument);
            if index == 0 {
                first = kind;
            } else if differ(first, kind) && !is_targets(argument) && !is_targets(call.args[0]) {
                mixed = Some((first, kind));
            }
        }
        let keywords = call.keywords.iter().map(|(_, value)| *value);
        for more in keywords.chain(call.star).chain(call.star_star) {
            self.handed = true;
            self.kind(more);
        }
        self.handed = false;
        let name = match call.function.kind {
            ExprKind::Name(name) if !self.own.has(name) => name,
            ExprKind::Attribute { name, .. } if AttributeWord::find(name).is_some() => {
                self.find(span, FormulaFindingKind::Called(name.to_owned()));
                return WordKind::Any;
            }
            // Of lists and texts.
            ExprKind::Attribute {
                name: "count" | "index" | "find",
                ..
            } => return WordKind::Number,
            _ => return WordKind::Any,
        };
        let Some(word) = FunctionWord::find(name) else {
            if NameWord::find(name).is_some() && !is_python_name(name) {
                self.find(span, FormulaFindingKind::Called(name.to_owned()));
            }
            // `min(me.hand, 2)`.
            if let Some((one, other)) = mixed.filter(|_| matches!(name, "min" | "max" | "cmp")) {
                self.find(span, FormulaFindingKind::Compared(one, other));
            }
            return result_of(name, first, call.args.len());
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
            let between = left.span.to(right.span);
            let is_order = matches!(op, CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge);
            let is_identity = matches!(op, CompareOp::Is | CompareOp::IsNot);
            if !is_in && differ(left_kind, right_kind) && !is_targets(left) && !is_targets(right) {
                self.find(between, FormulaFindingKind::Compared(left_kind, right_kind));
            } else if is_order && left_kind == right_kind && has_no_order(left_kind) {
                self.find(between, FormulaFindingKind::Ordered(left_kind));
            } else if is_identity && [left, right].into_iter().any(is_value) {
                self.find(between, FormulaFindingKind::Identity);
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
        if KEYWORDS.contains(&name) {
            // Its own text (D44).
            self.out.varies = varied;
            return WordKind::Text;
        }
        if is_python_name(name) {
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

    fn attribute(
        &mut self,
        of: WordKind,
        of_targets: bool,
        handed: bool,
        name: &str,
        span: Span,
    ) -> WordKind {
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
            } else if !handed && cw_expr::has_method_named(name) {
                self.find(span, FormulaFindingKind::Method(name.to_owned()));
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

/// Whether `<` says nothing about values of a kind.
fn has_no_order(kind: WordKind) -> bool {
    matches!(kind, WordKind::Card | WordKind::Player | WordKind::Cards)
}

/// Whether an expression is a number or a text as written.
fn is_value(expr: &Expr<'_>) -> bool {
    matches!(expr.kind, ExprKind::Literal(literal) if matches!(literal_kind(literal), WordKind::Number | WordKind::Text))
}

/// The kind that keeps a sum or product from having a value, whatever the game is like.
fn reckoned(op: BinaryOp, kinds: [WordKind; 2]) -> Option<WordKind> {
    let is_number = |kind: WordKind| kind.of_sign() == WordKind::Number;
    let [left, right] = kinds;
    let other = match (is_number(left), is_number(right)) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    match other {
        WordKind::Card | WordKind::Player => Some(other),
        // Lists are repeated by `*`.
        WordKind::Cards if op != BinaryOp::Mul => Some(other),
        _ => None,
    }
}

/// What a function of Python gives, as far as its name tells.
fn result_of(name: &str, first: WordKind, arguments: usize) -> WordKind {
    match (name, first) {
        ("len" | "int" | "ord" | "cmp" | "abs" | "round" | "sum", _) => WordKind::Number,
        ("bool" | "isinstance", _) => WordKind::Truth,
        ("str" | "chr" | "hex" | "repr", _) => WordKind::Text,
        ("max" | "min", WordKind::Cards) if arguments == 1 => WordKind::Card,
        _ => WordKind::Any,
    }
}

/// A number or text among conditions that `and` and `or` join.
fn idle(expr: &Expr<'_>) -> Option<IdleOperand> {
    let items = match expr.kind {
        ExprKind::Unary(UnaryOp::Not, operand) => return idle(operand),
        ExprKind::IfElse { test, .. } => return idle(test),
        ExprKind::And(items) | ExprKind::Or(items) => items,
        _ => return None,
    };
    let mut compared = None;
    for item in items {
        match item.kind {
            ExprKind::Compare(_, [(CompareOp::Eq | CompareOp::Ne, right)]) => {
                compared = Some(Span {
                    start: item.span.start,
                    end: right.span.start,
                });
            }
            _ if is_value(item) => {
                return Some(IdleOperand {
                    span: item.span,
                    compared,
                });
            }
            _ => {}
        }
    }
    items.iter().find_map(|item| idle(item))
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
