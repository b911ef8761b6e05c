//! Six scripted packages of our own, every entry run by Python 2.7 with a recorder of calls and by us with
//! the same answers: the same calls of the interface, in the same order, with the same arguments (S250–S252).
//!
//! `oracle/record.py` is the recorder; `oracle/calls.txt` is what it wrote, so that the comparison runs
//! everywhere. Where Jython or CPython 2.7 is there, it is asked again. `CARDWRIGHT_ORACLE=write` accepts
//! what it says.
#![expect(
    clippy::print_stderr,
    reason = "a test says that it was skipped, and how much it has compared"
)]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use cw_chance::{Chance, Shuffle};
use cw_table::{
    CardAt, CardGroup, CardSide, FreeTable, Kit, PlacedCard, Quarter, RemoteRule, ScriptAnswer,
    ScriptQuestion, TableModel, TablePosition, TableSeat, TableSettings, TableVerb, VerbCards,
};
use serde_json::{Value, json};
use support::scripted::on_disk;

/// A package with its seats.
struct OraclePackage {
    name: &'static str,
    seats: &'static [&'static str],
    /// Where cards lie at first, and one more pile of a seat beside its hand.
    deck: &'static str,
    other: &'static str,
}

const PAIR: &[&str] = &["Ann", "Ben"];

const fn of_two(name: &'static str, other: &'static str) -> OraclePackage {
    OraclePackage {
        name,
        seats: PAIR,
        deck: "Deck",
        other,
    }
}

const PACKAGES: [OraclePackage; 6] = [
    of_two("lanterns", "Discard"),
    of_two("mill", "Discard"),
    of_two("ferry", "Shore"),
    of_two("herbal", "Discard"),
    OraclePackage {
        name: "harvest",
        seats: &["Ann", "Ben", "Cleo", "Dan"],
        deck: "Market",
        other: "Field",
    },
    of_two("novice", "Discard"),
];

/// Which runs differ from Python's and why. Nothing else may.
const NAMED: [(&str, &str); 0] = [];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

impl OraclePackage {
    /// The files of its scripts in the order of the definition, with their texts.
    fn scripts(&self) -> Vec<(String, String)> {
        let root = folder().join("packages").join(self.name);
        let definition = std::fs::read_to_string(root.join("definition.xml")).expect("it is there");
        let sources = definition.split("<script src=\"").skip(1);
        sources
            .filter_map(|rest| rest.split_once('"'))
            .map(|(path, _)| {
                (
                    path.to_owned(),
                    std::fs::read_to_string(root.join(path)).expect("it is there"),
                )
            })
            .collect()
    }

