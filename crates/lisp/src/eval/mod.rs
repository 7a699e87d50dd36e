//! The machine and the front door: text in, outcome out.

mod calls;
mod code;
mod cold;
mod destructure;
mod emit;
mod host;
mod machine;
mod measure;
mod rings;
mod run;
mod settle;
mod stops;
mod tools;

use crate::error::{Error, ErrorKind};
use crate::memory::Memory;
use crate::outside::{Definition, Ending, Outcome, ToolSpec, Turn, Usage};
use crate::value::Value;
use crate::value::node::live_bytes;
use machine::Machine;
pub use measure::held_bytes;
pub(crate) use rings::Rings;

/// Values put side by side in registers at a time; longer literals are built piece by piece.
pub const PIECE: usize = 256;

/// Runs one program against a session's memory. Definitions are committed when it ends with a value or `return`;
/// otherwise memory is exactly as before, atoms and lazy sequences included (SECURITY P4).
///
/// ```
/// use ptc_lisp::{limits::Limits, memory::Memory, outside::{Ending, Turn}, print, run};
/// let (limits, mut memory) = (Limits::default(), Memory::new());
/// run("(def xs [1 2 3])", &mut memory, Turn::new(&limits, &[], &mut ()));
/// let outcome = run("(map inc xs)", &mut memory, Turn::new(&limits, &[], &mut ()));
/// let Ending::Value(v) = outcome.ending else { panic!("it has a value") };
/// assert_eq!(print::readable(&v, 100), "(2 3 4)");
/// ```
pub fn run(source: &str, memory: &mut Memory, turn: Turn<'_>) -> Outcome {
    run_as(source, memory, turn, false)
}

/// As [`run`], with plain code: no value is moved at its last use, no two operations become one, and nothing that a
/// program can name is changed in place. It is what tests hold [`run`] against; it is slower and of no other use.
#[doc(hidden)]
pub fn run_plain(source: &str, memory: &mut Memory, turn: Turn<'_>) -> Outcome {
    run_as(source, memory, turn, true)
}

fn run_as(source: &str, memory: &mut Memory, turn: Turn<'_>, plain: bool) -> Outcome {
    // The running sum has grown by a quarter of a turn's memory since the truth was last counted.
    if memory.bytes > memory.counted.saturating_add(turn.limits.memory_bytes / 4) {
        memory.bytes = measure::held(memory, &turn.recent).unwrap_or(memory.bytes);
        memory.counted = memory.bytes;
    }
    let start_bytes = live_bytes();
    let _era = crate::value::era::Era::begin();
    let before = memory.checkpoint();
    let (limits, record_bytes) = (turn.limits, turn.record_bytes);
    let [first, second, third] = turn.recent.clone();
    let (mut ending, parts) = attempt(source, memory, turn, start_bytes, plain);
    if let Ending::Value(v) | Ending::Returned(v) = &ending {
        let account = memory.bytes.saturating_add_signed(live_bytes().wrapping_sub(start_bytes));
        if account.saturating_add(record_bytes) > limits.session_bytes {
            let kept = [v.clone(), first, second];
            let mut leaving: Vec<Value> = memory.replaced().chain(before.cells()).cloned().collect();
            leaving
                .extend(parts.tool_calls.iter().flat_map(|c| [Some(c.args.clone()), c.result.clone().ok()]).flatten());
            leaving.push(third);
            let held = measure::after(memory, &kept, leaving, account);
            // A turn that lets go is never refused, however much is left.
            if held.saturating_add(record_bytes) > limits.session_bytes && held >= memory.bytes {
                ending = Ending::Error(too_much(memory, limits.session_bytes, held, record_bytes));
            }
        }
    }
    let committed = matches!(ending, Ending::Value(_) | Ending::Returned(_));
    if committed {
        memory.commit();
    } else {
        memory.restore(before);
    }
    // A failed turn leaves nothing: what is still live of it now is only on its way out with the outcome.
    if committed {
        let held = live_bytes().wrapping_sub(start_bytes);
        memory.bytes = memory.bytes.saturating_add_signed(held);
    }
    Outcome {
        ending,
        printed: parts.printed,
        definitions: parts.definitions,
        notes: parts.notes,
        tool_calls: parts.tool_calls,
        usage: parts.usage,
    }
}

