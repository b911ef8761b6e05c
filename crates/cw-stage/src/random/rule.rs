//! Rule texts: one function for each part of the grammar (section 2 of the language).
//!
//! A rule likes to say again what it has found before: targets, results and variables are referred to
//! after shuffles, moves and draws, where references go wrong first.

use cw_duel::AbilityKind;
use cw_program::{CardType, ClosedWord, EventKind, EventName, FilterFlag, Keyword, PhaseName, RuleFlag};

use super::bytes::ByteSource;
use super::names::{SUBTYPES, guid, name};

/// The rule of a card; empty for a plain one.
pub(crate) fn text(
    bytes: &mut ByteSource<'_>,
    card_type: CardType,
    kind: Option<AbilityKind>,
    cards: usize,
) -> String {
    let mut writer = RuleWriter {
        bytes,
        cards,
        variables: false,
        has_target: false,
    };
    match (card_type, kind) {
        (CardType::Character, None) => String::new(),
        (CardType::Character, Some(AbilityKind::Auto)) => writer.auto_rule(),
        (CardType::Character, Some(AbilityKind::Triggered)) => writer.action_rule(true),
        (CardType::Character, Some(AbilityKind::Instant)) | (CardType::Action | CardType::Reaction, _) => {
            writer.action_rule(false)
        }
    }
}

struct RuleWriter<'a, 'b> {
    bytes: &'a mut ByteSource<'b>,
    /// Cards of the game.
    cards: usize,
    /// The rule has variables `_a` and `_b`.
    variables: bool,
    /// The rule has a `target`.
    has_target: bool,
}

impl RuleWriter<'_, '_> {
    fn one(&mut self, words: &[&'static str]) -> &'static str {
        self.bytes.pick::<&'static str>(words)
    }

    fn word<T: ClosedWord>(&mut self) -> &'static str {
        self.bytes.pick(T::ALL).word()
    }

    fn action_rule(&mut self, triggered: bool) -> String {
        let mut lines = Vec::new();
        if self.bytes.percent(40) {
            let optional = if self.bytes.percent(20) { "?" } else { "" };
            lines.push(format!("target{optional} = {}", self.target()));
            self.has_target = true;
        }
        if self.bytes.percent(10) {
            lines.push(format!("requisite = {}", self.cards_in_sight()));
        }
        if self.bytes.percent(25) {
            self.variables = true;
            lines.push(format!("vars = _a := {}; _b := {}", self.value(), self.number()));
        }
        let actions = if self.bytes.percent(10) { 2 } else { 1 };
        for _ in 0..actions {
            let costs = if triggered || self.bytes.percent(20) {
                self.costs(triggered)
            } else {
                String::new()
            };
            lines.push(format!("action = {costs}{}", self.statements()));
        }
        if !triggered && self.bytes.percent(25) {
            lines.push(format!("auto = {}", self.event_auto(true)));
        }
        lines.join("\n")
    }

    fn auto_rule(&mut self) -> String {
        let mut lines = Vec::new();
        if self.bytes.percent(25) {
            lines.push(format!("abilities = {}", self.word::<Keyword>()));
        }
        let auto = match self.bytes.below(8) {
            0..=4 => self.event_auto(false),
            5 => format!("[[if {}]] {}", self.plain_condition(), self.continuous()),
            6 => self.hook(),
            _ => self.statements(), // once, on entering
        };
        lines.push(format!("auto = {auto}"));
        lines.join("\n")
    }

    /// Writes the effect of a continuous auto: a character's ability that is added or removed (D24).
    fn continuous(&mut self) -> String {
        let sign = if self.bytes.percent(20) { "-" } else { "+" };
        let keyword = self.card_keyword();
        let to = if self.bytes.percent(30) {
            " to(characters@myRing)"
        } else {
            ""
        };
        format!("{sign}{keyword}{to}")
    }

    /// A keyword of cards; the last two of the list are of players.
    fn card_keyword(&mut self) -> &'static str {
        let of_cards = Keyword::ALL.len() - 2;
        self.bytes.pick(&Keyword::ALL[..of_cards]).word()
    }

