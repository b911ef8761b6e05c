//! The puzzle of the day: made once a day, when somebody asks for it.

use cw_run::RunSeed;

use super::*;

/// The puzzle that was made last.
#[derive(Debug, Default)]
pub struct MadeToday(Mutex<Option<DayPuzzle>>);

/// The puzzle of a day.
#[derive(Debug)]
struct DayPuzzle {
    day: RunSeed,
    /// The fingerprint of the game that it is of.
    game: String,
    /// None if the game has too few cards for one.
    stage: Option<Arc<ScenarioStage>>,
}

impl DuelHall {
    /// The puzzle of a day, the same one at every host of the same game.
    pub fn puzzle_of(&self, day: RunSeed) -> Option<Arc<ScenarioStage>> {
        let game = Arc::clone(&self.setting.package.now().game);
        // Who asks meanwhile waits for it: it is the same one.
        let mut made = locked(&self.daily.0);
        if let Some(known) = &*made
            && known.day == day
            && known.game == game.fingerprint
        {
            return known.stage.clone();
        }
        let stage = ScenarioStage::of_day(day, &game);
        *made = Some(DayPuzzle {
            day,
            game: game.fingerprint.clone(),
            stage: stage.clone(),
        });
        stage
    }
}
