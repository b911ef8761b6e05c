//! What the findings about a game mean: those about its settings, and about what keeps it from being played.

use cw_text::{FindingCode, Severity};

use crate::check::{CW001, CW003, CW004, CW005, CW006, CW007, CW008, CW009, CW010, CW011, CW012, GT002};
use crate::config::GT001;

/// What a kind of finding means.
#[derive(Clone, Copy, Debug)]
pub struct GameFindingPage {
    /// The code.
    pub code: FindingCode,
    /// How much it usually matters.
    pub severity: Severity,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What it finds, why that matters, what to do.
    pub text: &'static str,
    /// An example that has it.
    pub wrong: &'static str,
    /// The same example mended.
    pub right: &'static str,
}

/// The page of a code, in any case.
pub fn page(code: &str) -> Option<&'static GameFindingPage> {
    PAGES.iter().find(|page| page.code.0.eq_ignore_ascii_case(code))
}

use Severity::{Error, Hint, Warning};

/// All pages, in order of their codes.
pub const PAGES: &[GameFindingPage] = &[
    GameFindingPage {
        code: CW001,
        severity: Error,
        title: "the package has no cards",
        text: "A package with card rules, but without a card that they could be about: nobody can play it. Every folder below `Sets` needs a `set.xml` with cards.",
        wrong: "Rules/core.rules",
        right: "Rules/core.rules\nSets/Core/set.xml",
    },
    GameFindingPage {
        code: CW003,
        severity: Error,
        title: "a deck of another size than the game wants",
        text: "Nobody may play this deck. A deck has 50 cards, unless `[deck]` or `[constants]` in `Rules/game.toml` says otherwise.",
        wrong: "[deck]\nsize = 50\n# and a deck of 49 cards",
        right: "[deck]\nsize = { min = 40, max = 60 }",
    },
    GameFindingPage {
        code: CW004,
        severity: Error,
        title: "too many of a card in a deck",
        text: "Nobody may play this deck. Of one card a deck holds at most 3, unless `[deck]` in `Rules/game.toml` says otherwise, for all cards or for some of them.",
        wrong: "<card qty=\"4\" id=\"…\">The Loaf</card>",
        right: "<card qty=\"3\" id=\"…\">The Loaf</card>",
    },
    GameFindingPage {
        code: CW005,
        severity: Error,
        title: "a deck with a card that cannot be played",
        text: "The card's type is none that the game knows, so the card cannot be played and makes the deck illegal. Mend the card's type, name the type in `[types]` of `Rules/game.toml`, or take the card out of the deck.",
        wrong: "<property name=\"Type\" value=\"Charakter\" />",
        right: "<property name=\"Type\" value=\"Character\" />",
    },
    GameFindingPage {
        code: CW006,
        severity: Warning,
        title: "a card of a type that the game does not know",
        text: "The words for characters, actions and reactions stand in `[types]` of `Rules/game.toml`; without them they are `Character`, `Action` and `Reaction`. A card of another type is read and shown, but it cannot be played and no legal deck holds it. That is right for tokens and helper cards.",
        wrong: "<property name=\"Type\" value=\"Charakter\" />",
        right: "<property name=\"Type\" value=\"Character\" />",
    },
    GameFindingPage {
        code: CW007,
        severity: Error,
        title: "more than a duel can hold",
        text: "A game has at most 65,535 cards and as many subtypes, and a card at most 4 back-up icons.",
        wrong: "backups = [\"B1\", \"B2\", \"B3\", \"B4\", \"B5\"]",
        right: "backups = [\"B1\", \"B2\", \"B3\", \"B4\"]",
    },
    GameFindingPage {
        code: CW008,
        severity: Hint,
        title: "a game without a deck",
        text: "The package has card rules but no deck, so `play` wants two decks on the command line. A deck is a file `Decks/NAME.o8d`; `cardwright deck new` makes one.",
        wrong: "Sets/Core/set.xml",
        right: "Sets/Core/set.xml\nDecks/First.o8d",
    },
    GameFindingPage {
        code: CW009,
        severity: Warning,
        title: "rules where nobody looks for them",
        text: "Rules of cards are read from files `Rules/NAME.rules`, settings from `Rules/game.toml`, spelled so. A file of another name or in another folder is passed over, and its cards do nothing.",
        wrong: "rules/core.rules",
        right: "Rules/core.rules",
    },
    GameFindingPage {
        code: CW010,
        severity: Hint,
        title: "an action or reaction that gives SP",
        text: "The number is added to what its player has: a card that costs 3 SP has `-3`. Without the minus sign playing it costs nothing and gives SP.",
        wrong: "<property name=\"Type\" value=\"Action\"/><property name=\"SP\" value=\"3\"/>",
        right: "<property name=\"Type\" value=\"Action\"/><property name=\"SP\" value=\"-3\"/>",
    },
    GameFindingPage {
        code: CW011,
        severity: Hint,
        title: "a character with ten times the usual BP",
        text: "Half of the game's characters have at most a tenth of its BP. It may be meant; often there is a zero too many.",
        wrong: "<property name=\"BP\" value=\"4000\"/>",
        right: "<property name=\"BP\" value=\"400\"/>",
    },
    GameFindingPage {
        code: CW012,
        severity: Warning,
        title: "a back-up icon that no character fits",
        text: "A character may back up another one if its subtype is among the other's back-up icons. This icon is nearly the name of a subtype, but no character has it.",
        wrong: "<property name=\"Subtype\" value=\"Baker\"/><property name=\"Backup 1\" value=\"Bakers\"/>",
        right: "<property name=\"Subtype\" value=\"Baker\"/><property name=\"Backup 1\" value=\"Baker\"/>",
    },
    GameFindingPage {
        code: GT001,
        severity: Error,
        title: "a fault in `Rules/game.toml`",
        text: "The file is no TOML, a key is none that is known, or a value is of another kind or out of its range. The game cannot be played before that is mended, since nobody knows what was meant. All keys are described in docs/game-toml.md.",
        wrong: "[constants]\nhitpoints = 3000",
        right: "[constants]\nhp = 3000",
    },
    GameFindingPage {
        code: GT002,
        severity: Warning,
        title: "`Rules/game.toml` names what the package does not have",
        text: "A property that no card has, a card or a section of decks that does not exist: the line does nothing. Letter case does not matter in names of properties.",
        wrong: "[properties]\nbp = \"Powr\"",
        right: "[properties]\nbp = \"Power\"",
    },
];
