//! Clojure, asked: one long-lived process that reads sessions and writes answers, a line each.

use crate::{Answer, Session};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Where Debian puts Clojure 1.11; the environment variable `CLOJURE_CLASSPATH` names another place.
pub const JARS: &str = "/usr/share/java/clojure-1.11.jar:/usr/share/java/spec.alpha.jar:/usr/share/java/core.specs.alpha.jar:/usr/share/java/data.csv.jar";

/// A Clojure that runs.
pub struct Clojure {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// What Clojure says to a session.
pub struct Said {
    /// Its answers.
    pub answers: Vec<Answer>,
    /// For each turn the beginning of its error, or nothing.
    pub words: Vec<String>,
}

impl Clojure {
    /// Starts it.
    ///
    /// # Errors
    /// When there is no `java`, or the script beside this package is missing.
    pub fn start() -> io::Result<Self> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("answer.clj");
        let jars = std::env::var("CLOJURE_CLASSPATH").unwrap_or_else(|_| JARS.to_string());
        let mut child = Command::new("java")
            .args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1g", "-Xss4m", "-XX:-UsePerfData", "-cp"])
            .arg(jars)
            .args(["clojure.main"])
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().ok_or_else(|| io::Error::other("Clojure has no output"))?;
        Ok(Clojure { child, input, output: BufReader::new(output) })
    }

    /// What it answers to these sessions.
    ///
    /// # Errors
    /// When it ended.
    pub fn answers(&mut self, sessions: &[Session]) -> io::Result<Vec<Said>> {
        let asked: Vec<String> = sessions.iter().map(|s| s.join("\t")).collect();
        let mut input = self.input.take().ok_or_else(|| io::Error::other("Clojure has no input"))?;
        // Questions are written beside the reading of answers: neither pipe holds all of a lot.
        let writer = std::thread::spawn(move || {
            let r = asked.iter().try_for_each(|line| writeln!(input, "{line}")).and_then(|()| input.flush());
            r.map(|()| input)
        });
        let mut out = Vec::with_capacity(sessions.len());
        for session in sessions {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(io::Error::other("Clojure ended before it answered"));
            }
            let texts: Vec<&str> = line.trim_end_matches('\n').split('\t').collect();
            if texts.len() != session.len() {
                return Err(io::Error::other(format!("Clojure answered {line:?} to {session:?}")));
            }
            out.push(Said {
                answers: texts.iter().map(|t| (!t.starts_with('!')).then(|| t.to_string())).collect(),
                words: texts.iter().map(|t| t.strip_prefix('!').unwrap_or_default().to_string()).collect(),
            });
        }
        self.input = Some(writer.join().map_err(|_| io::Error::other("the writer ended"))??);
        Ok(out)
    }
}

impl Drop for Clojure {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
