//! Programs from throws of a die: every builtin of the table, every form, values passed where their parameters' names
//! say that they belong, so that most of them run.

use super::dice::Dice;
use super::values::{literal, nasty, quoted};
use super::words::{self, ENDS, PRELUDE, Want, wanted};
use ptc_lisp::builtins;
use ptc_lisp::print::readable;
use ptc_lisp::value::Builtin;
use std::sync::LazyLock;

static ALL: LazyLock<Vec<&'static Builtin>> = LazyLock::new(|| builtins::all().collect());

/// Programs as turns of one session.
pub fn programs(d: &mut Dice<'_>) -> Vec<String> {
    let mut all = vec![PRELUDE.to_owned()];
    for _ in 0..1 + d.below(3) {
        let mut maker = Maker { d, out: String::new(), locals: Vec::new(), fresh: 0 };
        for _ in 0..1 + maker.d.below(4) {
            // What fails takes its whole turn with it, so most of it is caught.
            let caught = !maker.d.once_in(4);
            maker.push(if caught { "(try " } else { "" });
            maker.form(5);
            maker.push(if caught { " (catch Exception e nil))" } else { "" });
            maker.out.push('\n');
        }
        let out = maker.out;
        all.push(out);
        if !d.more() {
            break;
        }
    }
    all
}

struct Maker<'d, 'a> {
    d: &'d mut Dice<'a>,
    out: String,
    locals: Vec<String>,
    fresh: u32,
}