    fn event_auto(&mut self, once: bool) -> String {
        let events: Vec<EventName> = events_of(EventKind::Event);
        let event = *self.bytes.pick(&events);
        let prefix = self.one(&["my", "opp", "any", ""]);
        let suffix = if once {
            ":once"
        } else {
            match event.form().object {
                Some(_) => self.one(&[":this", ":any", ":fromThis", ""]),
                None => self.one(&["", "", ":once"]),
            }
        };
        let condition = if self.bytes.percent(20) {
            format!("[[if {}]] ", self.condition())
        } else {
            String::new()
        };
        let prefix = if event.form().object.is_some() { "" } else { prefix };
        format!(
            "~{prefix}{}{suffix}~ {condition}{}",
            event.word(),
            self.statement_body(2)
        )
    }

    /// D18: only conditions run in queries.
    fn hook(&mut self) -> String {
        let events = [events_of(EventKind::Query), events_of(EventKind::Hook)].concat();
        let event = *self.bytes.pick(&events);
        let prefix = match event.form().object {
            Some(_) => "",
            None => self.one(&["my", "opp", "any"]),
        };
        let suffix = if event.form().object.is_some() {
            self.one(&[":this", ":any"])
        } else {
            ""
        };
        let mark = format!("?{prefix}{}{suffix}?", event.word());
        match event {
            EventName::BeforePayCostCharacter => format!("{mark} modCost(character, {})", self.small()),
            EventName::BeforePayCostAction => format!("{mark} modCost(action, {})", self.small()),
            EventName::BeforePayCostReaction => format!("{mark} modCost(reaction, {})", self.small()),
            EventName::BeforePayCostUa2 => format!("{mark} modCost(ua2, {})", self.small()),
            EventName::BeforePayCostUa3 => format!("{mark} modCost(ua3, {})", self.small()),
            EventName::BeforeDamage => format!("{mark} modDamage({})", self.hundreds()),
            _ => format!("{mark} [[if {}]]", self.plain_condition()),
        }
    }

    fn costs(&mut self, triggered: bool) -> String {
        let costs = if triggered {
            self.one(&["{F}", "{F}", "{S}", "{D}{F}", "{S(^character)}{F}", "{D(<r>)}{F}"])
        } else {
            self.one(&["{D}", "{D(character)}", "{D(<r>)}", "{D(<**>)}", "{S}"])
        };
        format!("{costs}: ")
    }

    fn statements(&mut self) -> String {
        let count = 1 + self.bytes.below(3);
        let statements: Vec<String> = (0..count).map(|_| self.statement()).collect();
        statements.join("; ")
    }

    fn statement(&mut self) -> String {
        match self.bytes.below(10) {
            0 => format!("[[may]] {}", self.statement_body(2)),
            1 => format!("[[if {}]] {}", self.condition(), self.statement_body(2)),
            2 => {
                let (condition, then) = (self.condition(), self.statement_body(1));
                format!("[[if {condition}]] {then} [[else]] {}", self.statement_body(1))
            }
            3 => self.each(),
            _ => self.statement_body(2),
        }
    }

    fn each(&mut self) -> String {
        let list = self.one(&["me.ring", "opp.ring", "me.hand", "me.discards", "opp.discards"]);
        let effect = self.one(&[
            "draw()",
            "sp(+1)",
            "hp(-100)",
            "loseLife(100)",
            "bp(+100)",
            "trash(1)",
            "hp(-card.bp / 2)",
            "freeze()",
        ]);
        let value = self.one(&["card", "char", "card.bp >= 300", "(action or reaction)"]);
        format!("each({value} in {list} => {effect})")
    }

