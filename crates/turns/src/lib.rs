//! The turn manager: it runs programs as turns of a session, records them in a trace, and makes messages for a model
//! from the trace under a policy.
//!
//! The trace is append-only; prompts are views of it. Nothing here touches files, clock or randomness: the host passes
//! them in.
//!
//! ```
//! use ptc_turns::{Config, Policy, Session, TurnContext};
//!
//! let mut session = Session::new(Config { prompt: "How many numbers?".into(), ..Config::default() });
//! session.reply("```clojure\n(def xs \"Odd squares\" (vec (filter odd? (map (fn [x] (* x x)) (range 20)))))\n```", TurnContext::without_host())?;
//! let turn = session.reply("```clojure\n(return (count xs))\n```", TurnContext::without_host())?;
//! assert_eq!(turn.value.as_deref(), Some("10"));
//!
//! let messages = session.messages(&Policy::compressed());
//! assert_eq!(messages[1].text(), "How many numbers?");
//! assert_eq!(messages[2].text(), "; Defined: xs - \"Odd squares\" = list[10], sample: 1");
//! # Ok::<(), ptc_turns::TurnRefused>(())
//! ```

// Numbers come from files and from the network: no operation may panic or wrap.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]

pub mod libraries;
pub mod policy;
pub mod prompt;
pub mod reasons;
pub mod render;
pub mod request;
pub mod session;
pub mod text;
pub mod trace;

pub use libraries::{Libraries, LibraryError};
pub use policy::Policy;
pub use prompt::Card;
pub use render::incremental_view::IncrementalView;
pub use render::messages;
pub use request::request;
pub use session::config::{Config, Input};
pub use session::external::TurnText;
pub use session::return_check::Check;
pub use session::{Session, TurnContext, TurnRefused};
pub use trace::Trace;
pub use trace::act::{Act, Called};
pub use trace::act_spec::{ActWords, Mode};
pub use trace::journal::{Journal, JournalEntry, JournalPlace};
pub use trace::json::Json;
pub use trace::record::{Header, LibraryWords, Status, TurnRecord};
pub use trace::run_ended::RunEnded;
