//! The arguments of the command line.

use crate::exit_code::{DONE, USAGE};
use crate::terminal::io::Io;
use clap::{Args, Parser, Subcommand};
use ptc_agent::task::options::limit_list;
use ptc_lisp::limits::Limits;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Programs of an agent, turn by turn; the trace is the truth, the prompt is a view of it.
#[derive(Parser)]
#[command(name = "ptc", version, subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Run a task turn by turn against its model, and end with the result
    #[command(
        after_help = "Keys and addresses of models come from the environment: OPENAI_API_KEY OPENAI_BASE_URL ANTHROPIC_API_KEY\n\
        ANTHROPIC_BASE_URL GEMINI_API_KEY GEMINI_BASE_URL OLLAMA_HOST OLLAMA_API_KEY OPENAI_COMPATIBLE_API_KEY OPENAI_COMPATIBLE_BASE_URL.\n\
        Exit codes: 0 returned, 1 failed or error, 2 usage, 3 out of turns, 6 tool calls wait (ptc approve), 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP.\n\
        The first of these signals ends the run: what is kept goes on with --resume; the second exits at once."
    )]
    Run(RunArgs),
    /// Say all that is wrong with a task, without asking its model or calling its tools
    #[command(after_help = CHECK_HELP)]
    Check(CheckArgs),
    /// Run tasks with known answers under several policies, and compare right answers, turns, tokens, cost and time
    #[command(after_help = COMPARE_HELP)]
    Compare(CompareArgs),
    /// Take one reply of a model as the next turn of the session kept in TRACE
    #[command(
        after_help = "With --task on a new TRACE and nothing on standard input, the session is begun and no turn is run,\n\
        so that `ptc messages TRACE` shows the first prompt.\n\
        Exit codes: 0 the turn ran, 2 usage, 3 out of turns, 4 the session had ended,\n\
        5 an act began only now, or a turn that a crash left was run to its end: the reply was not run,\n\
        6 tool calls wait (ptc approve): go on with the same command and nothing on standard input,\n\
        130 Ctrl-C, 143 SIGTERM, 129 SIGHUP: the reply is kept, go on with nothing on standard input."
    )]
    Step(StepArgs),
    /// Say what becomes of tool calls that wait: those for approval, and those that were in flight when a process ended
    #[command(
        after_help = "Without CALL, of all that wait for approval; a call that was in flight has to be named, it may have been made.\n\
        Nothing is run: `ptc run TASK --resume TRACE`, or `ptc step TRACE`, goes on.\n\
        Exit codes: 0 it is written down, or nothing waits, 2 usage."
    )]
    Approve(ApproveArgs),
    /// Run programs: each FILE is a turn of one session
    #[command(after_help = eval_help())]
    Eval(EvalArgs),
    /// Show what the model sees before a turn
    Messages(MessagesArgs),
    /// Compare policies on recorded conversations, or show one under a policy
    History(HistoryArgs),
    /// Show everything that happened
    Trace(TraceArgs),
    /// Count the input tokens of a request before it is sent
    #[command(after_help = TOKENS_HELP)]
    Tokens(TokensArgs),
    /// Show what a function does, or list all functions
    Doc(DocArgs),
    /// Run the turns of another ptc in a worker process (`--isolate`)
    #[command(name = "__worker", hide = true)]
    Worker(WorkerArgs),
}

const CHECK_HELP: &str = "\
Looked at: the task file, inputs and files of acts, recorded models and tools, commands, addresses and variables of\n\
servers, keys of models, expected shapes and schemas, options of history, places {{act}} in texts, and the same of all\n\
tasks inside. No model is asked, no tool is called, no server is started: what only they know is found when they run.\n\
Each problem is a line, with file and line where they are known. With --json it is one line\n\
{\"ok\":false,\"task\":\"...\",\"problems\":[{\"file\":\"...\",\"line\":7,\"message\":\"...\"}]}.\n\
Exit codes: 0 nothing is wrong, 1 something is, 2 usage.";

/// Most runs of a task under a policy.
pub const MOST_RUNS: u64 = 1000;

const COMPARE_HELP: &str = "\
A policy is NAME=FILE.toml, a file with the keys of [history] and perhaps card = \"long\", or NAME=WORD with one of these\n\
words. It takes the place of the task's [history]; without NAME= it is called as its file or word is.\n\
\x20 none     the full history\n\
\x20 default  what a task without [history] has\n\
\x20 auto     strategy = \"auto\" and nothing else\n\
\x20 task     the task's own [history]\n\
Each run is kept as DIR/TASK/POLICY/RUN.jsonl. The same command again runs what is not there, goes on with what was begun, and\n\
tries again what ended by an error; where all is there it only reports, and needs no model. Traces that `ptc step` made are\n\
compared as well. Figures are sums over tasks of the mean over a task's runs, ± the standard error, and in brackets the part\n\
of the first policy's. docs/compare.md says how to read them.\n\
Exit codes: 0 all runs have ended, 1 some have not, 2 usage, 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP.";

