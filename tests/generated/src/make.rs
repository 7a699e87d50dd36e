//! The generator: sessions of typed programs, the same for the same seed.
//!
//! A program is made of an expression for each type; names are few, so they hide each other all the time. Where a lazy
//! sequence computes something, it has no effect and cannot fail, since nobody can say when it happens (the first
//! difference from Clojure in docs/language.md); maps stay below nine entries and sets are sorted before anything
//! depends on their order (the third).

use crate::Session;
use crate::kinds::{Extra, Kind};
use crate::ours::Code;
use crate::random::Random;
use crate::templates::Type;

#[derive(Clone)]
pub(crate) struct Local {
    pub(crate) name: String,
    pub(crate) of: Type,
    /// Whether calling it has no effect and cannot fail; true of what is no function.
    pub(crate) pure: bool,
}

/// A function that an earlier form defined.
#[derive(Clone)]
pub(crate) struct Defined {
    pub(crate) name: String,
    pub(crate) params: Vec<Type>,
    pub(crate) gives: Type,
    pub(crate) pure: bool,
    /// Its first argument counts down its own calls, so it is small.
    pub(crate) counted: bool,
    pub(crate) shape: Shape,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    Plain,
    /// Its last parameter has a default of its own arity.
    Short,
    /// More numbers may follow.
    More,
    /// `:p` and `:q` may follow, with numbers.
    Named,
}

/// Names for what programs bind: few, so that they hide each other, and none that templates bind.
const NAMES: &[&str] = &["a", "b", "c", "d", "e", "x", "y", "z", "n", "xs", "ys", "acc"];
const FUNCTION_NAMES: &[&str] = &["g", "h", "j", "step", "a", "x"];
const GLOBAL_NAMES: &[&str] = &["one", "two", "three", "total", "state", "log", "even-part", "result"];

pub(crate) struct Make {
    pub(crate) r: Random,
    pub(crate) locals: Vec<Local>,
    pub(crate) globals: Vec<Local>,
    pub(crate) functions: Vec<Defined>,
    /// Calls that definitions brought.
    pub(crate) extras: Vec<Extra>,
    /// What [`crate::kinds`] defined.
    pub(crate) kinds: Vec<Kind>,
    /// Forms that may still be made.
    pub(crate) left: i64,
    pub(crate) pure: bool,
    pub(crate) in_hash: bool,
    /// The name that is being defined, which is hidden where nothing may be known of time.
    pub(crate) redefined: Option<String>,
    /// How many names have been made up.
    pub(crate) next: usize,
}

/// The session of a seed; about three in ten have several turns.
pub fn session(seed: u64) -> Session {
    let mut m = Make {
        r: Random::new(seed),
        locals: Vec::new(),
        globals: Vec::new(),
        functions: Vec::new(),
        extras: Vec::new(),
        kinds: Vec::new(),
        left: 0,
        pure: false,
        in_hash: false,
        redefined: None,
        next: 0,
    };
    let turns = if m.r.percent(70) { 1 } else { 2 + m.r.below(4) };
    let mut out = Session::new();
    for i in 0..turns {
        let before = (m.globals.clone(), m.functions.clone(), m.extras.clone(), m.kinds.clone());
        out.push(m.turn(turns > 1, i + 1 == turns));
        // What a turn defined that fails, later turns do not know.
        if turns > 1 && crate::ours::answers(&out, Code::Usual).is_none_or(|a| a.last().is_some_and(Option::is_none)) {
            (m.globals, m.functions, m.extras, m.kinds) = before;
        }
    }
    out
}

pub(crate) fn is_function(of: Type) -> bool {
    matches!(of, Type::Fn1 | Type::Fn2 | Type::Test | Type::FnVec)
}

