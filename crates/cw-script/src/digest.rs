//! A digest of a seat's scripts that does not depend on which numbers their objects have (S174).

use std::collections::{BTreeMap, VecDeque};

use crate::heap::ScriptHeap;
use crate::object::{GeneratorState, Iteration, Object};
use crate::value::{ObjectId, ScriptValue};

/// Objects in the order in which they are first met, from the names that scripts begin with.
struct ScriptDigest {
    hasher: blake3::Hasher,
    numbers: BTreeMap<ObjectId, u64>,
    waiting: VecDeque<ObjectId>,
}

/// The digest of what these objects lead to.
pub(crate) fn of(heap: &ScriptHeap, roots: &[(&str, ObjectId)]) -> [u8; 32] {
    let mut digest = ScriptDigest {
        hasher: blake3::Hasher::new(),
        numbers: BTreeMap::new(),
        waiting: VecDeque::new(),
    };
    for (name, root) in roots {
        digest.text(name);
        digest.value(&ScriptValue::Object(*root));
    }
    while let Some(id) = digest.waiting.pop_front() {
        digest.object(heap.get(id));
    }
    *digest.hasher.finalize().as_bytes()
}

impl ScriptDigest {
    fn number(&mut self, number: u64) {
        self.hasher.update(&number.to_le_bytes());
    }

    fn size(&mut self, size: usize) {
        self.number(size as u64);
    }

    fn text(&mut self, text: &str) {
        self.size(text.len());
        self.hasher.update(text.as_bytes());
    }

    fn value(&mut self, value: &ScriptValue) {
        match value {
            ScriptValue::Object(id) => {
                let next = self.numbers.len() as u64;
                let number = *self.numbers.entry(*id).or_insert(next);
                if number == next {
                    self.waiting.push_back(*id);
                }
                self.number(1);
                self.number(number);
            }
            ScriptValue::Text(bytes) => {
                self.number(2);
                self.size(bytes.len());
                self.hasher.update(bytes);
            }
            ScriptValue::Wide(points) => {
                self.number(3);
                self.size(points.len());
                for point in points.iter() {
                    self.hasher.update(&point.to_le_bytes());
                }
            }
            ScriptValue::Int(value) => {
                self.number(4);
                self.hasher.update(&value.to_le_bytes());
            }
            ScriptValue::Float(value) => {
                self.number(5);
                self.number(value.to_bits());
            }
            ScriptValue::Host(handle) => {
                self.number(6);
                self.number(handle.0);
            }
            other => {
                self.number(7);
                self.text(&format!("{other:?}"));
            }
        }
    }

    /// What an object is besides the values that it holds, then those.
    fn object(&mut self, object: &Object) {
        match object {
            Object::List(_) => self.text("list"),
            Object::Tuple(_) => self.text("tuple"),
            Object::Dict(_) => self.text("dict"),
            Object::Set(_) => self.text("set"),
            Object::FrozenSet(_) => self.text("frozenset"),
            Object::Slice(_) => self.text("slice"),
            Object::XRange { start, step, len } => self.text(&format!("xrange {start} {step} {len}")),
            Object::Function(function) => {
                self.code(&function.code, "function");
                self.size(function.defaults.len());
            }
            Object::Class(class) => self.text(&format!("class {:?} {}", class.kind, class.is_old)),
            Object::Instance(_) => self.text("instance"),
            Object::Exception(exception) => {
                self.text(&format!("exception {:?}", exception.kind));
                self.value(&exception.class);
            }
            Object::BoundMethod { .. } => self.text("bound"),
            Object::NativeMethod { name, .. } => self.text(&format!("native {name}")),
            Object::TypeMethod { kind, name } => self.text(&format!("of type {kind:?} {name}")),
            Object::Property(_) => self.text("property"),
            Object::StaticMethod(_) => self.text("staticmethod"),
            Object::ClassMethod(_) => self.text("classmethod"),
            Object::Super { .. } => self.text("super"),
            Object::Cell(_) => self.text("cell"),
            Object::Generator(generator) => match &generator.state {
                GeneratorState::Waiting(waiting) => {
                    self.code(&waiting.0.code, "generator");
                    self.size(waiting.0.at);
                }
                GeneratorState::Running | GeneratorState::Done => self.text("generator"),
            },
            Object::Iterator(iterator) => {
                self.text("iterator");
                self.size(iterator.at);
                match &iterator.kind {
                    Iteration::Range { start, step, len } => {
                        self.text(&format!("range {start} {step} {len}"));
                    }
                    Iteration::Enumerate(_, at) => self.text(&format!("enumerate {at}")),
                    Iteration::Dict(_, part, size) => self.text(&format!("dict {part:?} {size}")),
                    Iteration::Set(_, size) | Iteration::Deque(_, size) | Iteration::Reversed(_, size) => {
                        self.size(*size);
                    }
                    other => self.text(match other {
                        Iteration::List(_) => "list",
                        Iteration::Tuple(_) => "tuple",
                        Iteration::Text(_) => "text",
                        Iteration::Indexed(_) => "indexed",
                        Iteration::ListReversed(_) => "reversed",
                        Iteration::Callable(..) => "callable",
                        Iteration::Listed(_) => "listed",
                        _ => "done",
                    }),
                }
            }
            Object::Module { name, .. } => self.text(&format!("module {name}")),
            Object::View { part, .. } => self.text(&format!("view {part:?}")),
            Object::Pattern(pattern) => {
                self.text("pattern");
                self.text(&pattern.source);
                self.text(&format!("{}", pattern.flags));
            }
            Object::Match(found) => {
                self.text(&format!("match {:?} {} {}", found.groups, found.pos, found.end));
            }
            Object::Plain => self.text("object"),
            Object::Deque(items) => self.text(&format!("deque {:?}", items.1)),
        }
        let mut held = Vec::new();
        object.each_value(&mut |value| held.push(value.clone()));
        self.size(held.len());
        for value in &held {
            self.value(value);
        }
    }

    fn code(&mut self, code: &crate::code::Code, what: &str) {
        self.text(what);
        self.text(&code.file);
        self.text(&code.name);
        self.number(u64::from(code.first_line));
        self.size(code.ops.len());
    }
}
