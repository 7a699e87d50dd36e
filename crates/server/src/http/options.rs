//! The limits of HTTP: one table of options.

use crate::options::MOST;
use ptc_text::option_row::{self, OptionRow};

/// What a client may ask for over HTTP. [`HttpOptions::set`] takes them by their names, as `ptc serve --set` does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpOptions {
    /// Streams of events and chats of a client at a time.
    pub streams: u64,
    /// Seconds between two signs of life of a stream on which nothing happens.
    pub keep_alive_seconds: u64,
    /// Most seconds that a request waits for a turn.
    pub wait_seconds: u64,
    /// Most seconds that a chat waits for its task.
    pub chat_seconds: u64,
}

impl Default for HttpOptions {
    fn default() -> Self {
        HttpOptions { streams: 64, keep_alive_seconds: 15, wait_seconds: 60, chat_seconds: 600 }
    }
}

type Access = fn(&mut HttpOptions) -> &mut u64;

macro_rules! rows {
    ($($name:ident: $doc:literal;)*) => {
        &[$(OptionRow {
            name: stringify!($name),
            of: "",
            doc: $doc,
            default: |o: &HttpOptions| o.$name.to_string(),
            access: |o: &mut HttpOptions| &mut o.$name,
        }),*]
    };
}

const ROWS: &[OptionRow<HttpOptions, Access>] = rows! {
    streams: "streams of events and chats of a client at a time";
    keep_alive_seconds: "seconds between two signs of life of a stream on which nothing happens";
    wait_seconds: "most seconds that a request waits for a turn; more is cut to this";
    chat_seconds: "most seconds that a chat waits for its task";
};

impl HttpOptions {
    /// The names of the options.
    pub fn names() -> Vec<&'static str> {
        option_row::keys(ROWS)
    }

    /// Sets an option: `NAME=NUMBER`. All are at least 1.
    ///
    /// # Errors
    /// When there is no such option, or it cannot have this value; what to write.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let name = name.trim();
        let row = option_row::find(ROWS, name).ok_or_else(|| {
            let all = Self::names().join(", ");
            format!("there is no option {}; it is one of {all}", ptc_lisp::escape::quoted(name))
        })?;
        match value.trim().replace('_', "").parse::<u64>() {
            Ok(n) if (1..=MOST).contains(&n) => {
                *(row.access)(self) = n;
                Ok(())
            }
            Ok(n) if n > MOST => Err(format!("{name} is at most {MOST}, got {n}; write {name}=NUMBER")),
            _ => {
                let got = ptc_lisp::escape::quoted(value);
                Err(format!("{name} is a whole number, at least 1, got {got}; write {name}=NUMBER"))
            }
        }
    }

    /// The options as a table in Markdown, with their defaults.
    pub fn markdown() -> String {
        option_row::markdown(ROWS, &HttpOptions::default())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_documentation_has_all_options() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/http-server.md");
        let page = std::fs::read_to_string(page).unwrap();
        assert!(page.contains(&HttpOptions::markdown()), "{}", HttpOptions::markdown());
        assert!(page.contains(&crate::ServerOptions::markdown()), "{}", crate::ServerOptions::markdown());
    }

    #[test]
    fn every_option_is_set_by_its_name() {
        let mut options = HttpOptions::default();
        for (at, row) in ROWS.iter().enumerate() {
            options.set(&format!("{}={}", row.name, at + 7)).unwrap();
            assert_eq!((row.default)(&options), (at + 7).to_string());
            assert!(options.set(&format!("{}=0", row.name)).unwrap_err().contains("at least 1"));
        }
        for bad in ["", "streams", "stream=3", "streams=x", "streams=-1", "chat_seconds=1000000001"] {
            assert!(options.set(bad).is_err(), "{bad:?}");
        }
    }
}
