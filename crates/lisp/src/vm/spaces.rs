//! What a running program asks of namespaces.

use super::state::Vm;
use crate::error::ErrorKind;
use crate::fuel::Cost;
use crate::host::{Interrupt, Result, VarFacts};
use crate::namespaces::language_namespaces;
use crate::namespaces::{USER, key_of, parts_of};
use crate::value::facts::Facts;
use crate::value::{Symbol, Value};
use std::sync::Arc;

impl Vm<'_, '_> {
    /// The namespace that the program has come to.
    pub(super) fn here(&self) -> &str {
        self.space.as_deref().unwrap_or(USER)
    }

    /// Has the program come to a namespace, which analysis has made.
    pub(super) fn come_to(&mut self, name: &str) {
        self.space = (name != USER).then(|| self.memory.make_space(name));
    }

    /// All namespaces.
    pub(super) fn all_spaces(&self) -> Vec<Arc<str>> {
        let own = self.memory.spaces().chain(self.memory.libraries.iter().map(|l| &**l));
        own.map(Arc::from).chain(language_namespaces().map(Arc::from)).collect()
    }

    /// The vars of a namespace of the program or a library, and whether they are its own.
    pub(super) fn vars_in(&mut self, space: &str) -> Result<Vec<(Symbol, bool)>> {
        self.charge_cost(Cost(8 * self.memory.bindings.len() as u64))?;
        let named = |name: &str| match parts_of(name) {
            (ns, word) if ns == space => Some(Symbol::new(Some(ns), word)),
            _ => None,
        };
        // A class of the program is no var in Clojure, where a namespace imports it.
        let is_class = |name: &Symbol, v: &Option<Value>| {
            let class =
                v.as_ref().and_then(Value::class_text).and_then(|c| c.strip_suffix(name.name())?.strip_suffix('.'));
            class.is_some_and(|c| c == space || c == space.replace('-', "_"))
        };
        let vars = self.memory.bindings().filter_map(|b| Some((named(&b.name)?, b)));
        Ok(vars.filter(|(name, b)| !is_class(name, &b.value)).map(|(name, b)| (name, b.facts.private)).collect())
    }

    /// The var of a name that is defined or of the language, or nil.
    pub(super) fn var_named(&mut self, ns: &str, word: &str) -> Result {
        let known = self.memory.index.get(&*key_of(ns, word)).copied();
        if let Some(binding) = known.and_then(|g| self.memory.bindings.get(g as usize)) {
            if binding.value.is_some() {
                return Ok(Value::Var(Symbol::new(Some(ns), word)));
            }
            // It is only declared, or its definition comes later: Clojure tells one from the other.
            let words = format!("{ns}/{word} has no value yet");
            return Err(Interrupt::error(ErrorKind::Name, words).hint("ask for it behind its definition"));
        }
        let full = if ns == "clojure.core" { word.to_owned() } else { format!("{ns}/{word}") };
        let shown = crate::builtins::find(&full).filter(|b| ns != USER && !b.name().ends_with('*'));
        Ok(shown.map_or(Value::Nil, |_| Value::Var(Symbol::new(Some(ns), word))))
    }

    /// The var that a namespace has taken in under this name, or nil.
    pub(super) fn var_referred(&mut self, space: &str, word: &str) -> Result {
        match self.memory.alias_in_own(space, &format!("/{word}")).cloned() {
            Some(full) => match full.split_once('/') {
                Some((ns, word)) if !ns.is_empty() && !word.is_empty() => self.var_named(ns, word),
                _ => self.var_named("clojure.core", &full),
            },
            None => Ok(Value::Nil),
        }
    }

    fn definition_of(&self, var: &Symbol) -> Option<u32> {
        self.memory.index.get(&*key_of(var.ns().unwrap_or(USER), var.name())).copied()
    }

    /// What is known of the definition that a var names.
    pub(super) fn facts_of(&self, var: &Symbol) -> Option<VarFacts> {
        let b = self.memory.bindings.get(self.definition_of(var)? as usize)?;
        let doc = b.doc.clone().or_else(|| self.maker_doc(var));
        Some(VarFacts { value: b.value.clone(), doc, facts: b.facts.clone() })
    }

    /// The docstring of what makes values of a type: `->Point` and `map->Point`.
    fn maker_doc(&self, var: &Symbol) -> Option<Arc<str>> {
        let (name, of_map) = match (var.name().strip_prefix("map->"), var.name().strip_prefix("->")) {
            (Some(name), _) => (name, true),
            (None, name) => (name?, false),
        };
        let class =
            self.memory.bindings.get(self.definition_of(&Symbol::new(var.ns(), name))? as usize)?.value.as_ref()?;
        let class = class.class_text()?;
        Some(Arc::from(match of_map {
            true => format!("Factory function for class {class}, taking a map of keywords to field values."),
            false => format!("Positional factory function for class {class}."),
        }))
    }

    /// Says something else of it.
    pub(super) fn set_definition(&mut self, var: &Symbol, value: Option<Value>, facts: Facts) -> Result<()> {
        self.charge_cost(Cost(4))?;
        let own = self.definition_of(var).filter(|_| !self.memory.is_library(var.ns().unwrap_or(USER)));
        let Some(global) = own else {
            let words = format!("{} is no definition of the program: what is there stays as it is", var.text());
            return Err(Interrupt::error(ErrorKind::Denied, words).hint("define a name of your own"));
        };
        let Some(binding) = self.memory.bindings.get(global as usize) else { return Ok(()) };
        let (doc, replaced) = (binding.doc.clone(), binding.value.is_some());
        match value {
            Some(value) => {
                self.note_defined(global, replaced);
                self.memory.bind(global, value, doc, facts);
            }
            None => self.memory.set_facts(global, doc, facts),
        }
        Ok(())
    }
}
