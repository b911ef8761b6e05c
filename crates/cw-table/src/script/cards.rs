//! Cards, their properties and markers (S66–S97).

use std::sync::Arc;

use cw_script::{ExceptionKind, HostValue};

use super::NONE;
use super::room::{Method, ScriptRoom};
use super::thing::{
    Args, Flow, Thing, ThingKind, count, place, player, raise, text, truth, type_error, type_name,
};
use crate::count::whole;
use crate::{
    ArrivalSpot, CardGroup, CardSide, Colour, NumberChange, PileId, Rotation, TableCardId, TableModel,
    TableSeat, TableVerb, Turning, VerbCards, Viewers,
};

/// Methods of cards.
pub(crate) const METHODS: &[(ThingKind, &str, Method)] = &[
    (ThingKind::Card, "moveTo", |room, card, args| {
        let to = args.group(0, "group")?;
        let index = match args.get(1, "index") {
            None | Some(HostValue::None) => None,
            Some(_) => Some(args.int(1, "index")?),
        };
        room.move_to(card, to, index)
    }),
    (ThingKind::Card, "moveToBottom", |room, card, args| {
        let to = args.group(0, "pile")?;
        room.move_to(card, to, Some(-1))
    }),
    (ThingKind::Card, "moveToTable", |room, card, args| {
        let at = (place(args.cut(0, "x")?), place(args.cut(1, "y")?));
        let down = args.bool_or(2, "forceFaceDown", false);
        room.move_to_table(card, at, down)
    }),
    (ThingKind::Card, "sendToFront", |room, card, _| {
        let cards = room.one(card)?;
        if cards.group == CardGroup::Table {
            room.verb(&TableVerb::Front { cards })?;
        }
        Ok(NONE)
    }),
    (ThingKind::Card, "sendToBack", |room, card, _| {
        let cards = room.one(card)?;
        if cards.group == CardGroup::Table {
            room.verb(&TableVerb::Back { cards })?;
        }
        Ok(NONE)
    }),
    (ThingKind::Card, "setIndex", |room, card, args| {
        let index = args.int(0, "index")?;
        room.set_index(card, index)
    }),
    (ThingKind::Card, "peek", |room, card, _| {
        let cards = room.one(card)?;
        room.verb(&TableVerb::Peek { cards })?;
        Ok(NONE)
    }),
    (ThingKind::Card, "target", |room, card, args| {
        let on = args.bool_or(0, "active", true);
        let cards = room.one(card)?;
        room.verb(&TableVerb::Target { cards, on })?;
        Ok(NONE)
    }),
    (ThingKind::Card, "arrow", |room, card, args| {
        let from = room.one(card)?;
        let to = match Thing::in_value(args.need(0, "target")?) {
            Some(to @ Thing::Card(_)) => room.one(to)?,
            _ => return Err(type_error("an arrow leads to a card")),
        };
        if args.bool_or(1, "active", true) {
            room.verb(&TableVerb::Arrow { from, to })?;
        } else {
            let me = room.seat;
            let id = room.there(card)?;
            room.act.s.arrows.retain(|(by, from, _)| *by != me || *from != id);
        }
        Ok(NONE)
    }),
    (ThingKind::Card, "select", |_, _, _| Ok(NONE)),
    (ThingKind::Card, "delete", |room, card, _| {
        let cards = room.one(card)?;
        room.verb(&TableVerb::Delete { cards })?;
        Ok(NONE)
    }),
    (ThingKind::Card, "isInverted", |room, card, args| {
        let id = room.there(card)?;
        let y = match args.get(0, "y") {
            None | Some(HostValue::None) => room.state().card(id).y,
            Some(_) => place(args.cut(0, "y")?),
        };
        let height = room.state().measures(room.kit, room.seat.into(), id).1;
        Ok(HostValue::Bool(room.two_sided() && y < -height / 2))
    }),
    (ThingKind::Card, "offset", |room, card, args| {
        let id = room.there(card)?;
        let (x, y) = (room.state().card(id).x, room.state().card(id).y);
        let x = match args.get(0, "x") {
            None => x,
            Some(_) => place(args.cut(0, "x")?),
        };
        let y = match args.get(1, "y") {
            None => y,
            Some(_) => place(args.cut(1, "y")?),
        };
        let (width, height) = room.state().measures(room.kit, room.seat.into(), id);
        let by = width.min(height) / 5;
        let by = if room.two_sided() && y < -height / 2 {
            -by
        } else {
            by
        };
        let number = |value: i32| HostValue::Float(f64::from(value));
        Ok(HostValue::Tuple(vec![
            number(x.saturating_add(by)),
            number(y.saturating_add(by)),
        ]))
    }),
    (ThingKind::Card, "resetProperties", |room, card, _| {
        let id = room.there(card)?;
        room.act.s.scripts.forget(id);
        Ok(NONE)
    }),
    (ThingKind::Card, "hasProperty", |room, card, args| {
        let name = args.text(0, "name")?;
        let form = args.text_or(1, "alt", "\0")?;
        let id = room.there(card)?;
        let Some((model, own)) = room.face(id) else {
            return Ok(HostValue::Bool(false));
        };
        let form = if form == "\0" {
            Some(own)
        } else {
            room.form_of(&model, &form)
        };
        let has = form.is_some_and(|form| room.kit.property(&model, form, name).is_some());
        Ok(HostValue::Bool(has))
    }),
    (ThingKind::Card, "alternateProperty", |room, card, args| {
        let (form, name) = (args.text(0, "alt")?, args.text(1, "name")?);
        let id = room.there(card)?;
        let Some((model, _)) = room.face(id) else {
            return Ok(text(""));
        };
        let Some(form) = room.form_of(&model, form) else {
            return Ok(text(""));
        };
        Ok(text(room.written(id, &model, form, name)))
    }),
    (ThingKind::Card, "defaultProperty", |room, card, args| {
        let (form, name) = (args.text(0, "alt")?, args.text(1, "name")?);
        let id = room.there(card)?;
        let Some((model, _)) = room.face(id) else {
            return Ok(text(""));
        };
        let form = room.form_of(&model, form);
        let found = form.and_then(|form| room.kit.property(&model, form, name));
        Ok(text(found.unwrap_or("")))
    }),
    (ThingKind::Card, "switchTo", |room, card, args| {
        let form = args.text_or(0, "alt", "")?;
        room.switch_to(card, &form)
    }),
    (ThingKind::Card, "setController", |room, card, args| {
        let to = args.player(0, "player")?;
        room.control(card, to)
    }),
    (ThingKind::Card, "width", |room, card, _| {
        let id = room.there(card)?;
        Ok(HostValue::Int(
            room.state().measures(room.kit, room.seat.into(), id).0.into(),
        ))
    }),
    (ThingKind::Card, "height", |room, card, _| {
        let id = room.there(card)?;
        Ok(HostValue::Int(
            room.state().measures(room.kit, room.seat.into(), id).1.into(),
        ))
    }),
    (ThingKind::Card, "size", |room, card, _| {
        let id = room.there(card)?;
        Ok(text(room.size_of(id)))
    }),
];

