//! Desugaring: forms of Clojure that are other forms written shorter. Each is rewritten once, before names are
//! resolved.

use super::scope::hidden;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind, Name};
use crate::span::Span;

/// What a rewriting gives.
pub type Rewritten = Result<Form, Misuse>;

/// Names that no program can write, made one after the other.
#[derive(Default)]
pub struct Gensym(u32);

impl Gensym {
    pub(super) fn next(&mut self, span: Span) -> Form {
        self.0 += 1;
        Form::symbol(span, hidden("s", self.0))
    }
}

/// One rewriting: the whole form's place, the forms after its name, fresh names.
pub type Rule = fn(Span, &[Form], &mut Gensym) -> Rewritten;

/// Why a form cannot be rewritten.
pub enum Misuse {
    /// What is here is not written as the form's row says.
    Usage(Span),
    /// An error to which the form's usage is the hint.
    Hint(Error),
    /// Any other error.
    Error(Error),
}

impl From<Error> for Misuse {
    fn from(e: Error) -> Self {
        Misuse::Error(e)
    }
}

/// Most steps of a threading, clauses of a `condp`, bindings of a `for`: each nests what is rewritten one level deeper.
const NESTING: usize = 1000;

fn bounded(span: Span, name: &str, n: usize) -> Result<(), Error> {
    if n <= NESTING {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Depth, format!("{name} with {n} parts nests deeper than {NESTING}"))
        .at(span)
        .hint("split it with let"))
}

fn nil(span: Span) -> Form {
    Form::new(span, Kind::Nil)
}

fn do_(span: Span, body: &[Form]) -> Form {
    match body {
        [one] => one.clone(),
        _ => Form::call(span, "do", body.to_vec()),
    }
}

fn let_(span: Span, bindings: Vec<Form>, body: Form) -> Form {
    Form::call(span, "let", vec![Form::vector(span, bindings), body])
}

fn if_(span: Span, test: Form, then: Form, other: Form) -> Form {
    Form::call(span, "if", vec![test, then, other])
}

pub(super) fn when(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let [test, body @ ..] = a else { return Err(Misuse::Usage(span)) };
    Ok(if_(span, test.clone(), do_(span, body), nil(span)))
}

pub(super) fn when_not(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let [test, body @ ..] = a else { return Err(Misuse::Usage(span)) };
    Ok(if_(span, test.clone(), nil(span), do_(span, body)))
}

pub(super) fn if_not(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    match a {
        [test, then] => Ok(if_(span, test.clone(), nil(span), then.clone())),
        [test, then, other] => Ok(if_(span, test.clone(), other.clone(), then.clone())),
        _ => Err(Misuse::Usage(span)),
    }
}

/// `(f a)` with `x` put at index 1 or at the end; a bare symbol or keyword is called (trap 29).
fn put(step: &Form, x: Form, last: bool) -> Form {
    match &step.kind {
        Kind::List(items) if !items.is_empty() => {
            let mut items = items.clone();
            let at = if last { items.len() } else { 1 };
            items.insert(at, x);
            Form::list(step.span, items)
        }
        // The metadata of a call is that of the call with x in it.
        Kind::Meta(meta, inner) if matches!(&inner.kind, Kind::List(_) | Kind::Meta(..)) => {
            Form::new(step.span, Kind::Meta(meta.clone(), Box::new(put(inner, x, last))))
        }
        _ => Form::list(step.span, vec![step.clone(), x]),
    }
}

fn thread(span: Span, a: &[Form], last: bool, name: &str) -> Rewritten {
    let [x, steps @ ..] = a else { return Err(Misuse::Usage(span)) };
    bounded(span, name, steps.len())?;
    Ok(steps.iter().fold(x.clone(), |x, step| put(step, x, last)))
}

pub(super) fn thread_first(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    thread(span, a, false, "->")
}

pub(super) fn thread_last(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    thread(span, a, true, "->>")
}

