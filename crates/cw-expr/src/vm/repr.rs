//! `repr` and `str`.

use crate::base::error::Error;
use crate::value::kind::PythonType;
use crate::value::{Complex, IteratorKind, Value};
use crate::vm::float_text;
use crate::vm::machine::{EvalOutcome, Vm};
use crate::vm::text::ascii_bytes;

impl Vm<'_> {
    /// `repr(value)`, which is always ASCII.
    pub(crate) fn repr(&mut self, value: &Value) -> EvalOutcome<String> {
        let mut out = String::new();
        self.write_repr(value, &mut out)?;
        self.allow_text(out.len())?;
        Ok(out)
    }

    fn write_repr(&mut self, value: &Value, out: &mut String) -> EvalOutcome<()> {
        if out.len() > self.limits.string {
            return Err(Error::limit("string is too long"));
        }
        self.charge(1)?;
        match value {
            Value::None => out.push_str("None"),
            Value::NotImplemented => out.push_str("NotImplemented"),
            Value::Ellipsis => out.push_str("Ellipsis"),
            Value::Bool(true) => out.push_str("True"),
            Value::Bool(false) => out.push_str("False"),
            Value::Int(value) => out.push_str(&value.to_string()),
            Value::Long(value) => {
                self.charge_digits(value.bits())?;
                out.push_str(&value.to_string());
                out.push('L');
            }
            Value::Float(value) => out.push_str(&float_text::repr(*value)),
            Value::Complex(value) => out.push_str(&complex_text(**value, false)),
            Value::Str(bytes) => {
                self.charge(bytes.len() as u64 / 8)?;
                self.write_bytes(bytes, out)?;
            }
            Value::Unicode(points) => {
                self.charge(points.len() as u64 / 2)?;
                self.write_unicode(points, out)?;
            }
            Value::List(items) => self.write_items("[", &items.items, "]", out)?,
            Value::Tuple(items) => {
                let close = if items.items.len() == 1 { ",)" } else { ")" };
                self.write_items("(", &items.items, close, out)?;
            }
            Value::Dict(dict) => {
                out.push('{');
                for (at, entry) in dict.table.iter().enumerate() {
                    if at > 0 {
                        out.push_str(", ");
                    }
                    self.write_repr(&entry.key, out)?;
                    out.push_str(": ");
                    self.write_repr(&entry.value, out)?;
                }
                out.push('}');
            }
            Value::Set(_) | Value::FrozenSet(_) | Value::View(..) => {
                let items = self.items(value)?;
                out.push_str(value.type_of().name());
                self.write_items("([", &items, "])", out)?;
            }
            Value::Slice(slice) => {
                let parts = [slice.start.clone(), slice.stop.clone(), slice.step.clone()];
                self.write_items("slice(", &parts, ")", out)?;
            }
            Value::XRange(range) => {
                let stop = range.start.wrapping_add(range.len.wrapping_mul(range.step));
                if range.start == 0 && range.step == 1 {
                    out.push_str(&format!("xrange({stop})"));
                } else if range.step == 1 {
                    out.push_str(&format!("xrange({}, {stop})", range.start));
                } else {
                    out.push_str(&format!("xrange({}, {stop}, {})", range.start, range.step));
                }
            }
            Value::ByteArray(bytes) => {
                out.push_str("bytearray(b");
                write_bytearray(bytes, out);
                out.push(')');
            }
            Value::Type(kind) => out.push_str(&type_repr(*kind)),
            Value::Exception(exception) => {
                out.push_str(exception.kind.name());
                let close = if exception.args.items.len() == 1 {
                    ",)"
                } else {
                    ")"
                };
                self.write_items("(", &exception.args.items, close, out)?;
            }
            Value::Builtin(builtin) => out.push_str(&format!("<built-in function {}>", builtin.name())),
            Value::Method(method) => {
                let kind = self.type_name(&method.object);
                out.push_str(&format!(
                    "<built-in method {} of {kind} object at 0x7f0000000000>",
                    method.name
                ));
            }
            Value::Unbound(kind, name) => {
                out.push_str(&format!("<method '{name}' of '{}' objects>", kind.name()));
            }
            Value::Function(function) => {
                out.push_str(&format!("<function {} at 0x7f0000000000>", function.code.name));
            }
            Value::Iterator(IteratorKind::Generator, id) => {
                out.push_str(&format!("<generator object <genexpr> at 0x7f00{id:08x}>"));
            }
            Value::Iterator(_, id) | Value::Plain(id) => {
                out.push_str(&format!("<{} object at 0x7f00{id:08x}>", value.type_of().name()));
            }
            Value::Buffer(_) => {
                out.push_str("<read-only buffer for 0x7f0000000000, size -1, offset 0 at 0x7f0000000010>");
            }
            Value::MemoryView(_) => out.push_str("<memory at 0x7f0000000000>"),
            Value::Host(object) => match self.host.len(*object) {
                Some(_) => {
                    let list = self.materialise(value)?;
                    self.write_repr(&list, out)?;
                }
                None => out.push_str(&self.host.repr(*object)),
            },
            Value::HostFunction(function) => {
                out.push_str(&format!(
                    "<built-in function {}>",
                    self.host.function_name(*function)
                ));
            }
        }
        Ok(())
    }

    fn write_items(&mut self, open: &str, items: &[Value], close: &str, out: &mut String) -> EvalOutcome<()> {
        out.push_str(open);
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                out.push_str(", ");
            }
            self.write_repr(item, out)?;
        }
        out.push_str(close);
        Ok(())
    }

    fn write_bytes(&mut self, bytes: &[u8], out: &mut String) -> EvalOutcome<()> {
        self.allow_text(bytes.len())?;
        let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') {
            '"'
        } else {
            '\''
        };
        out.push(quote);
        for &byte in bytes {
            write_byte(byte, Some(quote), out);
        }
        out.push(quote);
        Ok(())
    }

    fn write_unicode(&mut self, points: &[u32], out: &mut String) -> EvalOutcome<()> {
        self.allow_text(points.len())?;
        let has = |c: char| points.contains(&u32::from(c));
        let quote = if has('\'') && !has('"') { '"' } else { '\'' };
        out.push('u');
        out.push(quote);
        for &point in points {
            match point {
                0..=127 => write_byte((point & 0x7f) as u8, Some(quote), out),
                128..=255 => out.push_str(&format!("\\x{point:02x}")),
                256..=0xffff => out.push_str(&format!("\\u{point:04x}")),
                _ => out.push_str(&format!("\\U{point:08x}")),
            }
        }
        out.push(quote);
        Ok(())
    }

    /// `str(value)`.
    pub(crate) fn str_bytes(&mut self, value: &Value) -> EvalOutcome<Vec<u8>> {
        match value {
            Value::Str(bytes) | Value::ByteArray(bytes) | Value::Buffer(bytes) => {
                self.allow_text(bytes.len())?;
                Ok((**bytes).clone())
            }
            Value::Unicode(points) => {
                self.allow_text(points.len())?;
                ascii_bytes(points)
            }
            Value::Long(_) => {
                let mut text = self.repr(value)?;
                text.pop();
                Ok(text.into_bytes())
            }
            Value::Float(value) => Ok(float_text::str(*value).into_bytes()),
            Value::Complex(value) => Ok(complex_text(**value, true).into_bytes()),
            Value::Exception(exception) => match &*exception.args.items {
                [] => Ok(Vec::new()),
                [only] if exception.kind.is_a(crate::ExceptionKind::KeyError) => {
                    let text = self.repr(&only.clone())?;
                    Ok(text.into_bytes())
                }
                [only] => self.str_bytes(&only.clone()),
                items => {
                    let tuple = self.make_tuple(items.to_vec())?;
                    Ok(self.repr(&tuple)?.into_bytes())
                }
            },
            other => Ok(self.repr(other)?.into_bytes()),
        }
    }
}

