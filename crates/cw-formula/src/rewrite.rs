//! Turns RuleScript's forms into plain expressions over the names that the engine answers.
//!
//! Names that the expression binds itself (in a lambda or a comprehension) are left alone.

use cw_expr::GROUP_ELEMENT;
use cw_expr::ast::{
    Arena, CallExpr, CompareOp, Comprehension, ConstantWord, Expr, ExprKind, ExprVisitor, Lambda, Literal,
    Loop, Param, Subscript, Target, walk,
};
use cw_text::Span;

use crate::compile::{FilterLiteral, FormulaPlace};
use crate::words::{FunctionWord, NameSet, WordKind};

/// Names that only this module can spell; the dialect gives them their meaning.
pub(crate) mod hidden {
    pub(crate) const FIRST_TARGET: &str = "first tgt";
    pub(crate) const AS_CHARACTER: &str = "as char";
    pub(crate) const AS_ACTION: &str = "as action";
    pub(crate) const AS_REACTION: &str = "as reaction";
    pub(crate) const GET_LITERAL: &str = "literal targets";
}

/// What `card` is just here, and so what the words for card types test.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CardMeaning {
    /// Nothing: the words test `trigger` (R1022).
    None,
    /// The element of a group form.
    Group,
    /// The element of `each`, which the engine knows.
    Each,
}

/// Rewrites one expression.
pub(crate) struct Rewriter<'a, 'o> {
    /// Where new parts of the tree grow.
    pub(crate) arena: &'a Arena,
    /// The text that was read, for literals.
    pub(crate) text: &'a str,
    pub(crate) place: FormulaPlace,
    /// User variables and names that the expression binds: those win over all words.
    pub(crate) own: Own<'o>,
    pub(crate) first_filter: u16,
    pub(crate) filters: Vec<FilterLiteral>,
}

