//! Groups: the table and piles (S98–S109).

use cw_script::{ExceptionKind, HostValue};

use super::NONE;
use super::room::{Method, ScriptRoom};
use super::thing::{Args, Flow, Thing, ThingKind, place, player, raise, text, truth, type_error};
use crate::count::short;
use crate::{
    CardGroup, CardSide, Created, LookerSet, PileEnd, PileId, PilePart, TableCardId, TableModel, TableSeat,
    TableVerb, Viewers,
};

/// Methods of groups.
pub(crate) const METHODS: &[(ThingKind, &str, Method)] = &[
    (ThingKind::Group, "top", |room, group, args| {
        room.end(group, args, PileEnd::Top)
    }),
    (ThingKind::Group, "bottom", |room, group, args| {
        room.end(group, args, PileEnd::Bottom)
    }),
    (ThingKind::Group, "random", |room, group, _| {
        room.yields()?;
        let group = group_of(group)?;
        let ids = room.ids_of(group);
        if ids.is_empty() {
            return Ok(NONE);
        }
        let at = room.below(short(ids.len()));
        let at = room.whole_count(at);
        Ok(room.card(ids[at]))
    }),
    (ThingKind::Group, "shuffle", |room, group, _| {
        let pile = pile_of(group)?;
        let part = PilePart::All;
        room.verb(&TableVerb::Shuffle { pile, part })?;
        Ok(NONE)
    }),
    (ThingKind::Group, "lookAt", |room, group, args| {
        let pile = pile_of(group)?;
        let (count, top) = (args.int_or(0, "n", 0)?, args.bool_or(1, "istop", true));
        room.look_at(pile, count, top)
    }),
    (ThingKind::Group, "addViewer", |room, group, args| {
        let seat = args.player(0, "player")?;
        room.viewer(pile_of(group)?, seat, true)
    }),
    (ThingKind::Group, "removeViewer", |room, group, args| {
        let seat = args.player(0, "player")?;
        room.viewer(pile_of(group)?, seat, false)
    }),
    (ThingKind::Group, "setVisibility", |room, group, args| {
        let word = args.text(0, "visibility")?.to_owned();
        room.set_visibility(pile_of(group)?, &word)
    }),
    (ThingKind::Group, "setController", |room, group, args| {
        let to = args.player(0, "player")?;
        room.control_pile(pile_of(group)?, to)
    }),
    (ThingKind::Group, "create", |room, group, args| {
        room.create(group_of(group)?, args)
    }),
    (ThingKind::Group, "isTwoSided", |room, _, _| {
        Ok(HostValue::Bool(room.two_sided()))
    }),
    (ThingKind::Group, "isInverted", |room, _, args| {
        let y = args.cut(0, "y")?;
        let height = i64::from(room.kit.default_measures().height);
        Ok(HostValue::Bool(room.two_sided() && y < -height / 2))
    }),
    (ThingKind::Group, "offset", |room, _, args| {
        let (x, y) = (args.cut(0, "x")?, args.cut(1, "y")?);
        let card = room.kit.default_measures();
        let by = i64::from(card.width.min(card.height) / 5);
        let inverted = room.two_sided() && y < -i64::from(card.height) / 2;
        let by = if inverted { -by } else { by };
        let number = |value: i64| HostValue::Float(f64::from(place(value)));
        Ok(HostValue::Tuple(vec![number(x + by), number(y + by)]))
    }),
    (ThingKind::Group, "reset", |_, _, _| Ok(NONE)),
    (ThingKind::Group, "refit", |_, _, _| Ok(NONE)),
    (ThingKind::Group, "setBoardImage", |room, _, _| {
        room.refused_because("the table takes boards of the package only".to_owned());
        Ok(NONE)
    }),
];

fn group_of(thing: Thing) -> Flow<CardGroup> {
    match thing {
        Thing::Group(group) => Ok(group),
        _ => Err(type_error("that needs a group")),
    }
}

