//! `cardwright lsp`: a language server on standard input and output.

mod tables;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use cw_lsp::{AskedTable, GameFolders, LanguageServer, ServerMessage};
use cw_octgn::{Folder, PackageFiles};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::Value;

use crate::input::{holds_scenarios, may_hold_scenarios};
use crate::output::note;
use tables::EditorTables;

/// Run a language server for editors: findings as you type, fixes, layout
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Accepted since editors pass it; there is no other way to speak with an editor
    #[arg(long)]
    stdio: bool,
}

/// The folders of this machine, and the tables that were opened from the editor.
#[derive(Default)]
struct DiskFolders {
    tables: EditorTables,
}

impl GameFolders for DiskFolders {
    fn above(&self, path: &str) -> Option<String> {
        let root = cw_lab::package_above(Path::new(path))?;
        Some(root.to_string_lossy().replace('\\', "/"))
    }

    fn open(&self, root: &str) -> Box<dyn PackageFiles + Send> {
        Box::new(Folder::new(Path::new(root)))
    }

    /// Those in the folder beside the game's, as `cardwright dev` has them.
    fn scenarios(&self, root: &str) -> Vec<(String, String)> {
        let beside = format!("{root}-tests");
        let names = Folder::new(Path::new(&beside)).list().unwrap_or_default();
        let scenarios = names.iter().filter(|name| may_hold_scenarios(name));
        let read = scenarios.filter_map(|name| {
            let path = format!("{beside}/{name}");
            let text = cw_files::read_text(Path::new(&path), cw_files::SCENARIO).ok()?;
            holds_scenarios(&text).then_some((path, text))
        });
        read.collect()
    }

    fn opens_tables(&self) -> bool {
        true
    }

    fn table(&self, asked: AskedTable) -> Result<String, String> {
        self.tables.open(asked).map_err(|fault| format!("{fault:#}"))
    }
}

pub(crate) fn run(_args: Args) -> Result<ExitCode> {
    let (connection, threads) = Connection::stdio();
    let mut server = LanguageServer::new(Box::<DiskFolders>::default(), env!("CARGO_PKG_VERSION"));
    let (id, asked) = connection
        .initialize_start()
        .context("the editor did not greet the server; it is started by editors, not by hand")?;
    let greeting = server.initialize(&asked);
    connection
        .initialize_finish(id, greeting)
        .context("the editor went away")?;
    let ended = serve(&connection, &mut server);
    drop(connection);
    threads.join().context("standard input or output broke")?;
    ended
}

/// Answers until the editor says that it ends, or goes away. The exit code says which.
fn serve(connection: &Connection, server: &mut LanguageServer) -> Result<ExitCode> {
    // `initialized` was taken by the greeting.
    take(server, "initialized", Value::Null);
    let mut asked = 0;
    loop {
        let next = match connection.receiver.try_recv() {
            Ok(message) => message,
            // Nothing waits: now is the time for what takes longer.
            Err(_) => {
                let said = guarded(|| server.messages()).unwrap_or_default();
                for message in said {
                    asked += 1;
                    let sent = connection.sender.send(outgoing(message, asked));
                    sent.context("the editor went away")?;
                }
                match connection.receiver.recv() {
                    Ok(message) => message,
                    Err(_) => return Ok(ExitCode::FAILURE),
                }
            }
        };
        match next {
            Message::Request(request) => {
                let is_end = connection
                    .handle_shutdown(&request)
                    .context("the editor went away")?;
                if is_end {
                    return Ok(ExitCode::SUCCESS);
                }
                let sent = connection.sender.send(answer(server, request).into());
                sent.context("the editor went away")?;
            }
            Message::Notification(told) => take(server, &told.method, told.params),
            Message::Response(_) => {}
        }
    }
}

fn take(server: &mut LanguageServer, method: &str, params: Value) {
    match guarded(|| server.notify(method, params)) {
        Some(Ok(())) => {}
        Some(Err(why)) => note(&format!("{method}: {why}")),
        None => note(&format!("{method} failed; the server goes on")),
    }
}

fn answer(server: &mut LanguageServer, request: Request) -> Response {
    let Request { id, method, params } = request;
    match guarded(|| server.request(&method, params)) {
        Some(Ok(result)) => Response::new_ok(id, result),
        Some(Err(why)) => Response::new_err(id, why.code(), why.to_string()),
        None => {
            let message = format!("{method} failed; this is a fault of the server, which goes on");
            note(&message);
            Response::new_err(id, INTERNAL_ERROR, message)
        }
    }
}

/// The number of the error for faults of the server.
const INTERNAL_ERROR: i32 = -32603;

/// Does something that must not end the server.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

fn outgoing(message: ServerMessage, number: i32) -> Message {
    match message {
        ServerMessage::Notification { method, params } => {
            Message::Notification(Notification::new(method.to_owned(), params))
        }
        ServerMessage::Request { method, params } => {
            let id = RequestId::from(format!("cardwright-{number}"));
            Message::Request(Request::new(id, method.to_owned(), params))
        }
    }
}
