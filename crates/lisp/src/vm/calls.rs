//! Calls of every kind of value, and the functions that programs make.

use super::chosen::not_callable;
use super::dispatch::corrupt_state;
use super::fast_path::put;
use super::state::Vm;
use crate::builtins::functions::combinators::Native;
use crate::bytecode::{Closure, DefInfo, Grab, Proto};
use crate::cost::{self, search};
use crate::error::{Error, ErrorKind};
use crate::fuel::Cost;
use crate::host::{Interrupt, InterruptKind, Result};
use crate::value::node::on_deep_stack;
use crate::value::{Builtin, Function, Item, Symbol, Value};
use smallvec::SmallVec;
use std::mem::ManuallyDrop;
use std::sync::Arc;

impl Vm<'_, '_> {
    /// Checks the depth of a value just made.
    #[inline]
    pub fn checked(&mut self, v: Value) -> Result {
        if v.depth() > self.turn.limits.data_depth {
            return Err(crate::host::too_deep(self.turn.limits));
        }
        Ok(v)
    }

    /// What a name of the session is bound to.
    #[inline]
    pub fn global(&mut self, g: u32) -> Result {
        match self.memory.bindings.get(g as usize).and_then(|b| b.value.as_ref()) {
            Some(v) => Ok(v.clone()),
            None => Err(self.unbound(g)),
        }
    }

    #[cold]
    pub fn unbound(&self, g: u32) -> Interrupt {
        let name = self.memory.bindings.get(g as usize).map_or("?", |b| &b.name);
        Interrupt::error(ErrorKind::Name, format!("{name} is used before its definition has run"))
    }

    /// Gets a closure's arguments, lying from `at` on, ready to run: its body, or `None` when it is no closure.
    #[inline]
    pub fn prepare(&mut self, f: &Function, n: usize, at: usize) -> Result<Option<usize>> {
        let Some(c) = f.downcast::<Closure>() else { return Ok(None) };
        let Some(arity) = c.template.arity(n) else { return Err(self.wrong_arity(c, n)) };
        let Some(p) = c.template.arities.get(arity) else { return Err(corrupt_state()) };
        self.push_frame(p, at)?;
        if p.rest {
            let rest: Vec<Value> = match self.stack.get_mut(at + p.fixed..at + n) {
                Some(extra) => extra.iter_mut().map(std::mem::take).collect(),
                None => Vec::new(),
            };
            let rest = if rest.is_empty() { Value::Nil } else { Value::seq(rest) };
            if let Some(slot) = self.stack.get_mut(at + p.fixed) {
                *slot = rest;
            }
        }
        Ok(Some(arity))
    }

    #[cold]
    fn wrong_arity(&self, c: &Closure, n: usize) -> Interrupt {
        let (min, max) = c.template.takes();
        let name = c.template.name.as_deref().unwrap_or("the function");
        let e = crate::arity::arity_error(name, min, max, n).hint(format!("its parameters are {}", c.template.params));
        Interrupt::new(InterruptKind::Fault(e))
    }

    /// Calls a value whose arguments are in registers.
    pub fn call_window(&mut self, f: &Value, at: usize, n: usize) -> Result {
        if let Value::Builtin(b) = f {
            return self.builtin_window(b, at, n);
        }
        let mut args: SmallVec<[Value; 4]> = self.window(at, n);
        self.call_value(f, &mut args)
    }

    fn window(&mut self, at: usize, n: usize) -> SmallVec<[Value; 4]> {
        self.stack.get_mut(at..at + n).map(|w| w.iter_mut().map(std::mem::take).collect()).unwrap_or_default()
    }

    /// Calls a function of the language whose arguments are in registers.
    #[inline]
    pub fn builtin_window(&mut self, b: &'static Builtin, at: usize, n: usize) -> Result {
        match n {
            1 => self.builtin_of::<1>(b, at),
            2 => self.builtin_of::<2>(b, at),
            3 => self.builtin_of::<3>(b, at),
            4 => self.builtin_of::<4>(b, at),
            _ => {
                let mut args = self.window(at, n);
                self.call_builtin(b, &mut args)
            }
        }
    }

