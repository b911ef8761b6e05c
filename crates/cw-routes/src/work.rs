//! Work that may take long: where it holds nobody up, one piece at a time for each seat, with a deadline.

use std::sync::Arc;

use cw_hall::quota::{Counted, HostLimits, Quota};
use cw_hall::runtime::Tasks;
use cw_pages::table::Refused;

/// Requests that a table costs which a seat opens.
pub(crate) const PRICE_OF_A_TABLE: f64 = 25.0;

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
