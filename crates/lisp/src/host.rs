//! What a builtin may do to the world: the one small trait between the functions of the language and the VM.
//! What is not on it, no builtin can do: that is the sandbox.

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::stages::{Block, Stage, Taken};
use crate::value::boxed::CellId;
use crate::value::facts::Facts;
use crate::value::{Builtin, Exception, Value};

/// What a computation gives: a value, or why it stopped.
pub type Result<T = Value> = std::result::Result<T, Interrupt>;

/// Why a computation stopped before its value. One word wide, so that results stay in registers.
#[derive(Debug)]
pub struct Interrupt(Box<InterruptKind>);

/// The reasons to stop. The first three are errors of the program, which `catch` can see; a limit never (difference 4).
pub enum InterruptKind {
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
        /// What would fix it.
        hint: Option<String>,
    },
    /// The end of a budget.
    Limit(Error),
    /// `(return value)`
    Return(Value),
    /// `(fail reason)`
    Fail(Value),
}

impl std::fmt::Debug for InterruptKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InterruptKind::Throw(_) => f.write_str("Throw"),
            InterruptKind::Fault(e) | InterruptKind::Limit(e) => write!(f, "{e}"),
            InterruptKind::Argument { index, problem, .. } => write!(f, "argument {index} {problem}"),
            InterruptKind::Return(_) => f.write_str("Return"),
            InterruptKind::Fail(_) => f.write_str("Fail"),
        }
    }
}

impl Interrupt {
    /// For this reason.
    #[cold]
    pub fn new(why: InterruptKind) -> Self {
        Interrupt(Box::new(why))
    }

    /// An error in words; a limit if its kind is one.
    #[cold]
    pub fn error(kind: ErrorKind, message: impl Into<String>) -> Self {
        let e = Error::new(kind, message);
        Interrupt::new(if kind.is_limit() { InterruptKind::Limit(e) } else { InterruptKind::Fault(e) })
    }

    /// The same with a hint.
    #[cold]
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        match &mut *self.0 {
            InterruptKind::Fault(e) | InterruptKind::Limit(e) => e.hint = Some(hint.into()),
            InterruptKind::Argument { hint: own, .. } => *own = Some(hint.into()),
            InterruptKind::Throw(Value::Exception(e)) => {
                if let Some(mut error) = e.error.clone() {
                    error.hint = Some(hint.into());
                    let (message, data, cause) = (e.message.clone(), e.data.clone(), e.cause.clone());
                    *e = Exception::new(e.class, message, data, cause, Some(error));
                }
            }
            InterruptKind::Throw(_) | InterruptKind::Return(_) | InterruptKind::Fail(_) => {}
        }
        self
    }

    /// Argument `index` is of the wrong type: `map: coll must be a collection, got 5`.
    #[cold]
    pub fn argument(index: usize, expected: &str, got: &Value) -> Self {
        let problem = format!("must be {expected}, got {}", crate::print::brief(got));
        Interrupt::new(InterruptKind::Argument { index, kind: ErrorKind::Type, problem, hint: None })
    }

    /// Argument `index` is of the right type and no use: `nth: index must be less than 2, got 5`.
    #[cold]
    pub fn bad(index: usize, kind: ErrorKind, problem: impl Into<String>) -> Self {
        Interrupt::new(InterruptKind::Argument { index, kind, problem: problem.into(), hint: None })
    }

    /// An exception of this class; uncaught, it is an error of this kind.
    #[cold]
    pub fn throw(class: &'static str, kind: ErrorKind, message: impl Into<String>) -> Self {
        let error = Error::new(kind, message);
        let message = Some(error.message.clone());
        let e = Exception::new(class, message, Value::Nil, Value::Nil, Some(Box::new(error)));
        Interrupt::new(InterruptKind::Throw(Value::Exception(e)))
    }

    /// The reason.
    pub fn kind(&self) -> &InterruptKind {
        &self.0
    }

    /// The reason, to change it.
    pub fn kind_mut(&mut self) -> &mut InterruptKind {
        &mut self.0
    }

    /// The reason, owned.
    pub fn into_kind(self) -> InterruptKind {
        *self.0
    }
}

impl From<Error> for Interrupt {
    /// An error in words, or a limit if its kind is one.
    fn from(e: Error) -> Self {
        Interrupt::new(if e.kind.is_limit() { InterruptKind::Limit(e) } else { InterruptKind::Fault(e) })
    }
}

/// The error of a value nested past its limit.
#[cold]
pub fn too_deep(limits: &Limits) -> Interrupt {
    Interrupt::error(ErrorKind::Depth, format!("a value is nested deeper than data_depth = {}", limits.data_depth))
}

/// The body of a builtin: arguments are its own, to take from (a value held once is changed in place).
pub struct Body(pub Native);

