//! The names that can be written in a session, for completion and for what is shown of a call while it is typed.

use crate::commands::doc;
use ptc_lisp::analyze::documentation::written;
use ptc_lisp::analyze::forms;
use ptc_lisp::arity::{params_of, short};
use ptc_lisp::escape;
use ptc_lisp::form::{Form, Kind};
use ptc_lisp::limits::Limits;
use ptc_lisp::read::read;
use ptc_lisp::value::Value;
use ptc_lisp::value::compare::RealizedIter;
use ptc_turns::Session;
use std::collections::{BTreeMap, BTreeSet};

/// Values that are looked into for keys.
const VALUES: usize = 10_000;
/// Items of a list that are looked into.
const ITEMS: usize = 20;
/// Deepest value that is looked into.
const DEPTH: usize = 6;

/// The kind of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// A function: of the language, or defined here.
    Function,
    /// A special form or macro.
    Form,
    /// A tool.
    Tool,
    /// Any other definition, or an input.
    Var,
    /// A key of data.
    Keyword,
}

/// What is known of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Its kind.
    pub kind: NameKind,
    /// Its parameters, as `[f coll]`, an entry an arity.
    pub arglists: Vec<String>,
    /// What it is for; may be empty.
    pub doc: String,
}

/// All names of a session.
#[derive(Clone, Debug, Default)]
pub struct Names(BTreeMap<String, Name>);

impl Names {
    /// Those of this session as it is now.
    pub fn of(session: &Session) -> Self {
        let mut all = BTreeMap::new();
        for b in doc::shown() {
            let arglists = b.params().split('|').map(|p| format!("[{}]", p.trim())).collect();
            let name = Name { kind: NameKind::Function, arglists, doc: b.doc().to_owned() };
            // As programs write it: `str/join`, `Math/abs`.
            all.insert(written(b.name()).into_owned(), name.clone());
            all.insert(short(b.name()).to_owned(), name);
        }
        for f in doc::shown_forms() {
            all.insert(f.name.to_owned(), of_form(f));
        }
        for name in ["*1", "*2", "*3", "*e"] {
            all.insert(name.to_owned(), var(String::new()));
        }
        // Those of the language are fit to be typed.
        let own: BTreeSet<String> = all.keys().cloned().collect();
        for t in session.tools() {
            let list = t.params.as_ref().map(|all| all.iter().map(|p| escape::line(&p.name)).collect::<Vec<_>>());
            let arglists = vec![list.map_or_else(|| "[{...}]".to_owned(), |names| format!("[{}]", names.join(" ")))];
            let name = Name { kind: NameKind::Tool, arglists, doc: t.description.clone() };
            all.insert(format!("tool/{}", t.name), name);
        }
        let mut keys = Keys { found: BTreeSet::new(), left: VALUES };
        for (name, value) in session.inputs() {
            all.insert(format!("ctx/{name}"), var(String::new()));
            keys.look(value, 0);
        }
        for binding in session.memory().bindings() {
            let Some(value) = &binding.value else { continue };
            let doc = binding.doc.as_deref().unwrap_or_default().to_owned();
            let defined = session.trace().turns().iter().rev().filter(|t| t.status.committed());
            let mut defined = defined.flat_map(|t| &t.definitions).filter(|d| d.name == *binding.name);
            let params = match value {
                Value::Function(_) => defined.find_map(|d| d.params.clone()),
                _ => None,
            };
            // What no turn of the session defined, such as a library's function, knows its parameters itself.
            let params = params.or_else(|| params_of(value));
            let name = match (value, params) {
                (Value::Function(_), params) => {
                    Name { kind: NameKind::Function, arglists: params.map(|p| arities(&p)).unwrap_or_default(), doc }
                }
                _ => var(doc),
            };
            all.insert(binding.name.to_string(), name);
            keys.look(value, 0);
        }
        for key in keys.found {
            all.insert(key, Name { kind: NameKind::Keyword, arglists: Vec::new(), doc: String::new() });
        }
        // Names of data, tools and inputs can be any text, and what is offered goes to a terminal as it is.
        let limits = &session.trace().header.limits;
        all.retain(|text, name| own.contains(text) || reads_as_itself(text, name.kind, limits));
        Names(all)
    }

