//! Puts the page's WebAssembly modules into the program, where `CARDWRIGHT_MODULE` names the file of the
//! whole one: the others are looked for beside it. They lie there deflated (RFC 1951): few who install the
//! program make a page, and the modules would be a third of it.

use std::path::PathBuf;
use std::{env, fs};

/// The most that is tried for few bytes.
const LEVEL: u8 = 10;

fn main() {
    println!("cargo::rerun-if-env-changed=CARDWRIGHT_MODULE");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let module = env::var_os("CARDWRIGHT_MODULE").map(PathBuf::from);
    let [play, rest] = ["play.wasm", "play-rest.wasm"]
        .map(|name| Some(module.as_ref()?.with_file_name(name)).filter(|path| path.is_file()));
    for (name, path) in [
        ("module.wasm", &module),
        ("play.wasm", &play),
        ("play-rest.wasm", &rest),
    ] {
        let bytes = path.as_ref().map_or_else(Vec::new, |path| {
            println!("cargo::rerun-if-changed={}", path.display());
            fs::read(path).expect("CARDWRIGHT_MODULE names the module's file")
        });
        let packed = match bytes.is_empty() {
            true => bytes,
            false => miniz_oxide::deflate::compress_to_vec(&bytes, LEVEL),
        };
        fs::write(out.join(name), packed).expect("the module can be written");
    }
}
