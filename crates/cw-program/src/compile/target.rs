//! Target filters and zones (R202–R243, D28, D36, D44).

use cw_formula::WordKind;
use cw_syntax as tree;
use cw_syntax::rs;
use cw_text::{Safety, Span};
use smallvec::smallvec;

use super::expression::kind_words;
use super::{RuleCompiler, few, phrases, shorten};
use crate::rule::{
    CardNameId, CardTest, CountRange, Few, FilterComparison, FilterTest, FormulaId, PileRef, SubtypeId,
    Target, TargetFilter, TargetKind, TargetQuantity, TargetType, TypeItem, Whose, Zone, ZonePlace, ZoneSide,
};
use crate::words::{CardType, ClosedWord, FilterFlag, Keyword, PileName, TypeWord};

impl Zone {
    /// Both rings: where targets are looked for unless a zone is written (R219).
    pub const ARENA: Zone = Zone {
        side: ZoneSide::Mine,
        place: ZonePlace::Arena,
    };
    /// The executor's ring.
    pub const MY_RING: Zone = Zone {
        side: ZoneSide::Mine,
        place: ZonePlace::Ring,
    };
    /// The executor's hand.
    pub const MY_HAND: Zone = Zone {
        side: ZoneSide::Mine,
        place: ZonePlace::Pile(PileName::Hand),
    };
}

/// `<n>*`, or `*` where the quantity is not written.
pub(super) fn any_cards(quantity: TargetQuantity, span: Span) -> Target {
    Target {
        quantity,
        kind: TargetKind::Either(smallvec![TypeItem::of(TargetType::Card(CardTest::default()))]),
        pick: None,
        filters: Vec::new(),
        zone: Zone::MY_HAND,
        not: None,
        span,
    }
}

/// Stands for a condition that could not be understood: it must not turn into "everything".
const NEVER: TargetFilter = TargetFilter {
    negated: false,
    test: FilterTest::Subtype(SubtypeId::NONE),
};

pub(super) fn exactly(count: u16) -> TargetQuantity {
    TargetQuantity::Between(CountRange {
        min: count,
        max: count,
    })
}

impl TypeItem {
    fn of(what: TargetType) -> TypeItem {
        TypeItem {
            not_source: false,
            negated: false,
            plural: false,
            what,
        }
    }
}

