//! A small host for unit tests of builtins: it calls rows, made functions, names and maps, and counts real limits.

use ptc_lisp::builtins::args::get;
use ptc_lisp::builtins::functions::combinators::Native;
use ptc_lisp::error::ErrorKind;
use ptc_lisp::host::{Host, Interrupt, Result, too_deep};
use ptc_lisp::limits::Limits;
use ptc_lisp::seq::Iter;
use ptc_lisp::value::boxed::CellId;
use ptc_lisp::value::{Builtin, Item, Value};

/// The host.
pub struct Fake {
    /// Its limits.
    pub limits: Limits,
    /// Units it may spend.
    pub fuel: u64,
    /// Units it has spent.
    pub used: u64,
    /// What was printed.
    pub printed: Vec<String>,
    cells: Vec<Value>,
    random: u64,
}

impl Default for Fake {
    fn default() -> Self {
        let limits = Limits::default();
        Fake { fuel: limits.fuel, limits, used: 0, printed: Vec::new(), cells: Vec::new(), random: 1 }
    }
}

impl Host for Fake {
    fn call(&mut self, f: &Value, args: &mut [Value]) -> Result {
        self.charge(1)?;
        let v = match f {
            Value::Builtin(b) => {
                if args.len() < usize::from(b.min) || b.max.is_some_and(|m| args.len() > usize::from(m)) {
                    return Err(Interrupt::error(ErrorKind::Arity, b.name()));
                }
                let Some(body) = ptc_lisp::builtins::body(b) else {
                    return Err(Interrupt::error(ErrorKind::Internal, b.name()));
                };
                body(self, args)?
            }
            Value::Function(f) => match f.downcast::<Native>() {
                Some(n) => (n.call)(self, &n.held, args)?,
                None => return Err(Interrupt::error(ErrorKind::Internal, "not a native")),
            },
            Value::Keyword(_) => ptc_lisp::value::lookup::get(get(args, 0), f).unwrap_or_default(),
            Value::Map(_) | Value::Set(_) | Value::Vector(_) => {
                ptc_lisp::value::lookup::get(f, get(args, 0)).unwrap_or_default()
            }
            _ => return Err(Interrupt::error(ErrorKind::Type, "not a function")),
        };
        if v.depth() > self.limits.data_depth { Err(too_deep(&self.limits)) } else { Ok(v) }
    }
    fn charge(&mut self, units: u64) -> Result<()> {
        self.used = self.used.saturating_add(units);
        if self.used > self.fuel { Err(Interrupt::error(ErrorKind::Fuel, "fuel")) } else { Ok(()) }
    }
    fn reserve(&mut self, bytes: u64) -> Result<()> {
        if bytes > self.limits.memory_bytes { Err(Interrupt::error(ErrorKind::Memory, "memory")) } else { Ok(()) }
    }
    fn print(&mut self, text: String) -> Result<()> {
        self.printed.push(text);
        Ok(())
    }
    fn limits(&self) -> &Limits {
        &self.limits
    }
    fn tool(&mut self, name: &str, _: &mut [Value]) -> Result {
        Err(Interrupt::error(ErrorKind::Tool, name))
    }
    fn call_spread(&mut self, f: &Value, mut args: Vec<Value>, rest: Value) -> Result {
        let more = ptc_lisp::seq::Iter::new(rest)?.collect(self)?;
        args.extend(more);
        self.call(f, &mut args)
    }
    fn cell(&mut self, value: Value) -> Result<CellId> {
        self.cells.push(value);
        Ok(CellId(self.cells.len() as u64 - 1))
    }
    fn cell_get(&mut self, id: CellId) -> Value {
        self.cells.get(id.0 as usize).cloned().unwrap_or_default()
    }
    fn cell_set(&mut self, id: CellId, value: Value) -> Value {
        std::mem::replace(&mut self.cells[id.0 as usize], value)
    }
    fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.random
    }
    fn now_ms(&self) -> i64 {
        0
    }
    fn builtin(&self, name: &str) -> Option<&'static Builtin> {
        ptc_lisp::builtins::find(name)
    }
    fn builtins(&self) -> std::slice::Iter<'static, Builtin> {
        ptc_lisp::builtins::all()
    }
    fn past(&self) -> &[Value] {
        &[]
    }
}

impl Fake {
    /// Calls the function of this name.
    pub fn run(&mut self, name: &str, mut args: Vec<Value>) -> Result {
        self.call(&core(name), &mut args)
    }

    /// The items of what the function of this name gives.
    pub fn all(&mut self, name: &str, args: Vec<Value>) -> Vec<Value> {
        let v = self.run(name, args).unwrap();
        Iter::new(v).unwrap().collect(self).unwrap()
    }

    /// The readable text of what it gives, realised.
    pub fn text(&mut self, name: &str, args: Vec<Value>) -> String {
        match self.run(name, args).and_then(|v| ptc_lisp::seq::realise(self, &v).map(|()| v)) {
            Ok(v) => ptc_lisp::print::readable(&v, 1000),
            Err(stop) => format!("{:?}", stop.kind()),
        }
    }
}

/// A function of the language.
pub fn core(name: &str) -> Value {
    Value::Builtin(ptc_lisp::builtins::find(name).unwrap())
}

/// A vector of integers.
pub fn ints(items: impl IntoIterator<Item = i64>) -> Value {
    Value::vector(items.into_iter().map(Value::int).collect())
}
