//! Places in what is being run over.

use std::sync::Arc;

use crate::base::id::Object;
use crate::value::{Dict, LoopFunction, Sequence, Set, Value, ViewKind, XRange};

/// A place in something that is being run over.
#[derive(Debug)]
pub(crate) enum Cursor {
    Sequence(Arc<Sequence>, usize),
    Reversed(Arc<Sequence>, usize),
    Bytes(Arc<Vec<u8>>, usize),
    ByteValues(Arc<Vec<u8>>, usize),
    Points(Arc<Vec<u32>>, usize),
    Range(XRange, i64),
    Dict(Arc<Dict>, usize, ViewKind),
    Set(Arc<Set>, usize),
    Host(Object, usize),
    /// An iterator of this evaluation.
    Iterator(u32),
    Enumerate(Box<Cursor>, Value),
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
    pub(crate) cursors: Vec<Cursor>,
}
