//! A line at the bottom of the terminal that says who is waited for, and since when. A thread draws it again ten times a
//! second; it is erased before anything else is written.

use crate::terminal::columns::cut;
use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often it is drawn.
const EVERY: Duration = Duration::from_millis(100);
/// What takes less is not shown.
const AFTER: Duration = Duration::from_millis(150);
const SPINNER: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/// Begins the line and clears what stands on it, up to its end.
const ERASE: &str = "\r\u{1b}[K";

/// Columns of the terminal now: it may be resized at any time.
pub type Columns = fn() -> usize;

/// The line, where it is shown at all.
#[derive(Default)]
pub struct Status {
    shared: Option<Arc<Shared>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    out: Box<dyn Write + Send>,
    columns: Columns,
    waits: Vec<Wait>,
    drawn: bool,
    frame: usize,
    over: bool,
}

struct Wait {
    key: String,
    what: String,
    since: Instant,
    /// What it is from a moment on.
    next: Option<(Instant, String)>,
}

/// While this is held nothing is drawn.
pub struct Held<'a> {
    _state: Option<MutexGuard<'a, State>>,
}

impl Status {
    /// A line on this stream, which is a terminal.
    pub fn on(out: Box<dyn Write + Send>, columns: Columns) -> Self {
        let state = State { out, columns, waits: Vec::new(), drawn: false, frame: 0, over: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let drawing = shared.clone();
        let thread = std::thread::Builder::new().name("ptc-status".to_owned()).spawn(move || drawing.run());
        match thread {
            Ok(thread) => Status { shared: Some(shared), thread: Some(thread) },
            // Without it all else goes on.
            Err(_) => Status::default(),
        }
    }

    /// From now on this is waited for; whatever had the same key is not any more.
    pub fn begin(&self, key: &str, what: String) {
        self.change(|s| {
            s.waits.retain(|w| w.key != key);
            s.waits.push(Wait { key: key.to_owned(), what, since: Instant::now(), next: None });
        });
    }

    /// The same, and after this time it is something else, whose clock begins then.
    pub fn begin_for(&self, key: &str, what: String, time: Duration, next: String) {
        self.begin(key, what);
        self.change(|s| {
            if let Some(wait) = s.waits.last_mut() {
                wait.next = wait.since.checked_add(time).map(|at| (at, next));
            }
        });
    }

    /// What has this key is not waited for any more.
    pub fn end(&self, key: &str) {
        self.change(|s| s.waits.retain(|w| w.key != key));
    }

    /// Nothing is waited for.
    pub fn end_all(&self) {
        self.change(|s| s.waits.clear());
    }

    /// Erases the line, which is not drawn again while the result is held.
    pub fn hold(&self) -> Held<'_> {
        let state = self.shared.as_ref().map(|shared| {
            let mut state = shared.lock();
            state.erase();
            state
        });
        Held { _state: state }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        if let Some(shared) = &self.shared {
            let mut state = shared.lock();
            change(&mut state);
            if state.waits.is_empty() {
                state.erase();
            }
            drop(state);
            shared.changed.notify_one();
        }
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        self.change(|s| {
            s.waits.clear();
            s.over = true;
        });
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut state = self.lock();
        while !state.over {
            if state.waits.is_empty() {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            state.draw(Instant::now());
            state = self.changed.wait_timeout(state, EVERY).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl State {
    fn draw(&mut self, now: Instant) {
        if self.waits.iter().all(|w| now.saturating_duration_since(w.since) < AFTER) {
            return;
        }
        for wait in &mut self.waits {
            if let Some((at, what)) = wait.next.take_if(|(at, _)| *at <= now) {
                (wait.what, wait.since) = (what, at);
            }
        }
        self.frame = self.frame.wrapping_add(1);
        let spinner = SPINNER.get(self.frame.checked_rem(SPINNER.len()).unwrap_or(0)).copied().unwrap_or('|');
        let line = line(&self.waits, now, spinner, (self.columns)());
        // Nobody who looks is no reason to stop.
        let _ = write!(self.out, "{ERASE}{line}").and_then(|()| self.out.flush());
        self.drawn = true;
    }

    fn erase(&mut self) {
        if std::mem::take(&mut self.drawn) {
            let _ = write!(self.out, "{ERASE}").and_then(|()| self.out.flush());
        }
    }
}

/// The line, which leaves the last column free: some terminals begin a new line behind it.
fn line(waits: &[Wait], now: Instant, spinner: char, columns: usize) -> String {
    // What began last inside the first is what is going on; of calls made together the first is as good as any.
    let Some(shown) = waits.iter().find(|w| w.key.starts_with(INSIDE)).or(waits.first()) else { return String::new() };
    let clock = clock(now.saturating_duration_since(shown.since));
    let more = match waits.len().saturating_sub(1) {
        0 => String::new(),
        n => format!(" · {n} more"),
    };
    let room = columns.saturating_sub(1);
    let end = format!(" · {clock}{more}");
    let left = room.saturating_sub(end.chars().count()).saturating_sub(2);
    if left < 4 {
        return cut(&format!("{spinner} {clock}"), room);
    }
    format!("{spinner} {}{end}", cut(&shown.what, left))
}

/// What keys of subtasks begin with.
pub const INSIDE: &str = "subtask ";

/// `12 s`, `2 min 5 s`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds.div_euclid(60) {
        0 => format!("{seconds} s"),
        minutes => format!("{minutes} min {} s", seconds.rem_euclid(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::columns::width;

    fn wait(key: &str, what: &str, since: Instant) -> Wait {
        Wait { key: key.into(), what: what.into(), since, next: None }
    }

    #[test]
    fn the_clock_is_always_seen_and_the_line_never_too_wide() {
        let then = Instant::now();
        let now = then + Duration::from_secs(125);
        let one = [wait("model", "model gpt-5", then)];
        assert_eq!(line(&one, now, '*', 80), "* model gpt-5 · 2 min 5 s");
        let args = "tool search {\"q\":\"日本語日本語\u{1b}[2J\"}".repeat(20);
        let many = [wait("call 1", &args, then), wait("call 2", "tool b", now), wait("call 3", "tool c", now)];
        assert!(line(&many, now, '*', 60).ends_with("… · 2 min 5 s · 2 more"));
        for columns in 0..200 {
            let line = line(&many, now, '*', columns);
            assert!(width(&line) <= columns.saturating_sub(1) && !line.contains('\u{1b}'), "{columns}: {line}");
        }
        assert_eq!(line(&many, now, '*', 14), "* 2 min 5 s");
    }

    #[test]
    fn what_goes_on_inside_is_shown_first() {
        let then = Instant::now();
        let both = [wait("call 1", "tool prices {}", then), wait("subtask x", "prices: turn 2, model", then)];
        assert_eq!(line(&both, then, '*', 80), "* prices: turn 2, model · 0 s · 1 more");
    }

    #[derive(Clone, Default)]
    struct Screen(Arc<Mutex<Vec<u8>>>);

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn it_is_drawn_while_something_is_waited_for_and_erased_before_anything_else() {
        let screen = Screen::default();
        let status = Status::on(Box::new(screen.clone()), || 80);
        let text = |s: &Screen| String::from_utf8(s.0.lock().unwrap().clone()).unwrap();
        status.begin("model", "model gpt-5".into());
        while !text(&screen).contains("model gpt-5 · 0 s") {
            std::thread::sleep(Duration::from_millis(5));
        }
        {
            let _held = status.hold();
            assert!(text(&screen).ends_with(ERASE));
        }
        status.begin_for("model", "too many requests".into(), Duration::ZERO, "model again".into());
        while !text(&screen).contains("model again · 0 s") {
            std::thread::sleep(Duration::from_millis(5));
        }
        status.end("model");
        let before = text(&screen);
        assert!(before.ends_with(ERASE));
        drop(status);
        assert_eq!(text(&screen), before);
    }
}
