//! Statements to steps. Names are resolved here, once: local, shared with an inner function, of
//! the module (S11).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cw_expr::ast::{
    Arena, CallExpr, CompareOp, Comprehension, ComprehensionKind, ConstantWord, Expr, ExprKind, ExprVisitor,
    Literal, Param, Subscript, Target, walk,
};
use cw_expr::statement::{Block, ClassDef, FunctionDef, Handler, Stmt, StmtKind, TryParts};
use cw_expr::{CompileError, CompileErrorKind, ExceptionKind, ExprLimits, Parameters, parse, parse_file};
use num_bigint::{BigInt, BigUint};

use crate::code::{Code, Name, Op, native_named};
use crate::value::ScriptValue;

/// Why a file is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptFault {
    /// The file as the package names it.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// `SyntaxError` or one below it, or `LimitExceeded`, or `NotAvailable`.
    pub name: &'static str,
    /// What is wrong.
    pub message: String,
}

thread_local! {
    static COMPILED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// How many files this thread has compiled. For tests of what is shared (S217).
pub fn compiled_files() -> u64 {
    COMPILED.get()
}

/// Compiles a file, whose lines end with `\n` alone.
pub(crate) fn compile_file(text: &str, file: &Arc<str>) -> Result<Arc<Code>, ScriptFault> {
    COMPILED.set(COMPILED.get() + 1);
    let arena = Arena::new();
    let lines = LineStarts::of(text);
    let block = parse_file(text, &arena, &ExprLimits::FILE).map_err(|error| fault(&error, file, &lines))?;
    let mut out = CodeWriter::new("<module>", file, &lines, Space::Module, 1);
    out.block(block);
    out.constant(ScriptValue::None);
    out.push(Op::Return);
    out.finish(file)
}

/// Compiles an expression that is evaluated in the names of where it stands (S22).
pub(crate) fn compile_expression(text: &str) -> Result<Arc<Code>, ScriptFault> {
    let arena = Arena::new();
    let lines = LineStarts::of(text);
    let file: Arc<str> = "<string>".into();
    let syntax = cw_expr::Syntax::default();
    let expr =
        parse(text, &arena, &syntax, &ExprLimits::FILE).map_err(|error| fault(&error, &file, &lines))?;
    let mut out = CodeWriter::new("<module>", &file, &lines, Space::Text, 1);
    out.expr(expr);
    out.push(Op::Return);
    out.finish(&file)
}

fn fault(error: &CompileError, file: &str, lines: &LineStarts) -> ScriptFault {
    let message = match error.cause {
        CompileErrorKind::NotAvailable => format!("the table gives scripts no {}", error.message),
        CompileErrorKind::Exception(_) | CompileErrorKind::Limit => error.message.clone(),
    };
    let name = match error.cause {
        // What CPython finds while it reads a text is always a `SyntaxError`, or one below.
        CompileErrorKind::Exception(kind) if !kind.is_a(ExceptionKind::SyntaxError) => "SyntaxError",
        _ => error.name(),
    };
    ScriptFault {
        file: file.to_owned(),
        line: lines.line(error.span.start),
        name,
        message,
    }
}

/// Where lines begin.
struct LineStarts(Vec<u32>);

impl LineStarts {
    fn of(text: &str) -> LineStarts {
        let mut starts = vec![0];
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        starts.extend(ends.map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX)));
        LineStarts(starts)
    }

    fn line(&self, at: u32) -> u32 {
        u32::try_from(self.0.partition_point(|start| *start <= at)).unwrap_or(u32::MAX)
    }
}

// ---- names ----

/// A function, lambda, class or comprehension that has names of its own.
#[derive(Clone, Copy)]
enum Inner<'a> {
    Def(&'a FunctionDef<'a>),
    Class(&'a ClassDef<'a>),
    Lambda(&'a cw_expr::ast::Lambda<'a>),
    Comprehension(&'a Comprehension<'a>),
}

/// What one body does with names, without looking into the functions in it.
#[derive(Default)]
struct BodyNames<'a> {
    bound: BTreeSet<&'a str>,
    order: Vec<&'a str>,
    globals: BTreeSet<&'a str>,
    used: BTreeSet<&'a str>,
    inner: Vec<Inner<'a>>,
    yields: bool,
}

impl<'a> BodyNames<'a> {
    fn bind(&mut self, name: &'a str) {
        if self.bound.insert(name) {
            self.order.push(name);
        }
    }

    fn bind_target(&mut self, target: &Target<'a>) {
        match target {
            Target::Name(name, _) => self.bind(name),
            Target::Tuple(items) => items.iter().for_each(|item| self.bind_target(item)),
        }
    }

    fn parameters(&mut self, params: &[Param<'a>], rest: Option<&'a str>, named: Option<&'a str>) {
        params.iter().for_each(|param| self.bind_target(&param.target));
        rest.into_iter().chain(named).for_each(|name| self.bind(name));
    }

    /// What is assigned to.
    fn store(&mut self, target: &'a Expr<'a>) {
        match target.kind {
            ExprKind::Name(name) => self.bind(name),
            ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|item| self.store(item)),
            _ => self.expr(target),
        }
    }