impl RuleCompiler<'_> {
    pub(super) fn target(&mut self, target: &tree::Target<'_>) -> Target {
        let mut filters: Vec<Few<TargetFilter>> = Vec::with_capacity(target.filters.len());
        let element = self.element_of_variable(target);
        if element.is_none() {
            for all in target.filters {
                filters.push(few(all.iter().map(|filter| self.filter(filter).unwrap_or(NEVER))));
            }
        }
        let kind = match element {
            Some(element) => TargetKind::Computed(self.condition(element)),
            None => self.target_kind(target, &mut filters),
        };
        if let (TargetKind::Computed(_), Some(zone)) = (&kind, target.zone) {
            self.zone_of_expression(zone);
        }
        if let Some(selector) = target.selector.filter(|selector| selector.argument.is_empty()) {
            // `::not()` without argument excludes nothing: a warning (D44).
            self.replace(
                rs::RS006,
                selector.span,
                "`::not()` excludes nothing",
                Safety::Safe,
                "",
            );
        }
        Target {
            quantity: quantity(target),
            pick: target.pick.map(|pick| pick.count).filter(|count| *count != 0),
            filters,
            zone: match kind {
                TargetKind::Computed(_) => Zone::ARENA,
                TargetKind::Either(_) | TargetKind::Each(_) => {
                    target.zone.map_or(Zone::ARENA, |zone| self.zone(zone))
                }
            },
            not: target
                .selector
                .filter(|selector| !selector.argument.is_empty())
                .map(|selector| self.condition(selector.argument)),
            kind,
            span: target.text.span,
        }
    }

    /// `_list[0]`: an element, as in Python, and no filter (D95).
    fn element_of_variable<'t>(&self, target: &tree::Target<'t>) -> Option<tree::WordSyntax<'t>> {
        let ([only], [all]) = (target.types, target.filters) else {
            return None;
        };
        let [filter] = all else { return None };
        let is_index = filter.compare.is_none()
            && matches!(
                filter.prefix,
                None | Some(tree::Prefix::Minus | tree::Prefix::Plus)
            )
            && filter.name.text.bytes().all(|byte| byte.is_ascii_digit());
        let brackets = target
            .brackets
            .filter(|_| is_index && self.is_variable_type(only))?;
        // Both stand in the target's own text.
        let from = only.span.start.checked_sub(target.text.span.start)? as usize;
        let to = brackets.end.checked_sub(target.text.span.start)? as usize;
        Some(tree::WordSyntax {
            text: target.text.text.get(from..to)?,
            span: only.span.to(brackets),
        })
    }

    /// D95, RS012: the cards of an expression are where they are.
    fn zone_of_expression(&mut self, zone: tree::WordSyntax<'_>) {
        let with_at = Span::between(zone.span.start.saturating_sub(1), zone.span.end);
        let is_at = self
            .text
            .get(with_at.range())
            .is_some_and(|text| text.starts_with('@'));
        let message = "an expression says by itself which cards these are: a zone cannot follow it";
        let place = if is_at { with_at } else { zone.span };
        self.replace(rs::RS012, place, message, Safety::Unsafe, "");
        self.raise(cw_text::Severity::Error);
    }

    /// An expression whose cards or players are the targets.
    fn computed(&mut self, expression: tree::WordSyntax<'_>) -> FormulaId {
        let computed = self.condition(expression);
        let kind = self.code(computed).map_or(WordKind::Any, |code| code.kind);
        if matches!(kind, WordKind::Number | WordKind::Truth | WordKind::Text) {
            let message = format!("targets are cards and players, but this is {}", kind_words(kind));
            let help = (kind == WordKind::Truth).then(|| {
                "write a condition before the effects: `[[if me.hp > 500]] draw(1)`; \
                 a target can also ask how much SP a player has: `me[sp >= 3]`"
                    .to_string()
            });
            self.add(rs::RS007, expression.span, message).help = help;
            self.without_attribute(expression);
        }
        computed
    }

    fn target_kind(&mut self, target: &tree::Target<'_>, filters: &mut Vec<Few<TargetFilter>>) -> TargetKind {
        if let Some(expression) = target.expression {
            return TargetKind::Computed(self.computed(expression));
        }
        if let [only] = target.types
            && self.is_variable_type(only)
        {
            return TargetKind::Computed(self.computed(only.name));
        }
        let mut items = few(target.types.iter().map(|one| self.type_item(one)));
        if items.is_empty() {
            items.push(TypeItem::of(TargetType::Card(CardTest::default())));
        }
        match target.joiner {
            tree::TypeJoiner::And if items.len() > 1 => both_on_one_card(&items, filters)
                .map_or(TargetKind::Each(items), |one| TargetKind::Either(smallvec![one])),
            tree::TypeJoiner::And | tree::TypeJoiner::Or => TargetKind::Either(reduce(items)),
        }
    }

    /// D44: a declared variable or a name of R10.1, unless a subtype has that name.
    fn is_variable_type(&self, one: &tree::TypeSyntax<'_>) -> bool {
        one.prefix.is_none()
            && !one.quoted
            && (self.is_variable(one.name.text) || one.name.text.starts_with('_'))
            && self.names.subtype(&tree::lower(one.name.text)).is_none()
    }

    /// Compiles one type of a target: its prefix, what it names, and whether it is plural (R209–R213).
    fn type_item(&mut self, one: &tree::TypeSyntax<'_>) -> TypeItem {
        let (what, plural) = self.what(one);
        TypeItem {
            not_source: one.prefix == Some(tree::Prefix::Caret),
            negated: one.prefix == Some(tree::Prefix::Bang),
            plural: plural || one.plural,
            what,
        }
    }

    /// What a type names and whether its spelling is a plural.
    fn what(&mut self, one: &tree::TypeSyntax<'_>) -> (TargetType, bool) {
        if one.quoted {
            let test = CardTest {
                name: Some(self.card_name(&tree::lower(one.name.text), one.name)),
                ..CardTest::default()
            };
            return (TargetType::Card(test), false);
        }
        let card_type = |card_type| {
            TargetType::Card(CardTest {
                card_type: Some(card_type),
                ..CardTest::default()
            })
        };
        match TypeWord::find(one.name.text) {
            Some(TypeWord::Any) => (TargetType::Card(CardTest::default()), false),
            Some(TypeWord::All) => (TargetType::Card(CardTest::default()), true),
            Some(TypeWord::Player) => (TargetType::Player, false),
            Some(TypeWord::Players) => (TargetType::Player, true),
            Some(TypeWord::Me) => (TargetType::Me, false),
            Some(TypeWord::Opp) => (TargetType::Opp, false),
            Some(TypeWord::This) => (TargetType::This, false),
            Some(TypeWord::Character) => (card_type(CardType::Character), false),
            Some(TypeWord::Characters) => (card_type(CardType::Character), true),
            Some(TypeWord::Action) => (card_type(CardType::Action), false),
            Some(TypeWord::Actions) => (card_type(CardType::Action), true),
            Some(TypeWord::Reaction) => (card_type(CardType::Reaction), false),
            Some(TypeWord::Reactions) => (card_type(CardType::Reaction), true),
            None => {
                let name = tree::lower(one.name.text);
                let (subtype, plural) = self.subtype_or_plural(&name, one.name);
                let test = CardTest {
                    subtype: Some(subtype),
                    ..CardTest::default()
                };
                (TargetType::Card(test), plural)
            }
        }
    }

    /// R210: the exact name wins over the plural reading.
    fn subtype_or_plural(&mut self, name: &str, word: tree::WordSyntax<'_>) -> (SubtypeId, bool) {
        if let Some(found) = self.names.subtype(name) {
            return (found, false);
        }
        if let Some(single) = name.strip_suffix('s')
            && let Some(found) = self.names.subtype(single)
        {
            return (found, true);
        }
        self.unknown_type(name, word);
        (SubtypeId::NONE, name.ends_with('s'))
    }

    /// RS048, for types.
    fn unknown_type(&mut self, name: &str, word: tree::WordSyntax<'_>) {
        if let Some((before, zone)) = word.text.rsplit_once(char::is_whitespace)
            && find_zone(zone).is_some()
        {
            let message = format!("`@` is missing before the zone `{zone}`");
            let text = format!("{}@{zone}", before.trim_end());
            self.replace(rs::RS012, word.span, message, Safety::Unsafe, &text);
            return;
        }
        // D44: `^tgt`.
        if self.is_variable(name) {
            let message = format!(
                "`{}` is a variable, and `^` and `!` stand before types",
                shorten(word.text)
            );
            self.help(
                rs::RS048,
                word.span,
                message,
                "for all but these, write `::not(…)` after the zone",
            );
            return;
        }
        if FilterFlag::find(name).is_some() && self.names.subtype(name).is_none() {
            let message = format!("`{}` is a filter, not a kind of card", shorten(word.text));
            let text = format!("*s[{}]", word.text);
            self.replace(rs::RS048, word.span, message, Safety::Unsafe, &text);
            self.raise(cw_text::Severity::Error);
            return;
        }
        if let Some(zone) = find_zone(name) {
            let message = format!("`{}` is a place, not a kind of card", shorten(word.text));
            let is_pile = matches!(zone.place, ZonePlace::Pile(_));
            let text = format!("{}@{}", if is_pile { "*s" } else { "characters" }, word.text);
            self.replace(rs::RS048, word.span, message, Safety::Unsafe, &text);
            self.last_help(
                "write where cards are after `@`; `to(opp)` is the player, \
                 and a pile itself goes in the brackets: `shuffle(deck)`",
            );
            self.raise(cw_text::Severity::Error);
            return;
        }
        if self.names.is_complete()
            && let Some(sentence) = phrases::of_type(name)
        {
            let message = format!("no card has the subtype `{}`", shorten(word.text));
            self.help(rs::RS048, word.span, message, sentence);
            return;
        }
        let is_truth = cw_formula::NameWord::find(name).is_some();
        if is_truth && self.names.is_complete() {
            let message = format!("`{}` is not a card or a player", shorten(word.text));
            let help = format!("write a condition before the effects: `[[if {name}]] draw(1)`");
            self.help(rs::RS048, word.span, message, help);
            return;
        }
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = format!("`{}` is not a kind of card", shorten(word.text));
            let help = format!("write how many in front of the kind: `<{name}>character`");
            self.help(rs::RS048, word.span, message, help);
            self.raise(cw_text::Severity::Error);
            return;
        }
        if let Some(meant) = beginners_word(name) {
            let message = format!("`{}` is not a word of the language", shorten(word.text));
            self.replace(rs::RS048, word.span, message, Safety::Unsafe, &meant);
            self.raise(cw_text::Severity::Error);
            return;
        }
        if !self.names.is_complete() {
            // Without the cards only a slip in a word of the language can be told.
            if let Some(near) = self.nearest(name, TYPE_WORDS) {
                let message = format!("subtype `{}` looks like `{near}`", shorten(word.text));
                self.replace(rs::RS048, word.span, message, Safety::Unsafe, near);
            }
            return;
        }
        if let Some(sentence) = phrases::of_words(name).filter(|_| self.names.card_name(name).is_none()) {
            let message = format!("no card has the subtype `{}`", shorten(word.text));
            let near = self
                .nearest(name, self.names.card_names().iter().map(String::as_str))
                .is_some();
            if !near {
                self.add(rs::RS048, word.span, message).help = Some(sentence);
                return;
            }
        }
        let subtypes = self.names.subtypes();
        let plurals: Vec<String> = subtypes.iter().map(|subtype| format!("{subtype}s")).collect();
        let known = subtypes
            .iter()
            .map(String::as_str)
            .chain(plurals.iter().map(String::as_str));
        let near = self.nearest(name, TYPE_WORDS.into_iter().chain(known).chain(super::VARIABLES));
        self.unknown_db(rs::RS048, "no card has the subtype", word, near);
    }

    fn unknown_db(&mut self, lint: tree::Lint, what: &str, word: tree::WordSyntax<'_>, near: Option<&str>) {
        let message = format!("{what} `{}`", shorten(word.text));
        match near {
            Some(near) => {
                let message = format!("{message}; did you mean `{near}`?");
                self.replace(lint, word.span, message, Safety::Unsafe, near);
            }
            None => {
                let known = if lint == rs::RS048 {
                    self.names.subtypes()
                } else {
                    Vec::new()
                };
                let some = known.iter().take(12).map(String::as_str).collect::<Vec<_>>();
                self.add(lint, word.span, message).help = (!some.is_empty()).then(|| {
                    let more = if known.len() > some.len() { " …" } else { "" };
                    format!(
                        "subtypes are {}{more}; a card's name goes in double quotes",
                        some.join(", ")
                    )
                });
            }
        }
    }

    /// A flag that is compared with a truth value, as the filter that is meant.
    fn flag_with_truth(&self, name: &str, value: &str) -> Option<String> {
        let flag = FilterFlag::find(name)?.word();
        match value.to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" => Some(flag.to_string()),
            "false" | "no" | "0" => Some(format!("-{flag}")),
            _ => None,
        }
    }

    /// Finds a card name; reports one that no card has (RS049).
    fn card_name(&mut self, name: &str, word: tree::WordSyntax<'_>) -> CardNameId {
        if let Some(found) = self.names.card_name(name) {
            return found;
        }
        if self.names.is_complete() {
            let known = self.names.card_names();
            let near = self.nearest(name, known.iter().map(String::as_str));
            self.unknown_db(rs::RS049, "no card has the name", word, near);
        }
        CardNameId::NONE
    }

    /// Compiles one condition of a filter, negated or not (R214–R218, R422).
    fn filter(&mut self, filter: &tree::FilterSyntax<'_>) -> Option<TargetFilter> {
        let negated = matches!(filter.prefix, Some(tree::Prefix::Minus | tree::Prefix::Caret));
        let test = match filter.compare {
            Some((operator, value)) => self.comparison(filter, operator, value)?,
            None => self.filter_word(filter.name)?,
        };
        Some(TargetFilter { negated, test })
    }

    fn comparison(
        &mut self,
        filter: &tree::FilterSyntax<'_>,
        operator: tree::Operator,
        value: tree::WordSyntax<'_>,
    ) -> Option<FilterTest> {
        let is_bp = filter.name.is("bp");
        if !is_bp && !filter.name.is("sp") {
            let message = format!("`{}` cannot be compared", shorten(filter.name.text));
            let lower = tree::lower(filter.name.text);
            if let Some(flag) = self.flag_with_truth(&lower, value.text) {
                self.replace(rs::RS023, filter.span, message, Safety::Unsafe, &flag);
                self.raise(cw_text::Severity::Error);
                return None;
            }
            match self.nearest(filter.name.text, ["bp", "sp"]) {
                _ if phrases::of_filter(&lower).is_some() => self.help(
                    rs::RS023,
                    filter.name.span,
                    message,
                    phrases::of_filter(&lower).unwrap_or_default(),
                ),
                Some(near) => self.replace(rs::RS023, filter.name.span, message, Safety::Unsafe, near),
                None => self.help(
                    rs::RS023,
                    filter.name.span,
                    message,
                    "only `bp` and `sp` are numbers of a card",
                ),
            }
            self.raise(cw_text::Severity::Error);
            return None;
        }
        let compare = match operator {
            tree::Operator::Colon if is_bp && value.is("lowest") => return Some(FilterTest::BpLowest),
            tree::Operator::Colon => {
                let help = match ["highest", "max", "strongest", "most"]
                    .iter()
                    .any(|most| value.is(most))
                {
                    true => {
                        "to find the highest, use an expression: `vars = _best := [one for one in opp.ring \
                         if one.bp == max([two.bp for two in opp.ring])]`, and then `to(_best)`"
                    }
                    false => "comparisons are ==, <= and >=",
                };
                self.help(rs::RS023, filter.span, "`:` is used only in `bp:lowest`", help);
                self.raise(cw_text::Severity::Error);
                return None;
            }
            tree::Operator::Equal => FilterComparison::Equal,
            tree::Operator::NotEqual => FilterComparison::NotEqual,
            tree::Operator::Less => FilterComparison::Less,
            tree::Operator::LessOrEqual => FilterComparison::LessOrEqual,
            tree::Operator::Greater => FilterComparison::Greater,
            tree::Operator::GreaterOrEqual => FilterComparison::GreaterOrEqual,
        };
        let digits = super::command::without_blanks(value.text);
        let Ok(number) = digits.parse::<i32>() else {
            self.help(
                rs::RS024,
                value.span,
                format!("`{}` is not an integer", shorten(value.text)),
                "a filter compares with a number written out",
            );
            return None;
        };
        Some(if is_bp {
            FilterTest::Bp(compare, number)
        } else {
            FilterTest::Sp(compare, number)
        })
    }

    fn filter_word(&mut self, word: tree::WordSyntax<'_>) -> Option<FilterTest> {
        if let Some(flag) = FilterFlag::find(word.text) {
            return Some(flag_test(flag));
        }
        if let Some(card_type) = CardType::find(word.text) {
            return Some(FilterTest::Type(card_type));
        }
        let name = tree::lower(word.text);
        if let Some(found) = self.names.subtype(&name) {
            return Some(FilterTest::Subtype(found));
        }
        self.unknown_filter(&name, word);
        Some(FilterTest::Subtype(SubtypeId::NONE))
    }

    /// RS048, for filters (R218: no plurals here).
    fn unknown_filter(&mut self, name: &str, word: tree::WordSyntax<'_>) {
        let number = name
            .strip_prefix("bp")
            .or_else(|| name.strip_prefix("sp"))
            .map(str::trim_start);
        if number.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit())) {
            self.help(
                rs::RS024,
                word.span,
                format!("`{}` is compared with a number", &name[..2]),
                "write `bp <= 300`",
            );
            return;
        }
        if self.names.subtype(name).is_none() && find_zone(name).is_some() {
            let message = format!("`{}` is a place, not a filter", shorten(word.text));
            let help = format!("write it behind `@`: `character@{}`", word.text);
            self.help(rs::RS048, word.span, message, help);
            self.raise(cw_text::Severity::Error);
            return;
        }
        if self.names.is_complete()
            && let Some(meant) = phrases::of_filter(name)
        {
            let message = format!("no card has the subtype `{}`", shorten(word.text));
            self.help(rs::RS048, word.span, message, meant);
            return;
        }
        if let Some(flag) = name
            .strip_prefix("not ")
            .and_then(|flag| FilterFlag::find(flag.trim()))
        {
            let message = format!("`{}` is not a filter", shorten(word.text));
            self.replace(
                rs::RS048,
                word.span,
                message,
                Safety::Unsafe,
                &format!("-{}", flag.word()),
            );
            return;
        }
        if let Some(keyword) = Keyword::find(name) {
            let message = format!("`{}` is not a filter", shorten(word.text));
            let help = format!(
                "no filter asks who has `{}`; \
                 `powerful` finds cards with an ability, `powerless` cards without",
                keyword.word()
            );
            self.help(rs::RS048, word.span, message, help);
            return;
        }
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = format!("`{}` is not a filter", shorten(word.text));
            let help = format!("write how many in front, with the singular: `<{name}>character`");
            self.help(rs::RS048, word.span, message, help);
            return;
        }
        let words = FilterFlag::ALL
            .iter()
            .map(|flag| flag.word())
            .chain(CardType::ALL.iter().map(|card_type| card_type.word()));
        if !self.names.is_complete() {
            if let Some(near) = self.nearest(name, words) {
                let message = format!("subtype `{}` looks like `{near}`", shorten(word.text));
                self.replace(rs::RS048, word.span, message, Safety::Unsafe, near);
            }
            return;
        }
        let subtypes = self.names.subtypes();
        let near = self.nearest(name, words.chain(subtypes.iter().map(String::as_str)));
        self.unknown_db(rs::RS048, "no card has the subtype", word, near);
    }

    /// Makes the last finding more severe.
    pub(super) fn raise(&mut self, severity: cw_text::Severity) {
        if let Some(found) = self.out.last_mut() {
            found.severity = severity;
        }
    }

    /// R219–R221. An unknown zone stands for the arena.
    fn zone(&mut self, word: tree::WordSyntax<'_>) -> Zone {
        if let Some(zone) = find_zone(word.text) {
            return zone;
        }
        let bare: String = word
            .text
            .chars()
            .filter(|letter| letter.is_alphanumeric())
            .collect();
        let lower = bare.to_lowercase();
        if lower != word.text.to_lowercase()
            && let Some(zone) = find_zone(&bare)
        {
            self.replace(
                rs::RS012,
                word.span,
                "prefix and zone are one word",
                Safety::Safe,
                &bare,
            );
            return zone;
        }
        if lower.ends_with("arena") {
            self.replace(
                rs::RS012,
                word.span,
                "`arena` takes no prefix",
                Safety::Safe,
                "arena",
            );
            return Zone::ARENA;
        }
        let is_near = || {
            let known = zone_words();
            self.nearest(word.text, known.iter().map(String::as_str))
                .is_some()
        };
        if let Some(meant) = zone_meant(&lower).filter(|_| !is_near()) {
            let message = format!("unknown zone `{}`; it is called `{meant}`", shorten(word.text));
            self.replace(rs::RS012, word.span, message, Safety::Unsafe, &meant);
            return find_zone(&meant).unwrap_or(Zone::ARENA);
        }
        let first = word
            .text
            .split(|letter: char| !letter.is_alphanumeric())
            .next()
            .unwrap_or_default();
        if first.len() < word.text.len()
            && let Some(zone) = find_zone(first)
        {
            let rest = word.text[first.len()..].to_lowercase();
            let leaves_out = ["except", "but", "without", "other", "not"]
                .iter()
                .any(|out| rest.contains(out));
            let help = match leaves_out {
                true => {
                    "to leave out the card itself, write `^` before the type: \
                     `^characters@myRing`; others, `::not(…)` after the zone"
                }
                false => {
                    "the zone ends a target: write how many in front, as in `<2>character@oppRing`; \
                     several targets are separated by `;`"
                }
            };
            let message = format!("unknown zone `{}`", shorten(word.text));
            self.help(rs::RS012, word.span, message, help);
            return zone;
        }
        let known = zone_words();
        self.unknown(rs::RS012, "zone", word, known.iter().map(String::as_str));
        if let Some(found) = self.out.last_mut()
            && found.fix.is_none()
        {
            found.help = Some(
                "zones are arena, ring, infront, hand, deck, discards and removed, \
                 with my, opp, ctrl, same or any"
                    .to_string(),
            );
        }
        Zone::ARENA
    }

    /// A pile as commands name it (D34, R617); `None` is reported.
    pub(super) fn pile(&mut self, word: tree::WordSyntax<'_>) -> Option<PileRef> {
        let (whose, name) = self.pile_word(word)?;
        Some(PileRef {
            whose: whose.unwrap_or(Whose::Mine),
            name,
        })
    }

    /// A pile and its prefix, if one was written.
    pub(super) fn pile_word(&mut self, word: tree::WordSyntax<'_>) -> Option<(Option<Whose>, PileName)> {
        if let Some(zone) = find_zone(word.text) {
            let ZonePlace::Pile(name) = zone.place else {
                self.help(
                    rs::RS007,
                    word.span,
                    format!("`{}` is not a pile", word.text),
                    "piles are hand, deck, discards and removed; \
                     to bring a character to its ring, write `moveToSlot()`",
                );
                return None;
            };
            let whose = match zone.side {
                ZoneSide::Mine if word.text.len() == name.word().len() => None,
                ZoneSide::Mine => Some(Whose::Mine),
                ZoneSide::Opponent => Some(Whose::Opponent),
                ZoneSide::Controller => Some(Whose::Controller),
                ZoneSide::Same | ZoneSide::Any => {
                    self.help(
                        rs::RS012,
                        word.span,
                        format!("`{}` does not say whose pile", word.text),
                        "a command's pile takes `my`, `opp` or `ctrl`",
                    );
                    return None;
                }
            };
            return Some((whose, name));
        }
        let meant = zone_meant(&word.text.to_lowercase());
        if let Some(meant) = meant
            .filter(|meant| find_zone(meant).is_some_and(|zone| matches!(zone.place, ZonePlace::Pile(_))))
        {
            let message = format!("unknown pile `{}`; it is called `{meant}`", shorten(word.text));
            self.replace(rs::RS012, word.span, message, Safety::Unsafe, &meant);
            return None;
        }
        let known: Vec<String> = ["", "my", "opp", "ctrl"]
            .iter()
            .flat_map(|prefix| PileName::ALL.iter().map(move |pile| cased(prefix, pile.word())))
            .collect();
        self.unknown(rs::RS012, "pile", word, known.iter().map(String::as_str));
        if self.out.last().is_some_and(|found| found.fix.is_none()) {
            self.last_help(
                "piles are hand, deck, discards and removed: \
                 without a prefix or with `my` your own, with `opp` the opponent's, \
                 with `ctrl` that of each card's controller, as `ctrlHand`",
            );
        }
        None
    }
}

