//! Expressions of the generator: for each type a name in sight, a template, or a form that any type may come out of.

use crate::kinds::Extra;
use crate::make::{Defined, Make, Shape, is_function};
use crate::templates::Type;

/// Lengths at which blocks, columns and representations begin.
const SIZES: &[usize] = &[0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 100];

/// Numbers at the edges of 64 bits and of 32.
const EDGES: &[&str] = &[
    "9223372036854775807",
    "-9223372036854775808",
    "Long/MAX_VALUE",
    "Long/MIN_VALUE",
    "4611686018427387904",
    "-4611686018427387905",
    "3037000500",
    "2147483648",
    "-2147483649",
    "9007199254740993",
    "-1",
    "0",
    "1",
];

impl Make {
    // ---- expressions

    /// Names in sight of a type, hidden ones left out.
    fn in_sight(&self, of: Type) -> Vec<String> {
        let mut out = Vec::new();
        for (i, l) in self.locals.iter().enumerate() {
            let hidden = self.locals[i + 1..].iter().any(|later| later.name == l.name);
            if l.of == of && !hidden && (l.pure || !self.pure) {
                out.push(l.name.clone());
            }
        }
        for g in &self.globals {
            let hidden = self.locals.iter().any(|l| l.name == g.name)
                || (self.pure && self.redefined.as_deref() == Some(&*g.name));
            // What an atom holds is no business of what is lazy, but its name may be handed on.
            if g.of == of && !hidden && (g.pure || !self.pure) {
                out.push(g.name.clone());
            }
        }
        out
    }

    pub(crate) fn leaf(&mut self, of: Type) -> String {
        let names = self.in_sight(of);
        if !names.is_empty() && self.r.percent(80) {
            return self.r.of(&names).clone();
        }
        let maybe = self.in_sight(Type::Maybe);
        match of {
            Type::Int if !maybe.is_empty() && self.r.percent(50) => {
                format!("(or {} {})", self.r.of(&maybe), self.r.below(9))
            }
            Type::Int => self.r.between(-9, 20).to_string(),
            Type::Bool => self.r.of(&["true", "false"]).to_string(),
            Type::Key => self.r.of(&[":a", ":b", ":c", ":z"]).to_string(),
            Type::Text => self.r.of(&["\"\"", "\"ab\"", "\"x y\"", "\"é\"", "\"a-1,b2\"", "\"Abc abc\""]).to_string(),
            Type::Vec => self.r.of(&["[]", "[1 2 3]", "[5]", "[4 0 4 -2]", "[0 1]"]).to_string(),
            Type::Seq => self.r.of(&["nil", "(list 3 1 2)", "(range 5)", "[7 8]", "'(1 2)", "()"]).to_string(),
            Type::Map => self.r.of(&["{}", "{:a 1}", "{:a 3 :b -1}", "{:c 2}"]).to_string(),
            Type::Deep => self.r.of(&["{}", "{:a [1 2]}", "{:b [] :a [3]}"]).to_string(),
            Type::Set => self.r.of(&["#{}", "#{1 2 3}", "#{0 5}"]).to_string(),
            Type::Maybe => {
                if self.r.percent(30) {
                    "nil".into()
                } else {
                    self.r.below(9).to_string()
                }
            }
            Type::Count => format!("(atom {})", self.r.below(9)),
            Type::Log => "(atom [])".to_string(),
            Type::Fn1 => self.r.of(&["inc", "dec", "identity", "-"]).to_string(),
            Type::Fn2 => self.r.of(&["+", "-", "max", "min"]).to_string(),
            Type::Test => self.r.of(&["even?", "odd?", "pos?", "zero?"]).to_string(),
            Type::FnVec => self.r.of(&["identity", "(fn [u] (conj u 7))", "#(conj % 8)"]).to_string(),
            Type::Num => self
                .r
                .of(&[
                    "1.5", "-0.25", "1/2", "-7/4", "2.50M", "0.1M", "-3M", "100N", "7", "0", "0.0", "1e10", "1e-3M",
                    "##Inf",
                ])
                .to_string(),
            Type::Nums => self.r.of(&["[]", "[1 2.0 3]", "[1/2 0.5M]", "[3 1.5 -2]"]).to_string(),
            Type::Row => self.r.of(&["{:a 1 :b 2 :k :a}", "{:a 0 :k :b}", "{:k :c :b 1.5 :a 3}"]).to_string(),
            Type::Rows => self.r.of(&["[]", "[{:a 1 :k :a} {:a 2 :b 0.5 :k :b}]", "[{:a 3 :b 1 :k :a}]"]).to_string(),
            Type::Big => self.r.of(&["{}", "{1 2}", "{0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9}"]).to_string(),
            Type::Sorted => {
                self.r.of(&["(sorted-map)", "(sorted-map 3 1 1 2)", "(sorted-map-by > 1 5 4 2)"]).to_string()
            }
            Type::Any => self.r.of(&["nil", "1", "\"s\"", ":k", "[1]", "{:a 1}", "2.5", "true"]).to_string(),
        }
    }

