//! Verbs that change what lies on the table: faces, turns, forms, tokens, order (F88–F92, F97–F105).

use super::{VerbAct, VerbResult};

use crate::count::whole;
use crate::place::pitch;
use crate::{
    CardGroup, CardSide, Created, LookerSet, Quarter, Rotation, TableCard, TableCardId, Turning, VerbCards,
    VerbRefusal,
};

impl VerbAct<'_> {
    /// Turns cards face up, face down, or over (F88).
    pub(crate) fn turn(&mut self, cards: &VerbCards, how: Turning) -> VerbResult {
        let chosen = self.own(cards)?;
        let mut turned = Vec::new();
        for chosen in chosen {
            let id = chosen.id;
            let before = self.s.known(self.kit, id);
            let by_face = match cards.group {
                CardGroup::Table => true,
                CardGroup::Pile(pile) => self.s.pile(pile).viewers == crate::Viewers::ByFace,
            };
            let card = self.s.card_mut(id);
            let is_up = if by_face {
                card.face == CardSide::Up
            } else {
                card.shown == LookerSet::ALL
            };
            let up = match how {
                Turning::Up => true,
                Turning::Down => false,
                Turning::Other => !is_up,
            };
            if up {
                card.peekers = LookerSet::NONE;
            }
            if by_face {
                card.face = if up { CardSide::Up } else { CardSide::Down };
            }
            if !by_face || !up {
                card.shown = if up { LookerSet::ALL } else { LookerSet::NONE };
            }
            if is_up != up {
                let after = self.s.known(self.kit, id);
                turned.push((up, self.named(id, before | after)));
            }
        }
        for (up, which) in [(true, "up"), (false, "down")] {
            let named: Vec<_> = turned
                .iter()
                .filter(|(turned_up, _)| *turned_up == up)
                .map(|(_, named)| named.clone())
                .collect();
            if !named.is_empty() {
                let words = self.by("turns ").cards(&named).text(format!(" face {which}"));
                self.tell("turn", words);
            }
        }
        Ok(())
    }

    /// Rotates cards on the table to or by quarter turns, or there and back (F89).
    pub(crate) fn rotate(&mut self, cards: &VerbCards, how: Rotation) -> VerbResult {
        let ids = self.own_on_table(cards)?;
        let upright = ids.iter().all(|id| self.s.card(*id).quarter == Quarter::Zero);
        let mut changed: Vec<TableCardId> = Vec::new();
        for id in ids {
            let card = self.s.card_mut(id);
            let goal = match how {
                Rotation::To(quarters) => Quarter::of(quarters),
                Rotation::By(quarters) => Quarter::of(card.quarter.quarters() + quarters % 4),
                Rotation::Toggle => Quarter::of(u8::from(upright)),
            };
            if card.quarter != goal {
                card.quarter = goal;
                changed.push(id);
            }
        }
        self.tell_rotated(&changed, "rotates ");
        Ok(())
    }

    /// F65: those that changed, by what they were turned to.
    fn tell_rotated(&mut self, changed: &[TableCardId], verb: &str) {
        for quarters in 0..4 {
            let goal = Quarter::of(quarters);
            let group: Vec<TableCardId> = changed
                .iter()
                .copied()
                .filter(|id| self.s.card(*id).quarter == goal)
                .collect();
            if !group.is_empty() {
                let named = self.all_seen(&group);
                let words = self
                    .by(verb)
                    .cards(&named)
                    .text(format!(" to {}°", goal.degrees()));
                self.tell("rotate", words);
            }
        }
    }

    /// Straightens all cards on the table that the seat controls and that are not locked (F90).
    pub(crate) fn straighten(&mut self) -> VerbResult {
        let mut changed = Vec::new();
        for id in self.s.table.clone() {
            let card = self.s.card_mut(id);
            if card.controller != Some(self.seat) || card.locked {
                continue;
            }
            let goal = match card.quarter {
                Quarter::One => Quarter::Zero,
                Quarter::Three => Quarter::Two,
                Quarter::Zero | Quarter::Two => continue,
            };
            card.quarter = goal;
            changed.push(id);
        }
        if changed.is_empty() {
            let words = self.by("straightens no card");
            self.tell("rotate", words);
        }
        self.tell_rotated(&changed, "straightens ");
        Ok(())
    }

    /// Locks cards, so that straightening leaves them out, or unlocks them (F91).
    pub(crate) fn lock(&mut self, cards: &VerbCards, on: bool) -> VerbResult {
        self.flag(
            cards,
            if on { "locks " } else { "unlocks " },
            "lock",
            |card| &mut card.locked,
            on,
        )
    }

    /// Anchors cards, so that they cannot be dragged, or frees them (F97).
    pub(crate) fn anchor(&mut self, cards: &VerbCards, on: bool) -> VerbResult {
        let verb = if on { "anchors " } else { "frees " };
        self.flag(cards, verb, "anchor", |card| &mut card.anchored, on)
    }

    fn flag(
        &mut self,
        cards: &VerbCards,
        verb: &str,
        kind: &'static str,
        field: fn(&mut TableCard) -> &mut bool,
        on: bool,
    ) -> VerbResult {
        let mut changed = Vec::new();
        for id in self.own_on_table(cards)? {
            let own = field(self.s.card_mut(id));
            if *own != on {
                *own = on;
                changed.push(id);
            }
        }
        if !changed.is_empty() {
            let named = self.all_seen(&changed);
            let words = self.by(verb).cards(&named);
            self.tell(kind, words);
        }
        Ok(())
    }

    /// F92. What others read does not depend on whether a face-down card has other forms (F163).
    pub(crate) fn switch_form(&mut self, cards: &VerbCards, form: Option<u8>) -> VerbResult {
        let mut named = Vec::new();
        let mut names: Vec<(LookerSet, String)> = Vec::new();
        for id in self.own_on_table(cards)? {
            let forms = self.kit.forms(&self.s.card(id).model).max(1);
            let seen = self.seen(id);
            // F163: of a card that the seat does not know, nothing is said about its forms.
            if self.knew(id) {
                match form {
                    _ if forms == 1 => return Err(VerbRefusal::OneForm(seen.name)),
                    Some(form) if form >= forms => return Err(VerbRefusal::NoSuchForm(seen.name, forms - 1)),
                    _ => {}
                }
            }
            let card = self.s.card_mut(id);
            card.form = form.unwrap_or(card.form.wrapping_add(1)) % forms;
            let after = self.seen(id);
            names.push((seen.to, after.name));
            named.push(seen);
        }
        let mut words = self.by("switches the form of ").cards(&named);
        for (to, name) in names {
            words = words.only(to, format!(" → {name}"));
        }
        self.tell("form", words);
        Ok(())
    }

    /// Creates cards on the table, of a model of the package or blank ones with a name (F98).
    pub(crate) fn create(&mut self, created: &Created) -> VerbResult {
        self.check_count(created.count)?;
        if !self.kit.knows(&created.model) {
            return Err(VerbRefusal::NoSuchModel);
        }
        let model = match &created.model {
            crate::TableModel::Blank(name) if name.chars().count() > 80 => {
                return Err(VerbRefusal::Limit("80 characters of a name"));
            }
            crate::TableModel::Blank(name) => {
                crate::TableModel::Blank(crate::state::plain(name, 80, "token").into())
            }
            card @ crate::TableModel::Card(_) => card.clone(),
        };
        let ids = self.make(&model, 0, created.count, created.at, created.face, created.kept)?;
        let to = if created.face == CardSide::Up {
            LookerSet::ALL
        } else {
            LookerSet::of(self.seat)
        };
        let named: Vec<_> = ids.iter().map(|id| self.named(*id, to)).collect();
        let down = if created.face == CardSide::Down {
            ", face down"
        } else {
            ""
        };
        let words = self.by("creates ").cards(&named).text(down);
        self.tell("create", words);
        Ok(())
    }

    fn make(
        &mut self,
        model: &crate::TableModel,
        form: u8,
        count: u32,
        at: Option<(i32, i32)>,
        face: CardSide,
        kept: bool,
    ) -> Result<Vec<TableCardId>, VerbRefusal> {
        let limits = self.kit.limits;
        let (all, tokens) = self.s.cards().fold((0, 0), |(all, tokens), (_, card)| {
            (
                all + 1,
                tokens + usize::from(card.token && card.owner == Some(self.seat)),
            )
        });
        if all + whole(count) > limits.cards {
            return Err(VerbRefusal::Limit("cards"));
        }
        if !kept && tokens + whole(count) > limits.tokens {
            return Err(VerbRefusal::Limit("tokens"));
        }
        let step = pitch(self.kit.default_measures().width);
        let mut ids = Vec::new();
        for n in 0..i32::try_from(count).unwrap_or(0) {
            let place = match at {
                Some((x, y)) => (x.saturating_add(step.saturating_mul(n)), y),
                None => self.s.free_place(self.kit, self.seat),
            };
            let mut card = TableCard::new(model.clone(), Some(self.seat), CardGroup::Table);
            card.controller = Some(self.seat);
            card.form = form;
            card.face = face;
            card.token = !kept;
            card.maker = Some(self.seat);
            let id = self.s.add(card);
            self.s.put(self.kit, id, place);
            let card = self.s.card(id);
            let here = (card.x, card.y);
            self.s.seat_mut(self.seat).last_place = Some(here);
            ids.push(id);
        }
        self.made += ids.len();
        Ok(ids)
    }

    /// Copies a card that the seat sees, in its present form (F99).
    pub(crate) fn copy(&mut self, cards: &VerbCards) -> VerbResult {
        let chosen = self.choose(cards)?;
        let ids: Vec<TableCardId> = chosen.iter().map(|chosen| chosen.id).collect();
        let id = VerbAct::one(&ids)?;
        if !self.s.visible(self.kit, id).has(self.seat) {
            return Err(VerbRefusal::Unknown);
        }
        let card = self.s.card(id);
        let (model, form) = (card.model.clone(), card.form);
        let face = if cards.group == CardGroup::Table {
            card.face
        } else {
            CardSide::Up
        };
        let before = self.s.visible(self.kit, id);
        let made = self.make(&model, form, 1, None, face, false)?;
        let shown = self.s.visible(self.kit, made[0]);
        // F130: an open copy of a hidden card tells what that one is.
        let learned = shown - self.s.known(self.kit, id);
        if !learned.is_empty() {
            self.learned.push((learned, cards.group, 1));
        }
        let named = self.named(id, before | shown);
        let words = self.by("copies ").card(&named);
        self.tell("copy", words);
        Ok(())
    }

    /// Deletes cards on the table that are tokens or that the seat created (F100).
    pub(crate) fn delete(&mut self, cards: &VerbCards) -> VerbResult {
        let ids = self.own_on_table(cards)?;
        let deletable = |id: &TableCardId| {
            let card = self.s.card(*id);
            card.token || card.maker == Some(self.seat)
        };
        if !ids.iter().all(deletable) {
            return Err(VerbRefusal::NotDeletable);
        }
        let named = self.all_seen(&ids);
        let words = self.by("deletes ").cards(&named);
        for id in &ids {
            self.s.remove(self.kit, *id);
        }
        self.gone += ids.len();
        self.tell("delete", words);
        Ok(())
    }

    /// Targets cards on the table for the seat, or takes its target away (F101).
    pub(crate) fn target(&mut self, cards: &VerbCards, on: bool) -> VerbResult {
        let ids = self.on_table(cards)?;
        let mut changed = Vec::new();
        for id in ids {
            let me = self.seat;
            let card = self.s.card_mut(id);
            let goal = match (on, card.target) {
                (true, _) => Some(me),
                (false, Some(other)) if other == me => None,
                (false, other) => other,
            };
            if card.target != goal {
                card.target = goal;
                changed.push(id);
            }
        }
        if !changed.is_empty() {
            let named = self.all_seen(&changed);
            let words = self
                .by(if on { "targets " } else { "no longer targets " })
                .cards(&named);
            self.tell("target", words);
        }
        Ok(())
    }

    /// Draws an arrow from one card on the table to another (F101).
    pub(crate) fn arrow(&mut self, from: &VerbCards, to: &VerbCards) -> VerbResult {
        let from = VerbAct::one(&self.on_table(from)?)?;
        let to = VerbAct::one(&self.on_table(to)?)?;
        if from == to {
            return Err(VerbRefusal::Circle);
        }
        if self.s.arrows.iter().any(|(_, a, b)| (*a, *b) == (from, to)) {
            return Ok(());
        }
        if self.s.arrows.len() >= self.kit.limits.arrows {
            return Err(VerbRefusal::Limit("arrows"));
        }
        self.s.arrows.push((self.seat, from, to));
        let (from, to) = (self.seen(from), self.seen(to));
        let words = self.by("points from ").card(&from).text(" to ").card(&to);
        self.tell("arrow", words);
        Ok(())
    }

    /// F101: the seat's own targets and arrows.
    pub(crate) fn clear_marks(&mut self) -> VerbResult {
        let me = self.seat;
        for card in self.s.cards.iter_mut().flatten() {
            if card.target == Some(me) {
                card.target = None;
            }
        }
        self.s.arrows.retain(|(by, _, _)| *by != me);
        let words = self.by("clears targets and arrows");
        self.tell("target", words);
        Ok(())
    }

    /// Points at cards on the table, or shakes them (F102).
    pub(crate) fn flash(&mut self, cards: &VerbCards, kind: &'static str) -> VerbResult {
        let ids = if kind == "point" {
            self.on_table(cards)?
        } else {
            self.own_on_table(cards)?
        };
        if kind == "shake" {
            let named = self.all_seen(&ids);
            let words = self.by("shakes ").cards(&named);
            self.tell(kind, words);
        } else {
            self.show(kind, &ids);
        }
        Ok(())
    }

    /// Brings cards on the table to the front or to the back (F103).
    pub(crate) fn z_order(&mut self, cards: &VerbCards, front: bool) -> VerbResult {
        let ids = self.own_on_table(cards)?;
        self.front(&ids, front);
        Ok(())
    }

    pub(crate) fn front(&mut self, ids: &[TableCardId], front: bool) {
        self.s.table.retain(|id| !ids.contains(id));
        let at = if front { self.s.table.len() } else { 0 };
        self.s.table.splice(at..at, ids.iter().copied());
        self.show("order", ids);
    }

    /// F104: rows of so many; 0 is a stack.
    pub(crate) fn arrange(&mut self, cards: &VerbCards, columns: u32) -> VerbResult {
        let ids = self.own_on_table(cards)?;
        if ids.iter().any(|id| self.s.card(*id).anchored) {
            return Err(VerbRefusal::Impossible("moving an anchored card"));
        }
        let usual = self.kit.default_measures();
        let (wide, high) = (pitch(usual.width), pitch(usual.height));
        let (x, y) = (self.s.card(ids[0]).x, self.s.card(ids[0]).y);
        let columns = i32::try_from(columns).unwrap_or(i32::MAX);
        for (n, id) in ids.iter().enumerate() {
            let n = i32::try_from(n).unwrap_or(i32::MAX);
            let (column, row) = if columns == 0 {
                (0, 0)
            } else {
                (n % columns, n / columns)
            };
            let goal = (
                x.saturating_add(wide.saturating_mul(column)),
                y.saturating_add(high.saturating_mul(row)),
            );
            self.s.put(self.kit, *id, goal);
        }
        self.show("place", &ids);
        Ok(())
    }

    /// Attaches cards on the table to another one, or detaches them (F105).
    pub(crate) fn attach(&mut self, cards: &VerbCards, to: Option<&VerbCards>) -> VerbResult {
        let ids = self.own_on_table(cards)?;
        let host = match to {
            None => None,
            Some(to) => Some(VerbAct::one(&self.on_table(to)?)?),
        };
        let mut above = host;
        while let Some(id) = above {
            if ids.contains(&id) {
                return Err(VerbRefusal::Circle);
            }
            above = self.s.card(id).host;
        }
        for id in &ids {
            self.s.card_mut(*id).host = host;
        }
        let named = self.all_seen(&ids);
        let words = match host {
            None => self.by("detaches ").cards(&named),
            Some(host) => {
                let host = self.seen(host);
                self.by("attaches ").cards(&named).text(" to ").card(&host)
            }
        };
        self.tell("attach", words);
        Ok(())
    }
}

impl TableCard {
    /// A card without anything on it, face down.
    pub(crate) fn new(
        model: crate::TableModel,
        owner: Option<crate::TableSeat>,
        group: CardGroup,
    ) -> TableCard {
        TableCard {
            model,
            form: 0,
            owner,
            controller: owner,
            group,
            face: CardSide::Down,
            x: 0,
            y: 0,
            quarter: Quarter::Zero,
            markers: Vec::new(),
            highlight: None,
            filter: None,
            target: None,
            far: false,
            anchored: false,
            locked: false,
            host: None,
            note: None,
            token: false,
            maker: None,
            peekers: LookerSet::NONE,
            lookers: LookerSet::NONE,
            shown: LookerSet::NONE,
            tracked: LookerSet::NONE,
            remembered: LookerSet::NONE,
            seen: LookerSet::NONE,
        }
    }
}
