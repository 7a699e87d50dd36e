//! The state of a turn while it runs: registers, frames, budgets, and what it has done so far.

use super::missed_keys::LookedUp;
use super::savepoint::{SHARE_OF_FUEL, Share};
use crate::builtins::types;
use crate::bytecode::{Closure, FEW, Template, keep};
use crate::error::{Error, ErrorKind, cut};
use crate::fuel::{BYTES_PER_COST, CHECK_INTERVAL, Cost, Fuel};
use crate::host::{Interrupt, Result};
use crate::interface::{Definition, MissedKey, Note, RunInput, RunResult, ToolCall, ToolSpec, Usage};
use crate::memory::{Lent, Memory};
use crate::span::Span;
use crate::value::boxed::CellId;
use crate::value::decimal::MathContext;
use crate::value::node::{Bytes, allocated_bytes, live_bytes};
use crate::value::regex::Regex;
use crate::value::role::Role;
use crate::value::{Function, Value};
use foldhash::fast::FixedState;
use smallvec::SmallVec;
use std::cell::{Cell, OnceCell};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Weak};

/// A call that waits for another to return.
pub(crate) struct Frame {
    /// The function that waits; `None` when it is the one it called.
    pub function: Option<Function>,
    /// Which of its bodies.
    pub arity: u32,
    /// Where it continues.
    pub pc: u32,
    /// Where its registers begin.
    pub base: usize,
    /// Where the result goes.
    pub d: u16,
}

/// A var that has another value for a while.
pub struct Bound {
    pub(super) lent: Lent,
    /// By `binding`; else by `with-redefs`.
    pub(super) dynamic: bool,
}

/// A definition made by this turn.
pub(crate) struct Defined {
    pub global: u32,
    pub replaced: bool,
}

/// A call that is ready to be made.
pub(crate) struct PendingCall {
    pub spec: ToolSpec,
    pub args: Vec<Value>,
}

/// What a turn leaves besides its ending.
#[derive(Default)]
pub(crate) struct RunEffects {
    pub printed: Vec<String>,
    pub definitions: Vec<Definition>,
    pub notes: Vec<Note>,
    pub tool_calls: Vec<ToolCall>,
    pub missed_keys: Vec<MissedKey>,
    pub usage: Usage,
}

/// Longest text of parameters that is told of a definition.
const MAX_PARAMS_BYTES: usize = 4096;

thread_local! {
    /// The registers of the last turn of this thread, all of them empty; turns that need more than these give none back.
    static SPARE: Cell<Vec<Value>> = const { Cell::new(Vec::new()) };
}

