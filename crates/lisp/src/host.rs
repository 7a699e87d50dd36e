//! What a builtin may do to the world: the one small trait between the functions of the language and the machine.
//! What is not on it, no builtin can do: that is the sandbox.

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::value::cells::CellId;
use crate::value::sequence::{Begin, Source};
use crate::value::{Item, Lazy, Value};
use std::any::Any;

/// What a computation gives: a value, or why it stopped.
pub type Result<T = Value> = std::result::Result<T, Stop>;

/// Why a computation stopped before its value. One word wide, so that results stay in registers.
#[derive(Debug)]
pub struct Stop(Box<Why>);

/// The reasons to stop. The first three are errors of the program, which `catch` can see; a limit never (difference 4).
pub enum Why {
    /// An exception that the program threw, or threw again.
    Throw(Value),
    /// An error in words.
    Fault(Error),
    /// A builtin's complaint about one of its arguments; the caller knows its name.
    Argument {
        /// Which argument, from 0.
        index: usize,
        /// The kind of error.
        kind: ErrorKind,
        /// What follows the parameter's name: `must be a number, got nil`.
        problem: String,
    },
    /// The end of a budget.
    Limit(Error),
    /// `(return value)`
    Return(Value),
    /// `(fail reason)`
    Fail(Value),
}

impl std::fmt::Debug for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Throw(_) => f.write_str("Throw"),
            Why::Fault(e) | Why::Limit(e) => write!(f, "{e}"),
            Why::Argument { index, problem, .. } => write!(f, "argument {index} {problem}"),
            Why::Return(_) => f.write_str("Return"),
            Why::Fail(_) => f.write_str("Fail"),
        }
    }
}

impl Stop {
    /// For this reason.
    #[cold]
    pub fn new(why: Why) -> Self {
        Stop(Box::new(why))
    }

    /// An error in words; a limit if its kind is one.
    #[cold]
    pub fn error(kind: ErrorKind, message: impl Into<String>) -> Self {
        let e = Error::new(kind, message);
        Stop::new(if kind.is_limit() { Why::Limit(e) } else { Why::Fault(e) })
    }

    /// The same with a hint.
    #[cold]
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        if let Why::Fault(e) | Why::Limit(e) = &mut *self.0 {
            e.hint = Some(hint.into());
        }
        self
    }

    /// Argument `index` is of the wrong type: `map: coll must be a collection, got 5`.
    #[cold]
    pub fn argument(index: usize, expected: &str, got: &Value) -> Self {
        let problem = format!("must be {expected}, got {}", crate::print::brief(got));
        Stop::new(Why::Argument { index, kind: ErrorKind::Type, problem })
    }

    /// Argument `index` is of the right type and no use: `nth: index must be less than 2, got 5`.
    #[cold]
    pub fn bad(index: usize, kind: ErrorKind, problem: impl Into<String>) -> Self {
        Stop::new(Why::Argument { index, kind, problem: problem.into() })
    }

    /// The reason.
    pub fn why(&self) -> &Why {
        &self.0
    }

    /// The reason, to change it.
    pub fn why_mut(&mut self) -> &mut Why {
        &mut self.0
    }

    /// The reason, owned.
    pub fn into_why(self) -> Why {
        *self.0
    }
}

impl From<Error> for Stop {
    /// An error in words, or a limit if its kind is one.
    fn from(e: Error) -> Self {
        Stop::new(if e.kind.is_limit() { Why::Limit(e) } else { Why::Fault(e) })
    }
}

/// The body of a builtin: arguments are its own, to take from (a value held once is changed in place).
pub struct Body(pub fn(&mut dyn Host, &mut [Value]) -> Result);

