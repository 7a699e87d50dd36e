//! The language from outside, in one executable; `charge` is one of its own, for its allocator.

mod cells;
mod clock;
mod describing;
mod dynamic_vars;
mod examples;
mod fast_path;
mod fused;
mod last_uses;
mod macros;
mod missed_keys;
mod names;
mod pipelines;
mod registers;
mod short_functions;
mod small_stack;
mod together;
mod tool_arguments;
mod unit;
mod updates;
mod words;
