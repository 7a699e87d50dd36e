//! `ptc repl` on a terminal: editing, completion, several lines, Ctrl-C, questions, the history.

use crate::common::Folder;
use rexpect::session::{PtySession, spawn_command};
use std::process::Command;

/// What Tab, Ctrl-C, Ctrl-D and Ctrl-P send.
const TAB: &str = "\t";

struct Terminal {
    session: PtySession,
}

impl Terminal {
    /// `ptc repl ARGS` with its data in this folder.
    fn new(f: &Folder, args: &[&str], color: bool) -> Self {
        Terminal::of(f, Terminal::command(args), color)
    }

    fn command(args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
        command.arg("repl").args(args);
        command
    }

    /// The same below a shell, which says its process, and when it has ended its exit code and how the terminal is set;
    /// with that process.
    fn below_shell(f: &Folder, args: &[&str]) -> (Self, String) {
        let mut command = Command::new("sh");
        let line = "sh -c 'echo \"process $$.\"; exec \"$@\"' sh \"$@\"; echo \"code $?.\"; stty -a; read -r end";
        command.args(["-c", line, "sh", env!("CARGO_BIN_EXE_ptc"), "repl"]).args(args);
        let mut terminal = Terminal { session: Terminal::spawn(f, command, false) };
        terminal.sees("process ");
        let id = terminal.sees(".");
        terminal.sees(":help tells more");
        terminal.prompt("=> ");
        (terminal, id)
    }

    fn of(f: &Folder, command: Command, color: bool) -> Self {
        let mut terminal = Terminal { session: Terminal::spawn(f, command, color) };
        terminal.sees(":help tells more");
        terminal.prompt("=> ");
        terminal
    }

    fn spawn(f: &Folder, mut command: Command, color: bool) -> PtySession {
        command.env("PTC_HOME", f.path("home")).env("PTC_CONFIG", "").env("TERM", "xterm");
        match color {
            true => command.env_remove("NO_COLOR"),
            false => command.env("NO_COLOR", "1"),
        };
        spawn_command(command, Some(60_000)).unwrap()
    }

    fn types(&mut self, text: &str) {
        self.session.send(text).unwrap();
        self.session.flush().unwrap();
    }

    fn enters(&mut self, text: &str) {
        self.types(text);
        self.types("\r");
    }

    /// Waits for a text; what stood before it.
    fn sees(&mut self, text: &str) -> String {
        self.session.exp_string(text).unwrap_or_else(|e| panic!("{text:?} did not come: {e}"))
    }

    /// Waits until an input can be typed: the editor asks for pastes in brackets then.
    fn prompt(&mut self, text: &str) {
        self.sees("\u{1b}[?2004h");
        self.sees(text);
    }

    /// Ends it; at the prompt, since Ctrl-D before it is no key.
    fn ends(mut self) {
        self.types("\u{4}");
        self.session.exp_eof().unwrap();
    }
}

