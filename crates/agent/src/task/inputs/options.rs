//! Options of inputs from files: the same in `[context.NAME]` and behind a file's name at the terminal.

use super::kind::Kind;
use crate::error::{Error, ErrorText};
use crate::error_text;
use crate::toml_section::Section;
use encoding_rs::Encoding;
use ptc_lisp::escape;
use ptc_lisp::suggest::did_you_mean;
use ptc_text::option_row::{self, OptionRow};
use serde_json::Value;
use std::fmt;

/// How a file is read. What is not set is guessed from what the file holds.
#[derive(Clone, Default, PartialEq)]
pub struct InputOptions {
    pub(super) encoding: Option<&'static Encoding>,
    pub(super) skip_lines: Option<u64>,
    pub(super) header: Option<bool>,
    pub(super) delimiter: Option<char>,
    pub(super) decimal: Option<Decimal>,
    pub(super) null: Option<Vec<String>>,
    pub(super) limit: Option<u64>,
    pub(super) offset: u64,
    /// What was set, in the order of the rows.
    set: Vec<(&'static str, Vec<String>)>,
}

/// What was set.
impl fmt::Debug for InputOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())
    }
}

/// What separates whole numbers from fractions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decimal {
    /// `1,234.56`
    Point,
    /// `1.234,56`
    Comma,
    /// `1234.56`, and nothing else is a number.
    Plain,
}

type Set = fn(&mut InputOptions, &[String]) -> Result<(), ErrorText>;

/// Every option; a value is its texts, of which all but `null` take one.
pub(crate) const OPTIONS: &[OptionRow<InputOptions, Set>] = &[
    OptionRow {
        name: "encoding",
        of: "text",
        doc: "the encoding of the text, as `utf-8`, `utf-16`, `latin1`, `windows-1252`, `shift_jis`",
        default: |_| "guessed".to_owned(),
        access: |o, v| {
            let name = one(v)?;
            let names = [name.to_owned(), name.replace('_', "-"), name.replace(['-', '_'], "")];
            let found = names.iter().find_map(|n| Encoding::for_label_no_replacement(n.as_bytes()));
            // What Python calls UTF-8 with a byte order mark.
            let found = found.or_else(|| name.eq_ignore_ascii_case("utf-8-sig").then_some(encoding_rs::UTF_8));
            o.encoding = Some(found.ok_or_else(|| {
                let hint = did_you_mean(&name.to_lowercase(), ENCODINGS).map_or_else(
                    || format!("usual ones are {}", ENCODINGS.join(", ")),
                    |near| format!("did you mean {near}?"),
                );
                error_text!("there is no encoding {}", escape::quoted(name); "{hint}")
            })?);
            Ok(())
        },
    },
    OptionRow {
        name: "skip_lines",
        of: "tables",
        doc: "lines above the header that are no part of the table",
        default: |_| "guessed".to_owned(),
        access: |o, v| {
            o.skip_lines = Some(whole("skip_lines", v, 0)?);
            Ok(())
        },
    },
    OptionRow {
        name: "header",
        of: "tables",
        doc: "whether the first row names the columns; without a header they are `:column-1`, `:column-2`, ...",
        default: |_| "guessed".to_owned(),
        access: |o, v| {
            o.header = Some(match one(v)? {
                "true" => true,
                "false" => false,
                other => return Err(format!("header must be true or false, got {}", escape::quoted(other)).into()),
            });
            Ok(())
        },
    },
    OptionRow {
        name: "delimiter",
        of: "tables",
        doc: "what separates fields: `comma`, `semicolon`, `tab`, `bar`, `space`, or the character itself",
        default: |_| "guessed".to_owned(),
        access: |o, v| {
            let text = one(v)?;
            let named = DELIMITERS.iter().find(|(_, name)| *name == text.trim_end_matches('s'));
            let mut chars = text.chars();
            o.delimiter = Some(match (named, chars.next(), chars.next()) {
                (Some((c, _)), ..) => *c,
                (None, Some(c), None) if !c.is_alphanumeric() && !matches!(c, '"' | '\n' | '\r') => c,
                _ => {
                    let names = DELIMITERS.map(|(_, name)| name).join(", ");
                    return Err(
                        error_text!("{} separates no fields", escape::quoted(text); "give one of {names}, or one character"),
                    );
                }
            });
            Ok(())
        },
    },
    OptionRow {
        name: "decimal",
        of: "tables",
        doc: "the decimal sign: `comma` reads `1.234,56`, `point` reads `1,234.56`, `plain` takes only `1234.56` as a number",
        default: |_| "guessed".to_owned(),
        access: |o, v| {
            o.decimal = Some(match one(v)? {
                "," | "comma" => Decimal::Comma,
                "." | "point" => Decimal::Point,
                "plain" => Decimal::Plain,
                other => {
                    let got = escape::quoted(other);
                    return Err(format!("decimal must be comma, point or plain, got {got}").into());
                }
            });
            Ok(())
        },
    },
    OptionRow {
        name: "null",
        of: "tables",
        doc: "texts that stand for nothing, in every column: `[\"NA\", \"-\"]`. Empty fields of a column of numbers always do; `\"\"` makes them so in columns of text too",
        default: |_| "guessed".to_owned(),
        access: |o, v| {
            o.null = Some(v.to_vec());
            Ok(())
        },
    },
    OptionRow {
        name: "limit",
        of: "tables",
        doc: "the most rows that are kept, from 1",
        default: |_| "all".to_owned(),
        access: |o, v| {
            o.limit = Some(whole("limit", v, 1)?);
            Ok(())
        },
    },
    OptionRow {
        name: "offset",
        of: "tables",
        doc: "rows that are passed over first",
        default: |o| o.offset.to_string(),
        access: |o, v| {
            o.offset = whole("offset", v, 0)?;
            Ok(())
        },
    },
];

