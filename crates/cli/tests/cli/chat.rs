//! `ptc chat`: from a pipe and on a terminal, with a file, tools, inputs and policies.

use crate::common::{Folder, ptc, ptc_with};
use rexpect::session::{PtySession, spawn_command};
use serde_json::Value;
use std::net::TcpListener;
use std::process::Command;

const REPLIES: &str = "## Turn 1\nHello there.\n## Turn 2\nBonjour.\n## Turn 3\nDone.\n";

fn model(f: &Folder) -> String {
    format!("replay:{}", f.file("replies.md", REPLIES))
}

#[test]
fn each_line_of_a_pipe_is_a_message() {
    let f = Folder::new("chat-pipe");
    let model = model(&f);
    let did = ptc_with(
        &["chat", "--model", &model],
        "Hi\n\n/tokens\nAnd in French?\n//etc is a folder\n/quit\nnever asked\n",
    );
    assert_eq!((did.code, did.err.as_str()), (0, ""));
    assert_eq!(did.out, "Hello there.\nthe model was asked 1 times: ? tokens in, ? out\nBonjour.\nDone.\n");
    // A message without an answer is told, and the next one asked.
    let did = ptc_with(&["chat", "--model", &model], "a\nb\nc\nd\n/tokens\n");
    assert_eq!(did.code, 1);
    assert!(did.err.contains("no reply for turn 4") && did.out.contains("asked 3 times"), "{did:?}");
    let did = ptc_with(&["chat", "--model", &model], "/wyh\n/nothing at all\n");
    assert_eq!((did.code, did.out.as_str()), (1, ""));
    assert!(
        did.err.contains("no command /wyh; did you mean /why?") && did.err.contains("/nothing at all; /help"),
        "{}",
        did.err
    );
}

