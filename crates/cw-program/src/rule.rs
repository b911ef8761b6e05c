//! The typed form of one rule. Everything a name could mean is decided here; spans lead back to
//! the text for traces, coverage and messages.

use std::borrow::Cow;

use cw_text::Span;
use smallvec::SmallVec;
use smol_str::SmolStr;

use crate::commands::Command;
use crate::words::{CardType, EventName, Keyword, PileName, Scope};

/// A card of the package, by its place in the game's list of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId(pub u16);

/// A subtype, by its place in the game's list; [`SubtypeId::NONE`] is one that no card has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubtypeId(pub u16);

/// A card name, by its place in the game's list; [`CardNameId::NONE`] is one that no card has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardNameId(pub u16);

impl SubtypeId {
    /// Matches nothing.
    pub const NONE: SubtypeId = SubtypeId(u16::MAX);
}

impl CardNameId {
    /// Matches nothing.
    pub const NONE: CardNameId = CardNameId(u16::MAX);
}

/// What the compiler asks of the package. Names come lower-cased.
pub trait PackageNames {
    /// The subtype with this name.
    fn subtype(&self, name: &str) -> Option<SubtypeId>;
    /// The card name, whole.
    fn card_name(&self, name: &str) -> Option<CardNameId>;
    /// The card with this GUID, in any of its spellings.
    fn model(&self, guid: &str) -> Option<ModelId>;
    /// Whether all cards are known. If not, an unknown name is no finding (section 12, "db").
    fn is_complete(&self) -> bool {
        true
    }
    /// All subtypes, for suggestions.
    fn subtypes(&self) -> Vec<String> {
        Vec::new()
    }
    /// All card names, for suggestions.
    fn card_names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// No package at hand: every name is unknown, and none is reported.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoNames;

impl PackageNames for NoNames {
    fn subtype(&self, _name: &str) -> Option<SubtypeId> {
        None
    }
    fn card_name(&self, _name: &str) -> Option<CardNameId> {
        None
    }
    fn model(&self, _guid: &str) -> Option<ModelId> {
        None
    }
    fn is_complete(&self) -> bool {
        false
    }
}

/// A list that nearly always holds one item, which then lies in place.
pub type Few<T> = SmallVec<[T; 1]>;

/// One card's rule.
#[derive(Clone, Debug, Default)]
pub struct CompiledRule {
    /// `abilities =` (R113).
    pub abilities: Vec<Keyword>,
    /// `requisite =`: each must find something (R304.1).
    pub requisites: Vec<Target>,
    /// `target =` or `target? =`.
    pub target: Option<TargetClause>,
    /// `vars =`; a formula refers to them by index.
    pub vars: Vec<Var>,
    /// `action =`, each with its label.
    pub actions: Vec<RuleAction>,
    /// `auto =`, cut into groups that share a trigger (D23).
    pub autos: Vec<Auto>,
    /// All expressions of the rule; [`FormulaId`] is an index into them.
    pub formulas: Vec<RuleFormula>,
    /// All filter lists that expressions pass to `getTargets` as literals.
    pub filters: Vec<Vec<Target>>,
    /// How many bytes the rule has moved in its text since it was compiled; its spans are of the text before.
    pub moved: isize,
}

impl CompiledRule {
    /// Empties it; its lists keep their room.
    pub(crate) fn clear(&mut self) {
        let CompiledRule {
            abilities,
            requisites,
            target,
            vars,
            actions,
            autos,
            formulas,
            filters,
            moved,
        } = self;
        abilities.clear();
        requisites.clear();
        *target = None;
        vars.clear();
        actions.clear();
        autos.clear();
        formulas.clear();
        filters.clear();
        *moved = 0;
    }
}

/// An expression of the rule: an index into [`CompiledRule::formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FormulaId(pub u16);

/// An expression's text and compiled form.
#[derive(Clone, Debug)]
pub struct RuleFormula {
    /// As written.
    pub text: SmolStr,
    /// Where.
    pub span: Span,
    /// What runs; `None` if the text is no expression, which is nil then (R1004).
    pub code: Option<cw_formula::Formula>,
}

/// `name := expression` (R114).
#[derive(Clone, Debug)]
pub struct Var {
    /// Lower-cased name.
    pub name: Box<str>,
    /// Its value.
    pub value: FormulaId,
    /// Where.
    pub span: Span,
}

/// One `action`.
#[derive(Clone, Debug)]
pub struct RuleAction {
    /// From the `label` with the same number (R111), or R307's words.
    pub label: Cow<'static, str>,
    /// Whether the label was written by the author.
    pub labelled: bool,
    /// Parted by `;`.
    pub statements: Vec<RuleStatement>,
    /// Where.
    pub span: Span,
}

/// One group of an `auto`: its trigger and the statements under it.
#[derive(Clone, Debug)]
pub struct Auto {
    /// When it runs.
    pub kind: AutoKind,
    /// Parted by `;`.
    pub statements: Vec<RuleStatement>,
    /// Where.
    pub span: Span,
}

/// When an auto runs.
#[derive(Clone, Debug)]
pub enum AutoKind {
    /// On these events (R903); never empty. Includes implicit events (R509).
    Events(Few<TriggerEvent>),
    /// Once, on entering play (R902).
    Entering,
    /// Its conditions are re-evaluated after every effect step (D24): only `[[if …]]` with ±abilities.
    Continuous,
}

/// One event of a trigger.
#[derive(Clone, Copy, Debug)]
pub struct TriggerEvent {
    /// Whose (R905).
    pub scope: Scope,
    /// Which.
    pub name: EventName,
    /// `:any` (R906).
    pub any: bool,
    /// `:once` (R909).
    pub once: bool,
    /// `:this` or `:fromThis` on an event without object: the card it carries is the source (D20).
    pub this: bool,
    /// `:action`, `:reaction`, `:char` or another suffix word: a condition (R909, GQ53).
    pub test: Option<FormulaId>,
    /// Where.
    pub span: Span,
}

/// A cost (section 7 of the language).
#[derive(Clone, Debug)]
pub enum RuleCost {
    /// `{F}`.
    Freeze,
    /// `{S}`.
    SacrificeSelf,
    /// `{S(target)}`: from the executor's ring.
    Sacrifice(Target),
    /// `{D}`, `{D(n)}`, `{D(target)}`: from the executor's hand; `{D(n)}` is `<n>*`.
    Discard(Target),
}

/// One statement.
#[derive(Clone, Debug)]
pub struct RuleStatement {
    /// Costs in front of it, paid when reached (D23); the first statement's are the action's own.
    pub costs: Vec<RuleCost>,
    /// Its condition and effects.
    pub kind: StatementKind,
    /// Where.
    pub span: Span,
}

/// The condition of a statement and what it guards.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// No condition.
    Plain(RuleBranch),
    /// `[[may 'question']]`.
    May {
        /// In the author's case (R105); `None`: the standard text.
        question: Option<Box<str>>,
        /// Runs on yes.
        body: RuleBranch,
    },
    /// `[[if a]] … [[elif b]] … [[else]] …`.
    If {
        /// The `if` and every `elif`; never empty.
        arms: Vec<(FormulaId, RuleBranch)>,
        /// The `else`.
        otherwise: Option<RuleBranch>,
    },
}

