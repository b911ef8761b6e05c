//! The words of sections 10.1 to 10.3, as tables for the compiler, the checker and the reference.

/// A user variable: its number among those of the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u16);

/// What kind of thing a word stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WordKind {
    /// A card.
    Card,
    /// A player.
    Player,
    /// A list of cards, or of players where the targets are players.
    Cards,
    /// A list of anything else, or a list as Python makes them.
    List,
    /// A whole number.
    Number,
    /// True or false.
    Truth,
    /// A text.
    Text,
    /// Anything.
    #[default]
    Any,
}

impl WordKind {
    /// What `-x` gives: true and false count as 1 and 0.
    pub(crate) fn of_sign(self) -> WordKind {
        match self {
            WordKind::Number | WordKind::Truth => WordKind::Number,
            WordKind::Card
            | WordKind::Player
            | WordKind::Cards
            | WordKind::List
            | WordKind::Text
            | WordKind::Any => WordKind::Any,
        }
    }

    /// Whether it is a list.
    pub(crate) fn is_list(self) -> bool {
        matches!(self, WordKind::Cards | WordKind::List)
    }
}

/// A name that the engine answers (R10.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EngineName {
    /// `this`
    This,
    /// `me`
    Me,
    /// `opp`
    Opp,
    /// `tgt` as a list: the main targets; in an argument those of the statement (R1104).
    Targets,
    /// `tgt` in an argument where one thing is wanted: the first target (R1104, D31).
    FirstTarget,
    /// `prevTgt`
    PrevTargets,
    /// `discarded`
    Discarded,
    /// `trashed`
    Trashed,
    /// `destroyed`
    Destroyed,
    /// `moved`
    Moved,
    /// `sacrificed`
    Sacrificed,
    /// `attacker`
    Attacker,
    /// `blocker`
    Blocker,
    /// `trigger`
    Trigger,
    /// `uaBP`
    UaBp,
    /// `alone`
    Alone,
    /// `soloAttack`
    SoloAttack,
    /// `card` in `each(X in L => …)`: the element of the present repetition.
    Card,
    /// A user variable.
    Var(VarId),
}

/// A name with its documentation.
#[derive(Clone, Copy, Debug)]
pub struct NameWord {
    /// As people write it; compared without case.
    pub word: &'static str,
    /// What it stands for.
    pub kind: WordKind,
    /// One line for the reference.
    pub meaning: &'static str,
}

const fn name(word: &'static str, kind: WordKind) -> NameWord {
    let meaning = "";
    NameWord { word, kind, meaning }
}

impl NameWord {
    const fn means(mut self, meaning: &'static str) -> NameWord {
        self.meaning = meaning;
        self
    }
}

/// The names of R10.1.
pub const NAMES: &[NameWord] = &[
    name("this", WordKind::Card).means("the card whose rule runs"),
    name("me", WordKind::Player).means("the player who carries the rule out"),
    name("opp", WordKind::Player).means("the other player"),
    name("tgt", WordKind::Cards).means("the targets of the rule; in an argument, the statement's (R1104)"),
    name("prevTgt", WordKind::Cards).means("the targets of the statement before (R1102)"),
    name("discarded", WordKind::Cards).means("cards discarded from a hand"),
    name("trashed", WordKind::Cards).means("cards trashed from a deck"),
    name("destroyed", WordKind::Cards).means("characters destroyed"),
    name("moved", WordKind::Cards).means("cards moved from pile to pile"),
    name("sacrificed", WordKind::Cards).means("characters sacrificed by their controller"),
    name("attacker", WordKind::Card).means("the attacking character, in combat"),
    name("blocker", WordKind::Card).means("the blocking character, in combat"),
    name("trigger", WordKind::Card).means("the card that caused the event"),
    name("uaBP", WordKind::Number).means("total BP of the united attack"),
    name("alone", WordKind::Truth)
        .means("whether the source is the only character in its controller's ring (D35)"),
    name("soloAttack", WordKind::Truth).means("whether one character attacks, and no united attack"),
    name("oppLostSP", WordKind::Truth).means("whether the opponent lost SP this turn (D32)"),
    name("instant", WordKind::Text).means("the ability type, comparable with `.ability`"),
    name("triggered", WordKind::Text).means("the ability type, comparable with `.ability`"),
    name("auto", WordKind::Text).means("the ability type, comparable with `.ability`"),
    name("card", WordKind::Card).means("the element, in `X in L` (R1020)"),
    name("char", WordKind::Card)
        .means("the element, or the trigger, if it is a character; else nil (R1022, D30)"),
    name("action", WordKind::Card)
        .means("the element, or the trigger, if it is an action; else nil (R1022, D30)"),
    name("reaction", WordKind::Card)
        .means("the element, or the trigger, if it is a reaction; else nil (R1022, D30)"),
];

