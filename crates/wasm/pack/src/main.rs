//! `ptc-wasm-pack WASM PACKAGE [PAGE]`: of what cargo built for wasm32-unknown-unknown, the folder of the npm package, and the
//! playground as one HTML file. scripts/wasm and scripts/playground call it.

mod page;

use std::error::Error;
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::Bindgen;

/// The sources of the package that are written by hand, each below those that it imports.
const SCRIPTS: [&str; 6] = ["errors.js", "data.js", "runtime.js", "turn.js", "session.js", "core.js"];
/// The rest of the package.
const FILES: [&str; 3] = ["index.js", "core.d.ts", "index.d.ts"];

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    match args.as_slice() {
        [wasm, package] => npm(wasm, package),
        [wasm, package, page] => {
            npm(wasm, package)?;
            page::write(package, page)
        }
        _ => Err("ptc-wasm-pack WASM PACKAGE [PAGE]".into()),
    }
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Writes the package.
fn npm(wasm: &Path, package: &Path) -> Result<(), Box<dyn Error>> {
    let mut output = Bindgen::new()
        .input_path(wasm)
        .no_modules(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate_output()?;
    std::fs::create_dir_all(package)?;
    // A function: each call of it is an instance with a memory of its own.
    let engine = format!(
        "// Written by wasm-bindgen.\n\nexport function instance(module) {{\n{}\nwasm_bindgen.initSync({{ module }});\nreturn wasm_bindgen;\n}}\n",
        output.js()
    );
    std::fs::write(package.join("engine.js"), engine)?;
    std::fs::write(package.join("ptc.wasm"), output.wasm_mut().emit_wasm())?;
    for name in SCRIPTS.iter().chain(&FILES) {
        std::fs::copy(sources().join("js").join(name), package.join(name))?;
    }
    std::fs::copy(sources().join("README.md"), package.join("README.md"))?;
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        std::fs::copy(sources().join("../..").join(name), package.join(name))?;
    }
    std::fs::write(package.join("package.json"), format!("{:#}\n", manifest()))?;
    Ok(())
}

fn manifest() -> serde_json::Value {
    serde_json::json!({
        "name": "ptc-runtime",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "A sandbox that remembers, for programs that language models write",
        "license": "MIT OR Apache-2.0",
        "type": "module",
        "engines": { "node": ">=20" },
        "sideEffects": ["./index.js"],
        "exports": {
            ".": { "types": "./index.d.ts", "default": "./index.js" },
            "./core": { "types": "./core.d.ts", "default": "./core.js" },
            "./ptc.wasm": "./ptc.wasm",
            "./package.json": "./package.json",
        },
        "types": "./index.d.ts",
    })
}
