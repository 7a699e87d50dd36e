//! What a command is given besides its streams.

use ptc_agent::Environment;
use ptc_agent::sessions::SessionStore;
use std::path::PathBuf;

/// What a command is given besides its streams.
#[derive(Clone, Debug, Default)]
pub struct CliContext {
    /// Whether `stderr` is a terminal that someone looks at: replies of models are shown there as they come.
    pub live: bool,
    /// Columns of that terminal. `None` asks the terminal, again and again: it may be resized. Where it says nothing, 80.
    pub columns: Option<usize>,
    /// Whether `stderr` gets no styles, unless `--color always` asks for them.
    pub plain: bool,
    /// Where keys and addresses of models come from.
    pub environment: Environment,
    /// Whether someone types at `stdin` and looks at `stdout`: both are the process's own and terminals.
    pub interactive: bool,
    /// How many columns the terminal has that `stdout` is; `None` where it is none, and gets the exact bytes of results.
    pub width: Option<usize>,
    /// Whether results on `stdout` are coloured where they are laid out.
    pub color: bool,
    /// The folder that keeps sessions: [`SessionStore::home`] names the user's. Without one none are kept.
    pub home: Option<PathBuf>,
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

impl CliContext {
    /// Whether a line of the terminal may be drawn again and again: never where a program reads along.
    pub(crate) fn redraws(&self) -> bool {
        let set = |name: &str| self.environment.get(name).is_some_and(|v| !v.is_empty());
        let dumb = self.environment.get("TERM").is_none_or(|term| term == "dumb" || term.is_empty());
        self.live && self.own_process && !set("CI") && (cfg!(windows) || !dumb)
    }

    /// The sessions that are kept, where there is a folder for them.
    pub(crate) fn sessions(&self) -> Option<SessionStore> {
        self.home.as_deref().map(SessionStore::at)
    }

    /// Whether runs are to keep none unless they are told.
    pub(crate) fn sessions_off(&self) -> bool {
        self.environment.get("PTC_SESSIONS").is_some_and(|v| matches!(v, "off" | "0" | "no" | "false"))
    }
}
