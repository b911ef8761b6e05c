//! Tokens to statements: the rest of Python 2.7's grammar, around the parser of expressions.

use bumpalo::collections::Vec;
use bumpalo::vec;
use cw_text::Span;

use crate::base::error::{CompileError, ExceptionKind};
use crate::base::limits::ExprLimits;
use crate::base::syntax::Syntax;
use crate::tree::ast::{Arena, Expr, ExprKind, Literal};
use crate::tree::lex::{ExprTokenKind, OperatorToken, StatementWord, lex_file};
use crate::tree::parse::{ExprParser, Parsed};
use crate::tree::statement::{Block, ClassDef, FunctionDef, Handler, Stmt, StmtKind, TryParts};

/// Blocks within blocks, as in CPython.
const MOST_NESTED: u16 = 20;

/// Reads a file of statements. Its lines end with `\n` alone (S2); `exec` is refused (S10).
///
/// ```
/// use cw_expr::ast::Arena;
/// use cw_expr::statement::StmtKind;
/// use cw_expr::{ExprLimits, parse_file};
///
/// let arena = Arena::new();
/// let block = parse_file("if x:\n    print x\n", &arena, &ExprLimits::FILE)?;
/// assert!(matches!(block[0].kind, StmtKind::If { .. }));
/// # Ok::<(), cw_expr::CompileError>(())
/// ```
///
/// # Errors
/// Where and why it is none, or which limit it exceeds.
pub fn parse_file<'a>(
    text: &'a str,
    arena: &'a Arena,
    limits: &ExprLimits,
) -> Result<Block<'a>, CompileError> {
    let tokens = lex_file(text, arena, limits)?;
    let syntax = Syntax::default();
    let mut parser = ExprParser::over(tokens, text.len(), arena, &syntax, limits);
    parser.in_file = true;
    let mut p = BlockParser {
        p: parser,
        blocks: 0,
        loops: 0,
        functions: 0,
        in_finally: false,
    };
    let mut statements = Vec::new_in(arena);
    while p.p.token.kind != ExprTokenKind::End {
        p.statement(&mut statements)?;
    }
    Ok(statements.into_bump_slice())
}

struct BlockParser<'a, 's> {
    p: ExprParser<'a, 's>,
    /// Blocks around this place within the function.
    blocks: u16,
    /// Loops around this place within the function.
    loops: u16,
    /// Functions around this place.
    functions: u16,
    /// In the `finally` of a `try` that is inside the innermost loop.
    in_finally: bool,
}

