//! How a duel began, as the store keeps it: no seat's secret is in it.

use std::collections::BTreeSet;
use std::sync::Arc;

use cw_duel::{Game, PerSeat, Seat};
use cw_faces::Catalogue;
use cw_load::{NoTwist, RuleTwist};
use serde::{Deserialize, Serialize};

use cw_pages::ladder::Opponent;
use cw_pages::room::SeatRoom;
use cw_pages::stage::ScenarioStage;
use cw_pages::table::{ChanceOrigin, DuelStart, SeatPlayer, models_of, number_of, seat_of};

/// How a duel began.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StartRecord {
    /// From which the secrets of its seats follow: the duels of a rematch have it in common.
    pub(crate) table: String,
    chance: KeptChance,
    first: Option<u8>,
    decks: [Vec<String>; 2],
    pub(crate) names: [String; 2],
    pub(crate) who: [SeatPlayer; 2],
    illegal_decks: bool,
    /// The text of a scenario file, and which of its scenarios.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stage: Option<(String, usize)>,
    /// Whether the table begins behind the scenario's steps.
    #[serde(default)]
    after_steps: bool,
    /// Whether no coach leads through them.
    #[serde(default)]
    uncoached: bool,
    /// The seat that invited the other one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    invites: Option<u8>,
    /// Somebody else than whoever runs the host has asked for the table.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) of_guest: bool,
    /// For whom the computer plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) opponent: Option<Opponent>,
    /// What is otherwise than in the host's game (D109).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    twist: String,
    /// Where the numbers of its decisions begin: those of an earlier duel of the same seats are stale.
    pub(crate) number: u64,
    /// When it began, in seconds since 1970; 0 if that was not kept.
    #[serde(default)]
    pub(crate) begun: u64,
}

/// Where its chance comes from.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum KeptChance {
    Given(String),
    Drawn(String),
    /// The host's part follows from the store's key, those of the seats stand in the log.
    Agreed,
}

impl StartRecord {
    pub(crate) fn of(room: &SeatRoom, table: &str, game: &Game, of_guest: bool) -> StartRecord {
        let (start, chance, number) = match room {
            SeatRoom::Gathering(gathering) => {
                (&gathering.start, KeptChance::Agreed, gathering.first_number())
            }
            SeatRoom::Playing(playing) => {
                let chance = match &playing.origin {
                    ChanceOrigin::Given(seed) => KeptChance::Given(seed.to_string()),
                    ChanceOrigin::Drawn(seed) => KeptChance::Drawn(seed.to_string()),
                    ChanceOrigin::Agreed(_) => KeptChance::Agreed,
                };
                (&playing.start, chance, playing.first_number())
            }
        };
        let ids = |seat: Seat| {
            let cards = start.decks[seat].iter();
            cards.map(|model| game.model(*model).id.to_string()).collect()
        };
        StartRecord {
            table: table.to_owned(),
            chance,
            first: start.first.map(number_of),
            decks: Seat::BOTH.map(ids),
            names: start.names.0.clone(),
            who: start.who.0,
            illegal_decks: start.allow_illegal_decks,
            stage: start
                .stage
                .as_ref()
                .map(|stage| (stage.text.to_string(), stage.index)),
            after_steps: start.stage.as_ref().is_some_and(|stage| stage.played),
            uncoached: start.stage.as_ref().is_some_and(|stage| !stage.is_lesson()),
            invites: start.invites.map(number_of),
            of_guest,
            opponent: start.opponent.as_deref().cloned(),
            twist: RuleTwist::in_fingerprint(&start.game.fingerprint)
                .unwrap_or_default()
                .to_owned(),
            number,
            begun: crate::clock::today(),
        }
    }

    /// Whether it is a position, a lesson or a puzzle rather than a whole duel.
    pub(crate) fn is_staged(&self) -> bool {
        self.stage.is_some()
    }

    pub(crate) fn read(text: &str) -> Result<StartRecord, String> {
        serde_json::from_str(text).map_err(|fault| format!("its beginning is not valid: {fault}"))
    }

    /// Whether it was a duel of this game, perhaps before the game was changed: cards keep their ids.
    pub(crate) fn is_of(&self, game: &Game) -> bool {
        let known: BTreeSet<String> = game.models.iter().map(|model| model.id.to_string()).collect();
        self.decks.iter().flatten().any(|id| known.contains(id))
    }

    /// The seat that invited the other one.
    pub(crate) fn invites(&self) -> Option<Seat> {
        self.invites.and_then(seat_of)
    }

    pub(crate) fn between_people(&self) -> bool {
        self.who == [SeatPlayer::Person; 2]
    }

    /// `None` if it is agreed on.
    pub(crate) fn origin(&self) -> Result<Option<ChanceOrigin>, String> {
        let read = |text: &String| text.parse().map_err(|_| format!("its seed “{text}” is none"));
        Ok(match &self.chance {
            KeptChance::Given(text) => Some(ChanceOrigin::Given(read(text)?)),
            KeptChance::Drawn(text) => Some(ChanceOrigin::Drawn(read(text)?)),
            KeptChance::Agreed => None,
        })
    }

    pub(crate) fn start(&self, game: &Arc<Game>, catalogue: &Arc<Catalogue>) -> Result<DuelStart, String> {
        let deck = |index: usize| models_of(&self.decks[index], game);
        let twist: RuleTwist = self.twist.parse().map_err(|fault: NoTwist| fault.to_string())?;
        let game = &match twist.is_empty() {
            true => Arc::clone(game),
            false => Arc::new(twist.of_game(game)),
        };
        let seed = match self.origin()? {
            Some(ChanceOrigin::Given(seed)) => Some(seed),
            Some(ChanceOrigin::Drawn(_) | ChanceOrigin::Agreed(_)) | None => None,
        };
        Ok(DuelStart {
            stage: self.stage(game)?,
            game: Arc::clone(game),
            catalogue: Arc::clone(catalogue),
            decks: PerSeat([deck(0)?, deck(1)?]),
            names: PerSeat(self.names.clone()),
            who: PerSeat(self.who),
            seed,
            first: self.first.and_then(seat_of),
            allow_illegal_decks: self.illegal_decks,
            invites: self.invites(),
            opponent: self.opponent.clone().map(Arc::new),
        })
    }

    fn stage(&self, game: &Arc<Game>) -> Result<Option<Arc<ScenarioStage>>, String> {
        let Some((text, index)) = &self.stage else {
            return Ok(None);
        };
        let stages = ScenarioStage::read(text, game).map_err(|fault| fault.message)?;
        let stage = stages.get(*index).cloned();
        let stage = stage.ok_or_else(|| format!("its file has no scenario {index}"))?;
        Ok(Some(match (self.after_steps, self.uncoached) {
            (true, _) => Arc::new(stage.after_its_steps()),
            (false, true) => Arc::new(stage.before_its_steps()),
            (false, false) => stage,
        }))
    }
}