#[derive(Args)]
pub struct CompareArgs {
    /// Folders with a task.toml, or such files; each with `answer` or `answer_program` in [task]
    #[arg(required = true, value_name = "TASK")]
    pub tasks: Vec<PathBuf>,
    /// A policy to compare; the first is what the others are parts of
    #[arg(long, required = true, value_name = "NAME=FILE|WORD")]
    pub policy: Vec<String>,
    /// Ask this model, over what the tasks say; of several each is asked under each policy
    #[arg(long, value_name = "NAME")]
    pub model: Vec<String>,
    /// How often each task is run under each policy; as often as DIR holds if absent, at least once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_RUNS))]
    pub runs: Option<u64>,
    /// The folder that keeps the traces
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// How many runs at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=64))]
    pub jobs: u64,
    /// Prices of a million tokens: of the request, of those that a cache had, of the reply; over what the tasks say
    #[arg(long, value_name = "INPUT,CACHED,OUTPUT")]
    pub prices: Option<String>,
    /// Write the comparison as a page into this file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Leave it to the system when lines of traces reach the disk: faster, and a power cut may lose the last ones
    #[arg(long)]
    pub no_sync: bool,
    /// Show each task too
    #[arg(short, long)]
    pub verbose: bool,
}

#[derive(Args)]
pub struct CheckArgs {
    /// A folder with a task.toml, or the task.toml
    pub task: PathBuf,
    /// Print one line of JSON
    #[arg(long)]
    pub json: bool,
}

/// How history is shown, over what the task or trace says.
#[derive(Args, Default)]
pub struct Compression {
    /// Show earlier turns as summaries
    #[arg(long, conflicts_with = "no_compress")]
    pub compress: bool,
    /// Show the full history: no summaries, no strategy, no budgets, every input whole
    #[arg(long)]
    pub no_compress: bool,
}

impl Compression {
    /// What was asked, if anything was.
    pub fn asked(&self) -> Option<bool> {
        (self.compress || self.no_compress).then_some(self.compress)
    }
}

#[derive(Args)]
pub struct RunArgs {
    /// A folder with a task.toml, or the task.toml
    pub task: PathBuf,
    /// Keep the trace in this file; a session in it that has not ended is continued
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Go on with the session in this file, which a crash, Ctrl-C or the end of turns left; it keeps its trace there
    #[arg(long, value_name = "TRACE", conflicts_with = "trace")]
    pub resume: Option<PathBuf>,
    #[command(flatten)]
    pub compression: Compression,
    /// Most turns, over what the task says; of a task with acts, of the act that is continued
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_turns: Option<u64>,
    /// Ask this model, over what the task says: openai/NAME, openai-responses/NAME, anthropic/NAME, gemini/NAME,
    /// ollama/NAME, openai-compatible/NAME, replay:FILE
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Write the model's replies into this file, which replay:FILE reads
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// When a recorded reply was given to another prompt than the one that is asked now: warn, or stop before it is run
    #[arg(long, value_name = "HOW")]
    pub replay: Option<Replay>,
    /// Write a page of the session into this file, however it ends
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Print the result as one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Run the programs in a process of their own
    #[arg(long)]
    pub isolate: bool,
    /// Leave it to the system when lines of the trace reach the disk: faster, and a power cut may lose the last ones
    #[arg(long)]
    pub no_sync: bool,
    /// Say of each request what history made of it, and how long it is of the full history
    #[arg(short, long)]
    pub verbose: bool,
    /// Do not run the turn again that a crash left: record it as failed, with the calls that it made, and go on
    #[arg(long, requires = "resume")]
    pub fail_turn: bool,
}

/// What becomes of a recorded reply that was given to another prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Replay {
    /// It is run, with a warning (the default)
    Warn,
    /// The run ends with an error before the reply is run
    Strict,
}

/// A flag that no other program takes for one of its own: a host that is not ptc must not run something else.
#[derive(Args)]
pub struct WorkerArgs {
    #[arg(long, required = true)]
    pub serve_ptc_turns: bool,
}

#[derive(Args)]
pub struct StepArgs {
    /// The trace file
    pub trace: PathBuf,
    /// A file with the reply, or - for standard input (the default)
    pub reply: Option<PathBuf>,
    /// Begin the session of this task; on a session that has begun, the place where its files are now
    #[arg(long, value_name = "TASK")]
    pub task: Option<PathBuf>,
    #[command(flatten)]
    pub compression: Compression,
    /// Most turns, over what the task or trace says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_turns: Option<u64>,
    /// Print one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Leave it to the system when lines of the trace reach the disk: faster, and a power cut may lose the last ones
    #[arg(long)]
    pub no_sync: bool,
}

