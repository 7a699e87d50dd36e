//! Values: what programs compute with. 16 bytes each, cheap to clone, shared by reference counts.

pub mod boxed;
pub mod builtin;
pub mod children;
mod class;
pub mod compare;
pub mod decimal;
pub mod facts;
pub mod function;
pub mod key_hash;
pub mod lookup;
pub mod map;
pub mod metadata;
pub mod node;
pub mod number;
pub mod number_format;
pub mod object;
pub mod program;
pub mod read_data;
pub mod recent_texts;
pub mod regex;
pub mod role;
pub mod sequence;
pub mod set;
pub(crate) mod shapes;
mod symbol_meta;
pub mod text;
pub mod turn_id;
pub mod vector;
mod width;

use crate::time::Time;
use boxed::CellId;
use num_bigint::BigInt;
use num_rational::BigRational;
use std::sync::Arc;

pub use builtin::Builtin;
pub use node::Item;
pub use sequence::SeqKind;
pub use text::{Keyword, Str, Symbol};
pub use width::{Float, Int, Width};

/// A persistent vector of values.
pub type Vector = vector::Vector<Value>;
/// A persistent map of values.
pub type Map = map::Map<Value>;
/// A type of records.
pub type RecordType = map::RecordType<Value>;
/// A persistent set of values.
pub type Set = set::Set<Value>;
/// A list or realised sequence.
pub type Slice = sequence::Slice<Value>;
/// A cell in front of a sequence.
pub type Cons = sequence::Cons<Value>;
/// A sequence still to be made.
pub type Lazy = sequence::Lazy<Value>;
/// A function made by a program.
pub type Function = function::Function<Value>;
/// What `deftype` and `reify` make, and protocols.
pub type Object = object::Object<Value>;
/// An exception.
pub type Exception = boxed::Exception<Value>;

/// A value of the language.
///
/// ```
/// use ptc_lisp::json;
/// use ptc_lisp::limits::Limits;
/// use ptc_lisp::value::Value;
///
/// let of = |key: &str, value: Value| (Value::plain_keyword(key), value);
/// let order = Value::map([of("item", "pen".into()), of("cents", Value::int(250)), of("tags", Value::vector(vec![]))]);
/// let text = json::to_text(&order)?;
/// assert_eq!(text, r#"{"item":"pen","cents":250,"tags":[]}"#);
/// let back = json::parse_text(&text, &Limits::default())?;
/// assert_eq!(format!("{back:?}"), r#"{:item "pen", :cents 250, :tags []}"#);
/// assert_eq!((back.kind(), Value::from("pen").as_str(), Value::Nil.truthy()), ("a map", Some("pen"), false));
/// # Ok::<(), ptc_lisp::error::Error>(())
/// ```
#[derive(Clone, Default)]
pub enum Value {
    /// `nil`
    #[default]
    Nil,
    /// `true`, `false`
    Bool(bool),
    /// An integer of 64 bits or fewer; [`Value::int`] and `From` make those of 64.
    Int(Int),
    /// A double, or the double that a float of 32 bits is.
    Float(Float),
    /// A character.
    Char(char),
    /// A string.
    Str(Str),
    /// A keyword.
    Keyword(Keyword),
    /// A symbol.
    Symbol(Symbol),
    /// A big integer, `5N`. "Once `N`, always `N`" (trap 3): it may fit into 64 bits.
    Big(Arc<boxed::Metered<BigInt>>),
    /// A ratio that is no integer.
    Ratio(Arc<boxed::Metered<BigRational>>),
    /// A decimal, `1.50M`.
    Decimal(Arc<boxed::Metered<decimal::Decimal>>),
    /// A vector, also an entry of a map.
    Vector(Vector),
    /// A list or realised sequence.
    Slice(Slice),
    /// A cell in front of a sequence.
    Cons(Cons),
    /// A sequence still to be made.
    Lazy(Lazy),
    /// A map.
    Map(Map),
    /// A set.
    Set(Set),
    /// A function made by a program.
    Function(Function),
    /// A function of the language.
    Builtin(&'static Builtin),
    /// A tool the host granted, by name.
    Tool(Str),
    /// A regex.
    Regex(Arc<regex::Regex>),
    /// An atom.
    Atom(CellId),
    /// A volatile.
    Volatile(CellId),
    /// A text that grows in place.
    Builder(CellId),
    /// A delay.
    Delay(CellId),
    /// Another thing that changes in place, as a transient.
    Place(CellId),
    /// A var, by name: `#'user/x`.
    Var(Symbol),
    /// A uuid.
    Uuid(Arc<boxed::Metered<u128>>),
    /// A date, a time or a part of one: what `java.time` has, and `#inst`.
    Time(Arc<boxed::Metered<Time>>),
    /// `(reduced x)`
    Reduced(Arc<boxed::Metered<Value>>),
    /// An exception.
    Exception(Arc<Exception>),
    /// A value of a type that is no map, or a protocol.
    Object(Arc<Object>),
}

const _: () = assert!(size_of::<Value>() == 16);

impl Value {
    /// Whether it is a number, a name, a text or the like, inside which no other value is.
    #[inline]
    pub(crate) fn holds_nothing(&self) -> bool {
        matches!(
            self,
            Value::Nil
                | Value::Bool(_)
                | Value::Int(_)
                | Value::Float(_)
                | Value::Char(_)
                | Value::Str(_)
                | Value::Keyword(_)
                | Value::Big(_)
                | Value::Ratio(_)
                | Value::Decimal(_)
        ) || matches!(self, Value::Symbol(s) if !s.has_meta())
    }

