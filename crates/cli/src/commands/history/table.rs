//! The report as a table for people.

use ptc_history::report::Row;
use std::fmt::Write as _;

/// A line a policy: savings, cache, cost, and what must be nought.
pub fn text(title: &str, rows: &[(String, Row)]) -> String {
    let mut out = format!("{title}\n\n");
    let width = rows.iter().map(|(n, _)| n.chars().count()).max().unwrap_or(0).max(6);
    let _ = writeln!(
        out,
        "{:width$}  {:>10} {:>7} {:>7} {:>7}  {:>10} {:>6} {:>6} {:>6} {:>6} {:>6}",
        "policy", "saved %", "final %", "cached%", "cost %", "tokens", "breaks", "split", "system", "over", "failed"
    );
    for (name, r) in rows {
        let _ = writeln!(
            out,
            "{name:width$}  {:>10.1} {:>7.1} {:>7.1} {:>7.1}  {:>10} {:>6} {:>6} {:>6} {:>6} {:>6}",
            r.cumulative,
            r.last,
            r.cached,
            r.cost,
            r.tokens,
            r.breaks,
            r.pairs_split,
            r.system_dropped,
            r.over_budget,
            r.failed
        );
    }
    out.push_str(
        "\nsaved: prompt tokens of all requests; final: of the last request of each conversation; cached: share of the\n\
         prompt that begins like the request before; cost: of full history, cached tokens at their price; breaks: requests\n\
         that do not extend the one before; split, system, over, failed: pairs split, system messages lost, requests over\n\
         budget, requests that could not be made.\n",
    );
    for (name, why) in rows.iter().filter_map(|(n, r)| r.failure.as_ref().map(|w| (n, w))) {
        let _ = writeln!(out, "{name}: {why}");
    }
    out
}