/// Effects that share targets and restriction (R237).
#[derive(Clone, Debug, Default)]
pub struct RuleBranch {
    /// In order.
    pub effects: Few<RuleEffect>,
    /// `to(…)`, `target(…)`, `from(…)`.
    pub to: Option<TargetClause>,
    /// `ueot` and the like.
    pub restriction: Option<Restriction>,
    /// Where.
    pub span: Span,
}

/// One effect.
#[derive(Clone, Debug)]
pub struct RuleEffect {
    /// How it hangs on the effect before it; the first one's is [`EffectJoiner::Then`].
    pub joiner: EffectJoiner,
    /// `cmd?()`: the executor is asked (R605).
    pub optional: bool,
    /// What it does.
    pub kind: RuleEffectKind,
    /// Where.
    pub span: Span,
}

/// `&`, `&&`, `||` (R603).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectJoiner {
    /// `&`: always.
    Then,
    /// `&&`: the rest is dropped if the effect before failed.
    AndThen,
    /// `||`: skipped if the effect before succeeded.
    OrElse,
}

/// What an effect does.
#[derive(Clone, Debug)]
pub enum RuleEffectKind {
    /// A command.
    Command(Command),
    /// `+ability`.
    Grant(Keyword),
    /// `-ability` (D35).
    Remove(Keyword),
}

