//! Laws of the server: whatever is typed, it says what a fresh server would say, and nothing that comes ends
//! it.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::BTreeMap;

use cw_lsp::{GameFolders, LanguageServer, LineTable, PositionEncoding, ServerMessage};
use cw_octgn::{MemoryFiles, PackageFiles};
use proptest::prelude::*;
use serde_json::{Value, json};

/// One game at `/game`.
struct OneGame;

const ID: &str = "11111111-1111-4111-8111-111111111111";

fn files() -> MemoryFiles {
    let definition = "<game id=\"22222222-2222-4222-8222-222222222222\" name=\"Law\" version=\"1.0.0.0\">\
        <card back=\"b.png\" front=\"f.png\" width=\"63\" height=\"88\">\
        <property name=\"Type\" type=\"String\"/></card></game>";
    let set = format!(
        "<set id=\"33333333-3333-4333-8333-333333333333\" name=\"One\" \
         gameId=\"22222222-2222-4222-8222-222222222222\" version=\"1.0.0.0\"><cards>\
         <card id=\"{ID}\" name=\"Fop\"><property name=\"Type\" value=\"Character\"/></card></cards></set>"
    );
    MemoryFiles::new()
        .with("definition.xml", definition)
        .with("Sets/One/set.xml", set)
        .with("Rules/a.rules", format!("[{ID}]\naction = draw(1)\n"))
        .with("Rules/game.toml", "")
}

impl GameFolders for OneGame {
    fn above(&self, path: &str) -> Option<String> {
        path.starts_with("/game/").then(|| "/game".to_owned())
    }

    fn open(&self, _: &str) -> Box<dyn PackageFiles + Send> {
        Box::new(files())
    }
}

fn server(encoding: &str) -> LanguageServer {
    let mut server = LanguageServer::new(Box::new(OneGame), "0");
    server.initialize(&json!({ "capabilities": { "general": { "positionEncodings": [encoding] } } }));
    server
}

fn open(server: &mut LanguageServer, uri: &str, text: &str) {
    let document = json!({ "uri": uri, "version": 1, "text": text });
    server
        .notify("textDocument/didOpen", json!({ "textDocument": document }))
        .unwrap();
}

/// Findings as the client has them; empty lists and versions left out.
fn take(server: &mut LanguageServer, shown: &mut BTreeMap<String, Value>) {
    for message in server.messages() {
        let ServerMessage::Notification { method, params } = message else {
            continue;
        };
        if method == "window/showMessage" {
            continue;
        }
        assert_eq!(method, "textDocument/publishDiagnostics");
        let uri = params["uri"].as_str().unwrap().to_owned();
        match params["diagnostics"] == json!([]) {
            true => drop(shown.remove(&uri)),
            false => drop(shown.insert(uri, params["diagnostics"].clone())),
        }
    }
}

const NAMES: [&str; 5] = [
    "Rules/a.rules",
    "Sets/One/set.xml",
    "definition.xml",
    "Rules/game.toml",
    "Tests/x.toml",
];

const METHODS: [&str; 18] = [
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/foldingRange",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "workspace/executeCommand",
    "textDocument/rename",
    "textDocument/prepareRename",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentSymbol",
    "textDocument/hover",
    "textDocument/codeAction",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "workspace/textDocumentContent",
];

fn typed() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "action = ",
        "draw(1)",
        "drow(",
        "~my",
        "[[if ",
        "@myRing",
        "\n",
        "\r",
        "\r\n",
        "😀",
        "漢",
        "\u{feff}",
        "<card ",
        "\"",
        "[[scenario]]\nname = 'x'\n",
        "</",
        ">",
        "[",
        "]",
        ID,
        "name",
        "",
        "\0",
    ]);
    prop::collection::vec(words, 0..5).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// After any edits the server has the editor's text, tells what a fresh one would tell, and answers every
    /// request.
    #[test]
    fn edits_end_where_a_fresh_server_begins(
        is_utf16: bool,
        edits in prop::collection::vec(
            (0..NAMES.len(), 0u32..6, 0u32..60, 0u32..6, 0u32..60, typed()),
            1..12,
        ),
    ) {
        let encoding = if is_utf16 { PositionEncoding::Utf16 } else { PositionEncoding::Utf8 };
        let mut old = server(encoding.word());
        let mut shown = BTreeMap::new();
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for (version, (file, line, column, end_line, end_column, by)) in edits.into_iter().enumerate() {
            let uri = format!("file:///game/{}", NAMES[file]);
            if !texts.contains_key(&uri) {
                let text = files().read(NAMES[file], 1 << 20).unwrap_or_default();
                let text = String::from_utf8(text).unwrap();
                open(&mut old, &uri, &text);
                texts.insert(uri.clone(), text);
            }
            let range = json!({
                "start": { "line": line, "character": column },
                "end": { "line": end_line, "character": end_column },
            });
            let text = texts.get_mut(&uri).unwrap();
            let span = LineTable::new(text).span(
                text,
                serde_json::from_value(range.clone()).unwrap(),
                encoding,
            );
            text.replace_range(span, &by);
            let document = json!({ "uri": uri, "version": version + 2 });
            let changes = json!([{ "range": range, "text": by }]);
            old.notify(
                "textDocument/didChange",
                json!({ "textDocument": document, "contentChanges": changes }),
            )
            .unwrap();
            for method in METHODS {
                let place = json!({ "line": line, "character": column });
                let asked = json!({ "textDocument": { "uri": uri }, "position": place, "range": range,
                    "context": { "diagnostics": [] }, "uri": uri, "newName": by });
                let _ = old.request(method, asked);
            }
            take(&mut old, &mut shown);
        }
        let mut fresh = server(encoding.word());
        for (uri, text) in &texts {
            open(&mut fresh, uri, text);
        }
        let mut expected = BTreeMap::new();
        take(&mut fresh, &mut expected);
        prop_assert_eq!(shown, expected);
    }

    /// Parameters of any shape are refused or taken, and never end the server.
    #[test]
    fn any_parameters_are_answered(method in 0..METHODS.len(), text in "\\PC{0,12}", number: i64) {
        let mut server = server("utf-16");
        let uri = "file:///game/Rules/a.rules";
        open(&mut server, uri, &text);
        let place = json!({ "line": number, "character": number });
        for asked in [
            json!(null),
            json!([]),
            json!(text),
            json!({ "textDocument": { "uri": text } }),
            json!({ "textDocument": { "uri": uri }, "position": place }),
            json!({ "uri": text }),
            json!({ "command": text, "arguments": [{ "uri": uri }] }),
            json!({ "command": "cardwright.runScenarios", "arguments": [{ "uri": uri, "card": ID }] }),
            json!({
                "command": "cardwright.runScenarios",
                "arguments": [{ "uri": uri, "scenario": number.unsigned_abs() }],
            }),
            json!({ "command": "cardwright.playCard", "arguments": [{ "uri": uri, "card": text }] }),
            json!({ "command": "cardwright.showBalance", "arguments": [{ "uri": uri, "card": ID }, text] }),
            json!({ "uri": format!("cardwright:/explain/{text}.md") }),
        ] {
            let _ = server.request(METHODS[method], asked.clone());
            let told = ["didChange", "didClose", "didOpen", "didSave"];
            for told in told {
                let _ = server.notify(&format!("textDocument/{told}"), asked.clone());
            }
            server.messages();
        }
    }
}
