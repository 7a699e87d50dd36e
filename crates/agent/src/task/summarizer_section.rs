//! `[summarizer]`: the model that writes summaries for policies that want them of one.

use super::folder::Folder;
use super::model_section::parse as parse_model;
use super::spec::Task;
use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::model::provider::{Environment, ProviderModel};
use crate::model::summaries::Summaries;
use crate::run_context::RunContext;
use crate::toml_section::Section;
use ptc_history::policy::{RetentionSummary, Strategy};

/// `model` of `[summarizer]`; recorded summaries are a file of `folder`.
pub(super) fn parse(root: &Section<'_>, folder: &Folder) -> Result<Option<String>, Error> {
    let Some(section) = root.section("summarizer")? else { return Ok(None) };
    section.only(&["model"], &[])?;
    section.needed("model", "\"openai/gpt-5.1-mini\"")?;
    parse_model(&section, folder)
}

impl Task {
    /// Whether its policy wants summaries of a model.
    fn wants_summaries(&self) -> bool {
        let h = &self.policy.history;
        let summed_up = match h.strategy {
            Strategy::WholeHistory
            | Strategy::LastNMessages
            | Strategy::Chunked
            | Strategy::FromTimestamp
            | Strategy::WholeHistoryMultipleSystemMessages
            | Strategy::StickySummary => true,
            Strategy::SlidingWindow => h.summarize_removed,
            Strategy::None | Strategy::Batch | Strategy::ClearToolResults | Strategy::Auto => false,
        };
        let semantic = h.retention && h.retention_summary == RetentionSummary::Semantic && !self.acts.is_empty();
        (h.model_summaries && summed_up) || semantic
    }

    /// Whether summaries are asked of a model, by its policy or by that of a subtask that takes its `[summarizer]` over.
    fn asks_for_summaries(&self) -> bool {
        let inside = |task: &Task| {
            let mut inner = task.clone();
            task.summarizer.is_none() && inner.inherit(self).is_ok() && inner.asks_for_summaries()
        };
        self.wants_summaries() || self.inside().any(inside)
    }

    /// A warning where `[summarizer]` names a model that nothing asks.
    pub fn unasked_summarizer(&self) -> Option<String> {
        let idle = self.summarizer.is_some() && !self.asks_for_summaries();
        idle.then(|| {
            "[summarizer] names a model that is never asked; write model_summaries = true with a strategy that sums up, or \
             retention_summary = \"semantic\", into [history], or take [summarizer] out"
                .to_owned()
        })
    }

    /// Who writes the summaries of a session of this task: the model of `[summarizer]`, or the task's own; `None` where
    /// its policy wants none of a model. They are kept beside the trace of `around`.
    ///
    /// # Errors
    /// When there is no such model, its key is missing, or what is kept cannot be read.
    pub fn summaries(&self, around: &RunContext) -> Result<Option<Summaries>, Error> {
        let Some(summaries) = self.open_summaries(around, &around.environment)? else { return Ok(None) };
        if let Some(trace) = &around.trace {
            summaries.keep_in(&Summaries::beside(trace))?;
        }
        Ok(Some(summaries))
    }

    /// Whether they can be had: what is wrong is reported before a turn has cost anything.
    pub(super) fn check_summaries(&self, environment: &Environment) -> Result<(), Error> {
        self.open_summaries(&RunContext::default(), environment).map(drop)
    }

    fn open_summaries(&self, around: &RunContext, environment: &Environment) -> Result<Option<Summaries>, Error> {
        if !self.wants_summaries() {
            return Ok(None);
        }
        let Some(name) = self.summarizer.as_ref().or(self.model.as_ref()) else {
            let hint = "write model = \"openai/gpt-5.1-mini\" into [summarizer]";
            return Err(Error::new(
                ErrorKind::Summary,
                error_text!("the task {} names no model for its summaries", self.name; "{hint}"),
            ));
        };
        let opened = match name.strip_prefix("replay:") {
            Some(file) => self.replies(file).and_then(|path| Summaries::recorded(&Summaries::beside(&path))),
            None => {
                let retry = self.asked.retry.clone();
                let model = name.parse().and_then(|n| ProviderModel::new(n, environment, retry));
                let most = self.asked.most_answer_bytes();
                model.map(|m| Summaries::by(Box::new(m.with_answer_bytes(most)), around.cancel.clone()))
            }
        };
        opened.map(Some).map_err(|p| p.at("summaries"))
    }
}
