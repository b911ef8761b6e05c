//! Players, counters, variables, turns and the rest (S110–S134).

use std::sync::Arc;

use cw_script::{ExceptionKind, HostValue};

use super::room::{Global, Method, ScriptRoom};
use super::thing::{Flow, Thing, ThingKind, pile, player, raise, text, type_error, type_name};
use super::{NONE, ScriptEvent, Variables};
use crate::{CardGroup, LookerSet, NumberChange, TableModel, TableSeat, TableVerb};

/// Functions about people, turns, variables and the package.
pub(crate) const GLOBALS: &[(&str, Global)] = &[
    ("Card", |_, args| {
        let number = args.int(0, "id")?;
        Ok(match u32::try_from(number) {
            Ok(number) => Thing::Card(number).value(),
            Err(_) => Thing::NoCard.value(),
        })
    }),
    ("Player", |room, args| {
        let number = args.int(0, "id")?;
        let seat = u8::try_from(number)
            .ok()
            .and_then(|number| number.checked_sub(1))
            .map(TableSeat);
        let known = seat.filter(|seat| seat.index() < room.state().seats.len());
        Ok(player(known))
    }),
    ("Pile", |room, args| {
        let number = args.int(0, "id")?;
        let at = usize::try_from(number - 1)
            .ok()
            .filter(|at| *at < room.state().piles.len());
        Ok(at.map_or(NONE, |at| pile(crate::PileId::at(at))))
    }),
    ("Counter", |room, args| {
        let owner = match args.get(2, "player").and_then(Thing::in_value) {
            Some(Thing::Player(seat)) => seat,
            _ => Some(room.seat),
        };
        let name = args.text(1, "name")?;
        Ok(room.counter_named(owner, name).unwrap_or(NONE))
    }),
    ("getPlayers", |room, _| Ok(room.players())),
    ("getGlobalVariable", |room, args| {
        let name = args.text(0, "name")?;
        Ok(text(value_of(&room.state().scripts.globals, name)))
    }),
    ("_table_set_global", |room, args| {
        let (name, value) = (
            args.text(0, "name")?.to_owned(),
            args.text(1, "value")?.to_owned(),
        );
        room.set_global(&name, &value)
    }),
    ("getSetting", |room, args| {
        let name = args.text(0, "name")?;
        let default = args.get(1, "default").cloned().unwrap_or(NONE);
        let seat = room.seat.index();
        let kept = room.state().scripts.settings.get(seat);
        let kept = kept.and_then(|kept| kept.iter().find(|(own, _)| **own == *name));
        Ok(kept
            .and_then(|(_, value)| like(value, &default))
            .unwrap_or(default))
    }),
    ("setSetting", |room, args| {
        let name = args.text(0, "name")?.to_owned();
        let value = written(args.need(1, "value")?);
        let seat = room.seat.index();
        if let Some(kept) = room.act.s.scripts.settings.get_mut(seat) {
            set(kept, &name, &value)?;
        }
        Ok(NONE)
    }),
    ("nextTurn", |room, args| {
        let to = match args.get(0, "player") {
            None | Some(HostValue::None) => None,
            Some(_) => args.player(0, "player")?,
        };
        let force = args.bool_or(1, "force", false);
        if room.may_turn() {
            room.verb(&TableVerb::PassTurn { to, force })?;
        }
        Ok(NONE)
    }),
    ("turnNumber", |room, _| {
        Ok(HostValue::Int(i64::from(room.state().turn)))
    }),
    ("getActivePlayer", |room, _| {
        Ok(room.state().active.map_or(NONE, |seat| player(Some(seat))))
    }),
    ("setActivePlayer", |room, args| {
        let seat = match args.get(0, "player") {
            None | Some(HostValue::None) => None,
            Some(_) => args.player(0, "player")?,
        };
        if room.may_turn() {
            room.verb(&TableVerb::SetActive { seat })?;
        }
        Ok(NONE)
    }),
    ("currentPhase", |room, _| {
        let phase = room.state().phase;
        let name = room.kit.phase(phase).map_or(NONE, text);
        Ok(HostValue::Tuple(vec![name, HostValue::Int(i64::from(phase))]))
    }),
    ("setPhase", |room, args| {
        let (phase, force) = (args.int(0, "phase")?, args.bool_or(1, "force", false));
        let phase = u8::try_from(phase)
            .ok()
            .filter(|phase| *phase <= room.kit.phases());
        match phase {
            Some(phase) if room.may_turn() => {
                room.verb(&TableVerb::Phase { phase, force })?;
            }
            _ => room.refused_because("going to that phase".to_owned()),
        }
        Ok(NONE)
    }),
    ("getStop", |room, args| {
        let phase = args.int(0, "phase")?;
        let seat = room.state().seat(room.seat);
        Ok(HostValue::Bool(match phase {
            0 => seat.end_stop,
            phase => u32::try_from(phase).is_ok_and(|phase| phase < 64 && seat.stops & (1 << phase) != 0),
        }))
    }),
    ("setStop", |room, args| {
        let (phase, on) = (args.int(0, "phase")?, args.bool_or(1, "on", true));
        let phase = u8::try_from(phase).ok().filter(|phase| *phase != 0);
        room.verb(&TableVerb::Stop { phase, on })?;
        Ok(NONE)
    }),
    ("queryCard", |room, args| {
        let exact = args.bool_or(1, "exact", false);
        let models = room.query(args.get(0, "properties"), exact, false)?;
        let ids = models.into_iter().filter_map(|at| {
            let card = room.kit.card(&TableModel::Card(at))?;
            Some(text(card.id.value.to_string()))
        });
        Ok(HostValue::List(ids.collect()))
    }),
    ("remoteCall", |room, args| {
        let seat = args.player(0, "player")?;
        let function = match args.need(1, "function")? {
            HostValue::Text(name) | HostValue::Script(name) => name.clone(),
            _ => return Err(type_error("remoteCall calls a function by its name")),
        };
        let given = match args.get(2, "args") {
            None | Some(HostValue::None) => Vec::new(),
            Some(HostValue::List(all) | HostValue::Tuple(all)) => all.clone(),
            Some(one) => vec![one.clone()],
        };
        match seat {
            Some(seat) => room.call_at(seat, &function, given),
            None => room.refused_because("a call of nobody".to_owned()),
        }
        Ok(NONE)
    }),
    ("generatePack", |room, _| {
        room.refused_because("packs are opened at the table, not by scripts".to_owned());
        Ok(HostValue::List(Vec::new()))
    }),
    ("currentGameName", |room, _| {
        Ok(text(room.kit.package.definition.name.as_str()))
    }),
    ("openUrl", |room, args| {
        let url = args.text(0, "url")?.to_owned();
        if url.starts_with("http://") || url.starts_with("https://") {
            let seat = LookerSet::of(room.seat);
            room.say(seat, &format!("Look at {url}"))?;
        }
        Ok(HostValue::Bool(true))
    }),
    ("playSound", |room, args| {
        let name = args.text(0, "name")?.to_owned();
        let sounds = &room.kit.package.definition.tabletop.sounds;
        if sounds.iter().any(|sound| sound.name.eq_ignore_ascii_case(&name)) {
            room.verb(&TableVerb::Sound { name })?;
        }
        Ok(NONE)
    }),
    ("focus", |_, _| Ok(NONE)),
    ("clearFocus", |_, _| Ok(NONE)),
    ("getFocus", |_, _| Ok(HostValue::List(Vec::new()))),
    ("clearSelection", |_, _| Ok(NONE)),
    ("choosePack", |_, _| Ok(NONE)),
    ("resetGame", |room, _| {
        room.verb(&TableVerb::Reset { soft: false })?;
        Ok(NONE)
    }),
    ("softResetGame", |room, _| {
        room.verb(&TableVerb::Reset { soft: true })?;
        Ok(NONE)
    }),
    ("switchSides", |room, _| {
        room.refused_because("sides are chosen before the start".to_owned());
        Ok(NONE)
    }),
    ("fd", |room, _| {
        room.refused_because("the table gives scripts no files".to_owned());
        Ok(NONE)
    }),
    ("_table_answer", |room, args| {
        room.answer = args.get(0, "value").cloned();
        Ok(NONE)
    }),
    // S74: `Card.width()` and `Card.height()` are those of a card without a size of its own.
    ("_table_default_width", |room, _| {
        Ok(HostValue::Int(room.kit.default_measures().width.into()))
    }),
    ("_table_default_height", |room, _| {
        Ok(HostValue::Int(room.kit.default_measures().height.into()))
    }),
    ("_table_no_files", |room, _| {
        let seat = LookerSet::of(room.seat);
        room.say(seat, "The package wants a file; the table gives scripts none")
    }),
];

