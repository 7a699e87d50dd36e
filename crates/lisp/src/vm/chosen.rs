//! Functions that only choose which function is called: that one runs in a frame as if it had been called itself, so that
//! recursion through a multimethod is as deep as any.

use super::state::Vm;
use crate::builtins::functions::combinators::Native;
use crate::builtins::types::{method_of, own_method};
use crate::error::ErrorKind;
use crate::host::{Interrupt, Result};
use crate::value::{Function, Value};

/// What a value that is called runs.
pub enum Callee {
    /// This body of a function of the program, whose arguments are ready.
    Body(Function, usize),
    /// Something else.
    Other(Value),
}

impl Vm<'_, '_> {
    /// Gets the arguments lying from `at` on ready for what the call of `f` runs, which is no body of a closure itself.
    #[inline]
    pub fn callee(&mut self, f: Value, n: usize, at: usize) -> Result<Callee> {
        if let Value::Function(_) = f { self.chosen(f, n, at) } else { Ok(Callee::Other(f)) }
    }

    /// Calls a record or an object whose type can be called: with itself and then the arguments.
    #[cold]
    pub fn invoke(&mut self, f: &Value, args: &mut [Value]) -> Result {
        let Some(method) = own_method(self, f, "invoke")? else { return Err(not_callable(f)) };
        let mut all = vec![f.clone()];
        all.extend(args.iter_mut().map(std::mem::take));
        self.deeper(|m| m.call_value(&method, &mut all))
    }

    #[cold]
    #[inline(never)]
    fn chosen(&mut self, f: Value, n: usize, at: usize) -> Result<Callee> {
        let Value::Function(g) = &f else { return Ok(Callee::Other(f)) };
        let Some(native) = g.downcast::<Native>().filter(|n| n.chooses()) else { return Ok(Callee::Other(f)) };
        let args: Vec<Value> = self.stack.get(at..at + n).unwrap_or_default().to_vec();
        let method = self.deeper(|m| method_of(m, native, &args))?;
        if let Value::Function(m) = &method
            && let Some(arity) = self.prepare(m, n, at)?
        {
            return Ok(Callee::Body(m.clone(), arity));
        }
        Ok(Callee::Other(method))
    }
}

/// The error of calling what is no function.
#[cold]
pub(super) fn not_callable(v: &Value) -> Interrupt {
    let what = match v {
        Value::Nil => "nil is not a function".to_string(),
        v => format!("{} is not a function: {}", v.kind(), crate::print::brief(v)),
    };
    Interrupt::error(ErrorKind::Type, what).hint(crate::arity::CALLED)
}