/// What the machine does for builtins.
pub trait Host {
    /// Calls any callable value; `args` are moved out.
    fn call(&mut self, f: &Value, args: &mut [Value]) -> Result;
    /// Pays for `units` of work before it is done: one for about ten nanoseconds, at least one an element.
    fn spend(&mut self, units: u64) -> Result<()>;
    /// Asks for `bytes` that are about to be allocated.
    fn room(&mut self, bytes: u64) -> Result<()>;
    /// Captures printed text: one entry a call, or more of the text that `with-out-str` collects.
    fn print(&mut self, text: String) -> Result<()>;
    /// The limits in force.
    fn limits(&self) -> &Limits;
    /// Calls a tool the host granted.
    fn tool(&mut self, name: &str, args: &mut [Value]) -> Result;
    /// Makes a mutable cell.
    fn cell(&mut self, value: Value) -> Result<CellId>;
    /// What a cell holds.
    fn cell_get(&mut self, id: CellId) -> Value;
    /// Puts a value into a cell and gives what was there.
    fn cell_set(&mut self, id: CellId, value: Value) -> Value;
    /// The next 64 bits of the turn's random sequence.
    fn random(&mut self) -> u64;
    /// The turn's start in milliseconds since 1970.
    fn now_ms(&self) -> i64;
    /// The words about a name for `(doc name)`, and earlier turns for `turn/...`: data the host handed in.
    fn past(&self) -> &[Value];

    /// Notes that the body of a `lazy-seq` runs: how much of one is realised at the end of a turn is counted by them.
    fn thunk(&mut self) {}

    /// Calls with one argument.
    fn call1(&mut self, f: &Value, a: Value) -> Result {
        self.call(f, &mut [a])
    }
    /// Calls with two arguments.
    fn call2(&mut self, f: &Value, a: Value, b: Value) -> Result {
        self.call(f, &mut [a, b])
    }
}

/// One step of a sequence being made.
pub enum Step {
    /// The next item; there may be more.
    Item(Value),
    /// There is no more.
    End,
    /// The rest is this sequence (or nil).
    Rest(Value),
}

/// What makes a sequence item by item. It owns its state, so whoever holds it alone can run it without keeping items.
pub trait Generator: Send {
    /// The next step; pays for its own work beyond one unit.
    fn step(&mut self, host: &mut dyn Host) -> Result<Step>;
    /// Nesting of what it holds.
    fn depth(&self) -> u32;
    /// Whether it is known to go on for ever.
    fn endless(&self) -> bool {
        false
    }
    /// Whether it is known to come to an end. Asked under the lock of the sequence: it must not look at others.
    fn finite(&self) -> bool {
        false
    }
    /// A copy, if its steps run no code of programs: a shared `(range 1000000)` is then walked without keeping items.
    fn fork(&self) -> Option<Box<dyn Generator>> {
        None
    }
    /// What is left, if it is a run of integers, which walkers then count by themselves.
    fn run(&self) -> Option<Run> {
        None
    }
}

/// Integers from `at`, `step` apart, up or down to `end`.
#[derive(Clone, Copy)]
pub struct Run {
    /// The next one; `None` past the last integer there is.
    pub at: Option<i64>,
    /// Where it ends, if it does.
    pub end: Option<i64>,
    /// From one to the next, never 0.
    pub step: i64,
}

impl Iterator for Run {
    type Item = i64;
    #[inline]
    fn next(&mut self) -> Option<i64> {
        let at = self.at?;
        if self.end.is_some_and(|end| if self.step < 0 { at <= end } else { at >= end }) {
            return None;
        }
        // Past the last integer lies past any end.
        self.at = at.checked_add(self.step);
        Some(at)
    }
}

struct Gen(Box<dyn Generator>);

impl Source for Gen {
    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        self
    }
    fn depth(&self) -> u32 {
        self.0.depth()
    }
    fn endless(&self) -> bool {
        self.0.endless()
    }
    fn finite(&self) -> bool {
        self.0.finite()
    }
    fn fork(&self) -> Option<Box<dyn Source>> {
        self.0.fork().map(|g| Box::new(Gen(g)) as Box<dyn Source>)
    }
}

/// A lazy sequence that this generator makes.
pub fn lazy(generator: impl Generator + 'static) -> Value {
    Value::Lazy(Lazy::new(Box::new(Gen(Box::new(generator)))))
}

fn lazy_boxed(generator: Box<dyn Generator>) -> Value {
    Value::Lazy(Lazy::new(Box::new(Gen(generator))))
}

