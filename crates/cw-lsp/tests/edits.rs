//! The campaign over edits: whatever is typed, saved, closed or changed by other hands, the server says what
//! a fresh one says that reads everything, and answers like it. Edits come in bursts, as quick typing does,
//! of which the server is asked when no more waits: one edit to many, eight in the mean. Every burst is
//! compared.
//!
//! A slice of it runs with the other tests.
//! `CARDWRIGHT_KEYS=1000000 cargo test --release -p cw-lsp --test edits` runs the whole; `CARDWRIGHT_SEED`
//! begins elsewhere, to find a case again.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use cw_chance::Chance;
use cw_lsp::{GameFolders, LanguageServer, LineTable, PositionEncoding, ServerMessage};
use cw_octgn::{FilesError, MemoryFiles, PackageFiles};
use serde_json::{Value, json};

type Texts = BTreeMap<String, String>;

/// Edits after which a server is left and another begins.
const SESSION: usize = 50;
/// Edits where nobody asks for more.
const SLICE: usize = 800;
/// Edits of a burst in the mean.
const BURST: u32 = 8;
/// A text that has grown longer begins anew.
const LONGEST: usize = 3000;

/// A disk that other programs write to.
#[derive(Clone, Debug)]
struct Disk(Arc<Mutex<Texts>>);

impl PackageFiles for Disk {
    fn list(&self) -> Result<Vec<String>, FilesError> {
        Ok(self.0.lock().unwrap().keys().cloned().collect())
    }

    fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, FilesError> {
        let texts = self.0.lock().unwrap();
        let files = match texts.get(name) {
            Some(text) => MemoryFiles::new().with(name, text.clone()),
            None => MemoryFiles::new(),
        };
        files.read(name, limit)
    }
}

impl GameFolders for Disk {
    fn above(&self, path: &str) -> Option<String> {
        let is_game = self.0.lock().unwrap().contains_key("definition.xml");
        (is_game && path.starts_with("/game/")).then(|| "/game".to_owned())
    }

    fn open(&self, _: &str) -> Box<dyn PackageFiles + Send> {
        Box::new(self.clone())
    }

    fn opens_tables(&self) -> bool {
        true
    }
}

const FOP: &str = "11111111-1111-4111-8111-111111111111";
const GIN: &str = "44444444-4444-4444-8444-444444444444";

fn game() -> Texts {
    let property = |name: &str| format!("<property name=\"{name}\" type=\"String\"/>");
    let definition = format!(
        "<game id=\"22222222-2222-4222-8222-222222222222\" name=\"Law\" version=\"1.0.0.0\">\n\
         <card back=\"b.png\" front=\"f.png\" width=\"63\" height=\"88\">{}{}</card>\n\
         <deck><section name=\"Main\" group=\"Deck\"/></deck>\n</game>",
        property("Type"),
        property("Rules")
    );
    let set = format!(
        "<set id=\"33333333-3333-4333-8333-333333333333\" name=\"One\" \
         gameId=\"22222222-2222-4222-8222-222222222222\" version=\"1.0.0.0\"><cards>\n\
         <card id=\"{FOP}\" name=\"Fop\">\n<property name=\"Type\" value=\"Character\"/></card>\n\
         <card id=\"{GIN}\" name=\"Gin\"><property name=\"Type\" value=\"Action\"/>\
         <property name=\"Rules\" value=\"Draw a card.\"/></card>\n</cards></set>"
    );
    let many: Vec<String> = (0..12)
        .map(|card| format!("66666666-6666-4666-8666-{card:012}"))
        .collect();
    let cards = many.iter().map(|id| {
        format!("<card id=\"{id}\" name=\"Of {id}\"><property name=\"Type\" value=\"Character\"/></card>\n")
    });
    let third = format!(
        "<set id=\"77777777-7777-4777-8777-777777777777\" name=\"Three\" \
         gameId=\"22222222-2222-4222-8222-222222222222\" version=\"1.0.0.0\"><cards>{}</cards></set>",
        cards.collect::<String>()
    );
    let lines = [
        "action = drow(1)\n",
        "auto = ~myActivatePhase~ bp(+100)\n\n",
        "action = [[if me.sp = 3]] draw(1)\n",
    ];
    let many = many.iter().zip(lines.iter().cycle());
    let many: String = many.map(|(id, line)| format!("[{id}]\n{line}")).collect();
    let second = "<set id=\"55555555-5555-4555-8555-555555555555\" name=\"Two\" \
                  gameId=\"22222222-2222-4222-8222-222222222222\" version=\"1.0.0.0\"><cards></cards></set>";
    let deck = format!(
        "<deck game=\"22222222-2222-4222-8222-222222222222\"><section name=\"Main\">\n\
         <card qty=\"3\" id=\"{FOP}\">Fop</card>\n<card qty=\"2\" id=\"{GIN}\">Gin</card></section></deck>"
    );
    let scenario = "[[scenario]]\nname = \"x\"\nme.ring = [\"Fop\"]\nsteps = [\n  \"end turn\",\n]\n";
    let files = [
        ("definition.xml", definition),
        ("Sets/One/set.xml", set),
        ("Sets/Two/set.xml", second.to_owned()),
        ("Sets/Three/set.xml", third),
        ("Rules/many.rules", many),
        ("Decks/Some.o8d", deck),
        (
            "Rules/a.rules",
            format!("# Fop\n[{FOP}]\nauto = ~myActivatePhase~ bp(+100)\n\n[{GIN}]\naction = draw(1)\n"),
        ),
        ("Rules/game.toml", "[cards]\n".to_owned()),
        ("Tests/x.toml", scenario.to_owned()),
    ];
    files
        .into_iter()
        .map(|(name, text)| (name.to_owned(), text))
        .collect()
}