const TYPE_WORDS: [&str; 11] = [
    "player",
    "players",
    "opp",
    "this",
    "character",
    "characters",
    "action",
    "actions",
    "reaction",
    "reactions",
    "all",
];

fn quantity(target: &tree::Target<'_>) -> TargetQuantity {
    match target.quantity.map(|quantity| quantity.form) {
        None => TargetQuantity::Default,
        Some(tree::QuantityForm::Exactly(count)) => exactly(count),
        Some(tree::QuantityForm::Between(min, max)) => TargetQuantity::Between(CountRange { min, max }),
        Some(tree::QuantityForm::Any) => TargetQuantity::Between(CountRange {
            min: 1,
            max: u16::MAX,
        }),
        Some(tree::QuantityForm::Random(count)) => TargetQuantity::Random(count),
    }
}

fn is_any(item: &TypeItem) -> bool {
    matches!(item.what, TargetType::Card(test) if test == CardTest::default())
}

/// R209: `*` among alternatives stands for all of them.
fn reduce(items: Few<TypeItem>) -> Few<TypeItem> {
    if items.len() > 1
        && let Some(all) = items.iter().find(|item| is_any(item) && !item.not_source)
    {
        return smallvec![*all];
    }
    items
}

/// D28: a card type or `*` with a subtype or name means both on one card. A negated subtype
/// becomes a filter.
fn both_on_one_card(items: &[TypeItem], filters: &mut Vec<Few<TargetFilter>>) -> Option<TypeItem> {
    let mut merged = TypeItem::of(TargetType::Card(CardTest::default()));
    let mut test = CardTest::default();
    let mut has_type = false;
    let mut has_more = false;
    let mut negated = None;
    for item in items {
        let TargetType::Card(one) = item.what else {
            return None;
        };
        merged.not_source |= item.not_source;
        merged.plural |= item.plural;
        if let Some(subtype) = one.subtype.filter(|_| item.negated) {
            if negated.replace(subtype).is_some() {
                return None;
            }
            has_more = true;
            continue;
        }
        if item.negated {
            return None;
        }
        if one.subtype.is_none() && one.name.is_none() {
            if std::mem::replace(&mut has_type, true) {
                return None;
            }
            test.card_type = one.card_type;
        } else {
            let clash = (one.subtype.is_some() && test.subtype.is_some())
                || (one.name.is_some() && test.name.is_some());
            if clash {
                return None;
            }
            test.subtype = test.subtype.or(one.subtype);
            test.name = test.name.or(one.name);
            has_more = true;
        }
    }
    if !has_type || !has_more {
        return None;
    }
    if let Some(subtype) = negated {
        let filter = TargetFilter {
            negated: true,
            test: FilterTest::Subtype(subtype),
        };
        if filters.is_empty() {
            filters.push(Few::new());
        }
        filters.iter_mut().for_each(|all| all.push(filter));
    }
    merged.what = TargetType::Card(test);
    Some(merged)
}

