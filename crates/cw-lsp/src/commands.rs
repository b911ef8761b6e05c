//! What the lenses do: scenarios are run, tables opened, figures said.

use cw_check::KnownCard;
use cw_scenario::AnyScenarios;
use cw_text::count;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::folders::AskedTable;
use crate::lenses::{self, AskedCommand, LensParts};
use crate::protocol::{AboutDocument, RequestError, ServerMessage, params};
use crate::rehearse::ScenarioOutcome;
use crate::server::LanguageServer;
use crate::told::GamePlaces;
use crate::world::ReadGame;

/// Parameters of a command.
#[derive(Deserialize)]
struct AskedWork {
    command: String,
    #[serde(default)]
    arguments: Vec<AskedCommand>,
}

impl LanguageServer {
    /// The lenses of a text. Where scenarios have run before, those that a change has touched run again.
    pub(crate) fn lenses(&mut self, asked: Value) -> Result<Value, RequestError> {
        let AboutDocument { text_document } = params(asked)?;
        let uri = &text_document.uri;
        let root = self.root(uri)?;
        self.rehearse_again(&root);
        self.read_figures(&root);
        let read = self.read(&root).map_err(RequestError::Unreadable)?;
        let (name, places) = self.places_of(uri, &read)?;
        let (Some(world), Some(file)) = (self.worlds.get(&root), read.file(&name)) else {
            return Ok(Value::Null);
        };
        let parts = LensParts {
            places: &places,
            rehearsed: &world.rehearsed,
            figures: world
                .figures
                .as_ref()
                .and_then(|figures| figures.as_ref().ok()?.as_ref()),
            opens_tables: self.folders.opens_tables(),
        };
        Ok(parts.all(file).unwrap_or_default())
    }

    /// Does what a lens says.
    pub(crate) fn execute(&mut self, asked: Value) -> Result<Value, RequestError> {
        let AskedWork { command, arguments } = params(asked)?;
        let missing = || RequestError::BadParams(format!("`{command}` needs an argument with the key `uri`"));
        let about = arguments.into_iter().next().ok_or_else(missing)?;
        let root = self.root(&about.uri)?;
        let read = self.read(&root).map_err(RequestError::Unreadable)?;
        match command.as_str() {
            lenses::RUN => self.run_scenarios(&root, &read, &about),
            lenses::PLAY => self.play(&root, &read, asked_card(&read, &about)?),
            lenses::BALANCE => self.show_balance(&root, &read, &about),
            _ => Err(RequestError::BadParams(format!(
                "there is no command `{command}`"
            ))),
        }
    }

    fn root(&self, uri: &str) -> Result<String, RequestError> {
        let unknown = || RequestError::NoDocument(uri.to_owned());
        Ok(self.homes.get(uri).ok_or_else(unknown)?.root.clone())
    }

    fn run_scenarios(
        &mut self,
        root: &str,
        read: &ReadGame,
        about: &AskedCommand,
    ) -> Result<Value, RequestError> {
        let outside = self.folders.scenarios(root);
        let name = self
            .homes
            .get(&about.uri)
            .map_or("", |home| &*home.name)
            .to_owned();
        let world = self.worlds.get_mut(root).ok_or_else(|| unopened(root))?;
        let rehearsed = &mut world.rehearsed;
        let file = read.file(&name).and_then(|file| read.sources.find(file));
        let text = file.map_or("", |source| &*source.text);
        let (words, is_good) = match about.scenario {
            Some(index) => {
                let ran = match cw_scenario::read_any(text) {
                    Ok(AnyScenarios::Free(_)) => rehearsed.run_free(read, &name, text),
                    Ok(AnyScenarios::Duels(_)) => rehearsed.run(read, outside),
                    Err(fault) => Err(fault.message),
                };
                ran.map_err(RequestError::Refused)?;
                match rehearsed.of_scenario(&name, text, index) {
                    ScenarioOutcome::Passed => ("The scenario passed".to_owned(), true),
                    ScenarioOutcome::Failed(why) => {
                        (format!("The scenario failed: {}", why.join("; ")), false)
                    }
                    ScenarioOutcome::Unknown => {
                        return Err(RequestError::Refused("there is no such scenario".to_owned()));
                    }
                }
            }
            None => {
                rehearsed.run(read, outside).map_err(RequestError::Refused)?;
                match &about.card {
                    Some(_) => lenses::told_of_card(rehearsed, asked_card(read, about)?),
                    None => match rehearsed.counts() {
                        (0, 0) => ("The game has no scenarios".to_owned(), false),
                        (all, 0) => (format!("{} passed", count(all, "scenario")), true),
                        (all, failed) => (format!("{failed} of {} failed", count(all, "scenario")), false),
                    },
                }
            }
        };
        world.is_untold = true;
        self.say(&words, is_good);
        if self.client.renews_lenses {
            self.messages.push(ServerMessage::Request {
                method: "workspace/codeLens/refresh",
                params: Value::Null,
            });
        }
        Ok(json!({ "message": words, "passed": is_good }))
    }