/// The error of a turn after which the session would hold more than it may.
#[cold]
fn too_much(memory: &Memory, limit: u64, held: u64, record: u64) -> Error {
    let names = measure::by_name(memory);
    let mut parts: Vec<String> =
        names.iter().take(3).filter(|n| n.1 > 0).map(|(name, bytes)| format!("{name} {}", size(*bytes))).collect();
    let rest = names.get(3..).unwrap_or_default();
    if !rest.is_empty() {
        parts.push(format!("{} more names {}", rest.len(), size(rest.iter().map(|n| n.1).sum())));
    }
    let named: u64 = names.iter().map(|n| n.1).sum();
    if let Some(other) = held.checked_sub(named).filter(|o| *o > limit / 20) {
        parts.push(format!("values without a name (*1 *2 *3, what sequences still to be made hold) {}", size(other)));
    }
    if record > 0 {
        parts.push(format!("the record of its turns {}", size(record)));
    }
    let message = format!(
        "session_bytes = {limit} would be passed: the session would hold {} bytes: {}",
        held.saturating_add(record),
        parts.join(", ")
    );
    let hint = match names.first() {
        Some((name, bytes)) if *bytes > record => {
            format!("define what is no longer needed as nil, as in (def {name} nil), and keep less")
        }
        _ => "the record of past turns cannot be let go: end with (return ...), and go on in a new session".to_string(),
    };
    Error::new(ErrorKind::Memory, message).hint(hint)
}

/// Bytes in words.
fn size(bytes: u64) -> String {
    if bytes < 1 << 20 { format!("{} KB", bytes.div_ceil(1 << 10)) } else { format!("{} MB", bytes >> 20) }
}

/// What a turn leaves besides its ending.
#[derive(Default)]
struct Parts {
    printed: Vec<String>,
    definitions: Vec<Definition>,
    notes: Vec<crate::outside::Note>,
    tool_calls: Vec<crate::outside::ToolCall>,
    usage: Usage,
}

fn attempt(source: &str, memory: &mut Memory, turn: Turn<'_>, start_bytes: i64, plain: bool) -> (Ending, Parts) {
    let world = crate::analyze::World { context: turn.context, tools: turn.tools, limits: turn.limits, plain };
    let compiled = crate::read::read(source, turn.limits)
        .and_then(|forms| {
            let program = crate::value::node::on_deep_stack(|| crate::analyze::analyze(&forms, &world, memory));
            program.map(|p| (p, forms.len()))
        })
        .and_then(|(p, _)| emit::program(&p.body, p.vars, turn.tools, plain));
    let template = match compiled {
        Ok(t) => t,
        Err(e) => return (Ending::Error(e), Parts::default()),
    };
    let expect = turn.expect;
    let mut machine = Machine::new(memory, turn, start_bytes);
    let result = machine.program(template);
    let ending = match result.and_then(|v| machine.settle(v)) {
        Ok(ending) => ending,
        Err(stop) => machine.ending(stop),
    };
    let ending = match (&ending, expect) {
        (Ending::Returned(v), Some(shape)) => match shape.check_as("the returned value", v) {
            Ok(()) => ending,
            Err(words) => {
                let open = shape.openness().map(|w| format!("; {w}")).unwrap_or_default();
                let hint = format!("return a value of the shape {shape}{open}");
                Ending::Error(Error::new(ErrorKind::Type, words).hint(hint))
            }
        },
        _ => ending,
    };
    let committed = matches!(ending, Ending::Value(_) | Ending::Returned(_));
    let parts = machine.finish(committed, &ending);
    (ending, parts)
}

/// The error of a call with the wrong number of arguments.
pub fn arity_error(name: &str, min: usize, max: Option<usize>, got: usize) -> Error {
    let arguments = |n: usize| if n == 1 { "1 argument".to_string() } else { format!("{n} arguments") };
    let wants = match max {
        Some(m) if m == min => arguments(m),
        Some(m) => format!("{min} to {}", arguments(m)),
        None => format!("at least {}", arguments(min)),
    };
    Error::new(ErrorKind::Arity, format!("{} takes {wants}, got {got}", crate::analyze::short(name)))
}

/// Fewest and most arguments of a function value, when that is known.
pub fn arity_of(f: &Value) -> Option<(usize, Option<usize>)> {
    match f {
        Value::Function(f) => f.downcast::<code::Closure>().map(|c| c.template.takes()),
        Value::Builtin(b) => Some((usize::from(b.min), b.max.map(usize::from))),
        _ => None,
    }
}

/// The parameters of a function of a program, as they were written.
pub fn params_of(f: &Value) -> Option<String> {
    match f {
        Value::Function(f) => f.downcast::<code::Closure>().map(|c| c.template.params.to_string()),
        _ => None,
    }
}

/// What to do when the first item of a list cannot be called.
pub const CALLED: &str = "a list calls its first item, as in (+ 1 2); write a value without brackets, a vector as [...], a list of data as '(...)";

/// The error of a tool call with too many arguments.
pub fn tool_arity(tool: &ToolSpec, got: usize) -> Error {
    match &tool.params {
        Some(p) => {
            let names: Vec<&str> = p.iter().map(|p| p.name.as_str()).collect();
            let needed = p.iter().filter(|p| !matches!(p.shape, crate::shape::Shape::Optional(_))).count();
            arity_error(&format!("tool/{}", tool.name), needed, Some(p.len()), got)
                .hint(format!("(tool/{} {})", tool.name, names.join(" ")).replace(" )", ")"))
        }
        None => arity_error(&format!("tool/{}", tool.name), 0, Some(1), got)
            .hint("a tool without declared parameters takes one map, or nothing"),
    }
}
