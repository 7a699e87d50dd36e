//! The playground: one HTML file with all that it needs.

use crate::{SCRIPTS, sources};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::error::Error;
use std::io::Write as _;
use std::path::Path;

/// Writes it, of the package.
pub fn write(package: &Path, page: &Path) -> Result<(), Box<dyn Error>> {
    let read = |name: &str| std::fs::read_to_string(sources().join("playground").join(name));
    let worker = [script(&package.join("engine.js"))?, of_package(package)?, read("worker.js")?].join("\n");
    let html = fill(&read("page.html")?, |name| match name {
        "style" => Ok(read("style.css")?),
        "examples" => Ok(inside(&read("examples.json")?)),
        "worker" => Ok(inside(&worker)),
        "page" => Ok(inside(&read("page.js")?)),
        "wasm" => packed(&std::fs::read(package.join("ptc.wasm"))?),
        "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
        other => Err(format!("page.html asks for {other}").into()),
    })?;
    Ok(std::fs::write(page, html)?)
}

/// The template with its `{{names}}` filled in, each once and none of what is filled in.
fn fill(template: &str, value: impl Fn(&str) -> Result<String, Box<dyn Error>>) -> Result<String, Box<dyn Error>> {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, (name, after))) =
        rest.split_once("{{").and_then(|(before, from)| Some((before, from.split_once("}}")?)))
    {
        out.push_str(before);
        out.push_str(&value(name)?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// The scripts of the package as one script: modules below each other, without what joins them.
fn of_package(package: &Path) -> Result<String, Box<dyn Error>> {
    let all: Result<Vec<String>, _> = SCRIPTS.iter().map(|name| script(&package.join(name))).collect();
    Ok(all?.join("\n"))
}

fn script(path: &Path) -> Result<String, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let joins =
        |line: &&str| !line.starts_with("import ") && !line.starts_with("export {") && !line.starts_with("export *");
    let lines = text.lines().filter(joins).map(|line| line.strip_prefix("export ").unwrap_or(line));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// Text as it stands inside of an element `script`.
fn inside(text: &str) -> String {
    text.replace("</script", "<\\/script").replace("<!--", "<\\!--")
}

/// Bytes packed, as base64.
fn packed(bytes: &[u8]) -> Result<String, Box<dyn Error>> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(bytes)?;
    let bytes = gzip.finish()?;
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len() / 3 * 4 + 4);
    for three in bytes.chunks(3) {
        let n = three.iter().fold(0u32, |n, b| n << 8 | u32::from(*b)) << (8 * (3 - three.len()));
        for at in 0..4 {
            let digit = DIGITS.get((n >> (18 - 6 * at)) as usize & 63).copied().unwrap_or_default();
            out.push(if at <= three.len() { char::from(digit) } else { '=' });
        }
    }
    Ok(out)
}
