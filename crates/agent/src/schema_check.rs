//! Checks returned values against JSON schemas: here, in this process, with nothing fetched from anywhere.

use crate::error::{Error, ErrorKind};
#[cfg(feature = "schemas")]
use jsonschema::Validator;
use ptc_lisp::error::cut;
use ptc_lisp::escape;
use ptc_turns::session::return_check::Check;
use ptc_turns::{Header, Json};
use serde_json::Value;
use std::sync::Arc;

/// Mistakes of a value that are reported; the rest is counted.
const MAX_ERRORS: usize = 10;
/// Bytes of one mistake's words: they may hold the value itself.
const WORDS: usize = 200;

/// What a returned value is held to by this schema.
///
/// # Errors
/// When it is no JSON schema, or refers to one that does not stand in it.
#[cfg(feature = "schemas")]
pub(crate) fn check(schema: &Value) -> Result<Check, Error> {
    let validator = jsonschema::validator_for(schema).map_err(|e| {
        Error::new(
            ErrorKind::Task,
            format!("no JSON schema: {}", words(&e.to_string(), &e.instance_path().to_string())),
        )
    })?;
    let fits = move |text: &str| {
        let value: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        fits(&validator, &value)
    };
    Ok(Check { schema: Json::new(schema.to_string()).unwrap_or_default(), fits: Arc::new(fits) })
}

/// Refuses a schema.
///
/// # Errors
/// Always: this build has no validator of JSON schemas.
#[cfg(not(feature = "schemas"))]
pub(crate) fn check(_: &Value) -> Result<Check, Error> {
    Err(Error::without_feature(ErrorKind::Task, "values cannot be held to a JSON schema", "schemas"))
}

/// What returned values of a session with this header are held to.
///
/// # Errors
/// As [`check`].
pub(crate) fn of_header(header: &Header) -> Result<Option<Check>, Error> {
    let Some(schema) = &header.expect_schema else { return Ok(None) };
    let schema = serde_json::from_str(schema.text()).map_err(|e| Error::new(ErrorKind::Task, e.to_string()))?;
    check(&schema).map(Some)
}

#[cfg(feature = "schemas")]
fn fits(validator: &Validator, value: &Value) -> Result<(), String> {
    let mut errors = validator.iter_errors(value);
    let told: Vec<String> =
        errors.by_ref().take(MAX_ERRORS).map(|e| words(&e.to_string(), &e.instance_path().to_string())).collect();
    if told.is_empty() {
        return Ok(());
    }
    let more = match errors.count() {
        0 => String::new(),
        n => format!("; and {n} more"),
    };
    Err(format!("{}{more}", told.join("; ")))
}

/// A mistake with its place: `at /items/0/price: "x" is not of type "number"`.
#[cfg(feature = "schemas")]
fn words(text: &str, path: &str) -> String {
    let place = if path.is_empty() { "at the top".to_owned() } else { format!("at {path}") };
    escape::line(&format!("{place}: {}", cut(text.to_owned(), WORDS)))
}

#[cfg(test)]
#[cfg(feature = "schemas")]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn mistakes_are_told_path_by_path() {
        let schema = json!({
            "type": "object",
            "required": ["items", "total"],
            "additionalProperties": false,
            "properties": {
                "total": {"type": "number", "minimum": 0},
                "items": {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "number"}}}}
            }
        });
        let check = check(&schema).unwrap();
        let told = |value: Value| (check.fits)(&value.to_string()).map_or_else(|e| e, |()| String::new());
        assert_eq!(told(json!({"items": [{"price": 1.5}], "total": 1.5})), "");
        let wrong = told(json!({"items": [{"price": 1}, {"price": "x"}], "totl": 1}));
        assert!(wrong.contains("at /items/1/price: \"x\" is not of type \"number\""), "{wrong}");
        assert!(wrong.contains("at the top: \"total\" is a required property"), "{wrong}");
        assert!(wrong.contains("totl") && !wrong.contains('\n'), "{wrong}");
        assert!(told(json!({"items": [], "total": -1})).starts_with("at /total: -1 is less than"));
        let many: Vec<Value> = (0..30).map(|_| json!({"price": "x".repeat(500)})).collect();
        let many = told(json!({"items": many, "total": 1}));
        assert!(many.ends_with("; and 20 more") && many.len() < 3000, "{many}");
    }

    #[test]
    fn what_is_no_schema_or_lies_elsewhere_is_refused() {
        let file = std::env::temp_dir().join(format!("ptc-expected-{}.json", std::process::id()));
        std::fs::write(&file, "{\"type\": \"string\"}").unwrap();
        // It is there, and could be read.
        let there = format!("file://{}", file.display());
        for schema in [
            json!({"type": "strin"}),
            json!({"$ref": "http://example.invalid/x.json"}),
            json!({"$ref": there}),
            json!({"type": "object", "properties": {"x": {"$ref": format!("{there}#/type")}}}),
            json!({"$id": there, "properties": {"x": {"$ref": "other.json"}}}),
            json!({"$schema": there, "type": "string"}),
            json!(5),
        ] {
            let error = check(&schema).map(drop).expect_err(&schema.to_string()).to_string();
            assert!(error.starts_with("no JSON schema: ") && !error.contains('\n'), "{error}");
        }
        std::fs::remove_file(&file).unwrap();
    }
}
