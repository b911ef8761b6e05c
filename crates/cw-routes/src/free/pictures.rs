//! What free tables look like: faces, backs, markers, boards, and the files of the package.

use super::*;
use cw_faces::{CardFace, FaceSize};
use cw_hall::free::FreeHall;
use cw_load::PicturePlace;
use cw_octgn::PackageFiles;

use crate::pictures::{drawn_once, image, kind_of, off_hand, picture};

/// They are the same for everybody.
pub(super) fn routes() -> Router<FreeHost> {
    Router::new()
        .route("/face/back.svg", get(async || picture(&cw_faces::back())))
        .route("/free/face/{model}/{form}/{size}", get(face))
        .route("/free/back/{number}", get(back))
        .route("/free/marker/{number}", get(marker))
        .route("/free/board/{number}", get(board))
        .route("/free/background", get(background))
        .route("/free/document/{number}", get(document))
        .route("/free/sound/{number}", get(sound))
}

/// Bytes of a picture that are sent at most (F204).
const MOST_PICTURE: u64 = 8 << 20;

/// A card's face: the picture that the host has added, else drawn from its data.
async fn face(State(host): State<FreeHost>, Path((model, form, size)): Path<(u32, u8, String)>) -> Response {
    let size = match size.as_str() {
        "small" => FaceSize::Small,
        "full" => FaceSize::Full,
        _ => return not_found(),
    };
    if let Some(bytes) = off_hand(&host.hall, move |hall| own_picture(hall, model, form)).await {
        return image(bytes);
    }
    let name = format!("{model} {form} {}", matches!(size, FaceSize::Full));
    let drawn = drawn_once(&host.hall, name, move |hall| draw(hall, model, form, size));
    drawn.await.map_or_else(not_found, |svg| picture(&svg))
}

/// From the packs that the host has added (P76).
fn own_picture(hall: &FreeHall, model: u32, form: u8) -> Option<Vec<u8>> {
    let pictures = hall.setting.pictures.as_ref()?;
    let card = hall.setting.kit.card(&TableModel::Card(model))?;
    let alternate = form
        .checked_sub(1)
        .and_then(|at| card.alternates.get(usize::from(at)));
    let name = card.picture_name(alternate).to_lowercase();
    let (pack, file) = pictures.files.get(&name)?;
    let bytes = pictures.packs.get(*pack)?.read(file, MOST_PICTURE).ok()?;
    kind_of(&bytes).map(|_| bytes)
}

fn draw(hall: &FreeHall, model: u32, form: u8, size: FaceSize) -> Option<String> {
    let setting = &hall.setting;
    let files = setting.files.as_deref();
    let face = CardFace {
        game: setting.game.as_ref()?,
        model: (*hall.models.get(usize::try_from(model).ok()?)?)?,
        form: form.checked_sub(1).map(usize::from),
        catalogue: &setting.catalogue,
        files: files.map(|files| files as &dyn PackageFiles),
        picture: setting.catalogue.picture,
    };
    let plain = CardFace {
        picture: PicturePlace::None,
        files: None,
        ..face
    };
    cw_faces::face(face, size).or_else(|| cw_faces::face(plain, size))
}

async fn back(State(host): State<FreeHost>, Path(number): Path<usize>) -> Response {
    let path = host
        .hall
        .backs
        .get(number)
        .filter(|path| !path.is_empty())
        .cloned();
    let own = path.or_else(|| {
        let back = host.hall.setting.kit.default_measures().back.clone();
        (number == 0 && !back.is_empty()).then_some(back)
    });
    file(&host, own)
        .await
        .unwrap_or_else(|| picture(&cw_faces::back()))
}

async fn marker(State(host): State<FreeHost>, Path(number): Path<usize>) -> Response {
    let kit = &host.hall.setting.kit;
    let Some(kind) = kit.markers.get(number) else {
        return not_found();
    };
    let markers = &host.hall.setting.catalogue.markers;
    let known = markers.iter().find(|marker| marker.name == kind.name);
    let token = known.and_then(|marker| marker.built_in).and_then(cw_faces::token);
    if let Some(token) = token.or_else(|| built_in(number, kit.markers.len()).and_then(cw_faces::token)) {
        return picture(&token);
    }
    let own = known.and_then(|marker| marker.picture.clone());
    file(&host, own).await.unwrap_or_else(not_found)
}

/// The eight built-in markers stand last (F23).
fn built_in(number: usize, all: usize) -> Option<usize> {
    number.checked_sub(all.checked_sub(cw_faces::BUILT_IN.len())?)
}

async fn board(State(host): State<FreeHost>, Path(number): Path<usize>) -> Response {
    let boards = &host.hall.setting.kit.package.definition.tabletop.boards;
    let path = boards.get(number).map(|board| board.source.to_string());
    file(&host, path).await.unwrap_or_else(not_found)
}

async fn background(State(host): State<FreeHost>) -> Response {
    let path = host
        .hall
        .setting
        .kit
        .package
        .definition
        .tabletop
        .background
        .as_ref();
    file(&host, path.map(ToString::to_string))
        .await
        .unwrap_or_else(not_found)
}

/// A document of the package: PDF, plain text and pictures are served, nothing else is (F24).
async fn document(State(host): State<FreeHost>, Path(number): Path<usize>) -> Response {
    let documents = &host.hall.setting.kit.package.definition.tabletop.documents;
    let Some(path) = documents.get(number).map(|document| document.path.to_string()) else {
        return not_found();
    };
    let is_text = cw_hall::free::kit::is_text(&path);
    let Some(bytes) = read_file(&host, path).await else {
        return not_found();
    };
    let kind = match kind_of(&bytes) {
        Some(kind) => kind,
        None if bytes.starts_with(b"%PDF-") => "application/pdf",
        None if is_text => "text/plain; charset=utf-8",
        None => return not_found(),
    };
    ([(header::CONTENT_TYPE, kind)], bytes).into_response()
}

/// A sound of the package (F24).
async fn sound(State(host): State<FreeHost>, Path(number): Path<usize>) -> Response {
    let sounds = &host.hall.setting.kit.package.definition.tabletop.sounds;
    let Some(path) = sounds.get(number).map(|sound| sound.path.to_string()) else {
        return not_found();
    };
    let kind = match read_file(&host, path).await {
        Some(bytes) => sound_of(&bytes).map(|kind| (kind, bytes)),
        None => None,
    };
    match kind {
        Some((kind, bytes)) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        None => not_found(),
    }
}

fn sound_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => Some("audio/wav"),
        [b'O', b'g', b'g', b'S', ..] => Some("audio/ogg"),
        [b'f', b'L', b'a', b'C', ..] => Some("audio/flac"),
        [b'I', b'D', b'3', ..] | [0xff, 0xe0..=0xff, ..] => Some("audio/mpeg"),
        _ => None,
    }
}

async fn read_file(host: &FreeHost, path: String) -> Option<Vec<u8>> {
    let path = path.replace('\\', "/");
    let read = off_hand(&host.hall, move |hall| {
        let known = hall.setting.kit.package.files.iter();
        let name = known.into_iter().find(|file| file.eq_ignore_ascii_case(&path))?;
        hall.setting.files.as_ref()?.read(name, MOST_PICTURE).ok()
    });
    read.await
}

/// A picture of the package; OCTGN runs where names of files have no case.
async fn file(host: &FreeHost, path: Option<String>) -> Option<Response> {
    let bytes = read_file(host, path?).await?;
    kind_of(&bytes).is_some().then(|| image(bytes))
}
