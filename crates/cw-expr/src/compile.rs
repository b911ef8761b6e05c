//! Tree to compiled form: scopes first, then nodes.
//!
//! Scopes follow Python 2: the expression itself is the module, lambdas and set, dict and generator
//! comprehensions are functions, a list comprehension binds its variables where it stands.

use std::sync::Arc;

use cw_text::Span;
use num_bigint::BigUint;
use smallvec::SmallVec;

use crate::ast::{
    Arena, Call, CompareOp, Comprehension, ComprehensionKind, Constant, Expr, ExprKind, Lambda, Literal,
    Quantifier, Subscript, Target, UnaryOp,
};
use crate::builtin;
use crate::code::{
    AttributeName, Body, CallSpec, Capture, Chain, Clause, Code, ComprehensionCode, FunctionCode, GroupCode,
    LambdaCode, List, LoopFunction, Loops, Node, NodeId, Params, Store,
};
use crate::error::CompileError;
use crate::host::{Dialect, Meaning};
use crate::limits::Limits;
use crate::parse::parse;
use crate::syntax::Syntax;
use crate::value::Value;

/// Reads and compiles a text.
///
/// # Errors
/// Where and why the text is no expression, names what the sandbox refuses, or which limit it exceeds.
pub fn compile(
    text: &str,
    syntax: &Syntax,
    dialect: &dyn Dialect,
    limits: &Limits,
) -> Result<Code, CompileError> {
    compile_ast(parse(text, &Arena::new(), syntax, limits)?, dialect)
}

/// Compiles a tree.
///
/// # Errors
/// When the sandbox refuses a name, or the tree needs more than 65,535 of something.
pub fn compile_ast(expr: &Expr<'_>, dialect: &dyn Dialect) -> Result<Code, CompileError> {
    // Most expressions bind no name, and then no name has a scope.
    let scopes = if expr.binds { scopes_of(expr)? } else { Vec::new() };
    let mut compiler = Compiler {
        scopes,
        next_scope: 1,
        dialect,
        refused: None,
    };
    let mut main = Arc::new(FunctionCode::named(crate::vm::MAIN));
    let mut line = None;
    // Nobody shares it yet, so it is filled where it lies.
    if let Some(code) = Arc::get_mut(&mut main) {
        let root = compiler.node(expr, 0, code);
        compiler.finish(0, code, root, expr.height);
        line = crate::quick::line(code);
    }
    match compiler.refused {
        Some(error) => Err(error),
        None => Ok(Code { line, main }),
    }
}

// ---- scopes ----

/// Variables of one function, or of the module.
#[derive(Debug, Default)]
struct Scope {
    parent: Option<usize>,
    /// Names bound here, in order of first sight.
    bound: Vec<Arc<str>>,
    /// Names used here or captured for an inner function.
    used: Vec<Arc<str>>,
    /// Bound names that inner functions use.
    cells: Vec<Arc<str>>,
    /// Names of surrounding functions that are used here or further in.
    free: Vec<Arc<str>>,
    /// Bound names that are no cells.
    locals: Vec<Arc<str>>,
}

/// Where a name of a scope lives.
enum Place {
    Local(u16),
    OwnCell(u16),
    FreeCell(u16),
    Global(u16),
    Outside,
}

fn add(names: &mut Vec<Arc<str>>, name: &str) {
    if !names.iter().any(|known| **known == *name) {
        names.push(name.into());
    }
}

fn position(names: &[Arc<str>], name: &str) -> Option<u16> {
    names
        .iter()
        .position(|known| **known == *name)
        .and_then(|at| u16::try_from(at).ok())
}

/// Finds all scopes, numbered in the order in which the compiler enters them.
fn scopes_of(expr: &Expr<'_>) -> Result<Vec<Scope>, CompileError> {
    let mut scopes = vec![Scope::default()];
    collect(expr, 0, &mut scopes);
    for inner in 0..scopes.len() {
        for name in scopes[inner].used.clone() {
            resolve(&name, inner, &mut scopes);
        }
    }
    for scope in &mut scopes {
        let cells = &scope.cells;
        scope.locals = scope
            .bound
            .iter()
            .filter(|name| !cells.contains(name))
            .cloned()
            .collect();
        let most = scope.locals.len().max(scope.cells.len()).max(scope.free.len());
        if most > usize::from(u16::MAX) {
            return Err(CompileError::limit(expr.span, "too many variables"));
        }
    }
    Ok(scopes)
}

