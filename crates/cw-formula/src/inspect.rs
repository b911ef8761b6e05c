//! What can be said about an expression without evaluating it.

use cw_expr::ast::{Call, CompareOp, Constant, Expr, ExprKind, Literal, UnaryOp, Visitor, walk};
use cw_text::Span;

use crate::rewrite::reads_differently;
use crate::words::{
    AttributeWord, Function, FunctionWord, KEYWORDS, Kind, NAMES, NameSet, NameWord, REFUSED,
};

/// Something about an expression that a checker reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where, in the text given to `compile`.
    pub span: Span,
    /// What.
    pub fault: Fault,
}

/// Kinds of [`Finding`], each with the code that section 12 gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
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
        of: Kind,
    },
    /// RS038: a function stands where its result is meant.
    NotCalled(String),
    /// RS007: a function of the language is called with something else; how it is called.
    WrongCall(String),
    /// RS040: `in` is membership here, where older engines map.
    Membership,
    /// RS042: the sandbox refuses the name.
    Refused(String),
    /// RS043: a limit of the sandbox; which.
    Limit(String),
}

/// All that [`inspect`] found.
#[derive(Debug, Default)]
pub(crate) struct Inspection {
    pub(crate) findings: Vec<Finding>,
    pub(crate) uses: NameSet,
    /// Whether it may ask or draw.
    pub(crate) asks: bool,
    /// Whether any word in it may read differently from what Python would read.
    pub(crate) reads_differently: bool,
    /// Whether it can never be a number.
    pub(crate) no_number: bool,
}

/// Looks an expression over, as read and not yet rewritten. `own` are the names that it binds and the
/// variables of the rule.
pub(crate) fn inspect(expr: &Expr, own: &[String], in_each: bool) -> Inspection {
    let mut inspector = Inspector {
        own,
        groups: usize::from(in_each),
        handed: false,
        out: Inspection::default(),
    };
    inspector.expr(expr);
    inspector.out.no_number = inspector.is_no_number(expr);
    inspector.out
}

struct Inspector<'a> {
    own: &'a [String],
    /// Group forms around this place: only there is `card` defined.
    groups: usize,
    /// Whether the next expression is called, or handed to a call.
    handed: bool,
    out: Inspection,
}

impl Visitor for Inspector<'_> {
    fn expr(&mut self, expr: &Expr) {
        let handed = std::mem::take(&mut self.handed);
        match &expr.kind {
            ExprKind::Name(name) => {
                self.name(name, expr.span);
                if !handed {
                    self.not_called(name, expr.span);
                }
            }
            ExprKind::Call(call) => self.call(call, expr.span),
            ExprKind::Attribute {
                object,
                name,
                name_span,
            } => {
                self.expr(object);
                self.attribute(object, name, *name_span);
            }
            ExprKind::Compare(_, rest) => {
                if rest
                    .iter()
                    .any(|(op, _)| matches!(op, CompareOp::In | CompareOp::NotIn))
                {
                    self.find(expr.span, Fault::Membership);
                }
                walk(self, expr);
            }
            ExprKind::Group { element, list, .. } => {
                self.groups += 1;
                self.expr(element);
                self.groups -= 1;
                self.expr(list);
            }
            _ => walk(self, expr),
        }
    }
}

