//! Expressions: compiled by `cw-formula`, whose findings become ours (R1001–R1047, D40–D44).

use cw_formula::{
    ExprLimits, Formula as Code, FormulaFinding, FormulaFindingKind, FormulaMend, FormulaPlace, FormulaScope,
    FunctionWord, NameWord, NeverNegative, WordKind, compile, compile_group,
};
use cw_syntax as tree;
use cw_syntax::rs;
use cw_text::{FindingFix, Safety, Span, TextEdit, offset};

use super::{RuleCompiler, phrases, shorten};
use crate::rule::{FormulaId, RuleFormula, Target, Var};
use crate::words::{CardType, ClosedWord as _};

/// The most expressions, or filters in them, that a rule may have.
const MOST: usize = u16::MAX as usize;
/// How many variables a rule may have.
const MOST_VARS: usize = 1_000;

impl<'a> RuleCompiler<'a> {
    /// `vars =`: each sees the ones before it (R304).
    pub(super) fn vars(&mut self, assigns: &[tree::Assign<'a>]) {
        for (index, assign) in assigns.iter().enumerate() {
            if index == MOST_VARS {
                self.add(rs::RS069, assign.span, "more variables than a rule may have");
                break;
            }
            let value = self.condition(assign.value);
            if let Some(what) = self.code(value).and_then(|code| code.unkept) {
                let message = format!("a variable cannot hold {what}");
                let help = "variables hold numbers, truth values, texts of up to 255 bytes, \
                            cards, players and lists of up to 128 of these";
                self.help(rs::RS043, assign.value.span, message, help);
            }
            let name = assign.name.text.to_lowercase();
            self.hides(assign.name, &name);
            self.rule.vars.push(Var {
                name: name.as_str().into(),
                value,
                span: assign.span,
            });
            self.vars.push(name);
            // Targets may be players, each by itself.
            let is_targets = ["tgt", "prevTgt"].iter().any(|targets| assign.value.is(targets));
            let kind = self.code(value).filter(|_| !is_targets).map(|code| code.kind);
            self.kinds.push(kind.unwrap_or_default());
        }
    }

    /// Warns of a variable that hides another one, a name of the language or a function (R1044, RS041).
    fn hides(&mut self, word: tree::WordSyntax<'_>, name: &str) {
        // By habit variables start with `_`, and no function does.
        let builtin = || {
            !name.starts_with('_') && cw_expr::builtin_names().any(|known| known.eq_ignore_ascii_case(name))
        };
        let what = if self.vars.iter().any(|known| known == name) {
            "the variable before it"
        } else if NameWord::find(name).is_some() {
            "a name of the language"
        } else if FunctionWord::find(name).is_some() || builtin() {
            "a function"
        } else {
            return;
        };
        let message = format!("`{}` hides {what}", word.text);
        let free = format!("_{name}");
        self.help(rs::RS041, word.span, message, format!("call it `{free}`"));
    }

    /// An expression where `tgt` is the list of the main targets.
    pub(super) fn condition(&mut self, word: tree::WordSyntax<'_>) -> FormulaId {
        self.formula(word, FormulaPlace::Condition)
    }

    /// An expression in an argument, where `tgt` is also the first target (R1104).
    pub(super) fn argument(&mut self, word: tree::WordSyntax<'_>) -> FormulaId {
        self.formula(word, FormulaPlace::Argument)
    }

    fn formula(&mut self, word: tree::WordSyntax<'_>, place: FormulaPlace) -> FormulaId {
        let vars = std::mem::take(&mut self.vars);
        let kinds = std::mem::take(&mut self.kinds);
        let compiled = compile(word.text, &self.scope(&vars, &kinds, place), self.arena);
        (self.vars, self.kinds) = (vars, kinds);
        let code = match compiled {
            Ok(code) => {
                self.read(word, &code);
                Some(code)
            }
            Err(finding) => {
                self.fault(word, &finding);
                None
            }
        };
        self.keep(word, code)
    }

    /// `X in L`, the left part of `each` (R622).
    pub(super) fn group(&mut self, word: tree::WordSyntax<'_>) -> (FormulaId, FormulaId) {
        let vars = std::mem::take(&mut self.vars);
        let kinds = std::mem::take(&mut self.kinds);
        let scope = self.scope(&vars, &kinds, FormulaPlace::Argument);
        let compiled = compile_group(word.text, &scope, self.arena);
        (self.vars, self.kinds) = (vars, kinds);
        let (value, list) = match compiled {
            Ok(group) => {
                // The list's filters have the first numbers.
                self.read(word, &group.list);
                self.read(word, &group.value);
                (Some(group.value), Some(group.list))
            }
            Err(finding) => {
                self.fault(word, &finding);
                (None, None)
            }
        };
        (self.keep(word, value), self.keep(word, list))
    }

    fn scope<'v>(&self, vars: &'v [String], kinds: &'v [WordKind], place: FormulaPlace) -> FormulaScope<'v> {
        FormulaScope {
            vars,
            kinds,
            place,
            in_each: self.in_each,
            first_filter: u16::try_from(self.rule.filters.len()).unwrap_or(u16::MAX),
            limits: ExprLimits::CARD,
        }
    }

    /// Takes over what a compiled expression found, and compiles its filters.
    fn read(&mut self, word: tree::WordSyntax<'_>, code: &Code) {
        for finding in &code.findings {
            self.fault(word, finding);
        }
        for filter in &code.filters {
            let span = within(word, filter.span);
            let targets = self.filter_text(&filter.text, span);
            self.rule.filters.push(targets);
        }
    }

    /// The literal argument of `getTargets` (R1015).
    fn filter_text(&mut self, filter: &str, span: Span) -> Vec<Target> {
        let (arena, file) = (self.arena, self.file);
        let before = self.out.len();
        let in_place = self.text.get(span.range()) == Some(filter);
        let targets = if in_place {
            tree::parse_targets(arena, file, self.text, span, self.out)
        } else {
            // With escapes: places within it are lost.
            let text: &str = arena.alloc_str(filter);
            tree::parse_targets(arena, file, text, Span::new(0, text.len()), self.out)
        };
        let compiled = targets.iter().map(|target| self.target(target)).collect();
        if !in_place {
            self.out[before..].iter_mut().for_each(|found| {
                found.span = span;
                found.fix = None;
            });
        }
        compiled
    }

    fn keep(&mut self, word: tree::WordSyntax<'_>, code: Option<Code>) -> FormulaId {
        let index = self.rule.formulas.len();
        if index >= MOST || self.rule.filters.len() >= MOST {
            self.add(rs::RS069, word.span, "more expressions than a rule may have");
            return FormulaId(0);
        }
        self.rule.formulas.push(RuleFormula {
            text: word.text.into(),
            span: word.span,
            code,
        });
        FormulaId(u16::try_from(index).unwrap_or_default())
    }

    /// Reports what is wrong in an expression, and offers what mends it (RS038–RS043).
    fn fault(&mut self, word: tree::WordSyntax<'_>, finding: &FormulaFinding) {
        let found = self.out.len();
        self.told(word, finding);
        if self.out.len() > found {
            self.mend(word, finding.span, &finding.mends);
        }
    }

    /// Offers for what was found last what is put into an expression.
    pub(super) fn mend(&mut self, word: tree::WordSyntax<'_>, about: Span, mends: &[FormulaMend]) {
        let file = self.file;
        let written = word.text.get(about.range()).unwrap_or_default();
        let names = self.names;
        let Some(found) = self
            .out
            .last_mut()
            .filter(|found| !mends.is_empty() && found.fix.is_none())
        else {
            return;
        };
        // What a card is compared with says which of its texts is meant.
        let compared = match quoted(written).map(str::to_lowercase) {
            Some(text) if names.subtype(&text).is_some() => Some(".subtype"),
            Some(text) if CardType::find(&text).is_some() => Some(".type"),
            Some(text) if names.card_name(&text).is_some() => Some(".name"),
            _ => None,
        };
        if compared.is_none() && mends.iter().any(|mend| mend.text == ".name") {
            return;
        }
        let text = |mend: &FormulaMend| match mend.text {
            ".name" => compared.unwrap_or(mend.text),
            text => text,
        };
        let place = |mend: &FormulaMend| within(word, Span::between(mend.at, mend.at));
        let mut meant = written.to_owned();
        for mend in mends.iter().rev() {
            if let Some(at) = mend
                .at
                .checked_sub(about.start)
                .filter(|at| *at as usize <= meant.len())
            {
                meant.insert_str(at as usize, text(mend));
            }
        }
        let edit = |mend: &FormulaMend| TextEdit {
            file,
            span: place(mend),
            text: text(mend).to_owned(),
        };
        found.fix = Some(FindingFix {
            title: format!("write `{}`", shorten(&meant)),
            safety: Safety::Unsafe,
            edits: mends.iter().map(edit).collect(),
        });
    }

    /// Offers for what was found last what has the attribute: `to(tgt.0.bp)` means the card.
    pub(super) fn without_attribute(&mut self, word: tree::WordSyntax<'_>) {
        let Some((object, name)) = word.text.rsplit_once('.') else {
            return;
        };
        let is_attribute = cw_formula::ATTRIBUTES
            .iter()
            .any(|known| known.word.eq_ignore_ascii_case(name));
        // `card in me.ring.size`
        let object = object.rsplit(' ').next().unwrap_or(object);
        let is_path = object
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._".contains(&byte));
        let file = self.file;
        if let Some(found) = self
            .out
            .last_mut()
            .filter(|found| is_attribute && is_path && found.fix.is_none())
        {
            let attribute = Span::between(word.span.end - offset(name.len() + 1), word.span.end);
            found
                .help
                .get_or_insert_with(|| format!("that is `{object}`, without `.{name}`"));
            found.fix = Some(FindingFix::one(
                format!("write `{object}`"),
                Safety::Unsafe,
                file,
                attribute,
                String::new(),
            ));
        }
    }

    fn told(&mut self, word: tree::WordSyntax<'_>, finding: &FormulaFinding) {
        let span = within(word, finding.span);
        match &finding.fault {
            FormulaFindingKind::Syntax(why) => {
                let message = format!("this is not an expression: {}", lower_first(why));
                let place = self.around(visible(word, span));
                let help = other_language(word.text).unwrap_or(
                    "expressions are Python's: `me.hp >= 500 and not alone`, \
                     `me.ring.size + 1`, `2 if alone else 1`",
                );
                self.help(rs::RS038, place, message, help);
            }
            // `max(card.bp in me.ring)`.
            FormulaFindingKind::UnknownName { name, .. } if name == "card" && word.text.contains(" in ") => {
                self.help(
                    rs::RS038,
                    span,
                    "nothing is called `card`",
                    "after `all` and `any` it is each element; elsewhere, name the elements yourself: \
                     `max([one.bp for one in me.ring])`",
                );
            }
            // `each(c in me.ring => …)`.
            FormulaFindingKind::UnknownName { name, .. } if self.is_loop_name(word, name) => {
                let message = format!("nothing is called `{}`", shorten(name));
                self.replace(rs::RS038, span, message, Safety::Unsafe, "card");
                self.last_help("each element is called `card`: `each(card in me.ring => draw(1))`");
            }
            // `all bp >= 300 in me.ring`.
            FormulaFindingKind::UnknownName { name, .. }
                if is_of_card(name) && is_group_element(word.text, finding.span) =>
            {
                let message = format!("nothing is called `{}`", shorten(name));
                self.replace(rs::RS038, span, message, Safety::Unsafe, &format!("card.{name}"));
                self.last_help(
                    "after `all` and `any`, each element is called `card`: `all card.bp >= 300 in me.ring`",
                );
            }
            FormulaFindingKind::UnknownName { name, .. } if phrases::of_name(name).is_some() => {
                let message = format!("nothing is called `{}`", shorten(name));
                self.add(rs::RS038, span, message).help = phrases::of_name(name).map(str::to_string);
            }
            FormulaFindingKind::UnknownName { name, nearest }
                if self.is_card_word(name) && nearest.is_none() =>
            {
                let message = format!("nothing is called `{}`", shorten(name));
                let single = name.strip_suffix('s').unwrap_or(name);
                let help = format!(
                    "how many there are is `getTargets('{single}s@myRing').size`, \
                     what a card is `trigger.subtype == '{single}'`"
                );
                self.help(rs::RS038, span, message, help);
            }
            FormulaFindingKind::UnknownName { name, .. } if number_word(name).is_some() => {
                let message = format!("nothing is called `{}`", shorten(name));
                self.replace(
                    rs::RS038,
                    span,
                    message,
                    Safety::Unsafe,
                    number_word(name).unwrap_or_default(),
                );
                self.last_help("numbers are written in digits");
            }
            FormulaFindingKind::UnknownName { name, nearest } => {
                self.near(
                    rs::RS038,
                    span,
                    format!("nothing is called `{}`", shorten(name)),
                    name,
                    *nearest,
                );
            }
            FormulaFindingKind::UnknownAttribute { name, .. } if phrases::of_attribute(name).is_some() => {
                let message = format!("no value has `.{}`", shorten(name));
                self.add(rs::RS039, span, message).help = phrases::of_attribute(name);
            }
            FormulaFindingKind::UnknownAttribute { name, nearest } => {
                self.near(
                    rs::RS039,
                    span,
                    format!("no value has `.{}`", shorten(name)),
                    name,
                    *nearest,
                );
            }
            FormulaFindingKind::WrongAttribute { name, of } => {
                let message = format!("{} has no `.{}`", kind_words(*of), shorten(name));
                let zone = if *of == WordKind::Text {
                    zone_named(word.text)
                } else {
                    None
                };
                self.add(rs::RS039, span, message).help =
                    zone.or_else(|| other_kind(*of, name)).map(str::to_string);
            }
            FormulaFindingKind::Method(name) => {
                let message = format!(
                    "`.{}` is a method of Python, and is not called here",
                    shorten(name)
                );
                let help = phrases::of_attribute(name).unwrap_or_else(|| format!("call it: `.{name}(…)`"));
                self.help(rs::RS039, span, message, help);
            }
            FormulaFindingKind::Called(name) => {
                let message = format!("`{}` is not a function", shorten(name));
                self.help(rs::RS082, span, message, "write it without the parentheses");
            }
            FormulaFindingKind::NotCalled(function) => {
                let message = format!("`{}` is a function and is not called here", function.word);
                let usage = format!("write `{}({})`", function.word, function.params);
                self.help(rs::RS038, span, message, usage);
            }
            FormulaFindingKind::WrongCall(function) => {
                let message = format!("this is called as `{}({})`", function.word, function.params);
                self.add(rs::RS007, span, message);
            }
            FormulaFindingKind::Compared(one, other) => {
                let message = format!(
                    "always the same: {} is compared with {}",
                    kind_words(*one),
                    kind_words(*other)
                );
                let zone = if [*one, *other].contains(&WordKind::Text) {
                    zone_named(word.text)
                } else {
                    None
                };
                self.add(rs::RS072, span, message).help =
                    zone.or_else(|| meant_of(*one, *other)).map(str::to_string);
            }
            FormulaFindingKind::Ordered(kind) => {
                let message = format!("`<` and `>` say nothing of {} and another", kind_words(*kind));
                self.add(rs::RS072, span, message).help =
                    meant_of(*kind, WordKind::Number).map(str::to_string);
            }
            FormulaFindingKind::Identity => {
                let message = "`is` asks whether two values are the same object, and engines differ on that";
                self.help(rs::RS040, span, message, "write `==`, or `!=` for `is not`");
            }
            FormulaFindingKind::Text { attribute, text } => {
                self.compared_text(word, finding.span, attribute, text);
            }
            FormulaFindingKind::Membership => {
                self.add(
                    rs::RS040,
                    span,
                    "`in` asks whether a value is in a list; \
                     other engines compute the left side for each element",
                )
                .help = zone_named(word.text).map(str::to_string);
            }
            FormulaFindingKind::Reckoned(kind) => {
                let message = format!("this always fails: {} is not a number", kind_words(*kind));
                self.add(rs::RS082, span, message).help =
                    meant_of(*kind, WordKind::Number).map(str::to_string);
            }
            FormulaFindingKind::NoList(kind) => {
                let message = format!("this always fails: {} is not a list", kind_words(*kind));
                self.add(rs::RS082, span, message).help = list_of(*kind).map(str::to_string);
            }
            FormulaFindingKind::NoMember(kind) => {
                let message = format!(
                    "always the same: {} is never in a list of cards",
                    kind_words(*kind)
                );
                self.add(rs::RS072, span, message).help = member_of(*kind).map(str::to_string);
            }
            FormulaFindingKind::Always(answer, of) => {
                let what = match of {
                    NeverNegative::Size => "no size is below 0",
                    NeverNegative::PlayerSp => "the SP of a player are never below 0",
                };
                self.add(rs::RS072, span, format!("this is always {answer}: {what}"));
            }
            FormulaFindingKind::Swallowed => {
                self.help(
                    rs::RS040,
                    span,
                    "all of this is the list to look through",
                    "to ask for more, use brackets: `(all card.bp >= 300 in me.ring) and alone`",
                );
            }
            FormulaFindingKind::Fails(why) => {
                let of = word.text.split_once('(').map(|(of, _)| of.trim());
                let is_filtered = of.is_some_and(|of| crate::words::TypeWord::find(of).is_some());
                self.add(rs::RS082, span, format!("this always fails: {why}"))
                    .help =
                    is_filtered.then(|| "put filters in brackets: `character[frozen]@oppRing`".to_string());
            }
            FormulaFindingKind::Refused(name) => {
                let message = format!("not available in card rules: `{}`", shorten(name));
                self.add(rs::RS042, span, message);
            }
            FormulaFindingKind::Limit(what) => {
                self.add(
                    rs::RS043,
                    visible(word, span),
                    format!("beyond the limits of card rules: {what}"),
                );
            }
        }
    }

    /// Whether a name is a subtype of the game, or a type of cards.
    fn is_card_word(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let single = name.strip_suffix('s').unwrap_or(&name);
        [&*name, single]
            .iter()
            .any(|word| self.names.subtype(word).is_some() || CardType::find(word).is_some())
    }

    /// Whether a name is what `each` is to call its elements, as other languages have it.
    fn is_loop_name(&self, word: tree::WordSyntax<'_>, name: &str) -> bool {
        let rest = word.text.trim_start().get(name.len()..).unwrap_or_default();
        let is_first = word
            .text
            .trim_start()
            .to_lowercase()
            .starts_with(&name.to_lowercase());
        let behind = self.text.get(word.span.end as usize..).unwrap_or_default();
        is_first && rest.trim_start().starts_with("in ") && behind.trim_start().starts_with("=>")
    }

    /// RS048, RS049, RS072: a text that no card's type, subtype or name is.
    fn compared_text(&mut self, word: tree::WordSyntax<'_>, place: Span, attribute: &str, text: &str) {
        let lower = text.to_lowercase();
        let (lint, known, what): (_, Vec<String>, _) = match attribute {
            "type" if CardType::find(&lower).is_none() => {
                let words = CardType::ALL.iter().map(|known| known.word().to_string());
                (rs::RS072, words.collect(), "no card is of the type")
            }
            // A card without subtype has the empty one.
            "subtype"
                if !lower.is_empty() && self.names.is_complete() && self.names.subtype(&lower).is_none() =>
            {
                (rs::RS048, self.names.subtypes(), "no card has the subtype")
            }
            "name" if self.names.is_complete() && self.names.card_name(&lower).is_none() => {
                (rs::RS049, self.names.card_names(), "no card has the name")
            }
            _ => return,
        };
        // Within the quotes.
        let whole = within(word, place);
        let span = Span::between(whole.start + 1, (whole.end - 1).max(whole.start + 1));
        let message = format!("{what} `{}`", shorten(text));
        match self.nearest(&lower, known.iter().map(String::as_str)) {
            Some(near) => {
                let message = format!("{message}; did you mean `{near}`?");
                let near = near.to_string();
                self.replace(lint, span, message, Safety::Unsafe, &near);
            }
            None if attribute == "type" && self.names.subtype(&lower).is_some() => {
                let help = format!("it is a subtype: `.subtype == '{lower}'`");
                self.add(lint, span, message).help = Some(help);
            }
            None => {
                let is_name = lint == rs::RS049;
                self.add(lint, span, message).help = if is_name { None } else { listed(&known) };
            }
        }
    }

    /// RS072: the condition of an `if` that no game changes.
    pub(super) fn test(&mut self, word: tree::WordSyntax<'_>) -> FormulaId {
        let expression = self.condition(word);
        let Some(code) = self.code(expression) else {
            return expression;
        };
        if let Some(idle) = code.idle {
            let (span, written) = (within(word, idle.span), word.text.get(idle.span.range()));
            let written = written.unwrap_or_default();
            let message = format!("`{written}` alone is a condition that no game changes");
            let compared = idle.compared.and_then(|span| word.text.get(span.range()));
            let help = compared.map(|compared| {
                format!(
                    "write the whole comparison again: `{} {written}`",
                    compared.trim_end()
                )
            });
            self.add(rs::RS072, span, message).help = help;
            return expression;
        }
        let what = match code.kind {
            _ if code
                .findings
                .iter()
                .any(|found| matches!(found.fault, FormulaFindingKind::Fails(_))) =>
            {
                return expression;
            }
            _ if code.constant => "it does not name anything in the game",
            // Others may be missing: `trigger`, `me.ring.0`.
            WordKind::Card if word.is("this") => "a card is never false",
            WordKind::Player => "a player is never false",
            WordKind::Card
            | WordKind::Cards
            | WordKind::List
            | WordKind::Number
            | WordKind::Truth
            | WordKind::Text
            | WordKind::Any => {
                return expression;
            }
        };
        let meant = code.constant.then(|| {
            let mut names = word
                .text
                .split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            names.find_map(phrases::of_name)
        });
        self.add(
            rs::RS072,
            word.span,
            format!("this condition is always the same: {what}"),
        )
        .help = meant.flatten().map(str::to_string);
        expression
    }

    /// What is known of an expression that could be read.
    pub(super) fn code(&self, expression: FormulaId) -> Option<&Code> {
        let formula = self.rule.formulas.get(usize::from(expression.0))?;
        formula.code.as_ref()
    }

    /// A place with the blanks around it: where something is missing, it is missing there.
    fn around(&self, span: Span) -> Span {
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let bytes = self.text.as_bytes();
        let before = bytes.get(..span.start as usize).unwrap_or_default();
        let after = bytes.get(span.end as usize..).unwrap_or_default();
        Span::between(
            span.start - offset(before.iter().rev().take_while(|byte| is_blank(byte)).count()),
            span.end + offset(after.iter().take_while(|byte| is_blank(byte)).count()),
        )
    }

    /// An unknown name, with the nearest of the language's or of the rule's own.
    fn near(&mut self, lint: tree::Lint, span: Span, message: String, name: &str, nearest: Option<&str>) {
        let own = self
            .nearest(name, self.vars.iter().map(String::as_str))
            .map(str::to_string);
        match own.as_deref().or(nearest) {
            Some(near) => {
                let message = format!("{message}; did you mean `{near}`?");
                self.replace(lint, span, message, Safety::Unsafe, near);
                let defined = self.vars.iter().position(|var| var == near);
                if let (Some(index), Some(found)) = (defined, self.out.last_mut()) {
                    let start = self.rule.vars[index].span.start as usize;
                    let file = found.file;
                    *found =
                        found
                            .clone()
                            .label(file, Span::new(start, start + near.len()), "this one exists");
                }
            }
            None => {
                let help = match lint == rs::RS039 {
                    true => {
                        "cards have .bp, .sp, .name, .type, .subtype, .ability and .controller, \
                         players .hp, .sp, .hand, .deck, .discards and .ring, lists .size and numbers"
                    }
                    false => {
                        "names are this, me, opp, tgt, trigger, attacker, blocker and others in the book, \
                         and your own from `vars = _n := me.sp`"
                    }
                };
                self.help(lint, span, message, help);
            }
        }
    }
}

/// Digits for a number in words.
fn number_word(name: &str) -> Option<&'static str> {
    const WORDS: [(&str, &str); 11] = [
        ("zero", "0"),
        ("one", "1"),
        ("two", "2"),
        ("three", "3"),
        ("four", "4"),
        ("five", "5"),
        ("six", "6"),
        ("seven", "7"),
        ("eight", "8"),
        ("nine", "9"),
        ("ten", "10"),
    ];
    let name = name.to_lowercase();
    let mut words = WORDS.iter();
    words.find(|(word, _)| *word == name).map(|(_, digits)| *digits)
}