    #[inline]
    fn builtin_of<const N: usize>(&mut self, b: &'static Builtin, at: usize) -> Result {
        let mut args = ManuallyDrop::new([const { Value::Nil }; N]);
        if let Some(window) = self.stack.get_mut(at..at + N) {
            for (arg, slot) in args.iter_mut().zip(window) {
                put(arg, std::mem::take(slot));
            }
        }
        let result = self.call_builtin(b, &mut *args);
        // Most of them were taken: dropping what holds nothing is a call for each.
        for arg in args.iter_mut() {
            put(arg, Value::Nil);
        }
        result
    }

    /// Calls a function of the language.
    #[inline]
    pub fn call_builtin(&mut self, b: &'static Builtin, args: &mut [Value]) -> Result {
        self.charge_cost(Cost(3))?;
        let n = args.len();
        if n < usize::from(b.min) || b.max.is_some_and(|m| n > usize::from(m)) {
            let mut e = crate::arity::arity_error(b.name(), usize::from(b.min), b.max.map(usize::from), n);
            if n == 0 && matches!(b.name(), "max" | "min") {
                e = e.hint(format!(
                    "of an empty collection there is none: (reduce {} first-value xs), or (when (seq xs) ...)",
                    b.name()
                ));
            }
            return Err(Interrupt::new(InterruptKind::Fault(e)));
        }
        let Some(body) = crate::builtins::body(b) else { return Err(corrupt_state()) };
        match body(self, args) {
            Ok(v) => self.checked(v),
            Err(stop) => Err(name_argument(stop, b, n)),
        }
    }

    /// Gives a complaint about an argument the function's name.
    pub fn named<T>(&mut self, name: &str, r: Result<T>) -> Result<T> {
        r.map_err(|stop| match crate::builtins::find(name) {
            Some(b) => name_argument(stop, b, 2),
            None => stop,
        })
    }

    /// Calls any value; the arguments are moved out.
    pub fn call_value(&mut self, f: &Value, args: &mut [Value]) -> Result {
        // What a search looks at is charged here as operations, one a place, and not as items of a builtin, which are two
        // (PER_ITEM): no arguments are packed and no builtin is entered. The key itself is charged in full by `find`.
        // Traces are replayed under their limit of fuel: at a higher price a turn that just kept it would end otherwise.
        match f {
            Value::Keyword(_) | Value::Symbol(_) => self.charge_cost(Cost(2 + args.first().map_or(1, search)))?,
            Value::Map(_) | Value::Set(_) => self.charge_cost(Cost(3 + search(f)))?,
            Value::Vector(_) => self.charge_cost(Cost(2))?,
            _ => {}
        }
        match f {
            Value::Function(f) => {
                if let Some(native) = f.downcast::<Native>() {
                    return self.deeper(|m| m.call_native(native, args));
                }
                self.call_closure(f, args)
            }
            Value::Builtin(b) => self.deeper(|m| m.call_builtin(b, args)),
            Value::Keyword(_) | Value::Symbol(_) => match args {
                [m] => Ok(crate::builtins::collections::lookup::find_noted(self, m, f)?.unwrap_or_default()),
                [m, default] => {
                    self.looked_up.found(f.constant_mark());
                    let found = crate::builtins::collections::lookup::find(self, m, f)?;
                    Ok(found.unwrap_or_else(|| std::mem::take(default)))
                }
                _ => Err(callable_arity(f, 1, 2, args.len())),
            },
            Value::Map(m) if m.record_type().is_some() => self.invoke(f, args),
            Value::Map(_) => match args {
                [k] => Ok(crate::builtins::collections::lookup::find_noted(self, f, k)?.unwrap_or_default()),
                [k, default] => {
                    self.looked_up.found(k.constant_mark());
                    let found = crate::builtins::collections::lookup::find(self, f, k)?;
                    Ok(found.unwrap_or_else(|| std::mem::take(default)))
                }
                _ => Err(callable_arity(f, 1, 2, args.len())),
            },
            Value::Set(s) => match args {
                [k] => {
                    cost::key(self, k)?;
                    Ok(crate::builtins::collections::lookup::member(self, s, k)?.unwrap_or_default())
                }
                _ => Err(callable_arity(f, 1, 1, args.len())),
            },
            Value::Vector(v) => match args {
                [Value::Int(i)] => {
                    let at = usize::try_from(i.get()).ok().and_then(|i| v.get(i)).cloned();
                    at.ok_or_else(|| {
                        Interrupt::error(
                            ErrorKind::Index,
                            format!("index {i} is out of bounds for a vector of {} items", v.len()),
                        )
                    })
                }
                [k] => Err(Interrupt::error(
                    ErrorKind::Type,
                    format!("a vector is called with an index, got {}", crate::print::brief(k)),
                )),
                _ => Err(callable_arity(f, 1, 1, args.len())),
            },
            Value::Var(name) => match self.named_by(name)? {
                f @ Value::Builtin(_) => self.call_value(&f, args),
                f => self.deeper(|m| m.call_value(&f, args)),
            },
            Value::Tool(name) => {
                let spec = self.turn.tools.iter().find(|t| t.name == name.as_str()).cloned();
                match spec {
                    Some(spec) => self.call_tool(&spec, args),
                    None => Err(Interrupt::error(ErrorKind::Name, format!("unknown tool tool/{}", name.as_str()))),
                }
            }
            Value::Place(..) => match crate::builtins::collections::transient_held::held(self, f)? {
                Some(held) => self.call_value(&held, args),
                None => Err(not_callable(f)),
            },
            Value::Object(_) => self.invoke(f, args),
            other => Err(not_callable(other)),
        }
    }