impl<'a> Rewriter<'a, '_> {
    fn make(&self, kind: ExprKind<'a>, span: Span) -> &'a Expr<'a> {
        self.arena.alloc(Expr::new(kind, span))
    }

    /// An expression whose value is wanted as a whole.
    pub(crate) fn expr(&mut self, expr: &'a Expr<'a>, element: CardMeaning) -> &'a Expr<'a> {
        let kind = match expr.kind {
            ExprKind::Literal(_) => return expr,
            ExprKind::Name(name) => return self.name(expr, name, element),
            ExprKind::Group {
                quantifier,
                element: inner,
                list,
            } => {
                let list = self.listed(list, element);
                ExprKind::Group {
                    quantifier,
                    element: self.mapped(inner, CardMeaning::Group),
                    list,
                }
            }
            ExprKind::Attribute {
                object,
                name,
                name_span,
            } => ExprKind::Attribute {
                object: match name {
                    "size" => self.listed(object, element),
                    _ => self.expr(object, element),
                },
                name,
                name_span,
            },
            ExprKind::DotIndex {
                object,
                index,
                index_span,
            } => ExprKind::DotIndex {
                object: self.listed(object, element),
                index,
                index_span,
            },
            ExprKind::Subscript { object, index } => ExprKind::Subscript {
                object: self.listed(object, element),
                index: self.arena.alloc(self.subscript(index, element)),
            },
            ExprKind::Call(call) => return self.call(call, expr.span, element),
            ExprKind::Compare(first, rest) => {
                let first = self.expr(first, element);
                let rest = self.each(rest, |rewriter, (op, operand)| {
                    let operand = match op {
                        CompareOp::In | CompareOp::NotIn => rewriter.listed(operand, element),
                        _ => rewriter.expr(operand, element),
                    };
                    (op, operand)
                });
                ExprKind::Compare(first, rest)
            }
            ExprKind::Comprehension(comprehension) => {
                let comprehension = Comprehension {
                    kind: comprehension.kind,
                    element: self.expr(comprehension.element, element),
                    value: comprehension.value.map(|value| self.expr(value, element)),
                    loops: self.each(comprehension.loops, |rewriter, each| Loop {
                        target: each.target,
                        source: rewriter.listed(each.source, element),
                        tests: rewriter.all(each.tests, element),
                    }),
                };
                ExprKind::Comprehension(self.arena.alloc(comprehension))
            }
            ExprKind::Lambda(lambda) => {
                let params = self.each(lambda.params, |rewriter, param| Param {
                    target: param.target,
                    default: param.default.map(|default| rewriter.expr(default, element)),
                });
                let body = self.expr(lambda.body, element);
                ExprKind::Lambda(self.arena.alloc(Lambda {
                    params,
                    body,
                    ..*lambda
                }))
            }
            ExprKind::Tuple(items) => ExprKind::Tuple(self.all(items, element)),
            ExprKind::List(items) => ExprKind::List(self.all(items, element)),
            ExprKind::Set(items) => ExprKind::Set(self.all(items, element)),
            ExprKind::And(items) => ExprKind::And(self.all(items, element)),
            ExprKind::Or(items) => ExprKind::Or(self.all(items, element)),
            ExprKind::Dict(pairs) => ExprKind::Dict(self.each(pairs, |rewriter, (key, value)| {
                (rewriter.expr(key, element), rewriter.expr(value, element))
            })),
            ExprKind::Repr(operand) => ExprKind::Repr(self.expr(operand, element)),
            ExprKind::Unary(op, operand) => ExprKind::Unary(op, self.expr(operand, element)),
            ExprKind::Binary(op, left, right) => {
                ExprKind::Binary(op, self.expr(left, element), self.expr(right, element))
            }
            ExprKind::IfElse {
                test,
                then,
                otherwise,
            } => ExprKind::IfElse {
                test: self.expr(test, element),
                then: self.expr(then, element),
                otherwise: self.expr(otherwise, element),
            },
        };
        self.make(kind, expr.span)
    }

    /// The same list with each item rewritten.
    fn each<T: Copy>(&mut self, items: &[T], mut rewrite: impl FnMut(&mut Self, T) -> T) -> &'a [T] {
        let arena = self.arena;
        arena.alloc_slice_fill_iter(items.iter().map(|item| rewrite(self, *item)))
    }

    fn all(&mut self, items: &[&'a Expr<'a>], element: CardMeaning) -> &'a [&'a Expr<'a>] {
        self.each(items, |rewriter, item| rewriter.expr(item, element))
    }

    /// An expression that is used as a list: there `tgt` is all targets (R1104).
    fn listed(&mut self, expr: &'a Expr<'a>, element: CardMeaning) -> &'a Expr<'a> {
        match expr.kind {
            ExprKind::Name("tgt") => expr,
            _ => self.expr(expr, element),
        }
    }

    /// X of `X in L`. Where a word for a card type is nil, the whole of X is (D30).
    pub(crate) fn mapped(&mut self, expr: &'a Expr<'a>, element: CardMeaning) -> &'a Expr<'a> {
        let inner = self.expr(expr, element);
        if matches!(expr.kind, ExprKind::Name(_)) {
            return inner;
        }
        // No element is of two types: `action or reaction` chooses among them itself.
        let [word] = *self.type_words(expr) else {
            return inner;
        };
        let span = expr.span;
        let nil = self.make(ExprKind::Literal(Literal::Constant(ConstantWord::None)), span);
        let word = self.make(ExprKind::Name(word), span);
        let tested = self.expr(word, element);
        let is_not = self.arena.alloc([(CompareOp::IsNot, nil)]);
        let kind = ExprKind::IfElse {
            test: self.make(ExprKind::Compare(tested, is_not), span),
            then: inner,
            otherwise: nil,
        };
        self.make(kind, span)
    }

    /// The words for card types in an expression, without those in groups within it.
    fn type_words(&self, expr: &'a Expr<'a>) -> Vec<&'a str> {
        struct CasterNames<'a>(Vec<&'a str>);
        impl<'a> ExprVisitor<'a> for CasterNames<'a> {
            fn expr(&mut self, expr: &'a Expr<'a>) {
                match expr.kind {
                    ExprKind::Name(name) if caster(name).is_some() && !self.0.contains(&name) => {
                        self.0.push(name);
                    }
                    ExprKind::Group { .. } => {}
                    _ => walk(self, expr),
                }
            }
        }
        let mut words = CasterNames(Vec::new());
        words.expr(expr);
        words.0.retain(|word| !self.own.has(word));
        words.0
    }

    fn name(&self, expr: &'a Expr<'a>, name: &str, element: CardMeaning) -> &'a Expr<'a> {
        let span = expr.span;
        let plain = |name| self.make(ExprKind::Name(name), span);
        if self.own.has(name) {
            return expr;
        }
        let card = match element {
            CardMeaning::None => "trigger",
            CardMeaning::Group => GROUP_ELEMENT,
            CardMeaning::Each => "card",
        };
        match name {
            "card" if element == CardMeaning::Group => plain(GROUP_ELEMENT),
            "tgt" if self.place == FormulaPlace::Argument => plain(hidden::FIRST_TARGET),
            // `oppLostSP` is `opp.lostSP > 0` (D32).
            "opplostsp" => {
                let lost = ExprKind::Attribute {
                    object: plain("opp"),
                    name: "lostsp",
                    name_span: span,
                };
                let zero = self.make(ExprKind::Literal(Literal::Int(0)), span);
                let above = self.arena.alloc([(CompareOp::Gt, zero)]);
                self.make(ExprKind::Compare(self.make(lost, span), above), span)
            }
            word => match caster(word) {
                Some(caster) => self.call_of(plain(caster), plain(card), span),
                None => expr,
            },
        }
    }

    fn call_of(&self, function: &'a Expr<'a>, arg: &'a Expr<'a>, span: Span) -> &'a Expr<'a> {
        let call = CallExpr {
            function,
            args: self.arena.alloc([arg]),
            keywords: &[],
            star: None,
            star_star: None,
        };
        self.make(ExprKind::Call(self.arena.alloc(call)), span)
    }

    fn call(&mut self, call: &'a CallExpr<'a>, span: Span, element: CardMeaning) -> &'a Expr<'a> {
        let word = match call.function.kind {
            ExprKind::Name(name) if !self.own.has(name) => Some(name),
            _ => None,
        };
        if word == Some("gettargets")
            && let [only] = call.args
            && let Some(number) = self.literal_filter(only)
        {
            let number = self.make(ExprKind::Literal(Literal::Int(i64::from(number))), only.span);
            let function = self.make(ExprKind::Name(hidden::GET_LITERAL), call.function.span);
            return self.call_of(function, number, span);
        }
        // Python's functions take lists; those of the game take one card.
        let takes_lists = word.is_some_and(|word| FunctionWord::find(word).is_none());
        let args = self.each(call.args, |rewriter, arg| {
            if takes_lists {
                rewriter.listed(arg, element)
            } else {
                rewriter.expr(arg, element)
            }
        });
        let call = CallExpr {
            function: self.expr(call.function, element),
            args,
            keywords: self.each(call.keywords, |rewriter, (name, value)| {
                (name, rewriter.expr(value, element))
            }),
            star: call.star.map(|star| self.listed(star, element)),
            star_star: call.star_star.map(|star| self.expr(star, element)),
        };
        self.make(ExprKind::Call(self.arena.alloc(call)), span)
    }

    /// Notes a literal filter; its number among those of the rule.
    fn literal_filter(&mut self, expr: &Expr<'_>) -> Option<u16> {
        let ExprKind::Literal(Literal::Str(bytes)) = expr.kind else {
            return None;
        };
        let source = self.text.get(expr.span.range())?;
        let quote = source.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let inner = source.strip_prefix(quote)?.strip_suffix(quote)?;
        // The text as written keeps its case and its spans; several literals side by side, triple
        // quotes and escapes have no such text.
        let plain = !inner.contains([quote, '\\']) && inner.len() == bytes.len();
        let filter = if plain {
            let start = expr.span.start as usize + 1;
            FilterLiteral {
                text: inner.to_owned(),
                span: Span::new(start, start + inner.len()),
            }
        } else {
            FilterLiteral {
                text: String::from_utf8(bytes.to_vec()).ok()?,
                span: expr.span,
            }
        };
        let number = self
            .first_filter
            .checked_add(u16::try_from(self.filters.len()).ok()?)?;
        self.filters.push(filter);
        Some(number)
    }

    fn subscript(&mut self, subscript: &Subscript<'a>, element: CardMeaning) -> Subscript<'a> {
        match *subscript {
            Subscript::Index(index) => Subscript::Index(self.expr(index, element)),
            Subscript::Slice {
                start,
                stop,
                step,
                extended,
            } => {
                let [start, stop, step] =
                    [start, stop, step].map(|part| part.map(|part| self.expr(part, element)));
                Subscript::Slice {
                    start,
                    stop,
                    step,
                    extended,
                }
            }
            Subscript::Ellipsis => Subscript::Ellipsis,
            Subscript::Tuple(parts) => {
                Subscript::Tuple(self.each(parts, |rewriter, part| rewriter.subscript(&part, element)))
            }
        }
    }
}

