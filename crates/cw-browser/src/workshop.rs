//! A game in the making: its files in memory, checked at every change, drawn, tried out, and given back.
//!
//! All of it is what the command line does: the same project, findings, mends, faces and scenarios. Places
//! are counted as scripts count them, in units of UTF-16.

use std::sync::Arc;

use cw_faces::{CardFace, Catalogue, FaceSize};
use cw_load::{Loaded, PicturePlace, Project};
use cw_octgn::{Archive, MemoryFiles, PackageFiles, PackageLimits};
use cw_pages::stage::ScenarioStage;
use cw_program::ModelId;
use cw_scenario::RunOptions;
use cw_text::{Diagnostic, FileId, Safety, Severity, Sources};
use cw_wire::{GameLink, LinkContent, LinkedGame};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Files of a folder that are looked at.
const MOST_FILES: usize = 20_000;
/// Findings that are told at once; how many there are is told beside them.
const MOST_FOUND: usize = 200;
/// Bytes of a text that is edited.
const MOST_TEXT: usize = 2 << 20;

/// A game as its files make it, and what is printed on its cards.
type DrawnGame = (Arc<Loaded>, Arc<Catalogue>);

/// A game in the making.
pub struct Workshop {
    files: MemoryFiles,
    /// The game as its files are now, once somebody asked for it.
    loaded: Option<Result<DrawnGame, String>>,
    /// What whoever opened it should know.
    remarks: Vec<String>,
}

impl std::fmt::Debug for Workshop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workshop").field("files", &self.files).finish()
    }
}

/// What a workshop is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum WorkshopAsk {
    /// Which files can be edited.
    Files,
    /// What stands in a file.
    Text {
        /// Which.
        name: String,
    },
    /// This stands in a file from now on.
    Write {
        /// Which.
        name: String,
        /// What.
        text: String,
    },
    /// What is wrong, and which cards there are.
    Check,
    /// The face of a card.
    Face {
        /// Its place among the cards.
        card: u16,
    },
    /// What comes of the scenarios.
    Scenarios,
}

/// A card in the making.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct WorkshopCard {
    card: u16,
    id: String,
    name: String,
    text: String,
}

impl Workshop {
    /// A game in an archive: a package, or a folder that was packed.
    ///
    /// # Errors
    /// Words for whoever opened it.
    pub fn of_archive(bytes: Vec<u8>) -> Result<Workshop, String> {
        let limits = PackageLimits::default();
        let archive = Archive::new(bytes, &limits).map_err(|why| format!("this is not a game: {why}"))?;
        let files = MemoryFiles::copy_of(&archive.package(), limits.file)
            .map_err(|why| format!("the game cannot be unpacked: {why}"))?;
        Workshop::new(files)
    }

    /// A game in a folder: names of files below it, with their bytes. The game is where its definition is;
    /// without one, it is made of the spreadsheet in the folder.
    ///
    /// # Errors
    /// Words for whoever opened it.
    pub fn of_folder(files: Vec<(String, Vec<u8>)>) -> Result<Workshop, String> {
        if files.len() > MOST_FILES {
            return Err(format!(
                "this folder has more than {MOST_FILES} files; name that of the game"
            ));
        }
        let is_definition = |name: &str| {
            let last = name.rsplit('/').next().unwrap_or_default();
            last.eq_ignore_ascii_case("definition.xml")
        };
        let found = files
            .iter()
            .map(|(name, _)| name)
            .filter(|name| is_definition(name));
        // The one that lies least deep, as a search from above would find it.
        let found = found.min_by_key(|name| (name.matches('/').count(), name.len()));
        let Some(found) = found else {
            let drafted = crate::sheet::game_of(&files)?;
            let drafted =
                drafted.ok_or("there is no definition.xml and no spreadsheet here, so this is not a game")?;
            return Ok(Workshop {
                remarks: drafted.remarks,
                ..Workshop::new(drafted.files)?
            });
        };
        let root = found.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let mut below = MemoryFiles::new();
        for (name, bytes) in files {
            let inner = match root.as_str() {
                "" => Some(name.as_str()),
                root => name.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')),
            };
            let is_hidden = |inner: &str| inner.split('/').any(|part| part.starts_with('.'));
            if let Some(inner) = inner.filter(|inner| !is_hidden(inner)) {
                let inner = match is_definition(inner) && !inner.contains('/') {
                    true => "definition.xml".to_owned(),
                    false => inner.to_owned(),
                };
                below = below.with(inner, bytes);
            }
        }
        Workshop::new(below)
    }

