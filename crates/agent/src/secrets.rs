//! Values that a task takes from the environment by name: filled in where they are needed, and hidden in every error.

use crate::error::{Error, ErrorKind};
use crate::error_text;

/// Shorter values are not looked for in texts: they would be found in ordinary words.
const SHORT: usize = 6;

/// Values that were taken, with their names.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<(String, String)>);

/// Names alone.
impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|s| &s.0)).finish()
    }
}

impl Secrets {
    /// One that was taken elsewhere.
    pub(crate) fn of(name: &str, value: &str) -> Self {
        Secrets(vec![(name.to_owned(), value.to_owned())])
    }

    /// `text` with each `$NAME` and `${NAME}` replaced by that variable's value; `$$` is a dollar.
    ///
    /// # Errors
    /// The name of a variable that is not set, or `None` for a dollar without a name.
    pub(crate) fn fill(&mut self, text: &str, from: impl Fn(&str) -> Option<String>) -> Result<String, Option<String>> {
        let (mut out, mut rest) = (String::new(), text);
        while let Some((before, after)) = rest.split_once('$') {
            out.push_str(before);
            if let Some(after) = after.strip_prefix('$') {
                out.push('$');
                rest = after;
                continue;
            }
            let (name, after) = match after.strip_prefix('{') {
                Some(inner) => inner.split_once('}').ok_or(None)?,
                None => {
                    let end = after.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(after.len());
                    after.split_at_checked(end).ok_or(None)?
                }
            };
            if name.is_empty() {
                return Err(None);
            }
            let value = from(name).ok_or_else(|| Some(name.to_owned()))?;
            out.push_str(&value);
            if !self.0.iter().any(|s| s.0 == name) {
                self.0.push((name.to_owned(), value));
            }
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }

    /// `text` with the names in the place of the values.
    pub(crate) fn hide(&self, text: String) -> String {
        // Also line by line, as texts of many lines are shown in one, and as JSON writes it.
        let parts = |value: &str| -> Vec<String> {
            let quoted = serde_json::to_string(value).unwrap_or_default();
            let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned();
            [value.to_owned(), inner].into_iter().chain(value.lines().map(|l| l.trim().to_owned())).collect()
        };
        let mut long: Vec<(&str, String)> =
            self.0.iter().flat_map(|(name, value)| parts(value).into_iter().map(move |p| (name.as_str(), p))).collect();
        long.retain(|s| s.1.len() >= SHORT);
        // What contains another one goes first.
        long.sort_by_key(|s| std::cmp::Reverse(s.1.len()));
        let text = long.iter().fold(text, |text, (name, value)| {
            if text.contains(value.as_str()) { text.replace(value.as_str(), &format!("${name}")) } else { text }
        });
        long.iter().fold(text, |text, (name, value)| escaped_out(text, name, value))
    }
}

/// `text` with `$name` in the place of `value` where that stands as URLs write it: any of its bytes as `%41`, a blank
/// as `+`. URLs differ in which bytes they escape, so what is compared is what they mean.
fn escaped_out(mut text: String, name: &str, value: &str) -> String {
    if !text.contains(['%', '+']) {
        return text;
    }
    // A value with escapes of its own is put into a URL as it is.
    for plus in [false, true] {
        let means = [value.bytes().collect(), meant(value, plus).0];
        for value in means.iter().filter(|v: &&Vec<u8>| v.len() >= SHORT) {
            let (bytes, starts) = meant(&text, plus);
            let (mut out, mut done, mut at) = (String::with_capacity(text.len()), 0, 0);
            while let Some(found) = bytes.get(at..).and_then(|b| b.windows(value.len()).position(|w| w == value)) {
                let (from, to) = (at.saturating_add(found), at.saturating_add(found).saturating_add(value.len()));
                let place = |i: usize| starts.get(i).copied().unwrap_or(text.len());
                out.push_str(text.get(done..place(from)).unwrap_or_default());
                out.push_str(&format!("${name}"));
                (done, at) = (place(to), to);
            }
            out.push_str(text.get(done..).unwrap_or_default());
            text = out;
        }
    }
    text
}

/// The bytes that a text means as part of a URL, and where each of them begins in it.
fn meant(text: &str, plus: bool) -> (Vec<u8>, Vec<usize>) {
    let (mut bytes, mut starts, mut at) = (Vec::new(), Vec::new(), 0);
    while let Some(&byte) = text.as_bytes().get(at) {
        let escape = text
            .get(at.saturating_add(1)..at.saturating_add(3))
            .filter(|h| byte == b'%' && h.bytes().all(|b| b.is_ascii_hexdigit()));
        let escaped = escape.and_then(|h| u8::from_str_radix(h, 16).ok());
        starts.push(at);
        bytes.push(escaped.unwrap_or(if plus && byte == b'+' { b' ' } else { byte }));
        at = at.saturating_add(if escaped.is_some() { 3 } else { 1 });
    }
    (bytes, starts)
}

/// Pairs of which each value is filled from our environment; `place` says in errors where they stand.
///
/// # Errors
/// When a variable is not set.
pub(crate) fn fill(
    secrets: &mut Secrets,
    pairs: &[(String, String)],
    place: &str,
) -> Result<Vec<(String, String)>, Error> {
    let one = |(key, text): &(String, String)| match secrets.fill(text, |name| std::env::var(name).ok()) {
        Ok(value) => Ok((key.clone(), value)),
        Err(Some(name)) => {
            Err(Error::new(ErrorKind::Setting, error_text!("{key} needs the environment variable {name}"; "set it"))
                .at(place))
        }
        Err(None) => {
            Err(Error::new(ErrorKind::Setting, error_text!("{key} has a $ without a name"; "write $$ for a dollar"))
                .at(place))
        }
    };
    pairs.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_filled_in_and_values_hidden() {
        let mut secrets = Secrets::default();
        let from = |name: &str| match name {
            "TOKEN" => Some("s3cr3t-value".to_owned()),
            "N" => Some("1".to_owned()),
            _ => None,
        };
        let mut fill = |text: &str| secrets.fill(text, from);
        assert_eq!(fill("Bearer $TOKEN"), Ok("Bearer s3cr3t-value".into()));
        assert_eq!(fill("a${N}b$N-$$N"), Ok("a1b1-$N".into()));
        assert_eq!(fill("plain"), Ok("plain".into()));
        assert_eq!(fill("$GONE"), Err(Some("GONE".into())));
        for text in ["$", "a $ b", "${", "${}", "$-"] {
            assert_eq!(fill(text), Err(None), "{text}");
        }
        assert_eq!(secrets.hide("got s3cr3t-value 1".into()), "got $TOKEN 1");
        let mut many = Secrets::default();
        many.fill("$KEY", |_| Some("-----BEGIN\nab\"cdefgh\n".to_owned())).unwrap();
        assert_eq!(many.hide("it said: -----BEGIN | ab\"cdefgh".into()), "it said: $KEY | $KEY");
        assert_eq!(many.hide(r#"{"k":"-----BEGIN\nab\"cdefgh\n"}"#.into()), r#"{"k":"$KEY"}"#);
        let mut odd = Secrets::default();
        odd.fill("$ODD $TWICE", |n| Some(if n == "ODD" { "p\u{e4}ss w/r%d" } else { "aa%20b c" }.to_owned())).unwrap();
        for text in ["p%C3%A4ss%20w/r%d", "p%c3%a4ss%20w%2fr%25d", "p%C3%A4ss+w%2Fr%25d", "%70%C3%A4ss w/r%d"] {
            let hidden = odd.hide(format!("http://u:{text}@h/{text}?q=\u{e4}%41"));
            assert_eq!(hidden, "http://u:$ODD@h/$ODD?q=\u{e4}%41", "{text}");
        }
        assert_eq!(odd.hide("/aa%20b%20c/aa%2520b+c".into()), "/$TWICE/$TWICE");
        assert_eq!(format!("{secrets:?}"), "[\"TOKEN\", \"N\"]");
    }
}