#[test]
fn inputs_of_several_lines_values_and_errors() {
    let f = Folder::new("tty-lines");
    let mut t = Terminal::new(&f, &[], false);
    t.enters("(+ 40");
    t.sees("#_=> ");
    t.enters("2)");
    t.sees("\n42\r\n");
    t.prompt("user=> ");
    // Prompts are no part of a text, and Backspace takes the end of a line back.
    t.enters("(count \"a");
    t.sees("#_=> ");
    t.enters("b");
    t.sees("#_=> ");
    t.types("\u{7f}\u{7f}c\"");
    t.enters(")");
    t.sees("\n4\r\n");
    t.prompt("user=> ");
    t.enters("(println \"told\") (foo)");
    t.sees("Error: name: unknown name foo");
    t.prompt("user=> ");
    t.enters("(mapv #(hash-map :id % :name (str \"n\" %)) (range 3))");
    t.sees(":id  :name\r\n");
    t.sees("\r\n  0  n0\r\n  1  n1\r\n  2  n2\r\n");
    t.prompt("user=> ");
    // Nothing that a program prints or answers, and nothing that is pasted, is obeyed.
    t.enters("(println (str (char 27) \"[2J\")) (str (char 155) \"x\")");
    t.sees("\\u{1b}[2J\r\n\"\\u{9b}x\"\r\n");
    t.prompt("user=> ");
    t.types("\u{1b}[200~(count \"\u{202e}\u{9b}2J\")\u{1b}[201~\r");
    // U+FFFD, whose bytes are taken for Latin-1 here.
    t.sees("(count \"\u{ef}\u{bf}\u{bd}\u{ef}\u{bf}\u{bd}2J\")");
    t.prompt("user=> ");
    // A long value is cut, and says how to see all of it.
    t.enters("(range 2000)");
    t.sees("more lines; :all shows the whole value");
    t.prompt("user=> ");
    t.enters(":all");
    t.sees("1999)");
    t.prompt("user=> ");
    // Ctrl-C at the prompt drops what was typed.
    t.types("(never finished");
    t.types("\u{3}");
    t.prompt("user=> ");
    t.enters("(inc 6)");
    t.sees("\n7\r\n");
    t.prompt("=> ");
    t.ends();
}

#[test]
fn what_is_pasted_is_one_input_and_comes_back_as_one() {
    let f = Folder::new("tty-paste");
    let mut t = Terminal::new(&f, &[], false);
    t.types("\u{1b}[200~(def a 1)\n(str a \"b\r\n x\")\u{1b}[201~\r");
    t.sees("\"1b\\n x\"");
    t.prompt("user=> ");
    t.types("\u{1b}[A");
    t.sees("(def a 1)");
    t.types("\r");
    t.sees("\"1b\\n x\"");
    t.prompt("=> ");
    t.ends();
}

#[test]
fn words_of_other_repls_leave_too() {
    let f = Folder::new("tty-leave");
    for way in ["exit", "quit", "(exit)", "(quit)", ":q", ":quit"] {
        let mut t = Terminal::new(&f, &[], false);
        t.enters(way);
        t.session.exp_eof().unwrap_or_else(|e| panic!("{way}: {e}"));
    }
    let mut t = Terminal::new(&f, &[], false);
    t.enters("(defn exit [] (+ 40 2))");
    t.prompt("user=> ");
    t.enters("(exit)");
    t.sees("\n42\r\n");
    t.prompt("=> ");
    t.ends();
}

#[test]
fn ctrl_c_ends_the_turn_that_runs_and_no_more() {
    let f = Folder::new("tty-interrupt");
    let mut t = Terminal::new(
        &f,
        &["--set", "limits.fuel=1000000000000", "--set", "limits.cpu_ms=0", "--set", "limits.wall_ms=0"],
        false,
    );
    t.enters("(def kept 5)");
    t.prompt("user=> ");
    t.enters("(do (def kept 6) (println \"be\" \"gun\") (loop [] (recur)))");
    // Printed text comes while the turn runs.
    t.sees("be gun\r\n");
    t.types("\u{3}");
    t.sees("interrupted: nothing of this input is kept");
    t.prompt("user=> ");
    t.enters("(str \"it is \" kept)");
    t.sees("\"it is 5\"");
    t.prompt("=> ");
    t.ends();
}

#[test]
fn names_tools_inputs_and_keys_are_completed() {
    let f = Folder::new("tty-complete");
    let data = f.file("orders.json", "[{\"customer\": \"Ann\", \"cents\": 5}]");
    let task = f.task();
    let mut t = Terminal::new(&f, &[&task, "--ctx", &data], false);
    t.enters("(def remembered 7)");
    t.prompt("shop=> ");
    t.types("remem");
    t.types(TAB);
    t.sees("remembered");
    t.types("\r");
    t.sees("\n7\r\n");
    t.prompt("shop=> ");
    t.types("(map :cus");
    t.types(TAB);
    t.types(" ctx/ord");
    t.types(TAB);
    t.enters(")");
    t.sees("(\"Ann\")");
    t.prompt("shop=> ");
    t.types("(tool/st");
    t.types(TAB);
    t.enters(" \"pen\")");
    t.sees("\n3\r\n");
    t.prompt("shop=> ");
    // Several are listed.
    t.types("(split-");
    t.types(TAB);
    t.types(TAB);
    t.sees("split-at");
    t.sees("split-with");
    t.types("\u{3}");
    t.prompt("shop=> ");
    // Parameters are shown while a call is typed.
    t.types("(reduce ");
    t.sees("[f coll]");
    t.types("\u{3}");
    t.prompt("shop=> ");
    t.ends();
}

