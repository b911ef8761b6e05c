//! `cardwright health`: whether a table answers, for what keeps it running.
//!
//! A container that is made of nothing but this program has no other way to ask.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, ensure};

#[derive(Debug, clap::Args)]
#[command(about = "Say with the exit code whether a table answers", hide = true)]
pub(crate) struct Args {
    /// Where the table is
    #[arg(value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7313")]
    table: SocketAddr,
}

/// How long a healthy table takes at most.
const PATIENCE: Duration = Duration::from_secs(3);

/// Enough of an answer for its first line.
const ENOUGH: u64 = 64;

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let table = args.table;
    let mut stream =
        TcpStream::connect_timeout(&table, PATIENCE).with_context(|| format!("no table is at {table}"))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "GET / HTTP/1.1\r\nHost: {table}\r\nConnection: close\r\n\r\n"
    )
    .with_context(|| format!("{table} does not listen"))?;
    let mut answer = Vec::new();
    stream
        .take(ENOUGH)
        .read_to_end(&mut answer)
        .with_context(|| format!("{table} does not answer"))?;
    ensure!(
        is_well(&answer),
        "{table} answers “{}”",
        String::from_utf8_lossy(&answer)
            .lines()
            .next()
            .unwrap_or_default()
    );
    Ok(ExitCode::SUCCESS)
}

/// Whether the first line of an answer is that of a server that works. Who asks is nobody's guest, so the
/// table may send them elsewhere or away.
fn is_well(answer: &[u8]) -> bool {
    let status = answer.strip_prefix(b"HTTP/1.1 ");
    status.is_some_and(|status| matches!(status.first(), Some(b'2'..=b'4')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_well_if_it_answers_without_a_fault_of_its_own() {
        assert!(is_well(b"HTTP/1.1 200 OK\r\n"));
        assert!(is_well(b"HTTP/1.1 303 See Other\r\n"));
        assert!(is_well(b"HTTP/1.1 403 Forbidden\r\n"));
        assert!(!is_well(b"HTTP/1.1 500 Internal Server Error\r\n"));
        assert!(!is_well(b"SSH-2.0-OpenSSH\r\n"));
        assert!(!is_well(b""));
    }
}