/// Methods of players.
pub(crate) const METHODS: &[(ThingKind, &str, Method)] = &[
    (ThingKind::Player, "getGlobalVariable", |room, own, args| {
        let name = args.text(0, "name")?;
        let seat = seat_of(own);
        let own = seat.and_then(|seat| room.state().scripts.own.get(seat.index()));
        Ok(text(own.map_or("", |own| value_of(own, name))))
    }),
    (ThingKind::Player, "setGlobalVariable", |room, own, args| {
        let name = args.text(0, "name")?.to_owned();
        let value = match args.need(1, "value")? {
            HostValue::None => String::new(),
            value => written(value),
        };
        if seat_of(own) == Some(room.seat) {
            let seat = room.seat.index();
            let was = room.own_variable(room.seat, &name).to_owned();
            if let Some(variables) = room.act.s.scripts.own.get_mut(seat) {
                set(variables, &name, &value)?;
            }
            let event = ScriptEvent::Own(room.seat, name, was);
            room.fire(&event, room.seat, true);
        }
        Ok(NONE)
    }),
    (ThingKind::Player, "setActive", |room, own, _| {
        let seat = seat_of(own);
        if room.may_turn() {
            room.verb(&TableVerb::SetActive { seat })?;
        }
        Ok(NONE)
    }),
    (ThingKind::Player, "setActivePlayer", |room, own, _| {
        let seat = seat_of(own);
        if room.may_turn() {
            room.verb(&TableVerb::SetActive { seat })?;
        }
        Ok(NONE)
    }),
    (ThingKind::Player, "hasInvertedTable", |room, own, _| {
        Ok(HostValue::Bool(room.is_inverted(seat_of(own))))
    }),
    (ThingKind::Counter, "set", |_, _, _| Ok(NONE)),
    (ThingKind::Piles, "keys", |room, own, _| {
        Ok(HostValue::List(room.pile_names(seat_of(own))))
    }),
    (ThingKind::Piles, "values", |room, own, _| {
        let piles = room.piles_of(seat_of(own));
        Ok(HostValue::List(
            piles.into_iter().map(|(_, value)| value).collect(),
        ))
    }),
    (ThingKind::Piles, "items", |room, own, _| {
        let piles = room.piles_of(seat_of(own));
        let pair = |(name, value)| HostValue::Tuple(vec![text(name), value]);
        Ok(HostValue::List(piles.into_iter().map(pair).collect()))
    }),
    (ThingKind::Piles, "has_key", |room, own, args| {
        let name = args.text(0, "name")?;
        let piles = room.piles_of(seat_of(own));
        Ok(HostValue::Bool(piles.iter().any(|(own, _)| is_same(own, name))))
    }),
    (ThingKind::Piles, "get", |room, own, args| {
        let found = room.pile_item(seat_of(own), args.need(0, "name")?);
        Ok(found.unwrap_or_else(|_| args.get(1, "default").cloned().unwrap_or(NONE)))
    }),
    (ThingKind::Counters, "keys", |room, own, _| {
        Ok(HostValue::List(room.counter_names(seat_of(own))))
    }),
    (ThingKind::Counters, "has_key", |room, own, args| {
        let name = args.text(0, "name")?;
        Ok(HostValue::Bool(room.counter_named(seat_of(own), name).is_some()))
    }),
];

