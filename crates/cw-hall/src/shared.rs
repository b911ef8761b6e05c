//! What all tables of a host share and what changes while they are played at: the package, and a notice of
//! whoever works on it.

use std::sync::{Arc, Mutex};

use cw_pages::notice::{WorkNotice, WorkScenario};
use cw_pages::package::DuelPackage;

use crate::lock::locked;

/// The package of all tables. It is exchanged as a whole, and never changed in place.
#[derive(Debug)]
pub struct SharedPackage(Mutex<Arc<DuelPackage>>);

impl SharedPackage {
    /// The package as it is now.
    pub fn now(&self) -> Arc<DuelPackage> {
        Arc::clone(&locked(&self.0))
    }

    /// The package, to be filled before anybody uses it.
    pub fn get_mut(&mut self) -> &mut DuelPackage {
        let package = self
            .0
            .get_mut()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        Arc::make_mut(package)
    }

    /// Another package from now on.
    pub(crate) fn replace(&self, package: DuelPackage) {
        *locked(&self.0) = Arc::new(package);
    }
}

impl From<DuelPackage> for SharedPackage {
    fn from(package: DuelPackage) -> SharedPackage {
        SharedPackage(Mutex::new(Arc::new(package)))
    }
}

/// Somebody who works on the package: what its page asks for.
pub trait Workbench: Send + Sync {
    /// Every table begins again with the files as they are.
    ///
    /// # Errors
    /// Words, if the files have errors.
    fn begin_again(&self) -> Result<(), String>;
    /// The scenarios that the card with this id is in, as they last ran.
    fn scenarios_of(&self, card: &str) -> Vec<WorkScenario>;
    /// Keeps a scenario in a file of its own, named after it; what the file is called.
    ///
    /// # Errors
    /// Words, if there is such a file already, or it cannot be written.
    fn keep_scenario(&self, name: &str, text: &str) -> Result<String, String>;
}

/// A notice that stands on the page of every seat.
#[derive(Debug, Default)]
pub struct NoticeBoard(Mutex<Option<Arc<WorkNotice>>>);

impl NoticeBoard {
    /// What stands there now.
    pub fn now(&self) -> Option<Arc<WorkNotice>> {
        locked(&self.0).clone()
    }

    /// Another notice from now on.
    pub(crate) fn show(&self, notice: WorkNotice) {
        *locked(&self.0) = Some(Arc::new(notice));
    }
}
