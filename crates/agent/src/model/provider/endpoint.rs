//! Where a provider is: its address and key, from the environment.

use super::environment::Environment;
use super::name::{ModelName, Provider};
use crate::error::{Error, ModelErrorKind};
use crate::error_text;
use crate::secrets::Secrets;
use reqwest::Url;

/// How recorded replies are named, on the command line and in a task.
const REPLAY: &str = "--model replay:FILE, in a task model = \"replay:FILE\"";

/// The address of a provider and who may ask it. Its `Debug` does not show the key.
#[derive(Clone, PartialEq)]
pub(super) struct Endpoint {
    base: Url,
    key: Option<String>,
    /// The variable of the address.
    pub url_variable: &'static str,
    /// The variable of the key.
    pub key_variable: String,
}

impl std::fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Endpoint").field("base", &self.shown()).field("key", &self.key.is_some()).finish()
    }
}

/// The variables of a provider: address, key, the address where none is set; and what its paths begin with.
struct Known {
    url: &'static str,
    key: &'static str,
    default: Option<&'static str>,
    /// The version that stands in the path; added to an address that names none.
    version: &'static str,
}

fn known(provider: Provider) -> Known {
    let (url, default, version) = match provider {
        Provider::OpenAi | Provider::OpenAiResponses => ("OPENAI_BASE_URL", Some("https://api.openai.com/v1"), ""),
        Provider::Anthropic => ("ANTHROPIC_BASE_URL", Some("https://api.anthropic.com"), "v1"),
        Provider::Gemini => ("GEMINI_BASE_URL", Some("https://generativelanguage.googleapis.com"), "v1beta"),
        Provider::Ollama => ("OLLAMA_HOST", Some("http://127.0.0.1:11434"), "v1"),
        Provider::Compatible => ("OPENAI_COMPATIBLE_BASE_URL", None, ""),
    };
    Known { url, key: provider.key_variable(), default, version }
}

impl Endpoint {
    /// The endpoint of a model's provider.
    ///
    /// A key must be there where the provider's own address is used; another address may do without one.
    ///
    /// # Errors
    /// When a key or an address is missing, or is none.
    pub(super) fn of(name: &ModelName, environment: &Environment) -> Result<Self, Error> {
        let known = known(name.provider);
        let given = environment.get(known.url);
        let key_variable = environment.variable_to_set(known.key).to_owned();
        let Some(text) = given.or(known.default) else {
            return Err(Error::of_model(
                ModelErrorKind::Setting,
                error_text!("{name} needs the address of its server"; "set {}=http://127.0.0.1:8080/v1", known.url),
            ));
        };
        let text = if name.provider == Provider::Ollama { host(text) } else { text.to_owned() };
        let wrong = |why: &str, hint: &str| {
            let text = error_text!("{} is no address: {why}", known.url; "{hint}");
            Error::of_model(ModelErrorKind::Setting, text)
        };
        let example = "write it as http://127.0.0.1:8080/v1";
        let mut base = Url::parse(&text).map_err(|e| wrong(&e.to_string(), example))?;
        if !matches!(base.scheme(), "http" | "https") || base.host().is_none() {
            return Err(wrong("it must begin with http:// or https://", example));
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(wrong("it holds a name or a password", &format!("put the key into {key_variable}; {example}")));
        }
        let path = base.path().trim_end_matches('/').to_owned();
        let last = path.rsplit('/').next().unwrap_or_default();
        let versioned = last.strip_prefix('v').is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
        match known.version {
            "" => base.set_path(&path),
            _ if versioned => base.set_path(&path),
            version => base.set_path(&format!("{path}/{version}")),
        }
        let key = environment.get(known.key).map(str::to_owned);
        if let Some(key) = &key
            && key.chars().any(|c| !c.is_ascii_graphic())
        {
            let words =
                error_text!("{key_variable} holds signs that no key has"; "set it anew, without quotes or spaces");
            return Err(Error::of_model(ModelErrorKind::Setting, words));
        }
        let keyless = matches!(name.provider, Provider::Ollama | Provider::Compatible);
        if key.is_none() && given.is_none() && !keyless {
            let hint = format!("set {key_variable}, or run without a model: {REPLAY}");
            return Err(Error::of_model(ModelErrorKind::NoKey, error_text!("{name} needs a key"; "{hint}")));
        }
        Ok(Endpoint { base, key, url_variable: known.url, key_variable })
    }