fn flag_test(flag: FilterFlag) -> FilterTest {
    match flag {
        FilterFlag::BackedUp => FilterTest::BackedUp,
        FilterFlag::Attack => FilterTest::Attack,
        FilterFlag::UAttack => FilterTest::UAttack,
        FilterFlag::Block => FilterTest::Block,
        FilterFlag::Blocked => FilterTest::Blocked,
        FilterFlag::Frozen => FilterTest::Frozen,
        FilterFlag::Fresh => FilterTest::Fresh,
        FilterFlag::Powerful => FilterTest::Powerful,
        FilterFlag::Powerless => FilterTest::Powerless,
        FilterFlag::AbInstant => FilterTest::AbInstant,
        FilterFlag::AbTrigger => FilterTest::AbTrigger,
        FilterFlag::AbAuto => FilterTest::AbAuto,
    }
}

const SIDES: [(&str, ZoneSide); 6] = [
    ("", ZoneSide::Mine),
    ("my", ZoneSide::Mine),
    ("opp", ZoneSide::Opponent),
    ("ctrl", ZoneSide::Controller),
    ("same", ZoneSide::Same),
    ("any", ZoneSide::Any),
];

const PLACES: [(&str, ZonePlace); 6] = [
    ("ring", ZonePlace::Ring),
    ("infront", ZonePlace::InFront),
    ("hand", ZonePlace::Pile(PileName::Hand)),
    ("deck", ZonePlace::Pile(PileName::Deck)),
    ("discards", ZonePlace::Pile(PileName::Discards)),
    ("removed", ZonePlace::Pile(PileName::Removed)),
];

