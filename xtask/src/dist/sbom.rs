//! The bill of materials: which crates are inside, from where, as CycloneDX 1.5.

use std::path::PathBuf;

use anyhow::Context;
use serde_json::{Value, json};

use super::parts::{PartCrate, ProgramParts};
use super::{DistPlace, tools};

/// Writes it, and returns where it is.
pub(super) fn write(place: &DistPlace, parts: &ProgramParts) -> anyhow::Result<PathBuf> {
    let path = place
        .out
        .join(format!("cardwright-{}.cyclonedx.json", place.version));
    let text = serde_json::to_string_pretty(&bill(&place.version, parts)).context("it cannot be written")?;
    tools::write(&path, &format!("{text}\n"))?;
    Ok(path)
}

fn bill(version: &str, parts: &ProgramParts) -> Value {
    let components: Vec<Value> = parts.crates.values().map(component).collect();
    let dependencies: Vec<Value> = parts
        .crates
        .values()
        .map(|part| {
            let mut uses: Vec<String> = part
                .uses
                .iter()
                .filter_map(|id| parts.crates.get(id))
                .map(url)
                .collect();
            uses.sort();
            uses.dedup();
            json!({ "ref": url(part), "dependsOn": uses })
        })
        .collect();
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "cardwright",
                "name": "Cardwright",
                "version": version,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": components,
        "dependencies": dependencies,
    })
}

fn component(part: &PartCrate) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": url(part),
        "name": part.name,
        "version": part.version,
        "purl": url(part),
        "licenses": [{ "expression": expression(&part.licence) }],
    });
    if let Some(checksum) = &part.checksum {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    if let Some(repository) = &part.repository {
        component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
    }
    component
}

/// The name by which tools know a crate.
fn url(part: &PartCrate) -> String {
    format!("pkg:cargo/{}@{}", part.name, part.version)
}

/// Old manifests write `MIT/Apache-2.0` for a choice.
fn expression(licence: &str) -> String {
    licence.replace('/', " OR ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::parts::tests::small;

    #[test]
    fn every_part_and_what_it_uses_is_listed() {
        let bill = bill("1.0.0", &small());
        let names: Vec<&Value> = (0..3).map(|at| &bill["components"][at]["purl"]).collect();
        assert_eq!(
            names,
            [
                "pkg:cargo/a@0.1.0",
                "pkg:cargo/b@0.2.0",
                "pkg:cargo/cardwright@1.0.0"
            ]
        );
        assert_eq!(bill["components"][0]["hashes"][0]["content"], "abc");
        let program = &bill["dependencies"][2];
        assert_eq!(program["dependsOn"], json!(["pkg:cargo/a@0.1.0"]));
        assert!(bill["components"][3].is_null());
    }

    #[test]
    fn a_slash_is_a_choice() {
        assert_eq!(expression("MIT/Apache-2.0"), "MIT OR Apache-2.0");
    }
}