    fn block(&mut self, block: Block<'a>) {
        block.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt<'a>) {
        match stmt.kind {
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Assign { targets, value } => {
                self.expr(value);
                targets.iter().for_each(|target| self.store(target));
            }
            StmtKind::Augmented { target, value, .. } => {
                self.expr(value);
                self.expr(target);
                self.store(target);
            }
            StmtKind::Print { to, values, .. } => {
                to.into_iter()
                    .chain(values.iter().copied())
                    .for_each(|expr| self.expr(expr));
            }
            StmtKind::Return(value) => value.into_iter().for_each(|value| self.expr(value)),
            StmtKind::Yield(value) => {
                self.yields = true;
                value.into_iter().for_each(|value| self.expr(value));
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Pass => {}
            StmtKind::Raise(parts) => parts.iter().for_each(|part| self.expr(part)),
            StmtKind::Global(names) => self.globals.extend(names),
            StmtKind::Delete(targets) => targets.iter().for_each(|target| self.store(target)),
            StmtKind::Assert { test, words } => {
                self.expr(test);
                words.into_iter().for_each(|words| self.expr(words));
            }
            StmtKind::If { tests, otherwise } => {
                for (test, block) in tests {
                    self.expr(test);
                    self.block(block);
                }
                self.block(otherwise);
            }
            StmtKind::While {
                test,
                body,
                otherwise,
            } => {
                self.expr(test);
                self.block(body);
                self.block(otherwise);
            }
            StmtKind::For {
                target,
                source,
                body,
                otherwise,
            } => {
                self.expr(source);
                self.store(target);
                self.block(body);
                self.block(otherwise);
            }
            StmtKind::Try(parts) => {
                self.block(parts.body);
                for handler in parts.handlers {
                    handler.kind.into_iter().for_each(|kind| self.expr(kind));
                    handler.target.into_iter().for_each(|target| self.store(target));
                    self.block(handler.body);
                }
                self.block(parts.otherwise);
                parts.finally.into_iter().for_each(|block| self.block(block));
            }
            StmtKind::With { items, body } => {
                for (manager, target) in items {
                    self.expr(manager);
                    target.iter().for_each(|target| self.store(target));
                }
                self.block(body);
            }
            StmtKind::Def(def) => {
                self.bind(def.name);
                self.defaults(def.parameters.params);
                def.decorators.iter().for_each(|decorator| self.expr(decorator));
                self.inner.push(Inner::Def(def));
            }
            StmtKind::Class(class) => {
                self.bind(class.name);
                class.bases.iter().for_each(|base| self.expr(base));
                class.decorators.iter().for_each(|decorator| self.expr(decorator));
                self.inner.push(Inner::Class(class));
            }
            StmtKind::Import(names) => {
                for (module, alias) in names {
                    self.bind(alias.unwrap_or_else(|| module.split('.').next().unwrap_or(module)));
                }
            }
            StmtKind::From { names, .. } => {
                names
                    .iter()
                    .for_each(|(name, alias)| self.bind(alias.unwrap_or(name)));
            }
        }
    }

    fn defaults(&mut self, params: &'a [Param<'a>]) {
        params
            .iter()
            .filter_map(|param| param.default)
            .for_each(|default| self.expr(default));
    }
}

impl<'a> ExprVisitor<'a> for BodyNames<'a> {
    fn expr(&mut self, expr: &'a Expr<'a>) {
        match expr.kind {
            ExprKind::Name(name) => {
                self.used.insert(name);
            }
            ExprKind::Lambda(lambda) => {
                self.defaults(lambda.params);
                self.inner.push(Inner::Lambda(lambda));
            }
            ExprKind::Comprehension(comprehension) => match comprehension.kind {
                ComprehensionKind::List => {
                    comprehension
                        .loops
                        .iter()
                        .for_each(|each| self.bind_target(&each.target));
                    walk(self, expr);
                }
                ComprehensionKind::Set | ComprehensionKind::Dict | ComprehensionKind::Generator => {
                    // What it runs over is evaluated outside of it.
                    if let Some(first) = comprehension.loops.first() {
                        self.expr(first.source);
                    }
                    self.inner.push(Inner::Comprehension(comprehension));
                }
            },
            _ => walk(self, expr),
        }
    }
}

impl<'a> Inner<'a> {
    fn names(self) -> BodyNames<'a> {
        let mut names = BodyNames::default();
        match self {
            Inner::Def(def) => {
                let Parameters { params, rest, named } = def.parameters;
                names.parameters(params, rest, named);
                names.block(def.body);
            }
            Inner::Class(class) => names.block(class.body),
            Inner::Lambda(lambda) => {
                names.parameters(lambda.params, lambda.rest, lambda.named);
                names.expr(lambda.body);
            }
            Inner::Comprehension(comprehension) => {
                for (at, each) in comprehension.loops.iter().enumerate() {
                    if at > 0 {
                        names.expr(each.source);
                    }
                    names.bind_target(&each.target);
                    each.tests.iter().for_each(|test| names.expr(test));
                }
                names.expr(comprehension.element);
                comprehension
                    .value
                    .into_iter()
                    .for_each(|value| names.expr(value));
            }
        }
        for name in &names.globals {
            names.bound.remove(name);
        }
        names.order.retain(|name| !names.globals.contains(name));
        names
    }

    /// Names that it takes from around it.
    fn free(self) -> BTreeSet<&'a str> {
        let names = self.names();
        let mut free: BTreeSet<&str> = names.used.clone();
        for inner in &names.inner {
            free.extend(inner.free());
        }
        // A class's own names are not seen by the functions in it.
        let hides = !matches!(self, Inner::Class(_));
        if hides {
            free.retain(|name| !names.bound.contains(name));
        } else {
            let mut of_inner = BTreeSet::new();
            for inner in &names.inner {
                of_inner.extend(inner.free());
            }
            free.retain(|name| !names.bound.contains(name) || of_inner.contains(name));
        }
        free.retain(|name| !names.globals.contains(name));
        free
    }
}

// ---- steps ----

/// Where names of a body live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Space {
    Module,
    Class,
    Function,
    /// An evaluated text.
    Text,
}

/// What surrounds a statement, for those that leave it.
#[derive(Clone, Copy)]
enum Around<'a> {
    Loop {
        /// Where `continue` leads.
        again: usize,
        /// An iterator lies on the stack.
        has_iterator: bool,
        /// The loop's number in the list of jumps to its end.
        number: usize,
    },
    Finally(Block<'a>),
    Handlers,
    With(u32),
}

struct CodeWriter<'a, 'l> {
    code: Code,
    file: Arc<str>,
    line_starts: &'l LineStarts,
    line: u32,
    space: Space,
    /// Names that are declared `global`.
    globals: BTreeSet<&'a str>,
    locals: BTreeMap<String, usize>,
    cells: BTreeMap<String, usize>,
    /// What functions around bind, the outermost first.
    outer: Vec<BTreeSet<String>>,
    around: Vec<Around<'a>>,
    /// Jumps that lead to the end of each loop.
    breaks: Vec<Vec<usize>>,
    names: BTreeMap<String, u32>,
    fault: Option<ScriptFault>,
    hidden: usize,
}

impl<'a, 'l> CodeWriter<'a, 'l> {
    fn new(name: &str, file: &Arc<str>, line_starts: &'l LineStarts, space: Space, line: u32) -> Self {
        CodeWriter {
            code: Code {
                name: name.into(),
                file: file.clone(),
                first_line: line,
                ..Code::default()
            },
            file: file.clone(),
            line_starts,
            line,
            space,
            globals: BTreeSet::new(),
            locals: BTreeMap::new(),
            cells: BTreeMap::new(),
            outer: Vec::new(),
            around: Vec::new(),
            breaks: Vec::new(),
            names: BTreeMap::new(),
            fault: None,
            hidden: 0,
        }
    }

