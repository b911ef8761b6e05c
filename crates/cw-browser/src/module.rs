//! The border to the page's scripts: few functions, and bytes in memory.
//!
//! The script asks for room, writes a message there and calls a function that reads it; what comes back lies
//! in memory, too, after its length. Nothing here reads from an address that it is given.
#![expect(
    unsafe_code,
    reason = "functions that a page calls, and those of the page, have names that the linker keeps"
)]

use std::cell::RefCell;
use std::time::Duration;

use cw_hall::clock::{self, HallClock};
use cw_pages::secret::Secret;
use cw_players::Level;
use cw_wire::{GameLink, LinkContent, LinkedGame};
use serde::Deserialize;
use serde_json::json;

use crate::desk::{PageDesk, PageFrame, PageRequest};
use crate::tasks::NextTurn;
#[cfg(feature = "whole")]
use crate::workshop::{Workshop, WorkshopAsk};

unsafe extern "C" {
    /// Milliseconds since the page began. They never go back.
    safe fn passed() -> f64;
    /// Milliseconds since 1970-01-01 in UTC.
    safe fn today() -> f64;
    /// Four bytes that nobody can foresee.
    safe fn random() -> u32;
    /// A sentence for the page's console lies where [`given`] says.
    safe fn told();
}

/// What the page has written, what it is given, and the desk: a module has one thread.
#[derive(Default)]
struct Border {
    taken: Vec<u8>,
    given: Vec<u8>,
    desk: Option<PageDesk>,
    #[cfg(feature = "whole")]
    workshop: Option<Workshop>,
    page: Option<String>,
}

thread_local! {
    static BORDER: RefCell<Border> = RefCell::default();
}

fn with<T>(act: impl FnOnce(&mut Border) -> T) -> T {
    BORDER.with(|border| act(&mut border.borrow_mut()))
}

fn milliseconds(time: f64) -> Duration {
    Duration::try_from_secs_f64(time / 1000.0).unwrap_or_default()
}

fn chance() -> Secret {
    let mut bytes = [0; 32];
    for part in bytes.chunks_exact_mut(4) {
        part.copy_from_slice(&random().to_le_bytes());
    }
    Secret::of(bytes)
}

/// Room for so many bytes of a message: where it begins.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    with(|border| {
        border.taken.clear();
        border.taken.resize(bytes, 0);
        border.taken.as_mut_ptr()
    })
}

/// Where the bytes begin that the last call gave.
#[unsafe(no_mangle)]
pub extern "C" fn given() -> *const u8 {
    with(|border| border.given.as_ptr())
}

/// How many there are.
#[unsafe(no_mangle)]
pub extern "C" fn given_length() -> usize {
    with(|border| border.given.len())
}

/// What a page gives before anything else.
#[derive(Deserialize)]
struct Beginning {
    /// What it kept: keys in their order, with their texts.
    kept: Vec<(String, String)>,
    /// How many bytes of the message are the game, after this text and a byte of zero.
    game: usize,
    /// The address of the page.
    page: Option<String>,
}

/// Opens the hall of the game that the message holds. What it gives is JSON: what was opened, or why nothing
/// was.
#[unsafe(no_mangle)]
pub extern "C" fn begin() {
    // A second beginning keeps the clock of the first.
    clock::set(HallClock {
        passed: || milliseconds(passed()) + Duration::from_hours(24),
        today: || milliseconds(today()),
    });
    std::panic::set_hook(Box::new(|panic| {
        let words = panic.to_string().into_bytes();
        BORDER.with(|border| {
            // Where it is in use, the words are lost; the page says all the same that something broke.
            if let Ok(mut border) = border.try_borrow_mut() {
                border.given = words;
            }
        });
        told();
    }));
    let message = with(|border| std::mem::take(&mut border.taken));
    let opened = beginning(message);
    with(|border| {
        let answer = match opened {
            Ok((desk, opened)) => {
                border.desk = Some(desk);
                json!({ "opened": opened })
            }
            Err(why) => json!({ "why": why }),
        };
        border.given = answer.to_string().into_bytes();
    });
}

fn beginning(mut message: Vec<u8>) -> Result<(PageDesk, crate::desk::Opened), String> {
    let end = message
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(message.len());
    let beginning: Beginning = serde_json::from_slice(&message[..end]).map_err(|why| why.to_string())?;
    let game = message.split_off((end + 1).min(message.len()));
    if game.len() != beginning.game {
        return Err("the game did not arrive complete".to_owned());
    }
    with(|border| border.page.clone_from(&beginning.page));
    PageDesk::new(game, &beginning.kept, chance, beginning.page)
}

