//! What sugar is rewritten to, the ends of a turn, and inputs of acts: rows that only make sense here.

use crate::builtins::args::{get, str as text, take};
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::seq_source::Src;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, InterruptKind, Result};
use crate::seq::{Generator, Iter, Step, is_lazy, lazy, seq_of};
use crate::value::{Builtin, Item, Value};

/// The rows. Names that end in `*` are for sugar and are not shown.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "return",
        "value",
        "Ends the whole task with this value; definitions are kept.",
        &[("(return 5)", "5")],
        &Body(return_),
    ),
    Builtin::new(
        "fail",
        "reason",
        "Ends the whole task as failed; the turn's definitions are undone.",
        &[("(fail \"no data\")", "!no data")],
        &Body(fail),
    ),
    Builtin::new(
        "input/get",
        "handle",
        "The whole text of an input that a line of an earlier message stands for, nil if there is none: \"1.0\" for [Table: posts, 10 rows, ~18KB, input 1.0].",
        &[("(input/get \"1.0\")", "nil")],
        &Body(input_get),
    ),
    Builtin::new(
        "for*",
        "f coll",
        "What `for` is rewritten to.",
        &[("(for [x [1 2] y [3 4]] (+ x y))", "(4 5 5 6)")],
        &Body(for_),
    ),
    Builtin::new(
        "lazy-seq*",
        "f",
        "What `lazy-seq` is rewritten to.",
        &[("(take 2 ((fn f [n] (lazy-seq (cons n (f (inc n))))) 5))", "(5 6)")],
        &Body(lazy_seq),
    ),
    Builtin::new(
        "has-key*",
        "coll key",
        "Whether a map pattern finds the key, so that its default is not wanted.",
        &[("(let [{:keys [a] :or {a 1}} {}] a)", "1"), ("(let [{:keys [a] :or {a 1}} :none] a)", "1")],
        &Body(has_key),
    ),
    Builtin::new("delay*", "f", "What `delay` is rewritten to.", &[("@(delay (+ 1 2))", "3")], &Body(delay)),
    Builtin::new(
        "div*",
        "x y",
        "What `(/ x y)` is when both are written out.",
        &[("(/ 1.0 0.0)", "##Inf"), ("(/ 6 4)", "3/2")],
        &Body(div),
    ),
    Builtin::new(
        "dotimes*",
        "n",
        "How often `dotimes` runs.",
        &[("(dotimes [i 3.7] (print i))", "nil"), ("(dotimes [i nil] i)", "!dotimes: n must be a number, got nil")],
        &Body(|h, a| crate::builtins::numbers::arithmetic::cast(h, a, crate::value::Width::W64)),
    ),
    Builtin::new(
        "eval",
        "form",
        "The value of a form: it is analysed and run as a program, under the limits of this one.",
        &[("(eval '(+ 1 2))", "3"), ("(eval (list '* 2 3))", "6"), ("(eval '(nope 1))", "!unknown name nope")],
        &Body(|h, a| h.eval(take(a, 0))),
    ),
    Builtin::new(
        "load-string",
        "s",
        "The value of the last form of a text, all of whose forms are evaluated in order.",
        &[("(load-string \"(def a 1) (+ a 1)\")", "2"), ("(load-string \"(+ 1\")", "!Unclosed (")],
        &Body(|h, a| {
            let text = crate::builtins::args::str(a, 0)?.clone();
            let mut last = Value::Nil;
            for form in crate::builtins::io::edn::read_all(h, text.as_str())? {
                last = h.eval(form)?;
            }
            Ok(last)
        }),
    ),
    Builtin::new(
        "macroexpand-1",
        "form",
        "What a call of a macro stands for; any other form as it is.",
        &[("(macroexpand-1 '(when a b c))", "(if a (do b c))"), ("(macroexpand-1 '(inc 1))", "(inc 1)")],
        &Body(|h, a| h.macroexpand(take(a, 0), false)),
    ),
    Builtin::new(
        "macroexpand",
        "form",
        "As macroexpand-1, again and again, until the form is no call of a macro.",
        &[("(macroexpand '(-> a (b 1) c))", "(c (b a 1))")],
        &Body(|h, a| h.macroexpand(take(a, 0), true)),
    ),
    Builtin::new(
        "macro-form*",
        "",
        "What `&form` is in a macro: the whole call.",
        &[("(do (defmacro m [& _] (list 'quote &form)) (m 1))", "(m 1)")],
        &Body(|h, _| Ok(h.macro_form())),
    ),
    Builtin::new(
        "macro-env*",
        "",
        "What `&env` is in a macro: a map whose keys are the local names around the call, or nil.",
        &[("(do (defmacro names [] (vec (keys &env))) (let [a 1] (map str '[a])))", "(\"a\")")],
        &Body(|h, _| Ok(h.macro_env())),
    ),
    Builtin::new("doc*", "name", "What `doc` is rewritten to.", &[("(doc inc)", "nil")], &Body(doc)),
];

fn return_(_: &mut dyn Host, a: &mut [Value]) -> Result {
    Err(Interrupt::new(InterruptKind::Return(take(a, 0))))
}

fn fail(_: &mut dyn Host, a: &mut [Value]) -> Result {
    Err(Interrupt::new(InterruptKind::Fail(take(a, 0))))
}

fn input_get(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let handle = text(a, 0)?.as_str().to_owned();
    let n = h.texts().len() as u64;
    h.charge(n)?;
    Ok(h.texts().iter().find(|(name, _)| *name == handle).map(|(_, text)| text.clone()).unwrap_or_default())
}

