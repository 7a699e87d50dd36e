//! The summary at the top of the report: what the session was, how it ended, what it took; and what it was given.

use super::about::About;
use super::escape::{count, data, html, number, pre, span};
use super::related::Related;
use super::{problems, value};
use ptc_agent::Totals;
use ptc_turns::trace::record::Usage;
use ptc_turns::{Status, Trace, TurnRecord};
use std::fmt::Write as _;

/// Characters of a question that is shown whole; a longer one is scrolled.
const QUESTION: usize = 1200;

/// Task, question, answer or what is in its place, errors and totals.
pub fn summary(trace: &Trace, about: &About<'_>, related: &Related) -> String {
    let h = &trace.header;
    let (class, words) = ending(trace, about);
    let mut out = format!(
        "<h1>{}</h1><p class=\"ending\"><span class=\"badge {class}\">{}</span> {}</p>",
        html(h.task.as_deref().unwrap_or("A session")),
        sign(class),
        html(&words)
    );
    if let Some((page, task)) = &related.parent {
        let _ = write!(
            out,
            "<p>Asked by <a href=\"{}\">{}</a></p>",
            html(page),
            html(if task.is_empty() { "another session" } else { task })
        );
    }
    let (question, texts) = question(trace);
    if !question.is_empty() {
        let long = question.chars().count() > QUESTION;
        let _ = write!(
            out,
            "<section class=\"question\" aria-labelledby=\"h-question\"><h2 id=\"h-question\">Question</h2><div class=\"said asked{}\"{}>{}</div>{}</section>",
            if long { " long" } else { "" },
            if long { " tabindex=\"0\" role=\"region\" aria-label=\"Question\"" } else { "" },
            html(&question),
            with_it(&texts)
        );
    }
    let answered =
        trace.ended() && trace.last().is_some_and(|t| matches!(t.status, Status::Returned | Status::Answered));
    match trace.last().filter(|_| answered) {
        Some(t) => {
            let _ = write!(
                out,
                "<section class=\"answer\" aria-labelledby=\"h-answer\"><h2 id=\"h-answer\">Answer <small>from <a href=\"#t{0}\">turn {0}</a></small></h2><div class=\"result\">{1}</div></section>",
                t.turn,
                answer(t)
            );
        }
        None => {
            let why = problems::reason(trace, about.problem);
            let _ = write!(
                out,
                "<section class=\"answer\" aria-labelledby=\"h-answer\"><h2 id=\"h-answer\">No answer{}</h2>{}</section>",
                if trace.ended() || about.problem.is_some() { "" } else { " yet" },
                if why.is_empty() { "<p class=\"quiet\">The session has not ended.</p>" } else { &why }
            );
        }
    }
    if let Some(problem) = about.problem.filter(|_| answered) {
        let _ = write!(out, "<div class=\"fault\"><p>{}</p></div>", html(problem));
    }
    out.push_str(&problems::list(trace, !answered));
    out.push_str("<dl class=\"totals\">");
    for (name, value) in totals(trace, about, related.inside) {
        let _ = write!(out, "<div><dt>{name}</dt><dd>{}</dd></div>", data(&value));
    }
    out.push_str("</dl>");
    out
}

/// What was asked: the prompt, with the texts of inputs that stand below it, or of a session with acts the text of its first
/// act.
fn question(trace: &Trace) -> (String, String) {
    let prompt = trace.header.prompt.trim();
    if !prompt.is_empty() {
        let asked = trace.header.question().trim();
        let texts = prompt.strip_prefix(asked).unwrap_or_default();
        let mut asked = asked.trim_end().to_owned();
        for (more, number) in trace.follow_ups().zip(2_usize..) {
            asked.push_str(&format!("\n\nQuestion {number}: {more}"));
        }
        return (asked, texts.trim_start().to_owned());
    }
    let text = |b: &ptc_history::Block| match b {
        ptc_history::Block::Text { text, part } if part.as_ref().is_none_or(|p| p.name.is_none()) => Some(text.clone()),
        _ => None,
    };
    let first = trace.acts().first().map(|a| a.content.iter().filter_map(text).collect::<Vec<_>>().join("\n\n"));
    (first.unwrap_or_default(), String::new())
}