/// Names of delimiters; an `s` may follow.
pub(super) const DELIMITERS: [(char, &str); 5] =
    [(',', "comma"), (';', "semicolon"), ('\t', "tab"), ('|', "bar"), (' ', "space")];

const ENCODINGS: [&str; 6] = ["utf-8", "latin1", "windows-1252", "utf-16le", "utf-16be", "shift_jis"];

fn one(values: &[String]) -> Result<&str, ErrorText> {
    match values {
        [value] => Ok(value),
        _ => Err("one value; write it once".into()),
    }
}

fn whole(key: &str, values: &[String], from: u64) -> Result<u64, ErrorText> {
    let text = one(values)?;
    text.parse()
        .ok()
        .filter(|n| *n >= from)
        .ok_or_else(|| format!("{key} must be a whole number from {from}, got {}", escape::line(text)).into())
}

/// The keys of the options.
pub(crate) fn keys() -> Vec<&'static str> {
    option_row::keys(OPTIONS)
}

impl InputOptions {
    fn put(&mut self, key: &str, values: Vec<String>) -> Result<(), ErrorText> {
        let Some(row) = option_row::find(OPTIONS, key) else {
            let all = keys();
            let hint = did_you_mean(key, all.iter().copied())
                .map_or_else(|| format!("options are {}", all.join(", ")), |near| format!("did you mean {near}?"));
            return Err(error_text!("there is no option {}", escape::quoted(key); "{hint}"));
        };
        (row.access)(self, &values)?;
        self.set.push((row.name, values));
        self.set.sort_by_key(|(name, _)| keys().iter().position(|k| k == name));
        Ok(())
    }

    /// Those that a table of a task gives among its other keys.
    ///
    /// # Errors
    /// With the line of the key that is wrong.
    pub(crate) fn of_section(s: &Section<'_>) -> Result<Self, Error> {
        let mut out = Self::default();
        for key in keys().into_iter().filter(|k| s.has(k)) {
            let texts = match s.data(key)? {
                Some(Value::String(text)) => vec![text],
                Some(Value::Array(items)) if key == "null" => {
                    items.iter().map(|i| i.as_str().map_or_else(|| i.to_string(), str::to_owned)).collect()
                }
                Some(value @ (Value::Number(_) | Value::Bool(_))) => vec![value.to_string()],
                _ => return Err(s.problem_at(key, format!("{key} must be a text, a number, true or false"))),
            };
            let put = out.put(key, texts).map_err(|e| s.problem_at(key, e));
            s.noted(put)?;
        }
        Ok(out)
    }

