//! Small expressions as one line of steps, without a tree, a stack of variables or a heap.
//!
//! Knows nil, bools, small ints and objects of the host, which is all that most expressions of a game
//! touch. Whatever else comes up, an error among it, ends the line without an answer; the machine in
//! [`crate::vm`] then evaluates from the start, which is allowed because a [`Host`] answers the same
//! question in the same way. Calls of host functions, which may ask and draw, have no steps.
//!
//! The line is generic over its host, so that the host's answers become part of it.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::base::id::{AttributeId, NameId, Object};
use crate::base::limits::Limits;
use crate::tree::ast::{BinaryOp, CompareOp};
use crate::value::Value;
use crate::value::builtin::Builtin;
use crate::value::host::Host;
use crate::value::word::{Tag, Word, compare_small};
use crate::value::{FunctionCode, Node, NodeId};

/// A compiled expression: immutable, cheap to share, evaluated as often as wanted.
#[derive(Clone, Debug)]
pub struct Code {
    /// The same as `main` for small values, if it can be told in one line; here, where it is found at once.
    pub(crate) line: Option<Line>,
    pub(crate) main: Arc<FunctionCode>,
}

/// The steps of an expression.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    steps: SmallVec<[Step; 8]>,
    /// Counts against [`Limits::steps`], as the nodes of the tree do.
    cost: u64,
}

/// What one step does to the current value.
#[derive(Clone, Copy, Debug)]
enum Step {
    None,
    Bool(bool),
    Int(i32),
    Name(NameId),
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

const _: () = assert!(size_of::<Step>() <= 8, "a line of eight steps is one cache line");

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
pub(crate) fn line(code: &FunctionCode) -> Option<Line> {
    let mut writer = Writer {
        code,
        nodes: &code.nodes,
        steps: SmallVec::new(),
    };
    writer.node(code.root, 0)?;
    Some(Line {
        steps: writer.steps,
        cost: code.nodes.len() as u64,
    })
}

struct Writer<'c> {
    code: &'c FunctionCode,
    /// Those of the code.
    nodes: &'c [Node],
    steps: SmallVec<[Step; 8]>,
}

impl Writer<'_> {
    /// Writes a node whose value becomes the current one, with `saved` values put aside.
    fn node(&mut self, id: NodeId, saved: usize) -> Option<()> {
        let step = match *self.nodes.get(id as usize)? {
            Node::None => Step::None,
            Node::Bool(value) => Step::Bool(value),
            Node::Int(value) => Step::Int(i32::try_from(value).ok()?),
            Node::HostName(name) => Step::Name(name),
            Node::Element => Step::Element,
            Node::HostAttribute { object, id, .. } => {
                self.node(object, saved)?;
                Step::Attribute(id)
            }
            Node::DotIndex { object, index } => {
                self.node(object, saved)?;
                Step::Item(index)
            }
            Node::CompareInt { op, left, right } => {
                self.node(left, saved)?;
                Step::CompareInt(op, right)
            }
            Node::Compare { op, left, right } => {
                self.both(left, right, saved)?;
                Step::Compare(op)
            }
            Node::Binary { op, left, right } => {
                let op = match op {
                    BinaryOp::Add => Small::Add,
                    BinaryOp::Sub => Small::Sub,
                    BinaryOp::Mul => Small::Mul,
                    _ => return None,
                };
                match self.nodes.get(right as usize) {
                    Some(&Node::Int(right)) => {
                        self.node(left, saved)?;
                        Step::BinaryInt(op, i32::try_from(right).ok()?)
                    }
                    _ => {
                        self.both(left, right, saved)?;
                        Step::Binary(op)
                    }
                }
            }
            Node::Not(operand) => {
                self.node(operand, saved)?;
                Step::Not
            }
            Node::Neg(operand) => {
                self.node(operand, saved)?;
                Step::Neg
            }
            Node::CallBuiltin {
                builtin: Builtin::Abs,
                args,
            } if args.len == 1 => {
                self.node(*self.code.lists.get(args.start as usize)?, saved)?;
                Step::Abs
            }
            Node::And(list) => return self.and_or(list.start, list.len, false, saved),
            Node::Or(list) => return self.and_or(list.start, list.len, true, saved),
            Node::IfElse {
                test,
                then,
                otherwise,
            } => return self.if_else([test, then, otherwise], saved),
            Node::Group { all, group } => {
                let group = *self.code.rare().groups.get(group as usize)?;
                self.node(group.source, saved)?;
                let at = self.hole();
                // The values put aside outside are not seen from within.
                self.node(group.element, 0)?;
                let len = self.distance(at)?;
                let cost = u16::try_from(group.cost).ok()?;
                *self.steps.get_mut(at)? = Step::Group { all, len, cost };
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
        self.steps.push(Step::Save);
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
            *self.steps.get_mut(hole)? = Step::SkipIf(stop_at, self.distance(hole)?);
        }
        Some(())
    }

    fn if_else(&mut self, [test, then, otherwise]: [NodeId; 3], saved: usize) -> Option<()> {
        self.node(test, saved)?;
        let to_else = self.hole();
        self.node(then, saved)?;
        let to_end = self.hole();
        *self.steps.get_mut(to_else)? = Step::SkipIf(false, self.distance(to_else)?);
        self.node(otherwise, saved)?;
        *self.steps.get_mut(to_end)? = Step::Skip(self.distance(to_end)?);
        Some(())
    }

    /// A step that is known later.
    fn hole(&mut self) -> usize {
        self.steps.push(Step::Skip(0));
        self.steps.len() - 1
    }

    /// From the step after `hole` to the end of what is written.
    fn distance(&self, hole: usize) -> Option<u16> {
        u16::try_from(self.steps.len() - hole - 1).ok()
    }
}

