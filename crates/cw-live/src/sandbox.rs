//! A board that was set up by hand, as a scenario.

use std::fmt::Write as _;
use std::sync::Arc;

use cw_duel::Game;
use serde::Deserialize;

/// A position that somebody has laid out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxBoard {
    /// What the scenario is called.
    pub name: String,
    /// The phase that begins, as scenarios write it.
    pub phase: String,
    /// The player whose turn it is.
    pub me: SandboxSide,
    /// The other one.
    pub opponent: SandboxSide,
}

/// What one player has there.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxSide {
    /// Hit points; as at the start of a duel if left out.
    pub hp: Option<i32>,
    /// Skill points; as at the start of a duel if left out.
    pub sp: Option<i32>,
    /// The slots of the ring.
    #[serde(default)]
    pub ring: Vec<Option<SandboxCharacter>>,
    /// Ids of the cards in hand.
    #[serde(default)]
    pub hand: Vec<String>,
    /// Ids of the cards in the discard pile, top first.
    #[serde(default)]
    pub discards: Vec<String>,
    /// Ids of the topmost cards of the deck, top first. Without any, the deck is filled up.
    #[serde(default)]
    pub deck: Vec<String>,
}

/// A character on a sandbox board.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxCharacter {
    /// Its id.
    pub card: String,
    /// Its BP, if not what is printed.
    pub bp: Option<i32>,
    /// Whether it is frozen.
    #[serde(default)]
    pub frozen: bool,
    /// Whether it has just entered.
    #[serde(default)]
    pub fresh: bool,
}

/// Cards on one side of a board.
const MOST_CARDS: usize = 120;

impl SandboxBoard {
    /// The board as a scenario file with one scenario, which can be set up in this game.
    ///
    /// # Errors
    /// Words for whoever laid it out.
    pub fn scenario(&self, game: &Arc<Game>) -> Result<String, String> {
        let name = cw_text::one_line(&self.name).ok_or("give the board a name first")?;
        let mut text = format!("[[scenario]]\nname = {}\n", quoted(&name));
        let _ = writeln!(text, "phase = {}", quoted(&self.phase));
        for (who, side) in [("me", &self.me), ("opponent", &self.opponent)] {
            side.write(&mut text, who, game)?;
        }
        let file = cw_scenario::read(&text).map_err(|fault| fault.message)?;
        let scenario = file.scenarios.first().ok_or("there is no board")?;
        cw_scenario::check(scenario, game).map_err(|fault| fault.message)?;
        Ok(text)
    }
}

impl SandboxSide {
    fn write(&self, text: &mut String, who: &str, game: &Game) -> Result<(), String> {
        let many = self.ring.len() + self.hand.len() + self.discards.len() + self.deck.len();
        if many > MOST_CARDS {
            return Err(format!("a side of a board has at most {MOST_CARDS} cards"));
        }
        for (key, number) in [("hp", self.hp), ("sp", self.sp)] {
            if let Some(number) = number {
                let _ = writeln!(text, "{who}.{key} = {number}");
            }
        }
        let mut fighters = Vec::new();
        for (slot, fighter) in self.ring.iter().enumerate() {
            let Some(fighter) = fighter else { continue };
            let mut parts = vec![
                format!("card = {}", card(&fighter.card, game)?),
                format!("slot = {}", slot + 1),
            ];
            parts.extend(fighter.bp.map(|bp| format!("bp = {bp}")));
            parts.extend(fighter.frozen.then(|| "frozen = true".to_owned()));
            parts.extend(fighter.fresh.then(|| "fresh = true".to_owned()));
            fighters.push(format!("{{ {} }}", parts.join(", ")));
        }
        if !fighters.is_empty() {
            let _ = writeln!(text, "{who}.ring = [\n  {},\n]", fighters.join(",\n  "));
        }
        for (key, pile) in [
            ("hand", &self.hand),
            ("discards", &self.discards),
            ("deck", &self.deck),
        ] {
            if !pile.is_empty() {
                let cards: Result<Vec<String>, String> = pile.iter().map(|id| card(id, game)).collect();
                let _ = writeln!(text, "{who}.{key} = [{}]", cards?.join(", "));
            }
        }
        Ok(())
    }
}

/// The card's name as a scenario writes it; its id where another card has the same name.
fn card(id: &str, game: &Game) -> Result<String, String> {
    let model = game.models.iter().find(|model| *model.id == *id);
    let model = model.ok_or("one of the cards is no longer in the game")?;
    let is_unique = game.named(&model.name).count() == 1;
    Ok(quoted(if is_unique { &model.name } else { &model.id }))
}

/// A text as TOML writes it: JSON's form is one of its own.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Arc<Game> {
        let play = cw_stage::start("Spur action: action = draw()", "me Rook");
        Arc::clone(play.duel.game())
    }

    fn board(game: &Game, json: &str) -> SandboxBoard {
        let id = |name: &str| game.model(game.find(name).expect("it is there")).id.to_string();
        let json = json.replace("ROOK", &id("Rook")).replace("SPUR", &id("Spur"));
        serde_json::from_str(&json).expect("it is a board")
    }

    /// What was laid out is a scenario that begins like this; what cannot stand is refused in words.
    #[test]
    fn a_board_is_a_scenario() {
        let game = game();
        let laid = r#"{"name":"A try","phase":"main","me":{"sp":4,"hand":["SPUR"]},
            "opponent":{"hp":900,"ring":[null,{"card":"ROOK","bp":200,"frozen":true}]}}"#;
        let text = board(&game, laid).scenario(&game).expect("it can stand");
        let file = cw_scenario::read(&text).expect("it is a file");
        let (duel, _) = cw_scenario::begin(&file.scenarios[0], &game).expect("it begins");
        let view = duel.snapshot();
        let other = &view.players[cw_duel::Seat::Two];
        assert_eq!((other.hp, view.players[cw_duel::Seat::One].sp), (900, 4));
        let fighter = other.ring[1].as_ref().expect("it stands in slot 2");
        assert_eq!((fighter.bp, fighter.frozen), (200, true));
        let spur = laid.replace("ROOK", "SPUR");
        let words = board(&game, &spur)
            .scenario(&game)
            .expect_err("an action does not stand");
        assert!(words.contains("character"), "{words}");
        let gone = laid.replace("ROOK", "nobody");
        assert!(board(&game, &gone).scenario(&game).is_err());
        let nameless = laid.replace("A try", "  ");
        assert!(board(&game, &nameless).scenario(&game).is_err());
    }
}
