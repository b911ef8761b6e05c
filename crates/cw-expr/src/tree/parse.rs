//! Tokens to tree: the expression part of Python 2.7's grammar, by precedence climbing.

use bumpalo::collections::Vec;
use bumpalo::vec;
use cw_text::Span;

use crate::base::error::CompileError;
use crate::base::limits::ExprLimits;
use crate::base::syntax::Syntax;
use crate::base::work;
use crate::tree::ast::{
    Arena, BinaryOp, CallExpr, CompareOp, Comprehension, ComprehensionKind, ConstantWord, Expr, ExprKind,
    Lambda, Literal, Loop, Param, Quantifier, Subscript, Target, UnaryOp,
};
use crate::tree::lex::{ExprToken, ExprTokenKind, OperatorToken, lex};

pub(crate) type Parsed<T> = Result<T, CompileError>;

/// Reads a whole text as one expression.
///
/// ```
/// use cw_expr::ast::{Arena, ExprKind};
/// use cw_expr::{ExprLimits, Syntax, parse};
///
/// let arena = Arena::new();
/// let tree = parse("a or b or c", &arena, &Syntax::default(), &ExprLimits::CARD)?;
/// assert!(matches!(tree.kind, ExprKind::Or(parts) if parts.len() == 3));
/// # Ok::<(), cw_expr::CompileError>(())
/// ```
///
/// # Errors
/// Where and why it is none, or which limit it exceeds.
pub fn parse<'a>(
    text: &'a str,
    arena: &'a Arena,
    syntax: &Syntax,
    limits: &ExprLimits,
) -> Result<&'a Expr<'a>, CompileError> {
    let mut p = ExprParser::new(text, arena, syntax, limits)?;
    p.newlines();
    let expr = p.expression_list()?;
    p.end()?;
    Ok(expr)
}

/// The two halves of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupParts<'a> {
    /// X: what is computed for each element.
    pub element: &'a Expr<'a>,
    /// L: what gives the elements.
    pub list: &'a Expr<'a>,
}

/// Reads a whole text as `X in L`, the left part of a repetition (R1020).
///
/// ```
/// use cw_expr::ast::{Arena, ExprKind};
/// use cw_expr::{ExprLimits, Syntax, parse_group};
///
/// let arena = Arena::new();
/// let parts = parse_group("card in ring", &arena, &Syntax::default(), &ExprLimits::CARD)?;
/// assert_eq!(parts.list.kind, ExprKind::Name("ring"));
/// # Ok::<(), cw_expr::CompileError>(())
/// ```
///
/// # Errors
/// As [`parse`]; also when there is no ` in `.
pub fn parse_group<'a>(
    text: &'a str,
    arena: &'a Arena,
    syntax: &Syntax,
    limits: &ExprLimits,
) -> Result<GroupParts<'a>, CompileError> {
    let mut p = ExprParser::new(text, arena, syntax, limits)?;
    let element = p.without_in(ExprParser::condition)?;
    p.expect(OperatorToken::In)?;
    let list = p.condition()?;
    p.end()?;
    Ok(GroupParts { element, list })
}

pub(crate) struct ExprParser<'a, 's> {
    /// Where the tree grows.
    pub(crate) arena: &'a Arena,
    tokens: &'a [ExprToken<'a>],
    at: usize,
    // Invariant: the token at `at`.
    pub(crate) token: ExprToken<'a>,
    /// Where the token before it ends.
    last_end: u32,
    syntax: &'s Syntax,
    limits: &'s ExprLimits,
    depth: u16,
    /// Bytes of the text.
    length: usize,
    /// Inside the X of `X in L`, where `in` ends the expression.
    no_in: bool,
    /// What [`in_follows`] says, once a group form has asked.
    in_follows: Option<&'a [bool]>,
    /// Inside a file of statements, whose names may begin with two underscores.
    pub(crate) in_file: bool,
}

/// Binding powers of the operators between operands, loosest first: R1031.
const OR_POWER: u8 = 1;
const AND_POWER: u8 = 2;
const NOT_POWER: u8 = 3;
const COMPARE_POWER: u8 = 4;

/// Arguments of a call, as in CPython 2.
const MOST_ARGUMENTS: usize = 255;

/// An operator between two operands.
#[derive(Clone, Copy)]
enum Infix {
    Or,
    And,
    Compare(CompareOp),
    Binary(BinaryOp),
}

impl<'a, 's> ExprParser<'a, 's> {
    fn new(
        text: &'a str,
        arena: &'a Arena,
        syntax: &'s Syntax,
        limits: &'s ExprLimits,
    ) -> Parsed<ExprParser<'a, 's>> {
        let tokens = lex(text, arena, syntax, limits)?;
        Ok(ExprParser::over(tokens, text.len(), arena, syntax, limits))
    }

