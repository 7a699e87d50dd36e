//! Texts for others than who runs this process: without paths of its machine.

use std::path::Path;

/// Most ends of a path that are tried: one may have blanks.
const MAX_ENDS: usize = 12;

/// The text with each absolute path of this machine shortened to its file name. A path begins with a folder that is at the
/// root here, so addresses of others and paths of requests stay.
///
/// ```
/// use ptc_agent::host::hide_paths;
///
/// assert_eq!(hide_paths("/tmp/x/prices.json, line 3: no number"), "prices.json, line 3: no number");
/// assert_eq!(hide_paths("POST /v1/models of https://host/tmp/x"), "POST /v1/models of https://host/tmp/x");
/// ```
pub fn hide_paths(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut before) = (text, None);
    while let Some(c) = rest.chars().next() {
        let inside =
            before.is_some_and(|b: char| b.is_alphanumeric() || matches!(b, '/' | '\\' | '.' | '-' | '_' | '~' | '}'));
        let path = (c == '/' && !inside).then(|| path_at(rest)).flatten().filter(|p| !p.is_empty());
        let used = path.map_or(c.len_utf8(), str::len);
        let (taken, after) = rest.split_at(used);
        match path {
            Some(path) => out.push_str(path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()),
            None => out.push_str(taken),
        }
        before = taken.chars().next_back();
        rest = after;
    }
    out
}

/// The path that a text begins with, where that is one of this machine.
fn path_at(text: &str) -> Option<&str> {
    let end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ';' | ')' | ']' | '}' | '>' | '\0');
    let first = text.get(1..)?.split(|c: char| c == '/' || c == ':' || end(c)).next()?;
    let more = text.get(first.len().saturating_add(1)..)?.starts_with('/');
    if first.is_empty() || !more || !Path::new("/").join(first).is_dir() {
        return None;
    }
    // The last end behind which there is still a folder that is here; else the first.
    let ends = text.char_indices().filter(|(_, c)| *c == ':' || end(*c)).map(|(at, _)| at).chain([text.len()]);
    let candidates = ends.take(MAX_ENDS).filter_map(|at| text.get(..at)).take_while(|p| !p.contains('\n'));
    let (mut first, mut longest) = (None, None);
    for path in candidates {
        first.get_or_insert(path);
        // What has a blank in it is a path only where its folder has.
        let folder = Path::new(path).parent();
        let before = longest.or(first).unwrap_or_default();
        if folder.is_some_and(|f| f.as_os_str().len() >= before.len() && f.is_dir()) || Path::new(path).exists() {
            longest = Some(path);
        }
    }
    longest.or(first)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_of_this_machine_become_file_names_and_nothing_else_changes() {
        let folder = std::env::temp_dir().join(format!("ptc paths {}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("in put.json");
        std::fs::write(&file, "1").unwrap();
        let (here, gone) = (file.display().to_string(), folder.join("gone.json").display().to_string());
        for (text, shown) in [
            (format!("{here}: cannot read it"), "in put.json: cannot read it".to_owned()),
            (format!("{gone}: there is no such file"), "gone.json: there is no such file".to_owned()),
            (format!("\"{gone}\" and ({here})"), "\"gone.json\" and (in put.json)".to_owned()),
            ("task.toml: /usr/nothing/here/x.py:12: no".to_owned(), "task.toml: x.py:12: no".to_owned()),
            ("file:///usr/share/x".to_owned(), "file:///usr/share/x".to_owned()),
        ] {
            assert_eq!(hide_paths(&text), shown);
        }
        for same in [
            "",
            "/",
            "a/usr/b",
            "/sessions/20261123-084012-k7q2/wait",
            "GET /v1/models",
            "1 / 2",
            "~/usr/x",
            "http://h/usr/x",
            "/usr",
            "ä/ö",
        ] {
            assert_eq!(hide_paths(same), same);
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
