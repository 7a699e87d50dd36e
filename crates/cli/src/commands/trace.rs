//! `ptc trace`: everything that happened, for people and as JSON.

use crate::args::TraceArgs;
use crate::begun::{self, BegunTurn, begun, calls_ahead, state};
use crate::decisions;
use crate::exit_code::DONE;
use crate::report;
use crate::terminal::io::{CliError, Io, indented};
use crate::traces::{load_undamaged, problem, task_of};
use ptc_agent::model::Price;
use ptc_agent::{Error, ErrorKind, Summaries, Task, error_text};
use ptc_lisp::escape;
use ptc_turns::render::act_inputs;
use ptc_turns::request::missing_strategy;
use ptc_turns::trace::Step;
use ptc_turns::trace::journal::JournalCall;
use ptc_turns::trace::record::{Call, Defined, Note};
use ptc_turns::{Act, Header, Trace, TurnRecord};
use std::fmt::Write as _;
use std::sync::Arc;

/// Runs the command. Of a trace with a line that cannot be read what is before it is shown.
pub fn trace(a: &TraceArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let (trace, damaged) = load_undamaged(&a.trace, io)?;
    show(a, &trace, io)?;
    match damaged {
        None => Ok(DONE),
        Some(damaged) => Err(damaged.into()),
    }
}

fn show(a: &TraceArgs, trace: &Trace, io: &mut Io<'_>) -> Result<(), CliError> {
    if let Some(file) = &a.report {
        if let Some(missing) = missing_strategy(&trace.header, &trace.header.policy) {
            io.warn(&missing.text);
        }
        let kept = Summaries::kept(&a.trace)?;
        let problem = problem(&a.trace, trace, io);
        let task = task(a, trace, io)?;
        let price = task.as_ref().and_then(|task| price(task, trace));
        let about = report::About {
            problem: problem.as_deref(),
            summaries: Some(&kept),
            price: price.as_ref(),
            task: task.as_ref(),
            live: None,
        };
        let written = report::write_all(file, Some(&a.trace), trace, &about)?;
        written.warnings.iter().for_each(|w| io.warn(w));
        io.info(&format!("wrote {}{}", file.display(), written.others()));
        return Ok(());
    }
    if let Some(handle) = &a.input {
        return input(trace, handle, io);
    }
    let all = trace.turns();
    let begun = begun(trace);
    let turns: &[Arc<TurnRecord>] = match a.turn {
        None => all,
        Some(k) if begun.as_ref().is_some_and(|b| b.turn == k) && !a.json => &[],
        Some(k) => {
            let one = usize::try_from(k.saturating_sub(1)).ok().and_then(|i| all.get(i..=i));
            one.ok_or_else(|| {
                Error::new(
                    ErrorKind::Usage,
                    match all.len() {
                        0 => error_text!("there is no turn {k}"; "the trace has none yet"),
                        n => error_text!("there is no turn {k}: the trace has {n}"; "give --turn 1 to {n}"),
                    },
                )
            })?
        }
    };
    if a.json {
        let list: Vec<&TurnRecord> = turns.iter().map(Arc::as_ref).collect();
        serde_json::to_writer(&mut *io.out, &list).map_err(std::io::Error::from)?;
        writeln!(io.out)?;
        return Ok(());
    }
    let all_shown = a.turn.is_none();
    if all_shown {
        io.out.write_all(head(&trace.header, all.len()).as_bytes())?;
    }
    for step in trace.steps() {
        let text = match step {
            // An act stands before its first turn; one that has none yet, behind all.
            Step::Act(a)
                if turns.iter().any(|t| t.turn == a.first_turn) || (a.first_turn > all.len() as u64 && all_shown) =>
            {
                act(a, &trace.header)
            }
            Step::Turn(t) if turns.iter().any(|s| s.turn == t.turn) => turn(t),
            _ => continue,
        };
        io.out.write_all(text.as_bytes())?;
    }
    if let Some(begun) = begun.filter(|b| a.turn.is_none_or(|k| k == b.turn)) {
        io.out.write_all(begun_turn(&begun).as_bytes())?;
    }
    if all_shown {
        io.out.write_all(ahead(trace).as_bytes())?;
        if let Some(problem) = problem(&a.trace, trace, io) {
            writeln!(io.out, "Stopped: {}", escape::line(&problem))?;
        }
    }
    Ok(())
}

/// The task of a trace: that which is named, or where a kept session began, if it is still that.
fn task(a: &TraceArgs, trace: &Trace, io: &Io<'_>) -> Result<Option<Task>, Error> {
    let Some(path) = &a.task else {
        // Where it has been moved or changed since, no cost is said.
        return Ok(task_of(&a.trace, io).and_then(|path| Task::load(&path).ok()).filter(|t| t.began(&trace.header)));
    };
    let task = Task::load(path)?;
    if !task.began(&trace.header) {
        let words = error_text!("{} is the trace of another task", a.trace.display(); "name the task that it is of");
        return Err(Error::new(ErrorKind::Usage, words));
    }
    Ok(Some(task))
}

