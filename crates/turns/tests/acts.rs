//! Acts: one conversation and one memory, asked act by act; what is shown of it, kept of it, and made again from it.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use ptc_history::tokens::{Counter, Seven};
use ptc_history::{Block, Message, Part, PartKind, Retention, Role, ViewContext};
use ptc_turns::policy::Layout;
use ptc_turns::trace::record::Call;
use ptc_turns::{
    Act, ActWords, Called, Config, IncrementalView, Json, Mode, Policy, Session, Status, Trace, TurnContext,
    TurnRefused, messages, request,
};

/// A table of so many rows, as an input.
fn table(rows: usize, retention: Option<Retention>) -> Block {
    let lines: String = (0..rows).map(|i| format!("| {i} | a post about number {i} |\n")).collect();
    let part = Part {
        kind: PartKind::Table,
        name: Some("posts".into()),
        history_retention: retention,
        count: Some(rows as u64),
        offset: None,
    };
    Block::Text { text: format!("| id | text |\n|---|---|\n{lines}"), part: Some(Box::new(part)) }
}

fn words(name: &str, mode: Mode, max_turns: u64) -> ActWords {
    ActWords { name: name.into(), mode, max_turns, tools: None }
}

fn acts() -> Vec<ActWords> {
    vec![words("look", Mode::Text, 1), words("count", Mode::Program, 3), words("tell", Mode::Text, 1)]
}

fn session(policy: Policy) -> Session {
    Session::new(Config { system: Some("S.".into()), acts: acts(), policy, ..Config::default() })
}

fn say(s: &mut Session, reply: &str) -> Status {
    s.reply(reply, TurnContext::without_host()).unwrap().status
}

fn open(s: &mut Session, content: Vec<Block>) -> Act {
    let at = s.trace().next_act().unwrap();
    let act = Act::new(&acts()[at], content);
    Act::clone(&*s.open(act).unwrap())
}

/// All three acts; calls `look` at each step.
fn whole(policy: Policy, mut look: impl FnMut(&Session)) -> Session {
    let mut s = session(policy);
    look(&s);
    open(&mut s, vec![table(60, Some(Retention::Summary)), Block::text("Which are best?")]);
    look(&s);
    assert_eq!(say(&mut s, "Posts 3 and 7."), Status::Answered);
    look(&s);
    open(&mut s, vec![table(70, None), Block::text("Count them.")]);
    look(&s);
    assert_eq!(say(&mut s, "(def xs \"The best\" [3 7]) (println \"two\")"), Status::Ok);
    look(&s);
    assert_eq!(say(&mut s, "(oops)"), Status::Error);
    look(&s);
    assert_eq!(say(&mut s, "(return (count xs))"), Status::Returned);
    look(&s);
    open(&mut s, vec![Block::text("Tell it.")]);
    look(&s);
    assert_eq!(say(&mut s, "There are two."), Status::Answered);
    look(&s);
    s
}

/// The answer of a text act is what was said after thinking; the reply is kept as it came.
#[test]
fn thoughts_are_no_part_of_an_answer() {
    let mut s = session(Policy::default());
    open(&mut s, vec![Block::text("Which are best?")]);
    let reply = "Post 3? No.\n</think>\n\nPosts 5 and 7.";
    let turn = s.reply(reply, TurnContext::without_host()).unwrap();
    assert_eq!((turn.status, turn.value.as_deref()), (Status::Answered, Some("\"Posts 5 and 7.\"")));
    assert_eq!(turn.said(), reply);
    let mut s = session(Policy::default());
    open(&mut s, vec![Block::text("Which are best?")]);
    assert_eq!(say(&mut s, "<think>Posts 3 and"), Status::Error);
}

fn roles(list: &[Message]) -> String {
    list.iter().map(|m| m.role.as_str().chars().next().unwrap()).collect()
}

