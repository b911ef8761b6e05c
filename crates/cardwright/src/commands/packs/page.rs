//! Odds as a page that needs nothing else.

use std::fmt::Write;

use cw_octgn::to_f64;

use super::{OddsLine, OddsReport, number, readable};

const STYLE: &str = "\
    body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
    color:#1b1b1b;background:#fff}\
    table{border-collapse:collapse;width:100%}\
    th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #ddd}\
    th:first-child,td:first-child{text-align:left}\
    svg{max-width:100%}rect{fill:#2a6f97}text{font:12px system-ui,sans-serif;fill:currentColor}\
    @media(prefers-color-scheme:dark){body{color:#eee;background:#181818}\
    th,td{border-color:#444}rect{fill:#61a5c2}}";

/// The whole page.
pub(super) fn html(report: &OddsReport) -> String {
    let title = escape(&report.title);
    let mut out = format!(
        "<!doctype html>\n\
         <html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <title>Odds of {title}</title><style>{STYLE}</style></head><body>\n\
         <h1>Odds of {title}</h1>\n"
    );
    let _ = writeln!(
        out,
        "<p>Cards on average: {}. All numbers are exact; decimals are rounded.</p>",
        escape(&readable(&report.mean))
    );
    out.push_str("<h2>Cards in a pack</h2>\n");
    let sizes: Vec<(String, f64)> = report
        .size
        .0
        .iter()
        .enumerate()
        .map(|(count, chance)| (count.to_string(), to_f64(chance)))
        .filter(|(_, chance)| *chance > 0.0)
        .collect();
    bars(&mut out, "Chance of each number of cards in a pack", &sizes);
    if let Some(wanted) = &report.wanted {
        table(
            &mut out,
            "Of the cards asked for",
            std::slice::from_ref(wanted),
            report,
        );
    }
    for (property, lines) in &report.groups {
        let values: Vec<(String, f64)> = lines
            .iter()
            .take(40)
            .map(|line| (line.name.clone(), to_f64(&line.expected)))
            .collect();
        let _ = writeln!(out, "<h2>{}</h2>", escape(property));
        bars(
            &mut out,
            &format!("Copies in a pack for each value of {property}"),
            &values,
        );
        table(&mut out, property, lines, report);
    }
    out.push_str("<h2>Cards</h2>\n");
    table(&mut out, "Card", &report.cards, report);
    if let Some(bounds) = report.complete {
        let _ = writeln!(
            out,
            "<p>Packs until every card came: between {:.3} and {:.3}.</p>",
            bounds.low, bounds.high
        );
    }
    out.push_str("</body></html>\n");
    out
}

fn table(out: &mut String, title: &str, lines: &[OddsLine], report: &OddsReport) {
    let packs = crate::output::count(report.packs, "pack");
    let _ = writeln!(
        out,
        "<table><thead><tr><th scope=\"col\">{}</th>\
         <th scope=\"col\">copies a pack</th><th scope=\"col\">in {packs}</th>\
         <th scope=\"col\">packs until {}</th></tr></thead><tbody>",
        escape(title),
        report.copies
    );
    for line in lines {
        let until = line
            .until
            .as_ref()
            .map_or_else(|| "never".to_owned(), |until| format!("{:.3}", to_f64(until)));
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{until}</td></tr>",
            escape(&line.name),
            escape(&readable(&line.expected)),
            number(&line.at_least_one)
        );
    }
    out.push_str("</tbody></table>\n");
}

/// Horizontal bars with their names and numbers.
fn bars(out: &mut String, title: &str, values: &[(String, f64)]) {
    let greatest = values
        .iter()
        .map(|(_, value)| *value)
        .fold(f64::MIN_POSITIVE, f64::max);
    let height = values.len() * 22 + 4;
    let _ = writeln!(
        out,
        "<svg role=\"img\" width=\"640\" height=\"{height}\" viewBox=\"0 0 640 {height}\"><title>{}</title>",
        escape(title)
    );
    for (place, (name, value)) in values.iter().enumerate() {
        let top = place * 22 + 3;
        let short: String = name.chars().take(22).collect();
        let _ = writeln!(
            out,
            "<text x=\"150\" y=\"{}\" text-anchor=\"end\">{}</text>\
             <rect x=\"156\" y=\"{top}\" width=\"{:.1}\" height=\"16\"/>\
             <text x=\"{:.1}\" y=\"{}\">{value:.4}</text>",
            top + 13,
            escape(&short),
            value / greatest * 400.0,
            162.0 + value / greatest * 400.0,
            top + 13,
        );
    }
    out.push_str("</svg>\n");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
