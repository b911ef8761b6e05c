//! The files of a static site: the page around the tables, and what of a game can lie in files.

use std::borrow::Cow;
use std::collections::BTreeMap;

use cw_octgn::MemoryFiles;
use cw_pages::secret::Secret;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::desk::PageDesk;
use crate::open::{read, unpacked};

/// CodeMirror in one file, made elsewhere: its texts may go over several lines.
const EDITOR: &str = "editor.js";

/// The page's own scripts and styles, by their names.
const OWN: [(&str, &str); 9] = [
    (EDITOR, include_str!("../assets/editor.js")),
    ("folder.js", include_str!("../assets/folder.js")),
    ("page.html", include_str!("../assets/page.html")),
    ("page.js", include_str!("../assets/page.js")),
    ("playground.css", include_str!("../assets/playground.css")),
    ("playground.js", include_str!("../assets/playground.js")),
    ("site.css", include_str!("../assets/site.css")),
    ("site.js", include_str!("../assets/site.js")),
    ("worker.js", include_str!("../assets/worker.js")),
];

/// The name of the module that does everything.
const WHOLE: &str = "cardwright.wasm";

/// How many pictures lie in files at most; those of larger games are drawn in the page, when they are seen.
const MOST_PICTURES: usize = 4000;

/// The name of the report's file.
const REPORT: &str = "balance.html";

/// A file by its name in the site's folder.
pub type SiteFiles = BTreeMap<String, Vec<u8>>;

/// The WebAssembly modules of this crate.
#[derive(Clone, Debug, Default)]
pub struct SiteModules {
    /// With the feature `whole`.
    pub whole: Vec<u8>,
    /// Without it: for a game with rules and not too many pictures, visitors load this one first.
    pub play: Option<Vec<u8>>,
    /// What of `play` does not run before the first choice, if that was split.
    pub rest: Option<Vec<u8>>,
}

impl SiteModules {
    /// Whether one part of the module that visitors load first is not here with the other.
    pub fn is_torn(&self) -> bool {
        // A module that was split asks for the functions of its rest by this name.
        const ASKED: &[u8] = b"\x0bplaceholder";
        let is_part = |play: &Vec<u8>| play.windows(ASKED.len()).any(|part| part == ASKED);
        self.play.as_ref().is_some_and(is_part) != self.rest.is_some()
    }
}

/// The name of the module that holds duels alone.
const PLAY: &str = "play.wasm";

/// The name of its rest.
const REST: &str = "play-rest.wasm";

/// All files of a site: `game` is an archive, `report` a page about the game's balance to link, `chance`
/// draws the secrets of the tables that are opened to draw the pictures.
///
/// # Errors
/// Words, if nothing can be laid with the game.
pub fn site(
    game: Vec<u8>,
    modules: SiteModules,
    report: Option<Vec<u8>>,
    chance: fn() -> Secret,
) -> Result<SiteFiles, String> {
    let unpacked = unpacked(game.clone())?;
    let (mut desk, opened) = PageDesk::of_files(&unpacked, chance, None)?;
    let mut files = SiteFiles::new();
    let mut addresses = BTreeMap::new();
    let pictures = desk.pictures().to_vec();
    let in_files = pictures.len() <= MOST_PICTURES;
    let pictures = match in_files {
        true => pictures,
        false => Vec::new(),
    };
    // It draws nothing and has no table without rules.
    let play = modules
        .play
        .filter(|_| in_files && opened.rules && is_plain(&unpacked));
    for address in cw_routes::assets().chain(pictures) {
        // What a table without rules lacks, nobody asks for.
        let Some((kind, bytes)) = desk.read(&address) else {
            continue;
        };
        let name = file_name(&address, &kind);
        addresses.insert(address, name.clone());
        files.insert(name, bytes);
    }
    files.insert("files.json".to_owned(), json!(addresses).to_string().into_bytes());
    for (name, text) in OWN {
        files.insert(name.to_owned(), sent(name, text).into_owned().into_bytes());
    }
    files.insert("icon.svg".to_owned(), cw_faces::back().into_bytes());
    let about = match opened.rules {
        true => format!(
            "Play {} in your browser, against the computer: {}. Nothing to install.",
            opened.name,
            desk.holds()
        ),
        false => format!(
            "A table for {} in your browser: {}. Nothing to install.",
            opened.name,
            desk.holds()
        ),
    };
    let page = include_str!("../assets/index.html");
    let page = page
        .replace("{{NAME}}", &escaped(&opened.name))
        .replace("{{ABOUT}}", &escaped(&about))
        .replace("{{PLAY}}", if play.is_some() { PLAY } else { "" })
        .replace("{{REPORT}}", if report.is_some() { REPORT } else { "" });
    files.insert("index.html".to_owned(), page.into_bytes());
    files.insert(WHOLE.to_owned(), modules.whole);
    let has_play = play.is_some();
    if let Some(play) = play {
        files.insert(PLAY.to_owned(), play);
        files.extend(modules.rest.map(|rest| (REST.to_owned(), rest)));
    }
    if let Some(report) = report {
        files.insert(REPORT.to_owned(), report);
    }
    files.insert("game.o8g".to_owned(), game);
    let script = offline(&files, &opened.name, has_play);
    files.insert("offline.js".to_owned(), script.into_bytes());
    Ok(files)
}