    /// What the name of a var stands for.
    pub fn named_by(&mut self, name: &Symbol) -> Result {
        let found = match name.ns() {
            Some("user") => self.memory.index.get(name.name()).copied().map(|g| self.global(g)).transpose()?,
            Some("clojure.core") => crate::builtins::find(name.name()).map(Value::Builtin),
            _ => match self.memory.index.get(name.text()).copied() {
                Some(g) => Some(self.global(g)?),
                None => crate::builtins::find(name.text()).map(Value::Builtin),
            },
        };
        found.ok_or_else(|| Interrupt::error(ErrorKind::Name, format!("unknown name {}", name.text())))
    }

    /// One level deeper through the native stack, counted the same in every build (SECURITY attack 17).
    pub fn deeper<R>(&mut self, f: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        if self.native >= self.turn.limits.builtin_depth {
            return Err(self.too_deep_native());
        }
        self.native += 1;
        let r = on_deep_stack(|| f(self));
        self.native -= 1;
        r
    }

    #[cold]
    pub fn too_deep_native(&self) -> Interrupt {
        let n = self.turn.limits.builtin_depth;
        Interrupt::error(
            ErrorKind::Depth,
            format!("more than builtin_depth = {n} calls through functions like map inside each other"),
        )
        .hint("use loop/recur or reduce instead of recursion through map, sort-by or swap!")
    }

    fn call_closure(&mut self, f: &Function, args: &mut [Value]) -> Result {
        self.charge_cost(Cost(2))?;
        let (at, n) = (self.top, args.len());
        if self.stack.len() < at + n + 1 {
            self.grow_stack(at + n + 1)?;
        }
        if let Some(slots) = self.stack.get_mut(at..at + n) {
            for (slot, arg) in slots.iter_mut().zip(args) {
                *slot = std::mem::take(arg);
            }
        }
        self.deeper(|m| {
            let ready = match m.prepare(f, n, at) {
                Ok(a) => a,
                Err(stop) => {
                    m.clear_frame(at, n);
                    return Err(stop);
                }
            };
            let Some(arity) = ready else {
                m.clear_frame(at, n);
                return Err(not_callable(&Value::Function(f.clone())));
            };
            let top = m.top;
            let r = m.resume(f.clone(), arity, at);
            m.top = top;
            r
        })
    }