/// The function of a [`Body`].
pub type Native = fn(&mut dyn Host, &mut [Value]) -> Result;

/// A [`Body`] of a function that gives numbers of 32 bits: an `Integer` or a `Float` of Java.
macro_rules! of_32_bits {
    ($f:expr) => {
        $crate::host::Body(|h, a| {
            let f: $crate::host::Native = $f;
            Ok(f(h, a)?.of_width($crate::value::Width::W32))
        })
    };
}
pub(crate) use of_32_bits;

/// What is known of a definition.
pub struct VarFacts {
    /// Its value, if it has one by now.
    pub value: Option<Value>,
    /// Its docstring.
    pub doc: Option<std::sync::Arc<str>>,
    /// What it says besides.
    pub facts: Facts,
}

/// What the VM does for builtins.
pub trait Host {
    /// Calls any callable value; `args` are moved out.
    fn call(&mut self, f: &Value, args: &mut [Value]) -> Result;
    /// Charges for so many items of work ([`fuel::PER_ITEM`](crate::fuel::PER_ITEM)) before it is done: at least one an
    /// element. Allocations are charged besides, by their bytes.
    fn charge(&mut self, items: u64) -> Result<()>;
    /// Asks for `bytes` that are about to be allocated.
    fn reserve(&mut self, bytes: u64) -> Result<()>;
    /// Captures printed text: one entry a call, or more of the text that `with-out-str` collects.
    fn print(&mut self, text: String) -> Result<()>;
    /// Captures text that the turn prints, whatever `*out*` is.
    fn print_by_turn(&mut self, text: String) -> Result<()> {
        self.print(text)
    }
    /// What `*out*` is.
    fn out(&mut self) -> Result<CellId> {
        Ok(CellId::OUT)
    }
    /// The limits in force.
    fn limits(&self) -> &Limits;
    /// Calls a tool the host granted.
    fn tool(&mut self, name: &str, args: &mut [Value]) -> Result;
    /// Calls each of these functions with its arguments, at most
    /// [`MAX_PARALLEL_CALLS`](crate::interface::MAX_PARALLEL_CALLS) of them; tool calls that are the last thing they do
    /// are made together. The first error in order is the error of all.
    fn call_parallel(&mut self, calls: Vec<(Value, Vec<Value>)>) -> Result<Vec<Value>> {
        calls.into_iter().map(|(f, mut args)| self.call(&f, &mut args)).collect()
    }
    /// Makes a mutable cell.
    fn cell(&mut self, value: Value) -> Result<CellId>;
    /// What a cell holds.
    fn cell_get(&mut self, id: CellId) -> Value;
    /// Puts a value into a cell and gives what was there.
    fn cell_set(&mut self, id: CellId, value: Value) -> Value;
    /// Takes out what a cell holds; nil stays in its place.
    fn cell_take(&mut self, id: CellId) -> Value {
        self.cell_set(id, Value::Nil)
    }
    /// What a cell holds, to be changed where it is; `None` where a host has no such place.
    fn cell_mut(&mut self, _: CellId) -> Option<&mut Value> {
        None
    }
    /// Makes a mutable cell of this sort, with or without options.
    fn cell_of(&mut self, sort: crate::value::boxed::CellSort, options: bool, value: Value) -> Result<CellId> {
        let plain = self.cell(Value::Nil)?;
        self.cell_remove(plain);
        let id = if options { plain.with_options() } else { plain }.with_sort(sort);
        self.cell_set(id, value);
        Ok(id)
    }
    /// Takes out what a cell holds and lets go of the cell.
    fn cell_remove(&mut self, id: CellId) -> Value {
        self.cell_take(id)
    }
    /// What the cell of an atom's options holds; nil when it has none.
    fn cell_options(&mut self, id: CellId) -> Value {
        self.cell_get(id.options())
    }
    /// Gives an atom options.
    fn set_cell_options(&mut self, id: CellId, options: Value) {
        self.cell_set(id.options(), options);
    }
    /// Whether an atom may have options: no is quickly said of most.
    fn may_have_options(&self, id: CellId) -> bool {
        id.has_options()
    }
    /// An error of the program as the exception that `catch` would bind.
    fn exception(&mut self, stop: Interrupt) -> Value {
        match stop.into_kind() {
            InterruptKind::Throw(v) => v,
            _ => Value::Nil,
        }
    }
    /// The next 64 bits of the turn's random sequence.
    fn random(&mut self) -> u64;
    /// The turn's start in milliseconds since 1970.
    fn now_ms(&self) -> i64;
    /// Earlier turns as data, for `(turn/list)`.
    fn past(&self) -> &[Value];
    /// The earlier turn of this number, for `(turn/get n)`.
    fn past_turn(&mut self, _turn: u64) -> Option<Value> {
        None
    }
    /// What an earlier turn printed, an entry a call, for `(turn/output n)`.
    fn past_printed(&self, _turn: u64) -> Option<&[String]> {
        None
    }
    /// Inputs of acts by their handles, for `(input/get handle)`.
    fn texts(&self) -> &[(String, Value)] {
        &[]
    }
    /// A definition of the session: its value and docstring. `None` where nothing of that name is defined.
    fn defined(&self, _name: &str) -> Option<(Value, Option<std::sync::Arc<str>>)> {
        None
    }