fn pile_of(thing: Thing) -> Flow<PileId> {
    match thing {
        Thing::Group(CardGroup::Pile(pile)) => Ok(pile),
        _ => Err(raise(ExceptionKind::AttributeError, "the table is no pile")),
    }
}

impl ScriptRoom<'_> {
    /// All cards of a group as objects.
    pub(crate) fn cards_of(&mut self, group: CardGroup) -> Vec<HostValue> {
        let ids = self.ids_of(group);
        ids.into_iter().map(|id| self.card(id)).collect()
    }

    /// The card at a place of a group, counted from its top or, below 0, from its end (S43, S99).
    pub(crate) fn card_at(&mut self, group: CardGroup, index: &HostValue) -> Flow {
        let at = match index {
            HostValue::Int(at) => *at,
            HostValue::Bool(at) => i64::from(*at),
            _ => return Err(type_error("the place of a card is a whole number")),
        };
        let ids = self.ids_of(group);
        if ids.is_empty() {
            return Ok(Thing::NoCard.value());
        }
        let len = crate::count::long(ids.len());
        let at = if at < 0 { at + len } else { at };
        let found = usize::try_from(at).ok().and_then(|at| ids.get(at));
        match found {
            Some(id) => Ok(self.card(*id)),
            None => Err(raise(ExceptionKind::IndexError, "list index out of range")),
        }
    }

    /// The card at one end of a pile; with a number, so many of them (S100).
    fn end(&mut self, group: Thing, args: &Args<'_>, end: PileEnd) -> Flow {
        let ids = self.ids_of(group_of(group)?);
        let count = match args.get(0, "n") {
            None | Some(HostValue::None) => {
                let found = match end {
                    PileEnd::Top => ids.first(),
                    PileEnd::Bottom => ids.last(),
                };
                return Ok(found.copied().map_or(NONE, |id| self.card(id)));
            }
            Some(_) => usize::try_from(args.int(0, "n")?).unwrap_or(0).min(ids.len()),
        };
        let part: &[TableCardId] = match end {
            PileEnd::Top => &ids[..count],
            PileEnd::Bottom => &ids[ids.len() - count..],
        };
        let part = part.to_vec();
        Ok(HostValue::Generator(
            part.into_iter().map(|id| self.card(id)).collect(),
        ))
    }

    /// Looks at so many cards of a pile: 0 asks how many, below 0 are all (S104).
    fn look_at(&mut self, pile: PileId, count: i64, top: bool) -> Flow {
        let count = if count == 0 {
            let question = super::ScriptQuestion::Number {
                text: "How many cards?".to_owned(),
                default: 1,
            };
            match self.ask(question)? {
                super::ScriptAnswer::Number(count) => count,
                _ => return Ok(NONE),
            }
        } else {
            count
        };
        let end = if top { PileEnd::Top } else { PileEnd::Bottom };
        let all = count < 0 || !self.state().pile(pile).kind(self.kit).ordered;
        let part = match u32::try_from(count) {
            Ok(count) if !all => PilePart::End(end, count),
            _ => PilePart::All,
        };
        self.verb(&TableVerb::Look { pile, part })?;
        Ok(NONE)
    }

    fn viewer(&mut self, pile: PileId, seat: Option<TableSeat>, on: bool) -> Flow {
        let Some(seat) = seat else { return Ok(NONE) };
        let now = match self.state().pile(pile).viewers {
            Viewers::List(list) => list,
            Viewers::Everybody => self
                .state()
                .seat_ids()
                .fold(LookerSet::NONE, |all, seat| all | LookerSet::of(seat)),
            Viewers::Nobody | Viewers::ByFace => LookerSet::NONE,
        };
        let list = if on {
            now | LookerSet::of(seat)
        } else {
            now - LookerSet::of(seat)
        };
        if list != now {
            let viewers = Viewers::List(list);
            self.verb(&TableVerb::SetViewers { pile, viewers })?;
        }
        Ok(NONE)
    }

    fn set_visibility(&mut self, pile: PileId, word: &str) -> Flow {
        let viewers = match word.to_lowercase().as_str() {
            "none" => Viewers::Nobody,
            "me" => Viewers::List(LookerSet::of(self.seat)),
            "all" => Viewers::Everybody,
            "undefined" => Viewers::ByFace,
            _ => {
                self.refused_because(format!("“{word}” does not say who sees a pile"));
                return Ok(NONE);
            }
        };
        self.verb(&TableVerb::SetViewers { pile, viewers })?;
        Ok(NONE)
    }

    fn control_pile(&mut self, pile: PileId, to: Option<TableSeat>) -> Flow {
        let Some(to) = to.filter(|to| self.state().pile(pile).controller != Some(*to)) else {
            return Ok(NONE);
        };
        let verb = if to == self.seat {
            TableVerb::TakePile { pile }
        } else {
            TableVerb::GivePile { pile, to }
        };
        self.verb(&verb)?;
        Ok(NONE)
    }

    /// Makes cards in a group, at its end; on the table they are tokens (S106, S107).
    fn create(&mut self, group: CardGroup, args: &Args<'_>) -> Flow {
        let on_table = group == CardGroup::Table;
        let written = args.need(0, "model")?.text().unwrap_or("").to_owned();
        let quantity = if on_table {
            args.int_or(3, "quantity", 1)?
        } else {
            args.int_or(1, "quantity", 1)?
        };
        let model = self.model_of(&written);
        let (Some(model), true) = (model, quantity > 0) else {
            return Ok(if quantity == 1 {
                NONE
            } else {
                HostValue::List(Vec::new())
            });
        };
        let (at, kept, face) = if on_table {
            let at = (place(args.cut(1, "x")?), place(args.cut(2, "y")?));
            let down = args.bool_or(5, "facedown", false);
            let face = if down { CardSide::Down } else { CardSide::Up };
            (Some(at), args.bool_or(4, "persist", false), face)
        } else {
            (None, true, CardSide::Up)
        };
        let mut made = Vec::new();
        for _ in 0..quantity.min(1_000) {
            let created = Created {
                model: model.clone(),
                count: 1,
                at,
                face,
                kept,
            };
            let done = if on_table {
                self.verb(&TableVerb::Create { created })?
            } else {
                self.make_in(group, &model)?
            };
            if !done {
                break;
            }
            let id = self.state().of_group(group).last().copied();
            let id = match group {
                CardGroup::Table => self.newest(),
                CardGroup::Pile(_) => id,
            };
            if let Some(id) = id {
                let card = self.card(id);
                made.push(card);
            }
        }
        Ok(if quantity == 1 {
            made.pop().unwrap_or(NONE)
        } else {
            HostValue::List(made)
        })
    }

    /// The card that lies on top on the table: the one that was made last.
    fn newest(&self) -> Option<TableCardId> {
        self.state().table.last().copied()
    }

    /// Makes a card at the end of a pile: no token (S106).
    fn make_in(&mut self, group: CardGroup, model: &TableModel) -> Flow<bool> {
        let limits = self.kit.limits;
        let CardGroup::Pile(pile) = group else {
            return Ok(false);
        };
        let may = self
            .state()
            .pile(pile)
            .controller
            .is_none_or(|seat| seat == self.seat);
        if !may || self.state().cards().count() >= limits.cards {
            self.refused_because("making a card there".to_owned());
            return Ok(false);
        }
        let mut card = crate::TableCard::new(model.clone(), Some(self.seat), group);
        card.controller = self.state().pile(pile).controller.or(Some(self.seat));
        self.act.s.add(card);
        self.act.made += 1;
        self.act.s.refresh_handles(self.kit);
        let words = self.act.by("creates a card in ").text(self.act.group_name(group));
        self.act.tell("create", words);
        Ok(true)
    }

    /// A card of the package by its id.
    pub(crate) fn model_of(&self, written: &str) -> Option<TableModel> {
        let id: cw_octgn::Guid = written.parse().ok()?;
        self.kit.by_id(id)
    }

    /// An attribute of a group; nothing if it is a method or unknown.
    pub(crate) fn attribute_of_group(&mut self, group: CardGroup, name: &str) -> Flow<Option<HostValue>> {
        let s = &self.act.s;
        let pile = match group {
            CardGroup::Table => None,
            CardGroup::Pile(pile) => s.piles.get(pile.index()),
        };
        Ok(Some(match (name, pile) {
            ("name", _) => text(self.plain_text(Thing::Group(group))),
            ("player", None) => NONE,
            ("player", Some(pile)) => player(pile.owner),
            ("controller", None) => player(None),
            ("controller", Some(pile)) => player(pile.controller),
            ("_id", _) => HostValue::Int(match group {
                CardGroup::Table => 0x0100_0000,
                CardGroup::Pile(pile) => i64::from(pile.0) + 1,
            }),
            ("visibility", Some(pile)) => text(match pile.viewers {
                Viewers::Nobody => "none",
                Viewers::Everybody => "all",
                Viewers::ByFace => "undefined",
                Viewers::List(list) => match pile.controller {
                    Some(seat) if list == LookerSet::of(seat) => "me",
                    _ => "custom",
                },
            }),
            ("viewers", Some(pile)) => {
                let list = match pile.viewers {
                    Viewers::Everybody => LookerSet::ALL,
                    Viewers::List(list) => list,
                    Viewers::Nobody | Viewers::ByFace => LookerSet::NONE,
                };
                let seats = list.seats().filter(|seat| seat.index() < s.seats.len());
                HostValue::List(seats.map(|seat| player(Some(seat))).collect())
            }
            ("collapsed", Some(_)) => HostValue::Bool(false),
            ("viewState", Some(_)) => text("expanded"),
            ("protectionState", Some(pile)) => text(match pile.protection {
                crate::Protection::Free => "false",
                crate::Protection::Never => "true",
                crate::Protection::Ask => "ask",
            }),
            ("board", None) => {
                let boards = &self.kit.package.definition.tabletop.boards;
                let found = s.board.and_then(|at| boards.get(usize::from(at)));
                text(found.map_or("", |board| board.name.as_str()))
            }
            ("boards", None) => {
                let boards = &self.kit.package.definition.tabletop.boards;
                HostValue::List(boards.iter().map(|board| text(board.name.as_str())).collect())
            }
            ("invertBackground", None) => HostValue::Bool(s.background_turned),
            _ => return Ok(None),
        }))
    }

    /// Gives an attribute of a group a value.
    pub(crate) fn set_group(&mut self, group: CardGroup, name: &str, value: &HostValue) -> Flow<bool> {
        match (name, group) {
            ("visibility", CardGroup::Pile(pile)) => {
                let word = value.text().unwrap_or("").to_owned();
                self.set_visibility(pile, &word)?;
            }
            ("controller", CardGroup::Pile(pile)) => match Thing::in_value(value) {
                Some(Thing::Player(to)) => {
                    self.control_pile(pile, to)?;
                }
                _ => return Err(type_error("a controller is a player")),
            },
            ("protectionState", CardGroup::Pile(pile)) => {
                let protection = match value.text().unwrap_or("") {
                    "false" => crate::Protection::Free,
                    "true" => crate::Protection::Never,
                    _ => crate::Protection::Ask,
                };
                self.verb(&TableVerb::Protect { pile, protection })?;
            }
            ("board", CardGroup::Table) => {
                let boards = &self.kit.package.definition.tabletop.boards;
                let name = value.text().unwrap_or("");
                let found = boards
                    .iter()
                    .position(|board| board.name.eq_ignore_ascii_case(name));
                match found.and_then(|at| u16::try_from(at).ok()) {
                    Some(at) => {
                        let board = Some(at);
                        self.verb(&TableVerb::Board { board })?;
                    }
                    None => self.refused_because(format!("there is no board “{name}”")),
                }
            }
            ("invertBackground", CardGroup::Table) if truth(value) != self.state().background_turned => {
                self.verb(&TableVerb::Background)?;
            }
            _ => {}
        }
        Ok(true)
    }
}