    /// Calls `f` with `args` and the items of `rest`, made only as far as the parameters before `&` ask for them.
    pub fn spread(&mut self, f: &Value, mut args: Vec<Value>, rest: Value) -> Result {
        if let Value::Var(name) = f {
            let f = self.named_by(name)?;
            if !matches!(f, Value::Var(_)) {
                return self.spread(&f, args, rest);
            }
        }
        let closure = if let Value::Function(g) = f { g.downcast::<Closure>().map(|c| (g, c)) } else { None };
        let open = closure.and_then(|(g, c)| {
            let arity = c.template.arities.iter().position(|p| p.rest)?;
            Some((g, arity, c.template.arities.get(arity)?.fixed))
        });
        let Some((g, arity, fixed)) = open else {
            if let Some((_, c)) = closure {
                // More than it takes is seen without making the rest.
                let most = c.template.arities.iter().map(|p| p.fixed).max().unwrap_or(0);
                let mut left = rest;
                while args.len() <= most
                    && let Some((x, more)) = self.taken(left)?
                {
                    args.push(x);
                    left = more;
                }
                return self.call_value(f, &mut args);
            }
            return self.spread_known(f, args, rest);
        };
        // As Clojure counts: one more than the named parameters decides that this body is called.
        let mut left = rest;
        while args.len() <= fixed {
            match self.taken(left)? {
                Some((x, more)) => {
                    args.push(x);
                    left = more;
                }
                None => return self.call_value(f, &mut args),
            }
        }
        let mut tail = left;
        for x in args.drain(fixed..).rev() {
            tail = crate::builtins::sequences::basic::cons_onto(self, x, tail)?;
        }
        args.push(tail);
        self.call_body(g, arity, &mut args)
    }

    /// The same for a function of the language. One that compares neighbours is asked for each two in turn, and ends with
    /// the first that says no; one that takes so many arguments at most gets one more than these, which is an error.
    fn spread_known(&mut self, f: &Value, mut args: Vec<Value>, rest: Value) -> Result {
        let Value::Builtin(b) = f else {
            let more = crate::seq::Iter::new(rest)?.collect(self)?;
            args.extend(more);
            return self.call_value(f, &mut args);
        };
        let pairs = matches!(b.name(), "=" | "==" | "not=" | "<" | ">" | "<=" | ">=");
        let most = if pairs { 2 } else { b.max.map_or(usize::MAX, usize::from) };
        let mut left = rest;
        while args.len() <= most {
            match self.taken(left)? {
                Some((x, more)) => {
                    args.push(x);
                    left = more;
                }
                None => return self.call_value(f, &mut args),
            }
        }
        if !pairs {
            return self.call_value(f, &mut args);
        }
        let wanted = b.name() != "not=";
        let asked = Value::Builtin(if wanted { b } else { crate::builtins::find("=").unwrap_or(b) });
        let mut args = args.into_iter();
        let mut last = args.next().unwrap_or_default();
        loop {
            let next = match args.next() {
                Some(next) => next,
                None => match self.taken(left)? {
                    Some((x, more)) => {
                        left = more;
                        x
                    }
                    None => return Ok(Value::Bool(wanted)),
                },
            };
            if !crate::host::Host::call2(self, &asked, last, next.clone())?.truthy() {
                return Ok(Value::Bool(!wanted));
            }
            last = next;
        }
    }

    /// The first item of a sequence and what follows it.
    fn taken(&mut self, v: Value) -> Result<Option<(Value, Value)>> {
        self.charge_cost(Cost(2))?;
        Ok(match crate::seq::seq_of(self, v)? {
            Value::Cons(c) => Some((c.first().clone(), c.rest().clone())),
            Value::Slice(s) => s.get(0).cloned().map(|x| (x, Value::Slice(s.skip(1)))),
            _ => None,
        })
    }

    /// Runs body `arity` with a value for each of its parameters, the rest parameter's among them.
    fn call_body(&mut self, f: &Function, arity: usize, args: &mut [Value]) -> Result {
        self.charge_cost(Cost(2))?;
        let Some((_, p)) = super::dispatch::proto_of(f, arity) else { return Err(corrupt_state()) };
        let at = self.top;
        self.push_frame(p, at)?;
        let slots = self.stack.get_mut(at..at + args.len()).ok_or_else(corrupt_state)?;
        for (slot, arg) in slots.iter_mut().zip(args) {
            *slot = std::mem::take(arg);
        }
        self.deeper(|m| {
            let top = m.top;
            let r = m.resume(f.clone(), arity, at);
            m.top = top;
            r
        })
    }