impl Inspector<'_> {
    fn find(&mut self, span: Span, fault: Fault) {
        self.out.findings.push(Finding { span, fault });
    }

    /// Its function and what is handed to it may be functions (R1041: `map(isChar, moved)`).
    fn call(&mut self, call: &Call, span: Span) {
        let keywords = call.keywords.iter().map(|(_, value)| value);
        let stars = call.star.iter().chain(&call.star_star);
        for part in std::iter::once(&call.function)
            .chain(&call.args)
            .chain(keywords)
            .chain(stars)
        {
            self.handed = true;
            self.expr(part);
        }
        self.handed = false;
        if call.keywords.is_empty() && call.star.is_none() && call.star_star.is_none() {
            self.arguments(call, span);
        }
    }

    /// R1015: functions of the language take what they say.
    fn arguments(&mut self, call: &Call, span: Span) {
        let ExprKind::Name(name) = &call.function.kind else {
            return;
        };
        let Some(word) = FunctionWord::find(name).filter(|_| !self.own.iter().any(|own| own == name)) else {
            return;
        };
        let wanted = match word.function {
            Function::FlipCoin => None,
            Function::GetTargets => Some(Kind::Text),
            Function::IsChar | Function::InUnitedAttack => Some(Kind::Card),
        };
        let fits = match (wanted, call.args.as_slice()) {
            (None, []) => true,
            (Some(wanted), [only]) => {
                let kind = self.value_of(only);
                kind == Kind::Any || kind == wanted || (wanted == Kind::Card && is_targets(only))
            }
            _ => false,
        };
        if !fits {
            self.find(span, Fault::WrongCall(format!("{}({})", word.word, word.params)));
        }
    }

    fn not_called(&mut self, name: &str, span: Span) {
        if let Some(word) = FunctionWord::find(name)
            && !self.own.iter().any(|own| own == name)
        {
            self.find(span, Fault::NotCalled(format!("{}({})", word.word, word.params)));
        }
    }

    /// As [`Inspector::kind_of`], also for what is written out or tested.
    fn value_of(&self, expr: &Expr) -> Kind {
        match &expr.kind {
            ExprKind::Literal(
                Literal::Int(_) | Literal::Long(_) | Literal::Float(_) | Literal::Imaginary(_),
            ) => Kind::Number,
            ExprKind::Literal(Literal::Str(_) | Literal::Unicode(_)) => Kind::Text,
            ExprKind::Literal(Literal::Constant(Constant::True | Constant::False))
            | ExprKind::Compare(..)
            | ExprKind::Unary(UnaryOp::Not, _) => Kind::Truth,
            _ => self.kind_of(expr),
        }
    }

    fn is_no_number(&self, expr: &Expr) -> bool {
        let holds = matches!(
            expr.kind,
            ExprKind::List(_)
                | ExprKind::Tuple(_)
                | ExprKind::Set(_)
                | ExprKind::Dict(_)
                | ExprKind::Lambda(_)
                | ExprKind::Comprehension(_)
                | ExprKind::Repr(_)
        );
        holds
            || matches!(
                self.value_of(expr),
                Kind::Card | Kind::Player | Kind::Cards | Kind::Text
            )
    }

    fn name(&mut self, name: &str, span: Span) {
        self.out.reads_differently |= reads_differently(name);
        if self.own.iter().any(|own| own == name) {
            return;
        }
        if let Some(word) = FunctionWord::find(name) {
            self.out.asks |= matches!(word.kind, Kind::Cards) || name == "flipcoin";
            return;
        }
        let outside_group = name == "card" && self.groups == 0;
        if !outside_group && self.out.uses.add(name) {
            return;
        }
        if KEYWORDS.contains(&name) || python_name(name) {
            return;
        }
        if REFUSED.contains(&name) || cw_expr::refused(name) {
            self.find(span, Fault::Refused(name.to_owned()));
            return;
        }
        let words = NAMES
            .iter()
            .map(|word| word.word)
            .chain(crate::words::FUNCTIONS.iter().map(|word| word.word));
        let nearest = if outside_group {
            None
        } else {
            cw_text::nearest(name, words)
        };
        self.find(
            span,
            Fault::UnknownName {
                name: name.to_owned(),
                nearest,
            },
        );
    }

    fn attribute(&mut self, object: &Expr, name: &str, span: Span) {
        let of = self.kind_of(object);
        match AttributeWord::find(name) {
            Some(word) => {
                let fits = match (of, word.on) {
                    // `.sp` is on both; `tgt.bp` in an argument goes to the first target (R1104).
                    (Kind::Any, _) | (Kind::Card | Kind::Player, Kind::Any) => true,
                    (Kind::Cards, on) => on == Kind::Cards || is_targets(object),
                    (of, on) => of == on,
                };
                if !fits {
                    self.find(
                        span,
                        Fault::WrongAttribute {
                            name: name.to_owned(),
                            of,
                        },
                    );
                }
            }
            None if matches!(of, Kind::Any | Kind::Text | Kind::Number | Kind::Truth)
                && python_attribute(name) => {}
            None if of == Kind::Cards && matches!(name, "count" | "index") => {}
            None => {
                let words = crate::words::ATTRIBUTES.iter().map(|word| word.word);
                let nearest = cw_text::nearest(name, words);
                self.find(
                    span,
                    Fault::UnknownAttribute {
                        name: name.to_owned(),
                        nearest,
                    },
                );
            }
        }
    }

    /// What an expression gives, as far as its words tell.
    fn kind_of(&self, expr: &Expr) -> Kind {
        match &expr.kind {
            ExprKind::Name(name) if self.own.iter().any(|own| own == name) => Kind::Any,
            ExprKind::Name(name) => NameWord::find(name).map_or(Kind::Any, |word| word.kind),
            ExprKind::Attribute { name, .. } => AttributeWord::find(name).map_or(Kind::Any, |word| word.kind),
            ExprKind::DotIndex { object, .. } | ExprKind::Subscript { object, .. } => {
                match self.kind_of(object) {
                    // Targets may be players.
                    Kind::Cards if !is_targets(object) => match &expr.kind {
                        ExprKind::DotIndex { .. } => Kind::Card,
                        _ => Kind::Any,
                    },
                    _ => Kind::Any,
                }
            }
            ExprKind::Call(call) => match &call.function.kind {
                ExprKind::Name(name) => FunctionWord::find(name).map_or(Kind::Any, |word| word.kind),
                _ => Kind::Any,
            },
            _ => Kind::Any,
        }
    }
}

fn is_targets(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) if matches!(name.as_str(), "tgt" | "prevtgt"))
}

fn python_name(name: &str) -> bool {
    !name.starts_with('_') && cw_expr::builtin_names().any(|known| known.eq_ignore_ascii_case(name))
}

fn python_attribute(name: &str) -> bool {
    cw_expr::has_attribute_named(name)
}
