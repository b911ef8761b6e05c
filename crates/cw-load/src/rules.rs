//! Rules of cards: from `Rules/*.rules`, and from `RulesDict` in Python scripts (D60).

use std::collections::BTreeMap;

use cw_duel::Game;
use cw_octgn::{Files, FilesError, Guid, Limits};
use cw_program::{ModelId, NameId, Names, SubtypeId, compile};
use cw_syntax::{Arena, CardRule, parse_python, parse_rules};
use cw_text::{Code, Diagnostic, FileId, Severity, Sources, Span};

/// A card has a rule in a `.rules` file and one in a script; the first counts (D60).
const CW002: Code = Code("CW002");

/// The cards of a game, as rules name them.
#[derive(Debug)]
pub struct GameNames<'a> {
    game: &'a Game,
    subtypes: BTreeMap<String, SubtypeId>,
    names: BTreeMap<&'a str, NameId>,
    models: BTreeMap<Guid, ModelId>,
}

impl<'a> GameNames<'a> {
    /// Looks all names up once.
    pub fn new(game: &'a Game) -> GameNames<'a> {
        let numbered = |index: usize| u16::try_from(index).unwrap_or(u16::MAX);
        let mut models = BTreeMap::new();
        for (index, model) in game.models.iter().enumerate() {
            if let Ok((id, _)) = Guid::parse(&model.id) {
                models.entry(id).or_insert(ModelId(numbered(index)));
            }
        }
        let subtypes = game.subtypes.iter().enumerate();
        let names = game.names.iter().enumerate();
        GameNames {
            game,
            subtypes: subtypes
                .map(|(at, name)| (name.to_lowercase(), SubtypeId(numbered(at))))
                .collect(),
            names: names.map(|(at, name)| (&**name, NameId(numbered(at)))).collect(),
            models,
        }
    }
}

impl Names for GameNames<'_> {
    fn subtype(&self, name: &str) -> Option<SubtypeId> {
        self.subtypes.get(&name.to_lowercase()).copied()
    }

    fn card_name(&self, name: &str) -> Option<NameId> {
        self.names.get(name.to_lowercase().as_str()).copied()
    }

    fn model(&self, guid: &str) -> Option<ModelId> {
        let (id, _) = Guid::parse(guid).ok()?;
        self.models.get(&id).copied()
    }

    fn subtypes(&self) -> Vec<String> {
        self.game.subtypes.iter().map(ToString::to_string).collect()
    }

    fn card_names(&self) -> Vec<String> {
        self.game.names.iter().map(ToString::to_string).collect()
    }
}

/// Where the rule of a model is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleText {
    /// The file.
    pub file: FileId,
    /// The header and the lines of the rule.
    pub header: Span,
    /// The lines of the rule.
    pub body: Span,
}

/// Reads every rule of the package and gives the models their programs. A rule with an error is
/// left out: its card is played without it (D38).
pub(crate) fn read_rules(
    files: &dyn Files,
    limits: &Limits,
    game: &mut Game,
    sources: &mut Sources,
    found: &mut Vec<Diagnostic>,
) -> Result<BTreeMap<ModelId, RuleText>, FilesError> {
    let mut compiled = BTreeMap::new();
    let mut texts: BTreeMap<ModelId, RuleText> = BTreeMap::new();
    {
        let names = GameNames::new(game);
        for name in files.list()? {
            let Some(language) = language(&name) else { continue };
            let bytes = files.read(&name, limits.file)?;
            let text = String::from_utf8_lossy(&bytes);
            let file = sources.add(&*name, &*text);
            let arena = Arena::new();
            let parsed = match language {
                Language::Rules => parse_rules(&arena, file, &text),
                Language::Python => parse_python(&arena, file, &text),
            };
            let broken = parsed.diagnostics;
            for card_rule in &parsed.rules {
                let Some(model) = names.model(card_rule.card.text) else {
                    continue;
                };
                let place = RuleText {
                    file,
                    header: card_rule.header.span,
                    body: card_rule.header.body,
                };
                if let Some(first) = texts.get(&model) {
                    found.push(doubled(&names, model, place, *first));
                    continue;
                }
                texts.insert(model, place);
                let one = compile(file, &text, &card_rule.rule, &names);
                let in_rule = |diagnostic: &&Diagnostic| covers(card_rule, diagnostic);
                let faulty = broken
                    .iter()
                    .filter(in_rule)
                    .chain(&one.diagnostics)
                    .any(is_error);
                found.extend(one.diagnostics);
                if !faulty {
                    compiled.insert(model, one.rule);
                }
            }
            found.extend(broken);
        }
    }
    for (model, rule) in compiled {
        game.models[usize::from(model.0)].set_rule(rule);
    }
    Ok(texts)
}

enum Language {
    Rules,
    Python,
}

/// Which files hold rules. `Rules/` sorts before `Scripts/`, so it wins.
fn language(name: &str) -> Option<Language> {
    if name.starts_with("Rules/") && name.ends_with(".rules") {
        Some(Language::Rules)
    } else if name.starts_with("Scripts/") && name.ends_with(".py") {
        Some(Language::Python)
    } else {
        None
    }
}

fn covers(rule: &CardRule<'_>, diagnostic: &Diagnostic) -> bool {
    let body = rule.header.body;
    body.start <= diagnostic.span.start && diagnostic.span.end <= body.end
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
}

fn doubled(names: &GameNames<'_>, model: ModelId, second: RuleText, first: RuleText) -> Diagnostic {
    let name = &names.game.model(model).name;
    Diagnostic::new(
        CW002,
        Severity::Warning,
        second.file,
        second.header,
        format!("“{name}” has a second rule; this one is ignored"),
    )
    .label(first.file, first.header, "this rule counts")
    .help("keep one of the two")
}
