//! Messages, questions and chance (S44–S65).

use cw_script::{ExceptionKind, HostValue};

use super::room::{Global, ScriptRoom};
use super::thing::{Args, Flow, Thing, raise, text, type_error};
use super::{NONE, ScriptAnswer, ScriptQuestion, ShownCard};
use crate::count::{short, whole};
use crate::state::plain;
use crate::{Colour, LookerSet, TableCardId, TableModel};

/// Functions that say, ask and draw.
pub(crate) const GLOBALS: &[(&str, Global)] = &[
    ("notify", |room, args| {
        let words = args.text(0, "text")?.to_owned();
        room.say(LookerSet::ALL, &words)
    }),
    ("whisper", |room, args| {
        let words = args.text(0, "text")?.to_owned();
        let seat = LookerSet::of(room.seat);
        room.say(seat, &words)
    }),
    ("notifyBar", |room, args| {
        let words = args.text(1, "text")?.to_owned();
        let seat = LookerSet::of(room.seat);
        room.say(seat, &words)
    }),
    ("_table_mute", |room, _| {
        room.mute(true);
        Ok(NONE)
    }),
    ("_table_unmute", |room, _| {
        room.mute(false);
        Ok(NONE)
    }),
    ("update", |room, _| {
        room.yields()?;
        Ok(NONE)
    }),
    ("rnd", |room, args| {
        let (low, high) = (args.int(0, "min")?, args.int(1, "max")?);
        room.yields()?;
        room.number_between(low, high)
    }),
    ("rndArray", |room, args| {
        let (low, high) = (args.int(0, "min")?, args.int(1, "max")?);
        let count = args.int(2, "n")?.clamp(0, 10_000);
        room.yields()?;
        let all: Flow<Vec<HostValue>> = (0..count).map(|_| room.number_between(low, high)).collect();
        all.map(HostValue::List)
    }),
    ("confirm", |room, args| {
        let text = asked(args.text(0, "text")?);
        let answer = room.ask(ScriptQuestion::Confirm { text })?;
        Ok(HostValue::Bool(answer == ScriptAnswer::Yes))
    }),
    ("askInteger", |room, args| {
        let text = asked(args.text(0, "text")?);
        let default = args.int_or(1, "default", 0)?;
        let answer = room.ask(ScriptQuestion::Number { text, default })?;
        Ok(match answer {
            ScriptAnswer::Number(number) => HostValue::Int(number),
            _ => NONE,
        })
    }),
    ("askString", |room, args| {
        let question = asked(args.text(0, "text")?);
        let default = asked(&args.text_or(1, "default", "")?);
        let text_of = ScriptQuestion::Text {
            text: question,
            default,
        };
        Ok(match room.ask(text_of)? {
            ScriptAnswer::Text(answer) => text(answer),
            _ => NONE,
        })
    }),
    ("askChoice", |room, args| {
        let question = asked(args.text(0, "text")?);
        let choices = args.texts(1, "choices")?;
        let colours = args.texts(2, "colors").unwrap_or_default();
        let buttons = args.texts(3, "customButtons")?;
        if choices.is_empty() && buttons.is_empty() {
            return Ok(HostValue::Int(0));
        }
        let coloured = colours.len() == choices.len();
        let choices = choices.iter().enumerate().map(|(at, choice)| {
            let colour = colours.get(at).filter(|_| coloured);
            (asked(choice), colour.and_then(|colour| Colour::parse(colour)))
        });
        let choice = ScriptQuestion::Choice {
            text: question,
            choices: choices.collect(),
            buttons: buttons.iter().map(|button| asked(button)).collect(),
        };
        Ok(match room.ask(choice)? {
            ScriptAnswer::Number(at) => HostValue::Int(at),
            _ => HostValue::Int(0),
        })
    }),
    ("askMarker", |room, _| {
        Ok(match room.ask(ScriptQuestion::Marker)? {
            ScriptAnswer::Counted(at, count) => match room.kit.markers.get(whole(at)) {
                Some(marker) => HostValue::Tuple(vec![
                    HostValue::Tuple(vec![text(marker.name.as_str()), text(marker.id.as_str())]),
                    HostValue::Int(i64::from(count)),
                ]),
                None => nothing(),
            },
            _ => nothing(),
        })
    }),
    ("_table_model", |room, args| {
        let operator = args.text_or(1, "operator", "and")?;
        let title = asked(&args.text_or(2, "title", "Choose card")?);
        let models = room.query(
            args.get(0, "properties"),
            true,
            operator.eq_ignore_ascii_case("or"),
        )?;
        if models.is_empty() {
            return Ok(nothing());
        }
        let question = ScriptQuestion::Model {
            text: title,
            models: models.clone(),
        };
        Ok(match room.ask(question)? {
            ScriptAnswer::Counted(at, count) => {
                let card = models
                    .get(whole(at))
                    .and_then(|at| room.kit.card(&TableModel::Card(*at)));
                match card {
                    Some(card) => HostValue::Tuple(vec![
                        text(card.id.value.to_string()),
                        HostValue::Int(i64::from(count)),
                    ]),
                    None => nothing(),
                }
            }
            _ => nothing(),
        })
    }),
    ("_table_window", |room, args| {
        let title = args.text_or(0, "title", "")?;
        let labels = args.texts(1, "labels")?;
        let buttons = args.texts(2, "buttons")?;
        let mut words = vec![title];
        words.extend(labels);
        let question = ScriptQuestion::Choice {
            text: asked(&words.join("\n")),
            choices: buttons.iter().map(|button| (asked(button), None)).collect(),
            buttons: Vec::new(),
        };
        Ok(match room.ask(question)? {
            ScriptAnswer::Number(at) if at > 0 => HostValue::Int(at - 1),
            // S33: closing it presses the last button, which the caller knows.
            _ => HostValue::Int(-1),
        })
    }),
    ("_table_cards", |room, args| room.ask_cards(args)),
];