/// A turn that runs.
pub(crate) struct Vm<'m, 't> {
    pub stack: Vec<Value>,
    pub frames: Vec<Frame>,
    /// Where free registers begin: behind those of the function that runs.
    pub top: usize,
    /// Cost that can be charged before the next check of clock and memory.
    pub slice: u64,
    /// Cost that can be charged after that.
    reserve: u64,
    /// Calls through builtins that are running.
    pub native: u32,
    pub memory: &'m mut Memory,
    pub turn: RunInput<'t>,
    pub printed: Vec<String>,
    /// Its bytes on the meter.
    pub(super) printed_bytes: Bytes,
    pub output_bytes: u64,
    /// Where printed text goes, innermost last.
    pub collecting: Vec<Collected>,
    pub defined: SmallVec<[Defined; 2]>,
    /// Those of [`Vm::defined`], once they are many.
    defined_set: HashSet<u32, FixedState>,
    pub notes: Vec<Note>,
    pub tool_calls: Vec<ToolCall>,
    /// Calls that are ready and wait for others to be made with.
    pub waiting: usize,
    /// Where the registers begin of the function that keeps its last tool call for later.
    pub defer: Option<usize>,
    /// The call that it kept.
    pub deferred: Option<PendingCall>,
    /// Where the exception that is on its way was thrown, and through which functions it came.
    pub thrown_at: Option<Span>,
    pub thrown_calls: Vec<String>,
    /// Which program of the session this is: spans of older functions are not shown in it.
    pub source: u64,
    pub random: u64,
    /// How results of decimals are rounded, inside `with-precision`.
    pub math_context: Option<MathContext>,
    /// Values that settings of the language are bound to, the latest last.
    pub settings: Vec<(&'static str, Value)>,
    /// The namespace that the program has come to; `None` is `user`.
    pub space: Option<Arc<str>>,
    /// Vars that have other values for a while, outermost first.
    pub bound: Vec<Bound>,
    pub past: OnceCell<Vec<Value>>,
    /// Earlier turns that were asked for one by one.
    pub past_turns: HashMap<u64, Value, FixedState>,
    pub texts: OnceCell<Vec<(String, Value)>>,
    start_bytes: i64,
    /// Bytes allocated on this thread that have been charged.
    pub(super) paid_bytes: u64,
    peak: u64,
    /// Rounds of `lazy-seq` thunks, to bound what is realised at the end of a turn.
    pub thunks: u64,
    /// Sequences that the end of the turn has begun to realise, all of them still held.
    pub settled: HashSet<usize, FixedState>,
    /// How deep in values it is.
    pub settling: u32,
    /// What is left of the fuel for sequences whose end cannot be known and that nobody asked for.
    pub share_left: u64,
    /// The share of it that is being spent.
    pub share: Option<Share>,
    /// Regexes that this turn has searched with.
    pub searched: Vec<Weak<Regex>>,
    /// Whether the turn is ending by `return`.
    pub returning: bool,
    /// Constant keys that maps had, and those they had not.
    pub looked_up: LookedUp,
    /// How many calls before the one that runs the stop happened that is on its way: in a stage of a pipeline.
    pub in_stage: usize,
    /// Room of columns, when it is not in use.
    pub columns: Option<Box<super::columns::Room>>,
    /// The call of the macro that is being expanded, as data, and the local names around it.
    pub expanding: Option<(Value, Value)>,
    /// Whether something ran while the program was analysed.
    pub ran_ahead: bool,
    /// Whether something ran after the program, to realise its value.
    pub ran_late: bool,
}

/// Where printed text goes inside `with-out-str` and a `binding` of `*out*`.
pub enum Collected {
    /// The text of `with-out-str`, and its bytes on the meter.
    Text(String, Bytes),
    /// A writer.
    Writer(CellId),
}

impl<'m, 't> Vm<'m, 't> {
    pub fn new(memory: &'m mut Memory, turn: RunInput<'t>, start_bytes: i64) -> Self {
        let budget = Cost::of_limit(Fuel(turn.limits.fuel)).0;
        memory.programs += 1;
        Vm {
            stack: Vec::new(),
            frames: Vec::new(),
            top: 0,
            slice: budget.min(CHECK_INTERVAL.0),
            reserve: budget - budget.min(CHECK_INTERVAL.0),
            native: 0,
            source: memory.programs,
            random: turn.seed,
            math_context: None,
            settings: Vec::new(),
            space: memory.space_kept(),
            memory,
            printed: Vec::new(),
            printed_bytes: Bytes::default(),
            output_bytes: 0,
            collecting: Vec::new(),
            defined: SmallVec::new(),
            defined_set: HashSet::default(),
            notes: Vec::new(),
            tool_calls: Vec::new(),
            waiting: 0,
            defer: None,
            deferred: None,
            thrown_at: None,
            thrown_calls: Vec::new(),
            bound: Vec::new(),
            past: OnceCell::new(),
            past_turns: HashMap::default(),
            texts: OnceCell::new(),
            start_bytes,
            paid_bytes: allocated_bytes(),
            peak: 0,
            thunks: 0,
            settled: HashSet::default(),
            settling: 0,
            share_left: budget / SHARE_OF_FUEL,
            share: None,
            searched: Vec::new(),
            returning: false,
            looked_up: LookedUp::new(),
            in_stage: 0,
            columns: None,
            expanding: None,
            ran_ahead: false,
            ran_late: false,
            turn,
        }
    }

    /// What is left of the budget.
    pub fn left(&self) -> u64 {
        self.slice.saturating_add(self.reserve)
    }

    /// Makes this what is left of the budget.
    pub fn set_left(&mut self, left: u64) {
        self.slice = left.min(CHECK_INTERVAL.0);
        self.reserve = left - self.slice;
    }

    /// Runs a program from its beginning.
    pub fn program(&mut self, template: Arc<Template>) -> Result {
        let closure =
            Closure { template: template.clone(), captures: Arc::default(), group: None, source: self.source };
        let f = Function::new(Arc::new(closure), 0);
        let r = self.enter(f, 0, 0);
        if let Some(template) = Arc::into_inner(template) {
            keep(template);
        }
        self.empty_stack();
        r
    }

    /// Lets go of what registers hold that nobody reads any more.
    fn empty_stack(&mut self) {
        // Dropping what holds nothing is a call for each.
        self.stack.iter_mut().filter(|v| !v.is_nil()).for_each(|v| *v = Value::Nil);
    }

