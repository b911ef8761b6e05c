//! An editor that speaks with the real program on its standard input and output.
#![allow(dead_code, reason = "not each of the tests that have this uses all of it")]
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
pub(crate) struct Editor {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    asked: i64,
}

impl Editor {
    /// Starts the server and greets it; `encodings` are those of the editor.
    pub(crate) fn new(encodings: &[&str]) -> (Editor, Value) {
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
        let abilities = json!({
            "general": { "positionEncodings": encodings },
            "window": { "showDocument": { "support": true } },
            "workspace": { "codeLens": { "refreshSupport": true } },
        });
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

    pub(crate) fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    pub(crate) fn next(&mut self) -> Value {
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
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
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

    /// What the next message with this method says; what comes before it is dropped.
    pub(crate) fn told(&mut self, method: &str) -> Value {
        loop {
            let message = self.next();
            if message["method"] == method {
                return message["params"].clone();
            }
        }
    }

    /// The next findings that are told of a text.
    pub(crate) fn findings(&mut self, uri: &str) -> Value {
        loop {
            let told = self.told("textDocument/publishDiagnostics");
            if told["uri"] == uri {
                return told;
            }
        }
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "rules", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(crate) fn change(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    /// Ends the server as editors do; returns its exit code.
    pub(crate) fn end(mut self) -> Option<i32> {
        assert_eq!(self.ask("shutdown", Value::Null)["result"], Value::Null);
        self.tell("exit", Value::Null);
        self.server.wait().unwrap().code()
    }
}

pub(crate) fn range(line: u32, from: u32, to: u32) -> Value {
    json!({
        "start": { "line": line, "character": from },
        "end": { "line": line, "character": to },
    })
}

/// A copy of the demo game without its scenarios, and the URI of a file in it.
pub(crate) fn game() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    copy(&from, folder.path());
    let root = folder.path().canonicalize().unwrap();
    (folder, move |name: &str| {
        format!("file://{}/{name}", root.display())
    })
}

pub(crate) fn copy(from: &Path, to: &Path) {
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

pub(crate) const FOP: &str = "[303cf61c-ae05-4ab3-a8b1-ba4db2fc22ec]\n";
