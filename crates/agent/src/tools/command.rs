//! Tools that are commands: arguments as JSON on standard input, the answer on standard output.

use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::json_depth::to_text;
use crate::json_repair::{is_utf16, readable};
use crate::process_group::{Group, Inherit, set_up};
use crate::secrets::Secrets;
use crate::tools::executor::CallControl;
use crate::tools::interpreter;
use crate::tools::toolbox::Tool;
use serde_json::value::RawValue;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Most time of a call, when a task does not say.
pub(crate) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
/// Most bytes of an answer.
pub(crate) const MAX_OUTPUT_BYTES: usize = 16 << 20;
/// A byte order mark, as some programs begin with.
const BOM: &[u8] = b"\xef\xbb\xbf";
/// Characters shown of an output that is no JSON.
const SHOWN: usize = 80;
/// How often the caller is asked whether it still waits, and the child whether it has ended.
const PULSE: Duration = Duration::from_millis(5);
/// Bytes and lines kept of standard error.
const SAID: usize = 4096;
const LINES: usize = 5;
/// Time for the pipes of processes that were ended to close.
const CLOSING: Duration = Duration::from_secs(1);

/// A command, found and ready to be started, once for each call.
#[derive(Clone)]
pub struct CommandTool {
    /// The program and its arguments as the task says them.
    pub(crate) words: Vec<String>,
    program: PathBuf,
    args: Vec<String>,
    folder: PathBuf,
    /// Further environment.
    pub(crate) env: Vec<(String, String)>,
    /// Values in it that are shown nowhere.
    pub(crate) secrets: Secrets,
    /// The answer is text, whatever it looks like.
    pub text: bool,
}

/// Without its environment, which may hold keys.
impl std::fmt::Debug for CommandTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CommandTool").field("program", &self.program).field("args", &self.args).finish_non_exhaustive()
    }
}

impl CommandTool {
    /// A command as a task says it, run in the task's folder. A program with a slash in its name is a file of the task;
    /// others are looked for as a shell does.
    ///
    /// # Errors
    /// When there is no such program.
    pub fn find(folder: &Path, command: &[String]) -> Result<Self, Error> {
        let [program, args @ ..] = command else {
            return Err(Error::new(ErrorKind::Tool, "command is empty; write command = [\"./tool.py\"]"));
        };
        let program = find(folder, program)?;
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        Ok(CommandTool {
            words: command.to_vec(),
            program,
            args: args.to_vec(),
            folder: folder.to_owned(),
            env: Vec::new(),
            secrets: Secrets::default(),
            text: false,
        })
    }

    /// A tool that runs it, 30 s at most for each call ([`Tool::timeout`] says otherwise).
    pub fn tool(self, name: impl Into<String>) -> Tool {
        let call = move |args: &str, control: &CallControl| self.call(args, control).map_err(|e| self.secrets.hide(e));
        Tool::text(name, call).stops_when_cancelled().foreign().timeout(DEFAULT_TIMEOUT)
    }

    /// Runs it once. Its environment is ours without keys of model providers, and which call it is: `PTC_CALL_ID`
    /// ([`CallControl::id`]) and `PTC_CALL_KEY` ([`CallControl::key`]). All that it starts ends with it.
    ///
    /// # Errors
    /// What went wrong, with the last lines that it wrote to standard error.
    pub fn call(&self, args: &str, control: &CallControl) -> Result<String, String> {
        let mut command = Command::new(&self.program);
        set_up(&mut command, Inherit::NoKeys);
        command.args(&self.args).current_dir(&self.folder).envs(self.env.iter().map(|(k, v)| (k, v)));
        command.env("PTC_CALL_ID", control.id().to_string()).env("PTC_CALL_KEY", control.key());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| {
            // A program is told, and through it whoever wrote it: what the machine's folders are is nothing to them.
            crate::host_paths::hide_paths(&interpreter::not_started(&self.program, &self.folder, &e))
        })?;
        let group = Group::of(child.id());
        let (Some(mut stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err("it has no pipes".to_owned());
        };
        let given = args.as_bytes().to_vec();
        // Who does not read its input is not waited for; closing it says that this is all.
        std::thread::spawn(move || {
            let _ = stdin.write_all(&given).and_then(|()| stdin.write_all(b"\n"));
        });
        let answer = reader(stdout, |pipe| {
            let mut bytes = Vec::new();
            let read = pipe.take((MAX_OUTPUT_BYTES as u64).saturating_add(1)).read_to_end(&mut bytes);
            read.map(|_| bytes).map_err(|e| format!("its output cannot be read: {e}"))
        });
        let said = reader(stderr, last_words);
        let (bytes, status) = match watch(&mut child, &group, &answer, control) {
            Ok(ended) => ended,
            // Given up: what it said last may tell why it took so long.
            Err(words) if words.is_empty() => {
                let said = said.recv_timeout(CLOSING).unwrap_or_default();
                return Err(if said.is_empty() { said } else { format!("it said: {said}") });
            }
            Err(words) => return Err(words),
        };
        let bytes = match bytes {
            Some(bytes) => bytes,
            // Its end of the pipe was held by what it had started, until just now.
            None => answer
                .recv_timeout(CLOSING)
                .unwrap_or_else(|_| Err("something it left behind holds its output open".to_owned()))?,
        };
        if bytes.len() > MAX_OUTPUT_BYTES {
            return Err(flood());
        }
        if !status.success() {
            let said = said.recv_timeout(CLOSING).unwrap_or_default();
            let end = ended(status);
            return Err(if said.is_empty() { format!("{end}, without a word") } else { format!("{said} ({end})") });
        }
        self.answer(bytes)
    }

