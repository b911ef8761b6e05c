//! Where a page's requests come in and its answers go out, one after the other.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::body::{Body, HttpBody as _};
use axum::http::{HeaderName, HeaderValue, Request, Response, header};
use cw_hall::lock::locked;
use cw_octgn::MemoryFiles;
use cw_pages::secret::Secret;
use futures_lite::future::poll_fn;
use serde::{Deserialize, Serialize};
use tower::Service as _;

use crate::cookies::CookieJar;
use crate::keep::{KeptChange, PageStore};
use crate::open::{HallParts, PackageHall, of_files, open};
use crate::tasks::{NextTurn, PageTasks};

/// What a page asks for.
#[derive(Clone, Debug, Deserialize)]
pub struct PageRequest {
    /// Its number: what comes back bears it.
    pub id: u32,
    /// `GET` or `POST`.
    pub method: String,
    /// The address, with its query.
    pub path: String,
    /// Names and values, beside the cookies.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// What a form or a script sends.
    #[serde(default)]
    pub body: String,
}

/// What goes to the page, in this order: what must be written down comes before what rests on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageFrame {
    /// To be written down before the next frame is shown.
    Keep(Vec<KeptChange>),
    /// An answer begins.
    Head {
        /// Of which request.
        id: u32,
        /// How it went and what follows.
        head: ResponseHead,
    },
    /// A part of an answer.
    Part {
        /// Of which request.
        id: u32,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// An answer has ended.
    End {
        /// Of which request.
        id: u32,
    },
}

/// How a request went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResponseHead {
    /// The status of HTTP.
    pub status: u16,
    /// Where to go instead, for a status that says so.
    pub location: Option<String>,
    /// What kind of thing follows.
    pub kind: String,
}

/// The desk of one page: its hall, its tasks and what it has to say.
pub struct PageDesk {
    tasks: Arc<PageTasks>,
    store: Arc<PageStore>,
    hall: PackageHall,
    jar: Arc<Mutex<CookieJar>>,
    frames: Arc<Mutex<Vec<PageFrame>>>,
    running: BTreeMap<u32, async_executor::Task<()>>,
}

impl std::fmt::Debug for PageDesk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PageDesk")
            .field("hall", &self.hall)
            .finish_non_exhaustive()
    }
}

/// What a page is told when its desk opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Opened {
    /// Where the page begins.
    pub entry: String,
    /// The name of the game.
    pub name: String,
    /// Whether it is played by rules.
    pub rules: bool,
    /// What whoever opened it should know.
    pub remarks: Vec<String>,
}

impl PageDesk {
    /// Opens the package in an archive, with what the page has kept, by keys in their order. Links that are
    /// shared lead to `page`, if there is one.
    ///
    /// # Errors
    /// Words for whoever opened it.
    pub fn new(
        archive: Vec<u8>,
        kept: &[(String, String)],
        chance: fn() -> Secret,
        page: Option<String>,
    ) -> Result<(PageDesk, Opened), String> {
        PageDesk::with(kept, chance, page, |parts| open(archive, parts))
    }

    /// Opens the package that these files make; nothing of it was kept.
    ///
    /// # Errors
    /// As [`PageDesk::new`].
    pub fn of_files(
        files: &MemoryFiles,
        chance: fn() -> Secret,
        page: Option<String>,
    ) -> Result<(PageDesk, Opened), String> {
        PageDesk::with(&[], chance, page, |parts| of_files(files, parts))
    }