    /// Reads from these tokens, of a text of so many bytes.
    pub(crate) fn over(
        tokens: &'a [ExprToken<'a>],
        length: usize,
        arena: &'a Arena,
        syntax: &'s Syntax,
        limits: &'s ExprLimits,
    ) -> ExprParser<'a, 's> {
        ExprParser {
            arena,
            tokens,
            at: 0,
            token: tokens[0],
            last_end: 0,
            syntax,
            limits,
            depth: 0,
            length,
            no_in: false,
            in_follows: None,
            in_file: false,
        }
    }

    pub(crate) fn peek_ahead(&self, ahead: usize) -> ExprToken<'a> {
        work::count(1);
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub(crate) fn span(&self) -> Span {
        self.token.span
    }

    /// From the start of `start` to where the token before this one ends.
    pub(crate) fn since(&self, start: Span) -> Span {
        Span::between(start.start, self.last_end)
    }

    // Invariant: the last token is `End`, and it is never passed.
    pub(crate) fn advance(&mut self) {
        work::count(1);
        if let Some(next) = self.tokens.get(self.at + 1) {
            self.at += 1;
            self.last_end = self.token.span.end;
            self.token = *next;
        }
    }

    pub(crate) fn at(&self, sign: OperatorToken) -> bool {
        matches!(self.token.kind, ExprTokenKind::Sign(found) if found == sign)
    }

    pub(crate) fn take(&mut self, sign: OperatorToken) -> bool {
        let found = self.at(sign);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn expect(&mut self, sign: OperatorToken) -> Parsed<()> {
        if self.take(sign) {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    #[cold]
    pub(crate) fn unexpected(&self) -> CompileError {
        // A `not` that is no operator here could still have become `not in`.
        let token = self.peek_ahead(usize::from(self.at(OperatorToken::Not)));
        let message = match token.kind {
            ExprTokenKind::End => "unexpected EOF while parsing",
            // CPython's tokenizer has met the end of the text when it looked behind this token.
            ExprTokenKind::Literal(Literal::Str(_) | Literal::Unicode(_)) => "invalid syntax",
            _ if !self.in_file && token.span.end as usize == self.length && !self.after_newline() => {
                "unexpected EOF while parsing"
            }
            _ => "invalid syntax",
        };
        CompileError::syntax(token.span, message)
    }

    fn after_newline(&self) -> bool {
        self.tokens[..self.at]
            .iter()
            .any(|token| token.kind == ExprTokenKind::Newline)
    }

    fn end(&mut self) -> Parsed<()> {
        self.newlines();
        match self.token.kind {
            ExprTokenKind::End => Ok(()),
            _ => Err(self.unexpected()),
        }
    }

    pub(crate) fn newlines(&mut self) {
        while matches!(self.token.kind, ExprTokenKind::Newline) {
            self.advance();
        }
    }

    #[inline(always)]
    fn make(&self, kind: ExprKind<'a>, span: Span) -> Parsed<&'a Expr<'a>> {
        let expr = Expr::new(kind, span);
        if expr.height > self.limits.height {
            return Err(too_deep(span));
        }
        Ok(self.arena.alloc(expr))
    }

    /// The items after `first`, each behind a comma, up to one behind which `more` finds none.
    fn items<T>(
        &mut self,
        first: T,
        more: impl Fn(&Self) -> bool,
        item: impl Fn(&mut Self) -> Parsed<T>,
    ) -> Parsed<&'a [T]> {
        let mut items = vec![in self.arena; first];
        while self.take(OperatorToken::Comma) {
            if !more(self) {
                break;
            }
            items.push(item(self)?);
        }
        Ok(items.into_bump_slice())
    }

    pub(crate) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > self.limits.height {
            return Err(too_deep(self.span()));
        }
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn with_in<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer = std::mem::replace(&mut self.no_in, false);
        let result = inner(self);
        self.no_in = outer;
        result
    }

    pub(crate) fn without_in<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer = std::mem::replace(&mut self.no_in, true);
        let result = inner(self);
        self.no_in = outer;
        result
    }

    /// `a` or `a, b,`.
    pub(crate) fn expression_list(&mut self) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        let first = self.condition()?;
        if !self.at(OperatorToken::Comma) {
            return Ok(first);
        }
        let items = self.items(first, ExprParser::starts_operand, ExprParser::condition)?;
        self.make(ExprKind::Tuple(items), self.since(start))
    }

    /// Whether an expression can begin here.
    pub(crate) fn starts_operand(&self) -> bool {
        match self.token.kind {
            ExprTokenKind::Name(_) | ExprTokenKind::Literal(_) | ExprTokenKind::MinInt => true,
            ExprTokenKind::Sign(sign) => matches!(
                sign,
                OperatorToken::Not
                    | OperatorToken::Lambda
                    | OperatorToken::RoundOpen
                    | OperatorToken::SquareOpen
                    | OperatorToken::CurlyOpen
                    | OperatorToken::Backquote
                    | OperatorToken::Plus
                    | OperatorToken::Minus
                    | OperatorToken::Tilde
            ),
            ExprTokenKind::DotIndex(_)
            | ExprTokenKind::Newline
            | ExprTokenKind::Indent
            | ExprTokenKind::Dedent
            | ExprTokenKind::End => false,
        }
    }

    /// `a if b else c`, `lambda …`, or anything tighter.
    pub(crate) fn condition(&mut self) -> Parsed<&'a Expr<'a>> {
        self.nested(|p| {
            let start = p.span();
            if p.at(OperatorToken::Lambda) {
                return p.lambda(ExprParser::condition);
            }
            let then = p.operators(OR_POWER)?;
            if !p.take(OperatorToken::If) {
                return Ok(then);
            }
            let test = p.operators(OR_POWER)?;
            p.expect(OperatorToken::Else)?;
            let otherwise = p.condition()?;
            let kind = ExprKind::IfElse {
                test,
                then,
                otherwise,
            };
            p.make(kind, p.since(start))
        })
    }

    /// What may stand after `if` in a comprehension: no conditional expression.
    fn old_condition(&mut self) -> Parsed<&'a Expr<'a>> {
        if self.at(OperatorToken::Lambda) {
            self.nested(|p| p.lambda(ExprParser::old_condition))
        } else {
            self.operators(OR_POWER)
        }
    }

    /// Operators that bind at least as tightly as `least`.
    fn operators(&mut self, least: u8) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        let mut left = self.prefix(least)?;
        while let Some((power, infix)) = self.infix()
            && power >= least
        {
            left = match infix {
                Infix::Or => {
                    let items = self.chain(left, OperatorToken::Or, AND_POWER)?;
                    self.make(ExprKind::Or(items), self.since(start))?
                }
                Infix::And => {
                    let items = self.chain(left, OperatorToken::And, NOT_POWER)?;
                    self.make(ExprKind::And(items), self.since(start))?
                }
                Infix::Compare(op) => {
                    let rest = self.comparison(op)?;
                    self.make(ExprKind::Compare(left, rest), self.since(start))?
                }
                Infix::Binary(op) => {
                    self.advance();
                    let right = self.nested(|p| p.operators(power + 1))?;
                    self.make(ExprKind::Binary(op, left, right), self.since(start))?
                }
            };
        }
        Ok(left)
    }

    /// The operator here, and its binding power.
    #[inline]
    fn infix(&self) -> Option<(u8, Infix)> {
        let ExprTokenKind::Sign(sign) = self.token.kind else {
            return None;
        };
        let compare = |op| Some((COMPARE_POWER, Infix::Compare(op)));
        let binary = |power, op| Some((power, Infix::Binary(op)));
        match sign {
            OperatorToken::Or => Some((OR_POWER, Infix::Or)),
            OperatorToken::And => Some((AND_POWER, Infix::And)),
            OperatorToken::Lt => compare(CompareOp::Lt),
            OperatorToken::Le => compare(CompareOp::Le),
            OperatorToken::Gt => compare(CompareOp::Gt),
            OperatorToken::Ge => compare(CompareOp::Ge),
            OperatorToken::Eq => compare(CompareOp::Eq),
            OperatorToken::Ne => compare(CompareOp::Ne),
            OperatorToken::In if !self.no_in => compare(CompareOp::In),
            OperatorToken::Not if !self.no_in && self.next_is(OperatorToken::In) => compare(CompareOp::NotIn),
            OperatorToken::Is if self.next_is(OperatorToken::Not) => compare(CompareOp::IsNot),
            OperatorToken::Is => compare(CompareOp::Is),
            OperatorToken::Pipe => binary(5, BinaryOp::Or),
            OperatorToken::Caret => binary(6, BinaryOp::Xor),
            OperatorToken::Ampersand => binary(7, BinaryOp::And),
            OperatorToken::Shl => binary(8, BinaryOp::Shl),
            OperatorToken::Shr => binary(8, BinaryOp::Shr),
            OperatorToken::Plus => binary(9, BinaryOp::Add),
            OperatorToken::Minus => binary(9, BinaryOp::Sub),
            OperatorToken::Star => binary(10, BinaryOp::Mul),
            OperatorToken::Slash => binary(10, BinaryOp::Div),
            OperatorToken::SlashSlash => binary(10, BinaryOp::FloorDiv),
            OperatorToken::Percent => binary(10, BinaryOp::Mod),
            _ => None,
        }
    }

    fn next_is(&self, sign: OperatorToken) -> bool {
        self.peek_ahead(1).kind == ExprTokenKind::Sign(sign)
    }

    /// `not a` and group forms, which nothing tighter may contain unbracketed; else a signed primary.
    fn prefix(&mut self, least: u8) -> Parsed<&'a Expr<'a>> {
        if least <= NOT_POWER && self.at(OperatorToken::Not) {
            let start = self.span();
            self.advance();
            let operand = self.nested(|p| p.operators(NOT_POWER))?;
            return self.make(ExprKind::Unary(UnaryOp::Not, operand), self.since(start));
        }
        if least <= NOT_POWER
            && let Some(quantifier) = self.group_word()
        {
            return self.nested(|p| p.group(quantifier));
        }
        self.unary()
    }

    fn chain(&mut self, first: &'a Expr<'a>, word: OperatorToken, tighter: u8) -> Parsed<&'a [&'a Expr<'a>]> {
        let mut items = vec![in self.arena; first];
        while self.take(word) {
            items.push(self.nested(|p| p.operators(tighter))?);
        }
        Ok(items.into_bump_slice())
    }

    /// The operators of a comparison, of which `op` is the first, with what follows them.
    fn comparison(&mut self, mut op: CompareOp) -> Parsed<&'a [(CompareOp, &'a Expr<'a>)]> {
        let mut rest = Vec::with_capacity_in(1, self.arena);
        loop {
            self.advance();
            if matches!(op, CompareOp::NotIn | CompareOp::IsNot) {
                self.advance();
            }
            rest.push((op, self.nested(|p| p.operators(COMPARE_POWER + 1))?));
            match self.infix() {
                Some((_, Infix::Compare(next))) => op = next,
                _ => return Ok(rest.into_bump_slice()),
            }
        }
    }

    fn unary(&mut self) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        let op = match self.token.kind {
            ExprTokenKind::Sign(OperatorToken::Minus) => UnaryOp::Neg,
            ExprTokenKind::Sign(OperatorToken::Plus) => UnaryOp::Pos,
            ExprTokenKind::Sign(OperatorToken::Tilde) => UnaryOp::Invert,
            _ => return self.power(),
        };
        self.advance();
        // `-9223372036854775808` is an int, though its digits alone are not: CPython folds the sign in.
        if op == UnaryOp::Neg && !self.goes_on_after_number() {
            let folded = match self.token.kind {
                ExprTokenKind::MinInt => Some(Literal::Int(i64::MIN)),
                ExprTokenKind::Literal(Literal::Imaginary(value)) => Some(Literal::Imaginary(-value)),
                _ => None,
            };
            if let Some(literal) = folded {
                self.advance();
                return self.make(ExprKind::Literal(literal), self.since(start));
            }
        }
        let operand = self.nested(ExprParser::unary)?;
        self.make(ExprKind::Unary(op, operand), self.since(start))
    }

    fn goes_on_after_number(&self) -> bool {
        matches!(
            self.peek_ahead(1).kind,
            ExprTokenKind::Sign(
                OperatorToken::StarStar
                    | OperatorToken::Dot
                    | OperatorToken::SquareOpen
                    | OperatorToken::RoundOpen
            )
        )
    }

    fn power(&mut self) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        let base = self.primary()?;
        if !self.take(OperatorToken::StarStar) {
            return Ok(base);
        }
        let exponent = self.nested(ExprParser::unary)?;
        self.make(ExprKind::Binary(BinaryOp::Pow, base, exponent), self.since(start))
    }

    /// An atom with its attributes, calls and subscripts.
    fn primary(&mut self) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        let mut expr = self.atom()?;
        loop {
            expr = match self.token.kind {
                ExprTokenKind::Sign(OperatorToken::Dot) => self.attribute(expr, start)?,
                ExprTokenKind::DotIndex(index) => {
                    let kind = ExprKind::DotIndex {
                        object: expr,
                        index,
                        index_span: self.span(),
                    };
                    self.advance();
                    self.make(kind, self.since(start))?
                }
                ExprTokenKind::Sign(OperatorToken::RoundOpen) => {
                    self.advance();
                    let call = self.nested(|p| p.with_in(|p| p.call(expr)))?;
                    self.make(ExprKind::Call(call), self.since(start))?
                }
                ExprTokenKind::Sign(OperatorToken::SquareOpen) => {
                    self.advance();
                    let kind = ExprKind::Subscript {
                        object: expr,
                        index: self.nested(|p| p.with_in(ExprParser::subscripts))?,
                    };
                    self.make(kind, self.since(start))?
                }
                _ => return Ok(expr),
            };
        }
    }

    fn attribute(&mut self, object: &'a Expr<'a>, start: Span) -> Parsed<&'a Expr<'a>> {
        self.advance();
        let name_span = self.span();
        let ExprTokenKind::Name(name) = self.token.kind else {
            return Err(self.unexpected());
        };
        if name.starts_with("__") && !self.in_file {
            return Err(CompileError::not_available(name_span, name));
        }
        self.advance();
        let kind = ExprKind::Attribute {
            object,
            name,
            name_span,
        };
        self.make(kind, self.since(start))
    }

    fn call(&mut self, function: &'a Expr<'a>) -> Parsed<&'a CallExpr<'a>> {
        let mut out = CallArguments {
            plain: Vec::new_in(self.arena),
            keywords: Vec::new_in(self.arena),
            star: None,
            star_star: None,
        };
        while !self.at(OperatorToken::RoundClose) {
            if out.star_star.is_some() {
                return Err(self.unexpected());
            }
            let start = self.span();
            self.argument(&mut out)?;
            if out.plain.len() + out.keywords.len() > MOST_ARGUMENTS {
                return Err(CompileError::syntax(start, "more than 255 arguments"));
            }
            if !self.take(OperatorToken::Comma) {
                break;
            }
            if self.at(OperatorToken::RoundClose) && (out.star.is_some() || out.star_star.is_some()) {
                return Err(self.unexpected());
            }
        }
        self.expect(OperatorToken::RoundClose)?;
        Ok(self.arena.alloc(CallExpr {
            function,
            args: out.plain.into_bump_slice(),
            keywords: out.keywords.into_bump_slice(),
            star: out.star,
            star_star: out.star_star,
        }))
    }

    fn argument(&mut self, out: &mut CallArguments<'a>) -> Parsed<()> {
        let start = self.span();
        if self.take(OperatorToken::StarStar) {
            out.star_star = Some(self.condition()?);
            return Ok(());
        }
        if self.at(OperatorToken::Star) && out.star.is_none() {
            self.advance();
            out.star = Some(self.condition()?);
            return Ok(());
        }
        let value = self.condition()?;
        if self.at(OperatorToken::Assign) {
            let ExprKind::Name(name) = value.kind else {
                let message = match value.kind {
                    ExprKind::Literal(Literal::Constant(_)) => "cannot assign to None",
                    ExprKind::Lambda(_) => "lambda cannot contain assignment",
                    _ => "keyword can't be an expression",
                };
                return Err(CompileError::syntax(start, message));
            };
            self.refuse_none(name, start)?;
            self.advance();
            work::count(out.keywords.len());
            if out.keywords.iter().any(|(known, _)| *known == name) {
                return Err(CompileError::syntax(start, "keyword argument repeated"));
            }
            let value = self.condition()?;
            out.keywords.push((name, value));
            return Ok(());
        }
        let value = if self.at(OperatorToken::For) {
            let generator = self.comprehension(ComprehensionKind::Generator, value, None, start)?;
            let alone = out.plain.is_empty()
                && out.keywords.is_empty()
                && out.star.is_none()
                && self.at(OperatorToken::RoundClose);
            if !alone {
                return Err(CompileError::syntax(
                    start,
                    "Generator expression must be parenthesized if not sole argument",
                ));
            }
            generator
        } else {
            value
        };
        if !out.keywords.is_empty() {
            return Err(CompileError::syntax(start, "non-keyword arg after keyword arg"));
        }
        if out.star.is_some() {
            return Err(CompileError::syntax(
                start,
                "only named arguments may follow *expression",
            ));
        }
        out.plain.push(value);
        Ok(())
    }

    fn subscripts(&mut self) -> Parsed<&'a Subscript<'a>> {
        let first = self.subscript()?;
        let several = self.at(OperatorToken::Comma);
        let parts = self.items(
            first,
            |p| !p.at(OperatorToken::SquareClose),
            ExprParser::subscript,
        )?;
        self.expect(OperatorToken::SquareClose)?;
        // `a[i, j]` indexes with an ordinary tuple.
        Ok(match parts {
            [only] if !several => only,
            parts => self.arena.alloc(Subscript::Tuple(parts)),
        })
    }

    fn subscript(&mut self) -> Parsed<Subscript<'a>> {
        if self.take(OperatorToken::Ellipsis) {
            return Ok(Subscript::Ellipsis);
        }
        let start = if self.at(OperatorToken::Colon) {
            None
        } else {
            Some(self.condition()?)
        };
        if !self.take(OperatorToken::Colon) {
            return start.map(Subscript::Index).ok_or_else(|| self.unexpected());
        }
        let stop = if self.starts_operand() {
            Some(self.condition()?)
        } else {
            None
        };
        let extended = self.take(OperatorToken::Colon);
        let step = if extended && self.starts_operand() {
            Some(self.condition()?)
        } else {
            None
        };
        Ok(Subscript::Slice {
            start,
            stop,
            step,
            extended,
        })
    }

    fn atom(&mut self) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        let literal = match self.token.kind {
            ExprTokenKind::Name(name) => match self.name(name)? {
                Some(constant) => Literal::Constant(constant),
                None => {
                    self.advance();
                    return self.make(ExprKind::Name(name), start);
                }
            },
            ExprTokenKind::Literal(Literal::Str(_) | Literal::Unicode(_)) => return self.strings(),
            ExprTokenKind::Literal(literal) => literal,
            ExprTokenKind::MinInt => Literal::Long(&[0, 1 << 31]),
            ExprTokenKind::Sign(OperatorToken::RoundOpen) => {
                return self.nested(|p| p.with_in(ExprParser::round));
            }
            ExprTokenKind::Sign(OperatorToken::SquareOpen) => {
                return self.nested(|p| p.with_in(ExprParser::square));
            }
            ExprTokenKind::Sign(OperatorToken::CurlyOpen) => {
                return self.nested(|p| p.with_in(ExprParser::curly));
            }
            ExprTokenKind::Sign(OperatorToken::Backquote) => {
                return self.nested(|p| p.with_in(ExprParser::backquoted));
            }
            _ => return Err(self.unexpected()),
        };
        self.advance();
        self.make(ExprKind::Literal(literal), start)
    }

    /// The constant that a name here is, if it is one.
    fn name(&self, name: &str) -> Parsed<Option<ConstantWord>> {
        if name.starts_with("__") && !self.in_file {
            return Err(CompileError::not_available(self.span(), name));
        }
        Ok(match name {
            "None" => Some(ConstantWord::None),
            "none" | "nil" if self.syntax.constants => Some(ConstantWord::None),
            "true" if self.syntax.constants => Some(ConstantWord::True),
            "false" if self.syntax.constants => Some(ConstantWord::False),
            _ => None,
        })
    }

    /// One or more string literals side by side, joined once: unicode if any of them is.
    fn strings(&mut self) -> Parsed<&'a Expr<'a>> {
        let (start, first) = (self.span(), self.at);
        let mut length = 0;
        loop {
            length += match self.token.kind {
                ExprTokenKind::Literal(Literal::Str(bytes)) => bytes.len(),
                ExprTokenKind::Literal(Literal::Unicode(points)) => points.len(),
                _ => break,
            };
            self.advance();
        }
        let span = self.since(start);
        if length > self.limits.string {
            return Err(CompileError::limit(span, "string is too long"));
        }
        let literal = self.joined(&self.tokens[first..self.at], length, start)?;
        self.make(ExprKind::Literal(literal), span)
    }

    /// The texts of these tokens as one, `length` long.
    fn joined(&self, tokens: &[ExprToken<'a>], length: usize, span: Span) -> Parsed<Literal<'a>> {
        work::count(length);
        if let [only] = tokens
            && let ExprTokenKind::Literal(literal) = only.kind
        {
            return Ok(literal);
        }
        let literals = || tokens.iter().map(|token| token.kind);
        if literals().all(|kind| matches!(kind, ExprTokenKind::Literal(Literal::Str(_)))) {
            let mut joined = Vec::with_capacity_in(length, self.arena);
            for kind in literals() {
                if let ExprTokenKind::Literal(Literal::Str(bytes)) = kind {
                    joined.extend_from_slice_copy(bytes);
                }
            }
            return Ok(Literal::Str(joined.into_bump_slice()));
        }
        let mut points = Vec::with_capacity_in(length, self.arena);
        // Python decodes what stands before the first unicode as one text.
        let mut before = Some(0);
        for kind in literals() {
            match kind {
                ExprTokenKind::Literal(Literal::Str(bytes)) => {
                    points.extend(ascii_points(bytes, before.unwrap_or(0), span)?);
                    before = before.map(|before| before + bytes.len());
                }
                ExprTokenKind::Literal(Literal::Unicode(more)) => {
                    points.extend_from_slice_copy(more);
                    before = None;
                }
                _ => {}
            }
        }
        Ok(Literal::Unicode(points.into_bump_slice()))
    }

    /// `()`, `(a)`, `(a, b)`, `(a for …)`.
    fn round(&mut self) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        self.advance();
        if self.take(OperatorToken::RoundClose) {
            return self.make(ExprKind::Tuple(&[]), self.since(start));
        }
        let inner_start = self.span();
        let first = self.condition()?;
        if self.at(OperatorToken::For) {
            let generator = self.comprehension(ComprehensionKind::Generator, first, None, inner_start)?;
            self.expect(OperatorToken::RoundClose)?;
            return Ok(generator);
        }
        if !self.at(OperatorToken::Comma) {
            self.expect(OperatorToken::RoundClose)?;
            return Ok(first);
        }
        let items = self.rest_of_items(first, OperatorToken::RoundClose)?;
        self.make(ExprKind::Tuple(items), self.since(start))
    }

    /// `[]`, `[a, b]`, `[a for …]`.
    fn square(&mut self) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        self.advance();
        if self.take(OperatorToken::SquareClose) {
            return self.make(ExprKind::List(&[]), self.since(start));
        }
        let first = self.condition()?;
        if self.at(OperatorToken::For) {
            let list = self.comprehension(ComprehensionKind::List, first, None, start)?;
            self.expect(OperatorToken::SquareClose)?;
            return Ok(self.spanning(list, start));
        }
        let items = self.rest_of_items(first, OperatorToken::SquareClose)?;
        self.make(ExprKind::List(items), self.since(start))
    }

    fn rest_of_items(&mut self, first: &'a Expr<'a>, close: OperatorToken) -> Parsed<&'a [&'a Expr<'a>]> {
        let items = self.items(first, |p| !p.at(close), ExprParser::condition)?;
        self.expect(close)?;
        Ok(items)
    }

    /// The same with its brackets, which begin at `start`.
    fn spanning(&self, expr: &Expr<'a>, start: Span) -> &'a Expr<'a> {
        let span = self.since(start);
        self.arena.alloc(Expr { span, ..*expr })
    }

    /// `{}`, `{a: b}`, `{a, b}` and the two comprehensions.
    fn curly(&mut self) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        self.advance();
        if self.take(OperatorToken::CurlyClose) {
            return self.make(ExprKind::Dict(&[]), self.since(start));
        }
        let first = self.condition()?;
        if !self.take(OperatorToken::Colon) {
            if self.at(OperatorToken::For) {
                let set = self.comprehension(ComprehensionKind::Set, first, None, start)?;
                self.expect(OperatorToken::CurlyClose)?;
                return Ok(self.spanning(set, start));
            }
            let items = self.rest_of_items(first, OperatorToken::CurlyClose)?;
            return self.make(ExprKind::Set(items), self.since(start));
        }
        let value = self.condition()?;
        if self.at(OperatorToken::For) {
            let dict = self.comprehension(ComprehensionKind::Dict, first, Some(value), start)?;
            self.expect(OperatorToken::CurlyClose)?;
            return Ok(self.spanning(dict, start));
        }
        let pair = |p: &mut Self| {
            let key = p.condition()?;
            p.expect(OperatorToken::Colon)?;
            Ok((key, p.condition()?))
        };
        let pairs = self.items((first, value), |p| !p.at(OperatorToken::CurlyClose), pair)?;
        self.expect(OperatorToken::CurlyClose)?;
        self.make(ExprKind::Dict(pairs), self.since(start))
    }

    fn backquoted(&mut self) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        self.advance();
        let first = self.condition()?;
        let inner = if self.at(OperatorToken::Comma) {
            let items = self.items(first, |_| true, ExprParser::condition)?;
            self.make(ExprKind::Tuple(items), self.since(start))?
        } else {
            first
        };
        self.expect(OperatorToken::Backquote)?;
        self.make(ExprKind::Repr(inner), self.since(start))
    }

    /// The `for` and `if` clauses after `element`.
    fn comprehension(
        &mut self,
        kind: ComprehensionKind,
        element: &'a Expr<'a>,
        value: Option<&'a Expr<'a>>,
        start: Span,
    ) -> Parsed<&'a Expr<'a>> {
        let mut loops = Vec::new_in(self.arena);
        while self.take(OperatorToken::For) {
            let target = self.targets()?;
            self.expect(OperatorToken::In)?;
            let source = match kind {
                ComprehensionKind::List => self.old_list()?,
                ComprehensionKind::Set | ComprehensionKind::Dict | ComprehensionKind::Generator => {
                    self.operators(OR_POWER)?
                }
            };
            let mut tests = Vec::new_in(self.arena);
            while self.take(OperatorToken::If) {
                tests.push(self.old_condition()?);
            }
            loops.push(Loop {
                target,
                source,
                tests: tests.into_bump_slice(),
            });
        }
        let comprehension = self.arena.alloc(Comprehension {
            kind,
            element,
            value,
            loops: loops.into_bump_slice(),
        });
        self.make(ExprKind::Comprehension(comprehension), self.since(start))
    }

    /// The source of a list comprehension, which may be a tuple without brackets: `[x for x in 1, 2]`.
    fn old_list(&mut self) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        let first = self.old_condition()?;
        if !self.at(OperatorToken::Comma) {
            return Ok(first);
        }
        let items = self.items(first, ExprParser::starts_operand, ExprParser::old_condition)?;
        self.make(ExprKind::Tuple(items), self.since(start))
    }

    /// `a`, `a, b`, `(a, b), c`.
    fn targets(&mut self) -> Parsed<Target<'a>> {
        let first = self.target()?;
        if !self.at(OperatorToken::Comma) {
            return Ok(first);
        }
        let items = self.items(first, |p| !p.at(OperatorToken::In), ExprParser::target)?;
        Ok(Target::Tuple(items))
    }

    fn target(&mut self) -> Parsed<Target<'a>> {
        self.nested(|p| {
            let close = match p.token.kind {
                ExprTokenKind::Sign(OperatorToken::RoundOpen) => OperatorToken::RoundClose,
                ExprTokenKind::Sign(OperatorToken::SquareOpen) => OperatorToken::SquareClose,
                ExprTokenKind::Name(_) => return p.bound_name().map(|(name, span)| Target::Name(name, span)),
                ExprTokenKind::Literal(
                    Literal::Int(_) | Literal::Float(_) | Literal::Str(_) | Literal::Unicode(_),
                ) => {
                    return Err(CompileError::syntax(p.span(), "can't assign to literal"));
                }
                _ => return Err(p.unexpected()),
            };
            let start = p.span();
            p.advance();
            if p.at(close) {
                return Err(CompileError::syntax(
                    start,
                    if close == OperatorToken::RoundClose {
                        "can't assign to ()"
                    } else {
                        "can't assign to []"
                    },
                ));
            }
            let first = p.target()?;
            let several = close == OperatorToken::SquareClose || p.at(OperatorToken::Comma);
            let items = p.items(first, |p| !p.at(close), ExprParser::target)?;
            p.expect(close)?;
            Ok(if several { Target::Tuple(items) } else { first })
        })
    }

    /// A name that gets a value.
    pub(crate) fn bound_name(&mut self) -> Parsed<(&'a str, Span)> {
        let span = self.span();
        let ExprTokenKind::Name(name) = self.token.kind else {
            return Err(self.unexpected());
        };
        if name.starts_with("__") && !self.in_file {
            return Err(CompileError::not_available(span, name));
        }
        self.refuse_none(name, span)?;
        self.advance();
        Ok((name, span))
    }

    pub(crate) fn refuse_none(&self, name: &str, span: Span) -> Parsed<()> {
        let constant = self.syntax.constants && matches!(name, "none" | "nil" | "true" | "false");
        if name == "None" || constant {
            return Err(CompileError::syntax(span, format!("cannot assign to {name}")));
        }
        Ok(())
    }

    fn lambda(&mut self, body: fn(&mut Self) -> Parsed<&'a Expr<'a>>) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        self.advance();
        let heads = self.parameters(OperatorToken::Colon, start)?;
        self.expect(OperatorToken::Colon)?;
        let body = body(self)?;
        let lambda = self.arena.alloc(Lambda {
            params: heads.params,
            rest: heads.rest,
            named: heads.named,
            body,
        });
        self.make(ExprKind::Lambda(lambda), self.since(start))
    }

    /// The parameters up to `close`, which is not read.
    pub(crate) fn parameters(&mut self, close: OperatorToken, start: Span) -> Parsed<Parameters<'a>> {
        let (mut params, mut rest, mut named) = (Vec::<Param<'_>>::new_in(self.arena), None, None);
        while !self.at(close) {
            if named.is_some() {
                return Err(self.unexpected());
            }
            if self.take(OperatorToken::StarStar) {
                named = Some(self.bound_name()?.0);
                break;
            }
            if self.take(OperatorToken::Star) {
                if rest.is_some() {
                    return Err(self.unexpected());
                }
                rest = Some(self.bound_name()?.0);
                if !self.take(OperatorToken::Comma) {
                    break;
                }
                if !self.at(OperatorToken::StarStar) {
                    return Err(self.unexpected());
                }
                continue;
            }
            let at = self.span();
            let target = self.parameter()?;
            let default = if self.take(OperatorToken::Assign) {
                Some(self.condition()?)
            } else {
                None
            };
            if default.is_none() && params.last().is_some_and(|last| last.default.is_some()) {
                return Err(CompileError::syntax(
                    at,
                    "non-default argument follows default argument",
                ));
            }
            params.push(Param { target, default });
            if !self.take(OperatorToken::Comma) {
                break;
            }
        }
        if !self.at(close) {
            return Err(self.unexpected());
        }
        refuse_duplicates(&params, rest, named, start)?;
        Ok(Parameters {
            params: params.into_bump_slice(),
            rest,
            named,
        })
    }

    /// A name, or a tuple of them in round brackets.
    fn parameter(&mut self) -> Parsed<Target<'a>> {
        if self.at(OperatorToken::SquareOpen) {
            return Err(self.unexpected());
        }
        self.target()
    }

    /// `all` or `any` at the start of a group form. A call has its bracket directly after the word;
    /// with a blank between, it is a call unless ` in ` follows the bracket (R1021).
    fn group_word(&mut self) -> Option<Quantifier> {
        if !self.syntax.groups {
            return None;
        }
        let ExprTokenKind::Name(word) = self.token.kind else {
            return None;
        };
        let quantifier = match word {
            "all" => Quantifier::All,
            "any" => Quantifier::Any,
            _ => return None,
        };
        let next = self.peek_ahead(1);
        let form = match next.kind {
            ExprTokenKind::Sign(
                OperatorToken::RoundOpen
                | OperatorToken::SquareOpen
                | OperatorToken::Minus
                | OperatorToken::Plus,
            ) => next.span.start > self.span().end && self.has_in(1),
            ExprTokenKind::Sign(
                OperatorToken::CurlyOpen | OperatorToken::Backquote | OperatorToken::Tilde,
            ) => self.has_in(1),
            ExprTokenKind::Sign(OperatorToken::Not) => {
                self.peek_ahead(2).kind != ExprTokenKind::Sign(OperatorToken::In)
            }
            ExprTokenKind::Sign(OperatorToken::Lambda)
            | ExprTokenKind::Name(_)
            | ExprTokenKind::Literal(_)
            | ExprTokenKind::MinInt => true,
            ExprTokenKind::Sign(_)
            | ExprTokenKind::DotIndex(_)
            | ExprTokenKind::Newline
            | ExprTokenKind::Indent
            | ExprTokenKind::Dedent
            | ExprTokenKind::End => false,
        };
        form.then_some(quantifier)
    }

    /// Whether an `in` stands at this bracket depth, `ahead` tokens from here or later, before a comma.
    fn has_in(&mut self, ahead: usize) -> bool {
        let (tokens, arena) = (self.tokens, self.arena);
        let answers = *self.in_follows.get_or_insert_with(|| in_follows(tokens, arena));
        answers.get(self.at + ahead).is_some_and(|answer| *answer)
    }

    /// `all X in L`: L takes the whole rest (R1021).
    fn group(&mut self, quantifier: Quantifier) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        self.advance();
        let element = self.without_in(ExprParser::condition)?;
        self.expect(OperatorToken::In)?;
        let list = self.condition()?;
        let kind = ExprKind::Group {
            quantifier,
            element,
            list,
        };
        self.make(kind, self.since(start))
    }
}

