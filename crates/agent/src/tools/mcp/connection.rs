//! How a server is reached: a child process or a URL.

#[cfg(feature = "mcp")]
use super::http::{header_map, http};
#[cfg(feature = "mcp")]
use crate::error::Error;
#[cfg(feature = "mcp")]
use crate::secrets::{Secrets, fill};
use std::path::PathBuf;

/// How a server is reached. Values may hold `$NAME` for a variable of our environment.
#[derive(Clone)]
#[non_exhaustive]
pub enum Connection {
    /// A child process that speaks on its standard streams.
    Command {
        /// The program.
        program: PathBuf,
        /// Its arguments.
        args: Vec<String>,
        /// Its environment, besides what every program needs.
        env: Vec<(String, String)>,
    },
    /// A server of streamable HTTP.
    Url {
        /// Where it is.
        url: String,
        /// Headers of each request.
        headers: Vec<(String, String)>,
    },
}

impl Connection {
    /// What tells it from another: the program's name and its arguments, or the address without what may hold a key: name,
    /// password, query, fragment.
    pub(crate) fn words(&self) -> Vec<String> {
        match self {
            Connection::Command { program, args, .. } => {
                let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
                [name].into_iter().chain(args.iter().cloned()).collect()
            }
            Connection::Url { url, .. } => {
                let plain = url.split(['?', '#']).next().unwrap_or_default();
                let (scheme, rest) = plain.split_once("://").unwrap_or(("", plain));
                let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
                vec![scheme.to_owned(), authority.rsplit('@').next().unwrap_or_default().to_owned(), path.to_owned()]
            }
        }
    }

    /// What is wrong with it, and the key that says it, as far as that can be told without reaching the server:
    /// variables that are not set, headers and addresses that are none.
    #[cfg(feature = "mcp")]
    pub(crate) fn fault(&self) -> Option<(&'static str, Error)> {
        let mut secrets = Secrets::default();
        match self {
            Connection::Command { env, .. } => fill(&mut secrets, env, "env").err().map(|p| ("env", p)),
            Connection::Url { url, headers } => {
                let filled = fill(&mut secrets, headers, "headers").and_then(|h| header_map(&h, "headers"));
                let address = fill(&mut secrets, &[("url".to_owned(), url.clone())], "url")
                    .and_then(|mut url| http(&url.remove(0).1, "url"));
                filled.err().map(|p| ("headers", p)).or_else(|| address.err().map(|p| ("url", p)))
            }
        }
    }
}

/// Of environment, headers and queries the names alone: their values may be keys.
impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = |pairs: &[(String, String)]| pairs.iter().map(|p| p.0.clone()).collect::<Vec<_>>();
        match self {
            Connection::Command { program, args, env } => {
                let names = names(env);
                f.debug_struct("Command").field("program", program).field("args", args).field("env", &names).finish()
            }
            Connection::Url { url, headers } => {
                f.debug_struct("Url").field("url", &bare(url)).field("headers", &names(headers)).finish()
            }
        }
    }
}

/// A URL without name, password, query and fragment; nothing of one that is none.
#[cfg(feature = "mcp")]
fn bare(url: &str) -> Option<String> {
    let mut url = reqwest::Url::parse(url).ok()?;
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    url.set_query(None);
    url.set_fragment(None);
    Some(url.to_string())
}

/// Nothing of a URL: without the feature `mcp` none is read.
#[cfg(not(feature = "mcp"))]
fn bare(_: &str) -> Option<String> {
    None
}

#[cfg(test)]
#[cfg(feature = "mcp")]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_no_values() {
        let pairs = || vec![("TOKEN".to_owned(), "s3cr3t".to_owned())];
        let command = Connection::Command { program: "run".into(), args: vec!["-x".into()], env: pairs() };
        assert_eq!(format!("{command:?}"), r#"Command { program: "run", args: ["-x"], env: ["TOKEN"] }"#);
        let url =
            Connection::Url { url: "https://me:s3cr3t@example.org/mcp?key=s3cr3t#s3cr3t".into(), headers: pairs() };
        assert_eq!(format!("{url:?}"), r#"Url { url: Some("https://example.org/mcp"), headers: ["TOKEN"] }"#);
    }
}