    fn with(
        kept: &[(String, String)],
        chance: fn() -> Secret,
        page: Option<String>,
        open: impl FnOnce(&HallParts) -> Result<PackageHall, String>,
    ) -> Result<(PageDesk, Opened), String> {
        let tasks = Arc::new(PageTasks::default());
        let (store, left_out) = PageStore::new(kept, chance());
        let store = Arc::new(store);
        let mut jar = CookieJar::default();
        for (key, value) in kept {
            let cookie = key.strip_prefix("cookie/").and_then(|rest| rest.rsplit_once(' '));
            if let Some((path, name)) = cookie {
                jar.put(path, name, value);
            }
        }
        let parts = HallParts {
            store: Arc::clone(&store) as Arc<dyn cw_hall::store::DuelStore>,
            runtime: Arc::clone(&tasks) as Arc<dyn cw_hall::runtime::Runtime>,
            chance,
            page,
        };
        let hall = open(&parts)?;
        let opened = Opened {
            entry: hall.entry.clone(),
            name: hall.name.clone(),
            rules: hall.has_rules,
            remarks: hall.remarks.iter().cloned().chain(left_out).collect(),
        };
        let desk = PageDesk {
            tasks,
            store,
            hall,
            jar: Arc::new(Mutex::new(jar)),
            frames: Arc::default(),
            running: BTreeMap::new(),
        };
        Ok((desk, opened))
    }

    /// The name of the game.
    pub fn name(&self) -> &str {
        &self.hall.name
    }

    /// What there is to play with, in a few words.
    pub fn holds(&self) -> &str {
        &self.hall.holds
    }

    /// Addresses of pictures that every visitor sees the same, and often: they may lie in files.
    pub fn pictures(&self) -> &[String] {
        &self.hall.pictures
    }

    /// What stands at an address: its kind and its bytes. Nothing if that is not there, or does not end.
    pub fn read(&mut self, path: &str) -> Option<(String, Vec<u8>)> {
        self.ask(PageRequest {
            id: 0,
            method: "GET".to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: String::new(),
        });
        let (mut kind, mut all) = (None, Vec::new());
        loop {
            let (frames, next) = self.turn();
            for frame in frames {
                match frame {
                    PageFrame::Head { id: 0, head } if head.status == 200 => kind = Some(head.kind),
                    PageFrame::Part { id: 0, bytes } => all.extend(bytes),
                    PageFrame::End { id: 0 } => return kind.map(|kind| (kind, all)),
                    _ => {}
                }
            }
            if next == NextTurn::Never {
                return None;
            }
        }
    }

    /// Takes a request. Its answer comes with the frames of the next turns.
    pub fn ask(&mut self, asked: PageRequest) {
        self.running.retain(|_, task| !task.is_finished());
        let id = asked.id;
        let (frames, store, jar) = (
            Arc::clone(&self.frames),
            Arc::clone(&self.store),
            Arc::clone(&self.jar),
        );
        let request = match request(asked, &locked(&jar)) {
            Ok(request) => request,
            Err(why) => {
                let head = ResponseHead {
                    status: 400,
                    location: None,
                    kind: "text/plain".to_owned(),
                };
                let bytes = why.into_bytes();
                locked(&frames).extend([
                    PageFrame::Head { id, head },
                    PageFrame::Part { id, bytes },
                    PageFrame::End { id },
                ]);
                return;
            }
        };
        let mut router = self.hall.router.clone();
        let task = self.tasks.hold(Box::pin(async move {
            let mut response = match router.call(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            };
            for (path, name, value) in cookies(&response) {
                locked(&jar).put(path, name, value);
                store.put(format!("cookie/{path} {name}"), value.to_owned());
            }
            let say = |frame: PageFrame| {
                let mut frames = locked(&frames);
                let changes = store.take_changes();
                if !changes.is_empty() {
                    frames.push(PageFrame::Keep(changes));
                }
                frames.push(frame);
            };
            let head = head(&response);
            say(PageFrame::Head { id, head });
            while let Some(bytes) = next_part(response.body_mut()).await {
                say(PageFrame::Part { id, bytes });
            }
            say(PageFrame::End { id });
        }));
        self.running.insert(id, task);
    }

    /// Nobody wants the answer of this request any more.
    pub fn drop_request(&mut self, id: u32) {
        self.running.remove(&id);
    }

