//! Statements and blocks of a Python 2.7 script, as far as they show that it cannot be compiled (P242).
//!
//! Only what no grammar of Python 2 takes is reported: a block without `:`, lines that are indented otherwise
//! than the lines before, an `else` that belongs to nothing, and the forms of Python 3. A whole grammar would
//! find more, such as two names side by side; these slips are the usual ones, and can be found line by line.

use crate::script::ScriptToken;

/// Words that begin a statement with a block.
const COMPOUND: [&str; 11] = [
    "if", "elif", "else", "for", "while", "try", "except", "finally", "with", "def", "class",
];

/// What the last statement of a level was, as far as the next one depends on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing can go on with it.
    Whole,
    /// `if`, `elif`.
    Condition,
    /// `for`, `while`.
    Loop,
    Try,
    Except,
    /// The `else` of a `try`.
    ElseOfTry,
}

struct Level {
    columns: usize,
    /// The word that opened it; none for the whole script.
    opener: Option<&'static str>,
    before: Before,
}

/// What was read so far.
pub(crate) struct Blocks {
    levels: Vec<Level>,
    /// The statement before has a block that must follow.
    wanted: Option<&'static str>,
    has_print_function: bool,
}

impl Blocks {
    pub(crate) fn new() -> Blocks {
        let whole = Level {
            columns: 0,
            opener: None,
            before: Before::Whole,
        };
        Blocks {
            levels: vec![whole],
            wanted: None,
            has_print_function: false,
        }
    }

