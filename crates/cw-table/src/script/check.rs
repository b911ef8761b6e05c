//! What a package's scripts cannot do here, found without running them: findings for `check`, words for the
//! list of entries.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use cw_script::{ScriptUse, UsedThing};
use cw_text::{Diagnostic, FileId, FindingCode, Severity, Span, nearest};

use super::{ScriptKit, room};
use crate::{Kit, PackageAction};

/// A name that nothing defines.
pub const FT006: FindingCode = FindingCode("FT006");
/// A module that scripts do not get.
pub const FT007: FindingCode = FindingCode("FT007");
/// A call with arguments that its function does not take.
pub const FT008: FindingCode = FindingCode("FT008");
/// A script that cannot be loaded.
pub const FT009: FindingCode = FindingCode("FT009");

/// What functions of the interface take: at least, at most, and the names of those.
const TAKEN: &[(&str, usize, &[&str])] = &[
    ("notify", 1, &["text"]),
    ("whisper", 1, &["text"]),
    ("notifyBar", 2, &["color", "text"]),
    ("mute", 0, &[]),
    ("update", 0, &[]),
    ("confirm", 1, &["text"]),
    ("askInteger", 1, &["text", "default"]),
    ("askString", 1, &["text", "default"]),
    ("askChoice", 1, &["text", "choices", "colors", "customButtons"]),
    ("askMarker", 0, &[]),
    ("askCard", 0, &["properties", "operator", "title"]),
    ("cardDlg", 1, &["list", "bottomList"]),
    ("rnd", 2, &["min", "max"]),
    ("rndArray", 3, &["min", "max", "n"]),
    ("getPlayers", 0, &[]),
    ("getGlobalVariable", 1, &["name"]),
    ("setGlobalVariable", 2, &["name", "value"]),
    ("getSetting", 1, &["name", "default"]),
    ("setSetting", 2, &["name", "value"]),
    ("nextTurn", 0, &["player", "force"]),
    ("turnNumber", 0, &[]),
    ("getActivePlayer", 0, &[]),
    ("setActivePlayer", 0, &["player"]),
    ("currentPhase", 0, &[]),
    ("setPhase", 1, &["phase", "force"]),
    ("getStop", 1, &["phase"]),
    ("setStop", 1, &["phase", "on"]),
    ("queryCard", 0, &["properties", "exact"]),
    ("remoteCall", 2, &["player", "function", "args"]),
    ("openUrl", 1, &["url"]),
    ("playSound", 1, &["name"]),
    ("resetGame", 0, &[]),
    ("Card", 1, &["id"]),
    ("Player", 1, &["id"]),
];

/// Functions that are there and give nothing: what an entry that uses them does without.
const WITHOUT: &[(&str, &str)] = &[
    ("openFileDlg", "gets no files"),
    ("saveFileDlg", "gets no files"),
    ("open", "gets no files"),
    ("webRead", "gets nothing from the net"),
    ("webPost", "gets nothing from the net"),
    ("generatePack", "opens no packs"),
    ("choosePack", "chooses no pack"),
];

/// What becomes of an entry of the package's menus that names a function (S171).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryRuns {
    /// It runs.
    Well,
    /// It runs, and these of its things are not there.
    But(Vec<String>),
    /// It cannot run, for this reason.
    Not(String),
}

/// A use that will fail, with its words and what to do.
struct Trouble {
    code: FindingCode,
    words: String,
    help: Option<String>,
}

fn plural(count: usize) -> String {
    match count {
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    }
}

impl ScriptKit {
    fn defines_name(&self, name: &str) -> bool {
        self.usage.defined.contains(name) || self.names.contains(name) || name.starts_with("__")
    }

    /// A module is imported that is not there.
    fn lacks(used: &ScriptUse) -> bool {
        matches!(used.what, UsedThing::Module(_, false)) && !used.is_tried
    }

