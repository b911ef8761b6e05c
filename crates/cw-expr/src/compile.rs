//! Tree to compiled form: scopes first, then nodes.
//!
//! Scopes follow Python 2: the expression itself is the module, lambdas and set, dict and generator
//! comprehensions are functions, a list comprehension binds its variables where it stands.

use std::collections::BTreeMap;
use std::sync::Arc;

use cw_text::{Span, offset};
use num_bigint::BigUint;
use smallvec::SmallVec;

use crate::base::error::CompileError;
use crate::base::limits::ExprLimits;
use crate::base::syntax::Syntax;
use crate::base::work;
use crate::tree::ast::{
    Arena, CallExpr, CompareOp, Comprehension, ComprehensionKind, ConstantWord, Expr, ExprKind, ExprVisitor,
    Lambda, Literal, Quantifier, Subscript, Target, UnaryOp, walk,
};
use crate::tree::parse::parse;
use crate::value::Value;
use crate::value::host::{Dialect, NameMeaning};
use crate::value::quick::CompiledExpr;
use crate::value::{
    AttributeName, CallSpec, Capture, Chain, Clause, CodeList, CodeNode, ComprehensionBody,
    ComprehensionCode, FunctionCode, GroupCode, LambdaCode, LoopFunction, Loops, NodeId, Params, StorePlace,
};
use crate::vm::builtin;

/// Reads and compiles a text.
///
/// ```
/// use cw_expr::{ExprLimits, PlainPython, Syntax, compile};
///
/// assert!(compile("1 + 1", &Syntax::default(), &PlainPython, &ExprLimits::CARD).is_ok());
/// let refused = compile("1 +", &Syntax::default(), &PlainPython, &ExprLimits::CARD)
///     .expect_err("it ends too early");
/// assert_eq!(refused.message, "unexpected EOF while parsing");
/// ```
///
/// # Errors
/// Where and why the text is no expression, names what the sandbox refuses, or which limit it exceeds.
pub fn compile(
    text: &str,
    syntax: &Syntax,
    dialect: &dyn Dialect,
    limits: &ExprLimits,
) -> Result<CompiledExpr, CompileError> {
    compile_ast(parse(text, &Arena::new(), syntax, limits)?, dialect)
}

/// Compiles a tree.
///
/// # Errors
/// When the sandbox refuses a name, or the tree needs more than 65,535 of something.
pub fn compile_ast(expr: &Expr<'_>, dialect: &dyn Dialect) -> Result<CompiledExpr, CompileError> {
    // Most expressions bind no name, and then no name has a scope.
    let scopes = if expr.binds { scopes_of(expr)? } else { Vec::new() };
    let mut compiler = ExprCompiler {
        scopes,
        next_scope: 1,
        dialect,
        texts: BTreeMap::new(),
        refused: None,
    };
    let mut main = Arc::new(FunctionCode::named(crate::value::MAIN));
    let mut line = None;
    // Nobody shares it yet, so it is filled where it lies.
    if let Some(code) = Arc::get_mut(&mut main) {
        let root = compiler.node(expr, 0, code);
        compiler.finish(0, code, root, expr.height);
        line = crate::value::quick::line(code);
    }
    match compiler.refused {
        Some(error) => Err(error),
        None => Ok(CompiledExpr { line, main }),
    }
}

// ---- scopes ----

/// Names in order of first sight, each once, with their places.
#[derive(Debug, Default)]
struct NameList {
    list: Vec<Arc<str>>,
    places: BTreeMap<Arc<str>, usize>,
}

impl NameList {
    /// Whether the name is new.
    fn add(&mut self, name: &str) -> bool {
        let new = !self.has(name);
        if new {
            let name: Arc<str> = name.into();
            self.places.insert(Arc::clone(&name), self.list.len());
            self.list.push(name);
        }
        new
    }

    fn has(&self, name: &str) -> bool {
        work::count(1);
        self.places.contains_key(name)
    }

    fn position(&self, name: &str) -> Option<u16> {
        work::count(1);
        self.places.get(name).and_then(|at| u16::try_from(*at).ok())
    }

    fn len(&self) -> usize {
        self.list.len()
    }
}

