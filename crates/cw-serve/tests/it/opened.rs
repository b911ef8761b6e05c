//! Stores that are opened again.

use std::path::Path;
use std::time::Duration;

use cw_serve::{Sqlite, StoreError};

/// Opens a store once nobody holds it any more: a computer that still thinks, or a process that is being
/// started, may hold it a little longer than the host that was dropped.
pub(crate) async fn opened(path: &Path) -> Sqlite {
    for _ in 0..1000 {
        match Sqlite::open(path) {
            Err(StoreError::InUse(_)) => tokio::time::sleep(Duration::from_millis(10)).await,
            store => return store.unwrap(),
        }
    }
    panic!("{} is in use for ever", path.display());
}
