//! The server: which texts are open, which games they belong to, and what is asked about them.

use std::collections::BTreeMap;
use std::sync::Arc;

use cw_text::{FileId, SharedText, Span};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::abilities;
use crate::actions;
use crate::cards;
use crate::complete;
use crate::documents::{OpenText, OpenTexts, path_of};
use crate::folders::{GameFolders, KeptFiles, is_text, joined, named_game};
use crate::folds;
use crate::games::GameWorld;
use crate::hints;
use crate::pages;
use crate::places::PositionEncoding;
use crate::protocol::{
    AboutDocument, AboutPlace, AboutRange, AskedName, Changed, Opened, RequestError, ServerMessage,
    WatchedFiles, params,
};
use crate::rename;
use crate::tokens;
use crate::told::GamePlaces;
use crate::world::ReadGame;

/// A language server. It answers a request from the texts as they are at that moment.
pub struct LanguageServer {
    pub(crate) folders: Box<dyn GameFolders>,
    version: String,
    pub(crate) encoding: PositionEncoding,
    pub(crate) client: ClientAbilities,
    pub(crate) open: OpenTexts,
    /// The game and the name in it of each open text that belongs to one.
    pub(crate) homes: BTreeMap<String, TextHome>,
    /// Games by their folders.
    pub(crate) worlds: BTreeMap<String, GameWorld>,
    pub(crate) messages: Vec<ServerMessage>,
}

impl std::fmt::Debug for LanguageServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let games: Vec<&String> = self.worlds.keys().collect();
        f.debug_struct("LanguageServer")
            .field("open", &self.open.keys())
            .field("games", &games)
            .finish_non_exhaustive()
    }
}

/// What the client can do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClientAbilities {
    /// It watches files for servers.
    watches: bool,
    /// It shows texts that the server has.
    shows_texts: bool,
    /// It asks for lenses again when it is told to.
    pub(crate) renews_lenses: bool,
    /// It opens addresses.
    pub(crate) shows_documents: bool,
}

/// Where an open text belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextHome {
    pub(crate) root: String,
    /// Its name in the game; or its path, if it only names that game.
    pub(crate) name: String,
    is_guest: bool,
}

impl TextHome {
    /// Its name in the game, if it lies there.
    fn own_name(&self) -> Option<&str> {
        (!self.is_guest).then_some(&*self.name)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    #[serde(default)]
    context: WantedKinds,
}

#[derive(Default, Deserialize)]
struct WantedKinds {
    only: Option<Vec<String>>,
}

impl LanguageServer {
    /// A server that no client has greeted yet.
    pub fn new(folders: Box<dyn GameFolders>, version: impl Into<String>) -> LanguageServer {
        LanguageServer {
            folders,
            version: version.into(),
            encoding: PositionEncoding::default(),
            client: ClientAbilities::default(),
            open: OpenTexts::new(),
            homes: BTreeMap::new(),
            worlds: BTreeMap::new(),
            messages: Vec::new(),
        }
    }