#[cold]
fn too_deep(span: Span) -> CompileError {
    CompileError::limit(span, "expression is nested too deeply")
}

/// For every token, whether an `in` comes at its bracket depth, before a comma or a `for`. Worked out for
/// all at once, from the last to the first: asked one by one, each would look at the whole rest.
fn in_follows<'a>(tokens: &[ExprToken<'_>], arena: &'a Arena) -> &'a [bool] {
    work::count(tokens.len());
    let answers = arena.alloc_slice_fill_copy(tokens.len(), false);
    let (mut here, mut outside) = (false, std::vec::Vec::new());
    for (token, answer) in tokens.iter().zip(&mut *answers).rev() {
        match token.kind {
            ExprTokenKind::Sign(
                OperatorToken::RoundClose | OperatorToken::SquareClose | OperatorToken::CurlyClose,
            ) => {
                outside.push(std::mem::take(&mut here));
                continue;
            }
            ExprTokenKind::Sign(
                OperatorToken::RoundOpen | OperatorToken::SquareOpen | OperatorToken::CurlyOpen,
            ) => {
                here = outside.pop().unwrap_or(false);
            }
            ExprTokenKind::Sign(OperatorToken::Comma | OperatorToken::For) => here = false,
            ExprTokenKind::Sign(OperatorToken::In) => here = true,
            _ => {}
        }
        *answer = here;
    }
    answers
}

