//! Computers at the tables: one thinks at a time for each table, and no longer than its budget.

use super::*;

/// What a computer thinks about.
struct Thought {
    /// The decision, as the table numbers it.
    number: u64,
    /// How many steps were taken.
    step: u64,
    level: Level,
    against_a_person: bool,
    /// What a lesson's script wants.
    cue: Option<cw_duel::Choice>,
    duel: cw_duel::Duel,
}

impl Thought {
    /// The computer's choice. Its seed is what it sees and how far the duel has gone, so that the same
    /// position gives the same choice again, also after a restart. Against a person it knows no deck list.
    pub(super) fn choose(
        &self,
        lists: &[Vec<ModelId>],
        values: Option<&PositionWeights>,
    ) -> Option<cw_duel::Choice> {
        let lists = match self.against_a_person {
            true => Lists::Closed(lists),
            false => Lists::Open,
        };
        let eyes = SeatEyes::of_who_is_asked(&self.duel)?.knowing(lists);
        let seed = mix(&[sight(&eyes.view()), self.step]);
        let ask = cw_players::Ask {
            budget: self.level.budget(),
            values,
            ..eyes.ask(seed)
        };
        // Lanes of a large search are shared among the processors; how many there are changes no choice.
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Some(self.level.choose_on(&ask, threads))
    }
}

/// Tells that a computer thinks, as long as it lives.
struct Thinking<'a>(&'a AtomicBool);

impl Drop for Thinking<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl DuelHall {
    /// After a change: lets a computer go on.
    pub(super) fn let_computers_go_on(self: &Arc<DuelHall>, cell: &Arc<HostedDuel>) {
        // Outside of a runtime nothing can wait; the server settles all tables when it starts.
        if next_thought(cell).is_some() {
            let play = Arc::clone(self).let_computers_play(Arc::clone(cell));
            self.tasks.spawn(play);
        }
    }

    /// Computers answer until somebody else must, or the duel is over; one at a time for each table, no
    /// longer than its budget, and on threads of their own.
    pub(super) async fn let_computers_play(self: Arc<DuelHall>, cell: Arc<HostedDuel>) {
        while !cell.beside.thinking.swap(true, Ordering::AcqRel) {
            let thinking = Thinking(&cell.beside.thinking);
            while let Some(thought) = next_thought(&cell) {
                let permit = self.thinkers.acquire().await;
                let (hall, own) = (Arc::clone(&self), Arc::clone(&cell));
                let thought = self.tasks.work(move || hall.think(&own, &thought));
                let pause = match thought.await {
                    Ok((Ok(()), spent)) => locked(&cell.beside.budget).spend(spent).min(MOST_PAUSE),
                    Ok((Err(Refused::NotKept), _)) => TRY_AGAIN,
                    Ok((Err(_), _)) | Err(_) => return,
                };
                drop(permit);
                // Who has used its share up thinks slower, so that others get theirs.
                self.tasks.sleep(pause).await;
            }
            drop(thinking);
            // Somebody may have answered between the last look and the release.
            if next_thought(&cell).is_none() {
                return;
            }
        }
    }

    fn think(&self, cell: &HostedDuel, thought: &Thought) -> (Result<(), Refused>, Duration) {
        let begun = Moment::now();
        // A lesson is followed with the eyes.
        let choice = thought.cue.or_else(|| {
            thought.choose(
                &self.setting.package.now().lists,
                self.setting.package.now().values.as_deref(),
            )
        });
        let spent = begun.elapsed();
        if spent > LONG_THOUGHT {
            let cards = thought.duel.pending().into_iter();
            let cards = cards.flat_map(|decision| decision.options.iter().filter_map(|choice| choice.card()));
            let seat = thought.duel.pending().map(|decision| decision.seat);
            let known = cards.filter_map(|card| thought.duel.known_model(seat?, card));
            self.note_slow(&known.collect::<Vec<_>>());
        }
        let changed = self.change(cell, |room| {
            let table = room.playing()?;
            if let Some(choice) = choice {
                table.choose_for_computer(thought.number, choice);
            }
            Ok(())
        });
        (changed, spent)
    }
}

fn next_thought(cell: &HostedDuel) -> Option<Thought> {
    let room = cell.room();
    let table = room.table()?;
    Some(Thought {
        number: table.number(),
        step: table.last() as u64,
        level: table.computer_to_move()?,
        against_a_person: table.computer_plays_a_person(),
        cue: table.cue(),
        duel: table.duel().clone(),
    })
}
