//! Usage: the tokens that a provider reports for a request, in one form for all (part B, row "usage fields").

use crate::wire::format::Format;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Tokens of one request; `tokens::Calibration` learns from it. `input` is all that was read, cached or not: the number
/// that a budget limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// All input: what was read from the cache and what was written to it included.
    pub input: u64,
    /// Of the input, what came from the cache.
    pub cached: u64,
    /// Of the input, what was written to the cache.
    pub cache_write: u64,
    /// All output, reasoning included.
    pub output: u64,
    /// Of the output, the reasoning; 0 where the provider does not say.
    pub reasoning: u64,
}

/// Why a usage cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UsageError {
    /// There is none.
    #[error("no usage of {format}: expected {expected}; give the response, or its usage object")]
    Missing {
        /// The format that was expected.
        format: Format,
        /// The field that must be there.
        expected: &'static str,
    },
    /// A field that is no count.
    #[error("usage field {field} is {value}; expected a whole number of tokens")]
    NoCount {
        /// The field, as the provider calls it.
        field: String,
        /// What it is.
        value: String,
    },
}

impl Usage {
    /// Reads the usage of a response, or the usage object by itself.
    ///
    /// OpenAI and Gemini include cached tokens in the input; Anthropic and Bedrock report them separately, so there
    /// they are added. Gemini reports reasoning separately from the answer.
    ///
    /// # Errors
    /// [`UsageError`], when the object or its input count is missing, or a count is not one.
    pub fn read(format: Format, response: &Value) -> Result<Usage, UsageError> {
        let holder = if format == Format::Gemini { "usageMetadata" } else { "usage" };
        let at = Counts(response.get(holder).filter(|u| u.is_object()).unwrap_or(response));
        let expected = match format {
            Format::OpenAi => "prompt_tokens",
            Format::Responses | Format::Anthropic => "input_tokens",
            Format::Gemini => "promptTokenCount",
            Format::Bedrock => "inputTokens",
        };
        let read = match format {
            Format::OpenAi => at.first(&[&[expected], &["input_tokens"]])?,
            Format::Responses => at.first(&[&[expected], &["prompt_tokens"]])?,
            Format::Anthropic | Format::Gemini | Format::Bedrock => at.count(&[expected])?,
        };
        let Some(input) = read else { return Err(UsageError::Missing { format, expected }) };
        let or_none = |path: &[&str]| at.count(path).map(Option::unwrap_or_default);
        let either = |one: &[&str], other: &[&str]| at.first(&[one, other]).map(Option::unwrap_or_default);
        Ok(match format {
            // Gateways answer in either format, whatever the request was.
            Format::OpenAi | Format::Responses => {
                let of_input = |field| either(&["prompt_tokens_details", field], &["input_tokens_details", field]);
                let thought = "reasoning_tokens";
                Usage {
                    input,
                    cached: of_input("cached_tokens")?,
                    cache_write: of_input("cache_write_tokens")?,
                    output: either(&["completion_tokens"], &["output_tokens"])?,
                    reasoning: either(&["completion_tokens_details", thought], &["output_tokens_details", thought])?,
                }
            }
            Format::Anthropic => {
                let cached = or_none(&["cache_read_input_tokens"])?;
                let cache_write = or_none(&["cache_creation_input_tokens"])?;
                let output = or_none(&["output_tokens"])?;
                let input = input.saturating_add(cached).saturating_add(cache_write);
                Usage { input, cached, cache_write, output, reasoning: 0 }
            }
            Format::Gemini => {
                let reasoning = or_none(&["thoughtsTokenCount"])?;
                Usage {
                    // Tokens that its own tools added to the prompt are reported separately.
                    input: input.saturating_add(or_none(&["toolUsePromptTokenCount"])?),
                    cached: or_none(&["cachedContentTokenCount"])?,
                    cache_write: 0,
                    output: or_none(&["candidatesTokenCount"])?.saturating_add(reasoning),
                    reasoning,
                }
            }
            Format::Bedrock => {
                // Older models use other names.
                let cached = either(&["cacheReadInputTokens"], &["cacheReadInputTokenCount"])?;
                let cache_write = either(&["cacheWriteInputTokens"], &["cacheWriteInputTokenCount"])?;
                let output = or_none(&["outputTokens"])?;
                let input = input.saturating_add(cached).saturating_add(cache_write);
                Usage { input, cached, cache_write, output, reasoning: 0 }
            }
        })
    }
}

/// A usage object.
struct Counts<'a>(&'a Value);

impl Counts<'_> {
    /// The count at this path; absent or null is none.
    fn count(&self, path: &[&str]) -> Result<Option<u64>, UsageError> {
        let found = path.iter().try_fold(self.0, |v, name| v.get(name)).filter(|v| !v.is_null());
        let no_count = |v: &Value| UsageError::NoCount { field: path.join("."), value: v.to_string() };
        found.map(|v| v.as_u64().ok_or_else(|| no_count(v))).transpose()
    }

    /// The count at the first of these paths that has one.
    fn first(&self, paths: &[&[&str]]) -> Result<Option<u64>, UsageError> {
        let mut found = paths.iter().filter_map(|path| self.count(path).transpose());
        found.next().transpose()
    }
}
