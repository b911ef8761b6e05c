//! Tokens to tree: the expression part of Python 2.7's grammar, by precedence climbing.

use cw_text::Span;
use num_bigint::BigInt;

use crate::ast::{
    BinaryOp, Call, CompareOp, Comprehension, ComprehensionKind, Constant, Expr, ExprKind, Lambda, Literal,
    Loop, Param, Quantifier, Subscript, Target, UnaryOp,
};
use crate::error::CompileError;
use crate::lex::{Token, TokenKind, lex};
use crate::limits::Limits;
use crate::syntax::Syntax;

type Parsed<T> = Result<T, CompileError>;

/// Reads a whole text as one expression.
///
/// # Errors
/// Where and why it is none, or which limit it exceeds.
pub fn parse(text: &str, syntax: &Syntax, limits: &Limits) -> Result<Expr, CompileError> {
    let mut p = Parser::new(text, syntax, limits)?;
    while *p.peek() == TokenKind::Newline {
        p.advance();
    }
    let expr = p.expression_list()?;
    p.end()?;
    Ok(expr)
}

/// The two halves of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupParts {
    /// X: what is computed for each element.
    pub element: Expr,
    /// L: what gives the elements.
    pub list: Expr,
}

/// Reads a whole text as `X in L`, the left part of a repetition (R1020).
///
/// # Errors
/// As [`parse`]; also when there is no ` in `.
pub fn parse_group(text: &str, syntax: &Syntax, limits: &Limits) -> Result<GroupParts, CompileError> {
    let mut p = Parser::new(text, syntax, limits)?;
    let element = p.without_in(Parser::condition)?;
    p.expect_keyword("in")?;
    let list = p.condition()?;
    p.end()?;
    Ok(GroupParts { element, list })
}

struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    syntax: &'a Syntax,
    limits: &'a Limits,
    depth: u16,
    /// Bytes of the text.
    length: usize,
    /// Inside the X of `X in L`, where `in` ends the expression.
    no_in: bool,
}

/// Binding powers of the operators between operands, loosest first: R1031.
const OR_POWER: u8 = 1;
const AND_POWER: u8 = 2;
const NOT_POWER: u8 = 3;
const COMPARE_POWER: u8 = 4;

fn binary_power(op: &str) -> Option<(u8, BinaryOp)> {
    Some(match op {
        "|" => (5, BinaryOp::Or),
        "^" => (6, BinaryOp::Xor),
        "&" => (7, BinaryOp::And),
        "<<" => (8, BinaryOp::Shl),
        ">>" => (8, BinaryOp::Shr),
        "+" => (9, BinaryOp::Add),
        "-" => (9, BinaryOp::Sub),
        "*" => (10, BinaryOp::Mul),
        "/" => (10, BinaryOp::Div),
        "//" => (10, BinaryOp::FloorDiv),
        "%" => (10, BinaryOp::Mod),
        _ => return None,
    })
}

