//! Code: what programs become before they run. Registers and constants are numbers, names are gone.

mod spare;
mod update;

use crate::fuel::Cost;
use crate::interface::ToolSpec;
use crate::span::Span;
use crate::value::facts::Facts;
use crate::value::function::Body;
use crate::value::node::{Bytes, UPKEEP};
use crate::value::text::OVERHEAD;
use crate::value::{Builtin, Item, Value, map};
use std::any::Any;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

pub use spare::{body, keep};
pub use update::{Arithmetic, COMPUTED, InPlace, Update};

/// A register of the running function.
pub type Reg = u16;

/// In the index of an `Nth`: the pattern has `&`, so the item is one of the value's sequence, which maps and sets have too.
pub const OF_SEQ: u32 = 1 << 31;

/// Registers of a function that is short enough to run without a frame.
pub const SLOTS: usize = 8;

/// One operation. `d` is where the result goes, `a b` are operands, `to` is where to go on.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// A copy.
    Move { d: Reg, s: Reg },
    /// A move: the source is nil afterwards.
    Take { d: Reg, s: Reg },
    /// A constant.
    Const { d: Reg, k: u32 },
    /// A small integer.
    Int { d: Reg, v: i32 },
    /// `nil`
    Nil { d: Reg },
    /// A captured value.
    Capture { d: Reg, i: u32 },
    /// The function itself.
    SelfFn { d: Reg },
    /// Another function of the same `letfn`.
    LetfnRef { d: Reg, t: u32 },
    /// A binding of the session.
    Global { d: Reg, g: u32 },
    /// `*1 *2 *3 *e`
    LastResult { d: Reg, i: u8 },
    /// `a + b`
    Add { d: Reg, a: Reg, b: Reg },
    /// `a - b`
    Sub { d: Reg, a: Reg, b: Reg },
    /// `a * b`
    Mul { d: Reg, a: Reg, b: Reg },
    /// `a + k`
    AddK { d: Reg, a: Reg, k: i32 },
    /// `inc` and `dec`: the same, under their own names when it fails.
    Step { d: Reg, a: Reg, k: i32 },
    /// What a hint of a type of numbers converts by.
    Cast { kind: Cast, d: Reg, a: Reg },
    /// `a * k`
    MulK { d: Reg, a: Reg, k: i32 },
    /// `(quot a b)`, `(rem a b)`, `(mod a b)`
    Div { kind: Div, d: Reg, a: Reg, b: Reg },
    /// The same by a constant above 0.
    DivK { kind: Div, d: Reg, a: Reg, k: NonZeroU32 },
    /// A comparison as a value.
    Compare { kind: Cmp, d: Reg, a: Reg, b: Reg },
    /// Jumps to `to` unless the comparison holds.
    JumpUnless { kind: Cmp, a: Reg, b: Reg, to: u32 },
    /// The same with a constant.
    JumpUnlessK { kind: Cmp, a: Reg, k: i32, to: u32 },
    /// Jumps to `to` if `a` is nil or false.
    JumpFalse { a: Reg, to: u32 },
    /// Jumps to `to` if `a` is neither nil nor false.
    JumpTrue { a: Reg, to: u32 },
    /// Jumps to `to` unless `a` is nil.
    JumpSome { a: Reg, to: u32 },
    /// Jumps to `to` if `a` is nil.
    JumpNil { a: Reg, to: u32 },
    /// `(not a)`, `(nil? a)`
    Test { kind: Test, d: Reg, a: Reg },
    /// Jumps to `to`.
    Jump { to: u32 },
    /// Goes back to `to`, charging the round.
    Loop { to: u32, cost: u16 },
    /// Calls `f` with the `n` arguments from `a` on.
    Call { d: Reg, a: Reg, n: u8, f: Reg },
    /// Calls a binding of the session.
    CallGlobal { d: Reg, a: Reg, n: u8, g: u32 },
    /// Calls the function itself.
    CallSelf { d: Reg, a: Reg, n: u8 },
    /// Calls a function of the language.
    CallBuiltin { d: Reg, a: Reg, n: u8, b: u32 },
    /// Calls the function in `a` with the items of the vector in `a + 1`: calls of more than 255 arguments.
    CallMany { d: Reg, a: Reg },
    /// Changes the value at a key, `a + 1`, of the collection in `a` by a function that is known: `u` says which, and whether
    /// its argument is in `a + 2`.
    Update { d: Reg, a: Reg, u: u32 },
    /// Calls a tool.
    CallTool { d: Reg, a: Reg, n: u8, t: u32 },
    /// Gives `a` to the caller.
    Ret { a: Reg },
    /// Makes a function.
    Closure { d: Reg, t: u32 },
    /// Makes the functions of a `letfn`, into the registers from `d` on.
    Letfn { d: Reg, t: u32 },
    /// A vector of the `n` values from `a` on.
    Vector { d: Reg, a: Reg, n: u16 },
    /// Adds the `n` values from `a` on to the vector in `d`.
    Append { d: Reg, a: Reg, n: u16 },
    /// A map with constant keys and the values from `a` on.
    Record { d: Reg, a: Reg, shape: u32 },
    /// A map of the `n` pairs from `a` on.
    Map { d: Reg, a: Reg, n: u16 },
    /// Adds the `n` pairs from `a` on to the map in `d`.
    Assoc { d: Reg, a: Reg, n: u16 },
    /// A set of the `n` values from `a` on, added to the set in `d`.
    Include { d: Reg, a: Reg, n: u16 },
    /// The value at a constant key; `mark` is that of the constant.
    Lookup { d: Reg, a: Reg, mark: u8, k: u32 },
    /// Item `i` for destructuring.
    Nth { d: Reg, a: Reg, i: u32 },
    /// What follows item `i`, for `& rest`.
    Rest { d: Reg, a: Reg, i: u32 },
    /// A map for destructuring.
    Keyed { d: Reg, a: Reg },
    /// Binds a name to `a`.
    Def { d: Reg, a: Reg, k: u32 },
    /// Jumps to `to` if `a` is no exception of the class in constant `k`.
    JumpUnlessClass { a: Reg, k: u32, to: u32 },
    /// Throws `a`.
    Throw { a: Reg },
    /// Continues with the interrupt that a handler caught.
    Rethrow { a: Reg },
    /// Jumps to where the table says for `a`.
    Case { a: Reg, table: u32 },
    /// No clause of a `case` matches `a`.
    NoClause { a: Reg },
    /// Calls `a` and gives what it printed.
    OutStr { d: Reg, a: Reg },
}

