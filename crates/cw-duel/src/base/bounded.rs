//! A list with a limit, whose first items lie inside the state.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

use crate::base::count::byte;
use crate::base::table::{Blank, Full};

/// At most `LIMIT` items. As long as there are no more than `PLACES`, they lie inside and a copy
/// is one block of memory; otherwise all of them lie elsewhere.
pub(crate) struct Bounded<T, const PLACES: usize, const LIMIT: usize> {
    places: [T; PLACES],
    len: u8,
    /// All items, if they do not fit inside.
    #[expect(
        clippy::box_collection,
        reason = "eight bytes in each of eight lists, nearly always unused"
    )]
    spilled: Option<Box<Vec<T>>>,
}

impl<T: Blank, const PLACES: usize, const LIMIT: usize> Bounded<T, PLACES, LIMIT> {
    pub const EMPTY: Self = {
        assert!(PLACES <= u8::MAX as usize, "the length is one byte");
        Bounded {
            places: [T::BLANK; PLACES],
            len: 0,
            spilled: None,
        }
    };

    /// These items.
    pub fn from_slice(items: &[T]) -> Result<Self, Full> {
        let mut list = Self::EMPTY;
        list.extend_from_slice(items)?;
        Ok(list)
    }

    #[inline]
    pub fn push(&mut self, item: T) -> Result<(), Full> {
        let len = usize::from(self.len);
        if self.spilled.is_none() && len < PLACES.min(LIMIT) {
            self.places[len] = item;
            self.len += 1;
            return Ok(());
        }
        self.extend_from_slice(&[item])
    }

    pub fn extend_from_slice(&mut self, items: &[T]) -> Result<(), Full> {
        let len = self.len();
        let end = len + items.len();
        if end > LIMIT {
            return Err(Full);
        }
        match &mut self.spilled {
            None if end <= PLACES => {
                self.places[len..end].copy_from_slice(items);
                self.len = byte(end);
            }
            None => {
                let mut all = Vec::with_capacity(end.next_power_of_two());
                all.extend_from_slice(&self.places[..len]);
                all.extend_from_slice(items);
                self.spilled = Some(Box::new(all));
            }
            Some(all) => all.extend_from_slice(items),
        }
        Ok(())
    }

    pub fn insert(&mut self, index: usize, item: T) -> Result<(), Full> {
        self.push(item)?;
        let items = &mut self[index..];
        items.copy_within(..items.len() - 1, 1);
        items[0] = item;
        Ok(())
    }

    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        if let Some(all) = &mut self.spilled {
            return all.pop();
        }
        self.len = self.len.checked_sub(1)?;
        Some(self.places[usize::from(self.len)])
    }

    pub fn remove(&mut self, index: usize) -> T {
        let items = &mut self[index..];
        let item = items[0];
        items.copy_within(1.., 0);
        self.truncate(self.len() - 1);
        item
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.retain_mut(|item| keep(item));
    }

    /// As `retain`; the items that stay may be changed.
    pub fn retain_mut(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        let items = &mut self[..];
        let mut kept = 0;
        for index in 0..items.len() {
            if keep(&mut items[index]) {
                items[kept] = items[index];
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    pub fn truncate(&mut self, len: usize) {
        match &mut self.spilled {
            None if len < usize::from(self.len) => self.len = byte(len),
            None => {}
            Some(all) => all.truncate(len),
        }
    }

    pub fn clear(&mut self) {
        self.truncate(0);
    }

    pub fn is_spilled(&self) -> bool {
        self.spilled.is_some()
    }

    /// Bytes outside the state.
    pub fn spilled_bytes(&self) -> usize {
        let spilled = self.spilled.as_ref();
        spilled.map_or(0, |all| size_of::<Vec<T>>() + all.capacity() * size_of::<T>())
    }
}

impl<T: Blank, const PLACES: usize, const LIMIT: usize> Clone for Bounded<T, PLACES, LIMIT> {
    #[inline]
    fn clone(&self) -> Self {
        let Some(all) = &self.spilled else {
            return Bounded {
                places: self.places,
                len: self.len,
                spilled: None,
            };
        };
        Self::from_slice(all).expect("no more than there were")
    }
}

impl<T, const PLACES: usize, const LIMIT: usize> Deref for Bounded<T, PLACES, LIMIT> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        match &self.spilled {
            None => &self.places[..usize::from(self.len)],
            Some(all) => all,
        }
    }
}

impl<T, const PLACES: usize, const LIMIT: usize> DerefMut for Bounded<T, PLACES, LIMIT> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.spilled {
            None => &mut self.places[..usize::from(self.len)],
            Some(all) => all,
        }
    }
}

impl<T: fmt::Debug, const PLACES: usize, const LIMIT: usize> fmt::Debug for Bounded<T, PLACES, LIMIT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: PartialEq, const PLACES: usize, const LIMIT: usize> PartialEq for Bounded<T, PLACES, LIMIT> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Eq, const PLACES: usize, const LIMIT: usize> Eq for Bounded<T, PLACES, LIMIT> {}

impl<T: Hash, const PLACES: usize, const LIMIT: usize> Hash for Bounded<T, PLACES, LIMIT> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len());
        self.iter().for_each(|item| item.hash(state));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_as_many_as_its_limit_and_no_more() {
        let mut list: Bounded<u8, 2, 4> = Bounded::EMPTY;
        for item in 0..4 {
            list.push(item).unwrap();
        }
        assert_eq!(list.push(4), Err(Full));
        assert_eq!(list.insert(0, 4), Err(Full));
        assert_eq!(list.extend_from_slice(&[4]), Err(Full));
        assert!(Bounded::<u8, 2, 4>::from_slice(&[0; 5]).is_err());
        assert_eq!(list[..], [0, 1, 2, 3]);
        list.truncate(300);
        assert_eq!(list.len(), 4);
        assert!(list.spilled_bytes() >= 4);
        list.truncate(2);
        let copy = list.clone();
        assert_eq!((copy.spilled_bytes(), &copy[..]), (0, &[0, 1][..]));
        let mut inside = copy;
        inside.truncate(257);
        assert_eq!(inside[..], [0, 1]);
    }
}
