/// How much of a package is read at most (P178).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one XML file.
    pub file: u64,
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
    /// Files of a package or entries of an archive.
    pub entries: usize,
    /// Bytes of all files of an archive, unpacked.
    pub unpacked: u64,
    /// Unpacked bytes per packed byte of an entry larger than 1 MiB.
    pub ratio: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            file: 64 << 20,
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
        }
    }
}
