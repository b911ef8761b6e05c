//! Small expressions as one line of steps, without a tree, a stack of variables or a heap.
//!
//! Knows nil, bools, small ints and objects of the host, which is all that most expressions of a game
//! touch. Whatever else comes up, an error among it, ends the line without an answer; the machine in
//! [`crate::vm`] then evaluates from the start, which is allowed because a [`ExprHost`] answers the same
//! question in the same way. Calls of host functions, which may ask and draw, have no steps.
//!
//! The line is generic over its host, so that the host's answers become part of it.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::base::id::{AttributeId, HostNameId, HostObject};
use crate::base::limits::ExprLimits;
use crate::tree::ast::{BinaryOp, CompareOp};
use crate::value::Value;
use crate::value::builtin::Builtin;
use crate::value::host::ExprHost;
use crate::value::word::{SmallValue, Tag, compare_small};
use crate::value::{CodeNode, FunctionCode, NodeId};

/// A compiled expression: immutable, cheap to share, evaluated as often as wanted.
#[derive(Clone, Debug)]
pub struct CompiledExpr {
    /// The same as `main` for small values, if it can be told in one line; here, where it is found at once.
    pub(crate) line: Option<QuickLine>,
    pub(crate) main: Arc<FunctionCode>,
}

/// The steps of an expression.
#[derive(Clone, Debug)]
pub(crate) struct QuickLine {
    steps: SmallVec<[QuickStep; 8]>,
    /// Counts against [`ExprLimits::steps`], as the nodes of the tree do.
    cost: u64,
}

/// What one step does to the current value.
#[derive(Clone, Copy, Debug)]
enum QuickStep {
    None,
    Bool(bool),
    Int(i32),
    Name(HostNameId),
    /// The element of the innermost group form.
    Element,
    /// An attribute of the current value.
    Attribute(AttributeId),
    /// An element of the current value.
    Item(u32),
    /// Puts the current value aside.
    Save,
    /// The value put aside last, compared with the current one.
    Compare(CompareOp),
    CompareInt(CompareOp, i32),
    /// The value put aside last, and the current one.
    Binary(Small),
    BinaryInt(Small, i32),
    Not,
    Neg,
    Abs,
    /// Goes on elsewhere, by how many steps.
    Skip(u16),
    /// The same if the current value is true or false.
    SkipIf(bool, u16),
    /// `all` or `any` over the current value: as many steps for each element.
    Group {
        all: bool,
        len: u16,
        cost: u16,
    },
}

const _: () = assert!(
    size_of::<QuickStep>() <= 8,
    "a line of eight steps is one cache line"
);

/// Operations on small ints.
#[derive(Clone, Copy, Debug)]
enum Small {
    Add,
    Sub,
    Mul,
}

/// How many values may be put aside.
const SAVED: usize = 4;

/// The line of an expression, if it has one.
pub(crate) fn line(code: &FunctionCode) -> Option<QuickLine> {
    let mut writer = QuickWriter {
        code,
        nodes: &code.nodes,
        steps: SmallVec::new(),
    };
    writer.node(code.root, 0)?;
    Some(QuickLine {
        steps: writer.steps,
        cost: code.nodes.len() as u64,
    })
}

struct QuickWriter<'c> {
    code: &'c FunctionCode,
    /// Those of the code.
    nodes: &'c [CodeNode],
    steps: SmallVec<[QuickStep; 8]>,
}

