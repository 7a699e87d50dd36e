//! `(source f)`: the text of a definition of the session or its libraries.

use ptc_lisp::analyze::documentation;
use ptc_lisp::analyze::forms;
use ptc_lisp::escape;
use ptc_lisp::form::{Form, Kind};
use ptc_lisp::read::read;
use ptc_lisp::suggest::did_you_mean;
use ptc_turns::Session;

/// Where names are bound.
const DEFINING: [&str; 5] = ["def", "defn", "defn-", "defonce", "declare"];

/// The text that defined a name last.
///
/// # Errors
/// In words, when the session has no definition of it.
pub fn source(session: &Session, name: &str) -> Result<String, String> {
    if session.memory().get(name).is_some() {
        for turn in session.trace().turns().iter().rev() {
            if turn.status.committed() && turn.definitions.iter().any(|d| d.name == name) {
                let forms = read(&turn.program, &session.trace().header.limits).unwrap_or_default();
                let found = last_definition(&forms, name);
                let text = found.and_then(|f| turn.program.get(f.span.start as usize..f.span.end as usize));
                // What defined it in another way is somewhere in the whole program.
                return Ok(text.unwrap_or(&turn.program).trim_end().to_owned());
            }
        }
    }
    if let Some(program) = of_library(session, name) {
        return Ok(program);
    }
    let shown = escape::line(name);
    if documentation::function(name).is_some() || forms::find(name).is_some() {
        return Err(format!("{shown} is part of the language and has no program; (doc {shown}) tells what it does"));
    }
    if let Some(tool) = name.strip_prefix("tool/").filter(|t| session.tools().iter().any(|s| s.name == *t)) {
        let tool = escape::line(tool);
        return Err(format!("tool/{tool} is a tool and has no program here; (doc tool/{tool}) tells what it does"));
    }
    let known = session.memory().bindings().map(|b| &*b.name);
    Err(match did_you_mean(name, known) {
        Some(near) => format!("there is no definition of {shown} here; did you mean {near}?"),
        None => format!("there is no definition of {shown} here"),
    })
}

/// The text that defines a name of a library, `stats/mean`.
fn of_library(session: &Session, name: &str) -> Option<String> {
    let header = &session.trace().header;
    let (library, own) = name.split_once('/')?;
    let text = &header.libraries.iter().find(|l| l.name == library)?.text;
    let forms = read(text, &header.limits).ok()?;
    let span = last_definition(&forms, own)?.span;
    text.get(span.start as usize..span.end as usize).map(str::to_owned)
}

/// The last form that defines a name, wherever it stands.
fn last_definition<'f>(top: &'f [Form], name: &str) -> Option<&'f Form> {
    let mut work: Vec<&Form> = top.iter().collect();
    let mut found: Option<&Form> = None;
    while let Some(form) = work.pop() {
        match &form.kind {
            Kind::List(items) => {
                let defines = items.first().and_then(Form::as_plain).is_some_and(|f| DEFINING.contains(&f))
                    && items.get(1).is_some_and(|f| plain(f) == Some(name));
                if defines && found.is_none_or(|f| f.span.start < form.span.start) {
                    found = Some(form);
                }
                work.extend(items);
            }
            Kind::Vector(items) | Kind::Set(items) | Kind::Lambda(items) => work.extend(items),
            Kind::Map(entries) => work.extend(entries.iter().flat_map(|(k, v)| [k, v])),
            Kind::Deref(inner) | Kind::Meta(_, inner) => work.push(inner),
            _ => {}
        }
    }
    found
}

/// A name, with metadata or without.
fn plain(form: &Form) -> Option<&str> {
    match &form.kind {
        Kind::Meta(_, inner) => plain(inner),
        _ => form.as_plain(),
    }
}