    /// Shows a sentence.
    fn say(&mut self, words: &str, is_good: bool) {
        let kind = if is_good { 3 } else { 2 };
        self.messages.push(ServerMessage::Notification {
            method: "window/showMessage",
            params: json!({ "type": kind, "message": words }),
        });
    }

    fn play(&mut self, root: &str, read: &ReadGame, card: &KnownCard) -> Result<Value, RequestError> {
        let refused = |why: String| RequestError::Refused(why);
        let unplayable =
            || refused("the game cannot be played as it is now: fix its errors first".to_owned());
        let playable = read.game().ok_or_else(unplayable)?;
        let scenario = cw_scenario::in_hand(&playable.game, &card.id);
        let scenario = scenario.map_err(|fault| refused(fault.message))?;
        let (over, _) = self.texts_over(root);
        let world = self.worlds.get(root).ok_or_else(|| unopened(root))?;
        let asked = AskedTable {
            root: root.to_owned(),
            files: Box::new(world.files_under(over)),
            scenario,
        };
        let address = self.folders.table(asked).map_err(refused)?;
        match self.client.shows_documents {
            true => self.messages.push(ServerMessage::Request {
                method: "window/showDocument",
                params: json!({ "uri": address, "external": true }),
            }),
            false => self.say(&format!("The table with {} in hand: {address}", card.name), true),
        }
        Ok(json!({ "address": address }))
    }

    fn show_balance(
        &mut self,
        root: &str,
        read: &ReadGame,
        about: &AskedCommand,
    ) -> Result<Value, RequestError> {
        self.read_figures(root);
        let card = asked_card(read, about)?;
        let (_, places) = self.places_of(&about.uri, read)?;
        let world = self.worlds.get(root).ok_or_else(|| unopened(root))?;
        let figures = match &world.figures {
            Some(Ok(Some(figures))) => figures,
            Some(Err(why)) => return Err(RequestError::Refused(why.clone())),
            Some(Ok(None)) | None => {
                let words = "there is no Rules/balance.json; `cardwright balance --json` makes one";
                return Err(RequestError::Refused(words.to_owned()));
            }
        };
        let parts = LensParts {
            places: &places,
            rehearsed: &world.rehearsed,
            figures: Some(figures),
            opens_tables: false,
        };
        let words = match parts.rank(figures, &card.id) {
            Some(place) => place.sentence(&card.name),
            None => format!(
                "Rules/balance.json has no figure of {}: no deck had drawn it",
                card.name
            ),
        };
        self.say(&words, true);
        Ok(json!({ "message": words }))
    }

    /// Runs scenarios again that a change has touched, if they have run before. A game that cannot be played
    /// keeps what came of them.
    pub(crate) fn rehearse_again(&mut self, root: &str) {
        if self
            .worlds
            .get(root)
            .is_none_or(|world| !world.rehearsed.has_run())
        {
            return;
        }
        let Ok(read) = self.read(root) else { return };
        let outside = self.folders.scenarios(root);
        if let Some(world) = self.worlds.get_mut(root)
            && world.rehearsed.run(&read, outside).is_ok()
        {
            world.is_untold = true;
        }
    }

    /// Reads the balance report of a game, once until it changes.
    fn read_figures(&mut self, root: &str) {
        let is_read = self.worlds.get(root).is_none_or(|world| world.figures.is_some());
        if is_read {
            return;
        }
        let Ok(read) = self.read(root) else { return };
        if let Some(world) = self.worlds.get_mut(root) {
            world.figures = Some(read.project.card_figures());
        }
    }

    /// The name of an open text in its game, and the places of that game.
    fn places_of<'a>(
        &'a self,
        uri: &str,
        read: &'a ReadGame,
    ) -> Result<(String, GamePlaces<'a>), RequestError> {
        let unknown = || RequestError::NoDocument(uri.to_owned());
        let home = self.homes.get(uri).ok_or_else(unknown)?;
        let places = GamePlaces::new(&home.root, read, &self.open, self.encoding);
        Ok((home.name.clone(), places))
    }
}

fn unopened(root: &str) -> RequestError {
    RequestError::Unreadable(format!("the game in “{root}” is not open any more"))
}

fn asked_card<'r>(read: &'r ReadGame, about: &AskedCommand) -> Result<&'r KnownCard, RequestError> {
    let id = about.card.as_deref().unwrap_or_default();
    let card = read.project.cards().find(id);
    card.ok_or_else(|| RequestError::Refused(format!("the game has no card “{id}” any more")))
}
