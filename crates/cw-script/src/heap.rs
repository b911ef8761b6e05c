//! The objects of one seat's scripts, by number. A copy shares all of them; what is changed afterwards is
//! copied then (S174).

use std::sync::Arc;

use crate::object::Object;
use crate::value::{ObjectId, ScriptValue};

/// Objects that are copied together when one of them changes.
const CHUNK: usize = 64;

type Slots = [Option<Arc<Object>>; CHUNK];

/// Objects by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScriptHeap {
    chunks: Vec<Arc<Slots>>,
    /// Numbers below `len` that are free, the lowest last. They follow from which slots are taken, so that
    /// equal heaps number new objects alike.
    free: Vec<u32>,
    len: u32,
}

impl ScriptHeap {
    /// Puts an object in the lowest free place.
    pub(crate) fn add(&mut self, object: Object) -> ObjectId {
        let object = Some(Arc::new(object));
        if let Some(number) = self.free.pop() {
            let at = number as usize;
            if let Some(chunk) = self.chunks.get_mut(at / CHUNK) {
                Arc::make_mut(chunk)[at % CHUNK] = object;
            }
            return ObjectId(number);
        }
        let at = self.len as usize;
        if at.is_multiple_of(CHUNK) {
            self.chunks.push(Arc::new([const { None }; CHUNK]));
        }
        if let Some(chunk) = self.chunks.get_mut(at / CHUNK) {
            Arc::make_mut(chunk)[at % CHUNK] = object;
        }
        self.len += 1;
        ObjectId(self.len - 1)
    }

    /// The object with this number. An object lives as long as anything names it.
    #[inline]
    pub(crate) fn get(&self, id: ObjectId) -> &Object {
        static GONE: Object = Object::Plain;
        let at = id.0 as usize;
        match self.chunks.get(at / CHUNK).map(|chunk| &chunk[at % CHUNK]) {
            Some(Some(object)) => object,
            _ => &GONE,
        }
    }

    /// The object, to be changed; nothing if there is none.
    #[inline]
    pub(crate) fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        let at = id.0 as usize;
        let chunk = Arc::make_mut(self.chunks.get_mut(at / CHUNK)?);
        chunk[at % CHUNK].as_mut().map(Arc::make_mut)
    }

    /// Frees what none of `roots` leads to.
    pub(crate) fn sweep(&mut self, roots: &[ScriptValue]) {
        let mut marked = vec![false; self.len as usize];
        let mut work: Vec<ObjectId> = Vec::new();
        let mut mark = |value: &ScriptValue, work: &mut Vec<ObjectId>| {
            if let ScriptValue::Object(id) = value
                && let Some(mark) = marked.get_mut(id.0 as usize)
                && !*mark
            {
                *mark = true;
                work.push(*id);
            }
        };
        roots.iter().for_each(|root| mark(root, &mut work));
        while let Some(id) = work.pop() {
            let object = self.get(id);
            object.each_value(&mut |value| mark(value, &mut work));
        }
        while marked.last() == Some(&false) {
            marked.pop();
        }
        self.len = u32::try_from(marked.len()).unwrap_or(u32::MAX);
        self.chunks.truncate(marked.len().div_ceil(CHUNK));
        self.free.clear();
        for (chunk, marks) in self.chunks.iter_mut().zip(marked.chunks(CHUNK)) {
            let is_marked = |at: usize| marks.get(at).copied().unwrap_or(false);
            if (0..CHUNK).any(|at| chunk[at].is_some() && !is_marked(at)) {
                let slots = Arc::make_mut(chunk);
                for (at, slot) in slots.iter_mut().enumerate() {
                    if !is_marked(at) {
                        *slot = None;
                    }
                }
            }
        }
        let unused = (0..).zip(&marked).filter(|(_, mark)| !**mark);
        self.free.extend(unused.map(|(number, _)| number));
        self.free.reverse();
    }

    /// Objects with their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        let slots = self.chunks.iter().flat_map(|chunk| chunk.iter());
        (0..)
            .zip(slots)
            .filter_map(|(number, slot)| Some((ObjectId(number), &**slot.as_ref()?)))
    }

    /// Bytes of all objects, as they are counted for the limit.
    pub(crate) fn bytes(&self) -> usize {
        self.iter().map(|(_, object)| object.size()).sum()
    }
}
