//! Tools of the host are closures: they see its state, their errors can be caught, and every call is recorded.

use ptc::{Config, Session, Tool, Toolbox, TurnContext, TurnRefused, Type, Value, arg};
use std::sync::{Arc, Mutex, PoisonError};

const PROGRAM: &str = r#"
(defn units
  "Units in stock; nil for what the shop does not sell"
  [item]
  (try (tool/stock item)
       (catch Exception e (println (ex-message e)) nil)))

(doseq [item ["pen" "ink" "glue"]]
  (let [n (units item)]
    (println item n)
    (when (= 0 n)
      (tool/order :item item :units 10))))
"#;

fn main() -> Result<(), TurnRefused> {
    let ordered = Arc::new(Mutex::new(Vec::new()));
    let orders = ordered.clone();
    let mut tools = Toolbox::new()
        .with(
            Tool::new("stock", |args| match arg(&args, "item").as_str() {
                Some("pen") => Ok(Value::int(3)),
                Some("ink") => Ok(Value::int(0)),
                _ => Err("not sold here".into()),
            })
            .describe("Units of an item in stock")
            .param("item", Type::String)
            .returns(Type::Integer),
        )
        .with(
            Tool::new("order", move |args| {
                let item = arg(&args, "item").as_str().unwrap_or_default().to_owned();
                orders.lock().unwrap_or_else(PoisonError::into_inner).push(item);
                Ok(Value::Nil)
            })
            .describe("Orders an item")
            .param("item", Type::String)
            .param("units", Type::Integer),
        );
    let mut session = Session::new(Config { tools: tools.specs(), ..Config::programs() });
    let turn = session.run(PROGRAM, TurnContext::with_tools(&mut tools))?;
    println!("{}\n", turn.feedback);
    for call in &turn.tool_calls {
        let answer = call.result.as_ref().map_or_else(|| call.error.as_deref().unwrap_or_default(), |r| r.text());
        println!("call {}: {} {} -> {answer}", call.id, call.name, call.args.text());
    }
    println!("the host has orders for {}", ordered.lock().unwrap_or_else(PoisonError::into_inner).join(", "));
    Ok(())
}
