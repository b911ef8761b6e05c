//! Patterns: the grammar of Python's `re` and of .NET, turned into that of the crate that matches (S24).
//!
//! `fancy-regex` can: named groups in both forms, references, look-ahead, look-behind of any width, lazy and
//! possessive repetition, atomic groups, conditions on groups. What needs no turning back it hands to an
//! automaton, in time proportional to the text; the rest turns back at most [`MOST_TURNS`] times, and the run
//! ends there. It cannot: balancing groups of .NET, right-to-left matching, captures of every repetition.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use fancy_regex::{Regex, RegexBuilder};

/// How often a match may turn back.
pub(crate) const MOST_TURNS: usize = 1_000_000;

/// Bits of the flags, as Python has them.
pub(crate) const IGNORE_CASE: i64 = 2;
pub(crate) const MULTI_LINE: i64 = 8;
pub(crate) const DOT_ALL: i64 = 16;
pub(crate) const VERBOSE: i64 = 64;

/// A compiled pattern.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) source: String,
    pub(crate) flags: i64,
    /// Finds it anywhere.
    pub(crate) anywhere: Regex,
    /// Finds it only where the search begins.
    pub(crate) here: Regex,
    /// Groups without the whole.
    pub(crate) groups: usize,
    pub(crate) names: Vec<(String, usize)>,
}

impl Pattern {
    /// Compiles a pattern; else why not.
    pub(crate) fn new(source: &str, flags: i64) -> Result<Pattern, String> {
        let (text, flags) = translate(source, flags)?;
        let mut letters = String::new();
        for (bit, letter) in [
            (IGNORE_CASE, 'i'),
            (MULTI_LINE, 'm'),
            (DOT_ALL, 's'),
            (VERBOSE, 'x'),
        ] {
            if flags & bit != 0 {
                letters.push(letter);
            }
        }
        let prefix = if letters.is_empty() {
            String::new()
        } else {
            format!("(?{letters})")
        };
        let end = if flags & VERBOSE != 0 { "\n" } else { "" };
        let build = |text: &str| {
            RegexBuilder::new(text)
                .backtrack_limit(MOST_TURNS)
                .build()
                .map_err(|error| words_of(&error))
        };
        let anywhere = build(&format!("{prefix}{text}"))?;
        let here = build(&format!("{prefix}\\G(?:{text}{end})"))?;
        let names = anywhere.capture_names().enumerate();
        let names = names
            .filter_map(|(at, name)| Some((name?.to_owned(), at)))
            .collect();
        Ok(Pattern {
            source: source.to_owned(),
            flags,
            groups: anywhere.captures_len().saturating_sub(1),
            anywhere,
            here,
            names,
        })
    }
}

/// Patterns of the forks of one interpreter, so that each is compiled once. What they cost a run is counted
/// whether they are here or not: nothing that a script can tell depends on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct PatternStore(Arc<Mutex<PatternsByText>>);

/// Compiled patterns by their text and flags.
pub(crate) type PatternsByText = BTreeMap<(String, i64), Arc<Pattern>>;

impl PatternStore {
    /// Patterns at most, as in CPython.
    const MOST: usize = 100;

    /// Bytes of a pattern that is kept, by [`compiled_size`].
    const LARGEST: usize = 1 << 19;

    /// The pattern, compiled now if it is not here; else why not.
    pub(crate) fn pattern(&self, source: &str, flags: i64) -> Result<Arc<Pattern>, String> {
        let key = (source.to_owned(), flags);
        let kept = self.0.lock().ok();
        if let Some(found) = kept.and_then(|kept| kept.get(&key).cloned()) {
            return Ok(found);
        }
        let pattern = Arc::new(Pattern::new(source, flags)?);
        if compiled_size(source) <= PatternStore::LARGEST
            && let Ok(mut kept) = self.0.lock()
        {
            if kept.len() >= PatternStore::MOST {
                kept.clear();
            }
            kept.insert(key, Arc::clone(&pattern));
        }
        Ok(pattern)
    }
}

