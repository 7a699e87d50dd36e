//! The examples, as their pages begin them: killed while a call is in flight, begun again, answered.

use crate::crash::folder;
use crate::postgres::{Server, until};
use crate::restate::Process;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An example that was built, with what it prints in a file.
fn example(package: &str, args: &[&str], printed: &Path) -> Process {
    let name = format!("{}_session", package.trim_start_matches("ptc-"));
    let built = Command::new(env!("CARGO")).args(["build", "-q", "-p", package, "--example", &name]).status().unwrap();
    assert!(built.success());
    let program = PathBuf::from(env!("CARGO_BIN_EXE_ptc-engines")).with_file_name("examples").join(name);
    let printed = File::create(printed).unwrap();
    Process(Command::new(program).args(args).stdout(printed).stderr(Stdio::null()).spawn().unwrap())
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn the_session_in_postgres() {
    let (server, folder) = (Server::start("example"), folder("pg-example"));
    let (first, second) = (folder.join("first"), folder.join("second"));
    let killed = example("ptc-postgres", &[&server.place, "sums"], &first);
    until("the second call", || text(&first).contains("slow 2"));
    drop(killed); // kill -9
    assert_eq!(text(&first), "0 turns are there\nslow 1\nslow 2\n");
    assert!(example("ptc-postgres", &[&server.place, "sums"], &second).0.wait().unwrap().success());
    // The call that was answered is not made again.
    assert_eq!(text(&second), "1 turns are there\nslow 2\n3\n");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_session_in_restate() {
    let folder = folder("restate-example");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/restate");
    let log = File::create(folder.join("log")).unwrap();
    let mut server = Command::new(script);
    server.args(["start", folder.join("server").to_str().unwrap()]).stdout(log.try_clone().unwrap()).stderr(log);
    let server = Process(server.spawn().unwrap());
    let curl = |args: &[&str]| Command::new("curl").args(["-sf", "--max-time", "60"]).args(args).output().unwrap();
    until("the server", || curl(&["localhost:8080/restate/health"]).status.success());
    let (first, second) = (folder.join("first"), folder.join("second"));
    let killed = example("ptc-restate", &[], &first);
    until("the service is registered", || {
        curl(&["localhost:9070/deployments", "--json", "{\"uri\": \"http://127.0.0.1:9080\"}"]).status.success()
    });
    let ask = ["-sf", "--max-time", "60", "localhost:8080/Sums/sums/run", "--json", "\"Add what is slow.\""];
    let asked = Command::new("curl").args(ask).stdout(File::create(folder.join("answer")).unwrap()).spawn();
    until("the second call", || text(&first).contains("slow 2"));
    drop(killed); // kill -9
    let other = example("ptc-restate", &[], &second);
    assert!(asked.unwrap().wait().unwrap().success());
    drop((other, server));
    assert_eq!(text(&folder.join("answer")), "\"3\"");
    let made: Vec<String> = text(&second).lines().skip(1).map(str::to_owned).collect();
    assert_eq!(made, ["1 turns are there", "slow 2"]);
    std::fs::remove_dir_all(folder).unwrap();
}