impl ScriptRoom<'_> {
    /// The card, if it is still there and the seat has not lost it.
    pub(crate) fn there(&self, card: Thing) -> Flow<TableCardId> {
        let found = match card {
            Thing::Card(number) | Thing::Markers(number) | Thing::Properties(number) => self.resolve(number),
            _ => None,
        };
        found.ok_or_else(|| raise(ExceptionKind::AttributeError, "no card"))
    }

    /// The card as a verb names it.
    fn one(&self, card: Thing) -> Flow<VerbCards> {
        self.there(card).map(|id| self.named(id))
    }

    pub(crate) fn two_sided(&self) -> bool {
        self.state().sides(self.kit) == crate::Sides::Two
    }

    /// The spot that an index of the interface means (S82).
    pub(crate) fn spot(&self, to: CardGroup, index: Option<i64>) -> ArrivalSpot {
        let CardGroup::Pile(pile) = to else {
            return ArrivalSpot::Usual;
        };
        if !self.state().pile(pile).kind(self.kit).ordered {
            return ArrivalSpot::Usual;
        }
        let there = i64::try_from(self.state().pile(pile).cards.len()).unwrap_or(i64::MAX);
        match index {
            None | Some(0) => ArrivalSpot::Top,
            Some(-1) => ArrivalSpot::Bottom,
            Some(index) if index >= there => ArrivalSpot::Bottom,
            Some(index) => ArrivalSpot::At(place(index)),
        }
    }

    fn move_to(&mut self, card: Thing, to: CardGroup, index: Option<i64>) -> Flow {
        let id = self.there(card)?;
        let from = self.state().card(id).group;
        let spot = self.spot(to, index);
        if from == to && from == CardGroup::Table {
            return Ok(NONE);
        }
        let cards = self.named(id);
        self.verb(&TableVerb::Move {
            cards,
            to,
            spot,
            face: None,
        })?;
        Ok(NONE)
    }

    fn move_to_table(&mut self, card: Thing, (x, y): (i32, i32), down: bool) -> Flow {
        let id = self.there(card)?;
        let lay = self.state().card(id).group == CardGroup::Table;
        let face = (down && !lay).then_some(CardSide::Down);
        let cards = self.named(id);
        if self.verb(&TableVerb::Place { cards, x, y, face })? && lay {
            let cards = self.named(id);
            self.verb(&TableVerb::Front { cards: cards.clone() })?;
            if down {
                let how = Turning::Down;
                self.verb(&TableVerb::Turn { cards, how })?;
            }
        }
        Ok(NONE)
    }

    fn set_index(&mut self, card: Thing, index: i64) -> Flow {
        let id = self.there(card)?;
        if index < 0 {
            self.refused_because("an index is not negative".to_owned());
            return Ok(NONE);
        }
        match self.state().card(id).group {
            CardGroup::Table => {
                let cards = self.named(id);
                if self.verb(&TableVerb::Front { cards })? {
                    let table = &mut self.act.s.table;
                    table.retain(|other| *other != id);
                    let at = usize::try_from(index).unwrap_or(usize::MAX).min(table.len());
                    table.insert(at, id);
                }
            }
            CardGroup::Pile(_) => {}
        }
        Ok(NONE)
    }

    fn control(&mut self, card: Thing, to: Option<TableSeat>) -> Flow {
        let id = self.there(card)?;
        let cards = self.named(id);
        let Some(to) = to else { return Ok(NONE) };
        let has = self.state().card(id).controller;
        if has == Some(to) {
            return Ok(NONE);
        }
        if to == self.seat {
            self.verb(&TableVerb::Take { cards })?;
        } else {
            self.verb(&TableVerb::Give { cards, to })?;
        }
        Ok(NONE)
    }

    /// The number of a form by its name; '' is the base form.
    fn form_of(&self, model: &TableModel, name: &str) -> Option<u8> {
        if name.is_empty() {
            return Some(0);
        }
        let card = self.kit.card(model)?;
        let at = card
            .alternates
            .iter()
            .position(|form| form.kind.eq_ignore_ascii_case(name))?;
        u8::try_from(at + 1).ok()
    }

    /// The name of a form.
    fn form_name(&self, model: &TableModel, form: u8) -> String {
        let card = self.kit.card(model);
        let found = form
            .checked_sub(1)
            .and_then(|at| card?.alternates.get(usize::from(at)));
        found.map_or(String::new(), |form| form.kind.to_string())
    }

    fn switch_to(&mut self, card: Thing, form: &str) -> Flow {
        let id = self.there(card)?;
        let model = self.state().card(id).model.clone();
        let now = self.state().card(id).form;
        if let Some(form) = self.form_of(&model, form).filter(|form| *form != now) {
            let cards = self.named(id);
            let form = Some(form);
            self.verb(&TableVerb::SwitchForm { cards, form })?;
        }
        Ok(NONE)
    }

    /// A property of a form as it stands: what a script has written over it, or what is printed.
    fn written(&self, id: TableCardId, model: &TableModel, form: u8, name: &str) -> String {
        let over = self.state().scripts.overrides.iter();
        let mut over =
            over.filter(|(card, own, of, _)| *card == id && *own == form && of.eq_ignore_ascii_case(name));
        if let Some((.., text)) = over.next() {
            return text.to_string();
        }
        self.kit.property(model, form, name).unwrap_or("").to_owned()
    }

    /// The game's name for a property, letter case ignored.
    fn known_property(&self, name: &str) -> Option<&str> {
        let known = &self.kit.package.definition.properties;
        let mut names = known.iter().map(|known| known.name.as_str());
        names.find(|known| super::people::is_same(known, name))
    }

    pub(crate) fn property_names(&self) -> Vec<HostValue> {
        let known = &self.kit.package.definition.properties;
        known
            .iter()
            .map(|known| text(known.name.to_lowercase()))
            .collect()
    }

    fn property(&mut self, id: TableCardId, name: &str) -> String {
        match self.face(id) {
            Some((model, form)) => self.written(id, &model, form, name),
            None => String::new(),
        }
    }

    pub(crate) fn property_item(&mut self, number: u32, index: &HostValue) -> Flow {
        let name = index.text().ok_or_else(|| type_error("a property has a name"))?;
        let id = self.there(Thing::Card(number))?;
        if name.eq_ignore_ascii_case("id") {
            return self
                .attribute_of_card(number, "model")
                .map(|found| found.unwrap_or(NONE));
        }
        match self.known_property(name).map(str::to_owned) {
            Some(name) => Ok(text(self.property(id, &name))),
            None => Ok(text("")),
        }
    }

    pub(crate) fn set_property(&mut self, number: u32, name: &str, value: &HostValue) -> Flow<()> {
        let Some(value) = value.text() else {
            return Err(type_error(format!(
                "a property is a text, and not {}",
                type_name(value)
            )));
        };
        let Some(name) = self.known_property(name).map(Arc::<str>::from) else {
            return Ok(());
        };
        let id = self.there(Thing::Card(number))?;
        let form = self.state().card(id).form;
        let value: Arc<str> = value.chars().take(2_000).collect::<String>().into();
        let overrides = &mut self.act.s.scripts.overrides;
        overrides.retain(|(card, own, of, _)| !(*card == id && *own == form && *of == name));
        if overrides.len() < 5_000 {
            overrides.push((id, form, name, value));
        }
        Ok(())
    }

    /// The name of a card's size; of its back if the face is not known (S73).
    fn size_of(&mut self, id: TableCardId) -> String {
        let measures = match self.face(id) {
            Some((model, _)) => self.kit.measures(&model, 0),
            None => self.kit.default_measures(),
        };
        measures.name.clone()
    }

    /// An attribute of a card; nothing if it is a method or unknown.
    pub(crate) fn attribute_of_card(&mut self, number: u32, name: &str) -> Flow<Option<HostValue>> {
        let is_method = METHODS
            .iter()
            .any(|(kind, method, _)| *kind == ThingKind::Card && *method == name);
        // S74: a measure is a value that can be called too.
        let is_measure = matches!(name, "width" | "height" | "size");
        if is_method && !is_measure {
            return Ok(None);
        }
        if name == "_id" {
            let id = self.resolve(number);
            let now = id.map_or(number, |id| self.number_now(id));
            return Ok(Some(HostValue::Int(i64::from(now))));
        }
        let Ok(id) = self.there(Thing::Card(number)) else {
            // S222: what is lost shows its back, where it was seen last.
            if let Some(group) = self.lost_in(Thing::Card(number)) {
                match name {
                    "group" => return Ok(Some(Thing::Group(group).value())),
                    "index" | "getIndex" => return Ok(Some(HostValue::Int(-1))),
                    "isFaceUp" => return Ok(Some(HostValue::Bool(false))),
                    "markers" => return Ok(Some(Thing::Markers(number).value())),
                    "properties" => return Ok(Some(Thing::Properties(number).value())),
                    _ => {}
                }
            }
            if name == "name" {
                return Ok(Some(text("Card")));
            }
            if self.known_property(name).is_some() {
                return Ok(Some(text("")));
            }
            return Err(raise(ExceptionKind::AttributeError, "no card"));
        };
        let card = self.state().card(id);
        let colour =
            |colour: Option<Colour>| colour.map_or(NONE, |colour| text(colour.to_string().to_lowercase()));
        Ok(Some(match name {
            "name" => match self.face(id) {
                Some((model, form)) => text(self.kit.name(&model, form)),
                None => text("Card"),
            },
            "properties" => Thing::Properties(number).value(),
            "markers" => Thing::Markers(number).value(),
            "owner" => player(card.owner),
            "controller" => player(card.controller),
            "group" => Thing::Group(card.group).value(),
            "isFaceUp" => HostValue::Bool(self.is_face_up(id)),
            "orientation" => HostValue::Int(i64::from(card.quarter.quarters())),
            "highlight" => colour(card.highlight),
            "filter" => colour(card.filter),
            "position" => HostValue::Tuple(vec![
                HostValue::Float(f64::from(card.x)),
                HostValue::Float(f64::from(card.y)),
            ]),
            "targetedBy" => card.target.map_or(NONE, |seat| player(Some(seat))),
            "anchor" => HostValue::Bool(card.anchored),
            "isSelected" => HostValue::Bool(false),
            "index" | "getIndex" => {
                let group = card.group;
                self.looks_at_place(id);
                let at = self.ids_of(group).iter().position(|other| *other == id);
                count(at.unwrap_or(0))
            }
            "peekers" => HostValue::List(card.peekers.seats().map(|seat| player(Some(seat))).collect()),
            "width" => HostValue::Int(self.state().measures(self.kit, self.seat.into(), id).0.into()),
            "height" => HostValue::Int(self.state().measures(self.kit, self.seat.into(), id).1.into()),
            "size" => text(self.size_of(id)),
            "alternate" => {
                let (model, form) = (card.model.clone(), card.form);
                self.tells(id);
                let may = !self.is_blind() && self.may_look(id);
                let known = may || self.state().knows(self.kit, self.seat, id);
                text(if known {
                    self.form_name(&model, form)
                } else {
                    String::new()
                })
            }
            "alternates" => match self.face(id) {
                None => HostValue::List(Vec::new()),
                Some((model, _)) => {
                    let forms = 0..self.kit.forms(&model).max(1);
                    HostValue::List(forms.map(|form| text(self.form_name(&model, form))).collect())
                }
            },
            "model" => match self.face(id) {
                Some((model, _)) => self
                    .kit
                    .card(&model)
                    .map_or(NONE, |card| text(card.id.value.to_string())),
                None => NONE,
            },
            "set" | "setId" => {
                let face = self.face(id);
                let set = face.and_then(|(model, _)| self.kit.set_of(&model));
                match (set, name) {
                    (None, _) => text(""),
                    (Some(set), "set") => text(set.name.value.as_str()),
                    (Some(set), _) => text(set.id.value.to_string()),
                }
            }
            name => match self.known_property(name).map(str::to_owned) {
                Some(name) => text(self.property(id, &name)),
                None => return Ok(None),
            },
        }))
    }

    fn is_face_up(&self, id: TableCardId) -> bool {
        let card = self.state().card(id);
        let pile = match card.group {
            CardGroup::Table => return card.face == CardSide::Up,
            CardGroup::Pile(pile) => self.state().pile(pile),
        };
        match pile.viewers {
            Viewers::ByFace => card.face == CardSide::Up,
            Viewers::Nobody => false,
            Viewers::Everybody => true,
            Viewers::List(list) => list.has(self.seat),
        }
    }

    /// Gives an attribute of a card a value.
    pub(crate) fn set_card(&mut self, number: u32, name: &str, value: &HostValue) -> Flow<bool> {
        let card = Thing::Card(number);
        let int = |value: &HostValue| {
            let one = [value.clone()];
            let args = Args { at: &one, named: &[] };
            args.int(0, name)
        };
        match name {
            "name" | "id" => return Ok(true),
            "isFaceUp" => {
                let id = self.there(card)?;
                let up = truth(value);
                if self.is_face_up(id) != up {
                    let how = if up { Turning::Up } else { Turning::Down };
                    let cards = self.named(id);
                    self.verb(&TableVerb::Turn { cards, how })?;
                }
            }
            "orientation" => {
                let cards = self.one(card)?;
                let quarters = u8::try_from(int(value)?).ok().filter(|quarters| *quarters < 4);
                let quarters = quarters
                    .ok_or_else(|| raise(ExceptionKind::IndexError, "orientation must be between 0 and 3"))?;
                let how = Rotation::To(quarters);
                self.verb(&TableVerb::Rotate { cards, how })?;
            }
            "highlight" | "filter" => {
                let colour = match value {
                    HostValue::None => None,
                    value => Some(colour(value.text().unwrap_or(""))?),
                };
                let cards = self.one(card)?;
                self.verb(&match name {
                    "highlight" => TableVerb::Highlight { cards, colour },
                    _ => TableVerb::Filter { cards, colour },
                })?;
            }
            "anchor" => {
                let cards = self.one(card)?;
                let on = truth(value);
                self.verb(&TableVerb::Anchor { cards, on })?;
            }
            "index" => {
                self.set_index(card, int(value)?)?;
            }
            "alternate" => {
                let form = value.text().unwrap_or("").to_owned();
                self.switch_to(card, &form)?;
            }
            "controller" => match Thing::in_value(value) {
                Some(Thing::Player(to)) => {
                    self.control(card, to)?;
                }
                _ => return Err(type_error("a controller is a player")),
            },
            "target" => {
                let cards = self.one(card)?;
                let on = truth(value);
                self.verb(&TableVerb::Target { cards, on })?;
            }
            name if self.known_property(name).is_some() => self.set_property(number, name, value)?,
            // S42: what the interface does not have is lost with the object.
            _ => {}
        }
        Ok(true)
    }

    // ---- markers --------------------------------------------------------------------------------

    /// The kind of marker that a key means; nothing if the table has none.
    fn marker(&self, index: &HostValue) -> Flow<Option<u16>> {
        let (HostValue::Tuple(parts) | HostValue::List(parts)) = index else {
            return Err(type_error("a marker is a pair of name and id"));
        };
        let [name, id] = parts.as_slice() else {
            return Err(type_error("a marker is a pair of name and id"));
        };
        let (Some(name), Some(id)) = (name.text(), id.text()) else {
            return Err(type_error("name and id of a marker are texts"));
        };
        let markers = &self.kit.markers;
        let found = markers
            .iter()
            .position(|marker| marker.id.eq_ignore_ascii_case(id));
        let found = found.or_else(|| markers.iter().position(|marker| marker.name == name));
        Ok(found.and_then(|at| u16::try_from(at).ok()))
    }

    pub(crate) fn marker_count(&mut self, number: u32, index: &HostValue) -> Flow {
        let marker = self.marker(index)?;
        let id = self.there(Thing::Card(number))?;
        let own = self.state().card(id).markers.iter();
        let found = own.clone().find(|(kind, _)| Some(*kind) == marker);
        Ok(HostValue::Int(found.map_or(0, |(_, count)| i64::from(*count))))
    }

    pub(crate) fn set_marker(
        &mut self,
        number: u32,
        index: &HostValue,
        value: Option<&HostValue>,
    ) -> Flow<()> {
        let Some(marker) = self.marker(index)? else {
            self.refused_because("the package has no such marker".to_owned());
            return Ok(());
        };
        let goal = match value {
            None => 0,
            Some(value) => {
                let one = [value.clone()];
                Args { at: &one, named: &[] }.int(0, "the number of markers")?
            }
        };
        let id = self.there(Thing::Card(number))?;
        let cards = self.named(id);
        let change = NumberChange::To(goal);
        self.verb(&TableVerb::Marker {
            cards,
            marker,
            change,
        })?;
        Ok(())
    }

    pub(crate) fn markers_on(&mut self, number: u32) -> Flow<Vec<HostValue>> {
        let id = self.there(Thing::Card(number))?;
        let own = self.state().card(id).markers.iter();
        Ok(own
            .map(|(kind, _)| {
                let kind = &self.kit.markers[usize::from(*kind)];
                HostValue::Tuple(vec![text(kind.name.as_str()), text(kind.id.as_str())])
            })
            .collect())
    }

    /// The cards of a group in the order in which scripts see them: places in ordered piles, in others an
    /// order that says nothing (S223).
    pub(crate) fn ids_of(&self, group: CardGroup) -> Vec<TableCardId> {
        let mut ids = self.state().of_group(group).to_vec();
        if let CardGroup::Pile(pile) = group
            && !self.keeps_order(pile)
        {
            let s = self.state();
            if ids.iter().all(|id| s.handle(self.seat.into(), *id) != 0) {
                ids.sort_by_key(|id| s.scripts.number(*id));
            } else {
                ids.sort_by_key(|id| s.order_of(*id));
            }
        }
        ids
    }

    fn keeps_order(&self, pile: PileId) -> bool {
        let found = self.state().pile(pile);
        let is_hand = found.owner == Some(self.seat) && self.kit.hand == Some(usize::from(found.kind));
        found.kind(self.kit).ordered || is_hand
    }

    /// A count of cards as a verb has it.
    pub(crate) fn whole_count(&self, count: u32) -> usize {
        whole(count)
    }
}