    /// The next logical line and how far it is indented. What is wrong with it, if that is certain.
    pub(crate) fn line(&mut self, columns: usize, tokens: &[ScriptToken<'_>]) -> Option<String> {
        if let Some(fault) = self.indented(columns) {
            return Some(fault);
        }
        let first = match tokens.first() {
            Some(ScriptToken::Word(word)) => *word,
            Some(ScriptToken::Other(_)) | None => "",
        };
        let word = COMPOUND.into_iter().find(|known| *known == first);
        self.has_print_function |= first == "from" && tokens.contains(&ScriptToken::Word("print_function"));
        self.goes_on(word)
            .or_else(|| self.colon(word, tokens))
            .or_else(|| self.outside(first))
            .or_else(|| self.newer(first, tokens))
    }

    /// The end of the script.
    pub(crate) fn end(&mut self) -> Option<String> {
        match self.wanted {
            Some(word) => Some(format!("the block of this `{word}` is missing")),
            None => {
                let inner = self.leave(0);
                inner.or_else(|| (self.top().before == Before::Try).then(|| NO_EXCEPT.to_owned()))
            }
        }
    }

    fn top(&mut self) -> &mut Level {
        self.levels.last_mut().expect("the whole script is never left")
    }

    /// Leaves the blocks that are indented further than `columns`.
    fn leave(&mut self, columns: usize) -> Option<String> {
        while self.top().columns > columns {
            if self.top().before == Before::Try {
                return Some(NO_EXCEPT.to_owned());
            }
            self.levels.pop();
        }
        None
    }

    fn indented(&mut self, columns: usize) -> Option<String> {
        let own = self.top().columns;
        if let Some(word) = self.wanted.take() {
            if columns <= own {
                return Some(format!("the block of the `{word}` before it is indented further"));
            }
            self.levels.push(Level {
                columns,
                opener: Some(word),
                before: Before::Whole,
            });
            return None;
        }
        if columns > own {
            return Some("this line is indented, but the line before it opens no block".to_owned());
        }
        if let Some(fault) = self.leave(columns) {
            return Some(fault);
        }
        let fits = self.top().columns == columns;
        (!fits).then(|| "this line's indentation matches none of the blocks before it".to_owned())
    }

    /// Whether `else`, `elif`, `except` and `finally` have what they go on with.
    fn goes_on(&mut self, word: Option<&'static str>) -> Option<String> {
        use Before::{Condition, ElseOfTry, Except, Loop, Try, Whole};
        let level = self.top();
        let (before, fits) = match (word, level.before) {
            (Some("elif"), Condition) => (Condition, true),
            (Some("else"), Condition | Loop) => (Whole, true),
            (Some("else"), Except) => (ElseOfTry, true),
            (Some("except"), Try | Except) => (Except, true),
            (Some("finally"), Try | Except | ElseOfTry) => (Whole, true),
            (Some("elif" | "else" | "except" | "finally"), _) => (Whole, false),
            (_, Try) => return Some(NO_EXCEPT.to_owned()),
            (Some("if"), _) => (Condition, true),
            (Some("for" | "while"), _) => (Loop, true),
            (Some("try"), _) => (Try, true),
            (_, _) => (Whole, true),
        };
        level.before = before;
        let word = word.unwrap_or_default();
        (!fits).then(|| format!("this `{word}` belongs to nothing before it"))
    }

    /// A block begins with `:`, and nothing else has one outside of brackets but `lambda`.
    fn colon(&mut self, word: Option<&'static str>, tokens: &[ScriptToken<'_>]) -> Option<String> {
        let mut depth = 0_i32;
        let mut colons = 0;
        for token in tokens {
            match token {
                ScriptToken::Other(b'(' | b'[' | b'{') => depth += 1,
                ScriptToken::Other(b')' | b']' | b'}') => depth -= 1,
                ScriptToken::Other(b':') if depth == 0 => colons += 1,
                ScriptToken::Other(_) | ScriptToken::Word(_) => {}
            }
        }
        // Behind the `else` of an expression stands a value, in brackets as elsewhere.
        let lone =
            |pair: &[ScriptToken<'_>]| matches!(pair, [ScriptToken::Word("else"), ScriptToken::Other(b':')]);
        if tokens.windows(2).skip(1).any(lone) {
            return Some("this `else` belongs to nothing before it".to_owned());
        }
        match word {
            Some(word) if colons == 0 => Some(format!("the `:` of this `{word}` is missing")),
            Some(word) => {
                self.wanted = (tokens.last() == Some(&ScriptToken::Other(b':'))).then_some(word);
                None
            }
            None if colons > 0 && !tokens.contains(&ScriptToken::Word("lambda")) => {
                Some("this line has a `:`, but does not begin with a word that opens a block".to_owned())
            }
            None => None,
        }
    }

    /// `return` stands in a function, `break` and `continue` in a loop.
    fn outside(&self, first: &str) -> Option<String> {
        let openers = || self.levels.iter().rev().filter_map(|level| level.opener);
        let fits = match first {
            "return" => openers().any(|opener| opener == "def"),
            "break" | "continue" => openers()
                .take_while(|opener| !["def", "class"].contains(opener))
                .any(|opener| ["for", "while"].contains(&opener)),
            _ => true,
        };
        let place = if first == "return" { "a function" } else { "a loop" };
        (!fits).then(|| format!("`{first}` is outside {place}"))
    }

    /// What only Python 3 knows.
    fn newer(&self, first: &str, tokens: &[ScriptToken<'_>]) -> Option<String> {
        let is_next = |at: usize, wanted: ScriptToken<'_>| tokens.get(at + 1) == Some(&wanted);
        let mut depth = 0_i32;
        for (at, token) in tokens.iter().enumerate() {
            let what = match token {
                ScriptToken::Other(b'(' | b'[' | b'{') => {
                    depth += 1;
                    continue;
                }
                ScriptToken::Other(b')' | b']' | b'}') => {
                    depth -= 1;
                    continue;
                }
                ScriptToken::Other(b':') if is_next(at, ScriptToken::Other(b'=')) => "`:=`",
                ScriptToken::Other(b'-')
                    if first == "def" && depth == 0 && is_next(at, ScriptToken::Other(b'>')) =>
                {
                    "an annotation (`->`)"
                }
                ScriptToken::Word(prefix)
                    if ["f", "fr", "rf"]
                        .iter()
                        .any(|known| prefix.eq_ignore_ascii_case(known))
                        && (is_next(at, ScriptToken::Other(b'"'))
                            || is_next(at, ScriptToken::Other(b'\''))) =>
                {
                    "an f-string"
                }
                ScriptToken::Word("from") if first == "raise" && depth == 0 => "`raise … from`",
                ScriptToken::Word("yield") if is_next(at, ScriptToken::Word("from")) => "`yield from`",
                ScriptToken::Word("nonlocal")
                    if at == 0 && matches!(tokens.get(1), Some(ScriptToken::Word(_))) =>
                {
                    "`nonlocal`"
                }
                ScriptToken::Word("async")
                    if at == 0 && matches!(tokens.get(1), Some(ScriptToken::Word(_))) =>
                {
                    "`async`"
                }
                ScriptToken::Word("file" | "end" | "sep" | "flush")
                    if first == "print"
                        && depth == 1
                        && !self.has_print_function
                        && tokens.get(1) == Some(&ScriptToken::Other(b'('))
                        && is_next(at, ScriptToken::Other(b'='))
                        && tokens.get(at + 2) != Some(&ScriptToken::Other(b'=')) =>
                {
                    "`print` with named arguments"
                }
                ScriptToken::Other(_) | ScriptToken::Word(_) => continue,
            };
            return Some(format!("{what} is not known to Python 2.7, which OCTGN runs"));
        }
        None
    }
}

const NO_EXCEPT: &str = "the `try` before it has neither `except` nor `finally`";
