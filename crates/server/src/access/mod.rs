//! Who may use a server that listens: tokens of clients, and the names of hosts by which a page of another site could be let in.

mod cors;
mod tokens;

pub use tokens::{TOKEN_VARIABLE, Tokens, local_client};

use crate::client::Client;
use hyper::header::{AUTHORIZATION, HOST, HeaderMap, HeaderName, ORIGIN};
use ptc_agent::{Error, ErrorKind, error_text};
use std::net::{IpAddr, SocketAddr};

/// Who may use a server that listens.
#[derive(Clone, Debug, Default)]
pub struct Access {
    tokens: Tokens,
    /// Names of hosts, without ports, that requests may name besides those of this machine.
    hosts: Vec<String>,
    /// Pages of browsers that may ask besides those of the server itself.
    origins: Vec<String>,
    port: u16,
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

impl Denied {
    /// What is wrong, and what to do.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        match self {
            Denied::Token => ("there is no token, or it is not known", "send the header Authorization: Bearer TOKEN"),
            Denied::Host => (
                "the request names a host that is not this machine",
                "ask 127.0.0.1 or localhost; another name is allowed by --allow-host NAME",
            ),
            Denied::Origin => (
                "a page of another site asks",
                "ask from a program, or from a page of this server; --allow-origin allows another",
            ),
        }
    }
}

impl Access {
    /// For who has one of these tokens. With none, for programs of this machine.
    pub fn new(tokens: Tokens) -> Self {
        Access { tokens, ..Access::default() }
    }

    /// The server is reached by these names too.
    #[must_use]
    pub fn with_hosts(mut self, hosts: &[String]) -> Self {
        self.hosts.extend(hosts.iter().map(|h| h.to_ascii_lowercase()));
        self
    }

    /// These pages of browsers may use it too, as `https://app.example.org`.
    #[must_use]
    pub fn with_origins(mut self, origins: &[String]) -> Self {
        self.origins.extend(origins.iter().map(|o| o.trim_end_matches('/').to_ascii_lowercase()));
        self
    }

    /// Whether a token is needed.
    pub fn needs_token(&self) -> bool {
        !self.tokens.is_empty()
    }

    /// Whether a server may listen here: without tokens only where nobody else can reach it.
    ///
    /// # Errors
    /// When others could; what to do.
    pub fn may_listen(&self, address: IpAddr) -> Result<(), Error> {
        if address.is_loopback() || self.needs_token() {
            return Ok(());
        }
        let words = error_text!("{address} can be reached from other machines, and nobody would need a token"; "give --token-file FILE, or {TOKEN_VARIABLE} in the environment; or listen on 127.0.0.1");
        Err(Error::new(ErrorKind::Usage, words))
    }

    /// The same of a server that listens here.
    pub(crate) fn at(mut self, address: SocketAddr) -> Self {
        self.port = address.port();
        self
    }

    /// The client of a request with these headers; `authority` is the host of its address, where that has one.
    ///
    /// A page that a browser shows can make a name of its own mean this machine, and then ask as if it came from here: so
    /// without a token requests have to name this machine. What has the right token was sent by someone who knows it,
    /// whatever name the server has there.
    pub(crate) fn client(&self, headers: &HeaderMap, authority: Option<&str>) -> Result<Client, Denied> {
        let client = self.tokens.authorized(one(headers, &AUTHORIZATION)).ok_or(Denied::Token)?;
        self.asks_us(headers, authority)?;
        Ok(client)
    }

    /// Whether a request that needs no token asks this server, and no page of another site makes it.
    pub(crate) fn asks_us(&self, headers: &HeaderMap, authority: Option<&str>) -> Result<(), Denied> {
        let host = one(headers, &HOST).or(authority);
        if !self.needs_token() && !host.is_some_and(|h| self.is_ours(h)) {
            return Err(Denied::Host);
        }
        let own = |origin: &hyper::header::HeaderValue| origin.to_str().is_ok_and(|o| self.is_own_page(o, host));
        if headers.get_all(ORIGIN).iter().all(own) { Ok(()) } else { Err(Denied::Origin) }
    }