macro_rules! attributes {
    ($($variant:ident $word:literal on $on:ident is $kind:ident $meaning:literal;)*) => {
        /// An attribute of cards, players or lists (R10.2).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ValueAttribute { $(#[doc = $meaning] $variant),* }

        /// The attributes of R10.2. One word may have two rows, for cards and for players.
        pub const ATTRIBUTES: &[AttributeWord] = &[
            $(AttributeWord {
                word: $word,
                attribute: ValueAttribute::$variant,
                on: WordKind::$on,
                kind: WordKind::$kind,
                meaning: $meaning,
            }),*
        ];

        impl ValueAttribute {
            /// All of them, in order of their numbers.
            pub const ALL: &'static [ValueAttribute] = &[$(ValueAttribute::$variant),*];
        }
    };
}

/// An attribute with its documentation.
#[derive(Clone, Copy, Debug)]
pub struct AttributeWord {
    /// As people write it; compared without case.
    pub word: &'static str,
    /// Which one.
    pub attribute: ValueAttribute,
    /// On what; [`WordKind::Any`] for `.sp`, which cards and players have.
    pub on: WordKind,
    /// What it gives.
    pub kind: WordKind,
    /// One line for the reference.
    pub meaning: &'static str,
}

attributes! {
    Hp "hp" on Player is Number "present HP of the player";
    Sp "sp" on Any is Number "present SP of the player; printed SP of the card, negative for a cost";
    Bp "bp" on Card is Number "BP: present in a ring, printed elsewhere; not-a-number unless a character";
    LastBp "lastBP" on Card is Number
        "last BP above 0 that it had in the ring; before the damage that KOed it";
    Ability "ability" on Card is Text "type of its ability; nil without one";
    Hand "hand" on Player is Cards "cards in hand";
    Discards "discards" on Player is Cards "cards in the discard pile";
    Ring "ring" on Player is Cards "characters in the ring, in order of slots";
    Deck "deck" on Player is Cards "cards in the deck, top first";
    Removed "removed" on Player is Cards "cards in the removed pile";
    Size "size" on Cards is Number "how many there are";
    NcDamaged "ncDamaged" on Player is Truth "whether non-combat damage was taken this turn (R620)";
    LostSp "lostSP" on Player is Number "SP lost by the last such effect this turn (D32)";
    Controller "controller" on Card is Player "player who controls the card";
    Owner "owner" on Card is Player "player who owns the card";
    CardName "name" on Card is Text "name, in lower case (D41)";
    Type "type" on Card is Text "card type, in lower case (D41)";
    Subtype "subtype" on Card is Text "subtype, in lower case (D41)";
}

/// A function of expressions (R1015).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EngineFunction {
    /// `isChar(card)`, `isCharacter(card)`
    IsChar,
    /// `inUAttack(card)`
    InUnitedAttack,
    /// `flipCoin()`
    FlipCoin,
    /// `getTargets('filter')`
    GetTargets,
}

/// A function with its documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionWord {
    /// As people write it; compared without case.
    pub word: &'static str,
    /// Which one.
    pub function: EngineFunction,
    /// Its parameters, for the reference.
    pub params: &'static str,
    /// What it gives.
    pub kind: WordKind,
    /// One line for the reference.
    pub meaning: &'static str,
}

/// The functions of R1015.
pub const FUNCTIONS: &[FunctionWord] = &[
    FunctionWord {
        word: "isChar",
        function: EngineFunction::IsChar,
        params: "card",
        kind: WordKind::Truth,
        meaning: "whether the card is a character",
    },
    FunctionWord {
        word: "isCharacter",
        function: EngineFunction::IsChar,
        params: "card",
        kind: WordKind::Truth,
        meaning: "the same as `isChar`",
    },
    FunctionWord {
        word: "inUAttack",
        function: EngineFunction::InUnitedAttack,
        params: "card",
        kind: WordKind::Truth,
        meaning: "whether the card takes part in the united attack",
    },
    FunctionWord {
        word: "flipCoin",
        function: EngineFunction::FlipCoin,
        params: "",
        kind: WordKind::Truth,
        meaning: "asks for heads or tails and tells whether the guess was right",
    },
    FunctionWord {
        word: "getTargets",
        function: EngineFunction::GetTargets,
        params: "'filter'",
        kind: WordKind::Cards,
        meaning: "the cards that match a target filter; may ask",
    },
];

