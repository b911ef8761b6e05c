//! The types of the pages' scripts, which `tsconfig.json` in the root of the repository asks for.

use std::process::Command;

use anyhow::{Context, ensure};

use crate::{browser, repository};

/// The compiler, which the browser tests' packages hold.
const COMPILER: &str = "tests/browser/node_modules/typescript/bin/tsc";

/// Checks the types of all scripts that `tsconfig.json` does not leave out, where the compiler is at hand. CI
/// fetches it if it can.
pub(crate) fn check() -> anyhow::Result<()> {
    if std::env::var_os("CI").is_some()
        && let Err(why) = browser::packages()
    {
        println!("{why:#}");
    }
    let root = repository::root();
    if !browser::has_node() || !root.join(COMPILER).is_file() {
        println!(
            "no Node or no TypeScript here: the types of the pages' scripts are not checked \
             (`npm ci` in tests/browser brings it)"
        );
        return Ok(());
    }
    println!("$ node {COMPILER} --project tsconfig.json");
    let status = Command::new("node")
        .args([COMPILER, "--project", "tsconfig.json"])
        .current_dir(root)
        .status()
        .context("node cannot be started")?;
    ensure!(status.success(), "the types of the pages' scripts do not fit");
    Ok(())
}
