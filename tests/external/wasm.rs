//! The package for browsers and Node.js, as its users get it: built for wasm32-unknown-unknown, in Node.js, and the playground in
//! Debian's Chromium. `scripts/wasm` builds it, `scripts/browser` and `scripts/typescript` fetch what the tests need besides.

use ptc_hostile::{Attack, attacks};
use ptc_lisp::error::ErrorKind;
use ptc_tests::markdown::{Expected, blocks, files, folder};
use ptc_turns::{Config, Session, Trace, TurnContext, TurnRecord};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn run(mut command: Command) -> String {
    let out = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}; Node.js 20 is needed"));
    let (said, wrong) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{command:?}\n{said}{wrong}");
    said.into_owned()
}

/// The package and the playground, which are made once.
fn made() -> &'static (PathBuf, PathBuf) {
    static MADE: OnceLock<(PathBuf, PathBuf)> = OnceLock::new();
    MADE.get_or_init(|| {
        let page = root().join("target/playground.html");
        let mut make = Command::new(root().join("scripts/playground"));
        make.arg(&page);
        run(make);
        (root().join("target/npm/ptc-runtime"), page)
    })
}

/// A script of the folder `wasm`, with the package and these arguments.
fn script(name: &str) -> Command {
    let mut node = Command::new("node");
    node.arg(root().join("tests/external/wasm").join(name)).arg(&made().0).current_dir(root());
    node
}

/// What each of these sessions of programs came to in the package: its trace, and why turns were stopped that are not in it.
fn in_node(limits: &Value, sessions: &[Vec<String>]) -> Vec<(Trace, Vec<String>)> {
    let mut node = script("programs.mjs").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let text = json!({ "limits": limits, "sessions": sessions }).to_string();
    let mut stdin = node.stdin.take().unwrap();
    let writes = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let out = node.wait_with_output().unwrap();
    writes.join().unwrap().unwrap();
    assert!(out.status.success());
    let all: Vec<Value> = serde_json::from_slice(&out.stdout).unwrap();
    let one = |ran: &Value| {
        let trace = Trace::parse(ran["trace"].as_str().unwrap().as_bytes()).unwrap().trace;
        (trace, ran["stopped"].as_array().unwrap().iter().map(|s| s.as_str().unwrap().to_owned()).collect())
    };
    all.iter().map(one).collect()
}

/// A record without what depends on the machine: time, and bytes, which are those of 32 bits there, with the fuel that they cost.
fn comparable(record: &TurnRecord) -> TurnRecord {
    let mut record = record.clone();
    (record.usage.memory_bytes, record.usage.cpu_ms, record.usage.wall_ms) = (0, 0, 0);
    record.usage.fuel = 0;
    if let Some(error) = record.error.as_mut().filter(|e| e.kind == ErrorKind::Memory) {
        (error.message, record.feedback) = Default::default();
    }
    record
}

