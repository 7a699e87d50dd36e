//! Analysis: forms become expressions whose names are all resolved, before anything runs.

mod analyzer;
mod defined;
mod destructure;
mod desugar;
mod fn_forms;
pub mod forms;
mod functions;
pub mod ir;
pub mod liveness;
mod namespaces;
mod resolve;
mod scope;
mod special;
mod type_bodies;
mod type_forms;
mod unsupported;

use crate::error::{Error, ErrorKind};
use crate::form::Form;
use crate::memory::Memory;
use crate::span::Span;
use crate::value::Value;
use analyzer::Analyzer;
use defined::Defined;
use ir::{Expr, Node};
use scope::Scopes;

pub use analyzer::CompileEnv;
pub use namespaces::is_namespace;
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

/// Resolves all names of a program. New names get their places in `memory`, without a value.
///
/// # Errors
/// Of kind `parse`, `name`, `arity`, `denied` or `limit/depth`, with the place.
pub fn analyze(forms: &[Form], world: &CompileEnv<'_>, memory: &mut Memory) -> Result<Program, Error> {
    let mut a = Analyzer {
        scopes: Scopes::default(),
        gensym: desugar::Gensym::default(),
        defined: Defined::scan(forms),
        world,
        memory,
        tries: 0,
        depth: 0,
        deepest: 0,
        made: 0,
    };
    a.scopes.enter();
    let span = forms.first().zip(forms.last()).map_or(Span::default(), |(f, l)| f.span.to(l.span));
    let mut body = Vec::with_capacity(forms.len());
    for f in forms {
        body.push(a.top_level(f).map_err(|e| assigned(e, forms, body.len()))?);
    }
    let vars = a.scopes.function().vars;
    let mut body = Expr { span, node: Node::Do(body) };
    a.mark(&mut body);
    Ok(Program { body, vars, depth: a.deepest })
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
