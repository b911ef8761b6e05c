//! The extension for Visual Studio Code: `cargo xtask vsix` packs `editors/vscode` into one file that VS Code
//! installs.
//!
//! A `.vsix` is a zip with a manifest, in the form that VS Code's own tool writes. Nothing is fetched and no
//! Node is needed: the extension is JavaScript that we wrote, and uses nothing but what VS Code has. The same
//! sources give the same bytes.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde_json::Value;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::repository;

/// Where its sources are.
const PLACE: &str = "editors/vscode";
/// What is not for its users.
const LEFT_OUT: &str = "editors/vscode/test/";

/// Packs the extension, and says where it is.
pub(crate) fn run() -> anyhow::Result<()> {
    let out = repository::root().join("target/editors");
    let file = build(&out)?;
    let size = fs::metadata(&file)?.len();
    println!("{}: {size} bytes", file.display());
    println!(
        "VS Code installs it with `code --install-extension FILE`, \
         or by “Install from VSIX…” in its extensions."
    );
    Ok(())
}

/// Packs the extension into a folder; returns the file.
fn build(out: &Path) -> anyhow::Result<PathBuf> {
    let root = repository::root();
    let names = repository::files()?;
    let names = names
        .iter()
        .filter(|name| name.starts_with(PLACE) && !name.starts_with(LEFT_OUT));
    let mut parts: Vec<(String, Vec<u8>)> = Vec::new();
    for name in names {
        let bytes = fs::read(root.join(name)).with_context(|| format!("cannot read {name}"))?;
        let inner = name.trim_start_matches(PLACE);
        parts.push((format!("extension{inner}"), bytes));
    }
    let place = parts
        .iter()
        .position(|(name, _)| name == "extension/package.json");
    let place = place.with_context(|| format!("{PLACE} has no package.json"))?;
    let mut package: Value = serde_json::from_slice(&parts[place].1).context("package.json is not JSON")?;
    // The extension has the version of the program.
    package["version"] = Value::from(env!("CARGO_PKG_VERSION"));
    parts[place].1 = format!("{package:#}\n").into_bytes();
    let mut licence = String::new();
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let text = fs::read_to_string(root.join(name)).with_context(|| format!("cannot read {name}"))?;
        licence.push_str(&format!("{text}\n"));
    }
    parts.push(("extension/LICENSE.txt".to_owned(), licence.into_bytes()));
    parts.push((
        "extension.vsixmanifest".to_owned(),
        manifest(&package)?.into_bytes(),
    ));
    let types = content_types(parts.iter().map(|(name, _)| name.as_str()));
    parts.push(("[Content_Types].xml".to_owned(), types.into_bytes()));
    parts.sort();
    fs::create_dir_all(out).context("no folder for the extension")?;
    let file = out.join(format!("cardwright-{}.vsix", env!("CARGO_PKG_VERSION")));
    let mut zip = ZipWriter::new(File::create(&file).context("the extension cannot be written")?);
    for (name, bytes) in parts {
        zip.start_file(name, SimpleFileOptions::default())?;
        zip.write_all(&bytes)?;
    }
    zip.finish()?;
    Ok(file)
}

