//! Commands and their arguments (R606–R623, D33, D34).

use std::borrow::Cow;

use cw_formula::Kind;
use cw_syntax as tree;
use cw_syntax::{ArgForm, Argument, rs};
use cw_text::{Safety, Span, offset};

use super::expression::kind_words;
use super::target::{any_cards, exactly};
use super::{Compiler, shorten};
use crate::commands::{ArgKind, Signature};
use crate::rule::{
    Amount, Command, CostAmount, Each, Expr, Group, Number, Position, Quantity, RuleValue, Target, Transform,
    Whose, Zone,
};
use crate::words::{CommandName, PhaseName, PileName, PileViewState, RuleFlag, Word};

impl<'a> Compiler<'a> {
    /// A command with its arguments; `None` is reported and skipped (R609).
    pub(super) fn command(
        &mut self,
        name: tree::Word<'a>,
        arguments: &[Argument<'a>],
        parentheses: Span,
    ) -> Option<Command> {
        let command: CommandName = self.find(rs::RS003, "command", name)?;
        let signature = command.signature();
        if !self.count_fits(name, signature, arguments, parentheses) {
            return None;
        }
        match command {
            CommandName::Activate => Some(Command::Activate(self.card(&arguments[0])?)),
            CommandName::AlterCost => {
                let kind = self.word(&arguments[0], ArgKind::CostKind);
                let amount = self.cost_amount(&arguments[1]);
                Some(Command::AlterCost(kind?, amount?))
            }
            CommandName::Bp => Some(Command::Bp(self.amount(&arguments[0], ArgKind::Amount)?)),
            CommandName::Clear => Some(Command::Clear),
            CommandName::CopyAbility => Some(Command::CopyAbility(self.card(&arguments[0])?)),
            CommandName::Damage => Some(Command::Damage(self.number(&arguments[0])?)),
            CommandName::Destroy => Some(Command::Destroy),
            CommandName::DisableRule => self.switch(&arguments[0], false),
            CommandName::Discard => {
                let target = self.discard(arguments.first(), parentheses)?;
                Some(Command::Discard(Box::new(target)))
            }
            CommandName::Draw => Some(Command::Draw(self.number_or_one(arguments.first())?)),
            CommandName::Each => self.each(&arguments[0]),
            CommandName::EnableRule => self.switch(&arguments[0], true),
            CommandName::Freeze => self.freeze(arguments.first()),
            CommandName::Hp => Some(Command::Hp(self.number(&arguments[0])?)),
            CommandName::LoseAbility => Some(Command::LoseAbility),
            CommandName::LoseLife => Some(Command::LoseLife(self.number(&arguments[0])?)),
            CommandName::ModCost => {
                let kind = self.word(&arguments[0], ArgKind::CostKind);
                let number = self.number(&arguments[1]);
                Some(Command::ModCost(kind?, number?))
            }
            CommandName::ModDamage => Some(Command::ModDamage(self.number(&arguments[0])?)),
            CommandName::ModRule => self.mod_rule(&arguments[0], &arguments[1]),
            CommandName::MovePile => {
                let (from, to) = (
                    self.pile_argument(&arguments[0]),
                    self.pile_argument(&arguments[1]),
                );
                Some(Command::MovePile(from?, to?))
            }
            CommandName::MoveRevealedTo => {
                let pile = self.pile_argument(&arguments[0]);
                let position = match arguments.get(1) {
                    Some(argument) => self.position(argument),
                    None => Some(Position::FromTop(0)),
                };
                Some(Command::MoveRevealedTo(pile?, position?))
            }
            CommandName::MoveTo => self.move_to(arguments),
            CommandName::MoveToSlot => Some(Command::MoveToSlot),
            CommandName::Peek => Some(Command::Peek),
            CommandName::PileView => {
                let pile = self.pile_argument(&arguments[0]);
                let view: Option<PileViewState> = self.word(&arguments[1], ArgKind::View);
                Some(Command::PileView(pile?, view?))
            }
            CommandName::PlayExtraChar => Some(Command::PlayExtraChar),
            CommandName::Prophecy => self.prophecy(arguments),
            CommandName::RemoveFromAttack => Some(Command::RemoveFromAttack),
            CommandName::Reveal => self.reveal(arguments.first()),
            CommandName::RndDiscard => self.random_discard(arguments.first(), parentheses),
            CommandName::Shuffle => self.shuffle(arguments.first()),
            CommandName::Skip => {
                let phase: PhaseName = self.word(&arguments[0], ArgKind::Phase)?;
                Some(Command::Skip(phase))
            }
            CommandName::Sp => Some(Command::Sp(self.amount(&arguments[0], ArgKind::Sum)?)),
            CommandName::Steal => {
                let target = arguments
                    .first()
                    .map(|argument| Box::new(self.target_argument(argument)));
                Some(Command::Steal(target))
            }
            CommandName::SwapAbilities => Some(Command::SwapAbilities),
            CommandName::SwapChars => Some(Command::SwapChars),
            CommandName::SwapPiles => {
                let (first, second) = (
                    self.pile_argument(&arguments[0]),
                    self.pile_argument(&arguments[1]),
                );
                Some(Command::SwapPiles(first?, second?))
            }
            CommandName::Transform => self.transform(&arguments[0]),
            CommandName::Trash => Some(Command::Trash(self.number_or_one(arguments.first())?)),
            CommandName::Turns => Some(Command::Turns(self.number(&arguments[0])?)),
            CommandName::Unfreeze => Some(Command::Unfreeze),
            CommandName::Unite => Some(Command::Unite),
        }
    }

    /// RS005.
    fn count_fits(
        &mut self,
        name: tree::Word<'_>,
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
        self.help(
            rs::RS005,
            span,
            format!("`{}` takes {wanted}, not {}", name.text, arguments.len()),
            format!("it is written `{}`", signature.usage),
        );
        false
    }

    /// RS007.
    fn wrong_kind<T>(&mut self, argument: &Argument<'_>, kind: ArgKind) -> Option<T> {
        let message = format!("`{}` is not {}", shorten(argument.text.text), kind.describe());
        self.add(rs::RS007, argument.text.span, message);
        None
    }

    /// A word of a closed set.
    fn word<W: Word>(&mut self, argument: &Argument<'_>, kind: ArgKind) -> Option<W> {
        let found = W::find(argument.text.text);
        if found.is_none() {
            let known: Vec<&str> = W::ALL.iter().map(|word| word.word()).collect();
            let message = format!("`{}` is not {}", shorten(argument.text.text), kind.describe());
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
    fn number(&mut self, argument: &Argument<'_>) -> Option<Number> {
        self.number_in(argument, argument.text, ArgKind::Number)
    }

    fn number_or_one(&mut self, argument: Option<&Argument<'_>>) -> Option<Number> {
        argument.map_or(Some(Number::Literal(1)), |argument| self.number(argument))
    }

    /// The number `word`, which is the argument or what stands behind its `x` or `=`.
    fn number_in(&mut self, argument: &Argument<'_>, word: tree::Word<'_>, kind: ArgKind) -> Option<Number> {
        match argument.form {
            ArgForm::Int(value) => self.literal(value, word).map(Number::Literal),
            ArgForm::Quoted(_) | ArgForm::Question | ArgForm::Each(_) => self.wrong_kind(argument, kind),
            ArgForm::Word | ArgForm::Text => self.number_text(argument, word, kind),
        }
    }

    fn number_text(
        &mut self,
        argument: &Argument<'_>,
        word: tree::Word<'_>,
        kind: ArgKind,
    ) -> Option<Number> {
        if word.is_empty() {
            return self.wrong_kind(argument, kind);
        }
        let digits = without_blanks(word.text);
        if let Ok(value) = digits.parse::<i64>() {
            return self.literal(value, word).map(Number::Literal);
        }
        if let [b'+' | b'-', b'+' | b'-', ..] = digits.as_bytes() {
            let message = format!("`{}` has two signs", shorten(word.text));
            self.help(rs::RS024, word.span, message, "write one of them");
            return None;
        }
        if is_decimal(&digits) {
            // R117.
            let message = format!("`{}` is not an integer", shorten(word.text));
            self.help(rs::RS024, word.span, message, "numbers of the game are integers");
            return None;
        }
        let starts_oddly = word
            .text
            .starts_with(['=', '<', '@', '^', '!', '*', '/', '&', '|', '>', '%']);
        if starts_oddly || word.text.contains('@') || is_no_number(word.text) && !self.is_variable(word.text)
        {
            return self.wrong_kind(argument, kind);
        }
        let expression = self.argument(word);
        if self.code(expression).is_some_and(|code| code.no_number) {
            return self.wrong_kind(argument, kind);
        }
        Some(Number::Computed(expression))
    }

    fn literal(&mut self, value: i64, word: tree::Word<'_>) -> Option<i32> {
        let fits = i32::try_from(value).ok();
        if fits.is_none() {
            self.add(rs::RS024, word.span, "this number is too large for the game");
        }
        fits
    }

    fn int(&mut self, argument: &Argument<'_>) -> Option<i32> {
        match self.number_in(argument, argument.text, ArgKind::Int)? {
            Number::Literal(value) => Some(value),
            Number::Computed(_) => self.wrong_kind(argument, ArgKind::Int),
        }
    }

    /// `n`, `xn`, `=n` and expressions behind them (`bp`, `sp`).
    fn amount(&mut self, argument: &Argument<'_>, kind: ArgKind) -> Option<Amount> {
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

    fn cost_amount(&mut self, argument: &Argument<'_>) -> Option<CostAmount> {
        let (word, set) = match argument.text.text.strip_prefix('=') {
            Some(rest) => (tail(argument.text, rest), true),
            None => (argument.text, false),
        };
        match self.number_in(argument, word, ArgKind::CostAmount)? {
            Number::Literal(value) if set => Some(CostAmount::Set(value)),
            Number::Literal(value) => Some(CostAmount::Add(value)),
            Number::Computed(_) => self.wrong_kind(argument, ArgKind::CostAmount),
        }
    }

    // ---- Expressions and targets ----

    /// An expression that gives a card.
    fn card(&mut self, argument: &Argument<'_>) -> Option<Expr> {
        match argument.form {
            ArgForm::Word | ArgForm::Text => Some(self.argument(argument.text)),
            ArgForm::Int(_) | ArgForm::Quoted(_) | ArgForm::Question | ArgForm::Each(_) => {
                self.wrong_kind(argument, ArgKind::Card)
            }
        }
    }

    fn target_argument(&mut self, argument: &Argument<'_>) -> Target {
        self.parsed_target(argument.text)
    }

    /// Reads a target where the grammar could not know that one stands there.
    fn parsed_target(&mut self, word: tree::Word<'_>) -> Target {
        let arena = self.arena;
        let target = tree::parse_target(arena, self.file, self.text, word.span, self.out);
        self.target(&target)
    }

    /// R621, D33. The zone is forced to the hand of the player who discards.
    fn discard(&mut self, argument: Option<&Argument<'_>>, parentheses: Span) -> Option<Target> {
        let Some(argument) = argument else {
            return Some(any_cards(Quantity::Default, parentheses));
        };
        let mut target = match argument.form {
            ArgForm::Int(value) => {
                let Some(count) = u16::try_from(value).ok() else {
                    return self.wrong_kind(argument, ArgKind::Discard);
                };
                any_cards(exactly(count), argument.text.span)
            }
            ArgForm::Question | ArgForm::Each(_) => return self.wrong_kind(argument, ArgKind::Discard),
            ArgForm::Word | ArgForm::Quoted(_) | ArgForm::Text => self.target_argument(argument),
        };
        target.zone = Zone::MY_HAND;
        Some(target)
    }

    fn random_discard(&mut self, argument: Option<&Argument<'_>>, parentheses: Span) -> Option<Command> {
        let count = match argument {
            None => 1,
            Some(argument) => match u16::try_from(self.int(argument)?) {
                Ok(count) => count,
                Err(_) => return self.wrong_kind(argument, ArgKind::Int),
            },
        };
        let span = argument.map_or(parentheses, |argument| argument.text.span);
        Some(Command::Discard(Box::new(any_cards(
            Quantity::Random(count),
            span,
        ))))
    }

    /// R622, D30.
    fn each(&mut self, argument: &Argument<'a>) -> Option<Command> {
        let ArgForm::Each(each) = argument.form else {
            return self.wrong_kind(argument, ArgKind::Each);
        };
        let over = if has_in(each.over) {
            let (value, list) = self.group(each.over);
            let kind = self.code(list).map_or(Kind::Any, |code| code.kind);
            if !matches!(kind, Kind::Any | Kind::Cards | Kind::Text) {
                let message = format!("{} is no list to go through", kind_words(kind));
                self.add(rs::RS007, each.over.span, message);
            }
            Group::Mapped { value, list }
        } else {
            Group::Found(self.parsed_target(each.over))
        };
        let body = self.effects(each.effects);
        Some(Command::Each(Box::new(Each { over, body })))
    }

    fn transform(&mut self, argument: &Argument<'_>) -> Option<Command> {
        let model = match argument.form {
            ArgForm::Quoted(guid) => Transform::Model(self.model(guid, argument.text.span)),
            ArgForm::Word | ArgForm::Text => Transform::Like(self.argument(argument.text)),
            ArgForm::Int(_) | ArgForm::Question | ArgForm::Each(_) => {
                return self.wrong_kind(argument, ArgKind::Model);
            }
        };
        Some(Command::Transform(model))
    }

    /// RS050.
    fn model(&mut self, guid: &str, span: Span) -> Option<crate::rule::ModelId> {
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

    fn pile_argument(&mut self, argument: &Argument<'_>) -> Option<crate::rule::Pile> {
        if matches!(argument.form, ArgForm::Word) {
            return self.pile(argument.text);
        }
        self.wrong_kind(argument, ArgKind::Pile)
    }

    /// R617, GQ44.
    fn position(&mut self, argument: &Argument<'_>) -> Option<Position> {
        match argument.form {
            ArgForm::Question => Some(Position::Ask),
            ArgForm::Int(value) => {
                let steps = |value: u64| u16::try_from(value).unwrap_or(u16::MAX);
                Some(if value >= 0 {
                    Position::FromTop(steps(value.unsigned_abs()))
                } else {
                    Position::FromBottom(steps(value.unsigned_abs() - 1))
                })
            }
            ArgForm::Word | ArgForm::Quoted(_) | ArgForm::Each(_) | ArgForm::Text => {
                self.wrong_kind(argument, ArgKind::Position)
            }
        }
    }

    /// `moveTo(z)`, `moveTo(z, pos)`, `moveTo(z, reveal)`, `moveTo(z, pos, reveal)` (R617).
    fn move_to(&mut self, arguments: &[Argument<'_>]) -> Option<Command> {
        let pile = self.pile_argument(&arguments[0]);
        let (position, reveal) = match arguments {
            [_, second] if matches!(second.form, ArgForm::Word) => (None, Some(second)),
            [_, second] => (Some(second), None),
            [_, second, third] => (Some(second), Some(third)),
            _ => (None, None),
        };
        let position = match position {
            Some(argument) => self.position(argument)?,
            None => Position::FromTop(0),
        };
        let reveal = match reveal {
            Some(argument) => Some(self.truth(argument)?),
            None => None,
        };
        Some(Command::MoveTo {
            pile: pile?,
            position,
            reveal,
        })
    }

    fn truth(&mut self, argument: &Argument<'_>) -> Option<bool> {
        if argument.text.is("true") {
            Some(true)
        } else if argument.text.is("false") {
            Some(false)
        } else {
            self.wrong_kind(argument, ArgKind::Reveal)
        }
    }

    fn prophecy(&mut self, arguments: &[Argument<'_>]) -> Option<Command> {
        let number = self.number_or_one(arguments.first())?;
        let end = match arguments.get(1) {
            None => None,
            Some(end) if end.text.is("top") => Some(Position::FromTop(0)),
            Some(end) if end.text.is("bottom") => Some(Position::FromBottom(0)),
            Some(end) => return self.wrong_kind(end, ArgKind::End),
        };
        Some(Command::Prophecy(number, end))
    }

    fn reveal(&mut self, argument: Option<&Argument<'_>>) -> Option<Command> {
        let Some(argument) = argument else {
            return Some(Command::Reveal);
        };
        if !matches!(argument.form, ArgForm::Word) {
            return self.wrong_kind(argument, ArgKind::PileName);
        }
        let (whose, name) = self.pile_word(argument.text)?;
        if whose.is_some() {
            self.replace(
                rs::RS012,
                argument.text.span,
                "the targets say whose pile is shown",
                Safety::Unsafe,
                name.word(),
            );
            return None;
        }
        Some(Command::RevealPile(name))
    }

    fn shuffle(&mut self, argument: Option<&Argument<'_>>) -> Option<Command> {
        let Some(argument) = argument else {
            return Some(Command::Shuffle(None, PileName::Deck));
        };
        if !matches!(argument.form, ArgForm::Word) {
            return self.wrong_kind(argument, ArgKind::Pile);
        }
        let (whose, name): (Option<Whose>, PileName) = self.pile_word(argument.text)?;
        Some(Command::Shuffle(whose, name))
    }

    // ---- The rest ----

    fn switch(&mut self, argument: &Argument<'_>, on: bool) -> Option<Command> {
        let flag: RuleFlag = self.word(argument, ArgKind::Flag)?;
        if flag == RuleFlag::PlayCharBpLimit {
            self.help(
                rs::RS007,
                argument.text.span,
                "`play_char_bp_limit` is a number",
                "write `modRule(play_char_bp_limit, n)`",
            );
            return None;
        }
        Some(Command::SetRule(flag, RuleValue::Bool(on)))
    }

    fn mod_rule(&mut self, flag: &Argument<'_>, value: &Argument<'_>) -> Option<Command> {
        let flag: RuleFlag = self.word(flag, ArgKind::Flag)?;
        let value = if flag == RuleFlag::PlayCharBpLimit {
            RuleValue::Limit(self.int(value)?)
        } else {
            match value.form {
                ArgForm::Int(number @ (0 | 1)) => RuleValue::Bool(number == 1),
                ArgForm::Int(_)
                | ArgForm::Word
                | ArgForm::Quoted(_)
                | ArgForm::Question
                | ArgForm::Each(_)
                | ArgForm::Text => RuleValue::Bool(self.truth(value)?),
            }
        };
        Some(Command::SetRule(flag, value))
    }

    /// R610, section 6: with an argument it toggles, but `freeze(false)` freezes.
    fn freeze(&mut self, argument: Option<&Argument<'_>>) -> Option<Command> {
        let toggle = match argument {
            None => false,
            Some(argument) => match argument.form {
                ArgForm::Word if argument.text.is("false") || argument.text.is("nil") => false,
                ArgForm::Word if argument.text.is("true") || argument.text.is("toggle") => true,
                ArgForm::Int(value) => value != 0,
                ArgForm::Word | ArgForm::Quoted(_) | ArgForm::Question | ArgForm::Each(_) | ArgForm::Text => {
                    return self.wrong_kind(argument, ArgKind::Toggle);
                }
            },
        };
        Some(Command::Freeze { toggle })
    }
}

/// What stands behind a prefix of a word.
fn tail<'w>(word: tree::Word<'w>, rest: &'w str) -> tree::Word<'w> {
    let text = rest.trim_start();
    tree::Word {
        text,
        span: Span {
            start: word.span.end - offset(text.len()),
            end: word.span.end,
        },
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

/// A number as people write it: `- 300`.
pub(super) fn without_blanks(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_whitespace) {
        Cow::Owned(text.split_whitespace().collect())
    } else {
        Cow::Borrowed(text)
    }
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
fn has_in(over: tree::Word<'_>) -> bool {
    let tokens = tree::tokens(over.text);
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        if over.text[token.span().range()].eq_ignore_ascii_case("in") {
            return true;
        }
        at = match token.mate {
            tree::Token::ALONE => at + 1,
            mate if mate as usize > at => mate as usize + 1,
            _ => at + 1,
        };
    }
    false
}
