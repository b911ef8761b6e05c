use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read};
use std::sync::Arc;

use cw_text::{Diagnostic, FindingCode, Severity, Sources, Span};
use zip::ZipArchive;

use crate::codes::{PK130, PK131, PK132, PK133, PK134};
use crate::package::has_extension;
use crate::read::{clipped, clipped_path};
use crate::{FilesError, Guid, Package, PackageFiles, PackageLimits, xml};

/// A zip archive in memory, with everything dangerous about it found and left out.
///
/// What is listed can be unpacked below any folder without writing outside of it, over another file,
/// or more than the limits.
#[derive(Clone)]
pub struct Archive {
    zip: ZipArchive<Cursor<Arc<[u8]>>>,
    /// Names of safe entries with their index in the archive.
    entries: BTreeMap<String, usize>,
    troubles: Vec<(FindingCode, String)>,
    /// What is cut off the front of names.
    prefix: &'static str,
}

/// The bytes are no archive that can be read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// It does not have the form of a zip archive.
    #[error("not a zip archive: {reason}")]
    NotAnArchive {
        /// What is wrong with it.
        reason: String,
    },
}

impl std::fmt::Debug for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Archive")
            .field("entries", &self.entries)
            .field("troubles", &self.troubles)
            .finish_non_exhaustive()
    }
}

/// Archives inside archives are not opened (P178).
const ARCHIVES: [&str; 9] = ["zip", "o8g", "o8c", "nupkg", "7z", "rar", "gz", "tar", "jar"];

/// Names that mean devices on Windows, whatever their extension.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
    "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// From this size on an entry's ratio counts.
const RATIO_FROM: u64 = 1 << 20;

/// One record of the central directory.
struct ArchiveRecord {
    name: Vec<u8>,
    flags: u16,
    packed: u64,
    unpacked: u64,
    mode: u32,
    local: u64,
}

impl Archive {
    /// Reads the directory of an archive.
    ///
    /// # Errors
    /// When it is no zip archive.
    pub fn new(bytes: impl Into<Arc<[u8]>>, limits: &PackageLimits) -> Result<Archive, ArchiveError> {
        let bytes: Arc<[u8]> = bytes.into();
        let error = |reason: String| ArchiveError::NotAnArchive { reason };
        let zip =
            ZipArchive::new(Cursor::new(Arc::clone(&bytes))).map_err(|trouble| error(trouble.to_string()))?;
        let records = directory(&bytes).ok_or_else(|| error("its directory is broken".to_owned()))?;
        let mut archive = Archive {
            zip,
            entries: BTreeMap::new(),
            troubles: Vec::new(),
            prefix: "",
        };
        archive.examine(&bytes, records, limits);
        Ok(archive)
    }

    /// The game package in the archive: what lies in `def/` (P145). Names of entries are part names of the
    /// packaging convention, in which blanks and letters beyond ASCII are written `%20` and so on.
    #[must_use]
    pub fn package(mut self) -> Archive {
        self.prefix = "def/";
        let written = std::mem::take(&mut self.entries);
        let mut seen = BTreeSet::new();
        for (name, index) in written {
            let plain = decoded(&name);
            // What is dangerous may be written so, too.
            if plain != name
                && let Some(reason) = unsafe_name(&plain)
            {
                self.trouble(PK130, format!("the name `{}` {reason}", clipped_path(&name)));
            } else if seen.insert(plain.to_lowercase()) {
                self.entries.insert(plain, index);
            } else {
                let shown = clipped_path(&name);
                self.trouble(
                    PK131,
                    format!("another entry is called `{shown}`, or the same but for case"),
                );
            }
        }
        self
    }

    /// Whether it is a game or a set of OCTGN 2. Those are packages of the same convention, but what is in
    /// them is found by its relationships, and nothing lies in `def/`.
    pub fn is_of_octgn2(&self) -> bool {
        const RELATIONSHIPS: &str = "_rels/.rels";
        let is_later = self.entries.keys().any(|name| name.starts_with("def/"));
        let relationships = self.entry(RELATIONSHIPS, 1 << 20).unwrap_or_default();
        !is_later && memchr::memmem::find(&relationships, b"http://schemas.octgn.org/").is_some()
    }

    /// What was found: codes with messages.
    pub fn troubles(&self) -> &[(FindingCode, String)] {
        &self.troubles
    }