pub(super) fn as_thread(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let [x, name, steps @ ..] = a else { return Err(Misuse::Usage(span)) };
    let mut bindings = vec![name.clone(), x.clone()];
    let Some((last, first)) = steps.split_last() else { return Ok(let_(span, bindings, name.clone())) };
    for s in first {
        bindings.extend([name.clone(), s.clone()]);
    }
    Ok(let_(span, bindings, last.clone()))
}

/// The steps as bindings of one name, but for the last, which is the body: it may `recur`, as in Clojure.
fn stepped(span: Span, mut bindings: Vec<Form>, name: Form) -> Form {
    if bindings.len() > 2
        && let Some(last) = bindings.pop()
    {
        bindings.pop();
        return let_(span, bindings, last);
    }
    let_(span, bindings, name)
}

fn cond_thread(span: Span, a: &[Form], g: &mut Gensym, last: bool) -> Rewritten {
    let [x, clauses @ ..] = a else { return Err(Misuse::Usage(span)) };
    if clauses.len() % 2 != 0 {
        return Err(Misuse::Usage(span));
    }
    let name = g.next(span);
    let mut bindings = vec![name.clone(), x.clone()];
    for pair in clauses.chunks(2) {
        if let [test, step] = pair {
            bindings.push(name.clone());
            bindings.push(if_(step.span, test.clone(), put(step, name.clone(), last), name.clone()));
        }
    }
    Ok(stepped(span, bindings, name))
}

pub(super) fn cond_first(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    cond_thread(span, a, g, false)
}

pub(super) fn cond_last(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    cond_thread(span, a, g, true)
}

fn some_thread(span: Span, a: &[Form], g: &mut Gensym, last: bool) -> Rewritten {
    let [x, steps @ ..] = a else { return Err(Misuse::Usage(span)) };
    let name = g.next(span);
    let mut bindings = vec![name.clone(), x.clone()];
    for step in steps {
        let test = Form::call(step.span, "nil?", vec![name.clone()]);
        bindings.push(name.clone());
        bindings.push(if_(step.span, test, nil(step.span), put(step, name.clone(), last)));
    }
    Ok(stepped(span, bindings, name))
}

pub(super) fn some_first(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    some_thread(span, a, g, false)
}

pub(super) fn some_last(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    some_thread(span, a, g, true)
}

pub(super) fn doto(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    let [x, steps @ ..] = a else { return Err(Misuse::Usage(span)) };
    let name = g.next(span);
    let mut body: Vec<Form> = steps.iter().map(|s| put(s, name.clone(), false)).collect();
    body.push(name.clone());
    Ok(let_(span, vec![name, x.clone()], do_(span, &body)))
}

fn one_binding(span: Span, a: &[Form]) -> Result<(&Form, &Form, &[Form]), Misuse> {
    if let [Form { kind: Kind::Vector(b), .. }, body @ ..] = a
        && let [name, value] = b.as_slice()
    {
        return Ok((name, value, body));
    }
    Err(Misuse::Usage(span))
}

/// `if-let`, `if-some`: the value is tested before it is taken apart (trap 29).
fn if_bound(span: Span, a: &[Form], g: &mut Gensym, some: bool) -> Rewritten {
    let (name, value, body) = one_binding(span, a)?;
    let (then, other) = match body {
        [then] => (then.clone(), nil(span)),
        [then, other] => (then.clone(), other.clone()),
        _ => return Err(Misuse::Usage(span)),
    };
    let temp = g.next(span);
    let bound = let_(span, vec![name.clone(), temp.clone()], then);
    let choice = if some {
        if_(span, Form::call(span, "nil?", vec![temp.clone()]), other, bound)
    } else {
        if_(span, temp.clone(), bound, other)
    };
    Ok(let_(span, vec![temp, value.clone()], choice))
}

pub(super) fn if_let(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    if_bound(span, a, g, false)
}

pub(super) fn if_some(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    if_bound(span, a, g, true)
}

fn when_bound(span: Span, a: &[Form], g: &mut Gensym, some: bool) -> Rewritten {
    let (name, value, body) = one_binding(span, a)?;
    let binding = Form::vector(span, vec![name.clone(), value.clone()]);
    if_bound(span, &[binding, do_(span, body)], g, some)
}