/// About how many bytes a pattern takes once it is compiled, from its text alone: a repetition with a number
/// repeats what it stands behind, and a class of Unicode is large. Measured with fancy-regex 0.20: `\w` 110
/// KB, `\d` 3 KB, `.` 1 KB.
pub(crate) fn compiled_size(source: &str) -> usize {
    /// Of every pattern, with the memory it searches in.
    const BASE: usize = 8_000;
    /// A letter.
    const LETTER: usize = 150;
    /// A set, or any character.
    const SET: usize = 1_500;
    // For each open group what is in it, and in its last part what a repetition would repeat.
    let mut open: Vec<(usize, usize)> = vec![(BASE, 0)];
    let mut chars = source.chars();
    let class = |escape: char| match escape {
        'w' | 'W' | 'p' | 'P' => 110_000,
        'd' | 'D' => 4_000,
        's' | 'S' => SET,
        _ => LETTER,
    };
    while let Some(c) = chars.next() {
        let part = match c {
            '\\' => chars.next().map_or(0, class),
            '.' => SET,
            '[' => {
                let mut size = SET;
                let mut is_first = true;
                while let Some(c) = chars.next() {
                    match c {
                        ']' if !is_first => break,
                        '^' if is_first => continue,
                        '\\' => size += chars.next().map_or(0, class),
                        _ => size += LETTER,
                    }
                    is_first = false;
                }
                size
            }
            '(' => {
                open.push((LETTER, 0));
                continue;
            }
            ')' if open.len() > 1 => {
                let (group, _) = open.pop().unwrap_or_default();
                group
            }
            '{' => {
                let inner: String = chars.clone().take_while(|c| *c != '}').take(24).collect();
                let times = inner.split(',').filter_map(|number| number.trim().parse().ok());
                let times: usize = times.max().unwrap_or(1).max(1);
                if let Some((all, last)) = open.last_mut() {
                    *all = all.saturating_add(last.saturating_mul(times - 1));
                    *last = last.saturating_mul(times);
                }
                continue;
            }
            '*' | '+' | '?' | '}' => continue,
            _ => LETTER,
        };
        if let Some((all, last)) = open.last_mut() {
            *all = all.saturating_add(part);
            *last = part;
        }
    }
    open.into_iter().fold(0, |sum, (all, _)| all.saturating_add(sum))
}

fn words_of(error: &fancy_regex::Error) -> String {
    let words = error.to_string();
    words.lines().last().unwrap_or_default().trim().to_owned()
}

/// The pattern in the crate's grammar, and the flags with those that it names itself.
fn translate(source: &str, mut flags: i64) -> Result<(String, i64), String> {
    let chars: Vec<char> = source.chars().collect();
    let mut flat = String::new();
    // Flags anywhere hold for the whole.
    let mut at = 0;
    let mut in_class = false;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 1,
            '[' if !in_class => in_class = true,
            ']' => in_class = false,
            '(' if !in_class && chars.get(at + 1) == Some(&'?') => {
                let letters: String = chars[at + 2..]
                    .iter()
                    .take_while(|c| "iLmsuxn".contains(**c))
                    .collect();
                if !letters.is_empty() && chars.get(at + 2 + letters.len()) == Some(&')') {
                    flags |= flags_of(&letters);
                }
            }
            _ => {}
        }
        at += 1;
    }
    let verbose = flags & VERBOSE != 0;
    at = 0;
    while at < chars.len() {
        let c = chars[at];
        at += 1;
        match c {
            '\\' => {
                let Some(escape) = chars.get(at).copied() else {
                    return Err("bogus escape (end of line)".to_owned());
                };
                at += 1;
                at = escaped(&chars, at, escape, false, &mut flat);
            }
            '[' => at = class(&chars, at, &mut flat)?,
            '(' if chars.get(at) == Some(&'?') => at = group(&chars, at, &mut flat)?,
            '$' if flags & MULTI_LINE == 0 => flat.push_str("(?=\\n?\\z)"),
            '{' => match repetition(&chars[at..]) {
                Some((text, len)) => {
                    flat.push_str(&text);
                    at += len;
                }
                None => flat.push_str("\\{"),
            },
            '}' => flat.push_str("\\}"),
            ']' => flat.push_str("\\]"),
            '#' if verbose => {
                while at < chars.len() && chars[at] != '\n' {
                    at += 1;
                }
            }
            _ => flat.push(c),
        }
    }
    Ok((flat, flags))
}

fn flags_of(letters: &str) -> i64 {
    letters.chars().fold(0, |flags, letter| {
        flags
            | match letter {
                'i' => IGNORE_CASE,
                'm' => MULTI_LINE,
                's' => DOT_ALL,
                'x' => VERBOSE,
                'u' => 32,
                'L' => 4,
                _ => 0,
            }
    })
}

