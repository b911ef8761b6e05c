//! Ways that lead to seats of duels, to moments of them, to the front page, and back to where somebody came
//! from.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Redirect, Response};

use crate::visitor::lead_to_seat;
use cw_hall::duels::DuelHost;
use cw_pages::secret::Secret;
use cw_run::RunSeed;

/// Where the rest of a way behind `/join/` leads: to a seat, or to a moment of its duel.
pub(crate) fn lead_along(host: &DuelHost, way: &str) -> Response {
    let moment = way.split_once("/moment/");
    match moment.and_then(|(secret, step)| Some((secret, step.parse().ok()?))) {
        Some((secret, step)) => lead_to_moment(host, secret, step),
        None => lead_to_duel(host, way),
    }
}

/// As [`lead_to_duel`], to a moment of the duel.
pub(crate) fn lead_to_moment(host: &DuelHost, secret: &str, step: usize) -> Response {
    let mut response = lead_to_duel(host, secret);
    let name = Secret::read(secret).map(|secret| secret.public());
    if let Some(name) = name.filter(|_| response.status().is_redirection())
        && let Ok(way) = HeaderValue::from_str(&format!("/s/{name}/moment/{step}"))
    {
        response.headers_mut().insert(header::LOCATION, way);
    }
    response
}

/// Leads to a seat; whoever runs the host can go from there to the front page.
pub(crate) fn lead_to_duel(host: &DuelHost, secret: &str) -> Response {
    let mut response = lead_to_seat(host, secret);
    let name = Secret::read(secret).map(|secret| secret.public());
    if name.is_some_and(|name| host.hall.is_the_hosts(&name)) {
        response
            .headers_mut()
            .append(header::SET_COOKIE, home_cookie(host));
    }
    response
}

/// Gives the browser the cookie of the front page.
pub(crate) fn lead_home(host: &DuelHost) -> Response {
    let mut response = Redirect::to("/front/").into_response();
    response
        .headers_mut()
        .insert(header::SET_COOKIE, home_cookie(host));
    response
}

/// As [`lead_home`], to a run of whoever runs the host.
pub(crate) fn lead_to_run(host: &DuelHost, seed: RunSeed) -> Response {
    let mut response = lead_home(host);
    if let Ok(way) = HeaderValue::from_str(&format!("/front/run/{seed}")) {
        response.headers_mut().insert(header::LOCATION, way);
    }
    response
}

fn home_cookie(host: &DuelHost) -> HeaderValue {
    let cookie = format!(
        "home={}; Path=/front; HttpOnly; SameSite=Strict; Max-Age=2592000",
        host.hall.home.reveal()
    );
    HeaderValue::from_str(&cookie).expect("a cookie of hexadecimal digits is a header")
}

/// Whether it is an address to which *Home* may lead back: a seat's own page, or an invitation.
pub(crate) fn is_own_way(way: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'/';
    (way.starts_with("/s/") || way.starts_with("/invite/")) && way.bytes().all(plain)
}

/// The browser remembers from where it went to a lesson or an earlier moment.
pub(crate) fn come_from(mut response: Response, way: &str) -> Response {
    let cookie = format!("came={way}; Path=/s; HttpOnly; SameSite=Strict; Max-Age=2592000");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}
