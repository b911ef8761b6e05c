//! Runs of whoever runs the host. A run is a text in the store, under its seed; its duels are ordinary
//! tables, whose end is taken into the run when somebody looks at it. A change is stored before it is shown.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock};

use cw_duel::{DuelOutcome, PerSeat, Seat};
use cw_pages::ladder::{Opponent, RunPlace};
use cw_pages::runs::{KeptRun, RunStanding};
use cw_pages::table::{DuelStart, SeatPlayer};
use cw_run::{NoRun, NotThisRun, Run, RunAct, RunBook, RunDuel, RunRefused, RunSeed};

use crate::duels::{DuelHall, Invitation};
use crate::hall::HostError;
use crate::lock::locked;
use crate::store::StoreError;

/// What a host knows of runs.
#[derive(Debug, Default)]
pub struct RunShelf {
    /// What the package has for its runs, once somebody asked.
    book: OnceLock<Result<Arc<RunBook>, NoRun>>,
    /// One change at a time.
    writer: Mutex<()>,
}

/// Why something cannot be done in a run.
#[derive(Debug, thiserror::Error)]
pub enum RunFault {
    /// The package has no runs.
    #[error(transparent)]
    NoRun(#[from] NoRun),
    /// The run says no.
    #[error(transparent)]
    Refused(#[from] RunRefused),
    /// The form was made for another state of the run.
    #[error("the run has gone on since this page was made")]
    Stale,
    /// There is no such run.
    #[error("there is no such run")]
    Unknown,
    /// It was begun with another version of the game.
    #[error("the game has changed since this run began, so it cannot go on; forget it and begin again")]
    Changed,
    /// What is kept makes no sense.
    #[error("the run that was kept cannot be read: {0}")]
    Damaged(#[from] NotThisRun),
    /// It cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its duel cannot begin.
    #[error(transparent)]
    Host(#[from] HostError),
}

impl DuelHall {
    /// What the package has for its runs.
    ///
    /// # Errors
    /// Why it has none.
    pub fn run_book(&self) -> Result<Arc<RunBook>, RunFault> {
        let book = self.runs.book.get_or_init(|| {
            let loaded = self.setting.package.now().loaded.clone().ok_or(NoRun::NoGame)?;
            RunBook::of(&loaded).map(Arc::new)
        });
        Ok(book.clone()?)
    }

    fn runs_prefix(&self) -> String {
        let loaded = self.setting.package.now().loaded.clone();
        let id = loaded.map(|loaded| loaded.project.package.definition.id.value.to_string());
        format!("run {} ", id.unwrap_or_default())
    }

    fn keep_run(&self, run: &Run, kept: &KeptRun) -> Result<(), RunFault> {
        let kept = KeptRun {
            record: run.record(),
            fingerprint: self.setting.package.now().game.fingerprint.clone(),
            ..kept.clone()
        };
        let text = serde_json::to_string(&kept).unwrap_or_default();
        let name = format!("{}{}", self.runs_prefix(), run.seed());
        Ok(self.setting.store.keep_text(&name, Some(&text))?)
    }

    /// The runs that are kept, the one that was begun last first. What cannot be read is left where it is.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn kept_runs(&self) -> Result<Vec<(RunSeed, KeptRun)>, RunFault> {
        let prefix = self.runs_prefix();
        let texts = self.setting.store.kept_texts(&prefix)?;
        let read = |(key, text): (String, String)| {
            let seed = key.strip_prefix(&prefix)?.parse().ok()?;
            Some((seed, serde_json::from_str::<KeptRun>(&text).ok()?))
        };
        let mut runs: Vec<(RunSeed, KeptRun)> = texts.into_iter().filter_map(read).collect();
        runs.sort_by_key(|(_, kept)| std::cmp::Reverse(kept.order));
        Ok(runs)
    }

    fn kept_run(&self, seed: RunSeed) -> Result<(Run, KeptRun), RunFault> {
        let name = format!("{}{seed}", self.runs_prefix());
        let text = self.setting.store.kept_texts(&name)?.remove(&name);
        let kept: KeptRun = serde_json::from_str(&text.ok_or(RunFault::Unknown)?)
            .map_err(|fault| NotThisRun::Unreadable(fault.to_string()))?;
        if kept.fingerprint != self.setting.package.now().game.fingerprint {
            return Err(RunFault::Changed);
        }
        Ok((Run::read(self.run_book()?, &kept.record)?, kept))
    }

    /// Begins a run, or finds the one that was begun with this seed.
    ///
    /// # Errors
    /// If the package has no runs, or it cannot be kept.
    pub fn begin_run(&self, seed: RunSeed) -> Result<(), RunFault> {
        let _writer = locked(&self.runs.writer);
        match self.kept_run(seed) {
            Err(RunFault::Unknown) => {}
            found => return found.map(drop),
        }
        let last = self.kept_runs()?.first().map_or(0, |(_, kept)| kept.order);
        let kept = KeptRun {
            order: last + 1,
            ..KeptRun::default()
        };
        self.keep_run(&Run::new(self.run_book()?, seed), &kept)
    }

    /// Forgets a run, with everything that was done in it.
    ///
    /// # Errors
    /// If the store cannot.
    pub fn forget_run(&self, seed: RunSeed) -> Result<(), RunFault> {
        let _writer = locked(&self.runs.writer);
        let name = format!("{}{seed}", self.runs_prefix());
        Ok(self.setting.store.keep_text(&name, None)?)
    }

    /// A run as it stands: how a duel ended that was played since is taken into it first.
    ///
    /// # Errors
    /// If there is no such run, or what has changed cannot be kept.
    pub fn run_now(self: &Arc<DuelHall>, seed: RunSeed) -> Result<RunStanding, RunFault> {
        let _writer = locked(&self.runs.writer);
        let (mut run, kept) = self.kept_run(seed)?;
        if let Some(won) = self.duel_has_ended(&run, &kept) {
            run.act(if won { RunAct::Won } else { RunAct::Lost })?;
            self.keep_run(&run, &kept)?;
        }
        // Of old duels a host keeps the last ones only.
        let listed: BTreeSet<String> = self.listed().iter().map(|one| one.seat.public()).collect();
        let seats = kept.seats(&run).into_iter();
        let watched = seats.map(|seat| seat.filter(|seat| listed.contains(*seat)).map(str::to_owned));
        Ok(RunStanding {
            watched: watched.collect(),
            run,
        })
    }

    /// The run of the same seed that would be lost if this one was taken over. One that this one goes on from
    /// is not.
    pub fn replaced_by(&self, run: &Run) -> Option<Run> {
        let (own, _) = self.kept_run(run.seed()).ok()?;
        (!run.acts().starts_with(own.acts())).then_some(own)
    }

    /// Takes over a run from a link, in place of the one of the same seed.
    ///
    /// # Errors
    /// If it cannot be kept; the own one is there as it was then.
    pub fn take_run(&self, run: &Run) -> Result<(), RunFault> {
        let _writer = locked(&self.runs.writer);
        let last = self.kept_runs()?.first().map_or(0, |(_, kept)| kept.order);
        let same = |own: &Run| {
            let both = own.acts().iter().zip(run.acts());
            both.take_while(|(own, other)| own == other).count()
        };
        let kept = match self.kept_run(run.seed()) {
            Ok((own, kept)) => kept.until(same(&own)),
            Err(_) => KeptRun::default(),
        };
        let order = last + 1;
        self.keep_run(run, &KeptRun { order, ..kept })
    }

    /// Whether the duel that the run waits for was won, once it is over.
    fn duel_has_ended(self: &Arc<DuelHall>, run: &Run, kept: &KeptRun) -> Option<bool> {
        run.foe_now()?;
        let name = kept.table_of(run.acts().len())?;
        // A table that cannot be woken now is asked again the next time.
        let (cell, seat) = self.wake(name).ok()??;
        let outcome = cell.room().table()?.duel().outcome()?;
        Some(matches!(outcome, DuelOutcome::Won { winner, .. } if winner == seat))
    }

    /// Does something in a run of which so many acts are known.
    ///
    /// # Errors
    /// If it cannot be done or kept; nothing has changed then.
    pub fn act_in_run(&self, seed: RunSeed, known: usize, act: RunAct) -> Result<(), RunFault> {
        let _writer = locked(&self.runs.writer);
        let (mut run, kept) = self.kept_run(seed)?;
        if run.acts().len() != known {
            return Err(RunFault::Stale);
        }
        // Duels are played, not told.
        if matches!(act, RunAct::Won | RunAct::Lost) {
            return Err(RunRefused::NotNow.into());
        }
        run.act(act)?;
        self.keep_run(&run, &kept)
    }

    /// How the duel begins that a run waits for.
    pub(crate) fn start_of_run(&self, run: &Run, duel: &RunDuel) -> DuelStart {
        let foe = &run.book().foes[duel.foe];
        let level = cw_players::Level::named(&duel.level).unwrap_or(cw_players::Level::BEST);
        DuelStart {
            game: Arc::clone(&duel.game),
            catalogue: Arc::clone(&self.setting.package.now().catalogue),
            decks: duel.decks.clone(),
            names: PerSeat(["Your deck".to_owned(), foe.deck_name.clone()]),
            who: PerSeat([SeatPlayer::Person, SeatPlayer::Computer(level)]),
            seed: Some(duel.seed),
            first: None,
            allow_illegal_decks: true,
            stage: None,
            invites: None,
            opponent: Some(Arc::new(Opponent {
                name: foe.name.clone(),
                card: foe.card.clone(),
                deck: foe.deck_name.clone(),
                level: duel.level.clone(),
                about: foe.about.clone(),
                lines: foe.lines.clone(),
                rule: foe.rule.clone(),
                run: Some(RunPlace::of(run)),
            })),
        }
    }

    /// The way to the seat of the duel that a run waits for; it begins now if it has not yet.
    ///
    /// # Errors
    /// If no duel is waited for, or it cannot begin.
    pub fn duel_of_run(self: &Arc<DuelHall>, seed: RunSeed) -> Result<String, RunFault> {
        let _writer = locked(&self.runs.writer);
        let (run, mut kept) = self.kept_run(seed)?;
        let duel = run.duel().ok_or(RunRefused::NotNow)?;
        if let Some(name) = kept.table_of(run.acts().len())
            && let Ok(Some((cell, seat))) = self.wake(name)
        {
            return Ok(cell.secret(seat).reveal());
        }
        let start = self.start_of_run(&run, &duel);
        let begun: Invitation = self.open_duel(start)?[Seat::One.index()].clone();
        let secret = begun.path.trim_start_matches("/join/").to_owned();
        let name = cw_pages::secret::Secret::read(&secret).map(|secret| secret.public());
        let acts = run.acts().len();
        kept.tables.retain(|(known, _)| *known != acts);
        kept.tables.push((acts, name.unwrap_or_default()));
        self.keep_run(&run, &kept)?;
        Ok(secret)
    }
}