    /// What the name of a var stands for: a definition of the session, or a function of the language.
    fn var_value(&mut self, name: &crate::value::Symbol) -> Result {
        Err(Interrupt::error(ErrorKind::Name, format!("unknown name {}", name.text())))
    }

    /// Calls a function while these vars have these values: dynamic vars for `binding`, any definitions of the program
    /// for `with-redefs`.
    fn call_with(&mut self, _values: Vec<(crate::value::Symbol, Value)>, f: &Value, _dynamic: bool) -> Result {
        self.call(f, &mut [])
    }

    /// The vars that have their values from a `binding` now.
    fn bound_now(&self) -> Vec<(crate::value::Symbol, Value)> {
        Vec::new()
    }

    /// Gives a dynamic var another value, inside the `binding` that it has its value from.
    fn set_bound(&mut self, name: &crate::value::Symbol, _value: Value) -> Result<()> {
        Err(Interrupt::error(ErrorKind::Name, format!("unknown name {}", name.text())))
    }

    /// The code that a template, which was read, stands for.
    ///
    /// # Errors
    /// Where there are no programs.
    fn template(&mut self, form: &crate::form::Form) -> std::result::Result<crate::form::Form, Error> {
        Err(Error::new(ErrorKind::Parse, "` is read in programs only").at(form.span))
    }

    /// What a setting of the language is bound to, as `*print-length*`; `None` where it is not.
    fn setting(&self, _name: &str) -> Option<Value> {
        None
    }

    /// Whether any setting is bound.
    fn has_settings(&self) -> bool {
        false
    }

    /// The namespace that the program has come to.
    fn space(&self) -> String {
        "user".to_owned()
    }

    /// Has the program come to a namespace.
    fn enter_space(&mut self, _name: &str) {}

    /// All namespaces, those of the program first.
    fn spaces(&self) -> Vec<std::sync::Arc<str>> {
        Vec::new()
    }

    /// Whether a namespace is the program's or a library's.
    fn is_own_space(&self, _name: &str) -> bool {
        false
    }

    /// The vars of a namespace of the program or a library, and whether they are its own.
    fn space_vars(&mut self, _name: &str) -> Result<Vec<(crate::value::Symbol, bool)>> {
        Ok(Vec::new())
    }

    /// What a namespace calls others, and these.
    fn space_aliases(&self, _name: &str) -> Vec<(String, String)> {
        Vec::new()
    }

    /// What an alias stands for in a namespace.
    fn alias_in(&self, _space: &str, _alias: &str) -> Option<String> {
        None
    }

    /// What the definition says that a var names, with its value and docstring; `None` where nothing defines it.
    fn var_facts(&self, _var: &crate::value::Symbol) -> Option<VarFacts> {
        None
    }

    /// Says something else of the definition that a var names, and gives it this value if there is one.
    fn set_var(&mut self, var: &crate::value::Symbol, _value: Option<Value>, _facts: Facts) -> Result<()> {
        Err(Interrupt::error(ErrorKind::Name, format!("unknown name {}", var.text())))
    }

    /// The var of this name, or nil.
    fn find_var(&mut self, _ns: &str, _name: &str) -> Result {
        Ok(Value::Nil)
    }

    /// The var that a namespace has taken in under this name, or nil.
    fn find_referred(&mut self, _space: &str, _name: &str) -> Result {
        Ok(Value::Nil)
    }

    /// How results of decimals are rounded now: what `with-precision` says.
    fn math_context(&self) -> Option<crate::value::decimal::MathContext> {
        None
    }

    /// Says how they are rounded from here on, and gives what was said before.
    fn set_math_context(
        &mut self,
        _context: Option<crate::value::decimal::MathContext>,
    ) -> Option<crate::value::decimal::MathContext> {
        None
    }

    /// Notes that a map had the constant key with this mark, or that the program says what it wants where none has.
    fn key_found(&mut self, _mark: u8) {}

    /// Notes that a map does not have this constant key.
    fn key_missed(&mut self, _key: &Value, _map: &crate::value::Map) -> Result<()> {
        Ok(())
    }

