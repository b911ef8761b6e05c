//! What can be said about an expression without evaluating it.

use cw_expr::ast::{Call, CompareOp, Constant, Expr, ExprKind, Literal, UnaryOp, Visitor, walk};
use cw_text::Span;

use crate::rewrite::Own;
use crate::words::{
    ATTRIBUTES, AttributeWord, FUNCTIONS, Function, FunctionWord, KEYWORDS, Kind, NAMES, NameSet, REFUSED,
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
    /// Whether it can never be a number.
    pub(crate) no_number: bool,
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
    inspector.out.no_number = is_no_number(expr, kind);
    inspector.out
}

struct Inspector<'o> {
    own: Own<'o>,
    /// Group forms around this place: only there is `card` defined.
    groups: usize,
    /// Whether the next expression is called, or handed to a call.
    handed: bool,
    out: Inspection,
}

impl<'a> Visitor<'a> for Inspector<'_> {
    fn expr(&mut self, expr: &'a Expr<'a>) {
        self.kind(expr);
    }
}

impl Inspector<'_> {
    fn find(&mut self, span: Span, fault: Fault) {
        self.out.findings.push(Finding { span, fault });
    }

    /// Looks an expression over; what it gives, as far as its words tell.
    fn kind<'a>(&mut self, expr: &'a Expr<'a>) -> Kind {
        let handed = std::mem::take(&mut self.handed);
        match expr.kind {
            ExprKind::Name(name) => return self.name(name, expr.span, handed),
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
                if self.kind(object) == Kind::Cards && !is_targets(object) {
                    return Kind::Card;
                }
            }
            ExprKind::Call(call) => return self.call(call, expr.span),
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
                self.kind(element);
                self.groups -= 1;
                self.kind(list);
            }
            _ => walk(self, expr),
        }
        Kind::Any
    }

    /// Its function and what is handed to it may be functions (R1041: `map(isChar, moved)`).
    fn call<'a>(&mut self, call: &'a Call<'a>, span: Span) -> Kind {
        let keywords = call.keywords.iter().map(|(_, value)| *value);
        let stars = call.star.into_iter().chain(call.star_star);
        let others = call.args.iter().copied().skip(1).chain(keywords).chain(stars);
        let mut handed = |part: &'a Expr<'a>| {
            self.handed = true;
            self.kind(part)
        };
        handed(call.function);
        let first = call.args.first().map_or(Kind::Any, |first| handed(first));
        for part in others {
            handed(part);
        }
        self.handed = false;
        let ExprKind::Name(name) = call.function.kind else {
            return Kind::Any;
        };
        let Some(word) = FunctionWord::find(name) else {
            return Kind::Any;
        };
        let plain = call.keywords.is_empty() && call.star.is_none() && call.star_star.is_none();
        if plain && !self.own.has(name) && !takes(word.function, call.args, first) {
            self.find(span, Fault::WrongCall(format!("{}({})", word.word, word.params)));
        }
        word.kind
    }

    fn name(&mut self, name: &str, span: Span, handed: bool) -> Kind {
        if self.own.has(name) {
            return Kind::Any;
        }
        let outside_group = name == "card" && self.groups == 0;
        if !outside_group && let Some(word) = self.out.uses.add(name) {
            return word.kind;
        }
        if let Some(word) = FunctionWord::find(name) {
            self.out.asks |= matches!(word.function, Function::GetTargets | Function::FlipCoin);
            if !handed {
                self.find(span, Fault::NotCalled(format!("{}({})", word.word, word.params)));
            }
            return Kind::Any;
        }
        if KEYWORDS.contains(&name) || python_name(name) {
            return Kind::Any;
        }
        if REFUSED.contains(&name) || cw_expr::refused(name) {
            self.find(span, Fault::Refused(name.to_owned()));
            return Kind::Any;
        }
        let nearest = if outside_group {
            None
        } else {
            let names = NAMES.iter().map(|word| word.word);
            cw_text::nearest(name, names.chain(FUNCTIONS.iter().map(|word| word.word)))
        };
        let name = name.to_owned();
        self.find(span, Fault::UnknownName { name, nearest });
        if outside_group { Kind::Card } else { Kind::Any }
    }

    fn attribute(&mut self, of: Kind, of_targets: bool, name: &str, span: Span) -> Kind {
        let Some(word) = AttributeWord::find(name) else {
            let pythons = match of {
                Kind::Any | Kind::Text | Kind::Number | Kind::Truth => cw_expr::has_attribute_named(name),
                Kind::Cards => matches!(name, "count" | "index"),
                Kind::Card | Kind::Player => false,
            };
            if !pythons {
                let nearest = cw_text::nearest(name, ATTRIBUTES.iter().map(|word| word.word));
                let name = name.to_owned();
                self.find(span, Fault::UnknownAttribute { name, nearest });
            }
            return Kind::Any;
        };
        let fits = match (of, word.on) {
            // `.sp` is on both; `tgt.bp` in an argument goes to the first target (R1104).
            (Kind::Any, _) | (Kind::Card | Kind::Player, Kind::Any) => true,
            (Kind::Cards, on) => on == Kind::Cards || of_targets,
            (of, on) => of == on,
        };
        if !fits {
            let name = name.to_owned();
            self.find(span, Fault::WrongAttribute { name, of });
        }
        word.kind
    }
}

/// R1015: functions of the language take what they say; `first` is what the words of the first argument
/// tell.
fn takes(function: Function, args: &[&Expr<'_>], first: Kind) -> bool {
    let wanted = match function {
        Function::FlipCoin => None,
        Function::GetTargets => Some(Kind::Text),
        Function::IsChar | Function::InUnitedAttack => Some(Kind::Card),
    };
    match (wanted, args) {
        (None, []) => true,
        (Some(wanted), [only]) => {
            let kind = value(only, first);
            kind == Kind::Any || kind == wanted || (wanted == Kind::Card && is_targets(only))
        }
        _ => false,
    }
}

/// What an expression gives, also where it is written out or tested; `kind` is what its words tell.
fn value(expr: &Expr<'_>, kind: Kind) -> Kind {
    match &expr.kind {
        ExprKind::Literal(Literal::Int(_) | Literal::Long(_) | Literal::Float(_) | Literal::Imaginary(_)) => {
            Kind::Number
        }
        ExprKind::Literal(Literal::Str(_) | Literal::Unicode(_)) => Kind::Text,
        ExprKind::Literal(Literal::Constant(Constant::True | Constant::False))
        | ExprKind::Compare(..)
        | ExprKind::Unary(UnaryOp::Not, _) => Kind::Truth,
        _ => kind,
    }
}

fn is_no_number(expr: &Expr<'_>, kind: Kind) -> bool {
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
    let kind = value(expr, kind);
    holds || matches!(kind, Kind::Card | Kind::Player | Kind::Cards | Kind::Text)
}

fn is_targets(expr: &Expr<'_>) -> bool {
    matches!(expr.kind, ExprKind::Name("tgt" | "prevtgt"))
}

fn python_name(name: &str) -> bool {
    !name.starts_with('_') && cw_expr::builtin_names().any(|known| known.eq_ignore_ascii_case(name))
}
