//! What a package's files say of the looks of cards.

use cw_faces::{BUILT_IN, CardFace, Catalogue, FaceSize, face, token};
use cw_load::PicturePlace;
use cw_octgn::MemoryFiles;
use cw_program::ModelId;

const SET: &str = "22222222-2222-4222-8222-222222222222";
const CARD: &str = "33333333-3333-4333-8333-333333333333";
const OIL: &str = "55555555-5555-4555-8555-555555555555";

/// Models are numbered by name (D29), not as the set lists them.
const CHAIR: ModelId = ModelId(0);
const LAMP: ModelId = ModelId(1);

const DEFINITION: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
    <game name=\"Looks\" id=\"11111111-1111-4111-8111-111111111111\" version=\"1.0.0.0\" \
    octgnVersion=\"3.4.350.0\"\n\
    \x20 scriptVersion=\"3.1.0.2\" authors=\"a\" tags=\"t\" description=\"d\" \
    gameurl=\"https://example.org\"\n\
    \x20 setsurl=\"https://example.org\" iconurl=\"https://example.org/i.png\">\n\
    \x20 <card name=\"Default\" front=\"art/front.png\" back=\"art/back.png\" \
    width=\"63\" height=\"88\" cornerRadius=\"3\">\n\
    \x20   <property name=\"Type\" type=\"String\"/>\
    <property name=\"BP\" type=\"Integer\"/><property name=\"SP\" type=\"Integer\"/>\n\
    \x20   <size name=\"Wide\" front=\"art/front.png\" back=\"art/back.png\" \
    width=\"88\" height=\"63\" cornerRadius=\"5\"/>\n\
    \x20 </card>\n\
    \x20 <markers><marker name=\"Just Entered\" id=\"m1\" src=\"art/fresh.png\"/></markers>\n\
    \x20 <table name=\"Table\" width=\"10\" height=\"10\"/>\n\
    \x20 <player><group name=\"Hand\"/><group name=\"Deck\"/></player>\n\
    </game>";

const CARDS: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
    <set name=\"First\" id=\"22222222-2222-4222-8222-222222222222\" \
    gameId=\"11111111-1111-4111-8111-111111111111\"\n\
    \x20 gameVersion=\"1.0.0.0\" version=\"1.0.0.0\">\n\
    \x20 <markers><marker name=\"Oil\" id=\"55555555-5555-4555-8555-555555555555\"/>\
    <marker name=\"Again\" id=\"m1\"/></markers>\n\
    \x20 <cards>\n\
    \x20   <card id=\"33333333-3333-4333-8333-333333333333\" name=\"Lamp\" size=\"Wide\">\n\
    \x20     <property name=\"Type\" value=\"Character\"/>\
    <property name=\"BP\" value=\"300\"/><property name=\"SP\" value=\"2\"/>\n\
    \x20     <alternate name=\"Lamp, lit\" type=\"lit\"><property name=\"BP\" value=\"500\"/></alternate>\n\
    \x20     <alternate name=\"Lamp, out\" type=\"out\"/>\n\
    \x20   </card>\n\
    \x20   <card id=\"44444444-4444-4444-8444-444444444444\" name=\"Chair\">\n\
    \x20     <property name=\"Type\" value=\"Character\"/><property name=\"BP\" value=\"100\"/>\n\
    \x20   </card>\n\
    \x20 </cards>\n\
    </set>";

fn package() -> MemoryFiles {
    let picture = b"\x89PNG picture".as_slice();
    MemoryFiles::new()
        .with("definition.xml", DEFINITION)
        .with(format!("Sets/{SET}/set.xml"), CARDS)
        .with("art/front.png", picture)
        .with("art/back.png", picture)
        .with("art/fresh.png", picture)
        .with(format!("Sets/{SET}/Cards/{CARD}.png"), picture)
        .with(format!("Sets/{SET}/Cards/{CARD}.lit.JPG"), picture)
        .with(format!("Sets/{SET}/Markers/{OIL}.png"), picture)
}