    /// Greets a client: agrees on how columns are counted, and says what the server can do.
    pub fn initialize(&mut self, asked: &Value) -> Value {
        let abilities = asked.get("capabilities").unwrap_or(&Value::Null);
        let is = |place: &str| abilities.pointer(place).and_then(Value::as_bool) == Some(true);
        self.client = ClientAbilities {
            watches: is("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            shows_texts: abilities
                .pointer("/workspace/textDocumentContent")
                .is_some_and(Value::is_object),
            renews_lenses: is("/workspace/codeLens/refreshSupport"),
            shows_documents: is("/window/showDocument/support"),
        };
        // The first that the client names and the server has; each client has UTF-16.
        let offered = abilities
            .pointer("/general/positionEncodings")
            .and_then(Value::as_array);
        let known = offered
            .into_iter()
            .flatten()
            .filter_map(|word| match word.as_str()? {
                "utf-8" => Some(PositionEncoding::Utf8),
                "utf-16" => Some(PositionEncoding::Utf16),
                _ => None,
            });
        self.encoding = known.into_iter().next().unwrap_or_default();
        abilities::of_server(&self.version, self.encoding)
    }

    /// Answers a request.
    ///
    /// # Errors
    /// Why it cannot be answered.
    pub fn request(&mut self, method: &str, asked: Value) -> Result<Value, RequestError> {
        match method {
            "textDocument/codeAction" => {
                let only = params::<Wanted>(asked.clone())?.context.only;
                let AboutRange { text_document, range } = params(asked)?;
                self.about(&text_document.uri, |places, file| {
                    Value::Array(actions::actions(places, file, range, only.as_deref()))
                })
            }
            "textDocument/formatting" => {
                let AboutDocument { text_document } = params(asked)?;
                self.about(&text_document.uri, |places, file| {
                    actions::layout(places, file, None).unwrap_or_default()
                })
            }
            "textDocument/rangeFormatting" => {
                let AboutRange { text_document, range } = params(asked)?;
                self.about(&text_document.uri, |places, file| {
                    actions::layout(places, file, Some(range)).unwrap_or_default()
                })
            }
            "textDocument/documentSymbol" => {
                let AboutDocument { text_document } = params(asked)?;
                self.about(&text_document.uri, |places, file| {
                    cards::symbols(places, file).unwrap_or_default()
                })
            }
            "textDocument/semanticTokens/full" => {
                let AboutDocument { text_document } = params(asked)?;
                self.about(&text_document.uri, |places, file| {
                    tokens::tokens(places, file, None).unwrap_or_default()
                })
            }
            "textDocument/semanticTokens/range" => self.about_range(asked, |places, file, span| {
                tokens::tokens(places, file, Some(span))
            }),
            "textDocument/foldingRange" => {
                let AboutDocument { text_document } = params(asked)?;
                self.about(&text_document.uri, |places, file| {
                    folds::folds(places, file).unwrap_or_default()
                })
            }
            "textDocument/inlayHint" => self.about_range(asked, hints::hints),
            "textDocument/codeLens" => self.lenses(asked),
            "workspace/executeCommand" => self.execute(asked),
            "textDocument/hover" => self.about_place(asked, crate::hover::hover),
            "textDocument/completion" => self.about_place(asked, complete::complete),
            "textDocument/signatureHelp" => self.about_place(asked, complete::signature),
            "textDocument/definition" => self.about_place(asked, cards::definitions),
            "textDocument/references" => self.about_place(asked, cards::references),
            "textDocument/prepareRename" => self.about_place(asked, rename::prepare),
            "textDocument/rename" => {
                let AskedName {
                    text_document,
                    position,
                    new_name,
                } = params(asked)?;
                let mut refused = None;
                let edits = self.about(&text_document.uri, |places, file| {
                    let at = places.offset(file, position);
                    rename::rename(places, file, at, &new_name).unwrap_or_else(|why| {
                        refused = Some(why);
                        Value::Null
                    })
                })?;
                refused.map_or(Ok(edits), Err)
            }
            "workspace/textDocumentContent" => {
                let uri = asked.get("uri").and_then(Value::as_str).unwrap_or_default();
                let page = pages::at(uri).ok_or_else(|| RequestError::NoDocument(uri.to_owned()))?;
                Ok(json!({ "text": page }))
            }
            _ => Err(RequestError::UnknownMethod(method.to_owned())),
        }
    }

    /// Takes a notification; those that the server does not know are no concern of it.
    ///
    /// # Errors
    /// The parameters are not those of the notification; nothing is changed.
    pub fn notify(&mut self, method: &str, told: Value) -> Result<(), RequestError> {
        match method {
            "initialized" => self.watch(),
            "textDocument/didOpen" => {
                let Opened { text_document } = params(told)?;
                let Some(path) = path_of(&text_document.uri) else {
                    return Ok(());
                };
                let text = OpenText::new(path, text_document.version, text_document.text);
                self.open.insert(text_document.uri.clone(), text);
                self.settle(&text_document.uri);
            }
            "textDocument/didChange" => {
                let Changed {
                    text_document,
                    content_changes,
                } = params(told)?;
                let Some(text) = self.open.get_mut(&text_document.uri) else {
                    return Ok(());
                };
                text.change(content_changes, self.encoding);
                text.version = text_document.version.unwrap_or(text.version);
                // Only scenarios say themselves which game they belong to.
                let is_settled = !text.path.ends_with(".toml");
                match self.homes.get(&text_document.uri).filter(|_| is_settled).cloned() {
                    Some(home) => self.changed(&home),
                    None => self.settle(&text_document.uri),
                }
            }
            "textDocument/didClose" => {
                let AboutDocument { text_document } = params(told)?;
                self.open.remove(&text_document.uri);
                self.leave(&text_document.uri, true);
            }
            "textDocument/didSave" => {
                let AboutDocument { text_document } = params(told)?;
                self.changed_below(&text_document.uri);
                if let Some(home) = self.homes.get(&text_document.uri).cloned() {
                    self.rehearse_again(&home.root);
                }
            }
            "workspace/didChangeWatchedFiles" => {
                let WatchedFiles { changes } = params(told)?;
                for change in changes {
                    self.changed_below(&change.uri);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What the client is to be told now. Whoever runs the server asks when no message waits any more, so
    /// that quick typing is checked once.
    pub fn messages(&mut self) -> Vec<ServerMessage> {
        let untold = self.worlds.iter().filter(|(_, world)| world.is_untold);
        let roots: Vec<String> = untold.map(|(root, _)| root.clone()).collect();
        for root in roots {
            let read = self.read(&root);
            let all = match &read {
                Ok(read) => {
                    let places = GamePlaces::new(&root, read, &self.open, self.encoding);
                    let mut all = places.notifications(self.client.shows_texts);
                    if let Some(world) = self.worlds.get(&root) {
                        world.rehearsed.add_failed(&places, &mut all);
                    }
                    all
                }
                Err(_) => BTreeMap::new(),
            };
            let Some(world) = self.worlds.get_mut(&root) else {
                continue;
            };
            world.is_untold = false;
            let trouble = read.err();
            if let Some(why) = &trouble
                && world.trouble != trouble
            {
                let message = format!("the game in “{root}” cannot be read: {why}");
                self.messages.push(ServerMessage::Notification {
                    method: "window/showMessage",
                    params: json!({ "type": 1, "message": message }),
                });
            }
            world.trouble = trouble;
            let gone = world.told.keys().filter(|uri| !all.contains_key(*uri));
            let gone = gone.map(|uri| json!({ "uri": uri, "diagnostics": [] }));
            let news = all
                .iter()
                .filter(|(uri, told)| world.told.get(*uri) != Some(told));
            let news = news.map(|(_, told)| told.clone());
            let sent = gone.chain(news).map(|params| ServerMessage::Notification {
                method: "textDocument/publishDiagnostics",
                params,
            });
            self.messages.extend(sent);
            world.told = all;
        }
        std::mem::take(&mut self.messages)
    }

    /// Asks the client to tell of files that change without an editor.
    fn watch(&mut self) {
        if !self.client.watches {
            return;
        }
        let watchers = json!([
            { "globPattern": "**/*.{rules,xml,toml,o8d,py}" },
            { "globPattern": format!("**/{}", cw_load::FIGURES) },
        ]);
        self.messages.push(ServerMessage::Request {
            method: "client/registerCapability",
            params: json!({ "registrations": [{
                "id": "files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": { "watchers": watchers },
            }] }),
        });
    }

    /// Finds where an open text belongs, and lets that game know of it.
    fn settle(&mut self, uri: &str) {
        let home = self.open.get(uri).and_then(|text| self.home(text));
        if self.homes.get(uri) != home.as_ref() {
            self.leave(uri, false);
        }
        let Some(home) = home else { return };
        self.changed(&home);
        self.homes.insert(uri.to_owned(), home);
    }

    /// A text that belongs there changed.
    fn changed(&mut self, home: &TextHome) {
        let folders = &self.folders;
        let world = self
            .worlds
            .entry(home.root.clone())
            .or_insert_with(|| GameWorld::new(KeptFiles::new(folders.open(&home.root))));
        world.change(home.own_name());
    }

    fn leave(&mut self, uri: &str, is_closed: bool) {
        let Some(home) = self.homes.remove(uri) else {
            return;
        };
        if let Some(world) = self.worlds.get_mut(&home.root) {
            if is_closed {
                world.files.forget(&home.name);
            }
            world.change(home.own_name());
        }
    }

    fn home(&self, text: &OpenText) -> Option<TextHome> {
        let path = &text.path;
        if let Some(root) = self.folders.above(path) {
            let name = path.strip_prefix(&root)?.trim_start_matches('/');
            return is_text(name).then(|| TextHome {
                name: name.to_owned(),
                root,
                is_guest: false,
            });
        }
        if !path.ends_with(".toml") {
            return None;
        }
        // Scenarios lie anywhere, and may name their game; or they lie in the folder beside it that is called
        // so.
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let root = match named_game(&text.text) {
            Some(game) => joined(folder, game),
            None => folder.strip_suffix("-tests")?.to_owned(),
        };
        let found = self.folders.above(&format!("{root}/definition.xml"))?;
        (found == root).then(|| TextHome {
            root,
            name: path.clone(),
            is_guest: true,
        })
    }

    /// A file changed on the disk.
    fn changed_below(&mut self, uri: &str) {
        let Some(path) = path_of(uri) else { return };
        for (root, world) in &mut self.worlds {
            let inner = path.strip_prefix(root.as_str());
            if let Some(name) = inner.and_then(|inner| inner.strip_prefix('/')) {
                world.files.forget(name);
                world.figures = None;
                world.change(Some(name));
            }
        }
        // A game begins or ends with its definition.
        if path.ends_with("/definition.xml") {
            let all: Vec<String> = self.open.keys().cloned().collect();
            for uri in all {
                self.settle(&uri);
            }
        }
    }

    /// The open texts of a game, by their names in it, and those that lie elsewhere, by their paths.
    pub(crate) fn texts_over(&self, root: &str) -> (BTreeMap<String, SharedText>, Vec<(String, SharedText)>) {
        let mut over = BTreeMap::new();
        let mut guests: Vec<(String, SharedText)> = Vec::new();
        for (uri, home) in self.homes.iter().filter(|(_, home)| home.root == root) {
            let Some(text) = self.open.get(uri) else { continue };
            match home.is_guest {
                true => guests.push((home.name.clone(), text.text.clone())),
                false => drop(over.insert(home.name.clone(), text.text.clone())),
            }
        }
        (over, guests)
    }

    /// The game in a folder, with the open texts.
    pub(crate) fn read(&mut self, root: &str) -> Result<Arc<ReadGame>, String> {
        let texts = self.texts_over(root);
        let world = self.worlds.get_mut(root).ok_or("there is no such game")?;
        world.read(texts)
    }

    /// Answers about a byte of an open text.
    fn about_place(
        &mut self,
        asked: Value,
        answer: impl FnOnce(&GamePlaces<'_>, FileId, usize) -> Option<Value>,
    ) -> Result<Value, RequestError> {
        let AboutPlace {
            text_document,
            position,
        } = params(asked)?;
        self.about(&text_document.uri, |places, file| {
            answer(places, file, places.offset(file, position)).unwrap_or_default()
        })
    }

    /// Answers about a stretch of an open text.
    fn about_range(
        &mut self,
        asked: Value,
        answer: impl FnOnce(&GamePlaces<'_>, FileId, Span) -> Option<Value>,
    ) -> Result<Value, RequestError> {
        let AboutRange { text_document, range } = params(asked)?;
        self.about(&text_document.uri, |places, file| {
            answer(places, file, places.span(file, range)).unwrap_or_default()
        })
    }

    /// Answers from the game of an open text.
    fn about(
        &mut self,
        uri: &str,
        answer: impl FnOnce(&GamePlaces<'_>, FileId) -> Value,
    ) -> Result<Value, RequestError> {
        let unknown = || RequestError::NoDocument(uri.to_owned());
        let home = self.homes.get(uri).cloned().ok_or_else(unknown)?;
        let read = self.read(&home.root).map_err(RequestError::Unreadable)?;
        // A text of a game that the game does not read has no answers.
        let Some(file) = read.file(&home.name) else {
            return Ok(Value::Null);
        };
        let places = GamePlaces::new(&home.root, &read, &self.open, self.encoding);
        Ok(answer(&places, file))
    }
}
