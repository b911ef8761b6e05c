//! The tree of an expression, with the place of every part, and a [`Visitor`] over it.

use cw_text::Span;
use num_bigint::BigInt;
pub use smol_str::SmolStr;

/// One expression with its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The bytes it was read from, without surrounding brackets that only group.
    pub span: Span,
    // Invariant: 1 + the greatest height of a child. Bounds every recursion over the tree.
    pub(crate) height: u16,
    // Invariant: whether it is or holds a lambda or a comprehension.
    pub(crate) binds: bool,
}

impl Expr {
    /// Makes an expression; its height follows from its children.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        let mut tallest = 0;
        let mut binds = matches!(kind, ExprKind::Lambda(_) | ExprKind::Comprehension(_));
        each_child(&kind, &mut |child| {
            tallest = tallest.max(child.height);
            binds |= child.binds;
        });
        Expr {
            kind,
            span,
            height: tallest.saturating_add(1),
            binds,
        }
    }

    /// Whether anything in it binds a name: a lambda or a comprehension.
    pub fn binds(&self) -> bool {
        self.binds
    }

    /// How many levels of expressions there are below and including this one.
    pub fn height(&self) -> u16 {
        self.height
    }
}

/// The forms of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number or text.
    Literal(Literal),
    /// A name, as written or, where the syntax folds case, in lower case.
    Name(SmolStr),
    /// `(a, b)`, also without brackets.
    Tuple(Vec<Expr>),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `{a, b}`.
    Set(Vec<Expr>),
    /// `{a: b}`.
    Dict(Vec<(Expr, Expr)>),
    /// `` `a` ``, which is `repr(a)`.
    Repr(Box<Expr>),
    /// `-a`, `not a` …
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` …
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a and b and c`: at least two.
    And(Vec<Expr>),
    /// `a or b or c`: at least two.
    Or(Vec<Expr>),
    /// `a < b <= c`: the first, then at least one operator with what follows it.
    Compare(Box<Expr>, Vec<(CompareOp, Expr)>),
    /// `then if test else otherwise`.
    IfElse {
        /// Decides.
        test: Box<Expr>,
        /// Value when it is true.
        then: Box<Expr>,
        /// Value when it is not.
        otherwise: Box<Expr>,
    },
    /// `lambda …: body`.
    Lambda(Box<Lambda>),
    /// `[e for …]`, `{e for …}`, `{k: v for …}`, `(e for …)`.
    Comprehension(Box<Comprehension>),
    /// `f(…)`.
    Call(Box<Call>),
    /// `a.name`.
    Attribute {
        /// Of what.
        object: Box<Expr>,
        /// The attribute, in lower case where the syntax folds case.
        name: SmolStr,
        /// Where the attribute's name stands.
        name_span: Span,
    },
    /// `a.0`: only where [`Syntax::dot_index`](crate::Syntax) allows it.
    DotIndex {
        /// Of what.
        object: Box<Expr>,
        /// Which element, from 0.
        index: u32,
        /// Where the number stands.
        index_span: Span,
    },
    /// `a[…]`.
    Subscript {
        /// Of what.
        object: Box<Expr>,
        /// What stands between the brackets.
        index: Box<Subscript>,
    },
    /// `all X in L`, `any X in L`: only where [`Syntax::groups`](crate::Syntax) allows them.
    Group {
        /// Which word it began with.
        quantifier: Quantifier,
        /// X.
        element: Box<Expr>,
        /// L.
        list: Box<Expr>,
    },
}

/// Numbers and texts.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `7`.
    Int(i64),
    /// `7L`, or more than 64 bits.
    Long(BigInt),
    /// `1.5`.
    Float(f64),
    /// `2j`.
    Imaginary(f64),
    /// `'a'`, as bytes.
    Str(Vec<u8>),
    /// `u'a'`, as code points.
    Unicode(Vec<u32>),
    /// `nil`, `true` … of a syntax that has them.
    Constant(Constant),
}

/// Constants that are words of the syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// Nothing.
    None,
    /// Yes.
    True,
    /// No.
    False,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `+`
    Pos,
    /// `~`
    Invert,
    /// `not`
    Not,
}

