//! Parts of an expression that fail in every game, as `1/0` and `len(5)` do.
//!
//! What names nothing of the game is evaluated once, with the words that `cardwright eval` has for it. Next
//! to a number of the game any number stands for it: `me.hp/0` fails whatever `me.hp` is.

use cw_expr::ast::{
    Arena, BinaryOp, CallExpr, Expr, ExprKind, ExprVisitor, Literal, Subscript, UnaryOp, walk,
};
use cw_expr::{CompiledExpr, Dialect, ErrorKind, ExceptionKind, ExprLimits, NoHost, compile_ast, eval};

use crate::inspect::{FormulaFinding, FormulaFindingKind, is_python_name};
use crate::rewrite::Own;
use crate::words::{AttributeWord, KEYWORDS, NameWord, WordKind};

/// The parts that always fail, where the whole expression needs them: a part behind `or`, or in a loop, may
/// never be reached.
pub(crate) fn failing<'a>(
    expr: &'a Expr<'a>,
    own: Own<'_>,
    dialect: &dyn Dialect,
    arena: &'a Arena,
) -> Vec<FormulaFinding> {
    let mut search = Search {
        own,
        dialect,
        arena,
        found: Vec::new(),
    };
    if search.look(expr) == ExprPart::Constant {
        search.try_constant(expr);
    }
    search.found
}

/// What a part is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExprPart {
    /// Nothing of the game: it has one value.
    Constant,
    /// A number of the game.
    Number,
    /// Anything else.
    Varies,
}

/// Parts with more parts than this are not worked out.
const MOST_PARTS: usize = 8;

struct Search<'a, 'o> {
    own: Own<'o>,
    dialect: &'o dyn Dialect,
    arena: &'a Arena,
    found: Vec<FormulaFinding>,
}

/// The direct parts of an expression.
struct ExprParts<'a>([Option<&'a Expr<'a>>; MOST_PARTS], usize);

impl<'a> ExprVisitor<'a> for ExprParts<'a> {
    fn expr(&mut self, expr: &'a Expr<'a>) {
        if let Some(place) = self.0.get_mut(self.1) {
            *place = Some(expr);
        }
        self.1 += 1;
    }
}

