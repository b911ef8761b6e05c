//! What an editor shows within a text and above its lines, and what a click there does.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

#[path = "support/editor.rs"]
mod editor;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

use editor::{Editor, FOP, copy, range};
use serde_json::{Value, json};

/// A game in a folder with its scenarios beside it, and an editor in it.
struct Desk {
    _folder: tempfile::TempDir,
    root: String,
    editor: Editor,
}

const RULES: &str = "Rules/core.rules";
const SET: &str = "Sets/48bbf5e7-da58-470c-b58b-b642cac888f3/set.xml";

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
        copy(&games.join("saltmarsh"), &folder.path().join("game"));
        let tests = folder.path().join("game-tests");
        fs::create_dir(&tests).unwrap();
        fs::copy(
            games.join("saltmarsh-tests/bakers.toml"),
            tests.join("bakers.toml"),
        )
        .unwrap();
        let root = folder.path().canonicalize().unwrap().display().to_string();
        let (editor, _) = Editor::new(&["utf-16"]);
        Desk {
            _folder: folder,
            root,
            editor,
        }
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}/{name}", self.root)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(format!("{}/{name}", self.root)).unwrap()
    }

    /// Opens a file as it is on the disk; returns its URI.
    fn open(&mut self, name: &str) -> String {
        let (uri, text) = (self.uri(name), self.text(name));
        self.editor.open(&uri, &text);
        uri
    }

    fn ask(&mut self, method: &str, uri: &str) -> Value {
        let answer = self.editor.ask(method, json!({ "textDocument": { "uri": uri } }));
        assert_eq!(answer["error"], Value::Null, "{answer}");
        answer["result"].clone()
    }

    /// The commands of the lenses in a line, with their titles.
    fn lenses(&mut self, uri: &str, line: usize) -> Vec<Value> {
        let all = self.ask("textDocument/codeLens", uri);
        let here = all.as_array().unwrap().iter();
        let here = here.filter(|lens| lens["range"]["start"]["line"] == line);
        here.map(|lens| lens["command"].clone()).collect()
    }

    /// Clicks on a lens.
    fn click(&mut self, lens: &Value) -> Value {
        let asked = json!({ "command": lens["command"], "arguments": lens["arguments"] });
        self.editor.ask("workspace/executeCommand", asked)
    }
}

/// The line of a text that holds these words.
fn line_of(text: &str, words: &str) -> usize {
    text.lines().position(|line| line.contains(words)).unwrap()
}

const STARTER: &str = "[303cf61c-ae05-4ab3-a8b1-ba4db2fc22ec]";

/// A card's scenarios run by a click, those that lie beside the game included; the lens says what came of
/// them. After a change of the rule they run again, and what fails is told at its step until it is right
/// again.
#[test]
fn scenarios_run_by_a_click_and_fail_at_their_place() {
    let mut desk = Desk::new();
    let rules = desk.open(&format!("game/{RULES}"));
    let text = desk.text(&format!("game/{RULES}"));
    let line = line_of(&text, STARTER);
    let lens = desk.lenses(&rules, line)[0].clone();
    assert_eq!(lens["title"], "run its scenarios");
    let answer = desk.click(&lens);
    assert_eq!(answer["result"]["passed"], true, "{answer}");
    let told = desk.editor.told("window/showMessage");
    assert!(
        told["message"].as_str().unwrap().ends_with("scenarios passed"),
        "{told}"
    );
    desk.editor.told("workspace/codeLens/refresh");
    let title = desk.lenses(&rules, line)[0]["title"].as_str().unwrap().to_owned();
    assert!(title.starts_with("✓ "), "{title}");

    // The rule no longer grows by 200: nobody has to click again.
    let old = "bp(+200); [[if this.bp >= 700]]";
    let at = u32::try_from(line_of(&text, old)).unwrap();
    let column = u32::try_from(text.lines().nth(at as usize).unwrap().find(old).unwrap()).unwrap();
    let change = |new: &str| json!([{ "range": range(at, column + 4, column + 7), "text": new }]);
    desk.editor.change(&rules, 2, change("100"));
    let title = desk.lenses(&rules, line)[0]["title"].as_str().unwrap().to_owned();
    assert!(title.starts_with("✗ "), "{title}");
    let scenarios = desk.uri("game-tests/bakers.toml");
    let found = desk.editor.findings(&scenarios);
    let first = &found["diagnostics"][0];
    assert_eq!(first["source"], "cardwright test");
    let failed = first["message"].as_str().unwrap();
    assert!(
        failed.contains("Sourdough Starter rises") && failed.contains("expected 300, but it is 200"),
        "{failed}"
    );
    let expected = line_of(
        &desk.text("game-tests/bakers.toml"),
        "expect.me.ring = [\"Sourdough Starter 300\"]",
    );
    assert_eq!(first["range"]["start"]["line"], expected, "{found}");

    desk.editor.change(&rules, 3, change("200"));
    assert!(
        desk.lenses(&rules, line)[0]["title"]
            .as_str()
            .unwrap()
            .starts_with("✓ ")
    );
    assert_eq!(desk.editor.findings(&scenarios)["diagnostics"], json!([]));
    assert_eq!(desk.editor.end(), Some(0));
}