    /// Whether this host is this machine, or a name that the server has.
    fn is_ours(&self, host: &str) -> bool {
        let (name, _) = name_and_port(host);
        is_loopback(&name) || self.hosts.contains(&name)
    }

    /// Whether it is a page of another site that may use the server.
    fn is_other_page(&self, origin: &str) -> bool {
        self.origins.iter().any(|o| o.eq_ignore_ascii_case(origin))
    }

    /// Whether a page of this origin is the server's own, or one that was allowed.
    fn is_own_page(&self, origin: &str, host: Option<&str>) -> bool {
        if self.is_other_page(origin) {
            return true;
        }
        let origin = origin.to_ascii_lowercase();
        let Some((_, at)) = origin.split_once("://").filter(|(scheme, _)| matches!(*scheme, "http" | "https")) else {
            return false;
        };
        let (name, port) = name_and_port(at);
        // A name that was not said to be ours may be another site's, which it has made to mean this machine; an address is what it is.
        let same = host.is_some_and(|h| h.eq_ignore_ascii_case(at)) && (self.is_ours(at) || is_address(&name));
        // Another port of this machine is another server's.
        let here = is_loopback(&name) && port == Some(self.port);
        // A proxy in front has a port of its own, and may say another host to us.
        let named = self.hosts.contains(&name) && port.is_none_or(|p| p == self.port);
        same || here || named
    }
}

/// A header as text; one that is there twice is none.
fn one<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?.to_str().ok();
    if all.next().is_some() { None } else { first }
}

