//! What a program does, in the words of `programs/record.py`.

use cw_script::{EmptyRoom, Interpreter, RunEnd, ScriptLimits};

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\t', "\\t")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
}

/// What it printed, what its names hold, and what ended it.
pub(crate) fn answer(text: &str) -> String {
    let mut scripts = Interpreter::new(&mut EmptyRoom);
    let run = scripts.run(text, "program.py", &mut EmptyRoom, &ScriptLimits::LOAD);
    let ended = match &run.end {
        RunEnd::Done(_) => String::new(),
        RunEnd::Stopped(stop) => format!("{stop:?}"),
        RunEnd::Failed(error) => {
            let words = if error.message.is_empty() {
                error.class.clone()
            } else {
                format!("{}: {}", error.class, error.message)
            };
            let own = error
                .trace
                .iter()
                .rev()
                .filter(|place| &*place.file == "program.py");
            let places: Vec<String> = own
                .map(|place| match &*error.class {
                    "SyntaxError" | "IndentationError" if error.trace.len() == 1 && run.steps == 0 => {
                        place.line.to_string()
                    }
                    _ => format!("{} {}", place.line, place.function),
                })
                .collect();
            format!("{words} @ {}", places.join(", "))
        }
    };
    let values: Vec<String> = scripts
        .values(&mut EmptyRoom)
        .into_iter()
        .filter(|(name, shown)| !name.starts_with("Rot") && !shown.contains(" at 0x"))
        .map(|(name, shown)| format!("{name}={shown}"))
        .collect();
    [run.output, values.join("; "), ended]
        .map(|part| escape(&part))
        .join("\t")
}
