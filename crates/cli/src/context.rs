//! What a command is given besides its streams.

use ptc_agent::Environment;
use std::path::PathBuf;

/// What a command is given besides its streams.
#[derive(Clone, Debug, Default)]
pub struct CliContext {
    /// Whether `stderr` is a terminal that someone looks at: replies of models are shown there as they come.
    pub live: bool,
    /// Where keys and addresses of models come from.
    pub environment: Environment,
    /// Whether the process runs this command and nothing else: a worker (`--isolate`) then gives up what it does not need.
    pub own_process: bool,
    /// Where the user's configuration is.
    pub config: ConfigFile,
}

/// Where the user's configuration is (docs/cli.md, "ptc config").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ConfigFile {
    /// There is none.
    #[default]
    None,
    /// In the system's usual place, where there may be no such file.
    Usual(PathBuf),
    /// In a file that was named, which must be there.
    Named(PathBuf),
}

impl ConfigFile {
    /// That of this process: the file named by `PTC_CONFIG`, none if that is empty; else `config.toml` in the folder where
    /// the system has configurations of users.
    pub fn of_process() -> Self {
        match std::env::var_os("PTC_CONFIG") {
            Some(path) if path.is_empty() => ConfigFile::None,
            Some(path) => ConfigFile::Named(path.into()),
            None => directories::ProjectDirs::from("", "", "ptc")
                .map_or(ConfigFile::None, |dirs| ConfigFile::Usual(dirs.config_dir().join("config.toml"))),
        }
    }
}