/// Marks `name`, used in function `inner`, as a cell of the function that binds it, and as free between.
fn resolve(name: &Arc<str>, inner: usize, scopes: &mut [Scope]) {
    let mut owner = inner;
    loop {
        let Some(parent) = scopes[owner].parent else {
            return;
        };
        if scopes[owner].bound.contains(name) {
            break;
        }
        owner = parent;
    }
    if owner == inner {
        return;
    }
    add(&mut scopes[owner].cells, name);
    let mut between = inner;
    while between != owner {
        add(&mut scopes[between].free, name);
        let Some(parent) = scopes[between].parent else {
            return;
        };
        between = parent;
    }
}

fn bind(target: &Target<'_>, scope: usize, scopes: &mut [Scope]) {
    match target {
        Target::Name(name, _) => add(&mut scopes[scope].bound, name),
        Target::Tuple(items) => items.iter().for_each(|item| bind(item, scope, scopes)),
    }
}

fn open_scope(parent: usize, scopes: &mut Vec<Scope>) -> usize {
    scopes.push(Scope {
        parent: Some(parent),
        ..Scope::default()
    });
    scopes.len() - 1
}

/// Notes what `expr` binds and uses. Inner scopes open in the same order as [`Compiler::node`] does.
fn collect(expr: &Expr<'_>, scope: usize, scopes: &mut Vec<Scope>) {
    match &expr.kind {
        ExprKind::Literal(_) => {}
        ExprKind::Name(name) => add(&mut scopes[scope].used, name),
        ExprKind::Tuple(items)
        | ExprKind::List(items)
        | ExprKind::Set(items)
        | ExprKind::And(items)
        | ExprKind::Or(items) => items.iter().for_each(|item| collect(item, scope, scopes)),
        ExprKind::Dict(pairs) => {
            for (key, value) in *pairs {
                collect(key, scope, scopes);
                collect(value, scope, scopes);
            }
        }
        ExprKind::Repr(operand) | ExprKind::Unary(_, operand) => collect(operand, scope, scopes),
        ExprKind::Binary(_, left, right) => {
            collect(left, scope, scopes);
            collect(right, scope, scopes);
        }
        ExprKind::Compare(first, rest) => {
            collect(first, scope, scopes);
            rest.iter()
                .for_each(|(_, operand)| collect(operand, scope, scopes));
        }
        ExprKind::IfElse {
            test,
            then,
            otherwise,
        } => {
            collect(test, scope, scopes);
            collect(then, scope, scopes);
            collect(otherwise, scope, scopes);
        }
        ExprKind::Lambda(lambda) => {
            lambda
                .params
                .iter()
                .filter_map(|param| param.default)
                .for_each(|default| {
                    collect(default, scope, scopes);
                });
            let inner = open_scope(scope, scopes);
            lambda
                .params
                .iter()
                .for_each(|param| bind(&param.target, inner, scopes));
            for name in [lambda.rest, lambda.named].into_iter().flatten() {
                add(&mut scopes[inner].bound, name);
            }
            collect(lambda.body, inner, scopes);
        }
        ExprKind::Comprehension(comprehension) => collect_comprehension(comprehension, scope, scopes),
        ExprKind::Call(call) => {
            collect(call.function, scope, scopes);
            call.args.iter().for_each(|arg| collect(arg, scope, scopes));
            call.keywords
                .iter()
                .for_each(|(_, value)| collect(value, scope, scopes));
            call.star.iter().for_each(|value| collect(value, scope, scopes));
            call.star_star
                .iter()
                .for_each(|value| collect(value, scope, scopes));
        }
        ExprKind::Attribute { object, .. } | ExprKind::DotIndex { object, .. } => {
            collect(object, scope, scopes);
        }
        ExprKind::Subscript { object, index } => {
            collect(object, scope, scopes);
            collect_subscript(index, scope, scopes);
        }
        ExprKind::Group { element, list, .. } => {
            collect(list, scope, scopes);
            collect(element, scope, scopes);
        }
    }
}