/// `repr` (or, when `short`, `str`) of a complex number.
pub(crate) fn complex_text(value: Complex, short: bool) -> String {
    let im = float_text::complex_part(value.im, short);
    if value.re == 0.0 && value.re.is_sign_positive() {
        return format!("{im}j");
    }
    let re = float_text::complex_part(value.re, short);
    let sign = if im.starts_with('-') { "" } else { "+" };
    format!("({re}{sign}{im}j)")
}

fn type_repr(kind: PythonType) -> String {
    format!("<type '{}'>", kind.name())
}

/// Writes one byte as `repr` of a string does.
pub(crate) fn write_byte(byte: u8, quote: Option<char>, out: &mut String) {
    match byte {
        b'\\' => out.push_str("\\\\"),
        b'\n' => out.push_str("\\n"),
        b'\r' => out.push_str("\\r"),
        b'\t' => out.push_str("\\t"),
        b' '..=b'~' => {
            if quote == Some(char::from(byte)) {
                out.push('\\');
            }
            out.push(char::from(byte));
        }
        _ => out.push_str(&format!("\\x{byte:02x}")),
    }
}

fn write_bytearray(bytes: &[u8], out: &mut String) {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') {
        '"'
    } else {
        '\''
    };
    out.push(quote);
    for &byte in bytes {
        match byte {
            // Escaped even between double quotes.
            b'\'' => out.push_str("\\'"),
            _ => write_byte(byte, None, out),
        }
    }
    out.push(quote);
}