thread_local! {
    /// Generators that are making a step inside each other on this thread.
    static NESTED: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// One step. Generators ask generators as deep as `data_depth`, counted here too because bodies of `lazy-seq` can nest
/// without a value ever being that deep; the native stack grows with them.
fn run(generator: &mut dyn Generator, host: &mut dyn Host) -> Result<Step> {
    let nested = NESTED.get();
    if nested >= host.limits().data_depth {
        return Err(too_deep(host.limits()));
    }
    // The deeper, the dearer: each level is a cold piece of stack.
    if nested >= 32 {
        host.spend(u64::from(nested / 32))?;
    }
    NESTED.set(nested + 1);
    let step = crate::value::node::on_deep_stack(|| generator.step(host));
    NESTED.set(nested);
    step
}

/// A generator that nobody else can see. Those that hold others are let go as deep as they are stacked.
pub struct Alone(Option<Box<dyn Generator>>);

impl Drop for Alone {
    fn drop(&mut self) {
        let inner = self.0.take();
        crate::value::node::on_deep_stack(|| drop(inner));
    }
}

fn generator_of(source: Box<dyn Source>) -> Option<Box<dyn Generator>> {
    source.into_any().downcast::<Gen>().ok().map(|g| g.0)
}

/// Stands for what a sequence turned out to be, when that could not be made then.
struct Onward(Value);

impl Generator for Onward {
    fn step(&mut self, _: &mut dyn Host) -> Result<Step> {
        Ok(Step::Rest(self.0.clone()))
    }
    fn depth(&self) -> u32 {
        self.0.depth()
    }
}

/// Stands for a sequence that cannot be made without itself. It holds nothing, so that no ring is left behind.
struct Stuck;

impl Generator for Stuck {
    fn step(&mut self, _: &mut dyn Host) -> Result<Step> {
        Err(asks_for_itself())
    }
    fn depth(&self) -> u32 {
        0
    }
}

#[cold]
fn asks_for_itself() -> Stop {
    Stop::error(ErrorKind::Value, "a lazy sequence asks for itself while it is being made")
}

/// What a lazy sequence is.
enum Made {
    /// Nil, or a sequence whose first item is there.
    Value(Value),
    /// Whatever this one is; it counts as being made until that is known.
    Like(Lazy),
    /// Something that is being made right now.
    Itself,
}

/// One look at a lazy sequence. If it fails, the sequence can be asked again.
fn make(host: &mut dyn Host, lazy: &Lazy) -> Result<Made> {
    let source = match lazy.begin() {
        Begin::Done(Value::Lazy(next)) => return Ok(Made::Like(next)),
        Begin::Done(v) => return Ok(Made::Value(v)),
        Begin::Running => return Ok(Made::Itself),
        Begin::Make(source) => source,
    };
    let put_back = |generator: Box<dyn Generator>| lazy.put_back(Box::new(Gen(generator)));
    let Some(mut generator) = generator_of(source) else {
        lazy.finish(Value::Nil);
        return Ok(Made::Value(Value::Nil));
    };
    let value = match host.spend(2).and_then(|()| run(&mut *generator, host)) {
        Err(stop) => {
            put_back(generator);
            return Err(stop);
        }
        Ok(Step::End) => Value::Nil,
        Ok(Step::Rest(Value::Lazy(next))) => return Ok(Made::Like(next)),
        Ok(Step::Rest(other)) => match seq_of(host, other.clone()) {
            Ok(seq) => seq,
            Err(stop) => {
                put_back(Box::new(Onward(other)));
                return Err(stop);
            }
        },
        Ok(Step::Item(item)) => {
            let rest = lazy_boxed(generator);
            let deep = rest.depth().max(item.depth()) >= host.limits().data_depth;
            let cell = Value::Cons(crate::value::Cons::new(item, rest, None, crate::value::SeqKind::Seq));
            lazy.finish(cell.clone());
            if deep {
                return Err(too_deep(host.limits()));
            }
            host.room(256)?;
            return Ok(Made::Value(cell));
        }
    };
    lazy.finish(value.clone());
    Ok(Made::Value(value))
}

/// Makes one more item of a lazy sequence: nil when it is empty, else a sequence whose first item is there.
/// Chains of `Rest` are followed in a loop, never by recursion.
pub fn force(host: &mut dyn Host, lazy: &Lazy) -> Result {
    if let Some(v) = lazy.made()
        && !matches!(v, Value::Lazy(_))
    {
        return Ok(v);
    }
    // Sequences that are whatever the one after them is.
    let mut waiting: Vec<(Lazy, Lazy)> = Vec::new();
    let mut now = lazy.clone();
    let stop = loop {
        match make(host, &now) {
            Ok(Made::Value(value)) => {
                // Every sequence on the way is this one from now on: the next asking takes one step.
                for (l, _) in waiting {
                    l.finish(value.clone());
                }
                return Ok(value);
            }
            Ok(Made::Like(next)) => {
                waiting.push((now, next.clone()));
                now = next;
                if waiting.len() == waiting.capacity()
                    && let Err(stop) = host.room(waiting.len() as u64 * 64)
                {
                    break stop;
                }
            }
            Ok(Made::Itself) => {
                for (l, _) in waiting {
                    l.put_back(Box::new(Gen(Box::new(Stuck))));
                }
                return Err(asks_for_itself());
            }
            Err(stop) => break stop,
        }
    };
    for (l, next) in waiting {
        l.put_back(Box::new(Gen(Box::new(Onward(Value::Lazy(next))))));
    }
    Err(stop)
}

/// The error of a value nested past its limit.
#[cold]
pub fn too_deep(limits: &Limits) -> Stop {
    Stop::error(ErrorKind::Depth, format!("a value is nested deeper than data_depth = {}", limits.data_depth))
}

/// Clojure's `seq`: nil for what is empty, else a sequence whose first item is there.
pub fn seq_of(host: &mut dyn Host, v: Value) -> Result {
    use crate::value::{SeqKind, Slice};
    Ok(match v {
        Value::Nil => Value::Nil,
        Value::Cons(_) => v,
        Value::Slice(ref s) if !s.is_empty() => v,
        Value::Lazy(ref l) => return force(host, l),
        Value::Vector(v) if !v.is_empty() => Value::Slice(Slice::new(v, 0, SeqKind::Seq)),
        Value::Slice(_) | Value::Vector(_) => Value::Nil,
        other => {
            let items = Iter::new(other)?.collect(host)?;
            if items.is_empty() { Value::Nil } else { Value::seq(items) }
        }
    })
}

/// Walks anything seqable, an item at a time. A lazy sequence held by nobody else is run without keeping its items.
pub enum Iter {
    /// Vectors and slices of them.
    Array(crate::value::Slice),
    /// Cells and lazy sequences.
    Chain(Value),
    /// What was copied out of a map, set or string.
    Items(std::vec::IntoIter<Value>),
    /// Entries of a map.
    Entries(std::vec::IntoIter<(Value, Value)>),
    /// A run of integers.
    Ints(Run),
    /// A generator that nobody else can see.
    Stream(Alone),
}

impl Iter {
    /// Over the items of `v`; the error names what it is.
    pub fn new(v: Value) -> Result<Iter> {
        use crate::value::{SeqKind, Slice};
        Ok(match v {
            Value::Nil => Iter::Items(Vec::new().into_iter()),
            Value::Vector(v) => Iter::Array(Slice::new(v, 0, SeqKind::Seq)),
            Value::Slice(s) => Iter::Array(s),
            Value::Cons(_) => Iter::Chain(v),
            Value::Lazy(l) => match l.into_source() {
                Ok(source) => generator_of(source).map_or_else(|| Iter::Chain(Value::Nil), Iter::stream),
                Err(l) => match l.fork().and_then(generator_of) {
                    Some(copy) => Iter::stream(copy),
                    // What has been made stands for itself: it is no deeper than its items.
                    None => Iter::Chain(l.made().unwrap_or(Value::Lazy(l))),
                },
            },
            Value::Map(m) => {
                let entries: Vec<_> = m.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
                Iter::Entries(entries.into_iter())
            }
            Value::Set(s) => Iter::Items(s.iter().cloned().collect::<Vec<_>>().into_iter()),
            Value::Str(s) => Iter::Items(s.as_str().chars().map(Value::Char).collect::<Vec<_>>().into_iter()),
            other => return Err(not_seqable(&other)),
        })
    }

    fn stream(generator: Box<dyn Generator>) -> Iter {
        match generator.run() {
            // One without an end goes on in big integers: its generator knows how.
            Some(run) if run.end.is_some() => Iter::Ints(run),
            _ => Iter::Stream(Alone(Some(generator))),
        }
    }

    /// As [`Iter::new`] for argument `index` of a builtin.
    pub fn arg(args: &mut [Value], index: usize) -> Result<Iter> {
        let v = args.get_mut(index).map(std::mem::take).unwrap_or_default();
        if is_seqable(&v) { Iter::new(v) } else { Err(Stop::argument(index, "a collection", &v)) }
    }

    /// The next item. Realised items are free here: pay for what you do with them.
    #[inline]
    pub fn next(&mut self, host: &mut dyn Host) -> Result<Option<Value>> {
        match self {
            Iter::Array(s) => {
                let first = s.first().cloned();
                if first.is_some() {
                    s.advance();
                }
                Ok(first)
            }
            Iter::Items(i) => Ok(i.next()),
            Iter::Ints(run) => Ok(run.next().map(Value::Int)),
            Iter::Entries(i) => Ok(i.next().map(|(k, v)| Value::Vector(crate::value::Vector::entry(k, v)))),
            _ => self.next_made(host),
        }
    }

    fn next_made(&mut self, host: &mut dyn Host) -> Result<Option<Value>> {
        loop {
            match self {
                Iter::Chain(at) => match at {
                    Value::Nil => return Ok(None),
                    Value::Cons(c) => {
                        let (first, rest) = (c.first().clone(), c.rest().clone());
                        *at = rest;
                        return Ok(Some(first));
                    }
                    Value::Lazy(l) => {
                        let l = l.clone();
                        *at = force(host, &l)?;
                    }
                    other => *self = Iter::new(std::mem::take(other))?,
                },
                Iter::Stream(g) => {
                    let Some(g) = &mut g.0 else { return Ok(None) };
                    host.spend(2)?;
                    match run(&mut **g, host)? {
                        Step::Item(v) => return Ok(Some(v)),
                        Step::End => {
                            *self = Iter::Chain(Value::Nil);
                            return Ok(None);
                        }
                        Step::Rest(v) => *self = Iter::new(v)?,
                    }
                }
                _ => return self.next(host),
            }
        }
    }

    /// How many items are left, when that is known without making any.
    pub fn len(&self) -> Option<usize> {
        match self {
            Iter::Array(s) => Some(s.len()),
            Iter::Items(i) => Some(i.len()),
            Iter::Entries(i) => Some(i.len()),
            Iter::Chain(Value::Nil) => Some(0),
            Iter::Chain(Value::Cons(c)) => c.len(),
            _ => None,
        }
    }

    /// Whether it is known to be at its end.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Whether it is known to go on for ever.
    pub fn endless(&self) -> bool {
        match self {
            Iter::Stream(g) => g.0.as_ref().is_some_and(|g| g.endless()),
            Iter::Chain(Value::Lazy(l)) => l.endless(),
            _ => false,
        }
    }

    /// Whether it is known to come to an end. It may look at other sequences: not for [`Generator::finite`].
    pub fn finite(&self) -> bool {
        match self {
            Iter::Array(_) | Iter::Items(_) | Iter::Entries(_) => true,
            Iter::Ints(run) => run.end.is_some(),
            Iter::Chain(v) => is_finite(v),
            Iter::Stream(g) => g.0.as_ref().is_none_or(|g| g.finite()),
        }
    }

    /// What is left, as a sequence (or nil).
    pub fn into_rest(self) -> Value {
        match self {
            Iter::Array(s) => Value::Slice(s),
            Iter::Chain(v) => v,
            Iter::Items(i) => Value::seq(i.collect()),
            Iter::Entries(i) => Value::seq(i.map(|(k, v)| Value::Vector(crate::value::Vector::entry(k, v))).collect()),
            Iter::Ints(run) => crate::builtins::seq_make::ints(run),
            Iter::Stream(mut g) => g.0.take().map_or(Value::Nil, lazy_boxed),
        }
    }

    /// Nesting of what it holds, for generators that hold it.
    pub fn depth(&self) -> u32 {
        match self {
            Iter::Array(s) => s.base().0.depth(),
            Iter::Chain(v) => v.depth(),
            Iter::Items(i) => i.as_slice().iter().map(Item::depth).max().unwrap_or(0),
            Iter::Entries(i) => i.as_slice().iter().map(|(k, v)| k.depth().max(v.depth())).max().unwrap_or(0),
            Iter::Ints(_) => 0,
            Iter::Stream(g) => g.0.as_ref().map_or(0, |g| g.depth()),
        }
    }

    /// All items, paid for one by one.
    pub fn collect(mut self, host: &mut dyn Host) -> Result<Vec<Value>> {
        match self {
            Iter::Array(s) => {
                host.spend(s.len() as u64 / 4)?;
                host.room(s.len() as u64 * 16)?;
                return Ok(s.into_vec());
            }
            Iter::Items(i) => {
                host.spend(i.len() as u64 / 4)?;
                return Ok(i.collect());
            }
            _ => {}
        }
        let mut out = Vec::new();
        while let Some(v) = self.next(host)? {
            host.spend(1)?;
            if out.len() == out.capacity() {
                host.room(out.len() as u64 * 16 + 64)?;
            }
            out.push(v);
        }
        Ok(out)
    }
}

/// Whether `seq` would take it.
pub fn is_seqable(v: &Value) -> bool {
    use Value::{Cons, Lazy, Map, Nil, Set, Slice, Str, Vector};
    matches!(v, Nil | Str(_) | Vector(_) | Slice(_) | Cons(_) | Lazy(_) | Map(_) | Set(_))
}

/// Whether a sequence is not there yet, so that `map` and its kin stay lazy over it (difference 1).
pub fn is_lazy(v: &Value) -> bool {
    match v {
        Value::Lazy(_) => true,
        Value::Cons(c) => c.len().is_none(),
        _ => false,
    }
}

/// Whether a collection is known to come to an end; looks no further than a few cells.
pub fn is_finite(v: &Value) -> bool {
    let mut at = v.clone();
    for _ in 0..32 {
        at = match at {
            Value::Lazy(l) => match l.made() {
                Some(v) => v,
                None => return l.finite(),
            },
            Value::Cons(c) if c.len().is_some() => return true,
            Value::Cons(c) => c.rest().clone(),
            _ => return true,
        };
    }
    false
}

#[cold]
fn not_seqable(v: &Value) -> Stop {
    Stop::error(ErrorKind::Type, format!("{} is not a collection: {}", v.kind(), crate::print::brief(v)))
}

/// Realises all that is lazy inside `v`, so that walkers which run no code see all of it.
/// Pays for every item; an endless sequence ends as a limit.
pub fn realise(host: &mut dyn Host, v: &Value) -> Result<()> {
    if !v.lazy() {
        return Ok(());
    }
    crate::value::node::on_deep_stack(|| match v {
        Value::Lazy(_) | Value::Cons(_) => {
            let mut at = v.clone();
            loop {
                match at {
                    Value::Lazy(l) => at = force(host, &l)?,
                    Value::Cons(ref c) => {
                        realise(host, c.first())?;
                        host.spend(1)?;
                        let rest = c.rest().clone();
                        at = rest;
                    }
                    other => return realise(host, &other),
                }
            }
        }
        Value::Vector(v) => v.iter().try_for_each(|i| realise(host, i)),
        Value::Slice(s) => s.iter().try_for_each(|i| realise(host, i)),
        Value::Set(s) => s.iter().try_for_each(|i| realise(host, i)),
        Value::Map(m) => m.iter().try_for_each(|(k, v)| {
            realise(host, k)?;
            realise(host, v)
        }),
        Value::Reduced(v) => realise(host, v),
        Value::Exception(e) => realise(host, &e.data),
        _ => Ok(()),
    })
}
