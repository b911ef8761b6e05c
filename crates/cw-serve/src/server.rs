//! Serves a hall on this machine, and to a network if whoever runs it wants that.

use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use cw_hall::duels::DuelHost;
use cw_hall::free::FreeHost;
use cw_routes::connection::Door;

use crate::fault::ServeError;
use crate::runtime::TokioRuntime;
use crate::serve::serve;

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
        if self.run_on(Arc::new(TokioRuntime)) {
            let open = |host: DuelHost| -> Pin<Box<dyn Future<Output = _> + Send>> {
                Box::pin(async move {
                    let name = host.hall.setting.reach.clone().unwrap_or_default();
                    let opened = open_to_network(&host, &name).await;
                    opened.map_err(|fault| fault.to_string())
                })
            };
            // It is the first: tasks run on a runtime only from now on.
            let _ = self.hall.network.set(Box::new(open));
        }
        cw_routes::duels(self)
    }

    fn serve(self, port: Option<u16>, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
        listen_somewhere(port, async move |listener, address| {
            // It is served once.
            let _ = self.hall.own.set(address);
            if let Some(name) = self.hall.setting.reach.clone() {
                open_to_network(&self, &name).await?;
            }
            ready(address);
            let router = self.router();
            cw_routes::watch(&self);
            serve(listener, router, self.hall.setting.limits, Door::Own).await;
            Ok(())
        })
    }
}

impl Serve for FreeHost {
    fn router(&self) -> Router {
        self.run_on(Arc::new(TokioRuntime));
        cw_routes::free_tables(self)
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
            let router = self.router();
            cw_routes::watch(&self);
            serve(listener, router, limits, Door::Own).await;
            Ok(())
        })
    }
}

/// Lets others in the network reach the tables, under one name. It stays so until the program ends.
async fn open_to_network(host: &DuelHost, name: &str) -> Result<(), ServeError> {
    let hall = &host.hall;
    if hall.reach().is_some() {
        return Ok(());
    }
    let port = hall.own.get().map_or(USUAL_PORT, SocketAddr::port);
    let (listener, reach) = crate::reach::listen(name, port).await?;
    host.is_reached_as(Some(reach));
    tokio::spawn(serve(listener, host.router(), hall.setting.limits, Door::Network));
    Ok(())
}

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
