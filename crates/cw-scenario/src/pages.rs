//! What the findings about scenario files mean.

use cw_text::FindingCode;

use crate::node::{CARD, KEY, KIND, POSITION, SYNTAX};

/// What a kind of finding means; each is an error.
#[derive(Clone, Copy, Debug)]
pub struct ScenarioFindingPage {
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
pub fn page(code: &str) -> Option<&'static ScenarioFindingPage> {
    PAGES.iter().find(|page| page.code.0.eq_ignore_ascii_case(code))
}

/// All pages, in order of their codes.
pub const PAGES: &[ScenarioFindingPage] = &[
    ScenarioFindingPage {
        code: SYNTAX,
        title: "neither TOML nor JSON",
        text: "The file cannot be read at all. The place is where reading ended; often a quote or a bracket is missing before it.",
        wrong: "[[scenario]]\nname = \"Rook attacks",
        right: "[[scenario]]\nname = \"Rook attacks\"",
    },
    ScenarioFindingPage {
        code: KEY,
        title: "a key that is not known, or one that is missing",
        text: "Keys are those of docs/scenarios.md; an unknown one would be ignored, and the scenario would test less than it says. Every scenario has a `name`.",
        wrong: "[[scenario]]\nname = \"Rook attacks\"\nstep = []",
        right: "[[scenario]]\nname = \"Rook attacks\"\nsteps = []",
    },
    ScenarioFindingPage {
        code: KIND,
        title: "a value of another kind",
        text: "A text stands where a list or a number belongs, or the other way round.",
        wrong: "[[scenario]]\nname = 7",
        right: "[[scenario]]\nname = \"7\"",
    },
    ScenarioFindingPage {
        code: CARD,
        title: "no such card",
        text: "The game has no card of this name that could be here. Where several cards share a name, the id tells them apart; the finding lists them.",
        wrong: "[[scenario]]\nname = \"a hand\"\nme.hand = [\"Crum\"]",
        right: "[[scenario]]\nname = \"a hand\"\nme.hand = [\"Crumb\"]",
    },
    ScenarioFindingPage {
        code: POSITION,
        title: "a position that cannot be",
        text: "No duel comes to this position: a slot that the ring does not have, an attacker that is not in the ring, a ring with more characters than slots.",
        wrong: "[[scenario]]\nname = \"five characters\"\nme.ring = [\"Crumb\", \"Crumb\", \"Crumb\", \"Crumb\", \"Crumb\"]",
        right: "[[scenario]]\nname = \"four characters\"\nme.ring = [\"Crumb\", \"Crumb\", \"Crumb\", \"Crumb\"]",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// What needs no game is found in the wrong example, and not in the right one.
    #[test]
    fn wrong_examples_have_their_finding() {
        for page in PAGES {
            let found = crate::read(page.wrong).err().map(|fault| fault.code);
            if page.code != CARD && page.code != POSITION {
                assert_eq!(found, Some(page.code), "{}", page.wrong);
            }
            assert!(crate::read(page.right).is_ok(), "{}", page.right);
        }
    }
}
