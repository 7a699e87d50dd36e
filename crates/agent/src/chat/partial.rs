//! JSON that is still being written: what it says so far.

use serde_json::Value;

/// The value that the beginning of a JSON text stands for: open strings, lists and objects are closed where they are, a
/// key without its value and half a word are left out. `None` while nothing can be said.
///
/// ```
/// use ptc_agent::chat::partial;
///
/// assert_eq!(partial(r#"{"title": "Half a ti"#).unwrap().to_string(), r#"{"title":"Half a ti"}"#);
/// assert_eq!(partial(r#"{"a": [1, 2, {"b": tr"#).unwrap().to_string(), r#"{"a":[1,2,{}]}"#);
/// assert_eq!(partial(""), None);
/// ```
pub fn partial(text: &str) -> Option<Value> {
    let text = text.trim_start();
    // Where a value that stands there was whole, with the brackets that were open then.
    let mut whole: Option<(usize, Vec<char>)> = None;
    let mut open: Vec<char> = Vec::new();
    let mut string: Option<usize> = None;
    let mut escape: Option<usize> = None;
    // Whether the string at hand is a key, and whether a key may come next.
    let mut key_next = false;
    let mut is_key = false;
    for (at, c) in text.char_indices() {
        if string.is_some() {
            match (escape, c) {
                (Some(n), _) if n > 1 => escape = Some(n.saturating_sub(1)),
                (Some(_), 'u') => escape = Some(4),
                (Some(_), _) => escape = None,
                (None, '\\') => escape = Some(1),
                (None, '"') => {
                    string = None;
                    if !is_key {
                        whole = Some((at.saturating_add(1), open.clone()));
                    }
                }
                _ => {}
            }
            continue;
        }
        match c {
            '"' => {
                string = Some(at);
                is_key = key_next;
                key_next = false;
            }
            '{' | '[' => {
                open.push(if c == '{' { '}' } else { ']' });
                key_next = c == '{';
                whole = Some((at.saturating_add(1), open.clone()));
            }
            '}' | ']' => {
                if open.pop() != Some(c) {
                    break;
                }
                whole = Some((at.saturating_add(1), open.clone()));
                key_next = false;
            }
            ',' => {
                // What stands before it is a whole value, numbers and words among them.
                whole = Some((at, open.clone()));
                key_next = open.last() == Some(&'}');
            }
            _ => {}
        }
    }
    let close = |head: &str, open: &[char]| {
        let mut out = head.to_owned();
        out.extend(open.iter().rev());
        serde_json::from_str::<Value>(&out).ok()
    };
    // A string that is a value is shown as far as it goes; half an escape is left out.
    if let Some(from) = string.filter(|_| !is_key) {
        let end = match escape {
            Some(_) => text.rfind('\\').filter(|at| *at > from).unwrap_or(text.len()),
            None => text.len(),
        };
        let head = text.get(..end)?;
        if let Some(value) = close(&format!("{head}\""), &open) {
            return Some(value);
        }
    }
    // A number or a word at the end may be whole.
    if let Some(value) = close(text.trim_end(), &open).filter(|_| string.is_none()) {
        return Some(value);
    }
    let (end, open) = whole?;
    close(text.get(..end)?, &open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_beginning_reads_and_only_grows() {
        let text = r#"{"a": "x\"\u00e9y\\", "b": [1, 2.5, true, null, {"c d": "}]"}], "e": {}, "f": -12}"#;
        let mut seen = 0;
        for end in 1..=text.len() {
            let Some(head) = text.get(..end) else { continue };
            let value = partial(head).unwrap_or_else(|| panic!("{head}"));
            let keys = value.as_object().unwrap().len();
            assert!(keys >= seen, "{head}: {value}");
            seen = keys;
        }
        assert_eq!(partial(text).unwrap(), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn what_is_half_is_left_out() {
        for (text, expected) in [
            (r#"{"a"#, "{}"),
            (r#"{"a""#, "{}"),
            (r#"{"a": "#, "{}"),
            (r#"{"a": 1"#, r#"{"a":1}"#),
            (r#"{"a": 1, "b": fal"#, r#"{"a":1}"#),
            (r#"["x\"#, r#"["x"]"#),
            (r#"["x\u00"#, r#"["x"]"#),
            (r#"  [[], [1"#, "[[],[1]]"),
            (r#""half"#, r#""half""#),
        ] {
            assert_eq!(partial(text).map(|v| v.to_string()).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "  ", "tr", "]"] {
            assert_eq!(partial(text), None, "{text}");
        }
    }
}
