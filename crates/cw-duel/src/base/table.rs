//! A list of fixed capacity, inside the state.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

use crate::base::count::byte;

/// A value that fills unused places.
pub(crate) trait Blank: Copy {
    const BLANK: Self;
}

/// There is no place left. Whoever pushes says what happens then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// At most `N` items.
#[derive(Clone, Copy)]
pub(crate) struct FixedTable<T, const N: usize> {
    items: [T; N],
    len: u8,
}

impl<T: Blank, const N: usize> FixedTable<T, N> {
    pub const EMPTY: FixedTable<T, N> = FixedTable {
        items: [T::BLANK; N],
        len: 0,
    };

    pub fn push(&mut self, item: T) -> Result<(), Full> {
        let place = self.items.get_mut(usize::from(self.len)).ok_or(Full)?;
        *place = item;
        self.len += 1;
        Ok(())
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        let mut kept = 0;
        for index in 0..usize::from(self.len) {
            if keep(&self.items[index]) {
                self.items[kept] = self.items[index];
                kept += 1;
            }
        }
        self.len = byte(kept);
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl<T, const N: usize> Deref for FixedTable<T, N> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.items[..usize::from(self.len)]
    }
}

impl<T, const N: usize> DerefMut for FixedTable<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..usize::from(self.len)]
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for FixedTable<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: PartialEq, const N: usize> PartialEq for FixedTable<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Eq, const N: usize> Eq for FixedTable<T, N> {}

impl<T: Hash, const N: usize> Hash for FixedTable<T, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len());
        self.iter().for_each(|item| item.hash(state));
    }
}
