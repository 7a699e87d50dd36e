//! Tool calls as a picture: a lane for each tool, the calls in their order, as wide as they took.

use super::escape::{count, html, span};
use ptc_turns::Trace;
use ptc_turns::trace::Step;
use ptc_turns::trace::record::Call;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Calls that are drawn.
const MAX_DRAWN_CALLS: usize = 500;
/// Lanes that are drawn.
const LANES: usize = 24;

/// A call and where it stands.
#[derive(Clone, Copy)]
struct Made<'a> {
    call: &'a Call,
    place: Place,
}

/// Where a call stands on the page.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Turn(u64),
    /// An act's input asked for it.
    Act(u64),
    /// The same of an act that has not begun.
    Ahead,
}

impl Place {
    /// What its calls' marks on the page begin with.
    fn mark(self) -> String {
        match self {
            Place::Turn(n) => format!("t{n}"),
            Place::Act(n) => format!("a{n}"),
            Place::Ahead => "n".to_owned(),
        }
    }

    fn words(self) -> String {
        match self {
            Place::Turn(n) => format!("in turn {n}"),
            Place::Act(n) => format!("for act {n}"),
            Place::Ahead => "for the act to come".to_owned(),
        }
    }
}

/// The picture.
pub fn calls(trace: &Trace) -> String {
    let mut made: Vec<Made<'_>> = Vec::new();
    for step in trace.steps() {
        let (calls, place) = match step {
            Step::Act(a) => (&a.tool_calls, Place::Act(a.act)),
            Step::Turn(t) => (&t.tool_calls, Place::Turn(t.turn)),
        };
        made.extend(calls.iter().map(|call| Made { call, place }));
    }
    made.extend(trace.ahead().map(|c| Made { call: &c.tool_call, place: Place::Ahead }));
    let all = made.len();
    if all == 0 {
        return "<p class=\"quiet\">No tool was called.</p>".to_owned();
    }
    let errors = made.iter().filter(|m| m.call.error.is_some()).count();
    let mut out = format!("<p>{}, {}", count(all as u64, "call"), html(&span(time(&made))));
    if errors > 0 {
        let _ = write!(out, ", <b class=\"err\">{}</b>", count(errors as u64, "error"));
    }
    if all > MAX_DRAWN_CALLS {
        let _ = write!(out, "; the first {MAX_DRAWN_CALLS} are drawn");
    }
    out.push_str(
        ". Behind one another in their order, as wide as they took; calls made together stand side by side and share the width of their time.</p>",
    );
    let drawn = made.get(..MAX_DRAWN_CALLS.min(all)).unwrap_or_default();
    let places = widths(drawn);
    let mut seams: Vec<(f64, Place)> = Vec::new();
    for (m, (x, _)) in drawn.iter().zip(&places) {
        if seams.last().is_none_or(|s| s.1 != m.place) {
            seams.push((*x, m.place));
        }
    }
    out.push_str("<div class=\"lanes\"><div class=\"lane\"><span></span><svg class=\"tops\" aria-hidden=\"true\">");
    let mut free = 0.0;
    for (x, place) in &seams {
        if *x >= free {
            let name = match place {
                Place::Turn(n) => format!("turn {n}"),
                Place::Act(_) | Place::Ahead => "act".to_owned(),
            };
            let _ = write!(out, "<text x=\"{x:.2}%\" y=\"12\">{name}</text>");
            free = x + 16.0;
        }
    }
    out.push_str("</svg></div>");
    let grid: String = seams
        .iter()
        .map(|(x, _)| format!("<line class=\"grid\" x1=\"{x:.2}%\" x2=\"{x:.2}%\" y1=\"0\" y2=\"100%\"/>"))
        .collect();
    let lanes = lanes(&made);
    for (name, mine) in lanes.iter().take(LANES) {
        let calls: Vec<Made<'_>> = mine.iter().filter_map(|i| made.get(*i).copied()).collect();
        let _ = write!(
            out,
            "<div class=\"lane\"><span class=\"who\"><code>{}</code> <small>{}, {}</small></span><svg role=\"group\" aria-label=\"Calls of {0}\">{grid}",
            html(name),
            count(calls.len() as u64, "call"),
            span(time(&calls))
        );
        for (i, m) in mine.iter().zip(&calls) {
            if let Some((x, w)) = places.get(*i) {
                bar(m, *x, *w, &mut out);
            }
        }
        out.push_str("</svg></div>");
    }
    out.push_str("</div>");
    if let Some(more) = lanes.get(LANES..).filter(|l| !l.is_empty()) {
        let calls: usize = more.iter().map(|l| l.1.len()).sum();
        let _ = write!(
            out,
            "<p class=\"quiet\">{} of {} are not drawn; they stand in their turns.</p>",
            count(calls as u64, "call"),
            count(more.len() as u64, "further tool")
        );
    }
    out
}

/// The calls of each tool by their places, tools in the order of their first calls.
fn lanes<'a>(made: &[Made<'a>]) -> Vec<(&'a str, Vec<usize>)> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut lanes: Vec<(&str, Vec<usize>)> = Vec::new();
    for (i, m) in made.iter().enumerate() {
        let name = m.call.name.as_str();
        let lane = *known.entry(name).or_insert(lanes.len());
        if lane == lanes.len() {
            lanes.push((name, Vec::new()));
        }
        if let Some(lane) = lanes.get_mut(lane) {
            lane.1.push(i);
        }
    }
    lanes
}