    /// Charges for work before it is done.
    #[inline]
    pub fn charge_cost(&mut self, Cost(units): Cost) -> Result<()> {
        if units <= self.slice {
            self.slice -= units;
            return Ok(());
        }
        self.refill(units)
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self, units: u64) -> Result<()> {
        let left = self.slice.saturating_add(self.reserve);
        let units = units.saturating_add(self.allocated());
        if units > left {
            self.slice = 0;
            self.reserve = 0;
            let fuel = self.turn.limits.fuel;
            return Err(Interrupt::error(ErrorKind::Fuel, format!("the program used up fuel = {fuel}"))
                .hint("do less work: a smaller range, fewer rounds, or a loop that ends"));
        }
        self.set_left(left - units);
        self.check_limits(0)
    }

    /// The cost of what was allocated since this was last asked.
    pub(super) fn allocated(&mut self) -> u64 {
        let made = allocated_bytes();
        let new = made.wrapping_sub(self.paid_bytes);
        self.paid_bytes = made - new % BYTES_PER_COST;
        new / BYTES_PER_COST
    }

    /// Bytes that the turn has made and holds, with `more` about to be allocated.
    fn bytes(&self, more: u64) -> u64 {
        let held = live_bytes().wrapping_sub(self.start_bytes);
        let stack = (self.stack.capacity() * size_of::<Value>()) as u64;
        u64::try_from(held).unwrap_or(0).saturating_add(stack).saturating_add(more)
    }

    /// Lets go of what searching with regexes has made; whether there was any.
    fn forget_searches(&mut self) -> bool {
        let regexes = std::mem::take(&mut self.searched);
        regexes.iter().filter_map(Weak::upgrade).for_each(|r| r.forget());
        !regexes.is_empty()
    }

    /// Looks at the clock and the memory meter, with `more` bytes about to be allocated.
    pub fn check_limits(&mut self, more: u64) -> Result<()> {
        self.check_memory(more)?;
        self.check_time()
    }

    /// Looks at the memory meter, and whether the turn was cancelled.
    pub fn check_held(&mut self) -> Result<()> {
        self.check_memory(0)?;
        self.check_cancelled()
    }

    /// Looks at the memory meter.
    fn check_memory(&mut self, more: u64) -> Result<()> {
        let limits = self.turn.limits;
        let mut bytes = self.bytes(more);
        if bytes > limits.memory_bytes && self.forget_searches() {
            bytes = self.bytes(more);
        }
        if bytes > limits.memory_bytes {
            let message = format!("memory_bytes = {} would be passed: {bytes} bytes", limits.memory_bytes);
            return Err(Interrupt::error(ErrorKind::Memory, message)
                .hint("keep less at a time: select the keys you need, or reduce instead of collecting"));
        }
        self.peak = self.peak.max(bytes);
        Ok(())
    }

    /// Looks at the clock, and whether the turn was cancelled.
    fn check_time(&self) -> Result<()> {
        let limits = self.turn.limits;
        self.turn.clock.begin_cpu();
        let wall = self.turn.clock.wall_ms();
        // Asking for processor time takes longer than much of what is done in between; it is never more than what has
        // passed, but for rounding.
        let cpu = || if wall.saturating_add(10) < limits.cpu_ms { 0 } else { self.turn.clock.cpu_ms() };
        if limits.cpu_ms > 0 && cpu() > limits.cpu_ms {
            return Err(Interrupt::error(
                ErrorKind::Time,
                format!("the program ran longer than cpu_ms = {}", limits.cpu_ms),
            ));
        }
        if limits.wall_ms > 0 && wall > limits.wall_ms {
            return Err(Interrupt::error(
                ErrorKind::Time,
                format!("the turn took longer than wall_ms = {}", limits.wall_ms),
            ));
        }
        self.check_cancelled()
    }

    /// Looks whether the turn was cancelled.
    fn check_cancelled(&self) -> Result<()> {
        if (self.turn.cancelled)() {
            return Err(Interrupt::error(ErrorKind::Time, "the turn was cancelled"));
        }
        Ok(())
    }

    /// Makes room for registers up to `need`.
    #[cold]
    #[inline(never)]
    pub fn grow_stack(&mut self, need: usize) -> Result<()> {
        let len = need.max(FEW).max(self.stack.len() * 2).min(need + (1 << 20));
        // Each turn comes by here, so the clock is not looked at.
        self.check_memory(((len - self.stack.len()) * size_of::<Value>()) as u64)?;
        self.check_cancelled()?;
        if self.stack.is_empty() && len == FEW {
            self.stack = SPARE.try_with(Cell::take).unwrap_or_default();
        }
        self.stack.resize_with(len, Value::default);
        Ok(())
    }

