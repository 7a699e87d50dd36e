//! What a message asks for, and its answer.

use super::answer::Answer;
use super::bencode::{Bencode, Dict, dict};
use super::client::Client;
use super::server::Server;
use super::worker::{Asked, Interrupted, Job, Refused, SessionEntry};
use crate::commands::repl::names::{Name, NameKind, Names};
use crate::commands::repl::session::ReplSession;
use std::sync::Arc;

/// What can be asked for.
const OPS: [&str; 13] = [
    "clone",
    "close",
    "complete",
    "completions",
    "describe",
    "eldoc",
    "eval",
    "info",
    "interrupt",
    "load-file",
    "lookup",
    "ls-sessions",
    "stdin",
];
/// Names that are offered at once.
const OFFERED: usize = 500;

/// A text of a message.
fn text<'m>(message: &'m Dict, key: &str) -> Option<&'m str> {
    match message.get(key.as_bytes())? {
        Bencode::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
        _ => None,
    }
}

/// Answers a message, or has a session answer it.
pub fn answer(server: &Arc<Server>, client: &Arc<Client>, message: &Dict) {
    let ids =
        ["id", "session"].iter().filter_map(|k| Some((k.as_bytes().to_vec(), message.get(k.as_bytes())?.clone())));
    let answer = Answer { ids: ids.collect(), client: client.clone() };
    let session = match text(message, "session") {
        Some(id) => match server.find(id) {
            Some(entry) => Some(entry),
            None => return answer.end(&["error", "unknown-session", "done"]),
        },
        None if message.contains_key(b"session".as_slice()) => {
            return answer.end(&["error", "unknown-session", "done"]);
        }
        None => None,
    };
    let op = text(message, "op").unwrap_or_default();
    match op {
        "clone" => match session {
            Some(entry) => {
                let (server, client) = (server.clone(), client.clone());
                let open = move |s: &ReplSession| server.open(Some(s), &client).map(|e| e.id().to_owned());
                ask(&entry, Job::Clone(Box::new(open)), answer);
            }
            None => answer.opened(server.open(None, client).map(|e| e.id().to_owned())),
        },
        "eval" | "load-file" => {
            let key = if op == "eval" { "code" } else { "file" };
            match text(message, key) {
                Some(code) => eval(server, session, code.to_owned(), answer),
                None => answer.refused(&format!("{op} needs {key}, as UTF-8 text"), &format!("no-{key}")),
            }
        }
        "describe" => describe(&answer),
        "ls-sessions" => {
            answer.send(dict([("sessions", server.ids().into()), ("status", vec!["done"].into())]));
        }
        // Programs read nothing: what is typed for them is taken and dropped.
        "stdin" => answer.end(&["done"]),
        "close" | "interrupt" => match session {
            None => answer.refused(&format!("{op} needs a session"), "no-session"),
            Some(entry) if op == "close" => {
                server.close(entry.id());
                answer.end(&["done", "session-closed"]);
            }
            Some(entry) => match entry.interrupt(message.get(b"interrupt-id".as_slice())) {
                Interrupted::Yes => answer.end(&["done"]),
                Interrupted::Idle => answer.end(&["done", "session-idle"]),
                Interrupted::Mismatch => answer.end(&["error", "interrupt-id-mismatch", "done"]),
            },
        },
        "complete" | "completions" | "lookup" | "info" | "eldoc" => {
            let names = match session {
                Some(entry) => entry.names(),
                None => server.names(),
            };
            of_names(op, &names, message, &answer);
        }
        _ => answer.end(&["error", "unknown-op", "done"]),
    }
}

fn ask(entry: &SessionEntry, job: Job, answer: Answer) {
    if let Err(Refused { asked, words }) = entry.ask(Asked { job, answer }) {
        asked.answer.refused(&words, "busy");
    }
}

/// Without a session a program runs in one that is there for it alone.
fn eval(server: &Arc<Server>, session: Option<Arc<SessionEntry>>, code: String, answer: Answer) {
    match session {
        Some(entry) => ask(&entry, Job::Eval(code), answer),
        None => match server.open_for_one(&answer.client) {
            Ok(entry) => {
                ask(&entry, Job::Eval(code), answer);
                entry.no_more();
            }
            Err(words) => answer.refused(&words, "no-session"),
        },
    }
}

fn describe(answer: &Answer) {
    let version = |text: &str| {
        let mut parts = text.split(['.', '-', '+', ' ']).map(|p| p.parse().unwrap_or(0));
        let mut next = || Bencode::Int(parts.next().unwrap_or(0));
        let (major, minor, incremental) = (next(), next(), next());
        Bencode::Dict(dict([
            ("incremental", incremental),
            ("major", major),
            ("minor", minor),
            ("version-string", text.into()),
        ]))
    };
    let ops: Dict = OPS.iter().map(|op| (op.as_bytes().to_vec(), Bencode::Dict(Dict::new()))).collect();
    let versions = dict([("nrepl", version("1.0.0")), ("ptc", version(env!("CARGO_PKG_VERSION")))]);
    answer.send(dict([
        ("aux", Dict::new().into()),
        ("ops", ops.into()),
        ("status", vec!["done"].into()),
        ("versions", versions.into()),
    ]));
}

/// What is asked of a name, or of the beginning of one.
fn of_names(op: &str, names: &Names, message: &Dict, answer: &Answer) {
    let asked = ["sym", "symbol", "prefix"].iter().find_map(|k| text(message, k)).unwrap_or_default();
    let name = names.get(asked);
    let done = || Bencode::from(vec!["done"]);
    match (op, name) {
        ("complete" | "completions", _) => {
            let one = |(candidate, name): (&str, &Name)| -> Bencode {
                dict([("candidate", candidate.into()), ("type", kind(name.kind).into())]).into()
            };
            let all: Vec<Bencode> = names.beginning(asked, OFFERED).map(one).collect();
            answer.send(dict([("completions", all.into()), ("status", done())]));
        }
        ("lookup", None) => answer.end(&["done", "lookup-error"]),
        ("info", None) => answer.end(&["done", "no-info"]),
        ("eldoc", Some(name)) if !name.arglists.is_empty() => {
            let list = |l: &String| -> Bencode {
                let words: Vec<&str> = l.trim_matches(['[', ']']).split(' ').filter(|w| !w.is_empty()).collect();
                words.into()
            };
            let lists: Vec<Bencode> = name.arglists.iter().map(list).collect();
            answer.send(dict([
                ("docstring", name.doc.as_str().into()),
                ("eldoc", lists.into()),
                ("name", asked.into()),
                ("ns", "user".into()),
                ("status", done()),
                ("type", "function".into()),
            ]));
        }
        ("eldoc", _) => answer.end(&["done", "no-eldoc"]),
        (_, Some(name)) => {
            let mut info = dict([
                ("arglists-str", name.arglists.join("\n").into()),
                ("doc", name.doc.as_str().into()),
                ("name", asked.into()),
                ("ns", "user".into()),
            ]);
            if op == "lookup" {
                info = dict([("info", info.into())]);
            }
            info.insert(b"status".to_vec(), done());
            answer.send(info);
        }
        (_, None) => answer.end(&["done"]),
    }
}

fn kind(kind: NameKind) -> &'static str {
    match kind {
        NameKind::Function | NameKind::Tool => "function",
        NameKind::Form => "macro",
        NameKind::Var => "var",
        NameKind::Keyword => "keyword",
    }
}
