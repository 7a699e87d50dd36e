//! Limits of memory that follow from the inputs, where nobody sets them.

use ptc_lisp::limits::Limits;
use ptc_turns::Input;

/// Bytes that programs may make for each byte of their inputs: as much as a few changed copies of them.
const PER_INPUT_BYTE: u64 = 4;
/// Most that follows from inputs, where the memory of this machine is not known: 2 GiB.
const MAX_UNKNOWN: u64 = 2 << 30;
const MIB: u64 = 1 << 20;

/// These limits for programs over these inputs: `memory_bytes` and `session_bytes`, unless `is_set` has them, are at least
/// four times what the inputs take as values, as far as half of the memory of this machine.
pub fn limits_over(limits: &Limits, is_set: impl Fn(&str) -> bool, inputs: &[Input]) -> Limits {
    let taken = ptc_lisp::value_bytes(inputs.iter().map(|i| &i.value));
    let wanted = taken.saturating_mul(PER_INPUT_BYTE);
    let mut out = limits.clone();
    if wanted <= out.memory_bytes {
        return out;
    }
    let wanted = wanted.min(host_memory().map_or(MAX_UNKNOWN, |bytes| bytes / 2)).div_ceil(MIB).saturating_mul(MIB);
    if !is_set("memory_bytes") {
        out.memory_bytes = out.memory_bytes.max(wanted);
    }
    if !is_set("session_bytes") {
        out.session_bytes = out.session_bytes.max(wanted);
    }
    out
}

/// The memory that this process may use: that of the machine, or of its container.
#[cfg(target_os = "linux")]
fn host_memory() -> Option<u64> {
    let info = rustix::system::sysinfo();
    let machine = (info.totalram as u64).saturating_mul(u64::from(info.mem_unit));
    let container = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .iter()
        .find_map(|file| std::fs::read_to_string(file).ok()?.trim().parse::<u64>().ok());
    Some(container.map_or(machine, |c| c.min(machine)))
}

#[cfg(not(target_os = "linux"))]
fn host_memory() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::inputs::from_data;

    #[test]
    fn large_inputs_raise_what_is_not_set() {
        let usual = Limits::default();
        let of = |n: usize, set: &[&str]| {
            let rows = serde_json::Value::from(vec!["some text of thirty letters, or more than that"; n]);
            let input = from_data("x", &rows, &Limits { memory_bytes: u64::MAX, ..usual.clone() }).unwrap();
            let limits = limits_over(&usual, |key| set.contains(&key), &[input]);
            (limits.memory_bytes / MIB, limits.session_bytes / MIB)
        };
        let (base, session) = (usual.memory_bytes / MIB, usual.session_bytes / MIB);
        assert_eq!(of(1000, &[]), (base, session));
        let (memory, kept) = of(2_000_000, &[]);
        assert!(memory > 2 * base && kept == memory.max(session), "{memory} {kept}");
        assert_eq!(of(2_000_000, &["memory_bytes", "session_bytes"]), (base, session));
        // As far as this machine has it.
        assert!(memory <= host_memory().unwrap_or(MAX_UNKNOWN) / MIB);
    }
}