    pub(crate) fn expr(&mut self, of: Type, depth: usize) -> String {
        self.left -= 1;
        if depth == 0 || self.left <= 0 || self.r.percent(18) {
            return self.leaf(of);
        }
        let function = is_function(of);
        let atom = matches!(of, Type::Count | Type::Log);
        if atom || (function && self.r.percent(70)) || self.r.percent(48) {
            return self.template(of, depth);
        }
        self.form(of, depth - 1)
    }

    /// An expression that is no name and no constant, and often of what definitions brought.
    pub(crate) fn rich(&mut self, depth: usize) -> String {
        let data: Vec<&Extra> = self.extras.iter().filter(|e| !is_function(e.of)).collect();
        if !data.is_empty() && self.r.percent(50) {
            let text = self.r.of(&data).text.clone();
            return self.fill(&text, depth - 1);
        }
        let of = self.some_type();
        if self.r.percent(50) { self.template(of, depth) } else { self.form(of, depth - 1) }
    }

    fn template(&mut self, of: Type, depth: usize) -> String {
        let fits = |e: &&Extra| e.of == of && !(e.wild && self.pure);
        let extras: Vec<&Extra> = self.extras.iter().filter(fits).collect();
        if !extras.is_empty() && self.r.percent(45) {
            let text = self.r.of(&extras).text.clone();
            return self.fill(&text, depth - 1);
        }
        let tables = of.templates();
        let all: usize = tables.iter().map(|t| t.len()).sum();
        for _ in 0..6 {
            let mut at = self.r.below(all);
            let mut t = "";
            for table in tables {
                if at < table.len() {
                    t = table[at];
                    break;
                }
                at -= table.len();
            }
            let (wild, t) = match t.strip_prefix('~') {
                Some(rest) => (true, rest),
                None => (false, t),
            };
            let hash = t.contains("#(");
            if (wild && self.pure) || (hash && self.in_hash) || (self.in_hash && t.contains('%')) {
                continue;
            }
            let before = self.in_hash;
            self.in_hash |= hash;
            let text = self.fill(t, depth - 1);
            self.in_hash = before;
            return text;
        }
        self.leaf(of)
    }

    /// A template with its holes filled.
    pub(crate) fn fill(&mut self, t: &str, depth: usize) -> String {
        let mut out = String::new();
        let mut rest = t;
        while let Some(at) = rest.find('{') {
            let (before, from) = rest.split_at(at);
            out.push_str(before);
            let mut chars = from[1..].chars();
            let (letter, next, after) = (chars.next().unwrap_or(' '), chars.next(), chars.next());
            let (pure, len) = match (next, after) {
                (Some('}'), _) => (false, 3),
                (Some('!'), Some('}')) => (true, 4),
                _ => (false, 0),
            };
            let value = match letter {
                _ if len == 0 => None,
                'k' => Some(self.r.below(10).to_string()),
                'p' => Some((1 + self.r.below(9)).to_string()),
                't' => Some(self.r.of(&[1, 2, 4, 5, 8, 10]).to_string()),
                'z' => Some(self.r.of(SIZES).to_string()),
                'e' => Some(self.r.of(EDGES).to_string()),
                'a' => Some(self.r.of(&[":a", ":b", ":c"]).to_string()),
                c => Type::letter(c).map(|of| self.purely(pure, |m| m.expr(of, depth))),
            };
            match value {
                Some(v) => {
                    out.push_str(&v);
                    rest = &from[len..];
                }
                None => {
                    out.push('{');
                    rest = &from[1..];
                }
            }
        }
        out.push_str(rest);
        out
    }