/// The price of all tokens of a trace, if the model that the task's price is of answered everything.
fn price(task: &Task, trace: &Trace) -> Option<Price> {
    let asked = |t: &TurnRecord| Some(format!("{}/{}", t.usage.provider.as_ref()?, t.usage.model.as_ref()?));
    let own = trace.turns().iter().filter_map(|t| asked(t)).all(|m| Some(m) == task.model);
    task.asked.price.clone().filter(|_| own)
}

/// An input of an act, as it was given.
fn input(trace: &Trace, handle: &str, io: &mut Io<'_>) -> Result<(), CliError> {
    let Some(text) = act_inputs::get(trace, handle) else {
        let list: Vec<String> = act_inputs::all(trace).into_iter().map(|(handle, _)| handle).collect();
        let handle = escape::line(handle);
        let words = match list.is_empty() {
            true => format!("there is no input {handle}: the trace has none").into(),
            false => error_text!("there is no input {handle}"; "give one of {}", list.join(", ")),
        };
        return Err(Error::new(ErrorKind::Usage, words).into());
    };
    io.out.write_all(text.as_bytes())?;
    Ok(())
}

/// The calls for an act that has not begun.
fn ahead(trace: &Trace) -> String {
    let (mut calls, begun) = (trace.ahead().peekable(), calls_ahead(trace));
    if calls.peek().is_none() && begun.is_empty() {
        return String::new();
    }
    let name = trace.header.acts.get(trace.acts().len()).map_or("", |a| &a.name);
    let mut out =
        format!("== Before act {}: {} ==\nTool calls:\n", trace.acts().len().saturating_add(1), escape::line(name));
    calls.for_each(|c| call(&mut out, &c.tool_call));
    begun.into_iter().for_each(|k| begun_call(&mut out, k));
    out
}

fn head(h: &Header, turns: usize) -> String {
    let mut out = String::new();
    let max = if h.max_turns == u64::MAX { String::new() } else { format!(" of at most {}", h.max_turns) };
    let _ = writeln!(out, "Task: {}", escape::line(h.task.as_deref().unwrap_or("(none)")));
    let _ = writeln!(out, "Turns: {turns}{max}");
    for a in &h.acts {
        let turns = if a.max_turns == 1 { "1 turn".to_owned() } else { format!("at most {} turns", a.max_turns) };
        let _ = writeln!(out, "Act: {} ({}, {turns})", escape::line(&a.name), a.mode.as_str());
    }
    if !h.prompt.is_empty() || h.acts.is_empty() {
        part(&mut out, "Prompt", &h.prompt);
    }
    for (name, input) in &h.inputs {
        let file = |f| format!(" from {}", escape::line(f));
        let from = input.file.as_deref().map_or_else(|| ", given when the session began".to_owned(), file);
        let _ = writeln!(out, "Input: ctx/{}{from}, sha256 {}", escape::line(name), escape::line(&input.sha256));
    }
    if let Some(name) = &h.custom_strategy {
        let _ = writeln!(out, "Strategy: {}, of the program that ran it", escape::line(name));
    }
    for t in &h.tools {
        let about =
            if t.description.is_empty() { String::new() } else { format!(" - {}", escape::line(&t.description)) };
        let _ = writeln!(out, "Tool: {}{about}", escape::line(&t.name));
    }
    let _ = writeln!(out, "System message: {} characters, shown by `ptc messages`", h.system.chars().count());
    out
}

fn act(a: &Act, header: &Header) -> String {
    let mut out = match header.acts.is_empty() {
        true => format!("== Question {} ==\n", a.act.saturating_add(1)),
        false => format!("== Act {}: {} ({}) ==\n", a.act, escape::line(&a.name), a.mode.as_str()),
    };
    if !a.tool_calls.is_empty() {
        out.push_str("Tool calls:\n");
        a.tool_calls.iter().for_each(|c| call(&mut out, c));
    }
    for block in &a.content {
        let ptc_history::Block::Text { text, part: input } = block else { continue };
        let title = match input {
            None => "Asked".to_owned(),
            Some(input) => {
                let kind = format!("{:?}", input.kind);
                let name = input.name.as_deref().map_or_else(String::new, |n| format!(" {}", escape::line(n)));
                let kept =
                    input.history_retention.map_or_else(String::new, |r| format!(", kept: {r:?}").to_lowercase());
                format!("{kind}{name}{kept}")
            }
        };
        part(&mut out, &title, text);
    }
    out
}

/// The turn that has begun and not ended: its program, and what is known of its calls.
fn begun_turn(t: &BegunTurn<'_>) -> String {
    let mut out = format!("\n== Turn {}: not ended ==\n", t.turn);
    if let Some(prose) = &t.prose {
        part(&mut out, "Reasoning", prose);
    }
    if !t.program.is_empty() {
        part(&mut out, "Program", &t.program);
    }
    if !t.calls.is_empty() {
        out.push_str("Tool calls:\n");
        t.calls.iter().for_each(|k| begun_call(&mut out, k));
    }
    out
}

