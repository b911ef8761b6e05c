//! Writes the grammar of `editors/vscode`, and the script of `editors/book`.
#![expect(clippy::disallowed_methods, reason = "a developer command writes files")]

fn main() -> std::io::Result<()> {
    let editors = concat!(env!("CARGO_MANIFEST_DIR"), "/../../editors");
    std::fs::write(
        format!("{editors}/vscode/syntaxes/rulescript.tmLanguage.json"),
        cw_lsp::grammar(),
    )?;
    std::fs::write(format!("{editors}/book/rules.js"), cw_lsp::book_script())
}
