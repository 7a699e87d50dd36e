//! Vars that have another value for a while: `binding`, `with-redefs` and `set!`.

use super::output::writer_of;
use super::state::{Bound, Collected, Vm};
use crate::bytecode::DefInfo;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::object::ObjectKind;
use crate::value::role::Role;
use crate::value::{Symbol, Value};

/// The dynamic var of the language that is the namespace a program has come to.
const NAMESPACE: &str = "clojure.core/*ns*";

/// The dynamic var of the language that printed text goes to.
const OUT: &str = "clojure.core/*out*";

/// The setting of `pprint`.
const MARGIN: &str = "clojure.pprint/*print-right-margin*";

/// The setting of the language that a var is.
fn setting_of(name: &Symbol) -> Option<&'static str> {
    crate::settings::setting(if name.ns() == Some("clojure.core") { name.name() } else { name.text() })
}

/// A value that a setting takes: lengths and levels are integers or nil, all others say yes or no.
fn checked(setting: &str, v: Value) -> Result {
    match (setting, &v) {
        ("*print-length*" | "*print-level*" | MARGIN, Value::Int(_) | Value::Nil) => Ok(v),
        ("*print-length*" | "*print-level*" | MARGIN, _) => {
            let words = format!("{setting} is an integer or nil, got {}", crate::print::brief(&v));
            Err(Interrupt::throw("ClassCastException", ErrorKind::Type, words))
        }
        ("*unchecked-math*", Value::Keyword(_)) => Ok(v),
        ("*err*", _) => writer_of(&v).map(Value::Builder),
        _ if v.is_nil() => Ok(v),
        _ => Ok(Value::Bool(v.truthy())),
    }
}

/// The name of a namespace that is a value.
fn namespace_name(v: &Value) -> Option<String> {
    match v {
        Value::Object(o) if o.kind == ObjectKind::Namespace => o.at(0).and_then(Value::as_str).map(str::to_owned),
        _ => None,
    }
}

impl Vm<'_, '_> {
    /// Which of the values that vars have for a while is the outermost `binding` of this one.
    fn outermost(&self, global: u32) -> Option<usize> {
        self.bound.iter().position(|b| b.dynamic && b.lent.global == global)
    }

    /// Binds a name to what it is defined as. Inside a `binding` of it that is seen when it has ended.
    pub(super) fn bind(&mut self, info: &DefInfo, value: Value) {
        let hidden = self.outermost(info.global);
        let slot = |vm: &mut Self| vm.memory.bindings.get_mut(info.global as usize).map(|b| b.value.take());
        let now = if hidden.is_some() { slot(self).flatten() } else { None };
        self.memory.bind(info.global, value, info.doc.clone(), info.facts.clone());
        let Some(i) = hidden else { return };
        let root = slot(self).flatten();
        if let Some(b) = self.memory.bindings.get_mut(info.global as usize) {
            b.value = now;
        }
        if let Some(b) = self.bound.get_mut(i) {
            b.lent.root = root;
        }
    }

    /// The definition of the program that a var names.
    fn definition(&self, name: &Symbol) -> Option<u32> {
        let own = if name.ns() == Some("user") { name.name() } else { name.text() };
        self.memory.index.get(own).copied()
    }

