//! `ptc acp`.

use super::given::{InputArgs, SettingArgs};
use super::run::RunOptions;
use clap::Args;
use std::path::PathBuf;

/// What `ptc acp` says below its options.
pub const ACP_HELP: &str = "\
An editor starts it and speaks the Agent Client Protocol over standard input and output; ptc doc acp says what to write where.\n\
Sessions are kept where those of ptc run are: ptc sessions, ptc trace and ptc ask --resume work on them.\n\
Without --model it is the model of the task, of the configuration, or of the only provider whose key is set, as with ptc ask.\n\
Exit codes: 0 the editor has closed, 2 usage, 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP: what runs is cancelled and can be gone on with.";

#[derive(Args)]
pub struct AcpArgs {
    /// A task that each session runs, with what is asked behind its prompt; without one a prompt is a question, as of ptc ask
    pub task: Option<PathBuf>,
    /// A command that programs may call as tool/NAME, as of ptc ask
    #[arg(long, value_name = "[NAME=]COMMAND", conflicts_with = "task")]
    pub tool: Vec<String>,
    #[command(flatten)]
    pub inputs: InputArgs,
    #[command(flatten)]
    pub settings: SettingArgs,
    /// Ask this model, over what the task says
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Most turns of a prompt, over what the task says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_turns: Option<u64>,
    /// Run the programs in a process of their own
    #[arg(long)]
    pub isolate: bool,
}

impl AcpArgs {
    /// The same as options of a run.
    pub fn run_options(&self) -> RunOptions {
        RunOptions {
            inputs: self.inputs.clone(),
            settings: self.settings.clone(),
            model: self.model.clone(),
            max_turns: self.max_turns,
            isolate: self.isolate,
            quiet: true,
            ..RunOptions::default()
        }
    }
}
