//! What a Python script of a package defines, found without running it: by its strings, brackets and
//! indentation.

use std::collections::BTreeSet;

use cw_text::Span;

/// What is known of a Python script of a package (P159).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageScript {
    /// Names that it defines at its top level: functions, classes, what it imports or assigns.
    pub names: BTreeSet<String>,
    /// Whether it imports everything of another module, or reaches for its own names as a dictionary: then
    /// nobody knows all its names.
    pub imports_all: bool,
    /// Brackets and strings that are not closed, or closed by another.
    pub faults: Vec<(Span, String)>,
}

/// Words with which a script can define names that nobody sees without running it.
const DEFINE_MORE: [&str; 6] = ["globals", "exec", "execfile", "setattr", "vars", "locals"];

/// How many bytes a backslash and what it escapes take: a line break of two bytes is one (P242).
fn escaped(bytes: &[u8]) -> usize {
    match bytes {
        [_, b'\r', b'\n', ..] => 3,
        [_, _, ..] => 2,
        _ => bytes.len(),
    }
}

/// A piece of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScriptToken<'t> {
    Word(&'t str),
    Other(u8),
}

/// Reads the text of a script.
pub fn read(text: &str) -> PackageScript {
    let mut reader = ScriptReader {
        text,
        at: 0,
        open: Vec::new(),
        out: PackageScript::default(),
    };
    let mut in_body = false;
    while reader.at < text.len() {
        let start = reader.at;
        let indent = text[start..]
            .bytes()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        let tokens = reader.line();
        let Some(first) = tokens.first() else { continue };
        let is_definition = matches!(first, ScriptToken::Word("def" | "class"));
        if indent == 0 {
            in_body = is_definition;
        }
        // What stands in a top-level `if` or `try` is defined too; what stands in a function is not.
        if indent == 0 || !in_body {
            reader.names(&tokens);
        }
    }
    let whole: Vec<(u8, usize)> = std::mem::take(&mut reader.open);
    for (bracket, at) in whole.into_iter().take(1) {
        let message = format!("`{}` is never closed", char::from(bracket));
        reader.out.faults.push((Span::new(at, at + 1), message));
    }
    reader.out
}

struct ScriptReader<'t> {
    text: &'t str,
    at: usize,
    /// Brackets that are open, with their places.
    open: Vec<(u8, usize)>,
    out: PackageScript,
}

impl<'t> ScriptReader<'t> {
    /// The tokens of a logical line: it goes on within brackets and strings.
    fn line(&mut self) -> Vec<ScriptToken<'t>> {
        let bytes = self.text.as_bytes();
        let mut tokens = Vec::new();
        while let Some(byte) = bytes.get(self.at).copied() {
            match byte {
                b'\n' => {
                    self.at += 1;
                    if self.open.is_empty() {
                        break;
                    }
                }
                b'\\' => self.at += escaped(&bytes[self.at..]),
                b'#' => self.at += memchr::memchr(b'\n', &bytes[self.at..]).unwrap_or(bytes.len() - self.at),
                b'"' | b'\'' => {
                    self.string(byte);
                    tokens.push(ScriptToken::Other(byte));
                }
                b'(' | b'[' | b'{' => {
                    self.open.push((byte, self.at));
                    tokens.push(ScriptToken::Other(byte));
                    self.at += 1;
                }
                b')' | b']' | b'}' => {
                    self.close(byte);
                    tokens.push(ScriptToken::Other(byte));
                    self.at += 1;
                }
                _ if byte.is_ascii_alphabetic() || byte == b'_' => {
                    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                    let length = bytes[self.at..].iter().take_while(|byte| is_word(byte)).count();
                    let word = &self.text[self.at..self.at + length];
                    self.out.imports_all |= DEFINE_MORE.contains(&word);
                    tokens.push(ScriptToken::Word(word));
                    self.at += length;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                _ => {
                    tokens.push(ScriptToken::Other(byte));
                    self.at += 1;
                }
            }
        }
        tokens
    }

