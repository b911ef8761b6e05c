//! The copy of a state as one block of memory, and the wish to have one at hand: the only `unsafe` of the
//! project.
//!
//! A field-wise clone of [`DuelState`] costs three times as much, because the compiler builds it on the
//! stack, field by field, and moves it to the heap (`cargo bench -p cw-load --bench duels`, `copy`
//! over `memcpy`). Who steps a thousand duels in turn waits for each of them: asking for those that come next
//! makes it 1 to 2 % faster (`python/benches/engine.py`).
#![expect(unsafe_code, reason = "a copy is most of what search does; see the benchmark")]

use crate::state::DuelState;

/// A copy of the state where it stays.
pub(crate) fn boxed(state: &DuelState) -> Box<DuelState> {
    if !is_plain(state) {
        return Box::new(state.clone());
    }
    let mut place = Box::<DuelState>::new_uninit();
    // SAFETY: both are valid for one `DuelState` and do not overlap. The state owns no memory outside
    // itself (`is_plain`), so its bytes are a value of their own wherever they lie.
    unsafe {
        std::ptr::copy_nonoverlapping(state, place.as_mut_ptr(), 1);
        place.assume_init()
    }
}

/// Overwrites a state with a copy of another one.
pub(crate) fn over(target: &mut DuelState, source: &DuelState) {
    if !is_plain(source) || !is_plain(target) {
        target.clone_from(source);
        return;
    }
    // SAFETY: as above; the target owns nothing that would have to be dropped.
    unsafe { std::ptr::copy_nonoverlapping(source, target, 1) }
}

/// Bytes of a state that are asked for: the cards and the piles, with which every step begins.
const FIRST: usize = 1024;

/// Asks the processor to have the beginning of the state at hand soon. Where it cannot be asked nothing
/// happens.
#[inline]
pub(crate) fn fetch(state: &DuelState) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = std::ptr::from_ref(state).cast::<i8>();
        const { assert!(FIRST <= size_of::<DuelState>()) };
        for at in (0..FIRST).step_by(64) {
            // SAFETY: a hint that reads nothing; besides, it points into the state.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(at)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (state, FIRST);
}

/// Whether the state owns no memory outside itself. Every field is named, so that a new one cannot
/// be forgotten; those with `_` are `Copy`.
fn is_plain(state: &DuelState) -> bool {
    let DuelState {
        cards,
        order,
        pile_len: _,
        players: _,
        rings: _,
        backups: _,
        table: _,
        united: _,
        blocks: _,
        fight: _,
        turn: _,
        phase: _,
        active: _,
        first: _,
        outcome: _,
        chance: _,
        free_actions: _,
        steps: _,
        depth: _,
        reply: _,
        register: _,
        tasks,
        frames,
        arena,
        listeners,
        serial: _,
        heard: _,
        changes,
        queue,
        decision,
    } = state;
    let spilled = cards.is_spilled()
        | order.is_spilled()
        | tasks.is_spilled()
        | frames.is_spilled()
        | arena.is_spilled()
        | listeners.is_spilled()
        | changes.is_spilled()
        | queue.is_spilled()
        | decision.options.spilled();
    !spilled
}