impl Line {
    /// The value, or nothing if it takes more than a line to find it.
    #[inline]
    pub(crate) fn run<H: Host>(&self, host: &mut H, limits: &Limits) -> Option<Word> {
        let mut left = limits.steps.checked_sub(self.cost)?;
        run(&self.steps, Word::NONE, &mut left, host)
    }
}

/// Runs steps from the first to the last; `left` are the evaluation steps that groups may still take.
fn run<H: Host>(steps: &[Step], element: Word, left: &mut u64, host: &mut H) -> Option<Word> {
    let mut value = Word::NONE;
    let mut saved = [Word::NONE; SAVED];
    let mut aside = 0;
    let mut at = 0;
    while let Some(step) = steps.get(at) {
        at += 1;
        value = match *step {
            Step::None => Word::NONE,
            Step::Bool(value) => Word::bool(value),
            Step::Int(value) => Word::int(value.into()),
            Step::Element => element,
            Step::Name(name) => small(host.name(name).ok()?)?,
            Step::Attribute(id) => small(host.attribute(object(value)?, id).ok()??)?,
            Step::Item(index) => {
                let (list, index) = (object(value)?, index as usize);
                if index >= host.len(list)? {
                    return None;
                }
                small(host.item(list, index).ok()?)?
            }
            Step::Save => {
                *saved.get_mut(aside)? = value;
                aside += 1;
                value
            }
            Step::Compare(op) => {
                aside -= 1;
                compare(op, *saved.get(aside)?, value, host)?
            }
            Step::CompareInt(op, right) => Word::bool(compare_small(op, int(value)?, right.into())?),
            Step::Binary(op) => {
                aside -= 1;
                Word::int(binary(op, int(*saved.get(aside)?)?, int(value)?)?)
            }
            Step::BinaryInt(op, right) => Word::int(binary(op, int(value)?, right.into())?),
            Step::Not => Word::bool(!value.truth(host)?),
            Step::Neg => Word::int(int(value)?.checked_neg()?),
            Step::Abs => Word::int(int(value)?.checked_abs()?),
            Step::Skip(by) => {
                at += usize::from(by);
                value
            }
            Step::SkipIf(truth, by) => {
                if value.truth(host)? == truth {
                    at += usize::from(by);
                }
                value
            }
            Step::Group { all, len, cost } => {
                let inner = steps.get(at..at + usize::from(len))?;
                at += usize::from(len);
                group(all, inner, cost.into(), object(value)?, left, host)?
            }
        };
    }
    Some(value)
}

/// R1021: an element that gives nil does not count.
fn group<H: Host>(
    all: bool,
    steps: &[Step],
    cost: u64,
    source: Object,
    left: &mut u64,
    host: &mut H,
) -> Option<Word> {
    let mut at = 0;
    while at < host.len(source)? {
        *left = left.checked_sub(cost)?;
        let element = small(host.item(source, at).ok()?)?;
        let word = run(steps, element, left, host)?;
        if word.tag != Tag::None && word.truth(host)? != all {
            return Some(Word::bool(!all));
        }
        at += 1;
    }
    Some(Word::bool(all))
}

#[inline(always)]
fn small(value: Value) -> Option<Word> {
    let word = Word::of(&value)?;
    // A value that fits a word owns nothing that could be dropped.
    std::mem::forget(value);
    Some(word)
}

#[inline(always)]
fn int(word: Word) -> Option<i64> {
    (word.tag == Tag::Int).then_some(word.bits as i64)
}

#[inline(always)]
fn object(word: Word) -> Option<Object> {
    (word.tag == Tag::Object).then_some(Object(word.bits))
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
fn compare<H: Host>(op: CompareOp, left: Word, right: Word, host: &mut H) -> Option<Word> {
    if left.tag == Tag::Int && right.tag == Tag::Int {
        return compare_small(op, left.bits as i64, right.bits as i64).map(Word::bool);
    }
    let (left, right) = (object(left)?, object(right)?);
    if host.len(left).is_some() || host.len(right).is_some() {
        return None;
    }
    match op {
        CompareOp::Eq => Some(Word::bool(left == right)),
        CompareOp::Ne => Some(Word::bool(left != right)),
        _ => None,
    }
}
