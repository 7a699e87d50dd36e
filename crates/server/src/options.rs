//! The limits of a server and of each of its clients: one table of options.

use ptc_text::option_row::{self, OptionRow};
use std::time::Duration;

/// What a server may use, and each of its clients. [`ServerOptions::set`] takes them by their names, as `ptc mcp --set` does.
///
/// ```
/// use ptc_server::ServerOptions;
///
/// let mut options = ServerOptions::default();
/// options.set("client_turns=2").unwrap();
/// assert_eq!(options.client_turns, 2);
/// assert!(options.set("client_turns=0").unwrap_err().contains("at least 1"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerOptions {
    /// Worker processes that hold sessions: turns that run at a time, and sessions whose process is kept between turns.
    pub workers: u64,
    /// Worker processes that are started ahead.
    pub spare_workers: u64,
    /// Seconds after which a session that is not used gives its process back, and the lock of its trace.
    pub idle_seconds: u64,
    /// Turns that may wait for a process, of all clients; the first of a client always may.
    pub queue: u64,
    /// Turns of a client that run at a time.
    pub client_turns: u64,
    /// Turns of a client that may wait.
    pub client_queue: u64,
    /// Sessions of a client.
    pub client_sessions: u64,
    /// Requests of a client over HTTP a second, over some time.
    pub requests_per_second: u64,
    /// Requests of a client over HTTP that may come at once.
    pub requests_at_once: u64,
    /// Requests of a client at a time that read sessions.
    pub reads: u64,
    /// Bytes of a program.
    pub program_bytes: u64,
    /// Bytes of the values that a session is begun with.
    pub context_bytes: u64,
    /// Bytes of a trace, beyond which its session takes no turn.
    pub trace_bytes: u64,
    /// Most seconds of a turn: processor time, and elapsed time with its tools.
    pub turn_seconds: u64,
    /// Seconds that turns in flight have to end when the server stops.
    pub stop_seconds: u64,
    /// Connections over HTTP at a time, of all clients.
    pub connections: u64,
    /// Connections over HTTP of one address at a time; that of IPv6 is counted by its /64.
    pub address_connections: u64,
    /// Bytes of a request's body over HTTP.
    pub body_bytes: u64,
    /// Seconds for the head of a request over HTTP, and between two requests of a connection.
    pub head_seconds: u64,
    /// Seconds for the body of a request over HTTP.
    pub body_seconds: u64,
    /// Seconds for which a client may take nothing of an answer that is ready.
    pub write_seconds: u64,
}

impl Default for ServerOptions {
    fn default() -> Self {
        ServerOptions {
            workers: 8,
            spare_workers: 1,
            idle_seconds: 300,
            queue: 64,
            client_turns: 2,
            client_queue: 16,
            client_sessions: 10_000,
            requests_per_second: 50,
            requests_at_once: 200,
            reads: 8,
            program_bytes: 256 << 10,
            context_bytes: 4 << 20,
            trace_bytes: 64 << 20,
            turn_seconds: 30,
            stop_seconds: 5,
            connections: 2048,
            address_connections: 512,
            body_bytes: 8 << 20,
            head_seconds: 30,
            body_seconds: 30,
            write_seconds: 30,
        }
    }
}

/// The largest value of an option: no clock counts to more seconds.
pub(crate) const MOST: u64 = 1_000_000_000;

/// The field of an option, and the least that it may be.
type Access = (fn(&mut ServerOptions) -> &mut u64, u64);

macro_rules! rows {
    ($($name:ident: $least:literal, $doc:literal;)*) => {
        &[$(OptionRow {
            name: stringify!($name),
            of: "",
            doc: $doc,
            default: |o: &ServerOptions| o.$name.to_string(),
            access: (|o: &mut ServerOptions| &mut o.$name, $least),
        }),*]
    };
}