/// The part of an own file that is for browsers: comments are for those who read the source.
fn sent<'a>(name: &str, text: &'a str) -> Cow<'a, str> {
    match (name.ends_with(".js") || name.ends_with(".css")) && name != EDITOR {
        true => Cow::Owned(cw_routes::without_comments(text)),
        false => Cow::Borrowed(text),
    }
}

/// Whether the module that holds duels alone plays this game as the whole one does. It knows no names of
/// characters (`\N{…}`) and runs no lints: a rule with an error that only these find would be played there,
/// and not here (D38).
fn is_plain(files: &MemoryFiles) -> bool {
    let names_one = |(_, bytes): (&str, &[u8])| names_character(bytes);
    !files.iter().any(names_one) && read(files).is_ok_and(|project| project.rule_errors().is_empty())
}

/// Whether a character is named in this text, which may be UTF-16.
fn names_character(bytes: &[u8]) -> bool {
    let narrow: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    narrow.windows(3).any(|part| part == br"\N{")
}

/// Whether a visitor may never want a file: it belongs to the playground, to games of the visitor's own and,
/// if there is a module for duels alone, to free tables.
fn is_more(name: &str, has_play: bool) -> bool {
    let is_of_work = name == EDITOR || name == "folder.js" || name.starts_with("playground.");
    is_of_work || has_play && (name == WHOLE || name.starts_with("assets/free/"))
}

