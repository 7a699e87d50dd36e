//! Classes, methods and static functions of Java that programs use by habit.

pub mod builder_text;
pub mod class_methods;
pub mod class_tree;
pub mod classes;
pub mod equals;
pub mod methods;
pub mod statics;
pub mod string_builder;
pub mod time_classes;
pub mod uuids;
pub mod values;
pub mod writers;
