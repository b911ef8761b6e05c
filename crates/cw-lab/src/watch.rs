//! Who looks on.

/// Somebody who is told how far work is, and may end it. It is asked on the thread that began the work.
pub trait ProgressWatch {
    /// Work of so many pieces begins.
    fn begins(&self, _most: u64) {}

    /// So many are done; `message` says what came of them.
    fn done(&self, _done: u64, _message: &dyn Fn() -> String) {}

    /// It is over, in whatever way.
    fn ends(&self) {}

    /// Something that people should know.
    fn note(&self, _text: &str) {}

    /// Whether to go on; asked several times a second.
    ///
    /// # Errors
    /// What ends the work: it is what the work comes to.
    fn goes_on(&self) -> anyhow::Result<()> {
        Ok(())
    }
}

/// Nobody looks on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl ProgressWatch for Nobody {}
