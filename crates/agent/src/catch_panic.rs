//! Panics of what others wrote, caught and returned as text.

use std::cell::Cell;
use std::panic::catch_unwind;
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f`; a panic comes back as its words, and nothing is written anywhere.
///
/// # Errors
/// The words of the panic.
pub fn catch_panic<T>(f: impl FnOnce() -> T + std::panic::UnwindSafe) -> Result<T, String> {
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