impl Make {
    fn turn(&mut self, several: bool, last: bool) -> String {
        let mut forms = Vec::new();
        let defs = if several { self.r.below(4) } else { [0, 0, 1, 1, 2, 2, 3][self.r.below(7)] };
        for _ in 0..defs {
            self.left = 8 + self.r.below(14) as i64;
            forms.push(self.definition());
        }
        self.left = if several { 6 + self.r.below(20) } else { 8 + self.r.below(34) } as i64;
        // A turn that fails on purpose, after what it has changed.
        let fails = several && !last && self.r.percent(18);
        let body = match self.r.below(3) {
            0 => {
                let n = 2 + self.r.below(3);
                let parts: Vec<String> = (0..n).map(|_| self.rich(4)).collect();
                format!("[{}]", parts.join(" "))
            }
            _ => self.rich(6),
        };
        forms.push(body);
        if fails {
            forms.push(match self.r.below(4) {
                0 => "(throw (ex-info \"stop\" {}))".to_string(),
                1 => "(nth [] 1)".to_string(),
                2 => "(no-such-name 1)".to_string(),
                _ => "(inc nil)".to_string(),
            });
        }
        forms.join(" ")
    }

    // ---- definitions

    fn definition(&mut self) -> String {
        self.locals.clear();
        if self.r.percent(55) {
            return self.kind();
        }
        match self.r.below(12) {
            0..=4 => {
                let (name, known) = self.value_name();
                let of = known.as_ref().map_or_else(
                    || if self.r.percent(25) { *self.r.of(&[Type::Count, Type::Log]) } else { self.some_type() },
                    |k| k.of,
                );
                let pure = known.as_ref().is_none_or(|k| k.pure);
                // What is lazy would see the new meaning of the name, after the definition.
                self.redefined = Some(name.clone());
                let value = self.purely(pure && is_function(of), |m| m.expr(of, 4));
                self.redefined = None;
                self.rebind(&name);
                self.globals.push(Local { name: name.clone(), of, pure });
                format!("(def {name} {value})")
            }
            5 => {
                let pure = self.r.percent(50);
                let of = *self.r.of(&[Type::Fn1, Type::Fn2, Type::Test, Type::FnVec]);
                let value = self.purely(pure, |m| m.expr(of, 3));
                self.next += 1;
                let name = format!("fn-{}", self.next);
                self.globals.push(Local { name: name.clone(), of, pure });
                format!("(def {name} {value})")
            }
            6 | 7 => self.counted(),
            8 => self.mutual(),
            _ => self.defn(),
        }
    }

    /// A name for a value, and what it has meant so far: a name keeps its type, since functions defined earlier see what
    /// it means now.
    fn value_name(&mut self) -> (String, Option<Local>) {
        let name = self.r.of(GLOBAL_NAMES).to_string();
        let known = self.globals.iter().find(|g| g.name == name).cloned();
        (name, known)
    }

    /// A function to define again, or a new one.
    fn function_name(&mut self, counted: bool) -> (String, Option<Defined>) {
        let same: Vec<Defined> =
            self.functions.iter().filter(|f| f.counted == counted && !f.name.starts_with('p')).cloned().collect();
        if !same.is_empty() && self.r.percent(50) {
            let f = self.r.of(&same).clone();
            return (f.name.clone(), Some(f));
        }
        self.next += 1;
        (format!("work-{}", self.next), None)
    }

    /// A name means something new: what it meant is gone.
    fn rebind(&mut self, name: &str) {
        self.globals.retain(|g| g.name != name);
        self.functions.retain(|f| f.name != name);
    }

    pub(crate) fn some_type(&mut self) -> Type {
        *self.r.of(Type::DATA)
    }

