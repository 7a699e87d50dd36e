//! Packs the pages of the documentation and small examples for the binary, and says which commit it is built from.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::error::Error;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Pages that are not for users, and the one that `ptc doc` makes from its tables.
const LEFT_OUT: [&str; 3] = ["architecture", "decisions", "functions"];

/// Tasks that run at once where they are written.
const EXAMPLES: [&str; 3] = ["curate", "recovery", "reviews"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("../..");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let mut pages = Vec::new();
    for path in files(&root.join("docs")) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_some_and(|e| e == "md") && !LEFT_OUT.contains(&name.as_str()) {
            pages.push((name, path));
        }
    }
    pages.push(("security".to_owned(), root.join("SECURITY.md")));
    // The public interface of the library: 18 KB, packed.
    pages.push(("api".to_owned(), root.join("docs/api/ptc.txt")));
    watch(&root.join("docs"));
    watch(&root.join("SECURITY.md"));
    pages.sort();
    pack(&pages, &out.join("pages.z"))?;
    let mut examples = Vec::new();
    for name in EXAMPLES {
        let folder = root.join("examples/tasks").join(name);
        watch(&folder);
        for path in files(&folder) {
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            examples.push((format!("{name}/{file}"), path));
        }
    }
    pack(&examples, &out.join("examples.z"))?;
    // Debug builds are built anew with every change: they would be with every commit too.
    if std::env::var("PROFILE").as_deref() == Ok("release")
        && let Some(commit) = commit(&root)
    {
        println!("cargo::rustc-env=PTC_VERSION={} ({commit})", std::env::var("CARGO_PKG_VERSION")?);
    }
    Ok(())
}

/// Has a change of this run the script again. What is not there would count as changed each time.
fn watch(path: &Path) {
    if path.exists() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

/// The files of a folder, by name; none where there is no such folder, as in a package without the rest of the workspace.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut all: Vec<PathBuf> = entries.map(|e| e.path()).filter(|p| p.is_file()).collect();
    all.sort();
    all
}

/// Writes files behind each other, compressed: of each its name and its length on a line, then its bytes.
fn pack(files: &[(String, PathBuf)], to: &Path) -> Result<(), Box<dyn Error>> {
    let mut out = ZlibEncoder::new(std::fs::File::create(to)?, Compression::best());
    for (name, path) in files.iter().filter(|(_, p)| p.is_file()) {
        let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        writeln!(out, "{name}\n{}", bytes.len())?;
        out.write_all(&bytes)?;
    }
    out.finish()?;
    Ok(())
}

/// The commit and its date, where this is a checkout and git is there. A change of what it depends on runs this again.
fn commit(root: &Path) -> Option<String> {
    let git = |args: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(args).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (output.status.success() && !text.is_empty()).then_some(text)
    };
    // Not that of a repository in which the sources were put.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if std::fs::canonicalize(top).ok()? != std::fs::canonicalize(root).ok()? {
        return None;
    }
    let branch = git(&["symbolic-ref", "-q", "HEAD"]);
    for name in ["HEAD", "logs/HEAD", "packed-refs"].into_iter().chain(branch.as_deref()) {
        watch(&root.join(git(&["rev-parse", "--git-path", name])?));
    }
    git(&["log", "-1", "--format=%h %cs"])
}
