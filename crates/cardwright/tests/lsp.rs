//! The language server as an editor meets it: the real program, messages on its standard input and output.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]
#![expect(
    clippy::needless_pass_by_value,
    reason = "messages are written where they are sent, as `json!({ … })`"
)]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// An editor with the server that it started.
struct Editor {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    asked: i64,
}

impl Editor {
    /// Starts the server and greets it; `encodings` are those of the editor.
    fn new(encodings: &[&str]) -> (Editor, Value) {
        let mut server = Command::new(env!("CARGO_BIN_EXE_cardwright"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let to = server.stdin.take().unwrap();
        let from = BufReader::new(server.stdout.take().unwrap());
        let mut editor = Editor {
            server,
            to,
            from,
            asked: 0,
        };
        let abilities = json!({ "general": { "positionEncodings": encodings } });
        let greeting = editor.ask(
            "initialize",
            json!({ "processId": null, "capabilities": abilities }),
        );
        editor.tell("initialized", json!({}));
        (editor, greeting["result"].clone())
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.to.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn next(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(
                self.from.read_line(&mut line).unwrap() > 0,
                "the server went away"
            );
            match line.trim().split_once(": ") {
                Some((_, number)) => length = number.parse().unwrap(),
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// The answer to a request; what comes before it is dropped.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.next();
            if message["id"] == json!(id) && message.get("method").is_none() {
                return message;
            }
        }
    }

    /// The next findings that are told of a text.
    fn findings(&mut self, uri: &str) -> Value {
        loop {
            let message = self.next();
            if message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri {
                return message["params"].clone();
            }
        }
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "rules", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    /// Ends the server as editors do; returns its exit code.
    fn end(mut self) -> Option<i32> {
        assert_eq!(self.ask("shutdown", Value::Null)["result"], Value::Null);
        self.tell("exit", Value::Null);
        self.server.wait().unwrap().code()
    }
}

fn range(line: u32, from: u32, to: u32) -> Value {
    json!({
        "start": { "line": line, "character": from },
        "end": { "line": line, "character": to },
    })
}

/// A copy of the demo game, and the URI of a file in it.
fn game() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    copy(&from, folder.path());
    let root = folder.path().canonicalize().unwrap();
    (folder, move |name: &str| {
        format!("file://{}/{name}", root.display())
    })
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target: PathBuf = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

const FOP: &str = "[303cf61c-ae05-4ab3-a8b1-ba4db2fc22ec]\n";

/// Findings come as one types, count in the units that were agreed, and go with the mistake; the file on the disk
/// is not touched.
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
        json!({ "textDocument": { "uri": uri }, "range": range(1, 22, 22), "context": { "diagnostics": [] } }),
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

/// A card that leaves `set.xml` in the editor is missed in decks, whose files nobody opened; closing without saving
/// brings it back.
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
