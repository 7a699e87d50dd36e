//! Where the pages beside a page are: those of sub-agents, and of the session that asked.

use ptc_agent::Totals;
use std::collections::{BTreeMap, HashMap};

/// Addresses of the pages beside a page, as they stand in a link.
#[derive(Default)]
pub struct Related {
    /// Of calls, by number.
    pub calls: HashMap<u64, String>,
    /// Of inputs of acts, by the act's number: which input, its page.
    pub acts: BTreeMap<u64, Vec<(String, String)>>,
    /// How many sub-agents and tasks inside are beside it, those inside them too, and what they used.
    pub inside: (u64, Totals),
    /// The page of the session that asked, and its task.
    pub parent: Option<(String, String)>,
}

impl Related {
    /// The page of what answered a call.
    pub fn of_call(&self, id: u64) -> Option<&str> {
        self.calls.get(&id).map(String::as_str)
    }

    /// Of an act the inputs that a task wrote, with its page.
    pub fn of_act(&self, act: u64) -> impl Iterator<Item = (&str, &str)> {
        self.acts.get(&act).into_iter().flatten().map(|(name, page)| (name.as_str(), page.as_str()))
    }
}
