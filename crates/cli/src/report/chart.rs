//! Tokens of each prompt as a picture: with and without compression, as the run sent them, and as was reported.

use super::escape::{count, html, number};
use std::fmt::Write as _;

/// A line of the chart.
pub struct Series {
    /// Its name.
    pub name: &'static str,
    /// Its class in the style: `full`, `short`, `run`.
    pub class: &'static str,
    /// Tokens before each turn; none where no prompt can be made.
    pub tokens: Vec<Option<u64>>,
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
    let mut out = String::from("<div class=\"plot\"><svg class=\"axis\" aria-hidden=\"true\">");
    let ticks: Vec<u64> = (0..=top.checked_div(step).unwrap_or(0)).map(|i| i.saturating_mul(step)).collect();
    for t in &ticks {
        let _ = write!(out, "<text x=\"100%\" y=\"{:.2}%\" dy=\".32em\">{}</text>", y(*t), number(*t));
    }
    out.push_str("</svg><svg class=\"lines\" role=\"img\" aria-label=\"Tokens of the prompt before each turn\">");
    for t in &ticks {
        let _ = write!(out, "<line class=\"grid\" x1=\"0\" x2=\"100%\" y1=\"{0:.2}%\" y2=\"{0:.2}%\"/>", y(*t));
    }
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
    out.push_str("</svg><svg class=\"feet\" aria-hidden=\"true\">");
    let every = turns.div_ceil(12);
    for i in (0..turns).filter(|i| i.is_multiple_of(every)) {
        let _ = write!(out, "<text x=\"{:.3}%\" y=\"14\">{}</text>", x(i), i.saturating_add(1));
    }
    out.push_str("</svg></div><ul class=\"legend\">");
    for s in series {
        let sum = s.tokens.iter().flatten().fold(0_u64, |sum, n| sum.saturating_add(*n));
        let _ = write!(
            out,
            "<li><svg class=\"key\" aria-hidden=\"true\"><path class=\"{}\" d=\"M0 6H22\"/></svg>{} <b>{}</b> over all turns</li>",
            s.class,
            html(s.name),
            number(sum)
        );
    }
    if reported.iter().any(Option::is_some) {
        out.push_str(
            "<li><svg class=\"key\" aria-hidden=\"true\"><circle class=\"told\" cx=\"11\" cy=\"6\" r=\"4\"/></svg>as the provider reported</li>",
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
        let series =
            |name, class, tokens: &[u64]| Series { name, class, tokens: tokens.iter().map(|n| Some(*n)).collect() };
        let all = [series("full history", "full", &[1000, 2000]), series("compressed", "short", &[1000, 1500])];
        let out = tokens(&all, &[None, Some(1600)]);
        assert!(out.contains("<path class=\"full\" d=\"M25.000 50.000L75.000 0.000\"/>"), "{out}");
        assert!(out.contains(
            "<title>Turn 2\nfull history: 2,000 tokens\ncompressed: 1,500 tokens\nreported: 1,600 tokens</title>"
        ));
        assert!(out.contains("<td>2,000</td><td>1,500</td><td>1,600</td>"));
        assert_eq!(out.matches("class=\"told\"").count(), 2);
        assert!(tokens(&[], &[]).contains("no turn"));
        assert!(
            tokens(&[series("full history", "full", &[1])], &[Some(u64::MAX)]).contains("18,446,744,073,709,551,615")
        );
    }
}
