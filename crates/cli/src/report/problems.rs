//! What went wrong in a session, for somebody who has a minute: each error with its turn and its place.

use super::escape::{count, data, html, number};
use super::highlight;
use crate::decisions;
use ptc_lisp::error::ErrorKind;
use ptc_turns::trace::journal::CallState;
use ptc_turns::trace::record::{Call, ErrorRecord, MissedKey};
use ptc_turns::{JournalPlace, Status, Trace, TurnRecord};
use std::fmt::Write as _;

/// Errors that are listed at the top; the map of turns marks all of them.
const LISTED: usize = 12;

/// An error: what, where in the program, a hint.
pub fn fault(e: &ErrorRecord, program: &str) -> String {
    let mut out = format!("<div class=\"fault\"><p><b>{}</b>: {}", html(&kind(e)), html(&e.message));
    if let (Some(l), Some(c)) = (e.line, e.column) {
        let _ = write!(out, " <small>line {l}, column {c}</small>");
    }
    out.push_str("</p>");
    if let (Some(l), Some(c)) = (e.line, e.column) {
        let line = highlight::line(program, l, c);
        if !line.is_empty() {
            let _ = write!(out, "<pre class=\"place\">{line}</pre>");
        }
    }
    if let Some(hint) = &e.hint {
        let _ = write!(out, "<p><b>Hint</b>: {}</p>", html(hint));
    }
    if !e.calls.is_empty() {
        let _ = write!(out, "<p class=\"quiet\">in {}</p>", html(&e.calls.join(", ")));
    }
    out.push_str("</div>");
    out
}

/// A key that no map had, though one had another that is near.
pub fn missed(m: &MissedKey) -> String {
    format!("<code>{}</code> is in no map; one has <code>{}</code>", html(&m.key), html(&m.near))
}

/// The kind of an error in words: `arithmetic error`, `limit reached: fuel`.
pub fn kind(e: &ErrorRecord) -> String {
    match e.kind.as_str() {
        limit if limit.starts_with("limit/") => format!("limit reached: {}", limit.trim_start_matches("limit/")),
        "failed" => "the program gave up".to_owned(),
        "internal" => "internal error".to_owned(),
        kind => format!("{kind} error"),
    }
}

/// Why a session that has no answer has none, as HTML: who is to blame first.
pub fn reason(trace: &Trace, problem: Option<&str>) -> String {
    let last = trace.last();
    let mut out = String::new();
    if let Some(problem) = problem {
        let _ = write!(out, "<div class=\"fault\"><p><b>Stopped</b>: {}</p></div>", html(problem));
    }
    if let Some(t) = last.filter(|t| t.status == Status::Failed) {
        let _ = write!(
            out,
            "<div class=\"fault\"><p><b>The program gave up</b> in {}:</p>{}</div>",
            link(t),
            super::value::with_text(t)
        );
    } else if trace.ended() {
        let limit = trace.turn_limit();
        let whose = limit.act.map_or_else(String::new, |act| format!(" of the act {}", html(act)));
        let _ = write!(
            out,
            "<div class=\"fault\"><p><b>No turn was left</b>: all {}{whose} were used, and none returned an answer.</p></div>",
            count(limit.own, "turn")
        );
    }
    if let Some((t, e)) = last.filter(|t| t.status == Status::Error).and_then(|t| Some((t, t.error.as_ref()?))) {
        let _ = write!(out, "<p>The last turn, {}, failed:</p>{}", link(t), fault(e, &t.program));
    }
    out.push_str(&begun(trace));
    out
}

/// What has begun and not ended: a turn, its calls.
fn begun(trace: &Trace) -> String {
    let journal = trace.journal();
    if journal.is_empty() {
        return String::new();
    }
    let mut out = String::new();
    for k in journal.calls() {
        let what = match &k.state {
            CallState::Waiting => "waits for approval (<code>ptc approve</code>)",
            CallState::May => "may be made now",
            CallState::InFlight => "was begun and has no answer: it may have been made",
            CallState::Answered(_) => continue,
        };
        let place = match k.place {
            JournalPlace::Turn(n) => format!("Turn {n}"),
            JournalPlace::Act { act, input } => format!("Act {act}, input {input}"),
        };
        let _ = write!(
            out,
            "<li>{place}: call {} of <code class=\"t\">{}</code> <code>{}</code> {what}</li>",
            k.request.id,
            html(&k.request.name),
            data(&ptc_lisp::error::cut(k.request.args.text().to_owned(), 400))
        );
    }
    if journal.reply().is_some() {
        let next = (trace.turns().len() as u64).saturating_add(1);
        let _ = write!(out, "<li>Turn {next} had begun: its reply is kept, its program has not run to its end</li>");
    }
    if out.is_empty() { out } else { format!("<ul class=\"begun\">{out}</ul>") }
}

