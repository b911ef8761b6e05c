//! What a seat can ask for (F72–F119): the table of verbs.
//!
//! Each verb is one entry of [`verb_table!`] below. From it come the value ([`TableVerb`]), the list of what
//! can be asked for ([`VERBS`]), whether it is a step, and in `notation.rs` how its line is read and written.
//! What it does stands in `act.rs`.

use std::sync::Arc;

use crate::script::ScriptAnswer;
use crate::{
    CardGroup, CardSide, Colour, DeckList, LookerSet, PileId, Protection, TableCardId, TableModel, TableSeat,
    Viewers,
};

/// Which cards a verb is about: all in one group (F63, F64).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VerbCards {
    /// Where the seat sees them.
    pub group: CardGroup,
    /// The cards.
    pub cards: Vec<CardAt>,
}

/// One card, as the seat names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CardAt {
    /// By the handle of its own view.
    Handle(u32),
    /// By its place in an ordered pile, 0 at the top; everybody is told the place.
    Place(u32),
    /// The card itself: for a package's scripts only, no line says it.
    Card(TableCardId),
}

/// Where in its new group a card arrives (F68).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrivalSpot {
    /// Last in the hand, in unordered piles and on the table, else on top.
    Usual,
    /// First.
    Top,
    /// Last.
    Bottom,
    /// At this place from the top; negative: from the end.
    At(i32),
}

/// An end of a pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PileEnd {
    /// The first cards.
    Top,
    /// The last ones.
    Bottom,
}

/// Which cards of a pile are looked at (F80).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PilePart {
    /// All, also those that arrive.
    All,
    /// So many at an end; the set only shrinks.
    End(PileEnd, u32),
}

/// What happens to random cards (F85).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Then {
    /// They are shown to all.
    Show,
    /// They are moved.
    Move(CardGroup),
    /// They are targeted; on the table only.
    Target,
}

/// How cards are turned over (F88).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turning {
    /// Face up.
    Up,
    /// Face down.
    Down,
    /// The other side of each.
    Other,
}

/// How cards are rotated (F89).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rotation {
    /// To so many quarter turns.
    To(u8),
    /// By so many.
    By(u8),
    /// To 90 degrees if all are upright, else upright.
    Toggle,
}

/// How a number changes (F93, F96).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberChange {
    /// By so much; always applies (F202).
    By(i64),
    /// To this.
    To(i64),
}

/// What is made (F98).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Created {
    /// What.
    pub model: TableModel,
    /// How many.
    pub count: u32,
    /// Where; a free place if none.
    pub at: Option<(i32, i32)>,
    /// Which side is up.
    pub face: CardSide,
    /// No token: it stays when it changes its group.
    pub kept: bool,
}

/// What a verb is to those who go back (F131).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VerbKind {
    /// A step: others' undo has to mind it.
    Step,
    /// No step, such as chat and pointing.
    Aside,
    /// No step, and only the table's host may say it.
    Host,
}

/// A deck as a line has it: a pile by its number among the kinds of piles.
const DECK: &str = "NAME section SECTION own|shared N|- N*CARD …";

/// How the verbs that only the host may say are told ([`TableVerb::is_of_host`]).
pub const OF_HOST: &str = "the host: ";

