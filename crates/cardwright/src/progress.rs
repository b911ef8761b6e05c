//! How far long work is, on standard error where that is a terminal.

use std::cell::RefCell;
use std::io::IsTerminal as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use cw_lab::ProgressWatch;
use indicatif::{ProgressBar, ProgressStyle};

use crate::output;

/// What takes no longer shows nothing.
const MOMENT: Duration = Duration::from_millis(300);
/// Between two looks of what has no number.
const TURN: Duration = Duration::from_millis(120);

/// A bar that is there while this is.
pub(crate) struct WorkProgress {
    bar: OnceLock<ProgressBar>,
    began: Instant,
    done: AtomicU64,
    make: Box<dyn Fn() -> ProgressBar + Send + Sync>,
}

impl WorkProgress {
    /// For so many things: `what` is what happened to them, as “faces drawn”.
    pub(crate) fn of(most: u64, what: &'static str) -> WorkProgress {
        WorkProgress::made(Box::new(move || {
            let bar = ProgressBar::new(most);
            bar.with_style(style("{wide_bar} {pos}/{len} {msg}, {eta} left"))
                .with_message(what)
        }))
    }

    /// For bytes of which nobody knows how many come.
    pub(crate) fn of_bytes(what: &'static str) -> WorkProgress {
        WorkProgress::made(Box::new(move || {
            let bar = ProgressBar::new_spinner();
            bar.with_style(style("{spinner} {msg} {bytes}"))
                .with_message(what)
        }))
    }

    fn made(make: Box<dyn Fn() -> ProgressBar + Send + Sync>) -> WorkProgress {
        WorkProgress {
            bar: OnceLock::new(),
            began: Instant::now(),
            done: AtomicU64::new(0),
            make,
        }
    }

    /// So many more are done.
    pub(crate) fn add(&self, more: u64) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        if self.began.elapsed() > MOMENT {
            self.bar.get_or_init(&self.make).set_position(done);
        }
    }
}

impl Drop for WorkProgress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

/// Does work that prints nothing and cannot tell how far it is; `what` says what is going on, as “checking”.
pub(crate) fn busy<T>(what: &'static str, work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let (done, wait) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if wait.recv_timeout(MOMENT) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new_spinner();
            let bar = bar
                .with_style(style("{spinner} {msg}, {elapsed}"))
                .with_message(what);
            while wait.recv_timeout(TURN) == Err(RecvTimeoutError::Timeout) {
                bar.tick();
            }
            bar.finish_and_clear();
        });
        // Leaves with what the work gives, or with its panic.
        let _done = done;
        work()
    })
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_and_what_is_short_shows_no_bar() {
        assert_eq!(busy("thinking", || 7), 7);
        let progress = WorkProgress::of(10, "cards drawn");
        progress.add(4);
        progress.add(6);
        assert_eq!(progress.done.load(Ordering::Relaxed), 10);
        assert!(progress.bar.get().is_none());
    }
}

/// The terminal looks on while duels are played: a bar on standard error, where that is a terminal.
#[derive(Default)]
pub(crate) struct Terminal {
    bar: RefCell<Option<(ProgressBar, Instant)>>,
}

impl ProgressWatch for Terminal {
    fn begins(&self, most: u64) {
        let bar = ProgressBar::new(most).with_style(style(
            "{wide_bar} {pos}/{len} pairs, {per_sec}, {eta} left; {msg}",
        ));
        *self.bar.borrow_mut() = Some((bar, Instant::now()));
    }

    fn done(&self, done: u64, message: &dyn Fn() -> String) {
        if let Some((bar, began)) = &*self.bar.borrow()
            && began.elapsed() > MOMENT
            && !bar.is_hidden()
        {
            bar.set_message(message());
            bar.set_position(done);
        }
    }

    fn ends(&self) {
        if let Some((bar, _)) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn note(&self, text: &str) {
        output::note(text);
    }
}
