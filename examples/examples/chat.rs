//! A conversation with tools, a stream and an object, its history kept as each call asks; the model is recorded.

use ptc::chat::{Chat, Parameters};
use ptc::history::{Block, Policy, Strategy};
use ptc::{FnModel, Reply, Request, Tool, Toolbox};
use serde_json::json;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Price {
    item: String,
    cents: i64,
}

fn main() -> Result<(), ptc::Error> {
    // What a provider's model would say; `ProviderModel::open("openai/gpt-5.1", &Environment::of_process())` is one.
    let mut said = [
        Reply { blocks: vec![Block::tool_use("c1", "price", json!({"item": "pen"}))], ..Reply::default() },
        Reply::text("A pen costs 120 cents."),
        Reply::text(r#"{"item": "pen", "cents": 120}"#),
        Reply::text("You asked for the price of a pen."),
    ]
    .into_iter();
    let model = FnModel(move |request: Request<'_>| {
        println!("  asked with {} messages", request.messages.len());
        let reply = said.next().unwrap_or_default();
        if let Some(told) = request.said {
            reply.text.split_inclusive(' ').for_each(told);
        }
        Ok(reply)
    });
    let price = Tool::typed("price", |item: std::collections::HashMap<String, String>| {
        Ok::<i64, String>(if item.get("item").is_some_and(|i| i == "pen") { 120 } else { 0 })
    });
    let mut chat = Chat::new(model).system("You sell stationery.").with_tools(Toolbox::new().with(price));

    println!("{}", chat.invoke("What does a pen cost?", &Parameters::default())?);
    let object: Price = chat.generate_object("The same as an object", &Parameters::default())?;
    println!("{} {}", object.item, object.cents);
    let short = Parameters {
        history: Some(Policy {
            strategy: Strategy::LastNMessages,
            last_messages: 2,
            min_messages: 4,
            ..Policy::default()
        }),
        ..Parameters::default()
    };
    let answer = chat.stream("What did I ask first?", &short, &mut |piece| println!("  | {piece}"))?;
    println!("{} (asked {} time)", answer.text, answer.iterations);
    println!("{} messages are kept", chat.conversation().len());
    Ok(())
}
