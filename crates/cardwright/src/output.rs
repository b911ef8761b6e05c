//! What goes to the terminal.

use std::io::Write;

pub(crate) use cw_text::count;
use cw_text::{Catalog, Counts, Diagnostic, Format, NoCatalog, Sources};

/// Prints a line; a reader that went away (`| head`) is no error.
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

/// Prints one line to standard output.
pub(crate) fn line(text: &str) {
    let mut out = anstream::stdout().lock();
    if writeln!(out, "{text}").is_err() {
        std::process::exit(0);
    }
}

/// Prints text to standard output, without a line end of its own.
pub(crate) fn raw(text: &str) {
    let mut out = anstream::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Prints a note to standard error.
pub(crate) fn note(text: &str) {
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
    note(cw_text::render(Format::Text, sources, found, color, catalog).trim_end());
    note(&Counts::of(found).to_string());
}
