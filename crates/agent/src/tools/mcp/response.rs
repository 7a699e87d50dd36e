//! What a server answers, as data for programs.

use super::stdio::Kept;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json, json};
use std::borrow::Cow;

/// The answer of a call as JSON text: the structured content when there is one; else text as text, and anything else as
/// a list of maps. With `parse_json`, a text that is one JSON object or list stands for what it says. `kept` is what was
/// kept of it as it was written; `result` then holds a stand-in for that.
///
/// # Errors
/// The text of an answer that says it is an error.
pub(super) fn text(result: CallToolResult, kept: Option<Kept>, parse_json: bool) -> Result<String, String> {
    let content = match kept {
        Some(Kept::Result(text)) => return written(&text, parse_json),
        Some(Kept::Structured(text)) => Some(text),
        None => None,
    };
    if result.is_error == Some(true) {
        let words = result.content.iter().filter_map(|c| c.as_text()).map(|t| t.text.trim()).collect::<Vec<_>>();
        let words = words.join(" ");
        let words = match (words.is_empty(), content, &result.structured_content) {
            (false, ..) => words,
            (true, Some(text), _) => text,
            (true, None, Some(data)) => data.to_string(),
            (true, None, None) => "it failed without a word".to_owned(),
        };
        return Err(words);
    }
    if let Some(text) = content {
        return Ok(text);
    }
    if let Some(data) = result.structured_content {
        return Ok(data.to_string());
    }
    let all_text = result.content.iter().all(|c| c.as_text().is_some());
    if all_text {
        let lines: Vec<&str> = result.content.iter().filter_map(|c| c.as_text()).map(|t| t.text.as_str()).collect();
        if lines.is_empty() {
            return Ok("null".to_owned());
        }
        let text = lines.join("\n");
        if parse_json && text.trim_start().starts_with(['{', '[']) {
            // Kept as it stands, so that numbers lose nothing.
            if serde_json::from_str::<&serde_json::value::RawValue>(text.trim()).is_ok() {
                return Ok(text.trim().to_owned());
            }
        }
        return Ok(Json::String(text).to_string());
    }
    Ok(Json::Array(result.content.iter().map(block).collect()).to_string())
}

/// A result as it was written.
#[derive(Deserialize)]
struct Written<'a> {
    #[serde(borrow, default)]
    content: Vec<&'a RawValue>,
    #[serde(default, rename = "isError")]
    is_error: Option<bool>,
    #[serde(borrow, default, rename = "structuredContent")]
    structured: Option<&'a RawValue>,
}

/// A block of it.
#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    text: Option<&'a RawValue>,
}

impl<'a> Block<'a> {
    /// The text of a block of text, as JSON has it.
    fn of_text(raw: &'a RawValue) -> Option<&'a str> {
        let block: Block<'_> = serde_json::from_str(raw.get()).ok().filter(|b: &Block<'_>| b.kind == "text")?;
        block.text.map(RawValue::get).filter(|t| t.starts_with('"'))
    }
}