/// What `freeze` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freezing {
    /// All targets end frozen.
    Freezes,
    /// Frozen ones are unfrozen, the others frozen.
    Toggles,
}

/// A number written out or computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberArgument {
    /// Written out.
    Literal(i32),
    /// Computed when the effect starts (R606).
    Computed(FormulaId),
}

/// `n`, `xn`, `=n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Added.
    Add(NumberArgument),
    /// Multiplied by.
    Times(NumberArgument),
    /// Set to.
    Set(NumberArgument),
}

/// `n` or `=n` of `alterCost`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostAmount {
    /// Added; positive is cheaper.
    Add(i32),
    /// Set to; `-5` costs 5.
    Set(i32),
}

/// The value of a rule flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleValue {
    /// On or off.
    Bool(bool),
    /// A limit (`play_char_bp_limit`).
    Limit(i32),
}

/// `each(X in L => …)` or `each(target => …)` (R622, D30).
#[derive(Clone, Debug)]
pub struct EachEffect {
    /// What it repeats over.
    pub over: EachGroup,
    /// Runs once per element.
    pub body: Few<RuleEffect>,
}

/// What `each` repeats over.
#[derive(Clone, Debug)]
pub enum EachGroup {
    /// `X in L`: once per element for which X is truthy (`card` is the element).
    Mapped {
        /// X.
        value: FormulaId,
        /// L.
        list: FormulaId,
    },
    /// Once per object found.
    Found(Target),
}

/// What a card becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transform {
    /// A model by GUID; `None` if no card has it.
    Model(Option<ModelId>),
    /// The model of a card.
    Like(FormulaId),
}

/// Whose pile (G209): relative to the executor, or to each card's controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// `my`.
    Mine,
    /// `opp`.
    Opponent,
    /// `ctrl`.
    Controller,
}

/// A pile as commands name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PileRef {
    /// Whose; no prefix is [`Whose::Mine`].
    pub whose: Whose,
    /// Which.
    pub name: PileName,
}

/// A place in a pile (G209, GQ44, D33).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PilePosition {
    /// n cards stay above; 0 is the top.
    FromTop(u16),
    /// n cards stay below; 0 is the bottom (`-1`).
    FromBottom(u16),
    /// `?`: the executor chooses top or bottom once.
    Ask,
}

/// `ueot`, `uynt`, `unac` with whose turn counts (R804).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Restriction {
    /// `opp…`: the opponent of the effect's owner.
    pub opponent: bool,
    /// Until when.
    pub until: RestrictionEnd,
}

/// When a restriction ends (R804).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RestrictionEnd {
    /// `ueot`: Cleanup.
    EndOfTurn,
    /// `uynt`: Activate.
    NextTurn,
    /// `unac`: the next Action card, or Cleanup.
    NextAction,
}

/// A list of targets with what an empty result means.
#[derive(Clone, Debug)]
pub struct TargetClause {
    /// Parted by `;`; each must find something (R302).
    pub targets: Few<Target>,
    /// `target?`, `to?`: finding nothing is no failure (R309).
    pub optional: bool,
    /// Where.
    pub span: Span,
}

/// One target filter.
#[derive(Clone, Debug)]
pub struct Target {
    /// How many.
    pub quantity: TargetQuantity,
    /// Of what.
    pub kind: TargetKind,
    /// `<n>`, `<-n>` after the type: the first or last n matches, without a question (R414).
    pub pick: Option<i16>,
    /// OR of ANDs (R214); empty: everything matches.
    pub filters: Vec<Few<TargetFilter>>,
    /// Where to look; default the arena (R219).
    pub zone: Zone,
    /// `::not(e)` (R420).
    pub not: Option<FormulaId>,
    /// Where it is written.
    pub span: Span,
}

/// How many (R204).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetQuantity {
    /// Not written: exactly one, or all where a pick stands (D36).
    Default,
    /// `<n>`, `<a,b>`, `<,b>`, `<**>` (1 to all).
    Between(CountRange),
    /// `<rN>`.
    Random(u16),
}

