//! The tree of an expression, with the place of every part, and a [`ExprVisitor`] over it.
//!
//! A tree lies in an [`Arena`], which frees it at once; it owns nothing else.

pub use bumpalo::Bump as Arena;
use cw_text::Span;

/// One expression with its place in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expr<'a> {
    /// What it is.
    pub kind: ExprKind<'a>,
    /// The bytes it was read from, without surrounding brackets that only group.
    pub span: Span,
    // Invariant: the greatest height of a child, and 1, or as many as a comprehension has loops. Bounds
    // every recursion over the tree.
    pub(crate) height: u16,
    // Invariant: whether it is or holds a lambda or a comprehension.
    pub(crate) binds: bool,
}

impl<'a> Expr<'a> {
    /// Makes an expression; its height follows from its children.
    // Where the kind is known, what is left of this is a few comparisons.
    #[inline(always)]
    pub fn new(kind: ExprKind<'a>, span: Span) -> Expr<'a> {
        // Each loop of a comprehension runs inside the one before it.
        let mut tallest = 0_u16;
        let loops = match &kind {
            ExprKind::Comprehension(comprehension) => {
                u16::try_from(comprehension.loops.len()).unwrap_or(u16::MAX)
            }
            _ => 1,
        };
        let mut binds = matches!(kind, ExprKind::Lambda(_) | ExprKind::Comprehension(_));
        each_child(&kind, &mut |child| {
            tallest = tallest.max(child.height);
            binds |= child.binds;
        });
        Expr {
            kind,
            span,
            height: tallest.saturating_add(loops),
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExprKind<'a> {
    /// A number or text.
    Literal(Literal<'a>),
    /// A name, as written or, where the syntax folds case, in lower case.
    Name(&'a str),
    /// `(a, b)`, also without brackets.
    Tuple(&'a [&'a Expr<'a>]),
    /// `[a, b]`.
    List(&'a [&'a Expr<'a>]),
    /// `{a, b}`.
    Set(&'a [&'a Expr<'a>]),
    /// `{a: b}`.
    Dict(&'a [(&'a Expr<'a>, &'a Expr<'a>)]),
    /// `` `a` ``, which is `repr(a)`.
    Repr(&'a Expr<'a>),
    /// `-a`, `not a` …
    Unary(UnaryOp, &'a Expr<'a>),
    /// `a + b` …
    Binary(BinaryOp, &'a Expr<'a>, &'a Expr<'a>),
    /// `a and b and c`: at least two.
    And(&'a [&'a Expr<'a>]),
    /// `a or b or c`: at least two.
    Or(&'a [&'a Expr<'a>]),
    /// `a < b <= c`: the first, then at least one operator with what follows it.
    Compare(&'a Expr<'a>, &'a [(CompareOp, &'a Expr<'a>)]),
    /// `then if test else otherwise`.
    IfElse {
        /// Decides.
        test: &'a Expr<'a>,
        /// Value when it is true.
        then: &'a Expr<'a>,
        /// Value when it is not.
        otherwise: &'a Expr<'a>,
    },
    /// `lambda …: body`.
    Lambda(&'a Lambda<'a>),
    /// `[e for …]`, `{e for …}`, `{k: v for …}`, `(e for …)`.
    Comprehension(&'a Comprehension<'a>),
    /// `f(…)`.
    Call(&'a CallExpr<'a>),
    /// `a.name`.
    Attribute {
        /// Of what.
        object: &'a Expr<'a>,
        /// The attribute, in lower case where the syntax folds case.
        name: &'a str,
        /// Where the attribute's name stands.
        name_span: Span,
    },
    /// `a.0`: only where [`Syntax::dot_index`](crate::Syntax) allows it.
    DotIndex {
        /// Of what.
        object: &'a Expr<'a>,
        /// Which element, from 0.
        index: u32,
        /// Where the number stands.
        index_span: Span,
    },
    /// `a[…]`.
    Subscript {
        /// Of what.
        object: &'a Expr<'a>,
        /// What stands between the brackets.
        index: &'a Subscript<'a>,
    },
    /// `all X in L`, `any X in L`: only where [`Syntax::groups`](crate::Syntax) allows them.
    Group {
        /// Which word it began with.
        quantifier: Quantifier,
        /// X.
        element: &'a Expr<'a>,
        /// L.
        list: &'a Expr<'a>,
    },
}

/// Numbers and texts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal<'a> {
    /// `7`.
    Int(i64),
    /// `7L`, or more than 64 bits: digits of 2^32, the lowest first.
    Long(&'a [u32]),
    /// `1.5`.
    Float(f64),
    /// `2j`.
    Imaginary(f64),
    /// `'a'`, as bytes.
    Str(&'a [u8]),
    /// `u'a'`, as code points.
    Unicode(&'a [u32]),
    /// `nil`, `true` … of a syntax that has them.
    Constant(ConstantWord),
}

/// Constants that are words of the syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantWord {
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lambda<'a> {
    /// Plain parameters in order.
    pub params: &'a [Param<'a>],
    /// `*rest`.
    pub rest: Option<&'a str>,
    /// `**named`.
    pub named: Option<&'a str>,
    /// The value.
    pub body: &'a Expr<'a>,
}

/// One parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param<'a> {
    /// What it binds.
    pub target: Target<'a>,
    /// Its default.
    pub default: Option<&'a Expr<'a>>,
}

/// What a loop or parameter binds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target<'a> {
    /// A name.
    Name(&'a str, Span),
    /// Several, taken from a sequence of as many.
    Tuple(&'a [Target<'a>]),
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comprehension<'a> {
    /// What it makes.
    pub kind: ComprehensionKind,
    /// The element, or the key of a dict.
    pub element: &'a Expr<'a>,
    /// The value of a dict's entry.
    pub value: Option<&'a Expr<'a>>,
    /// `for` clauses, at least one.
    pub loops: &'a [Loop<'a>],
}

/// `for target in source if test if test`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loop<'a> {
    /// What it binds.
    pub target: Target<'a>,
    /// What it runs over.
    pub source: &'a Expr<'a>,
    /// What must hold.
    pub tests: &'a [&'a Expr<'a>],
}

/// `function(args, name=value, *star, **star_star)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CallExpr<'a> {
    /// What is called.
    pub function: &'a Expr<'a>,
    /// By position.
    pub args: &'a [&'a Expr<'a>],
    /// By name.
    pub keywords: &'a [(&'a str, &'a Expr<'a>)],
    /// `*args`.
    pub star: Option<&'a Expr<'a>>,
    /// `**named`.
    pub star_star: Option<&'a Expr<'a>>,
}

/// What stands between the brackets of `a[…]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Subscript<'a> {
    /// `a[i]`
    Index(&'a Expr<'a>),
    /// `a[i:j]`, `a[i:j:k]`
    Slice {
        /// Start.
        start: Option<&'a Expr<'a>>,
        /// End.
        stop: Option<&'a Expr<'a>>,
        /// Step.
        step: Option<&'a Expr<'a>>,
        /// Whether a second colon was written: then even a missing step makes a slice object.
        extended: bool,
    },
    /// `a[...]`
    Ellipsis,
    /// `a[i, j:k]`
    Tuple(&'a [Subscript<'a>]),
}

/// Calls `visit` for every direct child of `kind`, in order of the text.
#[inline(always)]
fn each_child<'a>(kind: &ExprKind<'a>, visit: &mut impl FnMut(&'a Expr<'a>)) {
    match *kind {
        ExprKind::Literal(_) | ExprKind::Name(_) => {}
        ExprKind::Tuple(items)
        | ExprKind::List(items)
        | ExprKind::Set(items)
        | ExprKind::And(items)
        | ExprKind::Or(items) => items.iter().copied().for_each(visit),
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
                .filter_map(|param| param.default)
                .for_each(&mut *visit);
            visit(lambda.body);
        }
        ExprKind::Comprehension(comprehension) => {
            visit(comprehension.element);
            comprehension.value.into_iter().for_each(&mut *visit);
            for each in comprehension.loops {
                visit(each.source);
                each.tests.iter().copied().for_each(&mut *visit);
            }
        }
        ExprKind::Call(call) => {
            visit(call.function);
            call.args.iter().copied().for_each(&mut *visit);
            call.keywords.iter().for_each(|(_, value)| visit(value));
            call.star.into_iter().for_each(&mut *visit);
            call.star_star.into_iter().for_each(&mut *visit);
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

fn each_in_subscript<'a>(subscript: &Subscript<'a>, visit: &mut impl FnMut(&'a Expr<'a>)) {
    match *subscript {
        Subscript::Index(index) => visit(index),
        Subscript::Slice {
            start, stop, step, ..
        } => [start, stop, step].into_iter().flatten().for_each(visit),
        Subscript::Ellipsis => {}
        Subscript::Tuple(parts) => parts.iter().for_each(|part| each_in_subscript(part, visit)),
    }
}

/// Sees every expression of a tree, parents before children, in order of the text.
///
/// ```
/// use cw_expr::ast::{Arena, Expr, ExprKind, ExprVisitor, walk};
/// use cw_expr::{ExprLimits, Syntax, parse};
///
/// /// Counts names.
/// struct Names(usize);
/// impl<'a> ExprVisitor<'a> for Names {
///     fn expr(&mut self, expr: &'a Expr<'a>) {
///         self.0 += usize::from(matches!(expr.kind, ExprKind::Name(_)));
///         walk(self, expr);
///     }
/// }
/// let arena = Arena::new();
/// let mut names = Names(0);
/// names.expr(parse("a + f(b, 2)", &arena, &Syntax::default(), &ExprLimits::CARD)?);
/// assert_eq!(names.0, 3);
/// # Ok::<(), cw_expr::CompileError>(())
/// ```
pub trait ExprVisitor<'a> {
    /// Sees one expression; the default goes on to its children.
    fn expr(&mut self, expr: &'a Expr<'a>) {
        walk(self, expr);
    }
}

/// Lets `visitor` see the children of `expr`.
pub fn walk<'a, V: ExprVisitor<'a> + ?Sized>(visitor: &mut V, expr: &'a Expr<'a>) {
    each_child(&expr.kind, &mut |child| visitor.expr(child));
}
