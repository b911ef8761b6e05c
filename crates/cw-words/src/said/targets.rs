//! Targets as nouns: `one of your frozen characters with 300 BP or less`.

use cw_program::{
    CardTest, CardType, CountRange, FilterTest, PileName, Target, TargetClause, TargetFilter, TargetKind,
    TargetQuantity, TargetType, TypeItem, Zone, ZonePlace, ZoneSide,
};

use super::filters::{CardWords, card_word};
use super::phrases::{NounPhrase, count_word, joined, plural, with_an};
use super::style::StyleSlot;
use super::teller::{NamedCards, NoWords, ReadPlayer, RuleTeller, Worded};

/// How many of what matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HowMany {
    All,
    /// One, or as many.
    Count(u16),
    UpTo(u16),
    /// At least the first.
    Between(u16, u16),
    /// One or more.
    Any,
    AnyOrNone,
    Random(u16),
}

impl RuleTeller<'_> {
    /// The parts of a clause as nouns.
    pub(super) fn clause(&mut self, clause: &TargetClause) -> Worded<NamedCards> {
        let is_player = |target: &Target| match &target.kind {
            TargetKind::Either(items) | TargetKind::Each(items) => items
                .iter()
                .all(|item| matches!(item.what, TargetType::Player | TargetType::Me | TargetType::Opp)),
            TargetKind::Computed(formula) => self.is_player(*formula),
        };
        let is_cards = !clause.targets.iter().all(is_player);
        let parts: Worded<Vec<NounPhrase>> =
            clause.targets.iter().map(|target| self.target(target)).collect();
        Ok(NamedCards {
            parts: parts?,
            is_cards,
        })
    }

    /// What a target finds.
    pub(super) fn target(&mut self, target: &Target) -> Worded<NounPhrase> {
        let mut noun = match &target.kind {
            TargetKind::Computed(formula) => {
                let noun = self.card_list(*formula)?;
                if target.pick.is_some()
                    || target.quantity != TargetQuantity::Default
                    || !target.filters.is_empty()
                {
                    return self.no_words(*formula);
                }
                noun
            }
            TargetKind::Each(items) => {
                let all: Worded<Vec<NounPhrase>> = items
                    .iter()
                    .map(|item| self.typed(target, std::slice::from_ref(item)))
                    .collect();
                NounPhrase::many(joined(&texts(all?), "and"))
            }
            TargetKind::Either(items) => {
                let is_players = |item: &TypeItem| !matches!(item.what, TargetType::Card(_));
                if items.len() > 1 && items.iter().any(is_players) {
                    let all: Worded<Vec<NounPhrase>> = items
                        .iter()
                        .map(|item| self.typed(target, std::slice::from_ref(item)))
                        .collect();
                    NounPhrase::one(joined(&texts(all?), "or"))
                } else {
                    self.typed(target, items)?
                }
            }
        };
        if let Some(not) = target.not {
            let without = self.card_list(not)?;
            noun.text = format!("{} except {}", noun.text, without.text);
        }
        Ok(noun)
    }

    /// What these types find, of which one will do.
    fn typed(&mut self, target: &Target, items: &[TypeItem]) -> Worded<NounPhrase> {
        let [first, ..] = items else {
            return Err(NoWords("a target without a type".to_owned()));
        };
        let filters = !target.filters.is_empty();
        let whole = target.pick.is_none() && target.quantity == TargetQuantity::Default && !filters;
        match first.what {
            TargetType::Card(_) => {}
            TargetType::This if !first.negated => {
                return match filters {
                    false => Ok(self.this()),
                    true => Err(NoWords("a filter of the card itself".to_owned())),
                };
            }
            TargetType::Me if whole => return Ok(self.player(self.me)),
            TargetType::Opp if whole => return Ok(self.player(self.me.other())),
            TargetType::Player if whole && first.plural => return Ok(NounPhrase::one("each player")),
            TargetType::Player if whole => {
                return Ok(NounPhrase::one(match self.me {
                    ReadPlayer::You => "a player of your choice",
                    _ => "a player",
                }));
            }
            TargetType::Player | TargetType::Me | TargetType::Opp | TargetType::This => {
                return Err(NoWords("a filter of players".to_owned()));
            }
        }
        let words = self.card_words(target, items)?;
        let how_many = match (target.quantity, target.pick) {
            (TargetQuantity::Random(count), _) => HowMany::Random(count),
            (TargetQuantity::Between(CountRange { min, max }), _) if !first.plural => match (min, max) {
                (0, u16::MAX) => HowMany::AnyOrNone,
                (_, u16::MAX) if min <= 1 => HowMany::Any,
                (0, max) => HowMany::UpTo(max),
                (min, max) if min == max => HowMany::Count(max),
                (_, u16::MAX) => return Err(NoWords("a number of targets without a limit".to_owned())),
                (min, max) => HowMany::Between(min, max),
            },
            (_, Some(_)) => HowMany::All,
            (_, None) if first.plural => HowMany::All,
            _ => HowMany::Count(1),
        };
        let is_other = first.not_source;
        if items
            .iter()
            .any(|item| item.not_source != is_other || item.plural != first.plural)
        {
            return Err(NoWords("targets of several kinds".to_owned()));
        }
        match target.zone.place {
            ZonePlace::InFront => {
                let noun = self.in_front(&words)?;
                Ok(noun)
            }
            ZonePlace::Pile(pile) => self.in_pile(&words, how_many, is_other, target, pile),
            ZonePlace::Ring | ZonePlace::Arena => {
                if target.pick.is_some() {
                    return Err(NoWords("the first of some characters of a ring".to_owned()));
                }
                self.in_ring(&words, how_many, is_other, target.zone)
            }
        }
    }

    fn in_front(&self, words: &CardWords) -> Worded<NounPhrase> {
        let enemy = self.style.word(StyleSlot::Enemy);
        let noun = words.one_with(Some(enemy));
        Ok(NounPhrase::one(format!(
            "the {noun} in front of {}",
            self.this().text
        )))
    }

    fn in_ring(
        &self,
        words: &CardWords,
        how_many: HowMany,
        is_other: bool,
        zone: Zone,
    ) -> Worded<NounPhrase> {
        let side = match (zone.place, zone.side) {
            (ZonePlace::Arena, _) => None,
            (_, ZoneSide::Mine) => Some(self.me),
            (_, ZoneSide::Opponent) => Some(self.me.other()),
            (_, ZoneSide::Controller) => Some(ReadPlayer::You),
            (_, ZoneSide::Same) => {
                let noun = counted(words, how_many, is_other, None);
                return Ok(noun.behind(" in one ring"));
            }
            (_, ZoneSide::Any) => {
                let noun = counted(words, how_many, is_other, None);
                return Ok(noun.behind(" in a ring of your choice"));
            }
        };
        Ok(match side {
            None => counted(words, how_many, is_other, None),
            Some(ReadPlayer::You) => of_yours(words, how_many, is_other),
            Some(ReadPlayer::Opponent) => {
                counted(words, how_many, is_other, Some(self.style.word(StyleSlot::Enemy)))
            }
            Some(who) => {
                let ring = format!(" in {} ring", self.player(who).whose());
                counted(words, how_many, is_other, None).behind(&ring)
            }
        })
    }

    fn in_pile(
        &self,
        words: &CardWords,
        how_many: HowMany,
        is_other: bool,
        target: &Target,
        pile: PileName,
    ) -> Worded<NounPhrase> {
        let place = self.zone_pile(target.zone.side, pile)?;
        let Some(pick) = target.pick else {
            return Ok(counted(words, how_many, is_other, None).behind(&format!(" in {place}")));
        };
        if is_other {
            return Err(NoWords("the first of other cards".to_owned()));
        }
        let count = u32::from(pick.unsigned_abs());
        let is_plain = words.many == "cards" && words.before.is_empty() && words.behind_many.is_empty();
        let end = match (pick > 0, is_plain) {
            (true, true) => "top",
            (false, true) => "bottom",
            (true, false) => "topmost",
            (false, false) => "lowest",
        };
        let all = match count {
            1 => NounPhrase::one(format!("the {end} {} of {place}", words.one_with(None))),
            _ => NounPhrase::many(format!(
                "the {end} {} {} of {place}",
                count_word(count),
                words.many_with(None)
            )),
        };
        let of_them = |count: String| format!("{count} of {}", all.text);
        Ok(match how_many {
            HowMany::All => all,
            HowMany::Count(1) => NounPhrase::one(of_them("one".to_owned())),
            HowMany::Count(count) => NounPhrase::many(of_them(count_word(u32::from(count)))),
            HowMany::UpTo(count) => {
                NounPhrase::many(of_them(format!("up to {}", count_word(u32::from(count)))))
            }
            HowMany::Between(min, max) => NounPhrase::many(of_them(between(min, max))),
            HowMany::Any => NounPhrase::many(of_them("one or more".to_owned())),
            HowMany::AnyOrNone => NounPhrase::many(of_them("any number".to_owned())),
            HowMany::Random(1) => NounPhrase::one(of_them("a random one".to_owned())),
            HowMany::Random(count) => {
                NounPhrase::many(of_them(format!("{} random ones", count_word(u32::from(count)))))
            }
        })
    }

    /// A pile of a target: `your discard pile`.
    pub(super) fn zone_pile(&self, side: ZoneSide, pile: PileName) -> Worded<String> {
        let name = self.pile_name(pile);
        Ok(match side {
            ZoneSide::Mine => format!("{} {name}", self.player(self.me).whose()),
            ZoneSide::Opponent => format!("{} {name}", self.player(self.me.other()).whose()),
            ZoneSide::Controller => format!("your {name}"),
            ZoneSide::Any => format!("either {name}"),
            ZoneSide::Same => return Err(NoWords("one pile of two".to_owned())),
        })
    }

    pub(super) fn pile_name(&self, pile: PileName) -> &'static str {
        match pile {
            PileName::Hand => "hand",
            PileName::Deck => "deck",
            PileName::Discards => self.style.word(StyleSlot::Discards),
            PileName::Removed => "removed pile",
        }
    }

    /// What is looked for, without how many and where.
    fn card_words(&self, target: &Target, items: &[TypeItem]) -> Worded<CardWords> {
        let in_play = !matches!(target.zone.place, ZonePlace::Pile(_));
        let mut groups: Vec<Vec<TargetFilter>> = target.filters.iter().map(|all| all.to_vec()).collect();
        // A type that all have to be of is the word itself.
        let mut only_type = None;
        if let [only] = &mut groups[..]
            && let Some(at) = only
                .iter()
                .position(|one| !one.negated && matches!(one.test, FilterTest::Type(_)))
            && items
                .iter()
                .all(|item| item.negated || item.what == TargetType::Card(CardTest::default()))
            && let FilterTest::Type(card_type) = only.remove(at).test
        {
            only_type = Some(card_type);
        }
        let mut words = CardWords::default();
        let mut ones = Vec::new();
        let mut manys = Vec::new();
        for item in items {
            let TargetType::Card(test) = item.what else {
                return Err(NoWords("cards and others".to_owned()));
            };
            let (one, many) = self.item(item.negated, test, in_play, only_type)?;
            ones.push(one);
            manys.push(many);
        }
        // One article for all: what stands before or behind them is meant of each.
        words.one = joined(&ones, "or");
        words.many = joined(
            &manys,
            match target.quantity {
                TargetQuantity::Default => "and",
                _ => "or",
            },
        );
        self.filtered(&mut words, groups)?;
        Ok(words)
    }

    /// A type as the word for one and for many.
    fn item(
        &self,
        negated: bool,
        test: CardTest,
        in_play: bool,
        only_type: Option<CardType>,
    ) -> Worded<(String, String)> {
        let typed = |card_type: Option<CardType>| match card_type {
            _ if in_play => ("character".to_owned(), "characters".to_owned()),
            Some(CardType::Character) => ("character card".to_owned(), "character cards".to_owned()),
            Some(CardType::Action) => ("action".to_owned(), "actions".to_owned()),
            Some(CardType::Reaction) => ("reaction".to_owned(), "reactions".to_owned()),
            None => ("card".to_owned(), "cards".to_owned()),
        };
        if !negated {
            let (mut one, mut many) = typed(test.card_type.or(only_type));
            if let Some(subtype) = test.subtype {
                let word = self.subtype(subtype)?;
                (one, many) = match test.card_type {
                    Some(CardType::Character) | None => (word.clone(), plural(&word)),
                    Some(CardType::Action | CardType::Reaction) => {
                        (format!("{word} {one}"), format!("{word} {many}"))
                    }
                };
            }
            if let Some(name) = test.name {
                let name = self.card_name(name)?;
                one = format!("{one} called {name}");
                many = format!("{many} called {name}");
            }
            return Ok((one, many));
        }
        let (one, many) = typed(only_type);
        Ok(match (test.card_type, test.subtype, test.name) {
            (None, None, Some(name)) => {
                let name = self.card_name(name)?;
                (
                    format!("{one} other than {name}"),
                    format!("{many} other than {name}"),
                )
            }
            (Some(card_type), None, None) => {
                let word = with_an(card_word(card_type));
                let all = plural(card_word(card_type));
                (
                    format!("{one} that is not {word}"),
                    format!("{many} that are not {all}"),
                )
            }
            (None, Some(subtype), None) => {
                let word = self.subtype(subtype)?;
                let all = plural(&word);
                (
                    format!("{one} that is not {}", with_an(&word)),
                    format!("{many} that are not {all}"),
                )
            }
            _ => return Err(NoWords("a type that is not meant".to_owned())),
        })
    }
}

