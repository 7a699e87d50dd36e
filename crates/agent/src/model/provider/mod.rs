//! Models of providers: OpenAI (chat completions and Responses), Anthropic, Gemini, Ollama, and every server that
//! speaks chat completions.
//!
//! ```no_run
//! use ptc_agent::{Environment, Model as _, ProviderModel, Request};
//! use ptc_history::Message;
//!
//! let mut model = ProviderModel::open("openai/gpt-5.1", &Environment::of_process())?;
//! let reply = model.reply(Request::new(&[Message::user("Say (+ 1 2)")]))?;
//! println!("{}", reply.text);
//! # Ok::<(), ptc_agent::Error>(())
//! ```
//!
//! Addresses and keys come from an [`Environment`] and from nowhere else (docs/models.md has the variables). Transport,
//! streams and their parsing are those of the `genai` crate; the conversation in the body is written by
//! [`ptc_history::wire`], which repairs it, places cache breakpoints and checks it (docs/decisions.md).

#[cfg(feature = "http")]
mod call;
#[cfg(feature = "http")]
mod client;
#[cfg(feature = "http")]
mod endpoint;
mod environment;
#[cfg(feature = "http")]
mod error;
#[cfg(feature = "http")]
mod gate;
#[cfg(test)]
#[cfg(feature = "http")]
mod hostile;
mod name;
#[cfg(feature = "http")]
mod request;
#[cfg(feature = "http")]
mod response;
mod retry;
pub(crate) mod settings;
#[cfg(test)]
#[cfg(feature = "http")]
mod tests;
#[cfg(not(feature = "http"))]
mod unavailable;

#[cfg(feature = "http")]
pub use client::ProviderModel;
pub use environment::Environment;
pub use name::{ModelName, Provider};
pub use retry::RetryPolicy;
pub use settings::{ModelSettings, Price};
#[cfg(not(feature = "http"))]
pub use unavailable::ProviderModel;

/// Most bytes of an answer, when a task does not say: 16 MiB.
pub const MAX_ANSWER_BYTES: u64 = 16 << 20;