#[test]
fn calls_that_have_to_be_approved_are_asked_for() {
    let f = Folder::new("tty-approval");
    let line = |id: u64| format!("{{\"args\":{{\"note\":\"n{id}\"}},\"result\":{id}}}\n");
    f.file("t/answers.jsonl", &(1..5).map(line).collect::<String>());
    let task = f.file(
        "t/task.toml",
        "[task]\nname=\"t\"\nprompt=\"p\"\n[limits]\nwall_ms=100000\n[tools.refund]\ndescription=\"d\"\nparams=[{name=\"note\",type=\"string\"}]\nreplay=\"answers.jsonl\"\napproval=\"always\"\n",
    );
    let mut t = Terminal::new(&f, &[&task], false);
    t.enters("(tool/refund \"n1\")");
    t.prompt("call tool/refund {\"note\":\"n1\"}? (y/n) ");
    // Neither a yes nor a no is asked again.
    t.enters("maybe");
    t.prompt("? (y/n) ");
    t.enters("y");
    t.sees("\n1\r\n");
    t.prompt("t=> ");
    t.enters("(tool/refund \"n2\")");
    t.prompt("? (y/n) ");
    t.enters("n");
    t.sees("the call was not approved, and was not made");
    t.prompt("t=> ");
    // Nothing in it is obeyed by the terminal.
    t.enters("(tool/refund \"\\u202e\")");
    t.prompt("{\"note\":\"\\u{202e}\"}? (y/n) ");
    // Ctrl-C ends the whole turn.
    t.types("\u{3}");
    t.sees("interrupted: nothing of this input is kept");
    t.prompt("t=> ");
    t.ends();
}

#[test]
fn the_history_is_kept_in_the_users_folder() {
    let f = Folder::new("tty-history");
    let mut t = Terminal::new(&f, &[], false);
    t.enters("(+ 1000");
    t.enters("234)");
    t.sees("\n1234\r\n");
    t.prompt("user=> ");
    t.ends();
    let file = f.0.join("home/repl_history");
    assert!(std::fs::read_to_string(&file).unwrap().contains("1000"));
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o077, 0, "others cannot read it");
    // Up brings it back, both lines.
    let mut t = Terminal::new(&f, &[], false);
    t.types("\u{1b}[A");
    t.sees("1000");
    t.types("\r");
    t.sees("\n1234\r\n");
    t.prompt("=> ");
    t.ends();
}

/// A damaged history is put aside: it is no reason to keep none, nor to begin with a warning each time.
#[test]
fn a_damaged_history_is_put_aside_once() {
    let f = Folder::new("tty-damaged");
    std::fs::create_dir_all(f.path("home")).unwrap();
    std::fs::write(f.path("home/repl_history"), b"#V2\n\xff\xfe\n").unwrap();
    for (number, warned) in [("41", true), ("42", false)] {
        let mut t = Terminal { session: Terminal::spawn(&f, Terminal::command(&[]), false) };
        if warned {
            t.sees("repl_history: ");
            t.sees("repl_history.damaged now, and a new one begins");
        }
        let before = t.sees(":help tells more");
        assert!(!before.contains("warning"), "{before}");
        t.prompt("=> ");
        t.enters(number);
        t.sees(&format!("\n{number}\r\n"));
        t.prompt("=> ");
        t.ends();
    }
    let kept = std::fs::read_to_string(f.path("home/repl_history")).unwrap();
    assert!(kept.contains("41") && kept.contains("42"), "{kept}");
    assert_eq!(std::fs::read(f.path("home/repl_history.damaged")).unwrap(), b"#V2\n\xff\xfe\n");
}

