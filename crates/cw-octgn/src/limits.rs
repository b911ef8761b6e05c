/// How much of a package is read at most (P178).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageLimits {
    /// Bytes of one file.
    pub file: u64,
    /// Bytes of all definitions, sets and decks of a package together (PK013).
    pub xml: u64,
    /// Definitions, sets and decks of a package (PK015).
    pub files: usize,
    /// Cards of a package (PK012).
    pub cards: usize,
    /// Findings about a package (PK014).
    pub findings: usize,
    /// Elements inside elements.
    pub depth: usize,
    /// Elements of one file.
    pub elements: usize,
    /// Attributes of one element.
    pub attributes: usize,
    /// Bytes of one attribute value or text.
    pub text: usize,
    /// `options` inside `options`.
    pub options_depth: usize,
    /// Cards that one pick takes.
    pub quantity: u32,
    /// Alternates of one card.
    pub alternates: usize,
    /// Entries of an archive.
    pub entries: usize,
    /// Bytes of all files of an archive, unpacked.
    pub unpacked: u64,
    /// Unpacked bytes per packed byte of an entry larger than 1 MiB.
    pub ratio: u64,
    /// Only the definition and the cards are wanted: decks, scripts and proxies are not read, and the form of
    /// files is not judged.
    pub only_cards: bool,
}

impl Default for PackageLimits {
    fn default() -> PackageLimits {
        PackageLimits {
            file: 64 << 20,
            xml: 256 << 20,
            files: 20_000,
            cards: 250_000,
            findings: 20_000,
            depth: 64,
            elements: 2_000_000,
            attributes: 200,
            text: 1 << 20,
            options_depth: 32,
            quantity: 10_000,
            alternates: 1_000,
            entries: 200_000,
            unpacked: 4 << 30,
            ratio: 200,
            only_cards: false,
        }
    }
}

impl PackageLimits {
    /// The limits that people may raise by name: those that stand on the size of a package, not on its form.
    pub const NAMES: [&str; 8] = [
        "cards", "entries", "file", "files", "findings", "ratio", "unpacked", "xml",
    ];

    /// What each of them counts.
    pub const MEANINGS: [(&str, &str); 8] = [
        ("cards", "cards of a package"),
        ("entries", "files in an archive"),
        ("file", "bytes of one file"),
        ("files", "definitions, sets and decks of a package"),
        ("findings", "findings about a package"),
        (
            "ratio",
            "unpacked bytes for each packed byte of a file in an archive",
        ),
        ("unpacked", "bytes of an archive, and of all its files unpacked"),
        ("xml", "bytes of all definitions, sets and decks together"),
    ];

    /// Sets a limit by its name; whether there is one.
    ///
    /// ```
    /// let mut limits = cw_octgn::PackageLimits::default();
    /// assert!(limits.set("cards", 1_000_000));
    /// assert_eq!(limits.cards, 1_000_000);
    /// assert!(!limits.set("players", 3));
    /// ```
    pub fn set(&mut self, name: &str, most: u64) -> bool {
        // Places in a text are counted in 32 bits.
        let bytes = most.min(u32::MAX.into());
        let count = usize::try_from(most).unwrap_or(usize::MAX);
        match name {
            "cards" => self.cards = count,
            "entries" => self.entries = count,
            "file" => {
                self.file = bytes;
                self.elements = usize::try_from(bytes / 4).unwrap_or(usize::MAX);
            }
            "files" => self.files = count,
            "findings" => self.findings = count,
            "ratio" => self.ratio = most,
            "unpacked" => self.unpacked = most,
            "xml" => self.xml = most,
            _ => return false,
        }
        true
    }
}