    /// Effects on one kind of target, their target, and for how long.
    fn statement_body(&mut self, most: usize) -> String {
        let count = 1 + self.bytes.below(most);
        let joiner = self.one(&[" & ", " & ", " && ", " || "]);
        match self.bytes.below(10) {
            0..=2 => {
                let effects = self.several(count, joiner, RuleWriter::player_effect);
                let to = self.one(&["", "", " to(opp)", " to(me)", " to(players)", " to(player)"]);
                format!("{effects}{to}")
            }
            3..=6 => {
                let effects = self.several(count, joiner, RuleWriter::card_effect);
                format!("{effects}{}", self.at_cards())
            }
            7..=8 => {
                let effects = self.several(count, joiner, RuleWriter::ring_effect);
                let restriction = if is_timed(&effects) {
                    self.restriction()
                } else {
                    ""
                };
                format!("{effects}{}{restriction}", self.at_ring())
            }
            _ => {
                let effect = self.game_effect();
                let restriction = if is_timed(&effect) { self.restriction() } else { "" };
                format!("{effect}{restriction}")
            }
        }
    }

    fn several(&mut self, count: usize, joiner: &str, mut make: impl FnMut(&mut Self) -> String) -> String {
        let effects: Vec<String> = (0..count).map(|_| make(self)).collect();
        effects.join(joiner)
    }

    fn player_effect(&mut self) -> String {
        let optional = if self.bytes.percent(10) { "?" } else { "" };
        match self.bytes.below(12) {
            0..=1 => format!("draw{optional}({})", 1 + self.bytes.below(3)),
            2 => format!(
                "discard{optional}({})",
                self.one(&["", "1", "2", "<r>", "<1>character", "<**>", "all"])
            ),
            3 => format!("hp({})", self.hundreds()),
            4 => format!("loseLife({})", self.positive()),
            5 => format!("sp({})", self.small()),
            6 => format!("damage({})", self.positive()),
            7 => format!("trash({})", 1 + self.bytes.below(3)),
            8 => format!("rndDiscard({})", 1 + self.bytes.below(2)),
            _ => format!(
                "shuffle{optional}({})",
                self.one(&["", "", "myHand", "oppDeck", "myDiscards", "ctrlDeck"])
            ),
        }
    }

    fn card_effect(&mut self) -> String {
        let optional = if self.bytes.percent(10) { "?" } else { "" };
        match self.bytes.below(12) {
            0 => "reveal()".into(),
            1 => "destroy()".into(),
            2 => format!("transform(\"{}\")", guid(self.bytes.below(self.cards))),
            3 => "peek()".into(),
            4 => format!("moveRevealedTo({})", self.pile()),
            5 => "shuffle()".into(),
            _ => format!("moveTo{optional}({}{})", self.pile(), self.position()),
        }
    }