/// The texts of inputs that were sent with the question, folded.
fn with_it(texts: &str) -> String {
    if texts.is_empty() {
        return String::new();
    }
    let text = pre(&html(texts), texts, "said");
    format!("<details class=\"fold\"><summary>The texts of inputs that were sent with it</summary>{text}</details>")
}

/// The answer: text as it was written, data as tables, and the exact text below what was drawn.
fn answer(t: &TurnRecord) -> String {
    if t.status == Status::Answered {
        return format!("<div class=\"said\">{}</div>", html(t.reasoning.as_deref().unwrap_or_default()));
    }
    value::with_text(t)
}

/// How it ended, in a sign and a word: not by colour alone.
fn sign(class: &str) -> String {
    match class {
        "returned" => "✓ answered".to_owned(),
        "unfinished" => "… not ended".to_owned(),
        "error" => "✕ out of turns".to_owned(),
        other => format!("✕ {other}"),
    }
}

/// How it ended, as the badge's word and a sentence.
fn ending(trace: &Trace, about: &About<'_>) -> (&'static str, String) {
    let turns = count(trace.turns().len() as u64, "turn");
    match (about.problem, trace.last().map(|t| t.status)) {
        _ if !trace.ended() => {
            (if about.problem.is_some() { "stopped" } else { "unfinished" }, format!("after {turns}"))
        }
        (_, Some(Status::Returned | Status::Answered)) => ("returned", format!("after {turns}")),
        (_, Some(Status::Failed)) => ("failed", format!("after {turns}")),
        _ => ("error", format!("after {turns}")),
    }
}

/// Who answered: the models that reported usage, or the recording that was replayed, which reports none.
fn model(trace: &Trace, about: &About<'_>) -> String {
    let mut models: Vec<&str> = trace.turns().iter().filter_map(|t| t.usage.model.as_deref()).collect();
    models.dedup();
    let replayed = about.task.and_then(|task| task.model.as_deref()?.strip_prefix("replay:"));
    match (models.is_empty(), replayed) {
        (false, _) => format!("{}, answers recorded", models.join(", ")),
        (true, Some(file)) => {
            let name = std::path::Path::new(file).file_name().unwrap_or_default().to_string_lossy();
            format!("answers replayed from {name}")
        }
        (true, None) => "none named: answers were replayed, or given by hand".to_owned(),
    }
}

