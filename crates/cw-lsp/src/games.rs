//! A game as the server keeps it: its files, what was read, what the client knows of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cw_draft::CardFigures;
use cw_text::SharedText;
use serde_json::Value;

use crate::folders::{KeptFiles, OpenFiles};
use crate::rehearse::RehearsedGame;
use crate::world::ReadGame;

/// A game with what the client was told of it.
pub(crate) struct GameWorld {
    pub(crate) files: Arc<KeptFiles>,
    /// The game as it is now, once somebody asked.
    read: Option<Result<Arc<ReadGame>, String>>,
    /// The game as it was read last, and the files that may have changed since; all of them, if that is not
    /// known.
    before: Option<(Arc<ReadGame>, BTreeSet<String>)>,
    /// Whether the client was not yet told of the last change.
    pub(crate) is_untold: bool,
    /// The notifications that it got last, by the names of texts.
    pub(crate) told: BTreeMap<String, Value>,
    /// Why it cannot be read, if that was said.
    pub(crate) trouble: Option<String>,
    /// What came of its scenarios.
    pub(crate) rehearsed: RehearsedGame,
    /// The figures of its balance report, once somebody asked; or why they cannot be used.
    pub(crate) figures: Option<Result<Option<CardFigures>, String>>,
}

impl GameWorld {
    pub(crate) fn new(files: KeptFiles) -> GameWorld {
        GameWorld {
            files: Arc::new(files),
            read: None,
            before: None,
            is_untold: true,
            told: BTreeMap::new(),
            trouble: None,
            rehearsed: RehearsedGame::default(),
            figures: None,
        }
    }

    /// Its files with these texts over them.
    pub(crate) fn files_under(&self, open: BTreeMap<String, SharedText>) -> OpenFiles {
        OpenFiles {
            below: self.files.clone(),
            open,
        }
    }

    /// The text of this file may have changed; or, without a name, one that lies elsewhere.
    pub(crate) fn change(&mut self, name: Option<&str>) {
        if let Some(Ok(read)) = self.read.take() {
            self.before = Some((read, BTreeSet::new()));
        }
        if let Some((_, changed)) = &mut self.before {
            changed.extend(name.map(str::to_owned));
        }
        self.is_untold = true;
    }

    /// The game with these texts over its files.
    pub(crate) fn read(
        &mut self,
        (open, guests): (BTreeMap<String, SharedText>, Vec<(String, SharedText)>),
    ) -> Result<Arc<ReadGame>, String> {
        if let Some(read) = &self.read {
            return read.clone();
        }
        let before = self.before.take();
        let before = before.as_ref().map(|(read, changed)| (&**read, changed));
        let read = ReadGame::new(self.files_under(open), &guests, before).map(Arc::new);
        self.read.insert(read).clone()
    }
}