impl QuickWriter<'_> {
    /// Writes a node whose value becomes the current one, with `saved` values put aside.
    fn node(&mut self, id: NodeId, saved: usize) -> Option<()> {
        let step = match *self.nodes.get(id as usize)? {
            CodeNode::None => QuickStep::None,
            CodeNode::Bool(value) => QuickStep::Bool(value),
            CodeNode::Int(value) => QuickStep::Int(i32::try_from(value).ok()?),
            CodeNode::HostName(name) => QuickStep::Name(name),
            CodeNode::Element => QuickStep::Element,
            CodeNode::HostAttribute { object, id, .. } => {
                self.node(object, saved)?;
                QuickStep::Attribute(id)
            }
            CodeNode::DotIndex { object, index } => {
                self.node(object, saved)?;
                QuickStep::Item(index)
            }
            CodeNode::CompareInt { op, left, right } => {
                self.node(left, saved)?;
                QuickStep::CompareInt(op, right)
            }
            CodeNode::Compare { op, left, right } => {
                self.both(left, right, saved)?;
                QuickStep::Compare(op)
            }
            CodeNode::Binary { op, left, right } => {
                let op = match op {
                    BinaryOp::Add => Small::Add,
                    BinaryOp::Sub => Small::Sub,
                    BinaryOp::Mul => Small::Mul,
                    _ => return None,
                };
                match self.nodes.get(right as usize) {
                    Some(&CodeNode::Int(right)) => {
                        self.node(left, saved)?;
                        QuickStep::BinaryInt(op, i32::try_from(right).ok()?)
                    }
                    _ => {
                        self.both(left, right, saved)?;
                        QuickStep::Binary(op)
                    }
                }
            }
            CodeNode::Not(operand) => {
                self.node(operand, saved)?;
                QuickStep::Not
            }
            CodeNode::Neg(operand) => {
                self.node(operand, saved)?;
                QuickStep::Neg
            }
            CodeNode::CallBuiltin {
                builtin: Builtin::Abs,
                args,
            } if args.len == 1 => {
                self.node(*self.code.lists.get(args.start as usize)?, saved)?;
                QuickStep::Abs
            }
            CodeNode::And(list) => return self.and_or(list.start, list.len, false, saved),
            CodeNode::Or(list) => return self.and_or(list.start, list.len, true, saved),
            CodeNode::IfElse {
                test,
                then,
                otherwise,
            } => return self.if_else([test, then, otherwise], saved),
            CodeNode::Group { all, group } => {
                let group = *self.code.rare().groups.get(group as usize)?;
                self.node(group.source, saved)?;
                let at = self.hole();
                // The values put aside outside are not seen from within.
                self.node(group.element, 0)?;
                let len = self.distance(at)?;
                let cost = u16::try_from(group.cost).ok()?;
                *self.steps.get_mut(at)? = QuickStep::Group { all, len, cost };
                return Some(());
            }
            _ => return None,
        };
        self.steps.push(step);
        Some(())
    }

    fn both(&mut self, left: NodeId, right: NodeId, saved: usize) -> Option<()> {
        if saved == SAVED {
            return None;
        }
        self.node(left, saved)?;
        self.steps.push(QuickStep::Save);
        self.node(right, saved + 1)
    }

    fn and_or(&mut self, start: u32, len: u32, stop_at: bool, saved: usize) -> Option<()> {
        let nodes = self.code.lists.get(start as usize..(start + len) as usize)?;
        let (last, before) = nodes.split_last()?;
        let mut holes = SmallVec::<[usize; 4]>::new();
        for node in before {
            self.node(*node, saved)?;
            holes.push(self.hole());
        }
        self.node(*last, saved)?;
        for hole in holes {
            *self.steps.get_mut(hole)? = QuickStep::SkipIf(stop_at, self.distance(hole)?);
        }
        Some(())
    }

    fn if_else(&mut self, [test, then, otherwise]: [NodeId; 3], saved: usize) -> Option<()> {
        self.node(test, saved)?;
        let to_else = self.hole();
        self.node(then, saved)?;
        let to_end = self.hole();
        *self.steps.get_mut(to_else)? = QuickStep::SkipIf(false, self.distance(to_else)?);
        self.node(otherwise, saved)?;
        *self.steps.get_mut(to_end)? = QuickStep::Skip(self.distance(to_end)?);
        Some(())
    }

    /// A step that is known later.
    fn hole(&mut self) -> usize {
        self.steps.push(QuickStep::Skip(0));
        self.steps.len() - 1
    }

    /// From the step after `hole` to the end of what is written.
    fn distance(&self, hole: usize) -> Option<u16> {
        u16::try_from(self.steps.len() - hole - 1).ok()
    }
}

impl QuickLine {
    /// The value, or nothing if it takes more than a line to find it.
    #[inline]
    pub(crate) fn run<H: ExprHost>(&self, host: &mut H, limits: &ExprLimits) -> Option<SmallValue> {
        let mut left = limits.steps.checked_sub(self.cost)?;
        run(&self.steps, SmallValue::NONE, &mut left, host)
    }
}

