//! What a session is made of, as JavaScript gives it: an object as JSON text.

use crate::host::{internal, invalid};
use crate::stack;
use ptc_lisp::limits::Limits;
use ptc_lisp::value::Value;
use ptc_turns::session::given;
use ptc_turns::trace::turn_limit::ENDLESS;
use ptc_turns::{Config, Input};
use serde::Deserialize;
use serde_json::value::RawValue;

/// The options of `new Session({...})`. Those that the language, the turns or the history define are JSON text in it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Options<'a> {
    prompt: String,
    system: Option<String>,
    max_turns: Option<u64>,
    open_ended: bool,
    #[serde(borrow)]
    limits: &'a RawValue,
    #[serde(borrow)]
    policy: &'a RawValue,
    #[serde(borrow)]
    tools: &'a RawValue,
    #[serde(borrow)]
    inputs: Vec<(String, &'a RawValue)>,
    expect: Option<String>,
}

/// The configuration of this text.
pub fn config(text: &str) -> Result<Config, String> {
    let options: Options<'_> = serde_json::from_str(text).map_err(|e| internal(&e.to_string()))?;
    let limits = stack::within(given::limits(options.limits.get()).map_err(invalid)?);
    Ok(Config {
        prompt: options.prompt,
        system: options.system,
        max_turns: options.max_turns.unwrap_or(ENDLESS),
        policy: given::policy(options.policy.get()).map_err(invalid)?,
        tools: given::tools(options.tools.get()).map_err(invalid)?,
        inputs: inputs(options.inputs, &limits)?,
        expect: options.expect.map(|t| given::shape(&t, "expect")).transpose().map_err(invalid)?,
        limits,
        open_ended: options.open_ended,
        ..Config::default()
    })
}

fn inputs(all: Vec<(String, &RawValue)>, limits: &Limits) -> Result<Vec<Input>, String> {
    all.into_iter().map(|(name, json)| given::input(&name, json.get(), limits).map_err(invalid)).collect()
}

/// Values of inputs of a trace that does not have them itself: a list of names and values as JSON text.
pub fn values(text: &str, limits: &Limits) -> Result<Vec<(String, Value)>, String> {
    let all: Vec<(String, &RawValue)> = serde_json::from_str(text).map_err(|e| internal(&e.to_string()))?;
    Ok(inputs(all, limits)?.into_iter().map(|i| (i.name, i.value)).collect())
}
