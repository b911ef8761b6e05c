//! Tokens to tree: the expression part of Python 2.7's grammar, by precedence climbing.

use bumpalo::collections::Vec;
use bumpalo::vec;
use cw_text::Span;

use crate::base::error::CompileError;
use crate::base::limits::Limits;
use crate::base::syntax::Syntax;
use crate::base::work;
use crate::tree::ast::{
    Arena, BinaryOp, Call, CompareOp, Comprehension, ComprehensionKind, Constant, Expr, ExprKind, Lambda,
    Literal, Loop, Param, Quantifier, Subscript, Target, UnaryOp,
};
use crate::tree::lex::{Sign, Token, TokenKind, lex};

type Parsed<T> = Result<T, CompileError>;

/// Reads a whole text as one expression.
///
/// ```
/// use cw_expr::ast::{Arena, ExprKind};
/// use cw_expr::{Limits, Syntax, parse};
///
/// let arena = Arena::new();
/// let tree = parse("a or b or c", &arena, &Syntax::default(), &Limits::CARD)?;
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
    limits: &Limits,
) -> Result<&'a Expr<'a>, CompileError> {
    let mut p = Parser::new(text, arena, syntax, limits)?;
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
/// use cw_expr::{Limits, Syntax, parse_group};
///
/// let arena = Arena::new();
/// let parts = parse_group("card in ring", &arena, &Syntax::default(), &Limits::CARD)?;
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
    limits: &Limits,
) -> Result<GroupParts<'a>, CompileError> {
    let mut p = Parser::new(text, arena, syntax, limits)?;
    let element = p.without_in(Parser::condition)?;
    p.expect(Sign::In)?;
    let list = p.condition()?;
    p.end()?;
    Ok(GroupParts { element, list })
}

struct Parser<'a, 's> {
    /// Where the tree grows.
    arena: &'a Arena,
    tokens: &'a [Token<'a>],
    at: usize,
    // Invariant: the token at `at`.
    token: Token<'a>,
    /// Where the token before it ends.
    last_end: u32,
    syntax: &'s Syntax,
    limits: &'s Limits,
    depth: u16,
    /// Bytes of the text.
    length: usize,
    /// Inside the X of `X in L`, where `in` ends the expression.
    no_in: bool,
    /// What [`in_follows`] says, once a group form has asked.
    in_follows: Option<&'a [bool]>,
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

impl<'a, 's> Parser<'a, 's> {
    fn new(
        text: &'a str,
        arena: &'a Arena,
        syntax: &'s Syntax,
        limits: &'s Limits,
    ) -> Parsed<Parser<'a, 's>> {
        let tokens = lex(text, arena, syntax, limits)?;
        Ok(Parser {
            arena,
            tokens,
            at: 0,
            token: tokens[0],
            last_end: 0,
            syntax,
            limits,
            depth: 0,
            length: text.len(),
            no_in: false,
            in_follows: None,
        })
    }

    fn peek_ahead(&self, ahead: usize) -> Token<'a> {
        work::count(1);
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    fn span(&self) -> Span {
        self.token.span
    }

    /// From the start of `start` to where the token before this one ends.
    fn since(&self, start: Span) -> Span {
        Span {
            start: start.start,
            end: self.last_end,
        }
    }

    // Invariant: the last token is `End`, and it is never passed.
    fn advance(&mut self) {
        work::count(1);
        if let Some(next) = self.tokens.get(self.at + 1) {
            self.at += 1;
            self.last_end = self.token.span.end;
            self.token = *next;
        }
    }

    fn at(&self, sign: Sign) -> bool {
        matches!(self.token.kind, TokenKind::Sign(found) if found == sign)
    }

