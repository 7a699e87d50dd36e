//! JSON Schemas and our types: what of a schema a type can say, and a type as a schema.

use ptc_lisp::error::cut;
use ptc_lisp::interface::Param;
use ptc_lisp::types::Type;
use serde_json::{Map, Value as Json, json};
use std::cell::Cell;

/// Levels of a schema that are read; deeper, and where it refers to itself, a type says `any`.
const DEPTH: u32 = 12;
/// Parts of a schema that are read; references can make a small schema stand for an endless type.
const PARTS: u32 = 400;
/// Looks that are taken at a schema while arguments are made ready.
const LOOKS: u32 = 1_000_000;
/// Bytes of a parameter's words.
const WORDS: usize = 1024;
/// Parameters that are told; an object with more takes any map.
const PARAMS: usize = 256;
/// Values of an `enum` that are named.
const NAMED: usize = 20;

/// The parameters that the schema of an object describes, those that must be given first; `None` when it names no
/// properties and takes any map.
pub(crate) fn params(schema: &Json) -> Option<Vec<Param>> {
    let mut r = Reader::new(schema);
    let (object, _) = r.resolve(schema);
    let properties = object.get("properties").and_then(Json::as_object).filter(|p| !p.is_empty());
    let Some(properties) = properties else {
        // An object that says it has no others takes nothing.
        let closed = object.get("additionalProperties") == Some(&Json::Bool(false)) || is_type(object, "null");
        return closed.then(Vec::new);
    };
    if properties.len() > PARAMS {
        return None;
    }
    let required = required(object);
    let mut out: Vec<Param> = Vec::new();
    for needed in [true, false] {
        for (name, part) in properties.iter().filter(|(n, _)| required.contains(&n.as_str()) == needed) {
            let shape = r.shape(part, 1);
            let shape = if needed { shape } else { optional(shape) };
            out.push(Param { name: name.clone(), shape, doc: cut(r.words(part), WORDS) });
        }
    }
    Some(out)
}

/// What makes a schema useless, in words behind its name: it is none, or refers to what is not in it. `arguments` are an
/// object. Keywords that we do not know, and types, are the server's affair.
pub(crate) fn fault(schema: &Json, arguments: bool) -> Option<String> {
    let reader = Reader::new(schema);
    if !schema.is_object() {
        return Some("is no object".to_owned());
    }
    let (target, _) = reader.resolve(schema);
    if let Some(kind) = target
        .get("type")
        .filter(|t| arguments && !t.is_null() && !is_type(target, "object") && !is_type(target, "null"))
    {
        return Some(format!("is of type {}, and arguments are an object", cut(kind.to_string(), 40)));
    }
    reader.fault(schema, &mut 0)
}

/// The type that comes nearest to a schema: never narrower than it.
pub(crate) fn shape(schema: &Json) -> Type {
    Reader::new(schema).shape(schema, 0)
}

/// What a schema says of itself in words.
pub(crate) fn description(schema: &Json) -> &str {
    schema.get("description").and_then(Json::as_str).unwrap_or_default().trim()
}

/// A type as a schema.
pub(crate) fn schema(shape: &Type) -> Json {
    match shape {
        Type::Any => json!({}),
        Type::String => json!({"type": "string"}),
        Type::Integer => json!({"type": "integer"}),
        Type::Number => json!({"type": "number"}),
        Type::Boolean => json!({"type": "boolean"}),
        Type::Map => json!({"type": "object"}),
        Type::List => json!({"type": "array"}),
        Type::ListOf(inner) => json!({"type": "array", "items": schema(inner)}),
        Type::Optional(inner) => json!({"anyOf": [schema(inner), {"type": "null"}]}),
        Type::Record { fields, closed } => {
            let properties: Map<String, Json> = fields.iter().map(|(n, s)| (n.clone(), schema(s))).collect();
            let required: Vec<&str> = fields
                .iter()
                .filter(|(_, s)| !matches!(s, Type::Optional(_) | Type::Any))
                .map(|(n, _)| n.as_str())
                .collect();
            let mut schema = json!({"type": "object", "properties": properties, "required": required});
            if *closed && let Some(schema) = schema.as_object_mut() {
                schema.insert("additionalProperties".to_owned(), Json::Bool(false));
            }
            schema
        }
    }
}