/// Each scenario of a file runs by a click above it; the file need not be saved.
#[test]
fn a_scenario_runs_by_a_click_above_it() {
    let mut desk = Desk::new();
    let uri = desk.open("game-tests/bakers.toml");
    let text = desk.text("game-tests/bakers.toml");
    let line = line_of(&text, "[[scenario]]");
    let lens = desk.lenses(&uri, line)[0].clone();
    assert_eq!(lens["title"], "run this scenario");
    let answer = desk.click(&lens);
    assert_eq!(answer["result"]["message"], "The scenario passed");
    assert_eq!(desk.lenses(&uri, line)[0]["title"], "✓ passed");
    let changed = text.replacen("Sourdough Starter 300", "Sourdough Starter 400", 1);
    desk.editor.change(&uri, 2, json!([{ "text": changed }]));
    let lens = desk.lenses(&uri, line)[0].clone();
    assert!(lens["title"].as_str().unwrap().starts_with("✗ failed"), "{lens}");
    // The text may have been told of before the lenses were asked for.
    let found = loop {
        let found = desk.editor.findings(&uri)["diagnostics"].clone();
        if found != json!([]) {
            break found;
        }
    };
    assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
    let answer = desk.click(&lens);
    let words = answer["result"]["message"].as_str().unwrap();
    assert!(words.contains("expected") && words.contains("400"), "{words}");
    assert_eq!(desk.editor.end(), Some(0));
}

