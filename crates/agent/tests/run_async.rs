//! Runs that are awaited: beside each other on one thread, ended by dropping, and what blocks refused where it cannot work.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use ptc_agent::chat::{Chat, Parameters};
use ptc_agent::{
    Agent, AsyncOutcome, Cancel, Error, ErrorKind, FnModel, ReplayModel, Reply, Request, RunStatus, Tool, Toolbox,
};
use ptc_history::view::{CustomStrategy, Selected, StrategyInput};
use ptc_history::{Block, Message};
use ptc_lisp::value::Value;
use ptc_turns::{Config, Session};
use std::future::Future;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

fn agent(tools: Toolbox) -> Agent {
    let config = Config { prompt: "p".into(), tools: tools.specs(), ..Config::default() };
    Agent::new(Session::new(config), tools)
}

fn says(program: &str) -> ReplayModel {
    ReplayModel::parse("r.md", &format!("## Turn 1\n{program}")).unwrap()
}

fn sent<T: Send>(t: T) -> T {
    t
}

/// The tools of both runs wait for each other through the one thread that awaits the runs.
#[tokio::test]
async fn runs_go_on_beside_each_other_on_one_thread() {
    let meet = Arc::new(tokio::sync::Barrier::new(3));
    let run = |n: i64| {
        let meet = meet.clone();
        let tool = Tool::new_async("meet", move |_| {
            let meet = meet.clone();
            async move {
                meet.wait().await;
                Ok(Value::int(n))
            }
        });
        sent(agent(Toolbox::new().with(tool)).run_async(says("(return (tool/meet))"), ()))
    };
    let (one, two, _) = tokio::join!(run(1), run(2), meet.wait());
    let value = |ran: Result<AsyncOutcome<ReplayModel>, Error>| ran.unwrap().end.value.unwrap();
    assert_eq!((value(one), value(two)), ("1".into(), "2".into()));
}

#[tokio::test]
async fn an_agent_comes_back_and_goes_on() {
    let model = ReplayModel::parse("r.md", "## Turn 1\n(def x 5)\n## Turn 2\n(return (inc x))").unwrap();
    let mut alone = agent(Toolbox::new());
    alone.step("(def y 1)", None).unwrap();
    let ran = alone.run_async(model, ()).await.unwrap();
    assert_eq!((ran.end.status, ran.end.value.as_deref(), ran.end.turns), (RunStatus::Returned, Some("6"), 3));
    assert_eq!(ran.agent.into_session().trace().turns().len(), 3);
}

/// Polls once, with nobody to be woken.
fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Says so when it is dropped.
struct Told(mpsc::Sender<&'static str>);

impl Drop for Told {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

#[test]
fn dropping_a_run_drops_what_its_tools_do() {
    let (tell, told) = mpsc::channel();
    let begun = Mutex::new(tell);
    let tool = Tool::new_async("hang", move |_| {
        let tell = begun.lock().unwrap().clone();
        async move {
            let _told = Told(tell.clone());
            tell.send("begun").unwrap();
            std::future::pending().await
        }
    });
    let cancel = Cancel::default();
    let agent = agent(Toolbox::new().with(tool)).with_cancel(cancel.clone());
    let mut run = Box::pin(agent.run_async(says("(return (tool/hang))"), ()));
    assert!(poll(run.as_mut()).is_pending());
    assert_eq!(told.recv(), Ok("begun"));
    assert!(!cancel.cancelled());
    drop(run);
    assert!(cancel.cancelled());
    assert_eq!(told.recv(), Ok("dropped"));
}

#[test]
fn dropping_a_run_ends_the_request_to_the_model() {
    let (tell, told) = mpsc::channel();
    let model = FnModel(move |request: Request<'_>| {
        tell.send("asked").unwrap();
        while !request.cancel.cancelled() {
            std::thread::yield_now();
        }
        tell.send("ended").unwrap();
        Err(Error::cancelled())
    });
    let mut run = Box::pin(agent(Toolbox::new()).run_async(model, ()));
    assert!(poll(run.as_mut()).is_pending());
    assert_eq!(told.recv(), Ok("asked"));
    drop(run);
    assert_eq!(told.recv(), Ok("ended"));
}

#[test]
fn a_run_that_nobody_polls_does_nothing() {
    let cancel = Cancel::default();
    let model = FnModel(|_: Request<'_>| panic!("nobody asked for it"));
    drop(agent(Toolbox::new()).with_cancel(cancel.clone()).run_async(model, ()));
    assert!(!cancel.cancelled());
}

#[tokio::test]
async fn a_run_that_is_cancelled_gives_the_agent_back() {
    let cancel = Cancel::default();
    let raise = cancel.clone();
    let model = FnModel(move |_: Request<'_>| {
        raise.cancel();
        Ok(Reply::text("(return 1)"))
    });
    let ran = agent(Toolbox::new()).with_cancel(cancel).run_async(model, ()).await.unwrap();
    assert_eq!((ran.end.status, ran.agent.begun()), (RunStatus::Cancelled, true));
}

#[tokio::test]
async fn panics_are_told() {
    let tool = Tool::new_async("boom", async |_| panic!("oh {}", 5));
    let run = agent(Toolbox::new().with(tool))
        .run_async(says("(try (tool/boom) (catch Exception e (return (ex-message e))))"), ());
    assert_eq!(run.await.unwrap().end.value.as_deref(), Some("\"the tool panicked: oh 5\""));
    let model = FnModel(|_: Request<'_>| panic!("no words"));
    let error = agent(Toolbox::new()).run_async(model, ()).await.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Runtime);
    assert_eq!(error.to_string(), "the run panicked: no words; go on from its trace");
}

const REFUSED: &str = "this call blocks, and it was made in a current-thread runtime of tokio, which would stand still; \
    await Agent::run_async or the _async form of a call of Chat, or make the call in tokio::task::spawn_blocking";

#[tokio::test]
async fn what_blocks_is_refused_in_a_current_thread_runtime() {
    let mut here = agent(Toolbox::new());
    let end = here.run(&mut says("(return 1)"), &mut ());
    assert_eq!((end.status, end.error.as_ref().map(Error::text).as_deref()), (RunStatus::Error, Some(REFUSED)));
    assert_eq!(end.error.map(|e| e.kind()), Some(ErrorKind::Runtime));
    // Nothing was begun: elsewhere it goes on.
    let there = tokio::task::spawn_blocking(move || here.run(&mut says("(return 1)"), &mut ())).await.unwrap();
    assert_eq!(there.value.as_deref(), Some("1"), "{:?}", there.error);
    let error = Chat::new(says("Hello.")).invoke("hi", &Parameters::default()).unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Runtime, REFUSED));
}

