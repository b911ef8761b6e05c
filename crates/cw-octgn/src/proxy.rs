//! The file that says how cards without a picture are drawn (P226, P248, P265–P273).

use std::collections::BTreeMap;

use cw_text::{FileId, nearest};

use crate::codes::{PK151, PK153, PK154};
use crate::definition::FileReference;
use crate::read::{clipped, located};
use crate::report::FileReport;
use crate::xml::{XmlAttribute, XmlElement};
use crate::{Definition, Str};

/// What is kept of a proxy definition.
#[derive(Clone, Debug)]
pub(crate) struct ProxyDefinition {
    /// The file it was read from.
    pub(crate) file: FileId,
    /// The folder that it lies in, without the last slash.
    pub(crate) folder: String,
    /// Every file that it names: relative to the game's folder, not to its own (P248).
    pub(crate) references: Vec<FileReference>,
}

/// What a name means that is not a property of cards (P265).
pub(crate) const BUILT_IN: [&str; 5] = [
    "SetName",
    "Name",
    "CardSizeName",
    "CardSizeHeight",
    "CardSizeWidth",
];

/// Reads the outermost element, and finds what is drawn wrongly or never.
pub(crate) fn read(
    root: XmlElement<'_>,
    definition: &Definition,
    report: &mut FileReport,
) -> Vec<FileReference> {
    let blocks = blocks(root, report);
    templates(root, report);
    for element in root.descendants() {
        match element.name() {
            "link" => link(element, &blocks, report),
            "conditional" => conditional(element, report),
            "if" | "elseif" | "case" => test(element, report),
            _ => {}
        }
        property_name(element, definition, report);
    }
    references(root)
}

fn references(root: XmlElement<'_>) -> Vec<FileReference> {
    let named = root.descendants().filter_map(|element| {
        let attribute = match element.name() {
            "block" | "template" => "src",
            "text" => "font",
            _ => return None,
        };
        Some(FileReference {
            element: Str::from(element.name()),
            attribute: Str::from(attribute),
            path: located(element.attribute(attribute)?),
        })
    });
    named.collect()
}

/// The blocks by their ids; of two with one id the first counts (P266).
fn blocks<'t>(root: XmlElement<'t>, report: &mut FileReport) -> BTreeMap<Str, XmlElement<'t>> {
    let mut found: BTreeMap<Str, XmlElement<'t>> = BTreeMap::new();
    let Some(around) = root.elements().find(|child| child.name() == "blocks") else {
        let message = "no `blocks`: OCTGN cannot read the file";
        report.add(report.error(PK153, root.name_span(), message));
        return found;
    };
    for block in around.elements().filter(|child| child.name() == "block") {
        let font = block.elements().find(|child| child.name() == "text");
        let font = font.and_then(|text| text.attribute("font"));
        if let (Some(_), Some(font)) = (block.attribute("src"), font) {
            let message = "a block with `src` and a font: o8build crashes on it";
            report.add(report.warning(PK151, font.name_span(), message));
        }
        let Some(id) = block.attribute("id") else { continue };
        if let Some(first) = found.get(&id.value()) {
            let message = format!("a second block `{}`: OCTGN uses the first", clipped(&id.value()));
            let finding = report.warning(PK154, id.value_span(), message);
            report.add(finding.label(report.file, first.tag_span(), "the first"));
            continue;
        }
        found.insert(id.value(), block);
    }
    found
}

/// P267: the first template of which all matches hold is taken, so one without matches ends the list.
fn templates(root: XmlElement<'_>, report: &mut FileReport) {
    let (mut always, mut default) = (None, None);
    let (mut count, mut has_default) = (0, false);
    for template in root.descendants().filter(|element| element.name() == "template") {
        count += 1;
        if let Some(first) = always {
            let message = "this template is never used: one without matches comes before it";
            let finding = report.warning(PK154, template.name_span(), message);
            report.add(finding.label(report.file, first, "this one fits every card"));
        }
        let has_match = template.descendants().any(|inside| inside.name() == "match");
        if !has_match && always.is_none() {
            always = Some(template.name_span());
        }
        let is_default = template.attribute("default").map(XmlAttribute::value);
        if !is_default.is_some_and(|text| text.trim().eq_ignore_ascii_case("true")) {
            continue;
        }
        has_default = true;
        match default {
            None => default = Some(template.name_span()),
            Some(first) => {
                let message = "a second default template: OCTGN uses the first";
                let finding = report.hint(PK154, template.name_span(), message);
                report.add(finding.label(report.file, first, "the first"));
            }
        }
    }
    if count > 0 && !has_default && always.is_none() {
        let message = "no template is the default: a card that fits none cannot be drawn";
        report.add(report.hint(PK154, root.name_span(), message));
    }
}

