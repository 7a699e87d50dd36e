//! A turn, an act, a definition and a call as parts of the report.

use super::escape::{count, data, flowing, html, number, pre, span};
use super::prompts::Size;
use super::related::Related;
use super::{highlight, problems, value};
use crate::begun::{self, BegunTurn};
use crate::decisions;
use ptc_history::Block;
use ptc_turns::trace::journal::JournalCall;
use ptc_turns::trace::record::{Call, Defined, Kind, MissedKey, Note};
use ptc_turns::{Act, Status, TurnRecord};
use std::fmt::Write as _;

/// Characters of a tool's answer that are shown unfolded.
const ANSWER: usize = 240;

/// Bytes of an error, and of names, in the line of a folded turn; they wrap.
const GIST: usize = 400;

/// Bytes of an act's input that is shown unfolded.
const SHORT: usize = 600;

/// What a turn is shown with.
pub struct Around<'a> {
    /// The size of the prompt before it, or why there is none.
    pub prompt: &'a Result<Size, String>,
    /// Whether it is unfolded.
    pub open: bool,
    /// How long after the turn before its reply came.
    pub waited: Option<u64>,
    /// Pages of sub-agents.
    pub related: &'a Related,
}

/// A turn: its error first.
pub fn turn(t: &TurnRecord, around: &Around<'_>) -> String {
    let n = t.turn;
    let mut out = format!(
        "<details class=\"turn\" id=\"t{n}\"{}><summary><h3>Turn {n}</h3>{}<span class=\"gist\">{}</span></summary>",
        if around.open { " open" } else { "" },
        badge(t.status),
        html(&gist(t))
    );
    if let Some(e) = &t.error {
        out.push_str(&part("Error", &problems::fault(e, &t.program)));
    }
    if !t.missed_keys.is_empty() {
        let line = |m: &MissedKey| format!("<li>{}</li>", problems::missed(m));
        let all: String = t.missed_keys.iter().map(line).collect();
        out.push_str(&part("Missed keys", &format!("<ul class=\"defs\">{all}</ul>")));
    }
    if let Some(r) = t.reasoning.as_ref().filter(|r| !r.trim().is_empty()) {
        let _ = write!(out, "<div class=\"said\">{}</div>", html(&flowing(r)));
    }
    if !t.program.is_empty() {
        let place = t.error.as_ref().and_then(|e| Some((e.line?, e.column?)));
        out.push_str(&part("Program", &pre(&highlight::program(&t.program, place), &t.program, "program")));
    }
    if !t.tool_calls.is_empty() {
        let calls: String = t.tool_calls.iter().map(|c| call(c, &format!("t{n}"), around.related)).collect();
        out.push_str(&part("Tool calls", &format!("<ol class=\"calls\">{calls}</ol>")));
    }
    let printed = t.printed.concat();
    if !printed.is_empty() {
        out.push_str(&part("Printed", &pre(&html(&printed), &printed, "printed")));
    }
    if !t.definitions.is_empty() {
        let all: String = t.definitions.iter().map(definition).collect();
        out.push_str(&part("Definitions", &format!("<ul class=\"defs\">{all}</ul>")));
    }
    if !t.notes.is_empty() {
        let all: String = t.notes.iter().map(note).collect();
        out.push_str(&part("Notes", &format!("<ul class=\"defs\">{all}</ul>")));
    }
    // Of a text act the reply is the value, and stands above; what prints or defines ends in nil for no reason.
    let told = t.status == Status::Ok && !(printed.is_empty() && t.definitions.is_empty());
    if let Some(v) = t.value.as_ref().filter(|v| t.status != Status::Answered && !(told && *v == "nil")) {
        let laid = value::laid_out(v);
        out.push_str(&part("Value", &pre(&html(&laid), &laid, "value")));
    }
    // What was printed and the number of the next turn is nothing that does not stand here.
    let more = t.feedback.strip_prefix(&printed).unwrap_or(&t.feedback).trim();
    if !(more.is_empty() || t.status == Status::Ok && more.starts_with("Turn ") && !more.contains(['\n', ';'])) {
        let _ = write!(
            out,
            "<details class=\"fold\"><summary>What the model was told after it</summary>{}</details>",
            pre(&html(&t.feedback), &t.feedback, "feedback")
        );
    }
    out.push_str(&prompt(n, around.prompt, "What the model was sent for this turn"));
    let _ = write!(out, "<p class=\"used\">{}</p></details>", html(&used(t, around.waited)));
    out
}

