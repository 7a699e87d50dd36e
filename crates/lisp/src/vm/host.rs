//! The virtual machine as builtins see it.

use super::known::Known;
use super::leaf::{Leaf, Slot};
use super::state::{Collected, Vm};
use crate::analyze::documentation;
use crate::bytecode::{Arithmetic, COMPUTED};
use crate::error::ErrorKind;
use crate::fuel::Cost;
use crate::host::{Host, Interrupt, Result, VarFacts};
use crate::limits::Limits;
use crate::stages::{Block, Stage, Taken};
use crate::value::boxed::CellId;
use crate::value::decimal::MathContext;
use crate::value::facts::Facts;
use crate::value::regex::Regex;
use crate::value::{Builtin, Value};
use std::sync::Arc;

/// What `+` and the like give for two integers or two doubles, without a call.
#[inline]
pub(super) fn computed(f: &Value, a: &Value, b: &Value) -> Option<Value> {
    let Value::Builtin(f) = f else { return None };
    Arithmetic::of(f)?.plain(a, b)
}

impl Host for Vm<'_, '_> {
    fn call(&mut self, f: &Value, args: &mut [Value]) -> Result {
        if let Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::Char(_) = f {
            let what = format!("{} is not a function: {}", f.kind(), crate::print::brief(f));
            let what = if f.is_nil() { "nil is not a function".to_string() } else { what };
            let hint = "map, filter, sort-by and similar functions take a function, a keyword, a map or a set";
            return Err(Interrupt::error(ErrorKind::Type, what).hint(hint));
        }
        self.call_value(f, args)
    }

    fn call1(&mut self, f: &Value, a: Value) -> Result {
        match Leaf::of(f, 1) {
            Some(leaf) => self.call_leaf(leaf, [Slot::Own(a)]),
            None => match self.known(f, &a)? {
                Some(v) => Ok(v),
                None => self.call(f, &mut [a]),
            },
        }
    }

    fn call2(&mut self, f: &Value, a: Value, b: Value) -> Result {
        if let Some(v) = computed(f, &a, &b) {
            self.charge_cost(COMPUTED)?;
            return Ok(v);
        }
        if let Some(leaf) = Leaf::of(f, 2) {
            return self.call_leaf(leaf, [Slot::Own(a), Slot::Own(b)]);
        }
        if let Value::Function(g) = f
            && let Some(v) = self.filled(g, &a, &b)?
        {
            return Ok(v);
        }
        self.call(f, &mut [a, b])
    }

    fn call_with(&mut self, values: Vec<(crate::value::Symbol, Value)>, f: &Value, dynamic: bool) -> Result {
        self.while_bound(values, f, dynamic)
    }

    fn bound_now(&self) -> Vec<(crate::value::Symbol, Value)> {
        self.bound_values()
    }

    fn set_bound(&mut self, name: &crate::value::Symbol, value: Value) -> Result<()> {
        self.set_while_bound(name, value)
    }

    fn template(&mut self, form: &crate::form::Form) -> std::result::Result<crate::form::Form, crate::error::Error> {
        self.template_read(form)
    }

    fn setting(&self, name: &str) -> Option<Value> {
        self.settings.iter().rev().find(|s| s.0 == name).map(|s| s.1.clone())
    }

    fn has_settings(&self) -> bool {
        !self.settings.is_empty()
    }

    fn space(&self) -> String {
        self.here().to_owned()
    }

    fn enter_space(&mut self, name: &str) {
        self.come_to(name);
    }

    fn spaces(&self) -> Vec<Arc<str>> {
        self.all_spaces()
    }

    fn is_own_space(&self, name: &str) -> bool {
        self.memory.is_space(name) || self.memory.is_library(name)
    }

    fn space_vars(&mut self, name: &str) -> Result<Vec<(crate::value::Symbol, bool)>> {
        self.vars_in(name)
    }

    fn space_aliases(&self, name: &str) -> Vec<(String, String)> {
        let mut all: Vec<_> =
            self.memory.aliases_in(name).map(|(alias, of)| (alias.to_owned(), of.to_owned())).collect();
        all.sort_unstable();
        all
    }

    fn alias_in(&self, space: &str, alias: &str) -> Option<String> {
        self.memory.alias_named(space, alias)
    }

    fn var_facts(&self, var: &crate::value::Symbol) -> Option<VarFacts> {
        self.facts_of(var)
    }

    fn set_var(&mut self, var: &crate::value::Symbol, value: Option<Value>, facts: Facts) -> Result<()> {
        self.set_definition(var, value, facts)
    }

    fn find_var(&mut self, ns: &str, name: &str) -> Result {
        self.var_named(ns, name)
    }

    fn find_referred(&mut self, space: &str, name: &str) -> Result {
        self.var_referred(space, name)
    }

    fn math_context(&self) -> Option<MathContext> {
        self.math_context
    }