/// What a closed window gives where a pair is wanted.
fn nothing() -> HostValue {
    HostValue::Tuple(vec![NONE, HostValue::Int(0)])
}

/// Words of a question: plain, and not without end.
fn asked(text: &str) -> String {
    let lines: Vec<String> = text.lines().take(60).map(|line| plain(line, 500, "")).collect();
    lines.join("\n")
}

impl ScriptRoom<'_> {
    /// A number from the run's own stream, both bounds included (S61).
    fn number_between(&mut self, low: i64, high: i64) -> Flow {
        if low == high.saturating_add(1) {
            return Ok(HostValue::Int(low));
        }
        let span = u32::try_from(high.saturating_sub(low).saturating_add(1));
        match span {
            Ok(span) if low <= high => Ok(HostValue::Int(low + i64::from(self.below(span)))),
            _ => Err(raise(
                ExceptionKind::ValueError,
                "rnd: min is above max, or they are too far apart",
            )),
        }
    }

    /// S59, S60a.
    fn ask_cards(&mut self, args: &Args<'_>) -> Flow {
        let list = |value: Option<&HostValue>, room: &ScriptRoom<'_>| -> Flow<Option<Vec<TableCardId>>> {
            match value {
                None | Some(HostValue::None) => Ok(None),
                Some(HostValue::List(all) | HostValue::Tuple(all) | HostValue::Generator(all)) => {
                    let all: Flow<Vec<TableCardId>> = all
                        .iter()
                        .map(|one| match Thing::in_value(one) {
                            Some(card @ Thing::Card(_)) => room.there(card),
                            _ => Err(type_error("a list of cards is expected")),
                        })
                        .collect();
                    all.map(Some)
                }
                Some(_) => Err(type_error("a list of cards is expected")),
            }
        };
        let top = list(args.get(4, "list"), self)?.unwrap_or_default();
        let bottom = list(args.get(5, "bottom"), self)?;
        if top.is_empty() && bottom.is_none() {
            return Ok(NONE);
        }
        let least = u32::try_from(args.int_or(6, "min", 1)?).unwrap_or(0);
        let most = u32::try_from(args.int_or(7, "max", 1)?).unwrap_or(0);
        let question = ScriptQuestion::Cards {
            title: asked(&args.text_or(0, "title", "Choose card")?),
            text: asked(&args.text_or(1, "text", "")?),
            label: asked(&args.text_or(2, "label", "")?),
            bottom_label: asked(&args.text_or(3, "bottomLabel", "")?),
            cards: self.shown(&top),
            bottom: bottom.as_ref().map(|bottom| self.shown(bottom)),
            least: least.min(most),
            most,
        };
        let ScriptAnswer::Places(chosen) = self.ask(question)? else {
            return Ok(NONE);
        };
        let objects = |room: &mut ScriptRoom<'_>, ids: Vec<TableCardId>| {
            HostValue::List(ids.into_iter().map(|id| room.card(id)).collect())
        };
        let all: Vec<TableCardId> = top.iter().chain(bottom.iter().flatten()).copied().collect();
        let picked: Vec<TableCardId> = chosen
            .iter()
            .filter_map(|at| all.get(whole(*at)).copied())
            .collect();
        if bottom.is_some() {
            let rest: Vec<TableCardId> = all.into_iter().filter(|id| !picked.contains(id)).collect();
            let halves = vec![objects(self, picked), objects(self, rest)];
            return Ok(HostValue::Tuple(halves));
        }
        if most == 0 {
            // Only the order was changed.
            let order = vec![objects(self, picked), HostValue::List(Vec::new())];
            return Ok(HostValue::Tuple(order));
        }
        let order = vec![objects(self, top), objects(self, picked)];
        Ok(HostValue::Tuple(order))
    }

    /// Cards for a question, each with what the seat may see of it (S207).
    fn shown(&mut self, ids: &[TableCardId]) -> Vec<ShownCard> {
        let shown = ids.iter().map(|id| ShownCard {
            card: *id,
            face: self.face(*id),
        });
        shown.collect()
    }
}

