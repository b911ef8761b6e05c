//! Packages with one mistake each, for laws about what is found and mended.

use cw_octgn::{MemoryFiles, PackChance, PackageFiles};

/// Words that are right somewhere else.
const WORDS: [&str; 24] = [
    "draw",
    "damage",
    "character",
    "Character",
    "Charakter",
    "me",
    "opp",
    "action",
    "auto",
    "target",
    "200",
    "0",
    "-1",
    "=",
    "==",
    "&",
    "(",
    ")",
    "\"",
    "[",
    "Kind",
    "Sets",
    "id",
    "99",
];

/// Lines that `game.toml` may get.
const SETTINGS: [&str; 15] = [
    "\n[deck]\nsize = 40\n",
    "\n[deck]\nsize = { min = 40, max = 60 }\ncopies = 2\n",
    "\n[deck]\ncopies = 0\n",
    "\n[deck.exceptions]\n\"Crumb\" = 1\n",
    "\n[deck.sections]\nMain = 3\n",
    "\nCW003 = \"allow\"\nCW004 = \"hint\"\n",
    "\nRS003 = \"allow\"\n",
    "\nRS011 = \"error\"\n",
    "\nRS061 = \"error\"\nRS071 = \"error\"\n",
    "\nRS003 = \"allow\"\nRS007 = \"allow\"\nRS038 = \"hint\"\nRS067 = \"allow\"\nRS068 = \"allow\"\n",
    "\nRS051 = \"error\"\nRS075 = \"error\"\nRS079 = \"error\"\n",
    "\nPK001 = \"allow\"\nPK133 = \"allow\"\n",
    "\nPK121 = \"allow\"\nPK124 = \"off\"\n",
    "\nGT001 = \"allow\"\nCW001 = \"allow\"\n",
    "\nhp = 7\n",
];

/// The demo game with one mistake.
pub fn mistaken(files: &MemoryFiles, chance: &mut PackChance) -> (MemoryFiles, String) {
    let names: Vec<String> = files.list().expect("memory can be listed");
    let read: Vec<&String> = names
        .iter()
        .filter(|name| {
            [".xml", ".rules", ".toml", ".o8d"]
                .iter()
                .any(|end| name.ends_with(end))
        })
        .filter(|name| !name.starts_with("Lessons/") && !name.starts_with("Proxy/"))
        .collect();
    let mut below = |most: usize| chance.below(most.max(1) as u32) as usize;
    // Large files are not more interesting than small ones.
    let name = read[below(read.len())];
    let mut bytes = files.read(name, u64::MAX).expect("it is listed");
    let at = below(bytes.len());
    let word_at = |bytes: &[u8]| {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric();
        let start = bytes[at..]
            .iter()
            .position(is_word)
            .map_or(at, |found| at + found);
        let end = bytes[start..]
            .iter()
            .position(|byte| !is_word(byte))
            .map_or(bytes.len(), |found| start + found);
        start..end
    };
    let line_at = |bytes: &[u8]| {
        let start = bytes[..at]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |found| found + 1);
        let end = bytes[at..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(bytes.len(), |found| at + found + 1);
        start..end
    };
    let what = match below(10) {
        0 => {
            let all = names.iter().filter(|other| *other != name);
            let mut rest = MemoryFiles::new();
            for other in all {
                rest = rest.with(other.as_str(), files.read(other, u64::MAX).expect("it is listed"));
            }
            return (rest, format!("without {name}"));
        }
        1 => {
            let line = line_at(&bytes);
            bytes.drain(line);
            "a line less"
        }
        2 => {
            let line = line_at(&bytes);
            let copy = bytes[line.clone()].to_vec();
            bytes.splice(line.end..line.end, copy);
            "a line twice"
        }
        3 => {
            let word = word_at(&bytes);
            bytes.drain(word);
            "a word less"
        }
        4 | 5 => {
            let word = word_at(&bytes);
            bytes.splice(word, WORDS[below(WORDS.len())].bytes());
            "another word"
        }
        6 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = b"0123456789<>&\"'[]{}()=~:;,.# \n\xff"[below(30)];
            }
            "another byte"
        }
        7 => {
            bytes.truncate(at);
            "cut off"
        }
        8 => {
            let word = word_at(&bytes);
            let middle = word.start + word.len() / 2;
            if middle + 1 < word.end {
                bytes.swap(middle, middle + 1);
            }
            "two letters exchanged"
        }
        _ => {
            let toml = "Rules/game.toml";
            let mut text = files.read(toml, u64::MAX).unwrap_or_default();
            text.extend(SETTINGS[below(SETTINGS.len())].bytes());
            let what = format!("{toml}: {}", String::from_utf8_lossy(&text[text.len() - 30..]));
            return (files.clone().with(toml, text), what);
        }
    };
    (
        files.clone().with(name.as_str(), bytes),
        format!("{name}: {what} at {at}"),
    )
}
