//! `ptc repl --nrepl` and an editor's side of it: Debian's nREPL client for Clojure.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

const JARS: [&str; 4] = ["clojure.jar", "spec.alpha.jar", "core.specs.alpha.jar", "nrepl.jar"];

/// A server that is ended with this.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_client_for_clojure_evaluates_completes_and_interrupts() {
    let jars = JARS.map(|jar| format!("/usr/share/java/{jar}"));
    for jar in &jars {
        assert!(std::path::Path::new(jar).exists(), "{jar} is not there: run scripts/nrepl");
    }
    let folder = std::env::temp_dir().join(format!("ptc-nrepl-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let limits = ["--set", "limits.fuel=1000000000000", "--set", "limits.cpu_ms=0", "--set", "limits.wall_ms=0"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
    command.args(["--no-config", "repl", "--nrepl"]).args(limits).current_dir(&folder).stdout(Stdio::piped());
    let mut server = Server(command.spawn().unwrap());
    let mut line = String::new();
    BufReader::new(server.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let port = std::fs::read_to_string(folder.join(".nrepl-port")).unwrap();
    assert_eq!(line, format!("nREPL server started on port {port} on host 127.0.0.1 - nrepl://127.0.0.1:{port}\n"));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/external/nrepl.clj");
    let client = Command::new("java").args(["-cp", &jars.join(":"), "clojure.main", script, &port]).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&client.stdout), String::from_utf8_lossy(&client.stderr));
    assert!(client.status.success(), "{out}{err}");
    assert_eq!(
        out,
        ":describe (:clone :close :eval :interrupt)\n\
         :values [1250]\n\
         :again [(1 2)]\n\
         :out \"told\\n\" :err \"Error: arithmetic: Divide by zero\" :status (\"done\" \"eval-error\")\n\
         :file [(var user/cents)]\n\
         :complete (\"cents\")\n\
         :lookup \"[o]\"\n\
         :begun \"begun\\n\"\n\
         :interrupted \"interrupted\"\n\
         :kept [2]\n\
         :closed (\"done\" \"session-closed\")\n"
    );
    // Ctrl-C ends it, and takes its file away.
    let id = server.0.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(server.0.wait().unwrap().code(), Some(130));
    assert!(!folder.join(".nrepl-port").exists());
    std::fs::remove_dir_all(&folder).unwrap();
}