/// A place in an expression as a place in the file.
fn within(word: tree::WordSyntax<'_>, span: Span) -> Span {
    let start = word.span.start + span.start.min(offset(word.text.len()));
    let end = word.span.start + span.end.min(offset(word.text.len()));
    Span::between(start, end.max(start))
}

/// An empty place at the end of an expression is shown on its last character.
fn visible(word: tree::WordSyntax<'_>, span: Span) -> Span {
    if span.is_empty() && span.start == word.span.end && !word.text.is_empty() {
        return word.span;
    }
    span
}

pub(super) fn kind_words(kind: WordKind) -> &'static str {
    match kind {
        WordKind::Card => "a card",
        WordKind::Player => "a player",
        WordKind::Cards | WordKind::List => "a list",
        WordKind::Number => "a number",
        WordKind::Truth => "a truth value",
        WordKind::Text => "a text",
        WordKind::Any => "this value",
    }
}

fn lower_first(text: &str) -> String {
    match text.split_at_checked(1) {
        Some((first, rest)) => format!("{}{rest}", first.to_lowercase()),
        None => text.to_string(),
    }
}

/// What an attribute of another kind of value is meant to be asked of.
fn other_kind(of: WordKind, name: &str) -> Option<&'static str> {
    Some(match (of, name) {
        (WordKind::Card, "hp") => "a card has `.bp`; HP are its player's: `.controller.hp`",
        (WordKind::Card, "size") => "this is one card; a list of cards has a size, as `me.ring.size`",
        (WordKind::Card, _) => "this is of players: `.controller` is the card's",
        (WordKind::Player, "size") => "what a player has many of has a size, as `me.ring.size`",
        (WordKind::Player, "bp" | "lastbp") => {
            "players have `.hp` and `.sp`; BP are a character's, as `me.ring.0.bp`"
        }
        (WordKind::Player, _) => "this is of cards; a player's are `.hand`, `.ring`, `.deck` and `.discards`",
        (WordKind::Cards | WordKind::List, "hp" | "hand" | "deck" | "discards" | "removed" | "ring") => {
            "this is of players: `me` and `opp`"
        }
        (WordKind::Cards | WordKind::List, _) => {
            "name one of its elements, as `.0`; for all of them, write `[one.bp for one in me.ring]`"
        }
        (WordKind::Number, "size") => "this is a number already",
        (WordKind::Number | WordKind::Truth | WordKind::Text, _) => "this is of cards, players or lists",
        (WordKind::Any, _) => return None,
    })
}