/// What somebody types: words that mean something in one of the files, and pieces that break them.
const PIECES: [&str; 40] = [
    "action = ",
    "draw(1)",
    "drow(",
    "~my",
    "~",
    "[[if this.bp > 3]] ",
    "@myRing",
    "to(character)",
    " & ",
    "; ",
    "\n",
    "\r",
    "\r\n",
    "😀",
    "漢",
    "\u{feff}",
    "<card ",
    "\"",
    "'",
    "[[scenario]]\nname = 'y'\n",
    "</",
    "/>",
    ">",
    "[",
    "]",
    "]]",
    FOP,
    GIN,
    "name",
    "Fop",
    "Gin",
    "\0",
    "<property name=\"Type\" value=\"",
    "</cards>",
    "#",
    "=",
    "<!--",
    "abilities = cantblock\n",
    "expect.me.hp = 3",
    "&amp;",
];

const METHODS: [&str; 17] = [
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
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/foldingRange",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "workspace/textDocumentContent",
];

/// An editor with a server, and what both should agree on.
struct Session {
    chance: Chance,
    disk: Disk,
    encoding: PositionEncoding,
    server: LanguageServer,
    open: Texts,
    shown: BTreeMap<String, Value>,
    version: i64,
}

fn uri(name: &str) -> String {
    format!("file:///game/{name}")
}

fn server(disk: &Disk, encoding: PositionEncoding) -> LanguageServer {
    let mut server = LanguageServer::new(Box::new(disk.clone()), "0");
    server.initialize(&json!({ "capabilities": { "general": { "positionEncodings": [encoding.word()] } } }));
    server
}

fn open(server: &mut LanguageServer, name: &str, text: &str) {
    let document = json!({ "uri": uri(name), "version": 1, "text": text });
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
        if method != "textDocument/publishDiagnostics" {
            continue;
        }
        let uri = params["uri"].as_str().unwrap().to_owned();
        match params["diagnostics"] == json!([]) {
            true => drop(shown.remove(&uri)),
            false => drop(shown.insert(uri, params["diagnostics"].clone())),
        }
    }
}

impl Session {
    fn new(seed: u64) -> Session {
        let mut chance = Chance::seeded(seed);
        let disk = Disk(Arc::new(Mutex::new(game())));
        let encoding = match chance.below(2, &[]) {
            0 => PositionEncoding::Utf8,
            _ => PositionEncoding::Utf16,
        };
        Session {
            server: server(&disk, encoding),
            chance,
            disk,
            encoding,
            open: Texts::new(),
            shown: BTreeMap::new(),
            version: 1,
        }
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.chance.below(bound, &[])
    }