    fn new(files: MemoryFiles) -> Result<Workshop, String> {
        let has_definition = files
            .list()
            .map_err(|why| why.to_string())?
            .iter()
            .any(|name| name.eq_ignore_ascii_case("definition.xml"));
        match has_definition {
            true => Ok(Workshop {
                files,
                loaded: None,
                remarks: Vec::new(),
            }),
            false => Err("there is no definition.xml, so this is not a game".to_owned()),
        }
    }

    /// What whoever opened it should know.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Its files as they are now.
    pub fn files(&self) -> &MemoryFiles {
        &self.files
    }

    /// Answers a question, or says why it cannot.
    ///
    /// # Errors
    /// Words for whoever asked.
    pub fn answer(&mut self, asked: WorkshopAsk) -> Result<Value, String> {
        match asked {
            WorkshopAsk::Files => self.texts(),
            WorkshopAsk::Text { name } => Ok(json!({ "text": self.text(&name)? })),
            WorkshopAsk::Write { name, text } => {
                if text.len() > MOST_TEXT {
                    return Err(format!(
                        "a file can hold at most {} MB of text here",
                        MOST_TEXT >> 20
                    ));
                }
                // Only what is there is changed: the name of a file is not typed here.
                self.text(&name)?;
                self.files = std::mem::take(&mut self.files).with(name, text);
                self.loaded = None;
                Ok(json!({}))
            }
            WorkshopAsk::Check => self.check(),
            WorkshopAsk::Face { card } => {
                let (loaded, catalogue) = self.loaded()?;
                let game = loaded
                    .game
                    .as_ref()
                    .ok_or("no card can be drawn until the errors are fixed")?;
                let drawn = CardFace {
                    game,
                    model: ModelId(card),
                    form: None,
                    catalogue: &catalogue,
                    files: Some(&*loaded.project.files),
                    picture: PicturePlace::Frame,
                };
                let face = cw_faces::face(drawn, FaceSize::Full);
                Ok(json!({ "svg": face.ok_or("there is no such card")? }))
            }
            WorkshopAsk::Scenarios => self.scenarios(),
        }
    }

    /// The files that can be edited, rules first.
    fn texts(&self) -> Result<Value, String> {
        let mut names: Vec<String> = self.files.list().map_err(|why| why.to_string())?;
        names.retain(|name| rank(name).is_some());
        names.sort_by_key(|name| (rank(name), name.clone()));
        Ok(json!({ "files": names }))
    }

    fn text(&self, name: &str) -> Result<String, String> {
        let limit = PackageLimits::default().file.min(MOST_TEXT as u64);
        let bytes = self.files.read(name, limit).map_err(|why| why.to_string())?;
        String::from_utf8(bytes).map_err(|_| format!("“{name}” is not UTF-8 text"))
    }

    fn loaded(&mut self) -> Result<DrawnGame, String> {
        let loaded = self.loaded.get_or_insert_with(|| {
            let project = crate::open::read(&self.files)?;
            let loaded = Loaded::of(project).map_err(|why| why.to_string())?;
            let catalogue = Catalogue::of(&loaded.project);
            Ok((Arc::new(loaded), Arc::new(catalogue)))
        });
        loaded.clone()
    }

    fn check(&mut self) -> Result<Value, String> {
        let (loaded, _) = self.loaded()?;
        let project: &Project = &loaded.project;
        let found = project.check().found;
        let sources = &project.package.sources;
        let many = |severity| found.iter().filter(|one| one.severity == severity).count();
        let mut order: Vec<&Diagnostic> = found.iter().collect();
        order.sort_by_key(|one| std::cmp::Reverse(one.severity));
        let told: Vec<Value> = order
            .into_iter()
            .take(MOST_FOUND)
            .map(|one| told(one, sources))
            .collect();
        let cards = loaded.game.as_ref().map_or(&[][..], |game| &game.models);
        let cards: Vec<WorkshopCard> = (0u16..)
            .zip(cards)
            .map(|(card, model)| WorkshopCard {
                card,
                id: model.id.to_string(),
                name: model.name.to_string(),
                text: model.text.to_string(),
            })
            .collect();
        Ok(json!({
            "name": project.name(),
            "found": told,
            "errors": many(Severity::Error),
            "warnings": many(Severity::Warning),
            "hints": many(Severity::Hint),
            "cards": cards,
        }))
    }

