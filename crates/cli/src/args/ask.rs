//! `ptc ask`.

use super::run::RunOptions;
use clap::Args;

/// What `ptc ask` says below its options.
pub const ASK_HELP: &str = "\
A tool is a command. It gets the arguments of a call as one JSON object on standard input; what it prints is the answer:\n\
JSON as it is, other text as a string. An exit code other than 0 is an error, in the words of its standard error. Programs\n\
call it as (tool/search {:query \"late\"}). What it is for, its parameters and the type of its answer are told with --set.\n\
\n\
Examples:\n\
\x20 ptc ask \"Which customers ordered twice?\" --ctx orders.csv\n\
\x20 ptc ask \"What changed?\" --ctx before=a.json --ctx after=b.json --model ollama/qwen3\n\
\x20 git log --oneline | ptc ask \"What was worked on?\" --ctx log=-\n\
\x20 ptc ask \"What do customers say of pens?\" --tool ./search.py \\\n\
\x20     --set 'tools.search.description=\"Finds reviews\"' --set 'tools.search.params=[{name = \"query\", type = \"string\"}]'\n\
\x20 ptc ask --continue \"And which of them in March?\"\n\
\n\
Without --model it is the model of the configuration (ptc config), or, with a key of one provider alone in the environment,\n\
openai/gpt-5.1 (OPENAI_API_KEY), anthropic/claude-sonnet-4-5 (ANTHROPIC_API_KEY) or gemini/gemini-2.5-pro (GEMINI_API_KEY).\n\
\n\
Exit codes are those of ptc run: 0 returned, 1 failed or error, 2 usage, 3 out of turns, 6 tool calls wait (ptc approve),\n\
130 Ctrl-C, 143 SIGTERM, 129 SIGHUP.";

#[derive(Args)]
#[command(
    mut_arg("go_on", |arg| arg.help("Ask the newest session of a question in this folder: its definitions are there, its inputs and tools too")),
    mut_arg("resume", |arg| arg.help("Ask this session, by its id or its trace, or go on with its question where a crash, Ctrl-C or the end of turns left it"))
)]
pub struct AskArgs {
    /// What is to be answered; without one --resume and --continue go on with the session's own question
    #[arg(required_unless_present_any = ["resume", "go_on"])]
    pub question: Option<String>,
    /// What follows the question by mistake: it is refused with what to write.
    #[arg(hide = true)]
    pub more: Vec<String>,
    /// A command that programs may call as tool/NAME; without NAME= it is called as its file is, of `python3 find.py` find
    #[arg(long, value_name = "[NAME=]COMMAND")]
    pub tool: Vec<String>,
    #[command(flatten)]
    pub options: RunOptions,
}
