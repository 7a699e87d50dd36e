//! The first words of lines that stand for inputs, results and turns. Whoever renders other text beside them escapes
//! lines that begin the same way.

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
/// A message of which nothing remains.
pub const OMITTED: &str = "[input omitted]";
/// A result that was cleared.
pub const RESULT_CLEARED: &str = "[result cleared: ";
/// An error that was cleared.
pub const ERROR_CLEARED: &str = "[error cleared: ";
/// A message that says nothing.
pub const NO_CONTENT: &str = "(no content)";
/// A summary of messages; their number follows.
pub const TLDR: &str = "TL;DR of ";
/// Turns that are omitted; their number follows.
pub const EARLIER: &str = "… ";
