//! Why nothing is served.

use std::net::SocketAddr;

use cw_hall::hall::HostError;

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// There is no table.
    #[error(transparent)]
    Host(#[from] HostError),
    /// This machine is in no network.
    #[error("this machine seems to have no network address; if it has one, name it: --host=ADDRESS")]
    NoNetwork,
    /// A name under which nobody can reach this machine.
    #[error("the tables cannot be reached under “{name}”: {why}")]
    Name {
        /// The name.
        name: String,
        /// Why not.
        why: String,
    },
    /// No port can be had.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
}
