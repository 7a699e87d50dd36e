//! What a command is given besides its streams.

use ptc_agent::Environment;

/// What a command is given besides its streams.
#[derive(Clone, Debug, Default)]
pub struct CliContext {
    /// Whether `stderr` is a terminal that someone looks at: replies of models are shown there as they come.
    pub live: bool,
    /// Where keys and addresses of models come from.
    pub environment: Environment,
    /// Whether the process runs this command and nothing else: a worker (`--isolate`) then gives up what it does not need.
    pub own_process: bool,
}