/// Reports links to blocks that are missing or have no picture, and formats without a place for
/// the value (P268, P270).
fn link(element: XmlElement<'_>, blocks: &BTreeMap<Str, XmlElement<'_>>, report: &mut FileReport) {
    for property in element.elements().filter(|child| child.name() == "property") {
        let Some(format) = property.attribute("format") else {
            continue;
        };
        if !format.value().contains("{}") {
            let message = "a format without `{}`: OCTGN shows the value alone";
            report.add(report.warning(PK154, format.value_span(), message));
        }
    }
    let Some(id) = element.attribute("block") else {
        return;
    };
    match blocks.get(&id.value()) {
        None => {
            let message = format!("there is no block `{}`", clipped(&id.value()));
            let finding = report.error(PK153, id.value_span(), message);
            let near = nearest(&id.value(), blocks.keys().map(Str::as_str)).map(str::to_owned);
            report.add(match near {
                Some(near) => finding.help(format!("did you mean `{near}`?")),
                None => finding,
            });
        }
        Some(block) => {
            let kind = block.attribute("type").map(XmlAttribute::value);
            if kind.is_some_and(|kind| kind == "overlay") && block.attribute("src").is_none() {
                let message = format!("the overlay `{}` has no picture", clipped(&id.value()));
                report.add(report.error(PK153, id.value_span(), message));
            }
        }
    }
}

/// P271: an `else` needs something before it. P272: it is taken before `contains` is tried, unless the `if`
/// itself has one.
fn conditional(element: XmlElement<'_>, report: &mut FileReport) {
    let has = |name: &str| element.elements().any(|child| child.name() == name);
    if has("else") && !has("if") && !has("elseif") {
        let message = "`else` without `if`: nothing is drawn";
        report.add(report.warning(PK154, element.name_span(), message));
    }
    let first = element.elements().find(|child| child.name() == "if");
    if !has("else") || first.is_none_or(|first| first.attribute("contains").is_some()) {
        return;
    }
    for later in element.elements().filter(|child| child.name() == "elseif") {
        if let Some(contains) = later.attribute("contains") {
            let message =
                "this `contains` is never tried: `else` comes first, since the `if` has no `contains`";
            let finding = report.warning(PK154, contains.name_span(), message);
            report.add(finding.help("write a conditional of its own for it"));
        }
    }
}

/// Reports tests that can never hold, or that hold twice (P271, P273).
fn test(element: XmlElement<'_>, report: &mut FileReport) {
    let has = |name: &str| element.attribute(name).is_some();
    let message = match (element.name(), has("value"), has("contains")) {
        (_, false, false) => format!("`{}` without `value` or `contains` never holds", element.name()),
        ("case", true, true) => "a case with `value` and `contains` is drawn twice if both hold".to_owned(),
        _ => return,
    };
    report.add(report.warning(PK154, element.name_span(), message));
}

/// P269: what is not a property is always absent.
fn property_name(element: XmlElement<'_>, definition: &Definition, report: &mut FileReport) {
    let attribute = match element.name() {
        "match" | "property" => "name",
        "if" | "elseif" | "switch" => "property",
        _ => return,
    };
    let Some(name) = element.attribute(attribute) else {
        return;
    };
    let text = name.value();
    if definition.property(&text).is_some() || BUILT_IN.contains(&text.as_str()) {
        return;
    }
    let known = definition
        .properties
        .iter()
        .map(|property| property.name.as_str());
    let message = format!("cards have no property `{}`", clipped(&text));
    let mut finding = report.warning(PK154, name.value_span(), message);
    finding.help = nearest(&text, known.chain(BUILT_IN)).map(|near| format!("did you mean `{near}`?"));
    report.add(finding);
}