    /// The value of a form of the program.
    fn eval(&mut self, _form: Value) -> Result {
        Err(Interrupt::error(ErrorKind::Denied, "eval is not here"))
    }

    /// What a call of a macro stands for.
    fn macroexpand(&mut self, form: Value, _all: bool) -> Result {
        Ok(form)
    }

    /// The local names around that call.
    fn macro_env(&self) -> Value {
        Value::Nil
    }

    /// The call of the macro that is being expanded.
    fn macro_form(&self) -> Value {
        Value::Nil
    }

    /// Keeps a note of the turn.
    fn note(&mut self, _note: crate::interface::Note) -> Result<()> {
        Ok(())
    }

    /// The names that are defined, for `(apropos "part")`.
    fn definitions(&self) -> Vec<std::sync::Arc<str>> {
        Vec::new()
    }

    /// The function of the language of this full name, for `(doc f)` and for functions that call others.
    fn builtin(&self, name: &str) -> Option<&'static Builtin>;

    /// What `(doc name)` prints of what the language has under this name.
    fn documentation(&self, _name: &str) -> Option<String> {
        None
    }

    /// What to do about a name that the language does not have; `own` are names that the program has.
    fn suggestion(&self, _name: &str, _own: &[&str]) -> String {
        String::new()
    }

    /// All functions of the language, for `(apropos "part")`.
    fn builtins(&self) -> std::slice::Iter<'static, Builtin>;

    /// The tools that the host granted, for `(doc tool/name)`.
    fn tools(&self) -> &[crate::interface::ToolSpec] {
        &[]
    }

    /// Notes a lazy sequence that is being made: it could come to hold itself.
    fn track_lazy(&mut self, _: &crate::value::Lazy) {}

    /// Keeps what a lazy sequence older than the turn is made from: if the turn fails, it is not made (SECURITY P4).
    fn save_for_rollback(&mut self, _: &crate::value::Lazy, _: crate::value::Lazy) {}

    /// Notes a regex that is searched for the first time: what searches make can be freed and made again.
    fn searched(&mut self, _: &std::sync::Arc<crate::value::regex::Regex>) {}

    /// Notes that the body of a `lazy-seq` runs: how much of one is realised at the end of a turn is counted by them.
    fn thunk(&mut self) {}

    /// Calls `f` with `args` and then the items of `rest`, of which no more are made than its parameters before `&` ask
    /// for. What knows no such parameters gets all of them.
    fn call_spread(&mut self, f: &Value, args: Vec<Value>, rest: Value) -> Result;
    /// Calls with one argument.
    fn call1(&mut self, f: &Value, a: Value) -> Result {
        self.call(f, &mut [a])
    }
    /// Calls with two arguments.
    fn call2(&mut self, f: &Value, a: Value, b: Value) -> Result {
        self.call(f, &mut [a, b])
    }
    /// Calls with an argument that stays where it is.
    fn lend1(&mut self, f: &Value, a: &Value) -> Result {
        self.call1(f, a.clone())
    }
    /// Calls with two arguments, of which the second stays where it is.
    fn lend2(&mut self, f: &Value, a: Value, b: &Value) -> Result {
        self.call2(f, a, b.clone())
    }
    /// Adds what `f` gives for each of `xs` to `out`, in order, up to the first for which it does more than compute:
    /// how many they were. The others are to be called one by one.
    fn compute_each(&mut self, _f: &Value, _xs: &[Value], _out: &mut Vec<Value>) -> Result<usize> {
        Ok(0)
    }
    /// As [`Host::compute_each`], of at most 64 answers to a question: a bit for each, the first in the lowest.
    fn test_each(&mut self, _f: &Value, _xs: &[Value]) -> Result<(usize, u64)> {
        Ok((0, 0))
    }
    /// As [`Host::compute_each`], of folding into `acc`.
    fn fold_each(&mut self, _f: &Value, _acc: &mut Value, _xs: &[Value]) -> Result<usize> {
        Ok(0)
    }
    /// Whether a stage of a pipeline with this function can be carried out with others.
    fn stage_fuses(&self, _f: &Value) -> bool {
        false
    }
    /// Whether what stages make can be folded by this function at once.
    fn fold_fuses(&self, _f: &Value) -> bool {
        false
    }
    /// Sends a block of items through stages; `false` where one item needs more than computing: nothing has happened then.
    fn run_stages(&mut self, _stages: &[Stage], _block: Block<'_>, _taken: &mut Taken<'_>) -> Result<bool> {
        Ok(false)
    }
    /// Says that the stop which comes next happened in the call of a stage, this many calls before the one that runs.
    fn in_stage(&mut self, _calls_before: usize) {}
    /// Whether a call of `f` with one argument that is lent counts no references.
    fn borrows(&self, _f: &Value) -> bool {
        false
    }
}