    /// The address a request of this model goes to.
    pub(super) fn url(&self, name: &ModelName, stream: bool) -> Url {
        let mut url = self.base.clone();
        let path = match name.provider {
            Provider::OpenAi | Provider::Ollama | Provider::Compatible => "chat/completions".to_owned(),
            Provider::OpenAiResponses => "responses".to_owned(),
            Provider::Anthropic => "messages".to_owned(),
            Provider::Gemini => {
                let act = if stream { "streamGenerateContent" } else { "generateContent" };
                format!("models/{}:{act}", name.model)
            }
        };
        url.set_path(&format!("{}/{path}", self.base.path().trim_end_matches('/')));
        if stream && name.provider == Provider::Gemini {
            url.query_pairs_mut().append_pair("alt", "sse");
        }
        url
    }

    /// The headers that say who asks.
    pub(super) fn headers(&self, provider: Provider) -> Vec<(String, String)> {
        let mut out = Vec::new();
        if provider == Provider::Anthropic {
            out.push(("anthropic-version".to_owned(), "2023-06-01".to_owned()));
        }
        if let Some(key) = &self.key {
            out.push(match provider {
                Provider::Anthropic => ("x-api-key".to_owned(), key.clone()),
                Provider::Gemini => ("x-goog-api-key".to_owned(), key.clone()),
                _ => ("authorization".to_owned(), format!("Bearer {key}")),
            });
        }
        out
    }

    /// Its address for people: what may hold secrets (the query) is left out.
    pub(super) fn shown(&self) -> String {
        let mut url = self.base.clone();
        url.set_query(None);
        url.set_fragment(None);
        url.to_string()
    }

    /// A text with the key's name in its place, should a provider have repeated it.
    pub(super) fn without_key(&self, text: &str) -> String {
        let secrets = self.key.as_ref().map(|key| Secrets::of(&self.key_variable, key)).unwrap_or_default();
        secrets.hide(text.to_owned())
    }

    /// Whether it is this machine: then no proxy stands between.
    pub(super) fn is_local(&self) -> bool {
        match self.base.host_str() {
            Some("localhost") => true,
            Some(host) => {
                let host = host.trim_matches(['[', ']']);
                host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
            }
            None => false,
        }
    }
}

