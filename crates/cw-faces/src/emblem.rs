//! A crest for every card: two or three large shapes, chosen by the card's id, symmetric about the
//! upright axis, so that a card is recognised before its name is read.

use maud::{Markup, html};

use crate::inks::Inks;

/// Draws the emblem of the card with this id around (0, 0), within a radius of 100.
pub fn emblem(id: &str, inks: Inks) -> Markup {
    let hash = blake3::hash(id.as_bytes());
    let dice = hash.as_bytes();
    html! {
        (ground(dice[0], dice[1], inks))
        (charge(dice[2], dice[3], inks))
        (heart(dice[4], dice[5], inks))
    }
}

/// A corner of a regular figure, from the top, clockwise.
fn corner(of: u32, at: u32, radius: f64) -> (f64, f64) {
    let turn = std::f64::consts::TAU * f64::from(at) / f64::from(of);
    (radius * turn.sin(), -radius * turn.cos())
}

fn points(corners: impl Iterator<Item = (f64, f64)>) -> String {
    let corners: Vec<String> = corners.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    corners.join(" ")
}

fn star(of: u32, outer: f64, inner: f64) -> String {
    points((0..of * 2).map(|at| corner(of * 2, at, if at % 2 == 0 { outer } else { inner })))
}

fn regular(of: u32, radius: f64) -> String {
    points((0..of).map(|at| corner(of, at, radius)))
}

/// The large shape behind: in the middle ink.
fn ground(kind: u8, detail: u8, inks: Inks) -> Markup {
    let fill = inks.middle;
    let rays = 8 + 2 * u32::from(detail % 4);
    html! {
        @match kind % 8 {
            0 => circle r="96" fill=(fill) {},
            1 => polygon points=(regular(6, 100.0)) fill=(fill) {},
            2 => polygon points=(star(rays, 100.0, 74.0)) fill=(fill) {},
            3 => path d="M-84-84H84V10C84 62 40 88 0 100C-40 88-84 62-84 10Z" fill=(fill) {},
            4 => polygon points="0,-100 86,0 0,100 -86,0" fill=(fill) {},
            5 => path d="M-80 96V-6A80 86 0 0 1 80-6V96Z" fill=(fill) {},
            6 => polygon points=(regular(8, 100.0)) fill=(fill) {},
            _ => {
                @for at in 0..rays {
                    @let (x, y) = corner(rays, at, 100.0);
                    line x1="0" y1="0" x2=(format!("{x:.1}")) y2=(format!("{y:.1}"))
                        stroke=(fill) stroke-width="17" {}
                }
            }
        }
    }
}

/// The figure on it: in the bright ink.
fn charge(kind: u8, detail: u8, inks: Inks) -> Markup {
    let ink = inks.bright;
    let count = 3 + u32::from(detail % 4);
    html! {
        @match kind % 9 {
            0 => circle r="62" fill="none" stroke=(ink) stroke-width="18" {},
            1 => g fill="none" stroke=(ink) stroke-width="17" {
                @for at in 0..count.min(4) {
                    @let y = f64::from(at) * 33.0 - 33.0 * f64::from(count.min(4) - 1) / 2.0;
                    path d=(format!("M-60 {:.0}L0 {:.0}L60 {:.0}", y + 22.0, y - 22.0, y + 22.0)) {}
                }
            },
            2 => g fill=(ink) {
                @for at in 0..count + 2 {
                    @let turn = 360.0 * f64::from(at) / f64::from(count + 2);
                    ellipse cy="-48" rx="17" ry="34" transform=(format!("rotate({turn:.1})")) {}
                }
            },
            3 => path d="M-18-74H18V-18H74V18H18V74H-18V18H-74V-18H-18Z" fill=(ink) {},
            4 => polygon points=(star(count + 1, 78.0, 34.0)) fill=(ink) {},
            5 => g fill=(ink) {
                path d="M-12-78C-70-60-70 40-12 78C-36 30-36-30-12-78Z" {}
                path d="M12-78C70-60 70 40 12 78C36 30 36-30 12-78Z" {}
            },
            6 => g fill=(ink) {
                @for at in 0..count {
                    @let x = f64::from(at) * 30.0 - 15.0 * f64::from(count - 1);
                    @let tall = 70.0 - x.abs() * 0.55;
                    rect x=(format!("{:.1}", x - 9.0)) y=(format!("{:.1}", -tall))
                        width="18" height=(format!("{:.1}", 2.0 * tall)) {}
                }
            },
            7 => polygon points="0,-80 70,56 -70,56"
                fill="none" stroke=(ink) stroke-width="18" stroke-linejoin="round" {},
            _ => g fill="none" stroke=(ink) stroke-width="15" {
                path d="M-72-34Q-36-74 0-34T72-34" {}
                path d="M-72 6Q-36-34 0 6T72 6" {}
                path d="M-72 46Q-36 6 0 46T72 46" {}
            },
        }
    }
}

/// The small mark in the middle: paper on the ground.
fn heart(kind: u8, detail: u8, inks: Inks) -> Markup {
    let (paper, deep) = ("#f2ecdf", inks.deep);
    let size = 17.0 + f64::from(detail % 3) * 5.0;
    html! {
        @match kind % 6 {
            0 => circle r=(format!("{size:.0}")) fill=(paper) stroke=(deep) stroke-width="7" {},
            1 => polygon points=(regular(4, size * 1.35)) fill=(paper) stroke=(deep) stroke-width="7" {},
            2 => polygon points=(star(5, size * 1.6, size * 0.7))
                fill=(paper) stroke=(deep) stroke-width="6" {},
            3 => path d="M0-34C26-4 24 28 0 28C-24 28-26-4 0-34Z"
                fill=(paper) stroke=(deep) stroke-width="7" {},
            4 => polygon points=(regular(3, size * 1.5)) fill=(paper) stroke=(deep) stroke-width="7" {},
            _ => {
                circle cx="-22" r="11" fill=(paper) stroke=(deep) stroke-width="6" {}
                circle cx="22" r="11" fill=(paper) stroke=(deep) stroke-width="6" {}
                circle cy="-20" r="11" fill=(paper) stroke=(deep) stroke-width="6" {}
            },
        }
    }
}
