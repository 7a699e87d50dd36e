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
        if n == word || n.len() > 80 || n.chars().count().abs_diff(long) > allowed {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Each word with the only name there is, and whether it is meant.
    fn each(cases: &[(&str, &str)], is_meant: bool) {
        for (word, name) in cases {
            assert_eq!(did_you_mean(word, [*name]), is_meant.then_some(*name), "{word} for {name}");
        }
    }

    #[test]
    fn longer_words_may_have_more_mistakes() {
        // One in words of two to four characters, two in five to eight, three in longer ones.
        each(
            &[
                ("mp", "map"),
                ("conj", "conjj"),
                ("stratgy", "strategy"),
                ("stategi", "strategy"),
                ("mx_prnt_chrs", "max_print_chars"),
            ],
            true,
        );
        each(
            &[("cnt", "count"), ("strtg", "strategy"), ("mx_prn_chr", "max_print_chars"), ("budget", "strategy")],
            false,
        );
        // Characters are counted, not bytes.
        each(&[("日本", "日本語"), ("größe", "grösse")], true);
    }

    #[test]
    fn letters_in_another_order_are_one_mistake() {
        each(&[("mpa", "map"), ("fitler", "filter"), ("coutn", "count")], true);
    }

    #[test]
    fn another_letter_in_a_short_word_is_another_word() {
        each(&[("foo", "for"), ("nap", "map"), ("pull", "null")], false);
        each(&[("filtar", "filter"), ("nilter", "filter")], true);
    }

    #[test]
    fn two_mistakes_and_another_beginning_are_another_word() {
        each(&[("niltar", "filter")], false);
        each(&[("faltar", "filter"), ("fltar", "filter")], true);
    }

    #[test]
    fn the_nearest_is_taken_then_the_same_beginning_then_the_first() {
        for (word, names, meant) in [
            ("redduce", &["redo-us", "reduced", "reduce"][..], "reduce"),
            ("filtr", &["wiltr", "filter"], "filter"),
            ("filtre", &["filter", "filtrea"], "filter"),
            ("filtre", &["filtrea", "filter"], "filtrea"),
        ] {
            assert_eq!(did_you_mean(word, names.iter().copied()), Some(meant), "{word} in {names:?}");
        }
    }

    #[test]
    fn nothing_is_meant_by_a_letter_by_the_name_itself_or_by_kilobytes() {
        each(&[("x", "xs"), ("", "x"), ("", ""), ("map", "map")], false);
        let (long, name) = ("a".repeat(65), "a".repeat(64));
        each(&[(&long, &name)], false);
        each(&[(&name, &long)], true);
        assert_eq!(did_you_mean("map", []), None);
    }
}