impl NounPhrase {
    /// With words behind it.
    fn behind(mut self, words: &str) -> NounPhrase {
        self.text.push_str(words);
        self
    }
}

impl CardWords {
    fn with(&self, word: &str, first: Option<&str>, behind: &[String]) -> String {
        let mut parts: Vec<&str> = self.before.iter().map(String::as_str).collect();
        parts.extend(first);
        parts.push(word);
        parts.extend(behind.iter().map(String::as_str));
        parts.join(" ")
    }

    fn one_with(&self, first: Option<&str>) -> String {
        self.with(&self.one, first, &self.behind_one)
    }

    fn many_with(&self, first: Option<&str>) -> String {
        self.with(&self.many, first, &self.behind_many)
    }

    /// `characters` of `one of your characters that is frozen`.
    fn one_of_many(&self) -> String {
        self.with(&self.many, None, &self.behind_one)
    }
}

fn texts(nouns: Vec<NounPhrase>) -> Vec<String> {
    nouns.into_iter().map(|noun| noun.text).collect()
}

fn between(min: u16, max: u16) -> String {
    let word = if max - min == 1 { "or" } else { "to" };
    format!(
        "{} {word} {}",
        count_word(u32::from(min)),
        count_word(u32::from(max))
    )
}

/// `a character`, `two other frozen characters`, `all enemy characters`.
fn counted(words: &CardWords, how_many: HowMany, is_other: bool, first: Option<&str>) -> NounPhrase {
    let other = if is_other { "other " } else { "" };
    let many = words.many_with(first);
    let one = words.one_with(first);
    match how_many {
        HowMany::All => NounPhrase::many(format!("all {other}{many}")),
        HowMany::Count(1) if is_other => NounPhrase::one(format!("another {one}")),
        HowMany::Count(1) => NounPhrase::one(with_an(&one)),
        HowMany::Count(count) => NounPhrase::many(format!("{} {other}{many}", count_word(u32::from(count)))),
        HowMany::UpTo(1) => NounPhrase::one(format!("up to one {other}{one}")),
        HowMany::UpTo(count) => {
            NounPhrase::many(format!("up to {} {other}{many}", count_word(u32::from(count))))
        }
        HowMany::Between(min, max) => NounPhrase::many(format!("{} {other}{many}", between(min, max))),
        HowMany::Any => NounPhrase::many(format!("one or more {other}{many}")),
        HowMany::AnyOrNone => NounPhrase::many(format!("any number of {other}{many}")),
        HowMany::Random(1) => NounPhrase::one(format!("a random {other}{one}")),
        HowMany::Random(count) => {
            NounPhrase::many(format!("{} random {other}{many}", count_word(u32::from(count))))
        }
    }
}