/// The table of verbs, given to a macro. An entry has the name and the fields of the value, its [`VerbKind`],
/// and a line for each word: the word, what follows it, what it does, and its parts in their order. A part is
/// a word that must stand there (`{"to"}`), a field that the verb's word settles (`{on = true}`), or a field,
/// or several in brackets, with what reads and writes them (`{cards CARDS}`, see `notation/parts.rs`).
macro_rules! verb_table {
    ($give_to:ident) => {
        $give_to! {
            /// Cards go to a group (F72).
            Move { cards: VerbCards, to: CardGroup, spot: ArrivalSpot, face: Option<CardSide> } Step
            "move" "CARDS to GROUP [top|bottom|at N] [up|down]" "moves cards"
                = {cards CARDS} {"to"} {to GROUP} {spot SPOT} {face FACE};

            /// Cards go to the table: the first of them here, the others keep their distances (F73).
            Place { cards: VerbCards, x: i32, y: i32, face: Option<CardSide> } Step
            "place" "CARDS X,Y [up|down]" "puts cards on the table, or moves them there"
                = {cards CARDS} {(x, y) POINT} {face FACE};

            /// Cards go from a pile to the hand (F74).
            Draw { pile: PileId, count: u32, end: PileEnd } Step
            "draw" "[PILE] [N] [bottom]" "draws cards"
                = {pile PILE_OR_DECK} {count Count} {end FROM_END};

            /// All cards of a pile go to a group (F75).
            MoveAll { from: PileId, to: CardGroup, spot: ArrivalSpot, random: bool } Step
            "moveall" "PILE to GROUP [top|bottom|at N] [random]" "moves a whole pile"
                = {from PILE} {"to"} {to GROUP} {spot SPOT} {random Flag("random")};

            /// The cards at an end of a pile go to a group (F76).
            MoveTop {
                pile: PileId, end: PileEnd, count: u32,
                to: CardGroup, spot: ArrivalSpot, face: Option<CardSide>
            } Step
            "movetop" "PILE N to GROUP [top|bottom|at N] [up|down]" "moves the top cards"
                = {end = PileEnd::Top} {pile PILE_OR_DECK} {count Count}
                    {"to"} {to GROUP} {spot SPOT} {face FACE};
            "movebottom" "PILE N to GROUP [top|bottom|at N] [up|down]" "moves the bottom cards"
                = {end = PileEnd::Bottom} {pile PILE_OR_DECK} {count Count}
                    {"to"} {to GROUP} {spot SPOT} {face FACE};

            /// Cards are turned over until one fits (F77).
            MoveUntil { pile: PileId, property: String, text: String } Step
            "until" "PILE PROPERTY TEXT" "turns cards over until one matches"
                = {pile PILE} {property NAME} {text TEXT};

            /// A pile, or a part of it, gets a new order (F78, F79).
            Shuffle { pile: PileId, part: PilePart } Step
            "shuffle" "[PILE] [top N|bottom N]" "shuffles a pile, or a part of it"
                = {pile PILE_OR_DECK} {part PART};

            /// A pile, or a part of it, is looked into (F80).
            Look { pile: PileId, part: PilePart } Step
            "look" "PILE [top N|bottom N]" "looks into a pile"
                = {pile PILE_OR_DECK} {part PART};

            /// A whole pile is looked into, to take something out of it (F81).
            Search { pile: PileId } Step
            "search" "[PILE]" "searches a pile"
                = {pile PILE_OR_DECK};

            /// The window on a pile is closed.
            Close { pile: PileId, shuffle: bool } Step
            "close" "PILE [shuffle]" "stops looking"
                = {pile PILE_OR_DECK} {shuffle Flag("shuffle")};

            /// The same without a shuffle, and not a step: it does not stand in the way of going back (F131).
            Leave { pile: PileId } Aside
            "leave" "PILE" "stops looking, and does not count as a step to take back"
                = {pile PILE_OR_DECK};

            /// Looked-at cards go to these places of their pile; others keep their order (F82).
            Reorder { cards: VerbCards, places: Vec<u32> } Step
            "reorder" "CARDS to N,N" "puts looked-at cards at these places"
                = {cards CARDS} {"to"} {places PLACES};

            /// A face-down card is looked at (F83).
            Peek { cards: VerbCards } Step
            "peek" "CARDS" "peeks at cards"
                = {cards CARDS};

            /// Cards are shown (F84).
            Reveal { cards: VerbCards, to: LookerSet } Step
            "reveal" "CARDS to EYES" "shows cards"
                = {cards CARDS} {to TO_EYES};

            /// The end of showing them (F84).
            Hide { cards: VerbCards } Step
            "hide" "CARDS" "ends showing them"
                = {cards CARDS};

            /// Random cards of a pile are shown, moved or targeted (F85).
            Random { pile: PileId, count: u32, then: Then } Step
            "random" "[PILE] [N] show|to GROUP" "takes random cards"
                = {pile PILE_OR_HAND} {count Count} {then WHAT_THEN};

            /// Who sees a pile (F86).
            SetViewers { pile: PileId, viewers: Viewers } Step
            "viewers" "PILE nobody|everybody|byface|EYES" "says who sees a pile"
                = {pile PILE} {viewers WHO_SEES};

            /// The top card of a pile stays shown (F87).
            KeepTop { pile: PileId, to: LookerSet } Step
            "keeptop" "PILE EYES|nobody" "keeps its top card shown"
                = {pile PILE} {to EYES};

            /// Whether others may look into a pile (F16).
            Protect { pile: PileId, protection: Protection } Step
            "protect" "PILE free|ask|never" "says who else may look into it"
                = {pile PILE} {protection MAY_LOOK};

            /// Cards are turned over (F88).
            Turn { cards: VerbCards, how: Turning } Step
            "turn" "CARDS [up|down|over]" "turns cards over"
                = {cards CARDS} {how TURNED_HOW};

            /// Cards are rotated (F89).
            Rotate { cards: VerbCards, how: Rotation } Step
            "rotate" "CARDS [to|by 90|180|270]" "rotates cards"
                = {cards CARDS} {how ANGLE};

            /// All of one's cards on the table are upright again (F90).
            Straighten Step
            "straighten" "" "straightens your cards" =;

            /// Whether straightening leaves cards as they are (F91).
            Lock { cards: VerbCards, on: bool } Step
            "lock" "CARDS" "keeps cards from being straightened"
                = {on = true} {cards CARDS};
            "unlock" "CARDS" "ends that"
                = {on = false} {cards CARDS};

            /// Cards change to another form; the next one if none is named (F92).
            SwitchForm { cards: VerbCards, form: Option<u8> } Step
            "form" "CARDS [N]" "switches to another form"
                = {cards CARDS} {form Maybe(Number)};

            /// Markers on cards change (F93).
            Marker { cards: VerbCards, marker: u16, change: NumberChange } Step
            "marker" "CARDS NAME +N|-N|=N" "changes markers"
                = {cards CARDS} {marker MARKER} {change CHANGE};

            /// Markers go from cards to others, or are copied (F94).
            MoveMarker { from: VerbCards, to: VerbCards, marker: u16, count: u16, copy: bool } Step
            "movemarker" "CARDS to CARDS NAME N" "moves markers"
                = {copy = false} {from CARDS} {"to"} {to CARDS} {marker MARKER} {count Count};
            "copymarker" "CARDS to CARDS NAME N" "copies markers"
                = {copy = true} {from CARDS} {"to"} {to CARDS} {marker MARKER} {count Count};

            /// The edge of cards gets a colour (F95).
            Highlight { cards: VerbCards, colour: Option<Colour> } Step
            "highlight" "CARDS #RRGGBB|none" "colours the edge"
                = {cards CARDS} {colour OrWord("none", COLOUR_NAME)};

            /// The face of cards gets a tint (F95).
            Filter { cards: VerbCards, colour: Option<Colour> } Step
            "filter" "CARDS #RRGGBB|none" "tints the face"
                = {cards CARDS} {colour OrWord("none", COLOUR_NAME)};

            /// A counter changes, of nobody if no seat is named (F96).
            Counter { of: Option<TableSeat>, counter: u16, change: NumberChange } Step
            "counter" "NAME +N|-N|=N" "changes a counter"
                = {(of, counter) COUNTER_NAME} {change CHANGE};

            /// Whether cards can be dragged (F97).
            Anchor { cards: VerbCards, on: bool } Step
            "anchor" "CARDS" "keeps cards where they are"
                = {on = true} {cards CARDS};
            "unanchor" "CARDS" "ends that"
                = {on = false} {cards CARDS};

            /// Cards or tokens are made (F98).
            Create { created: Created } Step
            "create" "NAME [N] [at X,Y] [down] [kept]" "makes cards or tokens"
                = {created NEW_CARDS};

            /// Another of each known card is made (F99).
            Copy { cards: VerbCards } Step
            "copy" "CARDS" "makes another of a known card"
                = {cards CARDS};

            /// Tokens are taken away (F100).
            Delete { cards: VerbCards } Step
            "delete" "CARDS" "takes tokens away"
                = {cards CARDS};

            /// Whether cards are targets of the seat (F101).
            Target { cards: VerbCards, on: bool } Step
            "target" "CARDS" "targets cards"
                = {on = true} {cards CARDS};
            "untarget" "CARDS" "ends that"
                = {on = false} {cards CARDS};

            /// An arrow leads from cards to others (F101).
            Arrow { from: VerbCards, to: VerbCards } Step
            "arrow" "CARDS to CARDS" "draws an arrow"
                = {from CARDS} {"to"} {to CARDS};

            /// The seat's targets and arrows go (F101).
            ClearMarks Step
            "clearmarks" "" "clears your targets and arrows" =;

            /// Cards are pointed at (F102).
            Point { cards: VerbCards } Aside
            "point" "CARDS" "points at cards"
                = {cards CARDS};

            /// Cards shake (F102).
            Shake { cards: VerbCards } Aside
            "shake" "CARDS" "shakes cards"
                = {cards CARDS};

            /// Cards lie above all others (F103).
            Front { cards: VerbCards } Step
            "front" "CARDS" "puts cards on top of all others"
                = {cards CARDS};

            /// Cards lie below all others (F103).
            Back { cards: VerbCards } Step
            "back" "CARDS" "puts cards below all others"
                = {cards CARDS};

            /// Cards are put side by side (F104).
            Arrange { cards: VerbCards, columns: u32 } Step
            "arrange" "CARDS row|stack|N" "arranges cards"
                = {cards CARDS} {columns COLUMNS};

            /// Cards follow another one, or no longer (F105).
            Attach { cards: VerbCards, to: Option<VerbCards> } Step
            "attach" "CARDS to CARDS" "lets cards follow another"
                = {cards CARDS} {"to"} {to Given(CARDS)};
            "detach" "CARDS" "ends that"
                = {to = None} {cards CARDS};

            /// Cards go to the control of another seat (F106).
            Give { cards: VerbCards, to: TableSeat } Step
            "give" "CARDS to SEAT" "gives cards away"
                = {cards CARDS} {"to"} {to SEAT};

            /// A pile goes to the control of another seat (F106).
            GivePile { pile: PileId, to: TableSeat } Step
            "givepile" "PILE to SEAT" "gives a pile away"
                = {pile PILE} {"to"} {to SEAT};

            /// The seat takes control of cards (F107).
            Take { cards: VerbCards } Step
            "take" "CARDS" "takes control"
                = {cards CARDS};

            /// The seat takes control of a pile (F107).
            TakePile { pile: PileId } Step
            "takepile" "PILE" "takes control of a pile"
                = {pile PILE};

            /// A note lies on the table (F108).
            Note { text: String, x: i32, y: i32, private: bool } Step
            "note" "[X,Y] [private] TEXT" "writes a note"
                = {(x, y) POINT_OR_MIDDLE} {private Flag("private")} {text TEXT};

            /// A note says something else (F108).
            EditNote { note: u32, text: String } Step
            "editnote" "N TEXT" "changes a note"
                = {note Number} {text TEXT};

            /// A note lies elsewhere (F108).
            MoveNote { note: u32, x: i32, y: i32 } Step
            "movenote" "N X,Y" "puts a note elsewhere"
                = {note Number} {(x, y) POINT};

            /// A note goes (F108).
            RemoveNote { note: u32 } Step
            "removenote" "N" "removes a note"
                = {note Number};

            /// Something is written on cards (F109).
            CardNote { cards: VerbCards, text: String } Step
            "cardnote" "CARDS TEXT" "writes on cards"
                = {cards CARDS} {text TEXT_OR_NONE};

            /// Dice are rolled (F110).
            Roll { dice: u32, sides: u32, add: i64 } Step
            "roll" "[N]dS[+K]" "rolls dice"
                = {(dice, sides, add) DICE};

            /// Coins are flipped (F110).
            Coin { count: u32 } Step
            "coin" "[N]" "flips coins"
                = {count Count};

            /// A number is drawn (F110).
            Number { from: i64, to: i64 } Step
            "number" "A B" "draws a number"
                = {from Number} {to Number};

            /// The order of the seats is drawn (F110).
            Order Step
            "order" "" "draws the seats' order" =;

            /// A value is given that nobody sees yet (F111).
            Seal { text: String } Step
            "seal" "TEXT" "seals a value"
                = {text TEXT};

            /// The seat's sealed value is opened (F111).
            Open Step
            "open" "" "opens your sealed value" =;

            /// All sealed values are opened once all seats have one (F111).
            OpenAll Step
            "openall" "" "opens all once all have sealed" =;

            /// The game goes to a phase (F112).
            Phase { phase: u8, force: bool } Step
            "phase" "N|NAME [force]" "goes to a phase"
                = {phase PHASE} {force Flag("force")};

            /// Whether the seat wants to be asked before a phase ends, or the turn if no phase
            /// is named (F113).
            Stop { phase: Option<u8>, on: bool } Aside
            "stop" "N|NAME|end" "stops there"
                = {on = true} {phase OrWord("end", PHASE)};
            "unstop" "N|NAME|end" "ends that"
                = {on = false} {phase OrWord("end", PHASE)};

            /// The turn goes to a seat, to the next one if none is named (F114).
            PassTurn { to: Option<TableSeat>, force: bool } Step
            "pass" "[SEAT] [force]" "passes the turn"
                = {to MAYBE_SEAT} {force Flag("force")};

            /// Whose turn it is (F115).
            SetActive { seat: Option<TableSeat> } Step
            "active" "SEAT|none" "says whose turn it is"
                = {seat OrWord("none", SEAT)};

            /// Whether the seat is ready (F116).
            Ready { on: bool } Aside
            "ready" "" "is ready"
                = {on = true};
            "unready" "" "is not"
                = {on = false};

            /// The hand goes back, and as many cards are drawn, or as many as before if no number
            /// is said (F117).
            Mulligan { count: Option<u32> } Step
            "mulligan" "[N]" "puts the hand back and draws again"
                = {count Maybe(Number)};

            /// An opening hand for oneself, or for every seat (F214).
            OpeningHand { count: u32, everyone: bool } Step
            "hand" "N [everyone]" "draws an opening hand"
                = {count HAND_SIZE} {everyone Flag("everyone")};

            /// A board is chosen (F118).
            Board { board: Option<u16> } Step
            "board" "N|NAME|none" "chooses a board"
                = {board OrWord("none", BOARD)};

            /// The background is turned (F118).
            Background Step
            "background" "" "turns the background" =;

            /// A line of chat (F119).
            Say { text: String } Aside
            "say" "TEXT" "says something"
                = {text TEXT};

            /// A line about oneself (F125).
            Me { text: String } Aside
            "me" "TEXT" "says what you do"
                = {text TEXT};

            /// A line that stands for a menu entry of the package (F35).
            Announce { text: String } Aside
            "announce" "TEXT" "says a menu entry"
                = {text TEXT};

            /// A line of chat to one seat (F119).
            Whisper { to: TableSeat, text: String } Aside
            "whisper" "SEAT TEXT" "says something to one seat"
                = {to SEAT} {text TEXT};

            /// A sound of the package (F24).
            Sound { name: String } Aside
            "sound" "NAME" "plays a sound"
                = {name TEXT};

            /// The seat gives up (F122).
            Concede Step
            "concede" "" "gives up" =;

            /// The game begins again (F123).
            Reset { soft: bool } Step
            "reset" "[hard]" "begins again"
                = {soft Unless("hard")};

            /// A deck is loaded (F210).
            Load { deck: Arc<DeckList> } Step
            "load" DECK "loads a deck"
                = {deck WHOLE_DECK};

            /// The whole deck anew, with other cards in its sections (F124).
            Sideboard { deck: Arc<DeckList> } Step
            "sideboard" DECK "moves cards between the deck's sections"
                = {deck WHOLE_DECK};

            /// A deck out of one's pool (F217).
            BuildDeck { deck: Arc<DeckList> } Step
            "build" DECK "builds a deck from your pool"
                = {deck WHOLE_DECK};

            /// Packs are opened, by set and pack, with repeats (F217).
            OpenPacks { packs: Vec<(u32, u32)> } Step
            "packs" "SET.PACK …" "opens packs"
                = {packs PACKS};

            /// The seat's cards go (F216).
            Clear Step
            "clear" "" "takes your cards away" =;

            /// The seat's deck list is shown (F215).
            ShowDeck { to: LookerSet } Step
            "showdeck" "EYES" "shows your deck list"
                = {to EYES};

            /// Several verbs as one step: all of them, or none (F63, D74).
            Together { verbs: Arc<[TableVerb]> } Step
            "together" "\"LINE\" \"LINE\" …" "does several lines as one step, or none of them"
                = {verbs Lines};

            /// So many of one's own last steps are taken back (F131).
            Undo { steps: u32 } Step
            "undo" "[N]" "takes back your last steps"
                = {steps Count};

            /// A proposal to go back to the state after a step (F132).
            Propose { step: u32 } Aside
            "propose" "N" "proposes to go back to the state after step N"
                = {step Number};

            /// What was taken back is there again (F136).
            Redo Step
            "redo" "" "restores what was taken back" =;

            /// Yes or no to a question; `always` for good (F16).
            Answer { question: u32, yes: bool, always: bool } Aside
            "answer" "N yes|no|always" "answers a question; no withdraws your own"
                = {question Number} {(yes, always) REPLY};

            /// An entry of the package's menus is run: its own script does what it does (S171). `time` is the
            /// moment, in seconds since 1970 (S26).
            Run {
                entry: u16, cards: Option<VerbCards>, pile: Option<PileId>, at: Option<(i32, i32)>, time: i64
            } Step
            "run" "ENTRY [on CARDS] [in PILE] [at X,Y] [time N]" "runs an entry of the package's menus"
                = {entry MENU_ENTRY} {cards Behind("on", CARDS)} {pile Behind("in", PILE)}
                    {at Behind("at", POINT)} {time NumberBehind("time")};

            /// A card is clicked or double-clicked, where the package's scripts hear of it (S143, S203).
            Click { cards: VerbCards, button: u8, twice: bool, time: i64 } Step
            "click" "CARD [button N] [time N]" "clicks on a card whose package hears of it"
                = {twice = false} {cards CARDS} {button NumberBehind("button")} {time NumberBehind("time")};
            "doubleclick" "CARD [button N] [time N]" "double-clicks on a card"
                = {twice = true} {cards CARDS} {button NumberBehind("button")} {time NumberBehind("time")};

            /// An answer to what a script asks (S176).
            Reply { run: u32, answer: ScriptAnswer } Step
            "reply" "N yes|no|closed|NUMBER|TEXT|places N,N|counted N N" "answers what a script asks"
                = {run Number} {answer SCRIPT_REPLY};

            /// The seat breaks its waiting entry off (S181).
            BreakOff { run: u32 } Aside
            "breakoff" "N" "cancels an entry that waits for an answer"
                = {run Number};

            /// The game is over for this seat (F162).
            EndGame Step
            "endgame" "" "says that the game is over" =;

            /// The seat's hidden cards are shown after the end (F162).
            ShowHidden Step
            "showhidden" "" "shows your hidden cards after the end" =;

            /// A seat is added (F170).
            AddSeat { name: String } Step
            "addseat" "NAME" "adds a seat"
                = {name TEXT};

            /// What the person at this seat is called (F179).
            Rename { name: String } Aside
            "rename" "NAME" "sets your name"
                = {name TEXT};

            /// Nobody is at this seat (F161).
            Away { seat: TableSeat } Host
            "away" "SEAT" "the host: nobody is there"
                = {seat SEAT};

            /// Somebody is at this seat again (F161).
            Present { seat: TableSeat } Host
            "present" "SEAT" "the host: somebody is back"
                = {seat SEAT};

            /// The time for an answer is over (D74).
            TimeOut { question: u32 } Host
            "timeout" "N" "the host: the time for an answer is over"
                = {question Number};
        }
    };
}
pub(crate) use verb_table;