fn turn(t: &TurnRecord) -> String {
    let mut out = format!("\n== Turn {}: {} ==\n", t.turn, t.status.as_str());
    if let Some(r) = &t.reasoning {
        part(&mut out, "Reasoning", r);
    }
    if !t.program.is_empty() {
        part(&mut out, "Program", &t.program);
    }
    if !t.tool_calls.is_empty() {
        out.push_str("Tool calls:\n");
        t.tool_calls.iter().for_each(|c| call(&mut out, c));
    }
    if !t.printed.is_empty() {
        part(&mut out, "Printed", &t.printed.concat());
    }
    if !t.definitions.is_empty() {
        out.push_str("Definitions:\n");
        t.definitions.iter().for_each(|d| definition(&mut out, d));
    }
    t.notes.iter().for_each(|n| note(&mut out, n));
    for m in &t.missed_keys {
        let _ = writeln!(out, "Missed key: {} (a map has {})", escape::line(&m.key), escape::line(&m.near));
    }
    if let Some(v) = &t.value {
        part(&mut out, "Value", v);
    }
    if let Some(e) = &t.error {
        let place = match (e.line, e.column) {
            (Some(l), Some(c)) => format!(" at line {l}, column {c}"),
            _ => String::new(),
        };
        let _ = writeln!(out, "Error: {}: {}{place}", e.kind.as_str(), escape::line(&e.message));
        if let Some(hint) = &e.hint {
            let _ = writeln!(out, "  hint: {}", escape::line(hint));
        }
        if !e.calls.is_empty() {
            let _ = writeln!(out, "  in: {}", escape::line(&e.calls.join(", ")));
        }
    }
    part(&mut out, "Feedback", &t.feedback);
    let u = &t.usage;
    let _ = write!(
        out,
        "Used: fuel {}, memory {} bytes, cpu {} ms, wall {} ms",
        u.fuel, u.memory_bytes, u.cpu_ms, u.wall_ms
    );
    if let Some(model) = &u.model {
        let n = |t: Option<u64>| t.map_or_else(|| "?".to_owned(), |t| t.to_string());
        let _ = write!(
            out,
            "; {}: {} tokens in, {} out, {} cached",
            escape::line(model),
            n(u.input_tokens),
            n(u.output_tokens),
            n(u.cached_tokens)
        );
        if let Some(retries) = u.retries {
            let _ = write!(out, ", asked again {retries} times");
        }
    }
    let _ = writeln!(out, "; time {}, seed {}", t.time, t.seed);
    out
}

/// A text of one line beside its title, one of several below it.
fn part(out: &mut String, title: &str, text: &str) {
    let body = indented(text, "  ");
    if body.lines().count() == 1 {
        let _ = writeln!(out, "{title}: {}", body.trim());
    } else {
        let _ = write!(out, "{title}:\n{body}");
    }
}

fn call(out: &mut String, c: &Call) {
    let answer = match (&c.result, &c.error) {
        (Some(r), _) => format!("-> {}", escape::line(r.text())),
        (None, Some(e)) if c.denied() => format!("denied, not made: {}", escape::line(e)),
        (None, Some(e)) => format!("failed: {}", escape::line(e)),
        (None, None) => "-> null".to_owned(),
    };
    let with = c.together.map_or_else(String::new, |first| format!(", together from call {first} on"));
    let decided = decisions::words(c).map_or_else(String::new, |words| format!(", {words}"));
    let (name, args) = (escape::line(&c.name), escape::line(c.args.text()));
    let _ = writeln!(out, "  {}. {name} {args} {answer} ({} ms{with}{decided})", c.id, c.ms);
}

/// A call of a turn that has not ended, or of an act that has not begun.
fn begun_call(out: &mut String, k: &JournalCall) {
    let Some(words) = state(&k.state) else { return call(out, &begun::call(k)) };
    let (name, args) = (escape::line(&k.request.name), escape::line(k.request.args.text()));
    let decided = decisions::words(&begun::call(k)).map_or_else(String::new, |by| format!(" ({by})"));
    let _ = writeln!(out, "  {}. {name} {args} {words}{decided}", k.request.id);
}

fn definition(out: &mut String, d: &Defined) {
    let _ = write!(out, "  {}", escape::line(&d.name));
    if let Some(p) = &d.params {
        let _ = write!(out, " {}", escape::line(p));
    }
    if let Some(doc) = &d.doc {
        let _ = write!(out, " - {}", escape::quoted(doc));
    }
    if let Some(t) = &d.type_word {
        let _ = write!(out, " = {t}");
    }
    if let Some(s) = &d.sample {
        let _ = write!(out, ", sample: {}", escape::line(s));
    }
    if d.replaced {
        out.push_str(" (replaced)");
    }
    out.push_str(if d.rolled_back { " (rolled back)\n" } else { "\n" });
}

fn note(out: &mut String, n: &Note) {
    let name = n.name.as_deref().map_or_else(String::new, |name| format!(" {}", escape::line(name)));
    match &n.text {
        Some(text) => part(out, &format!("Note{name}"), text),
        None => {
            let _ = writeln!(out, "Note{name} (taken back)");
        }
    }
}