impl<'a> Parser<'a> {
    fn new(text: &str, syntax: &'a Syntax, limits: &'a Limits) -> Parsed<Parser<'a>> {
        Ok(Parser {
            tokens: lex(text, syntax, limits)?,
            at: 0,
            syntax,
            limits,
            depth: 0,
            length: text.len(),
            no_in: false,
        })
    }

    fn peek(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    fn peek_ahead(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// Where the token before ends.
    fn last_end(&self) -> usize {
        self.at
            .checked_sub(1)
            .map_or(0, |last| self.tokens[last].span.end as usize)
    }

    fn since(&self, start: Span) -> Span {
        Span::new(start.start as usize, self.last_end())
    }

    // Invariant: the last token is `End`, and it is never passed.
    fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn at_op(&self, op: &str) -> bool {
        matches!(self.peek(), TokenKind::Op(found) if *found == op)
    }

    fn at_keyword(&self, word: &str) -> bool {
        matches!(self.peek(), TokenKind::Keyword(found) if *found == word)
    }

    fn take_op(&mut self, op: &str) -> bool {
        let found = self.at_op(op);
        if found {
            self.advance();
        }
        found
    }

    fn take_keyword(&mut self, word: &str) -> bool {
        let found = self.at_keyword(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect_op(&mut self, op: &str) -> Parsed<()> {
        if self.take_op(op) {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    fn expect_keyword(&mut self, word: &str) -> Parsed<()> {
        if self.take_keyword(word) {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    fn unexpected(&self) -> CompileError {
        // A `not` that is no operator here could still have become `not in`.
        let token = self.peek_ahead(usize::from(self.at_keyword("not")));
        let message = match &token.kind {
            TokenKind::End => "unexpected EOF while parsing",
            // CPython's tokenizer has met the end of the text when it looked behind this token.
            TokenKind::Str(_) | TokenKind::Unicode(_) => "invalid syntax",
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
        while *self.peek() == TokenKind::Newline {
            self.advance();
        }
        if *self.peek() == TokenKind::End {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    fn make(&self, kind: ExprKind, span: Span) -> Parsed<Expr> {
        let expr = Expr::new(kind, span);
        if expr.height > self.limits.height {
            return Err(CompileError::limit(span, "expression is nested too deeply"));
        }
        Ok(expr)
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > self.limits.height {
            return Err(CompileError::limit(
                self.span(),
                "expression is nested too deeply",
            ));
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
    fn expression_list(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let first = self.condition()?;
        if !self.at_op(",") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.take_op(",") {
            if !self.starts_operand() {
                break;
            }
            items.push(self.condition()?);
        }
        self.make(ExprKind::Tuple(items), self.since(start))
    }

    /// Whether an expression can begin here.
    fn starts_operand(&self) -> bool {
        match self.peek() {
            TokenKind::Name(_)
            | TokenKind::Int(_)
            | TokenKind::MinInt
            | TokenKind::Long(_)
            | TokenKind::Float(_)
            | TokenKind::Imaginary(_)
            | TokenKind::Str(_)
            | TokenKind::Unicode(_) => true,
            TokenKind::Keyword(word) => matches!(*word, "not" | "lambda"),
            TokenKind::Op(op) => matches!(*op, "(" | "[" | "{" | "`" | "+" | "-" | "~"),
            TokenKind::DotIndex(_) | TokenKind::Newline | TokenKind::End => false,
        }
    }

    /// `a if b else c`, `lambda …`, or anything tighter.
    fn condition(&mut self) -> Parsed<Expr> {
        self.nested(|p| {
            let start = p.span();
            if p.at_keyword("lambda") {
                return p.lambda(Parser::condition);
            }
            let then = p.operators(OR_POWER)?;
            if !p.take_keyword("if") {
                return Ok(then);
            }
            let test = p.operators(OR_POWER)?;
            p.expect_keyword("else")?;
            let otherwise = p.condition()?;
            let kind = ExprKind::IfElse {
                test: Box::new(test),
                then: Box::new(then),
                otherwise: Box::new(otherwise),
            };
            p.make(kind, p.since(start))
        })
    }

    /// What may stand after `if` in a comprehension: no conditional expression.
    fn old_condition(&mut self) -> Parsed<Expr> {
        if self.at_keyword("lambda") {
            self.nested(|p| p.lambda(Parser::old_condition))
        } else {
            self.operators(OR_POWER)
        }
    }

    /// Operators that bind at least as tightly as `least`.
    fn operators(&mut self, least: u8) -> Parsed<Expr> {
        let start = self.span();
        let mut left = self.prefix(least)?;
        loop {
            let kind = if least <= OR_POWER && self.at_keyword("or") {
                ExprKind::Or(self.chain(left, "or", AND_POWER)?)
            } else if least <= AND_POWER && self.at_keyword("and") {
                ExprKind::And(self.chain(left, "and", NOT_POWER)?)
            } else if least <= COMPARE_POWER && self.compare_op().is_some() {
                self.comparison(left)?
            } else if let TokenKind::Op(op) = self.peek()
                && let Some((power, op)) = binary_power(op)
                && power >= least
            {
                self.advance();
                let right = self.nested(|p| p.operators(power + 1))?;
                ExprKind::Binary(op, Box::new(left), Box::new(right))
            } else {
                return Ok(left);
            };
            left = self.make(kind, self.since(start))?;
        }
    }

    /// `not a` and group forms, which nothing tighter may contain unbracketed; else a signed primary.
    fn prefix(&mut self, least: u8) -> Parsed<Expr> {
        if least <= NOT_POWER && self.at_keyword("not") {
            let start = self.span();
            self.advance();
            let operand = self.nested(|p| p.operators(NOT_POWER))?;
            return self.make(
                ExprKind::Unary(UnaryOp::Not, Box::new(operand)),
                self.since(start),
            );
        }
        if least <= NOT_POWER
            && let Some(quantifier) = self.group_word()
        {
            return self.nested(|p| p.group(quantifier));
        }
        self.unary()
    }

    fn chain(&mut self, first: Expr, word: &str, tighter: u8) -> Parsed<Vec<Expr>> {
        let mut items = vec![first];
        while self.take_keyword(word) {
            items.push(self.nested(|p| p.operators(tighter))?);
        }
        Ok(items)
    }

    /// The comparison operator here, and how many tokens it takes.
    fn compare_op(&self) -> Option<(CompareOp, usize)> {
        let op = match self.peek() {
            TokenKind::Op(op) => match *op {
                "<" => CompareOp::Lt,
                "<=" => CompareOp::Le,
                ">" => CompareOp::Gt,
                ">=" => CompareOp::Ge,
                "==" => CompareOp::Eq,
                "!=" | "<>" => CompareOp::Ne,
                _ => return None,
            },
            TokenKind::Keyword("in") if !self.no_in => CompareOp::In,
            TokenKind::Keyword("not")
                if !self.no_in && self.peek_ahead(1).kind == TokenKind::Keyword("in") =>
            {
                return Some((CompareOp::NotIn, 2));
            }
            TokenKind::Keyword("is") => {
                if self.peek_ahead(1).kind == TokenKind::Keyword("not") {
                    return Some((CompareOp::IsNot, 2));
                }
                CompareOp::Is
            }
            _ => return None,
        };
        Some((op, 1))
    }

    fn comparison(&mut self, first: Expr) -> Parsed<ExprKind> {
        let mut rest = Vec::new();
        while let Some((op, tokens)) = self.compare_op() {
            for _ in 0..tokens {
                self.advance();
            }
            rest.push((op, self.nested(|p| p.operators(COMPARE_POWER + 1))?));
        }
        Ok(ExprKind::Compare(Box::new(first), rest))
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let op = match self.peek() {
            TokenKind::Op("-") => UnaryOp::Neg,
            TokenKind::Op("+") => UnaryOp::Pos,
            TokenKind::Op("~") => UnaryOp::Invert,
            _ => return self.power(),
        };
        self.advance();
        // `-9223372036854775808` is an int, though its digits alone are not: CPython folds the sign in.
        if op == UnaryOp::Neg && *self.peek() == TokenKind::MinInt && !self.goes_on_after_number() {
            self.advance();
            return self.make(ExprKind::Literal(Literal::Int(i64::MIN)), self.since(start));
        }
        if op == UnaryOp::Neg
            && let TokenKind::Imaginary(value) = *self.peek()
            && !self.goes_on_after_number()
        {
            self.advance();
            return self.make(ExprKind::Literal(Literal::Imaginary(-value)), self.since(start));
        }
        let operand = self.nested(Parser::unary)?;
        self.make(ExprKind::Unary(op, Box::new(operand)), self.since(start))
    }

    fn goes_on_after_number(&self) -> bool {
        matches!(self.peek_ahead(1).kind, TokenKind::Op("**" | "." | "[" | "("))
    }

    fn power(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let base = self.primary()?;
        if !self.take_op("**") {
            return Ok(base);
        }
        let exponent = self.nested(Parser::unary)?;
        self.make(
            ExprKind::Binary(BinaryOp::Pow, Box::new(base), Box::new(exponent)),
            self.since(start),
        )
    }

    /// An atom with its attributes, calls and subscripts.
    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut expr = self.atom()?;
        loop {
            let kind = match self.peek() {
                TokenKind::Op(".") => {
                    self.advance();
                    self.attribute(expr)?
                }
                TokenKind::DotIndex(index) => {
                    let (index, index_span) = (*index, self.span());
                    self.advance();
                    ExprKind::DotIndex {
                        object: Box::new(expr),
                        index,
                        index_span,
                    }
                }
                TokenKind::Op("(") => {
                    self.advance();
                    self.nested(|p| p.with_in(|p| p.call(expr)))?
                }
                TokenKind::Op("[") => {
                    self.advance();
                    let index = self.nested(|p| p.with_in(Parser::subscripts))?;
                    ExprKind::Subscript {
                        object: Box::new(expr),
                        index: Box::new(index),
                    }
                }
                _ => return Ok(expr),
            };
            expr = self.make(kind, self.since(start))?;
        }
    }

    fn attribute(&mut self, object: Expr) -> Parsed<ExprKind> {
        let name_span = self.span();
        let TokenKind::Name(name) = &mut self.tokens[self.at].kind else {
            return Err(self.unexpected());
        };
        let name = std::mem::take(name);
        if name.starts_with("__") {
            return Err(CompileError::not_available(name_span, name));
        }
        self.advance();
        Ok(ExprKind::Attribute {
            object: Box::new(object),
            name,
            name_span,
        })
    }

    fn call(&mut self, function: Expr) -> Parsed<ExprKind> {
        let mut call = Call {
            function,
            args: Vec::new(),
            keywords: Vec::new(),
            star: None,
            star_star: None,
        };
        while !self.at_op(")") {
            if call.star_star.is_some() {
                return Err(self.unexpected());
            }
            self.argument(&mut call)?;
            if !self.take_op(",") {
                break;
            }
            if self.at_op(")") && (call.star.is_some() || call.star_star.is_some()) {
                return Err(self.unexpected());
            }
        }
        self.expect_op(")")?;
        Ok(ExprKind::Call(Box::new(call)))
    }

    fn argument(&mut self, call: &mut Call) -> Parsed<()> {
        let start = self.span();
        if self.take_op("**") {
            call.star_star = Some(self.condition()?);
            return Ok(());
        }
        if self.at_op("*") && call.star.is_none() {
            self.advance();
            call.star = Some(self.condition()?);
            return Ok(());
        }
        let value = self.condition()?;
        if self.at_op("=") {
            let ExprKind::Name(name) = value.kind else {
                let message = match value.kind {
                    ExprKind::Literal(Literal::Constant(_)) => "cannot assign to None",
                    ExprKind::Lambda(_) => "lambda cannot contain assignment",
                    _ => "keyword can't be an expression",
                };
                return Err(CompileError::syntax(start, message));
            };
            self.refuse_none(&name, start)?;
            self.advance();
            if call.keywords.iter().any(|(known, _)| *known == name) {
                return Err(CompileError::syntax(start, "keyword argument repeated"));
            }
            let value = self.condition()?;
            call.keywords.push((name.into(), value));
            return Ok(());
        }
        let value = if self.at_keyword("for") {
            let generator = self.comprehension(ComprehensionKind::Generator, value, None, start)?;
            let alone =
                call.args.is_empty() && call.keywords.is_empty() && call.star.is_none() && self.at_op(")");
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
        if !call.keywords.is_empty() {
            return Err(CompileError::syntax(start, "non-keyword arg after keyword arg"));
        }
        if call.star.is_some() {
            return Err(CompileError::syntax(
                start,
                "only named arguments may follow *expression",
            ));
        }
        call.args.push(value);
        Ok(())
    }

    fn subscripts(&mut self) -> Parsed<Subscript> {
        let first = self.subscript()?;
        if !self.at_op(",") {
            self.expect_op("]")?;
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.take_op(",") {
            if self.at_op("]") {
                break;
            }
            parts.push(self.subscript()?);
        }
        self.expect_op("]")?;
        // `a[i, j]` indexes with an ordinary tuple.
        Ok(Subscript::Tuple(parts))
    }

    fn subscript(&mut self) -> Parsed<Subscript> {
        if self.take_op("...") {
            return Ok(Subscript::Ellipsis);
        }
        let start = if self.at_op(":") {
            None
        } else {
            Some(self.condition()?)
        };
        if !self.take_op(":") {
            return start.map(Subscript::Index).ok_or_else(|| self.unexpected());
        }
        let stop = if self.starts_operand() {
            Some(self.condition()?)
        } else {
            None
        };
        let extended = self.take_op(":");
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

    fn atom(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let literal = match self.peek() {
            TokenKind::Int(value) => Literal::Int(*value),
            TokenKind::MinInt => Literal::Long(BigInt::from(1_u64 << 63)),
            TokenKind::Long(value) => Literal::Long(value.clone()),
            TokenKind::Float(value) => Literal::Float(*value),
            TokenKind::Imaginary(value) => Literal::Imaginary(*value),
            TokenKind::Str(_) | TokenKind::Unicode(_) => return self.strings(),
            TokenKind::Name(_) => return self.name(),
            TokenKind::Op("(") => return self.nested(|p| p.with_in(Parser::round)),
            TokenKind::Op("[") => return self.nested(|p| p.with_in(Parser::square)),
            TokenKind::Op("{") => return self.nested(|p| p.with_in(Parser::curly)),
            TokenKind::Op("`") => return self.nested(|p| p.with_in(Parser::backquoted)),
            _ => return Err(self.unexpected()),
        };
        self.advance();
        self.make(ExprKind::Literal(literal), start)
    }

    fn name(&mut self) -> Parsed<Expr> {
        let span = self.span();
        // A token is not looked at again once it is passed.
        let TokenKind::Name(name) = &mut self.tokens[self.at].kind else {
            return Err(self.unexpected());
        };
        let name = std::mem::take(name);
        self.advance();
        if name.starts_with("__") {
            return Err(CompileError::not_available(span, name));
        }
        let constant = match name.as_str() {
            "None" => Some(Constant::None),
            "none" | "nil" if self.syntax.constants => Some(Constant::None),
            "true" if self.syntax.constants => Some(Constant::True),
            "false" if self.syntax.constants => Some(Constant::False),
            _ => None,
        };
        let kind = match constant {
            Some(constant) => ExprKind::Literal(Literal::Constant(constant)),
            None => ExprKind::Name(name),
        };
        self.make(kind, span)
    }

    /// One or more string literals side by side.
    fn strings(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut joined = match self.peek() {
            TokenKind::Str(bytes) => Literal::Str(bytes.clone()),
            TokenKind::Unicode(points) => Literal::Unicode(points.clone()),
            _ => return Err(self.unexpected()),
        };
        self.advance();
        loop {
            joined = match (joined, self.peek()) {
                (Literal::Str(mut left), TokenKind::Str(right)) => {
                    left.extend_from_slice(right);
                    Literal::Str(left)
                }
                (Literal::Str(left), TokenKind::Unicode(right)) => {
                    let mut points = ascii_points(&left, start)?;
                    points.extend_from_slice(right);
                    Literal::Unicode(points)
                }
                (Literal::Unicode(mut left), TokenKind::Str(right)) => {
                    left.extend(ascii_points(right, start)?);
                    Literal::Unicode(left)
                }
                (Literal::Unicode(mut left), TokenKind::Unicode(right)) => {
                    left.extend_from_slice(right);
                    Literal::Unicode(left)
                }
                (joined, _) => return self.make(ExprKind::Literal(joined), self.since(start)),
            };
            self.advance();
        }
    }

    /// `()`, `(a)`, `(a, b)`, `(a for …)`.
    fn round(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.advance();
        if self.take_op(")") {
            return self.make(ExprKind::Tuple(Vec::new()), self.since(start));
        }
        let inner_start = self.span();
        let first = self.condition()?;
        if self.at_keyword("for") {
            let generator = self.comprehension(ComprehensionKind::Generator, first, None, inner_start)?;
            self.expect_op(")")?;
            return Ok(generator);
        }
        if !self.at_op(",") {
            self.expect_op(")")?;
            return Ok(first);
        }
        let items = self.rest_of_items(first, ")")?;
        self.make(ExprKind::Tuple(items), self.since(start))
    }

    /// `[]`, `[a, b]`, `[a for …]`.
    fn square(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.advance();
        if self.take_op("]") {
            return self.make(ExprKind::List(Vec::new()), self.since(start));
        }
        let first = self.condition()?;
        if self.at_keyword("for") {
            let list = self.comprehension(ComprehensionKind::List, first, None, start)?;
            self.expect_op("]")?;
            return Ok(Expr {
                span: self.since(start),
                ..list
            });
        }
        let items = self.rest_of_items(first, "]")?;
        self.make(ExprKind::List(items), self.since(start))
    }

    fn rest_of_items(&mut self, first: Expr, close: &str) -> Parsed<Vec<Expr>> {
        let mut items = vec![first];
        while self.take_op(",") {
            if self.at_op(close) {
                break;
            }
            items.push(self.condition()?);
        }
        self.expect_op(close)?;
        Ok(items)
    }

    /// `{}`, `{a: b}`, `{a, b}` and the two comprehensions.
    fn curly(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.advance();
        if self.take_op("}") {
            return self.make(ExprKind::Dict(Vec::new()), self.since(start));
        }
        let first = self.condition()?;
        if !self.take_op(":") {
            if self.at_keyword("for") {
                let set = self.comprehension(ComprehensionKind::Set, first, None, start)?;
                self.expect_op("}")?;
                return Ok(Expr {
                    span: self.since(start),
                    ..set
                });
            }
            let items = self.rest_of_items(first, "}")?;
            return self.make(ExprKind::Set(items), self.since(start));
        }
        let value = self.condition()?;
        if self.at_keyword("for") {
            let dict = self.comprehension(ComprehensionKind::Dict, first, Some(value), start)?;
            self.expect_op("}")?;
            return Ok(Expr {
                span: self.since(start),
                ..dict
            });
        }
        let mut pairs = vec![(first, value)];
        while self.take_op(",") {
            if self.at_op("}") {
                break;
            }
            let key = self.condition()?;
            self.expect_op(":")?;
            pairs.push((key, self.condition()?));
        }
        self.expect_op("}")?;
        self.make(ExprKind::Dict(pairs), self.since(start))
    }

    fn backquoted(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.advance();
        let first = self.condition()?;
        let inner = if self.at_op(",") {
            let mut items = vec![first];
            while self.take_op(",") {
                items.push(self.condition()?);
            }
            self.make(ExprKind::Tuple(items), self.since(start))?
        } else {
            first
        };
        self.expect_op("`")?;
        self.make(ExprKind::Repr(Box::new(inner)), self.since(start))
    }

    /// The `for` and `if` clauses after `element`.
    fn comprehension(
        &mut self,
        kind: ComprehensionKind,
        element: Expr,
        value: Option<Expr>,
        start: Span,
    ) -> Parsed<Expr> {
        let mut loops = Vec::new();
        while self.take_keyword("for") {
            let target = self.targets()?;
            self.expect_keyword("in")?;
            let source = match kind {
                ComprehensionKind::List => self.old_list()?,
                ComprehensionKind::Set | ComprehensionKind::Dict | ComprehensionKind::Generator => {
                    self.operators(OR_POWER)?
                }
            };
            let mut tests = Vec::new();
            while self.take_keyword("if") {
                tests.push(self.old_condition()?);
            }
            loops.push(Loop {
                target,
                source,
                tests,
            });
        }
        let kind = ExprKind::Comprehension(Box::new(Comprehension {
            kind,
            element,
            value,
            loops,
        }));
        self.make(kind, self.since(start))
    }

    /// The source of a list comprehension, which may be a tuple without brackets: `[x for x in 1, 2]`.
    fn old_list(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let first = self.old_condition()?;
        if !self.at_op(",") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.take_op(",") {
            if !self.starts_operand() {
                break;
            }
            items.push(self.old_condition()?);
        }
        self.make(ExprKind::Tuple(items), self.since(start))
    }

    /// `a`, `a, b`, `(a, b), c`.
    fn targets(&mut self) -> Parsed<Target> {
        let first = self.target()?;
        if !self.at_op(",") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.take_op(",") {
            if self.at_keyword("in") {
                break;
            }
            items.push(self.target()?);
        }
        Ok(Target::Tuple(items))
    }

    fn target(&mut self) -> Parsed<Target> {
        self.nested(|p| {
            let close = match p.peek() {
                TokenKind::Op("(") => ")",
                TokenKind::Op("[") => "]",
                TokenKind::Name(_) => return p.bound_name().map(|(name, span)| Target::Name(name, span)),
                TokenKind::Int(_) | TokenKind::Float(_) | TokenKind::Str(_) | TokenKind::Unicode(_) => {
                    return Err(CompileError::syntax(p.span(), "can't assign to literal"));
                }
                _ => return Err(p.unexpected()),
            };
            let start = p.span();
            p.advance();
            if p.at_op(close) {
                return Err(CompileError::syntax(
                    start,
                    if close == ")" {
                        "can't assign to ()"
                    } else {
                        "can't assign to []"
                    },
                ));
            }
            let mut items = vec![p.target()?];
            let mut several = close == "]";
            while p.take_op(",") {
                several = true;
                if p.at_op(close) {
                    break;
                }
                items.push(p.target()?);
            }
            p.expect_op(close)?;
            match items.pop() {
                Some(only) if !several && items.is_empty() => Ok(only),
                Some(last) => {
                    items.push(last);
                    Ok(Target::Tuple(items))
                }
                None => Err(p.unexpected()),
            }
        })
    }

    /// A name that gets a value.
    fn bound_name(&mut self) -> Parsed<(String, Span)> {
        let span = self.span();
        let TokenKind::Name(name) = self.peek().clone() else {
            return Err(self.unexpected());
        };
        if name.starts_with("__") {
            return Err(CompileError::not_available(span, name));
        }
        self.refuse_none(&name, span)?;
        self.advance();
        Ok((name.into(), span))
    }

    fn refuse_none(&self, name: &str, span: Span) -> Parsed<()> {
        let constant = self.syntax.constants && matches!(name, "none" | "nil" | "true" | "false");
        if name == "None" || constant {
            return Err(CompileError::syntax(span, format!("cannot assign to {name}")));
        }
        Ok(())
    }

    fn lambda(&mut self, body: fn(&mut Self) -> Parsed<Expr>) -> Parsed<Expr> {
        let start = self.span();
        self.advance();
        let (mut params, mut rest, mut named) = (Vec::<Param>::new(), None, None);
        while !self.at_op(":") {
            if named.is_some() {
                return Err(self.unexpected());
            }
            if self.take_op("**") {
                named = Some(self.bound_name()?.0);
                break;
            }
            if self.take_op("*") {
                if rest.is_some() {
                    return Err(self.unexpected());
                }
                rest = Some(self.bound_name()?.0);
                if !self.take_op(",") {
                    break;
                }
                if !self.at_op("**") {
                    return Err(self.unexpected());
                }
                continue;
            }
            let at = self.span();
            let target = self.parameter()?;
            let default = if self.take_op("=") {
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
            if !self.take_op(",") {
                break;
            }
        }
        self.expect_op(":")?;
        refuse_duplicates(&params, rest.as_deref(), named.as_deref(), start)?;
        let body = body(self)?;
        self.make(
            ExprKind::Lambda(Box::new(Lambda {
                params,
                rest,
                named,
                body,
            })),
            self.since(start),
        )
    }

    /// A name, or a tuple of them in round brackets.
    fn parameter(&mut self) -> Parsed<Target> {
        if matches!(self.peek(), TokenKind::Op("[")) {
            return Err(self.unexpected());
        }
        self.target()
    }

    /// `all` or `any` at the start of a group form. A call has its bracket directly after the word;
    /// with a blank between, it is a call unless ` in ` follows the bracket (R1021).
    fn group_word(&self) -> Option<Quantifier> {
        if !self.syntax.groups {
            return None;
        }
        let TokenKind::Name(word) = self.peek() else {
            return None;
        };
        let quantifier = match word.as_str() {
            "all" => Quantifier::All,
            "any" => Quantifier::Any,
            _ => return None,
        };
        let next = self.peek_ahead(1);
        let form = match &next.kind {
            TokenKind::Op("(" | "[" | "-" | "+") => next.spaced && self.has_in(1),
            TokenKind::Op("{" | "`" | "~") => self.has_in(1),
            TokenKind::Keyword(word) => {
                matches!(*word, "lambda")
                    || *word == "not" && self.peek_ahead(2).kind != TokenKind::Keyword("in")
            }
            TokenKind::Name(_)
            | TokenKind::Int(_)
            | TokenKind::MinInt
            | TokenKind::Long(_)
            | TokenKind::Float(_)
            | TokenKind::Imaginary(_)
            | TokenKind::Str(_)
            | TokenKind::Unicode(_) => true,
            TokenKind::Op(_) | TokenKind::DotIndex(_) | TokenKind::Newline | TokenKind::End => false,
        };
        form.then_some(quantifier)
    }

    /// Whether an `in` stands at this bracket depth, `ahead` tokens from here or later.
    fn has_in(&self, ahead: usize) -> bool {
        let mut depth = 0_usize;
        for token in &self.tokens[(self.at + ahead).min(self.tokens.len())..] {
            match &token.kind {
                TokenKind::Op("(" | "[" | "{") => depth += 1,
                TokenKind::Op(")" | "]" | "}") => match depth.checked_sub(1) {
                    Some(outer) => depth = outer,
                    None => return false,
                },
                TokenKind::Op(",") | TokenKind::Keyword("for") if depth == 0 => return false,
                TokenKind::Keyword("in") if depth == 0 => return true,
                _ => {}
            }
        }
        false
    }

    /// `all X in L`: L takes the whole rest (R1021).
    fn group(&mut self, quantifier: Quantifier) -> Parsed<Expr> {
        let start = self.span();
        self.advance();
        let element = self.without_in(Parser::condition)?;
        self.expect_keyword("in")?;
        let list = self.condition()?;
        let kind = ExprKind::Group {
            quantifier,
            element: Box::new(element),
            list: Box::new(list),
        };
        self.make(kind, self.since(start))
    }
}

fn ascii_points(bytes: &[u8], span: Span) -> Parsed<Vec<u32>> {
    bytes
        .iter()
        .enumerate()
        .map(|(at, &byte)| {
            if byte < 128 {
                return Ok(u32::from(byte));
            }
            let message = format!(
                "'ascii' codec can't decode byte 0x{byte:02x} in position {at}: ordinal not in range(128)"
            );
            Err(CompileError::new(
                span,
                crate::error::ExceptionKind::UnicodeDecodeError,
                message,
            ))
        })
        .collect()
}

fn refuse_duplicates(params: &[Param], rest: Option<&str>, named: Option<&str>, span: Span) -> Parsed<()> {
    fn names<'a>(target: &'a Target, out: &mut Vec<&'a str>) {
        match target {
            Target::Name(name, _) => out.push(name),
            Target::Tuple(items) => items.iter().for_each(|item| names(item, out)),
        }
    }
    let mut all = Vec::new();
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
