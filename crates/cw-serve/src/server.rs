//! Serves a hall on this machine, and to a network if whoever runs it wants that.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use axum::Router;
use cw_hall::free::FreeHost;
use cw_hall::host::{DuelHost, HostError};

use crate::runtime::TokioRuntime;
use crate::serve::{Door, serve};

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// There is no table.
    #[error(transparent)]
    Host(#[from] HostError),
    /// This machine is in no network.
    #[error("this machine has no address in a network; if it has one after all, name it: --host=ADDRESS")]
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

/// A hall behind HTTP.
pub trait Serve: Sized {
    /// The routes. What runs beside requests runs on the runtime around the first call.
    fn router(&self) -> Router;

    /// Serves on this machine until the program ends. `ready` is told the address.
    ///
    /// # Errors
    /// If the port cannot be had. Without a wish, the usual port is tried, then any.
    fn serve(self, port: Option<u16>, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError>;
}

impl Serve for DuelHost {
    fn router(&self) -> Router {
        if self.hall.tasks.run_on(Arc::new(TokioRuntime)) {
            for cell in self.hall.cells() {
                self.hall.settle(&cell);
            }
        }
        crate::routes::router(self)
    }

    fn serve(self, port: Option<u16>, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
        listen_somewhere(port, async move |listener, address| {
            *self.hall.own.write().unwrap_or_else(PoisonError::into_inner) = Some(address);
            if let Some(name) = self.hall.setting.reach.clone() {
                open_to_network(&self, &name).await?;
            }
            ready(address);
            let sweeper = self.clone();
            tokio::spawn(async move {
                loop {
                    tokio::time::sleep(SWEEP).await;
                    sweeper.sweep();
                }
            });
            serve(listener, self.router(), self.hall.setting.limits, Door::Own).await;
            Ok(())
        })
    }
}

impl Serve for FreeHost {
    fn router(&self) -> Router {
        crate::free::routes::router(self)
    }

    fn serve(self, port: Option<u16>, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
        listen_somewhere(port, async move |listener, address| {
            let limits = self.hall.setting.limits;
            if let Some(name) = &self.hall.setting.reach {
                let (listener, reach) = crate::reach::listen(name, address.port()).await?;
                self.is_reached_as(Some(reach));
                tokio::spawn(serve(listener, self.router(), limits, Door::Network));
            }
            ready(address);
            keep_watch(&self);
            serve(listener, self.router(), limits, Door::Own).await;
            Ok(())
        })
    }
}

/// Lets others in the network reach the tables, under one name. It stays so until the program ends.
pub(crate) async fn open_to_network(host: &DuelHost, name: &str) -> Result<(), ServeError> {
    let hall = &host.hall;
    if hall.reach().is_some() {
        return Ok(());
    }
    let own = *hall.own.read().unwrap_or_else(PoisonError::into_inner);
    let port = own.map_or(USUAL_PORT, |address| address.port());
    let (listener, reach) = crate::reach::listen(name, port).await?;
    *hall.reach.write().unwrap_or_else(PoisonError::into_inner) = Some(reach);
    tokio::spawn(serve(listener, host.router(), hall.setting.limits, Door::Network));
    Ok(())
}

/// Free tables of the same package, made when they are first wanted.
pub(crate) async fn free_tables(host: &DuelHost) -> Option<FreeHost> {
    let own = host.clone();
    let made = tokio::task::spawn_blocking(move || {
        let make = own.hall.setting.free.as_ref()?;
        let first = || {
            let free = make()?;
            // Tables whose links are known already; what cannot be read now is no reason against new ones.
            let _ = free.resume();
            keep_watch(&free);
            Some(free)
        };
        own.hall.free.get_or_init(first).clone()
    });
    let free = made.await.ok()??;
    free.is_reached_as(host.hall.reach());
    Some(free)
}

/// How often free tables are looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Looks after free tables as long as the program runs. Needs a runtime around it.
pub fn keep_watch(host: &FreeHost) {
    let host = host.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(LOOK).await;
            let own = host.clone();
            let _ = tokio::task::spawn_blocking(move || own.look()).await;
        }
    });
}

/// How often tables that nobody looks at are looked for.
const SWEEP: Duration = Duration::from_secs(60);

/// Listens on this machine and goes on with what is given. Without a wish, the usual port is tried, then any.
fn listen_somewhere(
    port: Option<u16>,
    go_on: impl AsyncFnOnce(tokio::net::TcpListener, SocketAddr) -> Result<(), ServeError>,
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|source| ServeError::Listen {
            address: local(port.unwrap_or(0)),
            source,
        })?;
    runtime.block_on(async {
        let listener = match port {
            Some(port) => listen(port).await,
            None => match listen(USUAL_PORT).await {
                Ok(listener) => Ok(listener),
                Err(_) => listen(0).await,
            },
        }?;
        let address = listener.local_addr().unwrap_or(local(port.unwrap_or(USUAL_PORT)));
        go_on(listener, address).await
    })
}

/// Where the table is if nobody else is there: so that a page finds it again after a restart.
const USUAL_PORT: u16 = 7313;

fn local(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

async fn listen(port: u16) -> Result<tokio::net::TcpListener, ServeError> {
    let address = local(port);
    let listening = tokio::net::TcpListener::bind(address).await;
    listening.map_err(|source| ServeError::Listen { address, source })
}
