//! `[model]` of a task: how its model is to answer, how long is waited for it, what its tokens cost.

use super::retry::RetryPolicy;
use crate::error::Error;
use crate::model::Settings;
use crate::option_row::{self, OptionRow, or_none};
use crate::toml_section::Section;
use ptc_turns::trace::record::Usage;
use serde::Deserialize;
use std::time::Duration;

/// What a task says of its model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelSettings {
    /// How it is to answer.
    pub settings: Settings,
    /// How long is waited, and how often it is asked.
    pub retry: RetryPolicy,
    /// Most bytes of an answer, if the task says; [`MAX_ANSWER_BYTES`](super::MAX_ANSWER_BYTES) otherwise.
    pub answer_bytes: Option<u64>,
    /// What its tokens cost, if the task says.
    pub price: Option<Price>,
}

impl ModelSettings {
    /// Most bytes of an answer.
    pub(crate) fn most_answer_bytes(&self) -> u64 {
        self.answer_bytes.unwrap_or(super::MAX_ANSWER_BYTES)
    }
}

/// Prices of a million tokens, in one currency; the task names them, since they change.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Of the request.
    pub input: f64,
    /// Of the reply.
    pub output: f64,
    /// Of what was read from the cache; as `input` if absent.
    pub cached: Option<f64>,
    /// Of what was written to the cache; as `input` if absent.
    pub cache_write: Option<f64>,
}

impl Price {
    /// What a usage costs; `None` where the provider did not report it.
    pub fn of(&self, usage: &Usage) -> Option<f64> {
        usage.input_tokens.and(usage.output_tokens)?;
        Some(self.of_reported(usage))
    }

    /// What the tokens cost that were reported: the others count nothing.
    pub(crate) fn of_reported(&self, usage: &Usage) -> f64 {
        let (input, output) = (usage.input_tokens.unwrap_or(0), usage.output_tokens.unwrap_or(0));
        let cached = usage.cached_tokens.unwrap_or(0).min(input);
        let written = usage.cache_write_tokens.unwrap_or(0).min(input.saturating_sub(cached));
        let fresh = input.saturating_sub(cached).saturating_sub(written);
        let sum = fresh as f64 * self.input
            + cached as f64 * self.cached.unwrap_or(self.input)
            + written as f64 * self.cache_write.unwrap_or(self.input)
            + output as f64 * self.output;
        sum / 1e6
    }
}

/// A time in seconds, above 0 and a day at most.
fn seconds(s: &Section<'_>, key: &str) -> Result<Option<Duration>, Error> {
    let Some(t) = s.number(key)? else { return Ok(None) };
    let time = Duration::try_from_secs_f64(t).ok().filter(|d| !d.is_zero() && *d <= Duration::from_secs(86_400));
    let wrong = || s.problem_at(key, format!("{key} must be seconds above 0, a day at most, got {t}"));
    time.ok_or_else(wrong).map(Some)
}

/// The price of a million tokens.
fn price(s: &Section<'_>, key: &str) -> Result<Option<Price>, Error> {
    let Some(data) = s.data(key)? else { return Ok(None) };
    let price: Price = serde_json::from_value(data).map_err(|e| s.problem_at(key, format!("{key}: {e}")))?;
    let odd = |n: &f64| !n.is_finite() || *n < 0.0;
    if [price.input, price.output].iter().any(odd) || [price.cached, price.cache_write].iter().flatten().any(odd) {
        let words =
            "prices are of a million tokens, from 0, as in price = { input = 1.25, cached = 0.125, output = 10 }";
        return Err(s.problem_at(key, words));
    }
    Ok(Some(price))
}

/// Further members of a request.
fn members(s: &Section<'_>, key: &str) -> Result<Option<serde_json::Map<String, serde_json::Value>>, Error> {
    match s.data(key)? {
        None => Ok(None),
        Some(serde_json::Value::Object(members)) => Ok(Some(members)),
        Some(_) => Err(s.problem_at(key, format!("{key} must be a table, as in {key} = {{ top_k = 40 }}"))),
    }
}

fn temperature(s: &Section<'_>, key: &str) -> Result<Option<f64>, Error> {
    match s.number(key)? {
        Some(t) if !(0.0..=2.0).contains(&t) => Err(s.problem_at(key, format!("{key} must be from 0 to 2"))),
        t => Ok(t),
    }
}

fn tries(s: &Section<'_>, key: &str) -> Result<Option<u32>, Error> {
    let wrong = || s.problem_at(key, format!("{key} must be from 1 to 20"));
    match s.whole(key)? {
        None => Ok(None),
        Some(n) => u32::try_from(n).ok().filter(|n| (1..=20).contains(n)).ok_or_else(wrong).map(Some),
    }
}

fn count(s: &Section<'_>, key: &str) -> Result<Option<u64>, Error> {
    s.count(key)
}

fn flag(s: &Section<'_>, key: &str) -> Result<Option<bool>, Error> {
    s.flag(key)
}

/// The text of a default time.
fn text(time: Duration) -> String {
    time.as_secs_f64().to_string()
}