/// A turn that has begun and not ended: its program, and what is known of its calls.
pub fn begun(t: &BegunTurn<'_>, related: &Related) -> String {
    let n = t.turn;
    let mut out = format!(
        "<details class=\"turn\" id=\"t{n}\" open><summary><h3>Turn {n}</h3><span class=\"badge unfinished\">not ended</span></summary>"
    );
    if let Some(prose) = t.prose.as_ref().filter(|r| !r.trim().is_empty()) {
        let _ = write!(out, "<div class=\"said\">{}</div>", html(&flowing(prose)));
    }
    if !t.program.is_empty() {
        out.push_str(&part("Program", &pre(&highlight::program(&t.program, None), &t.program, "program")));
    }
    let calls: String = t.calls.iter().map(|k| begun_call(k, &format!("t{n}"), related)).collect();
    if !calls.is_empty() {
        out.push_str(&part("Tool calls", &format!("<ol class=\"calls\">{calls}</ol>")));
    }
    out.push_str("</details>");
    out
}

fn begun_call(k: &JournalCall, place: &str, related: &Related) -> String {
    let (record, id) = (begun::call(k), k.request.id);
    match begun::state(&k.state) {
        None => call(&record, place, related),
        Some(words) => format!(
            "<li id=\"{place}c{id}\"><span class=\"id\">{id}</span> <code class=\"t\">{}</code> <code>{}</code>{}<div>{words}</div></li>",
            html(&record.name),
            data(record.args.text()),
            sub_agent(id, related)
        ),
    }
}

/// The place of a prompt, which the script fills when it is opened.
pub fn prompt(turn: u64, size: &Result<Size, String>, title: &str) -> String {
    match size {
        Ok(size) => format!(
            "<details class=\"fold prompt\" data-turn=\"{turn}\"><summary>{} <small>{}, {}</small></summary>\
             <div class=\"lines\"></div></details>",
            html(title),
            count(size.messages as u64, "message"),
            count(size.tokens, "token")
        ),
        Err(words) => format!("<p class=\"err\">No prompt can be made: {}</p>", html(words)),
    }
}

/// An act's heading and what it asks.
pub fn act(a: &Act, related: &Related) -> String {
    let mut out = format!(
        "<header class=\"act\" id=\"a{}\"><h2>Act {0}: {}</h2><p class=\"quiet\">{}, {}</p>",
        a.act,
        html(&a.name),
        a.mode.as_str(),
        if a.max_turns == 1 { "1 turn".to_owned() } else { format!("at most {} turns", number(a.max_turns)) }
    );
    if !a.tool_calls.is_empty() {
        let calls: String = a.tool_calls.iter().map(|c| call(c, &format!("a{}", a.act), related)).collect();
        out.push_str(&part("Calls for its inputs", &format!("<ol class=\"calls\">{calls}</ol>")));
    }
    for (name, page) in related.of_act(a.act) {
        let _ = write!(
            out,
            "<p>Input {}: <a href=\"{}\">the report of the task that wrote it</a></p>",
            html(name),
            html(page)
        );
    }
    for block in &a.content {
        let Block::Text { text, part: input } = block else { continue };
        let Some(input) = input else {
            let _ = write!(out, "<div class=\"said asked\">{}</div>", html(text));
            continue;
        };
        let kind = format!("{:?}", input.kind);
        let name = input.name.as_deref().unwrap_or_default();
        let kept = input.history_retention.map_or_else(String::new, |r| format!(", kept: {r:?}").to_lowercase());
        let _ = write!(
            out,
            "<details class=\"fold\"{}><summary>{} <code>{}</code> <small>{}{}</small></summary>{}</details>",
            if text.len() <= SHORT { " open" } else { "" },
            html(&kind),
            html(name),
            count(text.len() as u64, "byte"),
            html(&kept),
            pre(&html(text), text, "input")
        );
    }
    out.push_str("</header>");
    out
}