/// Takes out each `null` that stands for a property which need not be given and may not be null: programs say nil for
/// both, and who reads the arguments by their schema does not.
pub(crate) fn without_absent(schema: &Json, args: &mut Json) {
    Reader::new(schema).prune(schema, args, 0);
}

/// Reads a schema; what it refers to is looked up in the whole.
struct Reader<'s> {
    root: &'s Json,
    parts: u32,
    /// Looks at what admits null: references can make a small schema stand for an endless one here too.
    looks: Cell<u32>,
    /// References that are being read.
    inside: Vec<&'s str>,
}

fn is_type(schema: &Json, name: &str) -> bool {
    match schema.get("type") {
        Some(Json::String(t)) => t == name,
        Some(Json::Array(all)) => all.iter().any(|t| t == name),
        _ => false,
    }
}

fn required(schema: &Json) -> Vec<&str> {
    schema.get("required").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str).collect()
}

fn optional(shape: Type) -> Type {
    match shape {
        Type::Optional(_) => shape,
        other => Type::Optional(Box::new(other)),
    }
}

/// `T?` where nil may be, and nothing more where anything may be.
fn or_nil(shape: Type, nil: bool) -> Type {
    if nil && shape != Type::Any { optional(shape) } else { shape }
}

impl<'s> Reader<'s> {
    fn new(root: &'s Json) -> Self {
        Reader { root, parts: 0, looks: Cell::new(0), inside: Vec::new() }
    }

    /// What a schema refers to, as far as that lies in the same document; and the names on the way there.
    fn resolve(&self, schema: &'s Json) -> (&'s Json, Vec<&'s str>) {
        let (mut at, mut way) = (schema, Vec::new());
        while let Some(name) = at.get("$ref").and_then(Json::as_str) {
            let found = match name.strip_prefix('#') {
                Some("") => Some(self.root),
                Some(path) => self.root.pointer(path),
                None => None,
            };
            match found.filter(|_| !way.contains(&name) && way.len() < DEPTH as usize) {
                Some(next) => (at, _) = (next, way.push(name)),
                None => return (&Json::Null, way),
            }
        }
        (at, way)
    }

    fn shape(&mut self, schema: &'s Json, depth: u32) -> Type {
        self.parts = self.parts.saturating_add(1);
        if depth > DEPTH || self.parts > PARTS {
            return Type::Any;
        }
        let (schema, way) = self.resolve(schema);
        if way.iter().any(|name| self.inside.contains(name)) {
            // A type inside itself.
            return if is_type(schema, "object") { Type::Map } else { Type::Any };
        }
        let outer = self.inside.len();
        self.inside.extend(way);
        let shape = self.plain(schema, depth);
        self.inside.truncate(outer);
        shape
    }

    fn plain(&mut self, schema: &'s Json, depth: u32) -> Type {
        let Some(object) = schema.as_object() else { return Type::Any };
        for key in ["anyOf", "oneOf"] {
            if let Some(list) = object.get(key).and_then(Json::as_array) {
                return self.one_of(list, depth);
            }
        }
        if let Some(list) = object.get("allOf").and_then(Json::as_array) {
            return self.all_of(schema, list, depth);
        }
        let nullable = object.get("nullable") == Some(&Json::Bool(true));
        if let Some(values) = object.get("enum").and_then(Json::as_array) {
            return or_nil(of_values(values), nullable);
        }
        if let Some(value) = object.get("const") {
            return of_values(std::slice::from_ref(value));
        }
        match object.get("type") {
            Some(Json::String(name)) => or_nil(self.typed(name, schema, depth), nullable),
            Some(Json::Array(names)) => {
                let null = names.iter().any(|n| n == "null");
                let others: Vec<&str> = names.iter().filter_map(Json::as_str).filter(|n| *n != "null").collect();
                let shape = match others.as_slice() {
                    [] => return Type::Any,
                    [one] => self.typed(one, schema, depth),
                    ["integer", "number"] | ["number", "integer"] => Type::Number,
                    _ => Type::Any,
                };
                or_nil(shape, null || nullable)
            }
            // Some leave the type out and mean it.
            None if object.contains_key("properties") => or_nil(self.typed("object", schema, depth), nullable),
            None if object.contains_key("items") => or_nil(self.typed("array", schema, depth), nullable),
            _ => Type::Any,
        }
    }

