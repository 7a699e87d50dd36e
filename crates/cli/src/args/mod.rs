//! The arguments of the command line, a file a command.

mod acp;
mod ask;
mod bounds;
mod chat;
mod check;
mod compare;
mod config;
mod deferred;
mod doc;
mod eval;
mod given;
mod history;
mod init;
#[cfg(feature = "server")]
mod mcp;
mod messages;
mod otel;
mod repl;
mod run;
#[cfg(feature = "server")]
mod serve;
mod sessions;
mod shell;
mod step;
mod tokens;
mod view;
mod worker;

pub use acp::AcpArgs;
pub use ask::AskArgs;
pub use chat::ChatArgs;
pub use check::CheckArgs;
pub use compare::{CompareArgs, MOST_RUNS};
pub use config::{ConfigArgs, ConfigCommand};
pub use doc::DocArgs;
pub use eval::EvalArgs;
pub use given::SettingArgs;
pub use history::{HistoryArgs, HistoryCommand, ReportArgs, ViewArgs};
pub use init::InitArgs;
#[cfg(feature = "server")]
pub use mcp::{McpArgs, McpClient, McpCommand, McpInstallArgs, McpServeArgs};
pub use messages::{MessagesArgs, TraceArgs};
pub use otel::OtelArgs;
pub use repl::ReplArgs;
pub use run::{Output, Replay, RunArgs, RunOptions};
#[cfg(feature = "server")]
pub use serve::ServeArgs;
pub use sessions::{
    ExportArgs, ForkArgs, ListArgs, PruneArgs, QueryArgs, RmArgs, SearchArgs, SessionsArgs, SessionsCommand, ShowArgs,
};
pub use shell::{CompletionsArgs, ManArgs};
pub use step::{ApproveArgs, StepArgs};
pub use tokens::TokensArgs;
pub use view::Compression;
pub use worker::WorkerArgs;

use crate::exit_code::{DONE, USAGE};
use crate::terminal::io::{CliError, Io};
use clap::{ColorChoice, Parser, Subcommand, ValueEnum as _};
use deferred::Deferred;
use ptc_agent::{Error, ErrorKind, error_text};
use std::ffi::OsString;
use std::path::PathBuf;