    /// A form that any type may come out of.
    fn form(&mut self, of: Type, d: usize) -> String {
        let mark = self.locals.len();
        let text = match self.r.below(26) {
            0..=3 => self.let_(of, d),
            4..=7 => self.loop_(of, d),
            8 => format!("(if {} {} {})", self.expr(Type::Bool, d), self.expr(of, d), self.expr(of, d)),
            9 => {
                let (b, x, c, y, z) = (
                    self.expr(Type::Bool, d),
                    self.expr(of, d),
                    self.expr(Type::Bool, d),
                    self.expr(of, d),
                    self.expr(of, d),
                );
                format!("(cond {b} {x} {c} {y} :else {z})")
            }
            10 => {
                let (i, x, y, z) = (self.expr(Type::Int, d), self.expr(of, d), self.expr(of, d), self.expr(of, d));
                let default = if self.pure || self.r.percent(80) { format!(" {z}") } else { String::new() };
                format!("(case (mod {i} 4) 0 {x} (1 2) {y}{default})")
            }
            11 => self.call(of, d),
            12 => self.now(of, d),
            13 | 14 => self.reduce(of, d),
            15 => self.letfn(of, d),
            16 | 17 if !self.pure => self.effects(of, d),
            18 | 19 if !self.pure => self.try_(of, d),
            20 => {
                let (n, x) = (self.expr(Type::Maybe, d), self.name());
                self.push(x.clone(), Type::Int, true);
                let then = self.expr(of, d);
                self.locals.truncate(mark);
                let word = *self.r.of(&["if-let", "if-some"]);
                format!("({word} [{x} {n}] {then} {})", self.expr(of, d))
            }
            21 => {
                // A function made here, called after what it holds is read and used again.
                let (x, v) = (self.name(), self.expr(of, d));
                self.push(x.clone(), of, true);
                let inner = self.purely(true, |m| m.expr(of, d));
                let (g, y) = (format!("g{}", self.next), self.fresh(&[&x]));
                self.next += 1;
                let again = self.expr(of, d);
                self.push(y.clone(), of, true);
                let last = self.expr(of, d);
                self.locals.truncate(mark);
                let pick = self.r.of(&["g", "y", "both"]).to_string();
                let end = match pick.as_str() {
                    "g" => format!("({g})"),
                    "y" => last,
                    _ => format!("(if (= ({g}) {y}) {last} ({g}))"),
                };
                format!("(let [{x} {v} {g} (fn [] {inner}) {y} {again}] {end})")
            }
            22 => {
                let (x, v, s) = (self.name(), self.expr(of, d), self.expr(Type::Bool, d));
                self.push(x.clone(), of, true);
                let (one, two) = (self.expr(of, d), self.expr(of, d));
                self.locals.truncate(mark);
                match self.r.below(2) {
                    0 => format!("(as-> {v} {x} {one} {two})"),
                    _ => format!("(let [{x} {v} {x} (if {s} {x} {one})] {two})"),
                }
            }
            _ => self.let_(of, d),
        };
        self.locals.truncate(mark);
        text
    }

    fn any_type(&mut self) -> Type {
        if self.r.percent(15) {
            return *self.r.of(&[Type::Fn1, Type::Fn2, Type::Test, Type::FnVec]);
        }
        if !self.pure && self.r.percent(8) {
            return *self.r.of(&[Type::Count, Type::Log]);
        }
        self.some_type()
    }

    fn bindings(&mut self, n: usize, d: usize) -> String {
        let mut out = Vec::new();
        for _ in 0..n {
            let of = self.any_type();
            let pure = self.pure || self.r.percent(60) || !is_function(of);
            let value = self.purely(pure && is_function(of), |m| m.expr(of, d));
            out.push(format!("{} {value}", self.pattern(of, pure)));
        }
        out.join(" ")
    }

    fn let_(&mut self, of: Type, d: usize) -> String {
        let n = 1 + self.r.below(3);
        let b = self.bindings(n, d);
        let body = self.expr(of, d);
        format!("(let [{b}] {body})")
    }