    fn take(&mut self, sign: Sign) -> bool {
        let found = self.at(sign);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: Sign) -> Parsed<()> {
        if self.take(sign) {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    #[cold]
    fn unexpected(&self) -> CompileError {
        // A `not` that is no operator here could still have become `not in`.
        let token = self.peek_ahead(usize::from(self.at(Sign::Not)));
        let message = match token.kind {
            TokenKind::End => "unexpected EOF while parsing",
            // CPython's tokenizer has met the end of the text when it looked behind this token.
            TokenKind::Literal(Literal::Str(_) | Literal::Unicode(_)) => "invalid syntax",
            _ if token.span.end as usize == self.length && !self.after_newline() => {
                "unexpected EOF while parsing"
            }
            _ => "invalid syntax",
        };
        CompileError::syntax(token.span, message)
    }

    fn after_newline(&self) -> bool {
        self.tokens[..self.at]
            .iter()
            .any(|token| token.kind == TokenKind::Newline)
    }

    fn end(&mut self) -> Parsed<()> {
        self.newlines();
        match self.token.kind {
            TokenKind::End => Ok(()),
            _ => Err(self.unexpected()),
        }
    }

    fn newlines(&mut self) {
        while matches!(self.token.kind, TokenKind::Newline) {
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
        while self.take(Sign::Comma) {
            if !more(self) {
                break;
            }
            items.push(item(self)?);
        }
        Ok(items.into_bump_slice())
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
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

    fn without_in<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer = std::mem::replace(&mut self.no_in, true);
        let result = inner(self);
        self.no_in = outer;
        result
    }

    /// `a` or `a, b,`.
    fn expression_list(&mut self) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        let first = self.condition()?;
        if !self.at(Sign::Comma) {
            return Ok(first);
        }
        let items = self.items(first, Parser::starts_operand, Parser::condition)?;
        self.make(ExprKind::Tuple(items), self.since(start))
    }

    /// Whether an expression can begin here.
    fn starts_operand(&self) -> bool {
        match self.token.kind {
            TokenKind::Name(_) | TokenKind::Literal(_) | TokenKind::MinInt => true,
            TokenKind::Sign(sign) => matches!(
                sign,
                Sign::Not
                    | Sign::Lambda
                    | Sign::RoundOpen
                    | Sign::SquareOpen
                    | Sign::CurlyOpen
                    | Sign::Backquote
                    | Sign::Plus
                    | Sign::Minus
                    | Sign::Tilde
            ),
            TokenKind::DotIndex(_) | TokenKind::Newline | TokenKind::End => false,
        }
    }

    /// `a if b else c`, `lambda …`, or anything tighter.
    fn condition(&mut self) -> Parsed<&'a Expr<'a>> {
        self.nested(|p| {
            let start = p.span();
            if p.at(Sign::Lambda) {
                return p.lambda(Parser::condition);
            }
            let then = p.operators(OR_POWER)?;
            if !p.take(Sign::If) {
                return Ok(then);
            }
            let test = p.operators(OR_POWER)?;
            p.expect(Sign::Else)?;
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
        if self.at(Sign::Lambda) {
            self.nested(|p| p.lambda(Parser::old_condition))
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
                    let items = self.chain(left, Sign::Or, AND_POWER)?;
                    self.make(ExprKind::Or(items), self.since(start))?
                }
                Infix::And => {
                    let items = self.chain(left, Sign::And, NOT_POWER)?;
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
        let TokenKind::Sign(sign) = self.token.kind else {
            return None;
        };
        let compare = |op| Some((COMPARE_POWER, Infix::Compare(op)));
        let binary = |power, op| Some((power, Infix::Binary(op)));
        match sign {
            Sign::Or => Some((OR_POWER, Infix::Or)),
            Sign::And => Some((AND_POWER, Infix::And)),
            Sign::Lt => compare(CompareOp::Lt),
            Sign::Le => compare(CompareOp::Le),
            Sign::Gt => compare(CompareOp::Gt),
            Sign::Ge => compare(CompareOp::Ge),
            Sign::Eq => compare(CompareOp::Eq),
            Sign::Ne => compare(CompareOp::Ne),
            Sign::In if !self.no_in => compare(CompareOp::In),
            Sign::Not if !self.no_in && self.next_is(Sign::In) => compare(CompareOp::NotIn),
            Sign::Is if self.next_is(Sign::Not) => compare(CompareOp::IsNot),
            Sign::Is => compare(CompareOp::Is),
            Sign::Pipe => binary(5, BinaryOp::Or),
            Sign::Caret => binary(6, BinaryOp::Xor),
            Sign::Ampersand => binary(7, BinaryOp::And),
            Sign::Shl => binary(8, BinaryOp::Shl),
            Sign::Shr => binary(8, BinaryOp::Shr),
            Sign::Plus => binary(9, BinaryOp::Add),
            Sign::Minus => binary(9, BinaryOp::Sub),
            Sign::Star => binary(10, BinaryOp::Mul),
            Sign::Slash => binary(10, BinaryOp::Div),
            Sign::SlashSlash => binary(10, BinaryOp::FloorDiv),
            Sign::Percent => binary(10, BinaryOp::Mod),
            _ => None,
        }
    }

    fn next_is(&self, sign: Sign) -> bool {
        self.peek_ahead(1).kind == TokenKind::Sign(sign)
    }

    /// `not a` and group forms, which nothing tighter may contain unbracketed; else a signed primary.
    fn prefix(&mut self, least: u8) -> Parsed<&'a Expr<'a>> {
        if least <= NOT_POWER && self.at(Sign::Not) {
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

    fn chain(&mut self, first: &'a Expr<'a>, word: Sign, tighter: u8) -> Parsed<&'a [&'a Expr<'a>]> {
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
            TokenKind::Sign(Sign::Minus) => UnaryOp::Neg,
            TokenKind::Sign(Sign::Plus) => UnaryOp::Pos,
            TokenKind::Sign(Sign::Tilde) => UnaryOp::Invert,
            _ => return self.power(),
        };
        self.advance();
        // `-9223372036854775808` is an int, though its digits alone are not: CPython folds the sign in.
        if op == UnaryOp::Neg && !self.goes_on_after_number() {
            let folded = match self.token.kind {
                TokenKind::MinInt => Some(Literal::Int(i64::MIN)),
                TokenKind::Literal(Literal::Imaginary(value)) => Some(Literal::Imaginary(-value)),
                _ => None,
            };
            if let Some(literal) = folded {
                self.advance();
                return self.make(ExprKind::Literal(literal), self.since(start));
            }
        }
        let operand = self.nested(Parser::unary)?;
        self.make(ExprKind::Unary(op, operand), self.since(start))
    }

    fn goes_on_after_number(&self) -> bool {
        matches!(
            self.peek_ahead(1).kind,
            TokenKind::Sign(Sign::StarStar | Sign::Dot | Sign::SquareOpen | Sign::RoundOpen)
        )
    }

    fn power(&mut self) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        let base = self.primary()?;
        if !self.take(Sign::StarStar) {
            return Ok(base);
        }
        let exponent = self.nested(Parser::unary)?;
        self.make(ExprKind::Binary(BinaryOp::Pow, base, exponent), self.since(start))
    }

    /// An atom with its attributes, calls and subscripts.
    fn primary(&mut self) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        let mut expr = self.atom()?;
        loop {
            expr = match self.token.kind {
                TokenKind::Sign(Sign::Dot) => self.attribute(expr, start)?,
                TokenKind::DotIndex(index) => {
                    let kind = ExprKind::DotIndex {
                        object: expr,
                        index,
                        index_span: self.span(),
                    };
                    self.advance();
                    self.make(kind, self.since(start))?
                }
                TokenKind::Sign(Sign::RoundOpen) => {
                    self.advance();
                    let call = self.nested(|p| p.with_in(|p| p.call(expr)))?;
                    self.make(ExprKind::Call(call), self.since(start))?
                }
                TokenKind::Sign(Sign::SquareOpen) => {
                    self.advance();
                    let kind = ExprKind::Subscript {
                        object: expr,
                        index: self.nested(|p| p.with_in(Parser::subscripts))?,
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
        let TokenKind::Name(name) = self.token.kind else {
            return Err(self.unexpected());
        };
        if name.starts_with("__") {
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

    fn call(&mut self, function: &'a Expr<'a>) -> Parsed<&'a Call<'a>> {
        let mut out = Arguments {
            plain: Vec::new_in(self.arena),
            keywords: Vec::new_in(self.arena),
            star: None,
            star_star: None,
        };
        while !self.at(Sign::RoundClose) {
            if out.star_star.is_some() {
                return Err(self.unexpected());
            }
            let start = self.span();
            self.argument(&mut out)?;
            if out.plain.len() + out.keywords.len() > MOST_ARGUMENTS {
                return Err(CompileError::syntax(start, "more than 255 arguments"));
            }
            if !self.take(Sign::Comma) {
                break;
            }
            if self.at(Sign::RoundClose) && (out.star.is_some() || out.star_star.is_some()) {
                return Err(self.unexpected());
            }
        }
        self.expect(Sign::RoundClose)?;
        Ok(self.arena.alloc(Call {
            function,
            args: out.plain.into_bump_slice(),
            keywords: out.keywords.into_bump_slice(),
            star: out.star,
            star_star: out.star_star,
        }))
    }

    fn argument(&mut self, out: &mut Arguments<'a>) -> Parsed<()> {
        let start = self.span();
        if self.take(Sign::StarStar) {
            out.star_star = Some(self.condition()?);
            return Ok(());
        }
        if self.at(Sign::Star) && out.star.is_none() {
            self.advance();
            out.star = Some(self.condition()?);
            return Ok(());
        }
        let value = self.condition()?;
        if self.at(Sign::Assign) {
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
        let value = if self.at(Sign::For) {
            let generator = self.comprehension(ComprehensionKind::Generator, value, None, start)?;
            let alone = out.plain.is_empty()
                && out.keywords.is_empty()
                && out.star.is_none()
                && self.at(Sign::RoundClose);
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
        let several = self.at(Sign::Comma);
        let parts = self.items(first, |p| !p.at(Sign::SquareClose), Parser::subscript)?;
        self.expect(Sign::SquareClose)?;
        // `a[i, j]` indexes with an ordinary tuple.
        Ok(match parts {
            [only] if !several => only,
            parts => self.arena.alloc(Subscript::Tuple(parts)),
        })
    }

    fn subscript(&mut self) -> Parsed<Subscript<'a>> {
        if self.take(Sign::Ellipsis) {
            return Ok(Subscript::Ellipsis);
        }
        let start = if self.at(Sign::Colon) {
            None
        } else {
            Some(self.condition()?)
        };
        if !self.take(Sign::Colon) {
            return start.map(Subscript::Index).ok_or_else(|| self.unexpected());
        }
        let stop = if self.starts_operand() {
            Some(self.condition()?)
        } else {
            None
        };
        let extended = self.take(Sign::Colon);
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
            TokenKind::Name(name) => match self.name(name)? {
                Some(constant) => Literal::Constant(constant),
                None => {
                    self.advance();
                    return self.make(ExprKind::Name(name), start);
                }
            },
            TokenKind::Literal(Literal::Str(_) | Literal::Unicode(_)) => return self.strings(),
            TokenKind::Literal(literal) => literal,
            TokenKind::MinInt => Literal::Long(&[0, 1 << 31]),
            TokenKind::Sign(Sign::RoundOpen) => return self.nested(|p| p.with_in(Parser::round)),
            TokenKind::Sign(Sign::SquareOpen) => return self.nested(|p| p.with_in(Parser::square)),
            TokenKind::Sign(Sign::CurlyOpen) => return self.nested(|p| p.with_in(Parser::curly)),
            TokenKind::Sign(Sign::Backquote) => return self.nested(|p| p.with_in(Parser::backquoted)),
            _ => return Err(self.unexpected()),
        };
        self.advance();
        self.make(ExprKind::Literal(literal), start)
    }

    /// The constant that a name here is, if it is one.
    fn name(&self, name: &str) -> Parsed<Option<Constant>> {
        if name.starts_with("__") {
            return Err(CompileError::not_available(self.span(), name));
        }
        Ok(match name {
            "None" => Some(Constant::None),
            "none" | "nil" if self.syntax.constants => Some(Constant::None),
            "true" if self.syntax.constants => Some(Constant::True),
            "false" if self.syntax.constants => Some(Constant::False),
            _ => None,
        })
    }

    /// One or more string literals side by side, joined once: unicode if any of them is.
    fn strings(&mut self) -> Parsed<&'a Expr<'a>> {
        let (start, first) = (self.span(), self.at);
        let mut length = 0;
        loop {
            length += match self.token.kind {
                TokenKind::Literal(Literal::Str(bytes)) => bytes.len(),
                TokenKind::Literal(Literal::Unicode(points)) => points.len(),
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
    fn joined(&self, tokens: &[Token<'a>], length: usize, span: Span) -> Parsed<Literal<'a>> {
        work::count(length);
        if let [only] = tokens
            && let TokenKind::Literal(literal) = only.kind
        {
            return Ok(literal);
        }
        let literals = || tokens.iter().map(|token| token.kind);
        if literals().all(|kind| matches!(kind, TokenKind::Literal(Literal::Str(_)))) {
            let mut joined = Vec::with_capacity_in(length, self.arena);
            for kind in literals() {
                if let TokenKind::Literal(Literal::Str(bytes)) = kind {
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
                TokenKind::Literal(Literal::Str(bytes)) => {
                    points.extend(ascii_points(bytes, before.unwrap_or(0), span)?);
                    before = before.map(|before| before + bytes.len());
                }
                TokenKind::Literal(Literal::Unicode(more)) => {
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
        if self.take(Sign::RoundClose) {
            return self.make(ExprKind::Tuple(&[]), self.since(start));
        }
        let inner_start = self.span();
        let first = self.condition()?;
        if self.at(Sign::For) {
            let generator = self.comprehension(ComprehensionKind::Generator, first, None, inner_start)?;
            self.expect(Sign::RoundClose)?;
            return Ok(generator);
        }
        if !self.at(Sign::Comma) {
            self.expect(Sign::RoundClose)?;
            return Ok(first);
        }
        let items = self.rest_of_items(first, Sign::RoundClose)?;
        self.make(ExprKind::Tuple(items), self.since(start))
    }

    /// `[]`, `[a, b]`, `[a for …]`.
    fn square(&mut self) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        self.advance();
        if self.take(Sign::SquareClose) {
            return self.make(ExprKind::List(&[]), self.since(start));
        }
        let first = self.condition()?;
        if self.at(Sign::For) {
            let list = self.comprehension(ComprehensionKind::List, first, None, start)?;
            self.expect(Sign::SquareClose)?;
            return Ok(self.spanning(list, start));
        }
        let items = self.rest_of_items(first, Sign::SquareClose)?;
        self.make(ExprKind::List(items), self.since(start))
    }

    fn rest_of_items(&mut self, first: &'a Expr<'a>, close: Sign) -> Parsed<&'a [&'a Expr<'a>]> {
        let items = self.items(first, |p| !p.at(close), Parser::condition)?;
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
        if self.take(Sign::CurlyClose) {
            return self.make(ExprKind::Dict(&[]), self.since(start));
        }
        let first = self.condition()?;
        if !self.take(Sign::Colon) {
            if self.at(Sign::For) {
                let set = self.comprehension(ComprehensionKind::Set, first, None, start)?;
                self.expect(Sign::CurlyClose)?;
                return Ok(self.spanning(set, start));
            }
            let items = self.rest_of_items(first, Sign::CurlyClose)?;
            return self.make(ExprKind::Set(items), self.since(start));
        }
        let value = self.condition()?;
        if self.at(Sign::For) {
            let dict = self.comprehension(ComprehensionKind::Dict, first, Some(value), start)?;
            self.expect(Sign::CurlyClose)?;
            return Ok(self.spanning(dict, start));
        }
        let pair = |p: &mut Self| {
            let key = p.condition()?;
            p.expect(Sign::Colon)?;
            Ok((key, p.condition()?))
        };
        let pairs = self.items((first, value), |p| !p.at(Sign::CurlyClose), pair)?;
        self.expect(Sign::CurlyClose)?;
        self.make(ExprKind::Dict(pairs), self.since(start))
    }

    fn backquoted(&mut self) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        self.advance();
        let first = self.condition()?;
        let inner = if self.at(Sign::Comma) {
            let items = self.items(first, |_| true, Parser::condition)?;
            self.make(ExprKind::Tuple(items), self.since(start))?
        } else {
            first
        };
        self.expect(Sign::Backquote)?;
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
        while self.take(Sign::For) {
            let target = self.targets()?;
            self.expect(Sign::In)?;
            let source = match kind {
                ComprehensionKind::List => self.old_list()?,
                ComprehensionKind::Set | ComprehensionKind::Dict | ComprehensionKind::Generator => {
                    self.operators(OR_POWER)?
                }
            };
            let mut tests = Vec::new_in(self.arena);
            while self.take(Sign::If) {
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
        if !self.at(Sign::Comma) {
            return Ok(first);
        }
        let items = self.items(first, Parser::starts_operand, Parser::old_condition)?;
        self.make(ExprKind::Tuple(items), self.since(start))
    }

    /// `a`, `a, b`, `(a, b), c`.
    fn targets(&mut self) -> Parsed<Target<'a>> {
        let first = self.target()?;
        if !self.at(Sign::Comma) {
            return Ok(first);
        }
        let items = self.items(first, |p| !p.at(Sign::In), Parser::target)?;
        Ok(Target::Tuple(items))
    }

    fn target(&mut self) -> Parsed<Target<'a>> {
        self.nested(|p| {
            let close = match p.token.kind {
                TokenKind::Sign(Sign::RoundOpen) => Sign::RoundClose,
                TokenKind::Sign(Sign::SquareOpen) => Sign::SquareClose,
                TokenKind::Name(_) => return p.bound_name().map(|(name, span)| Target::Name(name, span)),
                TokenKind::Literal(
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
                    if close == Sign::RoundClose {
                        "can't assign to ()"
                    } else {
                        "can't assign to []"
                    },
                ));
            }
            let first = p.target()?;
            let several = close == Sign::SquareClose || p.at(Sign::Comma);
            let items = p.items(first, |p| !p.at(close), Parser::target)?;
            p.expect(close)?;
            Ok(if several { Target::Tuple(items) } else { first })
        })
    }

    /// A name that gets a value.
    fn bound_name(&mut self) -> Parsed<(&'a str, Span)> {
        let span = self.span();
        let TokenKind::Name(name) = self.token.kind else {
            return Err(self.unexpected());
        };
        if name.starts_with("__") {
            return Err(CompileError::not_available(span, name));
        }
        self.refuse_none(name, span)?;
        self.advance();
        Ok((name, span))
    }

    fn refuse_none(&self, name: &str, span: Span) -> Parsed<()> {
        let constant = self.syntax.constants && matches!(name, "none" | "nil" | "true" | "false");
        if name == "None" || constant {
            return Err(CompileError::syntax(span, format!("cannot assign to {name}")));
        }
        Ok(())
    }

    fn lambda(&mut self, body: fn(&mut Self) -> Parsed<&'a Expr<'a>>) -> Parsed<&'a Expr<'a>> {
        let start = self.span();
        self.advance();
        let (mut params, mut rest, mut named) = (Vec::<Param<'_>>::new_in(self.arena), None, None);
        while !self.at(Sign::Colon) {
            if named.is_some() {
                return Err(self.unexpected());
            }
            if self.take(Sign::StarStar) {
                named = Some(self.bound_name()?.0);
                break;
            }
            if self.take(Sign::Star) {
                if rest.is_some() {
                    return Err(self.unexpected());
                }
                rest = Some(self.bound_name()?.0);
                if !self.take(Sign::Comma) {
                    break;
                }
                if !self.at(Sign::StarStar) {
                    return Err(self.unexpected());
                }
                continue;
            }
            let at = self.span();
            let target = self.parameter()?;
            let default = if self.take(Sign::Assign) {
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
            if !self.take(Sign::Comma) {
                break;
            }
        }
        self.expect(Sign::Colon)?;
        refuse_duplicates(&params, rest, named, start)?;
        let body = body(self)?;
        let lambda = self.arena.alloc(Lambda {
            params: params.into_bump_slice(),
            rest,
            named,
            body,
        });
        self.make(ExprKind::Lambda(lambda), self.since(start))
    }

    /// A name, or a tuple of them in round brackets.
    fn parameter(&mut self) -> Parsed<Target<'a>> {
        if self.at(Sign::SquareOpen) {
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
        let TokenKind::Name(word) = self.token.kind else {
            return None;
        };
        let quantifier = match word {
            "all" => Quantifier::All,
            "any" => Quantifier::Any,
            _ => return None,
        };
        let next = self.peek_ahead(1);
        let form = match next.kind {
            TokenKind::Sign(Sign::RoundOpen | Sign::SquareOpen | Sign::Minus | Sign::Plus) => {
                next.span.start > self.span().end && self.has_in(1)
            }
            TokenKind::Sign(Sign::CurlyOpen | Sign::Backquote | Sign::Tilde) => self.has_in(1),
            TokenKind::Sign(Sign::Not) => self.peek_ahead(2).kind != TokenKind::Sign(Sign::In),
            TokenKind::Sign(Sign::Lambda)
            | TokenKind::Name(_)
            | TokenKind::Literal(_)
            | TokenKind::MinInt => true,
            TokenKind::Sign(_) | TokenKind::DotIndex(_) | TokenKind::Newline | TokenKind::End => false,
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
        let element = self.without_in(Parser::condition)?;
        self.expect(Sign::In)?;
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
fn in_follows<'a>(tokens: &[Token<'_>], arena: &'a Arena) -> &'a [bool] {
    work::count(tokens.len());
    let answers = arena.alloc_slice_fill_copy(tokens.len(), false);
    let (mut here, mut outside) = (false, std::vec::Vec::new());
    for (token, answer) in tokens.iter().zip(&mut *answers).rev() {
        match token.kind {
            TokenKind::Sign(Sign::RoundClose | Sign::SquareClose | Sign::CurlyClose) => {
                outside.push(std::mem::take(&mut here));
                continue;
            }
            TokenKind::Sign(Sign::RoundOpen | Sign::SquareOpen | Sign::CurlyOpen) => {
                here = outside.pop().unwrap_or(false);
            }
            TokenKind::Sign(Sign::Comma | Sign::For) => here = false,
            TokenKind::Sign(Sign::In) => here = true,
            _ => {}
        }
        *answer = here;
    }
    answers
}

/// Arguments of a call as they are read.
struct Arguments<'a> {
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