#[test]
fn a_conversation_is_kept_in_a_file_and_gone_on_with() {
    let f = Folder::new("chat-file");
    let (model, file) = (model(&f), f.path("talk.json"));
    let chat = |system: &str, text: &str| {
        let did = ptc_with(&["chat", "--model", &model, "--file", &file, "--system", system], text);
        assert_eq!((did.code, did.err.as_str()), (0, ""), "{}", did.out);
        did.out
    };
    chat("Be brief.", "Hi\n");
    let shown = chat("Be kind.", "Again\n/why\n");
    let said = ["Be kind.", "Hi", "Hello there.", "Again"];
    assert!(said.iter().all(|text| shown.contains(&format!("| {text}\n"))) && !shown.contains("Be brief."), "{shown}");
    let read = ptc(&["history", "view", &file, "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&read.out).unwrap().as_array().unwrap().len(), 5, "{}", read.err);
    // Something else is not written over.
    let other = f.file("notes.txt", "Buy milk.\n");
    let did = ptc_with(&["chat", "--model", &model, "--file", &other], "Hi\n");
    assert!(
        did.code == 2 && did.err.contains("notes.txt: no JSON") && did.err.contains("this one is not written over"),
        "{}",
        did.err
    );
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "Buy milk.\n");
}

#[test]
fn inputs_tools_and_policies_are_as_elsewhere() {
    let f = Folder::new("chat-options");
    let model = model(&f);
    let notes = f.file("notes.txt", "Sheep: seven.");
    let data = f.file("rows.csv", "name,n\nAnn,1\n");
    let policy = f.file("p.toml", "strategy = \"sliding_window\"\nmax_messages = 4\n");
    let did = ptc_with(
        &["chat", "--model", &model, "--ctx", &notes, "--ctx", &format!("people={data}"), "--policy", &policy],
        "Hi\n/policy\n/policy auto\n/policy\n/policy atuo\n/why\n",
    );
    for text in [
        "sliding_window, max_messages = 4\n",
        "\nauto\n",
        "| # Input notes\n",
        "| Sheep: seven.",
        "| # Input people\n",
        "\"Ann\"",
        "| (the next message)",
    ] {
        assert!(did.out.contains(text), "{text}: {}", did.out);
    }
    assert!(
        did.code == 1 && did.err.contains("\"atuo\" is no strategy, and no file; did you mean auto?"),
        "{}",
        did.err
    );
    // A task: its prompt is the system message, and its tools are declared.
    let did = ptc_with(&["chat", &f.task(), "--model", &model], "/why\n");
    let prompt = std::fs::read_to_string(f.task() + "/task.toml").unwrap_or_default();
    assert_eq!(did.code, 0, "{}", did.err);
    assert!(prompt.is_empty() || did.out.contains("[SYSTEM]"), "{}", did.out);
    for (args, words) in [
        (&["chat", "--model", &model, "--policy", "nothing"][..], "strategies are none, batch"),
        (&["chat", "--model", &model, "--ctx", "-"], "standard input has the messages"),
        (&["chat", "--model", &model, "--policy", "from_timestamp"], "--policy: "),
    ] {
        let did = ptc_with(args, "Hi\n");
        assert!(did.code == 2 && did.out.is_empty() && did.err.contains(words), "{args:?}: {}", did.err);
    }
}

struct Terminal(PtySession);

impl Terminal {
    fn new(f: &Folder, args: &[&str], address: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
        command
            .arg("chat")
            .args(args)
            .env("PTC_HOME", f.path("home"))
            .env("PTC_CONFIG", "")
            .env("TERM", "xterm")
            .env("NO_COLOR", "1");
        command.env("OPENAI_COMPATIBLE_BASE_URL", address);
        let mut terminal = Terminal(spawn_command(command, Some(60_000)).unwrap());
        terminal.sees("/help tells more");
        terminal.prompt();
        terminal
    }

    fn types(&mut self, text: &str) {
        self.0.send(text).unwrap();
        self.0.flush().unwrap();
    }

    fn sees(&mut self, text: &str) {
        self.0.exp_string(text).unwrap_or_else(|e| panic!("{text:?} did not come: {e}"));
    }

    fn prompt(&mut self) {
        self.sees("\u{1b}[?2004h");
        self.sees("> ");
    }
}

#[test]
fn messages_are_typed_and_pasted_on_a_terminal() {
    let f = Folder::new("chat-tty");
    let (model, file) = (model(&f), f.path("talk.json"));
    let args = ["--model", &model, "--file", &file];
    let mut t = Terminal::new(&f, &args, "");
    t.types("Hi \\\rthere\r");
    t.sees("Hello there.\r\n");
    t.prompt();
    t.types("\u{1b}[200~two\nlines\u{1b}[201~\r");
    t.sees("Bonjour.\r\n");
    t.prompt();
    // The history has both.
    t.types("\u{1b}[A\u{1b}[A\u{1b}[A");
    t.sees("Hi ");
    t.types("\u{3}");
    t.sees("Ctrl-C again");
    t.prompt();
    t.types("\u{3}");
    t.0.exp_eof().unwrap();
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.contains("\"Hi \\nthere\"") && kept.contains("\"two\\nlines\""), "{kept}");
    let mut t = Terminal::new(&f, &args, "");
    t.types("/quit\r");
    t.0.exp_eof().unwrap();
}

/// Ctrl-C ends the answer that is waited for, and not the program; the next one does.
#[test]
fn ctrl_c_ends_an_answer_first() {
    let f = Folder::new("chat-interrupt");
    // It takes connections, and never answers.
    let silent = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = format!("http://{}/v1/", silent.local_addr().unwrap());
    let mut t = Terminal::new(&f, &["--model", "openai-compatible/any"], &address);
    t.types("Hi\r");
    let connection = silent.accept().unwrap();
    t.types("\u{3}");
    t.sees("interrupted: the message is not kept");
    t.prompt();
    t.types("/why\r");
    t.sees("(the next message)");
    t.prompt();
    t.types("\u{3}");
    t.sees("Ctrl-C again");
    t.prompt();
    t.types("\u{3}");
    t.0.exp_eof().unwrap();
    drop(connection);
}
