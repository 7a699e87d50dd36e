//! Tools as Rust closures: described for programs and models, their panics caught.

use ptc_lisp::outside::{Param, ToolSpec, Tools};
use ptc_lisp::shape::Shape;
use ptc_lisp::value::Value;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

type Body = Box<dyn FnMut(Value) -> Result<Value, String>>;

/// A tool: what programs see of it, and the closure that answers.
pub struct Tool {
    /// As programs and models see it.
    pub spec: ToolSpec,
    body: Body,
}

impl Tool {
    /// A tool called as `(tool/NAME ...)`. The closure gets a map from parameter names, as plain keywords, to values
    /// that are JSON, and answers with one; an `Err` is a tool error, which programs can catch.
    pub fn new(name: impl Into<String>, body: impl FnMut(Value) -> Result<Value, String> + 'static) -> Self {
        let spec = ToolSpec { name: name.into(), description: String::new(), params: None, returns: None };
        Tool { spec, body: Box::new(body) }
    }

    /// A tool of this description.
    pub fn from_spec(spec: ToolSpec, body: impl FnMut(Value) -> Result<Value, String> + 'static) -> Self {
        Tool { spec, body: Box::new(body) }
    }

    /// What it does, for the model.
    #[must_use]
    pub fn describe(mut self, words: impl Into<String>) -> Self {
        self.spec.description = words.into();
        self
    }

    /// Its next parameter. A tool without any takes one map, or nothing.
    #[must_use]
    pub fn param(mut self, name: impl Into<String>, shape: Shape) -> Self {
        self.spec.params.get_or_insert_default().push(Param::new(name, shape));
        self
    }

    /// It takes nothing at all.
    #[must_use]
    pub fn no_params(mut self) -> Self {
        self.spec.params = Some(Vec::new());
        self
    }

    /// What it answers, for the model.
    #[must_use]
    pub fn returns(mut self, shape: Shape) -> Self {
        self.spec.returns = Some(shape);
        self
    }
}

/// The tools of a session.
///
/// ```
/// use ptc_agent::{Tool, Toolbox, arg};
/// use ptc_lisp::{outside::Tools, shape::Shape, value::Value};
///
/// let mut tools = Toolbox::new().with(
///     Tool::new("greet", |args| Ok(Value::str(format!("Hello {}", arg(&args, "name").as_str().unwrap_or("you")))))
///         .describe("Greets someone")
///         .param("name", Shape::String)
///         .returns(Shape::String),
/// );
/// let args = Value::map([(Value::plain_keyword("name"), Value::str("Ann"))]);
/// assert_eq!(tools.call(1, "greet", &args).unwrap().as_str(), Some("Hello Ann"));
/// ```
#[derive(Default)]
pub struct Toolbox {
    tools: Vec<Tool>,
}

impl Toolbox {
    /// No tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// These, and one more; it takes the place of one with its name.
    #[must_use]
    pub fn with(mut self, tool: Tool) -> Self {
        self.add(tool);
        self
    }

    /// Adds a tool, in the place of one with its name.
    pub fn add(&mut self, tool: Tool) {
        match self.tools.iter_mut().find(|t| t.spec.name == tool.spec.name) {
            Some(slot) => *slot = tool,
            None => self.tools.push(tool),
        }
    }

    /// What programs see of them, in order: for a session's `Config`.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.tools.iter().map(|t| t.spec.clone()).collect()
    }
}

impl Tools for Toolbox {
    fn call(&mut self, _: u64, name: &str, args: &Value) -> Result<Value, String> {
        let Some(tool) = self.tools.iter_mut().find(|t| t.spec.name == name) else {
            return Err(format!("nobody here answers for the tool {name}"));
        };
        quietly(AssertUnwindSafe(|| (tool.body)(args.clone())))
            .unwrap_or_else(|words| Err(format!("the tool panicked: {words}")))
    }
}

/// An argument by its parameter's name; nil when it was not given.
pub fn arg<'a>(args: &'a Value, name: &str) -> &'a Value {
    match args {
        Value::Map(m) => m.get(&Value::plain_keyword(name)).unwrap_or(&Value::Nil),
        _ => &Value::Nil,
    }
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f`; a panic comes back as its words, and nothing is written anywhere.
///
/// # Errors
/// The words of the panic.
pub fn quietly<T>(f: impl FnOnce() -> T + std::panic::UnwindSafe) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.try_with(Cell::get).unwrap_or(false) {
                before(info);
            }
        }));
    });
    let outer = QUIET.replace(true);
    let result = catch_unwind(f);
    QUIET.set(outer);
    result.map_err(|panic| {
        let words = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
        words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no words".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_answer_fail_panic_and_are_replaced() {
        let mut tools = Toolbox::new()
            .with(Tool::new("a", |_| Ok(Value::Int(1))))
            .with(Tool::new("b", |_| Err("no".into())).no_params())
            .with(Tool::new("c", |_| panic!("oh {}", 5)))
            .with(Tool::new("a", Ok).describe("new").param("x", Shape::Any));
        assert_eq!(tools.specs().iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(tools.specs()[0].description, "new");
        let mut call = |name: &str| tools.call(1, name, &Value::Int(7)).map(|v| ptc_lisp::print::brief(&v));
        assert_eq!(call("a"), Ok("7".into()));
        assert_eq!(call("b"), Err("no".into()));
        assert_eq!(call("c"), Err("the tool panicked: oh 5".into()));
        assert_eq!(call("a"), Ok("7".into()));
        assert_eq!(call("d"), Err("nobody here answers for the tool d".into()));
    }
}