    fn defn(&mut self) -> String {
        let (name, known) = self.function_name(false);
        let function = known.unwrap_or_else(|| {
            let shape =
                *self.r.of(&[Shape::Plain, Shape::Plain, Shape::Plain, Shape::Short, Shape::More, Shape::Named]);
            let n = 1 + self.r.below(3);
            let mut params: Vec<Type> = (0..n).map(|_| self.some_type()).collect();
            if self.r.percent(15) {
                params.push(Type::Fn1);
            }
            if shape != Shape::Plain {
                params.push(Type::Int);
            }
            let (gives, pure) = (self.some_type(), self.r.percent(50));
            Defined { name: name.clone(), params, gives, pure, counted: false, shape }
        });
        let (params, gives, pure, shape) = (function.params.clone(), function.gives, function.pure, function.shape);
        let doc = if self.r.percent(15) { "\"What it does.\" " } else { "" };
        let text = self.purely(pure, |m| {
            let mark = m.locals.len();
            let fixed = if matches!(shape, Shape::More | Shape::Named) { params.len() - 1 } else { params.len() };
            let mut patterns: Vec<String> = params[..fixed].iter().map(|t| m.pattern(*t, pure)).collect();
            match shape {
                Shape::More => {
                    let more = m.name();
                    patterns.push(format!("& {more}"));
                    m.push(more, Type::Seq, true);
                }
                Shape::Named => {
                    patterns.push("& {:keys [kp kq] :or {kp 1 kq 2}}".to_string());
                    m.push("kp".into(), Type::Int, true);
                    m.push("kq".into(), Type::Int, true);
                }
                _ => {}
            }
            let body = m.expr(gives, 5);
            m.locals.truncate(mark);
            match shape {
                Shape::Short => {
                    // The shorter arity calls the longer one by the function's name.
                    let names: Vec<String> = (1..fixed).map(|i| format!("p{i}")).collect();
                    let k = m.r.below(9);
                    format!(
                        "(defn {name} {doc}([{0}] ({name} {0} {k})) ([{1}] {body}))",
                        names.join(" "),
                        patterns.join(" ")
                    )
                }
                _ => format!("(defn {name} {doc}[{}] {body})", patterns.join(" ")),
            }
        });
        self.rebind(&name);
        self.functions.push(function);
        text
    }

    /// A function that calls itself, fewer times with each call.
    fn counted(&mut self) -> String {
        let (name, known) = self.function_name(true);
        let (gives, other, pure) = match known {
            Some(f) => (f.gives, f.params[2], f.pure),
            None => (self.some_type(), self.some_type(), self.r.percent(50)),
        };
        let text = self.purely(pure, |m| {
            let (count, acc, extra) = ("n", m.fresh(&["n"]), m.fresh(&["n"]));
            let (acc, extra) = if acc == extra { (acc, "more".to_string()) } else { (acc, extra) };
            m.push(count.into(), Type::Int, true);
            m.push(acc.clone(), gives, true);
            m.push(extra.clone(), other, true);
            let step = m.expr(gives, 3);
            let also = m.expr(other, 2);
            let end = m.expr(gives, 2);
            let again = match m.r.below(4) {
                0 => format!("(recur (dec n) {step} {also})"),
                1 => format!("({name} (dec n) {step} {also})"),
                2 => {
                    let x = m.name();
                    m.push(x.clone(), gives, true);
                    let after = m.expr(gives, 2);
                    m.locals.pop();
                    format!("(let [{x} ({name} (dec n) {step} {also})] {after})")
                }
                _ => {
                    let b = m.expr(Type::Bool, 2);
                    format!("(if {b} ({name} (dec n) {step} {also}) ({name} (- n 2) {acc} {also}))")
                }
            };
            m.locals.clear();
            format!("(defn {name} [n {acc} {extra}] (if (pos? n) {again} {end}))")
        });
        self.rebind(&name);
        self.functions.push(Defined {
            name,
            params: vec![Type::Int, gives, other],
            gives,
            pure,
            counted: true,
            shape: Shape::Plain,
        });
        text
    }

    /// Two functions that call each other.
    fn mutual(&mut self) -> String {
        let pure = self.r.percent(50);
        let gives = self.some_type();
        let (one, two) = ("ping".to_string(), "pong".to_string());
        let text = self.purely(pure, |m| {
            let mut halves = Vec::new();
            for (own, other) in [(&one, &two), (&two, &one)] {
                m.push("n".into(), Type::Int, true);
                m.push("acc".into(), gives, true);
                let step = m.expr(gives, 3);
                let end = m.expr(gives, 2);
                m.locals.clear();
                halves.push(format!("(defn {own} [n acc] (if (<= n 0) {end} ({other} (dec n) {step})))"));
            }
            format!("(declare {two}) {}", halves.join(" "))
        });
        for name in [one, two] {
            self.rebind(&name);
            self.functions.push(Defined {
                name,
                params: vec![Type::Int, gives],
                gives,
                pure,
                counted: true,
                shape: Shape::Plain,
            });
        }
        text
    }