    /// Output as JSON: JSON as it is, other text as a string, nothing as nil. What was to be JSON and is none is an error:
    /// a program that takes a map would be given a text.
    fn answer(&self, mut bytes: Vec<u8>) -> Result<String, String> {
        if is_utf16(&bytes) {
            return Err("its output is UTF-16; let it write UTF-8".to_owned());
        }
        if bytes.starts_with(BOM) {
            bytes.drain(..BOM.len());
        }
        let mut text = String::from_utf8(bytes).map_err(|_| "its output is not UTF-8 text".to_owned())?;
        // In place: a copy would be there beside it.
        text.truncate(text.trim_end().len());
        text.drain(..text.len().saturating_sub(text.trim_start().len()));
        if text.is_empty() && !self.text {
            return Ok("null".to_owned());
        }
        match serde_json::from_str::<&RawValue>(&text) {
            Ok(_) if !self.text || text.starts_with('"') => {
                let whole = readable(text.as_bytes());
                return Ok(if *whole == *text { text } else { whole.into_owned() });
            }
            Err(e) if !self.text && is_meant_as_json(&text, e.is_eof()) => {
                let begins = ptc_lisp::escape::quoted(&text.chars().take(SHOWN).collect::<String>());
                let nan = NO_NUMBERS.iter().find(|n| text.contains(*n));
                let fix = nan.map_or_else(
                    || "correct it, print one document".to_owned(),
                    |n| format!("JSON has no {n}; print null in its place"),
                );
                return Err(format!("its output is no JSON ({e}): {begins}; {fix}, or say returns = \"string\""));
            }
            _ => {}
        }
        // Characters that JSON writes as six must not make six times as much of it.
        to_text(&text, MAX_OUTPUT_BYTES.saturating_mul(2), 0)
    }
}

/// What some languages write for numbers that JSON does not have, as `json.dumps` of Python does.
const NO_NUMBERS: [&str; 3] = ["-Infinity", "Infinity", "NaN"];

/// Whether a text that is no JSON was to be some: it begins as an object or a list of JSON does and ends as one, or breaks
/// off; or it is no number. Lines of a log begin with brackets too.
fn is_meant_as_json(text: &str, breaks_off: bool) -> bool {
    let begins = |inside: &str, with: &[char]| inside.trim_start().starts_with(with);
    let number = |inside: &str| NO_NUMBERS.iter().any(|n| inside.trim_start().starts_with(n));
    if let Some(inside) = text.strip_prefix('{') {
        return (breaks_off || text.ends_with('}')) && begins(inside, &['"', '\'']);
    }
    if let Some(inside) = text.strip_prefix('[') {
        let words = text.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty());
        let numbers = || words.clone().all(|w| ["NaN", "Infinity", "null", "true", "false", "e", "E"].contains(&w));
        let lists =
            begins(inside, &['{', '"', '[', '\'']) || numbers() && inside.contains([',', 'N', 'I']) || number(inside);
        return (breaks_off || text.ends_with([']', '}'])) && lists;
    }
    NO_NUMBERS.contains(&text)
}