    fn finish(self, file: &str) -> Result<Arc<Code>, ScriptFault> {
        match self.fault {
            Some(fault) => Err(fault),
            None if self.code.ops.len() > 1 << 24 => Err(ScriptFault {
                file: file.to_owned(),
                line: self.code.first_line,
                name: "LimitExceeded",
                message: "function is too long".to_owned(),
            }),
            None => Ok(Arc::new(self.code)),
        }
    }

    fn fail(&mut self, line: u32, message: &str) {
        let file = self.file.to_string();
        self.fault.get_or_insert_with(|| ScriptFault {
            file,
            line,
            name: "SyntaxError",
            message: message.to_owned(),
        });
    }

    fn push(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.lines.push(self.line);
        self.code.ops.len() - 1
    }

    fn here(&self) -> usize {
        self.code.ops.len()
    }

    /// Lets the jump at `at` lead here.
    fn land(&mut self, at: usize) {
        let here = count(self.here());
        if let Some(op) = self.code.ops.get_mut(at) {
            *op = match *op {
                Op::Jump(_) => Op::Jump(here),
                Op::JumpIfFalse(_) => Op::JumpIfFalse(here),
                Op::JumpIfTrue(_) => Op::JumpIfTrue(here),
                Op::JumpIfFalseOrPop(_) => Op::JumpIfFalseOrPop(here),
                Op::JumpIfTrueOrPop(_) => Op::JumpIfTrueOrPop(here),
                Op::Next(_) => Op::Next(here),
                Op::Try(_) => Op::Try(here),
                other => other,
            };
        }
    }

    fn constant(&mut self, value: ScriptValue) {
        self.code.constants.push(value);
        let at = count(self.code.constants.len() - 1);
        self.push(Op::Constant(at));
    }

    fn name_of(text: &str) -> Name {
        let value = ScriptValue::text(text);
        let hash = crate::hash::hash_of_text(&value);
        Name {
            value,
            text: text.into(),
            hash,
            native: native_named(text),
            builtin: crate::machine::builtin::named(text),
        }
    }

    fn name(&mut self, text: &str) -> u32 {
        if let Some(at) = self.names.get(text) {
            return *at;
        }
        self.code.names.push(Self::name_of(text));
        let at = count(self.code.names.len() - 1);
        self.names.insert(text.to_owned(), at);
        at
    }

    fn local(&mut self, text: &str) -> u32 {
        if let Some(at) = self.locals.get(text) {
            return count(*at);
        }
        self.code.locals.push(text.into());
        let at = self.code.locals.len() - 1;
        self.locals.insert(text.to_owned(), at);
        count(at)
    }

    /// A slot that no name has.
    fn hidden(&mut self) -> u32 {
        self.hidden += 1;
        self.local(&format!(".{}", self.hidden))
    }

    // ---- names ----

    fn load(&mut self, name: &'a str) {
        if !self.globals.contains(name) {
            if let Some(at) = self.cells.get(name)
                && (self.space != Space::Class || !self.locals.contains_key(name))
            {
                let op = Op::Cell(count(*at));
                self.push(op);
                return;
            }
            match self.space {
                Space::Function => {
                    if let Some(at) = self.locals.get(name) {
                        let op = Op::Local(count(*at));
                        self.push(op);
                        return;
                    }
                }
                Space::Class | Space::Text => {
                    let at = self.name(name);
                    self.push(Op::Name(at));
                    return;
                }
                Space::Module => {}
            }
        }
        let at = self.name(name);
        self.push(Op::Global(at));
    }

    fn store_name(&mut self, name: &'a str) {
        if !self.globals.contains(name) {
            match self.space {
                Space::Function => {
                    let op = match self.cells.get(name) {
                        Some(at) => Op::StoreCell(count(*at)),
                        None => Op::StoreLocal(self.local(name)),
                    };
                    self.push(op);
                    return;
                }
                Space::Class | Space::Text => {
                    let at = self.name(name);
                    self.push(Op::StoreName(at));
                    return;
                }
                Space::Module => {}
            }
        }
        let at = self.name(name);
        self.push(Op::StoreGlobal(at));
    }

    fn delete_name(&mut self, name: &'a str) {
        if !self.globals.contains(name) {
            match self.space {
                Space::Function => {
                    if self.cells.contains_key(name) {
                        let words = format!("can not delete variable '{name}' referenced in nested scope");
                        self.fail(self.line, &words);
                        return;
                    }
                    let at = self.local(name);
                    self.push(Op::DeleteLocal(at));
                    return;
                }
                Space::Class | Space::Text => {
                    let at = self.name(name);
                    self.push(Op::DeleteName(at));
                    return;
                }
                Space::Module => {}
            }
        }
        let at = self.name(name);
        self.push(Op::DeleteGlobal(at));
    }

    // ---- statements ----

    fn block(&mut self, block: Block<'a>) {
        if self.fault.is_none() {
            block.iter().for_each(|stmt| self.stmt(stmt));
        }
    }

