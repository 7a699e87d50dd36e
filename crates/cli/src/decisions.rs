//! Who decided about a call, and when.

use ptc_agent::Environment;
use ptc_agent::sessions::date;
use ptc_lisp::escape;
use ptc_turns::Trace;
use ptc_turns::trace::record::{Call, DecisionRecord};

/// Who sits at this machine, as far as the system says: `ann@laptop`.
pub fn who(environment: &Environment) -> String {
    let user = ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(|name| environment.get(name));
    let user = user.filter(|u| !u.is_empty()).unwrap_or("somebody");
    match machine(environment) {
        Some(machine) => format!("{user}@{machine}"),
        None => user.to_owned(),
    }
}

#[cfg(unix)]
fn machine(_: &Environment) -> Option<String> {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    Some(name).filter(|n| !n.is_empty())
}

#[cfg(not(unix))]
fn machine(environment: &Environment) -> Option<String> {
    environment.get("COMPUTERNAME").map(str::to_owned)
}

/// `by ann@laptop, 2026-11-23 19:40:11 UTC`.
pub fn by(d: &DecisionRecord) -> String {
    let time = if d.time == 0 { String::new() } else { format!(", {} UTC", date::text(d.time)) };
    format!("by {}{time}", escape::line(&d.by))
}

/// What was decided about a call, where somebody did: `decided by ann@laptop, 2026-11-23 19:40:11 UTC`.
pub fn words(c: &Call) -> Option<String> {
    let how = if c.denied() { "denied" } else { "decided" };
    c.decided.as_ref().map(|d| format!("{how} {}", by(d)))
}

/// All that was decided in a session, a line each.
pub fn lines(trace: &Trace) -> Vec<String> {
    let begun: Vec<Call> = trace.journal().calls().map(crate::begun::call).collect();
    let line = |c: &Call| Some(format!("call {}, tool/{}, {}", c.id, escape::line(&c.name), words(c)?));
    trace.calls().chain(&begun).filter_map(line).collect()
}