#[test]
fn programs_give_what_they_give_elsewhere() {
    let (mut sessions, mut names) = (Vec::new(), Vec::new());
    for path in files(&folder("spec")).iter().filter(|p| !p.ends_with("README.md")) {
        for block in blocks(&std::fs::read_to_string(path).unwrap()) {
            names.push(format!("{} [{}]", path.display(), block.heading));
            let mut sources = Vec::new();
            for step in block.steps {
                // What is before a form that fails must stay: it is a turn of its own.
                if let Some(Expected::Error(_)) = &step.expected
                    && let Ok(forms) = ptc_lisp::read::read(&step.source, &Default::default())
                    && let [_, .., last] = forms.as_slice()
                {
                    sources.push(step.source[..last.span.start as usize].to_owned());
                }
                sources.push(step.source);
            }
            sessions.push(sources);
        }
    }
    let ran = in_node(&json!({ "cpu_ms": 0, "wall_ms": 0 }), &sessions);
    let (mut turns, mut wrong) = (0, Vec::new());
    for ((sources, (trace, stopped)), name) in sessions.iter().zip(&ran).zip(&names) {
        assert!(stopped.is_empty(), "{name}: {stopped:?}");
        let mut here = Session::new(Config { limits: trace.header.limits.clone(), ..Config::programs() });
        assert_eq!(sources.len(), trace.turns().len(), "{name}");
        for (source, there) in sources.iter().zip(trace.turns()) {
            let world = TurnContext { now_ms: there.time, seed: there.seed, ..TurnContext::without_host() };
            let (here, there) = (comparable(here.run(source, world).unwrap()), comparable(there));
            turns += 1;
            if here != there {
                wrong.push(format!("{name}\n{source}\n  here  {here:?}\n  there {there:?}"));
            }
        }
    }
    assert!(turns > 2_000, "{turns} turns");
    assert!(wrong.is_empty(), "{} of {turns}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Each attack ends in its limit, and the next turn of its session works.
#[test]
fn hostile_programs_end_in_their_limits() {
    let after = "[kept @counter (count (map inc kept))]";
    let session = |a: &Attack| vec!["(def kept [1 2 3]) (def counter (atom 7))".into(), a.source.clone(), after.into()];
    let (all, limits) = (attacks(), json!({ "fuel": 15_000_000, "memory_bytes": 24 << 20, "cpu_ms": 0, "wall_ms": 0 }));
    let ran = in_node(&limits, &all.iter().map(session).collect::<Vec<_>>());
    let (mut wrong, mut shallower) = (Vec::new(), 0);
    for (attack, (trace, stopped)) in all.iter().zip(&ran) {
        let turns = trace.turns();
        if turns.last().and_then(|t| t.value.as_deref()) != Some("[[1 2 3] 7 3]") {
            wrong.push(format!("{}: the next turn gave {:?}", attack.name, turns.last()));
        }
        assert!(stopped.is_empty(), "{}: {stopped:?}", attack.name);
        let got = turns[1].error.as_ref().map_or("value".to_owned(), |e| e.kind.to_string());
        // Stacks are small here, and values of 32 bits: another limit may come first, and depth where elsewhere there is none.
        let fits = |kind: &str| got == kind || (kind.starts_with("limit") && got.starts_with("limit/"));
        if !attack.ends_in.split(" or ").any(fits) && got == "limit/depth" {
            shallower += 1;
        } else if !attack.ends_in.split(" or ").any(fits) {
            wrong.push(format!("{}: expected {}, got {got}: {:?}", attack.name, attack.ends_in, turns[1].error));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    assert!(shallower < 12, "{shallower}");
}

#[test]
fn the_package_keeps_its_promises() {
    let said = run(script("package.mjs"));
    assert!(said.contains(" tests passed"), "{said}");
}

#[test]
fn the_types_hold() {
    let compiler = root().join("target/tools/typescript/package/bin/tsc");
    assert!(compiler.is_file(), "no compiler: run scripts/typescript");
    let folder = root().join("target/npm/types");
    std::fs::create_dir_all(&folder).unwrap();
    let config = json!({
        "compilerOptions": {
            "strict": true, "noEmit": true, "module": "nodenext", "target": "es2022", "lib": ["es2023", "dom"], "types": [],
            "paths": { "ptc-runtime": [made().0.join("index.d.ts")], "ptc-runtime/core": [made().0.join("core.d.ts")] },
        },
        "files": [root().join("tests/external/wasm/typed.mts")],
    });
    std::fs::write(folder.join("tsconfig.json"), config.to_string()).unwrap();
    let mut tsc = Command::new("node");
    tsc.arg(compiler).arg("-p").arg(&folder);
    run(tsc);
}

/// The blocks of JavaScript in these pages, each run as it stands, as the user of the installed package.
#[test]
fn the_examples_of_the_pages_run() {
    let user = root().join("target/npm/user");
    let modules = user.join("node_modules/ptc-runtime");
    let _ = std::fs::remove_dir_all(&user);
    std::fs::create_dir_all(&modules).unwrap();
    for file in std::fs::read_dir(&made().0).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), modules.join(file.file_name())).unwrap();
    }
    let mut ran = 0;
    for page in ["docs/wasm.md", "crates/wasm/README.md"] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        for block in text.split("```js\n").skip(1).map(|rest| rest.split("\n```").next().unwrap()) {
            // What a line prints stands behind it.
            let prints = block.lines().filter(|l| l.contains("console.log("));
            let expected: Vec<&str> = prints.filter_map(|l| l.split_once("; // ")).map(|l| l.1).collect();
            std::fs::write(user.join("example.mjs"), block).unwrap();
            let mut node = Command::new("node");
            node.arg("example.mjs").current_dir(&user);
            assert_eq!(run(node).lines().collect::<Vec<_>>(), expected, "{page}:\n{block}");
            ran += 1;
        }
    }
    assert!(ran >= 6, "{ran} blocks ran");
}