/// Joins what `f` gives for each item, until it gives a `reduced`.
#[derive(Clone)]
struct For {
    f: Value,
    outer: Src,
    inner: Option<Src>,
}

impl For {
    fn next(&mut self, h: &mut dyn Host) -> Result<Option<Value>> {
        loop {
            if let Some(inner) = &mut self.inner {
                if let Some(v) = inner.next(h)? {
                    return Ok(Some(v));
                }
                self.inner = None;
            }
            h.charge(1)?;
            let Some(x) = self.outer.next(h)? else { return Ok(None) };
            match h.call1(&self.f, x)? {
                Value::Reduced(_) => self.outer = Src::new(Iter::new(Value::Nil)?),
                Value::Nil => {}
                items => self.inner = Some(Src::new(Iter::new(items)?)),
            }
        }
    }
}

impl Generator for For {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        Ok(self.next(h)?.map_or(Step::End, Step::Item))
    }
    fn weight(&self) -> u64 {
        self.outer.weight() + self.inner.as_ref().map_or(0, Src::weight)
    }
    fn depth(&self) -> u32 {
        let inner = self.inner.as_ref().map_or(0, Src::depth);
        self.f.depth().max(self.outer.depth()).max(inner)
    }
    fn finite(&self) -> bool {
        self.outer.finite() && self.inner.as_ref().is_none_or(Src::finite)
    }
}

fn for_(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let f = take(a, 0);
    let stay = is_lazy(get(a, 1));
    let mut state = For { f, outer: Src::arg(a, 1)?, inner: None };
    if stay {
        return Ok(crate::seq::sticky::lazy(state));
    }
    let mut out = Vec::new();
    while let Some(v) = state.next(h)? {
        h.charge(1)?;
        if out.len() == out.capacity() {
            h.reserve(out.len() as u64 * 16 + 64)?;
        }
        out.push(v);
    }
    Ok(Value::seq(out))
}

/// The body of a `lazy-seq`, called once.
#[derive(Clone)]
struct Thunk(Value);

impl Generator for Thunk {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        h.thunk();
        let v = h.call(&self.0, &mut [])?;
        // What is no sequence is an error here, as in Clojure.
        let v = if let Value::Lazy(_) = v { v } else { seq_of(h, v)? };
        Ok(Step::Rest(v))
    }
    fn body(&self) -> bool {
        true
    }
    fn weight(&self) -> u64 {
        0
    }
    fn depth(&self) -> u32 {
        // A lazy-seq that refers to itself through its own tail is not nested in itself.
        1
    }
}

fn lazy_seq(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.reserve(256)?;
    Ok(lazy(Thunk(take(a, 0))))
}

/// As `contains?`; what has no keys at all does not have this one either.
fn has_key(h: &mut dyn Host, a: &mut [Value]) -> Result {
    crate::cost::key(h, get(a, 1))?;
    h.key_found(get(a, 1).constant_mark());
    Ok(Value::Bool(crate::builtins::collections::lookup::has(h, get(a, 0), get(a, 1))?.unwrap_or(false)))
}

fn delay(h: &mut dyn Host, a: &mut [Value]) -> Result {
    crate::builtins::state::delays::new_delay(h, take(a, 0))
}

/// Clojure divides doubles that are written out as IEEE does, and throws for values (trap 4).
fn div(h: &mut dyn Host, a: &mut [Value]) -> Result {
    crate::number::div_written(h, get(a, 0), get(a, 1))
}

fn doc(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.charge(100)?;
    let name = text(a, 0)?.as_str().to_string();
    if let Some(tool) = name.strip_prefix("tool/") {
        h.charge(h.tools().len() as u64)?;
        let Some(text) = crate::tool_doc::doc(tool, h.tools()) else {
            let known: Vec<&str> = h.tools().iter().map(|t| t.name.as_str()).collect();
            let near = crate::suggest::did_you_mean(tool, known.iter().copied());
            let stop = Interrupt::error(ErrorKind::Name, format!("there is no tool {tool}"));
            return Err(match near {
                Some(near) => stop.hint(format!("did you mean tool/{near}?")),
                None => stop.hint("the system message lists the tools"),
            });
        };
        h.print(text)?;
        return Ok(Value::Nil);
    }
    // What the namespace itself has under the name comes first.
    let space = h.space();
    let own = match name.split_once('/') {
        Some((alias, word)) if !alias.is_empty() && !word.is_empty() => {
            let ns = h.alias_in(&space, alias).unwrap_or_else(|| alias.to_owned());
            crate::namespaces::key_of(&ns, word).into_owned()
        }
        _ => crate::namespaces::key_of(&space, &name).into_owned(),
    };
    let defined = h.defined(&own).or_else(|| h.defined(&name));
    // A definition of the program takes precedence over the language's own, as when it is called.
    let text = match defined {
        Some((value, doc)) => crate::builtins::collections::meta::doc_text(&name, &value, doc.as_deref()),
        None => match h.documentation(&name).or_else(|| h.documentation(&own)) {
            Some(text) => text,
            None => {
                // All names are compared.
                h.charge(10_000)?;
                let (names, tools) = (h.definitions(), h.tools().iter().map(|t| format!("tool/{}", t.name)));
                let tools: Vec<String> = tools.collect();
                let own: Vec<&str> = names.iter().map(|n| &**n).chain(tools.iter().map(String::as_str)).collect();
                let words = format!("there is nothing called {name} in PTC-Lisp");
                return Err(Interrupt::error(ErrorKind::Name, words).hint(h.suggestion(&name, &own)));
            }
        },
    };
    h.print(text)?;
    Ok(Value::Nil)
}