/// Errors on the way, calls that failed: a list with links, folded where the session has an answer all the same.
pub fn list(trace: &Trace, open: bool) -> String {
    let mut all: Vec<String> = Vec::new();
    let mut misses = 0_usize;
    for t in trace.turns() {
        misses = misses.saturating_add(t.missed_keys.len());
        all.extend(t.missed_keys.iter().map(|m| format!("<li>{}: {}</li>", link(t), missed(m))));
        // Of a tool whose error nobody caught: one error, told once.
        let uncaught = |e: &ErrorRecord| {
            let said = |c: &&Call| c.error.as_ref().is_some_and(|words| e.message.contains(words.as_str()));
            t.tool_calls.iter().rev().find(said).filter(|_| e.kind == ErrorKind::Tool).map(|c| c.id)
        };
        // That of a program that gave up is the reason of the whole, and stands above.
        let error = t.error.as_ref().filter(|_| t.status != Status::Failed);
        let its_call = error.and_then(uncaught);
        if let Some(e) = error {
            let place = e.line.map_or_else(String::new, |l| format!(" <small>line {l}</small>"));
            let call = its_call.map_or_else(String::new, |id| format!(", <a href=\"#t{}c{id}\">call {id}</a>", t.turn));
            all.push(format!("<li>{}{call}: <b>{}</b>: {}{place}</li>", link(t), html(&kind(e)), html(&e.message)));
        }
        all.extend(failed(&t.tool_calls).filter(|(c, _)| Some(c.id) != its_call).map(|(c, words)| {
            format!(
                "<li><a href=\"#t{0}c{1}\">turn {0}, call {1}</a> of <code class=\"t\">{2}</code> {3}: {words}</li>",
                t.turn,
                c.id,
                html(&c.name),
                how_it_ended(c)
            )
        }));
    }
    for a in trace.acts() {
        all.extend(failed(&a.tool_calls).map(|(c, words)| {
            format!(
                "<li><a href=\"#a{0}c{1}\">act {0}, call {1}</a> of <code class=\"t\">{2}</code> failed: {words}</li>",
                a.act,
                c.id,
                html(&c.name)
            )
        }));
    }
    if all.is_empty() {
        return String::new();
    }
    let n = all.len();
    let counts = [(n.saturating_sub(misses), "error"), (misses, "missed key")];
    let counts: Vec<String> = counts.iter().filter(|c| c.0 > 0).map(|(n, what)| count(*n as u64, what)).collect();
    let first = all.get(..LISTED.min(n)).unwrap_or_default().concat();
    let rest = all.get(LISTED..).filter(|r| !r.is_empty()).map_or_else(String::new, |rest| {
        format!(
            "<details class=\"fold\"><summary>{} more</summary><ul>{}</ul></details>",
            number(rest.len() as u64),
            rest.concat()
        )
    });
    format!(
        "<details class=\"fold problems\" id=\"errors\"{}><summary><h2>{} on the way</h2></summary><ul>{first}</ul>{rest}</details>",
        if open { " open" } else { "" },
        counts.join(" and ")
    )
}

/// How a call without an answer ended, with who denied it.
fn how_it_ended(c: &Call) -> String {
    let by = c.decided.as_ref().map_or_else(String::new, |d| format!(" {}", html(&decisions::by(d))));
    if c.denied() { format!("was denied{by}, and not made") } else { "failed".to_owned() }
}

fn failed(calls: &[Call]) -> impl Iterator<Item = (&Call, String)> {
    calls.iter().filter_map(|c| Some((c, html(&ptc_lisp::error::cut(c.error.clone()?, 400)))))
}

