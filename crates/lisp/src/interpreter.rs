//! Running a program: text in, outcome out.

use crate::analyze::{Compilation, CompileEnv};
use crate::codegen;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Overview};
use crate::host::Interrupt;
use crate::interface::{Outcome, RunInput, RunResult};
use crate::memory::Memory;
use crate::memory::usage;
use crate::read::{ReadNames, done_with, read_in};
use crate::value::Value;
use crate::value::node::{live_bytes, on_deep_stack, on_roomy_stack};
use crate::value::shapes::ShapeScope;
use crate::value::turn_id::TurnScope;
use crate::vm::state::{RunEffects, Vm};

/// Runs one program against a session's memory. Definitions are committed when it ends with a value or `return`;
/// otherwise memory is exactly as before, atoms and lazy sequences included (SECURITY P4).
///
/// ```
/// use ptc_lisp::{limits::Limits, memory::Memory, interface::{RunResult, RunInput}, print, run};
/// let (limits, mut memory) = (Limits::default(), Memory::new());
/// run("(def xs [1 2 3])", &mut memory, RunInput::new(&limits, &[], &mut ()));
/// let outcome = run("(map inc xs)", &mut memory, RunInput::new(&limits, &[], &mut ()));
/// let RunResult::Value(v) = outcome.ending else { panic!("it has a value") };
/// assert_eq!(print::readable(&v, 100), "(2 3 4)");
/// ```
pub fn run(source: &str, memory: &mut Memory, turn: RunInput<'_>) -> Outcome {
    run_as(source, memory, turn, Mode::default())
}

/// As [`run`], for the text of a library: what it defines is bound in this namespace.
pub(crate) fn run_library(source: &str, namespace: &str, memory: &mut Memory, turn: RunInput<'_>) -> Outcome {
    run_as(source, memory, turn, Mode { namespace: Some(namespace), plain: false })
}

/// As [`run`], with plain code: no value is moved at its last use, no two operations become one, and nothing that a
/// program can name is changed in place. It is what tests hold [`run`] against; it is slower and of no other use.
#[doc(hidden)]
pub fn run_plain(source: &str, memory: &mut Memory, turn: RunInput<'_>) -> Outcome {
    run_as(source, memory, turn, Mode { namespace: None, plain: true })
}

/// How a text is compiled.
#[derive(Clone, Copy, Default)]
struct Mode<'a> {
    /// Where its definitions go, of a library.
    namespace: Option<&'a str>,
    /// As [`run_plain`].
    plain: bool,
}

fn run_as(source: &str, memory: &mut Memory, turn: RunInput<'_>, mode: Mode<'_>) -> Outcome {
    on_roomy_stack(|| run_here(source, memory, turn, mode))
}

fn run_here(source: &str, memory: &mut Memory, turn: RunInput<'_>, mode: Mode<'_>) -> Outcome {
    // The running sum has grown by a quarter of a turn's memory since the truth was last counted.
    if memory.bytes > memory.counted.saturating_add(turn.limits.memory_bytes / 4) {
        memory.bytes = usage::held(memory, &turn.recent).unwrap_or(memory.bytes);
        memory.counted = memory.bytes;
    }
    let start_bytes = live_bytes();
    let _era = TurnScope::begin();
    let before = memory.checkpoint();
    let (limits, record_bytes) = (turn.limits, turn.record_bytes);
    let [first, second, third] = turn.recent.clone();
    let (mut ending, parts) = {
        let _shapes = ShapeScope::begin();
        attempt(source, memory, turn, start_bytes, mode)
    };
    if let RunResult::Value(v) | RunResult::Returned(v) = &ending {
        let account = memory.bytes.saturating_add_signed(live_bytes().wrapping_sub(start_bytes));
        if account.saturating_add(record_bytes) > limits.session_bytes {
            let kept = [v.clone(), first, second];
            let mut leaving: Vec<Value> = memory.replaced().chain(before.cells()).cloned().collect();
            leaving
                .extend(parts.tool_calls.iter().flat_map(|c| [Some(c.args.clone()), c.result.clone().ok()]).flatten());
            leaving.push(third);
            let held = usage::after(memory, &kept, leaving, account);
            // A turn that frees memory is never refused, however much is left.
            if held.saturating_add(record_bytes) > limits.session_bytes && held >= memory.bytes {
                ending = RunResult::Error(too_much(memory, limits.session_bytes, held, record_bytes));
            }
        }
    }
    let committed = matches!(ending, RunResult::Value(_) | RunResult::Returned(_));
    if committed {
        memory.commit();
    } else {
        memory.restore(before);
    }
    // A failed turn leaves nothing in memory: what is still allocated now is in the outcome, which the caller drops.
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
        missed_keys: parts.missed_keys,
        usage: parts.usage,
    }
}

