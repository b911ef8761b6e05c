//! `Rules/run.toml`: what a package says of its run, the places on the way, whom one meets there, and what
//! one may find. Whatever it leaves out has a default; `docs/run-toml.md` describes it.

use cw_octgn::Package;
use cw_text::{Diagnostic, FileId, FindingCode, Severity, Span, nearest};
use toml::Spanned;
use toml::de::DeValue;

use crate::config::{LEVELS, Mention};
use crate::toml_reader::{ConfigName, TomlReader, sorted};
use crate::twist::{RuleTwist, TwistChange, TwistLine, TwistNumber, TwistSide, twisted_rules};
use cw_program::ClosedWord;

/// The place of the file in a package.
pub const RUN_TOML: &str = "Rules/run.toml";

/// A fault in `run.toml`: it is no TOML, a key is unknown, a value is of another kind or too large.
pub(crate) const GT003: FindingCode = FindingCode("GT003");
/// `run.toml` names what is not there.
pub(crate) const GT004: FindingCode = FindingCode("GT004");

/// What a package says of its run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunConfig {
    /// Where the file is, if there is one.
    pub(crate) file: Option<FileId>,
    /// What it is called.
    pub name: String,
    /// What it is, in a few words.
    pub about: String,
    /// What is said at the end of a run that was won, and of one that was lost.
    pub endings: [String; 2],
    /// Cards that are drafted at the beginning.
    pub picks: Option<u32>,
    /// Duels that may be lost.
    pub lives: Option<u32>,
    /// The names of the packs that are opened for the draft.
    pub packs: Vec<Mention>,
    /// The cards that everybody begins with: names and copies.
    pub starter: Vec<(Mention, u32)>,
    /// The places on the way, in order.
    pub steps: Vec<StepConfig>,
    /// Whom one may meet.
    pub foes: Vec<FoeConfig>,
    /// What one may find.
    pub charms: Vec<CharmConfig>,
}

/// `[[steps]]`: a place on the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepConfig {
    /// What it is called.
    pub place: String,
    /// What it is like there.
    pub about: String,
    /// Whom one may meet there, by name.
    pub foes: Vec<Mention>,
    /// How many of a hundred runs are meant to get past it, where a computer of level `normal` plays.
    pub survive: Option<u32>,
    /// What holds in duels there.
    pub twist: RuleTwist,
}

/// `[[foes]]`: somebody for whom the computer plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoeConfig {
    /// What they are called.
    pub name: String,
    /// The card whose illustration is their face.
    pub card: Option<Mention>,
    /// Their deck, as its file is called.
    pub deck: Option<Mention>,
    /// How well the computer plays for them.
    pub level: Option<String>,
    /// Who they are, in a few words.
    pub about: String,
    /// What they say when a duel begins, after a good blow of theirs, and at the end.
    pub lines: [String; 3],
    /// A rule of their own, in words; a foe with one is a boss.
    pub rule: String,
    /// What their rule changes.
    pub twist: RuleTwist,
}

/// `[[charms]]`: a small change of the rules that one may find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CharmConfig {
    /// What it is called.
    pub name: String,
    /// What it does, in words.
    pub about: String,
    /// What it changes.
    pub twist: RuleTwist,
}

/// A key of `run.toml`, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunSetting {
    /// The section, without brackets.
    pub section: &'static str,
    /// The key.
    pub key: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// A value, as it would stand in the file.
    pub example: &'static str,
}

const fn key(section: &'static str, key: &'static str, example: &'static str) -> RunSetting {
    RunSetting {
        section,
        key,
        meaning: "",
        example,
    }
}

impl RunSetting {
    const fn means(mut self, meaning: &'static str) -> RunSetting {
        self.meaning = meaning;
        self
    }
}

const TWIST: [&str; 3] = ["you", "foe", "both"];

