//! A slow and obvious evaluator: it walks the tree as it was read and looks names up in a map.
//!
//! Fuzzing compares the compiled form with it. It shares the operations on values, and none of the
//! compiler: no scopes, slots, fused nodes or words. Lambdas and generators, whose scopes are the
//! compiler's own business, are beyond it.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::BigUint;

use crate::base::error::{Error, ExceptionKind};
use crate::base::limits::ExprLimits;
use crate::tree::ast::{
    CallExpr, CompareOp, Comprehension, ComprehensionKind, ConstantWord, Expr, ExprKind, Literal, Subscript,
    Target, UnaryOp,
};
use crate::value::Value;
use crate::value::ValueTable;
use crate::value::host::NoHost;
use crate::vm::builtin;
use crate::vm::machine::{Args, EvalOutcome, Vm};

/// The `repr` or error of a tree of plain Python; `None` where the tree has forms beyond this evaluator.
pub fn walk_repr(expr: &Expr<'_>, limits: &ExprLimits) -> Option<Result<String, Error>> {
    let mut host = NoHost;
    let mut walker = Walker {
        vm: Vm::new(&mut host, limits),
        names: BTreeMap::new(),
        beyond: false,
    };
    let result = walker.eval(expr).and_then(|value| walker.vm.repr(&value));
    (!walker.beyond).then_some(result)
}

/// How many tokens, parts and names reading and compiling have looked at on this thread so far.
pub fn looked_at() -> u64 {
    crate::base::work::done()
}

struct Walker<'h> {
    vm: Vm<'h>,
    names: BTreeMap<String, Value>,
    beyond: bool,
}

