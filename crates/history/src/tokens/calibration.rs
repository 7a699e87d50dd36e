//! Calibration: learns from the token usage that providers report, so that the next estimate is closer.

use super::Class;
use super::estimate::{Estimate, MessageCounter, Source};
use super::features::{Feature, Features};
use super::regression::{self, Evidence};
use crate::conversation::message::Message;
use crate::wire::usage::Usage;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::borrow::Borrow;
use std::collections::VecDeque;

/// The version that is written; another is refused.
pub const VERSION: u32 = 1;

/// The weight of old evidence after each report.
const FADE: f64 = 0.9;
/// How many relative errors are kept.
const MAX_ERRORS: usize = 200;
/// A slope stays within these multiples of the profile's.
const CLAMP: (f64, f64) = (0.5, 2.5);
/// A request that extends the last one may differ by this share of all of it, besides what is new.
const DRIFT: f64 = 0.02;
/// This many consecutive outliers are no outliers: the provider counts differently now.
const PATIENCE: u32 = 3;

/// The effect of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learned {
    /// The weights were updated.
    Yes,
    /// It is too far off to learn from; the next request is still anchored on it.
    Outlier,
    /// It says nothing about weights: hidden parts, nothing new, or no number.
    Nothing,
}

/// The reports for one model, in one session or many. Stored as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    ptc_ledger: u32,
    profile: String,
    /// From requests that extend the one before: what was new, and how many tokens it had.
    deltas: Evidence,
    /// From all others: whole requests, which alone tell the overhead besides the messages.
    wholes: Evidence,
    learned: u64,
    outliers: u64,
    outliers_in_a_row: u32,
    /// Relative errors of the last estimates, oldest first.
    #[serde(with = "regression::exact")]
    errors: VecDeque<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<Last>,
}

/// The last request that usage was reported for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Last {
    /// Overhead and messages, hashed.
    digest: String,
    messages: usize,
    reported: u64,
    /// Features of all of it, where all of it can be counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    features: Option<Features>,
}

/// Why a stored calibration cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrationError {
    /// Not a calibration of this version.
    #[error("no ledger of version {VERSION}: {0}; begin a new one, it learns again within a few requests")]
    Form(String),
}

impl Calibration {
    /// An empty one for the profile of this counter.
    pub fn new(counter: &MessageCounter) -> Self {
        Calibration {
            ptc_ledger: VERSION,
            profile: counter.profile().id.clone(),
            deltas: Evidence::default(),
            wholes: Evidence::default(),
            learned: 0,
            outliers: 0,
            outliers_in_a_row: 0,
            errors: VecDeque::new(),
            last: None,
        }
    }

    /// Reads its serialized form.
    ///
    /// # Errors
    /// [`CalibrationError`] for another version or form.
    pub fn from_json(text: &str) -> Result<Self, CalibrationError> {
        let read: Calibration = serde_json::from_str(text).map_err(|e| CalibrationError::Form(e.to_string()))?;
        if read.ptc_ledger != VERSION
            || !read.deltas.is_sound()
            || !read.wholes.is_sound()
            || read.errors.iter().any(|e| !e.is_finite())
        {
            return Err(CalibrationError::Form(format!(
                "it says version {}, or its numbers are not sound",
                read.ptc_ledger
            )));
        }
        Ok(read)
    }

    /// The profile it belongs to. With a counter of another profile it returns what that profile alone says.
    pub fn profile(&self) -> &str {
        &self.profile
    }

    /// How many reports were learned from, and how many were outliers.
    pub fn seen(&self) -> (u64, u64) {
        (self.learned, self.outliers)
    }

    /// The relative error that this share of the last estimates stayed within: 0.5, 0.95 ... `None` before any report.
    pub fn error(&self, share: f64) -> Option<f64> {
        let mut all: Vec<f64> = self.errors.iter().map(|e| e.abs()).collect();
        all.sort_by(f64::total_cmp);
        let at = (all.len() as f64 * share).ceil() as usize;
        all.get(at.saturating_sub(1).min(all.len().saturating_sub(1))).copied()
    }

