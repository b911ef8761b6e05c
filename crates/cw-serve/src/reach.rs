//! How others in the network reach the tables: nobody does, unless whoever runs the host wants it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs as _, UdpSocket};

use tokio::net::TcpListener;

use cw_hall::reach::NetworkReach;

use crate::fault::ServeError;

/// Listens under a name or an address of this machine, or where it finds itself in a network if that is
/// empty; at `port` if that is free, else at any.
pub(crate) async fn listen(wanted: &str, port: u16) -> Result<(TcpListener, NetworkReach), ServeError> {
    let name = match wanted {
        "" => address_in_network().ok_or(ServeError::NoNetwork)?.to_string(),
        wanted => wanted.trim_matches(['[', ']']).to_lowercase(),
    };
    let unusable = |why: String| ServeError::Name {
        name: name.clone(),
        why,
    };
    let found = (name.as_str(), port).to_socket_addrs();
    let address = found
        .map_err(|fault| unusable(fault.to_string()))?
        .next()
        .ok_or_else(|| unusable("it has no address".to_owned()))?;
    if address.ip().is_unspecified() {
        return Err(unusable(
            "it stands for every address and cannot be used in a link".to_owned(),
        ));
    }
    let listener = match TcpListener::bind(address).await {
        Ok(listener) => listener,
        Err(_) => {
            let any = SocketAddr::new(address.ip(), 0);
            let bound = TcpListener::bind(any).await;
            bound.map_err(|source| ServeError::Listen { address: any, source })?
        }
    };
    let port = listener.local_addr().map_or(port, |address| address.port());
    let name = match name.parse() {
        Ok(IpAddr::V6(address)) => format!("[{address}]"),
        Ok(IpAddr::V4(_)) | Err(_) => name,
    };
    Ok((listener, NetworkReach { name, port }))
}

/// The address that this machine has in its network.
fn address_in_network() -> Option<IpAddr> {
    // A datagram socket that is connected sends nothing: the system only says which way it would go.
    // The address is one of those set aside for documentation.
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback() && !address.is_unspecified()).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listened(name: &str) -> Result<NetworkReach, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let listening = runtime.expect("a runtime").block_on(listen(name, 0));
        listening
            .map(|(_, reach)| reach)
            .map_err(|fault| fault.to_string())
    }

    #[test]
    fn links_are_made_of_the_name_that_was_asked_for() {
        let reach = listened("127.0.0.1").unwrap();
        assert_eq!(reach.name(), "127.0.0.1");
        assert!(reach.origin().starts_with("http://127.0.0.1:") && !reach.origin().ends_with(":0"));
        assert_eq!(listened("LOCALHOST").unwrap().name(), "localhost");
    }

    #[test]
    fn what_can_be_no_link_is_refused() {
        for name in ["0.0.0.0", "[::]"] {
            let fault = listened(name).unwrap_err();
            assert!(fault.contains("every address"), "{fault}");
        }
        assert!(listened("no such name").is_err());
        assert!(listened("192.0.2.1").unwrap_err().contains("cannot listen"));
    }
}
