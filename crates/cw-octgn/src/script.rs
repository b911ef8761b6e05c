//! What a Python script of a package defines, found without running it: by its strings, brackets and
//! indentation.

use std::collections::BTreeSet;

use cw_text::Span;

use crate::blocks::Blocks;

/// What is known of a Python script of a package (P159).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageScript {
    /// Names that it defines at its top level: functions, classes, what it imports or assigns.
    pub names: BTreeSet<String>,
    /// Whether it imports everything of another module, or reaches for its own names as a dictionary: then
    /// nobody knows all its names.
    pub imports_all: bool,
    /// Brackets and strings that are not closed, or closed by another; else the first statement that cannot
    /// be compiled (P242).
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
pub(crate) enum ScriptToken<'t> {
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
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    let (mut blocks, mut fault, mut last) = (Blocks::new(), None, Span::at(0));
    let mut in_body = false;
    while reader.at < text.len() {
        let start = reader.at;
        let indent = text[start..]
            .bytes()
            .take_while(|byte| matches!(*byte, b' ' | b'\t' | FORM_FEED))
            .count();
        let tokens = reader.line();
        let Some(first) = tokens.first() else { continue };
        let shown = text[start + indent..reader.at].trim_end().len();
        last = Span::new(start + indent, start + indent + shown);
        if fault.is_none() {
            let columns = columns(&text[start..start + indent]);
            fault = blocks.line(columns, &tokens).map(|message| (last, message));
        }
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
    // Behind a bracket or a string that is not closed nobody knows where lines begin.
    if reader.out.faults.is_empty() {
        let fault = fault.or_else(|| blocks.end().map(|message| (last, message)));
        reader.out.faults.extend(fault);
    }
    reader.out
}

/// Between pages of a listing; the line begins behind it.
const FORM_FEED: u8 = 0x0c;

/// How far blanks and tabs indent: a tab goes on to the next multiple of 8.
fn columns(blanks: &str) -> usize {
    let next = |at: usize, byte: u8| match byte {
        FORM_FEED => 0,
        b'\t' => (at / 8 + 1) * 8,
        _ => at + 1,
    };
    blanks.bytes().fold(0, next)
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
                b' ' | b'\t' | b'\r' | FORM_FEED => self.at += 1,
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

    /// P242: what Python 2.7 does not compile is told at its line; what it compiles is not.
    #[test]
    fn statements_that_cannot_be_compiled_are_told() {
        let table = [
            ("def a()\n    pass\n", "0..7 the `:` of this `def` is missing"),
            (
                "def a():\npass\n",
                "9..13 the block of the `def` before it is indented further",
            ),
            (
                "a = 1\n  b = 2\n",
                "8..13 this line is indented, but the line before it opens no block",
            ),
            (
                "if a:\n    b()\n  c()\n",
                "16..19 this line's indentation matches none of the blocks before it",
            ),
            (
                "a()\nelse:\n    b()\n",
                "4..9 this `else` belongs to nothing before it",
            ),
            (
                "if a: b()\nc()\nelif d: e()\n",
                "14..25 this `elif` belongs to nothing before it",
            ),
            (
                "try:\n    a()\nb()\n",
                "13..16 the `try` before it has neither `except` nor `finally`",
            ),
            (
                "try:\n    a()\n",
                "9..12 the `try` before it has neither `except` nor `finally`",
            ),
            (
                "def a():\n    try:\n        b()\n",
                "26..29 the `try` before it has neither `except` nor `finally`",
            ),
            (
                "except:\n    a()\n",
                "0..7 this `except` belongs to nothing before it",
            ),
            (
                "esle:\n    a()\n",
                "0..5 this line has a `:`, but does not begin with a word that opens a block",
            ),
            (
                "a(b,\n  else:\n  c)\n",
                "0..17 this `else` belongs to nothing before it",
            ),
            (
                "if a: b() else: c()\n",
                "0..19 this `else` belongs to nothing before it",
            ),
            ("def a():\n", "0..8 the block of this `def` is missing"),
            ("return 1\n", "0..8 `return` is outside a function"),
            ("if a:\n    break\n", "10..15 `break` is outside a loop"),
            (
                "print(a, file=b)\n",
                "0..16 `print` with named arguments is not known to Python 2.7, which OCTGN runs",
            ),
            (
                "a = f'{b}'\n",
                "0..10 an f-string is not known to Python 2.7, which OCTGN runs",
            ),
            (
                "if (a := b()):\n    c()\n",
                "0..14 `:=` is not known to Python 2.7, which OCTGN runs",
            ),
            (
                "def a() -> int:\n    pass\n",
                "0..15 an annotation (`->`) is not known to Python 2.7, which OCTGN runs",
            ),
            ("a = (1\nif b\n  c\n", "4..5 `(` is never closed"),
        ];
        let found = table.map(|(text, _)| {
            let faults = read(text).faults.into_iter();
            let lines = faults.map(|(span, message)| format!("{span:?} {message}"));
            (text, lines.collect::<Vec<_>>().join("\n"))
        });
        assert_eq!(found, table.map(|(text, wanted)| (text, wanted.to_owned())));
        for text in [
            "if a: b()\nelif c: d()\nelse: e()\n",
            "for a in b:\n    if a: break\nelse:\n    c()\n",
            "try:\n    a()\nexcept E, e:\n    b()\nelse:\n    c()\nfinally:\n    d()\n",
            "while a:\n\tif b:\n\t\tcontinue\n        c()\n",
            "def a(x, (y, z)=(1, 2)):\n  return {1: 2}[x:y]\n\n# c\n    # d\nb = lambda x: x\n",
            "if a:\n    b()\n# c\n    d()\n\n\n    e()\n",
            "print 'a', b\nprint >>f, 'c'\nexec 'a' in b\nprint(a)\nprint (end == 3)\n",
            "from __future__ import print_function\nprint(a, end='')\n",
            "x = {1: a if b else c, 2: lambda: d if e else f}\ny = x[a if b else c:d]\n",
            "a = b if c else d\nx = [y for y in z if y]\n@a\ndef b(): pass\nclass C: pass\n",
            "\u{feff}if a:\n    b()\n",
            "if a and \\\n  b:\n    c()\n",
            "def a():\n    '''x\ny\n'''\n    return 1\n",
            "if a:\r\n    b()\r\nelse:\r\n    c()\r\n",
            "if x: a = 1; b = 2\nwith a as b: pass\nraise A, 'b'\n",
            "a()\n\u{c}\ndef b():\n    c()\n  \u{c}\nd()\n",
        ] {
            assert_eq!(read(text).faults, [], "{text}");
        }
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
