//! The tokens of clients.

use crate::client::Client;
use ptc_agent::files::read_hand_written;
use ptc_agent::{Environment, Error, ErrorKind, error_text};
use sha2::{Digest, Sha256};
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

/// Fewest characters of a token: shorter ones can be guessed.
const SHORTEST: usize = 16;
/// The client whose token has no name, and who needs none.
const LOCAL: &str = "local";
/// The variable that has a token of the client `local`.
pub const TOKEN_VARIABLE: &str = "PTC_SERVER_TOKEN";

/// The tokens of clients. They are kept as digests, and compared in constant time.
#[derive(Clone, Default)]
pub struct Tokens {
    digests: Vec<([u8; 32], Client)>,
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.digests.iter().map(|(_, client)| client.name())).finish()
    }
}

impl Tokens {
    /// None: whoever reaches the server may use it.
    pub fn none() -> Self {
        Tokens::default()
    }

    /// Those of the file, if there is one, and the one of the environment, which is the client's `local`.
    ///
    /// # Errors
    /// As [`Tokens::read`] and [`Tokens::parse`].
    pub fn of(file: Option<&Path>, environment: &Environment) -> Result<Self, Error> {
        let mut all = file.map_or_else(|| Ok(Tokens::none()), Self::read)?;
        if let Some(token) = environment.get(TOKEN_VARIABLE) {
            let one = Self::parse(token, TOKEN_VARIABLE)?;
            all.digests.extend(one.digests);
        }
        Ok(all)
    }

    /// Reads a file of tokens: a token a line, or `NAME TOKEN` of a client that has sessions and limits of its own. Blank
    /// lines and those that begin with `#` are skipped.
    ///
    /// # Errors
    /// When it cannot be read, others than its owner can read it, or a line is none.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let shown = path.display().to_string();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = path.metadata().map_or(0, |m| m.permissions().mode());
            if mode & 0o077 != 0 {
                let words = error_text!("others than you can read this file of tokens"; "run chmod 600 on it");
                return Err(Error::new(ErrorKind::Setting, words).at(&shown));
            }
        }
        Self::parse(&read_hand_written(path)?, &shown)
    }

    /// Reads such a text; `shown` stands in errors.
    ///
    /// # Errors
    /// When a line is none, or there is no token.
    pub fn parse(text: &str, shown: &str) -> Result<Self, Error> {
        let mut tokens = Tokens::default();
        for (i, line) in text.lines().enumerate() {
            let place = format!("{shown}, line {}", i.saturating_add(1));
            let wrong = |words| Err(Error::new(ErrorKind::Setting, words).at(&place));
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            // What is in it is not shown: it may be a token.
            let (name, token) = match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                [token] => (LOCAL, (*token).to_owned()),
                [name, token] => (*name, (*token).to_owned()),
                _ => return wrong(error_text!("the line is no token"; "write TOKEN, or NAME TOKEN")),
            };
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '@');
            if name.len() > 64 || !name.chars().all(plain) {
                return wrong(
                    error_text!("the name of the client has other characters than letters, digits, - _ . and @, or more than 64"; "write another one"),
                );
            }
            if token.len() < SHORTEST || !token.bytes().all(|b| b.is_ascii_graphic()) {
                return wrong(
                    error_text!("the token has fewer than {SHORTEST} characters, or others than ASCII"; "make one with openssl rand -hex 32"),
                );
            }
            if tokens.client(&token).is_some() {
                return wrong(error_text!("the token stands here twice"; "give each client its own"));
            }
            tokens.digests.push((digest(&token), Client::new(name)));
        }
        if tokens.digests.is_empty() {
            return Err(Error::new(
                ErrorKind::Setting,
                error_text!("there is no token"; "write one: openssl rand -hex 32"),
            )
            .at(shown));
        }
        Ok(tokens)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.digests.is_empty()
    }

    /// Whose token this is. It takes the same time whatever is in it.
    pub fn client(&self, token: &str) -> Option<Client> {
        let given = digest(token);
        let mut found = None;
        for (known, client) in &self.digests {
            let different = known.iter().zip(&given).fold(0_u8, |sum, (a, b)| sum | (a ^ b));
            if std::hint::black_box(different) == 0 {
                found = Some(client.clone());
            }
        }
        found
    }

    /// Who asks with this value of an `Authorization` header. Without tokens it is the local client, whatever is in it.
    pub fn authorized(&self, header: Option<&str>) -> Option<Client> {
        if self.is_empty() {
            return Some(Client::new(LOCAL));
        }
        let (scheme, token) = header?.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| self.client(token.trim()))?
    }
}

/// The client of whoever started the server.
pub fn local_client() -> Client {
    Client::new(LOCAL)
}

/// The digest with a key that nobody knows, so that nothing can be learnt from how long comparing takes.
fn digest(token: &str) -> [u8; 32] {
    static KEY: OnceLock<[u8; 32]> = OnceLock::new();
    let key = KEY.get_or_init(|| {
        let mut key = [0; 32];
        // Without chance the comparison is of constant time all the same.
        let _ = getrandom::fill(&mut key);
        key
    });
    Sha256::new().chain_update(key).chain_update(token.as_bytes()).finalize().into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn tokens_are_whose_they_are_and_nothing_else_is_one() {
        let text = "# ours\n0123456789abcdef\n\nann fedcba9876543210\n";
        let tokens = Tokens::parse(text, "tokens").unwrap();
        assert_eq!(tokens.authorized(Some("Bearer 0123456789abcdef")).unwrap().name(), "local");
        assert_eq!(tokens.authorized(Some("bearer  fedcba9876543210 ")).unwrap().name(), "ann");
        for bad in [
            None,
            Some(""),
            Some("Bearer"),
            Some("Bearer "),
            Some("Bearer 0123456789abcdeX"),
            Some("0123456789abcdef"),
            Some("Basic 0123456789abcdef"),
        ] {
            assert_eq!(tokens.authorized(bad), None, "{bad:?}");
        }
        assert!(!format!("{tokens:?}").contains("0123"));
        for bad in
            ["", "# nothing", "short", "a b c", "n\u{f6} 0123456789abcdef", "0123456789abcdef\nx 0123456789abcdef"]
        {
            let error = Tokens::parse(bad, "tokens").unwrap_err().to_string();
            assert!(error.starts_with("tokens") && !error.contains("0123"), "{error}");
        }
        assert_eq!(Tokens::none().authorized(None).unwrap(), local_client());
    }
}