    fn position(&mut self) -> &'static str {
        self.one(&["", "", ", 0", ", -1", ", 1", ", ?", ", 0, true", ", true"])
    }

    fn pile(&mut self) -> String {
        let whose = self.one(&["my", "my", "ctrl", "opp"]);
        let pile = self.one(&["Deck", "Hand", "Deck", "Discards", "Removed"]);
        format!("{whose}{pile}")
    }

    fn ring_effect(&mut self) -> String {
        match self.bytes.below(16) {
            0..=2 => format!("bp({})", self.hundreds()),
            3 => format!("bp({})", self.one(&["x2", "=300", "=0", "x0"])),
            4 => "freeze()".into(),
            5 => "unfreeze()".into(),
            6 => format!("+{}", self.card_keyword()),
            7 => format!("-{}", self.card_keyword()),
            8 => "loseAbility()".into(),
            9 => format!(
                "copyAbility({})",
                self.one(&["this", "tgt.0", "me.ring.0", "opp.ring.0", "prevTgt.0"])
            ),
            10 => "steal()".into(),
            11 => "swapAbilities()".into(),
            12 => format!("transform(\"{}\")", guid(self.bytes.below(self.cards))),
            13 => format!("damage({})", self.positive()),
            14 => self
                .one(&["swapChars()", "moveToSlot()", "removeFromAttack()", "unite()"])
                .into(),
            _ => self.one(&["clear()", "destroy()", "freeze(toggle)"]).into(),
        }
    }

    fn game_effect(&mut self) -> String {
        match self.bytes.below(12) {
            0 => format!(
                "alterCost({}, {})",
                self.one(&["character", "action", "reaction"]),
                self.small()
            ),
            1 => format!("disableRule({})", self.flag()),
            2 => format!("enableRule({})", self.flag()),
            3 => format!("movePile({}, {})", self.pile(), self.pile()),
            4 => format!("swapPiles({}, {})", self.pile(), self.pile()),
            5 => "playExtraChar()".into(),
            6 => "turns(1)".into(),
            7 => {
                let card = self.one(&["tgt.0", "me.discards.0", "me.ring.0", "opp.discards.0"]);
                format!("activate({card})")
            }
            8 => format!("prophecy({})", self.one(&["2", "3", "2, top", "3, bottom"])),
            9 => format!("skip({}) to(opp)", self.bytes.pick(&PhaseName::ALL[1..]).word()),
            10 => "reveal(hand) to(opp)".into(),
            _ => "shuffle(myDeck)".into(),
        }
    }

    /// All flags but the one whose value is a number.
    fn flag(&mut self) -> &'static str {
        let flags: Vec<RuleFlag> = RuleFlag::ALL
            .iter()
            .copied()
            .filter(|flag| *flag != RuleFlag::PlayCharBpLimit)
            .collect();
        self.bytes.pick(&flags).word()
    }

    fn restriction(&mut self) -> &'static str {
        self.one(&["", " ueot", " ueot", " oppUeot", " uynt", " unac", " oppUynt"])
    }

    /// ` to(…)` with cards of any zone, or what the rule found before; now and then nothing (D104).
    fn at_cards(&mut self) -> String {
        if self.bytes.percent(20) {
            return String::new();
        }
        let optional = if self.bytes.percent(15) { "?" } else { "" };
        let cards = if self.bytes.percent(35) {
            self.found_before().to_owned()
        } else {
            self.target()
        };
        format!(" to{optional}({cards})")
    }

    /// ` to(…)` with characters of a ring, or nothing.
    fn at_ring(&mut self) -> String {
        match self.bytes.below(6) {
            0 => String::new(),
            1 => format!(" to({})", self.found_before()),
            2 => format!(" to(<2>character@{})", self.one(&["myRing", "oppRing"])),
            _ => format!(" to({})", self.cards_in_sight()),
        }
    }

    /// What the run has found before: references that must survive.
    fn found_before(&mut self) -> &'static str {
        let mut known = vec![
            "prevTgt.0",
            "prevTgt",
            "moved",
            "discarded",
            "destroyed",
            "trashed",
            "this",
        ];
        known.extend([
            "moved[bp>=300]",
            "<1>prevTgt",
            "me.ring[frozen]<1>",
            "<,2>opp.ring::not(moved)",
        ]);
        if self.has_target {
            known.extend(["tgt", "tgt.0", "tgt", "tgt<-1>", "<1>tgt"]);
        }
        if self.variables {
            known.extend(["_a", "_a", "_a[0]", "<r>_a", "_a[-fresh]"]);
        }
        self.bytes.pick::<&'static str>(&known)
    }

    fn target(&mut self) -> String {
        if self.bytes.percent(40) {
            return self.cards_in_sight();
        }
        let quantity = self.one(&["", "", "<1>", "<2>", "<,2>", "<0,2>", "<r>", "<**>", "<r2>"]);
        let types = self.types();
        let pick = if quantity.is_empty() {
            self.one(&["", "", "<1>", "<2>", "<-1>"])
        } else {
            ""
        };
        let zone = self.one(&[
            "myDeck",
            "myHand",
            "myDiscards",
            "oppDeck",
            "oppHand",
            "oppDiscards",
            "removed",
            "deck",
            "anyDiscards",
        ]);
        format!("{quantity}{types}{pick}@{zone}")
    }

    fn types(&mut self) -> String {
        match self.bytes.below(9) {
            0 => format!("\"{}\"", name(self.bytes.below(self.cards))),
            1 => "action".into(),
            2 => "reaction".into(),
            3 => "character".into(),
            4 => "character,action".into(),
            5 => (*self.bytes.pick(&SUBTYPES)).to_lowercase(),
            6 => "^*".into(),
            7 => "*s".into(),
            _ => "*".into(),
        }
    }

    /// Characters of a ring.
    fn cards_in_sight(&mut self) -> String {
        let types = self.one(&[
            "character",
            "^character",
            "characters",
            "<,2>character",
            "<r>character",
        ]);
        let filter = match self.bytes.below(4) {
            0 => format!("[{}]", self.word::<FilterFlag>()),
            1 => self
                .one(&["[bp>=400]", "[bp<=300]", "[bp:lowest]", "[sp>=1]"])
                .into(),
            _ => String::new(),
        };
        let zone = self.one(&["myRing", "oppRing", "arena", "sameRing"]);
        format!("{types}{filter}@{zone}")
    }

    fn small(&mut self) -> String {
        self.one(&["+1", "-1", "+2", "-2", "3"]).into()
    }

    fn hundreds(&mut self) -> String {
        self.one(&[
            "+100",
            "-100",
            "+300",
            "-200",
            "100 * me.hand.size",
            "-100 * moved.size",
            if self.variables { "_b" } else { "+500" },
        ])
        .into()
    }

    fn positive(&mut self) -> String {
        self.one(&["100", "200", "400", "100 * opp.ring.size", "100 * discarded.size"])
            .into()
    }

    fn number(&mut self) -> &'static str {
        self.one(&[
            "me.hand.size",
            "opp.ring.size",
            "me.sp",
            "2",
            "me.deck.size - 3",
            "me.hp * 0.1",
            "'text'",
        ])
    }

    /// What a variable holds: cards, or an outcome.
    fn value(&mut self) -> &'static str {
        let known = [
            "getTargets('characters@myDeck')",
            "getTargets('<1>*@myHand')",
            "getTargets('*<2>@myDeck')",
            "getTargets('<r>*@oppHand')",
            "me.hand",
            "opp.ring",
            "me.discards",
        ];
        if self.has_target && self.bytes.percent(30) {
            "tgt"
        } else {
            self.one(&known)
        }
    }

    /// A condition that neither asks nor draws.
    fn plain_condition(&mut self) -> &'static str {
        self.one(&[
            "me.hand.size >= 3",
            "alone",
            "me.sp > 1",
            "opp.hp < me.hp",
            "any card.bp >= 500 in me.ring",
            "all card.bp <= 600 in opp.ring",
            "me.ring.size > opp.ring.size",
            "this.bp >= 300",
            "opp.lostSP > 0",
        ])
    }

    fn condition(&mut self) -> &'static str {
        let more = [
            "flipCoin()",
            "moved.size > 0",
            "prevTgt.size > 0",
            "isChar(prevTgt.0)",
            "discarded.size > 1",
        ];
        if self.bytes.percent(40) {
            self.one(&more)
        } else {
            self.plain_condition()
        }
    }
}

/// RS025: whether there is an effect that a restriction can time.
fn is_timed(effects: &str) -> bool {
    let timed = [
        "bp(",
        "loseAbility",
        "copyAbility",
        "steal",
        "swapAbilities",
        "transform",
        "alterCost",
        "Rule(",
    ];
    let keyword = effects.starts_with(['+', '-']) || effects.contains(" +") || effects.contains(" -");
    keyword || timed.iter().any(|word| effects.contains(word))
}

fn events_of(kind: EventKind) -> Vec<EventName> {
    EventName::ALL
        .iter()
        .copied()
        .filter(|event| event.form().kind == kind)
        .collect()
}