pub(super) fn when_let(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    when_bound(span, a, g, false)
}

pub(super) fn when_some(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    when_bound(span, a, g, true)
}

pub(super) fn when_first(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    let (name, value, body) = one_binding(span, a)?;
    let temp = g.next(span);
    let first = Form::call(span, "first", vec![temp.clone()]);
    let inner = let_(span, vec![name.clone(), first], do_(span, body));
    let seq = Form::call(span, "seq", vec![value.clone()]);
    Ok(let_(span, vec![temp.clone(), seq], if_(span, temp, inner, nil(span))))
}

pub(super) fn dotimes(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    let (name, value, body) = one_binding(span, a)?;
    let (n, i) = (g.next(span), g.next(span));
    let zero = Form::new(span, Kind::Int(0));
    let again = Form::call(span, "recur", vec![Form::call(span, "inc", vec![i.clone()])]);
    let mut inner = vec![let_(span, vec![name.clone(), i.clone()], do_(span, body))];
    inner.push(again);
    let test = Form::call(span, "<", vec![i.clone(), n.clone()]);
    let lp = Form::call(
        span,
        "loop",
        vec![Form::vector(span, vec![i, zero]), if_(span, test, Form::call(span, "do", inner), nil(span))],
    );
    Ok(let_(span, vec![n, Form::call(span, "dotimes*", vec![value.clone()])], lp))
}

pub(super) fn while_(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let [test, body @ ..] = a else { return Err(Misuse::Usage(span)) };
    let mut inner = body.to_vec();
    inner.push(Form::call(span, "recur", Vec::new()));
    let then = Form::call(span, "do", inner);
    Ok(Form::call(span, "loop", vec![Form::vector(span, Vec::new()), if_(span, test.clone(), then, nil(span))]))
}

/// The bindings and the body of `for` and `doseq`; `items` says whether the first binding must be one of items.
fn comprehension(span: Span, a: &[Form], items: bool) -> Result<(&[Form], &[Form]), Misuse> {
    match a {
        [Form { kind: Kind::Vector(b), .. }, body @ ..] if b.len() % 2 == 0 => {
            if items && !b.first().is_some_and(|f| !matches!(f.kind, Kind::Keyword(_))) {
                return Err(Misuse::Usage(span));
            }
            bounded(span, "a comprehension", b.len())?;
            let unknown = |f: &&Form| match &f.kind {
                Kind::Keyword(_) => !["let", "when", "while"].iter().any(|known| f.is_keyword(known)),
                _ => false,
            };
            if let Some(f) = b.iter().step_by(2).find(unknown) {
                let e = Error::new(ErrorKind::Parse, "expected a name, :when, :let or :while here").at(f.span);
                return Err(Misuse::Hint(e));
            }
            Ok((b, body))
        }
        _ => Err(Misuse::Usage(span)),
    }
}

pub(super) fn doseq(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    let (bindings, body) = comprehension(span, a, false)?;
    let body = do_(span, body);
    Ok(doseq_level(span, bindings, &body, g, None))
}

/// One level of `doseq`: `next` is what continues with the level around, in tail position.
fn doseq_level(span: Span, bindings: &[Form], body: &Form, g: &mut Gensym, next: Option<Form>) -> Form {
    let go_on = |f: Form| match &next {
        Some(n) => Form::call(span, "do", vec![f, n.clone()]),
        None => f,
    };
    let [name, value, rest @ ..] = bindings else { return go_on(body.clone()) };
    if name.is_keyword("let") {
        let inner = doseq_level(span, rest, body, g, next);
        return Form::call(span, "let", vec![value.clone(), inner]);
    }
    if name.is_keyword("when") {
        let inner = doseq_level(span, rest, body, g, next.clone());
        return if_(span, value.clone(), inner, next.unwrap_or_else(|| nil(span)));
    }
    if name.is_keyword("while") {
        let inner = doseq_level(span, rest, body, g, next);
        return if_(span, value.clone(), inner, nil(span));
    }
    let s = g.next(span);
    let recur = Form::call(span, "recur", vec![Form::call(span, "next", vec![s.clone()])]);
    let inner = doseq_level(span, rest, body, g, Some(recur));
    let bound = let_(span, vec![name.clone(), Form::call(span, "first", vec![s.clone()])], inner);
    let seq = Form::call(span, "doseq*", vec![value.clone()]);
    let lp = Form::call(span, "loop", vec![Form::vector(span, vec![s.clone(), seq]), if_(span, s, bound, nil(span))]);
    go_on(lp)
}