/// Every key but those of `[starter]`, where the keys are names of cards.
const KEYS: &[RunSetting] = &[
    key("run", "name", "\"Seven Doors\"").means("The name of the run"),
    key("run", "about", "\"From the beach to the tower.\"").means("What it is, in a sentence"),
    key("run", "won", "\"The town is quiet.\"").means("What is said when it is won"),
    key("run", "lost", "\"The tide takes you.\"").means("What is said when it is lost"),
    key("run", "picks", "12").means("Cards that are drafted, from 0 to 30 (default 15)"),
    key("run", "lives", "2").means("Duels that may be lost, from 1 to 9 (default 3)"),
    key("run", "packs", "[\"Booster\", \"Booster\"]")
        .means("The packs of the draft, by name or id (default: the first one, three times)"),
    key("steps", "place", "\"The beach\"").means("The name of the place"),
    key("steps", "about", "\"Wet.\"").means("What it is like there"),
    key("steps", "foes", "[\"Crumb\", \"Gasket\"]").means("Who may wait there, by name: two of them do"),
    key("steps", "survive", "90")
        .means("How many of a hundred runs are meant to get past it, if the level `normal` plays"),
    key("steps", "you", "{ hp = 300 }").means("What is otherwise for the player in duels there"),
    key("steps", "foe", "{ hp = -300 }").means("What is otherwise for the opponent there"),
    key("steps", "both", "{ ring-slots = -1 }").means("What is otherwise for both there"),
    key("foes", "name", "\"Crumb\"").means("The opponent's name"),
    key("foes", "card", "\"Crumb\"").means("The name of the card whose illustration is their face"),
    key("foes", "deck", "\"Second Rise\"").means("Their deck: a deck file's name without its ending"),
    key("foes", "level", "\"novice\"").means("The level that plays for them"),
    key("foes", "about", "\"Bakes.\"").means("Who they are, in a few words"),
    key("foes", "begin", "\"Flour up.\"").means("What they say when a duel begins"),
    key("foes", "blow", "\"Crusty!\"").means("What they say after a good blow"),
    key("foes", "end", "\"More tea?\"").means("What they say when the duel is over"),
    key("foes", "rule", "\"The floor is wet: attackers do not freeze.\"")
        .means("A rule of their own, in words: a foe with one is a boss"),
    key("foes", "you", "{ sp = -1 }").means("What their rule changes for the player"),
    key("foes", "foe", "{ opening-hand = 2 }").means("What it changes for themselves"),
    key("foes", "both", "{ attack_freeze = false }").means("What it changes for both"),
    key("charms", "name", "\"A dry sock\"").means("The name of the charm"),
    key("charms", "about", "\"You begin with 300 HP more.\"").means("What it does, in words"),
    key("charms", "you", "{ hp = 300 }").means("What it changes for the player"),
    key("charms", "foe", "{ sp = -1 }").means("What it changes for the opponent"),
    key("charms", "both", "{ united-sp = 1 }").means("What it changes for both"),
];

/// Every key of the file, in its order.
pub fn run_settings() -> impl Iterator<Item = RunSetting> {
    KEYS.iter().copied()
}

const SECTIONS: [&str; 5] = ["run", "starter", "steps", "foes", "charms"];

fn keys_of(section: &str) -> impl Iterator<Item = &'static str> + Clone {
    let named: Vec<&str> = KEYS
        .iter()
        .filter(|key| key.section == section)
        .map(|key| key.key)
        .collect();
    named.into_iter()
}

/// Places on a way, at most.
const MOST_STEPS: usize = 12;
/// Foes and charms, at most.
const MOST_NAMED: usize = 60;
/// Cards of a starter, at most.
const MOST_STARTER: u32 = 60;

impl RunConfig {
    /// Whether the package says anything.
    pub fn is_given(&self) -> bool {
        self.file.is_some()
    }

