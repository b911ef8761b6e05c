//! Regular expressions in searches. A module of WebAssembly has them with the feature `patterns` alone: they
//! and their tables of characters are large, and few people search with them.

#[cfg(any(feature = "patterns", not(target_family = "wasm")))]
pub(crate) use compiled::Pattern;
#[cfg(not(any(feature = "patterns", not(target_family = "wasm"))))]
pub(crate) use missing::Pattern;

/// Whether searches understand regular expressions here, as in `/gr[ae]y/`.
pub const HAS_PATTERNS: bool = cfg!(any(feature = "patterns", not(target_family = "wasm")));

#[cfg(any(feature = "patterns", not(target_family = "wasm")))]
mod compiled {
    use regex::{Regex, RegexBuilder};

    /// Bytes of a compiled regular expression; matching takes time in proportion to the text.
    const MAX_PATTERN: usize = 1 << 20;
    /// Groups inside groups of one.
    const MAX_NESTED: u32 = 64;

    /// A regular expression; two are the same if they are written alike.
    #[derive(Clone, Debug)]
    pub(crate) struct Pattern(Regex);

    impl Pattern {
        /// Compiles a regular expression.
        ///
        /// # Errors
        /// What is wrong with it, as a sentence.
        pub(crate) fn new(text: &str) -> Result<Pattern, String> {
            let built = RegexBuilder::new(text)
                .case_insensitive(true)
                .size_limit(MAX_PATTERN)
                .dfa_size_limit(MAX_PATTERN)
                .nest_limit(MAX_NESTED)
                .build();
            built.map(Pattern).map_err(|wrong| {
                if let regex::Error::CompiledTooBig(_) = wrong {
                    return "this regular expression is too large".to_owned();
                }
                let all = wrong.to_string();
                let last = all.lines().last().unwrap_or_default();
                format!(
                    "this is not a regular expression: {}",
                    last.trim_start_matches("error: ")
                )
            })
        }

        /// Whether a part of the text matches.
        pub(crate) fn is_match(&self, text: &str) -> bool {
            self.0.is_match(text)
        }
    }

    impl PartialEq for Pattern {
        fn eq(&self, other: &Pattern) -> bool {
            self.0.as_str() == other.0.as_str()
        }
    }
}

#[cfg(not(any(feature = "patterns", not(target_family = "wasm"))))]
mod missing {
    /// No regular expression: none can be made.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum Pattern {}

    impl Pattern {
        /// Refuses every one.
        ///
        /// # Errors
        /// Always: a sentence about it.
        pub(crate) fn new(_: &str) -> Result<Pattern, String> {
            Err("regular expressions are not understood here".to_owned())
        }

        /// Whether a part of the text matches.
        pub(crate) fn is_match(&self, _: &str) -> bool {
            match *self {}
        }
    }
}
