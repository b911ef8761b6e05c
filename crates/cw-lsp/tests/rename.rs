//! A card's new name through the whole demo game.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use cw_lsp::{GameFolders, LanguageServer, LineTable, PositionEncoding, RequestError, ServerMessage};
use cw_octgn::{Folder, MemoryFiles, PackageFiles};
use serde_json::{Value, json};

type Texts = BTreeMap<String, String>;

struct OneGame(Arc<Texts>);

impl GameFolders for OneGame {
    fn above(&self, path: &str) -> Option<String> {
        path.starts_with("/game/").then(|| "/game".to_owned())
    }

    fn open(&self, _: &str) -> Box<dyn PackageFiles + Send> {
        let files = self.0.iter();
        Box::new(files.fold(MemoryFiles::new(), |files, (name, text)| {
            files.with(name.clone(), text.clone())
        }))
    }
}

/// The demo game, with its scenarios in its folder.
fn saltmarsh() -> Texts {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut texts = Texts::new();
    for (folder, below) in [("saltmarsh", ""), ("saltmarsh-tests", "Tests/")] {
        let files = Folder::new(games.join(folder));
        for name in files.list().unwrap() {
            if let Ok(text) = String::from_utf8(files.read(&name, 1 << 24).unwrap()) {
                texts.insert(format!("{below}{name}"), text);
            }
        }
    }
    texts
}

fn server(texts: &Texts) -> LanguageServer {
    let mut server = LanguageServer::new(Box::new(OneGame(Arc::new(texts.clone()))), "0");
    server.initialize(&json!({ "capabilities": {} }));
    let document =
        json!({ "uri": "file:///game/definition.xml", "version": 1, "text": texts["definition.xml"] });
    server
        .notify("textDocument/didOpen", json!({ "textDocument": document }))
        .unwrap();
    server
}

/// The codes that are found in each file.
fn found(texts: &Texts) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for message in server(texts).messages() {
        if let ServerMessage::Notification { params, .. } = message
            && let Some(list) = params["diagnostics"].as_array().filter(|list| !list.is_empty())
        {
            let codes = list
                .iter()
                .map(|one| one["code"].as_str().unwrap_or_default().to_owned());
            all.insert(params["uri"].as_str().unwrap().to_owned(), codes.collect());
        }
    }
    all
}

fn set(texts: &Texts) -> String {
    texts
        .keys()
        .find(|name| name.ends_with("set.xml"))
        .unwrap()
        .clone()
}

/// Renames the card whose name stands in the set like this.
fn rename(texts: &Texts, from: &str, to: &str) -> Result<Texts, RequestError> {
    let mut server = server(texts);
    let name = set(texts);
    let text = &texts[&name];
    let document = json!({ "uri": format!("file:///game/{name}"), "version": 1, "text": text });
    server
        .notify("textDocument/didOpen", json!({ "textDocument": document }))
        .unwrap();
    let at = text.find(&format!("name=\"{from}\">")).unwrap() + "name=\"".len();
    let place = LineTable::new(text).position(text, at, PositionEncoding::Utf16);
    let about = json!({
        "textDocument": { "uri": format!("file:///game/{name}") },
        "position": place,
        "newName": to,
    });
    let offered = server
        .request("textDocument/prepareRename", about.clone())
        .unwrap();
    assert_eq!(offered["placeholder"], from);
    let edits = server.request("textDocument/rename", about)?;
    let mut after = texts.clone();
    for (uri, list) in edits["changes"].as_object().unwrap() {
        let name = uri.strip_prefix("file:///game/").unwrap().replace("%20", " ");
        let text = after.get_mut(&name).unwrap();
        let lines = LineTable::new(text);
        let before = text.clone();
        let mut spans: Vec<(std::ops::Range<usize>, &Value)> = list
            .as_array()
            .unwrap()
            .iter()
            .map(|edit| {
                let range = serde_json::from_value(edit["range"].clone()).unwrap();
                (
                    lines.span(&before, range, PositionEncoding::Utf16),
                    &edit["newText"],
                )
            })
            .collect();
        spans.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        for (span, new) in spans {
            assert_eq!(text[span.clone()].to_lowercase(), from.to_lowercase(), "{name}");
            text.replace_range(span, new.as_str().unwrap());
        }
    }
    Ok(after)
}

/// Every card's name can be another: the same is found as before, no quoted name is left, and the way back
/// leads to the same bytes.
#[test]
fn a_new_name_goes_through_the_whole_game() {
    let texts = saltmarsh();
    let before = found(&texts);
    let cards = names_of_cards(&texts[&set(&texts)]);
    assert!(cards.len() > 60, "{}", cards.len());
    for (number, card) in cards.iter().enumerate().step_by(5) {
        let new = format!("Zyx{number}");
        let after = rename(&texts, card, &new).unwrap();
        assert_ne!(after, texts);
        assert_eq!(found(&after), before, "{card}");
        for (name, text) in &after {
            for quoted in [format!("\"{card}\""), format!(">{card}<")] {
                assert!(!text.contains(&quoted), "{card} in {name}");
            }
        }
        assert_eq!(rename(&after, &new, card).unwrap(), texts, "{card}");
        // A key of TOML that needs quotes gets them.
        let spaced = rename(&texts, card, "Zyx the first").unwrap();
        assert_eq!(found(&spaced), before, "{card}");
    }
}

/// The names that the set gives its cards.
fn names_of_cards(set: &str) -> Vec<String> {
    let lines = set.lines().filter(|line| line.trim_start().starts_with("<card "));
    let name = |line: &str| {
        let (_, rest) = line.split_once("name=\"")?;
        Some(rest.split('"').next()?.to_owned())
    };
    lines
        .filter_map(name)
        .filter(|name| !name.contains('&'))
        .collect()
}

/// A name that another card has, that nothing could be written as, or none at all is refused in words.
#[test]
fn what_cannot_be_a_name_is_refused() {
    let texts = saltmarsh();
    for (name, words) in [
        ("Auntie Rye", "there is a card called “Auntie Rye” already"),
        ("auntie rye", "there is a card called “Auntie Rye” already"),
        ("  ", "a card's name has 1 to 200 characters"),
        ("Crumb \"the\" Cake", "a name with '\"' cannot be named"),
        ("Crumb\nCake", "a name with '\\n' cannot be named"),
    ] {
        let refused = rename(&texts, "Crumb", name).unwrap_err().to_string();
        assert!(refused.starts_with(words), "{refused}");
    }
    // Its own name in other letters is another way to write it.
    assert!(rename(&texts, "Crumb", "CRUMB").is_ok());
}
