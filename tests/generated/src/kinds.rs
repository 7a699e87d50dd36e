//! Definitions that bring new calls with them: records, protocols with types, multimethods, and the kits of [`crate::tables::kits`].
//!
//! What is defined again keeps the types of its calls, so what used it before still can. A record that is defined again is
//! another type to Clojure and the same one here (difference 11 in docs/language.md): all values of earlier are forgotten then.

use crate::make::Make;
use crate::tables::kits::KITS;
use crate::templates::Type;

/// A call that a definition made possible.
#[derive(Clone)]
pub(crate) struct Extra {
    pub(crate) of: Type,
    pub(crate) text: String,
    /// It may fail or has an effect.
    pub(crate) wild: bool,
}

/// What has been defined, and how it is defined again.
#[derive(Clone)]
pub(crate) enum Kind {
    Kit { of: usize, name: String },
    Record(Record),
    Protocol(Protocol),
    Multi(Multi),
}

#[derive(Clone)]
pub(crate) struct Record {
    name: String,
    fields: Vec<&'static str>,
}

#[derive(Clone)]
pub(crate) struct Protocol {
    number: usize,
    /// Whether it answers for everything, and no answer fails.
    total: bool,
}

#[derive(Clone)]
pub(crate) struct Multi {
    number: usize,
    by: By,
    total: bool,
}

/// What a multimethod chooses by.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Key,
    Class,
    Derived,
    Own,
    Both,
}

/// Classes that methods are for, and what is known of their values.
const CLASSES: &[(&str, Option<Type>)] = &[
    ("Long", Some(Type::Int)),
    ("Integer", Some(Type::Int)),
    ("String", Some(Type::Text)),
    ("clojure.lang.Keyword", Some(Type::Key)),
    ("clojure.lang.IPersistentMap", None),
    ("clojure.lang.IPersistentVector", None),
    ("Number", Some(Type::Num)),
    ("Boolean", Some(Type::Bool)),
    ("nil", None),
    ("Object", None),
];

impl Make {
    /// A definition of something new, or of something known anew.
    pub(crate) fn kind(&mut self) -> String {
        if !self.kinds.is_empty() && self.r.percent(35) {
            let i = self.r.below(self.kinds.len());
            return match self.kinds[i].clone() {
                Kind::Kit { of, name } => self.kit_text(of, &name),
                Kind::Record(r) => self.record_again(&r),
                Kind::Protocol(p) => self.protocol_again(&p),
                Kind::Multi(m) => self.multi_again(&m),
            };
        }
        match self.r.below(10) {
            0..=4 => self.kit(),
            5 | 6 => self.record(),
            7 => self.protocol(),
            _ => self.multi(),
        }
    }

    fn extra(&mut self, of: Type, text: impl Into<String>, wild: bool) {
        self.extras.push(Extra { of, text: text.into(), wild });
    }

    /// A body for a method that knows its names from `locals`; it has no effect and cannot fail.
    fn body(&mut self, of: Type, locals: &[(&str, Type)]) -> String {
        self.locals.clear();
        for (name, of) in locals {
            self.push((*name).to_string(), *of, true);
        }
        self.left = 6 + self.r.below(8) as i64;
        let text = self.purely(true, |m| m.expr(of, 3));
        self.locals.clear();
        text
    }

    // ---- kits

    fn kit(&mut self) -> String {
        let of = self.r.below(KITS.len());
        let kit = &KITS[of];
        self.next += 1;
        let name = format!("{}{}{}", kit.name.0, self.next, kit.name.1);
        let text = self.kit_text(of, &name);
        for (of, call) in kit.calls {
            let (wild, call) = call.strip_prefix('~').map_or((false, *call), |c| (true, c));
            self.extra(*of, call.replace("@@", &name), wild);
        }
        self.kinds.push(Kind::Kit { of, name });
        text
    }

    fn kit_text(&mut self, of: usize, name: &str) -> String {
        let text = *self.r.of::<&'static str>(KITS[of].definitions);
        self.locals.clear();
        let text = text.replace("@@", name);
        self.purely(true, |m| m.fill(&text, 2))
    }

    // ---- records