    fn loop_(&mut self, of: Type, d: usize) -> String {
        let mark = self.locals.len();
        if self.r.percent(25) {
            return self.loop_over(of, d);
        }
        let n = 1 + self.r.below(3);
        let mut types = Vec::new();
        let mut binds = Vec::new();
        let mut used = vec!["i".to_string()];
        // The counter is anywhere among the names.
        let at = self.r.below(n + 1);
        for j in 0..=n {
            if j == at {
                binds.push("i 0".to_string());
                types.push(None);
                self.push("i".into(), Type::Int, true);
            }
            if j == n {
                break;
            }
            let t = match self.r.below(3) {
                0 => of,
                1 if !types.is_empty() => types.iter().flatten().next().copied().unwrap_or(of),
                _ => self.some_type(),
            };
            let value = self.expr(t, d);
            // Clojure keeps a truth value unboxed and refuses another one for it that is boxed.
            let value = if matches!(t, Type::Bool | Type::Any) { format!("(identity {value})") } else { value };
            let name = {
                let refs: Vec<&str> = used.iter().map(String::as_str).collect();
                self.fresh(&refs)
            };
            used.push(name.clone());
            binds.push(format!("{name} {value}"));
            types.push(Some(t));
            self.push(name, t, true);
        }
        let inner = self.locals.len();
        let between = if self.r.percent(30) { Some(self.bindings(1, d.min(2))) } else { None };
        let recur = |m: &mut Self| {
            let args: Vec<String> = types
                .iter()
                .map(|t| match t {
                    None => "(inc i)".to_string(),
                    Some(t) => m.expr(*t, d.min(3)),
                })
                .collect();
            format!("(recur {})", args.join(" "))
        };
        let rounds = 1 + self.r.below(4);
        let again = recur(self);
        let body = match self.r.below(5) {
            0 => {
                let (b, other, end) = (self.expr(Type::Bool, 2), recur(self), self.expr(of, d));
                format!("(cond (>= i {rounds}) {end} {b} {again} :else {other})")
            }
            1 => {
                let (other, end) = (recur(self), self.expr(of, d));
                format!("(case (if (>= i {rounds}) :end (if (odd? i) :odd :even)) :end {end} :odd {again} {other})")
            }
            2 if !self.pure => {
                let e = self.effect(2);
                let end = self.expr(of, d);
                format!("(if (< i {rounds}) (do {e} {again}) {end})")
            }
            3 => {
                let end = self.expr(of, d);
                format!("(if (and (< i {rounds}) {}) {again} {end})", self.expr(Type::Bool, 1))
            }
            _ => {
                let end = self.expr(of, d);
                format!("(if (< i {rounds}) {again} {end})")
            }
        };
        self.locals.truncate(inner);
        let body = match between {
            Some(b) => format!("(let [{b}] {body})"),
            None => body,
        };
        self.locals.truncate(mark);
        format!("(loop [{}] {body})", binds.join(" "))
    }

    /// A loop that takes a sequence apart in its bindings.
    fn loop_over(&mut self, of: Type, d: usize) -> String {
        let s = self.expr(Type::Seq, d);
        let t = if self.r.percent(60) { of } else { self.some_type() };
        let first = self.expr(t, d);
        let first = if matches!(t, Type::Bool | Type::Any) { format!("(identity {first})") } else { first };
        self.push("item".into(), Type::Int, true);
        self.push("others".into(), Type::Seq, true);
        self.push("acc".into(), t, true);
        let step = self.expr(t, d.min(3));
        let index = self.locals.iter().rposition(|l| l.name == "item").unwrap_or(0);
        self.locals[index].of = Type::Maybe;
        let end = self.expr(of, d.min(3));
        if self.r.percent(30) {
            let b = self.expr(Type::Bool, 1);
            return format!(
                "(loop [[item & others] (take 5 {s}) acc {first}] (cond (nil? item) {end} {b} (recur (rest others) acc) :else (recur others {step})))"
            );
        }
        format!("(loop [[item & others] (take 5 {s}) acc {first}] (if item (recur others {step}) {end}))")
    }

