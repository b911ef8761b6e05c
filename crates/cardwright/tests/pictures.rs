//! `cardwright cards render` into pictures made of dots, run as a user runs it.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::path::Path;
use std::process::{Command, Output};

fn render(here: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cardwright"))
        .args(["cards", "render"])
        .args(arguments)
        .current_dir(here)
        // A machine without fonts, if the test says so.
        .envs(
            here.join("fonts.conf")
                .exists()
                .then_some(("FONTCONFIG_FILE", here.join("fonts.conf"))),
        )
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn files(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// P123: the eight markers, each in its file.
#[test]
fn markers_are_drawn_into_files() {
    let folder = tempfile::tempdir().unwrap();
    let output = render(folder.path(), &["--markers", "-o", "out"]);
    assert!(output.status.success(), "{}", said(&output));
    let names = files(&folder.path().join("out"));
    assert_eq!(names.len(), 8);
    assert_eq!(names[0], "marker-black.svg");
    let output = render(folder.path(), &["--markers", "rook", "-o", "out"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}

#[cfg(not(feature = "png"))]
#[test]
fn without_the_feature_the_remedy_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let output = render(folder.path(), &["--png", "type:reaction", "-o", "out"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("--features png"), "{}", said(&output));
    assert_eq!(
        files(folder.path()),
        Vec::<String>::new(),
        "nothing is half written"
    );
}

#[cfg(feature = "png")]
#[test]
fn a_card_becomes_a_picture_of_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let output = render(here, &["--png", "name:crumb", "--dpi", "100", "-o", "out"]);
    assert!(output.status.success(), "{}", said(&output));
    let [name] = &files(&here.join("out"))[..] else {
        panic!("one card has this name")
    };
    assert!(name.len() == 40 && name.ends_with(".png"), "P76: {name}");
    let file = std::fs::File::open(here.join("out").join(name)).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(file))
        .read_info()
        .unwrap();
    let size = reader.info().pixel_dims.unwrap();
    assert_eq!((size.xppu, size.yppu), (3937, 3937), "100 dots per inch");
    let mut dots = vec![0; reader.output_buffer_size().unwrap()];
    let about = reader.next_frame(&mut dots).unwrap();
    assert_eq!((about.width, about.height), (248, 346));
    let colours: std::collections::BTreeSet<_> = dots.chunks(4).collect();
    assert!(
        colours.len() > 100,
        "only {} colours: it is nearly blank",
        colours.len()
    );
    let again = render(here, &["--png", "name:crumb", "-o", "out"]);
    assert!(said(&again).contains("--force"), "{}", said(&again));
    let wrong = render(here, &["--png", "--dpi", "20", "-o", "out"]);
    assert_eq!(wrong.status.code(), Some(2));
}

/// Letters are outlines that the program carries: a machine without fonts paints the same dots.
#[cfg(all(feature = "png", target_os = "linux"))]
#[test]
fn without_fonts_a_picture_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let paint = |out: &str| {
        let output = render(here, &["--png", "name:crumb", "--dpi", "100", "-o", out]);
        assert!(output.status.success(), "{}", said(&output));
        let [name] = &files(&here.join(out))[..] else {
            panic!("one card has this name")
        };
        std::fs::read(here.join(out).join(name)).unwrap()
    };
    let with = paint("with");
    let none = "<?xml version=\"1.0\"?><fontconfig><dir>/nowhere</dir></fontconfig>";
    std::fs::write(here.join("fonts.conf"), none).unwrap();
    assert!(with == paint("without"), "the machine's fonts show");
}