const ROWS: &[OptionRow<ServerOptions, Access>] = rows! {
    workers: 1, "worker processes that hold sessions: turns that run at a time, and sessions whose process is kept between turns";
    spare_workers: 0, "worker processes that are started ahead";
    idle_seconds: 1, "seconds after which a session that is not used gives its process back, and the lock of its trace";
    queue: 0, "turns that may wait for a process, of all clients; beyond it a turn is refused as busy, unless its client has none that runs or waits";
    client_turns: 1, "turns of a client that run at a time";
    client_queue: 0, "turns of a client that may wait";
    client_sessions: 1, "sessions of a client";
    requests_per_second: 1, "requests of a client over HTTP a second, over some time";
    requests_at_once: 1, "requests of a client over HTTP that may come at once";
    reads: 1, "requests of a client at a time that read sessions, over HTTP until their answers are taken; more wait up to 10 s, and are then refused as busy";
    program_bytes: 1, "bytes of a program";
    context_bytes: 1, "bytes of the values that a session is begun with, as JSON";
    trace_bytes: 1, "bytes of a trace, beyond which its session takes no turn";
    turn_seconds: 1, "most seconds of a turn, processor time and elapsed time with its tools; a task's own limits may be lower";
    stop_seconds: 0, "seconds that turns in flight have to end when the server stops; those that do not are gone on with later";
    connections: 1, "connections over HTTP at a time, of all clients; half of them are for peers whose first request was admitted";
    address_connections: 1, "connections over HTTP of one address at a time (of IPv6, of one /64); behind a proxy, which is one address for all its clients, as many as `connections`";
    body_bytes: 1, "bytes of a request's body over HTTP";
    head_seconds: 1, "seconds for the head of a request over HTTP, and between two requests of a connection; at most 10 until a peer's first request is admitted";
    body_seconds: 1, "seconds for the body of a request over HTTP";
    write_seconds: 1, "seconds for which a client may take nothing of an answer that is ready; then its connection ends";
};

impl ServerOptions {
    /// Sets an option: `NAME=NUMBER`.
    ///
    /// # Errors
    /// When there is no such option, or it cannot have this value; what to write.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        let shown = ptc_lisp::escape::quoted(text);
        let (name, value) = text.split_once('=').ok_or_else(|| format!("{shown} is no NAME=NUMBER, as workers=4"))?;
        let name = name.trim();
        let row = option_row::find(ROWS, name).ok_or_else(|| {
            format!(
                "there is no option {}; it is one of {}",
                ptc_lisp::escape::line(name),
                option_row::keys(ROWS).join(", ")
            )
        })?;
        let (field, least) = row.access;
        match value.trim().replace('_', "").parse::<u64>() {
            Ok(n) if n >= least && n <= MOST => {
                *field(self) = n;
                Ok(())
            }
            Ok(n) if n > MOST => Err(format!("{name} is at most {MOST}, got {n}")),
            _ => Err(format!("{name} must be a whole number, at least {least}, got {}", ptc_lisp::escape::line(value))),
        }
    }

    /// The options as a table in Markdown, with their defaults.
    pub fn markdown() -> String {
        option_row::markdown(ROWS, &ServerOptions::default())
    }

    pub(crate) fn turn_ms(&self) -> u64 {
        self.turn_seconds.saturating_mul(1000)
    }

    #[cfg(any(feature = "http", feature = "mcp"))]
    pub(crate) fn body_time(&self) -> Duration {
        Duration::from_secs(self.body_seconds)
    }

    pub(crate) fn idle(&self) -> Duration {
        Duration::from_secs(self.idle_seconds)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_option_is_set_by_its_name_and_held_to_its_least() {
        let mut options = ServerOptions::default();
        for (at, row) in ROWS.iter().enumerate() {
            let n = 100 + at;
            options.set(&format!("{}={n}", row.name)).unwrap();
            assert_eq!((row.default)(&options), n.to_string(), "{}", row.name);
            let (_, least) = row.access;
            if least > 0 {
                assert!(options.set(&format!("{}=0", row.name)).unwrap_err().contains("at least 1"));
            }
        }
        for bad in
            ["", "workers", "worker=3", "workers=x", "workers=-1", "workers=", "stop_seconds=18446744073709551615"]
        {
            assert!(options.set(bad).is_err(), "{bad:?}");
        }
        assert_eq!(ServerOptions::markdown().lines().count(), ROWS.len() + 2);
    }
}