/// How a turn ended, as a word in a shape.
pub fn badge(status: Status) -> String {
    format!("<span class=\"badge {0}\">{0}</span>", status.as_str())
}

/// A part of a turn under its title.
fn part(title: &str, body: &str) -> String {
    format!("<section class=\"part\"><h4>{title}</h4>{body}</section>")
}

fn gist(t: &TurnRecord) -> String {
    let mut words = Vec::new();
    if let Some(e) = &t.error {
        words.push(ptc_lisp::error::cut(format!("{}: {}", problems::kind(e), e.message), GIST));
    }
    let names: Vec<&str> = t.definitions.iter().filter(|d| !d.rolled_back).map(|d| d.name.as_str()).collect();
    if !names.is_empty() {
        words.push(ptc_lisp::error::cut(format!("defined {}", names.join(", ")), GIST));
    }
    if !t.notes.is_empty() {
        words.push(count(t.notes.len() as u64, "note"));
    }
    if !t.tool_calls.is_empty() {
        words.push(count(t.tool_calls.len() as u64, "call"));
    }
    if !t.missed_keys.is_empty() {
        words.push(count(t.missed_keys.len() as u64, "missed key"));
    }
    if !t.printed.is_empty() {
        let lines = t.printed.concat().lines().count();
        words.push(format!("printed {}", count(lines as u64, "line")));
    }
    words.join(" · ")
}

fn call(c: &Call, place: &str, related: &Related) -> String {
    let answer = match (&c.result, &c.error) {
        (_, Some(e)) => {
            let how = if c.denied() { "denied, not made" } else { "failed" };
            format!("<span class=\"err\"><b>{how}</b>: {}</span>", html(e))
        }
        (Some(r), None) if r.text().chars().count() > ANSWER => format!(
            "<details class=\"fold\"><summary><code>{}</code> <small>{}</small></summary>{}{}</details>",
            data(&ptc_lisp::error::cut(r.text().to_owned(), 60)),
            count(r.text().len() as u64, "byte"),
            value::json(r.text()),
            if value::has_parts(r.text()) { value::as_text(r.text()) } else { String::new() }
        ),
        (Some(r), None) => format!("<code>{}</code>", data(r.text())),
        (None, None) => "<code>null</code>".to_owned(),
    };
    let page = sub_agent(c.id, related);
    let decided = decisions::words(c).map_or_else(String::new, |words| format!(", {words}"));
    format!(
        "<li id=\"{place}c{0}\"><span class=\"id\">{0}</span> <code class=\"t\">{1}</code> <code>{2}</code> <small>{3}</small>{page}<div>{answer}</div></li>",
        c.id,
        html(&c.name),
        data(c.args.text()),
        html(&match c.together {
            Some(first) => format!("{}, made at the same time as others from call {first} on{decided}", span(c.ms)),
            None => format!("{}{decided}", span(c.ms)),
        })
    )
}

/// The link to the page of what answered a call, where there is one.
fn sub_agent(id: u64, related: &Related) -> String {
    related
        .of_call(id)
        .map_or_else(String::new, |page| format!(" <a href=\"{}\">report of this sub-agent</a>", html(page)))
}

/// Calls for inputs of an act that has not begun.
pub fn ahead(name: &str, calls: &[&Call], related: &Related) -> String {
    let list: String = calls.iter().map(|c| call(c, "n", related)).collect();
    let body = part("Calls for its inputs", &format!("<ol class=\"calls\">{list}</ol>"));
    format!("<header class=\"act\"><h2>The act to come: {}</h2>{body}</header>", html(name))
}

