//! Pages as outlines, compared with those in `tests/pages`: every kind of prompt and every state of
//! a duel, without a browser. `cargo xtask bless` writes them anew; read the difference.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests: what is missing ends the test"
)]

use std::path::Path;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, header};
use cw_duel::{Game, PerSeat, Seat};
use cw_faces::Catalogue;
use cw_octgn::Folder;
use cw_players::Level;
use cw_serve::{
    DuelHost, DuelStart, DuelStore, HostSettings, Invitation, Memory, ScenarioStage, SeatPlayer, Serve as _,
};
use http_body_util::BodyExt;
use tower::ServiceExt;

#[path = "it/opened.rs"]
mod opened;

use opened::opened;

const SALTMARSH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/saltmarsh");

struct Demo {
    game: Arc<Game>,
    catalogue: Arc<Catalogue>,
}

fn demo() -> Demo {
    let loaded = cw_load::load(Folder::new(Path::new(SALTMARSH))).unwrap();
    let catalogue = Arc::new(Catalogue::of(&loaded.project));
    Demo {
        game: loaded.game.unwrap(),
        catalogue,
    }
}

impl Demo {
    fn start(&self, who: [SeatPlayer; 2], stage: Option<Arc<ScenarioStage>>) -> DuelStart {
        DuelStart {
            game: Arc::clone(&self.game),
            catalogue: Arc::clone(&self.catalogue),
            decks: PerSeat::default(),
            names: PerSeat(["Harbour Lights".into(), "Night School".into()]),
            who: PerSeat(who),
            seed: Some(5.into()),
            first: Some(Seat::One),
            allow_illegal_decks: true,
            stage,
            invites: None,
            opponent: None,
        }
    }

    fn host(&self) -> DuelHost {
        self.host_with(Arc::new(Memory::new(cw_serve::fresh_secret())))
    }

    fn host_with(&self, store: Arc<dyn DuelStore>) -> DuelHost {
        DuelHost::new(self.setting(store))
    }

    fn setting(&self, store: Arc<dyn DuelStore>) -> HostSettings {
        HostSettings::new(
            Arc::clone(&self.game),
            Arc::clone(&self.catalogue),
            store,
            cw_serve::fresh_secret,
        )
    }

    fn stages(&self, file: &str) -> Vec<Arc<ScenarioStage>> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = std::fs::read_to_string(path).unwrap();
        ScenarioStage::read(&text, &self.game).unwrap()
    }
}

/// A seat that is looked at and answers, without a port.
struct Visitor {
    router: axum::Router,
    base: String,
    cookie: String,
}

impl Visitor {
    async fn join(host: &DuelHost, path: &str) -> Visitor {
        let router = host.router();
        let answer = router.clone().oneshot(get(path, "")).await.unwrap();
        let field = |name| answer.headers()[name].to_str().unwrap().to_owned();
        Visitor {
            cookie: field(header::SET_COOKIE).split(';').next().unwrap().to_owned(),
            base: field(header::LOCATION),
            router,
        }
    }

    async fn page(&self, path: &str) -> String {
        let request = get(&format!("{}{path}", self.base), &self.cookie);
        let answer = self.router.clone().oneshot(request).await.unwrap();
        let bytes = answer.into_body().collect().await.unwrap().to_bytes();
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    async fn post(&self, action: &str, field: &str) {
        let status = self.try_to_post(action, field).await;
        assert!((300..400).contains(&status), "{action} {field}: {status}");
    }

    /// The status of the answer.
    async fn try_to_post(&self, action: &str, field: &str) -> u16 {
        let page = self.page("").await;
        // Before a duel nothing is asked, so no question has a number.
        let hidden = |name: &str| {
            let mark = format!("name=\"{name}\" value=\"");
            let value = page.split(&mark).nth(1)?.split('"').next()?;
            Some(format!("{name}={value}&"))
        };
        let number = hidden("n").unwrap_or_default();
        let form = format!("{number}{}{field}", hidden("k").unwrap());
        let request = Request::post(format!("{}{action}", self.base))
            .header(header::HOST, "127.0.0.1:7313")
            .header(header::ORIGIN, "http://127.0.0.1:7313")
            .header(header::COOKIE, &self.cookie)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(form))
            .unwrap();
        self.router
            .clone()
            .oneshot(request)
            .await
            .unwrap()
            .status()
            .as_u16()
    }
}

fn get(path: &str, cookie: &str) -> Request<Body> {
    let request = Request::get(path)
        .header(header::HOST, "127.0.0.1:7313")
        .header(header::COOKIE, cookie);
    request.body(Body::empty()).unwrap()
}

fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(test);
}

/// A page for reading: elements that have a class, a name or words, indented; no pictures, no
/// enlarged cards, no secrets.
fn outline(page: &str) -> String {
    let body = page.split_once("<main").map_or(page, |(_, rest)| rest);
    let body = body.split_once("</main>").map_or(body, |(body, _)| body);
    let body = format!("<main{body}</main>");
    let mut out = String::new();
    let mut depth = 0usize;
    let mut silent: Option<usize> = None;
    let mut rest = body.as_str();
    while let Some(open) = rest.find('<') {
        let words = rest[..open].trim();
        if !words.is_empty() && silent.is_none() {
            line(&mut out, depth, words);
        }
        let Some(close) = rest[open..].find('>') else {
            break;
        };
        let tag = &rest[open + 1..open + close];
        rest = &rest[open + close + 1..];
        if tag.starts_with('/') {
            depth = depth.saturating_sub(1);
            silent = silent.filter(|at| *at < depth + 1 && *at != depth);
            continue;
        }
        let name = tag.split([' ', '>']).next().unwrap_or("");
        let hides = ["class=\"digest\"", "class=\"facts\"", "class=\"steps\""];
        if silent.is_none() {
            let said = element(name, tag);
            if hides.iter().any(|hidden| tag.contains(hidden)) {
                silent = Some(depth);
            } else if !said.is_empty() {
                line(&mut out, depth, &said);
            }
        }
        if !["img", "input", "meta", "link", "br"].contains(&name) {
            depth += 1;
        }
    }
    out
}

fn line(out: &mut String, depth: usize, words: &str) {
    let words = words
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    out.push_str(&" ".repeat(depth.min(12)));
    out.push_str(&words);
    out.push('\n');
}

/// What an element is, if that says anything.
fn element(name: &str, tag: &str) -> String {
    let value = |attribute: &str| {
        let mark = format!(" {attribute}=\"");
        let at = tag.find(&mark)? + mark.len();
        tag[at..].split('"').next()
    };
    if ["img", "svg", "form"].contains(&name) || value("type") == Some("hidden") {
        return String::new();
    }
    let mut said = String::new();
    let told = [
        "id",
        "class",
        "name",
        "value",
        "data-kind",
        "data-side",
        "aria-label",
        "aria-pressed",
        "href",
    ];
    for attribute in told {
        let Some(text) = value(attribute) else { continue };
        match attribute {
            "id" => said.push_str(&format!(" #{text}")),
            "class" if text.is_empty() => {}
            "class" => said.push_str(&format!(" .{}", text.replace(' ', "."))),
            "aria-label" => said.push_str(&format!(" “{text}”")),
            _ => said.push_str(&format!(" {attribute}={text}")),
        }
    }
    let marks = [" hidden", " data-mine", " data-active"];
    for mark in marks.iter().filter(|mark| tag.contains(**mark)) {
        said.push_str(mark);
    }
    if said.is_empty() {
        said
    } else {
        format!("{name}{said}")
    }
}

