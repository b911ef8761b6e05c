//! All that can be said about a rule without running it.
//!
//! Knows the language, its usual mistakes, and what the package says about its cards. Does not
//! know files, or games that are being played.
//!
//! ```
//! use cw_check::{KnownCard, KnownCards, SeveritySettings, check_text};
//! use cw_program::CardType;
//! use cw_text::FileId;
//!
//! let cards = KnownCards::new(vec![KnownCard {
//!     id: "00000000-0000-0000-0000-000000000001".into(),
//!     name: "Spark".into(),
//!     card_type: Some(CardType::Action),
//!     subtype: None,
//!     ability: None,
//!     text: String::new(),
//! }]);
//! let rule = "[00000000-0000-0000-0000-000000000001]\naction = damge(200) to(opp)\n";
//! let checked = check_text(FileId(0), rule, &cards, &SeveritySettings::default());
//! assert!(checked.diagnostics[0].message.contains("damge"));
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod again;
mod aim;
mod cards;
mod check;
mod consequences;
mod groups;
mod joins;
mod lints;
mod meant;
mod reference;
mod remedies;
mod settings;

pub use again::check_again;
pub use cards::{AbilityType, KnownCard, KnownCards};
pub use check::{
    CheckedFile, CheckedRule, RuleCheck, check_file, check_package, check_part, check_rule, check_text,
};
pub use meant::{MeantRules, offer_meant};
pub use reference::{ReferenceFile, plain, reference};
pub use settings::{SeverityLevel, SeveritySettings};

/// The pages of the findings about rules.
pub static PAGES: cw_text::FindingPages =
    cw_text::FindingPages::new(include_str!("../../../docs/findings/rules.md"));
