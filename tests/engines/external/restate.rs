//! Restate: the service killed at every line, the server killed, one node of three killed; sessions counted.

use crate::crash::{counted, folder};
use crate::postgres::until;
use ptc_engines::session::{ANSWER, Diary};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A process, killed at the end.
pub struct Process(pub Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port that nobody has now.
fn port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// What somebody answers, by the client that everybody has.
fn curl(args: &[&str]) -> Option<String> {
    let out = Command::new("curl").args(["-sf", "--max-time", "60"]).args(args).output().unwrap();
    out.status.success().then(|| String::from_utf8(out.stdout).unwrap())
}

/// A cluster, in which each session's journal is on two nodes where there are three.
struct Cluster {
    folder: PathBuf,
    /// Of each node what others, callers and operators reach it by.
    ports: Vec<[u16; 3]>,
    nodes: Vec<Option<Process>>,
}

impl Cluster {
    fn start(folder: &Path, nodes: usize) -> Self {
        let ports = (0..nodes).map(|_| [port(), port(), port()]).collect();
        let mut cluster = Cluster { folder: folder.to_owned(), ports, nodes: Vec::new() };
        for node in 0..nodes {
            let process = cluster.node(node);
            cluster.nodes.push(Some(process));
        }
        for node in 0..nodes {
            cluster.wait(node);
        }
        cluster
    }

    fn node(&self, node: usize) -> Process {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/restate");
        let server = String::from_utf8(Command::new(script).output().unwrap().stdout).unwrap();
        let [fabric, ingress, admin] = self.ports[node];
        let all: Vec<String> = self.ports.iter().map(|p| format!("\"http://127.0.0.1:{}\"", p[0])).collect();
        let log = std::fs::File::create(self.folder.join(format!("node-{node}.log"))).unwrap();
        let child = Command::new(server.trim())
            .arg("--no-logo")
            .env("RESTATE_DISABLE_TELEMETRY", "true")
            .env("RESTATE_LISTEN_MODE", "tcp")
            .env("RESTATE_CLUSTER_NAME", "ptc")
            .env("RESTATE_NODE_NAME", format!("n{node}"))
            .env("RESTATE_BASE_DIR", self.folder.join(format!("node-{node}")))
            .env("RESTATE_BIND_IP", "127.0.0.1")
            .env("RESTATE_BIND_PORT", fabric.to_string())
            .env("RESTATE_ADVERTISED_ADDRESS", format!("http://127.0.0.1:{fabric}"))
            .env("RESTATE_INGRESS__BIND_PORT", ingress.to_string())
            .env("RESTATE_ADMIN__BIND_PORT", admin.to_string())
            .env("RESTATE_AUTO_PROVISION", (node == 0).to_string())
            .env("RESTATE_DEFAULT_REPLICATION", self.ports.len().div_ceil(2).to_string())
            .env("RESTATE_DEFAULT_NUM_PARTITIONS", "4")
            .env("RESTATE_METADATA_CLIENT__ADDRESSES", format!("[{}]", all.join(",")))
            .env("RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE", "256MB")
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn();
        Process(child.unwrap())
    }

    /// Until a node answers callers.
    fn wait(&self, node: usize) {
        let health = format!("http://127.0.0.1:{}/restate/health", self.ports[node][1]);
        until("a node of Restate", || curl(&[&health]).is_some());
    }

    /// Tells it where the service is.
    fn register(&self, service: u16) {
        let deployments = format!("http://127.0.0.1:{}/deployments", self.ports[0][2]);
        let body = format!("{{\"uri\":\"http://127.0.0.1:{service}\",\"force\":true}}");
        until("the service is registered", || curl(&[&deployments, "--json", &body]).is_some());
    }

    fn url(&self, node: usize, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.ports[node][1])
    }

    /// Asks for a session to be run, and does not wait for it. Who asks again, wherever, asks for the same.
    fn send(&self, node: usize, name: &str) -> Option<String> {
        let key = format!("idempotency-key: {name}");
        curl(&[&self.url(node, &format!("Sessions/{name}/run/send")), "-X", "POST", "-H", &key])
    }

    /// Its answer, if it is there.
    fn output(&self, node: usize, name: &str) -> Option<String> {
        curl(&[&self.url(node, &format!("restate/invocation/Sessions/{name}/run/{name}/output"))])
    }

    /// The answer of a session that was asked for, when it is there.
    fn answer(&self, node: usize, name: &str) -> Option<String> {
        let answer = curl(&[&self.url(node, &format!("restate/invocation/Sessions/{name}/run/{name}/attach"))])?;
        serde_json::from_str(&answer).ok()
    }

    fn lines(&self, node: usize, name: &str) -> Vec<String> {
        let lines = curl(&[&self.url(node, &format!("Sessions/{name}/lines")), "-X", "POST"]).unwrap();
        serde_json::from_str(&lines).unwrap()
    }
}

