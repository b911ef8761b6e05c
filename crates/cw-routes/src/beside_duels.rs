//! Free tables beside duels: they are made when they are first wanted, and looked after.

use cw_hall::duels::DuelHost;
use cw_hall::free::FreeHost;
use cw_hall::hall::{Host, Hosted};

/// Free tables of the same package, made when they are first wanted.
pub(crate) async fn free_tables_of(host: &DuelHost) -> Option<FreeHost> {
    let (own, tasks) = (host.clone(), host.hall.tasks.clone());
    let made = host.hall.tasks.work(move || {
        let make = own.hall.setting.free.as_ref()?;
        let first = || {
            let free = make()?;
            if let Some(runtime) = tasks.runtime() {
                free.run_on(runtime);
            }
            // Tables whose links are known already; what cannot be read now is no reason against new ones.
            let _ = free.resume();
            watch(&free);
            Some(free)
        };
        own.hall.free.get_or_init(first).clone()
    });
    let free = made.await.ok()??;
    free.is_reached_as(host.hall.reach());
    Some(free)
}

/// Looks after tables for as long as their runtime runs tasks.
pub fn watch<H: Hosted>(host: &Host<H>) {
    let (host, tasks) = (host.clone(), host.hall.tasks.clone());
    host.hall.tasks.clone().spawn(async move {
        loop {
            tasks.sleep(H::LOOK).await;
            let own = host.clone();
            // A look that fails is tried again after the next pause.
            let _ = tasks.work(move || own.look()).await;
        }
    });
}
