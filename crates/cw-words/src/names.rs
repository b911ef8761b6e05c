use cw_duel::{AbilityKind, CardId, Duel, Game, Seat, Seen};
use cw_program::{ClosedWord as _, Keyword, ModelId, RuleFlag};

/// Who reads. What the reader may not know is called "a card".
#[derive(Clone, Copy, Debug)]
pub struct EventReader<'a> {
    /// The duel that is spoken of.
    pub duel: &'a Duel,
    /// The seat that reads; `None` is somebody who may know everything.
    pub seat: Option<Seat>,
}

impl<'a> EventReader<'a> {
    /// The game's cards.
    pub fn game(self) -> &'a Game {
        self.duel.game()
    }

    /// The name of a card as the reader knows it now.
    pub fn card(self, card: CardId) -> String {
        self.named(match self.seat {
            None => self.duel.true_model(card),
            Some(seat) => self.duel.known_model(seat, card),
        })
    }

    /// What a card was called when an event told of it, by those who knew it then.
    pub fn seen(self, card: Seen) -> String {
        self.named(match self.seat {
            None => Some(card.true_model()),
            Some(seat) => card.model(seat),
        })
    }

    fn named(self, model: Option<ModelId>) -> String {
        let model = model.and_then(|model| self.game().models.get(usize::from(model.0)));
        model.map_or_else(|| "a card".to_owned(), |model| model.name.to_string())
    }

    /// The name of a model.
    pub fn model(self, model: ModelId) -> &'a str {
        &self.game().model(model).name
    }

    /// A player, as the subject of a sentence.
    pub fn player(self, seat: Seat) -> &'static str {
        match self.seat {
            Some(reader) if reader == seat => "You",
            Some(_) => "The opponent",
            None if seat == Seat::One => "Player 1",
            None => "Player 2",
        }
    }

    /// Whose a card is, after its name.
    pub fn owner(self, seat: Seat) -> &'static str {
        match self.seat {
            Some(reader) if reader == seat => "yours",
            _ => self.players(seat),
        }
    }

    /// Whose something is.
    pub fn players(self, seat: Seat) -> &'static str {
        match self.seat {
            Some(reader) if reader == seat => "your",
            Some(_) => "the opponent's",
            None if seat == Seat::One => "player 1's",
            None => "player 2's",
        }
    }
}

/// ▲, ■ or ● (G9).
pub fn ability_symbol(kind: AbilityKind) -> char {
    match kind {
        AbilityKind::Instant => '▲',
        AbilityKind::Triggered => '■',
        AbilityKind::Auto => '●',
    }
}

/// What a keyword means, in the words of players: attacks are countered, as the phase and the buttons say.
///
/// ```
/// assert_eq!(cw_words::keyword(cw_program::Keyword::Unblockable), "cannot be countered when it attacks");
/// ```
pub fn keyword(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Unblockable => "cannot be countered when it attacks",
        Keyword::CantBlock => "cannot counter",
        Keyword::Pierce => "damage beyond the BP of the character that counters it hits the player",
        Keyword::PreventPierce => "when it counters a United Attack, no damage gets through to the player",
        other => other.meaning(),
    }
}

/// What a rule of the game says, in the words of players.
pub fn rule(flag: RuleFlag) -> &'static str {
    match flag {
        RuleFlag::DmgCombatDeal => "attacking and countering characters deal damage",
        other => other.meaning(),
    }
}

/// A number with its sign, with a real minus.
///
/// ```
/// assert_eq!((cw_words::signed(3), cw_words::signed(-3)), ("+3".to_owned(), "−3".to_owned()));
/// ```
pub fn signed(number: i32) -> String {
    if number < 0 {
        format!("−{}", number.unsigned_abs())
    } else {
        format!("+{number}")
    }
}

/// A word with the article that is spoken before it: "a Main", "an Attack".
pub(crate) fn with_article(word: impl std::fmt::Display) -> String {
    let word = word.to_string();
    let article = match word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) {
        true => "an",
        false => "a",
    };
    format!("{article} {word}")
}

#[cfg(test)]
mod tests {
    use cw_program::{CardType, ClosedWord as _, PhaseName};

    use super::with_article;

    /// Every word that the log speaks with an article has the one that is spoken before it.
    #[test]
    fn words_have_their_article() {
        let phases = PhaseName::ALL.iter().map(|phase| with_article(*phase));
        let types = CardType::ALL.iter().map(|card| with_article(*card));
        let all: Vec<String> = phases.chain(types).map(|words| words.to_lowercase()).collect();
        let wanted = [
            "a setup",
            "an activate",
            "a draw",
            "a main",
            "an attack",
            "a counter-attack",
            "an end",
            "a cleanup",
            "a character",
            "an action",
            "a reaction",
        ];
        assert_eq!(all, wanted);
    }
}