    /// The error of a call chain that is too deep.
    #[cold]
    pub fn too_many_calls(&self) -> Interrupt {
        let n = self.turn.limits.call_depth;
        Interrupt::error(ErrorKind::Depth, format!("more than call_depth = {n} calls inside each other"))
            .hint("use loop/recur, reduce or an accumulator instead of recursion")
    }

    /// Splitmix64: the turn's random sequence is a function of its seed (SECURITY P3).
    pub fn next_random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Forgets all definitions but the first so many.
    pub fn forget_defined(&mut self, from: usize) {
        self.defined.truncate(from);
        self.defined_set = self.defined.iter().map(|d| d.global).collect();
    }

    /// Takes note of a definition, once for each name.
    pub fn note_defined(&mut self, global: u32, replaced: bool) {
        // A look at each of a few is quicker than a table.
        const FEW: usize = 8;
        let few = self.defined.len() <= FEW;
        let known =
            if few { self.defined.iter().any(|d| d.global == global) } else { self.defined_set.contains(&global) };
        if known {
            return;
        }
        self.defined.push(Defined { global, replaced });
        if self.defined.len() > FEW {
            let new = if few { 0 } else { self.defined.len() - 1 };
            self.defined_set.extend(self.defined.iter().skip(new).map(|d| d.global));
        }
    }

    /// What the turn did, once it has ended.
    pub fn finish(&mut self, committed: bool, ending: &RunResult) -> RunEffects {
        // A program that ends early never comes to what is behind.
        self.memory.set_space(self.space.take());
        let types = self.memory.cells.get(CellId::TYPES.0);
        let definitions = self
            .defined
            .iter()
            .filter_map(|d| {
                let b = self.memory.bindings.get(d.global as usize)?;
                let value = b.value.clone()?;
                let (type_word, params) = match (types::described(&b.name, &value, types), &value) {
                    (Some((word, params)), _) => (Some(word), params),
                    (None, Value::Function(f)) if b.facts.role == Role::Macro => {
                        (Some("macro"), f.body().map(|b| b.params()))
                    }
                    (None, Value::Function(f)) => (None, f.body().map(|b| b.params())),
                    (None, Value::Builtin(b)) => (None, Some(b.params().to_string())),
                    _ => (None, None),
                };
                // Many names may share a function with many parameters.
                let (doc, params) = (b.doc.clone(), params.map(|p| cut(p, MAX_PARAMS_BYTES)));
                Some(Definition { name: String::from(&*b.name), value, doc, params, type_word, replaced: d.replaced })
            })
            .collect();
        // The turn has ended, and the time it took is asked for below: what it holds now counts for its most.
        let _ = self.check_memory(0);
        if self.stack.len() == FEW {
            if self.ran_late || self.ran_ahead {
                self.empty_stack();
            }
            let stack = std::mem::take(&mut self.stack);
            let _ = SPARE.try_with(|spare| spare.set(stack));
        }
        self.forget_searches();
        let limits = self.turn.limits;
        let left = (self.slice + self.reserve).saturating_sub(self.allocated());
        let fuel = limits.fuel.saturating_sub(Cost(left).fuel().0);
        // As in `check_time`: where no millisecond has passed none was worked.
        let wall_ms = self.turn.clock.wall_ms();
        let cpu_ms = if wall_ms == 0 { 0 } else { self.turn.clock.cpu_ms() };
        let usage = Usage { fuel, memory_bytes: self.peak, cpu_ms, wall_ms };
        if committed {
            self.sweep(ending);
        }
        RunEffects {
            missed_keys: self.looked_up.near(),
            printed: std::mem::take(&mut self.printed),
            definitions,
            notes: std::mem::take(&mut self.notes),
            tool_calls: std::mem::take(&mut self.tool_calls),
            usage,
        }
    }

    /// How the turn ended, when it stopped before its value.
    pub fn ending(&mut self, stop: Interrupt) -> RunResult {
        use crate::host::InterruptKind;
        match stop.into_kind() {
            InterruptKind::Return(v) => {
                // From here on nothing that is realised may return once more.
                self.returning = true;
                match self.realize_result(v) {
                    Ok(RunResult::Value(v)) => RunResult::Returned(v),
                    Ok(other) => other,
                    Err(stop) => self.ending(stop),
                }
            }
            InterruptKind::Fail(v) => {
                let text = match &v {
                    Value::Str(s) => s.as_str().to_string(),
                    v => crate::print::readable(v, 1000),
                };
                RunResult::Failed(v, Error::new(ErrorKind::Failed, text))
            }
            why => RunResult::Error(self.error_of(why)),
        }
    }
}
