use std::sync::Arc;

/// One step of a history, as data: enough to take it again.
pub trait HistoryStep {
    /// What never changes while a game goes on.
    type Game;
    /// All that does.
    type State: Clone;

    /// The step before which the game stood as this one found it; none: it goes on from the newest state.
    fn base(&self) -> Option<usize> {
        None
    }

    /// Takes a step again that was possible once, from the same state.
    fn again(&self, game: &Self::Game, state: &mut Self::State);
}

/// States are kept this often.
const SPACING: usize = 32;
/// So many at most; of older ones fewer stay than of newer ones.
const MOST_KEPT: usize = 96;

/// A log of steps and the state after each.
///
/// Steps are taken elsewhere, by the game's own rules: [`Timeline::push`] gets a step with the state that it
/// led to. A copy shares the kept states.
#[derive(Debug)]
pub struct Timeline<S: HistoryStep> {
    game: S::Game,
    /// The number of the first step that is at hand.
    first: usize,
    steps: Vec<S>,
    // Invariant: by number, which grow; the first is the state before all steps that are at hand.
    kept: Vec<(usize, Arc<S::State>)>,
    now: S::State,
}

impl<S: HistoryStep + Clone> Clone for Timeline<S>
where
    S::Game: Clone,
{
    fn clone(&self) -> Timeline<S> {
        Timeline {
            game: self.game.clone(),
            first: self.first,
            steps: self.steps.clone(),
            kept: self.kept.clone(),
            now: self.now.clone(),
        }
    }
}

impl<S: HistoryStep> Timeline<S> {
    /// Begins with a state.
    pub fn new(game: S::Game, start: S::State) -> Timeline<S> {
        Timeline::from_step(game, start, 0)
    }

    /// Begins with the state before a step, counted from 0: earlier steps are not at hand, and nothing may go
    /// back to a state before this one.
    pub fn from_step(game: S::Game, start: S::State, first: usize) -> Timeline<S> {
        Timeline {
            game,
            first,
            steps: Vec::new(),
            kept: vec![(first, Arc::new(start.clone()))],
            now: start,
        }
    }

    /// The number of the first step that is at hand.
    pub fn first(&self) -> usize {
        self.first
    }

    /// What never changes.
    pub fn game(&self) -> &S::Game {
        &self.game
    }

    /// The state before all steps that are at hand.
    pub fn start(&self) -> &S::State {
        &self.kept[0].1
    }

    /// The newest state.
    pub fn now(&self) -> &S::State {
        &self.now
    }

    /// The newest state, to be changed in place: the next [`Timeline::note`] says by what.
    pub fn now_mut(&mut self) -> &mut S::State {
        &mut self.now
    }

    /// The steps that are at hand, in order.
    pub fn steps(&self) -> &[S] {
        &self.steps
    }

    /// The step of this number, if it is at hand.
    pub fn step(&self, number: usize) -> Option<&S> {
        self.steps.get(number.checked_sub(self.first)?)
    }

    /// How many states are kept beside the newest.
    pub fn kept(&self) -> usize {
        self.kept.len()
    }

    /// How many steps were taken.
    pub fn len(&self) -> usize {
        self.first + self.steps.len()
    }

    /// Whether no step was taken.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a step and the state that it led to.
    pub fn push(&mut self, step: S, state: S::State) {
        self.now = state;
        self.note(step);
    }

    /// Adds a step that has changed the newest state already.
    pub fn note(&mut self, step: S) {
        self.steps.push(step);
        if self.len().is_multiple_of(SPACING) {
            self.keep();
        }
    }

    /// The game stands otherwise than the steps led to; what follows goes on from there. For tests of what a
    /// difference shows.
    pub fn replace(&mut self, state: S::State) {
        self.now = state;
        let now = self.len();
        self.kept.retain(|(number, _)| *number < now);
        self.keep();
    }

    /// Keeps the newest state. If too many are kept, the one goes that is nearest to its neighbours for its
    /// age.
    fn keep(&mut self) {
        let at = self.len();
        self.kept.push((at, Arc::new(self.now.clone())));
        if self.kept.len() <= MOST_KEPT {
            return;
        }
        let number = |index: usize| self.kept[index].0;
        let crowded = (1..self.kept.len() - 1).max_by_key(|index| {
            let gap = number(index + 1) - number(index - 1);
            let age = at - number(*index) + SPACING;
            age * SPACING / gap
        });
        if let Some(index) = crowded {
            self.kept.remove(index);
        }
    }

