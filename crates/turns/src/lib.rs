//! The turn manager: a program and a memory become a record, records a trace, and the trace, under a policy, messages.
//!
//! The trace is the truth; the prompt is a view of it. Nothing here touches files, clock or randomness: the host hands
//! them in.
//!
//! ```
//! use ptc_turns::{Config, Policy, Session, World};
//!
//! let mut session = Session::new(Config { prompt: "How many numbers?".into(), ..Config::default() });
//! session.reply("```clojure\n(def xs \"Odd squares\" (vec (filter odd? (map (fn [x] (* x x)) (range 20)))))\n```", World::still(&mut ()))?;
//! let turn = session.reply("```clojure\n(return (count xs))\n```", World::still(&mut ()))?;
//! assert_eq!(turn.value.as_deref(), Some("10"));
//!
//! let messages = session.messages(&Policy::compressed());
//! assert_eq!(messages[1].text(), "How many numbers?");
//! assert_eq!(messages[2].text(), "; Defined: xs - \"Odd squares\" = list[10], sample: 1");
//! # Ok::<(), ptc_turns::Ended>(())
//! ```

// Numbers come from files and from the network: none may panic, and none may wrap.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]

pub mod act;
pub mod apart;
pub mod bound;
pub mod check;
pub mod coalesced;
pub mod config;
mod cut;
pub mod feedback;
pub mod journal;
pub mod json;
mod ledger;
pub mod live;
mod measure;
mod opening;
mod outcome;
mod outputs;
pub mod parse_back;
mod past;
pub mod policy;
pub mod printed_text;
pub mod prompt;
pub mod reason;
pub mod record;
mod replay;
pub mod reply;
pub mod request;
pub mod sample;
pub mod session;
mod show;
pub mod starts;
pub mod summary;
pub mod texts;
pub mod toc;
mod together;
pub mod trace;
pub mod view;
pub mod whole;
mod window;

pub use act::{Act, Called};
pub use apart::Text;
pub use check::Check;
pub use config::{Config, Input};
pub use journal::{Entry, Journal, Place};
pub use json::Json;
pub use live::View;
pub use policy::Policy;
pub use prompt::Card;
pub use record::{Header, Status, TurnRecord};
pub use request::request;
pub use session::{Ended, Session, World};
pub use toc::{ActWords, Mode};
pub use trace::Trace;
pub use view::messages;
