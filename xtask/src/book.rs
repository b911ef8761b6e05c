//! The documentation as a book.

use std::process::Command;

use anyhow::ensure;

use crate::repository;

/// Builds the book into `target/book`; where mdBook is missing that is said, and nothing is wrong.
///
/// Links and command lines are tested without it (`crates/cardwright/tests/book.rs`).
pub(crate) fn build() -> anyhow::Result<()> {
    let root = repository::root();
    let built = Command::new("mdbook").arg("build").current_dir(&root).status();
    let Ok(status) = built else {
        println!(
            "mdBook is not installed (`cargo install mdbook`): \
             the pages are in docs, docs/SUMMARY.md lists them"
        );
        return Ok(());
    };
    ensure!(status.success(), "mdbook ended with {status}");
    println!("the book is in target/book/index.html");
    Ok(())
}