fn totals(trace: &Trace, about: &About<'_>, (count, inside): (u64, Totals)) -> Vec<(&'static str, String)> {
    let turns = trace.turns();
    let h = &trace.header;
    let sum = |f: fn(&Usage) -> Option<u64>| -> Option<u64> {
        let all: Vec<u64> = turns.iter().filter_map(|t| f(&t.usage)).collect();
        (!all.is_empty()).then(|| all.into_iter().fold(0, u64::saturating_add))
    };
    let of = if h.max_turns == u64::MAX { String::new() } else { format!(" of {}", number(h.max_turns)) };
    let mut out = vec![("Model", model(trace, about))];
    out.push(("Turns", format!("{}{of}", number(turns.len() as u64))));
    let failed = turns.iter().filter(|t| t.error.is_some()).count();
    if failed > 0 {
        out.push(("Turns with errors", number(failed as u64)));
    }
    // Its own, then with those of its sub-agents.
    let others = super::escape::count(count, "sub-agent");
    let both = |own: String, all: Option<String>| match all {
        Some(all) if count > 0 => format!("{own} ({all} with {others})"),
        _ => own,
    };
    let tokens = [
        ("Tokens sent", sum(|u| u.input_tokens), inside.input_tokens),
        ("of them from the cache", sum(|u| u.cached_tokens), inside.cached_tokens),
        ("Tokens of replies", sum(|u| u.output_tokens), inside.output_tokens),
    ];
    let tokens = tokens.into_iter().filter(|(_, own, inside)| own.is_some() || *inside > 0);
    out.extend(tokens.map(|(name, own, inside)| {
        let own = own.unwrap_or(0);
        (name, both(number(own), Some(number(own.saturating_add(inside)))))
    }));
    let costs: Vec<f64> = turns.iter().filter_map(|t| about.price.and_then(|p| p.of(&t.usage))).collect();
    if !costs.is_empty() {
        let own: f64 = costs.iter().sum();
        let all = inside.cost.map_or_else(|| "unknown".to_owned(), |inside| format!("{:.6}", own + inside));
        out.push(("Cost by the task's price", both(format!("{own:.6}"), Some(all))));
    }
    out.extend(sum(|u| u.retries).map(|n| ("Requests that were repeated", number(n))));
    let waits: Vec<u64> = waits(trace).into_iter().flatten().collect();
    if !waits.is_empty() {
        out.push(("Waited for replies", span(waits.into_iter().fold(0, u64::saturating_add))));
    }
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

/// How long after the end of the turn before each reply came: what the model took, with retries, and pauses of the
/// session. None of the first turn, and where the clock went back.
pub fn waits(trace: &Trace) -> Vec<Option<u64>> {
    let mut before: Option<i64> = None;
    let mut out = Vec::new();
    for t in trace.turns() {
        let known = |time: &i64| *time > 0;
        let waited = before.filter(known).and_then(|end| u64::try_from(t.time.saturating_sub(end)).ok());
        out.push(waited.filter(|_| known(&t.time)));
        before = Some(t.time.saturating_add(i64::try_from(t.usage.wall_ms).unwrap_or(i64::MAX)));
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
    use ptc_lisp::value::Value;
    use ptc_turns::{Config, Input, Session, TurnContext};

    #[test]
    fn dates_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(date(951_782_400_000), "2000-02-29 00:00:00 UTC");
        assert_eq!(date(1_795_328_246_000), "2026-11-22 06:17:26 UTC");
        assert_eq!(date(-1), "1969-12-31 23:59:59 UTC");
    }

    #[test]
    fn the_question_comes_first_then_the_answer_as_a_table() {
        let mut s = Session::new(Config { prompt: "Who owes us </section>?".into(), ..Config::default() });
        let program = "(return [{:name \"Northlight Studio\" :overdue 132400} {:name \"Halden <Bakery>\" :overdue 51750} {:name \"Birch\" :overdue 3}])";
        s.reply(&format!("```clojure\n{program}\n```"), TurnContext::without_host()).unwrap();
        let out = summary(s.trace(), &About::default(), &Related::default());
        let places = [
            "<h1>",
            "Who owes us &lt;/section&gt;?",
            "<h2 id=\"h-answer\">Answer <small>from <a href=\"#t1\">",
            "<th scope=col class=num>overdue</th>",
            "Halden &lt;Bakery&gt;",
            "<summary>As text</summary>",
            "<dl",
        ];
        let at: Vec<usize> = places.iter().map(|p| out.find(p).unwrap_or_else(|| panic!("{p}: {out}"))).collect();
        assert!(at.is_sorted(), "{at:?}");
        // A text is text, and no JSON of it.
        let mut s = Session::new(Config::default());
        s.reply("```clojure\n(return \"one\\ntwo\")\n```", TurnContext::without_host()).unwrap();
        let out = summary(s.trace(), &About::default(), &Related::default());
        assert!(out.contains("<span class=text>one\ntwo</span>"), "{out}");
    }

    #[test]
    fn who_answered_is_said_of_recorded_and_of_replayed_answers() {
        let mut s = Session::new(Config::default());
        s.reply("```clojure\n(return 1)\n```", TurnContext::without_host()).unwrap();
        assert_eq!(model(s.trace(), &About::default()), "none named: answers were replayed, or given by hand");
        let mut given = ptc_agent::task::Overrides::default();
        given.set("task.prompt=p").unwrap();
        given.set("task.model=replay:a/replies.md").unwrap();
        let task = ptc_agent::Task::of_values(&given).unwrap();
        assert_eq!(
            model(s.trace(), &About { task: Some(&task), ..About::default() }),
            "answers replayed from replies.md"
        );
        let mut trace = s.trace().clone();
        let mut turn = (*trace.turns()[0]).clone();
        turn.usage.model = Some("gpt-5.1".into());
        trace = Trace::new((*trace.header).clone());
        trace.push(turn);
        assert_eq!(model(&trace, &About::default()), "gpt-5.1, answers recorded");
    }

    #[test]
    fn texts_that_were_sent_with_the_question_are_folded() {
        let input = |name: &str, value| Input {
            name: name.into(),
            value,
            sha256: String::new(),
            file: None,
            json: None,
            note: None,
        };
        let inputs = vec![input("rows", Value::vector(vec![])), input("notes", Value::str("Bo waits.\n<b>"))];
        let s = Session::new(Config { prompt: "Who waits?".into(), inputs, ..Config::default() });
        let out = summary(s.trace(), &About::default(), &Related::default());
        let (asked, texts) = out.split_once("<summary>The texts of inputs that were sent with it</summary>").unwrap();
        assert!(asked.contains(">Who waits?</div>") && !asked.contains("Bo waits"), "{asked}");
        assert!(texts.contains("`ctx/notes`:") && texts.contains("Bo waits.\n&lt;b&gt;"), "{texts}");
        // What only looks like one is part of the question.
        let s = Session::new(Config { prompt: "Why?\n\n`ctx/other`:\n\n```text\nx\n```".into(), ..Config::default() });
        let out = summary(s.trace(), &About::default(), &Related::default());
        assert!(out.contains("`ctx/other`:") && !out.contains("that were sent with it"), "{out}");
    }

    /// What sub-agents used is in the numbers, and told apart from what the session used itself.
    #[test]
    fn numbers_are_told_with_those_of_sub_agents() {
        let mut trace = Trace::new(ptc_turns::Header::new("s", "p", 9));
        let model = || (Some("openai".to_owned()), Some("m".to_owned()));
        let (provider, model) = model();
        let usage = Usage { provider, model, input_tokens: Some(1000), output_tokens: Some(20), ..Usage::default() };
        trace.push(TurnRecord { usage, ..TurnRecord::empty(1) });
        let price = ptc_agent::model::Price { input: 1.0, output: 0.0, cached: None, cache_write: None };
        let mut inside = Totals::default();
        (inside.input_tokens, inside.output_tokens, inside.cost) = (4500, 7, Some(0.5));
        let about = About { price: Some(&price), ..About::default() };
        let told = |inside: (u64, Totals)| totals(&trace, &about, inside);
        let row = |rows: &[(&'static str, String)], name: &str| rows.iter().find(|r| r.0 == name).unwrap().1.clone();
        let (alone, both) = (told((0, Totals::default())), told((2, inside)));
        assert_eq!(row(&alone, "Tokens sent"), "1,000");
        assert_eq!(row(&both, "Tokens sent"), "1,000 (5,500 with 2 sub-agents)");
        assert_eq!(row(&both, "Tokens of replies"), "20 (27 with 2 sub-agents)");
        assert_eq!(row(&both, "Cost by the task's price"), "0.001000 (0.501000 with 2 sub-agents)");
        inside.cost = None;
        assert_eq!(row(&told((1, inside)), "Cost by the task's price"), "0.001000 (unknown with 1 sub-agent)");
    }

    #[test]
    fn waiting_is_what_lies_between_turns() {
        let mut trace = Trace::new(ptc_turns::Header::new("s", "p", 9));
        for (n, time, wall_ms) in [(1, 1000, 50), (2, 3050, 10), (3, 3000, 0), (4, 0, 0)] {
            let usage = Usage { wall_ms, ..Usage::default() };
            trace.push(TurnRecord { time, usage, ..TurnRecord::empty(n) });
        }
        // A clock that went back and one that is not known say nothing.
        assert_eq!(waits(&trace), [None, Some(2000), None, None]);
    }
}