#[test]
fn an_act_is_asked_once_and_its_answer_ends_it() {
    let mut s = session(Policy::full());
    assert_eq!(s.may_run(), Err(TurnRefused::ActDue { next: "look".into() }));
    assert!(s.reply("x", TurnContext::without_host()).is_err());
    open(&mut s, vec![Block::text("Look.")]);
    let again = s.open(Act::new(&acts()[0], vec![])).unwrap_err();
    assert_eq!(again.to_string(), "no act is due: one is going on");
    say(&mut s, "```clojure\n(return 1)\n```");
    assert_eq!(s.trace().last().unwrap().value_json.as_ref().unwrap().text(), "\"```clojure\\n(return 1)\\n```\"");
    assert_eq!(s.may_run().unwrap_err().to_string(), "the act count has not begun; open it first");
    let act = open(&mut s, vec![Block::text("Count.")]);
    assert_eq!((act.act, act.first_turn, act.last_turn()), (2, 2, 4));
    assert_eq!(s.turns_left(), 3);
    for _ in 0..3 {
        say(&mut s, "(inc 1)");
    }
    assert_eq!(s.trace().last().unwrap().feedback, "=> 2\nOut of turns: max_turns is 3 in act count");
    assert_eq!(s.may_run().unwrap_err().to_string(), "out of turns: max_turns is 3 in act count");
    assert!(s.trace().ended() && s.trace().next_act().is_none());
    s.set_max_turns(4);
    assert_eq!(say(&mut s, "(return 2)"), Status::Returned);
    open(&mut s, vec![Block::text("Tell.")]);
    say(&mut s, " ");
    assert_eq!(s.trace().last().unwrap().error.as_ref().unwrap().message, "the reply is empty");
    assert!(s.trace().ended() && s.may_run().is_err());
}

#[test]
fn a_reply_that_fails_ends_all() {
    let mut s = session(Policy::full());
    open(&mut s, vec![Block::text("Look.")]);
    say(&mut s, "Two.");
    open(&mut s, vec![Block::text("Count.")]);
    assert_eq!(say(&mut s, "(fail \"no\")"), Status::Failed);
    assert!(s.trace().ended());
    assert_eq!(s.may_run().unwrap_err(), TurnRefused::Finished { turn: 2, how: "failed" });
}

#[test]
fn the_view_that_is_kept_is_the_one_that_is_computed() {
    for text in [
        "",
        "compress_history = true",
        "compress_history = true\noutput_tokens = 0",
        "compress_history = true\nprintln_history_limit = 15\nerror_retention = \"always\"",
        "compress_history = true\nerror_retention = \"until_recovered\"\nlayout = \"coalesced\"",
        "strategy = \"auto\"",
    ] {
        let policy: Policy = toml::from_str(text).unwrap();
        let s = whole(policy.clone(), |s| {
            let slow = messages(s.trace(), &policy, None);
            assert_eq!(s.view().messages(), slow, "{text}");
            assert_eq!(IncrementalView::of(s.trace(), &policy).messages(), slow);
            let size = |list: &[Message]| list.iter().skip(1).map(|m| Seven.count(&m.text())).sum::<u64>();
            let full = messages(s.trace(), &Policy::full(), None);
            let counted = policy.println_history_limit.is_some() || policy.layout != Layout::Assistant;
            assert!(counted || size(&slow) <= size(&full), "{text}: {} of {} tokens", size(&slow), size(&full));
            assert!(slow.iter().skip(1).zip(slow.iter().skip(2)).all(|(a, b)| a.role != b.role), "{}", roles(&slow));
        });
        assert_eq!(roles(s.view().messages()), "suauauauaua");
        assert_eq!(s.view().messages().last().unwrap().text(), "There are two.");
    }
}

#[test]
fn messages_say_what_was_asked_and_what_came_back() {
    let s = whole(Policy { error_context_turns: 0, ..Policy::legacy_entry_count() }, |_| {});
    let all = s.view().messages();
    assert_eq!(all[2].text(), "Posts 3 and 7.");
    assert!(all[3].text().ends_with("|\n\nCount them."), "{}", all[3].text());
    assert_eq!(all[4].text(), "; Defined: xs - \"The best\" = list[2]\n; Output:\ntwo");
    assert_eq!(all[8].text(), "; (nothing to show)");
    assert_eq!(all[9].text(), "=> 2\nTell it.");
    assert_eq!(all[9].meta.as_ref().unwrap().act, Some(3));
    // Earlier turns are seen from the trace too: before turn 2 stands the second act.
    let before = messages(s.trace(), &Policy::full(), Some(2));
    assert_eq!((roles(&before).as_str(), before[3].content.len()), ("suau", 2));
}