    fn record(&mut self) -> String {
        self.next += 1;
        let name = format!("{}{}", self.r.of(&["Point", "Item"]), self.next);
        let fields: Vec<&'static str> = self
            .r
            .of::<&'static [&'static str]>(&[
                &["a", "b", "k"],
                &["k", "a", "b"],
                &["a", "k"],
                &["a", "b"],
                &["b", "a", "c"],
            ])
            .to_vec();
        let r = Record { name, fields };
        let text = self.record_text(&r);
        self.record_calls(&r);
        self.kinds.push(Kind::Record(r));
        text
    }

    fn record_text(&mut self, r: &Record) -> String {
        let methods = match self.r.below(3) {
            0 => {
                let body = self.body(Type::Text, &[("a", Type::Int)]);
                format!(" Object (toString [_] {body})")
            }
            1 => {
                self.next += 1;
                let body = self.body(Type::Int, &[("a", Type::Int)]);
                let n = self.next;
                self.extra(Type::Int, format!("(own{n} ({} {{I}}))", self.maker(r, 1)), false);
                return format!(
                    "(defprotocol Own{n} (own{n} [x])) (defrecord {} [{}] Own{n} (own{n} [x] {body}))",
                    r.name,
                    r.fields.join(" ")
                );
            }
            _ => String::new(),
        };
        format!("(defrecord {} [{}]{methods})", r.name, r.fields.join(" "))
    }

    /// A function of `n` numbers, or of one, that makes such a record.
    fn maker(&self, r: &Record, n: usize) -> String {
        let params: Vec<String> = (0..n).map(|i| format!("v{i}")).collect();
        let args: Vec<String> = (0..r.fields.len())
            .map(|i| match (r.fields[i], n) {
                ("k", _) => ":a".to_string(),
                (_, 1) => "v0".to_string(),
                _ => format!("v{}", i % n),
            })
            .collect();
        format!("(fn [{}] (->{} {}))", params.join(" "), r.name, args.join(" "))
    }

    fn record_calls(&mut self, r: &Record) {
        let name = &r.name;
        let rows = r.fields.contains(&"k");
        let of = if rows { Type::Row } else { Type::Map };
        let hole = |f: &&str| match *f {
            "k" => "{K}",
            "b" if rows => "{X}",
            _ => "{I}",
        };
        let holes: Vec<&str> = r.fields.iter().map(hole).collect();
        let holes = holes.join(" ");
        let entries: Vec<String> = r.fields.iter().map(|f| format!(":{f} {}", hole(f))).collect();
        let entries = entries.join(" ");
        for _ in 0..3 {
            self.extra(of, format!("(->{name} {holes})"), false);
        }
        self.extra(of, format!("(map->{name} {{{entries}}})"), false);
        self.extra(of, format!("(map->{name} {{{entries} :t {{I}}}})"), false);
        self.extra(of, format!("({name}. {holes})"), false);
        self.extra(of, format!("(assoc (->{name} {holes}) :a {{I}})"), false);
        self.extra(of, format!("(let [{{:keys [a] :as u}} (->{name} {holes})] (assoc u :t a))"), false);
        self.extra(Type::Int, format!("(:a (->{name} {holes}))"), false);
        self.extra(Type::Int, format!("(.-a (->{name} {holes}))"), false);
        self.extra(Type::Int, format!("(count (->{name} {holes}))"), false);
        self.extra(Type::Int, format!("(reduce (fn [t r] (+ t (:a r))) 0 (map {} {{V}}))", self.maker(r, 1)), false);
        self.extra(Type::Bool, format!("(= (->{name} {holes}) (->{name} {holes}))"), false);
        self.extra(Type::Bool, format!("(= (->{name} {holes}) {{{entries}}})"), false);
        self.extra(Type::Bool, format!("(instance? {name} {{Y}})"), false);
        self.extra(Type::Bool, format!("(contains? #{{(->{name} {holes})}} (->{name} {holes}))"), false);
        self.extra(Type::Text, format!("(pr-str (->{name} {holes}))"), false);
        self.extra(Type::Text, format!("(pr-str (dissoc (->{name} {holes}) :a))"), false);
        self.extra(Type::Any, format!("(->{name} {holes})"), false);
        self.extra(Type::Any, format!("(empty? (->{name} {holes}))"), false);
        self.extra(Type::Any, format!("(keys (->{name} {holes}))"), false);
        if rows {
            self.extra(Type::Rows, format!("(mapv {} (range {{z}}))", self.maker(r, 1)), false);
            self.extra(Type::Rows, format!("(mapv {} {{V}} {{V}})", self.maker(r, 2)), false);
            self.extra(Type::Rows, format!("[(->{name} {holes}) (->{name} {holes})]"), false);
            self.extra(Type::Rows, format!("(mapv map->{name} {{J}})"), false);
            self.extra(Type::Rows, format!("(conj {{J}} (->{name} {holes}))"), false);
        } else {
            self.extra(Type::Vec, format!("(vec (vals (->{name} {holes})))"), false);
            self.extra(Type::Vec, format!("(mapv val (->{name} {holes}))"), false);
        }
    }

    fn record_again(&mut self, r: &Record) -> String {
        // What holds values of the old type, or asks for it.
        self.globals.clear();
        self.functions.clear();
        self.extras.clear();
        self.kinds.retain(|k| matches!(k, Kind::Kit { .. } | Kind::Record(_)));
        for k in self.kinds.clone() {
            match k {
                Kind::Kit { of, name } => {
                    for (of, call) in KITS[of].calls {
                        let (wild, call) = call.strip_prefix('~').map_or((false, *call), |c| (true, c));
                        self.extra(*of, call.replace("@@", &name), wild);
                    }
                }
                Kind::Record(r) => self.record_calls(&r),
                _ => {}
            }
        }
        self.record_text(r)
    }

    // ---- protocols

    fn protocol(&mut self) -> String {
        self.next += 1;
        let n = self.next;
        let total = self.r.percent(60);
        let p = Protocol { number: n, total };
        let mut text = self.protocol_text(&p);
        let wild = !total;
        self.extra(Type::Int, format!("(size{n} {{Y}})"), wild);
        self.extra(Type::Int, format!("(size{n} {{R}})"), wild);
        self.extra(Type::Int, format!("(size{n} {{I}})"), wild);
        self.extra(Type::Int, format!("(grow{n} {{Y}} {{I}})"), wild);
        self.extra(Type::Int, format!("(grow{n} {{M}} {{I}})"), wild);
        self.extra(Type::Int, format!("(apply grow{n} [{{Y}} {{I}}])"), wild);
        self.extra(Type::Int, format!("(reduce + (mapv size{n} [{{Y}} {{Y}} {{Y}}]))"), wild);
        self.extra(Type::Int, format!("(loop [i 0 t 0] (if (< i {{k}}) (recur (inc i) (+ t (size{n} i))) t))"), wild);
        self.extra(Type::Int, format!("(try (size{n} {{Y}}) (catch IllegalArgumentException e {{I}}))"), true);
        self.extra(Type::Vec, format!("(mapv (fn [q] (size{n} (+ q 0))) {{V}})"), wild);
        self.extra(Type::Vec, format!("(mapv (fn [r] (+ (:a r) (size{n} r))) {{J}})"), wild);
        self.extra(Type::Rows, format!("(mapv (fn [r] (assoc r :t (grow{n} r (:a r)))) {{J}})"), wild);
        self.extra(
            Type::Int,
            format!("(size{n} (reify Sized{n} (size{n} [_] {{I!}}) (grow{n} [this i] (+ i (size{n} this)))))"),
            false,
        );
        self.extra(Type::Int, format!("(grow{n} (let [u {{I}}] (reify Sized{n} (size{n} [_] u) (grow{n} [this i] (+ i u (size{n} this))))) {{I}})"), false);
        self.extra(Type::Bool, format!("(satisfies? Sized{n} (reify Sized{n} (size{n} [_] 1)))"), false);
        if self.r.percent(50) {
            let body = self.body(Type::Int, &[("v", Type::Int)]);
            text += &format!(
                " (deftype Box{n} [v] Sized{n} (size{n} [_] {body}) (grow{n} [this i] (+ v i (size{n} this))) Object (toString [_] (str \"box\" v)))"
            );
            self.extra(Type::Int, format!("(size{n} (->Box{n} {{I}}))"), false);
            self.extra(Type::Int, format!("(grow{n} (Box{n}. {{I}}) {{I}})"), false);
            self.extra(Type::Int, format!("(.-v (->Box{n} {{I}}))"), false);
            self.extra(Type::Text, format!("(str (->Box{n} {{I}}))"), false);
            self.extra(Type::Vec, format!("(mapv size{n} (mapv ->Box{n} {{V}}))"), false);
            self.extra(Type::Vec, format!("(mapv (fn [u] (grow{n} (->Box{n} u) {{I!}})) {{V}})"), false);
        }
        self.kinds.push(Kind::Protocol(p));
        text
    }

    fn protocol_text(&mut self, p: &Protocol) -> String {
        let n = p.number;
        let mut classes: Vec<(String, Option<Type>)> = Vec::new();
        for (name, of) in CLASSES {
            let needed = p.total && matches!(*name, "nil" | "Object");
            let shares = matches!(*name, "nil" | "Object") && !p.total;
            if needed || (!shares && self.r.percent(45)) || (shares && self.r.percent(20)) {
                classes.push(((*name).to_string(), *of));
            }
        }
        for k in self.kinds.clone() {
            if let Kind::Record(r) = k
                && self.r.percent(60)
            {
                let of = if r.fields.contains(&"k") { Type::Row } else { Type::Map };
                classes.push((r.name, Some(of)));
            }
        }
        let mut impls = Vec::new();
        for (name, of) in classes {
            let methods = self.methods(n, of);
            impls.push((name, methods));
        }
        let mut text =
            format!("(defprotocol Sized{n} \"What has a size.\" (size{n} [it]) (grow{n} [it i] \"Larger.\"))");
        if self.r.percent(50) {
            let all: Vec<String> = impls.iter().map(|(c, m)| format!("{c} {m}")).collect();
            text += &format!(" (extend-protocol Sized{n} {})", all.join(" "));
        } else {
            for (c, m) in impls {
                text += &format!(" (extend-type {c} Sized{n} {m})");
            }
        }
        text
    }

    fn methods(&mut self, n: usize, of: Option<Type>) -> String {
        let mut known = vec![("i", Type::Int)];
        known.extend(of.map(|of| ("it", of)));
        let (size, grow) = (self.body(Type::Int, &known[1..]), self.body(Type::Int, &known));
        format!("(size{n} [it] {size}) (grow{n} [it i] {grow})")
    }

    fn protocol_again(&mut self, p: &Protocol) -> String {
        let n = p.number;
        // Another class, or the same one with other methods. A type with methods of its own would be of the old protocol.
        let (name, of) = *self.r.of(CLASSES);
        let methods = self.methods(n, of);
        format!("(extend-type {name} Sized{n} {methods})")
    }

    // ---- multimethods

    fn multi(&mut self) -> String {
        self.next += 1;
        let n = self.next;
        let by = *self.r.of(&[By::Key, By::Class, By::Derived, By::Own, By::Both]);
        let total = matches!(by, By::Key | By::Class) && self.r.percent(60);
        let m = Multi { number: n, by, total };
        let dispatch = match by {
            By::Key => self.r.of(&["(fn [k & _] k)", "(fn [k i] k)", "(fn [k _] (if (= k :z) :a k))"]).to_string(),
            By::Class => self.r.of(&["(fn [x & _] (class x))", "(fn [x i] (class x))"]).to_string(),
            By::Derived => format!("(fn [k _] ({{:a ::sq{n} :b ::re{n} :c ::ci{n}}} k))"),
            By::Own => "(fn [k _] k)".to_string(),
            By::Both => "(fn [x y] [(class x) (class y)])".to_string(),
        };
        let mut text = match by {
            By::Derived => format!(
                "(derive ::sq{n} ::re{n}) (derive ::re{n} ::sh{n}) (derive ::ci{n} ::sh{n}) (derive ::sq{n} ::even{n}) (defmulti pick{n} {dispatch})"
            ),
            By::Own => format!(
                "(def tree{n} (-> (make-hierarchy) (derive :a :x) (derive :b :x) (derive :b :y) (derive :x :top))) (defmulti pick{n} {dispatch} :hierarchy #'tree{n})"
            ),
            By::Key if self.r.percent(20) => format!("(defmulti pick{n} \"By key.\" {dispatch} :default :z)"),
            _ => format!("(defmulti pick{n} {dispatch})"),
        };
        let own_default = text.contains(":default :z");
        for _ in 0..2 + self.r.below(3) {
            text += " ";
            text += &self.method(&m);
        }
        if total {
            let body = self.body(Type::Int, &[]);
            text += &format!(" (defmethod pick{n} {} [& _] {body})", if own_default { ":z" } else { ":default" });
        }
        let wild = !total;
        if matches!(by, By::Class | By::Both) {
            let y = if by == By::Both { "{Y}" } else { "{I}" };
            self.extra(Type::Int, format!("(pick{n} {{Y}} {y})"), wild);
            self.extra(Type::Int, format!("(pick{n} {{R}} {y})"), wild);
            self.extra(Type::Int, format!("(pick{n} {{X}} {y})"), wild);
            self.extra(Type::Int, format!("(reduce + (mapv (fn [q] (pick{n} q 1)) [{{Y}} {{Y}}]))"), wild);
            self.extra(Type::Vec, format!("(mapv (fn [r] (pick{n} r {{k}})) {{J}})"), wild);
            self.extra(Type::Vec, format!("(mapv (fn [q] (pick{n} q (- q 0))) {{V}})"), wild);
        } else {
            self.extra(Type::Int, format!("(pick{n} {{K}} {{I}})"), wild);
            self.extra(Type::Int, format!("(pick{n} {{a}} {{I}})"), wild);
            self.extra(Type::Int, format!("(apply pick{n} [{{K}} {{I}}])"), wild);
            self.extra(
                Type::Int,
                format!(
                    "(loop [t {{I}} ks [:a :b :c]] (if (seq ks) (recur (pick{n} (first ks) (rem t 99)) (rest ks)) t))"
                ),
                wild,
            );
            self.extra(Type::Vec, format!("(mapv (fn [q] (pick{n} (if (odd? q) :a {{K!}}) q)) {{V}})"), wild);
            self.extra(Type::Rows, format!("(mapv (fn [r] (assoc r :t (pick{n} (:k r) (:a r)))) {{J}})"), wild);
        }
        self.extra(
            Type::Int,
            format!(
                "(try (pick{n} {} {{I}}) (catch IllegalArgumentException e {{I}}))",
                if matches!(by, By::Class | By::Both) { "{Y}" } else { "{K}" }
            ),
            true,
        );
        self.extra(Type::Int, format!("(count (methods pick{n}))"), true);
        self.extra(Type::Bool, format!("(nil? (get-method pick{n} :a))"), true);
        self.kinds.push(Kind::Multi(m));
        text
    }

    fn method(&mut self, m: &Multi) -> String {
        let n = m.number;
        let class = |make: &mut Self| make.r.of(CLASSES).0;
        let key = match m.by {
            By::Key => self.r.of(&[":a", ":b", ":c"]).to_string(),
            By::Class => class(self).to_string(),
            By::Derived => format!("::{}{n}", self.r.of(&["sq", "re", "sh", "even", "ci"])),
            By::Own => self.r.of(&[":a", ":x", ":y", ":top"]).to_string(),
            By::Both => format!("[{} {}]", class(self), class(self)),
        };
        let known: &[(&str, Type)] = if m.by == By::Both { &[] } else { &[("i", Type::Int)] };
        let body = self.body(Type::Int, known);
        format!("(defmethod pick{n} {key} [it i] {body})")
    }

    fn multi_again(&mut self, m: &Multi) -> String {
        let n = m.number;
        match self.r.below(6) {
            // A multimethod that is there stays as it is.
            0 => format!("(defmulti pick{n} (fn [k & _] (throw (Exception. \"other\"))))"),
            1 if !m.total => format!("(remove-method pick{n} {})", self.r.of(&[":a", ":b", "Long", "nil"])),
            2 if m.by == By::Derived => self
                .r
                .of(&[
                    format!("(prefer-method pick{n} ::re{n} ::even{n})"),
                    format!("(prefer-method pick{n} ::sh{n} ::even{n})"),
                    format!("(underive ::sq{n} ::even{n})"),
                    format!("(derive ::ci{n} ::even{n})"),
                ])
                .clone(),
            2 if m.by == By::Own => self
                .r
                .of(&[
                    format!("(prefer-method pick{n} :x :y)"),
                    format!("(def tree{n} (derive (make-hierarchy) :c :x))"),
                ])
                .clone(),
            2 if m.by == By::Both => format!("(prefer-method pick{n} [Long Object] [Object Long])"),
            _ => self.method(m),
        }
    }
}
