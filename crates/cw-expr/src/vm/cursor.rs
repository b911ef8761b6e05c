//! Places in what is being run over.

use std::sync::Arc;

use crate::base::id::HostObject;
use crate::value::{Dict, LoopFunction, Sequence, SetElements, Value, ViewKind, XRange};

/// A place in something that is being run over.
#[derive(Debug)]
pub(crate) enum IterationCursor {
    Sequence(Arc<Sequence>, usize),
    Reversed(Arc<Sequence>, usize),
    Bytes(Arc<Vec<u8>>, usize),
    ByteValues(Arc<Vec<u8>>, usize),
    Points(Arc<Vec<u32>>, usize),
    Range(XRange, i64),
    Dict(Arc<Dict>, usize, ViewKind),
    Set(Arc<SetElements>, usize),
    Host(HostObject, usize),
    /// An iterator of this evaluation.
    Iterator(u32),
    Enumerate(Box<IterationCursor>, Value),
    Callable(Box<(Value, Value)>),
    Generator(Box<Generator>),
    /// The iterator is giving an element just now.
    Running,
    Done,
}

/// A generator expression between two elements.
#[derive(Debug)]
pub(crate) struct Generator {
    pub(crate) function: Arc<LoopFunction>,
    pub(crate) free: Vec<u32>,
    pub(crate) cells: usize,
    pub(crate) locals: Vec<Option<Value>>,
    /// One per loop that has begun.
    pub(crate) cursors: Vec<IterationCursor>,
}