impl<'a> Search<'a, '_> {
    fn look(&mut self, expr: &'a Expr<'a>) -> ExprPart {
        match expr.kind {
            ExprKind::Literal(_) => return ExprPart::Constant,
            ExprKind::Name(name) => return self.name(name),
            ExprKind::Attribute { object, name, .. } => {
                self.look_and_try(object);
                let is_number = AttributeWord::find(name).is_some_and(|word| word.kind == WordKind::Number);
                return if is_number {
                    ExprPart::Number
                } else {
                    ExprPart::Varies
                };
            }
            // Their bodies may never run.
            ExprKind::Lambda(_) | ExprKind::Comprehension(_) | ExprKind::Group { .. } => {
                return ExprPart::Varies;
            }
            ExprKind::And(items) | ExprKind::Or(items) => return self.lazy(items[0], &items[1..]),
            ExprKind::IfElse {
                test,
                then,
                otherwise,
            } => return self.lazy(test, &[then, otherwise]),
            ExprKind::Compare(first, [(_, second), _, ..]) => {
                self.look_and_try(first);
                self.look_and_try(second);
                return ExprPart::Varies;
            }
            ExprKind::Tuple(_)
            | ExprKind::List(_)
            | ExprKind::Set(_)
            | ExprKind::Dict(_)
            | ExprKind::Repr(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Compare(..)
            | ExprKind::Call(_)
            | ExprKind::DotIndex { .. }
            | ExprKind::Subscript { .. } => {}
        }
        let mut parts = ExprParts([None; MOST_PARTS], 0);
        walk(&mut parts, expr);
        let mut kinds = [ExprPart::Constant; MOST_PARTS];
        for (kind, part) in kinds.iter_mut().zip(parts.0.iter().flatten()) {
            *kind = self.look(part);
        }
        if parts.1 > MOST_PARTS {
            return ExprPart::Varies;
        }
        let kinds = &kinds[..parts.1];
        if kinds.iter().all(|kind| *kind == ExprPart::Constant) {
            return ExprPart::Constant;
        }
        for (kind, part) in kinds.iter().zip(parts.0.iter().flatten()) {
            if *kind == ExprPart::Constant {
                self.try_constant(part);
            }
        }
        if kinds.contains(&ExprPart::Varies) || !self.found.is_empty() {
            return ExprPart::Varies;
        }
        self.try_number(expr, kinds);
        let is_number = matches!(expr.kind, ExprKind::Binary(..))
            || matches!(
                expr.kind,
                ExprKind::Unary(UnaryOp::Neg | UnaryOp::Pos | UnaryOp::Invert, _)
            );
        if is_number {
            ExprPart::Number
        } else {
            ExprPart::Varies
        }
    }

    /// Of these only the first is always needed.
    fn lazy(&mut self, first: &'a Expr<'a>, rest: &[&'a Expr<'a>]) -> ExprPart {
        let is_constant = self.look(first) == ExprPart::Constant;
        let before = self.found.len();
        let rest_is = rest.iter().all(|one| self.look(one) == ExprPart::Constant);
        self.found.truncate(before);
        if is_constant && rest_is {
            return ExprPart::Constant;
        }
        if is_constant {
            self.try_constant(first);
        }
        ExprPart::Varies
    }

    fn look_and_try(&mut self, expr: &'a Expr<'a>) {
        if self.look(expr) == ExprPart::Constant {
            self.try_constant(expr);
        }
    }

    fn name(&self, name: &str) -> ExprPart {
        if self.own.has(name) {
            return ExprPart::Varies;
        }
        if let Some(word) = NameWord::find(name) {
            let is_number = word.kind == WordKind::Number;
            return if is_number {
                ExprPart::Number
            } else {
                ExprPart::Varies
            };
        }
        match KEYWORDS.contains(&name) || is_python_name(name) {
            true => ExprPart::Constant,
            false => ExprPart::Varies,
        }
    }

    fn try_constant(&mut self, expr: &'a Expr<'a>) {
        let is_plain = |expr: &Expr<'_>| matches!(expr.kind, ExprKind::Literal(_) | ExprKind::Name(_));
        if is_plain(expr) {
            return;
        }
        if let Some(error) = self.error(expr) {
            self.add(expr, &error);
        }
    }

    /// Tries an expression with another number in place of each of the game's. What the number is must not
    /// matter: types do not depend on it, nor does a division by 0.
    fn try_number(&mut self, expr: &'a Expr<'a>, kinds: &[ExprPart]) {
        let one: &'a Expr<'a> = self
            .arena
            .alloc(Expr::new(ExprKind::Literal(Literal::Int(1)), expr.span));
        let put = |at: usize, part: &'a Expr<'a>| match kinds.get(at) {
            Some(ExprPart::Number) => one,
            Some(ExprPart::Constant | ExprPart::Varies) | None => part,
        };
        let tried = match expr.kind {
            ExprKind::Binary(op, left, right) => ExprKind::Binary(op, put(0, left), put(1, right)),
            ExprKind::DotIndex {
                object,
                index,
                index_span,
            } => ExprKind::DotIndex {
                object: put(0, object),
                index,
                index_span,
            },
            ExprKind::Subscript {
                object,
                index: Subscript::Index(index),
            } => ExprKind::Subscript {
                object: put(0, object),
                index: self.arena.alloc(Subscript::Index(put(1, index))),
            },
            ExprKind::Call(CallExpr {
                function,
                args,
                keywords: [],
                star: None,
                star_star: None,
            }) => {
                let args = args.iter().enumerate().map(|(at, part)| put(at + 1, part));
                ExprKind::Call(self.arena.alloc(CallExpr {
                    function: put(0, function),
                    args: self.arena.alloc_slice_fill_iter(args.collect::<Vec<_>>()),
                    keywords: &[],
                    star: None,
                    star_star: None,
                }))
            }
            _ => return,
        };
        let by_constant = matches!(
            expr.kind,
            ExprKind::Binary(BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod, ..)
        ) && kinds.get(1) == Some(&ExprPart::Constant);
        let tried = self.arena.alloc(Expr::new(tried, expr.span));
        let Some(error) = self.error(tried) else { return };
        let counts = error.is_a(ExceptionKind::TypeError)
            || by_constant && error.is_a(ExceptionKind::ZeroDivisionError);
        if counts {
            self.add(expr, &error);
        }
    }

    /// Why it has no value.
    fn error(&self, expr: &Expr<'_>) -> Option<cw_expr::Error> {
        let code: CompiledExpr = compile_ast(expr, self.dialect).ok()?;
        let error = eval(&code, &mut NoHost, &ExprLimits::CARD).err()?;
        let is_own = matches!(error.kind(), ErrorKind::Exception { .. } | ErrorKind::Limit(_));
        is_own.then_some(error)
    }

    fn add(&mut self, expr: &Expr<'_>, error: &cw_expr::Error) {
        self.found.push(FormulaFinding {
            span: expr.span,
            fault: FormulaFindingKind::Fails(format!("{}: {}", error.name(), error.message())),
            mends: Vec::new(),
        });
    }
}