fn collect_comprehension(comprehension: &Comprehension<'_>, scope: usize, scopes: &mut Vec<Scope>) {
    let [first, others @ ..] = comprehension.loops else {
        return;
    };
    collect(first.source, scope, scopes);
    let inner = match comprehension.kind {
        ComprehensionKind::List => scope,
        ComprehensionKind::Set | ComprehensionKind::Dict | ComprehensionKind::Generator => {
            open_scope(scope, scopes)
        }
    };
    bind(&first.target, inner, scopes);
    first.tests.iter().for_each(|test| collect(test, inner, scopes));
    for each in others {
        collect(each.source, inner, scopes);
        bind(&each.target, inner, scopes);
        each.tests.iter().for_each(|test| collect(test, inner, scopes));
    }
    comprehension
        .value
        .iter()
        .for_each(|value| collect(value, inner, scopes));
    collect(comprehension.element, inner, scopes);
}

fn collect_subscript(subscript: &Subscript<'_>, scope: usize, scopes: &mut Vec<Scope>) {
    match subscript {
        Subscript::Index(index) => collect(index, scope, scopes),
        Subscript::Slice {
            start, stop, step, ..
        } => {
            [start, stop, step]
                .into_iter()
                .flatten()
                .for_each(|part| collect(part, scope, scopes));
        }
        Subscript::Ellipsis => {}
        Subscript::Tuple(parts) => parts
            .iter()
            .for_each(|part| collect_subscript(part, scope, scopes)),
    }
}

/// The variable of a group form. No text can spell it; a dialect that wants a name for it renames.
pub const GROUP_ELEMENT: &str = "card in group";

// ---- nodes ----

struct Compiler<'d> {
    scopes: Vec<Scope>,
    next_scope: usize,
    dialect: &'d dyn Dialect,
    /// The first name that the sandbox refuses, if it is sure to be read.
    refused: Option<CompileError>,
}

fn push(node: Node, out: &mut FunctionCode) -> NodeId {
    out.nodes.push(node);
    // A text of at most 4 GB has fewer nodes.
    (out.nodes.len() - 1) as NodeId
}

fn push_list(nodes: &[NodeId], out: &mut FunctionCode) -> List {
    let start = out.lists.len() as u32;
    out.lists.extend_from_slice(nodes);
    List {
        start,
        len: nodes.len() as u32,
    }
}

/// Adds `item`; its place.
fn keep<T>(item: T, items: &mut Vec<T>) -> u32 {
    items.push(item);
    (items.len() - 1) as u32
}

fn push_constant(value: Value, out: &mut FunctionCode) -> NodeId {
    let at = keep(value, &mut out.constants);
    push(Node::Constant(at), out)
}