    /// What `(fnil f x)` of a builtin that needs no call gives for two arguments.
    #[inline]
    pub(super) fn filled(&mut self, f: &Function, a: &Value, b: &Value) -> Result<Option<Value>> {
        let Some(native) = f.downcast::<Native>().filter(|n| n.name == "fnil") else { return Ok(None) };
        let [builtin, default] = native.held.as_slice() else { return Ok(None) };
        let found = super::host::computed(builtin, if a.is_nil() { default } else { a }, b);
        if found.is_some() {
            self.charge_cost(Cost(4 + crate::bytecode::COMPUTED.0))?;
        }
        Ok(found)
    }

    fn call_native(&mut self, native: &Native, args: &mut [Value]) -> Result {
        self.charge_cost(Cost(4))?;
        let n = args.len();
        if n < usize::from(native.min) || native.max.is_some_and(|m| n > usize::from(m)) {
            let e = crate::arity::arity_error(native.name, usize::from(native.min), native.max.map(usize::from), n);
            return Err(Interrupt::new(InterruptKind::Fault(e)));
        }
        let r = (native.call)(self, &native.held, args);
        let v = self.named(native.name, r)?;
        self.checked(v)
    }

    fn grabbed(&mut self, cur: &Function, closure: &Closure, grabs: &[Grab], base: usize) -> Result<Arc<[Value]>> {
        grabs
            .iter()
            .map(|g| {
                Ok(match *g {
                    Grab::Copy(r) => self.stack[base + r as usize].clone(),
                    Grab::Take(r) => std::mem::take(&mut self.stack[base + r as usize]),
                    Grab::Capture(i) => closure.captures[i as usize].clone(),
                    Grab::SelfFn => Value::Function(cur.clone()),
                    Grab::LetfnRef(t) => self.sibling(closure, t)?,
                })
            })
            .collect()
    }

    /// A function made here.
    pub fn closure(&mut self, cur: &Function, closure: &Closure, p: &Proto, t: u32, base: usize) -> Result {
        let (template, grabs) = &p.functions[t as usize];
        let captures = self.grabbed(cur, closure, grabs, base)?;
        self.function(Closure { template: template.clone(), captures, group: None, source: closure.source })
    }

    /// The functions of a `letfn`.
    pub fn letfn(&mut self, cur: &Function, closure: &Closure, p: &Proto, t: u32, base: usize) -> Result<Vec<Value>> {
        let (group, grabs) = &p.groups[t as usize];
        let captures = self.grabbed(cur, closure, grabs, base)?;
        let make = |template: &Arc<_>| {
            let c = Closure {
                template: Arc::clone(template),
                captures: captures.clone(),
                group: Some(group.clone()),
                source: closure.source,
            };
            self.function(c)
        };
        group.iter().map(make).collect()
    }

    /// Another function of the same `letfn`.
    pub fn sibling(&mut self, closure: &Closure, t: u32) -> Result {
        let template = closure.group.as_ref().and_then(|g| g.get(t as usize)).ok_or_else(corrupt_state)?;
        self.function(Closure {
            template: template.clone(),
            captures: closure.captures.clone(),
            group: closure.group.clone(),
            source: closure.source,
        })
    }

    fn function(&mut self, c: Closure) -> Result {
        let bytes = size_of::<Closure>() + c.captures.len() * size_of::<Value>() + 64;
        self.checked(Value::Function(Function::new(Arc::new(c), bytes)))
    }