    /// Those behind the name of a file, `orders.csv,encoding=latin1,null=NA,null=-`: the name, and the options. A file whose
    /// own name looks so is that file.
    ///
    /// # Errors
    /// When an option is not known, or its value is none.
    pub(crate) fn behind(text: &str) -> Result<(&str, Self), ErrorText> {
        let mut out = Self::default();
        let is_known = |at: &usize| text.get(*at..).and_then(key_of).is_some_and(|key| keys().contains(&key));
        // A key that is not known is one where a file is named so far.
        let is_file = |at: &usize| {
            let file = text.get(..*at).unwrap_or_default();
            let path = file.split_once('=').map_or(file, |(_, path)| path);
            text.get(*at..).and_then(key_of).is_some() && [file, path].iter().any(|f| std::path::Path::new(f).is_file())
        };
        let commas = || text.match_indices(',').map(|(at, _)| at);
        let whole = text.split_once('=').map_or(text, |(_, path)| path);
        let there = [text, whole].iter().any(|f| std::path::Path::new(f).exists());
        let Some(start) = commas().find(|at| is_known(at) || is_file(at)).filter(|_| !there) else {
            return Ok((text, out));
        };
        let (file, mut rest) = text.split_at_checked(start).unwrap_or((text, ""));
        let mut nulls = Vec::new();
        while let Some(key) = key_of(rest) {
            let value = rest.split_once('=').map_or("", |(_, value)| value);
            let next =
                value.match_indices(',').map(|(at, _)| at).find(|at| value.get(*at..).and_then(key_of).is_some());
            let (value, behind) = next.and_then(|at| value.split_at_checked(at)).unwrap_or((value, ""));
            match key {
                "null" => nulls.push(value.to_owned()),
                _ => out.put(key, vec![value.to_owned()])?,
            }
            rest = behind;
        }
        if !nulls.is_empty() {
            out.put("null", nulls)?;
        }
        Ok((file, out))
    }

    /// One that a file of this kind does not have, and what is wrong with it.
    pub(crate) fn unfit(&self, kind: Kind) -> Option<(&'static str, ErrorText)> {
        let (key, _) = self.set.iter().find(|(name, _)| kind.separator().is_none() && *name != "encoding")?;
        let words = error_text!("{key} is for tables, and the file's name does not end in .csv or .tsv"; "take it out, or rename the file");
        Some((*key, words))
    }

    /// They as [`InputOptions::behind`] reads them.
    pub(crate) fn text(&self) -> String {
        let text = |(name, values): &(&str, Vec<String>)| {
            values.iter().map(|value| format!(",{name}={value}")).collect::<String>()
        };
        self.set.iter().map(text).collect()
    }
}

/// The key of a text `,KEY=...`.
fn key_of(text: &str) -> Option<&str> {
    let (key, _) = text.strip_prefix(',')?.split_once('=')?;
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '_' | '-'));
    is_key.then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_follow_a_name() {
        for (text, expected) in [
            ("a.csv", "a.csv|"),
            ("a,b.csv,header=false", "a,b.csv|,header=false"),
            ("x=a.csv,null=NA,encoding=latin-1,null=", "x=a.csv|,encoding=latin-1,null=NA,null="),
            ("a.csv,decimal=,,delimiter=,", "a.csv|,delimiter=,,decimal=,"),
            ("a.csv,skip_lines=2,delimiter=;", "a.csv|,skip_lines=2,delimiter=;"),
            ("a=b,c=d.csv", "a=b,c=d.csv|"),
        ] {
            let (file, options) = InputOptions::behind(text).unwrap();
            assert_eq!(format!("{file}|{}", options.text()), expected, "{text}");
        }
        for (text, words) in [
            ("a.csv,encoding=latin-11", "there is no encoding \"latin-11\""),
            ("a.csv,encoding=", "there is no encoding \"\""),
            ("a.csv,header=no", "header must be true or false, got \"no\""),
            ("a.csv,skip_lines=-1", "skip_lines must be a whole number from 0, got -1"),
            ("a.csv,limit=0", "limit must be a whole number from 1, got 0"),
            ("a.csv,delimiter=xy", "\"xy\" separates no fields"),
            ("a.csv,delimiter=", "\"\" separates no fields"),
            ("a.csv,decimal=;", "decimal must be comma, point or plain, got \";\""),
            ("a.csv,header=true,encodng=latin1", "there is no option \"encodng\""),
        ] {
            let e = InputOptions::behind(text).unwrap_err();
            assert!(format!("{e:?}").contains(&format!("{words:?}")), "{text}: {e:?}");
        }
    }
}