/// What a twin is asked for, before the game as in [`begin`].
#[derive(Deserialize)]
struct TwinTask {
    /// The level that plays; the findings are wanted if there is none.
    level: Option<String>,
    /// The record of a free table, if that is to be played again.
    record: Option<String>,
    /// The first duel.
    #[serde(default)]
    from: u64,
    /// The one after the last.
    #[serde(default)]
    to: u64,
}

/// Plays the duels or the record that the message asks for, or checks the package in it. What it gives is
/// JSON.
#[unsafe(no_mangle)]
pub extern "C" fn twin() {
    let message = with(|border| std::mem::take(&mut border.taken));
    let answer = twin_answer(message).unwrap_or_else(|why| json!({ "why": why }));
    with(|border| border.given = answer.to_string().into_bytes());
}

fn twin_answer(mut message: Vec<u8>) -> Result<serde_json::Value, String> {
    let end = message
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(message.len());
    let task: TwinTask = serde_json::from_slice(&message[..end]).map_err(|why| why.to_string())?;
    let game = message.split_off((end + 1).min(message.len()));
    #[cfg(feature = "whole")]
    if let Some(record) = &task.record {
        let again = crate::twin::replay(game, record)?;
        return Ok(json!({ "entries": again.entries, "digest": again.digest }));
    }
    #[cfg(not(feature = "whole"))]
    if task.record.is_some() {
        return Err("this part of the page has no free tables".to_owned());
    }
    match task.level.as_deref().map(Level::named) {
        #[cfg(feature = "whole")]
        None => Ok(json!({ "found": crate::twin::findings(game)? })),
        #[cfg(not(feature = "whole"))]
        None => Err("this part of the page checks nothing".to_owned()),
        Some(None) => Err("there is no such level".to_owned()),
        Some(Some(level)) => {
            let batch = crate::twin::play(game, level, task.from..task.to)?;
            Ok(json!({ "duels": batch.duels, "choices": batch.choices, "digest": batch.digest }))
        }
    }
}

/// Looks into the link that the message holds. What it gives begins with a byte: 0 and a game's archive, if
/// the link carries one; 1 and the reason why it cannot be read; 2 if the page of the game knows what to do
/// with it.
#[unsafe(no_mangle)]
pub extern "C" fn unpack() {
    let message = with(|border| std::mem::take(&mut border.taken));
    let given = match GameLink::read(&String::from_utf8_lossy(&message)) {
        Ok(GameLink {
            what: LinkContent::Package(archive),
            ..
        }) => [vec![0], archive].concat(),
        Ok(_) => vec![2],
        Err(why) => [vec![1], why.to_string().into_bytes()].concat(),
    };
    with(|border| border.given = given);
}

/// Puts the archive in the message into a link. What it gives is JSON: the letters, or why there are none.
#[unsafe(no_mangle)]
pub extern "C" fn pack() {
    let archive = with(|border| std::mem::take(&mut border.taken));
    with(|border| {
        let name = border.desk.as_ref().map_or("", PageDesk::name);
        let link = GameLink {
            game: LinkedGame::named(name, ""),
            what: LinkContent::Package(archive),
        };
        let answer = match link.write() {
            Ok(letters) => json!({ "letters": letters, "name": name }),
            Err(why) => json!({ "why": why.to_string() }),
        };
        border.given = answer.to_string().into_bytes();
    });
}

/// What comes before the bytes of a workshop's game, and a byte of zero.
#[cfg(feature = "whole")]
#[derive(Deserialize)]
struct WorkshopFiles {
    /// Names of files with their lengths; an archive if there are none.
    files: Option<Vec<(String, usize)>>,
}

/// Opens a workshop with the game in the message. What it gives is JSON: remarks about it, or why there is
/// none.
#[cfg(feature = "whole")]
#[unsafe(no_mangle)]
pub extern "C" fn workshop() {
    let message = with(|border| std::mem::take(&mut border.taken));
    let answer = match workshop_of(message) {
        Ok(opened) => {
            let answer = json!({ "remarks": opened.remarks() });
            with(|border| border.workshop = Some(opened));
            answer
        }
        Err(why) => json!({ "why": why }),
    };
    with(|border| border.given = answer.to_string().into_bytes());
}

#[cfg(feature = "whole")]
fn workshop_of(mut message: Vec<u8>) -> Result<Workshop, String> {
    let end = message
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(message.len());
    let head: WorkshopFiles = serde_json::from_slice(&message[..end]).map_err(|why| why.to_string())?;
    let mut rest = message.split_off((end + 1).min(message.len()));
    let Some(names) = head.files else {
        return Workshop::of_archive(rest);
    };
    let mut files = Vec::new();
    for (name, length) in names {
        if length > rest.len() {
            return Err("the folder did not arrive complete".to_owned());
        }
        let later = rest.split_off(length);
        files.push((name, std::mem::replace(&mut rest, later)));
    }
    Workshop::of_folder(files)
}

