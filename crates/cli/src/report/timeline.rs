//! Tool calls as a picture: a lane for each tool, the calls in their order, as wide as they took.

use super::escape::{count, html, span};
use ptc_turns::Trace;
use ptc_turns::record::Call;
use ptc_turns::trace::Step;
use std::fmt::Write as _;

/// Calls that are drawn.
const MOST: usize = 500;

/// A call and where it stands: its turn, or none when an act's input asked for it.
struct Made<'a> {
    call: &'a Call,
    turn: Option<u64>,
}

/// The picture.
pub fn calls(trace: &Trace) -> String {
    let mut made: Vec<Made<'_>> = Vec::new();
    for step in trace.steps() {
        let (calls, turn) = match step {
            Step::Act(a) => (&a.tool_calls, None),
            Step::Turn(t) => (&t.tool_calls, Some(t.turn)),
        };
        made.extend(calls.iter().map(|call| Made { call, turn }));
    }
    let all = made.len();
    if all == 0 {
        return "<p class=\"quiet\">No tool was called.</p>".to_owned();
    }
    let mut lanes: Vec<&str> = Vec::new();
    made.iter().for_each(|m| {
        if !lanes.contains(&m.call.name.as_str()) {
            lanes.push(&m.call.name);
        }
    });
    let errors = made.iter().filter(|m| m.call.error.is_some()).count();
    let took: u64 = made.iter().fold(0, |sum, m| sum.saturating_add(m.call.ms));
    let mut out = format!("<p>{}, {}", count(all as u64, "call"), html(&span(took)));
    if errors > 0 {
        let _ = write!(out, ", <b class=\"err\">{}</b>", count(errors as u64, "error"));
    }
    if all > MOST {
        let _ = write!(out, "; the first {MOST} are drawn");
    }
    out.push_str(
        ". Behind one another in their order, as wide as they took; calls made together stand side by side.</p>",
    );
    let drawn = made.get(..MOST.min(all)).unwrap_or_default();
    // Each has a width that can be seen, however short it was.
    let sum: u64 = drawn.iter().fold(0, |sum, m| sum.saturating_add(m.call.ms));
    let least = (sum as f64 / 60.0).max(1.0);
    let width = |m: &Made<'_>| m.call.ms as f64 + least;
    let whole: f64 = drawn.iter().map(&width).sum();
    let mut places = Vec::new();
    let mut at = 0.0;
    for m in drawn {
        let w = 100.0 * width(m) / whole;
        places.push((at, w));
        at += w;
    }
    let mut seams: Vec<(f64, Option<u64>)> = Vec::new();
    for (m, (x, _)) in drawn.iter().zip(&places) {
        if seams.last().is_none_or(|s| s.1 != m.turn) {
            seams.push((*x, m.turn));
        }
    }
    out.push_str("<div class=\"lanes\"><div class=\"lane\"><span></span><svg class=\"tops\" aria-hidden=\"true\">");
    let mut free = 0.0;
    for (x, turn) in &seams {
        if *x >= free {
            let name = turn.map_or_else(|| "act".to_owned(), |t| format!("turn {t}"));
            let _ = write!(out, "<text x=\"{x:.2}%\" y=\"12\">{name}</text>");
            free = x + 16.0;
        }
    }
    out.push_str("</svg></div>");
    for lane in lanes {
        let mine = || made.iter().filter(|m| m.call.name == lane);
        let time: u64 = mine().fold(0, |sum, m| sum.saturating_add(m.call.ms));
        let _ = write!(
            out,
            "<div class=\"lane\"><span class=\"who\"><code>{}</code> <small>{}, {}</small></span><svg role=\"group\" aria-label=\"Calls of {0}\">",
            html(lane),
            count(mine().count() as u64, "call"),
            span(time)
        );
        for (x, _) in &seams {
            let _ = write!(out, "<line class=\"grid\" x1=\"{x:.2}%\" x2=\"{x:.2}%\" y1=\"0\" y2=\"100%\"/>");
        }
        for (m, (x, w)) in drawn.iter().zip(&places).filter(|(m, _)| m.call.name == lane) {
            bar(m, *x, *w, &mut out);
        }
        out.push_str("</svg></div>");
    }
    out.push_str("</div>");
    out
}

fn bar(m: &Made<'_>, x: f64, w: f64, out: &mut String) {
    let bad = m.call.error.is_some();
    let place = m.turn.map_or_else(|| "for an act".to_owned(), |t| format!("in turn {t}"));
    let words = format!(
        "Call {} {place}: {} {}, {}{}",
        m.call.id,
        m.call.name,
        short(m.call.args.text()),
        span(m.call.ms),
        m.call.error.as_ref().map_or_else(String::new, |e| format!(", failed: {}", short(e)))
    );
    let target = m.turn.map_or_else(|| "turns".to_owned(), |t| format!("t{t}c{}", m.call.id));
    let _ = write!(
        out,
        "<a href=\"#{target}\" aria-label=\"{0}\"><rect class=\"{1}\" x=\"{x:.2}%\" y=\"4\" width=\"{w:.2}%\" height=\"16\" rx=\"2\"><title>{0}</title></rect>",
        html(&words),
        if bad { "bar bad" } else { "bar" }
    );
    // Not by colour alone.
    if bad {
        let _ = write!(out, "<text class=\"cross\" x=\"{:.2}%\" y=\"16\">×</text>", x + w / 2.0);
    }
    out.push_str("</a>");
}

/// The beginning of a text.
fn short(text: &str) -> String {
    ptc_lisp::error::cut(text.to_owned(), 80)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_turns::{Header, Json, TurnRecord};

    #[test]
    fn calls_stand_in_order_and_errors_are_marked() {
        let call = |id, name: &str, ms, error: Option<&str>| Call {
            id,
            name: name.into(),
            args: Json::new("{\"q\":\"</svg>\"}".into()).unwrap(),
            result: None,
            error: error.map(str::to_owned),
            ms,
        };
        let mut trace = Trace::new(Header::new("s", "p", 5));
        let mut t = TurnRecord::empty(1);
        t.tool_calls = vec![call(1, "a", 0, None), call(2, "b", 1200, Some("no <b>"))];
        trace.push(t);
        let out = calls(&trace);
        assert!(out.contains("2 calls, 1.2 s, <b class=\"err\">1 error</b>"), "{out}");
        assert_eq!(out.matches("class=\"bar bad\"").count(), 1);
        assert!(out.contains("href=\"#t1c2\"") && out.contains("failed: no &lt;b&gt;"));
        assert!(!out.contains("</svg>\""), "{out}");
    }
}
