//! How the profiles that come with the crate were fitted: `profiles.json` is what this makes of the recorded requests.

use super::pairs::{Pair, pairs};
use ptc_history::tokens::profile::{Declared, Error, Match};
use ptc_history::tokens::{Feature, Features, Profile, Profiles, regression};
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// What was known or assumed of a family before any row was seen.
#[derive(Deserialize)]
struct Prior {
    id: String,
    #[serde(rename = "for")]
    matches: Vec<Match>,
    /// The family whose fitted weights are the prior.
    #[serde(default)]
    parent: Option<String>,
    ruler: String,
    tools: Declared,
    #[serde(default)]
    sealed_calls: bool,
    #[serde(default)]
    weights: Features,
    /// Weights that are published, and not fitted.
    #[serde(default)]
    hold: Vec<String>,
}

/// A request under the profile that is for it.
pub struct Row {
    pub pair: &'static Pair,
    pub profile: usize,
    pub features: Features,
    pub clear: bool,
    /// What was estimated for it by weights that neither it nor its like were used for.
    pub left_out: f64,
    /// The same by weights that nothing of its source was used for, where the family has another source.
    pub source_out: Option<f64>,
}

pub struct Fitted {
    pub profiles: Profiles,
    pub rows: Vec<Row>,
}

fn loose(prior: &Prior, feature: Feature) -> f64 {
    if prior.hold.iter().any(|h| h == feature.name()) {
        1e-4
    } else if prior.id == "unknown" && [Feature::Tools, Feature::Request].contains(&feature) {
        2.0 * regression::spread(feature)
    } else {
        regression::spread(feature)
    }
}

/// The regression, once a run.
pub fn fitted() -> &'static Fitted {
    static FITTED: LazyLock<Fitted> = LazyLock::new(fit_all);
    &FITTED
}

fn fit_all() -> Fitted {
    let priors: Vec<Prior> = serde_json::from_str(include_str!("priors.json")).unwrap();
    let blank = |p: &Prior, weights: Features| Profile {
        id: p.id.clone(),
        matches: p.matches.clone(),
        ruler: p.ruler.clone(),
        tools: p.tools,
        sealed_calls: p.sealed_calls,
        weights,
        error: Error { below: 0.0, above: 0.0, tokens: 0.0, opaque: 0.0, schema: 0.0 },
        rows: 0,
    };
    let empty: Vec<Arc<Profile>> = priors.iter().map(|p| Arc::new(blank(p, p.weights.clone()))).collect();
    let mut rows: Vec<Row> = pairs()
        .iter()
        .map(|pair| {
            let r = &pair.request;
            let (provider, model) = (r.provider.to_lowercase(), r.model.to_lowercase());
            let profile = empty.iter().position(|p| p.is_for(&provider, r.api, &model)).unwrap();
            let features = pair.features(&empty[profile]);
            let clear = pair.is_clear(&empty[profile]);
            Row { pair, profile, features, clear, left_out: 0.0, source_out: None }
        })
        .collect();

    // Parents first: "unknown" is fitted to the rows of all families that it is the parent of.
    let index = |id: &str| priors.iter().position(|p| p.id == id).unwrap();
    type Keep<'a> = &'a dyn Fn(&Row) -> bool;
    let own = |rows: &[Row], at: usize, keep: Keep<'_>| -> Vec<(Features, f64)> {
        let unknown = priors[at].id == "unknown";
        let of = |i: usize| i == at || unknown && priors[i].parent.as_deref() == Some("unknown");
        let used = rows.iter().filter(|r| r.clear && of(r.profile) && keep(r));
        used.map(|r| (r.features.clone(), r.pair.reported as f64)).collect()
    };
    let weights = |rows: &[Row], at: usize, keep: Keep<'_>| -> Features {
        let prior = &priors[at];
        let base = match &prior.parent {
            Some(parent) => {
                let up = index(parent);
                regression::fit(&priors[up].weights, |f| loose(&priors[up], f), &own(rows, up, keep))
            }
            None => prior.weights.clone(),
        };
        regression::fit(&base, |f| loose(prior, f), &own(rows, at, keep))
    };
    for i in 0..rows.len() {
        let row = &rows[i];
        // Recorded twice is seen: rows alike are left out together.
        let left_out = weights(&rows, row.profile, &|r| r.profile != row.profile || r.features != row.features);
        let other = rows.iter().any(|r| r.clear && r.profile == row.profile && r.pair.source != row.pair.source);
        let source_out = other.then(|| weights(&rows, row.profile, &|r| r.pair.source != row.pair.source));
        let (left_out, source_out) = (row.features.dot(&left_out), source_out.map(|w| row.features.dot(&w)));
        (rows[i].left_out, rows[i].source_out) = (left_out, source_out);
    }
    let mut list = Vec::new();
    for (at, prior) in priors.iter().enumerate() {
        let mut profile = blank(prior, rounded(&weights(&rows, at, &|_| true)));
        let mine: Vec<&Row> = rows.iter().filter(|r| r.profile == at).collect();
        profile.rows = mine.iter().filter(|r| r.clear).count() as u64;
        profile.error = bounds(prior, &mine, &rows, &priors);
        list.push(profile);
    }
    Fitted { profiles: Profiles::new(list).unwrap(), rows }
}