/// `one of your characters`, `all your other characters`.
fn of_yours(words: &CardWords, how_many: HowMany, is_other: bool) -> NounPhrase {
    let other = if is_other { "other " } else { "" };
    let many = words.many_with(None);
    let one = words.one_of_many();
    match how_many {
        HowMany::All => NounPhrase::many(format!("all your {other}{many}")),
        HowMany::Count(1) if is_other => NounPhrase::one(format!("another of your {one}")),
        HowMany::Count(1) => NounPhrase::one(format!("one of your {one}")),
        HowMany::Count(count) => {
            NounPhrase::many(format!("{} of your {other}{many}", count_word(u32::from(count))))
        }
        HowMany::UpTo(1) => NounPhrase::one(format!("up to one of your {other}{one}")),
        HowMany::UpTo(count) => NounPhrase::many(format!(
            "up to {} of your {other}{many}",
            count_word(u32::from(count))
        )),
        HowMany::Between(min, max) => {
            NounPhrase::many(format!("{} of your {other}{many}", between(min, max)))
        }
        HowMany::Any => NounPhrase::many(format!("one or more of your {other}{many}")),
        HowMany::AnyOrNone => NounPhrase::many(format!("any number of your {other}{many}")),
        HowMany::Random(1) => NounPhrase::one(format!("a random one of your {other}{one}")),
        HowMany::Random(count) => NounPhrase::many(format!(
            "{} random ones of your {other}{many}",
            count_word(u32::from(count))
        )),
    }
}

/// How many elements a list of filters that nobody chooses from has: all of them.
pub(super) fn is_settled_by_itself(targets: &[Target]) -> bool {
    targets.iter().all(|target| {
        let plural = match &target.kind {
            TargetKind::Either(items) | TargetKind::Each(items) => {
                items.iter().all(|item: &TypeItem| item.plural)
            }
            TargetKind::Computed(_) => true,
        };
        let lone_pick = target.pick.is_some() && target.quantity == TargetQuantity::Default;
        (plural || lone_pick) && !matches!(target.quantity, TargetQuantity::Random(_))
    })
}
