//! Types of tool parameters and returned values: `string`, `[T]`, `T?`, `{key: T}`.

use crate::builtins::lookup;
use crate::order::Realised;
use crate::value::node::on_deep_stack;
use crate::value::{Keyword, Value};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::iter::Peekable;
use std::str::{Chars, FromStr};

/// A type as task files write it (docs/language.md, "Talking to the host").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Shape {
    /// `any`
    Any,
    /// `string`
    String,
    /// `integer`
    Integer,
    /// `number`
    Number,
    /// `boolean`
    Boolean,
    /// `map`
    Map,
    /// `list`
    List,
    /// `[T]`
    ListOf(Box<Shape>),
    /// `T?`: nil too.
    Optional(Box<Shape>),
    /// `{key: T, ...}`: at least these keys.
    Record(Vec<(String, Shape)>),
}

const NAMES: &[(&str, Shape)] = &[
    ("any", Shape::Any),
    ("string", Shape::String),
    ("integer", Shape::Integer),
    ("number", Shape::Number),
    ("boolean", Shape::Boolean),
    ("map", Shape::Map),
    ("list", Shape::List),
];

/// Deepest nesting of a type.
const DEPTH: u32 = 64;

impl Shape {
    /// Whether a value is of this type.
    ///
    /// # Errors
    /// What is wrong, and where: `value.orders[2].price must be a number, got "x"`.
    pub fn check(&self, v: &Value) -> Result<(), String> {
        self.check_as("value", v)
    }

    /// The same, with the value called `name` in the words: `orders[2].price must be a number, got "x"`.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn check_as(&self, name: &str, v: &Value) -> Result<(), String> {
        self.at(v).map_err(|Wrong { mut path, problem }| {
            path.reverse();
            format!("{name}{} {problem}", path.concat())
        })
    }

    fn at(&self, v: &Value) -> Result<(), Wrong> {
        let fits = match (self, v) {
            (Shape::Any, _) | (Shape::Optional(_), Value::Nil) => true,
            (Shape::Optional(inner), v) => match on_deep_stack(|| inner.at(v)) {
                // The value itself is of the wrong type: nil would have done as well.
                Err(w) if w.path.is_empty() && w.problem.starts_with("must be") => false,
                other => return other,
            },
            (Shape::String, v) => matches!(v, Value::Str(_)),
            (Shape::Integer, v) => matches!(v, Value::Int(_) | Value::Big(_)),
            (Shape::Number, v) => matches!(v, Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Ratio(_)),
            (Shape::Boolean, v) => matches!(v, Value::Bool(_)),
            (Shape::Map | Shape::Record(_), v) if !matches!(v, Value::Map(_)) => false,
            (Shape::List | Shape::ListOf(_), v) if !(v.is_sequential() || matches!(v, Value::Set(_))) => false,
            (Shape::Map | Shape::List, _) => true,
            (Shape::ListOf(inner), v) => return on_deep_stack(|| items(inner, v)),
            (Shape::Record(fields), Value::Map(m)) => {
                return on_deep_stack(|| {
                    fields.iter().try_for_each(|(name, shape)| {
                        let key = Value::Keyword(Keyword::new(None, name));
                        let optional = matches!(shape, Shape::Optional(_) | Shape::Any);
                        match lookup::in_map(m, &key) {
                            Some(v) => shape.at(v).map_err(|w| w.inside(field(name))),
                            None if optional => Ok(()),
                            None => Err(Wrong {
                                path: Vec::new(),
                                problem: format!("must have the key {name}, which is {}", shape.words()),
                            }),
                        }
                    })
                });
            }
            (Shape::Record(_), _) => false,
        };
        if fits {
            return Ok(());
        }
        Err(Wrong { path: Vec::new(), problem: format!("must be {}, got {}", self.words(), crate::print::brief(v)) })
    }

    /// The type in words, for messages.
    fn words(&self) -> String {
        match self {
            Shape::Any => "any value".into(),
            Shape::Integer => "an integer".into(),
            Shape::String | Shape::Number | Shape::Boolean | Shape::Map | Shape::List => format!("a {self}"),
            Shape::ListOf(_) => format!("a list {self}"),
            Shape::Record(_) => format!("a map {self}"),
            Shape::Optional(inner) => format!("{} or nil", inner.words()),
        }
    }
}

/// What is wrong, and the way to it, innermost part first.
struct Wrong {
    path: Vec<String>,
    problem: String,
}

impl Wrong {
    fn inside(mut self, part: String) -> Self {
        self.path.push(part);
        self
    }
}

fn items(shape: &Shape, v: &Value) -> Result<(), Wrong> {
    let one = |(i, v): (usize, &Value)| shape.at(v).map_err(|w| w.inside(format!("[{i}]")));
    match v {
        Value::Vector(x) => x.iter().enumerate().try_for_each(one),
        Value::Slice(x) => x.iter().enumerate().try_for_each(one),
        Value::Set(x) => x.iter().enumerate().try_for_each(one),
        other => Realised::new(other).enumerate().try_for_each(|(i, v)| one((i, &v))),
    }
}

fn is_plain(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, ':' | ',' | '?' | '{' | '}' | '[' | ']' | '"' | '\\')
}

fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_plain)
}

fn field(name: &str) -> String {
    if is_plain_name(name) { format!(".{name}") } else { format!("[{name:?}]") }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::ListOf(inner) => write!(f, "[{inner}]"),
            Shape::Optional(inner) => write!(f, "{inner}?"),
            Shape::Record(fields) => {
                f.write_str("{")?;
                for (i, (name, shape)) in fields.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    if is_plain_name(name) {
                        write!(f, "{comma}{name}: {shape}")?;
                    } else {
                        let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
                        write!(f, "{comma}\"{quoted}\": {shape}")?;
                    }
                }
                f.write_str("}")
            }
            simple => f.write_str(NAMES.iter().find(|n| n.1 == *simple).map_or("any", |n| n.0)),
        }
    }
}