/// Three digits are more than the rows know.
fn rounded(w: &Features) -> Features {
    let mut out = Features::default();
    for f in Feature::ALL {
        out = out.with(*f, (w.get(*f) * 1000.0).round() / 1000.0);
    }
    out
}

/// Bounds from errors of rows left out. A family of few rows gets those of all small families, if they are wider.
fn bounds(prior: &Prior, mine: &[&Row], all: &[Row], priors: &[Prior]) -> Error {
    let small: HashMap<usize, usize> = all.iter().filter(|r| r.clear).fold(HashMap::new(), |mut m, r| {
        *m.entry(r.profile).or_default() += 1;
        m
    });
    let few = |at: usize| small.get(&at).copied().unwrap_or(0) < 12;
    let tokens = 4.0;
    let of = |rows: &mut dyn Iterator<Item = &Row>, sign: f64| -> f64 {
        let mut off: Vec<f64> = rows
            .filter(|r| r.clear && r.pair.request.schema == ptc_history::tokens::Schema::None)
            .map(|r| {
                let off = sign * (r.pair.reported as f64 - r.left_out);
                (off - tokens).max(0.0) / r.left_out.max(1.0)
            })
            .collect();
        off.sort_by(f64::total_cmp);
        // The largest of few; else all but the largest 3 %, one at least.
        let at = if off.len() < 12 {
            off.len()
        } else {
            (off.len() as f64 * 0.97).ceil().min(off.len() as f64 - 1.0) as usize
        };
        off.get(at.saturating_sub(1)).copied().unwrap_or(0.3)
    };
    let bound = |sign: f64| {
        let own = of(&mut mine.iter().copied(), sign);
        let pooled = of(&mut all.iter().filter(|r| few(r.profile) && priors[r.profile].hold.is_empty()), sign);
        let wide =
            if mine.iter().filter(|r| r.clear).count() < 12 && prior.hold.is_empty() { own.max(pooled) } else { own };
        (wide.max(0.01) * 1000.0).ceil() / 1000.0
    };
    let spread_of = |rows: &mut dyn Iterator<Item = &Row>| {
        let mut off: Vec<f64> = rows.map(|r| (r.pair.reported as f64 - r.left_out).abs()).collect();
        off.sort_by(f64::total_cmp);
        off.get(((off.len() as f64) * 0.97).ceil() as usize - usize::from(!off.is_empty())).copied().unwrap_or(0.0)
    };
    let opaque = spread_of(&mut mine.iter().copied().filter(|r| !r.clear));
    let schema = spread_of(
        &mut mine.iter().copied().filter(|r| r.clear && r.pair.request.schema != ptc_history::tokens::Schema::None),
    );
    Error {
        below: bound(-1.0),
        above: bound(1.0),
        tokens,
        opaque: opaque.max(1000.0).ceil(),
        schema: schema.max(100.0).ceil(),
    }
}

const MAKE: &str = "cargo test -p ptc-history make_profiles -- --ignored";

#[test]
fn k_16_profiles_are_what_the_recorded_requests_say() {
    let kept = include_str!("../../src/tokens/profiles.json");
    assert!(
        kept == fitted().profiles.to_json(),
        "src/tokens/profiles.json is not what the rows say; make it anew: {MAKE}"
    );
    Profiles::from_json(kept).unwrap();
}

#[test]
#[ignore = "writes src/tokens/profiles.json"]
#[allow(clippy::disallowed_methods, reason = "the one place where the file is made")]
fn make_profiles() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tokens/profiles.json");
    std::fs::write(file, fitted().profiles.to_json()).unwrap();
}
