//! Copies of the Rust examples whose `main` tests can call (tests/examples.rs).

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let examples = Path::new("../examples/examples");
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    println!("cargo::rerun-if-changed={}", examples.display());
    for entry in fs::read_dir(examples)? {
        let entry = entry?;
        // A file that is included may not open with the sentence of a file, and a private main cannot be called.
        let text = fs::read_to_string(entry.path())?.replace("//! ", "// ").replace("\nfn main()", "\npub fn main()");
        fs::write(Path::new(&out).join(entry.file_name()), text)?;
    }
    Ok(())
}
