//! Analysis: forms become expressions whose names are all resolved, before anything runs.

mod analyzer;
mod bodies;
mod case_form;
mod defined;
mod destructure;
mod desugar;
pub mod documentation;
mod doubles;
mod expansion;
mod fn_forms;
pub mod forms;
mod functions;
mod gone;
mod hinted;
mod hints;
pub mod ir;
pub mod liveness;
mod machine;
mod macros;
mod primitives;
mod requires;
mod resolve;
mod scope;
mod scoped_forms;
mod special;
mod static_fields;
mod type_bodies;
mod type_forms;
mod unit;
mod unsupported;
mod var_meta;
mod vars;
mod written;

use crate::error::{Error, ErrorKind};
use crate::form::{Form, Overview};
use crate::span::Span;
use crate::value::Value;
use crate::value::node::Bytes;
use analyzer::Analyzer;
use defined::Defined;
use ir::{Expr, Node};
use std::borrow::Cow;
use std::rc::Rc;

pub use crate::namespaces::is_namespace;
pub use analyzer::CompileEnv;
pub use gone::GONE;
pub use machine::{Machine, MacroCall};
pub use resolve::suggestions;
pub use unsupported::unsupported_hint;

/// What analysis gives: the program as the body of a function of no arguments.
pub struct Program {
    /// The body.
    pub body: Expr,
    /// How many variables it uses.
    pub vars: u32,
    /// Deepest nesting of expressions.
    pub depth: u32,
    /// What it takes until it is code.
    _held: Bytes,
}

/// Nesting up to which dropping a program is safe on any stack.
const SHALLOW: u32 = 200;

impl Drop for Program {
    fn drop(&mut self) {
        if self.depth > SHALLOW {
            let body = std::mem::replace(&mut self.body.node, Node::Const(Value::Nil));
            crate::value::node::on_large_stack(|| drop(body));
        }
    }
}

/// A form still to be analysed.
struct Pending<'f> {
    form: Cow<'f, Form>,
    /// Which expansion it comes from.
    from: Option<Rc<str>>,
}

/// A program on its way through analysis: in one go, unless a macro needs what the program itself has yet to compute.
/// Then what is before its call runs first, as in Clojure.
pub struct Compilation<'f, 'w> {
    /// What forms at the top stand for and is still to be analysed, the next one last; then come the forms.
    pending: Vec<Pending<'f>>,
    forms: &'f [Form],
    /// Which of them is next.
    next: usize,
    world: &'w CompileEnv<'w>,
    /// `None` while a part is being analysed.
    defined: Option<Defined>,
    gensym: desugar::Gensym,
    span: Span,
    /// Whether the forms behind the first part have been looked at.
    checked: bool,
    /// Forms and expressions made so far.
    made: u32,
    templates: usize,
    /// Whether analysis is paid for: a program that was made by a program.
    metered: bool,
    /// Whether the forms are the text of a program, and not what `eval` was given.
    written: bool,
}

impl<'f, 'w> Compilation<'f, 'w> {
    /// Of the text of a program.
    pub(crate) fn new(forms: &'f [Form], seen: Overview, world: &'w CompileEnv<'w>) -> Self {
        Compilation::of(forms, Some(seen), world, false)
    }

    /// Of forms that a program made: analysis is paid for.
    pub fn of_program(forms: &'f [Form], world: &'w CompileEnv<'w>) -> Self {
        Compilation::of(forms, None, world, true)
    }

    fn of(forms: &'f [Form], seen: Option<Overview>, world: &'w CompileEnv<'w>, metered: bool) -> Self {
        Compilation {
            pending: Vec::new(),
            forms,
            next: 0,
            world,
            defined: Some(Defined::scan(forms, seen, world.space, world.namespace.is_some())),
            gensym: desugar::Gensym::default(),
            span: forms.first().zip(forms.last()).map_or(Span::default(), |(f, l)| f.span.to(l.span)),
            checked: false,
            made: 0,
            templates: 0,
            metered,
            written: !metered,
        }
    }

    /// Whether all of it has been analysed.
    pub fn is_done(&self) -> bool {
        self.pending.is_empty() && self.next >= self.forms.len()
    }

