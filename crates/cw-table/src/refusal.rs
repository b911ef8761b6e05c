use crate::TableSeat;

/// Why a verb was refused; nothing has changed then (F63).
///
/// What is said about a card that the seat does not know never depends on what the card is (F163).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant says itself what it means")]
pub enum VerbRefusal {
    #[error("there is no card {0} in your view")]
    NoSuchCard(u32),
    #[error("the card has moved")]
    Moved,
    #[error("no card is named")]
    NoCards,
    #[error("{0} Say {1}, for example")]
    Missing(String, String),
    #[error("say on which {0}, with “on …” after the entry")]
    NothingChosen(&'static str),
    #[error("something is missing: {0}")]
    Incomplete(String),
    #[error("it takes at least one")]
    Zero,
    #[error("a card is named twice")]
    Twice,
    #[error("there is no such pile")]
    NoSuchPile,
    #[error("there is no such seat")]
    NoSuchSeat,
    #[error("you do not control it")]
    NotYours,
    #[error("that needs cards on the table")]
    NotOnTable,
    #[error("that needs cards in a pile")]
    NotInPile,
    #[error(
        "{0} has no order, so it has no top, bottom or places: name its cards by the numbers of your view"
    )]
    Unordered(String),
    #[error("another's pile takes cards at its top or bottom only")]
    EndsOnly,
    #[error("you do not know that card")]
    Unknown,
    #[error("you have no hand: name a pile")]
    NoHand,
    #[error("you have no deck: name a pile")]
    NoDeck,
    #[error("the pile may not be looked into")]
    Protected,
    #[error("you are not looking at that pile")]
    NotLooking,
    #[error("that marker cannot be dragged")]
    CannotDrag,
    #[error("{0} has one form only")]
    OneForm(String),
    #[error("the forms of {0} are 0 to {1}")]
    NoSuchForm(String, u8),
    #[error("there is no such marker")]
    NoSuchMarker,
    #[error("there are no such markers on the card")]
    NoMarkers,
    #[error("there is no such counter")]
    NoSuchCounter,
    #[error("there is no such phase")]
    NoSuchPhase,
    #[error("there is no such board")]
    NoSuchBoard,
    #[error("there is no such note")]
    NoSuchNote,
    #[error("there is no such card in the package")]
    NoSuchModel,
    #[error("it is the turn of seat {0}")]
    NotYourTurn(TableSeat),
    #[error("only tokens and cards that you made can be deleted; move others to a pile")]
    NotDeletable,
    #[error("only the owner may say that")]
    OwnerOnly,
    #[error("you have sealed a value already")]
    SealedAlready,
    #[error("you have not sealed a value")]
    NothingSealed,
    #[error("you have no such question to answer")]
    NoQuestion,
    #[error("another proposal waits for an answer")]
    OneProposal,
    #[error("nobody else is there to agree")]
    NobodyToAsk,
    #[error("that cannot be taken back alone: {0}")]
    NotAlone(&'static str),
    #[error("that cannot be taken back: {0}")]
    Never(&'static str),
    #[error("that is too far back")]
    FurtherBack,
    #[error("nothing can be restored")]
    NothingToRedo,
    #[error("the limit of {0} has been reached")]
    Limit(&'static str),
    #[error("{0} is not possible here")]
    Impossible(&'static str),
    #[error("the section “{0}” of the deck has no pile: choose one")]
    NoPileForSection(String),
    #[error("there are no cards in the deck “{0}”; `deck NAME` loads a deck of the package")]
    EmptyDeck(String),
    #[error("the package has no property “{0}”; it has {1}")]
    NoSuchProperty(String, String),
    #[error("the shared deck is loaded already")]
    SharedLoaded,
    #[error("the deck has been used: you can change it right after a reset, before anything else")]
    Touched,
    #[error("the pool does not have that many of these cards")]
    NotInPool,
    #[error("“{0}” is not understood{1}")]
    NotUnderstood(String, String),
    #[error("a card cannot be attached to itself or to what is attached to it")]
    Circle,
    #[error("{0}")]
    Script(String),
    #[error("the game has ended")]
    Ended,
    #[error("something went wrong at the table; nothing has changed ({0})")]
    Broken(String),
}
