//! Tokens of each prompt as a picture: with and without compression, as the run sent them; and what the provider reported:
//! text that it read anew, text that it wrote to its cache, text that it read from there, and the reply.

use super::escape::{count, html, number};
use ptc_agent::model::Price;
use ptc_turns::trace::record::Usage;
use std::fmt::Write as _;

/// A line of the chart.
pub struct Series {
    /// Its name.
    pub name: &'static str,
    /// What it is, for somebody who does not know.
    pub words: &'static str,
    /// Its class in the style: `full`, `short`, `run`.
    pub class: &'static str,
    /// Tokens before each turn; none where no prompt can be made.
    pub tokens: Vec<Option<u64>>,
}

/// Bars of what the provider reported of each turn, with what the words mean; empty where it reported nothing.
pub fn reported(usages: &[&Usage], price: Option<&Price>) -> String {
    let sum = |u: &Usage| {
        let tokens = [u.input_tokens, u.output_tokens];
        tokens.iter().flatten().fold(0_u64, |sum, n| sum.saturating_add(*n))
    };
    let most = usages.iter().map(|u| sum(u)).max().unwrap_or(0);
    if most == 0 {
        return "<p class=\"quiet\">No provider reported tokens: the replies were recorded, or given by a program.</p>"
            .to_owned();
    }
    let step = step(most);
    let top = most.div_ceil(step).max(1).saturating_mul(step);
    let part = |n: u64| 100.0 * n as f64 / top as f64;
    let wide = 100.0 / usages.len().max(1) as f64;
    let mut out = frame(top, step, "Tokens that the provider reported for each turn");
    for (i, u) in usages.iter().enumerate() {
        let Parts { fresh, written, cached, reply } = parts(u);
        let mut y = 100.0;
        for (class, n) in [("cached", cached), ("written", written), ("fresh", fresh), ("reply", reply)] {
            let tall = part(n);
            y -= tall;
            if n > 0 {
                let _ = write!(
                    out,
                    "<rect class=\"{class}\" x=\"{:.3}%\" y=\"{y:.3}%\" width=\"{:.3}%\" height=\"{tall:.3}%\"/>",
                    wide * (i as f64 + 0.14),
                    wide * 0.72
                );
            }
        }
        let cost = price.and_then(|p| p.of(u)).map_or_else(String::new, |c| format!("\ncost: {c:.6}"));
        let to_cache = if written > 0 { format!("\nwritten to the cache: {}", number(written)) } else { String::new() };
        let _ = write!(
            out,
            "<rect class=\"hit\" x=\"{:.3}%\" y=\"0\" width=\"{wide:.3}%\" height=\"100%\"><title>Turn {}\nread anew: {}{to_cache}\nread from the cache: {}\nreply: {}{cost}</title></rect>",
            wide * i as f64,
            i.saturating_add(1),
            number(fresh),
            number(cached),
            number(reply)
        );
    }
    out.push_str("</svg>");
    feet(usages.len(), &mut out);
    let all = usages.iter().map(|u| parts(u)).fold(Parts::default(), |sum, p| Parts {
        fresh: sum.fresh.saturating_add(p.fresh),
        written: sum.written.saturating_add(p.written),
        cached: sum.cached.saturating_add(p.cached),
        reply: sum.reply.saturating_add(p.reply),
    });
    let legend = [
        ("reply", all.reply, "the model's replies"),
        ("fresh", all.fresh, "sent and read anew, at the full price"),
        (
            "written",
            all.written,
            "sent, read anew and written to the provider's cache for requests to come, at a price of its own where it has one",
        ),
        (
            "cached",
            all.cached,
            "sent and read from the provider's cache: the same text had been sent before, so most providers take a fraction of the price",
        ),
    ];
    out.push_str("<ul class=\"legend\">");
    // Few providers report what they write to their cache.
    for (class, n, words) in legend.into_iter().filter(|(class, n, _)| *class != "written" || *n > 0) {
        let _ = write!(
            out,
            "<li><svg class=\"key\" aria-hidden=\"true\"><rect class=\"{class}\" x=\"4\" width=\"14\" height=\"12\"/></svg><b>{}</b> {words}</li>",
            number(n)
        );
    }
    out.push_str("</ul>");
    let costs: Vec<f64> = usages.iter().filter_map(|u| price.and_then(|p| p.of(u))).collect();
    if !costs.is_empty() {
        let _ = write!(
            out,
            "<p>Cost by the task's price: <b>{:.6}</b>, in the currency of that price.</p>",
            costs.iter().sum::<f64>()
        );
    }
    out
}