impl Compiler<'_> {
    fn finish(&self, scope: usize, out: &mut FunctionCode, root: NodeId, height: u16) {
        out.root = root;
        out.height = u32::from(height);
        let Some(scope) = self.scopes.get(scope) else {
            return;
        };
        out.locals = scope.locals.len() as u16;
        out.cells = scope.cells.len() as u16;
        let rare = out.rare_mut();
        rare.local_names.clone_from(&scope.locals);
        rare.cell_names = scope.cells.iter().chain(&scope.free).cloned().collect();
    }

    fn place(&self, name: &str, scope: usize) -> Place {
        let Some(here) = self.scopes.get(scope) else {
            return Place::Outside;
        };
        if let Some(at) = position(&here.cells, name) {
            return Place::OwnCell(at);
        }
        if let Some(at) = position(&here.locals, name) {
            return if here.parent.is_none() {
                Place::Global(at)
            } else {
                Place::Local(at)
            };
        }
        if let Some(at) = position(&here.free, name) {
            return Place::FreeCell(at);
        }
        match position(&self.scopes[0].locals, name) {
            Some(at) => Place::Global(at),
            None => Place::Outside,
        }
    }

    fn node(&mut self, expr: &Expr<'_>, scope: usize, out: &mut FunctionCode) -> NodeId {
        let node = match &expr.kind {
            ExprKind::Literal(literal) => return self.literal(literal, out),
            ExprKind::Name(name) => return self.name(name, expr.span, scope, out),
            ExprKind::Tuple(items) => Node::Tuple(self.list(items, scope, out)),
            ExprKind::List(items) => Node::ListOf(self.list(items, scope, out)),
            ExprKind::Set(items) => Node::Set(self.list(items, scope, out)),
            ExprKind::And(items) => Node::And(self.list(items, scope, out)),
            ExprKind::Or(items) => Node::Or(self.list(items, scope, out)),
            ExprKind::Dict(pairs) => {
                let mut nodes = Vec::with_capacity(pairs.len() * 2);
                for (key, value) in *pairs {
                    nodes.push(self.node(key, scope, out));
                    nodes.push(self.node(value, scope, out));
                }
                Node::Dict(push_list(&nodes, out))
            }
            ExprKind::Repr(operand) => Node::Repr(self.node(operand, scope, out)),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, scope, out),
            ExprKind::Binary(op, left, right) => Node::Binary {
                op: *op,
                left: self.node(left, scope, out),
                right: self.node(right, scope, out),
            },
            ExprKind::Compare(first, rest) => self.compare(first, rest, scope, out),
            ExprKind::IfElse {
                test,
                then,
                otherwise,
            } => Node::IfElse {
                test: self.node(test, scope, out),
                then: self.node(then, scope, out),
                otherwise: self.node(otherwise, scope, out),
            },
            ExprKind::Lambda(lambda) => self.lambda(lambda, scope, out),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension, scope, out),
            ExprKind::Call(call) => self.call(call, scope, out),
            ExprKind::Attribute { object, name, .. } => {
                let object = self.node(object, scope, out);
                self.attribute(object, name, out)
            }
            ExprKind::DotIndex { object, index, .. } => Node::DotIndex {
                object: self.node(object, scope, out),
                index: *index,
            },
            ExprKind::Subscript { object, index } => self.subscript(object, index, scope, out),
            ExprKind::Group {
                quantifier,
                element,
                list,
            } => self.group(*quantifier, element, list, scope, out),
        };
        push(node, out)
    }

    fn list(&mut self, items: &[&Expr<'_>], scope: usize, out: &mut FunctionCode) -> List {
        let nodes = items
            .iter()
            .map(|item| self.node(item, scope, out))
            .collect::<SmallVec<[_; 8]>>();
        push_list(&nodes, out)
    }

    fn literal(&self, literal: &Literal<'_>, out: &mut FunctionCode) -> NodeId {
        match literal {
            Literal::Int(value) => push(Node::Int(*value), out),
            Literal::Constant(Constant::None) => push(Node::None, out),
            Literal::Constant(Constant::True) => push(Node::Bool(true), out),
            Literal::Constant(Constant::False) => push(Node::Bool(false), out),
            Literal::Long(value) => push_constant(Value::long(BigUint::from_slice(value).into()), out),
            Literal::Float(value) => push_constant(Value::Float(*value), out),
            Literal::Imaginary(value) => push_constant(Value::complex(0.0, *value), out),
            Literal::Str(bytes) => {
                // Equal literals of one function are one object, as in CPython.
                let known = out.constants.iter().position(
                    |constant| matches!(constant, Value::Str(known) if *known.as_slice() == **bytes),
                );
                match known {
                    Some(at) => push(Node::Constant(at as u32), out),
                    None => push_constant(Value::bytes(bytes.to_vec()), out),
                }
            }
            Literal::Unicode(points) => push_constant(Value::unicode(points.to_vec()), out),
        }
    }

    fn name(&mut self, name: &str, span: Span, scope: usize, out: &mut FunctionCode) -> NodeId {
        if name == GROUP_ELEMENT {
            return push(Node::Element, out);
        }
        let node = match self.place(name, scope) {
            Place::Local(slot) => Node::Local(slot),
            Place::OwnCell(cell) => Node::OwnCell(cell),
            Place::FreeCell(cell) => Node::FreeCell(cell),
            Place::Global(slot) => {
                // Bound here and refused outside: refused only if it is read before it is bound.
                let otherwise = self.outside(name, out);
                let otherwise = push(otherwise, out);
                Node::Global { slot, otherwise }
            }
            Place::Outside => {
                let node = self.outside(name, out);
                if matches!(node, Node::Refused(_)) {
                    self.refused
                        .get_or_insert_with(|| CompileError::not_available(span, name));
                }
                node
            }
        };
        push(node, out)
    }

    /// A name that the expression does not bind.
    fn outside(&self, name: &str, out: &mut FunctionCode) -> Node {
        let constant = match self.dialect.name(name) {
            Some(Meaning::Name(id)) => return Node::HostName(id),
            Some(Meaning::Function(id)) => Value::HostFunction(id),
            Some(Meaning::Constant(value)) => value,
            Some(Meaning::Refused) => return Node::Refused(self.name_index(name, out)),
            None => match builtin::builtin_value(name) {
                Some(Value::Builtin(builtin)) => return Node::Builtin(builtin),
                Some(value) => value,
                None if builtin::refused(name) => return Node::Refused(self.name_index(name, out)),
                None => return Node::Unknown(self.name_index(name, out)),
            },
        };
        Node::Constant(keep(constant, &mut out.constants))
    }

    fn name_index(&self, name: &str, out: &mut FunctionCode) -> u32 {
        let at = out
            .names
            .iter()
            .position(|known| *known.text == *name)
            .unwrap_or_else(|| {
                out.names.push(AttributeName {
                    text: name.into(),
                    id: self.dialect.attribute(name),
                });
                out.names.len() - 1
            });
        at as u32
    }

    fn attribute(&self, object: NodeId, name: &str, out: &mut FunctionCode) -> Node {
        let index = self.name_index(name, out);
        match out.names[index as usize].id {
            Some(id) => Node::HostAttribute {
                object,
                id,
                name: index,
            },
            None => Node::Attribute { object, name: index },
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr<'_>, scope: usize, out: &mut FunctionCode) -> Node {
        if op == UnaryOp::Neg
            && let ExprKind::Literal(Literal::Int(value)) = operand.kind
            && let Some(negated) = value.checked_neg()
        {
            return Node::Int(negated);
        }
        let operand = self.node(operand, scope, out);
        match op {
            UnaryOp::Neg => Node::Neg(operand),
            UnaryOp::Pos => Node::Pos(operand),
            UnaryOp::Invert => Node::Invert(operand),
            UnaryOp::Not => Node::Not(operand),
        }
    }

    fn compare(
        &mut self,
        first: &Expr<'_>,
        rest: &[(CompareOp, &Expr<'_>)],
        scope: usize,
        out: &mut FunctionCode,
    ) -> Node {
        let left = self.node(first, scope, out);
        if let [(op, right)] = rest {
            let right = self.node(right, scope, out);
            if let Node::Int(value) = out.nodes[right as usize]
                && let Ok(right) = i32::try_from(value)
                && is_ordering(*op)
            {
                return Node::CompareInt { op: *op, left, right };
            }
            return Node::Compare { op: *op, left, right };
        }
        let rest = rest
            .iter()
            .map(|(op, operand)| (*op, self.node(operand, scope, out)))
            .collect::<Vec<_>>();
        let chain = Chain { first: left, rest };
        Node::Chain(keep(chain, &mut out.rare_mut().chains))
    }

    fn subscript(
        &mut self,
        object: &Expr<'_>,
        index: &Subscript<'_>,
        scope: usize,
        out: &mut FunctionCode,
    ) -> Node {
        let object = self.node(object, scope, out);
        if let Subscript::Slice {
            start,
            stop,
            extended: false,
            ..
        } = index
        {
            let parts = [
                self.optional(*start, scope, out),
                self.optional(*stop, scope, out),
            ];
            return Node::Slice {
                object,
                parts: push_list(&parts, out).start,
            };
        }
        Node::Subscript {
            object,
            index: self.subscript_value(index, scope, out),
        }
    }

    fn optional(&mut self, part: Option<&Expr<'_>>, scope: usize, out: &mut FunctionCode) -> NodeId {
        match part {
            Some(part) => self.node(part, scope, out),
            None => push(Node::None, out),
        }
    }

    fn subscript_value(&mut self, index: &Subscript<'_>, scope: usize, out: &mut FunctionCode) -> NodeId {
        match index {
            Subscript::Index(index) => self.node(index, scope, out),
            Subscript::Ellipsis => push_constant(Value::Ellipsis, out),
            Subscript::Slice {
                start, stop, step, ..
            } => {
                let parts = [
                    self.optional(*start, scope, out),
                    self.optional(*stop, scope, out),
                    self.optional(*step, scope, out),
                ];
                let parts = push_list(&parts, out).start;
                push(Node::MakeSlice(parts), out)
            }
            Subscript::Tuple(parts) => {
                let nodes = parts
                    .iter()
                    .map(|part| self.subscript_value(part, scope, out))
                    .collect::<Vec<_>>();
                let list = push_list(&nodes, out);
                push(Node::Tuple(list), out)
            }
        }
    }

    fn call(&mut self, call: &Call<'_>, scope: usize, out: &mut FunctionCode) -> Node {
        let plain = call.keywords.is_empty() && call.star.is_none() && call.star_star.is_none();
        if plain
            && let ExprKind::Attribute { object, name, .. } = &call.function.kind
            && let Ok(len) = u16::try_from(call.args.len())
        {
            let object = self.node(object, scope, out);
            let args = self.list(call.args, scope, out).start;
            return Node::CallMethod {
                object,
                name: self.name_index(name, out),
                args,
                len,
            };
        }
        let function = self.node(call.function, scope, out);
        let args = self.list(call.args, scope, out);
        if plain {
            match out.nodes[function as usize] {
                Node::Builtin(builtin) => return Node::CallBuiltin { builtin, args },
                Node::Constant(at) => {
                    if let Value::HostFunction(function) = out.constants[at as usize] {
                        return Node::CallHost { function, args };
                    }
                }
                _ => {}
            }
        }
        let mut keywords = Vec::with_capacity(call.keywords.len());
        for (name, value) in call.keywords {
            keywords.push((Arc::from(*name), self.node(value, scope, out)));
        }
        let star = call.star.map(|star| self.node(star, scope, out));
        let star_star = call.star_star.map(|star| self.node(star, scope, out));
        let call = CallSpec {
            function,
            args,
            keywords,
            star,
            star_star,
        };
        Node::Call(keep(call, &mut out.rare_mut().calls))
    }

    fn store(&self, target: &Target<'_>, scope: usize) -> Store {
        match target {
            Target::Name(name, _) => self.store_name(name, scope),
            Target::Tuple(items) => Store::Tuple(items.iter().map(|item| self.store(item, scope)).collect()),
        }
    }

    fn store_name(&self, name: &str, scope: usize) -> Store {
        match self.place(name, scope) {
            Place::Local(slot) => Store::Local(slot),
            Place::OwnCell(cell) => Store::Cell(cell),
            Place::Global(slot) => Store::Global(slot),
            // A stored name is bound in its scope, so it is neither free nor outside.
            Place::FreeCell(_) | Place::Outside => Store::Tuple(Vec::new()),
        }
    }

    fn captures(&self, inner: usize, scope: usize) -> Vec<Capture> {
        let free = &self.scopes[inner].free;
        free.iter()
            .filter_map(|name| match self.place(name, scope) {
                Place::OwnCell(cell) => Some(Capture::Own(cell)),
                Place::FreeCell(cell) => Some(Capture::Free(cell)),
                Place::Local(_) | Place::Global(_) | Place::Outside => None,
            })
            .collect()
    }

    fn enter(&mut self) -> usize {
        self.next_scope += 1;
        self.next_scope - 1
    }

    fn lambda(&mut self, lambda: &Lambda<'_>, scope: usize, out: &mut FunctionCode) -> Node {
        let mut defaults = Vec::new();
        for default in lambda.params.iter().filter_map(|param| param.default) {
            defaults.push(self.node(default, scope, out));
        }
        let defaults = push_list(&defaults, out);
        let inner = self.enter();
        let mut code = FunctionCode::named("<lambda>");
        code.rare_mut().params = Params {
            plain: lambda
                .params
                .iter()
                .map(|param| self.store(&param.target, inner))
                .collect(),
            names: lambda
                .params
                .iter()
                .map(|param| match &param.target {
                    Target::Name(name, _) => Some(Arc::from(*name)),
                    Target::Tuple(_) => None,
                })
                .collect(),
            rest: lambda.rest.map(|name| self.store_name(name, inner)),
            named: lambda.named.map(|name| self.store_name(name, inner)),
        };
        let root = self.node(lambda.body, inner, &mut code);
        self.finish(inner, &mut code, root, lambda.body.height);
        let captures = self.captures(inner, scope);
        let lambda = LambdaCode {
            code: Arc::new(code),
            defaults,
            captures,
        };
        Node::Lambda(keep(lambda, &mut out.rare_mut().functions))
    }

    fn comprehension(
        &mut self,
        comprehension: &Comprehension<'_>,
        scope: usize,
        out: &mut FunctionCode,
    ) -> Node {
        let kind = comprehension.kind;
        let Some(first) = comprehension.loops.first() else {
            return Node::None;
        };
        let source = self.node(first.source, scope, out);
        let height = comprehension.element.height;
        let body = match kind {
            ComprehensionKind::List => Body::Inline(self.loops(comprehension, scope, out)),
            ComprehensionKind::Set | ComprehensionKind::Dict | ComprehensionKind::Generator => {
                let inner = self.enter();
                let mut code = FunctionCode::named("<genexpr>");
                let loops = self.loops(comprehension, inner, &mut code);
                self.finish(
                    inner,
                    &mut code,
                    loops.element,
                    height.saturating_add(loops.clauses.len() as u16),
                );
                let captures = self.captures(inner, scope);
                Body::Function(
                    Arc::new(LoopFunction {
                        code: Arc::new(code),
                        loops,
                    }),
                    captures,
                )
            }
        };
        let comprehension = ComprehensionCode { kind, source, body };
        Node::Comprehension(keep(comprehension, &mut out.rare_mut().comprehensions))
    }

    fn loops(&mut self, comprehension: &Comprehension<'_>, scope: usize, out: &mut FunctionCode) -> Loops {
        let mut clauses = Vec::new();
        for (at, each) in comprehension.loops.iter().enumerate() {
            let before = out.nodes.len();
            let source = if at == 0 {
                None
            } else {
                Some(self.node(each.source, scope, out))
            };
            let tests_from = out.nodes.len();
            let tests = each
                .tests
                .iter()
                .map(|test| self.node(test, scope, out))
                .collect::<Vec<_>>();
            let cost = (out.nodes.len() - tests_from) as u64;
            clauses.push(Clause {
                target: self.store(&each.target, scope),
                source,
                tests,
                cost: cost + 1,
            });
            // The source of an inner loop is evaluated once per round of the loop around it.
            if let [.., outer, _] = &mut *clauses {
                outer.cost += (tests_from - before) as u64;
            }
        }
        let before = out.nodes.len();
        let value = comprehension.value.map(|value| self.node(value, scope, out));
        let element = self.node(comprehension.element, scope, out);
        if let Some(last) = clauses.last_mut() {
            last.cost += (out.nodes.len() - before) as u64;
        }
        Loops {
            clauses,
            element,
            value,
        }
    }

    fn group(
        &mut self,
        quantifier: Quantifier,
        element: &Expr<'_>,
        list: &Expr<'_>,
        scope: usize,
        out: &mut FunctionCode,
    ) -> Node {
        let source = self.node(list, scope, out);
        let before = out.nodes.len();
        let element = self.node(element, scope, out);
        let cost = (out.nodes.len() - before) as u64 + 1;
        let group = GroupCode {
            source,
            element,
            cost,
        };
        Node::Group {
            all: quantifier == Quantifier::All,
            group: keep(group, &mut out.rare_mut().groups),
        }
    }
}

fn is_ordering(op: CompareOp) -> bool {
    match op {
        CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge | CompareOp::Eq | CompareOp::Ne => true,
        CompareOp::In | CompareOp::NotIn | CompareOp::Is | CompareOp::IsNot => false,
    }
}
