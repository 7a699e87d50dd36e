//! What `(doc name)` prints and `ptc doc name` shows: functions, forms, classes with their constants, and namespaces.

use super::static_fields::{plain_class, static_field};
use super::{forms, unsupported};
use crate::builtins::java::classes;
use crate::builtins::row::BuiltinRow;
use crate::builtins::system::apropos::{class_names, constants};
use crate::builtins::{self, time};
pub use crate::namespaces::written;
use crate::namespaces::{default_alias, is_namespace};
use crate::suggest::did_you_mean;
use crate::value::Builtin;
use std::fmt::Write as _;

/// The function of a name, by an alias of its namespace too, or with the package of its class.
pub fn function(name: &str) -> Option<&'static Builtin> {
    let name = name.strip_prefix("clojure.core/").unwrap_or(name);
    let full = || {
        let (alias, word) = name.split_once('/')?;
        builtins::find(&format!("{}/{word}", default_alias(alias)?))
    };
    builtins::find(name).or_else(full).or_else(|| builtins::find(plain_class(name)?))
}

/// What the language has under a name, as text; a namespace may end in `/`.
pub fn text(name: &str) -> Option<String> {
    function(name)
        .map(Builtin::doc_text)
        .or_else(|| Some(forms::find(name)?.doc_text()))
        .or_else(|| constant(name))
        .or_else(|| class(name.strip_suffix('/').unwrap_or(name)))
        .or_else(|| namespace(name.strip_suffix('/').unwrap_or(name)))
        .or_else(|| package(name))
}

/// What to do where there is nothing under a name: what to write instead, or which name is near, of the language or of
/// `own`.
pub fn suggestion<'a>(name: &str, own: impl Iterator<Item = &'a str>) -> String {
    let plain = plain(name);
    if let Some(instead) = unsupported::unsupported_hint(plain) {
        return instead.to_owned();
    }
    if let Some(instead) = unsupported::elsewhere(plain) {
        return format!("write {instead}");
    }
    let word = plain.rsplit('/').next().filter(|w| !w.is_empty()).unwrap_or(plain);
    match near(name, own) {
        Some(near) if near.ends_with('?') => format!("did you mean `{near}`?"),
        Some(near) => format!("did you mean {near}?"),
        None => unsupported::class(name).map_or_else(
            || format!("(apropos {}) finds names by a part of them", crate::escape::quoted(word)),
            str::to_owned,
        ),
    }
}

/// The name that was meant, of the language or of `own`: the same in another case, or a near one.
pub fn near<'a>(name: &str, own: impl Iterator<Item = &'a str>) -> Option<String> {
    let plain = plain(name);
    let mut all: Vec<String> = own.map(str::to_owned).chain(class_names()).chain(constants()).collect();
    all.extend(forms::FORMS.iter().filter(|f| f.is_public()).map(|f| f.name.to_owned()));
    for b in builtins::all().filter(|b| b.is_public()) {
        all.extend([b.name().to_owned(), written(b.name()).into_owned()]);
    }
    if let Some(same) = all.iter().find(|n| n.eq_ignore_ascii_case(plain)) {
        return Some(same.clone());
    }
    if let Some(near) = did_you_mean(plain, all.iter().map(String::as_str)) {
        return Some(near.to_owned());
    }
    let small = plain.to_lowercase();
    all.into_iter().find(|n| did_you_mean(&small, [n.to_lowercase().as_str()]).is_some())
}

/// A name without the core's namespace, or the package of its class.
fn plain(name: &str) -> &str {
    let name = name.strip_prefix("clojure.core/").unwrap_or(name);
    plain_class(name).unwrap_or(name)
}

/// Names, each with the first line of what it does.
fn lines<'a>(functions: impl Iterator<Item = &'a Builtin>) -> String {
    functions.fold(String::new(), |mut out, b| {
        let first = b.doc().lines().next().unwrap_or_default();
        let _ = writeln!(out, "  {:<22} {first}", written(b.name()));
        out
    })
}

fn constant(name: &str) -> Option<String> {
    let (class, field) = name.split_once('/')?;
    let value = crate::print::brief(&static_field(class, field)?);
    Some(format!("{}/{field}\n  A constant: {value}\n", plain_class(class).unwrap_or(class)))
}

/// A class: what makes its values, its static methods, and its constants; for those of dates, the methods
/// that values of such classes have.
fn class(name: &str) -> Option<String> {
    let full = classes::full_name(name)?;
    let short = full.rsplit('.').next().unwrap_or_default();
    let of = |member: &str| member.strip_prefix(short).is_some_and(|rest| rest == "." || rest.starts_with('/'));
    let mut out = format!("{full}\n  A class.\n{}", lines(builtins::all().filter(|b| of(b.name()))));
    let constants: Vec<String> = constants().filter(|n| of(n)).collect();
    if !constants.is_empty() {
        let _ = writeln!(out, "  Constants: {}", constants.join(" "));
    }
    let mut methods: Vec<&str> = method_tables(&full).iter().copied().flatten().map(|row| row.name).collect();
    methods.retain(|name| name.starts_with('.'));
    methods.sort_unstable();
    if !methods.is_empty() {
        let _ = writeln!(out, "  Methods here and in kindred classes: {}", methods.join(" "));
    }
    Some(out)
}

/// The rows among which are the methods of a class, of those whose methods are no functions of the core by another name.
fn method_tables(class: &str) -> &'static [&'static [BuiltinRow]] {
    if class.starts_with("java.time.") { time::TABLES } else { &[] }
}

/// A namespace: its functions. Of the core only their names are told, for they are many.
fn namespace(name: &str) -> Option<String> {
    let full = default_alias(name).unwrap_or(name);
    let mut out = format!("{full}\n  A namespace.\n");
    if full == "clojure.core" {
        let own = builtins::all().filter(|b| b.is_public()).map(Builtin::name);
        let names: Vec<&str> = own.filter(|n| *n == "/" || !n.contains(['/', '.'])).collect();
        let _ = writeln!(out, "  {}", names.join(" "));
        return Some(out);
    }
    let inside = |b: &&Builtin| b.name().strip_prefix(full).is_some_and(|rest| rest.starts_with('/'));
    let functions = lines(builtins::all().filter(inside));
    out.push_str(&functions);
    (is_namespace(full) && !functions.is_empty()).then_some(out)
}

/// A package: its classes.
fn package(name: &str) -> Option<String> {
    let inside = |full: &String| full.strip_prefix(name).is_some_and(|rest| rest.rfind('.') == Some(0));
    let classes: Vec<String> = classes::full_names().filter(inside).collect();
    (!classes.is_empty()).then(|| format!("{name}\n  A package of classes.\n  {}\n", classes.join("\n  ")))
}