fn note(n: &Note) -> String {
    let name = n.name.as_deref().map_or_else(String::new, |name| format!("<code>{}</code> ", html(name)));
    let text = n.text.as_deref().map(|text| pre(&html(text), text, "note"));
    format!("<li>{name}{}</li>", text.as_deref().unwrap_or("<span class=\"tag\">taken back</span>"))
}

fn definition(d: &Defined) -> String {
    let tag = if d.rolled_back {
        " <span class=\"tag\">rolled back</span>"
    } else if d.replaced {
        " <span class=\"tag\">replaced</span>"
    } else {
        ""
    };
    format!(
        "<li{}><code>{}</code>{tag} {}</li>",
        if d.rolled_back { " class=\"gone\"" } else { "" },
        html(&d.name),
        what(d)
    )
}

/// What a definition is: its parameters or type, docstring and sample.
pub fn what(d: &Defined) -> String {
    let word = d.type_word.as_deref().unwrap_or(if d.kind == Kind::Function { "function" } else { "value" });
    let space = if d.kind == Kind::Function || d.params.is_some() { " " } else { "" };
    let params = html(d.params.as_deref().unwrap_or(""));
    let mut out = format!("<span class=\"type\">{}{space}{params}</span>", html(word));
    if let Some(doc) = &d.doc {
        let _ = write!(out, " <q>{}</q>", html(doc));
    }
    if let Some(s) = &d.sample {
        let _ = write!(out, " <code class=\"sample\">{}</code>", html(s));
    }
    out
}

fn used(t: &TurnRecord, waited: Option<u64>) -> String {
    let u = &t.usage;
    let mut words = Vec::new();
    if let Some(ms) = waited {
        words.push(format!("reply {} after the turn before", span(ms)));
    }
    // Nothing ran in a text act.
    if t.status != Status::Answered {
        words.push(format!("program {}", span(u.wall_ms)));
        words.push(format!("{} fuel", number(u.fuel)));
        words.push(format!("{} of memory", count(u.memory_bytes, "byte")));
    }
    if let Some(m) = &u.model {
        words.push(m.clone());
    }
    let reported = [
        (u.input_tokens, "sent"),
        (u.cached_tokens, "of them from the cache"),
        (u.cache_write_tokens, "of them written to the cache"),
        (u.output_tokens, "in the reply"),
    ];
    for (n, what) in reported {
        if let Some(n) = n {
            words.push(format!("{} {what}", count(n, "token")));
        }
    }
    words.extend(u.retries.map(|n| format!("asked again {}", count(n, "time"))));
    words.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_agent::{Tool, Toolbox};
    use ptc_lisp::value::Value;
    use ptc_turns::{Config, Session, TurnContext};

    #[test]
    fn all_of_a_long_answer_stands_at_its_call() {
        let mut tools = Toolbox::new();
        let answer = Value::vector((0..5000).map(|i| Value::str(format!("row <{i}>"))).collect());
        tools.add(Tool::new("rows", move |_| Ok(answer.clone())));
        let mut session = Session::new(Config { tools: tools.specs(), ..Config::programs() });
        session.run("(count (tool/rows {}))", TurnContext::with_tools(&mut tools)).unwrap();
        let t = session.trace().last().unwrap();
        assert_eq!(t.value.as_deref(), Some("5000"));
        let around = Around { prompt: &Err(String::new()), open: true, waited: None, related: &Related::default() };
        let out = turn(t, &around);
        let (drawn, text) = out.split_once("<summary>As text</summary>").unwrap();
        assert!(drawn.contains("There is more than is drawn here") && !drawn.contains("row &lt;4999&gt;"));
        let exact = t.tool_calls[0].result.as_ref().unwrap().text();
        assert!(text.contains(&html(exact)) && exact.ends_with("\"row <4999>\"]"));
    }
}
