//! What scripts use, read out of their code without running it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::code::{Code, Op};
use crate::interpreter::ScriptPackage;
use crate::machine::import::is_module;

/// Something that a script uses of what is not its own function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptUse {
    /// The file as the package names it.
    pub file: Arc<str>,
    /// Counted from 1.
    pub line: u32,
    /// The outermost function it stands in; nothing at the top level.
    pub function: Option<Arc<str>>,
    /// It stands in a `try`.
    pub is_tried: bool,
    /// What.
    pub what: UsedThing,
}

impl ScriptUse {
    /// Whether it stands in this line of this file.
    pub fn is_at(&self, file: &str, line: u32) -> bool {
        *self.file == *file && self.line == line
    }
}

/// What is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UsedThing {
    /// A name that no function has of its own.
    Name(Arc<str>),
    /// A module that is imported, and whether scripts get it.
    Module(Arc<str>, bool),
    /// A call of such a name: how many arguments by position, and the names of others.
    Call(Arc<str>, usize, Vec<Arc<str>>),
}

/// A function at the top level of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinedFunction {
    /// Where its `def` stands.
    pub file: Arc<str>,
    /// The line of it.
    pub line: u32,
    /// Names of the parameters by position.
    pub params: Vec<Arc<str>>,
    /// How many of them a call must give.
    pub least: usize,
    /// It takes any number of arguments.
    pub is_open: bool,
}

/// What a package's scripts define and use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageUsage {
    /// Names that get a value at the top level of a file, or by `global`.
    pub defined: BTreeSet<Arc<str>>,
    /// Functions whose names nothing else gets; of several of one name the last (S1).
    pub functions: BTreeMap<Arc<str>, DefinedFunction>,
    /// A file takes in all names of a module: nobody knows which.
    pub is_open: bool,
    /// In the order of files and lines.
    pub uses: Vec<ScriptUse>,
}

impl PackageUsage {
    /// Reads what the files of a package define and use.
    pub fn of(package: &ScriptPackage) -> PackageUsage {
        let mut usage = PackageUsage::default();
        let mut twice = BTreeSet::new();
        for code in package.codes() {
            usage.names(code, true, &mut twice);
        }
        usage.functions.retain(|name, _| !twice.contains(name));
        let siblings = |name: &str| package.has_sibling(name);
        for code in package.codes() {
            usage.read(code, None, &siblings);
        }
        usage
    }

    fn names(&mut self, code: &Arc<Code>, is_top: bool, twice: &mut BTreeSet<Arc<str>>) {
        for (at, op) in code.ops.iter().enumerate() {
            match op {
                Op::ImportAll => self.is_open = true,
                Op::StoreGlobal(name) => {
                    let name = name_of(code, *name);
                    self.defined.insert(name.clone());
                    let made = at.checked_sub(1).and_then(|at| code.ops.get(at));
                    match made {
                        Some(Op::MakeFunction {
                            code: inner,
                            defaults,
                            ..
                        }) if is_top => {
                            if let Some(inner) = code.codes.get(usize::from(*inner)) {
                                let function = DefinedFunction {
                                    file: code.file.clone(),
                                    line: inner.first_line,
                                    params: inner.locals.iter().take(inner.params).cloned().collect(),
                                    least: inner.params.saturating_sub(usize::from(*defaults)),
                                    is_open: inner.rest.is_some() || inner.named.is_some(),
                                };
                                self.functions.insert(name, function);
                            }
                        }
                        _ => {
                            twice.insert(name);
                        }
                    }
                }
                _ => {}
            }
        }
        for inner in &code.codes {
            self.names(inner, false, twice);
        }
    }

    fn read(&mut self, code: &Arc<Code>, function: Option<&Arc<str>>, is_sibling: &dyn Fn(&str) -> bool) {
        let mut tried = 0_usize;
        let own: BTreeSet<u32> = code
            .ops
            .iter()
            .filter_map(|op| match op {
                Op::StoreName(name) => Some(*name),
                _ => None,
            })
            .collect();
        for (at, op) in code.ops.iter().enumerate() {
            let what = match op {
                Op::Try(_) => {
                    tried += 1;
                    continue;
                }
                Op::EndTry => {
                    tried = tried.saturating_sub(1);
                    continue;
                }
                Op::Name(name) if own.contains(name) => continue,
                Op::Global(name) | Op::Name(name) => {
                    let found = code.names.get(*name as usize);
                    if found.is_none_or(|name| name.builtin.is_some()) {
                        continue;
                    }
                    let name = name_of(code, *name);
                    if let Some((args, named)) = call_of(code, at) {
                        self.uses.push(ScriptUse {
                            file: code.file.clone(),
                            line: code.lines.get(at).copied().unwrap_or(code.first_line),
                            function: function.cloned(),
                            is_tried: tried > 0,
                            what: UsedThing::Call(name.clone(), args, named),
                        });
                    }
                    UsedThing::Name(name)
                }
                Op::Import(name) => {
                    let name = name_of(code, *name);
                    let known = is_sibling(&name) || is_module(&name);
                    UsedThing::Module(name, known)
                }
                _ => continue,
            };
            self.uses.push(ScriptUse {
                file: code.file.clone(),
                line: code.lines.get(at).copied().unwrap_or(code.first_line),
                function: function.cloned(),
                is_tried: tried > 0,
                what,
            });
        }
        for inner in &code.codes {
            self.read(inner, Some(function.unwrap_or(&inner.name)), is_sibling);
        }
    }
}

fn name_of(code: &Code, at: u32) -> Arc<str> {
    code.names
        .get(at as usize)
        .map_or_else(|| "".into(), |name| name.text.clone())
}

/// The call of what the step at `at` puts on the stack, if no branch stands between.
fn call_of(code: &Code, at: usize) -> Option<(usize, Vec<Arc<str>>)> {
    let count = |number: u32| i64::from(number);
    // How many values lie above the function.
    let mut above = 0_i64;
    for op in code.ops.get(at + 1..)? {
        above += match op {
            Op::Call(args) if count(*args) == above => return Some((*args as usize, Vec::new())),
            Op::CallNamed { args, names } => {
                let named = code.keywords.get(usize::from(*names))?;
                let all = i64::from(*args) + i64::try_from(named.len()).ok()?;
                if all == above {
                    let named = named.iter().map(|name| name.text.clone()).collect();
                    return Some((usize::from(*args), named));
                }
                -all
            }
            Op::Constant(_) | Op::Local(_) | Op::Cell(_) | Op::Global(_) | Op::Name(_) | Op::Dict(_) => 1,
            Op::Method(_) | Op::Duplicate => 1,
            Op::Unary(_) | Op::Attribute(_) | Op::Repr => 0,
            Op::Binary(_) | Op::Compare(_) | Op::Subscript => -1,
            Op::Slice | Op::MakeSlice | Op::DictEntry => -2,
            Op::Tuple(parts) | Op::List(parts) | Op::Set(parts) => 1 - count(*parts),
            Op::Call(args) => -count(*args),
            Op::CallMethod(args) => -count(*args) - 1,
            _ => return None,
        };
        if above < 0 {
            return None;
        }
    }
    None
}
