//! The puzzle of the day: made once a day, when somebody asks for it.

use cw_run::RunSeed;

use super::*;

/// The puzzle that was made last, and for which day and game; none if the game has too few cards for one.
#[derive(Debug, Default)]
pub struct MadeToday(Mutex<Option<(RunSeed, String, Option<Arc<ScenarioStage>>)>>);

impl DuelHall {
    /// The puzzle of a day, the same one at every host of the same game.
    pub fn puzzle_of(&self, day: RunSeed) -> Option<Arc<ScenarioStage>> {
        let game = Arc::clone(&self.setting.package.now().game);
        // Who asks meanwhile waits for it: it is the same one.
        let mut made = locked(&self.daily.0);
        if let Some((known, of, stage)) = &*made
            && *known == day
            && *of == game.fingerprint
        {
            return stage.clone();
        }
        let stage = ScenarioStage::of_day(day, &game);
        *made = Some((day, game.fingerprint.clone(), stage.clone()));
        stage
    }
}