    fn scenarios(&mut self) -> Result<Value, String> {
        let (loaded, _) = self.loaded()?;
        let game = loaded
            .game
            .as_ref()
            .ok_or("no scenario can be run until the errors are fixed")?;
        let names = self.files.list().map_err(|why| why.to_string())?;
        let mut all = Vec::new();
        for name in names
            .iter()
            .filter(|name| name.ends_with(".toml") && !name.ends_with("game.toml"))
        {
            let text = self.text(name)?;
            match cw_scenario::read(&text) {
                // Other files have that ending, too.
                Err(_) if !text.contains("[[scenario]]") => {}
                Err(fault) => all.push(json!({
                    "file": name,
                    "name": name,
                    "from": utf16(&text, fault.span.start),
                    "why": [fault.message],
                })),
                Ok(file) => all.extend(file.scenarios.iter().map(|scenario| {
                    let report = cw_scenario::run(scenario, game, RunOptions::default());
                    json!({
                        "file": name,
                        "name": report.name,
                        "from": utf16(&text, report.span.start),
                        "why": report.why(),
                    })
                })),
            }
        }
        Ok(json!({ "scenarios": all }))
    }

    /// The letters of a link that opens a table with this card in hand.
    ///
    /// # Errors
    /// Words, if the card cannot be played.
    pub fn try_out(&mut self, card: u16) -> Result<String, String> {
        let (loaded, _) = self.loaded()?;
        let game = loaded
            .game
            .as_ref()
            .ok_or("nothing can be played until the errors are fixed")?;
        let model = game
            .models
            .get(usize::from(card))
            .ok_or("there is no such card")?;
        let title = toml_text(&format!("{} in hand", model.name));
        let name = toml_text(cw_scenario::unambiguous_name(game, ModelId(card)));
        let plain = format!(
            "[[scenario]]\nname = {title}\nme.hand = [{name}]\nme.sp = {}\n",
            (-model.sp).clamp(0, 99)
        );
        let skeleton = cw_scenario::skeleton(game, &model.id).ok();
        // Only where it begins is wanted: what would be expected of it is not.
        let skeleton = skeleton.map(|text| {
            let head = text.split("steps = [").next().unwrap_or_default();
            let lines = head.lines().map(|line| match line.starts_with("name = ") {
                true => format!("name = {title}\n"),
                false => format!("{line}\n"),
            });
            lines
                .filter(|line| !line.starts_with("answers"))
                .collect::<String>()
        });
        let mut texts = skeleton.into_iter().chain([plain]);
        let text = texts.find(|text| ScenarioStage::read(text, game).is_ok());
        let text = text.ok_or("no position with this card can be set up")?;
        let link = GameLink {
            game: LinkedGame::of(game),
            what: LinkContent::Scenario { text, index: 0 },
        };
        link.write().map_err(|why| why.to_string())
    }

    /// The folder as a zip, file by file.
    ///
    /// # Errors
    /// Words, if it cannot be written.
    pub fn zip(&self) -> Result<Vec<u8>, String> {
        cw_octgn::zip_of(&self.files, PackageLimits::default().file).map_err(|why| why.to_string())
    }

    /// The package as OCTGN takes it.
    ///
    /// # Errors
    /// Words, if it lacks what a package needs.
    pub fn package(&self) -> Result<Vec<u8>, String> {
        let project = crate::open::read(&self.files)?;
        let exported = cw_octgn::export(&self.files, &project.package, &PackageLimits::default());
        Ok(exported.map_err(|why| why.to_string())?.bytes)
    }
}

