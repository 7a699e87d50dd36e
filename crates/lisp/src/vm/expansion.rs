//! The virtual machine as analysis sees it: macros are run by the turn that is being analysed, under its limits. And
//! `eval`: analysis that a running program asks for.

use super::state::Vm;
use crate::analyze::{Compilation, CompileEnv, Machine, MacroCall};
use crate::bytecode::{Closure, Op, Template};
use crate::code;
use crate::codegen;
use crate::error::{Error, ErrorKind};
use crate::form::Form;
use crate::fuel::Cost;
use crate::host::{Host, Interrupt, InterruptKind, Result};
use crate::memory::Memory;
use crate::span::Span;
use crate::value::node::{allocated_bytes, on_deep_stack};
use crate::value::{Function, Value};
use std::collections::HashSet;
use std::sync::Arc;

/// The text that code belongs to which no turn wrote.
const NO_SOURCE: u64 = u64::MAX;
/// What an error of analysis costs that is caught: it looks for names that may have been meant.
const MISTAKE: u64 = 20_000;

impl Machine for Vm<'_, '_> {
    fn memory(&self) -> &Memory {
        self.memory
    }

    fn memory_mut(&mut self) -> &mut Memory {
        self.memory
    }

    fn charge(&mut self, items: u64) -> std::result::Result<(), Error> {
        self.charge_cost(Cost::of_items(items)).map_err(|stop| self.error_of(stop.into_kind()))
    }

    fn check_memory(&mut self) -> std::result::Result<(), Error> {
        self.check_held().map_err(|stop| self.error_of(stop.into_kind()))
    }

    fn expand(&mut self, function: &Value, call: MacroCall) -> std::result::Result<Form, Error> {
        let MacroCall { name, mut args, form, env, span } = call;
        self.ran_ahead = true;
        let outer = self.expanding.replace((form, env));
        let made = self.call(function, &mut args).and_then(|v| code::form(self, v, span));
        self.expanding = outer;
        made.map_err(|stop| {
            let e = match stop.into_kind() {
                InterruptKind::Return(_) | InterruptKind::Fail(_) => {
                    Error::new(ErrorKind::Denied, "the task cannot end while a macro is expanded")
                        .hint("have the expansion call return or fail: `(return ~value)")
                }
                kind => self.error_of(kind),
            };
            let message = format!("expanding {name}: {}", e.message);
            let place = e.span.unwrap_or(span);
            Error { hint: e.hint, calls: e.calls, ..Error::new(e.kind, message).at(place) }
        })
    }

    fn define_ahead(&mut self, definition: &crate::analyze::ir::Expr, vars: u32) -> std::result::Result<(), Error> {
        self.ran_ahead = true;
        let template = codegen::program(definition, vars, self.turn.tools, false)?;
        let known = self.defined.len();
        let result = self.run_template(template, self.source);
        self.forget_defined(known);
        result.map(drop).map_err(|stop| self.error_of(stop.into_kind()))
    }

    fn names_read(&self, value: &Value) -> Vec<u32> {
        let mut out = Vec::new();
        let (mut values, mut code, mut seen) = (vec![value.clone()], Vec::new(), HashSet::new());
        loop {
            if let Some(template) = code.pop() {
                self.read_by(&template, &mut out, &mut values, &mut code, &mut seen);
                continue;
            }
            match values.pop() {
                None => return out,
                Some(Value::Var(name)) => {
                    let text = if name.ns() == Some("user") { name.name() } else { name.text() };
                    out.extend(self.memory.index.get(text).copied());
                }
                Some(Value::Function(f)) if seen.insert(f.address()) => {
                    if let Some(c) = f.downcast::<Closure>() {
                        code.extend(c.group.iter().flat_map(|g| g.iter().cloned()).chain([c.template.clone()]));
                    }
                    values.extend(f.body().into_iter().flat_map(|b| b.held()).filter(|v| names(v)).cloned());
                }
                Some(_) => {}
            }
        }
    }
}

/// Whether names may be read by what a value is.
fn names(v: &Value) -> bool {
    matches!(v, Value::Function(_) | Value::Var(_))
}

