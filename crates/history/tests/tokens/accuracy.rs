//! The figures of "Done means", and the table of docs/tokens.md.

use super::fitted::{Row, fitted};
use ptc_history::tokens::{Profiles, Schema};

fn share(rows: &[&Row], good: impl Fn(&Row) -> bool) -> f64 {
    rows.iter().filter(|r| good(r)).count() as f64 / rows.len().max(1) as f64
}

fn off(estimate: f64, row: &Row) -> f64 {
    (estimate - row.pair.reported as f64).abs() / row.pair.reported as f64
}

fn median(rows: &[&Row], of: impl Fn(&Row) -> f64) -> f64 {
    let mut all: Vec<f64> = rows.iter().map(|r| of(r)).collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(0.0)
}

fn kept(row: &Row) -> f64 {
    row.pair.request.count().tokens as f64
}

fn is_openai(row: &Row) -> bool {
    row.pair.request.provider.contains("openai")
}

/// `cargo test -p ptc-history table_of_all_profiles -- --nocapture` prints it.
#[test]
#[allow(clippy::disallowed_macros, reason = "the table of docs/tokens.md")]
fn table_of_all_profiles() {
    println!(
        "| profile | requests | of them clear | median off | within 10 % | median off, left out | within 10 %, left out | median off, source left out | within low..high, all |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let line = |name: &str, rows: &[&Row]| {
        let clear: Vec<&Row> =
            rows.iter().copied().filter(|r| r.clear && r.pair.request.schema != Schema::Hidden).collect();
        let foreign: Vec<&Row> = clear.iter().copied().filter(|r| r.source_out.is_some()).collect();
        let pc = |x: f64| (100.0 * x * 10.0).round() / 10.0;
        println!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} |",
            rows.len(),
            clear.len(),
            pc(median(&clear, |r| off(kept(r), r))),
            pc(share(&clear, |r| off(kept(r), r) <= 0.1)),
            pc(median(&clear, |r| off(r.left_out, r))),
            pc(share(&clear, |r| off(r.left_out, r) <= 0.1)),
            if foreign.is_empty() {
                "-".to_owned()
            } else {
                pc(median(&foreign, |r| off(r.source_out.unwrap(), r))).to_string()
            },
            pc(share(rows, inside)),
        );
    };
    for (at, p) in Profiles::built_in().all().iter().enumerate() {
        let rows: Vec<&Row> = fitted().rows.iter().filter(|r| r.profile == at).collect();
        line(&p.id, &rows);
    }
    let all: Vec<&Row> = fitted().rows.iter().collect();
    line("all", &all);
    let text: Vec<&Row> = all.iter().copied().filter(|r| is_openai(r) && r.pair.request.tools.is_empty()).collect();
    line("OpenAI, no tools", &text);
    let long = |r: &&Row| is_openai(r) && !r.pair.request.tools.is_empty() && r.pair.reported >= 1000;
    let long: Vec<&Row> = all.iter().copied().filter(long).collect();
    line("OpenAI, tools, 1,000 tokens or more", &long);
    let others: Vec<&Row> = all.iter().copied().filter(|r| !is_openai(r)).collect();
    line("all but OpenAI", &others);
}

fn inside(row: &Row) -> bool {
    let e = row.pair.request.count();
    (e.low..=e.high).contains(&row.pair.reported)
}

#[test]
fn k_16_openai_is_within_ten_percent() {
    let known = |r: &&Row| is_openai(r) && r.clear && r.pair.request.schema == Schema::None;
    let text: Vec<&Row> = fitted().rows.iter().filter(known).filter(|r| r.pair.request.tools.is_empty()).collect();
    assert!(text.len() >= 15, "{}", text.len());
    let tools: Vec<&Row> = fitted().rows.iter().filter(known).filter(|r| !r.pair.request.tools.is_empty()).collect();
    let long: Vec<&Row> = tools.iter().copied().filter(|r| r.pair.reported >= 1000).collect();
    assert!(!long.is_empty());
    for (name, rows, least) in [("text", &text, 0.95), ("tools from 1,000 tokens", &long, 0.95), ("tools", &tools, 0.9)]
    {
        let within = share(rows, |r| off(kept(r), r) <= 0.1);
        assert!(within >= least, "{name}: {within}");
    }
}

#[test]
fn k_16_others_are_within_ten_percent_at_the_median() {
    let others: Vec<&Row> = fitted().rows.iter().filter(|r| !is_openai(r) && r.clear).collect();
    assert!(others.len() > 100);
    let (fit, left_out) = (median(&others, |r| off(kept(r), r)), median(&others, |r| off(r.left_out, r)));
    assert!(fit <= 0.1 && left_out <= 0.1, "{fit} {left_out}");
}

#[test]
fn k_16_bounds_hold_for_all() {
    let all: Vec<&Row> = fitted().rows.iter().collect();
    assert_eq!(all.len(), 344);
    let held = share(&all, inside);
    assert!(held >= 0.95, "{held}");
}

/// What `ptc tokens` is asked: neither the wire format nor what is hidden is said.
#[test]
fn k_16_the_figures_hold_where_only_the_request_is_known() {
    let lines = include_str!("../data/usage-pairs.jsonl").lines();
    let (mut text, mut inside, mut all) = (Vec::new(), 0, 0);
    for (line, row) in lines.zip(&fitted().rows) {
        let mut bare: serde_json::Value = serde_json::from_str(line).unwrap();
        let map = bare.as_object_mut().unwrap();
        map.retain(|k, _| ["provider", "model", "messages", "tools", "schema"].contains(&k.as_str()));
        let request: ptc_history::tokens::Request = serde_json::from_value(bare).unwrap();
        let e = request.count();
        all += 1;
        inside += u32::from((e.low..=e.high).contains(&row.pair.reported));
        if is_openai(row) && request.tools.is_empty() && request.schema == Schema::None {
            text.push(off(e.tokens as f64, row));
        }
    }
    let within = text.iter().filter(|o| **o <= 0.1).count() as f64 / text.len() as f64;
    assert!(text.len() >= 15 && within >= 0.95, "{within}");
    assert!(f64::from(inside) / f64::from(all) >= 0.95, "{inside} of {all}");
}
