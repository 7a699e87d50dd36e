//! `ptc mcp` by clients that no one here wrote: fastmcp from PyPI over both transports, and the protocol's own conformance
//! suite. `scripts/mcp-clients` installs them.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const TOKEN: &str = "0123456789abcdef0123";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A file that scripts/mcp-clients installs.
fn tool(path: &str) -> PathBuf {
    let path = root().join("target/tools").join(path);
    assert!(path.exists(), "{} is not there: run scripts/mcp-clients", path.display());
    path
}

/// A folder of its own with tasks that answer from recordings.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ptc-mcp-server-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Home(path)
    }

    /// A task of this name that answers with this program; its path.
    fn task(&self, name: &str, program: &str) -> String {
        let folder = self.0.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let toml = format!(
            "[task]\nname = \"{name}\"\nprompt = \"What does it cost?\"\nmodel = \"replay:replies.md\"\n[context.prices]\nfile = \"prices.json\"\n"
        );
        std::fs::write(folder.join("task.toml"), toml).unwrap();
        std::fs::write(folder.join("prices.json"), "{\"pen\": 250, \"ink\": 120}").unwrap();
        std::fs::write(folder.join("replies.md"), format!("## Turn 1\n{program}\n")).unwrap();
        folder.display().to_string()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server over HTTP.
struct Server(Child, String);

impl Server {
    fn start(home: &Home, args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
        command.args(["--no-config", "mcp", "--http", "127.0.0.1:0", "--set", "turn_seconds=100"]).args(args);
        let mut server = command.env("PTC_HOME", &home.0).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(server.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().find(|w| w.starts_with("http")).unwrap_or_else(|| panic!("{line}"));
        Server(server, url.trim_end_matches(',').to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn fastmcp(args: &[&str]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/external/mcp/client.py");
    let out = Command::new(tool("mcp-fastmcp/bin/python")).arg(script).args(args).output().unwrap();
    let (said, erred) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success() && said.ends_with("OK\n"), "{said}\n{erred}");
}

#[test]
fn fastmcp_over_standard_input_and_output() {
    let home = Home::new("stdio");
    let task = home.task("shop", "(return {:cost (:pen ctx/prices)})");
    fastmcp(&["stdio", env!("CARGO_BIN_EXE_ptc"), &home.0.display().to_string(), &task]);
}

#[test]
fn fastmcp_over_http() {
    let home = Home::new("http");
    let task = home.task("shop", "(return {:cost (:pen ctx/prices)})");
    let tokens = home.0.join("tokens");
    std::fs::write(&tokens, TOKEN).unwrap();
    std::fs::set_permissions(&tokens, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let server = Server::start(&home, &["--task", &task, "--token-file", &tokens.display().to_string()]);
    fastmcp(&["http", &server.1, TOKEN]);
}

/// The suite fails where something fails that is not in the list, and where something in the list passes.
#[test]
fn the_conformance_suite_of_the_protocol() {
    let home = Home::new("conformance");
    // Two of the tools that the suite calls are tasks here.
    let text = home.task("test_simple_text", "(return \"This is a simple text response for testing.\")");
    let fails = home.task("test_error_handling", "(fail \"This tool intentionally returns an error for testing\")");
    // And one of the prompts is one.
    let prompt = home.task("test_simple_prompt", "(return 1)");
    let server = Server::start(&home, &["--task", &text, "--task", &fails, "--task", &prompt]);
    let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/external/mcp/expected-failures.yml");
    let suite = tool("mcp-conformance/node_modules/.bin/conformance");
    let out = Command::new(suite)
        .args(["server", "--url", &server.1, "--expected-failures"])
        .arg(expected)
        .current_dir(&home.0)
        .output()
        .unwrap();
    let said = format!("{}\n{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{said}");
    for scenario in [
        "server-initialize",
        "ping",
        "tools-list",
        "tools-call-simple-text",
        "tools-call-error",
        "resources-list",
        "prompts-list",
        "prompts-get-simple",
        "completion-complete",
        "dns-rebinding-protection",
    ] {
        assert!(said.contains(scenario), "{scenario} did not run: {said}");
    }
}
