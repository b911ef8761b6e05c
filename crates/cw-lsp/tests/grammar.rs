//! The grammar that editors have is that of the compiler's words.

/// The file is what its example writes.
#[test]
fn the_grammar_is_fresh() {
    let file = include_str!("../../../editors/vscode/syntaxes/rulescript.tmLanguage.json");
    assert!(
        file == cw_lsp::grammar(),
        "editors/vscode/syntaxes is stale: run `cargo run -p cw-lsp --example grammar`"
    );
}
