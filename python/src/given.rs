//! What Python hands over, made into what a function works with; and the sentence where it cannot be.
//!
//! Every argument of the module goes through here, so that no message is that of a library in between: it
//! names the argument, what it is to be, and what came.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use numpy::{PyReadwriteArray1, PyReadwriteArray2};
use pyo3::PyClass;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::{
    PyAnyMethods, PyBool, PyBytes, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple,
};

use crate::duel::{Choice, Duel};
use crate::errors::ArgumentError;
use crate::game::Game;
use crate::lab::Plan;
use crate::view::Model;

/// So many characters of a text that came are quoted.
const QUOTED: usize = 40;

/// Makes functions for `from_py_with`, one for each name of an argument.
macro_rules! arguments {
    ($($name:ident)*) => {
        $(pub(crate) fn $name<'py, T: Given<'py>>(value: &Bound<'py, PyAny>) -> PyResult<T> {
            T::given(stringify!($name), value)
        })*
    };
}

arguments! {
    allow_errors at bot_ms bytes card_pairs changes choice closed_lists deck1 deck2 decks duel expression
    features files fingerprint first folder game illegal_decks mask max_steps n name number observation of one
    opponent pairs parts path plan player players playouts progress query seat seed sprt takebacks target text
    threads two unique until what_if wanted least most
}

/// What can be made of a value that was given under a name.
pub(crate) trait Given<'py>: Sized {
    /// Makes it.
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self>;
}

/// A value is of another type than it is to be.
pub(crate) fn wrong(name: &str, wanted: &str, value: &Bound<'_, PyAny>) -> PyErr {
    ArgumentError::new_err(format!("{name} is to be {wanted}, not {}", told(value)))
}

/// A value has the right type and cannot be used.
pub(crate) fn unfit(name: &str, wanted: &str, came: &str) -> PyErr {
    PyValueError::new_err(format!("{name} is to be {wanted}, not {came}"))
}

/// A value in words: what it is, and what type it has.
pub(crate) fn told(value: &Bound<'_, PyAny>) -> String {
    let many = |kind: &str, number: usize| match number {
        0 => format!("an empty {kind}"),
        _ => format!("a {kind} of {number}"),
    };
    if value.is_none() || value.is_instance_of::<PyBool>() {
        return value
            .str()
            .map_or_else(|_| "None".to_owned(), |text| text.to_string());
    }
    if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
        let number = value.str().map_or_else(
            |_| "one that is too long".to_owned(),
            |text| cut(&text.to_string()),
        );
        return format!("the number {number}");
    }
    if let Ok(text) = value.cast::<PyString>() {
        return format!("the text “{}”", cut(&text.to_string_lossy()));
    }
    if let Ok(list) = value.cast::<PyList>() {
        return many("list", list.len());
    }
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return many("tuple", tuple.len());
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        return many("dict", dict.len());
    }
    let kind = value.get_type().qualname();
    format!(
        "a value of type {}",
        kind.map_or_else(|_| "unknown".to_owned(), |name| name.to_string())
    )
}

/// The beginning of a text, on one line.
fn cut(text: &str) -> String {
    let shown: String = text
        .chars()
        .filter(|one| !one.is_control())
        .take(QUOTED)
        .collect();
    match text.chars().count() > QUOTED {
        true => format!("{shown}…"),
        false => shown,
    }
}

/// A number with commas, as people read it.
fn grouped(number: i128) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    match number < 0 {
        true => format!("-{text}"),
        false => text,
    }
}

/// A whole number between two others, both included.
pub(crate) fn whole(name: &str, value: &Bound<'_, PyAny>, least: i128, most: i128) -> PyResult<i128> {
    let wanted = format!("a whole number from {} to {}", grouped(least), grouped(most));
    let index = match value.is_instance_of::<PyInt>() {
        true => Ok(value.clone()),
        false => value.call_method0("__index__"),
    };
    let index = index.map_err(|_| wrong(name, &wanted, value))?;
    let number = index.extract::<i128>().ok();
    let number = number.filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| unfit(name, &wanted, &told(&index)))
}

macro_rules! whole_numbers {
    ($($number:ty)*) => {
        $(impl<'py> Given<'py> for $number {
            fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<$number> {
                let (least, most) = (<$number>::MIN as i128, <$number>::MAX as i128);
                let number = whole(name, value, least, most)?;
                <$number>::try_from(number).map_err(|_| unfit(name, "smaller", &told(value)))
            }
        })*
    };
}