/// P76, P54: a form's own picture, then the base form's, then the drawn face; sizes set shape and back.
#[test]
fn pictures_are_found_by_card_and_form() {
    let loaded = cw_load::load(package()).unwrap();
    let catalogue = Catalogue::of(&loaded.project);
    let lamp = catalogue.printed(LAMP).unwrap();
    let base = format!("Sets/{SET}/Cards/{CARD}.png");
    let lit = format!("Sets/{SET}/Cards/{CARD}.lit.JPG");
    assert_eq!(lamp.picture.as_deref(), Some(&*base));
    let forms = lamp.alternates.iter();
    let forms: Vec<_> = forms
        .map(|form| (form.kind.as_str(), form.bp, form.picture.as_deref()))
        .collect();
    assert_eq!(forms, [("lit", 500, Some(&*lit)), ("out", 300, Some(&*base))]);
    let wide = &catalogue.shapes[lamp.shape];
    assert_eq!(
        (wide.name.as_str(), wide.sides, wide.corner),
        ("Wide", (88.0, 63.0), 5.0)
    );
    assert_eq!(wide.back.as_deref(), Some("art/back.png"));
    let chair = catalogue.printed(CHAIR).unwrap();
    assert_eq!((chair.picture.as_deref(), chair.shape), (None, 0));
}

/// P121, P123, D61: the definition's markers, then those of sets, the first of an id; then the eight
/// that every game has.
#[test]
fn markers_are_found_by_name() {
    let catalogue = Catalogue::of(&cw_load::Project::read(package()).unwrap());
    let names: Vec<&str> = catalogue
        .markers
        .iter()
        .map(|marker| marker.name.as_str())
        .collect();
    assert_eq!(names[..2], ["Just Entered", "Oil"]);
    assert_eq!(names[2..], BUILT_IN);
    let (at, fresh) = catalogue.marker("just entered").unwrap();
    assert_eq!((at, fresh.picture.as_deref()), (0, Some("art/fresh.png")));
    let oil = catalogue.marker("Oil").unwrap().1;
    assert_eq!(oil.picture, Some(format!("Sets/{SET}/Markers/{OIL}.png")));
    assert!(catalogue.marker("Nothing").is_none());
}

/// P123: the eight are drawn, each in a shape of its own; a marker of the rules without a picture
/// takes one of them, and a name that no marker has takes none.
#[test]
fn the_built_in_markers_are_drawn() {
    let outline = |svg: String| svg.split(" d=\"").nth(1).map(str::to_owned);
    let mut shapes: Vec<_> = (0..BUILT_IN.len()).filter_map(token).map(outline).collect();
    shapes.sort();
    shapes.dedup();
    assert_eq!(shapes.len(), 8);
    assert_eq!(token(8), None);

    let catalogue = Catalogue::of(&cw_load::Project::read(package()).unwrap());
    let found = |name, built_in| {
        let (_, marker) = catalogue.marker_or(name, built_in)?;
        Some((marker.name.as_str(), marker.built_in))
    };
    assert_eq!(found("Just Entered", "Green"), Some(("Just Entered", None)));
    assert_eq!(found("Attack", "Red"), Some(("Red", Some(3))));
    assert_eq!(found("white", ""), Some(("White", Some(0))));
    assert_eq!(found("Nothing", ""), None);
}

/// P72, P74: another form is drawn with what it says differently, in its own size.
#[test]
fn other_forms_are_drawn() {
    let loaded = cw_load::load(package()).unwrap();
    let catalogue = Catalogue::of(&loaded.project);
    let game = loaded.game.unwrap();
    let form = |form| {
        face(
            CardFace {
                game: &game,
                model: LAMP,
                form,
                catalogue: &catalogue,
                files: None,
                picture: PicturePlace::Frame,
            },
            FaceSize::Full,
        )
    };
    let (base, lit) = (form(None).unwrap(), form(Some(0)).unwrap());
    assert!(base.contains("viewBox=\"0 0 880 630\""), "{base}");
    assert!(lit.contains("<title>Lamp, lit</title>"), "{lit}");
    assert!(lit.contains("viewBox=\"0 0 630 880\""), "{lit}");
    assert_ne!(lit, form(Some(1)).unwrap());
    assert_eq!(form(Some(2)), None);
}
