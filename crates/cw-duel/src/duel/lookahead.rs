//! A duel to try answers on: options are listed only where somebody reads them.

use crate::Seat;
use crate::duel::{AnswerError, Duel};
use crate::state::decision::{Choice, Question};

/// A copy of a duel for a player that looks ahead.
///
/// Most positions that such a player reaches are judged and left at once: nobody reads what could be answered
/// there. To list that is a third of the work of an answer, so it is done only for the positions that are
/// asked for with [`Lookahead::listed`]. The states are those of [`Duel::answer_silently`].
#[derive(Clone, Debug)]
pub struct Lookahead {
    duel: Duel,
    /// The options of the pending decision are still to be listed: it is that of a phase.
    is_unlisted: bool,
}

impl Lookahead {
    /// A copy of this duel.
    pub fn new(duel: &Duel) -> Lookahead {
        Lookahead {
            duel: duel.clone(),
            is_unlisted: false,
        }
    }

    /// Becomes a copy of this duel; nothing is allocated.
    pub fn restart(&mut self, duel: &Duel) {
        self.duel.clone_from(duel);
        self.is_unlisted = false;
    }

    /// Who is asked what; `None` when the duel is over.
    pub fn question(&self) -> Option<(Seat, Question)> {
        let decision = self.duel.pending()?;
        Some((decision.seat, decision.question))
    }

    /// The position. Its pending decision may lack its options: [`Lookahead::listed`] has them.
    pub fn position(&self) -> &Duel {
        &self.duel
    }

    /// The position with the options of its pending decision.
    pub fn listed(&mut self) -> &Duel {
        if std::mem::take(&mut self.is_unlisted)
            && let Some((seat, question)) = self.question()
        {
            self.duel.machine(None).list_in_phase(seat, question);
        }
        &self.duel
    }

    /// Answers the pending decision and runs to the next one, with nobody listening.
    ///
    /// # Errors
    /// If the choice is not among the options, or the duel is over; then nothing has changed.
    pub fn answer(&mut self, choice: Choice) -> Result<(), AnswerError> {
        match self.question() {
            // Whether a phase may be left is quickly said.
            Some((_, question)) if self.is_unlisted && choice == Choice::Pass => {
                if !self.duel.machine(None).is_offered(question, choice) {
                    return Err(AnswerError::NotOffered { got: choice });
                }
            }
            _ => self.listed().check_offered(choice)?,
        }
        self.duel.state.reply = Some(choice);
        let mut machine = self.duel.machine(None);
        machine.unlisted = true;
        machine.run();
        let pending = self.duel.pending();
        self.is_unlisted = pending.is_some_and(|decision| decision.options.is_empty());
        Ok(())
    }
}