    fn stmt(&mut self, stmt: &Stmt<'a>) {
        self.line = self.line_starts.line(stmt.span.start);
        match stmt.kind {
            StmtKind::Expr(expr) => {
                if !matches!(expr.kind, ExprKind::Literal(_)) {
                    self.expr(expr);
                    self.push(Op::Pop);
                }
            }
            StmtKind::Assign { targets, value } => {
                self.expr(value);
                for (at, target) in targets.iter().enumerate() {
                    if at + 1 < targets.len() {
                        self.push(Op::Duplicate);
                    }
                    self.store(target);
                }
            }
            StmtKind::Augmented { target, op, value } => self.augmented(target, op, value),
            StmtKind::Print {
                to,
                values,
                ends_line,
            } => self.print(to, values, ends_line),
            StmtKind::Return(value) => self.return_statement(value),
            StmtKind::Yield(value) => {
                self.value_or_none(value);
                self.push(Op::Yield);
                self.push(Op::Pop);
            }
            StmtKind::Break => self.leave_loop(true),
            StmtKind::Continue => self.leave_loop(false),
            StmtKind::Pass => {}
            StmtKind::Raise(parts) => {
                parts.iter().for_each(|part| self.expr(part));
                self.push(Op::Raise(count(parts.len())));
            }
            StmtKind::Global(names) => {
                if self.space != Space::Module {
                    self.globals.extend(names);
                }
            }
            StmtKind::Delete(targets) => targets.iter().for_each(|target| self.delete(target)),
            StmtKind::Assert { test, words } => {
                self.expr(test);
                let holds = self.push(Op::JumpIfTrue(0));
                let parts = words.map_or(0, |words| {
                    self.expr(words);
                    1
                });
                self.push(Op::Assert(parts));
                self.land(holds);
            }
            StmtKind::If { tests, otherwise } => self.if_statement(tests, otherwise),
            StmtKind::While {
                test,
                body,
                otherwise,
            } => self.while_statement(test, body, otherwise),
            StmtKind::For {
                target,
                source,
                body,
                otherwise,
            } => self.for_statement(target, source, body, otherwise),
            StmtKind::Try(parts) => self.try_statement(parts),
            StmtKind::With { items, body } => self.with_statement(items, body),
            StmtKind::Def(def) => {
                def.decorators.iter().for_each(|decorator| self.expr(decorator));
                self.function(Inner::Def(def), def.name);
                def.decorators.iter().for_each(|_| {
                    self.push(Op::Call(1));
                });
                self.store_name(def.name);
            }
            StmtKind::Class(class) => self.class(class),
            StmtKind::Import(names) => {
                for (module, alias) in names {
                    let at = self.name(module);
                    self.push(Op::Import(at));
                    let first = module.split('.').next().unwrap_or(module);
                    if alias.is_none() && first.len() < module.len() {
                        // `import a.b` binds `a`; whatever refused `b` has done so.
                        self.push(Op::Pop);
                        let at = self.name(first);
                        self.push(Op::Import(at));
                    }
                    self.store_name(alias.unwrap_or(first));
                }
            }
            StmtKind::From { module, names } => {
                if module == "__future__" {
                    return;
                }
                let at = self.name(module);
                self.push(Op::Import(at));
                if names.is_empty() {
                    self.push(Op::ImportAll);
                    return;
                }
                for (name, alias) in names {
                    let at = self.name(name);
                    self.push(Op::ImportFrom(at));
                    self.store_name(alias.unwrap_or(name));
                }
                self.push(Op::Pop);
            }
        }
    }

    fn value_or_none(&mut self, value: Option<&'a Expr<'a>>) {
        match value {
            Some(value) => self.expr(value),
            None => self.constant(ScriptValue::None),
        }
    }