fn seat_of(thing: Thing) -> Option<TableSeat> {
    match thing {
        Thing::Player(seat) | Thing::Piles(seat) | Thing::Counters(seat) => seat,
        _ => None,
    }
}

/// Whether two names are the same but for the case of their letters, of any alphabet (S2, S111).
pub(super) fn is_same(one: &str, other: &str) -> bool {
    one == other || one.to_lowercase() == other.to_lowercase()
}

/// A variable; '' if there is none (S117).
fn value_of<'v>(variables: &'v Variables, name: &str) -> &'v str {
    let found = variables.iter().find(|(own, _)| **own == *name);
    found.map_or("", |(_, value)| value)
}

/// S205: 500 of them, 64 KiB each.
fn set(variables: &mut Variables, name: &str, value: &str) -> Flow<()> {
    if value.len() > 64 << 10 {
        return Err(raise(
            ExceptionKind::ValueError,
            "a variable holds at most 65,536 bytes",
        ));
    }
    match variables.binary_search_by(|(own, _)| (**own).cmp(name)) {
        Ok(at) => variables[at].1 = Arc::from(value),
        Err(_) if variables.len() >= 500 => {
            return Err(raise(
                ExceptionKind::ValueError,
                "there are at most 500 variables",
            ));
        }
        Err(at) => variables.insert(at, (Arc::from(name), Arc::from(value))),
    }
    Ok(())
}

