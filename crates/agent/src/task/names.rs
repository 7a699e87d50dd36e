//! Tables of tables whose names programs can write, or texts and files can carry, and shapes that stand in them.

use crate::error::{Error, ErrorText};
use crate::error_text;
use crate::toml_section::Section;
use ptc_lisp::escape::{hidden, quoted};
use ptc_lisp::types::Type;

/// Tables of tables, `[context.NAME]`: each name with what `f` makes of it, in order.
pub(super) fn named<'d, T>(
    root: &Section<'d>,
    key: &str,
    f: impl Fn(&Section<'d>) -> Result<T, Error>,
) -> Result<Vec<(String, T)>, Error> {
    each(root, key, odd_in_programs, ("is no name that programs can write", "use letters, digits and -"), f)
}

/// Whether a character keeps a name from being written in programs.
fn odd_in_programs(c: char) -> bool {
    c.is_whitespace() || "()[]{}\"'`,;@^~#\\/:".contains(c) || hidden(c)
}

/// Whether programs can write this name.
pub(super) fn writable(name: &str) -> bool {
    !name.is_empty() && !name.contains(odd_in_programs) && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// The same with names that also stand in `{{ACT.INPUT}}` and in names of files: no two of them become one there.
pub(super) fn plainly_named<'d, T>(
    root: &Section<'d>,
    key: &str,
    f: impl Fn(&Section<'d>) -> Result<T, Error>,
) -> Result<Vec<(String, T)>, Error> {
    let odd = |c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_')) || hidden(c);
    each(root, key, odd, ("cannot be the name of an act or an agent", "use letters, digits, - and _"), f)
}

fn each<'d, T>(
    root: &Section<'d>,
    key: &str,
    odd: impl Fn(char) -> bool,
    (wrong, hint): (&str, &str),
    f: impl Fn(&Section<'d>) -> Result<T, Error>,
) -> Result<Vec<(String, T)>, Error> {
    let Some(all) = root.section(key)? else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for name in all.keys() {
        if name.is_empty() || name.contains(&odd) || name.starts_with(|c: char| c.is_ascii_digit()) {
            all.noted::<()>(Err(all.problem_at(name, error_text!("{} {wrong}", quoted(name); "{hint}"))))?;
            continue;
        }
        let read = all.section(name)?.map(|s| all.noted(f(&s))).transpose()?.flatten();
        out.extend(read.map(|read| (name.to_owned(), read)));
    }
    Ok(out)
}

/// A shape in text, as `expect = "[string]"`.
pub(super) fn shape(s: &Section<'_>, key: &str) -> Result<Option<Type>, Error> {
    let Some(text) = s.text(key)? else { return Ok(None) };
    s.noted(text.parse::<Type>().map_err(|e| s.problem_at(key, ErrorText::of(&e, Some(e.hint())).after(key))))
}
