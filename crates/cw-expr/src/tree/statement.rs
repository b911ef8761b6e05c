//! The tree of a file of statements; its expressions are those of [`ast`](crate::ast).

use cw_text::Span;

use crate::tree::ast::{BinaryOp, Expr};
use crate::tree::parse::Parameters;

/// Statements one below the other.
pub type Block<'a> = &'a [Stmt<'a>];

/// One statement with its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stmt<'a> {
    /// What it is.
    pub kind: StmtKind<'a>,
    /// From its first word to the end of its first line, or of itself.
    pub span: Span,
}

/// The forms of a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StmtKind<'a> {
    /// An expression, whose value is dropped.
    Expr(&'a Expr<'a>),
    /// `a = b = value`.
    Assign {
        /// What gets it, the leftmost first.
        targets: &'a [&'a Expr<'a>],
        /// What is given.
        value: &'a Expr<'a>,
    },
    /// `target += value`.
    Augmented {
        /// What is changed.
        target: &'a Expr<'a>,
        /// How.
        op: BinaryOp,
        /// With what.
        value: &'a Expr<'a>,
    },
    /// `print a, b`.
    Print {
        /// `>> to`.
        to: Option<&'a Expr<'a>>,
        /// What is printed.
        values: &'a [&'a Expr<'a>],
        /// Whether the line ends; a comma at the end keeps it open.
        ends_line: bool,
    },
    /// `return value`.
    Return(Option<&'a Expr<'a>>),
    /// `yield value`.
    Yield(Option<&'a Expr<'a>>),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `pass`
    Pass,
    /// `raise what, value, trace`.
    Raise(&'a [&'a Expr<'a>]),
    /// `global a, b`.
    Global(&'a [&'a str]),
    /// `del a, b[c]`.
    Delete(&'a [&'a Expr<'a>]),
    /// `assert test, words`.
    Assert {
        /// What must hold.
        test: &'a Expr<'a>,
        /// What is said if it does not.
        words: Option<&'a Expr<'a>>,
    },
    /// `if … elif … else`.
    If {
        /// Each test with its block.
        tests: &'a [(&'a Expr<'a>, Block<'a>)],
        /// Where none holds.
        otherwise: Block<'a>,
    },
    /// `while … else`.
    While {
        /// Goes on while it holds.
        test: &'a Expr<'a>,
        /// What is repeated.
        body: Block<'a>,
        /// Unless it was broken off.
        otherwise: Block<'a>,
    },
    /// `for … in … else`.
    For {
        /// What gets each item.
        target: &'a Expr<'a>,
        /// What it runs over.
        source: &'a Expr<'a>,
        /// What is repeated.
        body: Block<'a>,
        /// Unless it was broken off.
        otherwise: Block<'a>,
    },
    /// `try … except … else … finally`.
    Try(&'a TryParts<'a>),
    /// `with a as b, c: …`.
    With {
        /// Each manager with what gets its value.
        items: &'a [(&'a Expr<'a>, Option<&'a Expr<'a>>)],
        /// What runs between.
        body: Block<'a>,
    },
    /// `def`.
    Def(&'a FunctionDef<'a>),
    /// `class`.
    Class(&'a ClassDef<'a>),
    /// `import a.b as c, d`.
    Import(&'a [(&'a str, Option<&'a str>)]),
    /// `from module import a as b`; without names it is `*`.
    From {
        /// Which module.
        module: &'a str,
        /// What is taken, and what it is called here.
        names: &'a [(&'a str, Option<&'a str>)],
    },
}

/// The parts of a `try`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TryParts<'a> {
    /// What may fail.
    pub body: Block<'a>,
    /// What is done then.
    pub handlers: &'a [Handler<'a>],
    /// What is done else.
    pub otherwise: Block<'a>,
    /// What is done in any case.
    pub finally: Option<Block<'a>>,
}

/// `except kind as target: …`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handler<'a> {
    /// Which exceptions; without it, all.
    pub kind: Option<&'a Expr<'a>>,
    /// What gets the exception.
    pub target: Option<&'a Expr<'a>>,
    /// What is done.
    pub body: Block<'a>,
    /// Where it stands.
    pub span: Span,
}

/// A function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FunctionDef<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it takes.
    pub parameters: Parameters<'a>,
    /// What it does.
    pub body: Block<'a>,
    /// What stands behind `@` above it, the uppermost first.
    pub decorators: &'a [&'a Expr<'a>],
}

/// A class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassDef<'a> {
    /// Its name.
    pub name: &'a str,
    /// What stands between its brackets.
    pub bases: &'a [&'a Expr<'a>],
    /// What makes its attributes.
    pub body: Block<'a>,
    /// What stands behind `@` above it, the uppermost first.
    pub decorators: &'a [&'a Expr<'a>],
}