    /// Calls a function while these vars have these values. However it ends, they have their own again.
    pub(super) fn while_bound(&mut self, values: Vec<(Symbol, Value)>, f: &Value, dynamic: bool) -> Result {
        self.charge(2 * values.len() as u64 + 2)?;
        if dynamic && values.iter().any(|(name, _)| setting_of(name).is_some()) {
            let before = self.settings.len();
            let mut others = Vec::new();
            for (name, value) in values {
                match setting_of(&name) {
                    Some(setting) => self.settings.push((setting, checked(setting, value)?)),
                    None => others.push((name, value)),
                }
            }
            let result = self.while_bound(others, f, dynamic);
            self.settings.truncate(before);
            return result;
        }
        if let Some(i) = values.iter().position(|(name, _)| dynamic && name.text() == OUT) {
            let mut values = values;
            let (_, writer) = values.remove(i);
            return self.with_out(&writer, |vm| vm.while_bound(values, f, dynamic));
        }
        if let Some(i) = values.iter().position(|(name, _)| dynamic && name.text() == NAMESPACE) {
            let mut values = values;
            let (_, value) = values.remove(i);
            let Some(to) = namespace_name(&value) else {
                let words = format!("*ns* is a namespace, got {}", crate::print::brief(&value));
                return Err(Interrupt::throw("ClassCastException", ErrorKind::Type, words));
            };
            let before = self.space.clone();
            self.come_to(&to);
            let result = self.while_bound(values, f, dynamic);
            self.space = before;
            return result;
        }
        let mut found = Vec::with_capacity(values.len());
        for (name, value) in values {
            let Some(global) = self.definition(&name) else {
                let words = format!("{} is no definition of the program", name.text());
                let what = "only what the program has defined can have another value for a while";
                return Err(Interrupt::error(ErrorKind::Name, words).hint(what));
            };
            let role = self.memory.bindings.get(global as usize).map(|b| b.facts.role).unwrap_or_default();
            if dynamic && role != Role::Dynamic {
                let words = format!("Can't dynamically bind non-dynamic var: {}", name.text());
                let hint = format!("write (def ^:dynamic {} ...)", name.name());
                return Err(Interrupt::throw("IllegalStateException", ErrorKind::Value, words).hint(hint));
            }
            found.push((global, value));
        }
        let before = self.bound.len();
        for (global, value) in found {
            // What `with-redefs` changes nobody sees where a `binding` around it says otherwise.
            if !dynamic && self.outermost(global).is_some() {
                continue;
            }
            self.bound.extend(self.memory.lend(global, value).map(|lent| Bound { lent, dynamic }));
        }
        let result = self.call(f, &mut []);
        while self.bound.len() > before
            && let Some(last) = self.bound.pop()
        {
            self.memory.give_back(last.lent);
        }
        result
    }

    /// The vars that have their values from a `binding` now.
    pub(super) fn bound_values(&self) -> Vec<(Symbol, Value)> {
        let mut found: Vec<u32> = self.bound.iter().filter(|b| b.dynamic).map(|b| b.lent.global).collect();
        found.sort_unstable();
        found.dedup();
        let value = |g: &u32| {
            let b = self.memory.bindings.get(*g as usize)?;
            Some((self.memory.var_of(*g, &b.name), b.value.clone()?))
        };
        let settings = self.settings.iter().map(|(name, v)| (crate::settings::var(name), v.clone()));
        let out = match self.collecting.last() {
            Some(Collected::Writer(id)) => Some((Symbol::new(Some("clojure.core"), "*out*"), Value::Builder(*id))),
            _ => None,
        };
        out.into_iter().chain(settings).chain(found.iter().filter_map(value)).collect()
    }

    /// Gives a dynamic var another value, inside the `binding` that it has its value from.
    pub(super) fn set_while_bound(&mut self, name: &Symbol, value: Value) -> Result<()> {
        if let Some(setting) = setting_of(name)
            && let Some(bound) = self.settings.iter_mut().rev().find(|s| s.0 == setting)
        {
            bound.1 = checked(setting, value)?;
            return Ok(());
        }
        if name.text() == OUT && self.set_out(&value)? {
            return Ok(());
        }
        let global = self.definition(name).filter(|g| self.outermost(*g).is_some());
        let Some(binding) = global.and_then(|g| self.memory.bindings.get_mut(g as usize)) else {
            let words = format!("Can't change/establish root binding of: {} with set", name.name());
            return Err(Interrupt::throw("IllegalStateException", ErrorKind::Value, words)
                .hint("set! is for dynamic vars inside (binding [...] ...); else use an atom"));
        };
        binding.value = Some(value);
        Ok(())
    }
}