    /// A table: which piles are filled, what lies on the table; 0 is fresh, 1 in the middle, 2 late.
    fn table(&self, which: usize, kit: &Kit) -> (TablePosition, Value) {
        let seats = u8::try_from(self.seats.len()).expect("there are few");
        let shared = kit.shared_piles.iter().any(|pile| pile.name == self.deck);
        let mut position = TablePosition {
            chance: Some(Chance::First {
                shuffle: Shuffle::Rotate,
            }),
            ..TablePosition::default()
        };
        let mut written =
            json!({ "active": 0, "turn": 0, "phase": 0, "counters": [], "piles": [], "table": [] });
        let mut fill = |position: &mut TablePosition, seat: u8, pile: &str, cards: &[usize]| {
            let kinds = if seat == 0 { &kit.shared_piles } else { &kit.piles };
            let kind = kinds
                .iter()
                .position(|kind| kind.name == pile)
                .expect("the pile is there");
            let owner = seat.checked_sub(1).map(TableSeat);
            let models = cards.iter().map(|at| model(*at));
            position.piles.push((owner, kind, models.collect()));
            let names: Vec<String> = cards.iter().map(|at| name_of(kit, *at)).collect();
            let group = format!("{seat}/{pile}");
            written["piles"]
                .as_array_mut()
                .expect("it is a list")
                .push(json!([group, names]));
        };
        for seat in 1..=seats {
            let own = usize::from(seat);
            let deck = [own % 6, 1, 2, (own + 3) % 6, 4, 5, 0, 3];
            let count = [8, 5, 1][which];
            if !shared {
                fill(&mut position, seat, self.deck, &deck[..count]);
            }
            fill(
                &mut position,
                seat,
                "Hand",
                [&[][..], &[own % 6, 3, 5], &[4]][which],
            );
            fill(
                &mut position,
                seat,
                self.other,
                [&[][..], &[2], &[0, 1, 1, own % 6]][which],
            );
        }
        if shared {
            let market = [0, 1, 2, 3, 4, 5, 2, 4, 0, 1, 3, 5];
            fill(&mut position, 0, self.deck, &market[..[12, 8, 2][which]]);
        }
        let lie: &[(usize, u8, bool)] = match which {
            0 => &[],
            1 => &[
                (0, 1, true),
                (1, 1, true),
                (2, 1, true),
                (3, 1, false),
                (4, 1, true),
                (5, 1, true),
                (0, 1, true),
                (2, 1, true),
                (1, 2, true),
                (3, 2, true),
                (4, 2, false),
                (5, 2, true),
            ],
            _ => &[(1, 1, true), (4, 2, true), (0, 1, true)],
        };
        for (at, (card, owner, up)) in lie.iter().enumerate() {
            let place = (
                i32::try_from(at).expect("there are few") * 70 - 200,
                if *owner == 1 { 100 } else { -188 },
            );
            let marker = u16::try_from(at % kit.markers.len().max(1)).expect("there are few");
            let count = u16::try_from(at % 4).expect("it is small");
            let markers: Vec<(u16, u16)> = if count > 0 && *up {
                vec![(marker, count)]
            } else {
                Vec::new()
            };
            let keys: Vec<Value> = markers
                .iter()
                .map(|(kind, count)| {
                    let kind = &kit.markers[usize::from(*kind)];
                    json!([[kind.name, kind.id], count])
                })
                .collect();
            position.table.push(PlacedCard {
                model: model(*card),
                owner: TableSeat(owner - 1),
                at: place,
                face: if *up { CardSide::Up } else { CardSide::Down },
                quarter: Quarter::Zero,
                markers,
            });
            let card = json!({
                "name": name_of(kit, *card), "owner": owner, "up": up,
                "at": [place.0, place.1], "markers": keys,
            });
            written["table"].as_array_mut().expect("it is a list").push(card);
        }
        if which > 0 {
            (position.active, position.turn) = (Some(TableSeat(0)), 3);
            (written["active"], written["turn"]) = (json!(1), json!(3));
            if kit.phases() > 1 {
                position.phase = 1;
                written["phase"] = json!(1);
            }
        }
        (position, written)
    }

