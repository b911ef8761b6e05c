//! Turns, phases, talk, presence and the end (F112–F123, F161, F162).

use std::sync::Arc;

use super::{VerbAct, VerbResult};
use crate::count::{short, whole};
use crate::event::{SentenceWords, TableEvent};
use crate::state::plain;
use crate::{
    CardGroup, ConsentQuestion, LookerSet, PileEnd, QuestionKind, TableSeat, TableState, TableVerb,
    VerbRefusal,
};

impl VerbAct<'_> {
    fn may_turn(&self) -> VerbResult {
        match self.s.active {
            Some(active) if active != self.seat => Err(VerbRefusal::NotYourTurn(active)),
            _ => Ok(()),
        }
    }

    /// The first phase of these that somebody has stopped, and whether only the seat itself did.
    fn stopped(&self, phases: std::ops::Range<u8>) -> Option<(u8, bool)> {
        let stops = |seat: TableSeat, phase: u8| self.s.seat(seat).stops & (1 << phase) != 0;
        phases.into_iter().find_map(|phase| {
            let mut by = self.s.seat_ids().filter(|seat| stops(*seat, phase)).peekable();
            by.peek()?;
            Some((phase, by.all(|seat| seat == self.seat)))
        })
    }

    fn phase_name(&self, phase: u8) -> String {
        let name = self.kit.phase(phase).unwrap_or("no phase");
        plain(name, 80, "a phase")
    }

    /// Goes to a phase, or halts at one before it that a seat has stopped (F112, F120).
    pub(crate) fn phase(&mut self, phase: u8, force: bool) -> VerbResult {
        self.may_turn()?;
        if phase > self.kit.phases() {
            return Err(VerbRefusal::NoSuchPhase);
        }
        let halt = if force {
            None
        } else {
            self.stopped(self.s.phase.saturating_add(1)..phase)
        };
        let (goal, own) = halt.unwrap_or((phase, true));
        self.s.phase = goal;
        let mut words = self.by(&format!("goes to {}", self.phase_name(goal)));
        if halt.is_some() {
            words = words.text(if own {
                ", where they wanted to stop"
            } else {
                ": a stop was set"
            });
        }
        self.tell("phase", words);
        Ok(())
    }

    /// Sets or clears the seat's own stop at a phase or at the end of the turn (F113).
    pub(crate) fn stop(&mut self, phase: Option<u8>, on: bool) -> VerbResult {
        let me = self.seat;
        let what = match phase {
            None => {
                self.s.seat_mut(me).end_stop = on;
                "the end of the turn".to_owned()
            }
            Some(phase) => {
                if phase == 0 || phase > self.kit.phases() {
                    return Err(VerbRefusal::NoSuchPhase);
                }
                let stops = &mut self.s.seat_mut(me).stops;
                *stops = if on {
                    *stops | (1 << phase)
                } else {
                    *stops & !(1 << phase)
                };
                self.phase_name(phase)
            }
        };
        let words = self.by(&format!(
            "{} {what}",
            if on { "stops at" } else { "no longer stops at" }
        ));
        self.tell_to(LookerSet::of(me), "stop", words);
        Ok(())
    }

    /// Passes the turn unless a stop halts it; a seat that is not active asks for a stop at its
    /// end (F114, F121).
    pub(crate) fn pass_turn(&mut self, to: Option<TableSeat>, force: bool) -> VerbResult {
        if let Some(to) = to {
            self.check_seat(to)?;
        }
        if self.s.active.is_some_and(|active| active != self.seat) {
            return self.stop(None, true);
        }
        if !force {
            if let Some((phase, _)) = self.stopped(self.s.phase.saturating_add(1)..self.kit.phases() + 1) {
                self.s.phase = phase;
                let words = self.by(&format!("halts at {}: a stop was set", self.phase_name(phase)));
                self.tell("phase", words);
                return Ok(());
            }
            let asked = self.s.seats.iter().filter(|seat| seat.end_stop);
            let asked: Vec<&str> = asked.map(|seat| &*seat.name).collect();
            if !asked.is_empty() {
                let words = format!(
                    "stops before the end of the turn, as {} asked",
                    asked.join(" and ")
                );
                self.clear_end_stops();
                let words = self.by(&words);
                self.tell("phase", words);
                return Ok(());
            }
        }
        let next = to.unwrap_or_else(|| self.next_seat());
        self.clear_end_stops();
        self.s.turn = self.s.turn.saturating_add(1);
        self.s.active = Some(next);
        self.s.phase = 0;
        let name = Arc::clone(&self.s.seat(next).name);
        let words = self.by(&format!("passes the turn: turn {}, {name}", self.s.turn));
        self.tell("turn", words);
        Ok(())
    }

    fn clear_end_stops(&mut self) {
        for seat in &mut self.s.seats {
            seat.end_stop = false;
        }
    }

    fn next_seat(&self) -> TableSeat {
        let count = self.s.seats.len();
        let after = (1..=count).map(|step| TableSeat::at((self.seat.index() + step) % count));
        after
            .into_iter()
            .find(|seat| !self.s.seat(*seat).conceded)
            .unwrap_or(self.seat)
    }

    /// Makes a seat, or none, the active one, without a new turn (F115).
    pub(crate) fn set_active(&mut self, seat: Option<TableSeat>) -> VerbResult {
        if let Some(seat) = seat {
            self.check_seat(seat)?;
        }
        self.s.active = seat;
        self.clear_end_stops();
        let words = match seat {
            Some(seat) if seat == self.seat => "takes the turn".to_owned(),
            Some(seat) => format!("gives the turn to {}", self.s.seat(seat).name),
            None => "ends the turn; it is nobody's now".to_owned(),
        };
        let words = self.by(&words);
        self.tell("turn", words);
        Ok(())
    }

    /// Says that the seat is ready or not, and when all are (F116).
    pub(crate) fn ready(&mut self, on: bool) -> VerbResult {
        self.s.seat_mut(self.seat).ready = on;
        let words = self.by(if on { "is ready" } else { "is not ready" });
        self.tell("ready", words);
        if self.s.seats.iter().all(|seat| seat.ready) {
            for seat in &mut self.s.seats {
                seat.ready = false;
            }
            self.tell("ready", SentenceWords::new("All are ready"));
        }
        Ok(())
    }

    /// Puts the hand into the deck, shuffles, and draws so many or as many as before (F117).
    pub(crate) fn mulligan(&mut self, count: Option<u32>) -> VerbResult {
        let (hand, deck) = (self.own_hand()?, self.own_deck()?);
        self.own_pile(hand)?;
        self.own_pile(deck)?;
        let back = self.s.pile(hand).cards.clone();
        let count = count.unwrap_or(short(back.len()));
        if whole(count) > self.kit.limits.at_once {
            return Err(VerbRefusal::Limit("cards at once"));
        }
        let chosen: Vec<_> = back
            .iter()
            .map(|id| super::ChosenCard { id: *id, told: false })
            .collect();
        self.carry(
            &chosen,
            CardGroup::Pile(deck),
            crate::ArrivalSpot::Top,
            None,
            None,
        );
        let all = self.s.pile(deck).cards.len();
        self.s.shuffle(deck, 0..all);
        let drawn = self.draw_to(deck, count, PileEnd::Top, hand);
        let words = self.by(&format!(
            "puts {} back, shuffles and draws ",
            crate::event::cards(back.len())
        ));
        let words = words.cards(&drawn);
        self.tell("mulligan", words);
        Ok(())
    }

    /// Draws an opening hand for the seat or, if the others agree, for everyone (F214).
    pub(crate) fn opening_hand(&mut self, count: u32, everyone: bool, verb: &TableVerb) -> VerbResult {
        self.check_count(count)?;
        if everyone && !self.agreed && !self.s.settings.solo {
            let others = self.s.others_present(self.seat);
            if !others.is_empty() {
                return self.ask(
                    others,
                    verb,
                    &format!("draw {} each", crate::event::cards(whole(count))),
                );
            }
        }
        let me = self.seat;
        let seats: Vec<TableSeat> = if everyone {
            self.s.seat_ids().collect()
        } else {
            vec![me]
        };
        for seat in seats {
            self.seat = seat;
            let (hand, deck) = (self.own_hand()?, self.own_deck()?);
            self.own_pile(hand)?;
            self.own_pile(deck)?;
            let drawn = self.draw_to(deck, count, PileEnd::Top, hand);
            let own = self.s.seat_mut(seat);
            own.opening_hand = count;
            // F124: who has seen cards does not exchange any more, whoever dealt them.
            own.untouched = false;
            let words = self.by("draws ").cards(&drawn).text(" as the opening hand");
            self.tell("draw", words);
        }
        self.seat = me;
        Ok(())
    }

    /// Chooses the board that lies on the table, or none (F118).
    pub(crate) fn board(&mut self, board: Option<u16>) -> VerbResult {
        let boards = &self.kit.package.definition.tabletop.boards;
        let name = match board {
            None => "no board".to_owned(),
            Some(at) => match boards.get(usize::from(at)) {
                None => return Err(VerbRefusal::NoSuchBoard),
                Some(board) if board.name.is_empty() => "the usual board".to_owned(),
                Some(board) => format!("the board {}", board.name),
            },
        };
        self.s.board = board;
        let words = self.by(&format!("chooses {name}"));
        self.tell("board", words);
        Ok(())
    }

    /// Turns the table's background (F118).
    pub(crate) fn background(&mut self) -> VerbResult {
        self.s.background_turned = !self.s.background_turned;
        let words = self.by("turns the background");
        self.tell("board", words);
        Ok(())
    }

    /// Says a line of chat, a `/me`, or what an action of the package only says (F119, F125, F35).
    pub(crate) fn say(&mut self, text: &str, kind: &'static str) -> VerbResult {
        if text.chars().count() > self.kit.limits.chat {
            return Err(VerbRefusal::Limit("characters of a line"));
        }
        let text = plain(text, self.kit.limits.chat, "…");
        let words = match kind {
            // No line of the table begins with a star: nobody can make others believe that something was
            // done.
            "me" => SentenceWords::new(format!("* {} {text}", self.s.seat(self.seat).name)),
            "announce" => self.by("").text(format!("says “{text}”")),
            _ => SentenceWords::new(format!("{}: {text}", self.s.seat(self.seat).name)),
        };
        self.tell(kind, words);
        Ok(())
    }

    /// Says a line of chat to one seat only (F119).
    pub(crate) fn whisper(&mut self, to: TableSeat, text: &str) -> VerbResult {
        self.check_seat(to)?;
        if text.chars().count() > self.kit.limits.chat {
            return Err(VerbRefusal::Limit("characters of a line"));
        }
        let text = plain(text, self.kit.limits.chat, "…");
        let name = Arc::clone(&self.s.seat(to).name);
        let words = self.by(&format!("whispers to {name}: {text}"));
        self.tell_to(LookerSet::of(self.seat) | LookerSet::of(to), "whisper", words);
        Ok(())
    }

    /// Plays a sound of the package (F24).
    pub(crate) fn sound(&mut self, name: &str) -> VerbResult {
        let sounds = &self.kit.package.definition.tabletop.sounds;
        let found = sounds.iter().find(|sound| sound.name.eq_ignore_ascii_case(name));
        let name = found
            .ok_or(VerbRefusal::Impossible("that sound"))?
            .name
            .to_string();
        let words = self.by(&format!("plays the sound {name}"));
        self.tell("sound", words);
        Ok(())
    }

    /// Marks the seat as conceded, and says so when only one is left (F122).
    pub(crate) fn concede(&mut self) -> VerbResult {
        if self.s.seat(self.seat).conceded {
            return Err(VerbRefusal::Impossible("conceding twice"));
        }
        self.s.seat_mut(self.seat).conceded = true;
        let words = self.by("concedes");
        self.tell("concede", words);
        let left: Vec<TableSeat> = self
            .s
            .seat_ids()
            .filter(|seat| !self.s.seat(*seat).conceded)
            .collect();
        if let [last] = left[..] {
            let words = SentenceWords::by(&self.s, last, "is the only one left");
            self.tell("concede", words);
            self.open_seeds();
        }
        Ok(())
    }

    /// Notes that the seat wants the game to end, and ends it when all still in it agree (F162).
    pub(crate) fn end_game(&mut self) -> VerbResult {
        if self.s.ended {
            return Err(VerbRefusal::Ended);
        }
        self.s.seat_mut(self.seat).wants_end = true;
        let words = self.by("says that the game is over");
        self.tell("end", words);
        if self
            .s
            .seats
            .iter()
            .all(|seat| seat.wants_end || seat.conceded || !seat.present)
        {
            self.s.ended = true;
            self.tell("end", SentenceWords::new("The game is over: all agree"));
            self.open_seeds();
        }
        Ok(())
    }

    /// F162: after the end a seat may show what it holds.
    pub(crate) fn show_hidden(&mut self) -> VerbResult {
        let left = self.s.seats.iter().filter(|seat| !seat.conceded).count();
        if !self.s.ended && (left > 1 || self.s.seats.len() == 1) {
            return Err(VerbRefusal::Impossible("showing everything before the end"));
        }
        let me = self.seat;
        for card in self.s.cards.iter_mut().flatten() {
            if card.owner == Some(me) {
                card.shown = LookerSet::ALL;
            }
        }
        let words = self.by("shows all hidden cards");
        self.tell("end", words);
        Ok(())
    }

    /// Begins the game again with the decks, or without any, after the others have agreed (F123).
    pub(crate) fn reset(&mut self, soft: bool, verb: &TableVerb) -> VerbResult {
        let others = self.s.others_present(self.seat);
        if !self.agreed && !self.s.settings.solo && !others.is_empty() {
            return self.ask(others, verb, if soft { "begin again" } else { "clear the table" });
        }
        let kit = self.kit;
        let old = std::mem::replace(
            &mut self.s,
            TableState::new(
                kit,
                crate::TableSettings::for_seats(1),
                cw_chance::Chance::seeded(0),
                0,
            ),
        );
        let mut new = TableState::new(kit, old.settings.clone(), old.chance, old.salt);
        // Seats may have joined since the start.
        while new.seats.len() < old.seats.len() {
            let name = Arc::clone(&old.seats[new.seats.len()].name);
            new.add_seat(kit, name);
            crate::script::load_seat(kit, &mut new);
        }
        // S178, S214, S220: runs and numbers are never given again.
        new.scripts.carry(&old.scripts.constants());
        let keep = |kinds: &[cw_octgn::CounterDefinition], new: &mut [i32], old: &[i32]| {
            for ((kind, new), old) in kinds.iter().zip(new).zip(old) {
                if !kind.reset {
                    *new = *old;
                }
            }
        };
        keep(
            kit.shared_counters(),
            &mut new.shared_counters,
            &old.shared_counters,
        );
        for (new, old) in new.seats.iter_mut().zip(&old.seats) {
            keep(kit.counters(), &mut new.counters, &old.counters);
            new.present = old.present;
            new.name = Arc::clone(&old.name);
            new.pool.clone_from(&old.pool);
            new.pool_unlimited.clone_from(&old.pool_unlimited);
            new.opening_hand = old.opening_hand;
        }
        for (new, old) in new.handles.iter_mut().zip(&old.handles) {
            // Handles of the old game never come again.
            new.given = old.given;
        }
        new.next_number = old.next_number;
        new.pack_seeds.clone_from(&old.pack_seeds);
        new.step = old.step;
        new.game_start = old.step + 1;
        self.gone += old.cards().count();
        self.s = new;
        self.is_final = true;
        let words = self.by(if soft {
            "begins the game again"
        } else {
            "clears the table"
        });
        self.tell("reset", words);
        if soft {
            let me = self.seat;
            for (at, seat) in old.seats.iter().enumerate() {
                self.seat = TableSeat::at(at);
                for deck in &seat.decks {
                    self.load(deck)?;
                }
            }
            self.seat = me;
        }
        Ok(())
    }

    /// Adds a seat; once the game has begun, the others have to agree (F170).
    pub(crate) fn add_seat(&mut self, name: &str, verb: &TableVerb) -> VerbResult {
        if self.s.seats.len() >= self.kit.limits.seats {
            return Err(VerbRefusal::Limit("seats"));
        }
        let name = self.check_name(name, None)?;
        let others = self.s.others_present(self.seat);
        let begun = self.s.cards().next().is_some() || self.s.turn > 0;
        if begun && !self.agreed && !others.is_empty() {
            return self.ask(others, verb, "add a seat");
        }
        let words = self.by(&format!("adds a seat for {name}"));
        self.s.add_seat(self.kit, Arc::from(name));
        crate::script::load_seat(self.kit, &mut self.s);
        self.tell("seat", words);
        Ok(())
    }

    /// What the person here is called, at every seat from now on (F179). Nobody can pass for another seat or
    /// for the table: its lines begin with a name, and a star or a colon marks what people say (F119, F203).
    pub(crate) fn rename(&mut self, name: &str) -> VerbResult {
        let name = self.check_name(name, Some(self.seat))?;
        if *self.s.seat(self.seat).name == *name {
            return Ok(());
        }
        let words = self.by(&format!("is now called {name}"));
        self.s.seat_mut(self.seat).name = Arc::from(name);
        self.tell("name", words);
        Ok(())
    }

    /// A name that nobody else has, for the seat that may have it already.
    fn check_name(&self, name: &str, of: Option<TableSeat>) -> Result<String, VerbRefusal> {
        let name = cw_text::one_line(name).ok_or(VerbRefusal::Impossible("a name without letters"))?;
        if name.chars().count() > self.kit.limits.name {
            return Err(VerbRefusal::Limit("characters of a name"));
        }
        if name.contains(['*', ':', '"']) || name.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(VerbRefusal::Impossible(
                "a name with *, : or quotes, or a mere number,",
            ));
        }
        let mut others = self.s.seat_ids().filter(|seat| Some(*seat) != of);
        if others.any(|seat| self.s.seat(seat).name.to_lowercase() == name.to_lowercase()) {
            return Err(VerbRefusal::Impossible("the name of another seat"));
        }
        Ok(name)
    }

    /// Notes that a seat is here or away, and says so (F161).
    pub(crate) fn presence(&mut self, seat: TableSeat, present: bool) -> VerbResult {
        self.check_seat(seat)?;
        self.s.seat_mut(seat).present = present;
        let words = SentenceWords::by(&self.s, seat, if present { "is here" } else { "is away" });
        self.events.push(TableEvent {
            by: None,
            kind: "seat",
            to: LookerSet::ALL,
            pieces: words.pieces(),
        });
        if !present {
            self.silence_agrees(seat);
            self.perform_complete();
        }
        Ok(())
    }

    /// F132: who is away does not hold up what the others agree to; what is hidden or theirs is not given
    /// away by it.
    fn silence_agrees(&mut self, seat: TableSeat) {
        let me = LookerSet::of(seat);
        for question in &mut self.s.questions {
            let others = question.of - me;
            let is_dropped = match &question.kind {
                // D83: at least one who is there says yes to going back.
                QuestionKind::Rewind(_) => !others.is_empty(),
                QuestionKind::Perform(verb) => match **verb {
                    TableVerb::Reset { .. } | TableVerb::AddSeat { .. } | TableVerb::OpeningHand { .. } => {
                        true
                    }
                    TableVerb::Run { .. } => !others.is_empty(),
                    // The others cannot agree for who owns or controls it (D106).
                    _ => false,
                },
            };
            if is_dropped {
                question.of = others;
            }
        }
    }

    /// Performs what nobody is left to agree to; going back is the table's own consequence.
    fn perform_complete(&mut self) {
        let complete = |question: &ConsentQuestion| {
            question.of.within(question.agreed) && matches!(question.kind, QuestionKind::Perform(_))
        };
        while let Some(at) = self.s.questions.iter().position(complete) {
            let question = self.s.questions.remove(at);
            if let QuestionKind::Perform(verb) = &question.kind {
                self.perform_agreed(question.by, verb);
            }
        }
    }
}
