//! The usual spelling of names, for the formatter.

use cw_syntax::{NameKind, Spelling};

use crate::commands::CommandName;
use crate::compile::{event_name, zone_words};
use crate::words::{CardType, ClosedWord, CostKind, FilterFlag, Keyword, PhaseName, PileViewState, RuleFlag};

/// Spells the words of the language as the manual does; names of authors stay as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manual;

impl Spelling for Manual {
    fn spell(&self, kind: NameKind, name: &str) -> Option<String> {
        match kind {
            NameKind::Command => known::<CommandName>(name),
            NameKind::Ability => known::<Keyword>(name),
            NameKind::Event => event(name),
            NameKind::Suffix => listed(
                &["this", "fromThis", "any", "once", "action", "reaction", "char"],
                name,
            ),
            NameKind::Zone => zone(name),
            NameKind::Type => listed(
                &[
                    "player",
                    "players",
                    "me",
                    "opp",
                    "this",
                    "all",
                    "characters",
                    "actions",
                    "reactions",
                ],
                name,
            )
            .or_else(|| known::<CardType>(name)),
            NameKind::Filter => listed(&["bp", "sp"], name)
                .or_else(|| known::<FilterFlag>(name))
                .or_else(|| known::<CardType>(name)),
            NameKind::Argument => zone(name)
                .or_else(|| known::<CostKind>(name))
                .or_else(|| known::<PhaseName>(name))
                .or_else(|| known::<RuleFlag>(name))
                .or_else(|| known::<PileViewState>(name))
                .or_else(|| listed(&["true", "false", "nil", "toggle", "top", "bottom", "all"], name)),
        }
    }
}

fn known<W: ClosedWord>(name: &str) -> Option<String> {
    W::find(name).map(|found| found.word().to_string())
}

fn listed(words: &[&str], name: &str) -> Option<String> {
    words
        .iter()
        .find(|word| word.eq_ignore_ascii_case(name))
        .map(|word| (*word).to_string())
}

fn zone(name: &str) -> Option<String> {
    zone_words()
        .into_iter()
        .find(|word| word.eq_ignore_ascii_case(name))
}

fn event(name: &str) -> Option<String> {
    let (scope, event) = event_name(name)?;
    let word = event.word();
    if word.len() == name.len() {
        return Some(word.to_string());
    }
    let (first, rest) = word.split_at_checked(1)?;
    Some(format!("{}{}{rest}", scope.word(), first.to_uppercase()))
}
