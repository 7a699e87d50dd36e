//! Classes, methods and static functions of Java that programs use by habit.

pub mod base64;
pub mod builder_text;
pub mod bytes;
pub mod charsets;
pub mod class_methods;
pub mod class_tree;
pub mod classes;
pub mod decimal_format;
pub mod digests;
pub mod equals;
pub mod integer_statics;
pub mod interface_methods;
pub mod makers;
pub mod methods;
pub mod natural;
pub mod objects;
pub mod random;
mod sha1;
pub mod statics;
pub mod string_builder;
pub mod time_classes;
pub mod tokenizer;
pub mod urls;
pub mod uuids;
pub mod values;
pub mod writers;