/// Variables of one function, or of the module.
#[derive(Debug, Default)]
struct VariableScope {
    parent: Option<usize>,
    /// Names bound here.
    bound: NameList,
    /// Names used here or captured for an inner function.
    used: NameList,
    /// Bound names that inner functions use.
    cells: NameList,
    /// Names of surrounding functions that are used here or further in.
    free: NameList,
    /// Bound names that are no cells.
    locals: NameList,
}

/// Where a name of a scope lives.
enum VariablePlace {
    Local(u16),
    OwnCell(u16),
    FreeCell(u16),
    Global(u16),
    Outside,
}

/// Variables of an expression, counted again in every function that a variable of another is carried
/// through.
const MOST_VARIABLES: usize = u16::MAX as usize;

/// Finds all scopes, numbered in the order in which the compiler enters them.
fn scopes_of<'a>(expr: &'a Expr<'a>) -> Result<Vec<VariableScope>, CompileError> {
    let mut collector = Collector {
        scopes: vec![VariableScope::default()],
        scope: 0,
    };
    collector.expr(expr);
    let mut scopes = collector.scopes;
    let mut variables: usize = scopes.iter().map(|scope| scope.bound.len()).sum();
    // Before any name is resolved, too: variables that nobody uses count as well.
    let counted = |variables: usize| match variables > MOST_VARIABLES {
        true => Err(CompileError::limit(expr.span, "too many variables")),
        false => Ok(()),
    };
    counted(variables)?;
    for inner in 0..scopes.len() {
        for name in std::mem::take(&mut scopes[inner].used).list {
            variables += resolve(&name, inner, &mut scopes);
            counted(variables)?;
        }
    }
    for scope in &mut scopes {
        for name in &scope.bound.list {
            if !scope.cells.has(name) {
                scope.locals.add(name);
            }
        }
    }
    Ok(scopes)
}

/// Marks `name`, used in function `inner`, as a cell of the function that binds it, and as free between;
/// in how many functions that is new.
fn resolve(name: &str, inner: usize, scopes: &mut [VariableScope]) -> usize {
    let mut owner = inner;
    loop {
        let Some(parent) = scopes[owner].parent else {
            return 0;
        };
        if scopes[owner].bound.has(name) {
            break;
        }
        owner = parent;
    }
    if owner == inner {
        return 0;
    }
    scopes[owner].cells.add(name);
    let (mut between, mut new) = (inner, 0);
    while between != owner {
        new += usize::from(scopes[between].free.add(name));
        let Some(parent) = scopes[between].parent else {
            break;
        };
        between = parent;
    }
    new
}

/// Notes what expressions bind and use. Inner scopes open in the same order as [`ExprCompiler::node`] enters
/// them.
struct Collector {
    scopes: Vec<VariableScope>,
    /// Where the expression stands.
    scope: usize,
}

impl<'a> ExprVisitor<'a> for Collector {
    fn expr(&mut self, expr: &'a Expr<'a>) {
        match expr.kind {
            ExprKind::Name(name) => {
                self.scopes[self.scope].used.add(name);
            }
            ExprKind::Lambda(lambda) => {
                let defaults = lambda.params.iter().filter_map(|param| param.default);
                defaults.for_each(|default| self.expr(default));
                let outer = self.open();
                lambda.params.iter().for_each(|param| self.bind(&param.target));
                for name in [lambda.rest, lambda.named].into_iter().flatten() {
                    self.scopes[self.scope].bound.add(name);
                }
                self.expr(lambda.body);
                self.scope = outer;
            }
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
            _ => walk(self, expr),
        }
    }
}

impl Collector {
    /// Opens a scope within this one, and goes there; where it was before.
    fn open(&mut self) -> usize {
        self.scopes.push(VariableScope {
            parent: Some(self.scope),
            ..VariableScope::default()
        });
        std::mem::replace(&mut self.scope, self.scopes.len() - 1)
    }

    fn bind(&mut self, target: &Target<'_>) {
        match target {
            Target::Name(name, _) => {
                self.scopes[self.scope].bound.add(name);
            }
            Target::Tuple(items) => items.iter().for_each(|item| self.bind(item)),
        }
    }