pub(super) fn for_(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let (bindings, body) = comprehension(span, a, true)?;
    let [body] = body else { return Err(Misuse::Usage(span)) };
    // A local of that name is a value here.
    if body.as_plain() == Some("do") {
        return Ok(for_level(span, bindings, &Form::call(span, "do", vec![body.clone()])));
    }
    Ok(for_level(span, bindings, body))
}

/// One level of `for`: a function of the item gives the items it contributes (`for*` joins them and ends at a
/// `reduced`); without conditions the innermost level is `map` by another name.
fn for_level(span: Span, bindings: &[Form], body: &Form) -> Form {
    let [name, value, rest @ ..] = bindings else { return Form::call(span, "list", vec![body.clone()]) };
    if name.is_keyword("let") {
        return Form::call(span, "let", vec![value.clone(), for_level(span, rest, body)]);
    }
    if name.is_keyword("when") {
        return if_(span, value.clone(), for_level(span, rest, body), nil(span));
    }
    if name.is_keyword("while") {
        return if_(span, value.clone(), for_level(span, rest, body), Form::call(span, "reduced", vec![nil(span)]));
    }
    let (join, inner) =
        if rest.is_empty() { ("for-map*", body.clone()) } else { ("for*", for_level(span, rest, body)) };
    let f = Form::call(span, "fn", vec![Form::vector(span, vec![name.clone()]), inner]);
    Form::call(span, join, vec![f, value.clone()])
}

pub(super) fn condp(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    let [pred, expr, clauses @ ..] = a else { return Err(Misuse::Usage(span)) };
    bounded(span, "condp", clauses.len())?;
    let (p, e) = (g.next(span), g.next(span));
    let mut parts: Vec<(Form, Option<Form>, bool)> = Vec::new();
    let mut at = clauses;
    loop {
        match at {
            [] => break,
            [default] => {
                parts.push((default.clone(), None, false));
                break;
            }
            [test, arrow, result, more @ ..] if matches!(&arrow.kind, Kind::Keyword(k) if &*k.name == ">>") => {
                parts.push((test.clone(), Some(result.clone()), true));
                at = more;
            }
            [test, result, more @ ..] => {
                parts.push((test.clone(), Some(result.clone()), false));
                at = more;
            }
        }
    }
    let message = Form::call(span, "str", vec![Form::new(span, Kind::Str("No matching clause: ".into())), e.clone()]);
    let none = Form::call(span, "throw", vec![Form::call(span, "IllegalArgumentException.", vec![message])]);
    let mut result = none;
    for (test, then, arrow) in parts.into_iter().rev() {
        result = match then {
            None => test,
            Some(then) => {
                let call = Form::list(span, vec![p.clone(), test, e.clone()]);
                if arrow {
                    let hit = g.next(span);
                    let yes = Form::list(span, vec![then, hit.clone()]);
                    let_(span, vec![hit.clone(), call], if_(span, hit, yes, result))
                } else {
                    if_(span, call, then, result)
                }
            }
        };
    }
    Ok(let_(span, vec![p, pred.clone(), e, expr.clone()], result))
}

pub(super) fn assert(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let (test, message) = match a {
        [test] => (test, None),
        [test, message] => (test, Some(message)),
        _ => return Err(Misuse::Usage(span)),
    };
    let written = Form::call(span, "pr-str", vec![Form::new(span, Kind::Quote(Box::new(test.clone())))]);
    let text = |s: &str| Form::new(span, Kind::Str(s.into()));
    let mut parts = vec![text("Assert failed: ")];
    if let Some(m) = message {
        parts.extend([m.clone(), text("\n")]);
    }
    parts.push(written);
    let error = Form::call(span, "AssertionError.", vec![Form::call(span, "str", parts)]);
    Ok(if_(span, test.clone(), nil(span), Form::call(span, "throw", vec![error])))
}

