//! Parts of the language by themselves. They stand here and not in the files they test, so that the language, which is
//! optimised in debug builds too, is built once and not a second time for its own tests.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod compare;
mod fuel;
mod function;
mod highlight;
mod host;
mod json;
mod maps;
mod missed_keys_near;
mod number;
mod number_format;
mod read;
mod read_names;
mod read_number;
mod records;
mod regex_syntax;
mod report;
mod sequences;
mod string_literals;
mod tool_doc;
mod turn_id;
mod types;
