//! The user's configuration, as commands take it.

use crate::context::ConfigFile;
use crate::terminal::io::Io;
use ptc_agent::user_config::missing;
use ptc_agent::{Error, UserConfig};

/// Reads the configuration.
///
/// # Errors
/// When it is named and not there, or says what it may not.
pub fn read(file: &ConfigFile) -> Result<UserConfig, Error> {
    match file {
        ConfigFile::None => Ok(UserConfig::default()),
        ConfigFile::Named(path) if !path.exists() => Err(missing(path)),
        ConfigFile::Named(path) | ConfigFile::Usual(path) => UserConfig::load(path).map_err(|e| match e.hint() {
            Some(_) => e,
            None => e.with_hint("correct the configuration, or leave it out with --no-config"),
        }),
    }
}

/// Reads the configuration, and has keys come from the variables that it names.
///
/// # Errors
/// As [`read`].
pub fn take(io: &mut Io<'_>) -> Result<UserConfig, Error> {
    let config = read(&io.context.config)?;
    for (provider, variable) in config.keys() {
        if io.context.environment.get(variable).is_none() {
            io.warn(&format!("{variable} is not set, which the configuration names for keys of {provider}"));
        }
    }
    io.context.environment = config.environment(io.context.environment.clone());
    Ok(config)
}
