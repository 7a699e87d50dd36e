//! Profiles: how families of models count a request, as weights fitted to reported usage.

use super::cached_counter::CachedCounter;
use super::features::{Feature, Features};
use super::request::Api;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, LazyLock};

/// The version that is written; another is refused.
pub const VERSION: u32 = 1;

/// How a profile counts the tools of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Declared {
    /// As OpenAI's TypeScript namespace.
    Typescript,
    /// As compact JSON.
    Json,
}

/// A family of models. Written to and read from JSON; a host may keep its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// Its name; every estimate names it.
    pub id: String,
    /// Which requests it applies to: any of these; an empty list is all requests.
    #[serde(rename = "for", default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<Match>,
    /// The counter of its text: `o200k`, `cl100k` or `seven`.
    pub ruler: String,
    /// How tools are read.
    pub tools: Declared,
    /// Reasoning of these models comes back encrypted with every call, so a history with calls has parts that cannot be
    /// counted (Gemini 2.5 and later: `thoughtSignature`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sealed_calls: bool,
    /// The weights.
    pub weights: Features,
    /// The error of its estimates.
    pub error: Error,
    /// How many requests it was fitted to.
    #[serde(default)]
    pub rows: u64,
}

/// Some requests. An empty list is any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// Providers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub providers: Vec<String>,
    /// Wire formats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub apis: Vec<Api>,
    /// Parts of model names, lower case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
}

impl Match {
    fn fits(&self, provider: &str, api: Api, model: &str) -> bool {
        let any = |list: &[String], is: &dyn Fn(&str) -> bool| list.is_empty() || list.iter().any(|s| is(s));
        any(&self.providers, &|p| p == provider)
            && (self.apis.is_empty() || self.apis.contains(&api))
            && any(&self.models, &|m| model.contains(m))
    }
}

/// Bounds of the error: quantiles over requests that the weights were not fitted to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Error {
    /// The real number may be this share lower.
    pub below: f64,
    /// The real number may be this share higher.
    pub above: f64,
    /// And this many tokens either way: framing of small requests.
    pub tokens: f64,
    /// Where a request has parts that cannot be counted, the real number may be this many tokens higher.
    pub opaque: f64,
    /// Where an answer schema is asked for and not shown, this many tokens either way.
    pub schema: f64,
}

impl Profile {
    /// The counter of this profile.
    ///
    /// # Errors
    /// [`ProfileError::CachedCounter`] for a name that no counter here has.
    pub fn ruler(&self) -> Result<CachedCounter, ProfileError> {
        // One counter for each name: profiles share their caches.
        static RULERS: LazyLock<Vec<CachedCounter>> =
            LazyLock::new(|| ["o200k", "cl100k", "seven"].iter().filter_map(|n| CachedCounter::named(n)).collect());
        // Without the vocabularies the estimate that was fitted to them counts.
        let vocabulary = matches!(self.ruler.as_str(), "o200k" | "cl100k");
        let name = if vocabulary && !cfg!(feature = "vocabularies") { "seven" } else { self.ruler.as_str() };
        let found = RULERS.iter().find(|r| r.id() == name);
        found
            .cloned()
            .ok_or_else(|| ProfileError::CachedCounter { profile: self.id.clone(), ruler: self.ruler.clone() })
    }

    /// Whether it applies to such a request; names in lower case.
    pub fn is_for(&self, provider: &str, api: Api, model: &str) -> bool {
        self.matches.is_empty() || self.matches.iter().any(|m| m.fits(provider, api, model))
    }

    fn check(&self) -> Result<(), ProfileError> {
        self.ruler()?;
        let e = &self.error;
        let sound = self.weights.is_finite()
            && [e.below, e.above, e.tokens, e.opaque, e.schema].iter().all(|n| n.is_finite() && *n >= 0.0);
        // A weight of 0 for text would make a counter that returns 0 (K-38).
        let counts = Feature::ALL
            .iter()
            .filter(|f| super::Class::ALL.iter().any(|c| Feature::of(*c) == **f))
            .all(|f| self.weights.get(*f) >= 0.1);
        if sound && counts { Ok(()) } else { Err(ProfileError::Unsound(self.id.clone())) }
    }
}