/// What stands between the brackets of a `def`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters<'a> {
    /// Plain parameters in order.
    pub params: &'a [Param<'a>],
    /// `*rest`.
    pub rest: Option<&'a str>,
    /// `**named`.
    pub named: Option<&'a str>,
}

/// Arguments of a call as they are read.
struct CallArguments<'a> {
    plain: Vec<'a, &'a Expr<'a>>,
    keywords: Vec<'a, (&'a str, &'a Expr<'a>)>,
    star: Option<&'a Expr<'a>>,
    star_star: Option<&'a Expr<'a>>,
}

/// ASCII as code points; `before` bytes of the same text come before these.
fn ascii_points(bytes: &[u8], before: usize, span: Span) -> Parsed<std::vec::Vec<u32>> {
    bytes
        .iter()
        .enumerate()
        .map(|(at, &byte)| {
            if byte < 128 {
                return Ok(u32::from(byte));
            }
            let message = format!(
                "'ascii' codec can't decode byte 0x{byte:02x} in position {}: ordinal not in range(128)",
                before + at,
            );
            Err(CompileError::new(
                span,
                crate::base::error::ExceptionKind::UnicodeDecodeError,
                message,
            ))
        })
        .collect()
}

fn refuse_duplicates(
    params: &[Param<'_>],
    rest: Option<&str>,
    named: Option<&str>,
    span: Span,
) -> Parsed<()> {
    fn names<'a>(target: &Target<'a>, out: &mut std::vec::Vec<&'a str>) {
        match target {
            Target::Name(name, _) => out.push(name),
            Target::Tuple(items) => items.iter().for_each(|item| names(item, out)),
        }
    }
    let mut all = std::vec::Vec::new();
    params.iter().for_each(|param| names(&param.target, &mut all));
    all.extend(rest);
    all.extend(named);
    let mut sorted = all.clone();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => {
            let message = format!("duplicate argument '{}' in function definition", pair[0]);
            Err(CompileError::syntax(span, message))
        }
        None => Ok(()),
    }
}
