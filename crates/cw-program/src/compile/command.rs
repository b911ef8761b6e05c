//! Calls of commands, and the texts of their arguments (R606–R623, D33, D34).

use std::borrow::Cow;

use cw_formula::WordKind;
use cw_syntax as tree;
use cw_syntax::{ArgForm, Argument, rs};
use cw_text::{Safety, Span, offset};

use super::argument::CommandCall;
use super::expression::{kind_words, list_of, meant_of};
use super::{RuleCompiler, phrases, shorten};
use crate::commands::{ActsOn, ArgKind, Command, CommandName, Signature};
use crate::rule::{
    Amount, CostAmount, EachEffect, EachGroup, FormulaId, NumberArgument, PilePosition, Target,
};
use crate::words::{ClosedWord, Keyword, TypeWord};

impl<'a> RuleCompiler<'a> {
    /// A command with its arguments; `None` is reported and skipped (R609).
    pub(super) fn command(
        &mut self,
        name: tree::WordSyntax<'a>,
        arguments: &[Argument<'a>],
        parentheses: Span,
    ) -> Option<Command> {
        if CommandName::find(name.text).is_none()
            && let Some(meant) = phrases::of_command(name.text)
        {
            let message = format!("unknown command `{}`", shorten(name.text));
            self.help(rs::RS003, name.span, message, meant);
            return None;
        }
        let command: CommandName = self.find(rs::RS003, "command", name)?;
        if !self.count_fits(name, command.signature(), arguments, parentheses) {
            return None;
        }
        Command::read(command, self, &placed(command, arguments, parentheses))
    }

    /// Checks how many arguments a command is given, and reports a wrong number (RS005).
    fn count_fits(
        &mut self,
        name: tree::WordSyntax<'_>,
        signature: &Signature,
        arguments: &[Argument<'_>],
        parentheses: Span,
    ) -> bool {
        let most = signature.arguments.len();
        if (signature.required..=most).contains(&arguments.len()) {
            return true;
        }
        let span = match arguments.get(most..) {
            Some([first, .., last]) => first.text.span.to(last.text.span),
            Some([one]) => one.text.span,
            _ => parentheses,
        };
        let wanted = match (signature.required, most) {
            (_, 0) => "no argument".to_string(),
            (least, most) if least == most => format!("{most} argument{}", if most == 1 { "" } else { "s" }),
            (least, most) => format!("{least} to {most} arguments"),
        };
        let told = format!("`{}` takes {wanted}, not {}", name.text, arguments.len());
        let beyond = arguments.get(most..).unwrap_or_default();
        let names_object = |argument: &&Argument<'_>| {
            matches!(argument.form, ArgForm::Word)
                && (TypeWord::find(argument.text.text).is_some() || argument.text.is("tgt"))
        };
        let aimed = arguments
            .iter()
            .find(|argument| is_aim(argument.text.text))
            .or_else(|| beyond.iter().find(names_object))
            .or_else(|| arguments.iter().find(names_object))
            .filter(|_| arguments.len() > most);
        let timed = arguments.get(most..).unwrap_or_default().iter().find(|argument| {
            let word = argument.text.text;
            ["ueot", "uynt", "unac"]
                .iter()
                .any(|time| word.eq_ignore_ascii_case(time))
        });
        let how_many = beyond
            .iter()
            .find(|argument| matches!(argument.form, ArgForm::Int(2..)) && most == 0);
        let usage = match aimed {
            None if name.is("peek") && !beyond.is_empty() => {
                "to look at the top cards of a deck, write `prophecy(3)`; at a hand, `peek() to(opp)`"
                    .to_owned()
            }
            None if how_many.is_some() && signature.acts_on == ActsOn::Nothing => {
                format!("write it once for each: `{0} & {0}`", signature.usage)
            }
            None if let Some(word) = lost_ability(name, arguments) => format!(
                "to take one that was given, use its sign: `-{word}`; \
                 `loseAbility()` takes what is printed on the card"
            ),
            None if name.is("moveToSlot") => "the player chooses the slot: \
                                              `moveToSlot() to(this)`"
                .to_owned(),
            None if ["true", "false", "on", "off"]
                .iter()
                .any(|truth| beyond.iter().any(|one| one.text.is(truth))) =>
            {
                "one switches a rule on and the other off: `enableRule(attack)`, `disableRule(attack)`"
                    .to_owned()
            }
            None if how_many.is_some() => {
                let number = how_many.map_or("", |number| number.text.text);
                format!(
                    "write how many before the target: `{} to(<{number}>character@oppRing)`",
                    signature.usage
                )
            }
            None if beyond.iter().any(|argument| argument.text.is("random")) => {
                "to discard random cards, write `rndDiscard(1)`; \
                 to choose them, `<r>` in a target: `to(<r>character)`"
                    .to_owned()
            }
            None if most == 1 && !beyond.is_empty() && signature.required == 1 && is_word_kind(signature) => {
                format!(
                    "it takes one; write it for each: `{0}({1}) & {0}({2})`",
                    name.text, arguments[0].text.text, beyond[0].text.text
                )
            }
            None if arguments
                .iter()
                .any(|argument| argument.text.text.contains(['=', ' ']) && most > arguments.len()) =>
            {
                format!("arguments are separated by `,`: `{}`", signature.usage)
            }
            None if timed.is_some() => {
                let time = timed.map_or("", |time| time.text.text);
                format!("write a time after the effect: `{} {time}`", signature.usage)
            }
            Some(_)
                if ["swapchars", "swapabilities"].iter().any(|two| name.is(two))
                    && arguments.len() == 1
                    && !arguments[0].text.text.contains('<') =>
            {
                format!(
                    "it takes two targets: `{0}() to(<2>character@myRing)`, \
                     or `{0}() to(this; ^character@myRing)`",
                    name.text
                )
            }
            Some(aim) => format!("it is written `{} to({})`", signature.usage, aim.text.text),
            None => format!("it is written `{}`", signature.usage),
        };
        self.help(rs::RS005, span, told, usage);
        false
    }

    /// Reports an argument of the wrong kind, with what was probably meant (RS007).
    pub(super) fn wrong_kind<T>(&mut self, argument: &Argument<'_>, kind: ArgKind) -> Option<T> {
        let text = argument.text.text;
        let message = format!("`{}` is not {}", shorten(text), kind.describe());
        if let ArgForm::Quoted(inner) = argument.form
            && !inner.trim().is_empty()
            && kind != ArgKind::Card
        {
            self.replace(
                rs::RS007,
                argument.text.span,
                message,
                Safety::Unsafe,
                inner.trim(),
            );
            self.last_help("write words of the language and numbers without quotes");
            return None;
        }
        let help = if let Some((_, behind)) = text.split_once("getTargets(").filter(|_| text.contains('@')) {
            let filter = behind.split(')').next().unwrap_or_default();
            format!(
                "put the filter of `getTargets` in quotes: `getTargets('{}')`",
                shorten(filter)
            )
        } else if kind == ArgKind::Each {
            "write `=>` between the list and its effects: `each(card in me.ring => hp(card.bp))`".to_owned()
        } else if let (ArgForm::Quoted(name), ArgKind::Card) = (argument.form, kind) {
            format!("to ask for a card, write its name in double quotes: `getTargets('\"{name}\"').0`")
        } else if matches!(
            kind,
            ArgKind::Number | ArgKind::Int | ArgKind::Amount | ArgKind::Sum
        ) && without_quoted(text).contains('@')
        {
            let plural = match text.split_once('@') {
                Some((kind, zone)) if !kind.ends_with(['s', ']', '>']) => format!("{kind}s@{zone}"),
                _ => text.to_owned(),
            };
            format!("how many there are is `getTargets('{}').size`", shorten(&plural))
        } else if is_aim(text) {
            format!("write what an effect acts on after `to`: `to({})`", shorten(text))
        } else if let Some(times) = text.strip_prefix('*').filter(|_| kind == ArgKind::Amount) {
            format!("`x` multiplies: `x{times}`")
        } else if matches!(kind, ArgKind::Position | ArgKind::Reveal)
            && ["top", "bottom"].iter().any(|end| text.eq_ignore_ascii_case(end))
        {
            "places of a pile are numbers: 0 is the top, -1 the bottom".to_owned()
        } else if text.ends_with('%') {
            "there are no percentages: half of it is `this.bp / 2`, and `bp(x2)` doubles BP".to_owned()
        } else {
            match text.strip_prefix('=').filter(|_| kind == ArgKind::Number) {
                Some(number) => format!(
                    "only `bp(=n)` and `sp(=n)` set; otherwise, add or take the difference: \
                     `hp({0} - me.hp) to(me)`, `hp({0} - opp.hp) to(opp)`",
                    number.trim()
                ),
                None => how_written(kind).to_owned(),
            }
        };
        self.help(rs::RS007, argument.text.span, message, help);
        None
    }

    /// A word of a closed set.
    pub(super) fn word<W: ClosedWord>(&mut self, argument: &Argument<'_>, kind: ArgKind) -> Option<W> {
        let found = W::find(argument.text.text);
        if found.is_none() {
            if let ArgForm::Quoted(inner) = argument.form
                && W::find(inner).is_some()
            {
                return self.wrong_kind(argument, kind);
            }
            let known: Vec<&str> = W::ALL.iter().map(|word| word.word()).collect();
            let message = format!("`{}` is not {}", shorten(argument.text.text), kind.describe());
            // `main phase`, `oppDrawPhase`: the phase, without who skips it and without the word.
            let bare = argument.text.text.to_lowercase();
            let bare = bare.strip_suffix("phase").unwrap_or(&bare).trim();
            let bare = ["opp", "my", "next", "their", "the"]
                .iter()
                .fold(bare, |bare, whose| {
                    bare.strip_prefix(whose).unwrap_or(bare).trim()
                });
            if kind == ArgKind::Phase && W::find(bare).is_some() {
                let message = format!("`{}` is not {}", shorten(argument.text.text), kind.describe());
                self.replace(rs::RS007, argument.text.span, message, Safety::Unsafe, bare);
                self.last_help("write who skips it after it: `skip(draw) to(opp)`");
                return None;
            }
            match self.nearest(argument.text.text, known.iter().copied()) {
                Some(near) => {
                    let message = format!("{message}; did you mean `{near}`?");
                    self.replace(rs::RS007, argument.text.span, message, Safety::Unsafe, near);
                }
                None => self.help(
                    rs::RS007,
                    argument.text.span,
                    message,
                    format!("known are {}", known.join(", ")),
                ),
            }
        }
        found
    }

    // ---- Numbers ----

    /// R606: an integer or an expression.
    pub(super) fn number(&mut self, argument: &Argument<'_>) -> Option<NumberArgument> {
        self.number_in(argument, argument.text, ArgKind::Number)
    }

    /// The number `word`, which is the argument or what stands behind its `x` or `=`.
    fn number_in(
        &mut self,
        argument: &Argument<'_>,
        word: tree::WordSyntax<'_>,
        kind: ArgKind,
    ) -> Option<NumberArgument> {
        match argument.form {
            ArgForm::Int(value) => self.literal(value, word).map(NumberArgument::Literal),
            ArgForm::Quoted(_) | ArgForm::Question | ArgForm::Each(_) => self.wrong_kind(argument, kind),
            ArgForm::Word | ArgForm::Text => self.number_text(argument, word, kind),
        }
    }

    fn number_text(
        &mut self,
        argument: &Argument<'_>,
        word: tree::WordSyntax<'_>,
        kind: ArgKind,
    ) -> Option<NumberArgument> {
        if word.is_empty() {
            return self.wrong_kind(argument, kind);
        }
        let digits = without_blanks(word.text);
        if let Ok(value) = digits.parse::<i64>() {
            return self.literal(value, word).map(NumberArgument::Literal);
        }
        if let [b'+' | b'-', b'+' | b'-', ..] = digits.as_bytes() {
            let message = format!("`{}` has two signs", shorten(word.text));
            self.help(rs::RS024, word.span, message, "write one of them");
            return None;
        }
        if is_decimal(&digits) {
            // A decimal number is refused (R117).
            let message = format!("`{}` is not an integer", shorten(word.text));
            let help = "numbers of the game are integers; half of one is `this.bp / 2`";
            self.help(rs::RS024, word.span, message, help);
            return None;
        }
        let starts_oddly = word
            .text
            .starts_with(['=', '<', '@', '^', '!', '*', '/', '&', '|', '>', '%']);
        let is_target = without_quoted(word.text).contains('@');
        if starts_oddly || is_target || is_no_number(word.text) && !self.is_variable(word.text) {
            return self.wrong_kind(argument, kind);
        }
        let expression = self.argument(word);
        if let Some(code) = self.code(expression).filter(|code| code.no_number) {
            let (meant, mends) = (meant_of(code.kind, WordKind::Number), code.mends.clone());
            if self.has_variable(word.text) {
                // What a variable holds matters when the rule runs: what has the wrong type is nil then, and
                // the other effects are done (R1004, R606). So the rule is told, and not refused.
                let message = format!("`{}` is not a number, so this does nothing", shorten(word.text));
                let help = meant.unwrap_or("a number goes here");
                self.help(rs::RS088, word.span, message, help);
                self.mend(word, Span::new(0, word.text.len()), &mends);
                return Some(NumberArgument::Computed(expression));
            }
            let nothing = self.wrong_kind(argument, kind);
            if let Some(meant) = meant {
                self.last_help(meant);
            }
            self.mend(word, Span::new(0, word.text.len()), &mends);
            return nothing;
        }
        let is_compared = self
            .code(expression)
            .is_some_and(|code| code.kind == WordKind::Truth && word.text.contains(['<', '>', '=']));
        if is_compared {
            let message = "a condition counts as 1 where it holds, and as 0 where it does not";
            let help = format!(
                "write a condition before the effects: `[[if {}]] draw(1)`",
                shorten(word.text)
            );
            self.help(rs::RS088, word.span, message, help);
        }
        Some(NumberArgument::Computed(expression))
    }

    fn literal(&mut self, value: i64, word: tree::WordSyntax<'_>) -> Option<i32> {
        let fits = i32::try_from(value).ok();
        if fits.is_none() {
            self.add(rs::RS024, word.span, "this number is too large for the game");
        }
        fits
    }

    pub(super) fn int(&mut self, argument: &Argument<'_>) -> Option<i32> {
        match self.number_in(argument, argument.text, ArgKind::Int)? {
            NumberArgument::Literal(value) => Some(value),
            NumberArgument::Computed(_) => self.wrong_kind(argument, ArgKind::Int),
        }
    }

    /// `n`, `xn`, `=n` and expressions behind them (`bp`, `sp`).
    pub(super) fn amount(&mut self, argument: &Argument<'_>, kind: ArgKind) -> Option<Amount> {
        let text = argument.text.text;
        if let Some(rest) = text.strip_prefix('=') {
            let word = tail(argument.text, rest);
            return self.number_in(argument, word, kind).map(Amount::Set);
        }
        // `x` multiplies only in front of a digit or a parenthesis: `xs.size` is a name.
        if let Some(rest) = text.strip_prefix(['x', 'X'])
            && rest
                .trim_start()
                .starts_with(|first: char| first.is_ascii_digit() || first == '(')
        {
            if kind == ArgKind::Sum {
                self.help(
                    rs::RS007,
                    argument.text.span,
                    "SP cannot be multiplied",
                    "only `bp` takes `xn`",
                );
                return None;
            }
            let word = tail(argument.text, rest);
            return self.number_in(argument, word, kind).map(Amount::Times);
        }
        self.number_in(argument, argument.text, kind).map(Amount::Add)
    }

    pub(super) fn cost_amount(&mut self, argument: &Argument<'_>) -> Option<CostAmount> {
        let (word, set) = match argument.text.text.strip_prefix('=') {
            Some(rest) => (tail(argument.text, rest), true),
            None => (argument.text, false),
        };
        match self.number_in(argument, word, ArgKind::CostAmount)? {
            NumberArgument::Literal(value) if set => Some(CostAmount::Set(value)),
            NumberArgument::Literal(value) => Some(CostAmount::Add(value)),
            NumberArgument::Computed(_) => self.wrong_kind(argument, ArgKind::CostAmount),
        }
    }

    // ---- Expressions and targets ----

    /// An expression that gives a card.
    pub(super) fn card(&mut self, argument: &Argument<'_>) -> Option<FormulaId> {
        match argument.form {
            ArgForm::Word | ArgForm::Text => self.like_card(argument, ArgKind::Card),
            ArgForm::Int(_) | ArgForm::Quoted(_) | ArgForm::Question | ArgForm::Each(_) => {
                self.wrong_kind(argument, ArgKind::Card)
            }
        }
    }

    /// Whether an expression names a variable that the rule's `vars` make.
    fn has_variable(&self, text: &str) -> bool {
        let outside = without_quoted(text);
        let mut names = outside.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        names.any(|name| {
            self.rule
                .vars
                .iter()
                .any(|var| name.eq_ignore_ascii_case(&var.name))
        })
    }

    /// An expression that may give a card, or a list whose first card is meant.
    pub(super) fn like_card(&mut self, argument: &Argument<'_>, kind: ArgKind) -> Option<FormulaId> {
        let expression = self.argument(argument.text);
        match self.code(expression).map_or(WordKind::Any, |code| code.kind) {
            WordKind::Any | WordKind::Card | WordKind::Cards | WordKind::List => Some(expression),
            // As with numbers: nil when the rule runs (R1004).
            _ if self.has_variable(argument.text.text) => {
                let message = format!(
                    "`{}` is not a card, so this does nothing",
                    shorten(argument.text.text)
                );
                self.help(rs::RS088, argument.text.span, message, "a card goes here");
                Some(expression)
            }
            WordKind::Number | WordKind::Truth | WordKind::Text | WordKind::Player => {
                let nothing = self.wrong_kind(argument, kind);
                self.without_attribute(argument.text);
                nothing
            }
        }
    }

    /// Reads a target where the grammar could not know that one stands there.
    pub(super) fn parsed_target(&mut self, word: tree::WordSyntax<'_>) -> Target {
        let arena = self.arena;
        let target = tree::parse_target(arena, self.file, self.text, word.span, self.out);
        self.target(&target)
    }

    /// Compiles `each`: what it goes through, and the effects that it repeats (R622, D30).
    pub(super) fn each(&mut self, argument: &Argument<'a>) -> Option<Box<EachEffect>> {
        let ArgForm::Each(each) = argument.form else {
            return self.wrong_kind(argument, ArgKind::Each);
        };
        let over = if has_in(each.over) {
            let (value, list) = self.group(each.over);
            let kind = self.code(list).map_or(WordKind::Any, |code| code.kind);
            if !matches!(
                kind,
                WordKind::Any | WordKind::Cards | WordKind::List | WordKind::Text
            ) {
                let message = format!("{} is not a list to go through", kind_words(kind));
                self.add(rs::RS007, each.over.span, message).help = list_of(kind).map(str::to_string);
                self.without_attribute(each.over);
            }
            EachGroup::Mapped { value, list }
        } else {
            EachGroup::Found(self.parsed_target(each.over))
        };
        let outer = std::mem::replace(&mut self.in_each, true);
        let body = self.effects(each.effects);
        self.in_each = outer;
        Some(Box::new(EachEffect { over, body }))
    }

    /// Finds the card of an id; reports an id that is malformed or that no card has (RS050).
    pub(super) fn model(&mut self, guid: &str, span: Span) -> Option<crate::rule::ModelId> {
        let found = self.names.model(guid);
        if found.is_none() {
            let digits = guid.bytes().filter(u8::is_ascii_hexdigit).count();
            let formed = digits == 32
                && guid
                    .bytes()
                    .all(|byte| byte.is_ascii_hexdigit() || b"-{}()".contains(&byte));
            if !formed {
                self.help(
                    rs::RS050,
                    span,
                    format!("`{}` is not the id of a card", shorten(guid)),
                    "an id looks like 01234567-89ab-cdef-0123-456789abcdef",
                );
            } else if self.names.is_complete() {
                self.add(rs::RS050, span, "no card has this id");
            }
        }
        found
    }

    // ---- Piles ----

    pub(super) fn pile_argument(&mut self, argument: &Argument<'_>) -> Option<crate::rule::PileRef> {
        if matches!(argument.form, ArgForm::Word) {
            return self.pile(argument.text);
        }
        self.wrong_kind(argument, ArgKind::Pile)
    }

    /// Reads a place in a pile, counted from the top or the bottom, or asked for (R617, GQ44).
    pub(super) fn position(&mut self, argument: &Argument<'_>) -> Option<PilePosition> {
        match argument.form {
            ArgForm::Question => Some(PilePosition::Ask),
            ArgForm::Int(value) => {
                let steps = |value: u64| u16::try_from(value).unwrap_or(u16::MAX);
                Some(if value >= 0 {
                    PilePosition::FromTop(steps(value.unsigned_abs()))
                } else {
                    PilePosition::FromBottom(steps(value.unsigned_abs() - 1))
                })
            }
            ArgForm::Word | ArgForm::Quoted(_) | ArgForm::Each(_) | ArgForm::Text => {
                self.wrong_kind(argument, ArgKind::Position)
            }
        }
    }

    pub(super) fn truth(&mut self, argument: &Argument<'_>) -> Option<bool> {
        if argument.text.is("true") {
            Some(true)
        } else if argument.text.is("false") {
            Some(false)
        } else {
            self.wrong_kind(argument, ArgKind::Reveal)
        }
    }
}

/// The arguments by their places. R617: `moveTo(z, reveal)` leaves the position out.
fn placed<'c, 'a>(
    command: CommandName,
    arguments: &'c [Argument<'a>],
    parentheses: Span,
) -> CommandCall<'c, 'a> {
    let mut placed = [None; 3];
    for (place, argument) in placed.iter_mut().zip(arguments) {
        *place = Some(argument);
    }
    if command == CommandName::MoveTo
        && let [pile, reveal] = arguments
        && matches!(reveal.form, ArgForm::Word)
    {
        placed = [Some(pile), None, Some(reveal)];
    }
    CommandCall {
        arguments: placed,
        parentheses,
    }
}

