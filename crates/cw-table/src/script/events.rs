//! Events of the table that a package's scripts want to hear of (S140–S149).

use cw_script::HostValue;

use super::room::ScriptRoom;
use super::thing::{Thing, player, text};
use super::{NONE, ScriptKit, ScriptVersion};
use crate::{CardGroup, CardSide, Kit, TableCardId, TableSeat, TableState};

/// Something that happened, as it was before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ScriptEvent {
    /// The table was opened, and the game began.
    Begun,
    /// The game begins, or begins again.
    Started,
    /// A deck is in its piles.
    DeckLoaded(Vec<crate::PileId>),
    /// A counter of a seat had this value.
    Counter(TableSeat, u16, i32),
    /// It was this seat's turn, and this turn.
    Turn(Option<TableSeat>, u32),
    /// It was this phase.
    Phase(u8),
    /// Cards lay there: which, in which group, at which place of it, where on the table.
    Moved(Vec<MovedCard>),
    /// A card had so many of a marker.
    Marker(TableCardId, u16, u16),
    /// A card was controlled by this seat.
    Controller(TableCardId, Option<TableSeat>),
    /// A card was targeted, or is no longer.
    Targeted(TableCardId, bool),
    /// An arrow leads, or led, from a card to another.
    Arrow(TableCardId, TableCardId, bool),
    /// A card was clicked: with which button, twice or once (S203).
    Clicked(TableCardId, u8, bool),
    /// Somebody is back at this seat.
    Connected(TableSeat),
    /// This seat has given up.
    Quit(TableSeat),
    /// A person wants to move cards there (S145).
    InsteadOfMove(Vec<AskedMove>),
    /// A person wants to pass the turn to this seat.
    InsteadOfTurn(TableSeat),
    /// A person has clicked on a phase.
    InsteadOfPhase(u8),
    /// A person wants the game to begin again; with what stays.
    InsteadOfReset(bool),
    /// A variable of the table had this value.
    Global(String, String),
    /// A variable of a seat had this value.
    Own(TableSeat, String, String),
}

/// Where a person wants to put a card.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AskedMove {
    /// Which.
    pub card: TableCardId,
    /// Into which group.
    pub to: CardGroup,
    /// At which place of it.
    pub index: u32,
    /// Where on the table.
    pub at: (i32, i32),
    /// Whether its face is to be up.
    pub up: bool,
}

/// Where a card lay.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MovedCard {
    /// Which.
    pub card: TableCardId,
    /// In which group.
    pub from: CardGroup,
    /// At which place of it.
    pub index: u32,
    /// Where on the table.
    pub at: (i32, i32),
    /// Its markers, as scripts read them (S144).
    pub markers: String,
    /// The colour of its edge.
    pub highlight: Option<crate::Colour>,
    /// Whether its face was up.
    pub up: bool,
}

impl ScriptEvent {
    /// Whether it tells of this card.
    pub(crate) fn is_of(&self, id: TableCardId) -> bool {
        match self {
            ScriptEvent::Moved(moved) => moved.iter().any(|one| one.card == id),
            ScriptEvent::InsteadOfMove(asked) => asked.iter().any(|one| one.card == id),
            ScriptEvent::Marker(card, ..)
            | ScriptEvent::Controller(card, _)
            | ScriptEvent::Targeted(card, _)
            | ScriptEvent::Clicked(card, ..) => *card == id,
            ScriptEvent::Arrow(from, to, _) => [*from, *to].contains(&id),
            _ => false,
        }
    }
}