    /// An integer of 64 bits, as nearly all are.
    #[inline(always)]
    pub const fn int(n: i64) -> Self {
        Value::Int(Int::new(n))
    }

    /// A double.
    #[inline(always)]
    pub const fn float(x: f64) -> Self {
        Value::Float(Float::new(x))
    }

    /// An integer of 32 bits, an `Integer` of Java.
    #[inline(always)]
    pub const fn integer(n: i32) -> Self {
        Value::Int(Int::of_width(n as i64, Width::W32))
    }

    /// A float of 32 bits.
    #[inline(always)]
    pub const fn float32(x: f32) -> Self {
        Value::Float(Float::of_width(x as f64, Width::W32))
    }

    /// The number as one of a width, which it must have; any other value as it is.
    #[must_use]
    pub fn of_width(self, width: Width) -> Self {
        match self {
            Value::Int(n) => Value::Int(Int::of_width(n.get(), width)),
            Value::Float(x) => Value::Float(Float::of_width(x.get(), width)),
            other => other,
        }
    }

    /// A string.
    pub fn str(text: impl AsRef<str>) -> Self {
        Value::Str(Str::new(text.as_ref()))
    }

    /// A keyword from `ns/name` or `name`.
    pub fn keyword(text: &str) -> Self {
        Value::Keyword(Keyword::parse(text))
    }

    /// A key of JSON, CSV or a database: a keyword where its text can be written as one, else the text itself, so that
    /// what is printed says what to write.
    pub fn data_key(text: &str) -> Self {
        if text::is_plain_name(text) { Value::plain_keyword(text) } else { Value::str(text) }
    }

    /// The text by which a key meets others: of keywords `ns/name`, of strings themselves.
    pub fn name_text(&self) -> Option<&str> {
        match self {
            Value::Keyword(k) => Some(k.text()),
            Value::Str(s) => Some(s.as_str()),
            _ => None,
        }
    }

    /// Whether both are keywords or strings of the same text.
    pub fn same_name(&self, other: &Value) -> bool {
        self.name_text().is_some_and(|text| other.name_text() == Some(text))
    }

    /// The mark of a keyword or string that is a constant of a program; 0 of all else.
    #[inline]
    pub fn constant_mark(&self) -> u8 {
        match self {
            Value::Keyword(k) => k.constant_mark(),
            Value::Str(s) => s.constant_mark(),
            _ => 0,
        }
    }

    /// Marks names and texts as constants of a program, and those in a short vector, as paths are.
    pub fn mark_constant(&self) {
        const MAX_PATH: usize = 16;
        match self {
            Value::Keyword(k) => k.mark_constant(),
            Value::Str(s) => s.mark_constant(),
            Value::Vector(v) if v.len() <= MAX_PATH => v.iter().for_each(|v| match v {
                Value::Keyword(k) => k.mark_constant(),
                Value::Str(s) => s.mark_constant(),
                _ => {}
            }),
            _ => {}
        }
    }

    /// A keyword whose whole text is its name, without namespace.
    pub fn plain_keyword(name: &str) -> Self {
        Value::Keyword(Keyword::new(None, name))
    }

    /// A vector.
    pub fn vector(items: Vec<Value>) -> Self {
        Value::Vector(Vector::from_vec(items))
    }

    /// A list, for `list?` too.
    pub fn list(items: Vec<Value>) -> Self {
        Value::Slice(Slice::list(items))
    }

    /// A realised sequence.
    pub fn seq(items: Vec<Value>) -> Self {
        Value::Slice(Slice::seq(items))
    }

    /// The empty list.
    pub fn empty_list() -> Self {
        Value::list(Vec::new())
    }

    /// A map.
    pub fn map(entries: impl IntoIterator<Item = (Value, Value)>) -> Self {
        Value::Map(Map::from_entries(entries))
    }

    /// A set.
    pub fn set(items: impl IntoIterator<Item = Value>) -> Self {
        Value::Set(items.into_iter().collect())
    }

    /// A big integer, on the meter.
    pub fn big(n: BigInt) -> Self {
        let heap = number_bytes(&n);
        Value::Big(boxed::Metered::new(n, heap))
    }

    /// A ratio, which must not be whole, on the meter.
    pub fn ratio(r: BigRational) -> Self {
        let heap = number_bytes(r.numer()).saturating_add(number_bytes(r.denom()));
        Value::Ratio(boxed::Metered::new(r, heap))
    }

