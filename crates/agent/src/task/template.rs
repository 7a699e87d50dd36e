//! Places in a text that earlier acts fill: `{{act}}` is its answer, `{{act.input}}` an input of it.

use crate::error::{Error, ErrorKind, ErrorText};
use crate::error_text;
use ptc_lisp::escape;
use ptc_lisp::suggest::did_you_mean;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    /// As it stands.
    Text(String),
    /// What an earlier act answered.
    Answer(String),
    /// An input of an earlier act, by its number from 1 or its name.
    Input(String, String),
}

/// The pieces of a text. `\{{` stands for two braces; braces around anything with blanks or braces in it are text.
pub(crate) fn pieces(text: &str) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        let (before, after) =
            (rest.get(..at).unwrap_or_default(), rest.get(at.saturating_add(2)..).unwrap_or_default());
        if let Some(before) = before.strip_suffix('\\') {
            plain.push_str(before);
            plain.push_str("{{");
            rest = after;
            continue;
        }
        plain.push_str(before);
        let inside = after.split_once("}}").map(|(name, rest)| (name.trim(), rest));
        let odd = |c: char| c.is_whitespace() || "{}()[]\"':".contains(c);
        match inside.filter(|(name, _)| !name.is_empty() && !name.contains(odd)) {
            Some((name, behind)) => {
                out.extend((!plain.is_empty()).then(|| Piece::Text(std::mem::take(&mut plain))));
                out.push(match name.split_once('.') {
                    Some((act, input)) => Piece::Input(act.to_owned(), input.to_owned()),
                    None => Piece::Answer(name.to_owned()),
                });
                rest = behind;
            }
            None => {
                plain.push_str("{{");
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    out.extend((!plain.is_empty()).then_some(Piece::Text(plain)));
    out
}

/// Whether what a text refers to can be there: acts before it, and inputs that they have. `inputs` are the names of an
/// act's inputs.
pub(crate) fn check<'a>(
    pieces: &[Piece],
    before: &[&'a str],
    all: &[&'a str],
    inputs: impl Fn(&str) -> Vec<Option<String>>,
) -> Result<(), Error> {
    for piece in pieces {
        let (act, input) = match piece {
            Piece::Text(_) => continue,
            Piece::Answer(act) => (act, None),
            Piece::Input(act, input) => (act, Some(input)),
        };
        let shown = escape::line(act);
        if !before.contains(&act.as_str()) {
            let text: ErrorText = match (all.contains(&act.as_str()), did_you_mean(act, before.iter().copied())) {
                (true, _) => "that act comes no earlier; change the order in [toc]".into(),
                (false, Some(near)) => error_text!("there is no such act"; "did you mean {{{{{near}}}}}?"),
                (false, None) if before.is_empty() => "no act comes earlier; write \\{{ for two braces".into(),
                (false, None) => {
                    error_text!("there is no such act; earlier acts are {}", before.join(", "); "write \\{{{{ for two braces")
                }
            };
            return Err(Error::new(ErrorKind::Task, text.after(format!("{{{{{shown}}}}}"))));
        }
        if let Some(input) = input {
            let has = inputs(act);
            if find(&has, input).is_none() {
                let words = error_text!("{{{{{shown}.{}}}}}: the act {shown} has {} inputs", escape::line(input), has.len(); "name one by its number from 1, or by its name");
                return Err(Error::new(ErrorKind::Task, words));
            }
        }
    }
    Ok(())
}

/// The place of the input that is called so: by its number from 1, or by its name.
pub(crate) fn find(names: &[Option<String>], input: &str) -> Option<usize> {
    let by_name = names.iter().position(|n| n.as_deref() == Some(input));
    by_name
        .or_else(|| input.parse::<usize>().ok().filter(|n| (1..=names.len()).contains(n)).map(|n| n.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_what_only_looks_like_one() {
        let text = |t: &str| Piece::Text(t.into());
        let answer = |t: &str| Piece::Answer(t.into());
        for (source, expected) in [
            ("a", vec![text("a")]),
            ("", vec![]),
            ("{{x}}", vec![answer("x")]),
            ("a {{ x }}{{y.2}}\nb", vec![text("a "), answer("x"), Piece::Input("y".into(), "2".into()), text("\nb")]),
            ("{{x.posts.csv}}", vec![Piece::Input("x".into(), "posts.csv".into())]),
            ("{{:a 1} {:b 2}}", vec![text("{{:a 1} {:b 2}}")]),
            ("\\{{x}} {{}} {{ x", vec![text("{{x}} {{}} {{ x")]),
            ("{{{x}}}", vec![text("{{{x}}}")]),
        ] {
            assert_eq!(pieces(source), expected, "{source}");
        }
    }

    #[test]
    fn what_cannot_be_there_is_told() {
        let inputs = |_: &str| vec![Some("posts".to_owned()), None];
        let check = |text: &str| {
            check(&pieces(text), &["look", "pick"], &["look", "pick", "tell"], inputs)
                .map_or_else(|e| e.to_string(), |()| String::new())
        };
        for text in ["{{look}} {{pick}}", "{{look.1}} {{look.2}} {{look.posts}}", "{{a b}}"] {
            assert_eq!(check(text), "");
        }
        assert_eq!(check("{{lok}}"), "{{lok}}: there is no such act; did you mean {{look}}?");
        assert_eq!(check("{{tell}}"), "{{tell}}: that act comes no earlier; change the order in [toc]");
        assert!(check("{{zzz}}").contains("earlier acts are look, pick; write \\{{ for two braces"));
        assert!(check("{{look.3}}").contains("the act look has 2 inputs"));
    }
}