/// The names of an event: in version 3.1.0.2, in older ones, whether all seats hear of it.
impl ScriptEvent {
    fn names(&self, by_script: bool) -> (&'static [&'static str], &'static [&'static str], bool) {
        match self {
            ScriptEvent::Begun => (&["OnTableLoaded"], &["OnTableLoad"], true),
            ScriptEvent::Started => (&["OnGameStarted"], &["OnGameStart"], true),
            ScriptEvent::DeckLoaded(_) => (&["OnDeckLoaded"], &["OnLoadDeck"], true),
            ScriptEvent::Counter(..) => (&["OnCounterChanged"], &["OnChangeCounter"], false),
            ScriptEvent::Turn(..) => (&["OnTurnPassed"], &["OnTurn"], true),
            ScriptEvent::Phase(_) => (&["OnPhasePassed"], &[], true),
            ScriptEvent::Moved(_) if by_script => (&["OnScriptedCardsMoved"], &["OnScriptedMoveCards"], true),
            ScriptEvent::Moved(_) => (&["OnCardsMoved"], &["OnMoveCards"], true),
            ScriptEvent::Marker(..) => (&["OnMarkerChanged"], &["OnMarkerChanged"], true),
            ScriptEvent::Controller(..) => (&["OnCardControllerChanged"], &[], true),
            ScriptEvent::Targeted(..) => (&["OnCardTargeted"], &["OnTargetCard"], true),
            ScriptEvent::Arrow(..) => (&["OnCardArrowTargeted"], &["OnTargetCardArrow"], true),
            ScriptEvent::Clicked(_, _, false) => (&["OnCardClicked"], &["OnCardClick"], false),
            ScriptEvent::Clicked(_, _, true) => (&["OnCardDoubleClicked"], &["OnCardDoubleClick"], false),
            ScriptEvent::Connected(_) => (&["OnPlayerConnected"], &["OnPlayerConnect"], true),
            ScriptEvent::Quit(_) => (&["OnPlayerQuit"], &["OnPlayerLeaveGame"], true),
            ScriptEvent::InsteadOfMove(_) => (&["OverrideCardsMoved"], &[], false),
            ScriptEvent::InsteadOfTurn(_) => (&["OverrideTurnPassed"], &[], false),
            ScriptEvent::InsteadOfPhase(_) => (&["OverridePhaseClicked"], &[], false),
            ScriptEvent::InsteadOfReset(false) => (&["OverrideGameReset"], &[], false),
            ScriptEvent::InsteadOfReset(true) => (&["OverrideGameSoftReset"], &[], false),
            ScriptEvent::Global(..) => (&["OnGlobalVariableChanged"], &["OnGlobalVariableChanged"], true),
            ScriptEvent::Own(..) => (
                &["OnPlayerGlobalVariableChanged"],
                &["OnPlayerGlobalVariableChanged"],
                true,
            ),
        }
    }

    /// The functions that want to hear of it (S140), and whether all seats do (S142).
    pub(crate) fn heard_by<'k>(&self, scripts: &'k ScriptKit, by_script: bool) -> (Vec<&'k str>, bool) {
        let (new, old, all) = self.names(by_script);
        let third = scripts.version == ScriptVersion::Third;
        let names = if third { new } else { old };
        let found = scripts
            .events
            .iter()
            .filter(|(name, _)| names.contains(&name.as_str()));
        let found = found.map(|(_, function)| function.as_str());
        // S143: in older versions every seat hears of a counter.
        let all = all || (!third && matches!(self, ScriptEvent::Counter(..)));
        (found.collect(), all)
    }
}

/// What a person asks for, as the moves that it comes to (S145).
pub(crate) fn asked_for(before: &TableState, after: &TableState) -> Vec<AskedMove> {
    let mut asked = Vec::new();
    for (id, now) in after.cards() {
        let Some(Some(was)) = before.cards.get(id.index()) else {
            continue;
        };
        let lay = now.group == CardGroup::Table && (was.x, was.y) != (now.x, now.y);
        if was.group != now.group || lay {
            let index = after.of_group(now.group).iter().position(|other| *other == id);
            asked.push(AskedMove {
                card: id,
                to: now.group,
                index: crate::count::short(index.unwrap_or(0)),
                at: (now.x, now.y),
                up: now.group == CardGroup::Table && now.face == CardSide::Up,
            });
        }
    }
    asked
}

