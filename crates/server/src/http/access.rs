//! Who may ask: tokens, and names of hosts by which a page of another site could be let in.

use crate::client::Client;
use ptc_agent::host::sha256;
use ptc_agent::{Error, ErrorKind, ErrorText, error_text};
use std::net::{IpAddr, SocketAddr};

/// Fewest characters of a token.
const SHORTEST: usize = 16;
/// What the client of a token without a name is called, and who asks without one on this machine.
const DEFAULT: &str = "default";

/// The tokens of clients. Only their digests are kept.
#[derive(Clone, Default)]
pub struct Tokens(Vec<(String, Client)>);

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(_, client)| client.name())).finish()
    }
}

impl Tokens {
    /// A line a client, `NAME TOKEN`, or a token alone, whose client is called `default`. Empty lines and those that begin
    /// with `#` say nothing. A client may have several tokens.
    ///
    /// ```
    /// use ptc_server::http::Tokens;
    ///
    /// assert!(Tokens::parse("alice 0123456789abcdef\nbob fedcba9876543210").is_ok());
    /// assert!(Tokens::parse("alice short").unwrap_err().to_string().contains("at least 16"));
    /// ```
    ///
    /// # Errors
    /// When a line is neither, a token is short, or two clients have one token; the line, never the token.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut all: Vec<(String, Client)> = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let place = format!("line {}", at.saturating_add(1));
            let wrong = |what: ErrorText| Error::new(ErrorKind::Usage, what).at(&place);
            let words: Vec<&str> = line.split_whitespace().collect();
            let (name, token) = match words.as_slice() {
                [token] => (DEFAULT, *token),
                [name, token] => (*name, *token),
                _ => return Err(wrong(error_text!("it is no NAME TOKEN"; "write a name, a blank and a token"))),
            };
            if token.chars().count() < SHORTEST || !token.chars().all(|c| c.is_ascii_graphic()) {
                let words = error_text!("a token has at least {SHORTEST} characters, letters, digits and signs"; "make one: openssl rand -hex 32");
                return Err(wrong(words));
            }
            let digest = sha256(token.as_bytes());
            if all.iter().any(|(d, c)| *d == digest && c.name() != name) {
                return Err(wrong(error_text!("another client has the same token"; "give each a token of its own")));
            }
            all.push((digest, Client::new(name)));
        }
        Ok(Tokens(all))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whose token this is. All are compared, each in the same time.
    pub(crate) fn client(&self, token: &str) -> Option<Client> {
        let digest = sha256(token.as_bytes());
        let same = |d: &str| d.bytes().zip(digest.bytes()).fold(0_u8, |all, (a, b)| all | (a ^ b)) == 0;
        let mut found = None;
        for (known, client) in &self.0 {
            if same(known) {
                found = Some(client.clone());
            }
        }
        found
    }
}

/// Who may ask a server.
pub(crate) struct Access {
    tokens: Tokens,
    /// Names of hosts, without ports, that requests may name.
    hosts: Vec<String>,
}

/// Why somebody may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Denied {
    /// There is no token, or it is nobody's.
    Token,
    /// The request names another host.
    Host,
    /// A page of another site asks.
    Origin,
}

impl Access {
    /// For a server at this address.
    ///
    /// # Errors
    /// When others than this machine reach it and nobody needs a token.
    pub(crate) fn new(address: SocketAddr, tokens: Tokens, hosts: &[String]) -> Result<Self, Error> {
        if !address.ip().is_loopback() && tokens.is_empty() {
            let words = error_text!("others than this machine reach {address}, and no token is asked for"; "give --token-file FILE, or PTC_SERVE_TOKEN in the environment; or serve 127.0.0.1");
            return Err(Error::new(ErrorKind::Usage, words));
        }
        Ok(Access { tokens, hosts: hosts.iter().map(|h| h.to_ascii_lowercase()).collect() })
    }

    pub(crate) fn has_tokens(&self) -> bool {
        !self.tokens.is_empty()
    }