/// What [`text`] gives, of a large result; strings in it are put together as they are written, and not read.
fn written(result: &str, parse_json: bool) -> Result<String, String> {
    let odd = |e: serde_json::Error| format!("its answer is none that a tool can give ({e}); correct the server");
    let Written { content, is_error, structured } = serde_json::from_str(result).map_err(odd)?;
    let failed = is_error == Some(true);
    let texts: Option<Vec<&str>> = content.iter().map(|raw| Block::of_text(raw)).collect();
    match (texts, structured) {
        (texts, data) if failed => {
            let said = texts.unwrap_or_default().into_iter().map(serde_json::from_str::<Cow<'_, str>>);
            let said = said.collect::<Result<Vec<_>, _>>().map_err(odd)?;
            let words = said.iter().map(|t| t.trim()).collect::<Vec<_>>().join(" ");
            let silent = || data.map_or_else(|| "it failed without a word".to_owned(), |d| d.get().to_owned());
            Err(if words.is_empty() { silent() } else { words })
        }
        (_, Some(data)) => Ok(data.get().to_owned()),
        (Some(texts), None) => {
            let inside = |t: &&str| t.get(1..t.len().saturating_sub(1)).map(str::to_owned).unwrap_or_default();
            if parse_json && !texts.is_empty() {
                let lines = texts.iter().map(|t| serde_json::from_str::<String>(t)).collect::<Result<Vec<_>, _>>();
                let text = lines.map_err(odd)?.join("\n");
                let is_json = text.trim_start().starts_with(['{', '[']);
                if is_json && serde_json::from_str::<&RawValue>(text.trim()).is_ok() {
                    return Ok(text.trim().to_owned());
                }
            }
            match texts.as_slice() {
                [] => Ok("null".to_owned()),
                [one] => Ok((*one).to_owned()),
                all => Ok(format!("\"{}\"", all.iter().map(inside).collect::<Vec<_>>().join("\\n"))),
            }
        }
        (None, None) => {
            let one = |raw: &&RawValue| serde_json::from_str::<ContentBlock>(raw.get()).map(|b| block(&b));
            Ok(Json::Array(content.iter().map(one).collect::<Result<_, _>>().map_err(odd)?).to_string())
        }
    }
}

/// One block: its kind, what is known of it, and in the place of bytes that programs can do nothing with, how many.
fn block(block: &ContentBlock) -> Json {
    match block {
        ContentBlock::Text(t) => json!({"type": "text", "text": t.text}),
        ContentBlock::Image(i) => json!({"type": "image", "mime_type": i.mime_type, "bytes": decoded(&i.data)}),
        ContentBlock::Audio(a) => json!({"type": "audio", "mime_type": a.mime_type, "bytes": decoded(&a.data)}),
        ContentBlock::Resource(r) => {
            let (uri, mime, key, content) = match &r.resource {
                ResourceContents::TextResourceContents { uri, mime_type, text, .. } => {
                    (uri, mime_type, "text", json!(text))
                }
                ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                    (uri, mime_type, "bytes", json!(decoded(blob)))
                }
                _ => return json!({"type": "resource"}),
            };
            let mut map = Map::new();
            map.insert("type".into(), json!("resource"));
            map.insert("uri".into(), json!(uri));
            map.insert("mime_type".into(), json!(mime));
            map.insert(key.into(), content);
            Json::Object(map)
        }
        ContentBlock::ResourceLink(r) => {
            json!({"type": "resource_link", "uri": r.uri, "name": r.name, "mime_type": r.mime_type})
        }
        #[allow(unreachable_patterns, reason = "kinds may be added to the protocol")]
        _ => json!({"type": "unknown"}),
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

    /// What both ways give: read by the library, and as it was written.
    fn read(result: Json, parse: bool) -> Result<String, String> {
        let as_data = |r: Result<String, String>| r.map(|t| serde_json::from_str::<Json>(&t).unwrap());
        let kept = Some(Kept::Result(result.to_string()));
        let by_text = text(serde_json::from_value(json!({"content": []})).unwrap(), kept, parse);
        let read = text(serde_json::from_value(result.clone()).unwrap(), None, parse);
        if result["structuredContent"] != Json::Null || result.get("structuredContent").is_none() {
            assert_eq!(as_data(read.clone()), as_data(by_text), "{result}");
        }
        read
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
                json!({"content": [{"type": "text", "text": "x"}], "structuredContent": {"b": 1, "a": [2.50]}}),
                "{\"b\":1,\"a\":[2.5]}",
            ),
            (json!({"content": [], "structuredContent": null}), "null"),
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
        // Whole, however long: secrets are looked for before anything is cut.
        let long = failed(json!([{"type": "text", "text": "x".repeat(100_000)}]));
        assert_eq!(long.len(), 100_000);
    }
}
