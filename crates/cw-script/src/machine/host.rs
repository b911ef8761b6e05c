//! The way to the host and back: values as plain data.

use crate::code::Name;
use crate::host::{HostForm, HostValue};
use crate::machine::call::Named;
use crate::machine::subscript::Bounds;
use crate::machine::{Flow, Machine};
use crate::object::Object;
use crate::value::{HostHandle, ScriptValue};

/// Arguments for the host, by position and by name.
type HostArgs = (Vec<HostValue>, Vec<(String, HostValue)>);

impl Machine<'_> {
    /// A value as the host gets it. What is no plain data goes as its text (S183).
    fn for_host(&mut self, value: &ScriptValue, depth: u8) -> Flow<HostValue> {
        self.charge(1)?;
        Ok(match value {
            ScriptValue::None | ScriptValue::Unset => HostValue::None,
            ScriptValue::Bool(value) => HostValue::Bool(*value),
            ScriptValue::Int(value) => HostValue::Int(*value),
            ScriptValue::Float(value) => HostValue::Float(*value),
            ScriptValue::Text(_) | ScriptValue::Wide(_) => HostValue::Text(value.shown().unwrap_or_default()),
            ScriptValue::Host(handle) => HostValue::Object(*handle),
            ScriptValue::HostFunction(at) => HostValue::Function(*at),
            ScriptValue::Object(id) if depth > 0 => match self.heap.get(*id) {
                Object::List(items) | Object::Tuple(items) => {
                    let is_list = matches!(self.heap.get(*id), Object::List(_));
                    let items = items.clone();
                    let mut all = Vec::new();
                    for item in &items {
                        all.push(self.for_host(item, depth - 1)?);
                    }
                    if is_list {
                        HostValue::List(all)
                    } else {
                        HostValue::Tuple(all)
                    }
                }
                Object::Dict(_) => {
                    let mut all = Vec::new();
                    for (key, value) in self.dict_entries(*id) {
                        all.push((self.for_host(&key, depth - 1)?, self.for_host(&value, depth - 1)?));
                    }
                    HostValue::Dict(all)
                }
                Object::Function(function) => HostValue::Script(function.name.shown().unwrap_or_default()),
                _ => self.as_host_text(value)?,
            },
            _ => self.as_host_text(value)?,
        })
    }

    fn as_host_text(&mut self, value: &ScriptValue) -> Flow<HostValue> {
        let text = self.text_of(value)?;
        Ok(HostValue::Text(text.shown().unwrap_or_default()))
    }

    /// What the host gave as a value.
    pub(crate) fn of_host(&mut self, value: HostValue) -> Flow {
        self.charge(1)?;
        match value {
            HostValue::None => Ok(ScriptValue::None),
            HostValue::Bool(value) => Ok(ScriptValue::Bool(value)),
            HostValue::Int(value) => Ok(ScriptValue::Int(value)),
            HostValue::Float(value) => Ok(ScriptValue::Float(value)),
            HostValue::Text(text) => self.make_text(&text),
            HostValue::Object(handle) => Ok(ScriptValue::Host(handle)),
            HostValue::Function(at) | HostValue::Method(at) => Ok(ScriptValue::HostFunction(at)),
            HostValue::Script(name) => {
                let name = crate::machine::attribute::named(&name);
                Ok(self
                    .named(self.globals, &name)
                    .cloned()
                    .unwrap_or(ScriptValue::None))
            }
            HostValue::List(items) => {
                let items = self.all_of_host(items)?;
                self.make_list(items)
            }
            HostValue::Tuple(items) => {
                let items = self.all_of_host(items)?;
                self.make_tuple(items)
            }
            HostValue::Generator(items) => {
                let items = self.all_of_host(items)?;
                self.listed(items)
            }
            HostValue::Dict(entries) => {
                let dict = self.empty_dict()?;
                for (key, value) in entries {
                    let (key, value) = (self.of_host(key)?, self.of_host(value)?);
                    self.dict_set(dict, key, value)?;
                }
                Ok(ScriptValue::Object(dict))
            }
        }
    }

    fn all_of_host(&mut self, items: Vec<HostValue>) -> Flow<Vec<ScriptValue>> {
        items.into_iter().map(|item| self.of_host(item)).collect()
    }

    fn args_to_host(&mut self, args: &[ScriptValue], named: &Named) -> Flow<HostArgs> {
        let mut plain = Vec::new();
        for arg in args {
            plain.push(self.for_host(arg, 8)?);
        }
        let mut by_name = Vec::new();
        for (key, value) in named {
            by_name.push((key.shown().unwrap_or_default(), self.for_host(value, 8)?));
        }
        Ok((plain, by_name))
    }

    pub(crate) fn call_host(&mut self, function: u16, args: &[ScriptValue], named: &Named) -> Flow {
        let (plain, by_name) = self.args_to_host(args, named)?;
        match self.host.call(function, &plain, &by_name) {
            Ok(value) => self.of_host(value),
            Err(stop) => Err(self.stopped(stop)),
        }
    }

    pub(crate) fn host_attribute(&mut self, handle: HostHandle, name: &Name) -> Flow<Option<ScriptValue>> {
        match self.host.attribute(handle, &name.text) {
            Ok(Some(HostValue::Method(at))) => {
                let bound = Object::BoundMethod {
                    object: ScriptValue::Host(handle),
                    function: ScriptValue::HostFunction(at),
                };
                self.make(bound).map(Some)
            }
            Ok(Some(value)) => self.of_host(value).map(Some),
            Ok(None) => Ok(None),
            Err(stop) => Err(self.stopped(stop)),
        }
    }

    pub(crate) fn set_host_attribute(
        &mut self,
        handle: HostHandle,
        name: &Name,
        value: &ScriptValue,
    ) -> Flow<()> {
        let value = self.for_host(value, 8)?;
        match self.host.set_attribute(handle, &name.text, value) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.no_attribute(&ScriptValue::Host(handle), &name.text)),
            Err(stop) => Err(self.stopped(stop)),
        }
    }

    pub(crate) fn host_item(&mut self, handle: HostHandle, index: &ScriptValue) -> Flow {
        let index = self.for_host(index, 4)?;
        match self.host.item(handle, &index) {
            Ok(value) => self.of_host(value),
            Err(stop) => Err(self.stopped(stop)),
        }
    }

    pub(crate) fn set_host_item(
        &mut self,
        handle: HostHandle,
        index: &ScriptValue,
        value: Option<&ScriptValue>,
    ) -> Flow<()> {
        let index = self.for_host(index, 4)?;
        let value = value.map(|value| self.for_host(value, 8)).transpose()?;
        match self.host.set_item(handle, &index, value) {
            Ok(()) => Ok(()),
            Err(stop) => Err(self.stopped(stop)),
        }
    }

    pub(crate) fn host_len(&mut self, handle: HostHandle) -> Flow<Option<usize>> {
        match self.host.len(handle) {
            Ok(len) => Ok(len),
            Err(stop) => Err(self.stopped(stop)),
        }
    }

    pub(crate) fn host_items(&mut self, handle: HostHandle) -> Flow<Option<Vec<ScriptValue>>> {
        match self.host.items(handle) {
            Ok(Some(items)) => self.all_of_host(items).map(Some),
            Ok(None) => Ok(None),
            Err(stop) => Err(self.stopped(stop)),
        }
    }

    /// A part of what the host's object runs through: a generator, as the interface has it (S34e).
    pub(crate) fn host_slice(&mut self, handle: HostHandle, bounds: &Bounds) -> Flow {
        let object = ScriptValue::Host(handle);
        let items = self.items_of(&object)?;
        let list = self.make_list(items)?;
        let part = self.simple_slice(&list, bounds.clone())?;
        let items = self.items_of(&part)?;
        self.listed(items)
    }

    pub(crate) fn host_text(&mut self, handle: HostHandle, form: HostForm) -> ScriptValue {
        ScriptValue::text(&self.host.text(handle, form))
    }
}