    fn store(&mut self, target: &'a Expr<'a>) {
        match target.kind {
            ExprKind::Name(name) => self.store_name(name),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                self.push(Op::Unpack(count(items.len())));
                items.iter().for_each(|item| self.store(item));
            }
            ExprKind::Attribute { object, name, .. } => {
                self.expr(object);
                let name = self.private(name);
                let at = self.name(name);
                self.push(Op::StoreAttribute(at));
            }
            ExprKind::Subscript { object, index } => {
                self.expr(object);
                if self.subscript(index) {
                    self.push(Op::StoreSlice);
                } else {
                    self.push(Op::StoreSubscript);
                }
            }
            _ => self.fail(self.line, "can't assign to expression"),
        }
    }

    fn store_target(&mut self, target: &Target<'a>) {
        match target {
            Target::Name(name, _) => self.store_name(name),
            Target::Tuple(items) => {
                self.push(Op::Unpack(count(items.len())));
                items.iter().for_each(|item| self.store_target(item));
            }
        }
    }

    fn delete(&mut self, target: &'a Expr<'a>) {
        match target.kind {
            ExprKind::Name(name) => self.delete_name(name),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().for_each(|item| self.delete(item));
            }
            ExprKind::Attribute { object, name, .. } => {
                self.expr(object);
                let name = self.private(name);
                let at = self.name(name);
                self.push(Op::DeleteAttribute(at));
            }
            ExprKind::Subscript { object, index } => {
                self.expr(object);
                if self.subscript(index) {
                    self.push(Op::DeleteSlice);
                } else {
                    self.push(Op::DeleteSubscript);
                }
            }
            _ => self.fail(self.line, "can't delete expression"),
        }
    }

    fn augmented(&mut self, target: &'a Expr<'a>, op: cw_expr::ast::BinaryOp, value: &'a Expr<'a>) {
        match target.kind {
            ExprKind::Name(name) => {
                self.load(name);
                self.expr(value);
                self.push(Op::InPlace(op));
                self.store_name(name);
            }
            ExprKind::Attribute { object, name, .. } => {
                self.expr(object);
                self.push(Op::Duplicate);
                let name = self.private(name);
                let at = self.name(name);
                self.push(Op::Attribute(at));
                self.expr(value);
                self.push(Op::InPlace(op));
                self.push(Op::Swap);
                self.push(Op::StoreAttribute(at));
            }
            ExprKind::Subscript { object, index } => {
                self.expr(object);
                if self.subscript(index) {
                    // A slice that is changed in place is made an index of its own.
                    self.constant(ScriptValue::None);
                    self.push(Op::MakeSlice);
                }
                self.push(Op::DuplicateTwo);
                self.push(Op::Subscript);
                self.expr(value);
                self.push(Op::InPlace(op));
                self.push(Op::Under);
                self.push(Op::StoreSubscript);
            }
            _ => self.fail(self.line, "illegal expression for augmented assignment"),
        }
    }

    fn print(&mut self, to: Option<&'a Expr<'a>>, values: &'a [&'a Expr<'a>], ends_line: bool) {
        match to {
            Some(to) => {
                self.expr(to);
                for value in values {
                    self.expr(value);
                    self.push(Op::PrintTo);
                }
                if ends_line {
                    self.push(Op::PrintEndTo);
                } else {
                    self.push(Op::Pop);
                }
            }
            None => {
                for value in values {
                    self.expr(value);
                    self.push(Op::Print);
                }
                if ends_line {
                    self.push(Op::PrintEnd);
                }
            }
        }
    }

    fn if_statement(&mut self, tests: &'a [(&'a Expr<'a>, Block<'a>)], otherwise: Block<'a>) {
        let mut ends = Vec::new();
        for (at, (test, block)) in tests.iter().enumerate() {
            if at > 0 {
                self.line = self.line_starts.line(test.span.start);
            }
            let not = self.condition(test);
            self.block(block);
            if at + 1 < tests.len() || !otherwise.is_empty() {
                ends.push(self.push(Op::Jump(0)));
            }
            self.land(not);
        }
        self.block(otherwise);
        ends.into_iter().for_each(|end| self.land(end));
    }

    /// A jump that is taken if the test fails.
    fn condition(&mut self, test: &'a Expr<'a>) -> usize {
        if let ExprKind::Unary(cw_expr::ast::UnaryOp::Not, operand) = test.kind {
            self.expr(operand);
            return self.push(Op::JumpIfTrue(0));
        }
        self.expr(test);
        self.push(Op::JumpIfFalse(0))
    }

    fn loop_body(&mut self, again: usize, has_iterator: bool, body: Block<'a>) {
        self.around.push(Around::Loop {
            again,
            has_iterator,
            number: self.breaks.len(),
        });
        self.breaks.push(Vec::new());
        self.block(body);
        self.around.pop();
    }

    fn end_loop(&mut self) {
        for at in self.breaks.pop().unwrap_or_default() {
            self.land(at);
        }
    }

    fn while_statement(&mut self, test: &'a Expr<'a>, body: Block<'a>, otherwise: Block<'a>) {
        let again = self.here();
        let end = self.condition(test);
        self.loop_body(again, false, body);
        self.push(Op::Jump(count(again)));
        self.land(end);
        // `break` of the `else` block belongs to the loop around.
        let own = self.breaks.pop().unwrap_or_default();
        self.block(otherwise);
        self.breaks.push(own);
        self.end_loop();
    }

    fn for_statement(
        &mut self,
        target: &'a Expr<'a>,
        source: &'a Expr<'a>,
        body: Block<'a>,
        otherwise: Block<'a>,
    ) {
        self.expr(source);
        self.push(Op::Iterate);
        let again = self.here();
        let next = self.push(Op::Next(0));
        self.store(target);
        self.loop_body(again, true, body);
        self.push(Op::Jump(count(again)));
        self.land(next);
        let own = self.breaks.pop().unwrap_or_default();
        self.block(otherwise);
        self.breaks.push(own);
        self.end_loop();
    }

    /// What leaving the innermost surroundings asks for; they are left out while it runs.
    fn unwind(&mut self, around: Around<'a>) {
        match around {
            Around::Loop { .. } => {}
            Around::Handlers => {
                self.push(Op::EndTry);
            }
            Around::Finally(block) => {
                self.push(Op::EndTry);
                let line = self.line;
                self.block(block);
                self.line = line;
            }
            Around::With(slot) => {
                self.push(Op::EndTry);
                self.push(Op::Local(slot));
                self.push(Op::Leave);
            }
        }
    }

    fn leave_loop(&mut self, breaks: bool) {
        let mut left = Vec::new();
        while let Some(around) = self.around.pop() {
            left.push(around);
            if let Around::Loop {
                again,
                has_iterator,
                number,
            } = around
            {
                if breaks {
                    if has_iterator {
                        self.push(Op::Pop);
                    }
                    let jump = self.push(Op::Jump(0));
                    if let Some(jumps) = self.breaks.get_mut(number) {
                        jumps.push(jump);
                    }
                } else {
                    self.push(Op::Jump(count(again)));
                }
                break;
            }
            self.unwind(around);
        }
        self.around.extend(left.into_iter().rev());
    }

    fn return_statement(&mut self, value: Option<&'a Expr<'a>>) {
        if self.code.is_generator && value.is_some() {
            self.fail(self.line, "'return' with argument inside generator");
        }
        self.value_or_none(value);
        let mut left = Vec::new();
        while let Some(around) = self.around.pop() {
            left.push(around);
            self.unwind(around);
        }
        self.around.extend(left.into_iter().rev());
        self.push(Op::Return);
    }

    fn try_statement(&mut self, parts: &'a TryParts<'a>) {
        let Some(finally) = parts.finally else {
            self.handled(parts);
            return;
        };
        let begin = self.push(Op::Try(0));
        self.around.push(Around::Finally(finally));
        if parts.handlers.is_empty() {
            self.block(parts.body);
        } else {
            self.handled(parts);
        }
        self.around.pop();
        self.push(Op::EndTry);
        self.block(finally);
        let end = self.push(Op::Jump(0));
        self.land(begin);
        let kept = self.hidden();
        self.push(Op::StoreLocal(kept));
        self.block(finally);
        self.push(Op::Local(kept));
        self.push(Op::Reraise);
        self.land(end);
    }

    fn handled(&mut self, parts: &'a TryParts<'a>) {
        let begin = self.push(Op::Try(0));
        self.around.push(Around::Handlers);
        self.block(parts.body);
        self.around.pop();
        self.push(Op::EndTry);
        let fine = self.push(Op::Jump(0));
        self.land(begin);
        let mut ends = Vec::new();
        for handler in parts.handlers {
            ends.push(self.handler(handler));
        }
        self.push(Op::Reraise);
        self.land(fine);
        self.block(parts.otherwise);
        ends.into_iter().for_each(|end| self.land(end));
    }

    /// Looks whether the exception on the stack is this handler's; the jump behind its block.
    fn handler(&mut self, handler: &'a Handler<'a>) -> usize {
        self.line = self.line_starts.line(handler.span.start);
        let other = handler.kind.map(|kind| {
            self.push(Op::Duplicate);
            self.expr(kind);
            self.push(Op::Matches);
            self.push(Op::JumpIfFalse(0))
        });
        self.push(Op::Caught);
        if let Some(target) = handler.target {
            self.push(Op::LoadCaught);
            self.store(target);
        }
        self.block(handler.body);
        let end = self.push(Op::Jump(0));
        if let Some(other) = other {
            self.land(other);
        }
        end
    }

    fn with_statement(&mut self, items: &'a [(&'a Expr<'a>, Option<&'a Expr<'a>>)], body: Block<'a>) {
        let Some(((manager, target), rest)) = items.split_first() else {
            self.block(body);
            return;
        };
        self.expr(manager);
        self.push(Op::Enter);
        let (exit, entered) = (self.hidden(), self.hidden());
        self.push(Op::StoreLocal(entered));
        self.push(Op::StoreLocal(exit));
        let begin = self.push(Op::Try(0));
        self.around.push(Around::With(exit));
        if let Some(target) = target {
            self.push(Op::Local(entered));
            self.store(target);
        }
        self.with_statement(rest, body);
        self.around.pop();
        self.push(Op::EndTry);
        self.push(Op::Local(exit));
        self.push(Op::Leave);
        let end = self.push(Op::Jump(0));
        self.land(begin);
        let kept = self.hidden();
        self.push(Op::StoreLocal(kept));
        self.push(Op::Local(exit));
        self.push(Op::Local(kept));
        self.push(Op::LeaveFailed);
        let swallowed = self.push(Op::JumpIfTrue(0));
        self.push(Op::Local(kept));
        self.push(Op::Reraise);
        self.land(swallowed);
        self.land(end);
    }

    // ---- functions and classes ----

    /// A writer for the body of `inner`, with its names.
    fn writer(&self, inner: Inner<'a>, name: &str, space: Space) -> CodeWriter<'a, 'l> {
        let names = inner.names();
        let mut out = CodeWriter::new(name, &self.file, self.line_starts, space, self.line);
        out.globals.clone_from(&names.globals);
        out.outer.clone_from(&self.outer);
        if self.space == Space::Function {
            let own = self.locals.keys().chain(self.cells.keys()).cloned();
            out.outer
                .push(own.filter(|name| !self.globals.contains(name.as_str())).collect());
        }
        out.code.is_generator = names.yields
            || matches!(inner, Inner::Comprehension(c) if c.kind == ComprehensionKind::Generator);
        let mut of_inner = BTreeSet::new();
        names.inner.iter().for_each(|inner| of_inner.extend(inner.free()));
        if space == Space::Function {
            for name in &names.order {
                if of_inner.contains(name) {
                    out.cells.insert((*name).to_owned(), out.cells.len());
                    out.code.cells.push((*name).into());
                }
            }
            out.code.own_cells = out.cells.len();
        }
        for name in inner.free() {
            if !out.cells.contains_key(name) && out.outer.iter().any(|outer| outer.contains(name)) {
                out.cells.insert(name.to_owned(), out.cells.len());
                out.code.cells.push(name.into());
            }
        }
        match space {
            Space::Function => {
                // Parameters come first and have slots even where they are shared.
                let params = match inner {
                    Inner::Def(def) => {
                        Some((def.parameters.params, def.parameters.rest, def.parameters.named))
                    }
                    Inner::Lambda(lambda) => Some((lambda.params, lambda.rest, lambda.named)),
                    Inner::Class(_) | Inner::Comprehension(_) => None,
                };
                if let Some((params, rest, named)) = params {
                    out.parameters(params, rest, named);
                }
                for name in &names.order {
                    if !out.cells.contains_key(*name) {
                        out.local(name);
                    }
                }
            }
            Space::Class => {
                // Which names a class binds decides whether it looks at those around it.
                for name in &names.order {
                    out.locals.insert((*name).to_owned(), usize::MAX);
                }
            }
            Space::Module | Space::Text => {}
        }
        out
    }

    fn parameters(&mut self, params: &[Param<'a>], rest: Option<&'a str>, named: Option<&'a str>) {
        let mut tuples = Vec::new();
        for (at, param) in params.iter().enumerate() {
            match param.target {
                Target::Name(name, _) => {
                    self.local(name);
                }
                Target::Tuple(_) => {
                    // A tuple parameter has a slot that no caller can name.
                    let slot = self.local(&format!(".{at}"));
                    tuples.push((slot, param.target));
                }
            }
        }
        self.code.params = params.len();
        self.code.rest = rest.map(|name| self.local(name) as usize);
        self.code.named = named.map(|name| self.local(name) as usize);
        let shared: Vec<(usize, usize)> = self
            .locals
            .iter()
            .filter_map(|(name, slot)| Some((*slot, *self.cells.get(name)?)))
            .collect();
        self.code.cell_params = shared;
        for (slot, target) in tuples {
            self.push(Op::Local(slot));
            self.store_target(&target);
        }
    }

    /// Pushes the cells that the code of an inner body takes, and puts it into the list.
    fn take(&mut self, out: CodeWriter<'a, 'l>) -> (u16, u8) {
        if let Some(fault) = out.fault {
            self.fault.get_or_insert(fault);
        }
        let free: Vec<Arc<str>> = out.code.cells[out.code.own_cells..].to_vec();
        for name in &free {
            let at = self.cells.get(&**name).copied().unwrap_or_default();
            self.push(Op::TakeCell(count(at)));
        }
        self.code.codes.push(Arc::new(out.code));
        let Ok(at) = u16::try_from(self.code.codes.len() - 1) else {
            self.fail(self.line, "too many functions");
            return (0, 0);
        };
        let Ok(cells) = u8::try_from(free.len()) else {
            self.fail(self.line, "too many variables of functions around");
            return (0, 0);
        };
        (at, cells)
    }

    fn function(&mut self, inner: Inner<'a>, name: &str) {
        let (params, line) = match inner {
            Inner::Def(def) => (def.parameters.params, self.line),
            Inner::Lambda(lambda) => (lambda.params, self.line),
            Inner::Class(_) | Inner::Comprehension(_) => (&[][..], self.line),
        };
        let mut defaults = 0_u32;
        for default in params.iter().filter_map(|param| param.default) {
            self.expr(default);
            defaults += 1;
        }
        let mut out = self.writer(inner, name, Space::Function);
        match inner {
            Inner::Def(def) => {
                if let Some(StmtKind::Expr(first)) = def.body.first().map(|stmt| stmt.kind) {
                    out.code.documentation = text_of(first);
                }
                out.block(def.body);
                out.constant(ScriptValue::None);
                out.push(Op::Return);
            }
            Inner::Lambda(lambda) => {
                out.expr(lambda.body);
                out.push(Op::Return);
            }
            Inner::Comprehension(comprehension) => out.comprehension_body(comprehension),
            Inner::Class(_) => {}
        }
        let (code, cells) = self.take(out);
        let Ok(defaults) = u8::try_from(defaults) else {
            self.fail(line, "more than 255 arguments");
            return;
        };
        self.push(Op::MakeFunction {
            code,
            defaults,
            cells,
        });
    }

    fn class(&mut self, class: &'a ClassDef<'a>) {
        class.decorators.iter().for_each(|decorator| self.expr(decorator));
        if class.bases.len() > 1 {
            self.fail(self.line, "a class has one base here, no more");
            return;
        }
        class.bases.iter().for_each(|base| self.expr(base));
        let mut out = self.writer(Inner::Class(class), class.name, Space::Class);
        if let Some(StmtKind::Expr(first)) = class.body.first().map(|stmt| stmt.kind) {
            out.code.documentation = text_of(first);
        }
        for stmt in class.body {
            if let StmtKind::Assign { targets, .. } = stmt.kind
                && let Some(word) = targets.iter().find_map(|target| match target.kind {
                    ExprKind::Name(name @ ("__slots__" | "__metaclass__")) => Some(name),
                    _ => None,
                })
            {
                let line = self.line_starts.line(stmt.span.start);
                self.fail(line, &format!("the table gives scripts no {word}"));
            }
            if let StmtKind::Def(def) = stmt.kind
                && def.name == "__del__"
            {
                let line = self.line_starts.line(stmt.span.start);
                self.fail(line, "the table gives scripts no __del__");
            }
        }
        out.block(class.body);
        out.push(Op::EndClass);
        let (code, cells) = self.take(out);
        self.push(Op::MakeClass {
            code,
            bases: u8::from(!class.bases.is_empty()),
            cells,
        });
        class.decorators.iter().for_each(|_| {
            self.push(Op::Call(1));
        });
        self.store_name(class.name);
    }

    /// A name as it is: private names are not mangled, since no class is looked into from another.
    fn private(&self, name: &'a str) -> &'a str {
        name
    }

    // ---- expressions ----

    fn expr(&mut self, expr: &'a Expr<'a>) {
        // A line is told where it grows, as CPython 2 tells it.
        let line = self.line_starts.line(expr.span.start);
        self.line = self.line.max(line);
        match expr.kind {
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::Name(name) => self.load(name),
            ExprKind::Tuple(items) => {
                self.items(items);
                self.push(Op::Tuple(count(items.len())));
            }
            ExprKind::List(items) => {
                self.items(items);
                self.push(Op::List(count(items.len())));
            }
            ExprKind::Set(items) => {
                self.items(items);
                self.push(Op::Set(count(items.len())));
            }
            ExprKind::Dict(pairs) => {
                self.push(Op::Dict(count(pairs.len())));
                for (key, value) in pairs {
                    // Python 2 evaluates the value first.
                    self.expr(value);
                    self.expr(key);
                    self.push(Op::DictEntry);
                }
            }
            ExprKind::Repr(operand) => {
                self.expr(operand);
                self.push(Op::Repr);
            }
            ExprKind::Unary(op, operand) => {
                self.expr(operand);
                self.push(Op::Unary(op));
            }
            ExprKind::Binary(op, left, right) => {
                self.expr(left);
                self.expr(right);
                self.push(Op::Binary(op));
            }
            ExprKind::And(items) => self.chain(items, Op::JumpIfFalseOrPop(0)),
            ExprKind::Or(items) => self.chain(items, Op::JumpIfTrueOrPop(0)),
            ExprKind::Compare(first, rest) => self.compare(first, rest),
            ExprKind::IfElse {
                test,
                then,
                otherwise,
            } => {
                let not = self.condition(test);
                self.expr(then);
                let end = self.push(Op::Jump(0));
                self.land(not);
                self.expr(otherwise);
                self.land(end);
            }
            ExprKind::Lambda(lambda) => self.function(Inner::Lambda(lambda), "<lambda>"),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
            ExprKind::Call(call) => self.call(call),
            ExprKind::Attribute { object, name, .. } => {
                self.expr(object);
                let at = self.name(name);
                self.push(Op::Attribute(at));
            }
            ExprKind::Subscript { object, index } => {
                self.expr(object);
                if self.subscript(index) {
                    self.push(Op::Slice);
                } else {
                    self.push(Op::Subscript);
                }
            }
            // The syntax of files has neither.
            ExprKind::DotIndex { .. } | ExprKind::Group { .. } => self.fail(line, "invalid syntax"),
        }
    }

    fn items(&mut self, items: &'a [&'a Expr<'a>]) {
        items.iter().for_each(|item| self.expr(item));
    }

    fn literal(&mut self, literal: Literal<'a>) {
        let value = literal_value(literal);
        self.constant(value);
    }

    fn chain(&mut self, items: &'a [&'a Expr<'a>], jump: Op) {
        let mut ends = Vec::new();
        for (at, item) in items.iter().enumerate() {
            self.expr(item);
            if at + 1 < items.len() {
                ends.push(self.push(jump));
            }
        }
        ends.into_iter().for_each(|end| self.land(end));
    }

    fn compare(&mut self, first: &'a Expr<'a>, rest: &'a [(CompareOp, &'a Expr<'a>)]) {
        self.expr(first);
        let mut ends = Vec::new();
        for (at, (op, right)) in rest.iter().enumerate() {
            self.expr(right);
            if at + 1 < rest.len() {
                // … left right → … right result
                self.push(Op::Duplicate);
                self.push(Op::Under);
                self.push(Op::Compare(*op));
                ends.push(self.push(Op::JumpIfFalseOrPop(0)));
            } else {
                self.push(Op::Compare(*op));
            }
        }
        if ends.is_empty() {
            return;
        }
        let done = self.push(Op::Jump(0));
        ends.into_iter().for_each(|end| self.land(end));
        self.push(Op::Swap);
        self.push(Op::Pop);
        self.land(done);
    }

    /// Pushes an index; true for the two bounds of a plain slice.
    fn subscript(&mut self, index: &'a Subscript<'a>) -> bool {
        if let Subscript::Slice {
            start,
            stop,
            step: None,
            extended: false,
        } = index
        {
            self.value_or_none(*start);
            self.value_or_none(*stop);
            return true;
        }
        self.index(index);
        false
    }

    fn index(&mut self, index: &'a Subscript<'a>) {
        match index {
            Subscript::Index(index) => self.expr(index),
            Subscript::Slice {
                start, stop, step, ..
            } => {
                self.value_or_none(*start);
                self.value_or_none(*stop);
                self.value_or_none(*step);
                self.push(Op::MakeSlice);
            }
            Subscript::Ellipsis => self.constant(ScriptValue::Ellipsis),
            Subscript::Tuple(parts) => {
                parts.iter().for_each(|part| self.index(part));
                self.push(Op::Tuple(count(parts.len())));
            }
        }
    }

    fn call(&mut self, call: &'a CallExpr<'a>) {
        let plain = call.keywords.is_empty() && call.star.is_none() && call.star_star.is_none();
        if let ExprKind::Attribute { object, name, .. } = call.function.kind
            && plain
        {
            // OCTGN turns `window.ShowDialog()` into a call of its own by the text (S33).
            if name == "ShowDialog" && call.args.is_empty() {
                let at = self.name("showWinForm");
                self.push(Op::Global(at));
                self.expr(object);
                self.push(Op::Call(1));
                return;
            }
            self.expr(object);
            let at = self.name(name);
            self.push(Op::Method(at));
            self.items(call.args);
            self.push(Op::CallMethod(count(call.args.len())));
            return;
        }
        self.expr(call.function);
        self.items(call.args);
        if plain {
            self.push(Op::Call(count(call.args.len())));
            return;
        }
        let mut names = Vec::new();
        for (name, value) in call.keywords {
            self.expr(value);
            names.push(Self::name_of(name));
        }
        self.code.keywords.push(names);
        let (Ok(names), Ok(args)) = (
            u16::try_from(self.code.keywords.len() - 1),
            u8::try_from(call.args.len()),
        ) else {
            self.fail(self.line, "too many calls with names");
            return;
        };
        let mut spread = 0;
        if let Some(star) = call.star {
            self.expr(star);
            spread |= 1;
        }
        if let Some(star_star) = call.star_star {
            self.expr(star_star);
            spread |= 2;
        }
        if spread == 0 {
            let args = u16::from(args);
            self.push(Op::CallNamed { args, names });
        } else {
            self.push(Op::CallSpread { args, spread, names });
        }
    }

    fn comprehension(&mut self, comprehension: &'a Comprehension<'a>) {
        if comprehension.kind == ComprehensionKind::List {
            self.push(Op::List(0));
            self.loops(comprehension, 0, None);
            return;
        }
        let name = match comprehension.kind {
            ComprehensionKind::List => "<listcomp>",
            ComprehensionKind::Set => "<setcomp>",
            ComprehensionKind::Dict => "<dictcomp>",
            ComprehensionKind::Generator => "<genexpr>",
        };
        self.function(Inner::Comprehension(comprehension), name);
        if let Some(first) = comprehension.loops.first() {
            self.expr(first.source);
            self.push(Op::Iterate);
        }
        self.push(Op::Call(1));
    }

    /// The function that a comprehension is: what it runs over is its only argument.
    fn comprehension_body(&mut self, comprehension: &'a Comprehension<'a>) {
        // The argument's slot stands before those of the variables.
        let slots: Vec<(String, usize)> = self.locals.iter().map(|(name, at)| (name.clone(), *at)).collect();
        for (name, at) in slots {
            self.locals.insert(name, at + 1);
        }
        self.code.locals.insert(0, ".0".into());
        self.locals.insert(".0".to_owned(), 0);
        self.code.params = 1;
        match comprehension.kind {
            ComprehensionKind::Set => {
                self.push(Op::Set(0));
            }
            ComprehensionKind::Dict => {
                self.push(Op::Dict(0));
            }
            ComprehensionKind::List | ComprehensionKind::Generator => {}
        }
        self.loops(comprehension, 0, Some(0));
        if comprehension.kind == ComprehensionKind::Generator {
            self.constant(ScriptValue::None);
        }
        self.push(Op::Return);
    }

    /// Loop `at` of a comprehension and those inside it; `given` is the slot with what the first runs over.
    fn loops(&mut self, comprehension: &'a Comprehension<'a>, at: usize, given: Option<u32>) {
        let Some(each) = comprehension.loops.get(at) else {
            let depth = count(comprehension.loops.len() + 1);
            match comprehension.kind {
                ComprehensionKind::List => {
                    self.expr(comprehension.element);
                    self.push(Op::Append(depth));
                }
                ComprehensionKind::Set => {
                    self.expr(comprehension.element);
                    self.push(Op::SetAdd(depth));
                }
                ComprehensionKind::Dict => {
                    comprehension.value.into_iter().for_each(|value| self.expr(value));
                    self.expr(comprehension.element);
                    self.push(Op::DictAdd(depth));
                }
                ComprehensionKind::Generator => {
                    self.expr(comprehension.element);
                    self.push(Op::Yield);
                    self.push(Op::Pop);
                }
            }
            return;
        };
        match given {
            Some(slot) => {
                self.push(Op::Local(slot));
            }
            None => {
                self.expr(each.source);
                self.push(Op::Iterate);
            }
        }
        let again = self.here();
        let next = self.push(Op::Next(0));
        self.store_target(&each.target);
        for test in each.tests {
            let not = self.condition(test);
            self.code.ops[not] = match self.code.ops[not] {
                Op::JumpIfTrue(_) => Op::JumpIfTrue(count(again)),
                _ => Op::JumpIfFalse(count(again)),
            };
        }
        self.loops(comprehension, at + 1, None);
        self.push(Op::Jump(count(again)));
        self.land(next);
    }
}

/// What a literal stands for.
fn literal_value(literal: Literal<'_>) -> ScriptValue {
    match literal {
        Literal::Int(value) => ScriptValue::Int(value),
        Literal::Long(digits) => ScriptValue::long(BigInt::from(BigUint::new(digits.to_vec()))),
        Literal::Float(value) => ScriptValue::Float(value),
        Literal::Imaginary(im) => ScriptValue::Complex(Arc::new(cw_expr::Complex { re: 0.0, im })),
        Literal::Str(bytes) => ScriptValue::bytes(bytes.to_vec()),
        Literal::Unicode(points) => ScriptValue::points(points.to_vec()),
        Literal::Constant(ConstantWord::None) => ScriptValue::None,
        Literal::Constant(word) => ScriptValue::Bool(word == ConstantWord::True),
    }
}

fn text_of(expr: &Expr<'_>) -> Option<ScriptValue> {
    match expr.kind {
        ExprKind::Literal(literal @ (Literal::Str(_) | Literal::Unicode(_))) => Some(literal_value(literal)),
        _ => None,
    }
}

/// Places fit: a text has at most four million bytes.
fn count(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
