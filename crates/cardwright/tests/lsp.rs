//! The language server as an editor meets it: the real program, messages on its standard input and output.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

#[path = "support/editor.rs"]
mod editor;

use std::fs;

use editor::{Editor, FOP, game, range};
use serde_json::{Value, json};

/// Findings come as one types, count in the units that were agreed, and go with the mistake; the file on the
/// disk is not touched.
#[test]
fn findings_follow_the_text_in_the_editor() {
    let (folder, uri) = game();
    let (mut editor, greeting) = Editor::new(&["utf-16"]);
    assert_eq!(greeting["capabilities"]["positionEncoding"], "utf-16");
    let (uri, path) = (uri("Rules/core.rules"), folder.path().join("Rules/core.rules"));
    let before = fs::read(&path).unwrap();
    editor.open(&uri, &format!("{FOP}action = draw(1)\n"));
    let first = editor.findings(&uri);
    assert_eq!(first["version"], 1);
    let errors = |told: &Value| -> Vec<Value> {
        let all = told["diagnostics"].as_array().unwrap();
        all.iter().filter(|one| one["severity"] == 1).cloned().collect()
    };
    assert_eq!(errors(&first), Vec::<Value>::new());

    // An astral letter before the mistake counts as two.
    editor.change(
        &uri,
        2,
        json!([{ "range": range(1, 9, 16), "text": "[[may '😀']] drow(1)" }]),
    );
    let told = editor.findings(&uri);
    let found = errors(&told);
    assert_eq!(told["version"], 2);
    assert_eq!(found.len(), 1, "{told}");
    assert_eq!(found[0]["code"], "RS003");
    assert_eq!(found[0]["range"], range(1, 22, 26));

    let actions = editor.ask(
        "textDocument/codeAction",
        json!({
            "textDocument": { "uri": uri },
            "range": range(1, 22, 22),
            "context": { "diagnostics": [] },
        }),
    );
    let fix = &actions["result"][0];
    assert_eq!(fix["kind"], "quickfix", "{actions}");
    assert_eq!(fix["edit"]["changes"][&uri][0]["range"], range(1, 22, 26));
    assert_eq!(fix["edit"]["changes"][&uri][0]["newText"], "draw");

    editor.change(&uri, 3, json!([{ "range": range(1, 22, 26), "text": "draw" }]));
    assert_eq!(errors(&editor.findings(&uri)), Vec::<Value>::new());
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(editor.end(), Some(0));
}

/// A card that leaves `set.xml` in the editor is missed in decks, whose files nobody opened; closing without
/// saving brings it back.
#[test]
fn findings_of_closed_files_follow_open_ones() {
    let (folder, uri) = game();
    let (mut editor, _) = Editor::new(&["utf-8", "utf-16"]);
    let set = "Sets/48bbf5e7-da58-470c-b58b-b642cac888f3/set.xml";
    let text = fs::read_to_string(folder.path().join(set)).unwrap();
    let deck = fs::read_to_string(folder.path().join("Decks/One Attacker.o8d")).unwrap();
    let id = deck
        .split("<card ")
        .nth(1)
        .unwrap()
        .split("id=\"")
        .nth(1)
        .unwrap();
    let id = id.split('"').next().unwrap();
    assert!(text.contains(id));
    let (uri, deck) = (uri(set), uri("Decks/One%20Attacker.o8d"));
    editor.open(&uri, &text.replace(id, "00000000-0000-0000-0000-00000000abcd"));
    let told = editor.findings(&deck);
    assert!(told["diagnostics"].to_string().contains("PK"), "{told}");
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(editor.findings(&deck)["diagnostics"], json!([]));
    assert_eq!(editor.end(), Some(0));
}

/// Files outside of any game, unknown requests and wrong parameters are answered, and the server lives.
#[test]
fn what_cannot_be_answered_is_an_error_and_no_end() {
    let (_folder, uri) = game();
    let (mut editor, greeting) = Editor::new(&["utf-8"]);
    assert_eq!(greeting["capabilities"]["positionEncoding"], "utf-8");
    editor.open("file:///nowhere/at/all.rules", "action = drow()");
    editor.open("untitled:1", "x");
    let place = json!({ "textDocument": { "uri": "file:///nowhere/at/all.rules" },
        "position": { "line": 0, "character": 0 } });
    let hover = |editor: &mut Editor, params: Value| editor.ask("textDocument/hover", params);
    assert_eq!(hover(&mut editor, place)["error"]["code"], -32803);
    assert_eq!(hover(&mut editor, json!({}))["error"]["code"], -32602);
    assert_eq!(
        editor.ask("textDocument/sing", json!({}))["error"]["code"],
        -32601
    );
    editor.change("file:///never/opened.rules", 2, json!([{ "text": "x" }]));
    let uri = uri("Rules/core.rules");
    editor.open(&uri, FOP);
    let far =
        json!({ "textDocument": { "uri": uri }, "position": { "line": 4_000_000_000u32, "character": 7 } });
    assert_eq!(hover(&mut editor, far)["error"], Value::Null);
    assert_eq!(editor.end(), Some(0));
}

