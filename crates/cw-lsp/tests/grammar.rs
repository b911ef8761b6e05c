//! The grammar that editors and the book have is that of the compiler's words.

use std::process::Command;

/// The files are what their example writes.
#[test]
fn the_grammar_is_fresh() {
    let file = include_str!("../../../editors/vscode/syntaxes/rulescript.tmLanguage.json");
    assert!(
        file == cw_lsp::grammar(),
        "editors/vscode/syntaxes is stale: run `cargo run -p cw-lsp --example grammar`"
    );
    let script = include_str!("../../../editors/book/rules.js");
    assert!(
        script == cw_lsp::book_script(),
        "editors/book is stale: run `cargo run -p cw-lsp --example grammar`"
    );
}

/// The book colours what editors colour, and no letter of a rule is lost.
#[test]
fn the_book_colours_rules() {
    let text = "[0f8fad5b-d9cb-469f-a165-70867728950e] <&>\n\
                action = {S}: [[if me.sp >= 3]] Draw(2) to(opp) # \"x\"\n\
                auto = ~myEndPhase, attacks:any~ +pierce & bp(_n) to(<2>character@oppRing); \
                x = 'a [[may b'\n";
    let ask = "process.stdout.write(colouredRules(process.argv[1]))";
    let script = format!("{}\n{ask}", cw_lsp::book_script());
    let Ok(done) = Command::new("node").args(["--eval", &script, text]).output() else {
        eprintln!("SKIPPED: there is no Node here");
        return;
    };
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let markup = String::from_utf8_lossy(&done.stdout).into_owned();
    for (kind, word) in [
        ("title", "0f8fad5b-d9cb-469f-a165-70867728950e"),
        ("attr", "action"),
        ("keyword", "if"),
        ("variable", "me"),
        ("attr", "sp"),
        ("number", "3"),
        ("built_in", "Draw"),
        ("keyword", "to"),
        ("comment", "# \"x\""),
        ("symbol", "myEndPhase"),
        ("symbol", "attacks"),
        ("literal", "pierce"),
        ("variable", "_n"),
        ("type", "character"),
        ("literal", "oppRing"),
        ("string", "'a [[may b'"),
    ] {
        let wanted = format!("<span class=\"hljs-{kind}\">{word}</span>");
        assert!(markup.contains(&wanted), "{wanted} in {markup}");
    }
    let mut plain = String::new();
    for part in markup.split('<') {
        plain += part.split_once('>').map_or(part, |(_, rest)| rest);
    }
    assert_eq!(
        plain
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&"),
        text
    );
}