/// From the table: the value, and the list of what can be asked for.
macro_rules! values {
    ($(
        $(#[$about:meta])*
        $verb:ident $({ $($field:ident: $type:ty),+ })? $kind:ident
        $($word:literal $usage:tt $what:literal = $({ $($part:tt)+ })*;)+
    )*) => {
        /// One request of a seat, or of the table itself.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[expect(
            missing_docs,
            reason = "the fields are named after the arguments of the rules that are cited"
        )]
        pub enum TableVerb {
            $($(#[$about])* $verb $({ $($field: $type),+ })?,)*
        }

        /// Words that begin a line, with what follows and what it does. What is not here cannot be asked for,
        /// so that no list of what can be asked for lacks anything.
        pub const VERBS: &[(&str, &str, &str)] = &[$($(($word, $usage, $what),)+)*];

        impl TableVerb {
            fn kind(&self) -> VerbKind {
                match self {
                    $(TableVerb::$verb $({ $($field: _),+ })? => VerbKind::$kind,)*
                }
            }
        }
    };
}
verb_table!(values);

impl TableVerb {
    /// The verbs that it is made of; mostly itself.
    pub fn parts(&self) -> &[TableVerb] {
        match self {
            TableVerb::Together { verbs } => verbs,
            verb => std::slice::from_ref(verb),
        }
    }

    /// Whether it is a step that others' undo has to mind (F131): chat, names, pointing, stops and readiness
    /// are not.
    pub fn is_step(&self) -> bool {
        self.parts().iter().any(|verb| verb.kind() == VerbKind::Step)
    }

    /// Only the table's host may say it.
    pub fn is_of_host(&self) -> bool {
        self.kind() == VerbKind::Host
    }
}
