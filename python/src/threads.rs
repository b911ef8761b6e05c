//! Threads that end with the call that needs them.
//!
//! A pool that outlives a call is copied without its threads when the process forks (as `multiprocessing`
//! does), and the child then waits for ever. So no call uses the pool of the whole process.

use std::num::NonZeroUsize;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How often Python is asked for signals while a thread works.
const SIGNALS: Duration = Duration::from_millis(50);

/// Runs work without the interpreter's lock on a pool of its own, one thread for each core.
///
/// # Errors
/// What the work fails with, or `OSError` where no threads can be had.
pub(crate) fn on_own_threads<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    py.detach(|| pool_of(cores)?.install(work))
}

/// Makes a pool of this many threads.
///
/// # Errors
/// `OSError` where no threads can be had.
pub(crate) fn pool_of(threads: usize) -> PyResult<ThreadPool> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| pyo3::exceptions::PyOSError::new_err(error.to_string()))
}

/// A pool that is made again in a child of the process: threads do not survive a fork.
pub(crate) struct ForkedPool {
    threads: usize,
    process: u32,
    pool: ThreadPool,
}

impl ForkedPool {
    /// Makes a pool of this many threads.
    ///
    /// # Errors
    /// `OSError` where no threads can be had.
    pub(crate) fn new(threads: usize) -> PyResult<ForkedPool> {
        Ok(ForkedPool {
            threads,
            process: std::process::id(),
            pool: pool_of(threads)?,
        })
    }

    /// The pool, with threads of this process.
    ///
    /// # Errors
    /// `OSError` where no threads can be had.
    pub(crate) fn get(&mut self) -> PyResult<&ThreadPool> {
        if self.process != std::process::id() {
            let old = std::mem::replace(&mut self.pool, pool_of(self.threads)?);
            // Its threads are the parent's: to drop it would be to wait for them.
            std::mem::forget(old);
            self.process = std::process::id();
        }
        Ok(&self.pool)
    }
}

/// Runs work on a thread of its own and asks Python for signals meanwhile. When a handler raises, the call
/// ends with that; the thread finishes by itself, and nobody hears of it.
///
/// # Errors
/// What a signal's handler raised, or `OSError` where no thread can be had.
pub(crate) fn while_signals_are_heard<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (send, receive) = channel();
    let worker = std::thread::Builder::new().spawn(move || {
        // If nobody waits any more, the answer is dropped.
        drop(send.send(work()));
    })?;
    let mut waiting = receive;
    loop {
        let answer;
        (answer, waiting) = py.detach(move || (waiting.recv_timeout(SIGNALS), waiting));
        match answer {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Ok(()) => unreachable!("a thread that ends well has sent its answer"),
                Err(panic) => std::panic::resume_unwind(panic),
            },
        }
    }
}