/// In which order the texts of a game are listed; nothing for what is not edited here.
fn rank(name: &str) -> Option<u8> {
    let lower = name.to_ascii_lowercase();
    let ends = |end: &str| lower.ends_with(end);
    match () {
        () if ends(".rules") => Some(0),
        () if lower == "rules/game.toml" => Some(1),
        () if ends(".toml") => Some(2),
        () if ends("set.xml") => Some(3),
        () if ends(".o8d") => Some(4),
        () if ends(".xml") && !lower.starts_with("_rels") => Some(5),
        () => None,
    }
}

fn utf16(text: &str, at: u32) -> usize {
    let at = usize::try_from(at).unwrap_or(usize::MAX).min(text.len());
    text.get(..at).map_or(0, |before| before.encode_utf16().count())
}

fn told(one: &Diagnostic, sources: &Sources) -> Value {
    let name = |file: FileId| sources.find(file).map_or("", |source| &*source.name).to_owned();
    let place = |file: FileId, at: u32| sources.find(file).map_or(0, |source| utf16(&source.text, at));
    let fix = one.fix.as_ref().map(|fix| {
        let edits: Vec<Value> = fix
            .edits
            .iter()
            .map(|edit| {
                json!({
                    "file": name(edit.file),
                    "from": place(edit.file, edit.span.start),
                    "to": place(edit.file, edit.span.end),
                    "text": edit.text,
                })
            })
            .collect();
        json!({ "title": fix.title, "safe": fix.safety == Safety::Safe, "edits": edits })
    });
    json!({
        "code": one.code.0,
        "severity": match one.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "info",
        },
        "file": name(one.file),
        "line": sources.find(one.file).map_or(0, |source| {
            let before = source.text.get(..one.span.start as usize).unwrap_or_default();
            before.matches('\n').count() + 1
        }),
        "from": place(one.file, one.span.start),
        "to": place(one.file, one.span.end),
        "message": one.message,
        "help": one.help,
        "fix": fix,
    })
}

