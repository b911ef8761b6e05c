//! `cardwright lsp`: a language server on standard input and output.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use cw_lsp::{GameFolders, LanguageServer, ServerMessage};
use cw_octgn::{Folder, PackageFiles};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::Value;

use crate::output::note;

/// Run a language server for editors: findings as you type, fixes, layout
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Accepted since editors pass it; there is no other way to speak with an editor
    #[arg(long)]
    stdio: bool,
}

/// The folders of this machine.
struct DiskFolders;

impl GameFolders for DiskFolders {
    fn above(&self, path: &str) -> Option<String> {
        let root = cw_lab::package_above(Path::new(path))?;
        Some(root.to_string_lossy().replace('\\', "/"))
    }

    fn open(&self, root: &str) -> Box<dyn PackageFiles + Send> {
        Box::new(Folder::new(Path::new(root)))
    }
}

pub(crate) fn run(_args: Args) -> Result<ExitCode> {
    let (connection, threads) = Connection::stdio();
    let mut server = LanguageServer::new(Box::new(DiskFolders), env!("CARGO_PKG_VERSION"));
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