    /// Reads the text of a `run.toml`; what is wrong is added to `found`.
    pub(crate) fn read(text: &str, file: FileId, found: &mut Vec<Diagnostic>) -> RunConfig {
        let (table, toml) = TomlReader::begin(text, file, found, GT003);
        let mut reader = RunReader {
            toml,
            run: RunConfig {
                file: Some(file),
                ..RunConfig::default()
            },
        };
        for (section, value) in sorted(table.get_ref()) {
            reader.section(section, value);
        }
        let whole = Span::new(0, text.len().min(1));
        reader.as_a_whole(whole);
        reader.run
    }

    /// GT004: what the file names and is not there.
    pub(crate) fn unknown_names(&self, package: &Package, file: FileId, found: &mut Vec<Diagnostic>) {
        if !package.has_definition {
            return;
        }
        let mut check = |one: &Mention, what: &str, known: &[&str]| {
            let name = &one.name;
            if known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                return;
            }
            let message = format!("there is no {what} `{name}`");
            let finding = Diagnostic::new(GT004, Severity::Error, file, one.span, message);
            found.push(match nearest(name, known.iter().copied()) {
                Some(near) => finding.help(format!("did you mean `{near}`?")),
                None => finding.help(format!("write the name of a {what} of this package")),
            });
        };
        let cards: Vec<&str> = package.cards().map(|(_, card)| card.name.as_str()).collect();
        let decks: Vec<&str> = package.decks.iter().map(|deck| &*deck.name).collect();
        let packs = package.sets.iter().flat_map(|set| &set.packs);
        let packs: Vec<(String, String)> = packs
            .map(|pack| (pack.name.to_string(), pack.id.value.to_string()))
            .collect();
        let packs: Vec<&str> = packs
            .iter()
            .flat_map(|(name, id)| [name.as_str(), id.as_str()])
            .collect();
        let foes: Vec<&str> = self.foes.iter().map(|foe| foe.name.as_str()).collect();
        for pack in &self.packs {
            check(pack, "pack", &packs);
        }
        for (card, _) in &self.starter {
            check(card, "card", &cards);
        }
        for foe in &self.foes {
            if let Some(card) = &foe.card {
                check(card, "card", &cards);
            }
            if let Some(deck) = &foe.deck {
                check(deck, "deck", &decks);
            }
        }
        for foe in self.steps.iter().flat_map(|step| &step.foes) {
            check(foe, "foe", &foes);
        }
    }
}

struct RunReader<'a> {
    toml: TomlReader<'a>,
    run: RunConfig,
}

type TomlValue<'t> = Spanned<DeValue<'t>>;

