//! `ptc sessions`.

use super::bounds::MOST_COUNT;
use super::deferred::Deferred;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What `ptc sessions` says below its options.
pub const SESSIONS_HELP: &str = "\
Runs keep their sessions in the user's data folder, or in the folder that PTC_HOME names, unless they are given --trace or\n\
--no-session, or PTC_SESSIONS=off is set. ID is the beginning of an id, or of its last four letters, as long as it means one\n\
session; all commands that take a TRACE take it too, and ID/LABEL as the trace of a subtask (ptc sessions show names them).\n\
Examples:\n\
\x20 ptc sessions                                    the newest ones\n\
\x20 ptc sessions --task shop --status failed --since 7d\n\
\x20 ptc sessions search refund late                 turns with both words\n\
\x20 ptc sessions fork k7q2 --turn 3                 another session from the first three turns\n\
\x20 ptc sessions export k7q2 -o k7q2.tar.gz\n\
\x20 ptc sessions prune --older-than 30d --dry-run\n\
\x20 ptc sessions query '(->> runs (filter #(= \"error\" (:status %))) (map :task) frequencies)'\n\
Exit codes: 0 done, 1 a program of query failed, or an answer was no, 2 usage.";

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct SessionsArgs {
    #[command(subcommand)]
    pub command: Option<SessionsCommand>,
    #[command(flatten)]
    pub list: ListArgs,
}

/// What can be done with kept sessions.
#[derive(Subcommand)]
pub enum SessionsCommand {
    /// List sessions, newest first (what ptc sessions does without a command)
    List(Deferred<ListArgs>),
    /// Find turns that have all words, in questions, programs, prose, printed text, values and errors, of subtasks too, and
    /// in why runs ended
    #[command(
        after_help = "A word with blanks in it is a phrase, a word that ends with * is a beginning. Capitals make no difference.\n\
        Example: ptc sessions search 'unit price' tot*"
    )]
    Search(Deferred<SearchArgs>),
    /// Show what is known of a session and of its subtasks
    Show(Deferred<ShowArgs>),
    /// Begin another session with the first turns of one
    #[command(
        after_help = "The new session goes on with ptc run TASK --resume ID. Traces of subtasks that these turns called go with it.\n\
        Example: ptc sessions fork k7q2 --turn 3"
    )]
    Fork(Deferred<ForkArgs>),
    /// Write a session with those of its subtasks into a .tar.gz
    Export(Deferred<ExportArgs>),
    /// Remove sessions with those of their subtasks
    Rm(Deferred<RmArgs>),
    /// Remove old sessions; nothing is removed without being asked
    #[command(
        after_help = "A session goes when it is older than --older-than and not among the --keep newest. One that is running stays.\n\
        Example: ptc sessions prune --older-than 30d --keep 20 --dry-run"
    )]
    Prune(Deferred<PruneArgs>),
    /// Run a program over sessions: `runs` is a vector with a map for each, newest first
    #[command(after_help = QUERY_HELP)]
    Query(Deferred<QueryArgs>),
}

const QUERY_HELP: &str = "\
A run has id, task, title, question, status, problem, created and updated (milliseconds since 1970), forked_from, max_turns,\n\
model, input_tokens, cached_tokens, output_tokens, cost, model_seconds, tool_seconds, tool_calls, and turns: a vector of maps\n\
with n, status, program, prose, printed, value, error, error_kind, time, input_tokens, output_tokens, and calls: name, args, ok,\n\
error, seconds; and subtasks: label, task, status, problem, turns. Texts are cut after 4096 bytes; the newest sessions are taken, as many as fit into 64 MB.\n\
The program runs in the sandbox with the limits of ptc eval.\n\
Examples:\n\
\x20 ptc sessions query '(->> runs (filter #(= \"error\" (:status %))) (map :task) frequencies)'\n\
\x20 ptc sessions query '(->> runs (mapcat :turns) (mapcat :calls) (remove :ok) (map :name) frequencies)'\n\
Exit codes: 0, 1 when the program failed, 2 usage.";

#[derive(Args)]
pub struct ListArgs {
    /// Only sessions of the task with this name
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
    /// Only these: running, returned, failed, error, limit, out_of_turns, pending, stopped, unreadable
    #[arg(long, value_name = "STATUS")]
    pub status: Option<String>,
    /// Only sessions that began so long ago at most, as 30m, 12h, 7d, 4w, or on this day or later, as 2026-11-23
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    /// How many at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// Print a line of JSON for each
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct SearchArgs {
    /// What has to be in the turn
    #[arg(required = true, value_name = "WORD")]
    pub words: Vec<String>,
    /// How many turns at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// Print a line of JSON for each
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ShowArgs {
    /// The session
    pub id: String,
    /// Print one line of JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ForkArgs {
    /// The session
    pub id: String,
    /// The last turn to take; all if absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_COUNT))]
    pub turn: Option<u64>,
}

#[derive(Args)]
pub struct ExportArgs {
    /// The session
    pub id: String,
    /// The file to write; ID.tar.gz, or ID.jsonl with --trace-only, in the current folder if absent; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Its own trace alone, as JSON lines
    #[arg(long)]
    pub trace_only: bool,
}

#[derive(Args)]
pub struct RmArgs {
    /// The sessions
    #[arg(required = true, value_name = "ID")]
    pub ids: Vec<String>,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
}

#[derive(Args)]
pub struct PruneArgs {
    /// Sessions last written before this, as 12h, 30d, 8w
    #[arg(long, value_name = "AGE")]
    pub older_than: Option<String>,
    /// Keep this many of the newest, whatever their age
    #[arg(long, value_name = "N")]
    pub keep: Option<usize>,
    /// Only say which
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
}

#[derive(Args)]
pub struct QueryArgs {
    /// The program; - is standard input
    #[arg(allow_hyphen_values = true)]
    pub program: String,
    /// How many of the newest sessions at most
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub limit: usize,
    /// Print one line of JSON, as ptc eval does
    #[arg(long)]
    pub json: bool,
}
