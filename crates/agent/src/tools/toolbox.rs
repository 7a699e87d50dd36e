//! Tools as Rust closures: described for programs and models, their panics caught.

use crate::json_depth::{too_deep, too_deep_text};
use crate::tools::executor::{self, Body, CallControl, Job};
use crate::tools::pending::Pending;
use ptc_lisp::error::{ErrorKind, cut};
use ptc_lisp::interface::{CallDeadline, Param, ToolRequest, ToolSpec, Tools};
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::types::Type;
use ptc_lisp::value::{Item as _, Value};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Bytes of an answer that a tool of this process may give, as JSON.
pub(crate) const MAX_ANSWER_BYTES: usize = 256 << 20;

/// What becomes of a call that was in flight when its process ended: nobody knows whether it did anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnCrash {
    /// It is made again, with the key it had ([`CallControl::key`]).
    Repeat,
    /// The session stops and says which call; somebody decides ([`crate::tools::pending::decide`], `ptc approve`).
    Ask,
    /// It is not made again: the program gets an error.
    Fail,
}

/// A tool: what programs see of it, and the closure that answers.
///
/// Each call runs on a thread of its own, so that a closure which panics or hangs ends its call and nothing else:
/// when the turn is cancelled or out of time, or the tool's own time is over, its thread is left behind and the
/// program gets an error. What goes in and out is copied, as JSON.
///
/// ```
/// use ptc_agent::{Tool, arg};
/// use ptc_lisp::{types::Type, value::Value};
///
/// let price = Tool::new("price", |args| match arg(&args, "item").as_str() {
///     Some("pen") => Ok(Value::int(250)),
///     Some(other) => Err(format!("there is no {other}")), // the program can catch it, the model reads it
///     None => Err("item must be a string".to_owned()),
/// })
/// .describe("Price of an item in cents")
/// .param("item", Type::String)
/// .returns(Type::Integer)
/// .timeout(std::time::Duration::from_secs(5));
/// assert_eq!(price.spec.name, "price");
/// ```
pub struct Tool {
    /// As programs and models see it.
    pub spec: ToolSpec,
    body: Body,
    timeout: Option<Duration>,
    /// How soon its closure ends after its call was cancelled; `None` of one that does not.
    stops_within: Option<Duration>,
    /// Its calls are made one after the other.
    in_order: bool,
    /// Its answers come from outside this process: they are held to `memory_bytes` before they are read.
    foreign: bool,
    read_only: bool,
    on_crash: Option<OnCrash>,
    /// Somebody has to approve each call.
    approval: bool,
}

impl Tool {
    /// A tool called as `(tool/NAME ...)`. The closure gets a map from parameter names, as plain keywords, to values
    /// that are JSON, and answers with one; an `Err` is a tool error, which programs can catch. Calls that programs
    /// make together ([`pmap`](ptc_lisp::interface::Tools::call_many)) run at the same time.
    pub fn new(name: impl Into<String>, body: impl Fn(Value) -> Result<Value, String> + Send + Sync + 'static) -> Self {
        Self::with_control(name, move |args, _| body(args))
    }

    /// A tool that changes what it holds: its calls are made one after the other, in the order of the program.
    pub fn in_order(
        name: impl Into<String>,
        body: impl FnMut(Value) -> Result<Value, String> + Send + 'static,
    ) -> Self {
        let body = Mutex::new(body);
        let one = move |args, control: &CallControl| {
            let mut body = body.lock().unwrap_or_else(PoisonError::into_inner);
            // It may have waited here for a call that hung: what nobody waits for is not done late.
            if control.given_up() { Err("the call was given up".to_owned()) } else { body(args) }
        };
        Tool { in_order: true, ..Self::with_control(name, one) }
    }