/// R-05, R-18, R-35, R-38: whole in its act, rewritten once, right before the first request of the next.
#[test]
fn inputs_are_whole_in_their_act_and_shortened_from_the_next_on() {
    let mut seen: Vec<Vec<String>> = Vec::new();
    whole(Policy::full(), |s| {
        let sent = s.request(&ViewContext::default()).unwrap();
        seen.push(sent.iter().map(|m| m.text().into_owned()).collect());
    });
    let table = |n: usize, rows: usize| seen[n].iter().any(|t| t.contains(&format!("about number {} ", rows - 1)));
    assert!(table(1, 60), "act 1 is asked with the whole table");
    let kept = "[Table: posts, 60 rows, ~2KB]\nWhich are best?";
    assert_eq!(seen[3][1], kept);
    // Above no threshold and with no word of its own, the second stays, in its act and after it.
    for (n, sent) in seen.iter().enumerate().skip(3) {
        assert_eq!((table(n, 70), sent[1].as_str()), (true, kept), "step {n}");
    }
    for pair in seen[3..7].windows(2) {
        assert!(pair[1].starts_with(&pair[0]), "prefixes grow");
    }
}

/// R-18: by the threshold, from the next act on.
#[test]
fn the_threshold_waits_for_the_end_of_the_act() {
    let policy: Policy = toml::from_str("auto_summary_threshold = 1500").unwrap();
    let mut long = Vec::new();
    let s = whole(policy.clone(), |s| {
        let sent = s.request(&ViewContext::default()).unwrap();
        long.push(sent.iter().any(|m| m.text().contains("about number 69 ")));
    });
    assert_eq!(long, [false, false, false, true, true, true, true, false, false]);
    let view = request(s.trace(), &policy, None, &ViewContext::default()).unwrap();
    assert!(view.events.iter().any(|e| e.text.contains("above auto_summary_threshold (1500)")), "{:?}", view.events);
}

#[test]
fn traces_with_acts_are_written_read_and_replayed() {
    let mut prefixes = Vec::new();
    let s = whole(Policy::full(), |s| prefixes.push(s.trace().to_text()));
    let text = s.trace().to_text();
    assert_eq!(text.lines().count(), 1 + 3 + 5);
    assert!(text.contains(
        "\n{\"act\":2,\"name\":\"count\",\"mode\":\"program\",\"first_turn\":2,\"max_turns\":3,\"content\":[{"
    ));
    assert!(text.contains("\"acts\":[{\"name\":\"look\",\"mode\":\"text\",\"max_turns\":1},"));
    for prefix in &prefixes {
        let loaded = Trace::parse(prefix.as_bytes()).unwrap();
        assert_eq!((loaded.trace.to_text(), &loaded.torn), (prefix.clone(), &None));
        let again = Session::from_trace(loaded.trace, Vec::new()).unwrap();
        assert_eq!(again.trace().to_text(), *prefix);
        assert_eq!(again.may_run().is_err(), again.trace().next_act().is_some() || again.trace().ended());
        // A line that is torn, of an act or a turn, gives its place to the next.
        let torn = &text[..prefix.len() + (text.len() - prefix.len()).min(30)];
        let loaded = Trace::parse(torn.as_bytes()).unwrap();
        assert_eq!(loaded.torn.is_some(), prefix.len() < text.len());
        assert_eq!(loaded.trace.to_text(), *prefix);
    }
    let broken = text.replace("\"act\":2", "\"act\":5");
    assert!(Trace::parse(broken.as_bytes()).unwrap_err().message.contains("act 5 of turn 2 does not belong here"));
    for turn in [1, 3] {
        let broken = text.replace("\"first_turn\":2", &format!("\"first_turn\":{turn}"));
        let told = Trace::parse(broken.as_bytes()).unwrap_err().message;
        assert!(told.ends_with(&format!("act 2 of turn {turn} does not belong here")), "{told}");
    }
}

