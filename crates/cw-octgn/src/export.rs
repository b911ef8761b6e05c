use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::archive::encoded;
use crate::package::has_extension;
use crate::{Definition, FilesError, Package, PackageFiles, PackageLimits};

/// Why a package could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The definition lacks what a package needs (P145).
    #[error("the definition has no {missing}")]
    Missing {
        /// `id`, `name` or `version`.
        missing: &'static str,
    },
    /// A set's id is missing or no file name.
    #[error("the set `{set}` has no id that can name a folder")]
    SetId {
        /// The set's folder.
        set: String,
    },
    /// The files cannot be had.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// The archive cannot be written.
    #[error("cannot write the archive")]
    Archive(#[from] zip::result::ZipError),
    /// A file cannot be added to the archive.
    #[error("cannot write the archive")]
    Io(#[from] std::io::Error),
}

/// An exported package.
#[derive(Debug)]
pub struct Exported {
    /// `<name>-<version>.o8g`, without characters that file names cannot have.
    pub file_name: String,
    /// The archive.
    pub bytes: Vec<u8>,
    /// Files of the source folder that do not belong in a package, and were left out (P143).
    pub left_out: Vec<String>,
}

/// Packs a source folder as o8build does (P143–P145): the same bytes for the same files.
///
/// # Errors
/// When the definition lacks id, name or version, or files cannot be read.
pub fn export(
    files: &dyn PackageFiles,
    package: &Package,
    limits: &PackageLimits,
) -> Result<Exported, ExportError> {
    let definition = &package.definition;
    let missing = |missing| ExportError::Missing { missing };
    if definition.id.is_nil() {
        return Err(missing("id"));
    }
    if definition.name.trim().is_empty() {
        return Err(missing("name"));
    }
    let version = definition
        .version
        .as_ref()
        .ok_or_else(|| missing("version"))?
        .value;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    let nuspec_name = format!("{}.nuspec", definition.raw_id);
    let mut add = |name: &str, bytes: &[u8]| -> Result<(), ExportError> {
        zip.start_file(name, options)?;
        zip.write_all(bytes)?;
        Ok(())
    };
    add("_rels/.rels", relationships(&nuspec_name).as_bytes())?;
    add(&nuspec_name, nuspec(definition, &version.to_string()).as_bytes())?;
    let mut left_out = Vec::new();
    let mut named = Vec::new();
    for name in &package.files {
        match packed_name(package, name)? {
            Some(packed) => named.push((encoded(&format!("def/{packed}")), name)),
            None => left_out.push(name.clone()),
        }
    }
    named.sort();
    let parts = named.iter().map(|(part, _)| part.as_str());
    add(
        "[Content_Types].xml",
        content_types(&nuspec_name, parts).as_bytes(),
    )?;
    for (part, name) in &named {
        add(part, &files.read(name, limits.unpacked)?)?;
    }
    let bytes = zip.finish()?.into_inner();
    let plain: String = definition
        .name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '\'') {
                c
            } else {
                '_'
            }
        })
        .collect();
    Ok(Exported {
        file_name: format!("{}-{version}.o8g", plain.trim()),
        bytes,
        left_out,
    })
}

/// Packs files as they are, under their names: the same bytes for the same files.
///
/// # Errors
/// When files cannot be read.
pub fn zip_of(files: &dyn PackageFiles, limit: u64) -> Result<Vec<u8>, ExportError> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for name in files.list()? {
        zip.start_file(&*name, SimpleFileOptions::default())?;
        zip.write_all(&files.read(&name, limit)?)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// Where a file stands in the package, below `def/`: sets are in folders named by their id.
fn packed_name(package: &Package, name: &str) -> Result<Option<String>, ExportError> {
    let Some((folder, rest)) = name.split_once('/') else {
        return Ok((name == "definition.xml").then(|| name.to_owned()));
    };
    if folder == "_rels" || has_extension(name, "nupkg") || has_extension(name, "o8g") {
        return Ok(None);
    }
    let Some((set_folder, inner)) = rest.split_once('/').filter(|_| folder == "Sets") else {
        return Ok((folder != "Sets").then(|| name.to_owned()));
    };
    let Some(set) = package.sets.iter().find(|set| *set.folder == *set_folder) else {
        return Ok(None);
    };
    let id = set.raw_id.trim();
    if set.id.is_nil() || crate::archive::unsafe_name(id).is_some() || id.contains('/') {
        return Err(ExportError::SetId {
            set: set_folder.to_owned(),
        });
    }
    Ok(Some(format!("Sets/{id}/{inner}")))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn nuspec(definition: &Definition, version: &str) -> String {
    let mut out = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
                   <package xmlns=\"http://schemas.microsoft.com/packaging/2010/07/nuspec.xsd\">\n\
                   \x20 <metadata>\n"
        .to_owned();
    let mut element = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(out, "    <{name}>{}</{name}>", escape(value));
        }
    };
    element("id", &definition.raw_id);
    element("version", version);
    element("title", &definition.name);
    element("authors", &definition.authors);
    element("projectUrl", &definition.game_url);
    element("iconUrl", &definition.icon_url);
    element("requireLicenseAcceptance", "false");
    // NuGet wants a description.
    let description = if definition.description.is_empty() {
        &definition.name.value
    } else {
        &definition.description
    };
    element("description", description);
    element("tags", &definition.tags);
    out.push_str("  </metadata>\n</package>\n");
    out
}

fn relationships(nuspec: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\n\
         \x20 <Relationship Type=\"http://schemas.microsoft.com/packaging/2010/07/manifest\" \
         Target=\"/{}\" Id=\"R1\" />\n</Relationships>\n",
        escape(nuspec)
    )
}

/// The packaging convention wants a type for every part: by its extension, else by its name.
fn content_types<'a>(nuspec: &'a str, parts: impl Iterator<Item = &'a str>) -> String {
    let mut extensions = BTreeSet::new();
    let mut bare = BTreeSet::new();
    for part in parts.chain([nuspec]) {
        let file = part.rsplit('/').next().unwrap_or(part);
        match file.rsplit_once('.') {
            Some((_, extension)) if !extension.is_empty() => {
                extensions.insert(extension.to_lowercase());
            }
            _ => {
                bare.insert(part);
            }
        }
    }
    extensions.remove("rels");
    let mut out = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
                   <Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\n\
                   \x20 <Default Extension=\"rels\" \
                   ContentType=\"application/vnd.openxmlformats-package.relationships+xml\" />\n"
        .to_owned();
    for extension in extensions {
        let _ = writeln!(
            out,
            "  <Default Extension=\"{}\" ContentType=\"application/octet\" />",
            escape(&extension)
        );
    }
    for part in bare {
        let _ = writeln!(
            out,
            "  <Override PartName=\"/{}\" ContentType=\"application/octet\" />",
            escape(part)
        );
    }
    out.push_str("</Types>\n");
    out
}
