//! Locks that outlive a panic: what they guard is changed as a whole or not at all.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The value behind a lock, also after somebody who held it panicked.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
