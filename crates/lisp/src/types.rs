//! Types of tool parameters and returned values: `string`, `[T]`, `T?`, `{key: T}`, `closed {key: T}`.

use crate::value::compare::RealizedIter;
use crate::value::lookup;
use crate::value::node::on_deep_stack;
use crate::value::{Keyword, Map, Value};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::iter::Peekable;
use std::str::{Chars, FromStr};

/// A type as task files write it (docs/language.md, "Talking to the host").
///
/// ```
/// use ptc_lisp::types::Type;
///
/// let list: Type = "[{name: string, cents: integer?}]".parse()?;
/// assert_eq!(list.to_string(), "[{name: string, cents: integer?}]");
/// assert!("[string".parse::<Type>().is_err());
/// # Ok::<(), <Type as std::str::FromStr>::Err>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Type {
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
    ListOf(Box<Type>),
    /// `T?`: nil too.
    Optional(Box<Type>),
    /// `{key: T}`: a map with these keys, or `closed {key: T}`: with no others. A key of type `T?` or `any` may be
    /// missing.
    Record {
        /// The keys and their types, in the order in which they are written.
        fields: Vec<(String, Type)>,
        /// Whether keys that are not among them are refused.
        closed: bool,
    },
}

const NAMES: &[(&str, Type)] = &[
    ("any", Type::Any),
    ("string", Type::String),
    ("integer", Type::Integer),
    ("number", Type::Number),
    ("boolean", Type::Boolean),
    ("map", Type::Map),
    ("list", Type::List),
];

/// Deepest nesting of a type.
const DEPTH: u32 = 64;

impl Type {
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
        self.told(name, v, false)
    }

    /// The same for a value that was read from JSON, where `5.0` is an integer as well.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn check_json_as(&self, name: &str, v: &Value) -> Result<(), String> {
        self.told(name, v, true)
    }

    /// In words, whether the maps that it describes may have further keys; nothing where it describes none.
    pub fn openness(&self) -> Option<&'static str> {
        match self.records() {
            (false, false) => None,
            (true, false) => Some("maps may have further keys"),
            (false, true) => Some("a closed map has no other keys"),
            (true, true) => Some("maps may have further keys, closed ones may not"),
        }
    }

    /// Whether it describes maps that are open, and maps that are closed.
    fn records(&self) -> (bool, bool) {
        match self {
            Type::Optional(inner) | Type::ListOf(inner) => inner.records(),
            Type::Record { fields, closed } => fields.iter().fold((!closed, *closed), |(open, shut), (_, shape)| {
                let inner = shape.records();
                (open || inner.0, shut || inner.1)
            }),
            _ => (false, false),
        }
    }

    fn told(&self, name: &str, v: &Value, json: bool) -> Result<(), String> {
        self.at(v, json).map_err(|Wrong { mut path, problem }| {
            path.reverse();
            format!("{name}{} {problem}", path.concat())
        })
    }

    fn at(&self, v: &Value, json: bool) -> Result<(), Wrong> {
        let fits = match (self, v) {
            (Type::Any, _) | (Type::Optional(_), Value::Nil) => true,
            (Type::Optional(inner), v) => match on_deep_stack(|| inner.at(v, json)) {
                // The value itself is of the wrong type: nil would have done as well.
                Err(w) if w.path.is_empty() && w.problem.starts_with("must be") => false,
                other => return other,
            },
            (Type::String, v) => matches!(v, Value::Str(_)),
            (Type::Integer, Value::Float(x)) => json && x.get().fract() == 0.0,
            (Type::Integer, v) => matches!(v, Value::Int(_) | Value::Big(_)),
            (Type::Number, v) => crate::number::is_number(v),
            (Type::Boolean, v) => matches!(v, Value::Bool(_)),
            (Type::Map | Type::Record { .. }, v) if !matches!(v, Value::Map(_)) => false,
            (Type::List | Type::ListOf(_), v) if !(v.is_sequential() || matches!(v, Value::Set(_))) => false,
            (Type::Map | Type::List, _) => true,
            (Type::ListOf(inner), v) => return on_deep_stack(|| items(inner, v, json)),
            (Type::Record { fields, closed }, Value::Map(m)) => {
                return on_deep_stack(|| {
                    let mut found = 0;
                    for (name, shape) in fields {
                        let key = Value::Keyword(Keyword::new(None, name));
                        let optional = matches!(shape, Type::Optional(_) | Type::Any);
                        match lookup::in_map(m, &key) {
                            Some(v) => {
                                found += 1;
                                shape.at(v, json).map_err(|w| w.inside(field(name)))?;
                            }
                            None if optional => {}
                            None => {
                                return Err(Wrong::here(format!(
                                    "must have the key {name}, which is {}",
                                    shape.words()
                                )));
                            }
                        }
                    }
                    // What is more than those that were found is none of them.
                    if *closed && m.len() > found { Err(self.surplus(fields, m)) } else { Ok(()) }
                });
            }
            (Type::Record { .. }, _) => false,
        };
        if fits {
            return Ok(());
        }
        Err(Wrong::here(format!("must be {}, got {}", self.words(), crate::print::brief(v))))
    }

    /// The first key of a map that a closed shape does not have.
    fn surplus(&self, fields: &[(String, Type)], m: &Map) -> Wrong {
        let names: Vec<&str> = fields.iter().map(|f| f.0.as_str()).collect();
        let text = |k: &Value| match k {
            Value::Keyword(k) => Some(k.text().to_owned()),
            Value::Str(s) => Some(s.as_str().to_owned()),
            _ => None,
        };
        let mut seen: Vec<String> = Vec::new();
        for key in m.keys() {
            let Some(name) = text(key) else { return self.refused(&crate::print::brief(key), None) };
            // A name that occurs twice, as keyword and as string, is one too many.
            if names.contains(&name.as_str()) && !seen.contains(&name) {
                seen.push(name);
                continue;
            }
            let near = crate::suggest::did_you_mean(&name, names.iter().copied());
            let shown = crate::escape::quoted(&crate::error::cut(name.clone(), 200));
            return self.refused(&shown, near);
        }
        self.refused("a key of another kind", None)
    }

    fn refused(&self, key: &str, near: Option<&str>) -> Wrong {
        let near = near.map(|n| format!("; did you mean {n}?")).unwrap_or_default();
        Wrong::here(format!("has the key {key}, and {self} has no other keys{near}"))
    }

    /// The type in words, for messages.
    fn words(&self) -> String {
        match self {
            Type::Any => "any value".into(),
            Type::Integer => "an integer".into(),
            Type::String | Type::Number | Type::Boolean | Type::Map | Type::List => format!("a {self}"),
            Type::ListOf(_) => format!("a list {self}"),
            Type::Record { .. } => format!("a map {self}"),
            Type::Optional(inner) => format!("{} or nil", inner.words()),
        }
    }
}

