//! A tiny package around one fault, and findings as one line of text each.

use cw_octgn::{MemoryFiles, Package};
use cw_text::{Diagnostic, LineIndex, Sources};

/// The game of [`DEFINITION`].
pub(crate) const GAME: &str = "0a000000-0000-4000-8000-000000000001";
/// The set of [`set`].
pub(crate) const SET: &str = "0a000000-0000-4000-8000-000000000002";

/// A definition with one property of each kind, a size, a symbol and a section.
pub(crate) const DEFINITION: &str = "\
    <game id=\"0a000000-0000-4000-8000-000000000001\" name=\"G\" version=\"1.0.0.0\" \
        octgnVersion=\"3.4.0.0\" scriptVersion=\"3.1.0.2\" authors=\"a\" description=\"d\" \
        tags=\"t\" gameurl=\"https://example.org\" setsurl=\"\" iconurl=\"https://example.org/i.png\">\n\
    <symbols><symbol name=\"Fire\" id=\"fire\" src=\"fire.png\"/></symbols>\n\
    <card front=\"front.png\" back=\"back.png\" width=\"63\" height=\"88\">\n\
    <property name=\"Rarity\" type=\"String\" textKind=\"Enum\"/>\n\
    <property name=\"Kind\" type=\"String\" textKind=\"Tokens\"/>\n\
    <property name=\"Power\" type=\"Integer\"/>\n\
    <property name=\"Letter\" type=\"Char\"/>\n\
    <property name=\"Text\" type=\"RichText\"/>\n\
    <size name=\"Wide\" front=\"front.png\" back=\"back.png\" width=\"88\" height=\"63\"/>\n\
    </card>\n\
    <player><group name=\"Hand\" icon=\"fire.png\"/><group name=\"Deck\" icon=\"fire.png\"/></player>\
    <table name=\"T\" width=\"10\" height=\"10\" background=\"fire.png\"/>\
    <proxygen definitionsrc=\"Proxy/p.xml\"/>\n\
    <deck><section name=\"Main\" group=\"Deck\"/></deck>\n\
    </game>";

/// The least that a proxy definition has to have.
pub(crate) const PROXY: &str = "\
    <templates>\
        <blocks><block type=\"text\" id=\"a\"><location x=\"0\" y=\"0\"/></block></blocks>\
        <template src=\"front.png\" default=\"True\"/>\
    </templates>";

/// The files of a sound package with this `set.xml`.
pub(crate) fn files(set: &str) -> MemoryFiles {
    MemoryFiles::new()
        .with("definition.xml", DEFINITION)
        .with("front.png", "")
        .with("back.png", "")
        .with("fire.png", "")
        .with("Proxy/p.xml", PROXY)
        .with(format!("Sets/{SET}/set.xml"), set)
}

/// A sound set around this content; the content begins on line 2.
pub(crate) fn set(content: &str) -> String {
    format!("<set name=\"S\" id=\"{SET}\" gameId=\"{GAME}\">\n{content}\n</set>")
}

/// Every finding about a package, as [`line`]s.
pub(crate) fn found_by_checking(files: &MemoryFiles) -> Vec<String> {
    let package = Package::read(files).unwrap();
    cw_octgn::check(&package)
        .iter()
        .map(|finding| line(finding, &package.sources))
        .collect()
}

/// `line:column–column CODE message`, the file's name before it if it is not `set.xml`.
pub(crate) fn line(finding: &Diagnostic, sources: &Sources) -> String {
    let source = sources.get(finding.file);
    let index = LineIndex::new(&source.text);
    let from = index.line_column(&source.text, finding.span.start);
    let to = index.line_column(&source.text, finding.span.end);
    let name = source.name.rsplit('/').next().unwrap_or_default();
    let name = if name == "set.xml" {
        String::new()
    } else {
        format!("{name}:")
    };
    let end = match to.line == from.line {
        true => to.column.to_string(),
        false => format!("{}:{}", to.line, to.column),
    };
    format!(
        "{name}{}:{}-{end} {} {}",
        from.line, from.column, finding.code, finding.message
    )
}

/// Reads a package and tells what reading found.
pub(crate) fn found_by_reading(files: &MemoryFiles) -> Vec<String> {
    let package = Package::read(files).unwrap();
    package
        .diagnostics
        .iter()
        .map(|finding| line(finding, &package.sources))
        .collect()
}