/// Profiles in the order in which they are asked; the last one is for all requests.
#[derive(Clone, Debug, PartialEq)]
pub struct Profiles {
    all: Vec<Arc<Profile>>,
}

/// Why profiles cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// No JSON of profiles.
    #[error("no profiles: {0}; write {{\"ptc_profiles\": {VERSION}, \"profiles\": [...]}}")]
    Form(String),
    /// Of another version.
    #[error("profiles of version {0} are not known; this build reads {VERSION}")]
    Version(u32),
    /// A counter that is not there.
    #[error("profile {profile:?} wants the counter {ruler:?}; there are o200k, cl100k and seven")]
    CachedCounter {
        /// The profile.
        profile: String,
        /// What it wants.
        ruler: String,
    },
    /// Numbers that count nothing.
    #[error("profile {0:?}: all numbers must be finite, bounds at least 0, and weights of text at least 0.1")]
    Unsound(String),
    /// No profile for all other requests.
    #[error("the last profile must be for all requests: leave its \"for\" empty")]
    NoLast,
}

#[derive(Serialize, Deserialize)]
struct File {
    ptc_profiles: u32,
    profiles: Vec<Profile>,
}

impl Profiles {
    /// Those that come with this crate, fitted to recorded requests (docs/tokens.md says how).
    pub fn built_in() -> &'static Profiles {
        // A test reads the file, so the fallback is never used; it is what the file's last profile says of text.
        static BUILT_IN: LazyLock<Profiles> = LazyLock::new(|| {
            Profiles::from_json(include_str!("profiles.json")).unwrap_or_else(|_| Profiles { all: vec![unknown()] })
        });
        &BUILT_IN
    }

    /// Reads profiles.
    ///
    /// # Errors
    /// [`ProfileError`].
    pub fn from_json(text: &str) -> Result<Self, ProfileError> {
        let file: File = serde_json::from_str(text).map_err(|e| ProfileError::Form(e.to_string()))?;
        if file.ptc_profiles != VERSION {
            return Err(ProfileError::Version(file.ptc_profiles));
        }
        Profiles::new(file.profiles)
    }

    /// These, asked in this order.
    ///
    /// # Errors
    /// [`ProfileError`].
    pub fn new(list: Vec<Profile>) -> Result<Self, ProfileError> {
        for p in &list {
            p.check()?;
        }
        if list.last().is_none_or(|p| !p.matches.is_empty()) {
            return Err(ProfileError::NoLast);
        }
        Ok(Profiles { all: list.into_iter().map(Arc::new).collect() })
    }

    /// As JSON, a profile a line.
    pub fn to_json(&self) -> String {
        let lines: Vec<String> = self.all.iter().map(|p| serde_json::json!(**p).to_string()).collect();
        format!("{{\"ptc_profiles\":{VERSION},\"profiles\":[\n{}\n]}}\n", lines.join(",\n"))
    }

    /// All of them.
    pub fn all(&self) -> &[Arc<Profile>] {
        &self.all
    }

    /// The first that is for such a request.
    pub fn find(&self, provider: &str, api: Api, model: &str) -> Arc<Profile> {
        let (provider, model) = (provider.to_lowercase(), model.to_lowercase());
        let found = self.all.iter().find(|p| p.is_for(&provider, api, &model));
        found.or(self.all.last()).cloned().unwrap_or_else(unknown)
    }
}

/// A model that nothing is known about.
fn unknown() -> Arc<Profile> {
    let mut weights = Features::default()
        .with(Feature::Request, 20.0)
        .with(Feature::Tools, 150.0)
        .with(Feature::Declared, 1.25)
        .with(Feature::Message, 5.0)
        .with(Feature::System, 5.0)
        .with(Feature::Call, 20.0)
        .with(Feature::Result, 15.0)
        .with(Feature::Thinking, 1.25)
        .with(Feature::SchemaText, 1.25);
    for class in super::Class::ALL {
        weights = weights.with(Feature::of(class), 1.25);
    }
    Arc::new(Profile {
        id: "unknown".into(),
        matches: Vec::new(),
        ruler: "o200k".into(),
        tools: Declared::Json,
        sealed_calls: false,
        weights,
        error: Error { below: 0.4, above: 0.6, tokens: 100.0, opaque: 3000.0, schema: 300.0 },
        rows: 0,
    })
}