/// The file behind a program's name.
pub(crate) fn find(folder: &Path, program: &str) -> Result<PathBuf, Error> {
    let shown = ptc_lisp::escape::quoted(program);
    if program.trim().is_empty() {
        return Err(Error::new(ErrorKind::Tool, "the command has no name; write command = [\"./tool.py\"]"));
    }
    if !program.contains(std::path::is_separator) {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&path).flat_map(|dir| names(&dir.join(program))).find(|f| runs(f));
        return found.ok_or_else(|| {
            Error::new(
                ErrorKind::Tool,
                error_text!("the command {shown} is not there"; "install it, or write \"./{program}\" for a file of the task"),
            )
        });
    }
    let file = folder.join(program);
    if !names(&file).iter().any(|f| f.is_file()) {
        return Err(Error::new(
            ErrorKind::Tool,
            error_text!("the command {shown}: there is no such file"; "check the name"),
        ));
    }
    // Started in the task's folder: a relative path would be taken from there once more.
    let file = std::fs::canonicalize(&file).unwrap_or(file);
    let found = names(&file).into_iter().find(|f| runs(f));
    if let Some(found) = &found {
        interpreter::check(found, if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?;
    }
    found.ok_or_else(|| {
        Error::new(
            ErrorKind::Tool,
            error_text!("the command {shown} is not executable"; "chmod +x it, or name its interpreter first"),
        )
    })
}

/// The names under which a program may be stored.
fn names(file: &Path) -> Vec<PathBuf> {
    if cfg!(windows) && file.extension().is_none() {
        ["exe", "cmd", "bat"].iter().map(|e| file.with_extension(e)).collect()
    } else {
        vec![file.to_owned()]
    }
}

#[cfg(unix)]
fn runs(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(file).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn runs(file: &Path) -> bool {
    file.is_file()
}

fn flood() -> String {
    format!("it wrote more than {MAX_OUTPUT_BYTES} bytes and was ended; let it answer with less")
}

type Answer = Result<Vec<u8>, String>;

/// Waits for its answer and its end. Whatever comes, the child has gone when this returns, and all that it started.
fn watch(
    child: &mut Child,
    group: &Group,
    answer: &Receiver<Answer>,
    control: &CallControl,
) -> Result<(Option<Vec<u8>>, ExitStatus), String> {
    let (mut bytes, mut stop) = (None, None);
    loop {
        if control.given_up() {
            stop = Some(String::new());
        }
        if stop.is_some() || is_over(child) {
            break;
        }
        if bytes.is_some() {
            std::thread::sleep(PULSE);
            continue;
        }
        match answer.recv_timeout(PULSE) {
            Ok(Ok(read)) if read.len() > MAX_OUTPUT_BYTES => stop = Some(flood()),
            Ok(Ok(read)) => bytes = Some(read),
            Ok(Err(words)) => stop = Some(words),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => stop = Some("its output cannot be read".to_owned()),
        }
    }
    // Before it is waited for: until then nobody else can have its number.
    group.end();
    if stop.is_some() {
        let _ = child.kill();
    }
    group.forget();
    let status = child.wait().map_err(|e| format!("its end cannot be awaited: {e}"))?;
    stop.map_or(Ok((bytes, status)), Err)
}

/// Whether it has ended; its number stays its own.
#[cfg(unix)]
fn is_over(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return true };
    let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(pid), how), Ok(None))
}

#[cfg(not(unix))]
fn is_over(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

fn ended(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => status.to_string(),
    }
}

/// Reads on a thread of its own.
fn reader<P: Send + 'static, T: Send + 'static>(pipe: P, f: impl FnOnce(P) -> T + Send + 'static) -> Receiver<T> {
    let (done, read) = sync_channel(1);
    std::thread::spawn(move || done.send(f(pipe)));
    read
}

/// Reads to the end and keeps the last lines, in one line.
pub(crate) fn last_words(mut from: impl Read) -> String {
    let (mut kept, mut piece) = (Vec::new(), [0u8; 4096]);
    while let Ok(n @ 1..) = from.read(&mut piece) {
        kept.extend_from_slice(piece.get(..n).unwrap_or_default());
        cut_head(&mut kept);
    }
    last_lines(&String::from_utf8_lossy(&kept))
}