    /// The state before step `at`, counted from 0; the newest if there are not that many steps.
    ///
    /// # Panics
    /// If that step is not at hand.
    pub fn at(&self, at: usize) -> S::State {
        if at >= self.len() {
            return self.now.clone();
        }
        // The steps that led there from a kept state, the last one first.
        let mut steps = Vec::new();
        let mut number = at;
        let mut state = loop {
            if let Ok(index) = self.kept.binary_search_by_key(&number, |(number, _)| *number) {
                break S::State::clone(&self.kept[index].1);
            }
            number = number.checked_sub(1).expect("the first state is kept");
            let step = self
                .step(number)
                .expect("nothing goes back further than to the first");
            steps.push(step);
            number = step.base().map_or(number, |base| base.min(number));
        };
        for step in steps.into_iter().rev() {
            step.again(&self.game, &mut state);
        }
        state
    }

    /// Goes back to the state before step `at`; everything after it is forgotten.
    pub fn truncate(&mut self, at: usize) {
        if at < self.len() {
            self.now = self.at(at);
            self.steps.truncate(at - self.first);
            self.kept.retain(|(number, _)| *number <= at);
        }
    }

    /// Another history that has gone the same way for `at` steps; what follows is open.
    #[must_use]
    pub fn branch(&self, at: usize) -> Timeline<S>
    where
        S: Clone,
        S::Game: Clone,
    {
        let at = at.min(self.len());
        Timeline {
            game: self.game.clone(),
            first: self.first,
            steps: self.steps[..at - self.first].to_vec(),
            kept: self
                .kept
                .iter()
                .filter(|(number, _)| *number <= at)
                .cloned()
                .collect(),
            now: self.at(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Appends a number to a list, or goes back to the list of an earlier step and does so there.
    #[derive(Clone, Debug)]
    struct Add(u32, Option<usize>);

    impl HistoryStep for Add {
        type Game = ();
        type State = Vec<u32>;

        fn base(&self) -> Option<usize> {
            self.1
        }

        fn again(&self, (): &(), state: &mut Vec<u32>) {
            state.push(self.0);
        }
    }

    /// A history with steps back, and every state that it went through.
    fn history(steps: u32) -> (Timeline<Add>, Vec<Vec<u32>>) {
        let mut timeline: Timeline<Add> = Timeline::new((), Vec::new());
        let mut states = vec![Vec::new()];
        for n in 0..steps {
            let goes_back = n % 7 == 6;
            let base = goes_back.then(|| timeline.len().saturating_sub((n % 50) as usize));
            let mut state: Vec<u32> =
                base.map_or_else(|| timeline.now().clone(), |base| states[base].clone());
            state.push(n);
            timeline.push(Add(n, base), state.clone());
            states.push(state);
        }
        (timeline, states)
    }

    /// F40, F137: every state can be had again, over any number of steps back.
    #[test]
    fn every_state_can_be_had_again() {
        let (timeline, states) = history(500);
        for (at, state) in states.iter().enumerate() {
            assert_eq!(timeline.at(at), *state, "state {at}");
            assert_eq!(timeline.branch(at).now(), state);
        }
        let mut shorter = timeline.clone();
        shorter.truncate(123);
        assert_eq!((shorter.len(), shorter.now()), (123, &states[123]));
        shorter.push(Add(9, Some(100)), vec![9]);
        assert_eq!(shorter.at(123), states[123]);
        assert_eq!(timeline.start(), &Vec::<u32>::new());
    }

    /// A history whose earlier steps are not at hand goes the same way.
    #[test]
    fn a_history_goes_on_from_a_state() {
        let mut late: Timeline<Add> = Timeline::from_step((), vec![7], 100);
        let mut states = vec![vec![7]];
        for n in 0..90 {
            let base = (n % 7 == 6).then(|| late.len() - (n as usize % 6).min(late.len() - 100));
            let mut state: Vec<u32> =
                base.map_or_else(|| late.now().clone(), |base: usize| states[base - 100].clone());
            state.push(n);
            late.push(Add(n, base), state.clone());
            states.push(state);
        }
        assert_eq!((late.first(), late.len(), late.steps().len()), (100, 190, 90));
        assert!(late.step(99).is_none() && late.step(100).is_some() && late.step(190).is_none());
        for (at, state) in (100..).zip(&states) {
            assert_eq!(late.at(at), *state, "state {at}");
            assert_eq!(late.branch(at).now(), state);
        }
        late.truncate(120);
        assert_eq!((late.len(), late.now()), (120, &states[20]));
    }

    /// F200: a long game keeps few states, and the newest of them densely.
    #[test]
    fn long_histories_keep_few_states() {
        let (timeline, states) = history(60_000);
        assert!(timeline.kept.len() <= MOST_KEPT);
        let newest: Vec<usize> = timeline.kept.iter().rev().take(4).map(|(at, _)| *at).collect();
        assert!(60_000 - newest[3] <= 8 * SPACING, "{newest:?}");
        let far = timeline.kept.windows(2).map(|pair| pair[1].0 - pair[0].0).max();
        assert!(far < Some(20_000), "a gap of {far:?}");
        for at in [1, 77, 5_000, 30_001, 59_990] {
            assert_eq!(timeline.at(at), states[at]);
        }
    }
}
