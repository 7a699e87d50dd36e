//! Values as text and text as values: printing, EDN, JSON, descriptions.

pub mod bound_print;
pub mod data_readers;
pub mod describe;
pub mod edn;
pub mod json;
pub mod pprint;
pub mod print_table;
pub mod printing;
pub mod readers;
