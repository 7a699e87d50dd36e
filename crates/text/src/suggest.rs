//! Did you mean: the name that a misspelt one most likely stands for.

/// The name that `word` most likely is a misspelling of.
///
/// ```
/// use ptc_text::suggest::did_you_mean;
///
/// assert_eq!(did_you_mean("stratgy", ["strategy", "retention"]), Some("strategy"));
/// assert_eq!(did_you_mean("budget", ["strategy", "retention"]), None);
/// ```
pub fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A name of kilobytes is no misspelling (SECURITY attack 29).
    if word.len() > 64 {
        return None;
    }
    let long = word.chars().count();
    let allowed: usize = match long {
        0..=1 => 0,
        2..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let mut best: Option<((usize, bool), &str)> = None;
    for n in names {
        if n == word || n.len().abs_diff(word.len()) > allowed.saturating_add(1) || n.len() > 80 {
            continue;
        }
        let d = strsim::damerau_levenshtein(word, n);
        let alike = word.chars().next() == n.chars().next();
        // One letter for another makes a different short word (foo, for); two changes and another beginning, too.
        let other = (long <= 4 && n.chars().count() == long && !same_letters(word, n)) || (d > 1 && !alike);
        if d <= allowed && !other && best.is_none_or(|(b, _)| (d, !alike) < b) {
            best = Some(((d, !alike), n));
        }
    }
    best.map(|b| b.1)
}

fn same_letters(a: &str, b: &str) -> bool {
    let sorted = |s: &str| {
        let mut letters: Vec<char> = s.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(a) == sorted(b)
}
