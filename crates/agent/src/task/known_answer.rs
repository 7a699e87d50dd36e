//! Known answers: whether what a session returned is right. It is compared with a value, or a program judges it. The
//! model never sees either.

use crate::clock::HostClock;
use crate::error::{Error, ErrorKind, ErrorText};
use crate::error_text;
use crate::files::read_hand_written;
use crate::task::inputs::Kind;
use ptc_lisp::interface::{RunInput, RunResult};
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::value::compare::number_order;
use ptc_lisp::value::node::on_deep_stack;
use ptc_lisp::value::{Map, Value};
use ptc_lisp::{escape, json, print, quote, read};
use ptc_turns::{Json, Status, Trace};
use std::cmp::Ordering;
use std::path::Path;

/// Deepest nesting of an answer, and of a value that is compared with one.
const DEPTH: u32 = 1000;
/// Most memory that the values of an answer take, in bytes.
const MAX_BYTES: u64 = 512 << 20;
/// Most bytes of a value in the words of a verdict.
const WORDS: usize = 200;

/// What a session should return.
///
/// ```
/// use ptc_agent::KnownAnswer;
/// use ptc_turns::Json;
///
/// let expected = KnownAnswer::data(&serde_json::json!({"mean": 2.5, "names": ["a", "b"]}), 0.01)?;
/// let judge = |text: &str| expected.judge_json(&Json::new(text.into()).unwrap_or_default());
/// assert!(judge(r#"{"names": ["a", "b"], "mean": 2.501}"#).right);
/// assert!(judge(r#"{"names": ["a"], "mean": 2.5}"#).why.is_some());
/// # Ok::<(), ptc_agent::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum KnownAnswer {
    /// This value.
    Value {
        /// As its JSON text reads.
        expected: Value,
        /// How far apart two numbers may be.
        tolerance: f64,
    },
    /// What a program finds right.
    Program(Checker),
}

/// A program whose value is a function of what was returned.
#[derive(Clone, Debug)]
pub struct Checker {
    program: String,
    limits: Limits,
    /// Inputs that it may read as `ctx/NAME`.
    context: Vec<(String, Value)>,
}

/// Whether a session's result is right.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// Whether it is.
    pub right: bool,
    /// Why it is not, on one line; `None` where it is right.
    pub why: Option<String>,
}

impl Verdict {
    fn right() -> Self {
        Verdict { right: true, why: None }
    }

    fn wrong(why: &str) -> Self {
        Verdict { right: false, why: Some(escape::line(why)) }
    }
}

fn limits() -> Limits {
    Limits { data_depth: DEPTH, memory_bytes: MAX_BYTES, source_bytes: u64::MAX, ..Limits::default() }
}

fn words(e: ptc_lisp::error::Error) -> String {
    ErrorText::from(e).to_string()
}

impl KnownAnswer {
    /// The value in a file: JSON, or one value in Clojure's notation where its name ends in `.edn`.
    ///
    /// # Errors
    /// When it cannot be read, is not what its name says, cannot be said in JSON, or is nested too deep.
    pub fn file(path: &Path, tolerance: f64) -> Result<Self, Error> {
        let shown = path.display().to_string();
        let wrong = |what: String| Error::new(ErrorKind::Task, error_text!("{what}"; "correct the file")).at(&shown);
        let text = read_hand_written(path)?;
        let expected = match Kind::of(path) {
            Kind::Json => json::parse_text(&text, &limits()).map_err(|e| wrong(words(e)))?,
            _ => edn(&text).map_err(wrong)?,
        };
        Ok(KnownAnswer::Value { expected, tolerance })
    }

    /// This value.
    ///
    /// # Errors
    /// When it is nested too deep.
    pub fn data(data: &serde_json::Value, tolerance: f64) -> Result<Self, Error> {
        let expected =
            json::parse_text(&data.to_string(), &limits()).map_err(|e| Error::new(ErrorKind::Task, words(e)))?;
        Ok(KnownAnswer::Value { expected, tolerance })
    }

    /// What this program finds right: its last form is a function of the value that was returned, read from its JSON
    /// (objects as maps with keyword keys). `context` are inputs that it may read as `ctx/NAME`.
    ///
    /// # Errors
    /// When it does not compile, fails, or its value is no function.
    pub fn program(program: &str, limits: &Limits, context: Vec<(String, Value)>) -> Result<Self, Error> {
        let checker = Checker { program: program.to_owned(), limits: limits.clone(), context };
        checker.function(&mut Memory::new()).map_err(|w| Error::new(ErrorKind::Task, w))?;
        Ok(KnownAnswer::Program(checker))
    }

