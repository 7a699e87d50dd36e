//! Weights from reported usage: least squares around a prior, with fading old evidence and bounded outliers.

use super::features::{Feature, Features, N};
use serde::{Deserialize, Serialize};

/// The prior's standard deviation: how much a model's weight may differ from its family's.
pub fn spread(feature: Feature) -> f64 {
    match feature {
        Feature::Request => 40.0,
        Feature::Tools => 120.0,
        Feature::Tool => 12.0,
        Feature::Declared => 0.2,
        Feature::Schema | Feature::Closing => 100.0,
        Feature::SchemaText | Feature::Thinking => 0.5,
        Feature::System | Feature::SystemTools | Feature::Message => 3.0,
        Feature::Call | Feature::Parallel | Feature::Result | Feature::Thought => 15.0,
        Feature::Prose | Feature::Code | Feature::Json | Feature::Other => 0.12,
        Feature::Digits | Feature::Cjk => 0.25,
    }
}

/// The standard deviation of a reported number from the true sum: rounding, and what no feature covers.
pub fn noise(tokens: f64) -> f64 {
    2.0 + 0.02 * tokens.abs()
}

/// The normal equations of all reports so far, about a prior.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Symmetric, in units of one over variance; row by row.
    #[serde(with = "exact")]
    squares: Vec<f64>,
    #[serde(with = "exact")]
    moments: Vec<f64>,
}

/// Numbers as text: JSON numbers may change in the last bit, and a restored calibration must return what the stored one
/// did.
pub(super) mod exact {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<'a, S: Serializer>(list: impl IntoIterator<Item = &'a f64>, s: S) -> Result<S::Ok, S::Error> {
        let words: Vec<String> = list.into_iter().map(f64::to_string).collect();
        s.serialize_str(&words.join(" "))
    }

    pub fn deserialize<'de, D: Deserializer<'de>, L: FromIterator<f64>>(d: D) -> Result<L, D::Error> {
        let text = String::deserialize(d)?;
        let number = |w: &str| w.parse().map_err(|_| D::Error::custom(format!("{w:?} is not a number")));
        text.split_whitespace().map(number).collect()
    }
}

impl Default for Evidence {
    fn default() -> Self {
        Evidence { squares: vec![0.0; N * N], moments: vec![0.0; N] }
    }
}

impl Evidence {
    /// Whether it has the form that this build writes.
    pub fn is_sound(&self) -> bool {
        self.squares.len() == N * N
            && self.moments.len() == N
            && self.squares.iter().chain(&self.moments).all(|n| n.is_finite())
    }

    /// Reduces the weight of all earlier evidence.
    pub fn fade(&mut self, by: f64) {
        for n in self.squares.iter_mut().chain(&mut self.moments) {
            *n *= by;
        }
    }

    /// Adds that these features differed from the prior's sum by `off`, with standard deviation `sigma`.
    pub fn add(&mut self, features: &Features, off: f64, sigma: f64) {
        let weight = 1.0 / (sigma * sigma);
        for (row, a) in self.squares.chunks_mut(N).zip(&features.0) {
            for (n, b) in row.iter_mut().zip(&features.0) {
                *n += weight * a * b;
            }
        }
        for (n, a) in self.moments.iter_mut().zip(&features.0) {
            *n += weight * a * off;
        }
    }

    /// Adds all of another's.
    pub fn join(&mut self, other: &Evidence) {
        for (a, b) in self.squares.iter_mut().zip(&other.squares) {
            *a += b;
        }
        for (a, b) in self.moments.iter_mut().zip(&other.moments) {
            *a += b;
        }
    }

    fn with_prior(&self, loose: impl Fn(Feature) -> f64) -> Vec<f64> {
        let mut matrix = self.squares.clone();
        for (i, feature) in Feature::ALL.iter().enumerate() {
            let sigma = loose(*feature).max(1e-6);
            if let Some(n) = matrix.get_mut(i.saturating_mul(N).saturating_add(i)) {
                *n += 1.0 / (sigma * sigma);
            }
        }
        matrix
    }

    /// The standard deviation of the sum of these features under the most likely weights.
    pub fn deviation(&self, features: &Features, loose: impl Fn(Feature) -> f64) -> Option<f64> {
        let v = solve(self.with_prior(loose), features.0.to_vec())?;
        let variance: f64 = v.iter().zip(&features.0).map(|(a, b)| a * b).sum();
        (variance >= 0.0).then(|| variance.sqrt())
    }

    /// The most likely weights: the prior, moved as far as the evidence supports.
    pub fn weights(&self, prior: &Features, loose: impl Fn(Feature) -> f64) -> Features {
        let mut out = prior.clone();
        if let Some(step) = solve(self.with_prior(loose), self.moments.clone()) {
            for (w, d) in out.0.iter_mut().zip(step) {
                *w += d;
            }
        }
        out
    }
}

/// Solves a symmetric positive definite system by elimination; `None` where it is not.
fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    for i in 0..N {
        let pivot = *matrix.get(i.saturating_mul(N).saturating_add(i))?;
        if !(pivot.is_finite() && pivot > 0.0) {
            return None;
        }
        let (above, below) = matrix.split_at_mut(i.saturating_add(1).saturating_mul(N));
        let pivot_row = above.get(i.saturating_mul(N)..)?;
        let base = *right.get(i)?;
        for (k, row) in below.chunks_mut(N).enumerate() {
            let factor = row.get(i)? / pivot;
            if factor != 0.0 {
                for (n, p) in row.iter_mut().zip(pivot_row).skip(i) {
                    *n -= factor * p;
                }
                *right.get_mut(i.saturating_add(1).saturating_add(k))? -= factor * base;
            }
        }
    }
    let mut out = vec![0.0; N];
    for i in (0..N).rev() {
        let row = matrix.get(i.saturating_mul(N)..i.saturating_add(1).saturating_mul(N))?;
        let known: f64 = row.iter().zip(&out).skip(i.saturating_add(1)).map(|(a, b)| a * b).sum();
        let n = (right.get(i)? - known) / row.get(i)?;
        *out.get_mut(i)? = n;
    }
    out.iter().all(|n| n.is_finite()).then_some(out)
}

/// Fits weights to requests and their reported usage. A few passes bound outliers (Huber), and keep weights from
/// becoming negative: no message makes a request shorter, except a system message in which the tools are declared.
pub fn fit(prior: &Features, loose: impl Fn(Feature) -> f64, rows: &[(Features, f64)]) -> Features {
    let mut weights = prior.clone();
    let mut base = prior.clone();
    let mut held: Vec<Feature> = Vec::new();
    for pass in 0..12 {
        let mut evidence = Evidence::default();
        for (features, reported) in rows {
            let far = (reported - features.dot(&weights)).abs() / noise(*reported);
            let down = if pass == 0 || far <= 2.0 { 1.0 } else { (far / 2.0).sqrt() };
            evidence.add(features, reported - features.dot(&base), noise(*reported) * down);
        }
        weights = evidence.weights(&base, |f| if held.contains(&f) { 1e-6 } else { loose(f) });
        for f in Feature::ALL {
            if *f != Feature::SystemTools && weights.get(*f) < 0.0 {
                weights = weights.with(*f, 0.0);
                if !held.contains(f) {
                    held.push(*f);
                    base = base.with(*f, 0.0);
                }
            }
        }
    }
    weights
}
