//! `clojure.template`, and the functions of `clojure.walk` that are about code.

use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::seq_source::core;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::{Builtin, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "clojure.template/apply-template",
        "argv expr values",
        "The form with each name of argv replaced by the value in its place.",
        &[("(clojure.template/apply-template '[x y] '(+ x y x) [1 2])", "(+ 1 2 1)")],
        &Body(|h, a| {
            let names = take(a, 0);
            let plain = matches!(&names, Value::Vector(v) if v.iter().all(|n| matches!(n, Value::Symbol(_))));
            if !plain {
                return Err(Interrupt::argument(0, "a vector of symbols", &names));
            }
            let (zipmap, replace) = (core(h, "zipmap")?, core(h, "clojure.walk/postwalk-replace")?);
            let smap = h.call(&zipmap, &mut [names, take(a, 2)])?;
            h.call(&replace, &mut [smap, take(a, 1)])
        }),
    ),
    Builtin::new(
        "clojure.walk/macroexpand-all",
        "form",
        "The form with all calls of macros expanded.",
        &[("(walk/macroexpand-all '[(f 1)])", "[(f 1)]")],
        &Body(|h, a| {
            let form = take(a, 0);
            let expand = crate::builtins::functions::combinators::native(
                h,
                "macroexpand-all",
                Vec::new(),
                (1, Some(1)),
                |h, _, a| match take(a, 0) {
                    form if form.is_sequential() && !matches!(form, Value::Vector(_)) => h.macroexpand(form, true),
                    form => Ok(form),
                },
            )?;
            let walk = core(h, "clojure.walk/prewalk")?;
            h.call(&walk, &mut [expand, form])
        }),
    ),
    Builtin::new(
        "clojure.walk/postwalk-demo",
        "form",
        "Prints each part of the data as postwalk comes to it, and gives the data.",
        &[("(with-out-str (walk/postwalk-demo [1]))", "\"Walked: 1\\nWalked: [1]\\n\"")],
        &Body(|h, a| demo(h, a, "clojure.walk/postwalk")),
    ),
    Builtin::new(
        "clojure.walk/prewalk-demo",
        "form",
        "Prints each part of the data as prewalk comes to it, and gives the data.",
        &[("(with-out-str (walk/prewalk-demo [1]))", "\"Walked: [1]\\nWalked: 1\\n\"")],
        &Body(|h, a| demo(h, a, "clojure.walk/prewalk")),
    ),
];

fn demo(h: &mut dyn Host, a: &mut [Value], walk: &str) -> Result {
    let tell = crate::builtins::functions::combinators::native(h, "walked", Vec::new(), (1, Some(1)), |h, _, a| {
        let (print, prn) = (core(h, "print")?, core(h, "prn")?);
        h.call(&print, &mut [Value::str("Walked: ")])?;
        h.call(&prn, &mut [get(a, 0).clone()])?;
        Ok(take(a, 0))
    })?;
    let walk = core(h, walk)?;
    h.call(&walk, &mut [tell, take(a, 0)])
}