    /// The value as JSON, where it is one.
    pub fn json(&self) -> Option<Json> {
        match self {
            KnownAnswer::Value { expected, .. } => Json::new(json::to_text(expected).ok()?),
            KnownAnswer::Program(_) => None,
        }
    }

    /// The value, where it is one.
    pub fn value(&self) -> Option<&Value> {
        match self {
            KnownAnswer::Value { expected, .. } => Some(expected),
            KnownAnswer::Program(_) => None,
        }
    }

    /// Whether a session ended with the right answer; `None` while it has not ended. One that gave up, or had no turn
    /// left, did not.
    pub fn judge(&self, trace: &Trace) -> Option<Verdict> {
        if !trace.ended() {
            return None;
        }
        let last = trace.last()?;
        Some(match last.status {
            Status::Returned | Status::Answered => match &last.value_json {
                Some(json) => self.judge_json(json),
                None => {
                    let got = last.value.as_deref().unwrap_or("nothing");
                    Verdict::wrong(&format!("the returned value cannot be said in JSON: {}", cut(got)))
                }
            },
            Status::Failed => Verdict::wrong(&format!("it gave up: {}", cut(last.value.as_deref().unwrap_or("")))),
            Status::Ok | Status::Error => Verdict::wrong("no turn was left"),
        })
    }

    /// Whether a returned value, as JSON, is right.
    pub fn judge_json(&self, got: &Json) -> Verdict {
        let got = match json::parse_text(got.text(), &limits()) {
            Ok(v) => v,
            Err(e) => return Verdict::wrong(&format!("the returned value cannot be compared: {}", words(e))),
        };
        match self {
            KnownAnswer::Program(checker) => checker.judge(got),
            KnownAnswer::Value { expected, tolerance } => {
                let mut path = Vec::new();
                match differ(expected, &got, *tolerance, &mut path) {
                    None => Verdict::right(),
                    Some(what) => {
                        path.reverse();
                        Verdict::wrong(&format!("answer{} {what}", path.concat()))
                    }
                }
            }
        }
    }
}

/// One value in Clojure's notation, as it would be as JSON.
fn edn(text: &str) -> Result<Value, String> {
    let limits = limits();
    let forms = read::read(text, &limits).map_err(words)?;
    let [form] = forms.as_slice() else {
        return Err(format!("it has {} values, and an answer is one", forms.len()));
    };
    let value = quote::value(form, &limits).map_err(words)?;
    json::normalise(&value, &limits).map_err(words)
}

fn brief(v: &Value) -> String {
    cut(&print::readable(v, WORDS))
}

fn cut(text: &str) -> String {
    ptc_lisp::error::cut(text.to_owned(), WORDS)
}

/// What the first difference is; the way to it is put into `path`, innermost part first. Both values are nested
/// [`DEPTH`] deep at most.
fn differ(expected: &Value, got: &Value, tolerance: f64, path: &mut Vec<String>) -> Option<String> {
    let number = |v: &Value| matches!(v, Value::Int(_) | Value::Big(_) | Value::Float(_));
    let same = match (expected, got) {
        (a, b) if number(a) && number(b) => number_order(a, b) == Ordering::Equal || near(a, b, tolerance),
        (Value::Map(a), Value::Map(b)) => return on_deep_stack(|| entries(a, b, tolerance, path)),
        (Value::Vector(a), Value::Vector(b)) => {
            return on_deep_stack(|| {
                let each = a.iter().zip(b.iter()).enumerate();
                let found = each.into_iter().find_map(|(i, (x, y))| {
                    let what = differ(x, y, tolerance, path)?;
                    path.push(format!("[{i}]"));
                    Some(what)
                });
                let count = |n: usize| if n == 1 { "1 item".to_owned() } else { format!("{n} items") };
                found.or_else(|| {
                    (a.len() != b.len()).then(|| format!("must have {}, got {}", count(a.len()), count(b.len())))
                })
            });
        }
        (a, b) => ptc_lisp::value::compare::equal(a, b),
    };
    (!same).then(|| format!("must be {}, got {}", brief(expected), brief(got)))
}

fn near(a: &Value, b: &Value, tolerance: f64) -> bool {
    let float = |v: &Value| match v {
        Value::Int(i) => Some(i.get() as f64),
        Value::Float(f) => Some(f.get()),
        _ => None,
    };
    matches!((float(a), float(b)), (Some(a), Some(b)) if tolerance > 0.0 && (a - b).abs() <= tolerance)
}