    /// A tool that can ask whether its answer is still waited for, to end in time; one that does not is left behind.
    pub fn with_control(
        name: impl Into<String>,
        body: impl Fn(Value, &CallControl) -> Result<Value, String> + Send + Sync + 'static,
    ) -> Self {
        Self::text(name, move |args, control| {
            let value = json::parse_text(args, &roomy()).map_err(|e| e.message)?;
            let answer = body(value, control)?;
            // Before it is written and read again, which costs far more than it does itself.
            if answer.depth() > control.depth() {
                return Ok(too_deep_text(control.depth()));
            }
            // What is over `memory_bytes` ends the turn where the session's meter sees it, not here.
            let text = json::to_text_within(&answer, false, MAX_ANSWER_BYTES);
            let text = text.map_err(|e| format!("its answer cannot be JSON: {}", e.message))?;
            text.ok_or_else(|| format!("its answer is longer than {} MB", MAX_ANSWER_BYTES >> 20))
        })
    }

    /// A tool that takes and gives JSON text.
    pub(crate) fn text(
        name: impl Into<String>,
        body: impl Fn(&str, &CallControl) -> Result<String, String> + Send + Sync + 'static,
    ) -> Self {
        let spec = ToolSpec { name: name.into(), description: String::new(), params: None, returns: None };
        Tool {
            spec,
            body: Arc::new(body),
            timeout: None,
            stops_within: None,
            in_order: false,
            foreign: false,
            read_only: false,
            on_crash: None,
            approval: false,
        }
    }

    /// Says that it changes nothing: a call that was in flight when the process ended is made again.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// Says what becomes of a call that was in flight when the process ended. Unless one says so, a tool that is
    /// [`Tool::read_only`] is called again, and of any other somebody is asked.
    #[must_use]
    pub fn on_crash(mut self, on_crash: OnCrash) -> Self {
        self.on_crash = Some(on_crash);
        self
    }

    /// Says that each call is made only when somebody approves it. The turn ends as pending until then; see
    /// [`crate::RunStatus::Pending`].
    #[must_use]
    pub fn needs_approval(mut self) -> Self {
        self.approval = true;
        self
    }

    /// As tasks say it; what they do not say stays.
    pub(crate) fn with_rules(mut self, rules: &Rules) -> Self {
        self.read_only = rules.read_only.unwrap_or(self.read_only);
        self.on_crash = rules.on_crash.or(self.on_crash);
        self.approval |= rules.approval;
        self
    }

    /// The same tool under this description.
    #[must_use]
    pub fn with_spec(mut self, spec: ToolSpec) -> Self {
        self.spec = spec;
        self
    }

    /// Most time of one call; without one there is only the turn's (`wall_ms`).
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Says that the closure asks its [`CallControl`] and ends soon after its call was cancelled or ran out of time: its end
    /// is then waited for, two seconds at most.
    #[must_use]
    pub fn stops_when_cancelled(self) -> Self {
        self.stops_within(executor::GRACE_PERIOD)
    }

    /// The same, waited for so long at most.
    #[must_use]
    pub(crate) fn stops_within(mut self, grace: Duration) -> Self {
        self.stops_within = Some(grace);
        self
    }

    /// Says that its answers come from outside this process.
    pub(crate) fn foreign(mut self) -> Self {
        self.foreign = true;
        self
    }

    /// What it does, for the model.
    #[must_use]
    pub fn describe(mut self, words: impl Into<String>) -> Self {
        self.spec.description = words.into();
        self
    }

    /// Its next parameter. A tool without any takes one map, or nothing.
    #[must_use]
    pub fn param(mut self, name: impl Into<String>, shape: Type) -> Self {
        self.spec.params.get_or_insert_default().push(Param::new(name, shape));
        self
    }

    /// It takes nothing at all.
    #[must_use]
    pub fn no_params(mut self) -> Self {
        self.spec.params = Some(Vec::new());
        self
    }

    /// What it answers: the model reads it, and an answer that is something else is an error of the tool.
    #[must_use]
    pub fn returns(mut self, shape: Type) -> Self {
        self.spec.returns = Some(shape);
        self
    }
}

