//! Types of tool parameters and returned values: `string`, `[T]`, `T?`, `{key: T}`.

use crate::value::Value;

/// A type as task files write it (docs/language.md, "Talking to the host").
#[derive(Clone, Debug, PartialEq)]
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