/// Asks the workshop what the message says. What it gives is JSON.
#[cfg(feature = "whole")]
#[unsafe(no_mangle)]
pub extern "C" fn workshop_ask() {
    let message = with(|border| std::mem::take(&mut border.taken));
    let asked = serde_json::from_slice::<WorkshopAsk>(&message).map_err(|why| why.to_string());
    let workshop = with(|border| border.workshop.take());
    let Some(mut workshop) = workshop else {
        with(|border| border.given = json!({ "why": "no game is open" }).to_string().into_bytes());
        return;
    };
    let answer = asked.and_then(|asked| workshop.answer(asked));
    with(|border| {
        border.workshop = Some(workshop);
        let answer = answer.unwrap_or_else(|why| json!({ "why": why }));
        border.given = answer.to_string().into_bytes();
    });
}

/// Gives the workshop's game: 0 as the zip of its folder, else as a package. What it gives begins with a
/// byte: 0 and the bytes, or 1 and why there are none.
#[cfg(feature = "whole")]
#[unsafe(no_mangle)]
pub extern "C" fn workshop_bytes(kind: u32) {
    with(|border| {
        let packed =
            border
                .workshop
                .as_ref()
                .map_or(Err("no game is open".to_owned()), |workshop| match kind {
                    0 => workshop.zip(),
                    _ => workshop.package(),
                });
        border.given = match packed {
            Ok(bytes) => [vec![0], bytes].concat(),
            Err(why) => [vec![1], why.into_bytes()].concat(),
        };
    });
}

/// Opens the hall of the workshop's game, and a table with this card in hand; the front page if the number is
/// none. What it gives is JSON: what was opened, and the letters of the link to the table.
#[cfg(feature = "whole")]
#[unsafe(no_mangle)]
pub extern "C" fn try_out(card: u32) {
    let workshop = with(|border| border.workshop.take());
    let page = with(|border| border.page.clone());
    let answer = match workshop {
        None => json!({ "why": "no game is open" }),
        Some(mut workshop) => {
            let link = u16::try_from(card)
                .ok()
                .map(|card| workshop.try_out(card))
                .transpose();
            let opened =
                link.and_then(|link| Ok((link, PageDesk::of_files(workshop.files(), chance, page)?)));
            with(|border| border.workshop = Some(workshop));
            match opened {
                Ok((link, (desk, opened))) => {
                    with(|border| border.desk = Some(desk));
                    json!({ "opened": opened, "link": link })
                }
                Err(why) => json!({ "why": why }),
            }
        }
    };
    with(|border| border.given = answer.to_string().into_bytes());
}

/// Takes the request that the message holds.
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    let message = with(|border| std::mem::take(&mut border.taken));
    let Ok(request) = serde_json::from_slice::<PageRequest>(&message) else {
        return;
    };
    with(|border| {
        if let Some(desk) = &mut border.desk {
            desk.ask(request);
        }
    });
}

/// Nobody wants the answer of this request any more.
#[unsafe(no_mangle)]
pub extern "C" fn drop_request(id: u32) {
    let desk = with(|border| border.desk.take());
    if let Some(mut desk) = desk {
        desk.drop_request(id);
        with(|border| border.desk = Some(desk));
    }
}

/// Goes on for a while. It gives frames: for each the number of its request (0 for none), its kind, the
/// length of its bytes, each in four bytes, little end first, and the bytes. What comes back is when to come
/// again: in milliseconds, below zero for never.
#[unsafe(no_mangle)]
pub extern "C" fn turn() -> f64 {
    let Some(desk) = with(|border| border.desk.take()) else {
        return -1.0;
    };
    let (frames, next) = desk.turn();
    with(|border| {
        border.desk = Some(desk);
        border.given = written(&frames);
    });
    match next {
        NextTurn::Now => 0.0,
        NextTurn::After(time) => time.as_secs_f64() * 1000.0,
        NextTurn::Never => -1.0,
    }
}

fn written(frames: &[PageFrame]) -> Vec<u8> {
    let mut all = Vec::new();
    for frame in frames {
        let text;
        let (id, kind, bytes): (u32, u32, &[u8]) = match frame {
            PageFrame::Keep(changes) => {
                text = json!(changes).to_string();
                (0, 0, text.as_bytes())
            }
            PageFrame::Head { id, head } => {
                text = json!(head).to_string();
                (*id, 1, text.as_bytes())
            }
            PageFrame::Part { id, bytes } => (*id, 2, bytes),
            PageFrame::End { id } => (*id, 3, &[]),
        };
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        for number in [id, kind, length] {
            all.extend(number.to_le_bytes());
        }
        all.extend(bytes);
    }
    all
}