whole_numbers! { u8 u16 u32 u64 i64 }

impl<'py> Given<'py> for usize {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<usize> {
        // As on every machine; no length is larger.
        let number = whole(name, value, 0, u32::MAX.into())?;
        usize::try_from(number).map_err(|_| unfit(name, "smaller", &told(value)))
    }
}

/// A seat, by its number.
impl<'py> Given<'py> for cw_duel::Seat {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<cw_duel::Seat> {
        const WANTED: &str = "a seat, 1 or 2";
        match value.extract::<i64>() {
            Ok(1) => Ok(cw_duel::Seat::One),
            Ok(2) => Ok(cw_duel::Seat::Two),
            Ok(_) => Err(unfit(name, WANTED, &told(value))),
            Err(_) if value.is_instance_of::<PyInt>() => Err(unfit(name, WANTED, &told(value))),
            Err(_) => Err(wrong(name, WANTED, value)),
        }
    }
}

impl<'py> Given<'py> for bool {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<bool> {
        value.extract().map_err(|_| wrong(name, "True or False", value))
    }
}

impl<'py> Given<'py> for f64 {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<f64> {
        value.extract().map_err(|_| wrong(name, "a number", value))
    }
}

fn text_of(name: &str, wanted: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = value.cast::<PyString>().map_err(|_| wrong(name, wanted, value))?;
    text.extract()
        .map_err(|_| unfit(name, "text without halves of characters", &told(value)))
}

impl<'py> Given<'py> for String {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<String> {
        text_of(name, "text", value)
    }
}

impl<'py> Given<'py> for PathBuf {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<PathBuf> {
        let path = match value.hasattr("__fspath__")? {
            true => value.call_method0("__fspath__")?,
            false => value.clone(),
        };
        let path = path.cast_into::<PyString>();
        let path = path.map_err(|_| wrong(name, "a path, as text or os.PathLike", value))?;
        path.extract::<OsString>()
            .map(PathBuf::from)
            .map_err(|_| unfit(name, "a path", &told(value)))
    }
}

/// The values of a list or another sequence; a text is none, and a set has no order.
fn each<'py>(name: &str, wanted: &str, value: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let wrong = || wrong(name, wanted, value);
    let unordered = value.is_instance_of::<PySet>() || value.is_instance_of::<PyFrozenSet>();
    let one = value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>();
    if one || unordered || value.is_instance_of::<PyDict>() {
        return Err(wrong());
    }
    let values = value.try_iter().map_err(|_| wrong())?;
    values.collect()
}

/// Many of one kind.
pub(crate) fn all<'py, T: Given<'py>>(
    name: &str,
    wanted: &str,
    value: &Bound<'py, PyAny>,
) -> PyResult<Vec<T>> {
    let values = each(name, wanted, value)?;
    let values = values.iter().enumerate();
    values
        .map(|(at, one)| T::given(&format!("{name}[{at}]"), one))
        .collect()
}

impl<'py> Given<'py> for Vec<String> {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Vec<String>> {
        all(name, "a list of texts", value)
    }
}

impl<'py> Given<'py> for Vec<PathBuf> {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Vec<PathBuf>> {
        all(name, "a list of paths", value)
    }
}

impl<'py> Given<'py> for Vec<u8> {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Vec<u8>> {
        let bytes = value.cast::<PyBytes>().map_err(|_| wrong(name, "bytes", value))?;
        Ok(bytes.as_bytes().to_vec())
    }
}

/// Files by name.
impl<'py> Given<'py> for BTreeMap<String, Vec<u8>> {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<BTreeMap<String, Vec<u8>>> {
        const WANTED: &str = "a dict of files, the names as text and the content as bytes";
        let files = value.cast::<PyDict>().map_err(|_| wrong(name, WANTED, value))?;
        let files = files.iter().map(|(key, content)| {
            let key = String::given(&format!("a name in {name}"), &key)?;
            let content = Vec::<u8>::given(&format!("{name}[“{}”]", cut(&key)), &content)?;
            Ok((key, content))
        });
        files.collect()
    }
}

impl<'py, T: Given<'py>> Given<'py> for Option<T> {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Option<T>> {
        match value.is_none() {
            true => Ok(None),
            false => T::given(name, value).map(Some),
        }
    }
}

