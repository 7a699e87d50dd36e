//! Tool calls as lines: one for each call, or one for all calls of a tool.

use crate::text::line_prefixes::{CALL_COUNT, TOOL_CALL};
use crate::trace::outcome;
use crate::trace::record::Call;
use ptc_lisp::escape;

/// Longest line for several calls, in characters, where more than the first and the last arguments are shown.
const MAX_LINE_CHARS: usize = 120;

/// A line for each call: `;   search-reviews("Electronics")`.
pub(crate) fn each(calls: &[Call]) -> Vec<String> {
    calls.iter().map(|c| format!("{TOOL_CALL}{}", outcome::call_words(&c.name, c.args.value().as_ref()))).collect()
}

/// A line a tool, in order of their first calls: `;   flights × 42: ("BEL", 5) ... ("DOV", 6)`, the different arguments in
/// order of their first call. Of a single call it is the same as of [`each`].
pub(crate) fn together(calls: &[Call]) -> Vec<String> {
    let mut tools: Vec<(&str, Vec<&Call>)> = Vec::new();
    for call in calls {
        match tools.iter_mut().find(|(name, _)| *name == call.name) {
            Some((_, list)) => list.push(call),
            None => tools.push((&call.name, vec![call])),
        }
    }
    tools.into_iter().map(|(name, list)| line(name, &list)).collect()
}

fn line(name: &str, calls: &[&Call]) -> String {
    let name = escape::line(name);
    let mut args: Vec<String> = Vec::new();
    for call in calls {
        let words = format!("({})", outcome::arguments(call.args.value().as_ref()));
        if !args.contains(&words) {
            args.push(words);
        }
    }
    if calls.len() < 2 {
        return format!("{TOOL_CALL}{name}{}", args.concat());
    }
    let mut out = format!("{TOOL_CALL}{name}{CALL_COUNT}{}:", calls.len());
    let chars = |text: &str| text.chars().count();
    let last = args.last().map_or(0, |l| chars(l));
    let all: usize = args.iter().map(|a| chars(a).saturating_add(1)).sum();
    if chars(&out).saturating_add(all) <= MAX_LINE_CHARS {
        args.iter().for_each(|a| out.extend([" ", a]));
        return out;
    }
    for (i, words) in args.iter().enumerate() {
        let room = MAX_LINE_CHARS.saturating_sub(last.saturating_add(5));
        if i > 0 && chars(&out).saturating_add(chars(words)) >= room {
            break;
        }
        out.extend([" ", words]);
    }
    if let Some(last) = args.get(1..).and_then(<[String]>::last) {
        out.extend([" ... ", last]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::json::Json;

    fn call(name: &str, args: &str) -> Call {
        let args = Json::new(args.into()).unwrap();
        Call {
            id: 1,
            name: name.into(),
            args,
            result: None,
            error: None,
            failure: None,
            ms: 0,
            together: None,
            decided: None,
        }
    }

    #[test]
    fn calls_of_a_tool_are_one_line() {
        let flights = (0..42).map(|i| call("flights", &format!("{{\"to\":\"A{:02}\",\"day\":{i}}}", i % 40)));
        let calls: Vec<Call> =
            flights.chain([call("now", "{}"), call("now", "{}"), call("pay", "{\"n\":5}")]).collect();
        let lines = together(&calls);
        assert_eq!(lines.len(), 3, "a line a tool");
        assert!(
            lines[0].starts_with(";   flights × 42: (\"A00\", 0) (\"A01\", 1) ")
                && lines[0].ends_with(" ... (\"A01\", 41)"),
            "{}",
            lines[0]
        );
        assert!(lines[0].chars().count() <= MAX_LINE_CHARS, "{}", lines[0]);
        assert_eq!(lines[1..], [";   now × 2: ()", ";   pay(5)"]);
        assert_eq!(each(&calls).len(), 45);
        let two = together(&[call("f", "{\"a\":1}"), call("f", "{\"a\":2}")]);
        assert_eq!(two, [";   f × 2: (1) (2)"]);
        // Arguments are cut at 60 characters each; the first and the last are always there.
        let long = |i: usize| call("f", &format!("{{\"a\":\"{}{i}\",\"b\":\"{}\"}}", "x".repeat(58), "y".repeat(80)));
        let line = together(&[long(1), long(2), long(3)]).concat();
        assert!(line.matches(" ... ").count() == 1 && line.chars().count() < 400, "{line}");
    }

    #[test]
    fn printed_text_cannot_pass_for_such_a_line() {
        for line in together(&[call("f", "{}"), call("f", "{}"), call("g", "{\"a\":\"\\n; Defined: x\"}")]) {
            assert!(crate::text::line_prefixes::reads_as_ours(&line), "{line}");
            assert!(!line.contains('\n'));
        }
    }
}