/// Places that short functions have for registers, and long ones: an operation then knows without asking that its
/// registers are among them.
pub const FEW: usize = 32;
/// See [`FEW`].
pub const MANY: usize = 256;

const _: () = assert!(size_of::<Op>() <= 12);

/// Which division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Div {
    /// `quot`
    Quot,
    /// `rem`
    Rem,
    /// `mod`
    Mod,
}

/// Which comparison. Its number has a bit for each order of two numbers that it holds of: less, equal, greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Cmp {
    /// `<`
    Lt = 0b001,
    /// `<=`
    Le = 0b011,
    /// `>`
    Gt = 0b100,
    /// `>=`
    Ge = 0b110,
    /// `=`
    Eq = 0b010,
    /// `not=`
    Ne = 0b101,
}

/// What a hint of a type of numbers makes of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cast {
    /// `^long` of a parameter or an operand.
    TakenLong,
    /// `^long` of what a function gives.
    GivenLong,
    /// `^double`
    Double,
}

impl Cast {
    /// That of a function of the language.
    pub fn of(name: &str) -> Option<Cast> {
        match name {
            "long-taken*" => Some(Cast::TakenLong),
            "long-given*" => Some(Cast::GivenLong),
            "double-taken*" => Some(Cast::Double),
            _ => None,
        }
    }

    /// The name of its function.
    pub fn name(self) -> &'static str {
        match self {
            Cast::TakenLong => "long-taken*",
            Cast::GivenLong => "long-given*",
            Cast::Double => "double-taken*",
        }
    }

    /// What it makes of a number that is one already but for its width.
    #[inline]
    pub fn plain(self, v: &Value) -> Option<Value> {
        match (self, v) {
            (Cast::TakenLong | Cast::GivenLong, Value::Int(n)) => Some(Value::int(n.get())),
            (Cast::Double, Value::Float(x)) => Some(Value::float(x.get())),
            (Cast::Double, Value::Int(n)) => Some(Value::float(n.get() as f64)),
            _ => None,
        }
    }
}

/// Which test of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// `not`
    Not,
    /// `nil?`
    Nil,
    /// `some?`
    Some,
}

/// Where execution continues after an interrupt in operations `from..to`.
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    /// First operation covered.
    pub from: u32,
    /// One past the last.
    pub to: u32,
    /// Where to go on, with the exception in `reg`.
    pub at: u32,
    /// Where the exception goes.
    pub reg: Reg,
    /// Whether `return` and `fail` go there too: `finally` does, `catch` does not.
    pub all: bool,
}