/// A zone by its spelling in any case. `same` goes only with the ring (D34).
pub fn find_zone(word: &str) -> Option<Zone> {
    // The last letter tells which place it can be.
    let (name, place) = match word.as_bytes().last()? | 0x20 {
        b'a' => return word.eq_ignore_ascii_case("arena").then_some(Zone::ARENA),
        b'g' => PLACES[0],
        b't' => PLACES[1],
        b'd' if word
            .as_bytes()
            .get(word.len().wrapping_sub(2))
            .is_some_and(|e| e | 0x20 == b'e') =>
        {
            PLACES[5]
        }
        b'd' => PLACES[2],
        b'k' => PLACES[3],
        b's' => PLACES[4],
        _ => return None,
    };
    let (prefix, rest) = word.split_at_checked(word.len().checked_sub(name.len())?)?;
    if !tree::is_word(rest, name) {
        return None;
    }
    let mut sides = SIDES.iter();
    let side = sides.find(|(known, _)| tree::is_word(prefix, known))?.1;
    if side == ZoneSide::Same && place != ZonePlace::Ring {
        return None;
    }
    Some(Zone { side, place })
}

/// All spellings of zones, for suggestions.
pub fn zone_words() -> Vec<String> {
    let mut words = vec!["arena".to_string()];
    for (name, place) in PLACES {
        for (prefix, side) in SIDES {
            if side != ZoneSide::Same || place == ZonePlace::Ring {
                words.push(cased(prefix, name));
            }
        }
    }
    words
}