    /// A decimal, on the meter.
    pub fn decimal(d: decimal::Decimal) -> Self {
        let heap = number_bytes(&d.unscaled);
        Value::Decimal(boxed::Metered::new(d, heap))
    }

    /// A uuid, on the meter.
    pub fn uuid(bits: u128) -> Self {
        Value::Uuid(boxed::Metered::new(bits, 0))
    }

    /// A date or time, on the meter.
    pub fn time(t: Time) -> Self {
        let heap = t.heap();
        Value::Time(boxed::Metered::new(t, heap))
    }

    /// What ends a reduction with `v`, on the meter.
    pub fn reduced(v: Value) -> Self {
        Value::Reduced(boxed::Metered::new(v, 0))
    }

    /// Everything but nil and false.
    #[inline]
    pub fn truthy(&self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(s) => Some(s.as_str()),
            _ => None,
        }
    }

    /// Key and value, if it is an entry of a map; a plain vector of two is none (trap 14).
    pub fn as_entry(&self) -> Option<(Value, Value)> {
        match self {
            Value::Vector(v) if v.is_entry() => Some((v.get(0)?.clone(), v.get(1)?.clone())),
            _ => None,
        }
    }

    /// Whether it is a matcher of a regex.
    pub fn is_matcher(&self) -> bool {
        matches!(self, Value::Volatile(id) if id.sort() == boxed::CellSort::Matcher)
    }

    /// Whether it is nil.
    pub fn is_nil(&self) -> bool {
        matches!(self, Value::Nil)
    }

    /// Whether it is a record or an object of a program's type.
    pub fn is_of_own_type(&self) -> bool {
        match self {
            Value::Map(m) => m.record_type().is_some(),
            Value::Object(o) => o.kind.is_of_program(),
            _ => false,
        }
    }

    /// Vectors, lists and sequences: what is `=` item by item.
    pub fn is_sequential(&self) -> bool {
        matches!(self, Value::Vector(_) | Value::Slice(_) | Value::Cons(_) | Value::Lazy(_))
    }

    /// What Clojure calls the type of it, for error messages: `an integer`, `a map`.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Nil => "nil",
            Value::Bool(_) => "a boolean",
            Value::Int(_) | Value::Big(_) => "an integer",
            Value::Float(_) => "a float",
            Value::Ratio(_) => "a ratio",
            Value::Decimal(_) => "a decimal",
            Value::Char(_) => "a character",
            Value::Str(_) => "a string",
            Value::Keyword(_) => "a keyword",
            Value::Symbol(_) => "a symbol",
            Value::Vector(_) => "a vector",
            Value::Slice(s) if s.kind == SeqKind::List => "a list",
            Value::Slice(s) if s.kind == SeqKind::Queue => "a queue",
            Value::Slice(_) | Value::Cons(_) | Value::Lazy(_) => "a sequence",
            Value::Map(m) if m.record_type().is_some() => "a record",
            Value::Map(_) => "a map",
            Value::Set(_) => "a set",
            Value::Function(_) | Value::Builtin(_) => "a function",
            Value::Tool(_) => "a tool",
            Value::Regex(_) => "a regex",
            Value::Atom(_) => "an atom",
            v if v.is_matcher() => "a matcher",
            Value::Volatile(_) => "a volatile",
            Value::Builder(id) if id.sort() == boxed::CellSort::Writer => "a writer",
            Value::Builder(_) => "a StringBuilder",
            Value::Place(id) => id.place().kind(),
            Value::Delay(id) => match id.sort() {
                boxed::CellSort::Promise => "a promise",
                boxed::CellSort::Future => "a future",
                _ => "a delay",
            },
            Value::Var(_) => "a var",
            Value::Uuid(_) => "a uuid",
            Value::Time(t) => t.kind(),
            Value::Reduced(_) => "a reduced value",
            Value::Exception(_) => "an exception",
            Value::Object(o) => match o.kind {
                object::ObjectKind::Protocol => "a protocol",
                object::ObjectKind::Class => "a class",
                object::ObjectKind::Namespace => "a namespace",
                object::ObjectKind::TaggedLiteral => "a tagged literal",
                object::ObjectKind::Instance | object::ObjectKind::Reified => "an object",
            },
        }
    }
}

fn number_bytes(n: &BigInt) -> usize {
    usize::try_from(n.bits() / 8).unwrap_or(usize::MAX).saturating_add(8 + node::UPKEEP)
}

macro_rules! from {
    ($($type:ty => $make:expr),* $(,)?) => {
        $(impl From<$type> for Value {
            fn from(v: $type) -> Self { ($make)(v) }
        })*
    };
}

from! {
    bool => Value::Bool,
    i64 => Value::int,
    f64 => Value::float,
    char => Value::Char,
    &str => |s| Value::Str(Str::new(s)),
    String => |s: String| Value::Str(Str::new(s)),
    Vector => Value::Vector,
    Map => Value::Map,
    Set => Value::Set,
    Vec<Value> => Value::vector,
}
