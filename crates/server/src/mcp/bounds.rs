//! Results that stay small: texts are cut with a word, values of JSON are whole or left out.

use serde_json::{Map, Value, json};

/// Most bytes of the text of a result.
pub(crate) const TEXT_BYTES: usize = 11_000;
/// Most bytes of the structured content of a result. Both together, with what stands around them, are less than 24 kB.
pub(crate) const DATA_BYTES: usize = 11_000;

/// A text that takes at most `most` bytes as JSON, cut behind a line where that is near; it says where the whole one is.
pub(crate) fn text(whole: &str, most: usize, more: &str) -> String {
    if json_bytes(whole) <= most {
        return whole.to_owned();
    }
    let end = format!("\n... ({} bytes in all; {more})", whole.len());
    let head = head(whole, most.saturating_sub(json_bytes(&end)));
    let near = head.len().saturating_sub(head.len().checked_div(4).unwrap_or(0));
    let line = head.rfind('\n').filter(|at| *at >= near).and_then(|at| head.get(..at));
    format!("{}{end}", line.unwrap_or(head))
}

/// How many bytes a character takes in a string of JSON.
fn in_json(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        c if (c as u32) < 0x20 => 6,
        c => c.len_utf8(),
    }
}

fn json_bytes(text: &str) -> usize {
    text.chars().map(in_json).fold(2, usize::saturating_add)
}

/// The beginning of a text that takes at most so many bytes as JSON.
fn head(whole: &str, most: usize) -> &str {
    let mut bytes = 2_usize;
    let end = whole.char_indices().find(|(_, c)| {
        bytes = bytes.saturating_add(in_json(*c));
        bytes > most
    });
    end.and_then(|(at, _)| whole.get(..at)).unwrap_or(whole)
}

fn size(value: &Value) -> usize {
    value.to_string().len()
}

/// An object of at most `most` bytes as JSON. Of what is too large, the largest first, texts are cut, lists lose their end, and
/// all else is left out; `KEY_bytes` and `KEY_left_out` say so. The values under `whole` are never cut.
pub(crate) fn object(mut map: Map<String, Value>, most: usize, whole: &[&str]) -> Map<String, Value> {
    // Each round makes the largest smaller, or leaves it out; what is left over in the end are names and numbers.
    for _ in 0..map.len().saturating_mul(2) {
        let over = map.iter().map(|(k, v)| size(v).saturating_add(k.len()).saturating_add(4)).sum::<usize>();
        let Some(over) = over.checked_sub(most).filter(|over| *over > 0) else { return map };
        let largest = map.iter().max_by_key(|(_, v)| size(v)).map(|(k, v)| (k.clone(), size(v)));
        let Some((key, bytes)) = largest else { return map };
        let most = bytes.saturating_sub(over).saturating_sub(80);
        let smaller = match map.get(&key) {
            Some(Value::String(text)) if !whole.contains(&key.as_str()) && most > 200 => Some(cut_text(text, most)),
            Some(Value::Array(items)) if !whole.contains(&key.as_str()) => {
                let (kept, left) = cut_list(items, most);
                map.insert(format!("{key}_left_out"), json!(left));
                Some(Value::Array(kept))
            }
            _ => None,
        };
        match smaller {
            Some(smaller) if size(&smaller) < bytes => {
                map.insert(key, smaller);
            }
            _ => {
                map.shift_remove(&key);
                map.insert(format!("{key}_bytes"), json!(bytes));
            }
        }
    }
    map
}

/// A text that takes at most so many bytes as JSON.
fn cut_text(whole: &str, most: usize) -> Value {
    let end = format!(" ... ({} bytes in all)", whole.len());
    Value::String(format!("{}{end}", head(whole, most.saturating_sub(end.len()))))
}

/// The first items that take at most so many bytes together, as lines of a text in JSON, and how many are left out.
pub(crate) fn cut_list(items: &[Value], most: usize) -> (Vec<Value>, usize) {
    let (mut kept, mut bytes) = (Vec::new(), 2_usize);
    for item in items {
        bytes = bytes.saturating_add(json_bytes(&item.to_string()));
        if bytes > most {
            break;
        }
        kept.push(item.clone());
    }
    let left = items.len().saturating_sub(kept.len());
    (kept, left)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn texts_are_cut_behind_lines_and_never_inside_a_character() {
        assert_eq!(text("ab", 10, "x"), "ab");
        let long = "line\n".repeat(1000);
        let cut = text(&long, 1000, "ask");
        assert!(json_bytes(&cut) <= 1000 && cut.ends_with("line\n... (5000 bytes in all; ask)"), "{cut}");
        for most in 40..80 {
            assert!(json_bytes(&text(&"ß\"".repeat(200), most, "ask")) <= most);
        }
    }

    #[test]
    fn objects_stay_small_whatever_is_in_them() {
        let values = [
            json!("x".repeat(50_000)),
            json!("\u{1}\"".repeat(9_000)),
            json!((0..5_000).collect::<Vec<_>>()),
            json!(vec!["y".repeat(9_000); 9]),
            json!({"a": vec![1; 20_000]}),
            json!(["z".repeat(30_000)]),
            json!(7),
        ];
        for one in &values {
            for other in &values {
                for whole in [&[][..], &["value"]] {
                    let map = [("value", one), ("printed", other), ("status", &json!("ok"))];
                    let map = map.into_iter().map(|(k, v)| (k.to_owned(), v.clone())).collect();
                    let small = object(map, 11_000, whole);
                    let bytes = size(&Value::Object(small.clone()));
                    assert!(bytes <= 11_200 && small["status"] == "ok", "{bytes}");
                    if let (Some(kept), true) = (small.get("value"), whole.contains(&"value")) {
                        assert_eq!(kept, one, "a value is whole or left out");
                    }
                }
            }
        }
    }
}