    /// What is wrong with a use, if anything is.
    fn trouble(&self, used: &ScriptUse) -> Option<Trouble> {
        match &used.what {
            UsedThing::Module(_, true) => None,
            UsedThing::Module(name, false) => Some(Trouble {
                code: FT007,
                words: format!("the table gives scripts no module `{name}`"),
                help: Some(match name.split('.').next() {
                    Some("System" | "Microsoft" | "IronPython") => {
                        "there is no .NET; text, numbers and patterns are in Python's own modules".to_owned()
                    }
                    _ => "scripts get re, math, random, time, datetime, \
                          collections, itertools, json and their like"
                        .to_owned(),
                }),
            }),
            UsedThing::Name(name) => {
                if self.usage.is_open || self.defines_name(name) {
                    return None;
                }
                let all = self.usage.defined.iter().map(|name| &**name);
                let near = nearest(name, all.chain(self.names.iter().map(String::as_str)));
                Some(Trouble {
                    code: FT006,
                    words: format!("nothing defines the name `{name}`"),
                    help: near.map(|near| format!("did you mean `{near}`?")),
                })
            }
            UsedThing::Call(name, args, named) => {
                let own = self.usage.functions.get(name);
                let is_own = self.usage.defined.contains(name);
                let (least, params, open): (usize, Vec<&str>, bool) = match own {
                    Some(own) => (
                        own.least,
                        own.params.iter().map(|name| &**name).collect(),
                        own.is_open,
                    ),
                    None if is_own => return None,
                    None => {
                        let (_, least, params) = TAKEN.iter().find(|(own, ..)| **own == **name)?;
                        (*least, params.to_vec(), false)
                    }
                };
                let given = args + named.len();
                let unknown = named
                    .iter()
                    .find(|name| own.is_some() && !params.contains(&&***name));
                let words = if let Some(unknown) = unknown.filter(|_| !open) {
                    format!("`{name}` has no argument `{unknown}`")
                } else if given < least && !open {
                    format!("`{name}` takes at least {}, and gets {given}", plural(least))
                } else if given > params.len() && !open {
                    format!(
                        "`{name}` takes at most {}, and gets {given}",
                        plural(params.len())
                    )
                } else {
                    return None;
                };
                let help = match params.is_empty() {
                    true => format!("{name}()"),
                    false => format!("its arguments are {}", params.join(", ")),
                };
                Some(Trouble {
                    code: FT008,
                    words,
                    help: Some(help),
                })
            }
        }
    }
}

impl Kit {
    /// What the package's scripts cannot do at a table: names that nothing defines, modules that they do not
    /// get, calls that fail, files that cannot be loaded.
    pub fn script_findings(&self) -> Vec<Diagnostic> {
        let Some(scripts) = &self.scripts else {
            return Vec::new();
        };
        let files: BTreeMap<String, FileId> = self
            .package
            .scripts
            .iter()
            .map(|(file, _)| (self.package.sources.get(*file).name.replace('\\', "/"), *file))
            .collect();
        let file_of = |name: &str| {
            let wanted = name.replace('\\', "/").to_lowercase();
            let found = files
                .iter()
                .find(|(own, _)| own.to_lowercase().ends_with(&wanted));
            found.map(|(_, file)| *file)
        };
        let mut found = Vec::new();
        let mut said = BTreeSet::new();
        let mut add = |file: FileId, line: u32, about: &str, severity, trouble: Trouble| {
            let span = place(&self.package.sources.get(file).text, line, about);
            if said.insert((trouble.code, file, span)) {
                let mut made = Diagnostic::new(trouble.code, severity, file, span, trouble.words);
                made.help = trouble.help;
                found.push(made);
            }
        };
        for (name, fault, line) in &scripts.unloaded {
            // What cannot be compiled by anybody is a finding of the package already.
            let known = self
                .package
                .scripts
                .iter()
                .any(|(file, script)| Some(*file) == file_of(name) && !script.faults.is_empty());
            // A module that is not there is said as such.
            let imports = scripts
                .usage
                .uses
                .iter()
                .any(|used| used.is_at(name, *line) && ScriptKit::lacks(used));
            if let (Some(file), false) = (file_of(name), known || imports) {
                let trouble = Trouble {
                    code: FT009,
                    words: format!("the table cannot load this script: {fault}"),
                    help: Some("everything before this line is loaded, and so are other files".to_owned()),
                };
                add(file, *line, "", Severity::Error, trouble);
            }
        }
        for used in &scripts.usage.uses {
            let (Some(file), Some(trouble)) = (file_of(&used.file), scripts.trouble(used)) else {
                continue;
            };
            let stops = scripts
                .unloaded
                .iter()
                .any(|(name, _, line)| used.is_at(name, *line));
            let severity = match used.is_tried {
                true => Severity::Hint,
                false if stops => Severity::Error,
                false => Severity::Warning,
            };
            let (UsedThing::Name(about) | UsedThing::Module(about, _) | UsedThing::Call(about, ..)) =
                &used.what;
            add(file, used.line, about, severity, trouble);
        }
        found.sort_by_key(|found| (found.file, found.span));
        found
    }

