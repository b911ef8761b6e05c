//! Two packages for Node: `cardwright`, which starts the program, and one that holds it for this system.
//!
//! The second is an *optional* dependency with `os` and `cpu`, so npm installs the one that fits and no
//! script runs at installation. More systems are more such packages.

use std::process::Command;

use anyhow::Context;
use serde_json::{Value, json};

use super::archive::copy_papers;
use super::program::StaticProgram;
use super::{DistPlace, FormResult, tools};
use crate::repository;

/// Makes both; the one with the program comes first.
pub(super) fn make(place: &DistPlace, program: &StaticProgram) -> anyhow::Result<Vec<FormResult>> {
    let Some(processor) = processor() else {
        let lack = format!("Node has no name for {}", std::env::consts::ARCH);
        return Ok(vec![FormResult::Lacks(lack)]);
    };
    if let Some(lack) = tools::missing(&["npm"]) {
        let lack = format!("it needs {lack}; install Node from https://nodejs.org");
        return Ok(vec![FormResult::Lacks(lack)]);
    }
    let parent = place.stage("npm")?;
    let holder = parent.join("holder");
    tools::copy(&program.path, &holder.join("bin/cardwright"))?;
    copy_papers(program, &holder)?;
    let text =
        format!("The program of the package `cardwright` for Linux on {processor}. Install that one.\n");
    tools::write(&holder.join("README.md"), &text)?;
    write_json(&holder, &holder_package(&place.version, processor))?;

    let starter = parent.join("starter");
    for own in tools::OWN_LICENCES {
        tools::copy(&repository::root().join(own), &starter.join(own))?;
    }
    for name in ["cardwright.js", "README.md"] {
        let text = super::filled(&format!("npm/{name}"), &[])?;
        tools::write(&starter.join(name), &text)?;
    }
    write_json(&starter, &starter_package(&place.version, processor))?;
    let mut results = Vec::new();
    for folder in [holder, starter] {
        let mut npm = Command::new("npm");
        npm.args(["pack", "--silent", "--pack-destination"])
            .arg(&place.out)
            .current_dir(&folder);
        let name = tools::output(&mut npm)?;
        let name = name
            .trim()
            .lines()
            .last()
            .context("npm does not say what it made")?;
        results.push(FormResult::Made(place.out.join(name)));
    }
    Ok(results)
}

/// This machine's processor, as Node calls it.
fn processor() -> Option<&'static str> {
    match std::env::consts::ARCH {
        "x86_64" => Some("x64"),
        "aarch64" => Some("arm64"),
        _ => None,
    }
}

fn holder_name(processor: &str) -> String {
    format!("cardwright-linux-{processor}")
}

fn holder_package(version: &str, processor: &str) -> Value {
    json!({
        "name": holder_name(processor),
        "version": version,
        "description": format!("The program of the package cardwright, for Linux on {processor}"),
        "license": "MIT OR Apache-2.0",
        "os": ["linux"],
        "cpu": [processor],
        "files": ["bin", "LICENSE*", "README.md"],
        "preferUnplugged": true,
    })
}

fn starter_package(version: &str, processor: &str) -> Value {
    json!({
        "name": "cardwright",
        "version": version,
        "description": "Make, check, play, test and balance card games",
        "keywords": ["card game", "OCTGN", "simulation"],
        "license": "MIT OR Apache-2.0",
        "bin": { "cardwright": "cardwright.js" },
        "files": ["cardwright.js", "LICENSE*", "README.md"],
        "engines": { "node": ">=18" },
        "optionalDependencies": { holder_name(processor): version },
    })
}

fn write_json(folder: &std::path::Path, package: &Value) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(package).context("a package cannot be written")?;
    tools::write(&folder.join("package.json"), &format!("{text}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_starter_asks_for_exactly_this_holder() {
        let (holder, starter) = (holder_package("1.2.3", "x64"), starter_package("1.2.3", "x64"));
        let name = holder["name"].as_str().expect("it has a name");
        assert_eq!(starter["optionalDependencies"][name], "1.2.3");
        let script = repository::text("packaging/npm/cardwright.js").expect("it is there");
        // The script makes the name of what Node says about itself.
        assert!(
            script
                .expect("it is text")
                .contains("`cardwright-${process.platform}-${process.arch}`")
        );
        assert_eq!(name, "cardwright-linux-x64");
    }
}
