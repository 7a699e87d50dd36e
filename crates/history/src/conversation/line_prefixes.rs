//! How the lines begin that stand in the place of inputs, results and turns: who renders text beside them keeps it from
//! passing for one of them.

/// A table that is not shown in full.
pub const TABLE: &str = "[Table: ";
/// A file.
pub const FILE: &str = "[File: ";
/// A text.
pub const TEXT: &str = "[Text: ";
/// What an earlier act did.
pub const NARRATIVE: &str = "[Narrative: ";
/// What a tool answered.
pub const TOOL: &str = "[Tool: ";
/// A message of which nothing is left.
pub const OMITTED: &str = "[input omitted]";
/// A result that was let go.
pub const RESULT_CLEARED: &str = "[result cleared: ";
/// An error that was let go.
pub const ERROR_CLEARED: &str = "[error cleared: ";
/// A message that says nothing.
pub const NO_CONTENT: &str = "(no content)";
/// A summary of messages; their number follows.
pub const TLDR: &str = "TL;DR of ";
/// Turns that are left out; their number follows.
pub const EARLIER: &str = "… ";
