//! Wakes whoever waits for news, on any runtime.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use event_listener::Event;

/// Says that something has changed. What has changed, listeners find out themselves: a bell that rings twice
/// before somebody listens is heard once.
#[derive(Debug, Default)]
pub struct Bell {
    rung: AtomicU64,
    event: Event,
}

impl Bell {
    /// Wakes all who listen.
    pub fn ring(&self) {
        self.rung.fetch_add(1, Ordering::AcqRel);
        self.event.notify(usize::MAX);
    }

    /// Listens from now on.
    pub fn listen(self: &Arc<Bell>) -> BellListener {
        BellListener {
            heard: self.rung.load(Ordering::Acquire),
            bell: Arc::clone(self),
        }
    }
}

/// Somebody who listens to a bell.
#[derive(Debug)]
pub struct BellListener {
    bell: Arc<Bell>,
    heard: u64,
}

impl BellListener {
    /// Waits until the bell has rung since it was last heard. Nothing is lost if the wait is given up.
    pub async fn rung(&mut self) {
        loop {
            // Listening comes first: a bell that rings between the look and the wait is heard.
            let next = self.bell.event.listen();
            if self.has_rung() {
                self.mark_heard();
                return;
            }
            next.await;
        }
    }

    /// Whether the bell has rung since it was last heard.
    pub(crate) fn has_rung(&self) -> bool {
        self.bell.rung.load(Ordering::Acquire) != self.heard
    }

    /// Takes the bell for heard.
    pub fn mark_heard(&mut self) {
        self.heard = self.bell.rung.load(Ordering::Acquire);
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::sync::Arc;
    use std::task::{Context, Waker};

    use super::Bell;

    /// Whether a wait is over at once.
    fn is_over(wait: impl Future<Output = ()>) -> bool {
        pin!(wait)
            .poll(&mut Context::from_waker(Waker::noop()))
            .is_ready()
    }

    #[test]
    fn a_bell_that_rang_before_somebody_waits_is_heard_once() {
        let bell = Arc::new(Bell::default());
        let mut listener = bell.listen();
        assert!(!is_over(listener.rung()));
        bell.ring();
        bell.ring();
        assert!(is_over(listener.rung()));
        assert!(!is_over(listener.rung()), "twice is heard once");
        bell.ring();
        listener.mark_heard();
        assert!(!listener.has_rung());
    }
}