    /// The next form to be analysed.
    fn pop(&mut self) -> Option<Pending<'f>> {
        if let Some(made) = self.pending.pop() {
            return Some(made);
        }
        let form = self.forms.get(self.next)?;
        self.next += 1;
        Some(Pending { form: Cow::Borrowed(form), from: None })
    }

    /// Resolves all names of what can run next. New names get their places in memory, without a value.
    ///
    /// # Errors
    /// Of kind `parse`, `name`, `arity`, `denied` or `limit/depth`, with the place; and what macros throw.
    pub fn next(&mut self, machine: &mut dyn Machine) -> Result<Program, Error> {
        let before = machine.memory_mut().changes();
        let mut a = Analyzer::new(self.world, machine, self.defined.take().unwrap_or_default());
        (a.gensym, a.made, a.templates) = (std::mem::take(&mut self.gensym), self.made, self.templates);
        a.metered = self.metered;
        a.unit.body = Vec::with_capacity(self.forms.len().saturating_sub(self.next));
        let result = self.analyse(&mut a);
        (self.made, self.templates, self.metered) = (a.made, a.templates, a.metered);
        let waits = match result {
            Ok(waits) => waits,
            Err(e) => {
                machine.memory_mut().take_back(before);
                return Err(e);
            }
        };
        let (vars, depth) = (a.scopes.function().vars, a.deepest);
        let mut body = Expr { span: self.span, node: Node::Do(std::mem::take(&mut a.unit.body)) };
        // Without variables there is nothing to mark.
        if vars > 0 {
            a.mark(&mut body);
        }
        let Analyzer { gensym, defined, held, .. } = a;
        (self.gensym, self.defined) = (gensym, Some(defined));
        // What was made for macros is made again in its turn.
        machine.memory_mut().take_back(before);
        if waits && !self.checked {
            self.checked = true;
            self.check_rest(machine)?;
        }
        Ok(Program { body, vars, depth, _held: held })
    }

    /// Analyses forms until one has to wait, which is said, or none is left.
    fn analyse(&mut self, a: &mut Analyzer<'_>) -> Result<bool, Error> {
        while let Some(next) = self.pop() {
            a.defining.clear();
            a.written = self.written && next.from.is_none();
            let parts = match a.parts(&next.form) {
                Ok(None) => a.top_level(&next.form).map(|expr| {
                    let defines = std::mem::take(&mut a.defining);
                    a.defines(expr, defines);
                    None
                }),
                parts => parts,
            };
            match parts {
                Ok(None) => {}
                Ok(Some(parts)) => {
                    if parts.from.is_some() {
                        let space = a.memory().space().to_owned();
                        a.defined.add(&parts.forms, &space);
                    }
                    let from = parts.from.or(next.from);
                    let made = parts.forms.into_iter().rev();
                    self.pending.extend(made.map(|f| Pending { form: Cow::Owned(f), from: from.clone() }));
                }
                Err(_) if a.waits && !a.unit.body.is_empty() => {
                    self.pending.push(next);
                    return Ok(true);
                }
                Err(e) => {
                    let e = self.assigned(e);
                    return Err(match next.from {
                        Some(words) => expansion::in_expansion(e, &words),
                        None => e,
                    });
                }
            }
        }
        Ok(false)
    }

    /// Looks for unknown names in what runs later, as far as that can be known before its macros can be expanded.
    fn check_rest(&mut self, machine: &mut dyn Machine) -> Result<(), Error> {
        let names = machine.memory().names_so_far();
        let mut a = Analyzer::new(self.world, machine, self.defined.clone().unwrap_or_default());
        (a.dry, a.written) = (true, true);
        let mut result = Ok(());
        let rest = self.forms.get(self.next..).unwrap_or_default();
        for form in self.pending.iter().rev().map(|p| &*p.form).chain(rest) {
            if let Err(e) = a.top_level(form)
                && !a.opaque
            {
                result = Err(e);
                break;
            }
        }
        machine.memory_mut().forget_names(names);
        result
    }

    fn assigned(&self, e: Error) -> Error {
        assigned(e, self.forms, self.next.saturating_sub(1))
    }
}

/// Expands a form once, if it calls a macro of the program or a form that is written as other forms: as data.
///
/// # Errors
/// What the macro throws, and limits.
pub fn expand(form: &Form, world: &CompileEnv<'_>, machine: &mut dyn Machine) -> Result<Option<Value>, Error> {
    let mut a = Analyzer::new(world, machine, Defined::default());
    a.metered = true;
    let made = match a.expand_once(form)? {
        None => a.rewritten(form)?,
        made => made,
    };
    match made {
        Some(made) => a.datum_of(&made).map(Some),
        None => Ok(None),
    }
}

/// The code of a template.
///
/// # Errors
/// For `~@` outside a collection, and when the code would be too large.
pub fn template(form: &Form, world: &CompileEnv<'_>, machine: &mut dyn Machine) -> Result<Form, Error> {
    let mut a = Analyzer::new(world, machine, Defined::default());
    a.metered = true;
    a.template(form)
}

/// `x = 5` at top level: how a value gets a name here.
fn assigned(e: Error, forms: &[Form], at: usize) -> Error {
    let is = forms.get(at + 1).and_then(Form::as_plain) == Some("=");
    match forms.get(at).and_then(Form::as_plain) {
        Some(name) if is && e.kind == ErrorKind::Name => {
            let hint = format!("write (def {name} value), or (let [{name} value] ...)");
            e.hint(hint)
        }
        _ => e,
    }
}
