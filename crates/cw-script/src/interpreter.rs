//! One seat's scripts as a value: their module state, copied cheaply with the table and changed by calls.

use std::collections::BTreeMap;
use std::sync::Arc;

use cw_expr::HashTable;

use crate::code::Code;
use crate::compile::{ScriptFault, compile_file};
use crate::heap::ScriptHeap;
use crate::host::{HostValue, ScriptHost};
use crate::limits::ScriptLimits;
use crate::machine::attribute::named;
use crate::machine::{Flow, Frame, Machine, RunStop, Stop};
use crate::object::{Object, TracePlace};
use crate::pattern::PatternStore;
use crate::value::{HostHandle, ObjectId, ScriptValue};

/// A file's code, or why there is none.
type Compiled = Result<Arc<Code>, ScriptFault>;

/// The files of a package, compiled once and shared by all its tables (S217).
#[derive(Clone, Debug, Default)]
pub struct ScriptPackage {
    files: Vec<(Arc<str>, Compiled)>,
    siblings: Arc<BTreeMap<String, Arc<Code>>>,
}

impl ScriptPackage {
    /// Compiles files in the order they are given, each with its name and bytes. A file that cannot be
    /// compiled is kept with the reason, and the others are loaded (S3).
    ///
    /// ```
    /// let package = cw_script::ScriptPackage::new(&[("a.py", "x = 1\n"), ("b.py", "def f(:\n")]);
    /// assert_eq!(package.faults().map(|fault| fault.line).collect::<Vec<_>>(), [1]);
    /// ```
    pub fn new<B: AsRef<[u8]>>(files: &[(&str, B)]) -> ScriptPackage {
        let mut compiled = Vec::new();
        let mut siblings = BTreeMap::new();
        for (name, bytes) in files {
            let text = normal_text(bytes.as_ref());
            let file: Arc<str> = (*name).into();
            let code = compile_file(&text, &file);
            if let Ok(code) = &code {
                let stem = name.rsplit(['/', '\\']).next().unwrap_or(name);
                let stem = stem.strip_suffix(".py").unwrap_or(stem);
                siblings.insert(stem.to_owned(), code.clone());
            }
            compiled.push((file, code));
        }
        ScriptPackage {
            files: compiled,
            siblings: Arc::new(siblings),
        }
    }

    /// The code of each file that could be compiled.
    pub(crate) fn codes(&self) -> impl Iterator<Item = &Arc<Code>> {
        self.files.iter().filter_map(|(_, code)| code.as_ref().ok())
    }

    /// Whether `import` finds a file of the package under this name.
    pub(crate) fn has_sibling(&self, name: &str) -> bool {
        self.siblings.contains_key(name)
    }

    /// What is wrong with files that cannot be compiled.
    pub fn faults(&self) -> impl Iterator<Item = &ScriptFault> {
        self.files.iter().filter_map(|(_, code)| code.as_ref().err())
    }
}

/// Bytes as the text that is read: UTF-8, lines that end with `\n` (S2).
fn normal_text(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text.into_owned()
    }
}

/// An exception that nothing caught.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// Its class.
    pub class: String,
    /// Its words.
    pub message: String,
    /// Where it went through, the innermost first.
    pub trace: Vec<TracePlace>,
}

impl std::fmt::Display for ScriptError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.class)?;
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        if let Some(place) = self.trace.first() {
            write!(f, " ({}, line {}, in {})", place.file, place.line, place.function)?;
        }
        Ok(())
    }
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEnd {
    /// With this value, as its `repr`.
    Done(String),
    /// With an exception.
    Failed(ScriptError),
    /// The run ends here.
    Stopped(RunStop),
}

/// What a call did.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptRun {
    /// How it ended.
    pub end: RunEnd,
    /// What it printed (S14).
    pub output: String,
    /// Steps it took.
    pub steps: u64,
    /// Bytes it asked for.
    pub bytes: usize,
}

/// The scripts of one seat. A copy is a fork: neither sees what the other does.
#[derive(Clone, Debug)]
pub struct Interpreter {
    heap: ScriptHeap,
    globals: ObjectId,
    modules: BTreeMap<Arc<str>, ObjectId>,
    host_names: Arc<Vec<Arc<str>>>,
    siblings: Arc<BTreeMap<String, Arc<Code>>>,
    patterns: PatternStore,
}