/// Layout comes as edits of lines; hover tells words and cards.
#[test]
fn rules_are_laid_out_and_explained() {
    let (_folder, uri) = game();
    let (mut editor, _) = Editor::new(&["utf-16"]);
    let uri = uri("Rules/core.rules");
    editor.open(
        &uri,
        &format!("{FOP}action   =   draw(1)\nabilities = cantblock\n"),
    );
    let document = json!({ "uri": uri });
    let laid_out = editor.ask(
        "textDocument/formatting",
        json!({ "textDocument": document, "options": { "tabSize": 2, "insertSpaces": true } }),
    );
    assert_eq!(laid_out["result"].as_array().unwrap().len(), 1, "{laid_out}");
    assert_eq!(laid_out["result"][0]["newText"], "action = draw(1)\n");
    let mut said = |line: u32, character: u32| {
        let place = json!({ "line": line, "character": character });
        let answer = editor.ask(
            "textDocument/hover",
            json!({ "textDocument": document, "position": place }),
        );
        answer["result"]["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert!(said(0, 5).contains("**Sourdough Starter**"));
    assert!(said(1, 14).contains("command"), "{}", said(1, 14));
    assert!(said(2, 14).contains("ability"));
    assert_eq!(editor.end(), Some(0));
}

/// What may stand at the caret: keys, events, zones, commands, abilities, cards by their ids.
#[test]
fn completion_knows_what_may_stand_at_the_caret() {
    let (_folder, uri) = game();
    let (mut editor, _) = Editor::new(&["utf-16"]);
    let uri = uri("Rules/core.rules");
    let mut version = 1;
    editor.open(&uri, "");
    let mut check = |line: &str, expected: &str, text: &str| {
        version += 1;
        editor.change(&uri, version, json!([{ "text": format!("{FOP}{line}") }]));
        let place = json!({ "line": 1, "character": line.encode_utf16().count() });
        let answer = editor.ask(
            "textDocument/completion",
            json!({ "textDocument": { "uri": uri }, "position": place }),
        );
        let items = answer["result"]["items"].as_array().unwrap();
        let item = items.iter().find(|item| item["label"] == expected);
        let item = item.unwrap_or_else(|| panic!("`{expected}` is not offered behind `{line}`: {answer}"));
        assert_eq!(item["textEdit"]["newText"], text);
        assert!(items.len() <= 200);
    };
    check("", "action", "action = ");
    check("action = dr", "draw", "draw()");
    check("auto = ~", "myActivatePhase", "myActivatePhase");
    check("action = freeze() to(character@", "oppRing", "oppRing");
    check("action = freeze() to(cha", "character", "character");
    check("action = freeze() to(character[", "frozen", "frozen");
    check("action = +", "cantblock", "cantblock");
    check(
        "[sourdough",
        "Sourdough Starter",
        "303cf61c-ae05-4ab3-a8b1-ba4db2fc22ec",
    );
    check(
        "action = transform(\"sourd",
        "Sourdough Starter",
        "303cf61c-ae05-4ab3-a8b1-ba4db2fc22ec",
    );
    assert_eq!(editor.end(), Some(0));
}

/// The active argument of a command is told; a card is followed from its rule to its set and its decks.
#[test]
fn commands_and_cards_are_followed() {
    let (_folder, uri) = game();
    let (mut editor, _) = Editor::new(&["utf-16"]);
    let uri = uri("Rules/core.rules");
    editor.open(&uri, &format!("{FOP}action = moveTo(oppDeck, 2, \n"));
    let at = |line: u32, character: u32| {
        json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character },
            "context": { "includeDeclaration": true } })
    };
    let told = editor.ask("textDocument/signatureHelp", at(1, 28));
    assert_eq!(told["result"]["activeParameter"], 2, "{told}");
    assert!(
        told["result"]["signatures"][0]["label"]
            .as_str()
            .unwrap()
            .starts_with("moveTo(")
    );
    let definition = editor.ask("textDocument/definition", at(0, 3));
    assert!(
        definition["result"][0]["uri"]
            .as_str()
            .unwrap()
            .ends_with("/set.xml"),
        "{definition}"
    );
    let references = editor.ask("textDocument/references", at(0, 3))["result"].to_string();
    assert!(
        references.contains("set.xml") && references.contains(".o8d"),
        "{references}"
    );
    let symbols = editor.ask(
        "textDocument/documentSymbol",
        json!({ "textDocument": { "uri": uri } }),
    );
    assert_eq!(symbols["result"][0]["name"], "Sourdough Starter");
    assert_eq!(editor.end(), Some(0));
}
