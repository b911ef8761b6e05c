//! Who asks: the table and the seat that an address and a cookie together stand for. Seats of every kind of
//! table are come to in the same way; [`SeatRoutes`] says where they lie, and with which words somebody is
//! sent away.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};

use crate::connection::Connection;
use crate::guard::cookie;
use cw_hall::hall::{Hall, HallTable, Host, Hosted, WakeError};
use cw_hall::quota::{Counted, Held, Quota};
use cw_hall::store::StoreError;
use cw_pages::markup;
use cw_pages::secret::Secret;

/// A kind of table whose seats have addresses.
pub(crate) trait SeatRoutes: Hosted {
    /// The path below which its seats lie.
    const SEATS: &'static str;

    /// The table cannot be woken.
    fn not_woken(scripted: bool, fault: WakeError) -> Response;
    /// The seat asks for more than there is.
    fn too_much(scripted: bool) -> Response;
}

/// Who asks. A handler that takes it is reached by nobody else.
pub(crate) struct Visitor<H: SeatRoutes> {
    pub(crate) hall: Arc<Hall<H>>,
    pub(crate) table: Arc<HallTable<H>>,
    pub(crate) seat: H::Looker,
    /// The seat's public name, in its address.
    pub(crate) name: String,
    /// Whether the page's script asks, not the browser itself.
    pub(crate) scripted: bool,
    /// The connection, where there is one.
    pub(crate) connection: Option<Arc<Connection>>,
}

impl<H: SeatRoutes> FromRequestParts<Host<H>> for Visitor<H> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, host: &Host<H>) -> Result<Visitor<H>, Response> {
        let path = Path::<BTreeMap<String, String>>::from_request_parts(parts, host).await;
        let Path(mut path) = path.map_err(IntoResponse::into_response)?;
        let name = path.remove("seat").ok_or_else(not_found)?;
        let scripted = parts.headers.contains_key("x-table");
        // A name follows from its secret: who cannot show it wakes nothing.
        let shown = Secret::read(cookie(&parts.headers).unwrap_or(""));
        let found = match shown.filter(|secret| secret.public() == name) {
            Some(_) => wake(host, &name)
                .await
                .map_err(|fault| H::not_woken(scripted, fault))?,
            None => None,
        };
        let Some((table, seat)) = found else {
            let words = "Open the link to your seat again: the program printed it when it started.";
            let page = markup::message("This seat is not yours", words);
            return Err((StatusCode::FORBIDDEN, Html(page)).into_response());
        };
        let quota = table.quota(seat);
        let connection = parts.extensions.get::<Arc<Connection>>().cloned();
        let limits = host.hall.limits();
        let has_room = connection.as_ref().is_none_or(|one| one.shows(quota, limits));
        if !has_room || !quota.take(1.0) || !quota.has_time() {
            return Err(H::too_much(scripted));
        }
        table.use_now();
        Ok(Visitor {
            hall: Arc::clone(&host.hall),
            table,
            seat,
            name,
            scripted,
            connection,
        })
    }
}

/// The table behind a seat's name. What has to be woken is woken where that holds nobody up.
pub(crate) async fn wake<H: Hosted>(
    host: &Host<H>,
    name: &str,
) -> Result<Option<(Arc<HallTable<H>>, H::Looker)>, WakeError> {
    if let Some(found) = host.hall.find(name) {
        return Ok(Some(found));
    }
    let (hall, name) = (Arc::clone(&host.hall), name.to_owned());
    let woken = host.hall.tasks.work(move || hall.wake(&name)).await;
    woken.unwrap_or_else(|lost| Err(StoreError::Failed(lost.to_string()).into()))
}

impl<H: SeatRoutes> Visitor<H> {
    pub(crate) fn quota(&self) -> &Arc<Quota> {
        self.table.quota(self.seat)
    }

    /// The address of the seat.
    pub(crate) fn address(&self) -> String {
        format!("{}{}/", H::SEATS, self.name)
    }

    /// What a form bears that was made for this seat and the decision of this number.
    pub(crate) fn stamp(&self, number: u64) -> String {
        self.table.secret(self.seat).stamp(number)
    }

    /// One more stream of the seat; `None` if there are too many.
    pub(crate) fn hold_stream(&self) -> Option<Held> {
        self.quota().hold(Counted::Stream, self.hall.limits().streams)
    }
}

/// Whoever shows the secret gets it as a cookie, and the address is clean again.
pub(crate) fn lead_to_seat<H: SeatRoutes>(host: &Host<H>, secret: &str) -> Response {
    let Some(secret) = Secret::read(secret).filter(|secret| host.hall.knows(&secret.public())) else {
        return not_found();
    };
    let way = format!("{}{}", H::SEATS, secret.public());
    let cookie = format!(
        "seat={}; Path={way}; HttpOnly; SameSite=Strict; Max-Age=2592000",
        secret.reveal()
    );
    let mut response = Redirect::to(&format!("{way}/")).into_response();
    let value = HeaderValue::from_str(&cookie).expect("a cookie of hexadecimal digits is a header");
    response.headers_mut().insert(header::SET_COOKIE, value);
    response
}

/// A ticket that leads nowhere any more.
pub(crate) fn used_up() -> Response {
    let words = "This link to the table has already been used, or is too old. \
                 Open the link that the program printed.";
    gone("This link no longer works", words)
}

/// Something that was there once.
pub(crate) fn gone(title: &str, words: &str) -> Response {
    (StatusCode::GONE, Html(markup::message(title, words))).into_response()
}

pub(crate) fn not_found() -> Response {
    let page = markup::message("Nothing here", "There is no page at this address.");
    (StatusCode::NOT_FOUND, Html(page)).into_response()
}
