//! The command line of a bot.

use std::fmt;
use std::process;

/// A program and its arguments. No shell reads it: nothing in it is expanded, and the process that is
/// started and ended is the bot itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    program: String,
    arguments: Vec<String>,
}

impl Command {
    /// Reads a program and its arguments, separated by spaces; quotes, single or double, keep spaces.
    ///
    /// # Errors
    /// In words, if there is no program, or a quote is not closed.
    pub fn read(text: &str) -> Result<Command, String> {
        let mut words: Vec<String> = Vec::new();
        let (mut word, mut quote): (Option<String>, Option<char>) = (None, None);
        for letter in text.chars() {
            match quote {
                Some(open) if open == letter => quote = None,
                None if letter == '"' || letter == '\'' => {
                    quote = Some(letter);
                    word.get_or_insert_default();
                }
                None if letter.is_whitespace() => words.extend(word.take()),
                Some(_) | None => word.get_or_insert_default().push(letter),
            }
        }
        if quote.is_some() {
            return Err("a quote is not closed".to_owned());
        }
        words.extend(word);
        let mut words = words.into_iter();
        let program = words.next().filter(|program| !program.is_empty());
        let program = program.ok_or("the name of a program is missing")?;
        Ok(Command {
            program,
            arguments: words.collect(),
        })
    }

    /// A program and its arguments, as they were typed; a single text with spaces is read as
    /// [`Command::read`] does.
    ///
    /// # Errors
    /// As [`Command::read`].
    pub fn of(words: &[String]) -> Result<Command, String> {
        match words {
            [program, arguments @ ..] if !arguments.is_empty() => Ok(Command {
                program: program.clone(),
                arguments: arguments.to_vec(),
            }),
            [text] => Command::read(text),
            _ => Command::read(""),
        }
    }

    /// As [`Command::read`] reads it: what has spaces or quotes stands in quotes.
    pub fn quoted(&self) -> String {
        let quoted = |word: &String| {
            if !word.is_empty()
                && !word.contains(|letter: char| letter.is_whitespace() || "'\"".contains(letter))
            {
                return word.clone();
            }
            let mut out = String::new();
            // A quote of one kind stands in quotes of the other.
            for part in word.split_inclusive('"') {
                let plain = part.trim_end_matches('"');
                if !plain.is_empty() || part.is_empty() {
                    out.push_str(&format!("\"{plain}\""));
                }
                if plain.len() < part.len() {
                    out.push_str("'\"'");
                }
            }
            if word.is_empty() { "\"\"".to_owned() } else { out }
        };
        let words = std::iter::once(&self.program).chain(&self.arguments);
        words.map(quoted).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn build(&self) -> process::Command {
        let mut command = process::Command::new(&self.program);
        command.args(&self.arguments);
        command
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.program)?;
        self.arguments.iter().try_for_each(|word| write!(f, " {word}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written down is read back.
    #[test]
    fn a_command_is_written_as_it_is_read() {
        for words in [
            &["bot"][..],
            &["python3", "my bot.py", "-x"],
            &["a b", "", "it's", "say \"hi\"", "'\"", "\""],
        ] {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let command = Command {
                program: words[0].clone(),
                arguments: words[1..].to_vec(),
            };
            assert_eq!(Command::read(&command.quoted()), Ok(command));
        }
    }

    #[track_caller]
    fn check(text: &str, expected: Result<&[&str], &str>) {
        let read = Command::read(text);
        let words = read.map(|command| [vec![command.program], command.arguments].concat());
        match expected {
            Ok(words_expected) => assert_eq!(words.unwrap(), words_expected),
            Err(message) => assert_eq!(words.unwrap_err(), message),
        }
    }

    #[test]
    fn words_are_separated_by_spaces() {
        check("python3  bot.py\t--x", Ok(&["python3", "bot.py", "--x"]));
        check("'my bot' \"a b\"'c' ''", Ok(&["my bot", "a bc", ""]));
        check("a$HOME*", Ok(&["a$HOME*"]));
        check("  ", Err("the name of a program is missing"));
        check("''", Err("the name of a program is missing"));
        check("bot 'x", Err("a quote is not closed"));
    }
}