/// What stands behind a prefix of a word.
fn tail<'w>(word: tree::WordSyntax<'w>, rest: &'w str) -> tree::WordSyntax<'w> {
    let text = rest.trim_start();
    tree::WordSyntax {
        text,
        span: Span::between(word.span.end - offset(text.len()), word.span.end),
    }
}

/// `1.5`, `-.5`, `1e2`: a number, but no integer (R117).
fn is_decimal(text: &str) -> bool {
    let bare = text.trim_start_matches(['+', '-']);
    bare.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && bare
            .bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-'))
        && bare.contains(['.', 'e', 'E'])
        && bare.parse::<f64>().is_ok()
}

/// `loseAbility(pierce)`: the ability that is to be lost.
fn lost_ability(name: tree::WordSyntax<'_>, arguments: &[Argument<'_>]) -> Option<&'static str> {
    let [only] = arguments else { return None };
    let keyword = Keyword::find(only.text.text.trim_matches(['"', '\'']))?;
    name.is("loseAbility").then(|| keyword.word())
}

/// A text without what stands in quotes in it.
fn without_quoted(text: &str) -> Cow<'_, str> {
    if !text.contains(['"', '\'']) {
        return Cow::Borrowed(text);
    }
    let mut open = None;
    let outside = text.chars().filter(|letter| match open {
        None if matches!(letter, '"' | '\'') => {
            open = Some(*letter);
            false
        }
        None => true,
        Some(mark) => {
            if *letter == mark {
                open = None;
            }
            false
        }
    });
    Cow::Owned(outside.collect())
}

