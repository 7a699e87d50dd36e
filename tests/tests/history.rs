//! History over sessions, and its page: the options that docs/history.md lists are those there are, with their
//! defaults.

use ptc_agent::{Agent, FnModel, Reply, Request, Toolbox};
use ptc_history::policy::{Strategy, keys};
use ptc_history::{Message, ViewContext};
use ptc_tests::markdown::{files, folder};
use ptc_tests::scenario::{Scenario, take};
use ptc_turns::{Config, Policy, Session, Trace};

fn page() -> String {
    std::fs::read_to_string(folder("../docs/history.md")).unwrap()
}

/// The cells of the table under this heading.
fn table<'a>(page: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let (_, rest) = page.split_once(heading).unwrap_or_else(|| panic!("no {heading}"));
    let rows = rest.lines().skip_while(|l| !l.starts_with('|')).take_while(|l| l.starts_with('|'));
    rows.skip(2).map(|l| l.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// The key in a row's first cell.
fn key<'a>(row: &[&'a str]) -> &'a str {
    row[0].trim_matches('`')
}

/// R-39: the page has the field reference and when to use what.
#[test]
fn r_39_the_page_lists_every_option_with_its_default_and_every_strategy() {
    let page = page();
    let options = table(&page, "## Options");
    assert_eq!(options.iter().map(|r| key(r)).collect::<Vec<_>>(), keys());
    let defaults = serde_json::to_value(ptc_history::Policy::default()).unwrap();
    for row in &options {
        let expected = match &defaults[key(row)] {
            serde_json::Value::Null => "not set".to_owned(),
            value => format!("`{value}`"),
        };
        assert_eq!(row[1], expected, "{}", key(row));
        assert!(row[3].len() > 10, "{} says nothing", key(row));
    }
    let mut shown: Vec<&str> = table(&page, "A **strategy** decides").iter().map(|r| key(r)).collect();
    let mut all = Strategy::ALL.map(Strategy::name);
    shown.sort_unstable();
    all.sort_unstable();
    assert_eq!(shown, all);
    let fields: Vec<&str> = table(&page, "## Inputs").iter().map(|r| key(r)).collect();
    assert_eq!(fields, ["kind", "name", "history_retention", "count", "offset"]);
    // The warning for large inputs sends its reader to the guide of tasks, which says when to use which.
    let part = ptc_history::Part {
        kind: ptc_history::PartKind::Table,
        name: None,
        history_retention: None,
        count: None,
        offset: None,
    };
    let warning = ptc_history::retention::large_input(&part, &"x".repeat(11_000), 2).unwrap();
    assert!(warning.ends_with("(ptc doc tasks, \"Retention\")"), "{warning}");
    let guide = std::fs::read_to_string(folder("../docs/tasks.md")).unwrap();
    assert!(guide.contains("\n### Retention\n"));
}

/// K-17, K-19: a session that continues and a trace that was kept send the same messages, whatever the policy, and
/// where it has neither strategy nor budget they are those of full history.
#[test]
fn k_17_k_19_every_way_to_a_request_is_the_one_door() {
    let policies = Strategy::ALL.into_iter().filter(|s| *s != Strategy::FromTimestamp).map(|s| Policy {
        history: ptc_history::Policy { min_messages: 4, ..ptc_history::Policy::with(s) },
        ..Policy::full()
    });
    let policies: Vec<Policy> = policies.chain([Policy::compressed()]).collect();
    let mut shorter = 0;
    for path in files(&folder("turns")) {
        let scenario = Scenario::load(&path).unwrap();
        for policy in &policies {
            let mut session = scenario.session(policy);
            for reply in &scenario.replies {
                let kept = Trace::parse(session.trace().to_text().as_bytes()).unwrap().trace;
                let sent = session.request(&ViewContext::default()).unwrap();
                let again = ptc_turns::request(&kept, policy, None, &ViewContext::default()).unwrap().messages();
                assert_eq!(sent, again, "{} under {:?}", scenario.name, policy.history.strategy);
                let full: Vec<Message> = ptc_turns::messages(&kept, &Policy::full(), None);
                if policy.history.strategy == Strategy::None && !policy.compress_history {
                    assert_eq!(sent, full, "{}", scenario.name);
                }
                shorter += usize::from(sent != full);
                take(&mut session, reply).unwrap();
            }
        }
    }
    assert!(shorter > 50, "only {shorter} requests were not the full history");
}

/// Runs six turns under this policy, and gives how many messages the model was asked with each time, and how it ended.
fn asked(history: &str) -> (Vec<usize>, ptc_agent::RunOutcome) {
    let policy: Policy = serde_json::from_str(history).unwrap();
    let session = Session::new(Config { prompt: "Count.".into(), max_turns: 6, policy, ..Config::default() });
    let mut asked = Vec::new();
    let mut model = FnModel(|request: Request<'_>| {
        asked.push(request.messages.len());
        let program =
            if asked.len() == 6 { "(return 1)".to_owned() } else { format!("(println \"turn {}\")", asked.len()) };
        Ok(Reply::text(format!("```clojure\n{program}\n```")))
    });
    let end = Agent::new(session, Toolbox::new()).run(&mut model, &mut ());
    (asked, end)
}

/// K-17, K-10, K-21: what an agent asks its model with went through the policy's strategy and budgets; a budget that
/// cannot be held ends the run with the numbers.
#[test]
fn k_17_an_agent_asks_with_what_its_policy_lets_through() {
    let (full, end) = asked("{}");
    assert_eq!((full, end.status.as_str()), (vec![2, 4, 6, 8, 10, 12], "returned"));
    let (few, end) = asked(r#"{"max_history_size": 5}"#);
    assert_eq!(end.status.as_str(), "returned");
    assert!(few.len() == 6 && few.iter().all(|n| *n <= 5), "{few:?}");
    let (none, end) = asked(r#"{"max_tokens": 50}"#);
    assert_eq!((none.len(), end.status.as_str()), (0, "error"));
    let problem = end.error.unwrap().text();
    assert!(problem.contains("maxTokens must accommodate system prompt: max_tokens is 50"), "{problem}");
}