/// What two kinds of values that are compared should have been.
pub(super) fn meant_of(one: WordKind, other: WordKind) -> Option<&'static str> {
    let is = |kind| one == kind || other == kind;
    let either = |kind, with| one == kind && other == with || one == with && other == kind;
    if either(WordKind::Cards, WordKind::Number) || either(WordKind::List, WordKind::Number) {
        Some("the number of cards is `.size`")
    } else if either(WordKind::Card, WordKind::Number) {
        Some("name what is compared: `.bp`, or `.sp`")
    } else if either(WordKind::Player, WordKind::Number) {
        Some("name what is compared: `.hp`, `.sp`, or `.hand.size`")
    } else if either(WordKind::Number, WordKind::Text) {
        Some("write a number without quotes")
    } else if either(WordKind::Card, WordKind::Text) {
        Some("name what is compared: `.name`, `.type` or `.subtype`")
    } else if either(WordKind::Card, WordKind::Player) {
        Some("whose a card is: `.controller`, or `.owner`")
    } else if is(WordKind::Cards) {
        Some("name one of its elements, as `.0`, or its `.size`")
    } else {
        None
    }
}

/// Whether a name is an attribute that cards have.
fn is_of_card(name: &str) -> bool {
    ["bp", "sp", "name", "subtype", "type"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether something stands between `all`, or `any`, and the ` in ` of its list.
fn is_group_element(text: &str, span: Span) -> bool {
    let (before, behind) = text.split_at(span.start as usize);
    let mut words = before.split(|letter: char| !letter.is_alphanumeric());
    let is_group = words.any(|word| {
        ["all", "any"]
            .iter()
            .any(|group| group.eq_ignore_ascii_case(word))
    });
    is_group && behind.contains(" in ")
}

/// The first text in quotes.
fn quoted(text: &str) -> Option<&str> {
    let open = text.find(['"', '\''])?;
    let mark = &text[open..=open];
    text[open + 1..].split_once(mark).map(|(inner, _)| inner)
}

/// What is gone through, where another kind of value stands.
pub(super) fn list_of(kind: WordKind) -> Option<&'static str> {
    match kind {
        WordKind::Player => {
            Some("a player's lists are `.ring`, `.hand`, `.deck`, `.discards` and `.removed`")
        }
        WordKind::Card => Some("lists of cards are `me.ring`, `opp.ring` and `getTargets('characters')`"),
        WordKind::Number | WordKind::Truth => Some("to repeat something three times, use `range(3)`"),
        WordKind::Cards | WordKind::List | WordKind::Text | WordKind::Any => None,
    }
}

/// How a list of cards is asked for something of its cards.
fn member_of(kind: WordKind) -> Option<&'static str> {
    match kind {
        WordKind::Text => Some(
            "use a target to ask whether there is such a card: \
             `getTargets('\"Crumb\"s@myRing')`, `getTargets('warriors@myRing')`",
        ),
        WordKind::Number => {
            Some("write what is asked of each card in front: `any card.bp == 300 in me.ring`")
        }
        WordKind::Player => Some("whose a card is: `trigger.controller == me`"),
        WordKind::Card | WordKind::Cards | WordKind::List | WordKind::Truth | WordKind::Any => None,
    }
}