/// Whether an answer fits a question; else why not.
pub(crate) fn check(question: &ScriptQuestion, markers: usize, answer: &ScriptAnswer) -> Result<(), String> {
    let fits = match (question, answer) {
        (_, ScriptAnswer::Closed) => true,
        (ScriptQuestion::Confirm { .. }, ScriptAnswer::Yes | ScriptAnswer::No) => true,
        (ScriptQuestion::Number { .. }, ScriptAnswer::Number(number)) => *number >= 0 && *number <= 1 << 31,
        (ScriptQuestion::Text { .. }, ScriptAnswer::Text(text)) => text.chars().count() <= 500,
        (ScriptQuestion::Choice { choices, buttons, .. }, ScriptAnswer::Number(at)) => {
            let (at, from) = (*at, -crate::count::long(buttons.len()));
            at != 0 && at >= from && at <= crate::count::long(choices.len())
        }
        (ScriptQuestion::Marker, ScriptAnswer::Counted(at, count)) => whole(*at) < markers && *count > 0,
        (ScriptQuestion::Model { models, .. }, ScriptAnswer::Counted(at, count)) => {
            whole(*at) < models.len() && *count > 0 && *count <= 1_000
        }
        (
            ScriptQuestion::Cards {
                cards,
                bottom,
                least,
                most,
                ..
            },
            ScriptAnswer::Places(places),
        ) => {
            let all = cards.len() + bottom.as_ref().map_or(0, Vec::len);
            let mut sorted = places.clone();
            sorted.sort_unstable();
            let distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
            let within = places.iter().all(|at| whole(*at) < all);
            let count = short(places.len());
            let enough = if *most == 0 && bottom.is_none() {
                whole(count) == all
            } else {
                count >= *least && count <= *most
            };
            if distinct && within && !enough {
                return Err(format!("choose {least} to {most} cards, not {count}"));
            }
            distinct && within
        }
        _ => false,
    };
    if fits {
        Ok(())
    } else {
        Err("that does not answer this question".to_owned())
    }
}