/// What VS Code reads of an extension before it unpacks it.
fn manifest(package: &Value) -> anyhow::Result<String> {
    let text = |key: &str| {
        let text = package[key]
            .as_str()
            .with_context(|| format!("package.json has no `{key}`"))?;
        Ok::<String, anyhow::Error>(escaped(text))
    };
    let list = |key: &str| {
        let all = package[key].as_array().into_iter().flatten();
        let words: Vec<&str> = all.filter_map(Value::as_str).collect();
        escaped(&words.join(","))
    };
    let engine = package["engines"]["vscode"]
        .as_str()
        .context("package.json names no version of VS Code")?;
    ensure!(package["main"].is_string(), "package.json names no script");
    Ok(format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <PackageManifest Version=\"2.0.0\" \
         xmlns=\"http://schemas.microsoft.com/developer/vsx-schema/2011\">\n\
         \x20 <Metadata>\n\
         \x20   <Identity Language=\"en-US\" Id=\"{}\" Version=\"{}\" Publisher=\"{}\"/>\n\
         \x20   <DisplayName>{}</DisplayName>\n\
         \x20   <Description xml:space=\"preserve\">{}</Description>\n\
         \x20   <Tags>{}</Tags>\n\
         \x20   <Categories>{}</Categories>\n\
         \x20   <GalleryFlags>Public</GalleryFlags>\n\
         \x20   <License>extension/LICENSE.txt</License>\n\
         \x20   <Properties>\n\
         \x20     <Property Id=\"Microsoft.VisualStudio.Code.Engine\" Value=\"{}\"/>\n\
         \x20     <Property Id=\"Microsoft.VisualStudio.Code.ExtensionDependencies\" Value=\"\"/>\n\
         \x20     <Property Id=\"Microsoft.VisualStudio.Code.ExtensionPack\" Value=\"\"/>\n\
         \x20     <Property Id=\"Microsoft.VisualStudio.Code.ExtensionKind\" Value=\"workspace\"/>\n\
         \x20     <Property Id=\"Microsoft.VisualStudio.Code.LocalizedLanguages\" Value=\"\"/>\n\
         \x20   </Properties>\n\
         \x20 </Metadata>\n\
         \x20 <Installation>\n\
         \x20   <InstallationTarget Id=\"Microsoft.VisualStudio.Code\"/>\n\
         \x20 </Installation>\n\
         \x20 <Dependencies/>\n\
         \x20 <Assets>\n\
         \x20   <Asset Type=\"Microsoft.VisualStudio.Code.Manifest\" \
         Path=\"extension/package.json\" Addressable=\"true\"/>\n\
         \x20   <Asset Type=\"Microsoft.VisualStudio.Services.Content.Details\" \
         Path=\"extension/README.md\" Addressable=\"true\"/>\n\
         \x20   <Asset Type=\"Microsoft.VisualStudio.Services.Content.License\" \
         Path=\"extension/LICENSE.txt\" Addressable=\"true\"/>\n\
         \x20 </Assets>\n\
         </PackageManifest>\n",
        text("name")?,
        text("version")?,
        text("publisher")?,
        text("displayName")?,
        text("description")?,
        list("keywords"),
        list("categories"),
        escaped(engine),
    ))
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// The kinds of files by the ends of their names, as packages of this form have it.
fn content_types<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut ends: Vec<&str> = names.filter_map(|name| Some(name.rsplit_once('.')?.1)).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\n",
    );
    for end in ends {
        let kind = match end {
            "json" => "application/json",
            "js" => "application/javascript",
            "md" => "text/markdown",
            "txt" => "text/plain",
            "vsixmanifest" => "text/xml",
            _ => "application/octet-stream",
        };
        out.push_str(&format!(
            "  <Default Extension=\".{end}\" ContentType=\"{kind}\"/>\n"
        ));
    }
    out.push_str("</Types>\n");
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io::Read as _;
    use std::process::Command;

    use super::*;

    fn unpacked(file: &Path) -> BTreeMap<String, String> {
        let mut zip = zip::ZipArchive::new(File::open(file).expect("it was made")).expect("it is a zip");
        let mut all = BTreeMap::new();
        for at in 0..zip.len() {
            let mut part = zip.by_index(at).expect("it is there");
            let mut text = String::new();
            part.read_to_string(&mut text).expect("all of it is text");
            let name = part.name().expect("its name is text").into_owned();
            all.insert(name, text);
        }
        all
    }

    /// The values of an attribute in a text of XML, in order.
    fn attributes<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
        let begin = format!(" {name}=\"");
        let parts = text.split(begin.as_str()).skip(1);
        parts.filter_map(|part| part.split('"').next()).collect()
    }

    /// What the manifest and `package.json` name is inside, and nothing that is only for us; every script
    /// parses, and asks for nothing that neither Node nor VS Code has. The same sources give the same bytes.
    #[test]
    fn the_extension_is_whole() {
        let folder = tempfile::tempdir().expect("there is room");
        let file = build(folder.path()).expect("it is packed");
        let all = unpacked(&file);
        let manifest = &all["extension.vsixmanifest"];
        for path in attributes(manifest, "Path") {
            assert!(all.contains_key(path), "{path} is named, and not inside");
        }
        assert_eq!(attributes(manifest, "Publisher"), ["cardwright"]);
        let version = attributes(manifest, "Version");
        assert_eq!(version, ["2.0.0", env!("CARGO_PKG_VERSION")]);
        for name in all.keys().filter(|name| *name != "[Content_Types].xml") {
            let (_, end) = name.rsplit_once('.').expect("each name has an end");
            let known = attributes(&all["[Content_Types].xml"], "Extension");
            assert!(known.contains(&format!(".{end}").as_str()), "{name} has no kind");
            assert!(!name.contains("/test/"), "{name} is only for us");
        }

        let package: Value = serde_json::from_str(&all["extension/package.json"]).expect("it is JSON");
        assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(package["dependencies"], Value::Null, "nothing is bundled");
        let contributed = &package["contributes"];
        let mut named = vec![package["main"].as_str()];
        for (kind, key) in [("languages", "configuration"), ("grammars", "path")] {
            let list = contributed[kind].as_array().expect("there is a list");
            named.extend(list.iter().map(|one| one[key].as_str()));
        }
        let named: Vec<&str> = named.into_iter().flatten().collect();
        assert_eq!(named.len(), 3, "{named:?}");
        for path in named {
            let inner = format!("extension/{}", path.trim_start_matches("./"));
            assert!(all.contains_key(&inner), "{path} is named, and not inside");
        }
        // A command that is offered is one that somebody registers.
        let script = &all["extension/extension.js"];
        for command in contributed["commands"].as_array().expect("there are commands") {
            let name = command["command"].as_str().expect("it has a name");
            assert!(script.contains(&format!("registerCommand(\"{name}\"")), "{name}");
        }
        let scripts = all.iter().filter(|(name, _)| name.ends_with(".js"));
        for (name, text) in scripts {
            for part in text.split("require(\"").skip(1) {
                let asked = part.split('"').next().unwrap_or_default();
                let is_ours = asked
                    .strip_prefix("./")
                    .is_some_and(|own| all.contains_key(&format!("extension/{own}.js")));
                assert!(
                    asked == "vscode" || asked.starts_with("node:") || is_ours,
                    "{name} needs {asked}"
                );
            }
            parses(folder.path(), name, text);
        }
        let again = tempfile::tempdir().expect("there is room");
        let again = build(again.path()).expect("it is packed");
        assert!(fs::read(file).ok() == fs::read(again).ok());
    }

    fn parses(folder: &Path, name: &str, text: &str) {
        let path = folder.join(name.replace('/', "-"));
        fs::write(&path, text).expect("there is room");
        match Command::new("node").arg("--check").arg(&path).output() {
            Ok(done) => assert!(
                done.status.success(),
                "{name}: {}",
                String::from_utf8_lossy(&done.stderr)
            ),
            Err(_) => println!("SKIPPED: there is no Node, so nobody looked whether {name} parses"),
        }
    }
}
