//! The summary at the top of the report: what the session was, how it ended, what it took; and what it was given.

use super::about::About;
use super::escape::{count, html, number, span};
use super::turn::pre;
use ptc_turns::trace::record::Usage;
use ptc_turns::{Status, Trace};
use std::fmt::Write as _;

/// Task, ending, value and totals.
pub fn summary(trace: &Trace, about: &About<'_>) -> String {
    let h = &trace.header;
    let mut out = format!("<h1>{}</h1>", html(h.task.as_deref().unwrap_or("A session")));
    let (class, words) = ending(trace, about);
    let _ = write!(out, "<p class=\"ending\"><span class=\"badge {class}\">{}</span> {}</p>", class, html(&words));
    let last = trace.last();
    if let Some(v) =
        last.filter(|t| t.status == Status::Returned || t.status == Status::Failed).and_then(|t| t.value.as_ref())
    {
        out.push_str(&pre(&html(v), v, "result"));
    } else if let Some(said) = last.filter(|t| t.status == Status::Answered).and_then(|t| t.reasoning.as_ref()) {
        let _ = write!(out, "<div class=\"said result\">{}</div>", html(said));
    }
    out.push_str("<dl class=\"totals\">");
    for (name, value) in totals(trace) {
        let _ = write!(out, "<div><dt>{name}</dt><dd>{}</dd></div>", html(&value));
    }
    out.push_str("</dl>");
    out
}

/// How it ended, as the badge's word and a sentence.
fn ending(trace: &Trace, about: &About<'_>) -> (&'static str, String) {
    let turns = count(trace.turns().len() as u64, "turn");
    match (about.problem, trace.last().map(|t| t.status)) {
        _ if !trace.ended() => {
            let why = about.problem.map_or_else(String::new, |p| format!(": {p}"));
            ("unfinished", format!("after {turns}{why}"))
        }
        (_, Some(Status::Returned | Status::Answered)) => ("returned", format!("after {turns}")),
        (_, Some(Status::Failed)) => ("failed", format!("after {turns}")),
        _ => ("error", format!("out of turns after {turns}")),
    }
}

fn totals(trace: &Trace) -> Vec<(&'static str, String)> {
    let turns = trace.turns();
    let h = &trace.header;
    let sum = |f: fn(&Usage) -> Option<u64>| -> Option<u64> {
        let all: Vec<u64> = turns.iter().filter_map(|t| f(&t.usage)).collect();
        (!all.is_empty()).then(|| all.into_iter().fold(0, u64::saturating_add))
    };
    let of = if h.max_turns == u64::MAX { String::new() } else { format!(" of {}", number(h.max_turns)) };
    let mut models: Vec<&str> = turns.iter().filter_map(|t| t.usage.model.as_deref()).collect();
    models.dedup();
    let mut out = Vec::new();
    out.push(("Model", if models.is_empty() { "not recorded".to_owned() } else { models.join(", ") }));
    out.push(("Turns", format!("{}{of}", number(turns.len() as u64))));
    let failed = turns.iter().filter(|t| t.error.is_some()).count();
    if failed > 0 {
        out.push(("Turns with errors", number(failed as u64)));
    }
    let tokens = [
        ("Tokens in", sum(|u| u.input_tokens)),
        ("Tokens out", sum(|u| u.output_tokens)),
        ("Tokens cached", sum(|u| u.cached_tokens)),
    ];
    out.extend(tokens.into_iter().filter_map(|(name, n)| Some((name, number(n?)))));
    out.push(("Fuel", number(sum(|u| Some(u.fuel)).unwrap_or(0))));
    out.push(("Time of programs", span(sum(|u| Some(u.wall_ms)).unwrap_or(0))));
    if let (Some(first), Some(last)) = (turns.first(), turns.last()) {
        let end = last.time.saturating_add(i64::try_from(last.usage.wall_ms).unwrap_or(i64::MAX));
        if first.time > 0 {
            out.push(("Time in all", span(u64::try_from(end.saturating_sub(first.time)).unwrap_or(0))));
            out.push(("Began", date(first.time)));
        }
    }
    out
}

/// Milliseconds since 1970 as `2026-11-22 06:17:26 UTC`.
#[allow(clippy::arithmetic_side_effects, reason = "milliseconds in an i64 are fewer than 2^27 days")]
fn date(ms: i64) -> String {
    let seconds = ms.div_euclid(1000);
    let (day, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days to a date, in years that begin with March (the usual reckoning by eras of 400 years).
    let z = day.saturating_add(719_468);
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let m = (5 * doy + 2) / 153;
    let d = doy - (153 * m + 2) / 5 + 1;
    let month = if m < 10 { m + 3 } else { m - 9 };
    let year = yoe + era * 400 + i64::from(month <= 2);
    format!("{year}-{month:02}-{d:02} {:02}:{:02}:{:02} UTC", rest / 3600, rest / 60 % 60, rest % 60)
}

/// What the session was given: prompt, inputs, tools, policy, limits, the system message.
pub fn session(trace: &Trace) -> String {
    let h = &trace.header;
    let mut out = String::new();
    if !h.prompt.is_empty() {
        let _ = write!(out, "<div class=\"said asked\">{}</div>", html(&h.prompt));
    }
    if !h.inputs.is_empty() || !h.tools.is_empty() || h.custom_strategy.is_some() {
        out.push_str("<ul class=\"given\">");
        if let Some(name) = &h.custom_strategy {
            let _ = write!(
                out,
                "<li>strategy <code>{}</code> of the program that ran it; the prompts here are what it selected from</li>",
                html(name)
            );
        }
        for (name, input) in &h.inputs {
            let from = input.file.as_deref().unwrap_or("the task itself");
            let _ = write!(out, "<li><code class=\"x\">ctx/{}</code> from {}</li>", html(name), html(from));
        }
        for t in &h.tools {
            let params = match &t.params {
                Some(list) => list.iter().map(|p| format!("{} {}", p.name, p.shape)).collect::<Vec<_>>().join(", "),
                None => "...".to_owned(),
            };
            let returns = t.returns.as_ref().map_or_else(String::new, |r| format!(" → {r}"));
            let _ = write!(
                out,
                "<li><code class=\"t\">tool/{}</code> <code>({}){}</code> {}</li>",
                html(&t.name),
                html(&params),
                html(&returns),
                html(&t.description)
            );
        }
        out.push_str("</ul>");
    }
    let policy = serde_json::to_string_pretty(&h.policy).unwrap_or_default();
    let limits = serde_json::to_string_pretty(&h.limits).unwrap_or_default();
    for (title, text) in [("System message", &h.system), ("Policy of history", &policy), ("Limits of a turn", &limits)]
    {
        if !text.is_empty() {
            let _ = write!(
                out,
                "<details class=\"fold\"><summary>{title} <small>{}</small></summary>{}</details>",
                count(text.lines().count() as u64, "line"),
                pre(&html(text), text, "given")
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(date(951_782_400_000), "2000-02-29 00:00:00 UTC");
        assert_eq!(date(1_795_328_246_000), "2026-11-22 06:17:26 UTC");
        assert_eq!(date(-1), "1969-12-31 23:59:59 UTC");
    }
}