/// A value as .NET writes it into a variable.
fn written(value: &HostValue) -> String {
    match value {
        HostValue::None => "None".to_owned(),
        HostValue::Bool(true) => "True".to_owned(),
        HostValue::Bool(false) => "False".to_owned(),
        HostValue::Int(value) => value.to_string(),
        HostValue::Float(value) => format!("{value:?}"),
        HostValue::Text(text) => text.clone(),
        HostValue::List(all) => format!("[{}]", all.iter().map(repr).collect::<Vec<_>>().join(", ")),
        HostValue::Tuple(all) | HostValue::Generator(all) => {
            let comma = if all.len() == 1 { "," } else { "" };
            format!("({}{comma})", all.iter().map(repr).collect::<Vec<_>>().join(", "))
        }
        HostValue::Dict(all) => {
            let pair = |(key, value): &(HostValue, HostValue)| format!("{}: {}", repr(key), repr(value));
            format!("{{{}}}", all.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        HostValue::Object(handle) => match Thing::of(*handle) {
            Some(Thing::Card(number)) => format!("Card({number})"),
            Some(Thing::Player(seat)) => format!("Player({})", seat.map_or(0, |seat| seat.0 + 1)),
            _ => "object".to_owned(),
        },
        HostValue::Function(_) | HostValue::Method(_) => "function".to_owned(),
        HostValue::Script(name) => name.clone(),
    }
}

fn repr(value: &HostValue) -> String {
    match value {
        HostValue::Text(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        other => written(other),
    }
}

/// A setting as a value like its default (S120).
fn like(value: &str, default: &HostValue) -> Option<HostValue> {
    match default {
        HostValue::Bool(_) => Some(HostValue::Bool(value == "True")),
        HostValue::Int(_) => value.parse().ok().map(HostValue::Int),
        HostValue::Float(_) => value.parse().ok().map(HostValue::Float),
        _ => Some(text(value)),
    }
}

impl ScriptRoom<'_> {
    /// The names that stand before the first file, besides functions (S4).
    pub(crate) fn first_names(&self) -> Vec<(String, HostValue)> {
        let version = self.kit.package.definition.version.as_ref();
        let version = version.map_or_else(|| "0.0.0.0".to_owned(), |version| version.value.to_string());
        let properties = self.property_names();
        [
            ("me", player(Some(self.seat))),
            ("shared", player(None)),
            ("players", self.players()),
            ("table", Thing::Group(CardGroup::Table).value()),
            ("version", text("3.4.445.0")),
            ("gameVersion", text(version)),
            ("cardProperties", HostValue::List(properties)),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
    }

    /// The seats, the own one first (S110).
    fn players(&self) -> HostValue {
        let count = self.state().seats.len();
        let others = (0..count).map(TableSeat::at).filter(|seat| *seat != self.seat);
        let all = std::iter::once(self.seat).chain(others);
        HostValue::List(all.map(|seat| player(Some(seat))).collect())
    }

    fn may_turn(&mut self) -> bool {
        let may = self.state().active.is_none_or(|active| active == self.seat);
        if !may {
            self.refused_because("it is another seat's turn".to_owned());
        }
        may
    }

    fn is_inverted(&self, seat: Option<TableSeat>) -> bool {
        let seats = self.state().seats.len();
        seat.is_some_and(|seat| {
            crate::side_of(self.state().sides(self.kit), seats, seat) == crate::TableSide::B
        })
    }

    fn set_global(&mut self, name: &str, value: &str) -> Flow {
        if self.loading() {
            return Err(raise(
                ExceptionKind::ImportError,
                "scripts do nothing while they are loaded",
            ));
        }
        let was = self.global(name).to_owned();
        set(&mut self.act.s.scripts.globals, name, value)?;
        let event = ScriptEvent::Global(name.to_owned(), was);
        self.fire(&event, self.seat, true);
        Ok(NONE)
    }

    /// A variable of the table.
    pub(crate) fn global(&self, name: &str) -> &str {
        value_of(&self.act.s.scripts.globals, name)
    }

    /// A variable of a seat.
    pub(crate) fn own_variable(&self, seat: TableSeat, name: &str) -> &str {
        let own = self.act.s.scripts.own.get(seat.index());
        own.map_or("", |own| value_of(own, name))
    }

    /// Piles of a seat or of nobody, by name.
    fn piles_of(&self, seat: Option<TableSeat>) -> Vec<(String, HostValue)> {
        let (kinds, first) = match seat {
            None => (&self.kit.shared_piles, 0),
            Some(seat) => (
                &self.kit.piles,
                self.kit.shared_piles.len() + seat.index() * self.kit.piles.len(),
            ),
        };
        let named = kinds.iter().enumerate();
        named
            .map(|(at, kind)| (kind.name.clone(), pile(crate::PileId::at(first + at))))
            .collect()
    }

    pub(crate) fn pile_names(&self, seat: Option<TableSeat>) -> Vec<HostValue> {
        self.piles_of(seat)
            .into_iter()
            .map(|(name, _)| text(name))
            .collect()
    }

    pub(crate) fn pile_item(&self, seat: Option<TableSeat>, index: &HostValue) -> Flow {
        let name = index.text().unwrap_or("");
        let mut piles = self.piles_of(seat).into_iter();
        let found = piles.find(|(own, _)| is_same(own, name));
        match found {
            Some((_, value)) => Ok(value),
            None => Err(raise(ExceptionKind::KeyError, repr(index))),
        }
    }

    pub(crate) fn counter_names(&self, seat: Option<TableSeat>) -> Vec<HostValue> {
        let kinds = match seat {
            Some(_) => self.kit.counters(),
            None => self.kit.shared_counters(),
        };
        kinds.iter().map(|kind| text(kind.name.as_str())).collect()
    }

    fn counter_named(&self, seat: Option<TableSeat>, name: &str) -> Option<HostValue> {
        let kinds = match seat {
            Some(_) => self.kit.counters(),
            None => self.kit.shared_counters(),
        };
        let at = kinds.iter().position(|kind| is_same(&kind.name, name))?;
        let at = u16::try_from(at).ok()?;
        Some(Thing::Counter(seat, at).value())
    }

    pub(crate) fn counter_item(&self, seat: Option<TableSeat>, index: &HostValue) -> Flow {
        let name = index.text().unwrap_or("");
        self.counter_named(seat, name)
            .ok_or_else(|| raise(ExceptionKind::KeyError, repr(index)))
    }

    fn counter_value(&self, seat: Option<TableSeat>, counter: u16) -> i64 {
        let counters = match seat {
            Some(seat) => &self.state().seat(seat).counters,
            None => &self.state().shared_counters,
        };
        counters.get(usize::from(counter)).copied().map_or(0, i64::from)
    }

    pub(crate) fn set_counter(
        &mut self,
        of: Option<TableSeat>,
        counter: u16,
        name: &str,
        value: &HostValue,
    ) -> Flow<bool> {
        if name == "value" {
            let HostValue::Int(goal) = value else {
                let words = format!("a counter is a whole number, and not {}", type_name(value));
                return Err(type_error(words));
            };
            let change = NumberChange::To(*goal);
            self.verb(&TableVerb::Counter { of, counter, change })?;
        }
        Ok(true)
    }

    /// An attribute of any object; nothing if it is a method or unknown.
    pub(crate) fn property_of(&mut self, thing: Thing, name: &str) -> Flow<Option<HostValue>> {
        match thing {
            Thing::Card(number) => self.attribute_of_card(number, name),
            Thing::NoCard if name == "name" => Ok(Some(NONE)),
            Thing::NoCard => Err(raise(ExceptionKind::AttributeError, "no card")),
            Thing::Group(group) => self.attribute_of_group(group, name),
            Thing::Player(seat) => Ok(self.attribute_of_player(seat, name)),
            Thing::Counter(seat, counter) => Ok(match name {
                "value" => Some(HostValue::Int(self.counter_value(seat, counter))),
                "name" => Some(text(self.plain_text(thing))),
                "player" => Some(player(seat)),
                _ => None,
            }),
            Thing::Markers(_) | Thing::Properties(_) | Thing::Piles(_) | Thing::Counters(_) => Ok(None),
        }
    }

    fn attribute_of_player(&mut self, seat: Option<TableSeat>, name: &str) -> Option<HostValue> {
        const COLOURS: [&str; 8] = [
            "#008000", "#cc0000", "#0000ff", "#800080", "#cc7a00", "#008080", "#804000", "#505050",
        ];
        if let Some(seat) = seat.filter(|seat| seat.index() >= self.state().seats.len()) {
            let _ = seat;
            return None;
        }
        Some(match name {
            "name" => text(self.plain_text(Thing::Player(seat))),
            "piles" => Thing::Piles(seat).value(),
            "counters" => Thing::Counters(seat).value(),
            "color" => text(seat.map_or("#000000", |seat| COLOURS[seat.index() % 8])),
            "isSubscriber" => HostValue::Bool(false),
            "_id" => HostValue::Int(seat.map_or(0, |seat| i64::from(seat.0) + 1)),
            "isActive" | "isActivePlayer" => HostValue::Bool(seat.is_some() && self.state().active == seat),
            "isInverted" => HostValue::Bool(self.is_inverted(seat)),
            "hand" => {
                let hand = self.state().hand(self.kit, seat?)?;
                pile(hand)
            }
            name => {
                let piles = self.piles_of(seat);
                let found = piles.into_iter().find(|(own, _)| is_same(own, name));
                match found {
                    Some((_, value)) => value,
                    None => match self.counter_named(seat, name).as_ref().and_then(Thing::in_value) {
                        Some(Thing::Counter(seat, counter)) => {
                            HostValue::Int(self.counter_value(seat, counter))
                        }
                        _ => return None,
                    },
                }
            }
        })
    }

    pub(crate) fn set_player(
        &mut self,
        seat: Option<TableSeat>,
        name: &str,
        value: &HostValue,
    ) -> Flow<bool> {
        if let Some(Thing::Counter(of, counter)) =
            self.counter_named(seat, name).as_ref().and_then(Thing::in_value)
        {
            return self.set_counter(of, counter, "value", value);
        }
        let is_pile = self.piles_of(seat).iter().any(|(own, _)| is_same(own, name));
        if is_pile {
            return Err(raise(ExceptionKind::AttributeError, "a pile cannot be set"));
        }
        if name == "color" {
            self.refused_because("the table gives seats their colours".to_owned());
        }
        Ok(true)
    }

    /// Cards of the package that fit (S58, S126).
    pub(crate) fn query(&self, properties: Option<&HostValue>, exact: bool, any: bool) -> Flow<Vec<u32>> {
        let wanted: Vec<(String, Vec<String>)> = match properties {
            None | Some(HostValue::None) => Vec::new(),
            Some(HostValue::Dict(entries)) => {
                let texts = |value: &HostValue| match value {
                    HostValue::List(all) | HostValue::Tuple(all) => all.iter().map(written).collect(),
                    other => vec![written(other)],
                };
                entries
                    .iter()
                    .map(|(key, value)| (written(key), texts(value)))
                    .collect()
            }
            Some(_) => return Err(type_error("properties are a dict")),
        };
        let fits = |model: &TableModel, form: u8| {
            let one = |(name, values): &(String, Vec<String>)| {
                let name = name.as_str();
                let own = match name.to_lowercase().as_str() {
                    "name" => self.kit.name(model, form).to_owned(),
                    "model" | "id" => self
                        .kit
                        .card(model)
                        .map_or(String::new(), |card| card.id.value.to_string()),
                    "set" => self
                        .kit
                        .set_of(model)
                        .map_or(String::new(), |set| set.name.value.to_string()),
                    _ => self.kit.property(model, form, name).unwrap_or("").to_owned(),
                };
                let (own, lower) = (own.as_str(), own.to_lowercase());
                values.iter().any(|value| match exact {
                    true => own.eq_ignore_ascii_case(value),
                    false => lower.contains(&value.to_lowercase()),
                })
            };
            match any {
                true => wanted.is_empty() || wanted.iter().any(one),
                false => wanted.iter().all(one),
            }
        };
        let all = 0..self.kit.count();
        let found = all.filter(|at| {
            let model = TableModel::Card(*at);
            (0..self.kit.forms(&model).max(1)).any(|form| fits(&model, form))
        });
        Ok(found.collect())
    }
}