fn thunk(span: Span, body: &[Form]) -> Form {
    let mut items = vec![Form::vector(span, Vec::new())];
    items.extend_from_slice(body);
    Form::call(span, "fn", items)
}

pub(super) fn lazy_seq(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    Ok(Form::call(span, "lazy-seq*", vec![thunk(span, a)]))
}

pub(super) fn lazy_cat(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let parts = a.iter().map(|f| Form::call(f.span, "lazy-seq*", vec![thunk(f.span, std::slice::from_ref(f))]));
    Ok(Form::call(span, "concat", parts.collect()))
}

pub(super) fn with_bindings(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let [map, body @ ..] = a else { return Err(Misuse::Usage(span)) };
    Ok(Form::call(span, "with-bindings*", vec![map.clone(), thunk(span, body)]))
}

pub(super) fn delay(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    Ok(Form::call(span, "delay*", vec![thunk(span, a)]))
}

/// `(binding [*a* 1] body...)`: the vars, their values, and the body as a function.
fn bound(span: Span, a: &[Form], to: &str) -> Rewritten {
    let [Form { kind: Kind::Vector(pairs), span: at, .. }, body @ ..] = a else { return Err(Misuse::Usage(span)) };
    if !pairs.len().is_multiple_of(2) {
        return Err(Misuse::Usage(*at));
    }
    let var = |f: &Form| Form::new(f.span, Kind::Var(Box::new(f.clone())));
    let vars = pairs.iter().step_by(2).map(var).collect();
    let values = pairs.iter().skip(1).step_by(2).cloned().collect();
    Ok(Form::call(span, to, vec![Form::vector(*at, vars), Form::vector(*at, values), thunk(span, body)]))
}

pub(super) fn binding(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    bound(span, a, "binding*")
}

pub(super) fn with_redefs(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    bound(span, a, "with-redefs*")
}

/// What files set at their beginning by habit says nothing here.
pub(super) fn set(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let [target, value] = a else { return Err(Misuse::Usage(span)) };
    match target.as_plain() {
        Some("*warn-on-reflection*" | "*unchecked-math*") => Ok(value.clone()),
        Some(_) => {
            let target = Form::new(target.span, Kind::Quote(Box::new(target.clone())));
            let var = Form::new(target.span, Kind::Var(Box::new(target)));
            Ok(Form::call(span, "set!*", vec![var, value.clone()]))
        }
        // `(set! (.-x this) 1)`, in a method of a type whose field x changes.
        None => match &target.kind {
            Kind::List(call) => match call.as_slice() {
                [Form { kind: Kind::Symbol(field), span: at, .. }, obj] if field.name.starts_with('.') => {
                    let name = field.name.trim_start_matches('.').trim_start_matches('-');
                    let own = Form::new(*at, Kind::Quote(Box::new(Form::symbol(*at, Name::plain(name)))));
                    let own = Form::new(*at, Kind::Var(Box::new(own)));
                    let name = Form::new(*at, Kind::Str(name.into()));
                    Ok(Form::call(span, "set-field*", vec![obj.clone(), name, own, value.clone()]))
                }
                _ => Err(Misuse::Usage(target.span)),
            },
            _ => Err(Misuse::Usage(target.span)),
        },
    }
}

pub(super) fn future(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    Ok(Form::call(span, "future-call", vec![thunk(span, a)]))
}

/// There is one thread: what would be locked is evaluated.
pub(super) fn locking(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    if a.is_empty() { Err(Misuse::Usage(span)) } else { Ok(Form::call(span, "do", a.to_vec())) }
}

pub(super) fn with_precision(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let (digits, mode, body) = match a {
        [digits, key, mode, body @ ..] if key.is_keyword("rounding") => (digits, mode.clone(), body),
        [digits, body @ ..] => (digits, Form::symbol(span, Name::plain("HALF_UP")), body),
        [] => return Err(Misuse::Usage(span)),
    };
    let mode = Form::new(mode.span, Kind::Quote(Box::new(mode)));
    Ok(Form::call(span, "with-precision*", vec![digits.clone(), mode, thunk(span, body)]))
}