/// A text as TOML writes it: JSON's form is one of its own.
fn toml_text(text: &str) -> String {
    json!(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The demo game as a folder that a person drops, below another one.
    fn demo() -> Workshop {
        let project = cw_lab::open(None, &cw_load::ReadOptions::default(), &|_| {}).expect("the demo game");
        let names = project.files.list().expect("it is in memory");
        let files = names.into_iter().map(|name| {
            let bytes = project.files.read(&name, u64::MAX).expect("it is in memory");
            (format!("my games/saltmarsh/{name}"), bytes)
        });
        let aside = [
            ("my games/saltmarsh/.git/config".to_owned(), Vec::new()),
            ("my games/readme.txt".to_owned(), Vec::new()),
            (
                "my games/saltmarsh/old/copy/definition.xml".to_owned(),
                Vec::new(),
            ),
        ];
        Workshop::of_folder(files.chain(aside).collect()).expect("it is a game")
    }

    fn check(workshop: &mut Workshop) -> Value {
        workshop.answer(WorkshopAsk::Check).expect("it can be checked")
    }

    /// The letters of a text between two places, as a script counts them.
    fn between(text: &str, from: &Value, to: &Value) -> String {
        let units: Vec<u16> = text.encode_utf16().collect();
        let at = |value: &Value| usize::try_from(value.as_u64().expect("a place")).expect("it is small");
        String::from_utf16(&units[at(from)..at(to)]).expect("whole letters")
    }

    #[test]
    fn a_change_is_found_fixed_and_played() {
        let mut workshop = demo();
        let files = workshop.answer(WorkshopAsk::Files).expect("a list");
        let names: Vec<&str> = files["files"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert!(names[0].ends_with(".rules"), "{names:?}");
        assert!(
            names.contains(&"Rules/game.toml") && !names.iter().any(|name| name.contains(".git")),
            "{names:?}"
        );
        let name = names[0].to_owned();
        let before = check(&mut workshop);
        assert_eq!(before["errors"], 0, "{before}");
        let text = workshop.text(&name).expect("it is a text");

        // A mistake behind letters that UTF-8, UTF-16 and people count differently.
        let broken = text.replacen("bp(+200)", "bpp(+200)", 1);
        let broken = format!("# “é” 🦀\n{broken}");
        assert_ne!(text, broken);
        let write = |text: &str| WorkshopAsk::Write {
            name: name.clone(),
            text: text.to_owned(),
        };
        workshop.answer(write(&broken)).expect("it is written");
        let after = check(&mut workshop);
        assert_eq!(after["errors"], 1, "{after}");
        let one = &after["found"][0];
        assert_eq!(
            (one["severity"].as_str(), one["file"].as_str()),
            (Some("error"), Some(&*name))
        );
        assert_eq!(between(&broken, &one["from"], &one["to"]), "bpp");
        let edit = &one["fix"]["edits"][0];
        assert_eq!(between(&broken, &edit["from"], &edit["to"]), "bpp");
        assert_eq!(edit["text"], "bp");
        let units: Vec<u16> = broken.encode_utf16().collect();
        let at = |value: &Value| usize::try_from(value.as_u64().expect("a place")).expect("it is small");
        let fixed = [
            &units[..at(&edit["from"])],
            &"bp".encode_utf16().collect::<Vec<u16>>(),
            &units[at(&edit["to"])..],
        ];
        let fixed = String::from_utf16(&fixed.concat()).expect("whole letters");
        workshop.answer(write(&fixed)).expect("it is written");
        assert_eq!(check(&mut workshop)["errors"], 0);

        let cards = check(&mut workshop)["cards"].clone();
        let cards = cards.as_array().expect("a list");
        assert!(cards.len() > 40, "{}", cards.len());
        for card in cards.iter().step_by(7) {
            let number = u16::try_from(card["card"].as_u64().expect("a number")).expect("it is small");
            let face = workshop
                .answer(WorkshopAsk::Face { card: number })
                .expect("it can be drawn");
            assert!(
                face["svg"].as_str().expect("a text").starts_with("<svg"),
                "{card}"
            );
            let letters = workshop
                .try_out(number)
                .unwrap_or_else(|why| panic!("{card}: {why}"));
            let link = GameLink::read(&letters).expect("it was just written");
            let LinkContent::Scenario { text, .. } = link.what else {
                panic!("a scenario")
            };
            assert!(
                text.contains(&toml_text(card["name"].as_str().expect("a name"))),
                "{text}"
            );
        }
        let outcome = workshop.answer(WorkshopAsk::Scenarios).expect("they are run");
        let all = outcome["scenarios"].as_array().expect("a list");
        assert!(
            all.len() > 30 && all.iter().all(|one| one["why"] == json!([])),
            "{outcome}"
        );
    }

    /// What goes in comes out: the folder as a zip, and a package that opens.
    #[test]
    fn a_game_leaves_as_it_came() {
        let workshop = demo();
        let again = Workshop::of_archive(workshop.package().expect("it has what a package needs"));
        let mut again = again.expect("it is a game");
        assert_eq!(check(&mut again)["errors"], 0);
        let zip = workshop.zip().expect("it can be packed");
        let mut zip = zip::ZipArchive::new(std::io::Cursor::new(zip)).expect("it is a zip");
        let names = workshop.files.list().expect("it is in memory");
        assert_eq!(zip.len(), names.len());
        for name in names {
            let mut bytes = Vec::new();
            std::io::copy(&mut zip.by_name(&name).expect("it is there"), &mut bytes).expect("it is whole");
            assert_eq!(
                bytes,
                workshop.files.read(&name, u64::MAX).expect("it is in memory"),
                "{name}"
            );
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let why = Workshop::of_folder(vec![("a/b.txt".to_owned(), Vec::new())]).unwrap_err();
        assert!(why.contains("no definition.xml"), "{why}");
        assert!(Workshop::of_archive(b"no archive".to_vec()).is_err());
        let mut workshop = demo();
        for name in ["Rules/new.rules", "../outside.rules", ""] {
            let write = WorkshopAsk::Write {
                name: name.to_owned(),
                text: String::new(),
            };
            assert!(workshop.answer(write).is_err(), "{name}");
        }
        // A definition that cannot be read is a finding like any other, and nothing is played.
        let write = WorkshopAsk::Write {
            name: "definition.xml".to_owned(),
            text: "<game".to_owned(),
        };
        workshop.answer(write).expect("it is a text");
        assert_ne!(check(&mut workshop)["errors"], 0);
        assert!(workshop.try_out(0).is_err());
        assert!(workshop.answer(WorkshopAsk::Scenarios).is_err());
    }
}
