//! The difference between two inputs of one name, where it is shorter than the input.

use super::summary_line::line;
use super::table::{Table, cells};
use crate::conversation::message::{Part, PartKind};
use similar::{ChangeTag, TextDiff};
use std::collections::HashMap;

/// The input as its difference to an earlier one; `None` where that is not less than half as long: then the input is
/// shown as if it were the first.
pub(super) fn since(part: &Part, text: &str, handle: &str, before: &str, earlier: &str) -> Option<String> {
    let title = line(part, text, Some(handle));
    let title = title.strip_suffix(']').unwrap_or(&title);
    if text == before {
        return Some(format!("{title}: unchanged since input {earlier}]"));
    }
    let (what, lines) = match (Table::read(text), Table::read(before)) {
        (Some(new), Some(old)) if part.kind == PartKind::Table => rows(&old, &new)?,
        _ => texts(before, text)?,
    };
    let out = format!("{title}: since input {earlier} {what}]{lines}");
    (out.len() <= text.len() / 2).then_some(out)
}

/// Rows that were added, removed, and changed (those with the same first cell). Their order is ignored: a query may
/// return any.
fn rows(old: &Table<'_>, new: &Table<'_>) -> Option<(String, String)> {
    if old.columns != new.columns {
        return None;
    }
    let gone = without(&old.rows, &new.rows);
    let came = without(&new.rows, &old.rows);
    let name = |row: &str| cells(row).into_iter().next().unwrap_or_default();
    let mut by_name: HashMap<String, usize> = HashMap::new();
    for row in &came {
        let count: &mut usize = by_name.entry(name(row)).or_default();
        *count = count.saturating_add(1);
    }
    let mut changed = 0_usize;
    for row in &gone {
        if let Some(left) = by_name.get_mut(&name(row)).filter(|left| **left > 0) {
            *left = left.saturating_sub(1);
            changed = changed.saturating_add(1);
        }
    }
    let what = format!(
        "{} added, {} removed, {changed} changed",
        came.len().saturating_sub(changed),
        gone.len().saturating_sub(changed)
    );
    let mut lines = String::new();
    for (sign, rows) in [('-', &gone), ('+', &came)] {
        for row in rows.iter() {
            lines.push_str(&format!("\n{sign} {row}"));
        }
    }
    Some((what, lines))
}

/// Those of `these` that are not among `others`, each as many times as it is missing there.
fn without<'a>(these: &[&'a str], others: &[&str]) -> Vec<&'a str> {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for row in others {
        let count: &mut usize = left.entry(row).or_default();
        *count = count.saturating_add(1);
    }
    let mut out = Vec::new();
    for row in these {
        match left.get_mut(row).filter(|n| **n > 0) {
            Some(n) => *n = n.saturating_sub(1),
            None => out.push(*row),
        }
    }
    out
}

/// Most pairs of lines that a diff compares: a larger one would take too long.
const MAX_DIFF_PAIRS: usize = 4_000_000;

/// Lines that were added and removed, with their places; `None` where computing them would take too long.
fn texts(old: &str, new: &str) -> Option<(String, String)> {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let rest = |lines: &[&str]| lines.len().saturating_sub(same);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count().min(rest(&a)).min(rest(&b));
    if rest(&a).saturating_sub(tail).saturating_mul(rest(&b).saturating_sub(tail)) > MAX_DIFF_PAIRS {
        return None;
    }
    let diff = TextDiff::from_slices(&a, &b);
    let (mut added, mut removed) = (0_usize, 0_usize);
    for change in diff.iter_all_changes() {
        match change.tag() {
            ChangeTag::Equal => {}
            ChangeTag::Insert => added = added.saturating_add(1),
            ChangeTag::Delete => removed = removed.saturating_add(1),
        }
    }
    let mut lines = String::new();
    for group in diff.grouped_ops(0) {
        let at = group.first().map_or(0, |op| op.new_range().start.saturating_add(1));
        lines.push_str(&format!("\nline {at}:"));
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = if change.tag() == ChangeTag::Insert { '+' } else { '-' };
            lines.push_str(&format!("\n{sign} {}", change.value()));
        }
    }
    Some((format!("{added} lines added, {removed} removed"), lines))
}
