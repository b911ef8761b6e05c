//! What the hall asks of whoever runs it: tasks beside each other, work that holds nobody up, and pauses.
//!
//! A server answers with its threads, a page in a browser with its own loop; tests may answer with nothing at
//! all.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_channel::oneshot;
use futures_lite::future;

/// A task that gives nothing back.
pub type RuntimeTask = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Runs what the hall wants done beside what it is asked for.
pub trait Runtime: Send + Sync {
    /// Runs a task beside everything else.
    fn spawn(&self, task: RuntimeTask);
    /// Does something that may take long where it holds nobody up.
    fn work(&self, job: Box<dyn FnOnce() + Send>);
    /// Is over after so much time.
    fn sleep(&self, time: Duration) -> RuntimeTask;
}

/// Work that panicked: what it would have given does not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the work ended before its time")]
pub struct LostWork;

/// The way to a runtime, once there is one. Until then nothing runs beside requests.
#[derive(Clone, Default)]
pub struct Tasks(Arc<OnceLock<Arc<dyn Runtime>>>);

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tasks").field(&self.0.get().is_some()).finish()
    }
}

impl Tasks {
    /// What tasks run on, if there is anything yet.
    pub fn runtime(&self) -> Option<Arc<dyn Runtime>> {
        self.0.get().cloned()
    }

    /// Tasks run on this runtime from now on; whether they had none before.
    pub fn run_on(&self, runtime: Arc<dyn Runtime>) -> bool {
        self.0.set(runtime).is_ok()
    }

    /// Runs a task beside everything else; it is dropped where there is no runtime.
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = self.0.get() {
            runtime.spawn(Box::pin(task));
        }
    }

    /// Does something that may take long where it holds nobody up, or at once where there is no runtime.
    ///
    /// # Errors
    /// If it panicked.
    pub async fn work<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, LostWork> {
        let Some(runtime) = self.0.get() else {
            return Ok(job());
        };
        let (sender, done) = oneshot::channel();
        runtime.work(Box::new(move || {
            // Nobody may want it any more.
            let _ = sender.send(job());
        }));
        done.await.map_err(|_| LostWork)
    }

    /// Is over after so much time; at once where there is no runtime.
    pub async fn sleep(&self, time: Duration) {
        if let Some(runtime) = self.0.get() {
            runtime.sleep(time).await;
        }
    }

    /// What a future gives, unless so much time passes before; without a runtime no time passes.
    pub async fn within<T>(&self, time: Duration, future: impl Future<Output = T>) -> Option<T> {
        if self.0.get().is_none() {
            return Some(future.await);
        }
        let late = async {
            self.sleep(time).await;
            None
        };
        future::or(async { Some(future.await) }, late).await
    }
}
