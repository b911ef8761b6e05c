//! The values of a running program's variables, as bytes of the arena (D43, D103): a tag, then what belongs
//! to it.

pub(crate) const UNDEFINED: u8 = 0;
pub(crate) const BOOL: u8 = 1;
pub(crate) const INT: u8 = 2;
pub(crate) const OBJECT: u8 = 3;
pub(crate) const LIST: u8 = 4;
pub(crate) const TEXT: u8 = 5;
pub(crate) const MIXED: u8 = 6;
/// The eight bytes of a float, so that it is equal on every platform.
pub(crate) const FLOAT: u8 = 7;

/// The bytes of the value that begins here.
pub(crate) fn encoded_len(bytes: &[u8]) -> Option<usize> {
    Some(match *bytes.first()? {
        BOOL | OBJECT => 2,
        INT | FLOAT => 9,
        LIST | TEXT => 2 + usize::from(*bytes.get(1)?),
        MIXED => 3 + usize::from(u16::from_le_bytes([*bytes.get(1)?, *bytes.get(2)?])),
        _ => 1,
    })
}

/// Calls with each card and player that encoded variables hold.
pub(crate) fn variable_objects(mut bytes: &mut [u8], mut object: impl FnMut(&mut u8)) {
    while let Some(len) = encoded_len(bytes) {
        let (one, rest) = bytes.split_at_mut(len.min(bytes.len()));
        match one[0] {
            OBJECT => one[1..].iter_mut().for_each(&mut object),
            LIST => one[2..].iter_mut().for_each(&mut object),
            MIXED => variable_objects(&mut one[3..], &mut object as &mut dyn FnMut(&mut u8)),
            _ => {}
        }
        bytes = rest;
    }
}