    /// What was found, as findings about a file of this name that joins the sources.
    pub fn findings(&self, name: &str, sources: &mut Sources) -> Vec<Diagnostic> {
        let file = sources.add(name, "");
        let finding = |(code, message): &(FindingCode, String)| {
            Diagnostic::new(*code, Severity::Error, file, Span::at(0), message.clone())
        };
        self.troubles.iter().map(finding).collect()
    }

    /// Adds what is wrong with the archive as a package to what reading the package found: PK130–PK134.
    pub fn report(&self, name: &str, package: &mut Package) {
        let mut found = self.findings(name, &mut package.sources);
        let file = package.sources.add(name, "");
        let error =
            |code, message: String| Diagnostic::new(code, Severity::Error, file, Span::at(0), message);
        if let Some(nuspec) = self.nuspec() {
            found.extend(
                self.nuspec_differs(&nuspec, package)
                    .map(|message| error(PK133, message)),
            );
        } else {
            found.push(error(PK133, "the package has no nuspec".to_owned()));
        }
        for set in &package.sets {
            let id = set.id.value;
            if !id.is_nil() && !set.folder.eq_ignore_ascii_case(&id.to_string()) {
                let message = format!(
                    "the set folder `{}` is not called {id}: OCTGN does not find it",
                    set.folder
                );
                found.push(Diagnostic::new(
                    PK134,
                    Severity::Warning,
                    set.file,
                    set.place.0,
                    message,
                ));
            }
        }
        package.diagnostics.extend(found);
        package
            .diagnostics
            .sort_by_key(|finding| (finding.file, finding.span));
    }

    fn nuspec(&self) -> Option<String> {
        let name = self
            .entries
            .keys()
            .find(|name| !name.contains('/') && has_extension(name, "nuspec"))?;
        let bytes = self.entry(name, 1 << 20).ok()?;
        Some(xml::decode(bytes).text.to_string())
    }

    /// PK133: id and version of the nuspec against the definition.
    fn nuspec_differs(&self, nuspec: &str, package: &Package) -> Option<String> {
        let element = |name: &str| {
            let (_, rest) = nuspec.split_once(&format!("<{name}>"))?;
            rest.split_once("</").map(|(value, _)| value.trim().to_owned())
        };
        let id = element("id")?;
        if id.parse::<Guid>().ok() != Some(package.definition.id.value) {
            return Some(format!(
                "the nuspec says id `{}`, the definition {}",
                clipped(&id),
                *package.definition.id
            ));
        }
        let version = element("version")?;
        let own = package.definition.version.as_ref()?.value;
        (crate::Version::parse(&version) != Some(own)).then(|| {
            format!(
                "the nuspec says version `{}`, the definition {own}",
                clipped(&version)
            )
        })
    }

    fn trouble(&mut self, code: FindingCode, message: String) {
        // One sick archive can have a hundred thousand sick entries.
        if self.troubles.len() < 200 {
            self.troubles.push((code, message));
        }
    }

    fn examine(&mut self, bytes: &[u8], records: Vec<ArchiveRecord>, limits: &PackageLimits) {
        if records.len() > limits.entries {
            self.trouble(PK132, format!("more than {} entries", limits.entries));
            return;
        }
        // The library keeps one entry for each name; the directory here has them all.
        let mut index_of = BTreeMap::new();
        for index in 0..self.zip.len() {
            if let Ok(entry) = self.zip.clone().by_index_raw(index) {
                index_of.insert(entry.name_raw().to_vec(), index);
            }
        }
        let mut total = 0u64;
        let mut seen = BTreeSet::new();
        for record in records {
            let shown = String::from_utf8_lossy(&record.name).into_owned();
            let shown = clipped_path(&shown).to_owned();
            let Some(name) = self.safe_name(&record.name, &shown) else {
                continue;
            };
            if name.ends_with('/') {
                continue;
            }
            if !seen.insert(name.to_lowercase()) {
                self.trouble(
                    PK131,
                    format!("another entry is called `{shown}`, or the same but for case"),
                );
                continue;
            }
            if let Some(message) = unusable(&record, bytes) {
                self.trouble(PK131, format!("`{shown}` {message}"));
                continue;
            }
            total = total.saturating_add(record.unpacked);
            if total > limits.unpacked {
                self.trouble(PK132, format!("more than {} bytes unpacked", limits.unpacked));
                return;
            }
            if record.unpacked > RATIO_FROM && record.unpacked / record.packed.max(1) > limits.ratio {
                self.trouble(
                    PK132,
                    format!("`{shown}` unpacks to more than {} times its size", limits.ratio),
                );
                continue;
            }
            if ARCHIVES.iter().any(|extension| has_extension(&name, extension)) {
                self.trouble(PK132, format!("`{shown}` is an archive inside the archive"));
                continue;
            }
            if let Some(index) = index_of.get(&record.name) {
                self.entries.insert(name, *index);
            }
        }
    }

