//! A table that goes on under another version of its game (D108).

use std::sync::Arc;

use cw_duel::{CarryFault, CarryNote, Game, GameChange, PerSeat};
use cw_faces::Catalogue;
use cw_program::ModelId;

use super::{DuelStart, DuelTable, PendingLog, SeatSettings, SentenceNames, TablePlace, TableStep};
use crate::secret::Secret;
use crate::stage::ScenarioStage;

/// A table under the new version of its game.
#[derive(Debug)]
pub struct CarriedTable {
    /// It begins with the position that was carried over.
    pub table: DuelTable,
    /// How many choices were taken back: an effect was in progress.
    pub back: usize,
    /// Whether what nobody knows was shuffled again: something came to light in what was taken back.
    pub reshuffled: bool,
    /// What could not simply be carried over.
    pub notes: Vec<CarryNote>,
}

impl DuelStart {
    /// The same beginning under the new version of the game; cards that are gone are left out of the decks.
    #[must_use]
    pub fn under(&self, change: &GameChange, catalogue: &Arc<Catalogue>) -> DuelStart {
        let game = change.new_game();
        let deck = |cards: &Vec<ModelId>| cards.iter().filter_map(|card| change.number(*card)).collect();
        DuelStart {
            game: Arc::clone(game),
            catalogue: Arc::clone(catalogue),
            decks: PerSeat::from_fn(|seat| deck(&self.decks[seat])),
            stage: self.stage.as_ref().and_then(|stage| stage_under(stage, game)),
            ..self.clone()
        }
    }
}

/// The scenario under the new version; `None` if its position cannot be set up there.
fn stage_under(stage: &ScenarioStage, game: &Arc<Game>) -> Option<Arc<ScenarioStage>> {
    let stages = ScenarioStage::read(&stage.text, game).ok()?;
    let again = stages.get(stage.index)?;
    Some(match stage.played {
        true => Arc::new(again.after_its_steps()),
        false => Arc::clone(again),
    })
}

impl DuelTable {
    /// The table goes on from the same position under the new version of its game. What was done before stays
    /// in the old one: the log begins again, and nothing before this moment can be taken back.
    ///
    /// # Errors
    /// If the position cannot stand there.
    pub fn carried(
        &self,
        change: &GameChange,
        catalogue: &Arc<Catalogue>,
        next_secret: Secret,
    ) -> Result<CarriedTable, CarryFault> {
        let carried = self.timeline.carried(change)?;
        let mut start = self.start.under(change, catalogue);
        // A coach speaks of choices that were made elsewhere.
        start.stage = start.stage.map(|stage| Arc::new(stage.before_its_steps()));
        let duel = carried.timeline.now();
        let beginning = TableStep {
            events: Vec::new(),
            by: None,
            choice: None,
            reseeded: false,
            turn: duel.turn(),
            told: PerSeat::default(),
        };
        let seats = PerSeat::from_fn(|seat| {
            let place = &self.seats[seat];
            let mut policy = place.policy.clone();
            // A question of another rule is asked again.
            policy.habits.retain(|(place, _)| {
                let card = change.card(place.model);
                !card.is_some_and(|card| card.rule)
            });
            TablePlace {
                policy: SeatSettings::of(&policy, change.old()).policy(change.new_game()),
                name: place.name.clone(),
                ..TablePlace::new(place.who, place.secret.clone())
            }
        });
        let table = DuelTable {
            names: Arc::new(SentenceNames::of(&start.game)),
            seats,
            origin: self.origin.clone(),
            steps: vec![Arc::new(beginning)],
            timeline: carried.timeline,
            beginning: 0,
            log: PendingLog::new(self.number() + 1),
            asking: None,
            reshuffles: Vec::new(),
            remarks: self.remarks,
            next_secret,
            is_carried: true,
            start: Arc::new(start),
        };
        Ok(CarriedTable {
            table,
            back: carried.back,
            reshuffled: carried.reshuffled,
            notes: carried.notes,
        })
    }

    /// Whether it began under another version of its game: its log does not lead there from the decks, so it
    /// is neither recorded nor read back.
    pub fn is_carried(&self) -> bool {
        self.is_carried
    }
}
