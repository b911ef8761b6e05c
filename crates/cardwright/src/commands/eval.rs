//! `cardwright eval`: plain Python 2.7 expressions, without a game and without RuleScript's words.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read};
use std::process::ExitCode;

use anyhow::{Context, Result};
use cw_expr::{
    CompileError, CompileErrorKind, ExceptionKind, ExprLimits, NoHost, PlainPython, Syntax, compile,
    eval_repr,
};
use serde_json::json;

use crate::output;

/// Evaluate a Python 2.7 expression and print its `repr`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The expression
    #[arg(
        required_unless_present = "stdin",
        conflicts_with = "stdin",
        allow_hyphen_values = true
    )]
    expression: Option<OsString>,
    /// Read one JSON string per line, and answer each with one JSON object per line:
    /// `{"repr": …}` or `{"error": …, "message": …}`
    #[arg(long)]
    stdin: bool,
}

/// Longer lines are refused unread.
const LONGEST_LINE: u64 = 64 << 20;

/// What the limits ask for ([`ExprLimits::PROMPT`]).
const STACK: usize = 64 << 20;

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let Args { expression, .. } = args;
    let worker = std::thread::Builder::new().stack_size(STACK);
    let worker = worker
        .spawn(move || match expression {
            Some(expression) => one(expression),
            None => lines(),
        })
        .context("cannot start a thread")?;
    match worker.join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Why there is no value: a name and a message.
struct EvalFailure {
    name: &'static str,
    message: String,
}

fn one(expression: OsString) -> Result<ExitCode> {
    let answer = match expression.into_string() {
        Ok(text) => evaluate(&text),
        Err(_) => Err(not_utf8()),
    };
    match answer {
        Ok(repr) => {
            output::line(&repr);
            return Ok(ExitCode::SUCCESS);
        }
        Err(EvalFailure { name, message }) if message.is_empty() => output::note(name),
        Err(EvalFailure { name, message }) => output::note(&format!("{name}: {message}")),
    }
    Ok(ExitCode::from(1))
}

fn lines() -> Result<ExitCode> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
            .context("cannot read standard input")?;
        if read == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        let complete = line.ends_with(b"\n") || (line.len() as u64) < LONGEST_LINE;
        let answer = if complete {
            evaluate_line(&line)
        } else {
            skip_line(&mut input)?;
            Err(EvalFailure {
                name: "LimitExceeded",
                message: "line is too long".to_owned(),
            })
        };
        let answer = match answer {
            Ok(repr) => json!({ "repr": repr }),
            Err(EvalFailure { name, message }) => json!({ "error": name, "message": message }),
        };
        output::line(&answer.to_string());
    }
}

fn skip_line(input: &mut impl BufRead) -> Result<()> {
    loop {
        let buffer = input.fill_buf().context("cannot read standard input")?;
        if buffer.is_empty() {
            return Ok(());
        }
        let newline = buffer.iter().position(|byte| *byte == b'\n');
        let used = newline.map_or(buffer.len(), |at| at + 1);
        input.consume(used);
        if newline.is_some() {
            return Ok(());
        }
    }
}

fn evaluate_line(line: &[u8]) -> Result<String, EvalFailure> {
    let Ok(line) = std::str::from_utf8(line) else {
        return Err(not_utf8());
    };
    match serde_json::from_str::<String>(line) {
        Ok(text) => evaluate(&text),
        Err(error) => Err(EvalFailure {
            name: "InputError",
            message: format!("line is not a JSON string: {error}"),
        }),
    }
}

fn not_utf8() -> EvalFailure {
    EvalFailure {
        name: "InputError",
        message: "expression is not UTF-8".to_owned(),
    }
}

fn evaluate(text: &str) -> Result<String, EvalFailure> {
    let limits = ExprLimits::PROMPT;
    let code = compile(text, &Syntax::default(), &PlainPython, &limits).map_err(|error| EvalFailure {
        name: error.name(),
        message: compile_message(&error, text),
    })?;
    eval_repr(&code, &mut NoHost, &limits).map_err(|error| EvalFailure {
        name: error.name(),
        message: error.message(),
    })
}

/// Python adds the place to the message of a `SyntaxError`.
fn compile_message(error: &CompileError, text: &str) -> String {
    if error.cause != CompileErrorKind::Exception(ExceptionKind::SyntaxError) {
        return error.text();
    }
    let before = text.get(..error.span.start as usize).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    format!("{} (<string>, line {line})", error.text())
}