/// S79: `#rrggbb`, `#rgb`, `#aarrggbb`, and names of colours.
fn colour(written: &str) -> Flow<Colour> {
    const NAMES: [(&str, u32); 28] = [
        ("black", 0x00_0000),
        ("white", 0xff_ffff),
        ("red", 0xff_0000),
        ("green", 0x00_8000),
        ("lime", 0x00_ff00),
        ("blue", 0x00_00ff),
        ("yellow", 0xff_ff00),
        ("orange", 0xff_a500),
        ("purple", 0x80_0080),
        ("violet", 0xee_82ee),
        ("magenta", 0xff_00ff),
        ("fuchsia", 0xff_00ff),
        ("cyan", 0x00_ffff),
        ("aqua", 0x00_ffff),
        ("gray", 0x80_8080),
        ("grey", 0x80_8080),
        ("silver", 0xc0_c0c0),
        ("gold", 0xff_d700),
        ("brown", 0xa5_2a2a),
        ("pink", 0xff_c0cb),
        ("maroon", 0x80_0000),
        ("navy", 0x00_0080),
        ("olive", 0x80_8000),
        ("teal", 0x00_8080),
        ("darkred", 0x8b_0000),
        ("darkgreen", 0x00_6400),
        ("darkblue", 0x00_008b),
        ("lightblue", 0xad_d8e6),
    ];
    let wrong = || raise(ExceptionKind::ValueError, format!("“{written}” is not a colour"));
    let Some(digits) = written.strip_prefix('#') else {
        let found = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(written));
        return found.map(|(_, colour)| Colour(*colour)).ok_or_else(wrong);
    };
    let value = u32::from_str_radix(digits, 16).map_err(|_| wrong())?;
    match digits.len() {
        6 => Ok(Colour(value)),
        8 => Ok(Colour(value & 0xff_ffff)),
        3 => {
            let one = |at: u32| (value >> at & 0xf) * 0x11;
            Ok(Colour(one(8) << 16 | one(4) << 8 | one(0)))
        }
        _ => Err(wrong()),
    }
}