    /// Goes on for a while: what there is to send, and when to come back.
    pub fn turn(&self) -> (Vec<PageFrame>, NextTurn) {
        let next = self.tasks.turn(|| !locked(&self.frames).is_empty());
        let mut frames = std::mem::take(&mut *locked(&self.frames));
        let changes = self.store.take_changes();
        if !changes.is_empty() {
            frames.push(PageFrame::Keep(changes));
        }
        (frames, next)
    }
}

/// The request as the routes take it.
fn request(asked: PageRequest, jar: &CookieJar) -> Result<Request<Body>, String> {
    let address = asked.path.split('?').next().unwrap_or_default();
    let mut request = Request::builder()
        .method(asked.method.as_bytes())
        .uri(&asked.path)
        // The guard lets this machine in.
        .header(header::HOST, "localhost")
        .header(header::COOKIE, jar.header(address))
        .body(Body::from(asked.body))
        .map_err(|why| why.to_string())?;
    for (name, value) in asked.headers {
        let name = HeaderName::try_from(name).map_err(|why| why.to_string())?;
        let value = HeaderValue::try_from(value).map_err(|why| why.to_string())?;
        request.headers_mut().insert(name, value);
    }
    Ok(request)
}

fn cookies(response: &Response<Body>) -> Vec<(&str, &str, &str)> {
    let headers = response.headers().get_all(header::SET_COOKIE).iter();
    headers
        .filter_map(|value| CookieJar::read(value.to_str().ok()?))
        .collect()
}

fn head(response: &Response<Body>) -> ResponseHead {
    let text = |name| {
        let value = response.headers().get(name);
        value.and_then(|value| value.to_str().ok()).map(str::to_owned)
    };
    ResponseHead {
        status: response.status().as_u16(),
        location: text(header::LOCATION),
        kind: text(header::CONTENT_TYPE).unwrap_or_default(),
    }
}