fn is_loopback(name: &str) -> bool {
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn is_address(name: &str) -> bool {
    name.parse::<IpAddr>().is_ok()
}

/// A host in small letters without the brackets of an address, and its port.
fn name_and_port(host: &str) -> (String, Option<u16>) {
    let (name, port) = match host.strip_prefix('[').and_then(|inside| inside.split_once(']')) {
        Some((name, rest)) => (name, rest.strip_prefix(':')),
        None => host.rsplit_once(':').map_or((host, None), |(name, port)| (name, Some(port))),
    };
    (name.to_ascii_lowercase(), port.and_then(|p| p.parse().ok()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn access(tokens: &str) -> Access {
        let tokens = if tokens.is_empty() { Tokens::none() } else { Tokens::parse(tokens, "tokens").unwrap() };
        let hosts = ["Box.example".to_owned()];
        Access::new(tokens).with_hosts(&hosts).at("127.0.0.1:80".parse().unwrap())
    }

    fn headers(all: &[(HeaderName, &str)]) -> HeaderMap {
        all.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn nobody_listens_to_the_world_without_tokens() {
        for (address, fine) in [
            ("127.0.0.1", true),
            ("127.9.9.9", true),
            ("::1", true),
            ("0.0.0.0", false),
            ("::", false),
            ("192.168.1.2", false),
        ] {
            let address: IpAddr = address.parse().unwrap();
            assert_eq!(access("").may_listen(address).is_ok(), fine, "{address}");
            assert!(access("0123456789abcdef").may_listen(address).is_ok());
        }
    }

    #[test]
    fn names_that_are_not_ours_are_refused_where_no_token_says_who_asks() {
        let open = access("");
        let ask = |host: &str| open.client(&headers(&[(HOST, host)]), None).map(|c| c.name().to_owned());
        for host in ["127.0.0.1:80", "localhost:80", "LOCALHOST", "[::1]:80", "box.example:1"] {
            assert_eq!(ask(host), Ok("local".to_owned()), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "[::2]:80", "[::1"] {
            assert_eq!(ask(host), Err(Denied::Host), "{host}");
        }
        assert_eq!(open.client(&HeaderMap::new(), None), Err(Denied::Host));
        assert!(open.client(&HeaderMap::new(), Some("localhost:80")).is_ok());
    }

    #[test]
    fn pages_are_the_servers_own_or_refused() {
        let other = ["https://app.example".to_owned()];
        for server in [access(""), access("0123456789abcdef")] {
            let server = server.with_origins(&other);
            let ask = |origin: &str| server.asks_us(&headers(&[(HOST, "127.0.0.1:80"), (ORIGIN, origin)]), None);
            for origin in [
                "http://evil.example",
                "null",
                "file://",
                "ftp://127.0.0.1:80",
                "http://127.0.0.1.evil.example:80",
                "http://127.0.0.1:81",
                "http://localhost",
                "https://box.example:444",
                "https://app.example.org",
            ] {
                assert_eq!(ask(origin), Err(Denied::Origin), "{origin}");
            }
            for origin in ["http://127.0.0.1:80", "http://localhost:80", "https://box.example", "https://app.example"] {
                assert_eq!(ask(origin), Ok(()), "{origin}");
            }
            let mut twice = headers(&[(HOST, "127.0.0.1:80"), (ORIGIN, "http://127.0.0.1:80")]);
            twice.append(ORIGIN, "null".parse().unwrap());
            assert_eq!(server.asks_us(&twice, None), Err(Denied::Origin));
        }
    }

    #[test]
    fn a_name_that_another_site_gave_this_machine_makes_no_page_the_servers_own() {
        let server = access("0123456789abcdef");
        let ask = |host: &str, origin: &str| server.asks_us(&headers(&[(HOST, host), (ORIGIN, origin)]), None);
        assert_eq!(ask("evil.example:80", "http://evil.example:80"), Err(Denied::Origin));
        assert_eq!(ask("box.example", "https://box.example"), Ok(()));
        assert_eq!(ask("192.168.1.5:80", "http://192.168.1.5:80"), Ok(()), "no site has an address of others");
    }

    #[test]
    fn browsers_are_told_which_pages_of_other_sites_may_use_it() {
        use hyper::Method;
        use hyper::header::{
            ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS,
            ACCESS_CONTROL_REQUEST_METHOD, VARY,
        };
        let server = access("0123456789abcdef").with_origins(&["https://app.example/".to_owned()]);
        let asks = |origin: &str| headers(&[(HOST, "x:80"), (ORIGIN, origin), (ACCESS_CONTROL_REQUEST_METHOD, "POST")]);
        let told = server.preflight(&Method::OPTIONS, &asks("https://app.example"), None).unwrap();
        assert_eq!(told[ACCESS_CONTROL_ALLOW_ORIGIN], "https://app.example");
        assert!(told[ACCESS_CONTROL_ALLOW_HEADERS].to_str().unwrap().contains("authorization"));
        assert!(server.preflight(&Method::POST, &asks("https://app.example"), None).is_none());
        assert!(server.preflight(&Method::OPTIONS, &asks("http://127.0.0.1:80"), None).is_none());
        assert!(server.preflight(&Method::OPTIONS, &asks("https://evil.example"), None).is_none());
        let answer = server.for_page(&asks("https://APP.example"));
        assert!(answer.contains_key(ACCESS_CONTROL_EXPOSE_HEADERS));
        assert_eq!(answer[ACCESS_CONTROL_ALLOW_ORIGIN], "https://APP.example");
        assert_eq!(answer[VARY], "Origin");
        let other = server.for_page(&asks("https://evil.example"));
        assert!(!other.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN) && other.contains_key(VARY));
        assert!(access("").for_page(&asks("https://app.example")).is_empty());
    }

    #[test]
    fn a_token_says_who_asks() {
        let both = access("alice 0123456789abcdef\nbob fedcba9876543210 \n# nobody");
        let who = |token: &str| {
            let bearer = format!("Bearer {token}");
            let sent = headers(&[(HOST, "any.example"), (AUTHORIZATION, &bearer)]);
            both.client(&sent, None).map(|c| c.name().to_owned())
        };
        assert_eq!(who("0123456789abcdef"), Ok("alice".to_owned()));
        assert_eq!(who("fedcba9876543210"), Ok("bob".to_owned()));
        for wrong in ["", "0123456789abcde", "0123456789abcdeF"] {
            assert_eq!(who(wrong), Err(Denied::Token), "{wrong:?}");
        }
        assert_eq!(both.client(&headers(&[(HOST, "127.0.0.1:80")]), None), Err(Denied::Token));
        let mut twice = headers(&[(HOST, "127.0.0.1:80"), (AUTHORIZATION, "Bearer 0123456789abcdef")]);
        twice.append(AUTHORIZATION, "Bearer 0123456789abcdef".parse().unwrap());
        assert_eq!(both.client(&twice, None), Err(Denied::Token));
    }
}