impl Walker<'_> {
    fn beyond<T>(&mut self) -> EvalOutcome<T> {
        self.beyond = true;
        Err(Error::limit("beyond the oracle"))
    }

    fn all(&mut self, items: &[&Expr<'_>]) -> EvalOutcome<Vec<Value>> {
        items.iter().map(|item| self.eval(item)).collect()
    }

    fn eval(&mut self, expr: &Expr<'_>) -> EvalOutcome {
        self.vm.charge(1)?;
        match &expr.kind {
            ExprKind::Literal(literal) => Ok(constant(literal)),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Tuple(items) => {
                let items = self.all(items)?;
                self.vm.make_tuple(items)
            }
            ExprKind::List(items) => {
                let items = self.all(items)?;
                self.vm.make_list(items)
            }
            ExprKind::Set(items) => {
                let items = self.all(items)?;
                let table = self.vm.set_of(items)?;
                self.vm.make_set(table, false)
            }
            ExprKind::Dict(pairs) => {
                let mut table = ValueTable::presized(pairs.len());
                for (key, value) in *pairs {
                    let value = self.eval(value)?;
                    let key = self.eval(key)?;
                    self.vm.dict_insert(&mut table, key, value)?;
                }
                self.vm.make_dict(table)
            }
            ExprKind::Repr(operand) => {
                let value = self.eval(operand)?;
                let text = self.vm.repr(&value)?;
                self.vm.make_str(text.into_bytes())
            }
            ExprKind::Unary(op, operand) => {
                let value = self.eval(operand)?;
                match op {
                    UnaryOp::Neg => self.vm.negate(&value),
                    UnaryOp::Pos => self.vm.plus(&value),
                    UnaryOp::Invert => self.vm.invert(&value),
                    UnaryOp::Not => Ok(Value::Bool(!self.vm.truth(&value)?)),
                }
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.eval(left)?, self.eval(right)?);
                self.vm.binary(*op, &left, &right)
            }
            ExprKind::And(items) => self.either(items, false),
            ExprKind::Or(items) => self.either(items, true),
            ExprKind::Compare(first, rest) => self.comparison(first, rest),
            ExprKind::IfElse {
                test,
                then,
                otherwise,
            } => {
                let test = self.eval(test)?;
                if self.vm.truth(&test)? {
                    self.eval(then)
                } else {
                    self.eval(otherwise)
                }
            }
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
            ExprKind::Call(call) => self.call(call),
            ExprKind::Attribute { object, name, .. } => {
                let object = self.eval(object)?;
                self.vm.attribute(&object, name)
            }
            ExprKind::Subscript { object, index } => {
                let object = self.eval(object)?;
                if let Subscript::Slice {
                    start,
                    stop,
                    extended: false,
                    ..
                } = index
                {
                    let (start, stop) = (self.part(*start)?, self.part(*stop)?);
                    return self.vm.simple_slice(&object, start, stop);
                }
                let index = self.index(index)?;
                self.vm.subscript(&object, &index)
            }
            ExprKind::Lambda(_) | ExprKind::DotIndex { .. } | ExprKind::Group { .. } => self.beyond(),
        }
    }

    fn name(&mut self, name: &str) -> EvalOutcome {
        if let Some(value) = self.names.get(name) {
            return Ok(value.clone());
        }
        match builtin::builtin_value(name) {
            Some(value) => Ok(value),
            None if builtin::refused(name) => Err(Error::not_available(name)),
            None => Err(Error::raise(
                ExceptionKind::NameError,
                format!("name '{name}' is not defined"),
            )),
        }
    }

    fn either(&mut self, items: &[&Expr<'_>], stop_at: bool) -> EvalOutcome {
        let mut value = Value::None;
        for item in items {
            value = self.eval(item)?;
            if self.vm.truth(&value)? == stop_at {
                break;
            }
        }
        Ok(value)
    }

    fn comparison(&mut self, first: &Expr<'_>, rest: &[(CompareOp, &Expr<'_>)]) -> EvalOutcome {
        let mut left = self.eval(first)?;
        let mut result = Value::None;
        for (op, right) in rest {
            let right = self.eval(right)?;
            result = self.vm.compare(*op, &left, &right)?;
            if !self.vm.truth(&result)? {
                break;
            }
            left = right;
        }
        Ok(result)
    }

    fn part(&mut self, part: Option<&Expr<'_>>) -> EvalOutcome {
        part.map_or(Ok(Value::None), |part| self.eval(part))
    }

    fn index(&mut self, index: &Subscript<'_>) -> EvalOutcome {
        match index {
            Subscript::Index(index) => self.eval(index),
            Subscript::Ellipsis => Ok(Value::Ellipsis),
            Subscript::Slice {
                start, stop, step, ..
            } => {
                let (start, stop, step) = (self.part(*start)?, self.part(*stop)?, self.part(*step)?);
                self.vm.make_slice(start, stop, step)
            }
            Subscript::Tuple(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| self.index(part))
                    .collect::<EvalOutcome<Vec<_>>>()?;
                self.vm.make_tuple(parts)
            }
        }
    }

    fn call(&mut self, call: &CallExpr<'_>) -> EvalOutcome {
        let function = self.eval(call.function)?;
        let plain = self.all(call.args)?;
        if call.star.is_some() || call.star_star.is_some() {
            return self.beyond();
        }
        let mut named: Vec<(Arc<str>, Value)> = Vec::new();
        for (name, value) in call.keywords {
            named.push((Arc::from(*name), self.eval(value)?));
        }
        self.vm.call(
            &function,
            Args {
                plain: &plain,
                named: &named,
            },
        )
    }

    fn comprehension(&mut self, comprehension: &Comprehension<'_>) -> EvalOutcome {
        if comprehension.kind != ComprehensionKind::List {
            return self.beyond();
        }
        let mut items = Vec::new();
        self.rounds(comprehension, 0, &mut items)?;
        self.vm.make_list(items)
    }

    fn rounds(
        &mut self,
        comprehension: &Comprehension<'_>,
        at: usize,
        items: &mut Vec<Value>,
    ) -> EvalOutcome<()> {
        let Some(each) = comprehension.loops.get(at) else {
            items.push(self.eval(comprehension.element)?);
            return self.vm.allow_items(items.len());
        };
        let source = self.eval(each.source)?;
        let mut cursor = self.vm.cursor(&source)?;
        'rounds: while let Some(item) = self.vm.next(&mut cursor)? {
            self.bind(&each.target, item)?;
            for test in each.tests {
                let test = self.eval(test)?;
                if !self.vm.truth(&test)? {
                    continue 'rounds;
                }
            }
            self.rounds(comprehension, at + 1, items)?;
        }
        Ok(())
    }

    fn bind(&mut self, target: &Target<'_>, value: Value) -> EvalOutcome<()> {
        match target {
            Target::Name(name, _) => {
                self.names.insert((*name).to_owned(), value);
                Ok(())
            }
            Target::Tuple(targets) => {
                let items = self.vm.unpack(&value, targets.len())?;
                targets
                    .iter()
                    .zip(items)
                    .try_for_each(|(target, item)| self.bind(target, item))
            }
        }
    }
}

fn constant(literal: &Literal<'_>) -> Value {
    match literal {
        Literal::Int(value) => Value::Int(*value),
        Literal::Long(value) => Value::long(BigUint::from_slice(value).into()),
        Literal::Float(value) => Value::Float(*value),
        Literal::Imaginary(value) => Value::complex(0.0, *value),
        Literal::Str(bytes) => Value::bytes(bytes.to_vec()),
        Literal::Unicode(points) => Value::unicode(points.to_vec()),
        Literal::Constant(ConstantWord::None) => Value::None,
        Literal::Constant(ConstantWord::True) => Value::Bool(true),
        Literal::Constant(ConstantWord::False) => Value::Bool(false),
    }
}

/// Whether identity may tell the two evaluators apart: the compiler shares equal literals.
pub fn looks_at_identity(expr: &Expr<'_>) -> bool {
    struct Looks(bool);
    impl<'a> crate::tree::ast::ExprVisitor<'a> for Looks {
        fn expr(&mut self, expr: &'a Expr<'a>) {
            self.0 |= match &expr.kind {
                ExprKind::Compare(_, rest) => rest
                    .iter()
                    .any(|(op, _)| matches!(op, CompareOp::Is | CompareOp::IsNot)),
                ExprKind::Name(name) => *name == "id",
                _ => false,
            };
            crate::tree::ast::walk(self, expr);
        }
    }
    let mut looks = Looks(false);
    crate::tree::ast::ExprVisitor::expr(&mut looks, expr);
    looks.0
}
