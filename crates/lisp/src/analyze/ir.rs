//! The intermediate representation: programs after analysis, every name resolved, every special form taken apart.

use crate::span::Span;
use crate::value::facts::Facts;
use crate::value::{Builtin, Value};
use std::sync::Arc;

/// Values put side by side in registers at a time; longer literals are built piece by piece.
pub const PIECE: usize = 256;

/// A local variable, numbered within its function.
pub type Var = u32;

/// A part of a program and where it was written.
#[derive(Debug)]
pub struct Expr {
    /// Where.
    pub span: Span,
    /// What.
    pub node: Node,
}

/// What a part of a program does.
pub enum Node {
    /// A constant, functions of the language among them.
    Const(Value),
    /// A local variable; `last` when nothing reads it afterwards, so that its value can be moved.
    Local {
        /// Which.
        var: Var,
        /// Filled in by the pass over last uses.
        last: bool,
    },
    /// Something the function captured, by index.
    Capture(u32),
    /// The function that is running.
    SelfFn,
    /// Another function of the same `letfn`, by index.
    LetfnRef(u32),
    /// A binding of the session, by index.
    Global(u32),
    /// `*1 *2 *3 *e`
    LastResult(u8),
    /// All in order; the value of the last.
    Do(Vec<Expr>),
    /// `if`
    If(Box<[Expr; 3]>),
    /// `and`
    And(Vec<Expr>),
    /// `or`
    Or(Vec<Expr>),
    /// `cond`: pairs, then what holds when none does.
    Cond(Vec<(Expr, Expr)>, Box<Expr>),
    /// Bindings in order, then the body.
    Let(Vec<(Var, Expr)>, Box<Expr>),
    /// `loop`: variables with their first values, then the body.
    Loop(Vec<(Var, Expr)>, Box<Expr>),
    /// `recur` to these variables: of the loop, or of the function when `function`.
    Recur {
        /// What is bound anew.
        vars: Vec<Var>,
        /// To what.
        args: Vec<Expr>,
        /// Whether the target is the function itself.
        function: bool,
    },
    /// A function made here.
    Fn(Box<FnExpr>),
    /// `letfn`: functions that see each other, bound to these variables, then the body.
    Letfn(Vec<Var>, Box<Group>, Box<Expr>),
    /// A call of any value.
    Call(Box<Expr>, Vec<Expr>),
    /// A call of a function of the language.
    CallBuiltin(&'static Builtin, Vec<Expr>),
    /// A call of a binding of the session.
    CallGlobal(u32, Vec<Expr>),
    /// A call of the function that is running.
    CallSelf(Vec<Expr>),
    /// A call of a granted tool.
    CallTool(Arc<str>, Vec<Expr>),
    /// `[...]`
    Vector(Vec<Expr>),
    /// `{...}`
    Map(Vec<(Expr, Expr)>),
    /// `#{...}`
    Set(Vec<Expr>),
    /// `(get m k)` and `(k m)` with a constant key.
    Lookup(Box<Expr>, Value),
    /// Item `i` of a sequential value for destructuring: nil when it is missing.
    Nth(Box<Expr>, u32),
    /// What follows item `i`, for `& rest`: nil when there is nothing.
    Rest(Box<Expr>, u32),
    /// A map for destructuring: pairs in a sequence become one.
    Keyed(Box<Expr>),
    /// Binds a name of the session.
    Def(Box<Def>),
    /// `try`
    Try(Box<Try>),
    /// `throw`
    Throw(Box<Expr>),
    /// `case`: constants with the branch they choose, and the default.
    Case(Box<Case>),
    /// `with-out-str`: a function of no arguments whose printing is collected.
    OutStr(Box<Expr>),
}

impl Node {
    /// Hands `f` every expression directly inside that is evaluated where this one is: not the bodies of functions.
    pub fn each_part<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        match self {
            Node::Const(_)
            | Node::Local { .. }
            | Node::Capture(_)
            | Node::SelfFn
            | Node::LetfnRef(_)
            | Node::Global(_)
            | Node::LastResult(_) => {}
            Node::Do(items)
            | Node::And(items)
            | Node::Or(items)
            | Node::Vector(items)
            | Node::Set(items)
            | Node::CallBuiltin(_, items)
            | Node::CallGlobal(_, items)
            | Node::CallSelf(items)
            | Node::CallTool(_, items)
            | Node::Recur { args: items, .. } => items.iter().for_each(f),
            Node::If(parts) => parts.iter().for_each(f),
            Node::Cond(pairs, default) => {
                for (test, then) in pairs {
                    f(test);
                    f(then);
                }
                f(default);
            }
            Node::Let(bindings, body) | Node::Loop(bindings, body) => {
                bindings.iter().for_each(|(_, e)| f(e));
                f(body);
            }
            Node::Fn(function) => function.captures.iter().for_each(f),
            Node::Letfn(_, group, body) => {
                group.captures.iter().for_each(&mut *f);
                f(body);
            }
            Node::Call(head, args) => {
                f(head);
                args.iter().for_each(f);
            }
            Node::Map(entries) => {
                for (k, v) in entries {
                    f(k);
                    f(v);
                }
            }
            Node::Lookup(e, _)
            | Node::Nth(e, _)
            | Node::Rest(e, _)
            | Node::Keyed(e)
            | Node::Throw(e)
            | Node::OutStr(e) => {
                f(e);
            }
            Node::Def(d) => d.value.iter().for_each(f),
            Node::Try(t) => {
                f(&t.body);
                t.catches.iter().for_each(|(_, _, e)| f(e));
                t.finally.iter().for_each(f);
            }
            Node::Case(c) => {
                f(&c.subject);
                c.branches.iter().for_each(|(_, e)| f(e));
                c.default.iter().for_each(f);
            }
        }
    }