/// Keeps the end of what was written, from the beginning of a line on: half a line may hold half a secret.
pub(crate) fn cut_head(kept: &mut Vec<u8>) {
    let over = kept.len().saturating_sub(SAID);
    if over > 0 {
        let line = kept
            .iter()
            .skip(over)
            .position(|b| *b == b'\n')
            .map_or(kept.len(), |at| over.saturating_add(at).saturating_add(1));
        kept.drain(..line);
    }
}

/// The last lines of a text, in one line.
pub(crate) fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|l| !l.trim().is_empty()).collect();
    lines.get(lines.len().saturating_sub(LINES)..).unwrap_or_default().join(" | ")
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::toolbox::Toolbox;
    use ptc_lisp::interface::{CallDeadline, ToolRequest, Tools as _};
    use ptc_lisp::limits::Limits;
    use ptc_lisp::value::Value;

    fn tool(script: &str) -> CommandTool {
        let command = ["sh", "-c", script].map(str::to_owned);
        CommandTool::find(Path::new("/"), &command).unwrap()
    }

    fn run(tool: Tool, wait: &CallDeadline<'_>) -> Result<String, String> {
        let mut tools = Toolbox::new().with(tool);
        let args = Value::map([(Value::plain_keyword("q"), Value::str("it's \"x\""))]);
        let answers = tools.call_many(&[ToolRequest { id: 1, name: "t", args: &args }], wait);
        answers[0].clone().map(|v| ptc_lisp::print::brief(&v))
    }

    fn call(script: &str) -> Result<String, String> {
        run(tool(script).tool("t"), &CallDeadline::forever(&Limits::default()))
    }

    #[test]
    fn answers_are_json_or_text() {
        for (script, expected) in [
            ("cat", "{:q \"it's \\\"x\\\"\"}"),
            ("echo '[1, 2.50, null]'", "[1 2.5 nil]"),
            ("echo 12345678901234567890123", "12345678901234567890123N"),
            ("echo hello world", "\"hello world\""),
            ("printf 'a\\nb\\n'", "\"a\\nb\""),
            ("echo '{\"a\": 1} more'", "\"{\\\"a\\\": 1} more\""),
            ("echo '[info] {up}' '[ok]'", "\"[info] {up} [ok]\""),
            ("echo '{name}'", "\"{name}\""),
            ("printf '\\357\\273\\277{\"a\": 1}\\r\\n'", "{:a 1}"),
            ("printf '\\357\\273\\277hello'", "\"hello\""),
            ("echo '{\"a\": \"\\\\ud83d\"}'", "{:a \"\u{fffd}\"}"),
            ("true", "nil"),
            ("pwd", "\"/\""),
            // Who does not read, and who leaves others behind with the pipe in their hands.
            ("exec <&-; echo 1", "1"),
            ("sleep 1000 & echo 1", "1"),
        ] {
            assert_eq!(call(script).as_deref(), Ok(expected), "{script}");
        }
        let mut text = tool("echo 5");
        text.text = true;
        assert_eq!(run(text.tool("t"), &CallDeadline::forever(&Limits::default())).as_deref(), Ok("\"5\""));
    }

    /// A program that takes a map is never given a text in its place.
    #[test]
    fn what_was_to_be_json_and_is_none_is_an_error() {
        for (output, fix) in [
            ("{\"v\": NaN}", "JSON has no NaN; print null in its place"),
            ("[1, Infinity]", "JSON has no Infinity; print null in its place"),
            ("{\"v\": -Infinity}", "JSON has no -Infinity; print null in its place"),
            ("NaN", "JSON has no NaN; print null in its place"),
            ("[1, 2,]", "correct it, print one document"),
            ("{\"a\": 1,}", "correct it, print one document"),
            ("{\"a\": 1}\\n{\"a\": 2}", "correct it, print one document"),
            ("[[1]]\\n[[2]]", "correct it, print one document"),
            ("{\"a\": [1, 2", "correct it, print one document"),
            ("[{\"a\": 1", "correct it, print one document"),
            ("{'a': 1, 'b': None}", "correct it, print one document"),
        ] {
            let script = format!("printf '{}'", output.replace('\'', "'\\''"));
            let told = call(&script).unwrap_err();
            assert!(told.starts_with("its output is no JSON (") && told.contains(fix), "{output}: {told}");
            let mut text = tool(&script);
            text.text = true;
            assert!(run(text.tool("t"), &CallDeadline::forever(&Limits::default())).is_ok(), "{output}");
        }
        assert_eq!(call("printf '{\\0\"\\0a\\0\"\\0'").unwrap_err(), "its output is UTF-16; let it write UTF-8");
    }

    #[test]
    fn what_goes_wrong_is_told() {
        for (script, words) in [
            ("exit 3", "exit code 3, without a word"),
            ("echo no >&2; echo; echo luck >&2; exit 1", "no | luck (exit code 1)"),
            ("kill -9 $$", "signal: 9 (SIGKILL), without a word"),
            ("for i in 1 2 3 4 5 6 7; do echo $i >&2; done; exit 1", "3 | 4 | 5 | 6 | 7 (exit code 1)"),
            ("head -c 17000000 /dev/zero", "it wrote more than 16777216 bytes and was ended; let it answer with less"),
            ("yes", "it wrote more than 16777216 bytes and was ended; let it answer with less"),
            ("printf '\\377'", "its output is not UTF-8 text"),
        ] {
            assert_eq!(call(script).unwrap_err(), words, "{script}");
        }
    }

    #[test]
    fn what_is_given_up_is_ended_with_all_it_started() {
        let file = std::env::temp_dir().join(format!("ptc-command-{}", std::process::id()));
        let script =
            format!("echo waiting >&2; sleep 100000 & echo $$ $! > {0}.new; mv {0}.new {0}; wait", file.display());
        let limits = Limits::default();
        // Cancelled when both are there.
        let there = || file.exists();
        let wait = CallDeadline { cancelled: &there, ..CallDeadline::forever(&limits) };
        assert_eq!(run(tool(&script).tool("t"), &wait).unwrap_err(), "the turn was cancelled; it said: waiting");
        let ids = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        for id in ids.split_whitespace() {
            let over = (0..1000).any(|_| {
                std::thread::sleep(Duration::from_millis(10));
                let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
                stat.rsplit_once(')').is_none_or(|(_, rest)| rest.trim_start().starts_with('Z'))
            });
            assert!(over, "{id}");
        }
        let slow = tool("sleep 100000").tool("t").timeout(Duration::from_millis(20));
        assert_eq!(
            run(slow, &CallDeadline::forever(&limits)).unwrap_err(),
            "no answer within its time (timeout_ms = 20)"
        );
    }

    #[test]
    fn keys_of_providers_stay_here_unless_a_task_hands_them_on() {
        let mut command = Command::new("x");
        set_up(&mut command, Inherit::NoKeys);
        let names: Vec<_> = command.get_envs().map(|(k, _)| k.to_string_lossy().into_owned()).collect();
        assert!(names.contains(&"PATH".to_owned()));
        let mut given = tool("echo \"$SOME_API_KEY\"");
        given.secrets.fill("$SOME_API_KEY", |_| Some("k-123456".into())).unwrap();
        given.env = vec![("SOME_API_KEY".into(), "k-123456".into())];
        assert!(!format!("{given:?}").contains("k-123456"));
        let limits = Limits::default();
        assert_eq!(run(given.clone().tool("t"), &CallDeadline::forever(&limits)).as_deref(), Ok("\"k-123456\""));
        given.args = vec!["-c".into(), "echo $SOME_API_KEY >&2; exit 1".into()];
        assert_eq!(run(given.tool("t"), &CallDeadline::forever(&limits)).unwrap_err(), "$SOME_API_KEY (exit code 1)");
    }

    #[test]
    fn programs_are_found_or_named() {
        let folder = std::env::temp_dir().join(format!("ptc-find-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("plain.py"), "").unwrap();
        let find = |name: &str| CommandTool::find(&folder, &[name.to_owned()]).map(|_| ()).map_err(|p| p.to_string());
        assert_eq!(find("sh"), Ok(()));
        assert_eq!(find("./gone.py").unwrap_err(), "the command \"./gone.py\": there is no such file; check the name");
        assert!(find("./plain.py").unwrap_err().contains("is not executable; chmod +x it"));
        assert!(find("no-such-command-here").unwrap_err().contains("is not there; install it"));
        assert!(find("").unwrap_err().contains("has no name"));
        assert!(CommandTool::find(&folder, &[]).unwrap_err().to_string().contains("command is empty"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