fn texts(chat: &Chat) -> Vec<String> {
    chat.conversation().messages().map(|m| m.text().into_owned()).collect()
}

#[tokio::test]
async fn a_chat_is_awaited_and_its_pieces_come_to_who_awaits_it() {
    let model = FnModel(|request: Request<'_>| {
        let text = format!("answer {}", request.messages.len());
        if let Some(said) = request.said {
            text.split_inclusive(' ').for_each(said);
        }
        Ok(Reply::text(text))
    });
    let mut chat = Chat::new(model).system("S");
    let parameters = Parameters::default();
    assert_eq!(sent(chat.invoke_async("one", &parameters)).await.unwrap(), "answer 2");
    let answer = sent(chat.chat_async(vec![Message::user("two")], &parameters)).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.iterations), ("answer 4", 1));
    let here = std::thread::current().id();
    let mut pieces = Vec::new();
    let mut said = |piece: &str| {
        assert_eq!(std::thread::current().id(), here);
        pieces.push(piece.to_owned());
    };
    sent(chat.stream_async("three", &parameters, &mut said)).await.unwrap();
    assert_eq!(pieces, ["answer ", "6"]);
    assert_eq!(texts(&chat), ["S", "one", "answer 2", "two", "answer 4", "three", "answer 6"]);
    let view = sent(chat.preview_async("four", &parameters)).await.unwrap();
    assert_eq!((view.shown.len(), chat.conversation().len()), (8, 7));
}

#[tokio::test]
async fn objects_are_awaited() {
    let model = FnModel(|request: Request<'_>| {
        let text = if request.messages.len() < 3 { "{\"a\": \"x\"}" } else { "{\"a\": 1}" };
        if let Some(said) = request.said {
            said(text);
        }
        Ok(Reply::text(text))
    });
    let mut chat = Chat::new(model);
    let mut seen = Vec::new();
    let object: std::collections::BTreeMap<String, u32> =
        sent(chat.stream_object_async("an object", &Parameters::default(), &mut |value| seen.push(value.to_string())))
            .await
            .unwrap();
    assert_eq!((object["a"], seen), (1, vec!["{\"a\":\"x\"}".to_owned(), "{\"a\":1}".to_owned()]));
    let again: std::collections::BTreeMap<String, u32> =
        sent(chat.generate_object_async("again", &Parameters::default())).await.unwrap();
    assert_eq!((again["a"], chat.conversation().len()), (1, 6));
}

