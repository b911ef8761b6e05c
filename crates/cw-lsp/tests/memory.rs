//! What the server holds of a large package, beside what reading the package takes, in one run.
//!
//! `CARDWRIGHT_CARDS=80000 cargo test --release -p cw-lsp --test memory -- --nocapture` measures a package of
//! that many cards; the other tests run it on a small one.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::sync::Arc;

use cw_load::Project;
use cw_lsp::{GameFolders, LanguageServer, ServerMessage};
use cw_octgn::{FilesError, MemoryFiles, PackageFiles};
use serde_json::{Value, json};

#[path = "../../cw-octgn/benches/maker/mod.rs"]
#[allow(dead_code, reason = "the parse without meaning is for benchmarks")]
mod maker;

/// Bytes of a card and of its share of decks.
const CARD: usize = 898;
/// Cards where nobody asks for more.
const FEW: usize = 4000;

/// One package, whose files are nobody's memory.
#[derive(Clone, Debug)]
struct Shared(Arc<MemoryFiles>);

impl PackageFiles for Shared {
    fn list(&self) -> Result<Vec<String>, FilesError> {
        self.0.list()
    }

    fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, FilesError> {
        self.0.read(name, limit)
    }
}

impl GameFolders for Shared {
    fn above(&self, path: &str) -> Option<String> {
        path.starts_with("/game/").then(|| "/game".to_owned())
    }

    fn open(&self, _: &str) -> Box<dyn PackageFiles + Send> {
        Box::new(self.clone())
    }
}

/// An open package takes at most half as much again as one that was read and checked, also while somebody
/// edits a set in it, and no more after a hundred edits than after the first.
#[test]
fn an_open_package_takes_little_more_than_one_that_was_read() {
    let cards = std::env::var("CARDWRIGHT_CARDS")
        .ok()
        .and_then(|cards| cards.parse().ok());
    let cards = cards.unwrap_or(FEW);
    let files = Shared(Arc::new(maker::generated(
        1 + cards / 255,
        cards * CARD,
        1 + cards / 4000,
    )));
    let names = files.list().unwrap();
    let set = names.iter().find(|name| name.ends_with("set.xml")).unwrap();
    let text = String::from_utf8(files.read(set, u64::MAX).unwrap()).unwrap();
    // Only what this thread allocates is counted.
    let here = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();

    let mut all = 0;
    let mut read = None;
    let by_reading = here.install(|| {
        allocation_counter::measure(|| {
            let project = Project::read(files.clone()).unwrap();
            let found = project.findings();
            all = project.package.cards().count();
            read = Some((project, found));
        })
    });
    drop(read);

    let uri = format!("file:///game/{set}");
    let most_edits = if cards == FEW { 100 } else { 20 };
    let mut told = 0;
    let (begun, edits) = here.install(|| {
        let mut server = LanguageServer::new(Box::new(files.clone()), "0");
        server.initialize(&json!({ "capabilities": {} }));
        let begun = allocation_counter::measure(|| {
            let document = json!({ "uri": uri, "version": 1, "text": text });
            server
                .notify("textDocument/didOpen", json!({ "textDocument": document }))
                .unwrap();
            told += server.messages().len();
            edit(&mut server, &uri, 1);
        });
        let edits = allocation_counter::measure(|| {
            for version in 2..=most_edits {
                edit(&mut server, &uri, version);
            }
        });
        (begun, edits)
    });
    assert!(told > 0, "findings are told");
    let mb = |bytes: u64| bytes / 1_000_000;
    let ratio = |bytes: u64, of: u64| bytes as f64 / of as f64;
    println!(
        "{all} cards: read {} MB, at most {} MB; open {} MB, at most {} MB ({:.2} of the read one); \
         edits add {} bytes, at most {} MB",
        mb(counted(by_reading.bytes_current)),
        mb(by_reading.bytes_max),
        mb(counted(begun.bytes_current)),
        mb(begun.bytes_max),
        ratio(begun.bytes_max, by_reading.bytes_max),
        edits.bytes_current,
        mb(edits.bytes_max),
    );
    let most = by_reading.bytes_max + by_reading.bytes_max / 2;
    assert!(begun.bytes_max <= most, "at most while it was opened");
    let held = counted(begun.bytes_current);
    assert!(
        held <= most && held + edits.bytes_max <= most,
        "at most while it is edited"
    );
    assert!(
        edits.bytes_current <= i64::try_from(held / 50).unwrap(),
        "edits leave nothing behind"
    );
}

fn counted(bytes: i64) -> u64 {
    u64::try_from(bytes).unwrap_or_default()
}

/// Types a letter into a card's name, and asks what an editor asks then.
fn edit(server: &mut LanguageServer, uri: &str, version: i64) {
    let start = json!({ "line": 3, "character": 70 });
    let (end, by) = match version % 2 {
        1 => (start.clone(), "x"),
        _ => (json!({ "line": 3, "character": 71 }), ""),
    };
    let document = json!({ "uri": uri, "version": version + 1 });
    let changes = json!([{ "range": { "start": start, "end": end }, "text": by }]);
    let told = json!({ "textDocument": document, "contentChanges": changes });
    server.notify("textDocument/didChange", told).unwrap();
    let asked = json!({ "textDocument": { "uri": uri }, "position": start, "context": {} });
    for method in [
        "textDocument/hover",
        "textDocument/codeLens",
        "textDocument/foldingRange",
    ] {
        let answer: Value = server.request(method, asked.clone()).unwrap();
        drop(answer);
    }
    let told = |message: &ServerMessage| matches!(message, ServerMessage::Notification { .. });
    assert!(server.messages().iter().all(told));
}