    /// The client of a request with these headers.
    ///
    /// A page that a browser shows can make a name of its own mean this machine, and then ask as if it came from here: so
    /// without a token requests have to name this machine, and with one too where no token was given with them. What
    /// has the right token was sent by someone who knows it.
    pub(crate) fn client(
        &self,
        host: Option<&str>,
        origin: Option<&str>,
        token: Option<&str>,
    ) -> Result<Client, Denied> {
        let known = token.and_then(|token| self.tokens.client(token));
        if self.has_tokens() && known.is_none() {
            return Err(Denied::Token);
        }
        if known.is_none() && !host.is_some_and(|h| self.is_ours(h)) {
            return Err(Denied::Host);
        }
        if let Some(origin) = origin {
            let at = origin.split_once("://").map(|(_, at)| at);
            let same = at.is_some() && at == host;
            if !same && !at.is_some_and(|at| self.is_ours(at)) {
                return Err(Denied::Origin);
            }
        }
        Ok(known.unwrap_or_else(|| Client::new(DEFAULT)))
    }

    /// Whether a request may name this host, where nothing else says who asks.
    pub(crate) fn is_ours(&self, host: &str) -> bool {
        let name = name_of(host).to_ascii_lowercase();
        let here = name == "localhost" || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
        here || self.hosts.contains(&name)
    }
}

/// A host without its port, and without the brackets of an address.
fn name_of(host: &str) -> &str {
    if let Some(inside) = host.strip_prefix('[') {
        return inside.split(']').next().unwrap_or_default();
    }
    host.rsplit_once(':').map_or(host, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn at(address: &str, tokens: &str) -> Result<Access, Error> {
        Access::new(address.parse().unwrap(), Tokens::parse(tokens).unwrap(), &["box.example".to_owned()])
    }

    #[test]
    fn nobody_else_is_served_without_a_token() {
        assert!(at("0.0.0.0:1", "").is_err() && at("192.0.2.1:1", "").is_err());
        assert!(at("127.0.0.1:1", "").is_ok() && at("[::1]:1", "").is_ok());
        assert!(at("0.0.0.0:1", "0123456789abcdef").is_ok());
    }

    #[test]
    fn names_that_are_not_ours_are_refused_where_no_token_says_who_asks() {
        let open = at("127.0.0.1:80", "").unwrap();
        for host in ["127.0.0.1:80", "localhost:80", "LOCALHOST", "[::1]:80", "box.example:1"] {
            assert!(open.client(Some(host), None, None).is_ok(), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "[::2]:80"] {
            assert_eq!(open.client(Some(host), None, None), Err(Denied::Host), "{host}");
        }
        assert_eq!(open.client(None, None, None), Err(Denied::Host));
        let ours = Some("127.0.0.1:80");
        for origin in ["http://evil.example", "null", "file://", "http://127.0.0.1.evil.example:80"] {
            assert_eq!(open.client(ours, Some(origin), None), Err(Denied::Origin), "{origin}");
        }
        assert!(open.client(ours, Some("http://127.0.0.1:80"), None).is_ok());
    }

    #[test]
    fn a_token_says_who_asks() {
        let both = at("127.0.0.1:80", "alice 0123456789abcdef\nbob fedcba9876543210 \n# nobody").unwrap();
        let who = |token| both.client(Some("any.example"), None, Some(token)).map(|c| c.name().to_owned());
        assert_eq!(who("0123456789abcdef"), Ok("alice".to_owned()));
        assert_eq!(who("fedcba9876543210"), Ok("bob".to_owned()));
        for wrong in ["", "0123456789abcde", "0123456789abcdeF", "0123456789abcdef "] {
            assert_eq!(who(wrong), Err(Denied::Token), "{wrong:?}");
        }
        assert_eq!(both.client(Some("127.0.0.1:80"), None, None), Err(Denied::Token));
        assert_eq!(
            both.client(Some("a.example"), Some("http://b.example"), Some("0123456789abcdef")),
            Err(Denied::Origin)
        );
    }

    #[test]
    fn what_is_wrong_with_tokens_is_told_without_them() {
        for (text, words) in [
            ("a b c", "line 1"),
            ("\nalice short-secret", "line 2"),
            ("a 0123456789abcdef\nb 0123456789abcdef", "another client has the same token"),
        ] {
            let e = Tokens::parse(text).unwrap_err().text();
            assert!(e.contains(words) && !e.contains("secret") && !e.contains("0123456789abcdef"), "{e}");
        }
    }
}