/// Tokens of a turn, by how they are priced ([`Price::of`]).
#[derive(Default)]
struct Parts {
    /// Of the request, neither from the cache nor to it.
    fresh: u64,
    /// Of the request, written to the cache.
    written: u64,
    /// Of the request, read from the cache.
    cached: u64,
    /// Of the reply.
    reply: u64,
}

fn parts(u: &Usage) -> Parts {
    let sent = u.input_tokens.unwrap_or(0);
    let cached = u.cached_tokens.unwrap_or(0).min(sent);
    let written = u.cache_write_tokens.unwrap_or(0).min(sent.saturating_sub(cached));
    let fresh = sent.saturating_sub(cached).saturating_sub(written);
    Parts { fresh, written, cached, reply: u.output_tokens.unwrap_or(0) }
}

/// The axes of a picture, up to where its lines and bars begin.
fn frame(top: u64, step: u64, label: &str) -> String {
    let y = |n: u64| 100.0 - 100.0 * n as f64 / top as f64;
    let ticks: Vec<u64> = (0..=top.checked_div(step).unwrap_or(0)).map(|i| i.saturating_mul(step)).collect();
    let mut out = String::from(
        "<p class=\"axis-name\" aria-hidden=\"true\">tokens</p><div class=\"plot\"><svg class=\"axis\" aria-hidden=\"true\">",
    );
    for t in &ticks {
        let _ = write!(out, "<text x=\"100%\" y=\"{:.2}%\" dy=\".32em\">{}</text>", y(*t), short_number(*t));
    }
    let _ = write!(out, "</svg><svg class=\"lines\" role=\"img\" aria-label=\"{label}\">");
    for t in &ticks {
        let _ = write!(out, "<line class=\"grid\" x1=\"0\" x2=\"100%\" y1=\"{0:.2}%\" y2=\"{0:.2}%\"/>", y(*t));
    }
    out
}

/// `12,000` where there is room for it, `12 million` and so on above.
fn short_number(n: u64) -> String {
    match n {
        0..1_000_000 => number(n),
        1_000_000..1_000_000_000 => format!("{}M", n as f64 / 1e6),
        _ => format!("{:.0e}", n as f64),
    }
}

/// The numbers of turns below a picture, and the axis' name.
fn feet(turns: usize, out: &mut String) {
    out.push_str("<svg class=\"feet\" aria-hidden=\"true\">");
    let every = turns.div_ceil(12).max(1);
    for i in (0..turns).filter(|i| i.is_multiple_of(every)) {
        let x = 100.0 * (i as f64 + 0.5) / turns as f64;
        let _ = write!(out, "<text x=\"{x:.3}%\" y=\"14\">{}</text>", i.saturating_add(1));
    }
    out.push_str("</svg></div><p class=\"axis-name foot\" aria-hidden=\"true\">turn</p>");
}

