//! Writes the grammar of `editors/vscode`.
#![expect(clippy::disallowed_methods, reason = "a developer command writes files")]

fn main() -> std::io::Result<()> {
    let place = "/../../editors/vscode/syntaxes/rulescript.tmLanguage.json";
    let path = format!("{}{place}", env!("CARGO_MANIFEST_DIR"));
    std::fs::write(path, cw_lsp::grammar())
}
