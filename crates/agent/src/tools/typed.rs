//! Tools whose parameters and answers are Rust types: their schemas say what programs and models see.

use crate::json_depth;
use crate::schema;
use crate::tools::executor::CallControl;
use crate::tools::toolbox::{MAX_ANSWER_BYTES, Tool};
use ptc_lisp::interface::{Param, ToolSpec};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::fmt::Display;

/// How arguments become the value that the closure takes.
#[derive(Clone, Copy)]
enum Takes {
    /// The whole map.
    Map,
    /// Nothing.
    Unit,
    /// What stands under `value`.
    Value,
}

impl Tool {
    /// A tool called as `(tool/NAME ...)` whose parameters are the fields of `A` and whose answer is an `R`. Names,
    /// types, comments and defaults come from the types: a field's comment is the parameter's, the comment of `A` is
    /// what the tool does, `Option` and `#[serde(default)]` make a parameter optional, and nil is the same as not given.
    /// An `A` that is no struct is the one parameter `value`; `()` is none. An `Err` is a tool error in these words.
    ///
    /// ```
    /// use ptc_agent::{Tool, Toolbox};
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    ///
    /// /// Price of an item
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Ask {
    ///     /// As it stands in the catalogue
    ///     item: String,
    ///     #[serde(default)]
    ///     rebate: i64,
    /// }
    ///
    /// #[derive(Serialize, JsonSchema)]
    /// struct Price {
    ///     cents: i64,
    /// }
    ///
    /// let tool = Tool::typed("price", |ask: Ask| match ask.item.as_str() {
    ///     "pen" => Ok(Price { cents: 250 - ask.rebate }),
    ///     other => Err(format!("no {other} here")),
    /// });
    /// let params: Vec<String> = tool.spec.params.iter().flatten().map(|p| format!("{}: {}", p.name, p.shape)).collect();
    /// assert_eq!(params, ["item: string", "rebate: integer?"]);
    /// assert_eq!(tool.spec.returns.as_ref().map(|r| r.to_string()).as_deref(), Some("{cents: integer}"));
    /// assert_eq!(tool.spec.description, "Price of an item");
    /// ```
    pub fn typed<A, R, E>(name: impl Into<String>, body: impl Fn(A) -> Result<R, E> + Send + Sync + 'static) -> Self
    where
        A: DeserializeOwned + JsonSchema + 'static,
        R: Serialize + JsonSchema + 'static,
        E: Display,
    {
        let takes = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<A>();
        let gives = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<R>();
        let (spec, how, takes) = signature(name.into(), takes, gives);
        let answer = move |args: &str, control: &CallControl| -> Result<String, String> {
            let mut args: Json = serde_json::from_str(args).map_err(|e| e.to_string())?;
            let mut args = match how {
                Takes::Map => args,
                Takes::Unit => Json::Null,
                Takes::Value => args.get_mut("value").map(Json::take).unwrap_or_default(),
            };
            schema::without_absent(&takes, &mut args);
            let args: A = serde_json::from_value(args).map_err(|e| e.to_string())?;
            let answer = body(args).map_err(|e| e.to_string())?;
            json_depth::to_text(&answer, MAX_ANSWER_BYTES, control.depth())
        };
        Tool::text(spec.name.clone(), answer).with_spec(spec)
    }
}

fn signature(name: String, takes: Schema, gives: Schema) -> (ToolSpec, Takes, Json) {
    let (takes, gives) = (takes.to_value(), gives.to_value());
    let (params, how) = match schema::shape(&takes) {
        ptc_lisp::types::Type::Map | ptc_lisp::types::Type::Record { .. } => (schema::params(&takes), Takes::Map),
        _ if takes.get("type").is_some_and(|t| t == "null") => (Some(Vec::new()), Takes::Unit),
        shape => (Some(vec![Param::new("value", shape)]), Takes::Value),
    };
    let spec = ToolSpec {
        name,
        description: schema::description(&takes).to_owned(),
        params,
        returns: Some(schema::shape(&gives)).filter(|s| *s != ptc_lisp::types::Type::Any),
    };
    (spec, how, takes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::toolbox::Toolbox;
    use ptc_turns::{Config, Session, TurnContext};
    use serde::Deserialize;

    #[derive(Deserialize, Serialize, JsonSchema, Clone)]
    #[serde(rename_all = "kebab-case")]
    enum Way {
        /// Cheap
        Slow,
        FastLane,
    }

    #[derive(Deserialize, Serialize, JsonSchema, Clone)]
    struct Item {
        sku: String,
        #[serde(default = "one")]
        units: u32,
        parts: Vec<Item>,
    }

    fn one() -> u32 {
        1
    }

    /// Ships things
    #[derive(Deserialize, JsonSchema)]
    struct Ship {
        note: Option<String>,
        /// What to ship
        items: Vec<Item>,
        way: Way,
        #[serde(default)]
        gift: bool,
    }

    #[derive(Serialize, JsonSchema)]
    struct Shipped {
        units: u32,
        way: Way,
        note: Option<String>,
    }

    fn run(program: &str) -> String {
        let units = |items: &[Item]| items.iter().map(|i| i.units + i.parts.len() as u32).sum();
        let mut tools = Toolbox::new()
            .with(Tool::typed("ship", move |s: Ship| match s.items.as_slice() {
                [] => Err("nothing to ship"),
                items => Ok(Shipped { units: units(items), way: s.way, note: s.note.filter(|_| !s.gift) }),
            }))
            .with(Tool::typed("double", |n: i64| Ok::<_, String>(n * 2)))
            .with(Tool::typed("now", |(): ()| Ok::<_, String>("noon")))
            .with(Tool::typed("sum", |m: std::collections::BTreeMap<String, i64>| {
                Ok::<_, String>(m.values().sum::<i64>())
            }));
        let config = Config { tools: tools.specs(), ..Config::programs() };
        let mut session = Session::new(config);
        let record = session.run(program, TurnContext::with_tools(&mut tools)).unwrap();
        match &record.error {
            Some(e) => e.message.clone(),
            None => record.value.clone().unwrap_or_default(),
        }
    }

    #[test]
    fn arguments_come_as_types_and_answers_go_as_types() {
        for (program, expected) in [
            (
                "(tool/ship :items [{:sku \"a\" :parts [{:sku \"b\" :parts []}]}] :way \"fast-lane\" :note \"hi\")",
                "{:units 2, :way \"fast-lane\", :note \"hi\"}",
            ),
            (
                "(tool/ship [{:sku \"a\" :units nil :parts []}] \"slow\" nil nil)",
                "{:units 1, :way \"slow\", :note nil}",
            ),
            ("(tool/ship [] \"slow\")", "tool/ship: nothing to ship"),
            ("(tool/ship [] \"rocket\")", "tool/ship: unknown variant `rocket`, expected `slow` or `fast-lane`"),
            ("(tool/ship [{:sku 5 :parts []}] \"slow\")", "tool/ship: items[0].sku must be a string, got 5"),
            (
                "(tool/ship [{:sku \"a\" :units -1 :parts []}] \"slow\")",
                "tool/ship: invalid value: integer `-1`, expected u32",
            ),
            ("(tool/double 21)", "42"),
            ("(tool/double \"x\")", "tool/double: value must be an integer, got \"x\""),
            ("(tool/now)", "\"noon\""),
            ("(tool/sum {:a 1 :b 2})", "3"),
        ] {
            assert_eq!(run(program), expected, "{program}");
        }
    }

    #[test]
    fn types_and_comments_are_what_models_see() {
        let tool = Tool::typed("ship", |_: Ship| Err::<Shipped, _>(""));
        let params: Vec<String> =
            tool.spec.params.iter().flatten().map(|p| format!("{}: {} | {}", p.name, p.shape, p.doc)).collect();
        assert_eq!(
            params,
            [
                "items: [{sku: string, units: integer?, parts: [map]}] | What to ship",
                "way: string | one of \"fast-lane\", \"slow\"",
                "note: string? | ",
                "gift: boolean? | default false",
            ]
        );
        assert_eq!(tool.spec.description, "Ships things");
        assert_eq!(tool.spec.returns.unwrap().to_string(), "{units: integer, way: string, note: string?}");
    }
}