#[derive(Args)]
pub struct ApproveArgs {
    /// The trace file
    pub trace: PathBuf,
    /// The number of the call
    pub call: Option<u64>,
    /// Do not make it: the program gets an error in these words
    #[arg(long, value_name = "WORDS", conflicts_with = "answer")]
    pub deny: Option<String>,
    /// Do not make it: its answer is the JSON in this file
    #[arg(long, value_name = "FILE", requires = "call")]
    pub answer: Option<PathBuf>,
    /// Only show what waits
    #[arg(long, conflicts_with_all = ["call", "deny", "answer"])]
    pub list: bool,
    /// Print what waits, after this, as one line of JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct EvalArgs {
    /// Programs, each a turn of one session; - is standard input
    #[arg(conflicts_with = "expr")]
    pub files: Vec<PathBuf>,
    /// A program given here; several are turns of one session
    #[arg(short, long, value_name = "EXPR", allow_hyphen_values = true)]
    pub expr: Vec<String>,
    /// Print one line of JSON a turn
    #[arg(long)]
    pub json: bool,
    /// Read lines {"id","source"} or {"id","turns":[...]}, each a session of its own, and answer each with a line of JSON
    #[arg(long, conflicts_with = "expr")]
    pub batch: bool,
    /// An input, read in programs as ctx/NAME; a .json or .jsonl file
    #[arg(long, value_name = "NAME=FILE")]
    pub ctx: Vec<String>,
    /// A file with other limits, as the [limits] of a task
    #[arg(long, value_name = "FILE")]
    pub limits: Option<PathBuf>,
    /// Grant tool/echo, fail, panic, slow {:ms}, big {:bytes}, deep {:depth}, wide {:n}
    #[arg(long)]
    pub test_tools: bool,
    /// Run each session in a process of its own, which can die without harm
    #[arg(long)]
    pub isolate: bool,
}

#[derive(Args)]
pub struct MessagesArgs {
    /// The trace file
    pub trace: PathBuf,
    /// A file with the keys of [history], instead of the recorded policy
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    #[command(flatten)]
    pub compression: Compression,
    /// Before this turn; before the next one if absent
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub turn: Option<u64>,
    /// Print the array of messages
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Print the reason before each line, then what was decided about the output of older turns
    #[arg(long, conflicts_with_all = ["json", "format"])]
    pub why: bool,
    /// Print them as a provider wants them: openai, openai-responses, anthropic, gemini, bedrock
    #[arg(long)]
    pub format: Option<String>,
    /// Whose tokens a budget counts; those of the model that the trace names, or of openai/gpt-4o, if absent
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub model: Option<String>,
    /// Say what history made of it, and how long it is of the full history
    #[arg(short, long)]
    pub verbose: bool,
}

#[derive(Args)]
pub struct HistoryArgs {
    #[command(subcommand)]
    pub command: HistoryCommand,
}

/// What can be done with recorded conversations.
#[derive(Subcommand)]
pub enum HistoryCommand {
    /// What each policy would have cost, side by side
    #[command(
        after_help = "FILE has a conversation a line: {\"id\",\"messages\":[...]} with text, thought, tool_use and tool_result\n\
        blocks, or the request body of OpenAI (chat, Responses), Anthropic, Gemini or Bedrock. A file that is one such\n\
        object, over several lines, is one conversation; so is a trace, in full."
    )]
    Report(ReportArgs),
    /// What the model would see of one conversation
    View(ViewArgs),
}

#[derive(Args)]
pub struct ReportArgs {
    /// Conversations, one a line of JSON
    pub file: PathBuf,
    /// A file with the keys of [history]: one more policy beside the strategies with their defaults
    #[arg(long, value_name = "FILE")]
    pub policy: Vec<PathBuf>,
    /// Whose tokens are counted
    #[arg(long, value_name = "PROVIDER/MODEL", default_value = "openai/gpt-4o")]
    pub model: String,
    /// Price of an input token that was not cached
    #[arg(long, value_name = "PRICE", default_value_t = 1.0)]
    pub price_input: f64,
    /// Price of an input token that was cached
    #[arg(long, value_name = "PRICE", default_value_t = 0.1)]
    pub price_cached: f64,
    /// Leave out conversations with fewer messages
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_messages: usize,
    /// Print one line of JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ViewArgs {
    /// Conversations, one a line of JSON
    pub file: PathBuf,
    /// Which conversation; the first if absent
    #[arg(long)]
    pub id: Option<String>,
    /// A file with the keys of [history]; the strategy auto if absent
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Of the first K messages; of all if absent
    #[arg(long, value_name = "K")]
    pub at: Option<usize>,
    /// Print it as a provider wants it: openai, openai-responses, anthropic, gemini, bedrock
    #[arg(long, conflicts_with_all = ["json", "why", "diff"])]
    pub format: Option<String>,
    /// Print each line with the reason why it is there, and what was decided about the boundary of auto with its figures
    #[arg(long, conflicts_with_all = ["json", "diff"])]
    pub why: bool,
    /// Print the array of messages
    #[arg(long, conflicts_with = "diff")]
    pub json: bool,
    /// Print what changes under this other policy
    #[arg(long, value_name = "FILE", requires = "policy")]
    pub diff: Option<PathBuf>,
    /// Whose tokens are counted
    #[arg(long, value_name = "PROVIDER/MODEL", default_value = "openai/gpt-4o")]
    pub model: String,
}

