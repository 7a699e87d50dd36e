//! What a server answers, as data for programs.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};
use std::borrow::Cow;
use std::collections::HashMap;

/// A result as it was written. Servers say `null` for what they leave out.
#[derive(Deserialize)]
struct Written<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    content: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "isError")]
    is_error: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "structuredContent")]
    structured: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "resultType")]
    kind: Option<&'a RawValue>,
}

/// A block of it.
#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    text: Option<&'a RawValue>,
}

/// The value of a key that is there, also of one that is null.
fn present<'de: 'a, 'a, D: Deserializer<'de>>(d: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(d).map(Some)
}

/// The text of a block of text, as JSON has it; a bare string is one too.
fn of_text(raw: &RawValue) -> Option<Cow<'_, str>> {
    let raw = raw.get();
    if raw.starts_with('"') {
        return Some(Cow::Borrowed(raw));
    }
    let block = Some(raw).filter(|r| r.starts_with('{')).and_then(|r| serde_json::from_str::<Block<'_>>(r).ok());
    let text = block.filter(|b| b.kind == "text")?.text.map_or("\"\"", RawValue::get);
    // A number or an object in the place of a text is what it says.
    Some(if text.starts_with('"') { Cow::Borrowed(text) } else { Cow::Owned(Json::from(text).to_string()) })
}

/// The answer of a call as JSON text: the structured content when there is one; else text as text, and anything else as
/// a list of maps. With `parse_json`, a text that is one JSON object or list stands for what it says. Strings are put
/// together as they are written, and not read.
///
/// # Errors
/// The text of an answer that says it is an error.
pub(super) fn text(result: &str, parse_json: bool) -> Result<String, String> {
    let odd = |e: serde_json::Error| format!("its answer is none that a tool can give ({e}); correct the server");
    if !result.starts_with('{') {
        return Err("its answer is none that a tool can give (it is no object); correct the server".to_owned());
    }
    let Written { content, is_error, structured, kind } = serde_json::from_str(result).map_err(odd)?;
    if kind.is_some_and(|k| k.get() == "\"input_required\"") {
        return Err("it asks for input, which nobody here can give".to_owned());
    }
    let missing = content.is_none();
    let content: Vec<&RawValue> = match content {
        None => Vec::new(),
        Some(null) if null.get() == "null" => Vec::new(),
        Some(list) if list.get().starts_with('[') => serde_json::from_str(list.get()).map_err(odd)?,
        Some(one) => vec![one],
    };
    let texts: Vec<Cow<'_, str>> = content.iter().filter_map(|raw| of_text(raw)).collect();
    let read = || texts.iter().map(|t| serde_json::from_str::<String>(t)).collect::<Result<Vec<_>, _>>().map_err(odd);
    if is_error.is_some_and(|e| e.get() == "true") {
        let mut words = vec![read()?.iter().map(|t| t.trim()).collect::<Vec<_>>().join(" ")];
        // Many say the same twice, as text and as data.
        let said = words.first().is_some_and(|w| w.starts_with(['{', '[']));
        words.extend(structured.filter(|_| !said).map(|d| d.get().to_owned()));
        words.retain(|w| !w.is_empty());
        return Err(if words.is_empty() { "it failed without a word".to_owned() } else { words.join(" ") });
    }
    if let Some(data) = structured {
        return Ok(data.get().to_owned());
    }
    // Nothing at all is nil; an answer under other keys is not lost without a word.
    let known = |key: &String| ["_meta", "isError", "structuredContent"].contains(&key.as_str());
    if missing && !serde_json::from_str::<HashMap<String, IgnoredAny>>(result).map_err(odd)?.keys().all(known) {
        return Err("its answer has neither content nor structuredContent; correct the server".to_owned());
    }
    if texts.len() < content.len() {
        let one = |raw: &&RawValue| serde_json::from_str::<Json>(raw.get()).map(block);
        return Ok(Json::Array(content.iter().map(one).collect::<Result<_, _>>().map_err(odd)?).to_string());
    }
    if parse_json && !texts.is_empty() {
        let text = read()?.join("\n");
        let is_json = text.trim_start().starts_with(['{', '[']);
        // Kept as it stands, so that numbers lose nothing.
        if is_json && serde_json::from_str::<&RawValue>(text.trim()).is_ok() {
            return Ok(text.trim().to_owned());
        }
    }
    let inside = |t: &Cow<'_, str>| t.get(1..t.len().saturating_sub(1)).map(str::to_owned).unwrap_or_default();
    Ok(match texts.as_slice() {
        [] => "null".to_owned(),
        [one] => one.to_string(),
        all => format!("\"{}\"", all.iter().map(inside).collect::<Vec<_>>().join("\\n")),
    })
}

/// One block: its kind, what is known of it, and in the place of bytes that programs can do nothing with, how many. One of
/// a kind that we do not know stays as it is.
fn block(block: Json) -> Json {
    let of = |at: &Json, key: &str| at.get(key).cloned().unwrap_or_default();
    let bytes = |at: &Json, key: &str| json!(decoded(at.get(key).and_then(Json::as_str).unwrap_or_default()));
    let kind = block.get("type").and_then(Json::as_str).unwrap_or_default();
    match kind {
        "image" | "audio" => {
            json!({"type": kind, "mime_type": of(&block, "mimeType"), "bytes": bytes(&block, "data")})
        }
        "resource" => {
            let resource = of(&block, "resource");
            let (key, content) = match resource.get("blob") {
                Some(Json::String(_)) => ("bytes", bytes(&resource, "blob")),
                _ => ("text", of(&resource, "text")),
            };
            let (uri, mime) = (of(&resource, "uri"), of(&resource, "mimeType"));
            json!({"type": "resource", "uri": uri, "mime_type": mime, key: content})
        }
        "resource_link" => {
            let (uri, name) = (of(&block, "uri"), of(&block, "name"));
            json!({"type": "resource_link", "uri": uri, "name": name, "mime_type": of(&block, "mimeType")})
        }
        "text" => json!({"type": "text", "text": of(&block, "text")}),
        _ => block,
    }
}