fn entries(expected: &Map, got: &Map, tolerance: f64, path: &mut Vec<String>) -> Option<String> {
    for (k, v) in expected.iter() {
        let Some(other) = got.get(k) else { return Some(format!("must have the key {}", brief(k))) };
        if let Some(what) = differ(v, other, tolerance, path) {
            path.push(match k {
                Value::Keyword(k) => format!(".{}", k.text()),
                other => format!("[{}]", brief(other)),
            });
            return Some(what);
        }
    }
    let more = got.keys().find(|k| expected.get(k).is_none())?;
    Some(format!("has the key {}, and the right answer has not", brief(more)))
}

impl Checker {
    /// Runs the program; its function.
    fn function(&self, memory: &mut Memory) -> Result<Value, ErrorText> {
        let (clock, mut tools) = (HostClock::start(), ());
        let turn = RunInput { context: &self.context, clock: &clock, ..RunInput::new(&self.limits, &[], &mut tools) };
        match ptc_lisp::run(&self.program, memory, turn).ending {
            RunResult::Value(f @ (Value::Function(_) | Value::Builtin(_))) => Ok(f),
            RunResult::Value(other) | RunResult::Returned(other) => {
                Err(error_text!("its value is {}, not a function", brief(&other); "end it with (fn [answer] ...)"))
            }
            RunResult::Failed(_, e) | RunResult::Error(e) => {
                let line = e.span.map(|s| format!("line {}: ", s.line_column(&self.program).0)).unwrap_or_default();
                Err(ErrorText::from(e).prefixed(&line))
            }
        }
    }