    fn typed(&mut self, name: &str, schema: &'s Json, depth: u32) -> Type {
        match name {
            "string" => Type::String,
            "integer" => Type::Integer,
            "number" => Type::Number,
            "boolean" => Type::Boolean,
            "array" => match schema.get("items").filter(|_| schema.get("prefixItems").is_none()) {
                Some(items) if items.is_object() => match self.shape(items, depth.saturating_add(1)) {
                    Type::Any => Type::List,
                    inner => Type::ListOf(Box::new(inner)),
                },
                _ => Type::List,
            },
            "object" => match schema.get("properties").and_then(Json::as_object).filter(|p| !p.is_empty()) {
                Some(properties) => Type::Record {
                    fields: self.fields(properties, &required(schema), depth),
                    closed: schema.get("additionalProperties") == Some(&Json::Bool(false))
                        && schema.get("patternProperties").is_none(),
                },
                None => Type::Map,
            },
            _ => Type::Any,
        }
    }

    fn fields(&mut self, properties: &'s Map<String, Json>, required: &[&str], depth: u32) -> Vec<(String, Type)> {
        let field = |(name, part): (&'s String, &'s Json)| {
            let shape = self.shape(part, depth.saturating_add(1));
            (name.clone(), if required.contains(&name.as_str()) { shape } else { or_nil(shape, true) })
        };
        properties.iter().map(field).collect()
    }

    fn one_of(&mut self, list: &'s [Json], depth: u32) -> Type {
        let null = list.iter().any(|s| is_type(s, "null"));
        let others = list.iter().filter(|s| s.get("type") != Some(&json!("null")));
        let mut shapes: Vec<Type> = others.map(|s| self.shape(s, depth.saturating_add(1))).collect();
        shapes.dedup();
        let all = |f: fn(&Type) -> bool| shapes.iter().all(f);
        let shape = match shapes.as_slice() {
            [] => return Type::Any,
            [one] => one.clone(),
            _ if all(|s| matches!(s, Type::Integer | Type::Number)) => Type::Number,
            _ if all(|s| matches!(s, Type::Map | Type::Record { .. })) => Type::Map,
            _ if all(|s| matches!(s, Type::List | Type::ListOf(_))) => Type::List,
            _ => Type::Any,
        };
        or_nil(shape, null)
    }

    fn all_of(&mut self, schema: &'s Json, list: &'s [Json], depth: u32) -> Type {
        let mut fields: Vec<(String, Type)> = Vec::new();
        let own = schema.get("properties").is_some().then(|| self.typed("object", schema, depth));
        let parts: Vec<Type> =
            own.into_iter().chain(list.iter().map(|s| self.shape(s, depth.saturating_add(1)))).collect();
        if let [one] = parts.as_slice() {
            return one.clone();
        }
        for part in parts {
            // Of a part that says nothing we can use, nothing is lost; of another one all would be.
            match part {
                // Whether its parts are closed says nothing of the whole.
                Type::Record { fields: more, .. } => {
                    more.into_iter().for_each(|f| match fields.iter_mut().find(|g| g.0 == f.0) {
                        Some(known) if known.1 == f.1 => {}
                        Some(known) => known.1 = Type::Any,
                        None => fields.push(f),
                    })
                }
                Type::Map | Type::Any => {}
                _ => return Type::Any,
            }
        }
        if fields.is_empty() { Type::Any } else { Type::Record { fields, closed: false } }
    }

