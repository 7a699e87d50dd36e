//! The native part of the npm package `ptc-runtime`: sessions whose turns run in WebAssembly. What users see is written in
//! JavaScript (`js/`), on top of this: all that passes between the two is numbers, and JSON as text.
//!
//! There are no threads here. A turn either calls its host in the middle, or it stops at a tool call, and runs again from its
//! beginning when the answer is there: programs give the same where time, seed and answers are the same.

mod config;
mod host;
mod session;
mod stack;
mod steps;

use ptc_history::Message;
use ptc_history::tokens::Request;
use wasm_bindgen::prelude::wasm_bindgen;

/// About how many tokens a text takes, as this model's provider (`PROVIDER/NAME`) counts.
///
/// # Errors
/// When no such provider is known.
#[wasm_bindgen(js_name = textTokens)]
pub fn text_tokens(text: &str, model: &str) -> Result<f64, String> {
    let counter = Request::of_model(model).map_err(host::invalid)?;
    let of = |text: &str| counter.message(&Message::user(text));
    // Without what frames a message.
    Ok(of(text).saturating_sub(of("")) as f64)
}

/// The version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