    /// The package as the recorder reads it.
    fn written(&self, kit: &Kit, tables: &[Value]) -> Value {
        let top = &kit.package.definition.tabletop;
        let pile = |pile: &cw_table::PileKind| {
            let visible = match pile.visibility {
                cw_table::Visibility::None => "none",
                cw_table::Visibility::Me => "me",
                cw_table::Visibility::All => "all",
                cw_table::Visibility::Undefined => "undefined",
            };
            json!({ "name": pile.name, "visible": visible, "ordered": pile.ordered })
        };
        let properties: Vec<&str> = kit
            .package
            .definition
            .properties
            .iter()
            .map(|property| property.name.as_str())
            .collect();
        let cards: Vec<Value> = (0..kit.count())
            .map(|at| {
                let model = TableModel::Card(at);
                let card = kit.card(&model).expect("the package has it");
                let own = properties
                    .iter()
                    .filter_map(|name| Some(((*name).to_owned(), json!(kit.property(&model, 0, name)?))));
                let own: serde_json::Map<String, Value> = own.collect();
                json!({ "id": card.id.value.to_string(), "name": kit.name(&model, 0), "properties": own })
            })
            .collect();
        let pairs = |all: &[(cw_octgn::Str, cw_octgn::Str)]| -> Value {
            all.iter()
                .map(|(name, value)| json!([name.as_str(), value.as_str()]))
                .collect()
        };
        json!({
            "name": self.name, "seats": self.seats, "scripts": self.scripts(), "version": "3.1.0.2",
            "properties": properties, "cards": cards, "tables": tables,
            "piles": kit.piles.iter().map(pile).collect::<Vec<_>>(),
            "shared_piles": kit.shared_piles.iter().map(pile).collect::<Vec<_>>(),
            "counters": kit.counters().iter()
                .map(|own| json!([own.name.as_str(), own.default]))
                .collect::<Vec<_>>(),
            "shared_counters": kit.shared_counters().iter()
                .map(|own| json!([own.name.as_str(), own.default]))
                .collect::<Vec<_>>(),
            "markers": kit.markers.iter().map(|own| json!([own.name, own.id])).collect::<Vec<_>>(),
            "phases": top.phases.iter().map(|phase| phase.name.as_str()).collect::<Vec<_>>(),
            "globals": pairs(&top.variables), "own": pairs(&top.player_variables),
            "events": top.events.iter()
                .map(|event| json!([event.name.as_str(), event.action.as_str()]))
                .collect::<Vec<_>>(),
        })
    }
}

fn model(at: usize) -> TableModel {
    TableModel::Card(u32::try_from(at).expect("there are few"))
}

fn name_of(kit: &Kit, at: usize) -> String {
    kit.name(&model(at), 0).to_owned()
}

/// What is chosen, on what, and how questions are answered.
struct OracleRun {
    title: String,
    table: FreeTable,
    entry: usize,
    group: CardGroup,
    cards: Vec<usize>,
    answers: &'static str,
    written: Value,
}

/// All packages as the recorder reads them, and all runs.
fn everything() -> (Vec<Value>, Vec<OracleRun>) {
    let (mut packages, mut runs) = (Vec::new(), Vec::new());
    for (number, package) in PACKAGES.iter().enumerate() {
        let kit = on_disk(package.name);
        let mut tables = Vec::new();
        for which in 0..3 {
            let (position, written) = package.table(which, &kit);
            tables.push(written);
            let mut settings = TableSettings::for_people(package.seats);
            settings.remote = RemoteRule::Free;
            let table = FreeTable::with_position(&kit, settings, 0.into(), &position);
            let table = table.expect("it can be laid");
            for (entry, action) in kit
                .actions
                .iter()
                .enumerate()
                .filter(|(entry, _)| kit.runs(*entry))
            {
                let own = &action.definition;
                let stops = ["neverEnds", "grows", "callsItself", "floods", "makesThousands"];
                if stops.contains(&own.execute.as_str()) {
                    continue;
                }
                let (group, name) = match &action.pile {
                    None => (CardGroup::Table, "Table".to_owned()),
                    Some(pile) => {
                        let kind = kit.piles.iter().position(|kind| kind.written == *pile);
                        let kind = kind.expect("entries stand in piles of seats");
                        let own = table.state().pile_of(&kit, TableSeat(0), kind);
                        (CardGroup::Pile(own), format!("1/{}", kit.piles[kind].name))
                    }
                };
                let there = table.state().of_group(group).len();
                let chosen: Vec<Vec<usize>> = match (own.of_card, own.batch, there) {
                    (false, ..) => vec![Vec::new()],
                    (true, _, 0) => continue,
                    (true, true, there) => vec![(0..there.min(3)).collect(), (0..there).collect()],
                    (true, false, there) => {
                        let mut all = vec![vec![0], vec![there / 2], vec![there - 1]];
                        all.dedup();
                        all
                    }
                };
                for cards in chosen {
                    for answers in ["yes", "closed", "second", "last"] {
                        let title = format!("{} {which} {} {cards:?} {answers}", package.name, own.execute);
                        let written = json!({
                            "package": number, "table": which, "function": own.execute.as_str(),
                            "group": name, "of_card": own.of_card, "batch": own.batch,
                            "cards": cards, "answers": answers,
                        });
                        runs.push(OracleRun {
                            title,
                            table: table.clone(),
                            entry,
                            group,
                            cards: cards.clone(),
                            answers,
                            written,
                        });
                    }
                }
            }
        }
        packages.push(package.written(&kit, &tables));
    }
    (packages, runs)
}

