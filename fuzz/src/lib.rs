//! What all targets share.

/// Work that is done in parallel elsewhere is done on the thread that libFuzzer watches.
pub fn stay_on_this_thread() {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    threads.build_global().expect("nothing was done in parallel yet");
}