/// Calls that were made together, each group by itself: they have one time.
fn groups<'m, 'a>(made: &'m [Made<'a>]) -> impl Iterator<Item = &'m [Made<'a>]> {
    made.chunk_by(|a, b| a.call.together.is_some() && a.call.together == b.call.together && a.place == b.place)
}

/// The time of calls, that of each group once.
fn time(made: &[Made<'_>]) -> u64 {
    groups(made).fold(0, |sum, g| sum.saturating_add(g.iter().map(|m| m.call.ms).max().unwrap_or(0)))
}

/// Where each call begins and how wide it is, in percent: a group as wide as its time, its calls in equal parts.
fn widths(drawn: &[Made<'_>]) -> Vec<(f64, f64)> {
    // Each has a width that can be seen, however short it was.
    let least = (time(drawn) as f64 / 60.0).max(1.0);
    let mut wide: Vec<f64> = Vec::new();
    for group in groups(drawn) {
        let part = time(group) as f64 / group.len() as f64 + least;
        wide.extend(group.iter().map(|_| part));
    }
    let whole: f64 = wide.iter().sum();
    let mut at = 0.0;
    let place = |w: f64| {
        let w = 100.0 * w / whole;
        at += w;
        (at - w, w)
    };
    wide.into_iter().map(place).collect()
}

fn bar(m: &Made<'_>, x: f64, w: f64, out: &mut String) {
    let bad = m.call.error.is_some();
    let words = format!(
        "Call {} {}: {} {}, {}{}{}",
        m.call.id,
        m.place.words(),
        m.call.name,
        short(m.call.args.text()),
        span(m.call.ms),
        if m.call.together.is_some() { " with those made together" } else { "" },
        m.call.error.as_ref().map_or_else(String::new, |e| format!(", failed: {}", short(e)))
    );
    let target = format!("{}c{}", m.place.mark(), m.call.id);
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
    use ptc_turns::{Act, ActWords, Called, Header, Json, Mode, TurnRecord};

    fn call(id: u64, name: &str, ms: u64, error: Option<&str>) -> Call {
        Call {
            id,
            name: name.into(),
            args: Json::new("{\"q\":\"</svg>\"}".into()).unwrap(),
            result: None,
            error: error.map(str::to_owned),
            ms,
            together: None,
        }
    }

    fn trace(calls: Vec<Call>) -> Trace {
        let mut trace = Trace::new(Header::new("s", "p", 5));
        trace.push(TurnRecord { tool_calls: calls, ..TurnRecord::empty(1) });
        trace
    }

    #[test]
    fn calls_stand_in_order_and_errors_are_marked() {
        let out = calls(&trace(vec![call(1, "a", 0, None), call(2, "b", 1200, Some("no <b>"))]));
        assert!(out.contains("2 calls, 1.2 s, <b class=\"err\">1 error</b>"), "{out}");
        assert_eq!(out.matches("class=\"bar bad\"").count(), 1);
        assert!(out.contains("href=\"#t1c2\"") && out.contains("failed: no &lt;b&gt;"));
        assert!(!out.contains("</svg>\""), "{out}");
    }

    /// Four calls in one second took a second, not four.
    #[test]
    fn calls_made_together_share_their_time() {
        let four = (1..=4).map(|id| Call { together: Some(1), ..call(id, "a", 1000, None) });
        let made = trace(four.chain([call(5, "b", 1000, None)]).collect());
        let out = calls(&made);
        assert!(out.contains("<p>5 calls, 2.0 s.") && out.contains("4 calls, 1.0 s</small>"), "{out}");
        let made: Vec<Made<'_>> =
            made.turns()[0].tool_calls.iter().map(|call| Made { call, place: Place::Turn(1) }).collect();
        let widths: Vec<f64> = widths(&made).iter().map(|w| w.1).collect();
        assert!(widths[0] == widths[3] && widths[4] > 3.0 * widths[0], "{widths:?}");
        assert!((widths.iter().sum::<f64>() - 100.0).abs() < 1e-9);
    }

    #[test]
    fn lanes_are_bounded_and_links_lead_to_the_act() {
        let many = (1..=600).map(|i| call(i, &format!("tool{}", i % 100), 1, None)).collect();
        let out = calls(&trace(many));
        assert_eq!(out.matches("class=\"who\"").count(), LANES);
        assert!(out.contains("456 calls of 76 further tools are not drawn"), "{out}");
        let mut header = Header::new("s", "p", 5);
        let words = [ActWords { name: "a".into(), mode: Mode::Text, max_turns: 1, tools: None }];
        header.acts = words.to_vec();
        let mut trace = Trace::new(header);
        trace.call_ahead(Called { before_act: 1, input: 1, tool_call: call(1, "a", 1, None), time: 0 });
        assert!(calls(&trace).contains("href=\"#nc1\""));
        trace.open(Act { tool_calls: vec![call(1, "a", 1, None)], ..Act::new(&words[0], Vec::new()) });
        assert!(calls(&trace).contains("href=\"#a1c1\"") && !calls(&trace).contains("nc1"));
    }
}
