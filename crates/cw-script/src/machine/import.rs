//! Imports: modules of this crate, sibling files of the package, and what the table has not (S24–S32).

use std::sync::{Arc, LazyLock};

use cw_expr::{ExceptionKind, HashTable};

use crate::code::Code;
use crate::machine::attribute::named;
use crate::machine::builtin::functions_of;
use crate::machine::{Flow, Machine};
use crate::object::Object;
use crate::value::{ObjectId, ScriptValue};

/// A module that is written in Python.
struct LibraryModule {
    name: &'static str,
    text: &'static str,
}

macro_rules! library {
    ($($name:literal),* $(,)?) => {
        /// Modules that are written in Python; each may have functions of the machine too.
        const LIBRARY: &[LibraryModule] = &[
            $(LibraryModule { name: $name, text: include_str!(concat!("../library/", $name, ".py")) }),*
        ];
    };
}

library! {
    "bisect", "clr", "collections", "copy", "datetime", "functools", "heapq", "itertools", "json", "math",
    "operator", "random", "re", "string", "time", "windows", "serialization",
}

/// Their code, compiled once.
static CODES: LazyLock<Vec<Option<Arc<Code>>>> = LazyLock::new(|| {
    let compile = |module: &LibraryModule| {
        let file: Arc<str> = format!("<{}>", module.name).into();
        crate::compile::compile_file(module.text, &file).ok()
    };
    LIBRARY.iter().map(compile).collect()
});

/// The library's module that a name stands for.
fn library_name(name: &str) -> Option<&str> {
    Some(match name {
        "System.Windows.Forms" | "System.Drawing" => "windows",
        "System.Web.Script.Serialization" => "serialization",
        "windows" | "serialization" => return None,
        other => other,
    })
}

/// Modules of .NET that are there and empty.
const EMPTY: [&str; 4] = ["System", "System.Web", "System.Web.Script", "System.Windows"];

/// Whether scripts get a module of this name (S24–S31).
pub(crate) fn is_module(name: &str) -> bool {
    let own = library_name(name);
    EMPTY.contains(&name) || own.is_some_and(|own| LIBRARY.iter().any(|module| module.name == own))
}

impl Machine<'_> {
    /// The module with this name.
    pub(crate) fn import(&mut self, name: &Arc<str>) -> Flow {
        if let Some(id) = self.modules.get(name) {
            return Ok(ScriptValue::Object(*id));
        }
        if let Some(code) = self.siblings.get(&**name).cloned() {
            return self.load_module(name, code);
        }
        let found = library_name(name).and_then(|own| LIBRARY.iter().position(|module| module.name == own));
        if let Some(code) = found.and_then(|at| CODES[at].clone()) {
            return self.load_module(name, code);
        }
        if EMPTY.contains(&&**name) {
            return self.empty_module(name);
        }
        let dotnet = ["System", "Microsoft", "IronPython"]
            .iter()
            .any(|root| **name == **root || name.starts_with(&format!("{root}.")));
        let words = if dotnet {
            format!("the table has no .NET: {name}")
        } else {
            format!("the table gives scripts no {name}")
        };
        Err(self.raise(ExceptionKind::ImportError, &words))
    }

    fn empty_module(&mut self, name: &Arc<str>) -> Flow {
        let names = self.make_dict()?;
        let module = self.make_id(Object::Module {
            name: name.clone(),
            names,
        })?;
        self.modules.insert(name.clone(), module);
        Ok(ScriptValue::Object(module))
    }

    fn load_module(&mut self, name: &Arc<str>, code: Arc<Code>) -> Flow {
        let names = self.make_dict()?;
        let short = name.rsplit('.').next().unwrap_or(name);
        self.set_name(names, &named("__name__"), ScriptValue::text(name))?;
        for (function, at) in functions_of(short) {
            self.set_name(names, &named(function), ScriptValue::Builtin(at))?;
        }
        let module = self.make_id(Object::Module {
            name: name.clone(),
            names,
        })?;
        // It is there while it loads, so that files may import each other.
        self.modules.insert(name.clone(), module);
        match self.run_text(code, None, names) {
            Ok(_) => Ok(ScriptValue::Object(module)),
            Err(stop) => {
                self.modules.remove(name);
                Err(stop)
            }
        }
    }

    /// `from module import *`.
    pub(crate) fn import_all(&mut self, module: &ScriptValue) -> Flow<()> {
        let Some(Object::Module { names, .. }) = module.object().map(|id| self.heap.get(id)) else {
            return Ok(());
        };
        let names: ObjectId = *names;
        let target = self.frame.names.unwrap_or(self.frame.globals);
        for (key, value) in self.dict_entries(names) {
            if key.shown().is_some_and(|name| !name.starts_with('_')) {
                self.dict_set(target, key, value)?;
            }
        }
        Ok(())
    }

    /// A new empty table, for what is made of parts.
    pub(crate) fn empty_dict(&mut self) -> Flow<ObjectId> {
        self.make_id(Object::Dict(HashTable::default()))
    }
}
