//! Answers to a message of nREPL, under its ids.

use super::bencode::{Dict, dict};
use super::client::Client;
use crate::commands::repl::show::report;
use crate::terminal::progress::missed_keys;
use ptc_turns::TurnRecord;
use std::sync::Arc;

/// Where the answers to a message go.
pub struct Answer {
    /// `id` and `session` of the message.
    pub ids: Dict,
    /// Who asked.
    pub client: Arc<Client>,
}

impl Answer {
    /// Sends an answer, with the ids of the message.
    pub fn send(&self, mut message: Dict) {
        message.extend(self.ids.clone());
        self.client.send(message);
    }

    /// Sends the last answer.
    pub fn end(&self, status: &[&str]) {
        self.send(dict([("status", status.to_vec().into())]));
    }

    /// Says that a message asked for nothing that can be done.
    pub fn refused(&self, words: &str, status: &str) {
        self.send(dict([("err", format!("{words}\n").into())]));
        self.end(&["error", status, "done"]);
    }

    /// Says that an input failed.
    pub fn failed(&self, report: &str, kind: &str) {
        self.send(dict([("err", format!("{report}\n").into())]));
        self.send(dict([("ex", kind.into()), ("root-ex", kind.into()), ("status", vec!["eval-error"].into())]));
        self.end(&["done"]);
    }

    /// Says how a turn ended.
    pub fn ran(&self, record: &TurnRecord) {
        if record.status.committed() {
            for hint in missed_keys(record) {
                self.send(dict([("err", format!("{hint}\n").into())]));
            }
            let value = record.value.as_deref().unwrap_or("nil");
            self.send(dict([("ns", "user".into()), ("value", value.into())]));
            return self.end(&["done"]);
        }
        let kind = record.error.as_ref().map_or("failed", |e| e.kind.as_str());
        self.failed(&report(record), kind);
    }

    /// Says that a session of this id was opened, or why not.
    pub fn opened(&self, opened: Result<String, String>) {
        match opened {
            Ok(id) => {
                self.send(dict([("new-session", id.into()), ("status", vec!["done"].into())]));
            }
            Err(words) => self.refused(&words, "no-session"),
        }
    }
}