/// A class of ours, and how it is called.
pub(crate) trait Ours: PyClass {
    /// As in a sentence.
    const CALLED: &'static str;
}

impl Ours for Game {
    const CALLED: &str = "a cardwright.Game";
}

impl Ours for Plan {
    const CALLED: &str = "a cardwright.Plan";
}

impl Ours for Model {
    const CALLED: &str = "a cardwright.Model";
}

impl Ours for Choice {
    const CALLED: &str = "a cardwright.Choice";
}

impl<'py, T: Ours + PyClass<Frozen = True>> Given<'py> for Py<T> {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Py<T>> {
        let ours = value.cast::<T>().map_err(|_| wrong(name, T::CALLED, value))?;
        Ok(ours.clone().unbind())
    }
}

impl<'py> Given<'py> for PyRef<'py, Duel> {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<PyRef<'py, Duel>> {
        let duel = value.cast::<Duel>();
        let duel = duel.map_err(|_| wrong(name, "a cardwright.Duel", value))?;
        duel.try_borrow()
            .map_err(|_| unfit(name, "at rest", "one that another thread is answering"))
    }
}

/// Any value.
impl<'py> Given<'py> for Bound<'py, PyAny> {
    fn given(_: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Ok(value.clone())
    }
}

/// A function.
#[derive(Debug)]
pub(crate) struct Function(pub(crate) Py<PyAny>);

impl<'py> Given<'py> for Function {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Function> {
        match value.is_callable() {
            true => Ok(Function(value.clone().unbind())),
            false => Err(wrong(name, "a function", value)),
        }
    }
}

/// Two numbers.
impl<'py> Given<'py> for (f64, f64) {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<(f64, f64)> {
        const WANTED: &str = "two scores between 0 and 1, the lower first, as (0.50, 0.55)";
        let two = each(name, WANTED, value)?;
        let numbers: Result<Vec<f64>, PyErr> = two.iter().map(PyAnyMethods::extract::<f64>).collect();
        match numbers.as_deref() {
            Ok([one, two]) => Ok((*one, *two)),
            Ok(_) => Err(unfit(name, WANTED, &told(value))),
            Err(_) => Err(wrong(name, WANTED, value)),
        }
    }
}

/// Arrays that are written into.
fn array<'py, T>(name: &str, wanted: &str, value: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    value.extract().map_err(|_| {
        let array = |attribute| value.getattr(attribute).and_then(|one| one.str()).ok();
        match (array("dtype"), array("shape")) {
            (Some(kind), Some(shape)) => unfit(
                name,
                wanted,
                &format!("one of {kind} and shape {shape}, or one in use or read-only"),
            ),
            _ => wrong(name, wanted, value),
        }
    })
}

impl<'py> Given<'py> for PyReadwriteArray1<'py, i16> {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        array(
            name,
            "an array of int16 in one dimension that can be written to",
            value,
        )
    }
}

impl<'py> Given<'py> for PyReadwriteArray1<'py, i8> {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        array(
            name,
            "an array of int8 in one dimension that can be written to",
            value,
        )
    }
}

impl<'py> Given<'py> for PyReadwriteArray2<'py, i16> {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        array(
            name,
            "an array of int16 in two dimensions that can be written to",
            value,
        )
    }
}

/// A whole number that a function of the package was given.
#[pyfunction]
#[pyo3(name = "_whole")]
pub(crate) fn whole_of(
    #[pyo3(from_py_with = name)] name: String,
    value: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = least)] least: i64,
    #[pyo3(from_py_with = most)] most: i64,
) -> PyResult<i128> {
    whole(&name, value, least.into(), most.into())
}

/// The sentence for a value that a function of the package was given: the argument, what it is to be, and
/// what came.
#[pyfunction]
#[pyo3(name = "_wrong")]
pub(crate) fn wrong_of<'py>(
    #[pyo3(from_py_with = name)] name: String,
    #[pyo3(from_py_with = wanted)] wanted: String,
    value: &Bound<'py, PyAny>,
) -> Bound<'py, PyAny> {
    let error = wrong(&name, &wanted, value).into_value(value.py());
    error.into_bound(value.py()).into_any()
}

/// A path that a function of the package was given.
#[pyfunction]
#[pyo3(name = "_path")]
pub(crate) fn path_of(
    #[pyo3(from_py_with = name)] name: String,
    value: &Bound<'_, PyAny>,
) -> PyResult<PathBuf> {
    PathBuf::given(&name, value)
}