/// Runs steps from the first to the last; `left` are the evaluation steps that groups may still take.
fn run<H: ExprHost>(
    steps: &[QuickStep],
    element: SmallValue,
    left: &mut u64,
    host: &mut H,
) -> Option<SmallValue> {
    let mut value = SmallValue::NONE;
    let mut saved = [SmallValue::NONE; SAVED];
    let mut aside = 0;
    let mut at = 0;
    while let Some(step) = steps.get(at) {
        at += 1;
        value = match *step {
            QuickStep::None => SmallValue::NONE,
            QuickStep::Bool(value) => SmallValue::bool(value),
            QuickStep::Int(value) => SmallValue::int(value.into()),
            QuickStep::Element => element,
            QuickStep::Name(name) => small(host.name(name).ok()?)?,
            QuickStep::Attribute(id) => small(host.attribute(object(value)?, id).ok()??)?,
            QuickStep::Item(index) => {
                let (list, index) = (object(value)?, index as usize);
                if index >= host.len(list)? {
                    return None;
                }
                small(host.item(list, index).ok()?)?
            }
            QuickStep::Save => {
                *saved.get_mut(aside)? = value;
                aside += 1;
                value
            }
            QuickStep::Compare(op) => {
                aside -= 1;
                compare(op, *saved.get(aside)?, value, host)?
            }
            QuickStep::CompareInt(op, right) => {
                SmallValue::bool(compare_small(op, int(value)?, right.into())?)
            }
            QuickStep::Binary(op) => {
                aside -= 1;
                SmallValue::int(binary(op, int(*saved.get(aside)?)?, int(value)?)?)
            }
            QuickStep::BinaryInt(op, right) => SmallValue::int(binary(op, int(value)?, right.into())?),
            QuickStep::Not => SmallValue::bool(!value.truth(host)?),
            QuickStep::Neg => SmallValue::int(int(value)?.checked_neg()?),
            QuickStep::Abs => SmallValue::int(int(value)?.checked_abs()?),
            QuickStep::Skip(by) => {
                at += usize::from(by);
                value
            }
            QuickStep::SkipIf(truth, by) => {
                if value.truth(host)? == truth {
                    at += usize::from(by);
                }
                value
            }
            QuickStep::Group { all, len, cost } => {
                let inner = steps.get(at..at + usize::from(len))?;
                at += usize::from(len);
                group(all, inner, cost.into(), object(value)?, left, host)?
            }
        };
    }
    Some(value)
}

/// R1021: an element that gives nil does not count.
fn group<H: ExprHost>(
    all: bool,
    steps: &[QuickStep],
    cost: u64,
    source: HostObject,
    left: &mut u64,
    host: &mut H,
) -> Option<SmallValue> {
    let mut at = 0;
    while at < host.len(source)? {
        *left = left.checked_sub(cost)?;
        let element = small(host.item(source, at).ok()?)?;
        let word = run(steps, element, left, host)?;
        if word.tag != Tag::None && word.truth(host)? != all {
            return Some(SmallValue::bool(!all));
        }
        at += 1;
    }
    Some(SmallValue::bool(all))
}

#[inline(always)]
fn small(value: Value) -> Option<SmallValue> {
    let word = SmallValue::of(&value)?;
    // A value that fits a word owns nothing that could be dropped.
    std::mem::forget(value);
    Some(word)
}

#[inline(always)]
fn int(word: SmallValue) -> Option<i64> {
    (word.tag == Tag::Int).then_some(word.bits as i64)
}

#[inline(always)]
fn object(word: SmallValue) -> Option<HostObject> {
    (word.tag == Tag::Object).then_some(HostObject(word.bits))
}

#[inline(always)]
fn binary(op: Small, left: i64, right: i64) -> Option<i64> {
    match op {
        Small::Add => left.checked_add(right),
        Small::Sub => left.checked_sub(right),
        Small::Mul => left.checked_mul(right),
    }
}

/// Ints by size, things of the game by identity; lists of the game are left to the machine.
#[inline(always)]
fn compare<H: ExprHost>(
    op: CompareOp,
    left: SmallValue,
    right: SmallValue,
    host: &mut H,
) -> Option<SmallValue> {
    if left.tag == Tag::Int && right.tag == Tag::Int {
        return compare_small(op, left.bits as i64, right.bits as i64).map(SmallValue::bool);
    }
    let (left, right) = (object(left)?, object(right)?);
    if host.len(left).is_some() || host.len(right).is_some() {
        return None;
    }
    match op {
        CompareOp::Eq => Some(SmallValue::bool(left == right)),
        CompareOp::Ne => Some(SmallValue::bool(left != right)),
        _ => None,
    }
}
