//! The hostile programs: files of them, by class of attack, and what must hold of each.

mod session;

pub use session::Session;

use ptc_lisp::interface::{Outcome, RunResult};

/// A program that attacks.
pub struct Attack {
    /// File and place in it: `class-04-sharing 2`.
    pub name: String,
    /// The kind of error it must end in: `limit/fuel`, `limit` for any, `value`, alternatives separated by ` or `.
    pub ends_in: String,
    /// The program.
    pub source: String,
}

/// `{{1000*text}}` in a program stands for `text` a thousand times.
fn expanded(source: &str) -> String {
    let mut out = String::new();
    let mut rest = source;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        match after.split_once("}}").and_then(|(inner, rest)| Some((inner.split_once('*')?, rest))) {
            Some(((n, text), behind)) => {
                out.push_str(&text.repeat(n.parse().unwrap_or(0)));
                rest = behind;
            }
            None => {
                out.push_str("{{");
                rest = after;
            }
        }
    }
    out + rest
}

/// All attacks: each begins at a line `;; ends in KIND`.
pub fn attacks() -> Vec<Attack> {
    let mut paths: Vec<_> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/programs"))
        .map(|d| d.filter_map(|e| e.ok().map(|e| e.path())).collect())
        .unwrap_or_default();
    paths.sort();
    let mut all = Vec::new();
    for path in paths.iter().filter(|p| p.extension().is_some_and(|e| e == "lisp")) {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let file = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        for (i, part) in text.split(";; ends in ").skip(1).enumerate() {
            let (kind, source) = part.split_once('\n').unwrap_or((part, ""));
            all.push(Attack {
                name: format!("{file} {}", i + 1),
                ends_in: kind.trim().to_string(),
                source: expanded(source),
            });
        }
    }
    all
}

/// `value`, or the kind of the error.
pub fn ending(outcome: &Outcome) -> String {
    match &outcome.ending {
        RunResult::Value(_) | RunResult::Returned(_) => "value".to_string(),
        RunResult::Failed(_, e) | RunResult::Error(e) => e.kind.to_string(),
    }
}

/// Runs a program after a good turn and a good turn after it: how it ended, and what is wrong with that.
pub fn check(session: &mut Session, attack: &Attack) -> (String, Option<String>) {
    session.run("(def kept [1 2 3]) (def counter (atom 7))");
    let outcome = session.run(&attack.source);
    let got = ending(&outcome);
    let message = match &outcome.ending {
        RunResult::Failed(_, e) | RunResult::Error(e) => e.to_string().len(),
        _ => 0,
    };
    drop(outcome);
    let name = &attack.name;
    let fits = |kind: &str| got == kind || (kind == "limit" && got.starts_with("limit/"));
    let mut wrong = None;
    if !attack.ends_in.split(" or ").any(fits) {
        wrong = Some(format!("{name}: expected {}, got {got}", attack.ends_in));
    }
    if message > 4200 {
        wrong = Some(format!("{name}: a message of {message} bytes"));
    }
    let after = session.text("[kept @counter (count (map inc kept))]");
    if after.as_deref() != Ok("[[1 2 3] 7 3]") {
        wrong = Some(format!("{name}: the next turn gave {after:?}"));
    }
    (got, wrong)
}