/// The answer of a policy, as the recorder gives it.
fn answer(policy: &str, question: &ScriptQuestion, markers: usize) -> ScriptAnswer {
    let (second, last) = (policy == "second", policy == "last");
    if policy == "closed" {
        return ScriptAnswer::Closed;
    }
    match question {
        ScriptQuestion::Confirm { .. } if second => ScriptAnswer::No,
        ScriptQuestion::Confirm { .. } => ScriptAnswer::Yes,
        ScriptQuestion::Number { default, .. } => ScriptAnswer::Number(if second {
            1
        } else {
            (*default).max(0) + i64::from(last)
        }),
        ScriptQuestion::Text { .. } => ScriptAnswer::Text(if second { "" } else { "word" }.to_owned()),
        ScriptQuestion::Choice { choices, .. } => ScriptAnswer::Number(match choices.len() {
            0 => -1,
            count if last => i64::try_from(count).expect("there are few"),
            1 => 1,
            _ => 1 + i64::from(second),
        }),
        ScriptQuestion::Marker if second => ScriptAnswer::Counted(u32::from(markers > 1), 1),
        ScriptQuestion::Marker => ScriptAnswer::Counted(0, 2),
        ScriptQuestion::Model { models, .. } => ScriptAnswer::Counted(
            if second {
                u32::try_from(models.len()).unwrap_or(1) - 1
            } else {
                0
            },
            1,
        ),
        ScriptQuestion::Cards {
            cards,
            bottom,
            least,
            most,
            ..
        } => {
            let all = cards.len() + bottom.as_ref().map_or(0, Vec::len);
            let all = u32::try_from(all).expect("there are few");
            let places: Vec<u32> = if *most == 0 && bottom.is_none() {
                let turned = u32::from(second);
                let order = (0..all).map(|at| (at + turned) % all.max(1));
                if last {
                    (0..all).rev().collect()
                } else {
                    order.collect()
                }
            } else {
                let count = if last {
                    (*most).min(all)
                } else {
                    (*least).max((*most).min(1))
                };
                if second || last {
                    (all - count..all).collect()
                } else {
                    (0..count).collect()
                }
            };
            ScriptAnswer::Places(places)
        }
    }
}

/// What we call.
fn calls(mut run: OracleRun) -> Vec<String> {
    let me = TableSeat(0);
    let kit = Arc::clone(run.table.kit());
    let scripts = kit.scripts.as_ref().expect("it has scripts");
    scripts.record_calls();
    let state = run.table.state();
    let ids = state.of_group(run.group);
    let cards = run
        .cards
        .iter()
        .map(|at| match state.handle(me.into(), ids[*at]) {
            0 => CardAt::Place(u32::try_from(*at).expect("there are few")),
            handle => CardAt::Handle(handle),
        });
    let cards = VerbCards {
        group: run.group,
        cards: cards.collect(),
    };
    let verb = TableVerb::Run {
        entry: u16::try_from(run.entry).expect("there are few"),
        cards: (!run.cards.is_empty()).then_some(cards),
        pile: None,
        at: None,
        time: 0,
    };
    run.table
        .act(me, verb)
        .unwrap_or_else(|refusal| panic!("{}: {refusal}", run.title));
    while let Some(waits) = run.table.state().runs.first() {
        let asked = waits.waits().expect("it waits").clone();
        let reply = TableVerb::Reply {
            run: waits.id,
            answer: answer(run.answers, &asked.question, kit.markers.len()),
        };
        let done = run.table.act(asked.seat, reply);
        done.unwrap_or_else(|refusal| panic!("{}: {refusal}: {asked:?}", run.title));
    }
    assert_eq!(run.table.state().broken(&kit), None, "{}", run.title);
    scripts.recorded_calls()
}