impl<'a> BlockParser<'a, '_> {
    fn word(&self) -> Option<StatementWord> {
        match self.p.token.kind {
            ExprTokenKind::Sign(OperatorToken::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn at_word(&self, word: StatementWord) -> bool {
        self.word() == Some(word)
    }

    fn take_word(&mut self, word: StatementWord) -> bool {
        let found = self.at_word(word);
        if found {
            self.p.advance();
        }
        found
    }

    fn error<T>(&self, span: Span, message: &str) -> Parsed<T> {
        Err(CompileError::syntax(span, message))
    }

    /// A line of statements, or one that has blocks.
    fn statement(&mut self, out: &mut Vec<'a, Stmt<'a>>) -> Parsed<()> {
        let start = self.p.span();
        match self.p.token.kind {
            ExprTokenKind::Newline => {
                self.p.advance();
                return Ok(());
            }
            ExprTokenKind::Indent => {
                return Err(CompileError::new(
                    start,
                    ExceptionKind::IndentationError,
                    "unexpected indent",
                ));
            }
            _ => {}
        }
        let kind = match self.p.token.kind {
            ExprTokenKind::Sign(OperatorToken::If) => self.if_statement()?,
            ExprTokenKind::Sign(OperatorToken::For) => self.for_statement()?,
            ExprTokenKind::Sign(OperatorToken::At) => self.decorated()?,
            ExprTokenKind::Sign(OperatorToken::Word(word)) => match word {
                StatementWord::While => self.while_statement()?,
                StatementWord::Try => self.try_statement()?,
                StatementWord::With => self.with_statement()?,
                StatementWord::Def => self.function(&[])?,
                StatementWord::Class => self.class(&[])?,
                _ => return self.simple_line(out),
            },
            _ => return self.simple_line(out),
        };
        let span = start;
        out.push(Stmt { kind, span });
        Ok(())
    }

    /// Small statements up to the end of the line.
    fn simple_line(&mut self, out: &mut Vec<'a, Stmt<'a>>) -> Parsed<()> {
        loop {
            let start = self.p.span();
            let kind = self.simple()?;
            out.push(Stmt {
                kind,
                span: self.p.since(start),
            });
            let more = self.p.take(OperatorToken::Semicolon);
            match self.p.token.kind {
                ExprTokenKind::Newline => {
                    self.p.advance();
                    return Ok(());
                }
                ExprTokenKind::End => return Ok(()),
                _ if more => {}
                _ => return Err(self.p.unexpected()),
            }
        }
    }

    fn simple(&mut self) -> Parsed<StmtKind<'a>> {
        let start = self.p.span();
        let Some(word) = self.word() else {
            return self.expression_statement();
        };
        match word {
            StatementWord::Pass => {
                self.p.advance();
                Ok(StmtKind::Pass)
            }
            StatementWord::Break => {
                self.p.advance();
                if self.loops == 0 {
                    return self.error(start, "'break' outside loop");
                }
                Ok(StmtKind::Break)
            }
            StatementWord::Continue => {
                self.p.advance();
                if self.loops == 0 {
                    return self.error(start, "'continue' not properly in loop");
                }
                if self.in_finally {
                    return self.error(start, "'continue' not supported inside 'finally' clause");
                }
                Ok(StmtKind::Continue)
            }
            StatementWord::Return => {
                self.p.advance();
                if self.functions == 0 {
                    return self.error(start, "'return' outside function");
                }
                Ok(StmtKind::Return(self.optional_list()?))
            }
            StatementWord::Yield => {
                self.p.advance();
                if self.functions == 0 {
                    return self.error(start, "'yield' outside function");
                }
                Ok(StmtKind::Yield(self.optional_list()?))
            }
            StatementWord::Raise => self.raise(),
            StatementWord::Global => self.global(),
            StatementWord::Del => {
                self.p.advance();
                let list = self.p.expression_list()?;
                let items = match list.kind {
                    ExprKind::Tuple(items) if !items.is_empty() => items,
                    _ => &*self.p.arena.alloc_slice_copy(&[list]),
                };
                for item in items {
                    self.check_target(item, "delete")?;
                }
                Ok(StmtKind::Delete(items))
            }
            StatementWord::Assert => {
                self.p.advance();
                let test = self.p.condition()?;
                let words = if self.p.take(OperatorToken::Comma) {
                    Some(self.p.condition()?)
                } else {
                    None
                };
                Ok(StmtKind::Assert { test, words })
            }
            StatementWord::Print => self.print(),
            StatementWord::Import => {
                self.p.advance();
                let mut names = Vec::new_in(self.p.arena);
                loop {
                    let module = self.dotted()?;
                    names.push((module, self.alias()?));
                    if !self.p.take(OperatorToken::Comma) {
                        break;
                    }
                }
                Ok(StmtKind::Import(names.into_bump_slice()))
            }
            StatementWord::From => self.import_from(),
            StatementWord::Exec => Err(CompileError::not_available(start, "exec")),
            _ => Err(self.p.unexpected()),
        }
    }

    fn optional_list(&mut self) -> Parsed<Option<&'a Expr<'a>>> {
        if self.p.starts_operand() {
            Ok(Some(self.p.expression_list()?))
        } else {
            Ok(None)
        }
    }

    fn raise(&mut self) -> Parsed<StmtKind<'a>> {
        self.p.advance();
        let mut parts = Vec::new_in(self.p.arena);
        if self.p.starts_operand() {
            parts.push(self.p.condition()?);
            while parts.len() < 3 && self.p.take(OperatorToken::Comma) {
                parts.push(self.p.condition()?);
            }
        }
        Ok(StmtKind::Raise(parts.into_bump_slice()))
    }

    fn global(&mut self) -> Parsed<StmtKind<'a>> {
        self.p.advance();
        let mut names = vec![in self.p.arena; self.p.bound_name()?.0];
        while self.p.take(OperatorToken::Comma) {
            names.push(self.p.bound_name()?.0);
        }
        Ok(StmtKind::Global(names.into_bump_slice()))
    }

    fn print(&mut self) -> Parsed<StmtKind<'a>> {
        self.p.advance();
        let mut to = None;
        let mut more = true;
        if self.p.take(OperatorToken::Shr) {
            to = Some(self.p.condition()?);
            more = self.p.take(OperatorToken::Comma);
            if more && !self.p.starts_operand() {
                return Err(self.p.unexpected());
            }
        }
        let mut values = Vec::new_in(self.p.arena);
        let mut ends_line = true;
        while more && self.p.starts_operand() {
            values.push(self.p.condition()?);
            more = self.p.take(OperatorToken::Comma);
            ends_line = !more;
        }
        Ok(StmtKind::Print {
            to,
            values: values.into_bump_slice(),
            ends_line,
        })
    }

    fn name(&mut self) -> Parsed<&'a str> {
        let ExprTokenKind::Name(name) = self.p.token.kind else {
            return Err(self.p.unexpected());
        };
        self.p.advance();
        Ok(name)
    }

    fn dotted(&mut self) -> Parsed<&'a str> {
        let first = self.name()?;
        if !self.p.at(OperatorToken::Dot) {
            return Ok(first);
        }
        let mut path = bumpalo::collections::String::from_str_in(first, self.p.arena);
        while self.p.take(OperatorToken::Dot) {
            path.push('.');
            path.push_str(self.name()?);
        }
        Ok(path.into_bump_str())
    }

    fn alias(&mut self) -> Parsed<Option<&'a str>> {
        if !self.take_word(StatementWord::As) {
            return Ok(None);
        }
        Ok(Some(self.p.bound_name()?.0))
    }

    fn import_from(&mut self) -> Parsed<StmtKind<'a>> {
        self.p.advance();
        let module = self.dotted()?;
        if !self.take_word(StatementWord::Import) {
            return Err(self.p.unexpected());
        }
        let mut names = Vec::new_in(self.p.arena);
        if self.p.take(OperatorToken::Star) {
            return Ok(StmtKind::From { module, names: &[] });
        }
        let bracket = self.p.take(OperatorToken::RoundOpen);
        loop {
            let name = self.name()?;
            names.push((name, self.alias()?));
            if !self.p.take(OperatorToken::Comma) || (bracket && self.p.at(OperatorToken::RoundClose)) {
                break;
            }
        }
        if bracket {
            self.p.expect(OperatorToken::RoundClose)?;
        }
        Ok(StmtKind::From {
            module,
            names: names.into_bump_slice(),
        })
    }

    fn expression_statement(&mut self) -> Parsed<StmtKind<'a>> {
        let first = self.p.expression_list()?;
        if let ExprTokenKind::Sign(OperatorToken::Augmented(op)) = self.p.token.kind {
            self.check_augmented(first)?;
            self.p.advance();
            let value = self.p.expression_list()?;
            return Ok(StmtKind::Augmented {
                target: first,
                op,
                value,
            });
        }
        if !self.p.at(OperatorToken::Assign) {
            return Ok(StmtKind::Expr(first));
        }
        let mut targets = Vec::new_in(self.p.arena);
        let mut value = first;
        while self.p.take(OperatorToken::Assign) {
            self.check_target(value, "assign to")?;
            targets.push(value);
            value = self.p.expression_list()?;
        }
        Ok(StmtKind::Assign {
            targets: targets.into_bump_slice(),
            value,
        })
    }

    /// Refuses what cannot be given a value, in CPython's words.
    fn check_target(&self, target: &Expr<'a>, verb: &str) -> Parsed<()> {
        let what = match target.kind {
            ExprKind::Name(name) => {
                return if verb == "delete" {
                    Ok(())
                } else {
                    self.p.refuse_none(name, target.span)
                };
            }
            ExprKind::Attribute { .. } | ExprKind::Subscript { .. } => return Ok(()),
            ExprKind::Tuple([]) => "()",
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                return items.iter().try_for_each(|item| self.check_target(item, verb));
            }
            ExprKind::Literal(Literal::Constant(_)) => {
                return self.error(target.span, &format!("cannot {verb} None"));
            }
            _ => form_name(target),
        };
        self.error(target.span, &format!("can't {verb} {what}"))
    }

    fn check_augmented(&self, target: &Expr<'a>) -> Parsed<()> {
        match target.kind {
            ExprKind::Tuple(_) | ExprKind::List(_) => {
                self.error(target.span, "illegal expression for augmented assignment")
            }
            ExprKind::Name(_)
            | ExprKind::Attribute { .. }
            | ExprKind::Subscript { .. }
            | ExprKind::Literal(Literal::Constant(_)) => self.check_target(target, "assign to"),
            _ => self.error(target.span, &format!("can't assign to {}", form_name(target))),
        }
    }

    // ---- statements with blocks ----

    /// What follows a colon: the rest of the line, or lines further in.
    fn block(&mut self) -> Parsed<Block<'a>> {
        self.p.expect(OperatorToken::Colon)?;
        let start = self.p.span();
        self.blocks += 1;
        if self.blocks > MOST_NESTED {
            return self.error(start, "too many statically nested blocks");
        }
        let mut out = Vec::new_in(self.p.arena);
        if self.p.token.kind == ExprTokenKind::Newline {
            self.p.advance();
            if self.p.token.kind != ExprTokenKind::Indent {
                return Err(CompileError::new(
                    self.p.span(),
                    ExceptionKind::IndentationError,
                    "expected an indented block",
                ));
            }
            self.p.advance();
            while !matches!(self.p.token.kind, ExprTokenKind::Dedent | ExprTokenKind::End) {
                self.statement(&mut out)?;
            }
            if self.p.token.kind == ExprTokenKind::Dedent {
                self.p.advance();
            }
        } else {
            self.simple_line(&mut out)?;
        }
        self.blocks -= 1;
        Ok(out.into_bump_slice())
    }

    fn else_block(&mut self) -> Parsed<Block<'a>> {
        if self.p.take(OperatorToken::Else) {
            self.block()
        } else {
            Ok(&[])
        }
    }

    fn if_statement(&mut self) -> Parsed<StmtKind<'a>> {
        self.p.advance();
        let mut tests = Vec::new_in(self.p.arena);
        let test = self.p.condition()?;
        tests.push((test, self.block()?));
        while self.take_word(StatementWord::Elif) {
            let test = self.p.condition()?;
            tests.push((test, self.block()?));
        }
        Ok(StmtKind::If {
            tests: tests.into_bump_slice(),
            otherwise: self.else_block()?,
        })
    }

    fn repeated(&mut self) -> Parsed<Block<'a>> {
        self.loops += 1;
        let finally = std::mem::replace(&mut self.in_finally, false);
        let body = self.block()?;
        self.in_finally = finally;
        self.loops -= 1;
        Ok(body)
    }

    fn while_statement(&mut self) -> Parsed<StmtKind<'a>> {
        self.p.advance();
        let test = self.p.condition()?;
        let body = self.repeated()?;
        Ok(StmtKind::While {
            test,
            body,
            otherwise: self.else_block()?,
        })
    }

    fn for_statement(&mut self) -> Parsed<StmtKind<'a>> {
        self.p.advance();
        let target = self.p.without_in(ExprParser::expression_list)?;
        self.check_target(target, "assign to")?;
        self.p.expect(OperatorToken::In)?;
        let source = self.p.expression_list()?;
        let body = self.repeated()?;
        Ok(StmtKind::For {
            target,
            source,
            body,
            otherwise: self.else_block()?,
        })
    }

    fn try_statement(&mut self) -> Parsed<StmtKind<'a>> {
        self.p.advance();
        let body = self.block()?;
        let mut handlers = Vec::<Handler<'a>>::new_in(self.p.arena);
        while self.at_word(StatementWord::Except) {
            let span = self.p.span();
            if handlers.last().is_some_and(|last| last.kind.is_none()) {
                return self.error(
                    handlers.last().map_or(span, |last| last.span),
                    "default 'except:' must be last",
                );
            }
            self.p.advance();
            let (mut kind, mut target) = (None, None);
            if !self.p.at(OperatorToken::Colon) {
                kind = Some(self.p.condition()?);
                if self.p.take(OperatorToken::Comma) || self.take_word(StatementWord::As) {
                    let found = self.p.condition()?;
                    self.check_target(found, "assign to")?;
                    target = Some(found);
                }
            }
            let body = self.block()?;
            handlers.push(Handler {
                kind,
                target,
                body,
                span,
            });
        }
        let otherwise = if handlers.is_empty() {
            &[][..]
        } else {
            self.else_block()?
        };
        let finally = if self.take_word(StatementWord::Finally) {
            let outer = std::mem::replace(&mut self.in_finally, self.loops > 0);
            let block = self.block()?;
            self.in_finally = outer;
            Some(block)
        } else {
            None
        };
        if handlers.is_empty() && finally.is_none() {
            return Err(self.p.unexpected());
        }
        Ok(StmtKind::Try(self.p.arena.alloc(TryParts {
            body,
            handlers: handlers.into_bump_slice(),
            otherwise,
            finally,
        })))
    }

    fn with_statement(&mut self) -> Parsed<StmtKind<'a>> {
        self.p.advance();
        let mut items = Vec::new_in(self.p.arena);
        loop {
            let manager = self.p.condition()?;
            let target = if self.take_word(StatementWord::As) {
                // `with a as b, c` has two managers.
                let target = self.p.condition()?;
                self.check_target(target, "assign to")?;
                Some(target)
            } else {
                None
            };
            items.push((manager, target));
            if !self.p.take(OperatorToken::Comma) {
                break;
            }
        }
        if items.len() > usize::from(MOST_NESTED) {
            return self.error(self.p.span(), "too many statically nested blocks");
        }
        Ok(StmtKind::With {
            items: items.into_bump_slice(),
            body: self.block()?,
        })
    }

    fn decorated(&mut self) -> Parsed<StmtKind<'a>> {
        let mut decorators = Vec::new_in(self.p.arena);
        while self.p.take(OperatorToken::At) {
            decorators.push(self.p.condition()?);
            if self.p.token.kind != ExprTokenKind::Newline {
                return Err(self.p.unexpected());
            }
            self.p.newlines();
        }
        let decorators = decorators.into_bump_slice();
        match self.word() {
            Some(StatementWord::Def) => self.function(decorators),
            Some(StatementWord::Class) => self.class(decorators),
            _ => Err(self.p.unexpected()),
        }
    }

    /// A body whose loops and blocks are its own.
    fn body(&mut self, functions: u16) -> Parsed<Block<'a>> {
        if functions > MOST_NESTED || self.blocks > MOST_NESTED {
            return self.error(self.p.span(), "too many statically nested blocks");
        }
        let loops = std::mem::replace(&mut self.loops, 0);
        let outer = std::mem::replace(&mut self.functions, functions);
        let finally = std::mem::replace(&mut self.in_finally, false);
        let body = self.block()?;
        (self.loops, self.functions, self.in_finally) = (loops, outer, finally);
        Ok(body)
    }

    fn function(&mut self, decorators: &'a [&'a Expr<'a>]) -> Parsed<StmtKind<'a>> {
        self.p.advance();
        let (name, start) = self.p.bound_name()?;
        self.p.expect(OperatorToken::RoundOpen)?;
        let parameters = self.p.parameters(OperatorToken::RoundClose, start)?;
        self.p.expect(OperatorToken::RoundClose)?;
        let body = self.body(self.functions + 1)?;
        Ok(StmtKind::Def(self.p.arena.alloc(FunctionDef {
            name,
            parameters,
            body,
            decorators,
        })))
    }

    fn class(&mut self, decorators: &'a [&'a Expr<'a>]) -> Parsed<StmtKind<'a>> {
        self.p.advance();
        let (name, _) = self.p.bound_name()?;
        let mut bases = Vec::new_in(self.p.arena);
        if self.p.take(OperatorToken::RoundOpen) {
            while !self.p.at(OperatorToken::RoundClose) {
                bases.push(self.p.condition()?);
                if !self.p.take(OperatorToken::Comma) {
                    break;
                }
            }
            self.p.expect(OperatorToken::RoundClose)?;
        }
        // A class body is no function: `return` in it stands outside of any.
        let body = self.body(0)?;
        Ok(StmtKind::Class(self.p.arena.alloc(ClassDef {
            name,
            bases: bases.into_bump_slice(),
            body,
            decorators,
        })))
    }
}

/// CPython's name of a form that gets no value.
fn form_name(expr: &Expr<'_>) -> &'static str {
    match expr.kind {
        ExprKind::Literal(_) => "literal",
        ExprKind::Call(_) => "function call",
        ExprKind::Lambda(_) => "lambda",
        ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::And(_) | ExprKind::Or(_) => "operator",
        ExprKind::Compare(..) => "comparison",
        ExprKind::IfElse { .. } => "conditional expression",
        ExprKind::Dict(_) | ExprKind::Set(_) => "literal",
        ExprKind::Repr(_) => "repr",
        ExprKind::Comprehension(comprehension) => match comprehension.kind {
            crate::tree::ast::ComprehensionKind::List => "list comprehension",
            crate::tree::ast::ComprehensionKind::Set => "set comprehension",
            crate::tree::ast::ComprehensionKind::Dict => "dict comprehension",
            crate::tree::ast::ComprehensionKind::Generator => "generator expression",
        },
        ExprKind::Name(_)
        | ExprKind::Attribute { .. }
        | ExprKind::Subscript { .. }
        | ExprKind::DotIndex { .. }
        | ExprKind::Group { .. } => "expression",
        ExprKind::Tuple(_) => "()",
        ExprKind::List(_) => "[]",
    }
}
