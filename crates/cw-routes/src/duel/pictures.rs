//! What duels look like: faces that are drawn, and pictures of the package.

use super::*;
use cw_faces::{CardFace, FaceSize};
use cw_load::PicturePlace;
use cw_octgn::PackageFiles;
use cw_program::ModelId;

use crate::pictures::{drawn_once, image, off_hand, picture};

/// Pictures are the same for everybody.
pub(super) fn routes() -> Router<DuelHost> {
    Router::new()
        .route("/face/back.svg", get(back))
        .route("/face/{model}/form/{form}", get(other_form))
        .route("/back/{shape}", get(package_back))
        .route("/picture/{model}", get(card_picture))
        .route("/picture/{model}/{form}", get(form_picture))
        .route("/marker/{marker}", get(marker_picture))
        .route("/assets/cards.css", get(card_shapes))
        .route("/face/{model}/{size}", get(face))
}

async fn back() -> Response {
    picture(&cw_faces::back())
}

async fn face(State(host): State<DuelHost>, Path((model, size)): Path<(u16, String)>) -> Response {
    let wanted = match size.as_str() {
        "small.svg" => FaceSize::Small,
        "full.svg" => FaceSize::Full,
        _ => return not_found(),
    };
    draw(host, format!("{model} {size}"), model, None, wanted).await
}

async fn other_form(State(host): State<DuelHost>, Path((model, form)): Path<(u16, String)>) -> Response {
    let Some(number) = form.strip_suffix(".svg").and_then(|form| form.parse().ok()) else {
        return not_found();
    };
    draw(
        host,
        format!("{model} form {number}"),
        model,
        Some(number),
        FaceSize::Full,
    )
    .await
}

/// A face, drawn once and on a thread of its own.
async fn draw(host: DuelHost, name: String, model: u16, form: Option<usize>, size: FaceSize) -> Response {
    if usize::from(model) >= host.hall.setting.package.now().game.models.len() {
        return not_found();
    }
    let drawn = drawn_once(&host.hall, name, move |hall| {
        let package = hall.setting.package.now();
        let files = hall.setting.files.as_deref();
        // The package's picture of the card has an address of its own.
        let face = CardFace {
            game: &package.game,
            model: ModelId(model),
            form,
            catalogue: &package.catalogue,
            files: files.map(|files| files as &dyn PackageFiles),
            picture: PicturePlace::None,
        };
        cw_faces::face(face, size)
    });
    drawn.await.map_or_else(not_found, |drawn| picture(&drawn))
}

async fn package_back(State(host): State<DuelHost>, Path(shape): Path<usize>) -> Response {
    let catalogue = Arc::clone(&host.hall.setting.package.now().catalogue);
    let shape = catalogue.shapes.get(shape);
    let path = shape.and_then(|shape| shape.back.clone());
    file(&host, path).await
}

async fn card_picture(State(host): State<DuelHost>, Path(model): Path<u16>) -> Response {
    let catalogue = Arc::clone(&host.hall.setting.package.now().catalogue);
    let printed = catalogue.printed(ModelId(model));
    let path = printed.and_then(|printed| printed.picture.clone());
    file(&host, path).await
}

async fn form_picture(State(host): State<DuelHost>, Path((model, form)): Path<(u16, usize)>) -> Response {
    let catalogue = Arc::clone(&host.hall.setting.package.now().catalogue);
    let printed = catalogue.printed(ModelId(model));
    let form = printed.and_then(|printed| printed.alternates.get(form));
    let path = form.and_then(|form| form.picture.clone());
    file(&host, path).await
}

async fn marker_picture(State(host): State<DuelHost>, Path(marker): Path<usize>) -> Response {
    let catalogue = Arc::clone(&host.hall.setting.package.now().catalogue);
    let Some(marker) = catalogue.markers.get(marker) else {
        return not_found();
    };
    match (&marker.picture, marker.built_in.and_then(cw_faces::token)) {
        (None, Some(token)) => picture(&token),
        (own, _) => file(&host, own.clone()).await,
    }
}

/// A picture of the package. Only paths that the catalogue found in the package come here.
async fn file(host: &DuelHost, path: Option<String>) -> Response {
    let Some(path) = path else {
        return not_found();
    };
    let read = off_hand(&host.hall, move |hall| {
        hall.setting.files.as_ref()?.read(&path, MOST_PICTURE).ok()
    });
    read.await.map_or_else(not_found, image)
}

/// Bytes of a picture that are sent at most.
const MOST_PICTURE: u64 = 4 << 20;

/// The shapes of the package's cards (P54): everything else takes its proportions from there.
async fn card_shapes(State(host): State<DuelHost>) -> Response {
    let catalogue = Arc::clone(&host.hall.setting.package.now().catalogue);
    let shapes = catalogue.shapes.iter().enumerate();
    let rule = |(at, shape): (usize, &cw_faces::Shape)| {
        let (wide, tall) = shape.sides;
        let fits = |side: f64| side.is_finite() && (1.0..=10_000.0).contains(&side);
        if !fits(wide) || !fits(tall) {
            return String::new();
        }
        let corner = (shape.corner / wide).clamp(0.0, 0.5) * 100.0;
        format!(".shape-{at}{{aspect-ratio:{wide}/{tall};--corner:{corner:.1}%}}\n")
    };
    let text: String = shapes.map(rule).collect();
    ([(header::CONTENT_TYPE, "text/css")], text).into_response()
}
