//! READMEs of the crates that are meant for others, made of their documentation.
//!
//! The documentation of a crate is the one source. `cargo xtask readmes` writes the files, `cargo xtask tidy`
//! compares them, so neither can say what the other does not.

use anyhow::Context;

use crate::repository;

/// The crates that programs outside the repository may use (`CONTRIBUTING.md`, *Public interfaces*).
const CRATES: [&str; 8] = [
    "cw-duel",
    "cw-expr",
    "cw-load",
    "cw-octgn",
    "cw-players",
    "cw-scenario",
    "cw-sim",
    "cw-wire",
];

/// Writes the READMEs that differ.
pub(crate) fn write() -> anyhow::Result<()> {
    for name in CRATES {
        let (file, wanted) = readme(name)?;
        if there(&file)? != wanted {
            std::fs::write(repository::root().join(&file), wanted)
                .with_context(|| format!("cannot write {file}"))?;
            println!("{file}: written");
        }
    }
    Ok(())
}

/// Finds READMEs that differ from the documentation.
pub(crate) fn check(faults: &mut Vec<String>) -> anyhow::Result<()> {
    for name in CRATES {
        let (file, wanted) = readme(name)?;
        if there(&file)? != wanted {
            faults.push(format!(
                "{file}: differs from the documentation of the crate; run `cargo xtask readmes`"
            ));
        }
    }
    Ok(())
}

/// What the README is now; nothing where there is none.
fn there(file: &str) -> anyhow::Result<String> {
    match repository::root().join(file).is_file() {
        true => Ok(repository::text(file)?.unwrap_or_default()),
        false => Ok(String::new()),
    }
}

/// The path of a crate's README, and what it should contain.
fn readme(name: &str) -> anyhow::Result<(String, String)> {
    let library = format!("crates/{name}/src/lib.rs");
    let source = repository::text(&library)?.with_context(|| format!("{library} is not text"))?;
    Ok((format!("crates/{name}/README.md"), of_source(name, &source)))
}

/// Turns the `//!` lines at the head of a library into Markdown that is read outside of rustdoc.
fn of_source(name: &str, source: &str) -> String {
    let mut out = format!(
        "<!-- Made of src/lib.rs by `cargo xtask readmes`. -->\n\n\
         # {name}\n\nA crate of [Cardwright](../../README.md).\n\n"
    );
    let mut in_code = false;
    for line in source.lines().map_while(|line| line.strip_prefix("//!")) {
        let line = line.strip_prefix(' ').unwrap_or(line);
        if line.starts_with("```") {
            in_code = !in_code;
            // Examples of rustdoc are Rust unless they say otherwise.
            out.push_str(match in_code && ["```", "```no_run"].contains(&line) {
                true => "```rust",
                false => line.trim_end_matches(",no_run"),
            });
        } else if in_code && (line == "#" || line.starts_with("# ")) {
            // rustdoc runs these lines and hides them.
            continue;
        } else if in_code {
            out.push_str(line);
        } else {
            if line.starts_with('#') {
                // The README has a title of its own above.
                out.push('#');
            }
            out.push_str(&without_links(line));
        }
        out.push('\n');
    }
    out
}

/// Takes the brackets off links that only rustdoc can follow: ``[`Duel`]`` and ``[`Duel`](crate::Duel)``.
fn without_links(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, inside)) = rest.split_once("[`") {
        let Some((name, after)) = inside.split_once("`]") else {
            break;
        };
        out.push_str(&format!("{before}`{name}`"));
        rest = match after.strip_prefix('(').and_then(|target| target.split_once(')')) {
            Some((_, after)) => after,
            None => after,
        };
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_becomes_a_readme() {
        let source = "//! Knows [`Duel`] and [`Level`](crate::Level), not [a page](docs/x.md).\n//!\n\
                      //! # Design\n//! ```\n//! # use hidden::Duel;\n//! #\n//! let shown = [1];\n\
                      //! ```\n//! ```text\n//! plain\n//! ```\nmod one;\n//! not the head\n";
        let readme = of_source("cw-a", source);
        let (_, body) = readme.split_once("README.md).\n\n").expect("it has a head");
        assert_eq!(
            body,
            "Knows `Duel` and `Level`, not [a page](docs/x.md).\n\n\
             ## Design\n```rust\nlet shown = [1];\n```\n```text\nplain\n```\n"
        );
    }

    #[test]
    fn only_links_of_rustdoc_lose_their_brackets() {
        assert_eq!(
            without_links("[`read`], [`write()`] and `x[0]`"),
            "`read`, `write()` and `x[0]`"
        );
        assert_eq!(without_links("an open [`name"), "an open [`name");
    }
}