/// Told the answer of a call as it comes: its place, the answer as JSON text or words of error, and how long it took in
/// milliseconds.
pub(crate) type Note<'a> = &'a mut dyn FnMut(usize, Result<&str, &str>, u64);

/// What a task says of how a tool may be called.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// What becomes of a call in flight.
    pub on_crash: Option<OnCrash>,
    /// Each call has to be approved.
    pub approval: bool,
}

/// What is known of calls that failed besides their words, by their numbers: maps as JSON text.
pub(crate) type Failures = Arc<Mutex<std::collections::HashMap<u64, String>>>;

/// The tools of a session.
///
/// ```
/// use ptc_agent::{Tool, Toolbox, arg};
/// use ptc_lisp::{interface::Tools, types::Type, value::Value};
///
/// let mut tools = Toolbox::new().with(
///     Tool::new("greet", |args| Ok(Value::str(format!("Hello {}", arg(&args, "name").as_str().unwrap_or("you")))))
///         .describe("Greets someone")
///         .param("name", Type::String)
///         .returns(Type::String),
/// );
/// let args = Value::map([(Value::plain_keyword("name"), Value::str("Ann"))]);
/// assert_eq!(tools.call(1, "greet", &args).unwrap().as_str(), Some("Hello Ann"));
/// ```
#[derive(Default)]
pub struct Toolbox {
    tools: Vec<Tool>,
    /// Threads of calls that still run.
    running: Arc<AtomicUsize>,
    failures: Failures,
    /// What is to be told of them before a run.
    pub(crate) warnings: Vec<String>,
}

impl Toolbox {
    /// No tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// These, and one more; it takes the place of one with its name.
    #[must_use]
    pub fn with(mut self, tool: Tool) -> Self {
        self.add(tool);
        self
    }

    /// Adds a tool, in the place of one with its name.
    pub fn add(&mut self, tool: Tool) {
        match self.tools.iter_mut().find(|t| t.spec.name == tool.spec.name) {
            Some(slot) => *slot = tool,
            None => self.tools.push(tool),
        }
    }

