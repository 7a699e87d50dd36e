//! The recorded requests (tests/data/usage-pairs.jsonl).

use ptc_history::tokens::{Feature, Features, MessageCounter, Profile, Request};
use serde::Deserialize;
use std::sync::{Arc, LazyLock};

/// A request and the input tokens that its provider reported.
pub struct Pair {
    pub request: Request,
    /// Whether it is known to hold parts that cannot be counted.
    pub opaque: bool,
    pub reported: u64,
    /// The project whose tests it was recorded for.
    pub source: String,
}

#[derive(Deserialize)]
struct Known {
    opaque: bool,
    reported: u64,
    source: String,
}

/// All of them.
pub fn pairs() -> &'static [Pair] {
    static PAIRS: LazyLock<Vec<Pair>> = LazyLock::new(|| {
        let lines = include_str!("../data/usage-pairs.jsonl").lines();
        lines
            .map(|line| {
                let known: Known = serde_json::from_str(line).unwrap();
                let request: Request = serde_json::from_str(line).unwrap();
                Pair { request, opaque: known.opaque, reported: known.reported, source: known.source }
            })
            .collect()
    });
    &PAIRS
}

impl Pair {
    /// Whether all of it is there to be counted.
    pub fn is_clear(&self, profile: &Arc<Profile>) -> bool {
        let counter = self.counter(profile);
        !self.opaque && !self.request.messages.iter().any(|m| counter.is_opaque(m))
    }

    pub fn counter(&self, profile: &Arc<Profile>) -> MessageCounter {
        MessageCounter::new(profile.clone(), &self.request.tools, &self.request.schema).unwrap()
    }

    /// Its features: weights of one tell them apart.
    pub fn features(&self, profile: &Arc<Profile>) -> Features {
        let counter = self.counter(profile);
        let mut sum = counter.frame_features().clone();
        for m in &self.request.messages {
            sum.sum(&counter.features(m));
        }
        if self.request.messages.last().is_some_and(|m| m.role == ptc_history::Role::Assistant) {
            sum.add(Feature::Closing, 1.0);
        }
        sum
    }
}
