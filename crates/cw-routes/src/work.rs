//! Work that may take long: where it holds nobody up, one piece at a time for each seat, with a deadline.

use std::sync::Arc;

use async_lock::Semaphore;
use cw_hall::quota::{Counted, HostLimits, Quota};
use cw_hall::runtime::Tasks;
use cw_pages::table::Refused;

/// Does something for a seat when its turn comes. What takes too long goes on alone: only this seat
/// waits for it.
pub(crate) async fn work<T: Send + 'static>(
    tasks: &Tasks,
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
        let done = tasks.work(move || {
            let done = job();
            drop(turn);
            done
        });
        // A job that panics has changed nothing: what it made was a copy.
        done.await.map_err(|_| Refused::TooLong)
    };
    let done = tasks.within(limits.work, done).await;
    drop(waiting);
    done.ok_or(Refused::TooLong)?
}

/// Does something for nobody in particular, a few at a time.
pub(crate) async fn off_hand<T: Send + 'static>(
    tasks: &Tasks,
    drawing: &Arc<Semaphore>,
    job: impl FnOnce() -> Option<T> + Send + 'static,
) -> Option<T> {
    let permit = drawing.acquire_arc().await;
    let done = tasks.work(move || {
        let done = job();
        drop(permit);
        done
    });
    done.await.ok()?
}
