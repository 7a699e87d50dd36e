//! Recorded replies are held to the prompts that they were given to.

use ptc_agent::host::sha256;
use ptc_tests::cli::{Did, Folder, ptc};

const TASK: &str = r#"
[task]
prompt = "Add what the shop says."
model = "replay:replies.md"
[tools.stock]
command = ["sh", "-c", "cat >/dev/null; echo x >> calls; cat stock"]
"#;

const REPLIES: &str = "## Turn 1\n\n(def x (tool/stock))\n(println x)\n\n## Turn 2\n\n(return (inc x))\n";

struct Case(Folder);

impl Case {
    fn new(name: &str) -> Self {
        let case = Case(Folder::new(&format!("recorded-{name}")).unwrap());
        case.put("task.toml", TASK).put("replies.md", REPLIES).put("stock", "5");
        case
    }

    fn put(&self, name: &str, text: &str) -> &Self {
        std::fs::write(self.0.path(name), text).unwrap();
        self
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.path(name)).unwrap_or_default()
    }

    /// `ptc run` with these options; files named `@x` are in the folder.
    fn run(&self, options: &str) -> Did {
        let folder = self.0.path("");
        let options: Vec<String> = options.split_whitespace().map(|o| o.replace('@', &folder)).collect();
        let args: Vec<&str> = ["run", folder.as_str()].into_iter().chain(options.iter().map(String::as_str)).collect();
        ptc(&args)
    }
}

#[test]
fn a_recording_knows_the_prompts_it_was_made_with() {
    let case = Case::new("same");
    let did = case.run("--record @r.md --trace @t.jsonl");
    assert_eq!((did.code, did.out.as_str()), (0, "6\n"), "{}", did.err);
    let recorded = case.read("r.md");
    // The hash is that of what `ptc messages` prints.
    for turn in [1, 2] {
        let shown = ptc(&["messages", &case.0.path("t.jsonl"), "--turn", &turn.to_string(), "--json"]).out;
        let hash = &sha256(shown.trim_end().as_bytes())[..32];
        assert!(recorded.contains(&format!("## Turn {turn} <!-- request {hash} -->\n")), "{hash}: {recorded}");
    }
    for how in ["", "--replay warn", "--replay=strict"] {
        let did = case.run(&format!("--model replay:@r.md {how}"));
        assert_eq!((did.code, did.out.as_str()), (0, "6\n"), "{}", did.err);
        assert!(!did.err.contains("warning"), "{}", did.err);
    }
}

#[test]
fn a_prompt_that_differs_is_told_with_its_turn_or_ends_the_run() {
    let case = Case::new("differs");
    case.run("--record @r.md");
    case.put("task.toml", &TASK.replace("the shop", "a shop"));
    let words = "the prompt of turn 1 is not the one that its reply in";
    let did = case.run("--model replay:@r.md");
    assert_eq!((did.code, did.out.as_str(), did.err.matches(words).count()), (0, "6\n", 1), "{}", did.err);
    // Reported once, for the first turn that differs.
    assert_eq!(did.err.matches("warning").count(), 1, "{}", did.err);
    // Nothing is run: no call, no turn.
    case.put("calls", "");
    let did = case.run("--model replay:@r.md --replay=strict --trace @t.jsonl --json");
    assert_eq!(did.code, 1, "{}", did.err);
    assert!(did.err.contains(words) && did.err.contains("nothing was run"), "{}", did.err);
    assert!(did.out.contains("\"status\":\"error\"") && did.out.contains("\"turns\":0"), "{}", did.out);
    assert_eq!(
        (case.read("calls").as_str(), case.read("t.jsonl").lines().count()),
        ("", 2),
        "the header, and how it ended"
    );
}

/// What a tool answers is in the next prompt: it differs from then on.
#[test]
fn a_later_turn_that_differs_is_named() {
    let case = Case::new("later");
    case.run("--record @r.md");
    case.put("stock", "7");
    let did = case.run("--model replay:@r.md --replay=strict --trace @t.jsonl");
    assert!(did.code == 1 && did.err.contains("the prompt of turn 2 is not the one"), "{}", did.err);
    assert_eq!(case.read("t.jsonl").lines().filter(|l| l.starts_with("{\"turn\":")).count(), 1);
    // Compared from where it continues, too; and once it is recorded again, all is well.
    let did = case.run("--model replay:@r.md --replay=strict --resume @t.jsonl");
    assert!(did.code == 1 && did.err.contains("the prompt of turn 2 is not the one"), "{}", did.err);
    assert_eq!(case.run("--model replay:@r.md --record @again.md").out, "8\n");
    let did = case.run("--model replay:@again.md --replay=strict");
    assert_eq!((did.code, did.out.as_str()), (0, "8\n"), "{}", did.err);
}

#[test]
fn recordings_written_by_hand_are_compared_with_nothing() {
    let case = Case::new("hand");
    let did = case.run("");
    assert!(did.code == 0 && !did.err.contains("warning"), "{}", did.err);
    let did = case.run("--replay=strict");
    assert_eq!((did.code, did.out.as_str()), (0, "6\n"), "{}", did.err);
    let words =
        "replies.md has no hash of the request of turn 1, so its prompt is not compared; record it again with --record";
    assert!(did.err.contains(words) && did.err.matches("warning").count() == 1, "{}", did.err);
    // A hash that is none is a comment like any other.
    case.put("replies.md", &REPLIES.replace("## Turn 1", "## Turn 1 <!-- request 12 -->"));
    assert!(case.run("--replay=strict").err.contains("no hash of the request of turn 1"));
    case.put("task.toml", &TASK.replace("replay:replies.md", "ollama/x"));
    let did = case.run("--replay=strict");
    assert!(
        did.code == 2 && did.err.contains("--replay is for recorded models, and this task has none"),
        "{}",
        did.err
    );
    assert!(case.run("--replay=maybe").code == 2);
}

/// Replies of acts with models of their own have their prompts beside them as well.
#[test]
fn acts_are_compared_too() {
    let case = Case::new("acts");
    let task = |words: &str| {
        format!(
            "[task]\nmodel = \"replay:replies.md\"\n[toc]\norder = [\"a\", \"b\"]\n\
             [acts.a]\nmode = \"text\"\nmodel = \"replay:a.md\"\n[[acts.a.input]]\ntype = \"text\"\ncontent = \"One.\"\n\
             [acts.b]\nmode = \"text\"\n[[acts.b.input]]\ntype = \"text\"\ncontent = \"{words} {{{{a}}}}\"\n"
        )
    };
    case.put("task.toml", &task("Two.")).put("a.md", "## Turn 1\n\nfirst\n").put("replies.md", "## Turn 1\n\nsecond\n");
    let did = case.run("--record @r.md");
    assert_eq!((did.code, did.out.as_str()), (0, "second\n"), "{}", did.err);
    assert_eq!(case.read("r.md").matches("<!-- request ").count(), 2);
    let did = case.run("--model replay:@r.md --replay=strict");
    assert_eq!((did.code, did.out.as_str()), (0, "second\n"), "{}", did.err);
    case.put("task.toml", &task("Three."));
    let did = case.run("--model replay:@r.md --replay=strict");
    assert!(did.code == 1 && did.err.contains("the prompt of turn 2 is not the one"), "{}", did.err);
}
