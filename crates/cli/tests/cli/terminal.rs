//! The live run on a terminal of its own: a pseudo-terminal, whose screen is read as a person would see it.

use crate::common::Folder;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

pub struct Terminal {
    master: OwnedFd,
    come: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    child: Child,
}

const ROWS: u16 = 60;

impl Terminal {
    /// `ptc ARGS` on a terminal of so many columns.
    fn run(columns: u16, args: &[&str]) -> Self {
        Terminal::of(columns, args, "", |command| command.env("PTC_SESSIONS", "off"))
    }

    /// The same with this standard input, and what else the command needs.
    pub fn of(columns: u16, args: &[&str], input: &str, more: impl Fn(&mut Command) -> &mut Command) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        tcsetwinsize(&master, size(columns)).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let path = std::ffi::OsStr::from_bytes(name.as_bytes());
        let side = || File::options().read(true).write(true).open(path).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
        command.args(args).stdin(Stdio::piped()).stdout(side()).stderr(side());
        for name in ["CI", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm-256color").env("PTC_CONFIG", "");
        more(&mut command);
        let mut child = command.spawn().unwrap();
        // What does not read it has ended already.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        drop(command);
        let mut reader = File::from(master.as_fd().try_clone_to_owned().unwrap());
        let (send, come) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The end of a terminal is an error on Linux.
            while let Ok(n @ 1..) = reader.read(&mut buffer) {
                if send.send(buffer[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal { master, come, screen: parser(columns), child }
    }

    fn resize(&mut self, columns: u16) {
        tcsetwinsize(&self.master, size(columns)).unwrap();
        let size = parser(columns).screen().size();
        self.screen.screen_mut().set_size(size.0, size.1);
    }

    /// The screen, once it satisfies this; it fails when the program has ended before.
    fn wait(&mut self, want: impl Fn(&str) -> bool) -> String {
        loop {
            let now = self.screen.screen().contents();
            if want(&now) {
                return now;
            }
            match self.come.recv() {
                Ok(bytes) => self.screen.process(&bytes),
                Err(_) => panic!("it has ended:\n{now}"),
            }
        }
    }

    /// All bytes that came, when the program has ended.
    pub fn bytes(mut self) -> Vec<u8> {
        self.child.wait().unwrap();
        drop(self.master);
        let mut all = Vec::new();
        while let Ok(bytes) = self.come.recv_timeout(std::time::Duration::from_millis(300)) {
            all.extend(bytes);
        }
        all
    }

    /// The last screen, when the program has ended.
    fn end(mut self) -> (bool, String) {
        let ok = self.child.wait().unwrap().success();
        drop(self.master);
        while let Ok(bytes) = self.come.recv_timeout(std::time::Duration::from_millis(300)) {
            self.screen.process(&bytes);
        }
        (ok, self.screen.screen().contents())
    }
}

/// A screen; one of no columns is none.
fn parser(columns: u16) -> vt100::Parser {
    let size = |n: u16| std::num::NonZero::new(n.max(1)).unwrap();
    vt100::Parser::new(size(ROWS), size(columns), 0)
}

fn size(columns: u16) -> Winsize {
    Winsize { ws_row: ROWS, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}

/// A task whose tool waits for a file.
fn task(folder: &Folder) -> String {
    folder.file(
        "t/task.toml",
        "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n[tools.search]\ncommand = [\"sh\", \"wait.sh\"]\n\
         params = [{ name = \"q\", type = \"string\" }]\n[context]\nrows = { value = [{ name = \"Ann\", n = 5, place = \"Oslo\" }, { name = \"日本\", n = 1200, place = \"東京\" }] }\n",
    );
    folder.file("t/wait.sh", "while ! [ -e go ]; do sleep 0.01; done\necho '{\"found\": 3}'\n");
    folder.file(
        "t/replies.md",
        "## Turn 1\nI search.\n```clojure\n(println (count (pmap (fn [q] (tool/search {:q q})) [\"late pens\" \"ink\"])))\n```\n\
         ## Turn 2\n```clojure\n(println (str (char 27) \"[2J\" (char 27) \"[1;1H\"))\n(/ 1 0)\n```\n\
         ## Turn 3\n```clojure\n(return ctx/rows)\n```\n",
    );
    folder.path("t")
}

/// How long calls took is not the same every time.
fn timeless(screen: &str) -> String {
    let mut lines: Vec<&str> = screen.lines().map(|l| l.rsplit_once(" · ").map_or(l, |(head, _)| head)).collect();
    // Calls made together end in any order.
    let calls: Vec<usize> = (0..lines.len()).filter(|i| lines[*i].starts_with("  tool ")).collect();
    if let (Some(first), Some(last)) = (calls.first(), calls.last()) {
        lines[*first..=*last].sort_unstable();
    }
    lines.join("\n")
}

#[test]
fn who_is_waited_for_is_told_and_taken_away() {
    for (columns, waits) in
        [(80, "tool search {\"q\":\"late pens\"} · 0 s · 1 more"), (40, "… · 0 s · 1 more"), (20, " 0 s")]
    {
        let folder = Folder::new(&format!("terminal-{columns}"));
        let mut terminal = Terminal::run(columns, &["run", &task(&folder)]);
        let screen = terminal.wait(|s| s.contains(waits));
        assert!(
            screen.lines().last().unwrap().starts_with(['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']),
            "{screen}"
        );
        folder.file("t/go", "");
        let (ok, screen) = terminal.end();
        assert!(ok && screen.contains("returned after 3 turns"), "{screen}");
        assert!(
            !screen.contains("more") && !screen.contains(['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']),
            "{screen}"
        );
    }
}

#[test]
fn the_screen_at_three_widths() {
    let screen = |columns: u16| {
        let folder = Folder::new(&format!("screen-{columns}"));
        let path = task(&folder);
        folder.file("t/go", "");
        let (ok, screen) = Terminal::run(columns, &["run", &path]).end();
        assert!(ok, "{screen}");
        timeless(&screen)
    };
    let table =
        "returned after 3 turns\n:name    :n  :place\n─────  ────  ──────\nAnn       5  Oslo\n日本   1200  東京";
    let narrow = format!("1 ok search (2 times)\n2 error arithmetic: Divide by zero\n3 returned\n{table}");
    assert_eq!(screen(40), narrow);
    let full = format!(
        "Turn 1 of 8\n  I search.\n  (println (count (pmap (fn [q] (tool/search {{:q q}})) [\"late pens\" \"ink\"])))\n\
         \x20 tool search {{\"q\":\"ink\"}}\n  tool search {{\"q\":\"late pens\"}}\n  2\n  ok\n  next prompt: N\nTurn 2 of 8\n\
         \x20 (println (str (char 27) \"[2J\" (char 27) \"[1;1H\"))\n  (/ 1 0)\n  \\u{{1b}}[2J\\u{{1b}}[1;1H\n\
         \x20 error arithmetic (line 2): Divide by zero\n  next prompt: N\nTurn 3 of 8\n  (return ctx/rows)\n  returned\n{table}"
    );
    for columns in [80, 200] {
        let shown = screen(columns);
        let shown: Vec<String> = shown
            .lines()
            .map(|l| if l.starts_with("  next prompt: ") { "  next prompt: N".to_owned() } else { l.to_owned() })
            .collect();
        assert_eq!(shown.join("\n"), full, "at {columns}");
    }
}

#[test]
fn a_terminal_may_be_resized_while_it_runs() {
    let folder = Folder::new("terminal-resized");
    let mut terminal = Terminal::run(100, &["run", &task(&folder)]);
    terminal.wait(|s| s.contains("late pens\"} · 0 s"));
    for columns in [30, 1, 300] {
        terminal.resize(columns);
    }
    terminal.resize(70);
    terminal.wait(|s| s.lines().last().is_some_and(|l| l.contains("late pens\"} · ") && l.ends_with(" · 1 more")));
    folder.file("t/go", "");
    let (ok, screen) = terminal.end();
    assert!(ok && screen.contains("returned after 3 turns") && screen.contains("Oslo"), "{screen}");
}

#[test]
fn a_width_of_nothing_is_no_width() {
    for columns in [0, 1] {
        let folder = Folder::new(&format!("terminal-{columns}"));
        let path = task(&folder);
        folder.file("t/go", "");
        let mut terminal = Terminal::run(columns, &["run", &path]);
        terminal.screen = parser(120);
        let (ok, screen) = terminal.end();
        assert!(ok && screen.contains("Ann") && screen.contains("1200"), "{columns}: {screen}");
    }
}
