//! What one evaluation has: its limits, variables and iterators.

use std::sync::Arc;

use crate::base::error::{Error, ExceptionKind};
use crate::base::limits::ExprLimits;
use crate::value::host::ExprHost;
use crate::value::word::SmallValue;
use crate::value::{Dict, IteratorKind, Sequence, SetElements, Slice, Value, ValueTable, height_of};
use crate::vm::cursor::IterationCursor;

/// A value, or why there is none.
pub(crate) type EvalOutcome<T = Value> = Result<T, Error>;

/// Everything one evaluation needs; gone when it ends.
pub(crate) struct Vm<'h> {
    pub(crate) host: &'h mut dyn ExprHost,
    pub(crate) limits: &'h ExprLimits,
    pub(crate) steps: u64,
    pub(crate) memory: usize,
    pub(crate) depth: u32,
    pub(crate) locals: Vec<Option<Value>>,
    pub(crate) cells: Vec<Option<Value>>,
    pub(crate) iterators: Vec<IterationCursor>,
    pub(crate) objects: u32,
    /// What the last word could not hold: a value or an error.
    pub(crate) parked: EvalOutcome,
    /// The element of the innermost group form.
    pub(crate) element: SmallValue,
    /// The same where a word does not hold it.
    pub(crate) large_element: Value,
}

/// Arguments by position and by name.
#[derive(Clone, Copy)]
pub(crate) struct Args<'a> {
    pub(crate) plain: &'a [Value],
    pub(crate) named: &'a [(Arc<str>, Value)],
}

impl<'a> Args<'a> {
    pub(crate) fn plain(plain: &'a [Value]) -> Args<'a> {
        Args { plain, named: &[] }
    }
}

impl<'h> Vm<'h> {
    pub(crate) fn new(host: &'h mut dyn ExprHost, limits: &'h ExprLimits) -> Vm<'h> {
        Vm {
            host,
            limits,
            steps: limits.steps,
            memory: limits.memory,
            depth: limits.depth,
            locals: Vec::new(),
            cells: Vec::new(),
            iterators: Vec::new(),
            objects: 0,
            parked: Ok(Value::None),
            element: SmallValue::NONE,
            large_element: Value::None,
        }
    }

    // ---- limits ----

    /// Takes `steps` from what is left.
    pub(crate) fn charge(&mut self, steps: u64) -> EvalOutcome<()> {
        match self.steps.checked_sub(steps) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => Err(Error::limit("too many evaluation steps")),
        }
    }

    /// What it takes to write an integer of so many bits in digits.
    pub(crate) fn charge_digits(&mut self, bits: u64) -> EvalOutcome<()> {
        self.charge(bits.saturating_mul(bits) / 65_536)
    }

    /// Takes `bytes` from what is left.
    pub(crate) fn allocate(&mut self, bytes: usize) -> EvalOutcome<()> {
        match self.memory.checked_sub(bytes) {
            Some(left) => {
                self.memory = left;
                Ok(())
            }
            None => Err(Error::limit("too much memory")),
        }
    }

    /// Asks whether `len` elements may be made, before they are.
    pub(crate) fn allow_items(&mut self, len: usize) -> EvalOutcome<()> {
        if len > self.limits.sequence {
            return Err(Error::limit("sequence is too long"));
        }
        self.charge(len as u64 / 8)?;
        self.allocate(len * size_of::<Value>())
    }

    /// Asks whether a text of `len` may be made, before it is.
    pub(crate) fn allow_text(&mut self, len: usize) -> EvalOutcome<()> {
        if len > self.limits.string {
            return Err(Error::limit("string is too long"));
        }
        self.charge(len as u64 / 64)?;
        self.allocate(len)
    }

    pub(crate) fn check_height(&self, height: u16) -> EvalOutcome<()> {
        if height > self.limits.height {
            Err(Error::limit("value is nested too deeply"))
        } else {
            Ok(())
        }
    }

    /// Runs `inner` one call deeper; `height` bounds the native stack it takes.
    pub(crate) fn deeper<T>(
        &mut self,
        height: u32,
        inner: impl FnOnce(&mut Self) -> EvalOutcome<T>,
    ) -> EvalOutcome<T> {
        let cost = height + 4;
        let Some(left) = self.depth.checked_sub(cost) else {
            return Err(Error::raise(
                ExceptionKind::RuntimeError,
                "maximum recursion depth exceeded",
            ));
        };
        self.depth = left;
        let result = inner(self);
        self.depth += cost;
        result
    }

    // ---- making values ----

    pub(crate) fn make_list(&mut self, items: Vec<Value>) -> EvalOutcome {
        Ok(Value::List(self.make_sequence(items)?))
    }

    pub(crate) fn make_tuple(&mut self, items: Vec<Value>) -> EvalOutcome {
        Ok(Value::Tuple(self.make_sequence(items)?))
    }

    fn make_sequence(&mut self, items: Vec<Value>) -> EvalOutcome<Arc<Sequence>> {
        if items.len() > self.limits.sequence {
            return Err(Error::limit("sequence is too long"));
        }
        self.allocate(items.len() * size_of::<Value>() + 48)?;
        let height = height_of(&items);
        self.check_height(height)?;
        Ok(Arc::new(Sequence { items, height }))
    }

    pub(crate) fn make_str(&mut self, bytes: Vec<u8>) -> EvalOutcome {
        self.allow_text(bytes.len())?;
        Ok(Value::bytes(bytes))
    }

    pub(crate) fn make_unicode(&mut self, points: Vec<u32>) -> EvalOutcome {
        self.allow_text(points.len())?;
        self.allocate(points.len() * 3)?;
        Ok(Value::unicode(points))
    }

    pub(crate) fn make_dict(&mut self, table: ValueTable<Value>) -> EvalOutcome {
        self.allow_items(table.len())?;
        let height = table
            .iter()
            .map(|entry| entry.key.height().max(entry.value.height()))
            .max();
        let height = height.unwrap_or(0).saturating_add(1);
        self.check_height(height)?;
        Ok(Value::Dict(Arc::new(Dict { table, height })))
    }

    pub(crate) fn make_set(&mut self, table: ValueTable<()>, frozen: bool) -> EvalOutcome {
        self.allow_items(table.len())?;
        let height = table
            .iter()
            .map(|entry| entry.key.height())
            .max()
            .unwrap_or(0)
            .saturating_add(1);
        self.check_height(height)?;
        let set = Arc::new(SetElements { table, height });
        Ok(if frozen {
            Value::FrozenSet(set)
        } else {
            Value::Set(set)
        })
    }

    pub(crate) fn make_slice(&mut self, start: Value, stop: Value, step: Value) -> EvalOutcome {
        let value = Value::Slice(Arc::new(Slice { start, stop, step }));
        self.check_height(value.height())?;
        Ok(value)
    }

    pub(crate) fn make_iterator(&mut self, kind: IteratorKind, cursor: IterationCursor) -> EvalOutcome {
        self.allocate(size_of::<IterationCursor>())?;
        let Ok(id) = u32::try_from(self.iterators.len()) else {
            return Err(Error::limit("too many iterators"));
        };
        self.iterators.push(cursor);
        Ok(Value::Iterator(kind, id))
    }
}