/// `OLLAMA_HOST` as Ollama reads it: a host, a port, both, or an address; a server told to listen everywhere is here.
fn host(text: &str) -> String {
    let (scheme, rest) = text.split_once("://").unwrap_or(("http", text));
    let (place, path) = rest.split_once('/').map_or((rest, ""), |(a, b)| (a, b));
    let bare = place.parse::<std::net::Ipv6Addr>().map(|ip| format!("[{ip}]"));
    let place = match (bare, place.strip_prefix("0.0.0.0")) {
        (Ok(six), _) => six,
        (_, Some(port)) if port.is_empty() || port.starts_with(':') => format!("127.0.0.1{port}"),
        _ if place.starts_with(':') => format!("127.0.0.1{place}"),
        _ => place.to_owned(),
    };
    let after_bracket = place.rsplit(']').next().unwrap_or_default();
    // Ollama's own port, unless the scheme says a server of the web.
    let port = if after_bracket.contains(':') || text.contains("://") { "" } else { ":11434" };
    format!("{scheme}://{place}{port}/{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(name: &str, variables: &[(&str, &str)]) -> Result<(String, Endpoint), String> {
        let name: ModelName = name.parse().unwrap();
        let environment = variables.iter().copied().collect();
        let e = Endpoint::of(&name, &environment).map_err(|e| e.to_string())?;
        Ok((e.url(&name, true).to_string(), e))
    }

    #[test]
    fn addresses_are_as_the_providers_own_libraries_read_them() {
        for (name, variables, url) in [
            ("openai/m", &[("OPENAI_API_KEY", "k")][..], "https://api.openai.com/v1/chat/completions"),
            ("openai/m", &[("OPENAI_BASE_URL", "http://h:1/v1/")], "http://h:1/v1/chat/completions"),
            ("openai-responses/m", &[("OPENAI_BASE_URL", "http://h:1/v1")], "http://h:1/v1/responses"),
            ("anthropic/m", &[("ANTHROPIC_API_KEY", "k")], "https://api.anthropic.com/v1/messages"),
            ("anthropic/m", &[("ANTHROPIC_BASE_URL", "http://h:1")], "http://h:1/v1/messages"),
            ("anthropic/m", &[("ANTHROPIC_BASE_URL", "http://h:1/v1/")], "http://h:1/v1/messages"),
            (
                "gemini/m",
                &[("GEMINI_API_KEY", "k")],
                "https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse",
            ),
            (
                "gemini/m",
                &[("GEMINI_BASE_URL", "http://h:1/x")],
                "http://h:1/x/v1beta/models/m:streamGenerateContent?alt=sse",
            ),
            ("ollama/m", &[], "http://127.0.0.1:11434/v1/chat/completions"),
            ("ollama/m", &[("OLLAMA_HOST", "0.0.0.0")], "http://127.0.0.1:11434/v1/chat/completions"),
            ("ollama/m", &[("OLLAMA_HOST", "box:80")], "http://box/v1/chat/completions"),
            ("ollama/m", &[("OLLAMA_HOST", ":5")], "http://127.0.0.1:5/v1/chat/completions"),
            ("ollama/m", &[("OLLAMA_HOST", "https://box/ollama")], "https://box/ollama/v1/chat/completions"),
            ("ollama/m", &[("OLLAMA_HOST", "[::1]")], "http://[::1]:11434/v1/chat/completions"),
            ("ollama/m", &[("OLLAMA_HOST", "::1")], "http://[::1]:11434/v1/chat/completions"),
            ("ollama/m", &[("OLLAMA_HOST", "10.0.0.0:81")], "http://10.0.0.0:81/v1/chat/completions"),
            (
                "openai-compatible/a/b",
                &[("OPENAI_COMPATIBLE_BASE_URL", "http://h/api/v3?t=1")],
                "http://h/api/v3/chat/completions?t=1",
            ),
        ] {
            assert_eq!(endpoint(name, variables).unwrap().0, url, "{name} {variables:?}");
        }
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        for (name, variables, words) in [
            (
                "openai/gpt-5.1",
                &[][..],
                "openai/gpt-5.1 needs a key; set OPENAI_API_KEY, or run without a model: --model replay:FILE, in a task model = \"replay:FILE\"",
            ),
            (
                "openai-compatible/m",
                &[],
                "openai-compatible/m needs the address of its server; set OPENAI_COMPATIBLE_BASE_URL=http://127.0.0.1:8080/v1",
            ),
            (
                "openai/m",
                &[("OPENAI_BASE_URL", "localhost:80")],
                "OPENAI_BASE_URL is no address: it must begin with http:// or https://; write it as http://127.0.0.1:8080/v1",
            ),
            (
                "openai/m",
                &[("OPENAI_BASE_URL", "http://me:pass@h/")],
                "OPENAI_BASE_URL is no address: it holds a name or a password; put the key into OPENAI_API_KEY; write it as http://127.0.0.1:8080/v1",
            ),
            (
                "anthropic/m",
                &[("ANTHROPIC_API_KEY", "a b")],
                "ANTHROPIC_API_KEY holds signs that no key has; set it anew, without quotes or spaces",
            ),
        ] {
            assert_eq!(endpoint(name, variables).unwrap_err(), words);
        }
    }

    #[test]
    fn keys_are_in_headers_only() {
        let (_, e) =
            endpoint("openai/m", &[("OPENAI_API_KEY", "sk-secret"), ("OPENAI_BASE_URL", "http://h/v1?k=sk-x")])
                .unwrap();
        assert_eq!(e.headers(Provider::OpenAi), [("authorization".to_owned(), "Bearer sk-secret".to_owned())]);
        assert_eq!(e.without_key("wrong key sk-secret."), "wrong key $OPENAI_API_KEY.");
        assert!(!format!("{e:?}").contains("sk-"), "{e:?}");
        assert_eq!(e.shown(), "http://h/v1");
        let local = |host: &str| endpoint("ollama/m", &[("OLLAMA_HOST", host)]).unwrap().1.is_local();
        assert!(local("localhost") && local("127.0.0.5") && local("[::1]") && !local("10.0.0.1") && !local("box"));
    }
}
