//! Hostile programs and what they leave behind, in one executable.

mod programs;
mod sessions;
