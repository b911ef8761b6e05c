//! Puts the page's WebAssembly modules into the program, where `CARDWRIGHT_MODULE` names the file of the
//! whole one: the others are looked for beside it.

use std::path::PathBuf;
use std::{env, fs};

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
        fs::write(out.join(name), bytes).expect("the module can be written");
    }
}