    fn set_math_context(&mut self, context: Option<MathContext>) -> Option<MathContext> {
        std::mem::replace(&mut self.math_context, context)
    }

    fn lend1(&mut self, f: &Value, a: &Value) -> Result {
        match Leaf::of(f, 1) {
            Some(leaf) => match self.compute(leaf, [a])? {
                Some(v) => Ok(v),
                None => self.call_leaf(leaf, [Slot::Lent(a)]),
            },
            None => match self.known(f, a)? {
                Some(v) => Ok(v),
                None => self.call(f, &mut [a.clone()]),
            },
        }
    }

    fn lend2(&mut self, f: &Value, a: Value, b: &Value) -> Result {
        if let Some(v) = computed(f, &a, b) {
            self.charge_cost(COMPUTED)?;
            return Ok(v);
        }
        match Leaf::of(f, 2) {
            Some(leaf) => match self.compute(leaf, [&a, b])? {
                Some(v) => Ok(v),
                None => self.call_leaf(leaf, [Slot::Own(a), Slot::Lent(b)]),
            },
            None => self.call(f, &mut [a, b.clone()]),
        }
    }

    fn compute_each(&mut self, f: &Value, xs: &[Value], out: &mut Vec<Value>) -> Result<usize> {
        Vm::compute_each(self, f, xs, out)
    }

    fn test_each(&mut self, f: &Value, xs: &[Value]) -> Result<(usize, u64)> {
        Vm::test_each(self, f, xs)
    }

    fn fold_each(&mut self, f: &Value, acc: &mut Value, xs: &[Value]) -> Result<usize> {
        Vm::fold_each(self, f, acc, xs)
    }

    fn stage_fuses(&self, f: &Value) -> bool {
        Vm::stage_fuses(self, f)
    }

    fn fold_fuses(&self, f: &Value) -> bool {
        Vm::fold_fuses(self, f)
    }

    fn run_stages(&mut self, stages: &[Stage], block: Block<'_>, taken: &mut Taken<'_>) -> Result<bool> {
        Vm::run_stages(self, stages, block, taken)
    }

    fn in_stage(&mut self, calls_before: usize) {
        self.in_stage = calls_before;
    }

    fn borrows(&self, f: &Value) -> bool {
        Leaf::of(f, 1).is_some() || Known::of(f).is_some()
    }

    fn call_spread(&mut self, f: &Value, args: Vec<Value>, rest: Value) -> Result {
        self.spread(f, args, rest)
    }

    #[inline]
    fn charge(&mut self, items: u64) -> Result<()> {
        self.charge_cost(Cost::of_items(items))
    }

    fn reserve(&mut self, bytes: u64) -> Result<()> {
        // Small requests are seen at the next look; they cannot add up to much before it.
        if bytes < 4096 { self.charge_cost(Cost(bytes / 256)) } else { self.check_limits(bytes) }
    }

    fn print(&mut self, text: String) -> Result<()> {
        let bytes = self.room_for(&text)?;
        match self.collecting.last_mut() {
            Some(Collected::Text(collecting, held)) => {
                collecting.push_str(&text);
                held.hold(collecting.capacity());
                // A growing text is copied now and then.
                let copy = collecting.len() as u64;
                return self.reserve(copy.max(4096));
            }
            Some(Collected::Writer(id)) => {
                let id = *id;
                return crate::builtins::java::string_builder::add(self, id, text);
            }
            None => {}
        }
        self.print_here(text, bytes)
    }

    fn print_by_turn(&mut self, text: String) -> Result<()> {
        let bytes = self.room_for(&text)?;
        self.print_here(text, bytes)
    }

    fn out(&mut self) -> Result<CellId> {
        self.writer_now()
    }

    fn limits(&self) -> &Limits {
        self.turn.limits
    }

    fn tool(&mut self, name: &str, args: &mut [Value]) -> Result {
        let f = Value::Tool(crate::value::Str::new(name));
        self.call_value(&f, args)
    }

    fn call_parallel(&mut self, calls: Vec<(Value, Vec<Value>)>) -> Result<Vec<Value>> {
        self.call_parallel(calls)
    }

    fn cell(&mut self, value: Value) -> Result<CellId> {
        self.charge_cost(Cost(8))?;
        self.reserve(256)?;
        let id = self.memory.next_cell;
        self.memory.next_cell += 1;
        self.memory.cells.set(id, value);
        Ok(CellId(id))
    }

    fn key_found(&mut self, mark: u8) {
        self.looked_up.found(mark);
    }

    fn key_missed(&mut self, key: &Value, map: &crate::value::Map) -> Result<()> {
        let cost = self.looked_up.missed(key, map);
        self.charge_cost(Cost(cost))
    }

    fn cell_get(&mut self, id: CellId) -> Value {
        self.memory.cells.get(id.0).cloned().unwrap_or_default()
    }

    fn cell_set(&mut self, id: CellId, value: Value) -> Value {
        self.memory.cells.set(id.0, value).unwrap_or_default()
    }

