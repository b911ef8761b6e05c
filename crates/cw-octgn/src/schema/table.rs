//! The tables of the three schemas (P219–P226), made out of the notation in which they are written down.

use std::sync::LazyLock;

use super::value::ValueType;

/// What may stand in one kind of file.
#[derive(Debug)]
pub(super) struct SchemaTable {
    /// The first row is that of the outermost element.
    pub(super) rows: Vec<ElementRow>,
    /// Whether attributes of XML itself (`xml:space`) pass (P222).
    pub(super) takes_xml_attributes: bool,
}

/// What may stand in one element.
#[derive(Debug)]
pub(super) struct ElementRow {
    pub(super) name: &'static str,
    pub(super) order: ChildOrder,
    pub(super) attributes: Vec<AttributeRow>,
    /// Whether any further attribute passes.
    pub(super) is_open: bool,
    pub(super) has_text: bool,
}

/// How the elements inside have to follow each other (P219).
#[derive(Debug)]
pub(super) enum ChildOrder {
    /// In any order, each at most once.
    All(Vec<ChildSlot>),
    /// In one of these orders.
    Sequence(Vec<Vec<ChildSlot>>),
    /// Any mix, of at least so many.
    Any { slots: Vec<ChildSlot>, least: usize },
}

/// An element that may stand inside another.
#[derive(Debug)]
pub(super) struct ChildSlot {
    pub(super) name: &'static str,
    /// Its row.
    pub(super) row: usize,
    pub(super) is_needed: bool,
    pub(super) is_repeated: bool,
}

/// An attribute.
#[derive(Debug)]
pub(super) struct AttributeRow {
    pub(super) name: &'static str,
    pub(super) value: ValueType,
    pub(super) is_needed: bool,
}

/// `definition.xml` (P224).
pub(super) static DEFINITION: LazyLock<SchemaTable> =
    LazyLock::new(|| table(include_str!("definition.txt"), false));
/// `set.xml` (P225).
pub(super) static SET: LazyLock<SchemaTable> = LazyLock::new(|| table(include_str!("set.txt"), false));
/// The file that says how proxies are drawn (P226).
pub(super) static PROXY_DEFINITION: LazyLock<SchemaTable> =
    LazyLock::new(|| table(include_str!("proxydef.txt"), true));

/// Lists of attributes that several rows share (P221).
const LISTS: [(&str, &str); 5] = [
    ("@act", "menu:str showIf:str getName:str"),
    (
        "@run",
        "@act default:YN=False shortcut:str execute:str batchExecute:str",
    ),
    ("@grp", "name:str visibility:{none|me|all|undefined}=none ..."),
    (
        "@pile",
        "@grp ordered:YN=True icon:str shortcut:str shuffle:str moveto:YN=True collapsed:YN=False \
         viewState:{collapsed|expanded|pile}=pile protectionState:{false|true|ask}=false",
    ),
    ("@nv", "name!:str value!:str"),
];

fn table(text: &'static str, takes_xml_attributes: bool) -> SchemaTable {
    let lines: Vec<Vec<&'static str>> = text.lines().map(|line| line.split(" | ").collect()).collect();
    let names: Vec<&'static str> = lines.iter().map(|cells| cells[0]).collect();
    let rows = lines.iter().map(|cells| row(cells, &names)).collect();
    SchemaTable {
        rows,
        takes_xml_attributes,
    }
}

fn row(cells: &[&'static str], names: &[&'static str]) -> ElementRow {
    let [path, children, attributes, text] = cells else {
        panic!("a row has four cells: {cells:?}");
    };
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut row = ElementRow {
        name,
        order: order(children, name, names),
        attributes: Vec::new(),
        is_open: false,
        has_text: *text == "yes",
    };
    add_attributes(attributes, &mut row);
    row
}

fn order(children: &'static str, parent: &str, names: &[&'static str]) -> ChildOrder {
    let (kind, list) = children.split_once(": ").unwrap_or(("any", ""));
    let slots = |list: &'static str| {
        list.split_whitespace()
            .map(|word| slot(word, parent, names))
            .collect()
    };
    match kind {
        "all" => ChildOrder::All(slots(list)),
        "seq" => ChildOrder::Sequence(list.split(" || ").map(slots).collect()),
        _ => ChildOrder::Any {
            slots: slots(list),
            least: usize::from(kind == "any+"),
        },
    }
}

fn slot(word: &'static str, parent: &str, names: &[&'static str]) -> ChildSlot {
    let name = word.trim_end_matches(['?', '*', '+']);
    // A row for the element inside this one wins over a row for the element anywhere (P219).
    let own = names
        .iter()
        .position(|path| path.split_once('/') == Some((parent, name)));
    let row = own.or_else(|| names.iter().position(|path| *path == name));
    ChildSlot {
        name,
        row: row.expect("every element of a table has a row"),
        is_needed: !word.ends_with(['?', '*']),
        is_repeated: word.ends_with(['*', '+']),
    }
}

fn add_attributes(list: &'static str, row: &mut ElementRow) {
    for word in list.split_whitespace() {
        match word {
            "-" => {}
            "..." => row.is_open = true,
            _ if word.starts_with('@') => {
                let found = LISTS.iter().find(|(name, _)| *name == word);
                add_attributes(found.expect("every list that is named exists").1, row);
            }
            _ => {
                let (name, value) = word.split_once(':').expect("an attribute has a type");
                let value = value.split('=').next().unwrap_or(value);
                row.attributes.push(AttributeRow {
                    name: name.trim_end_matches('!'),
                    value: ValueType::named(value),
                    is_needed: name.ends_with('!'),
                });
            }
        }
    }
}