    /// The names that begin so, with what is known of them; `most` at most.
    pub fn beginning<'n>(&'n self, prefix: &'n str, most: usize) -> impl Iterator<Item = (&'n str, &'n Name)> {
        let range = self.0.range::<str, _>((std::ops::Bound::Included(prefix), std::ops::Bound::Unbounded));
        range.map(|(text, name)| (text.as_str(), name)).take_while(move |(text, _)| text.starts_with(prefix)).take(most)
    }

    /// What is known of a name.
    pub fn get(&self, name: &str) -> Option<&Name> {
        self.0.get(name).or_else(|| self.0.get(name.strip_prefix("clojure.core/")?))
    }
}

fn var(doc: String) -> Name {
    Name { kind: NameKind::Var, arglists: Vec::new(), doc }
}

/// Whether a program that has this text names what is meant: one word, without anything that a terminal would obey.
fn reads_as_itself(text: &str, kind: NameKind, limits: &Limits) -> bool {
    if text.chars().any(escape::hidden) {
        return false;
    }
    match (kind, read(text, limits).as_deref()) {
        (NameKind::Keyword, Ok([Form { kind: Kind::Keyword(name), .. }])) => {
            text.strip_prefix(':') == Some(&name.text())
        }
        (NameKind::Keyword, _) => false,
        (_, Ok([Form { kind: Kind::Symbol(name), .. }])) => name.text() == text,
        _ => false,
    }
}

fn of_form(f: &forms::FormRow) -> Name {
    let inside = f.usage.trim_start_matches('(').trim_end_matches(')');
    let params = inside.strip_prefix(f.name).unwrap_or(inside).trim();
    Name { kind: NameKind::Form, arglists: vec![format!("[{params}]")], doc: f.doc.to_owned() }
}

/// `[a b]` as it is, `([a] [a & more])` as its parts.
fn arities(params: &str) -> Vec<String> {
    let Some(inside) = params.strip_prefix('(').and_then(|p| p.strip_suffix(')')) else {
        return vec![params.to_owned()];
    };
    let (mut depth, mut start, mut out) = (0_usize, 0, Vec::new());
    for (at, c) in inside.char_indices() {
        match c {
            '[' | '{' | '(' => {
                if depth == 0 {
                    start = at;
                }
                depth = depth.saturating_add(1);
            }
            ']' | '}' | ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    out.extend(inside.get(start..=at).map(str::to_owned));
                }
            }
            _ => {}
        }
    }
    out
}

/// Keywords that are keys of maps.
struct Keys {
    found: BTreeSet<String>,
    left: usize,
}

impl Keys {
    fn look(&mut self, value: &Value, depth: usize) {
        if self.left == 0 || depth > DEPTH {
            return;
        }
        self.left = self.left.saturating_sub(1);
        match value {
            Value::Map(map) => {
                for (key, inside) in map.iter() {
                    if self.left == 0 {
                        return;
                    }
                    if let Value::Keyword(k) = key {
                        self.found.insert(format!(":{}", k.text()));
                    }
                    self.look(inside, depth.saturating_add(1));
                }
            }
            Value::Vector(_) | Value::Slice(_) | Value::Cons(_) | Value::Lazy(_) => {
                RealizedIter::new(value).take(ITEMS).for_each(|v| self.look(&v, depth.saturating_add(1)));
            }
            _ => {}
        }
    }
}

