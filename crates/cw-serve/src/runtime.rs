//! The hall's runtime: that of the server.

use std::time::Duration;

use cw_hall::runtime::{Runtime, RuntimeTask};
use tokio::runtime::Handle;

/// Runs tasks on the runtime around each call, and work on threads of its own.
#[derive(Debug)]
pub(crate) struct TokioRuntime;

impl Runtime for TokioRuntime {
    fn spawn(&self, task: RuntimeTask) {
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(task);
        }
    }

    fn work(&self, job: Box<dyn FnOnce() + Send>) {
        match Handle::try_current() {
            Ok(runtime) => {
                runtime.spawn_blocking(job);
            }
            Err(_) => job(),
        }
    }

    fn sleep(&self, time: Duration) -> RuntimeTask {
        Box::pin(tokio::time::sleep(time))
    }
}