impl From<Shape> for String {
    fn from(shape: Shape) -> Self {
        shape.to_string()
    }
}

impl TryFrom<String> for Shape {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut p = Parser { chars: text.chars().peekable(), text };
        let shape = p.shape(0)?;
        p.blanks();
        match p.chars.peek().copied() {
            None => Ok(shape),
            Some(c) => Err(p.wrong(&format!("{c} stands where the type has ended"))),
        }
    }
}

struct Parser<'t> {
    chars: Peekable<Chars<'t>>,
    text: &'t str,
}

impl Parser<'_> {
    fn wrong(&self, what: &str) -> String {
        let text = crate::error::cut(self.text.to_string(), 200);
        format!(
            "{what}, in the type {text}; types are string integer number boolean map list any, [T], T? and {{key: T}}"
        )
    }

    fn blanks(&mut self) {
        while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
    }

    fn eat(&mut self, c: char) -> bool {
        self.blanks();
        self.chars.next_if_eq(&c).is_some()
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(c) = self.chars.next_if(|c| is_plain(*c)) {
            word.push(c);
        }
        word
    }

    fn shape(&mut self, depth: u32) -> Result<Shape, String> {
        if depth > DEPTH {
            return Err(self.wrong("nested too deep"));
        }
        let mut shape = if self.eat('[') {
            let inner = self.shape(depth + 1)?;
            if !self.eat(']') {
                return Err(self.wrong("a [ is not closed"));
            }
            Shape::ListOf(Box::new(inner))
        } else if self.eat('{') {
            self.record(depth)?
        } else {
            let word = self.word();
            match NAMES.iter().find(|n| n.0 == word) {
                Some(n) => n.1.clone(),
                None if word.is_empty() => return Err(self.wrong("a type is missing")),
                None => return Err(self.wrong(&format!("unknown type {word}"))),
            }
        };
        while self.eat('?') {
            if !matches!(shape, Shape::Optional(_)) {
                shape = Shape::Optional(Box::new(shape));
            }
        }
        Ok(shape)
    }

    fn record(&mut self, depth: u32) -> Result<Shape, String> {
        let mut fields: Vec<(String, Shape)> = Vec::new();
        while !self.eat('}') {
            let name = self.name()?;
            if fields.iter().any(|f| f.0 == name) {
                return Err(self.wrong(&format!("the key {name} stands twice")));
            }
            if !self.eat(':') {
                return Err(self.wrong("a key needs a : and a type"));
            }
            fields.push((name, self.shape(depth + 1)?));
            if !self.eat(',') && self.chars.peek() != Some(&'}') {
                return Err(self.wrong("a { is not closed"));
            }
        }
        Ok(Shape::Record(fields))
    }

    fn name(&mut self) -> Result<String, String> {
        if !self.eat('"') {
            let word = self.word();
            return if word.is_empty() { Err(self.wrong("a key is missing")) } else { Ok(word) };
        }
        let mut name = String::new();
        loop {
            match self.chars.next() {
                Some('"') => return Ok(name),
                Some('\\') => name.extend(self.chars.next()),
                Some(c) => name.push(c),
                None => return Err(self.wrong("a key's \" is not closed")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Shape;
    use crate::json::parse_text;
    use crate::limits::Limits;

    fn shape(text: &str) -> Shape {
        text.parse().unwrap_or(Shape::Any)
    }

    #[test]
    fn text_reads_back_as_itself() {
        for text in [
            "string",
            "[integer]",
            "number?",
            "{a: string, b: [{c: boolean?}]?}",
            "[[any]]",
            "{}",
            "{\"odd key\": map}",
            "{\"a\\\"b\": list}",
        ] {
            assert_eq!(shape(text).to_string(), text);
        }
        assert_eq!(shape(" { a :string , b:[ integer ] } ").to_string(), "{a: string, b: [integer]}");
        for text in ["", "int", "[string", "{a}", "{a: string", "string string", "{a: any, a: any}", "?", "]"] {
            assert!(text.parse::<Shape>().is_err(), "{text}");
        }
        assert!("[".repeat(10_000).parse::<Shape>().is_err());
    }

    #[test]
    fn errors_say_where_and_what() {
        let json = |text: &str| parse_text(text, &Limits::default()).unwrap_or_default();
        let s = shape("{orders: [{price: number, note: string?}]}");
        assert_eq!(s.check(&json(r#"{"orders": [{"price": 1, "x": 2}, {"price": 2.5, "note": null}]}"#)), Ok(()));
        let wrong = s.check(&json(r#"{"orders": [{"price": 1}, {"price": "x"}]}"#));
        assert_eq!(wrong, Err("value.orders[1].price must be a number, got \"x\"".to_string()));
        let wrong = shape("[{price: number}]").check_as("orders", &json(r#"[{"price": null}]"#));
        assert_eq!(wrong, Err("orders[0].price must be a number, got nil".to_string()));
        let wrong = s.check(&json("{}"));
        assert_eq!(
            wrong,
            Err("value must have the key orders, which is a list [{price: number, note: string?}]".to_string())
        );
        assert_eq!(shape("integer").check(&json("1.5")), Err("value must be an integer, got 1.5".to_string()));
        assert_eq!(shape("string?").check(&json("5")), Err("value must be a string or nil, got 5".to_string()));
    }
}
