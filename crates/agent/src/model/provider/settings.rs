//! `[model]` of a task: how its model is to answer, how long is waited for it, what its tokens cost.

use super::retry::RetryPolicy;
use crate::error::Error;
use crate::model::Settings;
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
        let (input, output) = (usage.input_tokens?, usage.output_tokens?);
        let cached = usage.cached_tokens.unwrap_or(0).min(input);
        let written = usage.cache_write_tokens.unwrap_or(0).min(input.saturating_sub(cached));
        let fresh = input.saturating_sub(cached).saturating_sub(written);
        let sum = fresh as f64 * self.input
            + cached as f64 * self.cached.unwrap_or(self.input)
            + written as f64 * self.cache_write.unwrap_or(self.input)
            + output as f64 * self.output;
        Some(sum / 1e6)
    }
}

/// Keys of `[model]`.
pub(crate) const KEYS: [&str; 12] = [
    "max_tokens",
    "answer_bytes",
    "temperature",
    "cache",
    "extra",
    "price",
    "connect_timeout",
    "first_timeout",
    "idle_timeout",
    "timeout",
    "tries",
    "longest_pause",
];

#[derive(Deserialize)]
struct Keys {
    max_tokens: Option<u64>,
    answer_bytes: Option<u64>,
    temperature: Option<f64>,
    cache: Option<bool>,
    extra: Option<serde_json::Map<String, serde_json::Value>>,
    price: Option<Price>,
    connect_timeout: Option<f64>,
    first_timeout: Option<f64>,
    idle_timeout: Option<f64>,
    timeout: Option<f64>,
    tries: Option<u32>,
    longest_pause: Option<f64>,
}

/// Reads `[model]`. Times are in seconds.
///
/// # Errors
/// With the line of the key that is wrong.
pub(crate) fn read(s: &Section<'_>) -> Result<ModelSettings, Error> {
    let keys: Keys = s.read(&KEYS)?;
    let time = |key: &str, value: Option<f64>, otherwise: Duration| match value {
        None => Ok(otherwise),
        Some(t) => Duration::try_from_secs_f64(t)
            .ok()
            .filter(|d| !d.is_zero() && *d <= Duration::from_secs(86_400))
            .ok_or_else(|| s.problem_at(key, format!("{key} must be seconds above 0, a day at most, got {t}"))),
    };
    let p = RetryPolicy::default();
    let retry = RetryPolicy {
        connect: time("connect_timeout", keys.connect_timeout, p.connect)?,
        first: time("first_timeout", keys.first_timeout, p.first)?,
        idle: time("idle_timeout", keys.idle_timeout, p.idle)?,
        total: time("timeout", keys.timeout, p.total)?,
        longest_pause: time("longest_pause", keys.longest_pause, p.longest_pause)?,
        tries: keys.tries.unwrap_or(p.tries),
        pause: p.pause,
    };
    if !(1..=20).contains(&retry.tries) {
        return Err(s.problem_at("tries", "tries must be from 1 to 20"));
    }
    if keys.answer_bytes == Some(0) {
        return Err(s.problem_at("answer_bytes", "answer_bytes must be a whole number from 1"));
    }
    if keys.max_tokens == Some(0) {
        return Err(s.problem_at("max_tokens", "max_tokens must be a whole number from 1"));
    }
    if keys.temperature.is_some_and(|t| !(0.0..=2.0).contains(&t)) {
        return Err(s.problem_at("temperature", "temperature must be from 0 to 2"));
    }
    let odd = |n: &f64| !n.is_finite() || *n < 0.0;
    if let Some(p) = &keys.price
        && ([p.input, p.output].iter().any(odd) || [p.cached, p.cache_write].iter().flatten().any(odd))
    {
        let words =
            "prices are of a million tokens, from 0, as in price = { input = 1.25, cached = 0.125, output = 10 }";
        return Err(s.problem_at("price", words));
    }
    let settings =
        Settings { max_tokens: keys.max_tokens, temperature: keys.temperature, cache: keys.cache, extra: keys.extra };
    Ok(ModelSettings { settings, retry, answer_bytes: keys.answer_bytes, price: keys.price })
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
            ("answer_bytes = 0", "task.toml:2: answer_bytes must be a whole number from 1"),
            ("max_tokens = 0", "task.toml:2: max_tokens must be a whole number from 1"),
            ("temperature = 3.5", "task.toml:2: temperature must be from 0 to 2"),
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