    /// What of a schema and the schemas in it cannot be read. `seen` counts them.
    fn fault(&self, schema: &Json, seen: &mut u32) -> Option<String> {
        *seen = seen.saturating_add(1);
        // Reading it came to an end, so it is no deeper than that allows.
        let object = match schema {
            Json::Object(object) if *seen <= LOOKS => object,
            _ => return None,
        };
        if let Some(name) = object.get("$ref").filter(|r| r.is_string()) {
            let name = name.as_str().unwrap_or_default();
            let found = name.strip_prefix('#').is_some_and(|path| path.is_empty() || self.finds(path));
            if !found {
                return Some(format!(
                    "refers to {}, which is not in it",
                    ptc_lisp::escape::quoted(&cut(name.to_owned(), 100))
                ));
            }
        }
        if object
            .get("required")
            .is_some_and(|r| r.as_array().map_or(!r.is_boolean() && !r.is_null(), |l| !l.iter().all(Json::is_string)))
        {
            return Some("has required that is no list of names".to_owned());
        }
        for key in ["properties", "patternProperties", "$defs", "definitions"] {
            let parts = match object.get(key) {
                None | Some(Json::Null) => continue,
                Some(Json::Object(parts)) => parts,
                Some(_) => return Some(format!("has {key} that are no object")),
            };
            for (name, part) in parts {
                if !part.is_object() && !part.is_boolean() {
                    let name = ptc_lisp::escape::quoted(&cut(name.clone(), 40));
                    return Some(format!("has the property {name} that is no schema"));
                }
                if let Some(why) = self.fault(part, seen) {
                    return Some(why);
                }
            }
        }
        let lists =
            ["anyOf", "oneOf", "allOf", "prefixItems", "items"].iter().filter_map(|k| object.get(*k)?.as_array());
        let single = ["items", "additionalProperties", "not"].iter().filter_map(|k| object.get(*k));
        lists.flatten().chain(single).find_map(|part| self.fault(part, seen))
    }

    /// Whether a reference in the same document leads somewhere: by a path, or by the name of an anchor.
    fn finds(&self, path: &str) -> bool {
        let plain = path.replace("%24", "$").replace("%25", "%");
        let defs = ["$defs", "definitions"].iter().filter_map(|k| self.root.get(*k)?.as_object());
        let anchor = |d: &Json| ["$anchor", "$dynamicAnchor"].iter().any(|k| d.get(*k).is_some_and(|a| *a == *path));
        self.root.pointer(&plain).is_some() || defs.flat_map(Map::values).any(anchor)
    }

    /// What a type cannot say: the description, the values that may be, the default.
    fn words(&self, schema: &'s Json) -> String {
        let (target, _) = self.resolve(schema);
        let mut words: Vec<String> = [schema, target].iter().map(|s| description(s).to_owned()).collect();
        words.dedup();
        words.retain(|w| !w.is_empty());
        words.truncate(1);
        if let Some(values) = values(target).filter(|v| !v.is_empty()) {
            let mut named: Vec<String> = values.iter().take(NAMED).map(|v| v.to_string()).collect();
            if values.len() > NAMED {
                named.push(format!("{} more", values.len().saturating_sub(NAMED)));
            }
            words.push(format!("one of {}", named.join(", ")));
        }
        if let Some(default) = schema.get("default").or_else(|| target.get("default")).filter(|d| !d.is_null()) {
            words.push(format!("default {default}"));
        }
        words.join("; ")
    }

    /// Whether one more look may be taken.
    fn look(&self) -> bool {
        self.looks.set(self.looks.get().saturating_add(1));
        self.looks.get() <= LOOKS
    }

    fn admits_null(&self, schema: &'s Json, depth: u32) -> bool {
        let (schema, _) = self.resolve(schema);
        let Some(object) = schema.as_object() else { return true };
        let among = |key: &str| {
            object
                .get(key)
                .and_then(Json::as_array)
                .map(|l| l.iter().any(|s| self.admits_null(s, depth.saturating_add(1))))
        };
        if depth > DEPTH || !self.look() {
            return true;
        }
        if let Some(values) = object.get("enum").and_then(Json::as_array) {
            return values.contains(&Json::Null);
        }
        let kinds = object.contains_key("type") || object.contains_key("properties") || object.contains_key("const");
        is_type(schema, "null")
            || object.get("nullable") == Some(&Json::Bool(true))
            || among("anyOf").or_else(|| among("oneOf")).unwrap_or(!kinds && !object.contains_key("allOf"))
    }