impl Interpreter {
    /// An interpreter whose names are those of the host and of S4.
    pub fn new(host: &mut dyn ScriptHost) -> Interpreter {
        let mut heap = ScriptHeap::default();
        let globals = heap.add(Object::Dict(HashTable::default()));
        let mut interpreter = Interpreter {
            heap,
            globals,
            modules: BTreeMap::new(),
            host_names: Arc::default(),
            siblings: Arc::default(),
            patterns: PatternStore::default(),
        };
        let names = host.names();
        let functions = names.iter().filter_map(|(name, value)| match value {
            HostValue::Function(at) => Some((usize::from(*at), name)),
            _ => None,
        });
        let mut host_names = Vec::new();
        for (at, name) in functions {
            if host_names.len() <= at {
                host_names.resize(at + 1, "function".into());
            }
            host_names[at] = name.as_str().into();
        }
        interpreter.host_names = Arc::new(host_names);
        let limits = ScriptLimits::LOAD;
        interpreter.work(host, &limits, |machine| {
            machine.set_name(machine.globals, &named("__name__"), ScriptValue::text("__main__"))?;
            for (at, name) in (0..).zip(["Rot0", "Rot90", "Rot180", "Rot270"]) {
                machine.set_name(machine.globals, &named(name), ScriptValue::Int(at))?;
            }
            let collections = machine.import(&"collections".into())?;
            machine.set_name(machine.globals, &named("collections"), collections)?;
            for (name, value) in names {
                let value = machine.of_host(value)?;
                machine.set_name(machine.globals, &named(&name), value)?;
            }
            Ok(ScriptValue::None)
        });
        interpreter
    }

    /// Loads the files of a package in their order (S1, S3). One run for each file that ran; a file that
    /// could not be compiled failed with a `SyntaxError` at its line.
    pub fn load(
        &mut self,
        package: &ScriptPackage,
        host: &mut dyn ScriptHost,
        limits: &ScriptLimits,
    ) -> Vec<(String, ScriptRun)> {
        self.siblings = package.siblings.clone();
        let mut runs = Vec::new();
        for (file, code) in &package.files {
            let run = match code {
                Ok(code) => {
                    let code = code.clone();
                    self.work(host, limits, |machine| {
                        machine.run_text(code, None, machine.globals)
                    })
                }
                Err(fault) => failed_to_compile(fault),
            };
            runs.push((file.to_string(), run));
        }
        runs
    }

    /// Runs one text as a file of its own, in the names of the seat.
    pub fn run(
        &mut self,
        text: &str,
        file: &str,
        host: &mut dyn ScriptHost,
        limits: &ScriptLimits,
    ) -> ScriptRun {
        let file: Arc<str> = file.into();
        match compile_file(&normal_text(text.as_bytes()), &file) {
            Ok(code) => self.work(host, limits, |machine| {
                machine.run_text(code, None, machine.globals)
            }),
            Err(fault) => failed_to_compile(&fault),
        }
    }

    /// Calls a function of the scripts by its name.
    pub fn call(
        &mut self,
        function: &str,
        args: &[HostValue],
        host: &mut dyn ScriptHost,
        limits: &ScriptLimits,
    ) -> ScriptRun {
        self.work(host, limits, |machine| {
            let name = named(function);
            let Some(found) = machine.named(machine.globals, &name).cloned() else {
                let words = format!("name '{function}' is not defined");
                return Err(machine.raise(cw_expr::ExceptionKind::NameError, &words));
            };
            let mut given = Vec::new();
            for arg in args {
                given.push(machine.of_host(arg.clone())?);
            }
            machine.call(&found, given)
        })
    }

    /// Whether the scripts define such a name.
    pub fn defines(&self, name: &str) -> bool {
        match self.heap.get(self.globals) {
            Object::Dict(table) => table
                .iter()
                .any(|entry| entry.key.shown().as_deref() == Some(name)),
            _ => false,
        }
    }

    /// The names that scripts have given a value, sorted, with each value's `repr`; functions, classes and
    /// modules are left out.
    pub fn values(&mut self, host: &mut dyn ScriptHost) -> Vec<(String, String)> {
        let mut names = Vec::new();
        if let Object::Dict(table) = self.heap.get(self.globals) {
            for entry in table.iter() {
                let is_type = matches!(entry.value, ScriptValue::Type(_));
                let hidden = is_type
                    || matches!(
                        entry.value.object().map(|id| self.heap.get(id)),
                        Some(Object::Function(_) | Object::Class(_) | Object::Module { .. })
                    );
                if let Some(name) = entry
                    .key
                    .shown()
                    .filter(|name| !hidden && !name.starts_with("__"))
                {
                    names.push((name, entry.value.clone()));
                }
            }
        }
        names.sort_by(|one, other| one.0.cmp(&other.0));
        let mut shown = Vec::new();
        for (name, value) in names {
            let run = self.work(host, &ScriptLimits::LOAD, |_| Ok(value));
            if let RunEnd::Done(text) = run.end {
                shown.push((name, text));
            }
        }
        shown
    }

    /// Frees what nothing names any more. To be done when a run is put in place, so that equal states
    /// number their objects alike.
    pub fn sweep(&mut self) {
        let modules = self.modules.values().copied();
        let roots: Vec<ScriptValue> = modules.chain([self.globals]).map(ScriptValue::Object).collect();
        self.heap.sweep(&roots);
    }