/// The version; of a release build from a checkout with its commit and that one's date.
const VERSION: &str = match option_env!("PTC_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// Run programs written by an LLM in a sandbox, turn by turn.
#[derive(Parser)]
#[command(name = "ptc", version = VERSION, subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    /// Do not read the user's configuration
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub no_config: bool,
    /// Whether colours are written: auto writes them to a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto, hide_default_value = true, help_heading = "Everywhere")]
    pub color: ColorChoice,
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Answer a question about files
    #[command(after_help = ask::ASK_HELP)]
    Ask(Deferred<AskArgs>),
    /// Run a task turn by turn against its model
    #[command(after_help = run::RUN_HELP)]
    Run(Deferred<RunArgs>),
    /// Talk with a model
    #[command(after_help = chat::CHAT_HELP)]
    Chat(Deferred<ChatArgs>),
    /// Check a task without calling its model or tools
    #[command(after_help = check::CHECK_HELP)]
    Check(Deferred<CheckArgs>),
    /// Compare policies and models on tasks with known answers
    #[command(after_help = compare::COMPARE_HELP)]
    Compare(Deferred<CompareArgs>),
    /// Run one reply as the next turn of the session in TRACE: be the model
    #[command(
        after_help = "With --task on a new TRACE and nothing on standard input, the session is begun and no turn is run,\n\
        so that `ptc messages TRACE` shows the first prompt.\n\
        Exit codes: 0 the turn ran, 2 usage, 3 out of turns, 4 the session had ended,\n\
        5 an act began only now, or a turn that a crash left was run to its end: the reply was not run,\n\
        6 tool calls wait (ptc approve): go on with the same command and nothing on standard input,\n\
        130 Ctrl-C, 143 SIGTERM, 129 SIGHUP: the reply is kept, go on with nothing on standard input."
    )]
    Step(Deferred<StepArgs>),
    /// Approve, deny or answer pending tool calls
    #[command(
        after_help = "Without CALL, of all that wait for approval; a call that was in flight has to be named, it may have been made.\n\
        Nothing is run: `ptc run TASK --resume TRACE`, or `ptc step TRACE`, goes on.\n\
        Exit codes: 0 it is written down, or nothing waits, 2 usage."
    )]
    Approve(Deferred<ApproveArgs>),
    /// Run programs, each FILE as a turn of one session
    #[command(after_help = eval::eval_help())]
    Eval(Deferred<EvalArgs>),
    /// Run programs as you type them, each input as a turn of one session
    #[command(after_help = repl::REPL_HELP)]
    Repl(Deferred<ReplArgs>),
    /// Serve sessions and tasks over HTTP
    #[cfg(feature = "server")]
    #[command(after_help = serve::serve_help())]
    Serve(Deferred<ServeArgs>),
    /// Show what the model sees before a turn
    Messages(Deferred<MessagesArgs>),
    /// Compare history policies on recorded conversations, or show one
    History(HistoryArgs),
    /// Show everything that happened in a session
    Trace(Deferred<TraceArgs>),
    /// List, show, search, fork, export and remove kept sessions
    #[command(after_help = sessions::SESSIONS_HELP)]
    Sessions(SessionsArgs),
    /// Serve sessions and tasks over MCP, or show how to install that
    #[cfg(feature = "server")]
    #[command(after_help = mcp::MCP_HELP)]
    Mcp(McpArgs),
    /// Serve an editor over the Agent Client Protocol
    #[command(after_help = acp::ACP_HELP)]
    Acp(Deferred<AcpArgs>),
    /// Count the input tokens of a request before it is sent
    #[command(after_help = tokens::TOKENS_HELP)]
    Tokens(Deferred<TokensArgs>),
    /// Write a task to start from
    #[command(after_help = init::INIT_HELP)]
    Init(Deferred<InitArgs>),
    /// Show the user's configuration, and where each value comes from
    #[command(after_help = config::CONFIG_HELP)]
    Config(ConfigArgs),
    /// Show a function or a page of the documentation
    #[command(visible_alias = "docs", after_help = doc::DOC_HELP)]
    Doc(Deferred<DocArgs>),
    /// Print the completion script of a shell
    #[command(after_help = shell::COMPLETIONS_HELP)]
    Completions(Deferred<CompletionsArgs>),
    /// Print the manual page of a command, or write all
    #[command(after_help = shell::MAN_HELP)]
    Man(Deferred<ManArgs>),
    /// Run the turns of another ptc in a worker process (`--isolate`)
    #[command(name = "__worker", hide = true)]
    Worker(Deferred<WorkerArgs>),
}

impl Command {
    /// How a task is run, of the commands that run one.
    pub fn run_options_mut(&mut self) -> Option<&mut RunOptions> {
        match self {
            Command::Run(a) => Some(&mut a.options),
            Command::Ask(a) => Some(&mut a.options),
            _ => None,
        }
    }

    /// The trace that a command is given, where it takes one that is there already.
    pub fn trace_mut(&mut self) -> Option<&mut PathBuf> {
        match self {
            Command::Run(a) => a.options.resume.as_mut(),
            Command::Ask(a) => a.options.resume.as_mut(),
            // A session that is begun has a name that is free: only a whole id is one then.
            Command::Step(a) => (a.task.is_none() || a.trace.as_os_str().len() == WHOLE_ID).then_some(&mut a.trace),
            Command::Repl(a) => a.trace.as_mut(),
            Command::Approve(a) => Some(&mut a.trace),
            Command::Messages(a) => Some(&mut a.trace),
            Command::Trace(a) => Some(&mut a.trace),
            Command::History(a) => Some(match &mut a.command {
                HistoryCommand::Report(a) => &mut a.file,
                HistoryCommand::View(a) => &mut a.file,
            }),
            _ => None,
        }
    }
}

/// Bytes of an id of a session: `20261123-084012-k7q2`.
const WHOLE_ID: usize = 20;

/// The form of JSON that these arguments of a run ask for, be the others understood or not.
pub fn run_form(args: &[OsString]) -> Option<Output> {
    // What is no UTF-8 is none of the words that are looked for.
    let words: Vec<&str> =
        args.iter().skip(1).map(|a| a.to_str().unwrap_or_default()).take_while(|a| *a != "--").collect();
    // The command is the first word that is neither an option nor what stands behind `--color`.
    let before = |i: usize| i.checked_sub(1).and_then(|i| words.get(i)).copied();
    let command = words.iter().enumerate().find(|(i, w)| !w.starts_with('-') && before(*i) != Some("--color"));
    if !command.is_some_and(|(_, w)| matches!(*w, "run" | "ask")) {
        return None;
    }
    let named = |w: &str| Output::from_str(w, false).ok();
    let asked = words.iter().enumerate().filter_map(|(i, word)| match (*word, word.strip_prefix("--output=")) {
        ("--json", _) => Some(Output::Json),
        ("--output", _) => words.get(i.saturating_add(1)).and_then(|w| named(w)),
        (_, form) => form.and_then(named),
    });
    // Two that contradict each other are what was not understood: who reads JSON reads that as well.
    let asked: Vec<Output> = asked.collect();
    [Output::Jsonl, Output::Json].into_iter().find(|form| asked.contains(form))
}