/// What follows `(`, from its `?` on.
fn group(chars: &[char], at: usize, out: &mut String) -> Result<usize, String> {
    let rest: String = chars[at..].iter().take(64).collect();
    if rest.starts_with("?#") {
        let end = chars[at..].iter().position(|c| *c == ')');
        return end
            .map(|len| at + len + 1)
            .ok_or_else(|| "missing ), unterminated comment".to_owned());
    }
    if let Some(name) = rest.strip_prefix("?P=") {
        let Some(len) = name.find(')') else {
            return Err("missing ), unterminated name".to_owned());
        };
        out.push_str(&format!("\\k<{}>", &name[..len]));
        return Ok(at + 3 + name[..len].chars().count() + 1);
    }
    let letters: String = rest[1..].chars().take_while(|c| "iLmsuxn".contains(*c)).collect();
    if !letters.is_empty() && rest[1 + letters.len()..].starts_with(')') {
        return Ok(at + 1 + letters.len() + 1);
    }
    if let Some(name) = rest.strip_prefix("?'") {
        // .NET's third form of a named group.
        let Some(len) = name.find('\'') else {
            return Err("missing ', unterminated name".to_owned());
        };
        out.push_str(&format!("(?<{}>", &name[..len]));
        return Ok(at + 2 + name[..len].chars().count() + 1);
    }
    out.push('(');
    Ok(at)
}

/// `{n,m}` after its opening brace, and how long it is.
fn repetition(rest: &[char]) -> Option<(String, usize)> {
    let len = rest.iter().position(|c| *c == '}')?;
    let inner: String = rest[..len].iter().collect();
    let (low, high) = match inner.split_once(',') {
        Some((low, high)) => (low, Some(high)),
        None => (&*inner, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(low) || !high.is_none_or(digits) || (low.is_empty() && high.is_none_or(str::is_empty)) {
        return None;
    }
    let low = if low.is_empty() { "0" } else { low };
    let text = match high {
        Some(high) => format!("{{{low},{high}}}"),
        None => format!("{{{low}}}"),
    };
    Some((text, len + 1))
}

/// One escape; where the text goes on.
fn escaped(chars: &[char], mut at: usize, escape: char, in_class: bool, out: &mut String) -> usize {
    let hex = |from: usize, len: usize| {
        let digits: String = chars.get(from..from + len)?.iter().collect();
        u32::from_str_radix(&digits, 16).ok()
    };
    match escape {
        'Z' if !in_class => out.push_str("\\z"),
        'b' if in_class => out.push_str("\\x08"),
        'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'n' | 'r' | 't' | 'f' | 'v' | 'a' => {
            out.push('\\');
            out.push(escape);
        }
        'b' | 'B' | 'A' | 'G' | 'z' | 'k' if !in_class => {
            out.push('\\');
            out.push(escape);
        }
        'u' if let Some(point) = hex(at, 4) => {
            out.push_str(&format!("\\x{{{point:x}}}"));
            at += 4;
        }
        'x' if let Some(point) = hex(at, 2) => {
            out.push_str(&format!("\\x{{{point:x}}}"));
            at += 2;
        }
        '0' => {
            let digits: String = chars[at..]
                .iter()
                .take(2)
                .take_while(|c| ('0'..='7').contains(*c))
                .collect();
            let point = u32::from_str_radix(&digits, 8).unwrap_or(0);
            out.push_str(&format!("\\x{{{point:x}}}"));
            at += digits.len();
        }
        '1'..='9' if !in_class => {
            out.push_str("(?:\\");
            out.push(escape);
            if let Some(digit) = chars.get(at).filter(|c| c.is_ascii_digit()) {
                out.push(*digit);
                at += 1;
            }
            out.push(')');
        }
        other if other.is_ascii_alphanumeric() || !other.is_ascii() || matches!(other, '<' | '>') => {
            out.push(other);
        }
        other => {
            out.push('\\');
            out.push(other);
        }
    }
    at
}

/// A class after its opening bracket.
fn class(chars: &[char], mut at: usize, out: &mut String) -> Result<usize, String> {
    out.push('[');
    if chars.get(at) == Some(&'^') {
        out.push('^');
        at += 1;
    }
    let first = at;
    loop {
        let Some(c) = chars.get(at).copied() else {
            return Err("unexpected end of regular expression".to_owned());
        };
        at += 1;
        match c {
            ']' if at - 1 > first => {
                out.push(']');
                return Ok(at);
            }
            '\\' => {
                let Some(escape) = chars.get(at).copied() else {
                    return Err("unexpected end of regular expression".to_owned());
                };
                at = escaped(chars, at + 1, escape, true, out);
            }
            // Sets within sets are the crate's own.
            '[' | ']' | '&' | '~' | '#' | ' ' => {
                out.push('\\');
                out.push(c);
            }
            '-' if chars.get(at) == Some(&'-') => out.push_str("\\-"),
            other => out.push(other),
        }
    }
}