    /// A digest of the whole state, the same wherever its objects lie (S174). Code counts by its place.
    pub fn digest(&self) -> [u8; 32] {
        let modules = self.modules.iter().map(|(name, id)| (&**name, *id));
        let roots: Vec<(&str, ObjectId)> = std::iter::once(("", self.globals)).chain(modules).collect();
        crate::digest::of(&self.heap, &roots)
    }

    /// How many arguments a function of the scripts takes by position at most; nothing if there is no such
    /// function. One that takes any number has no bound.
    pub fn takes(&self, function: &str) -> Option<usize> {
        let Object::Dict(table) = self.heap.get(self.globals) else {
            return None;
        };
        let found = table
            .iter()
            .find(|entry| entry.key.shown().as_deref() == Some(function))?;
        match self.heap.get(found.value.object()?) {
            Object::Function(function) => Some(match function.code.rest {
                Some(_) => usize::MAX,
                None => function.code.params,
            }),
            Object::Class(_) | Object::BoundMethod { .. } => Some(usize::MAX),
            _ => None,
        }
    }

    /// Gives a name of the scripts a value.
    pub fn set(&mut self, name: &str, value: HostValue, host: &mut dyn ScriptHost) {
        self.work(host, &ScriptLimits::LOAD, |machine| {
            let value = machine.of_host(value)?;
            machine.set_name(machine.globals, &named(name), value)?;
            Ok(ScriptValue::None)
        });
    }

    /// The objects of the host that anything in it holds, sorted.
    pub fn held(&self) -> Vec<HostHandle> {
        let mut held = Vec::new();
        for (_, object) in self.heap.iter() {
            object.each_value(&mut |value| {
                if let ScriptValue::Host(handle) = value {
                    held.push(*handle);
                }
            });
        }
        held.sort_unstable();
        held.dedup();
        held
    }

    /// Objects that are there.
    pub fn objects(&self) -> usize {
        self.heap.iter().count()
    }

    /// Bytes that they count for (S174).
    pub fn bytes(&self) -> usize {
        self.heap.bytes()
    }

    /// Lets a machine work on the state.
    fn work(
        &mut self,
        host: &mut dyn ScriptHost,
        limits: &ScriptLimits,
        work: impl FnOnce(&mut Machine<'_>) -> Flow,
    ) -> ScriptRun {
        let mut machine = Machine {
            heap: std::mem::take(&mut self.heap),
            host,
            limits,
            steps: limits.steps,
            bytes: limits.bytes,
            depth: limits.depth,
            stack: Vec::new(),
            frame: Frame::empty(self.globals),
            frames: Vec::new(),
            globals: self.globals,
            modules: std::mem::take(&mut self.modules),
            host_names: self.host_names.clone(),
            siblings: self.siblings.clone(),
            patterns: BTreeMap::new(),
            store: self.patterns.clone(),
            output: String::new(),
            soft_space: false,
            showing: Vec::new(),
            yielded: false,
            raised_again: false,
        };
        let result = work(&mut machine);
        let used = (machine.steps, machine.bytes);
        // What is said of the end is not the script's to pay.
        (machine.steps, machine.bytes) = (1_000_000, 8 << 20);
        let end = match result {
            Ok(value) => {
                let mut text = String::new();
                match machine.write_repr(&value, &mut text) {
                    Ok(()) => RunEnd::Done(text),
                    Err(stop) => ended(&mut machine, stop),
                }
            }
            Err(stop) => ended(&mut machine, stop),
        };
        self.heap = std::mem::take(&mut machine.heap);
        self.modules = std::mem::take(&mut machine.modules);
        ScriptRun {
            end,
            output: machine.output,
            steps: limits.steps - used.0,
            bytes: limits.bytes - used.1,
        }
    }
}

fn ended(machine: &mut Machine<'_>, stop: Stop) -> RunEnd {
    match stop {
        Stop::End(stop) => RunEnd::Stopped(*stop),
        Stop::Raise(id) => {
            let trace = match machine.heap.get(id) {
                Object::Exception(exception) => exception.trace.clone(),
                _ => Vec::new(),
            };
            let (class, message) = machine.exception_words(id);
            RunEnd::Failed(ScriptError {
                class,
                message,
                trace,
            })
        }
    }
}

fn failed_to_compile(fault: &ScriptFault) -> ScriptRun {
    ScriptRun {
        end: RunEnd::Failed(ScriptError {
            class: fault.name.to_owned(),
            message: fault.message.clone(),
            trace: vec![TracePlace {
                file: fault.file.as_str().into(),
                line: fault.line,
                function: "<module>".into(),
            }],
        }),
        output: String::new(),
        steps: 0,
        bytes: 0,
    }
}