/// What is seen and pressed in the playground, opened as a file.
#[test]
fn the_playground_runs_without_a_server() {
    let playwright = root().join("target/tools/browser/package");
    assert!(playwright.is_dir() && Path::new("/usr/bin/chromium").exists(), "no browser: run scripts/browser");
    let folder = ptc_tests::cli::Folder::new("playground").unwrap();
    let mut session = Session::new(Config { prompt: "How many overdue invoices?".into(), ..Config::default() });
    for program in ["(def n 3)", "(return n)"] {
        session.run(program, TurnContext::without_host()).unwrap();
    }
    std::fs::write(folder.path("t.jsonl"), session.trace().to_text()).unwrap();
    let mut node = script("playground.mjs");
    node.arg(playwright.canonicalize().unwrap()).arg(&made().1).arg(folder.path("t.jsonl"));
    let facts: Value = serde_json::from_str(&run(node)).unwrap();
    assert_eq!(facts["trouble"], json!([]));
    let requests = facts["requests"].as_array().unwrap();
    let own = |r: &Value| r.as_str().is_some_and(|r| r.starts_with("file:") || r.starts_with("blob:"));
    assert!(requests.iter().all(own), "{requests:?}");
    let first = json!({ "status": "ok", "printed": "40 reviews, keys (:id :stars :month :about :text)", "told": true });
    for (name, fact) in first.as_object().unwrap() {
        assert_eq!(&facts["first"][name], fact, "{name}");
    }
    assert!(facts["first"]["next"].as_str().unwrap().starts_with("(def bad "), "{}", facts["first"]);
    // Switching the policy changes what is shown and counted, and the counts of the messages are that of the prompt.
    let (short, full) = (&facts["compressed"], &facts["full"]);
    assert!(short["compressed"].as_u64() < short["full"].as_u64(), "{short}");
    assert_eq!((&short["sum"], &full["sum"]), (&short["compressed"], &short["full"]));
    assert!(facts["empty"]["full"].as_u64() < facts["second"]["full"].as_u64());
    assert!(facts["second"]["full"].as_u64() < full["full"].as_u64(), "{facts}");
    assert_eq!(facts["second"]["program"], "(def bad ");
    assert!(
        facts["wrongOption"].as_str().unwrap().starts_with("policy: keep_turns must be"),
        "{}",
        facts["wrongOption"]
    );
    assert_eq!(facts["own"].as_str().unwrap().replace([',', ' '], ""), format!("{}tokens", short["compressed"]));
    assert_eq!(facts["saved"], 6);
    assert_eq!(facts["opened"], json!({ "turns": 2, "value": "=> 3" }));
    assert_eq!(
        (&facts["wentOn"], &facts["stopped"], &facts["tools"]),
        (&json!("=> 4"), &json!("=> 9"), &json!("=> {:total 2215, :items 4}"))
    );
    assert!(facts["noTrace"].as_str().unwrap().contains("trace"), "{}", facts["noTrace"]);
    assert!(facts["error"]["words"].as_str().unwrap().contains("did you mean reduce?"));
    assert_eq!((&facts["error"]["next"], &facts["marked"]), (&json!(true), &json!("redcue")));
    assert!(facts["runaway"].as_str().unwrap().starts_with("limit/fuel: "), "{}", facts["runaway"]);
    assert!(facts["noJson"].as_str().unwrap().starts_with("The inputs are no JSON"));
    assert_eq!(facts["markup"], json!({ "images": 0, "value": "=> \"<b>bold</b>\"" }));
    assert_eq!((&facts["wide"], &facts["labels"]), (&json!(0), &json!([])));
    assert_ne!(facts["light"], facts["dark"]);
}