/// How a closure gets what it captures.
#[derive(Clone, Copy, Debug)]
pub enum Grab {
    /// A copy of a register.
    Copy(Reg),
    /// What a register holds, moved.
    Take(Reg),
    /// A captured value of the function around.
    Capture(u32),
    /// The function around.
    SelfFn,
    /// A sibling of the function around.
    LetfnRef(u32),
}

/// The functions of one `letfn`.
pub type Group = Arc<[Arc<Template>]>;
/// Where a `case` jumps for each constant, and otherwise.
pub type CaseTable = (BTreeMap<map::Key<Value>, u32>, u32);

/// The code of one body.
#[derive(Default)]
pub struct Proto {
    /// Operations.
    pub code: Vec<Op>,
    /// Where each was written.
    pub spans: Vec<Span>,
    /// Constants.
    pub constants: Vec<Value>,
    /// Functions of the language that are called.
    pub builtins: Vec<&'static Builtin>,
    /// Changes of values in maps.
    pub updates: Vec<Update>,
    /// Functions made here, with what they capture.
    pub functions: Vec<(Arc<Template>, Vec<Grab>)>,
    /// Groups of functions made here by `letfn`.
    pub groups: Vec<(Group, Vec<Grab>)>,
    /// Keys of maps made here.
    pub shapes: Vec<Arc<map::Keys<Value>>>,
    /// Definitions made here.
    pub defs: Vec<DefInfo>,
    /// Tools called here.
    pub tools: Vec<Arc<ToolSpec>>,
    /// Tables of `case`: where to go on for each constant, and otherwise.
    pub cases: Vec<CaseTable>,
    /// Handlers, inner ones first.
    pub handlers: Vec<Handler>,
    /// Registers.
    pub regs: usize,
    /// Parameters before `&`.
    pub fixed: usize,
    /// Whether there is a rest parameter.
    pub rest: bool,
    /// What a call costs.
    pub cost: Cost,
    /// Whether it needs no frame: it calls no function of a program, makes none, defines and catches nothing, and goes
    /// forwards only, in few registers.
    pub leaf: bool,
    /// Whether such a function calls nothing and makes nothing either: it only looks and computes.
    pub pure: bool,
    /// Whether a pure one has no branches, so that all of it is carried out whenever it is called.
    pub straight: bool,
}

/// A definition as the VM makes it.
pub struct DefInfo {
    /// Which binding.
    pub global: u32,
    /// Its name.
    pub name: Arc<str>,
    /// Its docstring.
    pub doc: Option<Arc<str>>,
    /// Whether a value is given.
    pub has_value: bool,
    /// `defonce`
    pub once: bool,
    /// Whether its own value, the var, is read.
    pub read: bool,
    /// What it says besides.
    pub facts: Facts,
}

/// A function as written, without what it captures.
pub struct Template {
    /// Its name.
    pub name: Option<Arc<str>>,
    /// Its docstring.
    pub doc: Option<Arc<str>>,
    /// Its parameters as written.
    pub params: Arc<str>,
    /// Its bodies.
    pub arities: Vec<Proto>,
    /// Its code on the meter: what programs define, a session keeps.
    bytes: Bytes,
}

impl Div {
    /// What it gives; `y` is above 0.
    #[inline(always)]
    pub fn of(self, x: i64, y: i64) -> i64 {
        match self {
            Div::Quot => x / y,
            Div::Rem => x % y,
            Div::Mod => x.rem_euclid(y),
        }
    }
}

impl Test {
    /// Whether it holds of a value that is true or not, nil or not.
    #[inline(always)]
    pub fn holds(self, truthy: bool, nil: bool) -> bool {
        match self {
            Test::Not => !truthy,
            Test::Nil => nil,
            Test::Some => !nil,
        }
    }
}

impl Op {
    /// Whether a jump that asks one value is made with this one.
    pub fn jumps_at(&self, v: &Value) -> bool {
        match self {
            Op::JumpFalse { .. } => !v.truthy(),
            Op::JumpTrue { .. } => v.truthy(),
            Op::JumpSome { .. } => !v.is_nil(),
            Op::JumpNil { .. } => v.is_nil(),
            _ => false,
        }
    }
}

