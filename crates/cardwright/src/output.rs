//! What goes to the terminal.

use std::borrow::Cow;
use std::io::{BufWriter, Write};

pub(crate) use cw_text::count;
use cw_text::{Catalog, Diagnostic, FindingFormat, NoCatalog, SeverityCounts, Sources};

/// Prints a line. A reader that went away (`| head`) is no error, a disk that is full is one.
macro_rules! say {
    ($($part:tt)*) => {
        $crate::output::line(&format!($($part)*))
    };
}
pub(crate) use say;

/// When text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// Colours text from now on as the user wants it.
pub(crate) fn set_color(color: Color) {
    let choice = match color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// Whether what goes to this stream is coloured.
pub(crate) fn is_coloured(stream: &impl anstream::stream::RawStream) -> bool {
    anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never
}

/// Text that may come from a file, as it can be shown: what steers a terminal, turns the direction of writing
/// or has no width is written as its number, so that no name looks like another one, or like words of the
/// program. The form is that of JSON, so that JSON stays JSON.
pub(crate) fn safe(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let ends_line = letter == '\r' && letters.peek() == Some(&'\n');
        // Emoji and scripts such as Persian join letters by signs without a width.
        let joins = matches!(letter, '\u{200c}' | '\u{200d}')
            && out.chars().next_back().is_some_and(|c| !c.is_ascii());
        if steers(letter) && !ends_line && !joins {
            out.push_str(&format!("\\u{:04x}", u32::from(letter)));
        } else {
            out.push(letter);
        }
    }
    Cow::Owned(out)
}

/// C0 and C1 but for tabs and ends of lines, signs that turn the direction, signs without a width.
fn steers(letter: char) -> bool {
    (letter.is_control() && !matches!(letter, '\n' | '\t'))
        || matches!(letter, '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Prints one line to standard output.
pub(crate) fn line(text: &str) {
    styled(&safe(text));
}

/// Prints one line with styles in it, whose parts from files are [`safe`].
pub(crate) fn styled(text: &str) {
    let mut out = anstream::stdout().lock();
    if let Err(error) = writeln!(out, "{text}") {
        end(&error);
    }
}

/// Prints many lines with styles in them, a large part at once: each line of its own would be several calls
/// of the system.
pub(crate) fn styled_lines(lines: impl IntoIterator<Item = String>) {
    let mut out = BufWriter::with_capacity(1 << 16, anstream::stdout().lock());
    let mut lines = lines.into_iter();
    let written = lines.try_for_each(|line| writeln!(out, "{line}"));
    if let Err(error) = written.and_then(|()| out.flush()) {
        end(&error);
    }
}

/// Prints text to standard output, without a line end of its own.
pub(crate) fn raw(text: &str) {
    let mut out = anstream::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        end(&error);
    }
}

/// Ends the program, since nobody gets what it prints. Who closed the pipe behind us has read enough; a full
/// disk means that something is missing, and whoever goes on with a part must learn of it.
fn end(error: &std::io::Error) -> ! {
    if error.kind() == std::io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    note(&format!(
        "error: cannot write to standard output\n  because: {error}"
    ));
    std::process::exit(1);
}

/// Prints a note to standard error.
pub(crate) fn note(text: &str) {
    styled_note(&safe(text));
}

/// Prints a note with styles in it.
fn styled_note(text: &str) {
    // Nothing is left to do where standard error is closed.
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Prints an error with its causes to standard error.
pub(crate) fn error(error: &anyhow::Error) {
    let mut text = format!("error: {error}");
    for cause in error.chain().skip(1) {
        // Causes that the message repeats are left out.
        if !text.contains(&cause.to_string()) {
            text.push_str(&format!("\n  because: {cause}"));
        }
    }
    note(&text);
}

/// Prints findings as people read them to standard error.
pub(crate) fn findings(sources: &Sources, found: &[Diagnostic]) {
    let color = is_coloured(&std::io::stderr());
    let catalog: &dyn Catalog = &NoCatalog;
    styled_note(cw_text::render(FindingFormat::Text, sources, found, color, catalog).trim_end());
    note(&SeverityCounts::of(found).to_string());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_written_as_its_number() {
        for (text, shown) in [
            ("Rook\t3\nKing", "Rook\t3\nKing"),
            ("\u{1b}[2J", "\\u001b[2J"),
            ("a\u{9b}31m", "a\\u009b31m"),
            ("one\r\ntwo\rthree", "one\r\ntwo\\u000dthree"),
            ("\u{202e}gnik\u{2069}", "\\u202egnik\\u2069"),
            ("Ro\u{200b}ok\u{feff}", "Ro\\u200bok\\ufeff"),
            ("Ro\u{200d}ok", "Ro\\u200dok"),
            // A family is one sign, made of three.
            ("👩\u{200d}👦 é 中", "👩\u{200d}👦 é 中"),
        ] {
            assert_eq!(safe(text), shown);
            let quoted = serde_json::to_string(text).unwrap();
            let read: String = serde_json::from_str(&safe(&quoted)).unwrap();
            assert_eq!(read, text, "JSON stays JSON");
        }
    }
}
