//! What is counted, in the text form of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Boundaries of durations, in seconds.
const SECONDS: [f64; 8] = [0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 30.0, 60.0];

/// Requests that have been answered, by what they asked for.
#[derive(Default)]
pub(crate) struct Requests(Mutex<BTreeMap<(String, &'static str), Route>>);

#[derive(Default)]
struct Route {
    by_status: BTreeMap<u16, u64>,
    /// How many took at most so long.
    within: [u64; SECONDS.len()],
    seconds: f64,
}

/// What the sessions are doing.
pub(crate) struct Now {
    pub(crate) running: u64,
    pub(crate) waiting: u64,
    pub(crate) kept: u64,
    pub(crate) streams: u64,
}

impl Requests {
    /// A request was answered. `route` is one of ours, never what a client wrote.
    pub(crate) fn answered(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let one = all.entry((route.to_owned(), method)).or_default();
        let n = one.by_status.entry(status).or_default();
        *n = n.saturating_add(1);
        one.seconds += took.as_secs_f64();
        for (within, most) in one.within.iter_mut().zip(SECONDS) {
            *within = within.saturating_add(u64::from(took.as_secs_f64() <= most));
        }
    }

    /// All of it.
    pub(crate) fn text(&self, now: &Now) -> String {
        let mut out = String::new();
        let gauges = [
            ("ptc_turns_running", "Turns that run.", now.running),
            ("ptc_turns_waiting", "Turns that wait for a process.", now.waiting),
            ("ptc_sessions_with_process", "Sessions whose process is kept between turns.", now.kept),
            ("ptc_streams", "Streams of events and chats.", now.streams),
        ];
        for (name, help, n) in gauges {
            let _ = write!(out, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {n}\n");
        }
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        out.push_str(
            "# HELP ptc_http_requests_total Requests that were answered.\n# TYPE ptc_http_requests_total counter\n",
        );
        for ((route, method), one) in all.iter() {
            for (status, n) in &one.by_status {
                let _ = writeln!(
                    out,
                    "ptc_http_requests_total{{method=\"{method}\",route=\"{route}\",status=\"{status}\"}} {n}"
                );
            }
        }
        let name = "ptc_http_request_seconds";
        let _ =
            write!(out, "# HELP {name} How long requests took until their answer began.\n# TYPE {name} histogram\n");
        for ((route, method), one) in all.iter() {
            let count = one.by_status.values().fold(0_u64, |sum, n| sum.saturating_add(*n));
            let about = format!("method=\"{method}\",route=\"{route}\"");
            for (within, most) in one.within.iter().zip(SECONDS) {
                let _ = writeln!(out, "{name}_bucket{{{about},le=\"{most}\"}} {within}");
            }
            let _ = writeln!(out, "{name}_bucket{{{about},le=\"+Inf\"}} {count}");
            let _ = writeln!(out, "{name}_sum{{{about}}} {}\n{name}_count{{{about}}} {count}", one.seconds);
        }
        out
    }
}