/// The next bytes of a body; nothing at its end.
async fn next_part(body: &mut Body) -> Option<Vec<u8>> {
    loop {
        let frame = poll_fn(|context| std::pin::Pin::new(&mut *body).poll_frame(context)).await?;
        match frame.ok()?.into_data() {
            Ok(bytes) if !bytes.is_empty() => return Some(bytes.to_vec()),
            Ok(_) | Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn chance() -> Secret {
        Secret::of([9; 32])
    }

    /// The demo game as an archive.
    fn demo() -> Vec<u8> {
        let project = cw_lab::open(None, &cw_load::ReadOptions::default(), &|_| {}).expect("the demo game");
        let limits = cw_octgn::PackageLimits::default();
        cw_octgn::export(&*project.files, &project.package, &limits)
            .expect("it can be packed")
            .bytes
    }

    /// A page: what it has kept, and what it shows.
    struct Page {
        desk: PageDesk,
        kept: BTreeMap<String, String>,
        next: u32,
    }

    impl Page {
        fn new(kept: BTreeMap<String, String>) -> (Page, Opened) {
            let pairs: Vec<(String, String)> = kept.clone().into_iter().collect();
            let (desk, opened) = PageDesk::new(demo(), &pairs, chance, None).expect("the demo game opens");
            (Page { desk, kept, next: 1 }, opened)
        }

        fn keep(&mut self, changes: Vec<KeptChange>) {
            for change in changes {
                match change {
                    KeptChange::Put { key, text } => {
                        self.kept.insert(key, text);
                    }
                    KeptChange::Remove { key } => {
                        self.kept.remove(&key);
                    }
                    KeptChange::Clear { prefix } => self.kept.retain(|key, _| !key.starts_with(&prefix)),
                }
            }
        }

        /// Follows where it is led; the address, and the page that is shown there.
        fn go(&mut self, method: &str, path: &str, body: &str) -> (String, String) {
            let (mut method, mut path, mut body) = (method, path.to_owned(), body);
            for _ in 0..5 {
                let (head, text) = self.one(method, &path, body);
                match head.location {
                    Some(location) => (method, path, body) = ("GET", location, ""),
                    None => return (path, text),
                }
            }
            panic!("led in a circle")
        }

        fn one(&mut self, method: &str, path: &str, body: &str) -> (ResponseHead, String) {
            self.next += 1;
            let own = self.next;
            let form = "application/x-www-form-urlencoded";
            self.desk.ask(PageRequest {
                id: own,
                method: method.to_owned(),
                path: path.to_owned(),
                headers: vec![("content-type".to_owned(), form.to_owned())],
                body: body.to_owned(),
            });
            let (mut head, mut all) = (None, Vec::new());
            loop {
                let (frames, _) = self.desk.turn();
                for frame in frames {
                    match frame {
                        PageFrame::Keep(changes) => self.keep(changes),
                        PageFrame::Head { id, head: found } if id == own => head = Some(found),
                        PageFrame::Part { id, bytes } if id == own => all.extend(bytes),
                        PageFrame::End { id } if id == own => {
                            return (head.expect("a head"), String::from_utf8_lossy(&all).into_owned());
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    /// The value of a hidden field.
    fn field(page: &str, name: &str) -> String {
        let start = page
            .find(&format!("name=\"{name}\" value=\""))
            .unwrap_or_else(|| panic!("no {name} in {page}"));
        let value = &page[start + format!("name=\"{name}\" value=\"").len()..];
        value[..value.find('"').expect("its end")].to_owned()
    }

    /// Cards are searched, and a deck is built, kept and found again, by a page without a server.
    #[cfg(feature = "whole")]
    #[test]
    fn a_deck_is_built_and_found_again_by_a_page_without_a_server() {
        let (mut page, opened) = Page::new(BTreeMap::new());
        page.go("GET", &opened.entry, "");
        let (_, found) = page.go("GET", "/cards/found?q=kind%3Areaction", "");
        assert!(found.contains("data-number="), "{found}");
        let (_, decks) = page.go("GET", "/front/decks", "");
        let stamp = field(&decks, "k");
        let (way, builder) = page.go("POST", "/front/decks/new", &format!("k={stamp}&from=0"));
        assert!(builder.contains("A legal deck."), "{builder}");
        let (_, panel) = page.go(
            "POST",
            &format!("{way}/keep"),
            &format!("k={stamp}&name=Mine&cards="),
        );
        assert!(panel.contains("data-legal=\"false\""), "{panel}");
        let (mut again, opened) = Page::new(page.kept);
        again.go("GET", &opened.entry, "");
        let (_, decks) = again.go("GET", "/front/decks", "");
        assert!(decks.contains("<b>Mine</b>"), "{decks}");
    }

    /// A draft against computers goes on where it stood when the page is opened again, and ends with a deck.
    #[cfg(feature = "whole")]
    #[test]
    fn a_draft_goes_on_in_a_page_without_a_server() {
        let (mut page, opened) = Page::new(BTreeMap::new());
        page.go("GET", &opened.entry, "");
        let (_, setup) = page.go("GET", "/front/draft", "");
        assert!(
            !setup.contains("name=\"friends\""),
            "nobody else reaches this page"
        );
        let pack = setup
            .split("name=\"p.")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        let form = format!("k={}&p.{}=1&seats=3", field(&setup, "k"), pack.expect("a pack"));
        let (seat, mut text) = page.go("POST", "/front/draft", &form);
        for number in 0..12 {
            assert_eq!(field(&text, "n"), number.to_string());
            if number == 5 {
                // The page is closed, and opened again.
                page = Page::new(page.kept).0;
                text = page.go("GET", &seat, "").1;
                assert!(text.contains("data-total=\"5\""), "{text}");
            }
            let form = format!("k={}&n={number}&at=0", field(&text, "k"));
            text = page.go("POST", &format!("{seat}pick"), &form).1;
        }
        assert!(text.contains("All cards are taken"), "{text}");
        let (_, builder) = page.go("GET", &format!("{seat}deck"), "");
        assert!(builder.contains("A legal deck."), "{builder}");
        let (_, results) = page.go("GET", &format!("{seat}results"), "");
        let form = format!("k={}&other=1&level=random", field(&results, "k"));
        let (duel, _) = page.go("POST", &format!("{seat}duel"), &form);
        assert!(duel.starts_with("/s/"), "{duel}");
    }

    #[test]
    fn a_duel_is_begun_answered_and_found_again_by_a_page_without_a_server() {
        let (mut page, opened) = Page::new(BTreeMap::new());
        assert!(opened.rules && opened.remarks.is_empty(), "{opened:?}");
        let (front, text) = page.go("GET", &opened.entry, "");
        assert_eq!(front, "/front/");
        let form = format!("k={}&own=0&other=1&level=easy&first=me", field(&text, "k"));
        let (seat, text) = page.go("POST", "/front/new", &form);
        assert!(seat.starts_with("/s/"), "{seat}");
        let (number, stamp) = (field(&text, "n"), field(&text, "k"));
        let answer = format!("n={number}&k={stamp}&o=0");
        let (_, after) = page.go("POST", &format!("{seat}answer"), &answer);
        assert_ne!(field(&after, "n"), number, "another question is asked");

        // The page is closed, and opened again.
        let (mut again, opened) = Page::new(page.kept);
        let (_, text) = again.go("GET", &seat, "");
        assert_eq!(field(&text, "n"), field(&after, "n"), "the same question waits");
        let (_, front) = again.go("GET", &opened.entry, "");
        assert!(front.contains("/front/enter/"), "the duel is listed");
    }

    #[test]
    fn what_must_be_kept_comes_before_the_answer() {
        let (mut page, opened) = Page::new(BTreeMap::new());
        let (_, text) = page.go("GET", &opened.entry, "");
        page.desk.ask(PageRequest {
            id: 7,
            method: "POST".to_owned(),
            path: "/front/new".to_owned(),
            headers: vec![(
                "content-type".to_owned(),
                "application/x-www-form-urlencoded".to_owned(),
            )],
            body: format!("k={}&own=0&other=1&level=easy&first=me", field(&text, "k")),
        });
        let mut told = Vec::new();
        while !told.iter().any(|frame| matches!(frame, PageFrame::End { id: 7 })) {
            told.extend(page.desk.turn().0);
        }
        let tables = |frame: &PageFrame| {
            matches!(frame, PageFrame::Keep(changes) if changes.iter().any(|change| {
                matches!(change, KeptChange::Put { key, .. } if key.starts_with("table/"))
            }))
        };
        let kept = told.iter().position(tables).expect("the table is kept");
        let shown = told
            .iter()
            .position(|frame| matches!(frame, PageFrame::Head { id: 7, .. }));
        assert!(Some(kept) < shown, "{told:?}");
    }

    #[test]
    fn what_is_no_game_and_what_is_no_request_is_told() {
        let why = PageDesk::new(b"no archive".to_vec(), &[], chance, None).unwrap_err();
        assert!(why.starts_with("this is not a game"), "{why}");
        let (mut page, _) = Page::new(BTreeMap::new());
        let (head, _) = page.one("GET", "no address", "");
        assert_eq!(head.status, 400);
        let (head, _) = page.one("GET", "/s/nobody/", "");
        assert_eq!(head.status, 403);
        let (head, _) = page.one("GET", "/nowhere", "");
        assert_eq!(head.status, 404);
    }

    /// Every file of the pages is there, and every picture that may lie in a file is one.
    #[test]
    fn assets_and_pictures_have_their_addresses() {
        let (mut page, _) = Page::new(BTreeMap::new());
        for address in cw_routes::assets() {
            assert!(page.desk.read(&address).is_some(), "{address}");
        }
        for address in page.desk.pictures().to_vec() {
            let (kind, bytes) = page.desk.read(&address).unwrap_or_else(|| panic!("{address}"));
            assert!(kind.starts_with("image/") && !bytes.is_empty(), "{address}");
        }
    }
}