/// A number as people write it: `- 300`.
pub(super) fn without_blanks(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_whitespace) {
        Cow::Owned(text.split_whitespace().collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// How an argument of a kind is written, by examples.
fn how_written(kind: ArgKind) -> &'static str {
    match kind {
        ArgKind::Card => "a card is `trigger`, `tgt.0`, or `getTargets('\"Crumb\"').0`",
        ArgKind::Number => "a number is `2`, or is computed: `draw(me.ring.size)`, `damage(this.bp / 2)`",
        ArgKind::Int => "it is written in digits, as `2`",
        ArgKind::Amount => {
            "`bp(+100)` adds, `bp(x2)` multiplies, `bp(=500)` sets; to take half, write `bp(-this.bp / 2)`"
        }
        ArgKind::Sum => "`sp(+3)` adds, `sp(-3)` takes, `sp(=0)` sets",
        ArgKind::CostAmount => "`+1` makes it one SP cheaper, `-1` one SP more expensive, `=0` sets the cost",
        ArgKind::CostKind => "`alterCost(action, +1)` makes actions cheaper by one SP",
        ArgKind::Discard => {
            "`discard(2)` lets the player choose two, `discard(character)` a kind, `discard(all)` all cards"
        }
        ArgKind::Target => "a target is `character@oppRing`, `<2>character`, `characters@myRing`",
        ArgKind::Each => {
            "`each(card in me.ring => draw(1))` goes through a list, \
             `each(characters => bp(+100))` through targets"
        }
        ArgKind::Pile => {
            "piles are `hand`, `oppDeck`, `ctrlDiscards`: \
             a place in it is the next argument, 0 the top, -1 the bottom"
        }
        ArgKind::PileName => "the targets say whose pile it is: `reveal(hand) to(opp)`",
        ArgKind::Position => "places of a pile are numbers: 0 is the top, -1 the bottom, `?` asks the player",
        ArgKind::Reveal => {
            "the third argument says whether the card is shown: \
             `moveTo(hand, 0, true)`; `& shuffle()` after it shuffles"
        }
        ArgKind::Flag => "`disableRule(attack)` forbids all attacks; the book lists the rules of the game",
        ArgKind::FlagValue => "`modRule(play_char_bp_limit, 700)`; the other rules are `true` or `false`",
        ArgKind::Phase => {
            "`skip(draw) to(opp)`; phases are activate, draw, main, attack, counter-attack, end"
        }
        ArgKind::View => "`pileView(myDiscards, expanded)`",
        ArgKind::Toggle => {
            "`freeze()` freezes, `freeze(toggle)` toggles; \
             write the target after it: `freeze() to(character)`"
        }
        ArgKind::End => "`prophecy(3, top)`; write whose deck it is after it: `prophecy(3) to(opp)`",
        ArgKind::Model => {
            "`transform(trigger)` copies a card, `transform(\"…\")` takes a card's id in double quotes"
        }
    }
}

/// Whether a command takes one word of a closed set.
fn is_word_kind(signature: &Signature) -> bool {
    let closed = [ArgKind::Flag, ArgKind::Phase, ArgKind::Pile, ArgKind::PileName];
    signature.arguments.iter().all(|kind| closed.contains(kind))
}

/// Words of the language that are never numbers.
fn is_no_number(text: &str) -> bool {
    let known: &[&str] = match text.len() {
        2 => &["me"],
        3 => &["opp", "all"],
        4 => &["this", "true"],
        5 => &["false"],
        6 => &["player"],
        7 => &["players"],
        9 => &["character"],
        10 => &["characters"],
        _ => &[],
    };
    known.iter().any(|word| text.eq_ignore_ascii_case(word)) || super::target::find_zone(text).is_some()
}

/// Whether there is an `in` at the top level (R1020, D30); otherwise it is a target.
fn has_in(over: tree::WordSyntax<'_>) -> bool {
    let tokens = tree::tokens(over.text);
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        if over.text[token.span().range()].eq_ignore_ascii_case("in") {
            return true;
        }
        at = match token.mate {
            tree::RuleToken::ALONE => at + 1,
            mate if mate as usize > at => mate as usize + 1,
            _ => at + 1,
        };
    }
    false
}

/// Whether this names whom a command is for: a player, or cards in a zone.
fn is_aim(text: &str) -> bool {
    let players = ["me", "opp", "players"];
    players.iter().any(|player| text.eq_ignore_ascii_case(player)) || without_quoted(text).contains('@')
}
