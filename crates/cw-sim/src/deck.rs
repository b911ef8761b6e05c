//! What chance brought from a deck, beside what was to be expected.

use cw_duel::{CardId, DuelEvent, Game, PerSeat, Seat, Seen, StatementOrigin, ZoneKind, ZoneLocation};
use cw_program::{Command, ModelId, Op, PileName, RuleEffectKind, Target, ZonePlace};

/// A card, in the units in which shares of one are added up. Divided by the number of cards it is wrong by
/// less than a millionth of a millionth.
const CARD: i64 = 1_000_000_000_000;
/// So many of them are a millionth of a card.
const MILLIONTH: i64 = 1_000_000;

/// What is in a deck, and by how much more of each card was drawn from it than was to be expected.
///
/// Where nobody knows anything of how a deck lies, every one of its cards is as likely as the others to be on
/// top. What a draw brings is then a surprise: a card more of that model, less the share of each model in the
/// deck. Whatever the players do with what they drew, the mean over all duels is 0: what is added has the
/// mean 0 at each draw, given all that happened before it. As soon as somebody has seen, chosen or put a card
/// in the deck, nothing is added any more until it is shuffled.
#[derive(Debug)]
pub(crate) struct DeckContents {
    /// Whether every order of its cards is as likely as the others, for whoever knows what all players know.
    even: bool,
    /// Cards in it.
    cards: i64,
    /// Which, as bits.
    inside: [u64; 4],
    /// The sum of [`CARD`] ÷ cards over all draws that were a surprise.
    expected: i64,
    lines: Vec<ModelCopies>,
    /// By model: its place in `lines` and one more; 0 if it has none.
    places: Vec<u16>,
}

/// A model in a deck.
#[derive(Debug)]
struct ModelCopies {
    model: ModelId,
    copies: i64,
    /// `expected` when `copies` or `surprise` changed last.
    since: i64,
    /// In units of [`CARD`].
    surprise: i64,
}

impl ModelCopies {
    /// Takes off what was expected of it since the last time.
    fn settle(&mut self, expected: i64) {
        self.surprise -= self.copies * (expected - self.since);
        self.since = expected;
    }
}

/// How a card leaves a deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// It is drawn from the top.
    Drawn,
    /// It goes from the top to the discards.
    Trashed,
    /// It was found or chosen, or nobody knows how.
    Chosen,
}

impl DeckContents {
    fn new(cards: &[ModelId], first: usize, models: usize) -> DeckContents {
        let mut deck = DeckContents {
            even: false,
            cards: 0,
            inside: [0; 4],
            expected: 0,
            lines: Vec::with_capacity(32),
            places: vec![0; models],
        };
        for (card, model) in (first..).zip(cards) {
            deck.put(card, *model);
        }
        deck
    }

    /// Both decks at the beginning of a duel.
    pub fn both(game: &Game, decks: &cw_duel::Decks) -> PerSeat<DeckContents> {
        let split = decks[Seat::One].len();
        PerSeat::from_fn(|seat| {
            let first = if seat == Seat::One { 0 } else { split };
            DeckContents::new(&decks[seat], first, game.models.len())
        })
    }

    /// From now on somebody knows, or may know, something of how the deck lies.
    pub fn is_known(&mut self) {
        self.even = false;
    }

    /// By model: by how many millionths of a card more was drawn than was to be expected.
    pub fn surprises(&mut self) -> impl Iterator<Item = (ModelId, i32)> {
        let expected = self.expected;
        self.lines.iter_mut().map(move |line| {
            line.settle(expected);
            let millionths = (line.surprise / MILLIONTH).clamp(i32::MIN.into(), i32::MAX.into());
            (line.model, i32::try_from(millionths).unwrap_or_default())
        })
    }

    fn line(&mut self, model: ModelId) -> Option<&mut ModelCopies> {
        let place = self.places.get_mut(usize::from(model.0))?;
        if *place == 0 {
            self.lines.push(ModelCopies {
                model,
                copies: 0,
                since: self.expected,
                surprise: 0,
            });
            *place = u16::try_from(self.lines.len()).ok()?;
        }
        self.lines.get_mut(usize::from(*place) - 1)
    }

    /// So many more copies of a model than before.
    fn change(&mut self, model: ModelId, copies: i64, surprise: i64) {
        let expected = self.expected;
        if let Some(line) = self.line(model) {
            line.settle(expected);
            line.copies += copies;
            line.surprise += surprise;
        }
    }