fn link(t: &TurnRecord) -> String {
    format!("<a href=\"#t{0}\">turn {0}</a>", t.turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_turns::trace::journal::{BegunReply, CallRequest, JournalEntry, JournalEvent};
    use ptc_turns::{Config, Header, Json, Session, TurnContext};

    fn ran(programs: &[&str], max_turns: u64) -> Trace {
        let mut s = Session::new(Config { max_turns, ..Config::default() });
        for p in programs {
            s.reply(&format!("```clojure\n{p}\n```"), TurnContext::without_host()).unwrap();
        }
        s.trace().clone()
    }

    #[test]
    fn a_reason_names_its_turn_its_place_and_what_to_do() {
        let gave_up = ran(&["(def a 1)", "(fail {:why \"<b>\" :rows [1 2 3]})"], 5);
        let out = reason(&gave_up, None);
        assert!(out.contains("<b>The program gave up</b> in <a href=\"#t2\">turn 2</a>"), "{out}");
        assert!(out.contains("&lt;b&gt;") && list(&gave_up, true).is_empty(), "{out}");
        let over = ran(&["(def a 1)", "(println 1)\n(coutn a)"], 2);
        let out = reason(&over, None);
        assert!(out.contains("<b>No turn was left</b>: all 2 turns were used"), "{out}");
        assert!(out.contains("line 2, column 2") && out.contains("(<mark>coutn</mark> a)"), "{out}");
        assert!(out.contains("<b>Hint</b>: did you mean count?"), "{out}");
        let out = reason(&ran(&["(def a 1)"], 2), Some("no <network>"));
        assert!(out.contains("<b>Stopped</b>: no &lt;network&gt;") && !out.contains("No turn was left"), "{out}");
        assert_eq!(reason(&ran(&["(def a 1)"], 2), None), "");
    }

    #[test]
    fn errors_are_listed_once_and_many_are_folded() {
        let mut trace = Trace::new(Header::new("s", "p", 40));
        let call = |id, error: Option<&str>| Call {
            id,
            name: "a".into(),
            args: Json::default(),
            result: None,
            error: error.map(str::to_owned),
            failure: None,
            ms: 1,
            together: None,
            decided: None,
        };
        let missed = MissedKey { key: ":naem<".into(), near: ":name".into() };
        let uncaught = ptc_lisp::error::Error::new(ErrorKind::Tool, "tool/a: it is <down>");
        trace.push(TurnRecord {
            status: Status::Error,
            tool_calls: vec![call(1, Some("slow")), call(2, Some("it is <down>"))],
            error: Some(ErrorRecord::new(&uncaught, "")),
            missed_keys: vec![missed],
            ..TurnRecord::empty(1)
        });
        let out = list(&trace, true);
        assert!(
            out.contains("2 errors and 1 missed key on the way")
                && out.contains("<a href=\"#t1c2\">call 2</a>: <b>tool error"),
            "{out}"
        );
        assert!(out.contains("<a href=\"#t1c1\">turn 1, call 1</a>") && out.contains("&lt;down&gt;"), "{out}");
        let limit = ptc_lisp::error::Error::new(ErrorKind::Fuel, "the program used up fuel = 1");
        for n in 2..=30 {
            let error = Some(ErrorRecord::new(&limit, ""));
            trace.push(TurnRecord { status: Status::Error, error, ..TurnRecord::empty(n) });
        }
        let out = list(&trace, false);
        assert!(
            out.contains("&lt;</code> is in no map; one has <code>:name</code>")
                && out.contains("31 errors and 1 missed key")
                && out.contains("<summary>20 more</summary>"),
            "{out}"
        );
        assert!(
            out.contains("<b>limit reached: fuel</b>")
                && !out.contains("<details class=\"fold problems\" id=\"errors\" open"),
            "{out}"
        );
    }

    #[test]
    fn what_has_begun_is_told() {
        let mut trace = Trace::new(Header::new("s", "p", 4));
        let place = JournalPlace::Turn(1);
        let reply = BegunReply { reply: "(tool/a 1)".into(), usage: None, seed: 1 };
        let ask = |id| CallRequest { id, name: "</li>".into(), args: Json::default(), key: "k".into() };
        let lines =
            [JournalEvent::Reply(reply), JournalEvent::Asked(vec![ask(1)]), JournalEvent::Waiting(vec![ask(2)])];
        for what in lines {
            trace.note(JournalEntry::new(place, what, 0)).unwrap();
        }
        let out = reason(&trace, None);
        assert!(
            out.contains("call 1 of <code class=\"t\">&lt;/li&gt;</code>") && out.contains("it may have been made"),
            "{out}"
        );
        assert!(out.contains("call 2") && out.contains("waits for approval"), "{out}");
        assert!(out.contains("Turn 1 had begun"), "{out}");
    }
}