impl Vm<'_, '_> {
    fn read_by(
        &self,
        template: &Arc<Template>,
        out: &mut Vec<u32>,
        values: &mut Vec<Value>,
        code: &mut Vec<Arc<Template>>,
        seen: &mut HashSet<usize>,
    ) {
        if !seen.insert(Arc::as_ptr(template).cast::<()>() as usize) {
            return;
        }
        for p in &template.arities {
            out.extend(p.code.iter().filter_map(|op| match op {
                Op::Global { g, .. } | Op::CallGlobal { g, .. } => Some(*g),
                _ => None,
            }));
            values.extend(p.constants.iter().filter(|v| names(v)).cloned());
            code.extend(p.functions.iter().map(|(t, _)| t.clone()));
            code.extend(p.groups.iter().flat_map(|(g, _)| g.iter().cloned()));
        }
    }

    /// Runs code that takes no arguments, wherever the machine is.
    pub fn run_template(&mut self, template: Arc<Template>, source: u64) -> Result {
        let closure = Closure { template, captures: Arc::from([]), group: None, source };
        self.call(&Value::Function(Function::new(Arc::new(closure), 0)), &mut [])
    }

    /// What has been allocated so far is analysis of the turn's own text, which is not charged.
    pub fn begin_running(&mut self) {
        self.paid_bytes = allocated_bytes();
    }

    /// `(eval form)`
    pub fn evaluate(&mut self, form: Value) -> Result {
        let form = code::form(self, form, Span::default())?;
        // Names mean what they mean in the namespace that the program has come to.
        let outer = self.memory.space_kept();
        self.memory.set_space(self.space.clone());
        let value = self.evaluate_form(form);
        self.memory.set_space(outer);
        value
    }

    fn evaluate_form(&mut self, form: Form) -> Result {
        let space = self.memory.space().to_owned();
        self.deeper(|m| {
            let world = CompileEnv::of_code(&m.turn, &space);
            let forms = [form];
            let mut compilation = Compilation::of_program(&forms, &world);
            let mut value = Value::Nil;
            while !compilation.is_done() {
                let template = on_deep_stack(|| compilation.next(m))
                    .and_then(|p| codegen::program(&p.body, p.vars, world.tools, false));
                let template = match template {
                    Ok(template) => template,
                    Err(e) => {
                        m.charge_cost(Cost(MISTAKE))?;
                        return Err(Interrupt::from(Error { span: None, ..e }));
                    }
                };
                value = m.run_template(template, NO_SOURCE)?;
            }
            Ok(value)
        })
    }

    /// The code of a template that was read at run time.
    pub(super) fn template_read(&mut self, form: &Form) -> std::result::Result<Form, Error> {
        let outer = self.memory.space_kept();
        self.memory.set_space(self.space.clone());
        let space = self.memory.space().to_owned();
        let world = CompileEnv::of_code(&self.turn, &space);
        let made = on_deep_stack(|| crate::analyze::template(form, &world, self));
        self.memory.set_space(outer);
        made
    }

    /// `(macroexpand-1 form)`: the form as it is where it is no call of a macro.
    pub fn expanded(&mut self, form: Value, all: bool) -> Result {
        let mut form = form;
        let outer = self.memory.space_kept();
        self.memory.set_space(self.space.clone());
        let expanded = self.expanded_here(&mut form, all);
        self.memory.set_space(outer);
        expanded.map(|()| form)
    }

    fn expanded_here(&mut self, form: &mut Value, all: bool) -> Result<()> {
        let space = self.memory.space().to_owned();
        loop {
            let read = code::form(self, form.clone(), Span::default())?;
            let world = CompileEnv::of_code(&self.turn, &space);
            let made = on_deep_stack(|| crate::analyze::expand(&read, &world, self));
            let made = match made {
                Ok(made) => made,
                Err(e) => {
                    self.charge_cost(Cost(MISTAKE))?;
                    return Err(Interrupt::from(Error { span: None, ..e }));
                }
            };
            let Some(value) = made else { return Ok(()) };
            *form = value;
            if !all {
                return Ok(());
            }
        }
    }
}