/// What is meant by the name of a zone that stands alone in an expression, where it is but a text (D44).
fn zone_named(text: &str) -> Option<&'static str> {
    let mut names = text.split(|letter: char| !letter.is_alphanumeric() && !"_.'\"".contains(letter));
    let zone =
        names.find(|name| super::target::find_zone(name.split('.').next().unwrap_or(name)).is_some())?;
    phrases::of_name(zone.split('.').next().unwrap_or(zone))
}

/// Some of the words that there are of a kind.
fn listed(known: &[String]) -> Option<String> {
    const LISTED: usize = 12;
    let some = known.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>();
    let more = if known.len() > LISTED { " …" } else { "" };
    (!some.is_empty()).then(|| format!("there are {}{more}", some.join(", ")))
}

/// What other languages write in conditions, and what is written here.
fn other_language(text: &str) -> Option<&'static str> {
    let is_not = text
        .match_indices('!')
        .any(|(at, _)| !text[at + 1..].starts_with('='));
    let lower = text.to_ascii_lowercase();
    let has_word = |word: &str| {
        lower
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|one| one == word)
    };
    let has_prefixed_text = ["f\"", "f'"].iter().any(|quote| {
        let mut places = lower.match_indices(quote);
        places.any(|(at, _)| !lower[..at].ends_with(|c: char| c.is_alphanumeric() || "\"'_".contains(c)))
    });
    if ["has", "have", "contains", "contain", "includes", "include"]
        .into_iter()
        .any(has_word)
    {
        Some(
            "use a target to ask whether there is such a card: `[[if getTargets('\"Crumb\"s@myRing')]]`, \
             and for a card that you already have, write `this in me.ring`",
        )
    } else if has_word("between") || text.contains("..") {
        Some("test both ends at once: `1 <= me.hand.size <= 3`")
    } else if text.contains("=>") {
        Some("at least is written `>=`")
    } else if text.contains("=<") {
        Some("at most is written `<=`")
    } else if text.contains("===") || text.contains("!==") {
        Some("`==` asks whether two values are the same, and `!=` whether they differ")
    } else if has_prefixed_text {
        Some("an argument is an expression without quotes and braces, as `damage(this.bp)`")
    } else if text.contains(":=") {
        Some("give names on a line of their own: `vars = _n := me.ring.size`")
    } else if text.contains("++") || text.contains("--") || text.contains("+=") || text.contains("-=") {
        Some("expressions change nothing; effects do, as `sp(+1)` and `hp(-100)`")
    } else if text.contains('?') || has_word("if") && !has_word("else") {
        Some("for one of two values, write `300 if alone else 100`")
    } else if text.contains("&&") {
        Some("conditions are joined by `and`")
    } else if text.contains("||") {
        Some("alternatives are joined by `or`")
    } else if text.contains('@') {
        Some("to ask for targets, write `getTargets('character[frozen]@oppRing')`")
    } else if text.trim_end().to_ascii_lowercase().ends_with(" then") {
        Some("a condition ends with `]]`, without a `then`")
    } else if text.contains(" x ") {
        Some("`*` multiplies: `100 * me.ring.size`")
    } else if text.trim_end().ends_with('%') {
        Some("there are no percentages: half of it is `this.bp / 2`, and `bp(x2)` doubles BP")
    } else if text
        .trim()
        .to_ascii_lowercase()
        .trim_matches('x')
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        && text.contains(['x', 'X'])
    {
        Some("to multiply BP, write `bp(x2)`, with the `x` in front")
    } else if is_not {
        Some("the opposite of a condition is written with `not`")
    } else {
        None
    }
}