/// The request ends, nothing of the call stands in the conversation, and the chat goes on.
#[test]
fn dropping_a_call_of_a_chat_ends_it_and_the_chat_goes_on() {
    let (tell, told) = mpsc::channel();
    let model = FnModel(move |request: Request<'_>| {
        if request.messages.last().is_some_and(|m| m.text() == "again") {
            return Ok(Reply::text("here"));
        }
        tell.send("asked").unwrap();
        while !request.cancel.cancelled() {
            std::thread::yield_now();
        }
        tell.send("ended").unwrap();
        Err(Error::cancelled())
    });
    let cancel = Cancel::default();
    let mut chat = Chat::new(model).with_cancel(cancel.clone());
    let parameters = Parameters::default();
    let mut call = Box::pin(chat.invoke_async("hang", &parameters));
    assert!(poll(call.as_mut()).is_pending());
    assert_eq!(told.recv(), Ok("asked"));
    drop(call);
    assert_eq!(told.recv(), Ok("ended"));
    assert_eq!((cancel.cancelled(), chat.conversation().len()), (false, 0));
    assert_eq!(chat.invoke("again", &parameters).unwrap(), "here");
    assert_eq!(texts(&chat), ["again", "here"]);
    // Its own flag ends a call that is awaited on.
    let mut call = Box::pin(chat.invoke_async("hang", &parameters));
    assert!(poll(call.as_mut()).is_pending());
    assert_eq!(told.recv(), Ok("asked"));
    cancel.cancel();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let error = runtime.block_on(call).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    // What nobody polls asks nobody.
    drop(chat.invoke_async("hang", &parameters));
    assert_eq!((told.try_recv(), texts(&chat).len()), (Ok("ended"), 2));
    assert!(told.try_recv().is_err());
}

#[test]
fn dropping_a_call_of_a_chat_drops_what_its_tools_do() {
    let (tell, told) = mpsc::channel();
    let begun = Mutex::new(tell);
    let tool = Tool::new_async("hang", move |_| {
        let tell = begun.lock().unwrap().clone();
        async move {
            let _told = Told(tell.clone());
            tell.send("begun").unwrap();
            std::future::pending().await
        }
    });
    let model = FnModel(|request: Request<'_>| match request.messages.len() {
        1 if request.messages[0].text() == "hang" => {
            Ok(Reply { blocks: vec![Block::tool_use("c", "hang", serde_json::json!({}))], ..Reply::default() })
        }
        _ => Ok(Reply::text("here")),
    });
    let mut chat = Chat::new(model).with_tools(Toolbox::new().with(tool));
    let parameters = Parameters::default();
    let mut call = Box::pin(chat.invoke_async("hang", &parameters));
    assert!(poll(call.as_mut()).is_pending());
    assert_eq!(told.recv(), Ok("begun"));
    drop(call);
    assert_eq!(told.recv(), Ok("dropped"));
    assert_eq!(chat.invoke("go on", &parameters).unwrap(), "here");
    assert_eq!(texts(&chat), ["go on", "here"]);
}

struct Panics;

impl CustomStrategy for Panics {
    fn name(&self) -> &'static str {
        "panics"
    }

    fn select(&self, _: &StrategyInput<'_>) -> Result<Vec<Selected>, String> {
        panic!("oh")
    }
}

#[tokio::test]
async fn panics_in_a_chat_are_told_and_it_goes_on() {
    let mut asked = 0;
    let model = FnModel(move |_: Request<'_>| {
        asked += 1;
        assert!(asked > 1, "not yet");
        Ok(Reply::text("here"))
    });
    let mut chat = Chat::new(model);
    let parameters = Parameters::default();
    let error = chat.invoke_async("one", &parameters).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Runtime);
    let text = "the call panicked: not yet; the conversation is as it was before; make the call again";
    assert_eq!((error.to_string().as_str(), chat.conversation().len()), (text, 0));
    assert_eq!(chat.invoke_async("two", &parameters).await.unwrap(), "here");
    let mut chat = chat.with_strategy(Panics);
    let error = chat.invoke_async("three", &parameters).await.unwrap_err().to_string();
    assert_eq!(
        (error.as_str(), chat.conversation().len()),
        ("the request cannot be made: strategy panics: it panicked: oh", 2)
    );
}

/// What a tool begins before it awaits stands in the library's runtime too.
#[test]
fn a_tool_may_begin_work_of_a_runtime_before_it_awaits() {
    let ticks = Tool::new_async("tick", |_| {
        let wait = tokio::time::sleep(std::time::Duration::ZERO);
        let spawned = tokio::spawn(async { 5 });
        async move {
            wait.await;
            spawned.await.map(Value::int).map_err(|e| e.to_string())
        }
    });
    let end = agent(Toolbox::new().with(ticks.describe("Ticks"))).run(&mut says("(return (tool/tick))"), &mut ());
    assert_eq!(end.value.as_deref(), Some("5"), "{:?}", end.error);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runtime_of_many_threads_may_be_blocked() {
    let end = agent(Toolbox::new()).run(&mut says("(return 1)"), &mut ());
    assert_eq!(end.value.as_deref(), Some("1"));
}