    fn prune(&self, schema: &'s Json, value: &mut Json, depth: u32) {
        if depth > DEPTH || !self.look() {
            return;
        }
        let (schema, _) = self.resolve(schema);
        for key in ["anyOf", "oneOf", "allOf"] {
            if let Some([one]) = schema
                .get(key)
                .and_then(Json::as_array)
                .map(|l| l.iter().filter(|s| s.get("type") != Some(&json!("null"))).collect::<Vec<_>>())
                .as_deref()
            {
                self.prune(one, value, depth.saturating_add(1));
            }
        }
        match value {
            Json::Object(map) => {
                let Some(properties) = schema.get("properties").and_then(Json::as_object) else { return };
                let required = required(schema);
                map.retain(|name, v| {
                    let absent = v.is_null()
                        && !required.contains(&name.as_str())
                        && properties.get(name).is_some_and(|p| !self.admits_null(p, 0));
                    !absent
                });
                for (name, v) in map.iter_mut() {
                    if let Some(part) = properties.get(name) {
                        self.prune(part, v, depth.saturating_add(1));
                    }
                }
            }
            Json::Array(items) => {
                if let Some(part) = schema.get("items").filter(|i| i.is_object()) {
                    items.iter_mut().for_each(|v| self.prune(part, v, depth.saturating_add(1)));
                }
            }
            _ => {}
        }
    }
}

/// The values that a schema gives one by one. An enum of Rust whose variants have words of their own is several schemas.
fn values(schema: &Json) -> Option<Vec<&Json>> {
    if let Some(all) = schema.get("enum").and_then(Json::as_array) {
        return Some(all.iter().collect());
    }
    if let Some(one) = schema.get("const") {
        return Some(vec![one]);
    }
    let list = schema.get("oneOf").or_else(|| schema.get("anyOf"))?.as_array()?;
    let each = |s| Some(values(s).filter(|_| list.len() < NAMED)?.into_iter());
    list.iter().map(each).collect::<Option<Vec<_>>>().map(|v| v.into_iter().flatten().collect())
}

