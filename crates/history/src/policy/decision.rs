//! Whether it pays now to rewrite older text in a prompt, and how many requests are still expected.
//!
//! Providers charge less for the start of a prompt that is the same as in the request before. Shortening older text
//! makes every later request shorter, but once loses that lower price for everything after the first changed byte. So
//! the two are compared:
//!
//! - **gain**: the tokens that each later request has fewer, times the expected number of those requests, at the
//!   *cached* price: had nothing been changed, they would have been read from the cache;
//! - **cost**: the tokens behind the first changed byte that would have been read from the cache and are now sent anew,
//!   at the *difference* of the two prices. The rewritten text itself is among them; what is new in this request is
//!   not, for it is sent at the full price either way;
//! - and, where the caller asks for it ([`Decision::reading_again`]), the tokens of the hidden text that are expected
//!   to be read again, at the full price: a model looks up or computes again what a view hides when it needs it.
//!
//! It pays when the gain is more than the cost. This is arithmetic over a few numbers, without messages, clocks or
//! files, so that chats, sessions of programs and tests decide the same way.

use crate::policy::Prices;
use serde::Serialize;
use std::fmt;

/// Whether a rewrite pays, with the figures of the decision.
///
/// ```
/// use ptc_history::policy::decision::Decision;
/// use ptc_history::policy::Prices;
///
/// let early = Decision::of(1_240, 2_100, 6, Prices::default());
/// assert!(!early.pays);
/// assert_eq!(
///     early.to_string(),
///     "saves 1,240 tokens in each of about 6 requests, 744 at the cached price; \
///      2,100 tokens behind it are sent anew, 1,890 more: not yet"
/// );
/// assert!(Decision::of(1_240, 2_100, 16, Prices::default()).pays);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Decision {
    /// Tokens that every later request has fewer.
    pub saved: u64,
    /// Tokens behind the first changed byte that would have been read from the cache and are sent anew, the rewritten
    /// text among them.
    pub behind: u64,
    /// Tokens of the hidden text that are expected to be read again.
    pub again: u64,
    /// Requests that are still expected, the next one included.
    pub remaining: u64,
    /// The prices of the calculation.
    pub prices: Prices,
    /// What is saved until the expected end, in input tokens that were not cached.
    pub gain: f64,
    /// What the lost cache and reading again cost, in input tokens that were not cached.
    pub cost: f64,
    /// Whether the gain is more than the cost.
    pub pays: bool,
}

impl Decision {
    /// Whether it pays to rewrite what makes each of `remaining` requests `saved` tokens shorter, and the `behind`
    /// tokens from the first changed byte on lose their cache once.
    ///
    /// It pays sooner with more tokens saved, more requests and a higher cached price; later with more tokens after the
    /// change and a higher input price. It never pays when nothing is saved or no request is expected.
    pub fn of(saved: u64, behind: u64, remaining: u64, prices: Prices) -> Self {
        Decision { saved, behind, again: 0, remaining, prices, gain: 0.0, cost: 0.0, pays: false }.reckoned()
    }

    /// The same, where `again` tokens of the hidden text are expected to be read again; [`needed`] says how often.
    #[must_use]
    pub fn reading_again(self, again: u64) -> Self {
        Decision { again, ..self }.reckoned()
    }

    fn reckoned(self) -> Self {
        // Where an input token costs nothing, a cached one cannot cost less, and a changed prefix costs nothing.
        let ratio = Some(self.prices.cached / self.prices.input).filter(|r| r.is_finite()).unwrap_or(1.0).max(0.0);
        let gain = self.saved as f64 * self.remaining as f64 * ratio;
        let cost = self.behind as f64 * (1.0 - ratio).max(0.0) + self.again as f64;
        Decision { gain, cost, pays: gain > cost, ..self }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |n: u64| if n == 1 { "" } else { "s" };
        write!(
            f,
            "saves {} token{} in each of about {} request{}, {} at the cached price; {} token{} behind it {} sent anew",
            grouped(self.saved),
            plural(self.saved),
            grouped(self.remaining),
            plural(self.remaining),
            grouped(self.gain.round() as u64),
            grouped(self.behind),
            plural(self.behind),
            if self.behind == 1 { "is" } else { "are" },
        )?;
        if self.again > 0 {
            write!(f, " and about {} of the hidden ones read again", grouped(self.again))?;
        }
        write!(f, ", {} more: {}", grouped(self.cost.round() as u64), if self.pays { "pays" } else { "not yet" })
    }
}

/// How many requests are still expected after `sent` of them: as many again, and at most `most` in all where that is
/// known.
///
/// Nobody knows beforehand how long a conversation will be. After k requests, the best guess from its age alone is that
/// it is in the middle, so about k more will come. Young conversations thus keep their history whole, and long ones
/// shorten it, without a number that somebody would have to choose. A known limit of turns bounds the guess.
///
/// ```
/// use ptc_history::policy::decision::remaining;
///
/// assert_eq!(remaining(6, None), 6);
/// assert_eq!(remaining(6, Some(30)), 6);
/// assert_eq!(remaining(6, Some(8)), 2);
/// assert_eq!(remaining(9, Some(8)), 0);
/// ```
pub fn remaining(sent: u64, most: Option<u64>) -> u64 {
    most.map_or(sent, |most| sent.min(most.saturating_sub(sent)))
}

/// How often something is expected to be needed in the next `remaining` requests, when it was last needed `age`
/// requests ago (1 is the request before): 1/`age` + 1/(`age` + 1) + ... with `remaining` terms.
///
/// What was needed recently is needed again, and the probability falls roughly as one over the time since. So hiding a
/// turn that has just been said is expensive, and hiding an old one is cheap.
///
/// ```
/// use ptc_history::policy::decision::needed;
///
/// assert_eq!(needed(1, 1), 1.0);
/// assert!(needed(1, 8) > 2.7 && needed(8, 8) < 0.8);
/// ```
pub fn needed(age: u64, remaining: u64) -> f64 {
    let from = age.max(1);
    (from..from.saturating_add(remaining)).map(|n| 1.0 / n as f64).sum()
}

/// A number with a comma between thousands.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len().saturating_add(8));
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && digits.len().saturating_sub(i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}
