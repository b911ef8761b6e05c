//! Work that may take long: on threads of its own, one piece at a time for each seat, with a deadline.

use std::sync::Arc;

use cw_hall::quota::{Counted, HostLimits, Quota};
use cw_pages::table::Refused;

/// Does something for a seat when its turn comes. What takes too long goes on alone: only this seat
/// waits for it.
pub(crate) async fn work<T: Send + 'static>(
    quota: &Arc<Quota>,
    limits: &HostLimits,
    job: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refused> {
    let waiting = quota
        .hold(Counted::Waiting, limits.waiting)
        .ok_or(Refused::Busy)?;
    let turn = quota.turn.acquire_arc();
    let done = async {
        let turn = turn.await;
        let done = tokio::task::spawn_blocking(move || {
            let done = job();
            drop(turn);
            done
        });
        // A job that panics has changed nothing: what it made was a copy.
        done.await.map_err(|_| Refused::TooLong)
    };
    let done = tokio::time::timeout(limits.work, done).await;
    drop(waiting);
    done.map_err(|_| Refused::TooLong)?
}
