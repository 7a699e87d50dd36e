//! `ptc history`: what policies would show of recorded conversations, and what that would cost.

mod read;
mod table;

use crate::args::{HistoryArgs, HistoryCommand, ReportArgs, ViewArgs};
use crate::exit_code::DONE;
use crate::terminal::io::{CliError, Io};
use ptc_agent::error_text;
use ptc_agent::task::options;
use ptc_agent::{Error, ErrorKind};
use ptc_history::policy::{Policy, Prices, Strategy};
use ptc_history::tokens::MessageCounter;
use ptc_history::view::{Event, Level, TokenCounter};
use ptc_history::{Format, ViewContext, export, render, report, view, why};
use read::RecordedConversation;
use serde_json::{Map, json};
use std::path::Path;

/// Runs the command.
pub fn history(a: &HistoryArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    match &a.command {
        HistoryCommand::Report(a) => report(a, io),
        HistoryCommand::View(a) => view_one(a, io),
    }
}

/// The rows that are always there: full history as it was recorded, then every strategy that needs no numbers of its own.
fn strategies() -> impl Iterator<Item = (String, Option<Policy>)> {
    let all = Strategy::ALL.into_iter().filter(|s| *s != Strategy::FromTimestamp);
    all.map(|s| (s.name().to_owned(), (s != Strategy::None).then(|| Policy::with(s))))
}

fn report(a: &ReportArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    // What cannot be read is reported and left out: the sums say of how many they are.
    let mut recorded = read::readable(&a.file, io)?;
    recorded.retain(|r| r.conversation.len() >= a.min_messages);
    if recorded.is_empty() {
        let few = Error::new(ErrorKind::Usage, format!("no conversation of {} messages or more", a.min_messages))
            .at(&a.file.display().to_string());
        return Err(few.into());
    }
    let mut policies: Vec<(String, Option<Policy>)> = strategies().collect();
    for file in &a.policy {
        let name = file.file_stem().map_or_else(|| "policy".into(), |s| s.to_string_lossy().into_owned());
        policies.retain(|(n, _)| *n != name);
        policies.push((name, Some(options::history_file(file)?)));
    }
    let counters: Vec<MessageCounter> =
        recorded.iter_mut().map(|r| r.counter(a.model.as_deref())).collect::<Result<_, _>>()?;
    warn_of_left_out(&recorded, io);
    let counted: Vec<report::Counted<'_>> =
        recorded.iter().zip(&counters).map(|(r, c)| (&r.conversation, c as &dyn TokenCounter)).collect();
    let prices = Prices { input: a.price_input, cached: a.price_cached };
    let mut rows = Vec::new();
    for (name, policy) in policies {
        let row = report::row_of(&counted, policy.as_ref(), prices, &ViewContext::default())
            .map_err(|e| Error::new(ErrorKind::Usage, e.to_string()))?;
        rows.push((name, row));
    }
    // By which models tokens are counted, in the order of the file.
    let mut models: Vec<(String, &str, usize)> = Vec::new();
    for (model, counter) in recorded.iter().map(RecordedConversation::model).zip(&counters) {
        let source = counter.profile().id.as_str();
        match models.iter_mut().find(|m| m.0 == model && m.1 == source) {
            Some((.., count)) => *count = count.saturating_add(1),
            None => models.push((model, source, 1)),
        }
    }
    if a.json {
        let table: Map<String, serde_json::Value> = rows.iter().map(|(n, r)| (n.clone(), json!(r))).collect();
        let tokens: Vec<_> = models
            .iter()
            .map(|(model, source, count)| json!({ "model": model, "source": source, "conversations": count }))
            .collect();
        // Where one model counts all, as before there could be several.
        let only = match models.as_slice() {
            [(model, source, _)] => json!({ "model": model, "source": source }),
            _ => serde_json::Value::Null,
        };
        let all = json!({ "conversations": recorded.len(), "tokens": only, "models": tokens, "policies": table });
        writeln!(io.out, "{all}")?;
    } else {
        let messages: usize = recorded.iter().map(|r| r.conversation.len()).sum();
        let counts: Vec<String> = match models.as_slice() {
            [(model, source, _)] => vec![format!("{model} counts them ({source})")],
            all => all.iter().map(|(m, source, n)| format!("{m} counts those of {n} ({source})")).collect(),
        };
        let title = format!(
            "{} conversations, {messages} messages, {} requests; tokens as {}",
            recorded.len(),
            rows.first().map_or(0, |(_, r)| r.requests),
            counts.join(", "),
        );
        io.out.write_all(table::text(&title, &rows).as_bytes())?;
    }
    Ok(DONE)
}

/// Warns of what every policy leaves out of a conversation, as a view of it would.
fn warn_of_left_out(recorded: &[RecordedConversation], io: &mut Io<'_>) {
    let whole = |r: &RecordedConversation| view(&r.conversation, &Policy::default(), &ViewContext::default());
    let events = recorded.iter().filter_map(|r| whole(r).ok().map(|v| (&r.id, v.events)));
    let warnings = events.flat_map(|(id, all)| all.into_iter().filter(is_warning).map(move |e| (id, e)));
    let mut texts: Vec<String> = warnings.map(|(id, e)| format!("conversation {id}: {}", e.text)).collect();
    let more = texts.len().saturating_sub(read::MAX_WARNINGS);
    texts.truncate(read::MAX_WARNINGS);
    texts.iter().for_each(|text| io.warn(text));
    if more > 0 {
        io.warn(&format!("{more} more; ptc history view FILE --id ID shows them"));
    }
}

fn is_warning(e: &Event) -> bool {
    e.level == Level::Warn
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
    let Some(mut recorded) = found else {
        let wanted = a.id.clone().unwrap_or_default();
        let list: Vec<&str> = ids.iter().take(5).map(String::as_str).collect();
        let more = if ids.len() > 5 { ", ..." } else { "" };
        let words = error_text!("no conversation {wanted:?}"; "there are {}{more}", list.join(", "));
        return Err(Error::new(ErrorKind::Usage, words).at(&a.file.display().to_string()).into());
    };
    let counter = recorded.counter(a.model.as_deref())?;
    let whole = recorded.conversation;
    if let Some(k) = a.at.filter(|k| *k > whole.len()) {
        let words = format!("--at {k}: the conversation has {} messages", whole.len());
        return Err(Error::new(ErrorKind::Usage, words).into());
    }
    let conversation = whole.up_to(a.at.unwrap_or(whole.len()));
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
    for e in shown.events.iter().filter(|e| is_warning(e)) {
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
