//! Inputs summarised by a model: optional, cached by content; a failure never fails the view.

use super::summary_line::{line, title};
use crate::conversation::message::Part;
use crate::view::context::ViewContext;
use crate::view::summarizer::{self, SummaryError};
use crate::view::types::Event;

/// Handles that a warning names.
const MAX_NAMED_HANDLES: usize = 4;

/// Asks for the summaries of one view.
pub(super) struct InputSummarizer<'a> {
    view_context: &'a ViewContext<'a>,
    tokens: u64,
    /// The error that made the model unavailable: it is not asked again for this view, cached summaries are still used.
    out_of_reach: Option<SummaryError>,
    /// Inputs that are shown by rule instead.
    fallen: Vec<String>,
    reason: Option<String>,
}

impl<'a> InputSummarizer<'a> {
    /// For a view with these, summaries of at most `tokens`.
    pub fn new(view_context: &'a ViewContext<'a>, tokens: u64) -> Self {
        InputSummarizer { view_context, tokens, out_of_reach: None, fallen: Vec::new(), reason: None }
    }

    /// The input's line and its summary below it; `None` where there is none that is shorter than the input.
    pub fn summary(&mut self, part: &Part, text: &str, handle: &str) -> Option<String> {
        let source = summarizer::quote_input(&format!("input ({})", title(part)), text);
        let find = || match (&self.out_of_reach, self.view_context.summarizer) {
            (Some(error), _) => Err(error.clone()),
            (None, Some(model)) => Ok(model),
            (None, None) => Err(SummaryError::Failed("no summarizer is handed in".to_owned())),
        };
        let made =
            summarizer::summary(self.view_context.summary_cache, &source, self.tokens, find).and_then(|summary| {
                let words = format!("{}\n{summary}", line(part, text, Some(handle)));
                let (before, after) = (text.len(), words.len());
                if after < before { Ok(words) } else { Err(SummaryError::NoProgress { before, after }) }
            });
        match made {
            Ok(words) => Some(words),
            Err(error) => {
                self.fallen.push(handle.to_owned());
                self.reason.get_or_insert_with(|| error.reason());
                if matches!(error, SummaryError::Failed(_)) {
                    self.out_of_reach = Some(error);
                }
                None
            }
        }
    }

    /// The warning, if anything failed (D8).
    pub fn event(&self) -> Option<Event> {
        let reason = self.reason.as_ref()?;
        let mut names: Vec<String> = self.fallen.iter().take(MAX_NAMED_HANDLES).cloned().collect();
        let more = self.fallen.len().saturating_sub(names.len());
        if more > 0 {
            names.push(format!("{more} more"));
        }
        let s = if self.fallen.len() == 1 { " is" } else { "s are" };
        Some(Event::warn(format!(
            "retention_summary \"semantic\": {reason}; input{s} shown by rule, as \"smart\" shows: {}",
            names.join(", ")
        )))
    }
}