    /// A call of something defined before, or of a function in sight.
    fn call(&mut self, of: Type, d: usize) -> String {
        let fits: Vec<Defined> = self
            .functions
            .iter()
            .filter(|f| f.gives == of && (f.pure || !self.pure) && !self.locals.iter().any(|l| l.name == f.name))
            .cloned()
            .collect();
        if fits.is_empty() {
            return self.let_(of, d);
        }
        let f = self.r.of(&fits).clone();
        let mut args: Vec<String> = Vec::new();
        let fixed = match f.shape {
            Shape::More | Shape::Named => f.params.len() - 1,
            Shape::Short if self.r.percent(50) => f.params.len() - 1,
            _ => f.params.len(),
        };
        for (i, t) in f.params[..fixed].iter().enumerate() {
            args.push(if f.counted && i == 0 {
                self.r.below(5).to_string()
            } else {
                // A function handed to one without effects must have none itself.
                let pure = f.pure && matches!(t, Type::Fn1);
                self.purely(pure, |m| m.expr(*t, d.min(3)))
            });
        }
        match f.shape {
            Shape::More => {
                for _ in 0..self.r.below(3) {
                    let e = self.expr(Type::Int, 2);
                    args.push(e);
                }
            }
            Shape::Named if self.r.percent(60) => {
                let e = self.expr(Type::Int, 2);
                args.push(format!("{} {e}", self.r.of(&[":kp", ":kq", ":other"])));
            }
            _ => {}
        }
        match self.r.below(8) {
            0 if f.shape != Shape::Named => format!("(apply {} [{}])", f.name, args.join(" ")),
            _ => format!("({} {})", f.name, args.join(" ")),
        }
    }

    /// A function that is called where it is made.
    fn now(&mut self, of: Type, d: usize) -> String {
        let n = 1 + self.r.below(2);
        let types: Vec<Type> = (0..n).map(|_| self.some_type()).collect();
        let args: Vec<String> = types.iter().map(|t| self.expr(*t, d.min(3))).collect();
        let mark = self.locals.len();
        if self.r.percent(50) {
            let patterns: Vec<String> = types.iter().map(|t| self.pattern(*t, true)).collect();
            // Two parameters with one name: the later one counts, and the generator knows it.
            let body = self.expr(of, d);
            self.locals.truncate(mark);
            return format!("((fn [{}] {body}) {})", patterns.join(" "), args.join(" "));
        }
        let first = self.expr(of, d.min(3));
        let (acc, go) = (self.fresh(&["n"]), "again");
        self.push("n".into(), Type::Int, true);
        self.push(acc.clone(), of, true);
        let (step, end) = (self.expr(of, d.min(3)), self.expr(of, 2));
        let x = self.fresh(&["n"]);
        self.push(x.clone(), of, true);
        let after = self.expr(of, 2);
        self.locals.truncate(mark);
        let k = self.r.below(5);
        let next = match self.r.below(3) {
            0 => format!("(recur (dec n) {step})"),
            1 => format!("({go} (dec n) {step})"),
            _ => format!("(let [{x} ({go} (dec n) {step})] {after})"),
        };
        format!("((fn {go} [n {acc}] (if (pos? n) {next} {end})) {k} {first})")
    }

    fn reduce(&mut self, of: Type, d: usize) -> String {
        let (first, s) = (self.expr(of, d), self.expr(Type::Seq, d));
        let (acc, x) = (self.name(), self.name());
        if acc == x {
            return first;
        }
        let mark = self.locals.len();
        self.push(acc.clone(), of, true);
        self.push(x.clone(), Type::Int, true);
        let step = self.expr(of, d.min(4));
        let step = if self.r.percent(15) {
            let b = self.expr(Type::Bool, 2);
            format!("(if {b} (reduced {acc}) {step})")
        } else {
            step
        };
        self.locals.truncate(mark);
        format!("(reduce (fn [{acc} {x}] {step}) {first} (take 6 {s}))")
    }