    fn put(&mut self, card: usize, model: ModelId) {
        if let Some(bits) = self.inside.get_mut(card / 64) {
            *bits |= 1 << (card % 64);
        }
        self.cards += 1;
        self.change(model, 1, 0);
    }

    fn holds(&self, card: CardId) -> bool {
        let card = usize::from(card.0);
        self.inside
            .get(card / 64)
            .is_some_and(|bits| bits >> (card % 64) & 1 == 1)
    }

    fn leaves(&mut self, card: Seen, way: Way) {
        let mut surprise = 0;
        if way == Way::Chosen {
            self.even = false;
        } else if way == Way::Drawn && self.even && self.cards > 0 {
            self.expected += CARD / self.cards;
            surprise = CARD;
        }
        let at = usize::from(card.card.0);
        if let Some(bits) = self.inside.get_mut(at / 64) {
            *bits &= !(1 << (at % 64));
        }
        self.cards -= 1;
        self.change(card.true_model(), -1, surprise);
    }
}

/// Follows both decks.
pub(crate) fn follow(game: &Game, decks: &mut PerSeat<DeckContents>, event: &DuelEvent) {
    const DECK: ZoneKind = ZoneKind::Pile(PileName::Deck);
    match *event {
        DuelEvent::Shuffled {
            seat,
            pile: PileName::Deck,
        } => decks[seat].even = true,
        DuelEvent::Looked { deck, .. } => decks[deck].is_known(),
        DuelEvent::Moved { card, from, to, by } => {
            if from.zone == DECK {
                decks[from.seat].leaves(card, way(game, to, by));
            }
            if to.zone == DECK {
                decks[to.seat].put(usize::from(card.card.0), card.true_model());
                decks[to.seat].is_known();
            }
        }
        DuelEvent::Shown { card } => {
            for deck in &mut decks.0 {
                if deck.holds(card.card) {
                    deck.is_known();
                }
            }
        }
        DuelEvent::Played { card, .. } => {
            for deck in &mut decks.0 {
                if deck.holds(card.card) {
                    deck.leaves(card, Way::Chosen);
                }
            }
        }
        DuelEvent::Transformed { card, into } => {
            for deck in &mut decks.0 {
                if deck.holds(into.card) {
                    deck.is_known();
                    deck.change(card.true_model(), -1, 0);
                    deck.change(into.true_model(), 1, 0);
                }
            }
        }
        DuelEvent::Activated { card, .. } | DuelEvent::Triggered { card, .. }
            if peeks(game, card.true_model()) =>
        {
            decks.0.iter_mut().for_each(DeckContents::is_known);
        }
        _ => {}
    }
}

/// How a card left a deck: nobody can choose what is drawn, or trashed from the top.
fn way(game: &Game, to: ZoneLocation, by: Option<StatementOrigin>) -> Way {
    let Some(by) = by else {
        return match to.zone {
            ZoneKind::Pile(PileName::Hand) => Way::Drawn,
            _ => Way::Chosen,
        };
    };
    let program = game.model(by.place.model).program.as_ref();
    let command = program.and_then(|program| {
        let Op::Effect(step) = program.ops.get(usize::from(by.place.step))? else {
            return None;
        };
        match &program.effects.get(usize::from(*step))?.effect.kind {
            RuleEffectKind::Command(command) => Some(command),
            RuleEffectKind::Grant(_) | RuleEffectKind::Remove(_) => None,
        }
    });
    match command {
        Some(Command::Draw(_)) => Way::Drawn,
        Some(Command::Trash(_)) => Way::Trashed,
        _ => Way::Chosen,
    }
}

/// Whether a card's rule looks for the first or last of the cards of a deck that fit: what it finds, or that
/// it finds nothing, tells something of how the deck lies.
fn peeks(game: &Game, model: ModelId) -> bool {
    let looks =
        |target: &Target| target.pick.is_some() && target.zone.place == ZonePlace::Pile(PileName::Deck);
    game.model(model).program.as_ref().is_some_and(|program| {
        let clauses = program.clauses.iter().chain(&program.rule.target);
        clauses.flat_map(|clause| clause.targets.iter()).any(looks)
            || program.rule.requisites.iter().any(looks)
            || program.rule.filters.iter().flatten().any(looks)
    })
}