/// The type of a few given values.
fn of_values(values: &[Json]) -> Type {
    let null = values.contains(&Json::Null);
    let mut others = values.iter().filter(|v| !v.is_null()).map(|v| match v {
        Json::String(_) => Type::String,
        Json::Bool(_) => Type::Boolean,
        Json::Number(n) if n.is_f64() => Type::Number,
        Json::Number(_) => Type::Integer,
        _ => Type::Any,
    });
    let Some(first) = others.next() else { return Type::Any };
    let shape = if others.all(|s| s == first) { first } else { Type::Any };
    or_nil(shape, null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_become_the_nearest_type() {
        for (schema, expected) in [
            (json!(true), "any"),
            (json!({}), "any"),
            (json!({"type": "string", "enum": ["a", "b"]}), "string"),
            (json!({"enum": [1, 2, null]}), "integer?"),
            (json!({"const": "x"}), "string"),
            (json!({"type": ["string", "null"]}), "string?"),
            (json!({"type": "integer", "nullable": true}), "integer?"),
            (json!({"type": ["integer", "number"]}), "number"),
            (json!({"type": ["string", "integer"]}), "any"),
            (json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}), "integer?"),
            (json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}), "number"),
            (json!({"anyOf": [{"type": "string"}, {"type": "array"}]}), "any"),
            (json!({"type": "array", "items": {"type": "array", "items": {"type": "string"}}}), "[[string]]"),
            (json!({"type": "array"}), "list"),
            (json!({"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "string"}}), "list"),
            (json!({"type": "object", "additionalProperties": {"type": "string"}}), "map"),
            (
                json!({"properties": {"a": {"type": "string"}, "b c": {"type": "number"}}, "required": ["b c"]}),
                "{a: string?, \"b c\": number}",
            ),
            (
                json!({"allOf": [{"$ref": "#/$defs/A"}, {"properties": {"z": {"type": "boolean"}}, "required": ["z"]}],
                       "$defs": {"A": {"type": "object", "properties": {"a": {}}}}}),
                "{a: any, z: boolean}",
            ),
            // Types inside themselves, references to nowhere and in circles.
            (
                json!({"$ref": "#/$defs/T", "$defs": {"T": {"type": "object", "required": ["kids"],
                       "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/T"}}}}}}),
                "{kids: [map]}",
            ),
            (json!({"$ref": "#/gone"}), "any"),
            (json!({"$ref": "https://example.org/x.json"}), "any"),
            (json!({"$ref": "#/a", "a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}}), "any"),
            (json!({"type": 5, "properties": []}), "any"),
        ] {
            assert_eq!(shape(&schema).to_string(), expected, "{schema}");
        }
    }

    #[test]
    fn a_schema_that_doubles_itself_is_bounded() {
        let mut defs = serde_json::Map::new();
        for i in 0..60 {
            let next = json!({"$ref": format!("#/$defs/D{}", i + 1)});
            defs.insert(format!("D{i}"), json!({"type": "object", "properties": {"a": next, "b": next, "c": next}}));
        }
        let text = shape(&json!({"$ref": "#/$defs/D0", "$defs": defs})).to_string();
        assert!(text.len() < 20_000, "{}", text.len());
        assert!(text.parse::<Type>().is_ok());
    }

    #[test]
    fn types_come_back_from_their_schemas() {
        for text in ["any", "string", "[integer]", "{a: string, b: [{c: boolean?}]?}", "number?", "map", "list"] {
            let type_: Type = text.parse().unwrap();
            assert_eq!(shape(&schema(&type_)), type_, "{text}");
        }
    }

    #[test]
    fn parameters_have_order_words_and_defaults() {
        let schema = json!({
            "type": "object",
            "properties": {
                "limit": {"type": "integer", "default": 10, "description": "Most rows"},
                "query": {"type": "string", "description": " What to look for\n"},
                "order": {"$ref": "#/$defs/Order"},
                "odd": true
            },
            "required": ["query", "gone"],
            "$defs": {"Order": {"enum": ["up", "down"], "description": "Which way"}}
        });
        let shown: Vec<String> =
            params(&schema).unwrap().iter().map(|p| format!("{} {} | {}", p.name, p.shape, p.doc)).collect();
        assert_eq!(
            shown,
            [
                "query string | What to look for",
                "limit integer? | Most rows; default 10",
                "order string? | Which way; one of \"up\", \"down\"",
                "odd any? | "
            ]
        );
        assert_eq!(params(&json!({"type": "object"})), None);
        assert_eq!(params(&json!({"type": "object", "properties": {}, "additionalProperties": false})), Some(vec![]));
        assert_eq!(params(&json!({"type": "string"})), None);
        assert_eq!(params(&Json::Null), None);
    }

    #[test]
    fn nil_that_stands_for_nothing_is_left_out() {
        let schema = json!({
            "properties": {
                "a": {"type": "string"},
                "b": {"type": ["string", "null"]},
                "c": {"type": "string"},
                "d": {},
                "e": {"type": "array", "items": {"$ref": "#/$defs/E"}},
                "f": {"anyOf": [{"$ref": "#/$defs/E"}, {"type": "null"}]}
            },
            "required": ["c"],
            "$defs": {"E": {"type": "object", "properties": {"x": {"enum": [1]}, "y": {"enum": [1, null]}}}}
        });
        let mut args = json!({"a": null, "b": null, "c": null, "d": null, "z": null,
            "e": [{"x": null, "y": null}], "f": {"x": null}});
        without_absent(&schema, &mut args);
        assert_eq!(args, json!({"b": null, "c": null, "d": null, "z": null, "e": [{"y": null}], "f": {}}));
    }
}