/// Where the word begins that ends at `pos`.
pub fn word_start(line: &str, pos: usize) -> usize {
    let before = line.get(..pos).unwrap_or(line);
    let ends = |c: char| c.is_whitespace() || ",()[]{}\"'@^`~;".contains(c);
    before.char_indices().rev().find(|(_, c)| ends(*c)).map_or(0, |(at, c)| at.saturating_add(c.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_lisp::interface::{Param, ToolSpec};
    use ptc_lisp::types::Type;
    use ptc_turns::{Config, Input, Json, Libraries, LibraryWords, TurnContext};

    fn session() -> Session {
        let json = Json::new("{\"orders\":[{\"id\":1,\"unitPrice\":{\"net\":2}}]}".to_owned()).unwrap();
        let input = Input {
            name: "shop".into(),
            value: json.value().unwrap(),
            sha256: String::new(),
            file: None,
            json: Some(json),
            note: None,
        };
        let tool = ToolSpec {
            name: "stock.find".into(),
            description: "Units".into(),
            params: Some(vec![Param::new("item", Type::String)]),
            returns: None,
        };
        let mut session = Session::new(Config { inputs: vec![input], tools: vec![tool], ..Config::programs() });
        let program = "(defn zap \"Adds\" ([a] a) ([a & [b]] (+ a b)))\n(def zone {:wide 1})";
        session.run(program, TurnContext::without_host()).unwrap();
        session
    }

    #[test]
    fn names_of_the_language_the_session_its_tools_inputs_and_keys() {
        let names = Names::of(&session());
        let of = |prefix: &str| names.beginning(prefix, 100).map(|n| n.0.to_owned()).collect::<Vec<_>>();
        assert_eq!(of("split-"), ["split-at", "split-with"]);
        assert!(of("str/sp").contains(&"str/split-lines".to_owned()), "{:?}", of("str/"));
        let plain = of("z").into_iter().filter(|name| !name.contains('/')).collect::<Vec<_>>();
        assert_eq!(plain, ["zap", "zero?", "zipmap", "zone"]);
        assert!(of("zip/r").contains(&"zip/root".to_owned()), "{:?}", of("zip/"));
        assert_eq!(of("tool/"), ["tool/stock.find"]);
        assert_eq!(of("ctx/"), ["ctx/shop"]);
        assert_eq!(of(":"), [":id", ":net", ":orders", ":unitPrice", ":wide"]);
        assert!(of("when").contains(&"when-let".to_owned()) && of("*").contains(&"*1".to_owned()));
        assert_eq!(names.beginning("", 7).count(), 7);
    }

    #[test]
    fn parameters_and_docs_are_known() {
        let names = Names::of(&session());
        let lists = |name: &str| names.get(name).unwrap().arglists.clone();
        assert_eq!(lists("zap"), ["[a]", "[a & [b]]"]);
        assert_eq!(names.get("zap").unwrap().doc, "Adds");
        assert_eq!(lists("tool/stock.find"), ["[item]"]);
        assert_eq!(lists("map"), ["[f]", "[f coll]", "[f c1 c2 & colls]"]);
        assert_eq!(lists("clojure.core/do"), ["[body...]"]);
        assert_eq!(names.get("nowhere"), None);
    }

    #[test]
    fn only_what_reads_back_as_itself_is_offered() {
        let mut session = session();
        let program = "(def odd {(keyword \"a\\u001b]0;pwned\\u0007\") 1 (keyword \"b c\") 2 (keyword \"d)\") 3 (keyword \"e\\u202ef\") 4\n  (keyword \"\") 5 (keyword \"n/s\") 6 :süß 7})";
        session.run(program, TurnContext::without_host()).unwrap();
        let names = Names::of(&session);
        let keys: Vec<&str> = names.beginning(":", 100).map(|n| n.0).collect();
        assert_eq!(keys, [":id", ":n/s", ":net", ":orders", ":süß", ":unitPrice", ":wide"]);
        assert!(names.beginning("", usize::MAX).all(|n| !n.0.contains(escape::hidden)));
        let limits = Limits::default();
        for (text, fits) in
            [("tool/stock.find", true), ("tool/a b", false), ("ctx/a\u{1b}[2J", false), ("1", false), ("nil", false)]
        {
            assert_eq!(reads_as_itself(text, NameKind::Tool, &limits), fits, "{text}");
        }
    }

    #[test]
    fn functions_of_libraries_have_parameters() {
        let text = "(defn mean \"Arithmetic mean.\" ([xs] (mean xs 1)) ([xs n] (/ (sum xs) n)))".to_owned();
        let words = LibraryWords { name: "stats".into(), file: "s.lisp".into(), sha256: String::new(), text };
        let libraries = Libraries::load(vec![words], &Limits::default()).unwrap();
        let names = Names::of(&Session::new(Config { libraries, ..Config::programs() }));
        let mean = names.get("stats/mean").unwrap();
        assert_eq!(
            (mean.kind, mean.arglists.as_slice()),
            (NameKind::Function, &["[xs]".to_owned(), "[xs n]".to_owned()][..])
        );
    }

    #[test]
    fn words_begin_behind_brackets_quotes_and_blanks() {
        for (line, word) in
            [("(ma", "ma"), ("(map :un", ":un"), ("'ctx/s", "ctx/s"), ("日 本", "本"), ("", ""), ("(", "")]
        {
            assert_eq!(&line[word_start(line, line.len())..], word, "{line}");
        }
    }
}