/// Arithmetic operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `//`
    FloorDiv,
    /// `%`
    Mod,
    /// `**`
    Pow,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    And,
    /// `^`
    Xor,
    /// `|`
    Or,
}

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOp {
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`, `<>`
    Ne,
    /// `in`
    In,
    /// `not in`
    NotIn,
    /// `is`
    Is,
    /// `is not`
    IsNot,
}

/// The word of a group form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// True unless an element is false.
    All,
    /// True if an element is true.
    Any,
}

/// `lambda a, (b, c), d=1, *rest, **named: body`.
#[derive(Clone, Debug, PartialEq)]
pub struct Lambda {
    /// Plain parameters in order.
    pub params: Vec<Param>,
    /// `*rest`.
    pub rest: Option<String>,
    /// `**named`.
    pub named: Option<String>,
    /// The value.
    pub body: Expr,
}

/// One parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// What it binds.
    pub target: Target,
    /// Its default.
    pub default: Option<Expr>,
}

/// What a loop or parameter binds.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A name.
    Name(String, Span),
    /// Several, taken from a sequence of as many.
    Tuple(Vec<Target>),
}

/// Which of the four comprehensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComprehensionKind {
    /// `[…]`: its variables leak into the surrounding scope, as in Python 2.
    List,
    /// `{…}`
    Set,
    /// `{k: v …}`
    Dict,
    /// `(…)`
    Generator,
}

/// `element for … in … if …`.
#[derive(Clone, Debug, PartialEq)]
pub struct Comprehension {
    /// What it makes.
    pub kind: ComprehensionKind,
    /// The element, or the key of a dict.
    pub element: Expr,
    /// The value of a dict's entry.
    pub value: Option<Expr>,
    /// `for` clauses, at least one.
    pub loops: Vec<Loop>,
}

/// `for target in source if test if test`.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// What it binds.
    pub target: Target,
    /// What it runs over.
    pub source: Expr,
    /// What must hold.
    pub tests: Vec<Expr>,
}

/// `function(args, name=value, *star, **star_star)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What is called.
    pub function: Expr,
    /// By position.
    pub args: Vec<Expr>,
    /// By name.
    pub keywords: Vec<(String, Expr)>,
    /// `*args`.
    pub star: Option<Expr>,
    /// `**named`.
    pub star_star: Option<Expr>,
}

/// What stands between the brackets of `a[…]`.
#[derive(Clone, Debug, PartialEq)]
pub enum Subscript {
    /// `a[i]`
    Index(Expr),
    /// `a[i:j]`, `a[i:j:k]`
    Slice {
        /// Start.
        start: Option<Expr>,
        /// End.
        stop: Option<Expr>,
        /// Step.
        step: Option<Expr>,
        /// Whether a second colon was written: then even a missing step makes a slice object.
        extended: bool,
    },
    /// `a[...]`
    Ellipsis,
    /// `a[i, j:k]`
    Tuple(Vec<Subscript>),
}

/// Calls `visit` for every direct child of `kind`, in order of the text.
fn each_child<'a>(kind: &'a ExprKind, visit: &mut impl FnMut(&'a Expr)) {
    match kind {
        ExprKind::Literal(_) | ExprKind::Name(_) => {}
        ExprKind::Tuple(items)
        | ExprKind::List(items)
        | ExprKind::Set(items)
        | ExprKind::And(items)
        | ExprKind::Or(items) => items.iter().for_each(visit),
        ExprKind::Dict(pairs) => {
            for (key, value) in pairs {
                visit(key);
                visit(value);
            }
        }
        ExprKind::Repr(a) | ExprKind::Unary(_, a) => visit(a),
        ExprKind::Binary(_, a, b) => {
            visit(a);
            visit(b);
        }
        ExprKind::Compare(first, rest) => {
            visit(first);
            rest.iter().for_each(|(_, operand)| visit(operand));
        }
        ExprKind::IfElse {
            test,
            then,
            otherwise,
        } => {
            visit(then);
            visit(test);
            visit(otherwise);
        }
        ExprKind::Lambda(lambda) => {
            lambda
                .params
                .iter()
                .filter_map(|param| param.default.as_ref())
                .for_each(&mut *visit);
            visit(&lambda.body);
        }
        ExprKind::Comprehension(comprehension) => {
            visit(&comprehension.element);
            comprehension.value.iter().for_each(&mut *visit);
            for each in &comprehension.loops {
                visit(&each.source);
                each.tests.iter().for_each(&mut *visit);
            }
        }
        ExprKind::Call(call) => {
            visit(&call.function);
            call.args.iter().for_each(&mut *visit);
            call.keywords.iter().for_each(|(_, value)| visit(value));
            call.star.iter().for_each(&mut *visit);
            call.star_star.iter().for_each(&mut *visit);
        }
        ExprKind::Attribute { object, .. } | ExprKind::DotIndex { object, .. } => visit(object),
        ExprKind::Subscript { object, index } => {
            visit(object);
            each_in_subscript(index, visit);
        }
        ExprKind::Group { element, list, .. } => {
            visit(element);
            visit(list);
        }
    }
}

fn each_in_subscript<'a>(subscript: &'a Subscript, visit: &mut impl FnMut(&'a Expr)) {
    match subscript {
        Subscript::Index(index) => visit(index),
        Subscript::Slice {
            start, stop, step, ..
        } => {
            [start, stop, step].into_iter().flatten().for_each(visit);
        }
        Subscript::Ellipsis => {}
        Subscript::Tuple(parts) => parts.iter().for_each(|part| each_in_subscript(part, visit)),
    }
}

/// Sees every expression of a tree, parents before children, in order of the text.
pub trait Visitor {
    /// Sees one expression; the default goes on to its children.
    fn expr(&mut self, expr: &Expr) {
        walk(self, expr);
    }
}

/// Lets `visitor` see the children of `expr`.
pub fn walk<V: Visitor + ?Sized>(visitor: &mut V, expr: &Expr) {
    each_child(&expr.kind, &mut |child| visitor.expr(child));
}