/// The script that keeps the files. Its version follows from all of them: a changed file makes a new one.
fn offline(files: &SiteFiles, name: &str, has_play: bool) -> String {
    let mut hasher = blake3::Hasher::new();
    for (name, bytes) in files {
        for part in [name.as_bytes(), bytes] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    let version = format!("{name} {}", &hasher.finalize().to_hex()[..16]);
    let digests = files.iter().map(|(name, bytes)| (name, digest(bytes)));
    let (more, list): (BTreeMap<_, _>, BTreeMap<_, _>) =
        digests.partition(|(name, _)| is_more(name, has_play));
    include_str!("../assets/offline.js")
        .replace("\"{{VERSION}}\"", &json!(version).to_string())
        .replace("/*FILES*/{}", &json!(list).to_string())
        .replace("/*MORE*/{}", &json!(more).to_string())
}

/// How a browser knows a file of this version again: its SHA-256 in Base64, as it stands in the metadata of
/// [Subresource Integrity](https://www.w3.org/TR/SRI/), so that browsers compare it themselves.
fn digest(bytes: &[u8]) -> String {
    cw_faces::base64(&Sha256::digest(bytes))
}

/// Where the file of an address lies. Servers of files say by the ending what a file is.
fn file_name(address: &str, kind: &str) -> String {
    let name = address.trim_start_matches('/');
    let has_ending = name.rsplit('/').next().is_some_and(|last| last.contains('.'));
    let ending = match kind.split(';').next().unwrap_or_default() {
        _ if has_ending => "",
        "image/svg+xml" => ".svg",
        "image/png" => ".png",
        "image/jpeg" => ".jpg",
        "image/gif" => ".gif",
        "image/webp" => ".webp",
        _ => "",
    };
    format!("{name}{ending}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The site of the demo game, in whose rules one text was replaced with another.
    fn site_of(was: &str, now: &str) -> SiteFiles {
        const RULES: &str = "Rules/core.rules";
        let game = cw_lab::open(None, &cw_load::ReadOptions::default(), &|_| {}).expect("the demo game");
        let limits = cw_octgn::PackageLimits::default();
        let files = MemoryFiles::copy_of(&*game.files, limits.file).expect("the demo game");
        let (_, rules) = files.iter().find(|(name, _)| *name == RULES).expect("its rules");
        let rules = String::from_utf8(rules.to_vec()).expect("they are text");
        assert!(rules.contains(was));
        let files = files.with(RULES, rules.replacen(was, now, 1));
        let project = read(&files).expect("it can be read");
        let archive = cw_octgn::export(&files, &project.package, &limits).expect("it can be packed");
        let modules = SiteModules {
            whole: b"whole".to_vec(),
            play: Some(b"play".to_vec()),
            rest: Some(b"rest".to_vec()),
        };
        site(archive.bytes, modules, None, || Secret::of([9; 32])).expect("a site")
    }

    #[test]
    fn a_character_is_named_in_any_encoding() {
        let text = r"# \N{BULLET}";
        let wide = text.encode_utf16();
        assert!(names_character(text.as_bytes()));
        assert!(names_character(
            &wide.clone().flat_map(u16::to_le_bytes).collect::<Vec<_>>()
        ));
        assert!(names_character(
            &wide.flat_map(u16::to_be_bytes).collect::<Vec<_>>()
        ));
        assert!(!names_character(br"# \n{BULLET}"));
    }

    /// Lines of comment are not sent, so no line may look like one and be text.
    #[test]
    fn no_text_of_an_own_script_goes_over_several_lines() {
        for (name, text) in OWN
            .iter()
            .filter(|(name, _)| name.ends_with(".js") && *name != EDITOR)
        {
            let sent = sent(name, text);
            assert!(sent.len() < text.len(), "{name} has comments");
            for line in sent.lines() {
                let marks = line.replace("\\`", "").matches('`').count();
                assert!(marks.is_multiple_of(2), "{name}: {line}");
            }
        }
    }

    #[test]
    fn parts_of_a_module_belong_together() {
        let modules = |play: &[u8], rest: Option<&[u8]>| SiteModules {
            whole: Vec::new(),
            play: Some(play.to_vec()),
            rest: rest.map(<[u8]>::to_vec),
        };
        let (first, rest) = (b"\0asm \x0bplaceholder\x017".as_slice(), b"\0asm".as_slice());
        assert!(!modules(first, Some(rest)).is_torn());
        assert!(!modules(rest, None).is_torn());
        assert!(modules(first, None).is_torn(), "the rest is missing");
        assert!(modules(rest, Some(rest)).is_torn(), "a rest of something else");
        assert!(!SiteModules::default().is_torn());
    }

    /// The digest of a file is its SHA-256 (NIST's example for "abc"). The script that keeps files knows that
    /// of each, so that none of another version is taken for it.
    #[test]
    fn the_script_knows_every_file_by_its_digest() {
        assert_eq!(digest(b"abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
        let rule = "abilities = cantblock\n";
        let site = site_of(rule, rule);
        let script = String::from_utf8_lossy(&site["offline.js"]);
        let listed = |list: &str| -> BTreeMap<String, String> {
            let line = script
                .lines()
                .find_map(|line| line.strip_prefix(&format!("const {list} = ")));
            let text = line.and_then(|line| line.strip_suffix(';')).expect("a list");
            serde_json::from_str(text).expect("it is JSON")
        };
        let (kept, more) = (listed("FILES"), listed("MORE"));
        assert!(more.contains_key(WHOLE) && more.contains_key("playground.js"));
        let all: BTreeMap<String, String> = kept.into_iter().chain(more).collect();
        let files = site.iter().filter(|(name, _)| *name != "offline.js");
        let expected: BTreeMap<String, String> =
            files.map(|(name, bytes)| (name.clone(), digest(bytes))).collect();
        assert_eq!(all, expected);
    }

    /// A game has the module that holds duels alone only if it is played there as in the whole one: one that
    /// names a character has not, nor one with an error that a lint finds (RS063).
    #[test]
    fn only_a_plain_game_has_the_small_module() {
        let rule = "abilities = cantblock\n";
        let plain = site_of(rule, rule);
        assert!(plain.contains_key(PLAY) && plain.contains_key(REST));
        for added in [r"# \N{BULLET}", "action = destroy() to(opp)"] {
            let whole = site_of(rule, &format!("{rule}{added}\n"));
            assert!(!whole.contains_key(PLAY) && !whole.contains_key(REST), "{added}");
            let names = |site: &SiteFiles| String::from_utf8_lossy(&site["index.html"]).matches(PLAY).count();
            assert!(names(&whole) < names(&plain), "{added}");
        }
    }
}
