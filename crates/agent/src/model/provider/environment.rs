//! The environment that keys and addresses come from: handed in, so that tests and hosts bring their own.

use std::collections::BTreeMap;

/// Names and values, as of environment variables. Its `Debug` shows no values: keys are among them.
///
/// ```
/// use ptc_agent::Environment;
///
/// let environment = Environment::default().with("OPENAI_API_KEY", "sk-secret");
/// assert_eq!(environment.get("OPENAI_API_KEY"), Some("sk-secret"));
/// assert!(!format!("{environment:?}").contains("sk-secret"));
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<String, String>,
    /// The variables whose values come from another one, by their names.
    from: BTreeMap<String, String>,
}

impl Environment {
    /// The variables of this process, as they are now; those that are not UTF-8 are left out.
    pub fn of_process() -> Self {
        std::env::vars_os().filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?))).collect()
    }

    /// The value of a variable; an empty or blank one counts as none.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(|v| v.trim()).filter(|v| !v.is_empty())
    }

    /// All variables, in the order of their names.
    pub fn all(&self) -> impl Iterator<Item = (String, String)> {
        self.variables.iter().map(|(k, v)| (k.clone(), v.clone()))
    }

    /// The same with this variable.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// The same with the value of `from` as that of `name`: none where `from` has none. Messages then name `from`.
    #[must_use]
    pub(crate) fn with_value_from(mut self, name: &str, from: &str) -> Self {
        let value = self.get(from).unwrap_or_default().to_owned();
        self.from.insert(name.to_owned(), from.to_owned());
        self.with(name, value)
    }

    /// The variable that a user sets for this one: itself, unless its value comes from another.
    pub(crate) fn variable_to_set<'a>(&'a self, name: &'a str) -> &'a str {
        self.from.get(name).map_or(name, String::as_str)
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(all: I) -> Self {
        Environment {
            variables: all.into_iter().map(|(k, v)| (k.into(), v.into())).collect(),
            ..Environment::default()
        }
    }
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.variables.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_is_none_and_values_are_not_shown() {
        let e = Environment::default().with("A", " x ").with("B", " ");
        assert_eq!((e.get("A"), e.get("B"), e.get("C")), (Some("x"), None, None));
        assert_eq!(format!("{:?}", e.with("OPENAI_API_KEY", "sk-secret")), r#"{"A", "B", "OPENAI_API_KEY"}"#);
    }
}