/// `NAME: READER, FIELD [= Some], DEFAULT, DOC;`
macro_rules! rows {
    ($($name:ident: $read:ident, $($field:ident).+ $(= $some:ident)?, $default:expr, $doc:literal;)*) => {
        &[$(OptionRow {
            name: stringify!($name),
            of: "",
            doc: $doc,
            default: $default,
            access: |out: &mut ModelSettings, s, key| {
                if let Some(value) = $read(s, key)? {
                    out.$($field).+ = $($some)?(value);
                }
                Ok(())
            },
        }),*]
    };
}

/// The options of `[model]`; times are in seconds.
pub(crate) const ROWS: &[OptionRow<ModelSettings>] = rows! {
    max_tokens: count, settings.max_tokens = Some, |m| or_none(m.settings.max_tokens), "most tokens of an answer";
    answer_bytes: count, answer_bytes = Some, |m| m.most_answer_bytes().to_string(), "most bytes of an answer; streamed, four times as many on the wire";
    temperature: temperature, settings.temperature = Some, |m| or_none(m.settings.temperature), "from 0 to 2; without it the provider's own";
    cache: flag, settings.cache = Some, |m| m.settings.caches().to_string(), "cache breakpoints, for providers that want them";
    extra: members, settings.extra = Some, |m| or_none(m.settings.extra.as_ref().map(|_| "given")), "further members of the request's body, as the provider names them: `{ top_k = 40 }`";
    price: price, price = Some, |m| or_none(m.price.as_ref().map(|_| "given")), "of a million tokens: `{ input = 1.25, cached = 0.125, cache_write = 1.25, output = 10.0 }`";
    connect_timeout: seconds, retry.connect, |m| text(m.retry.connect), "seconds until a connection is open";
    first_timeout: seconds, retry.first, |m| text(m.retry.first), "seconds until a streamed answer begins; its head or a comment is no beginning";
    idle_timeout: seconds, retry.idle, |m| text(m.retry.idle), "seconds between two signs of life of a streamed answer";
    timeout: seconds, retry.total, |m| text(m.retry.total), "seconds for one try, to the end of the answer";
    tries: tries, retry.tries, |m| m.retry.tries.to_string(), "how often is asked at most, from 1 to 20";
    longest_pause: seconds, retry.longest_pause, |m| text(m.retry.longest_pause), "seconds of the longest wait between two tries";
};

/// Reads `[model]`.
///
/// # Errors
/// With the line of the key that is wrong.
pub(crate) fn read(s: &Section<'_>) -> Result<ModelSettings, Error> {
    option_row::read(s, ROWS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toml_section::Document;

    fn model(text: &str) -> Result<ModelSettings, String> {
        let document = Document::parse("task.toml", text).unwrap();
        read(&document.root().section("model").unwrap().unwrap()).map_err(|p| p.to_string())
    }

    #[test]
    fn a_task_may_say_how_its_model_is_asked() {
        let read = model(
            "[model]\nmax_tokens = 500\nanswer_bytes = 1000\ntemperature = 0\ncache = false\ntimeout = 2.5\ntries = 1\n\
             extra = { grammar = \"root ::= \\\"x\\\"\", top_k = 1 }\nprice = { input = 1.0, cached = 0.1, output = 10 }",
        )
        .unwrap();
        assert_eq!((read.settings.max_tokens, read.settings.temperature), (Some(500), Some(0.0)));
        assert_eq!((read.settings.cache, read.settings.extra.unwrap()["top_k"].as_u64()), (Some(false), Some(1)));
        assert_eq!((read.retry.total, read.retry.tries), (Duration::from_millis(2500), 1));
        assert_eq!(read.answer_bytes, Some(1000));
        assert_eq!(read.retry.idle, RetryPolicy::default().idle);
        let usage = Usage {
            input_tokens: Some(1000),
            cached_tokens: Some(600),
            cache_write_tokens: Some(100),
            output_tokens: Some(50),
            ..Usage::default()
        };
        // 400 that were not cached, 100 of them written, and 600 read, and 50 said.
        let cost = read.price.as_ref().unwrap().of(&usage).unwrap();
        assert!((cost - (400.0 + 60.0 + 500.0) / 1e6).abs() < 1e-12, "{cost}");
        assert_eq!(read.price.unwrap().of(&Usage::default()), None);
    }

    #[test]
    fn wrong_values_are_told_with_their_line() {
        for (text, words) in [
            ("timeout = 0", "task.toml:2: timeout must be seconds above 0, a day at most, got 0"),
            ("tries = 0", "task.toml:2: tries must be from 1 to 20"),
            ("answer_bytes = 0", "task.toml:2: answer_bytes must be a whole number from 1, got 0"),
            ("max_tokens = 0", "task.toml:2: max_tokens must be a whole number from 1, got 0"),
            ("temperature = 3.5", "task.toml:2: temperature must be from 0 to 2"),
            ("temperature = \"hot\"", "task.toml:2: temperature must be a number, got text"),
            ("extra = 5", "task.toml:2: extra must be a table, as in extra = { top_k = 40 }"),
            ("tries = 5_000_000_000", "task.toml:2: tries must be from 1 to 20"),
            (
                "price = { input = -1.0, output = 1.0 }",
                "task.toml:2: prices are of a million tokens, from 0, as in price = { input = 1.25, cached = 0.125, output = 10 }",
            ),
            ("max_token = 5", "task.toml:2: unknown key max_token in [model]; did you mean max_tokens?"),
        ] {
            assert_eq!(model(&format!("[model]\n{text}")).unwrap_err(), words);
        }
    }
}