    /// What becomes of an entry that names a function of the package's scripts; nothing if it names none.
    pub fn entry_runs(&self, action: &PackageAction) -> Option<EntryRuns> {
        let scripts = self.scripts.as_ref()?;
        let function = action.definition.execute.as_str();
        if function.is_empty() || action.definition.separator {
            return None;
        }
        if !scripts.defines(function) {
            let unloaded = scripts.unloaded.first();
            let why = match unloaded {
                Some((file, fault, line))
                    if scripts.usage.functions.contains_key(function) || fault.contains("SyntaxError") =>
                {
                    format!("{file} cannot be loaded: {fault}, line {line}")
                }
                _ => format!("no script defines {function}"),
            };
            return Some(EntryRuns::Not(why));
        }
        if let Some(own) = scripts.usage.functions.get(function)
            && own.least > 3
            && !own.is_open
        {
            return Some(EntryRuns::Not(format!(
                "{function} wants {} ({}, line {})",
                plural(own.least),
                own.file,
                own.line
            )));
        }
        // What it leads to.
        let mut reached: BTreeSet<&str> = BTreeSet::from([function]);
        let mut open = VecDeque::from([function]);
        let mut words: Vec<String> = Vec::new();
        while let Some(name) = open.pop_front() {
            let inside = scripts
                .usage
                .uses
                .iter()
                .filter(|used| used.function.as_deref() == Some(name));
            for used in inside {
                if let UsedThing::Name(next) = &used.what {
                    if scripts.usage.functions.contains_key(next) && reached.insert(next) {
                        open.push_back(next);
                    }
                    let without = WITHOUT.iter().find(|(own, _)| **own == **next);
                    if let Some((_, without)) = without.filter(|_| !scripts.usage.defined.contains(next)) {
                        words.push((*without).to_owned());
                    }
                }
                if let Some(trouble) = scripts.trouble(used).filter(|_| !used.is_tried) {
                    let plain = trouble.words.replace('`', "");
                    words.push(format!("{plain} ({}, line {})", used.file, used.line));
                }
            }
        }
        let mut seen = BTreeSet::new();
        words.retain(|words| seen.insert(words.clone()));
        Some(match words.is_empty() {
            true => EntryRuns::Well,
            false => EntryRuns::But(words),
        })
    }
}

/// The bytes of a line that are meant: the name, if it stands there, else the line.
fn place(text: &str, line: u32, about: &str) -> Span {
    let mut start = 0;
    for (number, whole) in (1..).zip(text.split_inclusive('\n')) {
        if number == line {
            let shown = whole.trim_end();
            let blank = shown.len() - shown.trim_start().len();
            let at = shown.match_indices(about).find(|(at, _)| {
                let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                !is_word(shown[..*at].chars().next_back())
                    && !is_word(shown[at + about.len()..].chars().next())
            });
            return match at.filter(|_| !about.is_empty()) {
                Some((at, _)) => Span::new(start + at, start + at + about.len()),
                None => Span::new(start + blank, start + shown.len()),
            };
        }
        start += whole.len();
    }
    Span::at(text.len())
}

/// The names that stand before the first file.
pub(super) fn names() -> BTreeSet<String> {
    let own = [
        "Rot0",
        "Rot90",
        "Rot180",
        "Rot270",
        "collections",
        "idict",
        "me",
        "shared",
        "players",
        "table",
    ];
    let more = ["version", "gameVersion", "cardProperties"];
    let prelude = super::PRELUDE.lines().filter_map(|line| {
        let rest = line
            .strip_prefix("def ")
            .or_else(|| line.strip_prefix("class "))?;
        rest.split(['(', ':']).next()
    });
    let all = own
        .into_iter()
        .chain(more)
        .chain(prelude)
        .chain(room::function_names());
    all.map(str::to_owned).collect()
}

/// What of the files could not be loaded: which, why, at which line.
pub(super) type Unloaded = Vec<(Arc<str>, String, u32)>;
