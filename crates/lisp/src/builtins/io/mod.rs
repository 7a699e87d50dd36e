//! Values as text and text as values: printing, EDN, JSON, descriptions.

pub mod bound_print;
pub mod cl_format;
pub mod data_readers;
pub mod describe;
pub mod dup;
pub mod edn;
pub mod json;
pub mod pprint;
pub mod print_methods;
pub mod print_table;
pub mod printers;
pub mod printing;
pub mod readers;
pub mod reading;
