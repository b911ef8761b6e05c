//! Locks that outlive a panic: what they guard is changed as a whole or not at all.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// The value behind a lock, also after somebody who held it panicked.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// As [`locked`], if nobody holds it now.
pub(crate) fn locked_now<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(guard)) => Some(guard.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