/// The error of a turn after which the session would hold more than it may.
#[cold]
fn too_much(memory: &Memory, limit: u64, held: u64, record: u64) -> Error {
    let names = usage::by_name(memory);
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

/// Bytes of a program that takes some time to read.
const LONG: usize = 4_096;

fn attempt(
    source: &str,
    memory: &mut Memory,
    turn: RunInput<'_>,
    start_bytes: i64,
    Mode { namespace, plain }: Mode<'_>,
) -> (RunResult, RunEffects) {
    if source.len() > LONG {
        turn.clock.begin_cpu();
    }
    let space = compact_str::CompactString::from(memory.space());
    let world = CompileEnv {
        context: turn.context,
        tools: turn.tools,
        limits: turn.limits,
        namespace,
        space: &space,
        source: Some(source),
        last_place: std::cell::Cell::new((0, 1, 1)),
        plain,
    };
    let names = ReadNames {
        space: &space,
        fixed: namespace.is_some(),
        alias: &|space, alias| memory.alias_named(space, alias),
    };
    let before_reading = live_bytes();
    let (forms, seen) = match read_in(source, turn.limits, &names) {
        Ok(read) => read,
        Err(e) => return (RunResult::Error(e), RunEffects::default()),
    };
    // What was read is bounded by the length of the text.
    let start_bytes = start_bytes.saturating_add(live_bytes().wrapping_sub(before_reading));
    let ended = attempt_forms(&forms, seen, &world, memory, turn, start_bytes);
    done_with(forms);
    ended
}

fn attempt_forms(
    forms: &[Form],
    seen: Overview,
    world: &CompileEnv<'_>,
    memory: &mut Memory,
    turn: RunInput<'_>,
    start_bytes: i64,
) -> (RunResult, RunEffects) {
    let (expect, tools, plain) = (turn.expect, turn.tools, world.plain);
    let mut compilation = Compilation::new(forms, seen, world);
    let mut machine = Vm::new(memory, turn, start_bytes);
    let result = loop {
        let compiled = on_deep_stack(|| compilation.next(&mut machine))
            .and_then(|p| codegen::program(&p.body, p.vars, tools, plain));
        match compiled {
            Ok(template) => {
                if !machine.ran_ahead {
                    machine.begin_running();
                }
                let result = machine.program(template);
                if result.is_err() || compilation.is_done() {
                    break result;
                }
            }
            Err(e) if machine.ran_ahead => break Err(Interrupt::from(e)),
            Err(e) => return (RunResult::Error(e), RunEffects::default()),
        }
        machine.ran_ahead = true;
    };
    let ending = match result.and_then(|v| machine.realize_result(v)) {
        Ok(ending) => ending,
        Err(stop) => machine.ending(stop),
    };
    let ending = match (&ending, expect) {
        (RunResult::Returned(v), Some(shape)) => match shape.check_as("the returned value", v) {
            Ok(()) => ending,
            Err(words) => {
                let open = shape.openness().map(|w| format!("; {w}")).unwrap_or_default();
                let hint = format!("return a value of the shape {shape}{open}");
                RunResult::Error(Error::new(ErrorKind::Type, words).hint(hint))
            }
        },
        _ => ending,
    };
    let committed = matches!(ending, RunResult::Value(_) | RunResult::Returned(_));
    let parts = machine.finish(committed, &ending);
    (ending, parts)
}
