//! A tool from Rust types: names, types, comments and defaults come from the struct; calls of one program run together.

use ptc::{Config, Session, Tool, Toolbox, TurnContext, TurnRefused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Price of an item
#[derive(Deserialize, JsonSchema)]
struct Ask {
    /// As it stands in the catalogue
    item: String,
    /// How many are bought
    #[serde(default = "one")]
    units: i64,
}

fn one() -> i64 {
    1
}

#[derive(Serialize, JsonSchema)]
struct Price {
    item: String,
    cents: i64,
}

fn price(ask: Ask) -> Result<Price, String> {
    match ask.item.as_str() {
        "pen" => Ok(Price { cents: 250 * ask.units, item: ask.item }),
        "ink" => Ok(Price { cents: 900 * ask.units, item: ask.item }),
        other => Err(format!("no {other} in the catalogue")),
    }
}

fn main() -> Result<(), TurnRefused> {
    let mut tools = Toolbox::new().with(Tool::typed("price", price));
    let config =
        Config { tools: tools.specs(), prompt: "What do a pen and two ink cost?".into(), ..Config::programs() };
    let mut session = Session::new(config);
    let card = session.view().messages()[0].text().into_owned();
    println!("{}", card.lines().find(|l| l.contains("tool/price item")).unwrap_or_default());
    let turn = session.run(
        "(pmap #(tool/price (:item %) (:units %)) [{:item \"pen\"} {:item \"ink\" :units 2}])",
        TurnContext::with_tools(&mut tools),
    )?;
    println!("{}", turn.value.as_deref().unwrap_or_default());
    let turn = session.run("(tool/price \"glue\")", TurnContext::with_tools(&mut tools))?;
    println!("{}", turn.feedback);
    Ok(())
}