fn called(id: u64) -> Called {
    let args = Json::new("{\"q\":1}".into()).unwrap();
    let tool_call = Call {
        id,
        name: "find".into(),
        args,
        result: Json::new("[1]".into()),
        error: None,
        failure: None,
        ms: 3,
        together: None,
        decided: None,
    };
    Called { before_act: 0, input: 1, tool_call, time: 5 }
}

/// A call that was made stands in the trace though its act has not begun, and once only.
#[test]
fn calls_before_an_act_are_kept_in_their_place() {
    let mut s = session(Policy::full());
    s.call_ahead(called(1)).unwrap();
    let first = s.trace().to_text();
    let ids = |t: &Trace| t.calls().map(|c| c.id).collect::<Vec<_>>();
    assert_eq!((ids(s.trace()), s.trace().ahead().count()), (vec![1], 1));
    let mut act = Act::new(&acts()[0], vec![Block::text("Look.")]);
    act.tool_calls.push(called(1).tool_call);
    s.open(act).unwrap();
    assert_eq!((ids(s.trace()), s.trace().ahead().count()), (vec![1], 0));
    assert_eq!(s.call_ahead(called(2)).unwrap_err().to_string(), "no act is due: one is going on");
    say(&mut s, "Two.");
    s.call_ahead(called(2)).unwrap();
    assert_eq!(ids(s.trace()), [1, 2]);
    let text = s.trace().to_text();
    assert!(text.starts_with(&first) && first.lines().last().unwrap().starts_with("{\"before_act\":1,\"input\":1,"));
    for kept in [&first, &text] {
        let loaded = Trace::parse(kept.as_bytes()).unwrap().trace;
        assert_eq!(loaded.to_text(), **kept);
        let again = Session::from_trace(loaded, Vec::new()).unwrap();
        assert_eq!((again.trace().to_text(), again.trace().ahead().count()), ((*kept).clone(), 1));
    }
    let wrong = |broken: String| Trace::parse(broken.as_bytes()).unwrap_err().message;
    let told = wrong(text.replace("\"before_act\":1", "\"before_act\":2"));
    assert!(told.ends_with("trace line 2: a call before act 2 does not belong here"), "{told}");
    let turn = text.lines().find(|l| l.starts_with("{\"turn\":1,")).unwrap().replacen(":1", ":2", 1);
    let told = wrong(format!("{text}{turn}\n"));
    assert!(told.ends_with("trace line 6: a call before act 2 does not belong here"), "{told}");
}

#[test]
fn the_system_message_says_how_acts_work() {
    let system = |acts: Vec<ActWords>, own: Option<&str>| {
        Config { acts, system: own.map(str::to_owned), ..Config::default() }.header().system
    };
    assert_eq!(system(vec![words("a", Mode::Text, 1)], Some("Be brief.")), "Be brief.");
    assert!(system(vec![words("a", Mode::Text, 1)], None).starts_with("Answer each message in plain text."));
    let mixed = system(acts(), None);
    for part in ["The work has 3 acts", "answered in plain text, without a program", "`return` ends its act"] {
        assert!(mixed.contains(part), "{part}");
    }
    assert!(!mixed.contains("{{"));
    assert_eq!(messages(session(Policy::full()).trace(), &Policy::full(), None)[1].role, Role::User);
}

/// Answers every call with its tool's name.
struct Named(Vec<String>);

impl ptc_lisp::interface::Tools for Named {
    fn call(&mut self, _: u64, name: &str, _: &ptc_lisp::value::Value) -> Result<ptc_lisp::value::Value, String> {
        self.0.push(name.to_owned());
        Ok(ptc_lisp::value::Value::str(name))
    }
}