    /// Gives the name of an entry, or reports that it is unsafe (PK130, P147).
    fn safe_name(&mut self, raw: &[u8], shown: &str) -> Option<String> {
        let Ok(name) = std::str::from_utf8(raw) else {
            self.trouble(PK130, format!("the name `{shown}` is not UTF-8"));
            return None;
        };
        if let Some(reason) = unsafe_name(name) {
            self.trouble(PK130, format!("the name `{shown}` {reason}"));
            return None;
        }
        Some(name.to_owned())
    }

    fn entry(&self, name: &str, limit: u64) -> Result<Vec<u8>, FilesError> {
        let Some(index) = self.entries.get(name) else {
            return Err(FilesError::NotFound {
                name: name.to_owned(),
            });
        };
        let failed = |source: std::io::Error| FilesError::Io {
            name: name.to_owned(),
            source,
        };
        let mut zip = self.zip.clone();
        let entry = zip
            .by_index(*index)
            .map_err(|error| failed(std::io::Error::other(error)))?;
        let declared = entry.size();
        let mut bytes = Vec::with_capacity(declared.min(limit).min(1 << 20) as usize);
        // The declared size may lie: whatever comes, no more than this is taken.
        entry
            .take(limit.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(failed)?;
        if bytes.len() as u64 > limit {
            return Err(FilesError::TooLarge {
                name: name.to_owned(),
                limit,
            });
        }
        Ok(bytes)
    }
}

impl PackageFiles for Archive {
    fn list(&self) -> Result<Vec<String>, FilesError> {
        let names = self
            .entries
            .keys()
            .filter_map(|name| name.strip_prefix(self.prefix));
        Ok(names.map(str::to_owned).collect())
    }

    fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, FilesError> {
        self.entry(&format!("{}{name}", self.prefix), limit)
    }
}

/// A part name of the packaging convention for the name of a file: in each part of the path, what is neither
/// a letter or digit of ASCII nor one of a few marks is written `%20` and so on.
pub(crate) fn encoded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// The name of a file for a part name; one that cannot be meant so stays as it is.
pub(crate) fn decoded(name: &str) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digits = match first {
            b'%' => behind.get(..2).and_then(|two| std::str::from_utf8(two).ok()),
            _ => None,
        };
        let is_hex = |digits: &&str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        match digits
            .filter(is_hex)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok())
        {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| name.to_owned())
}

/// Why a name must not be unpacked, if there is a reason.
pub(crate) fn unsafe_name(name: &str) -> Option<&'static str> {
    if name.is_empty() || name.len() > 1024 {
        return Some("is empty or very long");
    }
    if name.contains('\\') {
        return Some("has a backslash");
    }
    if name.chars().any(char::is_control) {
        return Some("has a control character");
    }
    if name.starts_with('/') {
        return Some("is absolute");
    }
    if name.contains(':') {
        return Some("has a colon: a drive or a stream");
    }
    let path = name.strip_suffix('/').unwrap_or(name);
    for part in path.split('/') {
        if matches!(part, "" | "." | "..") {
            return Some("has an empty part, `.` or `..`");
        }
        if part.ends_with(['.', ' ']) || part.starts_with(' ') {
            return Some("has a part that begins or ends with a blank, or ends with a dot");
        }
        let stem = part.split('.').next().unwrap_or(part).trim_end();
        if DEVICES.iter().any(|device| device.eq_ignore_ascii_case(stem)) {
            return Some("is the name of a device");
        }
    }
    None
}