/// `oppHand` from `opp` and `hand`.
fn cased(prefix: &str, name: &str) -> String {
    if prefix.is_empty() {
        return name.to_string();
    }
    format!("{prefix}{}{}", name[..1].to_uppercase(), &name[1..])
}

/// The zone that is meant by words of other games, in lower case: `opponentring`, `mygraveyard`.
fn zone_meant(word: &str) -> Option<String> {
    const WHOSE: [(&str, &str); 21] = [
        ("opponents", "opp"),
        ("opponent", "opp"),
        ("enemys", "opp"),
        ("enemy", "opp"),
        ("their", "opp"),
        ("other", "opp"),
        ("opp", "opp"),
        ("your", "my"),
        ("own", "my"),
        ("me", "my"),
        ("my", "my"),
        ("both", "any"),
        ("each", "any"),
        ("all", "any"),
        ("any", "any"),
        ("ctrl", "ctrl"),
        ("owners", "ctrl"),
        ("owner", "ctrl"),
        ("controllers", "ctrl"),
        ("controller", "ctrl"),
        ("its", "ctrl"),
    ];
    const WHERE: [(&[&str], &str); 6] = [
        (
            &[
                "discards",
                "discard",
                "discardpile",
                "graveyard",
                "grave",
                "trash",
                "cemetery",
                "pile",
                "dropzone",
            ],
            "discards",
        ),
        (&["deck", "library", "drawpile", "stack"], "deck"),
        (
            &[
                "ring",
                "rings",
                "board",
                "field",
                "battlefield",
                "play",
                "table",
                "bench",
                "side",
                "characters",
                "inplay",
            ],
            "ring",
        ),
        (&["hand", "hands"], "hand"),
        (
            &["removed", "exile", "exiled", "banished", "removedpile", "rfg"],
            "removed",
        ),
        (&["infront", "front", "opposite", "across"], "infront"),
    ];
    let place = |rest: &str| {
        let mut places = WHERE.iter();
        places
            .find(|(words, _)| words.contains(&rest))
            .map(|(_, place)| *place)
    };
    let prefixed = WHOSE.iter().find_map(|(prefix, side)| {
        let place = place(word.strip_prefix(prefix)?)?;
        Some(cased(side, place))
    });
    // Of both players where nobody is named.
    let both = |place: &str| if place == "ring" { "arena" } else { place }.to_owned();
    prefixed.or_else(|| place(word).map(both))
}