#[test]
fn a_tool_that_is_not_the_acts_is_refused_before_it_is_called() {
    let act = |name: &str, tools: Option<&[&str]>| ActWords {
        tools: tools.map(|list| list.iter().map(|&t| t.to_owned()).collect()),
        ..words(name, Mode::Program, 4)
    };
    let acts = vec![
        act("read", Some(&["search"])),
        act("change", Some(&["order"])),
        words("tell", Mode::Text, 1),
        act("rest", None),
    ];
    let spec = |name: &str| ptc_lisp::interface::ToolSpec {
        name: name.into(),
        description: format!("Does {name}"),
        params: Some(Vec::new()),
        returns: None,
    };
    let tools = vec![spec("search"), spec("order"), spec("idle")];
    let mut s = Session::new(Config { acts: acts.clone(), tools, ..Config::default() });
    let system = s.trace().header.system.clone();
    for line in [
        "- `(tool/search)`: Does search [] (only in the acts read, rest)\n",
        "- `(tool/order)`: Does order (only in the acts change, rest)\n",
        "- `(tool/idle)`: Does idle (only in the act rest)\n",
    ] {
        let line = line.replace(" []", "");
        assert!(system.contains(&line), "{line}{system}");
    }
    let mut made = Named(Vec::new());
    let mut run = |s: &mut Session, program: &str| {
        let turn = s.run(program, TurnContext::with_tools(&mut made)).unwrap().clone();
        let error = turn.error.as_ref().map(|e| format!("{}: {}; {}", e.kind, e.message, e.hint.clone().unwrap()));
        (error.or(turn.value.clone()).unwrap(), turn.tool_calls.len())
    };
    let enter = |s: &mut Session| {
        let at = s.trace().next_act().unwrap();
        s.open(Act::new(&acts[at], vec![Block::text("Go")])).unwrap();
    };
    enter(&mut s);
    let refused =
        "denied: tool/order is not a tool of the act read; it is one of the act change: (return ...) ends this act";
    // What came before the refused call has been made and is recorded; the refused one is neither.
    assert_eq!(run(&mut s, "(defn buy [] (tool/order)) (tool/search) (buy)"), (refused.into(), 1));
    assert_eq!(run(&mut s, "(pmap #(%) [tool/search tool/order])"), (refused.into(), 1));
    let caught = "(defn buy [] (tool/order)) (try (buy) (catch Exception e (ex-message e)))";
    assert_eq!(run(&mut s, caught), ("\"tool/order is not a tool of the act read\"".into(), 0));
    assert_eq!(run(&mut s, "(return (tool/search))"), ("\"search\"".into(), 1));
    enter(&mut s);
    let over =
        "denied: tool/search is not a tool of the act change; it is one of the act rest: (return ...) ends this act";
    assert_eq!(run(&mut s, "(tool/search)"), (over.into(), 0));
    // The header says whose tools they are: a session that was read refuses what it refused.
    let text = s.trace().to_text();
    let mut again = Session::from_trace(Trace::parse(text.as_bytes()).unwrap().trace, Vec::new()).unwrap();
    assert_eq!(run(&mut again, "(tool/search)"), (over.into(), 0));
    assert_eq!(run(&mut s, "(return (buy))"), ("\"order\"".into(), 1));
    enter(&mut s);
    assert_eq!(say(&mut s, "Told."), Status::Answered);
    // What goes on behind the acts, as `ptc repl` does, works at none of them.
    let text = s.trace().to_text();
    let mut behind = Session::from_trace(Trace::parse(text.as_bytes()).unwrap().trace, Vec::new()).unwrap();
    behind.set_open_ended(true);
    behind.set_max_turns(100);
    assert_eq!(run(&mut behind, "[(tool/search) (tool/order)]"), ("[\"search\" \"order\"]".into(), 2));
    enter(&mut s);
    assert_eq!(run(&mut s, "[(buy) (tool/idle)]"), ("[\"order\" \"idle\"]".into(), 2));
    assert_eq!(made.0, ["search", "search", "search", "order", "search", "order", "order", "idle"]);
    assert_eq!(s.trace().header.system, system);
}