    /// Goes behind a string, which may have three quotes and many lines.
    fn string(&mut self, quote: u8) {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let three = [quote; 3];
        let is_long = bytes[start..].starts_with(&three);
        self.at += if is_long { 3 } else { 1 };
        while let Some(byte) = bytes.get(self.at).copied() {
            match byte {
                b'\\' => self.at += escaped(&bytes[self.at..]),
                b'\n' if !is_long => break,
                _ if byte == quote && !is_long => {
                    self.at += 1;
                    return;
                }
                _ if is_long && bytes[self.at..].starts_with(&three) => {
                    self.at += 3;
                    return;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(bytes.len());
        self.fault(start, start + 1, "this string is never closed".to_owned());
    }

    fn close(&mut self, bracket: u8) {
        let wanted = match bracket {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        let shown = char::from(bracket);
        match self.open.pop() {
            Some((open, _)) if open == wanted => {}
            Some((open, _)) => {
                let message = format!("`{shown}` does not close `{}`", char::from(open));
                self.fault(self.at, self.at + 1, message);
                // What comes behind says nothing any more.
                self.open.clear();
            }
            None => self.fault(self.at, self.at + 1, format!("`{shown}` closes nothing")),
        }
    }

    /// One slip of brackets gives many; the first is the cause.
    fn fault(&mut self, start: usize, end: usize, message: String) {
        if self.out.faults.is_empty() {
            self.out.faults.push((Span::new(start, end), message));
        }
    }

    /// The names that a line defines.
    fn names(&mut self, tokens: &[ScriptToken<'_>]) {
        let mut add = |name: &str| {
            self.out.names.insert(name.to_owned());
        };
        match tokens {
            [ScriptToken::Word("def" | "class"), ScriptToken::Word(name), ..] => add(name),
            [ScriptToken::Word("from" | "import"), rest @ ..] => {
                for token in rest {
                    match token {
                        ScriptToken::Word("as" | "import") => {}
                        ScriptToken::Word(name) => add(name),
                        ScriptToken::Other(b'*') => self.out.imports_all = true,
                        ScriptToken::Other(_) => {}
                    }
                }
            }
            _ => {
                // `a = b = …`, `a, b = …`
                let mut before = tokens.iter();
                let has_assignment = tokens.contains(&ScriptToken::Other(b'='));
                while let (true, Some(ScriptToken::Word(name))) = (has_assignment, before.next()) {
                    add(name);
                    if !matches!(before.next(), Some(ScriptToken::Other(b',' | b'='))) {
                        break;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, names: &[&str], faults: &[&str]) {
        let script = read(text);
        assert_eq!(script.names.iter().map(String::as_str).collect::<Vec<_>>(), names);
        let found = script
            .faults
            .iter()
            .map(|(span, message)| format!("{span:?} {message}"));
        assert_eq!(found.collect::<Vec<_>>(), faults);
    }

    /// P159: only what stands at the top level is defined.
    #[test]
    fn names_of_the_top_level_are_found() {
        check(
            "def a(x,\n  y):\n  def b(): pass\n\nclass C:\n  def d(self): pass\n",
            &["C", "a"],
            &[],
        );
        check("if x:\n  def a(): pass\nelse:\n  b = 1\n", &["a", "b"], &[]);
        check(
            "'''\ndef a(): pass\n'''\n# def b():\ns = \"def c():\"\n",
            &["s"],
            &[],
        );
        check(
            "from m import f, g as h\nx, y = 1, 2\nf(z=3)\n",
            &["f", "g", "h", "m", "x", "y"],
            &[],
        );
    }

    /// P242: a line break of two bytes behind a backslash goes on with the string, or with the line.
    #[test]
    fn a_backslash_goes_on_over_both_bytes_of_a_line_break() {
        for end in ["\n", "\r\n"] {
            check(&format!("a = 'x\\{end}y'{end}b = 1{end}"), &["a", "b"], &[]);
            check(&format!("a = 1 + \\{end}b, c{end}d = 2{end}"), &["a", "d"], &[]);
        }
    }

    /// P159, P240: nobody knows the names of a script that makes some while it runs.
    #[test]
    fn names_made_while_running_are_not_known() {
        for line in [
            "f(globals())",
            "exec 'def a(): pass'",
            "setattr(m, 'a', 1)",
            "execfile('b.py')",
        ] {
            assert!(read(&format!("def b():\n  {line}\n")).imports_all, "{line}");
        }
        assert!(!read("def b():\n  c('globals')\n# exec\n").imports_all);
    }

    /// P159: what is not closed is told once, where it begins.
    #[test]
    fn what_is_unbalanced_is_told_at_its_place() {
        check("a = (1,\n", &["a"], &["4..5 `(` is never closed"]);
        check(
            "a = [1)\nb = (\n",
            &["a", "b"],
            &["6..7 `)` does not close `[`", "12..13 `(` is never closed"],
        );
        check(
            "a = 'x\nb = 1\n",
            &["a", "b"],
            &["4..5 this string is never closed"],
        );
        check("a = '''x\n", &["a"], &["4..5 this string is never closed"]);
        check(")\n", &[], &["0..1 `)` closes nothing"]);
        check("a = 'it\\'s' + r\"\\\\\"\n", &["a"], &[]);
    }
}