#[test]
fn colours_are_there_unless_they_are_off() {
    let f = Folder::new("tty-colour");
    let mut t = Terminal::new(&f, &[], true);
    t.enters("{:k \"v\"}");
    t.sees("\u{1b}[36m:k\u{1b}[0m \u{1b}[32m\"v\"\u{1b}[0m");
    t.prompt("=> ");
    t.ends();
    let mut t = Terminal::new(&f, &[], false);
    t.enters("{:k \"v\"}");
    let before = t.sees("{:k \"v\"}\r\n");
    assert!(!before.contains("\u{1b}[3"), "{before:?}");
    t.prompt("=> ");
    t.ends();
}

fn send(signal: &str, process: &str) {
    assert!(Command::new("kill").args([signal, process]).status().unwrap().success());
}

impl Terminal {
    /// Waits for the exit code, and for what the shell finds: a terminal that reads lines, in which Ctrl-C is a signal.
    fn has_ended(&mut self, code: i32) {
        self.sees(&format!("code {code}."));
        self.sees("isig icanon ");
    }
}

#[test]
fn a_signal_at_the_prompt_leaves_the_terminal_as_it_was() {
    let f = Folder::new("tty-sigterm");
    // Before the first input too.
    let (mut t, process) = Terminal::below_shell(&f, &[]);
    send("-TERM", &process);
    t.has_ended(143);
    let (mut t, process) = Terminal::below_shell(&f, &["--save", &f.path("t.jsonl")]);
    t.enters("(def kept 12345)");
    t.sees("#'user/kept");
    t.prompt("=> ");
    t.types("(not finished");
    t.sees("inished");
    send("-HUP", &process);
    // What was pasted into it is not pasted so into the shell.
    t.sees("\u{1b}[?2004l");
    t.has_ended(129);
    assert!(std::fs::read_to_string(f.0.join("home/repl_history")).unwrap().contains("(def kept 12345)"));
    assert!(std::fs::read_to_string(f.path("t.jsonl")).unwrap().contains("(def kept 12345)"));
    // Ctrl-C by a program is the key: it drops what was typed.
    let (mut t, process) = Terminal::below_shell(&f, &[]);
    t.types("(never finished");
    t.sees("inished");
    send("-INT", &process);
    t.prompt("=> ");
    t.enters("(inc 6)");
    t.sees("\n7\r\n");
    t.prompt("=> ");
    t.types("\u{4}");
    t.has_ended(0);
}

#[test]
fn a_signal_ends_a_question_and_a_turn_and_what_reads_on() {
    let f = Folder::new("tty-sigterm-turn");
    f.file("t/answers.jsonl", "{\"args\":{},\"result\":1}\n");
    let task = f.file(
        "t/task.toml",
        "[task]\nname=\"t\"\nprompt=\"p\"\n[limits]\nwall_ms=100000\n[tools.refund]\ndescription=\"d\"\nparams=[]\nreplay=\"answers.jsonl\"\napproval=\"always\"\n",
    );
    let (mut t, process) = Terminal::below_shell(&f, &[&task]);
    t.enters("(tool/refund)");
    t.prompt("? (y/n) ");
    send("-TERM", &process);
    t.has_ended(143);
    let endless = ["limits.fuel=1000000000000", "limits.cpu_ms=0", "limits.wall_ms=0"];
    let args: Vec<&str> = endless.iter().flat_map(|limit| ["--set", limit]).collect();
    let (mut t, process) = Terminal::below_shell(&f, &args);
    t.enters("(do (println \"be\" \"gun\") (loop [] (recur)))");
    t.sees("be gun\r\n");
    send("-TERM", &process);
    t.sees("interrupted: nothing of this input is kept");
    t.has_ended(143);
}