/// The clock does not advance while a turn runs (SECURITY P3), so the time is always zero.
pub(super) fn time(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let text = Form::new(span, Kind::Str("\"Elapsed time: 0.0 msecs\"".into()));
    let said = Form::call(span, "println", vec![text]);
    let [x] = a else { return Err(Misuse::Usage(span)) };
    let name = Form::symbol(span, hidden("time", 0));
    Ok(let_(span, vec![name.clone(), x.clone()], Form::call(span, "do", vec![said, name])))
}

pub(super) fn comment(span: Span, _: &[Form], _: &mut Gensym) -> Rewritten {
    Ok(nil(span))
}

pub(super) fn new(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let [Form { kind: Kind::Symbol(class), span: at, .. }, args @ ..] = a else {
        return Err(Misuse::Usage(span));
    };
    let mut items = vec![Form::symbol(*at, Name { ns: class.ns.clone(), name: format!("{}.", class.name).into() })];
    items.extend_from_slice(args);
    Ok(Form::list(span, items))
}

pub(super) fn dot(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let (target, call) = match a {
        [target, Form { kind: Kind::List(call), .. }] => (target, call.clone()),
        [target, call @ ..] if !call.is_empty() => (target, call.to_vec()),
        _ => return Err(Misuse::Usage(span)),
    };
    let [Form { kind: Kind::Symbol(method), span: at, .. }, args @ ..] = call.as_slice() else {
        return Err(Misuse::Usage(span));
    };
    let mut items = match &target.kind {
        // `(. Math sqrt 4)`: a static of a class.
        Kind::Symbol(class) if crate::builtins::find(&format!("{}/{}", class.name, method.name)).is_some() => {
            vec![Form::symbol(*at, Name { ns: Some(class.name.as_str().into()), name: method.name.clone() })]
        }
        // `(. Integer MAX_VALUE)`: a constant of a class.
        Kind::Symbol(class) if args.is_empty() && static_field(class, method).is_some() => {
            return Ok(Form::symbol(*at, static_field(class, method).unwrap_or_else(|| method.clone())));
        }
        _ => vec![Form::symbol(*at, Name::plain(&format!(".{}", method.name))), target.clone()],
    };
    items.extend_from_slice(args);
    Ok(Form::list(span, items))
}

/// The constant that a field of a class is, as `Integer/MAX_VALUE`.
fn static_field(class: &Name, field: &Name) -> Option<Name> {
    let field = field.name.strip_prefix('-').unwrap_or(&field.name);
    super::static_fields::static_field(&class.name, field)?;
    Some(Name { ns: Some(class.name.as_str().into()), name: field.into() })
}

/// `(.. x trim (substring 1))`: methods one after the other.
pub(super) fn dots(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    let [x, first, rest @ ..] = a else { return Err(Misuse::Usage(span)) };
    bounded(span, "..", rest.len())?;
    rest.iter().try_fold(dot(span, &[x.clone(), first.clone()], g)?, |x, call| dot(call.span, &[x, call.clone()], g))
}

pub(super) fn memfn(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    let [Form { kind: Kind::Symbol(method), span: at, .. }, args @ ..] = a else {
        return Err(Misuse::Usage(span));
    };
    let target = g.next(span);
    let mut params = vec![target.clone()];
    params.extend_from_slice(args);
    let mut items = vec![Form::symbol(*at, Name::plain(&format!(".{}", method.name))), target];
    items.extend_from_slice(args);
    Ok(Form::call(span, "fn", vec![Form::vector(span, params), Form::list(span, items)]))
}

pub(super) fn doc(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let [Form { kind: Kind::Symbol(name), .. }] = a else { return Err(Misuse::Usage(span)) };
    Ok(Form::call(span, "doc*", vec![Form::new(span, Kind::Str(name.text().into()))]))
}