    fn letfn(&mut self, of: Type, d: usize) -> String {
        let first = self.expr(of, d.min(3));
        let mark = self.locals.len();
        let mut halves = Vec::new();
        for (own, other) in [("up", "down"), ("down", "up")] {
            let acc = self.fresh(&["n"]);
            self.push("n".into(), Type::Int, true);
            self.push(acc.clone(), of, true);
            let (step, end) = (self.expr(of, 3), self.expr(of, 2));
            self.locals.truncate(mark);
            let next = *self.r.of(&[other, other, own]);
            halves.push(format!("({own} [n {acc}] (if (< n 1) {end} ({next} (dec n) {step})))"));
        }
        let k = self.r.below(5);
        match self.r.below(3) {
            0 => format!("(letfn [{}] (up {k} {first}))", halves.join(" ")),
            1 => format!("(letfn [{}] (down {k} (up 1 {first})))", halves.join(" ")),
            _ => {
                let x = self.name();
                self.push(x.clone(), of, true);
                let after = self.expr(of, 2);
                self.locals.truncate(mark);
                format!("(letfn [{}] (let [{x} (up {k} {first})] (down 1 {after})))", halves.join(" "))
            }
        }
    }

    /// Something done for its effect.
    fn effect(&mut self, d: usize) -> String {
        let mark = self.locals.len();
        let text = match self.r.below(7) {
            0 => self.fill("(swap! {A} + {I})", d),
            1 => self.fill("(swap! {L} conj {I})", d),
            2 => self.fill("(reset! {L} {V})", d),
            3 => {
                let s = self.expr(Type::Seq, d);
                let x = self.name();
                self.push(x.clone(), Type::Int, true);
                let e = self.fill("(swap! {L} conj {I})", d.min(2));
                let extra = match self.r.below(4) {
                    0 => format!(" :when {}", self.expr(Type::Bool, 1)),
                    1 => " y [1 2] :let [z (+ y 1)]".to_string(),
                    2 => format!(" :while {}", self.expr(Type::Bool, 1)),
                    _ => String::new(),
                };
                format!("(doseq [{x} (take 4 {s}){extra}] {e})")
            }
            4 => {
                let x = self.name();
                self.push(x.clone(), Type::Int, true);
                let e = self.fill("(swap! {A} + {I})", d.min(2));
                format!("(dotimes [{x} {}] {e})", self.r.below(4))
            }
            5 => self.fill("(run! (fn [q] (swap! {L} conj (+ q {I!}))) (take 5 {S}))", d),
            _ => {
                let c = self.expr(Type::Bool, 1);
                let e = self.fill("(reset! {A} {I})", d);
                format!("(when {c} {e})")
            }
        };
        self.locals.truncate(mark);
        text
    }

    fn effects(&mut self, of: Type, d: usize) -> String {
        let mark = self.locals.len();
        let x = self.name();
        let (kind, first) = if self.r.percent(50) {
            (Type::Log, self.expr(Type::Vec, 2))
        } else {
            (Type::Count, self.expr(Type::Int, 2))
        };
        self.push(x.clone(), kind, true);
        let n = 1 + self.r.below(2);
        let e: Vec<String> = (0..n).map(|_| self.effect(d.min(3))).collect();
        let body = self.expr(of, d);
        self.locals.truncate(mark);
        if self.r.percent(25) {
            let e = self.effect(d.min(3));
            return format!("(do {e} {body})", body = self.expr(of, d));
        }
        format!("(let [{x} (atom {first})] {} {body})", e.join(" "))
    }

    fn try_(&mut self, of: Type, d: usize) -> String {
        let mut body = self.expr(of, d);
        match self.r.below(4) {
            0 => {
                let v = self.expr(Type::Int, 2);
                let b = self.expr(Type::Bool, 2);
                body = format!("(if {b} (throw (ex-info \"e\" {{:v {v}}})) {body})");
            }
            1 => {
                let b = self.expr(Type::Int, 1);
                body = format!("(do (quot 1 {b}) {body})");
            }
            _ => {}
        }
        let e = self.fresh(&[]);
        // The exception is of no type here: what it hides is not in sight.
        let before = self.locals.clone();
        self.locals.retain(|l| l.name != e);
        let handler =
            if of == Type::Int && self.r.percent(40) { format!("(:v (ex-data {e}) 0)") } else { self.expr(of, d) };
        self.locals = before;
        let class =
            *self.r.of(&["Exception", "Exception", "Throwable", "clojure.lang.ExceptionInfo", "ArithmeticException"]);
        let finally = if self.r.percent(30) { format!(" (finally {})", self.effect(2)) } else { String::new() };
        format!("(try {body} (catch {class} {e} {handler}){finally})")
    }
}
