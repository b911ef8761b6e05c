//! Turns RuleScript's forms into plain expressions over the names that the engine answers.
//!
//! Names that the expression binds itself (in a lambda or a comprehension) are left alone.

use cw_expr::GROUP_ELEMENT;
use cw_expr::ast::{
    Call, CompareOp, Comprehension, Constant, Expr, ExprKind, Lambda, Literal, Loop, Param, SmolStr,
    Subscript, Target, Visitor, walk,
};
use cw_text::Span;

use crate::compile::{FilterLiteral, Place};

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
pub(crate) enum Element {
    /// Nothing: the words test `trigger` (R1022).
    None,
    /// The element of a group form.
    Group,
    /// The element of `each`, which the engine knows.
    Each,
}

/// Rewrites one expression.
pub(crate) struct Rewriter<'a> {
    /// The text that was read, for literals.
    pub(crate) text: &'a str,
    pub(crate) place: Place,
    /// User variables and names that the expression binds: those win over all words.
    pub(crate) own: &'a [String],
    pub(crate) first_filter: u16,
    pub(crate) filters: Vec<FilterLiteral>,
}

impl Rewriter<'_> {
    fn is_own(&self, name: &str) -> bool {
        self.own.iter().any(|own| own == name)
    }

    /// An expression whose value is wanted as a whole.
    pub(crate) fn expr(&mut self, expr: Expr, element: Element) -> Expr {
        let span = expr.span;
        let kind = match expr.kind {
            ExprKind::Name(name) => return self.name(&name, span, element),
            ExprKind::Group {
                quantifier,
                element: inner,
                list,
            } => {
                let list = Box::new(self.listed(*list, element));
                let inner = Box::new(self.mapped(*inner, Element::Group));
                ExprKind::Group {
                    quantifier,
                    element: inner,
                    list,
                }
            }
            ExprKind::Attribute {
                object,
                name,
                name_span,
            } => {
                let object = if name == "size" {
                    self.listed(*object, element)
                } else {
                    self.expr(*object, element)
                };
                ExprKind::Attribute {
                    object: Box::new(object),
                    name,
                    name_span,
                }
            }
            ExprKind::DotIndex {
                object,
                index,
                index_span,
            } => ExprKind::DotIndex {
                object: Box::new(self.listed(*object, element)),
                index,
                index_span,
            },
            ExprKind::Subscript { object, index } => ExprKind::Subscript {
                object: Box::new(self.listed(*object, element)),
                index: Box::new(self.subscript(*index, element)),
            },
            ExprKind::Call(call) => return self.call(*call, span, element),
            ExprKind::Compare(first, rest) => {
                let first = Box::new(self.expr(*first, element));
                let rest = rest
                    .into_iter()
                    .map(|(op, operand)| {
                        let list = matches!(op, CompareOp::In | CompareOp::NotIn);
                        (
                            op,
                            if list {
                                self.listed(operand, element)
                            } else {
                                self.expr(operand, element)
                            },
                        )
                    })
                    .collect();
                ExprKind::Compare(first, rest)
            }
            ExprKind::Comprehension(comprehension) => {
                let Comprehension {
                    kind,
                    element: inner,
                    value,
                    loops,
                } = *comprehension;
                ExprKind::Comprehension(Box::new(Comprehension {
                    kind,
                    element: self.expr(inner, element),
                    value: value.map(|value| self.expr(value, element)),
                    loops: loops
                        .into_iter()
                        .map(
                            |Loop {
                                 target,
                                 source,
                                 tests,
                             }| Loop {
                                target,
                                source: self.listed(source, element),
                                tests: self.all(tests, element),
                            },
                        )
                        .collect(),
                }))
            }
            ExprKind::Lambda(lambda) => {
                let Lambda {
                    params,
                    rest,
                    named,
                    body,
                } = *lambda;
                let params = params
                    .into_iter()
                    .map(|Param { target, default }| Param {
                        target,
                        default: default.map(|default| self.expr(default, element)),
                    })
                    .collect();
                ExprKind::Lambda(Box::new(Lambda {
                    params,
                    rest,
                    named,
                    body: self.expr(body, element),
                }))
            }
            ExprKind::Tuple(items) => ExprKind::Tuple(self.all(items, element)),
            ExprKind::List(items) => ExprKind::List(self.all(items, element)),
            ExprKind::Set(items) => ExprKind::Set(self.all(items, element)),
            ExprKind::And(items) => ExprKind::And(self.all(items, element)),
            ExprKind::Or(items) => ExprKind::Or(self.all(items, element)),
            ExprKind::Dict(pairs) => ExprKind::Dict(
                pairs
                    .into_iter()
                    .map(|(key, value)| (self.expr(key, element), self.expr(value, element)))
                    .collect(),
            ),
            ExprKind::Repr(operand) => ExprKind::Repr(Box::new(self.expr(*operand, element))),
            ExprKind::Unary(op, operand) => ExprKind::Unary(op, Box::new(self.expr(*operand, element))),
            ExprKind::Binary(op, left, right) => ExprKind::Binary(
                op,
                Box::new(self.expr(*left, element)),
                Box::new(self.expr(*right, element)),
            ),
            ExprKind::IfElse {
                test,
                then,
                otherwise,
            } => ExprKind::IfElse {
                test: Box::new(self.expr(*test, element)),
                then: Box::new(self.expr(*then, element)),
                otherwise: Box::new(self.expr(*otherwise, element)),
            },
            literal @ ExprKind::Literal(_) => literal,
        };
        Expr::new(kind, span)
    }

    fn all(&mut self, items: Vec<Expr>, element: Element) -> Vec<Expr> {
        items.into_iter().map(|item| self.expr(item, element)).collect()
    }

    /// An expression that is used as a list: there `tgt` is all targets (R1104).
    fn listed(&mut self, expr: Expr, element: Element) -> Expr {
        match &expr.kind {
            ExprKind::Name(name) if name == "tgt" => expr,
            _ => self.expr(expr, element),
        }
    }

    /// X of `X in L`. Where a word for a card type is nil, the whole of X is (D30).
    pub(crate) fn mapped(&mut self, expr: Expr, element: Element) -> Expr {
        let span = expr.span;
        let words = self.type_words(&expr);
        let alone = matches!(&expr.kind, ExprKind::Name(_));
        let inner = self.expr(expr, element);
        // No element is of two types: `action or reaction` chooses among them itself.
        if alone || words.len() > 1 {
            return inner;
        }
        words.into_iter().fold(inner, |inner, word| {
            let tested = self.name(&word, span, element);
            let nil = || Expr::new(ExprKind::Literal(Literal::Constant(Constant::None)), span);
            let test = ExprKind::Compare(Box::new(tested), vec![(CompareOp::IsNot, nil())]);
            let kind = ExprKind::IfElse {
                test: Box::new(Expr::new(test, span)),
                then: Box::new(inner),
                otherwise: Box::new(nil()),
            };
            Expr::new(kind, span)
        })
    }

    /// The words for card types in an expression, without those in groups within it.
    fn type_words(&self, expr: &Expr) -> Vec<SmolStr> {
        struct Words(Vec<SmolStr>);
        impl Visitor for Words {
            fn expr(&mut self, expr: &Expr) {
                match &expr.kind {
                    ExprKind::Name(name) if caster(name).is_some() && !self.0.contains(name) => {
                        self.0.push(name.clone());
                    }
                    ExprKind::Group { .. } => {}
                    _ => walk(self, expr),
                }
            }
        }
        let mut words = Words(Vec::new());
        words.expr(expr);
        words.0.retain(|word| !self.is_own(word));
        words.0
    }

    fn name(&self, name: &str, span: Span, element: Element) -> Expr {
        let plain = |name: &str| Expr::new(ExprKind::Name(name.into()), span);
        if self.is_own(name) {
            return plain(name);
        }
        let card = match element {
            Element::None => "trigger",
            Element::Group => GROUP_ELEMENT,
            Element::Each => "card",
        };
        match name {
            "card" if element == Element::Group => plain(GROUP_ELEMENT),
            "tgt" if self.place == Place::Argument => plain(hidden::FIRST_TARGET),
            // D32.
            "opplostsp" => {
                let lost = Expr::new(
                    ExprKind::Attribute {
                        object: Box::new(plain("opp")),
                        name: "lostsp".into(),
                        name_span: span,
                    },
                    span,
                );
                let zero = Expr::new(ExprKind::Literal(Literal::Int(0)), span);
                Expr::new(
                    ExprKind::Compare(Box::new(lost), vec![(CompareOp::Gt, zero)]),
                    span,
                )
            }
            word => match caster(word) {
                Some(caster) => call_of(plain(caster), plain(card), span),
                None => plain(word),
            },
        }
    }

    fn call(&mut self, call: Call, span: Span, element: Element) -> Expr {
        let Call {
            function,
            args,
            keywords,
            star,
            star_star,
        } = call;
        let word = match &function.kind {
            ExprKind::Name(name) if !self.is_own(name) => Some(name.clone()),
            _ => None,
        };
        if word.as_deref() == Some("gettargets")
            && let [only] = &*args
            && let Some(number) = self.literal_filter(only)
        {
            let number = Expr::new(ExprKind::Literal(Literal::Int(i64::from(number))), only.span);
            let function = Expr::new(ExprKind::Name(hidden::GET_LITERAL.into()), function.span);
            return call_of(function, number, span);
        }
        // Python's functions take lists; those of the game take one card.
        let of_game = word
            .as_deref()
            .is_some_and(|word| crate::words::FunctionWord::find(word).is_some());
        let args = args
            .into_iter()
            .map(|arg| {
                if word.is_some() && !of_game {
                    self.listed(arg, element)
                } else {
                    self.expr(arg, element)
                }
            })
            .collect();
        let call = Call {
            function: self.expr(function, element),
            args,
            keywords: keywords
                .into_iter()
                .map(|(name, value)| (name, self.expr(value, element)))
                .collect(),
            star: star.map(|star| self.listed(star, element)),
            star_star: star_star.map(|star| self.expr(star, element)),
        };
        Expr::new(ExprKind::Call(Box::new(call)), span)
    }

    /// Notes a literal filter; its number among those of the rule.
    fn literal_filter(&mut self, expr: &Expr) -> Option<u16> {
        let ExprKind::Literal(Literal::Str(bytes)) = &expr.kind else {
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
                text: String::from_utf8(bytes.clone()).ok()?,
                span: expr.span,
            }
        };
        let number = self
            .first_filter
            .checked_add(u16::try_from(self.filters.len()).ok()?)?;
        self.filters.push(filter);
        Some(number)
    }

    fn subscript(&mut self, subscript: Subscript, element: Element) -> Subscript {
        match subscript {
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
            Subscript::Tuple(parts) => Subscript::Tuple(
                parts
                    .into_iter()
                    .map(|part| self.subscript(part, element))
                    .collect(),
            ),
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

fn call_of(function: Expr, arg: Expr, span: Span) -> Expr {
    let call = Call {
        function,
        args: vec![arg],
        keywords: Vec::new(),
        star: None,
        star_star: None,
    };
    Expr::new(ExprKind::Call(Box::new(call)), span)
}

/// Whether a word may read differently from what Python would read.
pub(crate) fn reads_differently(word: &str) -> bool {
    matches!(word, "tgt" | "card" | "opplostsp" | "gettargets") || caster(word).is_some()
}

/// The names that an expression binds itself.
pub(crate) fn bound_names(expr: &Expr) -> Vec<String> {
    struct Bound(Vec<String>);
    impl Bound {
        fn target(&mut self, target: &Target) {
            match target {
                Target::Name(name, _) => self.0.push(name.clone()),
                Target::Tuple(items) => items.iter().for_each(|item| self.target(item)),
            }
        }
    }
    impl Visitor for Bound {
        fn expr(&mut self, expr: &Expr) {
            match &expr.kind {
                ExprKind::Lambda(lambda) => {
                    lambda.params.iter().for_each(|param| self.target(&param.target));
                    self.0.extend(lambda.rest.clone());
                    self.0.extend(lambda.named.clone());
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