/// What stands in the place of a command and is several words: a question.
fn question(e: &clap::Error) -> Option<&str> {
    use clap::error::{ContextKind, ContextValue};
    match e.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => Some(word.as_str()).filter(|w| w.trim().contains(char::is_whitespace)),
        _ => None,
    }
}

/// The commands in the list of `ptc --help`, by what they are for.
const GROUPS: &[(&str, &[&str])] = &[
    ("Everyday", &["ask", "run", "chat", "eval", "repl", "doc"]),
    ("Inspect", &["trace", "messages", "sessions", "history", "tokens", "compare", "check"]),
    ("Serve", &["serve", "mcp", "acp"]),
    ("More", &["step", "approve", "init", "config", "completions", "man", "help"]),
];

/// The help of `ptc` with its commands in groups; any other help as it is.
fn grouped(text: &str) -> String {
    let Some((before, rest)) =
        text.split_once("Commands:\n").filter(|_| text.contains("Usage: ptc [OPTIONS] <COMMAND>"))
    else {
        return text.to_owned();
    };
    let (list, after) = rest.split_once("\n\n").unwrap_or((rest, ""));
    let name = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
    let mut out = before.to_owned();
    for (heading, names) in GROUPS {
        out.push_str(&format!("{heading}:\n"));
        for of_group in *names {
            list.lines().filter(|line| name(line) == *of_group).for_each(|line| out.push_str(&format!("{line}\n")));
        }
        out.push('\n');
    }
    out + after
}

/// The command that a mistyped one most likely is, where clap names none.
fn similar_command(e: &clap::Error) -> Option<String> {
    use clap::error::{ContextKind, ContextValue};
    let Some(ContextValue::String(word)) = e.get(ContextKind::InvalidSubcommand) else { return None };
    let command = <Cli as clap::CommandFactory>::command();
    let names = command.get_subcommands().flat_map(|c| std::iter::once(c).chain(c.get_subcommands()));
    let names: Vec<&str> = names.filter(|c| !c.is_hide_set()).map(clap::Command::get_name).collect();
    ptc_lisp::suggest::did_you_mean(word, names.iter().copied()).map(str::to_owned)
}

/// Help and version go to stdout; what was not understood is one line that says what to do.
///
/// # Errors
/// What was not understood, or that the help cannot be written.
pub fn refused(e: &clap::Error, io: &mut Io<'_>) -> Result<i32, CliError> {
    use clap::error::ErrorKind as K;
    let text = e.render().to_string();
    match e.kind() {
        K::DisplayHelp | K::DisplayVersion => {
            io.out.write_all(grouped(&text).as_bytes())?;
            io.out.flush()?;
            Ok(DONE)
        }
        K::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = io.err.write_all(grouped(&text).as_bytes());
            Ok(USAGE)
        }
        K::InvalidSubcommand if question(e).is_some() => {
            let asked = question(e).unwrap_or_default();
            let command = format!("ptc ask {}", ptc_agent::files::shell_word(asked));
            let words =
                error_text!("{} is no command", ptc_lisp::escape::quoted(asked); "a question is asked by {command}");
            Err(Error::new(ErrorKind::Usage, words).into())
        }
        _ => {
            let mut parts: Vec<&str> = Vec::new();
            for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
                if line.starts_with("Usage:") || line.starts_with("For more information") {
                    break;
                }
                parts.push(line.strip_prefix("error: ").unwrap_or(line));
            }
            let mut words = parts.join("; ").replace(":;", ":");
            if let Some(near) = similar_command(e).filter(|_| !words.contains("tip:")) {
                words.push_str(&format!("; tip: a similar subcommand exists: '{near}'"));
            }
            Err(Error::new(ErrorKind::Usage, error_text!("{words}"; "see --help")).into())
        }
    }
}
