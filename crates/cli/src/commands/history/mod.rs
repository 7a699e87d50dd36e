//! `ptc history`: what policies would show of recorded conversations, and what that would cost.

mod read;
mod table;

use crate::args::{HistoryArgs, HistoryCommand, ReportArgs, ViewArgs};
use crate::exit_code::DONE;
use crate::terminal::io::{CliError, Io};
use crate::traces::counter;
use ptc_agent::error_text;
use ptc_agent::task::options;
use ptc_agent::{Error, ErrorKind};
use ptc_history::policy::{Policy, Prices, Strategy};
use ptc_history::{Format, ViewContext, export, render, report, view, why};
use serde_json::{Map, json};
use std::path::Path;

/// Runs the command.
pub fn history(a: &HistoryArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    match &a.command {
        HistoryCommand::Report(a) => report(a, io),
        HistoryCommand::View(a) => view_one(a, io),
    }
}

/// The policies that are always compared: every strategy that needs no numbers of its own.
fn strategies() -> impl Iterator<Item = (String, Policy)> {
    let all = Strategy::ALL.into_iter().filter(|s| *s != Strategy::FromTimestamp);
    all.map(|s| (s.name().to_owned(), Policy::with(s)))
}

fn report(a: &ReportArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    // What cannot be read is reported and left out: the sums say of how many they are.
    let recorded = read::readable(&a.file, io)?.into_iter().map(|r| r.conversation);
    let conversations: Vec<_> = recorded.filter(|c| c.len() >= a.min_messages).collect();
    if conversations.is_empty() {
        let few = Error::new(ErrorKind::Usage, format!("no conversation of {} messages or more", a.min_messages))
            .at(&a.file.display().to_string());
        return Err(few.into());
    }
    let mut policies: Vec<(String, Policy)> = strategies().collect();
    for file in &a.policy {
        let name = file.file_stem().map_or_else(|| "policy".into(), |s| s.to_string_lossy().into_owned());
        policies.retain(|(n, _)| *n != name);
        policies.push((name, options::history_file(file)?));
    }
    let counter = counter(&a.model)?;
    let with = ViewContext { counter: Some(&counter), ..ViewContext::default() };
    let prices = Prices { input: a.price_input, cached: a.price_cached };
    let mut rows = Vec::new();
    for (name, policy) in policies {
        let row = report::row(&conversations, &policy, prices, &with)
            .map_err(|e| Error::new(ErrorKind::Usage, e.to_string()))?;
        rows.push((name, row));
    }
    if a.json {
        let table: Map<String, serde_json::Value> = rows.iter().map(|(n, r)| (n.clone(), json!(r))).collect();
        let counted = json!({ "model": a.model, "source": counter.profile().id });
        let all = json!({ "conversations": conversations.len(), "tokens": counted, "policies": table });
        writeln!(io.out, "{all}")?;
    } else {
        let messages: usize = conversations.iter().map(ptc_history::Conversation::len).sum();
        let title = format!(
            "{} conversations, {messages} messages, {} requests; tokens as {} counts them ({})",
            conversations.len(),
            rows.first().map_or(0, |(_, r)| r.requests),
            a.model,
            counter.profile().id
        );
        io.out.write_all(table::text(&title, &rows).as_bytes())?;
    }
    Ok(DONE)
}

fn view_one(a: &ViewArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let mut ids = Vec::new();
    let mut found = None;
    for r in read::readable(&a.file, io)? {
        if a.id.as_ref().is_none_or(|id| *id == r.id) {
            found = Some(r);
            break;
        }
        ids.push(r.id);
    }
    let Some(recorded) = found else {
        let wanted = a.id.clone().unwrap_or_default();
        let list: Vec<&str> = ids.iter().take(5).map(String::as_str).collect();
        let more = if ids.len() > 5 { ", ..." } else { "" };
        let words = error_text!("no conversation {wanted:?}"; "there are {}{more}", list.join(", "));
        return Err(Error::new(ErrorKind::Usage, words).at(&a.file.display().to_string()).into());
    };
    let whole = recorded.conversation;
    if let Some(k) = a.at.filter(|k| *k > whole.len()) {
        let words = format!("--at {k}: the conversation has {} messages", whole.len());
        return Err(Error::new(ErrorKind::Usage, words).into());
    }
    let conversation = whole.up_to(a.at.unwrap_or(whole.len()));
    let counter = counter(&a.model)?;
    let with = ViewContext {
        counter: Some(&counter),
        now: conversation.messages().filter_map(|m| m.at()).max(),
        ..ViewContext::default()
    };
    let render = |file: &Path| -> Result<_, CliError> {
        let policy = options::history_file(file)?;
        Ok(view(&conversation, &policy, &with).map_err(|e| Error::new(ErrorKind::Usage, e))?)
    };
    let shown = match &a.policy {
        Some(file) => render(file)?,
        None => {
            view(&conversation, &Policy::with(Strategy::Auto), &with).map_err(|e| Error::new(ErrorKind::Usage, e))?
        }
    };
    for e in shown.events.iter().filter(|e| e.level == ptc_history::view::Level::Warn) {
        io.warn(&e.text);
    }
    if let Some(other) = &a.diff {
        let other = render(other)?;
        let changes = shown.diff(&other);
        // As other tools that compare: nothing where nothing differs.
        if changes.iter().any(|c| !matches!(c, why::Change::Kept(..))) {
            io.out.write_all(why::diff_text(&changes).as_bytes())?;
        }
    } else if let Some(format) = &a.format {
        let format: Format =
            format.parse().map_err(|e: ptc_history::FormatError| Error::new(ErrorKind::Usage, e.to_string()))?;
        let body = export(&shown.messages(), format).map_err(|e| Error::new(ErrorKind::Usage, e.to_string()))?;
        writeln!(io.out, "{body}")?;
    } else if a.why {
        io.out.write_all(why::text(&shown).as_bytes())?;
    } else if a.json {
        writeln!(io.out, "{}", render::json(&shown.messages()))?;
    } else {
        io.out.write_all(render::text(&shown.messages()).as_bytes())?;
    }
    if let Some(t) = shown.tokens {
        let _ = writeln!(
            io.err,
            "{} of {} messages, {} of {} tokens",
            shown.shown.len(),
            conversation.len(),
            t.after,
            t.before
        );
    }
    Ok(DONE)
}