    fn cell_take(&mut self, id: CellId) -> Value {
        self.memory.cells.take(id.0).unwrap_or_default()
    }

    #[inline]
    fn cell_mut(&mut self, id: CellId) -> Option<&mut Value> {
        self.memory.cells.get_mut(id.0)
    }

    fn cell_remove(&mut self, id: CellId) -> Value {
        self.memory.cells.remove(id.0).unwrap_or_default()
    }

    fn cell_options(&mut self, id: CellId) -> Value {
        if self.may_have_options(id) { self.cell_get(id.options()) } else { Value::Nil }
    }

    fn set_cell_options(&mut self, id: CellId, options: Value) {
        self.memory.late_options |= !id.has_options();
        self.memory.cells.set(id.options().0, options);
    }

    #[inline]
    fn may_have_options(&self, id: CellId) -> bool {
        id.has_options() || self.memory.late_options
    }

    fn exception(&mut self, stop: Interrupt) -> Value {
        self.caught(stop)
    }

    fn random(&mut self) -> u64 {
        self.next_random()
    }

    fn now_ms(&self) -> i64 {
        self.turn.now_ms
    }

    fn track_lazy(&mut self, lazy: &crate::value::Lazy) {
        self.memory.cycles.note(lazy);
    }

    fn save_for_rollback(&mut self, lazy: &crate::value::Lazy, was: crate::value::Lazy) {
        self.memory.keep(lazy, was);
    }

    fn searched(&mut self, regex: &Arc<Regex>) {
        if self.searched.len() == self.searched.capacity() {
            self.searched.retain(|r| r.strong_count() > 0);
        }
        self.searched.push(Arc::downgrade(regex));
    }

    fn thunk(&mut self) {
        self.thunks += 1;
    }

    fn builtin(&self, name: &str) -> Option<&'static Builtin> {
        crate::builtins::find(name)
    }

    fn documentation(&self, name: &str) -> Option<String> {
        documentation::text(name)
    }

    fn suggestion(&self, name: &str, own: &[&str]) -> String {
        documentation::suggestion(name, own.iter().copied())
    }

    fn builtins(&self) -> std::slice::Iter<'static, Builtin> {
        crate::builtins::all()
    }

    fn tools(&self) -> &[crate::interface::ToolSpec] {
        self.turn.tools
    }

    fn past(&self) -> &[Value] {
        self.past.get_or_init(|| self.turn.past.list())
    }

    fn past_turn(&mut self, turn: u64) -> Option<Value> {
        if let Some(made) = self.past_turns.get(&turn) {
            return Some(made.clone());
        }
        let made = self.turn.past.get(turn)?;
        self.past_turns.insert(turn, made.clone());
        Some(made)
    }

    fn past_printed(&self, turn: u64) -> Option<&[String]> {
        self.turn.past.printed(turn)
    }

    fn texts(&self) -> &[(String, Value)] {
        self.texts.get_or_init(|| (self.turn.texts)())
    }

    fn note(&mut self, note: crate::interface::Note) -> Result<()> {
        if self.notes.len() >= crate::builtins::system::notes::MAX_NOTES_PER_TURN {
            let most = crate::builtins::system::notes::MAX_NOTES_PER_TURN;
            return Err(Interrupt::error(ErrorKind::Value, format!("more than {most} notes in a turn"))
                .hint("join what belongs together into one note"));
        }
        self.notes.push(note);
        Ok(())
    }

    fn definitions(&self) -> Vec<Arc<str>> {
        let bound = |i: &u32| {
            self.memory.bindings.get(*i as usize).is_some_and(|b| b.value.is_some() && !self.memory.is_hidden(b))
        };
        let mut names: Vec<Arc<str>> =
            self.memory.index.iter().filter(|(_, i)| bound(i)).map(|(n, _)| n.clone()).collect();
        names.sort_unstable();
        names
    }

    fn eval(&mut self, form: Value) -> Result {
        self.evaluate(form)
    }

    fn macroexpand(&mut self, form: Value, all: bool) -> Result {
        self.expanded(form, all)
    }

    fn macro_form(&self) -> Value {
        self.expanding.as_ref().map_or(Value::Nil, |call| call.0.clone())
    }

    fn macro_env(&self) -> Value {
        self.expanding.as_ref().map_or(Value::Nil, |call| call.1.clone())
    }

    fn var_value(&mut self, name: &crate::value::Symbol) -> Result {
        let setting = crate::settings::root(name.name()).filter(|_| name.ns() == Some("clojure.core"));
        match setting {
            Some(root) => Ok(self.setting(name.name()).unwrap_or(root)),
            None => self.named_by(name),
        }
    }

    fn defined(&self, name: &str) -> Option<(Value, Option<std::sync::Arc<str>>)> {
        let binding = self.memory.bindings.get(*self.memory.index.get(name)? as usize)?;
        Some((binding.value.clone()?, binding.doc.clone()))
    }
}
