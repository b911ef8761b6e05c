//! What the findings about `Rules/table.toml` mean.

use cw_text::FindingCode;

use crate::mapping::{FT001, FT002, FT003, FT004, FT005};

/// What a kind of finding means; each is an error.
#[derive(Clone, Copy, Debug)]
pub struct TableFindingPage {
    /// The code.
    pub code: FindingCode,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What it finds, and what to do.
    pub text: &'static str,
    /// A file that has it.
    pub wrong: &'static str,
    /// The same file mended.
    pub right: &'static str,
}

/// The page of a code, in any case.
pub fn page(code: &str) -> Option<&'static TableFindingPage> {
    PAGES.iter().find(|page| page.code.0.eq_ignore_ascii_case(code))
}

/// All pages, in order of their codes.
pub const PAGES: &[TableFindingPage] = &[
    TableFindingPage {
        code: FT001,
        title: "`Rules/table.toml` cannot be read",
        text: "The file says what the package's menu entries do on the free table. It is no TOML, not text at all, has a key that is none (`of`, `ask`, `when` and `verbs` are), or `of` is neither `card` nor `group`. All keys are described in docs/free-table.md.",
        wrong: "[actions.Wait]\nverb = [\"draw\"]",
        right: "[actions.Wait]\nverbs = [\"draw\"]",
    },
    TableFindingPage {
        code: FT002,
        title: "a menu entry that the package does not have",
        text: "No menu entry of the definition has this path, or it is one of a group where the file speaks of cards. `cardwright table PACKAGE --actions` lists the entries with their submenus, written `Submenu/Entry`.",
        wrong: "[actions.Wayt]\nverbs = [\"draw\"]",
        right: "[actions.Wait]\nverbs = [\"draw\"]",
    },
    TableFindingPage {
        code: FT003,
        title: "a line that an entry cannot do",
        text: "A line of `verbs` is not understood, names a pile, marker or counter that the package does not have, or is for people or the host alone; or there is no line at all. Lines are those of the prompt; `help` there lists them.",
        wrong: "[actions.Wait]\nverbs = [\"drow 1\"]",
        right: "[actions.Wait]\nverbs = [\"draw 1\"]",
    },
    TableFindingPage {
        code: FT004,
        title: "a condition that cannot be read",
        text: "`when` compares counts, joined by `and`: `count(PILE)`, `counter(NAME)`, `seats`, answers and numbers. It cannot see what a card is, since it would tell the player.",
        wrong: "[actions.Wait]\nwhen = \"face(Deck) == 1\"\nverbs = [\"draw\"]",
        right: "[actions.Wait]\nwhen = \"count(Deck) > 1\"\nverbs = [\"draw\"]",
    },
    TableFindingPage {
        code: FT005,
        title: "a placeholder that stands for nothing",
        text: "`{cards}` and `{pile}` are what the entry was chosen on, so an entry of a group has no `{cards}`; every other `{name}` must be asked for in `ask`.",
        wrong: "[actions.Wait]\nverbs = [\"draw {n}\"]",
        right: "[actions.Wait]\nask = { n = \"How many?\" }\nverbs = [\"draw {n}\"]",
    },
];