/// What Python calls, by run; nothing if there is none here.
fn asked_again(packages: &[Value], runs: &[OracleRun]) -> Option<String> {
    let written: Vec<&Value> = runs.iter().map(|run| &run.written).collect();
    let all = json!({ "packages": packages, "runs": written });
    let file = std::env::temp_dir().join(format!("cardwright-oracle-{}.json", std::process::id()));
    std::fs::write(&file, all.to_string()).expect("there is room");
    let own = std::env::var("CARDWRIGHT_PYTHON2").ok();
    let programs = own.as_deref().into_iter().chain(["python2.7", "jython"]);
    let mut found = None;
    for program in programs {
        let out = Command::new(program)
            .arg(folder().join("oracle/record.py"))
            .arg(&file)
            .output();
        let Ok(out) = out else { continue };
        if out.status.success() {
            found = String::from_utf8(out.stdout).ok();
            break;
        }
        eprintln!("{program}: {}", String::from_utf8_lossy(&out.stderr));
    }
    let _ = std::fs::remove_file(&file);
    found
}

/// The lines of each run.
fn pieces(text: &str) -> Vec<Vec<&str>> {
    let mut all: Vec<Vec<&str>> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("#### "), all.last_mut()) {
            (Some(_), _) => all.push(Vec::new()),
            (None, Some(piece)) => piece.push(line),
            (None, None) => {}
        }
    }
    all
}

/// Every entry of six packages calls what Python 2.7 calls, in the same order, with the same arguments, and
/// ends alike (S250–S252).
#[test]
fn entries_call_what_python_calls() {
    let golden = folder().join("oracle/calls.txt");
    let (packages, runs) = everything();
    let again = asked_again(&packages, &runs);
    let write = std::env::var("CARDWRIGHT_ORACLE").is_ok_and(|what| what == "write");
    if write {
        let text = again.as_ref().expect("Python 2.7 or Jython is here");
        std::fs::write(&golden, text).expect("there is room");
    }
    let recorded = std::fs::read_to_string(&golden).expect("what Python called was recorded");
    match &again {
        Some(again) => assert!(
            *again == recorded,
            "Python calls something else than was recorded"
        ),
        None => eprintln!("skipped: neither python2.7 nor jython is here; compared with what was recorded"),
    }
    let expected = pieces(&recorded);
    assert_eq!(expected.len(), runs.len(), "every run was recorded");
    assert!(
        runs.len() > 1_300,
        "three tables, four ways to answer: {}",
        runs.len()
    );
    let (mut different, mut ends) = (Vec::new(), 0);
    let count = runs.len();
    for (run, wanted) in runs.into_iter().zip(expected) {
        let title = run.title.clone();
        let got = calls(run);
        let got: Vec<&str> = got.iter().map(String::as_str).collect();
        ends += usize::from(got.last() == wanted.last());
        let named = NAMED.iter().any(|(start, _)| title.starts_with(start));
        if got != wanted && !named {
            let at = got.iter().zip(&wanted).position(|(got, wanted)| got != wanted);
            let at = at.unwrap_or(got.len().min(wanted.len()));
            different.push(format!(
                "{title}, call {at}:\n    we     {:?}\n    Python {:?}",
                got.get(at),
                wanted.get(at)
            ));
        }
    }
    eprintln!(
        "{count} runs: {} with other calls, {ends} end alike",
        different.len()
    );
    assert!(
        different.is_empty(),
        "{} of {count}:\n{}",
        different.len(),
        different.join("\n")
    );
}
