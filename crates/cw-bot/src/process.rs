//! A process that is talked to in lines, with limits on everything it can do to us.
//!
//! It leads a process group (a job object on Windows): what it started ends with it. Signals of the terminal
//! do not reach such a group, so a program that is interrupted ends its bots itself, by [`end_all`].

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use crate::command::Command;

/// Bytes of standard error that are kept.
const KEPT: usize = 4096;
/// Lines that wait to be read; a program that writes more has to wait.
const WAITING: usize = 16;
/// How long who waits for a bot is held after [`end_all`].
const ENDING: Duration = Duration::from_secs(5);

/// What came from a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Received {
    Line(String),
    /// A line longer than the limit; nothing is read after it.
    TooLong,
    /// The output has ended.
    Gone,
    /// Nothing in time.
    Late,
}

/// A program and all that it started.
type BotProcesses = Arc<Member>;

/// The program, for who ends it.
type Member = Mutex<Box<dyn ChildWrapper>>;

/// The groups that run, for [`end_all`]; nothing once it was called. It is locked while a group is begun: a
/// group that runs and is not yet in the list would go on after everybody.
static RUNNING: Mutex<Option<Vec<Weak<Member>>>> = Mutex::new(Some(Vec::new()));

fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends every bot that runs in this process, with all that they started.
///
/// For a program that is interrupted: nothing is dropped then, and the terminal's signal does not reach the
/// bots. No bot begins after it, and who waits for one's line waits until the process is gone (five seconds
/// at most): that a bot ended here is no loss of its duel, and must not be written down as one.
pub fn end_all() {
    let groups = locked(&RUNNING).take().unwrap_or_default();
    for group in groups.into_iter().filter_map(|group| group.upgrade()) {
        let _ = locked(&group).start_kill();
    }
}

/// A running program. It is ended when this is dropped.
#[derive(Debug)]
pub(crate) struct Process {
    child: BotProcesses,
    /// Lines are written by a thread of its own: who does not read cannot hold us up.
    input: Option<Sender<String>>,
    output: Receiver<Received>,
    errors: Arc<Mutex<Vec<u8>>>,
}

impl Process {
    pub(crate) fn start(command: &Command, longest: usize) -> io::Result<Process> {
        let mut program = command.build();
        program
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut program = CommandWrap::from(program);
        #[cfg(unix)]
        program.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        program.wrap(process_wrap::std::JobObject);
        let mut running = locked(&RUNNING);
        let Some(groups) = running.as_mut() else {
            drop(running);
            thread::sleep(ENDING);
            return Err(io::Error::other("this program is being ended"));
        };
        let mut child = program.spawn()?;
        let (input, lines) = mpsc::channel();
        let (sender, output) = mpsc::sync_channel(WAITING);
        let errors = Arc::default();
        if let Some(stdin) = child.stdin().take() {
            thread::spawn(move || write_lines(stdin, &lines));
        }
        if let Some(stdout) = child.stdout().take() {
            thread::spawn(move || read_lines(stdout, longest, &sender));
        }
        if let Some(stderr) = child.stderr().take() {
            let errors = Arc::clone(&errors);
            thread::spawn(move || drain(stderr, &errors));
        }
        let child = Arc::new(Mutex::new(child));
        groups.retain(|group| group.strong_count() > 0);
        groups.push(Arc::downgrade(&child));
        Ok(Process {
            child,
            input: Some(input),
            output,
            errors,
        })
    }

    /// Sends a line. A program that is gone shows when it is read from.
    pub(crate) fn send(&self, line: String) {
        if let Some(input) = &self.input {
            let _ = input.send(line);
        }
    }

    pub(crate) fn receive(&self, until: Instant) -> Received {
        let left = until.saturating_duration_since(Instant::now());
        let received = match self.output.recv_timeout(left) {
            Ok(received) => received,
            Err(RecvTimeoutError::Timeout) => Received::Late,
            Err(RecvTimeoutError::Disconnected) => Received::Gone,
        };
        if received == Received::Gone && locked(&RUNNING).is_none() {
            thread::sleep(ENDING);
        }
        received
    }

    /// The beginning of what it wrote to standard error.
    pub(crate) fn errors(&self) -> String {
        let errors = locked(&self.errors);
        String::from_utf8_lossy(&errors).trim().to_owned()
    }

    /// Closes its input and waits; whether it has ended by itself in time.
    pub(crate) fn ends_within(&mut self, time: Duration) -> bool {
        self.input = None;
        let until = Instant::now() + time;
        while Instant::now() < until {
            if matches!(locked(&self.child).try_wait(), Ok(Some(_))) {
                return true;
            }
            // What it still writes must not hold it up.
            while self.output.try_recv().is_ok() {}
            thread::sleep(Duration::from_millis(2));
        }
        false
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The whole group, also where the program itself has ended.
        let _ = locked(&self.child).kill();
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        let written = stdin
            .write_all(line.as_bytes())
            .and_then(|()| stdin.write_all(b"\n"));
        if written.and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, longest: usize, sender: &SyncSender<Received>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let limited = (&mut reader)
            .take(longest as u64 + 1)
            .read_until(b'\n', &mut line);
        let received = match limited {
            Ok(0) | Err(_) => Received::Gone,
            Ok(_) if line.last() != Some(&b'\n') && line.len() > longest => Received::TooLong,
            Ok(_) => Received::Line(String::from_utf8_lossy(&line).trim().to_owned()),
        };
        let is_last = !matches!(received, Received::Line(_));
        if sender.send(received).is_err() || is_last {
            return;
        }
    }
}

fn drain(mut stderr: ChildStderr, errors: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 4096];
    while let Ok(read @ 1..) = stderr.read(&mut chunk) {
        let mut errors = locked(errors);
        let room = KEPT.saturating_sub(errors.len());
        errors.extend_from_slice(&chunk[..read.min(room)]);
    }
}