/// Compares with the file of this name, or writes it.
#[track_caller]
fn check(name: &str, page: &str) {
    let file = format!("{}/tests/pages/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let now = outline(page);
    if std::env::var_os("CARDWRIGHT_BLESS").is_some() {
        std::fs::create_dir_all(Path::new(&file).parent().unwrap()).unwrap();
        std::fs::write(&file, now).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = kept.lines().zip(now.lines()).position(|(kept, now)| kept != now);
    let at = differs.unwrap_or_else(|| kept.lines().count().min(now.lines().count()));
    assert!(
        kept == now,
        "{name}: line {}: kept “{}”, now “{}”; `cargo xtask bless` accepts it",
        at + 1,
        kept.lines().nth(at).unwrap_or("(end)"),
        now.lines().nth(at).unwrap_or("(end)")
    );
}

/// C1 to C20: the control for each kind of choice, and that it is really that kind which is asked.
#[test]
fn every_kind_of_question_has_its_page() {
    let kinds = [
        ("C1 ", "slot"),
        ("C2 ", "back-up"),
        ("C3 ", "attack"),
        ("C4 ", "join"),
        ("C5 ", "block"),
        ("C6 ", "counter"),
        ("C7 ", "main"),
        ("C8 a target", "target"),
        ("C8 several", "target"),
        ("C8 cards", "target"),
        ("C8 the opponent", "type"),
        ("C8 a player", "player"),
        ("C8 whose", "zone"),
        ("C9 ", "action"),
        ("C10", "may"),
        ("C11", "target"),
        ("C12", "discard-cost"),
        ("C13", "sacrifice"),
        ("C14", "discard"),
        ("C15", "top-or-bottom"),
        ("C16", "prophecy"),
        ("C17", "optional"),
        ("C18", "coin"),
        ("C19", "move"),
        ("C20", "main"),
    ];
    run(async {
        let demo = demo();
        let stages = demo.stages("tests/prompts.toml");
        assert_eq!(stages.len(), kinds.len());
        for (stage, (begins, kind)) in stages.iter().zip(kinds) {
            assert!(stage.name().starts_with(begins), "{}", stage.name());
            let host = demo.host();
            let stage = Arc::new(stage.after_its_steps());
            let seats = host
                .open(demo.start([SeatPlayer::Person; 2], Some(Arc::clone(&stage))))
                .unwrap();
            let page = Visitor::join(&host, &seats[0].path).await.page("").await;
            let asked = format!("data-kind=\"{kind}\"");
            assert!(page.contains(&asked), "{}: {kind}", stage.name());
            let file = stage.name().replace(' ', "-").replace(',', "").to_lowercase();
            check(&format!("prompt-{file}"), &page);
        }
    });
}

/// The states of a duel: its beginning, the opponent's decision, fights, the end, and looking back.
#[test]
fn every_state_of_a_duel_has_its_page() {
    run(async {
        let demo = demo();
        let host = demo.host();
        let loaded = cw_load::load(Folder::new(Path::new(SALTMARSH))).unwrap();
        let mut start = demo.start([SeatPlayer::Person; 2], None);
        start.decks = PerSeat([loaded.decks[0].cards.clone(), loaded.decks[1].cards.clone()]);
        let unshuffled = DuelStart {
            seed: None,
            ..start.clone()
        };
        let seats = host.open(unshuffled).unwrap();
        check(
            "duel-sit-down",
            &Visitor::join(&host, &seats[0].path).await.page("").await,
        );
        let seats = host.open(start).unwrap();
        let one = Visitor::join(&host, &seats[0].path).await;
        let two = Visitor::join(&host, &seats[1].path).await;
        check("duel-beginning", &one.page("").await);
        check("duel-waiting", &two.page("").await);
        one.post("act", "act=concede").await;
        check("duel-lost", &one.page("").await);
        check("duel-won", &two.page("").await);
        two.post("act", &format!("act=rematch&commit={}", "5".repeat(64)))
            .await;
        check("duel-rematch-wanted", &two.page("").await);
        check("duel-earlier-moment", &one.page("moment/0").await);
        check("duel-other-side", &one.page("moment/0?other=true").await);
    });
}

/// The end of a duel against the computer leads on: who has won to somebody harder, who has lost to an easier
/// level and to the lesson that the page's script knows to come next.
#[test]
fn an_end_against_the_computer_leads_on() {
    run(async {
        let demo = demo();
        let host = demo.host();
        let loaded = cw_load::load(Folder::new(Path::new(SALTMARSH))).unwrap();
        let against = |level: Level, first: Seat, opponent: bool| {
            let mut start = demo.start([SeatPlayer::Person, SeatPlayer::Computer(level)], None);
            // Who must draw and cannot has lost: the computer has no deck.
            start.decks = PerSeat([loaded.decks[0].cards.clone(), Vec::new()]);
            start.first = Some(first);
            start.opponent = opponent.then(Arc::default);
            start
        };
        let ended = async |start: DuelStart, concedes: bool| {
            let seats = host.open(start).unwrap();
            let one = Visitor::join(&host, &seats[0].path).await;
            if concedes {
                one.post("act", "act=concede").await;
            }
            for _ in 0..200 {
                let page = one.page("").await;
                if let Some((_, again)) = page.split_once("<div class=\"after again\">") {
                    return again.split("</div>").next().unwrap().to_owned();
                }
                let pass = page.split("<button class=\"option").find_map(|button| {
                    let last = button.contains("End the Main phase") || button.contains("Do not attack");
                    last.then(|| button.split("name=\"o\" value=\"").nth(1)?.split('"').next())?
                });
                match pass {
                    Some(option) => one.post("answer", &format!("o={option}")).await,
                    None => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
                }
            }
            panic!("it does not end: {}", one.page("").await)
        };
        let gold = |again: &str| {
            let buttons = again.split('<').filter(|tag| {
                tag.contains("class=\"") && tag.contains("go\"") || tag.contains("class=\"option go")
            });
            let named = buttons.map(|tag| match tag {
                tag if tag.contains("data-due") => "lesson".to_owned(),
                tag => tag.rsplit('>').next().unwrap_or_default().to_owned(),
            });
            named.collect::<Vec<_>>()
        };
        let lost = ended(against(Level::Easy, Seat::One, false), true).await;
        assert_eq!(gold(&lost), ["lesson", "Rematch"], "{lost}");
        assert!(
            lost.contains("href=\"home#level-novice\">An easier opponent: novice<"),
            "{lost}"
        );
        let won = ended(against(Level::Easy, Seat::Two, false), false).await;
        assert_eq!(gold(&won), ["A harder opponent: normal"], "{won}");
        assert!(won.contains("home#level-normal"), "{won}");
        let of_the_ladder = ended(against(Level::Plain, Seat::Two, true), false).await;
        assert_eq!(gold(&of_the_ladder), ["Next opponent"], "{of_the_ladder}");
        let hardest = ended(against(Level::Random, Seat::One, false), true).await;
        assert!(!hardest.contains("An easier"), "nobody is easier: {hardest}");
    });
}

/// The lesson's steps and every puzzle's solution really lead to where they say.
#[test]
fn lessons_and_solutions_work() {
    let demo = demo();
    let mut wins = 0;
    for file in [
        "1-first-duel.toml",
        "2-actions-and-reactions.toml",
        "3-abilities.toml",
        "4-back-ups-and-united-attacks.toml",
        "5-puzzles.toml",
    ] {
        let text = std::fs::read_to_string(format!("{SALTMARSH}/Lessons/{file}")).unwrap();
        for scenario in cw_scenario::read(&text).unwrap().scenarios {
            let report = cw_scenario::run(&scenario, &demo.game, cw_scenario::RunOptions::default());
            assert_eq!(report.failure, None, "{}", scenario.name);
            let won = |step: &cw_scenario::StepReport| step.events.iter().any(|event| event.contains("wins"));
            wins += usize::from(report.steps.iter().any(won));
        }
    }
    assert_eq!(wins, 34, "each ends with the victory of the player");
}

/// A puzzle of the demo game that has a main phase and a fight.
fn manners(puzzles: &[Arc<ScenarioStage>]) -> &Arc<ScenarioStage> {
    let found = puzzles
        .iter()
        .find(|puzzle| puzzle.name() == "Manners before muscles");
    found.expect("it ships")
}

/// A lesson with its coach, a puzzle, and both ends of a puzzle.
#[test]
fn lessons_and_puzzles_have_their_pages() {
    run(async {
        let demo = demo();
        let host = demo.host();
        let lesson = demo.stages("../../games/saltmarsh/Lessons/1-first-duel.toml");
        let puzzles = demo.stages("../../games/saltmarsh/Lessons/5-puzzles.toml");
        assert!(lesson[0].is_lesson() && puzzles.iter().all(|puzzle| puzzle.goal().is_some()));
        let open = |stage: &Arc<ScenarioStage>| {
            let start = demo.start([SeatPlayer::Person; 2], Some(Arc::clone(stage)));
            host.open(start).unwrap()
        };
        let seats = open(&lesson[0]);
        check(
            "lesson",
            &Visitor::join(&host, &seats[0].path).await.page("").await,
        );
        let seats = open(manners(&puzzles));
        check(
            "puzzle",
            &Visitor::join(&host, &seats[0].path).await.page("").await,
        );
        let seats = open(&Arc::new(manners(&puzzles).after_its_steps()));
        check(
            "puzzle-solved",
            &Visitor::join(&host, &seats[0].path).await.page("").await,
        );
        let seats = open(manners(&puzzles));
        let (one, two) = (
            Visitor::join(&host, &seats[0].path).await,
            Visitor::join(&host, &seats[1].path).await,
        );
        for _ in 0..8 {
            if one.page("").await.contains("Not solved") {
                break;
            }
            // What goes on stands in a list of its own: whoever is asked ends the phase.
            let who = if one.page("").await.contains("data-mine") {
                &one
            } else {
                &two
            };
            let page = who.page("").await;
            let go = page.split("class=\"options onward\"").nth(1).unwrap();
            let option = go.split("value=\"").nth(1).unwrap().split('"').next().unwrap();
            who.post("answer", &format!("o={option}")).await;
        }
        check("puzzle-failed", &one.page("").await);
    });
}

/// Tables in a file, whose program can end.
struct Kept {
    demo: Demo,
    folder: tempfile::TempDir,
}

impl Kept {
    fn new() -> Kept {
        Kept {
            demo: demo(),
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// The program, as it starts.
    async fn host(&self) -> DuelHost {
        let store = opened(&self.folder.path().join("duels.db")).await;
        self.demo.host_with(Arc::new(store))
    }

    /// The program ends and starts again: the seat's page is as it was; the seat in the new one.
    async fn restart(&self, seat: Visitor, invitation: &Invitation) -> Visitor {
        let before = outline(&seat.page("").await);
        drop(seat);
        let host = self.host().await;
        let resumed = host.resume().unwrap();
        assert!(resumed.going.iter().flatten().any(|again| again == invitation));
        let seat = Visitor::join(&host, &invitation.path).await;
        let after = outline(&seat.page("").await);
        assert!(before == after, "{}", first_difference(&before, &after));
        seat
    }
}

fn first_difference(before: &str, after: &str) -> String {
    let mut pairs = before.lines().zip(after.lines());
    let pair = pairs.find(|(before, after)| before != after);
    format!("before and after: {pair:?}")
}

/// Stops, full control, automatic answers and what was put away: they are kept with the duel, and go
/// on in the next one at the same table.
#[test]
fn what_a_seat_has_settled_survives_a_restart() {
    run(async {
        let kept = Kept::new();
        let stages = kept.demo.stages("tests/prompts.toml");
        let asks = stages.iter().find(|stage| stage.name().starts_with("C10"));
        let start = kept.demo.start(
            [SeatPlayer::Person; 2],
            Some(Arc::new(asks.unwrap().after_its_steps())),
        );
        let host = kept.host().await;
        let invitation = host.open(start).unwrap().remove(0);
        let seat = Visitor::join(&host, &invitation.path).await;
        drop(host);
        let quiet = outline(&seat.page("").await);
        for act in ["always-yes", "stop-counter", "control", "dismiss"] {
            seat.post("act", &format!("act={act}")).await;
        }
        let settled = outline(&seat.page("").await);
        assert!(settled.matches("aria-pressed=true").count() > quiet.matches("aria-pressed=true").count());
        assert!(settled.contains("#always") && !quiet.contains("#always"));
        let seat = kept.restart(seat, &invitation).await;
        // And once more, with one of them taken back.
        seat.post("act", "act=ask-0").await;
        assert!(!outline(&seat.page("").await).contains("#always"));
        kept.restart(seat, &invitation).await;
    });
}

/// The next duel at a table begins with the stops of the one before, also after a restart.
#[test]
fn a_rematch_keeps_what_was_settled() {
    run(async {
        let kept = Kept::new();
        let loaded = cw_load::load(Folder::new(Path::new(SALTMARSH))).unwrap();
        let mut start = kept.demo.start([SeatPlayer::Person; 2], None);
        start.decks = PerSeat([loaded.decks[0].cards.clone(), loaded.decks[1].cards.clone()]);
        let host = kept.host().await;
        let seats = host.open(start).unwrap();
        let seat = Visitor::join(&host, &seats[0].path).await;
        let other = Visitor::join(&host, &seats[1].path).await;
        drop(host);
        let pressed = |page: &str| {
            let lines = page.lines().filter(|line| line.contains("aria-pressed=true"));
            lines.map(str::trim).map(str::to_owned).collect::<Vec<_>>()
        };
        for act in ["stop-counter", "stop-main", "control", "concede"] {
            seat.post("act", &format!("act={act}")).await;
        }
        let part = "5".repeat(64);
        let digest = cw_wire::Agreement::commitment_to(&part);
        for visitor in [&seat, &other] {
            visitor.post("act", &format!("act=rematch&commit={digest}")).await;
        }
        for visitor in [&seat, &other] {
            visitor.post("reveal", &format!("c={digest}&nonce={part}")).await;
        }
        drop(other);
        let page = outline(&seat.page("").await);
        assert!(!page.contains("value=rematch"), "the next duel goes on");
        assert_eq!(pressed(&page).len(), 2, "{:?}", pressed(&page));
        kept.restart(seat, &seats[0]).await;
    });
}

const LESSON: &str = r#"
[[scenario]]
name = "A short lesson"
me = { ring = ["Auntie Rye"], hand = ["Crumb", "Crumb"] }
steps = [
  { note = "Play Crumb.", play = "Crumb", slot = 2 },
  { note = "Go on.", do = "end phase" },
]
"#;

/// A table that began behind a lesson's steps is not led by the coach after a restart, and a puzzle
/// that is tried again is still there.
#[test]
fn lessons_and_puzzles_survive_a_restart() {
    run(async {
        let kept = Kept::new();
        let lesson = ScenarioStage::read(LESSON, &kept.demo.game).unwrap().remove(0);
        assert!(lesson.is_lesson());
        for stage in [Arc::new(lesson.after_its_steps()), lesson] {
            let host = kept.host().await;
            let start = kept.demo.start([SeatPlayer::Person; 2], Some(stage));
            let invitation = host.open(start).unwrap().remove(0);
            let seat = Visitor::join(&host, &invitation.path).await;
            drop(host);
            let seat = kept.restart(seat, &invitation).await;
            seat.post("act", "act=concede").await;
            seat.post("act", "act=again").await;
            let again = outline(&seat.page("").await);
            assert!(!again.contains("#result"));
            kept.restart(seat, &invitation).await;
        }
    });
}

/// R1402: the trace shows the variables of a running rule, by name and value.
#[test]
fn the_trace_shows_variables() {
    run(async {
        let demo = demo();
        let text = r#"
[[scenario]]
name = "Variables"
me = { ring = ["Brioche Bruno", "Crumb"], discards = ["Crumb", "Crumb", "Gasket"] }
steps = [{ activate = "Brioche Bruno", choose = ["Crumb"] }]
"#;
        let stage = ScenarioStage::read(text, &demo.game).unwrap().remove(0);
        let host = demo.host();
        let stage = Some(Arc::new(stage.after_its_steps()));
        let seats = host.open(demo.start([SeatPlayer::Person; 2], stage)).unwrap();
        let seat = Visitor::join(&host, &seats[0].path).await;
        let trace = seat.page("trace").await;
        let bound = |name: &str, value: &str| format!("<dt>{name}</dt><dd>{value}</dd>");
        assert!(trace.contains(&bound("_crumbs", "Crumb, Crumb")), "{trace}");
        // What ran for the other seat is not shown to this one, and none of its variables.
        let other = Visitor::join(&host, &seats[1].path).await;
        assert!(!other.page("trace").await.contains("_crumbs"));
    });
}

/// The page of the first scenario of this text, where its steps end.
async fn scene(demo: &Demo, text: &str) -> (DuelHost, Visitor) {
    let stage = ScenarioStage::read(text, &demo.game).unwrap().remove(0);
    let host = demo.host();
    let start = demo.start([SeatPlayer::Person; 2], Some(Arc::new(stage.after_its_steps())));
    let seats = host.open(start).unwrap();
    let visitor = Visitor::join(&host, &seats[0].path).await;
    (host, visitor)
}

/// D29: several cards are one answer, in any order; what is no answer changes nothing; undo takes all back.
#[test]
fn several_cards_are_one_answer() {
    run(async {
        let demo = demo();
        let sybil = "\n\
            [[scenario]]\n\
            name = \"Sybil\"\n\
            me = { ring = [\"Seance Sybil\", \"Crumb\"], \
                discards = [\"Auntie Rye\", \"Rolling Pin\", \
                \"Gasket\", \"Shore Leave\", \"Lady Needle\"] }\n\
            steps = [{ activate = \"Seance Sybil\" }]\n";
        let (_host, visitor) = scene(&demo, sybil).await;
        let asked = visitor.page("").await;
        assert!(
            asked.contains("data-collect") && asked.contains("0 of 1 to 2"),
            "{asked}"
        );
        let question = asked.split("id=\"prompt\"").nth(1).unwrap();
        assert_eq!(
            question.matches("data-pick").count(),
            3,
            "all that can be chosen are shown"
        );
        assert!(question.contains("value=\",\""), "one button sends them");
        for wrong in ["o=,", "o=0,1,2,", "o=7,", "o=0,7,", "o=x,"] {
            assert!(visitor.try_to_post("answer", wrong).await >= 400, "{wrong}");
            assert!(
                visitor.page("").await.contains("0 of 1 to 2"),
                "{wrong} changes nothing"
            );
        }
        // The last one first: the engine is told in its own order.
        assert!(visitor.try_to_post("answer", "o=2,0,").await < 400);
        let after = visitor.page("").await;
        assert!(!after.contains("data-collect"), "{after}");
        let hand = after
            .split("id=\"hand\"")
            .nth(1)
            .unwrap()
            .split("</ol>")
            .next()
            .unwrap();
        let held = ["Auntie Rye", "Gasket", "Lady Needle"].map(|name| hand.contains(name));
        assert_eq!(held.iter().filter(|held| **held).count(), 2, "{hand}");
        // Between people nobody takes back alone; against the computer one undo takes all of them back.
        assert_eq!(visitor.try_to_post("act", "act=undo").await, 409);
        let stage = ScenarioStage::read(sybil, &demo.game).unwrap().remove(0);
        let host = demo.host();
        let who = [SeatPlayer::Person, SeatPlayer::Computer(Level::Random)];
        let seats = host
            .open(demo.start(who, Some(Arc::new(stage.after_its_steps()))))
            .unwrap();
        let visitor = Visitor::join(&host, &seats[0].path).await;
        let asked = visitor.page("").await;
        assert!(asked.contains("0 of 1 to 2"), "{asked}");
        assert!(visitor.try_to_post("answer", "o=2,0,").await < 400);
        assert!(!visitor.page("").await.contains("data-collect"));
        assert!(
            visitor.try_to_post("act", "act=undo").await < 400,
            "it is offered"
        );
        let back = visitor.page("").await;
        assert!(back.contains("0 of 1 to 2"), "{back}");
        let question = back.split("id=\"prompt\"").nth(1).unwrap();
        assert_eq!(question.matches("data-pick").count(), 3, "none of them is taken");
    });
}

/// G143, D50: what is certain stands first, what hangs on a counter has its *if*, and no sum is more than the
/// HP that is left.
#[test]
fn both_branches_of_an_attack_have_their_if() {
    run(async {
        let demo = demo();
        let united = |hp: u16| {
            format!(
                r#"
[[scenario]]
name = "as one"
phase = "attack"
me = {{ sp = 9, ring = ["Auntie Rye 800 attacks", "Crumb 200", "Deckhand Dab 300 frozen"] }}
opponent = {{ hp = {hp}, ring = ["Sabreur Sabine 700"] }}
steps = [{{ join = "Crumb", on = "Auntie Rye" }}]
"#
            )
        };
        let page = |text: String| {
            let demo = &demo;
            async move { scene(demo, &text).await.1.page("").await }
        };
        let plain = page(united(3000)).await;
        let words = ">costs 5 SP; 1000 to the opponent if not countered; \
            if Sabreur Sabine (700) counters: it is KOed, 300 to the opponent<";
        assert!(plain.contains(words), "{plain}");
        let winning = page(united(700)).await;
        let words = ">costs 5 SP; you win if not countered; \
            if Sabreur Sabine (700) counters: it is KOed, 300 to the opponent<";
        assert!(winning.contains(words), "{winning}");
        let little = page(united(200)).await;
        let words = ">costs 5 SP; you win if not countered; if Sabreur Sabine (700) counters: you win, too<";
        assert!(little.contains(words), "{little}");
        let alone = r#"
[[scenario]]
name = "two of them"
phase = "attack"
me = { ring = ["Auntie Rye 800", "Crumb 400"] }
opponent = { hp = 900, ring = [] }
"#;
        let all = page(alone.to_owned()).await;
        assert!(all.contains("(900") && !all.contains("1200"), "{all}");
    });
}

/// What a lesson would refuse does not look allowed: every answer that can be pressed is taken, and the
/// lesson's end leads straight to an opponent.
#[test]
fn a_lesson_offers_only_what_it_takes() {
    run(async {
        let demo = demo();
        for file in [
            "1-first-duel",
            "2-actions-and-reactions",
            "3-abilities",
            "4-back-ups-and-united-attacks",
        ] {
            let lessons = demo.stages(&format!("../../games/saltmarsh/Lessons/{file}.toml"));
            let host = demo.host();
            let seats = host
                .open(demo.start([SeatPlayer::Person; 2], Some(Arc::clone(&lessons[0]))))
                .unwrap();
            let both = [
                Visitor::join(&host, &seats[0].path).await,
                Visitor::join(&host, &seats[1].path).await,
            ];
            let mut later = 0;
            loop {
                let pages = [both[0].page("").await, both[1].page("").await];
                let Some(asked) = pages.iter().position(|page| page.contains("data-mine")) else {
                    break;
                };
                let page = &pages[asked];
                let answers = page.split("<button ").skip(1);
                let answers = answers.filter_map(|button| button.split('>').next());
                let answers = answers.filter(|button| button.contains("form=\"answer\""));
                let (closed, open): (Vec<&str>, Vec<&str>) =
                    answers.partition(|button| button.contains(" disabled"));
                later += closed.len();
                assert!(
                    closed
                        .iter()
                        .all(|button| button.contains("try what the coach says")),
                    "{closed:?}"
                );
                let cue = open.iter().find(|button| button.contains(" cue")).unwrap();
                let value = |button: &str| {
                    let value = button.split("value=\"").nth(1).unwrap();
                    value.split('"').next().unwrap().to_owned()
                };
                let option = value(cue);
                assert!(open.iter().all(|button| value(button) == option), "{open:?}");
                both[asked].post("answer", &format!("o={option}")).await;
            }
            assert!(later > 0, "{file}: the lesson has something for later");
            let end = both[0].page("").await;
            assert!(end.contains("value=\"real-duel\""), "{end}");
        }
    });
}

/// An attack that an effect stops is told with the card that stopped it.
#[test]
fn what_ends_an_attack_is_named() {
    run(async {
        let demo = demo();
        let floor = r#"
[[scenario]]
name = "Wet Floor"
phase = "attack"
me = { ring = ["Auntie Rye 800"] }
opponent = { sp = 12, ring = ["Crumb"], hand = ["Wet Floor"] }
steps = [
  { attack = "Auntie Rye" },
  { do = "end phase" },
  { play = "Wet Floor" },
  { choose = "Auntie Rye" },
]
"#;
        let (_host, visitor) = scene(&demo, floor).await;
        let page = visitor.page("").await;
        let plain = page.replace("</span>", "");
        assert!(
            plain.contains(">Wet Floor ended the attack of ") && !page.contains("no longer attacks"),
            "{page}"
        );
    });
}

/// Every end leads on: a lesson to a duel and to what comes next, a puzzle to the next one, and one that was
/// not solved to a hint and to its solution.
#[test]
fn every_end_leads_on() {
    run(async {
        let demo = demo();
        let lesson = demo.stages("../../games/saltmarsh/Lessons/1-first-duel.toml");
        let host = demo.host();
        let mut page = String::new();
        let seats = host
            .open(demo.start([SeatPlayer::Person; 2], Some(Arc::clone(&lesson[0]))))
            .unwrap();
        let both = [
            Visitor::join(&host, &seats[0].path).await,
            Visitor::join(&host, &seats[1].path).await,
        ];
        for _ in 0..60 {
            page = both[0].page("").await;
            if page.contains("class=\"result\"") {
                break;
            }
            let who = if page.contains("data-mine") {
                &both[0]
            } else {
                &both[1]
            };
            let asked = who.page("").await;
            let cue = asked
                .split(" cue\" type=\"submit\" form=\"answer\" name=\"o\" value=\"")
                .nth(1)
                .unwrap();
            let option = cue.split('"').next().unwrap();
            who.post("answer", &format!("o={option}")).await;
        }
        assert!(
            page.contains("Play a whole duel") && page.contains("value=\"next\""),
            "{page}"
        );
        let puzzles = demo.stages("../../games/saltmarsh/Lessons/5-puzzles.toml");
        let start = demo.start(
            [SeatPlayer::Person; 2],
            Some(Arc::new(manners(&puzzles).after_its_steps())),
        );
        let seats = host.open(start).unwrap();
        let solved = Visitor::join(&host, &seats[0].path).await.page("").await;
        assert!(
            solved.contains("Step through the solution") && solved.contains("Next puzzle"),
            "{solved}"
        );
    });
}

/// Why something cannot be done is said in sentences; no word of RuleScript stands in them.
#[test]
fn refusals_are_sentences() {
    run(async {
        let demo = demo();
        let attack = r#"
[[scenario]]
name = "nobody leads"
phase = "attack"
me = { sp = 9, ring = ["Crumb, cantattack", "Gasket"] }
steps = []
"#;
        let (_host, visitor) = scene(&demo, attack).await;
        let page = visitor.page("").await;
        let why = "Crumb cannot attack alone; it may join a United Attack.";
        assert!(page.contains(why), "{page}");
        let counter = r#"
[[scenario]]
name = "nobody counters"
active = "opponent"
phase = "attack"
me = { sp = 9, ring = ["Crumb, cantblock", "Gasket"] }
opponent = { ring = ["Gasket"] }
steps = [{ attack = "Gasket" }, "end phase"]
"#;
        let (_host, visitor) = scene(&demo, counter).await;
        let other = visitor.page("").await;
        assert!(other.contains("Crumb cannot counter."), "{other}");
        for word in ["cantattack", "cantblock"] {
            assert!(!page.contains(word) && !other.contains(word), "{word}");
        }
        // The plates on the faces are explained beside the enlarged card, as a tip, and to readers of labels.
        let said = "Back-up icons: Baker, Sabreur. \
            Each icon takes one card of its kind as a back-up, which gives 300 BP.";
        let said = said.replace("Sabreur", demo_icon(&demo));
        assert!(page.contains(&format!("title=\"{said}\"")), "{said}");
        let (_host, visitor) = scene(
            &demo,
            &attack
                .replace("\"Crumb, cantattack\", ", "")
                .replace("ring", "hand = [\"Crumb\"], ring"),
        )
        .await;
        let label = format!(", back-up icons: Baker, {}\"", demo_icon(&demo));
        assert!(visitor.page("").await.contains(&label), "{label}");
    });
}

/// The second subtype that may back Crumb up.
fn demo_icon(demo: &Demo) -> &str {
    let crumb = demo
        .game
        .models
        .iter()
        .find(|model| *model.name == *"Crumb")
        .unwrap();
    &demo.game.subtypes[usize::from(crumb.backups[1].0)]
}

/// Who attacks and is called back has done nothing: the log does not speak of it. Once the phase is over it
/// speaks of those who stayed.
#[test]
fn attacks_that_are_called_back_leave_no_line() {
    run(async {
        let demo = demo();
        let text = r#"
[[scenario]]
name = "in two minds"
phase = "attack"
me = { ring = ["Crumb", "Gasket"] }
opponent = { ring = ["Auntie Rye"] }
steps = [{ attack = "Crumb" }, { attack = "Gasket" }, { cancel-attack = "Crumb" }]
"#;
        let (_host, visitor) = scene(&demo, text).await;
        let page = visitor.page("").await;
        let log = page.split("id=\"log-turns\"").nth(1).unwrap();
        assert!(
            !log.contains(">Crumb<") && log.contains(">Gasket</span> attacks."),
            "{log}"
        );
    });
}

/// What an attack costs is paid, countered or not: on its button the price stands first, and “if not
/// countered” only after what the attack would do.
#[test]
fn an_attack_costs_the_same_countered_or_not() {
    run(async {
        let demo = demo();
        let stages = demo.stages("tests/prompts.toml");
        let stage = stages
            .iter()
            .find(|stage| stage.name().starts_with("C3 "))
            .unwrap();
        let host = demo.host();
        let seats = host
            .open(demo.start([SeatPlayer::Person; 2], Some(Arc::new(stage.after_its_steps()))))
            .unwrap();
        let page = Visitor::join(&host, &seats[0].path).await.page("").await;
        let told: Vec<&str> = page
            .split('>')
            .filter_map(|part| part.split('<').next())
            .filter(|text| text.contains(" to the opponent") || text.contains(" in all"))
            .collect();
        assert!(
            told.iter()
                .any(|text| text.starts_with("costs 3 SP: one counter at most, the rest pierces; ")),
            "{told:?}"
        );
        for text in told {
            assert!(text.ends_with(" if not countered"), "{text}");
            let after = text
                .strip_prefix("costs 3 SP: one counter at most, the rest pierces; ")
                .unwrap_or(text);
            assert!(!after.contains("SP"), "{text}");
        }
    });
}

/// Who attacks with what cannot be countered is not told “if”, and the log speaks of countering as the
/// buttons do.
#[test]
fn what_cannot_be_countered_is_told_without_if() {
    run(async {
        let demo = demo();
        let text = r#"
[[scenario]]
name = "through"
phase = "attack"
me = { ring = ["Crumb, unblockable"] }
opponent = { ring = ["Auntie Rye"] }
steps = []
"#;
        let (_host, visitor) = scene(&demo, text).await;
        let page = visitor.page("").await;
        assert!(page.contains(" to the opponent; cannot be countered<"), "{page}");
        assert!(!page.contains("if not countered"), "{page}");
    });
}

/// Where there are several attackers a counter says that one chooses among them, not that nobody falls; then
/// each attacker says what would come of it.
#[test]
fn a_counter_says_whom_one_chooses_next() {
    run(async {
        let demo = demo();
        let text = r#"
[[scenario]]
name = "two come"
active = "opponent"
phase = "attack"
me = { ring = ["Crumb"] }
opponent = { ring = ["Gasket", "Auntie Rye"] }
steps = [{ attack = "Gasket" }, { attack = "Auntie Rye" }, "end phase"]
"#;
        let (_host, visitor) = scene(&demo, text).await;
        let page = visitor.page("").await;
        let option = page.split("Counter with Crumb").last().unwrap();
        let option = option.split("</button>").next().unwrap();
        assert!(
            option.contains("you choose the target next") && !option.contains("KOed"),
            "{option}"
        );
        visitor.post("answer", "o=0").await;
        let page = visitor.page("").await;
        let options = page.split("id=\"question\"").nth(1).unwrap();
        assert!(options.contains("Which attacker"), "{options}");
        assert_eq!(
            options.split("</ol>").next().unwrap().matches("KOed").count(),
            2,
            "{options}"
        );
        // Nobody is told why Crumb could do nothing: it is Crumb that does.
        assert!(!page.contains("Crumb has to wait"), "{page}");
    });
}

/// Why something cannot be done is not said of the card that is being played, nor what a mark says already.
#[test]
fn who_acts_is_not_refused() {
    run(async {
        let demo = demo();
        for (name, wrong) in [("C2 ", " too many this turn"), ("C11", " has to wait")] {
            let stages = demo.stages("tests/prompts.toml");
            let stage = stages
                .iter()
                .find(|stage| stage.name().starts_with(name))
                .unwrap();
            let host = demo.host();
            let seats = host
                .open(demo.start([SeatPlayer::Person; 2], Some(Arc::new(stage.after_its_steps()))))
                .unwrap();
            let page = Visitor::join(&host, &seats[0].path).await.page("").await;
            let source = page
                .split("data-source=\"")
                .nth(1)
                .map(|rest| rest.split('"').next().unwrap());
            let about = match source {
                Some(key) => page
                    .split(&format!("data-card=\"{key}\""))
                    .nth(1)
                    .unwrap()
                    .to_owned(),
                None => page.clone(),
            };
            let about = about.split("</button>").next().unwrap();
            assert!(!about.contains(wrong), "{name}: {about}");
        }
        let frozen = r#"
[[scenario]]
name = "cold"
me = { ring = ["Brioche Bruno frozen", "Crumb"] }
steps = []
"#;
        let (_host, visitor) = scene(&demo, frozen).await;
        let page = visitor.page("").await;
        assert!(
            page.contains("Frozen: it cannot attack") && !page.contains("Brioche Bruno is frozen."),
            "{page}"
        );
    });
}

/// Who chooses among the effects of a card reads its text, what each effect asks for, and what comes of it.
#[test]
fn effects_tell_their_price_and_what_comes_of_them() {
    run(async {
        let demo = demo();
        let text = r#"
[[scenario]]
name = "on strike"
me = { sp = 16, hand = ["Industrial Action"] }
opponent = { sp = 30, discards = ["Rolling Pin", "Crumb", "Power Cut"] }
steps = [{ play = "Industrial Action" }]
"#;
        let (_host, visitor) = scene(&demo, text).await;
        let asked = async |visitor: &Visitor| {
            let page = visitor.page("").await;
            let prompt = page.split("id=\"question\"").nth(1).unwrap();
            prompt.split("</section>").next().unwrap().to_owned()
        };
        let prompt = asked(&visitor).await;
        assert!(
            prompt.contains("class=\"because\">Choose one: the opponent skips"),
            "{prompt}"
        );
        for told in ["your SP 10 → 20, the opponent's 30 → 20<", "100 to the opponent<"] {
            assert!(prompt.contains(told), "{told} in {prompt}");
        }
        // What cannot be paid is not offered beside what can (D100).
        assert_eq!(prompt.matches("class=\"option\"").count(), 3, "{prompt}");
        assert!(
            !prompt.contains("idle") && !prompt.contains("discard 2<"),
            "{prompt}"
        );
        let rich = text.replace(
            "[\"Industrial Action\"]",
            "[\"Industrial Action\", \"Crumb\", \"Crumb\", \"Gasket\"]",
        );
        let (_host, visitor) = scene(&demo, &rich).await;
        let prompt = asked(&visitor).await;
        assert!(prompt.contains("discard 2<"), "{prompt}");
    });
}

/// A card whose effect finds nothing to do says so before it is played, and where it is asked what to pay for
/// it with; as soon as there is something to do nothing is said.
#[test]
fn what_does_nothing_says_so_before_it_is_paid() {
    run(async {
        let demo = demo();
        let text = r#"
[[scenario]]
name = "nobody is frozen"
me = { sp = 9, hand = ["Clean Sweep", "Crumb", "Gasket"], ring = ["Auntie Rye"] }
opponent = { ring = ["Page Turner"] }
steps = []
"#;
        let (_host, visitor) = scene(&demo, text).await;
        let option = |page: &str| {
            let option = page
                .split("class=\"option")
                .skip(1)
                .find(|part| part.contains("Play Clean Sweep"));
            option.unwrap().split("</button>").next().unwrap().to_owned()
        };
        let page = visitor.page("").await;
        let sweep = option(&page);
        assert!(
            sweep.starts_with(" idle") && sweep.contains("as things stand, this does nothing<"),
            "{sweep}"
        );
        let without = page.split("unused: ").nth(1).unwrap().split('<').next().unwrap();
        assert!(
            without.contains("Crumb") && !without.contains("Clean Sweep"),
            "{without}"
        );
        let index = sweep.split("value=\"").nth(1).unwrap().split('"').next().unwrap();
        visitor.post("answer", &format!("o={index}")).await;
        let page = visitor.page("").await;
        assert!(page.contains("data-kind=\"discard-cost\""), "{page}");
        let warns = "As things stand, this does nothing, whatever you pay with.";
        assert!(page.contains(warns), "{page}");
        let useful = text.replace("Page Turner", "Page Turner frozen");
        let (_host, visitor) = scene(&demo, &useful).await;
        let sweep = option(&visitor.page("").await);
        assert!(
            !sweep.contains("nothing") && !sweep.starts_with(" idle"),
            "{sweep}"
        );
        let paying = useful.replace("steps = []", "steps = [{ play = \"Clean Sweep\" }]");
        let (_host, visitor) = scene(&demo, &paying).await;
        let page = visitor.page("").await;
        assert!(
            page.contains("data-kind=\"discard-cost\"") && !page.contains(warns),
            "{page}"
        );
        // What the other's hand would have to tell is not known: nothing is said of it.
        let hidden = r#"
[[scenario]]
name = "who knows"
me = { sp = 9, hand = ["Auditor Grimm", "Rolling Pin"] }
opponent = { hand = ["Crumb"] }
steps = []
"#;
        let (_host, visitor) = scene(&demo, hidden).await;
        let page = visitor.page("").await;
        let grimm = page.split("Play Auditor Grimm").last().unwrap();
        assert!(
            !grimm.split("</button>").next().unwrap().contains("does nothing"),
            "{grimm}"
        );
    });
}

/// Who lets an attack through reads what is not used then: not what could be used after it.
#[test]
fn what_is_passed_over_is_told_as_such() {
    run(async {
        let demo = demo();
        let stages = demo.stages("tests/prompts.toml");
        let stage = stages
            .iter()
            .find(|stage| stage.name().starts_with("C6 "))
            .unwrap();
        let host = demo.host();
        let seats = host
            .open(demo.start([SeatPlayer::Person; 2], Some(Arc::new(stage.after_its_steps()))))
            .unwrap();
        let page = Visitor::join(&host, &seats[0].path).await.page("").await;
        let option = page.split("Let the attacks through").last().unwrap();
        let option = option.split("</button>").next().unwrap();
        assert!(
            option.contains(">you lose, 1200 to you, unused: Rolling Pin, Auntie Rye and 1 more<"),
            "{option}"
        );
        assert!(!page.contains("could still"), "{page}");
    });
}

/// A counter tells what it wins beside what it costs, a reaction what comes of it: who falls, what BP change
/// to, what is stopped and what is left.
#[test]
fn counters_and_reactions_tell_what_they_win() {
    run(async {
        let demo = demo();
        let text = r#"
[[scenario]]
name = "one comes"
active = "opponent"
phase = "attack"
me = { sp = 6, ring = ["Crumb", "Auntie Rye frozen"], hand = ["Rolling Pin", "Insurance Claim"] }
opponent = { ring = ["Gasket"] }
steps = [{ attack = "Gasket" }, "end phase"]
"#;
        let (_host, visitor) = scene(&demo, text).await;
        let page = visitor.page("").await;
        let option = |label: &str| {
            let option = page
                .split("class=\"option")
                .skip(1)
                .find(|part| part.contains(label));
            option.unwrap().split("</button>").next().unwrap().to_owned()
        };
        let counter = option("Counter with Crumb");
        assert!(
            counter.contains(">Crumb is KOed, Gasket 600 → 400 BP, stops 600<"),
            "{counter}"
        );
        let pin = option("Play Rolling Pin");
        assert!(
            pin.contains(">Gasket 600 → 300 BP, stops 300; 300 to you<"),
            "{pin}"
        );
        // What comes later is not of this fight, and nothing is made up about it.
        let claim = option("Play Insurance Claim");
        assert!(
            !claim.contains("stops") && !claim.contains("does nothing"),
            "{claim}"
        );
    });
}

/// A counter that does not save the seat says so whomever it takes on: no answer looks better by saying less.
#[test]
fn a_counter_that_saves_nobody_says_so() {
    run(async {
        let demo = demo();
        let text = "\n\
            [[scenario]]\n\
            name = \"three come\"\n\
            active = \"opponent\"\n\
            phase = \"attack\"\n\
            me = { hp = 300, ring = [\"Crumb\"] }\n\
            opponent = { ring = [\"Gasket\", \"Auntie Rye\", \"Overdue Otto\"] }\n\
            steps = [{ attack = \"Gasket\" }, { attack = \"Auntie Rye\" }, \
                { attack = \"Overdue Otto\" }, \"end phase\", { block = \"Crumb\" }]\n";
        let (_host, visitor) = scene(&demo, text).await;
        let page = visitor.page("").await;
        let options: Vec<&str> = page.split("class=\"option").skip(1).collect();
        assert!(options.len() >= 3, "{page}");
        for name in ["Gasket", "Auntie Rye", "Overdue Otto"] {
            let option = options.iter().find(|option| option.contains(name)).unwrap();
            let option = option.split("</button>").next().unwrap();
            assert!(option.contains("you still lose"), "{option}");
        }
    });
}

/// What a computer thinks of a question says of each answer what it does, not only a name.
#[test]
fn thoughts_say_what_is_done_with_a_card() {
    run(async {
        let demo = demo();
        for (begins, does) in [
            ("C12", "Discard "),
            ("C13", "Sacrifice "),
            ("C2 ", "Back up "),
            ("C5 ", "Counter "),
        ] {
            let stages = demo.stages("tests/prompts.toml");
            let stage = stages
                .iter()
                .find(|stage| stage.name().starts_with(begins))
                .unwrap();
            let host = demo.host();
            let seats = host
                .open(demo.start([SeatPlayer::Person; 2], Some(Arc::new(stage.after_its_steps()))))
                .unwrap();
            let visitor = Visitor::join(&host, &seats[0].path).await;
            let page = visitor.page("").await;
            let at = page
                .split("data-at=\"")
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap();
            visitor.post("act", "act=concede").await;
            let thoughts = visitor.page(&format!("think/{at}")).await;
            let list = thoughts
                .split("class=\"thoughts\"")
                .nth(1)
                .unwrap_or_else(|| panic!("{thoughts}"));
            assert!(
                list.split("</ol>").next().unwrap().contains(does),
                "{begins}: {list}"
            );
        }
    });
}

/// A back-up says whom it could back up and what that gives, a cost which kind of card it takes, and the log
/// what a changed cost is.
#[test]
fn back_ups_costs_and_changes_say_how_much() {
    run(async {
        let demo = demo();
        let text = r#"
[[scenario]]
name = "one to back up"
me = { sp = 9, ring = ["Piccolo Pip"], hand = ["Crumb", "Gasket", "Shore Leave", "Clean Sweep"] }
opponent = { ring = ["Gasket frozen"] }
steps = [{ play = "Shore Leave" }]
"#;
        let (_host, visitor) = scene(&demo, text).await;
        let page = visitor.page("").await;
        let option = page.split("Back up with Crumb").last().unwrap();
        assert!(
            option
                .split("</button>")
                .next()
                .unwrap()
                .contains(">Piccolo Pip 300 → 600 BP<"),
            "{option}"
        );
        assert!(
            page.contains("</span>: a United Attack of two costs 1 SP."),
            "{page}"
        );
        let sweep = page
            .split("class=\"option\"")
            .skip(1)
            .find(|part| part.contains("Play Clean Sweep"))
            .unwrap();
        let index = sweep.split("value=\"").nth(1).unwrap().split('"').next().unwrap();
        visitor.post("answer", &format!("o={index}")).await;
        let page = visitor.page("").await;
        assert!(
            page.contains("Clean Sweep: choose a character from your hand to discard as cost."),
            "{page}"
        );
        let two = text.replace("ring = [\"Piccolo Pip\"]", "ring = [\"Piccolo Pip\", \"Crumb\"]");
        let (_host, visitor) = scene(&demo, &two).await;
        let page = visitor.page("").await;
        assert!(page.contains(">Piccolo Pip or Crumb, +300 BP<"), "{page}");
    });
}

/// What attackers do together is told as a sum; the card about which a question is stands out; what a card
/// gives is not said of now where it cannot be played now.
#[test]
fn sums_and_askers_and_prices_are_told_apart() {
    run(async {
        let demo = demo();
        let text = r#"
[[scenario]]
name = "two go"
phase = "attack"
me = { ring = ["Gasket", "Auntie Rye"], hand = ["Crumb"] }
steps = [{ attack = "Gasket" }]
"#;
        let (_host, visitor) = scene(&demo, text).await;
        let page = visitor.page("").await;
        let option = page.split("Attack with Auntie Rye").last().unwrap();
        let option = option.split("</button>").next().unwrap();
        assert!(
            option.contains(">1100 in all; nobody there can counter<"),
            "{option}"
        );
        assert!(
            page.contains("When played: ") && !page.contains("Played now: "),
            "{page}"
        );
        assert!(page.contains("only for your own Main phase"), "{page}");
        let backs = demo.stages("tests/prompts.toml");
        let backs = backs
            .iter()
            .find(|stage| stage.name().starts_with("C2 "))
            .unwrap();
        let host = demo.host();
        let seats = host
            .open(demo.start([SeatPlayer::Person; 2], Some(Arc::new(backs.after_its_steps()))))
            .unwrap();
        let page = Visitor::join(&host, &seats[0].path).await.page("").await;
        assert_eq!(page.matches(" asks\"").count(), 1, "{page}");
    });
}

/// Who has only one thing to do reads what it does.
#[test]
fn an_only_answer_says_what_it_does() {
    run(async {
        let demo = demo();
        let text = r#"
[[scenario]]
name = "lights out"
active = "opponent"
phase = "attack"
me = { sp = 9, hand = ["Power Cut"] }
opponent = { ring = ["Gasket"] }
steps = [{ attack = "Gasket" }, "end phase"]
"#;
        let (_host, visitor) = scene(&demo, text).await;
        let page = visitor.page("").await;
        let option = page.split("<ol class=\"options\"").nth(1).unwrap();
        let option = option.split("</button>").next().unwrap();
        assert!(
            option.contains("Play Power Cut") && option.contains("deal no damage this turn"),
            "{option}"
        );
    });
}

/// Who had to show their hand is told so, and is not shown their own cards; who saw it reads whose cards they
/// are.
#[test]
fn ones_own_hand_is_no_news() {
    run(async {
        let demo = demo();
        let text = r#"
[[scenario]]
name = "an audit"
active = "opponent"
me = { hand = ["Crumb", "Gasket"] }
opponent = { sp = 9, hand = ["Auditor Grimm", "Crumb"] }
steps = [{ play = "Auditor Grimm" }]
"#;
        let (host, one) = scene(&demo, text).await;
        let shown = |page: &str| {
            page.split("id=\"shown\"")
                .nth(1)
                .unwrap()
                .split("</aside>")
                .next()
                .unwrap()
                .to_owned()
        };
        let page = one.page("").await;
        assert!(!shown(&page).contains("data-model"), "{}", shown(&page));
        let log = page.split("id=\"log-turns\"").nth(1).unwrap();
        assert!(
            log.contains("You show <span") && log.contains(">Gasket</span>."),
            "{log}"
        );
        drop(host);
        let stage = ScenarioStage::read(text, &demo.game).unwrap().remove(0);
        let host = demo.host();
        let seats = host
            .open(demo.start([SeatPlayer::Person; 2], Some(Arc::new(stage.after_its_steps()))))
            .unwrap();
        let two = Visitor::join(&host, &seats[1].path).await;
        let page = two.page("").await;
        assert!(
            shown(&page).contains("Shown from the opponent's hand:"),
            "{}",
            shown(&page)
        );
        assert!(page.contains("The opponent shows <span"), "{page}");
    });
}

/// Attacks are countered everywhere: no card, no keyword and no page speaks of blocking.
#[test]
fn one_word_for_countering() {
    use cw_program::{ClosedWord, Keyword};
    let demo = demo();
    for model in &demo.game.models {
        assert!(
            !model.text.to_lowercase().contains("block"),
            "{}: {}",
            model.name,
            model.text
        );
    }
    for keyword in Keyword::ALL {
        assert!(
            !cw_words::keyword(*keyword).contains("block"),
            "{}",
            keyword.word()
        );
    }
    run(async {
        let mut pages = Vec::new();
        for stage in demo.stages("tests/prompts.toml") {
            let host = demo.host();
            let seats = host
                .open(demo.start([SeatPlayer::Person; 2], Some(Arc::new(stage.after_its_steps()))))
                .unwrap();
            pages.push(said(&Visitor::join(&host, &seats[0].path).await.page("").await));
        }
        for page in pages {
            assert!(!page.to_lowercase().contains("block"), "{page}");
        }
    });
}

/// Both play to the end: whoever is asked takes the first option that begins with one of their words, in the
/// order of those, or else the last one.
async fn play_out(people: &[Visitor; 2], words: [&[&str]; 2]) {
    let mut asked = 0;
    for _ in 0..900 {
        let page = people[asked].page("").await;
        if page.contains("class=\"result\"") {
            return;
        }
        if !page.contains(" data-mine") {
            asked = 1 - asked;
            continue;
        }
        let options = page
            .split("<ol class=\"options")
            .skip(1)
            .flat_map(|list| list.split("name=\"o\" value=\"").skip(1));
        let options: Vec<(&str, &str)> = options
            .map(|rest| {
                let label = rest.split("<span>").nth(1).unwrap();
                (rest.split('"').next().unwrap(), label.split('<').next().unwrap())
            })
            .collect();
        let begins = |words: &&str| options.iter().find(|(_, label)| label.starts_with(words));
        let wanted = words[asked].iter().find_map(begins);
        let (choice, _) = wanted.or(options.last()).copied().unwrap_or(("0", ""));
        people[asked]
            .post("answer", &format!("o={choice}&slot=first"))
            .await;
    }
    panic!("the duel does not end");
}

/// “What decided it” names what the loser lost, and of the winner at most the moment nearest to the end.
#[test]
fn what_decided_it_is_the_losers_loss() {
    run(async {
        let demo = demo();
        let loaded = cw_load::load(Folder::new(Path::new(SALTMARSH))).unwrap();
        let mut start = demo.start([SeatPlayer::Person; 2], None);
        start.decks = PerSeat([loaded.decks[0].cards.clone(), loaded.decks[1].cards.clone()]);
        let host = demo.host();
        let seats = host.open(start).unwrap();
        let people = [
            Visitor::join(&host, &seats[0].path).await,
            Visitor::join(&host, &seats[1].path).await,
        ];
        let all: &[&str] = &["Play", "Slot", "Attack with"];
        play_out(&people, [all, all]).await;
        let mut lost = 0;
        for person in &people {
            let page = person.page("").await;
            let loses = page.contains(">You lose<");
            lost += usize::from(loses);
            let (heading, foreign) = match loses {
                true => ("What decided it: your losses<", "class=\"me\""),
                false => ("What decided it: the opponent's losses<", "class=\"them\""),
            };
            let (_, after) = page
                .split_once(heading)
                .unwrap_or_else(|| panic!("{heading} in {page}"));
            let (list, rest) = after.split_once("</ol>").unwrap();
            assert!(
                list.matches("<li>").count() > 3 && !list.contains(foreign),
                "{list}"
            );
            // Both were hit: the winner's worst moment stands by itself.
            let closest = match loses {
                true => "The closest moment for the opponent:",
                false => "The closest moment for you:",
            };
            let told = rest.split("</p>").next().unwrap();
            assert!(
                told.contains(closest) && told.contains(foreign) && told.contains(" HP left"),
                "{told}"
            );
        }
        assert_eq!(lost, 1);
        // KOs are told by their owner, and after the end it is nobody's turn.
        let pages = [people[0].page("").await, people[1].page("").await];
        let [mine, theirs] = ["class=\"ko me\"", "class=\"ko them\""];
        let crosses = |at: usize, whose: &str| pages[at].matches(whose).count();
        assert!(crosses(0, mine) + crosses(0, theirs) > 0);
        assert_eq!(
            (crosses(0, mine), crosses(0, theirs)),
            (crosses(1, theirs), crosses(1, mine))
        );
        for page in pages {
            assert!(
                !page.contains("our turn<") && !page.contains("their turn<"),
                "{page}"
            );
        }
    });
}

/// After a loss the page says what took the HP, and in which turns nobody could counter: as the record
/// shows it, with links.
#[test]
fn the_end_says_why_somebody_lost() {
    run(async {
        let demo = demo();
        let loaded = cw_load::load(Folder::new(Path::new(SALTMARSH))).unwrap();
        let mut start = demo.start([SeatPlayer::Person; 2], None);
        start.decks = PerSeat([loaded.decks[0].cards.clone(), loaded.decks[1].cards.clone()]);
        let host = demo.host();
        let seats = host.open(start).unwrap();
        let people = [
            Visitor::join(&host, &seats[0].path).await,
            Visitor::join(&host, &seats[1].path).await,
        ];
        play_out(&people, [&["Play", "Slot", "Attack with"], &[]]).await;
        let page = people[1].page("").await;
        let why = page.split("Why you lost").nth(1).expect("the second player lost");
        let why = why.split("</ul>").next().unwrap();
        assert!(why.contains("of your HP"), "{why}");
        assert!(
            why.contains("HP lost when nobody in your ring could counter, in turns"),
            "{why}"
        );
        assert!(
            why.contains("You could have played a card but did not, in turns"),
            "{why}"
        );
        // With an empty ring and no card played all that was lost in fights was lost so.
        let number = |text: &str, before: &str| -> i32 {
            let end = text.find(before).unwrap();
            let start = text[..end]
                .rfind(|letter: char| !letter.is_ascii_digit())
                .unwrap()
                + 1;
            text[start..end].parse().unwrap()
        };
        assert_eq!(number(why, " HP lost when"), 3000, "{why}");
        // The list of what decided it goes on to the blow that ended the duel.
        let turn = page
            .split("data-turn=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        let decided = page.split("What decided it").nth(1).unwrap();
        let last = decided
            .split("</ol>")
            .next()
            .unwrap()
            .rsplit("<li>")
            .next()
            .unwrap();
        assert!(
            last.contains(&format!("Turn {turn}<")) && last.contains('−'),
            "{last}"
        );
        let link = why
            .split("href=\"moment/")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        let moment = people[1].page(&format!("moment/{link}")).await;
        assert!(
            moment.contains("An earlier moment") || moment.contains("class=\"result\""),
            "{link}"
        );
        assert!(people[0].page("").await.contains("Why the opponent lost"));
    });
}

/// What a page says to its readers: no markup, no attributes but labels and tips.
fn said(page: &str) -> String {
    let mut words = String::new();
    for part in page.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        for attribute in [" aria-label=\"", " title=\""] {
            words.extend(
                tag.split(attribute)
                    .skip(1)
                    .filter_map(|rest| rest.split('"').next()),
            );
            words.push(' ');
        }
        words.push_str(text);
        words.push(' ');
    }
    words
}

/// No rule is called by its id and no word of RuleScript by its spelling, in questions, on cards, and where
/// a number is explained.
#[test]
fn readers_meet_no_ids_and_no_spellings() {
    use cw_program::{ClosedWord, Keyword, RuleFlag};
    run(async {
        let demo = demo();
        // “rush” and “pierce” are words of the game as well.
        let plain =
            |word: &&str| !["rush", "pierce", "attack", "piercing", "unfreezable", "frosted"].contains(word);
        let spellings: Vec<&str> = Keyword::ALL
            .iter()
            .map(|word| word.word())
            .chain(RuleFlag::ALL.iter().map(|word| word.word()))
            .filter(plain)
            .collect();
        let mut explained = 0;
        for stage in demo.stages("tests/prompts.toml") {
            let host = demo.host();
            let seats = host
                .open(demo.start([SeatPlayer::Person; 2], Some(Arc::new(stage.after_its_steps()))))
                .unwrap();
            let visitor = Visitor::join(&host, &seats[0].path).await;
            let page = visitor.page("").await;
            let mut all = vec![said(&page)];
            for link in page.split("href=\"explain/").skip(1) {
                let link = link.split('"').next().unwrap();
                all.push(said(&visitor.page(&format!("explain/{link}")).await));
                explained += 1;
            }
            for text in all {
                let text = text.replace(stage.name(), "");
                let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
                for word in words {
                    let letters = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
                    let id =
                        ["G", "D", "R", "C", "RS", "GQ"].contains(&letters) && letters.len() < word.len();
                    assert!(
                        !id && !spellings.contains(&word),
                        "{}: {word} in {text}",
                        stage.name()
                    );
                }
            }
        }
        assert!(explained > 100, "{explained}");
    });
}

/// A sentence about a search that found nothing is there until the next choice, and does not lie on the
/// table for turns.
#[test]
fn a_sentence_is_put_away_by_the_next_choice() {
    run(async {
        let demo = demo();
        let text = r#"
[[scenario]]
name = "nobody is there"
me = { sp = 30, hand = ["Clean Sweep", "Crumb", "Gasket"] }
steps = [{ play = "Clean Sweep" }]
"#;
        let (_host, visitor) = scene(&demo, text).await;
        let page = visitor.page("").await;
        let shown = |page: &str| {
            page.split("id=\"shown\"")
                .nth(1)
                .unwrap()
                .split("</aside>")
                .next()
                .unwrap()
                .contains("Clean Sweep finds nothing to act on.")
        };
        let mut pages = vec![shown(&page)];
        let mut page = page;
        for _ in 0..3 {
            let Some(offer) = page.split("form=\"answer\" name=\"o\" value=\"").nth(1) else {
                break;
            };
            let offer = offer.split('"').next().unwrap().to_owned();
            visitor.post("answer", &format!("o={offer}&slot=first")).await;
            page = visitor.page("").await;
            pages.push(shown(&page));
        }
        let first = pages.iter().position(|shown| *shown);
        let first = first.unwrap_or_else(|| panic!("{pages:?}: {page}"));
        assert!(
            pages[first + 1..].iter().all(|shown| !shown) && first < 3,
            "{pages:?}"
        );
    });
}

/// A choice tells what becomes of everybody, also where it spares whom one chooses, and choosing none is no
/// gold button: by its card's name alone one would send away whom one wants to keep.
#[test]
fn who_is_spared_and_who_goes_is_told() {
    run(async {
        let demo = demo();
        let text = r#"
[[scenario]]
name = "the tide"
phase = "main"
me = { ring = ["Crumb", "Apprentice Drip"], hand = ["Spring Tide"], sp = 9 }
steps = [{ play = "Spring Tide" }]
"#;
        let (_host, visitor) = scene(&demo, text).await;
        let page = visitor.page("").await;
        let option = |words: &str| {
            let option = page.split("<li>").filter(|part| part.contains(words)).last();
            option.unwrap().split("</button>").next().unwrap().to_owned()
        };
        let keeps = option("<span>Apprentice Drip <");
        assert!(keeps.contains(">Crumb returns to hand, +1 SP<"), "{keeps}");
        let none = option("Choose none");
        assert!(
            none.contains(">Crumb and Apprentice Drip return to hand, +2 SP<"),
            "{none}"
        );
        assert!(!none.contains("\"go\""), "{none}");
    });
}

/// Who could counter an attack is in the open, and told on its button (G144).
#[test]
fn an_attack_tells_who_could_counter() {
    run(async {
        let demo = demo();
        let scenes = [
            (
                r#"["Gasket"]"#,
                ">500 to the opponent if not countered; if Gasket (600) counters: is KOed<",
            ),
            (
                r#"["Gasket 300"]"#,
                ">500 to the opponent if not countered; if Gasket (300) counters: KOs it<",
            ),
            (
                r#"["Gasket 500"]"#,
                ">500 to the opponent if not countered; if Gasket (500) counters: both are KOed<",
            ),
            (r#"["Gasket", "Crumb"]"#, ">500 to the opponent if not countered<"),
            ("[]", ">500 to the opponent; nobody there can counter<"),
            (
                r#"[{ card = "Gasket", frozen = true }]"#,
                ">500 to the opponent; nobody there can counter<",
            ),
        ];
        for (ring, words) in scenes {
            let text = format!(
                r#"
[[scenario]]
name = "one goes"
phase = "attack"
me = {{ ring = ["Auntie Rye"], hand = ["Crumb"] }}
opponent = {{ ring = {ring} }}
"#
            );
            let (_host, visitor) = scene(&demo, &text).await;
            let page = visitor.page("").await;
            let option = page.split("Attack with Auntie Rye").last().unwrap();
            let option = option.split("</button>").next().unwrap();
            assert!(option.contains(words), "{ring}: {option}");
        }
    });
}

/// What all deal together stands on the button that declares them all.
#[test]
fn attacking_with_all_tells_the_sum() {
    run(async {
        let demo = demo();
        let text = r#"
[[scenario]]
name = "two go"
phase = "attack"
me = { ring = ["Auntie Rye", "Gasket"], hand = ["Crumb"] }
opponent = { ring = ["Crumb"] }
"#;
        let (_host, visitor) = scene(&demo, text).await;
        let page = visitor.page("").await;
        assert!(page.contains(">Attack with both (1100 in all)<"), "{page}");
    });
}

/// The yes to what a card may do says when it would come to nothing and is no gold button then; it keeps its
/// place. The next phase, and what ends with the turn, do not count as something that it does.
#[test]
fn a_yes_that_finds_nobody_says_so() {
    run(async {
        let demo = demo();
        let nothing = "as things stand, this does nothing";
        let espresso = r#"{ play = "Double Espresso" }, "#;
        for (ring, before, finds) in [
            (r#"["Encore Elsie", "Crumb"]"#, "", false),
            (r#"["Encore Elsie", "Crumb 200"]"#, espresso, false),
            (r#"["Encore Elsie", "Fop"]"#, "", true),
        ] {
            let text = format!(
                r#"
[[scenario]]
name = "an encore"
me = {{ sp = 9, hand = ["Double Espresso"], ring = {ring} }}
steps = [{before}"end phase", "end phase"]
"#
            );
            let (_host, visitor) = scene(&demo, &text).await;
            let page = visitor.page("").await;
            assert!(
                page.contains("data-kind=\"may\""),
                "{ring}: {}",
                page.split("id=\"question\"").last().unwrap()
            );
            let buttons: Vec<&str> = page.split("<button class=\"").skip(1).collect();
            let yes = buttons
                .iter()
                .position(|part| part.contains("<span>Yes"))
                .unwrap();
            let no = buttons.iter().position(|part| part.contains("<span>No")).unwrap();
            assert!(yes < no, "{page}");
            let yes = buttons[yes].split("</button>").next().unwrap();
            assert_eq!(yes.starts_with("go"), finds, "{ring}: {yes}");
            assert_eq!(yes.contains(nothing), !finds, "{ring}: {yes}");
        }
    });
}
