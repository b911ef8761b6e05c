//! Markers, colours, counters, notes, control (F93–F96, F106–F109).

use std::sync::Arc;

use super::{VerbAct, VerbResult};
use crate::event::{SentenceWords, cards as count_of};
use crate::state::{TableNote, plain};
use crate::{
    CardGroup, Colour, LookerSet, NumberChange, PileId, Rights, TableCardId, TableSeat, TableVerb, TakeRule,
    VerbCards, VerbRefusal, Viewers,
};

impl VerbAct<'_> {
    /// Adds, removes or sets markers of one kind on cards on the table (F93).
    pub(crate) fn marker(&mut self, cards: &VerbCards, marker: u16, change: NumberChange) -> VerbResult {
        let ids = self.own_on_table(cards)?;
        if usize::from(marker) >= self.kit.markers.len() {
            return Err(VerbRefusal::NoSuchMarker);
        }
        let mut changed: Vec<(i64, TableCardId)> = Vec::new();
        let mut full = false;
        for id in ids {
            let had = i64::from(self.markers_on(id, marker));
            let goal = match change {
                NumberChange::By(by) => had.saturating_add(by),
                NumberChange::To(to) => to,
            };
            full |= goal > i64::from(u16::MAX);
            let goal = u16::try_from(goal.max(0)).unwrap_or(u16::MAX);
            self.set_marker(id, marker, goal)?;
            if i64::from(goal) != had {
                changed.push((i64::from(goal) - had, id));
            }
        }
        self.tell_markers(marker, &changed);
        if full {
            self.tell_full(marker);
        }
        Ok(())
    }

    fn tell_full(&mut self, marker: u16) {
        let name = &self.kit.markers[usize::from(marker)].name;
        let words = SentenceWords::new(format!("A card holds at most {} × {name}", u16::MAX));
        self.tell("marker", words);
    }

    /// One sentence for each difference (F65).
    fn tell_markers(&mut self, marker: u16, changed: &[(i64, TableCardId)]) {
        let mut changed = changed.to_vec();
        changed.sort_by_key(|(by, _)| *by);
        let name = self.kit.markers[usize::from(marker)].name.clone();
        for group in changed.chunk_by(|a, b| a.0 == b.0) {
            let by = group[0].0;
            let ids: Vec<TableCardId> = group.iter().map(|(_, id)| *id).collect();
            let named = self.all_seen(&ids);
            let (verb, on) = if by > 0 { ("puts", "on") } else { ("takes", "from") };
            let words = self
                .by(&format!("{verb} {} × {name} {on} ", by.abs()))
                .cards(&named);
            self.tell("marker", words);
        }
    }

    fn markers_on(&self, id: TableCardId, marker: u16) -> u16 {
        let found = self.s.card(id).markers.iter().find(|(own, _)| *own == marker);
        found.map_or(0, |(_, count)| *count)
    }

    fn set_marker(&mut self, id: TableCardId, marker: u16, count: u16) -> VerbResult {
        let most = self.kit.limits.marker_kinds;
        let markers = &mut self.s.card_mut(id).markers;
        match markers.iter().position(|(own, _)| *own == marker) {
            Some(at) if count == 0 => {
                markers.remove(at);
            }
            Some(at) => markers[at].1 = count,
            None if count == 0 => {}
            None if markers.len() >= most => return Err(VerbRefusal::Limit("kinds of markers")),
            None => markers.push((marker, count)),
        }
        Ok(())
    }

    /// Moves or copies markers of one kind from a card to another (F94).
    pub(crate) fn move_marker(
        &mut self,
        from: &VerbCards,
        to: &VerbCards,
        marker: u16,
        count: u16,
        copy: bool,
    ) -> VerbResult {
        let from = VerbAct::one(&self.own_on_table(from)?)?;
        let to = VerbAct::one(&self.own_on_table(to)?)?;
        let kind = self
            .kit
            .markers
            .get(usize::from(marker))
            .ok_or(VerbRefusal::NoSuchMarker)?;
        if !kind.can_drag {
            return Err(VerbRefusal::CannotDrag);
        }
        if from == to {
            return Err(VerbRefusal::Circle);
        }
        let count = count.min(self.markers_on(from, marker));
        if count == 0 {
            return Err(VerbRefusal::NoMarkers);
        }
        // D81: what does not fit stays where it is.
        let had = self.markers_on(to, marker);
        let wanted = count;
        let count = count.min(u16::MAX - had);
        let left = self.markers_on(from, marker) - if copy { 0 } else { count };
        self.set_marker(from, marker, left)?;
        self.set_marker(to, marker, had + count)?;
        let name = &kind.name;
        let (from, to) = (self.seen(from), self.seen(to));
        let verb = if copy { "copies" } else { "moves" };
        let words = self
            .by(&format!("{verb} {count} × {name} from "))
            .card(&from)
            .text(" to ")
            .card(&to);
        self.tell("marker", words);
        if count < wanted {
            self.tell_full(marker);
        }
        Ok(())
    }

    /// Sets or clears the highlight or the filter of cards on the table (F95).
    pub(crate) fn colour(&mut self, cards: &VerbCards, colour: Option<Colour>, edge: bool) -> VerbResult {
        let ids = self.own_on_table(cards)?;
        if colour.is_some_and(|colour| colour.0 > 0xff_ffff) {
            return Err(VerbRefusal::Impossible("that colour"));
        }
        for id in &ids {
            let card = self.s.card_mut(*id);
            if edge {
                card.highlight = colour;
            } else {
                card.filter = colour;
            }
        }
        self.show(if edge { "highlight" } else { "filter" }, &ids);
        Ok(())
    }

    /// Changes a counter of the seat, of the table or, if rights are open, of another seat (F96).
    pub(crate) fn counter(
        &mut self,
        of: Option<TableSeat>,
        counter: u16,
        change: NumberChange,
    ) -> VerbResult {
        if let Some(seat) = of {
            self.check_seat(seat)?;
            if seat != self.seat && self.s.settings.rights == Rights::Own {
                return Err(VerbRefusal::NotYours);
            }
        }
        let (counters, kinds) = match of {
            Some(seat) => (&mut self.s.seats[seat.index()].counters, self.kit.counters()),
            None => (&mut self.s.shared_counters, self.kit.shared_counters()),
        };
        let value = counters
            .get_mut(usize::from(counter))
            .ok_or(VerbRefusal::NoSuchCounter)?;
        let old = *value;
        let goal = match change {
            NumberChange::By(by) => i64::from(old).saturating_add(by),
            NumberChange::To(to) => to,
        };
        *value = i32::try_from(goal).unwrap_or(if goal < 0 { i32::MIN } else { i32::MAX });
        let new = *value;
        let name = kinds[usize::from(counter)].name.to_string();
        let whose = match of {
            Some(seat) if seat != self.seat => format!("{}'s {name}", self.s.seat(seat).name),
            _ => name,
        };
        let by = i64::from(new) - i64::from(old);
        let words = self.by(&format!("changes {whose} from {old} to {new} ({by:+})"));
        self.tell("counter", words);
        Ok(())
    }

    /// Gives the control of cards to another seat (F106).
    pub(crate) fn give(&mut self, cards: &VerbCards, to: TableSeat) -> VerbResult {
        self.check_seat(to)?;
        let chosen = self.choose(cards)?;
        if chosen
            .iter()
            .any(|chosen| self.s.card(chosen.id).controller != Some(self.seat))
        {
            return Err(VerbRefusal::NotYours);
        }
        let ids: Vec<TableCardId> = chosen.iter().map(|chosen| chosen.id).collect();
        for id in &ids {
            self.s.card_mut(*id).controller = Some(to);
        }
        let named = self.all_seen(&ids);
        let words = self.by("gives ").cards(&named);
        let words = words.text(format!(" to {}", self.s.seat(to).name));
        self.tell("control", words);
        Ok(())
    }

    /// F106: a pile with all its cards.
    pub(crate) fn give_pile(&mut self, pile: PileId, to: TableSeat) -> VerbResult {
        self.check_pile(pile)?;
        self.check_seat(to)?;
        if self.s.pile(pile).controller != Some(self.seat) {
            return Err(VerbRefusal::NotYours);
        }
        self.control_pile(pile, to);
        let words = self.by("gives ").text(self.pile_name(pile));
        let words = words.text(format!(" to {}", self.s.seat(to).name));
        self.tell("control", words);
        Ok(())
    }

    fn control_pile(&mut self, pile: PileId, to: TableSeat) {
        self.s.pile_mut(pile).controller = Some(to);
        for id in self.s.pile(pile).cards.clone() {
            self.s.card_mut(id).controller = Some(to);
        }
    }

    /// Whether control may be taken now from these seats, or has to be asked for (F107).
    fn may_take(
        &mut self,
        from: LookerSet,
        hidden: bool,
        verb: &TableVerb,
        what: &str,
    ) -> Result<bool, VerbRefusal> {
        if self.agreed {
            return Ok(true);
        }
        let mut ask = LookerSet::NONE;
        for seat in from.seats().filter(|seat| *seat != self.seat) {
            let held = self.s.seat(seat);
            if !held.present || held.conceded {
                ask |= self.s.others_present(self.seat) - LookerSet::of(seat);
            } else if hidden || self.s.settings.take == TakeRule::Ask {
                ask |= LookerSet::of(seat);
            }
        }
        if ask.is_empty() {
            return Ok(true);
        }
        self.ask(ask, verb, what)?;
        Ok(false)
    }

    /// Takes control of cards, at once or after those who are asked agree (F107, D106).
    pub(crate) fn take(&mut self, cards: &VerbCards, verb: &TableVerb) -> VerbResult {
        let chosen = self.choose(cards)?;
        let ids: Vec<TableCardId> = chosen.iter().map(|chosen| chosen.id).collect();
        let from = ids
            .iter()
            .filter_map(|id| self.s.card(*id).controller)
            .fold(LookerSet::NONE, |eyes, seat| eyes | LookerSet::of(seat));
        // D106: what is hidden from who takes it is asked for, on the table as in piles.
        let is_hidden = |id: &TableCardId| !self.s.visible(self.kit, *id).has(self.seat);
        let hidden = ids.iter().any(is_hidden)
            || match cards.group {
                CardGroup::Table => false,
                CardGroup::Pile(pile) => self.s.pile(pile).viewers != Viewers::Everybody,
            };
        let what = format!(
            "let them control {} of {}",
            count_of(ids.len()),
            self.group_name(cards.group)
        );
        if !self.may_take(from, hidden, verb, &what)? {
            return Ok(());
        }
        for id in &ids {
            self.s.card_mut(*id).controller = Some(self.seat);
        }
        let named = self.all_seen(&ids);
        let words = self.by("takes control of ").cards(&named);
        self.tell("control", words);
        Ok(())
    }

    /// Takes control of a pile with all its cards, at once or after those who are asked agree (F107).
    pub(crate) fn take_pile(&mut self, pile: PileId, verb: &TableVerb) -> VerbResult {
        self.check_pile(pile)?;
        let found = self.s.pile(pile);
        let Some(controller) = found.controller else {
            return Err(VerbRefusal::Impossible("taking a shared pile"));
        };
        let hidden = found.viewers != Viewers::Everybody;
        let what = format!("let them control {}", self.pile_name(pile));
        if !self.may_take(LookerSet::of(controller), hidden, verb, &what)? {
            return Ok(());
        }
        self.control_pile(pile, self.seat);
        let words = self.by("takes control of ").text(self.pile_name(pile));
        self.tell("control", words);
        Ok(())
    }

    /// Writes a note on the table, for all or for the seat alone (F108).
    pub(crate) fn note(&mut self, text: &str, (x, y): (i32, i32), private: bool) -> VerbResult {
        if self.s.notes.len() >= self.kit.limits.notes {
            return Err(VerbRefusal::Limit("notes"));
        }
        let text = self.note_text(text)?;
        let most = self.kit.limits.position;
        let id = self.s.number();
        let note = TableNote {
            id,
            author: self.seat,
            x: x.clamp(-most, most),
            y: y.clamp(-most, most),
            text: Arc::from(text.as_str()),
            private,
        };
        self.s.notes.push(note);
        let to = if private {
            LookerSet::of(self.seat)
        } else {
            LookerSet::ALL
        };
        let words = self.by(&format!("writes note {id}: “{text}”"));
        self.tell_to(to, "note", words);
        Ok(())
    }

    fn note_text(&self, text: &str) -> Result<String, VerbRefusal> {
        if text.chars().count() > self.kit.limits.note {
            return Err(VerbRefusal::Limit("characters of a note"));
        }
        Ok(plain(text, self.kit.limits.note, "…"))
    }

    /// F108: where it lies is seen, and needs no line.
    pub(crate) fn move_note(&mut self, id: u32, (x, y): (i32, i32)) -> VerbResult {
        let at = self.own_note(id)?;
        let most = self.kit.limits.position;
        let note = &mut self.s.notes[at];
        (note.x, note.y) = (x.clamp(-most, most), y.clamp(-most, most));
        Ok(())
    }

    /// Where a note is that the seat may change.
    fn own_note(&self, id: u32) -> Result<usize, VerbRefusal> {
        let found = self.s.notes.iter().position(|note| note.id == id);
        let at = found.ok_or(VerbRefusal::NoSuchNote)?;
        let note = &self.s.notes[at];
        if note.private && note.author != self.seat {
            return Err(VerbRefusal::NoSuchNote);
        }
        if note.author != self.seat && self.s.settings.rights == Rights::Own {
            return Err(VerbRefusal::NotYours);
        }
        Ok(at)
    }

    /// F108: another text, or none: the note goes.
    pub(crate) fn edit_note(&mut self, id: u32, text: Option<&String>) -> VerbResult {
        let at = self.own_note(id)?;
        let to = if self.s.notes[at].private {
            LookerSet::of(self.seat)
        } else {
            LookerSet::ALL
        };
        let words = match text {
            None => {
                self.s.notes.remove(at);
                self.by(&format!("removes note {id}"))
            }
            Some(text) => {
                let text = self.note_text(text)?;
                self.s.notes[at].text = Arc::from(text.as_str());
                self.by(&format!("writes note {id}: “{text}”"))
            }
        };
        self.tell_to(to, "note", words);
        Ok(())
    }

    /// Writes a line under cards on the table, or removes it (F109).
    pub(crate) fn card_note(&mut self, cards: &VerbCards, text: &str) -> VerbResult {
        let ids = self.own_on_table(cards)?;
        if text.chars().count() > self.kit.limits.card_note {
            return Err(VerbRefusal::Limit("characters of a card's note"));
        }
        let text = plain(text, self.kit.limits.card_note, "");
        for id in ids {
            self.s.card_mut(id).note = (!text.is_empty()).then(|| Arc::from(text.as_str()));
            let named = self.seen(id);
            let words = self.by("writes on ").card(&named).text(format!(": “{text}”"));
            self.tell_to(named.to, "note", words);
        }
        Ok(())
    }
}