    /// Asks the function. What is neither `nil` nor `false` nor a string is right; a string says why it is not.
    fn judge(&self, got: Value) -> Verdict {
        let mut memory = Memory::new();
        let function = match self.function(&mut memory) {
            Ok(f) => f,
            Err(e) => return Verdict::wrong(&format!("answer_program: {e}")),
        };
        let (clock, mut tools) = (HostClock::start(), ());
        let recent = [function, got, Value::Nil];
        let turn =
            RunInput { context: &self.context, clock: &clock, recent, ..RunInput::new(&self.limits, &[], &mut tools) };
        match ptc_lisp::run("(*1 *2)", &mut memory, turn).ending {
            RunResult::Value(Value::Str(why)) | RunResult::Returned(Value::Str(why)) => {
                Verdict::wrong(&cut(why.as_str()))
            }
            RunResult::Value(v) | RunResult::Returned(v) if v.truthy() => Verdict::right(),
            RunResult::Value(_) | RunResult::Returned(_) => Verdict::wrong("answer_program says no"),
            RunResult::Failed(_, e) | RunResult::Error(e) => {
                Verdict::wrong(&format!("answer_program fails: {}", words(e)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn why(expected: serde_json::Value, got: &str) -> String {
        let answer = KnownAnswer::data(&expected, 0.0).unwrap();
        let verdict = answer.judge_json(&Json::new(got.to_owned()).unwrap());
        assert_eq!(verdict.right, verdict.why.is_none());
        verdict.why.unwrap_or_else(|| "right".to_owned())
    }

    #[test]
    fn values_are_compared_as_data() {
        let expected = json!({"a": [1, 2.5, {"b": "x"}], "c": null});
        for (got, words) in [
            (r#"{"c": null, "a": [1.0, 2.5, {"b": "x"}]}"#, "right"),
            (r#"{"a": [1, 2.5, {"b": "y"}], "c": null}"#, r#"answer.a[2].b must be "x", got "y""#),
            (r#"{"a": [1, 2.5], "c": null}"#, "answer.a must have 3 items, got 2 items"),
            (r#"{"a": [2.5, 1, {"b": "x"}], "c": null}"#, "answer.a[0] must be 1, got 2.5"),
            (r#"{"a": [1, 2.5, {"b": "x"}]}"#, "answer must have the key :c"),
            (
                r#"{"a": [1, 2.5, {"b": "x"}], "c": null, "d": 1}"#,
                "answer has the key :d, and the right answer has not",
            ),
            (r#"{"a": [true, 2.5, {"b": "x"}], "c": null}"#, "answer.a[0] must be 1, got true"),
            ("5", r#"answer must be {:a [1 2.5 {:b "x"}], :c nil}, got 5"#),
        ] {
            assert_eq!(why(expected.clone(), got), words);
        }
        assert_eq!(why(json!("1"), "1"), r#"answer must be "1", got 1"#);
        assert_eq!(why(json!(0), "-0.0"), "right");
    }

    #[test]
    fn big_numbers_are_not_rounded_and_a_tolerance_is_one() {
        let big = KnownAnswer::file(&file("big.json", "36893488147419103233"), 0.0).unwrap();
        let judge = |a: &KnownAnswer, got: &str| a.judge_json(&Json::new(got.to_owned()).unwrap()).right;
        assert!(judge(&big, "36893488147419103233") && !judge(&big, "36893488147419103232"));
        assert!(!judge(&big, "36893488147419103232.0"));
        let near = KnownAnswer::data(&json!([0.3, 10]), 0.01).unwrap();
        assert!(judge(&near, "[0.30000000000000004, 10.01]") && !judge(&near, "[0.32, 10]"));
        assert!(!judge(&KnownAnswer::data(&json!(0.3), 0.0).unwrap(), "0.30000000000000004"));
    }

    fn file(name: &str, text: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("ptc-answers-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), text).unwrap();
        folder.join(name)
    }

    #[test]
    fn files_are_json_or_edn_and_hostile_ones_are_errors() {
        let answer = KnownAnswer::file(&file("a.edn", ";; the answer\n{:a (1 2/4 :k) \"b\" #{\"x\"}}"), 0.0).unwrap();
        let got = Json::new(r#"{"a": [1, 0.5, "k"], "b": ["x"]}"#.to_owned()).unwrap();
        assert_eq!(answer.judge_json(&got), Verdict::right());
        let deep = |n: usize| ["[".repeat(n), "]".repeat(n)].concat();
        for (name, text, words) in [
            ("b.edn", "1 2".to_owned(), "it has 2 values, and an answer is one; correct the file"),
            ("c.edn", "{:a".to_owned(), "correct the file"),
            ("d.edn", "##NaN".to_owned(), "cannot be JSON"),
            ("e.edn", deep(100_000), "correct the file"),
            ("f.json", deep(100_000), "data_depth"),
            ("g.json", "{\"a\":".to_owned(), "correct the file"),
            ("h.json", String::new(), "correct the file"),
        ] {
            let error = KnownAnswer::file(&file(name, &text), 0.0).map(drop).unwrap_err().to_string();
            assert!(error.contains(words) && error.len() < 600 && !error.contains('\n'), "{name}: {error}");
        }
        assert!(
            KnownAnswer::file(Path::new("no/such.json"), 0.0)
                .unwrap_err()
                .to_string()
                .contains("there is no such file")
        );
        // What is returned may be as deep as programs can make it, and may be long.
        let verdict = why(json!([[]]), &deep(5000));
        assert!(verdict.starts_with("the returned value cannot be compared: "), "{verdict}");
        let long = format!("[{}1]", "1,".repeat(200_000));
        assert_eq!(why(serde_json::from_str(&long).unwrap(), &long), "right");
        assert!(why(json!(1), &long).len() < 600);
        let deepest = deep(1000);
        assert_eq!(
            KnownAnswer::file(&file("i.json", &deepest), 0.0).unwrap().judge_json(&Json::new(deepest).unwrap()).why,
            None
        );
    }

    #[test]
    fn a_program_may_judge() {
        let program = "(def low 3)\n(fn [answer] (cond (nil? (:n answer)) nil (> (:n answer) low) true :else \"too \\u001blow\"))";
        let answer = KnownAnswer::program(program, &Limits::default(), Vec::new()).unwrap();
        let judge = |got: &str| answer.judge_json(&Json::new(got.to_owned()).unwrap());
        assert_eq!(judge("{\"n\": 5}"), Verdict::right());
        assert_eq!(judge("{\"n\": 2}").why.as_deref(), Some("too \\u{1b}low"));
        assert_eq!(judge("{}").why.as_deref(), Some("answer_program says no"));
        assert!(judge("{\"n\": \"x\"}").why.unwrap().starts_with("answer_program fails: "));
        let small = Limits { fuel: 10_000, ..Limits::default() };
        let endless = KnownAnswer::program("(fn [_] (loop [] (recur)))", &small, Vec::new()).unwrap();
        assert!(endless.judge_json(&Json::default()).why.unwrap().contains("fuel"));
        let inputs = vec![("flights".to_owned(), Value::vector(vec![Value::int(7)]))];
        let reads = KnownAnswer::program("(fn [n] (= n (first ctx/flights)))", &small, inputs).unwrap();
        assert!(reads.judge_json(&Json::new("7".into()).unwrap()).right);
        for (program, words) in [
            ("(fn [a]\n (oops a))", "line 2: "),
            ("5", "its value is 5, not a function; end it with (fn [answer] ...)"),
            ("(fn [a", ""),
            ("", "not a function"),
        ] {
            let error = KnownAnswer::program(program, &small, Vec::new()).map(drop).unwrap_err().to_string();
            assert!(error.contains(words), "{program}: {error}");
        }
    }
}