/// Bytes that a base64 text stands for.
fn decoded(base64: &str) -> usize {
    let digits = base64.bytes().filter(|b| !b.is_ascii_whitespace() && *b != b'=').count();
    digits.saturating_mul(3) / 4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(result: Json, parse: bool) -> Result<String, String> {
        text(&result.to_string(), parse)
    }

    #[test]
    fn answers_become_data() {
        let of_text = |t: &str| json!({"content": [{"type": "text", "text": t}]});
        for (result, expected) in [
            (json!({"content": []}), "null"),
            (of_text("hi"), "\"hi\""),
            (of_text("5"), "\"5\""),
            (of_text("{\"a\": 1}"), "\"{\\\"a\\\": 1}\""),
            (json!({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}), "\"a\\nb\""),
            (
                json!({"content": [{"type": "text", "text": "x"}], "structuredContent": {"b": 1, "a": [2.5]}}),
                "{\"b\":1,\"a\":[2.5]}",
            ),
            (json!({"content": [], "structuredContent": null}), "null"),
            // What servers write that others wrote.
            (json!({"content": [{"type": "text", "text": "x"}], "structuredContent": null, "isError": null}), "\"x\""),
            (json!({"content": null}), "null"),
            (json!({}), "null"),
            (json!({"content": "x"}), "\"x\""),
            (json!({"content": ["x", {"type": "text", "text": null}]}), "\"x\\n\""),
            (json!({"content": {"type": "text", "text": 5}}), "\"5\""),
            (
                json!({"content": [{"type": "table", "rows": [1]}, 5, {"type": "image"}, {"type": "resource"}]}),
                "[{\"type\":\"table\",\"rows\":[1]},5,{\"type\":\"image\",\"mime_type\":null,\"bytes\":0},{\"type\":\"resource\",\"uri\":null,\"mime_type\":null,\"text\":null}]",
            ),
            (
                json!({"content": [{"type": "image", "data": "AAAAAAA=", "mimeType": "image/png"}, {"type": "text", "text": "x"}]}),
                "[{\"type\":\"image\",\"mime_type\":\"image/png\",\"bytes\":5},{\"type\":\"text\",\"text\":\"x\"}]",
            ),
            (
                json!({"content": [{"type": "resource", "resource": {"uri": "a://b", "text": "t"}}]}),
                "[{\"type\":\"resource\",\"uri\":\"a://b\",\"mime_type\":null,\"text\":\"t\"}]",
            ),
            (
                json!({"content": [{"type": "resource", "resource": {"uri": "a://b", "blob": "AAAA", "mimeType": "x/y"}}]}),
                "[{\"type\":\"resource\",\"uri\":\"a://b\",\"mime_type\":\"x/y\",\"bytes\":3}]",
            ),
            (
                json!({"content": [{"type": "resource_link", "uri": "a://b", "name": "n"}]}),
                "[{\"type\":\"resource_link\",\"uri\":\"a://b\",\"name\":\"n\",\"mime_type\":null}]",
            ),
        ] {
            assert_eq!(read(result.clone(), false), Ok(expected.to_owned()), "{result}");
        }
        assert_eq!(
            read(of_text(" {\"a\": 12345678901234567890123} "), true).unwrap(),
            "{\"a\": 12345678901234567890123}"
        );
        assert_eq!(read(of_text("{\"a\": 1} and more"), true).unwrap(), "\"{\\\"a\\\": 1} and more\"");
        assert_eq!(read(of_text("5"), true).unwrap(), "\"5\"");
    }

    #[test]
    fn errors_say_what_the_server_said() {
        let failed = |content: Json| read(json!({"content": content, "isError": true}), false).unwrap_err();
        assert_eq!(
            failed(json!([{"type": "text", "text": "no such\n"}, {"type": "text", "text": "file"}])),
            "no such file"
        );
        assert_eq!(failed(json!([])), "it failed without a word");
        let bare = read(json!({"nothing": "known"}), false).unwrap_err();
        assert!(bare.starts_with("its answer has neither content nor structuredContent"), "{bare}");
        assert_eq!(failed(json!([{"type": "image"}, {"type": "text", "text": "no light"}])), "no light");
        let both = |text: &str| json!({"content": [{"type": "text", "text": text}], "structuredContent": {"code": 7}, "isError": true});
        assert_eq!(read(both("no"), false).unwrap_err(), "no {\"code\":7}");
        assert_eq!(read(both("{\"code\": 7}"), false).unwrap_err(), "{\"code\": 7}");
        let asks = json!({"resultType": "input_required", "inputRequests": {}});
        assert_eq!(read(asks, false).unwrap_err(), "it asks for input, which nobody here can give");
        assert!(read(json!([1]), false).unwrap_err().starts_with("its answer is none that a tool can give ("));
        // Whole, however long: secrets are looked for before anything is cut.
        let long = failed(json!([{"type": "text", "text": "x".repeat(100_000)}]));
        assert_eq!(long.len(), 100_000);
    }
}