    /// What programs see of them, in order: for a session's `Config`.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.tools.iter().map(|t| t.spec.clone()).collect()
    }

    /// Where tools put what else they know of a call that fails.
    pub(crate) fn failures(&self) -> Failures {
        self.failures.clone()
    }

    /// Whether somebody answers for the tool of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn find(&self, name: &str) -> Option<(usize, &Tool)> {
        self.tools.iter().enumerate().find(|(_, t)| t.spec.name == name)
    }

    /// What becomes of a call of this tool that was in flight.
    pub(crate) fn on_crash(&self, name: &str) -> OnCrash {
        let of = |t: &Tool| t.on_crash.unwrap_or(if t.read_only { OnCrash::Repeat } else { OnCrash::Ask });
        self.find(name).map_or(OnCrash::Ask, |(_, t)| of(t))
    }

    /// Whether each call of this tool has to be approved.
    pub fn wants_approval(&self, name: &str) -> bool {
        self.find(name).is_some_and(|(_, t)| t.approval)
    }

    /// The tools whose calls have to be approved.
    pub fn with_approval(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().filter(|t| t.approval).map(|t| t.spec.name.as_str())
    }

    /// Makes these calls at the same time, as [`Tools::call_many`] does; those that have to be approved count as approved.
    /// For a host that has asked somebody itself.
    pub fn call_approved(&mut self, calls: &[ToolRequest<'_>], wait: &CallDeadline<'_>) -> Vec<Result<Value, String>> {
        let session = crate::clock::session_key();
        let keys: Vec<String> = calls.iter().map(|c| format!("{session}-{}", c.id)).collect();
        self.make(calls, &keys, wait, &mut |_, _, _| {}).0
    }

    /// An answer of this tool as the value that programs get.
    pub(crate) fn read(&self, name: &str, text: &str, limits: &Limits) -> Result<Value, String> {
        let tool = self.find(name).map(|(_, t)| t);
        let (foreign, returns) = (tool.is_some_and(|t| t.foreign), tool.and_then(|t| t.spec.returns.as_ref()));
        read(text, foreign, returns, limits)
    }

    /// Makes these calls, at the same time. `note` is called with each answer as it comes, and how long it took in
    /// milliseconds; not those that have none because they were cancelled, or wait for what is given back beside.
    pub(crate) fn make(
        &mut self,
        calls: &[ToolRequest<'_>],
        keys: &[String],
        wait: &CallDeadline<'_>,
        note: Note<'_>,
    ) -> (Vec<Result<Value, String>>, Pending) {
        let start = Instant::now();
        let mut answers: Vec<Option<Result<Value, String>>> = calls.iter().map(|_| None).collect();
        let (mut jobs, mut places) = (Vec::with_capacity(calls.len()), Vec::with_capacity(calls.len()));
        for (place, call) in calls.iter().enumerate() {
            match self.job(call, keys.get(place).cloned().unwrap_or_default()) {
                Ok((job, foreign, returns)) => {
                    jobs.push(job);
                    places.push((place, foreign, returns));
                }
                Err(words) => {
                    note(place, Err(&words), 0);
                    put(&mut answers, place, Err(words));
                }
            }
        }
        let name = |place: usize| calls.get(place).map(|c| c.name);
        let duplicates = |(job, (place, ..)): (&Job, &(usize, bool, Option<Type>))| -> Vec<u64> {
            let same = |(other, (p, ..)): &(&Job, &(usize, bool, Option<Type>))| {
                other.id != job.id && name(*p) == name(*place) && other.args == job.args
            };
            jobs.iter().zip(&places).filter(same).map(|(other, _)| other.id).collect()
        };
        let duplicates: Vec<Vec<u64>> = jobs.iter().zip(&places).map(duplicates).collect();
        jobs.iter_mut().zip(duplicates).for_each(|(job, duplicates)| job.duplicates = duplicates);
        let mut over = |i: usize, answer: &Result<String, String>| {
            let Some((place, foreign, returns)) = places.get(i) else { return };
            let (place, foreign, returns) = (*place, *foreign, returns.as_ref());
            // Read here, so that the session's meter of memory sees the values.
            let value =
                answer.as_ref().map_err(String::clone).and_then(|text| read(text, foreign, returns, wait.limits));
            let ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
            note(place, value.as_ref().map_err(String::as_str).and(answer.as_deref().map_err(String::as_str)), ms);
            put(&mut answers, place, value);
        };
        let done = executor::run(jobs, wait, &self.running, &mut over);
        let mut pending = Pending::default();
        for ((answer, waits), (place, foreign, returns)) in done.into_iter().zip(&places) {
            let (place, foreign, returns) = (*place, *foreign, returns.as_ref());
            pending.calls.extend(waits.into_iter().flat_map(|p| p.calls));
            if answers.get(place).is_some_and(Option::is_none) {
                put(&mut answers, place, answer.and_then(|text| read(&text, foreign, returns, wait.limits)));
            }
        }
        let nobody = || Err("nobody answered".to_owned());
        (answers.into_iter().map(|a| a.unwrap_or_else(nobody)).collect(), pending)
    }

    fn job(&self, call: &ToolRequest<'_>, key: String) -> Result<(Job, bool, Option<Type>), String> {
        let found = self.find(call.name).ok_or_else(|| format!("nobody here answers for the tool {}", call.name));
        let (i, tool) = found?;
        let args = json::to_text(call.args).map_err(|e| e.message)?;
        let row = tool.in_order.then_some(i);
        let (body, timeout, stops_within) = (tool.body.clone(), tool.timeout, tool.stops_within);
        let job = Job { id: call.id, key, duplicates: Vec::new(), body, args, timeout, stops_within, row };
        Ok((job, tool.foreign, tool.spec.returns.clone()))
    }
}

fn put(answers: &mut [Option<Result<Value, String>>], place: usize, answer: Result<Value, String>) {
    if let Some(slot) = answers.get_mut(place) {
        *slot = Some(answer);
    }
}

fn read(text: &str, foreign: bool, returns: Option<&Type>, limits: &Limits) -> Result<Value, String> {
    let memory_bytes = if foreign { limits.memory_bytes } else { u64::MAX };
    let limits = Limits { memory_bytes, ..limits.clone() };
    let value = match json::parse_text(text, &limits) {
        // It ends the turn where the machine sees it, like one of this process.
        Err(e) if e.kind == ErrorKind::Depth => return Ok(too_deep(limits.data_depth)),
        read => read.map_err(|e| format!("its answer: {}", e.message))?,
    };
    returns.map_or(Ok(()), |r| declared(r, &value)).map(|()| value)
}

impl Tools for Toolbox {
    fn call(&mut self, id: u64, name: &str, args: &Value) -> Result<Value, String> {
        let limits = Limits::default();
        let answers = self.call_many(&[ToolRequest { id, name, args }], &CallDeadline::forever(&limits));
        answers.into_iter().next().unwrap_or_else(|| Err("nobody answered".to_owned()))
    }

    fn failure(&mut self, id: u64) -> Option<Value> {
        let text = self.failures.lock().unwrap_or_else(PoisonError::into_inner).remove(&id)?;
        json::parse_text(&text, &roomy()).ok()
    }

    /// On threads of their own, at the same time. Nothing is kept of them, and nobody can be asked: a tool whose calls have
    /// to be approved is not called.
    fn call_many(&mut self, calls: &[ToolRequest<'_>], wait: &CallDeadline<'_>) -> Vec<Result<Value, String>> {
        if let Some(call) = calls.iter().find(|c| self.wants_approval(c.name)) {
            let words = format!("each call of {} has to be approved, and nobody here can be asked", call.name);
            return calls.iter().map(|_| Err(words.clone())).collect();
        }
        self.call_approved(calls, wait)
    }
}

/// Holds an answer to what its tool declares.
fn declared(returns: &Type, answer: &Value) -> Result<(), String> {
    returns.check_json_as("its answer", answer).map_err(|e| {
        let words = cut(returns.to_string(), 500);
        format!("{}; the tool is declared to return {words}", ptc_lisp::escape::line(&e))
    })
}

/// For arguments: the machine that gave them has measured them.
fn roomy() -> Limits {
    Limits { memory_bytes: u64::MAX, data_depth: u32::MAX, integer_bits: u64::MAX, ..Limits::default() }
}

/// An argument by its parameter's name; nil when it was not given.
pub fn arg<'a>(args: &'a Value, name: &str) -> &'a Value {
    match args {
        Value::Map(m) => ptc_lisp::value::lookup::in_map(m, &Value::plain_keyword(name)).unwrap_or(&Value::Nil),
        _ => &Value::Nil,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_answer_fail_panic_and_are_replaced() {
        let mut tools = Toolbox::new()
            .with(Tool::new("a", |_| Ok(Value::int(1))))
            .with(Tool::new("b", |_| Err("no".into())).no_params())
            .with(Tool::new("c", |_| panic!("oh {}", 5)))
            .with(Tool::new("a", Ok).describe("new").param("x", Type::Any));
        assert_eq!(tools.specs().iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(tools.specs()[0].description, "new");
        let mut call = |name: &str| tools.call(1, name, &Value::int(7)).map(|v| ptc_lisp::print::brief(&v));
        assert_eq!(call("a"), Ok("7".into()));
        assert_eq!(call("b"), Err("no".into()));
        assert_eq!(call("c"), Err("the tool panicked: oh 5".into()));
        assert_eq!(call("a"), Ok("7".into()));
        assert_eq!(call("d"), Err("nobody here answers for the tool d".into()));
    }

    #[test]
    fn an_answer_that_is_not_what_the_tool_declares_is_an_error() {
        let answers = |returns: &str, json_text: &'static str| {
            let body = move |_: &str, _: &CallControl| Ok(json_text.to_owned());
            let mut tools = Toolbox::new().with(Tool::text("t", body).returns(returns.parse().unwrap()));
            tools.call(1, "t", &Value::map([])).map(|v| ptc_lisp::print::brief(&v))
        };
        for (returns, text, value) in [
            ("any", "null", "nil"),
            ("string", "\"a\"", "\"a\""),
            ("string?", "null", "nil"),
            ("integer", "5.0", "5.0"),
            ("{a: integer}", "{\"a\": 1, \"b\": 2}", "{:a 1, :b 2}"),
            ("[{a: number?}]", "[{}, {\"a\": 1.5}]", "[{} {:a 1.5}]"),
        ] {
            assert_eq!(answers(returns, text).as_deref(), Ok(value), "{returns}");
        }
        for (returns, text, words) in [
            ("string", "5", "its answer must be a string, got 5; the tool is declared to return string"),
            (
                "[{price: number}]",
                "[{\"price\": 1}, {\"price\": \"x\"}]",
                "its answer[1].price must be a number, got \"x\"; the tool is declared to return \
                 [{price: number}]",
            ),
            (
                "closed {a: any}",
                "{\"b\": 1}",
                "its answer has the key \"b\", and closed {a: any} has no other keys; the tool is declared \
                 to return closed {a: any}",
            ),
        ] {
            assert_eq!(answers(returns, text), Err(words.to_owned()));
        }
    }

    fn ask(tools: &mut Toolbox, calls: &[(&str, i64)], wait: &CallDeadline<'_>) -> Vec<Result<String, String>> {
        let args: Vec<Value> =
            calls.iter().map(|c| Value::map([(Value::plain_keyword("n"), Value::int(c.1))])).collect();
        let asked = calls.iter().zip(&args).zip(1..).map(|((c, args), id)| ToolRequest { id, name: c.0, args });
        let answers = tools.call_many(&asked.collect::<Vec<_>>(), wait);
        answers.into_iter().map(|a| a.map(|v| ptc_lisp::print::brief(&v))).collect()
    }

    #[test]
    fn calls_meet_when_they_are_made_together() {
        let meet = Arc::new(std::sync::Barrier::new(3));
        let limits = Limits::default();
        let mut tools = Toolbox::new()
            .with(Tool::new("meet", move |args| {
                meet.wait();
                Ok(arg(&args, "n").clone())
            }))
            .with(Tool::in_order("row", {
                let mut sum = 0;
                move |args| {
                    let Value::Int(n) = arg(&args, "n") else { return Err("no number".into()) };
                    sum = sum * 10 + n.get();
                    Ok(Value::int(sum))
                }
            }));
        let calls = [("row", 1), ("meet", 1), ("gone", 0), ("meet", 2), ("row", 2), ("row", 3), ("meet", 3)];
        let answers = ask(&mut tools, &calls, &CallDeadline::forever(&limits));
        let missing = "nobody here answers for the tool gone";
        let expected = [Ok("1"), Ok("1"), Err(missing), Ok("2"), Ok("12"), Ok("123"), Ok("3")];
        assert_eq!(answers, expected.map(|a| a.map(str::to_owned).map_err(str::to_owned)));
    }

    #[test]
    fn a_call_that_hangs_ends_and_the_host_goes_on() {
        let (free, held) = std::sync::mpsc::channel::<()>();
        let held = Mutex::new(held);
        let limits = Limits::default();
        let (begun, stopped) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (begins, seen) = (begun.clone(), stopped.clone());
        let mut tools = Toolbox::new()
            .with(Tool::new("hang", move |_| {
                let _ = held.lock().unwrap().recv();
                Ok(Value::Nil)
            }))
            .with(
                Tool::in_order("stuck", |_| {
                    loop {
                        std::thread::park()
                    }
                })
                .timeout(Duration::from_millis(5)),
            )
            .with(
                Tool::with_control("minds", move |_, control| {
                    begins.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                    while !control.given_up() {
                        std::thread::yield_now();
                    }
                    seen.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                    Ok(Value::Nil)
                })
                .stops_when_cancelled(),
            )
            .with(Tool::new("fine", |_| Ok(Value::int(1))));
        let wait = CallDeadline { left_ms: Some(5), ..CallDeadline::forever(&limits) };
        let late =
            Err("no answer within the turn's time (wall_ms = 30000); more is given with --set limits.wall_ms=MS"
                .to_owned());
        assert_eq!(ask(&mut tools, &[("hang", 0), ("hang", 0)], &wait), [late.clone(), late]);
        // Who minds has ended before the call did.
        let runs = || begun.load(std::sync::atomic::Ordering::SeqCst) > 0;
        let over = Err("the turn was cancelled".to_owned());
        assert_eq!(
            ask(&mut tools, &[("minds", 0)], &CallDeadline { cancelled: &runs, ..CallDeadline::forever(&limits) }),
            [over]
        );
        assert_eq!(stopped.load(std::sync::atomic::Ordering::SeqCst), 1);
        let cancelled = CallDeadline { cancelled: &|| true, ..CallDeadline::forever(&limits) };
        assert_eq!(ask(&mut tools, &[("hang", 0)], &cancelled), [Err("the turn was cancelled".to_owned())]);
        let own = Err("no answer within its time (timeout_ms = 5)".to_owned());
        let behind = Err("the call was not made: the one before it hangs".to_owned());
        let calls = [("stuck", 0), ("stuck", 0), ("fine", 0)];
        assert_eq!(ask(&mut tools, &calls, &CallDeadline::forever(&limits)), [own, behind, Ok("1".into())]);
        drop(free);
        assert_eq!(ask(&mut tools, &[("fine", 0)], &CallDeadline::forever(&limits)), [Ok("1".into())]);
    }

    /// Several answers may have come since anybody looked: a run that ends then keeps all of them.
    #[test]
    fn answers_that_arrived_are_kept_when_the_run_ends() {
        let limits = Limits::default();
        let mut tools = Toolbox::new().with(Tool::new("pay", |args| Ok(arg(&args, "n").clone())));
        let running = tools.running.clone();
        // Over as soon as all have answered, and heard of none or one.
        let over = || {
            while running.load(std::sync::atomic::Ordering::SeqCst) > 0 {
                std::thread::yield_now();
            }
            true
        };
        let args: Vec<Value> = (1..=3).map(|n| Value::map([(Value::plain_keyword("n"), Value::int(n))])).collect();
        let asked: Vec<_> = args.iter().zip(1..).map(|(args, id)| ToolRequest { id, name: "pay", args }).collect();
        let mut kept = Vec::new();
        let wait = CallDeadline { cancelled: &over, ..CallDeadline::forever(&limits) };
        let keys = vec![String::new(); 3];
        tools.make(&asked, &keys, &wait, &mut |i, answer, _| kept.push((i, answer.map(str::to_owned).unwrap())));
        kept.sort();
        assert_eq!(kept, [(0, "1".to_owned()), (1, "2".to_owned()), (2, "3".to_owned())]);
    }

    #[test]
    fn calls_left_behind_are_bounded() {
        let limits = Limits::default();
        let mut tools = Toolbox::new()
            .with(
                Tool::new("hang", |_| {
                    loop {
                        std::thread::park()
                    }
                })
                .timeout(Duration::from_millis(1)),
            )
            .with(Tool::new("fine", |_| Ok(Value::Nil)));
        for _ in 0..8 {
            ask(&mut tools, &[("hang", 0); 8], &CallDeadline::forever(&limits));
        }
        let words = "too many calls that were given up still hang (at most 64); start the process again";
        assert_eq!(ask(&mut tools, &[("fine", 0)], &CallDeadline::forever(&limits)), [Err(words.to_owned())]);
    }
}
