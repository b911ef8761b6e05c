//! What every request must pass, and what every response carries.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};

use crate::connection::Connection;
use cw_hall::hall::{Host, Hosted};
use cw_hall::quota::HostLimits;
use cw_hall::reach::NetworkReach;
use cw_hall::runtime::Tasks;
use cw_pages::markup;
use cw_pages::package::MOST_PASTED;

/// Bytes of a form.
pub(crate) const MOST_BODY: usize = 4096;
/// Bytes of a form with a list of cards: each byte of the list is sent as up to three.
pub(crate) const MOST_WITH_DECK: usize = MOST_BODY + 3 * MOST_PASTED;
/// Bytes of what a seat of a free table asks for (F201).
pub(crate) const MOST_LINES: usize = 16 << 10;

/// Nothing from elsewhere, no inline script, no inline style, no frame around the table.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'self'; frame-ancestors 'none'";

/// Tests the request's host and origin, waits for its body, which must be small and arrive in time, and
/// adds the security headers to the response.
pub(crate) async fn guard<H: Hosted>(State(host): State<Host<H>>, request: Request, next: Next) -> Response {
    let hall = &host.hall;
    let reach = hall.reach();
    let name = reach.as_ref().map(NetworkReach::name);
    let headers = request.headers();
    let local = is_local(headers);
    let is_reach = name.is_some_and(|name| name.eq_ignore_ascii_case(named_host(headers)));
    let connection = request.extensions().get::<Arc<Connection>>();
    let from_network = connection.is_some_and(|connection| connection.is_of_network());
    let mut response = if !names_one_host(&request) {
        let words = "The request names several hosts.";
        (StatusCode::BAD_REQUEST, Html(markup::message("Refused", words))).into_response()
    } else if !is_reach && (from_network || !local) {
        refuse("This table answers only to the names it was opened with.")
    } else if !local && is_for_the_owner(request.uri().path()) {
        refuse(
            "Each seat has a link of its own: open the one that you were sent. \
             The front page is only for the person at the machine that runs the table.",
        )
    } else if request.method() == Method::POST && !is_own_form(headers) {
        refuse("That form came from another site.")
    } else {
        match with_body(&hall.tasks, request, hall.limits()).await {
            Ok(request) => next.run(request).await,
            Err((status, words)) => (status, Html(markup::message("Refused", words))).into_response(),
        }
    };
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    let headers = response.headers_mut();
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

/// The request with all of its body.
async fn with_body(
    tasks: &Tasks,
    request: Request,
    limits: &HostLimits,
) -> Result<Request, (StatusCode, &'static str)> {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path();
    let most = if path.starts_with("/f/") {
        MOST_LINES
    } else if takes_a_deck(path) {
        MOST_WITH_DECK
    } else {
        MOST_BODY
    };
    match tasks.within(limits.body, to_bytes(body, most)).await {
        Some(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Some(Err(_)) => Err((StatusCode::PAYLOAD_TOO_LARGE, "That form is too large.")),
        None => Err((StatusCode::REQUEST_TIMEOUT, "That form took too long to arrive.")),
    }
}

/// Whether a form that is sent there may hold a list of cards, or a link that carries something.
fn takes_a_deck(path: &str) -> bool {
    let whole = [
        "/front/new",
        "/front/invite",
        "/front/link",
        "/front/draft",
        "/cards/compare",
    ];
    let beginnings = ["/invite/", "/front/decks/", "/d/", "/front/dev/board/"];
    whole.contains(&path) || beginnings.iter().any(|start| path.starts_with(start))
}

fn refuse(words: &str) -> Response {
    let page = markup::message("Refused", words);
    (StatusCode::FORBIDDEN, Html(page)).into_response()
}

/// Whether all that a request says of its host is the same: whoever stands in between must not read another
/// name.
fn names_one_host(request: &Request) -> bool {
    let headers = request.headers();
    if headers.get_all(header::HOST).iter().count() > 1 {
        return false;
    }
    let said = text(headers, &header::HOST);
    let authority = request.uri().authority();
    authority.is_none_or(|authority| authority.as_str().eq_ignore_ascii_case(said))
}

/// The name under which a request came, without the port.
fn named_host(headers: &HeaderMap) -> &str {
    let host = text(headers, &header::HOST);
    let port = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    match host.rsplit_once(':') {
        Some((name, rest)) if port(rest) => name,
        _ => host,
    }
}

/// A foreign name that leads here must not reach the table (DNS rebinding).
fn is_local(headers: &HeaderMap) -> bool {
    let name = named_host(headers);
    ["127.0.0.1", "localhost", "[::1]"]
        .iter()
        .any(|own| own.eq_ignore_ascii_case(name))
}

/// What leads to seats by a cookie of whoever runs the host: nobody needs it in the network.
fn is_for_the_owner(path: &str) -> bool {
    path == "/" || path.starts_with("/front") || path.starts_with("/open/")
}

/// Whether a form was sent by one of our pages, as far as the browser tells.
fn is_own_form(headers: &HeaderMap) -> bool {
    let site = headers
        .get("sec-fetch-site")
        .and_then(|value| value.to_str().ok());
    if site.is_some_and(|site| site != "same-origin") {
        return false;
    }
    match text(headers, &header::ORIGIN) {
        "" => true,
        origin => {
            let host = origin.strip_prefix("http://");
            host.is_some_and(|host| host.eq_ignore_ascii_case(text(headers, &header::HOST)))
        }
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> &'a str {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("")
}

/// The token in the seat's cookie.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<&str> {
    named_cookie(headers, "seat=")
}

/// The value of the cookie with this name and `=`.
pub(crate) fn named_cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let mut pairs = cookies
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix(name))
}