/// Documented keywords that stand for their own text where no variable has the name (D44).
pub const KEYWORDS: &[&str] = &[
    "character",
    "characters",
    "actions",
    "reactions",
    "player",
    "players",
    "ua2",
    "ua3",
    "arena",
    "hand",
    "deck",
    "discards",
    "ring",
    "removed",
    "infront",
    "myhand",
    "mydeck",
    "mydiscards",
    "myring",
    "myremoved",
    "opphand",
    "oppdeck",
    "oppdiscards",
    "oppring",
    "oppremoved",
    "ctrlhand",
    "ctrldeck",
    "ctrldiscards",
    "ctrlring",
    "setup",
    "activate",
    "draw",
    "main",
    "attack",
    "block",
    "end",
    "cleanup",
    "toggle",
    "top",
    "bottom",
    "collapsed",
    "pile",
    "expanded",
    "fresh",
    "frozen",
];

/// Names of other engines' insides, refused beside Python's (R1043).
pub const REFUSED: &[&str] = &[
    "table",
    "notify",
    "remotecall",
    "rnd",
    "whisper",
    "confirm",
    "setglobalvariable",
];

/// No word of a table has more letters.
const LETTERS: usize = 16;

/// The words of a table in lower case and in order of their lengths, so that few are compared.
struct ByLength<const ROWS: usize> {
    words: [[u8; LETTERS]; ROWS],
    rows: [u8; ROWS],
    /// How many words are shorter than this.
    shorter: [u8; LETTERS + 2],
}

impl<const ROWS: usize> ByLength<ROWS> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "asserted: rows are counted in a byte"
    )]
    const fn new(words: [&str; ROWS]) -> ByLength<ROWS> {
        let mut table = ByLength {
            words: [[0; LETTERS]; ROWS],
            rows: [0; ROWS],
            shorter: [0; LETTERS + 2],
        };
        assert!(ROWS < 256, "rows are counted in a byte");
        let (mut length, mut placed) = (0, 0);
        while length <= LETTERS {
            let mut row = 0;
            while row < ROWS {
                if words[row].len() == length {
                    let (word, _) = table.words[placed].split_at_mut(length);
                    word.copy_from_slice(words[row].as_bytes());
                    word.make_ascii_lowercase();
                    table.rows[placed] = row as u8;
                    placed += 1;
                }
                row += 1;
            }
            length += 1;
            table.shorter[length] = placed as u8;
        }
        assert!(placed == ROWS, "no word is too long");
        table
    }

    /// The row whose word `text`, in lower case, spells.
    fn find(&self, text: &str) -> Option<usize> {
        let [from, to] = *self.shorter.get(text.len()..)?.first_chunk()?;
        let text = text.as_bytes();
        let places = usize::from(from)..usize::from(to);
        let mut words = self.words.get(places.clone())?.iter();
        let at = words.position(|word| word.first() == text.first() && word.starts_with(text))?;
        Some(usize::from(self.rows[places.start + at]))
    }
}

/// A table by length.
macro_rules! by_length {
    ($table:ident) => {{
        static BY_LENGTH: ByLength<{ $table.len() }> = {
            let mut words = [""; $table.len()];
            let mut row = 0;
            while row < words.len() {
                words[row] = $table[row].word;
                row += 1;
            }
            ByLength::new(words)
        };
        &BY_LENGTH
    }};
}

/// Some of [`NAMES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameSet(u32);

const _: () = assert!(NAMES.len() <= 32, "each name has a bit");

impl NameSet {
    /// The set of these names, as people write them.
    pub const fn spelt(words: &[&str]) -> NameSet {
        let mut set = 0;
        let mut at = 0;
        while at < NAMES.len() {
            let mut word = 0;
            while word < words.len() {
                set |= (NAMES[at].word.eq_ignore_ascii_case(words[word]) as u32) << at;
                word += 1;
            }
            at += 1;
        }
        NameSet(set)
    }

    /// Adds the name that `text`, in lower case, spells, if one does.
    pub(crate) fn add(&mut self, text: &str) -> Option<&'static NameWord> {
        let at = by_length!(NAMES).find(text)?;
        self.0 |= 1 << at;
        Some(&NAMES[at])
    }

    /// Whether a name is in both.
    pub fn meets(self, other: NameSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there is none in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl NameWord {
    /// The word that `text`, in lower case, spells.
    pub fn find(text: &str) -> Option<&'static NameWord> {
        let at = by_length!(NAMES).find(text)?;
        Some(&NAMES[at])
    }
}

impl AttributeWord {
    /// The attribute that `text`, in lower case, spells.
    pub fn find(text: &str) -> Option<&'static AttributeWord> {
        let at = by_length!(ATTRIBUTES).find(text)?;
        Some(&ATTRIBUTES[at])
    }
}

impl FunctionWord {
    /// The function that `text`, in lower case, spells.
    pub fn find(text: &str) -> Option<&'static FunctionWord> {
        let at = by_length!(FUNCTIONS).find(text)?;
        Some(&FUNCTIONS[at])
    }
}