/// The picture, its legend, and the numbers as a table.
pub fn tokens(series: &[Series], reported: &[Option<u64>]) -> String {
    let turns = series.iter().map(|s| s.tokens.len()).max().unwrap_or(0);
    let all = series.iter().flat_map(|s| &s.tokens).chain(reported).flatten();
    let Some(most) = all.max().copied().filter(|_| turns > 0) else {
        return "<p class=\"quiet\">There is no turn yet.</p>".to_owned();
    };
    let step = step(most);
    // What a trace reports can be any number.
    let top = most.div_ceil(step).max(1).saturating_mul(step);
    let y = |n: u64| 100.0 - 100.0 * n as f64 / top as f64;
    // Turns stand in the middle of columns of one width, so that one turn is no special case.
    let x = |i: usize| 100.0 * (i as f64 + 0.5) / turns as f64;
    let mut out = frame(top, step, "Tokens of the prompt before each turn");
    out.push_str("<svg viewBox=\"0 0 100 100\" width=\"100%\" height=\"100%\" preserveAspectRatio=\"none\">");
    for s in series {
        let mut path = String::new();
        let mut pen = 'M';
        for (i, tokens) in s.tokens.iter().enumerate() {
            match tokens {
                Some(n) => {
                    let _ = write!(path, "{pen}{:.3} {:.3}", x(i), y(*n));
                    pen = 'L';
                }
                None => pen = 'M',
            }
        }
        let _ = write!(out, "<path class=\"{}\" d=\"{path}\"/>", s.class);
    }
    out.push_str("</svg>");
    // Of many turns points would be a band.
    if turns <= 60 {
        for s in series {
            for (i, n) in s.tokens.iter().enumerate().filter_map(|(i, n)| n.map(|n| (i, n))) {
                let _ = write!(out, "<circle class=\"{}\" cx=\"{:.3}%\" cy=\"{:.3}%\" r=\"3\"/>", s.class, x(i), y(n));
            }
        }
    }
    for (i, n) in reported.iter().enumerate().filter_map(|(i, n)| n.map(|n| (i, n))) {
        let _ = write!(out, "<circle class=\"told\" cx=\"{:.3}%\" cy=\"{:.3}%\" r=\"4\"/>", x(i), y(n));
    }
    for i in 0..turns {
        let _ = write!(
            out,
            "<rect class=\"hit\" x=\"{:.3}%\" y=\"0\" width=\"{:.3}%\" height=\"100%\"><title>{}</title></rect>",
            100.0 * i as f64 / turns as f64,
            100.0 / turns as f64,
            html(&words(i, series, reported))
        );
    }
    out.push_str("</svg>");
    feet(turns, &mut out);
    out.push_str("<ul class=\"legend\">");
    for s in series {
        let sum = s.tokens.iter().flatten().fold(0_u64, |sum, n| sum.saturating_add(*n));
        let _ = write!(
            out,
            "<li><svg class=\"key\" aria-hidden=\"true\"><path class=\"{}\" d=\"M0 6H22\"/></svg><b>{}</b> {}: {}</li>",
            s.class,
            number(sum),
            html(s.name),
            s.words
        );
    }
    if reported.iter().any(Option::is_some) {
        out.push_str(
            "<li><svg class=\"key\" aria-hidden=\"true\"><circle class=\"told\" cx=\"11\" cy=\"6\" r=\"4\"/></svg>as the provider counted what it was sent</li>",
        );
    }
    out.push_str("</ul>");
    table(series, reported, turns, &mut out);
    out
}

fn words(turn: usize, series: &[Series], reported: &[Option<u64>]) -> String {
    let mut out = format!("Turn {}", turn.saturating_add(1));
    for s in series {
        if let Some(n) = s.tokens.get(turn).copied().flatten() {
            let _ = write!(out, "\n{}: {}", s.name, count(n, "token"));
        }
    }
    if let Some(n) = reported.get(turn).copied().flatten() {
        let _ = write!(out, "\nreported: {}", count(n, "token"));
    }
    out
}