    /// This counter with the learned weights: for views, so that decision, shortening and check count the same.
    pub fn counter(&self, counter: &MessageCounter) -> MessageCounter {
        if self.learned == 0 || counter.profile().id != self.profile {
            return counter.clone();
        }
        counter.clone().with_weights(&self.weights(counter))
    }

    fn evidence(&self, prior: &Features) -> Evidence {
        let mut evidence = self.deltas.clone();
        evidence.join(&self.wholes);
        // The last request as a whole is known, and tells most about a view of it. It is not kept as evidence: the next
        // one contains it again.
        if let Some(Last { features: Some(features), reported, .. }) = &self.last {
            let reported = *reported as f64;
            evidence.add(features, reported - features.dot(prior), regression::noise(reported));
        }
        evidence
    }

    fn weights(&self, counter: &MessageCounter) -> Features {
        let prior = &counter.profile().weights;
        // One model of a family may differ from it as families differ from each other: twice the spread.
        let mut learned = self.evidence(prior).weights(prior, loose);
        for feature in Feature::ALL.iter().filter(|f| **f != Feature::SystemTools) {
            let sound = learned.get(*feature).max(0.0);
            learned = learned.with(*feature, sound);
        }
        let text = Class::ALL.iter().map(|c| Feature::of(*c)).chain([Feature::Declared, Feature::Thinking]);
        for feature in text {
            let base = prior.get(feature);
            let clamped = learned.get(feature).clamp(base * CLAMP.0, base * CLAMP.1);
            learned = learned.with(feature, clamped);
        }
        learned
    }

    /// The tokens of a request with these messages. Where they extend the last reported ones, the report is used and
    /// only the new messages are estimated.
    pub fn estimate<M: Borrow<Message>>(&self, counter: &MessageCounter, messages: &[M], opaque: bool) -> Estimate {
        let learned = self.counter(counter);
        let all = || messages.iter().map(Borrow::borrow);
        if self.profile != counter.profile().id {
            return counter.estimate(all(), opaque);
        }
        if let Some((reported, fresh)) = self.since(counter, messages) {
            let fresh = || fresh.iter().map(Borrow::borrow);
            let delta = fresh().map(|m| learned.message(m)).fold(0, u64::saturating_add);
            let sealed = opaque || fresh().any(|m| learned.is_opaque(m));
            let tokens = reported.saturating_add(delta);
            let e = &counter.profile().error;
            // The report is exact, except for what the server itself leaves out or adds between requests.
            let drift = tokens as f64 * DRIFT + e.tokens;
            let above = delta as f64 * e.above + drift + if sealed { e.opaque } else { 0.0 };
            let below = delta as f64 * e.below + drift + if sealed { tokens as f64 * 0.25 } else { 0.0 };
            return Estimate {
                tokens,
                low: (tokens as f64 - below).max(0.0) as u64,
                high: tokens.saturating_add(above.ceil() as u64),
                source: Source::Anchored(self.profile.clone()),
            };
        }
        let plain = learned.estimate(all(), opaque);
        if self.learned == 0 {
            return plain;
        }
        let mut out = Estimate { source: Source::Calibrated(self.profile.clone()), ..plain };
        let mut features = self.features(counter, messages);
        features.sum(counter.frame_features());
        let off = self.evidence(&counter.profile().weights).deviation(&features, loose);
        if let Some(off) = off.filter(|_| !opaque && !messages.iter().any(|m| learned.is_opaque(m.borrow()))) {
            let tokens = out.tokens as f64;
            // Three standard deviations; never narrower than the spread of repeated requests of one size.
            let slack = 3.0 * off + regression::noise(tokens) + counter.profile().error.tokens;
            out.low = (tokens - slack).max(0.0) as u64;
            out.high = (tokens + slack).ceil() as u64;
        }
        out
    }

