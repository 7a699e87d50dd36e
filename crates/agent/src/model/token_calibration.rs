//! What providers reported of requests' tokens, kept beside the trace: the next estimate is nearer.

use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::model::CountedAs;
use ptc_history::tokens::{Calibration, MessageCounter, Profiles, Schema};
use ptc_history::wire::usage::Usage;
use ptc_history::{Message, ViewContext};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The version that is written; another is refused.
const VERSION: u32 = 1;

/// Token counts of the models that a session has used, as providers reported them, and the counter of the one that
/// answers now.
#[derive(Debug, Default)]
pub struct TokenCalibration {
    all: BTreeMap<String, Calibration>,
    file: Option<PathBuf>,
    counter: Option<MessageCounter>,
    key: String,
    problem: Option<Error>,
}

#[derive(Serialize, Deserialize)]
struct Stored<T> {
    ptc_ledgers: u32,
    models: BTreeMap<String, T>,
}

impl TokenCalibration {
    /// The file beside a trace: `run.jsonl` has `run.jsonl.tokens.json`.
    pub fn beside(trace: &Path) -> PathBuf {
        let mut name = trace.as_os_str().to_owned();
        name.push(".tokens.json");
        PathBuf::from(name)
    }

    /// What is kept in this file, which need not be there yet.
    ///
    /// # Errors
    /// When there is one that cannot be read. [`TokenCalibration::fresh`] begins anew in its place.
    pub fn open(file: &Path) -> Result<Self, Error> {
        let mut out = Self::fresh(file);
        if file.exists() {
            let text = crate::files::read_text(file)?;
            let wrong = |e: String| {
                let lost = "what it holds of how models count tokens is lost, and learned anew";
                Error::new(ErrorKind::Setting, error_text!("{e}"; "remove this file, {lost}"))
                    .at(&file.display().to_string())
            };
            let stored: Stored<serde_json::Value> = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
            if stored.ptc_ledgers != VERSION {
                return Err(wrong(format!("it says version {}, not {VERSION}", stored.ptc_ledgers)));
            }
            for (model, ledger) in stored.models {
                let ledger = Calibration::from_json(&ledger.to_string()).map_err(|e| wrong(e.to_string()))?;
                out.all.insert(model, ledger);
            }
        }
        Ok(out)
    }

    /// Empty ones, to be kept in this file.
    pub fn fresh(file: &Path) -> Self {
        TokenCalibration { file: Some(file.to_owned()), ..TokenCalibration::default() }
    }

    /// From now on this model answers, and its tokens are counted.
    pub(crate) fn count_as(&mut self, model: &CountedAs) {
        let profile = Profiles::built_in().find(&model.provider, model.api, &model.model);
        self.counter = MessageCounter::new(profile, &[], &Schema::None).ok();
        let api = serde_json::to_value(model.api).ok();
        let api = api.as_ref().and_then(|a| a.as_str()).unwrap_or_default();
        self.key = format!("{}/{api}/{}", model.provider, model.model);
    }

    /// The calibration of the model that answers now, if it has reported anything.
    pub fn current(&self) -> Option<&Calibration> {
        self.all.get(&self.key)
    }

    /// How its tokens are counted, with all that was learned.
    pub fn counter(&self) -> Option<MessageCounter> {
        let counter = self.counter.as_ref()?;
        Some(self.current().map_or_else(|| counter.clone(), |l| l.counter(counter)))
    }

    /// Takes in what was reported for a request, and writes it down.
    pub(crate) fn report(&mut self, messages: &[Message], input_tokens: u64) {
        let Some(counter) = &self.counter else { return };
        let ledger = self.all.entry(self.key.clone()).or_insert_with(|| Calibration::new(counter));
        if ledger.profile() != counter.profile().id {
            *ledger = Calibration::new(counter);
        }
        ledger.report(counter, messages, false, Usage { input: input_tokens, ..Usage::default() });
        let Some(file) = &self.file else { return };
        let stored = Stored { ptc_ledgers: VERSION, models: self.all.iter().map(|(k, l)| (k.clone(), l)).collect() };
        let text = serde_json::to_string(&stored).unwrap_or_default() + "\n";
        // Beside it first: a file that is half written could not be read.
        let half = file.with_extension("json.part");
        let written = std::fs::write(&half, text).and_then(|()| std::fs::rename(&half, file));
        self.problem = written.err().map(|e| Error::io(file, "write", &e));
    }

    /// Why the last report is not in the file, if it is not. Nothing else is lost by it.
    pub fn problem(&self) -> Option<&Error> {
        self.problem.as_ref()
    }

    /// The view's `with` under this counter.
    pub(crate) fn with(counter: Option<&MessageCounter>) -> ViewContext<'_> {
        ViewContext { counter: counter.map(|c| c as &dyn ptc_history::view::TokenCounter), ..ViewContext::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_history::tokens::Api;

    fn model(name: &str) -> CountedAs {
        CountedAs { provider: "anthropic".into(), api: Api::Anthropic, model: name.into() }
    }

    #[test]
    fn reports_are_learned_kept_and_read_again() {
        let file = std::env::temp_dir().join(format!("ptc-ledgers-{}.jsonl", std::process::id()));
        let file = TokenCalibration::beside(&file);
        let _ = std::fs::remove_file(&file);
        let mut ledgers = TokenCalibration::open(&file).unwrap();
        assert!(ledgers.counter().is_none() && ledgers.current().is_none());
        ledgers.count_as(&model("claude-sonnet-4-5"));
        let before = ledgers.counter().unwrap();
        assert_eq!(before.profile().id, "claude-4.5");
        let mut talk = vec![Message::system("Rules. ".repeat(50)), Message::user("Words and words. ".repeat(40))];
        for i in 0..6 {
            let tokens: u64 = before.frame() + talk.iter().map(|m| before.message(m)).sum::<u64>();
            ledgers.report(&talk, tokens * 13 / 10);
            talk.push(Message::user(format!("More words, number {i}. ").repeat(30)));
        }
        assert_eq!(ledgers.problem(), None);
        let (learned, _) = ledgers.current().unwrap().seen();
        assert_eq!(learned, 6);
        let last = talk.last().unwrap();
        assert!(ledgers.counter().unwrap().message(last) > before.message(last));
        let mut again = TokenCalibration::open(&file).unwrap();
        again.count_as(&model("claude-sonnet-4-5"));
        assert_eq!(again.current(), ledgers.current());
        assert_eq!(again.counter().unwrap().id(), ledgers.counter().unwrap().id());
        // Another model has a calibration of its own, in the same file.
        again.count_as(&model("claude-3-opus"));
        assert!(again.current().is_none());
        std::fs::write(&file, "{\"ptc_ledgers\":9,\"models\":{}}").unwrap();
        let words = format!(
            "{}: it says version 9, not 1; remove this file, what it holds of how models count tokens is lost, and learned anew",
            file.display()
        );
        assert_eq!(TokenCalibration::open(&file).unwrap_err().to_string(), words);
        std::fs::remove_file(&file).unwrap();
    }
}