/// Least and most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountRange {
    /// At least.
    pub min: u16,
    /// At most; `u16::MAX` is "all".
    pub max: u16,
}

/// What a target filter looks for.
#[derive(Clone, Debug)]
pub enum TargetKind {
    /// Types joined by `,`: alternatives (R401, R402, D28). A single type is a list of one.
    Either(Few<TypeItem>),
    /// Types joined by `&` that do not describe one card: one of each (R404, D28).
    Each(Few<TypeItem>),
    /// An expression target (R230, D44).
    Computed(FormulaId),
}

/// One type of a target filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeItem {
    /// `^`: not the source (R211).
    pub not_source: bool,
    /// `!`: the test is inverted.
    pub negated: bool,
    /// Plural: all matches, no choice (R210).
    pub plural: bool,
    /// What it must be.
    pub what: TargetType,
}

/// What a type names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetType {
    /// `player`, `players`.
    Player,
    /// `me`.
    Me,
    /// `opp`.
    Opp,
    /// `this`.
    This,
    /// A card for which all given tests hold; none given is `*`.
    Card(CardTest),
}

/// AllOf on the printed properties of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct CardTest {
    /// Its type.
    pub card_type: Option<CardType>,
    /// Its subtype (R213).
    pub subtype: Option<SubtypeId>,
    /// Its whole name (R212).
    pub name: Option<CardNameId>,
}

/// One test of a filter (R422).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetFilter {
    /// `-` or `^`.
    pub negated: bool,
    /// The test.
    pub test: FilterTest,
}

/// What a filter tests (R422).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterTest {
    /// At least one back-up attached.
    BackedUp,
    /// Attacks alone or leads.
    Attack,
    /// Member of the United Attack.
    UAttack,
    /// Counter-attacks.
    Block,
    /// Attacks and has a blocker.
    Blocked,
    /// Is frozen.
    Frozen,
    /// Entered this turn.
    Fresh,
    /// Has an ability.
    Powerful,
    /// Has none.
    Powerless,
    /// Has an instant ability.
    AbInstant,
    /// Has a triggered ability.
    AbTrigger,
    /// Has an auto ability.
    AbAuto,
    /// Has the least BP of the candidates that reach this filter.
    BpLowest,
    /// Compares BP; characters only.
    Bp(FilterComparison, i32),
    /// Compares printed SP of cards, SP of players.
    Sp(FilterComparison, i32),
    /// Is of the type.
    Type(CardType),
    /// Has the subtype.
    Subtype(SubtypeId),
}

/// A comparison (R216).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FilterComparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl FilterComparison {
    /// Whether `left` stands so to `right`.
    pub fn holds(self, left: i32, right: i32) -> bool {
        match self {
            FilterComparison::Equal => left == right,
            FilterComparison::NotEqual => left != right,
            FilterComparison::Less => left < right,
            FilterComparison::LessOrEqual => left <= right,
            FilterComparison::Greater => left > right,
            FilterComparison::GreaterOrEqual => left >= right,
        }
    }
}

/// Where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Zone {
    /// Whose.
    pub side: ZoneSide,
    /// Which.
    pub place: ZonePlace,
}

/// Whose zone (R219, R220, R405, R419).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ZoneSide {
    /// `my`, or no prefix.
    Mine,
    /// `opp`.
    Opponent,
    /// `ctrl`: the controller of the source.
    Controller,
    /// `same`: one ring, chosen.
    Same,
    /// `any`: the executor chooses whose.
    Any,
}

/// The places of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ZonePlace {
    /// Both rings.
    Arena,
    /// One ring.
    Ring,
    /// The enemy character facing the source (R408).
    InFront,
    /// A pile.
    Pile(PileName),
}

impl RuleAction {
    /// What it costs to use: what its first statement costs (D23).
    pub fn costs(&self) -> &[RuleCost] {
        first_costs(&self.statements)
    }
}

impl Auto {
    /// What is paid on each run (R708): what its first statement costs (D23).
    pub fn costs(&self) -> &[RuleCost] {
        first_costs(&self.statements)
    }
}

fn first_costs(statements: &[RuleStatement]) -> &[RuleCost] {
    statements.first().map_or(&[], |first| &first.costs)
}