#[derive(Args)]
pub struct TraceArgs {
    /// The trace file
    pub trace: PathBuf,
    /// The whole text of the input with this handle, as prompts name it: 1.0
    #[arg(long, value_name = "HANDLE", conflicts_with_all = ["turn", "json", "report"])]
    pub input: Option<String>,
    /// This turn only
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub turn: Option<u64>,
    /// Print the array of turns
    #[arg(long)]
    pub json: bool,
    /// Write a page for people into this file: turns, definitions, tool calls, tokens, every prompt line by line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "turn"])]
    pub report: Option<PathBuf>,
}

const TOKENS_HELP: &str = "\
A request is a JSON object:
  provider  openai, azure-openai, anthropic, google, bedrock, openrouter ... any name
  api       chat, responses, anthropic, google or converse; by default what the provider speaks
  model     as the provider names it
  messages  [{\"role\": \"system|user|assistant|tool\", \"content\": TEXT or [BLOCK, ...]}], a BLOCK being
            {\"type\":\"text\",\"text\"}, {\"type\":\"thought\",\"text\"}, {\"type\":\"tool_use\",\"id\",\"name\",\"input\"}
            or {\"type\":\"tool_result\",\"id\",\"content\"}
  tools     declarations in the form of any provider
  schema    what the answer has to fit: a JSON schema, or true if there is one that is not shown
  opaque    true if messages hold parts that are not shown: images, files, sealed reasoning
or the request body of OpenAI (chat, Responses), Anthropic, Gemini or Bedrock, with \"model\", and \"provider\" where it is
another's, beside it where the body does not say.
The answer is a line {\"tokens\",\"low\",\"high\",\"source\"}: the most likely number, bounds that hold for 95 % of recorded
requests, and where the number comes from. What cannot be counted is answered with a line {\"error\"}.
Exit codes: 0 all was counted, 1 a request was not, 2 usage.";

#[derive(Args)]
pub struct TokensArgs {
    /// A file with a request, or - for standard input (the default)
    pub file: Option<PathBuf>,
    /// Read a request a line, and answer each with a line, in order
    #[arg(long)]
    pub batch: bool,
}

#[derive(Args)]
pub struct DocArgs {
    /// A function or form: assoc, str/join, let, ->
    #[arg(allow_hyphen_values = true)]
    pub name: Option<String>,
    /// Print docs/functions.md
    #[arg(long, hide = true, conflicts_with = "name")]
    pub markdown: bool,
}

/// Every limit with its default.
fn eval_help() -> String {
    let mut out = String::from(
        "Limits of a turn and their defaults, to be changed in a --limits FILE as in `fuel = 5_000_000`:\n",
    );
    for (name, value, words) in limit_list(&Limits::default()) {
        let _ = writeln!(out, "  {name:<15}{value:>12}  {words}");
    }
    out.push_str(
        "\nThe same program with the same limits prints the same: randomness is seeded by the number of the turn.\n\
         Exit codes: 0, 1 when the last turn failed, 2 usage; with --batch 0 when every line was answered.",
    );
    out
}

/// Help and version go to stdout; what was not understood is one line that says what to do.
pub fn refused(e: &clap::Error, io: &mut Io<'_>) -> i32 {
    use clap::error::ErrorKind as K;
    let text = e.render().to_string();
    match e.kind() {
        K::DisplayHelp | K::DisplayVersion => {
            let _ = io.out.write_all(text.as_bytes()).and_then(|()| io.out.flush());
            DONE
        }
        K::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = io.err.write_all(text.as_bytes());
            USAGE
        }
        _ => {
            let mut parts: Vec<&str> = Vec::new();
            for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
                if line.starts_with("Usage:") || line.starts_with("For more information") {
                    break;
                }
                parts.push(line.strip_prefix("error: ").unwrap_or(line));
            }
            io.error(&format!("{}; see --help", parts.join("; ").replace(":;", ":")));
            USAGE
        }
    }
}