/// What people mean who write a word of everyday speech, or a name in the quotes of a text processor.
fn beginners_word(name: &str) -> Option<String> {
    const SAME: [(&str, &str); 15] = [
        ("both", "players"),
        ("everyone", "players"),
        ("all players", "players"),
        ("each player", "players"),
        ("owner", "this.owner"),
        ("controller", "this.controller"),
        ("opponent", "opp"),
        ("opponents", "opp"),
        ("enemy", "opp"),
        ("foe", "opp"),
        ("you", "me"),
        ("myself", "me"),
        ("self", "this"),
        ("itself", "this"),
        ("thiscard", "this"),
    ];
    if let Some((_, meant)) = SAME.iter().find(|(word, _)| *word == name) {
        return Some((*meant).to_owned());
    }
    // `2 characters`, `all characters`.
    if let Some((first, rest)) = name.split_once(' ') {
        let rest = rest.trim_start();
        if first.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(format!("<{first}>{}", rest.trim_end_matches('s')));
        }
        if ["all", "each", "every"].contains(&first) {
            return Some(format!("{}s", rest.trim_end_matches('s')));
        }
        if ["other", "another"].contains(&first) {
            return Some(format!("^{rest}"));
        }
        if ["random", "a random"].contains(&first) {
            return Some(format!("<r>{}", rest.trim_end_matches('s')));
        }
    }
    let quotes = [
        '\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{ab}', '\u{bb}',
    ];
    let bare = name.trim_matches(quotes);
    (bare.len() < name.len() && !bare.is_empty()).then(|| format!("\"{bare}\""))
}
