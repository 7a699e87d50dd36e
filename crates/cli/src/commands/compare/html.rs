//! The comparison as an HTML report: one file without scripts that needs no network.

use super::stats::{Figure, PolicyRow, Report};
use super::table::{self, HEADS, OF_TASK, amount, figures, plus_minus, range, right, short};
use crate::report::{fill, html, sha256};
use std::fmt::Write as _;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

/// The page.
pub fn page(report: &Report) -> String {
    let policy = format!(
        "default-src 'none'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        sha256(STYLE)
    );
    let list = |all: Vec<String>| all.iter().map(|w| format!("<li>{}</li>", html(w))).collect::<String>();
    fill(PAGE, |place| match place {
        "policy" => policy.clone(),
        "style" => STYLE.to_owned(),
        "title" => html(&table::title(report)),
        "policies" => policies(report),
        "remarks" => list(table::remarks(report)),
        "first" => html(&report.policies.first().map(|p| short(&p.name)).unwrap_or_default()),
        "charts" => charts(report),
        "tasks" => tasks(report),
        "wrong" => wrong(report),
        _ => String::new(),
    })
}

fn head<'a>(first: &[&'a str], heads: impl Iterator<Item = &'a str>) -> String {
    let all = first.iter().copied().chain(heads);
    let cells: String = all.map(|h| format!("<th scope=\"col\">{}</th>", html(h))).collect();
    format!("<table><thead><tr>{cells}</tr></thead><tbody>")
}

/// A name, which may be broken behind its signs.
fn breakable(text: &str) -> String {
    html(text).replace('_', "_<wbr>")
}

fn rightness(is: u64, of: u64) -> String {
    let class = match (is, of) {
        (_, 0) => "quiet",
        (is, of) if is == of => "good",
        _ => "bad",
    };
    format!("<td class=\"{class}\">{}</td>", html(&right(is, of)))
}

/// Which figures any policy has.
fn known(report: &Report) -> Vec<bool> {
    let all: Vec<_> = report.policies.iter().map(figures).collect();
    (0..HEADS.len()).map(|i| all.iter().any(|row| row.get(i).is_some_and(|f| f.0.is_some()))).collect()
}

fn policies(report: &Report) -> String {
    let known = known(report);
    let shown = |i: &usize| known.get(*i) == Some(&true);
    let heads = HEADS.iter().enumerate().filter(|(i, _)| shown(i)).map(|(_, h)| *h);
    let mut out = head(&["policy", "right"], heads);
    for p in &report.policies {
        let _ =
            write!(out, "<tr><th scope=\"row\">{}</th>{}", breakable(&short(&p.name)), rightness(p.right, p.judged));
        for (_, (f, digits)) in figures(p).into_iter().enumerate().filter(|(i, _)| shown(i)) {
            match f {
                Some(f) => out.push_str(&cell(&f, digits)),
                None => out.push_str("<td class=\"quiet\">–</td>"),
            }
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table>");
    out
}

fn cell(f: &Figure, digits: usize) -> String {
    let error = f.error.map(|e| format!(" ± {}", plus_minus(e, digits))).unwrap_or_default();
    let part = match (f.ratio, f.ratio_error) {
        (Some(r), Some(e)) => format!("<small>{r:.2} ± {e:.2}</small>"),
        (Some(r), None) => format!("<small>{r:.2}</small>"),
        (None, _) => String::new(),
    };
    format!("<td>{}{}{part}</td>", amount(f.total, digits), html(&error))
}

/// The parts of the first policy that others have, a picture for each figure.
fn charts(report: &Report) -> String {
    let mut out = String::new();
    for (i, title) in HEADS.iter().enumerate() {
        let figure = |p: &PolicyRow| figures(p).get(i).and_then(|f| f.0).filter(|f| f.ratio.is_some());
        let rows: Vec<(&PolicyRow, Figure)> = report.policies.iter().filter_map(|p| Some((p, figure(p)?))).collect();
        // The largest bar, with its thin one, has a little room behind it.
        let ends = rows.iter().map(|(_, f)| f.ratio.unwrap_or(0.0) + f.ratio_error.unwrap_or(0.0));
        let most = ends.fold(1.0, f64::max) * 1.05;
        if rows.is_empty() || !most.is_finite() {
            continue;
        }
        let _ = write!(out, "<div><h3>{}</h3>", html(title));
        for (p, f) in rows {
            let (ratio, error) = (f.ratio.unwrap_or(0.0), f.ratio_error.unwrap_or(0.0));
            let x = |n: f64| (100.0 * n / most).clamp(0.0, 100.0);
            let _ = write!(
                out,
                "<div class=\"row\"><span>{0}</span><svg role=\"img\" aria-label=\"{ratio:.2}\">\
                 <rect class=\"bar\" x=\"0\" y=\"4\" height=\"14\" width=\"{1:.2}%\"/>\
                 <line class=\"one\" x1=\"{2:.2}%\" x2=\"{2:.2}%\" y1=\"0\" y2=\"22\"/>",
                breakable(&short(&p.name)),
                x(ratio),
                x(1.0)
            );
            if error > 0.0 {
                let _ = write!(
                    out,
                    "<line class=\"thin\" x1=\"{:.2}%\" x2=\"{:.2}%\" y1=\"11\" y2=\"11\"/>",
                    x(ratio - error),
                    x(ratio + error)
                );
            }
            let _ = write!(out, "</svg><b>{ratio:.2}</b></div>");
        }
        out.push_str("</div>");
    }
    if out.is_empty() { "<p class=\"quiet\">There is nothing to compare yet.</p>".to_owned() } else { out }
}

fn tasks(report: &Report) -> String {
    let mut out = head(&["task", "policy", "right"], OF_TASK.iter().map(|o| o.0));
    for (at, name) in report.tasks.iter().enumerate() {
        let rows = report.policies.iter().filter_map(|p| Some((p, p.tasks.get(at)?)));
        for (i, (p, task)) in rows.enumerate() {
            let (class, title) = match i {
                0 => (" class=\"new\"", html(&short(name))),
                _ => ("", String::new()),
            };
            let (is, of) = task.right();
            let _ = write!(
                out,
                "<tr{class}><th scope=\"row\">{title}</th><td class=\"task\">{}</td>{}",
                breakable(&short(&p.name)),
                rightness(is, of)
            );
            for (_, measure, digits) in OF_TASK {
                let shown = task.spread(measure).map_or_else(|| "–".to_owned(), |s| range(&s, digits));
                let _ = write!(out, "<td>{}</td>", html(&shown));
            }
            out.push_str("</tr>");
        }
    }
    out.push_str("</tbody></table>");
    out
}

/// Answers that are not right, and why.
fn wrong(report: &Report) -> String {
    let mut items = String::new();
    let mut count = 0_u64;
    for p in &report.policies {
        for (task, run) in p.tasks.iter().flat_map(|t| t.runs.iter().map(move |r| (t, r))) {
            if run.right != Some(false) {
                continue;
            }
            count = count.saturating_add(1);
            let _ = write!(
                items,
                "<li>{}, {}, run {}: {}</li>",
                html(&short(&task.task)),
                breakable(&short(&p.name)),
                run.run,
                html(run.why.as_deref().unwrap_or(""))
            );
        }
    }
    if count == 0 {
        return String::new();
    }
    let title = crate::report::count(count, "wrong answer");
    format!("<details><summary>{title}</summary><ul class=\"wrong\">{items}</ul></details>")
}