/// PK131: why an entry cannot be trusted.
fn unusable(record: &ArchiveRecord, bytes: &[u8]) -> Option<&'static str> {
    if record.flags & 1 != 0 {
        return Some("is encrypted");
    }
    if record.mode & 0o170_000 == 0o120_000 {
        return Some("is a link");
    }
    let local = usize::try_from(record.local).ok()?;
    let header = bytes.get(local..local.saturating_add(30));
    let Some(header) = header.filter(|header| header.starts_with(b"PK\x03\x04")) else {
        return Some("has no local header");
    };
    let length = usize::from(u16::from_le_bytes([header[26], header[27]]));
    let name = bytes.get(local + 30..local + 30 + length);
    let flags = u16::from_le_bytes([header[6], header[7]]);
    if name != Some(record.name.as_slice()) {
        return Some("has another name in its local header");
    }
    if flags & 1 != record.flags & 1 {
        return Some("is encrypted in one of its headers");
    }
    let number = |at: usize| u64::from(u32_at(header, at));
    let streamed = flags & 8 != 0;
    let wide = number(18) == u64::from(u32::MAX) || number(22) == u64::from(u32::MAX);
    if !streamed && !wide && (number(18), number(22)) != (record.packed, record.unpacked) {
        return Some("has another size in its local header");
    }
    None
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes
        .get(at..at + 4)
        .map_or(0, |four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

/// Walks the central directory record by record; nothing where it is broken.
///
/// The library merges records of one name, and duplicates are what is looked for here.
fn directory(bytes: &[u8]) -> Option<Vec<ArchiveRecord>> {
    let end = find_end(bytes)?;
    let count = u16::from_le_bytes([bytes[end + 10], bytes[end + 11]]);
    let mut at = u32_at(bytes, end + 16) as usize;
    let mut total = u64::from(count);
    if count == u16::MAX || u32::try_from(at) == Ok(u32::MAX) {
        let (records, start) = zip64(bytes, end)?;
        total = records;
        at = usize::try_from(start).ok()?;
    }
    let mut records = Vec::new();
    for _ in 0..total {
        let header = bytes.get(at..at.checked_add(46)?)?;
        if !header.starts_with(b"PK\x01\x02") {
            return None;
        }
        let short = |at: usize| usize::from(u16::from_le_bytes([header[at], header[at + 1]]));
        let (name_length, extra, comment) = (short(28), short(30), short(32));
        let name = bytes.get(at + 46..at + 46 + name_length)?.to_vec();
        let extra_field = bytes.get(at + 46 + name_length..at + 46 + name_length + extra)?;
        let mut wide = wide_numbers(extra_field);
        let mut number = |at: usize| {
            let number = u32_at(header, at);
            if number == u32::MAX {
                wide.next().unwrap_or(u64::from(u32::MAX))
            } else {
                u64::from(number)
            }
        };
        // In this order stand the 64-bit numbers of the extra field.
        let unpacked = number(24);
        let packed = number(20);
        let local = number(42);
        records.push(ArchiveRecord {
            name,
            flags: u16::try_from(short(8)).unwrap_or(u16::MAX),
            packed,
            unpacked,
            mode: u32_at(header, 38) >> 16,
            local,
        });
        at += 46 + name_length + extra + comment;
    }
    Some(records)
}

/// The 64-bit numbers of a zip64 extra field.
fn wide_numbers(extra: &[u8]) -> impl Iterator<Item = u64> {
    let mut rest = extra;
    let mut found: &[u8] = &[];
    while let [a, b, c, d, tail @ ..] = rest {
        let length = usize::from(u16::from_le_bytes([*c, *d])).min(tail.len());
        if u16::from_le_bytes([*a, *b]) == 1 {
            found = &tail[..length];
            break;
        }
        rest = &tail[length..];
    }
    found.chunks_exact(8).map(|eight| {
        eight
            .iter()
            .rev()
            .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
    })
}

/// Count and start of the directory from the zip64 records before the end record.
fn zip64(bytes: &[u8], end: usize) -> Option<(u64, u64)> {
    let locator = bytes.get(end.checked_sub(20)?..end)?;
    if !locator.starts_with(b"PK\x06\x07") {
        return None;
    }
    let wide = |bytes: &[u8], at: usize| {
        bytes.get(at..at + 8).map(|eight| {
            eight
                .iter()
                .rev()
                .fold(0u64, |sum, byte| sum << 8 | u64::from(*byte))
        })
    };
    let record = bytes.get(usize::try_from(wide(locator, 8)?).ok()?..)?;
    if !record.starts_with(b"PK\x06\x06") {
        return None;
    }
    Some((wide(record, 32)?, wide(record, 48)?))
}

/// The end record: the last one whose comment ends with the file.
fn find_end(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(22)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    (first..=last).rev().find(|at| {
        let comment = usize::from(u16::from_le_bytes([bytes[at + 20], bytes[at + 21]]));
        bytes[*at..].starts_with(b"PK\x05\x06") && at + 22 + comment == bytes.len()
    })
}
