//! Runs commands in this process, with a folder of their own.

use std::path::{Path, PathBuf};

/// What a command did.
#[derive(Debug)]
pub struct Did {
    /// Its exit code.
    pub code: i32,
    /// Its result.
    pub out: String,
    /// What else it said, without styles.
    pub err: String,
}

/// `ptc ARGS` with this standard input.
pub fn ptc_with(args: &[&str], stdin: &str) -> Did {
    ptc_in(args, stdin, ptc_cli::Around::default())
}

/// `ptc ARGS` with this standard input, in these surroundings.
pub fn ptc_in(args: &[&str], stdin: &str, around: ptc_cli::Around) -> Did {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = std::iter::once("ptc").chain(args.iter().copied());
    let code = ptc_cli::run_in(args, &mut stdin.as_bytes(), &mut out, &mut err, around);
    let err = String::from_utf8(err).unwrap();
    let mut plain = String::new();
    let mut rest = err.as_str();
    while let Some(at) = rest.find('\u{1b}') {
        plain.push_str(&rest[..at]);
        rest = rest[at..].split_once('m').unwrap().1;
    }
    plain.push_str(rest);
    Did { code, out: String::from_utf8(out).unwrap(), err: plain }
}

/// `ptc ARGS`
pub fn ptc(args: &[&str]) -> Did {
    ptc_with(args, "")
}

/// A folder that goes away.
pub struct Folder(pub PathBuf);

impl Folder {
    /// A new one.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ptc-cli-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// A file in it, with this text; its path.
    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    /// The path of something in it.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// A task of three turns with an input and a recorded tool; its path.
    pub fn task(&self) -> String {
        self.file(
            "shop/task.toml",
            "[task]\nname = \"shop\"\nprompt = \"What is in stock?\"\nmodel = \"replay:replies.md\"\nmax_turns = 4\n\
             [context.items]\nfile = \"items.json\"\n\
             [tools.stock]\ndescription = \"Units\"\nparams = [{ name = \"item\", type = \"string\" }]\nreplay = \"stock.jsonl\"\n",
        );
        self.file("shop/items.json", "[{\"name\": \"pen\"}, {\"name\": \"ink\"}]");
        self.file(
            "shop/stock.jsonl",
            "{\"args\": {\"item\": \"pen\"}, \"result\": 3}\n{\"args\": {\"item\": \"pen\"}, \"result\": 2}\n{\"args\": {\"item\": \"ink\"}, \"error\": \"sold out\"}\n",
        );
        self.file(
            "shop/replies.md",
            "## Turn 1\nI look.\n```clojure\n(def n \"Pens\" (tool/stock \"pen\"))\n(println n)\n```\n\n\
             ## Turn 2\n```clojure\n(tool/stock (:name (second ctx/items)))\n```\n\n\
             ## Turn 3\n```clojure\n(return {:pen [n (tool/stock \"pen\")] :by :shop})\n```\n",
        );
        self.path("shop")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A trace without what differs from run to run: times.
pub fn timeless(path: &str) -> String {
    let text = std::fs::read_to_string(Path::new(path)).unwrap();
    let mut out = String::new();
    for line in text.lines() {
        let mut data: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Some(act) = data.as_object_mut().filter(|o| o.contains_key("act")) {
            act.remove("time");
            for call in act.get_mut("tool_calls").and_then(|c| c.as_array_mut()).into_iter().flatten() {
                call.as_object_mut().unwrap().remove("ms");
            }
        } else if let Some(turn) = data.as_object_mut().filter(|o| o.contains_key("turn")) {
            turn.remove("time");
            for key in ["cpu_ms", "wall_ms"] {
                turn["usage"].as_object_mut().unwrap().remove(key);
            }
            for call in turn["tool_calls"].as_array_mut().unwrap() {
                call.as_object_mut().unwrap().remove("ms");
            }
        }
        out.push_str(&format!("{data}\n"));
    }
    out
}
