//! Bytes to the reader of traces: an error of kind `corrupt`, or a trace that is written as it was read and can be shown.

use ptc_lisp::error::ErrorKind;
use ptc_lisp::limits::Limits;
use ptc_turns::{Header, Policy, Session, Trace, messages};

/// Parses the input as a trace, then renders and replays it.
pub fn trace(data: &[u8]) {
    let data = data.get(..4 * super::MAX_INPUT_BYTES).unwrap_or(data);
    let loaded = match Trace::parse(data) {
        Ok(l) => l,
        Err(e) => return assert_eq!(e.kind, ErrorKind::Corrupt, "{e}"),
    };
    assert!(loaded.whole_bytes <= data.len());
    let text = loaded.trace.to_text();
    let again = Trace::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert!(again.torn.is_none() && again.whole_bytes + 1 == text.len(), "{text}");
    assert_eq!(again.trace.to_text(), text);
    for policy in [Policy::full(), Policy::compressed(), loaded.trace.header.policy.clone()] {
        messages(&loaded.trace, &policy, None);
    }
    replay(loaded.trace);
}

/// A host that replays a foreign trace does so under limits of its own.
fn replay(trace: Trace) {
    let limits = Limits {
        fuel: 50_000,
        memory_bytes: 2 << 20,
        call_depth: 200,
        builtin_depth: 50,
        data_depth: 1000,
        ..Limits::default()
    };
    let mut own = Trace::new(Header { limits, ..Header::clone(&trace.header) });
    for t in trace.turns() {
        own.push(ptc_turns::TurnRecord::clone(t));
    }
    if let Err(e) = Session::from_trace(own, Vec::new()) {
        assert!(e.kind != ErrorKind::Internal, "{e}");
    }
}