    /// Hands `f` the variables that this node itself binds.
    pub fn each_bound(&self, f: &mut dyn FnMut(Var)) {
        match self {
            Node::Let(bindings, _) | Node::Loop(bindings, _) => bindings.iter().for_each(|(v, _)| f(*v)),
            Node::Letfn(vars, ..) => vars.iter().for_each(|v| f(*v)),
            Node::Try(t) => t.catches.iter().for_each(|(_, v, _)| f(*v)),
            _ => {}
        }
    }
}

impl std::fmt::Debug for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Node")
    }
}

/// A function as written.
pub struct FnExpr {
    /// Its name, for itself and for reports.
    pub name: Option<Arc<str>>,
    /// Its docstring.
    pub doc: Option<Arc<str>>,
    /// Its parameter lists as written.
    pub params: Arc<str>,
    /// Its bodies, by number of parameters.
    pub arities: Vec<Arity>,
    /// What it captures, as the function around it sees it.
    pub captures: Vec<Expr>,
}

/// A hint that converts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    /// `^long`
    Long,
    /// `^double`
    Double,
}

impl Hint {
    /// The function that gives a parameter or an operand its type.
    pub fn taken(self) -> &'static str {
        match self {
            Hint::Long => "long-taken*",
            Hint::Double => "double-taken*",
        }
    }

    /// The function that gives a result its type.
    pub fn given(self) -> &'static str {
        match self {
            Hint::Long => "long-given*",
            Hint::Double => "double-taken*",
        }
    }
}

/// One body of a function. Its parameters are variables `0..`, a rest parameter last.
pub struct Arity {
    /// Parameters before `&`.
    pub fixed: u32,
    /// Whether there is a rest parameter.
    pub rest: bool,
    /// The body.
    pub body: Expr,
    /// How many variables it uses.
    pub vars: u32,
}

/// The functions of one `letfn`; all capture the same list.
pub struct Group {
    /// The functions; their own `captures` are empty.
    pub functions: Vec<FnExpr>,
    /// What they capture together.
    pub captures: Vec<Expr>,
}

/// A definition.
pub struct Def {
    /// Which binding.
    pub global: u32,
    /// Its name.
    pub name: Arc<str>,
    /// Its value; `None` for `(def x)` and `declare`.
    pub value: Option<Expr>,
    /// Its docstring.
    pub doc: Option<Arc<str>>,
    /// `defonce`: only if it has no value.
    pub once: bool,
    /// What it says besides.
    pub facts: Facts,
}

/// A `try`.
pub struct Try {
    /// What is tried.
    pub body: Expr,
    /// Class names, the variable bound, and the handler.
    pub catches: Vec<(Arc<str>, Var, Expr)>,
    /// What runs in any case; its value is dropped.
    pub finally: Option<Expr>,
}

/// A `case`.
pub struct Case {
    /// What is looked at.
    pub subject: Expr,
    /// Constants and branches.
    pub branches: Vec<(Vec<Value>, Expr)>,
    /// The default.
    pub default: Option<Expr>,
}