    // ---- names

    pub(crate) fn name(&mut self) -> String {
        self.r.of(NAMES).to_string()
    }

    pub(crate) fn fresh(&mut self, but: &[&str]) -> String {
        loop {
            let name = self.name();
            if !but.contains(&name.as_str()) {
                return name;
            }
        }
    }

    pub(crate) fn push(&mut self, name: String, of: Type, pure: bool) {
        self.locals.push(Local { name, of, pure });
    }

    pub(crate) fn purely<T>(&mut self, pure: bool, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.pure;
        self.pure |= pure;
        let r = f(self);
        self.pure = before;
        r
    }

    /// A name or pattern for a value, whose names are known from here on.
    pub(crate) fn pattern(&mut self, of: Type, pure: bool) -> String {
        if self.r.percent(35) {
            let (x, y, z) = (self.name(), self.name(), self.name());
            match of {
                Type::Vec | Type::Seq if x != y && y != z && x != z => match self.r.below(4) {
                    0 => {
                        self.push(x.clone(), Type::Maybe, true);
                        self.push(y.clone(), Type::Seq, true);
                        return format!("[{x} & {y}]");
                    }
                    1 => {
                        self.push(x.clone(), Type::Maybe, true);
                        self.push(y.clone(), Type::Maybe, true);
                        self.push(z.clone(), of, true);
                        return format!("[{x} {y} :as {z}]");
                    }
                    2 => {
                        self.push(x.clone(), Type::Maybe, true);
                        self.push(y.clone(), Type::Maybe, true);
                        self.push(z.clone(), Type::Seq, true);
                        return format!("[{x} {y} & {z}]");
                    }
                    _ => {
                        self.push(x.clone(), Type::Maybe, true);
                        return format!("[_ {x}]");
                    }
                },
                Type::Map if x != y => match self.r.below(4) {
                    0 => {
                        self.push("a".into(), Type::Maybe, true);
                        self.push("b".into(), Type::Maybe, true);
                        return "{:keys [a b]}".into();
                    }
                    1 => {
                        let d = self.purely(true, |m| m.leaf(Type::Int));
                        self.push("c".into(), Type::Int, true);
                        return format!("{{:keys [c] :or {{c {d}}}}}");
                    }
                    2 => {
                        let d = self.r.below(9);
                        self.push(x.clone(), Type::Int, true);
                        self.push(y.clone(), Type::Map, true);
                        return format!("{{{x} :b :or {{{x} {d}}} :as {y}}}");
                    }
                    _ => {
                        self.push(x.clone(), Type::Maybe, true);
                        self.push(y.clone(), Type::Map, true);
                        return format!("{{{x} :a :as {y}}}");
                    }
                },
                Type::Row if x != y => match self.r.below(3) {
                    0 => {
                        self.push("a".into(), Type::Int, true);
                        self.push("k".into(), Type::Key, true);
                        return "{:keys [a k]}".into();
                    }
                    1 => {
                        self.push(x.clone(), Type::Int, true);
                        self.push(y.clone(), Type::Row, true);
                        return format!("{{{x} :a :as {y}}}");
                    }
                    _ => {
                        self.push("b".into(), Type::Num, true);
                        self.push(y.clone(), Type::Row, true);
                        return if y == "b" { y } else { format!("{{b :a :as {y}}}") };
                    }
                },
                Type::Deep if x != y => {
                    self.push(x.clone(), Type::Maybe, true);
                    self.push(y.clone(), Type::Seq, true);
                    return format!("{{[{x} & {y}] :a}}");
                }
                _ => {}
            }
        }
        let name = match of {
            of if is_function(of) => self.r.of(FUNCTION_NAMES).to_string(),
            _ => self.name(),
        };
        self.push(name.clone(), of, pure);
        name
    }
}