/// The hidden function behind a word for a card type.
fn caster(word: &str) -> Option<&'static str> {
    match word {
        "char" => Some(hidden::AS_CHARACTER),
        "action" => Some(hidden::AS_ACTION),
        "reaction" => Some(hidden::AS_REACTION),
        _ => None,
    }
}

/// The names that read differently from what Python would read, in some places at least.
pub(crate) const REREAD: NameSet =
    NameSet::spelt(&["tgt", "card", "oppLostSP", "char", "action", "reaction"]);

/// The names that an expression binds itself.
pub(crate) fn bound_names<'a>(expr: &'a Expr<'a>) -> Vec<&'a str> {
    struct Bound<'a>(Vec<&'a str>);
    impl<'a> Bound<'a> {
        fn target(&mut self, target: &Target<'a>) {
            match *target {
                Target::Name(name, _) => self.0.push(name),
                Target::Tuple(items) => items.iter().for_each(|item| self.target(item)),
            }
        }
    }
    impl<'a> ExprVisitor<'a> for Bound<'a> {
        fn expr(&mut self, expr: &'a Expr<'a>) {
            match expr.kind {
                ExprKind::Lambda(lambda) => {
                    lambda.params.iter().for_each(|param| self.target(&param.target));
                    self.0.extend(lambda.rest);
                    self.0.extend(lambda.named);
                }
                ExprKind::Comprehension(comprehension) => {
                    comprehension
                        .loops
                        .iter()
                        .for_each(|each| self.target(&each.target));
                }
                _ => {}
            }
            walk(self, expr);
        }
    }
    let mut bound = Bound(Vec::new());
    bound.expr(expr);
    bound.0
}

/// Names that win over all words: the variables of the rule, and what the expression binds itself.
#[derive(Clone, Copy)]
pub(crate) struct Own<'o> {
    pub(crate) vars: &'o [String],
    /// What those variables hold, as far as it is known.
    pub(crate) kinds: &'o [WordKind],
    pub(crate) bound: &'o [&'o str],
}

impl Own<'_> {
    pub(crate) fn has(self, name: &str) -> bool {
        self.vars.iter().any(|var| var == name) || self.bound.contains(&name)
    }

    /// What a variable of the rule holds.
    pub(crate) fn kind(self, name: &str) -> WordKind {
        let var = self.vars.iter().rposition(|var| var == name);
        let var = var.filter(|_| !self.bound.contains(&name));
        var.and_then(|at| self.kinds.get(at)).copied().unwrap_or_default()
    }
}