    fn comprehension<'a>(&mut self, comprehension: &'a Comprehension<'a>) {
        let outer = self.scope;
        for (at, each) in comprehension.loops.iter().enumerate() {
            // What the first loop runs over is evaluated outside.
            self.expr(each.source);
            if at == 0 && comprehension.kind != ComprehensionKind::List {
                self.open();
            }
            self.bind(&each.target);
            each.tests.iter().for_each(|test| self.expr(test));
        }
        comprehension.value.into_iter().for_each(|value| self.expr(value));
        self.expr(comprehension.element);
        self.scope = outer;
    }
}

/// The variable of a group form. No text can spell it; a dialect that wants a name for it renames.
pub const GROUP_ELEMENT: &str = "card in group";

// ---- nodes ----

struct ExprCompiler<'d, 't> {
    scopes: Vec<VariableScope>,
    next_scope: usize,
    dialect: &'d dyn Dialect,
    /// Where the function of a scope keeps a text: equal ones are one object, as in CPython.
    texts: BTreeMap<(usize, &'t [u8]), NodeId>,
    /// The first name that the sandbox refuses, if it is sure to be read.
    refused: Option<CompileError>,
}

fn push(node: CodeNode, out: &mut FunctionCode) -> NodeId {
    out.nodes.push(node);
    offset(out.nodes.len() - 1)
}

fn push_list(nodes: &[NodeId], out: &mut FunctionCode) -> CodeList {
    let start = offset(out.lists.len());
    out.lists.extend_from_slice(nodes);
    CodeList {
        start,
        len: offset(nodes.len()),
    }
}

/// Adds `item`; its place.
fn keep<T>(item: T, items: &mut Vec<T>) -> u32 {
    items.push(item);
    offset(items.len() - 1)
}

/// How many names there are: at most [`MOST_VARIABLES`].
fn count(names: &NameList) -> u16 {
    u16::try_from(names.len()).expect("more variables are refused before this")
}

fn push_constant(value: Value, out: &mut FunctionCode) -> NodeId {
    let at = keep(value, &mut out.constants);
    push(CodeNode::Constant(at), out)
}

impl<'t> ExprCompiler<'_, 't> {
    fn finish(&self, scope: usize, out: &mut FunctionCode, root: NodeId, height: u16) {
        out.root = root;
        out.height = u32::from(height);
        let Some(scope) = self.scopes.get(scope) else {
            return;
        };
        out.locals = count(&scope.locals);
        out.cells = count(&scope.cells);
        let rare = out.rare_mut();
        rare.local_names.clone_from(&scope.locals.list);
        rare.cell_names = scope.cells.list.iter().chain(&scope.free.list).cloned().collect();
    }

    fn place(&self, name: &str, scope: usize) -> VariablePlace {
        let Some(here) = self.scopes.get(scope) else {
            return VariablePlace::Outside;
        };
        if let Some(at) = here.cells.position(name) {
            return VariablePlace::OwnCell(at);
        }
        if let Some(at) = here.locals.position(name) {
            return if here.parent.is_none() {
                VariablePlace::Global(at)
            } else {
                VariablePlace::Local(at)
            };
        }
        if let Some(at) = here.free.position(name) {
            return VariablePlace::FreeCell(at);
        }
        match self.scopes[0].locals.position(name) {
            Some(at) => VariablePlace::Global(at),
            None => VariablePlace::Outside,
        }
    }