/// What is wrong, and the way to it, innermost part first.
struct Wrong {
    path: Vec<String>,
    problem: String,
}

impl Wrong {
    fn here(problem: String) -> Self {
        Wrong { path: Vec::new(), problem }
    }

    fn inside(mut self, part: String) -> Self {
        self.path.push(part);
        self
    }
}

fn items(shape: &Type, v: &Value, json: bool) -> Result<(), Wrong> {
    let one = |(i, v): (usize, &Value)| shape.at(v, json).map_err(|w| w.inside(format!("[{i}]")));
    match v {
        Value::Vector(x) => x.iter().enumerate().try_for_each(one),
        Value::Slice(x) => x.iter().enumerate().try_for_each(one),
        Value::Set(x) => x.iter().enumerate().try_for_each(one),
        other => RealizedIter::new(other).enumerate().try_for_each(|(i, v)| one((i, &v))),
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

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::ListOf(inner) => write!(f, "[{inner}]"),
            Type::Optional(inner) => write!(f, "{inner}?"),
            Type::Record { fields, closed } => {
                f.write_str(if *closed { "closed {" } else { "{" })?;
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

impl From<Type> for String {
    fn from(shape: Type) -> Self {
        shape.to_string()
    }
}

impl TryFrom<String> for Type {
    type Error = TypeError;
    fn try_from(text: String) -> Result<Self, TypeError> {
        text.parse()
    }
}

/// Why a text is no [`Type`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}; {HINT}")]
pub struct TypeError {
    message: String,
}

/// What types there are.
const HINT: &str = "types are string integer number boolean map list any, [T], T?, {key: T} and closed {key: T}";

impl TypeError {
    /// What is wrong, with the text.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What types there are.
    pub fn hint(&self) -> &'static str {
        HINT
    }
}

impl FromStr for Type {
    type Err = TypeError;

    fn from_str(text: &str) -> Result<Self, TypeError> {
        let mut p = Parser { chars: text.chars().peekable(), text };
        let shape = p.shape(0)?;
        p.blanks();
        match p.chars.peek().copied() {
            None => Ok(shape),
            Some(c) => Err(p.wrong(&format!("unexpected {c} after the type"))),
        }
    }
}

struct Parser<'t> {
    chars: Peekable<Chars<'t>>,
    text: &'t str,
}

impl Parser<'_> {
    fn wrong(&self, what: &str) -> TypeError {
        let text = crate::error::cut(self.text.to_string(), 200);
        TypeError { message: format!("{what}, in the type {text}") }
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

    fn shape(&mut self, depth: u32) -> Result<Type, TypeError> {
        if depth > DEPTH {
            return Err(self.wrong("nested too deep"));
        }
        let mut shape = if self.eat('[') {
            let inner = self.shape(depth + 1)?;
            if !self.eat(']') {
                return Err(self.wrong("a [ is not closed"));
            }
            Type::ListOf(Box::new(inner))
        } else if self.eat('{') {
            self.record(depth, false)?
        } else {
            let word = self.word();
            match NAMES.iter().find(|n| n.0 == word) {
                Some(n) => n.1.clone(),
                None if word == "closed" && self.eat('{') => self.record(depth, true)?,
                None if word == "closed" => return Err(self.wrong("closed needs a { behind it")),
                None if word.is_empty() => return Err(self.wrong("a type is missing")),
                None => return Err(self.wrong(&format!("unknown type {word}"))),
            }
        };
        while self.eat('?') {
            if !matches!(shape, Type::Optional(_)) {
                shape = Type::Optional(Box::new(shape));
            }
        }
        Ok(shape)
    }

    fn record(&mut self, depth: u32, closed: bool) -> Result<Type, TypeError> {
        let mut fields: Vec<(String, Type)> = Vec::new();
        while !self.eat('}') {
            let name = self.name()?;
            if fields.iter().any(|f| f.0 == name) {
                return Err(self.wrong(&format!("duplicate key {name}")));
            }
            if !self.eat(':') {
                return Err(self.wrong("a key needs a : and a type"));
            }
            fields.push((name, self.shape(depth + 1)?));
            if !self.eat(',') && self.chars.peek() != Some(&'}') {
                return Err(self.wrong("a { is not closed"));
            }
        }
        Ok(Type::Record { fields, closed })
    }

    fn name(&mut self) -> Result<String, TypeError> {
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