impl Proto {
    /// Whether it can be [`Proto::leaf`].
    pub fn is_leaf(&self) -> bool {
        use Op::{
            Add, AddK, CallBuiltin, Capture, Case, Cast, Compare, Const, Div, DivK, Global, Int, Jump, JumpFalse,
            JumpNil, JumpSome, JumpTrue, JumpUnless, JumpUnlessK, Keyed, Lookup, Move, Mul, MulK, Nil, Nth, Record,
            Rest, Ret, SelfFn, Step, Sub, Take, Test, Update, Vector,
        };
        let plain = |(at, op): (usize, &Op)| match op {
            Move { .. } | Take { .. } | Const { .. } | Int { .. } | Nil { .. } | Capture { .. } | SelfFn { .. } => true,
            Global { .. }
            | Add { .. }
            | Sub { .. }
            | Mul { .. }
            | AddK { .. }
            | Step { .. }
            | MulK { .. }
            | Cast { .. } => true,
            Div { .. }
            | DivK { .. }
            | Compare { .. }
            | Test { .. }
            | CallBuiltin { .. }
            | Update { .. }
            | Ret { .. } => true,
            Vector { .. } | Record { .. } | Lookup { .. } | Nth { .. } | Rest { .. } | Keyed { .. } | Case { .. } => {
                true
            }
            JumpUnless { to, .. }
            | JumpUnlessK { to, .. }
            | JumpFalse { to, .. }
            | JumpTrue { to, .. }
            | JumpSome { to, .. }
            | JumpNil { to, .. }
            | Jump { to } => *to as usize > at,
            _ => false,
        };
        self.regs <= SLOTS && !self.rest && self.handlers.is_empty() && self.code.iter().enumerate().all(plain)
    }

    /// How many places its registers and what is behind them take at least.
    #[inline]
    pub fn window(&self) -> usize {
        let need = self.regs + 1;
        if need <= FEW { FEW } else { need.max(MANY) }
    }

    /// Whether it can be [`Proto::pure`]; it is [`Proto::leaf`].
    pub fn is_pure(&self) -> bool {
        let more = |op: &Op| {
            matches!(
                op,
                Op::SelfFn { .. }
                    | Op::CallBuiltin { .. }
                    | Op::Update { .. }
                    | Op::Vector { .. }
                    | Op::Record { .. }
                    | Op::Rest { .. }
                    | Op::Case { .. }
            )
        };
        !self.code.iter().any(more)
    }

    /// Whether there are no jumps.
    pub fn is_straight(&self) -> bool {
        let jumps = |op: &Op| {
            matches!(
                op,
                Op::Jump { .. }
                    | Op::JumpUnless { .. }
                    | Op::JumpUnlessK { .. }
                    | Op::JumpFalse { .. }
                    | Op::JumpTrue { .. }
                    | Op::JumpSome { .. }
                    | Op::JumpNil { .. }
            )
        };
        !self.code.iter().any(jumps)
    }

    /// One without operations, with room for those of a short function.
    pub fn with_room() -> Self {
        Proto { code: Vec::with_capacity(SHORT), spans: Vec::with_capacity(SHORT), ..Proto::default() }
    }

    /// Takes everything out; the room that its tables have stays.
    fn empty(&mut self) {
        let Proto {
            code,
            spans,
            constants,
            builtins,
            updates,
            functions,
            groups,
            shapes,
            defs,
            tools,
            cases,
            handlers,
            regs,
            fixed,
            rest,
            cost,
            leaf,
            pure,
            straight,
        } = self;
        code.clear();
        spans.clear();
        constants.clear();
        builtins.clear();
        updates.clear();
        functions.clear();
        groups.clear();
        shapes.clear();
        defs.clear();
        tools.clear();
        cases.clear();
        handlers.clear();
        (*regs, *fixed, *rest) = (0, 0, false);
        (*cost, *leaf, *pure, *straight) = (Cost::default(), false, false, false);
    }

    /// How many entries its rare tables have room for.
    fn rare_room(&self) -> usize {
        self.updates.capacity()
            + self.groups.capacity()
            + self.shapes.capacity()
            + self.tools.capacity()
            + self.cases.capacity()
            + self.handlers.capacity()
    }