/// The service at this port; killed at a line where one is given.
fn service(port: u16, diaries: &Path, ms: u64, kill: &[&str]) -> Process {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptc-engines"));
    command.args(["serve", &port.to_string(), diaries.to_str().unwrap(), &ms.to_string()]).args(kill);
    let process = Process(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    until("the service listens", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    process
}

/// Each line was kept once, in order, with at most so many that nobody had heard of.
fn in_order(lines: &[String], acknowledged: &[String], unheard: usize, what: &str) {
    let heard: Vec<&String> = lines.iter().filter(|line| acknowledged.contains(line)).collect();
    assert!(heard.iter().copied().eq(acknowledged), "{what}: an acknowledged line is lost, or kept twice");
    assert!(lines.len() <= acknowledged.len() + unheard, "{what}");
}

#[test]
fn a_service_is_killed_at_every_line_and_another_goes_on() {
    let folder = folder("restate");
    let (cluster, at_port) = (Cluster::start(&folder, 1), port());
    drop({
        let first = service(at_port, &folder, 0, &[]);
        cluster.register(at_port);
        first
    });
    let mut killed = 0;
    for when in ["before", "400", "2500", "after"] {
        for at in 1.. {
            let name = format!("{when}-{at}");
            let mut dying = service(at_port, &folder, 0, &[&at.to_string(), when]);
            cluster.send(0, &name).unwrap();
            let diary = Diary(folder.join(&name));
            let mut answered = false;
            until("killed, or answered", || {
                // Its last line is kept before its answer is.
                answered = cluster.output(0, &name).is_some();
                answered || dying.0.try_wait().unwrap().is_some()
            });
            if answered {
                // Its kill may have come behind the answer.
                drop(dying);
                let _other = service(at_port, &folder, 0, &[]);
                let lines = cluster.lines(0, &name).len();
                assert!(lines > 10, "{lines}");
                if at > lines {
                    break;
                }
                // It had answered before a kill that comes so many microseconds after the line was begun.
                assert!(when.parse::<u64>().is_ok(), "{name}: not killed");
                continue;
            }
            killed += 1;
            let _other = service(at_port, &folder, 0, &[]);
            assert_eq!(cluster.answer(0, &name).as_deref(), Some(ANSWER), "{name}");
            let lines = cluster.lines(0, &name);
            let acknowledged = std::fs::read_to_string(folder.join(format!("{name}.acknowledged"))).unwrap_or_default();
            let acknowledged: Vec<String> = acknowledged.lines().map(str::to_owned).collect();
            in_order(&lines, &acknowledged, 1, &name);
            counted(&diary, &name);
        }
    }
    assert!(killed > 20, "{killed}");
    drop(cluster);
    std::fs::remove_dir_all(folder).unwrap();
}

/// How many sessions run while nodes and services are killed.
const SESSIONS: usize = 24;

/// Three nodes, each session's journal on two of them, and a service. A node is killed
/// while sessions run, and comes back; then the service is. Every session is answered, and its effects are counted.
#[test]
fn one_node_of_three_is_killed_and_every_session_is_answered() {
    let folder = folder("restate-three");
    let (mut cluster, at_port) = (Cluster::start(&folder, 3), port());
    let service_now = service(at_port, &folder, 100, &[]);
    cluster.register(at_port);
    let names: Vec<String> = (0..SESSIONS).map(|n| format!("s{n}")).collect();
    // Whoever called the node that dies asks another one.
    let ask = |cluster: &Cluster, name: &String| {
        until("a session is asked for", || (1..3).any(|node| cluster.send(node, name).is_some()));
    };
    names[..SESSIONS / 2].iter().for_each(|name| ask(&cluster, name));
    until("effects", || names.iter().map(|n| Diary(folder.join(n)).effects().len()).sum::<usize>() >= 6);
    cluster.nodes[0] = None; // kill -9
    names[SESSIONS / 2..].iter().for_each(|name| ask(&cluster, name));
    drop(service_now); // kill -9
    let other = service(at_port, &folder, 100, &[]);
    cluster.nodes[0] = Some(cluster.node(0));
    for name in &names {
        let mut answer = None;
        until("an answer", || {
            answer = (1..3).find_map(|node| cluster.answer(node, name));
            answer.is_some()
        });
        assert_eq!(answer.as_deref(), Some(ANSWER), "{name}");
        let diary = Diary(folder.join(name));
        let acknowledged = std::fs::read_to_string(folder.join(format!("{name}.acknowledged"))).unwrap();
        let acknowledged: Vec<String> = acknowledged.lines().map(str::to_owned).collect();
        in_order(&cluster.lines(1, name), &acknowledged, 3, name);
        let (mut keys, words) = (diary.effects(), diary.words().len());
        let made = keys.len();
        keys.sort_unstable();
        keys.dedup();
        // Each call once, but for one in flight when its process or its node was killed, which a word let be made again.
        assert!(keys.len() == 3 && made <= 3 + words, "{name}: {made} effects, {words} words");
    }
    // What a turn costs there can be measured.
    let mut bench = Command::new(env!("CARGO_BIN_EXE_ptc-engines"));
    bench.args(["bench", "2", "3", &format!("restate:{}", cluster.url(1, "").trim_end_matches('/'))]);
    let out = bench.output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success() && said.lines().count() == 4, "{said}{}", String::from_utf8_lossy(&out.stderr));
    assert!(
        said.lines().last().is_some_and(|row| row.starts_with("| restate:") && !row.contains(" 0.00 ms")),
        "{said}"
    );
    drop((cluster, other));
    std::fs::remove_dir_all(folder).unwrap();
}