impl RunReader<'_> {
    fn section(&mut self, name: ConfigName<'_>, value: &TomlValue<'_>) {
        match name.text {
            "run" => {
                for (key, value) in self.toml.table(name, value) {
                    self.of_run(key, value);
                }
            }
            "starter" => {
                for (card, value) in self.toml.table(name, value) {
                    if let Some(copies) = self.toml.number(card, value, 1, i64::from(MOST_STARTER)) {
                        let mention = Mention {
                            name: card.text.to_owned(),
                            span: card.span,
                        };
                        self.run
                            .starter
                            .push((mention, u32::try_from(copies).unwrap_or(1)));
                    }
                }
            }
            "steps" => self.several(name, value, MOST_STEPS, |reader, entries| {
                let mut step = StepConfig::default();
                for (key, value) in entries {
                    reader.of_step(&mut step, key, value);
                }
                reader.run.steps.push(step);
            }),
            "foes" => self.several(name, value, MOST_NAMED, |reader, entries| {
                let mut foe = FoeConfig::default();
                for (key, value) in entries {
                    reader.of_foe(&mut foe, key, value);
                }
                reader.run.foes.push(foe);
            }),
            "charms" => self.several(name, value, MOST_NAMED, |reader, entries| {
                let mut charm = CharmConfig::default();
                for (key, value) in entries {
                    reader.of_charm(&mut charm, key, value);
                }
                reader.run.charms.push(charm);
            }),
            _ => self.toml.unknown(name, "`run.toml`", SECTIONS.into_iter()),
        }
    }

    /// The sections `[[name]]`, each with its keys.
    fn several(
        &mut self,
        name: ConfigName<'_>,
        value: &TomlValue<'_>,
        most: usize,
        mut read: impl FnMut(&mut Self, Vec<(ConfigName<'_>, &TomlValue<'_>)>),
    ) {
        let wanted = format!("one or more sections `[[{}]]`", name.text);
        let DeValue::Array(list) = value.get_ref() else {
            self.toml.other_kind(name, value, &wanted);
            return;
        };
        for (at, one) in list.iter().enumerate() {
            let span = Span::from(one.span());
            if at == most {
                self.toml.wrong(
                    span,
                    format!("there are more than {most} `[[{}]]`", name.text),
                    None,
                );
                return;
            }
            let DeValue::Table(table) = one.get_ref() else {
                self.toml.other_kind(name, one, &wanted);
                continue;
            };
            let entries = sorted(table);
            let named = if name.text == "steps" { "place" } else { "name" };
            if !entries.iter().any(|(key, _)| key.text == named) {
                let help = format!("write `{named} = \"…\"` in it");
                let message = format!("this `[[{}]]` has no `{named}`", name.text);
                self.toml.wrong(span, message, Some(help));
            }
            read(self, entries);
        }
    }

    fn of_run(&mut self, key: ConfigName<'_>, value: &TomlValue<'_>) {
        let small = |number: i64| u32::try_from(number).ok();
        match key.text {
            "name" => self.run.name = self.toml.text(key, value).unwrap_or_default(),
            "about" => self.run.about = self.toml.text(key, value).unwrap_or_default(),
            "won" => self.run.endings[0] = self.toml.text(key, value).unwrap_or_default(),
            "lost" => self.run.endings[1] = self.toml.text(key, value).unwrap_or_default(),
            "picks" => self.run.picks = self.toml.number(key, value, 0, 30).and_then(small),
            "lives" => self.run.lives = self.toml.number(key, value, 1, 9).and_then(small),
            "packs" => {
                self.run.packs = self.mentions(key, value);
                if self.run.packs.len() > 6 {
                    let message = format!("a run has at most 6 packs, not {}", self.run.packs.len());
                    self.toml.wrong(Span::from(value.span()), message, None);
                }
            }
            _ => self.toml.unknown(key, "`[run]`", keys_of("run")),
        }
    }

    fn mentions(&mut self, key: ConfigName<'_>, value: &TomlValue<'_>) -> Vec<Mention> {
        let texts = self.toml.texts(key, value).into_iter();
        texts.map(|(name, span)| Mention { name, span }).collect()
    }

    fn of_step(&mut self, step: &mut StepConfig, key: ConfigName<'_>, value: &TomlValue<'_>) {
        match key.text {
            "place" => step.place = self.toml.text(key, value).unwrap_or_default(),
            "about" => step.about = self.toml.text(key, value).unwrap_or_default(),
            "foes" => {
                step.foes = self.mentions(key, value);
                if step.foes.len() < 2 {
                    let message = "fewer than two foes are no choice".to_owned();
                    let help = "name at least two of the `[[foes]]`".to_owned();
                    self.toml.wrong(Span::from(value.span()), message, Some(help));
                }
            }
            "survive" => {
                let share = self.toml.number(key, value, 1, 100);
                step.survive = share.and_then(|share| u32::try_from(share).ok());
            }
            side if TWIST.contains(&side) => self.twist(&mut step.twist, key, value),
            _ => self.toml.unknown(key, "`[[steps]]`", keys_of("steps")),
        }
    }

    fn of_foe(&mut self, foe: &mut FoeConfig, key: ConfigName<'_>, value: &TomlValue<'_>) {
        if TWIST.contains(&key.text) {
            self.twist(&mut foe.twist, key, value);
            return;
        }
        if !keys_of("foes").any(|known| known == key.text) {
            self.toml.unknown(key, "`[[foes]]`", keys_of("foes"));
            return;
        }
        let Some(text) = self.toml.text(key, value) else {
            return;
        };
        let span = Span::from(value.span());
        let mention = |name: String| Some(Mention { name, span });
        let [begin, blow, end] = &mut foe.lines;
        match key.text {
            "card" => foe.card = mention(text),
            "deck" => foe.deck = mention(text),
            "level" => {
                if !LEVELS.contains(&text.as_str()) {
                    let message = format!("`level` is `{text}`, it must be one of {}", LEVELS.join(", "));
                    self.toml.wrong(span, message, None);
                }
                foe.level = Some(text);
            }
            "about" => foe.about = text,
            "begin" => *begin = text,
            "blow" => *blow = text,
            "end" => *end = text,
            "rule" => foe.rule = text,
            _ => foe.name = text,
        }
    }

    fn of_charm(&mut self, charm: &mut CharmConfig, key: ConfigName<'_>, value: &TomlValue<'_>) {
        match key.text {
            "name" => charm.name = self.toml.text(key, value).unwrap_or_default(),
            "about" => charm.about = self.toml.text(key, value).unwrap_or_default(),
            side if TWIST.contains(&side) => self.twist(&mut charm.twist, key, value),
            _ => self.toml.unknown(key, "`[[charms]]`", keys_of("charms")),
        }
    }

    /// What is otherwise for one side: numbers that are added, and rules that hold or do not.
    fn twist(&mut self, twist: &mut RuleTwist, side: ConfigName<'_>, value: &TomlValue<'_>) {
        let Some(whose) = TwistSide::ALL.into_iter().find(|one| one.name() == side.text) else {
            return;
        };
        let numbers = TwistNumber::ALL.into_iter();
        let numbers: Vec<TwistNumber> = numbers
            .filter(|number| number.is_of_seats() || whose == TwistSide::Both)
            .collect();
        for (key, value) in self.toml.table(side, value) {
            let number = numbers.iter().find(|number| number.name() == key.text);
            let rule = twisted_rules().find(|flag| flag.word() == key.text);
            let what = match (number, rule) {
                (Some(number), _) => {
                    let most = i64::from(number.most());
                    let more = self.toml.number(key, value, -most, most);
                    more.and_then(|more| i32::try_from(more).ok())
                        .map(|more| TwistChange::Number(*number, more))
                }
                (None, Some(flag)) => match value.get_ref() {
                    DeValue::Boolean(holds) => Some(TwistChange::Rule(flag, *holds)),
                    _ => {
                        self.toml.other_kind(key, value, "true or false");
                        None
                    }
                },
                (None, None) => {
                    let known = numbers.iter().map(|number| number.name());
                    let known: Vec<&str> = known.chain(twisted_rules().map(ClosedWord::word)).collect();
                    if TwistNumber::ALL.iter().any(|number| number.name() == key.text) {
                        let help = format!("write it under `both`: `both = {{ {} = 1 }}`", key.text);
                        let message = format!("both players have the same `{}`", key.text);
                        self.toml.wrong(key.span, message, Some(help));
                    } else {
                        self.toml
                            .unknown(key, &format!("`{}`", side.text), known.into_iter());
                    }
                    None
                }
            };
            twist.lines.extend(what.map(|what| TwistLine { whose, what }));
        }
    }

    /// What no single line says wrongly.
    fn as_a_whole(&mut self, whole: Span) {
        let cards = self.run.starter.iter();
        let cards: u32 = cards.fold(0, |sum, (_, copies)| sum.saturating_add(*copies));
        if cards > MOST_STARTER {
            let span = self.run.starter.last().map_or(whole, |(card, _)| card.span);
            let message = format!("the starter has {cards} cards, at most {MOST_STARTER} are allowed");
            self.toml.wrong(span, message, None);
        }
        if !self.run.foes.is_empty() && self.run.steps.iter().all(|step| step.foes.is_empty()) {
            let message = "no step names a foe".to_owned();
            let help = "write `foes = [\"…\", \"…\"]` in each `[[steps]]`".to_owned();
            self.toml.wrong(whole, message, Some(help));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, wanted: &[&str]) -> RunConfig {
        let mut found = Vec::new();
        let run = RunConfig::read(text, FileId(0), &mut found);
        let words = found.iter().map(|one| {
            let help = one
                .help
                .as_deref()
                .map_or(String::new(), |help| format!("; {help}"));
            format!("{:?} {} {}{help}", one.span, one.code, one.message)
        });
        assert_eq!(words.collect::<Vec<_>>(), wanted);
        run
    }

    /// Each example is one that the reader takes, and says something.
    #[test]
    fn every_key_is_read_and_described() {
        let page = include_str!("../../../docs/run-toml.md");
        for setting in run_settings() {
            let RunSetting {
                section,
                key,
                example,
                meaning,
            } = setting;
            let heading = match section {
                "run" => "[run]".to_owned(),
                section => format!("[[{section}]]"),
            };
            let named = if section == "steps" { "place" } else { "name" };
            let own = if section == "run" || key == named {
                String::new()
            } else {
                format!("{named} = \"x\"\n")
            };
            // A foe alone has no step that names it, which is another test's matter.
            let read = |text: &str| {
                let mut found = Vec::new();
                let run = RunConfig::read(text, FileId(0), &mut found);
                found.retain(|one| one.message != "no step names a foe");
                assert!(found.is_empty(), "{text}: {found:?}");
                run
            };
            let with = read(&format!("{heading}\n{own}{key} = {example}\n"));
            let without = read(
                &format!("{heading}\n{own}{named} = \"y\"\n")
                    .replace("name = \"x\"\nname = \"y\"\n", "name = \"x\"\n")
                    .replace("place = \"x\"\nplace = \"y\"\n", "place = \"x\"\n"),
            );
            assert_ne!(with, without, "{setting:?}");
            assert!(
                page.contains(&format!("| `{key}` | {meaning} | `{example}` |")),
                "{setting:?}"
            );
        }
    }

    /// GT003: a mistake is found at its place, with what to write instead (D109).
    #[test]
    fn mistakes_are_found_at_their_places() {
        check(
            "[run]\nlifes = 3\n",
            &["6..11 GT003 `lifes` is no key of `[run]`; did you mean `lives`?"],
        );
        check(
            "[run]\nlives = 0\n",
            &["14..15 GT003 `lives` is 0, it must be from 1 to 9"],
        );
        check(
            "[runs]\n",
            &["1..5 GT003 `runs` is no key of `run.toml`; did you mean `run`?"],
        );
        check(
            "[[steps]]\nplace = \"A\"\nfoes = [\"B\"]\n",
            &["29..34 GT003 fewer than two foes are no choice; name at least two of the `[[foes]]`"],
        );
        check(
            "[[charms]]\nname = \"C\"\nyou = { ring-slots = 1 }\n",
            &["30..40 GT003 both players have the same `ring-slots`; \
               write it under `both`: `both = { ring-slots = 1 }`"],
        );
        check(
            "[[charms]]\nname = \"C\"\nyou = { piercing = 1 }\n",
            &["41..42 GT003 `piercing` is a number, it must be true or false"],
        );
        check(
            "[[charms]]\nyou = { hp = 1 }\n",
            &["0..10 GT003 this `[[charms]]` has no `name`; write `name = \"…\"` in it"],
        );
        check(
            "[starter]\nCrumb = 61\n",
            &["18..20 GT003 `Crumb` is 61, it must be from 1 to 60"],
        );
    }
}