impl Maker<'_, '_> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn any(&mut self, depth: u32) {
        self.expr(Want::Any, depth);
    }

    fn times(&mut self, n: usize, depth: u32) {
        for _ in 0..n {
            self.push(" ");
            self.any(depth);
        }
    }

    /// A name that nothing else has.
    fn local(&mut self) -> String {
        self.fresh += 1;
        format!("x{}", self.fresh)
    }

    /// Builds with names in scope.
    fn within(&mut self, names: Vec<String>, build: impl FnOnce(&mut Self)) {
        let before = self.locals.len();
        self.locals.extend(names);
        build(self);
        self.locals.truncate(before);
    }

    /// A form at top level.
    fn form(&mut self, depth: u32) {
        match self.d.below(10) {
            0 => self.any(depth),
            1 | 2 => {
                let name = self.d.pick(&["a", "b", "c", "e", "h", "i", "j", "inc", "日本"]);
                let doc = if self.d.once_in(4) { quoted(&nasty(self.d)) } else { String::new() };
                self.push(&format!("(def {name} {doc} "));
                self.any(depth);
                self.push(")");
            }
            3 => self.defn(depth),
            4 => {
                let word = self.d.pick(&["println", "prn", "print", "pr", "pprint"]);
                self.push(&format!("({word}"));
                let n = self.d.below(3);
                self.times(n, depth - 1);
                self.push(")");
            }
            5 => {
                let end = self.d.pick(ENDS);
                self.push(end);
            }
            _ => self.call(depth),
        }
    }

    fn defn(&mut self, depth: u32) {
        let name = self.d.pick(&["f", "g", "h", "k"]);
        self.push(&format!("(defn {name} "));
        match self.d.below(3) {
            0 => self.arity(1, depth, false),
            1 => {
                self.push("(");
                self.arity(1, depth - 1, false);
                self.push(") (");
                self.arity(2, depth - 1, true);
                self.push(")");
            }
            _ => {
                let x = self.local();
                self.push(&format!("[{x}] {{:pre [(some? {x})] :post [(not= % 7)]}} "));
                self.within(vec![x], |m| m.any(depth - 1));
            }
        }
        self.push(")");
    }

    /// Parameters and a body.
    fn arity(&mut self, n: usize, depth: u32, rest: bool) {
        let mut names: Vec<String> = (0..n).map(|_| self.local()).collect();
        let mut list = names.join(" ");
        if rest {
            let more = self.local();
            list.push_str(&format!(" & {more}"));
            names.push(more);
        }
        self.push(&format!("[{list}] "));
        self.within(names, |m| m.any(depth.saturating_sub(1)));
    }

    /// A call of a row of the table, with arguments that fit, mostly.
    fn call(&mut self, depth: u32) {
        let row = self.d.pick(&ALL);
        let list = row.params().split('|').map(str::trim).collect::<Vec<_>>();
        let list = self.d.pick(&list).to_owned();
        self.push("(");
        self.push(row.name());
        let mut rest = false;
        for param in list.split(' ').filter(|p| !p.is_empty()) {
            if param == "&" {
                rest = true;
                continue;
            }
            for _ in 0..if rest { self.d.below(4) } else { 1 } {
                self.push(" ");
                let want = if self.d.once_in(8) { Want::Any } else { wanted(param) };
                self.expr(want, depth.saturating_sub(1));
            }
        }
        self.push(")");
    }

    fn expr(&mut self, want: Want, depth: u32) {
        if depth == 0 || !self.d.part() {
            return self.leaf(want);
        }
        if want != Want::Any && !self.d.once_in(4) {
            return self.fitting(want, depth);
        }
        match self.d.below(12) {
            0 => self.leaf(want),
            1..=5 => self.call(depth),
            6 => {
                let open = self.d.pick(&["[", "#{", "(list ", "(vector ", "(hash-map :k "]);
                self.push(open);
                let n = if open.ends_with(":k ") { 1 } else { self.d.below(4) };
                self.times(n, depth - 1);
                self.push(match open {
                    "[" => "]",
                    "#{" => "}",
                    _ => ")",
                });
            }
            _ => self.special(depth - 1),
        }
    }

    fn leaf(&mut self, want: Want) {
        if !self.locals.is_empty() && self.d.once_in(2) {
            let name = self.locals[self.d.below(self.locals.len())].clone();
            return self.push(&name);
        }
        if want == Want::Any {
            match self.d.below(4) {
                0 => {
                    let v = literal(self.d);
                    return self.push(&format!("'{}", readable(&v, 4000)));
                }
                1 => {
                    let row = self.d.pick(&ALL);
                    return self.push(row.name());
                }
                _ => {}
            }
        }
        let word = self.d.pick(words::leaves(want));
        self.push(word);
    }

    fn fitting(&mut self, want: Want, depth: u32) {
        let depth = depth - 1;
        match (want, self.d.below(4)) {
            (Want::Function | Want::Predicate, 1) => {
                let n = 1 + self.d.below(2);
                self.push("(fn ");
                self.arity(n, depth + 1, false);
                self.push(")");
            }
            (Want::Function | Want::Predicate, 2) => {
                self.push("#(");
                let row = self.d.pick(&ALL);
                self.push(row.name());
                self.push(" %");
                // A short function is in no other short function.
                let n = self.d.below(2);
                for _ in 0..n {
                    self.push(" ");
                    self.leaf(Want::Any);
                }
                self.push(")");
            }
            (Want::Items, 1..) => {
                let word = self.d.pick(&[
                    "map",
                    "filter",
                    "remove",
                    "sort-by",
                    "keep",
                    "take-while",
                    "group-by",
                    "partition-by",
                ]);
                self.push(&format!("({word} "));
                self.expr(Want::Function, depth);
                self.push(" ");
                self.expr(Want::Items, depth);
                self.push(")");
            }
            (Want::Map, 1..) => {
                let word = self.d.pick(&["assoc", "update", "merge", "dissoc", "select-keys"]);
                self.push(&format!("({word} "));
                self.expr(Want::Map, depth);
                match word {
                    "merge" => {}
                    "update" => self.push(" :x (fnil conj [])"),
                    "select-keys" => self.push(" [:x :y]"),
                    _ => self.push(" :x"),
                }
                if matches!(word, "assoc" | "merge" | "update") {
                    self.push(" ");
                    self.expr(if word == "merge" { Want::Map } else { Want::Any }, depth);
                }
                self.push(")");
            }
            (Want::Number, 1..) => {
                let word = self.d.pick(&[
                    "+",
                    "*",
                    "-",
                    "/",
                    "quot",
                    "rem",
                    "mod",
                    "max",
                    "bit-shift-left",
                    "+'",
                    "*'",
                    "count",
                ]);
                self.push(&format!("({word} "));
                self.expr(if word == "count" { Want::Items } else { Want::Number }, depth);
                if word != "count" {
                    self.push(" ");
                    self.expr(Want::Number, depth);
                }
                self.push(")");
            }
            (Want::Text, 1..) => {
                let word = self.d.pick(&["str", "pr-str", "clojure.string/upper-case", "name", "with-out-str"]);
                self.push(&format!("({word} "));
                self.any(depth);
                self.push(")");
            }
            _ => self.leaf(want),
        }
    }

    /// A form that is no function: one of them all.
    fn special(&mut self, depth: u32) {
        let x = self.local();
        let y = self.local();
        match self.d.below(30) {
            0 => {
                self.push(&format!("(let [{x} "));
                self.any(depth);
                self.push("] ");
                self.within(vec![x], |m| m.any(depth));
            }
            1 => {
                let pattern = match self.d.below(4) {
                    0 => format!("[{x} & {y}]"),
                    1 => format!("{{{x} :x {y} 0}}"),
                    2 => format!("[[{x}] :as {y}]"),
                    _ => format!("{{:keys [id] :or {{id 1}} :as {x} {y} :y}}"),
                };
                self.push(&format!("(let [{pattern} "));
                self.any(depth);
                self.push("] ");
                self.within(vec![x, y], |m| m.any(depth));
            }
            2 => {
                let word = self.d.pick(&["if", "if-not"]);
                self.push(&format!("({word}"));
                self.times(3, depth);
            }
            3 => {
                let word = self
                    .d
                    .pick(&["when", "when-not", "do", "and", "or", "comment", "time", "lazy-seq", "delay", "lazy-cat"]);
                self.push(&format!("({word}"));
                // Some of them want just one.
                let n = if matches!(word, "delay" | "time" | "lazy-seq") { 1 } else { 1 + self.d.below(3) };
                self.times(n, depth);
            }
            4 => {
                let n = self.d.below(5);
                self.push(&format!("(loop [{x} 0 {y} "));
                self.any(depth);
                self.push(&format!("] (if (< {x} {n}) (recur (inc {x}) "));
                self.within(vec![x, y], |m| {
                    m.any(depth);
                    m.push(") ");
                    m.any(depth);
                });
                self.push(")");
            }
            5 => {
                let word = self.d.pick(&["if-let", "if-some", "when-let", "when-some", "when-first"]);
                self.push(&format!("({word} [{x} "));
                self.any(depth);
                self.push("] ");
                self.within(vec![x], |m| m.any(depth));
                if word.starts_with("if") {
                    self.times(1, depth);
                }
            }
            6 => {
                self.push("(cond");
                self.times(2, depth);
                self.push(" :else");
                self.times(1, depth);
            }
            7 => {
                self.push("(case");
                self.times(1, depth);
                self.push(" 1 :one (2 3) :more \"s\" ");
                self.any(depth);
                self.push(" nil 0 [1] 1");
                self.times(1, depth);
            }
            8 => {
                self.push("(condp =");
                self.times(3, depth);
                if self.d.once_in(2) {
                    self.push(" 5 :>> str");
                }
                self.push(" nil");
            }
            9 => {
                let word = self.d.pick(&["->", "->>", "some->", "some->>", "doto"]);
                self.push(&format!("({word}"));
                self.times(1, depth);
                for _ in 0..1 + self.d.below(3) {
                    let step = self.d.pick(&[
                        "inc",
                        "(conj 1)",
                        "(map inc)",
                        "str",
                        "(get :x)",
                        "first",
                        "(assoc :k 1)",
                        "(filter odd?)",
                        "(reduce +)",
                    ]);
                    self.push(&format!(" {step}"));
                }
            }
            10 => {
                self.push("(as->");
                self.times(1, depth);
                self.push(&format!(" {x} "));
                self.within(vec![x], |m| m.any(depth));
            }
            11 => {
                let word = self.d.pick(&["cond->", "cond->>"]);
                self.push(&format!("({word}"));
                self.times(2, depth);
                self.push(" (conj 1) true list");
            }
            12 | 13 => {
                let word = self.d.pick(&["for", "doseq"]);
                self.push(&format!("({word} [{x} "));
                self.expr(Want::Items, depth);
                self.within(vec![x], |m| {
                    match m.d.below(4) {
                        0 => m.push(""),
                        1 => {
                            m.push(" :when ");
                            m.any(depth);
                        }
                        2 => {
                            m.push(&format!(" :let [{y} "));
                            m.any(depth);
                            m.push("]");
                            m.locals.push(y);
                        }
                        _ => {
                            m.push(&format!(" {y} "));
                            m.expr(Want::Items, depth);
                            m.push(" :while ");
                            m.any(depth);
                            m.locals.push(y);
                        }
                    }
                    m.push("] ");
                    m.any(depth);
                });
            }
            14 => {
                let n = self.d.below(6);
                self.push(&format!("(dotimes [{x} {n}] "));
                self.within(vec![x], |m| m.any(depth));
            }
            15 | 16 => {
                self.push("(try");
                self.times(1, depth);
                let class = self.d.pick(&[
                    "Exception",
                    "Throwable",
                    "ArithmeticException",
                    "clojure.lang.ExceptionInfo",
                    ":default",
                ]);
                self.push(&format!(" (catch {class} {x} "));
                self.within(vec![x], |m| m.any(depth));
                self.push(")");
                if self.d.once_in(3) {
                    self.push(" (finally");
                    self.times(1, depth);
                    self.push(")");
                }
            }
            17 => {
                self.push("(throw (ex-info");
                let words = quoted(&nasty(self.d));
                self.push(&format!(" {words} "));
                self.expr(Want::Map, depth);
                self.push(")");
            }
            18 => {
                self.push(&format!("(letfn [({x} [n] (if (pos? n) ({y} (dec n)) 0)) ({y} [n] ({x} n))] "));
                self.within(vec![x, y], |m| m.any(depth));
            }
            19 => {
                self.push("(with-out-str");
                self.times(2, depth);
            }
            20 => {
                self.push("(swap! p");
                self.push(" ");
                self.expr(Want::Function, depth);
            }
            21 => {
                self.push("(reset! p");
                self.times(1, depth);
            }
            22 => {
                self.push("(vswap! q conj");
                self.times(1, depth);
            }
            23 => {
                self.push("(tool/echo");
                self.times(1, depth);
            }
            24 => {
                let end = self.d.pick(ENDS);
                return self.push(end);
            }
            25 => {
                self.push("(assert");
                self.times(1, depth);
            }
            26 => {
                self.push(&format!("(with-meta [{}] ", x.len()));
                self.expr(Want::Map, depth);
            }
            27 => {
                self.push("(into [] ");
                self.expr(Want::Transducer, depth);
                self.push(" ");
                self.expr(Want::Items, depth);
            }
            28 => {
                self.push("(while (< (swap! p (fn [n] (if (number? n) (inc n) 1))) 9)");
                self.times(1, depth);
            }
            _ => {
                let step = self.d.pick(&["(:x)", "(#(do %) 1)", "(quote a)", "(var a)", "(new Exception \"x\")"]);
                self.push(&format!("(vector {step} (.length \"ab\") (Math/abs -1)"));
            }
        }
        self.push(")");
    }
}