fn table(series: &[Series], reported: &[Option<u64>], turns: usize, out: &mut String) {
    let told = reported.iter().any(Option::is_some);
    out.push_str("<details><summary>The numbers</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Tokens of each prompt\"><table class=\"numbers\"><thead><tr><th scope=\"col\">Before turn</th>");
    for s in series {
        let _ = write!(out, "<th scope=\"col\">{}</th>", html(s.name));
    }
    out.push_str(if told { "<th scope=\"col\">reported</th></tr></thead><tbody>" } else { "</tr></thead><tbody>" });
    let cell = |n: Option<u64>| n.map_or_else(|| "–".to_owned(), number);
    for i in 0..turns {
        let _ = write!(out, "<tr><th scope=\"row\"><a href=\"#t{0}\">{0}</a></th>", i.saturating_add(1));
        for s in series {
            let _ = write!(out, "<td>{}</td>", cell(s.tokens.get(i).copied().flatten()));
        }
        if told {
            let _ = write!(out, "<td>{}</td>", cell(reported.get(i).copied().flatten()));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div></details>");
}

/// A round distance of grid lines: at most five of them.
fn step(most: u64) -> u64 {
    let mut unit = 1u64;
    loop {
        for by in [1, 2, 5] {
            let step = unit.saturating_mul(by);
            if most.div_ceil(step) <= 5 {
                return step;
            }
        }
        unit = unit.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grid_lines_are_round() {
        assert_eq!([0, 4, 6, 99, 3200].map(step), [1, 1, 2, 20, 1000]);
        assert_eq!(step(u64::MAX), 5_000_000_000_000_000_000);
    }

    #[test]
    fn a_chart_has_its_lines_points_and_numbers() {
        let series = |name, class, tokens: &[u64]| Series {
            name,
            words: "",
            class,
            tokens: tokens.iter().map(|n| Some(*n)).collect(),
        };
        let all = [series("full history", "full", &[1000, 2000]), series("compressed", "short", &[1000, 1500])];
        let out = tokens(&all, &[None, Some(1600)]);
        assert!(out.contains("<path class=\"full\" d=\"M25.000 50.000L75.000 0.000\"/>"), "{out}");
        assert!(out.contains(
            "<title>Turn 2\nfull history: 2,000 tokens\ncompressed: 1,500 tokens\nreported: 1,600 tokens</title>"
        ));
        assert!(out.contains("<td>2,000</td><td>1,500</td><td>1,600</td>"));
        assert_eq!(out.matches("class=\"told\"").count(), 2);
        assert!(tokens(&[], &[]).contains("no turn"));
        let used = |input, cached, output| Usage {
            input_tokens: Some(input),
            cached_tokens: cached,
            output_tokens: Some(output),
            ..Usage::default()
        };
        let (a, b) = (used(1000, None, 100), used(1600, Some(900), 400));
        let price = Price { input: 2.0, output: 10.0, cached: Some(0.5), cache_write: None };
        let out = reported(&[&a, &b], Some(&price));
        assert!(
            out.contains("<b>1,700</b> sent and read anew") && out.contains("<b>900</b> sent and read from"),
            "{out}"
        );
        assert!(out.contains("Turn 2\nread anew: 700\nread from the cache: 900\nreply: 400\ncost: 0.005850"), "{out}");
        assert!(out.contains("Cost by the task's price: <b>0.008850</b>"), "{out}");
        // What is written to the cache has its own price, and is no part of what has the full one.
        assert!(!out.contains("class=\"written\""), "{out}");
        let c = Usage { cache_write_tokens: Some(600), ..used(1000, Some(300), 0) };
        let price = Price { cache_write: Some(20.0), ..price };
        let out = reported(&[&c], Some(&price));
        assert!(
            out.contains(
                "Turn 1\nread anew: 100\nwritten to the cache: 600\nread from the cache: 300\nreply: 0\ncost: 0.012350"
            ),
            "{out}"
        );
        assert!(
            out.contains("<b>100</b> sent and read anew") && out.contains("<b>600</b> sent, read anew and written")
        );
        assert!(
            out.contains("<rect class=\"written\" x=\"14.000%\" y=\"10.000%\" width=\"72.000%\" height=\"60.000%\"/>"),
            "{out}"
        );
        let odd = used(u64::MAX, Some(u64::MAX), u64::MAX);
        assert!(reported(&[&odd], None).contains("18,446,744,073,709,551,615"));
        assert!(reported(&[&Usage::default()], None).contains("No provider reported"));
        assert!(
            tokens(&[series("full history", "full", &[1])], &[Some(u64::MAX)]).contains("18,446,744,073,709,551,615")
        );
    }
}