    /// Adds a report for a request with these messages.
    pub fn report<M: Borrow<Message>>(
        &mut self,
        counter: &MessageCounter,
        messages: &[M],
        opaque: bool,
        usage: Usage,
    ) -> Learned {
        if usage.input == 0 || self.profile != counter.profile().id {
            return Learned::Nothing;
        }
        let guess = self.estimate(counter, messages, opaque).tokens as f64;
        let (base, mut features) = match self.since(counter, messages) {
            Some((reported, fresh)) => (reported, self.features(counter, fresh)),
            None => (0, self.features(counter, messages)),
        };
        if base == 0 {
            features.sum(counter.frame_features());
        }
        let fresh = messages.iter().skip(if base == 0 { 0 } else { self.last.as_ref().map_or(0, |l| l.messages) });
        let hidden = opaque || fresh.map(Borrow::borrow).any(|m| counter.is_opaque(m));
        let weights = self.weights(counter);
        let clear = !opaque && !messages.iter().any(|m| counter.is_opaque(m.borrow()));
        let all = clear.then(|| {
            let mut all = self.features(counter, messages);
            all.sum(counter.frame_features());
            all
        });
        self.last = Some(Last {
            digest: digest(counter, messages),
            messages: messages.len(),
            reported: usage.input,
            features: all,
        });
        if hidden {
            return Learned::Nothing;
        }
        // The first estimate was the profile's; errors are those of learned weights.
        if self.learned > 0 {
            self.errors.push_back((usage.input as f64 - guess) / usage.input as f64);
            if self.errors.len() > MAX_ERRORS {
                self.errors.pop_front();
            }
        }
        let expected = features.dot(&weights);
        if expected <= 0.0 {
            return Learned::Nothing;
        }
        let truth = usage.input as f64 - base as f64;
        // Edits of the server, media, compaction items: far from any text.
        let far = (truth - expected).abs() > (0.6 * expected).max(60.0);
        if far && self.learned >= 3 && self.outliers_in_a_row < PATIENCE || truth < 0.0 {
            self.outliers = self.outliers.saturating_add(1);
            self.outliers_in_a_row = self.outliers_in_a_row.saturating_add(1);
            if let Some(last) = &mut self.last {
                last.features = None;
            }
            return Learned::Outlier;
        }
        self.outliers_in_a_row = 0;
        let evidence = if base == 0 { &mut self.wholes } else { &mut self.deltas };
        evidence.fade(FADE);
        evidence.add(&features, truth - features.dot(&counter.profile().weights), regression::noise(truth));
        self.learned = self.learned.saturating_add(1);
        Learned::Yes
    }

    fn features<M: Borrow<Message>>(&self, counter: &MessageCounter, messages: &[M]) -> Features {
        let mut sum = Features::default();
        for m in messages {
            sum.sum(&counter.features(m.borrow()));
        }
        sum
    }

    /// The last report and the messages since, where these extend that request.
    fn since<'m, M: Borrow<Message>>(&self, counter: &MessageCounter, messages: &'m [M]) -> Option<(u64, &'m [M])> {
        let last = self.last.as_ref()?;
        let (old, fresh) = messages.split_at_checked(last.messages)?;
        (digest(counter, old) == last.digest).then_some((last.reported, fresh))
    }
}

/// One model of a family may differ from it as families differ from each other: twice the spread. The overhead besides
/// the messages is unknown: a gateway may add anything.
fn loose(feature: Feature) -> f64 {
    match feature {
        Feature::Request | Feature::Tools => 500.0,
        other => 2.0 * regression::spread(other),
    }
}

/// A hash of what is sent: roles and blocks, and the overhead.
fn digest<M: Borrow<Message>>(counter: &MessageCounter, messages: &[M]) -> String {
    let mut hash = Sha256::new();
    hash.update(counter.profile().id.as_bytes());
    for f in Feature::ALL {
        hash.update(counter.frame_features().get(*f).to_bits().to_le_bytes());
    }
    for m in messages {
        let m = m.borrow();
        // A block is plain data with text keys: writing it cannot fail.
        let bytes = serde_json::to_vec(&m.content).unwrap_or_default();
        hash.update(m.role.as_str());
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(&bytes);
    }
    hash.finalize().iter().take(16).fold(String::new(), |mut s, b| {
        use std::fmt::Write as _;
        let _ = write!(s, "{b:02x}");
        s
    })
}