    /// Binds a name of the session.
    pub fn define(&mut self, info: &DefInfo, value: Option<Value>) -> Result {
        self.charge_cost(Cost(2))?;
        let var = if info.read {
            Value::Var(self.memory.var_of(info.global, &info.name))
        } else {
            self.memory.charge_var(info.global, &info.name);
            Value::Nil
        };
        let Some(binding) = self.memory.bindings.get(info.global as usize) else { return Err(corrupt_state()) };
        let replaced = binding.value.is_some();
        if value.is_none() {
            self.memory.set_facts(info.global, info.doc.clone(), info.facts.clone());
        }
        let Some(value) = value.filter(|_| !(info.once && replaced)) else {
            if info.once {
                self.memory.set_facts(info.global, info.doc.clone(), info.facts.clone());
            }
            return Ok(var);
        };
        self.note_defined(info.global, replaced);
        self.bind(info, value);
        Ok(var)
    }
}

/// Turns a complaint about an argument into words: `inc: x must be a number, got nil`.
#[cold]
pub(super) fn name_argument(mut stop: Interrupt, b: &Builtin, n: usize) -> Interrupt {
    if let InterruptKind::Argument { index, kind, problem, hint } = stop.kind() {
        let name = crate::arity::short(b.name());
        let name = name.strip_suffix("-on*").or(name.strip_suffix("-end*")).map_or(name.clone(), str::to_owned);
        // What sugar is rewritten to goes by the name that its author wrote.
        let (name, written) = match name.as_str() {
            "div*" => ("/", false),
            "dotimes*" => ("dotimes", false),
            "doseq*" => ("doseq", false),
            "for*" | "for-map*" | "for-map" => ("for", false),
            own => (own, true),
        };
        let mut e = Error::new(*kind, format!("{name}: {} {problem}", b.param(*index, n)));
        let general = || if *kind == ErrorKind::Type { suggested_fix(b, name, written, problem) } else { None };
        // What the function itself says of it is nearer than what holds for all.
        if let Some(hint) = hint.clone().or_else(general) {
            e = e.hint(hint);
        }
        *stop.kind_mut() = InterruptKind::Fault(e);
    }
    stop
}

/// What most likely fixes an argument of the wrong type.
fn suggested_fix(b: &Builtin, name: &str, written: bool, problem: &str) -> Option<String> {
    let (expected, got) = problem.strip_prefix("must be ")?.rsplit_once(", got ")?;
    // Arguments in another order are likely where there are several; numbers among numbers have none.
    let several = b.params().split('|').any(|p| p.split_whitespace().filter(|w| *w != "&").count() > 1);
    let numbers = expected == "a number" && b.params().contains("& more");
    let usage = || (several && written && !numbers).then(|| crate::arity::usage(b));
    let text = got.starts_with('"');
    Some(match (expected, got) {
        ("a number", "nil") => {
            "nil is what a missing key or an empty search gives: check the keys, or write (or x 0)".into()
        }
        ("a string", "nil") => {
            "nil is what a missing key or an empty search gives: check the keys, or write (or x \"\")".into()
        }
        (_, "nil") => return None,
        (e, "#<atom>") if e != "an atom" => "the value of an atom a is @a; swap! and reset! change it".into(),
        ("a number", _) if text && matches!(name, "<" | ">" | "<=" | ">=") => {
            "texts are ordered by (compare a b), and by sort and sort-by without a comparator".into()
        }
        ("a number" | "an integer", _) if text && has_commas(got) => {
            "parse-long and parse-double give nil for a text with commas; where they part thousands, write (parse-double (str/replace s \",\" \"\"))".into()
        }
        ("a number" | "an integer", _) if text => "(parse-long s) and (parse-double s) make a number of a text".into(),
        ("a regex", _) if text => format!("write a regex as #{got}"),
        ("an atom", _) => "an atom is made by (atom value); other values do not change".into(),
        _ => return usage(),
    })
}

/// Whether a text, in quotes, is digits and commas as people write numbers: `"1,200.00"`.
fn has_commas(quoted: &str) -> bool {
    let text = quoted.trim_matches('"');
    text.contains(',')
        && text.contains(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '.' | '-' | '+' | ' '))
}

#[cold]
fn callable_arity(f: &Value, min: usize, max: usize, got: usize) -> Interrupt {
    let e = crate::arity::arity_error(&crate::print::brief(f), min, Some(max), got);
    Interrupt::new(InterruptKind::Fault(e))
}
