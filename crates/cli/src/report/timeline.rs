//! Tool calls as a picture: a lane for each tool, the calls in their order, as wide as they took; calls that were made at
//! the same time stand below each other.

use super::escape::{count, html, span};
use crate::decisions;
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
        ". From left to right in their order, each as wide as it took; calls below each other at one place were made at the same time. The numbers on top are turns. A bar leads to its call.</p>",
    );
    let drawn = made.get(..MAX_DRAWN_CALLS.min(all)).unwrap_or_default();
    let spots = spots(drawn);
    let mut seams: Vec<(f64, Place)> = Vec::new();
    for (m, spot) in drawn.iter().zip(&spots) {
        if seams.last().is_none_or(|s| s.1 != m.place) {
            seams.push((spot.x, m.place));
        }
    }
    out.push_str("<div class=\"lanes\"><div class=\"lane\"><span></span><svg class=\"tops\" aria-hidden=\"true\">");
    let mut free = 0.0;
    for (x, place) in &seams {
        if *x >= free {
            let name = match place {
                Place::Turn(n) => n.to_string(),
                Place::Act(_) | Place::Ahead => "act".to_owned(),
            };
            // Where the page ends, a label ends before it.
            let end = if *x > 92.0 { " class=end" } else { "" };
            let at = if *x > 92.0 { 100.0 } else { *x };
            let _ = write!(out, "<text{end} x=\"{at:.2}%\" y=\"12\">{name}</text>");
            free = x + 8.0;
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
        let rows = mine.iter().filter_map(|i| spots.get(*i)).map(|s| s.row).max().map_or(1, |r| r.saturating_add(1));
        let height = row_height(rows);
        let _ = write!(
            out,
            "<div class=\"lane\"><span class=\"who\"><code>{}</code> <small>{}, {}</small></span><svg height=\"{}\" role=\"group\" aria-label=\"Calls of {0}\">{grid}",
            html(name),
            count(calls.len() as u64, "call"),
            span(time(&calls)),
            rows.saturating_mul(height)
        );
        for (i, m) in mine.iter().zip(&calls) {
            if let Some(spot) = spots.get(*i) {
                bar(m, *spot, height, &mut out);
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

/// A call in the picture: where it begins and how wide it is, in percent, and in which row of its lane it stands.
#[derive(Clone, Copy, Debug)]
struct Spot {
    x: f64,
    wide: f64,
    row: usize,
}

/// Each group as wide as its time, each of its calls as wide as the group; those of one tool in rows of their own.
fn spots(drawn: &[Made<'_>]) -> Vec<Spot> {
    // Each has a width that can be seen, however short it was.
    let least = (time(drawn) as f64 / 60.0).max(1.0);
    let wide = |group: &[Made<'_>]| time(group) as f64 + least;
    let whole: f64 = groups(drawn).map(wide).sum();
    let mut out = Vec::new();
    let mut x = 0.0;
    for group in groups(drawn) {
        let w = 100.0 * wide(group) / whole;
        let mut rows: HashMap<&str, usize> = HashMap::new();
        for m in group {
            let row = rows.entry(m.call.name.as_str()).or_insert(0);
            out.push(Spot { x, wide: w, row: *row });
            *row = row.saturating_add(1);
        }
        x += w;
    }
    out
}

/// How high a row of a lane is, by how many there are: a hundred calls at once still fit a screen.
fn row_height(rows: usize) -> usize {
    match rows {
        0..=1 => 22,
        2..=6 => 14,
        7..=20 => 8,
        _ => 4,
    }
}

fn bar(m: &Made<'_>, spot: Spot, height: usize, out: &mut String) {
    let Spot { x, wide, row } = spot;
    let bad = m.call.error.is_some();
    let how = if m.call.denied() { "denied, not made" } else { "failed" };
    let words = format!(
        "Call {} {}: {} {}, {}{}{}{}",
        m.call.id,
        m.place.words(),
        m.call.name,
        short(m.call.args.text()),
        span(m.call.ms),
        if m.call.together.is_some() { ", at the same time as others" } else { "" },
        decisions::words(m.call).map_or_else(String::new, |words| format!(", {words}")),
        m.call.error.as_ref().map_or_else(String::new, |e| format!(", {how}: {}", short(e)))
    );
    let target = format!("{}c{}", m.place.mark(), m.call.id);
    let y = row.saturating_mul(height).saturating_add(1);
    let tall = height.saturating_sub(2);
    let _ = write!(
        out,
        "<a href=\"#{target}\" aria-label=\"{0}\"><rect class=\"{1}\" x=\"{x:.2}%\" y=\"{y}\" width=\"{wide:.2}%\" height=\"{tall}\" rx=\"2\"><title>{0}</title></rect>",
        html(&words),
        if bad { "bar bad" } else { "bar" }
    );
    // Not by colour alone.
    if bad {
        let _ = write!(
            out,
            "<text class=\"cross\" x=\"{:.2}%\" y=\"{}\" dy=\".36em\">×</text>",
            x + wide / 2.0,
            y.saturating_add(tall / 2)
        );
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
            failure: None,
            id,
            name: name.into(),
            args: Json::new("{\"q\":\"</svg>\"}".into()).unwrap(),
            result: None,
            error: error.map(str::to_owned),
            ms,
            together: None,
            decided: None,
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
        let spots = spots(&made);
        let rows: Vec<usize> = spots.iter().map(|s| s.row).collect();
        assert_eq!(rows, [0, 1, 2, 3, 0]);
        assert!(spots[0].x == spots[3].x && spots[0].wide == spots[3].wide && spots[4].x == spots[0].wide, "{spots:?}");
        assert!((spots[0].wide + spots[4].wide - 100.0).abs() < 1e-9);
        // Four rows of 14 for the one, a row for the other.
        assert!(out.contains("<svg height=\"56\"") && out.contains("<svg height=\"22\""), "{out}");
        assert!(out.contains("y=\"1\"") && out.contains("y=\"43\""), "{out}");
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