    fn node(&mut self, expr: &Expr<'t>, scope: usize, out: &mut FunctionCode) -> NodeId {
        work::count(1);
        let node = match &expr.kind {
            ExprKind::Literal(literal) => return self.literal(*literal, scope, out),
            ExprKind::Name(name) => return self.name(name, expr.span, scope, out),
            ExprKind::Tuple(items) => CodeNode::Tuple(self.list(items, scope, out)),
            ExprKind::List(items) => CodeNode::ListOf(self.list(items, scope, out)),
            ExprKind::Set(items) => CodeNode::Set(self.list(items, scope, out)),
            ExprKind::And(items) => CodeNode::And(self.list(items, scope, out)),
            ExprKind::Or(items) => CodeNode::Or(self.list(items, scope, out)),
            ExprKind::Dict(pairs) => {
                let mut nodes = Vec::with_capacity(pairs.len() * 2);
                for (key, value) in *pairs {
                    nodes.push(self.node(key, scope, out));
                    nodes.push(self.node(value, scope, out));
                }
                CodeNode::Dict(push_list(&nodes, out))
            }
            ExprKind::Repr(operand) => CodeNode::Repr(self.node(operand, scope, out)),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, scope, out),
            ExprKind::Binary(op, left, right) => CodeNode::Binary {
                op: *op,
                left: self.node(left, scope, out),
                right: self.node(right, scope, out),
            },
            ExprKind::Compare(first, rest) => self.compare(first, rest, scope, out),
            ExprKind::IfElse {
                test,
                then,
                otherwise,
            } => CodeNode::IfElse {
                then: self.node(then, scope, out),
                test: self.node(test, scope, out),
                otherwise: self.node(otherwise, scope, out),
            },
            ExprKind::Lambda(lambda) => self.lambda(lambda, scope, out),
            ExprKind::Comprehension(comprehension) => {
                self.comprehension(comprehension, expr.height, scope, out)
            }
            ExprKind::Call(call) => self.call(call, scope, out),
            ExprKind::Attribute { object, name, .. } => {
                let object = self.node(object, scope, out);
                self.attribute(object, name, out)
            }
            ExprKind::DotIndex { object, index, .. } => CodeNode::DotIndex {
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

    fn list(&mut self, items: &[&Expr<'t>], scope: usize, out: &mut FunctionCode) -> CodeList {
        let nodes = items
            .iter()
            .map(|item| self.node(item, scope, out))
            .collect::<SmallVec<[_; 8]>>();
        push_list(&nodes, out)
    }

    fn literal(&mut self, literal: Literal<'t>, scope: usize, out: &mut FunctionCode) -> NodeId {
        match literal {
            Literal::Int(value) => push(CodeNode::Int(value), out),
            Literal::Constant(ConstantWord::None) => push(CodeNode::None, out),
            Literal::Constant(ConstantWord::True) => push(CodeNode::Bool(true), out),
            Literal::Constant(ConstantWord::False) => push(CodeNode::Bool(false), out),
            Literal::Long(value) => push_constant(Value::long(BigUint::from_slice(value).into()), out),
            Literal::Float(value) => push_constant(Value::Float(value), out),
            Literal::Imaginary(value) => push_constant(Value::complex(0.0, value), out),
            Literal::Str(bytes) => {
                work::count(1);
                let at = self.texts.entry((scope, bytes));
                let at = *at.or_insert_with(|| keep(Value::bytes(bytes.to_vec()), &mut out.constants));
                push(CodeNode::Constant(at), out)
            }
            Literal::Unicode(points) => push_constant(Value::unicode(points.to_vec()), out),
        }
    }

    fn name(&mut self, name: &str, span: Span, scope: usize, out: &mut FunctionCode) -> NodeId {
        if name == GROUP_ELEMENT {
            return push(CodeNode::Element, out);
        }
        let node = match self.place(name, scope) {
            VariablePlace::Local(slot) => CodeNode::Local(slot),
            VariablePlace::OwnCell(cell) => CodeNode::OwnCell(cell),
            VariablePlace::FreeCell(cell) => CodeNode::FreeCell(cell),
            VariablePlace::Global(slot) => {
                // Bound here and refused outside: refused only if it is read before it is bound.
                let otherwise = self.outside(name, out);
                let otherwise = push(otherwise, out);
                CodeNode::Global { slot, otherwise }
            }
            VariablePlace::Outside => {
                let node = self.outside(name, out);
                if matches!(node, CodeNode::Refused(_)) {
                    self.refused
                        .get_or_insert_with(|| CompileError::not_available(span, name));
                }
                node
            }
        };
        push(node, out)
    }

    /// A name that the expression does not bind.
    fn outside(&self, name: &str, out: &mut FunctionCode) -> CodeNode {
        let constant = match self.dialect.name(name) {
            Some(NameMeaning::Name(id)) => return CodeNode::HostName(id),
            Some(NameMeaning::Function(id)) => Value::HostFunction(id),
            Some(NameMeaning::Constant(value)) => value,
            Some(NameMeaning::Refused) => return CodeNode::Refused(self.name_index(name, out)),
            None => match builtin::builtin_value(name) {
                Some(Value::Builtin(builtin)) => return CodeNode::Builtin(builtin),
                Some(value) => value,
                None if builtin::refused(name) => return CodeNode::Refused(self.name_index(name, out)),
                None => return CodeNode::Unknown(self.name_index(name, out)),
            },
        };
        CodeNode::Constant(keep(constant, &mut out.constants))
    }

    /// Where the function keeps a name. Only its last few are looked at, so that it does not take longer
    /// the more there are; a name may then stand there twice.
    fn name_index(&self, name: &str, out: &mut FunctionCode) -> u32 {
        const LAST: usize = 8;
        let start = out.names.len().saturating_sub(LAST);
        let known = out.names[start..].iter().position(|known| *known.text == *name);
        let at = known.map_or(out.names.len(), |at| start + at);
        if known.is_none() {
            out.names.push(AttributeName {
                text: name.into(),
                id: self.dialect.attribute(name),
            });
        }
        offset(at)
    }

    fn attribute(&self, object: NodeId, name: &str, out: &mut FunctionCode) -> CodeNode {
        let index = self.name_index(name, out);
        match out.names[index as usize].id {
            Some(id) => CodeNode::HostAttribute {
                object,
                id,
                name: index,
            },
            None => CodeNode::Attribute { object, name: index },
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr<'t>, scope: usize, out: &mut FunctionCode) -> CodeNode {
        if op == UnaryOp::Neg
            && let ExprKind::Literal(Literal::Int(value)) = operand.kind
            && let Some(negated) = value.checked_neg()
        {
            return CodeNode::Int(negated);
        }
        let operand = self.node(operand, scope, out);
        match op {
            UnaryOp::Neg => CodeNode::Neg(operand),
            UnaryOp::Pos => CodeNode::Pos(operand),
            UnaryOp::Invert => CodeNode::Invert(operand),
            UnaryOp::Not => CodeNode::Not(operand),
        }
    }

    fn compare(
        &mut self,
        first: &Expr<'t>,
        rest: &[(CompareOp, &Expr<'t>)],
        scope: usize,
        out: &mut FunctionCode,
    ) -> CodeNode {
        let left = self.node(first, scope, out);
        if let [(op, right)] = rest {
            let right = self.node(right, scope, out);
            if let CodeNode::Int(value) = out.nodes[right as usize]
                && let Ok(right) = i32::try_from(value)
                && is_ordering(*op)
            {
                return CodeNode::CompareInt { op: *op, left, right };
            }
            return CodeNode::Compare { op: *op, left, right };
        }
        let rest = rest
            .iter()
            .map(|(op, operand)| (*op, self.node(operand, scope, out)))
            .collect::<Vec<_>>();
        let chain = Chain { first: left, rest };
        CodeNode::Chain(keep(chain, &mut out.rare_mut().chains))
    }

    fn subscript(
        &mut self,
        object: &Expr<'t>,
        index: &Subscript<'t>,
        scope: usize,
        out: &mut FunctionCode,
    ) -> CodeNode {
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
            return CodeNode::Slice {
                object,
                parts: push_list(&parts, out).start,
            };
        }
        CodeNode::Subscript {
            object,
            index: self.subscript_value(index, scope, out),
        }
    }

    fn optional(&mut self, part: Option<&Expr<'t>>, scope: usize, out: &mut FunctionCode) -> NodeId {
        match part {
            Some(part) => self.node(part, scope, out),
            None => push(CodeNode::None, out),
        }
    }

    fn subscript_value(&mut self, index: &Subscript<'t>, scope: usize, out: &mut FunctionCode) -> NodeId {
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
                push(CodeNode::MakeSlice(parts), out)
            }
            Subscript::Tuple(parts) => {
                let nodes = parts
                    .iter()
                    .map(|part| self.subscript_value(part, scope, out))
                    .collect::<Vec<_>>();
                let list = push_list(&nodes, out);
                push(CodeNode::Tuple(list), out)
            }
        }
    }

    fn call(&mut self, call: &CallExpr<'t>, scope: usize, out: &mut FunctionCode) -> CodeNode {
        let plain = call.keywords.is_empty() && call.star.is_none() && call.star_star.is_none();
        if plain
            && let ExprKind::Attribute { object, name, .. } = &call.function.kind
            && let Ok(len) = u16::try_from(call.args.len())
        {
            let object = self.node(object, scope, out);
            let args = self.list(call.args, scope, out).start;
            return CodeNode::CallMethod {
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
                CodeNode::Builtin(builtin) => return CodeNode::CallBuiltin { builtin, args },
                CodeNode::Constant(at) => {
                    if let Value::HostFunction(function) = out.constants[at as usize] {
                        return CodeNode::CallHost { function, args };
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
        CodeNode::Call(keep(call, &mut out.rare_mut().calls))
    }

    fn store(&self, target: &Target<'_>, scope: usize) -> StorePlace {
        match target {
            Target::Name(name, _) => self.store_name(name, scope),
            Target::Tuple(items) => {
                StorePlace::Tuple(items.iter().map(|item| self.store(item, scope)).collect())
            }
        }
    }

    fn store_name(&self, name: &str, scope: usize) -> StorePlace {
        match self.place(name, scope) {
            VariablePlace::Local(slot) => StorePlace::Local(slot),
            VariablePlace::OwnCell(cell) => StorePlace::Cell(cell),
            VariablePlace::Global(slot) => StorePlace::Global(slot),
            // A stored name is bound in its scope, so it is neither free nor outside.
            VariablePlace::FreeCell(_) | VariablePlace::Outside => StorePlace::Tuple(Vec::new()),
        }
    }

    fn captures(&self, inner: usize, scope: usize) -> Vec<Capture> {
        let free = &self.scopes[inner].free.list;
        free.iter()
            .filter_map(|name| match self.place(name, scope) {
                VariablePlace::OwnCell(cell) => Some(Capture::Own(cell)),
                VariablePlace::FreeCell(cell) => Some(Capture::Free(cell)),
                VariablePlace::Local(_) | VariablePlace::Global(_) | VariablePlace::Outside => None,
            })
            .collect()
    }

    fn enter(&mut self) -> usize {
        self.next_scope += 1;
        self.next_scope - 1
    }

    fn lambda(&mut self, lambda: &Lambda<'t>, scope: usize, out: &mut FunctionCode) -> CodeNode {
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
        CodeNode::Lambda(keep(lambda, &mut out.rare_mut().functions))
    }

    fn comprehension(
        &mut self,
        comprehension: &Comprehension<'t>,
        height: u16,
        scope: usize,
        out: &mut FunctionCode,
    ) -> CodeNode {
        let kind = comprehension.kind;
        let Some(first) = comprehension.loops.first() else {
            return CodeNode::None;
        };
        let source = self.node(first.source, scope, out);
        let body = match kind {
            ComprehensionKind::List => ComprehensionBody::Inline(self.loops(comprehension, scope, out)),
            ComprehensionKind::Set | ComprehensionKind::Dict | ComprehensionKind::Generator => {
                let inner = self.enter();
                let mut code = FunctionCode::named("<genexpr>");
                let loops = self.loops(comprehension, inner, &mut code);
                self.finish(inner, &mut code, loops.element, height);
                let captures = self.captures(inner, scope);
                ComprehensionBody::Function(
                    Arc::new(LoopFunction {
                        code: Arc::new(code),
                        loops,
                    }),
                    captures,
                )
            }
        };
        let comprehension = ComprehensionCode { kind, source, body };
        CodeNode::Comprehension(keep(comprehension, &mut out.rare_mut().comprehensions))
    }

    fn loops(&mut self, comprehension: &Comprehension<'t>, scope: usize, out: &mut FunctionCode) -> Loops {
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
        element: &Expr<'t>,
        list: &Expr<'t>,
        scope: usize,
        out: &mut FunctionCode,
    ) -> CodeNode {
        let before = out.nodes.len();
        let element = self.node(element, scope, out);
        let cost = (out.nodes.len() - before) as u64 + 1;
        let source = self.node(list, scope, out);
        let group = GroupCode {
            source,
            element,
            cost,
        };
        CodeNode::Group {
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