/// A table opens with the card in hand and with the text that is not saved; a second click opens another at
/// the same host. What cannot be played is refused in words.
#[test]
fn a_card_is_played_by_a_click() {
    let mut desk = Desk::new();
    let rules = desk.open(&format!("game/{RULES}"));
    let text = desk.text(&format!("game/{RULES}"));
    let line = line_of(&text, "[b75cec62-fdd3-47e4-aacd-cdb16b881966]");
    let set = desk.uri(&format!("game/{SET}"));
    let unsaved = desk
        .text(&format!("game/{SET}"))
        .replace("\"Brioche Bruno\"", "\"Brioche Brunhild\"");
    desk.editor.open(&set, &unsaved);
    let lens = desk.lenses(&rules, line)[1].clone();
    assert_eq!(lens["title"], "play with this card in hand");
    let address = desk.click(&lens)["result"]["address"]
        .as_str()
        .unwrap()
        .to_owned();
    let shown = desk.editor.told("window/showDocument");
    assert_eq!(
        (&shown["uri"], &shown["external"]),
        (&json!(address), &json!(true))
    );
    let page = page(&address);
    assert!(page.contains("Brioche Brunhild"), "{page}");

    let again = desk.click(&lens)["result"]["address"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_ne!(again, address);
    let host = |address: &str| address.split('/').nth(2).unwrap().to_owned();
    assert_eq!(host(&again), host(&address));
    // The same card above its printed form.
    let printed = line_of(&unsaved, "name=\"Brioche Brunhild\"");
    assert_eq!(
        desk.lenses(&set, printed)[1]["title"],
        "play with this card in hand"
    );

    let mut gone = lens.clone();
    gone["arguments"][0]["card"] = json!("00000000-0000-0000-0000-00000000abcd");
    let refused = desk.click(&gone)["error"]["message"].as_str().unwrap().to_owned();
    assert!(refused.contains("no card"), "{refused}");
    assert_eq!(desk.editor.end(), Some(0));
}

/// The page at an address, after what a browser is sent on to, with the cookies that it gets on the way.
fn page(address: &str) -> String {
    let rest = address.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let mut path = format!("/{path}");
    let mut cookies: Vec<String> = Vec::new();
    for _ in 0..5 {
        let mut stream = TcpStream::connect(host).unwrap();
        let cookie = cookies.join("; ");
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let answer = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let header = |name: &str| {
            let lines = head.lines().filter_map(|line| line.split_once(": "));
            lines
                .filter(|(known, _)| known.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.to_owned())
                .collect::<Vec<String>>()
        };
        let given = header("set-cookie");
        cookies.extend(
            given
                .iter()
                .filter_map(|one| Some(one.split(';').next()?.to_owned())),
        );
        match header("location").first() {
            Some(next) => path.clone_from(next),
            None => return body.to_owned(),
        }
    }
    panic!("{address} leads in a circle");
}

/// A card's place in the balance report stands above it where there is a report, and goes with it.
#[test]
fn the_balance_report_is_told_above_a_card() {
    let mut desk = Desk::new();
    let rules = desk.open(&format!("game/{RULES}"));
    let line = line_of(&desk.text(&format!("game/{RULES}")), STARTER);
    assert_eq!(desk.lenses(&rules, line).len(), 2);
    let figure = |id: &str, value: f64| json!({ "id": id, "in_hand": { "value": value, "n": 900 } });
    let starter = STARTER.trim_matches(['[', ']']);
    let report = json!({ "cards": [
        figure("b75cec62-fdd3-47e4-aacd-cdb16b881966", 0.6), figure(starter, 0.55),
    ] });
    let path = format!("{}/game/Rules/balance.json", desk.root);
    fs::write(&path, report.to_string()).unwrap();
    let uri = desk.uri("game/Rules/balance.json");
    let changed = json!({ "changes": [{ "uri": uri, "type": 1 }] });
    desk.editor
        .tell("workspace/didChangeWatchedFiles", changed.clone());
    let lens = desk.lenses(&rules, line)[2].clone();
    assert_eq!(lens["title"], "2 of 2 in the balance report (54.5 %)");
    let words = desk.click(&lens)["result"]["message"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        words.starts_with("Sourdough Starter is number 2 of 2 cards"),
        "{words}"
    );
    // A report that cannot be used is no lens, and no end of anything.
    fs::write(&path, "{").unwrap();
    desk.editor.tell("workspace/didChangeWatchedFiles", changed);
    assert_eq!(desk.lenses(&rules, line).len(), 2);
    let refused = desk.click(&lens)["error"]["message"].as_str().unwrap().to_owned();
    assert!(refused.contains("balance.json cannot be used"), "{refused}");
    assert_eq!(desk.editor.end(), Some(0));
}

/// Colours, folds and hints of rules; columns count in the units that were agreed.
#[test]
fn rules_have_colours_folds_and_hints() {
    let mut desk = Desk::new();
    let uri = desk.uri(&format!("game/{RULES}"));
    let text = format!(
        "# a 😀 b\n{FOP}action = bp(+100) to(character@myRing); draw(1)\n\
         auto = ~myActivatePhase~ transform(\"303cf61c-ae05-4ab3-a8b1-ba4db2fc22ec\"); bp(+100)\n"
    );
    desk.editor.open(&uri, &text);
    let tokens = desk.ask("textDocument/semanticTokens/full", &uri);
    let numbers: Vec<u64> = tokens["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_u64().unwrap())
        .collect();
    // A comment of eight units, then the id in five parts.
    assert_eq!(numbers[..10], [0, 0, 8, 11, 0, 1, 1, 8, 0, 0]);
    let part = desk.editor.ask(
        "textDocument/semanticTokens/range",
        json!({ "textDocument": { "uri": uri }, "range": range(2, 0, 6) }),
    );
    assert_eq!(part["result"]["data"], json!([2, 0, 6, 1, 0]));

    let folds = desk.ask("textDocument/foldingRange", &uri);
    assert_eq!(folds, json!([{ "startLine": 1, "endLine": 3, "kind": "region" }]));
    let hints = desk.editor.ask(
        "textDocument/inlayHint",
        json!({ "textDocument": { "uri": uri }, "range": { "start": { "line": 0, "character": 0 },
            "end": { "line": 9, "character": 0 } } }),
    );
    let labels: Vec<&str> = hints["result"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hint| hint["label"].as_str().unwrap())
        .collect();
    assert_eq!(
        labels,
        [
            "Sourdough Starter",
            "Sourdough Starter",
            "→ this card",
            "→ this card"
        ]
    );
    assert_eq!(desk.editor.end(), Some(0));
}