/// What a verb has changed that scripts may want to hear of.
pub(crate) fn happened(kit: &Kit, before: &TableState, after: &TableState) -> Vec<ScriptEvent> {
    let mut found = Vec::new();
    let mut moved = Vec::new();
    for (id, now) in after.cards() {
        let Some(Some(was)) = before.cards.get(id.index()) else {
            continue;
        };
        let lay = now.group == CardGroup::Table && (was.x, was.y) != (now.x, now.y);
        if was.group != now.group || lay {
            let index = before.of_group(was.group).iter().position(|other| *other == id);
            moved.push(MovedCard {
                card: id,
                from: was.group,
                index: crate::count::short(index.unwrap_or(0)),
                at: (was.x, was.y),
                markers: markers_text(kit, &was.markers),
                highlight: was.highlight,
                up: was.group == CardGroup::Table && was.face == CardSide::Up,
            });
            continue;
        }
        for (kind, count) in &was.markers {
            if now.markers.iter().all(|(own, _)| own != kind) {
                found.push(ScriptEvent::Marker(id, *kind, *count));
            }
        }
        for (kind, count) in &now.markers {
            let had = was
                .markers
                .iter()
                .find(|(own, _)| own == kind)
                .map_or(0, |(_, count)| *count);
            if had != *count {
                found.push(ScriptEvent::Marker(id, *kind, had));
            }
        }
        if was.controller != now.controller {
            found.push(ScriptEvent::Controller(id, was.controller));
        }
        if was.target != now.target {
            found.push(ScriptEvent::Targeted(id, now.target.is_some()));
        }
    }
    if !moved.is_empty() {
        found.insert(0, ScriptEvent::Moved(moved));
    }
    for (_, from, to) in after.arrows.iter().filter(|arrow| !before.arrows.contains(arrow)) {
        found.push(ScriptEvent::Arrow(*from, *to, true));
    }
    for (_, from, to) in before.arrows.iter().filter(|arrow| !after.arrows.contains(arrow)) {
        if after.is_there(*from) {
            found.push(ScriptEvent::Arrow(*from, *to, false));
        }
    }
    for seat in before.seat_ids() {
        let counters = before.seat(seat).counters.iter().zip(&after.seat(seat).counters);
        for (at, (was, now)) in (0..).zip(counters) {
            if was != now {
                found.push(ScriptEvent::Counter(seat, at, *was));
            }
        }
    }
    if (before.active, before.turn) != (after.active, after.turn) {
        found.push(ScriptEvent::Turn(before.active, before.turn));
    } else if before.phase != after.phase {
        found.push(ScriptEvent::Phase(before.phase));
    }
    found
}

fn markers_text(kit: &Kit, markers: &[(u16, u16)]) -> String {
    let one = |(kind, count): &(u16, u16)| {
        let kind = &kit.markers[usize::from(*kind)];
        let name = |text: &str| text.replace('\\', "\\\\").replace('\'', "\\'");
        format!("('{}','{}'):{count}", name(&kind.name), name(&kind.id))
    };
    let all: Vec<String> = markers.iter().map(one).collect();
    format!("{{{}}}", all.join(","))
}

