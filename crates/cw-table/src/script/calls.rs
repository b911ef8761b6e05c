//! What scripts call, written down: for the comparison with Python (S250).
//!
//! A line has the seat, the name and the arguments; a card stands as its group and its place there at that
//! moment, so that two tables with other numbers of cards write the same.

use cw_script::{HostHandle, HostValue};

use super::ScriptKit;
use super::room::{ScriptRoom, globals, methods};
use super::thing::Thing;
use crate::CardGroup;

/// Functions that only read are left out.
const READS: [&str; 32] = [
    "Card",
    "Player",
    "Pile",
    "Counter",
    "getPlayers",
    "getGlobalVariable",
    "getSetting",
    "turnNumber",
    "getActivePlayer",
    "currentPhase",
    "getStop",
    "queryCard",
    "currentGameName",
    "top",
    "bottom",
    "isTwoSided",
    "isInverted",
    "offset",
    "hasProperty",
    "alternateProperty",
    "defaultProperty",
    "width",
    "height",
    "size",
    "keys",
    "values",
    "items",
    "has_key",
    "get",
    "hasInvertedTable",
    "getFocus",
    "_table_answer",
];

impl ScriptKit {
    /// From now on, what each run calls of the interface is written down. For tests.
    pub fn record_calls(&self) {
        if let Ok(mut calls) = self.calls.lock() {
            *calls = Some(Vec::new());
        }
    }

    /// What the last run has called, in order, and how it ended.
    pub fn recorded_calls(&self) -> Vec<String> {
        let calls = self.calls.lock();
        calls.ok().and_then(|calls| calls.clone()).unwrap_or_default()
    }

    /// A run begins: whether its calls are written down.
    pub(super) fn begin_calls(&self) -> bool {
        let Ok(mut calls) = self.calls.lock() else {
            return false;
        };
        if let Some(calls) = calls.as_mut() {
            calls.clear();
        }
        calls.is_some()
    }

    fn add_call(&self, line: String) {
        if let Ok(mut calls) = self.calls.lock()
            && let Some(calls) = calls.as_mut()
        {
            calls.push(line);
        }
    }
}

impl ScriptRoom<'_> {
    pub(super) fn record_end(&self, how: &str) {
        self.kit_scripts().add_call(format!("= {how}"));
    }

    pub(super) fn record_call(&mut self, at: usize, args: &[HostValue], named: &[(String, HostValue)]) {
        let count = globals().count();
        let name = match globals().nth(at) {
            Some((name, _)) => *name,
            None => methods().nth(at - count).map_or("?", |(_, name, _)| *name),
        };
        if READS.contains(&name) {
            return;
        }
        let name = match name {
            "_table_set_global" => "setGlobalVariable",
            "_table_cards" => "cardDlg.show",
            "_table_model" => "askCard",
            "_table_mute" => "mute",
            "_table_unmute" => return,
            name => name,
        };
        let mut words: Vec<String> = args.iter().map(|arg| self.call_words(arg)).collect();
        words.extend(
            named
                .iter()
                .map(|(name, value)| format!("{name}={}", self.call_words(value))),
        );
        let line = format!("{} {name}({})", self.seat, words.join(", "));
        self.kit_scripts().add_call(line);
    }

    pub(super) fn record_set(&mut self, object: HostHandle, name: &str, value: &HostValue) {
        let object = self.call_words(&HostValue::Object(object));
        let line = format!("{} {object}.{name} = {}", self.seat, self.call_words(value));
        self.kit_scripts().add_call(line);
    }

    pub(super) fn record_item(&mut self, object: HostHandle, index: &HostValue, value: Option<&HostValue>) {
        let (object, index) = (
            self.call_words(&HostValue::Object(object)),
            self.call_words(index),
        );
        let value = value.map_or_else(|| "deleted".to_owned(), |value| self.call_words(value));
        let line = format!("{} {object}[{index}] = {value}", self.seat);
        self.kit_scripts().add_call(line);
    }

    /// A value as both sides write it.
    fn call_words(&self, value: &HostValue) -> String {
        let list = |all: &[HostValue]| {
            let all: Vec<String> = all.iter().map(|one| self.call_words(one)).collect();
            all.join(", ")
        };
        match value {
            HostValue::None => "None".to_owned(),
            HostValue::Bool(true) => "True".to_owned(),
            HostValue::Bool(false) => "False".to_owned(),
            HostValue::Int(number) => number.to_string(),
            HostValue::Float(number) => number.to_string(),
            HostValue::Text(text) | HostValue::Script(text) => format!("'{}'", self.text_written(text)),
            HostValue::List(all) | HostValue::Generator(all) => format!("[{}]", list(all)),
            HostValue::Tuple(all) => format!("({})", list(all)),
            HostValue::Dict(all) => {
                let mut all: Vec<String> = all
                    .iter()
                    .map(|(key, value)| format!("{}: {}", self.call_words(key), self.call_words(value)))
                    .collect();
                all.sort();
                format!("{{{}}}", all.join(", "))
            }
            HostValue::Object(handle) => {
                Thing::of(*handle).map_or("?".to_owned(), |thing| self.thing_written(thing))
            }
            HostValue::Function(_) | HostValue::Method(_) => "function".to_owned(),
        }
    }

    fn thing_written(&self, thing: Thing) -> String {
        match thing {
            Thing::Card(number) => self.card_written(number),
            Thing::Markers(number) => format!("{}.markers", self.card_written(number)),
            Thing::Properties(number) => format!("{}.properties", self.card_written(number)),
            Thing::NoCard => "no card".to_owned(),
            Thing::Player(seat) => format!("Player{}", seat.map_or(0, |seat| seat.0 + 1)),
            Thing::Group(group) => self.group_written(group),
            Thing::Counter(seat, _) => {
                format!("{}/{}", seat.map_or(0, |seat| seat.0 + 1), self.plain_text(thing))
            }
            Thing::Piles(seat) => format!("Player{}.piles", seat.map_or(0, |seat| seat.0 + 1)),
            Thing::Counters(seat) => format!("Player{}.counters", seat.map_or(0, |seat| seat.0 + 1)),
        }
    }

    fn group_written(&self, group: CardGroup) -> String {
        match group {
            CardGroup::Table => "Table".to_owned(),
            CardGroup::Pile(pile) => {
                let found = self.state().pile(pile);
                let owner = found.owner.map_or(0, |seat| seat.0 + 1);
                format!("{owner}/{}", found.kind(self.kit).name)
            }
        }
    }

    fn card_written(&self, number: u32) -> String {
        let Some(id) = self.resolve(number) else {
            return "lost".to_owned();
        };
        let group = self.state().card(id).group;
        let at = self.state().of_group(group).iter().position(|other| *other == id);
        format!("{}[{}]", self.group_written(group), at.unwrap_or(0))
    }

    /// Cards that a text names stand by their place, too.
    fn text_written(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{#") {
            out.push_str(before);
            let (number, behind) = after.split_once('}').unwrap_or((after, ""));
            match number.parse() {
                Ok(number) => out.push_str(&format!("{{{}}}", self.card_written(number))),
                Err(_) => out.push_str(&format!("{{#{number}}}")),
            }
            rest = behind;
        }
        out.push_str(rest);
        out.replace('\n', "\\n")
    }
}
