//! What the calls promise: one function makes requests, nothing is lost, tools on the wire, objects that fit.

use super::*;
use crate::error::Error;
use crate::model::FnModel;
use ptc_history::policy::Strategy;
use ptc_history::view::{Selected, StrategyInput};
use serde_json::json;
use std::sync::Mutex;

/// What a model was asked with.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<Vec<Message>>>>);

impl Seen {
    fn all(&self) -> Vec<Vec<Message>> {
        self.0.lock().unwrap().clone()
    }

    /// A model that gives these replies in order, the last again and again, and streams each in pieces of two characters.
    fn model(&self, replies: Vec<Result<Reply, Error>>) -> impl Model + use<> {
        let seen = self.clone();
        let mut next = 0;
        FnModel(move |request: Request<'_>| {
            seen.0.lock().unwrap().push(request.messages.to_vec());
            let reply = replies[next.min(replies.len() - 1)].clone();
            next += 1;
            if let (Some(said), Ok(reply)) = (request.said, &reply) {
                let all: Vec<char> = reply.text.chars().collect();
                all.chunks(2).for_each(|c| said(&c.iter().collect::<String>()));
            }
            reply
        })
    }
}

fn call(id: &str, name: &str, input: Value) -> Block {
    Block::tool_use(id, name, input)
}

fn texts(list: &[Message]) -> Vec<String> {
    list.iter().map(|m| m.text().into_owned()).collect()
}

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct Pair {
    a: i64,
    b: Vec<String>,
}

const PAIR: &str = r#"{"a": 1, "b": ["x"]}"#;

/// K-19, SC-002: all forms of call send the same messages for the same history, under every parameter.
#[test]
fn k_19_every_form_of_call_sends_the_same_messages() {
    let long: Vec<Message> = (0..60)
        .map(|i| {
            if i % 2 == 0 { Message::user(format!("question {i}")) } else { Message::assistant(format!("answer {i}")) }
        })
        .collect();
    for parameters in [
        Parameters::default(),
        Parameters { max_history_size: Some(20), ..Parameters::default() },
        Parameters { max_tokens: Some(200), ..Parameters::default() },
        Parameters { strategy: Some(Strategy::WholeHistory), ..Parameters::default() },
        Parameters {
            strategy: Some(Strategy::Chunked),
            history: Some(Policy { chunk_size: 5, ..Policy::default() }),
            ..Parameters::default()
        },
    ] {
        let run = |go: &dyn Fn(&mut Chat)| {
            let seen = Seen::default();
            let model = seen.model(vec![Ok(Reply::text(PAIR))]);
            let mut chat = Chat::new(model).with_conversation(Conversation::recorded(long.clone())).system("S");
            go(&mut chat);
            assert_eq!(chat.conversation().len(), 63, "the history itself stays whole");
            let all = seen.all();
            assert_eq!(all.len(), 1);
            all.into_iter().next().unwrap().into_iter().map(|m| Message { meta: None, ..m }).collect::<Vec<_>>()
        };
        let p = &parameters;
        let invoked = run(&|c| drop(c.invoke("now", p).unwrap()));
        assert_eq!(invoked, run(&|c| drop(c.chat(vec![Message::user("now")], p).unwrap())));
        assert_eq!(invoked, run(&|c| drop(c.stream("now", p, &mut |_| {}).unwrap())));
        let object = run(&|c| drop(c.generate_object::<Pair>("now", p).unwrap()));
        assert_eq!(object, run(&|c| drop(c.stream_object::<Pair>("now", p, &mut |_| {}).unwrap())));
        // The schema is part of a request and of its budget (K-14): fewer messages have room beside it.
        if p.max_tokens.is_some() {
            assert!(object.len() < invoked.len() && invoked.ends_with(&object[2..]), "{object:?}");
        } else {
            assert_eq!(invoked, object);
        }
        let previewed = Chat::new(Seen::default().model(vec![Ok(Reply::text(""))]))
            .with_conversation(Conversation::recorded(long.clone()))
            .system("S")
            .preview("now", p)
            .unwrap();
        assert_eq!(texts(&invoked), texts(&previewed.messages()));
        // SC-003, SC-006.
        match (p.max_history_size, p.strategy) {
            (Some(n), _) => assert!(invoked.len() <= n),
            (_, Some(Strategy::WholeHistory)) => assert!(invoked.len() < 10),
            (None, None) if p.max_tokens.is_none() => assert_eq!(invoked.len(), 62),
            _ => assert!(invoked.len() < 62),
        }
        assert_eq!(texts(&invoked).first().map(String::as_str), Some("S"));
        assert_eq!(texts(&invoked).last().map(String::as_str), Some("now"));
    }
}