impl ScriptRoom<'_> {
    /// The values of an event as one seat gets them: by name, and in the order of older
    /// versions (S141, S143).
    pub(crate) fn values_of(
        &mut self,
        event: &ScriptEvent,
        by: TableSeat,
        by_script: bool,
    ) -> (Vec<(&'static str, HostValue)>, Vec<HostValue>) {
        let me = player(Some(by));
        let scripted = HostValue::Bool(by_script);
        let int = |value: i64| HostValue::Int(value);
        match event {
            ScriptEvent::Begun | ScriptEvent::Started => (Vec::new(), Vec::new()),
            ScriptEvent::DeckLoaded(piles) => {
                let groups = piles.iter().map(|pile| super::thing::pile(*pile));
                let groups = HostValue::List(groups.collect());
                (
                    vec![
                        ("player", me.clone()),
                        ("isLimited", HostValue::Bool(false)),
                        ("groups", groups.clone()),
                    ],
                    vec![me, groups],
                )
            }
            ScriptEvent::Counter(seat, counter, was) => {
                let counter = Thing::Counter(Some(*seat), *counter).value();
                let was = int(i64::from(*was));
                (
                    vec![
                        ("player", me),
                        ("counter", counter.clone()),
                        ("value", was.clone()),
                        ("scripted", scripted),
                    ],
                    vec![player(Some(*seat)), counter, was],
                )
            }
            ScriptEvent::Turn(seat, turn) => {
                let was = seat.map_or(NONE, |seat| player(Some(seat)));
                let now = self.state().active.map_or(NONE, |seat| player(Some(seat)));
                let number = int(i64::from(self.state().turn));
                (
                    vec![
                        ("player", was),
                        ("turn", int(i64::from(*turn))),
                        ("force", HostValue::Bool(false)),
                    ],
                    vec![now, number],
                )
            }
            ScriptEvent::Phase(phase) => (
                vec![
                    ("name", self.kit.phase(*phase).map_or(NONE, text)),
                    ("id", int(i64::from(*phase))),
                    ("force", HostValue::Bool(false)),
                ],
                Vec::new(),
            ),
            ScriptEvent::Moved(moved) => self.values_of_moved(moved, me, scripted),
            ScriptEvent::Marker(card, kind, was) => {
                let marker = &self.kit.markers[usize::from(*kind)];
                let (name, id) = (marker.name.clone(), marker.id.clone());
                let now = self.state().is_there(*card).then(|| {
                    let own = self.state().card(*card).markers.iter();
                    own.clone()
                        .find(|(own, _)| own == kind)
                        .map_or(0, |(_, count)| *count)
                });
                let was = int(i64::from(*was));
                let card = self.card(*card);
                (
                    vec![
                        ("card", card.clone()),
                        ("marker", text(name.as_str())),
                        ("id", text(id.as_str())),
                        ("value", was.clone()),
                        ("scripted", scripted.clone()),
                    ],
                    vec![
                        card,
                        text(format!("('{name}','{id}')")),
                        was,
                        int(i64::from(now.unwrap_or(0))),
                        scripted,
                    ],
                )
            }
            ScriptEvent::Controller(card, was) => {
                let now = self.state().card(*card).controller;
                let card = self.card(*card);
                (
                    vec![
                        ("card", card),
                        ("oldPlayer", player(*was)),
                        ("player", player(now)),
                    ],
                    Vec::new(),
                )
            }
            ScriptEvent::Targeted(card, on) => {
                let card = self.card(*card);
                let on = HostValue::Bool(*on);
                (
                    vec![
                        ("player", me.clone()),
                        ("card", card.clone()),
                        ("targeted", on.clone()),
                        ("scripted", scripted),
                    ],
                    vec![me, card, on],
                )
            }
            ScriptEvent::Arrow(from, to, on) => {
                let there = *on && self.state().is_there(*to);
                let (from, to) = (self.card(*from), if there { self.card(*to) } else { NONE });
                let on = HostValue::Bool(*on);
                (
                    vec![
                        ("player", me.clone()),
                        ("fromCard", from.clone()),
                        ("toCard", to.clone()),
                        ("targeted", on.clone()),
                        ("scripted", scripted),
                    ],
                    vec![me, from, to, on],
                )
            }
            ScriptEvent::Clicked(card, button, _) => {
                let (card, button) = (self.card(*card), int(i64::from(*button)));
                let keys = HostValue::List(Vec::new());
                let named = vec![
                    ("card", card.clone()),
                    ("mouseButton", button.clone()),
                    ("keysDown", keys.clone()),
                ];
                (named, vec![card, button, keys])
            }
            ScriptEvent::Connected(seat) | ScriptEvent::Quit(seat) => {
                let who = player(Some(*seat));
                (vec![("player", who.clone())], vec![who])
            }
            ScriptEvent::InsteadOfMove(moves) => {
                let cards: Vec<HostValue> = moves.iter().map(|one| self.card(one.card)).collect();
                let of = |make: &dyn Fn(&AskedMove) -> HostValue| {
                    HostValue::List(moves.iter().map(make).collect())
                };
                let named = vec![
                    ("cards", HostValue::List(cards)),
                    ("toGroups", of(&|one| Thing::Group(one.to).value())),
                    ("indexs", of(&|one| HostValue::Int(i64::from(one.index)))),
                    ("xs", of(&|one| HostValue::Float(f64::from(one.at.0)))),
                    ("ys", of(&|one| HostValue::Float(f64::from(one.at.1)))),
                    ("faceups", of(&|one| HostValue::Bool(one.up))),
                ];
                (named, Vec::new())
            }
            ScriptEvent::InsteadOfTurn(seat) => (vec![("player", player(Some(*seat)))], Vec::new()),
            ScriptEvent::InsteadOfPhase(phase) => (
                vec![
                    ("name", self.kit.phase(*phase).map_or(NONE, text)),
                    ("id", int(i64::from(*phase))),
                ],
                Vec::new(),
            ),
            ScriptEvent::InsteadOfReset(_) => (Vec::new(), Vec::new()),
            ScriptEvent::Global(name, was) => {
                let now = text(self.global(name));
                (
                    vec![
                        ("name", text(name.as_str())),
                        ("oldValue", text(was.as_str())),
                        ("value", now.clone()),
                    ],
                    vec![text(name.as_str()), text(was.as_str()), now],
                )
            }
            ScriptEvent::Own(seat, name, was) => {
                let now = text(self.own_variable(*seat, name));
                let whose = player(Some(*seat));
                (
                    vec![
                        ("player", whose.clone()),
                        ("name", text(name.as_str())),
                        ("oldValue", text(was.as_str())),
                        ("value", now.clone()),
                    ],
                    vec![whose, text(name.as_str()), text(was.as_str()), now],
                )
            }
        }
    }

    fn values_of_moved(
        &mut self,
        moved: &[MovedCard],
        me: HostValue,
        scripted: HostValue,
    ) -> (Vec<(&'static str, HostValue)>, Vec<HostValue>) {
        let list = |all: Vec<HostValue>| HostValue::List(all);
        let number = |value: i32| HostValue::Float(f64::from(value));
        let there: Vec<&MovedCard> = moved
            .iter()
            .filter(|one| self.state().is_there(one.card))
            .collect();
        let cards: Vec<HostValue> = there.iter().map(|one| self.card(one.card)).collect();
        let of = |make: &dyn Fn(&MovedCard) -> HostValue| list(there.iter().map(|one| make(one)).collect());
        let from = of(&|one| Thing::Group(one.from).value());
        let to = of(&|one| Thing::Group(self.state().card(one.card).group).value());
        let old_index = of(&|one| HostValue::Int(i64::from(one.index)));
        let index = of(&|one| {
            let group = self.state().card(one.card).group;
            let at = self.state().of_group(group).iter().position(|id| *id == one.card);
            super::thing::count(at.unwrap_or(0))
        });
        let (xs, ys) = (of(&|one| number(one.at.0)), of(&|one| number(one.at.1)));
        let new_xs = of(&|one| number(self.state().card(one.card).x));
        let new_ys = of(&|one| number(self.state().card(one.card).y));
        let highlights = of(&|one| {
            text(
                one.highlight
                    .map_or("None".to_owned(), |colour| colour.to_string().to_lowercase()),
            )
        });
        let markers = of(&|one| text(one.markers.as_str()));
        let faceups = of(&|one| HostValue::Bool(one.up));
        let filters = of(&|_| text("None"));
        let alternates = of(&|_| text(""));
        let last = match self.version() {
            ScriptVersion::First => scripted,
            ScriptVersion::Second | ScriptVersion::Third => faceups.clone(),
        };
        let cards = list(cards);
        (
            vec![
                ("player", me.clone()),
                ("cards", cards.clone()),
                ("fromGroups", from.clone()),
                ("toGroups", to.clone()),
                ("indexs", old_index.clone()),
                ("xs", xs.clone()),
                ("ys", ys.clone()),
                ("highlights", highlights.clone()),
                ("markers", markers.clone()),
                ("faceups", faceups),
                ("filters", filters),
                ("alternates", alternates),
            ],
            vec![
                me, cards, from, to, old_index, index, xs, ys, new_xs, new_ys, highlights, markers, last,
            ],
        )
    }
}
