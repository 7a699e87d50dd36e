//! Macros of programs: `defmacro`, their calls, and what has to be there before they can be expanded.

use super::analyzer::{Analysed, Analyzer};
use super::expansion::{expansion_text, in_expansion, size};
use super::fn_forms::fn_forms;
use super::forms::misuse;
use super::ir::{Def, Expr, Node};
use super::machine::MacroCall;
use super::scope::shared;
use super::unit::Waiting;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind, Name};
use crate::span::Span;
use crate::template::{self, Naming};
use crate::value::facts::Facts;
use crate::value::role::Role;
use crate::value::{Map, Symbol, Value};
use std::collections::BTreeSet;

/// Most forms that the templates of a program may become.
const TEMPLATE_FORMS: usize = 1_000_000;

/// After so many of them memory is looked at.
const TEMPLATE_FORMS_PER_CHECK: usize = 1024;

/// How a name of the program means a macro.
pub(super) enum Meaning {
    /// It means none.
    NoMacro,
    /// The macro of this name of the session.
    Macro(u32),
    /// A macro that the program defines further down.
    Later,
}

impl Analyzer<'_> {
    /// `(defmacro name "doc" [params] body...)`
    pub(super) fn defmacro(&mut self, span: Span, args: &[Form]) -> Analysed {
        let f = fn_forms(span, args, true).map_err(|_| misuse(span, "defmacro").at(span))?;
        let name = f.name.ok_or_else(|| misuse(span, "defmacro"))?;
        let global = self.define(name, span)?;
        let shown = shared(&name.name);
        let inside = std::mem::replace(&mut self.in_macro, true);
        let value = self.outside_tail(|a| a.function_of(span, &f, Some(shown.clone()), None));
        self.in_macro = inside;
        // Only now: in its own body the name is not yet that of a macro, which could not be expanded.
        let own = self.own_name(&name.name).into_owned();
        self.defined.mark_macro(&own);
        self.has_macros = true;
        let said = self.said_by(span, args, &f, false)?;
        let (facts, computed) = said.parts();
        let facts = Facts { role: Role::Macro, function: true, ..facts };
        let def = Def { global, name: shown, value: Some(value?), doc: f.doc.clone(), once: false, facts };
        Ok(self.with_computed(span, global, name, Node::Def(Box::new(def)), computed))
    }

    /// Which macro the head of a call means, if it means one.
    pub(super) fn macro_of(&self, name: &Name) -> Meaning {
        if !self.has_macros {
            return Meaning::NoMacro;
        }
        let own = match name.ns.as_deref() {
            None => !self.scopes.is_local(name) && !self.memory().is_core_again(&name.name),
            Some(ns) => self.memory().space() == ns,
        };
        if name.ns.is_none() && !own {
            return Meaning::NoMacro;
        }
        let word = &*name.name;
        if own {
            let key = self.own_name(word);
            if let Some(meaning) = self.macro_named(&key) {
                return meaning;
            }
            if self.defined.is_macro_later(&key) && crate::builtins::find(word).is_none() {
                return Meaning::Later;
            }
        }
        let memory = self.memory();
        let full = match &name.ns {
            None => memory.referred(word).map(|full| full.to_string()),
            Some(ns) => Some(self.key(memory.alias_of(ns).map_or(&**ns, |of| &**of), word).into_owned()),
        };
        if let Some(found) = full.and_then(|full| self.macro_named(&full)) {
            return found;
        }
        // Nothing of the language or of this namespace has the name: that of another namespace is meant.
        if name.ns.is_some() || crate::builtins::find(word).is_some() || super::forms::find(word).is_some() {
            return Meaning::NoMacro;
        }
        match self.elsewhere(word).and_then(|g| self.memory().bindings.get(g as usize)) {
            Some(binding) => self.macro_named(&binding.name).unwrap_or(Meaning::NoMacro),
            None => Meaning::NoMacro,
        }
    }

    /// What the definition that memory calls so means, if there is one by now.
    fn macro_named(&self, key: &str) -> Option<Meaning> {
        let known = self.memory().index.get(key).copied();
        if self.defined.is_reached(key) {
            return Some(known.filter(|_| self.defined.is_macro(key)).map_or(Meaning::NoMacro, Meaning::Macro));
        }
        let global = known.filter(|g| self.bound(*g))?;
        Some(if self.is_macro(global) { Meaning::Macro(global) } else { Meaning::NoMacro })
    }

    fn bound(&self, global: u32) -> bool {
        self.memory().bindings.get(global as usize).is_some_and(|b| b.value.is_some())
    }

    fn is_macro(&self, global: u32) -> bool {
        self.memory().bindings.get(global as usize).is_some_and(|b| b.value.is_some() && b.facts.role == Role::Macro)
    }

    /// Refuses the name of a macro where a value is wanted.
    pub(super) fn check_value(&self, name: &Name, span: Span) -> Result<(), Error> {
        let meaning = self.macro_of(name);
        if let Meaning::NoMacro = meaning {
            return Ok(());
        }
        let word = name.text();
        match meaning {
            Meaning::NoMacro => Ok(()),
            Meaning::Macro(_) => Err(Error::new(ErrorKind::Name, format!("Can't take value of a macro: {word}"))
                .at(span)
                .hint(format!("call it in a list: ({word} ...), or wrap it in a function: #({word} %)"))),
            Meaning::Later => Err(self.defined_later(&word, span)),
        }
    }

    fn defined_later(&self, word: &str, span: Span) -> Error {
        Error::new(ErrorKind::Name, format!("{word} is a macro that is defined further down"))
            .at(span)
            .hint("put (defmacro ...) before the first use")
    }

    /// Expands a call of a macro once; `None` where the form is none.
    pub(super) fn expand_once(&mut self, form: &Form) -> Result<Option<Form>, Error> {
        let Kind::List(items) = &form.kind else { return Ok(None) };
        let Some(Form { kind: Kind::Symbol(name), .. }) = items.first() else { return Ok(None) };
        let global = match self.macro_of(name) {
            Meaning::NoMacro => return Ok(None),
            Meaning::Macro(global) => global,
            Meaning::Later => return Err(self.defined_later(&name.text(), form.span)),
        };
        let (span, name) = (form.span, name.text());
        if !self.make_ready(global, span)? {
            self.waits = true;
            return Err(Error::new(ErrorKind::Name, format!("the macro {name} is used in the form that defines it"))
                .at(span)
                .hint("define it with (defmacro ...) in a form of its own, before the one that uses it"));
        }
        self.machine.charge(4 + size(form))?;
        let function = self.memory().bindings.get(global as usize).and_then(|b| b.value.clone()).unwrap_or_default();
        self.check_macro_arity(&name, &function, items.len() - 1, span)?;
        let written = self.datum_of(form)?;
        let args = items.iter().skip(1).map(|i| self.datum_of(i)).collect::<Result<Vec<_>, _>>()?;
        let env = if self.memory().reads_env { self.env()? } else { Value::Nil };
        self.metered = true;
        let form = self.machine.expand(&function, MacroCall { name, args, form: written, env, span })?;
        Ok(Some(form))
    }

    /// What `&env` is here: a map from the local names to themselves, nil where there is none.
    fn env(&mut self) -> Result<Value, Error> {
        self.machine.charge(self.scopes.weight().saturating_mul(4))?;
        let mut names = Map::new();
        for name in self.scopes.names() {
            let name = Value::Symbol(Symbol::new(None, name));
            names.insert(name.clone(), name);
        }
        Ok(if names.is_empty() { Value::Nil } else { Value::Map(names) })
    }

    fn check_macro_arity(&self, name: &str, function: &Value, n: usize, span: Span) -> Result<(), Error> {
        match crate::arity::arity_of(function) {
            Some((min, max)) if n < min || max.is_some_and(|m| n > m) => {
                let e = crate::arity::arity_error(name, min, max, n).at(span);
                Err(match crate::arity::params_of(function) {
                    Some(params) => e.hint(format!("its parameters are {params}")),
                    None => e,
                })
            }
            _ => Ok(()),
        }
    }

    /// A call of a macro inside an expression; `None` where the form is none.
    pub(super) fn macro_form(&mut self, form: &Form) -> Result<Option<Expr>, Error> {
        if !self.has_macros {
            return Ok(None);
        }
        if self.dry
            && let Kind::List(items) = &form.kind
            && let Some(name) = items.first().and_then(Form::as_symbol)
            && !matches!(self.macro_of(name), Meaning::NoMacro)
        {
            self.opaque = true;
            return Ok(Some(Expr { span: form.span, node: Node::Const(Value::Nil) }));
        }
        let Some(expansion) = self.expand_once(form)? else { return Ok(None) };
        let result = self.expr(&expansion);
        result.map(Some).map_err(|e| if self.waits { e } else { in_expansion(e, &expansion_text(form, &expansion)) })
    }

    /// Makes what a macro needs when it runs, where that can be made now.
    fn make_ready(&mut self, global: u32, span: Span) -> Result<bool, Error> {
        if self.unit.is_empty() || self.ready.as_ref().is_some_and(|r| r.contains(&global)) {
            return Ok(true);
        }
        let (mut work, mut seen) = (vec![global], BTreeSet::from([global]));
        while let Some(g) = work.pop() {
            self.machine.charge(4)?;
            match self.unit.waiting(g) {
                Some(Waiting::Blocked) => return Ok(false),
                Some(Waiting::Ready(place)) => {
                    let vars = self.scopes.outermost_vars();
                    let Some(definition) = self.unit.body.get(place) else { return Ok(false) };
                    self.machine.define_ahead(definition, vars).map_err(|e| e.at(span))?;
                    self.unit.made(g);
                }
                Some(Waiting::Made) | None => {}
            }
            let Some(value) = self.memory().bindings.get(g as usize).and_then(|b| b.value.clone()) else { continue };
            for g in self.machine.names_read(&value) {
                if seen.insert(g) {
                    work.push(g);
                }
            }
        }
        self.ready.get_or_insert_default().extend(seen);
        Ok(true)
    }

    /// The code of a template.
    pub(super) fn template(&mut self, form: &Form) -> Result<Form, Error> {
        template::code(form, &mut Names(self))
    }

    /// What a symbol in a template becomes.
    fn template_name(&self, name: &Name) -> Name {
        let word = &*name.name;
        let in_ns = |ns: &str, word: &str| Name { ns: Some(ns.into()), name: word.into() };
        let class = |word: &str| match crate::builtins::java::classes::full_name(word) {
            Some(full) => Some(full),
            _ if matches!(word, "Math" | "System" | "Thread") => Some(format!("java.lang.{word}")),
            _ => None,
        };
        if let Some(ns) = &name.ns {
            let named = self.memory().alias_of(ns).map(|of| of.to_string());
            return match named.or_else(|| class(ns)) {
                Some(of) => in_ns(&of, word),
                None => name.clone(),
            };
        }
        let full = |full: &str| match full.split_once('/') {
            Some((ns, n)) if !ns.is_empty() && !n.is_empty() => in_ns(ns, n),
            _ => in_ns("clojure.core", full),
        };
        if self.is_own(word) {
            return in_ns(self.own_space(), word);
        }
        if let Some(of) = self.memory().referred(word) {
            return full(of);
        }
        if let Some(c) = word.strip_suffix('.').filter(|c| !c.is_empty()) {
            return Name::plain(&class(c).map_or_else(|| word.to_string(), |c| format!("{c}.")));
        }
        if let Some(b) = crate::builtins::find(word) {
            return full(b.name());
        }
        if super::forms::find(word).is_some() || matches!(word, "*1" | "*2" | "*3" | "*e") {
            return in_ns("clojure.core", word);
        }
        if word.contains('.') || matches!(word, "&form" | "&env") {
            return name.clone();
        }
        if let Some(c) = class(word).filter(|_| !self.defined.anywhere(&self.own_name(word))) {
            return Name::plain(&c);
        }
        // What is refused is refused by its own name.
        if super::unsupported::unsupported_hint(word).is_some() && !self.defined.anywhere(&self.own_name(word)) {
            return name.clone();
        }
        if !self.defined.anywhere(&self.own_name(word))
            && let Some(global) = self.elsewhere(word)
        {
            let var = self.memory().var_of(global, word);
            return in_ns(var.ns().unwrap_or_default(), word);
        }
        in_ns(self.own_space(), word)
    }

    /// The namespace of what the program defines.
    pub(super) fn own_space(&self) -> &str {
        self.memory().space()
    }
}

struct Names<'n, 'a>(&'n mut Analyzer<'a>);

impl Naming for Names<'_, '_> {
    fn qualified(&mut self, name: &Name) -> Name {
        self.0.template_name(name)
    }

    fn fresh(&mut self) -> u64 {
        self.0.machine.memory_mut().fresh()
    }

    fn count(&mut self, forms: usize, span: Span) -> Result<(), Error> {
        let before = self.0.templates;
        self.0.templates = before.saturating_add(forms);
        if before / TEMPLATE_FORMS_PER_CHECK < self.0.templates / TEMPLATE_FORMS_PER_CHECK {
            self.0.machine.check_memory().map_err(|e| e.at(span))?;
        }
        if self.0.templates > TEMPLATE_FORMS {
            return Err(Error::new(ErrorKind::Source, format!("templates become more than {TEMPLATE_FORMS} forms"))
                .at(span)
                .hint("each ` inside a ` multiplies what is in it: nest them less deep"));
        }
        Ok(())
    }
}