    /// Bytes of its parts, without those of the values and functions in it. Of a program: as if its tables had been made
    /// for it, so that it is the same whatever ran before.
    fn bytes(&self, of_program: bool) -> usize {
        fn held<T>(entries: usize) -> usize {
            if entries == 0 { 0 } else { entries * size_of::<T>() + UPKEEP }
        }
        let room = |len: usize, capacity: usize, least: usize| match (of_program, len) {
            (false, _) => capacity,
            (true, 0) => 0,
            (true, len) => len.next_power_of_two().max(least),
        };
        macro_rules! of {
            ($v:expr, $least:expr) => {{
                fn table<T>(_: &Vec<T>, entries: usize) -> usize {
                    held::<T>(entries)
                }
                table(&$v, room($v.len(), $v.capacity(), $least))
            }};
        }
        let mut bytes = of!(self.code, SHORT)
            + of!(self.spans, SHORT)
            + of!(self.constants, FIRST)
            + of!(self.builtins, FIRST)
            + of!(self.functions, FIRST)
            + of!(self.defs, FIRST);
        let grabs = |g: &Vec<Grab>| held::<Grab>(g.capacity());
        bytes += self.functions.iter().map(|(_, g)| grabs(g)).sum::<usize>();
        let rare = self.updates.len()
            + self.groups.len()
            + self.shapes.len()
            + self.tools.len()
            + self.cases.len()
            + self.handlers.len();
        if rare > 0 {
            let groups =
                self.groups.iter().map(|(g, grab)| g.len() * size_of::<Arc<Template>>() + OVERHEAD + grabs(grab));
            let cases =
                self.cases.iter().map(|(table, _)| CASE + table.len() * 2 * size_of::<(map::Key<Value>, u32)>());
            let tools = self.tools.iter().map(|t| t.bytes() + OVERHEAD);
            bytes += of!(self.updates, FIRST)
                + of!(self.groups, FIRST)
                + groups.sum::<usize>()
                + of!(self.shapes, FIRST)
                + of!(self.tools, FIRST)
                + tools.sum::<usize>()
                + of!(self.cases, FIRST)
                + cases.sum::<usize>()
                + of!(self.handlers, FIRST);
        }
        bytes
    }
}

/// The operations that a function has room for at first.
const SHORT: usize = 16;
/// The entries that other tables have room for with their first.
pub const FIRST: usize = 4;

/// Bytes of a table of `case` besides its entries.
const CASE: usize = 200;

impl Template {
    /// A function of these bodies.
    pub fn new(name: Option<Arc<str>>, doc: Option<Arc<str>>, params: Arc<str>, arities: Vec<Proto>) -> Self {
        Template::of(name, doc, params, arities, false)
    }

    /// A program.
    pub fn program(params: Arc<str>, arities: Vec<Proto>) -> Self {
        Template::of(None, None, params, arities, true)
    }

    #[inline]
    fn of(
        name: Option<Arc<str>>,
        doc: Option<Arc<str>>,
        params: Arc<str>,
        arities: Vec<Proto>,
        of_program: bool,
    ) -> Self {
        let text = |t: &Option<Arc<str>>| t.as_ref().map_or(0, |t| t.len() + OVERHEAD);
        let own = size_of::<Self>() + OVERHEAD + text(&name) + text(&doc) + params.len() + OVERHEAD;
        let bodies = arities.capacity() * size_of::<Proto>() + UPKEEP;
        let bytes = own + bodies + arities.iter().map(|p| p.bytes(of_program)).sum::<usize>();
        Template { name, doc, params, arities, bytes: Bytes::held(bytes) }
    }

    /// Its bytes on the meter, without those of the values and functions in it.
    pub fn bytes(&self) -> usize {
        self.bytes.get()
    }

    /// The body for `n` arguments.
    #[inline]
    pub fn arity(&self, n: usize) -> Option<usize> {
        match self.arities.as_slice() {
            [one] if one.fixed == n && !one.rest => Some(0),
            all => all
                .iter()
                .position(|p| p.fixed == n && !p.rest)
                .or_else(|| all.iter().position(|p| p.rest && n >= p.fixed)),
        }
    }

    /// Fewest and most arguments.
    pub fn takes(&self) -> (usize, Option<usize>) {
        let min = self.arities.iter().map(|p| p.fixed).min().unwrap_or(0);
        let open = self.arities.iter().any(|p| p.rest);
        (min, if open { None } else { self.arities.iter().map(|p| p.fixed).max() })
    }
}

/// A function made by a program: code and what it captured.
pub struct Closure {
    /// The code.
    pub template: Arc<Template>,
    /// What it captured.
    pub captures: Arc<[Value]>,
    /// The functions of its `letfn`, itself among them: they share the captures, so no cycle of pointers is needed.
    pub group: Option<Group>,
    /// The program of the session that it was written in.
    pub source: u64,
}

impl Cmp {
    /// Whether it asks which number is larger, not whether values are equal.
    #[inline]
    pub fn is_order(self) -> bool {
        !matches!(self, Cmp::Eq | Cmp::Ne)
    }
}

impl Body<Value> for Closure {
    fn name(&self) -> Option<&str> {
        self.template.name.as_deref()
    }
    fn doc(&self) -> Option<&str> {
        self.template.doc.as_deref()
    }
    fn params(&self) -> String {
        self.template.params.to_string()
    }
    fn takes(&self) -> Option<(usize, Option<usize>)> {
        Some(self.template.takes())
    }
    fn depth(&self) -> u32 {
        self.captures.iter().map(Item::depth).max().unwrap_or(0)
    }
    fn held(&self) -> &[Value] {
        &self.captures
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