    fn one_of<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.below(u32::try_from(words.len()).unwrap()) as usize]
    }

    /// A file; rules are edited more often than others.
    fn name(&mut self) -> String {
        let names = [
            "Rules/a.rules",
            "Rules/a.rules",
            "Rules/many.rules",
            "Rules/many.rules",
            "Sets/One/set.xml",
            "Sets/One/set.xml",
            "Sets/Two/set.xml",
            "Decks/Some.o8d",
            "Rules/game.toml",
            "Tests/x.toml",
            "definition.xml",
            "Rules/new.rules",
        ];
        self.one_of(&names).to_owned()
    }

    fn typed(&mut self) -> String {
        let many = [0, 1, 1, 1, 2, 4][self.below(6) as usize];
        (0..many).map(|_| self.one_of(&PIECES)).collect()
    }

    fn range(&mut self) -> Value {
        let (line, column) = (self.below(24), self.below(50));
        let (down, right) = match self.below(3) {
            0 => (0, 0),
            1 => (0, self.below(20)),
            _ => (self.below(3), self.below(50)),
        };
        json!({
            "start": { "line": line, "character": column },
            "end": { "line": line + down, "character": column + right },
        })
    }

    fn edit(&mut self) {
        let name = self.name();
        if !self.open.contains_key(&name) {
            let text = self
                .disk
                .0
                .lock()
                .unwrap()
                .get(&name)
                .cloned()
                .unwrap_or_default();
            open(&mut self.server, &name, &text);
            self.open.insert(name.clone(), text);
        }
        match self.below(40) {
            0 => self.close(&name),
            1 => self.save(&name),
            2 => self.written_by_others(),
            _ => self.type_in(&name),
        }
    }

    fn type_in(&mut self, name: &str) {
        self.version += 1;
        let mut changes = Vec::new();
        let mut text = self.open[name].clone();
        for _ in 0..=self.below(8) / 6 {
            if text.len() > LONGEST || self.below(30) == 0 {
                text = game().get(name).cloned().unwrap_or_default();
                changes.push(json!({ "text": text }));
                continue;
            }
            let (range, by) = (self.range(), self.typed());
            let place = serde_json::from_value(range.clone()).unwrap();
            let span = LineTable::new(&text).span(&text, place, self.encoding);
            text.replace_range(span, &by);
            changes.push(json!({ "range": range, "text": by }));
        }
        self.open.insert(name.to_owned(), text);
        let document = json!({ "uri": uri(name), "version": self.version });
        let told = json!({ "textDocument": document, "contentChanges": changes });
        self.server.notify("textDocument/didChange", told).unwrap();
    }

    /// What was not saved is gone.
    fn close(&mut self, name: &str) {
        self.open.remove(name);
        let told = json!({ "textDocument": { "uri": uri(name) } });
        self.server.notify("textDocument/didClose", told).unwrap();
    }

    fn save(&mut self, name: &str) {
        let text = self.open[name].clone();
        self.disk.0.lock().unwrap().insert(name.to_owned(), text);
        let told = json!({ "textDocument": { "uri": uri(name) } });
        self.server.notify("textDocument/didSave", told).unwrap();
    }

    fn written_by_others(&mut self) {
        let name = self.name();
        let text = self.typed() + &game().get(&name).cloned().unwrap_or_default();
        let kind = match self.below(4) {
            0 if name != "definition.xml" => {
                self.disk.0.lock().unwrap().remove(&name);
                3
            }
            _ => {
                self.disk.0.lock().unwrap().insert(name.clone(), text);
                2
            }
        };
        let told = json!({ "changes": [{ "uri": uri(&name), "type": kind }] });
        self.server
            .notify("workspace/didChangeWatchedFiles", told)
            .unwrap();
    }

    /// The server says what a fresh one says, and answers a question like it.
    fn compare(&mut self) {
        let mut fresh = server(&self.disk, self.encoding);
        for (name, text) in &self.open {
            open(&mut fresh, name, text);
        }
        take(&mut self.server, &mut self.shown);
        let mut expected = BTreeMap::new();
        take(&mut fresh, &mut expected);
        // A game in which nothing is open is not looked at.
        if !self.open.is_empty() {
            assert_eq!(self.shown, expected);
        }
        let (name, method) = (self.name(), self.one_of(&METHODS));
        let range = self.range();
        let asked = json!({
            "textDocument": { "uri": uri(&name) }, "position": range["start"], "range": range,
            "newName": self.typed(), "context": { "diagnostics": [] }, "uri": "cardwright:/explain/RS003.md",
        });
        let answers = [&mut self.server, &mut fresh].map(|server| server.request(method, asked.clone()));
        assert_eq!(answers[0], answers[1], "{method} in {name}: {asked}");
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// After any edits the server has the findings of one that reads everything afresh, and gives its answers.
#[test]
fn no_edit_makes_a_difference() {
    let edits = number("CARDWRIGHT_KEYS").map_or(SLICE, |keys| usize::try_from(keys).unwrap());
    let first = number("CARDWRIGHT_SEED").unwrap_or(1);
    let begun = Instant::now();
    let mut done = 0;
    for seed in first.. {
        if done >= edits {
            break;
        }
        let mut session = Session::new(seed);
        let many = SESSION.min(edits - done);
        for edit in 0..many {
            let place = LastWords { seed, edit };
            session.edit();
            if session.below(BURST) == 0 || edit + 1 == many {
                session.compare();
            }
            std::mem::forget(place);
        }
        done += SESSION;
        if done % 50_000 == 0 {
            println!("{done} edits in {:.0} s", begun.elapsed().as_secs_f64());
        }
    }
}

/// Says where the campaign was when it ended.
struct LastWords {
    seed: u64,
    edit: usize,
}

#[expect(clippy::print_stdout, reason = "it is printed only where the campaign fails")]
impl Drop for LastWords {
    fn drop(&mut self) {
        println!(
            "the session with CARDWRIGHT_SEED={} differs at edit {}",
            self.seed, self.edit
        );
    }
}