/// K-18, K-22: a request that cannot be made is an error before anything is sent or said; the history is as it was.
#[test]
fn k_18_what_cannot_be_asked_changes_nothing() {
    let seen = Seen::default();
    let failing = Err(Error::model("down"));
    let mut chat = Chat::new(seen.model(vec![Ok(Reply::text("one")), failing])).system("S ".repeat(100));
    chat.invoke("first", &Parameters::default()).unwrap();
    let before = chat.conversation().clone();
    let mut pieces = 0;
    let error = chat
        .stream("more", &Parameters { max_tokens: Some(20), ..Parameters::default() }, &mut |_| pieces += 1)
        .unwrap_err();
    assert!(error.to_string().contains("maxTokens must accommodate system prompt"), "{error}");
    let error = chat.invoke("more", &Parameters { max_history_size: Some(0), ..Parameters::default() }).unwrap_err();
    assert!(error.to_string().contains("max_history_size"), "{error}");
    assert_eq!((pieces, seen.all().len()), (0, 1));
    assert_eq!(chat.invoke("more", &Parameters::default()).unwrap_err().to_string(), "down");
    assert_eq!(chat.conversation().to_json(), before.to_json());
}

/// F-27: the loop of tool calls: results of all calls in one message, errors among them, until the model answers.
#[test]
fn f_27_tools_are_called_until_there_is_an_answer() {
    let seen = Seen::default();
    let first = Reply {
        text: "I look.".into(),
        blocks: vec![
            call("c", "time_now", json!({"zone": "UTC"})),
            call("c", "time_now", json!({})),
            call("", "gone", json!({})),
            call("d", "bad", json!([1])),
        ],
        ..Reply::default()
    };
    let tools = Toolbox::new()
        .with(
            Tool::new("time.now", |args| {
                Ok(Lisp::str(format!("12:00 {}", arg(&args, "zone").as_str().unwrap_or("?"))))
            })
            .param("zone", Type::String),
        )
        .with(Tool::new("bad", |_| panic!("oh")));
    let model = seen.model(vec![Ok(first), Ok(Reply::text("Noon."))]);
    let mut chat = Chat::new(model).with_tools(tools);
    let answer = chat.chat(vec![Message::user("What time is it?")], &Parameters::default()).unwrap();
    assert_eq!((answer.text.as_str(), answer.ended, answer.iterations), ("Noon.", Ended::Answered, 2));
    let asked = seen.all();
    let results = asked[1].last().unwrap();
    let words: Vec<(String, bool)> = results
        .content
        .iter()
        .map(|b| match b {
            Block::ToolResult { content, is_error, .. } => (content.clone(), is_error.unwrap_or_default()),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        words,
        [
            ("12:00 UTC".to_owned(), false),
            ("the argument zone is missing".to_owned(), true),
            ("there is no tool gone; the tools are time_now, bad".to_owned(), true),
            ("the arguments must be a JSON object, got [1]".to_owned(), true),
        ]
    );
    // F-03: each call has an id of its own.
    let ids: std::collections::HashSet<&str> = asked[1][1].calls().map(|c| c.0).collect();
    assert_eq!(ids.len(), 4);
    assert_eq!(chat.conversation().pairs().open().count(), 0);
}

/// F-27: at the limit the last that the model said is the answer, and the reason stands with it.
#[test]
fn f_27_at_the_limit_the_best_answer_is_given() {
    let again =
        |text: &str| Ok(Reply { text: text.into(), blocks: vec![call("c", "f", json!({}))], ..Reply::default() });
    let seen = Seen::default();
    let tools = Toolbox::new().with(Tool::new("f", |_| Ok(Lisp::int(1))).no_params());
    let mut chat = Chat::new(seen.model(vec![again("perhaps 4"), again("")])).with_tools(tools);
    let parameters = Parameters { max_iterations: Some(3), ..Parameters::default() };
    let answer = chat.chat(vec![Message::user("?")], &parameters).unwrap();
    assert_eq!((answer.text.as_str(), answer.ended, answer.iterations), ("perhaps 4", Ended::MaxIterations, 3));
    assert_eq!(seen.all().len(), 3);
    let last = chat.conversation().messages().last().unwrap().clone();
    assert_eq!((last.role, last.text().as_ref()), (Role::Assistant, "perhaps 4"));
    assert_eq!(last.meta.as_ref().unwrap().more["ended"], json!("max_iterations"));
}

/// Calls that were made stay when the model fails behind them: they happened.
#[test]
fn calls_that_were_made_are_kept_when_the_model_fails() {
    let seen = Seen::default();
    let first = Reply { blocks: vec![call("c", "f", json!({}))], ..Reply::default() };
    let tools = Toolbox::new().with(Tool::new("f", |_| Ok(Lisp::int(1))).no_params());
    let model = seen.model(vec![Ok(first), Err(Error::model("down")), Ok(Reply::text("1"))]);
    let mut chat = Chat::new(model).with_tools(tools);
    let parameters = Parameters {
        strategy: Some(Strategy::WholeHistory),
        history: Some(Policy { min_messages: 0, ..Policy::default() }),
        ..Parameters::default()
    };
    chat.invoke("?", &parameters).unwrap_err();
    assert_eq!(chat.conversation().len(), 3);
    // What was asked is still open, so no strategy makes a TL;DR of it.
    assert_eq!(chat.chat(Vec::new(), &parameters).unwrap().text, "1");
    assert_eq!(seen.all()[2].len(), 3);
}

/// A wrong object is asked for again with what is wrong, path by path; then it is an error with the same words.
#[test]
fn objects_are_held_to_their_schema() {
    let seen = Seen::default();
    let replies = [r#"{"a": "x"}"#, "```json\n{\"a\": 2, \"b\": [\"y\"]}\n```"];
    let mut chat = Chat::new(seen.model(replies.iter().map(|r| Ok(Reply::text(*r))).collect()));
    let mut partials: Vec<String> = Vec::new();
    let pair: Pair = chat.stream_object("two", &Parameters::default(), &mut |v| partials.push(v.to_string())).unwrap();
    assert_eq!(pair, Pair { a: 2, b: vec!["y".into()] });
    let repair = seen.all()[1].last().unwrap().text().into_owned();
    assert!(repair.contains("at /a: ") && repair.contains("\"b\" is a required property"), "{repair}");
    assert_eq!(partials.last().map(String::as_str), Some(r#"{"a":2,"b":["y"]}"#));
    assert!(partials.contains(&r#"{"a":2}"#.to_owned()) && partials.len() > 5, "{partials:?}");
    let mut chat = Chat::new(Seen::default().model(vec![Ok(Reply::text("no"))]));
    let error = chat.generate_object::<Pair>("two", &Parameters::default()).unwrap_err().to_string();
    assert_eq!(error, "no such object after 3 answers: there is no JSON in it");
    assert_eq!(chat.conversation().len(), 6);
}

/// A chat as a tool of another: it inherits what it does not say itself, and each call begins anew.
#[test]
fn sub_agents_inherit_field_by_field() {
    let seen = Seen::default();
    type Told = Vec<(Option<u64>, Option<f64>)>;
    let settings: Arc<Mutex<Told>> = Arc::default();
    let told = settings.clone();
    let mut inner = seen.model(vec![Ok(Reply::text("found"))]);
    let model = FnModel(move |request: Request<'_>| {
        told.lock().unwrap().push((request.settings.max_tokens, request.settings.temperature));
        inner.reply(request)
    });
    let parent = Parameters { answer_tokens: Some(100), temperature: Some(0.5), ..Parameters::default() };
    let own = Parameters { temperature: Some(0.0), ..Parameters::default() };
    let tool = Chat::new(model).system("You search.").with_parameters(own).into_tool("search", "Searches", &parent);
    let ask = |id: &str| Ok(Reply { blocks: vec![call(id, "search", json!({"input": "x"}))], ..Reply::default() });
    let outer = Seen::default();
    let mut chat =
        Chat::new(outer.model(vec![ask("1"), ask("2"), Ok(Reply::text("done"))])).with_tools(Toolbox::new().with(tool));
    assert_eq!(chat.invoke("go", &parent).unwrap(), "done");
    assert_eq!(*settings.lock().unwrap(), [(Some(100), Some(0.0)); 2]);
    assert!(seen.all().iter().all(|m| texts(m) == ["You search.", "x"]), "{:?}", seen.all());
}

/// K-37: a model writes the summaries of a chat when it is asked to; each is asked for once.
#[test]
fn k_37_a_summarizer_writes_the_summaries() {
    struct Short(Arc<Mutex<u32>>);
    impl ptc_history::view::summarizer::Summarizer for Short {
        fn summarize(&self, _: &ptc_history::view::summarizer::SummaryRequest) -> Result<String, String> {
            *self.0.lock().unwrap() += 1;
            Ok("They counted.".into())
        }
    }
    let seen = Seen::default();
    let asked = Arc::new(Mutex::new(0));
    // What would fit as it stands is not worth a model.
    let long = (0..200).map(|i| Message::user(format!("a question of some length, number {i}")));
    let mut chat = Chat::new(seen.model(vec![Ok(Reply::text("yes"))]))
        .with_conversation(Conversation::recorded(long))
        .with_summarizer(Short(asked.clone()));
    let parameters = Parameters {
        strategy: Some(Strategy::WholeHistory),
        history: Some(Policy { model_summaries: true, ..Policy::default() }),
        ..Parameters::default()
    };
    chat.preview("and now?", &parameters).unwrap();
    chat.invoke("and now?", &parameters).unwrap();
    let sent = texts(&seen.all()[0]).join("\n");
    assert!(sent.contains("They counted.") && sent.ends_with("and now?"), "{sent}");
    assert_eq!(*asked.lock().unwrap(), 1);
}

/// A strategy that is a function.
struct Own<F>(F);

impl<F> CustomStrategy for Own<F>
where
    F: Fn(&StrategyInput<'_>) -> Result<Vec<Selected>, String> + Send + Sync,
{
    fn name(&self) -> &'static str {
        "own"
    }

    fn select(&self, input: &StrategyInput<'_>) -> Result<Vec<Selected>, String> {
        (self.0)(input)
    }
}

fn keep(places: impl IntoIterator<Item = usize>) -> Vec<Selected> {
    places.into_iter().map(Selected::Message).collect()
}

/// A chat with two calls made together behind it, as messages of their own, and what the strategy makes of "and now?".
fn asked(select: impl Fn(&StrategyInput<'_>) -> Result<Vec<Selected>, String> + Send + Sync + 'static) -> Vec<Message> {
    let result = |id: &str| Message::of(Role::Tool, vec![Block::tool_result(id, id)]);
    let calls = vec![call("a", "f", json!({})), call("b", "f", json!({}))];
    let talk = [
        Message::system("S"),
        Message::user("first"),
        Message::of(Role::Assistant, calls),
        result("a"),
        result("b"),
        Message::assistant("found"),
    ];
    let seen = Seen::default();
    let mut chat = Chat::new(seen.model(vec![Ok(Reply::text("yes"))]))
        .with_conversation(Conversation::recorded(talk))
        .with_strategy(Own(select));
    assert_eq!(chat.invoke("and now?", &Parameters::default()).unwrap(), "yes");
    assert_eq!(chat.conversation().len(), 8);
    seen.all().remove(0)
}

#[test]
fn a_strategy_of_the_host_makes_the_requests_of_a_chat() {
    // One result of calls that were made together: its call stays, the other goes.
    let sent = asked(|_| Ok(keep([0, 1, 2, 4, 6])));
    assert_eq!(texts(&sent), ["S", "first", "", "", "and now?"]);
    assert_eq!(sent[2].calls().map(|c| c.0).collect::<Vec<_>>(), ["b"]);
    // A system message that it makes.
    let made = |of| Selected::Instead { of, message: Message::system("so far: found") };
    let sent = asked(move |_| Ok(keep([0, 1]).into_iter().chain([made(2..6)]).chain(keep([6])).collect()));
    assert_eq!(
        (texts(&sent), sent[2].role),
        (vec!["S".into(), "first".into(), "so far: found".into(), "and now?".into()], Role::System)
    );
    // What it leaves out that is always shown.
    assert_eq!(texts(&asked(|_| Ok(Vec::new()))), ["S", "first", "and now?"]);
    // It may count.
    asked(|input| input.counter.map(|_| keep(0..7)).ok_or_else(|| "no counter".to_owned()));
}

/// The request that carries results has them and their calls, whatever the strategy selects, and nothing between.
#[test]
fn results_that_have_just_come_reach_the_model() {
    for select in [
        (|_: &StrategyInput<'_>| Ok(Vec::new())) as fn(&StrategyInput<'_>) -> Result<Vec<Selected>, String>,
        |input| Ok(keep([input.conversation.len() - 1])),
        |input| {
            let len = input.conversation.len();
            Ok(vec![Selected::Instead { of: len - 1..len, message: Message::assistant("made") }])
        },
        |_| Ok(keep([0])),
    ] {
        let seen = Seen::default();
        let first = Reply { blocks: vec![call("c", "f", json!({})), call("d", "f", json!({}))], ..Reply::default() };
        let tools = Toolbox::new().with(Tool::new("f", |_| Ok(Lisp::int(1))).no_params());
        let mut chat =
            Chat::new(seen.model(vec![Ok(first), Ok(Reply::text("1"))])).with_tools(tools).with_strategy(Own(select));
        assert_eq!(chat.invoke("?", &Parameters::default()).unwrap(), "1");
        let sent = seen.all().remove(1);
        let [.., calls, results] = sent.as_slice() else { panic!("{sent:?}") };
        assert_eq!((calls.calls().count(), results.content.len()), (2, 2), "{sent:#?}");
    }
}

#[test]
fn a_strategy_that_fails_changes_nothing_in_a_chat() {
    type Select = fn(&StrategyInput<'_>) -> Result<Vec<Selected>, String>;
    let cases: [(Select, &str); 3] = [
        (|_| panic!("oh"), "strategy own: it panicked: oh"),
        (|_| Ok(keep([7])), "strategy own: there is no message 7; the conversation has 1, counted from 0"),
        (|_| Err("no index".into()), "strategy own: no index"),
    ];
    for (select, text) in cases {
        let seen = Seen::default();
        let mut chat = Chat::new(seen.model(vec![Ok(Reply::text("yes"))])).with_strategy(Own(select));
        let error = chat.invoke("?", &Parameters::default()).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::History);
        assert_eq!(error.text(), format!("the request cannot be made: {text}"));
        assert_eq!((seen.all().len(), chat.conversation().len()), (0, 0));
        for strategy in [Strategy::Auto, Strategy::WholeHistory] {
            let named = Parameters { strategy: Some(strategy), ..Parameters::default() };
            let error = chat.invoke("?", &named).unwrap_err().to_string();
            assert!(error.contains("the host gives a strategy (own), and the policy says strategy ="), "{error}");
        }
    }
}
